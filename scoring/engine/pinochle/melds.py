"""Melds of pinochle: what they are worth, the cards that they need, and the totals that a pack can make."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise, product
from operator import le
from typing import Annotated, Any, TypeAlias

from scoring.engine.core.ledger import Line, Problem, Severity, impossible, malformed, named
from scoring.engine.core.ruleset import Range, Rules, SettingProblem, more_than, shipped

SPADES, HEARTS, DIAMONDS, CLUBS = SUITS = range(4)
ACE, TEN, KING, QUEEN, JACK, NINE = range(6)
CLASS_OF = (SPADES, CLUBS, DIAMONDS, CLUBS)  # as trump, hearts count as clubs do: neither has a card of the pinochle
TRUMP_CLASSES = (SPADES, DIAMONDS, CLUBS)


class Suit(StrEnum):
    """The suits, in the order of the engine's cards."""

    SPADES = "spades"
    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"


class MeldKind(StrEnum):
    """The kinds of meld. A card may serve in melds of different kinds, not twice in one kind."""

    RUN = "run"  # A 10 K Q J of trump
    ROYAL_MARRIAGE = "royal-marriage"  # K Q of trump, beyond those in runs
    MARRIAGE = "marriage"  # K Q of another suit
    NINE_OF_TRUMP = "nine-of-trump"
    ACES = "aces"  # one of each suit, likewise the next three
    KINGS = "kings"
    QUEENS = "queens"
    JACKS = "jacks"
    PINOCHLE = "pinochle"  # queen of spades and jack of diamonds

    @property
    def setting(self) -> str:
        """The setting that says what it is worth."""
        return f"{self}_around" if self in AROUND else self.replace("-", "_")


SUIT_ORDER = tuple(Suit)
OF_TRUMP = frozenset({MeldKind.RUN, MeldKind.ROYAL_MARRIAGE, MeldKind.NINE_OF_TRUMP})
AROUND = {MeldKind.ACES: ACE, MeldKind.KINGS: KING, MeldKind.QUEENS: QUEEN, MeldKind.JACKS: JACK}


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldTable:
    copies: int
    hand_size: int
    ranks: tuple[int, ...]  # in the pack
    worth: Mapping[MeldKind, tuple[int, ...]] = field(hash=False)  # points of none, of one, of two together, and so on
    suits: tuple[int, ...] = tuple(SUITS)  # in the pack; smaller packs are for proofs
    partners_most: int | None = None  # what two partners can meld from one pack, where that is known
    partners_gaps: tuple[range, ...] = ()  # totals below it that no two hands of one pack make


BY = ("ranks", "copies", "hand_size", *(kind.setting for kind in MeldKind))
"""The settings that the figures of `FOUND` depend on."""


@dataclass(frozen=True, slots=True)
class OnePack:
    """What can be melded from one pack."""

    all_players: int  # the most of all players together
    partners: int | None = None  # the most of two partners
    gaps: tuple[range, ...] = ()  # totals below that, which two hands could make, but not from one pack


FOUND = {
    "st-hilary-v3": OnePack(282, partners=222, gaps=(range(205, 210),)),
    "double-deck-partnership-pinochle": OnePack(636, partners=572, gaps=(range(503, 504), range(513, 572, 2))),
    "partnership-pinochle-times-ten": OnePack(2820, partners=2220, gaps=(range(2050, 2100, 10),)),  # times ten
    "three-hand-double-pinochle": OnePack(10_700),
}
"""By the rule set whose melds they are."""


@lru_cache(maxsize=64)
def one_pack(rules: Any) -> OnePack | None:
    """None where it isn't known for these rules."""
    for slug, pack in FOUND.items():
        values, shape = shipped()[slug].values, shipped()[slug].shapes[0]
        if shape == rules.shape and all(_untupled(values[name]) == getattr(rules, name) for name in BY):
            return pack
    return None


def _untupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


RANKS = ("A", "10", "K", "Q", "J", "9")
KINDS = len(SUITS) * len(RANKS)
MELD = Range(0, 10_000)  # points
MeldPoints: TypeAlias = Annotated[tuple[int, ...], MELD]


