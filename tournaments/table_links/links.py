"""The links with which phones score for a table: making and ending them, their codes and QR codes, guessed codes, and
keeping links when a backup is restored."""

import base64
import hashlib
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import segno
from django.db.models import Max, Min, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from clubsite import addresses
from clubsite.accounts import login_attempts
from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.accounts.permissions.table import LinkState
from clubsite.accounts.staying import in_batches, rows_from_json, rows_to_json
from clubsite.codes import new_nonce
from tournaments.events.state import event_locked
from tournaments.models import Draw, Event, Group, TableLink

TOKEN_BYTES = 16
FIRST, LAST = 10, 99  # the number after the word
_CODE = re.compile(r"([A-Z]{4})([0-9]{2})")
CARD_CODE = re.compile(r"https?://\S{1,200}/t/([a-z2-7]{26})/(?:([1-9][0-9]?)/)?", re.IGNORECASE)
_SALT = "tournaments.table_links."


@cache
def code_words() -> tuple[str, ...]:
    """Short, friendly words, spelt as they sound."""
    return tuple(Path(__file__).with_name("words.txt").read_text(encoding="utf-8").upper().split())


def make_token(nonce: str) -> str:
    """The secret part of a link's address: 128 bits as 26 capital letters and digits, for a small QR code."""
    return base64.b32encode(_digest("token", nonce)[:TOKEN_BYTES]).decode().rstrip("=")


def make_code(nonce: str) -> str:
    """The short code to type: "MOLE-42"."""
    number = int.from_bytes(_digest("code", nonce), "big")
    number, place = divmod(number, len(code_words()))
    return f"{code_words()[place]}-{FIRST + number % (LAST - FIRST + 1)}"


def hash_token(token: str) -> str:
    return hashlib.sha256(token.upper().encode()).hexdigest()


def hash_code(event: int, code: str) -> str:
    """Hashed with the secret key, since there are few codes."""
    return salted_hmac(f"{_SALT}kept", f"{event} {code}", algorithm="sha256").hexdigest()


def normalize_code(typed: str) -> str:
    """A typed code as it is printed; "" if it isn't one.

    >>> normalize_code("mole 42"), normalize_code(" Mole42"), normalize_code("moles")
    ('MOLE-42', 'MOLE-42', '')
    """
    match = _CODE.fullmatch(re.sub(r"[\W_]", "", typed).upper())
    return f"{match[1]}-{match[2]}" if match else ""


def _digest(what: str, nonce: str) -> bytes:
    return salted_hmac(f"{_SALT}{what}", nonce, algorithm="sha256").digest()


WINDOW = 15 * 60  # seconds in which an address may try ...
CODES = 8  # ... this many wrong codes,
CODES_WHEN_GUESSED = 2  # or this many while somebody is guessing the event's codes,
LINKS_TRIED = 20  # and this many links that don't exist
EVENT_WINDOW = 3600
EVENT_CODES = 20  # this many wrong codes within EVENT_WINDOW must be guesses
DAY = 24 * 3600


def code_try(event: Event, address: str) -> login_attempts.Try:
    """A try at a code from this address, to be spent before the code is checked and given back if it is right."""
    most = CODES_WHEN_GUESSED if is_guessed(event) else CODES
    return login_attempts.Try(("table-code", str(event.pk), address), most=most, window=WINDOW)


def count_wrong_code(event: Event) -> None:
    """Count a code that no table of this event has. Guessing is logged once."""
    login_attempts.count_try("table-codes-today", str(event.pk), window=DAY)
    if login_attempts.count_try("table-codes", str(event.pk), window=EVENT_WINDOW) == EVENT_CODES:
        by = Actor(user=None, name="Nine Tables", route="table")
        with event.club.locked_transaction() as club:
            log(club=club, by=by, verb="links.guessed", subject=event, new={"wrong_codes": EVENT_CODES})


def is_guessed(event: Event) -> bool:
    """Whether so many wrong codes were typed within an hour that somebody must be guessing."""
    return login_attempts.tries_made("table-codes", str(event.pk), window=EVENT_WINDOW) >= EVENT_CODES


def wrong_codes(event: Event) -> int:
    """How many wrong codes were typed for this event today. One query."""
    return login_attempts.tries_made("table-codes-today", str(event.pk), window=DAY)


def count_wrong_link(address: str) -> None:
    """Count a link that doesn't exist. Raises TooManyTries: this address opened too many."""
    login_attempts.spend(login_attempts.Try(("table-link", address), most=LINKS_TRIED, window=WINDOW))


