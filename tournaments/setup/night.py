"""The first night: how it is played with the club's game, and its cards drawn and published in one step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from itertools import count
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, LogEntry, Member
from scoring.engine.core.ruleset import RuleSet, Shape
from tournaments.advice import fitting_way, rounds_in
from tournaments.draws.changes import fill_with_stand_ins
from tournaments.draws.making import ROUNDS, DrawOptions, make_draw
from tournaments.draws.rotation import odd_layouts
from tournaments.draws.words import describe_layout
from tournaments.engine.draws.contest import table_sizes
from tournaments.engine.formats import FORMATS, TRAITS, option_fields
from tournaments.engine.rounds import Layout
from tournaments.entries.actions import import_names
from tournaments.errors import StepRefused
from tournaments.events.actions import EventFacts, GameChoice, create_event
from tournaments.events.stages import contest_sizes, find_misfit
from tournaments.events.state import night_stage
from tournaments.events.words import VARIANTS, game_variants
from tournaments.models import Event
from tournaments.rounds.attendance import arrive
from tournaments.rounds.publishing import publish_draw

PAIRS, TWO = Shape(2, 2), Shape(2)
FEWEST_PROGRESSIVE = 8  # people: at a single table nobody can move up
AFTERNOON_MINUTES, GAME_MINUTES = 180, 30  # of an afternoon
START_TIME = time(14)  # when afternoons begin, in local time
VERB = "start.night"  # the verb in the log


@dataclass(frozen=True, slots=True)
class NightPlan:
    """How a night is played. `rounds` is the number that fits an afternoon."""

    format: str
    shape: Shape
    rounds: int
    tables: Layout | None  # of every round; None: too few people for one
    stand_ins: int = 0  # of the house, so that the groups of a contest are full
    fewer: int | None = None  # people to leave out so that they are full without; None: there is no such number
    odd: str = "sit-out"  # what becomes of those who don't fit tables of four, of all that is `offered`
    offered: Mapping[str, Layout] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)  # of the format, beside its rounds
    facts: Mapping[str, Any] = field(default_factory=dict)  # more that such an event says

    @property
    def contest(self) -> bool:
        """Whether it has places, stages and sets of games."""
        return TRAITS[self.format].has_cut


def plan_first_night(rule_set: RuleSet, people: int, *, odd: str = "") -> NightPlan:
    """The usual way to play a game on one afternoon with this many people. `odd` was chosen for those left over from
    tables of four; it counts if it is offered.

    A game with progressive nights has one from two tables on; cribbage has a Grass Roots night. Else partners change
    with every round where the game can be two against two; a game for two is a Swiss; other games are played at tables
    drawn by lot, or at a single table if it takes exactly these people."""
    usual, most = rule_set.shapes[0], rounds_in(AFTERNOON_MINUTES, GAME_MINUTES)
    format, options, *_words = next((VARIANTS[key] for key in game_variants(rule_set.slug)), ("", {}))
    if format == Event.Format.PROGRESSIVE and people >= FEWEST_PROGRESSIVE:
        fours = Layout(((2, 2),) * (people // 4), people % 4)
        return NightPlan(format, PAIRS, options["rounds"], fours, options={"moves": options["moves"]})
    twos = Layout(((1, 1),) * (people // 2), people % 2) if people > 1 else None
    if format == Event.Format.SWISS:
        of_format = {option.name for option in option_fields(FORMATS[format])}
        format_options = {name: value for name, value in options.items() if name in of_format}
        facts = {name: value for name, value in options.items() if name not in format_options and name != "game"}
        return NightPlan(format, TWO, options["rounds"], twos, options=format_options, facts=facts)
    if PAIRS in rule_set.shapes:
        offered = odd_layouts(rule_set, people)
        odd = odd if odd in offered else _choose_odd(offered, people, rounds=most)
        return NightPlan(Event.Format.ROTATION, PAIRS, most, offered.get(odd), odd=odd, offered=offered)
    if usual == TWO:
        offer = fitting_way(Event.Format.SWISS, 2 * people, rounds=most)  # offers count pairs; here each is one
        return NightPlan(Event.Format.SWISS, usual, offer.rounds if offer else 1, twos)
    if people == usual.players:
        return NightPlan(Event.Format.SINGLE_TABLE, usual, most, Layout(((usual.per_side,) * usual.sides,), 0))
    sizes = contest_sizes(rule_set, usual)
    if people < min(sizes.group_sizes):
        return NightPlan(Event.Format.CONTEST, usual, ROUNDS, None)
    misfit = find_misfit(sizes, people)
    stand_ins, fewer = (misfit.add or 0, misfit.remove) if misfit else (0, None)
    full = people + stand_ins
    offer = fitting_way(Event.Format.CONTEST, full, rounds=most) if usual == Shape(3) else None
    games = offer.options["games"] if offer else ROUNDS
    return NightPlan(Event.Format.CONTEST, usual, games, Layout(table_sizes(full, sizes), 0), stand_ins, fewer)


def _choose_odd(offered: Mapping[str, Layout], people: int, *, rounds: int) -> str:
    """Sit out in turn, unless somebody would sit out twice; then the odd table with the fewest sit-outs."""
    if "sit-out" in offered and rounds * offered["sit-out"].sit_outs <= people:
        return "sit-out"
    return min(offered, key=lambda odd: offered[odd].sit_outs, default="sit-out")


def describe_plan(rule_set: RuleSet, people: int) -> list[str]:
    """The plan in sentences, or what to do if the people are too few. Choices for those left over describe themselves
    (`draws.words.odd_options`)."""
    plan = plan_first_night(rule_set, people)
    if plan.tables is None:
        missing = next(n for n in count(1) if plan_first_night(rule_set, people + n).tables)
        words = ngettext(
            "Too few for this game: tick %(n)d more, or choose another game.",
            "Too few for this game: tick %(n)d more, or choose another game.",
            missing,
        )
        return [words % {"n": missing}]
    sentences = [] if len(plan.offered) > 1 else [describe_layout(plan.tables)]
    if plan.format == Event.Format.PROGRESSIVE:
        sentences.insert(0, _("Winners move up a table in every round; each scores for themselves."))
    elif TRAITS[plan.format].searched:
        sentences.insert(0, _("New partners in every round; each scores for themselves."))
    elif plan.contest and len(plan.tables.shapes) > 1:
        sentences.insert(0, _("Tables drawn by lot; the best of each set of games go on."))
    if plan.stand_ins:
        words = ngettext(
            "%(n)d stand-in fills the groups: somebody from the club who plays, but can't go on.",
            "%(n)d stand-ins fill the groups: people from the club who play, but can't go on.",
            plan.stand_ins,
        )
        sentences.append(words % {"n": plan.stand_ins})
        if plan.fewer:
            sentences.append(_("If you have nobody for that, untick %(n)d.") % {"n": plan.fewer})
    return sentences


def proposed_start(club: Club) -> datetime:
    """The same weekday next week, at two in the afternoon in the club's zone."""
    day = timezone.localdate(timezone=club.zone) + timedelta(days=7)
    return datetime.combine(day, START_TIME, tzinfo=club.zone)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightFacts:
    name: str
    game: GameChoice
    starts_at: datetime
    people: Sequence[Member]
    rounds: int  # or games of a set, where it is a contest
    odd: str = ""  # what was chosen for those who don't fit tables of four
    place: str = ""


