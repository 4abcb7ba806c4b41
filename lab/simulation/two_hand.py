"""True deals of two-hand pinochle: a real pack, a real stock to draw from, and melds laid from the cards held.

Every card is followed by itself, also through the melds in which it has served. Tricks before the last draw: any
card may be played. Afterwards strict play, as `lab.simulation.pinochle` has it. Source: 002, sections 4 to 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from lab.simulation.pinochle import best_trump, play_tricks, shuffled, trick_points, winner
from scoring.engine.pinochle.melds import CLUBS, JACK, KING, NINE, QUEEN, RANKS, SUIT_ORDER, cards_of
from scoring.engine.pinochle.two_hand.card import SIDES, Guess, LastDraw, Laying, TwoHandDeal, TwoHandRules
from scoring.engine.pinochle.two_hand.melds import DOUBLES, KIND_OF, MARRIAGES, UNCOUNTED, follow

REDEALS = 20  # most redeals, for dead hands and when both pass
LAYS, EXCHANGES = 0.9, 0.7  # chances to use what can be laid, or exchanged
RARE, IN_ORDER, NOTED = 0.04, 0.4, 0.7  # chances: of each penalty; of melds written one by one; of an optional note


@dataclass(slots=True)
class Held:
    """A card in a player's cards, and the kinds of meld in which it has served."""

    card: int
    served: set[str] = field(default_factory=set)


@dataclass(slots=True)
class PlayerWithMelds:
    cards: list[Held]
    layings: list[Laying] = field(default_factory=list)
    won: list[int] = field(default_factory=list)
    drew: LastDraw = LastDraw.OTHER
    silent: bool = False  # held a nine of trump without declaring it
    exchanged: bool = False

    def of(self, card: int, kind: str) -> list[Held]:
        """The player's cards equal to `card` that haven't served in a meld of that `kind`."""
        return [held for held in self.cards if held.card == card and kind not in held.served]


def play(rng: Random, rules: TwoHandRules, *, deals_before: int, before: Sequence[int] | None = None) -> TwoHandDeal:
    """A true deal, to the last trick: nobody claims the game, for which its score would have to be known."""
    table = deal_table(rng, rules, dealer=deals_before % SIDES)
    for number in range(1, rules.tricks_before_last_draw + 1):
        table.trick(rng, number)
    return table.counted(rng)