@dataclass(frozen=True, slots=True, kw_only=True)
class PinochleRules(Rules):
    """Settings that every pinochle has. Points are in the rule set's own scale.

    A meld that can come more than once has a tuple: the value of one, of two together, and so on up to `copies`.
    """

    ranks: tuple[str, ...]  # in the pack, high to low
    copies: Annotated[int, Range(1, 4)]  # of each card in the pack
    hand_size: Annotated[int, Range(1, 60)]  # cards each player melds and plays with
    opening_bid: Annotated[int, Range(1)]  # lowest bid
    dropped_bid: Annotated[int, Range(1)]  # the bid that the dealer must take when all others pass
    bid_step: Annotated[int, Range(1, 1000)]  # bids are the opening bid plus a multiple of this
    # points of a card taken, by rank; ranks not named are worth nothing
    counters: Annotated[tuple[tuple[str, int], ...], Range(0, 100), RANKS]
    last_trick: Annotated[int, Range(0, 1000)]  # points for the last trick
    run: MeldPoints  # A 10 K Q J of trump
    royal_marriage: MeldPoints  # K Q of trump, beyond those in runs
    marriage: MeldPoints  # K Q of another suit
    nine_of_trump: Annotated[int, MELD]  # each
    aces_around: MeldPoints
    kings_around: MeldPoints
    queens_around: MeldPoints
    jacks_around: MeldPoints
    pinochle: MeldPoints  # queen of spades and jack of diamonds
    ask_bid_above: int  # the form asks once more about a bid above this
    ask_meld_above: int  # likewise about a meld

    def steps_at(self, bid: int) -> tuple[int, int]:
        """The bid from which steps are counted at this height, and the step."""
        return self.opening_bid, self.bid_step


MELDS = tuple(kind.setting for kind in MeldKind if kind is not MeldKind.NINE_OF_TRUMP)
"""The settings of melds that are worth more where they come more than once."""


def setting_problems(rules: PinochleRules, *, widow: int = 0, all_dealt: bool = True) -> Iterator[SettingProblem]:
    """With `all_dealt`, no card of the pack may be left over."""
    if rules.ranks != tuple(rank for rank in RANKS if rank in rules.ranks) or len(rules.ranks) < len(RANKS) - 1:
        yield SettingProblem("ranks", "setting.ranks", named(ranks=", ".join(RANKS)))
    if missing := [rank for rank, _points_by_number in rules.counters if rank not in rules.ranks]:
        yield SettingProblem("counters", "setting.not-in-pack", named(names=", ".join(missing)))
    for name in MELDS:
        yield from _meld_setting_problems(name, getattr(rules, name), copies=rules.copies)
    if rules.dropped_bid > rules.opening_bid:
        yield more_than("dropped_bid", rules.dropped_bid, other="opening_bid", most=rules.opening_bid)
    dealt = rules.shape.players * rules.hand_size + widow
    cards = 4 * len(rules.ranks) * rules.copies
    if dealt > cards:
        yield SettingProblem("hand_size", "setting.pack", named(dealt=dealt, cards=cards))
    elif dealt < cards and all_dealt:
        yield SettingProblem("hand_size", "setting.pack-left", named(dealt=dealt, cards=cards))


def _meld_setting_problems(name: str, values: tuple[int, ...], *, copies: int) -> Iterator[SettingProblem]:
    if len(values) != copies:
        yield SettingProblem(name, "setting.how-many", named(count=copies, written=len(values)))
        return
    for earlier, later in pairwise(values):
        if later < earlier:
            yield SettingProblem(name, "setting.falling", named(later=later, earlier=earlier))
            return


@lru_cache(maxsize=64)
def meld_table(rules: PinochleRules) -> MeldTable:
    ranks = tuple(RANKS.index(rank) for rank in rules.ranks)
    nines = tuple(count * rules.nine_of_trump for count in range(rules.copies + 1))
    worth = {kind: nines if kind is MeldKind.NINE_OF_TRUMP else (0, *getattr(rules, kind.setting)) for kind in MeldKind}
    pack = one_pack(rules) or OnePack(0)
    return MeldTable(
        copies=rules.copies,
        hand_size=rules.hand_size,
        ranks=ranks,
        worth=worth,
        partners_most=pack.partners,
        partners_gaps=pack.gaps,
    )


