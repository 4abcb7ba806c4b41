"""The log of a club: one entry for each deed, and the sentences in which it is read.

An entry keeps codes and figures. Each room of the site says what its verbs mean: `SENTENCES`, `KINDS`, `LABELS` and
`SAID` are filled by the apps as they are made ready.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from html import escape
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from clubsite import club_lock
from clubsite.accounts.models import Actor, Club, LogEntry, User
from clubsite.names import to_keep
from clubsite.questions import Given, Question, add


class LockNotHeld(UserWarning):
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
    if not club_lock.is_held(club.pk):
        warnings.warn(f"{verb} has to begin with club.lock(), before it reads anything", LockNotHeld, stacklevel=2)
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


SENTENCES: dict[str, str | Promise] = {
    "role.add": gettext_lazy("%(who)s gave %(what)s a log-in."),
    "role.change": gettext_lazy("%(who)s changed what %(what)s may do."),
    "invitation.make": gettext_lazy("%(who)s invited %(what)s."),
    "invitation.revoke": gettext_lazy("%(who)s took back the code that was given to %(what)s."),
    "invitation.accept": gettext_lazy("%(who)s took up an invitation and logs in as %(what)s."),
    "password.code": gettext_lazy("%(who)s gave %(what)s a code for a new password."),
    "password.new": gettext_lazy("%(who)s set a new password for the log-in %(what)s."),
    "factor.set-up": gettext_lazy("%(who)s set up a second factor for the log-in %(what)s."),
    "factor.paper": gettext_lazy("%(who)s made other codes on paper for the log-in %(what)s."),
    "factor.take-off": gettext_lazy("%(who)s took the second factor off the log-in %(what)s."),
    "factor.reset": gettext_lazy("%(who)s reset the second factor of %(what)s, who had lost it."),
    "session.end": gettext_lazy("%(who)s logged %(what)s out elsewhere."),
    "club.change": gettext_lazy("%(who)s changed the settings of %(what)s."),
    "member.contacts_let_go": gettext_lazy(
        "%(who)s deleted the contact details of people who stopped playing long ago; so many: %(what)s."
    ),
    "club.start": gettext_lazy("%(who)s started the club %(what)s."),
    "start.put-away": gettext_lazy("%(who)s put away what was left to set up: %(what)s."),
}
"""Of each verb the sentence: who did it, and what it was done to."""

_CLUB, _LOG_INS, _MEMBERS = gettext_lazy("The club"), gettext_lazy("Log-ins"), gettext_lazy("Members")
KINDS: dict[str, Promise] = {
    **dict.fromkeys(("club", "start", "demo", "backup"), _CLUB),
    **dict.fromkeys(("role", "invitation", "password", "factor", "session"), _LOG_INS),
    **dict.fromkeys(("member", "members", "names"), _MEMBERS),
}
"""Kinds of deeds, by which the log is searched: the first word of a verb to its kind."""

LABELS: dict[str, str | Promise] = {
    "address": gettext_lazy("address"),
    "agreement": gettext_lazy("who agrees to a deal"),
    "correction_minutes": gettext_lazy("minutes for corrections"),
    "link_hours": gettext_lazy("hours that a table's link lasts"),
    "name": gettext_lazy("name"),
    "paper": gettext_lazy("paper"),
    "role": gettext_lazy("role"),
    "second_factor": gettext_lazy("directors need a second factor"),
    "ended": gettext_lazy("places"),
    "slug": gettext_lazy("address"),
    "time_zone": gettext_lazy("time zone"),
}
"""What each key of an entry's old and new data is called; one that isn't here goes by its own name."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """For `SAID`: one or several choices. A choice that no longer exists is shown as it is kept."""

    choices: Mapping[str, Any]

    def now(self) -> Callable[[Any], str]:
        """What puts them into words, in the language that is active now."""
        words = {one: str(said) for one, said in self.choices.items()}

        def said(kept: Any) -> str:
            several = kept if isinstance(kept, (list, tuple)) else [kept]
            return ", ".join([str(words.get(one, one)) for one in several])

        return said


SAID: dict[str, Callable[[Any], str] | OneOf] = {"own page": lambda kept: ""}  # a key, which says nothing to anybody
"""For keys whose values are codes or figures: what puts a value into words. Other values are shown as they are kept."""


ROUTES: dict[str, str | Promise] = {
    "table": gettext_lazy("at the table"),
    "paper": gettext_lazy("from paper"),
    "command": gettext_lazy("by a command"),
    "simulated": gettext_lazy("played by the program"),
}
"""How a thing was done, by `LogEntry.route`, where it was not by somebody logged in."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One thing that an entry keeps: what it is called, what it was before and what it is since, "" for nothing."""

    label: str
    before: str
    after: str

    @property
    def words(self) -> str:
        """What it was before, where it was anything, and what it is since."""
        if not self.before:
            return self.after
        words = _("before: %(before)s; since then: %(after)s") if self.after else _("before: %(before)s")
        return words % {"before": self.before, "after": self.after}


