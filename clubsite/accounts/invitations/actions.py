"""Verbs on invitations and on codes for lost passwords."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from clubsite.accounts.entrance.sessions import end_sessions
from clubsite.accounts.invitations.codes import code_of, hash_of, new_nonce
from clubsite.accounts.log import log, log_own
from clubsite.accounts.models import Actor, Club, Invitation, Member, Role, User
from clubsite.accounts.people import NameTaken, clubs_own_log_in

LASTS = timedelta(days=14)
PASSWORD_LASTS = timedelta(days=2)


class NotOpen(Exception):
    """The code was used, has run out, or was taken back."""


class NotTheirs(Exception):
    """The log-in also opens another club, or is the site owner's: no director alone may set its password."""


class HereAlready(Exception):
    """Whoever takes up the invitation already has a role in the club."""


def _open() -> QuerySet[Invitation]:
    usable = Q(user=None) | Q(by_owner=True) | clubs_own_log_in()
    return Invitation.objects.filter(usable, used_at=None, revoked_at=None, expires_at__gt=timezone.now())


def live(club: Club) -> QuerySet[Invitation]:
    """The invitations and codes of a club that somebody can still use."""
    return _open().filter(club=club)


def invite(*, club: Club, by: Actor, name: str, kind: str, member: Member | None = None, email: str = "") -> Invitation:
    """Invite somebody to a role, and say which member they are. The same invitation sent twice, by a double tap, is
    one."""
    with transaction.atomic():
        club = club.lock()
        same: dict[str, Any] = {"name": name, "kind": kind, "member": member, "email": email}
        if found := live(club).filter(purpose=Invitation.Purpose.JOIN, **same).first():
            return found
        made = _made(club=club, by=by, purpose=Invitation.Purpose.JOIN, lasts=LASTS, fields=same)
        log(club=club, by=by, verb="invitation.make", subject=name, new={"role": kind})
    return made


def give_code(*, role: Role, by: Actor, owner: bool = False) -> Invitation:
    """Make a code by which somebody of the club sets a new password; one made before stops working.

    The site's `owner` may do so for everybody.

    Raises:
        NotTheirs: the log-in also opens another club, or is the site owner's.
    """
    with transaction.atomic():
        club = role.club.lock()
        user = role.user
        if not owner and not Role.objects.filter(clubs_own_log_in(), pk=role.pk).exists():
            raise NotTheirs
        live(club).filter(purpose=Invitation.Purpose.PASSWORD, user=user).update(revoked_at=timezone.now())
        fields = {"name": user.get_full_name() or user.username, "user": user, "by_owner": owner}
        made = _made(club=club, by=by, purpose=Invitation.Purpose.PASSWORD, lasts=PASSWORD_LASTS, fields=fields)
        log(club=club, by=by, verb="password.code", subject=user.username)
    return made


def _made(*, club: Club, by: Actor, purpose: str, lasts: timedelta, fields: dict[str, Any]) -> Invitation:
    nonce = new_nonce()
    expires_at = timezone.now() + lasts
    code_hash = hash_of(code_of(nonce))
    return Invitation.objects.create(
        club=club, purpose=purpose, nonce=nonce, code_hash=code_hash, made_by=by.name, expires_at=expires_at, **fields
    )


def shown_code(invitation: Invitation) -> str:
    """The code to show and print; "" when it was made with another secret key."""
    code = code_of(invitation.nonce)
    return code if hash_of(code) == invitation.code_hash else ""


def revoke(*, invitation: Invitation, by: Actor) -> None:
    """Take an invitation or code back: it opens nothing from now on. One that was used stays used."""
    with transaction.atomic():
        invitation.club.lock()
        changed = Invitation.objects.filter(pk=invitation.pk, used_at=None, revoked_at=None)
        if changed.update(revoked_at=timezone.now()):
            log(club=invitation.club, by=by, verb="invitation.revoke", subject=invitation.name)


def with_code(code: str) -> Invitation | None:
    """The invitation that a code opens; None if it was never made, is used, has run out or was taken back."""
    return _open().select_related("club", "user", "member").filter(code_hash=hash_of(code)).first()


def accept(*, invitation: Invitation, username: str, password: str, email: str = "") -> Role:
    """Take an invitation up with a new log-in. `email` is where a letter goes when its password is lost.

    Raises:
        NotOpen: it was used, has run out or was taken back meanwhile.
        NameTaken: somebody has the log-in name.
    """
    with transaction.atomic():
        held = _held(invitation)
        if User.objects.filter(username__iexact=username).exists():
            raise NameTaken
        user = User(username=username, email=email)
        user.call(held.name)
        user.set_password(password)
        user.save()
        return _joined(held, user)


def accept_as(*, invitation: Invitation, user: User) -> Role:
    """Take an invitation up with a log-in that somebody already has from another club.

    Raises:
        NotOpen: it was used, has run out or was taken back meanwhile.
        HereAlready: they already have a role in this club.
    """
    with transaction.atomic():
        held = _held(invitation)
        if Role.objects.filter(club=held.club, user=user).exists():
            raise HereAlready
        return _joined(held, user)


def _joined(held: Invitation, user: User) -> Role:
    role = Role.objects.create(user=user, club=held.club, kind=held.kind, member=held.member)
    by = Actor(user=user, name=user.get_full_name() or user.username)
    log(club=held.club, by=by, verb="invitation.accept", subject=user.username, new={"role": held.kind})
    _use(held)
    return role


def set_password(*, invitation: Invitation, password: str) -> User:
    """Set the password that a code is for, and log that person out everywhere.

    Raises:
        NotOpen: it was used, has run out or was taken back meanwhile.
    """
    with transaction.atomic():
        held = _held(invitation)
        user = held.user
        if user is None:
            raise NotOpen
        user.set_password(password)
        user.save()
        end_sessions(user)
        log_own(user=user, verb="password.new")
        _use(held)
    return user


def _held(invitation: Invitation) -> Invitation:
    """Take the club's turn and read the invitation as it is now. Raises NotOpen if it opens nothing any more."""
    invitation.club.lock()
    open_now = _open().select_for_update(of=("self",)).select_related("club", "user", "member")
    held = open_now.filter(pk=invitation.pk).first()
    if held is None:
        raise NotOpen
    return held


def _use(held: Invitation) -> None:
    held.used_at = timezone.now()
    held.save(update_fields=["used_at"])
