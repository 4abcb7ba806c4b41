"""True deals of Hand and Foot: a real pack, shuffled, dealt and played by simple legal play.

The players are no experts. They meld what they can, save their wild cards for what going out needs, take the
discard pile when it fits an open meld or makes one, and go out as soon as they may and their partners agree.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from scoring.engine.hand_and_foot_card import (
    BLACK_THREE,
    JOKER,
    NEVER_IN_A_RANK_MELD,
    TWO,
    HandAndFootDeal,
    HandAndFootRules,
    SideCard,
)

RED_THREE = "red 3"


class StockExhausted(Exception):
    """Somebody has to draw and the stock can't give it: the deal ends."""


@lru_cache(maxsize=64)
def _pack(rules: HandAndFootRules) -> tuple[str, ...]:
    """All cards by rank; suits matter only for the threes."""
    ranks = [rank for rank, _ in rules.card_values if rank not in NEVER_IN_A_RANK_MELD]
    deck = [TWO] * 4 + [BLACK_THREE] * 2 + [RED_THREE] * 2 + ranks * 4 + [JOKER] * rules.jokers_per_deck
    return tuple(deck * rules.decks)


class _Side:
    """What a side has on the table. `open` and `wild` are its incomplete melds."""

    def __init__(self) -> None:
        self.open: dict[str, tuple[int, int]] = {}  # rank -> naturals, wilds
        self.wild = 0
        self.piles = {"clean": 0, "dirty": 0, "wild": 0}
        self.red_threes = 0
        self.melded = 0


class _Player:
    def __init__(self, side: int, hand: list[str], foot: list[str]) -> None:
        self.side = side
        self.hand: dict[str, int] = {}
        self.cards = 0  # in the hand
        self.foot: list[str] | None = foot  # None once it is picked up
        self.started = False
        self.played_foot = False
        for card in hand:
            self.take(card)

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


