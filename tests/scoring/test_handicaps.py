"""The handicap between two players: what games do to it, the start of the next, and what a correction changes."""

from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import Refused, correct_deal, end_game, mark_deal, reopen_game
from scoring.cards.queries import preview_deal
from scoring.cards.submit import preview_consequences
from scoring.engine.core.ledger import Problem, Severity, named
from scoring.engine.pinochle.two_hand.card import TwoHandDeal, TwoHandEnding
from scoring.families.deal_form import EnteredDeal
from scoring.handicaps import bring_handicap, handicap_ledger, next_start
from scoring.models import DealVersion, Game, HandicapEntry, HandicapStart

ANN_WINS = TwoHandDeal(bidder=0, bid=20, meld=(90, 4), take=(20, 5))
BOB_WINS = TwoHandDeal(bidder=1, bid=20, meld=(4, 90), take=(5, 20))


@pytest.fixture
def started(game_of):
    """A game between two, begun with what they have."""

    def make(one="Ann", other="Bob", start=(50, 50)):
        return game_of("fletcher-two-hand", title="Corner", sides=[[one], [other]], start=start)

    return make


@pytest.fixture
def played(started, record):
    """A whole game of one deal; its deal."""

    def make(facts=ANN_WINS, **who):
        return record(started(**who), 1, facts)

    return make


def ledger(version):
    found = handicap_ledger(version.deal.game)
    assert found is not None
    return found


def corrected(version, facts, actor):
    seen, submission = version.number, uuid4()
    return correct_deal(
        deal=version.deal,
        entered=EnteredDeal(facts, sure=True),
        by=actor,
        submission=submission,
        seen=seen,
        reason="misread",
    )


def test_the_loser_of_a_game_gains_and_starts_the_next_with_it(played, club):
    first = played()  # Bob has 59: below 75
    assert ledger(first).starts == (("Ann", 0), ("Bob", 8))
    assert next_start(club, first.deal.game.engine_rules, sides=[["bob "], ["ANN"]]) == [8, 0]
    second = played(BOB_WINS, start=(90, 50))  # Ann has 99; it comes off Bob's
    assert ledger(second).starts == (("Ann", 0), ("Bob", 4))
    assert [(row.loser, row.entry.loser_total, row.before, row.after) for row in ledger(second).rows] == [
        ("Ann", 99, (0, 8), (0, 4)),
        ("Bob", 59, (0, 0), (0, 8)),
    ]


def test_the_two_may_sit_the_other_way_round(played):
    played()
    turned = played(BOB_WINS, one="bob", other="Ann")  # here the second player is Ann, and she wins again
    assert ledger(turned).starts == (("bob", 16), ("Ann", 0))


def test_a_handicap_holds_between_two_players_and_in_one_club_only(played, other_club, club):
    rules = played().deal.game.engine_rules
    assert next_start(club, rules, sides=[["Ann"], ["Cal"]]) == [0, 0]
    assert next_start(other_club, rules, sides=[["Ann"], ["Bob"]]) == [0, 0]
    assert next_start(club, rules, sides=[["Ann"], ["Bob"]]) == [0, 8]


def test_a_correction_that_changes_the_winner_changes_all_after_it_and_loses_nothing(played, actor):
    first, second = played(), played()
    assert ledger(second).now == (0, 16)
    corrected(first, BOB_WINS, actor)
    assert ledger(second).now == (0, 0)  # Ann wins the second: 8 come off hers
    rows = ledger(second).rows
    assert [(row.entry.current, row.loser, row.before, row.after) for row in rows] == [
        (True, "Bob", (8, 0), (0, 0)),
        (False, "Bob", (0, 8), (0, 16)),
        (True, "Ann", (0, 0), (8, 0)),
        (False, "Bob", (0, 0), (0, 8)),
    ]


def test_a_game_that_is_open_again_counts_no_more_and_keeps_its_place(played, actor):
    first, second = played(), played(BOB_WINS)
    seen, submission = first.number, uuid4()
    void = mark_deal(deal=first.deal, state="void", by=actor, submission=submission, seen=seen, reason="wrong table")
    assert ledger(second).now == (8, 0)
    assert len([row for row in ledger(second).rows if not row.entry.current]) == 2
    corrected(void, ANN_WINS, actor)
    assert [entry.place for entry in HandicapEntry.objects.filter(current=True)] == [1, 2]
    assert ledger(second).now == (0, 0)


