"""Games in which each player bids a number of tricks and takes them: spades in partnerships or alone, oh hell.

One family, for the card is the same: who bid what, who took how many tricks. In spades taking more than was bid makes
bags, which are carried from deal to deal; in oh hell a bid is made only exactly, and the hands grow or shrink.

Sources: zone.msn.com, How to play Spades (bid, bags, nil); encyclopedia4u.com and liquisearch.com, Oh Hell (schedules,
the dealer's last bid, ways to score); the numbers are settings of `scoring/rules/spades.toml` and `oh-hell.toml`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Annotated

from scoring.engine.core.family import Family, GameChecks
from scoring.engine.core.ledger import Line, Problem, Score, against_rules, impossible, malformed, named, unlikely
from scoring.engine.core.ruleset import Range, Rules, SettingProblem

PACK = 52
FIGURE = Range(0, 1000)  # points for one thing


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickBidsRules(Rules):
    __hash__ = Rules.__hash__

    hand_sizes: Annotated[tuple[tuple[int, int], ...], Range(1, PACK)]  # (from this many players, most cards each)
    schedule: Annotated[str, ("level", "down", "up", "down-up", "up-down")]  # how the hands go from deal to deal
    hook: bool  # the bids may not add up to the cards of a hand
    exact: bool  # a bid is made only with as many tricks as bid
    bid_points: Annotated[int, FIGURE]  # of a bid that is made: for each trick bid,
    square_points: Annotated[int, FIGURE]  # ... times the square of the bid,
    made_points: Annotated[int, FIGURE]  # ... and for making it
    failed: Annotated[str, ("nothing", "tricks", "bid", "off", "off-squared")]  # what a failed bid counts by
    failed_points: Annotated[int, FIGURE]  # for each of these: given for tricks, else deducted
    failed_base: Annotated[int, FIGURE]  # deducted beside that
    nil: Annotated[int | None, FIGURE]  # for a bid of nothing, deducted when it fails; None: it is a bid like others
    blind_nil: Annotated[int | None, FIGURE]  # the same without a look at the cards; None: not played
    nil_tricks: Annotated[str, ("bid", "bags")]  # what the tricks of a failed nil count to: the partner's bid, or bags
    bag_points: int  # for each trick over the bid
    bag_limit: Annotated[int | None, Range(1, 100)]  # bags that cost a penalty; None: none do
    bag_penalty: Annotated[int, FIGURE]

    def __post_init__(self) -> None:
        """Where the hands follow a schedule, its end is that of the game."""
        if self.deals is None and self.schedule != "level":
            object.__setattr__(self, "deals", len(self.hands))

    @property
    def most_cards(self) -> int:
        return max((pair for pair in self.hand_sizes if pair[0] <= self.shape.players), default=(0, 0))[1]

    @property
    def hands(self) -> tuple[int, ...]:
        """The cards of each player in one deal after the other."""
        up = tuple(range(1, self.most_cards + 1))
        down = up[::-1]
        return {"down": down, "up": up, "down-up": down + up[1:], "up-down": up + down[1:]}.get(
            self.schedule, (self.most_cards,)
        )

    def cards_at(self, place: int) -> int:
        """The cards of each player in the deal at a place in the game, from 1."""
        return self.hands[(place - 1) % len(self.hands)]

    def players_of(self, side: int) -> range:
        return range(side * self.shape.per_side, (side + 1) * self.shape.per_side)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickBidsDeal:
    """One deal. Players come in order of sides: those of the first, then those of the next."""

    bids: Annotated[tuple[int, ...], "each player's bid; 0 is nil where the rules have it"]
    tricks: Annotated[tuple[int, ...], "the tricks that each side took"]
    blind: Annotated[tuple[bool, ...], "whether each player bid nil blind; empty: nobody did"] = ()
    nil_tricks: Annotated[
        tuple[int, ...],
        "the tricks that each player of a partnership took after bidding nil, within those of the side, 0 for all "
        "others; empty where no partner bid nil",
    ] = ()
    cards: Annotated[int | None, "the cards of each player; null: as many as the deal's place in the game has"] = None

    def is_blind(self, player: int) -> bool:
        return bool(self.blind) and self.blind[player]


UNSCORABLE = frozenset({"trick-bids.players", "trick-bids.sides", "trick-bids.nil-missing"})


def _is_nil(deal: TrickBidsDeal, player: int, *, rules: TrickBidsRules) -> bool:
    points = rules.blind_nil if deal.is_blind(player) else rules.nil
    return deal.bids[player] == 0 and points is not None


def _took_after_nil(deal: TrickBidsDeal, player: int, *, rules: TrickBidsRules) -> int:
    if rules.shape.per_side == 1:
        return deal.tricks[player]
    return deal.nil_tricks[player]


# --- score -------------------------------------------------------------------------------------------


def score(deal: TrickBidsDeal, rules: TrickBidsRules, *, carried: Sequence[int] = ()) -> Score:
    """The points of a deal. `carried` are the bags that each side has from the deals before it.

    A side's bid is the sum of its players' bids. Source: zone.msn.com, How to play Spades, "Scoring": 10 for each trick
    bid, lost if the side takes fewer; a bag for each trick over the bid; 100 lost with ten of them.

    >>> from scoring.engine.core.ruleset import shipped
    >>> from scoring.engine.families import rules_of
    >>> spades = rules_of(shipped()["spades"])
    >>> deal = TrickBidsDeal(bids=(4, 3, 5, 0), tricks=(8, 5), nil_tricks=(0, 0, 0, 0))
    >>> score(deal, spades).totals  # 7 bid, 8 taken: a bag; 5 bid and taken, and a nil
    (71, 150)
    >>> score(deal, spades, carried=(9, 0)).totals  # the tenth bag
    (-29, 150)

    Raises:
        ValueError: the card has a problem of `UNSCORABLE`.
    """
    if problem := next(_shape_problems(deal, rules), None):
        raise ValueError(problem.code)
    lines: list[Line] = []
    bags = list(carried) or [0] * rules.shape.sides
    for side in range(rules.shape.sides):
        side_lines, over = _side_lines(deal, side, rules=rules)
        lines += side_lines
        bags[side] += over
        if rules.bag_limit is not None and (times := bags[side] // rules.bag_limit) > 0:
            args = named(bags=bags[side], limit=rules.bag_limit)
            lines.append(Line(side, -times * rules.bag_penalty, "trick-bids.bag-penalty", args))
            bags[side] %= rules.bag_limit
    return Score(rules.shape.sides, tuple(lines), carried=tuple(bags))


def _side_lines(deal: TrickBidsDeal, side: int, *, rules: TrickBidsRules) -> tuple[list[Line], int]:
    """A side's lines except the penalty, and its bags in this deal."""
    players = rules.players_of(side)
    nils = [player for player in players if _is_nil(deal, player, rules=rules)]
    bid, tricks = sum(deal.bids[player] for player in players), deal.tricks[side]
    beside = sum(_took_after_nil(deal, player, rules=rules) for player in nils) if rules.nil_tricks == "bags" else 0
    counted, over, lines = tricks - beside, 0, []
    if len(nils) == len(players):
        over = counted
    elif counted == bid if rules.exact else counted >= bid:
        over = counted - bid
        points = rules.bid_points * bid + rules.square_points * bid**2 + rules.made_points
        lines.append(Line(side, points, "trick-bids.made", named(bid=bid, tricks=counted)))
    else:
        lines.append(
            Line(side, _failed_points(bid, counted, rules=rules), "trick-bids.failed", named(bid=bid, tricks=counted))
        )
    bags = 0 if rules.exact else over + beside
    if bags > 0:
        lines.append(Line(side, rules.bag_points * bags, "trick-bids.bags", named(bags=bags)))
    return [*lines, *(_nil_line(deal, player, rules=rules) for player in nils)], max(bags, 0)


