"""The cards of a deal of Hand and Foot: what a pack and a hand can hold, and cards that are counted one by one."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, groupby
from math import gcd
from typing import NamedTuple

from scoring.engine.core.ledger import Problem, against_rules, impossible, malformed
from scoring.engine.hand_and_foot.card import (
    ALL_BLACK_THREES,
    BLACK_THREE,
    EXTRA,
    HELD,
    HELD_RANKS,
    JOKER,
    KING_HIGH,
    RED_SUITS,
    SPECIAL,
    SUITS,
    TWO,
    UNFINISHED,
    WILD,
    CountedCards,
    HandAndFootDeal,
    HandAndFootRules,
    RankMeld,
    SideCard,
    Totals,
)


class Piles(NamedTuple):
    """How many piles there are of each kind; `special` has those with a bonus of their own, in the rules' order."""

    clean: int = 0
    dirty: int = 0
    wild: int = 0
    special: tuple[int, ...] = ()


class _Book(NamedTuple):
    """A pile with a bonus of its own."""

    kind: str  # what it counts as: "clean", "dirty" or "wild"
    cards: int  # the fewest
    points: int  # the least of these cards
    most: int  # how many the pack has


class Limits:
    """The bounds for one rule set and shape. Made once by `limits_of`.

    Four players use five decks: 10 jokers and 20 twos, 10 red threes, 2,950 points of cards.

    >>> from scoring.engine.core.ruleset import shipped, Shape
    >>> from scoring.engine.families import rules_of
    >>> limits = limits_of(rules_of(shipped()["hand-and-foot"], Shape(2, 2)))
    >>> [limits.least_melded(piles) for piles in (Piles(clean=3), Piles(dirty=1), Piles(wild=1))]
    [105, 50, 140]
    >>> limits.wilds, limits.red_threes, limits.pack_points
    (30, 10, 2950)
    """

    def __init__(self, rules: HandAndFootRules) -> None:
        decks, values = rules.decks, rules.values
        self._rules = rules
        self.jokers = rules.jokers_per_deck * decks
        self.twos = SUITS * decks
        self.wilds = self.jokers + self.twos
        self.red_threes = self.black_threes = RED_SUITS * decks
        self.per_rank = SUITS * decks
        self._of_a_rank = self.per_rank // rules.pile_size
        self.unit = gcd(*values.values(), rules.black_three_left or 0)
        books = [name for name, _ in rules.special_books]
        self.naturals = sorted(values[rank] for rank in rules.natural_ranks)
        self._dirty_values = sorted(values[rank] for rank in rules.natural_ranks if rank not in rules.no_wild_ranks)
        self._clean_values = sorted(values[rank] for rank in rules.natural_ranks if rank not in books)
        pure = {rank for rank in books if rank in rules.no_wild_ranks}  # whose only piles are special
        self._usual_ranks = len(rules.natural_ranks) - len(pure)
        self._wild_values = sorted([values[JOKER]] * self.jokers + [values[TWO]] * self.twos, reverse=True)
        threes = [] if rules.threes_natural else [values[BLACK_THREE]] * (RED_SUITS * decks)
        if rules.threes_by_count:  # a red three that stays in a hand counts as a black one does
            threes *= 2
        self._ascending_cards = sorted(
            self._wild_values + [value for value in self.naturals for _ in range(self.per_rank)] + threes
        )
        self._least_points = list(accumulate(self._ascending_cards, initial=0))
        self.pack_points = sum(self._ascending_cards)
        if rules.black_three_left is not None:
            self.pack_points += len(threes) * max(0, rules.black_three_left - values[BLACK_THREE])
        if rules.black_three_melds and RED_SUITS * decks >= rules.pile_size:
            # black threes can make a pile; the bound takes them to be as many as the cards of any rank
            self.naturals = sorted([*self.naturals, values[BLACK_THREE]])
            self._clean_values = sorted([*self._clean_values, values[BLACK_THREE]])
        self.smallest_card = self._ascending_cards[0]
        cheapest_wild = self._wild_values[-1]
        self._cheapest_slots = [min(value, cheapest_wild) for value in self.naturals]  # to add to incomplete melds
        if rules.wild_melds:
            self._cheapest_slots.append(cheapest_wild)
        self._books = [self._book(name) for name in books]
        self.least_melded = lru_cache(maxsize=4096)(self._least_melded)
        self.piles_fit = lru_cache(maxsize=4096)(self._piles_fit)

    def _book(self, name: str) -> _Book:
        rules, values = self._rules, self._rules.values
        size = rules.pile_size
        if name in rules.natural_ranks:
            return _Book("clean", size, size * values[name], self._of_a_rank)
        suits, naturals = SUITS * rules.decks, self.naturals
        suit = [values[rank] for rank in rules.natural_ranks]
        match name:
            case "2":
                return _Book("wild", size, size * values[TWO], self.twos // size)
            case "joker":
                twos = max(0, size - self.jokers)
                return _Book("wild", size, self.jokers * values[JOKER] + twos * values[TWO], 1)
            case "sequence":  # of ranks beside each other
                windows = [sum(suit[n : n + size]) for n in range(max(1, len(suit) - size + 1))]
                return _Book("clean", size, min(windows), suits)
            case "semi-clean":
                return _Book("dirty", size + 1, size * naturals[0] + self._wild_values[-1], self.wilds)
        # from ace to king with the natural two, and a second ace
        second_aces, at_most = (0, suits) if name == KING_HIGH else (1, suits // 2)
        return _Book("clean", len(suit) + 1 + second_aces, sum(suit) + values[TWO] + second_aces * values["A"], at_most)

    def most_of(self, figure: str) -> int:
        """The most that one side can have of a figure of the card (see `HandAndFootRules.figures`)."""
        rules = self._rules
        if figure in ("red_threes", "red_threes_missed", "black_threes"):
            return self.red_threes
        if figure == "perfect":
            return rules.shape.per_side
        if figure in ("melded", "left"):
            return self.pack_points
        if figure.startswith(SPECIAL):
            names = [name for name, _ in rules.special_books]
            return self._books[names.index(figure.removeprefix(SPECIAL))].most
        if figure.startswith(EXTRA):
            return len(HELD_RANKS) * rules.shape.per_side if figure == f"{EXTRA}{HELD}" else 1
        most = 0
        clean, dirty, wild = (int(figure == kind) for kind in ("clean", "dirty", "wild"))
        while self.piles_fit(Piles(clean * (most + 1), dirty * (most + 1), wild * (most + 1))):
            most += 1
        return most

    # Piles

    def kinds(self, piles: Piles) -> dict[str, int]:
        """How many clean, dirty and wild piles there are, those with a bonus of their own among them."""
        all_of = {"clean": piles.clean, "dirty": piles.dirty, "wild": piles.wild}
        for book, count in zip(self._books, piles.special, strict=False):
            all_of[book.kind] += count
        return all_of

    def _piles_fit(self, piles: Piles) -> bool:
        """Whether one pack can hold all these piles at once, those of all sides together."""
        clean, dirty, wild = self.kinds(piles).values()
        size, rules = self._rules.pile_size, self._rules
        wilds_left = self.wilds - size * wild
        if dirty > wilds_left or (wild > 1 and rules.rank_once) or self._books_over(piles):
            return False
        if rules.sequences:  # no more cards than the pack has, and enough natural ones
            naturals = len(rules.natural_ranks) * self.per_rank + (self.twos if rules.threes_natural else 0)
            cards = size * (clean + dirty)
            return cards <= naturals + wilds_left and cards - dirty * rules.wilds_in(size) <= naturals
        if piles.clean > len(self._clean_values) * self._of_a_rank:
            return False
        if rules.rank_once and piles.clean + piles.dirty > self._usual_ranks:
            return False
        simple = not rules.no_wild_ranks and not rules.rank_once
        if simple and clean + dirty <= len(self.naturals) * self._of_a_rank:
            return True
        needed = self._wilds_needed.get((clean, dirty))
        return needed is not None and needed <= wilds_left

    def _books_over(self, piles: Piles) -> bool:
        """Whether there are more of a special pile than the pack has, or more of two kinds of wild ones together."""
        counts = dict(zip((name for name, _ in self._rules.special_books), piles.special, strict=False))
        twos = counts.get(TWO, 0) * self._rules.pile_size
        twos += counts.get(JOKER, 0) * max(0, self._rules.pile_size - self.jokers)
        return twos > self.twos or any(
            count > book.most for book, count in zip(self._books, piles.special, strict=False)
        )

    @cached_property
    def _wilds_needed(self) -> dict[tuple[int, int], int]:
        """(clean piles, dirty piles) -> fewest wild cards that they take, over all ranks of the pack."""
        plain = self._one_rank_piles()
        pure = [(clean, dirty, wilds) for clean, dirty, wilds in plain if not dirty]
        no_wild = len(self._rules.no_wild_ranks)
        best = {(0, 0): 0}
        for number in range(len(self.naturals)):
            wider: dict[tuple[int, int], int] = {}
            for (clean, dirty), wilds in best.items():
                for more_clean, more_dirty, more_wilds in pure if number < no_wild else plain:
                    key, total = (clean + more_clean, dirty + more_dirty), wilds + more_wilds
                    if total <= self.wilds and total < wider.get(key, total + 1):
                        wider[key] = total
            best = wider
        return best

    def _one_rank_piles(self) -> list[tuple[int, int, int]]:
        size = self._rules.pile_size
        most_wilds = self._rules.wilds_in(size)  # in a dirty pile
        combinations = []
        for clean in range(self._of_a_rank + 1):
            naturals = self.per_rank - clean * size
            dirty = 0
            while (wilds := max(dirty, dirty * size - naturals)) <= dirty * most_wilds:
                if clean + dirty <= 1 or not self._rules.rank_once:
                    combinations.append((clean, dirty, wilds))
                dirty += 1
                if dirty > self.wilds:
                    break
        return combinations

    # Card points of melds

    def _least_melded(self, piles: Piles) -> int:
        """The least card points of these piles, which must fit (`piles_fit`): 35 for a clean one, 50 for a dirty one
        and 140 for a wild one, as long as the low ranks and the twos last."""
        size, rules = self._rules.pile_size, self._rules
        total = sum(book.points * count for book, count in zip(self._books, piles.special, strict=False))
        clean, dirty, wild, _special = piles
        if rules.sequences:
            wilder = self._wild_values[-1] - self.naturals[0]  # by what a wild card is dearer than a natural one
            total += (clean + dirty) * size * self.naturals[0] + self._cheapest_wilds(size * wild)
            total += dirty * wilder * (1 if wilder > 0 else rules.wilds_in(size))
            return max(total, self.least_points_of(self.cards_in(piles)))
        for value in self._clean_values:
            piles_of_rank = min(clean, self._of_a_rank)
            total += piles_of_rank * size * value
            clean -= piles_of_rank
        cheapest_wild, cheapest = self._wild_values[-1], (self._dirty_values or self.naturals)[0]
        if cheapest_wild >= cheapest:
            total += dirty * (size - 1) * cheapest + self._cheapest_wilds(size * wild + dirty)
        else:
            total += dirty * size * cheapest_wild + self._cheapest_wilds(size * wild)
        return total

    def _cheapest_wilds(self, count: int) -> int:
        return sum(self._wild_values[-count:]) if count else 0

    # Cards that must be somewhere

    def cards_in(self, piles: Piles) -> int:
        """The fewest cards of these piles."""
        special = sum(book.cards * count for book, count in zip(self._books, piles.special, strict=False))
        return self._rules.pile_size * sum(piles[:3]) + special

    def most_cards_melded(self, piles: Piles, melded: int) -> int:
        """The most cards that can be on the table (red threes apart) with these piles and card points; the points must
        be enough for the piles."""
        size, rules = self._rules.pile_size, self._rules
        cards = self.cards_in(piles)
        points = melded - self.least_melded(piles)
        if rules.black_three_melds or not rules.pile_closed:
            return cards + points // self.smallest_card if self.smallest_card else len(self._ascending_cards)
        for value in self._cheapest_slots:
            if points < value:
                break
            cards_of_rank = min(size - 1, points // value) if value else size - 1
            cards += cards_of_rank
            points -= cards_of_rank * value
        return cards

    def least_points_of(self, cards: int) -> int:
        """The least points of this many cards (red threes apart)."""
        return self._least_points[min(max(0, cards), len(self._ascending_cards))]

    def least_left(self, *, out: bool, missed: int = 0) -> int:
        """The least card points left of a side with `missed` red threes not tabled: a player not out holds a card."""
        if self._rules.may_float:
            return 0
        return self.least_points_of(self._rules.shape.per_side - out - missed)

    def least_of_extras(self, extras: tuple[int, ...]) -> int:
        """The least card points of melds that aren't complete, where the rules count these."""
        values, least = self._rules.values, self._rules.meld_least
        points = {**values, WILD: self._wild_values[-1]}
        names = [name for name, _ in self._rules.extras]
        return sum(
            count * least * points[name.removeprefix(UNFINISHED)]
            for name, count in zip(names, extras, strict=False)
            if name.startswith(UNFINISHED)
        )

    def least_held(self, extras: tuple[int, ...]) -> int:
        """The least card points left of hands with three cards of a rank."""
        count = sum(n for (name, _), n in zip(self._rules.extras, extras, strict=False) if name == HELD)
        return 3 * count * min(self._rules.values[rank] for rank in HELD_RANKS)


@lru_cache(maxsize=64)
def limits_of(rules: HandAndFootRules) -> Limits:
    return Limits(rules)


UNSCORABLE = frozenset({"hand-and-foot.counted-rank", "hand-and-foot.counted-left", "hand-and-foot.counted-negative"})

BY_MELDS = ("clean", "dirty", "wild", "melded")  # figures that follow from the melds
EXTRAS_BY_MELDS = (UNFINISHED, ALL_BLACK_THREES)  # how the names of the extras begin that follow from them


NOTHING = Totals()


def side_totals(card: SideCard, rules: HandAndFootRules) -> Totals:
    """A side's figures: those noted on the card, the others as counted, or nothing."""
    counted = NOTHING if card.counted is None else counted_totals(card.counted, rules)
    return Totals(
        clean=counted.clean if card.clean is None else card.clean,
        dirty=counted.dirty if card.dirty is None else card.dirty,
        wild=counted.wild if card.wild is None else card.wild,
        special=_noted_or_counted(card.special, counted.special, count=len(rules.special_books)),
        extras=_noted_or_counted(card.extras, counted.extras, count=len(rules.extras)),
        red_threes=card.red_threes,
        black_threes=card.black_threes,
        red_threes_missed=card.red_threes_missed,
        perfect=card.perfect,
        melded=counted.melded if card.melded is None else card.melded,
        left=counted.left if card.left is None else card.left,
    )


def _noted_or_counted(written: tuple[int | None, ...], counted: tuple[int, ...], *, count: int) -> tuple[int, ...]:
    """Figures that come in a row, such as special books: as noted, else as counted; at least `count` of them."""
    if not (count or written):
        return ()
    noted = (*written, *(None for _ in range(count - len(written))))
    implied = (*counted, *(0 for _ in range(len(noted) - len(counted))))
    return tuple(fallback if figure is None else figure for figure, fallback in zip(noted, implied, strict=True))


def counted_totals(counted: CountedCards, rules: HandAndFootRules) -> Totals:
    """The figures of counted cards. Cards that the rules don't have are worth nothing."""
    books = [rank for rank, _ in rules.special_books]
    special = [0] * len(books)
    clean = dirty = wild = melded = 0
    values, of_left = _card_points(rules)
    two, joker = values[TWO], values[JOKER]
    for meld in counted.melds:
        melded += meld.naturals * values.get(meld.rank, 0) + meld.twos * two + meld.jokers * joker
        if meld.cards < rules.pile_size:
            continue
        book = _book_name(meld, rules)
        if book in books:
            special[books.index(book)] += 1
        elif meld.rank == WILD:
            wild += 1
        elif meld.twos or meld.jokers:
            dirty += 1
        else:
            clean += 1
    return Totals(
        clean=clean,
        dirty=dirty,
        wild=wild,
        special=tuple(special),
        extras=tuple(_count_extra(name, counted.melds, rules=rules) for name, _ in rules.extras),
        melded=melded,
        left=sum(left.count * of_left.get(left.of, 0) for left in counted.left),
    )


def _book_name(meld: RankMeld, rules: HandAndFootRules) -> str:
    """Which of `BOOKS` a pile is; "" for one with natural and wild cards."""
    if meld.rank == WILD:
        if not meld.jokers:
            return TWO
        return JOKER if meld.jokers == rules.decks * rules.jokers_per_deck else ""
    return "" if meld.twos or meld.jokers else meld.rank


def _count_extra(name: str, melds: Sequence[RankMeld], *, rules: HandAndFootRules) -> int:
    """How many melds make an extra: one of a rank that is short of a pile, or one with all black threes of the pack."""
    if name.startswith(UNFINISHED):
        rank = name.removeprefix(UNFINISHED)
        return sum(m.rank == rank and not (rank != WILD and m.wilds) and m.cards < rules.pile_size for m in melds)
    if name == ALL_BLACK_THREES:
        return sum(m.rank == BLACK_THREE and m.naturals == RED_SUITS * rules.decks for m in melds)
    return 0


def is_concealed_hand(melds: Sequence[RankMeld], rules: HandAndFootRules, *, partners_least: int | None) -> bool:
    """Whether some melds, a pile among them, can be the whole hand of a player who goes out concealed. The others must
    be the partners', with the `partners_least` points of a first meld; None: there are no partners."""
    least, most = rules.concealed_cards
    values = rules.values
    worth = [m.naturals * values.get(m.rank, 0) + m.twos * values[TWO] + m.jokers * values[JOKER] for m in melds]
    fewest = {(0, False): 0}  # cards laid, and whether a pile is among them: the fewest points of such melds
    for meld, points in zip(melds, worth, strict=True):
        for (cards, pile), laid in list(fewest.items()):
            key = cards + meld.cards, pile or meld.cards >= rules.pile_size
            if key[0] <= most:
                fewest[key] = min(fewest.get(key, laid + points), laid + points)
    if any(meld.cards >= rules.pile_size for meld in melds) and least <= sum(meld.cards for meld in melds) <= most:
        return True
    hands = [points for (cards, pile), points in fewest.items() if pile and cards >= least]
    return partners_least is not None and any(sum(worth) - points >= partners_least for points in hands)


@lru_cache(maxsize=64)
def _card_points(rules: HandAndFootRules) -> tuple[dict[str, int], dict[str, int]]:
    """Card points by rank, and by the names of cards left."""
    values = rules.values
    left = {of: values[ranks[0]] for of, ranks in ranks_by_kind(rules).items()}
    if rules.black_three_left is not None:
        left[BLACK_THREE] = rules.black_three_left
    return values, left


@lru_cache(maxsize=64)
def ranks_by_kind(rules: HandAndFootRules) -> dict[str, tuple[str, ...]]:
    """The kinds by which cards left are counted, and their ranks: each rank, and neighbouring ranks of one value.

    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> kinds = ranks_by_kind(rules_of(shipped()["hand-and-foot"]))
    >>> kinds["8-K"], kinds["4-7"], kinds["A"]
    (('K', 'Q', 'J', '10', '9', '8'), ('7', '6', '5', '4'), ('A',))
    """
    values = rules.values
    kinds: dict[str, tuple[str, ...]] = {rank: (rank,) for rank in values}
    for _, group in groupby(rules.natural_ranks, key=values.__getitem__):
        ranks = tuple(group)
        if len(ranks) > 1:
            kinds[f"{ranks[-1]}-{ranks[0]}"] = ranks
    return kinds


# --- what is wrong -------------------------------------------------------------------------------------


def unreadable(facts: HandAndFootDeal, rules: HandAndFootRules) -> tuple[Problem, ...]:
    """Problems of counted cards with ranks that don't exist, or numbers below zero."""
    cards = facts.sides[: rules.shape.sides]
    return tuple(
        problem
        for side, card in enumerate(cards)
        if card.counted is not None
        for problem in _name_problems(side, card.counted, rules=rules)
    )


def check_counted(
    facts: HandAndFootDeal, rules: HandAndFootRules, *, sides_unread: Collection[int | None] = ()
) -> Iterator[Problem]:
    """Everything wrong with counted cards: in each meld, for each side, and for all sides together with one pack.

    Sides whose cards are `unreadable` (`sides_unread`) are left out, and with them the check of all sides together.
    """
    cards = facts.sides[: rules.shape.sides]
    for side, card in enumerate(cards):
        if card.counted is None or side in sides_unread:
            continue
        for meld in card.counted.melds:
            yield from _meld_problems(side, meld, facts=facts, rules=rules)
        yield from _same_rank_problems(side, card.counted, rules=rules)
        yield from _difference_problems(side, card, counted=card.counted, rules=rules)
        yield from _missing_card_problems(side, card, counted=card.counted, facts=facts, rules=rules)
    if not sides_unread:
        yield from _pack_problems([card.counted for card in cards if card.counted is not None], rules)


def _name_problems(side: int, counted: CountedCards, *, rules: HandAndFootRules) -> Iterator[Problem]:
    def negative(of: str, written: int) -> Problem:
        return impossible("hand-and-foot.counted-negative", "counted", side=side, of=of, written=written)

    melded, kinds = {WILD, *rules.values} - {TWO, JOKER}, ranks_by_kind(rules)
    for meld in counted.melds:
        if meld.rank not in melded:
            yield malformed("hand-and-foot.counted-rank", "counted", side=side, rank=meld.rank)
        if meld.naturals < 0 or meld.twos < 0 or meld.jokers < 0:
            written = {meld.rank: meld.naturals, TWO: meld.twos, JOKER: meld.jokers}
            yield from (negative(of, number) for of, number in written.items() if number < 0)
    for left in counted.left:
        if left.of not in kinds:
            yield malformed("hand-and-foot.counted-left", "counted", side=side, of=left.of)
        if left.count < 0:
            yield negative(left.of, left.count)


def _meld_problems(side: int, meld: RankMeld, *, facts: HandAndFootDeal, rules: HandAndFootRules) -> Iterator[Problem]:
    """A meld's size, its wild cards, and whether the rules have such a meld."""
    rank, wilds = meld.rank, meld.twos + meld.jokers
    cards = meld.naturals + wilds

    def against(code: str, **args: int | str) -> Problem:
        return against_rules(f"hand-and-foot.{code}", "counted", side=side, **args)

    if rank == WILD and not rules.wild_melds:
        yield against("counted-wild-meld", rank=rank)
    elif rank == BLACK_THREE and not (rules.black_three_melds and facts.out == side):
        yield against("counted-black-threes", rank=rank)
    if cards < rules.meld_least:
        yield against("counted-small", rank=rank, cards=cards, least=rules.meld_least)
    elif rules.pile_closed and cards > rules.pile_size:
        yield against("counted-size", rank=rank, cards=cards, most=rules.pile_size)
    if rank == WILD:
        if meld.naturals:
            yield against("counted-naturals", rank=rank, naturals=meld.naturals)
        return
    pure = rank == BLACK_THREE or rank in rules.no_wild_ranks
    if wilds and wilds > (most := 0 if pure else rules.wilds_in(cards)):
        yield against("counted-wilds", rank=rank, naturals=meld.naturals, wilds=wilds, cards=cards, most=most)


def _same_rank_problems(side: int, counted: CountedCards, *, rules: HandAndFootRules) -> Iterator[Problem]:
    """More than one open meld of a rank; where piles aren't closed or close their rank, more than one meld of it."""
    closed, size = rules.pile_closed and not rules.rank_once, rules.pile_size
    ranks = [m.rank for m in counted.melds if not closed or m.cards < size]
    code = "hand-and-foot.counted-open" if closed else "hand-and-foot.counted-one-meld"
    for rank, count in [(rank, count) for rank, count in Counter(ranks).items() if count > 1]:
        yield against_rules(code, "counted", side=side, rank=rank, count=count, size=size)


def _difference_problems(
    side: int, card: SideCard, *, counted: CountedCards, rules: HandAndFootRules
) -> Iterator[Problem]:
    """Noted figures that aren't what the counted cards come to."""
    if card.left is card.melded is card.clean is card.dirty is card.wild is None and not card.special + card.extras:
        return
    implied = counted_totals(counted, rules)
    noted = [(name, getattr(card, name), getattr(implied, name)) for name in BY_MELDS if counted.melds]
    if counted.melds:
        books = zip(rules.special_books, card.special, implied.special, strict=False)
        noted += [(f"{SPECIAL}{rank}", written, figure) for (rank, _), written, figure in books]
        extras = zip(rules.extras, card.extras, implied.extras, strict=False)
        noted += [
            (f"{EXTRA}{name}", written, figure)
            for (name, _), written, figure in extras
            if name.startswith(EXTRAS_BY_MELDS)
        ]
    if counted.left:
        noted.append(("left", card.left, implied.left))
    for field, written, figure in noted:
        if written is not None and written != figure:
            yield malformed(
                "hand-and-foot.counted-differs", field, side=side, field=field, written=written, counted=figure
            )


def _missing_card_problems(
    side: int, card: SideCard, *, counted: CountedCards, facts: HandAndFootDeal, rules: HandAndFootRules
) -> Iterator[Problem]:
    """Too few cards: no turn discards more than it takes, so a side still has as many as it was dealt, on the table or
    left; and each player who isn't out holds one."""
    if not counted.left and card.left:
        return  # not counted
    left = sum(kind.count for kind in counted.left) + card.red_threes_missed
    holders = rules.shape.per_side - (facts.out == side)
    if left < holders and not rules.may_float and facts.special_hand_of != side:
        yield against_rules("hand-and-foot.counted-holders", "counted", side=side, holders=holders, left=left)
    if not counted.melds and card.melded:
        return
    total = left + card.red_threes + card.black_threes + sum([m.cards for m in counted.melds])
    if total < rules.dealt and facts.special_hand_of != side:
        yield impossible("hand-and-foot.counted-dealt", "counted", side=side, dealt=rules.dealt, counted=total)


def _pack_problems(sides: list[CountedCards], rules: HandAndFootRules) -> Iterator[Problem]:
    """Ranks, and groups of ranks counted together, of which all sides have more cards than the pack."""
    counts: dict[str, int] = {}
    twos = jokers = 0
    for counted in sides:
        for meld in counted.melds:
            twos, jokers = twos + meld.twos, jokers + meld.jokers
            counts[meld.rank] = counts.get(meld.rank, 0) + meld.naturals
        for left in counted.left:
            counts[left.of] = counts.get(left.of, 0) + left.count
    counts[TWO], counts[JOKER] = counts.get(TWO, 0) + twos, counts.get(JOKER, 0) + jokers
    for of, (ranks, most) in _pack_counts(rules).items():
        count = counts.get(of, 0)
        for rank in ranks:
            count += counts.get(rank, 0)
        if count > most:
            yield impossible("hand-and-foot.counted-pack", "counted", of=of, counted=count, most=most)


def cards_in_pack(kind: str, rules: HandAndFootRules) -> int:
    """How many cards of a kind (see `ranks_by_kind`) the pack has.

    >>> from scoring.engine.core.ruleset import shipped
    >>> from scoring.engine.families import rules_of
    >>> cards_in_pack("joker", rules_of(shipped()["canasta"]))
    4
    """
    return _pack_counts(rules)[kind][1]


@lru_cache(maxsize=64)
def _pack_counts(rules: HandAndFootRules) -> dict[str, tuple[tuple[str, ...], int]]:
    """For each kind of `ranks_by_kind`: the ranks that are added to it, and how many of its cards the pack has."""
    per_deck = {JOKER: rules.jokers_per_deck, BLACK_THREE: SUITS - RED_SUITS}
    return {
        of: (() if of in ranks else ranks, sum(rules.decks * per_deck.get(rank, SUITS) for rank in ranks))
        for of, ranks in ranks_by_kind(rules).items()
    }
