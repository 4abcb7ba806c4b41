# ruff: noqa: S608  (what stands in the questions are names of our own tables and columns)
"""Going back to a backup leaves access as it is now: what was ended since the backup must not open anything again.

Roles, invitations, second factors and log-ins stay, as far as the same club and the same log-in were in the backup.
What people have asked for about themselves stays: who wants initials, and contact details that were emptied. Table
links that were ended since stay ended, and those made since, which are on the cards in people's hands, go on opening
their tables, where the backup has these tables.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, Min
from django.utils.translation import gettext as _
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.models import Club, Invitation, LogEntry, Member, Role, User
from clubsite.backups import rows
from clubsite.backups.databases import ask, sqlite
from clubsite.backups.making import born_of
from tournaments.models import Draw, Event, Group, TableLink

STAYING = (Role, Invitation, TOTPDevice, StaticDevice, StaticToken)
CONTACT = ("email", "telephone", "note")  # columns of a member that stay empty


@dataclass(frozen=True, slots=True)
class AsNow:
    """What is remembered of the present before the backup's rows replace it; `put` writes it back."""

    links: list[Any]  # rows of table links that are new or differ from the backup's
    followed: dict[int, int | None]  # the groups of these links, and those that they follow, each to the one it follows
    log_ins: list[Any]  # rows of log-ins that are new or differ from the backup's
    members: list[Any]  # the club, `initials_only` and `CONTACT` of members that differ from the backup's
    clubs: list[tuple[int, bool]]  # which need a second factor, of those that differ from the backup's
    cards: Collection[Any]  # those in people's hands: keys of `cards`

    def put(self) -> None:
        """Write it back, after the backup's rows were put back and within the same transaction."""
        for user in self.log_ins:
            if User.objects.filter(pk=user["id"]).update(**user):
                continue
            if user["is_superuser"] or Role.objects.filter(user=user["id"], club__in=Club.objects.all()).exists():
                User.objects.create(**user)
        for pk, second_factor in self.clubs:
            Club.objects.filter(pk=pk).update(second_factor=second_factor)
        for member in self.members:
            there = Member.every.filter(pk=member["id"], club=member["club_id"], erased_at=None)
            there.update(initials_only=member["initials_only"], **{name: "" for name in CONTACT if not member[name]})
        for link in self.links:
            if link["revoked_at"]:
                TableLink.objects.filter(pk=link["id"], revoked_at=None).update(revoked_at=link["revoked_at"])
        self._go_on_with_links()

    def _go_on_with_links(self) -> None:
        """Keep the links made since the backup, each for its group, or the one whose games that took over where seats
        were changed since; until the group's link in the backup would have ended."""
        there = set(TableLink.objects.filter(pk__in=[link["id"] for link in self.links]).values_list("pk", flat=True))
        groups = set(Group.objects.filter(pk__in=self.followed).values_list("pk", flat=True))
        of_group = TableLink.objects.filter(group__in=groups).order_by("group").values_list("group")
        ends: dict[int, Any] = dict(of_group.annotate(Min("expires_at")))
        last: dict[int, int] = dict(of_group.annotate(Max("number")))
        live = set(of_group.filter(revoked_at=None).values_list("group", flat=True))
        for link in self.links:
            group = link["group_id"]
            while group not in groups and group is not None:
                group = self.followed[group]
            if group is None or link["id"] in there or (group in live and not link["revoked_at"]):
                continue
            if not link["revoked_at"]:
                live.add(group)
            last[group] = last.get(group, 0) + 1
            own = {"group_id": group, "number": last[group], "expires_at": ends.get(group)}
            kept = TableLink.objects.create(**link | own)
            TableLink.objects.filter(pk=kept.pk).update(made_at=link["made_at"])

    def cards_to_print(self, club: int | None) -> dict[str, list[str]]:
        """The cards of rounds being played that nobody has in their hands now, in words, by the club's key as text."""
        tables: dict[tuple[str, str, str], list[str]] = {}
        for card, (round, label) in cards(club).items():
            if card not in self.cards:
                tables.setdefault(round, []).append(label)
        words: dict[str, list[str]] = {}
        for (of_club, event, name), labels in tables.items():
            words.setdefault(of_club, []).append(f"{event}, {name}: {', '.join(labels)}")
        return words