def points_in_pack(rules: PinochleRules) -> int:
    """What can be taken in one deal, the last trick included: 25 at St. Hilary, 500 in the x10 scale."""
    return len(SUITS) * rules.copies * sum(worth for _rank, worth in rules.counters) + rules.last_trick


def pack(rules: PinochleRules) -> list[int]:
    """All cards of the pack, in order."""
    return [
        6 * suit + RANKS.index(rank)
        for suit in range(len(SUITS))
        for rank in rules.ranks
        for _copy in range(rules.copies)
    ]


def count_kinds(cards: Iterable[int]) -> list[int]:
    """How many of each of the 24 kinds of card."""
    counts = [0] * KINDS
    for card in cards:
        counts[card] += 1
    return counts


def points_in_cards(take: Sequence[int], side: int, *, last: int | None, rules: PinochleRules) -> int:
    return take[side] - (rules.last_trick if side == last else 0)


def take_line(side: int, take: int, *, last: int | None, rules: PinochleRules, game: str = "pinochle") -> Line:
    """`last` is the side that won the last trick, None where nobody knows; the line's code begins with `game`."""
    if side != last:
        return Line(side, take, f"{game}.take", named(take=take))
    return Line(side, take, f"{game}.take-last", named(counters=take - rules.last_trick, last=rules.last_trick))


@dataclass(frozen=True, slots=True)
class Meld:
    """One player's melds of one kind. Only a marriage needs its suit."""

    kind: Annotated[MeldKind, "what kind of meld"]
    suit: Annotated[Suit | None, "the suit of a plain marriage; other kinds need none"] = None
    count: Annotated[int, "how many of it"] = 1


@dataclass(frozen=True, slots=True)
class PlayerMelds:
    """The melds that one player laid down."""

    melds: Annotated[tuple[Meld, ...], "the melds that the player laid down; of each kind (and suit) one entry"] = ()


# --- worth and cards -----------------------------------------------------------------------------------


def player_points(player: PlayerMelds, rules: PinochleRules) -> int:
    """
    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> st_hilary = rules_of(shipped()["st-hilary-v3"])
    >>> plain = [Meld(MeldKind.MARRIAGE, suit) for suit in (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS)]
    >>> around = [Meld(MeldKind.KINGS), Meld(MeldKind.QUEENS)]
    >>> every_suit = PlayerMelds((Meld(MeldKind.ROYAL_MARRIAGE), *plain, *around))
    >>> player_points(every_suit, st_hilary)  # 004: a marriage in every suit, "a convenient way to add"
    24
    """
    worth, copies = meld_table(rules).worth, rules.copies
    return sum(worth[meld.kind][max(0, min(meld.count, copies))] for meld in player.melds)


def side_points(counted: Sequence[PlayerMelds], rules: PinochleRules) -> tuple[int, ...]:
    return sum_by_side([player_points(player, rules) for player in counted], rules)


def with_melds(deal: Any, rules: PinochleRules) -> Any:
    """The deal with each side's meld: as it is on the card, else as it is counted."""
    return deal if deal.meld else replace(deal, meld=side_points(deal.counted, rules))


def sum_by_side(each: Sequence[int], rules: PinochleRules) -> tuple[int, ...]:
    per_side = rules.shape.per_side
    return tuple(sum(each[start : start + per_side]) for start in range(0, len(each), per_side))


@lru_cache(maxsize=16)  # called several times in the checks of one deal
def cards_needed(player: PlayerMelds, trump: Suit | None) -> tuple[int, ...]:
    """The fewest cards that make one player's melds: 24 counts, one per kind of card.

    Within a kind of meld the cards add up; the kings and queens of runs make no royal marriage. Between kinds the same
    card serves. Without a trump, melds that need one are left out.

    >>> run_and_pinochle = PlayerMelds((Meld(MeldKind.RUN), Meld(MeldKind.PINOCHLE)))
    >>> sum(cards_needed(run_and_pinochle, Suit.SPADES)), sum(cards_needed(run_and_pinochle, Suit.HEARTS))
    (6, 7)
    """
    by_kind: dict[str, dict[int, int]] = {}
    for meld in player.melds:
        group = "of-trump" if meld.kind in (MeldKind.RUN, MeldKind.ROYAL_MARRIAGE) else meld.kind.value
        packet = by_kind.setdefault(group, {})
        for card in cards_of(meld.kind, trump if meld.kind in OF_TRUMP else meld.suit):
            packet[card] = packet.get(card, 0) + max(0, meld.count)
    needed = [0] * KINDS
    for packet in by_kind.values():
        for card, many in packet.items():
            needed[card] = max(needed[card], many)
    return tuple(needed)


