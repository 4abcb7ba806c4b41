"""The keying grid of photographed cards: lines filled in from photos, each figure with its picture, and compared with
recorded deals."""

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
from scoring.engine.core.family import score_deals
from scoring.engine.core.game import check_running_totals
from scoring.engine.core.ledger import Problem, Severity
from scoring.families.deal_form import DealForm
from tournaments.engine.rounds import grouped
from tournaments.keying.grid import SETS, WITH_RULES, Box, KeyedLine, KeyingBlock, LineMaker, Row, keying_block
from tournaments.models import Draw, Event, PhotographedCard

Reading = dict[str, Any]
"""A line as stored by `tasks`: `number`, `problems`, and `fields`, each with its text, mark and box."""


def photo_blocks(event: Event, saved: KeyedLine | None = None) -> list[KeyingBlock]:
    """The games of an event with photographed lines to save or compare, those with doubtful boxes first. `saved`: a
    line that was sent but not recorded. A constant number of queries."""
    photos = PhotographedCard.objects.filter(photo__event=event, game__isnull=False).order_by("pk")
    by_game = grouped((photo.game_id, photo) for photo in photos)
    games = WITH_RULES.filter(game__in=by_game, group__table__draw__state=Draw.State.PUBLISHED)
    rows = list(games.order_by("group__table__number", "group__number", "number"))
    for row in rows:
        row.group.table.draw.round.stage.event = event
    cards = cards_of([row.game for row in rows])
    blocks = [
        _fill_block(keying_block(event, row, card=card, totals=True), by_game[row.game_id], saved=saved)
        for row, card in zip(rows, cards, strict=True)
    ]
    left = (block for block in blocks if any(line.photo for line in block.lines))
    return sorted(left, key=lambda block: not block.doubts)


def add_picture(line: KeyedLine) -> KeyedLine:
    """A line that was sent but not recorded, with the pictures of its figures."""
    photo = PhotographedCard.objects.filter(game=line.game).order_by("pk").first()
    reading = photo and _readings_by_number(photo).get(int(line.number))
    return _add_pictures(line, reading, photo=photo) if photo and reading else line


def _readings_by_number(photo: PhotographedCard) -> dict[int, Reading]:
    return {reading["number"]: reading for reading in photo.lines}


def _fill_block(block: KeyingBlock, photos: Sequence[PhotographedCard], *, saved: KeyedLine | None) -> KeyingBlock:
    maker, lines = LineMaker(block.card), {line.number: line for line in block.lines}
    open_forms: dict[int, DealForm] = {}
    for photo in photos:
        for number, reading in _readings_by_number(photo).items():
            line = lines.get(number)
            if line is not None and line.deal is not None:
                lines[number] = _compare_with_deal(line, reading, deal=line.deal, maker=maker, photo=photo)
            elif line is not None and line.photo and line.form:
                lines[number] = _compare_readings(line, reading, form=line.form)
            elif block.card.state == "playing":
                lines[number] = _fill_line(maker, reading, photo=photo)
                open_forms[number] = _bound_form(maker, reading)
    for number, words in _arithmetic_errors(block.card, open_forms).items():
        line = lines[number]
        lines[number] = replace(line, messages=(*line.messages, *({"words": sentence} for sentence in words)))
    if saved and saved.game == block.card.game.pk:
        lines[saved.number] = add_picture(saved)
    for number in range(block.card.next_number, max(open_forms, default=0)):  # lines that weren't read
        lines.setdefault(number, KeyedLine(block.card, block.pattern.layout, number, "open", blank=True))
    ordered = tuple(sorted(lines.values(), key=attrgetter("number")))
    doubts = [(line, list(_doubtful_boxes(line))) for line in ordered if line.is_open and line.photo]
    doubts = [(line, boxes) for line, boxes in doubts if boxes]
    return replace(block, lines=ordered, photos=tuple(photos), doubts=tuple(doubts))


def _doubtful_boxes(line: KeyedLine) -> Iterator[dict[str, Any]]:
    """Boxes to check, for the list above the card: name and what was read."""
    for box in chain.from_iterable(boxes for _side, _names, boxes in line.rows):
        if box.mark == "doubt" and box.field is not None:
            text = str(box.field.field.widget.format_value(box.field.value()) or "")
            side = box.field.name.rpartition("_")[2]
            name = f"{line.layout.columns[box.field.name].head} {int(side) + 1 if side.isdecimal() else ''}"
            yield {"box": box, "name": name, "text": text}


def _field_values(reading: Reading) -> dict[str, Any]:
    """What was read, as the form's inputs would send it."""
    fields = reading["fields"].items()
    return {name: list(text) if name == SETS else text for name, (text, _mark, _box) in fields}


