"""How wide words are in a picture, and names that are made shorter where they would be too wide."""

from __future__ import annotations

import unicodedata

from clubsite.names import initials
from clubsite.paper.typeface import advances

ELLIPSIS = "…"
OTHER_TYPE = 1.15  # letters that the typeface lacks come from Noto Sans, which runs wider


def width_of(words: str, *, weight: int = 400) -> float:
    """The width of words in ems, from the typeface's own files."""
    known = advances(weight)
    widest = known["W"]

    def width(letter: str) -> float:
        if letter in known:
            return known[letter]
        if unicodedata.combining(letter):
            return 0.0
        plain = unicodedata.normalize("NFD", letter)[0]
        return OTHER_TYPE * known.get(plain, widest)

    return sum(width(letter) for letter in unicodedata.normalize("NFC", words))


def clipped(words: str, room: float, *, weight: int = 400) -> str:
    """Words that are no wider than `room` ems: whole, or cut with an ellipsis, after a whole word where most of the
    room is used then.

    >>> clipped("Agnes Kowalczyk", 20), clipped("Agnes Kowalczyk", 4.5)
    ('Agnes Kowalczyk', 'Agnes K…')
    """
    words = unicodedata.normalize("NFC", " ".join(words.split()))
    if width_of(words, weight=weight) <= room:
        return words
    left = room - width_of(ELLIPSIS, weight=weight)
    kept = words
    while kept and width_of(kept, weight=weight) > left:
        kept = kept[:-1]
    while kept and unicodedata.combining(words[len(kept)]):  # a letter goes with its accents
        kept = kept[:-1]
    return kept.rstrip(" -,.'’") + ELLIPSIS


def name_within(name: str, room: float, *, weight: int = 400) -> str:
    """A name that is no wider than `room` ems: whole, or with the initial of each person's first name, or as initials.
    One word that is too wide is cut.

    >>> name_within("Agnes Kowalczyk", 20), name_within("Agnes Kowalczyk", 7), name_within("Agnes Kowalczyk", 3)
    ('Agnes Kowalczyk', 'A. Kowalczyk', 'A. K.')
    >>> name_within("Maria de la Cruz & Łucja O'Brien", 14)
    "M. de la Cruz & Ł. O'Brien"
    """
    people = name.split(" & ")
    shorter = (name, *(" & ".join(map(way, people)) for way in (_with_initial, _as_initials)))
    fitting = (words for words in shorter if width_of(words, weight=weight) <= room)
    return next(fitting, clipped(name, room, weight=weight))


def _with_initial(person: str) -> str:
    first, _, rest = person.partition(" ")
    return f"{initials(first)} {rest}" if rest else person


def _as_initials(person: str) -> str:
    return initials(person) if " " in person else person
