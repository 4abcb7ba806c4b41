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
    TABLE = "table"  # anybody with a table's link
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
FEES: Group = DESK | MONEY
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


PUBLIC = Access(opens=ANYONE)  # a public page
PUBLIC_PRINT = Access(opens=ANYONE, sends=ANYONE, beyond="sending orders the file; nothing of the club changes")
PUBLIC_FILE = Access(opens=ANYONE, sends=ANYONE, beyond="sending orders a large file; nothing of the club changes")
SCORERS_READ = Access(opens=DESK)
SCORERS_FILE = Access(opens=DESK, sends=DESK, beyond=PUBLIC_FILE.beyond)
SCORERS_EDIT = Access(opens=DESK, sends=DESK)
DIRECTORS_READ = Access(opens=DIRECTORS)
OWNERS_EDIT = Access(opens=OWNERS, sends=OWNERS)
DIRECTORS_EDIT = Access(opens=DIRECTORS, sends=DIRECTORS)
MONEY_EDIT = Access(opens=MONEY, sends=MONEY)
MONEY_FILE = Access(opens=MONEY, sends=MONEY, beyond=PUBLIC_FILE.beyond)  # a file about money
BY_LINK = Access(opens=AT_TABLE, sends=AT_TABLE, beyond="the link is live, and the game or deal is of its table")
SETUP_BY = "an empty install: who sits at it or has its code; afterwards its owner, or a director at the machine itself"
SETUP = Access(opens=STARTERS, sends=STARTERS, beyond=SETUP_BY, guarded=True)
OWN_LOG_IN = Access(opens=LOGGED_IN, sends=LOGGED_IN, beyond="of one's own log-in")