def deal_table(rng: Random, rules: TwoHandRules, *, dealer: int) -> TwoHandTable:
    """A table with the cards dealt and the bidding done; dead deals, and such as nobody bids on, are dealt again."""
    for again in range(REDEALS):  # pragma: no branch - so many dead deals in a row aren't seen
        hands, stock = shuffled(rng, rules, seats=SIDES)
        if not rules.bidding:
            break
        bid = _bid(rng, hands, dealer=dealer, rules=rules, must_open=again > 0)
        if bid and not any(is_dead(hand, rules) for hand in hands):
            return TwoHandTable(
                rules, hands, stock=stock, trump=best_trump(hands[bid[0]], rules)[0], lead=1 - bid[0], bid=bid
            )
    table = TwoHandTable(rules, hands, stock=stock, trump=stock[-1] // len(RANKS), lead=1 - dealer)
    if rules.turned_up_nine and stock[-1] % len(RANKS) == NINE:
        table.players[dealer].layings.append(Laying.NINE)
    return table


def is_dead(hand: Sequence[int], rules: TwoHandRules) -> bool:
    """Whether a player may call the deal dead: five nines and no meld, or six nines. Source: 002, section 7b."""
    others = [card for card in hand if card % len(RANKS) != NINE]
    nines = len(hand) - len(others)
    return nines >= 6 or (nines == 5 and best_trump(others, rules)[1] == 0)


def _bid(
    rng: Random, hands: Sequence[Sequence[int]], *, dealer: int, rules: TwoHandRules, must_open: bool
) -> tuple[int, int] | None:
    """Who holds the contract, and the bid; None when both pass. Source: 002, section 7.

    The dealer opens or passes; then the other may take it at the opening bid.
    """
    worth = [best_trump(hand, rules)[1] + rules.opening_bid * rng.randint(1, 5) // 4 for hand in hands]
    other, bid, step = 1 - dealer, rules.opening_bid, rules.bid_step
    if worth[dealer] < bid and not must_open:
        return (other, bid) if worth[other] >= bid else None
    holder = dealer
    while worth[1 - holder] >= bid + step:
        holder, bid = 1 - holder, bid + step * rng.randint(1, 1 + (worth[1 - holder] - bid - step) // step // 4)
    return holder, bid


class TwoHandTable:
    def __init__(
        self,
        rules: TwoHandRules,
        hands: Sequence[Sequence[int]],
        *,
        stock: Sequence[int],
        trump: int,
        lead: int,
        bid: tuple[int, int] | None = None,
    ) -> None:
        """The card turned up lies under the stock and is drawn last; `bid` is who holds the contract, and for what."""
        self.rules, self.trump, self.lead = rules, trump, lead
        self.contract = bid
        self.players = [PlayerWithMelds([Held(card) for card in hand]) for hand in hands]
        self.stock = [Held(card) for card in stock]

    @property
    def nine(self) -> int:
        return len(RANKS) * self.trump + NINE

    def trick(self, rng: Random, number: int) -> None:
        if self.rules.undeclared_nine:
            self._show_nines(rng)
        cards = []
        for seat in (self.lead, 1 - self.lead):
            held = min(rng.sample(self.players[seat].cards, 3), key=lambda held: (-(held.card % 6), len(held.served)))
            held = rng.choice([held, *self.players[seat].cards])
            self.players[seat].cards.remove(held)
            cards.append(held.card)
        self.lead = self.lead if winner(cards, self.trump) == 0 else 1 - self.lead
        taker = self.players[self.lead]
        taker.won += cards
        self._lay(rng, taker)
        self._exchange(rng, taker)
        if number == self.rules.tricks_before_last_draw:
            self._last_draw(rng)
            if self.rules.meld_after_last_draw:
                self._lay(rng, taker)
        else:
            for seat in (self.lead, 1 - self.lead):
                self.players[seat].cards.append(self.stock.pop(0))

    def _show_nines(self, rng: Random) -> None:
        """Declare the nines of trump; now and then a player forgets one, and doesn't think of it again."""
        for player in self.players:
            for held in player.of(self.nine, "nine"):
                held.served.add("nine")
                if rng.random() < RARE:
                    held.served.add("silent")
                    player.silent = True
                else:
                    player.layings.append(Laying.NINE)

    def _lay(self, rng: Random, player: PlayerWithMelds) -> None:
        counted = False
        while options := [o for o in self._options(player) if not (counted and o[0] not in UNCOUNTED)]:
            if rng.random() > LAYS:
                return
            laying, cards, kinds = rng.choice(options)
            for held in cards:
                held.served |= kinds
            player.layings.append(laying)
            counted = counted or laying not in UNCOUNTED

    def _options(self, player: PlayerWithMelds) -> Iterator[tuple[Laying, list[Held], set[str]]]:
        """What can be laid now, with its cards and the kinds of meld in which they then have served."""
        base, trump = len(RANKS) * self.trump, SUIT_ORDER[self.trump]
        for double, single in DOUBLES.items():
            cards, kind = cards_of(KIND_OF[single], trump), single.value
            fresh = [player.of(card, kind) for card in cards]
            if single is Laying.RUN:  # kings and queens of a marriage first: the others may still be added
                fresh = [sorted(of, key=lambda held: "royal" not in held.served) for of in fresh]
            lying = any(laying in (single, double) for laying in player.layings)
            if all(fresh):
                yield single, [of[0] for of in fresh], {kind}
            if all(len(of) > 1 for of in fresh) and not lying:
                yield double, [held for of in fresh for held in of[:2]], {kind}
            elif lying and self._can_grow(player, single, double=double, cards=cards) and all(fresh):
                yield double, [of[0] for of in fresh], {kind}
        for laying, suit in MARRIAGES.items():
            pair = [player.of(card, "marriage") for card in cards_of(KIND_OF[laying], suit)]
            if suit is not trump and all(pair):
                yield laying, [of[0] for of in pair], {"marriage"}
        free = [[h for h in player.of(base + rank, "royal") if Laying.RUN not in h.served] for rank in (KING, QUEEN)]
        if all(free):
            yield Laying.ROYAL_MARRIAGE, [of[0] for of in free], {"royal"}
        if self.rules.added_to_run and any(laying in (Laying.RUN, Laying.DOUBLE_RUN) for laying in player.layings):
            for laying, of in zip((Laying.ADDED_KING, Laying.ADDED_QUEEN), free, strict=True):
                if of:
                    yield laying, of[:1], {Laying.RUN.value}
        for held in player.of(self.nine, "nine"):
            yield Laying.NINE, [held], {"nine"}

    def _can_grow(self, player: PlayerWithMelds, single: Laying, *, double: Laying, cards: Sequence[int]) -> bool:
        once = player.layings.count(single) == 1 and double not in player.layings
        whole = all(any(held.card == card and single.value in held.served for held in player.cards) for card in cards)
        return self.rules.grown_double != "never" and once and whole

    def _exchange(self, rng: Random, player: PlayerWithMelds) -> None:
        """Exchange a declared nine of trump for the card turned up, once in a deal. Source: 002, section 9e."""
        shown = [
            held for held in player.cards if held.card == self.nine and {"nine"} == held.served & {"nine", "silent"}
        ]
        if not shown or any(each.exchanged for each in self.players) or rng.random() > EXCHANGES:
            return
        player.cards.remove(shown[0])
        taken, self.stock[-1] = self.stock[-1], shown[0]
        player.cards.append(taken)
        player.exchanged = True
        if taken.card == self.nine:
            taken.served.add("nine")
            player.layings.append(Laying.NINE)

    def _last_draw(self, rng: Random) -> None:
        """The winner draws the last of the stock or the card turned up, the other what is left."""
        under = self.stock[-1]
        rng.shuffle(self.stock)
        for seat in (self.lead, 1 - self.lead):
            player, held = self.players[seat], self.stock.pop()
            if held.card == self.nine and self.rules.last_draw_nine:
                own = held is under and player.exchanged
                player.drew = LastDraw.NINE_PUT_BACK if own else LastDraw.NINE_OF_TRUMP
                held.served.add("nine")
            elif held.card % len(RANKS) == NINE and self.rules.last_draw_nine:
                player.drew = LastDraw.NINE
            elif held.card == len(RANKS) * CLUBS + JACK and self.rules.last_draw_jack:
                player.drew = LastDraw.JACK_OF_CLUBS
            player.cards.append(held)

    def card(self, rng: Random) -> TwoHandDeal:
        """The card so far, melds as totals or one by one; without the take."""
        rules = self.rules
        laid = tuple(tuple(player.layings) for player in self.players)
        meld = tuple(follow(layings, rules).total for layings in laid)
        in_order = rng.random() < IN_ORDER
        drawn = tuple(player.drew for player in self.players)
        return TwoHandDeal(
            bidder=self.contract[0] if self.contract else None,
            bid=self.contract[1] if self.contract else None,
            trump=SUIT_ORDER[self.trump] if rng.random() < NOTED else None,
            meld=() if in_order and rng.random() < NOTED else meld,
            laid=laid if in_order else (),
            last_draw=drawn if any(draw != LastDraw.OTHER for draw in drawn) else (),
            guess=rng.choice(tuple(Guess)) if rules.bidding and rules.guess else Guess.NONE,
            **self._penalties(rng),
        )

    def _penalties(self, rng: Random) -> dict[str, Any]:
        rules = self.rules
        found: dict[str, Any] = {}

        def rare(possible: object, least: Any, *, many: Any) -> tuple[Any, ...]:
            column = tuple(many if possible and rng.random() < RARE else least for _player in self.players)
            return column if any(column) else ()

        silent = tuple(player.silent for player in self.players)
        found["undeclared_nine"] = silent if any(silent) else ()
        found["revoked"] = rare(rules.revoke_loses != "nothing", False, many=True)
        found["cards_wrong"] = rare(rules.wrong_cards, 0, many=rng.randint(1, 2))
        if found["cards_wrong"]:
            still = tuple(min(wrong, rng.randint(0, 1)) for wrong in found["cards_wrong"])
            found["cards_still_wrong"] = still if any(still) else ()
        found["led_early"] = rare(rules.early_lead, 0, many=rng.randint(1, 2))
        return found

    def counted(self, rng: Random) -> TwoHandDeal:
        """The whole card: the cards left are played out by the strict rules, and what was taken is counted."""
        rules = self.rules
        deal = self.card(rng)
        hands = [[held.card for held in player.cards] for player in self.players]
        tricks = play_tricks(rng, hands, leader=self.lead, trump=self.trump, rules=rules)
        last = tricks.last or 0
        before = [trick_points(player.won, rules) if rules.meld_play_tricks_count else 0 for player in self.players]
        take = [earlier + points for earlier, points in zip(before, tricks.points, strict=True)]
        take[last] += rules.last_trick
        nothing = 1 - last if rules.no_trick_points_loses_meld and not tricks.points[1 - last] else None
        noted = last if rng.random() < NOTED else None
        return replace(deal, take=tuple(take), last_trick=noted, no_trick_points=nothing)
