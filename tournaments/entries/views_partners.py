"""Who plays with whom, and for which club, before an event of fixed sides begins."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from tournaments.entries import partners as entries_partners
from tournaments.models import Entry, Event
from tournaments.requests import event_of, refusals_told, whole_number


@club_page
def partners(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The sides of an event: join people, join the rest by lot, take a side apart, say for which club it plays."""
    found = event_of(club, event)
    if not found.makes_sides:
        raise Http404
    if request.method == "POST":
        with refusals_told(request):
            _step(request, found)
        return redirect("partners", club.slug, found.slug)
    sides, alone = entries_partners.sides_of(found)
    context = {
        "event": found,
        "sides": sides,
        "alone": alone,
        "seats": range(found.per_side),
        "match": found.traits.between_clubs,
        "clubs": sorted({e.plays_for for side in sides for e in side if e.plays_for}),
        "closed": found.state == Event.State.FINISHED,
    }
    return render(request, "tournaments/entries/partners.html", context)


def _step(request: HttpRequest, event: Event) -> None:
    post, by = request.POST, actor_of(request)
    if post.get("step") == "join":
        chosen = [whole_number(value) for value in post.getlist("entry") if value]
        people = list(Entry.objects.filter(event=event, pk__in=chosen))
        entries_partners.join(
            event=event, entries=people, by=by, plays_for=" ".join(post.get("plays_for", "").split())[:40]
        )
        names = " & ".join(e.name for e in sorted(people, key=lambda e: e.number))
        messages.success(request, _("%(names)s play together.") % {"names": names})
    elif post.get("step") == "rest":
        made = entries_partners.join_rest(event=event, by=by)
        messages.success(
            request, ngettext("%(n)d side was made by lot.", "%(n)d sides were made by lot.", made) % {"n": made}
        )
    elif post.get("step") == "part":
        entries_partners.part(event=event, number=whole_number(post.get("side", "")), by=by)
    elif post.get("step") == "club":
        entries_partners.play_for(
            event=event, number=whole_number(post.get("side", "")), club_name=post.get("plays_for", ""), by=by
        )
        messages.success(request, _("Saved."))
    else:
        raise Http404
