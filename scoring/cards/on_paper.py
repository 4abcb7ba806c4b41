"""A played card on paper with the reasons for its points: every line, its rule, and the version of the house rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubsite.pdf.documents import PAPERS, Heading, Pages
from scoring.cards.queries import Card, DealRow, LineRow
from scoring.templatetags.rule_texts import translated


@dataclass(frozen=True, slots=True)
class Reasons:
    """One deal's lines of one side, with its points and its total after the deal (None where it counts nothing)."""

    name: str
    points: int
    running: int | None
    lines: tuple[LineRow, ...]


@dataclass(frozen=True, slots=True)
class DealReasons:
    """One deal: its sides' reasons, and what there is to say beside them."""

    number: int
    state: str
    sides: tuple[Reasons, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardReasons:
    """The whole document: its heading, every deal with its reasons, the sides' totals, and how the game stands."""

    heading: Heading
    deals: tuple[DealReasons, ...]
    totals: tuple[tuple[str, int], ...]
    state: str
    why: str  # as `Card.why`


def reasons_pages(card: Card, paper: str) -> Pages:
    """The played deals of a card, each with its reasons, on as many sheets as they need."""
    sheet = reasons_of(card)
    return Pages((render_to_string("documents/reasons.html", {"sheet": sheet, "size": PAPERS[paper].size}),))


def reasons_of(card: Card) -> CardReasons:
    """The document's content, taken from the card."""
    last = max((deal.at for deal in card.deals), default=None)
    rules = {"title": translated(card.game.rules.title), "version": card.game.rules.version}
    heading = Heading(
        club=card.game.club.name,
        event=card.game.title,
        when=date_format(localtime(last)) if last else "",
        title=_("Why these points"),
        note=_("By %(title)s: house rules, version %(version)d.") % rules,
    )
    return CardReasons(
        heading=heading,
        deals=tuple(_deal(card, deal) for deal in card.deals),
        totals=tuple((side.name, side.total) for side in card.sides),
        state=card.state_words,
        why=card.why,
    )


def _deal(card: Card, deal: DealRow) -> DealReasons:
    sides = tuple(
        Reasons(
            name,
            deal.points[side],
            deal.running[side] if deal.counts else None,
            tuple(line for line in deal.lines if line.side == side),
        )
        for side, name in enumerate(card.names)
    )
    return DealReasons(deal.number, deal.state_words, sides, tuple(_remarks(deal)))


def _remarks(deal: DealRow) -> Iterator[str]:
    if deal.ruling:
        yield _("The director's ruling: %(reason)s") % {"reason": deal.ruling}
    yield from (_("Set aside: %(problem)s") % {"problem": problem} for problem in deal.overruled)
    if deal.reason:
        yield _("Reason: %(reason)s") % {"reason": deal.reason}
    yield from (_("What the scorer wrote: %(slip)s") % {"slip": slip} for slip in deal.slips)
    against = _("Against the rules by the scores as they stand now: %(problem)s")
    yield from (against % {"problem": problem} for problem in deal.wrong_now)
    if not deal.counts:
        yield _("This deal doesn't count.")
