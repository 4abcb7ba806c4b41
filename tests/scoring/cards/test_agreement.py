"""The sides agree to what one of them wrote, or say what it should be; a card agreed whole is signed."""

from uuid import uuid4

import pytest

from clubsite.accounts.models import Actor, Club, LogEntry
from scoring.cards.deals import (
    MAX_OBJECTION,
    NotAsked,
    Objection,
    Refused,
    Signed,
    Superseded,
    TableMayNotCorrect,
    agree,
    correct_deal,
    dispute,
    end_game,
    mark_deal,
    record_deal,
    sides_asked,
)
from scoring.cards.queries import card_of
from scoring.families.deal_form import EnteredDeal
from scoring.models import Agreement, DealVersion, Game
from tests.scoring.conftest import IMPOSSIBLE, a_deal, as_typed

ANN, CAL = (Actor(user=None, name="Table 3", route="table", side=side) for side in (0, 1))
NOBODY_SAID = Actor(user=None, name="Table 3", route="table")
Agreement_ = Club.Agreement


def ask(game, rule):
    Club.objects.filter(pk=game.club_id).update(agreement=rule)
    return Game.objects.select_related("club", "rules").get(pk=game.pk)


def entered(game, by=ANN, number=1, facts=None):
    facts = facts or a_deal()
    return record_deal(game=game, number=number, entered=EnteredDeal(facts, sure=True), by=by, submission=uuid4()).deal


def says_yes(deal, by, seen=1, side=None):
    chosen = by.side if side is None else side
    assert chosen is not None
    return agree(deal=deal, side=chosen, by=by, submission=uuid4(), seen=seen)


def corrected(deal, by, seen=1, **more):
    facts = more.pop("facts", a_deal(meld=(9, 6)))
    stated = EnteredDeal(facts, sure=True, ruling=more.pop("ruling", ""))
    made = {"submission": uuid4(), "reason": "misread", **more}
    return correct_deal(deal=deal, entered=stated, by=by, seen=seen, **made)


def state(deal):
    return deal.versions.get(current=True).state


def test_by_one_the_side_that_did_not_write_it_is_asked(game):
    deal = entered(ask(game, Agreement_.ONE))
    with pytest.raises(NotAsked):
        says_yes(deal, ANN)
    assert state(deal) == "entered"
    assert says_yes(deal, CAL).state == "agreed"
    assert Agreement.objects.filter(version__deal=deal, version__current=True).get().side == 1
    assert [entry.verb for entry in LogEntry.objects.order_by("pk")][-2:] == ["deal.agree", "deal.agreed"]


def test_by_both_each_side_is_asked_in_any_order(game):
    deal = entered(ask(game, Agreement_.BOTH))
    assert says_yes(deal, CAL).state == "entered"
    assert says_yes(deal, ANN).state == "agreed"
    assert [row.side for row in deal.versions.get(current=True).agreements.all()] == [0, 1]


def test_by_none_nobody_is_asked_and_no_card_is_ever_signed(game, record, actor):
    game = ask(game, Agreement_.NONE)
    deal = entered(game)
    with pytest.raises(NotAsked):
        says_yes(deal, CAL)
    mark_deal(deal=deal, state="agreed", by=actor, submission=uuid4(), seen=1)
    end_game(game=game, by=actor, reason="time")
    assert not card_of(Game.objects.get(pk=game.pk)).signed
    assert corrected(deal, actor, seen=2).state == "entered"


def test_where_nobody_said_who_wrote_it_any_one_side_does(game):
    deal = entered(ask(game, Agreement_.ONE), NOBODY_SAID)
    assert says_yes(deal, NOBODY_SAID, side=0).state == "agreed"


@pytest.mark.parametrize("agreed", [(), (0,), (0, 1)])
def test_three_sides_and_what_was_disputed_need_every_side(agreed):
    rest = tuple(side for side in range(3) if side not in agreed)
    both, none = (Game(club=Club(agreement=rule), sides_count=3) for rule in (Agreement_.BOTH, Agreement_.NONE))
    assert sides_asked(DealVersion(entered_side=0), both, agreed=agreed) == rest
    assert sides_asked(DealVersion(entered_side=0, state="disputed"), none, agreed=agreed) == rest


def test_a_tap_sent_twice_agrees_once(game):
    deal = entered(ask(game, Agreement_.ONE))
    for _tap in range(2):
        assert says_yes(deal, CAL).number == 2
    assert deal.versions.count() == 2
    assert LogEntry.objects.filter(verb="deal.agree").count() == 1


def test_a_correction_is_asked_about_anew(game):
    deal = entered(ask(game, Agreement_.BOTH))
    says_yes(deal, ANN)
    assert corrected(deal, ANN).state == "entered"
    with pytest.raises(Superseded):
        says_yes(deal, CAL, seen=1)
    assert says_yes(deal, CAL, seen=2).state == "entered"
    assert says_yes(deal, ANN, seen=2).state == "agreed"


