"""Names found in text and something else put in their place: initials on public pages, nobody's name in what is kept of
somebody who was erased."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

TAG = re.compile(r"(<[^>]*>)")
SPOKEN = re.compile(r'((?:aria-label|title|alt|content)=")([^"]*)')  # attributes that people read or hear


class Names:
    """Whole names and what stands in their place. Capitals make no difference.

    `others` are names that stay: where one of them holds a name that goes, it is left alone.

    >>> Names({"Ann": "A."}, ["Ann Lee"]).text("Ruth for Ann; ann's card; Ann Lee; Annette; Ann-Marie")
    "Ruth for A.; A.'s card; Ann Lee; Annette; Ann-Marie"
    """

    def __init__(self, instead: Mapping[str, str], others: Iterable[str] = ()) -> None:
        self.instead = {name.casefold(): new for name, new in instead.items() if name.strip()}
        goes = tuple(self.instead)
        self.others = {
            other.casefold() for other in others if any(name in other.casefold() for name in goes)
        } - self.instead.keys()

    def __bool__(self) -> bool:
        """Whether any name goes."""
        return bool(self.instead)

    def text(self, text: str) -> str:
        """A text with the names replaced."""
        return self._pattern.sub(lambda found: self._new(found[0]), text) if self.instead else text

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
        return self._html_pattern.sub(lambda found: html.escape(self._new(html.unescape(found[0]))), part)

    def _new(self, found: str) -> str:
        return self.instead.get(found.casefold(), found)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return _any_of([*self.instead, *self.others])

    @cached_property
    def _html_pattern(self) -> re.Pattern[str]:
        return _any_of([html.escape(name) for name in (*self.instead, *self.others)])


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Any of these as whole words, the longest first."""
    each = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{each})(?!\w|-\w)", re.IGNORECASE)


def initials(name: str) -> str:
    """The initials that stand for a name.

    >>> initials("Agnes Kowalczyk"), initials("łucja o'Brien-lee")
    ('A. K.', 'Ł. O.')
    """
    firsts = [next((ch for ch in word if ch.isalnum()), "") for word in name.split()]
    return " ".join(f"{first.upper()}." for first in firsts if first)
