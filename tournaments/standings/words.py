"""What is noted beside a name in the standings."""

from __future__ import annotations

from django.utils.translation import gettext as _now
from django.utils.translation import ngettext

from scoring.templatetags.figures import points
from tournaments.events.words import TIE_BREAKS
from tournaments.models import Event
from tournaments.standings.standings import Row


def adjustment_words(value: int, reason: str, *, lowest_wins: bool = False) -> str:
    """One adjustment by the director: what it is and why. Where the lowest total wins, a penalty adds points."""
    given = {"points": points(value) if value < 0 else f"+{points(value)}", "reason": reason}
    if (value > 0) == lowest_wins:
        return _now("penalty %(points)s: %(reason)s") % given
    return _now("adjustment %(points)s: %(reason)s") % given


def notes_of(row: Row, event: Event) -> list[str]:
    """What stands under a name in the standings, beside sit-outs: why it is out of the order, missed rounds,
    adjustments. Who goes home from a club night withdraws from nothing."""
    said = [_now("stand-in")] if row.stand_in else []
    if row.disqualified:
        said.append(_now("disqualified: %(reason)s") % {"reason": row.disqualified})
    elif row.withdrawn:
        said.append(_now("left early") if event.by_rounds else _now("withdrawn"))
    if row.walkovers:
        said.append(
            ngettext("%(n)d walkover: %(points)s", "%(n)d walkovers: %(points)s", row.walkovers)
            % {"n": row.walkovers, "points": points(row.walkover_credit)}
        )
    if row.forfeits:
        lost = ngettext("%(n)d match lost by walkover", "%(n)d matches lost by walkover", row.forfeits)
        lost %= {"n": row.forfeits}
        said.append(f"{lost}: {points(row.forfeit_credit)}" if row.forfeit_credit else lost)
    said += [f"{TIE_BREAKS[slug]}: {figure}" for slug, figure in row.strength]
    if row.missed and row.missed_credit:
        said.append(
            ngettext("%(n)d round missed: %(points)s", "%(n)d rounds missed: %(points)s", row.missed)
            % {"n": row.missed, "points": points(row.missed_credit)}
        )
    lowest_wins = event.rules.lowest_wins
    return [*said, *(adjustment_words(value, reason, lowest_wins=lowest_wins) for value, reason in row.adjustments)]


def beside_of(row: Row) -> str:
    """What stands under a name on a phone, instead of columns: games, sets, sit-outs."""
    said = [
        ngettext("%(won)s of %(n)d game won", "%(won)s of %(n)d games won", row.games_played)
        % {"won": row.games_won, "n": row.games_played}
    ]
    if row.sets:
        said.append(ngettext("%(n)d set", "%(n)d sets", row.sets) % {"n": row.sets})
    if row.sit_outs:
        said.append(ngettext("sat out once", "sat out %(n)d times", row.sit_outs) % {"n": row.sit_outs})
    return ", ".join(said)
