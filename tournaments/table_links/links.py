"""The links by which a table's phones score: made, shown as code and QR, guessed at, ended, moved to a new version, and
kept when a backup is restored."""

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
from clubsite.accounts.staying import as_json, from_json, in_parts
from clubsite.codes import new_nonce
from tournaments.events.state import event_locked
from tournaments.models import Draw, Event, Group, TableLink

TOKEN_BYTES = 16
FIRST, LAST = 10, 99  # the number after the word
_CODE = re.compile(r"([A-Z]{4})([0-9]{2})")
CARD_CODE = re.compile(r"https?://\S{1,200}/t/([a-z2-7]{26})/(?:([1-9][0-9]?)/)?", re.IGNORECASE)
_SALT = "tournaments.table_links."


@cache
def words() -> tuple[str, ...]:
    """The words of codes: short, friendly, and spelt as they sound."""
    return tuple(Path(__file__).with_name("words.txt").read_text(encoding="utf-8").upper().split())


def token_of(nonce: str) -> str:
    """The secret part of a link's address: 128 bits as 26 capital letters and digits, which make a small QR code."""
    return base64.b32encode(_digest("token", nonce)[:TOKEN_BYTES]).decode().rstrip("=")


def code_of(nonce: str) -> str:
    """The short code of a link, to be typed: "MOLE-42"."""
    number = int.from_bytes(_digest("code", nonce), "big")
    number, place = divmod(number, len(words()))
    return f"{words()[place]}-{FIRST + number % (LAST - FIRST + 1)}"


def token_hash(token: str) -> str:
    """What the database stores of a token."""
    return hashlib.sha256(token.upper().encode()).hexdigest()


def code_hash(event: int, code: str) -> str:
    """What the database stores of an event's code: useless without the secret key, as there are few codes."""
    return salted_hmac(f"{_SALT}kept", f"{event} {code}", algorithm="sha256").hexdigest()


def as_code(typed: str) -> str:
    """The code that somebody means; "" if it isn't one.

    >>> as_code("mole 42"), as_code(" Mole42"), as_code("moles")
    ('MOLE-42', 'MOLE-42', '')
    """
    match = _CODE.fullmatch(re.sub(r"[\W_]", "", typed).upper())
    return f"{match[1]}-{match[2]}" if match else ""


def _digest(what: str, nonce: str) -> bytes:
    return salted_hmac(f"{_SALT}{what}", nonce, algorithm="sha256").digest()


WINDOW = 15 * 60  # seconds; in these an address may try ...
CODES = 8  # ... this many wrong codes,
CODES_WHEN_GUESSED = 2  # or this many while somebody guesses at the event's codes,
LINKS_TRIED = 20  # and this many links that don't exist
EVENT_WINDOW = 3600
EVENT_CODES = 20  # this many wrong codes within an hour can't be typing mistakes
DAY = 24 * 3600


def code_try(event: Event, address: str) -> login_attempts.Try:
    """A try at a code from this address: spent before the code is checked, and given back if it is right."""
    most = CODES_WHEN_GUESSED if is_guessed(event) else CODES
    return login_attempts.Try(("table-code", str(event.pk), address), most=most, window=WINDOW)


def count_wrong_code(event: Event) -> None:
    """Count that a code was typed that no table of this event has. Once that looks like guessing, it is logged."""
    login_attempts.count("table-codes-today", str(event.pk), window=DAY)
    if login_attempts.count("table-codes", str(event.pk), window=EVENT_WINDOW) == EVENT_CODES:
        by = Actor(user=None, name="Nine Tables", route="table")
        with event.club.held() as club:
            log(club=club, by=by, verb="links.guessed", subject=event, new={"wrong_codes": EVENT_CODES})


def is_guessed(event: Event) -> bool:
    """Whether so many wrong codes were typed within an hour that somebody must be guessing them."""
    return login_attempts.tries("table-codes", str(event.pk), window=EVENT_WINDOW) >= EVENT_CODES


def wrong_codes(event: Event) -> int:
    """How many wrong codes were typed for this event today. One query."""
    return login_attempts.tries("table-codes-today", str(event.pk), window=DAY)


