"""Which names sound like one person: what a slip of the pen or of the ear makes of a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from rapidfuzz.distance import OSA

from clubsite.accounts.names.order import folded

SAME, OTHER = "same", "other"  # what is said of a name that sounds like somebody's: it is that person, or somebody else
LONG = 8  # letters of a word that may differ in two of them
MOST_WORDS = 4  # up to so many words, every order is tried


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody a name can be compared with."""

    key: int
    name: str
    words: tuple[str, ...]
    initials: str


def beside(key: int, name: str) -> Known:
    """A key and a name made ready to be compared."""
    words = folded(name)
    return Known(key, name, words, _initials(words))


def known(people: Iterable[tuple[int, str]]) -> list[Known]:
    """Keys and names made ready to be compared."""
    return [beside(key, name) for key, name in people]


def sounds_like(name: str, people: Iterable[Known]) -> Known | None:
    """The nearest of those who may be the same person, or None.

    Every word has to be like a word of the other: the same, an initial of it, or with one wrong letter (two in a
    long word) behind the same first letter. The order of words doesn't matter.

    >>> near = sounds_like("Agnes Kowalcyk", known([(1, "Kowalczyk Agnès"), (2, "Agnes Kowalski")]))
    >>> near.name if near else None
    'Kowalczyk Agnès'
    >>> sounds_like("Mary Smith", known([(1, "Gary Smith"), (2, "Mary Jones")])) is None
    True
    """
    words = folded(name)
    initials = _initials(words)
    near = (one for one in people if one.initials == initials)  # few, so that long lists are compared fast
    found = [(far, one) for one in near if (far := _distance(words, one.words)) is not None]
    return min(found, key=lambda each: (each[0], each[1].key))[1] if found else None


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
