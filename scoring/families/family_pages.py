"""What pages and paper need to know about a game family besides its engine: one object per family, made in its own
module. `tournaments.documents.card_grid` says where the boxes of a printed card lie.
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
    head: str
    least: float  # width in millimetres to write in
    under: str = ""  # a second line below the head


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """The boxes of a printed card."""

    leads: tuple[str, ...]  # the names of the rows, at the left
    lead_width: float
    columns: tuple[Column, ...]  # of each side
    sides: int
    per_side: int
    lead_head: str = ""
    strong: tuple[int, ...] = ()  # rows, from 0, of results: ruled off and shaded
    last_strong: bool = False  # so is the last column of each side
    sign: str = ""  # what is under the line to sign on
    note: str = ""


def row_per_deal(columns: tuple[Column, ...], rules: Any, *notes: str) -> Boxes:
    """With a row for each deal; the note says what ends a game, and then `notes`."""
    rows = min(rules.deals or ROWS, MOST_ROWS)
    return Boxes(
        leads=tuple(str(n) for n in range(1, rows + 1)),
        lead_width=7.0,
        columns=columns,
        sides=rules.shape.sides,
        per_side=rules.shape.per_side,
        last_strong=True,
        sign=_("Signed"),
        note=" ".join([*_end_sentences(rules), *notes]),
    )


def _end_sentences(rules: Any) -> list[str]:
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

OwnWords: TypeAlias = Mapping[str, Promise]
"""Words that some rule sets use instead of the usual ones, by code or figure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A family's sentences by the engine's codes, without the `prefix` and a dot that all codes begin with. A code's
    arguments fill the braces.

    `settings` has names of settings, and the codes of lines and problems that they decide, so that their source can be
    shown. Problems of form, or of any game, have none. Where the settings depend on the field, a code is followed by a
    colon and the field.
    """

    prefix: str
    lines: Mapping[str, Promise]  # what a line's points are for
    problems: Mapping[str, Promise]  # what is wrong and what to do about it
    settings: Mapping[str, str]
    # how to show an argument that is a word, by its name; words in place of others, by `Rules.terms`; choices of
    # settings
    names: Mapping[str, Callable[[str, OwnWords], str]] = field(default_factory=dict)
    own: Mapping[str, OwnWords] = field(default_factory=dict)
    choices: Mapping[str, Promise] = field(default_factory=dict)
    # what is counted ("{count:piles}"), and what one, two, three, ... of a thing are called ("Double run")
    nouns: Mapping[str, Any] = field(default_factory=dict)
    multiples: Mapping[str, tuple[Promise, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Columns:
    """A side's half of the card: its figures in one deal.

    `items` are their headings, without the points and the running total that every card ends with; `per_deal`: a deal
    is a column, an item a row. Source: the score card of 004 (bid, meld, total, take, set, running total) and the Hand
    and Foot card of 001 and 003 (a column per deal, a row per item).
    """

    items: tuple[str | Promise, ...] = ()
    cells: Callable[..., tuple[Cell, ...]] = lambda facts, score, *, side: ()  # what is in them, one for each item
    per_deal: bool = False
    # the cells, from 0, that a scorer crosses out
    crossed: Callable[[Score, int], tuple[int, ...]] = lambda score, side: ()
    # a side's boxes on the printed card, up to the running total, of its cells and points
    on_paper: Callable[..., tuple[Cell, ...]] = lambda facts, *, side, cells, points: cells or (points,)


def cells_with_points(facts: Any, *, side: int, cells: tuple[Cell, ...], points: int) -> tuple[Cell, ...]:
    """For `Columns.on_paper`: a card with a box for the points of each deal."""
    return *cells, points


@dataclass(frozen=True, slots=True)
class BoxContent:
    """What is in one of a side's boxes for a deal, so that cards can be read.

    `field` is the NAME of a field NAME_SIDE of the deal form. With `who`, names of questions, only the side that
    answers one of them has something in the box, and `field`, if any, is the one field NAME. With neither, the box
    follows from others: points, a subtotal, a mark.
    `shows`: questions without a box whose answers are seen in this one. `optional`: an empty box isn't 0.
    """

    field: str = ""
    who: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    optional: bool = False

    @property
    def follows(self) -> bool:
        return not (self.field or self.who)


WRITTEN = "written"  # the field of the running total, which is in a side's last box
FOLLOWS, RUNNING = BoxContent(), BoxContent(WRITTEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyPages:
    family: Family
    kind: Promise  # the heading under which its rule sets are offered
    words: Words
    form: type[DealForm]
    columns: Callable[[Any], Columns]  # made from its rules
    boxes: Callable[[Any], Boxes]  # made from its rules
    box_contents: Callable[[Any], tuple[BoxContent, ...]]  # of one side and deal, in their order; made from its rules
    # what a table needs to know before a deal, such as what the first meld needs: by the place in the game, and the
    # sides' totals before it by name
    before_deal: Callable[..., str] = lambda rules, *, place, totals: ""