@lru_cache(maxsize=64)
def cards_of(kind: MeldKind, suit: Suit | None) -> tuple[int, ...]:
    """The cards of one meld; none where it needs a suit that isn't known."""
    if kind in AROUND:
        return tuple(6 * place + AROUND[kind] for place in range(len(SUIT_ORDER)))
    if kind is MeldKind.PINOCHLE:
        return 6 * SUIT_ORDER.index(Suit.SPADES) + QUEEN, 6 * SUIT_ORDER.index(Suit.DIAMONDS) + JACK
    if suit is None:
        return ()
    base = 6 * SUIT_ORDER.index(suit)
    if kind is MeldKind.RUN:
        return tuple(range(base, base + NINE))
    return (base + NINE,) if kind is MeldKind.NINE_OF_TRUMP else (base + KING, base + QUEEN)


# --- checks --------------------------------------------------------------------------------------------


def counted_problems(counted: Sequence[PlayerMelds], trump: Suit | None, *, rules: PinochleRules) -> Iterator[Problem]:
    """`player` in the arguments is the player's place among all of them, from 1."""
    together = [0] * KINDS
    reported: set[int] = set()
    for place, player in enumerate(counted, start=1):
        side = (place - 1) // rules.shape.per_side
        yield from _player_meld_problems(player, place, side=side, trump=trump, rules=rules)
        needed = cards_needed(player, trump)
        together = [count + other for count, other in zip(together, needed, strict=True)]
        alone: set[int] = set()
        for args in _cards_over_pack(needed, rules, reported=alone):
            yield impossible("pinochle.counted-copies", "counted", side=side, player=place, **args)
        reported |= alone
        if (many := sum(needed)) > (cards := rules.hand_size):
            yield impossible("pinochle.counted-cards", "counted", side=side, player=place, needed=many, cards=cards)
    for args in _cards_over_pack(together, rules, reported=reported):
        yield impossible("pinochle.counted-pack", "counted", side=None, **args)
    if trump is None and any(meld.kind in OF_TRUMP for player in counted for meld in player.melds):
        yield malformed("pinochle.trump-needed", "trump")


def _cards_over_pack(
    needed: Sequence[int], rules: PinochleRules, *, reported: set[int]
) -> Iterator[dict[str, int | str]]:
    """Arguments of problems: cards of which more are needed than the pack has. Those in `reported` are left out, the
    others are added to it."""
    pack = _pack(rules.ranks, rules.copies)
    if all(map(le, needed, pack)):
        return
    short = [card for card, many in enumerate(needed) if many > pack[card] and card not in reported]
    reported.update(short)
    for copies in sorted({pack[card] for card in short}):
        yield {
            "lacking": cards_argument({card: needed[card] for card in short if pack[card] == copies}),
            "there": copies,
        }


def cards_argument(needed: Mapping[int, int]) -> str:
    """How many of which cards, as an argument of a problem: "3 A spades, 3 A hearts"."""
    return ", ".join(f"{many} {RANKS[card % 6]} {SUIT_ORDER[card // 6].value}" for card, many in needed.items())


@lru_cache(maxsize=16)
def _pack(ranks: tuple[str, ...], copies: int) -> tuple[int, ...]:
    return tuple(copies if rank in ranks else 0 for rank in RANKS) * len(SUIT_ORDER)


