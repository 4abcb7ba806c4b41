"""Seasons: their rules, divisions and teams, the season that follows, and what a member still needs for a place."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import chain
from typing import Any, Literal, TypeAlias

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member
from clubsite.names import name_sort_key
from clubsite.previews import fingerprint, preview
from tournaments.engine.rounds import grouped
from tournaments.engine.season import (
    Opening,
    SeasonNight,
    SeasonRule,
    next_divisions,
    points_bound,
    points_needed,
    season_table,
)
from tournaments.errors import StepRefused
from tournaments.events.actions import refuse_mixed_season
from tournaments.events.state import event_locked
from tournaments.models import Event, Season, SeasonMember
from tournaments.seasons.table import (
    RULE,
    SeasonTable,
    build_table,
    counts_handicap,
    season_nights,
    season_rule,
    season_tables,
)


def create_season(*, club: Club, by: Actor, name: str, starts: date, ends: date) -> Season:
    """Make a season, or return the one with this name and these days. Raises StepRefused: another season has the name,
    or the last day is before the first."""
    name = " ".join(name.split())
    with club.locked_transaction():
        same = Season.objects.filter(club=club, name=name).first()
        if same and (same.starts, same.ends) == (starts, ends):
            return same
        season = Season(club=club, name=name, starts=starts, ends=ends)
        _refuse_invalid(season)
        season.save()
        log(club=club, by=by, verb="season.make", subject=name, new={"starts": str(starts), "ends": str(ends)})
    return season


def change_season(*, season: Season, by: Actor, name: str, starts: date, ends: date, seen: str | None = None) -> Season:
    """Change a season's name or days. The days don't decide which nights count: that is set on each night.

    `seen`: the `season_fingerprint` that the page showed.

    Raises StepRefused: another season has the name, the last day is before the first, or somebody has changed the
    season since the page was opened."""
    with transaction.atomic():
        season = season.lock()
        old, changed = _season_in_log(season), seen is not None and seen != season_fingerprint(season)
        now = {"name": season.name, "starts": date_format(season.starts), "ends": date_format(season.ends)}
        season.name, season.starts, season.ends = " ".join(name.split()), starts, ends
        if _season_in_log(season) == old:
            return season
        if changed:
            words = _(
                "Somebody else has changed this season: “%(name)s”, %(starts)s – %(ends)s. What you wrote is "
                "below. If it is right, save it again."
            )
            raise StepRefused(words % now)
        _refuse_invalid(season)
        season.save()
        log(club=season.club, by=by, verb="season.change", subject=season, old=old, new=_season_in_log(season))
    return season


def season_fingerprint(season: Season) -> str:
    return fingerprint(_season_in_log(season))


def _refuse_invalid(season: Season) -> None:
    if season.ends < season.starts:
        raise StepRefused(_("The last day is before the first."))
    if Season.objects.filter(club=season.club, name=season.name).exclude(pk=season.pk).exists():
        raise StepRefused(_("There is already a season called %(name)s: choose another name.") % {"name": season.name})


def _season_in_log(season: Season) -> dict[str, str]:
    return {"name": season.name, "starts": str(season.starts), "ends": str(season.ends)}


def assign_season(*, event: Event, season: Season | None, by: Actor) -> Event:
    """Make an event count in a season of its club, or in none. Raises StepRefused: the season is another club's, or in
    its other events the highest total wins and in this one the lowest, or the other way round."""
    with event_locked(event) as event:
        if season is not None and season.club_id != event.club_id:
            raise StepRefused(_("That season is another club's."))
        if event.season != season:
            old, event.season = event.season, season
            refuse_mixed_season(event)
            event.save()
            log(club=event.club, by=by, verb="season.assign", subject=event, old=str(old), new=str(season))
    return event


@dataclass(frozen=True, slots=True)
class SeasonTerms:
    rule: SeasonRule  # `lowest_wins` depends on the games of its nights, and isn't chosen
    moving: int = 0  # how many go up and down from each division at the end
    team_best: int = 0  # how many of a team's members count on a night; 0: all
    handicap: bool = False  # whether points with handicap count, on nights that give one

    def to_data(self) -> dict[str, Any]:
        """The JSON data of `Season.rule`, with lists for tuples."""
        rule: dict[str, Any] = RULE.dump_python(self.rule, mode="json", exclude={"lowest_wins"})
        return rule | {"handicap": self.handicap}


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """What a change of the rule does. `moved` and `teams_moved` are members and teams whose place changes, in the order
    of the new places: name, place before and after (None: no place)."""

    nights: int  # closed ones
    members: int
    moved: list[dict[str, Any]]
    teams: int
    teams_moved: list[dict[str, Any]]
    seen: str  # a fingerprint of the two tables


def season_terms(season: Season) -> SeasonTerms:
    return SeasonTerms(season_rule(season), season.moving, season.team_best, counts_handicap(season))


def preview_rule(season: Season, terms: SeasonTerms, *, by: Actor) -> RuleEffect:
    change = partial(change_rule, season=season, terms=terms, by=by, seen=None)
    return _rule_effect(*preview(change, lambda: _read_table(season)))


def change_rule(*, season: Season, terms: SeasonTerms, by: Actor, seen: str | None = "") -> Season:
    """Change how a season adds up.

    After the first closed night the change must be confirmed: `seen` is that of the `RuleEffect` that was shown; None
    in a preview.

    Raises StepRefused: it isn't confirmed, or a night was closed or corrected since the effect was shown."""
    with transaction.atomic():
        season = season.lock()
        old = season_terms(season)
        if old == terms:
            return season
        before = _read_table(season)
        season.rule, season.moving, season.team_best = terms.to_data(), terms.moving, terms.team_best
        season.save()
        effect = _rule_effect(before, _read_table(season))
        if effect.nights and seen == "":
            raise StepRefused(_("Nights of this season are closed. Check what would change first, then confirm it."))
        if effect.nights and seen not in (None, effect.seen):
            raise StepRefused(
                _("A night was closed or corrected while you looked. Check again what would change, then confirm it.")
            )
        new = _terms_in_log(terms) | {"nights closed": effect.nights, "places changed": len(effect.moved)}
        new |= {"teams' places changed": len(effect.teams_moved)} if effect.teams else {}
        log(club=season.club, by=by, verb="season.rule", subject=season, old=_terms_in_log(old), new=new)
    return season


