"""Recording, correcting, marking and ending: what stands afterwards, and what is left as it was."""

from copy import copy
from uuid import uuid4

import pytest

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import (
    DealIsVoid,
    DealsMissing,
    GameOver,
    ReasonMissing,
    Refused,
    Superseded,
    correct_deal,
    end_game,
    mark_deal,
    record_deal,
    reopen_game,
    start_game,
)
from scoring.engine.core.ruleset import RulesError
from scoring.families.deal_form import EnteredDeal
from scoring.models import Deal, DealVersion, Game, Points
from tests.scoring.conftest import IMPOSSIBLE, a_deal, correct


def totals(game):
    return [side.total for side in game.sides.all()]


def logged():
    return list(LogEntry.objects.exclude(verb="rules.publish").order_by("id").values_list("verb", flat=True))


def test_a_deal_is_recorded_with_its_points_and_in_the_log(game, record, director):
    version = record(game, written=(25, None))
    game.refresh_from_db()
    assert (version.number, version.current, version.state, version.written) == (1, True, "entered", [25, None])
    assert [(p.side, p.points, p.was_set) for p in version.points.all()] == [(0, 25, False), (1, 16, False)]
    assert (totals(game), game.deals_played, game.state) == ([25, 16], 1, Game.State.OPEN)
    entry = LogEntry.objects.get(verb="deal.record")
    assert (entry.user, entry.actor, entry.new["facts"]["bid"]) == (director, "Dora", 20)


def test_a_set_is_counted_and_deducted(game, record):
    record(game, facts=a_deal(bid=30))
    assert totals(game) == [-30, 16]
    assert [side.sets for side in game.sides.all()] == [1, 0]


def test_the_same_submission_is_one_version_and_other_figures_in_it_are_not_lost_in_silence(game, record):
    same = uuid4()
    first = record(game, submission=same)
    assert record(game, submission=same) == first
    with pytest.raises(Superseded) as late:  # the page was gone back to, and the figures were put right
        record(game, facts=a_deal(bid=22), submission=same)
    assert late.value.version == first
    with pytest.raises(Superseded):
        record(game, submission=same, written=(25, 16))
    assert (Deal.objects.count(), logged()) == (1, ["deal.record"])


def test_a_correction_sent_again_with_other_figures_is_told_what_stands(game, record, actor):
    deal, same = record(game).deal, uuid4()
    first = correct_deal(
        deal=deal, entered=EnteredDeal(a_deal(bid=21)), by=actor, submission=same, seen=1, reason="Misread."
    )
    with pytest.raises(Superseded) as late:
        correct_deal(
            deal=deal, entered=EnteredDeal(a_deal(bid=22)), by=actor, submission=same, seen=1, reason="Misread."
        )
    assert late.value.version == first
    agreed = uuid4()
    mark_deal(deal=deal, state="agreed", by=actor, submission=agreed, seen=2)
    with pytest.raises(Superseded):
        mark_deal(deal=deal, state="disputed", by=actor, submission=agreed, seen=2)
    assert deal.versions.get(current=True).state == "agreed"


def test_a_submission_belongs_to_one_deal_of_its_card(game, record, actor):
    same = uuid4()
    first = record(game, submission=same)
    again = record_deal(game=game, number=2, entered=EnteredDeal(a_deal()), by=actor, submission=same)
    assert again == first
    with pytest.raises(Superseded) as late:
        record_deal(game=game, number=2, entered=EnteredDeal(a_deal(bid=22)), by=actor, submission=same)
    assert late.value.version == first
    assert (Deal.objects.count(), logged(), totals(game)) == (1, ["deal.record"], [25, 16])


def test_no_ruling_helps_a_card_that_cannot_be_counted(game, record):
    with pytest.raises(Refused):
        record(game, facts=a_deal(bid_side=2), ruling="It is so.")
    assert not Deal.objects.exists()


def test_no_deal_is_recorded_before_those_that_go_before_it(game, record, actor):
    with pytest.raises(DealsMissing):
        record(game, 2)
    first = record(game)
    mark_deal(deal=first.deal, state="void", by=actor, submission=uuid4(), seen=1, reason="Misdealt.")
    with pytest.raises(DealsMissing):
        record(game, 3)
    assert record(game, 2).deal.number == 2
    assert Deal.objects.count() == 2


@pytest.mark.parametrize("deals", [0, 1])
def test_what_has_become_of_a_game_since_it_was_read_counts(game, record, actor, deals):
    for number in range(deals):
        record(game, number + 1)
    before = Game.objects.get(pk=game.pk)
    Game.objects.update(set_aside=True)
    assert record(copy(before), deals + 1).deal.game.set_aside
    end_game(game=game, by=actor, reason="Time.")
    with pytest.raises(GameOver):
        record(copy(before), deals + 2)
    over = Game.objects.get(pk=game.pk)
    reopen_game(game=game, by=actor, reason="More time.")
    record(over, deals + 2)
    assert totals(game) == [25 * (deals + 2), 16 * (deals + 2)]


def test_the_game_ends_at_its_target_and_takes_no_more(finished, record):
    assert (finished.state, finished.ended_by, finished.deals_played) == (Game.State.OVER, "target", 6)
    assert [(side.total, side.half_wins) for side in finished.sides.all()] == [(150, 2), (96, 0)]
    with pytest.raises(GameOver) as over:
        record(finished, 7)
    assert over.value.game.ended_by == "target"


def test_a_correction_may_open_a_finished_game_again(finished, actor):
    deal = finished.deals.get(number=2)
    fewer = a_deal(bid=15, meld=(0, 6))
    correct(deal, fewer, by=actor, reason="No meld.", sure=False)
    finished.refresh_from_db()
    assert (finished.state, finished.ended_by) == (Game.State.OPEN, "")
    assert [(side.total, side.half_wins) for side in finished.sides.all()] == [(140, 0), (96, 0)]
    assert [(v.number, v.current) for v in deal.versions.all()] == [(1, False), (2, True)]


