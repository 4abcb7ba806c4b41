"""The table of permissions: for every address of the site, who may open it and who may send something to it.

The gate (`clubsite.accounts.permissions.gate`) enforces it, `docs/permissions.md` is printed from it, and
`tests/test_every_page.py` tries every line as every kind of visitor. An address without a line is refused: by the gate,
by Django's checks when the site is started, and by a test.
"""

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


SEEN = Access(opens=ANYONE)  # a public page
PRINTED = Access(opens=ANYONE, sends=ANYONE, beyond="sending orders the file; nothing of the club changes")
FILED = Access(opens=ANYONE, sends=ANYONE, beyond="sending orders a large file; nothing of the club changes")
READ = Access(opens=DESK)
READ_FILE = Access(opens=DESK, sends=DESK, beyond=FILED.beyond)
KEYED = Access(opens=DESK, sends=DESK)
SHOWN = Access(opens=DIRECTORS)
OWNED = Access(opens=OWNERS, sends=OWNERS)
DIRECTED = Access(opens=DIRECTORS, sends=DIRECTORS)
TREASURED = Access(opens=MONEY, sends=MONEY)
PURSE = Access(opens=MONEY, sends=MONEY, beyond=FILED.beyond)  # a file about money
BY_LINK = Access(opens=AT_TABLE, sends=AT_TABLE, beyond="the link is live, and the game or deal is of its table")
FIRST = "an empty install: who sits at it or has its code; afterwards its owner, or a director at the machine itself"
STARTED = Access(opens=STARTERS, sends=STARTERS, beyond=FIRST, guarded=True)
OWN = Access(opens=LOGGED_IN, sends=LOGGED_IN, beyond="of one's own log-in")

