"""Places and tie-breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from hashlib import sha256
from typing import TypeAlias

Number: TypeAlias = int | Fraction


@dataclass(frozen=True, slots=True)
class Encounter:
    """Games played against one other entry, seen from this one."""

    other: int
    games: int
    won: Fraction = Fraction(0)  # a drawn game counts a half
    net: int = 0  # own points less the other's


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one entry has done so far, in the rule set's own points."""

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
    """One link of a chain. `keys` gives all of some level entries a key, higher first; None when it doesn't apply to
    them."""

    slug: str  # its name in chains
    keys: Callable[[Sequence[Result]], dict[int, Number] | None]


Chain: TypeAlias = Sequence[TieBreak]

STRENGTH = ("buchholz", "median-buchholz")  # links that go by the strength of opponents


def _by_figure(slug: str, figure: Callable[[Result], Number | None]) -> TieBreak:
    """Goes by one figure of each result, the highest first: applies where all of the level entries have it."""

    def keys(level: Sequence[Result]) -> dict[int, Number] | None:
        found = {r.entry: own for r in level if (own := figure(r)) is not None}
        return found if len(found) == len(level) else None

    return TieBreak(slug, keys)


def _head_to_head(level: Sequence[Result]) -> dict[int, Number] | None:
    """Games won in the games between the level entries; only where each has met each other equally often, and at all.

    It looks at the level group as a whole, so an entry's leaving may change the order of the rest of the group.
    """
    group = {r.entry for r in level}
    among = {r.entry: [e for e in r.encounters if e.other in group and e.games] for r in level}
    games = {e.games for met in among.values() for e in met}
    if len(games) != 1 or any({e.other for e in met} != group - {entry} for entry, met in among.items()):
        return None
    return {entry: sum((e.won for e in met), Fraction(0)) for entry, met in among.items()}


def _last_game(level: Sequence[Result], *, sign: int) -> dict[int, Number] | None:
    """Points in the last game; only where all have played equally many. `sign`: -1 where few points are good."""
    if len({len(r.game_points) for r in level}) != 1 or not level[0].game_points:
        return None
    return {r.entry: sign * r.game_points[-1] for r in level}


def strength(slug: str, result: Result) -> Fraction | int:
    """How strong the opponents of a result were: games won by all of them ("buchholz"), or without the best and the
    weakest ("median-buchholz"), of whom there must be three.

    >>> strength("median-buchholz", Result(entry=1, opponents=(Fraction(3), Fraction(0), Fraction(5, 2))))
    Fraction(5, 2)
    """
    return sum(result.opponents if slug == "buchholz" else sorted(result.opponents)[1:-1])


def misfits(slugs: Iterable[str], *, bracket: bool, all_meet: bool, by_score: bool) -> tuple[str, ...]:
    """Codes for the links of a chain that could never decide anything fairly in a format.

    `bracket`: the format is a knock-out. `all_meet`: any who can be level have played each other, or a rule of the
    format itself makes up for it. `by_score`: sides of like score meet, so that some meet stronger sides than others.

    >>> misfits(["reached", "points"], bracket=False, all_meet=True, by_score=False)
    ('chain.reached',)
    """
    wrong = {"reached": not bracket, "head-to-head": not all_meet} | dict.fromkeys(STRENGTH, not by_score)
    return tuple(f"chain.{slug}" for slug in slugs if wrong.get(slug))


def lot(seed: int, number: int) -> int:
    """The lot of an entry by its number: `lot_digits` as a number, put before the entry's own.

    >>> lot(7, 12) == int(lot_digits(7, 12), 16) * 2**64 + 12
    True
    """
    return int(lot_digits(seed, number), 16) * 2**64 + number


def lot_digits(seed: int, number: int) -> str:
    """The first twelve hexadecimal digits of SHA-256 over "seed:number" in decimal: what anybody can check.

    >>> lot_digits(7, 12) == sha256(b"7:12").hexdigest()[:12]
    True
    """
    return sha256(f"{seed}:{number}".encode()).hexdigest()[:12]


