"""An exhaustive search for what the hands of one pack can meld together, written apart from the engine.

A hand is told by its runs, its aces, kings, queens and jacks around and its pinochles. The cards of these are fixed;
marriages and nines of trump come on top, suit by suit. Any meld may stay undeclared, so more cards never mean fewer
totals.
"""

from functools import cache
from itertools import product
from operator import le

from scoring.engine.pinochle.melds import ACE, AROUND, DIAMONDS, JACK, KING, NINE, QUEEN, SPADES, TEN, MeldKind

KINDS = (MeldKind.RUN, *AROUND, MeldKind.PINOCHLE)


class _Pack:
    """The cards that melds need, for so many players."""

    def __init__(self, table, trump, players):
        self.table, self.trump, self.players = table, trump, players
        self.full = (table.hand_size,) * players
        ranks = {MeldKind.RUN: (ACE, TEN, KING, QUEEN, JACK), MeldKind.PINOCHLE: (QUEEN, JACK)}
        ranks |= {kind: (rank,) for kind, rank in AROUND.items()} | {MeldKind.NINE_OF_TRUMP: (NINE,)}
        ranks |= dict.fromkeys((MeldKind.MARRIAGE, MeldKind.ROYAL_MARRIAGE), (KING, QUEEN))
        there = {kind for kind, needed in ranks.items() if set(needed) <= set(table.ranks)}
        if not {SPADES, DIAMONDS} <= set(table.suits):
            there.discard(MeldKind.PINOCHLE)
        self.most = {kind: min(table.copies, len(table.worth[kind]) - 1) if kind in there else 0 for kind in ranks}

    def shared(self, kind):
        """Every way in which the players can have such melds from one pack."""
        several = product(range(self.most[kind] + 1), repeat=self.players)
        return [each for each in several if sum(each) <= self.table.copies]

    def points(self, kind, each):
        return sum(self.table.worth[kind][many] for many in each)

    def fit(self, *cards):
        return all(sum(each) <= self.table.copies for each in cards)

    def aces(self, runs, aces):
        """The aces and tens of each player; None where the pack hasn't so many."""
        of_trump = _most(runs, aces)
        others = len(self.table.suits) - 1
        return _sum(of_trump, runs, *[aces] * others) if self.fit(of_trump, runs) else None

    def jacks(self, runs, jacks, pinochles):
        needed = dict.fromkeys(self.table.suits, jacks)
        if DIAMONDS in needed:
            needed[DIAMONDS] = _most(jacks, pinochles)
        needed[self.trump] = _most(needed[self.trump], runs)
        return _sum(*needed.values()) if self.fit(*needed.values()) else None

    def married(self, suit, fixed, of, join):
        """What marriages of a suit give, by its kings and queens; `fixed` are runs, kings, queens and pinochles."""
        runs, kings, queens, pinochles = fixed
        queens = _most(queens, pinochles) if suit == SPADES else queens
        kind = MeldKind.ROYAL_MARRIAGE if suit == self.trump else MeldKind.MARRIAGE
        runs = runs if suit == self.trump else (0,) * self.players
        ways = {}
        for each in self.shared(kind):
            wed = _sum(runs, each)
            held = _most(wed, kings), _most(wed, queens)
            if self.fit(wed, *held):
                cards = _sum(*held)
                ways[cards] = join(ways.get(cards), of(self.points(kind, each)))
        return ways

    def nines(self, of, join):
        ways = {}
        for each in self.shared(MeldKind.NINE_OF_TRUMP):
            ways[each] = join(ways.get(each), of(self.points(MeldKind.NINE_OF_TRUMP, each)))
        return ways


def _most(*each):
    return tuple(map(max, *each))


def _sum(*each):
    return tuple(map(sum, zip(*each, strict=True)))


# --- every total of two partners -----------------------------------------------------------------------


def partners_totals(table, trump):
    """Every total that two partners can meld from one pack."""
    pack = _Pack(table, trump, players=2)
    married = cache(lambda suit, *fixed: pack.married(suit, fixed, _bit, _either))
    none = (0, 0)

    @cache
    def plain(kings, queens, pinochles):
        ways = {none: 1}
        for suit in table.suits:
            if suit != trump:
                pinochle = pinochles if suit == SPADES else none
                ways = _together(ways, married(suit, none, kings, queens, pinochle), pack.full)
        return ways

    nines, totals = pack.nines(_bit, _either), 0
    for runs, pinochles in product(pack.shared(MeldKind.RUN), pack.shared(MeldKind.PINOCHLE)):
        if (runs, pinochles) < (runs[::-1], pinochles[::-1]):
            continue  # the partners the other way round
        fixed = pack.points(MeldKind.RUN, runs) + pack.points(MeldKind.PINOCHLE, pinochles)
        aces, jacks = {}, {}
        for each in pack.shared(MeldKind.ACES):
            if (cards := pack.aces(runs, each)) is not None:
                aces[cards] = _either(aces.get(cards), _bit(fixed + pack.points(MeldKind.ACES, each)))
        for each in pack.shared(MeldKind.JACKS):
            if (cards := pack.jacks(runs, each, pinochles)) is not None:
                jacks[cards] = _either(jacks.get(cards), _bit(pack.points(MeldKind.JACKS, each)))
        others = _together(_together(aces, jacks, pack.full), nines, pack.full)
        if not others:
            continue
        room = _less(pack.full, _least(others))
        court = {}
        for kings, queens in product(pack.shared(MeldKind.KINGS), pack.shared(MeldKind.QUEENS)):
            if not all(map(le, _sum(*[kings] * len(table.suits), *[queens] * len(table.suits)), room)):
                continue
            points = pack.points(MeldKind.KINGS, kings) + pack.points(MeldKind.QUEENS, queens)
            of_trump = married(trump, runs, kings, queens, pinochles if trump == SPADES else none)
            for cards, bits in _together(plain(kings, queens, pinochles), of_trump, room).items():
                court[cards] = court.get(cards, 0) | bits << points
        for bits in _together(others, _cheapest(court), pack.full).values():
            totals |= bits
    return set(_bits(totals))


