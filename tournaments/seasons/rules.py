"""A season's rule: what a director chooses, what a change would do to the places, and changing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from clubsite.previews import fingerprint, preview
from tournaments.engine.season import SeasonRule
from tournaments.errors import StepRefused
from tournaments.models import Season
from tournaments.seasons.table import RULE, SeasonTable, counts_handicap, rule_of, season_tables


@dataclass(frozen=True, slots=True)
class SeasonTerms:
    """All that a director chooses for a season."""

    rule: SeasonRule  # `lowest_wins` goes by the games of its nights and isn't chosen
    moving: int = 0  # how many go up and down from each division in the end
    team_best: int = 0  # how many of a team's members count on a night; 0: all
    handicap: bool = False  # whether points with handicap count, on nights that give one

    def to_data(self) -> dict[str, Any]:
        """Plain JSON data of the rule, with lists for tuples: what `Season.rule` keeps, and has when it is read."""
        rule: dict[str, Any] = RULE.dump_python(self.rule, mode="json", exclude={"lowest_wins"})
        return rule | {"handicap": self.handicap}


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """The place of a member or a team before and after a change; None where they have no place."""

    name: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """What a change of the rule would do. `moved` and `teams_moved` are members and teams whose place changes, in the
    order of the new places."""

    nights: int  # that are closed
    members: int
    moved: tuple[PlaceChange, ...]
    teams: int
    teams_moved: tuple[PlaceChange, ...]
    seen: str  # a fingerprint of the two tables


def terms_of(season: Season) -> SeasonTerms:
    """The terms of a season as they are."""
    return SeasonTerms(rule_of(season), season.moving, season.team_best, counts_handicap(season))


def effect_of(season: Season, terms: SeasonTerms, *, by: Actor) -> RuleEffect:
    """What other terms would do to the places of members and teams. A constant number of queries; nothing is kept."""
    change = partial(change_rule, season=season, terms=terms, by=by, seen=None)
    return _between(*preview(change, lambda: _table(season)))


def change_rule(*, season: Season, terms: SeasonTerms, by: Actor, seen: str | None = "") -> Season:
    """Change how a season adds up. The same terms again change nothing.

    After the first closed night the change must be confirmed: `seen` is that of the `RuleEffect` that was shown; None
    where the change is only tried.

    Raises:
        StepRefused: it isn't confirmed, or a night was closed or corrected since the effect was shown.
    """
    with transaction.atomic():
        season = season.lock()
        old = terms_of(season)
        if old == terms:
            return season
        before = _table(season)
        season.rule, season.moving, season.team_best = terms.to_data(), terms.moving, terms.team_best
        season.save()
        effect = _between(before, _table(season))
        if effect.nights and seen == "":
            raise StepRefused(_("Nights of this season are closed. Look at what would change first, then confirm it."))
        if effect.nights and seen not in (None, effect.seen):
            raise StepRefused(
                _("A night was closed or corrected while you looked. Look again at what would change, then confirm it.")
            )
        new = _terms_in_log(terms) | {"nights closed": effect.nights, "places changed": len(effect.moved)}
        new |= {"teams' places changed": len(effect.teams_moved)} if effect.teams else {}
        log(club=season.club, by=by, verb="season.rule", subject=season, old=_terms_in_log(old), new=new)
    return season


def _table(season: Season) -> SeasonTable:
    """The season's table by the rule that is stored now."""
    return season_tables([Season.objects.get(pk=season.pk)])[0]


def _between(before: SeasonTable, after: SeasonTable) -> RuleEffect:
    old, new = _places(before), _places(after)
    lines = [*after.lines, *after.apart]
    was, then = ({team.name: team.place for team in table.teams} for table in (before, after))
    return RuleEffect(
        nights=len(after.nights),
        members=len(lines),
        moved=tuple(
            PlaceChange(line.name, old.get(line.member), new.get(line.member))
            for line in lines
            if old.get(line.member) != new.get(line.member)
        ),
        teams=len(then),
        teams_moved=tuple(PlaceChange(name, was[name], place) for name, place in then.items() if was[name] != place),
        seen=fingerprint([sorted(places.items()) for places in (old, new, was, then)]),
    )


def _places(table: SeasonTable) -> Mapping[int, int]:
    return {line.member: line.place for line in table.lines if line.place}


def _terms_in_log(terms: SeasonTerms) -> dict[str, Any]:
    return {**terms.to_data(), "moving": terms.moving, "team_best": terms.team_best}
