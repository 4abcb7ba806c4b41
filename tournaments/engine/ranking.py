"""Places and tie-breaks; cuts, with a reason for everybody."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from hashlib import sha256
from typing import Literal, TypeAlias

from scoring.engine.core.ledger import Args, Value, named
from tournaments.engine.rounds import grouped

Number: TypeAlias = int | Fraction


@dataclass(frozen=True, slots=True)
class Encounter:
    other: int
    games: int
    won: Fraction = Fraction(0)  # a drawn game counts a half
    net: int = 0  # own points less the other's


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    entry: int
    points: int = 0
    games_won: Fraction = Fraction(0)  # halves for drawn games
    games_played: int = 0
    net: int = 0  # own points less opponents' points
    sets: int = 0  # failed bids
    game_points: tuple[int, ...] = ()  # per game, in the order played
    encounters: tuple[Encounter, ...] = ()
    reached: int | None = None  # how far in a knock-out, the higher the further
    opponents: tuple[Fraction, ...] = ()  # games won in all by the opponent of each game, once a game


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A link of a chain. `keys` gives each of some level entries a key, the higher the better; None if it doesn't apply
    to all of them."""

    slug: str  # its name in chains
    keys: Callable[[Sequence[Result]], dict[int, Number] | None]


Chain: TypeAlias = Sequence[TieBreak]

STRENGTH = ("buchholz", "median-buchholz")  # links that go by the strength of opponents


def _by_figure(slug: str, figure: Callable[[Result], Number | None]) -> TieBreak:
    """A tie-break by one figure, the highest first. It applies if all level entries have the figure."""

    def keys(level: Sequence[Result]) -> dict[int, Number] | None:
        figures = {r.entry: value for r in level if (value := figure(r)) is not None}
        return figures if len(figures) == len(level) else None

    return TieBreak(slug, keys)


REACHED = ("reached", "rung")  # links that a format itself decides


def _head_to_head(level: Sequence[Result]) -> dict[int, Number] | None:
    """Games won among the level entries. It applies only if each has met each other equally often, and at all.

    It depends on the whole level group, so an entry's leaving may change the order of the others."""
    group = {r.entry for r in level}
    among = {r.entry: [e for e in r.encounters if e.other in group and e.games] for r in level}
    games = {e.games for met in among.values() for e in met}
    if len(games) != 1 or any({e.other for e in met} != group - {entry} for entry, met in among.items()):
        return None
    return {entry: sum((e.won for e in met), Fraction(0)) for entry, met in among.items()}


def _last_game(level: Sequence[Result], *, sign: int) -> dict[int, Number] | None:
    """Points in the last game. It applies only if all have played equally many. `sign` is -1 where few points are
    good."""
    if len({len(r.game_points) for r in level}) != 1 or not level[0].game_points:
        return None
    return {r.entry: sign * r.game_points[-1] for r in level}


def strength(slug: str, result: Result) -> Fraction | int:
    """The strength of a result's opponents: games won by all of them ("buchholz"), or without the best and the weakest
    ("median-buchholz", which needs three).

    >>> strength("median-buchholz", Result(entry=1, opponents=(Fraction(3), Fraction(0), Fraction(5, 2))))
    Fraction(5, 2)
    """
    return sum(result.opponents if slug == "buchholz" else sorted(result.opponents)[1:-1])


def misfits(slugs: Iterable[str], *, bracket: bool, all_meet: bool, by_score: bool) -> tuple[str, ...]:
    """Codes for tie-breaks that could never decide anything fairly in a format.

    `bracket`: the format is a knock-out. `all_meet`: any who can be level have played each other, or a rule of the
    format itself makes up for it. `by_score`: sides of like score meet, so that some meet stronger sides than others.

    >>> misfits(["reached", "points"], bracket=False, all_meet=True, by_score=False)
    ('chain.reached',)
    """
    wrong = {"reached": not bracket, "head-to-head": not all_meet} | dict.fromkeys(STRENGTH, not by_score)
    return tuple(f"chain.{slug}" for slug in slugs if wrong.get(slug))


def lot(seed: int, number: int) -> int:
    """An entry's lot: `lot_digits` as a number, with the entry's own number as a tie-break.

    >>> lot(7, 12) == int(lot_digits(7, 12), 16) * 2**64 + 12
    True
    """
    return int(lot_digits(seed, number), 16) * 2**64 + number


