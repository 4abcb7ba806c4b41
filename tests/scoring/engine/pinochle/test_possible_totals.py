"""Which meld totals a pack allows: held, in small packs, against every deal there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

from scoring.engine.core.ledger import Severity
from scoring.engine.core.ruleset import shipped
from scoring.engine.pinochle import partnership
from scoring.engine.pinochle.cards import PinochleRules, counted, meld_table
from scoring.engine.pinochle.meld_points import ACE, JACK, KING, NINE, QUEEN, TEN, TRUMP_CLASSES, MeldTable, meld_points
from scoring.engine.pinochle.partnership import Ending
from scoring.engine.pinochle.play import shuffled
from scoring.engine.pinochle.possible_totals import can_meld, fit_together, nearest, possible_instead
from scoring.engine.trial import true_deals
from tests.scoring.engine.pinochle.strategies import ST_HILARY, THREE_HAND, counts

SINGLE, DOUBLE = meld_table(ST_HILARY), meld_table(THREE_HAND)
FOUR_HAND_DOUBLE = replace(DOUBLE, hand_size=20)
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)

# Values of which nearly every sum tells what it is made of.
TELLING = MeldTable(
    copies=4, hand_size=0, ranks=(), run=(1, 3, 4, 9), royal_marriage=(5, 16, 17, 20), marriage=(7, 15, 24, 30),
    nine_of_trump=64, aces=(131, 262, 500, 800), kings=(257, 520, 530, 700), queens=(1031, 2000, 2500, 3000),
    jacks=(4099, 9000, 9500, 9900), pinochle=(16411, 40000, 50000, 90000),
)  # fmt: skip

Counts = tuple[int, ...]


# --- every deal of a small pack ------------------------------------------------------------------------


def small(values: MeldTable, suits: Sequence[int], ranks: Sequence[int], copies: int, hand_size: int) -> MeldTable:
    """The melds of a pack of few cards."""
    return replace(values, suits=tuple(suits), ranks=tuple(ranks), copies=copies, hand_size=hand_size)


def whole_pack(table: MeldTable) -> Counts:
    return tuple(table.copies * (k // 6 in table.suits and k % 6 in table.ranks) for k in range(24))


def hands(cards: Counts, size: int) -> Iterator[Counts]:
    """Every hand of so many cards."""
    if not cards:
        if not size:
            yield ()
        return
    for many in range(min(cards[0], size) + 1):
        for rest in hands(cards[1:], size - many):
            yield (many, *rest)


def without(cards: Counts, hand: Counts) -> Counts:
    return tuple(a - b for a, b in zip(cards, hand, strict=True))


@cache
def declared(hand: Counts, trump: int, table: MeldTable) -> frozenset[int]:
    """Every total that a player may declare with these cards: of each meld that is there, so many or fewer."""

    def held(suit: int, *ranks: int) -> int:
        return min(hand[6 * suit + rank] for rank in ranks)

    def around(rank: int) -> int:
        return min(hand[6 * suit + rank] for suit in table.suits)

    totals = set()
    for runs in range(held(trump, ACE, TEN, KING, QUEEN, JACK) + 1):
        choices = [{0, *table.run[:runs][-1:]}, {0, *table.royal_marriage[: held(trump, KING, QUEEN) - runs]}]
        choices += [{0, *table.marriage[: held(suit, KING, QUEEN)]} for suit in table.suits if suit != trump]
        choices.append({table.nine_of_trump * nines for nines in range(hand[6 * trump + NINE] + 1)})
        choices += [{0, *table.aces[: around(ACE)]}, {0, *table.kings[: around(KING)]}]
        choices += [{0, *table.queens[: around(QUEEN)]}, {0, *table.jacks[: around(JACK)]}]
        choices.append({0, *table.pinochle[: min(held(SPADES, QUEEN), held(DIAMONDS, JACK))]})
        totals |= {sum(chosen) for chosen in product(*choices)}
    return frozenset(totals)


@cache
def dealt(table: MeldTable, players: int) -> dict[int, set[tuple[tuple[int, ...], tuple[bool, ...]]]]:
    """By trump: the totals of all players and who hasn't every ace of trump, over all deals and all declarations."""
    found = {}
    for trump in set(TRUMP_CLASSES) & set(table.suits):

        @cache
        def rest(cards: Counts, left: int, trump: int = trump) -> frozenset[tuple[tuple[int, ...], tuple[int, ...]]]:
            if not left:
                return frozenset({((), ())})
            made = set()
            for hand in hands(cards, table.hand_size):
                own, others = declared(hand, trump, table), rest(without(cards, hand), left - 1)
                aces = hand[6 * trump + ACE]
                made |= {((total, *melds), (aces, *held)) for total in own for melds, held in others}
            return frozenset(made)

        found[trump] = {
            (melds, tuple(aces < table.copies for aces in held)) for melds, held in rest(whole_pack(table), players)
        }
    return found


@cache
def dealt_to_partners(table: MeldTable) -> set[tuple[tuple[int, int], tuple[bool, bool]]]:
    """The totals of two sides of two, and which hasn't every ace of trump, over all deals and all declarations."""
    found = set()
    for trump in set(TRUMP_CLASSES) & set(table.suits):

        @cache
        def of_two(cards: Counts, trump: int = trump) -> frozenset[int]:
            made = set()
            for hand in hands(cards, table.hand_size):
                other = declared(without(cards, hand), trump, table)
                made |= {one + two for one in declared(hand, trump, table) for two in other}
            return frozenset(made)

        pack = whole_pack(table)
        for first in hands(pack, 2 * table.hand_size):
            for second in hands(without(pack, first), 2 * table.hand_size):
                short = tuple(side[6 * trump + ACE] < table.copies for side in (first, second))
                found |= {((a, b), (short[0], short[1])) for a in of_two(first) for b in of_two(second)}
    return found


ALL_SUITS, TWO_SUITS, THREE_SUITS = range(4), (SPADES, DIAMONDS), (SPADES, DIAMONDS, CLUBS)
EVERY_RANK, COURT = range(6), (KING, QUEEN, JACK)

PACKS_FOR_PLAYERS = [
    (small(SINGLE, TWO_SUITS, EVERY_RANK, 1, 6), 2),
    (small(TELLING, TWO_SUITS, EVERY_RANK, 1, 6), 2),
    (small(SINGLE, TWO_SUITS, EVERY_RANK, 1, 4), 3),
    (small(SINGLE, TWO_SUITS, EVERY_RANK, 1, 3), 4),
    (small(SINGLE, (SPADES,), (ACE, TEN, KING, QUEEN, JACK), 2, 5), 2),
    (small(DOUBLE, (SPADES,), (ACE, TEN, KING, QUEEN, JACK), 3, 7), 2),
    (small(TELLING, (SPADES,), (ACE, TEN, KING, QUEEN, JACK), 4, 5), 2),
    (small(TELLING, TWO_SUITS, COURT, 2, 4), 3),
    (small(SINGLE, TWO_SUITS, COURT, 3, 5), 2),
    (small(TELLING, TWO_SUITS, (KING, QUEEN), 4, 5), 3),
    (small(SINGLE, ALL_SUITS, COURT, 1, 4), 3),
    (small(TELLING, ALL_SUITS, (KING, QUEEN), 1, 2), 4),
    (small(TELLING, ALL_SUITS, COURT, 1, 6), 2),
    (small(SINGLE, ALL_SUITS, COURT, 1, 5), 2),  # two cards are left over
    (small(SINGLE, THREE_SUITS, (KING, QUEEN), 2, 4), 3),
    (small(TELLING, THREE_SUITS, (ACE, KING), 2, 4), 3),
]


