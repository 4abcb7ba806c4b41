"""Who wins which prize of an event, from its result: pure figures, and lots with recorded seeds.

Prizes are given in the order of the list. With one prize a person, a winner passes a later one on to the next. Those
who are level share, and share the prizes of the places that they take up; or lots decide among them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeAlias

from tournaments.engine.ranking import lot
from tournaments.engine.rounds import grouped

Kind: TypeAlias = Literal["place", "low", "most-sets", "fewest-sets", "most-lone-hands", "door"]
Ties: TypeAlias = Literal["share", "lots"]
KINDS: tuple[Kind, ...] = ("place", "low", "most-sets", "fewest-sets", "most-lone-hands", "door")


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize of the list. `place` is for "place" prizes: 1 is high, 2 second; `amount` in minor units; `what` says
    what else is given ("a bottle of wine"); `group` names the only class that can win it ("Ladies")."""

    kind: Kind
    place: int = 0
    amount: int = 0
    what: str = ""
    group: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS or (self.place > 0) != (self.kind == "place") or self.amount < 0:
            raise ValueError("a prize of a kind, with a place where the kind has one, and no debt")

    def to_data(self) -> dict[str, Any]:
        """Plain JSON data; `group` only if there is one, as in older versions."""
        return {name: value for name, value in asdict(self).items() if value or name != "group"}


@dataclass(frozen=True, slots=True)
class Contender:
    """A person of the result. The people of one `side` have one place and share what it wins."""

    entry: int
    number: int  # of the entry: its lot is made of it
    side: int
    place: int
    sets: int  # failed bids
    groups: frozenset[str] = frozenset()  # the classes they are in, casefolded
    lone_hands: int = 0  # that took every trick


@dataclass(frozen=True, slots=True)
class Rule:
    """How prizes are given: what becomes of those who are level, and whether a person wins only one."""

    ties: Ties = "share"
    one_each: bool = True


@dataclass(frozen=True, slots=True)
class Seeds:
    """Seeds of the lots for door prizes, and for those who are level; None: not drawn."""

    door: int | None = None
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Award:
    """A prize, or several shared together: their indexes in the list, and who wins.

    There are no `winners` if nobody is left, or if lots must be drawn first (`lots_needed`). What can't be divided
    evenly, `left`, goes to the first winners, a minor unit each."""

    prizes: tuple[int, ...]
    winners: tuple[int, ...]  # entries
    each: int = 0  # minor units
    left: int = 0
    drawn_among: tuple[int, ...] = ()  # entries whose lots decided, the first to win first
    passed_on: tuple[int, ...] = ()  # entries that came before, and had won a prize already
    lots_needed: bool = False


WINNING_FIGURES: Mapping[Kind, Callable[[Contender], int]] = {  # what a prize goes by: the lowest figure wins it
    "low": lambda c: -c.place,
    "most-sets": lambda c: -c.sets,
    "fewest-sets": lambda c: c.sets,
    "most-lone-hands": lambda c: -c.lone_hands,
}


def award(
    contenders: Sequence[Contender], prizes: Sequence[Prize], *, rule: Rule, seeds: Seeds, passed: Collection[int] = ()
) -> tuple[Award, ...]:
    """Who wins what, in the order of the list. Those in `passed` take no prize: they have gone, or don't want one.

    >>> people = [Contender(n, n, n, place, sets=0) for n, place in ((1, 1), (2, 1), (3, 3))]
    >>> [(a.prizes, a.winners, a.each) for a in award(people, [Prize("place", 1, 30), Prize("place", 2, 11)],
    ...  rule=Rule(), seeds=Seeds())]
    [((0, 1), (1, 2), 20)]
    """
    field = [c for c in contenders if c.entry not in passed]
    givings: dict[str, _PrizeGiving] = {}
    awarded: set[int] = set()
    won: set[int] = set()
    at_door: set[int] = set()
    awards = []
    for number, prize in enumerate(prizes):
        group = prize.group.casefold()
        if group not in givings:
            givings[group] = _PrizeGiving(_class_members(field, group), prizes, rule=rule, seeds=seeds)
            givings[group].awarded, givings[group].won, givings[group].at_door = awarded, won, at_door
        while number not in awarded:  # those whose turn it is may take better prizes of their places instead
            awards.append(givings[group].give(number, prize))
            awarded.update(awards[-1].prizes)
            won.update(awards[-1].winners)
    return tuple(awards)


def _class_members(contenders: Sequence[Contender], group: str) -> list[Contender]:
    """The people of a class with their places among themselves, one for each side; everybody for no class."""
    members = [c for c in contenders if not group or group in c.groups]
    sides = {(c.place, c.side) for c in members}
    return [replace(c, place=1 + sum(place < c.place for place, _side in sides)) for c in members] if group else members


