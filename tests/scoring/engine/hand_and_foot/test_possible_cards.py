"""Hand and Foot, exactly: what one pack can hold, against brute force for small packs and against true deals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.card import Totals
from scoring.engine.hand_and_foot.melds import melds_of
from scoring.engine.hand_and_foot.possible_cards import (
    OutOfSteps,
    Search,
    Wanted,
    exact_span,
    is_roomy,
    one_pack_holds,
    quick_span,
    wanted_of,
)
from scoring.engine.hand_and_foot.scoring import HandAndFootDeal, HandAndFootRules, SideCard, check, play

RULE_SET = shipped()["hand-and-foot"]
PARTNERS: HandAndFootRules = rules_of(RULE_SET, Shape(2, 2))
TWO_PLAYERS: HandAndFootRules = rules_of(RULE_SET, Shape(2, 1))

SMALL = replace(
    TWO_PLAYERS,
    decks_in_all=1,
    jokers_per_deck=1,
    hand=2,
    foot=1,
    card_values=(("joker", 50), ("2", 20), ("K", 10), ("4", 5), ("3", 5)),
    meld_least=2,
    pile_size=3,
    naturals_per_wild=1,
    naturals_least=1,
    first_meld=(),
)
"""One deck of kings, fours, twos, a joker and two black threes; piles of three cards, melds of two."""
SMALL_PACKS = {
    "piles of three": SMALL,
    "no wild melds": replace(SMALL, wild_melds=False, may_float=True, hand=3),
    "piles of four": replace(SMALL, pile_size=4, meld_least=3, naturals_per_wild=2, naturals_least=2),
    "a book of fours": replace(SMALL, special_books=(("4", 500),)),
    "piles that grow": replace(SMALL, pile_closed=False, wild_melds=False),
}

Taken = tuple[int, ...]  # kings, fours, twos, jokers, black threes
PACK: Taken = (4, 4, 4, 1, 2)
Figures = tuple[tuple[int, ...], int, int, int]  # (clean, books, dirty), wild piles, melded, left


# --- brute force: every way of taking cards from a small pack, written from the rules and nothing else -------


def melds_of_rank(rules: HandAndFootRules, cards: int) -> Iterator[list[tuple[int, int]]]:
    """Every set of melds of one rank: (naturals, wild cards) of each, with one incomplete meld at most."""
    wilds = 5
    shapes = [
        (naturals, wild)
        for naturals, wild in product(range(1, cards + 1), range(wilds + 1))
        if rules.meld_least <= naturals + wild
        and (naturals + wild <= rules.pile_size or not rules.pile_closed)
        and naturals >= max(rules.naturals_least if wild else 1, rules.naturals_per_wild * wild)
    ]

    def more(start: int, left: int, wild_left: int, has_open: bool) -> Iterator[list[tuple[int, int]]]:
        yield []
        for place in range(start, len(shapes)):
            naturals, wild = shapes[place]
            is_open = naturals + wild < rules.pile_size
            if naturals <= left and wild <= wild_left and not (is_open and has_open):
                for others in more(place, left - naturals, wild_left - wild, has_open or is_open):
                    yield [(naturals, wild), *others]

    yield from more(0, cards, wilds, False)


def wild_melds(rules: HandAndFootRules) -> Iterator[tuple[int, int]]:
    """(wild piles, wild cards) of every set of wild melds."""
    yield 0, 0
    if rules.wild_melds:
        for piles, open_cards in product(range(3), range(rules.pile_size)):
            cards = piles * rules.pile_size + open_cards
            if (not open_cards or open_cards >= rules.meld_least) and 0 < cards <= 5:
                yield piles, cards


@cache
def one_side(name: str) -> dict[Figures, frozenset[Taken]]:
    """For every card that a side can have, the cards of the pack that it can be made of."""
    rules = SMALL_PACKS[name]
    books = [rank for rank, _ in rules.special_books]
    found: dict[Figures, set[Taken]] = defaultdict(set)
    of_a_rank = list(melds_of_rank(rules, 4))
    for kings, fours, (wild_piles, in_wild_melds) in product(of_a_rank, of_a_rank, list(wild_melds(rules))):
        of_kings, of_fours = (sum(naturals for naturals, _ in melds) for melds in (kings, fours))
        wilds = in_wild_melds + sum(wild for _, wild in kings + fours)
        if wilds > 5:
            continue
        complete = [[(n, w) for n, w in melds if n + w >= rules.pile_size] for melds in (kings, fours)]
        clean = [sum(w == 0 for _, w in melds) for melds in complete]
        dirty = sum(w > 0 for melds in complete for _, w in melds)
        piles: tuple[int, ...] = (*clean, dirty) if books else (sum(clean), dirty)
        for jokers in range(max(0, wilds - 4), min(1, wilds) + 1):
            melded = 10 * of_kings + 5 * of_fours + 20 * (wilds - jokers) + 50 * jokers
            used = (of_kings, of_fours, wilds - jokers, jokers, 0)
            for left in product(*(range(n - m + 1) for n, m in zip(PACK, used, strict=True))):
                cards = of_kings + of_fours + wilds + sum(left)
                if cards < rules.dealt or (not sum(left) and not rules.may_float):
                    continue
                points = 10 * left[0] + 5 * left[1] + 20 * left[2] + 50 * left[3] + 5 * left[4]
                taken = tuple(m + n for m, n in zip(used, left, strict=True))
                found[piles, wild_piles, melded, points].add(taken)
    return {figures: frozenset(ways) for figures, ways in found.items()}


def really(name: str, first: Figures, second: Figures) -> bool:
    """Whether one pack has both sides' cards, by trying all."""
    ways = one_side(name)
    return any(
        all(a + b <= most for a, b, most in zip(one, other, PACK, strict=True))
        for one in ways.get(first, ())
        for other in ways.get(second, ())
    )


