"""One person's page: what they have played, for the club; for everybody where the person's name is shown at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.utils.timezone import localtime

from clubsite.accounts.models import Club, Member
from clubsite.accounts.name_privacy import IN_FULL
from clubsite.accounts.roles import is_at_desk, is_director, own_member, public
from tournaments.members.record import PlayedNight, record_of
from tournaments.pictures import PersonNight, person_chart

FIRST = 10  # lines of a list that come at once; the rest comes on a tap


@public
def person(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    """Nights, points a deal, bids, who was met and the best deals of one member."""
    found = get_object_or_404(Member.every.select_related("merged_into"), club=club, pk=member)
    inside, own = is_at_desk(request, club), own_member(request, club) == found.pk
    if found.merged_into is not None:
        return redirect("person", club.slug, found.merged_into.pk)
    if not (inside or own) and (found.initials_only or found.erased_at):
        raise Http404
    found.club = club
    record = record_of(found)
    events = {night.entry.event_id: night.entry.event for night in record.nights}
    context = {
        "member": found,
        "inside": inside,
        "own": own,
        "may_change": is_director(request, club) and not found.erased_at,
        "record": record,
        "several": len(record.averages) > 1,
        "bids": any(one.rules.family.bid_held for one in record.averages),
        "nights": _open(request, "nights", lines=record.nights),
        "partners": _open(request, "partners", lines=record.partners),
        "opponents": _open(request, "opponents", lines=record.opponents),
        "best": [(one, [(deal, events.get(deal.event)) for deal in one.best]) for one in record.averages],
        "chart": person_chart([_as_drawn(night) for night in reversed(record.nights)]),
    }
    response = render(request, "tournaments/members/person/person.html", context)
    setattr(response, IN_FULL, inside)
    return response


def _as_drawn(night: PlayedNight) -> PersonNight:
    """A night as the picture has it: by its date."""
    day = date_format(localtime(night.entry.event.starts_at), "MONTH_DAY_FORMAT")
    return PersonNight(day, night.place, night.of, night.points)


def _open(request: HttpRequest, name: str, *, lines: Sequence[Any]) -> dict[str, Any]:
    """The first lines of a list, or all where the visitor asks for them (`?show=`), and how many more there are."""
    shown = lines if request.GET.get("show") == name else lines[:FIRST]
    return {"name": name, "lines": shown, "more": len(lines) - len(shown), "all": len(lines)}
