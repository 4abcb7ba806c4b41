"""Handicaps in words: the numbers chosen, and where each handicap comes from."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from tournaments.engine.handicap import Handicap, HandicapRule
from tournaments.handicaps.queries import handicap_list
from tournaments.templatetags.totals import decimal


def rule_words(rule: HandicapRule) -> str:
    """How handicaps are found."""
    said = _(
        "Handicap: %(percent)d%% of what the average of the newest %(deals)d deals is short of %(scratch)d points, "
        "at most %(most)d a deal; from %(needed)d deals on."
    ) % asdict(rule)
    return f"{said} {_('It is kept secret until the result is published.')}" if rule.secret else said


def handicap_words(handicap: Handicap, rule: HandicapRule) -> str:
    """Why a handicap is what it is."""
    if handicap.code == "handicap.too-few-deals":
        return ngettext(
            "%(n)d deal so far; from %(needed)d on there is a handicap.",
            "%(n)d deals so far; from %(needed)d on there is a handicap.",
            handicap.deals,
        ) % {"n": handicap.deals, "needed": rule.needed}
    average = handicap.average or Fraction(0)
    if handicap.code == "handicap.scratch":
        return _("The average is %(scratch)d or better: no handicap.") % {"scratch": rule.scratch}
    said = _("%(percent)d%% of the %(lacking)s by which the average of %(deals)d deals is short of %(scratch)d.") % {
        "percent": rule.percent,
        "lacking": decimal(rule.scratch - average),
        "deals": handicap.deals,
        "scratch": rule.scratch,
    }
    if handicap.code == "handicap.capped":
        said = f"{said} {_('Held to %(most)d.') % {'most': rule.most}}"
    return said


def best_words(club: Club, game: str) -> str:
    """A sentence that helps to choose a scratch value: the best average; "" while nobody has enough deals."""
    rule = HandicapRule(scratch=0)
    lines = handicap_list(club, game, rule=rule)
    enough = [line for line in lines if line.handicap.average is not None and line.handicap.deals >= rule.needed]
    if not enough:
        return ""
    best = max(enough, key=lambda line: line.handicap.average or Fraction(0))
    return _("The best average of the newest %(deals)d deals is that of %(name)s: %(average)s points a deal.") % {
        "deals": rule.deals,
        "name": best.name,
        "average": decimal(best.handicap.average or Fraction(0)),
    }
