"""Verbs on those who log in."""

from __future__ import annotations

from django.db import transaction

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor, Club, Role, User


class LastDirector(Exception):
    """A club must keep one director."""


def add_person(*, club: Club, by: Actor, username: str, full_name: str, kind: str, password: str) -> Role:
    """Make a user with a role in the club."""
    first, _space, last = full_name.rpartition(" ")
    with transaction.atomic():
        user = User.objects.create_user(
            username=username, password=password, first_name=first or last, last_name=last if first else ""
        )
        role = Role.objects.create(user=user, club=club, kind=kind)
        log(club=club, by=by, verb="role.add", subject=username, new={"role": kind})
    return role


def change_role(*, role: Role, by: Actor, kind: str | None) -> None:
    """Give a user another role in the club, or none.

    Raises:
        LastDirector: the club would be without a director.
    """
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=role.club_id)
        others = Role.objects.filter(club=club, kind=Role.Kind.DIRECTOR).exclude(pk=role.pk)
        if kind != Role.Kind.DIRECTOR and role.kind == Role.Kind.DIRECTOR and not others.exists():
            raise LastDirector
        log(
            club=club,
            by=by,
            verb="role.change",
            subject=role.user.username,
            old={"role": role.kind},
            new={"role": kind},
        )
        if kind is None:
            role.delete()
        else:
            role.kind = kind
            role.save()