class _Deal:
    def __init__(self, rng: Random, rules: HandAndFootRules, number: int) -> None:
        self.rng, self.rules, self.number = rng, rules, number
        self.values = rules.values
        self.sides = [_Side() for _ in range(rules.shape.sides)]
        self.out: int | None = None
        self.stock = list(_pack(rules))
        rng.shuffle(self.stock)
        hands = [self._packet(rules.hand) for _ in range(rules.shape.players)]
        feet = [self._packet(rules.foot) for _ in range(rules.shape.players)]
        if rules.choose_foot:
            hands, feet = _chosen(hands, feet)
        self.players = [
            _Player(seat % rules.shape.sides, hand, foot)
            for seat, (hand, foot) in enumerate(zip(hands, feet, strict=True))
        ]
        self.discards: list[str] = []
        self._turn_up()
        self.takes_pile = rng.random() ** 0.3  # how eager this table is
        self.keeps_pairs = rng.random() ** 0.5
        late = rules.shape.per_side == 1  # nobody helps with the piles that going out needs
        self.hurry_from = 0 if late else len(self.stock) * rng.uniform(0.2, 0.8)  # cards in the stock
        self.careless = rng.random() if late else 0.0  # how often a discard is just what the next player wants
        self.agrees = 0.5 + rng.random() / 2

    def _packet(self, size: int) -> list[str]:
        packet = self.stock[-size:]
        del self.stock[-size:]
        return packet

    def _turn_up(self) -> None:
        """The first upcard that isn't a red three or wild; those are buried."""
        for place in range(len(self.stock) - 1, -1, -1):
            if self.stock[place] not in (RED_THREE, TWO, JOKER):
                self.discards.append(self.stock.pop(place))
                return

    def play(self) -> None:
        try:
            while self.out is None:
                for player in self.players:
                    self._turn(player)
                    if self.out is not None:
                        return
        except StockExhausted:
            return

    # One turn

    def _turn(self, player: _Player) -> None:
        if not player.started:
            player.started = True
            self._table_red_threes(player)
        if not self._took_pile(player):
            if len(self.stock) < self.rules.draw:
                raise StockExhausted
            for _ in range(self.rules.draw):
                self._draw(player)
        self._meld(player)
        if player.cards == 0 and player.foot is not None:
            self._pick_up_foot(player)
            self._meld(player)
        in_foot = player.foot is None
        if in_foot and self._may_go_out(player) and self._went_out(player):
            self.out = player.side
            return
        floats = in_foot and player.cards < 2  # a last card isn't discarded: that would be going out
        if not floats:
            self._discard(player)
        if in_foot:
            player.played_foot = True
        elif player.cards == 0:
            self._pick_up_foot(player)

    def _draw(self, player: _Player) -> None:
        """One card from the stock, a red three tabled and replaced."""
        while self.stock:
            card = self.stock.pop()
            if card != RED_THREE:
                player.take(card)
                return
            self.sides[player.side].red_threes += 1
        raise StockExhausted

    def _table_red_threes(self, player: _Player) -> None:
        if found := player.hand.get(RED_THREE, 0):
            player.give(RED_THREE, found)
            self.sides[player.side].red_threes += found
            for _ in range(found):
                self._draw(player)

    def _pick_up_foot(self, player: _Player) -> None:
        for card in player.foot or ():
            player.take(card)
        player.foot = None
        self._table_red_threes(player)

    def _took_pile(self, player: _Player) -> bool:
        """Take the discards when the top one melds with two naturals of the hand."""
        if not self.discards or self.rng.random() > self.takes_pile:
            return False
        side, top = self.sides[player.side], self.discards[-1]
        whole_pile = self.rules.foot_takes_all and player.foot is None
        count = len(self.discards) if whole_pile else min(self.rules.take_most, len(self.discards))
        naturals, wilds = side.open.get(top, (0, 0))
        if (
            not side.melded
            or top in NEVER_IN_A_RANK_MELD
            or player.hand.get(top, 0) < 2
            or naturals + wilds + 3 > self.rules.pile_size
            or (player.foot is None and player.cards - 2 + count - 1 < 2)
        ):
            return False
        taken = self.discards[-count:]
        del self.discards[-count:]
        for card in taken:
            player.take(card)
        self._lay(player, top, 3)
        return True

    def _discard(self, player: _Player) -> None:
        side = self.sides[player.side]

        following = self.players[(self.players.index(player) + 1) % len(self.players)]
        gives_away = self.rng.random() < self.careless

        def wish_to_keep(card: str) -> tuple[bool, bool, bool, int, int]:
            taken = gives_away and following.hand.get(card, 0) >= 2
            return card in (TWO, JOKER), not taken, card in side.open, player.hand[card], self.values[card]

        black_three = BLACK_THREE in player.hand and not gives_away
        card = BLACK_THREE if black_three else min(player.hand, key=wish_to_keep)
        player.give(card)
        self.discards.append(card)

    # Melding

    def _lay(self, player: _Player, rank: str, naturals: int, wilds: int = 0) -> None:
        """Put cards to the side's open meld of a rank, or start one."""
        side = self.sides[player.side]
        if naturals:
            player.give(rank, naturals)
        side.melded += naturals * self.values[rank] + self._give_wilds(player, wilds)
        before = side.open.pop(rank, (0, 0))
        now = before[0] + naturals, before[1] + wilds
        if sum(now) == self.rules.pile_size:
            side.piles["dirty" if now[1] else "clean"] += 1
        else:
            side.open[rank] = now

    def _lay_wilds(self, player: _Player, count: int) -> None:
        side = self.sides[player.side]
        side.melded += self._give_wilds(player, count)
        side.wild += count
        if side.wild == self.rules.pile_size:
            side.wild = 0
            side.piles["wild"] += 1

    def _give_wilds(self, player: _Player, count: int) -> int:
        points = 0
        for _ in range(count):
            card = TWO if TWO in player.hand else JOKER
            player.give(card)
            points += self.values[card]
        return points

    def _spare(self, player: _Player) -> int:
        """Cards that may be melded: all from the hand; from the foot two stay, one to discard and one to hold,
        unless a player may float."""
        return player.cards if player.foot is not None or self.rules.may_float else player.cards - 2

    def _meld(self, player: _Player) -> None:
        side = self.sides[player.side]
        if not side.melded and not self._first_meld(player):
            return
        self._meld_naturals(player)
        self._meld_wilds(player)
        if self._hurries(player):
            self._shed_wilds(player)

    def _hurries(self, player: _Player) -> bool:
        """Whether to get rid of cards rather than to gather them: the side may go out, or the stock runs low."""
        return (
            self._has_piles(player.side)
            or len(self.stock) < self.hurry_from
            or (player.cards < 5 and self.rules.shape.per_side > 1)
        )

    def _first_meld(self, player: _Player) -> bool:
        """Lay the sets of three and more, helped by pairs with a wild card, when they come to the minimum."""
        plan = [
            (rank, min(count, self.rules.pile_size), 0)
            for rank, count in player.hand.items()
            if count >= self.rules.meld_least and rank in self._ranks
        ]
        points = sum(self.values[rank] * count for rank, count, _ in plan)
        least = self.rules.least_first_meld(self.number)
        wilds = player.wilds
        twos = player.hand.get(TWO, 0)
        pairs = [
            rank for rank, count in player.hand.items() if count == self.rules.meld_least - 1 and rank in self._ranks
        ]
        for rank in sorted(pairs, key=self.values.__getitem__, reverse=True):
            if points >= least or not wilds or self.rules.meld_least < 1 + self.rules.naturals_per_wild:
                break
            plan.append((rank, self.rules.meld_least - 1, 1))
            points += self.values[rank] * (self.rules.meld_least - 1) + self.values[TWO if twos > 0 else JOKER]
            wilds, twos = wilds - 1, twos - 1
        if not plan or points < least:
            return False
        for rank, naturals, used in plan:
            self._lay(player, rank, naturals, used)
        return True

    @property
    def _ranks(self) -> frozenset[str]:
        return _meldable(self.rules)

    def _meld_naturals(self, player: _Player) -> None:
        side, rules = self.sides[player.side], self.rules
        for rank, held in list(player.hand.items()):
            if rank not in self._ranks:
                continue
            keeps = held == 2 and sum(side.open.get(rank, (0, 0))) <= rules.pile_size - 3 and not self._hurries(player)
            if keeps and self.rng.random() < self.keeps_pairs:
                continue  # to take the discards with
            if (
                rank in side.open
                and (fits := min(held, rules.pile_size - sum(side.open[rank]), self._spare(player))) > 0
            ):
                self._lay(player, rank, fits)
                held -= fits
            if rank not in side.open and (fits := min(held, rules.pile_size, self._spare(player))) >= rules.meld_least:
                self._lay(player, rank, fits)

    def _meld_wilds(self, player: _Player) -> None:
        """Make dirty piles of the longest melds until there are enough, then put wild cards together."""
        side, rules = self.sides[player.side], self.rules
        dirty_wanted = side.piles["dirty"] < rules.out_dirty and side.piles["wild"] >= rules.out_wild
        if dirty_wanted or self.rng.random() < 0.03:
            for rank, (naturals, wilds) in sorted(side.open.items(), key=lambda item: -sum(item[1])):
                needed = rules.pile_size - naturals - wilds
                allowed = rules.pile_size // (1 + rules.naturals_per_wild) - wilds
                if needed <= min(allowed, player.wilds, self._spare(player)):
                    self._lay(player, rank, 0, needed)
                    break
        fits = min(player.wilds, rules.pile_size - side.wild, self._spare(player))
        if rules.wild_melds and fits >= (1 if side.wild else rules.meld_least) and not self._saves_wilds(side):
            self._lay_wilds(player, fits)

    def _shed_wilds(self, player: _Player) -> None:
        """Pairs with a wild card, once the wild pile is made or when the hand is nearly through."""
        side, rules = self.sides[player.side], self.rules
        if side.piles["wild"] < rules.out_wild and player.foot is None:
            return
        if rules.meld_least - 1 < rules.naturals_per_wild:
            return
        for rank, held in list(player.hand.items()):
            if held != rules.meld_least - 1 or rank in side.open or rank not in self._ranks:
                continue
            if player.wilds and self._spare(player) >= rules.meld_least:
                self._lay(player, rank, held, 1)

    def _saves_wilds(self, side: _Side) -> bool:
        """Once the wild piles are made, the rest of the wild cards is for dirty ones."""
        return side.piles["wild"] >= self.rules.out_wild and side.piles["dirty"] < self.rules.out_dirty

    # Going out

    def _may_go_out(self, player: _Player) -> bool:
        return self._has_piles(player.side) and all(
            other.played_foot for other in self.players if other.side == player.side and other is not player
        )

    def _has_piles(self, side: int) -> bool:
        piles, rules = self.sides[side].piles, self.rules
        return (
            piles["clean"] >= rules.out_clean and piles["dirty"] >= rules.out_dirty and piles["wild"] >= rules.out_wild
        )

    def _went_out(self, player: _Player) -> bool:
        """Meld all cards but one at most, and discard that one, when partners agree."""
        side, rules = self.sides[player.side], self.rules
        additions: list[tuple[str, int]] = []
        stay = 0
        for rank, held in player.hand.items():
            if rank in (TWO, JOKER):
                continue
            room = rules.pile_size - sum(side.open.get(rank, (0, 0)))
            fits = rank in self._ranks and held <= room and (rank in side.open or held >= rules.meld_least)
            if fits:
                additions.append((rank, held))
            else:
                stay += held
        wilds = player.wilds
        fit_wilds = (
            rules.wild_melds and wilds <= rules.pile_size - side.wild and (side.wild or wilds >= rules.meld_least)
        )
        stay += 0 if fit_wilds else wilds
        partners = rules.shape.per_side - 1
        if stay > 1 or any(self.rng.random() > self.agrees for _ in range(partners)):
            return False
        for rank, held in additions:
            self._lay(player, rank, held)
        if wilds and fit_wilds:
            self._lay_wilds(player, wilds)
        if player.cards:
            self._discard(player)
        return True

    # The card

    def card(self) -> HandAndFootDeal:
        held: list[list[str]] = [[] for _ in self.sides]
        for player in self.players:
            held[player.side] += player.foot or []
            for card, count in player.hand.items():
                held[player.side] += [card] * count
        return HandAndFootDeal(
            sides=tuple(
                SideCard(
                    clean=side.piles["clean"],
                    dirty=side.piles["dirty"],
                    wild=side.piles["wild"],
                    red_threes=side.red_threes,
                    red_threes_missed=cards.count(RED_THREE),
                    melded=side.melded,
                    left=sum(self.values[card] for card in cards if card != RED_THREE),
                )
                for side, cards in zip(self.sides, held, strict=True)
            ),
            out=self.out,
            number=self.number,
        )


def _chosen(hands: list[list[str]], feet: list[list[str]]) -> tuple[list[list[str]], list[list[str]]]:
    """Every player keeps the packet with more wild cards as the hand; the other is the left neighbour's foot."""

    def wilds(packet: list[str]) -> int:
        return sum(card in (TWO, JOKER) for card in packet)

    pairs = [sorted(pair, key=wilds) for pair in zip(hands, feet, strict=True)]
    kept = [more for _, more in pairs]
    passed = [fewer for fewer, _ in pairs]
    return kept, passed[-1:] + passed[:-1]


@lru_cache(maxsize=64)
def _meldable(rules: HandAndFootRules) -> frozenset[str]:
    return frozenset(rank for rank, _ in rules.card_values if rank not in NEVER_IN_A_RANK_MELD)


def play(rng: Random, rules: HandAndFootRules, deals_before: int) -> HandAndFootDeal:
    """The card of one deal that was really dealt and played; `deals_before` deals of the game came before it."""
    deal = _Deal(rng, rules, deals_before + 1)
    deal.play()
    return deal.card()