def lot_digits(seed: int, number: int) -> str:
    """The first twelve hexadecimal digits of SHA-256 over "seed:number" in decimal, which anybody can check.

    >>> lot_digits(7, 12) == sha256(b"7:12").hexdigest()[:12]
    True
    """
    return sha256(f"{seed}:{number}".encode()).hexdigest()[:12]


def build_chain(
    slugs: Iterable[str], *, lowest_wins: bool = False, lots_seed: int | None = None
) -> tuple[TieBreak, ...]:
    """The tie-breaks of these slugs, in this order.

    `lots_seed` is the recorded seed of lots, the lowest first; None: not drawn yet. A lot depends only on the seed and
    the entry's id, so an entry's leaving doesn't reshuffle the others.

    Raises KeyError: there is no tie-break of that slug."""
    sign = -1 if lowest_wins else 1
    links = (
        _by_figure("reached", lambda r: r.reached),
        _by_figure("rung", lambda r: r.reached),  # of a ladder that goes on from week to week
        _by_figure("in-group", lambda r: r.reached),  # of groups that play all against all: the place within one
        _by_figure("points", lambda r: sign * r.points),
        _by_figure("games-won", lambda r: r.games_won),
        _by_figure("net", lambda r: sign * r.net),
        *(_by_figure(slug, partial(strength, slug)) for slug in STRENGTH),
        _by_figure("fewest-sets", lambda r: -r.sets),
        TieBreak("head-to-head", _head_to_head),
        TieBreak("last-game", partial(_last_game, sign=sign)),
        _by_figure("best-game", lambda r: max((sign * points for points in r.game_points), default=None)),
        _by_figure("play-off", lambda r: None),  # decides nothing by itself: cuts keep its points, `PlayOff`
        _by_figure("lots", lambda r: None if lots_seed is None else -lot(lots_seed, r.entry)),
        _by_figure("shared", lambda r: None),  # says that the place is shared, and separates nobody
    )
    by_slug = {link.slug: link for link in links}
    return tuple(by_slug[slug] for slug in slugs)


Compared: TypeAlias = tuple[str, Number]  # tie-break slug and the key compared, higher being better


@dataclass(frozen=True, slots=True)
class Ranked:
    place: int  # from 1; equal entries share one and the next numbers are left out (1, 2, 2, 4)
    entry: int
    shared: bool
    values: tuple[Compared, ...]  # what was compared, in order, as far as it was needed
    separated_by: str = ""  # the tie-break that put it ahead of the next entry; "" when they share, and for the last


def rank(results: Sequence[Result], chain: Chain) -> tuple[Ranked, ...]:
    """All entries with their places, best first; entries that share a place in the order of their ids.

    The first link compares everybody, the next each group still level, and so on; no link is tried twice. The order of
    `results` doesn't matter.

    Raises ValueError: an entry has two results."""
    if len({r.entry for r in results}) < len(results):
        raise ValueError("an entry has two results")
    blocks = _split_level(sorted(results, key=lambda r: r.entry), chain, before=()) if results else []
    places: list[Ranked] = []
    for number, (entries, values) in enumerate(blocks):
        following = blocks[number + 1][1] if number + 1 < len(blocks) else None
        place = len(places) + 1
        for position, entry in enumerate(entries, start=1):
            last = position == len(entries) and following is not None
            by = first_difference(values[entry], following[min(following)]) if last and following else ""
            places.append(Ranked(place, entry, len(entries) > 1, values[entry], by))
    return tuple(places)


def first_difference(values: Sequence[Compared], other: Sequence[Compared]) -> str:
    """The slug of the first tie-break in which two entries' values differ; "" if they don't."""
    for (slug, value), (_, other_value) in zip(values, other, strict=False):
        if value != other_value:
            return slug
    return ""


_Block: TypeAlias = tuple[list[int], dict[int, tuple[Compared, ...]]]  # level entries, and the values of each


