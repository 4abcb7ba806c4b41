"""The keying grid of a round's cards: its cells and lines, the messages about each, and saving it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
from scoring.cards.deals import AskAgain, DealsMissing, GameOver, Refused, SentElsewhere, Superseded, record_deal
from scoring.cards.queries import Card, DealRow, card_of, cards_of
from scoring.cards.submit import problem_row, show_problems
from scoring.engine.core.ledger import Problem
from scoring.families import PAGES
from scoring.families.deal_form import NOBODY, DealForm
from scoring.models import Game
from scoring.templatetags.figures import cell, points
from tournaments.keying.second import marks_of
from tournaments.models import Draw, Event, GroupGame, PhotographedCard

UNKNOWN = "?"  # put before a typed key that is no answer: no choice of any form begins with it
SETS = "written_sets"  # the field of the scorer's marks
WIDE = 12  # boxes of the sides in one row; a line with more has a row for each side


class KeyInput(forms.TextInput):
    """An input for a question answered by a key: it shows the key, and gives the form the answer."""

    def __init__(self, keys: Mapping[str, str], attrs: dict[str, Any] | None = None) -> None:
        """`keys`: key to the answer's value in the form."""
        super().__init__({"class": "figure", "autocomplete": "off", "inputmode": "numeric", **(attrs or {})})
        self.keys = dict(keys)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:  # noqa: PLR0917  (Django's)
        """The answer that the key stands for; any other text marked, so that no form takes it for an answer."""
        typed = (data.get(name) or "").strip()
        return self.keys.get(typed.upper(), f"{UNKNOWN}{typed}") if typed else ""

    def format_value(self, value: Any) -> str:
        return self.key_of(value)

    def key_of(self, value: Any) -> str:
        """The key of an answer, "" for none."""
        text = "" if value is None else str(value)
        return next((key for key, answer in self.keys.items() if answer == text), text.removeprefix(UNKNOWN))


class KeysInput(KeyInput):
    """An input for an answer of several keys, typed one after the other: "12" for both sides."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:  # noqa: PLR0917  (Django's)
        """The answers; keys that don't exist are marked."""
        typed = "".join((data.get(name) or "").split())
        return [self.keys.get(key, f"{UNKNOWN}{key}") for key in typed]

    def format_value(self, value: Any) -> str:
        return "".join(self.key_of(answer) for answer in value or ())


@dataclass(frozen=True, slots=True)
class KeyingColumn:
    """One column: its head, and the answers with their keys where it is a question. `running`: the written total."""

    head: str
    keys: tuple[tuple[str, str], ...] = ()
    by_side: bool = False  # the keys are the sides' numbers
    running: bool = False

    @property
    def label(self) -> str:
        return f"{self.head} {self.keys_in_short}" if self.by_side else self.head

    @property
    def keys_in_short(self) -> str:
        """The keys of sides, and of what else there is: "1 2", "1 2, 0 Nobody"."""
        sides = " ".join(key for key, _words in self.keys if key != "0")
        return ", ".join([sides, *(f"{key} {words.partition(':')[0]}" for key, words in self.keys if key == "0")])


@dataclass(frozen=True, slots=True)
class LineLayout:
    """How a game's lines are ruled: the names of the fields and the heads over them.

    `stacked`: a line has a row for each side, under one set of columns; else all sides are in one row."""

    first: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    last: tuple[str, ...]
    columns: dict[str, KeyingColumn]
    stacked: bool

    @property
    def heads(self) -> list[KeyingColumn]:
        """The heads over the boxes of a line, or over those of each of its rows."""
        sides = self.sides[:1] if self.stacked else self.sides
        across = [self.columns[name] for _side in sides for name in self.sides[0]]
        return [*(self.columns[name] for name in self.first), *across, *(self.columns[name] for name in self.last)]

    @property
    def width(self) -> int:
        across = 1 + len(self.sides[0]) if self.stacked else sum(len(side) for side in self.sides)
        return 2 + len(self.first) + across + len(self.last)

    @property
    def legend(self) -> list[KeyingColumn]:
        """The questions whose answers aren't sides, each once: they are written out over the table."""
        questions = {column.head: column for column in self.columns.values() if column.keys and not column.by_side}
        return list(questions.values())

    def names(self) -> Iterator[str]:
        """All fields in the order in which they are keyed."""
        yield from self.first
        for side in self.sides:
            yield from side
        yield from self.last