PARTS: dict[str, dict[str, Access]] = {
    "The site": {
        "home": PUBLIC,
        "health": PUBLIC,
        "privacy": PUBLIC,
        "site": Access(
            opens=STARTERS, sends=STARTERS, beyond="its owner, or a director at the machine itself", guarded=True
        ),
        "backups": OWNERS_EDIT,
        "backup": OWNERS_EDIT,
        "backup_file": Access(opens=OWNERS),
        "favicon": PUBLIC,
        "worker": PUBLIC,
        "kept_pass": PUBLIC,
        "no_network": PUBLIC,
        "language": Access(sends=ANYONE),
        "data_schema": PUBLIC,
        "data_openapi": PUBLIC,
        "login": Access(opens=ANYONE, sends=ANYONE),
        "logout": Access(sends=ANYONE),
        "password": OWN_LOG_IN,
        "sessions": OWN_LOG_IN,
        "factor": OWN_LOG_IN,
        "login_factor": Access(opens=ANYONE, sends=ANYONE, beyond="whose password was right, with a code"),
        "owner_people": Access(
            opens=OWNERS, sends=OWNERS, beyond="with a second factor: its code, within twelve hours"
        ),
        "lost": Access(opens=ANYONE, sends=ANYONE, beyond="so many letters to and from an address"),
        "password_reset_confirm": Access(opens=ANYONE, sends=ANYONE, beyond="who has the link of a letter, once"),
        "invited": Access(opens=ANYONE, sends=ANYONE, beyond="so many wrong codes from an address"),
        "invited_with": Access(opens=ANYONE, sends=ANYONE, beyond="who has the code, once, while it lasts"),
        "start": SETUP,
        "start_club": SETUP,
        "start_director": SETUP,
        "start_demo": Access(sends=ANYONE, beyond="an empty install alone: as its start", guarded=True),
    },
    "The club": {
        "club": PUBLIC,
        "people": DIRECTORS_EDIT,
        "role": Access(sends=DIRECTORS),
        "role_password": Access(sends=DIRECTORS, beyond="not of a log-in that opens another club or the site"),
        "invite": DIRECTORS_EDIT,
        "invitation": DIRECTORS_EDIT,
        "club_settings": DIRECTORS_EDIT,
        "club_backups": DIRECTORS_READ,
        "log": DIRECTORS_READ,
        "start_rules": DIRECTORS_EDIT,
        "start_members": DIRECTORS_EDIT,
        "start_night": DIRECTORS_EDIT,
        "start_cards": DIRECTORS_READ,
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
        "events": PUBLIC,
        "event": PUBLIC,
        "seats": PUBLIC,
        "evening": PUBLIC,
        "board": PUBLIC,
        "clock": PUBLIC,
        "season": PUBLIC,
        "season_need": PUBLIC,
        "handicaps": PUBLIC,
        "handicap_list": Access(opens=ANYONE, beyond="handicaps that a club keeps to itself: its directors"),
        "rules": PUBLIC,
        "house_rules": PUBLIC,
        "shipped_rules": PUBLIC,
        "rules_compare": PUBLIC,
        "rules_print": PUBLIC_PRINT,
        "shipped_rules_print": PUBLIC_PRINT,
        "person": Access(opens=ANYONE, beyond="of who wants initials: scorekeepers, directors, they themselves"),
        "calendar": PUBLIC,
        "season_calendar": PUBLIC,
        "club_data": PUBLIC,
        "event_data": PUBLIC,
        "standings_data": PUBLIC,
        "result_data": PUBLIC,
        "season_data": PUBLIC,
        "result_file": PUBLIC_FILE,
        "season_file": PUBLIC_FILE,
    },
    "Tables": {
        "which_event": PUBLIC,
        "table_code": Access(opens=ANYONE, sends=ANYONE, beyond="so many wrong codes from an address"),
        "table_scanned": PUBLIC,
        "table": BY_LINK,
        "table_game": BY_LINK,
        "table_reckon": Access(sends=AT_TABLE, beyond=BY_LINK.beyond),
        "table_news": Access(opens=AT_TABLE, beyond=BY_LINK.beyond),
        "table_who": Access(sends=AT_TABLE, beyond=BY_LINK.beyond),
        "table_deal": BY_LINK,
        "table_say": BY_LINK,
    },
    "Cards and house rules": {
        "game_new": SCORERS_EDIT,
        "card": Access(opens=DESK, sends=DESK, beyond="a card that all sides signed: directors"),
        "reckon": Access(sends=DESK),
        "card_news": SCORERS_READ,
        "card_reasons": SCORERS_EDIT,
        "other_rules": SCORERS_READ,
        "game_names": Access(opens=DESK, sends=DESK, beyond="a card that all sides signed: directors"),
        "game_end": DIRECTORS_EDIT,
        "handicap": Access(opens=DESK, sends=DIRECTORS),
        "deal": Access(opens=DESK, sends=DESK, beyond="a card that all sides signed: directors"),
        "deal_mark": Access(sends=DESK, directors=("state=void",)),
        "files": DIRECTORS_EDIT,
        "files_out": DIRECTORS_READ,
        "score_file": SCORERS_EDIT,
        "rules_change": DIRECTORS_EDIT,
        "rules_copy": Access(sends=DIRECTORS),
    },
    "The desk": {
        "desk": SCORERS_READ,
        "desk_event": SCORERS_READ,
        "event_new": DIRECTORS_EDIT,
        "event_advice": DIRECTORS_READ,
        "event_change": DIRECTORS_EDIT,
        "event_call_off": DIRECTORS_EDIT,
        "event_remove": DIRECTORS_EDIT,
        "phones": SCORERS_READ,
        "entries": DIRECTORS_EDIT,
        "entries_import": DIRECTORS_EDIT,
        "entry": DIRECTORS_EDIT,
        "partners": DIRECTORS_EDIT,
        "side_list": DIRECTORS_EDIT,
        "here": SCORERS_EDIT,
        "wishes": DIRECTORS_EDIT,
        "round_draw": DIRECTORS_EDIT,
        "draw_search": DIRECTORS_EDIT,
        "stage_draw": DIRECTORS_EDIT,
        "draw_step": DIRECTORS_EDIT,
        "draw_by_hand": DIRECTORS_EDIT,
        "seat_changes": DIRECTORS_EDIT,
        "round_step": Access(opens=DESK, sends=DIRECTORS),
        "round_clock": Access(sends=DIRECTORS),
        "end_set": DIRECTORS_EDIT,
        "open_games": DIRECTORS_EDIT,
        "walkover": DIRECTORS_EDIT,
        "side_leaves": DIRECTORS_EDIT,
        "seeds": DIRECTORS_EDIT,
        "round_keying": SCORERS_EDIT,
        "stage_keying": SCORERS_EDIT,
        "round_second_keying": Access(opens=DESK, sends=DESK, directors=("step",)),
        "stage_second_keying": Access(opens=DESK, sends=DESK, directors=("step",)),
        "differences": DIRECTORS_EDIT,
        "table_links": Access(opens=DESK, sends=DIRECTORS),
        "adjustments": DIRECTORS_EDIT,
        "tie_breaks": DIRECTORS_EDIT,
        "sit_out_rules": DIRECTORS_EDIT,
        "event_handicap": DIRECTORS_EDIT,
        "handicap_numbers": DIRECTORS_EDIT,
        "cut": DIRECTORS_EDIT,
        "cut_step": DIRECTORS_EDIT,
        "result": DIRECTORS_EDIT,
        "night_close": DIRECTORS_EDIT,
        "night_season": DIRECTORS_EDIT,
        "season_new": DIRECTORS_EDIT,
        "season_change": DIRECTORS_EDIT,
        "season_rule": DIRECTORS_EDIT,
        "season_people": DIRECTORS_EDIT,
        "season_following": DIRECTORS_EDIT,
    },
    "Paper and files": {
        "print": SCORERS_READ,
        "document": Access(
            opens=DESK,
            sends=DESK,
            also={"prizes": TREASURERS},
            beyond="sending orders the file; forms and drafts of what directors do: directors",
        ),
        "document_picture": Access(opens=DESK, also={"prizes": TREASURERS}),
        "season_document": Access(opens=DESK, sends=DESK, beyond="sending orders the file"),
        "standings_file": SCORERS_FILE,
        "deals_file": SCORERS_FILE,
        "entries_file": Access(opens=DIRECTORS, sends=DIRECTORS, beyond=PUBLIC_FILE.beyond),
    },
    "Money": {
        "prizes": MONEY_EDIT,
        "fees": Access(opens=FEES, sends=FEES),
        "event_money": MONEY_EDIT,
        "event_money_file": MONEY_FILE,
        "club_money": MONEY_EDIT,
        "club_money_file": MONEY_FILE,
        "season_money": MONEY_EDIT,
        "season_money_file": MONEY_FILE,
    },
    "Members": {
        "members": Access(opens=DESK, sends=DIRECTORS),
        "members_paste": DIRECTORS_EDIT,
        "guests": DIRECTORS_EDIT,
        "merges": DIRECTORS_EDIT,
        "member": DIRECTORS_EDIT,
        "merge": DIRECTORS_EDIT,
        "member_export": Access(sends=DIRECTORS),
        "member_erase": DIRECTORS_EDIT,
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
