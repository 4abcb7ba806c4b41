"""Why a backup was made, and what the log says of going back."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REASONS: dict[str, str | Promise] = {
    "": _("asked for"),
    "evening": _("by itself, while scores came in"),
    "draw": _("before a draw was published"),
    "cut": _("before a cut was published"),
    "closing": _("before a closing"),
    "migration": _("before a new version of the program"),
    "restore": _("before going back"),
}
"""Of each reason in a manifest what it is called."""

STAY_LONG = {"migration", "restore"}  # they stay for a month whatever else was made that day

SENTENCES: dict[str, str | Promise] = {
    "backup.restore": _("%(who)s went back to a backup of the whole site: %(what)s."),
    "backup.restore-club": _("%(who)s went back to a backup of the club: %(what)s."),
}

LABELS: dict[str, str | Promise] = {
    "backup": _("backup"),
    "before": _("what was there before is in"),
    "deals": _("deals"),
    "erased": _("persons erased again"),
    "cards to print again": _("cards to print again"),
}
