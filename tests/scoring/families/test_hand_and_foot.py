"""The form of Hand and Foot: figures that the rules have, cards counted out, and the score before a deal."""

from uuid import uuid4

import pytest

from scoring.cards.deals import Refused, deal_problems, mark_deal, scores_before
from scoring.cards.queries import card_of, deal_versions, preview_deal
from scoring.engine.core.ledger import Problem, Severity, named
from scoring.engine.hand_and_foot.card import CardsLeft, CountedCards, HandAndFootDeal, RankMeld, SideCard
from scoring.engine.hand_and_foot.cards import side_totals
from scoring.families import PAGES
from scoring.families.deal_form import EnteredDeal

FORM = PAGES["hand-and-foot"].form


def typed(game, /, number="1", **more):
    data = {"submission": str(uuid4()), "number": number, "out": "-1", **more}
    return FORM(data, game=game, number=int(number))


def test_the_form_asks_only_for_what_the_rules_have(game_of):
    usual, knee, canasta = (typed(game_of(slug)).fields for slug in ("hand-and-foot", "hand-knee-and-foot", "canasta"))
    assert {"special_7_0", "special_5_1"} <= knee.keys()
    assert not {"special_7_0", "concealed", "perfect_0", "naturals_3_0"} & usual.keys()
    assert "concealed" in canasta
    helps = [str(typed(game_of(slug)).counting_help) for slug in ("hand-and-foot", "canasta")]
    assert ["rows at the end" in text for text in helps] == [True, False]
    assert [fields["dirty_0"].label for fields in (usual, canasta)] == ["Dirty piles", "Mixed canastas"]
    assert "wild_0" not in canasta
    assert "naturals_3_0" in canasta
    assert "rank_more1_0" not in canasta  # a side has one meld of a rank


def test_only_what_a_set_counts_has_its_place(game_of):
    modern, samba, burraco = (typed(game_of(slug)) for slug in ("canasta-modern-american", "canasta-samba", "burraco"))
    assert {
        "special_hand",
        "special_joker_0",
        "black_threes_1",
        "extra_three-held_0",
        "naturals_A_0",
    } <= modern.fields.keys()
    assert not {"red_threes_missed_0", "extra_pot_0", "rank_more1_0", "naturals_3_0"} & modern.fields.keys()
    assert {"special_sequence_0", "red_threes_missed_1"} <= samba.fields.keys()
    assert {"special_semi-clean_0", "extra_pot_1"} <= burraco.fields.keys()
    assert not {"red_threes_0", "wild_0", "concealed", "special_hand"} & burraco.fields.keys()
    for form in (samba, burraco):  # of a sequence nobody says which cards it has
        assert list(form.counting_blocks()) == []
        assert "naturals_A_0" not in form.fields
    assert [form.fields["clean_0"].label for form in (modern, burraco)] == ["Natural canastas", "Clean burracos"]


def test_a_special_hand_needs_no_other_figure_and_fills_the_form_again(game_of):
    game = game_of("canasta-modern-american")
    form = typed(game, out="0", special_hand="pairs", melded_1="300", left_1="120", **{"extra_three-held_1": "1"})
    assert form.is_valid(), form.errors
    facts = form.facts()
    assert (facts.special_hand, facts.sides[0].melded, facts.sides[1].extras) == ("pairs", 0, (0, 0, 0, 1))
    assert deal_problems(game, 1, facts=facts) == ()
    again = FORM(game=game, number=1, now=EnteredDeal(facts))
    assert (again["special_hand"].value(), again["extra_three-held_1"].value()) == ("pairs", 1)
    assert again.is_rare_used()


def test_a_pot_that_was_not_taken_is_noted_for_its_side(game_of):
    form = typed(
        game_of("burraco"), out="0", clean_0="1", melded_0="120", left_0="10", melded_1="60", left_1="130",
        **{"special_semi-clean_0": "1", "extra_pot_1": "1"},
    )  # fmt: skip
    assert form.is_valid(), form.errors
    first, second = form.facts().sides
    assert (first.special, first.extras, second.extras) == ((1,), (0,), (1,))


def test_figures_left_empty_are_left_to_the_cards(game_of):
    game = game_of("hand-and-foot")
    form = typed(
        game, naturals_K_0="7", naturals_6_0="5", twos_6_0="1", jokers_6_0="1", rank_more1_0="K", naturals_more1_0="3",
        **{"cards_8-K_0": "20", "cards_4-7_0": "18"}, left_1="600", melded_1="0", red_threes_0="1",
    )  # fmt: skip
    assert form.is_valid(), form.errors
    first, second = form.facts().sides
    assert first == SideCard(
        red_threes=1,
        counted=CountedCards(
            melds=(
                RankMeld(rank="K", naturals=7),
                RankMeld(rank="6", naturals=5, twos=1, jokers=1),
                RankMeld(rank="K", naturals=3),
            ),
            left=(CardsLeft(of="8-K", count=20), CardsLeft(of="4-7", count=18)),
        ),
    )
    assert (side_totals(first, game.engine_rules).melded, side_totals(first, game.engine_rules).clean) == (195, 1)
    assert second == SideCard(clean=0, dirty=0, wild=0, melded=0, left=600)


