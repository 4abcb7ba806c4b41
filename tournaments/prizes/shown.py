"""The prizes of an event as anybody may see them."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Event, PublishedPrizes, PublishedStandings
from tournaments.prizes.proposal import lines_in, published_prizes
from tournaments.prizes.words import LineWords, line_words, lots_told


@dataclass(frozen=True, slots=True)
class PrizesView:
    """The published prizes, to show and to print."""

    published: PublishedPrizes
    lines: tuple[LineWords, ...]
    lots: tuple[str, ...]  # what it takes to check them
    other_result: bool  # another version of the result has been published since


def prizes_view(event: Event, result: PublishedStandings | None) -> PrizesView | None:
    """The prizes that stand, with the result that is shown; None while no result stands. One query."""
    if result is None or (found := published_prizes(event)) is None:
        return None
    lines = lines_in(found)
    return PrizesView(
        found,
        tuple(line_words(lines, found.currency)),
        tuple(lots_told(lines, found.settled)),
        other_result=found.standings_id != result.pk,
    )
