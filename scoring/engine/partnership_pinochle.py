"""Partnership pinochle with one pack: two sides of two, a bid, a pass, meld and counters.

Source: 004 (St. Hilary House Rules, version 3); the numbers are settings of `scoring/rules/st-hilary-v3.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from scoring.engine.ledger import Line, Problem, Score, Severity, named
from scoring.engine.pinochle_cards import (
    PinochleRules,
    counted,
    meld_table,
    points_in_pack,
)
from scoring.engine.pinochle_checks import (
    CHECK_CODES,
    ace_problems,
    bid_problems,
    columns,
    meld_problems,
    take_problems,
    whole_take,
)
from scoring.engine.pinochle_melds import meld_points
from scoring.engine.pinochle_play import (
    auction,
    best_trump,
    play_tricks,
    shuffled,
    without_least,
)

SLUG = "partnership-pinochle"
SIDES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnershipRules(PinochleRules):
    """Settings of one partnership game; see the TOML for label and source of each."""

    cards_passed: int  # bidder and partner exchange so many
    five_nines: int  # so many nines and no meld: the player may call for a redeal; 0: never
    misdeals: int  # after so many in one attempt the deal passes to the left
    meld_savers: str  # who needs counters to save meld: "other-side", "both", "nobody"
    counters_to_save_meld: int  # points in cards taken that save it
    last_trick_saves_meld: bool  # whether the point for the last trick counts for that
    renege_other_side: str  # what a renege costs the other side beside its meld: "bid" or "nothing"
    lay_down_forfeit: str  # who gets what a wrong lay-down forfeits: "nobody" or "opponents"


class Ending(StrEnum):
    """How the deal ended. For a lay-down the side named is the one whose lay-down was wrong."""

    PLAYED = "played"  # to the last trick, or by a lay-down that was right
    RENEGE_BID_SIDE = "renege-bid-side"
    RENEGE_OTHER_SIDE = "renege-other-side"
    LAY_DOWN_BID_SIDE = "lay-down-bid-side"
    LAY_DOWN_OTHER_SIDE = "lay-down-other-side"

    @property
    def renege(self) -> bool:
        """Whether the rest was thrown in, so that nothing taken counts."""
        return self in (Ending.RENEGE_BID_SIDE, Ending.RENEGE_OTHER_SIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnershipDeal:
    """One deal as on the score card, figures in the order of sides.

    `take` has the counters and the point for the last trick; it isn't needed after a renege. After a wrong
    lay-down it is what was taken before the cards were laid down, so it falls short of 25 by what is forfeited,
    and `last_trick` stays empty unless a side was given the last trick all the same.
    """

    bid_side: int  # 0 or 1
    bid: int
    meld: tuple[int, ...]  # both partners' together, per side
    take: tuple[int, ...] = ()
    last_trick: int | None = None  # side; None when it wasn't noted
    ending: Ending = Ending.PLAYED


RULES = PartnershipRules
FACTS = PartnershipDeal

# Every code of a line or problem, with its sentence and the arguments that fill it.
CODES: dict[str, str] = {
    # lines
    "pinochle.meld": "Meld: {meld}.",
    "pinochle.take": "Taken in play: {take}.",
    "pinochle.take-last": "Taken in play: {counters} in counters and {last} for the last trick.",
    "pinochle.made": "Bid of {bid} made with {total}.",
    "pinochle.set": "Set: meld {meld} and take {take} make {total}, {short} short of the bid of {bid}. "
    "The bid is deducted; meld and take don't count.",
    "pinochle.set-off-board": "Set: not on the board, as meld {meld} and all {most} in play are less than the bid "
    "of {bid}. The bid is deducted; meld and take don't count.",
    "pinochle.meld-lost": "Meld of {meld} lost: {counters} in counters taken, {needed} needed to save it.",
    "pinochle.renege-set": "Set by a renege: the bid of {bid} is deducted and the rest is thrown in.",
    "pinochle.renege-kept": "Meld counts: the bid side reneged.",
    "pinochle.renege-made": "Bid of {bid} counts as made: the other side reneged.",
    "pinochle.renege-penalty": "Single set for a renege: the bid of {bid} is deducted.",
    "pinochle.renege-lost": "Meld of {meld} lost by a renege.",
    "pinochle.forfeit": "Wrong lay-down: {points} in the tricks laid down are forfeited.",
    "pinochle.forfeit-gained": "{points} forfeited by the other side's wrong lay-down.",
    # problems
    **CHECK_CODES,
    "pinochle.bid-side": "The bid side must be one of the two sides.",
    "pinochle.last-trick-side": "The last trick must be with one of the two sides.",
    "pinochle.take-over": "The two sides' take is {total} together; with a wrong lay-down, and {last} for the last "
    "trick, it is at most {most}.",
    "pinochle.last-trick-needed": "Who won the last trick? It decides whether the meld of {meld} is saved.",
}

UNSCORABLE = frozenset({"pinochle.bid-side", "pinochle.columns", "pinochle.last-trick-side"})
"""Problems of shape: with one of these there is nothing to score, and no ruling can let it pass."""


# --- checking ------------------------------------------------------------------------------------------


def check(deal: PartnershipDeal, rules: PartnershipRules) -> tuple[Problem, ...]:
    """Everything wrong with a card; empty means that real cards could have produced it.

    The melds are held against what two hands of the pack can show together (a superset of the exact
    set, made from one hand's exact set); the take against the counters of the pack.
    """
    shape = tuple(_shape(deal))
    problems = [*shape, *bid_problems(deal.bid, rules)]
    if len(deal.meld) == SIDES:
        problems += meld_problems(deal.meld, rules, partners=True)
    if not shape and not deal.ending.renege:
        problems += _take(deal, rules)
    return tuple(problems)


def _shape(deal: PartnershipDeal) -> Iterator[Problem]:
    if deal.bid_side not in (0, 1):
        yield Problem("pinochle.bid-side", Severity.IMPOSSIBLE, "bid_side")
    if deal.last_trick not in (None, 0, 1):
        yield Problem("pinochle.last-trick-side", Severity.IMPOSSIBLE, "last_trick")
    yield from columns(deal.meld, SIDES, "meld")
    if not deal.ending.renege:
        yield from columns(deal.take, SIDES, "take")


def _take(deal: PartnershipDeal, rules: PartnershipRules) -> Iterator[Problem]:
    yield from take_problems(deal.take, deal.last_trick, rules)
    if deal.ending != Ending.PLAYED:
        nobody = deal.last_trick is None
        most = points_in_pack(rules) - (rules.last_trick if nobody else 0)
        if sum(deal.take) > most:
            args = named(total=sum(deal.take), most=most, last=0 if nobody else rules.last_trick)
            yield Problem("pinochle.take-over", Severity.IMPOSSIBLE, "take", args)
        return
    yield from whole_take(deal.take, rules)
    last_tricks = _last_tricks(deal, rules)
    if len(last_tricks) == 1:
        nothing = [_counters(deal, side, last_tricks[0], rules) == 0 for side in range(SIDES)]
        yield from ace_problems(deal.meld, nothing, rules, partners=True)
    elif len({(s.totals, s.sets) for s in (_score(deal, last, rules) for last in last_tricks)}) > 1:
        meld = min(deal.meld[side] for side in range(SIDES) if _needs_counters(deal, side, rules))
        yield Problem(
            "pinochle.last-trick-needed",
            Severity.AGAINST_RULES,
            "last_trick",
            named(meld=meld),
        )


def _last_tricks(deal: PartnershipDeal, rules: PartnershipRules) -> list[int | None]:
    """The sides that may have won the last trick, as far as the card tells; [None] when neither has its point."""
    if deal.last_trick is not None or deal.ending != Ending.PLAYED:
        return [deal.last_trick]
    return [side for side in range(SIDES) if deal.take[side] >= rules.last_trick] or [None]


# --- scoring -------------------------------------------------------------------------------------------


def score(deal: PartnershipDeal, rules: PartnershipRules) -> Score:
    """Points of both sides for one deal, the bid side counted first.

    Bid side: meld and take when they reach the bid together, else minus the bid ("set"). Other side: its
    take, and its meld when it has taken a counter. Source: 004 "The Count"; for the other endings "The Play"
    and "The Lay-Down". When the last trick isn't noted and both may have won it, what was taken counts as counters.

    Raises:
        ValueError: the card has a problem of `UNSCORABLE`.
    """
    if problem := next(_shape(deal), None):
        raise ValueError(problem.code)
    last_tricks = _last_tricks(deal, rules)
    return _score(deal, last_tricks[0] if len(last_tricks) == 1 else None, rules)


def _score(deal: PartnershipDeal, last: int | None, rules: PartnershipRules) -> Score:
    if deal.ending.renege:
        return _renege(deal, rules)
    bidders, others = deal.bid_side, 1 - deal.bid_side
    forfeit = list(_forfeit(deal, rules))
    lines, meld = _meld_lines(deal, bidders, last, rules)
    lines.append(_take_line(deal, bidders, last, rules))
    lines += [line for line in forfeit if line.side == bidders]
    total = sum(line.points for line in lines)
    made = total >= deal.bid
    if made:
        lines.insert(0, Line(bidders, 0, "pinochle.made", named(bid=deal.bid, total=total)))
    else:
        kept = [line for line in lines if line.rule == "pinochle.meld-lost" or line.rule == "pinochle.forfeit"]
        lines = [*kept, _set_line(deal, meld, total, rules)]
    lines += _meld_lines(deal, others, last, rules)[0]
    lines.append(_take_line(deal, others, last, rules))
    lines += [line for line in forfeit if line.side == others]
    return Score(SIDES, tuple(lines), () if made else (bidders,), bidders)


def _counters(deal: PartnershipDeal, side: int, last: int | None, rules: PartnershipRules) -> int:
    return deal.take[side] - (rules.last_trick if side == last else 0)


def _needs_counters(deal: PartnershipDeal, side: int, rules: PartnershipRules) -> bool:
    """Whether this side must take counters to save a meld."""
    savers = rules.meld_savers == "both" or (rules.meld_savers == "other-side" and side != deal.bid_side)
    return savers and deal.meld[side] > 0


def _meld_lines(deal: PartnershipDeal, side: int, last: int | None, rules: PartnershipRules) -> tuple[list[Line], int]:
    """The line of a side's meld, saved or lost, and the points that count."""
    meld = deal.meld[side]
    counters = deal.take[side] if rules.last_trick_saves_meld else _counters(deal, side, last, rules)
    if _needs_counters(deal, side, rules) and counters < rules.counters_to_save_meld:
        args = named(meld=meld, counters=counters, needed=rules.counters_to_save_meld)
        return [Line(side, 0, "pinochle.meld-lost", args)], 0
    return ([Line(side, meld, "pinochle.meld", named(meld=meld))] if meld else []), meld


def _take_line(deal: PartnershipDeal, side: int, last: int | None, rules: PartnershipRules) -> Line:
    take = deal.take[side]
    if side != last:
        return Line(side, take, "pinochle.take", named(take=take))
    args = named(counters=_counters(deal, side, last, rules), last=rules.last_trick)
    return Line(side, take, "pinochle.take-last", args)


def _set_line(deal: PartnershipDeal, meld: int, total: int, rules: PartnershipRules) -> Line:
    """The set, and whether it was certain: not "on the board" is a meld that all 25 in play can't lift to the bid."""
    most = points_in_pack(rules)
    if meld + most < deal.bid:
        return Line(
            deal.bid_side,
            -deal.bid,
            "pinochle.set-off-board",
            named(bid=deal.bid, meld=meld, most=most),
        )
    args = named(bid=deal.bid, meld=meld, take=total - meld, total=total, short=deal.bid - total)
    return Line(deal.bid_side, -deal.bid, "pinochle.set", args)


def _renege(deal: PartnershipDeal, rules: PartnershipRules) -> Score:
    """The rest is thrown in. Source: 004 "The Play", its last two paragraphs."""
    bidders, others = deal.bid_side, 1 - deal.bid_side
    bid = named(bid=deal.bid)
    if deal.ending == Ending.RENEGE_BID_SIDE:
        lines = [
            Line(bidders, -deal.bid, "pinochle.renege-set", bid),
            Line(
                others,
                deal.meld[others],
                "pinochle.renege-kept",
                named(meld=deal.meld[others]),
            ),
        ]
        return Score(SIDES, tuple(lines), (bidders,), bidders)
    penalty = deal.bid if rules.renege_other_side == "bid" else 0
    lines = [Line(bidders, deal.bid, "pinochle.renege-made", bid)]
    if meld := deal.meld[bidders]:
        lines.append(Line(bidders, meld, "pinochle.meld", named(meld=meld)))
    lines.append(Line(others, 0, "pinochle.renege-lost", named(meld=deal.meld[others])))
    if penalty:
        lines.append(Line(others, -penalty, "pinochle.renege-penalty", bid))
    return Score(SIDES, tuple(lines), (others,) if penalty else (), bidders)


def _forfeit(deal: PartnershipDeal, rules: PartnershipRules) -> Iterator[Line]:
    """What a wrong lay-down forfeits: all that is missing from the pack's points. Source: 004 "The Lay-Down"."""
    if deal.ending == Ending.PLAYED:
        return
    wrong = deal.bid_side if deal.ending == Ending.LAY_DOWN_BID_SIDE else 1 - deal.bid_side
    points = max(0, points_in_pack(rules) - sum(deal.take))
    yield Line(wrong, 0, "pinochle.forfeit", named(points=points))
    if points and rules.lay_down_forfeit == "opponents":
        yield Line(1 - wrong, points, "pinochle.forfeit-gained", named(points=points))


# --- true deals ----------------------------------------------------------------------------------------

REDEALS, RENEGE, LAY_DOWN, UNNOTED = (
    20,
    0.02,
    0.04,
    0.3,
)  # most redeals; chances of the rarer endings and of no note


def play(rng: Random, rules: PartnershipRules, deals_before: int) -> PartnershipDeal:
    """A true deal: a real pack shuffled, bid, passed, melded and played by the rules, and its card.

    Seats 0 to 3 in turn, seat `s` of side `s % 2`; the deal passes to the left.
    """
    table = meld_table(rules)
    for _again in range(REDEALS):
        hands, _widow = shuffled(rng, rules, 4)
        if not any(may_redeal(cards, rules) for cards in hands):
            break
    bidder, bid = auction(rng, [_worth(rng, cards, rules) for cards in hands], deals_before % 4, rules)
    trump, _meld = best_trump(hands[bidder], rules)
    partner = (bidder + 2) % 4
    kept, back = without_least(hands[bidder], rules.cards_passed, trump, rules)
    wanted = sorted(hands[partner], key=lambda card: (card // 6 != trump or card % 6 == 5, card % 6))
    over, rest = wanted[: rules.cards_passed], wanted[rules.cards_passed :]
    hands[bidder], hands[partner] = kept + over, rest + back
    melds = [meld_points(counted(cards), trump, table) for cards in hands]
    deal = PartnershipDeal(bid_side=bidder % 2, bid=bid, meld=(melds[0] + melds[2], melds[1] + melds[3]))
    if rng.random() < RENEGE:
        return replace(deal, ending=rng.choice((Ending.RENEGE_BID_SIDE, Ending.RENEGE_OTHER_SIDE)))
    if rng.random() < LAY_DOWN:
        stop = rng.randrange(rules.hand_size)
        ending = rng.choice((Ending.LAY_DOWN_BID_SIDE, Ending.LAY_DOWN_OTHER_SIDE))
        points = play_tricks(rng, hands, bidder, trump, rules, stop).points
        return replace(deal, take=(points[0] + points[2], points[1] + points[3]), ending=ending)
    tricks = play_tricks(rng, hands, bidder, trump, rules)
    points = tricks.points
    last = (tricks.last or 0) % 2
    take = [points[0] + points[2], points[1] + points[3]]
    take[last] += rules.last_trick
    deal = replace(deal, take=tuple(take), last_trick=last)
    unnoted = replace(deal, last_trick=None)
    return unnoted if rng.random() < UNNOTED and not any(_take(unnoted, rules)) else deal


def may_redeal(cards: Sequence[int], rules: PartnershipRules) -> bool:
    """Whether a player may throw these cards in: five nines (or more) and no meld. Source: 004 "Five-9's, no Meld"."""
    nines = sum(card % 6 == 5 for card in cards)
    if not rules.five_nines or nines < rules.five_nines:
        return False
    counts = [0 if kind % 6 == 5 else many for kind, many in enumerate(counted(cards))]
    return not any(meld_points(counts, trump, meld_table(rules)) for trump in range(4))


def _worth(rng: Random, cards: Sequence[int], rules: PartnershipRules) -> int:
    """How far a player bids: own meld, counters for aces and trumps, what the partner may bring, and temper."""
    trump, meld = best_trump(cards, rules)
    aces = sum(card % 6 == 0 for card in cards)
    trumps = sum(card // 6 == trump for card in cards)
    return meld + 2 * aces + trumps + rng.randint(2, 10)
