"""The progress of a game: totals deal by deal, target, end, starting handicap; and mistakes in a scorer's totals."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, chain, groupby, islice
from typing import TypeAlias

from scoring.engine.core.ledger import Args, Score, named
from scoring.engine.core.ruleset import Rules


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a game is after its deals."""

    totals: tuple[int, ...]  # per side, start included
    running: tuple[tuple[int, ...], ...]  # totals after each deal
    over: bool
    winners: tuple[int, ...]  # one side; several when they share; none while the game goes on
    ended_by: str = ""  # "target", "claim", "challenge", "lost", "deals", or "" while it goes on


def progress(
    scores: Sequence[Score], rules: Rules, *, start: Sequence[int] = (), accepted: int | None = None
) -> Progress:
    """Count the deals of a game in order and say whether it is over.

    `accepted`: how many deals at the start have nothing wrong with them; None: all. From the first deal that isn't
    accepted, the totals are only what the card says: they win nothing, and the game isn't over before that deal is
    corrected.

    The game ends with the first deal after which a side has the target or is down to `rules.lose_at`, or after
    `rules.deals` deals.
    A side that claims the game with a deal wins it if it has the target then, whatever the other has (002,
    section 13); a claim without the target ends nothing.
    With `bid_side_first` a bid side that has the target wins even if another has more (St. Hilary
    House Rules v3, "Scoring & Winning"). Otherwise the best total wins; equal best totals at the
    target play on, equal best totals after the last deal, or when another side has lost, share the game.
    Where only some sides can go out with a deal (`Score.may_go_out`), the target ends the game for these alone.
    Where the lowest total wins, the target ends the game and nothing else: reaching it is no merit, so neither a claim
    nor the order of counting gives the game to the side that did, and no score is so low that it loses.
    Deals after the end aren't counted: `running` stops there.
    """
    sides = rules.shape.sides
    totals = list(start) or [0] * sides
    running: list[tuple[int, ...]] = []
    for number, score in enumerate(scores, start=1):
        totals = [total + points for total, points in zip(totals, score.totals, strict=True)]
        running.append(tuple(totals))
        last = rules.deals is not None and number >= rules.deals
        if accepted is not None and number > accepted:
            if last:
                break
            continue
        if winners := _claim_winners(totals, score, rules=rules):
            by = "challenge" if score.challenged else "claim"
            return Progress(tuple(totals), tuple(running), True, winners, by)
        if winners := _winners(totals, score, rules=rules, last=last):
            reached, lost = _sides_at_target(totals, score, rules=rules), _is_lost(totals, rules)
            by = "target" if reached else "lost" if lost else "deals"
            return Progress(tuple(totals), tuple(running), True, winners, by)
    return Progress(tuple(totals), tuple(running), False, ())


def leaders(totals: Sequence[int], rules: Rules) -> tuple[int, ...]:
    """The sides with the best total: who wins a game that is ended early."""
    best = min(totals) if rules.lowest_wins else max(totals)
    return tuple(side for side, total in enumerate(totals) if total == best)


def outcome_code(now: Progress, rules: Rules) -> str:
    """Why a game ended as it did, or goes on though the target is reached, as a code; "" where the totals show it.

    "level": equal best totals play on; "not-out": the side with the target can't go out; "shared"; "lowest": the lowest
    total wins; "bid-side-first" and "by-contract": another side has as much or more; "deals": nobody has the target; or
    `ended_by`: "claim", "challenge", "lost", "director".
    """
    best = leaders(now.totals, rules)
    if not now.over:
        reached = rules.target is not None and max(now.totals) >= rules.target
        return "" if not reached else "level" if len(best) > 1 else "not-out"
    if now.ended_by in {"claim", "challenge", "lost", "director"}:
        return now.ended_by
    if len(now.winners) > 1:
        return "shared"
    if rules.lowest_wins:
        return "lowest"
    if now.winners != best:
        return "bid-side-first" if rules.bid_side_first else "by-contract"
    return "deals" if now.ended_by == "deals" and rules.target is not None else ""


