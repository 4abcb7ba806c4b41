"""The steps that are pages of the club: rules, members, first night, and the cards at the end."""

import re
from datetime import timedelta

import pytest
import tablib
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from clubsite.accounts.models import Club, Member
from scoring.engine.core.ruleset import shipped
from scoring.models import HouseRules
from tests.examples import as_proof
from tests.pages import page_of
from tests.tournaments.setup.conftest import first_night, members_of
from tournaments.draws.drafts import engine_round
from tournaments.draws.words import describe_layout
from tournaments.engine.rounds import round_layout
from tournaments.errors import StepRefused
from tournaments.events.words import BY_RESULT, describe_order, describe_tie_breaks
from tournaments.models import Draw, Event, Seat
from tournaments.setup.night import plan_first_night, proposed_start


def shown(browser, search):
    page = browser.get("/st-hilary/start/rules/", {"q": search})
    return {game.slug for games in page.context["offered"].values() for game in games}


def test_every_rule_set_is_offered_and_found_by_its_name_and_the_one_chosen_becomes_the_clubs(browser, club):
    assert shown(browser, "") == set(shipped())
    assert shown(browser, "nonsense") == set()
    assert {"canasta", "canasta-two-hand"} < shown(browser, "canas")
    assert "euchre" not in shown(browser, "canas")
    for _tap in range(2):
        assert browser.post("/st-hilary/start/rules/", {"rules": "euchre"})["Location"] == "/st-hilary/start/members/"
    assert [rules.slug for rules in HouseRules.objects.filter(club=club)] == ["euchre"]
    assert browser.post("/st-hilary/start/rules/", {"rules": "bingo"}).status_code == 200
    offered = browser.get("/st-hilary/start/rules/").context["offered"]
    assert [game.slug for game in next(iter(offered.values()))] == ["euchre"], "the club's own come first"


def test_names_are_looked_at_and_then_added_once(club, browser):
    text = "Abel, Ann\nBob Hale\nCal Young\nCall Young\n1234\n"
    look = browser.post("/st-hilary/start/members/", {"names": text, "step": "look"})
    assert "Add 4 members" in page_of(look)
    assert "not Cal Young, somebody else" in page_of(look)
    assert not Member.objects.exists()
    sent = {
        "names": text,
        "step": "add",
        "who-call young-cal young": "same",
        "submission": str(look.context["submission"]),
    }
    for _tap in range(2):
        assert browser.post("/st-hilary/start/members/", sent)["Location"] == "/st-hilary/start/night/"
    assert [member.name for member in Member.objects.all()] == ["Ann Abel", "Bob Hale", "Cal Young"]


def test_the_list_can_be_changed_after_a_look(club, browser):
    back = browser.post("/st-hilary/start/members/", {"names": "Ann Abel\n12", "step": "change"})
    assert back.context["form"]["names"].value() == "Ann Abel\n12"
    assert "Ann Abel" in page_of(back)


def test_a_spreadsheet_is_read_and_no_list_is_said_to_be_none(club, browser):
    sheet = tablib.Dataset(["Ann", "Abel"], ["Bob", "Hale"], headers=["First name", "Last name"]).export("xlsx")
    look = browser.post("/st-hilary/start/members/", {"file": SimpleUploadedFile("list.xlsx", sheet)})
    assert "Ann Abel" in page_of(look)
    assert "Add 2 members" in page_of(look)
    for sent, words in [
        ({}, "There are no names in this list"),
        ({"file": SimpleUploadedFile("list.pdf", b"%PDF-1.7")}, "plain text"),
        ({"file": SimpleUploadedFile("list.txt", "José Peña".encode("latin-1"))}, "Some letters of this file"),
    ]:
        answer = browser.post("/st-hilary/start/members/", sent)
        assert (answer.status_code, words in page_of(answer)) == (422, True), words
    assert "José Peña" in page_of(answer), "the guess can be corrected"


def test_who_plays_is_listed_by_name_with_and_without_accents(club, browser):
    for name in ("Zoe Adams", "Ángel Ruiz", "Nora Diaz"):
        Member.objects.create(club=club, name=name)
    listed = browser.get("/st-hilary/start/night/").context["people"]
    assert [member.name for member in listed] == ["Ángel Ruiz", "Nora Diaz", "Zoe Adams"]


