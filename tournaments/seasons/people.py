"""Who is in which division and team of a season, and the season that follows with its promotions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Member
from clubsite.names import in_order
from tournaments.engine.season import promoted
from tournaments.errors import StepRefused
from tournaments.models import Season, SeasonMember
from tournaments.seasons.actions import create_season
from tournaments.seasons.table import nights_of, table_of

MOST_DIVISIONS = 9
LONGEST_TEAM = 40


@dataclass(frozen=True, slots=True)
class Belongs:
    """Where a member belongs in a season."""

    division: int | None = None  # from 1, the top one
    team: str = ""


@dataclass(frozen=True, slots=True)
class DivisionMove:
    """One member's divisions, before and in the season that follows. `before` is None for who was in none."""

    member: int
    name: str
    before: int | None
    place: int | None  # in the old division; None without one
    after: int | None
    team: str
    level_with: tuple[str, ...] = ()  # who has the same place and another proposal: nothing but their names decided


def belongs_of(season: Season) -> dict[int, Belongs]:
    """Member to division and team. One query."""
    return {row.member_id: Belongs(row.division, row.team) for row in SeasonMember.objects.filter(season=season)}


def assign(*, season: Season, belongs: Mapping[int, Belongs], by: Actor) -> int:
    """Put members of the club into divisions and teams; those not named stay where they are. Returns how many changed.

    Raises:
        StepRefused: somebody is no member of the club, a division is out of range, or a team's name is too long.
    """
    with transaction.atomic():
        season = season.lock()
        wanted = {m: Belongs(one.division, " ".join(one.team.split())) for m, one in belongs.items()}
        names = dict(Member.objects.filter(club=season.club, pk__in=wanted).values_list("pk", "name"))
        if len(names) < len(wanted):
            raise StepRefused(_("Somebody on this list is no member of the club any more. Look at the list again."))
        for one in wanted.values():
            if one.division is not None and not 1 <= one.division <= MOST_DIVISIONS:
                raise StepRefused(_("There are divisions 1 to %(n)d.") % {"n": MOST_DIVISIONS})
            if len(one.team) > LONGEST_TEAM:
                raise StepRefused(_("A team's name has %(n)d letters at most.") % {"n": LONGEST_TEAM})
        old = belongs_of(season)
        changed = {m: one for m, one in wanted.items() if old.get(m, Belongs()) != one}
        if not changed:
            return 0
        SeasonMember.objects.filter(season=season, member__in=changed).delete()
        SeasonMember.objects.bulk_create(
            SeasonMember(season=season, member_id=m, division=one.division, team=one.team)
            for m, one in changed.items()
            if one != Belongs()
        )
        before = {names[m]: _belongs_in_log(old.get(m, Belongs())) for m in changed}
        since = {names[m]: _belongs_in_log(one) for m, one in changed.items()}
        log(club=season.club, by=by, verb="season.people", subject=season, old=before, new=since)
    return len(changed)


def moves_of(season: Season) -> list[DivisionMove]:
    """The proposal for the season that follows: who goes up, who goes down, who stays, division by division.

    In each division those without a place come after those with one, and those who never came last of all. A
    constant number of queries.
    """
    (found,) = nights_of([season])
    table = table_of(found)
    place = {line.member: line.place for line in table.lines}
    came = [line.member for line in (*table.lines, *table.apart)]
    rank = {member: n for n, member in enumerate(came)}
    order = sorted(found.division, key=lambda m: (rank.get(m, len(rank)), in_order(found.names[m])))
    numbers = sorted(set(found.division.values()))
    divisions = [[m for m in order if found.division[m] == number] for number in numbers]
    after = {member: numbers[n] for n, members in enumerate(promoted(divisions, season.moving)) for member in members}
    moves = [
        DivisionMove(m, found.names[m], found.division[m], place.get(m), after[m], found.team.get(m, "")) for m in order
    ]
    moves = [replace(move, level_with=_level_with(move, moves)) for move in moves]
    moves.sort(key=lambda move: move.before or 0)
    others = [m for m in found.names if m not in found.division and (m in found.team or found.division)]
    moves += [
        DivisionMove(m, found.names[m], None, None, None, found.team.get(m, ""))
        for m in sorted(others, key=lambda m: in_order(found.names[m]))
    ]
    return moves


def _level_with(move: DivisionMove, moves: Sequence[DivisionMove]) -> tuple[str, ...]:
    same = [other for other in moves if (other.before, other.place) == (move.before, move.place)]
    return tuple(other.name for other in same if move.place is not None and other.after != move.after)


def follow(
    *, season: Season, by: Actor, name: str, starts: date, ends: date, divisions: Mapping[int, int | None]
) -> Season:
    """Make the season that follows, with the same rule, teams as they were, and members in these divisions.

    Raises:
        StepRefused: a season follows already, or there is one of that name.
    """
    name = " ".join(name.split())
    with transaction.atomic():
        season = season.lock()
        if follower := Season.objects.filter(follows=season).first():
            if follower.name == name:
                return follower
            raise StepRefused(_("%(name)s follows this season already.") % {"name": follower})
        if Season.objects.filter(club=season.club, name=name).exists():
            raise StepRefused(_("The club has a season %(name)s already. Choose another name.") % {"name": name})
        made = create_season(club=season.club, by=by, name=name, starts=starts, ends=ends)
        made.rule, made.moving, made.team_best, made.follows = season.rule, season.moving, season.team_best, season
        made.save()
        teams = {m: one.team for m, one in belongs_of(season).items()}
        assign(
            season=made, belongs={m: Belongs(divisions.get(m), teams.get(m, "")) for m in {*divisions, *teams}}, by=by
        )
        log(club=season.club, by=by, verb="season.follow", subject=made, old=season.name, new=made.name)
    return made


def _belongs_in_log(one: Belongs) -> str:
    return f"{one.division or '-'} {one.team}".strip()
