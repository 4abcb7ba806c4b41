"""Made-up inks: how a reader of figures might see what is written on a card, and err, without any picture.

Each sign is seen as it is or as another, by what is confused with what; a quality that the ink knows says how often.
Signs get lost too. The probabilities that such an ink gives are right on the average.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from clubsite.accounts.models import Club
from lab.simulation.deals import true_deal
from scoring.cards.queries import Card
from scoring.engine.core.family import score_deal
from scoring.engine.core.game import progress
from scoring.engine.core.ledger import Score
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.families import PAGES
from scoring.families.family_pages import ROWS, WRITTEN, Cell
from scoring.models import Game, HouseRules, Side

SIGNS = "0123456789-x"
ALIKE = ("17", "49", "38", "35", "58", "06", "27", "1-", "4x", "79")
QUALITIES = (0.004, 0.03, 0.2)  # how often a sign is taken for another: written clearly, hastily, badly
LOST, NEW = 0.004, 0.001  # a sign isn't seen; one is seen that isn't there

Place = tuple[int, int]


def _confusion(error: float) -> dict[str, dict[str, float]]:
    """For each sign, how probably it is seen as which."""
    table = {}
    for sign in SIGNS:
        alike = {other for pair in ALIKE if sign in pair for other in pair} - {sign}
        weights = {other: (8.0 if other in alike else 0.3) for other in SIGNS if other != sign}
        whole = sum(weights.values())
        table[sign] = {sign: 1 - error} | {other: error * weight / whole for other, weight in weights.items()}
    return table


CONFUSION = [_confusion(error) for error in QUALITIES]


@dataclass(frozen=True)
class MadeUpInk:
    """The ink of one box: the signs that were seen, with the quality of each."""

    seen: tuple[tuple[str, int], ...]
    struck: float = 0.0

    @cached_property
    def _known(self) -> dict[str, float]:
        likely = [sorted(SIGNS, key=lambda sign: -CONFUSION[q][sign][seen])[:4] for seen, q in self.seen]
        texts = {"".join(signs) for signs in product(*likely)}
        texts |= {
            text[:at] + sign + text[at:] for text in [*texts][:60] for at in range(len(text) + 1) for sign in SIGNS
        }
        texts |= {text[:at] + text[at + 1 :] for text in [*texts][:60] for at in range(len(text))} | {""}
        return {text: self._raw(text) for text in sorted(texts)}

    @cached_property
    def _whole(self) -> float:
        return math.log(sum(math.exp(value) for value in self._known.values()))

    def _raw(self, text: str) -> float:
        if text == "":
            return math.log(1.0 if not self.seen else 1e-4 if len(self.seen) == 1 else 1e-6)
        found = [1e-13]
        if len(text) == len(self.seen):
            found.append(self._product(text, self.seen))
        if len(text) == len(self.seen) + 1:
            found += [LOST / 12 * self._product(text[:at] + text[at + 1 :], self.seen) for at in range(len(text))]
        if len(text) == len(self.seen) - 1:
            found += [NEW * self._product(text, self.seen[:at] + self.seen[at + 1 :]) for at in range(len(self.seen))]
        return math.log(sum(found))

    @staticmethod
    def _product(text: str, seen: Sequence[tuple[str, int]]) -> float:
        return math.prod(CONFUSION[q][sign][shown] for sign, (shown, q) in zip(text, seen, strict=True))

    @property
    def blank(self) -> float:
        return math.exp(self.log_probability(""))

    def log_probability(self, text: str) -> float:
        return (self._known[text] if text in self._known else self._raw(text)) - self._whole

    def best(self, n: int = 5) -> list[tuple[str, float]]:
        texts = sorted(self._known, key=lambda text: -self._known[text])[: n - 1]
        return [(text, self.log_probability(text)) for text in dict.fromkeys([*texts, ""])]


def see_text(text: str, rng: Random, *, bad: float = 0.15, struck: bool = False) -> MadeUpInk:
    """A text as an ink sees it; `bad` of the signs are written badly, twice as many hastily."""
    signs = []
    for sign in text:
        quality = rng.choices((0, 1, 2), (1 - 3 * bad, 2 * bad, bad))[0]
        if rng.random() < LOST and len(text) > 1:
            continue
        table = CONFUSION[quality][sign]
        signs.append((rng.choices([*table], [*table.values()])[0], quality))
    return MadeUpInk(tuple(signs), 0.95 if struck else 0.03 if text else 0.0)


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """One deal as it was played, and as its scorer wrote it: the texts of each side's boxes, and which are struck."""

    facts: Any
    score: Score
    texts: tuple[tuple[str, ...], ...]
    struck: tuple[tuple[bool, ...], ...]


@dataclass(frozen=True)
class MadeUpGame:
    """A game that is in no database, as far as a card and its form ask."""

    rules: HouseRules
    engine_rules: Any
    per_side: int
    sides: SimpleNamespace

    def __int__(self) -> int:
        return 0  # no game's key: a form that asks for its void deals finds none