def test_the_first_night_is_proposed_at_two_in_the_afternoon_where_the_club_is(db, club, browser):
    for zone in ("Pacific/Kiritimati", "Pacific/Honolulu", "Asia/Kolkata", "Europe/London"):
        assert proposed_start(Club(time_zone=zone)).strftime("%H:%M %Z")[:5] == "14:00"
    browser.post("/st-hilary/start/rules/", {"rules": "euchre"})
    people = members_of(club, 22)
    form = browser.get("/st-hilary/start/night/").context["form"]
    starts = form["starts_at"].initial.astimezone(club.zone)
    today = timezone.localdate(timezone=club.zone)
    assert ((starts.date() - today).days, starts.hour, starts.minute) == (7, 14, 0)
    assert (form["game"].value(), form["rounds"].value()) == ("euchre", 10), "as euchre clubs play"
    assert set(form["people"].value()) == {member.pk for member in people}


def test_the_night_is_drawn_and_published_and_a_double_tap_makes_one(club, browser, night):
    for _tap in range(2):
        assert browser.post("/st-hilary/start/night/", night)["Location"] == "/st-hilary/start/cards/first-night/"
    event = Event.objects.get()
    draw = Draw.objects.get(state=Draw.State.PUBLISHED)
    assert event.entries.exclude(member=None).count() == 22
    assert (draw.seats.count(), draw.sit_outs.count()) == (20, 2)
    assert event.starts_at.astimezone(club.zone).strftime("%d %H:%M") == "05 14:00"
    page = page_of(browser.get("/st-hilary/start/cards/first-night/"))
    offered = re.findall(rf"/st-hilary/desk/first-night/print/(\w+)\.pdf\?draw={draw.pk}", page)
    assert offered == ["round", "cards", "seating"]
    assert all(out.entry.name in page for out in draw.sit_outs.all())


def test_what_is_said_of_the_night_is_there_when_the_page_is_opened_again(club, browser, night):
    page = "/st-hilary/start/night/"
    off, *there = night["people"]
    browser.post(page, {**night, "name": "Supper", "people": there, "rounds": "3", "step": "look"})
    late = Member.objects.create(club=club, name="Late")
    form = browser.get(page).context["form"]
    assert (form["name"].value(), form["rounds"].value()) == ("Supper", "3")
    assert form["starts_at"].value() == night["starts_at"]
    assert set(form["people"].value()) == {*there, late.pk}
    assert not Event.objects.exists(), "a page that is opened makes nothing"
    assert browser.post(page, {**night, "name": "", "people": there}).status_code == 422
    assert off not in browser.get(page).context["form"]["people"].value()
    nobody = browser.post(page, {**night, "people": []}).content.decode()
    assert re.findall(r'name="people" value="(\d+)"\s+autofocus', nobody), "who plays is in sight where nobody does"
    browser.post(page, night)
    assert off in browser.get(page).context["form"]["people"].value(), "the night is made: nothing is kept"


def test_what_a_game_and_its_people_give_is_sent_where_it_is_another(club, browser, night):

    def asked(**said):
        sent = {**night, "step": "look", **said}
        return browser.post("/st-hilary/start/night/", sent, headers={"hx-request": "true"})

    said = asked()
    assert (said.status_code, "22 people" in page_of(said)) == (200, True)
    stands = said.context["stands"]
    assert asked(stands=stands, place="Parish hall").status_code == 204
    assert asked(stands=stands, rounds="3").status_code == 204
    assert browser.get("/st-hilary/start/night/").context["form"]["rounds"].value() == "3", "but it is kept"
    for other in ({"game": "euchre"}, {"people": night["people"][1:]}):
        assert asked(stands=stands, **other).status_code == 200


def test_a_start_that_was_only_proposed_is_proposed_anew(club, browser, night, monkeypatch):
    page = "/st-hilary/start/night/"
    browser.post(page, {**night, "starts_at": f"{proposed_start(club):%Y-%m-%dT%H:%M}", "step": "look"})
    proposed = browser.get(page).context["form"]["starts_at"].value()
    later = timezone.now() + timedelta(days=2)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert browser.get(page).context["form"]["starts_at"].value().date() == proposed.date() + timedelta(days=2)


