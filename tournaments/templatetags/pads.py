"""The cells of a table that sorts."""

from __future__ import annotations

from typing import Any

from django import template
from django_tables2.rows import BoundRow

register = template.Library()


@register.filter
def cells(row: BoundRow) -> list[tuple[bool, str, Any]]:
    """The cells of a row of a `Pad`: whether it is the name, its attributes, what stands in it."""
    attributes = row.table.of_cells
    return [(column.name == "name", attributes[column.name], cell) for column, cell in row.items()]