def begin_night(*, club: Club, by: Actor, facts: NightFacts, submission: UUID) -> Event:
    """Plan the night, enter its people, draw the first round and publish it, so that cards can be printed; or return
    what this submission made before.

    Raises StepRefused: too few people for a draw; says how many more."""
    with club.locked_transaction() as club:
        if done := begun_before(club, submission):
            return done
        if not facts.people:
            raise StepRefused(_("Tick who is going to play."))
        plan = plan_first_night(facts.game.rule_set, len(facts.people), odd=facts.odd)
        if plan.tables is None:
            raise StepRefused(describe_plan(facts.game.rule_set, len(facts.people))[0])
        event = create_event(
            club=club,
            by=by,
            format=plan.format,
            facts=EventFacts(
                name=facts.name,
                game=facts.game,
                shape=plan.shape,
                starts_at=facts.starts_at,
                place=facts.place,
                places=len(facts.people) if plan.contest else None,
                games=facts.rounds,
                options={**plan.options, "rounds": facts.rounds} if plan.format in FORMATS else {},
                **plan.facts,
            ),
        )
        if plan.contest:
            import_names(event=event, names=[member.name for member in facts.people], by=by, submission=submission)
        else:
            for member in facts.people:
                arrive(event=event, by=by, member=member)
        stage = event.stages.first() or night_stage(event)
        if plan.stand_ins:
            fill_with_stand_ins(stage=stage, by=by)
        draw = make_draw(stage=stage, by=by, options=DrawOptions(planned=facts.rounds, odd=plan.odd))
        publish_draw(draw=draw, by=by)
        log(club=club, by=by, verb=VERB, subject=event, new={"submission": str(submission), "event": event.pk})
    return event


def begun_before(club: Club, submission: UUID) -> Event | None:
    """The night that this submission made; None if it is new."""
    done = LogEntry.objects.filter(club=club, verb=VERB, new__submission=str(submission)).first()
    return Event.objects.filter(club=club, pk=done.new["event"]).first() if done and done.new else None
