"""A random director does anything at any time, and what must be true of an event holds after every step."""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from clubsite.accounts.models import Club
from lab.simulation.sequences import BY, FORMATS, MATCHES, TriedSequences, make_director, try_sequence
from lab.simulation.truths import Truths, no_way_back
from tests.examples import as_proof
from tournaments.draws.by_format import WalkoverPoints, format_of, walkover_points
from tournaments.engine.formats.pairings import circle_round
from tournaments.engine.ranking import build_chain
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.handicaps import newest_points
from tournaments.standings.standings import Row

pytestmark = pytest.mark.django_db

SEQUENCES = 40
PAIRINGS = "engine.formats.pairings"


class AnyDirector(RuleBasedStateMachine):
    """One event from its list of names on; Hypothesis makes every choice, and the shortest sequence that fails."""

    def __init__(self):
        super().__init__()
        self._transaction = transaction.atomic()
        self._transaction.__enter__()

    @initialize(data=st.data(), format=st.sampled_from(sorted(set(FORMATS))))
    def make(self, data, format):
        self.director = make_director(Club.objects.get(), self._choices(data), format=format)
        self.truths = Truths(self.director.event)

    @rule(data=st.data())
    def step(self, data):
        self.director.choose = self._choices(data)
        name, outcome = self.director.step()
        if (outcome == "done" or name in self.director.composed) and (found := self.truths.broken()):
            raise AssertionError("\n".join(found))

    def teardown(self):
        try:
            if hasattr(self, "director"):
                self.director.event.refresh_from_db()
                if found := no_way_back(self.director.event, BY):
                    raise AssertionError("\n".join(found))
        finally:
            transaction.set_rollback(True)
            self._transaction.__exit__(None, None, None)

    @staticmethod
    def _choices(data):
        return lambda below: data.draw(st.integers(0, below - 1))


@pytest.mark.proof  # the shortest sequences, in which everybody has no points, take a minute by themselves
def test_nothing_breaks_whatever_a_director_does(club, tried):
    tried(SEQUENCES)
    run_state_machine_as_test(
        AnyDirector,
        settings=settings(
            max_examples=SEQUENCES, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


@pytest.mark.proof
def test_nothing_breaks_in_sequences_that_are_always_the_same(club, tried):
    sequences = 200
    came = TriedSequences()
    for seed in range(1, 1 + sequences):
        came += try_sequence(seed, steps=15)
    assert came.broken == []
    assert came.sequences == sequences
    assert sum(came.steps.values()) == 15 * sequences
    assert Club.objects.get().events.count() == 0
    tried(sequences)


THREE_HUNDREDS = [as_proof([range(first, first + 300)]) for first in range(1, 3001, 300)]  # in parts, for all cores


@pytest.mark.parametrize("seeds", [(1, 2, 1816), *THREE_HUNDREDS], ids=str)
def test_matches_of_sides_and_nights_of_couples_are_right_whatever_a_director_does(club, seeds, tried):
    """Walkovers, sides that leave, late tables and fixed sides: places, sums and matches, counted from the deals."""
    came = TriedSequences()
    for seed in seeds:
        came += try_sequence(seed, steps=25, formats=MATCHES)
    assert came.broken == []
    assert came.sequences == len(seeds)
    tried(len(seeds))


def _nothing_lost(*args):
    return walkover_points(*args)._replace(lost=0)


def _highest_first(slugs, **_others):
    return build_chain(slugs)


def _all_deals(*args, before=None, **named):
    return newest_points(*args, **named)


def _worst(result):
    form, groups = format_of(result.event), grouped((row["in_group"][0], row) for row in result.rows)
    return [[Row.from_data(row) for row in own[-form.advance :]] for own in groups.values()]


def _everybody(_self, field, _played):
    return list(field.present)


def _no_close(*_args, **_named):
    raise StepRefused("no")


def _seven_points(*_of):
    return WalkoverPoints(7, 0)


def _always_the_first_round(_self, field, _played):
    return [circle_round(field.teams, 0).tables]


def _everybody_alone(event, _drawn):
    return [(entry,) for entry in event.entries.all()]


@pytest.mark.daily(2)
@pytest.mark.parametrize(
    ("format", "seed", "steps", "where", "fault", "found"),
    [
        ("round-robin", 6, 4, "standings.standings.walkover_points", _seven_points, "walkover_credit"),
        ("round-robin", 4, 7, f"{PAIRINGS}.RoundRobin._plan_by_circle", _always_the_first_round, "times before"),
        ("team-match", 4, 1, "standings.standings._sides", _everybody_alone, "there are lines of"),
        ("round-robin", 18, 7, "standings.standings.walkover_points", _nothing_lost, "forfeit_credit"),
        ("rotation", 6, 8, "standings.standings.build_chain", _highest_first, "the order is"),
        ("rotation", 5, 6, "handicaps.newest_points", _all_deals, "with handicap"),
        ("swiss", 7, 10, "rounds.publishing.refuse_disputed", _no_close, "can't be closed"),
        ("groups", 1, 20, "standings.groups._group_qualifiers", _worst, "play the knock-out"),
        ("out-after", 2, 23, f"{PAIRINGS}.OutAfter._still_in", _everybody, "have lost"),
    ],
    ids=["points", "rematches", "lines", "forfeits", "lowest wins", "handicaps", "closing", "led on", "out"],
)
def test_wrong_sums_lines_and_matches_would_be_found(club, monkeypatch, *, format, seed, steps, where, fault, found):
    assert try_sequence(seed, steps=steps, formats=[format]).broken == []
    monkeypatch.setattr(f"tournaments.{where}", fault)
    broken = try_sequence(seed, steps=steps, formats=[format]).broken
    assert len(broken) == 1
    assert found in broken[0]
