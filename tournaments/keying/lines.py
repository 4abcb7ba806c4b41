"""One line of the grid: a deal to be keyed, one that is recorded, or one that was refused with what was typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.forms import BoundField
from django.utils.translation import gettext as _

from scoring.cards.queries import Card, DealRow
from scoring.families import PAGES
from scoring.families.deal_form import NOBODY, DealAt, DealForm
from scoring.templatetags.figures import cell, points
from tournaments.keying.cells import SETS, LineLayout, lay_out, shown

NUMBER = "__n__"  # stands for the deal's number in a game's pattern, of which its lines to be keyed are made


@dataclass(frozen=True, slots=True)
class Box:
    """One box: an input, or what stands in it. `kind`: "", "running", or "blank" for a box that isn't there. A phone,
    on which the heads aren't, shows `label`, and with the first box of a side `begins`, whose they are; "" after all.
    """

    field: BoundField | None = None
    text: str = ""
    kind: str = ""
    differs: bool = False
    label: str = ""
    begins: str | None = None


@dataclass(frozen=True, slots=True)
class BoxRow:
    """One row of a line's boxes; `side` is the number and `names` are those whose it is where every side has a row."""

    boxes: tuple[Box, ...]
    side: int = 0
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence beside a line. `severity` as of a problem of the card, "" for any other; `field` an input's id."""

    words: str
    severity: str = ""
    severity_words: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class KeyedLine:
    """One deal of a game as a line.

    `state`: "open" (to be keyed), "recorded", "refused" (nothing recorded; `said` why), "asking" (unlikely: Enter again
    says that the card says so), "over" (the game had ended), "late" (somebody else recorded other figures; `typed` has
    what was typed here), or of a second keying "same", "different" and "own" (keyed first by the same person).
    """

    game: int
    number: int | str
    state: str
    rows: tuple[BoxRow, ...]
    form: DealForm | None = None
    deal: DealRow | None = None
    said: tuple[Said, ...] = ()
    typed: tuple[BoxRow, ...] = ()
    width: int = 0  # columns of the table
    mark: str = ""  # what the second keying said of it, in words
    blank: bool = False  # to be keyed, and nothing typed: made of the game's pattern, without a form of its own

    @property
    def id(self) -> str:
        """The id of the line on the page."""
        return f"deal-{self.game}-{self.number}"

    @property
    def is_open(self) -> bool:
        """Whether figures can be typed."""
        return self.blank or self.form is not None


