"""What a record is made of: sections of headings, sentences and tables, as text; and its pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.template.loader import render_to_string

from clubsite.pdf.documents import PAPERS, Heading, Pages


@dataclass(frozen=True, slots=True)
class Head:
    """A heading within a section. `listed` in the contents."""

    words: str
    listed: bool = True
    kind: str = "head"


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences, each on a line of its own; `strong` stands before them."""

    lines: tuple[str, ...]
    strong: str = ""
    kind: str = "lines"


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of text: its heads, and lines with a cell for each. `name` is the column of names, from 0."""

    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    name: int = 0
    kind: str = "grid"


RecordBlock = Head | Sentences | TextTable


@dataclass(frozen=True, slots=True)
class RecordSection:
    """One part of the record."""

    key: str
    title: str
    blocks: tuple[RecordBlock, ...]
    new_sheet: bool = False  # whether it begins on a new sheet

    @property
    def listed(self) -> Iterator[tuple[str, str]]:
        """Its headings that stand in the contents, each after the anchor to which the contents lead."""
        for n, block in enumerate(self.blocks, 1):
            if isinstance(block, Head) and block.listed:
                yield f"{self.key}-{n}", block.words


@dataclass(frozen=True, slots=True)
class EventRecord:
    """The whole record of an event."""

    heading: Heading
    sections: tuple[RecordSection, ...]


def record_pages(record: EventRecord, paper: str) -> Pages:
    """The record on upright sheets, with contents and page numbers through all of it."""
    context = {"sheet": record, "size": PAPERS[paper].size}
    return Pages((render_to_string("documents/record/record.html", context),))
