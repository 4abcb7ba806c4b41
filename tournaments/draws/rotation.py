"""The draw of a club night with new partners every round: its wishes, what the engine is asked, what it found.

The rounds still planned are drawn together. The first of them becomes a draft; the others are kept with it, so that the
next draft is there at once while nobody comes or goes, and a start for the search when somebody does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, permutations
from typing import Any

from django.utils.translation import gettext as _
from pydantic import TypeAdapter

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from scoring.engine.core.ruleset import RuleSet, Shape
from tournaments.draws import by_format
from tournaments.draws.drafts import WITH_SEATS, Drawn, Seated, engine_round, played_draws
from tournaments.draws.words import compass_name, describe_wish, refusal_message
from tournaments.engine.draws import rotation
from tournaments.engine.rounds import PLACE_WISHES, DrawWish, Layout, SeatedRound, Table, layout
from tournaments.engine.verify import Statement, WishOutcome, find_faults, make_statement, wish_outcomes
from tournaments.errors import StepRefused
from tournaments.events.state import is_drawn, open_event_locked, published_draws
from tournaments.models import Draw, Entry, Event, Stage, Wish, seed_or_new

MOST_TABLES = rotation.MOST // 4
SEATS = 4  # at a table of the usual kind: North, South, East, West
LEAST = 4  # with fewer people there is no draw to try wishes on


def wishes_of(event: Event) -> list[DrawWish]:
    return [_engine_wish(wish) for wish in event.wishes.order_by("pk")]


def as_data(wishes: Iterable[DrawWish]) -> list[dict[str, Any]]:
    return [asdict(wish) | {"people": list(wish.people)} for wish in wishes]


def names_of(entries: Iterable[int]) -> Callable[[int], str]:
    names = dict(Entry.objects.filter(pk__in=entries).values_list("pk", "name"))
    return lambda pk: names.get(pk, str(pk))


def add_wish(*, event: Event, wished: Wish, by: Actor) -> Wish:
    """Save a wish for the draws to come; of two that are the same the first is returned. Raises StepRefused: the event
    is over or its draws take no wishes; the wish isn't clear; or it can't hold together with others that must, named
    in words."""
    with open_event_locked(event) as event:
        _refuse_kind(event, wished)
        entry, other = wished.entry, wished.other
        if wished.kind in PLACE_WISHES:
            wished.other = None
            if wished.table is None and (wished.seat is not None or wished.kind == "host"):
                raise StepRefused(_("Choose a table."))
        else:
            wished.table = wished.seat = None
            if other is None or other == entry:
                raise StepRefused(_("Choose two people."))
            if event.fixed_sides and entry.team is not None and entry.team == other.team:
                raise StepRefused(_("%(a)s and %(b)s are partners.") % {"a": entry.name, "b": other.name})
            wished.entry, wished.other = sorted((entry, other), key=lambda e: e.number)
        values = {name: getattr(wished, name) for name in ("kind", "entry", "other", "table", "seat", "hard")}
        if same := event.wishes.filter(**values).first():
            return same
        wished.event = event
        wished.save()
        _refuse_collision(event)
        about = event.about(wish_sentence(wished))
        log(club=event.club, by=by, verb="wish.add", subject=about, new={"hard": wished.hard})
    return wished


def remove_wish(*, wish: Wish, by: Actor) -> None:
    """Raises StepRefused: the event is over. A wish that is gone already is no fault."""
    with open_event_locked(wish.event) as event:
        stored = event.wishes.select_related("entry", "other").filter(pk=wish.pk).first()
        if stored:
            about = event.about(wish_sentence(stored))
            log(club=event.club, by=by, verb="wish.remove", subject=about, old={"hard": stored.hard})
            stored.delete()


def wish_sentence(wish: Wish) -> str:
    names = {entry.pk: entry.name for entry in (wish.entry, wish.other) if entry}
    return describe_wish(_engine_wish(wish), name=names.__getitem__, seat=compass_name)


def _engine_wish(wish: Wish) -> DrawWish:
    people = (wish.entry_id,) if wish.other_id is None else (wish.entry_id, wish.other_id)
    return DrawWish(wish.kind, people, wish.hard, wish.table, wish.seat)


def _refuse_collision(event: Event) -> None:
    """Try the wishes on the next round with those who are here; raises StepRefused where they collide.

    Wishes to be partners once aren't tried, since they may need more rounds. Where it takes long to find out whether
    wishes collide, it is left to the draw."""
    if not event.traits.searched:
        by_format.refuse_apart(event)
        return
    people = list(event.entries.filter(state=Entry.State.HERE).order_by("number").values_list("pk", flat=True))
    wishes = [wish for wish in wishes_of(event) if wish.kind != "once"]
    if not LEAST <= len(people) <= rotation.MOST:
        return
    try:
        rotation.draw_rotation(rotation.Afternoon(people, 1, wishes=wishes), seed=1, steps=1, soon=True)
    except rotation.Undecided:
        return
    except rotation.DrawRefused as refused:
        raise StepRefused(refusal_message(refused, wishes, name=names_of(people), seat=compass_name)) from None


def why_no_wishes(event: Event) -> str:
    """Why an event's draws take no wishes; "" where they do."""
    if event.traits.plans_matches:
        return _("Every side meets every other in this format, so no two can be kept apart. In a Swiss they can.")
    if event.traits.one_table:
        return _("Everybody plays at one table, so nobody can be kept apart.")
    if event.traits.between_clubs:
        return _("Every side meets those of the other club in turn, so no two can be kept apart.")
    if not event.traits.wishes:
        return _(
            "In this format the results decide who plays where, so you can't keep two people apart. In a Swiss you can."
        )
    if event.traits.bracket and is_drawn(event):
        return _("The bracket is drawn, so the results decide who meets.")
    return ""


