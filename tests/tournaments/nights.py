"""Club nights to test with: people, rounds, true deals."""

from datetime import datetime
from random import Random
from typing import TypeVar
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubsite.accounts.models import Member
from lab.simulation.deals import true_deal
from scoring.cards.deals import end_game, record_deal
from scoring.families.deal_form import EnteredDeal
from scoring.models import Game
from tests.kept import made_once
from tournaments.draws import making
from tournaments.draws.making import DrawOptions
from tournaments.events.actions import EventFacts, available_games as games_offered, create_event
from tournaments.events.state import night_stage
from tournaments.models import Event
from tournaments.rounds import attendance, publishing
from tournaments.standings import results as standings_results

T = TypeVar("T")
CHICAGO = ZoneInfo("America/Chicago")


def make_night(club, rules, *, slug="friday", season=None, day=6, format=Event.Format.ROTATION):
    return Event.objects.create(
        club=club,
        season=season,
        name=f"Night {slug}",
        slug=slug,
        format=format,
        rules=rules,
        starts_at=datetime(2054, 11, day, 19, 30, tzinfo=CHICAGO),
        place="Parish hall",
    )


def new_event(club, by, format, *, game, shape, **fields):
    """An event of a game that is shipped or the club's own, planned as from its form."""
    offered = next(choice for choice in games_offered(club) if choice.slug == game)
    usual = {"name": f"A {format}", "starts_at": datetime(2054, 11, 6, 19, 30, tzinfo=CHICAGO)}
    facts = EventFacts(game=offered, shape=shape, **(usual | fields))
    return create_event(club=club, by=by, format=format, facts=facts)


def make_members(club, count):
    """Members with names in alphabetical order: Player 01, Player 02 ..."""
    return [Member.objects.get_or_create(club=club, name=f"Player {n:02}")[0] for n in range(1, count + 1)]


def once(what, thing, by, build):
    """What many nights begin with is made once a process (`tests.kept`), and again where anything else was there."""
    who = by.user and by.user.pk, by.name, by.route, by.director, by.side
    return made_once(f"{what} {thing.pk} {who}", build)


def arrive(event, by, count):
    def build():
        for member in make_members(event.club, count):
            attendance.arrive(event=event, by=by, member=member)

    once(("arrive", count), event, by, build)


def drafted(event, by, seen=None, **options):
    return making.make_draw(stage=night_stage(event), by=by, options=DrawOptions(**options), seen=seen)


def begun(event, by, seen=None, **options):
    return making.start_draw(stage=night_stage(event), by=by, options=DrawOptions(**options), seen=seen)


def publish_next(event, by, seed=7):
    def build():
        return publishing.publish_draw(draw=drafted(event, by, planned=3, seed=seed), by=by)

    return once(("publish", seed), event, by, build)


def seated(event, by, people):
    """So many people are here, and the first round is published."""
    arrive(event, by, people)
    return publish_next(event, by)


def games_of(draw):
    return list(Game.objects.filter(group_game__group__table__draw=draw).order_by("group_game__group__table__number"))


def play_deals(game, by, deals=1, seed=1):
    """Record true deals, or fewer when the game is over before."""
    random = Random(f"{seed} {game.title}")  # not by its key, which depends on the tests before
    for number in range(game.deals_played + 1, game.deals_played + 1 + deals):
        game.refresh_from_db()
        if game.state != Game.State.OPEN:
            return
        facts = true_deal(game.rules.family, random, game.engine_rules, deals_before=number - 1)
        record_deal(game=game, number=number, entered=EnteredDeal(facts, sure=True), by=by, submission=uuid4())


def play_round(draw, by, deals=1):
    """Record deals at every table, end what is open, and close the round."""

    def build():
        for game in games_of(draw):
            play_deals(game, by, deals)
            end_game(game=game, by=by, reason="time")
        publishing.close_round(round=draw.round, by=by, end_open=False)

    once(("play", deals), draw, by, build)


def play_night(event, by, people, rounds=1, deals=1):
    arrive(event, by, people)
    for _n in range(rounds):
        play_round(publish_next(event, by), by, deals)
    standings_results.publish_result(event=event, by=by)


def queries_of(browser, url, *args, **more):
    """How many queries a page takes."""

    def look():
        assert browser.get(url, *args, **more).status_code == 200

    return queries_in(look)


def queries_in(act):
    with CaptureQueriesContext(connection) as taken:
        act()
    return len(taken)
