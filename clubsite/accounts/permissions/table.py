"""The table of permissions: for every address of the site, who may open it and who may send something to it.

The gate (`clubsite.accounts.permissions.gate`) enforces it, `docs/permissions.md` is printed from it, and
`tests/test_every_page.py` tries every line as every kind of visitor. An address without a line is refused: by the gate,
by Django's checks when the site is started, and by a test.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


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

    @property
    def status(self) -> int:
        """The HTTP status of every answer to somebody who comes by such a link, logged in or not: it alone counts, at
        every address for `AT_TABLE`. With 200 it opens the cards of its own table."""
        return {LinkState.LIVE: 200, LinkState.NONE: 404}.get(self, 410)


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

    behind: str = ""
    """Which of the club's doors a visitor has to pass: "nights", "results", "people", or "event" (by its state)."""

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


def opens_and_sends(group: Group, *, beyond: str = "", behind: str = "", guarded: bool = False) -> Access:
    return Access(opens=group, sends=group, beyond=beyond, behind=behind, guarded=guarded)


PUBLIC = Access(opens=ANYONE)  # a public page
BEHIND_EVENT = Access(opens=ANYONE, behind="event")
BEHIND_RESULTS = Access(opens=ANYONE, behind="results")
BEHIND_NIGHTS = Access(opens=ANYONE, behind="nights")
PUBLIC_PRINT = opens_and_sends(ANYONE, beyond="sending orders the file; nothing of the club changes")
SCORERS_READ = Access(opens=DESK)
SCORERS_EDIT = opens_and_sends(DESK)
DIRECTORS_READ = Access(opens=DIRECTORS)
OWNERS_EDIT = opens_and_sends(OWNERS)
DIRECTORS_EDIT = opens_and_sends(DIRECTORS)
MONEY_EDIT = opens_and_sends(MONEY)
MONEY_READ = Access(opens=MONEY)
BY_LINK = opens_and_sends(AT_TABLE, beyond="the link is live, and the game or deal is of its table")
SETUP_BY = "an empty install: who sits at it or has its code; afterwards its owner, or a director at the machine itself"
SETUP = opens_and_sends(STARTERS, beyond=SETUP_BY, guarded=True)
OWN_LOG_IN = opens_and_sends(LOGGED_IN, beyond="of one's own log-in")


def same_line(line: Access, names: str) -> dict[str, Access]:
    return dict.fromkeys(names.split(), line)


