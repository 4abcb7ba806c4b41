"""Names: their order and letters, initials in their place, and names that the program gives, shown in each language.

A name that the program gives (a stage, a table, a deal) may have several parts: "Spring contest · Final · Table 3".
`TranslatedName` columns store it in English; a name that somebody chose is stored and shown as it is.
"""

import html
import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, TypeAlias

from django import forms
from django.conf import settings
from django.db import models
from django.db.models.query_utils import DeferredAttribute
from django.utils.text import slugify
from django.utils.translation import get_language, gettext as _, gettext_lazy

# Letters that don't come apart into a letter and a sign
PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"})
OWN_LETTER = str.maketrans({"ñ": "nʒ"})  # comes after every other n: it is a letter of its own

ADDRESS = re.compile(r"\S[@\uff20]\S")
NO_ADDRESS = gettext_lazy("This is an e-mail address. Write the person's name: names are shown to everybody.")

AND = " & "  # between the people of a side

SortKey: TypeAlias = tuple[tuple[str, ...], str]


def folded_words(name: str) -> tuple[str, ...]:
    """The words of a name without capitals, accents and signs.

    >>> folded_words("Kowalczyk, Agnès"), folded_words("O'Brien-Lee  Łucja")
    (('kowalczyk', 'agnes'), ('obrien', 'lee', 'lucja'))
    """
    letters = unicodedata.normalize("NFKD", name.casefold().translate(PLAIN))
    bare = "".join(ch for ch in letters if not unicodedata.combining(ch) and ch not in "'’.")
    return tuple("".join(ch if ch.isalnum() else " " for ch in bare).split())


def side_name(people: Iterable[str]) -> str:
    return AND.join(people)


def has_email_address(text: str) -> bool:
    """Whether a text has an e-mail address in it; then it can't be a name, as names are published.

    >>> [has_email_address(text) for text in ("ann@example.org", "Ann <ann@example.org>", "Ann @ home")]
    [True, True, False]
    """
    return bool(ADDRESS.search(text))


def make_slug(name: str, *, between: str = "-") -> str:
    """A name for addresses, files and log-ins: plain small letters and figures, no letter lost.

    >>> make_slug("Emile Weiß"), make_slug("Łucja Ørsted", between=".")
    ('emile-weiss', 'lucja.orsted')
    """
    return between.join(slugify(name.lower().translate(PLAIN)).replace("_", "-").split("-"))


def name_matches(name: str, search: str) -> bool:
    """Whether every word of a search is a part of a word of the name, without capitals and accents.

    >>> name_matches("María Rodríguez-Villanueva", "villa mar"), name_matches("Mary Lee", "maria")
    (True, False)
    """
    parts = folded_words(name)
    return all(any(word in part for part in parts) for word in folded_words(search))


def name_sort_key(name: str) -> SortKey:
    """What a name is sorted by: its words without capitals and accents, then the name itself.

    It is the same in every language, so that cached results don't change with their readers.

    >>> sorted(["Rosa", "de la Cruz", "Ñáñez", "Nuria", "Ángel", "Dora", "Mary", "María"], key=name_sort_key)
    ['Ángel', 'de la Cruz', 'Dora', 'María', 'Mary', 'Nuria', 'Ñáñez', 'Rosa']
    """
    return folded_words(unicodedata.normalize("NFC", name).casefold().translate(OWN_LETTER)), name


TAG = re.compile(r"(<[^>]*>)")
SPOKEN = re.compile(r'((?:aria-label|title|alt|content)=")([^"]*)')  # attributes that people read or hear
ACCENTS = r"\u0300-\u036f"


