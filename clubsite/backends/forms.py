"""Which field of a form has the focus when the page opens, for the forms of the whole site."""

from __future__ import annotations

from typing import Any

from django.forms import BoundField
from django.forms.renderers import DjangoTemplates


class LookedAt(BoundField):
    """A field that takes the focus where it is the first of its form that is missing or wrong, so that it is in sight
    when the page comes back. Then no other field of the form has it, also none that has it on a page that is new. All
    the buttons of a choice have it, and browsers take the first."""

    def build_widget_attrs(self, attrs: dict[str, Any], widget: Any = None) -> dict[str, Any]:
        """The input's attributes."""
        attrs = super().build_widget_attrs(attrs, widget)
        errors, fields = self.form.errors, self.form.fields
        first = next((name for name in fields if name in errors and not fields[name].widget.is_hidden), None)
        return attrs if first is None else attrs | {"autofocus": self.name == first}


class Renderer(DjangoTemplates):
    """Django's, with our fields."""

    bound_field_class = LookedAt
