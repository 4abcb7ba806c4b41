"""Tricks and contracts, one side against the others: five hundred, bid euchre, euchre, whist with honours.

A rule set plays one of three ways: somebody bids (`opening_bid`), somebody makes trump (`maker_points`), or neither,
and tricks over half of them count (`odd_trick`). Sources: en.wikipedia.org "500 (card game)", Score keeping;
rarepike.com "Euchre scoring rules"; bicyclecards.com "Cincinnati Euchre"; "The Laws of Whist" (Cavendish), 2 to 5.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from scoring.engine.core.family import Family, GameChecks
from scoring.engine.core.ledger import Line, Problem, Score, against_rules, impossible, malformed, named
from scoring.engine.core.ruleset import Range, Rules, SettingProblem, more_than

HONOURS = 4  # ace, king, queen and knave of trump


class Trump(StrEnum):
    SPADES = "spades"
    CLUBS = "clubs"
    DIAMONDS = "diamonds"
    HEARTS = "hearts"
    NO_TRUMP = "no-trump"


class Call(StrEnum):
    """A bid by name: to take no trick at all, or every trick without one's partner."""

    MISERE = "misere"
    OPEN_MISERE = "open-misere"
    ALONE = "alone"
    MOON = "moon"
    DOUBLE_MOON = "double-moon"

    @property
    def takes_none(self) -> bool:
        return self in {Call.MISERE, Call.OPEN_MISERE}


class Alone(StrEnum):
    """Who plays without a partner at euchre."""

    MAKER = "maker"
    DEFENDER = "defender"
    BOTH = "both"

    @property
    def made(self) -> bool:
        return self is not Alone.DEFENDER

    @property
    def defended(self) -> bool:
        return self is not Alone.MAKER


MAKER_POINTS = ("made", "march", "lone-march", "euchred", "lone-euchred", "defended-alone")
NEEDED = ("made", "march", "euchred")  # of these; without the others nobody plays alone


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractRules(Rules):
    __hash__ = Rules.__hash__

    tricks: Annotated[int, Range(1, 26)]  # in a deal
    # bidding: the lowest bid, in tricks (None: nobody bids); what that bid is worth by trump (none: a bid is worth its
    # tricks), and each trick more (None: as much again)
    opening_bid: Annotated[int | None, Range(1, 26)]
    trump_values: Annotated[tuple[tuple[str, int], ...], tuple(Trump)]
    further_trick: int | None
    calls: Annotated[tuple[tuple[str, int], ...], tuple(Call)]  # bids by name, and what they are worth
    tricks_score: bool  # a bid made scores its tricks, in place of what it is worth; lost, it costs that
    slam: int | None  # all tricks with a bid in tricks score at least this
    others_trick: int  # each trick of the others
    misere_tricks: bool  # the others' tricks count against a call to take none
    called_partner: bool  # with five players, the bidder may call a partner
    out_by_contract: bool
    maker_points: Annotated[tuple[tuple[str, int], ...], MAKER_POINTS]
    odd_trick: int  # each trick over half of them
    honours: Annotated[tuple[tuple[int, int], ...], Range(0, 100)]  # (honours of a side, points), rising
    no_honours_from: Annotated[int | None, Range(1)]  # a side with this score counts no honours

    @property
    def terms(self) -> str:
        return "whist" if self.odd_trick else ""

    @property
    def bids(self) -> bool:
        return self.opening_bid is not None

    @property
    def partners_called(self) -> bool:
        return self.called_partner and self.shape.sides == 5

    def worth(self, bid: int, trump: Trump | None) -> int:
        """What a bid in tricks is worth: by the schedule, or as many points as tricks.

        >>> from scoring.engine.core.ruleset import shipped
        >>> from scoring.engine.families import rules_of
        >>> avondale = rules_of(shipped()["five-hundred-by-contract"])
        >>> [avondale.worth(bid, Trump.HEARTS) for bid in range(6, 11)]
        [100, 200, 300, 400, 500]
        """
        if not self.trump_values:
            return bid
        lowest = dict(self.trump_values)[str(trump)]
        further = lowest if self.further_trick is None else self.further_trick
        return lowest + (bid - (self.opening_bid or 0)) * further


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractDeal:
    """One deal as on the card. What a game doesn't have stays empty."""

    tricks: Annotated[tuple[int, ...], "the tricks that each side took"]
    bidder: Annotated[int | None, "the side that holds the bid, or made trump"] = None
    bid: Annotated[int | None, "the tricks that were bid; null for a bid by name"] = None
    trump: Annotated[Trump | None, "trump, where a bid is worth more in one than in another"] = None
    call: Annotated[Call | None, "a bid by name"] = None
    alone: Annotated[Alone | None, "who played alone at euchre; null: nobody"] = None
    partner: Annotated[int | None, "of five players, the one who was called as partner; null: nobody"] = None
    honours: Annotated[tuple[int, ...], "the honours that each side held; may be left out"] = ()


