"""The head of a document on paper."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a document. `mark` is printed large beside it: "draft", "provisional", or nothing."""

    club: str
    event: str
    when: str  # date in the club's zone
    title: str = ""  # of the document: "Standings · Qualifying"
    note: str = ""  # version, or the time of provisional figures
    mark: str = ""
    club_key: int | None = None  # the club whose members' wish for initials holds on sheets for the wall
