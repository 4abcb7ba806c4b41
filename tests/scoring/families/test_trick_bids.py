"""The form of spades: what a nil needs, and what comes back of a recorded card."""

from uuid import uuid4

import pytest

from scoring.engine.trick_bids import TrickBidsDeal
from scoring.families.trick_bids import TrickBidsForm

pytestmark = pytest.mark.django_db


@pytest.fixture
def spades(game_of):
    return game_of("spades")


def form_of(game, bids, *tricks, **more):
    seats = zip(("bids0_0", "bids1_0", "bids0_1", "bids1_1"), bids, strict=True)
    typed = {"submission": str(uuid4()), "number": 1, **dict(seats), "tricks_0": tricks[0], "tricks_1": tricks[1]}
    return TrickBidsForm(typed | more, game=game)


def test_after_a_nil_an_empty_box_is_not_none(spades):
    form = form_of(spades, (4, 0, 3, 2), 8, 5)
    assert not form.is_valid()
    assert list(form.errors) == ["nil_tricks_0"]


@pytest.mark.parametrize(("took", "column"), [(0, (0, 0, 0, 0)), (2, (0, 2, 0, 0))])
def test_the_box_is_of_the_player_who_bid_nil(spades, took, column):
    form = form_of(spades, (4, 0, 3, 2), 8, 5, nil_tricks_0=took)
    assert form.is_valid()
    assert form.facts().nil_tricks == column


def test_where_both_bid_nil_the_box_is_of_the_first_and_the_rest_of_the_second(spades):
    form = form_of(spades, (0, 0, 5, 4), 3, 10, nil_tricks_0=1, blind1_0="on")
    assert form.is_valid()
    assert form.facts() == TrickBidsDeal(
        bids=(0, 0, 5, 4), tricks=(3, 10), nil_tricks=(1, 2, 0, 0), blind=(False, True, False, False)
    )
    assert "nil_tricks_0" in form_of(spades, (0, 0, 5, 4), 3, 10).errors


@pytest.mark.parametrize(
    "deal",
    [
        TrickBidsDeal(bids=(4, 3, 2, 1), tricks=(8, 5)),
        TrickBidsDeal(bids=(4, 0, 2, 1), tricks=(8, 5), nil_tricks=(0, 0, 0, 0)),
        TrickBidsDeal(bids=(0, 0, 0, 1), tricks=(8, 5), nil_tricks=(7, 1, 3, 0), blind=(True, False, False, False)),
    ],
)
def test_a_recorded_card_comes_back_from_the_form(spades, deal):
    values = TrickBidsForm(game=spades, number=1).field_values(deal)
    typed = {"submission": str(uuid4()), "number": 1, **{name: value for name, value in values.items() if value != ""}}
    form = TrickBidsForm({name: value for name, value in typed.items() if value is not False}, game=spades)
    assert form.is_valid(), form.errors
    assert form.facts() == deal
