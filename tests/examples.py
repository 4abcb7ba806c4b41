"""How many examples and cases a test tries: a part in `./dev test`, all and many times more in `./dev prove`."""

from zlib import crc32

import pytest
from hypothesis import settings

USUAL = 100
"""What Hypothesis tries unless told otherwise: a profile with ten times as many stands for ten times as many of all."""
FEWEST = 5


def examples(usual, *, unchecked=()):
    """Settings of a property: so many examples, times what the profile says, but never next to none."""
    many = max(FEWEST, usual * settings().max_examples // USUAL)
    return settings(max_examples=many, suppress_health_check=list(unchecked))


def as_proof(values):
    """One set of parameters that `./dev prove` asks and `./dev test` leaves out."""
    return pytest.param(*values, marks=pytest.mark.proof)


def cases(usual, proof):
    return [usual, as_proof([proof])]


def left_to_proofs(items):
    """Mark as proofs what `./dev test` doesn't ask of the cases of each test that is marked `daily`; `./dev coverage`
    asks all of them."""
    if settings().max_examples == USUAL:
        return
    tests = {}
    for item in items:
        if item.get_closest_marker("daily") and not item.get_closest_marker("proof"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases_of_it in tests.values():
        mark = cases_of_it[0].get_closest_marker("daily")
        asked = spread(mark.args[0] if mark else 1, over=len(cases_of_it))
        for number, item in enumerate(cases_of_it):
            if number not in asked:
                item.add_marker("proof")


def spread(many, over):
    """So many places among the first ones from 0 on, the outermost two among them.

    >>> sorted(spread(3, over=9)), sorted(spread(1, over=9)), sorted(spread(4, over=2))
    ([0, 4, 8], [0], [0, 1])
    """
    if many >= over:
        return set(range(over))
    return {number * (over - 1) // max(many - 1, 1) for number in range(many)}


WHOLE = pytest.mark.parametrize("whole", [False, as_proof([True])], ids=["by turns", "all"])
"""For sweeps over many pages, which ask a part of everything daily (`in_turn`) and all of it as a proof."""


def in_turn(name, turn=0):
    """Whether a name is in that half of all names, the first (0) or the second (1): always in the same."""
    return crc32(name.encode()) % 2 == turn