def test_points_that_are_neither_noted_nor_counted_are_asked_for(game_of):
    form = typed(game_of("hand-and-foot"), naturals_K_0="7", left_1="600")
    assert set(form.errors) == {"left_0", "melded_1"}
    assert form.errors.as_data()["left_0"][0].code == "required"


def test_a_meld_without_its_rank_is_asked_about(game_of):
    form = typed(game_of("hand-and-foot"), naturals_more1_1="3", melded_0="0", left_0="600", left_1="600")
    assert set(form.errors) == {"rank_more1_1"}


def test_recorded_cards_fill_the_form_again(game_of):
    """More melds than the form has rows for, cards left by rank, and special books beside their ranks."""
    game = game_of("hand-knee-and-foot")
    melds = tuple(RankMeld(rank="K", naturals=7) for _ in range(16))
    counted = CountedCards(melds=melds, left=(CardsLeft(of="Q", count=2), CardsLeft(of="8-K", count=1)))
    facts = HandAndFootDeal(
        sides=(SideCard(special=(1, 2), melded=90, left=300), SideCard(red_threes=2, counted=counted)), number=1
    )
    now = EnteredDeal(facts)
    shown = FORM(game=game, number=1, now=now)
    data = {name: value for name in shown.fields if (value := shown[name].value()) not in (None, False)}
    form = FORM(data | {"submission": str(uuid4())}, game=game, number=1, now=now)
    assert form.is_valid(), form.errors
    again = form.facts()
    assert again.sides[0].special == (1, 2)
    assert set(again.sides[1].counted.left) == set(counted.left)
    assert again.sides[1].counted.melds == melds


def test_a_problem_of_a_counted_rank_leads_to_its_row(game_of):
    form = typed(game_of("hand-and-foot"), naturals_K_0="8", naturals_Q_0="3", left_0="600", left_1="600", melded_1="0")
    size = Problem("hand-and-foot.counted-size", Severity.AGAINST_RULES, "counted", named(rank="K", cards=8), 0)
    dealt = Problem("hand-and-foot.counted-dealt", Severity.IMPOSSIBLE, "counted", named(dealt=52, counted=20), 0)
    assert form.problem_fields(size) == ["naturals_K_0"]
    assert form.problem_fields(dealt) == ["naturals_K_0", "naturals_Q_0"]
    pack = Problem("hand-and-foot.red-threes-pack", Severity.IMPOSSIBLE, "red_threes", named(most=10, written=11))
    assert form.problem_fields(pack) == ["red_threes_0", "red_threes_1"]


def test_where_it_goes_by_the_score_the_deals_before_say_it(game_of, record, actor):
    game = game_of("canasta")
    figures = {"clean_0": "1", "melded_0": "400", "left_0": "50", "melded_1": "0", "left_1": "200", "red_threes_1": "1"}
    first = typed(game, **figures)
    assert first.is_valid()
    version = record(game, 1, first.facts())
    poor = typed(game, "2", melded_0="35", left_0="200", melded_1="35", left_1="200")
    assert poor.is_valid()
    facts = poor.facts()
    assert scores_before(game, 2) == (850, -300)

    def short():
        """The sides whose first meld is short at this place, and what it needs."""
        problems = deal_problems(game, 2, facts=facts)
        assert problems == preview_deal(game, 2, facts=facts).problems
        return [(p.side, dict(p.args)["least"]) for p in problems if p.code == "hand-and-foot.first-meld"]

    assert short() == [(0, 50)]
    with pytest.raises(Refused):
        record(game, 2, facts)
    mark_deal(deal=version.deal, state="void", by=actor, submission=uuid4(), seen=1, reason="Misdealt.")
    assert short() == [(0, 50), (1, 50)]  # both begin with zero again


def test_what_a_ruling_set_aside_by_the_score_is_told_again(game_of, record):
    game = game_of("canasta")
    rich = typed(game, clean_0="1", melded_0="400", left_0="50", melded_1="0", left_1="200")
    poor = typed(game, "2", melded_0="35", left_0="200", melded_1="0", left_1="200")
    assert rich.is_valid()
    assert poor.is_valid()
    record(game, 1, rich.facts())
    version = record(game, 2, poor.facts(), ruling="They showed it.")
    said = [card_of(game).deals[1].overruled, deal_versions(version.deal)[0].overruled]
    assert said[0] == said[1] != ()
    assert "50" in said[0][0]
