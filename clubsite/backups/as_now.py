# ruff: noqa: S608  (what stands in the questions are names of our own tables and columns)
"""Going back to a backup leaves access as it is now: what was ended since the backup must not open anything again.

Roles, invitations and second factors stay, and so do passwords and closed log-ins, as far as the same club and the same
log-in were in the backup. Table links that were ended since stay ended, and those made since, which stand on the cards
in people's hands, go on opening their tables, where the backup has these tables.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Min
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.models import Club, Invitation, Role, User
from clubsite.backups import rows
from clubsite.backups.databases import ask
from tournaments.models import Group, TableLink

STAYING = (Role, Invitation, TOTPDevice, StaticDevice, StaticToken)
CLOSED = ("password", "is_active")  # columns of a log-in that stay as they are now


@dataclass(frozen=True, slots=True)
class AsNow:
    """What is remembered of the present before the backup's rows replace it; `put` writes it back."""

    links: list[Any]  # rows of table links that are new or differ from the backup's
    log_ins: list[tuple[int, str, str, bool]]  # key, name and `CLOSED` of those that differ from the backup's

    def put(self) -> None:
        """Write it back, after the backup's rows were put back and within the same transaction."""
        for pk, username, password, active in self.log_ins:
            User.objects.filter(pk=pk, username=username).update(password=password, is_active=active)
        for link in self.links:
            if link["revoked_at"]:
                TableLink.objects.filter(pk=link["id"], revoked_at=None).update(revoked_at=link["revoked_at"])
        self._go_on_with_links()

    def _go_on_with_links(self) -> None:
        """Keep the links made since the backup for their groups, until the group's link in the backup would have
        ended."""
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
    """Read what is to stay as it is now, of one club or all. Needs the backup's rows beside those of now
    (`rows.beside`)."""
    links = rows.not_as_then(rows.ModelTable(TableLink, rows.way_to_club(TableLink)), club)
    users = rows.not_as_then(rows.ModelTable(User), None) if club is None else []
    return AsNow(
        list(TableLink.objects.filter(pk__in=links).order_by("pk").values()),
        list(User.objects.filter(pk__in=users).values_list("pk", "username", *CLOSED)),
    )


def bring_who_came_in(other: Collection[int]) -> None:
    """Bring back the roles and invitations of clubs that aren't there now, and the factors of log-ins that aren't.

    `other` are the keys of clubs that the backup uses for other clubs: the roles and invitations they have now are
    deleted. Call it before the rows are put back.
    """
    clubs, users = set(other), _other_users()
    owners: list[tuple[Any, str, set[int], set[int]]] = [
        (Role, "club_id", clubs, _missing(Club)),
        (Invitation, "club_id", clubs, _missing(Club)),
        (TOTPDevice, "user_id", users, _missing(User)),
        (StaticDevice, "user_id", users, _missing(User)),
    ]
    for model, column, others, _gone in owners:
        model.objects.filter(**{f"{column}__in": others}).delete()
    devices = _missing(StaticDevice)
    for model, column, others, gone in owners:
        rows.bring(rows.ModelTable(model), column, values=sorted(gone | others))
    mine = set(StaticDevice.objects.filter(pk__in=devices).values_list("pk", flat=True))
    rows.bring(rows.ModelTable(StaticToken), "device_id", values=sorted(mine))


def _missing(model: Any) -> set[int]:
    return set(rows.only_then(rows.ModelTable(model)))


def _other_users() -> set[int]:
    """The keys of log-ins that belong to another log-in in the backup."""
    name = User._meta.db_table
    sql = f"SELECT a.id FROM {rows.now(name)} a JOIN {rows.then(name)} b ON a.id = b.id WHERE a.username <> b.username"
    return {row[0] for row in ask(sql)}