def open_links(draw: Draw) -> int:
    """Make a link for each group of a published draw that has none, and return how many. Call it in the transaction
    that publishes the draw."""
    event = draw.round.stage.event
    have = TableLink.objects.filter(group__table__draw=draw, revoked_at=None).values("group")
    groups = list(seated_groups(draw).exclude(pk__in=have))
    _create_links(event, groups)
    return len(groups)


def make_links(*, draw: Draw, by: Actor) -> int:
    """Make the missing links of a published draw. Returns how many were made."""
    with event_locked(draw.round.stage.event) as event:
        draw.refresh_from_db(fields=["state"])
        number = open_links(draw) if draw.state == Draw.State.PUBLISHED else 0
        if number:
            log(club=event.club, by=by, verb="links.make", subject=event.about(draw), new={"links": number})
    return number


def newest_link(draw: Draw) -> int:
    """The key of a draw's newest link, 0 if there is none."""
    return TableLink.objects.filter(group__table__draw=draw).aggregate(newest=Max("pk"))["newest"] or 0


def renew_links(*, draw: Draw, by: Actor, group: int | None = None, seen: int | None = None) -> int:
    """End the links of a published draw, or of one of its groups, and make new ones. Returns how many were made.

    `seen`: the `newest_link` that the page showed. If there is a newer one, as after the first of two taps, nothing is
    done."""
    with event_locked(draw.round.stage.event) as event:
        draw.refresh_from_db(fields=["state"])
        if draw.state != Draw.State.PUBLISHED or (seen is not None and newest_link(draw) != seen):
            return 0
        groups = list(seated_groups(draw) if group is None else seated_groups(draw).filter(pk=group))
        _end_now(groups)
        _create_links(event, groups)
        new = {"tables": [group.label_in(event) for group in groups]}
        log(club=event.club, by=by, verb="links.renew", subject=event.about(draw), new=new)
    return len(groups)


def revoke_links(*, draw: Draw, by: Actor, group: int | None = None) -> int:
    """End the links of a draw, or of one of its groups. Returns how many."""
    with event_locked(draw.round.stage.event) as event:
        groups = list(seated_groups(draw) if group is None else seated_groups(draw).filter(pk=group))
        ended = _end_now(groups)
        if ended:
            new = {"tables": [group.label_in(event) for group in groups]}
            log(club=event.club, by=by, verb="links.revoke", subject=event.about(draw), new=new)
    return ended


def move_links(of: Group, to: Group) -> None:
    """Give the links of a group to the one that takes over its games in a new version of the draw."""
    TableLink.objects.filter(group=of).update(group=to)


def end_links(groups: QuerySet[Group], club: Club) -> None:
    """Let the links of these groups expire after the club's `link_hours`. Call it in the transaction that ends the
    games."""
    until = timezone.now() + timedelta(hours=club.link_hours)
    TableLink.objects.filter(group__in=groups, revoked_at=None, expires_at=None).update(expires_at=until)


def resume_links(groups: QuerySet[Group]) -> None:
    """Undo `end_links`. Call it in the transaction that reopens the games."""
    TableLink.objects.filter(group__in=groups, revoked_at=None).update(expires_at=None)


def find_link(token: str) -> TableLink | None:
    """The link with this token, ended ones too."""
    return _first_link(_links().filter(token_hash=hash_token(token)))


def find_link_by_code(event: Event, typed: str) -> TableLink | None:
    """The event's newest link with a typed code, ended ones too."""
    code = normalize_code(typed)
    links = _links().filter(event=event, code_hash=hash_code(event.pk, code)) if code else TableLink.objects.none()
    return _first_link(links.order_by("-pk"))


def find_link_on_card(text: str) -> tuple[TableLink, int | None] | None:
    """The link in a card's QR code, ended ones too, and the number of the card's game (None on old cards). None if it
    isn't a code of this site."""
    match = CARD_CODE.fullmatch(text)
    link = find_link(match[1]) if match else None
    return (link, int(match[2]) if match and match[2] else None) if link else None


def link_state(link: TableLink) -> LinkState:
    """Makes no query for a link from `find_link`."""
    if link.revoked_at:
        return LinkState.REVOKED
    if link.group.table.draw.state != Draw.State.PUBLISHED:
        return LinkState.TAKEN_BACK
    if link.expires_at and link.expires_at <= timezone.now():
        return LinkState.EXPIRED
    if link.expires_at is None and link.event.state == Event.State.FINISHED:
        return LinkState.OVER
    return LinkState.LIVE


