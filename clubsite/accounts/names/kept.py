"""Names that the program itself gives (stages, tables, deals): kept in English, read in each reader's language.

A name may have several parts: "Spring contest · Qualifying · Table 3 · Game 2". A name that somebody else chose is kept
and read as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.query_utils import DeferredAttribute
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

BETWEEN = " · "
NAMES = {
    "Club night": gettext_lazy("Club night"),
    "Qualifying": gettext_lazy("Qualifying"),
    "Quarter-final": gettext_lazy("Quarter-final"),
    "Semi-final": gettext_lazy("Semi-final"),
    "Final": gettext_lazy("Final"),
    "Third place": gettext_lazy("Third place"),
    "Consolation final": gettext_lazy("Consolation final"),
}
"""The name in the reader's language, by the English one that is kept."""

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
    "Consolation, match": lambda n: _("Consolation, match %(n)d") % {"n": int(n)},
}
"""The same for names with a number, a letter or both behind them, by their first words in English."""

KEPT = re.compile(
    r"(Stage|Round|Game|Deal|Draw|Version|Semi-final|Quarter-final) \d{1,4}"
    r"|(Round of (16|32|64|128|256|512)|Consolation), match \d{1,4}|Table \d{1,4}[A-Z]?|Group [A-Z]"
)
MARK = re.compile(r"\b(\d{1,4}[A-Z]?|[A-Z])$")


def shown(kept: str) -> str:
    """A kept name in the reader's language.

    >>> shown("Spring contest · Stage 2 · Group A"), shown("The Abbot's Round")
    ('Spring contest · Stage 2 · Group A', "The Abbot's Round")
    """
    language = get_language()
    return BETWEEN.join([_shown(part, language) for part in kept.split(BETWEEN)])


def to_keep(name: str) -> str:
    """The English in which a name is kept, whatever language it was read or typed in."""
    if (get_language() or settings.LANGUAGE_CODE).startswith(settings.LANGUAGE_CODE):
        return name
    return BETWEEN.join(map(_to_keep, name.split(BETWEEN)))


@lru_cache(maxsize=4096)  # a page of the log has some three hundred parts, mostly the same
def _shown(part: str, _language: str | None) -> str:
    if KEPT.fullmatch(part):
        word, mark = part.rsplit(" ", 1)
        return NUMBERED[word](mark)
    return str(NAMES.get(part, part))


def _to_keep(part: str) -> str:
    if part in NAMES or KEPT.fullmatch(part):
        return part
    for kept, words in NAMES.items():
        if part == str(words):
            return kept
    if mark := MARK.search(part):
        for word, words_of in NUMBERED.items():
            if KEPT.fullmatch(f"{word} {mark[0]}") and part == words_of(mark[0]):
                return f"{word} {mark[0]}"
    return part


class _FromDatabase(str):
    """A name as the database has it: in English already."""

    __slots__ = ()


class _Read(DeferredAttribute):
    """A `KeptName` as an attribute: reading gives it in the reader's language, setting it keeps the English."""

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        kept = super().__get__(instance, cls)
        return shown(kept) if isinstance(kept, str) else kept

    def __set__(self, instance: Any, value: Any) -> None:
        kept = value if isinstance(value, _FromDatabase) or not isinstance(value, str) else to_keep(value)
        instance.__dict__[self.field.attname] = kept


class KeptName(models.CharField):
    """A text column that keeps English and reads in each reader's language: see this module."""

    descriptor_class = _Read

    def from_db_value(self, value: str | None, *_where: Any) -> str | None:
        """Note that it is kept already, so that nothing looks for the English of each name that is read."""
        return None if value is None else _FromDatabase(value)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Save the English that is kept, not what a reader sees."""
        return model_instance.__dict__[self.attname]

    def get_prep_value(self, value: Any) -> Any:
        """Turn what a query looks for into the English that is kept."""
        return super().get_prep_value(to_keep(value) if isinstance(value, str) else value)

    def value_from_object(self, obj: models.Model) -> Any:
        """Give serialisers the English that is kept."""
        return obj.__dict__.get(self.attname)

    def deconstruct(self) -> Any:
        """Migrations see a plain CharField."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs
