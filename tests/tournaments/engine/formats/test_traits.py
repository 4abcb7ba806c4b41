"""What is true of a format by itself, and of matches that ended level or no longer follow from those before."""

from dataclasses import replace
from random import Random

import pytest

from tests.tournaments.engine.formats.test_formats import pairs, played_out
from tournaments.engine.formats import Field, FormatRefused, PlayedRound, PlayedTable
from tournaments.engine.formats.base import ContestTraits, RotationTraits
from tournaments.engine.formats.knock_out import KnockOut
from tournaments.engine.formats.pairings import RoundRobin, Rungs
from tournaments.engine.formats.tables import SingleTable
from tournaments.engine.ranking import lot


def test_people_are_known_by_their_numbers_where_they_have_one():
    field = Field(pairs(2), numbers={1: 17})
    assert [field.number_of(person) for person in (1, 2)] == [17, 2]


def test_a_format_that_follows_from_who_is_there_has_no_rematch_no_lots_and_no_round_out_of_place():
    field, form = Field(((1,), (2,), (3,), (4,))), SingleTable()
    assert form.find_misplaced(field, []) is None
    assert form.rounds_without_rematch(field, []) == (0, 0)
    assert form.reached(field, []) == {}
    assert form.sides_out(field, []) == frozenset()
    assert form.count_losses(field, []) == {}
    assert form.bye_half_wins == 0
    assert not form.lots_settle
    assert not RoundRobin().lots_settle


@pytest.mark.parametrize(
    ("kind", "shape", "fits"),
    [
        (ContestTraits, (3, 1), True),
        (ContestTraits, (2, 2), True),
        (RotationTraits, (2, 2), True),
        (RotationTraits, (2, 1), False),
        (RotationTraits, (3, 1), False),
        (KnockOut, (2, 1), True),
        (KnockOut, (3, 1), False),
    ],
)
def test_which_games_a_format_takes(kind, shape, fits):
    assert kind.fits(*shape) is fits


@pytest.mark.parametrize(
    ("kind", "gives"), [(RoundRobin, True), (RotationTraits, False), (KnockOut, False), (Rungs, False)]
)
def test_which_formats_are_matches_that_may_give_points_by_results(kind, gives):
    assert kind.gives_result_points() is gives


@pytest.mark.parametrize(
    ("kind", "options", "stay"),
    [
        (RotationTraits, {}, False),
        (KnockOut, {}, True),
        (SingleTable, {"partners": "stay"}, True),
        (SingleTable, {"partners": "change"}, False),
    ],
)
def test_where_the_same_people_score_together_all_along(kind, options, stay):
    assert kind.sides_stay(options) is stay


@pytest.mark.parametrize("seed", range(6))
def test_a_level_match_goes_by_the_lots_of_the_sides_lowest_numbers(seed):
    form, field = KnockOut(level="lots", consolation=False, third=False), Field(pairs(4), numbers={1: 31, 2: 9})
    first = form.next_round(field, [], seed=1)
    other = next(table for table in first.tables if (1, 2) not in table)
    met = next(table for table in first.tables if (1, 2) in table)
    level = PlayedTable(met, (50, 50), (1, 1))
    played = PlayedRound((level, PlayedTable(other, (60, 40), (2, 0))), lots_seed=seed)
    (final,) = form.next_round(field, [played], seed=1).tables
    number = {(1, 2): 9, **{side: min(side) for side in met if side != (1, 2)}}
    winner = min(met, key=lambda side: lot(seed, number[side]))
    assert {frozenset(side) for side in final} == {frozenset(winner), frozenset(other[0])}


def test_a_round_with_the_wrong_sides_is_named_and_stops_the_next():
    form, field = KnockOut(consolation=False, third=False), Field(pairs(8))
    first = played_out(form.next_round(field, [], seed=1), Random(1), best=True)
    second = played_out(form.next_round(field, [first], seed=1), Random(1), best=True)
    turned = replace(first.tables[0], points=first.tables[0].points[::-1], half_wins=first.tables[0].half_wins[::-1])
    corrected = [replace(first, tables=(turned, *first.tables[1:])), second]
    wrong = form.find_misplaced(field, corrected)
    assert wrong.round == 2
    assert {side for match in wrong.due for side in match} != {side for match in wrong.seated for side in match}
    with pytest.raises(FormatRefused, match="misplaced"):
        form.next_round(field, corrected, seed=1)