def cards(club: int | None) -> dict[Any, tuple[tuple[str, str, str], str]]:
    """The printed cards of the rounds that are being played, by what is on them: their club, event and round, and the
    table."""
    links = TableLink.objects.filter(
        revoked_at=None, expires_at=None, group__table__draw__state=Draw.State.PUBLISHED
    ).exclude(event__state=Event.State.FINISHED)
    if club is not None:
        links = links.filter(event__club=club)
    links = links.select_related("event", "group__table__draw__round__stage").prefetch_related("group__seats__entry")
    found = {}
    for link in links.order_by("event", "group__table__draw", "group__table__number", "group__number"):
        round, label = link.group.table.draw.round, link.group.label_in(link.event)
        round.stage.event = link.event
        names = tuple(tuple(side) for side in link.group.names)
        found[link.token_hash, label, names] = (str(link.event.club_id), link.event.name, round.name), label
    return found


def as_now(club: int | None = None, *, but: Collection[int] = ()) -> AsNow:
    """Read what is to stay as it is now, of one club or all. Needs the backup's rows beside those of now
    (`rows.beside`). `but`: keys of clubs that are other clubs in the backup."""
    links = TableLink.objects.filter(pk__in=_changed(TableLink, club)).exclude(event__club__in=but)
    members = Member.every.filter(pk__in=_changed(Member, club)).exclude(club__in=but)
    users = set(_changed(User, None)) - _other_users() if club is None else set()
    return AsNow(
        links=list(links.order_by("pk").values()),
        followed=_followed(set(links.values_list("group", flat=True))),
        log_ins=list(User.objects.filter(pk__in=users).order_by("pk").values()),
        members=list(members.values("id", "club_id", "initials_only", *CONTACT)),
        clubs=list(
            Club.objects.filter(pk__in=_changed(Club, club)).exclude(pk__in=but).values_list("pk", "second_factor")
        ),
        cards=cards(club),
    )


def _changed(model: Any, club: int | None) -> list[Any]:
    return rows.not_as_then(rows.ModelTable(model, rows.way_to_club(model)), club)


def _followed(groups: set[int]) -> dict[int, int | None]:
    """Which group each of these follows, and which each of those, back to the first."""
    found: dict[int, int | None] = {}
    while groups := groups - found.keys():
        further = dict(Group.objects.filter(pk__in=groups).values_list("pk", "follows"))
        found |= further
        groups = {group for group in further.values() if group is not None}
    return found


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
    """The keys of log-ins that belong to somebody else in the backup: who joined at another time. Names may change."""
    name = User._meta.db_table
    pairs = f"{rows.now(name)} a JOIN {rows.then(name)} b ON a.id = b.id"
    sql = f"SELECT a.id FROM {pairs} WHERE a.date_joined <> b.date_joined"
    return {row[0] for row in ask(sql)}


def other_clubs() -> list[int]:
    """The keys of clubs that belong to another club in the backup, as their logs began otherwise."""
    now, then = (born_of(side(LogEntry._meta.db_table)) for side in (rows.now, rows.then))
    return [club for club, first in now.items() if club in then and then[club] != first]


def rights_brought(club: int | None) -> list[str]:
    """The log-ins with rights that going back would bring in: owners of the site that aren't there now, and what
    anybody may do in a club that isn't."""
    clubs = _missing(Club) | set(other_clubs())
    if club is not None:
        return rights_in(ask, side=rows.then, users=set(), clubs=clubs & {club})
    return rights_in(ask, side=rows.then, users=_missing(User) | _other_users(), clubs=clubs)


def rights_in(
    ask: sqlite.Ask, *, side: Any = str, users: set[int] | None = None, clubs: set[int] | None = None
) -> list[str]:
    """The log-ins of a database that own the site or may do more in a club than see their own page, in words; with
    `users` and `clubs` only these owners, and roles in these clubs."""
    user, role, of_club = (side(model._meta.db_table) for model in (User, Role, Club))
    owners = ask(f"SELECT id, username FROM {user} WHERE is_superuser ORDER BY username")
    roles = ask(
        f"SELECT r.club_id, u.username, r.kind, c.name FROM {role} r JOIN {user} u ON u.id = r.user_id"
        f" JOIN {of_club} c ON c.id = r.club_id WHERE r.kind <> '{Role.Kind.MEMBER}' ORDER BY c.name, u.username"
    )
    found = [_("%(name)s: owner of the site") % {"name": name} for pk, name in owners if users is None or pk in users]
    return found + [
        _("%(name)s: %(role)s, %(club)s") % {"name": name, "role": Role.Kind(kind).label, "club": of}
        for pk, name, kind, of in roles
        if clubs is None or pk in clubs
    ]