def test_a_dispute_keeps_what_they_say_and_the_deal_counts_as_it_stands(game):
    game = ask(game, Agreement_.ONE)
    deal = entered(game)
    version = dispute(
        deal=deal, side=1, by=CAL, submission=uuid4(), seen=1, objection=Objection("we had the run", points=(25, 31))
    )
    assert (version.state, version.entered_side) == ("disputed", 0)
    assert version.reason == "Cal & Dee: 31, Ann & Bob 25 · we had the run"
    assert [side.total for side in game.sides.all()] == [25, 16]
    assert card_of(game).deals[0].asked == (0, 1)
    assert says_yes(deal, CAL, seen=2).state == "disputed"
    assert says_yes(deal, ANN, seen=2).state == "agreed"


@pytest.mark.parametrize("letters", [28, 60, 150])
def test_what_a_side_of_long_names_says_is_kept_whole(game, letters):
    for number, side in enumerate(game.sides.all()):
        side.names = [f"{number}".ljust(letters, letter) for letter in "nm"]
        side.save()
    deal, says = entered(ask(game, Agreement_.ONE)), "the run was in spades, and we said so. ".ljust(MAX_OBJECTION, ".")
    objection = Objection(says, points=(-1250, 31))
    version = dispute(deal=deal, side=1, by=CAL, submission=uuid4(), seen=1, objection=objection)
    assert version.reason.startswith("1nnnnn")
    assert version.reason.endswith(f"−1,250 · 31 · {says}")
    assert len(version.reason) <= 200


def test_the_director_settles_a_dispute(game, actor):
    deal = entered(ask(game, Agreement_.ONE))
    dispute(deal=deal, side=1, by=CAL, submission=uuid4(), seen=1, objection=Objection("no"))
    mark_deal(deal=deal, state="agreed", by=actor, submission=uuid4(), seen=2)
    assert state(deal) == "agreed"


def test_a_table_corrects_its_own_last_deal_until_another_side_agrees(game):
    game = ask(game, Agreement_.BOTH)
    deal = entered(game)
    says_yes(deal, ANN)
    assert corrected(deal, ANN).number == 2  # its own side's word doesn't bind it
    says_yes(deal, CAL, seen=2)
    with pytest.raises(TableMayNotCorrect):
        corrected(deal, ANN, seen=2)
    later = entered(game, number=2)
    with pytest.raises(TableMayNotCorrect):
        corrected(deal, ANN, seen=2)
    assert corrected(later, CAL).number == 2


def test_a_table_corrects_no_deal_that_the_desk_entered_or_put_right(game, record, actor):
    from_paper = record(ask(game, Agreement_.ONE)).deal
    with pytest.raises(TableMayNotCorrect):
        corrected(from_paper, ANN)
    deal = entered(game, number=2)
    corrected(deal, actor)
    with pytest.raises(TableMayNotCorrect):
        corrected(deal, ANN, seen=2)


def test_a_ruling_is_never_given_at_a_table(game):
    with pytest.raises(Refused):
        record_deal(game=game, number=1, entered=EnteredDeal(IMPOSSIBLE, ruling="because"), by=ANN, submission=uuid4())
    deal = entered(game)
    with pytest.raises(Refused):
        corrected(deal, ANN, facts=IMPOSSIBLE, ruling="because")


@pytest.fixture
def signed(game, actor):
    """A finished game of one deal, to which the other side has agreed."""
    game = ask(game, Agreement_.ONE)
    says_yes(entered(game), CAL)
    return end_game(game=game, by=actor, reason="time")


def test_a_signed_card_is_changed_by_the_director_alone(signed, scorekeeper, director):
    deal = signed.deals.get()
    assert card_of(signed).signed
    for by in (Actor(user=scorekeeper, name="Sam"), CAL):
        with pytest.raises(Signed):
            corrected(deal, by, seen=2)
        with pytest.raises(Signed):
            mark_deal(deal=deal, state="disputed", by=by, submission=uuid4(), seen=2)
        with pytest.raises(Signed):
            dispute(deal=deal, side=1, by=by, submission=uuid4(), seen=2, objection=Objection("no"))
    assert corrected(deal, Actor(user=director, name="Dora", director=True), seen=2).number == 3


def test_the_pages_of_a_signed_card_say_who_may_change_it(signed, client_of, scorekeeper, director):
    deal = signed.deals.get()
    page = f"/st-hilary/deals/{deal.pk}/"
    scorer, desk = client_of(scorekeeper), client_of(director)
    for url in (page, f"/st-hilary/games/{signed.pk}/"):
        assert "Only a director can change this card now." in scorer.get(url).content.decode()
    assert "Save the correction" not in scorer.get(page).content.decode()
    assert "Cal &amp; Dee: “That's right”." in scorer.get(page).content.decode()
    typed = as_typed(a_deal(meld=(9, 6)), seen=2, reason="misread", sure="on")
    assert "only a director can change it" in scorer.post(page, typed).content.decode()
    marked = scorer.post(f"{page}mark/", {"submission": uuid4(), "seen": 2, "state": "disputed"}, follow=True)
    assert "only a director can change it" in marked.content.decode()
    assert state(deal) == "agreed"
    assert desk.post(page, {**typed, "submission": uuid4()}).status_code == 302
    assert state(deal) == "entered"
    assert "Only a director can change this card now." not in scorer.get(page).content.decode()


def test_a_card_is_not_signed_before_its_game_is_over(game):
    game = ask(game, Agreement_.ONE)
    says_yes(entered(game), CAL)
    assert not card_of(game).signed