def _split_level(level: Sequence[Result], chain: Chain, *, before: tuple[Compared, ...]) -> list[_Block]:
    """Level entries as blocks, best first, each level to the end of the chain."""
    for position, link in enumerate(chain):
        if len(level) == 1 and before:
            break
        keys = link.keys(level)
        if keys is None:
            continue
        blocks: list[_Block] = []
        for key in sorted(set(keys.values()), reverse=True):
            group = [r for r in level if keys[r.entry] == key]
            blocks.extend(_split_level(group, chain[position + 1 :], before=(*before, (link.slug, key))))
        return blocks
    return [([r.entry for r in level], {r.entry: before for r in level})]


@dataclass(frozen=True, slots=True)
class PlayOff:
    """A play-off with the points of each entry. It settles any tie among these entries or some of them."""

    points: Mapping[int, int]
    lowest_wins: bool = False

    def order(self, entry: int) -> int | None:
        """The sort key: the lowest goes on. None for an entry that took no part."""
        if entry not in self.points:
            return None
        return self.points[entry] if self.lowest_wins else -self.points[entry]


@dataclass(frozen=True, slots=True)
class DrawnLots:
    """Lots drawn with a recorded seed (`ranking.lot`, the lowest goes on).

    `numbers` are the entries' numbers on paper, where these differ from their ids."""

    entries: tuple[int, ...]
    seed: int
    numbers: Mapping[int, int] = field(default_factory=dict)

    def order(self, entry: int) -> int | None:
        return lot(self.seed, self.numbers.get(entry, entry)) if entry in self.entries else None


Settlement: TypeAlias = PlayOff | DrawnLots


@dataclass(slots=True)
class Split:
    """The outcome at one line. While a tie is open, `level` has its entries."""

    above: list[Ranked] = field(default_factory=list)  # best first
    level: list[Ranked] = field(default_factory=list)
    below: list[Ranked] = field(default_factory=list)
    places: int = 0  # left for those who are level
    # for entries that a settlement alone put above or below the line
    settled_by: dict[int, Settlement] = field(default_factory=dict)


def split_at_line(standings: Sequence[Ranked], places: int, *, settled: Sequence[Settlement]) -> Split:
    """Split standings after this many places. A settlement counts for a tie if all its entries took part in it."""
    line = Split()
    for number in sorted({p.place for p in standings}):
        block = [p for p in standings if p.place == number]
        room = places - len(line.above)
        if line.level or room <= 0:
            line.below += block
        elif len(block) <= room:
            line.above += block
        else:
            _settle(block, room, settled=settled, line=line)
    return line


def _settle(block: list[Ranked], room: int, *, settled: Sequence[Settlement], line: Split) -> None:
    """Divide entries that are level at the line by settlements."""
    for number, settlement in enumerate(settled, start=1):
        orders = [settlement.order(p.entry) for p in block]
        taking_part = [order for order in orders if order is not None]
        if len(taking_part) < len(block):
            continue
        for order in sorted(set(taking_part)):
            part = [p for p, entry_order in zip(block, orders, strict=True) if entry_order == order]
            if len(part) > room > 0:
                _settle(part, room, settled=settled[number:], line=line)
                room = 0
                continue
            (line.above if room else line.below).extend(part)
            line.settled_by |= {p.entry: settlement for p in part}
            room -= len(part) if room else 0
        return
    line.level, line.places = block, room


Per: TypeAlias = Literal["group", "table", "overall"]


@dataclass(frozen=True, slots=True)
class CutRule:
    """The best `top` of each group or table, or of the whole field; wild cards fill up to `total`, if given."""

    per: Per
    top: int
    total: int | None = None

    def __post_init__(self) -> None:
        if self.top < 1 or (self.total is not None and (self.per == "overall" or self.total < 1)):
            raise ValueError("a cut takes at least one; a total is for groups and tables")


def make_cut_rule(per: Per, advance: int, *, sections: int, wild_cards: int = 0) -> CutRule:
    """The rule by which `advance` go on from this many groups or tables, at least `wild_cards` of them by score.

    The sections' places are shared out evenly, so what is left over are wild cards too.

    >>> make_cut_rule("table", 18, sections=9, wild_cards=9)
    CutRule(per='table', top=1, total=18)

    Raises:
        ValueError: some section would send nobody on.
    """
    if per == "overall":
        return CutRule(per, advance)
    top = (advance - wild_cards) // sections
    return CutRule(per, top, advance if top * sections < advance else None)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry before the cut: where it played, what it did, and whether it may go on."""

    result: Result
    table: int = 0
    group: int = 0  # within the table
    withdrawn: bool = False
    ineligible: str = ""  # the director's reason
    disqualified: str = ""  # the director's reason

    @property
    def entry(self) -> int:
        return self.result.entry

    @property
    def eligible(self) -> bool:
        return not self.withdrawn and not self.ineligible and not self.disqualified


@dataclass(frozen=True, slots=True)
class CutSection:
    """A part of the field with a line of its own; `table` and `group` are 0 if they don't apply."""

    per: Per
    table: int = 0
    group: int = 0


