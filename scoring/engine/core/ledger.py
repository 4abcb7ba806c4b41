"""What the engine says about a deal: lines that earn points, and problems with the card.

The engine speaks in codes and named arguments; words are made at the edge (`scoring.wording`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

Value: TypeAlias = int | str
Args: TypeAlias = tuple[tuple[str, Value], ...]


def named(**values: Value) -> Args:
    """Arguments of a line or problem, in the order given; they fill the sentence of its code.

    >>> named(bid=24, total=20)
    (('bid', 24), ('total', 20))
    """
    return tuple(values.items())


class Severity(StrEnum):
    """How bad a problem is, and so what the entry form does about it."""

    FORM = "form"  # the card isn't filled in right (something missing, naming nobody or contradicting itself): refused
    IMPOSSIBLE = "impossible"  # no real pack can do this: refused without a director's ruling
    AGAINST_RULES = "against-rules"  # real cards could do this, the rules forbid it: refused likewise
    UNLIKELY = "unlikely"  # possible but rare: the form asks once more

    @property
    def stops(self) -> bool:
        """Whether a card is refused for it unless a director rules otherwise."""
        return self is not Severity.UNLIKELY

    def problem(self, code: str, field: str, /, *, side: int | None = None, **args: Value) -> Problem:
        """A problem as bad as this, with the arguments of its sentence by name.

        >>> impossible("pinochle.take-over", "take", total=26, most=25).args
        (('total', 26), ('most', 25))
        """
        return Problem(code, self, field, named(**args), side)


malformed = Severity.FORM.problem
impossible = Severity.IMPOSSIBLE.problem
against_rules = Severity.AGAINST_RULES.problem
unlikely = Severity.UNLIKELY.problem


@dataclass(frozen=True, slots=True)
class Line:
    """One reason for points on one side's card."""

    side: int  # the side's number in the game, from 0
    points: int  # in the rule set's own scale
    rule: str  # stable code, e.g. "pinochle.set"
    args: Args = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a card. `field` names the facts' field to look at, e.g. "meld"."""

    code: str  # stable code, e.g. "pinochle.take-total"
    severity: Severity
    field: str
    args: Args = ()
    side: int | None = None  # the side whose figure it is; None when it is the whole card's


@dataclass(frozen=True, slots=True)
class Score:
    """The points of one deal: always exactly the sum of its lines.

    >>> Score(2, (Line(0, 16, "a"), Line(0, 9, "b"), Line(1, -15, "c"))).totals
    (25, -15)
    """

    sides: int
    lines: tuple[Line, ...]
    sets: tuple[int, ...] = ()  # sides whose bid failed
    first: int | None = None  # side whose score is counted first (the bid side)
    claimant: int | None = None  # side that claims the game with this deal, before the cards are counted
    challenged: bool = False  # the claim was challenged, and proven
    may_go_out: tuple[int, ...] | None = None  # the sides that can win by the target with this deal; None: all
    lone_hands: tuple[int, ...] = ()  # sides that took every trick without a partner
    carried: tuple[int, ...] = ()  # what each side takes into the next deal beside its total, such as bags

    @property
    def totals(self) -> tuple[int, ...]:
        sums = [0] * self.sides
        for line in self.lines:
            sums[line.side] += line.points
        return tuple(sums)