@pytest.mark.parametrize(("table", "players"), PACKS_FOR_PLAYERS)
def test_players_totals_are_those_of_all_deals_of_a_small_pack(table: MeldTable, players: int) -> None:
    deals = set().union(*dealt(table, players).values())
    possible = {melds for melds, _short in deals}
    ones = {total for melds in possible for total in melds}
    tried = range(max(ones) + 3) if max(ones) < 40 else sorted({t + by for t in ones for by in (-1, 0, 1)} - {-1})
    assert {total for total in tried if can_meld(table, total, partners=False)} == ones
    some = list(product(sorted(ones), repeat=players))
    some = some if len(some) < 20_000 else Random(1).sample(some, 5_000)
    assert {melds for melds in some if fit_together(table, melds, partners=False)} == possible & set(some)


@pytest.mark.parametrize(
    ("table", "players"),
    [
        (small(SINGLE, TWO_SUITS, EVERY_RANK, 1, 6), 2),
        (small(TELLING, TWO_SUITS, COURT, 2, 4), 3),
        (small(SINGLE, ALL_SUITS, COURT, 1, 4), 3),
    ],
)
def test_a_known_trump_allows_the_totals_of_its_own_deals_of_a_small_pack(table: MeldTable, players: int) -> None:
    for trump, deals in dealt(table, players).items():
        possible = {melds for melds, _short in deals}
        ones = sorted({total for melds in possible for total in melds})
        every = set(product(ones, repeat=players))
        assert {melds for melds in every if fit_together(table, melds, partners=False, known=trump)} == possible
        assert all(can_meld(table, total, partners=False, known=trump) for total in ones)
        assert nearest(table, 10**6, partners=False, known=trump) == (ones[-1], None)


@pytest.mark.parametrize(
    "table",
    [
        small(SINGLE, TWO_SUITS, EVERY_RANK, 1, 3),
        small(SINGLE, TWO_SUITS, COURT, 2, 3),
        small(TELLING, TWO_SUITS, (KING, QUEEN), 4, 4),
        small(SINGLE, TWO_SUITS, (ACE, KING, QUEEN), 2, 3),
        small(SINGLE, ALL_SUITS, COURT, 1, 3),
        small(TELLING, ALL_SUITS, (ACE, QUEEN), 1, 2),
        small(TELLING, THREE_SUITS, (KING, QUEEN), 2, 3),
        small(SINGLE, TWO_SUITS, (ACE, TEN, KING, QUEEN, JACK), 1, 2),
    ],
)
def test_sides_totals_are_those_of_all_deals_of_a_small_pack(table: MeldTable) -> None:
    deals = dealt_to_partners(table)
    possible = {melds for melds, _short in deals}
    ones = {total for melds in possible for total in melds}
    tried = range(max(ones) + 3) if max(ones) < 60 else sorted({t + by for t in ones for by in (-1, 0, 1)} - {-1})
    assert {total for total in tried if can_meld(table, total, partners=True)} == ones
    some = list(product(sorted(ones), repeat=2))
    some = some if len(some) < 20_000 else Random(1).sample(some, 5_000)
    assert {melds for melds in some if fit_together(table, melds, partners=True)} == possible & set(some)
    if ACE in table.ranks:
        for side in range(2):
            accepted = {melds for melds in some if fit_together(table, melds, partners=True, nothing=side)}
            assert accepted == {melds for melds, short in deals if short[side]} & set(some)


@pytest.mark.parametrize(
    ("table", "players"), [(t, n) for t, n in PACKS_FOR_PLAYERS if ACE in t.ranks and len(t.suits) < 4]
)
def test_who_took_nothing_hadn_t_every_ace_of_trump_in_any_deal_of_a_small_pack(table: MeldTable, players: int) -> None:
    deals = set().union(*dealt(table, players).values())
    possible = sorted({melds for melds, _short in deals})
    some = possible if len(possible) < 3_000 else Random(1).sample(possible, 3_000)
    for player in range(players):
        accepted = {melds for melds in some if fit_together(table, melds, partners=False, nothing=player)}
        assert accepted == {melds for melds, short in deals if short[player]} & set(some)


