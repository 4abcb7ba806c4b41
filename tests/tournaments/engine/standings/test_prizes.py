"""Prizes: who wins which, who passes one on, what those who are level share, and lots that anybody can check."""

from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import permutations

import pytest
from hypothesis import example, given, strategies as st

from tournaments.engine.prizes import KINDS, Contender, Prize, Rule, Seeds, award

HIGH, SECOND, THIRD = (Prize("place", n, amount) for n, amount in ((1, 3000), (2, 2000), (3, 1000)))
LOW, DOOR = Prize("low", amount=500), Prize("door", amount=100)
MOST, FEWEST = Prize("most-sets", amount=200), Prize("fewest-sets", amount=300)
SEEDS = Seeds(door=7, level=11)
LOTS = Rule(ties="lots")


def people(*places, sets=()):
    """Entries 1, 2, 3 ... at these places, each a side of its own."""
    own = sets or (0,) * len(places)
    return [Contender(n, n, n, place, s) for n, (place, s) in enumerate(zip(places, own, strict=True), start=1)]


def digits(seed, number):
    return sha256(f"{seed}:{number}".encode()).hexdigest()[:12]


def told(awards):
    return [(a.prizes, a.winners, a.each) for a in awards]


def test_places_go_down_the_result_and_low_is_the_last():
    found = award(people(1, 2, 3, 4), [HIGH, SECOND, THIRD, LOW], rule=Rule(), seeds=Seeds())
    assert told(found) == [((0,), (1,), 3000), ((1,), (2,), 2000), ((2,), (3,), 1000), ((3,), (4,), 500)]


def test_who_has_won_passes_a_later_prize_on_to_the_next():
    found = award(people(1, 2, 3, sets=(4, 1, 2)), [MOST, HIGH, SECOND], rule=Rule(), seeds=Seeds())
    assert told(found) == [((0,), (1,), 200), ((1,), (2,), 3000), ((2,), (3,), 2000)]
    assert [a.passed_on for a in found] == [(), (1,), (2,)]


def test_without_that_rule_one_person_may_win_several():
    found = award(people(1, 2, 3, sets=(4, 1, 2)), [MOST, HIGH, SECOND], rule=Rule(one_each=False), seeds=Seeds())
    assert [a.winners for a in found] == [(1,), (1,), (2,)]


def test_those_who_are_level_share_the_prizes_of_their_places():
    found = award(people(1, 1, 3), [HIGH, DOOR, SECOND, THIRD], rule=Rule(), seeds=Seeds(door=7))
    assert told(found)[0] == ((0, 2), (1, 2), 2500)
    assert told(found)[2] == ((3,), (), 0)  # the third won at the door
    assert sum(a.each * len(a.winners) + a.left for a in found) == 5100


def test_what_cant_be_shared_out_stays_with_the_club():
    (found,) = award(people(1, 1, 1), [Prize("place", 1, 1000)], rule=Rule(), seeds=Seeds())
    assert (found.each, found.left) == (333, 1)


def test_three_level_and_one_of_them_has_won_already_take_two_places_prizes():
    found = award(people(1, 1, 1, 4, sets=(3, 0, 0, 0)), [MOST, HIGH, SECOND, THIRD], rule=Rule(), seeds=Seeds())
    assert told(found) == [((0,), (1,), 200), ((1, 2), (2, 3), 2500), ((3,), (4,), 1000)]


@pytest.mark.parametrize("places", list(permutations([HIGH, SECOND, THIRD])))
def test_the_level_take_the_best_prizes_of_their_places_in_whatever_order_those_are_listed(places):
    found = award(people(1, 1, 1, 4, sets=(3, 0, 0, 0)), [MOST, *places], rule=Rule(), seeds=Seeds())
    assert {a.winners: (a.each, a.left) for a in found} == {(1,): (200, 0), (2, 3): (2500, 0), (4,): (1000, 0)}


