"""What a change to a game does to the handicap between its two players."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.handicaps.actions import ledger_of
from scoring.models import Game
from scoring.templatetags.figures import points


def watch_handicap(game: Game) -> Sequence[str]:
    """One text: how the two start their next game, and which later games were played from another start than the
    handicap that is before them now. A `scoring.cards.submit.Watch`."""
    ledger = ledger_of(game)
    if ledger is None:
        return ()
    (name, start), (other, other_start) = ledger.starts
    words = _("The next game between the two: %(name)s starts with %(start)s, %(other)s with %(other_start)s.") % {
        "name": name,
        "start": points(start),
        "other": other,
        "other_start": points(other_start),
    }
    place = max((row.entry.place for row in ledger.rows if row.entry.game_id == game.pk), default=0)
    later = [row for row in ledger.rows if row.entry.place > place and row.other_start]
    if not place or not later:
        return [words]
    first = later[-1]
    more = ngettext(
        "%(n)d later game keeps the start it was played from, and its result: %(title)s, %(played)s in place of "
        "%(handicap)s.",
        "%(n)d later games keep the start they were played from, and their results; the first is %(title)s, "
        "%(played)s in place of %(handicap)s.",
        len(later),
    ) % {
        "n": len(later),
        "title": first.entry.game.title,
        "played": " : ".join(map(points, first.played_from)),
        "handicap": " : ".join(map(points, first.before)),
    }
    return [f"{words} {more}"]
