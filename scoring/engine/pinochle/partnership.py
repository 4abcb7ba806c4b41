"""Partnership pinochle: the card's facts, how they are checked, and the score of a deal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated

from scoring.engine.core.family import Family
from scoring.engine.core.ledger import Line, Problem, Score, against_rules, impossible, malformed, named, unlikely
from scoring.engine.core.ruleset import Range, Rules, SettingProblem, more_than
from scoring.engine.pinochle.auction import (
    AuctionRules,
    auction_problems,
    bid_problems,
    column_problems,
    negative_problems,
    noted_meld_problems,
    set_lines,
    sure_take_problems,
    sure_takes,
    take_problems,
    whole_take_problems,
)
from scoring.engine.pinochle.melds import (
    MeldKind,
    PlayerMelds,
    Suit,
    leaves_a_marriage,
    points_in_cards,
    points_in_pack,
    setting_problems,
    side_meld_lines,
    take_line,
    with_melds,
)

SIDES, PER_SIDE = 2, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnershipRules(AuctionRules):
    __hash__ = Rules.__hash__

    cards_passed: Annotated[int, Range(0, 60)]  # how many cards bidder and partner exchange
    five_nines: int  # with this many nines and no meld a player may call for a redeal; 0: never
    misdeals: int  # after this many misdeals in one attempt the deal passes to the left
    meld_to_record: int = 0  # a side's meld below this isn't recorded
    meld_savers: Annotated[str, ("other-side", "both", "nobody")]  # who needs counters to save meld
    counters_to_save_meld: int  # points in cards taken that save meld
    last_trick_saves_meld: bool  # whether the point for the last trick counts towards that
    take_stays: bool = True  # whether a side with fewer keeps what it took, such as the point for the last trick
    no_marriage_is_set: bool = False  # a bidder without a marriage in trump is set, and the deal isn't played
    concession: int | None = None  # points of the others, beside meld, when the bidder concedes; None: not allowed
    take_to_score: int = 0  # points in tricks, with the last one, that a side needs to score at all; 0: none
    # what the other side has when the bid side reneges and is set
    renege_bid_side: Annotated[str, ("meld", "nothing")] = "meld"
    renege_other_side: Annotated[str, ("bid", "nothing")]  # what a renege costs the other side beside its meld
    lay_down_forfeit: Annotated[str, ("nobody", "opponents")]  # who gets what a wrong lay-down forfeits


class Ending(StrEnum):
    """How the deal ended. For a lay-down the side named is the one whose lay-down was wrong."""

    PLAYED = "played"  # to the last trick, or by a lay-down that was right
    RENEGE_BID_SIDE = "renege-bid-side"
    RENEGE_OTHER_SIDE = "renege-other-side"
    LAY_DOWN_BID_SIDE = "lay-down-bid-side"
    LAY_DOWN_OTHER_SIDE = "lay-down-other-side"
    CONCEDED = "conceded"  # by the bidder, before the lead
    NO_MARRIAGE = "no-marriage"  # the bidder has no marriage to name a trump with

    @property
    def thrown_in(self) -> bool:
        """Whether the tricks don't count: none were played, or a renege ended them."""
        return self not in (Ending.PLAYED, Ending.LAY_DOWN_BID_SIDE, Ending.LAY_DOWN_OTHER_SIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnershipDeal:
    """One deal as on the score card, figures in the order of sides.

    After a wrong lay-down `take` is what was taken before the cards were laid down, so it falls short of all by what
    is forfeited, and `last_trick` stays empty unless a side was given the last trick all the same. Seats go round the
    table, seat `s` is of side `s % 2`.
    """

    bid_side: Annotated[int, "the side that holds the bid"]
    bid: Annotated[int, "what it bid"]
    meld: Annotated[tuple[int, ...], "each side's meld; not needed where melds are counted"] = ()
    take: Annotated[tuple[int, ...], "what each side took, before a wrong lay-down; not needed when thrown in"] = ()
    last_trick: Annotated[int | None, "the side that won the last trick; null: not noted"] = None
    ending: Annotated[Ending, "how the deal ended; of a lay-down, whose was wrong"] = Ending.PLAYED
    trump: Annotated[Suit | None, "needed for runs, marriages in trump and nines that are counted"] = None
    counted: Annotated[tuple[PlayerMelds, ...], "each player's melds, side by side"] = ()
    dealer: Annotated[int | None, "the seat that dealt"] = None
    bids: Annotated[tuple[int, ...], "all calls in order from the dealer's left, a pass is 0"] = ()
    redeals: Annotated[
        tuple[int, ...], "how often each side threw in nines without a meld before this deal, which scores nothing"
    ] = ()
    deals_lost: Annotated[
        tuple[int, ...], "how often each side lost the deal after misdeals before this one, which scores nothing"
    ] = ()


UNSCORABLE = frozenset(
    {"pinochle.bid-side", "pinochle.columns", "pinochle.last-trick-side", "pinochle.counted-players"}
)


# --- checking ------------------------------------------------------------------------------------------


def check(deal: PartnershipDeal, rules: PartnershipRules) -> tuple[Problem, ...]:
    """Everything wrong with a card; empty means that real cards could have produced it.

    Melds that are counted by name are checked against the pack card by card; totals alone, against what two hands can
    meld; the take, against the counters of the pack.
    """
    shape = tuple(_shape_problems(deal))
    problems = [*shape, *bid_problems(deal.bid, rules), *auction_problems(deal, rules, holder="bid_side")]
    problems += [*_ending_problems(deal, rules), *_redeal_problems(deal, rules)]
    least = rules.meld_to_record
    problems += noted_meld_problems(deal.meld, deal.counted, trump=deal.trump, rules=rules, least=least)
    problems += _marriage_problems(deal, rules)
    if not shape and not deal.ending.thrown_in:
        problems += _take_problems(with_melds(deal, rules), rules)
    return tuple(problems)


def _shape_problems(deal: PartnershipDeal) -> Iterator[Problem]:
    if deal.bid_side not in (0, 1):
        yield malformed("pinochle.bid-side", "bid_side")
    if deal.last_trick not in (None, 0, 1):
        yield malformed("pinochle.last-trick-side", "last_trick")
    if deal.counted:
        yield from column_problems(deal.counted, SIDES * PER_SIDE, field="counted", code="pinochle.counted-players")
    if deal.meld or not (deal.counted or deal.ending is Ending.NO_MARRIAGE):
        yield from column_problems(deal.meld, SIDES, field="meld")
    if not deal.ending.thrown_in:
        yield from column_problems(deal.take, SIDES, field="take")
    for name in ("redeals", "deals_lost"):
        if noted := getattr(deal, name):
            yield from column_problems(noted, SIDES, field=name)


def _redeal_problems(deal: PartnershipDeal, rules: PartnershipRules) -> Iterator[Problem]:
    for name, limit in {"redeals": rules.five_nines, "deals_lost": rules.misdeals}.items():
        noted = getattr(deal, name)
        yield from negative_problems(noted, name)
        if any(noted) and not limit:
            yield against_rules(f"pinochle.no-{name.replace('_', '-')}", name)


def _ending_problems(deal: PartnershipDeal, rules: PartnershipRules) -> Iterator[Problem]:
    if deal.ending is Ending.CONCEDED and rules.concession is None:
        yield against_rules("pinochle.no-concession", "ending")
    if deal.ending is Ending.NO_MARRIAGE:
        if not rules.no_marriage_is_set:
            yield against_rules("pinochle.no-marriage-played", "ending")
        if any(deal.meld) or any(player.melds for player in deal.counted):
            yield against_rules("pinochle.no-marriage-melded", "meld")


def _marriage_problems(deal: PartnershipDeal, rules: PartnershipRules) -> Iterator[Problem]:
    """The bid side must have held a marriage in trump: a problem where all players' melds leave it none, a question
    where it shows none."""
    if len(deal.counted) != SIDES * PER_SIDE or deal.bid_side not in (0, 1):
        return  # the card doesn't say
    if not rules.no_marriage_is_set or deal.ending.thrown_in:
        return
    if deal.trump and not leaves_a_marriage(deal.counted, deal.bid_side, trump=deal.trump, rules=rules):
        yield impossible("pinochle.no-marriage-left", "counted", side=deal.bid_side)
        return
    bidders = deal.counted[PER_SIDE * deal.bid_side :][:PER_SIDE]
    if not any(meld.kind in (MeldKind.RUN, MeldKind.ROYAL_MARRIAGE) for player in bidders for meld in player.melds):
        yield unlikely("pinochle.no-marriage-shown", "counted", side=deal.bid_side)


def _take_problems(deal: PartnershipDeal, rules: PartnershipRules) -> Iterator[Problem]:
    yield from take_problems(deal.take, deal.last_trick, rules=rules)
    if deal.ending != Ending.PLAYED:
        last = 0 if deal.last_trick is None else rules.last_trick
        most = points_in_pack(rules) - rules.last_trick + last
        if (total := sum(deal.take)) > most:
            yield impossible("pinochle.take-over", "take", total=total, most=most, last=last)
        return
    yield from whole_take_problems(deal.take, rules)
    yield from sure_take_problems(deal.take, sure_takes(deal.counted, deal.trump, rules=rules))
    last_tricks = _possible_last_tricks(deal, rules)
    if len(last_tricks) > 1 and len({_score_last_trick(deal, last, rules=rules).totals for last in last_tricks}) > 1:
        yield malformed("pinochle.last-trick-needed", "last_trick")


def _possible_last_tricks(deal: PartnershipDeal, rules: PartnershipRules) -> list[int | None]:
    """The sides that may have won the last trick; [None] when neither has enough points for it, or the deal wasn't
    played out and it isn't noted."""
    if deal.last_trick is not None or deal.ending != Ending.PLAYED:
        return [deal.last_trick]
    return [side for side in range(SIDES) if deal.take[side] >= rules.last_trick] or [None]


# --- scoring -------------------------------------------------------------------------------------------


def score(deal: PartnershipDeal, rules: PartnershipRules) -> Score:
    """Points of both sides for one deal, the bid side counted first.

    Bid side: meld and take when they reach the bid together, else minus the bid ("set"). Other side: its
    take, and its meld when it has taken a counter. Source: 004 "The Count"; for the other endings "The Play"
    and "The Lay-Down". When the last trick isn't noted and both may have won it, what was taken counts as counters.

    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> st_hilary = rules_of(shipped()["st-hilary-v3"])
    >>> def totals(**facts):
    ...     return score(PartnershipDeal(bid_side=0, **facts), st_hilary).totals
    >>> totals(bid=24, meld=(10, 6), take=(15, 10))  # "meets or exceeds their Bid, their TOTAL is added"
    (25, 16)
    >>> totals(bid=26, meld=(10, 6), take=(15, 10))  # a set: "the amount of their Bid is deducted"
    (-26, 16)
    >>> totals(bid=36, meld=(10, 6), take=(25, 0))  # not "on the board": 10 and 25 are less than 36
    (-36, 0)
    >>> totals(bid=24, meld=(10, 6), ending=Ending.RENEGE_BID_SIDE)  # "automatically is set", the others keep meld
    (-24, 6)
    >>> totals(bid=24, meld=(10, 6), ending=Ending.RENEGE_OTHER_SIDE)  # "the amount of their bid and their meld"
    (34, -24)

    Raises:
        ValueError: the card has a problem of `UNSCORABLE`.
    """
    if problem := next(_shape_problems(deal), None):
        raise ValueError(problem.code)
    deal = with_melds(deal, rules)
    if deal.ending.thrown_in:
        points = _score_thrown_in(deal, rules)
    else:
        last_tricks = _possible_last_tricks(deal, rules)
        points = _score_last_trick(deal, last_tricks[0] if len(last_tricks) == 1 else None, rules=rules)
    lines = (*_redeal_lines(deal, rules), *points.lines)
    return replace(points, lines=tuple(sorted(lines, key=lambda line: line.side != deal.bid_side)))


def _redeal_lines(deal: PartnershipDeal, rules: PartnershipRules) -> Iterator[Line]:
    """Lines without points for redeals and lost deals before it. Source: 004 "Five-9's, no Meld" and "Misdeals"."""
    for side, times in enumerate(deal.redeals):
        if times:
            yield Line(side, 0, "pinochle.redealt", named(times=times, nines=rules.five_nines))
    for side, times in enumerate(deal.deals_lost):
        if times:
            yield Line(side, 0, "pinochle.deal-lost", named(times=times))


def _score_last_trick(deal: PartnershipDeal, last: int | None, *, rules: PartnershipRules) -> Score:
    bidders, forfeit = deal.bid_side, list(_forfeit_lines(deal, rules))
    meld, bidder_lines = _side_lines(deal, bidders, last=last, forfeit=forfeit, rules=rules)
    _meld_of_others, other_lines = _side_lines(deal, 1 - bidders, last=last, forfeit=forfeit, rules=rules)
    total = sum(line.points for line in bidder_lines)
    if total >= deal.bid:
        made_line = Line(bidders, 0, "pinochle.made", named(bid=deal.bid, total=total))
        return Score(SIDES, (made_line, *bidder_lines, *other_lines), (), bidders)
    if any(line.rule == "pinochle.take-too-low" for line in bidder_lines):
        figures = {"meld": deal.meld[bidders], "take": deal.take[bidders], "needed": rules.take_to_score}
        set_line, gains = _failed_bid_lines(deal, "pinochle.set-too-low", rules=rules, **figures)
    else:
        set_line, gains = _set_lines(deal, meld, total=total, rules=rules)
    notes = [line for line in bidder_lines if line.rule in NOTES]
    return Score(SIDES, (*notes, set_line, *other_lines, *gains), (bidders,), bidders)


NOTES = frozenset({"pinochle.meld-lost", "pinochle.meld-too-low", "pinochle.take-lost", "pinochle.forfeit"})
"""Lines without points that say why a side is set: they stay on its card."""


def _side_lines(
    deal: PartnershipDeal, side: int, *, last: int | None, forfeit: Sequence[Line], rules: PartnershipRules
) -> tuple[int, list[Line]]:
    """A side's meld as far as it counts, and its lines: meld, take and what a wrong lay-down brings."""
    extra = [line for line in forfeit if line.side == side] if forfeit else []
    if rules.take_to_score and (taken := deal.take[side] + sum(line.points for line in extra)) < rules.take_to_score:
        args = named(meld=deal.meld[side], take=taken, needed=rules.take_to_score)
        return 0, [Line(side, 0, "pinochle.take-too-low", args), *(line for line in extra if not line.points)]
    counters = (
        deal.take[side] if rules.last_trick_saves_meld else points_in_cards(deal.take, side, last=last, rules=rules)
    )
    savers = rules.meld_savers == "both" or (rules.meld_savers == "other-side" and side != deal.bid_side)
    lost = savers and counters < rules.counters_to_save_meld
    meld, take = deal.meld[side], take_line(side, deal.take[side], last=last, rules=rules)
    if lost and meld >= max(1, rules.meld_to_record):
        args = named(meld=meld, counters=counters, needed=rules.counters_to_save_meld)
        melds = [Line(side, 0, "pinochle.meld-lost", args)]
    else:
        melds = _meld_lines(deal, side, rules=rules)
    if lost and not rules.take_stays:
        take = Line(side, 0, "pinochle.take-lost", named(take=deal.take[side], needed=rules.counters_to_save_meld))
    return sum(line.points for line in melds), [*melds, take, *extra]


def _meld_lines(deal: PartnershipDeal, side: int, *, rules: PartnershipRules) -> list[Line]:
    """The lines of a meld that counts; without points when it is too low to record."""
    meld = deal.meld[side]
    if 0 < meld < rules.meld_to_record:
        return [Line(side, 0, "pinochle.meld-too-low", named(meld=meld, needed=rules.meld_to_record))]
    return side_meld_lines(meld, deal.counted[PER_SIDE * side :][:PER_SIDE], side=side, rules=rules)


def _set_lines(deal: PartnershipDeal, meld: int, *, total: int, rules: PartnershipRules) -> tuple[Line, list[Line]]:
    """The bid is "off the board" if meld and all points of the pack couldn't reach it."""
    most, melds = points_in_pack(rules), sum(line.points for line in _meld_lines(deal, deal.bid_side, rules=rules))
    if melds + most < deal.bid:
        return _failed_bid_lines(deal, "pinochle.set-off-board", rules=rules, meld=melds, most=most)
    return _failed_bid_lines(
        deal, "pinochle.set", rules=rules, meld=meld, take=total - meld, total=total, short=deal.bid - total
    )


def _failed_bid_lines(
    deal: PartnershipDeal, code: str, *, rules: PartnershipRules, **args: int
) -> tuple[Line, list[Line]]:
    melded = sum(line.points for line in _meld_lines(deal, deal.bid_side, rules=rules)) if deal.meld else 0
    return set_lines(code, deal.bid_side, bid=deal.bid, melded=melded, rules=rules, **args)


def _score_thrown_in(deal: PartnershipDeal, rules: PartnershipRules) -> Score:
    """A renege, a concession, or a bidder who can't name a trump. Source: 004 "The Play", its last two paragraphs."""
    bidders, other = deal.bid_side, 1 - deal.bid_side
    if deal.ending is Ending.RENEGE_OTHER_SIDE:
        return _score_others_renege(deal, rules)
    if deal.ending is Ending.RENEGE_BID_SIDE:
        set_line, gains = _failed_bid_lines(deal, "pinochle.renege-set", rules=rules)
        meld = sum(line.points for line in _meld_lines(deal, other, rules=rules))
        lines = [Line(other, meld, "pinochle.renege-kept", named(meld=meld))] if rules.renege_bid_side == "meld" else []
    elif deal.ending is Ending.CONCEDED:
        set_line, gains = _failed_bid_lines(deal, "pinochle.conceded", rules=rules)
        lines = _meld_lines(deal, other, rules=rules)
        if points := rules.concession or 0:
            lines.append(Line(other, points, "pinochle.concession", named(points=points)))
    else:
        set_line, gains = _failed_bid_lines(deal, "pinochle.no-marriage", rules=rules)
        lines = []
    return Score(SIDES, (set_line, *lines, *gains), (bidders,), bidders)


def _score_others_renege(deal: PartnershipDeal, rules: PartnershipRules) -> Score:
    bidders, other = deal.bid_side, 1 - deal.bid_side
    bid = named(bid=deal.bid)
    penalty = deal.bid if rules.renege_other_side == "bid" else 0
    lines = [Line(bidders, deal.bid, "pinochle.renege-made", bid), *_meld_lines(deal, bidders, rules=rules)]
    lines.append(Line(other, 0, "pinochle.renege-lost", named(meld=deal.meld[other])))
    if penalty:
        lines.append(Line(other, -penalty, "pinochle.renege-penalty", bid))
    return Score(SIDES, tuple(lines), (other,) if penalty else (), bidders)


def _forfeit_lines(deal: PartnershipDeal, rules: PartnershipRules) -> Iterator[Line]:
    """What a wrong lay-down forfeits: all that is missing from the pack's points. Source: 004 "The Lay-Down"."""
    if deal.ending == Ending.PLAYED:
        return
    wrong = deal.bid_side if deal.ending == Ending.LAY_DOWN_BID_SIDE else 1 - deal.bid_side
    points = max(0, points_in_pack(rules) - sum(deal.take))
    yield Line(wrong, 0, "pinochle.forfeit", named(points=points))
    if points and rules.lay_down_forfeit == "opponents":
        yield Line(1 - wrong, points, "pinochle.forfeit-gained", named(points=points))


def _setting_problems(rules: PartnershipRules) -> Iterator[SettingProblem]:
    yield from setting_problems(rules)
    if rules.cards_passed > rules.hand_size:
        yield more_than("cards_passed", rules.cards_passed, other="hand_size", most=rules.hand_size)


def _contradictions(rules: PartnershipRules) -> Iterator[SettingProblem]:
    for name in ("take_to_score", "counters_to_save_meld"):
        if (figure := getattr(rules, name)) > (most := points_in_pack(rules)):
            yield SettingProblem(name, "setting.high", named(figure=figure, most=most))


FAMILY = Family(
    slug="partnership-pinochle",
    rules=PartnershipRules,
    facts=PartnershipDeal,
    check=check,
    score=score,
    unscorable=UNSCORABLE,
    setting_problems=_setting_problems,
    contradictions=_contradictions,
    bid_held="bid_side",
)
