"""How many examples a test tries: a part of what it says in `./dev test`, many times more in `./dev prove`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

USUAL = 100
"""What Hypothesis tries unless told otherwise: a profile with ten times as many stands for ten times as many of all."""
FEWEST = 5


def examples(usual: int, *, unchecked: Iterable[HealthCheck] = ()) -> settings:
    """Settings of a property: so many examples, times what the profile says, but never next to none."""
    many = max(FEWEST, usual * settings().max_examples // USUAL)
    return settings(max_examples=many, suppress_health_check=list(unchecked))


def as_proof(values: Sequence[Any]) -> Any:
    """One set of parameters that `./dev prove` asks and `./dev test` leaves out."""
    return pytest.param(*values, marks=pytest.mark.proof)


def cases(usual: int, proof: int) -> Any:
    """Parameters of a test that tries some cases every time, and many as a proof."""
    return [usual, as_proof([proof])]


WHOLE = pytest.mark.parametrize("whole", [False, as_proof([True])], ids=["by turns", "all"])
"""For sweeps over many pages, which ask a part of everything daily (`in_turn`) and all of it as a proof."""


def in_turn(name: str, turn: int = 0) -> bool:
    """Whether a name is in that half of all names, the first (0) or the second (1): always in the same."""
    return crc32(name.encode()) % 2 == turn
