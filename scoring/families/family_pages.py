"""What pages and paper need to know about a game family besides its engine: one object per family, made in its own
module; and the boxes of a printed card, as data.

Where the boxes lie on a sheet of paper is worked out in `tournaments.documents.card_grid`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.utils.functional import Promise
from django.utils.translation import gettext as _, ngettext

from scoring.engine.core.family import Family
from scoring.engine.core.ledger import Score
from scoring.families.deal_form import DealForm
from scoring.templatetags.figures import points

ROWS = 16  # deals that a card has room for: simulated games to the target took at most 11
MOST_ROWS = 20


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a side: its head, a second line under that, and the least width in millimetres to write in."""

    head: str
    least: float
    under: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """The boxes of a card: `leads` name the rows at the left, `columns` come once for every side.

    `strong` rows (from 0) are results, ruled off and shaded; so is the last column of each side when `last_strong`.
    """

    leads: tuple[str, ...]
    lead_width: float
    columns: tuple[Column, ...]
    sides: int
    per_side: int
    lead_head: str = ""
    strong: tuple[int, ...] = ()
    last_strong: bool = False
    sign: str = ""  # what is under the line to sign on
    note: str = ""


def row_per_deal(columns: tuple[Column, ...], rules: Any, *notes: str) -> Boxes:
    """A card with a row for each deal; its note says what ends a game, and then `notes`."""
    rows = min(rules.deals or ROWS, MOST_ROWS)
    return Boxes(
        leads=tuple(str(n) for n in range(1, rows + 1)),
        lead_width=7.0,
        columns=columns,
        sides=rules.shape.sides,
        per_side=rules.shape.per_side,
        last_strong=True,
        sign=_("Signed"),
        note=" ".join([*_ends(rules), *notes]),
    )


def _ends(rules: Any) -> list[str]:
    """What ends a game, for the scorers."""
    words = []
    if rules.target is not None:
        words.append(_("Game to %(points)s.") % {"points": points(rules.target)})
    elif rules.deals is not None:
        words.append(ngettext("Game: %(n)d deal.", "Game: %(n)d deals.", rules.deals) % {"n": rules.deals})
    if rules.lose_at is not None:
        words.append(_("Lost at %(points)s.") % {"points": points(rules.lose_at)})
    if rules.bid_side_first:
        words.append(_("If several reach it, the bid side wins."))
    return words


Cell: TypeAlias = int | str | Promise | None
"""A figure, a word, or nothing."""

Own: TypeAlias = Mapping[str, Promise]
"""The words that some rule sets use in place of the usual ones, by code or figure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A family's sentences, by the engine's codes, which all begin with `of` and a dot; a code's arguments fill the
    braces.

    `settings` names the settings of a rule set that give lines their points, so that their source can be shown beside
    them, and those that a problem breaks or that make the program ask; then the codes of these. It has nothing for a
    card that isn't filled in right or contradicts itself, or that no game allows. Where the settings depend on the
    field, it has the code, a colon and the field.
    """

    of: str
    lines: Mapping[str, Promise]  # what a line's points are for
    problems: Mapping[str, Promise]  # what is wrong and what to do about it
    settings: Mapping[str, str]
    # how to show an argument that is a word, by its name; words in place of others, by `Rules.terms`; choices of
    # settings
    names: Mapping[str, Callable[[str, Own], str]] = field(default_factory=dict)
    own: Mapping[str, Own] = field(default_factory=dict)
    choices: Mapping[str, Promise] = field(default_factory=dict)
    # what is counted ("{count:piles}"), and what one, two, three, ... of a thing are called ("Double run")
    nouns: Mapping[str, Any] = field(default_factory=dict)
    multiples: Mapping[str, tuple[Promise, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one side's half of the card: its figures in one deal.

    `items` are their headings, without the points and the running total that every card ends with; `per_deal` says that
    a deal is a column and an item a row. Source: the score card of 004 (bid, meld, total, take, set, running total) and
    the Hand and Foot card of 001 and 003 (a column per deal, a row per item).
    """

    items: tuple[str | Promise, ...] = ()
    cells: Callable[..., tuple[Cell, ...]] = lambda facts, score, *, side: ()  # what is in them, one for each item
    per_deal: bool = False
    crossed: Callable[[Score, int], tuple[int, ...]] = (
        lambda score, side: ()
    )  # the cells, from 0, that a scorer crosses out
    # a side's boxes on the printed card, up to the running total, of its cells and points
    on_paper: Callable[..., tuple[Cell, ...]] = lambda facts, *, side, cells, points: cells or (points,)


def and_points(facts: Any, *, side: int, cells: tuple[Cell, ...], points: int) -> tuple[Cell, ...]:
    """`Columns.on_paper` of a card with a box for the points of each deal."""
    return *cells, points


@dataclass(frozen=True, slots=True)
class InBox:
    """What one of a side's boxes has for a deal, so that a card can be read.

    `field` is the NAME of a field NAME_SIDE of the deal form. Where `who` names questions, only the side that answers
    one of them has something in the box, and `field`, if any, is the one field NAME. With neither, the box has what
    follows from others: points, a subtotal, a mark.
    `shows`: questions without a box of their own whose answers are seen in this one. `optional`: empty, it isn't 0.
    """

    field: str = ""
    who: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    optional: bool = False

    @property
    def follows(self) -> bool:
        return not (self.field or self.who)


WRITTEN = "written"  # the field of the running total, which is in a side's last box
FOLLOWS, RUNNING = InBox(), InBox(WRITTEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyPages:
    family: Family
    kind: Promise  # the heading under which its rule sets are offered
    words: Words
    form: type[DealForm]
    columns: Callable[[Any], Columns]  # made from its rules
    boxes: Callable[[Any], Boxes]  # made from its rules
    in_boxes: Callable[[Any], tuple[InBox, ...]]  # of one side and deal, in their order; made from its rules
    # what a table needs to know before a deal, such as what the first meld needs: by the place in the game, and the
    # sides' totals before it by name
    before_deal: Callable[..., str] = lambda rules, *, place, totals: ""
