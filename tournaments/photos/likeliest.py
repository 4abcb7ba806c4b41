"""Finds for each line of a card the likeliest deal, given the ink of its boxes, the rules and the written totals.

The probability of a reading is that of what the scorer would then have written (`Columns.on_paper`), by the ink of all
boxes: those of the form's fields, and those that follow from them. The search starts with the likeliest text of each
box, and changes one box or a few of the best reading so far.
"""

import heapq
import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, islice, product, takewhile
from operator import add, attrgetter, itemgetter, sub
from time import process_time
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from django.core.exceptions import ValidationError
from django.forms import BooleanField, ChoiceField

from scoring.cards.queries import Card
from scoring.cards.submit import deal_form
from scoring.engine.core.family import check_in_game, score_deal
from scoring.engine.core.ledger import Problem, Score
from scoring.families import PAGES
from scoring.families.family_pages import WRITTEN, BoxContent, Cell
from tournaments.engine.rounds import grouped

TEMPERATURE = 1.0  # the inks' log probabilities are divided by it
SURE = 0.99  # a figure less probable than this is marked as doubtful
SURE_ALONE = 0.999  # the same if neither points nor a total support the figures of its side
CERTAIN = 2.0  # more than any probability: marks all of a side whose points and totals differ from what is written
FAR = 8.0  # a figure is also doubtful if another is this much likelier by its ink, whatever the totals say
STRANGE = 22.0  # a line is doubtful if its likeliest reading is this much less likely than its boxes' own texts
QUIET = 5.0  # the search of a line ends if that difference is smaller than this
NEAR = 3.0  # a total supports a line if no other text is this much likelier

# Prices, as log probabilities
ANYTHING = -13.0  # the ink says nothing about what is written
SLIP = -7.5  # the scorer made a mistake and wrote this very figure
LEFT_OUT = -3.5  # a figure that follows from others isn't written
ZERO = -2.5  # a zero is left out, or a stroke; nothing is written as a zero
RARE = -3.0  # an answer that few deals have and no box asks for
UNLIKELY = -2.0  # a figure that the form would ask about; a cross for a figure
IMPOSSIBLE = -18.0  # what the rules don't allow
STRUCK = 0.02  # least probability that a box is crossed out, or isn't

WINDOW = 9.0  # readings this much less likely than the best aren't followed
TEXTS = 6  # of a box, the likeliest ones
MOST = 300  # readings of a line that are tried
LONGEST = 1.5  # seconds to search a line: for one that nothing fits, under rules that are slow to check
FEW = 20  # single changes of a line that are tried together with two others
KEPT = 24  # readings of a line that go into the sums, and totals that it may begin with
MARKS = 1.5  # boxes with ink in them that make a line

NUMBER = re.compile(r"-?\d+")

Place: TypeAlias = tuple[int, int]
"""Column and row of a box, from 0, over all sides."""
Answers: TypeAlias = dict[str, Any]
"""Values of form fields, as `cleaned_data` has them."""
Totals: TypeAlias = tuple[int, ...]
Chosen: TypeAlias = tuple[int, ...]
"""The option of each choice."""


class InkLike(Protocol):
    @property
    def blank(self) -> float: ...
    @property
    def struck(self) -> float: ...
    def log_probability(self, text: str) -> float: ...
    def best(self, n: int = 5) -> list[tuple[str, float]]: ...


@dataclass(frozen=True, slots=True)
class FieldReading:
    """The value of a form field, as its input has it. `not_by_ink`: by the ink alone it would be another."""

    text: str
    doubtful: bool
    not_by_ink: bool
    box: Place | None


@dataclass(frozen=True, slots=True)
class LineReading:
    number: int
    fields: Mapping[str, FieldReading]
    problems: tuple[Problem, ...] = ()  # for which it would be refused


class Follows(NamedTuple):
    """How the ink of a box fits a figure that follows from other boxes."""

    score: float
    off: Collection[int]  # by how much the likeliest texts differ
    support: int  # 1 if it is what is written, -1 if something else is, 0 if nothing is


