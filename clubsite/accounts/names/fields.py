"""Fields of forms in which people are chosen, by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms

from clubsite.accounts.names.order import in_order


class _ByName(forms.models.ModelChoiceIterator):
    """The rows to choose from, by the names that they show."""

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        if self.field.empty_label is not None:
            yield "", self.field.empty_label
        yield from sorted(map(self.choice, self.queryset.all()), key=lambda choice: in_order(choice[1]))


class PersonField(forms.ModelChoiceField):
    """One person to be chosen from a list by name."""

    iterator = _ByName


class PeopleField(forms.ModelMultipleChoiceField):
    """People to be ticked on a list by name."""

    iterator = _ByName