def lay_out(form: DealForm, *, sets: bool = False) -> LineLayout:
    """The columns for a game's form; its questions are then answered by keys. `sets`: also whom the scorer marked as
    set, in a game in which that can be."""
    line = form.paper_line()
    last = (*line.last, SETS) if sets and SETS in form.fields else line.last
    columns = {}
    for name in (*line.first, *(name for side in line.sides for name in side), *last):
        columns[name] = _sets(form) if name == SETS else _column(form, name)
    stacked = sum(len(side) for side in line.sides) > WIDE
    return LineLayout(line.first, line.sides, last, columns, stacked)


def _sets(form: DealForm) -> KeyingColumn:
    """The scorer's marks: the numbers of the sides, 0 for nobody; empty where nobody looked."""
    field = form.fields[SETS]
    keys = {str(side + 1): (str(side), words) for side, words in form.side_choices()} | {"0": (NOBODY, _("Nobody"))}
    field.widget = KeysInput({key: value for key, (value, _words) in keys.items()})
    field.error_messages = {**field.error_messages, **_asking(keys)}
    return KeyingColumn(_("Set"), tuple((key, words) for key, (_value, words) in keys.items()), by_side=True)


def _column(form: DealForm, name: str) -> KeyingColumn:
    field = form.fields[name]
    if name.startswith("written_"):
        _as_text(field)
        return KeyingColumn(_("Running"), running=True)
    head = form.figure_heads.get(name.rpartition("_")[0])
    label = str(head or field.label or "").partition(":")[0]
    if isinstance(field, forms.BooleanField):
        field = form[name].field = form.fields[name] = _Tick(label=label, choices=[(True, _("yes"))], required=False)
    if not isinstance(field, forms.ChoiceField):
        _as_text(field)
        return KeyingColumn(label)
    choices: Any = field.choices
    answers = [(value, str(words)) for value, words in choices if value != ""]
    by_side = type(answers[0][0]) is int
    start = 1 if field.required or isinstance(field, _Tick) else 0
    own_keys = form.typed_keys.get(name, {})
    keys = {key: (value, dict(answers)[value]) for key, value in own_keys.items()} or {
        str(value + 1 if by_side else start + place): (str(getattr(value, "value", value)), words)
        for place, (value, words) in enumerate(answers)
    }
    field.widget = KeyInput({key: value for key, (value, _words) in keys.items()})
    field.error_messages = {**field.error_messages, **_asking(keys)}
    return KeyingColumn(label, tuple((key, words) for key, (_value, words) in keys.items()), by_side)


def _as_text(field: forms.Field) -> None:
    """Arrow keys go to other lines: in a number's own input they would change it."""
    if isinstance(field.widget, forms.NumberInput):
        field.widget.input_type = "text"


class _Tick(forms.ChoiceField):
    """Yes by a key, no by leaving it empty."""

    def clean(self, value: Any) -> bool:
        """Whether the key was typed. Raises ValidationError for any other."""
        return bool(super().clean(value))


