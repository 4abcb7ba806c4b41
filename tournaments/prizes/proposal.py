"""Who wins the prizes of an event by its published result: the proposal, and a version as it was published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from clubsite.previews import fingerprint
from tournaments.engine.standings.prizes import Award, Contender, Prize, Rule, Seeds, award
from tournaments.models import Event, PrizePlan, PublishedPrizes, PublishedStandings
from tournaments.models.outcomes import has_sides, rows_of_people
from tournaments.standings.queries import standing_result


@dataclass(frozen=True, slots=True)
class PlannedPrize:
    """One prize of the list: what it is for, an amount in the currency's smallest unit, and what else is given."""

    kind: str  # of tournaments.engine.standings.prizes
    place: int = 0
    amount: int = 0
    what: str = ""  # "a bottle of wine"

    @property
    def prize(self) -> Prize:
        """The prize as the engine takes it, without words."""
        return Prize(self.kind, self.place, self.amount)  # type: ignore[arg-type]  # which checks it


@dataclass(frozen=True, slots=True)
class Winner:
    """Somebody of the result, by the name and number that it was published with."""

    entry: int
    name: str
    number: int
    member: int | None


@dataclass(frozen=True, slots=True)
class WonPrize:
    """One prize, or several shared together, and who won. See `tournaments.engine.standings.prizes.Award`."""

    prizes: tuple[PlannedPrize, ...]
    winners: tuple[Winner, ...]
    each: int
    left: int  # stays with the club: only in versions published before it was given to the first winners
    drawn_among: tuple[Winner, ...]
    seed: int | None  # the seed of the lots that decided it
    passed_on: tuple[Winner, ...]
    lots_needed: bool = False
    more: int = 0  # so many of the winners, from the first, get a minor unit more, so that all of it is given

    @property
    def shares(self) -> tuple[tuple[Winner, int], ...]:
        """What each winner gets."""
        return tuple((winner, self.each + (n < self.more)) for n, winner in enumerate(self.winners))

    def to_data(self) -> dict[str, Any]:
        """Plain JSON data, as published: people by their entries, whose names stand in the result."""
        return {
            "prizes": [asdict(prize) for prize in self.prizes],
            "winners": [one.entry for one in self.winners],
            "each": self.each,
            "left": self.left,
            "drawn_among": [one.entry for one in self.drawn_among],
            "seed": self.seed,
            "passed_on": [one.entry for one in self.passed_on],
        } | ({"more": self.more} if self.more else {})


@dataclass(frozen=True, slots=True)
class PrizeProposal:
    """Who wins what by the result as it is published."""

    standings: PublishedStandings
    lines: tuple[WonPrize, ...]
    passed: tuple[Winner, ...]  # who take no prize

    @property
    def lots_needed(self) -> bool:
        """Whether lots must be drawn before it can be published."""
        return any(line.lots_needed for line in self.lines)

    @property
    def data(self) -> list[dict[str, Any]]:
        """The lines as they would be published."""
        return [line.to_data() for line in self.lines]

    @property
    def fingerprint(self) -> str:
        """Changes with anything shown, so that what is published is what was seen."""
        return fingerprint((self.standings.pk, self.data))


def prizes_in(plan: PrizePlan | None) -> tuple[PlannedPrize, ...]:
    """The prizes of a plan in their order."""
    return tuple(PlannedPrize(**data) for data in plan.prizes) if plan else ()


def plan_of(event: Event) -> PrizePlan | None:
    """The prizes planned for an event. One query."""
    return PrizePlan.objects.filter(event=event).first()


def proposal_of(event: Event, plan: PrizePlan | None) -> PrizeProposal | None:
    """Who wins the planned prizes by the event's result; None before there is one, or a prize. Two queries, and
    one for a competition."""
    if plan is None or not plan.prizes or (standings := standing_result(event)) is None:
        return None
    planned, rows = prizes_in(plan), rows_of(standings)
    people, seeds = people_in(rows), seeds_of(plan)
    awards = award(
        contenders_in(event, rows),
        [one.prize for one in planned],
        rule=Rule(ties=plan.ties, one_each=plan.one_each),  # type: ignore[arg-type]  # the model's choices
        seeds=seeds,
        passed=plan.passed,
    )
    return PrizeProposal(
        standings,
        tuple(_line(one, planned, people=people, seeds=seeds) for one in awards),
        _named(plan.passed, people),
    )