def _failed_points(bid: int, tricks: int, *, rules: TrickBidsRules) -> int:
    off = abs(bid - tricks)
    counts = {"tricks": tricks, "bid": -bid, "off": -off, "off-squared": -(off**2)}.get(rules.failed, 0)
    return rules.failed_points * counts - rules.failed_base


def _nil_line(deal: TrickBidsDeal, player: int, *, rules: TrickBidsRules) -> Line:
    blind, took = deal.is_blind(player), _took_after_nil(deal, player, rules=rules)
    points = (rules.blind_nil if blind else rules.nil) or 0
    code = f"trick-bids.{'blind' if blind else 'nil'}-{'failed' if took else 'made'}"
    return Line(player // rules.shape.per_side, -points if took else points, code, named(tricks=took) if took else ())


# --- check -------------------------------------------------------------------------------------------


def check(deal: TrickBidsDeal, rules: TrickBidsRules) -> tuple[Problem, ...]:
    if wrong := tuple(_shape_problems(deal, rules)):
        return wrong
    return tuple(
        chain(
            _trick_problems(deal, rules),
            _bid_problems(deal, rules),
            *(_nil_problems(deal, side, rules=rules) for side in range(rules.shape.sides)),
        )
    )


def _shape_problems(deal: TrickBidsDeal, rules: TrickBidsRules) -> Iterator[Problem]:
    players, sides = rules.shape.players, rules.shape.sides
    for name, column in (("bids", deal.bids), ("blind", deal.blind), ("nil_tricks", deal.nil_tricks)):
        if len(column) != players and (column or name == "bids"):
            yield malformed("trick-bids.players", name, written=len(column), players=players)
    if len(deal.tricks) != sides:
        yield malformed("trick-bids.sides", "tricks", written=len(deal.tricks), sides=sides)
    if rules.shape.per_side > 1 and len(deal.bids) == players and len(deal.blind) in (0, players):
        for player in range(players):
            if _is_nil(deal, player, rules=rules) and not deal.nil_tricks:
                yield malformed(
                    "trick-bids.nil-missing", "nil_tricks", side=player // rules.shape.per_side, player=player + 1
                )


def _cards_each(deal: TrickBidsDeal, rules: TrickBidsRules) -> int:
    """The cards of each player: those noted, else those of the hand that fits the tricks, or of the largest."""
    if deal.cards is not None:
        return deal.cards
    return sum(deal.tricks) if sum(deal.tricks) in rules.hands else rules.most_cards


def _trick_problems(deal: TrickBidsDeal, rules: TrickBidsRules) -> Iterator[Problem]:
    cards, most = _cards_each(deal, rules), rules.most_cards if deal.cards is None else deal.cards
    if cards not in rules.hands:
        yield against_rules("trick-bids.cards", "cards", cards=cards, most=rules.most_cards)
    elif sum(deal.tricks) != cards:
        yield impossible("trick-bids.whole", "tricks", written=sum(deal.tricks), cards=cards)
    for side, tricks in enumerate(deal.tricks):
        if not 0 <= tricks <= most:
            yield impossible("trick-bids.tricks", "tricks", side=side, tricks=tricks, cards=most)


def _bid_problems(deal: TrickBidsDeal, rules: TrickBidsRules) -> Iterator[Problem]:
    """Where the cards of each player aren't known, no bid may be more than the largest hand."""
    per_side, cards = rules.shape.per_side, rules.most_cards if deal.cards is None else deal.cards
    for player, bid in enumerate(deal.bids):
        if not 0 <= bid <= cards:
            side = player // per_side
            yield against_rules("trick-bids.bid", "bids", side=side, player=player + 1, bid=bid, cards=cards)
    for side in range(rules.shape.sides):
        bid = sum(deal.bids[player] for player in rules.players_of(side))
        if per_side > 1 and bid > cards:
            yield unlikely("trick-bids.bid-together", "bids", side=side, bid=bid, cards=cards)
    if rules.hook and sum(deal.bids) == _cards_each(deal, rules):
        yield against_rules("trick-bids.hook", "bids", bids=sum(deal.bids))


def _nil_problems(deal: TrickBidsDeal, side: int, *, rules: TrickBidsRules) -> Iterator[Problem]:
    """Problems of a side's players who bid nil, or are noted as if they had."""
    players = rules.players_of(side)
    for player in players:
        if deal.is_blind(player) and not _is_nil(deal, player, rules=rules):
            if rules.blind_nil is None:
                yield against_rules("trick-bids.no-blind", "blind", side=side, player=player + 1)
            else:
                yield malformed("trick-bids.blind", "blind", side=side, player=player + 1, bid=deal.bids[player])
    took = [deal.nil_tricks[player] if deal.nil_tricks else 0 for player in players]
    for player, tricks in zip(players, took, strict=True):
        if tricks and not _is_nil(deal, player, rules=rules):
            yield malformed("trick-bids.not-nil", "nil_tricks", side=side, player=player + 1, tricks=tricks)
        elif tricks < 0:
            yield impossible("trick-bids.nil-tricks", "nil_tricks", side=side, took=tricks, tricks=deal.tricks[side])
    if rules.shape.per_side == 1:
        if any(took) and took != [deal.tricks[side]]:
            yield malformed("trick-bids.nil-alone", "nil_tricks", side=side, took=took[0], tricks=deal.tricks[side])
    elif all(_is_nil(deal, player, rules=rules) for player in players):
        if sum(took) != deal.tricks[side]:
            yield malformed("trick-bids.nil-both", "nil_tricks", side=side, took=sum(took), tricks=deal.tricks[side])
    elif sum(took) > max(deal.tricks[side], 0):
        yield impossible("trick-bids.nil-tricks", "nil_tricks", side=side, took=sum(took), tricks=deal.tricks[side])


# --- in the game, and settings -----------------------------------------------------------------------


class _GameChecks(GameChecks):
    def carries(self, rules: TrickBidsRules) -> bool:
        return rules.bag_limit is not None

    def needs_place(self, facts: TrickBidsDeal, rules: TrickBidsRules) -> bool:
        return facts.cards is None and rules.schedule != "level"

    def add_context(
        self, facts: TrickBidsDeal, rules: TrickBidsRules, *, before: Sequence[int] | None, place: int | None
    ) -> TrickBidsDeal:
        if place is None or not self.needs_place(facts, rules):
            return facts
        return replace(facts, cards=rules.cards_at(place))


def setting_problems(rules: TrickBidsRules) -> Iterator[SettingProblem]:
    dealt = rules.most_cards * rules.shape.players
    if dealt > PACK:
        yield SettingProblem("hand_sizes", "setting.pack", named(dealt=dealt, cards=PACK))
    elif not dealt:
        yield SettingProblem("", "rules.no-deal")


FAMILY = Family(
    slug="trick-bids",
    rules=TrickBidsRules,
    facts=TrickBidsDeal,
    check=check,
    score=score,
    unscorable=UNSCORABLE,
    setting_problems=setting_problems,
    game_checks=_GameChecks(),
)
