"""Seating a contest: entries at tables of one or more groups, with those kept apart who have met.

A group plays one game (three people at three-handed pinochle, six at Hand and Foot). If the number doesn't fit, as few
groups as possible have another size than the usual one: one that the rule set allows, as near to the usual as possible.
Then the groups get as few tables as possible, filled as evenly as possible. So 54 at groups of three are nine tables of
two groups; 51 are eight such tables and one single group; 53 don't fit groups of three, but fit groups of three and
four.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from random import Random

from scoring.engine.core.ledger import named
from tournaments.engine.draws.starts import shuffled
from tournaments.engine.rounds import EngineRefused, grouped

MET_AT_TABLE, MET_IN_GROUP = 1, 3  # what it costs that two who have met share a table, or even a group
EXCHANGES, FOR_EACH = 40_000, 20  # exchanges to try at most to keep people apart: in all, and for each pair of places


class ContestRefused(EngineRefused):
    """There is no such seating."""


class DoesNotFit(ContestRefused):
    """The number of entries can't be split into groups of the allowed sizes. It can with `add` more or `remove` fewer;
    None: no such number is near."""

    def __init__(self, entries: int, sizes: Sequence[int], *, add: int | None, remove: int | None) -> None:
        args = named(entries=entries, sizes=", ".join(map(str, sizes)))
        args += named(add=add) if add is not None else ()
        args += named(remove=remove) if remove is not None else ()
        super().__init__("contest.does-not-fit", args)
        self.add = add
        self.remove = remove


@dataclass(frozen=True, slots=True)
class TableDraw:
    """A table's groups, each with its entries in the order of their seats."""

    number: int  # from 1
    groups: tuple[tuple[int, ...], ...]

    @property
    def entries(self) -> tuple[int, ...]:
        return tuple(entry for group in self.groups for entry in group)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The most people at a table, the usual size of a group, and `others` that the rule set allows."""

    table: int = 6
    group: int = 3
    others: Sequence[int] = ()

    @property
    def group_sizes(self) -> list[int]:
        return sorted({size for size in (self.group, *self.others) if 0 < size <= self.table}, reverse=True)


USUAL = Sizes()


def draw_contest(
    entries: Sequence[int],
    *,
    seed: int,
    sizes: Sizes = USUAL,
    apart: Sequence[Sequence[int]] = (),
    ranked: Sequence[int] = (),
) -> tuple[TableDraw, ...]:
    """Draw the tables of a stage.

    `apart` has sets of entries that have met, such as the tables of an earlier stage: as few of their pairs as possible
    share a table, even fewer a group. A pair in two sets counts twice. The order of entries and sets doesn't matter:
    the same seed gives the same draw.

    `ranked`, all entries from best to last, seeds the draw: each group gets one of the best (as many as there are
    groups), one of the next best, and so on, by lot and so that people are kept apart.

    Raises DoesNotFit: no groups of these sizes add up to the number of entries. ContestRefused: an entry is named
    twice. ValueError: `ranked` doesn't have the same entries."""
    for entry in entries:
        if entries.count(entry) > 1:
            raise ContestRefused("contest.named-twice", named(entry=entry))
    tables = table_sizes(len(entries), sizes)
    if ranked and sorted(ranked) != sorted(entries):
        raise ValueError("those ranked aren't the entries")
    random = Random(seed).random
    seats = [(t, g) for t, groups in enumerate(tables) for g, size in enumerate(groups) for _ in range(size)]
    pots = [n if ranked else 0 for groups in tables for size in groups for n in range(size)]
    drawn = _draw_from_pots(ranked or sorted(entries), pots, random=random)
    _keep_apart(drawn, seats, pots=pots, apart=apart, random=random)
    by_group = grouped(zip(seats, drawn, strict=True))
    return tuple(
        TableDraw(t + 1, tuple(tuple(by_group[t, g]) for g in range(len(groups)))) for t, groups in enumerate(tables)
    )


