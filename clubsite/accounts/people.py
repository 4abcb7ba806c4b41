"""Verbs on the people who log in to a club: add them, change or end their roles."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Invitation, LogEntry, Member, Role, User
from clubsite.accounts.sessions import end_sessions
from clubsite.accounts.starting import free_username


class LastDirector(Exception):
    """A club must keep one director."""


class NameTaken(Exception):
    """Somebody has the log-in name."""


def clubs_own_log_in() -> Q:
    """True of roles and invitations whose `user` can log in to their `club` and nowhere else, and isn't the site's
    owner: only then may the club's directors set the password."""
    roles = Role.objects.filter(user=OuterRef("user"))
    in_club, elsewhere = roles.filter(club=OuterRef("club")), roles.exclude(club=OuterRef("club"))
    return Q(Exists(in_club), ~Exists(elsewhere), user__is_superuser=False)


def create_user(*, username: str, full_name: str, password: str, email: str = "") -> User:
    """Raises NameTaken."""
    if User.objects.filter(username__iexact=username).exists():
        raise NameTaken
    user = User(username=username, email=email)
    user.set_full_name(full_name)
    user.set_password(password)
    user.save()
    return user


def add_person(*, club: Club, by: Actor, username: str, full_name: str, kind: str, password: str) -> Role:
    """Create a user with a role in the club. Raises NameTaken."""
    with club.locked_transaction():
        user = create_user(username=username, full_name=full_name, password=password)
        role = Role.objects.create(user=user, club=club, kind=kind)
        log(club=club, by=by, verb="role.add", subject=user.username, new={"role": kind})
    return role


def change_role(*, role: Role, by: Actor, kind: str | None) -> None:
    """Give a user another role in the club, or none. Raises LastDirector."""
    with role.club.locked_transaction() as club:
        now = Role.objects.select_related("user").filter(pk=role.pk).first()
        if now is None:  # somebody else ended it in the meantime
            return
        role = now
        other_directors = Role.objects.filter(club=club, kind=Role.Kind.DIRECTOR).exclude(pk=role.pk)
        if kind != Role.Kind.DIRECTOR and role.kind == Role.Kind.DIRECTOR and not other_directors.exists():
            raise LastDirector
        old, new = {"role": role.kind, "own page": role.member_id}, {"role": kind}
        log(club=club, by=by, verb="role.change", subject=role.user.username, old=old, new=new)
        if kind is None:
            role.delete()
            if not role.user.is_superuser and not role.user.roles.exists():
                end_sessions(role.user)
        else:
            role.kind = kind
            role.save()


def ended_roles(club: Club) -> dict[int, Role]:
    """The roles that can be given back, unsaved, by the keys of the log entries that ended them, the last first: not
    those of members who have since been erased or merged, nor of log-ins for which another club's director has made a
    new password. Three queries."""
    last: dict[str, LogEntry] = {}
    for entry in LogEntry.objects.filter(club=club, verb="role.change").order_by("-pk"):
        last.setdefault(entry.subject, entry)
    set_elsewhere = Invitation.objects.exclude(club=club).filter(
        user=OuterRef("pk"), purpose=Invitation.Purpose.PASSWORD, by_owner=False, used_at__isnull=False
    )
    users = User.objects.filter(~Exists(set_elsewhere), username__in=last, is_active=True).exclude(roles__club=club)
    by_name = {user.username: user for user in users}
    members = Member.objects.filter(club=club, erased_at=None).in_bulk() if by_name else {}
    ended = {}
    for name, entry in last.items():
        old, new = entry.old or {}, entry.new or {}
        kind, page = old.get("role"), old.get("own page") or 0
        if name in by_name and kind and not new.get("role") and (not page or page in members):
            ended[entry.pk] = Role(club=club, user=by_name[name], kind=kind, member=members.get(page))
    return ended


def restore_role(*, club: Club, by: Actor, entry: str) -> Role | None:
    """Restore the role that this log entry ended, with the password and the own page of then. None where it can't be
    restored, or somebody else has done so."""
    with club.locked_transaction():
        role = next((role for key, role in ended_roles(club).items() if str(key) == entry), None)
        if role is not None:
            role.save()
            log(club=club, by=by, verb="role.add", subject=role.user.username, new={"role": role.kind})
    return role


def end_log_ins(members: Collection[int], *, placeholder: str) -> None:
    """End the log-ins of erased members that open only a member's own page, and replace their names.

    Somebody who also helps run a club keeps that role. Call it inside the transaction that erases.
    """
    invitations = Invitation.objects.filter(member__in=members)
    invitations.update(email="", name=placeholder, revoked_at=timezone.now(), member=None)
    for role in Role.objects.filter(member__in=members).select_related("user"):
        user = role.user
        if role.kind != Role.Kind.MEMBER:
            Role.objects.filter(pk=role.pk).update(member=None)
            continue
        role.delete()
        if user.is_superuser or user.roles.exists():
            continue
        LogEntry.objects.filter(club=role.club_id, subject=user.username).update(subject=placeholder)
        user.username, user.first_name, user.last_name, user.email = free_username(f"gone {user.pk}"), "", "", ""
        user.is_active = False
        user.set_unusable_password()
        user.save()
        end_sessions(user)
