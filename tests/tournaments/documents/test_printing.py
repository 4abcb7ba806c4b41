"""Printing an event: what stands on its documents, and who gets them."""

import re

import pytest

from clubsite.pdf.documents import Heading
from scoring.cards.deals import end_game, reopen_game
from scoring.engine.core.ruleset import Shape
from scoring.models import Game
from tests.tournaments.contests import NAMES, by_number, contest, drawn, enter, play, played_contest, stage_of
from tests.tournaments.documents.sheets import STANDINGS, line, pages_of, part, pdf_of, sizes_of
from tests.tournaments.nights import drafted, games_of, play_deals, seated
from tournaments.cuts import cuts
from tournaments.documents.sheets import list_pages
from tournaments.draws.making import DrawOptions, make_draw
from tournaments.events.words import seat_name
from tournaments.models import Draw, Entry, PublishedStandings
from tournaments.rounds.publishing import close_round
from tournaments.standings.results import publish_result, publish_standings

DOCUMENTS = (
    *("record", "round", "travelling", "place-cards", "tents", "certificates"),
    *("cards", "blank", "seating", "movement", "standings", "cut", "result"),
)


def address(event, document=""):
    base = f"/{event.club.slug}/desk/{event.slug}/print/"
    return f"{base}{document}.pdf" if document else base


@pytest.fixture
def night(event, actor):
    """Ten people, a published round of two tables with a deal at the first, two sitting out."""
    draw = seated(event, actor, 10)
    play_deals(games_of(draw)[0], actor)
    return event


def text_of(client, event, document, **query):
    response = client.get(address(event, document), query)
    assert response.status_code == 200, response.content[-2000:]
    assert response["Content-Type"] == "application/pdf"
    return pages_of(response.content)


def test_cards_of_a_night_name_event_date_round_table_and_people(client_of, scorekeeper, night):
    pages = text_of(client_of(scorekeeper), night, "cards")
    (page,) = pages
    for words in ("Night friday", "Friday, 6 November 2054", "Round 1 · Table 1", "Round 1 · Table 2", "North", "West"):
        assert words in page
    people = [name for game in Game.objects.filter(club=night.club) for side in game.sides.all() for name in side.names]
    assert len(people) == 8
    assert [name for name in people if page.count(name) != 1] == []
    assert "version 3" in page


def test_a_movement_sheet_has_all_rounds_planned_and_is_the_directors(client_of, browser, scorekeeper, night):
    (page,) = text_of(browser, night, "movement")
    for words in ("Movement · Round 1", "2*", "3*", "Repeated meetings", "Met again as partners: none", "Sit-outs"):
        assert words in page
    for name in night.entries.values_list("name", flat=True):
        assert page.count(name) == 1
    assert page.count("out\n") + page.count("out ") >= 6  # two in each of three rounds
    assert client_of(scorekeeper).get(address(night, "movement")).status_code == 404
    assert "Movement sheet" in browser.get(address(night)).content.decode()
    assert "Movement sheet" not in client_of(scorekeeper).get(address(night)).content.decode()


def test_cards_are_blank_unless_the_record_is_asked_for(client_of, scorekeeper, night):
    game = Game.objects.filter(club=night.club, deals_played=1).get()
    running = [str(side.total).replace("-", "−") for side in game.sides.all()]
    client = client_of(scorekeeper)
    (blank,), (filled,) = text_of(client, night, "cards"), text_of(client, night, "cards", filled=1)
    assert "Card 2 of 2" in blank
    assert [total for total in running if total not in filled.split()] == []
    assert "Card 1 of 1" in filled  # the other table's would be one more blank card
    assert "Table 1" in filled
    assert "Table 2" not in filled


def test_a_card_as_recorded_says_why_its_game_was_ended(client_of, scorekeeper, actor, night):
    game = Game.objects.filter(club=night.club, deals_played=1).get()
    for words in ("The bell has rung.", "The bell has rung, and both sides were content to stop. " * 4):
        end_game(game=game, by=actor, reason=words)
        (blank,), (filled,) = (text_of(client_of(scorekeeper), night, "cards", filled=n) for n in (0, 1))
        kept = " ".join(Game.objects.get(pk=game.pk).reason.split())
        assert f"Ended by the director: {kept}" in " ".join(filled.split())
        assert "Ended by the director" not in blank
        reopen_game(game=game, by=actor, reason="not yet")


