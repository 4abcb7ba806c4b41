"""A sound draw is broken in one way after the other: the verifier must see each, by the count or fault it is for."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tournaments.engine.draws.rotation import Afternoon, draw_rotation
from tournaments.engine.rounds import DrawWish, SeatedRound
from tournaments.engine.verify import find_faults, make_statement, wish_outcomes

# sixteen people, five rounds: everybody meets everybody once, so no seat can be exchanged without a repeat
ALL_MEET = draw_rotation(Afternoon(range(1, 17), 5), seed=1).rounds
NINE = draw_rotation(Afternoon(range(1, 10), 9), seed=1).rounds  # each sits out once
MIXED = draw_rotation(Afternoon(range(1, 23), 4, odd="six"), seed=1).rounds


def exchanged(rounds, number, pairs):
    names = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    one = rounds[number]
    tables = tuple(tuple(tuple(names.get(p, p) for p in side) for side in table) for table in one.tables)
    broken = SeatedRound(tables, tuple(names.get(p, p) for p in one.sit_outs))
    return (*rounds[:number], broken, *rounds[number + 1 :])


def said(rounds):
    return make_statement(rounds, range(1, 17))


def codes(rounds, people=range(1, 17)):
    return [code for code, _args in find_faults(rounds, people, everyone=True)]


def test_the_draws_that_are_broken_here_are_sound():
    assert codes(ALL_MEET) == codes(NINE, range(1, 10)) == []
    assert find_faults(MIXED, range(1, 23), or_sides=[(3, 3)], everyone=True) == ()
    sound = said(ALL_MEET)
    assert (sound.partner.repeats, sound.opponent.repeats, sound.table_mate.repeats, sound.never_met) == (0, 0, 0, 0)
    assert make_statement(NINE, ()).sit_outs.spread == make_statement(NINE, ()).sit_outs.back_to_back == 0


@pytest.mark.parametrize(
    ("again", "partner", "opponent", "table_mate"),
    [
        (((1, 6), (3, 7)), 0, 1, 1),
        (((1, 2), (6, 7)), 1, 0, 1),
        (((1, 3), (6, 7)), 0, 0, 1),  # opponents, now partners
        (((1, 6), (2, 7)), 0, 0, 1),  # partners, now opponents
        (((1, 2), (3, 6)), 1, 2, 3),
        (((1, 3), (2, 4)), 0, 2, 6),
        (((1, 5), (6, 7)), 0, 0, 0),
    ],
)
def test_each_way_of_meeting_again_is_seen_and_no_other(again, partner, opponent, table_mate):
    """1 and 2 against 3 and 4, then this table; a pair that meets again, once, adds one to each figure of its role."""
    found = make_statement((SeatedRound((((1, 2), (3, 4)),), (5, 6, 7)), SeatedRound((again,))), ())
    for role, times in ((found.partner, partner), (found.opponent, opponent), (found.table_mate, table_mate)):
        assert (role.repeats, role.squares, role.pairs_repeated) == (times, times, times)
        assert role.most == (2 if times else 1)
        assert role.different == role.meetings - times


def test_a_third_meeting_counts_as_two_repeats_and_three_in_the_squares():
    found = said((ALL_MEET[0],) * 3).partner
    assert (found.repeats, found.squares, found.most, found.pairs_repeated) == (16, 24, 3, 8)


def test_pairs_that_never_meet_are_seen():
    a, b = ALL_MEET[0].tables[0][0][0], ALL_MEET[0].tables[1][0][0]
    assert said(exchanged(ALL_MEET, 0, [(a, b)])).never_met == 6, "three of each one's table"


@given(st.integers(0, 4), st.integers(1, 16), st.integers(1, 16))
@examples(60)
def test_no_exchange_between_tables_goes_unseen(number, a, b):
    table_of = {p: t for t, table in enumerate(ALL_MEET[number].tables) for side in table for p in side}
    found = said(exchanged(ALL_MEET, number, [(a, b)]))
    apart = a != b and table_of[a] != table_of[b]
    assert (found.table_mate.repeats, found.never_met) == ((6, 6) if apart else (0, 0))


def test_sit_outs_that_are_uneven_or_running_are_seen():
    out, following = NINE[0].sit_outs[0], NINE[1].sit_outs[0]
    broken = make_statement(exchanged(NINE, 1, [(out, following)]), ()).sit_outs
    assert (broken.spread, broken.fewest, broken.most, broken.back_to_back) == (2, 0, 2, 1)
    later = make_statement(exchanged(NINE, 4, [(out, NINE[4].sit_outs[0])]), ()).sit_outs
    assert (later.spread, later.back_to_back, later.total) == (2, 0, 9)


def test_uneven_visits_to_the_table_of_six_are_seen():
    (sound,) = (v for v in make_statement((MIXED[0],), ()).visits if v.size == 6)
    assert (sound.fewest, sound.most) == (0, 1)
    (always,) = (v for v in make_statement((MIXED[0],) * 4, ()).visits if v.size == 6)
    assert (always.fewest, always.most) == (0, 4)


def _without_table(one):
    return replace(one, tables=one.tables[1:])


def _in_two_seats(one):
    (a, _), rest = one.tables[0]
    return replace(one, tables=(((a, one.tables[1][0][0]), rest), *one.tables[1:]))


def _stranger(one):
    (a, _), rest = one.tables[0]
    return replace(one, tables=(((a, 99), rest), *one.tables[1:]))


def _to_the_bench(one):
    (a, b), rest = one.tables[0]
    return replace(one, tables=(((a,), rest), *one.tables[1:]), sit_outs=(b,))


def _three_against_one(one):
    (a, b), (c, d) = one.tables[0]
    return replace(one, tables=(((a, b, c), (d,)), *one.tables[1:]))


def _three_sides(one):
    (a, b), (c, d) = one.tables[0]
    return replace(one, tables=(((a, b), (c,), (d,)), *one.tables[1:]))


def _seated_and_out(one):
    return replace(one, sit_outs=one.tables[0][0][:1])


@pytest.mark.parametrize(
    ("breaking", "seen"),
    [
        (_without_table, ["draw.left-out"] * 4),
        (_in_two_seats, ["draw.twice-in-round", "draw.left-out"]),
        (_stranger, ["draw.unknown-person", "draw.left-out"]),
        (_to_the_bench, ["draw.wrong-size"]),
        (_three_against_one, ["draw.wrong-size"]),
        (_three_sides, ["draw.wrong-size"]),
        (_seated_and_out, ["draw.twice-in-round"]),
    ],
)
def test_a_round_that_can_t_be_played_is_named(breaking, seen):
    assert codes((*ALL_MEET[:2], breaking(ALL_MEET[2]), *ALL_MEET[3:])) == seen


WISHES = (
    DrawWish("always", (1, 2)),
    DrawWish("never", (3, 4)),
    DrawWish("apart", (5, 6)),
    DrawWish("once", (7, 8)),
    DrawWish("stay", (9,), table=2),
    DrawWish("stay", (10,), table=3, seat=1),
    DrawWish("host", (11,), table=1),
)
WISHED = draw_rotation(Afternoon(range(1, 18), 4, wishes=WISHES), seed=1, steps=2_000).rounds


def _partner(rounds, number, person):
    return next(p for table in rounds[number].tables for side in table if person in side for p in side if p != person)


def _playing(rounds, *people):
    return next(n for n, one in enumerate(rounds) if set(people) <= set(one.seated))


def _elsewhere(rounds, number, person):
    return next(p for table in rounds[number].tables if person not in sum(table, ()) for p in sum(table, ()) if p > 11)


def _break(wish):
    a = wish.people[0]
    if wish.kind in ("stay", "host"):
        n = _playing(WISHED, a)
        return exchanged(WISHED, n, [(a, _elsewhere(WISHED, n, a))])
    b = wish.people[1]
    if wish.kind == "always":
        n = _playing(WISHED, a, b)
        return exchanged(WISHED, n, [(a, _elsewhere(WISHED, n, a))])
    if wish.kind == "once":
        broken = WISHED
        for n in range(len(WISHED)):
            if {a, b} <= set(WISHED[n].seated) and _partner(WISHED, n, a) == b:
                broken = exchanged(broken, n, [(a, _elsewhere(WISHED, n, a))])
        return broken
    n = _playing(WISHED, a, b)
    return exchanged(WISHED, n, [(_partner(WISHED, n, a), b)])


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: f"{wish.kind}-{wish.people}")
def test_a_broken_wish_is_seen_and_others_are_not_blamed(wish):
    assert all(outcome.met for outcome in wish_outcomes(WISHED, WISHES))
    broken = _break(wish)
    assert find_faults(broken, range(1, 18), everyone=True) == ()
    (outcome,) = wish_outcomes(broken, [wish])
    assert outcome.met is False


def test_a_host_who_sits_out_and_a_seat_that_is_changed_are_seen():
    n = next(n for n, one in enumerate(WISHED) if one.sit_outs)
    out = exchanged(WISHED, n, [(11, WISHED[n].sit_outs[0])])
    assert [
        outcome.met
        for outcome in wish_outcomes(out, [DrawWish("host", (11,), table=1), DrawWish("stay", (11,), table=1)])
    ] == [
        False,
        True,
    ]
    mate = _partner(WISHED, _playing(WISHED, 10), 10)
    seat = exchanged(WISHED, _playing(WISHED, 10), [(10, mate)])
    kept = [DrawWish("stay", (10,), table=3, seat=1), DrawWish("stay", (10,), table=3)]
    assert [outcome.met for outcome in wish_outcomes(seat, kept)] == [False, True]
