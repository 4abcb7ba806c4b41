"""The figures that the advice page shows are those of trying each format, and what it promises holds when played."""

from random import Random

import pytest

from lab.simulation.advice import COUNT_LARGE, cases, try_case, way_of, write
from lab.simulation.formats import USUAL, skills
from tournaments.advice import SHIPPED, offers, shipped
from tournaments.models import Event

OUT_IN_TURN = {  # fewer play in later rounds
    Event.Format.KNOCK_OUT,
    Event.Format.DOUBLE_KNOCK_OUT,
    Event.Format.OUT_AFTER,
    Event.Format.CONTEST,
    Event.Format.GROUPS,
}
SEARCHED = 20  # people in a Swiss, at most, so that nobody waits


@pytest.mark.parametrize("people", [4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 17, 18, 22, 24, 27, 33, 54])
@pytest.mark.parametrize("rounds", [1, 4, 9])
def test_what_is_promised_of_a_format_holds_when_it_is_played(people, rounds):
    for offer in offers(people, rounds=rounds):
        if offer.format == Event.Format.SWISS and people > SEARCHED:
            continue
        event = way_of(offer, people, seed=1).play(skills(range(1, people + 1), Random(2)), USUAL, rng=Random(3))
        games = [sum(person in one.seated for one in event.rounds) for person in range(1, people + 1 - offer.over)]
        what = f"{offer.format} of {people}, {rounds} rounds"
        assert not event.refused, what
        assert len(event.rounds) <= offer.rounds <= rounds, what
        assert offer.games[0] <= min(games) <= max(games) <= offer.games[1], what
        if offer.format not in OUT_IN_TURN:
            assert {len(one.sit_outs) for one in event.rounds} == {offer.sit_outs}, what
            assert max(len(one.tables) for one in event.rounds) == offer.tables, what


def test_figures_are_shipped_for_every_case_that_is_tried():
    assert [(tried.kind, tried.people, tried.rounds) for tried in shipped()] == sorted(cases()), (
        "make them anew: ./dev lab simulate figures"
    )
    assert min(tried.events for tried in shipped()) >= COUNT_LARGE


@pytest.mark.parametrize("case", [("single-table", 4, 3), ("round-robin", 8, 3), ("contest", 9, 2), ("rotation", 8, 3)])
def test_the_figures_shipped_are_those_that_trying_gives(case, tmp_path):
    assert try_case(case) in shipped()
    write(shipped(), file := tmp_path / "figures.json")
    assert file.read_text() == SHIPPED.read_text()
