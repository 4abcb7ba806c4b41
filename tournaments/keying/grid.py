"""The keying grid of a round's cards: boxes, lines, messages, saving a line."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor
from scoring.cards.deals import DealsMissing, GameOver, NotConfirmed, Refused, SentElsewhere, Superseded, record_deal
from scoring.cards.queries import Card, DealRow, card_of, cards_of
from scoring.cards.submit import problem_row, show_problems
from scoring.engine.core.ledger import Problem
from scoring.families import PAGES
from scoring.families.deal_form import NOBODY, DealForm
from scoring.models import Game
from scoring.templatetags.figures import cell, points
from tournaments.keying.second import outcomes_in_words
from tournaments.models import Draw, Event, GroupGame, PhotographedCard

UNKNOWN = "?"  # put before a typed key that is no answer: no choice of a form begins with it
SETS = "written_sets"  # the field for the scorer's marks of failed bids
WIDE = 12  # boxes of all sides in one row; a line with more has a row for each side


class KeyInput(forms.TextInput):
    """An input for a question answered by a key: it shows the key and gives the form the answer."""

    def __init__(self, keys: Mapping[str, str], attrs: dict[str, Any] | None = None) -> None:
        """`keys`: from key to the answer's value in the form."""
        super().__init__({"class": "figure", "autocomplete": "off", "inputmode": "numeric", **(attrs or {})})
        self.keys = dict(keys)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:  # noqa: PLR0917  (Django's)
        """The key's answer; any other text with UNKNOWN before it, so that no form takes it for an answer."""
        typed = (data.get(name) or "").strip()
        return self.keys.get(typed.upper(), f"{UNKNOWN}{typed}") if typed else ""

    def format_value(self, value: Any) -> str:
        return self.key_of(value)

    def key_of(self, value: Any) -> str:
        text = "" if value is None else str(value)
        return next((key for key, answer in self.keys.items() if answer == text), text.removeprefix(UNKNOWN))


class KeysInput(KeyInput):
    """An input for several keys, typed one after the other: "12" for both sides."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:  # noqa: PLR0917  (Django's)
        typed = "".join((data.get(name) or "").split())
        return [self.keys.get(key, f"{UNKNOWN}{key}") for key in typed]

    def format_value(self, value: Any) -> str:
        return "".join(self.key_of(answer) for answer in value or ())


@dataclass(frozen=True, slots=True)
class KeyingColumn:
    head: str
    keys: tuple[tuple[str, str], ...] = ()  # of a question, with the answers in words
    by_side: bool = False  # whether the keys are the sides' numbers
    running: bool = False  # whether it is the written running total

    @property
    def label(self) -> str:
        return f"{self.head} {self.keys_in_short}" if self.by_side else self.head

    @property
    def keys_in_short(self) -> str:
        """The keys of sides, and another with its words: "1 2", "1 2, 0 Nobody"."""
        sides = " ".join(key for key, _words in self.keys if key != "0")
        return ", ".join([sides, *(f"{key} {words.partition(':')[0]}" for key, words in self.keys if key == "0")])


@dataclass(frozen=True, slots=True)
class LineLayout:
    """The fields and columns of a game's lines.

    `stacked`: a line has a row for each side, under one set of columns; else all sides are in one row."""

    first: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    last: tuple[str, ...]
    columns: dict[str, KeyingColumn]
    stacked: bool

    @property
    def heads(self) -> list[KeyingColumn]:
        sides = self.sides[:1] if self.stacked else self.sides
        across = [self.columns[name] for _side in sides for name in self.sides[0]]
        return [*(self.columns[name] for name in self.first), *across, *(self.columns[name] for name in self.last)]

    @property
    def width(self) -> int:
        across = 1 + len(self.sides[0]) if self.stacked else sum(map(len, self.sides))
        return 2 + len(self.first) + across + len(self.last)

    @property
    def legend(self) -> list[KeyingColumn]:
        """The questions whose answers aren't sides, each once: the answers are listed over the table."""
        questions = {column.head: column for column in self.columns.values() if column.keys and not column.by_side}
        return list(questions.values())

    def names(self) -> Iterator[str]:
        return chain(self.first, *self.sides, self.last)


