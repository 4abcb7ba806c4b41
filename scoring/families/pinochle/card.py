"""What the cards of pinochle have in common, on pages and paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.engine.core.family import Family
from scoring.engine.core.ledger import Score
from scoring.families.family_pages import Boxes, Cell, Column, Columns, FamilyPages, row_per_deal
from scoring.families.pinochle.form import PinochleForm
from scoring.families.pinochle.words import KIND, WORDS

SET = _("set")
LOST = pgettext_lazy("meld", "lost")
NOT_PLAYED = {  # what stands in the box of the take, by the line that says why nothing was taken
    "pinochle.conceded": pgettext_lazy("take", "conceded"),
    "pinochle.renege-set": pgettext_lazy("take", "renege"),
    "pinochle.renege-made": pgettext_lazy("take", "renege"),
    "pinochle.no-marriage": pgettext_lazy("take", "no marriage"),
}
BEFORE_DEAL = {  # what stands in the box of the set besides, by the line that says what was dealt before
    "pinochle.redealt": pgettext_lazy("set", "redeal"),
    "pinochle.deal-lost": pgettext_lazy("set", "deal lost"),
}
HEADS = (_("Bid"), pgettext_lazy("column", "Meld"), _("Total"), _("Take"), _("Set"))


def crossed(score: Score, side: int) -> tuple[int, ...]:
    """The cells that a scorer crosses out: meld, total and take of a side that was set, or a meld that is lost."""
    if side in score.sets:
        return 1, 2, 3
    return (1,) if _meld_lost(score, side) else ()


def _meld_lost(score: Score, side: int) -> bool:
    lost = ("pinochle.meld-lost", "pinochle.renege-lost")
    return any(line.side == side and line.rule.startswith(lost) for line in score.lines)


def boxes_under(heads: Sequence[Promise], rules: Any, *notes: str, widths: Sequence[float]) -> Boxes:
    """A printed card with a row for each deal. The `widths`, in millimetres, are those of the columns under the `heads`
    and of one more, the running total.
    """
    columns = (Column(str(head), width) for head, width in zip((*heads, _("Running")), widths, strict=True))
    return row_per_deal(tuple(columns), rules, *notes)


def pages_with_auction(family: Family, form: type[PinochleForm], *, widths: Sequence[float]) -> FamilyPages:
    """A pinochle in which all bid on pages and paper, with the columns and boxes of the St. Hilary card: bid, meld,
    total, take, set and running total for each side.

    Source: 004 (St. Hilary House Rules, version 3), last page.
    """

    def cells(deal: Any, score: Score, *, side: int) -> tuple[Cell, ...]:
        rules = [line.rule for line in score.lines]
        take = next((NOT_PLAYED[rule] for rule in rules if rule in NOT_PLAYED), None)
        taken = deal.bid if "pinochle.renege-made" in rules else 0  # what is added to the bid side's meld
        if take is None and deal.take:
            take = taken = deal.take[side]
        own = [line.rule for line in score.lines if line.side == side]
        marks = [SET] if side in score.sets else [LOST] if _meld_lost(score, side) else []
        marks += [words for rule, words in BEFORE_DEAL.items() if rule in own]
        was_set = ", ".join(map(str, marks)) or None
        meld = deal.meld[side] if deal.meld else _melded(score, side)
        if side != getattr(deal, family.bid_held):
            return None, meld, None, take, was_set
        return deal.bid, meld, None if meld is None else meld + taken, take, was_set

    columns = Columns(HEADS, cells, crossed=crossed)
    return FamilyPages(
        family=family,
        kind=KIND,
        words=WORDS,
        form=form,
        columns=lambda rules: columns,
        boxes=lambda rules: boxes_under(HEADS, rules, _set_note(rules), widths=widths),
    )


def _melded(score: Score, side: int) -> int | None:
    """A side's meld as its score lines have it, where the card has no total of it; None if they don't say."""
    lines = [line for line in score.lines if line.side == side]
    by_name = [line.points for line in lines if line.rule.startswith("pinochle.counted-")]
    told = [value for line in lines for name, value in line.args if name == "meld" and isinstance(value, int)]
    return sum(by_name) if by_name else next(iter(told), None)


def _set_note(rules: Any) -> str:
    """What the scorer does with a failed bid."""
    if rules.set_points == "reverted":
        return _now("Set: cross out meld and take; the score stays as it was.")
    if rules.set_points == "given":
        return _now("Set: cross out meld and take; the others add the bid to their score.")
    return _now("Set: cross out meld and take, and take the bid off the score.")
