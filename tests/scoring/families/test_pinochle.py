"""The form of a pinochle: melds by name beside totals, the auction, problems where the figures stand."""

from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError

from scoring.cards.submit import show_problems
from scoring.engine.families import rules_of
from scoring.engine.pinochle.melds import Meld, MeldKind, PlayerMelds, Suit
from scoring.engine.pinochle.partnership import Ending, PartnershipDeal, check
from scoring.families import PAGES
from scoring.families.pinochle import Bids

TYPED = {"number": "1", "bid_side": "0", "bid": "30", "take_0": "15", "take_1": "10", "last_trick": "0"}
NOBODY = PlayerMelds()


@pytest.fixture
def form_of(game):
    """A form as typed: a usual card without meld, and what is named."""

    def make(**typed):
        return form_for(game, typed)

    return make


def form_for(game, typed):
    data = {**TYPED, "submission": str(uuid4()), **typed}
    return PAGES[game.rules.family.slug].form(data, game=game, number=1)


def test_a_card_with_totals_alone_is_as_simple_as_ever(form_of):
    form = form_of(meld_0="10", meld_1="6")
    assert form.is_valid()
    facts = form.facts()
    assert (facts.meld, facts.counted, facts.trump, facts.dealer, facts.bids) == ((10, 6), (), None, None, ())
    assert form.counting_cache_key
    assert not form.is_rare_used()


def test_melds_by_name_make_the_total_and_marriages_in_trump_are_royal(form_of):
    form = form_of(trump="hearts", counted_0_run="1", counted_0_hearts="1", counted_3_clubs="2", counted_3_pinochle="1")
    assert form.is_valid(), form.errors
    facts = form.facts()
    assert facts.meld == ()
    assert facts.trump is Suit.HEARTS
    assert facts.counted == (
        PlayerMelds((Meld(MeldKind.RUN), Meld(MeldKind.ROYAL_MARRIAGE))),
        NOBODY,
        NOBODY,
        PlayerMelds((Meld(MeldKind.MARRIAGE, Suit.CLUBS, 2), Meld(MeldKind.PINOCHLE))),
    )
    assert not form.counting_cache_key


def test_totals_and_melds_may_both_stand(form_of):
    form = form_of(meld_0="15", meld_1="0", trump="clubs", counted_1_run="1")
    assert form.is_valid()
    assert (form.facts().meld, form.facts().counted[1]) == ((15, 0), PlayerMelds((Meld(MeldKind.RUN),)))


@pytest.mark.parametrize(
    ("typed", "missing"),
    [
        ({}, ["meld_0", "meld_1"]),
        ({"meld_0": "10"}, ["meld_1"]),
        ({"meld_0": "10", "trump": "clubs", "counted_1_run": "1"}, ["meld_1"]),
        ({"trump": "clubs"}, []),  # nobody melded
        ({"trump": "clubs", "meld_1": "4"}, ["meld_0"]),
        ({"trump": "clubs", "counted_1_run": "1"}, ["meld_1"]),  # forgotten, or nothing: 0 says it
        ({"trump": "clubs", "counted_1_run": "1", "meld_1": "0"}, []),
        ({"trump": "clubs", "counted_1_run": "1", "meld_1": "5"}, []),  # one counted, one written
        ({"trump": "clubs", "counted_1_run": "1", "meld_0": "15", "meld_1": "5"}, []),
        ({"trump": "clubs", "counted_1_run": "1", "meld_0": "10", "meld_1": "5"}, ["meld_0"]),  # the run makes 15
        ({"trump": "clubs", "counted_1_run": "1", "counted_2_aces": "1"}, []),
        ({"trump": "clubs", "counted_1_run": "1", "counted_2_aces": "1", "meld_0": "15"}, []),
    ],
)
def test_every_side_has_its_meld_unless_it_is_counted(form_of, typed, missing):
    assert sorted(form_of(**typed).errors) == missing


def test_melds_of_one_side_are_added_up_beside_a_side_that_melded_nothing(form_of):
    form = form_of(trump="clubs", counted_1_run="1", meld_1="0")
    assert form.is_valid()
    assert form.facts().meld == ()
    assert dict(form.field_values(form.facts()))["meld_1"] == 0
    assert "meld_0" not in form.field_values(form.facts())


@pytest.mark.parametrize("own", [{}, {"meld_0": "4"}])
def test_a_side_may_be_counted_beside_one_whose_figure_is_written(form_of, own):
    form = form_of(trump="spades", counted_0_spades="1", meld_1="20", **own)
    assert form.is_valid(), form.errors
    facts = form.facts()
    assert (facts.meld, facts.counted, facts.trump) == ((4, 20), (), Suit.SPADES)
    assert check(facts, form.rules) == ()