def lay_out_line(form: DealForm, *, sets: bool = False) -> LineLayout:
    """The columns for a game's form, changing it so that questions are answered by keys. `sets`: also a column for the
    scorer's marks of failed bids, if the game has them."""
    line = form.paper_line()
    last = (*line.last, SETS) if sets and SETS in form.fields else line.last
    names = chain(line.first, *line.sides, last)
    columns = {name: _marks_column(form) if name == SETS else _column(form, name) for name in names}
    stacked = sum(map(len, line.sides)) > WIDE
    return LineLayout(line.first, line.sides, last, columns, stacked)


def _marks_column(form: DealForm) -> KeyingColumn:
    """The scorer's marks of failed bids: the numbers of the sides, 0 for nobody; empty if nobody looked."""
    keys = {str(side + 1): (str(side), words) for side, words in form.side_choices()} | {"0": (NOBODY, _("Nobody"))}
    return KeyingColumn(_("Failed"), _answer_by_keys(form.fields[SETS], keys, widget=KeysInput), by_side=True)


def _column(form: DealForm, name: str) -> KeyingColumn:
    field = form.fields[name]
    if name.startswith("written_"):
        _use_text_input(field)
        return KeyingColumn(_("Running"), running=True)
    head = form.figure_heads.get(name.rpartition("_")[0])
    label = str(head or field.label or "").partition(":")[0]
    if isinstance(field, forms.BooleanField):
        field = form[name].field = form.fields[name] = _TickField(
            label=label, choices=[(True, _("yes"))], required=False
        )
    if not isinstance(field, forms.ChoiceField):
        _use_text_input(field)
        return KeyingColumn(label)
    choices: Any = field.choices
    answers = [(value, str(words)) for value, words in choices if value != ""]
    by_side = type(answers[0][0]) is int
    start = 1 if field.required or isinstance(field, _TickField) else 0
    own_keys = form.typed_keys.get(name, {})
    keys = {key: (value, dict(answers)[value]) for key, value in own_keys.items()} or {
        str(value + 1 if by_side else start + place): (str(getattr(value, "value", value)), words)
        for place, (value, words) in enumerate(answers)
    }
    return KeyingColumn(label, _answer_by_keys(field, keys), by_side)


def _use_text_input(field: forms.Field) -> None:
    """Arrow keys go to other lines: in a number input they would change the number."""
    if isinstance(field.widget, forms.NumberInput):
        field.widget.input_type = "text"


class _TickField(forms.ChoiceField):
    """Yes by a key, no by leaving it empty."""

    def clean(self, value: Any) -> bool:
        return bool(super().clean(value))


def _answer_by_keys(
    field: forms.Field, keys: Mapping[str, tuple[Any, str]], *, widget: type[KeyInput] = KeyInput
) -> tuple[tuple[str, str], ...]:
    """Let a question be answered by keys, each with its answer's value and words. Returns the keys and words."""
    field.widget = widget({key: value for key, (value, _words) in keys.items()})
    shown = tuple((key, words) for key, (_value, words) in keys.items())
    words = _("Type a key: %(answers)s.") % {"answers": ", ".join(map(": ".join, shown))}
    field.error_messages = {**field.error_messages, "required": words, "invalid_choice": words}
    return shown


def box_text(form: DealForm, name: str, *, values: Mapping[str, Any]) -> str:
    """The figure or key of a recorded deal in a box. `values`: the form's values for the deal's facts."""
    value = values.get(name)
    widget = form.fields[name].widget
    if isinstance(widget, KeyInput):
        return widget.key_of(getattr(value, "value", value))
    return "" if value is None else str(value)


NUMBER = "__n__"  # in place of the deal's number in a game's pattern, from which its empty lines are made