def _read_table(season: Season) -> SeasonTable:
    return season_tables([Season.objects.get(pk=season.pk)])[0]


def _rule_effect(before: SeasonTable, after: SeasonTable) -> RuleEffect:
    old, new = _places(before), _places(after)
    lines = [*after.lines, *after.apart]
    prior, now = ({team.name: team.place for team in table.teams} for table in (before, after))
    return RuleEffect(
        nights=len(after.nights),
        members=len(lines),
        moved=[
            {"name": line.name, "before": old.get(line.member), "after": new.get(line.member)}
            for line in lines
            if old.get(line.member) != new.get(line.member)
        ],
        teams=len(now),
        teams_moved=[
            {"name": name, "before": prior[name], "after": place} for name, place in now.items() if prior[name] != place
        ],
        seen=fingerprint([sorted(places.items()) for places in (old, new, prior, now)]),
    )


def _places(table: SeasonTable) -> Mapping[int, int]:
    return {line.member: line.place for line in table.lines if line.place}


def _terms_in_log(terms: SeasonTerms) -> dict[str, Any]:
    return {**terms.to_data(), "moving": terms.moving, "team_best": terms.team_best}


MOST_DIVISIONS = 9
LONGEST_TEAM = 40


@dataclass(frozen=True, slots=True)
class Assignment:
    division: int | None = None  # from 1, the top one
    team: str = ""


