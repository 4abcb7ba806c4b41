"""Who sat where in a round, what people wish of a draw, and the tables for a number of people.

Table and seat numbers count from 1.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias, TypeVar

from scoring.engine.core.ledger import Args, named

SEEDS = 1_000_000  # a seed is a number of six digits, so that it can be read out
Side: TypeAlias = tuple[int, ...]  # ids of those who score together
Table: TypeAlias = tuple[Side, ...]  # the sides at one table


class EngineRefused(ValueError):
    """What was asked for can't be made; has a code and its arguments."""

    def __init__(self, code: str, args: Args = ()) -> None:
        super().__init__(code, args)
        self.code = code
        self.arguments = args


@dataclass(frozen=True, slots=True)
class SeatedRound:
    """A round, drawn or played. Those at no table and in no sit-out were absent."""

    tables: tuple[Table, ...]  # the first is table 1
    sit_outs: tuple[int, ...] = ()
    walkovers: tuple[tuple[Side, Side], ...] = ()  # matches without a table: who wins, and who isn't there
    # ... (those who win are among the sit-outs)

    @property
    def seated(self) -> tuple[int, ...]:
        return tuple(person for table in self.tables for side in table for person in side)


@dataclass(frozen=True, slots=True)
class DrawWish:
    """What a draw should respect. If a hard wish can't be met the draw is refused; the draw says which others are met.

    "always": the two are partners whenever they play, and sit out together. "never": the two are never partners.
    "once": the two are partners in at least one round. "apart": the two never share a table. "stay": somebody keeps one
    table, the numbered one if given, and perhaps a seat there. "host": "stay" at a numbered table, and no sit-out."""

    kind: str
    people: tuple[int, ...]  # two, or one for "stay" and "host"
    hard: bool = True
    table: int | None = None
    seat: int | None = None


PAIR_WISHES = ("always", "never", "once", "apart")
PLACE_WISHES = ("stay", "host")


Shape: TypeAlias = tuple[int, ...]  # the sizes of the sides at a table: (2, 2), (3, 3), (1, 1, 1)

MOST_ODD = 2  # tables of another size than the usual one, at most
ODD: dict[str, int] = {"sit-out": 0, "three": 3, "four": 4, "five": 5, "six": 6}  # choice: people at an odd table


class DrawRefused(EngineRefused):
    """There is no such draw."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The tables of a round, those of the usual size first, and the number of sit-outs."""

    shapes: tuple[Shape, ...]
    sit_outs: int

    @property
    def alike(self) -> bool:
        return not self.sit_outs and len(set(self.shapes)) == 1


def layout(people: int, *, table: int = 4, side: int = 2, odd: str = "sit-out") -> Layout:
    """The tables for that many people: as few sit-outs as possible, then as few odd tables (two at most).

    An odd table of six is three against three (at individual games six single people), one of four two against two,
    one of three or five is played by single people.

    >>> layout(22)
    Layout(shapes=((2, 2), (2, 2), (2, 2), (2, 2), (2, 2)), sit_outs=2)
    >>> layout(22, odd="six").shapes[-2:]
    ((2, 2), (3, 3))
    >>> layout(54, table=6, side=3) == Layout(((3, 3),) * 9, 0)
    True

    Raises:
        DrawRefused: there is no such table, or fewer people than one table takes.
    """
    if not 3 <= table <= 6 or side < 1 or side >= table or table % side:
        raise DrawRefused("draw.no-such-table", named(table=table, side=side))
    size = ODD[odd]
    options = [
        ((people - count * size) % table, count)
        for count in range(1 + MOST_ODD if size not in (0, table) else 1)
        if count * size <= people and people - ((people - count * size) % table) >= min(table, size or table)
    ]
    if not options:
        raise DrawRefused("draw.too-few", named(people=people, least=table if not size else min(table, size)))
    sit_outs, count = min(options)
    usual = (people - count * size) // table
    odd_side = size // 2 if side > 1 and size in (4, 6) else 1
    return Layout((_side_sizes(table, side),) * usual + (_side_sizes(size, odd_side),) * count, sit_outs)


def round_layout(seats: SeatedRound) -> Layout:
    """The tables of a round that was drawn.

    >>> round_layout(SeatedRound((((0, 1), (2, 3)), ((4,), (5,), (6,))), sit_outs=(7,)))
    Layout(shapes=((2, 2), (1, 1, 1)), sit_outs=1)
    """
    return Layout(tuple(tuple(map(len, table)) for table in seats.tables), len(seats.sit_outs))


def at_tables(seating: Sequence[int], shapes: Sequence[Shape]) -> tuple[Table, ...]:
    """The sides at each table, from people (or anything else) by seat, table after table, without those left over.

    >>> at_tables(range(8), ((2, 2), (1, 1, 1)))
    (((0, 1), (2, 3)), ((4,), (5,), (6,)))
    """
    left = iter(seating)
    return tuple(tuple(tuple(islice(left, size)) for size in shape) for shape in shapes)


def _side_sizes(table: int, side: int) -> Shape:
    return (side,) * (table // side)


T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> defaultdict[K, list[V]]:
    """The values of each key, in the order in which keys and values come; an empty list for any other key.

    >>> dict(grouped([("a", 1), ("b", 2), ("a", 3)]))
    {'a': [1, 3], 'b': [2]}
    """
    groups: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


def connected_groups(items: Iterable[T], touched: Callable[[T], Iterable[object]]) -> list[list[T]]:
    """The items in groups, so that items of different groups touch nothing in common.

    >>> connected_groups(["ab", "cd", "e", "bc"], touched=set)
    [['e'], ['ab', 'cd', 'bc']]
    """
    groups: list[tuple[set[object], list[T]]] = []
    for item in items:
        marks = set(touched(item))
        near = [group for group in groups if marks & group[0]]
        groups = [group for group in groups if not marks & group[0]]
        groups.append((marks.union(*(all_of for all_of, _group in near)), [*(o for _all, g in near for o in g), item]))
    return [group for _all_of, group in groups]
