"""Deals by the slug of their rules: facts as in deal files, answers as `manage.py score` gives them.

The worked examples of the sources are written with this (`docs/worked-examples.md`). Players sit in the first of the
rule set's shapes.
"""

from lab.tools.deal_files import file_game
from scoring.deal_files.formats import FileDeal
from scoring.deal_files.scored import GameReport, score_game
from scoring.engine.core.family import from_data
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import family_of, rules_of
from scoring.engine.pinochle.melds import PlayerMelds, player_points
from scoring.engine.pinochle.two_hand.card import Laying, TwoHandRules
from scoring.engine.pinochle.two_hand.melds import follow


def points(slug, /, **facts):
    """The points of each side for a deal, None where the card doesn't say what to score."""
    return _scored(slug, [facts])["deals"][0]["points"]


def wrong(slug, /, **facts):
    return [problem["words"] for problem in _scored(slug, [facts])["deals"][0]["problems"]]


def result(slug, /, *deals, start=()):
    """Where a game stands after these deals, in words; `start` has each side's points before them."""
    return _scored(slug, deals, start=start)["words"]


def melded(slug, /, *melds):
    """Points of one player's melds at pinochle, as they stand in `counted` of a deal file, or for two in `laid`."""
    rule_set = shipped()[slug]
    rules = rules_of(rule_set)
    if isinstance(rules, TwoHandRules):
        return follow(tuple(map(Laying, melds)), rules).total
    return player_points(from_data(PlayerMelds, {"melds": list(melds)}), rules)


def _scored(slug, deals, *, start=()):
    rule_set = shipped()[slug]
    played = tuple(FileDeal(facts=family_of(rule_set).read(facts)) for facts in deals)
    return GameReport(score_game(file_game(rule_set, start=tuple(start), deals=played)), 1).data()
