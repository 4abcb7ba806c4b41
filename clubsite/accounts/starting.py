"""How a club begins: who may start one, how it is started, and which first steps are left.

An install without any club or user belongs to the person who sits at it: a request comes from this machine itself, or
from somebody with the one-time code that `./dev run` printed (`operations.start_code`). From then on only its owner, or
a director at this machine, starts a further club.
"""

import hashlib
import re
from collections.abc import Collection
from datetime import timedelta
from itertools import chain, count
from time import time
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils import timezone

from clubsite.accounts import login_attempts
from clubsite.accounts.audit_log import log
from clubsite.accounts.models import RESERVED, Actor, Club, LogEntry, Role, User
from clubsite.addresses import parse_ip
from clubsite.names import make_slug

STEPS = ("club", "director", "rules", "members", "night")
"""The steps of a beginning, in order. `Club.start_left` names those that were skipped."""

DEMO_LOADED = "demo.load"  # the verb in a club's log that marks it as demo data
CLUB_STARTED = "club.start"  # the verb in a club's log that tells how it began

# Headers that proxies add: a request with any of them proves nothing about where it comes from.
PASSED_ON = re.compile("HTTP_(X_FORWARDED_(FOR|HOST|PROTO)|X_REAL_IP|FORWARDED|VIA)$")
LOOPBACK_HOSTS = {"localhost", "127.0.0.1", "[::1]"}
PROOF = "start_proved_at"  # key in the session: when the code was given, in seconds since 1970
PROOF_LASTS = 4 * 3600  # seconds


class AlreadyStarted(Exception):
    """There is a club or a user: the first visit is over."""


def is_empty() -> bool:
    return not Club.objects.exists() and not User.objects.exists()


def is_from_this_machine(request: HttpRequest) -> bool:
    """Whether a request was surely made on the machine that serves it: over loopback, by loopback's name, and passed
    on by nothing. Behind a proxy every request comes over loopback, and not every proxy says that it passes one on: so
    this holds only where the site is known to be served directly, as `./dev run` serves it."""
    if not settings.SERVED_DIRECTLY or settings.BEHIND_PROXY or any(map(PASSED_ON.match, request.META)):
        return False
    address = parse_ip(str(request.META.get("REMOTE_ADDR", "")))  # None for a socket without an address
    if address is None or not address.is_loopback:
        return False
    return split_domain_port(request.get_host())[0] in LOOPBACK_HOSTS


def note_code_given(request: HttpRequest) -> None:
    request.session[PROOF] = int(time())


def has_given_code(request: HttpRequest) -> bool:
    """Within `PROOF_LASTS`, also where the clock was put back since."""
    return abs(time() - float(request.session.get(PROOF, 0))) < PROOF_LASTS


def may_set_up_site(request: HttpRequest) -> bool:
    return (is_from_this_machine(request) or has_given_code(request)) and is_empty()


def is_owner(request: HttpRequest) -> bool:
    """The site's owner anywhere, or a director at the machine itself."""
    return request.user.is_superuser or (is_from_this_machine(request) and _is_any_director(request))


def may_start_club(request: HttpRequest) -> bool:
    """The site's owner, and a director who recently gave the code, while there is no club but the demo's."""
    return is_owner(request) or (has_given_code(request) and _is_any_director(request) and not own_clubs().exists())


def _is_any_director(request: HttpRequest) -> bool:
    user = request.user
    return user.is_authenticated and Role.objects.filter(user=user, kind=Role.Kind.DIRECTOR).exists()


def claim_first_visit() -> None:
    """Lock the first visit until the transaction ends: a second one at the same time waits here. Raises AlreadyStarted
    where there is a club or a user."""
    login_attempts.count_try("start", "first", window=1)  # counting locks its row
    if not is_empty():
        raise AlreadyStarted