PARTS: dict[str, dict[str, Access]] = {
    "The site": {
        **same_line(
            PUBLIC,
            "home health help privacy favicon robots worker kept_pass no_network data_schema data_openapi "
            "colour_styles",
        ),
        **same_line(OWNERS_EDIT, "backups backup"),
        **same_line(OWN_LOG_IN, "password sessions factor"),
        **same_line(SETUP, "start start_club start_director"),
        "site": opens_and_sends(STARTERS, beyond="its owner, or a director at the machine itself", guarded=True),
        "running": Access(
            opens=ANYONE,
            sends=STARTERS,
            beyond="at the site's own computer; stopping it: who looks after the site, or an empty install",
            guarded=True,
        ),
        "backup_file": Access(opens=OWNERS),
        "everything": Access(sends=OWNERS),
        "language": Access(sends=ANYONE),
        "login": opens_and_sends(ANYONE),
        "logout": Access(sends=ANYONE),
        "login_factor": opens_and_sends(ANYONE, beyond="whose password was right, with a code"),
        "owner_people": opens_and_sends(OWNERS, beyond="with a second factor: its code, within twelve hours"),
        "lost": opens_and_sends(ANYONE, beyond="so many letters to and from an address"),
        "password_reset_confirm": opens_and_sends(ANYONE, beyond="who has the link of a letter, once"),
        "invited": opens_and_sends(ANYONE, beyond="so many wrong codes from an address"),
        "invited_with": opens_and_sends(ANYONE, beyond="who has the code, once, while it lasts"),
        "start_demo": Access(sends=ANYONE, beyond="an empty install alone: as its start", guarded=True),
    },
    "The club": {
        **same_line(PUBLIC, "club club_help crest"),
        **same_line(
            DIRECTORS_EDIT, "people invite invitation club_settings club_link start_rules start_members start_night"
        ),
        **same_line(DIRECTORS_READ, "club_backups log start_cards on_your_site"),
        "role": Access(sends=DIRECTORS),
        "role_password": Access(sends=DIRECTORS, beyond="not of a log-in that opens another club or the site"),
        "start_away": Access(sends=DIRECTORS),
        "demo_remove": opens_and_sends(DIRECTORS, beyond="of the demo's club alone"),
        "order": opens_and_sends(
            ANYONE,
            beyond="who ordered the file, while they are what they were then; sending takes the order back",
            guarded=True,
        ),
    },
    "Public pages": {
        **same_line(
            PUBLIC, "events rules house_rules shipped_rules rules_compare member_link club_picture feed manifest"
        ),
        "embed": Access(opens=ANYONE, beyond="only parts whose door is open show anything"),
        **same_line(
            BEHIND_EVENT,
            "event event_picture seats evening board clock event_data standings_data result_data result_file",
        ),
        **same_line(BEHIND_RESULTS, "season season_picture season_need season_data season_file club_data handicaps"),
        **same_line(BEHIND_NIGHTS, "calendar event_calendar season_calendar"),
        **same_line(PUBLIC_PRINT, "rules_print shipped_rules_print"),
        "coming": opens_and_sends(ANYONE, behind="nights", beyond="while signing up is open; so many from an address"),
        "mail": opens_and_sends(
            ANYONE, behind="results", beyond="where the host has mail; so many from and to an address"
        ),
        "mail_own": opens_and_sends(ANYONE, beyond="who has the link of a letter"),
        "sign_up": opens_and_sends(ANYONE, beyond="who has the link of a sign-up"),
        "handicap_list": Access(
            opens=ANYONE, behind="results", beyond="handicaps that a club keeps to itself: its directors"
        ),
        "rating": Access(opens=ANYONE, behind="results", beyond="where the club has one"),
        "person": Access(
            opens=ANYONE, behind="people", beyond="of who wants initials: scorekeepers, directors, they themselves"
        ),
    },
    "Tables": {
        **same_line(PUBLIC, "which_event table_scanned game_scanned"),
        **same_line(BY_LINK, "table table_game table_deal table_say"),
        "table_code": opens_and_sends(ANYONE, beyond="so many wrong codes from an address"),
        "table_live_check": Access(sends=AT_TABLE, beyond=BY_LINK.beyond),
        "table_news": Access(opens=AT_TABLE, beyond=BY_LINK.beyond),
        "table_right": Access(sends=AT_TABLE, beyond=BY_LINK.beyond),
        "table_who": Access(sends=AT_TABLE, beyond=BY_LINK.beyond),
    },
    "Cards and house rules": {
        **same_line(SCORERS_EDIT, "game_new card_reasons score_file"),
        **same_line(SCORERS_READ, "card_news other_rules"),
        **same_line(DIRECTORS_EDIT, "game_end files rules_change rules_in"),
        **same_line(DIRECTORS_READ, "files_out rules_out"),
        "card": opens_and_sends(DESK, beyond="a card that all sides signed: directors"),
        "live_check": Access(sends=DESK),
        "game_follow": Access(opens=ANYONE, beyond="who has the address of a game outside events"),
        "game_names": opens_and_sends(DESK, beyond="a card that all sides signed: directors"),
        "handicap": Access(opens=DESK, sends=DIRECTORS),
        "deal": opens_and_sends(DESK, beyond="a card that all sides signed: directors"),
        "deal_mark": Access(sends=DESK, directors=("state=void",)),
        "rules_copy": Access(sends=DIRECTORS),
    },
    "The desk": {
        **same_line(SCORERS_READ, "desk desk_event"),
        "phones": Access(opens=DESK, sends=DIRECTORS, beyond="letting phones in: at the site's own computer"),
        **same_line(
            DIRECTORS_EDIT,
            "event_new event_change event_call_off event_remove sign_ups entries entries_import entry partners "
            "side_list wishes round_draw draw_search stage_draw draw_step draw_by_hand seat_changes end_set "
            "open_games walkover side_leaves seeds differences adjustments tie_breaks sit_out_rules event_handicap "
            "handicap_numbers cut cut_step result night_close night_season season_new season_change season_rule "
            "season_people season_opening season_following mail_desk event_in",
        ),
        "event_advice": DIRECTORS_READ,
        **same_line(SCORERS_EDIT, "here round_keying stage_keying photos photo_cards"),
        "photo_picture": SCORERS_READ,
        "round_step": Access(opens=DESK, sends=DIRECTORS),
        "round_clock": Access(sends=DIRECTORS),
        "round_second_keying": Access(opens=DESK, sends=DESK, directors=("step",)),
        "stage_second_keying": Access(opens=DESK, sends=DESK, directors=("step",)),
        "table_links": Access(opens=DESK, sends=DIRECTORS),
    },
    "Paper and files": {
        **same_line(SCORERS_READ, "print standings_file deals_file"),
        "document": Access(
            opens=DESK,
            sends=DESK,
            also={"prizes": TREASURERS},
            beyond="sending orders the file; forms and drafts of what directors do: directors",
        ),
        "document_picture": Access(opens=DESK, also={"prizes": TREASURERS}),
        "season_document": opens_and_sends(DESK, beyond="sending orders the file"),
        **same_line(DIRECTORS_READ, "entries_file members_file event_file club_file"),
    },
    "Money": {
        **same_line(MONEY_EDIT, "prizes event_money club_money season_money dues"),
        **same_line(MONEY_READ, "event_money_file club_money_file season_money_file"),
        "fees": opens_and_sends(FEES),
    },
    "Members": {
        **same_line(DIRECTORS_EDIT, "members_paste guests merges member merge member_erase"),
        "members": Access(opens=DESK, sends=DIRECTORS),
        "member_export": Access(sends=DIRECTORS),
    },
}
"""By part of the site, by the name of the address."""

LINES: dict[str, Access] = {name: line for part in PARTS.values() for name, line in part.items()}
"""By the name of the address."""