@pytest.mark.django_db(transaction=True)
def test_the_papers_of_the_first_night_are_ordered_before_anybody_opens_them(apart, club, browser, night):
    browser.post("/st-hilary/start/night/", night)
    waiting = DBTaskResult.objects.get(task_path__endswith=".make_ahead")
    assert waiting.args_kwargs["args"][0] == Draw.objects.get().pk


def test_a_competition_is_drawn_at_its_tables(club, browser, night):
    people = list(night["people"])[:18]
    sent = night | {"game": "three-hand-double-pinochle", "people": people, "rounds": "2"}
    assert browser.post("/st-hilary/start/night/", sent)["Location"] == "/st-hilary/start/cards/first-night/"
    assert "18 people at 3 tables" in page_of(browser.get("/st-hilary/start/cards/first-night/"))


def test_below_the_button_that_prints_the_first_cards_it_says_that_no_phone_reaches_their_codes(
    browser, night, settings
):
    settings.ALLOWED_HOSTS = ["*"]
    cards = "/st-hilary/start/cards/first-night/"
    browser.post("/st-hilary/start/night/", night)
    page = page_of(browser.get(cards, headers={"host": "127.0.0.1:8000"}))
    assert 0 < page.index("/round.pdf") < page.index("Printed codes would lead to http://127.0.0.1:8000/")
    assert "No phone reaches" not in page_of(browser.get(cards, headers={"host": "192.168.1.20:8000"}))


def test_too_few_people_are_said_and_nothing_typed_is_lost(club, browser, night):
    three = list(night["people"])[:3]
    for people in (three, []):
        answer = browser.post("/st-hilary/start/night/", night | {"people": people, "place": "Parish hall"})
        assert answer.status_code == 422
        assert 'value="Parish hall"' in page_of(answer)
        assert page_of(answer).count(" checked") == len(people)
    assert not Event.objects.exists()
    assert not HouseRules.objects.exists()


def test_only_ticked_members_of_the_club_play(club, other_club, browser, night):
    theirs = Member.objects.create(club=other_club, name="Otto")
    people = [*night["people"][:8], theirs.pk]
    assert browser.post("/st-hilary/start/night/", night | {"people": people}).status_code == 422
    browser.post("/st-hilary/start/night/", night | {"people": people[:8]})
    assert Event.objects.get().entries.count() == 8


@pytest.mark.daily(4)
@pytest.mark.parametrize("slug", sorted(shipped()))
def test_every_game_has_a_first_night(club, actor, slug):
    event = first_night(club, actor, slug, people=24)
    assert Seat.objects.filter(draw__round__stage__event=event).count() == 24
    assert 1 <= plan_first_night(shipped()[slug], 24).rounds <= 12


def test_a_night_is_played_as_clubs_of_its_game_play(browser, rules_for):
    rules = rules_for("euchre")
    keys = [key for key, _title, _about in browser.get("/st-hilary/desk/new/").context["nights"]]
    form = browser.get(f"/st-hilary/desk/new/?variant={keys[0]}").context["form"]
    assert (form["rounds"].value(), form["game"].value()) == (10, "euchre:2x2"), "as the club counts it"
    way = plan_first_night(rules.rule_set, 22)
    assert (way.format, way.rounds, len(way.tables.shapes), way.tables.sit_outs) == ("progressive", 10, 5, 2)
    assert plan_first_night(rules.rule_set, 5).format == "rotation", "nobody can move up at one table"


def test_a_first_night_of_cribbage_is_a_grass_roots_night(club, actor):
    event = first_night(club, actor, "cribbage", people=11, rounds=9)
    assert (event.format, event.options["pairing"], event.per_side) == ("swiss", "lot", 1)
    assert (event.points_by_result.worth(2, 31), event.points_by_result.worth(2, 30)) == (3, 2)
    assert describe_order(event) == describe_tie_breaks(BY_RESULT, event=event)