def current_link_state(link: TableLink) -> LinkState:
    """`link_state`, read afresh. One query."""
    now = TableLink.objects.filter(pk=link.pk).select_related("group__table__draw", "event").first()
    return link_state(now) if now else LinkState.NONE


def why_refused(state: LinkState) -> str:
    """Why a link in this state doesn't open its table; "" if it does."""
    if state is LinkState.LIVE:
        return ""
    return {
        LinkState.REVOKED: _("This link was ended by the director. Ask at the desk for the new one."),
        LinkState.TAKEN_BACK: _("The draw of this table was taken back. Ask at the desk where you sit now."),
        LinkState.EXPIRED: _(
            "This round is over, so its links no longer work. Ask at the desk if something has to be corrected."
        ),
        LinkState.OVER: _(
            "This event is over, so its links no longer work. Ask at the desk if something has to be corrected."
        ),
        LinkState.NONE: _("No table has this link. Scan the code on your card again."),
    }[state]


def readable_token(link: TableLink) -> str:
    """The token of a link; "" if it is lost because the link was made with another secret key."""
    token = make_token(link.nonce)
    return token if constant_time_compare(hash_token(token), link.token_hash) else ""


def _links() -> QuerySet[TableLink]:
    return TableLink.objects.select_related("group__table__draw__round__stage", "event__club", "event__rules")


def _first_link(links: QuerySet[TableLink]) -> TableLink | None:
    """The first of these links, or None, with its event set on its draw too so that it isn't read twice."""
    link = links.first()
    if link is not None:
        link.group.table.draw.round.stage.event = link.event
    return link


def seated_groups(draw: Draw) -> QuerySet[Group]:
    return draw.groups.exclude(seats=None).distinct()


def _end_now(groups: Iterable[Group]) -> int:
    return TableLink.objects.filter(group__in=groups, revoked_at=None).update(revoked_at=timezone.now())


def _create_links(event: Event, groups: Iterable[Group]) -> None:
    """Make a link for each group, with a code that no other link of the event in use has."""
    groups = list(groups)
    taken = set(TableLink.objects.filter(event=event, revoked_at=None).values_list("code_hash", flat=True))
    last = dict(TableLink.objects.filter(group__in=groups).order_by("number").values_list("group", "number"))
    links = []
    for group in groups:
        while (code := hash_code(event.pk, make_code(nonce := new_nonce()))) in taken:
            pass
        taken.add(code)
        token, number = hash_token(make_token(nonce)), last.get(group.pk, 0) + 1
        links.append(TableLink(event=event, group=group, number=number, nonce=nonce, token_hash=token, code_hash=code))
    TableLink.objects.bulk_create(links)


@dataclass(frozen=True)
class ShownLink:
    address: str
    code: str  # "MOLE-42"
    typed: str  # the short address of the page to type the code: "192.168.1.20:8000/t/"

    def for_game(self, number: int) -> "ShownLink":
        """The link on the card of one game. It opens that game, and identifies it on a photo of the card."""
        return replace(self, address=f"{self.address}{number}/")

    @cached_property
    def qr(self) -> str:
        """For a page, with white around it."""
        return qr_svg(self.address)

    @cached_property
    def qr_bare(self) -> str:
        """For paper, without white around it."""
        return _qr_svg(self.address, border=0, light=None)


def qr_svg(address: str) -> str:
    return _qr_svg(address, border=4, light="#fff")


def phone_site(request: HttpRequest) -> str:
    """The site's address for phones, ending in a slash: `SITE_URL`, or that of this request."""
    return f"{addresses.site_address(request)}/"


def shown_link(link: TableLink, site: str) -> ShownLink | None:
    """None if the link was made with another secret key."""
    token = readable_token(link)
    if not token:
        return None
    typed = urlsplit(site).netloc + urlsplit(site).path + "t/"
    return ShownLink(f"{site}t/{token}/", make_code(link.nonce), typed)


def shown_links(draw: Draw, site: str) -> dict[int, ShownLink]:
    """The links of a published draw that open their tables now, by the key of the group; none if `site` is "". One
    query."""
    if not site or draw.state != Draw.State.PUBLISHED:
        return {}
    links = TableLink.objects.filter(group__table__draw=draw, revoked_at=None)
    live = (link for link in links if link.expires_at is None or link.expires_at > timezone.now())
    return {link.group_id: shown for link in live if (shown := shown_link(link, site))}


def _qr_svg(address: str, *, border: int, light: str | None) -> str:
    """The addresses of table links are in capitals, which makes their QR codes a size smaller."""
    if urlsplit(address).path.startswith("/t/"):
        address = address.upper()
    file = io.BytesIO()
    look = {"svgclass": "qr", "lineclass": None, "omitsize": True, "xmldecl": False, "nl": False}
    segno.make(address, micro=False, error="m").save(file, kind="svg", border=border, light=light, **look)
    return file.getvalue().decode()


