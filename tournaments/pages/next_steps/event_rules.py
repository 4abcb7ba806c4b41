"""What to do for an event as a whole: a difference between two keyings, codes of its tables that are guessed at."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.keying.second import open_differences
from tournaments.models import Event
from tournaments.pages.next_steps.tasks import Action, Task, Urgency, link
from tournaments.table_links.guesses import is_guessed


def keyed_differently(event: Event) -> Iterator[Task]:
    """Two people read other figures from the same card. Three queries, or one where there are none."""
    if found := open_differences(event):
        title = ngettext(
            "%(n)d deal was keyed twice with other figures",
            "%(n)d deals were keyed twice with other figures",
            len(found),
        ) % {"n": len(found)}
        tables = ", ".join(dict.fromkeys(one.table for one in found))
        words = ngettext("Look at the card of table %(tables)s.", "Look at the cards of tables %(tables)s.", len(found))
        yield Task(
            Urgency.SOON,
            title,
            words % {"tables": tables},
            (Action(_("Compare the figures"), link(event, "differences")),),
        )


def guessed(event: Event) -> Iterator[Task]:
    """Somebody tries codes of tables that there aren't. One query."""
    if is_guessed(event):
        yield Task(
            Urgency.SOON,
            _("Somebody is guessing at the codes of tables"),
            _("Links that are in use go on working. Make new ones where you suspect that one is known."),
            (Action(_("To the table links"), link(event, "table_links")),),
        )