PARTS: dict[str, dict[str, Access]] = {
    "The site": {
        "home": SEEN,
        "health": SEEN,
        "privacy": SEEN,
        "site": Access(
            opens=STARTERS, sends=STARTERS, beyond="its owner, or a director at the machine itself", guarded=True
        ),
        "backups": OWNED,
        "backup": OWNED,
        "backup_file": Access(opens=OWNERS),
        "favicon": SEEN,
        "worker": SEEN,
        "kept_pass": SEEN,
        "no_network": SEEN,
        "language": Access(sends=ANYONE),
        "data_schema": SEEN,
        "data_openapi": SEEN,
        "login": Access(opens=ANYONE, sends=ANYONE),
        "logout": Access(sends=ANYONE),
        "password": OWN,
        "sessions": OWN,
        "factor": OWN,
        "login_factor": Access(opens=ANYONE, sends=ANYONE, beyond="whose password was right, with a code"),
        "owner_people": Access(
            opens=OWNERS, sends=OWNERS, beyond="with a second factor: its code, within twelve hours"
        ),
        "lost": Access(opens=ANYONE, sends=ANYONE, beyond="so many letters to and from an address"),
        "password_reset_confirm": Access(opens=ANYONE, sends=ANYONE, beyond="who has the link of a letter, once"),
        "invited": Access(opens=ANYONE, sends=ANYONE, beyond="so many wrong codes from an address"),
        "invited_with": Access(opens=ANYONE, sends=ANYONE, beyond="who has the code, once, while it lasts"),
        "start": STARTED,
        "start_club": STARTED,
        "start_director": STARTED,
        "start_demo": Access(sends=ANYONE, beyond="an empty install alone: as its start", guarded=True),
    },
    "The club": {
        "club": SEEN,
        "people": DIRECTED,
        "role": Access(sends=DIRECTORS),
        "role_password": Access(sends=DIRECTORS, beyond="not of a log-in that opens another club or the site"),
        "invite": DIRECTED,
        "invitation": DIRECTED,
        "club_settings": DIRECTED,
        "club_backups": SHOWN,
        "log": SHOWN,
        "start_rules": DIRECTED,
        "start_members": DIRECTED,
        "start_night": DIRECTED,
        "start_cards": SHOWN,
        "start_away": Access(sends=DIRECTORS),
        "demo_remove": Access(opens=DIRECTORS, sends=DIRECTORS, beyond="of the demo's club alone"),
        "order": Access(
            opens=ANYONE,
            sends=ANYONE,
            beyond="who ordered the file, while they are what they were then; sending takes the order back",
            guarded=True,
        ),
    },
    "Public pages": {
        "events": SEEN,
        "event": SEEN,
        "seats": SEEN,
        "evening": SEEN,
        "board": SEEN,
        "clock": SEEN,
        "season": SEEN,
        "season_need": SEEN,
        "handicaps": SEEN,
        "handicap_list": Access(opens=ANYONE, beyond="handicaps that a club keeps to itself: its directors"),
        "rules": SEEN,
        "house_rules": SEEN,
        "shipped_rules": SEEN,
        "rules_compare": SEEN,
        "rules_print": PRINTED,
        "shipped_rules_print": PRINTED,
        "person": Access(opens=ANYONE, beyond="of who wants initials: scorekeepers, directors, they themselves"),
        "calendar": SEEN,
        "season_calendar": SEEN,
        "club_data": SEEN,
        "event_data": SEEN,
        "standings_data": SEEN,
        "result_data": SEEN,
        "season_data": SEEN,
        "result_file": FILED,
        "season_file": FILED,
    },
    "Tables": {
        "which_event": SEEN,
        "table_code": Access(opens=ANYONE, sends=ANYONE, beyond="so many wrong codes from an address"),
        "table_scanned": SEEN,
        "table": BY_LINK,
        "table_game": BY_LINK,
        "table_reckon": Access(sends=AT_TABLE, beyond=BY_LINK.beyond),
        "table_news": Access(opens=AT_TABLE, beyond=BY_LINK.beyond),
        "table_who": Access(sends=AT_TABLE, beyond=BY_LINK.beyond),
        "table_deal": BY_LINK,
        "table_say": BY_LINK,
    },
    "Cards and house rules": {
        "game_new": KEYED,
        "card": Access(opens=DESK, sends=DESK, beyond="a card that all sides signed: directors"),
        "reckon": Access(sends=DESK),
        "card_news": READ,
        "card_reasons": KEYED,
        "other_rules": READ,
        "game_names": Access(opens=DESK, sends=DESK, beyond="a card that all sides signed: directors"),
        "game_end": DIRECTED,
        "handicap": Access(opens=DESK, sends=DIRECTORS),
        "deal": Access(opens=DESK, sends=DESK, beyond="a card that all sides signed: directors"),
        "deal_mark": Access(sends=DESK, directors=("state=void",)),
        "files": DIRECTED,
        "files_out": SHOWN,
        "score_file": KEYED,
        "rules_change": DIRECTED,
        "rules_copy": Access(sends=DIRECTORS),
    },
    "The desk": {
        "desk": READ,
        "desk_event": READ,
        "event_new": DIRECTED,
        "event_advice": SHOWN,
        "event_change": DIRECTED,
        "event_call_off": DIRECTED,
        "event_remove": DIRECTED,
        "phones": READ,
        "entries": DIRECTED,
        "entries_import": DIRECTED,
        "entry": DIRECTED,
        "partners": DIRECTED,
        "side_list": DIRECTED,
        "here": KEYED,
        "wishes": DIRECTED,
        "round_draw": DIRECTED,
        "draw_search": DIRECTED,
        "stage_draw": DIRECTED,
        "draw_step": DIRECTED,
        "draw_by_hand": DIRECTED,
        "seat_changes": DIRECTED,
        "round_step": Access(opens=DESK, sends=DIRECTORS),
        "round_clock": Access(sends=DIRECTORS),
        "end_set": DIRECTED,
        "open_games": DIRECTED,
        "walkover": DIRECTED,
        "side_leaves": DIRECTED,
        "seeds": DIRECTED,
        "round_keying": KEYED,
        "stage_keying": KEYED,
        "round_second_keying": Access(opens=DESK, sends=DESK, directors=("step",)),
        "stage_second_keying": Access(opens=DESK, sends=DESK, directors=("step",)),
        "differences": DIRECTED,
        "table_links": Access(opens=DESK, sends=DIRECTORS),
        "adjustments": DIRECTED,
        "tie_breaks": DIRECTED,
        "sit_out_rules": DIRECTED,
        "event_handicap": DIRECTED,
        "handicap_numbers": DIRECTED,
        "cut": DIRECTED,
        "cut_step": DIRECTED,
        "result": DIRECTED,
        "night_close": DIRECTED,
        "night_season": DIRECTED,
        "season_new": DIRECTED,
        "season_change": DIRECTED,
        "season_rule": DIRECTED,
        "season_people": DIRECTED,
        "season_following": DIRECTED,
    },
    "Paper and files": {
        "print": READ,
        "document": Access(
            opens=DESK,
            sends=DESK,
            also={"prizes": TREASURERS},
            beyond="sending orders the file; forms and drafts of what directors do: directors",
        ),
        "document_picture": Access(opens=DESK, also={"prizes": TREASURERS}),
        "season_document": Access(opens=DESK, sends=DESK, beyond="sending orders the file"),
        "standings_file": READ_FILE,
        "deals_file": READ_FILE,
        "entries_file": Access(opens=DIRECTORS, sends=DIRECTORS, beyond=FILED.beyond),
    },
    "Money": {
        "prizes": TREASURED,
        "fees": Access(opens=DOOR, sends=DOOR),
        "event_money": TREASURED,
        "event_money_file": PURSE,
        "club_money": TREASURED,
        "club_money_file": PURSE,
        "season_money": TREASURED,
        "season_money_file": PURSE,
    },
    "Members": {
        "members": Access(opens=DESK, sends=DIRECTORS),
        "members_paste": DIRECTED,
        "guests": DIRECTED,
        "merges": DIRECTED,
        "member": DIRECTED,
        "merge": DIRECTED,
        "member_export": Access(sends=DIRECTORS),
        "member_erase": DIRECTED,
    },
}
"""By part of the site, by the name of the address."""

LINES: dict[str, Access] = {name: line for part in PARTS.values() for name, line in part.items()}
"""By the name of the address."""

LINKS: dict[LinkState, LinkAnswer] = {
    LinkState.LIVE: LinkAnswer.OPENS,
    LinkState.EXPIRED: LinkAnswer.ENDED,
    LinkState.OVER: LinkAnswer.ENDED,
    LinkState.REVOKED: LinkAnswer.ENDED,
    LinkState.TAKEN_BACK: LinkAnswer.ENDED,
    LinkState.NONE: LinkAnswer.UNKNOWN,
}
"""What the link of a table opens, whoever is logged in: its state alone counts, at every address for `AT_TABLE`."""