def count_wrong_link(address: str) -> None:
    """Count that a link was opened that doesn't exist. Raises TooManyTries: too many were opened from this address."""
    login_attempts.spend(login_attempts.Try(("table-link", address), most=LINKS_TRIED, window=WINDOW))


def open_links(draw: Draw) -> int:
    """Make a link for each group of a published draw that has none. To be called in the transaction that publishes it.

    Returns how many were made."""
    event = draw.round.stage.event
    have = TableLink.objects.filter(group__table__draw=draw, revoked_at=None).values("group")
    groups = list(seated_groups(draw).exclude(pk__in=have))
    _make(event, groups)
    return len(groups)


def make_links(*, draw: Draw, by: Actor) -> int:
    """Make the links that a published draw lacks. Returns how many were made."""
    with event_locked(draw.round.stage.event) as event:
        draw.refresh_from_db(fields=["state"])
        number = open_links(draw) if draw.state == Draw.State.PUBLISHED else 0
        if number:
            log(club=event.club, by=by, verb="links.make", subject=event.about(draw), new={"links": number})
    return number


def newest_link(draw: Draw) -> int:
    """The key of a draw's newest link, 0 without one: a page recognises by it what it showed."""
    return TableLink.objects.filter(group__table__draw=draw).aggregate(newest=Max("pk"))["newest"] or 0


def renew_links(*, draw: Draw, by: Actor, group: int | None = None, seen: int | None = None) -> int:
    """End the links of a published draw, or of one of its groups, and make others. Returns how many were made.

    `seen` is the newest link (`newest_link`) that the page showed: where another was made since, as by the first of two
    taps, nothing is done."""
    with event_locked(draw.round.stage.event) as event:
        draw.refresh_from_db(fields=["state"])
        if draw.state != Draw.State.PUBLISHED or (seen is not None and newest_link(draw) != seen):
            return 0
        groups = list(seated_groups(draw) if group is None else seated_groups(draw).filter(pk=group))
        _revoke(groups)
        _make(event, groups)
        new = {"tables": [group.label_in(event) for group in groups]}
        log(club=event.club, by=by, verb="links.renew", subject=event.about(draw), new=new)
    return len(groups)


def revoke_links(*, draw: Draw, by: Actor, group: int | None = None) -> int:
    """End the links of a draw, or of one of its groups. Returns how many there were."""
    with event_locked(draw.round.stage.event) as event:
        groups = list(seated_groups(draw) if group is None else seated_groups(draw).filter(pk=group))
        ended = _revoke(groups)
        if ended:
            new = {"tables": [group.label_in(event) for group in groups]}
            log(club=event.club, by=by, verb="links.revoke", subject=event.about(draw), new=new)
    return ended


def move_links(of: Group, to: Group) -> None:
    """Let a group of another version of a draw have the links of the one whose games it takes over."""
    TableLink.objects.filter(group=of).update(group=to)


def end_links(groups: QuerySet[Group], club: Club) -> None:
    """Let the links of these groups end in `link_hours`, as their games are over. Call it in the transaction that ends
    those."""
    until = timezone.now() + timedelta(hours=club.link_hours)
    TableLink.objects.filter(group__in=groups, revoked_at=None, expires_at=None).update(expires_at=until)


def resume_links(groups: QuerySet[Group]) -> None:
    """Let the links of these groups last again, as their games go on. Call it in the transaction that reopens those."""
    TableLink.objects.filter(group__in=groups, revoked_at=None).update(expires_at=None)


def link_with(token: str) -> TableLink | None:
    """The link with this token, whatever has become of it."""
    return _found(_links().filter(token_hash=token_hash(token)))


def link_coded(event: Event, typed: str) -> TableLink | None:
    """The event's link with the code that somebody typed, whatever has become of it; of several the newest."""
    code = as_code(typed)
    links = _links().filter(event=event, code_hash=code_hash(event.pk, code)) if code else TableLink.objects.none()
    return _found(links.order_by("-pk"))


