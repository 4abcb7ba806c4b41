"""One person's page: what they have played, for the club; for everybody where the person's name is shown at all."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from clubsite.accounts.hidden_names import IN_FULL
from clubsite.accounts.models import Club, Member
from clubsite.accounts.roles import is_director, public, role_in
from tournaments.members.record import record_of

FIRST = 10  # lines of a list that are open at once; the rest comes on a tap


@public
def person(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    """Nights, points a deal, bids, who was met and the best deals of one member."""
    found = get_object_or_404(Member.every.select_related("merged_into"), club=club, pk=member)
    inside = role_in(request, club) is not None
    if found.merged_into is not None:
        return redirect("person", club.slug, found.merged_into.pk)
    if not inside and (found.initials_only or found.erased_at):
        raise Http404
    found.club = club
    record = record_of(found)
    titles = {one.rules: one.title for one in record.averages}
    events = {night.event: night for night in record.nights}
    context = {
        "member": found,
        "inside": inside,
        "may_change": is_director(request, club) and not found.erased_at,
        "record": record,
        "titles": titles,
        "several": len(titles) > 1,
        "bids": any(one.bids for one in record.averages),
        "nights": record.nights[:FIRST],
        "more_nights": record.nights[FIRST:],
        "partners": (record.partners[:FIRST], record.partners[FIRST:]),
        "opponents": (record.opponents[:FIRST], record.opponents[FIRST:]),
        "best": [(one, [(deal, events.get(deal.event)) for deal in one.best]) for one in record.averages],
        "picture": [night for night in reversed(record.nights) if night.place],  # the oldest first
    }
    response = render(request, "tournaments/members/person.html", context)
    setattr(response, IN_FULL, inside)
    return response