def _asking(keys: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    answers = ", ".join(f"{key}: {words}" for key, (_value, words) in keys.items())
    words = _("Type a key: %(answers)s.") % {"answers": answers}
    return {"required": words, "invalid_choice": words}


def shown(form: DealForm, name: str, *, values: Mapping[str, Any]) -> str:
    """What a box shows for a recorded deal: a figure or a key. `values` are the form's values for its facts."""
    value = values.get(name)
    widget = form.fields[name].widget
    if isinstance(widget, KeyInput):
        return widget.key_of(getattr(value, "value", value))
    return "" if value is None else str(value)


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
    seen: Sequence[int] = ()  # where it is in the photo of its card: left, top, width, height
    mark: str = ""  # "doubt": to be checked; "rules": the ink alone says something else
    mark_words: str = ""

    @property
    def shown(self) -> BoundField | str:
        return self.field or self.text

    @property
    def view(self) -> str:
        return " ".join(map(str, self.seen))


Row = tuple[int, tuple[str, ...], list[Box]]
"""One row of a line's boxes: whose it is where every side has a row, by number (else 0) and names."""
Message = dict[str, str]
"""One sentence beside a line: `words`, and of a problem what `problem_row` has; `field` is an input's id, or ""."""


@dataclass(frozen=True, slots=True)
class KeyedLine:
    """One deal of a game as a line, and the card as it is after it.

    `state`: "open" (to be keyed), "recorded", "refused" (nothing recorded; `messages` why), "asking" (unlikely: Enter
    again says that the card says so), "over" (the game had ended), "late" (somebody else recorded other figures;
    `typed` has what was typed here), or of a second keying "same", "different" and "own" (keyed first by the same
    person)."""

    card: Card
    layout: LineLayout
    number: int | str
    state: str
    rows: tuple[Row, ...] = ()
    form: DealForm | None = None
    deal: DealRow | None = None
    messages: tuple[Message, ...] = ()
    typed: tuple[Row, ...] = ()
    mark: str = ""  # what the second keying said of it, in words
    blank: bool = False  # to be keyed, and nothing typed: made of the game's pattern, without a form of its own
    photo: PhotographedCard | None = None  # whose reading it is filled in with, and whose picture its boxes show

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
        """Of the answer to a line that was sent."""
        return {"late": 409, "over": 409, "refused": 422, "asking": 422}.get(self.state, 200)


@dataclass(frozen=True, slots=True)
class Lines:
    """Makes the lines of one game. `totals`: whether the running totals that the scorer wrote are keyed too, and
    with them the marks for sides that are set."""

    card: Card
    totals: bool = True

    def form(self, data: Mapping[str, Any] | None = None, number: int | None = None) -> DealForm:
        deal_number = self.card.next_number if number is None else number
        game = self.card.game
        form = PAGES[game.rules.family.slug].form(data, game=game, number=deal_number)
        form.void = self.card.void
        return form

    def open(
        self, form: DealForm, number: int | str, *, state: str = "open", messages: Sequence[Message] = ()
    ) -> KeyedLine:
        layout = lay_out(form, sets=self.totals)
        line = KeyedLine(self.card, layout, number, state, form=form, messages=tuple(messages))
        form.auto_id = f"{line.id}-%s"
        for name in layout.names():
            attrs = form.fields[name].widget.attrs
            attrs |= {"form": f"{line.id}-form", "aria-label": self._label(form, layout, name=name)}
            if messages:
                attrs["aria-describedby"] = f"{line.id}-said"

        def box(name: str) -> Box:
            running = layout.columns[name].running
            return Box(None if running and not self.totals else form[name], kind="running" if running else "")

        return replace(line, rows=tuple(self._rows(layout, box)))

    def recorded(self, layout: LineLayout, form: DealForm, *, deal: DealRow, mark: str = "") -> KeyedLine:
        """A recorded deal, with the totals after it and messages about those that were written."""
        values = form.values_of(deal.facts)
        rows = tuple(self._rows(layout, lambda name: self._stands(form, layout, deal=deal, values=values, name=name)))
        messages = [{"words": _("What the scorer wrote: %(slip)s") % {"slip": slip}} for slip in deal.slips]
        messages += [{"words": words} for words in deal.wrong_now]
        return KeyedLine(
            self.card, layout, deal.number, "recorded", rows, deal=deal, messages=tuple(messages), mark=mark
        )

    def closed(self, layout: LineLayout, number: int, *, state: str, mark: str) -> KeyedLine:
        """The line of a deal that needn't, or can't, be keyed again: without its figures."""
        return KeyedLine(self.card, layout, number, state, tuple(self._rows(layout, lambda name: Box())), mark=mark)

    def typed(self, layout: LineLayout, form: DealForm, *, deal: DealRow) -> tuple[Row, ...]:
        """What was typed for a deal that somebody else recorded first, with differences marked. A valid `form` is
        compared by what it would record, not by how it is written: an empty box is a zero. Of one that can't be
        recorded only what was filled in is compared."""
        whole = form.is_valid()
        values, typed_values = form.values_of(deal.facts), form.values_of(form.facts()) if whole else form.cleaned_data

        def box(name: str) -> Box:
            bound = form[name]
            text = str(bound.field.widget.format_value(bound.value()) or "")
            column = layout.columns[name]
            stands = shown(form, name, values=values) or self._counted(deal, column.head, side=name.rpartition("_")[2])
            meant = text if name in form.errors else shown(form, name, values=typed_values)
            compared = (whole or text != "") and not column.running and name != SETS
            return Box(text=text, differs=compared and meant != stands)

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


def save_line(game: Game, data: Any, *, by: Actor, totals: bool = True, route: str = "paper") -> KeyedLine:
    """Record the deal that a line has, or say why not, with what was typed kept.

    `game` comes with `rules` and `club`. The same line sent twice is one deal."""
    card = card_of(game)
    maker = Lines(card, totals=totals)
    form = maker.form(data)
    layout = maker.open(form, number_sent(data, card)).layout
    if not form.is_valid():
        if recorded := card.deal(number_sent(data, card)):
            return _late(maker, form, number=recorded.number)
        return not_recorded(maker, form, *unreadable(form), state="refused")
    try:
        version = record_deal(
            game=game,
            number=form.cleaned_data["number"],
            entered=form.entered(),
            by=replace(by, route=route),
            submission=form.cleaned_data["submission"],
        )
    except Refused as refused:
        messages = problem_messages(form, refused.problems, names=set(layout.names()))
        return not_recorded(maker, form, *messages, state="asking" if isinstance(refused, AskAgain) else "refused")
    except DealsMissing:
        missing = _("Deal %(number)d isn't recorded yet: save it first.") % {"number": card.next_number}
        return not_recorded(maker, form, {"words": missing}, state="refused")
    except SentElsewhere:
        form.renew()
        return not_recorded(
            maker, form, {"words": _("This line was sent for another card. Save it again.")}, state="refused"
        )
    except (GameOver, Superseded) as late:
        # the game as it is now: its totals, its state
        maker = Lines(card_of(WITH_CLUB.get(pk=game.pk)), totals=totals)
        if isinstance(late, Superseded):
            return _late(maker, form, number=late.version.deal.number)
        over = _("Not recorded: this game is over. If the card has more, look at the deals above.")
        return not_recorded(maker, form, {"words": f"{over} {maker.card.why}".strip()}, state="over")
    card = card_of(WITH_CLUB.get(pk=game.pk))
    return Lines(card, totals=totals).recorded(layout, form, deal=_deal(card, version.deal.number))


def problem_messages(form: DealForm, problems: Sequence[Problem], *, names: Collection[str]) -> list[Message]:
    """Problems as sentences, worded as on the card's page. The boxes that they are about are marked and linked."""
    messages = []
    for problem in problems:
        has_box = any(name in names for name in form.fields_of(problem)[:1])
        messages.append(problem_row(form, problem) | ({} if has_box else {"field": ""}))
    show_problems(form, problems)
    return messages


def unreadable(form: DealForm) -> Iterator[Message]:
    """What of a form is missing or can't be read."""
    for name, errors in form.errors.items():
        field = form[name].id_for_label if name in form.fields else ""
        label = form.name_of(name) if name in form.fields else ""
        if name.startswith("written_"):
            label = _("Running total as written, %(side)s") % {"side": label}
        for words in errors:
            yield {"words": f"{label}: {words}" if label else str(words), "field": field}


def not_recorded(maker: Lines, form: DealForm, *messages: Message, state: str) -> KeyedLine:
    """The line with what was typed, and the messages about it: nothing was recorded."""
    return maker.open(form, number_sent(form.data, maker.card), state=state, messages=messages)


def _late(maker: Lines, form: DealForm, *, number: int) -> KeyedLine:
    """The recorded deal in place of what was typed, with both figures where they differ."""
    deal = _deal(maker.card, number)
    layout = maker.open(form, number).layout
    line = maker.recorded(layout, form, deal=deal)
    who = {"who": deal.by, "when": date_format(timezone.localtime(deal.at), "TIME_FORMAT")}
    typed = maker.typed(layout, form, deal=deal)
    words = _("%(who)s recorded this deal before you, at %(when)s, with the same figures.") % who
    if any(box.differs for _side, _names, boxes in typed for box in boxes):
        words = _("Not recorded: %(who)s recorded this deal before you, at %(when)s, with other figures.") % who
        line = replace(line, state="late", typed=typed)
    return replace(line, messages=({"words": words}, *line.messages))


def _deal(card: Card, number: int) -> DealRow:
    return next(deal for deal in card.deals if deal.number == number)


def number_sent(data: Any, card: Card) -> int:
    text = str(data.get("number", ""))
    return int(text) if text.isdecimal() and len(text) <= 4 else card.next_number


@dataclass(frozen=True, slots=True)
class KeyingBlock:
    """One game at a table: its lines so far and those to be keyed, which are made of `pattern`."""

    card: Card
    row: GroupGame
    table: str  # what the group is called: "3", "3A"
    lines: tuple[KeyedLine, ...]
    pattern: KeyedLine
    photos: tuple[PhotographedCard, ...] = ()  # of its card: its lines are filled in with what was read
    doubts: tuple[tuple[KeyedLine, list[dict[str, Any]]], ...] = ()  # boxes to check, by line

    @property
    def over(self) -> bool:
        """Whether everything is keyed."""
        return not any(line.is_open for line in self.lines)

    @property
    def last(self) -> int | None:
        """The number of the game's last deal, where it has so many: a void one is dealt again with another number."""
        deals = self.card.deals_in_game
        return deals and deals + len(self.card.void)


@dataclass(frozen=True, slots=True)
class Grid:
    event: Event
    draw: Draw
    blocks: tuple[KeyingBlock, ...]
    totals: bool = True  # whether the running totals that the scorer wrote are keyed too

    @property
    def tables(self) -> int:
        return len({block.table for block in self.blocks})

    @property
    def done(self) -> int:
        """Tables at which everything is keyed."""
        return self.tables - len({block.table for block in self.blocks if not block.over})


def grid_of(draw: Draw, *, totals: bool = True, saved: KeyedLine | None = None) -> Grid:
    """The grid of a published draw. Of a set, the games over and the one being played are shown.

    `saved` is a line that was sent and not recorded: it is in its place with what was typed."""
    event = draw.round.stage.event
    rows: list[GroupGame] = []
    for _group, of_group in groupby(games_of(draw), attrgetter("group_id")):  # those over, and the first that is open
        games = list(of_group)
        current = next((row for row in games if row.game.state == Game.State.OPEN), None)
        rows += [row for row in games if row is current or row.game.state == Game.State.OVER]
    cards = cards_of([row.game for row in rows])
    marks = marks_of([deal.pk for card in cards for deal in card.deals])
    blocks = []
    for row, card in zip(rows, cards, strict=True):
        block = block_of(event, row, card=card, totals=totals, marks=marks)
        if saved and saved.game == card.game.pk:
            lines = {line.id: line for line in block.lines} | {saved.id: saved}
            block = replace(block, lines=tuple(lines.values()))
        blocks.append(block)
    return Grid(event, draw, tuple(blocks), totals)


WITH_CLUB = Game.objects.select_related("club", "rules")
WITH_RULES = GroupGame.objects.select_related("group__table__draw__round__stage", "game__rules", "game__club")


def games_of(draw: Draw) -> list[GroupGame]:
    """The games of a draw in order of tables, with their rules. One query."""
    rows = WITH_RULES.filter(group__table__draw=draw)
    return list(rows.order_by("group__table__number", "group__number", "number"))


def next_game(row: GroupGame) -> GroupGame | None:
    rows = WITH_RULES.filter(group=row.group_id, number__gt=row.number, game__state=Game.State.OPEN)
    return rows.order_by("number").first()


def block_of(
    event: Event, row: GroupGame, *, card: Card, totals: bool, marks: Mapping[int, str] = MappingProxyType({})
) -> KeyingBlock:
    """One game's block; `marks` are those of the second keying by the deal's key. No query."""
    maker = Lines(card, totals=totals)
    form = maker.form()
    pattern = maker.open(form, NUMBER)
    lines = [maker.recorded(pattern.layout, form, deal=deal, mark=marks.get(deal.pk, "")) for deal in card.deals]
    if card.state == "playing":
        lines.append(KeyedLine(card, pattern.layout, card.next_number, "open", blank=True))
    return KeyingBlock(card, row, row.group.label_in(event), tuple(lines), pattern)
