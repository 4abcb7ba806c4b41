"""Places by the chain of tie-breaks, with what separated each from the next."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from tournaments.engine.ranking import Encounter, Result, build_chain, lot, rank
from tournaments.events.words import TIE_BREAKS

ANN, BEA, CAL, DOT = 1, 2, 3, 4


def places(found):
    return [(p.place, p.entry, p.separated_by) for p in found]


def test_points_then_games_then_sets():
    """Ann and Bea have 300 points; Ann won a game more. Cal and Dot have 280 and 1 game; Dot was set less often."""
    results = [
        Result(entry=BEA, points=300, games_won=Fraction(2), sets=0),
        Result(entry=ANN, points=300, games_won=Fraction(3), sets=4),
        Result(entry=CAL, points=280, games_won=Fraction(1), sets=2),
        Result(entry=DOT, points=280, games_won=Fraction(1), sets=1),
    ]
    found = rank(results, build_chain(["points", "games-won", "fewest-sets"]))
    assert places(found) == [(1, ANN, "games-won"), (2, BEA, "points"), (3, DOT, "fewest-sets"), (4, CAL, "")]
    assert found[0].values == (("points", 300), ("games-won", 3))
    assert found[3].values == (("points", 280), ("games-won", 1), ("fewest-sets", -2))


def test_what_the_chain_doesnt_break_stays_a_tie():
    results = [Result(entry=e, points=p) for e, p in ((ANN, 90), (BEA, 100), (CAL, 90), (DOT, 80))]
    found = rank(results, build_chain(["points", "shared"]))
    assert places(found) == [(1, BEA, "points"), (2, ANN, ""), (2, CAL, "points"), (4, DOT, "")]
    assert [p.shared for p in found] == [False, True, True, False]


def test_a_drawn_game_counts_a_half():
    results = [Result(entry=ANN, games_won=Fraction(5, 2)), Result(entry=BEA, games_won=Fraction(2))]
    assert places(rank(results, build_chain(["games-won"])))[0] == (1, ANN, "games-won")


def test_few_points_are_good_in_some_games():
    results = [Result(entry=ANN, points=40), Result(entry=BEA, points=12)]
    assert [p.entry for p in rank(results, build_chain(["points"], lowest_wins=True))] == [BEA, ANN]


def met(*others):
    return tuple(Encounter(other, 1, Fraction(won)) for other, won in others)


def test_head_to_head_looks_only_at_those_level():
    """Ann lost to Dot, who is behind anyway; against Bea and Cal, with whom she is level, she won."""
    results = [
        Result(entry=ANN, points=10, encounters=met((BEA, 1), (CAL, 1), (DOT, 0))),
        Result(entry=BEA, points=10, encounters=met((ANN, 0), (CAL, 1), (DOT, 1))),
        Result(entry=CAL, points=10, encounters=met((ANN, 0), (BEA, 0), (DOT, 1))),
        Result(entry=DOT, points=5, encounters=met((ANN, 1), (BEA, 0), (CAL, 0))),
    ]
    found = rank(results, build_chain(["points", "head-to-head"]))
    assert places(found) == [(1, ANN, "head-to-head"), (2, BEA, "head-to-head"), (3, CAL, "points"), (4, DOT, "")]


def test_head_to_head_doesnt_judge_those_who_never_met():
    """Ann beat Bea; Cal has met neither: it would be unfair to any of them."""
    results = [
        Result(entry=ANN, points=10, encounters=met((BEA, 1))),
        Result(entry=BEA, points=10, encounters=met((ANN, 0))),
        Result(entry=CAL, points=10),
    ]
    assert {p.place for p in rank(results, build_chain(["points", "head-to-head"]))} == {1}


def test_last_and_best_game():
    results = [Result(entry=ANN, game_points=(150, 90)), Result(entry=BEA, game_points=(100, 140))]
    assert [p.entry for p in rank(results, build_chain(["last-game"]))] == [BEA, ANN]
    assert [p.entry for p in rank(results, build_chain(["best-game"]))] == [ANN, BEA]
    absent = [Result(entry=ANN, game_points=(150,)), results[1]]
    assert {p.place for p in rank(absent, build_chain(["last-game"]))} == {1}, "one has played a game less"


def test_lots_follow_from_the_seed_and_the_names_alone():
    level = [Result(entry=e) for e in (ANN, BEA, CAL, DOT)]
    drawn = [p.entry for p in rank(level, build_chain(["points", "lots"], lots_seed=2013))]
    assert drawn == sorted((ANN, BEA, CAL, DOT), key=lambda e: lot(2013, e))
    without = [
        p.entry for p in rank([r for r in level if r.entry != BEA], build_chain(["points", "lots"], lots_seed=2013))
    ]
    assert without == [e for e in drawn if e != BEA], "one who leaves doesn't reshuffle the others"
    assert {p.place for p in rank(level, build_chain(["points", "lots"]))} == {1}, "no seed, not drawn yet"


def test_every_slug_makes_a_chain_and_no_other():
    assert [link.slug for link in build_chain(TIE_BREAKS)] == list(TIE_BREAKS)
    with pytest.raises(KeyError):
        build_chain(["star-sign"])


def test_nobody_and_two_of_one():
    assert rank([], build_chain(["points"])) == ()
    with pytest.raises(ValueError, match="two results"):
        rank([Result(entry=ANN), Result(entry=ANN)], build_chain(["points"]))


results = st.builds(
    Result,
    entry=st.integers(1, 40),
    points=st.integers(0, 3),
    games_won=st.integers(0, 4).map(lambda halves: Fraction(halves, 2)),
    sets=st.integers(0, 1),
    net=st.integers(-1, 1),
    game_points=st.lists(st.integers(0, 2), max_size=2).map(tuple),
    encounters=st.lists(
        st.builds(
            Encounter, other=st.integers(1, 6), games=st.just(1), won=st.sampled_from([Fraction(0), Fraction(1)])
        ),
        max_size=3,
        unique_by=lambda e: e.other,
    ).map(tuple),
)
fields = st.lists(results, max_size=12, unique_by=lambda r: r.entry)
chains = st.lists(st.sampled_from(sorted(TIE_BREAKS)), unique=True)


@given(fields, chains, st.none() | st.integers(0, 99), st.randoms(use_true_random=False))
def test_the_order_of_entry_never_matters(field, slugs, seed, shuffler):
    chain = build_chain(slugs, lots_seed=seed)
    shuffled = list(field)
    shuffler.shuffle(shuffled)
    assert rank(shuffled, chain) == rank(field, chain)


@given(fields, chains)
def test_places_count_those_ahead_and_ties_are_level_in_everything_compared(field, slugs):
    found = rank(field, build_chain(slugs))
    assert sorted(p.entry for p in found) == sorted(r.entry for r in field)
    for one in found:
        assert one.place == 1 + sum(other.place < one.place for other in found)
        assert one.shared == (sum(other.place == one.place for other in found) > 1)
    for one, following in pairwise(found):
        if one.place == following.place:
            assert (one.values, one.separated_by) == (following.values, "")
        else:
            assert dict(one.values)[one.separated_by] > dict(following.values)[one.separated_by]


def test_strength_of_opponents_separates_those_who_have_won_as_many():
    """Ann's opponents won 0, 2 and 3 games, Bea's 1, 1 and 3, Cal's 1, 2 and 2; all three have won 2."""
    results = [
        Result(entry=entry, games_won=Fraction(2), opponents=tuple(map(Fraction, won)))
        for entry, won in ((ANN, (3, 0, 2)), (BEA, (1, 3, 1)), (CAL, (2, 1, 2)))
    ]
    assert places(rank(results, build_chain(["games-won", "buchholz"]))) == [(1, ANN, ""), (1, BEA, ""), (1, CAL, "")]
    found = rank(results, build_chain(["games-won", "buchholz", "median-buchholz"]))
    assert places(found) == [(1, ANN, ""), (1, CAL, "median-buchholz"), (3, BEA, "")]
    assert [p.values[1:] for p in found] == [
        (("buchholz", 5), ("median-buchholz", 2)),
        (("buchholz", 5), ("median-buchholz", 2)),
        (("buchholz", 5), ("median-buchholz", 1)),
    ]


def test_median_strength_needs_three_opponents():
    results = [Result(entry=ANN, opponents=(Fraction(3), Fraction(1))), Result(entry=BEA, opponents=(Fraction(2),))]
    assert places(rank(results, build_chain(["median-buchholz"]))) == [(1, ANN, ""), (1, BEA, "")]