def test_trump_alone_beside_totals_counts_nothing(form_of):
    form = form_of(meld_0="10", meld_1="6", trump="spades")
    assert form.is_valid()
    assert (form.facts().trump, form.facts().counted) == (Suit.SPADES, ())


@pytest.mark.parametrize(
    ("typed", "calls"),
    [("", ()), ("15, pass, 17, 0, p", (15, 0, 17, 0, 0)), ("15 - 16;PASS  -\n-", (15, 0, 16, 0, 0, 0))],
)
def test_bids_as_people_type_them(typed, calls):
    assert Bids(required=False).clean(typed) == calls


@pytest.mark.parametrize("typed", ["fifteen", "15, -3", "1.5", "15 16 ?"])
def test_what_is_no_row_of_bids(typed):
    with pytest.raises(ValidationError, match="one after the other"):
        Bids(required=False).clean(typed)


def test_dealers_sit_round_the_table(form_of):
    form = form_of(meld_0="10", meld_1="6", dealer="3", bids="15, pass, 30, pass, pass")
    choices = dict(form.fields["dealer"].choices)
    assert [str(choices[seat]) for seat in range(4)] == ["Ann", "Cal", "Bob", "Dee"]
    assert form.is_valid()
    assert (form.facts().dealer, form.facts().bids) == (3, (15, 0, 30, 0, 0))
    assert check(form.facts(), form.rules) == ()
    assert form.is_rare_used()


def test_a_problem_stands_at_the_player_s_melds(form_of):
    form = form_of(trump="hearts", counted_2_aces="2", counted_2_kings="2", meld_0="0")
    assert form.is_valid()
    (problem,) = found = check(form.facts(), form.rules)
    assert form.problem_fields(problem) == ["counted_2_aces", "counted_2_kings"]
    show_problems(form, found)
    assert "counted_2_aces" in form.errors
    assert form.field_label("counted_2_aces") == "Aces around, Cal"


def test_a_problem_of_the_whole_pack_stands_at_all_melds(form_of):
    form = form_of(trump="hearts", counted_0_run="2", counted_3_hearts="1")
    assert form.is_valid()
    (problem,) = check(form.facts(), form.rules)
    assert form.problem_fields(problem) == ["counted_0_run", "counted_3_hearts"]


def test_a_missing_trump_is_asked_for(form_of):
    form = form_of(counted_0_run="1", meld_1="0")
    assert form.is_valid()
    (problem,) = check(form.facts(), form.rules)
    assert form.problem_fields(problem) == ["trump"]


def test_without_a_marriage_nothing_is_asked_for(game_of):
    form = form_for(
        game_of("double-deck-partnership-pinochle"), {"bid": "50", "take_0": "", "take_1": "", "ending": "no-marriage"}
    )
    assert form.is_valid(), form.errors
    assert (form.facts().ending, form.facts().meld, form.facts().take) == (Ending.NO_MARRIAGE, (), ())
    assert "counted_0_nine-of-trump" not in form.fields


def test_endings_are_those_of_the_rules(form_of):
    assert list(form_of(ending="no-marriage", meld_0="1", meld_1="2").errors) == ["ending"]


@pytest.mark.parametrize(
    ("ending", "bid_side", "other_side"),
    [
        (Ending.PLAYED, (24, 10, 35, 25, None), (None, 6, None, 0, "lost")),
        (Ending.RENEGE_BID_SIDE, (24, 10, 10, "renege", "failed"), (None, 6, None, "renege", None)),
        (Ending.RENEGE_OTHER_SIDE, (24, 10, 34, "renege", None), (None, 6, None, "renege", "failed")),
    ],
)
def test_a_row_of_the_card_marks_what_ended_the_deal_and_a_meld_that_is_lost(game, ending, bid_side, other_side):
    take = () if ending.thrown_in else (25, 0)
    facts = PartnershipDeal(bid_side=0, bid=24, meld=(10, 6), take=take, ending=ending)
    rules, family = game.engine_rules, game.rules.family
    columns, score = PAGES[family.slug].columns(rules), family.score(facts, rules)
    shown = [
        tuple(c if isinstance(c, int | None) else str(c) for c in columns.cells(facts, score, side=side))
        for side in (0, 1)
    ]
    assert shown == [bid_side, other_side]


def test_a_concession_stands_in_the_row_of_the_card(rules_for):
    rules = rules_for("double-deck-partnership-pinochle")
    engine_rules = rules_of(rules.rule_set)
    facts = PartnershipDeal(bid_side=0, bid=50, meld=(30, 20), ending=Ending.CONCEDED)
    columns, score = PAGES[rules.family.slug].columns(engine_rules), rules.family.score(facts, engine_rules)
    assert [str(cell) for cell in columns.cells(facts, score, side=0)] == ["50", "30", "30", "conceded", "failed"]