class NameReplacer:
    """Replaces whole names, whatever their capitals and however their accents are written.

    `others` are names that stay, even where a name to replace is part of them.

    >>> NameReplacer({"Ann": "A."}, ["Ann Lee"]).text("Ruth for Ann; ann's card; Ann Lee; Annette; Ann-Marie")
    "Ruth for A.; A.'s card; Ann Lee; Annette; Ann-Marie"
    """

    def __init__(self, instead: Mapping[str, str], others: Iterable[str] = ()) -> None:
        self.instead = {fold_case(name): new for name, new in instead.items() if name.strip()}
        stays = set(map(fold_case, others)) - self.instead.keys()
        self.others = {other for other in stays if any(name in other for name in self.instead)}

    def __bool__(self) -> bool:
        return bool(self.instead)

    def text(self, text: str) -> str:
        if not self.instead:
            return text
        matches = [match for match in self._pattern.finditer(fold_case(text)) if match[0] in self.instead]
        if not matches:
            return text
        ends = list(accumulate(len(_fold_letter(letter)) for letter in text))  # of each letter, in the caseless text
        parts, at = [], 0
        for match in matches:
            start, end = (bisect_right(ends, place) for place in (match.start(), match.end() - 1))
            parts += [text[at:start], self.instead[match[0]]]
            at = end + 1
        return "".join([*parts, text[at:]])

    def data(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.data(each) for each in value]
        if isinstance(value, dict):
            return {self.text(key): self.data(each) for key, each in value.items()}
        return value

    def json(self, text: str) -> str:
        return json.dumps(self.data(json.loads(text)), ensure_ascii=False)

    def html(self, page: str) -> str:
        """A page with the names replaced in what people read or hear; addresses and fields stay.

        >>> NameReplacer({"D'Arcy": "D."}).html('<a href="/D&#x27;Arcy/" title="D&#x27;Arcy">D&#x27;Arcy</a>')
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
        names = sorted((*self.instead, *self.others), key=len, reverse=True)
        return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w{ACCENTS}]|-\w)")


def fold_case(text: str) -> str:
    """A text in the form in which names are looked for: without capitals, each accent behind its letter.

    It may be longer than the text, since some letters become several.

    >>> fold_case("WEIẞ"), fold_case("Weiß"), len(fold_case("É"))
    ('weiss', 'weiss', 2)
    """
    return text.lower() if text.isascii() else "".join(map(_fold_letter, text))


@lru_cache(maxsize=4096)
def _fold_letter(letter: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", letter).casefold())


def initials(name: str) -> str:
    """The initials that stand for a name.

    >>> initials("Agnes Kowalczyk"), initials("łucja o'Brien-lee")
    ('A. K.', 'Ł. O.')
    """
    firsts = [next((ch for ch in word if ch.isalnum()), "") for word in name.split()]
    return " ".join(f"{first.upper()}." for first in firsts if first)


SEPARATOR = " · "
NAMES = {
    "Club night": gettext_lazy("Club night"),
    "Qualifying": gettext_lazy("Qualifying"),
    "Quarter-final": gettext_lazy("Quarter-final"),
    "Semi-final": gettext_lazy("Semi-final"),
    "Final": gettext_lazy("Final"),
    "Third place": gettext_lazy("Third place"),
    "Consolation final": gettext_lazy("Consolation final"),
    "Deciding match": gettext_lazy("Deciding match"),
}
"""The name in the reader's language, by the English one that is stored."""

NUMBERED: dict[str, Callable[[str], str]] = {
    "Stage": lambda n: _("Stage %(n)d") % {"n": int(n)},
    "Round": lambda n: _("Round %(n)d") % {"n": int(n)},
    "Table": lambda label: _("Table %(label)s") % {"label": label},
    "Game": lambda n: _("Game %(n)d") % {"n": int(n)},
    "Deal": lambda n: _("Deal %(n)d") % {"n": int(n)},
    "Draw": lambda n: _("Draw %(n)d") % {"n": int(n)},
    "Version": lambda n: _("Version %(n)s") % {"n": n},
    "Group": lambda letter: _("Group %(letter)s") % {"letter": letter},
    "Semi-final": lambda n: _("Semi-final %(n)d") % {"n": int(n)},
    "Quarter-final": lambda n: _("Quarter-final %(n)d") % {"n": int(n)},
    "Round of 16, match": lambda n: _("Round of 16, match %(n)d") % {"n": int(n)},
    "Round of 32, match": lambda n: _("Round of 32, match %(n)d") % {"n": int(n)},
    "Round of 64, match": lambda n: _("Round of 64, match %(n)d") % {"n": int(n)},
    "Round of 128, match": lambda n: _("Round of 128, match %(n)d") % {"n": int(n)},
    "Round of 256, match": lambda n: _("Round of 256, match %(n)d") % {"n": int(n)},
    "Round of 512, match": lambda n: _("Round of 512, match %(n)d") % {"n": int(n)},
    "Winners, match": lambda n: _("Winners, match %(n)d") % {"n": int(n)},
    "Losers, match": lambda n: _("Losers, match %(n)d") % {"n": int(n)},
    "Consolation, match": lambda n: _("Consolation, match %(n)d") % {"n": int(n)},
}
"""The same for names with a number, a letter or both behind them, by their first words in English."""