def game_of_code(text: str) -> tuple[TableLink, int | None] | None:
    """The link in the QR code of a card, whatever has become of it, and the number of the card's game; None where
    an older card doesn't say it. None: not a code of this site."""
    match = CARD_CODE.fullmatch(text)
    link = link_with(match[1]) if match else None
    return (link, int(match[2]) if match and match[2] else None) if link else None


def state_of(link: TableLink) -> LinkState:
    """The state of a link: whether it opens its table. No query for a link that `link_with` found."""
    if link.revoked_at:
        return LinkState.REVOKED
    if link.group.table.draw.state != Draw.State.PUBLISHED:
        return LinkState.TAKEN_BACK
    if link.expires_at and link.expires_at <= timezone.now():
        return LinkState.EXPIRED
    if link.expires_at is None and link.event.state == Event.State.FINISHED:
        return LinkState.OVER
    return LinkState.LIVE


def state_now(link: TableLink) -> LinkState:
    """The state of a link that was found a while ago, read afresh. One query."""
    now = TableLink.objects.filter(pk=link.pk).select_related("group__table__draw", "event").first()
    return state_of(now) if now else LinkState.NONE


def why_refused(state: LinkState) -> str:
    """Why a link in this state opens nothing, in a sentence; "" where it does."""
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


def token_shown(link: TableLink) -> str:
    """The token of a link, "" if it was made with another secret key and is lost."""
    token = token_of(link.nonce)
    return token if constant_time_compare(token_hash(token), link.token_hash) else ""


def _links() -> QuerySet[TableLink]:
    return TableLink.objects.select_related("group__table__draw__round__stage", "event__club", "event__rules")


def _found(links: QuerySet[TableLink]) -> TableLink | None:
    """The first of these links, or None. Its own event is set as that of its draw, so that it isn't read twice."""
    link = links.first()
    if link is not None:
        link.group.table.draw.round.stage.event = link.event
    return link


def seated_groups(draw: Draw) -> QuerySet[Group]:
    return draw.groups.exclude(seats=None).distinct()


def _revoke(groups: Iterable[Group]) -> int:
    return TableLink.objects.filter(group__in=groups, revoked_at=None).update(revoked_at=timezone.now())


def _make(event: Event, groups: Iterable[Group]) -> None:
    """A link for each of these groups, with codes that no other link of the event in use has."""
    groups = list(groups)
    taken = set(TableLink.objects.filter(event=event, revoked_at=None).values_list("code_hash", flat=True))
    last = dict(TableLink.objects.filter(group__in=groups).order_by("number").values_list("group", "number"))
    links = []
    for group in groups:
        while (code := code_hash(event.pk, code_of(nonce := new_nonce()))) in taken:
            pass
        taken.add(code)
        token, number = token_hash(token_of(nonce)), last.get(group.pk, 0) + 1
        links.append(TableLink(event=event, group=group, number=number, nonce=nonce, token_hash=token, code_hash=code))
    TableLink.objects.bulk_create(links)


@dataclass(frozen=True)
class ShownLink:
    """A table's link. `address` opens it, `typed` is the short address where the code is typed."""

    address: str
    code: str  # "MOLE-42"
    typed: str  # "192.168.1.20:8000/t/"

    def of_game(self, number: int) -> "ShownLink":
        """The link on the card of one game: it opens that game, and a photo of the card says which it is."""
        return replace(self, address=f"{self.address}{number}/")

    @cached_property
    def qr(self) -> str:
        """The QR code as SVG with white around it, for a page."""
        return qr_of(self.address)

    @cached_property
    def qr_bare(self) -> str:
        """The QR code as SVG up to its edge, for paper."""
        return _svg(self.address, border=0, light=None)


def qr_of(address: str) -> str:
    """The QR code of an address as SVG with white around it, for a page."""
    return _svg(address, border=4, light="#fff")


def site_of(request: HttpRequest) -> str:
    """The address of the site for phones, with its last slash: `SITE_URL`, or the one of this request."""
    return f"{addresses.site_of(request)}/"


