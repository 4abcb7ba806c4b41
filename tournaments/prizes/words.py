"""Prizes in words: what each is for, what it is, how lots were drawn; and as anybody may see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from clubsite.currency import money
from tournaments.draws.words import LOTS, lots_in_words
from tournaments.models import Event, PublishedPrizes, PublishedStandings
from tournaments.prizes.proposal import PlannedPrize, Winner, WonPrize, lines_in, published_prizes

KINDS: dict[str, Promise] = {
    "place:1": _("High"),
    "place:2": _("Second"),
    "place:3": _("Third"),
    "place:4": _("Fourth"),
    "place:5": _("Fifth"),
    "place:6": _("Sixth"),
    "low": _("Low"),
    "most-sets": _("Most sets"),
    "fewest-sets": _("Fewest sets"),
    "door": _("Door prize"),
}
"""Every prize that a list can hold, as its form and its data name it."""

EXPLAINED: dict[str, Promise] = {
    "low": _("Low: the last of all who played"),
    "most-sets": _("Most sets: bids that failed"),
    "fewest-sets": _("Fewest sets: bids that failed"),
    "door": _("Door prize, by lot"),
}
"""Those whose name alone doesn't say it, for who chooses them."""


@dataclass(frozen=True, slots=True)
class LineWords:
    """One line of the prizes in words."""

    title: str  # "High", or "High and Second, shared"
    names: tuple[str, ...]
    gets: str  # "$15.00 each, a bottle of wine"
    notes: tuple[str, ...]
    winners: tuple[Winner, ...]
    lots_needed: bool


def key_of(prize: PlannedPrize) -> str:
    """The key of a prize in `KINDS`."""
    return f"place:{prize.place}" if prize.kind == "place" else prize.kind


def prize_words(prize: PlannedPrize, currency: str) -> str:
    """One prize of the list: "High $20.00, a hat"."""
    what = ", ".join(part for part in (money(prize.amount, currency) if prize.amount else "", prize.what) if part)
    return f"{KINDS[key_of(prize)]} {what}".strip()


def line_words(lines: Iterable[WonPrize], currency: str) -> list[LineWords]:
    """The lines of a proposal or a version, in order."""
    return [
        LineWords(
            title=_now(" and ").join(str(KINDS[key_of(prize)]) for prize in line.prizes),
            names=tuple(one.name for one in line.winners),
            gets=_gets(line, currency),
            notes=tuple(_notes(line, currency)),
            winners=line.winners,
            lots_needed=line.lots_needed,
        )
        for line in lines
    ]


def lots_told(lines: Iterable[WonPrize], settled: Sequence[Mapping[str, Any]]) -> list[str]:
    """What it takes to check the lots: each drawing that decided something, those set aside, and the recipe."""
    said = []
    for line in lines:
        if line.seed is not None:
            numbers = {one.name: one.number for one in line.drawn_among}
            title = _now(" and ").join(str(KINDS[key_of(prize)]) for prize in line.prizes)
            lots = lots_in_words(line.seed, numbers)
            said.append(_now("%(prize)s: %(lots)s") % {"prize": title, "lots": lots})
    for drawn in settled:
        if "undone" in drawn:
            said.append(
                _now("Set aside by the director (%(reason)s): the lots of the numbers %(door)d and %(level)d.")
                % {"reason": drawn["undone"], "door": drawn["door"], "level": drawn["level"]}
            )
    return [*said, str(LOTS)] if said else []


def _gets(line: WonPrize, currency: str) -> str:
    said = []
    if line.each and len(line.winners) > 1:
        said.append(_now("%(money)s each") % {"money": money(line.each, currency)})
    elif line.each:
        said.append(money(line.each, currency))
    elif not line.winners and (planned := sum(prize.amount for prize in line.prizes)):
        said.append(money(planned, currency))
    said += [prize.what for prize in line.prizes if prize.what]
    return ", ".join(said)


def _notes(line: WonPrize, currency: str) -> Iterable[str]:
    if len(line.winners) > 1:
        yield _now("They share it.") if len(line.prizes) == 1 else _now("They share these prizes.")
    if line.seed is not None and line.prizes[0].kind != "door":
        yield _now("Level with others; lots were drawn.")
    if line.passed_on:
        yield ngettext("%(names)s has a prize already.", "%(names)s have a prize already.", len(line.passed_on)) % {
            "names": ", ".join(one.name for one in line.passed_on)
        }
    if line.more:
        first = [winner.name for winner, _amount in line.shares[: line.more]]
        words = ngettext(
            "%(names)s gets %(money)s, so that nothing is left over.",
            "%(names)s get %(money)s each, so that nothing is left over.",
            line.more,
        )
        yield words % {"names": ", ".join(first), "money": money(line.each + 1, currency)}
    if line.left:
        yield _now("%(money)s can't be shared out and stays with the club.") % {"money": money(line.left, currency)}


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
