"""Seasons, events, entries; stages, rounds, draws, tables and their links; cuts and published standings."""

from tournaments.models.draws import (
    Draw,
    DrawJob,
    Group,
    GroupGame,
    Round,
    RoundClock,
    Seat,
    SitOut,
    Stage,
    Table,
    Wish,
)
from tournaments.models.events import Entry, Event, NameAnswer, Season
from tournaments.models.keying import KeyedAgain, SecondKeying
from tournaments.models.links import TableLink
from tournaments.models.money import MoneyLine
from tournaments.models.outcomes import Adjustment, Cut, CutLine, PrizePlan, PublishedPrizes, PublishedStandings
from tournaments.models.seasons import ClubHandicap, SeasonMember

__all__ = [
    "Adjustment",
    "ClubHandicap",
    "Cut",
    "CutLine",
    "Draw",
    "DrawJob",
    "Entry",
    "Event",
    "Group",
    "GroupGame",
    "KeyedAgain",
    "MoneyLine",
    "NameAnswer",
    "PrizePlan",
    "PublishedPrizes",
    "PublishedStandings",
    "Round",
    "RoundClock",
    "Season",
    "SeasonMember",
    "Seat",
    "SecondKeying",
    "SitOut",
    "Stage",
    "Table",
    "TableLink",
    "Wish",
]
