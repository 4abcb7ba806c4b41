"""Things put together by what they have in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> defaultdict[K, list[V]]:
    """The values of each key, keys and values in the order in which they come; none for any other key.

    >>> dict(grouped([("a", 1), ("b", 2), ("a", 3)]))
    {'a': [1, 3], 'b': [2]}
    """
    found: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return found


def joined(items: Iterable[T], touched: Callable[[T], Iterable[object]]) -> list[list[T]]:
    """The items in groups, so that those of two groups touch nothing in common.

    >>> joined(["ab", "cd", "e", "bc"], touched=set)
    [['e'], ['ab', 'cd', 'bc']]
    """
    groups: list[tuple[set[object], list[T]]] = []
    for item in items:
        own = set(touched(item))
        near = [group for group in groups if own & group[0]]
        groups = [group for group in groups if not own & group[0]]
        groups.append((own.union(*(all_of for all_of, _group in near)), [*(o for _all, g in near for o in g), item]))
    return [group for _all_of, group in groups]
