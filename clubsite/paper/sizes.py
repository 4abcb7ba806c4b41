"""Sheets of paper. Lengths in millimetres."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, upright."""

    width: float
    height: float

    @property
    def size(self) -> str:
        """The size as a style sheet has it."""
        return f"{self.width}mm {self.height}mm"


PAPERS = {
    "A4": Paper(210.0, 297.0),  # ISO 216
    "Letter": Paper(215.9, 279.4),  # ANSI/ASME Y14.1, size A
}


def paper_of(wanted: str, usual: str) -> str:
    """The paper asked for where it is one of `PAPERS`, else the usual one."""
    return wanted if wanted in PAPERS else usual