def _player_meld_problems(
    player: PlayerMelds, place: int, *, side: int, trump: Suit | None, rules: PinochleRules
) -> Iterator[Problem]:
    def problem(code: str, severity: Severity = Severity.FORM, **args: int | str) -> Problem:
        return severity.problem(code, "counted", side=side, player=place, **args)

    written = [(meld.kind, meld.suit if meld.kind is MeldKind.MARRIAGE else None) for meld in player.melds]
    if len(set(written)) < len(written):
        yield problem("pinochle.counted-twice")
    for meld in player.melds:
        if not 1 <= meld.count <= rules.copies:
            yield problem("pinochle.counted-number", Severity.AGAINST_RULES, count=meld.count, copies=rules.copies)
        if meld.kind is MeldKind.MARRIAGE:
            if meld.suit is None:
                yield problem("pinochle.marriage-suit")
            elif meld.suit is trump:
                yield problem("pinochle.marriage-of-trump", Severity.AGAINST_RULES, suit=trump.value)
        elif meld.suit is not None and not (meld.kind in OF_TRUMP and meld.suit is trump):
            yield problem("pinochle.counted-suit")


def leaves_a_marriage(counted: Sequence[PlayerMelds], side: int, *, trump: Suit, rules: PinochleRules) -> bool:
    """Whether a player of the `side` can hold a marriage in trump, given all that the players melded."""
    base, per_side = 6 * SUIT_ORDER.index(trump), rules.shape.per_side
    marriage = (base + KING, base + QUEEN)
    needed = [cards_needed(player, trump) for player in counted]
    for held in needed[per_side * side :][:per_side]:
        lacking = [card for card in marriage if not held[card]]
        together = [sum(each[card] for each in needed) + (card in lacking) for card in marriage]
        if sum(held) + len(lacking) <= rules.hand_size and max(together) <= rules.copies:
            return True
    return False


# --- lines ---------------------------------------------------------------------------------------------


def meld_lines(players: Sequence[PlayerMelds], side: int, *, rules: PinochleRules) -> list[Line]:
    lines, worth, copies = [], meld_table(rules).worth, rules.copies
    for meld in (meld for player in players for meld in player.melds):
        marriage = meld.kind is MeldKind.MARRIAGE
        suit = {"suit": meld.suit.value} if marriage and meld.suit else {}
        rule = "some-marriage" if marriage and not suit else meld.kind.value
        points = worth[meld.kind][max(0, min(meld.count, copies))]
        lines.append(Line(side, points, f"pinochle.counted-{rule}", named(count=meld.count, **suit)))
    return lines


def side_meld_lines(meld: int, players: Sequence[PlayerMelds], *, side: int, rules: PinochleRules) -> list[Line]:
    """Meld by meld where they were counted, else one line."""
    by_name = meld_lines(players, side, rules=rules) if players else []
    if by_name and sum(line.points for line in by_name) == meld:
        return by_name
    return [Line(side, meld, "pinochle.meld", named(meld=meld))] if meld else []


def can_meld(table: MeldTable, meld: int, *, partners: bool, trump_suit: int | None = None) -> bool:
    return meld >= 0 and bool(_totals_as_bits(table, partners, trump_suit=trump_suit) >> meld & 1)


def nearest_totals(
    table: MeldTable, meld: int, *, partners: bool, trump_suit: int | None = None
) -> tuple[int, int | None]:
    """The next totals below and above this one that can be melded; the second is None above the highest."""
    totals = _totals_as_bits(table, partners, trump_suit=trump_suit)
    below = (totals & (1 << min(meld, totals.bit_length())) - 1).bit_length() - 1
    above = totals >> meld + 1 if meld < totals.bit_length() else 0
    return below, meld + (above & -above).bit_length() if above else None


def all_totals(table: MeldTable, *, partners: bool) -> tuple[int, ...]:
    """Every total that one player, or two partners together, can meld under some trump, in rising order."""
    totals = _totals_as_bits(table, partners, trump_suit=None)
    return tuple(points for points in range(totals.bit_length()) if totals >> points & 1)


@lru_cache(maxsize=256)
def _totals_as_bits(table: MeldTable, partners: bool, *, trump_suit: int | None) -> int:
    """The totals that can be melded: bit n is set if n points can be."""
    suits = table.suits if trump_suit is None else (trump_suit,)
    totals = 0
    for trump in {CLASS_OF[suit] for suit in suits}:
        alone = player_totals(table, trump)
        together = 0
        for partner_total in alone if partners else (0,):
            together |= sum(1 << other for other in alone) << partner_total
        totals |= together
    if partners and table.partners_most is not None:
        totals &= (2 << table.partners_most) - 1
        totals &= ~sum(1 << points for gap in table.partners_gaps for points in gap)
    return totals


