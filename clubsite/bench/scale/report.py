"""What was measured, as the tables of docs/scale.md."""

from __future__ import annotations

from collections.abc import Sequence

from clubsite.bench.scale.plans import PageCost
from clubsite.bench.scale.trial import ScaleMeasured


def as_text(found: ScaleMeasured) -> str:
    """Tables in Markdown."""
    lines = [
        f"{found.clubs:,} clubs, {found.deals:,} deals, {found.megabytes / 1024:.1f} GB; made in {found.made:.0f} s",
        "",
        *_table(
            ("table", "rows", "MB", "MB of indexes", "rows a club"),
            [
                (name, f"{rows:,}", f"{table:,.0f}", f"{indexes:,.0f}", f"{rows / found.clubs:,.1f}")
                for name, rows, table, indexes in found.tables[:16]
            ],
        ),
        "",
        *_table(
            (
                "page",
                "queries",
                "Python: alone",
                "beside",
                "a copy's",
                "PostgreSQL: alone",
                "beside",
                "a copy's",
                "whole",
            ),
            [
                _page(alone, beside=beside, copy=copy)
                for alone, beside, copy in zip(found.alone, found.beside, found.copy, strict=True)
            ],
        ),
        "",
        *(
            f"slowest query of {one.name}: {one.slowest[0]:.1f} ms: {one.slowest[1][:400]}"
            for one in _slowest(found.copy)
        ),
        "",
        *_table(("points kept", "MB", "made in s", "a night: blocks", "ms", "a club: blocks", "ms"), found.ways),
    ]
    return "\n".join(lines) + "\n"


def faults(found: ScaleMeasured) -> list[str]:
    """Pages that can't be shown, or that read a whole table which grows with the number of clubs."""
    pages = [*found.beside, *found.copy]
    return [
        *(f"{page.name} reads {table} whole: {query}" for page in pages for table, query in page.whole.items()),
        *(f"{page.name} was answered with {page.status}" for page in found.beside if page.status != 200),
    ]


def _page(alone: PageCost, *, beside: PageCost, copy: PageCost) -> Sequence[str]:
    status = "" if copy.status == 200 else f" ({copy.status})"
    return (
        alone.name,
        f"{alone.queries} / {beside.queries}",
        f"{alone.milliseconds:.0f}",
        f"{beside.milliseconds:.0f}",
        f"{copy.milliseconds:.0f}{status}",
        f"{alone.in_database:.1f}",
        f"{beside.in_database:.1f}",
        f"{copy.in_database:.1f}",
        ", ".join({*beside.whole, *copy.whole}) or "none",
    )


def _slowest(pages: list[PageCost]) -> list[PageCost]:
    return sorted((page for page in pages if page.slowest[0] > 5), key=lambda page: page.slowest, reverse=True)[:5]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [" | ".join(("", *row, "")).strip() for row in (head, ["---"] * len(head), *rows)]