@dataclass(frozen=True, slots=True)
class Box:
    """An input, or a text. `kind`: "", "running", or "blank" for an empty place.

    A phone, which doesn't show the heads, shows `label`, and at the first box of a side its name, `begins`; "" at the
    first box after all sides."""

    field: BoundField | None = None
    text: str = ""
    kind: str = ""
    differs: bool = False
    label: str = ""
    begins: str | None = None
    place: Sequence[int] = ()  # in the photo of its card: left, top, width, height
    mark: str = ""  # "doubt": to be checked; "rules": by the ink alone it would be something else
    mark_words: str = ""

    @property
    def content(self) -> BoundField | str:
        return self.field or self.text

    @property
    def view_box(self) -> str:
        return " ".join(map(str, self.place))


Row = tuple[int, tuple[str, ...], list[Box]]
"""One row of a line's boxes: number (from 1) and names of its side, or 0 and none for a row of all sides."""
Message = dict[str, str]
"""A sentence beside a line: `words`, and the keys of `problem_row` for a problem; `field` is an input's id, or ""."""


@dataclass(frozen=True, slots=True)
class KeyedLine:
    """One deal of a game as a line, with the card after it.

    `state`: "open" (to be keyed), "recorded", "refused" (not recorded; `messages` say why), "asking" (unlikely: Enter
    again confirms it), "over" (not recorded: the game had ended), "late" (somebody else recorded other figures; `typed`
    has those typed here), or of a second keying "same", "different" and "own" (keyed first by the same person)."""

    card: Card
    layout: LineLayout
    number: int | str
    state: str
    rows: tuple[Row, ...] = ()
    form: DealForm | None = None
    deal: DealRow | None = None
    messages: tuple[Message, ...] = ()
    typed: tuple[Row, ...] = ()
    mark: str = ""  # the outcome of the second keying in words
    blank: bool = False  # empty: made from the game's pattern, without a form of its own
    photo: PhotographedCard | None = None  # its boxes are filled in from this one and show its picture

    @property
    def game(self) -> int:
        return self.card.game.pk

    @property
    def id(self) -> str:
        return f"deal-{self.game}-{self.number}"

    @property
    def is_open(self) -> bool:
        """Whether figures can be typed."""
        return self.blank or self.form is not None

    @property
    def status(self) -> int:
        return {"late": 409, "over": 409, "refused": 422, "asking": 422}.get(self.state, 200)


