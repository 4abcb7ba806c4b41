"""Formats of events as small strategy classes: who meets whom in the next round, from the rounds played."""

from __future__ import annotations

from tournaments.engine.formats.base import Field, Format, FormatRefused, PlayedRound, PlayedTable, options_of
from tournaments.engine.formats.knock_out import KnockOut
from tournaments.engine.formats.ladder import Ladder
from tournaments.engine.formats.progressive import Progressive
from tournaments.engine.formats.round_robin import RoundRobin
from tournaments.engine.formats.single_table import SingleTable
from tournaments.engine.formats.swiss import Swiss
from tournaments.engine.formats.team_match import TeamMatch
from tournaments.engine.formats.traits import ContestTraits, RotationTraits, Traits

__all__ = [
    "FORMATS",
    "TRAITS",
    "Field",
    "Format",
    "FormatRefused",
    "PlayedRound",
    "PlayedTable",
    "Traits",
    "options_of",
]

FORMATS: dict[str, type[Format]] = {
    kind.slug: kind for kind in (RoundRobin, Swiss, Progressive, Ladder, KnockOut, SingleTable, TeamMatch)
}
"""Slug to format, in the order in which they are offered. Rotation and the contest have engines of their own."""

TRAITS: dict[str, type[Traits]] = {ContestTraits.slug: ContestTraits, RotationTraits.slug: RotationTraits, **FORMATS}
"""Slug to what is true of a format, for every format that an event may have."""
