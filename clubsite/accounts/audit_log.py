"""The log of a club: one entry for each action, and the sentences that show it.

An entry holds codes and figures. Each app registers what its verbs mean when Django starts (`register`).
"""

import re
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from types import ModuleType
from typing import Any

from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from clubsite import club_lock
from clubsite.accounts.models import Actor, Club, Door, LogEntry, User
from clubsite.names import english_name


class LockNotHeld(UserWarning):
    """A verb runs without the club's lock: what it reads may be half before and half after somebody else's change."""


@dataclass(frozen=True, slots=True)
class About:
    """What an entry is about: in words, and the key of the event or the game that it belongs to."""

    words: str
    event: int | None = None
    game: int | None = None


def log(*, club: Club, by: Actor, verb: str, subject: object, old: Any = None, new: Any = None) -> LogEntry:
    """Add an entry. Call it inside the transaction of the action, which holds the club's lock.

    The lock makes a club's entries commit in the order of their numbers. `subject` is what it was done to: a thing of
    an event or a game says which by its property `in_log`, and the record of that event or game shows the entry. `old`
    and `new` are plain JSON data of what changed. Raises LookupError for a verb that has no sentence yet.
    """
    if verb not in SENTENCES:
        raise LookupError(f"say in a log_words module what {verb!r} means")
    if not club_lock.is_held(club.pk):
        warnings.warn(f"{verb} has to begin with club.lock(), before it reads anything", LockNotHeld, stacklevel=2)
        club.lock()  # better late than never
    about: About = subject if isinstance(subject, About) else getattr(subject, "in_log", None) or About(str(subject))
    return LogEntry.objects.create(
        club=club,
        user=by.user,
        actor=by.name,
        route=by.route,
        verb=verb,
        subject=english_name(about.words)[:200],  # the English that is kept may be longer than what was typed
        event=about.event,
        game=about.game,
        old=old,
        new=new,
    )


def log_own(*, user: User, verb: str, new: Any = None) -> None:
    """Log what somebody did with their own log-in, in every club that it opens."""
    log_about_user(user=user, by=Actor.of(user), verb=verb, new=new)


def log_about_user(*, user: User, by: Actor, verb: str, new: Any = None) -> None:
    """Log what was done with somebody's log-in in every club that it opens, locking the clubs in the order of their
    keys."""
    with transaction.atomic():
        for club in Club.objects.filter(roles__user=user).order_by("pk"):
            log(club=club.lock(), by=by, verb=verb, subject=user.username, new=new)