def season_assignments(season: Season) -> dict[int, Assignment]:
    return {row.member_id: Assignment(row.division, row.team) for row in SeasonMember.objects.filter(season=season)}


def assign_members(*, season: Season, assignments: Mapping[int, Assignment], by: Actor) -> int:
    """Put members of the club, by key, into divisions and teams; others stay where they are. Returns how many changed.

    Raises StepRefused: somebody is no member of the club, a division is out of range, or a team's name is too long."""
    with transaction.atomic():
        season = season.lock()
        chosen = {m: Assignment(b.division, " ".join(b.team.split())) for m, b in assignments.items()}
        names = dict(Member.objects.filter(club=season.club, pk__in=chosen).values_list("pk", "name"))
        if len(names) < len(chosen):
            raise StepRefused(_("Somebody on this list is no longer a member. Check the list again."))
        for new in chosen.values():
            if new.division is not None and not 1 <= new.division <= MOST_DIVISIONS:
                raise StepRefused(_("There are divisions 1 to %(n)d.") % {"n": MOST_DIVISIONS})
            if len(new.team) > LONGEST_TEAM:
                raise StepRefused(_("A team's name has %(n)d letters at most.") % {"n": LONGEST_TEAM})
        old = season_assignments(season)
        changed = {m: new for m, new in chosen.items() if old.get(m, Assignment()) != new}
        if not changed:
            return 0
        SeasonMember.objects.filter(season=season, member__in=changed).delete()
        SeasonMember.objects.bulk_create(
            SeasonMember(season=season, member_id=m, division=new.division, team=new.team)
            for m, new in changed.items()
            if new != Assignment()
        )
        before = {names[m]: _assignment_in_log(old.get(m, Assignment())) for m in changed}
        since = {names[m]: _assignment_in_log(new) for m, new in changed.items()}
        log(club=season.club, by=by, verb="season.people", subject=season, old=before, new=since)
    return len(changed)


def propose_moves(season: Season) -> list[dict[str, Any]]:
    """The proposal for the season that follows: who goes up, goes down or stays, division by division.

    In each division those without a place come after those with one, and those who never came last. `before` and
    `after` are divisions, None for none. `level_with`: who has the same place but another division after, so that only
    their names decided. A constant number of queries."""
    (nights,) = season_nights([season])
    table = build_table(nights)
    place = {line.member: line.place for line in table.lines}
    rank = {line.member: n for n, line in enumerate((*table.lines, *table.apart))}
    order = sorted(nights.division, key=lambda m: (rank.get(m, len(rank)), name_sort_key(nights.names[m])))
    numbers = sorted(set(nights.division.values()))
    divisions = [[m for m in order if nights.division[m] == number] for number in numbers]
    after = {
        member: numbers[n] for n, members in enumerate(next_divisions(divisions, season.moving)) for member in members
    }
    unplaced = [m for m in nights.names if m not in nights.division and (m in nights.team or nights.division)]
    moves: list[dict[str, Any]] = [
        {
            "member": m,
            "name": nights.names[m],
            "before": nights.division.get(m),
            "place": place.get(m) if m in nights.division else None,
            "after": after.get(m),
            "team": nights.team.get(m, ""),
        }
        for m in [*chain.from_iterable(divisions), *sorted(unplaced, key=lambda m: name_sort_key(nights.names[m]))]
    ]
    for move in moves:
        same = [other for other in moves if (other["before"], other["place"]) == (move["before"], move["place"])]
        move["level_with"] = [other["name"] for other in same if move["place"] and other["after"] != move["after"]]
    return moves


