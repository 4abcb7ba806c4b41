"""Names that the program itself gives to stages: kept in one language, read in each reader's.

A director can call a stage anything; such a name is kept and read as it is.
"""

from __future__ import annotations

import re
from typing import Any

from django.db import models
from django.db.models.query_utils import DeferredAttribute
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

NAMES = {
    "Club night": gettext_lazy("Club night"),
    "Qualifying": gettext_lazy("Qualifying"),
    "Quarter-final": gettext_lazy("Quarter-final"),
    "Semi-final": gettext_lazy("Semi-final"),
    "Final": gettext_lazy("Final"),
}
"""By what is kept."""

NUMBERED = re.compile(r"Stage (\d+)")


def shown(kept: str) -> str:
    """A name for its reader.

    >>> shown("Qualifying"), shown("Stage 2"), shown("The Abbot's Round")
    ('Qualifying', 'Stage 2', "The Abbot's Round")
    """
    if found := NUMBERED.fullmatch(kept):
        return _("Stage %(n)d") % {"n": int(found[1])}
    return str(NAMES.get(kept, kept))


def to_keep(name: str) -> str:
    """What is kept of a name: of one that the program gave, in whatever language somebody read it, its key."""
    for kept, words in NAMES.items():
        if name == str(words):
            return kept
    number = re.search(r"\d+", name)
    return f"Stage {number[0]}" if number and name == shown(f"Stage {number[0]}") else name


class _Read(DeferredAttribute):
    """The name of a stage as an attribute: read in the reader's language, set by whatever was read."""

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        kept = super().__get__(instance, cls)
        return shown(kept) if isinstance(kept, str) else kept

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.field.attname] = to_keep(value) if isinstance(value, str) else value


class StageName(models.CharField):
    """A column of text like any other; see this module."""

    descriptor_class = _Read

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """What is kept, and not what is read."""
        return model_instance.__dict__[self.attname]

    def value_from_object(self, obj: models.Model) -> Any:
        """The same for files of data."""
        return obj.__dict__.get(self.attname)

    def deconstruct(self) -> Any:
        """The column is any text's."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs
