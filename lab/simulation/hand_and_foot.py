"""True deals of Hand and Foot: a real pack, shuffled, dealt and played by simple legal play.

The players are no experts. They meld what they can, save their wild cards for what going out needs, take the
discard pile when it fits an open meld or makes one, and go out as soon as they may and their partners agree.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from scoring.engine.hand_and_foot.card import (
    ALL_BLACK_THREES,
    BLACK_THREE,
    HELD,
    HELD_RANKS,
    JOKER,
    NEVER_IN_A_RANK_MELD,
    POT,
    SEMI_CLEAN,
    TWO,
    UNFINISHED,
    WILD,
    CardsLeft,
    CountedCards,
    HandAndFootDeal,
    HandAndFootRules,
    RankMeld,
    SideCard,
)

RED_THREE = "red 3"
Laid = tuple[int, int, int]  # naturals, twos, jokers
NOTHING: Laid = (0, 0, 0)


class SideAtTable:
    """What a side has on the table. `open` are the melds that take more cards, `closed` the others."""

    def __init__(self, rules: HandAndFootRules) -> None:
        self.open: dict[str, Laid] = {}  # by rank or WILD
        self.closed: list[tuple[str, Laid]] = []
        self.piles = {"clean": 0, "dirty": 0, "wild": 0, **{rank: 0 for rank, _ in rules.special_books}}
        self.red_threes = self.black_threes = 0
        self.pot: list[str] = []  # the packet that the side hasn't taken yet
        self.melded = 0
        self.first_meld = 0  # card points that it needs

    @property
    def wild(self) -> int:
        return sum(self.open.get(WILD, NOTHING))

    @property
    def all_piles(self) -> int:
        return sum(self.piles.values())

    def melds(self) -> list[tuple[str, Laid]]:
        return [*self.closed, *self.open.items()]


class PlayerAtTable:
    def __init__(self, side: int, packets: list[list[str]], own: SideAtTable) -> None:
        self.side, self.own = side, own
        self.hand: dict[str, int] = {}
        self.cards = 0  # in the hand
        self.packets = packets[1:]  # still to be picked up, the knee before the foot
        self.started = False
        self.played_foot = len(packets) == 1
        for card in packets[0]:
            self.take(card)

    @property
    def in_foot(self) -> bool:
        return not self.packets and not self.own.pot

    def take(self, card: str) -> None:
        self.hand[card] = self.hand.get(card, 0) + 1
        self.cards += 1

    def give(self, card: str, count: int = 1) -> None:
        if self.hand[card] == count:
            del self.hand[card]
        else:
            self.hand[card] -= count
        self.cards -= count

    @property
    def wilds(self) -> int:
        return self.hand.get(TWO, 0) + self.hand.get(JOKER, 0)


BOUNDLESS = 10**6  # stands for the room in a pile that isn't closed, in cards


class StockExhausted(Exception):
    """Somebody has to draw and the stock can't give it: the deal ends."""


@lru_cache(maxsize=64)
def _pack(rules: HandAndFootRules) -> tuple[str, ...]:
    """All cards by rank; suits matter only for the threes, where these aren't cards as any others."""
    threes = [] if rules.threes_natural else [BLACK_THREE] * 2 + [RED_THREE] * 2
    deck = [TWO] * 4 + threes + rules.natural_ranks * 4 + [JOKER] * rules.jokers_per_deck
    return tuple(deck * rules.decks)


class _Deal:
    def __init__(
        self, rng: Random, rules: HandAndFootRules, *, number: int, before: Sequence[int] | None = None
    ) -> None:
        self.rng, self.rules, self.number = rng, rules, number
        self.values = rules.values
        self.sides = [SideAtTable(rules) for _ in range(rules.shape.sides)]
        self.ranks = frozenset(rules.natural_ranks)
        self.books = frozenset(rank for rank, _ in rules.special_books)
        self.pure = self.books | frozenset(rules.no_wild_ranks)  # whose melds get no wild cards
        self.done: set[str] = set()  # ranks that nobody melds any more
        self.tabled = {RED_THREE, BLACK_THREE} if rules.threes_by_count else {RED_THREE}
        self.out: int | None = None
        self.stock = list(_pack(rules))
        rng.shuffle(self.stock)
        packets = [[self._packet(size) for _ in range(rules.shape.players)] for size in rules.packets]
        if rules.choose_foot:
            packets = _choose_hands(*packets)
        self.players = [
            PlayerAtTable(seat % rules.shape.sides, list(own), self.sides[seat % rules.shape.sides])
            for seat, own in enumerate(zip(*packets, strict=True))
        ]
        for side in self.sides if rules.pot else ():
            side.pot = self._packet(rules.pot)
        self.discards: list[str] = []
        self._turn_up()
        self.takes_pile = rng.random() ** 0.3  # how often a player who can takes the discards
        self.keeps_pairs = rng.random() ** 0.5
        late = rules.shape.per_side == 1  # no partner helps with the piles that going out needs
        self.hurry_from = 0 if late else len(self.stock) * rng.uniform(0.2, 0.8)  # at fewer cards in the stock
        self.careless = rng.random() if late else 0.0  # how often a discard is just what the next player wants
        self.agrees = 0.5 + rng.random() / 2
        self.score_before = 0 if rules.first_meld_scores and number == 1 and before is None else None
        for place, side in enumerate(self.sides):
            any_score = rules.first_meld_scores and number > 1 and before is None
            score = before[place] if before is not None else 0
            side.first_meld = rng.choice(rules.first_meld) if any_score else rules.least_first_meld(number, score)

    def _packet(self, size: int) -> list[str]:
        packet = self.stock[-size:]
        del self.stock[-size:]
        return packet

    def _turn_up(self) -> None:
        """Turn up the first card that isn't a red three, wild, or of a special book; those stay in the stock."""
        for place in range(len(self.stock) - 1, -1, -1):
            if self.stock[place] not in (*self.tabled, TWO, JOKER, *self.books):
                self.discards.append(self.stock.pop(place))
                return

    def play(self) -> None:
        try:
            while True:
                for player in self.players:
                    self._turn(player)
                    if self.out is not None:
                        return
        except StockExhausted:
            return

    # One turn

    def _turn(self, player: PlayerAtTable) -> None:
        if not player.started:
            player.started = True
            self._table_red_threes(player)
        if not self._took_pile(player):
            if len(self.stock) < self.rules.draw:
                raise StockExhausted
            for _ in range(self.rules.draw):
                self._draw(player)
        self._meld(player)
        while player.cards == 0 and not player.in_foot:
            self._pick_up(player)
            self._meld(player)
        in_foot = player.in_foot
        if in_foot and self._may_go_out(player) and self._went_out(player):
            self.out = player.side
            return
        floats = in_foot and player.cards < 2  # a last card isn't discarded: that would be going out
        if not floats:
            self._discard(player)
        if in_foot:
            player.played_foot = True
        elif player.cards == 0:
            self._pick_up(player)

    def _draw(self, player: PlayerAtTable) -> None:
        """Draw one card from the stock; a red three is tabled and another card drawn."""
        while self.stock:
            card = self.stock.pop()
            if card not in self.tabled:
                player.take(card)
                return
            self._table(player, card)
        raise StockExhausted

    @staticmethod
    def _table(player: PlayerAtTable, card: str, count: int = 1) -> None:
        if card == RED_THREE:
            player.own.red_threes += count
        else:
            player.own.black_threes += count

    def _table_red_threes(self, player: PlayerAtTable) -> None:
        for three in sorted(self.tabled):
            if found := player.hand.get(three, 0):
                player.give(three, found)
                self._table(player, three, found)
                for _ in range(found):
                    self._draw(player)

    def _pick_up(self, player: PlayerAtTable) -> None:
        packet = player.packets.pop(0) if player.packets else player.own.pot
        for card in packet:
            player.take(card)
        if packet is player.own.pot:
            player.own.pot = []
        self._table_red_threes(player)

    def _took_pile(self, player: PlayerAtTable) -> bool:
        if not self.discards or self.rng.random() > self.takes_pile:
            return False
        side, top = self.sides[player.side], self.discards[-1]
        whole_pile = self.rules.foot_takes_all and player.in_foot
        count = len(self.discards) if whole_pile else min(self.rules.take_most, len(self.discards))
        if (
            not side.melded
            or top in NEVER_IN_A_RANK_MELD
            or player.hand.get(top, 0) < 2
            or self._room(side, top) < 3
            or self._unsafe(side, top, 3)
            or (player.in_foot and player.cards - 2 + count - 1 < 2)
        ):
            return False
        taken = self.discards[-count:]
        del self.discards[-count:]
        for card in taken:
            player.take(card)
        self._lay(player, top, naturals=3)
        return True

    def _discard(self, player: PlayerAtTable) -> None:
        side = self.sides[player.side]

        following = self.players[(self.players.index(player) + 1) % len(self.players)]
        gives_away = self.rng.random() < self.careless

        def wish_to_keep(card: str) -> tuple[bool, bool, bool, bool, int, int]:
            taken = gives_away and following.hand.get(card, 0) >= 2
            fined = self._unsafe(side, card, player.hand[card]) and player.hand[card] > 2
            return card in (TWO, JOKER), not fined, not taken, card in side.open, player.hand[card], self.values[card]

        black_threes = player.hand.get(BLACK_THREE, 0)
        kept = self.rules.black_three_melds and black_threes > 1  # for going out
        black_three = black_threes > 0 and not gives_away and not kept
        card = BLACK_THREE if black_three else min(player.hand, key=wish_to_keep)
        player.give(card)
        self.discards.append(card)

    # Melding

    def _lay(self, player: PlayerAtTable, rank: str, *, naturals: int, wilds: int = 0) -> None:
        side, size = self.sides[player.side], self.rules.pile_size
        if naturals:
            player.give(rank, naturals)
            side.melded += naturals * self.values[rank]
        twos, jokers = self._give_wilds(player, wilds)
        side.melded += twos * self.values[TWO] + jokers * self.values[JOKER]
        before = side.open.pop(rank, NOTHING)
        now = before[0] + naturals, before[1] + twos, before[2] + jokers
        if sum(before) >= size:
            side.piles[self._kind(rank, before)] -= 1
        if sum(now) >= size:
            side.piles[self._kind(rank, now)] += 1
            self.done |= {rank} if self.rules.rank_once else set()
        if sum(now) >= size and self.rules.pile_closed:
            side.closed.append((rank, now))
        else:
            side.open[rank] = now

    def _kind(self, rank: str, laid: Laid) -> str:
        """What kind of pile that is: "wild", "dirty", the rank of a special book, or "clean"."""
        if rank == WILD:
            kind = TWO if not laid[2] else JOKER if laid[2] == self.rules.decks * self.rules.jokers_per_deck else ""
            return kind if kind in self.books else "wild"
        if laid[1] or laid[2]:
            semi = laid[0] >= self.rules.pile_size and SEMI_CLEAN in self.books
            return SEMI_CLEAN if semi else "dirty"
        return rank if rank in self.books else "clean"

    def _room(self, side: SideAtTable, rank: str) -> int:
        if rank in self.done:
            return 0
        if not self.rules.pile_closed:
            return BOUNDLESS
        return self.rules.pile_size - sum(side.open.get(rank, NOTHING))

    def _give_wilds(self, player: PlayerAtTable, count: int) -> tuple[int, int]:
        twos = min(count, player.hand.get(TWO, 0))
        if twos:
            player.give(TWO, twos)
        if count > twos:
            player.give(JOKER, count - twos)
        return twos, count - twos

    def _spare(self, player: PlayerAtTable) -> int:
        """How many cards may be melded: all from the hand; from the foot all but two, one to discard and one to hold,
        unless a player may float."""
        return player.cards if not player.in_foot or self.rules.may_float else player.cards - 2

    def _meld(self, player: PlayerAtTable) -> None:
        side = self.sides[player.side]
        if not side.melded and not self._first_meld(player):
            return
        self._meld_naturals(player)
        self._meld_wilds(player)
        if self._hurries(player):
            self._shed_wilds(player)

    def _hurries(self, player: PlayerAtTable) -> bool:
        """Whether to get rid of cards rather than to gather them: the side may go out, or the stock runs low."""
        return (
            self._has_piles(player.side)
            or len(self.stock) < self.hurry_from
            or (player.cards < 5 and self.rules.shape.per_side > 1)
        )

    def _first_meld(self, player: PlayerAtTable) -> bool:
        """Lay the sets of three and more, helped by pairs with wild cards, when they come to the minimum."""
        side = self.sides[player.side]
        plan = [
            (rank, min(count, self._room(side, rank)), 0)
            for rank, count in player.hand.items()
            if count >= self.rules.meld_least and rank in self.ranks - self.done and not self._unsafe(side, rank, count)
        ]
        points = sum(self.values[rank] * count for rank, count, _ in plan)
        least = side.first_meld
        wilds = player.wilds
        twos = player.hand.get(TWO, 0)
        pairs = [
            rank
            for rank, count in player.hand.items()
            if count == self.rules.meld_least - 1 and rank in self.ranks - self.pure - self.done
        ]
        for rank in sorted(pairs, key=self.values.__getitem__, reverse=True):
            if points >= least or not wilds or not self.rules.wilds_in(self.rules.meld_least):
                break
            naturals, used = self.rules.meld_least - 1, 0
            points += self.values[rank] * naturals
            while wilds and used < self._beside_pair and (not used or points < least):
                points += self.values[TWO if twos > 0 else JOKER]
                wilds, twos, used = wilds - 1, twos - 1, used + 1
            plan.append((rank, naturals, used))
        if not plan or points < least or sum(naturals + used for _, naturals, used in plan) > self._spare(player):
            return False
        for rank, naturals, used in plan:
            self._lay(player, rank, naturals=naturals, wilds=used)
        return True

    def _meld_naturals(self, player: PlayerAtTable) -> None:
        side, rules = self.sides[player.side], self.rules
        for rank, held in list(player.hand.items()):
            if rank not in self.ranks:
                continue
            keeps = held == 2 and self._room(side, rank) >= 3 and not self._hurries(player)
            if keeps and self.rng.random() < self.keeps_pairs:
                continue  # kept for taking the discards
            if rank in side.open and (fits := min(held, self._room(side, rank), self._spare(player))) > 0:
                self._lay(player, rank, naturals=fits)
                held -= fits
            if (
                rank not in side.open
                and not self._unsafe(side, rank, held)
                and ((fits := min(held, self._room(side, rank), self._spare(player))) >= rules.meld_least)
            ):
                self._lay(player, rank, naturals=fits)

    def _meld_wilds(self, player: PlayerAtTable) -> None:
        """Make dirty piles of the longest melds until there are enough, then put wild cards together."""
        side, rules = self.sides[player.side], self.rules
        if self._wants_dirty(side) or self.rng.random() < 0.03:
            for rank, laid in sorted(side.open.items(), key=lambda item: -sum(item[1])):
                needed = rules.pile_size - sum(laid)
                allowed = rules.wilds_in(rules.pile_size) - laid[1] - laid[2]
                if rank in self.pure | self.done or rank == WILD or needed <= 0:
                    continue
                if needed <= min(allowed, player.wilds, self._spare(player)):
                    self._lay(player, rank, naturals=0, wilds=needed)
                    break
        fits = min(player.wilds, self._room(side, WILD), self._spare(player))
        begins = fits >= (1 if side.wild else rules.meld_least) and not self._unsafe(side, WILD, fits)
        if rules.wild_melds and begins and not self._wants_dirty(side):
            self._lay(player, WILD, naturals=0, wilds=fits)

    def _wants_dirty(self, side: SideAtTable) -> bool:
        """Whether wild cards are for dirty piles: the wild ones are made, and going out needs another dirty pile, or
        one of any kind."""
        _clean, dirty, _wild = self.rules.needs_to_go_out(self.number)
        lacks = side.piles["dirty"] < dirty or side.all_piles < self.rules.out_piles
        return lacks and side.piles["wild"] >= self.rules.out_wild

    def _shed_wilds(self, player: PlayerAtTable) -> None:
        """Meld pairs with wild cards; in the last packet only once the wild piles that going out needs are made."""
        side, rules = self.sides[player.side], self.rules
        if side.piles["wild"] < rules.out_wild and player.in_foot:
            return
        if not rules.wilds_in(rules.meld_least):
            return
        for rank, held in list(player.hand.items()):
            if held != rules.meld_least - 1 or rank in side.open or rank not in self.ranks - self.pure - self.done:
                continue
            if (most := min(self._beside_pair, player.wilds, self._spare(player) - held)) > 0:
                self._lay(player, rank, naturals=held, wilds=most if most == 1 else self.rng.randint(1, most))

    @property
    def _beside_pair(self) -> int:
        pair = self.rules.meld_least - 1
        return max(used for used in range(self.rules.pile_size - pair) if used <= self.rules.wilds_in(pair + used))

    # Going out

    def _may_go_out(self, player: PlayerAtTable) -> bool:
        return self._has_piles(player.side) and all(
            other.played_foot for other in self.players if other.side == player.side and other is not player
        )

    def _has_piles(self, side: int) -> bool:
        own, rules = self.sides[side], self.rules
        piles = own.piles
        clean, dirty, wild = rules.needs_to_go_out(self.number)
        return (
            piles["clean"] >= clean
            and piles["dirty"] >= dirty
            and piles["wild"] >= wild
            and not any(self._unfinished(own, name) for name, _ in rules.extras if name.startswith(UNFINISHED))
            and own.all_piles >= rules.out_piles
            and (not rules.out_special or all(piles[rank] for rank in self.books))
        )

    def _went_out(self, player: PlayerAtTable) -> bool:
        """Whether the player went out: melded all cards but one at most, discarded that, and partners agreed."""
        side, rules = self.sides[player.side], self.rules
        additions: list[tuple[str, int]] = []
        stay = 0
        for rank, held in player.hand.items():
            if rank in (TWO, JOKER):
                continue
            may = rank in self.ranks or (rank == BLACK_THREE and rules.black_three_melds)
            fits = may and held <= self._room(side, rank) and (rank in side.open or held >= rules.meld_least)
            fits = fits and not self._left_unfinished(side, rank, held)
            if fits:
                additions.append((rank, held))
            else:
                stay += held
        wilds = player.wilds
        fit_wilds = rules.wild_melds and wilds <= self._room(side, WILD) and (side.wild or wilds >= rules.meld_least)
        fit_wilds = fit_wilds and not self._left_unfinished(side, WILD, wilds)
        stay += 0 if fit_wilds else wilds
        partners = rules.shape.per_side - 1
        if stay > 1 or any(self.rng.random() > self.agrees for _ in range(partners)):
            return False
        for rank, held in additions:
            self._lay(player, rank, naturals=held)
        if wilds and fit_wilds:
            self._lay(player, WILD, naturals=0, wilds=wilds)
        if player.cards:
            self._discard(player)
        return True

    # The card

    def _unfinished(self, side: SideAtTable, name: str) -> bool:
        """Whether the side has a meld that is short of a pile and costs points for it."""
        rank = name.removeprefix(UNFINISHED)
        naturals, twos, jokers = side.open.get(rank, NOTHING)
        cards = naturals + twos + jokers
        return 0 < cards < self.rules.pile_size and (rank == WILD or not twos + jokers)

    def _unsafe(self, side: SideAtTable, rank: str, count: int) -> bool:
        """Whether a meld of the rank may well stay short of a pile and cost points: few begin one with six cards."""
        return self._left_unfinished(side, rank, count + (self.rng.random() < 0.1))

    def _left_unfinished(self, side: SideAtTable, rank: str, count: int) -> bool:
        """Whether so many cards more make a meld that nobody may go out with."""
        cards = sum(side.open.get(rank, NOTHING)) + count
        return f"{UNFINISHED}{rank}" in dict(self.rules.extras) and cards < self.rules.pile_size

    def _extra(self, side: int, name: str) -> int:
        own = self.sides[side]
        if name.startswith(UNFINISHED):
            return int(self._unfinished(own, name))
        if name == HELD:
            hands = [player.hand for player in self.players if player.side == side]
            return sum(hand.get(rank, 0) >= 3 for hand in hands for rank in HELD_RANKS)
        if name == ALL_BLACK_THREES:
            return int(own.open.get(BLACK_THREE, NOTHING)[0] == 2 * self.rules.decks)
        return int(name == POT and bool(own.pot))

    def _held(self) -> list[Counter[str]]:
        held = [Counter[str]() for _ in self.sides]
        for player in self.players:
            for cards in (player.hand, *player.packets):
                held[player.side].update(cards)
        return held

    def _perfect(self) -> list[int]:
        """How many players of each side took exactly the cards to be dealt: at random one in twenty, if there is a
        bonus for it."""
        if not self.rules.perfect_bonus:
            return [0] * len(self.sides)
        return [sum(self.rng.random() < 0.05 for _ in range(self.rules.shape.per_side)) for _ in self.sides]

    def cards(self) -> tuple[HandAndFootDeal, HandAndFootDeal]:
        columns = zip(self.sides, self._held(), self._perfect(), strict=True)
        both = [self._columns(place, held, perfect=took) for place, (_side, held, took) in enumerate(columns)]
        figures, counted = zip(*both, strict=True)
        deal = HandAndFootDeal(sides=figures, out=self.out, number=self.number)
        return deal, replace(deal, sides=counted)

    def _columns(self, place: int, held: Counter[str], *, perfect: int) -> tuple[SideCard, SideCard]:
        side, black_three = self.sides[place], self.rules.black_three_left
        values = self.values if black_three is None else self.values | {BLACK_THREE: black_three}
        noted = SideCard(
            red_threes=side.red_threes,
            black_threes=side.black_threes,
            extras=tuple(self._extra(place, name) for name, _ in self.rules.extras),
            red_threes_missed=held[RED_THREE],
            perfect=perfect,
            score_before=self.score_before,
        )
        figures = replace(
            noted,
            clean=side.piles["clean"],
            dirty=side.piles["dirty"],
            wild=side.piles["wild"],
            special=tuple(side.piles[rank] for rank, _ in self.rules.special_books),
            melded=side.melded,
            left=sum(values[card] * count for card, count in held.items() if card != RED_THREE),
        )
        melds = tuple(
            RankMeld(rank=rank, naturals=naturals, twos=twos, jokers=jokers)
            for rank, (naturals, twos, jokers) in side.melds()
        )
        left = tuple(CardsLeft(of=card, count=held[card]) for card in self.values if card in held)
        return figures, replace(noted, counted=CountedCards(melds=melds, left=left))


