"""A club's games as records, and the rules that a file can name for it."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch

from clubsite.accounts.models import Club
from clubsite.one_line import one_line
from scoring.engine.core.ruleset import shipped_versions
from scoring.engine.files.deal_files import Known
from scoring.exchange.records import DealRecord, GameLines, GameRecord, Records, VersionLines, VersionRecord, with_own
from scoring.models import Deal, DealVersion, Game, HouseRules

BY_DIRECTOR = "director"


def known_rules(club: Club) -> Known:
    """The rules that a file can name, by slug: the newest of the club's own first, which the club plays by."""
    own = [rules.rule_set for rules in HouseRules.objects.filter(club=club).order_by("version")]
    played = {rule_set.slug: rule_set for rule_set in own}
    known = with_own(shipped_versions(), own)
    return {slug: sorted(versions, key=lambda one: one != played.get(slug)) for slug, versions in known.items()}


def records_of(club: Club) -> Records:
    """All games of the club with a deal, the first first, with every version of every deal. Five queries."""
    versions = DealVersion.objects.order_by("number").prefetch_related("points")
    deals = Deal.objects.order_by("number").prefetch_related(Prefetch("versions", versions))
    games = (
        Game.objects.filter(club=club, deals__isnull=False)
        .distinct()
        .order_by("pk")
        .select_related("rules")
        .prefetch_related("sides", Prefetch("deals", deals))
    )
    found = tuple(_game(game) for game in games)
    rules = {(game.rules.slug, game.rules.version): game.rules.rule_set for game in games}
    return Records(found, tuple(rules[key] for key in sorted(rules)))


def _game(game: Game) -> GameRecord:
    sides = list(game.sides.all())
    start = tuple(side.start for side in sides)
    said = GameLines(
        rules=game.rules.slug,
        rules_version=game.rules.version,
        shape=game.shape,
        title=one_line(game.title),
        sides=tuple(tuple(one_line(name) for name in side.names) for side in sides),
        start=start if any(start) else (),
        ended=one_line(game.reason) if game.ended_by == BY_DIRECTOR else "",
        set_aside=game.set_aside,
        absent=tuple(side.number for side in sides if side.absent),
    )
    deals = game.deals.all()
    family = game.rules.family
    records = (DealRecord(deal.number, tuple(_version(one, family) for one in deal.versions.all())) for deal in deals)
    return GameRecord(said, game.rules.rule_set, tuple(records))


def _version(version: DealVersion, family: Any) -> VersionRecord:
    said = VersionLines(
        id=str(version.submission),
        state=DealVersion.State(version.state),
        by=one_line(version.actor),
        route=version.route,
        at=version.at.isoformat(),
        written=tuple(version.written),
        written_sets=None if version.written_sets is None else tuple(version.written_sets),
        reason=one_line(version.reason),
        ruling=one_line(version.ruling),
        overruled=tuple(version.overruled),
    )
    points = tuple(row.points for row in version.points.all())
    return VersionRecord(said, family.read(version.facts), points=points)
