# ruff: noqa: S608  (what stands in the questions are names of our own tables and columns)
"""Who may come in stays as it is now when somebody goes back: what was ended since must not open anything again.

Roles, invitations and second factors stay, and so do passwords and closed log-ins, as far as the same club and the same
log-in were in the backup. Links of tables that were ended since stay ended, and those made since, which stand
on the cards in people's hands, go on opening their tables, where the backup has them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Min
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.models import Club, Invitation, Role, User
from clubsite.backups import rows
from tournaments.models import Group, TableLink

STAYING = (Role, Invitation, TOTPDevice, StaticDevice, StaticToken)
CLOSED = ("password", "is_active")  # of a log-in: what is as it is now


@dataclass(frozen=True, slots=True)
class AsNow:
    """What is remembered of now before the rows of then take its place; `put` has it stand again."""

    links: tuple[dict[str, Any], ...]  # of tables, that weren't so then
    log_ins: tuple[tuple[int, str, Any, Any], ...]  # key, name and `CLOSED` of those that weren't so then

    def put(self) -> None:
        """Have it stand again, after the rows of then were put back. Within the same transaction."""
        for pk, username, password, active in self.log_ins:
            User.objects.filter(pk=pk, username=username).update(password=password, is_active=active)
        self._end_links()
        self._go_on_with_links()

    def _end_links(self) -> None:
        for link in self.links:
            if link["revoked_at"]:
                TableLink.objects.filter(pk=link["id"], revoked_at=None).update(revoked_at=link["revoked_at"])

    def _go_on_with_links(self) -> None:
        """A link made since goes on for its group, and ends with the link that the group had then."""
        there = set(TableLink.objects.filter(pk__in=[link["id"] for link in self.links]).values_list("pk", flat=True))
        made = [link for link in self.links if link["id"] not in there]
        groups = set(Group.objects.filter(pk__in={one["group_id"] for one in made}).values_list("pk", flat=True))
        ends: dict[int, Any] = dict(
            TableLink.objects.filter(group__in=groups).order_by().values_list("group").annotate(Min("expires_at"))
        )
        for link in made:
            if link["group_id"] in groups:
                expires = ends.get(link["group_id"], link["expires_at"])
                kept = TableLink.objects.create(**link | {"expires_at": expires})
                TableLink.objects.filter(pk=kept.pk).update(made_at=link["made_at"])


def as_now(club: int | None = None) -> AsNow:
    """What is to stay as it is now, of one club or all. Reads, with a backup's rows beside those of now."""
    links = rows.ModelTable(TableLink, rows.way_to_club(TableLink))
    changed = TableLink.objects.filter(pk__in=rows.not_as_then(links, club)).order_by("pk")
    log_ins: list[Any] = []
    if club is None:
        users = rows.not_as_then(rows.ModelTable(User), None)
        log_ins = list(User.objects.filter(pk__in=users).values_list("pk", "username", *CLOSED))
    links_now: Iterable[Any] = changed.values()
    return AsNow(tuple(links_now), tuple(log_ins))


def bring_who_came_in(other: Collection[int]) -> None:
    """Bring the roles and invitations of clubs that aren't there now, and the factors of log-ins that aren't.

    `other` are clubs that aren't those of the backup though they have their keys: theirs go. Call it before the rows
    are put back.
    """
    others = _other_users()
    owners: dict[Any, tuple[str, set[int]]] = {
        Role: ("club_id", _missing(Club) | set(other)),
        Invitation: ("club_id", _missing(Club) | set(other)),
        TOTPDevice: ("user_id", _missing(User) | others),
        StaticDevice: ("user_id", _missing(User) | others),
    }
    Role.objects.filter(club__in=other).delete()
    Invitation.objects.filter(club__in=other).delete()
    TOTPDevice.objects.filter(user__in=others).delete()
    StaticDevice.objects.filter(user__in=others).delete()
    devices = _missing(StaticDevice)
    for model, (column, keys) in owners.items():
        rows.bring(rows.ModelTable(model), column, values=sorted(keys))
    mine = set(StaticDevice.objects.filter(pk__in=devices).values_list("pk", flat=True))
    rows.bring(rows.ModelTable(StaticToken), "device_id", values=sorted(mine))


def _missing(model: Any) -> set[int]:
    return set(rows.only_then(rows.ModelTable(model)))


def _other_users() -> set[int]:
    """Log-ins of now that have the key of another one in the backup."""
    name = User._meta.db_table
    sql = f"SELECT a.id FROM {rows.now(name)} a JOIN {rows.then(name)} b ON a.id = b.id WHERE a.username <> b.username"
    return {row[0] for row in rows.ask(sql)}
