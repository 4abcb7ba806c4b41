"""Contests played on the engines alone: they end, their cuts hold, and kept standings are those counted afresh."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.simulation.contests import (
    FIFTY_FOUR,
    Card,
    Cards,
    Chances,
    ContestFindings,
    ContestSeating,
    Kept,
    TrialStage,
    afresh,
    play_contest,
    try_contest,
)
from lab.simulation.skill_and_luck import USUAL, skills
from tests.examples import examples

PEOPLE = range(1, 10)


@st.composite
def games(draw: st.DrawFn) -> list[tuple[Card, tuple[int, ...], tuple[int, ...] | None]]:
    """Games of groups of three or of two sides, with the points as written, and as corrected later."""
    played = []
    for _game in range(draw(st.integers(1, 12))):
        people = draw(st.permutations(PEOPLE))
        card: Card = draw(
            st.sampled_from([tuple((p,) for p in people[:3]), ((people[0], people[1]), (people[2], people[3]))])
        )
        points = st.tuples(*[st.integers(-3, 3)] * len(card))
        played.append((card, draw(points), draw(st.none() | points)))
    return played


@examples(60)
@given(games())
def test_standings_kept_up_card_by_card_are_those_counted_from_all_cards(
    played: list[tuple[Card, tuple[int, ...], tuple[int, ...] | None]],
) -> None:
    kept, cards = Kept(), Cards()
    for number, (card, written, _right) in enumerate(played):
        kept.add(number, card, points=written)
        cards[number] = (card, written)
    for number, (card, written, right) in enumerate(played):
        if right is not None:
            kept.add(number, card, points=written, times=-1)
            kept.add(number, card, points=right)
            cards[number] = (card, right)
    met = [[one for one in result.encounters if one.games] for result in kept.results(PEOPLE)]
    assert met == [list(result.encounters) for result in afresh(cards, PEOPLE)]
    assert kept.results(PEOPLE) == afresh(cards, PEOPLE)


def test_a_correction_that_forgets_to_take_the_old_points_back_would_be_seen() -> None:
    kept, card = Kept(), ((1,), (2,), (3,))
    kept.add(0, card, points=(5, 2, 1))
    kept.add(0, card, points=(5, 1, 2))
    assert kept.results(range(1, 4)) != afresh({0: (card, (5, 1, 2))}, range(1, 4))


def test_troubled_contests_of_54_end_with_sound_cuts_and_standings_that_agree() -> None:
    told = sum((try_contest(3, number) for number in range(12)), start=ContestFindings())
    assert told.clean
    assert told.contests == 12
    assert told.compared == 2 * 3 * 12  # in the middle and at the end of each stage
    assert told.games == 12 * 4 * 2 * (9 + 3 + 1)  # four games in two groups at each table: all places were filled
    assert min(told.ties, told.play_offs, told.withdrawn, told.barred, told.called_up, told.corrected) > 0


def test_a_contest_depends_on_its_seed_and_number_alone() -> None:
    told = [try_contest(1, number) for number in (4, 5, 4)]
    assert told[0] == told[2] != told[1]


def test_contests_with_anything_wrong_are_named() -> None:
    told = (
        ContestFindings(contests=1)
        + ContestFindings(contests=1, differ=1, worst=(7,))
        + ContestFindings(contests=1, broken=1, worst=(9,))
    )
    assert (told.contests, told.clean, told.worst) == (3, False, (7, 9))


@pytest.mark.parametrize(
    ("parts", "seating"),
    [
        ((TrialStage(36, 2, "group", 12), TrialStage(12, 2, "table", 6), TrialStage(6, 2)), ContestSeating()),
        ((TrialStage(24, 1, "table", 12), TrialStage(12, 1, "overall", 6), TrialStage(6, 1)), ContestSeating(6, 6, 2)),
        ((TrialStage(16, 3, "table", 8), TrialStage(8, 3, "table", 4), TrialStage(4, 3)), ContestSeating(4, 2, 2)),
    ],
)
def test_other_numbers_and_shapes_of_games_end_too(parts: tuple[TrialStage, ...], seating: ContestSeating) -> None:
    told = sum((try_contest(1, number, parts=parts, seating=seating) for number in range(5)), start=ContestFindings())
    assert told.clean
    assert told.contests == 5


def test_the_order_of_a_contest_is_that_of_its_final_table() -> None:
    people = range(1, 55)
    played = play_contest(
        FIFTY_FOUR, ContestSeating(), chances=Chances(skills(people, Random(1)), USUAL, Random(2)), chain=("points",)
    )
    assert len(set(played.order)) == 6
    assert set(played.order) == set(played.rounds[-1].seated)
    assert [len(one.tables) for one in played.rounds] == [18] * 4 + [6] * 4 + [2] * 4