def test_the_desk_tells_directors_what_is_left_and_stops_when_it_is_done(club, browser, scorekeeper, client_of):
    club.start_left = ["rules", "members", "night"]
    club.save()
    assert "Choose the game" in page_of(browser.get("/st-hilary/desk/"))
    assert "Choose the game" not in page_of(client_of(scorekeeper).get("/st-hilary/desk/"))
    browser.post("/st-hilary/start/rules/", {"rules": "euchre"})
    members_of(club, 4)
    desk = page_of(browser.get("/st-hilary/desk/"))
    assert "Choose the game" not in desk
    assert "Plan the first night" in desk
    assert client_of(scorekeeper).post("/st-hilary/start/away/").status_code == 404
    assert "Plan the first night" in page_of(browser.get("/st-hilary/desk/"))


# The first night of any number of people: who finds a seat, who sits out, who is too few


@pytest.mark.daily(3)
@pytest.mark.parametrize("people", [4, 5, 7, 11, as_proof([22]), as_proof([50])])
@pytest.mark.parametrize("slug", ["three-hand-double-pinochle", "hand-and-foot-simpson"])
def test_stand_ins_fill_the_groups_of_a_number_that_fits_none(club, actor, slug, people):
    event, way = first_night(club, actor, slug, people=people), plan_first_night(shipped()[slug], people)
    seats = Seat.objects.filter(draw__round__stage__event=event)
    assert seats.filter(entry__stands_in=None).count() == people
    assert seats.exclude(entry__stands_in=None).count() == way.stand_ins
    assert Draw.objects.get().tables.count() == len(way.tables.shapes)


def test_a_three_hand_game_with_eleven_says_that_somebody_of_the_house_plays(club, browser, night):
    eleven = list(night["people"])[:11]
    Member.objects.exclude(pk__in=eleven).delete()
    browser.post("/st-hilary/start/rules/", {"rules": "canasta-three-hand"})
    page = page_of(browser.get("/st-hilary/start/night/"))
    assert "Everybody plays: 2 tables of 6. 1 stand-in fills the groups" in page
    assert "If you have nobody for that, untick 2." in page
    sent = night | {"game": "canasta-three-hand", "people": eleven, "rounds": "2"}
    assert browser.post("/st-hilary/start/night/", sent)["Location"] == "/st-hilary/start/cards/first-night/"
    page = page_of(browser.get("/st-hilary/start/cards/first-night/"))
    assert "11 people at 2 tables" in page
    assert "1 stand-in fills the groups" in page


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
    with pytest.raises(StepRefused, match=f"Too few for this game: tick {more} more, or choose another game"):
        first_night(club, actor, slug, people=people, rounds=2)
    assert not Event.objects.exists()


def look(browser, night, *, people, **said):
    """What the page says of other people or another game, as its script or its button asks for it."""
    asked = night | {"step": "look", "people": list(night["people"])[:people], **said}
    answer = browser.post("/st-hilary/start/night/", asked, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert not Event.objects.exists()
    return page_of(answer)


def test_what_is_said_and_asked_follows_the_people_and_the_game(club, browser, night):
    left = night | {"proposed-rounds": "5", "proposed-odd": "sit-out", "odd": "sit-out"}
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


def test_without_a_script_a_button_says_it_on_the_whole_page_which_keeps_what_was_typed(club, browser, night):
    eleven = list(night["people"])[:11]
    asked = night | {"step": "look", "people": eleven, "place": "Parish hall", "name": ""}
    answer = browser.post("/st-hilary/start/night/", asked)
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
def test_few_people_play_at_the_tables_that_were_said(browser, night, *, people, chosen, sizes, sit_outs):
    sent = night | {"game": "hand-and-foot", "people": list(night["people"])[:people], "rounds": "3", **chosen}
    browser.post("/st-hilary/start/night/", sent)
    played = engine_round(Draw.objects.get())
    assert sorted(sum(map(len, table)) for table in played.tables) == sizes
    assert len(played.sit_outs) == sit_outs
    assert describe_layout(round_layout(played)) in page_of(browser.get("/st-hilary/start/cards/first-night/"))