def _refuse_kind(event: Event, wished: Wish) -> None:
    if why := why_no_wishes(event):
        raise StepRefused(why)
    if wished.kind not in Wish.Kind.values:
        raise StepRefused(_("Choose a wish."))
    if wished.kind not in event.traits.wishes or not (wished.hard or event.traits.searched):
        raise StepRefused(_("In this format you can only name two people who mustn't meet."))


FOURS = Shape(2, 2)  # the tables that a rotation is drawn for
ODD_SHAPES = {"three": Shape(3), "five": Shape(5), "six": Shape(2, 3)}  # who plays against whom at an odd table
EFFORTS = {"normal": rotation.STEPS, "longer": rotation.HARDER}  # steps of a search
SIX_FROM = 14  # people: with fewer, a table of six repeats too much


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """What to draw. The same request always gives the same rounds."""

    people: tuple[int, ...]  # entries that are here, by id
    played: tuple[SeatedRound, ...]
    after: tuple[int, ...]  # the draws played, by id
    planned: int  # rounds in all
    seed: int
    steps: int
    odd: str  # what becomes of those who don't fit: `engine.rounds.ODD`
    wishes: tuple[DrawWish, ...]
    again: tuple[SeatedRound, ...]  # rounds of an earlier plan, to start from

    @property
    def rounds(self) -> int:
        return self.planned - len(self.played)

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> DrawRequest:
        return ASKED.validate_python(data)


ASKED, STATEMENT, WISH = TypeAdapter(DrawRequest), TypeAdapter(Statement), TypeAdapter(DrawWish)  # they read JSON
ROUNDS = TypeAdapter(tuple[SeatedRound, ...])


def to_data(rounds: Sequence[SeatedRound]) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = ROUNDS.dump_python(tuple(rounds), mode="json")
    return data


def from_data(data: Sequence[Mapping[str, Any]]) -> tuple[SeatedRound, ...]:
    return ROUNDS.validate_python(data)


def odd_choices(rule_set: RuleSet, people: int) -> list[str]:
    """What can be done with those who don't fit: they sit out, or play at an odd table that the rules know."""
    shapes = set(rule_set.shapes)
    offered = [odd for odd, shape in ODD_SHAPES.items() if shape in shapes and (odd != "six" or people >= SIX_FROM)]
    return ["sit-out", *offered]


def odd_layouts(rule_set: RuleSet, people: int) -> dict[str, Layout]:
    """The `odd_choices` that make a difference, with the tables of each: an odd table is offered where fewer sit out.
    Empty where there are too few people."""
    offers: dict[str, Layout] = {}
    for odd in odd_choices(rule_set, people):
        try:
            tables = layout(people, odd=odd)
        except rotation.DrawRefused:
            continue
        if not offers or tables.sit_outs < next(iter(offers.values())).sit_outs:
            offers[odd] = tables
    return offers


