"""What the log says of backups."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, str | Promise] = {
    "backup.restore": _("%(who)s restored a backup of the whole site: %(what)s."),
    "backup.restore-club": _("%(who)s went back to a backup of the club: %(what)s."),  # by earlier versions
}

LABELS: dict[str, str | Promise] = {
    "backup": _("backup"),
    "before": _("what was there before is in"),
    "entries": _("log entries since"),
    "notes": _("to do"),
    "deals": _("deals"),
    "erased": _("persons erased again"),
    "cards to print again": _("cards to print again"),
}