def test_two_level_at_the_top_share_both_prizes_though_the_second_is_listed_first():
    assert told(award(people(1, 1, 3), [SECOND, HIGH], rule=Rule(), seeds=Seeds())) == [((0, 1), (1, 2), 2500)]


def test_a_second_prize_alone_is_shared_by_two_at_the_top():
    assert told(award(people(1, 1, 3), [SECOND], rule=Rule(), seeds=Seeds())) == [((0,), (1, 2), 1000)]


def test_lots_say_who_of_the_level_is_ahead():
    found = award(people(1, 1, 1), [HIGH, SECOND, THIRD], rule=LOTS, seeds=SEEDS)
    order = sorted((1, 2, 3), key=lambda n: digits(11, n))
    assert [a.winners for a in found] == [(n,) for n in order]
    assert all(a.drawn_among == tuple(order) for a in found)
    (second,) = award(people(1, 1, 3), [SECOND], rule=LOTS, seeds=SEEDS)
    assert second.winners == (sorted((1, 2), key=lambda n: digits(11, n))[1],)


def test_lots_pass_on_too():
    first, second, third = sorted((1, 2, 3), key=lambda n: digits(11, n))
    sets = tuple(5 if n == first else 0 for n in (1, 2, 3))
    found = award(people(1, 1, 1, 4, sets=(*sets, 0)), [MOST, HIGH, SECOND, THIRD], rule=LOTS, seeds=SEEDS)
    assert [a.winners for a in found] == [(first,), (second,), (third,), (4,)]
    assert found[1].passed_on == (first,)


def test_who_is_ahead_by_lot_keeps_the_better_place_though_it_has_no_prize():
    ahead, behind = sorted((1, 2), key=lambda n: digits(11, n))
    field = people(1, 1, 3, sets=(*(3 * (n == behind) for n in (1, 2)), 0))
    found = award(field, [MOST, SECOND], rule=LOTS, seeds=SEEDS)
    assert [a.winners for a in found] == [(behind,), (3,)]
    assert found[1].passed_on == (behind,)
    assert ahead not in found[1].winners
    assert told(award(field[:2], [MOST, SECOND], rule=LOTS, seeds=SEEDS))[1] == ((1,), (), 0)


@pytest.mark.parametrize("prizes", [[HIGH], [LOW], [MOST], [FEWEST]])
def test_before_lots_are_drawn_nobody_has_won(prizes):
    field = people(1, 1, sets=(2, 2))
    (found,) = award(field, prizes, rule=LOTS, seeds=Seeds())
    assert (found.winners, found.lots_needed) == ((), True)
    (drawn,) = award(field, prizes, rule=LOTS, seeds=SEEDS)
    assert drawn.winners == (min((1, 2), key=lambda n: digits(11, n)),)


def test_the_lowest_lot_wins_at_the_door_and_nobody_twice():
    assert award(people(1, 2), [DOOR], rule=Rule(), seeds=Seeds())[0].lots_needed
    order = sorted(range(1, 6), key=lambda n: digits(7, n))
    found = award(people(1, 2, 3, 4, 5), [DOOR] * 6, rule=Rule(one_each=False), seeds=SEEDS)
    assert [a.winners for a in found] == [*((n,) for n in order), ()]
    assert found[0].drawn_among == tuple(order)


def test_who_has_gone_wins_nothing():
    found = award(people(1, 2, 3), [HIGH, LOW, DOOR], rule=Rule(), seeds=SEEDS, passed={1, 3})
    assert [a.winners for a in found] == [(2,), (), ()]


def test_nobody_wins_most_sets_where_no_bid_failed():
    assert award(people(1, 2), [MOST], rule=Rule(), seeds=SEEDS)[0].winners == ()
    assert award(people(1, 2, sets=(1, 0)), [FEWEST], rule=Rule(), seeds=SEEDS)[0].winners == (2,)


def test_most_lone_hands_go_to_who_made_one():
    three = [replace(one, lone_hands=hands) for one, hands in zip(people(1, 2, 3), (0, 2, 1), strict=True)]
    lone = Prize("most-lone-hands")
    assert [a.winners for a in award(three, [lone, lone, lone], rule=Rule(), seeds=SEEDS)] == [(2,), (3,), ()]


