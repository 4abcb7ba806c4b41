"""How many examples a test tries: as many as it says in `./dev test`, many times more in `./dev prove`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

USUAL = 100
"""What Hypothesis tries unless told otherwise: a profile with ten times as many stands for ten times as many of all."""


def examples(usual: int, *, unchecked: Iterable[HealthCheck] = ()) -> settings:
    """Settings of a property: so many examples, times what the profile says."""
    return settings(max_examples=usual * settings().max_examples // USUAL, suppress_health_check=list(unchecked))


def as_proof(values: Sequence[Any]) -> Any:
    """One set of parameters that `./dev prove` asks and `./dev test` leaves out."""
    return pytest.param(*values, marks=pytest.mark.proof)


def cases(usual: int, proof: int) -> Any:
    """Parameters of a test that tries some cases every time, and many as a proof."""
    return [usual, as_proof([proof])]
