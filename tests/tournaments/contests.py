"""Building blocks of the tests of competitions: names, an event, deals in its games."""

from collections import Counter
from datetime import UTC, datetime
from uuid import uuid4

from scoring.cards.deals import end_game, record_deal
from scoring.engine.core.ruleset import Shape
from scoring.engine.points_only import PointsDeal
from scoring.families.deal_form import EnteredDeal
from tests.kept import made_once
from tests.tournaments.nights import new_event
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.draws.making import DrawOptions, make_draw
from tournaments.entries.actions import import_names
from tournaments.models import Event, Group, Stage
from tournaments.rounds.publishing import publish_draw

FIRST = ("Ann", "Bert", "Clara", "Dolores", "Ed", "Frances", "Gus", "Hattie", "Irene")
WHEN = datetime(2055, 4, 3, 18, 0, tzinfo=UTC)
THREE = Shape(3)  # three players, each for themselves
LAST = ("Abel", "Bauer", "Castellanos", "Dvořák", "Eriksen", "Fitzgerald")
NAMES = tuple(f"{first} {last}" for last in LAST for first in FIRST)  # 54


def contest(club, by, *, game="points-only", shape=THREE, **fields):
    """A competition of 54 places in points-only, a set of one game, unless said otherwise."""
    usual = {"name": "Spring contest", "places": 54, "games": 1, "starts_at": WHEN}
    return new_event(club, by, Event.Format.CONTEST, game=game, shape=shape, **(usual | fields))


def enter(event, by, names=NAMES):
    def build():
        return import_names(event=event, names=names, by=by, submission=uuid4())

    return made_once(f"entered {event.pk} {by} {names}", build)


def drawn(stage, by, seed=7):
    def build():
        return publish_draw(draw=make_draw(stage=stage, by=by, seen=0, options=DrawOptions(seed=seed)), by=by)

    return made_once(f"drawn {stage.pk} {by} {seed}", build)


def drawn_contest(club, by, *, names=NAMES, **fields):
    """A competition whose first stage is drawn and published: the event and the draw."""
    event = contest(club, by, **{"places": len(names), **fields})
    enter(event, by, names)
    draw = drawn(stage_of(event, 1), by)
    event.refresh_from_db()
    return event, draw


def cut_stage(event, by, number=1):
    """Publish the cut of a stage as it is proposed."""
    stage = stage_of(event, number)
    return publish_cut(stage=stage, by=by, fingerprint=propose(stage).fingerprint)


def play_further_stages(event, by):
    """After the first stage: publish each cut, draw and play the stage that follows, to the last."""
    for number in range(2, event.stages.count() + 1):
        cut_stage(event, by, number - 1)
        play(drawn(stage_of(event, number), by), by, by_number)
    event.refresh_from_db()


def play(draw, by, points):
    """One deal in every game of a draw, worth so many points to each entry; the games end with it."""
    for group in Group.objects.filter(table__draw=draw):
        play_group(group, by, points)


def play_group(group, by, points):
    """One deal in every game of a group, worth so many points to each entry and to a side those of its people; the
    games end with it."""
    sides = Counter()
    for seat in group.seats.select_related("entry").order_by("side"):
        sides[seat.side] += points(seat.entry)
    for row in group.games.select_related("game"):
        deal(row.game, by, sides.values())
        end_game(game=row.game, by=by, reason="time")


def deal(game, by, points, number=1):
    record_deal(
        game=game,
        number=number,
        entered=EnteredDeal(PointsDeal(points=tuple(points)), sure=True),
        by=by,
        submission=uuid4(),
    )


def by_number(entry):
    """Points that leave nobody level: the first of the list has the most."""
    return 1000 - entry.number


def stage_of(event, number):
    return Stage.objects.select_related("event__club", "event__rules").get(event=event, number=number)


def played_contest(club, by, points=by_number, **fields):
    """Fifty-four names, the first stage drawn and played."""

    def build():
        event = contest(club, by, **fields)
        enter(event, by)
        play(drawn(stage_of(event, 1), by), by, points)
        event.refresh_from_db()
        return event

    return made_once("played contest", build) if points is by_number and not fields else build()