def sentence_of(entry: LogEntry) -> str:
    """What was done, in a sentence. A verb that this version of the site doesn't know is shown as it was written.

    A name that ends with a full stop ends the sentence, too.
    """
    words = SENTENCES.get(entry.verb)
    if words is None:
        return f"{_who(entry)}: {entry.verb} {entry.subject}"
    return re.sub(r"\.\.$", ".", str(words) % {"who": _who(entry), "what": entry.subject})


def _who(entry: LogEntry) -> str:
    """Who did it; after some years the log no longer says that (clubsite.watch.retention)."""
    return entry.actor or _("Somebody")


def route_of(entry: LogEntry) -> str:
    """How it was done, in words; "" for somebody who was logged in."""
    return str(ROUTES.get(entry.route, ""))


def changes_in_html(entry: LogEntry) -> SafeString:
    """What an entry changed, for the page of the log, whose hundred entries have some three hundred lines of it."""
    lines = [f"<dt>{escape(one.label)}</dt><dd>{escape(one.words)}</dd>" for one in changes_of(entry)]
    return mark_safe("\n".join(lines))  # noqa: S308  (escaped above)


def changes_of(entry: LogEntry) -> tuple[Changed, ...]:
    """What an entry's old and new data say, key by key; where it has both, only what differs."""
    words = _words(get_language())
    old, new = _by_name(entry.old), _by_name(entry.new)
    both = bool(old) and bool(new)
    return tuple(
        Changed(words.labels[name], before, after)
        for name in {**old, **new}
        if not both or old.get(name) != new.get(name)
        for before, after in [(_said(name, old.get(name), words=words), _said(name, new.get(name), words=words))]
        if before or after
    )


class _Labels(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return name.replace("_", " ")


class _Words(NamedTuple):
    """`LABELS` and `SAID` in one language: a page of the log asks for some thousand of them."""

    labels: _Labels
    said: dict[str, Callable[[Any], str]]


@cache
def _words(_language: str | None) -> _Words:
    said = {name: one.now() if isinstance(one, OneOf) else one for name, one in SAID.items()}
    return _Words(_Labels({name: str(words) for name, words in LABELS.items()}), said)


def _said(name: str, value: Any, *, words: _Words) -> str:
    """The value under this key, in words. One that another version of the site kept in another form is shown as it
    is."""
    if value is None or value == "":
        return ""
    try:
        return words.said[name](value)
    except (KeyError, TypeError):
        return _in_words(value, words)


def _by_name(kept: Any) -> dict[str, Any]:
    if isinstance(kept, dict):
        return kept
    return {} if kept is None else {_("kept"): kept}


def _in_words(value: Any, words: _Words) -> str:
    match value:
        case None | "":
            return ""
        case bool():
            return _("yes") if value else _("no")
        case dict():
            each = [(key, said) for key, one in value.items() if (said := _said(key, one, words=words))]
            return "; ".join([f"{words.labels[key]}: {said}" for key, said in each])
        case list():
            figures = [str(one) if type(one) is int else _in_words(one, words) for one in value]
            return ", ".join(filter(None, figures))
    return str(value)