@lru_cache(maxsize=64)
def player_totals(table: MeldTable, trump: int) -> frozenset[int]:
    """Every total that the cards of one hand can meld under this trump.

    For each choice of runs, arounds and pinochles that fits, nines and then marriages, suit by suit, are added in every
    number, keeping the fewest cards that each total needs.
    """
    values = [_points_by_number(table, MeldKind.RUN, ranks=(ACE, TEN, KING, QUEEN, JACK))]
    values += [_points_by_number(table, kind, ranks=(rank,)) for kind, rank in AROUND.items()]
    values.append(_points_by_number(table, MeldKind.PINOCHLE, ranks=(QUEEN, JACK), suits=(SPADES, DIAMONDS)))
    nine = _points_by_number(table, MeldKind.NINE_OF_TRUMP, ranks=(NINE,))
    royal, plain = (
        _points_by_number(table, kind, ranks=(KING, QUEEN)) for kind in (MeldKind.ROYAL_MARRIAGE, MeldKind.MARRIAGE)
    )
    beside = [nine, royal, *[plain] * (len(table.suits) - 1)]
    totals: set[int] = set()
    for many in product(*(range(len(worth)) for worth in values)):
        if sum(many[1:5]) * len(table.suits) > table.hand_size:
            continue
        fixed, rows = _cards_by_number(table, trump, melds=many)
        if fixed + sum(row[0] for row in rows) > table.hand_size:
            continue
        points = sum(worth[n] for worth, n in zip(values, many, strict=True))
        totals.update(_totals_with_marriages(points, fixed, kinds=zip(rows, beside, strict=True), most=table.hand_size))
    return frozenset(totals)


def _points_by_number(
    table: MeldTable, kind: MeldKind, *, ranks: Iterable[int], suits: Iterable[int] = ()
) -> tuple[int, ...]:
    """Points of none, one, two ... of a meld; only those of none if the pack hasn't these ranks and suits."""
    in_pack = set(ranks) <= set(table.ranks) and set(suits) <= set(table.suits)
    return table.worth[kind][: table.copies + 1 if in_pack else 1]


def _cards_by_number(table: MeldTable, trump: int, *, melds: Sequence[int]) -> tuple[int, list[list[int]]]:
    """How many cards melds need; `melds` counts runs, aces, kings, queens and jacks around, and pinochles.

    First their cards without kings and queens. Then a row for the nines, and one for the kings and queens of each suit,
    trump first: the cards needed, by how many nines, royal marriages or marriages of the suit there are as well.
    """
    runs, aces, kings, queens, jacks, pinochles = melds
    plain_suits = [suit for suit in table.suits if suit != trump]
    of_jacks = {suit: max(jacks, pinochles) if suit == DIAMONDS else jacks for suit in table.suits}
    of_jacks[trump] = max(of_jacks[trump], runs)
    of_queens = {suit: max(queens, pinochles) if suit == SPADES else queens for suit in table.suits}
    fixed = runs + max(runs, aces) + aces * len(plain_suits) + sum(of_jacks.values())
    up_to = range(table.copies + 1)
    rows = [[*up_to], [max(many, kings) + max(many, of_queens[trump]) for many in up_to[runs:]]]
    return fixed, rows + [[max(many, kings) + max(many, of_queens[suit]) for many in up_to] for suit in plain_suits]


def _totals_with_marriages(
    points: int, cards: int, *, kinds: Iterable[tuple[list[int], tuple[int, ...]]], most: int
) -> Iterable[int]:
    """The totals that `points` in `cards` make with any number of each kind, in at most `most` cards. A kind is two
    rows, its cards and its points, by number."""
    fewest = {points: cards}
    for row, worth in kinds:
        extended: dict[int, int] = {}
        for cards_more, points_more in zip(row, worth, strict=False):
            for total, held in fewest.items():
                if held + cards_more <= min(most, extended.get(total + points_more, most)):
                    extended[total + points_more] = held + cards_more
        fewest = extended
    return fewest
