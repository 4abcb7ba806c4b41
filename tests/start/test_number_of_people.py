"""The first night of any number of people: who finds a seat, who sits out, who is too few, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from clubsite.accounts.models import Actor, Club, Member, User
from clubsite.start.night import NightFacts, begin_night, way_of
from tests.examples import as_proof
from tests.pages import page_of
from tests.start.conftest import members_of
from tournaments.errors import StepRefused
from tournaments.events.actions import games_of
from tournaments.models import Draw, Event, Seat

Clients = Callable[[User | None], Client]


@pytest.mark.parametrize("people", [4, 5, 7, 11, as_proof([22]), as_proof([50])])
@pytest.mark.parametrize("slug", ["three-hand-double-pinochle", "hand-and-foot-simpson"])
def test_stand_ins_fill_the_groups_of_a_number_that_fits_none(club: Club, actor: Actor, slug: str, people: int) -> None:
    game = next(game for game in games_of(club) if game.slug == slug)
    way = way_of(game.rule_set, people)
    facts = NightFacts(
        name="First", game=game, starts_at=timezone.now(), people=members_of(club, people), rounds=way.rounds
    )
    event = begin_night(club=club, by=actor, facts=facts, submission=uuid4())
    seats = Seat.objects.filter(draw__round__stage__event=event)
    assert seats.filter(entry__stands_in=None).count() == people
    assert seats.exclude(entry__stands_in=None).count() == way.stand_ins
    assert way.tables is not None
    assert Draw.objects.get().tables.count() == len(way.tables.shapes)


def test_a_three_hand_game_with_eleven_says_that_somebody_of_the_house_plays(
    club: Club, director: User, client_of: Clients, night: dict[str, Any]
) -> None:
    browser, eleven = client_of(director), list(night["people"])[:11]
    Member.objects.exclude(pk__in=eleven).delete()
    browser.post("/st-hilary/start/rules/", {"rules": "canasta-three-hand"})
    page = page_of(browser.get("/st-hilary/start/night/"))
    assert "Everybody plays: 2 tables of 6. 1 stand-in of the house fills the groups" in page
    assert "If you have nobody for that, untick 2." in page
    sent = night | {"game": "canasta-three-hand", "people": eleven, "rounds": "2"}
    assert browser.post("/st-hilary/start/night/", sent)["Location"] == "/st-hilary/start/cards/first-night/"
    page = page_of(browser.get("/st-hilary/start/cards/first-night/"))
    assert "11 people at 2 tables" in page
    assert "1 stand-in of the house plays so that the groups are full" in page


@pytest.mark.parametrize(
    ("slug", "people", "more"),
    [
        ("three-hand-double-pinochle", 2, 1),
        ("canasta-two-hand", 1, 1),
        ("euchre", 1, 3),
        ("hand-and-foot-simpson", 1, 2),
    ],
)
def test_too_few_for_a_game_are_told_how_many_more_to_tick(
    club: Club, actor: Actor, slug: str, people: int, more: int
) -> None:
    game = next(game for game in games_of(club) if game.slug == slug)
    facts = NightFacts(name="First", game=game, starts_at=timezone.now(), people=members_of(club, people), rounds=2)
    with pytest.raises(StepRefused, match=f"Too few for this game: tick {more} more, or choose another game"):
        begin_night(club=club, by=actor, facts=facts, submission=uuid4())
    assert not Event.objects.exists()
