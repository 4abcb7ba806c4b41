"""Which names sound like one person: what a slip of the pen or of the ear makes of a name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import permutations
from operator import itemgetter
from typing import Generic, TypeVar

from rapidfuzz.distance import OSA

from clubsite.names import folded

Who = TypeVar("Who")

LONG = 8  # letters of a word that may differ in two of them
MOST_WORDS = 4  # up to so many words, every order is tried


class ByEar(Generic[Who]):
    """People by the sound of their names; somebody may be there by more than one.

    >>> people = ByEar([("Kowalczyk Agnès", 1), ("Agnes Kowalski", 2), ("Gary Smith", 3)])
    >>> people.nearest("Agnes Kowalcyk"), people.nearest("Mary Smith")
    (1, None)
    """

    def __init__(self, people: Iterable[tuple[str, Who]] = ()) -> None:
        self._people = defaultdict[str, list[tuple[tuple[str, ...], Who]]](list)  # by initials: few are compared
        for name, who in people:
            self.add(name, who)

    def add(self, name: str, who: Who) -> None:
        """Somebody more, of this name."""
        words = folded(name)
        self._people[_initials(words)].append((words, who))

    def nearest(self, name: str) -> Who | None:
        """Who may be the same person: of several the nearest, then who was added first; None where nobody may.

        Every word has to be like a word of the other: the same, an initial of it, or with one wrong letter (two in a
        long word) behind the same first letter. The order of words doesn't matter.
        """
        words = folded(name)
        people = self._people.get(_initials(words), ())
        found = [(far, who) for other, who in people if (far := _distance(words, other)) is not None]
        return min(found, key=itemgetter(0))[1] if found else None


def _distance(one: tuple[str, ...], other: tuple[str, ...]) -> int | None:
    """How many letters differ at the best order of words; None where they can't be one person."""
    if len(one) != len(other) or not one:
        return None
    if sorted(one) == sorted(other):
        return 0
    if len(one) == 1 and len(min(one[0], other[0], key=len)) < 4:
        return None  # "Ann" and "Ana" alone say too little
    orders = permutations(other) if len(other) <= MOST_WORDS else [other]
    distances = [_words(one, order) for order in orders]
    return min((far for far in distances if far is not None), default=None)


def _words(one: Sequence[str], other: Sequence[str]) -> int | None:
    far = 0
    for a, b in zip(one, other, strict=True):
        if a == b:
            continue
        if a[0] != b[0] or any(ch.isdigit() for ch in a + b):
            return None  # numbers tell people apart
        if 1 in (len(a), len(b)):
            far += 1  # an initial
            continue
        most = 2 if max(len(a), len(b)) >= LONG else 1
        differ = OSA.distance(a, b, score_cutoff=most)
        if differ > most:
            return None
        far += differ
    return far if far <= 3 else None


def _initials(words: Sequence[str]) -> str:
    return "".join(sorted(word[0] for word in words))