OLDEST = timedelta(days=60)  # cards are used for an evening, and backups are kept for a month


def links_to_keep() -> dict[str, Any]:
    """What a restore needs to keep links as they are: `live` links, keys of `ended` ones, which group `follows` which,
    and the `cards` of rounds in play."""
    live = TableLink.objects.filter(revoked_at=None, made_at__gt=timezone.now() - OLDEST)
    return {
        "live": rows_to_json(live.order_by("pk")),
        "ended": list(TableLink.objects.exclude(revoked_at=None).order_by("pk").values_list("pk", flat=True)),
        "follows": sorted(_followed_groups(set(live.values_list("group", flat=True))).items()),
        "cards": [card for card, _round, _label in _printed_cards()],
    }


def restore_links(data: dict[str, Any], then: Any, *, by: Actor) -> dict[int, list[str]]:
    """Restore `links_to_keep`. Returns for each club a sentence on which cards to print again."""
    for ended in in_batches(data["ended"]):
        TableLink.objects.filter(pk__in=ended, revoked_at=None).update(revoked_at=timezone.now())
    _restore_live_links(list(rows_from_json(data["live"])), dict(data["follows"]))
    tables: dict[tuple[int, str, str], list[str]] = {}
    for card, round, label in _printed_cards():
        if card not in data["cards"]:
            tables.setdefault(round, []).append(label)
    cards: dict[int, list[str]] = {}
    for (club, event, name), labels in tables.items():
        cards.setdefault(club, []).append(f"{event}, {name}: {', '.join(labels)}")
    return {
        club: [_("Print these cards again: %(cards)s.") % {"cards": "; ".join(words)}] for club, words in cards.items()
    }


def _restore_live_links(links: list[Any], follows: dict[int, int | None]) -> None:
    """Keep the links made since the backup, each for its group or, if seats were changed since, the group that it
    followed; they expire when the group's link in the backup would have."""
    existing: set[int] = set()
    for pks in in_batches(link.object.pk for link in links):
        existing.update(TableLink.objects.filter(pk__in=pks).values_list("pk", flat=True))
    groups, live = set[int](), set[int]()
    ends: dict[int, Any] = {}
    last: dict[int, int] = {}
    for pks in in_batches(follows):
        groups.update(Group.objects.filter(pk__in=pks).values_list("pk", flat=True))
        of_group = TableLink.objects.filter(group__in=pks).order_by("group").values_list("group")
        ends |= dict(of_group.annotate(Min("expires_at")))
        last |= dict(of_group.annotate(Max("number")))
        live.update(of_group.filter(revoked_at=None).values_list("group", flat=True))
    for row in links:
        link: TableLink = row.object
        group: int | None = link.group_id
        while group not in groups and group is not None:
            group = follows.get(group)
        if group is None or link.pk in existing or group in live:
            continue
        live.add(group)
        last[group] = last.get(group, 0) + 1
        link.group_id, link.number, link.expires_at = group, last[group], ends.get(group)
        row.save()  # raw: keeps its time of making


def _printed_cards() -> list[tuple[list[Any], tuple[int, str, str], str]]:
    """The cards of rounds in play: their content, in JSON types; their club, event and round; their table."""
    links = (
        TableLink.objects.filter(revoked_at=None, expires_at=None, group__table__draw__state=Draw.State.PUBLISHED)
        .exclude(event__state=Event.State.FINISHED)
        .select_related("event", "group__table__draw__round__stage")
        .prefetch_related("group__seats__entry")
        .order_by("event", "group__table__draw", "group__table__number", "group__number")
    )
    cards = []
    for link in links:
        round, label = link.group.table.draw.round, link.group.label_in(link.event)
        round.stage.event = link.event
        card = [link.token_hash, label, [list(side) for side in link.group.names]]
        cards.append((card, (link.event.club_id, link.event.name, round.name), label))
    return cards


def _followed_groups(groups: set[int]) -> dict[int, int | None]:
    """The group that each of these follows, and that these follow, back to the first."""
    follows: dict[int, int | None] = {}
    while groups := groups - follows.keys():
        further: dict[int, int | None] = {}
        for pks in in_batches(groups):
            further |= dict(Group.objects.filter(pk__in=pks).values_list("pk", "follows"))
        follows |= further
        groups = {group for group in further.values() if group is not None}
    return follows