def _choose_hands(hands: list[list[str]], feet: list[list[str]]) -> list[list[list[str]]]:
    """Every player keeps the packet with more wild cards as the hand; the other is the left neighbour's foot."""

    def wilds(packet: list[str]) -> int:
        return sum(card in (TWO, JOKER) for card in packet)

    pairs = [sorted(pair, key=wilds) for pair in zip(hands, feet, strict=True)]
    kept = [more for _, more in pairs]
    passed = [fewer for fewer, _ in pairs]
    return [kept, passed[-1:] + passed[:-1]]


def play(
    rng: Random, rules: HandAndFootRules, *, deals_before: int, before: Sequence[int] | None = None
) -> HandAndFootDeal:
    """The card of one deal that was really dealt and played; `deals_before` deals of the game came before it.

    `before` are the sides' scores by then, where the first meld goes by them; None: they may be anything.
    """
    return play_both_ways(rng, rules, deals_before=deals_before, before=before)[0]


def play_both_ways(
    rng: Random, rules: HandAndFootRules, *, deals_before: int, before: Sequence[int] | None = None
) -> tuple[HandAndFootDeal, HandAndFootDeal]:
    """The true deal of `play` written in two ways: with its figures, and with its cards counted."""
    deal = _Deal(rng, rules, number=deals_before + 1, before=before)
    deal.play()
    return deal.cards()