def club_version(club: str) -> str:
    """A text that changes with everything that is done in the club of this address. One query, which takes no lock.

    It counts the entries of yesterday and today. They are only ever added, so of two moments that differ by any
    committed entry the later one counts more, also where an entry with a lower number is committed after one with a
    higher. The days are there to keep the count short; no transaction lasts as long. At midnight the text changes once
    for nothing.
    """
    since = (timezone.now() - timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    recent = LogEntry.objects.filter(club__slug=club, at__gte=since).aggregate(count=Count("pk"), last=Max("at"))
    last = recent["last"]
    return f"{since:%Y%m%d}.{recent['count']}.{last and last.timestamp()}"


SENTENCES: dict[str, str | Promise] = {
    "role.add": gettext_lazy("%(who)s gave %(what)s a log-in."),
    "role.change": gettext_lazy("%(who)s changed the role of %(what)s."),
    "invitation.make": gettext_lazy("%(who)s invited %(what)s."),
    "invitation.revoke": gettext_lazy("%(who)s cancelled the code for %(what)s."),
    "invitation.accept": gettext_lazy("%(who)s accepted an invitation, with the log-in %(what)s."),
    "password.code": gettext_lazy("%(who)s gave %(what)s a code for a new password."),
    "password.new": gettext_lazy("%(who)s set a new password for the log-in %(what)s."),
    "factor.set-up": gettext_lazy("%(who)s set up a second factor for the log-in %(what)s."),
    "factor.paper": gettext_lazy("%(who)s printed new codes for the log-in %(what)s."),
    "factor.take-off": gettext_lazy("%(who)s removed the second factor of the log-in %(what)s."),
    "factor.reset": gettext_lazy("%(who)s reset the second factor of %(what)s, who had lost it."),
    "session.end": gettext_lazy("%(who)s logged %(what)s out elsewhere."),
    "club.link": gettext_lazy("%(who)s replaced the club's link: %(what)s."),
    "club.change": gettext_lazy("%(who)s changed the settings of %(what)s."),
    "member.contacts_let_go": gettext_lazy(
        "%(who)s deleted the contact details of people who stopped playing long ago (%(what)s)."
    ),
    "club.start": gettext_lazy("%(who)s started the club %(what)s."),
    "start.put-away": gettext_lazy("%(who)s dismissed the set-up list: %(what)s."),
}
"""The sentence of each verb: who did it, and what it was done to."""

_CLUB, _LOG_INS, _MEMBERS = gettext_lazy("The club"), gettext_lazy("Log-ins"), gettext_lazy("Members")
KINDS: dict[str, Promise] = {
    **dict.fromkeys(("club", "start", "demo", "backup"), _CLUB),
    **dict.fromkeys(("role", "invitation", "password", "factor", "session"), _LOG_INS),
    **dict.fromkeys(("member", "members", "names"), _MEMBERS),
}
"""Kinds of actions, by which the log is searched: the first word of a verb to its kind."""

LABELS: dict[str, str | Promise] = {
    "address": gettext_lazy("address"),
    "announcement": gettext_lazy("announcement"),
    "announcement_until": gettext_lazy("shown until"),
    "agreement": gettext_lazy("who agrees to a deal"),
    "colour": gettext_lazy("colour"),
    "correction_minutes": gettext_lazy("minutes for corrections"),
    "crest": gettext_lazy("crest"),
    "link_hours": gettext_lazy("hours that a table's link lasts after its round"),
    "name": gettext_lazy("name"),
    "nights_for": gettext_lazy("who sees coming events"),
    "paper": gettext_lazy("paper"),
    "people_for": gettext_lazy("who sees people's own pages"),
    "plays": gettext_lazy("when you play"),
    "results_for": gettext_lazy("who sees seats and results"),
    "role": gettext_lazy("role"),
    "second_factor": gettext_lazy("directors need a second factor"),
    "ended": gettext_lazy("places"),
    "slug": gettext_lazy("address"),
    "time_zone": gettext_lazy("time zone"),
}
"""The label of each key of an entry's old and new data; others go by their own names."""


VALUES: dict[str, Callable[[Any], str]] = {
    "own page": lambda value: "",  # a key, which says nothing to anybody
    **dict.fromkeys(("nights_for", "people_for", "results_for"), lambda value: str(Door(value).label)),
}
"""How to put into words the values of those keys of an entry's old and new data that are codes or figures. Other values
are shown as they are."""

ROUTES: dict[str, str | Promise] = {
    "table": gettext_lazy("at the table"),
    "paper": gettext_lazy("from paper"),
    "photo": gettext_lazy("from a photo"),
    "command": gettext_lazy("by a command"),
    "simulated": gettext_lazy("played by the program"),
}
"""How a thing was done, by `LogEntry.route`, where it was not by somebody logged in."""


def register(words: ModuleType) -> None:
    """Add an app's words for its verbs: any of SENTENCES, KINDS, LABELS and VALUES."""
    for name in ("SENTENCES", "KINDS", "LABELS", "VALUES"):
        globals()[name].update(getattr(words, name, {}))


def choice_labels(choices: Mapping[str, Any]) -> Callable[[Any], str]:
    """For VALUES: a function that gives the labels of one or several choices. A choice that no longer exists is shown
    as it was written."""

    def in_words(value: Any) -> str:
        several = value if isinstance(value, (list, tuple)) else [value]
        return ", ".join(str(choices.get(choice, choice)) for choice in several)

    return in_words


def describe_entry(entry: LogEntry) -> str:
    """The entry as a sentence. A verb that this version of the site doesn't know is shown as it was written.

    A name that ends with a full stop ends the sentence, too. After some years the log no longer says who did it
    (`clubsite.watch.retention`).
    """
    who, words = entry.actor or _("Somebody"), SENTENCES.get(entry.verb)
    if words is None:
        return f"{who}: {entry.verb} {entry.subject}"
    return re.sub(r"\.\.$", ".", str(words) % {"who": who, "what": entry.subject})


def describe_route(entry: LogEntry) -> str:
    return str(ROUTES.get(entry.route, ""))


def list_changes(entry: LogEntry) -> list[tuple[str, str, str]]:
    """Label, before and after ("" for nothing) of each key in an entry's old and new data; only what differs, where it
    has both."""
    old, new = _as_dict(entry.old), _as_dict(entry.new)
    changes = [
        (_label(key), _describe_value(old.get(key), key=key), _describe_value(new.get(key), key=key))
        for key in {**old, **new}
        if not (old and new) or old.get(key) != new.get(key)
    ]
    return [change for change in changes if change[1] or change[2]]


def _as_dict(data: Any) -> dict[str, Any]:
    if isinstance(data, dict):
        return data
    return {} if data is None else {_("kept"): data}


def _label(key: str) -> str:
    return str(LABELS.get(key) or key.replace("_", " "))


def _describe_value(value: Any, *, key: str = "") -> str:
    """A value that another version of the site wrote in another form is shown as it is."""
    if value is None or value == "":
        return ""
    if key in VALUES:
        with suppress(KeyError, TypeError):
            return VALUES[key](value)
    match value:
        case bool():
            return _("yes") if value else _("no")
        case dict():
            parts = [(inner, _describe_value(part, key=inner)) for inner, part in value.items()]
            return "; ".join(f"{_label(inner)}: {words}" for inner, words in parts if words)
        case list():
            return ", ".join(filter(None, map(_describe_value, value)))
    return str(value)
