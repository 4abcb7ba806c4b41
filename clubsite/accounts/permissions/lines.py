"""What a line of the table of permissions says, and who may make a request by it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum


class Who(StrEnum):
    """Kinds of visitors. Four of them are roles in the club that the address belongs to."""

    ANYONE = "anyone"
    TABLE = "table"  # whoever has a table's link
    MEMBER = "member"
    TREASURER = "treasurer"
    SCOREKEEPER = "scorekeeper"
    DIRECTOR = "director"
    OWNER = "owner"  # of the site, whatever their role in a club


class LinkState(StrEnum):
    """The state of the table's link by which somebody comes."""

    LIVE = "live"
    EXPIRED = "expired"  # its round, set or stage is over, and so are the club's hours after it
    OVER = "of an event that is over"
    REVOKED = "ended by a director"
    TAKEN_BACK = "of a draw that was taken back"
    NONE = "none that there is"


class LinkAnswer(IntEnum):
    """The HTTP status of every answer to somebody who comes by a link."""

    OPENS = 200  # it opens the cards of its own table
    ENDED = 410
    UNKNOWN = 404


Group = frozenset[Who]

NOBODY: Group = frozenset()
ANYONE: Group = frozenset({Who.ANYONE})
AT_TABLE: Group = frozenset({Who.TABLE})
LOGGED_IN: Group = frozenset({Who.MEMBER, Who.TREASURER, Who.SCOREKEEPER, Who.DIRECTOR, Who.OWNER})
DIRECTORS: Group = frozenset({Who.DIRECTOR})
DESK: Group = frozenset({Who.SCOREKEEPER, Who.DIRECTOR})
MONEY: Group = frozenset({Who.TREASURER, Who.DIRECTOR})
DOOR: Group = DESK | MONEY
TREASURERS: Group = frozenset({Who.TREASURER})
OWNERS: Group = frozenset({Who.OWNER})
STARTERS: Group = DIRECTORS | OWNERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Who may open an address (GET) and who may send something to it (POST)."""

    opens: Group = NOBODY
    sends: Group = NOBODY
    directors: tuple[str, ...] = ()
    """Fields, or "field=value", that only a director may send."""

    also: Mapping[str, Group] = field(default_factory=dict)
    """For an address with several documents: by a document's name, who else may have it."""

    beyond: str = ""
    """What the page itself checks besides, in words."""

    guarded: bool = False
    """Whether the page alone knows who may come in; `beyond` says who that is."""


def roles_for(line: Access, *, method: str, document: str = "", sent: Collection[tuple[str, str]] = ()) -> Group:
    """Who may make this request. `sent` are the fields of a POST with their values."""
    if method != "POST":
        return line.opens | line.also.get(document, NOBODY)
    reserved = any(name in line.directors or f"{name}={value}" in line.directors for name, value in sent)
    if reserved or not line.sends:
        return line.sends & DIRECTORS
    return line.sends | line.also.get(document, NOBODY)
