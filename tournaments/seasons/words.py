"""A season's rule and its answers in words, made from the options."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.templatetags.figures import points as figure
from tournaments.engine.season import SeasonRule
from tournaments.seasons.actions import Need, SeasonTerms
from tournaments.seasons.table import NO_DIVISION, SeasonLine, SeasonTable

TIE_BREAKS: dict[str, Promise] = {
    "nights-won": _("nights won"),
    "best-night": _("best night"),
    "most-nights": _("most nights attended"),
    "last-night": _("last night attended"),
    "points": _("points of all nights"),
}
"""Every tie-break of `tournaments.engine.season`."""


def rule_words(terms: SeasonTerms) -> list[str]:
    """How the season adds up, one sentence for each option that says something."""
    rule = terms.rule
    said = [_total(rule)]
    if terms.handicap:
        said.append(_now("Points and places of a night are those with handicap, where the night gives one."))
    if rule.place_points:
        said.append(
            _now("A night gives points for the place among the members who came: %(points)s; nothing after that.")
            % {"points": ", ".join(figure(p) for p in rule.place_points)}
        )
    if rule.attendance_points:
        said.append(
            ngettext(
                "Each night attended gives %(n)d point more.",
                "Each night attended gives %(n)d points more.",
                rule.attendance_points,
            )
            % {"n": rule.attendance_points}
        )
    if rule.lowest:
        said.append(_now("The lowest total is ahead."))
    if rule.attendance > 1:
        said.append(_now("A place needs at least %(n)d nights.") % {"n": rule.attendance})
    said.append(_ties(rule))
    if terms.moving:
        said.append(
            ngettext(
                "In the end the first of each division goes up and the last goes down.",
                "In the end the first %(n)d of each division go up and the last %(n)d go down.",
                terms.moving,
            )
            % {"n": terms.moving}
        )
    return said


def team_words(terms: SeasonTerms) -> str:
    """How the teams' table adds up."""
    if not terms.team_best:
        return _now("A team has the points of all its members on each night.")
    return ngettext(
        "A team has the points of its best member on each night.",
        "A team has the points of its best %(n)d members on each night.",
        terms.team_best,
    ) % {"n": terms.team_best}


def apart_words(line: SeasonLine, rule: SeasonRule) -> str:
    """Why a member has no place."""
    if line.code == NO_DIVISION:
        return _now("Plays without a division.")
    return ngettext(
        "Below attendance: %(n)d night of the %(needed)d needed.",
        "Below attendance: %(n)d nights of the %(needed)d needed.",
        line.attended,
    ) % {"n": line.attended, "needed": rule.attendance}


def separated_words(table: SeasonTable) -> list[str]:
    """What separated equal totals, one sentence for each pair of neighbours."""
    said = []
    for part in table.parts:
        for line, after in zip(part.lines, part.lines[1:], strict=False):
            if line.separated_by:
                said.append(
                    _now("%(name)s is ahead of %(next)s by %(tie_break)s.")
                    % {"name": line.name, "next": after.name, "tie_break": TIE_BREAKS[line.separated_by]}
                )
    return said


def need_words(need: Need) -> list[str]:
    """The answer to what somebody needs, in sentences."""
    said = _need(need)
    if need.handicap and need.code in ("never", "points"):
        said.append(_now("The handicap is counted in with the points of the night, where it gives one."))
    return said


def _need(need: Need) -> list[str]:
    given = {"name": need.name, "place": need.place, "points": figure(need.points), "record": figure(need.record)}
    if need.code == "safe":
        return [_now("%(name)s has place %(place)d or better even without coming.") % given]
    if need.code == "attendance":
        return [
            _now("%(name)s can't have a place: with one more night it would be %(n)d, and %(needed)d are needed.")
            % {**given, "n": need.nights + 1, "needed": need.attendance}
        ]
    if need.code == "never":
        return [_now("No result of one night takes %(name)s to place %(place)d.") % given]
    if need.code == "come":
        return [_now("%(name)s has only to come: whatever the points, it is place %(place)d or better.") % given]
    if need.lowest_wins:
        said = [_now("%(name)s needs %(points)s points at most for place %(place)d.") % given]
        beyond = need.points < need.record
    else:
        said = [
            _now("%(name)s needs at least %(points)s points for place %(place)d.") % given
            if need.points > 0
            else _now("%(name)s has place %(place)d or better with %(points)s points or more.") % given
        ]
        beyond = need.points > need.record
    if beyond:
        said.append(_now("Nobody has done so well this season: the best night so far is %(record)s.") % given)
    return said


def _total(rule: SeasonRule) -> str:
    if rule.kind == "best":
        return ngettext(
            "The place goes by the total: the points of the best night, the others don't count.",
            "The place goes by the total: the points of the best %(n)d nights, added up. The others stand in brackets.",
            rule.best,
        ) % {"n": rule.best}
    if rule.kind == "average":
        return _now("The place goes by the average of the nights attended.")
    return _now("The place goes by the total: the points of all nights attended, added up.")


def _ties(rule: SeasonRule) -> str:
    if not rule.tie_breaks:
        return _now("Equal totals share a place.")
    chain = _now(", then by ").join(str(TIE_BREAKS[slug]) for slug in rule.tie_breaks)
    return _now("Equal totals are separated by %(chain)s; who is level after that shares the place.") % {"chain": chain}