def card(name: str, figures: Figures) -> SideCard:
    piles, wild, melded, left = figures
    special = piles[1:-1] if SMALL_PACKS[name].special_books else ()
    return SideCard(clean=piles[0], special=special, dirty=piles[-1], wild=wild, melded=melded, left=left)


def accepted(name: str, *sides: Figures) -> bool:
    return check(HandAndFootDeal(sides=tuple(card(name, side) for side in sides)), SMALL_PACKS[name]) == ()


@pytest.mark.parametrize("name", SMALL_PACKS)
def test_one_side_of_a_small_pack_can_have_exactly_what_brute_force_finds(name: str) -> None:
    """Every combination of piles, points melded and points left that there is, possible or not."""
    rules, ways = SMALL_PACKS[name], one_side(name)
    kinds = [sorted({figures[0][kind] for figures in ways}) for kind in range(len(next(iter(ways))[0]))]
    wrong = []
    for *piles, wild, melded, left in product(*kinds, range(2), range(0, 190, 5), range(0, 190, 15)):
        figures = tuple(piles), wild, melded, left
        wanted = wanted_of(
            Totals(clean=piles[0], special=tuple(piles[1:-1]), dirty=piles[-1], wild=wild, melded=melded, left=left),
            False,
            melds_of(rules),
        )
        if one_pack_holds(rules, (wanted,)) != (figures in ways):
            wrong.append(figures)
    assert wrong == []


@pytest.mark.parametrize("name", SMALL_PACKS)
def test_both_sides_of_a_small_pack_can_have_exactly_what_brute_force_finds(name: str) -> None:
    rng, ways = Random(name), one_side(name)
    cards = sorted(ways)
    tried = {True: 0, False: 0}
    for _ in range(400):
        first, second = rng.choice(cards), rng.choice(cards)
        possible = really(name, first, second)
        assert accepted(name, first, second) == possible, (first, second)
        tried[possible] += 1
    assert min(tried.values()) > 5


@pytest.mark.parametrize("name", SMALL_PACKS)
def test_a_possible_card_with_one_number_changed_is_refused_when_no_pack_can_give_it(name: str) -> None:
    rng, ways = Random(f"{name} changed"), one_side(name)
    cards = sorted(ways)
    changed = refused = 0
    while changed < 250:
        first, second = rng.choice(cards), rng.choice(cards)
        if not really(name, first, second):
            continue
        (piles, wild, melded, left), by = first, rng.choice([-2, -1, 1, 2, 3])
        match rng.randrange(3):
            case 0:
                kind = rng.randrange(len(piles))
                piles = (*piles[:kind], max(0, piles[kind] + by), *piles[kind + 1 :])
            case 1:
                melded = max(0, melded + 5 * by)
            case _:
                left = max(0, left + 5 * by)
        changed += 1
        figures = piles, wild, melded, left
        possible = really(name, figures, second)
        assert accepted(name, figures, second) == possible, (figures, second)
        refused += not possible
    assert refused > 20


# --- the real packs -----------------------------------------------------------------------------------------


