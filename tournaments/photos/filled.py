"""The keying grid of photographed cards: a game's lines filled in with what was read, each figure beside its own
picture; what is recorded already compared with it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Any
from uuid import uuid4

from django.utils.translation import gettext as _

from scoring import wording
from scoring.cards.queries import Card, DealRow, cards_of
from scoring.cards.submit import problem_row
from scoring.engine.core.family import scores_of
from scoring.engine.core.game import check_running
from scoring.engine.core.ledger import Problem, Severity
from scoring.families.deal_form import DealForm
from tournaments.engine.rounds import grouped
from tournaments.keying.grid import (
    SETS,
    WITH_RULES,
    Box,
    KeyedLine,
    KeyingBlock,
    Lines,
    Row,
    block_of,
)
from tournaments.models import Draw, Event, PhotographedCard

Reading = dict[str, Any]
"""A line as `tasks` stores it: `number`, `problems`, and `fields`, each with its text, mark and box."""


def read_blocks(event: Event, saved: KeyedLine | None = None) -> list[KeyingBlock]:
    """The games of an event whose photographed cards have something to be saved or compared, those with doubts first.
    `saved` is a line that was sent and not recorded. A constant number of queries."""
    photos = PhotographedCard.objects.filter(photo__event=event, game__isnull=False).order_by("pk")
    by_game = grouped((photo.game_id, photo) for photo in photos)
    games = WITH_RULES.filter(game__in=by_game, group__table__draw__state=Draw.State.PUBLISHED)
    rows = list(games.order_by("group__table__number", "group__number", "number"))
    for row in rows:
        row.group.table.draw.round.stage.event = event
    cards = cards_of([row.game for row in rows])
    blocks = [
        _read_block(block_of(event, row, card=card, totals=True), by_game[row.game_id], saved=saved)
        for row, card in zip(rows, cards, strict=True)
    ]
    left = (block for block in blocks if any(line.photo for line in block.lines))
    return sorted(left, key=lambda block: not block.doubts)


def line_with_picture(line: KeyedLine) -> KeyedLine:
    """A line that was sent but not recorded, with the pictures of its figures."""
    photo = PhotographedCard.objects.filter(game=line.game).order_by("pk").first()
    reading = photo and _readings(photo).get(int(line.number))
    return _with_pictures(line, reading, photo=photo) if photo and reading else line


def _readings(photo: PhotographedCard) -> dict[int, Reading]:
    return {reading["number"]: reading for reading in photo.lines}


def _read_block(block: KeyingBlock, photos: Sequence[PhotographedCard], *, saved: KeyedLine | None) -> KeyingBlock:
    maker, lines = Lines(block.card), {line.number: line for line in block.lines}
    open_forms: dict[int, DealForm] = {}
    for photo in photos:
        for number, reading in _readings(photo).items():
            line = lines.get(number)
            if line is not None and line.deal is not None:
                lines[number] = _compared(line, reading, deal=line.deal, maker=maker, photo=photo)
            elif line is not None and line.photo and line.form:
                lines[number] = _with_other(line, reading, form=line.form)
            elif block.card.state == "playing":
                lines[number] = _filled(maker, reading, photo=photo)
                open_forms[number] = _sent(maker, reading)
    for number, words in _slips(block.card, open_forms).items():
        line = lines[number]
        lines[number] = replace(line, messages=(*line.messages, *({"words": sentence} for sentence in words)))
    if saved and saved.game == block.card.game.pk:
        lines[saved.number] = line_with_picture(saved)
    for number in range(block.card.next_number, max(open_forms, default=0)):  # lines on which nothing was read
        lines.setdefault(number, KeyedLine(block.card, block.pattern.layout, number, "open", blank=True))
    ordered = tuple(sorted(lines.values(), key=attrgetter("number")))
    doubts = [(line, list(_doubts(line))) for line in ordered if line.is_open and line.photo]
    doubts = [(line, boxes) for line, boxes in doubts if boxes]
    return replace(block, lines=ordered, photos=tuple(photos), doubts=tuple(doubts))


def _doubts(line: KeyedLine) -> Iterator[dict[str, Any]]:
    """The boxes to check, for the list above their card: what each is called, and what was read."""
    for box in chain.from_iterable(boxes for _side, _names, boxes in line.rows):
        if box.mark == "doubt" and box.field is not None:
            text = str(box.field.field.widget.format_value(box.field.value()) or "")
            side = box.field.name.rpartition("_")[2]
            name = f"{line.layout.columns[box.field.name].head} {int(side) + 1 if side.isdecimal() else ''}"
            yield {"box": box, "name": name, "text": text}


def _values(reading: Reading) -> dict[str, Any]:
    """What was read, as the form's own inputs would send it."""
    fields = reading["fields"].items()
    return {name: list(text) if name == SETS else text for name, (text, _mark, _box) in fields}