def table_sizes(entries: int, sizes: Sizes = USUAL) -> tuple[tuple[int, ...], ...]:
    """The sizes of the groups at each table, fullest tables first, by the rule in the module's docstring.

    >>> table_sizes(51)[-2:]
    ((3, 3), (3,))
    >>> table_sizes(50, Sizes(group=6, others=(4, 5)))
    ((6,), (6,), (6,), (6,), (6,), (6,), (6,), (4,), (4,))

    Raises:
        DoesNotFit: as for `draw_contest`.
    """
    table_size, allowed = sizes.table, sizes.group_sizes
    groups = _group_sizes(entries, sizes.group, sizes=allowed)
    if groups is None:
        near = range(1, 2 * table_size + 1)
        add = next((n for n in near if _group_sizes(entries + n, sizes.group, sizes=allowed)), None)
        remove = next((n for n in near if n < entries and _group_sizes(entries - n, sizes.group, sizes=allowed)), None)
        raise DoesNotFit(entries, allowed, add=add, remove=remove)
    fewest = -(-entries // table_size)
    for count in range(fewest, len(groups) + 1):
        tables: list[list[int]] = [[] for _ in range(count)]
        for size in groups:  # the largest first, each where there is most room
            emptiest = min(tables, key=sum)
            if sum(emptiest) + size > table_size:
                break
            emptiest.append(size)
        else:
            return tuple(tuple(table) for table in sorted(tables, key=sum, reverse=True))
    raise AssertionError("one group to a table always fits")  # pragma: no cover - so it can't come to this


def count_meetings_again(tables: Sequence[TableDraw], apart: Sequence[Sequence[int]]) -> int:
    """How many of the pairs to be kept apart share a table; a pair counts once."""
    return count_pairs_again({entry: table.number for table in tables for entry in table.entries}, apart)


def count_pairs_again(table_of: Mapping[int, int], apart: Iterable[Sequence[int]]) -> int:
    """How many of the pairs that sat together before share a table again; a pair counts once. `table_of` maps an entry
    to its table.

    >>> count_pairs_again({1: 1, 2: 1, 3: 2}, [[1, 2], [2, 1], [1, 3]])
    1
    """
    pairs = {frozenset(pair) for met in apart for pair in combinations(set(met), 2) if table_of.keys() >= set(pair)}
    return sum(len({table_of[entry] for entry in pair}) == 1 for pair in pairs)


def _group_sizes(entries: int, usual: int, *, sizes: Sequence[int]) -> list[int] | None:
    """Sizes that add up to the entries, largest first: the fewest unusual ones, then those nearest the usual size."""
    odd: dict[int, tuple[int, int, tuple[int, ...]]] = {0: (0, 0, ())}  # the best unusual groups by number of people
    for total in range(1, entries + 1):
        options = [
            (count + 1, off + (size - usual) ** 2, tuple(sorted((*used, size), reverse=True)))
            for size in sizes
            if size != usual and total - size in odd
            for count, off, used in (odd[total - size],)
        ]
        if options:
            odd[total] = min(options)
    fits = [fit for total, fit in odd.items() if usual in sizes and (entries - total) % usual == 0]
    if not fits or entries < 1:
        return None
    used = min(fits)[2]
    return sorted([usual] * ((entries - sum(used)) // usual) + list(used), reverse=True)


def _draw_from_pots(ordered: Sequence[int], pots: Sequence[int], *, random: Callable[[], float]) -> list[int]:
    """Entries by seat. `pots` has each seat's pot: the first entries are drawn to the seats of pot 0, the next to those
    of pot 1, and so on."""
    drawn, left = [0] * len(ordered), iter(ordered)
    for _pot, seats in sorted(grouped((pot, seat) for seat, pot in enumerate(pots)).items()):
        for seat, entry in zip(seats, shuffled(islice(left, len(seats)), random), strict=True):
            drawn[seat] = entry
    return drawn


def _keep_apart(
    drawn: list[int],
    seats: Sequence[tuple[int, int]],
    *,
    pots: Sequence[int],
    apart: Sequence[Sequence[int]],
    random: Callable[[], float],
) -> None:
    """Exchange seats within pots while that keeps more people apart who have met. Exchanges that make no difference are
    made too, as they lead out of dead ends."""
    place = {entry: i for i, entry in enumerate(drawn)}
    met: dict[int, Counter[int]] = {entry: Counter() for entry in drawn}
    for together in apart:
        for a, b in permutations(set(together) & place.keys(), 2):
            met[a][b] += 1

    def cost(entry: int, seat: tuple[int, int], *, without: int) -> int:
        total = 0
        for other, times in met[entry].items():
            other_seat = seats[place[other]]
            if other != without and other_seat[0] == seat[0]:
                total += times * (MET_IN_GROUP if other_seat == seat else MET_AT_TABLE)
        return total

    left = sum(cost(entry, seats[i], without=entry) for i, entry in enumerate(drawn))
    for _ in range(min(EXCHANGES, FOR_EACH * len(drawn) ** 2) if left else 0):
        i, j = int(random() * len(drawn)), int(random() * len(drawn))
        if pots[i] != pots[j]:
            continue
        a, b = drawn[i], drawn[j]
        before = cost(a, seats[i], without=b) + cost(b, seats[j], without=a)
        extra = cost(a, seats[j], without=b) + cost(b, seats[i], without=a) - before
        if extra <= 0 and i != j:
            drawn[i], drawn[j], place[a], place[b] = b, a, j, i
            left += 2 * extra
            if not left:
                break