# --- whole packs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "seats"), [(ST_HILARY, 4), (THREE_HAND, 3), (replace(THREE_HAND, hand_size=20), 4)])
def test_what_real_hands_declare_is_possible_alone_and_together(rules: PinochleRules, seats: int) -> None:
    rng = Random(7)
    table = meld_table(rules)
    for _deal in range(60):
        cards, _widow = shuffled(rng, rules, seats)
        for trump in range(4):
            held = [counted(hand) for hand in cards]
            whole = [meld_points(hand, trump, table) for hand in held]
            some = [rng.choice(sorted(declared(tuple(hand), trump, table))) for hand in held]
            for melds in (whole, some):
                assert all(can_meld(table, meld, partners=False) for meld in melds)
                assert fit_together(table, melds, partners=False)
                if seats == 4:
                    assert fit_together(table, (melds[0] + melds[2], melds[1] + melds[3]), partners=True)


def test_the_highest_hands() -> None:
    best = counts("AATTKKQQJJ.s JJ.d")
    assert meld_points(best, SPADES, SINGLE) == 180
    assert nearest(SINGLE, 10**12, partners=False) == (180, None)
    best = counts("AAAATTKKQQJJ.s AAAA.h AAAAJ.d AAAA.c")
    assert sum(best) == 25
    assert meld_points(best, SPADES, DOUBLE) == 5540
    assert nearest(DOUBLE, 5541, partners=False) == (5540, None)


def test_the_highest_of_two_partners() -> None:
    bidder, partner = counts("AATTKKQQJJ.s JJ.d"), counts("JJ.h KK.h KK.d KK.c QQ.h QQ.d")
    assert sum(bidder) == sum(partner) == 12
    best = meld_points(bidder, SPADES, SINGLE) + meld_points(partner, SPADES, SINGLE)
    assert can_meld(SINGLE, best, partners=True)
    assert nearest(SINGLE, 360, partners=True) == (222, None)
    bidder, partner = counts("AATTKKQQJJ.s 99.s"), counts("AA.h AA.d AA.c JJ.h JJ.d JJ.c")
    assert [meld_points(hand, SPADES, SINGLE) for hand in (bidder, partner)] == [152, 0]


def test_the_highest_hand_needs_its_trump() -> None:
    assert can_meld(SINGLE, 180, partners=False, known=SPADES)
    assert not can_meld(SINGLE, 180, partners=False, known=HEARTS)
    assert nearest(SINGLE, 180, partners=False, known=HEARTS) == (154, None)


def test_the_lowest_meld_on_the_scale_of_tens_is_a_marriage() -> None:
    assert not can_meld(DOUBLE, 45, partners=False)
    assert not can_meld(DOUBLE, 10, partners=False)
    assert can_meld(DOUBLE, 20, partners=False)
    assert nearest(DOUBLE, 15, partners=False) == (0, 20)
    assert nearest(DOUBLE, 305, partners=False) == (300, 310)


@pytest.mark.parametrize("meld", [-1, 181, 179, 10**12])
def test_melds_that_no_player_can_have(meld: int) -> None:
    assert not can_meld(SINGLE, meld, partners=False)


def test_the_neighbours_of_a_total_that_can_not_be_can_be() -> None:
    for table, partners in ((SINGLE, False), (SINGLE, True), (DOUBLE, False)):
        for meld in range(1, 300, 7):
            below, above = nearest(table, meld, partners=partners)
            between = set(range(below + 1, above or meld)) - {meld}
            assert not any(can_meld(table, total, partners=partners) for total in between)
            assert can_meld(table, below, partners=partners)
            assert above is None or can_meld(table, above, partners=partners)