@dataclass(frozen=True, slots=True)
class LineMaker:
    """Makes the lines of one game. `totals`: whether written running totals and marks of failed bids are keyed too."""

    card: Card
    totals: bool = True

    def make_form(self, data: Mapping[str, Any] | None = None, number: int | None = None) -> DealForm:
        deal_number = self.card.next_number if number is None else number
        game = self.card.game
        form = PAGES[game.rules.family.slug].form(data, game=game, number=deal_number)
        form.void_numbers = self.card.void_numbers
        return form

    def open_line(
        self, form: DealForm, number: int | str, *, state: str = "open", messages: Sequence[Message] = ()
    ) -> KeyedLine:
        layout = lay_out_line(form, sets=self.totals)
        line = KeyedLine(self.card, layout, number, state, form=form, messages=tuple(messages))
        form.auto_id = f"{line.id}-%s"
        for name in layout.names():
            attrs = form.fields[name].widget.attrs
            attrs |= {"form": f"{line.id}-form", "aria-label": self._box_label(form, layout, name=name)}
            if messages:
                attrs["aria-describedby"] = f"{line.id}-said"

        def box(name: str) -> Box:
            running = layout.columns[name].running
            return Box(None if running and not self.totals else form[name], kind="running" if running else "")

        return replace(line, rows=tuple(self._rows(layout, box)))

    def recorded_line(self, layout: LineLayout, form: DealForm, *, deal: DealRow, mark: str = "") -> KeyedLine:
        """A recorded deal, with the totals after it and messages about the written ones."""
        values = form.field_values(deal.facts)
        rows = tuple(
            self._rows(layout, lambda name: self._recorded_box(form, layout, deal=deal, values=values, name=name))
        )
        messages = [{"words": _("What the scorer wrote: %(slip)s") % {"slip": slip}} for slip in deal.slips]
        messages += [{"words": words} for words in deal.wrong_now]
        return KeyedLine(
            self.card, layout, deal.number, "recorded", rows, deal=deal, messages=tuple(messages), mark=mark
        )

    def closed_line(self, layout: LineLayout, number: int, *, state: str, mark: str) -> KeyedLine:
        """The line of a deal that needn't or can't be keyed again, without its figures."""
        return KeyedLine(self.card, layout, number, state, tuple(self._rows(layout, lambda name: Box())), mark=mark)

    def typed_rows(self, layout: LineLayout, form: DealForm, *, deal: DealRow) -> tuple[Row, ...]:
        """What was typed for a deal that somebody else recorded first, with differences marked.

        A valid `form` is compared by what it would record, so an empty box is a zero. Of an invalid one only what was
        filled in is compared."""
        whole = form.is_valid()
        values = form.field_values(deal.facts)
        typed_values = form.field_values(form.facts()) if whole else form.cleaned_data

        def box(name: str) -> Box:
            bound = form[name]
            text = str(bound.field.widget.format_value(bound.value()) or "")
            column = layout.columns[name]
            side = name.rpartition("_")[2]
            recorded = box_text(form, name, values=values) or self._counted_text(deal, column.head, side=side)
            meant = text if name in form.errors else box_text(form, name, values=typed_values)
            compared = (whole or text != "") and not column.running and name != SETS
            return Box(text=text, differs=compared and meant != recorded)

        return tuple(self._rows(layout, box))

    def _rows(self, layout: LineLayout, box: Callable[[str], Box]) -> Iterator[Row]:
        first, last, *sides = (
            [replace(box(name), label=layout.columns[name].label) for name in names]
            for names in (layout.first, layout.last, *layout.sides)
        )
        last[:1] = [replace(after_all, begins="") for after_all in last[:1]]
        if not layout.stacked:
            for number, side in enumerate(sides):
                side[0] = replace(side[0], begins=f"{number + 1} {self.card.sides[number].name}")
            yield 0, (), [*first, *chain.from_iterable(sides), *last]
            return
        for number, side in enumerate(sides):
            before = first if number == 0 else [Box(kind="blank")] * len(first)
            after = last if number == len(sides) - 1 else [Box(kind="blank")] * len(last)
            yield number + 1, self.card.sides[number].names, [*before, *side, *after]

    def _recorded_box(
        self, form: DealForm, layout: LineLayout, *, deal: DealRow, values: Mapping[str, Any], name: str
    ) -> Box:
        if name == SETS:
            marked = None if deal.written_sets is None else [str(side) for side in deal.written_sets] or [NOBODY]
            return Box(text=str(form.fields[name].widget.format_value(marked) or ""))
        side_number = name.rpartition("_")[2]
        if not layout.columns[name].running:
            text = box_text(form, name, values=values)
            if text.removeprefix("-").isdecimal():
                text = points(int(text))
            return Box(text=text or self._counted_text(deal, layout.columns[name].head, side=side_number))
        side = int(side_number)
        written = deal.written[side] if side < len(deal.written) else None
        running = deal.running[side] if deal.running else None
        off = written is not None and written != running
        text = points(running)
        if off:
            text = _("%(right)s, written %(written)s") % {"right": text, "written": points(written)}
        return Box(text=text, kind="running", differs=off)

    def _counted_text(self, deal: DealRow, head: str, *, side: str) -> str:
        """The card's figure in a column that was left empty because melds or cards were counted instead."""
        heads = [str(item) for item in self.card.items]
        if not side.isdecimal() or head not in heads:
            return ""
        return cell(deal.cells[int(side)][heads.index(head)])

    def _box_label(self, form: DealForm, layout: LineLayout, *, name: str) -> str:
        column = layout.columns[name]
        side = name.rpartition("_")[2]
        if not side.isdecimal():
            return column.head
        words = _("Running total as written") if column.running else column.head
        return f"{words}, {form.sides[int(side)]}"


