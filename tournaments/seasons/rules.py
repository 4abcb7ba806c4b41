"""A season's rule: what a director chooses, what a change would do to the places, and changing it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor
from tournaments.engine.season import SeasonRule
from tournaments.errors import StepRefused
from tournaments.models import Season
from tournaments.seasons.table import SeasonNights, SeasonTable, counts_handicap, nights_of, rule_of, table_of


@dataclass(frozen=True, slots=True)
class SeasonTerms:
    """All that a director chooses for a season."""

    rule: SeasonRule  # `lowest_wins` goes by the games of its nights and isn't chosen
    moving: int = 0  # who go up and down from each division in the end
    team_best: int = 0  # of a team's members who count on a night; 0: all
    handicap: bool = False  # whether points with handicap count, on nights that give one

    def to_data(self) -> dict[str, Any]:
        """Plain JSON data of the rule, as `Season.rule` keeps it."""
        names = ("kind", "best", "attendance", "attendance_points")
        return {
            **{name: getattr(self.rule, name) for name in names},
            "place_points": list(self.rule.place_points),
            "tie_breaks": list(self.rule.tie_breaks),
            "handicap": self.handicap,
        }


@dataclass(frozen=True, slots=True)
class Moved:
    """The place of a member or a team before and after a change; None where listed apart."""

    name: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """What a change of the rule would do. `moved` and `teams_moved` are members and teams whose place changes, in the
    order of the new places."""

    nights: int  # that are closed
    members: int
    moved: tuple[Moved, ...]
    teams: int
    teams_moved: tuple[Moved, ...]
    seen: str  # what the two tables are known by


def terms_of(season: Season) -> SeasonTerms:
    """The terms of a season as they are."""
    return SeasonTerms(rule_of(season), season.moving, season.team_best, counts_handicap(season))


def effect_of(season: Season, terms: SeasonTerms) -> RuleEffect:
    """What other terms would do to the places of members and teams. A constant number of queries."""
    (found,) = nights_of([season])
    before, after = table_of(found), table_of(_under(found, terms))
    old, new = _places(before), _places(after)
    order = [line.member for line in (*after.lines, *after.apart)]
    moved = [Moved(found.names[m], old.get(m), new.get(m)) for m in order if old.get(m) != new.get(m)]
    was, then = ({team.name: team.place for team in table.teams} for table in (before, after))
    told = json.dumps([sorted(places.items()) for places in (old, new, was, then)])
    return RuleEffect(
        nights=len(found.nights),
        members=len(order),
        moved=tuple(moved),
        teams=len(then),
        teams_moved=tuple(Moved(name, was[name], place) for name, place in then.items() if was[name] != place),
        seen=sha256(told.encode()).hexdigest()[:16],
    )


def change_rule(*, season: Season, terms: SeasonTerms, by: Actor, seen: str = "") -> Season:
    """Change how a season adds up. The same terms again change nothing.

    After the first closed night the change must be confirmed: `seen` is that of the `RuleEffect` that was shown.

    Raises:
        StepRefused: it isn't confirmed, or a night was closed or corrected since the effect was shown.
    """
    with transaction.atomic():
        season = Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)
        old = terms_of(season)
        if old == terms:
            return season
        effect = effect_of(season, terms)
        if effect.nights and not seen:
            raise StepRefused(_("Nights of this season are closed. Look at what would change first, then confirm it."))
        if effect.nights and seen != effect.seen:
            raise StepRefused(
                _("A night was closed or corrected while you looked. Look again at what would change, then confirm it.")
            )
        season.rule, season.moving, season.team_best = terms.to_data(), terms.moving, terms.team_best
        season.save()
        new = _told(terms) | {"nights closed": effect.nights, "places changed": len(effect.moved)}
        new |= {"teams' places changed": len(effect.teams_moved)} if effect.teams else {}
        log(club=season.club, by=by, verb="season.rule", subject=season, old=_told(old), new=new)
    return season


def _under(found: SeasonNights, terms: SeasonTerms) -> SeasonNights:
    rule = replace(terms.rule, lowest_wins=found.rule.lowest_wins)
    return replace(found, rule=rule, team_best=terms.team_best, handicap=terms.handicap)


def _places(table: SeasonTable) -> Mapping[int, int]:
    return {line.member: line.place for line in table.lines if line.place}


def _told(terms: SeasonTerms) -> dict[str, Any]:
    return {**terms.to_data(), "moving": terms.moving, "team_best": terms.team_best}
