"""A random director does anything at any time, and what must be true of an event holds after every step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from clubsite.accounts.models import Club
from tests.examples import cases
from tournaments.simulation.trial import BY, FORMATS, TriedSequences, director_of, try_sequence
from tournaments.simulation.truths import Truths, no_way_back

SEQUENCES = 40


class AnyDirector(RuleBasedStateMachine):
    """One event from its list of names on; Hypothesis makes every choice, and the shortest sequence that fails."""

    def __init__(self) -> None:
        super().__init__()
        self._transaction = transaction.atomic()
        self._transaction.__enter__()

    @initialize(data=st.data(), format=st.sampled_from(sorted(set(FORMATS))))
    def make(self, data: Any, format: str) -> None:
        """An event of some format, with names."""
        self.director = director_of(Club.objects.get(), self._choices(data), format=format)
        self.truths = Truths(self.director.event)

    @rule(data=st.data())
    def step(self, data: Any) -> None:
        """Anything at all."""
        self.director.choose = self._choices(data)
        name, outcome = self.director.step()
        if (outcome == "done" or name in self.director.composed) and (found := self.truths.broken()):
            raise AssertionError("\n".join(found))

    def teardown(self) -> None:
        """Everything can be taken back."""
        try:
            if hasattr(self, "director"):
                self.director.event.refresh_from_db()
                if found := no_way_back(self.director.event, BY):
                    raise AssertionError("\n".join(found))
        finally:
            transaction.set_rollback(True)
            self._transaction.__exit__(None, None, None)

    @staticmethod
    def _choices(data: Any) -> Any:
        return lambda below: data.draw(st.integers(0, below - 1))


@pytest.mark.proof  # the shortest sequences, in which everybody has no points, take a minute by themselves
@pytest.mark.django_db
def test_nothing_breaks_whatever_a_director_does(club: Club, tried: Callable[[int], None]) -> None:
    tried(SEQUENCES)
    run_state_machine_as_test(
        AnyDirector,
        settings=settings(
            max_examples=SEQUENCES, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


@pytest.mark.thorough
@pytest.mark.parametrize("sequences", cases(11, proof=200))
@pytest.mark.django_db
def test_nothing_breaks_in_sequences_that_are_always_the_same(
    club: Club, sequences: int, tried: Callable[[int], None]
) -> None:
    came = TriedSequences()
    for seed in range(1, 1 + sequences):
        came += try_sequence(seed, steps=15)
    assert came.broken == []
    assert came.sequences == sequences
    assert sum(came.steps.values()) == 15 * sequences
    assert Club.objects.get().events.count() == 0
    tried(sequences)


@pytest.mark.parametrize(
    ("seed", "steps", "without", "found"),
    [
        (100_106, 8, "tournaments.rounds.publishing.refuse_stale", "draw Round 1 · Draw 1 has"),
        (179, 8, "tournaments.draws.by_format.misplaced", "has lost and sits in"),
    ],
)
@pytest.mark.django_db
def test_the_first_two_faults_of_this_kind_would_be_found(
    club: Club, monkeypatch: pytest.MonkeyPatch, seed: int, steps: int, without: str, found: str
) -> None:
    """Drafts were published whatever had changed; a corrected knock-out wasn't named on the desk."""
    assert try_sequence(seed, steps=steps).broken == []
    monkeypatch.setattr(without, lambda _of: "")
    broken = try_sequence(seed, steps=steps).broken
    assert len(broken) == 1
    assert found in broken[0]
