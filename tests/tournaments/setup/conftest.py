"""Visitors of a site that nobody has set up, from this machine and from elsewhere."""

from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from clubsite.accounts.models import Member
from tournaments.events.actions import available_games
from tournaments.setup.night import NightFacts, begin_night, plan_first_night

CLUB = {"name": "St. Anne", "time_zone": "America/Chicago", "language": "en", "date_place": "us", "paper": "Letter"}
NAMES = ["Agnes", "Bob", "Cal", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kit", "Lou", "Mae", "Ned", "Ola"]
ANN = {"full_name": "Ann Abel", "password": "three green chairs"}


@pytest.fixture(autouse=True)
def own_var_dir(settings, tmp_path):
    """The code lies where no other test or install looks for one."""
    settings.VAR_DIR = tmp_path
    settings.SERVED_DIRECTLY = True


@pytest.fixture
def here(db):
    return Client(headers={"host": "localhost:8000"}, REMOTE_ADDR="127.0.0.1")


@pytest.fixture
def elsewhere(db):
    """A browser on another machine of the hall's network."""

    def make(address="192.168.1.30", **more):
        return Client(REMOTE_ADDR=address, **more)

    return make


def set_up(client, **typed):
    """Go through the first two steps; returns the last answer."""
    client.post("/start/club/", {**CLUB, **{k: v for k, v in typed.items() if k in CLUB}})
    return client.post("/start/director/", {**ANN, **{k: v for k, v in typed.items() if k not in CLUB}})


def members_of(club, count):
    return Member.objects.bulk_create(Member(club=club, name=f"{NAMES[n % 15]} {n}") for n in range(count))


def first_night(club, by, slug, *, people, rounds=None):
    """The first night of so many people in a game, with as many rounds as are proposed unless said otherwise."""
    game = next(game for game in available_games(club) if game.slug == slug)
    facts = NightFacts(
        name="First",
        game=game,
        starts_at=timezone.now(),
        people=members_of(club, people),
        rounds=rounds or plan_first_night(game.rule_set, people).rounds,
    )
    return begin_night(club=club, by=by, facts=facts, submission=uuid4())


@pytest.fixture
def night(club):
    """The form of the first night as it is proposed, for 22 people."""
    return {
        "name": "First night",
        "game": "st-hilary-v3",
        "starts_at": "2054-12-05T14:00",
        "rounds": "5",
        "people": [member.pk for member in members_of(club, 22)],
        "submission": str(uuid4()),
    }