def save_line(game: Game, data: Any, *, by: Actor, totals: bool = True, route: str = "paper") -> KeyedLine:
    """Record the deal of a line, or return the line as typed with the reasons why not.

    `game` must have `rules` and `club` loaded. The same line sent twice is one deal."""
    card = card_of(game)
    maker = LineMaker(card, totals=totals)
    form = maker.make_form(data)
    layout = maker.open_line(form, sent_number(data, card)).layout
    if not form.is_valid():
        if recorded := card.deal(sent_number(data, card)):
            return _late_line(maker, form, number=recorded.number)
        return unrecorded_line(maker, form, *form_messages(form), state="refused")
    try:
        version = record_deal(
            game=game,
            number=form.cleaned_data["number"],
            entered=form.entered_deal(),
            by=replace(by, route=route),
            submission=form.cleaned_data["submission"],
        )
    except Refused as refused:
        messages = problem_messages(form, refused.problems, layout=layout)
        return unrecorded_line(
            maker, form, *messages, state="asking" if isinstance(refused, NotConfirmed) else "refused"
        )
    except DealsMissing:
        missing = _("Deal %(number)d isn't recorded yet: save it first.") % {"number": card.next_number}
        return unrecorded_line(maker, form, {"words": missing}, state="refused")
    except SentElsewhere:
        form.renew_submission()
        return unrecorded_line(
            maker, form, {"words": _("This line was sent for another card. Save it again.")}, state="refused"
        )
    except (GameOver, Superseded) as late:
        maker = LineMaker(card_of(WITH_CLUB.get(pk=game.pk)), totals=totals)
        if isinstance(late, Superseded):
            return _late_line(maker, form, number=late.version.deal.number)
        over = _("Not recorded: this game is over. If the card has more, check the deals above.")
        return unrecorded_line(maker, form, {"words": f"{over} {maker.card.why}".strip()}, state="over")
    card = card_of(WITH_CLUB.get(pk=game.pk))
    return LineMaker(card, totals=totals).recorded_line(layout, form, deal=_deal_row(card, version.deal.number))


def problem_messages(form: DealForm, problems: Sequence[Problem], *, layout: LineLayout) -> list[Message]:
    """Problems as sentences, worded as on the card's page. Their boxes are marked and linked."""
    messages, names = [], set(layout.names())
    for problem in problems:
        has_box = any(name in names for name in form.problem_fields(problem)[:1])
        messages.append(problem_row(form, problem) | ({} if has_box else {"field": ""}))
    show_problems(form, problems)
    return messages


def form_messages(form: DealForm) -> Iterator[Message]:
    for name, errors in form.errors.items():
        field = form[name].id_for_label if name in form.fields else ""
        label = form.field_label(name) if name in form.fields else ""
        if name.startswith("written_"):
            label = _("Running total as written, %(side)s") % {"side": label}
        for words in errors:
            yield {"words": f"{label}: {words}" if label else str(words), "field": field}


def unrecorded_line(maker: LineMaker, form: DealForm, *messages: Message, state: str) -> KeyedLine:
    return maker.open_line(form, sent_number(form.data, maker.card), state=state, messages=messages)


def _late_line(maker: LineMaker, form: DealForm, *, number: int) -> KeyedLine:
    """The recorded deal instead of what was typed, with both figures where they differ."""
    deal = _deal_row(maker.card, number)
    layout = maker.open_line(form, number).layout
    line = maker.recorded_line(layout, form, deal=deal)
    who = {"who": deal.by, "when": date_format(timezone.localtime(deal.at), "TIME_FORMAT")}
    typed = maker.typed_rows(layout, form, deal=deal)
    words = _("%(who)s recorded this deal before you, at %(when)s, with the same figures.") % who
    if any(box.differs for _side, _names, boxes in typed for box in boxes):
        words = _("Not recorded: %(who)s recorded this deal before you, at %(when)s, with other figures.") % who
        line = replace(line, state="late", typed=typed)
    return replace(line, messages=({"words": words}, *line.messages))


