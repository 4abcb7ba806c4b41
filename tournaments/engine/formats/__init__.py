"""Formats of events as small strategy classes: who meets whom in the next round, from the rounds played."""

from tournaments.engine.formats.base import (
    ContestTraits,
    Field,
    Format,
    FormatRefused,
    PlayedRound,
    PlayedTable,
    RotationTraits,
    Traits,
    option_fields,
)
from tournaments.engine.formats.knock_out import DoubleKnockOut, KnockOut
from tournaments.engine.formats.open_play import OpenPairs, OpenPlay
from tournaments.engine.formats.pairings import Groups, Ladder, OutAfter, RoundRobin, Rungs, Swiss, TeamMatch
from tournaments.engine.formats.tables import Progressive, SingleTable

__all__ = [
    "FORMATS",
    "TRAITS",
    "Field",
    "Format",
    "FormatRefused",
    "PlayedRound",
    "PlayedTable",
    "Traits",
    "option_fields",
]

OFFERED = (
    *(RoundRobin, Groups, Swiss, OutAfter, Progressive, OpenPlay, OpenPairs, Ladder, Rungs),
    *(KnockOut, DoubleKnockOut, SingleTable, TeamMatch),
)
FORMATS: dict[str, type[Format]] = {kind.slug: kind for kind in OFFERED}
"""Slug to format, in the order in which they are offered. Rotation and the contest have engines of their own."""

TRAITS: dict[str, type[Traits]] = {ContestTraits.slug: ContestTraits, RotationTraits.slug: RotationTraits, **FORMATS}
"""Slug to what is true of a format, for every format that an event may have."""