class _PrizeGiving:
    """Gives the prizes of everybody, or of a class, one after the other."""

    def __init__(self, contenders: Sequence[Contender], prizes: Sequence[Prize], *, rule: Rule, seeds: Seeds) -> None:
        self.contenders, self.prizes, self.rule, self.seeds = contenders, prizes, rule, seeds
        self.awarded: set[int] = set()  # numbers of prizes, those of other classes too
        self.won: set[int] = set()  # entries that have a prize, of whatever class
        self.at_door: set[int] = set()  # entries that have a door prize, of whatever class: nobody's lot is drawn twice
        self.placed: set[int] = set()  # entries that have the prize of a place: nobody has two places
        level = grouped((c.place, c.side) for c in contenders)
        self.last_place = {place: place + len(set(sides)) - 1 for place, sides in level.items()}  # of those level there

    def give(self, number: int, prize: Prize) -> Award:
        if prize.kind == "door":
            award = self._give_door_prize(number)
            self.at_door |= set(award.winners)
        elif prize.kind == "place":
            award = self._give_place_prize(number, prize)
            self.placed |= set(award.winners)
        else:
            award = self._give_figure_prize(number, prize)
        return award

    def _may_win(self, contender: Contender) -> bool:
        return not (self.rule.one_each and contender.entry in self.won)

    def _give_door_prize(self, number: int) -> Award:
        if self.seeds.door is None:
            return Award((number,), (), lots_needed=True)
        seed = self.seeds.door
        order = sorted((c for c in self.contenders if c.entry not in self.at_door), key=lambda c: lot(seed, c.number))
        winner = next((c for c in order if self._may_win(c)), None)
        if winner is None:
            return Award((number,), ())
        before = tuple(c.entry for c in order[: order.index(winner)])
        drawn = tuple(c.entry for c in order)
        return Award((number,), (winner.entry,), self.prizes[number].amount, drawn_among=drawn, passed_on=before)

    def _give_place_prize(self, number: int, prize: Prize) -> Award:
        """Give the prize to those who have the place, or to the next who may still win."""
        field = [c for c in self.contenders if self.last_place[c.place] >= prize.place]
        left = [c for c in field if self._may_win(c) and c.entry not in self.placed]
        if not left:
            return Award((number,), ())
        best = min(c.place for c in left)
        tied = [c for c in self.contenders if c.place == best]
        if self.rule.ties == "lots" and len({c.side for c in tied}) > 1:
            return self._give_place_by_lot(number, prize, tied=tied)
        level = [c for c in left if c.place == best]
        passed_on = tuple(c.entry for c in field if c.place <= best and not self._may_win(c))
        return self._share(self._prizes_to_share(number, level), level, passed_on=passed_on)

    def _give_place_by_lot(self, number: int, prize: Prize, *, tied: Sequence[Contender]) -> Award:
        """Give the prize of a place at which several are level: to the lot whose turn it is, or to the next one with
        somebody who may still win."""
        order = self._order_by_lot(tied)
        drawn = tuple(c.entry for side in order for c in side)
        if self.seeds.level is None:
            return Award((number,), (), drawn_among=drawn, lots_needed=True)
        first = max(0, prize.place - tied[0].place)  # which lot: each takes up one place
        passed_on: list[int] = []
        for side in order[first:]:
            free = [c for c in side if self._may_win(c) and c.entry not in self.placed]
            if free:
                return replace(self._share((number,), free, passed_on=tuple(passed_on)), drawn_among=drawn)
            passed_on += [c.entry for c in side if not self._may_win(c)]
        # All of them from that lot on have won: the next place's turn.
        following = replace(prize, place=self.last_place[tied[0].place] + 1)
        award = self._give_place_prize(number, following)
        return replace(award, passed_on=(*passed_on, *award.passed_on))

    def _give_figure_prize(self, number: int, prize: Prize) -> Award:
        """Give a prize for a figure: low, most or fewest sets, most lone hands."""
        figure = WINNING_FIGURES[prize.kind]
        most = prize.kind in {"most-sets", "most-lone-hands"}  # nobody wins with none
        field = [c for c in self.contenders if not most or figure(c)]
        left = [c for c in field if self._may_win(c)]
        if not left:
            return Award((number,), ())
        best = min(figure(c) for c in left)
        level = [c for c in left if figure(c) == best]
        passed_on = tuple(c.entry for c in field if figure(c) <= best and not self._may_win(c))
        if self.rule.ties == "share" or len({c.side for c in level}) == 1:
            return self._share((number,), level, passed_on=passed_on)
        order = self._order_by_lot(level)
        drawn = tuple(c.entry for side in order for c in side)
        if self.seeds.level is None:
            return Award((number,), (), drawn_among=drawn, lots_needed=True)
        return replace(self._share((number,), order[0], passed_on=passed_on), drawn_among=drawn)

    def _order_by_lot(self, level: Sequence[Contender]) -> list[list[Contender]]:
        """The level sides in the order of their lots; a side has that of its first entry."""
        sides = grouped((c.side, c) for c in sorted(level, key=lambda c: c.number))
        seed = self.seeds.level or 0
        return sorted(sides.values(), key=lambda side: lot(seed, side[0].number))

    def _prizes_to_share(self, number: int, level: Sequence[Contender]) -> tuple[int, ...]:
        """The prizes that level people share, the one of the list first: the best of the places that they take up,
        wherever in the list, at most one for each side."""
        place, first, group = self.prizes[number].place, level[0].place, self.prizes[number].group.casefold()
        places = range(min(place, first), self.last_place[first] + 1)
        pool = sorted(
            (other.place, n)
            for n, other in enumerate(self.prizes)
            if n not in self.awarded and other.kind == "place" and other.place in places
            if other.group.casefold() == group
        )
        sides = len({c.side for c in level})
        return tuple(sorted((n for _place, n in pool[:sides]), key=lambda n: n != number))

    def _share(self, numbers: tuple[int, ...], winners: Sequence[Contender], *, passed_on: tuple[int, ...]) -> Award:
        each, left = divmod(sum(self.prizes[n].amount for n in numbers), len(winners))
        return Award(numbers, tuple(c.entry for c in winners), each, left, passed_on=passed_on)