@dataclass(frozen=True, slots=True)
class Lines:
    """Makes the lines of one game. `totals`: whether the running totals that the scorer wrote are keyed too, and
    with them the marks for sides that are set."""

    card: Card
    totals: bool = True

    def form(self, data: Mapping[str, Any] | None = None, number: int | None = None) -> DealForm:
        """A form for a deal, by default the next, as the family's own."""
        wanted = self.card.next_number if number is None else number
        game = self.card.game
        return PAGES[game.rules.family.slug].form(data, at=DealAt(game, self.card.names, wanted, self.card.void))

    def open(
        self, form: DealForm, number: int | str, *, state: str = "open", said: Sequence[Said] = ()
    ) -> tuple[LineLayout, KeyedLine]:
        """A line to be keyed, with the layout that its form has."""
        layout = lay_out(form, sets=self.totals)
        line = KeyedLine(self.card.game.pk, number, state, (), form=form, said=tuple(said), width=layout.width)
        form.auto_id = f"{line.id}-%s"
        for name in layout.names():
            attrs = form.fields[name].widget.attrs
            attrs |= {"form": f"{line.id}-form", "aria-label": self._label(form, layout, name=name)}
            if said:
                attrs["aria-describedby"] = f"{line.id}-said"
        return layout, replace(line, rows=tuple(self._rows(layout, lambda name: self._input(form, layout, name=name))))

    def blank(self, layout: LineLayout, number: int) -> KeyedLine:
        """A line to be keyed before anything is typed: the page makes it from the game's pattern and this number."""
        return KeyedLine(self.card.game.pk, number, "open", (), width=layout.width, blank=True)

    def recorded(self, layout: LineLayout, form: DealForm, *, deal: DealRow, mark: str = "") -> KeyedLine:
        """A deal as it stands, with the totals after it and what is to be said about those that were written."""
        values = form.values_of(deal.facts)
        rows = tuple(self._rows(layout, lambda name: self._stands(form, layout, deal=deal, values=values, name=name)))
        said = [Said(_("What the scorer wrote: %(slip)s") % {"slip": slip}) for slip in deal.slips]
        said += [Said(words) for words in deal.wrong_now]
        return KeyedLine(
            self.card.game.pk, deal.number, "recorded", rows, None, deal, tuple(said), (), layout.width, mark
        )

    def closed(self, layout: LineLayout, number: int, *, state: str, mark: str) -> KeyedLine:
        """The line of a deal that isn't to be keyed again, or not any more: without its figures."""
        rows = tuple(self._rows(layout, lambda name: Box()))
        return KeyedLine(self.card.game.pk, number, state, rows, width=layout.width, mark=mark)

    def typed(self, layout: LineLayout, form: DealForm, *, deal: DealRow) -> tuple[BoxRow, ...]:
        """What was typed for a deal that somebody else recorded first: what differs is marked. Compared is what a
        valid `form` would record, not how it is written: a box left empty is the nought that it stands for. Of one
        that can't be recorded only what was filled in is compared."""
        whole = form.is_valid()
        values, own = form.values_of(deal.facts), form.values_of(form.facts()) if whole else form.cleaned_data

        def box(name: str) -> Box:
            bound = form[name]
            text = str(bound.field.widget.format_value(bound.value()) or "")
            column = layout.columns[name]
            stands = shown(form, name, values=values) or self._counted(deal, column.head, side=name.rpartition("_")[2])
            meant = text if name in form.errors else shown(form, name, values=own)
            compared = (whole or text != "") and not column.running and name != SETS
            return Box(text=text, differs=compared and meant != stands)

        return tuple(self._rows(layout, box))

    def _rows(self, layout: LineLayout, box: Any) -> Iterator[BoxRow]:
        first, last, *sides = (
            [replace(box(name), label=layout.columns[name].label) for name in names]
            for names in (layout.first, layout.last, *layout.sides)
        )
        last[:1] = [replace(one, begins="") for one in last[:1]]
        if not layout.stacked:
            for number, side in enumerate(sides):
                side[0] = replace(side[0], begins=f"{number + 1} {self.card.sides[number].name}")
            yield BoxRow((*first, *(found for side in sides for found in side), *last))
            return
        for number, side in enumerate(sides):
            before = first if number == 0 else [Box(kind="blank")] * len(first)
            after = last if number == len(sides) - 1 else [Box(kind="blank")] * len(last)
            yield BoxRow((*before, *side, *after), number + 1, self.card.sides[number].names)

    def _input(self, form: DealForm, layout: LineLayout, *, name: str) -> Box:
        running = layout.columns[name].running
        return Box(None if running and not self.totals else form[name], kind="running" if running else "")

    def _stands(
        self, form: DealForm, layout: LineLayout, *, deal: DealRow, values: Mapping[str, Any], name: str
    ) -> Box:
        if name == SETS:
            marked = None if deal.written_sets is None else [str(side) for side in deal.written_sets] or [NOBODY]
            return Box(text=str(form.fields[name].widget.format_value(marked) or ""))
        side_number = name.rpartition("_")[2]
        if not layout.columns[name].running:
            text = shown(form, name, values=values)
            if text.removeprefix("-").isdecimal():
                text = points(int(text))
            return Box(text=text or self._counted(deal, layout.columns[name].head, side=side_number))
        side = int(side_number)
        written = deal.written[side] if side < len(deal.written) else None
        running = deal.running[side] if deal.running else None
        off = written is not None and written != running
        text = points(running)
        if off:
            text = _("%(right)s, written %(written)s") % {"right": text, "written": points(written)}
        return Box(text=text, kind="running", differs=off)

    def _counted(self, deal: DealRow, head: str, *, side: str) -> str:
        """What the card shows for a figure that was left to the melds or cards counted."""
        heads = [str(item) for item in self.card.items]
        if not side.isdecimal() or head not in heads:
            return ""
        return cell(deal.cells[int(side)][heads.index(head)])

    def _label(self, form: DealForm, layout: LineLayout, *, name: str) -> str:
        column = layout.columns[name]
        side = name.rpartition("_")[2]
        if not side.isdecimal():
            return column.head
        words = _("Running total as written") if column.running else column.head
        return f"{words}, {form.sides[int(side)]}"