WHOLE_FIELD = CutSection("overall")


@dataclass(frozen=True, slots=True)
class OpenTie:
    """Entries level at a line, with fewer places than entries."""

    section: CutSection
    entries: tuple[int, ...]  # in the order of ids
    places: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What the cut says of an entry: a code and its arguments.

    `on` is the slug of the tie-break that put the entry on its side of the line, "" if nobody was on the other side;
    `by` a number, or a fraction as "3/2", and "" if nobody is above. For an entry that left or was called up, `by` is
    the other entry, 0 if there is none."""

    entry: int
    advances: bool
    code: str
    args: Args = ()
    section: CutSection | None = None  # whose line it passed; the whole field's for a wild card


@dataclass(frozen=True, slots=True)
class CutOutcome:
    """Who goes on. It is complete once no tie at a line is open."""

    decisions: tuple[Decision, ...]  # in the order of ids, one per candidate
    open_ties: tuple[OpenTie, ...]
    reserves: tuple[int, ...]  # eligible, not through, best of the whole field first
    wanted: int  # places the rule gives
    candidates: tuple[Candidate, ...]
    rule: CutRule
    chain: Chain
    settled: tuple[Settlement, ...] = ()

    @property
    def finalists(self) -> tuple[int, ...]:
        return tuple(d.entry for d in self.decisions if d.advances)

    @property
    def complete(self) -> bool:
        return not self.open_ties

    @property
    def vacancies(self) -> int:
        """Places for which nobody is left, once complete."""
        return 0 if self.open_ties else self.wanted - len(self.finalists)

    def decision(self, entry: int) -> Decision:
        return {decision.entry: decision for decision in self.decisions}[entry]


@dataclass(frozen=True, slots=True)
class NextInLine:
    """The next in line: an entry; several `level` ones, to be separated by a play-off or lots; or nobody."""

    entry: int | None
    level: tuple[int, ...] = ()


def propose_cut(
    candidates: Sequence[Candidate], *, rule: CutRule, chain: Chain, settled: Sequence[Settlement] = ()
) -> CutOutcome:
    """Decide about every candidate; their order doesn't matter.

    `settled` are the play-offs and lots so far, in the order held. Each counts for every tie whose entries all took
    part in it; a play-off that leaves some level leaves a smaller tie open.

    Raises ValueError: an entry is a candidate twice, or the total is less than the sections' places."""
    field = sorted(candidates, key=lambda c: c.entry)
    if len({c.entry for c in field}) < len(field):
        raise ValueError("an entry is a candidate twice")
    sections = grouped((candidate_section(candidate, rule.per), candidate) for candidate in field)
    places = rule.top * len(sections)
    total = places if rule.total is None else rule.total
    if total < places:
        raise ValueError(f"{places} go on from their sections, more than {total} in all")

    decisions = {c.entry: _decide_ineligible(c) for c in field if not c.eligible}
    lines: list[tuple[CutSection, Split]] = []
    for section in sorted(sections, key=lambda s: (s.table, s.group)):
        members = sections[section]
        line = split_at_line(_rank_eligible(members, chain), rule.top, settled=settled)
        shown = rank([c.result for c in members], chain)
        decisions |= _decide_above(section, line, shown=shown, top=rule.top)
        lines.append((section, line))

    wild = total - places
    vacant = sum(max(0, rule.top - sum(c.eligible for c in members)) for members in sections.values())
    if rule.per != "overall" and wild + vacant:
        level = {p.entry for _, line in lines for p in line.level}
        rest = [c for c in field if c.entry not in decisions and c.entry not in level]
        if level:
            decisions |= {c.entry: Decision(c.entry, False, "cut.waits") for c in rest}
        else:  # no section has an open tie: now the line through the rest of the field
            line = split_at_line(_rank_eligible(rest, chain), wild + vacant, settled=settled)
            decisions |= _decide_rest(line, wild)
            lines = [(WHOLE_FIELD, line)]
    for _, line in lines:
        decisions |= {decision.entry: decision for decision in _decide_below(line) if decision.entry not in decisions}
    rest = [c for c in field if not decisions[c.entry].advances]
    return CutOutcome(
        decisions=tuple(decisions[c.entry] for c in field),
        open_ties=tuple(
            OpenTie(section, tuple(sorted(p.entry for p in line.level)), line.places)
            for section, line in lines
            if line.level
        ),
        reserves=tuple(p.entry for p in _rank_eligible(rest, chain)),
        wanted=total,
        candidates=tuple(field),
        rule=rule,
        chain=tuple(chain),
        settled=tuple(settled),
    )


