"""Travel cards, names for places, tents for tables, certificates: what stands on them, and for whom."""

import re
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubsite.pdf.documents import PAPERS
from scoring.engine.core.ruleset import Shape
from tests.tournaments.contests import NAMES, by_number, drawn_contest, play
from tests.tournaments.documents.sheets import has
from tests.tournaments.documents.test_printing import address, text_of
from tests.tournaments.draws.test_by_format import make_event, play_round as play_matches
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, play_round, publish_next, seated
from tournaments.documents.cards import printed_cards
from tournaments.documents.hall import LabelSheet, place_cards, tent_pages, travel_cards
from tournaments.documents.paper_forms import PAPER_FORMS
from tournaments.documents.sheets import list_pages, met_sheet, seating_sheet
from tournaments.models import PublishedStandings
from tournaments.standings.results import publish_result

LONG = (
    "Włodzimierz Brzęczyszczykiewicz-Nowakowsk",
    "Nguyễn Thị Phương Thảo Trần Lê Minh Khuê",
    "Caoimhín Ó Súilleabháin",
)


@pytest.fixture
def night(event, actor):
    """Ten people: a round played, the second published, two sitting out of each."""
    play_round(seated(event, actor, 10), actor)
    publish_next(event, actor)
    return event


def test_a_card_to_travel_with_says_where_its_owner_sits_in_each_round_and_with_whom(night):
    cards = travel_cards(night)["cards"]
    assert [card["name"] for card in cards] == sorted(night.entries.values_list("name", flat=True))
    seats = {card["name"]: card["stops"] for card in cards}
    for name, stops in seats.items():
        assert [stop["round"] for stop in stops] == ["1", "2"]
        for n, stop in enumerate(stops):
            if "out" in stop:
                assert "table" not in stop
                continue
            partner = seats[stop["partners"]][n]  # who says the same from the other side of the table
            assert (partner["partners"], partner["table"]) == (name, stop["table"])
            assert partner["against"] == stop["against"]
            assert {seats[other][n]["table"] for other in stop["against"].split(", ")} == {stop["table"]}
    assert sum("out" in stop for stops in seats.values() for stop in stops) == 4


def test_rounds_that_are_only_planned_are_on_the_directors_cards_and_marked(client_of, browser, scorekeeper, night):
    ahead = travel_cards(night, ahead=True)
    assert ahead["planned"]
    assert [stop["round"] for stop in ahead["cards"][0]["stops"]] == ["1", "2", "3*"]
    planned = "planned with this round"
    assert planned in " ".join(text_of(browser, night, "travelling"))
    assert planned not in " ".join(text_of(client_of(scorekeeper), night, "travelling"))


@pytest.mark.daily(2)
@pytest.mark.parametrize(("on", "sheets"), [(1, 10), (2, 5), (4, 3)])
def test_travelling_cards_go_so_many_on_a_sheet(client_of, scorekeeper, night, on, sheets):
    assert len(text_of(client_of(scorekeeper), night, "travelling", on=on)) == sheets


@pytest.mark.daily(1)
@pytest.mark.parametrize("on", [1, 2, 4])
def test_a_cribbage_players_card_has_a_line_for_each_game_with_what_is_written_on_it(
    club, actor, client_of, scorekeeper, on
):
    rules = {"pairing": "lot", "rematches": "fewest", "game": "cribbage", "shape": Shape(2)}
    event = make_event(club, actor, "swiss", rounds=9, **rules)
    event.result_points = {"win": 2, "draw": 0, "loss": 0, "wide": [[31, 3]]}
    event.save()
    arrive(event, actor, 6)
    play_matches(event, actor)
    publish_next(event, actor)
    pages = text_of(client_of(scorekeeper), event, "travelling", on=on)
    assert len(pages) == 6 / min(on, 2), "four would leave no room to write"
    assert all(has(page, words) for page in pages for words in ("Opponent Game points + − Initials", "Total"))
    assert travel_cards(event)["lines"] == 9


def test_in_a_competition_everybody_has_a_line_for_each_game_of_the_sets_they_play(club, actor):
    event, _draw = drawn_contest(club, actor, games=2)
    cards = travel_cards(event)["cards"]
    assert [card["name"] for card in cards] == sorted(NAMES, key=str.casefold)
    assert {tuple(stop["round"] for stop in card["stops"]) for card in cards} == {
        ("Qualifying · game 1", "Qualifying · game 2")
    }
    assert {len(stop["against"].split(", ")) for card in cards for stop in card["stops"]} == {2}