UNSCORABLE = frozenset({"contract.columns", "contract.bidder", "contract.bid", "contract.trump", "contract.partner"})


# --- checking ------------------------------------------------------------------------------------------


def check(deal: ContractDeal, rules: ContractRules) -> tuple[Problem, ...]:
    shape = tuple(_shape_problems(deal, rules))
    problems = [
        *shape,
        *_inapplicable_problems(deal, rules),
        *_bid_problems(deal, rules),
        *_alone_problems(deal, rules),
        *(_honour_problems(deal) if rules.honours else ()),
    ]
    for side, tricks in enumerate(deal.tricks):
        if tricks < 0:
            problems.append(impossible("contract.negative", "tricks", side=side, tricks=tricks))
    taken, needed = sum(deal.tricks), rules.tricks
    if not shape and taken != needed and not (taken < needed and _could_stop_early(deal, rules)):
        problems.append(impossible("contract.tricks", "tricks", won=taken, needed=needed))
    return tuple(problems)


def _shape_problems(deal: ContractDeal, rules: ContractRules) -> Iterator[Problem]:
    sides = range(rules.shape.sides)
    if len(deal.tricks) != len(sides):
        yield malformed("contract.columns", "tricks", needed=len(sides), given=len(deal.tricks))
    if deal.honours and rules.honours and len(deal.honours) != len(sides):
        yield malformed("contract.columns", "honours", needed=len(sides), given=len(deal.honours))
    if (rules.bids or rules.maker_points) and deal.bidder not in sides:
        yield malformed("contract.bidder", "bidder")
    if deal.partner is not None and rules.partners_called and deal.partner not in {*sides} - {deal.bidder}:
        yield malformed("contract.partner", "partner")
    if not rules.bids:
        return
    if (deal.bid is None) == (deal.call is None) or (deal.call is not None and deal.call not in dict(rules.calls)):
        yield malformed("contract.bid", "bid")
    elif deal.bid is not None and rules.trump_values and str(deal.trump) not in dict(rules.trump_values):
        yield malformed("contract.trump", "trump")


def _inapplicable_problems(deal: ContractDeal, rules: ContractRules) -> Iterator[Problem]:
    applicable = {
        "bidder": rules.bids or bool(rules.maker_points),
        "bid": rules.bids,
        "trump": bool(rules.trump_values) and deal.call is None,
        "call": rules.bids,
        "alone": bool(rules.maker_points),
        "partner": rules.partners_called and not _takes_none(deal),
        "honours": bool(rules.honours),
    }
    for name, applies in applicable.items():
        if not applies and getattr(deal, name) not in {None, ()}:
            yield malformed("contract.not-here", name)


def _bid_problems(deal: ContractDeal, rules: ContractRules) -> Iterator[Problem]:
    if deal.bid is None or rules.opening_bid is None:
        return
    if deal.bid < rules.opening_bid:
        yield against_rules("contract.bid-low", "bid", bid=deal.bid, lowest=rules.opening_bid)
    elif deal.bid > rules.tricks:
        yield impossible("contract.bid-high", "bid", bid=deal.bid, most=rules.tricks)