class _Box:
    """The ink of one box, and how probable it makes what a scorer may have meant to write."""

    def __init__(self, ink: InkLike | None, place: Place) -> None:
        self.ink, self.place = ink, place
        self.texts = [text for text, _lp in ink.best(TEXTS)] if ink else [""]
        if len(self.texts[0]) == 1:
            self.texts += [sign for sign in "0123456789" if sign not in self.texts]
        self.blank = ink.blank if ink else 1.0
        self.mark, struck = _log(1 - self.blank), ink.struck if ink else 0.0
        self.struck = [_log(max(STRUCK, chance)) if self.blank < 0.5 else 0.0 for chance in (1 - struck, struck)]
        self._texts: dict[str, float] = {}
        self._cells: dict[Cell, float] = {}
        self._follows: dict[Cell, Follows] = {}
        self.highest = self.text(self.texts[0])

    def text(self, text: str) -> float:
        if text not in self._texts:
            by_ink = self.ink.log_probability(text) if self.ink else 0.0 if text == "" else ANYTHING
            self._texts[text] = _log_sum((by_ink / TEMPERATURE, ANYTHING))
        return self._texts[text]

    def cell(self, cell: Cell) -> float:
        """The log probability of a figure, a word or nothing, as `Columns.on_paper` has it."""
        if cell not in self._cells:
            self._cells[cell] = self._cell(cell)
        return self._cells[cell]

    def _cell(self, cell: Cell) -> float:
        words = str("" if cell is None else cell).strip().replace("\N{MINUS SIGN}", "-").removeprefix("+")
        if words in {"", "0"}:
            alternatives = {"", "0", "-"} - {words}
            return _log_sum((self.text(words), *(self.text(other) + ZERO for other in alternatives)))
        if NUMBER.fullmatch(words):
            return self.text(words) if isinstance(cell, int) else _log_sum((self.text(words), self.mark + UNLIKELY))
        if figures := re.match(r"\d+", words):  # a bid such as 8H
            return max(self.text(figures[0] + letter) for letter in ("", *"x0123456789"))
        return self.mark

    def follows(self, cell: Cell) -> Follows:
        """The scorer may have left the figure out or got it wrong."""
        if cell not in self._follows:
            score = _log_sum((self.cell(cell), self.highest + SLIP, self.text("") + LEFT_OUT))
            figures = [int(text) for text in self.texts[:2] if NUMBER.fullmatch(text)] if isinstance(cell, int) else []
            support = 0 if not figures or self.blank > 0.5 else 1 if self.cell(cell) > self.highest - NEAR else -1
            self._follows[cell] = Follows(score, {figure - int(str(cell)) for figure in figures} - {0}, support)
        return self._follows[cell]

    def figures(self, *, signed: bool) -> Iterator[int | None]:
        """Numbers that may be written, the likeliest first; None for a text that is no number."""
        for text in self.texts:
            figure = int(number[0]) if (number := NUMBER.match(text)) else None
            if figure is None or figure >= 0 or signed:
                yield figure


def _log(probability: float) -> float:
    return math.log(min(max(probability, 1e-6), 1.0))


def _log_sum(logs: Iterable[float]) -> float:
    values = list(logs)
    most = max(values)
    return most + math.log(sum(math.exp(value - most) for value in values))


@dataclass(slots=True)
class _Choice:
    """One decision in a line: a figure, or who holds the bid and what it is; with the answers to choose from.

    `boxes`: where it may be written, by side; none if it shows only in figures that follow from it.
    """

    names: tuple[str, ...]  # of the fields
    boxes: Mapping[int, _Box]
    side: int | None = None  # whose figure it is
    signed: bool = False
    options: list[Answers] = field(default_factory=list)
    inks: list[float] = field(default_factory=list)  # the log probability of each option by its own boxes

    def add(self, answers: Answers, ink: float) -> None:
        if answers not in self.options:
            self.options.append(answers)
            self.inks.append(ink)

    def add_figure(self, value: int) -> None:
        if self.side is not None and (value >= 0 or self.signed) and len(self.options) < KEPT:
            self.add({self.names[0]: value}, self.boxes[self.side].cell(value))

    def box(self, answers: Answers) -> _Box | None:
        return self.boxes.get(answers[self.names[0]] if self.side is None else self.side)