def test_the_neighbours_of_a_total_under_a_known_trump_can_be_under_that_trump() -> None:
    for meld in range(50, 125):
        below, above = nearest(SINGLE, meld, partners=False, known=HEARTS)
        assert can_meld(SINGLE, below, partners=False, known=HEARTS)
        assert above is not None
        assert can_meld(SINGLE, above, partners=False, known=HEARTS)
        between = set(range(below + 1, above)) - {meld}
        assert not any(can_meld(SINGLE, total, partners=False, known=HEARTS) for total in between)


def test_one_pack_can_not_give_every_two_melds() -> None:
    assert fit_together(SINGLE, (48, 52), partners=True)
    assert fit_together(SINGLE, (53, 47), partners=True)
    assert not fit_together(SINGLE, (48, 53), partners=True)
    assert not fit_together(SINGLE, (53, 48), partners=True)
    assert possible_instead(SINGLE, (48, 53), partners=True) == 52
    assert not fit_together(SINGLE, (150, 150), partners=True)
    assert fit_together(FOUR_HAND_DOUBLE, (4100, 4100), partners=True)
    assert not fit_together(FOUR_HAND_DOUBLE, (5000, 6000), partners=True)


def test_what_could_be_in_place_of_the_highest_meld_fits_beside_the_others() -> None:
    for table, melds, partners in (
        (SINGLE, (150, 180), True),
        (DOUBLE, (5540, 300, 5540), False),
        (FOUR_HAND_DOUBLE, (6000, 5000), True),
    ):
        assert not fit_together(table, melds, partners=partners)
        less = possible_instead(table, melds, partners=partners)
        assert less is not None
        assert less < max(melds)
        assert fit_together(table, (*sorted(melds)[:-1], less), partners=partners)


def test_nothing_could_be_in_place_of_one_meld_when_the_others_do_not_fit_either() -> None:
    assert possible_instead(DOUBLE, (5540, 5540, 5540), partners=False) is None


def test_every_ace_of_trump_wins_a_counter() -> None:
    assert fit_together(SINGLE, (200, 0), partners=True)
    assert fit_together(SINGLE, (200, 0), partners=True, nothing=1)
    assert not fit_together(SINGLE, (200, 0), partners=True, nothing=0)


# --- cards with one figure changed ---------------------------------------------------------------------

TWELVE = replace(ST_HILARY, ranks=("K", "Q", "J"), copies=1, hand_size=3, cards_passed=1)


def test_of_true_cards_with_a_meld_changed_all_that_no_deal_gives_are_refused_and_no_other() -> None:
    rng = Random(12)
    given = {melds for melds, _short in dealt_to_partners(meld_table(TWELVE))}
    refused = 0
    for number in range(400):
        true = partnership.play(rng, TWELVE, number)
        if not true.meld:
            continue  # its card has the melds by name
        side, by = rng.randrange(2), rng.choice((-4, -3, -2, -1, 1, 2, 3, 4, 6, 8, 10, 20))
        melds = tuple(max(0, meld + by * (side == other)) for other, meld in enumerate(true.meld))
        card = replace(true, meld=melds, counted=(), take=(), last_trick=None, ending=Ending.RENEGE_BID_SIDE)
        wrong = {p.field for p in partnership.check(card, TWELVE) if p.severity == Severity.IMPOSSIBLE}
        assert (wrong == {"meld"}) == (melds not in given), melds
        refused += melds not in given
    assert refused > 50


@pytest.mark.parametrize("slug", ["st-hilary-v3", "three-hand-double-pinochle"])
def test_no_melds_of_a_true_card_are_refused_in_any_order_of_sides(slug: str) -> None:
    for rules, facts in true_deals(shipped()[slug], seed="exact", count=200):
        table, partners = meld_table(rules), rules.shape.per_side == 2
        if facts.meld:
            assert fit_together(table, facts.meld, partners=partners)
            assert fit_together(table, facts.meld[::-1], partners=partners)
