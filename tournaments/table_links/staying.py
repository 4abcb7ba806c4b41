"""Links of tables after a backup was restored: what was ended since stays ended, what is on the cards in people's hands
goes on, and the desk reads which cards to print again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Max, Min
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor
from clubsite.accounts.staying import as_json, from_json, in_parts
from tournaments.models import Draw, Event, Group, TableLink

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


def put_links(kept: dict[str, Any], then: Any, *, by: Actor) -> dict[int, list[str]]:
    """Put them back. Returns for each club which cards to print again."""
    for ended in in_parts(kept["ended"]):
        TableLink.objects.filter(pk__in=ended, revoked_at=None).update(revoked_at=timezone.now())
    _go_on(list(from_json(kept["live"])), dict(kept["follows"]))
    tables: dict[tuple[int, str, str], list[str]] = {}
    for card, round, label in _cards():
        if card not in kept["cards"]:
            tables.setdefault(round, []).append(label)
    cards: dict[int, list[str]] = {}
    for (club, event, name), labels in tables.items():
        cards.setdefault(club, []).append(f"{event}, {name}: {', '.join(labels)}")
    return {
        club: [_("Print these cards again: %(cards)s.") % {"cards": "; ".join(words)}] for club, words in cards.items()
    }


def _go_on(links: list[Any], follows: dict[int, int | None]) -> None:
    """Keep the links made since the backup, each for its group, or the one whose games that took over where seats were
    changed since; until the group's link in the backup would have ended."""
    there: set[int] = set()
    for pks in in_parts(link.object.pk for link in links):
        there.update(TableLink.objects.filter(pk__in=pks).values_list("pk", flat=True))
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
        if group is None or link.pk in there or group in live:
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
