"""Cuts in words: why each name goes on or doesn't, ties, play-offs and lots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournaments.cuts.cuts import LEFT_AFTER, counts
from tournaments.draws.words import LOTS, lots_in_words
from tournaments.engine.ranking import OpenTie
from tournaments.events.words import TIE_BREAKS
from tournaments.models import Cut, CutLine
from tournaments.models.events import group_letter
from tournaments.templatetags.totals import halves

CUT: dict[str, Promise] = {
    "cut.group-winner": _("Won group %(where)s"),
    "cut.group-top": _("Place %(place)s in group %(where)s"),
    "cut.table-top": _("Place %(place)s at table %(table)s"),
    "cut.overall": _("Place %(place)s of the whole field"),
    "cut.wild-card": _("Wild card %(number)s, as the best of those not yet through"),
    "cut.called-up": _("Called up in place of %(instead_of)s"),
    "cut.ruled-in": _("Goes on in place of %(instead_of)s by a ruling: %(reason)s"),
    "cut.ruled-out": _("Was through; %(by)s goes on in their place by a ruling: %(reason)s"),
    "cut.won-play-off": _("Won the play-off with %(points)s points"),
    "cut.drawn-by-lot": _("Drawn by lot (lot number %(seed)s)"),
    "cut.below-line": _("Below the line"),
    "cut.lost-play-off": _("Out after the play-off, with %(points)s points"),
    "cut.not-drawn": _("Out by drawing of lots (lot number %(seed)s)"),
    "cut.tie-at-line": _("Level at the line"),
    "cut.waits": _("Waits until those level at a line are settled"),
    "cut.withdrawn": _("Has withdrawn"),
    "cut.ineligible": _("May not go on: %(reason)s"),
    "cut.disqualified": _("Disqualified: %(reason)s"),
    "cut.replaced": _("Was through and has withdrawn; %(by)s was called up"),
    "cut.struck": _("Was through and was disqualified (%(reason)s); %(by)s was called up"),
}


def cut_words(cut: Cut) -> list[dict[str, Any]]:
    """The lines of a kept cut in words, in order. Reads `cut.lines` with their entries."""
    lines = list(cut.lines.all())
    names = {line.entry_id: line.entry.name for line in lines}
    return [
        {
            "name": line.entry.name,
            "advances": line.advances,
            "reason": reason_words(line, names),
            "last_in": line.advances and (n + 1 == len(lines) or not lines[n + 1].advances),  # a line is drawn under it
        }
        for n, line in enumerate(lines)
    ]


def reason_words(line: CutLine, names: Mapping[int, str]) -> str:
    code, given = line.reason, dict(line.args)
    if code == "cut.called-up" and not given.get("instead_of"):
        said = _now("Called up for a place that was left free")
    elif code == "cut.replaced" and not given.get("by"):
        said = _now("Was through and has withdrawn; nobody was left to call up")
    elif code == "cut.struck" and not given.get("by"):
        said = _now("Was through and was disqualified (%(reason)s); nobody was left to call up") % given
    elif code == "cut.tie-at-line":
        level, places = int(given["level"]), int(given["places"])
        said = ngettext(
            "Level with %(level)d other for %(places)s: a play-off or lots decide",
            "Level with %(level)d others for %(places)s: a play-off or lots decide",
            level,
        ) % {"level": level, "places": _places(places)}
    else:
        for which in ("instead_of", "by"):
            if given.get(which) in names and (which != "by" or code in (*LEFT_AFTER, "cut.ruled-out")):
                given[which] = names[given[which]]
        where = f"{given.get('table', '')}{group_letter(int(given.get('group') or 0))}"
        said = str(CUT[code]) % {**given, "where": where}
    return said + _ahead(code, given)


def _ahead(code: str, args: Mapping[str, Any]) -> str:
    """The end of the sentence: by which tie-break somebody is above or below the line; "" where none decided."""
    on = str(args.get("on") or "")
    if not on:
        return ""
    words = TIE_BREAKS[on]
    if code != "cut.below-line":
        return _now(", ahead by %(tie_break)s") % {"tie_break": words}
    if on in ("points", "net", "games-won", "fewest-sets", "last-game", "best-game"):
        return _now(", by %(by)s in %(tie_break)s") % {"by": _figure(args["by"]), "tie_break": words}
    return _now(", by %(tie_break)s") % {"tie_break": words}


def _figure(value: object) -> str:
    """A number as people write it: 1,250; a half as ½."""
    text = str(value)
    if "/" in text:
        return halves(Fraction(text))
    return number_format(int(text), force_grouping=True)


def _places(places: int) -> str:
    return ngettext("%(n)d place", "%(n)d places", places) % {"n": places}


def tie_words(tie: OpenTie) -> str:
    section = tie.section
    where = {
        "group": _now("group %(where)s") % {"where": f"{section.table}{group_letter(section.group)}"},
        "table": _now("table %(n)d") % {"n": section.table},
        "overall": _now("the whole field"),
    }[section.per]
    return _now("%(n)d are level in %(where)s for %(places)s") % {
        "n": len(tie.entries),
        "where": where,
        "places": _places(tie.places),
    }


def settled_words(settled: Sequence[Mapping[str, Any]], names: Mapping[int, str]) -> list[str]:
    """Play-offs and drawings of lots that count or were set aside, and rulings, in order, with what it takes to check
    the lots."""
    said = []
    for data in settled:
        if "ruling" in data:
            said.append(
                _now("The director let the cut stay as it is after a correction: %(reason)s")
                % {"reason": data["ruling"]}
            )
            continue
        if not counts(data) and "undone" not in data:
            continue
        words = _play_off_words(data, names) if "play_off" in data else _lots_words(data, names)
        if "undone" in data:
            reason = data["undone"]
            words = (
                _now("Set aside by the director (%(reason)s): %(what)s") % {"reason": reason, "what": words}
                if reason
                else _now("Set aside by the director: %(what)s") % {"what": words}
            )
        said.append(words)
    if any("numbers" in data and (counts(data) or "undone" in data) for data in settled):
        said.append(str(LOTS))
    return said


def _play_off_words(data: Mapping[str, Any], names: Mapping[int, str]) -> str:
    points = ", ".join(f"{names.get(int(entry), '?')} {value}" for entry, value in data["play_off"].items())
    return _now("Play-off: %(points)s") % {"points": points}


def _lots_words(data: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """A drawing of lots in words: each lot, the first to go on first. Of one made before lots went by numbers, only who
    took part, and the seed."""
    seed, numbers = data["seed"], {int(entry): number for entry, number in data.get("numbers", {}).items()}
    if not numbers:  # drawn before lots went by numbers
        drawn = ", ".join(names.get(entry, "?") for entry in data["lots"])
        return _now("Lots drawn among %(names)s with the lot number %(seed)06d") % {"names": drawn, "seed": seed}
    return lots_in_words(seed, {names.get(entry, "?"): number for entry, number in numbers.items()})