def _bit(points):
    return 1 << points


def _either(one, other):
    return (one or 0) | other


def _bits(totals):
    while totals:
        low = totals & -totals
        yield low.bit_length() - 1
        totals ^= low


def _together(one, other, room):
    """The totals that two parts of the hands give together."""
    ways = {}
    for (here, bits), (there, more) in product(one.items(), other.items()):
        cards = _sum(here, there)
        if all(map(le, cards, room)):
            few, many = sorted((bits, more), key=int.bit_count)
            ways[cards] = ways.get(cards, 0)
            for points in _bits(few):
                ways[cards] |= many << points
    return _cheapest(ways)


def _cheapest(ways):
    """Without the totals that fewer cards give."""
    kept = {}
    for cards in sorted(ways, key=sum):
        bits = ways[cards]
        for fewer, known in kept.items():
            if all(map(le, fewer, cards)):
                bits &= ~known
        if bits:
            kept[cards] = bits
    return kept


def _least(ways):
    return tuple(map(min, zip(*ways, strict=True)))


def _less(one, other):
    return tuple(a - b for a, b in zip(one, other, strict=True))


# --- the most of all players ---------------------------------------------------------------------------


def most_of_all(table, trump, *, players):
    """The most that so many players can meld together from one pack.

    Hands are chosen from the best down, as long as the best that the rest of the pack could give beats what was found;
    for each choice the marriages and nines are then settled among all players.
    """
    alone, all_players = _Pack(table, trump, 1), _Pack(table, trump, players)
    worth = {}
    best = {}
    cards = {}  # what each needs of the cards that hands compete for
    for hand in product(*(range(alone.most[kind] + 1) for kind in KINDS)):
        if (settled := _settled(alone, [hand])) is not None:
            worth[hand] = sum(table.worth[kind][many] for kind, many in zip(KINDS, hand, strict=True))
            best[hand] = worth[hand] + settled
            runs, aces, kings, queens, jacks, pinochles = hand
            trump_queens = max(runs, queens, pinochles if trump == SPADES else 0)
            trump_jacks = max(runs, jacks, pinochles if trump == DIAMONDS else 0)
            of_trump = runs, max(runs, aces), max(runs, kings), trump_queens, trump_jacks
            cards[hand] = (*of_trump, max(queens, pinochles), max(jacks, pinochles))
    hands = sorted(best, key=lambda hand: -best[hand])

    @cache
    def bound(more, left):
        highest = 0
        for hand in hands if more else ():
            if best[hand] * more <= highest:
                break
            if all(map(le, cards[hand], left)):
                highest = max(highest, best[hand] + bound(more - 1, _less(left, cards[hand])))
        return highest

    found = 0

    def choose(chosen, start, left, points):
        nonlocal found
        more = players - len(chosen)
        if not more:
            if (settled := _settled(all_players, chosen)) is not None:
                found = max(found, sum(worth[hand] for hand in chosen) + settled)
            return
        for place in range(start, len(hands)):
            hand = hands[place]
            if points + best[hand] * more <= found:
                return
            if all(map(le, cards[hand], left)):
                rest = _less(left, cards[hand])
                if points + best[hand] + min(bound(more - 1, rest), best[hand] * (more - 1)) > found:
                    choose([*chosen, hand], place, rest, points + best[hand])

    choose([], 0, (table.copies,) * len(next(iter(cards.values()))), 0)
    return found


def _settled(pack, hands):
    """The most that marriages and nines add to these hands; None where the pack hasn't the cards, or hands are full."""
    runs, aces, kings, queens, jacks, pinochles = zip(*hands, strict=True)
    of_aces, of_jacks = pack.aces(runs, aces), pack.jacks(runs, jacks, pinochles)
    if of_aces is None or of_jacks is None:
        return None
    ways = {_sum(of_aces, of_jacks): 0}
    parts = [pack.married(suit, (runs, kings, queens, pinochles), int, _more) for suit in pack.table.suits]
    for part in (*parts, pack.nines(int, _more)):
        now, ways = ways, {}
        for (here, points), (there, more) in product(now.items(), part.items()):
            cards = _sum(here, there)
            if all(map(le, cards, pack.full)):
                ways[cards] = max(ways.get(cards, 0), points + more)
    return max(ways.values(), default=None)


def _more(one, other):
    return other if one is None else max(one, other)