def create_following_season(
    *, season: Season, by: Actor, name: str, starts: date, ends: date, divisions: Mapping[int, int | None]
) -> Season:
    """Make the season that follows, with the same rule and teams, and members in these divisions.

    Raises StepRefused: a season follows already, or there is one with that name."""
    name = " ".join(name.split())
    with transaction.atomic():
        season = season.lock()
        if follower := Season.objects.filter(follows=season).first():
            if follower.name == name:
                return follower
            raise StepRefused(_("%(name)s already follows this season.") % {"name": follower})
        if Season.objects.filter(club=season.club, name=name).exists():
            raise StepRefused(_("There is already a season called %(name)s: choose another name.") % {"name": name})
        new = create_season(club=season.club, by=by, name=name, starts=starts, ends=ends)
        new.rule, new.moving, new.team_best, new.follows = season.rule, season.moving, season.team_best, season
        new.save()
        teams = {m: b.team for m, b in season_assignments(season).items()}
        assign_members(
            season=new,
            assignments={m: Assignment(divisions.get(m), teams.get(m, "")) for m in {*divisions, *teams}},
            by=by,
        )
        log(club=season.club, by=by, verb="season.follow", subject=new, old=season.name, new=new.name)
    return new


def _assignment_in_log(assignment: Assignment) -> str:
    return f"{assignment.division or '-'} {assignment.team}".strip()


Others: TypeAlias = Literal["away", "average"]


@dataclass(frozen=True, slots=True)
class Need:
    """What a member needs on one more night: at least `points`, or at most if the lowest total wins."""

    code: str  # "safe", "come", "points", "attendance", "never"
    name: str
    place: int  # the place asked for
    points: int = 0
    lowest_wins: bool = False
    record: int = 0  # the best that anybody had on one night so far
    nights: int = 0  # nights attended
    attendance: int = 0  # nights needed for a place
    handicap: bool = False  # whether points are those with handicap


def members_who_can_ask(season: Season) -> dict[str, Any]:
    (nights,) = season_nights([season])
    members = [(m, name) for m, name in nights.names.items() if not nights.division or m in nights.division]
    return {"members": sorted(members, key=lambda item: name_sort_key(item[1])), "nights": len(nights.nights)}


def find_need(season: Season, member: int, *, place: int, others: Others) -> Need | None:
    """What a member needs on one more night for at least this place; None for somebody who isn't in the season.

    The others of the division stay away, or get the average of the nights they attended, halves rounded up. A constant
    number of queries."""
    (whole,) = season_nights([season])
    if member not in whole.names or (whole.division and member not in whole.division):
        return None
    nights, rule = whole.nights_among(whole.competitors_of(member)), whole.rule
    scores = [night.points[member] for night in nights if member in night.points]
    every = [points for night in nights for points in night.points.values()]
    openings = whole.openings_of(whole.competitors_of(member))
    record = (min if rule.lowest_wins else max)(every, default=0)
    attended = len(scores) + openings.get(member, Opening()).nights
    name, handicap = whole.names[member], counts_handicap(season)
    answer = Need("never", name, place, 0, rule.lowest_wins, record, attended, rule.attendance, handicap)
    last = _averages(nights, member) if others == "average" else {}
    without = season_table([*nights, SeasonNight(len(nights) + 1, last)] if last else nights, rule, openings=openings)
    if any(row.member == member and row.place is not None and row.place <= place for row in without):
        return replace(answer, code="safe")
    if attended + 1 < rule.attendance:
        return replace(answer, code="attendance")
    most = points_bound(nights, rule, last=last, openings=openings)
    points = points_needed(nights, rule, member=member, place=place, last=last, most=most, openings=openings)
    if points is None:
        return answer
    return replace(answer, code="come" if points == (most if rule.lowest_wins else -most) else "points", points=points)


def _averages(nights: list[SeasonNight], member: int) -> dict[int, int]:
    """The average of each of the others over the nights they attended, halves rounded up."""
    by_member = grouped(item for night in nights for item in night.points.items() if item[0] != member)
    return {other: (2 * sum(points) + len(points)) // (2 * len(points)) for other, points in by_member.items()}
