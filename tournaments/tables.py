"""What all sortable tables have in common."""

from typing import Any

import django_tables2 as tables
from django.utils.functional import cached_property
from django.utils.html import format_html

from scoring.templatetags.figures import points

FIGURES = {"th": {"class": "points"}, "td": {"class": "points"}}


class FigureColumn(tables.Column):
    """Points, right-aligned with a true minus sign. The first press on the head sorts the best to the top."""

    def __init__(self, *, lowest_first: bool = False, **kwargs: Any) -> None:
        kwargs.setdefault("attrs", FIGURES)
        super().__init__(default="", initial_sort_descending=not lowest_first, **kwargs)

    def render(self, value: Any) -> Any:
        if not isinstance(value, int):
            return value
        return format_html('<span class="minus">{}</span>', points(value)) if value < 0 else points(value)


class NameColumn(tables.Column):
    """Names in the order of all lists. Rows give it as `by_name` (`in_order` of the name)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(order_by=("by_name",), **kwargs)


class ScoreTable(tables.Table):
    @cached_property
    def cell_attributes(self) -> dict[str, str]:
        """The HTML attributes of each column's cells, the same in all rows."""
        return {column.name: column.attrs["td"].as_html() for column in self.columns}

    class Meta:
        attrs = {"class": "score-table"}
        orderable = True
