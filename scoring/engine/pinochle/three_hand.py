"""Three-hand pinochle with a double pack: each for himself, a bid, a widow, meld and points in tricks.

Source: bicyclecards.com "3-Hand Double Pinochle" (the competition of 000 is three-hand pinochle and doesn't say
how it is scored); the numbers are settings of `scoring/rules/three-hand-double-pinochle.toml`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, NamedTuple

from scoring.engine.core.family import Family
from scoring.engine.core.ledger import Line, Problem, Score, impossible, malformed, named
from scoring.engine.core.ruleset import Range, Rules
from scoring.engine.pinochle.auction import (
    AuctionRules,
    auction_problems,
    bid_problems,
    column_problems,
    noted_meld_problems,
    other_sides,
    set_lines,
    sure_take_problems,
    sure_takes,
    take_problems,
    whole_take_problems,
)
from scoring.engine.pinochle.melds import (
    PlayerMelds,
    Suit,
    points_in_cards,
    setting_problems,
    side_meld_lines,
    take_line,
    with_melds,
)

SIDES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeHandRules(AuctionRules):
    __hash__ = Rules.__hash__

    widow: Annotated[int, Range(0, 60)]  # cards that the bidder takes, and discards again
    scoring_trick_for_meld: bool  # whether a player must win a trick with points for meld to count
    last_trick_is_scoring: bool  # whether the last trick counts as one, whatever its cards
    concession: int  # points for each opponent, beside meld, when the bidder concedes before leading


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeHandDeal:
    """One deal as on the score card, figures in the order of players.

    `take` has the points in cards and the last trick; the bidder's has the discard too. After a concession it
    isn't needed. `bidder_scored` says whether the bidder won a trick with points: only asked for when all that
    the bidder has could come from the discard and it matters. `counted` has the melds of every player by name; with
    them `meld` may be empty. `bids` are the calls in order from the dealer's left, a pass is 0.
    """

    bidder: Annotated[int, "the player who holds the bid"]
    bid: Annotated[int, "what was bid"]
    meld: Annotated[tuple[int, ...], "each player's meld; may be left out where the melds are counted"] = ()
    take: Annotated[
        tuple[int, ...], "what each player took, the bidder's with the discard; not needed after a concession"
    ] = ()
    last_trick: Annotated[int | None, "the player who won the last trick; null: not noted"] = None
    bidder_scored: Annotated[
        bool | None, "whether the bidder won a trick with points; asked for only where it matters; null: not noted"
    ] = None
    conceded: Annotated[bool, "whether the bidder conceded before the lead"] = False
    trump: Annotated[
        Suit | None, "the suit of trump; needed for runs, marriages in trump and nines that are counted"
    ] = None
    counted: Annotated[tuple[PlayerMelds, ...], "the melds of every player"] = ()
    dealer: Annotated[int | None, "the player who dealt"] = None
    bids: Annotated[tuple[int, ...], "all calls in order from the dealer's left, a pass is 0"] = ()


UNSCORABLE = frozenset(
    {"pinochle.bidder", "pinochle.columns", "pinochle.last-trick-player", "pinochle.counted-players"}
)


class _Tricks(NamedTuple):
    """One way to settle what a card may leave open."""

    last: int | None  # who won the last trick
    bidder_scored: bool  # in a trick


# --- checking ------------------------------------------------------------------------------------------


def check(deal: ThreeHandDeal, rules: ThreeHandRules) -> tuple[Problem, ...]:
    """Everything wrong with a card; empty means that real cards could have produced it.

    Melds that are counted by name are checked against the pack card by card; totals alone, against what a hand can meld
    (the bidder's hand is the cards kept: melds lie on the table while the discard is made).
    """
    shape = tuple(_shape_problems(deal))
    problems = [*shape, *bid_problems(deal.bid, rules), *auction_problems(deal, rules, holder="bidder")]
    problems += noted_meld_problems(deal.meld, deal.counted, trump=deal.trump, rules=rules)
    if not shape and not deal.conceded:
        problems += _take_problems(with_melds(deal, rules), rules)
    return tuple(problems)


def _shape_problems(deal: ThreeHandDeal) -> Iterator[Problem]:
    if deal.bidder not in range(SIDES):
        yield malformed("pinochle.bidder", "bidder")
    if deal.last_trick is not None and deal.last_trick not in range(SIDES):
        yield malformed("pinochle.last-trick-player", "last_trick")
    if deal.counted:
        yield from column_problems(deal.counted, SIDES, field="counted", code="pinochle.counted-players")
    if deal.meld or not deal.counted:
        yield from column_problems(deal.meld, SIDES, field="meld")
    if not deal.conceded:
        yield from column_problems(deal.take, SIDES, field="take")


def _take_problems(deal: ThreeHandDeal, rules: ThreeHandRules) -> Iterator[Problem]:
    yield from take_problems(deal.take, deal.last_trick, rules=rules)
    yield from whole_take_problems(deal.take, rules)
    yield from sure_take_problems(deal.take, sure_takes(deal.counted, deal.trump, rules=rules))
    yield from _scoring_trick_problems(deal, rules)
    possible = _possible_tricks(deal, rules)
    if len(possible) == 1:
        return
    outcomes = {tricks: _score_tricks(deal, tricks, rules=rules).totals for tricks in possible}
    if len(set(outcomes.values())) > 1:
        by_last = {tricks.last: totals for tricks, totals in outcomes.items()}
        if deal.bidder_scored is None and any(totals != by_last[tricks.last] for tricks, totals in outcomes.items()):
            take = deal.take[deal.bidder]
            yield malformed("pinochle.bidder-scored-needed", "bidder_scored", side=deal.bidder, take=take)
        else:
            yield malformed("pinochle.last-trick-needed", "last_trick")


def _scoring_trick_problems(deal: ThreeHandDeal, rules: ThreeHandRules) -> Iterator[Problem]:
    bidder, last, take = deal.bidder, deal.last_trick, deal.take[deal.bidder]
    if deal.bidder_scored and not _can_have_scored(deal, bidder, last=last, rules=rules):
        yield impossible("pinochle.bidder-scored-nothing", "bidder_scored", side=bidder)
    if deal.bidder_scored is not False:
        return
    # the last trick may be among the points, though the bidder won no trick with points
    unnoted = rules.last_trick if last is None and not rules.last_trick_is_scoring else 0
    if points_in_cards(deal.take, bidder, last=last, rules=rules) > (most := _most_in_discard(rules)) + unnoted:
        yield impossible("pinochle.bidder-scored-take", "bidder_scored", side=bidder, take=take, most=most)
    if last == bidder and rules.last_trick_is_scoring:
        yield impossible("pinochle.bidder-scored-last", "bidder_scored", side=bidder)


def _can_have_scored(deal: ThreeHandDeal, player: int, *, last: int | None, rules: ThreeHandRules) -> bool:
    """In a trick with points; player `last` won the last trick."""
    return points_in_cards(deal.take, player, last=last, rules=rules) > 0 or (
        player == last and rules.last_trick_is_scoring
    )


def _most_in_discard(rules: ThreeHandRules) -> int:
    return rules.widow * max(worth for _rank, worth in rules.counters)


def _possible_tricks(deal: ThreeHandDeal, rules: ThreeHandRules) -> list[_Tricks]:
    """Those that agree with the card's points, or all if none does."""
    winners = [p for p in range(SIDES) if deal.take[p] >= rules.last_trick]
    lasts: Sequence[int | None] = [deal.last_trick] if deal.last_trick is not None else winners or [None]
    scored = [True, False] if deal.bidder_scored is None else [deal.bidder_scored]
    ways = [_Tricks(last, won) for last, won in product(lasts, scored)]
    return [tricks for tricks in ways if _agrees(deal, tricks, rules=rules)] or ways


def _agrees(deal: ThreeHandDeal, tricks: _Tricks, *, rules: ThreeHandRules) -> bool:
    if tricks.bidder_scored:
        return _can_have_scored(deal, deal.bidder, last=tricks.last, rules=rules)
    points = points_in_cards(deal.take, deal.bidder, last=tricks.last, rules=rules)
    return points <= _most_in_discard(rules) and not (tricks.last == deal.bidder and rules.last_trick_is_scoring)


# --- scoring -------------------------------------------------------------------------------------------


def score(deal: ThreeHandDeal, rules: ThreeHandRules) -> Score:
    """Points of the three players for one deal, the bidder counted first.

    Bidder: meld and take when they reach the bid together, else minus the bid. The others: take, and meld if a trick
    with points was won. After a concession: minus the bid; the others score their meld and `concession`. What the card
    leaves open is taken in the player's favour. Source: bicyclecards.com "3-Hand Double Pinochle".

    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> rules = rules_of(shipped()["three-hand-double-pinochle"])
    >>> def totals(**facts):
    ...     return score(ThreeHandDeal(bidder=0, **facts), rules).totals
    >>> totals(bid=500, meld=(300, 120, 80), take=(250, 150, 100))
    (550, 270, 180)
    >>> totals(bid=560, meld=(300, 120, 80), take=(250, 150, 100))  # short by ten: set back by the bid
    (-560, 270, 180)
    >>> totals(bid=500, meld=(300, 120, 80), take=(300, 200, 0))  # no scoring trick, no meld
    (600, 320, 0)
    >>> totals(bid=500, meld=(300, 120, 80), conceded=True)  # before the lead: meld and 100 for each opponent
    (-500, 220, 180)

    Raises:
        ValueError: the card has a problem of `UNSCORABLE`.
    """
    if problem := next(_shape_problems(deal), None):
        raise ValueError(problem.code)
    deal = with_melds(deal, rules)
    if deal.conceded:
        return _score_concession(deal, rules)
    possible = _possible_tricks(deal, rules)
    lasts = {tricks.last for tricks in possible}
    last = lasts.pop() if len(lasts) == 1 else None
    return _score_tricks(deal, _Tricks(last, any(tricks.bidder_scored for tricks in possible)), rules=rules)


def _score_tricks(deal: ThreeHandDeal, tricks: _Tricks, *, rules: ThreeHandRules) -> Score:
    bidder = deal.bidder
    bidder_lines = _player_lines(deal, bidder, tricks=tricks, rules=rules)
    other_lines = [
        line
        for player in other_sides(bidder, rules)
        for line in _player_lines(deal, player, tricks=tricks, rules=rules)
    ]
    total, take = sum(line.points for line in bidder_lines), deal.take[bidder]
    if total >= deal.bid:
        made_line = Line(bidder, 0, "pinochle.made", named(bid=deal.bid, total=total))
        return Score(SIDES, (made_line, *bidder_lines, *other_lines), (), bidder)
    notes = [line for line in bidder_lines if line.rule == "pinochle.meld-lost-no-trick"]
    figures = {"meld": total - take, "take": take, "total": total, "short": deal.bid - total}
    set_line, gains = set_lines("pinochle.set", bidder, bid=deal.bid, melded=deal.meld[bidder], rules=rules, **figures)
    return Score(SIDES, (*notes, set_line, *other_lines, *gains), (bidder,), bidder)


def _player_lines(deal: ThreeHandDeal, player: int, *, tricks: _Tricks, rules: ThreeHandRules) -> list[Line]:
    meld, scored = deal.meld[player], tricks.bidder_scored
    if player != deal.bidder:
        scored = _can_have_scored(deal, player, last=tricks.last, rules=rules)
    if meld and rules.scoring_trick_for_meld and not scored:
        lines = [Line(player, 0, "pinochle.meld-lost-no-trick", named(meld=meld))]
    else:
        lines = side_meld_lines(meld, deal.counted[player : player + 1], side=player, rules=rules)
    return [*lines, take_line(player, deal.take[player], last=tricks.last, rules=rules)]


def _score_concession(deal: ThreeHandDeal, rules: ThreeHandRules) -> Score:
    line, gains = set_lines("pinochle.conceded", deal.bidder, bid=deal.bid, melded=deal.meld[deal.bidder], rules=rules)
    lines = [line]
    for player in other_sides(deal.bidder, rules):
        lines += side_meld_lines(deal.meld[player], deal.counted[player : player + 1], side=player, rules=rules)
        lines.append(Line(player, rules.concession, "pinochle.concession", named(points=rules.concession)))
    return Score(SIDES, (*lines, *gains), (deal.bidder,), deal.bidder)


FAMILY = Family(
    slug="three-hand-pinochle",
    rules=ThreeHandRules,
    facts=ThreeHandDeal,
    check=check,
    score=score,
    unscorable=UNSCORABLE,
    setting_problems=lambda rules: setting_problems(rules, widow=rules.widow),
    bid_held="bidder",
)