def _alone_problems(deal: ContractDeal, rules: ContractRules) -> Iterator[Problem]:
    points = dict(rules.maker_points)
    if deal.alone is None or not points:
        return
    if deal.alone.made and "lone-march" not in points:
        yield against_rules("contract.no-alone", "alone")
    if deal.alone.defended and "defended-alone" not in points:
        yield against_rules("contract.no-defending-alone", "alone")


def _honour_problems(deal: ContractDeal) -> Iterator[Problem]:
    for side, held in enumerate(deal.honours):
        if held < 0:
            yield impossible("contract.negative", "honours", side=side, tricks=held)
    if (held := sum(deal.honours)) > HONOURS:
        yield impossible("contract.honours", "honours", held=held, most=HONOURS)


def _takes_none(deal: ContractDeal) -> bool:
    return deal.call is not None and deal.call.takes_none


def _could_stop_early(deal: ContractDeal, rules: ContractRules) -> bool:
    """A misère is lost with its first trick, where the others' tricks earn nothing."""
    return _takes_none(deal) and not rules.misere_tricks and deal.tricks[deal.bidder or 0] > 0


class _HonourChecks(GameChecks):
    """A side near the target counts no honours ("The Laws of Whist", 4)."""

    def needs_scores(self, facts: ContractDeal, rules: ContractRules) -> bool:
        return rules.no_honours_from is not None and any(held in dict(rules.honours) for held in facts.honours)

    def score_problems(self, facts: ContractDeal, rules: ContractRules, *, before: Sequence[int]) -> Iterator[Problem]:
        if rules.no_honours_from is None:
            return
        for side, (held, score) in enumerate(zip(facts.honours, before, strict=False)):
            if score >= rules.no_honours_from and held in dict(rules.honours):
                yield against_rules(
                    "contract.honours-late", "honours", side=side, score=score, most=rules.no_honours_from
                )


# --- scoring -------------------------------------------------------------------------------------------


def score(deal: ContractDeal, rules: ContractRules) -> Score:
    """Points of all sides for one deal.

    >>> from scoring.engine.core.ruleset import shipped
    >>> from scoring.engine.families import rules_of
    >>> euchre = rules_of(shipped()["euchre-by-tricks"])
    >>> score(ContractDeal(bidder=0, tricks=(5, 0), alone=Alone.MAKER), euchre).totals
    (4, 0)
    >>> whist = rules_of(shipped()["whist-with-honours"])
    >>> score(ContractDeal(tricks=(5, 8), honours=(3, 1)), whist).totals
    (2, 2)

    Raises:
        ValueError: the card has a problem of `UNSCORABLE`.
    """
    if problem := next(_shape_problems(deal, rules), None):
        raise ValueError(problem.code)
    if rules.bids:
        return _score_contract(deal, rules)
    return _score_makers(deal, rules) if rules.maker_points else _score_odd_tricks(deal, rules)


def _bid_side(deal: ContractDeal, rules: ContractRules) -> tuple[int, ...]:
    """The bidder, and of five players the one who was called."""
    called = deal.partner if rules.partners_called and not _takes_none(deal) else None
    return tuple(sorted({side for side in (deal.bidder, called) if side is not None}))


def contract_code(deal: ContractDeal) -> str:
    """What was bid, as an argument of a sentence: "8-hearts", "4", "misere".

    >>> contract_code(ContractDeal(tricks=(8, 2), bidder=0, bid=8, trump=Trump.HEARTS))
    '8-hearts'
    """
    return str(deal.call) if deal.call else "-".join(map(str, filter(None, (deal.bid, deal.trump))))