def _winners(totals: Sequence[int], score: Score, *, rules: Rules, last: bool) -> tuple[int, ...]:
    reached, first = _sides_at_target(totals, score, rules=rules), score.first
    counted_first = rules.bid_side_first and not rules.lowest_wins
    if reached and counted_first and first is not None and totals[first] >= (rules.target or 0):
        return (first,)
    best = leaders(totals, rules)
    if reached and score.may_go_out is not None:
        highest = max(totals[side] for side in reached)
        best = tuple(side for side in reached if totals[side] == highest)
    elif last or _is_lost(totals, rules):
        return best
    return best if (reached and len(best) == 1) or last else ()


def _claim_winners(totals: Sequence[int], score: Score, *, rules: Rules) -> tuple[int, ...]:
    """The side that rightly claims the game; empty for none."""
    if rules.lowest_wins or score.claimant is None or rules.target is None or totals[score.claimant] < rules.target:
        return ()
    return (score.claimant,)


def _sides_at_target(totals: Sequence[int], score: Score, *, rules: Rules) -> tuple[int, ...]:
    """The sides that have the target and can go out with it."""
    sides = range(len(totals)) if score.may_go_out is None else score.may_go_out
    return tuple(side for side in sides if rules.target is not None and totals[side] >= rules.target)


def _is_lost(totals: Sequence[int], rules: Rules) -> bool:
    return not rules.lowest_wins and rules.lose_at is not None and any(total <= rules.lose_at for total in totals)


Handicaps: TypeAlias = tuple[int, int]  # of the two players, at least one of them 0

NO_HANDICAP: Handicaps = (0, 0)


@dataclass(frozen=True, slots=True)
class HandicapRules:
    """A loser gains `gain` points, or `larger` with a total under `below`."""

    gain: int = 4
    below: int = 75
    larger: int = 8


@dataclass(frozen=True, slots=True)
class GameEnd:
    winner: int | None  # 0 or 1; None: the game was shared
    loser_total: int


def handicaps_after(before: Handicaps, result: GameEnd, *, rules: HandicapRules) -> Handicaps:
    """The handicaps of both players after a game.

    >>> handicaps_after((8, 0), GameEnd(winner=1, loser_total=90), rules=HandicapRules())  # the text's example
    (12, 0)
    >>> [handicaps_after((0, 0), GameEnd(winner=1, loser_total=total), rules=HandicapRules())[0] for total in (74, 75)]
    [8, 4]
    >>> handicaps_after((8, 0), GameEnd(winner=0, loser_total=60), rules=HandicapRules())  # the winner's 8 come off
    (0, 0)
    >>> handicaps_after((4, 0), GameEnd(winner=0, loser_total=60), rules=HandicapRules())  # floored at zero
    (0, 0)
    """
    if result.winner is None:
        return before
    gain = rules.larger if result.loser_total < rules.below else rules.gain
    winner, loser = before[result.winner], before[1 - result.winner]
    new = (max(0, winner - gain), loser) if winner else (0, loser + gain)
    return new if result.winner == 0 else (new[1], new[0])


def handicaps_after_each(
    results: Iterable[tuple[GameEnd, HandicapRules]], start: Handicaps = NO_HANDICAP
) -> tuple[Handicaps, ...]:
    """The handicaps after each of several games, each by its own rules.

    >>> four = HandicapRules()
    >>> games = [(GameEnd(1, 100), four), (GameEnd(1, 70), four), (GameEnd(1, 100), four), (GameEnd(0, 100), four)]
    >>> handicaps_after_each(games)
    ((4, 0), (12, 0), (16, 0), (12, 0))
    """
    _start, *states = accumulate(results, lambda now, game: handicaps_after(now, game[0], rules=game[1]), initial=start)
    return tuple(states)


# --- the scorer's own arithmetic ---------------------------------------------------------------------
# Running totals as the scorer wrote them, and marks of failed bids. A total may be blank. For a wrong one, a slip names
# the first deal after which it is wrong, by how much, and the likeliest cause.


