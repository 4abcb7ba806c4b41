"""Making links for the tables of a draw, ending them, making them anew; and finding a table by its link or code.

A link opens its table as long as its draw is published and its round goes on, and for the club's `link_hours` after
that. Those of a draw taken back open nothing, and do again when the same draw is published again.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.accounts.permissions.table import LINKS, LinkAnswer, LinkState
from clubsite.codes import new_nonce
from tournaments.events.state import lock_event
from tournaments.models import Draw, Event, Group, TableLink
from tournaments.table_links import codes


def open_links(draw: Draw) -> int:
    """Make a link for each group of a published draw that has none. To be called in the transaction that publishes it.

    Returns how many were made.
    """
    event = draw.round.stage.event
    have = TableLink.objects.filter(group__table__draw=draw, revoked_at=None).values("group")
    groups = list(seated_groups(draw).exclude(pk__in=have))
    _make(event, groups)
    return len(groups)


def make_links(*, draw: Draw, by: Actor) -> int:
    """Make the links that a published draw lacks. Returns how many were made."""
    with transaction.atomic():
        event = lock_event(draw.round.stage.event)
        draw.refresh_from_db(fields=["state"])
        made = open_links(draw) if draw.state == Draw.State.PUBLISHED else 0
        if made:
            log(club=event.club, by=by, verb="links.make", subject=event.about(draw), new={"links": made})
    return made


def newest_link(draw: Draw) -> int:
    """The key of the link of a draw that was made last, 0 where there is none: by it a page knows what it showed."""
    return TableLink.objects.filter(group__table__draw=draw).aggregate(newest=Max("pk"))["newest"] or 0


def renew_links(*, draw: Draw, by: Actor, group: int | None = None, seen: int | None = None) -> int:
    """End the links of a published draw, or of one of its groups, and make others. Returns how many were made.

    `seen` is the newest link (`newest_link`) that the page showed: where another was made since, as by the first of two
    taps, nothing is done.
    """
    with transaction.atomic():
        event = lock_event(draw.round.stage.event)
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
    with transaction.atomic():
        event = lock_event(draw.round.stage.event)
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
    """Let the links of these groups end in `link_hours`, as what they play is over. To be called in the transaction
    that ends it."""
    until = timezone.now() + timedelta(hours=club.link_hours)
    TableLink.objects.filter(group__in=groups, revoked_at=None, expires_at=None).update(expires_at=until)


def resume_links(groups: QuerySet[Group]) -> None:
    """Let the links of these groups last again, as what they play goes on. To be called in the transaction that lets it
    go on."""
    TableLink.objects.filter(group__in=groups, revoked_at=None).update(expires_at=None)


def link_with(token: str) -> TableLink | None:
    """The link with this token, whatever has become of it."""
    return _found(_links().filter(token_hash=codes.token_hash(token)))


def link_coded(event: Event, typed: str) -> TableLink | None:
    """The event's link with the code that somebody typed, whatever has become of it; of several the newest."""
    code = codes.as_code(typed)
    found = (
        _links().filter(event=event, code_hash=codes.code_hash(event.pk, code)) if code else TableLink.objects.none()
    )
    return _found(found.order_by("-pk"))


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
    if LINKS[state] == LinkAnswer.OPENS:
        return ""
    return {
        LinkState.REVOKED: _("This link was ended by the director. Ask at the desk for the new one."),
        LinkState.TAKEN_BACK: _("The draw of this table was taken back. Ask at the desk where you sit now."),
        LinkState.EXPIRED: _(
            "This round is over, and its links with it. Ask at the desk if something has to be put right."
        ),
        LinkState.OVER: _(
            "This event is over, and its links with it. Ask at the desk if something has to be put right."
        ),
        LinkState.NONE: _("No table has this link. Scan the code on your card again."),
    }[state]


def token_shown(link: TableLink) -> str:
    """The token of a link, "" when it was made with another secret key and can't be known any more."""
    token = codes.token_of(link.nonce)
    return token if constant_time_compare(codes.token_hash(token), link.token_hash) else ""


def _links() -> QuerySet[TableLink]:
    return TableLink.objects.select_related("group__table__draw__round__stage", "event__club", "event__rules")


def _found(links: QuerySet[TableLink]) -> TableLink | None:
    """The first of these links, or None. Its own event is set as that of its draw, so that it isn't read twice."""
    link = links.first()
    if link is not None:
        link.group.table.draw.round.stage.event = link.event
    return link


def seated_groups(draw: Draw) -> QuerySet[Group]:
    """The groups of a draw in which somebody sits, with their tables."""
    return draw.groups.exclude(seats=None).distinct()


def _revoke(groups: Iterable[Group]) -> int:
    return TableLink.objects.filter(group__in=groups, revoked_at=None).update(revoked_at=timezone.now())


def _make(event: Event, groups: Iterable[Group]) -> None:
    """A link for each of these groups, with codes that no other link of the event in use has."""
    groups = list(groups)
    taken = set(TableLink.objects.filter(event=event, revoked_at=None).values_list("code_hash", flat=True))
    last = dict(TableLink.objects.filter(group__in=groups).order_by("number").values_list("group", "number"))
    made = []
    for group in groups:
        while (kept := codes.code_hash(event.pk, codes.code_of(nonce := new_nonce()))) in taken:
            pass
        taken.add(kept)
        token, number = codes.token_hash(codes.token_of(nonce)), last.get(group.pk, 0) + 1
        made.append(TableLink(event=event, group=group, number=number, nonce=nonce, token_hash=token, code_hash=kept))
    TableLink.objects.bulk_create(made)
