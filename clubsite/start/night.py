"""The first night: how it is played with the club's game, and its cards drawn and published in one step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor, Club, LogEntry, Member
from scoring.engine.core.ruleset import RuleSet, Shape
from tournaments.advice.offers import offer_of, rounds_in
from tournaments.draws.formats.base import ROUNDS, DrawOptions
from tournaments.draws.making import make_draw
from tournaments.entries.actions import import_names
from tournaments.errors import StepRefused
from tournaments.events.actions import EventFacts, GameChoice, create_event
from tournaments.events.stages import stage_of
from tournaments.models import Event
from tournaments.rounds.attendance import arrive
from tournaments.rounds.publishing import publish_draw

PAIRS, TWO = Shape(2, 2), Shape(2)
MINUTES, MINUTES_A_GAME = 180, 30  # of an afternoon
AT = time(14)  # when afternoons begin, in local time
BEGUN = "start.night"  # the verb in the log


@dataclass(frozen=True, slots=True)
class NightPlan:
    """How a night is played: its format, who plays with whom, and the number of rounds that fits."""

    format: str
    shape: Shape
    rounds: int
    sit_outs: int = 0  # people in each round
    tables: int = 0  # 0: it depends on the draw
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def contest(self) -> bool:
        """Whether it is a contest, with places and stages and a set of games at each table."""
        return self.format == Event.Format.CONTEST


def way_of(rule_set: RuleSet, people: int) -> NightPlan:
    """The usual way to play a game on one afternoon with so many people.

    Where the game can be two against two, partners change with every round; a game for two players is a Swiss system;
    other games are played at tables drawn by lot, or at a single one if it takes just these people.
    """
    usual, most = rule_set.shapes[0], rounds_in(MINUTES, MINUTES_A_GAME)
    if PAIRS in rule_set.shapes:
        offer = offer_of(Event.Format.ROTATION, people, rounds=most)
        if offer is None:
            return NightPlan(Event.Format.ROTATION, PAIRS, ROUNDS)
        return NightPlan(Event.Format.ROTATION, PAIRS, offer.rounds, offer.sit_outs, offer.tables)
    if people == usual.players and usual != TWO:
        return NightPlan(Event.Format.SINGLE_TABLE, usual, most, tables=1)
    if usual == TWO:
        offer = offer_of(Event.Format.SWISS, 2 * people, rounds=most)  # offers count pairs; here each is one
        return NightPlan(Event.Format.SWISS, usual, offer.rounds if offer else 1, people % 2, people // 2)
    offer = offer_of(Event.Format.CONTEST, people, rounds=most) if usual == Shape(3) else None
    return NightPlan(Event.Format.CONTEST, usual, offer.options["games"] if offer else ROUNDS)


def proposed_start(club: Club) -> datetime:
    """The same weekday next week, at two in the afternoon where the club is."""
    day = timezone.localdate(timezone=club.zone) + timedelta(days=7)
    return datetime.combine(day, AT, tzinfo=club.zone)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightFacts:
    """What is said of the first night."""

    name: str
    game: GameChoice
    starts_at: datetime
    people: Sequence[Member]
    rounds: int  # or games of a set, where it is a contest
    place: str = ""


def begin_night(*, club: Club, by: Actor, facts: NightFacts, submission: UUID) -> Event:
    """Plan the night, enter its people, draw its first round and publish it: its cards can be printed. All or nothing.

    A submission sent twice makes one night.

    Raises:
        StepRefused: too few people for a draw, or a number that the tables of the game don't fit; says what would.
    """
    with transaction.atomic():
        club = club.lock()
        if done := begun_by(club, submission):
            return done
        if not facts.people:
            raise StepRefused(_("Tick who is going to play."))
        way = way_of(facts.game.rule_set, len(facts.people))
        by_rounds = way.format not in (Event.Format.CONTEST, Event.Format.ROTATION)
        event = create_event(
            club=club,
            by=by,
            format=way.format,
            facts=EventFacts(
                name=facts.name,
                game=facts.game,
                shape=way.shape,
                starts_at=facts.starts_at,
                place=facts.place,
                places=len(facts.people) if way.contest else None,
                games=facts.rounds,
                options={"rounds": facts.rounds} if by_rounds else {},
            ),
        )
        if way.contest:
            import_names(event=event, names=[one.name for one in facts.people], by=by, submission=submission)
        else:
            for member in facts.people:
                arrive(event=event, by=by, member=member)
        stage = event.stages.first() or stage_of(event)
        draw = make_draw(stage=stage, by=by, options=DrawOptions(planned=facts.rounds))
        publish_draw(draw=draw, by=by)
        log(club=club, by=by, verb=BEGUN, subject=event, new={"submission": str(submission), "event": event.pk})
    return event


def begun_by(club: Club, submission: UUID) -> Event | None:
    """The night that a submission made, or None."""
    done = LogEntry.objects.filter(club=club, verb=BEGUN, new__submission=str(submission)).first()
    return Event.objects.filter(club=club, pk=done.new["event"]).first() if done and done.new else None