def test_a_correction_needs_its_reason_and_the_newest_version(game, record, actor):
    deal = record(game).deal
    with pytest.raises(ReasonMissing):
        correct(deal, a_deal(), by=actor, reason=" ", sure=False)
    same = uuid4()
    for _ in range(2):
        correct_deal(
            deal=deal, entered=EnteredDeal(a_deal(bid=21)), by=actor, submission=same, seen=1, reason="Misread."
        )
    with pytest.raises(Superseded):
        correct(deal, a_deal(bid=22), by=actor, reason="Misread.", sure=False)
    assert deal.versions.count() == 2


def test_agreement_keeps_figures_ruling_and_points(game, record, actor):
    first = record(game, facts=IMPOSSIBLE, ruling="It stands.")
    agreed = mark_deal(deal=first.deal, state="agreed", by=actor, submission=uuid4(), seen=1)
    assert (agreed.facts, agreed.ruling, agreed.overruled) == (first.facts, "It stands.", ["pinochle.take-total"])
    assert [p.points for p in agreed.points.all()] == [p.points for p in first.points.all()]


def test_a_void_deal_counts_nothing_and_a_correction_brings_it_back(game, record, actor):
    record(game, 1)
    deal = record(game, 2).deal
    void = mark_deal(deal=deal, state="void", by=actor, submission=uuid4(), seen=1, reason="Misdealt.")
    game.refresh_from_db()
    assert (totals(game), game.deals_played, void.points.count()) == ([25, 16], 1, 0)
    with pytest.raises(ReasonMissing):
        mark_deal(deal=deal, state="void", by=actor, submission=uuid4(), seen=2)
    correct(deal, a_deal(), by=actor, seen=2, reason="It was good.", sure=False)
    assert totals(game) == [50, 32]
    assert logged() == ["deal.record", "deal.record", "deal.void", "deal.correct"]


@pytest.mark.parametrize("state", ["agreed", "disputed", "void"])
def test_no_mark_brings_a_void_deal_back(game, record, actor, state):
    deal = record(game).deal
    mark_deal(deal=deal, state="void", by=actor, submission=uuid4(), seen=1, reason="Misdealt.")
    with pytest.raises(DealIsVoid):
        mark_deal(deal=deal, state=state, by=actor, submission=uuid4(), seen=2, reason="Both like it.")
    assert (totals(game), deal.versions.count()) == ([0, 0], 2)


def test_a_game_ended_by_the_director_follows_its_deals(game, record, actor):
    deal = record(game).deal
    end_game(game=game, by=actor, reason="Time.")
    mark_deal(deal=deal, state="void", by=actor, submission=uuid4(), seen=1, reason="Misdealt.")
    game.refresh_from_db()
    assert (game.state, [side.half_wins for side in game.sides.all()]) == (Game.State.NOT_PLAYED, [0, 0])
    correct(deal, a_deal(), by=actor, seen=2, reason="It was good.", sure=False)
    game.refresh_from_db()
    assert (game.state, game.ended_by, game.deals_played) == (Game.State.OVER, "director", 1)
    assert ([side.half_wins for side in game.sides.all()], totals(game)) == ([2, 0], [25, 16])


def test_a_correction_to_the_target_counts_the_bid_side_first_in_a_game_ended_early(game, record, actor):
    for number in range(1, 6):
        deal = record(game, number, facts=a_deal(meld=(10, 18))).deal  # 125 to 140
    end_game(game=game, by=actor, reason="Time.")
    assert [side.half_wins for side in game.sides.all()] == [0, 2]
    facts = a_deal(meld=(35, 30))
    correct(deal, facts, by=actor, reason="Misread.", sure=False)
    assert [(side.total, side.half_wins) for side in game.sides.all()] == [(150, 2), (152, 0)]


def test_ending_early_gives_the_game_to_the_best_and_can_be_taken_back(game, record, actor):
    record(game)
    with pytest.raises(ReasonMissing):
        end_game(game=game, by=actor, reason="")
    ended = end_game(game=game, by=actor, reason="Time.")
    assert (ended.state, ended.ended_by) == (Game.State.OVER, "director")
    assert [side.half_wins for side in game.sides.all()] == [2, 0]
    with pytest.raises(GameOver):
        record(game, 2)
    assert reopen_game(game=game, by=actor, reason="More time.").state == Game.State.OPEN
    assert [side.half_wins for side in game.sides.all()] == [0, 0]
    assert logged() == ["deal.record", "game.end", "game.reopen"]


def test_a_start_is_in_the_totals(game_of, record):
    game = game_of("st-hilary-v3", start=[8, 0])
    record(game)
    assert totals(game) == [33, 16]


def test_the_rules_say_how_many_sit_down(club, rules_for):
    rules = rules_for("st-hilary-v3")
    with pytest.raises(RulesError):
        start_game(club=club, rules=rules, title="x", sides=[["Ann"], ["Bob"], ["Cal"]])
    with pytest.raises(ValueError, match="sides of different sizes"):
        start_game(club=club, rules=rules, title="x", sides=[["Ann", "Bob"], ["Cal"]])
    assert not Game.objects.exists()


def test_points_of_old_versions_stay(game, record, actor):
    deal = record(game).deal
    correct(deal, a_deal(meld=(12, 6)), by=actor, reason="Misread.", sure=False)
    figures = Points.objects.filter(side=0).order_by("version__number").values_list("version__number", "points")
    assert list(figures) == [(1, 25), (2, 27)]
    assert DealVersion.objects.filter(current=True).count() == 1