def test_a_pair_wins_together_and_shares():
    pairs = [Contender(n, n, (n + 1) // 2, place, 0) for n, place in ((1, 1), (2, 1), (3, 2), (4, 2))]
    found = award(pairs, [HIGH, SECOND], rule=Rule(), seeds=Seeds())
    assert told(found) == [((0,), (1, 2), 1500), ((1,), (3, 4), 1000)]
    lots = award([Contender(c.entry, c.number, c.side, 1, 0) for c in pairs], [HIGH], rule=LOTS, seeds=SEEDS)
    assert set(lots[0].winners) == ({1, 2} if digits(11, 1) < digits(11, 3) else {3, 4})


@pytest.mark.parametrize("wrong", [("place", 0, 1), ("low", 2, 1), ("door", 0, -1), ("luck", 0, 0)])
def test_a_prize_that_cant_be_is_refused(wrong):
    with pytest.raises(ValueError, match="a prize of a kind"):
        Prize(*wrong)


@st.composite
def fields(draw):
    """Results with ties, as standings number places."""
    points = draw(st.lists(st.integers(0, 4), min_size=1, max_size=9))
    places = [1 + sum(other > own for other in points) for own in points]
    sets = draw(st.lists(st.integers(0, 3), min_size=len(points), max_size=len(points)))
    return people(*places, sets=tuple(sets))


@st.composite
def lists(draw):
    kinds = draw(st.lists(st.sampled_from(KINDS), max_size=6))
    return [Prize(kind, draw(st.integers(1, 4)) if kind == "place" else 0, draw(st.integers(0, 999))) for kind in kinds]


@given(fields(), lists(), st.sampled_from(["share", "lots"]), st.booleans())
@example(field=people(1, 1), prizes=[SECOND, SECOND], ties="lots", one_each=True)
def test_each_prize_is_given_once_and_all_of_it(field, prizes, ties, one_each):
    rule = Rule(ties=ties, one_each=one_each)
    found = award(field, prizes, rule=rule, seeds=SEEDS)
    assert sorted(n for a in found for n in a.prizes) == list(range(len(prizes)))
    for one in found:
        assert not one.lots_needed
        if one.winners:
            assert one.each * len(one.winners) + one.left == sum(prizes[n].amount for n in one.prizes)
            assert one.left < len(one.winners)
    winners = [w for a in found for w in a.winners]
    if one_each:
        assert len(winners) == len(set(winners))
    without = [c for c in field if c.entry not in winners]
    last = {c.entry: c.place + sum(o.place == c.place for o in field) - 1 for c in field}
    if ties == "lots":  # each of the level has a place of its own, and nobody takes the prize of a worse one
        ahead = {
            c.entry: [o for o in field if o.place == c.place and digits(11, o.number) < digits(11, c.number)]
            for c in field
        }
        last = {c.entry: c.place + len(ahead[c.entry]) for c in field}
    for one in (a for a in found if not a.winners):
        prize = prizes[one.prizes[0]]
        assert not [
            c
            for c in without
            if (prize.kind != "place" or last[c.entry] >= prize.place) and (prize.kind != "most-sets" or c.sets)
            if prize.kind != "most-lone-hands" or c.lone_hands
        ]
    if ties == "lots":
        assert all(len(a.winners) <= 1 for a in found)
    again = award(list(reversed(field)), prizes, rule=rule, seeds=SEEDS)
    assert [set(a.winners) for a in again] == [set(a.winners) for a in found]  # the order of entry decides nothing


@given(fields(), st.permutations([1, 2, 3, 4, 5]), st.lists(st.integers(0, 99), min_size=5, max_size=5), st.booleans())
def test_the_order_of_the_list_changes_nothing_of_what_the_places_win(field, places, amounts, one_each):
    prizes = [Prize("place", place, amounts[place - 1]) for place in places]
    found = award(field, prizes, rule=Rule(one_each=one_each), seeds=Seeds())
    won = {winner: Fraction(a.each) + Fraction(a.left, len(a.winners)) for a in found for winner in a.winners}
    for one in field:
        level = sum(other.place == one.place for other in field)
        theirs = amounts[one.place - 1 : one.place - 1 + level]
        assert won.get(one.entry, 0) == Fraction(sum(theirs), level)


def ladies(places, who, sides=None):
    return [
        Contender(n, n, sides[n - 1] if sides else n, place, 0, frozenset({"ladies"} if n in who else ()))
        for n, place in enumerate(places, start=1)
    ]


def of_ladies(place, amount=0):
    return Prize("place", place, amount, group="Ladies")


def test_the_places_of_a_class_are_those_among_its_people():
    found = award(ladies((1, 2, 3, 4, 4, 6), {3, 4, 5}), [HIGH, of_ladies(1, 500), of_ladies(2, 301)],
                  rule=Rule(), seeds=Seeds())  # fmt: skip
    assert told(found) == [((0,), (1,), 3000), ((1,), (3,), 500), ((2,), (4, 5), 150)]


def test_who_has_won_among_all_passes_the_prize_of_the_class_on_and_the_other_way_round():
    field = ladies((1, 2, 3), {1, 3})
    found = award(field, [HIGH, of_ladies(1, 500)], rule=Rule(), seeds=Seeds())
    assert [(a.winners, a.passed_on) for a in found] == [((1,), ()), ((3,), (1,))]
    found = award(field, [of_ladies(1, 500), HIGH], rule=Rule(), seeds=Seeds())
    assert [a.winners for a in found] == [(1,), (2,)]
    found = award(field, [HIGH, of_ladies(1, 500)], rule=Rule(one_each=False), seeds=Seeds())
    assert [a.winners for a in found] == [(1,), (1,)]


def test_the_level_of_a_class_share_its_places_alone_and_a_side_takes_up_one():
    level = award(ladies((1, 1, 1), {2, 3}), [HIGH, SECOND, of_ladies(1, 500), of_ladies(2, 300)],
                  rule=Rule(one_each=False), seeds=Seeds())  # fmt: skip
    assert told(level) == [((0, 1), (1, 2, 3), 1666), ((2, 3), (2, 3), 400)]
    pair = award(ladies((1, 1, 2), {1, 2, 3}, sides=(1, 1, 2)), [of_ladies(1, 500), of_ladies(2, 300)],
                 rule=Rule(), seeds=Seeds())  # fmt: skip
    assert told(pair) == [((0,), (1, 2), 250), ((1,), (3,), 300)]


def test_door_low_and_lots_of_a_class_are_among_its_people_and_nobody_wins_where_it_is_empty():
    field = ladies((1, 2, 3, 4), {1, 3})
    prizes = [Prize("low", amount=5, group="Ladies"), Prize("door", amount=7, group="LADIES"), of_ladies(3)]
    found = award(field, prizes, rule=Rule(), seeds=SEEDS)
    assert [a.winners for a in found] == [(3,), (1,), ()]
    assert award(field, [Prize("place", 1, group="Juniors")], rule=Rule(), seeds=SEEDS)[0].winners == ()


def test_a_prize_without_a_class_is_kept_as_before_there_were_any():
    assert HIGH.to_data() == {"kind": "place", "place": 1, "amount": 3000, "what": ""}
    assert Prize(**of_ladies(1).to_data()) == of_ladies(1)


@given(seed=st.integers(0, 10_000))
def test_nobodys_lot_wins_the_door_prizes_of_all_and_of_a_class(seed):
    field = ladies(range(1, 6), set(range(1, 6)))
    prizes = [Prize("door", amount=7), Prize("door", amount=5, group="Ladies")]
    first, second = award(field, prizes, rule=Rule(one_each=False), seeds=Seeds(door=seed))
    assert first.winners != second.winners
