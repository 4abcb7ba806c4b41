"""The first night of any number of people: who finds a seat, who sits out, who is too few, and what is said of it."""

from uuid import uuid4

import pytest
from django.utils import timezone

from clubsite.accounts.models import Member
from scoring.engine.core.ruleset import shipped
from tests.examples import as_proof
from tests.pages import page_of
from tests.tournaments.setup.conftest import members_of
from tournaments.draws.drafts import as_played
from tournaments.draws.words import layout_words
from tournaments.engine.rounds import layout_of
from tournaments.errors import StepRefused
from tournaments.events.actions import games_of
from tournaments.models import Draw, Event, Seat
from tournaments.setup.night import NightFacts, begin_night, plan_first_night


@pytest.mark.daily(3)
@pytest.mark.parametrize("people", [4, 5, 7, 11, as_proof([22]), as_proof([50])])
@pytest.mark.parametrize("slug", ["three-hand-double-pinochle", "hand-and-foot-simpson"])
def test_stand_ins_fill_the_groups_of_a_number_that_fits_none(club, actor, slug, people):
    game = next(game for game in games_of(club) if game.slug == slug)
    way = plan_first_night(game.rule_set, people)
    facts = NightFacts(
        name="First", game=game, starts_at=timezone.now(), people=members_of(club, people), rounds=way.rounds
    )
    event = begin_night(club=club, by=actor, facts=facts, submission=uuid4())
    seats = Seat.objects.filter(draw__round__stage__event=event)
    assert seats.filter(entry__stands_in=None).count() == people
    assert seats.exclude(entry__stands_in=None).count() == way.stand_ins
    assert way.tables is not None
    assert Draw.objects.get().tables.count() == len(way.tables.shapes)


def test_a_three_hand_game_with_eleven_says_that_somebody_of_the_house_plays(club, director, client_of, night):
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
def test_too_few_for_a_game_are_told_how_many_more_to_tick(club, actor, slug, people, more):
    game = next(game for game in games_of(club) if game.slug == slug)
    facts = NightFacts(name="First", game=game, starts_at=timezone.now(), people=members_of(club, people), rounds=2)
    with pytest.raises(StepRefused, match=f"Too few for this game: tick {more} more, or choose another game"):
        begin_night(club=club, by=actor, facts=facts, submission=uuid4())
    assert not Event.objects.exists()


def look(browser, night, *, people, **said):
    """What the page says of other people or another game, as its script or its button asks for it."""
    asked = night | {"step": "look", "people": list(night["people"])[:people], **said}
    answer = browser.post("/st-hilary/start/night/", asked, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert not Event.objects.exists()
    return page_of(answer)


def test_what_is_said_and_asked_follows_the_people_and_the_game(club, director, client_of, night):
    browser, left = client_of(director), night | {"proposed-rounds": "5", "proposed-odd": "sit-out", "odd": "sit-out"}
    assert "22 people" in look(browser, left, people=22)
    page = look(browser, left, people=3)
    assert "3 people </h2>" in page
    assert "Too few for this game: tick 1 more" in page
    page = look(browser, left, people=18, game="three-hand-double-pinochle")
    assert "New partners" not in page
    assert "Everybody plays: 3 tables of 6." in page
    assert "Games in a set, at most" in page
    assert 'name="rounds" value="2"' in page, "what was proposed and left follows"
    assert 'name="rounds" value="3"' in look(browser, left, people=18, rounds="3"), "what was typed stays"


def test_without_a_script_a_button_says_it_on_the_whole_page_which_keeps_what_was_typed(
    club, director, client_of, night
):
    eleven = list(night["people"])[:11]
    asked = night | {"step": "look", "people": eleven, "place": "Parish hall", "name": ""}
    answer = client_of(director).post("/st-hilary/start/night/", asked)
    page = page_of(answer)
    assert (answer.status_code, page.count(" checked")) == (200, 11)
    assert "3 sit out of each round: 2 tables of 4." in page
    assert "11 people </h2>" in page
    assert 'value="Parish hall"' in page
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("people", "usual"),
    [(3, "three"), (5, "sit-out"), (6, "three"), (7, "three"), (9, "sit-out"), (11, "three"), (22, "sit-out")],
)
def test_an_odd_table_is_proposed_where_somebody_would_sit_out_twice(people, usual):
    assert plan_first_night(shipped()["hand-and-foot"], people).odd == usual
    assert plan_first_night(shipped()["euchre"], people).odd == "sit-out", "the game knows no other table"


@pytest.mark.daily(3)
@pytest.mark.parametrize(
    ("people", "chosen", "sizes", "sit_outs"),
    [
        (6, {}, [3, 3], 0),
        (7, {}, [3, 4], 0),
        (7, {"odd": "sit-out", "proposed-odd": "sit-out"}, [3, 4], 0),  # it was proposed for other people
        (7, {"odd": "sit-out", "proposed-odd": "three"}, [4], 3),
        (9, {"odd": "five", "proposed-odd": "sit-out"}, [4, 5], 0),
        (9, {"odd": "three", "proposed-odd": "sit-out"}, [4, 4], 1),  # no such table fits
        (3, {}, [3], 0),
    ],
)
def test_few_people_play_at_the_tables_that_were_said(director, client_of, night, *, people, chosen, sizes, sit_outs):
    sent = night | {"game": "hand-and-foot", "people": list(night["people"])[:people], "rounds": "3", **chosen}
    client_of(director).post("/st-hilary/start/night/", sent)
    played = as_played(Draw.objects.get())
    assert sorted(sum(map(len, table)) for table in played.tables) == sizes
    assert len(played.sit_outs) == sit_outs
    assert layout_words(layout_of(played)) in page_of(client_of(director).get("/st-hilary/start/cards/first-night/"))