def test_a_deal_that_changes_nothing_writes_nothing(played, actor):
    version = played()
    corrected(version, TwoHandDeal(bidder=0, bid=21, meld=(90, 4), take=(20, 5)), actor)
    assert HandicapEntry.objects.count() == 1


def test_a_game_ended_by_the_director_counts_and_one_gone_on_with_does_not(started, record, actor):
    game = started(start=(0, 0))
    version = record(game, 1, ANN_WINS)
    assert HandicapEntry.objects.count() == 0
    end_game(game=game, by=actor, reason="the hall closes")
    assert ledger(version).now == (0, 8)
    reopen_game(game=game, by=actor, reason="it doesn't")
    assert ledger(version).now == (0, 0)


def test_other_games_have_none(game, record):
    record(game)
    assert handicap_ledger(game) is None
    assert next_start(game.club, game.engine_rules, sides=[["Ann"], ["Bob"]]) == [0, 0]


# --- pages -----------------------------------------------------------------------------------------------


def test_a_new_game_starts_with_the_handicap_unless_the_players_say_otherwise(client_of, scorekeeper, played, club):
    played()
    url = reverse("game_new", args=[club.slug]) + "?game=fletcher-two-hand:2x1"
    client = client_of(scorekeeper)
    assert "Start with the handicap" in client.get(url).content.decode()
    typed = {"title": "Second", "name_0_0": "Bob", "name_1_0": "Ann"}
    client.post(url, {**typed, "token": str(uuid4()), "handicap": "on"})
    client.post(url, {**typed, "token": str(uuid4())})
    with_it, without = Game.objects.filter(title="Second")
    assert [side.start for side in with_it.sides.all()] == [8, 0]
    assert [side.start for side in without.sides.all()] == [0, 0]
    assert "started with 8" in client.get(with_it.get_absolute_url()).content.decode()


def test_the_page_shows_the_next_start_and_every_game(client_of, scorekeeper, played):
    game = played().deal.game
    card = client_of(scorekeeper).get(game.get_absolute_url()).content.decode()
    url = reverse("handicap", args=[game.club.slug, game.pk])
    assert url in card
    page = client_of(scorekeeper).get(url).content.decode()
    assert "How their next game starts" in page
    assert "0 : 8" in page


def test_a_correction_of_an_old_game_shows_what_it_does_to_the_handicap_and_asks(
    client_of, scorekeeper, started, played, record
):
    first = played()
    game = started(start=(0, 8))  # from the handicap that the first game left
    record(game, 1, ANN_WINS)
    second = record(game, 2, ANN_WINS)  # Bob has 26
    third = played(BOB_WINS, start=(90, 50))  # from another start all along
    client, url = client_of(scorekeeper), reverse("deal", args=["st-hilary", first.deal_id])
    typed = {
        "submission": str(uuid4()),
        "number": "1",
        "seen": "1",
        "reason": "Misread.",
        "bidder": "0",
        "bid": "20",
        "meld_0": "90",
        "meld_1": "30",
        "take_0": "20",
        "take_1": "5",
    }  # Bob had 85: no longer below 75
    answer = client.post(url, typed)
    assert answer.status_code == 422
    (sentence,) = answer.context["beyond"].sentences
    assert "Corner, 0 : 8 " in sentence
    assert "0 : 4" in sentence
    assert "2 later games" in sentence
    assert ledger(second).now == (0, 12)
    assert client.post(url, typed | {"sure": "on"}).status_code == 302
    assert ledger(third).now == (0, 8)
    rows = ledger(third).rows
    assert [(row.entry.game_id, row.before, row.played_from) for row in rows if row.other_start] == [
        (third.deal.game_id, (0, 12), (90, 50)),
        (second.deal.game_id, (0, 4), (0, 8)),
        (first.deal.game_id, (0, 0), (50, 50)),
    ]
    page = client.get(reverse("handicap", args=["st-hilary", first.deal.game_id])).content.decode()
    assert "played from 0 : 8" in page


def test_a_correction_that_leaves_the_handicap_asks_nothing(played, actor):
    first = played()
    played()
    facts = TwoHandDeal(bidder=0, bid=21, meld=(90, 4), take=(20, 5))
    assert not preview_consequences(first.deal.game, partial(corrected, first, facts, actor))


def test_a_game_without_a_handicap_has_no_such_page(client_of, scorekeeper, game):
    url = reverse("handicap", args=[game.club.slug, game.pk])
    assert client_of(scorekeeper).get(url).status_code == 404
    assert url not in client_of(scorekeeper).get(game.get_absolute_url()).content.decode()