@dataclass(frozen=True, slots=True)
class _Reading:
    """One reading of a line: what is chosen, the log probability of all boxes, and the deal."""

    chosen: Chosen
    score: float
    slack: float  # by how much, at most, other figures could improve what follows from them
    problems: tuple[Problem, ...]  # for which the deal would be refused
    points: Totals = ()
    carried: Totals = ()
    off: tuple[Collection[int], ...] = ()  # of each side, by how much what is written differs from what follows
    support: tuple[int, ...] = ()  # 1 if points, a subtotal or the total support a side, else -1 for each that doesn't


class _Step(NamedTuple):
    """A reading of a line, with the totals that the scorer had before and after it."""

    before: Totals
    reading: _Reading
    after: Totals
    texts: tuple[str, ...]  # of the totals as they are written
    score: float


def likeliest_lines(card: Card, inks: Mapping[Place, InkLike]) -> list[LineReading]:
    """The lines of a card with writing on them. `inks`: by the printed boxes' columns and rows."""
    right = tuple(side.start for side in card.sides)
    befores: dict[Totals, float] = {right: 0.0}  # totals as written before a line, with their log probability
    carried: Totals = ()
    lines: list[tuple[_Line, list[_Step], dict[Totals, float]]] = []
    for line in _Lines(card, inks).lines():
        line.search(max(befores, key=lambda before: befores[before]), right=right, carried=carried)
        steps = [step for before in befores for reading in line.near_best() for step in line.steps(before, reading)]
        lines.append((line, steps, befores))
        sums: dict[Totals, list[float]] = defaultdict(list)
        for step in steps:
            sums[step.after].append(befores[step.before] + step.score)
        likely = heapq.nlargest(KEPT, ((_log_sum(scores), after) for after, scores in sums.items()))
        befores = {after: score for score, after in likely}
        right, carried = tuple(map(add, right, line.best.points or (0,) * len(right))), line.best.carried
    readings, later = [], dict.fromkeys(befores, 0.0)
    for line, steps, befores in reversed(lines):
        ahead = [(step, step.score + later[step.after]) for step in steps if step.after in later]
        readings.append(line.reading([(step, befores[step.before] + score) for step, score in ahead]))
        back: dict[Totals, list[float]] = defaultdict(list)
        for step, score in ahead:
            back[step.before].append(score)
        later = {before: _log_sum(scores) for before, scores in back.items()}
    return readings[::-1]


class _Lines:
    """What all lines of a card share: its rules, and one form for the facts."""

    def __init__(self, card: Card, inks: Mapping[Place, InkLike]) -> None:
        self.inks, self.sides = inks, range(len(card.sides))
        self.rules, self.family = card.game.engine_rules, card.game.rules.family
        pages = PAGES[self.family.slug]
        self.columns, self.box_contents = pages.columns(self.rules), pages.box_contents(self.rules)
        self.per_side = len(pages.boxes(self.rules).columns)
        self.form = deal_form(card)
        self.blank_values = {name: self._blank_value(name) for name in self.form.fields}

    def _blank_value(self, name: str) -> Any:
        try:
            return self.form.fields[name].clean("")
        except ValidationError:
            return None

    def lines(self) -> Iterator["_Line"]:
        last = max((column % self.per_side if self.columns.per_deal else row for column, row in self.inks), default=-1)
        for deal in range(last + 1):
            boxes = [[self._box(deal, side, n=n) for n in range(len(self.box_contents))] for side in self.sides]
            if sum(1 - box.blank for side in boxes for box in side) >= MARKS:
                yield _Line(self, deal + 1, boxes=boxes)

    def _box(self, deal: int, side: int, *, n: int) -> _Box:
        column = side * self.per_side
        place = (column + deal, n) if self.columns.per_deal else (column + n, deal)
        return _Box(self.inks.get(place), place)