def wanted(facts: HandAndFootDeal, rules: HandAndFootRules) -> tuple[Wanted, ...]:
    totals = [
        Totals(
            clean=side.clean or 0, dirty=side.dirty or 0, wild=side.wild or 0,
            red_threes=side.red_threes, red_threes_missed=side.red_threes_missed,
            melded=side.melded or 0, left=side.left or 0,
        )
        for side in facts.sides
    ]  # fmt: skip
    return tuple(sorted(wanted_of(card, facts.out == side, melds_of(rules)) for side, card in enumerate(totals)))


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 1), Shape(3, 1)], ids=str)
def test_the_search_finds_the_cards_of_true_deals(shape: Shape) -> None:
    """Also where the figures are so far from all limits that `check` spares the search."""
    rules, rng = rules_of(RULE_SET, shape), Random(3)
    found = cut_off = 0
    for number in range(25):
        sides = wanted(play(rng, rules, number % 4), rules)
        try:
            assert Search(melds_of(rules)).fits(sides)
            found += 1
        except OutOfSteps:
            cut_off += 1
    assert found > 4 * cut_off


def test_cards_that_an_integer_program_couldnt_deal_are_refused() -> None:
    """Each side's piles can be worth its points; held to be impossible by an integer program too."""
    for first, second in [
        ((0, 2, 0, 100, 805), (3, 2, 1, 370, 495)),
        ((2, 1, 1, 260, 125), (0, 0, 1, 1110, 75)),
        ((4, 2, 0, 270, 100), (1, 2, 1, 335, 355)),
        ((2, 3, 0, 260, 440), (2, 2, 1, 310, 760)),
    ]:
        sides = [Totals(clean=c, dirty=d, wild=w, melded=m, left=left) for c, d, w, m, left in (first, second)]
        melds = melds_of(TWO_PLAYERS)
        both = tuple(sorted(wanted_of(side, False, melds) for side in sides))
        assert not is_roomy(melds, both, exact_span(melds))
        assert not is_roomy(melds, both, quick_span(melds))
        assert not one_pack_holds(TWO_PLAYERS, both), (first, second)
        assert all(one_pack_holds(TWO_PLAYERS, (side,)) for side in both)


def test_points_that_piles_cannot_be_worth_are_refused_with_the_nearest_that_they_can() -> None:
    held = SideCard(left=600)
    two_clean = SideCard(clean=2, melded=80, left=400)
    (problem,) = check(HandAndFootDeal(sides=(two_clean, held)), PARTNERS)
    assert problem.code == "hand-and-foot.melded-never"
    assert dict(problem.args) == {"clean": 2, "dirty": 0, "wild": 0, "below": 70, "above": 85, "melded": 80}
    (problem,) = check(HandAndFootDeal(sides=(replace(two_clean, clean=3, melded=60), held)), PARTNERS)
    assert problem.code == "hand-and-foot.melded-low"
    assert dict(problem.args)["least"] == 105


def test_sides_that_cannot_be_together_are_told_so() -> None:
    first = SideCard(clean=4, dirty=2, melded=270, left=100)
    second = SideCard(clean=1, dirty=2, wild=1, melded=335, left=355)
    (problem,) = check(HandAndFootDeal(sides=(first, second)), TWO_PLAYERS)
    assert (problem.code, problem.side) == ("hand-and-foot.together", None)
    assert dict(problem.args) == {"decks": 3, "melded": 605, "left": 455}


def test_what_is_left_beside_those_melds_is_told_with_the_nearest_that_can_be() -> None:
    """The first such card of a small pack from which eight cards are dealt to a side: what is left is too little."""
    rules = replace(SMALL, hand=4, foot=4)
    first = next(
        facts
        for melded, left in product(range(50, 150, 5), range(5, 60, 5))
        for facts in [HandAndFootDeal(sides=(SideCard(dirty=1, melded=melded, left=left), SideCard(left=75)))]
        if "hand-and-foot.left-never" in {problem.code for problem in check(facts, rules)}
    )
    (problem,) = check(first, rules)
    nearest = dict(problem.args)["next"]
    assert isinstance(nearest, int)
    mended = replace(first.sides[0], left=nearest)
    alone = wanted_of(Totals(dirty=1, melded=mended.melded or 0, left=nearest), False, melds_of(rules))
    assert problem.side == 0
    assert one_pack_holds(rules, (alone,))


