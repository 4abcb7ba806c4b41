"""Names found in text and something else put in their place: initials on public pages, nobody's name in what is kept of
somebody who was erased."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

TAG = re.compile(r"(<[^>]*>)")
SPOKEN = re.compile(r'((?:aria-label|title|alt|content)=")([^"]*)')  # attributes that people read or hear
ACCENTS = r"\u0300-\u036f"


class Names:
    """Whole names and what goes in their place. Neither capitals nor the way in which an accent is written matter.

    `others` are names that stay: where one of them holds a name that goes, it is left alone.

    >>> Names({"Ann": "A."}, ["Ann Lee"]).text("Ruth for Ann; ann's card; Ann Lee; Annette; Ann-Marie")
    "Ruth for A.; A.'s card; Ann Lee; Annette; Ann-Marie"
    """

    def __init__(self, instead: Mapping[str, str], others: Iterable[str] = ()) -> None:
        self.instead = {caseless(name): new for name, new in instead.items() if name.strip()}
        goes = tuple(self.instead)
        self.others = {
            other for other in map(caseless, others) if any(name in other for name in goes)
        } - self.instead.keys()

    def __bool__(self) -> bool:
        """Whether any name goes."""
        return bool(self.instead)

    def text(self, text: str) -> str:
        """A text with the names replaced."""
        if not self.instead:
            return text
        found = [match for match in self._pattern.finditer(caseless(text)) if match[0] in self.instead]
        if not found:
            return text
        ends = list(
            accumulate(len(_caseless_letter(letter)) for letter in text)
        )  # of each letter, in the caseless text
        parts, at = [], 0
        for match in found:
            start, end = (bisect_right(ends, place) for place in (match.start(), match.end() - 1))
            parts += [text[at:start], self.instead[match[0]]]
            at = end + 1
        return "".join([*parts, text[at:]])

    def data(self, value: Any) -> Any:
        """Plain JSON data with the names replaced in every text and key."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.data(each) for each in value]
        if isinstance(value, dict):
            return {self.text(key): self.data(each) for key, each in value.items()}
        return value

    def json(self, text: str) -> str:
        """JSON with the names replaced as in `data`."""
        return json.dumps(self.data(json.loads(text)), ensure_ascii=False)

    def html(self, page: str) -> str:
        """A page with the names replaced in what people read or hear; addresses and fields stay.

        >>> Names({"D'Arcy": "D."}).html('<a href="/D&#x27;Arcy/" title="D&#x27;Arcy">D&#x27;Arcy</a>')
        '<a href="/D&#x27;Arcy/" title="D.">D.</a>'
        """
        if not self.instead:
            return page
        return "".join(
            SPOKEN.sub(lambda m: m[1] + self._escaped(m[2]), part) if part.startswith("<") else self._escaped(part)
            for part in TAG.split(page)
        )

    def _escaped(self, part: str) -> str:
        old = html.unescape(part)
        new = self.text(old)
        return part if new == old else html.escape(new)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Any of the names as whole words, the longest first."""
        names = sorted((*self.instead, *self.others), key=len, reverse=True)
        return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w{ACCENTS}]|-\w)")


def caseless(text: str) -> str:
    """A text in the form in which names are looked for: without capitals, each accent behind its letter.

    It may be longer than the text, since some letters become several.

    >>> caseless("WEIẞ"), caseless("Weiß"), len(caseless("É"))
    ('weiss', 'weiss', 2)
    """
    return text.lower() if text.isascii() else "".join(map(_caseless_letter, text))


@lru_cache(maxsize=4096)
def _caseless_letter(letter: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", letter).casefold())


def initials(name: str) -> str:
    """The initials that stand for a name.

    >>> initials("Agnes Kowalczyk"), initials("łucja o'Brien-lee")
    ('A. K.', 'Ł. O.')
    """
    firsts = [next((ch for ch in word if ch.isalnum()), "") for word in name.split()]
    return " ".join(f"{first.upper()}." for first in firsts if first)
