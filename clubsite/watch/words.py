"""The site in words: the parts of its health for its owner, and for everybody how long personal data are kept."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.watch.health import OFF, OK, UNKNOWN, PartHealth


def words_of(part: PartHealth) -> tuple[str, str, str]:
    """A part's name, its state, and the figures behind it, in words."""
    names = {"database": _("Database"), "tasks": _("Draws and PDFs"), "disk": _("Disk"), "backup": _("Backup")}
    states = {OK: _("well"), OFF: _("not used here"), UNKNOWN: _("can't be told")}
    return names[part.name], states.get(part.state, _("not well")), _about(part)


def _about(part: PartHealth) -> str:
    told = part.details
    if "problem" in told:
        return _("It doesn't answer. The log of the site says more.")
    if part.name == "tasks" and part.state not in (OFF, UNKNOWN):
        return _workers(told["workers"], told["oldest_waits_seconds"])
    if part.name == "disk" and not told.get("writable", True):
        return _("Nothing can be written there.")
    if part.name == "disk" and "free_megabytes" in told:
        free = filesizeformat(told["free_megabytes"] * 1024**2)
        return _("%(free)s are free where the data is.") % {"free": free}
    if part.name == "backup" and part.state not in (OFF, UNKNOWN):
        if not told["last"]:
            return _("There is none yet.")
        made = localtime(datetime.fromisoformat(told["last"]))
        return _("The last is of %(when)s.") % {"when": date_format(made, "SHORT_DATETIME_FORMAT")}
    return ""


def _workers(count: int, waits: int) -> str:
    if not count:
        return _("No worker is running.")
    words = ngettext("%(n)d worker is running.", "%(n)d workers are running.", count) % {"n": count}
    if waits < 60:
        return words
    late = ngettext(
        "A task has waited for %(n)d minute.", "A task has waited for %(n)d minutes.", waits // 60
    ) % {"n": waits // 60}  # fmt: skip
    return f"{words} {late}"


def terms_in_words() -> list[tuple[str, str]]:
    """What is kept of people, and for how long."""
    return [
        (_("Who did something, in a club's log"), _period(settings.LOG_NAMES_KEPT_FOR)),
        (_("E-mail, telephone and note, after somebody stopped playing"), _period(settings.CONTACTS_KEPT_FOR)),
        (_("A log-in on a device, without a new one"), _period(settings.SESSION_COOKIE_AGE // (24 * 3600))),
        (_("Documents to be printed that nobody wants any more"), _period(settings.MADE_KEPT_FOR)),
        (_("What was asked of the program that makes draws and documents"), _period(settings.TASKS_KEPT_FOR)),
    ]


def _period(days: int) -> str:
    """A number of days in words; 0 is for ever."""
    if not days:
        return _("for ever")
    if days % 365 == 0:
        return ngettext("%(n)d year", "%(n)d years", days // 365) % {"n": days // 365}
    return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}
