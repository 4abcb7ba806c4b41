"""Corners of cuts, constructions and formats that whole events seldom come to."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from tests.engine_tournaments.test_cut import ANN, BEA, POINTS, said, six
from tests.engine_tournaments.test_formats import pairs, played_out, singles
from tournaments.engine.constructions import array, field_of
from tournaments.engine.contest import contest_draw
from tournaments.engine.cut import CutRule, propose_cut, rule_for
from tournaments.engine.format_trial import ByFormat, Figures, tried
from tournaments.engine.formats import Field, FormatRefused, options_of
from tournaments.engine.formats.knock_out import KnockOut
from tournaments.engine.formats.ladder import Ladder
from tournaments.engine.formats.single_table import SingleTable
from tournaments.engine.formats.team_match import TeamMatch


def test_a_cut_over_all_has_no_sections():
    assert rule_for("overall", 18, 9) == CutRule("overall", 18)


def test_the_best_two_of_a_group_are_named_by_their_place():
    cut = propose_cut(six(300, 280, 250, 90, 100, 40), rule=CutRule("group", 2), chain=POINTS)
    assert said(cut, ANN)[1] == "cut.group-winner"
    assert said(cut, BEA) == (True, "cut.group-top", {"table": 1, "group": 1, "place": 2, "on": "points"})


def test_of_a_stranger_nothing_is_decided():
    cut = propose_cut(six(1, 2, 3, 4, 5, 6), rule=CutRule("overall", 2), chain=POINTS)
    with pytest.raises(KeyError):
        cut.decision(99)


def test_a_seeded_draw_needs_the_entries_themselves():
    with pytest.raises(ValueError, match="ranked"):
        contest_draw(range(1, 13), seed=1, ranked=range(2, 14))


def test_a_seeded_draw_keeps_people_apart_within_their_pots():
    """Twelve in four groups of three: each has one of the best four, whoever met before."""
    met = [(1, 5, 9), (2, 6, 10), (3, 7, 11), (4, 8, 12)]
    tables = contest_draw(range(1, 13), seed=1, ranked=range(1, 13), apart=met)
    groups = [set(group) for table in tables for group in table.groups]
    assert len(groups) == 4
    for pot in (range(1, 5), range(5, 9), range(9, 13)):
        assert all(len(group & set(pot)) == 1 for group in groups)


def test_there_is_no_field_of_one_and_none_of_six():
    assert field_of(1) is None
    assert field_of(6) is None
    assert field_of(4) is not None


def test_an_array_that_there_is_not_is_given_up():
    """Five columns whose differences are all distinct need more than four tables; for ten the search is cut off."""
    assert array(4, 5) is None
    assert array(10, 10) is None


def test_the_options_of_a_format_are_named_in_order():
    assert [one.name for one in options_of(KnockOut)] == ["consolation", "third", "level"]


def test_a_ladder_may_begin_in_the_order_of_entry():
    first = Ladder(first_by_lot=False).next_round(Field(singles(5)), [], 1)
    assert first.tables == (((1,), (2,)), ((3,), (4,)))
    assert first.sit_outs == (5,)


def test_one_table_takes_whole_sides_only():
    with pytest.raises(FormatRefused, match=r"format\.size"):
        SingleTable(per_side=2).next_round(Field(singles(5)), [], 1)


def test_a_match_needs_somebody_of_either_club():
    field = Field(pairs(2), absent=frozenset({1}), clubs=(1, 2))
    with pytest.raises(FormatRefused, match=r"format\.too-few"):
        TeamMatch().next_round(field, [], 1)


@pytest.mark.parametrize("third", [True, False])
@pytest.mark.parametrize("consolation", [True, False])
def test_a_knock_out_that_people_leave_seats_nobody_twice_and_orders_all(third: bool, consolation: bool):
    rng, form = Random(f"{third}{consolation}"), KnockOut(third=third, consolation=consolation)
    for count in range(2, 18):
        field, played = Field(singles(count)), []
        while not form.over(field, played):
            drawn = form.next_round(field, played, 1)
            seated = [person for table in drawn.tables for side in table for person in side]
            assert len(seated) == len(set(seated))
            played.append(played_out(drawn, rng, ties=False))
            reached = form.reached(field, played)
            assert set(reached) == set(field.teams)
            if rng.random() < 0.4:
                field = Field(field.teams, absent=field.absent | {rng.randrange(1, count + 1)})
        order = sorted(form.reached(field, played).values())
        assert order[-2] < order[-1]  # one has won


def test_figures_are_averages_for_an_event_or_for_a_person_and_event():
    told = Figures(events=2, people=3, games=12, fewest=3, sit_outs=6)
    assert (told.games_each, told.fewest_games, told.sit_outs_each) == (2, Fraction(3, 2), 1)
    assert (Figures().games_each, Figures().fewest_games) == (0, 0)


def test_a_match_of_two_clubs_is_tried_with_as_many_sides_of_each():
    told = tried(ByFormat(TeamMatch(rounds=2), ("points",)), 8, count=3, seed=1)
    assert (told.events, told.refused, told.rounds) == (3, 0, 6)