CAUSES = (
    "",  # nothing that is easily recognised
    "left-out",  # as if deal {between} had been left out
    "twice",  # as if deal {between} had been added twice
    "sign",  # as if the points of deal {between} had been added instead of deducted, or the other way round
    "digits",  # two figures of the total have changed places
    "other-side",  # as if another side's points of deal {between} had been added
    "start",  # as if the starting score had been left out
)


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip in a side's running total: where it first shows, and how far it is carried.

    For a later slip of the same side, `step` is what it adds to the difference that was there already.
    """

    side: int
    deal: int  # the first deal, from 1, after which the written total is off by `difference`
    until: int  # the last deal after which it is still off by that
    between: int  # the slip was made in one of the deals between..deal; the totals in between are blank
    difference: int  # written - right
    step: int  # difference - the difference before
    written: int
    right: int
    cause: str = ""  # one of CAUSES

    code = "arithmetic.running-total"

    @property
    def args(self) -> Args:
        return tuple((name, value) for name, value in asdict(self).items() if name != "side")


@dataclass(frozen=True, slots=True)
class SetSlip:
    """A mark of a failed bid where there should be none (`marked`), or a missing one."""

    side: int
    deal: int  # from 1
    marked: bool

    code = "arithmetic.set-mark"

    @property
    def args(self) -> Args:
        return named(deal=self.deal, marked=int(self.marked))


def check_set_marks(scores: Sequence[Score], written: Sequence[Sequence[int] | None]) -> tuple[SetSlip, ...]:
    """Wrong and missing marks of failed bids. In `written`, None is a deal without marks on the card.

    >>> check_set_marks([Score(2, (), sets=(0,)), Score(2, ())], [None, [1]])
    (SetSlip(side=1, deal=2, marked=True),)
    """
    return tuple(
        SetSlip(side, deal, side in marks)
        for deal, (score, marks) in enumerate(zip(scores, written, strict=False), start=1)
        if marks is not None
        for side in range(score.sides)
        if (side in marks) != (side in score.sets)
    )


def check_running_totals(
    scores: Sequence[Score], written: Sequence[Sequence[int | None]], *, start: Sequence[int] = ()
) -> tuple[Slip, ...]:
    """Slips in written running totals: side after side, in order of deals.

    Args:
        written: for each deal the total of each side on the card, None for a blank; it may end early.
        start: each side's score before the first deal; empty means 0.

    >>> from scoring.engine.core.ledger import Line
    >>> deals = [Score(1, (Line(0, points, "x"),)) for points in (20, 31, 17, 25, 10)]
    >>> (slip,) = check_running_totals(deals, [[20], [51], [76], [101], [111]])
    >>> slip.difference, slip.deal, slip.until
    (8, 3, 5)
    """
    sides = max((score.sides for score in scores), default=0)
    return tuple(chain.from_iterable(_side_slips(side, scores, written=written, start=start) for side in range(sides)))


def _side_slips(
    side: int, scores: Sequence[Score], *, written: Sequence[Sequence[int | None]], start: Sequence[int]
) -> Iterator[Slip]:
    begin = start[side] if side < len(start) else 0
    right = accumulate((score.totals[side] for score in scores), initial=begin)
    rows = enumerate(zip(written, islice(right, 1, None), strict=False), start=1)
    totals = [(deal, row[side], points) for deal, (row, points) in rows if side < len(row)]
    written_totals = [(deal, total, points) for deal, total, points in totals if total is not None]
    before, between = 0, 1
    for off, carried in groupby(written_totals, key=lambda entry: entry[1] - entry[2]):
        (deal, total, points), *later = carried
        until = later[-1][0] if later else deal
        if off:
            deals, started = scores[between - 1 : deal], begin if between == 1 else 0
            cause = _likely_cause(side, off - before, written=total, right=points, deals=deals, begin=started)
            yield Slip(side, deal, until, between, off, off - before, total, points, cause)
        before, between = off, until + 1


def _likely_cause(side: int, step: int, *, written: int, right: int, deals: Sequence[Score], begin: int) -> str:
    if len(deals) == 1:
        totals = deals[0].totals
        points = totals[side]
        if step == -points:
            return "left-out"
        if step == points:
            return "twice"
        if step == -2 * points:
            return "sign"
        if any(step == other - points for at, other in enumerate(totals) if at != side):
            return "other-side"
    if begin and step == -begin:
        return "start"
    if _has_swapped_digits(abs(written), abs(right)) and written * right > 0:
        return "digits"
    return ""


def _has_swapped_digits(number: int, other: int) -> bool:
    """Whether two neighbouring digits have changed places."""
    a, b = str(number), str(other)
    swapped = (f"{a[:at]}{a[at + 1]}{a[at]}{a[at + 2 :]}" for at in range(len(a) - 1))
    return a != b and b in swapped