def test_no_card_is_printed_as_recorded_before_a_deal_is(client_of, scorekeeper, event, actor):
    seated(event, actor, 4)
    response = client_of(scorekeeper).get(address(event, "cards"), {"filled": 1})
    assert response.status_code == 409
    assert "No deal of this draw is recorded yet." in response.content.decode()


def test_the_clubs_paper_is_used_unless_another_is_asked_for(client_of, scorekeeper, night):
    client = client_of(scorekeeper)
    assert sizes_of(client.get(address(night, "cards")).content) == {(216, 279)}
    assert sizes_of(client.get(address(night, "cards"), {"paper": "A4"}).content) == {(210, 297)}
    assert sizes_of(client.get(address(night, "seating"), {"paper": "nonsense"}).content) == {(216, 279)}


def test_blank_cards_have_no_names(client_of, scorekeeper, night):
    pages = text_of(client_of(scorekeeper), night, "blank", copies=3)
    assert len(pages) == 2
    assert not any("Player" in page for page in pages)
    assert "Running" in pages[0]


def test_the_seating_list_has_everybody_by_name_and_by_table(client_of, scorekeeper, night):
    (page,) = text_of(client_of(scorekeeper), night, "seating")  # of ten people, both lists have room on one sheet
    names, tables = page.split("By table")
    for n in range(1, 11):
        assert f"Player {n:02}" in names  # sitting out or seated
    assert "No seat this round:" in names
    assert "Table 2" in tables


def test_a_draft_is_printed_for_the_director_only_and_marked(client_of, director, scorekeeper, night, actor):
    Game.objects.filter(club=night.club).update(state=Game.State.OVER, ended_by="director")
    night.stages.get().rounds.update(closed=True)
    draft = drafted(night, actor, planned=3, seed=9)
    (page,) = text_of(client_of(director), night, "cards", draw=draft.pk)
    assert "draft" in page.lower()
    assert "Round 2 · Table 2" in page
    assert client_of(scorekeeper).get(address(night, "cards"), {"draw": draft.pk}).status_code == 404
    assert "draft" not in client_of(scorekeeper).get(address(night)).content.decode()


def test_provisional_standings_say_so_and_published_ones_name_their_version(client_of, scorekeeper, night, actor):
    client = client_of(scorekeeper)
    (now,) = text_of(client, night, "standings")
    assert "provisional" in now.lower()
    assert "game open" in now or "games open" in now
    publish_standings(stage=night.stages.get(), by=actor)
    (published,) = text_of(client, night, "standings", version=1)
    assert "Version 1 of" in published
    assert "provisional" not in published.lower()
    assert "Player 01" in published


@pytest.mark.proof
@pytest.mark.long
def test_a_contest_on_paper_from_draw_to_result(browser, club, actor):
    event = played_contest(club, actor)
    first = stage_of(event, 1)
    cards = text_of(browser, event, "cards", paper="A4")
    assert sum(page.count("Group A") + page.count("Group B") for page in cards) == 18
    assert [name for name in NAMES if sum(page.count(name) for page in cards) != 1] == []
    seating = text_of(browser, event, "seating")
    assert len(seating) == 2
    assert [name for name in NAMES if any(page.count(name) != 1 for page in seating)] == []
    standings = " ".join(text_of(browser, event, "standings"))
    assert [name for name in NAMES if standings.count(name) != 2] == []  # overall, and in the group
    assert "Group 9B" in standings
    proposal = " ".join(text_of(browser, event, "cut"))
    assert "proposal" in proposal.lower()
    cuts.publish_cut(stage=first, by=actor, fingerprint=cuts.propose(first).fingerprint)
    cut = " ".join(text_of(browser, event, "cut", stage=1))
    assert "18 go on" in cut
    assert "36 don't" in cut
    assert cut.count("Won group") == 18
    assert cut.count("Below the line") == 36
    for number in (2, 3):
        stage = stage_of(event, number)
        play(drawn(stage, actor), actor, by_number)
        if number == 2:
            cuts.publish_cut(stage=stage, by=actor, fingerprint=cuts.propose(stage).fingerprint)
    assert browser.get(address(event, "result")).status_code == 404
    publish_result(event=event, by=actor)
    result = " ".join(text_of(browser, event, "result"))
    winners, _heads, everybody = result.partition("Games won")
    assert [name for name in NAMES if everybody.count(name) != 1] == []
    order = [row["name"] for row in PublishedStandings.objects.get(event=event, final=True).rows]
    assert winners.index(order[0]) < winners.index(order[1]) < winners.index(order[2])
    assert result.index(NAMES[0]) < result.index("Director") < result.index("Out after")


