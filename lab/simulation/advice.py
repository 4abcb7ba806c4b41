"""Tries each format with many numbers of people and rounds, for the page that advises which format fits."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from lab.simulation.formats import (
    ByContest,
    ByFormat,
    ContestSeating,
    GroupsThenKnockOut,
    Rotating,
    TrialStage,
    Way,
    play_events,
)
from tournaments.advice import CONTEST_SHAPE, SHIPPED, FittingWay, TrialResult, fitting_way, fitting_ways
from tournaments.engine.draws.rotation import Afternoon, draw_rotation
from tournaments.engine.formats import FORMATS, TRAITS
from tournaments.engine.formats.knock_out import KnockOut
from tournaments.engine.formats.pairings import Groups
from tournaments.engine.formats.tables import SingleTable
from tournaments.events.stages import plan_stages, table_size
from tournaments.events.words import VARIANTS
from tournaments.models import Event

PEOPLE = (4, 6, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 44, 54, 72, 100, 150)
ROUNDS = (2, 3, 4, 5, 6, 8, 12)
COUNT = 100  # imagined events of a case
LARGE, COUNT_LARGE = 40, 50  # with more people than this, fewer events are imagined
SLOW = (Event.Format.SWISS, Event.Format.PROGRESSIVE, Event.Format.OPEN_PAIRS, Event.Format.RUNGS)
MOST_SLOW = 40  # people: with more these formats are not tried
DRAW_STEPS = 20_000  # steps of the search for a rotation's draw

Case = tuple[str, int, int]  # format or variant, people, rounds at most


def cases() -> Iterator[Case]:
    """Every case to try: each format with each number of people that it fits, once for each length it then has."""
    for people in PEOPLE:
        seen = set()
        for rounds in ROUNDS:
            for offer in fitting_ways(people, rounds=rounds):
                slow = offer.format in SLOW and people > MOST_SLOW
                if not slow and (offer.kind, offer.rounds) not in seen:
                    seen.add((offer.kind, offer.rounds))
                    yield offer.kind, people, offer.rounds


def try_case(case: Case, count: int = COUNT, *, seed: int = 1) -> TrialResult:
    """Play imagined events of one case.

    Raises:
        ValueError: the format doesn't fit so many people and rounds, or an event couldn't be played to its end.
    """
    kind, people, rounds = case
    offer = fitting_way(kind, people, rounds=rounds)
    if offer is None:
        raise ValueError(f"{kind} doesn't fit {people} people and {rounds} rounds")
    count = min(count, COUNT_LARGE) if people > LARGE else count
    found = play_events(make_way(offer, people, seed=seed), people, count=count, seed=seed)
    if found.refused:
        raise ValueError(f"{found.refused} events of {case} couldn't be played to their end")
    shares = (found.met_each, found.again_each, found.best_wins, found.best_in_top)
    return TrialResult(kind, people, offer.rounds, found.events, *(round(float(share), 6) for share in shares))


def write_figures(found: Iterable[TrialResult], file: Path = SHIPPED) -> None:
    file.write_text("[\n" + ",\n".join(json.dumps(case) for case in sorted(found)) + "\n]\n", encoding="utf-8")


def make_way(offer: FittingWay, people: int, *, seed: int) -> Way:
    """What plays an offer in a trial, by the format's tie-breaks without the play-off and the lots of a director."""
    chain = tuple(link for link in TRAITS[offer.format].chain if link not in ("play-off", "lots"))
    if offer.format in (Event.Format.ROTATION, Event.Format.OPEN_PLAY):  # with tables for all, the one is as the other
        drawn = draw_rotation(Afternoon(range(1, people + 1), offer.rounds), seed=seed, steps=DRAW_STEPS).rounds
        return Rotating(drawn, chain)
    if offer.format == Event.Format.CONTEST:
        parts = tuple(
            TrialStage(plan.entries, offer.options["games"], plan.cut_rule or "overall", plan.advance)  # type: ignore[arg-type]  # a plan's own rules only
            for plan in plan_stages(people, CONTEST_SHAPE)
        )
        return ByContest(
            parts, ContestSeating(table_size(CONTEST_SHAPE), CONTEST_SHAPE.players, CONTEST_SHAPE.sides), chain
        )
    if offer.format == Event.Format.GROUPS:
        return GroupsThenKnockOut(Groups(**offer.options))
    if offer.format == Event.Format.KNOCK_OUT:
        return ByFormat(KnockOut(), chain)
    if offer.format == Event.Format.SINGLE_TABLE:
        return ByFormat(SingleTable(rounds=offer.rounds, per_side=people // 2), chain)
    own = VARIANTS[offer.variant][1] if offer.variant else {}
    return ByFormat(FORMATS[offer.format](**own, **offer.options), chain, most=offer.rounds)