def _typed(form: DealForm, reading: Reading) -> dict[str, str]:
    """A reading as it would be keyed in a form whose questions are answered by keys."""
    return {
        name: str(form.fields[name].widget.format_value(value) or "")
        for name, value in _values(reading).items()
        if name in form.fields
    }


def _sent(maker: Lines, reading: Reading, *, keys: bool = False) -> DealForm:
    """The form of a line as if the reading had been sent; `keys`: by the grid, where questions are answered by keys."""
    number, values = reading["number"], _values(reading)
    if keys:
        form = maker.form(number=number)
        maker.open(form, number)
        values = _typed(form, reading)
    form = maker.form({**values, "number": str(number), "submission": str(uuid4())}, number)
    if keys:
        maker.open(form, number)
    return form


def _filled(maker: Lines, reading: Reading, *, photo: PhotographedCard) -> KeyedLine:
    form = maker.form(number=reading["number"])
    form.initial.update(_values(reading))
    line = maker.open(form, reading["number"])
    problems = (
        Problem(code, Severity(severity), field, tuple(map(tuple, args)), side)
        for code, severity, field, args, side in reading["problems"]
    )
    line = replace(line, messages=tuple(problem_row(form, problem) for problem in problems))
    return _with_pictures(line, reading, photo=photo)


def _with_pictures(line: KeyedLine, reading: Reading, *, photo: PhotographedCard) -> KeyedLine:
    words = {
        "doubt": _("Hard to read: look at the picture."),
        "rules": _("The rules and totals say so; the ink alone says something else."),
    }

    def with_picture(box: Box) -> Box:
        if box.field is None or box.field.name not in reading["fields"]:
            return box
        _text, mark, place = reading["fields"][box.field.name]
        if mark:
            box.field.field.widget.attrs["aria-describedby"] = f"{box.field.auto_id}-mark"
        kind = f"{box.kind} marked-{mark}" if mark else box.kind
        return replace(box, kind=kind, seen=place or (), mark=mark, mark_words=words.get(mark, ""))

    return replace(line, photo=photo, rows=_each(line.rows, with_picture))


def _each(rows: Iterable[Row], change: Any) -> tuple[Row, ...]:
    return tuple((side, names, [change(box) for box in boxes]) for side, names, boxes in rows)


def _compared(line: KeyedLine, reading: Reading, *, deal: DealRow, maker: Lines, photo: PhotographedCard) -> KeyedLine:
    """A recorded deal, with what the photo has where that differs."""
    sent = _sent(maker, reading)
    if sent.is_valid() and sent.facts() == deal.facts:
        return line
    typed = maker.typed(line.layout, _sent(maker, reading, keys=True), deal=deal)
    if not any(box.differs for _side, _names, boxes in typed for box in boxes):
        return line
    words = {"words": _("%(who)s recorded this deal with other figures than the photo has.") % {"who": deal.by}}
    return replace(line, state="late", typed=typed, photo=photo, messages=(words, *line.messages))


def _with_other(line: KeyedLine, reading: Reading, *, form: DealForm) -> KeyedLine:
    """A line read in two photos: where the later one has another figure, the box has to be checked."""
    other = _typed(form, reading)

    def compared(box: Box) -> Box:
        if box.field is None:
            return box
        name = box.field.name
        text = str(form.fields[name].widget.format_value(box.field.value()) or "")
        if name not in other or other[name] == text:
            return box
        box.field.field.widget.attrs["aria-describedby"] = f"{box.field.auto_id}-mark"
        words = _("The other photo of this card has “%(text)s”.") % {"text": other[name] or "–"}
        return replace(box, kind=f"{box.kind} marked-doubt", mark="doubt", mark_words=words)

    rows = _each(line.rows, compared)
    return replace(line, rows=rows)


def _slips(card: Card, forms: Mapping[int, DealForm]) -> dict[int, list[str]]:
    """Mistakes in the written running totals of lines that aren't recorded yet, by the number of the deal; none after
    a line that isn't a valid deal."""
    counting = [deal for deal in card.deals if deal.counts]
    numbers, cards = [deal.number for deal in counting], [deal.facts for deal in counting]
    written: list[Sequence[int | None]] = [deal.written for deal in counting]
    for number, form in sorted(forms.items()):
        if not form.is_valid():
            break
        numbers.append(number)
        cards.append(form.facts())
        written.append(form.written())
    scores = scores_of(card.game.rules.family, card.game.engine_rules, cards=cards)
    slips: dict[int, list[str]] = {}
    for slip in check_running(scores, written, start=[side.start for side in card.sides]):
        between, deal, until = (numbers[place - 1] for place in (slip.between, slip.deal, slip.until))
        if deal in forms:
            words = wording.slip(replace(slip, between=between, deal=deal, until=until), card.names)
            slips.setdefault(deal, []).append(words)
    return slips