def request_for(
    event: Event, *, planned: int, seed: int | None = None, steps: int = rotation.STEPS, odd: str
) -> DrawRequest:
    """What the engine is asked for the event's next rounds as things stand, at least one. Raises StepRefused: the game
    can't be played at such an odd table."""
    before = played_draws(event)
    present = event.entries.filter(state=Entry.State.HERE).order_by("number")
    people = tuple(present.values_list("pk", flat=True))
    if odd not in odd_choices(event.rules.rule_set, len(people)):
        raise StepRefused(
            _("This game can't be played at a table of that size. Choose again what to do with the people left over.")
        )
    planned = max(planned, len(before) + 1)
    again = from_data(before[-1].ahead) if before else ()
    return DrawRequest(
        people=people,
        played=tuple(engine_round(draw) for draw in before),
        after=tuple(draw.pk for draw in before),
        planned=planned,
        seed=seed_or_new(seed),
        steps=steps,
        odd=odd,
        wishes=tuple(wishes_of(event)),
        again=again if len(again) == planned - len(before) else (),
    )


def search(request: DrawRequest, watch: rotation.Watch | None = None, *, soon: bool = False) -> rotation.Plan:
    """The rounds asked for. Raises Undecided: with `soon` only: whether tight wishes can hold takes longer to find out.
    StepRefused: there are none: too few or too many people, or wishes that collide, named in words."""
    people, wishes = request.people, request.wishes
    try:
        return rotation.draw_rotation(
            rotation.Afternoon(
                people, request.rounds, played=request.played, odd=request.odd, wishes=wishes, again=request.again
            ),
            seed=request.seed,
            steps=request.steps,
            watch=watch,
            soon=soon,
        )
    except rotation.DrawRefused as refused:
        raise StepRefused(refusal_message(refused, wishes, name=names_of(people), seat=compass_name)) from None


def search_report(plan: rotation.Plan) -> dict[str, Any]:
    return {"method": plan.method, "steps": plan.steps}


def next_by_plan(stage: Stage, *, planned: int, odd: str) -> Drawn | None:
    """The next round by the plan that was made with the last draw; None when that plan doesn't hold any more.

    It holds while the same people are here, with the same wishes, for the same number of rounds, and nobody has changed
    the last round by hand."""
    before = played_draws(stage.event)
    last = before[-1] if before else None
    if last is None or not last.ahead or last.by_hand:
        return None
    plan = last.statement.get("plan", {})
    now = request_for(stage.event, planned=planned, seed=plan["seed"], steps=plan["steps"], odd=odd)
    rounds = from_data(last.ahead)
    same = {*rounds[0].seated, *rounds[0].sit_outs} == set(now.people) and plan["wishes"] == as_data(now.wishes)
    if not same or (plan["planned"], plan["odd"]) != (planned, odd):
        return None
    return _drawn(now, rounds, plan=plan, how=last.statement["how"])


def next_after_search(
    *, stage: Stage, request: DrawRequest, rounds: Sequence[SeatedRound], how: Mapping[str, Any]
) -> Drawn:
    """The next round and what comes after it, from the rounds that were found. `how` is the method and its steps.
    Raises StepRefused: the rounds before have changed since they were asked for."""
    if tuple(published_draws(stage.event).values_list("pk", flat=True)) != request.after:
        raise StepRefused(_("The rounds before it have changed since. Make the draw again."))
    plan = {
        "seed": request.seed,
        "from": len(request.played),
        "planned": request.planned,
        "steps": request.steps,
        "odd": request.odd,
        "wishes": as_data(request.wishes),
    }
    return _drawn(request, rounds, plan=plan, how=how)


def _drawn(
    request: DrawRequest, rounds: Sequence[SeatedRound], *, plan: Mapping[str, Any], how: Mapping[str, Any]
) -> Drawn:
    shapes = layout(len(request.people), odd=request.odd).shapes
    if wrong := find_faults(rounds, request.people, or_sides=shapes, everyone=True):
        raise AssertionError(f"the engine drew what can't be played: {wrong[0]}")
    facts = {"plan": dict(plan), "how": dict(how), "after": list(request.after)}
    return Drawn(
        round=len(request.played) + 1,
        seating=[[table] for table in rounds[0].tables],
        sit_outs=rounds[0].sit_outs,
        seed=request.seed,
        statement=meeting_report(request.played, rounds, wishes=request.wishes) | facts,
        ahead=to_data(rounds[1:]),
    )