def _deal_row(card: Card, number: int) -> DealRow:
    return next(deal for deal in card.deals if deal.number == number)


def sent_number(data: Any, card: Card) -> int:
    text = str(data.get("number", ""))
    return int(text) if text.isdecimal() and len(text) <= 4 else card.next_number


@dataclass(frozen=True, slots=True)
class KeyingBlock:
    """One game at a table: its lines. More empty ones are made from `pattern`."""

    card: Card
    row: GroupGame
    table: str  # the group's label: "3", "3A"
    lines: tuple[KeyedLine, ...]
    pattern: KeyedLine
    photos: tuple[PhotographedCard, ...] = ()  # of its card: its lines are filled in from these
    doubts: tuple[tuple[KeyedLine, list[dict[str, Any]]], ...] = ()  # boxes to check, by line

    @property
    def is_done(self) -> bool:
        return not any(line.is_open for line in self.lines)

    @property
    def last(self) -> int | None:
        """The number of the last deal in a game of so many deals: void ones are dealt again with new numbers."""
        deals = self.card.deals_in_game
        return deals and deals + len(self.card.void_numbers)


@dataclass(frozen=True, slots=True)
class Grid:
    event: Event
    draw: Draw
    blocks: tuple[KeyingBlock, ...]
    totals: bool = True  # whether written running totals are keyed too

    @property
    def tables(self) -> int:
        return len({block.table for block in self.blocks})

    @property
    def done(self) -> int:
        """Tables at which everything is keyed."""
        return self.tables - len({block.table for block in self.blocks if not block.is_done})


def keying_grid(draw: Draw, *, totals: bool = True, saved: KeyedLine | None = None) -> Grid:
    """The grid of a published draw. Of a set, it has the games that are over and the one in play.

    `saved`: a line that was sent but not recorded, shown in its place with what was typed."""
    event = draw.round.stage.event
    rows: list[GroupGame] = []
    for _group, of_group in groupby(draw_games(draw), attrgetter("group_id")):
        games = list(of_group)
        current = next((row for row in games if row.game.state == Game.State.OPEN), None)
        rows += [row for row in games if row is current or row.game.state == Game.State.OVER]
    cards = cards_of([row.game for row in rows])
    marks = outcomes_in_words([deal.pk for card in cards for deal in card.deals])
    blocks = []
    for row, card in zip(rows, cards, strict=True):
        block = keying_block(event, row, card=card, totals=totals, marks=marks)
        if saved and saved.game == card.game.pk:
            lines = {line.id: line for line in block.lines} | {saved.id: saved}
            block = replace(block, lines=tuple(lines.values()))
        blocks.append(block)
    return Grid(event, draw, tuple(blocks), totals)


WITH_CLUB = Game.objects.select_related("club", "rules")
WITH_RULES = GroupGame.objects.select_related("group__table__draw__round__stage", "game__rules", "game__club")


def draw_games(draw: Draw) -> list[GroupGame]:
    """The games of a draw in order of tables. One query."""
    rows = WITH_RULES.filter(group__table__draw=draw)
    return list(rows.order_by("group__table__number", "group__number", "number"))


def next_open_game(row: GroupGame) -> GroupGame | None:
    rows = WITH_RULES.filter(group=row.group_id, number__gt=row.number, game__state=Game.State.OPEN)
    return rows.order_by("number").first()


def keying_block(
    event: Event, row: GroupGame, *, card: Card, totals: bool, marks: Mapping[int, str] = MappingProxyType({})
) -> KeyingBlock:
    """`marks`: outcomes of the second keying in words, by the deal's key. No query."""
    maker = LineMaker(card, totals=totals)
    form = maker.make_form()
    pattern = maker.open_line(form, NUMBER)
    lines = [maker.recorded_line(pattern.layout, form, deal=deal, mark=marks.get(deal.pk, "")) for deal in card.deals]
    if card.state == "playing":
        lines.append(KeyedLine(card, pattern.layout, card.next_number, "open", blank=True))
    return KeyingBlock(card, row, row.group.label_in(event), tuple(lines), pattern)