def next_in_line(cut: CutOutcome, entry: int, *, settled: Sequence[Settlement] = ()) -> NextInLine:
    """Who takes a finalist's place after the cut; the rest of the cut stays.

    That is the best of those left in the section that the place belongs to (group or table), else of the whole field. A
    wild card's place belongs to the whole field. If several are level, pass their play-off or lots as `settled`.

    Raises ValueError: the entry isn't a finalist of this cut."""
    leaving = cut.decision(entry)
    if not leaving.advances:
        raise ValueError(f"{entry} isn't a finalist")
    rest = [c for c in cut.candidates if c.entry in cut.reserves]
    near = [c for c in rest if candidate_section(c, cut.rule.per) == leaving.section]
    line = split_at_line(_rank_eligible(near or rest, cut.chain), 1, settled=(*cut.settled, *settled))
    if line.level:
        return NextInLine(None, tuple(sorted(p.entry for p in line.level)))
    return NextInLine(line.above[0].entry if line.above else None)


def call_up(cut: CutOutcome, entry: int, *, by: int | None) -> CutOutcome:
    """The cut after a finalist has withdrawn and reserve `by` has the place (None: nobody is left). Raises ValueError:
    the entry isn't a finalist, or `by` isn't a reserve."""
    leaving = cut.decision(entry)
    if not leaving.advances or (by is not None and by not in cut.reserves):
        raise ValueError(f"{by} can't take the place of {entry}")
    reason = next(c.disqualified for c in cut.candidates if c.entry == entry)
    struck = ("cut.struck", named(by=by or 0, reason=reason))
    new = {entry: Decision(entry, False, *(struck if reason else ("cut.replaced", named(by=by or 0))))}
    if by is not None:
        new[by] = Decision(by, True, "cut.called-up", named(instead_of=entry, on=""), leaving.section)
    return _change_decisions(cut, new, by=by)


def replace_by_ruling(cut: CutOutcome, entry: int, *, by: int, reason: str) -> CutOutcome:
    """The cut after a director's ruling that `by` goes on in place of a finalist."""
    new = {
        entry: Decision(entry, False, "cut.ruled-out", named(by=by, reason=reason)),
        by: Decision(by, True, "cut.ruled-in", named(instead_of=entry, reason=reason), cut.decision(entry).section),
    }
    return _change_decisions(cut, new, by=by)


def _change_decisions(cut: CutOutcome, new: Mapping[int, Decision], *, by: int | None) -> CutOutcome:
    return replace(
        cut,
        decisions=tuple(new.get(d.entry, d) for d in cut.decisions),
        reserves=tuple(reserve for reserve in cut.reserves if reserve != by),
    )


def candidate_section(candidate: Candidate, per: Per) -> CutSection:
    if per == "overall":
        return WHOLE_FIELD
    return CutSection(per, candidate.table, candidate.group if per == "group" else 0)


def _rank_eligible(candidates: Sequence[Candidate], chain: Chain) -> tuple[Ranked, ...]:
    return rank([c.result for c in candidates if c.eligible], chain)


def _decide_ineligible(candidate: Candidate) -> Decision:
    if candidate.disqualified:
        return Decision(candidate.entry, False, "cut.disqualified", named(reason=candidate.disqualified))
    if candidate.withdrawn:
        return Decision(candidate.entry, False, "cut.withdrawn")
    return Decision(candidate.entry, False, "cut.ineligible", named(reason=candidate.ineligible))


