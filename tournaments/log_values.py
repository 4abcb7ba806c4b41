"""How the log says what is kept as codes and figures: the counts of a draw in its sentences, choices in their words.

`tournaments.apps` hands these to `clubsite.accounts.audit_log`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.audit_log import one_of
from scoring.models import DealVersion, Game
from tournaments.draws import rotation
from tournaments.draws.by_format import seeding_words
from tournaments.draws.words import draw_words, rematch_words, statement_words
from tournaments.events.words import TIE_BREAKS
from tournaments.models import Entry, Event, Stage


def statement_said(kept: Any) -> str:
    """What a draw was found to repeat; nothing for one that counted nothing."""
    if not isinstance(kept, Mapping):
        return ""
    if "partner" in kept:
        return " ".join(statement_words(rotation.statement_of(kept)))
    return draw_words(kept) if "groups" in kept else " ".join([*seeding_words(kept), *rematch_words(kept)])


def how_many(kept: Any) -> str:
    """How many things a list of their keys names, as the keys themselves tell a reader nothing."""
    return str(len(kept) or "") if isinstance(kept, list) else "" if kept is None else str(kept)


def moment_said(kept: Any) -> str:
    """A date and time in the reader's form."""
    at = parse_datetime(kept) if isinstance(kept, str) else None
    return date_format(localtime(at), "DATETIME_FORMAT") if isinstance(at, datetime) and at.tzinfo else str(kept or "")


VALUES: dict[str, Callable[[Any], str]] = {
    "statement": statement_said,
    **dict.fromkeys(("submission", "event", "states"), lambda kept: ""),  # keys, which say nothing to anybody
    **dict.fromkeys(("ended", "left open", "entries", "decided"), how_many),
    "at": moment_said,
    "right": one_of({"first": _("the first keying"), "second": _("the second keying")}),
    "state": one_of({**dict(Game.State.choices), **dict(DealVersion.State.choices), **dict(Entry.State.choices)}),
    "starts_at": moment_said,
    "seeding": lambda kept: " ".join(seeding_words({"seeding": kept})) if kept else "",
    "format": one_of(dict(Event.Format.choices)),
    "sit_out_rule": one_of(dict(Event.SitOutRule.choices)),
    "missing_rule": one_of(dict(Event.SitOutRule.choices)),
    "removed": one_of(dict(Entry.Removed.choices)),
    "at_bell": one_of(dict(Event.AtBell.choices)),
    "cut_rule": one_of(dict(Stage.CutRule.choices)),
    "tie_breaks": one_of(TIE_BREAKS),
}
"""By the name under which a verb keeps it."""
