"""The scorer's own running totals, added up again, and the scorer's marks of failed bids.

A total may be blank. For a wrong one, a slip names the first deal after which it is wrong, by how much, and the
likeliest way in which such a difference comes about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, chain, groupby, islice

from scoring.engine.core.ledger import Args, Score, named

CAUSES = (
    "",  # nothing that is easily recognised
    "left-out",  # as if deal {between} had been left out
    "twice",  # as if deal {between} had been added twice
    "sign",  # as if the points of deal {between} had been added instead of deducted, or the other way round
    "digits",  # two figures of the total have changed places
    "other-side",  # as if another side's points of deal {between} had been added
    "start",  # as if the starting score had been left out
)


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip in a side's running total: where it first shows, and how far it is carried on.

    For a later slip of the same side, `step` is what it adds to the difference that was there already.
    """

    side: int
    deal: int  # the first deal, from 1, after which the written total is off by `difference`
    until: int  # the last deal after which it is still off by that
    between: int  # the slip was made in one of the deals between..deal; the totals in between are blank
    difference: int  # written - right
    step: int  # difference - the difference before
    written: int
    right: int
    cause: str = ""  # one of CAUSES

    code = "arithmetic.running-total"

    @property
    def args(self) -> Args:
        return tuple((name, value) for name, value in asdict(self).items() if name != "side")


@dataclass(frozen=True, slots=True)
class SetSlip:
    """A mark of a failed bid where there should be none (`marked`), or a missing one."""

    side: int
    deal: int  # from 1
    marked: bool

    code = "arithmetic.set-mark"

    @property
    def args(self) -> Args:
        return named(deal=self.deal, marked=int(self.marked))


def check_sets(scores: Sequence[Score], written: Sequence[Sequence[int] | None]) -> tuple[SetSlip, ...]:
    """The slips in the scorer's marks of sides that were set; None for a deal without such marks on the card.

    >>> check_sets([Score(2, (), sets=(0,)), Score(2, ())], [None, [1]])
    (SetSlip(side=1, deal=2, marked=True),)
    """
    return tuple(
        SetSlip(side, deal, side in marks)
        for deal, (score, marks) in enumerate(zip(scores, written, strict=False), start=1)
        if marks is not None
        for side in range(score.sides)
        if (side in marks) != (side in score.sets)
    )


def check_running(
    scores: Sequence[Score], written: Sequence[Sequence[int | None]], *, start: Sequence[int] = ()
) -> tuple[Slip, ...]:
    """The slips in written running totals, side by side in order of deals.

    Args:
        scores: of the deals, in order.
        written: for each deal the total of each side as it is on the card; None where nothing is;
            it may end early.
        start: the score of each side before the first deal; nothing means 0.

    >>> from scoring.engine.core.ledger import Line
    >>> deals = [Score(1, (Line(0, points, "x"),)) for points in (20, 31, 17, 25, 10)]
    >>> (slip,) = check_running(deals, [[20], [51], [76], [101], [111]])
    >>> slip.difference, slip.deal, slip.until
    (8, 3, 5)
    """
    sides = max((score.sides for score in scores), default=0)
    return tuple(chain.from_iterable(_side_slips(side, scores, written=written, start=start) for side in range(sides)))


def _side_slips(
    side: int, scores: Sequence[Score], *, written: Sequence[Sequence[int | None]], start: Sequence[int]
) -> Iterator[Slip]:
    begin = start[side] if side < len(start) else 0
    right = accumulate((score.totals[side] for score in scores), initial=begin)
    rows = enumerate(zip(written, islice(right, 1, None), strict=False), start=1)
    totals = [(deal, row[side], points) for deal, (row, points) in rows if side < len(row)]
    known = [(deal, total, points) for deal, total, points in totals if total is not None]
    before, between = 0, 1
    for off, carried in groupby(known, key=lambda one: one[1] - one[2]):
        (deal, total, points), *later = carried
        until = later[-1][0] if later else deal
        if off:
            deals, started = scores[between - 1 : deal], begin if between == 1 else 0
            cause = _cause(side, off - before, written=total, right=points, deals=deals, begin=started)
            yield Slip(side, deal, until, between, off, off - before, total, points, cause)
        before, between = off, until + 1


def _cause(side: int, step: int, *, written: int, right: int, deals: Sequence[Score], begin: int) -> str:
    if len(deals) == 1:
        totals = deals[0].totals
        points = totals[side]
        if step == -points:
            return "left-out"
        if step == points:
            return "twice"
        if step == -2 * points:
            return "sign"
        if any(step == other - points for at, other in enumerate(totals) if at != side):
            return "other-side"
    if begin and step == -begin:
        return "start"
    if _swapped(abs(written), abs(right)) and written * right > 0:
        return "digits"
    return ""


def _swapped(one: int, other: int) -> bool:
    """Whether two numbers differ only by two neighbouring figures that have changed places."""
    a, b = str(one), str(other)
    swapped = (f"{a[:at]}{a[at + 1]}{a[at]}{a[at + 2 :]}" for at in range(len(a) - 1))
    return a != b and b in swapped