def _decide_above(section: CutSection, line: Split, *, shown: Sequence[Ranked], top: int) -> dict[int, Decision]:
    """Why each of those above a section's line goes on. `shown` are the places of everybody in the section: places in
    the `top` of people who can't go on are why others are called up, the best first."""
    able = {p.entry for p in (*line.above, *line.level, *line.below)}
    passed = [p.entry for p in shown if p.place <= top and p.entry not in able]
    by_entry = {p.entry: p for p in shown}
    decisions = {}
    for place in line.above:
        if by_entry[place.entry].place > top and passed:
            args = (*named(instead_of=passed.pop(0)), *_separating_tie_break(line, place))
            decisions[place.entry] = Decision(place.entry, True, "cut.called-up", args, section)
        else:
            decisions[place.entry] = _decide_by_result(section, line, place=place, shown=by_entry[place.entry])
    return decisions


def _decide_by_result(section: CutSection, line: Split, *, place: Ranked, shown: Ranked) -> Decision:
    """Why an entry is above a line by its own results. `shown` is its place in the section, `place` that among those
    who can go on."""
    if settlement := line.settled_by.get(place.entry):
        return _decide_by_settlement(place.entry, settlement, section=section)
    on = _separating_tie_break(line, place)
    args = (*named(place=shown.place), *on)
    if section.per == "overall":
        return Decision(place.entry, True, "cut.overall", args, section)
    if section.per == "table":
        return Decision(place.entry, True, "cut.table-top", (*named(table=section.table), *args), section)
    where = named(table=section.table, group=section.group)
    if shown.place == 1 and not shown.shared:
        return Decision(place.entry, True, "cut.group-winner", (*where, *on), section)
    return Decision(place.entry, True, "cut.group-top", (*where, *args), section)


def _decide_rest(line: Split, wild: int) -> dict[int, Decision]:
    """Why each of those above the line of the rest goes on: wild cards first, then places that sections left free."""
    decisions = {}
    for number, place in enumerate(line.above, start=1):
        if settlement := line.settled_by.get(place.entry):
            decisions[place.entry] = _decide_by_settlement(place.entry, settlement, section=WHOLE_FIELD)
            continue
        code, args = "cut.called-up", named(instead_of=0)
        if number <= wild:
            code, args = "cut.wild-card", named(number=number, place=place.place)
        decisions[place.entry] = Decision(
            place.entry, True, code, (*args, *_separating_tie_break(line, place)), WHOLE_FIELD
        )
    return decisions


def _decide_below(line: Split) -> list[Decision]:
    """The decisions about those who are level with a line or below it."""
    ties = named(level=len(line.level) - 1, places=line.places)
    decisions = [Decision(p.entry, False, "cut.tie-at-line", ties) for p in line.level]
    last = next(reversed(line.level or line.above), None)
    for place in line.below:
        if settlement := line.settled_by.get(place.entry):
            decisions.append(_decide_by_settlement(place.entry, settlement, section=None))
            continue
        on = first_difference(last.values, place.values) if last else ""
        by = _format_number(dict(last.values)[on] - dict(place.values)[on]) if last and on else ""
        decisions.append(Decision(place.entry, False, "cut.below-line", named(by=by, on=on)))
    return decisions


def _separating_tie_break(line: Split, place: Ranked) -> Args:
    """The tie-break that separates an entry above a line from the first one that isn't."""
    first = next(iter(line.level or line.below), None)
    return named(on=first_difference(place.values, first.values) if first else "")


def _decide_by_settlement(entry: int, settlement: Settlement, *, section: CutSection | None) -> Decision:
    """The decision about an entry that a play-off or lots put above the line of a section, or below it (None)."""
    advances = section is not None
    if isinstance(settlement, DrawnLots):
        code = "cut.drawn-by-lot" if advances else "cut.not-drawn"
        return Decision(entry, advances, code, named(seed=settlement.seed), section)
    code = "cut.won-play-off" if advances else "cut.lost-play-off"
    return Decision(entry, advances, code, named(points=settlement.points[entry]), section)


def _format_number(difference: Number) -> Value:
    """A whole number, or a fraction as "3/2"."""
    return int(difference) if difference == int(difference) else str(difference)