def shown_link(link: TableLink, site: str) -> ShownLink | None:
    """A link to show; None when it was made with another secret key."""
    token = token_shown(link)
    if not token:
        return None
    typed = urlsplit(site).netloc + urlsplit(site).path + "t/"
    return ShownLink(f"{site}t/{token}/", code_of(link.nonce), typed)


def links_of(draw: Draw, site: str) -> dict[int, ShownLink]:
    """The links of a published draw that open their tables now, by the key of the group; none without a site. One
    query."""
    if not site or draw.state != Draw.State.PUBLISHED:
        return {}
    links = TableLink.objects.filter(group__table__draw=draw, revoked_at=None)
    live = (link for link in links if link.expires_at is None or link.expires_at > timezone.now())
    return {link.group_id: shown for link in live if (shown := shown_link(link, site))}


def _svg(address: str, *, border: int, light: str | None) -> str:
    """The QR code of an address: in capitals where only host and link stand in it, which makes it a size smaller."""
    if urlsplit(address).path.startswith("/t/"):
        address = address.upper()
    file = io.BytesIO()
    look = {"svgclass": None, "lineclass": None, "omitsize": True, "xmldecl": False, "nl": False}
    segno.make(address, micro=False, error="m").save(file, kind="svg", border=border, light=light, **look)
    return file.getvalue().decode()


OLDEST = timedelta(days=60)  # a card is in people's hands for an evening; backups are kept for a month


def read_links() -> dict[str, Any]:
    """The links that are open, the keys of those that were ended, which groups follow which, and the cards of rounds
    being played."""
    live = TableLink.objects.filter(revoked_at=None, made_at__gt=timezone.now() - OLDEST)
    return {
        "live": as_json(live.order_by("pk")),
        "ended": list(TableLink.objects.exclude(revoked_at=None).order_by("pk").values_list("pk", flat=True)),
        "follows": sorted(_followed(set(live.values_list("group", flat=True))).items()),
        "cards": [card for card, _round, _label in _cards()],
    }


def put_links(data: dict[str, Any], then: Any, *, by: Actor) -> dict[int, list[str]]:
    """Put them back. Returns for each club which cards to print again."""
    for ended in in_parts(data["ended"]):
        TableLink.objects.filter(pk__in=ended, revoked_at=None).update(revoked_at=timezone.now())
    _go_on(list(from_json(data["live"])), dict(data["follows"]))
    tables: dict[tuple[int, str, str], list[str]] = {}
    for card, round, label in _cards():
        if card not in data["cards"]:
            tables.setdefault(round, []).append(label)
    cards: dict[int, list[str]] = {}
    for (club, event, name), labels in tables.items():
        cards.setdefault(club, []).append(f"{event}, {name}: {', '.join(labels)}")
    return {
        club: [_("Print these cards again: %(cards)s.") % {"cards": "; ".join(words)}] for club, words in cards.items()
    }


def _go_on(links: list[Any], follows: dict[int, int | None]) -> None:
    """Keep the links made since the backup, each for its group, or the group whose games that one took over when seats
    were changed since; until the group's link in the backup would have ended."""
    existing: set[int] = set()
    for pks in in_parts(link.object.pk for link in links):
        existing.update(TableLink.objects.filter(pk__in=pks).values_list("pk", flat=True))
    groups, live = set[int](), set[int]()
    ends: dict[int, Any] = {}
    last: dict[int, int] = {}
    for pks in in_parts(follows):
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
        row.save()  # raw: made when it was


def _cards() -> list[tuple[list[Any], tuple[int, str, str], str]]:
    """The printed cards of the rounds that are being played: what is on them, as JSON has it, their club, event and
    round, and the table."""
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


def _followed(groups: set[int]) -> dict[int, int | None]:
    """Which group each of these follows, and which each of those, back to the first."""
    follows: dict[int, int | None] = {}
    while groups := groups - follows.keys():
        further: dict[int, int | None] = {}
        for pks in in_parts(groups):
            further |= dict(Group.objects.filter(pk__in=pks).values_list("pk", "follows"))
        follows |= further
        groups = {group for group in further.values() if group is not None}
    return follows
