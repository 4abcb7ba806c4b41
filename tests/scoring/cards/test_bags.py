"""Bags go on from deal to deal of a recorded game: a corrected or void deal changes the points of those after it."""

import csv
from random import Random
from uuid import uuid4

import pytest

from scoring.cards.deals import correct_deal, mark_deal, scores_before
from scoring.cards.queries import card_of, cards_of, deal_versions, preview_deal, versions_by_deal
from scoring.engine.core.family import score_deals
from scoring.engine.trick_bids import TrickBidsDeal
from scoring.families.deal_form import EnteredDeal
from scoring.models import DealVersion, Game, Points
from tests.scoring.deal_files.exchanging import empty, out, state_of, table, take

pytestmark = pytest.mark.django_db


def over(bags):
    """The first side bids four and takes so many more; the second bids four too."""
    return TrickBidsDeal(bids=(2, 2, 3, 1), tricks=(4 + bags, 9 - bags))


@pytest.fixture
def game(game_of, record):
    """Four, five and three bags: the third deal has the tenth."""
    game = game_of("spades")
    for number, bags in enumerate((4, 5, 3), start=1):
        record(game, number, over(bags))
    return game


def card(game):
    return card_of(Game.get_or_404(game.club, game.pk))


def figures(game):
    """The first side's points of each deal as stored and as the card shows them, and its total."""
    stored = [scores_before(game, number + 1)[0] - scores_before(game, number)[0] for number in (1, 2, 3)]
    shown = [deal.points[0] for deal in card(game).deals]
    return stored, shown, card(game).totals[0]


def test_the_tenth_bag_is_a_line_of_its_deal(game):
    assert figures(game) == ([44, 45, -57], [44, 45, -57], 32)
    third = card(game).deals[2]
    assert [(row["points"], row["source"] != "") for row in third.lines if row["side"] == 0][-1] == (-100, True)
    assert [deal.cells[0][-1] for deal in card(game).deals] == [4, 9, 2]


def correct(game, number, facts, by):
    deal = game.deals.get(number=number)
    correct_deal(deal=deal, entered=EnteredDeal(facts), by=by, submission=uuid4(), seen=1, reason="misread")


def test_a_correction_takes_the_penalty_from_a_later_deal(game, actor):
    effect = preview_deal(game, 1, facts=over(1))
    assert effect.after.totals[0] == 129
    correct(game, 1, over(1), actor)
    assert figures(game) == ([41, 45, 43], [41, 45, 43], 129)


def test_a_correction_moves_the_penalty_to_an_earlier_deal(game, actor):
    correct(game, 1, over(5), actor)
    assert figures(game) == ([45, 45 - 100, 43], [45, -55, 43], 33)


def test_a_void_deal_has_no_bags(game, actor):
    mark_deal(
        deal=game.deals.get(number=2), state=DealVersion.State.VOID, by=actor, submission=uuid4(), seen=1, reason="?"
    )
    assert card(game).totals[0] == 44 + 43
    assert scores_before(game, 4)[0] == 87


def test_a_mark_leaves_the_penalty_where_it_is(game, actor):
    mark_deal(deal=game.deals.get(number=3), state=DealVersion.State.AGREED, by=actor, submission=uuid4(), seen=1)
    assert figures(game) == ([44, 45, -57], [44, 45, -57], 32)


def test_all_versions_of_a_deal_are_shown_with_the_bags_before_it(game, actor):
    third = game.deals.get(number=3)
    correct(game, 3, over(0), actor)
    assert [row.points[0] for row in deal_versions(third)] == [-57, 40]
    assert versions_by_deal(cards_of([Game.get_or_404(game.club, game.pk)]))[third.pk] == deal_versions(third)


def test_a_file_brings_the_penalties_along(game, actor):
    correct(game, 1, over(5), actor)
    before, stood = out(game.club), state_of(game.club)
    assert [row["points.0"] for row in csv.DictReader(table(game.club).splitlines())] == ["45", "-55", "43"]
    empty(game.club)
    take(game.club, before, actor)
    assert state_of(game.club) == stood
    assert figures(Game.objects.get(club=game.club)) == ([45, -55, 43], [45, -55, 43], 33)


def test_whatever_is_corrected_or_void_the_points_are_those_of_the_cards_in_order(game, actor):
    rng, rules, family = Random(25), game.engine_rules, game.rules.family
    for _step in range(25):
        deal = rng.choice(list(game.deals.all()))
        now = deal.versions.get(current=True)
        if rng.random() < 0.25 and now.state != DealVersion.State.VOID:
            state = DealVersion.State.VOID
            mark_deal(deal=deal, state=state, by=actor, submission=uuid4(), seen=now.number, reason="?")
        else:
            entered = EnteredDeal(over(rng.randint(0, 9)), sure=True)
            correct_deal(deal=deal, entered=entered, by=actor, submission=uuid4(), seen=now.number, reason="?")
        versions = DealVersion.objects.filter(deal__game=game, current=True).exclude(state=DealVersion.State.VOID)
        versions = list(versions.order_by("deal__number"))
        scores = score_deals(family, rules, cards=[family.read(version.facts) for version in versions])
        stored = [tuple(Points.objects.filter(version=v).values_list("points", flat=True)) for v in versions]
        assert stored == [score.totals for score in scores]
        assert card(game).totals == tuple(sum(points) for points in zip(*stored, strict=True)) or not versions