def _keyed_values(form: DealForm, reading: Reading) -> dict[str, str]:
    """What was read, as it would be keyed in a form whose questions are answered by keys."""
    return {
        name: str(form.fields[name].widget.format_value(value) or "")
        for name, value in _field_values(reading).items()
        if name in form.fields
    }


def _bound_form(maker: LineMaker, reading: Reading, *, keys: bool = False) -> DealForm:
    """The form of a line as if the reading had been sent; `keys`: with questions answered by keys."""
    number, values = reading["number"], _field_values(reading)
    if keys:
        form = maker.make_form(number=number)
        maker.open_line(form, number)
        values = _keyed_values(form, reading)
    form = maker.make_form({**values, "number": str(number), "submission": str(uuid4())}, number)
    if keys:
        maker.open_line(form, number)
    return form


def _fill_line(maker: LineMaker, reading: Reading, *, photo: PhotographedCard) -> KeyedLine:
    form = maker.make_form(number=reading["number"])
    form.initial.update(_field_values(reading))
    line = maker.open_line(form, reading["number"])
    problems = (
        Problem(code, Severity(severity), field, tuple(map(tuple, args)), side)
        for code, severity, field, args, side in reading["problems"]
    )
    line = replace(line, messages=tuple(problem_row(form, problem) for problem in problems))
    return _add_pictures(line, reading, photo=photo)


def _add_pictures(line: KeyedLine, reading: Reading, *, photo: PhotographedCard) -> KeyedLine:
    words = {
        "doubt": _("Hard to read: look at the picture."),
        "rules": _("Worked out from the rules and totals; the writing looks different."),
    }

    def with_picture(box: Box) -> Box:
        if box.field is None or box.field.name not in reading["fields"]:
            return box
        _text, mark, place = reading["fields"][box.field.name]
        if mark:
            box.field.field.widget.attrs["aria-describedby"] = f"{box.field.auto_id}-mark"
        kind = f"{box.kind} marked-{mark}" if mark else box.kind
        return replace(box, kind=kind, place=place or (), mark=mark, mark_words=words.get(mark, ""))

    return replace(line, photo=photo, rows=_change_boxes(line.rows, with_picture))


def _change_boxes(rows: Iterable[Row], change: Any) -> tuple[Row, ...]:
    return tuple((side, names, [change(box) for box in boxes]) for side, names, boxes in rows)


def _compare_with_deal(
    line: KeyedLine, reading: Reading, *, deal: DealRow, maker: LineMaker, photo: PhotographedCard
) -> KeyedLine:
    """A recorded deal, with the photo's figures where they differ."""
    sent = _bound_form(maker, reading)
    if sent.is_valid() and sent.facts() == deal.facts:
        return line
    typed = maker.typed_rows(line.layout, _bound_form(maker, reading, keys=True), deal=deal)
    if not any(box.differs for _side, _names, boxes in typed for box in boxes):
        return line
    words = {"words": _("%(who)s recorded this deal with other figures than the photo has.") % {"who": deal.by}}
    return replace(line, state="late", typed=typed, photo=photo, messages=(words, *line.messages))


def _compare_readings(line: KeyedLine, reading: Reading, *, form: DealForm) -> KeyedLine:
    """A line read in two photos: boxes in which the later one has another figure are marked as doubtful."""
    other = _keyed_values(form, reading)

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

    return replace(line, rows=_change_boxes(line.rows, compared))


def _arithmetic_errors(card: Card, forms: Mapping[int, DealForm]) -> dict[int, list[str]]:
    """Mistakes in the written running totals of lines not recorded yet, by the number of the deal; none after a line
    that isn't a valid deal."""
    counting = [deal for deal in card.deals if deal.counts]
    numbers, cards = [deal.number for deal in counting], [deal.facts for deal in counting]
    written: list[Sequence[int | None]] = [deal.written for deal in counting]
    for number, form in sorted(forms.items()):
        if not form.is_valid():
            break
        numbers.append(number)
        cards.append(form.facts())
        written.append(form.written_totals())
    scores = score_deals(card.game.rules.family, card.game.engine_rules, cards=cards)
    slips: dict[int, list[str]] = {}
    for slip in check_running_totals(scores, written, start=[side.start for side in card.sides]):
        between, deal, until = (numbers[place - 1] for place in (slip.between, slip.deal, slip.until))
        if deal in forms:
            words = wording.slip_message(replace(slip, between=between, deal=deal, until=until), card.names)
            slips.setdefault(deal, []).append(words)
    return slips