def meeting_report(
    played: Sequence[SeatedRound], rounds: Sequence[SeatedRound], *, wishes: Sequence[DrawWish]
) -> dict[str, Any]:
    ends = wish_outcomes([*played, *rounds], wishes, played=len(played))
    couples = [outcome.wish.people for outcome in ends if outcome.wish.kind == "always" and outcome.met]
    everyone = {p for round_ in (*played, *rounds) for p in (*round_.seated, *round_.sit_outs)}
    whole = asdict(make_statement([*played, *rounds], everyone, couples=couples)) if len(rounds) > 1 else None
    return {
        **asdict(make_statement([*played, rounds[0]], everyone, couples=couples)),
        "whole": whole,
        "wishes": outcomes_as_data(ends),
    }


def stored_outcomes(data: Mapping[str, Any]) -> list[WishOutcome]:
    return [WishOutcome(WISH.validate_python(wish), wish["met"]) for wish in data.get("wishes", ())]


def statement_of(data: Mapping[str, Any]) -> Statement:
    return STATEMENT.validate_python(data)


def report_with_seats(draw: Draw, seated: Seated) -> dict[str, Any]:
    """The statement of a rotation's draw with these seats in its round, without the rounds planned after it."""
    played, wishes = _played_rounds_and_wishes(draw)
    facts = {name: value for name, value in draw.statement.items() if name in ("plan", "how", "after")}
    now = wish_outcomes([*played, seated.numbered], wishes, played=len(played))  # some number may have no table
    return {**meeting_report(played, [seated.seats], wishes=wishes), "wishes": outcomes_as_data(now), **facts}


def late_table(draw: Draw, people: Sequence[int]) -> Table:
    """The sides of a table that is added to a draw's round for these people: of partners those who have played together
    least, in the order given. Raises StepRefused: the rules have no table of that size."""
    allowed = draw.round.stage.event.rules.rule_set.shapes
    shapes = (FOURS, *(shape for shape in ODD_SHAPES.values() if shape in allowed))
    shape = next((shape for shape in shapes if shape.players == len(people)), None)
    if shape is None:
        sizes = ", ".join(str(shape.players) for shape in sorted(shapes, key=lambda shape: shape.players))
        raise StepRefused(_("Choose the number of people at a table: %(sizes)s.") % {"sizes": sizes})
    if shape.per_side == 1:
        return tuple((person,) for person in people)
    played, _wishes = _played_rounds_and_wishes(draw)
    met = Counter(pair for r in played for table in r.tables for side in table for pair in permutations(side, 2))
    first, *others = people
    sides = [(first, *mates) for mates in combinations(others, shape.per_side - 1)]
    ways = [(side, tuple(person for person in people if person not in side)) for side in sides]
    return min(ways, key=lambda way: sum(met[pair] for side in way for pair in permutations(side, 2)))


def wishes_at_tables(draw: Draw, at: SeatedRound) -> list[dict[str, Any]]:
    """What becomes of a draw's wishes when its tables have other numbers. The rounds planned after it count as they
    are, while that plan holds."""
    played, wishes = _played_rounds_and_wishes(draw)
    ahead = () if draw.by_hand else from_data(draw.ahead)
    return outcomes_as_data(wish_outcomes([*played, at, *ahead], wishes, played=len(played)))


def _played_rounds_and_wishes(draw: Draw) -> tuple[list[SeatedRound], list[DrawWish]]:
    """The rounds that were played before a draw, and the wishes that it was asked for."""
    before = Draw.objects.filter(pk__in=draw.statement["after"]).order_by("round__number")
    played = [engine_round(earlier) for earlier in before.prefetch_related(*WITH_SEATS)]
    return played, [outcome.wish for outcome in stored_outcomes(draw.statement)]


def outcomes_as_data(judged: Iterable[WishOutcome]) -> list[dict[str, Any]]:
    return [asdict(outcome.wish) | {"met": outcome.met} for outcome in judged]