STORED = re.compile(
    r"(Stage|Round|Game|Deal|Draw|Version|Semi-final|Quarter-final) \d{1,4}"
    r"|(Round of (16|32|64|128|256|512)|Consolation|Winners|Losers), match \d{1,4}|Table \d{1,4}[A-Z]?|Group [A-Z]"
)
MARK = re.compile(r"\b(\d{1,4}[A-Z]?|[A-Z])$")


def translate_name(name: str) -> str:
    """A stored name in the reader's language.

    >>> translate_name("Spring contest · Stage 2 · Group A"), translate_name("The Abbot's Round")
    ('Spring contest · Stage 2 · Group A', "The Abbot's Round")
    """
    language = get_language()
    return SEPARATOR.join([_translate_part(part, language) for part in name.split(SEPARATOR)])


def english_name(name: str) -> str:
    """The English in which a name is stored, whatever language it was shown or typed in."""
    if (get_language() or settings.LANGUAGE_CODE).startswith(settings.LANGUAGE_CODE):
        return name
    return SEPARATOR.join(map(_english_part, name.split(SEPARATOR)))


@lru_cache(maxsize=4096)  # a page of the log has some three hundred parts, mostly the same
def _translate_part(part: str, _language: str | None) -> str:
    if STORED.fullmatch(part):
        word, mark = part.rsplit(" ", 1)
        return NUMBERED[word](mark)
    return str(NAMES.get(part, part))


def _english_part(part: str) -> str:
    if part in NAMES or STORED.fullmatch(part):
        return part
    for english, words in NAMES.items():
        if part == str(words):
            return english
    if mark := MARK.search(part):
        for word, words_of in NUMBERED.items():
            if STORED.fullmatch(f"{word} {mark[0]}") and part == words_of(mark[0]):
                return f"{word} {mark[0]}"
    return part


class _FromDatabase(str):
    """A name as the database has it, already in English."""

    __slots__ = ()


class _TranslatedAttribute(DeferredAttribute):
    """A `TranslatedName` as an attribute: reading gives it in the reader's language, setting it stores the English."""

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        stored = super().__get__(instance, cls)
        return translate_name(stored) if isinstance(stored, str) else stored

    def __set__(self, instance: Any, value: Any) -> None:
        english = value if isinstance(value, _FromDatabase) or not isinstance(value, str) else english_name(value)
        instance.__dict__[self.field.attname] = english


class TranslatedName(models.CharField):
    """A text column that stores English and shows each reader's language: see this module."""

    descriptor_class = _TranslatedAttribute

    def from_db_value(self, value: str | None, *_where: Any) -> str | None:
        """Mark it as stored, so that nothing looks for the English of each name that is read."""
        return None if value is None else _FromDatabase(value)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        return model_instance.__dict__[self.attname]

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(english_name(value) if isinstance(value, str) else value)

    def value_from_object(self, obj: models.Model) -> Any:
        return obj.__dict__.get(self.attname)

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


class _ByName(forms.models.ModelChoiceIterator):
    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        if self.field.empty_label is not None:
            yield "", self.field.empty_label
        yield from sorted(map(self.choice, self.queryset.all()), key=lambda choice: name_sort_key(choice[1]))


class PersonField(forms.ModelChoiceField):
    iterator = _ByName


class PeopleField(forms.ModelMultipleChoiceField):
    iterator = _ByName