@pytest.mark.parametrize(
    ("slug", "shape"),
    [
        ("hand-and-foot", Shape(2, 2)),
        ("hand-and-foot", Shape(2, 1)),
        ("hand-and-foot", Shape(6, 1)),
        ("hand-and-foot-simpson", Shape(3, 1)),
        ("hand-knee-and-foot", Shape(2, 2)),
    ],
)
def test_within_a_sure_span_every_number_of_units_can_be_melded(slug: str, shape: Shape) -> None:
    melds = melds_of(rules_of(shipped()[slug], shape))
    rng, found = Random(5), 0
    for _ in range(25):
        piles = tuple(rng.randrange(4) for _ in melds.no_piles)
        wild = rng.randrange(3) if melds.rules.wild_melds else 0
        span = melds.sure_span(piles, wild)
        if span is not None:
            found += 1
            inside = melds.points(piles, wild) >> span[0] & (1 << span[1] - span[0] + 1) - 1
            assert inside == (1 << span[1] - span[0] + 1) - 1
    assert found


@pytest.mark.parametrize(
    ("slug", "shape"),
    [("hand-and-foot", Shape(2, 2)), ("hand-and-foot", Shape(2, 1)), ("hand-knee-and-foot", Shape(2, 2))],
)
def test_a_sure_span_lies_within_what_piles_can_be_worth_however_many_they_are(slug: str, shape: Shape) -> None:
    """Where the cheap cards or the wild ones run out, and where the piles don't fit."""
    melds, rng, found = melds_of(rules_of(shipped()[slug], shape)), Random(9), 0
    for _ in range(120):
        piles = rng.randrange(24), *(rng.randrange(3) for _ in melds.rules.special_books), rng.randrange(30)
        wild = rng.randrange(5)
        enough, span = melds.enough_for(piles, wild), melds.sure_span(piles, wild)
        points = melds.points(piles, wild)
        if enough is not None:
            assert points & ((1 << enough + 1) - 1)
        if span is not None:
            found += 1
            assert points >> span[0] & (1 << span[1] - span[0] + 1) - 1 == (1 << span[1] - span[0] + 1) - 1
    assert found > 10


@pytest.mark.parametrize(
    ("slug", "piles", "wild", "enough"),
    [
        ("hand-and-foot", (0, 0), 0, 0),
        ("hand-and-foot", (1, 1), 1, 7 + 10 + 28),
        ("hand-and-foot", (9, 3), 0, 8 * 7 + 14 + 3 * 13),  # what is left of four ranks: five and two wild ones
        ("hand-and-foot", (0, 0), 3, 20 * 4 + 10),  # a joker
        ("hand-and-foot", (22, 0), 0, 8 * 7 + 12 * 14 + 2 * 28),
        ("hand-and-foot", (23, 0), 0, None),
        ("hand-and-foot", (0, 3), 4, None),  # more wild cards than there are
        ("hand-knee-and-foot", (1, 1, 1, 1), 1, 3 * 7 + 10 + 28),
        ("hand-knee-and-foot", (8, 1, 0, 0), 0, 6 * 7 + 2 * 14 + 7),  # sevens and fives make special books
        ("hand-knee-and-foot", (6, 0, 0, 2), 0, 6 * 7 + 2 * 10),  # or dirty ones
        ("hand-knee-and-foot", (0, 3, 3, 0), 0, 6 * 7),
        ("hand-knee-and-foot", (0, 4, 0, 0), 0, None),
    ],
)
def test_so_many_units_are_enough_for_piles(slug: str, piles: tuple[int, ...], wild: int, enough: int | None) -> None:
    assert melds_of(rules_of(shipped()[slug], Shape(2, 2))).enough_for(piles, wild) == enough


def test_three_sides_of_a_small_pack_can_have_exactly_what_brute_force_finds() -> None:
    """Each with what one of them could have; the search tries the first two in many ways that leave the same."""
    name = "piles of three"
    rng, ways, melds = Random("three"), one_side(name), melds_of(SMALL)
    cards = sorted(figures for figures in ways if min(map(sum, ways[figures])) <= 6)
    tried = {True: 0, False: 0}
    for _ in range(250):
        sides = [rng.choice(cards) for _side in range(3)]
        possible = any(
            all(sum(counts) <= most for *counts, most in zip(*taken, PACK, strict=True))
            for taken in product(*(ways[figures] for figures in sides))
        )
        wanted = [
            wanted_of(Totals(clean=piles[0], dirty=piles[-1], wild=wild, melded=melded, left=left), False, melds)
            for piles, wild, melded, left in sides
        ]
        assert one_pack_holds(SMALL, tuple(sorted(wanted))) == possible, sides
        tried[possible] += 1
    assert min(tried.values()) > 5
