"""Sentences for what the engines of an event say in codes: reasons of a cut, tie-breaks, what a draw repeats.

`CUT` and `TIE_BREAKS` have every code of `tournaments.engine.cut` and `tournaments.engine.tiebreaks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.templatetags.figures import points
from tournaments.cut_field import counts
from tournaments.cuts import LEFT_AFTER
from tournaments.draw_words import LOTS, lots_in_words
from tournaments.engine.cut import OpenTie
from tournaments.models import Cut, Event, Stage
from tournaments.models.events import group_letter
from tournaments.standings import Row, chain_slugs

TIE_BREAKS: dict[str, Promise] = {
    "reached": _("how far in the knock-out"),
    "points": _("points"),
    "games-won": _("games won"),
    "net": _("difference to the opponents' points"),
    "fewest-sets": _("fewest failed bids"),
    "head-to-head": _("games against each other"),
    "last-game": _("points in the last game"),
    "best-game": _("best game"),
    "play-off": _("play-off"),
    "lots": _("drawing of lots"),
    "shared": _("the place is shared"),
}

FEW_ARE_GOOD: dict[str, Promise] = {  # the same where the lowest total wins
    "points": _("fewest points"),
    "net": _("difference to the opponents' points, the lowest first"),
    "last-game": _("fewest points in the last game"),
    "best-game": _("the game with the fewest points"),
    "play-off": _("play-off, with the fewest points"),
}

FAIR: dict[str, Promise] = {  # by Stage.CutRule: what a smaller group or table means for who goes on
    "": _("The points count as they are, whatever the size of the group."),
    "group": _("Who goes on is decided within each group, among those who played the same games."),
    "table": _("Of each table the same number go on, whatever its size."),
    "overall": _("The points count as they are, whatever the size of the group."),
}

CUT: dict[str, Promise] = {
    "cut.group-winner": _("Won group %(where)s"),
    "cut.group-top": _("Place %(place)s in group %(where)s"),
    "cut.table-top": _("Place %(place)s at table %(table)s"),
    "cut.overall": _("Place %(place)s of the whole field"),
    "cut.wild-card": _("Wild card %(number)s, as the best of those not yet through"),
    "cut.called-up": _("Called up in place of %(instead_of)s"),
    "cut.won-play-off": _("Won the play-off with %(points)s points"),
    "cut.drawn-by-lot": _("Drawn by lot (seed %(seed)s)"),
    "cut.below-line": _("Below the line"),
    "cut.lost-play-off": _("Out after the play-off, with %(points)s points"),
    "cut.not-drawn": _("Out by drawing of lots (seed %(seed)s)"),
    "cut.tie-at-line": _("Level at the line"),
    "cut.waits": _("Waits until those level at a line are settled"),
    "cut.withdrawn": _("Has withdrawn"),
    "cut.ineligible": _("May not go on: %(reason)s"),
    "cut.disqualified": _("Disqualified: %(reason)s"),
    "cut.replaced": _("Was through and has withdrawn; %(by)s was called up"),
    "cut.struck": _("Was through and was disqualified (%(reason)s); %(by)s was called up"),
}


@dataclass(frozen=True, slots=True)
class CutWords:
    """One name of a published cut in words."""

    name: str
    advances: bool
    reason: str
    last_in: bool  # the line is drawn under it


def cut_words(cut: Cut) -> list[CutWords]:
    """The lines of a kept cut in words, in order. Reads `cut.lines` with their entries."""
    lines = list(cut.lines.all())
    names = {line.entry_id: line.entry.name for line in lines}
    return [
        CutWords(
            name=line.entry.name,
            advances=line.advances,
            reason=reason_words(line.reason, line.args, names),
            last_in=line.advances and (n + 1 == len(lines) or not lines[n + 1].advances),
        )
        for n, line in enumerate(lines)
    ]


def reason_words(code: str, args: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """Why somebody is on this side of the line; `names` are those of the entries that the arguments name by id."""
    given = dict(args)
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
            if given.get(which) in names and (which != "by" or code in LEFT_AFTER):
                given[which] = names[given[which]]
        where = f"{given.get('table', '')}{group_letter(int(given.get('group') or 0))}"
        said = str(CUT[code]) % {**given, "where": where}
    return said + _ahead(code, given)


def _ahead(code: str, args: Mapping[str, Any]) -> str:
    """By what tie-break somebody is above or below the line, after the reason."""
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
        whole, half = divmod(int(text.split("/")[0]), 2)
        return f"{whole or ''}{'½' if half else ''}"
    return f"{int(text):,}"


def _places(places: int) -> str:
    return ngettext("%(n)d place", "%(n)d places", places) % {"n": places}


def tie_words(tie: OpenTie) -> str:
    """Where a tie is open, and for how many places."""
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


def rule_words(stage: Stage) -> str:
    """Who goes on from a stage."""
    if not stage.cut_rule:
        return _now("Its order is the result.")
    if stage.wild_cards:
        return ngettext(
            "%(n)d go on: %(rule)s, and %(wild)d by wild card, the best of the others.",
            "%(n)d go on: %(rule)s, and %(wild)d by wild cards, the best of the others.",
            stage.wild_cards,
        ) % {"n": stage.advance, "rule": stage.get_cut_rule_display(), "wild": stage.wild_cards}
    return _now("%(n)d go on: %(rule)s.") % {"n": stage.advance, "rule": stage.get_cut_rule_display()}


def adjustment_words(value: int, reason: str, *, lowest_wins: bool = False) -> str:
    """One adjustment by the director: what it is and why. Where the lowest total wins, a penalty adds points."""
    given = {"points": points(value) if value < 0 else f"+{points(value)}", "reason": reason}
    if (value > 0) == lowest_wins:
        return _now("penalty %(points)s: %(reason)s") % given
    return _now("adjustment %(points)s: %(reason)s") % given


def notes_of(row: Row, *, lowest_wins: bool = False) -> list[str]:
    """What stands under a name in the standings, beside sit-outs: why it is out of the order, missed rounds,
    adjustments."""
    said = [_now("stand-in")] if row.stand_in else []
    if row.disqualified:
        said.append(_now("disqualified: %(reason)s") % {"reason": row.disqualified})
    elif row.withdrawn:
        said.append(_now("withdrawn"))
    if row.missed and row.missed_credit:
        said.append(
            ngettext("%(n)d round missed: %(points)s", "%(n)d rounds missed: %(points)s", row.missed)
            % {"n": row.missed, "points": points(row.missed_credit)}
        )
    return [*said, *(adjustment_words(value, reason, lowest_wins=lowest_wins) for value, reason in row.adjustments)]


def chain_words(slugs: Iterable[str], *, lowest_wins: bool = False) -> str:
    """A chain of tie-breaks as a sentence."""
    words = {**TIE_BREAKS, **(FEW_ARE_GOOD if lowest_wins else {})}
    return ", ".join(str(words[slug]) for slug in slugs if slug not in ("play-off", "lots", "shared"))


def order_words(event: Event) -> str:
    """What places of an event go by, as a sentence."""
    return chain_words(chain_slugs(event), lowest_wins=event.rules.lowest_wins)


def draw_words(statement: Mapping[str, Any]) -> str:
    """What a draw of a stage says of itself."""
    said = [
        ngettext("%(n)d entry", "%(n)d entries", statement.get("entries", 0)) % {"n": statement.get("entries", 0)},
        ngettext("%(n)d table", "%(n)d tables", statement.get("tables", 0)) % {"n": statement.get("tables", 0)},
        ngettext("%(n)d group", "%(n)d groups", statement.get("groups", 0)) % {"n": statement.get("groups", 0)},
    ]
    words = ", ".join(said) + "."
    if statement.get("had_met"):
        met = statement.get("met_again", 0)
        words += " " + (
            ngettext(
                "%(n)d pair that shared a table before shares one again; fewer wasn't found.",
                "%(n)d pairs that shared a table before share one again; fewer wasn't found.",
                met,
            )
            % {"n": met}
            if met
            else _now("Nobody meets a table-mate of an earlier stage again.")
        )
    if statement.get("seeded"):
        words += " " + _now("Seeded: the best of the stage before are spread over the groups.")
    for leaving, entering in statement.get("seat_taken", []):
        words += " " + _now("%(new)s took the seat of %(old)s.") % {"new": entering, "old": leaving}
    return words


def fairness_words(stage: Stage, statement: Mapping[str, Any]) -> str:
    """What is done so that a number which doesn't divide is fair to all; "" where all groups and tables are full.

    `statement` is the draw's, with `usual`, `short`, `stand_ins`, `tables` and `groups`.
    """
    said = []
    short, usual = statement.get("short", []), statement.get("usual", 0)
    groups = statement.get("groups", 0)
    several = groups - statement.get("tables", 0)  # groups that share a table with another
    single = max(0, groups - 2 * several) if several else 0
    if stand_ins := statement.get("stand_ins", 0):
        words = ngettext(
            "%(n)d stand-in of the house plays so that the groups are full, can't go on, and stands after all others.",
            "%(n)d stand-ins of the house play so that the groups are full, can't go on, and stand after all others.",
            stand_ins,
        )
        said.append(words % {"n": stand_ins})
    if short:
        words = ngettext(
            "%(n)d group has %(sizes)s people instead of %(usual)d.",
            "%(n)d groups have %(sizes)s people instead of %(usual)d.",
            len(short),
        )
        sizes = _now(" or ").join(str(size) for size in sorted(set(short)))
        said.append(words % {"n": len(short), "sizes": sizes, "usual": usual})
    if single:
        said.append(
            ngettext("%(n)d table has one group instead of two.", "%(n)d tables have one group instead of two.", single)
            % {"n": single}
        )
    if short or single:
        said.append(_now("All groups play the same number of games.") + " " + str(FAIR[stage.cut_rule]))
        sections = {"group": groups, "table": statement.get("tables", 0)}.get(stage.cut_rule, 0)
        if sections and (stage.wild_cards or stage.advance % sections):
            left = _now("A place that is left over goes to the best of the others, whose points count as they are.")
            said.append(left)
    return " ".join(said)


def settled_words(settled: Sequence[Mapping[str, Any]], names: Mapping[int, str]) -> list[str]:
    """Play-offs and drawings of lots that count or were set aside, in order, with what it takes to check the lots."""
    said = []
    for data in settled:
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
    """A drawing of lots; where it went by numbers, with the lots, the first to go on first."""
    seed, numbers = data["seed"], {int(entry): number for entry, number in data.get("numbers", {}).items()}
    if not numbers:  # drawn before lots went by numbers
        drawn = ", ".join(names.get(entry, "?") for entry in data["lots"])
        return _now("Lots drawn among %(names)s with the seed %(seed)06d") % {"names": drawn, "seed": seed}
    return lots_in_words(seed, {names.get(entry, "?"): number for entry, number in numbers.items()})