def start_club(
    *,
    club: Club,
    director: User,
    by: Actor | None = None,
    left: Collection[str] = (),
    submission: UUID | None = None,
    first: bool = False,
) -> Role:
    """Start a club with its director; returns the director's role. Without `by` it is the director who does so.

    The club isn't saved yet, nor is a director who is to log in from now on. An empty address or log-in name is made
    from the name. A new director who is a superuser owns the site, and may start further clubs from anywhere.

    `left` are the steps still to be done, of which the desk then reminds. A submission sent twice starts one club.

    Raises:
        ValidationError: the name, the zone or the address can't be used; nothing is made then.
        AlreadyStarted: it was to be the `first`, and there is a club or a user.
    """
    with transaction.atomic():
        login_attempts.count_try("start", "club", window=1)  # counting locks its row, so clubs start one after another
        if submission and (done := find_started_role(submission)):
            return done
        if first:
            claim_first_visit()
        club.name, club.slug = " ".join(club.name.split()), club.slug or free_slug(club.name)
        club.start_left = [step for step in STEPS if step in left]
        club.full_clean()
        club.save()
        club.lock()
        if director.pk is None:
            director.username = director.username or free_username(director.get_full_name())
            director.save()
        role = Role.objects.create(user=director, club=club, kind=Role.Kind.DIRECTOR)
        by = by or Actor.of(director, director=True)
        new = {"director": director.username, "submission": _hash_submission(submission) if submission else None}
        log(club=club, by=by, verb=CLUB_STARTED, subject=club, new=new)
        log(club=club, by=by, verb="role.add", subject=director.username, new={"role": role.kind})
    return role


def _hash_submission(submission: UUID) -> str:
    return hashlib.sha256(submission.bytes).hexdigest()


def find_started_role(submission: UUID, *, within: timedelta | None = None) -> Role | None:
    """The director's role in the club that a submission started, or None, also if it started longer than `within`
    ago."""
    entry = LogEntry.objects.filter(verb=CLUB_STARTED, new__submission=_hash_submission(submission)).first()
    if entry is None or entry.new is None or (within and abs(timezone.now() - entry.at) > within):
        return None
    roles = Role.objects.select_related("user", "club")
    return roles.filter(club=entry.club_id, user__username=entry.new.get("director")).first()


def free_slug(name: str) -> str:
    plain = make_slug(name)[:44].strip("-") or "club"
    taken = set(Club.objects.filter(slug__startswith=plain).values_list("slug", flat=True)) | RESERVED
    return first_free(plain, taken)


def username_like(full_name: str) -> str:
    """A log-in name made from somebody's name; "" where that has no usable letters.

    >>> username_like("Ann Abel"), username_like("María-José O'Neill")
    ('ann.abel', 'maria.jose.oneill')
    """
    return make_slug(full_name, between=".")[:140].strip(".")


def free_username(full_name: str) -> str:
    """A log-in name for somebody of that name: "ann.abel", or "ann.abel2" when there is one."""
    plain = username_like(full_name) or "director"
    taken = {name.lower() for name in User.objects.values_list("username", flat=True)}
    return first_free(plain, taken, between="")


def first_free(plain: str, taken: Collection[str], *, between: str = "-") -> str:
    return next(text for text in chain([plain], (f"{plain}{between}{n}" for n in count(2))) if text not in taken)


def mark_step_done(*, clubs: Collection[Club] | QuerySet[Club], step: str) -> None:
    """Call it inside the transaction that does the step."""
    for club in sorted(clubs, key=lambda club: club.pk):  # always in this order, so that no two wait for each other
        club = club.lock()
        if step in club.start_left:
            club.start_left = [left for left in club.start_left if left != step]
            club.save(update_fields=["start_left"])


def dismiss_steps(*, club: Club, by: Actor) -> None:
    with club.locked_transaction() as club:
        if club.start_left:
            old, club.start_left = club.start_left, []
            club.save(update_fields=["start_left"])
            log(club=club, by=by, verb="start.put-away", subject=club, old={"left": old})


def demo_clubs() -> QuerySet[Club]:
    return Club.objects.filter(log__verb=DEMO_LOADED).distinct()


def own_clubs() -> QuerySet[Club]:
    return Club.objects.exclude(pk__in=demo_clubs())


def share_demo(user: User, whose: User) -> None:
    """Make `user` a director of the demo clubs that `whose` directs, so that somebody who began with the demo can
    remove it by the log-in of their own club."""
    clubs = demo_clubs().filter(roles__user=whose, roles__kind=Role.Kind.DIRECTOR)
    roles = [Role(user=user, club=club, kind=Role.Kind.DIRECTOR) for club in clubs]
    Role.objects.bulk_create(roles, ignore_conflicts=True)


def is_demo(club: Club) -> bool:
    return LogEntry.objects.filter(club=club, verb=DEMO_LOADED).exists()