@pytest.mark.parametrize("many", [1, 3])
def test_the_page_asks_the_database_no_more_for_more_games(
    many, client_of, scorekeeper, played, django_assert_max_num_queries
):
    for _number in range(many):
        game = played().deal.game
    client = client_of(scorekeeper)
    with django_assert_max_num_queries(9):
        assert client.get(reverse("handicap", args=[game.club.slug, game.pk])).status_code == 200


def test_a_claim_without_the_target_is_refused_and_stands_by_a_ruling(started, record):
    claim = TwoHandDeal(bidder=0, bid=24, meld=(14, 6), take=(12, 3), ending=TwoHandEnding.CLAIM, claimant=0)
    short = Problem("two-hand.claim-short", Severity.AGAINST_RULES, "claimant", named(total=149, target=150), 0)
    game = started(start=(123, 0))
    assert preview_deal(game, 1, facts=claim).problems == (short,)
    with pytest.raises(Refused) as refused:
        record(game, 1, claim)
    assert refused.value.problems == (short,)
    ruled = record(game, 1, claim, ruling="Both agreed.")
    assert ruled.overruled == ["two-hand.claim-short"]
    assert ruled.deal.game.state == Game.State.OPEN
    assert record(started(start=(124, 0)), 1, claim).deal.game.ended_by == "claim"


# --- kept on paper until now --------------------------------------------------------------------------------


def test_a_handicap_from_paper_starts_the_next_game_and_games_go_on_from_it(started, played, client_of, director, club):
    game = started("Bob", "Ann")
    page, url = client_of(director), reverse("handicap", args=[club.slug, game.pk])
    page.post(url, {"points_0": "12", "reason": "Our notebook"})
    page.post(url, {"points_0": "12", "reason": "Our notebook"})
    assert HandicapStart.objects.count() == 1
    said = page.get(url).content.decode()
    assert "Carried over from paper: 12 : 0, entered by" in said
    assert "Our notebook" in said
    assert next_start(club, game.engine_rules, sides=[["Ann"], ["Bob"]]) == [0, 12]
    entry = LogEntry.objects.get(verb="handicap.bring")
    assert (entry.old, entry.new) == ([0, 0], {"points": [0, 12], "reason": "Our notebook"})

    first = played()  # Ann wins, Bob has 59: below 75
    assert ledger(first).starts == (("Ann", 0), ("Bob", 20))
    second = played(BOB_WINS, start=(90, 50))
    assert [(row.before, row.after) for row in ledger(second).rows] == [((0, 20), (0, 16)), ((0, 12), (0, 20))]


def test_once_a_game_counts_nothing_is_brought(played, client_of, director, actor):
    version = played()
    game = version.deal.game
    url = reverse("handicap", args=[game.club.slug, game.pk])
    page = client_of(director)
    assert "Was it on paper until now?" not in page.get(url).content.decode()
    answer = page.post(url, {"points_0": "12", "reason": "Our notebook"}, follow=True)
    assert "their handicap is worked out from it" in answer.content.decode()
    assert not HandicapStart.objects.exists()
    void = {"by": actor, "submission": uuid4(), "seen": 1, "reason": "Misdealt."}
    mark_deal(deal=version.deal, state="void", **void)
    assert "Was it on paper until now?" in page.get(url).content.decode()
    bring_handicap(game=game, points=(8, 0), reason="Our notebook", by=actor)
    corrected(DealVersion.objects.get(deal=version.deal, current=True), ANN_WINS, actor)
    assert ledger(version).starts == (("Ann", 0), ("Bob", 0))  # eight come off Ann's


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ({"points_0": "4", "points_1": "8", "reason": "x"}, "Only one of the two can have a handicap"),
        ({"points_0": "4"}, "Say why."),
        ({"points_0": "-4", "reason": "x"}, "can&#x27;t be below zero"),
        ({"points_1": "150", "reason": "x"}, "A game is won with 150. Write less than that."),
    ],
)
def test_a_handicap_that_cannot_be_is_refused(started, client_of, director, figures, words):
    game = started()
    answer = client_of(director).post(reverse("handicap", args=[game.club.slug, game.pk]), figures)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not HandicapStart.objects.exists()


def test_a_game_without_a_handicap_brings_none(game, actor):
    with pytest.raises(ValueError, match="no handicap"):
        bring_handicap(game=game, points=(4, 0), reason="x", by=actor)