def blank_card(slug: str, shape: Shape | None = None) -> Card:
    """A card without deals, of a game that is in no database."""
    rule_set = shipped()[slug]
    shape = shape or rule_set.shapes[0]
    names = [[f"P{side}{seat}" for seat in range(shape.per_side)] for side in range(shape.sides)]
    sides = [Side(number=n, names=own) for n, own in enumerate(names)]
    rules = rules_of(rule_set, shape)
    game = MadeUpGame(HouseRules.of(Club(), rule_set), rules, shape.per_side, SimpleNamespace(all=lambda: sides))
    columns = PAGES[rule_set.family].columns(rules)
    return Card(
        cast(Game, game),
        columns.items,
        columns.per_deal,
        tuple(sides),
        (),
        "playing",
        "",
        "",
        None,
        None,
        signed=False,
        before_deal="",
    )


def write_game(card: Card, rng: Random, *, slips: float = 0.0, deals: int = ROWS) -> list[WrittenLine]:
    """A true game to its end, and its lines as a scorer writes them, who makes a slip in so many of the totals."""
    rules, family = card.game.engine_rules, card.game.rules.family
    pages = PAGES[family.slug]
    columns, boxes = pages.columns(rules), pages.boxes(rules)
    most = min(deals, len(boxes.columns) if columns.per_deal else len(boxes.leads))
    right = written = tuple(side.start for side in card.sides)
    lines: list[WrittenLine] = []
    while len(lines) < most and not progress([line.score for line in lines], rules).over:
        facts = true_deal(family, rng, rules, deals_before=len(lines), before=right)
        score = score_deal(family, facts, rules=rules, carried=lines[-1].score.carried if lines else ())
        right = tuple(map(sum, zip(right, score.totals, strict=True)))
        slip = [rng.choice((-100, -10, -2, -1, 1, 2, 10, 100)) if rng.random() < slips else 0 for _side in right]
        written = tuple(map(sum, zip(written, score.totals, slip, strict=True)))
        texts, struck = [], []
        for side, points in enumerate(score.totals):
            cells = columns.cells(facts, score, side=side)
            crossed = columns.crossed(score, side)
            on_paper = (*cells, points)
            if not columns.per_deal:
                on_paper = columns.on_paper(facts, side=side, cells=cells, points=points)
            texts.append(tuple(_by_hand(cell, rng) for cell in (*on_paper, written[side])))
            struck.append((*(n in crossed and isinstance(cell, int) for n, cell in enumerate(on_paper)), False))
        lines.append(WrittenLine(facts, score, tuple(texts), tuple(struck)))
    return lines


def _by_hand(cell: Cell, rng: Random) -> str:
    """What a scorer writes for it, in signs that an ink knows: a cross for a word, something for a letter."""
    if isinstance(cell, int):
        return rng.choices(("0", "-", ""), (0.8, 0.1, 0.1))[0] if cell == 0 else str(cell)
    words = str(cell or "").replace("\N{MINUS SIGN}", "-").removeprefix("+")
    if words.removeprefix("-").isdecimal():
        return words
    if " + " in words:
        return words.split(" + ")[0]
    figures = words[: len(words) - len(words.lstrip("0123456789"))]
    return figures + rng.choice("4806x") if figures else "x" if words else ""


def true_fields(card: Card, line: WrittenLine) -> dict[str, str]:
    """What the form's fields should say that the boxes tell."""
    shared = PAGES[card.game.rules.family.slug]
    values = shared.form(game=card.game, number=1).field_values(line.facts)
    truth: dict[str, str] = {}
    for side, texts in enumerate(line.texts):
        for in_box, text in zip(shared.box_contents(card.game.engine_rules), texts, strict=True):
            if in_box.who:
                named = [name for name in (*in_box.who, in_box.field) if name]
                truth |= {name: str(getattr(values.get(name, ""), "value", values.get(name, ""))) for name in named}
            elif in_box.field:
                nothing = "" if in_box.optional or in_box.field == WRITTEN else "0"
                truth[f"{in_box.field}_{side}"] = "0" if text == "-" else text or nothing
    return truth


def card_inks(card: Card, lines: Sequence[WrittenLine], rng: Random, *, bad: float = 0.15) -> Mapping[Place, MadeUpInk]:
    return {place: see_text(text, rng, bad=bad, struck=struck) for place, text, struck in written_boxes(card, lines)}


def written_boxes(card: Card, lines: Sequence[WrittenLine]) -> Iterator[tuple[Place, str, bool]]:
    per_side = len(PAGES[card.game.rules.family.slug].boxes(card.game.engine_rules).columns)
    for deal, line in enumerate(lines):
        for side, texts in enumerate(line.texts):
            for n, text in enumerate(texts):
                column, row = (deal, n) if card.per_deal else (n, deal)
                yield (side * per_side + column, row), text, line.struck[side][n]
