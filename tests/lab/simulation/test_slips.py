"""Cards with one slip: that each differs from the true one, and that what finds it is counted."""

from __future__ import annotations

from random import Random

import pytest

from lab.simulation.slips import find_slips, with_slip


@pytest.mark.parametrize(
    "slug",
    ["whist-drive", "canasta", "st-hilary-v3", "double-deck-partnership-pinochle", "two-hand-pinochle-classic"],
)
def test_slips_are_counted_with_the_check_that_alone_finds_them(slug: str) -> None:
    for found in find_slips(slug, count=60, seed=1).values():
        assert sum(found.alone.values()) <= found.refused <= found.slips <= 60
        assert found.refused > 5


def test_a_total_of_all_points_finds_all_slips_but_swapped_sides() -> None:
    (found,) = find_slips("whist-drive", count=200, seed=1).values()
    assert set(found.alone) == {"points-only.whole"}
    assert 100 < found.refused < 200


def test_the_same_seed_makes_the_same_slips() -> None:
    assert find_slips("euchre", count=50, seed=3) == find_slips("euchre", count=50, seed=3)


def test_every_kind_of_slip_is_made() -> None:
    true, last = {"meld": [24, 6], "take": [15, 10]}, {"meld": [8, 30], "take": [20, 5]}
    made = [with_slip(true, last, used={"meld", "take"}, rng=Random(seed)) for seed in range(300)]
    for card in (
        {"meld": [25, 6], "take": [15, 10]},  # a digit off by one
        {"meld": [42, 6], "take": [15, 10]},  # two digits swapped
        {"meld": [6, 24], "take": [15, 10]},  # two sides swapped
        {"meld": [15, 6], "take": [15, 10]},  # a figure of another column
        {"meld": [24, 6], "take": [20, 10]},  # a figure of the deal before
    ):
        assert card in made
    assert true not in made


def test_below_nothing_a_digit_is_still_a_digit() -> None:
    true = {"points": [-40, 140]}
    made = [with_slip(true, true, used={"points"}, rng=Random(seed)) for seed in range(200)]
    assert {"points": [-4, 140]} in made
    assert {"points": [-50, 140]} in made


@pytest.mark.parametrize("card", [{"bid": 20, "meld": []}, {"meld": [0, 0]}])
def test_where_nothing_stands_nothing_is_written_wrong(card: dict[str, object]) -> None:
    used = {"take"} if card == {"meld": [0, 0]} else {"meld"}
    assert with_slip(card, card, used=used, rng=Random(1)) is None


def test_a_name_takes_the_place_of_another_of_its_kind() -> None:
    def card(*kinds: str) -> dict[str, object]:
        return {"counted": [{"melds": [{"kind": kind, "count": 1} for kind in kinds]}]}

    true = card("run", "aces")
    assert card("aces", "aces") in [with_slip(true, true, used={"counted"}, rng=Random(seed)) for seed in range(100)]
