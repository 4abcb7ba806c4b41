"""Which meld totals a hand allows: held, in small packs, against every hand there is."""

from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

from lab.simulation.deals import true_deals
from lab.simulation.pinochle import meld_points, shuffled
from scoring.engine.core.ruleset import shipped
from scoring.engine.pinochle.melds import (
    ACE,
    JACK,
    KING,
    NINE,
    QUEEN,
    TEN,
    TRUMP_CLASSES,
    MeldKind,
    MeldTable,
    all_totals,
    can_meld,
    count_kinds,
    meld_table,
    nearest_totals,
)
from tests.scoring.engine.pinochle.cards import ST_HILARY, THREE_HAND, counts

SINGLE, DOUBLE = meld_table(ST_HILARY), meld_table(THREE_HAND)
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)

# Values of which nearly every sum tells what it is made of.
TELLING = MeldTable(
    copies=4, hand_size=0, ranks=(), worth={
        MeldKind.RUN: (0, 1, 3, 4, 9),
        MeldKind.ROYAL_MARRIAGE: (0, 5, 16, 17, 20),
        MeldKind.MARRIAGE: (0, 7, 15, 24, 30),
        MeldKind.NINE_OF_TRUMP: (0, 64, 128, 192, 256),
        MeldKind.ACES: (0, 131, 262, 500, 800),
        MeldKind.KINGS: (0, 257, 520, 530, 700),
        MeldKind.QUEENS: (0, 1031, 2000, 2500, 3000),
        MeldKind.JACKS: (0, 4099, 9000, 9500, 9900),
        MeldKind.PINOCHLE: (0, 16411, 40000, 50000, 90000),
    },
)  # fmt: skip


# --- every hand of a small pack ------------------------------------------------------------------------


def small(values, suits, ranks, copies, hand_size):
    pack = {"suits": tuple(suits), "ranks": tuple(ranks), "copies": copies, "partners_most": None, "partners_gaps": ()}
    return replace(values, hand_size=hand_size, **pack)


