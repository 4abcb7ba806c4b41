"""Writing the log, and telling by it whether anything was done."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone

from clubsite import turns
from clubsite.accounts.log_words import SENTENCES
from clubsite.accounts.models import Actor, Club, LogEntry, User
from clubsite.accounts.names.kept import to_keep
from clubsite.questions import Given, Question, add


class TookNoTurn(UserWarning):
    """A verb reads and writes without the club's turn: what it reads may be half before and half after somebody's
    change."""


@dataclass(frozen=True, slots=True)
class About:
    """What an entry is about: in words, and the key of the event or the game that it belongs to."""

    words: str
    event: int | None = None
    game: int | None = None


def log(*, club: Club, by: Actor, verb: str, subject: object, old: Any = None, new: Any = None) -> LogEntry:
    """Write down who did what. Call it inside the transaction of the deed, which has taken the club's turn.

    So the entries of a club are committed in the order of their numbers. `subject` is what it was done to: a thing of
    an event or a game says which by its property `in_log`, and the record of that event or game shows the entry. `old`
    and `new` are plain JSON data of what changed. Raises LookupError for a verb that has no sentence yet.
    """
    if verb not in SENTENCES:
        raise LookupError(f"say in a log_words module what {verb!r} means")
    if not turns.is_taken(club.pk):
        warnings.warn(f"{verb} has to begin with club.lock(), before it reads anything", TookNoTurn, stacklevel=2)
        club.lock()  # better late than never
    about: About = subject if isinstance(subject, About) else getattr(subject, "in_log", None) or About(str(subject))
    entry = LogEntry(
        club=club,
        user=by.user,
        actor=by.name,
        route=by.route,
        verb=verb,
        subject=to_keep(about.words)[:200],  # the English that is kept may be longer than what was typed
        event=about.event,
        game=about.game,
        old=old,
        new=new,
    )
    add(entry)
    return entry


def log_own(*, user: User, verb: str, new: Any = None) -> None:
    """Write down what somebody did with their own log-in, in the log of every club that it opens."""
    by = Actor(user=user, name=user.get_full_name() or user.username)
    log_of(user=user, by=by, verb=verb, new=new)


def log_of(*, user: User, by: Actor, verb: str, new: Any = None) -> None:
    """Write down what was done with somebody's log-in, in the log of every club that it opens, taking the clubs' turns
    in the order of their keys."""
    with transaction.atomic():
        for club in Club.objects.filter(roles__user=user).order_by("pk"):
            log(club=club.lock(), by=by, verb=verb, subject=user.username, new=new)


DONE = Question(
    lambda: (
        LogEntry.objects.filter(club__slug=Given("club"), at__gte=Given("since"))
        .values("club")
        .order_by()
        .annotate(count=Count("pk"), last=Max("at"))
        .values_list("count", "last")
    )
)


def version_of(club: str) -> str:
    """A text that changes with everything that is done in the club of this address. One query, which takes no lock.

    It counts the entries of yesterday and today. They are only ever added, so of two moments that differ by any
    committed entry the later one counts more, also where an entry with a lower number is committed after one with a
    higher. The days are there to keep the count short; no transaction lasts as long. At midnight the text changes once
    for nothing.
    """
    since = (timezone.now() - timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    count, last = DONE.one(club=club, since=since) or (0, None)
    return f"{since:%Y%m%d}.{count}.{last and last.timestamp()}"