def chain_of(slugs: Iterable[str], *, lowest_wins: bool = False, lots_seed: int | None = None) -> tuple[TieBreak, ...]:
    """The chain of these slugs, in this order, for a game where few or many points are good.

    `lots_seed` is a recorded seed from which lots are drawn, the lowest first; None: they aren't drawn yet. A lot
    depends on the seed and the entry's id alone, so one entry's leaving doesn't reshuffle the others.

    Raises:
        KeyError: there is no tie-break of that slug.
    """
    sign = -1 if lowest_wins else 1
    links = (
        _by_figure("reached", lambda r: r.reached),
        _by_figure("points", lambda r: sign * r.points),
        _by_figure("games-won", lambda r: r.games_won),
        _by_figure("net", lambda r: sign * r.net),
        *(_by_figure(slug, partial(strength, slug)) for slug in STRENGTH),
        _by_figure("fewest-sets", lambda r: -r.sets),
        TieBreak("head-to-head", _head_to_head),
        TieBreak("last-game", partial(_last_game, sign=sign)),
        _by_figure("best-game", lambda r: max((sign * points for points in r.game_points), default=None)),
        _by_figure("play-off", lambda r: None),  # decides nothing by itself: cuts keep its points, `cut.PlayedOff`
        _by_figure("lots", lambda r: None if lots_seed is None else -lot(lots_seed, r.entry)),
        _by_figure("shared", lambda r: None),  # says that the place is shared, and separates nobody
    )
    known = {link.slug: link for link in links}
    return tuple(known[slug] for slug in slugs)


Value: TypeAlias = tuple[str, Number]  # tie-break slug and the key compared, higher being better


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of the standings."""

    place: int  # from 1; equal entries share one and the next numbers are left out (1, 2, 2, 4)
    entry: int
    shared: bool
    values: tuple[Value, ...]  # what was compared, in order, as far as it was needed
    separated_by: str = ""  # the tie-break that put it ahead of the next entry; "" when they share, and for the last


def rank(results: Sequence[Result], chain: Chain) -> tuple[Ranked, ...]:
    """Places of all entries, best first, entries that share a place in the order of their ids.

    The first link is applied to everybody, the next to each group still level, and so on; a link once passed
    isn't tried again. The order of `results` doesn't matter.

    Raises:
        ValueError: an entry has two results.
    """
    if len({r.entry for r in results}) < len(results):
        raise ValueError("an entry has two results")
    blocks = _split(sorted(results, key=lambda r: r.entry), chain, before=()) if results else []
    places: list[Ranked] = []
    for number, (entries, values) in enumerate(blocks):
        following = blocks[number + 1][1] if number + 1 < len(blocks) else None
        place = len(places) + 1
        for position, entry in enumerate(entries, start=1):
            last = position == len(entries) and following is not None
            by = first_difference(values[entry], following[min(following)]) if last and following else ""
            places.append(Ranked(place, entry, len(entries) > 1, values[entry], by))
    return tuple(places)


def first_difference(one: Sequence[Value], other: Sequence[Value]) -> str:
    """The slug of the first tie-break in which two lines of values differ; "" when they don't."""
    for (slug, own), (_, their) in zip(one, other, strict=False):
        if own != their:
            return slug
    return ""


_Block: TypeAlias = tuple[list[int], dict[int, tuple[Value, ...]]]  # level entries, and the values of each


def _split(level: Sequence[Result], chain: Chain, *, before: tuple[Value, ...]) -> list[_Block]:
    """Level entries as blocks in order, each block level to the end of the chain."""
    for position, link in enumerate(chain):
        if len(level) == 1 and before:
            break
        keys = link.keys(level)
        if keys is None:
            continue
        blocks: list[_Block] = []
        for key in sorted(set(keys.values()), reverse=True):
            group = [r for r in level if keys[r.entry] == key]
            blocks.extend(_split(group, chain[position + 1 :], before=(*before, (link.slug, key))))
        return blocks
    return [([r.entry for r in level], {r.entry: before for r in level})]
