"""Sides from a list: the list, then a look at it, then all at once."""

from __future__ import annotations

from uuid import uuid5

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from tournaments.entries.doubts import answers, remember
from tournaments.entries.forms import columns_of, sent_list
from tournaments.errors import StepRefused
from tournaments.models import Event
from tournaments.requests import event_of, refusals_on, refusals_told, submission_in
from tournaments.sides.entering import SidesEntered, enter_sides, entered_before
from tournaments.sides.forms import SideListForm
from tournaments.sides.looking import ALONE, BAD, SIDE, Looked, look


@club_page
def side_list(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """A list of pairs or teams, as text or file: read, shown, entered once the director says so."""
    found = event_of(club, event)
    if not found.makes_sides:
        raise Http404
    form = SideListForm(request.POST or None, request.FILES or None, event=found)
    sent = submission_in(request.POST.get("submission"))
    step = request.POST.get("step")
    if form.is_valid():
        field = form.field
        with refusals_on(form, field):
            listed = sent_list(request, form)
            submission = uuid5(sent, listed.text)  # another list is no second tap
            if step in ("enter", "enter-good") and (done := entered_before(found, submission)):
                return _told(request, found, done=done)
            looked = look(found, listed.text, said=answers(club, request.POST), columns=columns_of(request, club))
            if not looked.rows:
                form.add_error(field, _("There is nobody in this list. Paste names, or choose a file."))
    if not form.is_valid():
        context = {"event": found, "form": form}
        return render(request, "tournaments/sides/side_list.html", context, status=422 if form.errors else 200)
    if step in ("enter", "enter-good"):
        with refusals_told(request):
            _refuse_unclear(request, looked)
            done = enter_sides(
                event=found,
                sides=[row.people for row in looked.good],
                by=actor_of(request),
                submission=submission,
                plays_for=form.cleaned_data.get("plays_for", ""),
            )
            remember(club=club, doubts=looked.doubts, by=actor_of(request))
            return _told(request, found, done=done)
    context = {
        "event": found,
        "form": form.to_correct(listed.text),
        "listing": looked,
        "bad": looked.of(BAD),
        "doubts": looked.doubts,
        "sides": looked.of(SIDE),
        "alone": looked.of(ALONE),
        "submission": sent,
        **listed.shown(looked.listing, size=found.per_side),
    }
    return render(request, "tournaments/sides/side_list_look.html", context)


def _refuse_unclear(request: HttpRequest, looked: Looked) -> None:
    """Raises StepRefused where the list can't be entered as it stands."""
    if request.POST.get("seen") != looked.seen:
        raise StepRefused(_("The list isn't what was shown before. Look at it again, then enter it."))
    if not all(doubt.said for doubt in looked.doubts):
        raise StepRefused(_("Say of each name that sounds like another whether it is the same person."))
    if looked.of(BAD) and request.POST.get("step") != "enter-good":
        raise StepRefused(_("Some rows can't be entered. Correct them in the list, or enter the others alone."))


def _told(request: HttpRequest, event: Event, *, done: SidesEntered) -> HttpResponse:
    words = [
        ngettext("%(n)d side is made.", "%(n)d sides are made.", done.sides) % {"n": done.sides},
        ngettext("%(n)d person is marked as here.", "%(n)d people are marked as here.", done.people)
        % {"n": done.people},
    ]
    messages.success(request, " ".join(words))
    return redirect("partners", event.club.slug, event.slug)
