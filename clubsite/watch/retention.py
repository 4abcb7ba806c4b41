"""How long personal data are kept, and deleting them at each clean-up once their time is over.

Nothing here touches a result: deals, places, points and what was done stay; who did it, and how to reach somebody who
no longer plays, go. 0 days means for ever.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, LogEntry, Member
from clubsite.watch.models import Fault

AT_ONCE = 2000  # rows changed in one transaction, so that no scorer waits long
FAULTS_KEPT_FOR = timedelta(days=90)
WITH_CONTACT = ~Q(email="", telephone="", note="")
BY = Actor(user=None, name="Nine Tables", route="site")


def purge_personal_data() -> tuple[int, int]:
    """Delete what is over its time. Returns how many log entries lost their name, and how many members their contact
    details. Several processes may run it at once."""
    now, names_for, contacts_for = timezone.now(), settings.LOG_NAMES_KEPT_FOR, settings.CONTACTS_KEPT_FOR
    names = _purge_log_names(now - timedelta(days=names_for)) if names_for else 0
    contacts = _purge_contacts(now - timedelta(days=contacts_for)) if contacts_for else 0
    Fault.objects.filter(last_at__lt=now - FAULTS_KEPT_FOR).delete()  # may quote what somebody typed
    return names, contacts


def _purge_log_names(before: datetime) -> int:
    """Take out of old entries who did it; what was done stays, since results depend on it."""
    old = LogEntry.objects.filter(at__lt=before).exclude(actor="", user=None).order_by("pk")
    return sum(LogEntry.objects.filter(pk__in=keys).update(actor="", user=None) for keys in _batches(old))


def _purge_contacts(before: datetime) -> int:
    """Empty the contact fields of those who stopped playing before then; the club's log says how many."""
    stopped = Member.every.filter(WITH_CONTACT, active=False, inactive_since__lt=before).order_by("pk")
    emptied = 0
    for keys in _batches(stopped):
        with transaction.atomic():
            members = stopped.filter(pk__in=keys)
            clubs = {pk: Club.locked(pk) for pk in sorted(set(members.values_list("club_id", flat=True)))}
            still = list(members.values_list("pk", "club_id"))  # read again, as somebody may have begun to play again
            Member.every.filter(pk__in=[pk for pk, _club in still]).update(email="", telephone="", note="")
            for club, count in Counter(club for _pk, club in still).items():
                log(club=clubs[club], by=BY, verb="member.contacts_let_go", subject=count)
            emptied += len(still)
    return emptied


def _batches(rows: Any) -> Iterator[list[int]]:
    last = 0
    while keys := list(rows.filter(pk__gt=last).values_list("pk", flat=True)[:AT_ONCE]):
        yield keys
        last = keys[-1]


def retention_terms() -> list[tuple[str, str]]:
    mail = (
        _("Your e-mail address for results and reminders"),
        _("until you unsubscribe; three days if you don't confirm"),
    )
    return [
        (_("Who did something, in a club's log"), _format_period(settings.LOG_NAMES_KEPT_FOR)),
        (_("E-mail, telephone and note, after somebody stopped playing"), _format_period(settings.CONTACTS_KEPT_FOR)),
        (_("Who signed up for an event, after the event"), _format_period(settings.SIGN_UPS_KEPT_FOR)),
        (_("Photos of score cards, after the result of their event"), _format_period(settings.PHOTOS_KEPT_FOR)),
        *([mail] if settings.MAIL_IS_SET else []),
        (_("Staying logged in on a device"), _format_period(settings.SESSION_COOKIE_AGE // (24 * 3600))),
        (_("Documents to print, after they were last ordered"), _format_period(settings.MADE_KEPT_FOR)),
        (_("Records of draws and documents made in the background"), _format_period(settings.TASKS_KEPT_FOR)),
        (_("Reports of faults in the program"), _format_period(FAULTS_KEPT_FOR.days)),
    ]


def _format_period(days: int) -> str:
    if not days:
        return _("for ever")
    if days % 365 == 0:
        return ngettext("%(n)d year", "%(n)d years", days // 365) % {"n": days // 365}
    return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}
