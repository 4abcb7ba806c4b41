"""The letters that make a name, and the order of names in all lists that people read."""

from __future__ import annotations

import re
import unicodedata
from typing import TypeAlias

from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

# Letters that don't come apart into a letter and a sign
PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"})
OWN_LETTER = str.maketrans({"ñ": "nʒ"})  # comes after every other n: it is a letter of its own

ADDRESS = re.compile(r"\S[@\uff20]\S")
NO_ADDRESS = _("This is an e-mail address. Write the person's name: names are shown to everybody.")

SortKey: TypeAlias = tuple[tuple[str, ...], str]


def folded(name: str) -> tuple[str, ...]:
    """The words of a name without capitals, accents and signs.

    >>> folded("Kowalczyk, Agnès"), folded("O'Brien-Lee  Łucja")
    (('kowalczyk', 'agnes'), ('obrien', 'lee', 'lucja'))
    """
    letters = unicodedata.normalize("NFKD", name.casefold().translate(PLAIN))
    bare = "".join(ch for ch in letters if not unicodedata.combining(ch) and ch not in "'’.")
    return tuple("".join(ch if ch.isalnum() else " " for ch in bare).split())


def is_address(text: str) -> bool:
    """Whether there is an e-mail address in a text; then it is nobody's name, as names are published.

    >>> is_address("ann@example.org"), is_address("Ann <ann@example.org>"), is_address("Ann @ home")
    (True, True, False)
    """
    return bool(ADDRESS.search(text))


def slug_of(name: str, *, between: str = "-") -> str:
    """A name for addresses, files and log-ins: plain small letters and figures, no letter lost.

    >>> slug_of("Emile Weiß"), slug_of("Łucja Ørsted", between=".")
    ('emile-weiss', 'lucja.orsted')
    """
    return between.join(slugify(name.lower().translate(PLAIN)).replace("_", "-").split("-"))


def found_by(name: str, search: str) -> bool:
    """Whether every word of a search is a part of a word of the name, without capitals and accents.

    >>> found_by("María Rodríguez-Villanueva", "villa mar"), found_by("Mary Lee", "maria")
    (True, False)
    """
    parts = folded(name)
    return all(any(word in part for part in parts) for word in folded(search))


def in_order(name: str) -> SortKey:
    """What a name is sorted by: its words without capitals and accents, then the name as it stands.

    It is the same in every language, so that kept results don't change with whoever reads them.

    >>> sorted(["Rosa", "de la Cruz", "Ñáñez", "Nuria", "Ángel", "Dora", "Mary", "María"], key=in_order)
    ['Ángel', 'de la Cruz', 'Dora', 'María', 'Mary', 'Nuria', 'Ñáñez', 'Rosa']
    """
    return folded(unicodedata.normalize("NFC", name).casefold().translate(OWN_LETTER)), name
