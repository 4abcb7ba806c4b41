"""The club rating: a place and a trend of everybody over all seasons, for clubs that want one."""

from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from clubsite.accounts.audit_log import club_version
from clubsite.accounts.models import Club, Member
from clubsite.accounts.name_privacy import hidden_names
from clubsite.accounts.roles import is_at_desk, public
from clubsite.charts import Series, places_chart
from clubsite.live import cached_body
from scoring.models import Game, HouseRules, Side
from tournaments.engine.rating import NEEDED, TREND, GamePlayed, Rated, rate_members
from tournaments.models import Draw, Entry, Event
from tournaments.people import pages_of_people
from tournaments.seasons.table import LEADERS, NIGHTS, night_heads

GROUP = "game__group_game__group__"
EVENT = f"{GROUP}table__draw__round__stage__event"


def rated_games(club: Club) -> dict[int, list[GamePlayed]]:
    """The games of each finished event in playing order: those with a deal and without an annulled side. Guests and
    stand-ins count as unknown players. Two queries."""
    lowest = {rules.pk: rules.lowest_wins for rules in HouseRules.objects.filter(club=club)}
    seats = (
        Side.objects.filter(
            game__club=club,
            game__deals_played__gt=0,
            **{
                f"{EVENT}__state": Event.State.FINISHED,
                f"{GROUP}table__draw__state": Draw.State.PUBLISHED,
                f"{GROUP}seats__side": F("number"),
            },
        )
        .exclude(game__state=Game.State.NOT_PLAYED)
        .order_by(
            f"{EVENT}__starts_at",
            EVENT,
            f"{GROUP}table__draw__round__stage__number",
            f"{GROUP}table__draw__round__number",
            "game__group_game__number",
            "game",
            "number",
            f"{GROUP}seats__position",
        )
        .values_list(
            *(EVENT, "game", "game__rules", "number", "half_wins", "total", f"{GROUP}seats__entry__member"),
            *(f"{GROUP}seats__player", f"{GROUP}seats__entry__guest_in_season", f"{GROUP}seats__entry__removed"),
        )
    )
    games: dict[int, list[GamePlayed]] = {}
    for (event, _game), game_seats in groupby(seats, key=itemgetter(0, 1)):
        rows = list(game_seats)
        if any(removed == Entry.Removed.ANNULLED for *_row, removed in rows):
            continue
        people: dict[int, list[int | None]] = {}
        reached: dict[int, tuple[int, int]] = {}
        for _event, _game, rules, side, half_wins, total, member, player, guest, _removed in rows:
            people.setdefault(side, []).append(None if player or guest else member)
            reached[side] = (half_wins, -total if lowest[rules] else total)
        if len(people) > 1:
            order = sorted(reached.values(), reverse=True)
            games.setdefault(event, []).append([(people[n], 1 + order.index(reached[n])) for n in people])
    return games


def club_rating(club: Club) -> tuple[list[Event], list[tuple[Member, Rated]]]:
    """The events that count, and the active members, best first. Four queries."""
    games = rated_games(club)
    members = {member.pk: member for member in Member.objects.filter(club=club, active=True, erased_at=None)}
    events = Event.objects.in_bulk(games)
    ratings = rate_members(games.values(), among=set(members))
    return [events[pk] for pk in games], [(members[rated.member], rated) for rated in ratings]


@public
def rating(request: HttpRequest, club: Club) -> HttpResponse:
    if not club.rating:
        raise Http404
    version, inside = club_version(club.slug), is_at_desk(request, club)  # before what is shown is read
    named, pages = hidden_names(club).text, pages_of_people(club, inside=inside)

    def make() -> str:
        events, lines = club_rating(club)
        placed = [(member, rated) for member, rated in lines if rated.place]
        drawn = [Series(named(member.name), rated.places[-NIGHTS:]) for member, rated in placed[:LEADERS]]
        context: dict[str, Any] = {
            "lines": placed,
            "person_pages": pages,
            "needed": NEEDED,
            "trend": TREND,
            "without": len(lines) - len(placed),
            "chart": places_chart(drawn, night_heads(events[-NIGHTS:])) if drawn and len(events) > NEEDED else None,
        }
        return render_to_string("tournaments/rating/_rating.html", context)

    body = cached_body(
        f"rating\n{get_language()}\n{club.pk}\n{inside}\n{pages.start}", version=lambda: version, make=make
    )
    return render(request, "tournaments/rating/rating.html", {"rating": mark_safe(body.text)})  # noqa: S308  (a template's)