def whole_pack(table):
    return tuple(table.copies * (k // 6 in table.suits and k % 6 in table.ranks) for k in range(24))


def hands(cards, size):
    if not cards:
        if not size:
            yield ()
        return
    for many in range(min(cards[0], size) + 1):
        for rest in hands(cards[1:], size - many):
            yield (many, *rest)


def without(cards, hand):
    return tuple(a - b for a, b in zip(cards, hand, strict=True))


@cache
def declared(hand, trump, table):
    """Every total that a player may declare with these cards: of each meld that is there, so many or fewer."""

    def held(suit, *ranks):
        return min(hand[6 * suit + rank] for rank in ranks)

    def around(rank):
        return min(hand[6 * suit + rank] for suit in table.suits)

    def at_most(kind, many):
        return set(table.worth[kind][: many + 1])

    totals = set()
    for runs in range(held(trump, ACE, TEN, KING, QUEEN, JACK) + 1):
        choices = [{table.worth[MeldKind.RUN][runs]}]
        choices.append(at_most(MeldKind.ROYAL_MARRIAGE, held(trump, KING, QUEEN) - runs))
        choices += [at_most(MeldKind.MARRIAGE, held(suit, KING, QUEEN)) for suit in table.suits if suit != trump]
        choices.append(at_most(MeldKind.NINE_OF_TRUMP, hand[6 * trump + NINE]))
        choices += [at_most(MeldKind.ACES, around(ACE)), at_most(MeldKind.KINGS, around(KING))]
        choices += [at_most(MeldKind.QUEENS, around(QUEEN)), at_most(MeldKind.JACKS, around(JACK))]
        choices.append(at_most(MeldKind.PINOCHLE, min(held(SPADES, QUEEN), held(DIAMONDS, JACK))))
        totals |= {sum(chosen) for chosen in product(*choices)}
    return frozenset(totals)


@cache
def one_hand(table, trump):
    return frozenset().union(*(declared(hand, trump, table) for hand in hands(whole_pack(table), table.hand_size)))


def tried(totals):
    """Totals to ask about: all of few, else those that can be and their neighbours."""
    if max(totals) < 60:
        return list(range(max(totals) + 3))
    return sorted({total + by for total in totals for by in (-1, 0, 1)} - {-1})


ALL_SUITS, TWO_SUITS, THREE_SUITS = range(4), (SPADES, DIAMONDS), (SPADES, DIAMONDS, CLUBS)
EVERY_RANK, COURT = range(6), (KING, QUEEN, JACK)

SMALL_PACKS = [
    small(SINGLE, TWO_SUITS, EVERY_RANK, 1, 6),
    small(TELLING, TWO_SUITS, EVERY_RANK, 1, 6),
    small(SINGLE, TWO_SUITS, EVERY_RANK, 1, 4),
    small(SINGLE, TWO_SUITS, EVERY_RANK, 1, 3),
    small(SINGLE, (SPADES,), (ACE, TEN, KING, QUEEN, JACK), 2, 5),
    small(DOUBLE, (SPADES,), (ACE, TEN, KING, QUEEN, JACK), 3, 7),
    small(TELLING, (SPADES,), (ACE, TEN, KING, QUEEN, JACK), 4, 5),
    small(TELLING, TWO_SUITS, COURT, 2, 4),
    small(SINGLE, TWO_SUITS, COURT, 3, 5),
    small(TELLING, TWO_SUITS, (KING, QUEEN), 4, 5),
    small(SINGLE, ALL_SUITS, COURT, 1, 4),
    small(TELLING, ALL_SUITS, (KING, QUEEN), 1, 2),
    small(TELLING, ALL_SUITS, COURT, 1, 6),
    small(SINGLE, THREE_SUITS, (KING, QUEEN), 2, 4),
    small(TELLING, THREE_SUITS, (ACE, KING), 2, 4),
]


@pytest.mark.parametrize("table", SMALL_PACKS)
def test_a_players_totals_are_those_of_all_hands_of_a_small_pack(table):
    by_trump = {trump: set(one_hand(table, trump)) for trump in set(TRUMP_CLASSES) & set(table.suits)}
    ones = set().union(*by_trump.values())
    assert {total for total in tried(ones) if can_meld(table, total, partners=False)} == ones
    for trump, under in by_trump.items():
        assert {total for total in tried(ones) if can_meld(table, total, partners=False, trump_suit=trump)} == under
        assert nearest_totals(table, 10**6, partners=False, trump_suit=trump) == (max(under), None)


@pytest.mark.parametrize("table", SMALL_PACKS)
def test_partners_totals_are_sums_of_what_each_can_have_under_one_trump(table):
    alone = [one_hand(table, trump) for trump in set(TRUMP_CLASSES) & set(table.suits)]
    pairs = {one + other for of in alone for one, other in product(of, of)}
    assert {total for total in tried(pairs) if can_meld(table, total, partners=True)} == pairs


# --- whole packs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "seats"), [(ST_HILARY, 4), (THREE_HAND, 3), (replace(THREE_HAND, hand_size=20), 4)])
def test_what_real_hands_declare_is_possible(rules, seats):
    rng = Random(7)
    table = meld_table(rules)
    for _deal in range(60):
        cards, _widow = shuffled(rng, rules, seats=seats)
        for trump in range(4):
            held = [count_kinds(hand) for hand in cards]
            whole = [meld_points(hand, trump, table=table) for hand in held]
            some = [rng.choice(sorted(declared(tuple(hand), trump, table))) for hand in held]
            for melds in (whole, some):
                assert all(can_meld(table, meld, partners=False, trump_suit=trump) for meld in melds)
                if seats == 4:
                    assert can_meld(table, melds[0] + melds[2], partners=True, trump_suit=trump)
                    assert can_meld(table, melds[1] + melds[3], partners=True, trump_suit=trump)


def test_the_highest_hands():
    best = counts("AATTKKQQJJ.s JJ.d")
    assert meld_points(best, SPADES, table=SINGLE) == 180
    assert nearest_totals(SINGLE, 10**12, partners=False) == (180, None)
    best = counts("AAAATTKKQQJJ.s AAAA.h AAAAJ.d AAAA.c")
    assert sum(best) == 25
    assert meld_points(best, SPADES, table=DOUBLE) == 5540
    assert nearest_totals(DOUBLE, 5541, partners=False) == (5540, None)


def test_the_highest_of_two_partners():
    bidder, partner = counts("AATTKKQQJJ.s JJ.d"), counts("JJ.h KK.h KK.d KK.c QQ.h QQ.d")
    assert sum(bidder) == sum(partner) == 12
    best = meld_points(bidder, SPADES, table=SINGLE) + meld_points(partner, SPADES, table=SINGLE)
    assert can_meld(SINGLE, best, partners=True)
    assert nearest_totals(SINGLE, 361, partners=True) == (222, None)
    bidder, partner = counts("AATTKKQQJJ.s 99.s"), counts("AA.h AA.d AA.c JJ.h JJ.d JJ.c")
    assert [meld_points(hand, SPADES, table=SINGLE) for hand in (bidder, partner)] == [152, 0]


def test_the_highest_hand_needs_its_trump():
    assert can_meld(SINGLE, 180, partners=False, trump_suit=SPADES)
    assert not can_meld(SINGLE, 180, partners=False, trump_suit=HEARTS)
    assert nearest_totals(SINGLE, 180, partners=False, trump_suit=HEARTS) == (154, None)


def test_the_lowest_meld_on_the_scale_of_tens_is_a_marriage():
    assert not can_meld(DOUBLE, 45, partners=False)
    assert not can_meld(DOUBLE, 10, partners=False)
    assert can_meld(DOUBLE, 20, partners=False)
    assert nearest_totals(DOUBLE, 15, partners=False) == (0, 20)
    assert nearest_totals(DOUBLE, 305, partners=False) == (300, 310)


@pytest.mark.parametrize("meld", [-1, 181, 179, 10**12])
def test_melds_that_no_player_can_have(meld):
    assert not can_meld(SINGLE, meld, partners=False)


def test_the_neighbours_of_a_total_that_can_not_be_can_be():
    for table, partners in ((SINGLE, False), (SINGLE, True), (DOUBLE, False)):
        for meld in range(1, 300, 7):
            below, above = nearest_totals(table, meld, partners=partners)
            between = set(range(below + 1, above or meld)) - {meld}
            assert not any(can_meld(table, total, partners=partners) for total in between)
            assert can_meld(table, below, partners=partners)
            assert above is None or can_meld(table, above, partners=partners)


def test_the_neighbours_of_a_total_under_a_known_trump_can_be_under_that_trump():
    for meld in range(50, 125):
        below, above = nearest_totals(SINGLE, meld, partners=False, trump_suit=HEARTS)
        assert can_meld(SINGLE, below, partners=False, trump_suit=HEARTS)
        assert above is not None
        assert can_meld(SINGLE, above, partners=False, trump_suit=HEARTS)
        between = set(range(below + 1, above)) - {meld}
        assert not any(can_meld(SINGLE, total, partners=False, trump_suit=HEARTS) for total in between)


@pytest.mark.parametrize("slug", ["st-hilary-v3", "double-deck-partnership-pinochle", "three-hand-double-pinochle"])
def test_no_meld_of_a_true_card_is_refused(slug):
    for rules, facts in true_deals(shipped()[slug], seed="exact", count=200):
        assert all(can_meld(meld_table(rules), meld, partners=rules.shape.per_side == 2) for meld in facts.meld)


@pytest.mark.parametrize("partners", [False, True])
def test_all_totals_are_those_that_can_be_melded(partners):
    highest = nearest_totals(SINGLE, 1_000_000, partners=partners)[0]
    melds = [meld for meld in range(highest + 50) if can_meld(SINGLE, meld, partners=partners)]
    assert list(all_totals(SINGLE, partners=partners)) == melds