class _Line:
    """One deal of a card: its boxes, the choices to make, and the readings tried."""

    written: Totals  # before it
    right: Totals
    carried: Totals
    best: _Reading
    hurried: bool  # whether the search ran out of time

    def __init__(self, shared: _Lines, number: int, *, boxes: list[list[_Box]]) -> None:
        self.shared, self.number, self.boxes = shared, number, boxes
        self.choices = list(self._choices())
        self.readings: dict[Chosen, _Reading] = {}

    # Choices

    def _choices(self) -> Iterator[_Choice]:
        fields = self.shared.form.fields
        for n, in_box in enumerate(self.shared.box_contents):
            column = [side[n] for side in self.boxes]
            if in_box.who:
                yield from (self._question_choice(question, in_box, column=column) for question in in_box.who)
            elif in_box.field not in {"", WRITTEN}:
                yield from (self._figure_choice(side, in_box, box=box) for side, box in enumerate(column))
            names = [name for shown in in_box.shows for name in (shown, *(f"{shown}_{n}" for n in self.shared.sides))]
            yield from (self._shown_choice(name) for name in names if name in fields)

    def _figure_choice(self, side: int, in_box: BoxContent, *, box: _Box) -> _Choice:
        name = f"{in_box.field}_{side}"
        signed = (getattr(self.shared.form.fields[name], "min_value", None) or 0) < 0
        choice = _Choice((name,), {side: box}, side, signed)
        for figure in box.figures(signed=signed):
            value = figure if figure is not None or in_box.optional else 0
            choice.add({name: value}, box.cell(value))
        return choice

    def _question_choice(self, question: str, in_box: BoxContent, *, column: list[_Box]) -> _Choice:
        """Who has something in this box, and what it is."""
        blank = [0.0 if len(in_box.who) > 1 else box.cell(None) for box in column]
        offers: list[tuple[float, Answers]] = []
        for answer in self._answers(question):
            if answer not in self.shared.sides:
                offers.append((sum(blank), {question: answer, in_box.field: None}))
                continue
            box, others_blank = column[answer], sum(blank) - blank[answer]
            if not in_box.field:
                offers.append((box.mark + others_blank, {question: answer}))
                continue
            values = self._answers(in_box.field) or [figure or 0 for figure in box.figures(signed=False)]
            offers += [(box.cell(value) + others_blank, {question: answer, in_box.field: value}) for value in values]
        choice = _Choice((question, in_box.field), dict(enumerate(column)))
        for ink, answers in sorted(offers, key=itemgetter(0), reverse=True)[:KEPT]:
            choice.add(answers, ink)
        return choice

    def _shown_choice(self, name: str) -> _Choice:
        choice = _Choice((name,), {})
        choice.add({name: self.shared.blank_values[name]}, 0.0)
        for answer in self._answers(name):
            choice.add({name: answer}, RARE)
        return choice

    def _answers(self, name: str) -> list[Any]:
        """The answers to a question of the form; none where it asks for a figure."""
        field = self.shared.form.fields.get(name)
        if isinstance(field, BooleanField):
            return [False, True]
        if not isinstance(field, ChoiceField):
            return []
        values = [getattr(value, "value", value) for value, _words in cast(Iterable[tuple[Any, Any]], field.choices)]
        return [field.clean(str(value)) for value in values if value != ""]

    # Readings

    def search(self, written: Totals, *, right: Totals, carried: Totals) -> None:
        """Try readings of the line, the likeliest first, after the totals as `written` and as they should be,
        `right`."""
        self.written, self.right, self.carried = written, right, carried
        self.best = base = self._try_reading((0,) * len(self.choices))
        changed, until = set[Chosen](), process_time() + LONGEST
        while base is self.best or (len(self.readings) < MOST and self.surprise > QUIET):
            changed.add(base.chosen)
            self._suggest_figures(base)
            for ways in (self._single_changes, self._combined_changes):
                for chosen in takewhile(lambda _chosen: process_time() < until, islice(ways(base), MOST)):
                    self.best = max(self.best, self._try_reading(chosen), key=attrgetter("score"))
            untried = [reading for reading in self.readings.values() if reading.chosen not in changed]
            self.hurried = process_time() >= until
            if self.hurried or not untried:
                break
            base = self.best if self.best in untried else max(untried, key=lambda other: other.score + other.slack)

    @property
    def surprise(self) -> float:
        """How much less likely the best reading is than the likeliest text of each box."""
        return sum(box.highest for side in self.boxes for box in side) - self.best.score

    def _single_changes(self, base: _Reading) -> Iterator[Chosen]:
        """A reading's choices with one changed, if that may come near the best."""
        for at, choice in enumerate(self.choices):
            chosen_ink = choice.inks[base.chosen[at]]
            for option, ink in enumerate(choice.inks):
                chosen = (*base.chosen[:at], option, *base.chosen[at + 1 :])
                near = base.score + base.slack + ink - chosen_ink >= self.best.score - WINDOW
                if near and chosen not in self.readings:
                    yield chosen

    def _combined_changes(self, base: _Reading) -> Iterator[Chosen]:
        """Two or three changed, if together they keep the points or make them what is written."""
        changed: list[tuple[float, int, int, Totals]] = []
        for at, choice in enumerate(self.choices):
            for option, ink in enumerate(choice.inks):
                reading = self.readings.get((*base.chosen[:at], option, *base.chosen[at + 1 :]))
                if option != base.chosen[at] and reading and reading.points and base.points:
                    difference = tuple(map(sub, reading.points, base.points))
                    changed.append((ink - choice.inks[base.chosen[at]], at, option, difference))
        by_points = grouped((change[-1], change) for change in changed)
        fitting = [{0, *off} if support < 0 else {0} for off, support in zip(base.off, base.support, strict=False)]
        targets = [difference for difference in product(*fitting) if any(difference) or base.slack < -SLIP]
        near = combinations(heapq.nlargest(FEW, changed), 2)
        for first in chain(zip(changed, strict=True), near):
            for target in targets:
                rest = target
                for change in first:
                    rest = tuple(map(sub, rest, change[-1]))
                for last in by_points.get(rest, ()):
                    inks, places, options, _points = zip(*first, last, strict=True)
                    near_best = base.score + base.slack + sum(inks) >= self.best.score - WINDOW
                    if near_best and len(set(places)) == len(places):
                        anew = dict(zip(places, options, strict=True))
                        chosen = tuple(anew.get(at, option) for at, option in enumerate(base.chosen))
                        if chosen not in self.readings:
                            yield chosen

    def _suggest_figures(self, base: _Reading) -> None:
        """Offer more figures: those with which the figures that follow would be as written, and those with which the
        sides' figures would add up to what they must."""
        wholes: dict[int, list[tuple[_Choice, int]]] = defaultdict(list)
        for at, choice in enumerate(self.choices):
            if choice.side is None:
                continue
            value = choice.options[base.chosen[at]][choice.names[0]] or 0
            for off in base.off[choice.side]:
                choice.add_figure(value + off)
                choice.add_figure(value - off)
            if whole := self.shared.form.fields[choice.names[0]].widget.attrs.get("data-whole"):
                wholes[int(whole)].append((choice, value))
        for whole, figures in wholes.items():
            off = whole - sum(value for _choice, value in figures)
            for choice, value in figures if off else ():
                choice.add_figure(value + off)

    def _try_reading(self, chosen: Chosen) -> _Reading:
        shared, form, inks, rare = self.shared, self.shared.form, 0.0, 0.0
        form.cleaned_data = {**shared.blank_values, "number": self.number}
        for choice, option in zip(self.choices, chosen, strict=True):
            form.cleaned_data.update(choice.options[option])
            inks += choice.inks[option]
            rare += 0.0 if choice.boxes else choice.inks[option]
        facts, family, rules = form.facts(), shared.family, shared.rules
        all_problems = check_in_game(family, facts, rules=rules, before=self.right, place=form.place_in_game())
        problems = tuple(problem for problem in all_problems if problem.severity.stops)
        price = IMPOSSIBLE * len(problems) + UNLIKELY * (len(all_problems) - len(problems))
        if any(problem.code in family.unscorable for problem in problems):
            reading = _Reading(chosen, inks + 2 * price, -2 * price, problems, off=((),) * len(self.boxes))
        else:
            score = score_deal(family, facts, rules=rules, carried=self.carried)
            sides = [self._judge_side(side, facts, score=score) for side in shared.sides]
            logs, slack, off, support = zip(*sides, strict=True)
            whole, most = sum(logs) + price + rare, sum(slack) - price
            reading = _Reading(chosen, whole, most, problems, score.totals, score.carried, off, support)
        self.readings[chosen] = reading
        return reading

    def _judge_side(self, side: int, facts: Any, *, score: Score) -> tuple[float, float, Collection[int], int]:
        """A deal by a side's boxes: log probability, slack, differences and support, as in `_Reading`."""
        columns, points = self.shared.columns, score.totals[side]
        cells, crossed = columns.cells(facts, score, side=side), columns.crossed(score, side)
        on_paper = () if columns.per_deal else columns.on_paper(facts, side=side, cells=cells, points=points)
        written = (*(on_paper or (*cells, points)), self.written[side] + points)
        total, slack, off, support = 0.0, 0.0, set[int](), list[int]()
        for n, (cell, box, in_box) in enumerate(zip(written, self.boxes[side], self.shared.box_contents, strict=True)):
            total += box.struck[n in crossed and isinstance(cell, int)]
            if in_box.follows or in_box.field == WRITTEN:
                follows = box.follows(cell)
                total, slack = total + follows.score, slack + box.highest - follows.score
                off.update(follows.off)
                support.append(follows.support)
            else:
                total += box.cell(cell)
        return total, slack, off, 1 if 1 in support else sum(support)

    # Results

    def near_best(self) -> list[_Reading]:
        near = [reading for reading in self.readings.values() if reading.score > self.best.score - WINDOW]
        return heapq.nlargest(KEPT, near, key=attrgetter("score"))

    def steps(self, before: Totals, reading: _Reading) -> Iterator[_Step]:
        """The totals that may be written after a reading: the likeliest of each side, or another one of one side."""
        score, sides = reading.score, []
        for side, boxes in enumerate(self.boxes):
            box = boxes[-1]
            points = reading.points[side] if reading.points else 0
            total = before[side] + points
            ways = [(box.text("") + LEFT_OUT, total, "")]
            ways += [(box.highest + SLIP, int(text), text) for text in box.texts[:1] if NUMBER.fullmatch(text)]
            if reading.points:
                score -= box.follows(self.written[side] + points).score
                ways.append((box.cell(total), total, str(total)))
            sides.append(sorted(ways, reverse=True))
        likely = [ways[0] for ways in sides]
        for side, ways in [(0, sides[0][:1]), *enumerate(ways[1:] for ways in sides)]:
            for way in ways:
                scores, after, texts = zip(*likely[:side], way, *likely[side + 1 :], strict=True)
                yield _Step(before, reading, after, texts, score + sum(scores))

    def reading(self, whole: Sequence[tuple[_Step, float]]) -> LineReading:
        """The likeliest reading, given for each step the log probability of the whole card with it."""
        every = _log_sum(score for _step, score in whole)
        weights = [(step, math.exp(score - every)) for step, score in whole]
        masses: dict[Chosen, float] = defaultdict(float)
        for step, weight in weights:
            masses[step.reading.chosen] += weight
        chosen = max(masses, key=lambda key: masses[key])
        best, _weight = max((pair for pair in weights if pair[0].reading.chosen == chosen), key=itemgetter(1))
        least = [SURE if sign > 0 else CERTAIN if sign < -1 else SURE_ALONE for sign in best.reading.support]
        strange = best.reading.problems or self.surprise > STRANGE or self.hurried
        least = [CERTAIN] * len(self.boxes) if strange else least
        far = {
            choice.side for at, choice in enumerate(self.choices) if choice.inks[chosen[at]] < max(choice.inks) - FAR
        }
        fields: dict[str, FieldReading] = {}
        for at, choice in enumerate(self.choices):
            answers, ink = choice.options[chosen[at]], choice.inks[chosen[at]]
            box = choice.box(answers)
            for name, value in answers.items():
                sure = sum(mass for key, mass in masses.items() if choice.options[key[at]].get(name) == value)
                unread = choice.side is not None and box is not None and "x" in box.texts[0]
                doubtful = (
                    unread or choice.side in far or sure < (min(least) if choice.side is None else least[choice.side])
                )
                empty = value is None or (best.reading.problems and box and box.texts[0] == "")
                text = "" if empty else str(value)
                fields[name] = FieldReading(text, doubtful, ink < max(choice.inks), box.place if box else None)
        for side, text in enumerate(best.texts):
            box = self.boxes[side][-1]
            sure = sum(weight for step, weight in weights if step.texts[side] == text)
            fields[f"{WRITTEN}_{side}"] = FieldReading(text, sure < least[side], text != box.texts[0], box.place)
        return LineReading(self.number, {name: read for name, read in fields.items() if name}, best.reading.problems)