def test_everybody_has_a_name_for_their_place_with_the_seat_where_a_draw_is_asked_for(client_of, scorekeeper, night):
    client = client_of(scorekeeper)
    plain = " ".join(text_of(client, night, "place-cards"))
    assert [n for n in range(1, 11) if plain.count(f"Player {n:02}") != 1] == []
    assert "Table" not in plain
    draw = night.stages.get().rounds.get(number=2).draws.get()
    with_seats = " ".join(text_of(client, night, "place-cards", draw=draw.pk))
    assert [n for n in range(1, 11) if with_seats.count(f"Player {n:02}") != 1] == []
    assert len(re.findall(r"Table [12] · (?:North|South|East|West)", with_seats)) == 8


@pytest.mark.parametrize("paper", PAPERS)
def test_places_and_their_crop_marks_stand_on_the_sheet(paper):
    spots = LabelSheet(PAPERS[paper], 2, 4, 90, 60)
    assert spots.left >= 10  # with room for the marks
    assert spots.top >= 10
    assert spots.crop_marks.count("M") == 2 * (3 + 5) + 2 * 3


def test_a_tent_has_its_tables_number_and_code_on_both_sides(client_of, scorekeeper, night):
    tents = text_of(client_of(scorekeeper), night, "tents")
    assert len(tents) == 2
    codes = [re.findall(r"[A-Z]{4}-[0-9]{2}", tent) for tent in tents]
    assert [len(found) for found in codes] == [2, 2]
    assert codes[0][0] == codes[0][1] != codes[1][0]


def test_every_name_and_number_of_who_met_whom_has_its_place(night):
    (page,) = list_pages(met_sheet(night, "A4"), "A4").documents
    assert page.count("<text ") == 2 * 10
    assert 'x=""' not in page
    assert 'y=""' not in page


def test_winners_get_certificates_once_the_result_is_published(client_of, scorekeeper, event, actor):
    play_round(seated(event, actor, 8), actor, 2)
    client = client_of(scorekeeper)
    assert client.get(address(event, "certificates")).status_code == 404
    assert "certificates.pdf" not in client.get(address(event)).content.decode()
    publish_result(event=event, by=actor)
    PublishedStandings.objects.update(reason="a card was read wrongly")
    rows = PublishedStandings.objects.get(event=event).rows
    pages = text_of(client, event, "certificates")
    assert len(pages) == sum(row["place"] <= 3 for row in rows)
    for page, row in zip(pages, rows, strict=False):
        assert row["name"] in page
        assert ("hared first place" if row["shared"] else "First place") in page or row["place"] > 1
        assert "Parish hall" in page
        assert "Version 1 of" in page
        assert "read wrongly" not in page, "why it was corrected is for the list of the result"
    assert len(text_of(client, event, "certificates", places=1)) == sum(row["place"] == 1 for row in rows)


@pytest.mark.daily(1)
@pytest.mark.parametrize("document", ["travelling", "place-cards", "tents"])
def test_long_names_in_any_letters_are_whole(browser, club, actor, document):
    event, draw = drawn_contest(club, actor, names=[*LONG, *NAMES[:3]])
    play(draw, actor, by_number)
    for paper in PAPERS:
        squeezed = re.sub(r"\s", "", " ".join(text_of(browser, event, document, paper=paper)))
        if document != "tents":
            assert [name for name in LONG if re.sub(r"\s", "", name) not in squeezed] == []


@pytest.mark.parametrize("document", ["travelling", "place-cards", "tents"])
def test_nobody_is_entered(client_of, scorekeeper, event, document):
    assert client_of(scorekeeper).get(address(event, document)).status_code in (404, 409)


@pytest.mark.proof
def test_no_document_takes_more_queries_for_eighteen_tables_than_for_nine(club, actor, rules_for):
    counts = []
    for slug, people in (("nine", 36), ("eighteen", 72)):
        event = make_night(club, rules_for("st-hilary-v3"), slug=slug)
        draw = seated(event, actor, people)
        for game in games_of(draw):
            play_deals(game, actor)
        made = {
            "travelling": partial(travel_cards, event, ahead=True),
            "places": partial(place_cards, event, draw),
            "tents": partial(tent_pages, draw, "A4", site="http://192.168.1.20/"),
            "seating": partial(seating_sheet, draw, site="http://192.168.1.20/"),
            "cards": partial(printed_cards, draw, site="http://192.168.1.20/"),
            "cards as recorded": partial(printed_cards, draw, filled=True),
            "who is here": partial(PAPER_FORMS["form-here"].make, event),
            "points": lambda event=event: list(PAPER_FORMS["form-points"].make(event).lines),
        }
        taken = {}
        for name, make in made.items():
            with CaptureQueriesContext(connection) as queries:
                make()
            taken[name] = len(queries)
        counts.append(taken)
    assert counts[0] == counts[1]