@pytest.mark.proof
def test_cards_of_a_draft_are_for_the_whole_set(browser, club, actor):
    event = contest(club, actor, game="three-hand-double-pinochle", games=2)
    enter(event, actor)
    draft = make_draw(stage=stage_of(event, 1), by=actor, seen=0, options=DrawOptions(seed=3))
    assert draft.state == Draw.State.DRAFT
    pages = text_of(browser, event, "cards", draw=draft.pk)
    assert len(pages) == 36  # two games each for eighteen groups, a sheet each
    assert "Qualifying · Table 1 · Group A · Game 2" in pages[1]


@pytest.mark.parametrize(
    ("document", "query"),
    [("nonsense", {}), ("cards", {"draw": "x"}), ("cards", {"draw": "9" * 30}), ("cut", {"stage": 9}), ("result", {})],
)
def test_what_is_not_there_is_not_found(browser, night, document, query):
    assert browser.get(address(night, document), query).status_code == 404


def test_the_cut_of_a_night_says_why_there_is_none(browser, night):
    response = browser.get(address(night, "cut"))
    assert response.status_code == 409
    assert "Nobody goes on" in response.content.decode()


def test_the_print_centre_offers_one_draw_of_each_round(browser, night, actor):
    close_round(round=Draw.objects.get().round, by=actor, end_open=True, reason="late")
    older = drafted(night, actor)
    newer = drafted(night, actor, seen=1)
    page = browser.get(address(night)).content.decode()
    assert f"draw={newer.pk}&" in page
    assert f"draw={older.pk}&" not in page
    assert len(re.findall(r"Round 1\s*<", page)) == 1


def test_the_print_centre_names_whom_the_typeface_may_print_as_boxes(browser, night):
    first, second = night.entries.order_by("pk")[:2]
    for entry, name in ((first, "Łukasz Δημήτρης-Дмитрий"), (second, "李 <Ming>")):
        entry.name = name
        entry.save()
    page = browser.get(address(night)).content.decode()
    assert "The names: 李 &lt;Ming&gt;" in page
    Entry.objects.filter(pk=second.pk).update(name="Li Ming")
    assert "empty boxes" not in browser.get(address(night)).content.decode()


@pytest.mark.parametrize(
    ("shape", "seats"),
    [
        (Shape(2, 2), ["North", "South", "East", "West"]),
        (Shape(2, 3), ["Seat 1", "Seat 3", "Seat 5", "Seat 2", "Seat 4", "Seat 6"]),
        (Shape(3, 1), ["Seat 1", "Seat 2", "Seat 3"]),
    ],
)
def test_partners_sit_opposite(shape, seats):
    assert [seat_name(shape, s, position=p) for s in range(shape.sides) for p in range(shape.per_side)] == seats


def test_one_file_has_all_that_the_hall_needs_of_a_round(client_of, browser, scorekeeper, night):
    everything = " ".join(text_of(browser, night, "round"))
    for words in ("Seats · Round 1", "No seat this round:", "Movement · Round 1", "Round 1 · Table 2", "Signed"):
        assert words in everything
    for words in ("Page 1 of 1", "Card 2 of 2", "Draw, version 1", "Made "):
        assert words in everything
    assert "1.1-2A-1: stage 1, round 1, table 2, game 1." in everything
    assert "Movement" not in " ".join(text_of(client_of(scorekeeper), night, "round"))


@pytest.mark.proof
@pytest.mark.long
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_standings_of_54_with_names_of_forty_letters_take_two_sheets(paper):
    names = [f"Włodzimierz Brzęczyszczykiewicz-Łąk {n:04}" for n in range(54)]
    rows = [line(str(n), name, "3A", "1,234", "2", "1") for n, name in enumerate(names, 1)]
    parts = [
        part(f"Group {n}", ("Points", "Won", "Failed"), [row | {"figures": row["figures"][1:]} for row in group])
        for n, group in enumerate(rows[n : n + 3] for n in range(0, 54, 3))
    ]
    heading = Heading("Club", "Event", "Friday", "Standings", "Version 1 of 6 November 2054, 21:00")
    columns = ("Table", "Points", "Games won", "Failed bids")
    sheet = {"template": STANDINGS, "heading": heading, "columns": columns, "rows": rows, "parts": parts}
    pages = pages_of(pdf_of(list_pages(sheet, paper)))
    assert len(pages) == 2
    squeezed = "".join(pages).replace(" ", "")
    assert [name for name in names if squeezed.count(name.replace(" ", "")) != 2] == []