def contenders_in(event: Event, rows: Collection[Mapping[str, Any]]) -> list[Contender]:
    """Everybody of a result who can win a prize: not the disqualified, nor stand-ins. Those of a side share its place.
    One query for a result of sides that an older program published by people."""
    by_people = event.makes_sides and not has_sides(rows)
    entries = event.entries.values_list("pk", "team") if by_people else ()
    teams = {entry: team for entry, team in entries if team is not None}
    return [
        Contender(row["entry"], row["number"], row["side"], row["place"], row["sets"])
        for row in rows_of_people(rows, teams)
        if not row.get("disqualified") and not row.get("stand_in")
    ]


def seeds_of(plan: PrizePlan) -> Seeds:
    """The seeds of the lots that count: those drawn last, unless they were set aside."""
    standing = [drawn for drawn in plan.lots if "undone" not in drawn]
    return Seeds(standing[-1]["door"], standing[-1]["level"]) if standing else Seeds()


def rows_of(standings: PublishedStandings) -> list[dict[str, Any]]:
    """Everybody who played, best first: the rows of a result, then those who went out at earlier stages of a
    competition, the latest stage first. Failed bids are those of all stages together. One query for a competition."""
    rows: list[dict[str, Any]] = list(standings.rows)
    if standings.stage.number == 1:
        return rows
    earlier = PublishedStandings.objects.filter(event=standings.event_id, stage__number__lt=standings.stage.number)
    newest = {published.stage_id: published.rows for published in earlier.order_by("-stage__number", "number")}
    sets = Counter({row["entry"]: row["sets"] for row in rows})
    for stage in newest.values():
        known = set(sets)
        out = [row for row in stage if row["entry"] not in known]
        rows += [{**row, "place": len(known) + 1 + sum(one["place"] < row["place"] for one in out)} for row in out]
        sets.update({row["entry"]: row["sets"] for row in stage})
    return [{**row, "sets": sets[row["entry"]]} for row in rows]


def people_in(rows: Iterable[Mapping[str, Any]]) -> dict[int, Winner]:
    """Everybody in the rows of `rows_of`, by entry."""
    return {
        row["entry"]: Winner(row["entry"], row["name"], row["number"], row.get("member"))
        for row in rows_of_people(rows)
    }


def lines_in(published: PublishedPrizes) -> tuple[WonPrize, ...]:
    """The lines of a version; `standings` and its stage are to be there. One query for a competition."""
    people = people_in(rows_of(published.standings))
    return tuple(
        WonPrize(
            prizes=tuple(PlannedPrize(**one) for one in data["prizes"]),
            winners=_named(data["winners"], people),
            each=data["each"],
            left=data["left"],
            drawn_among=_named(data["drawn_among"], people),
            seed=data["seed"],
            passed_on=_named(data["passed_on"], people),
            more=data.get("more", 0),
        )
        for data in published.lines
    )


def published_prizes(event: Event) -> PublishedPrizes | None:
    """The version that stands, with the result it rests on. One query."""
    return (
        PublishedPrizes.objects.filter(event=event, state=PublishedPrizes.State.PUBLISHED)
        .select_related("standings__stage")
        .first()
    )


def out_of_date(published: PublishedPrizes, now: PrizeProposal | None) -> bool:
    """Whether the version isn't what the result and the plan now give: another result stands, or none. No query."""
    if now is None or now.standings.pk != published.standings_id:
        return True
    return list(map(_without_rest, now.data)) != list(map(_without_rest, published.lines))


def _without_rest(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line as it is compared: who has what can't be shared out follows from it, and was the club before."""
    return {name: value for name, value in line.items() if name not in ("left", "more")}


def outdated_prizes(event: Event) -> PublishedPrizes | None:
    """The version of an event's prizes that stands although it isn't right any more; None where there is no such. One
    query where none stands, else five at most."""
    published = published_prizes(event)
    return published if published and out_of_date(published, proposal_of(event, plan_of(event))) else None


def _line(made: Award, planned: Sequence[PlannedPrize], *, people: Mapping[int, Winner], seeds: Seeds) -> WonPrize:
    prizes = tuple(planned[number] for number in made.prizes)
    seed = seeds.door if prizes[0].kind == "door" else seeds.level
    return WonPrize(
        prizes=prizes,
        winners=_named(made.winners, people),
        each=made.each,
        left=0,
        drawn_among=_named(made.drawn_among, people),
        seed=seed if made.drawn_among and not made.lots_needed else None,
        passed_on=_named(made.passed_on, people),
        lots_needed=made.lots_needed,
        more=made.left,
    )


def _named(entries: Iterable[int], people: Mapping[int, Winner]) -> tuple[Winner, ...]:
    return tuple(people[entry] for entry in entries if entry in people)