def _score_contract(deal: ContractDeal, rules: ContractRules) -> Score:
    """The bid side wins or loses what its bid is worth, the others score their tricks (Score keeping)."""
    pair, everything = _bid_side(deal, rules), rules.tricks
    taken = sum(deal.tricks[side] for side in pair)
    reason = named(contract=contract_code(deal), won=taken)
    if deal.call is not None:
        worth, made = dict(rules.calls)[deal.call], taken == (0 if deal.call.takes_none else everything)
        points, code = worth, "contract.call-made"
    else:
        worth, made = rules.worth(deal.bid or 0, deal.trump), taken >= (deal.bid or 0)
        points, code = (taken, "contract.made-tricks") if rules.tricks_score else (worth, "contract.made")
        if rules.slam is not None and taken == everything and points < rules.slam:
            points, code = rules.slam, "contract.slam"
    if not made:
        points, code = -worth, "contract.set"
    lines = [Line(side, points, code, reason) for side in pair]
    if rules.others_trick and (rules.misere_tricks or not _takes_none(deal)):
        for side in set(range(rules.shape.sides)).difference(pair):
            tricks = deal.tricks[side]
            lines.append(Line(side, tricks * rules.others_trick, "contract.others-tricks", named(tricks=tricks)))
    return Score(
        rules.shape.sides,
        tuple(lines),
        sets=() if made else pair,
        lone_hands=pair if made and deal.call is not None and not deal.call.takes_none else (),
        first=deal.bidder,
        may_go_out=(pair if made else ()) if rules.out_by_contract else None,
    )


def _score_makers(deal: ContractDeal, rules: ContractRules) -> Score:
    """Euchre: the makers need more than half of the tricks; else each other side scores (rarepike.com, Euchre)."""
    sides, makers, alone = range(rules.shape.sides), deal.bidder or 0, deal.alone
    points, taken = dict(rules.maker_points), deal.tricks[makers]
    if taken <= rules.tricks // 2:
        result = "defended-alone" if alone and alone.defended else "lone-euchred" if alone else "euchred"
        worth = points.get(result, points["euchred"])
        lines = [Line(s, worth, f"contract.{result}", named(won=taken)) for s in sides if s != makers]
        return Score(len(sides), tuple(lines), first=makers)
    march = "lone-march" if alone and alone.made else "march"
    result = march if taken == rules.tricks else "made"
    line = Line(makers, points.get(result, points["march"]), f"contract.makers-{result}", named(won=taken))
    return Score(len(sides), (line,), lone_hands=(makers,) if result == "lone-march" else (), first=makers)


def _score_odd_tricks(deal: ContractDeal, rules: ContractRules) -> Score:
    """Whist: a point for each trick over six; tricks are counted before honours ("The Laws of Whist", 2, 3 and 5)."""
    book, values = rules.tricks // 2, dict(rules.honours)
    over = {side: tricks - book for side, tricks in enumerate(deal.tricks) if tricks > book}  # one side, by a true card
    lines = [
        Line(side, odd * rules.odd_trick, "contract.odd-tricks", named(over=odd, book=book))
        for side, odd in over.items()
    ]
    lines += [
        Line(side, values[held], "contract.honours-held", named(held=held))
        for side, held in enumerate(deal.honours)
        if held in values
    ]
    return Score(rules.shape.sides, tuple(lines), first=next(iter(over)) if len(over) == 1 else None)


# --- settings ------------------------------------------------------------------------------------------


def setting_problems(rules: ContractRules) -> Iterator[SettingProblem]:
    if rules.opening_bid is not None and rules.opening_bid > rules.tricks:
        yield more_than("opening_bid", rules.opening_bid, other="tricks", most=rules.tricks)
    if missing := [name for name in NEEDED if rules.maker_points and name not in dict(rules.maker_points)]:
        yield SettingProblem("maker_points", "setting.values-of", named(names=", ".join(missing)))
    if sum((rules.bids, bool(rules.maker_points), rules.odd_trick > 0)) != 1:
        yield SettingProblem("", "setting.ways-to-score")


FAMILY = Family(
    slug="contract",
    rules=ContractRules,
    facts=ContractDeal,
    check=check,
    score=score,
    unscorable=UNSCORABLE,
    setting_problems=setting_problems,
    game_checks=_HonourChecks(),
    same_in_a_row=lambda rules: 2 if rules.trump_values else 6,
    bid_held="bidder",
)
