"""Names of nearly eighty letters without a space: no document lets them run off its sheet."""

import re
from contextlib import suppress

import pypdfium2
import pytest
from django.http import Http404

from clubsite.accounts.models import Club, Member
from clubsite.charts import Series, places_chart
from clubsite.pdf.documents import render_now
from tests.tournaments.documents.sheets import HEADING, RESULT, SEATING, STANDINGS, has, line, pages_of as text_of, part
from tests.tournaments.nights import make_night, play_round, publish_next
from tests.tournaments.results import make_season
from tournaments.documents.sheets import list_pages
from tournaments.documents.views import DOCUMENTS, Options, document_pages
from tournaments.errors import StepRefused
from tournaments.models import Event
from tournaments.rounds import attendance
from tournaments.standings.results import publish_result
from tournaments.table_links.links import ShownLink

TYPE = re.compile(r"html { font-size: (.+?)pt }")
EDGE = 8.0  # millimetres that no letter stands nearer to the edge of a sheet


def endless(n):
    """A name of 78 letters in one word."""
    return f"{'Wolframmeister' * 6}"[:76] + f"{n:02}"


def sheet_of(template, **parts):
    return {"template": template, "heading": HEADING, **parts}


def off_the_sheet(pdf):
    """By page, the letters that stand beyond the edge or in it."""
    found = {}
    for number, page in enumerate(pypdfium2.PdfDocument(pdf)):
        width, text = page.get_width(), page.get_textpage()
        edge = EDGE * 72 / 25.4
        for n in range(text.count_chars()):
            left, _bottom, right, _top = text.get_charbox(n)
            if right > left and (left < edge or right > width - edge):
                found.setdefault(number, []).append(text.get_text_range(n, 1))
    return found


@pytest.fixture
def played(club, actor, rules_for):
    """A night of nine, closed, in a season."""
    event = make_night(club, rules_for("st-hilary-v3"), season=make_season(club))
    for n in range(9):
        member = Member.objects.create(club=club, name=endless(n))
        attendance.arrive(event=event, by=actor, member=member)
    for _round in range(2):
        play_round(publish_next(event, actor), actor)
    publish_result(event=event, by=actor)
    event.refresh_from_db()
    return event


def documents_of(event, director, rf, wanted):
    request = rf.get("/")
    request.user = director
    found = {}
    for document in wanted:
        with suppress(Http404, StepRefused):
            found[document] = document_pages(Options.from_request(request, event), document)
    return found


def test_the_tables_of_a_draw_are_read_from_left_to_right():
    """Not in columns: to balance those took the renderer twenty seconds for five tables of long names."""
    tables = [
        {"number": n, "groups": [{"players": [(f"Seat {p}", endless(4 * n + p)) for p in range(n)]}]}
        for n in range(1, 5)
    ]
    (page,) = pypdfium2.PdfDocument(render_now(list_pages(sheet_of(SEATING, tables=tables), "Letter")))
    text = page.get_textpage()
    found = text.get_text_range()
    at = [text.get_charbox(found.index(f"Table {n}")) for n in range(1, 5)]
    lefts, bottoms = [round(box[0]) for box in at], [round(box[1]) for box in at]
    assert bottoms[0] == bottoms[1] == bottoms[2] > bottoms[3]
    assert lefts[3] == lefts[0] < lefts[1] < lefts[2]


def test_nine_tables_of_long_names_take_two_sheets_and_no_heading_stands_alone():
    """A line of tables higher than half a sheet left one with nothing but the heading before it."""
    name = "Małgorzata Zofia Brzęczyszczykiewicz"
    tables = [
        {
            "number": n,
            "groups": [
                {
                    "label": f"Group {letter}",
                    "players": [(f"Seat {p}", f"{name} {n}{letter}{p}") for p in range(1, 4)],
                    "link": ShownLink(f"https://cards.example/t/{n}{number}/", f"MOLE-{n}{number}", "cards.example/t/"),
                }
                for number, letter in enumerate("AB")
            ],
        }
        for n in range(1, 10)
    ]
    links = [group["link"] for table in tables for group in table["groups"]]
    sheet = sheet_of(SEATING, tables=tables, links=links)
    _by_name, *by_table = text_of(render_now(list_pages(sheet, "A4")))
    assert len(by_table) == 2
    assert has(by_table[0], "By table")
    assert has(by_table[0], "Table 6")


def test_the_lists_of_groups_lose_no_letter():
    columns = ("Points", "Games won", "Failed bids", "Best game")
    rows = [line("1", f"{'Włodzimierz ' * 5}"[:38] + f"{n:02}", *("100",) * 4) for n in range(6)]
    parts = [part(f"Group {n}", columns, rows[:3]) for n in range(2)]
    sheet = sheet_of(STANDINGS, columns=columns, rows=rows, parts=parts)
    assert off_the_sheet(render_now(list_pages(sheet, "Letter"))) == {}


@pytest.mark.proof
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_no_sheet_of_a_night_loses_a_letter(played, director, rf, paper):
    Club.objects.filter(pk=played.club_id).update(paper=paper)
    found = documents_of(Event.objects.get(pk=played.pk), director, rf, DOCUMENTS)
    assert {"cards", "seating", "standings", "result", "travelling", "tents", "certificates", "record"} <= found.keys()
    wrong = {name: off for name, pages in found.items() if (off := off_the_sheet(render_now(pages)))}
    assert wrong == {}


@pytest.mark.proof
def test_a_long_name_of_who_went_out_keeps_apart_from_its_points():
    rows = [line("", "W" * n, "134") for n in range(20, 60)]
    parts = [part("Out after Semi-final", ("Points",), rows)]
    sheet = sheet_of(RESULT, columns=("Points",), rows=(), parts=parts)
    gaps = []
    for page in pypdfium2.PdfDocument(render_now(list_pages(sheet, "A4"))):
        text = page.get_textpage()
        boxes = [(text.get_text_range(n, 1), text.get_charbox(n)) for n in range(text.count_chars())]
        names = [box for sign, box in boxes if sign == "W"]
        for (one, left, *_), (three, _box), (four, _last) in zip(boxes, boxes[1:], boxes[2:], strict=False):
            if one + three + four == "134":
                gaps += [left[0] - box[2] for box in names if abs(box[1] - left[1]) < 2 and box[2] <= left[0] + 2]
    assert len(gaps) > len(rows)
    assert min(gaps) > 2 * 72 / 25.4


@pytest.mark.daily(1)
@pytest.mark.parametrize(("paper", "people", "sheets"), [("A4", 22, 1), ("Letter", 22, 1), ("A4", 30, 2)])
def test_a_nights_picture_stands_below_its_result_while_there_is_room(paper, people, sheets):
    """One long name among twenty-two gave the picture a sheet of its own, below half a sheet of names."""
    names = [
        "Ann Abel",
        "Bert Bauer",
        "Margaret Mary Fitzgerald-Kowalski",
        *(f"Player {n}" for n in range(4, people + 1)),
    ]
    rows = [line(str(n), name, "9", "1", "0", note="1 sit-out: 174") for n, name in enumerate(names, start=1)]
    winners = [row | {"points": "9", "words": "Ahead of Norbert Haas by 39 points."} for row in rows[:3]]
    chart = places_chart([Series(name, (people, 9, 5, n)) for n, name in enumerate(names[:12], start=1)], "1234")
    columns, words = ("Points", "Games won", "Failed bids"), {"best_game": "Best game", "window": "Corrections"}
    sheet = sheet_of(RESULT, columns=columns, rows=rows, parts=(), winners=winners, chart=chart, **words)
    pages = text_of(render_now(list_pages(sheet, paper)))
    assert len(pages) == sheets
    assert "Places after each round" in pages[-1]


def test_the_points_of_each_winner_stand_below_the_name_however_long():
    winners = [
        {"place": "1", "name": "Jim Pike", "points": "82,485", "words": "625 points ahead of the second."},
        {"place": "2", "name": "Patrick Ó Súilleabháin", "points": "81,860", "words": "620 points ahead of the third."},
        {"place": "3", "name": "Sidney Marchbanks", "points": "81,240", "words": "60 points ahead of the fourth."},
    ]
    rows = [line(str(n), f"Player {n}", "1") for n in range(1, 17)]
    sheet = sheet_of(RESULT, columns=("Points",), rows=rows, parts=(), winners=winners)
    page = pypdfium2.PdfDocument(render_now(list_pages(sheet, "A4")))[0].get_textpage()

    def left(words):
        found = page.search(words).get_next()
        return float(page.get_charbox(found[0])[0])

    for winner in winners:
        assert abs(left(winner["points"]) - left(winner["name"])) < 3, winner


@pytest.mark.daily(2)
@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("count", [4, 12, 16, 20, 28, 44, 56])
def test_larger_type_fills_the_sheets_there_are(count, paper, monkeypatch):
    """What hangs on the wall takes no further sheet for being larger."""
    names = [f"{'Maximiliana Hohenstein'[: 9 + n % 14]} {n:02}" for n in range(count)]
    players = [[(f"Seat {p}", names[n + p]) for p in range(4)] for n in range(0, count, 4)]
    tables = [{"number": n, "groups": [{"label": "", "players": seated}]} for n, seated in enumerate(players, start=1)]
    places = [(name, table["number"], seat) for table in tables for seat, name in table["groups"][0]["players"]]
    rows = [line(n, name, "100", "10", "1") for n, name in enumerate(names, start=1)]
    sheets = [
        sheet_of(SEATING, tables=tables, places=places, links=(), sit_outs=names[:3]),
        sheet_of(STANDINGS, columns=["Points", "Won", "Failed bids"], rows=rows, parts=()),
    ]

    def made(most):
        monkeypatch.setattr("tournaments.documents.sheets.LARGER", most)
        pdfs = [render_now(list_pages(sheet, paper)) for sheet in sheets]
        assert [off_the_sheet(pdf) for pdf in pdfs] == [{}, {}]
        return [len(text_of(pdf)) for pdf in pdfs], TYPE.findall(list_pages(sheets[1], paper).documents[0])

    (larger, type_now), (usual, type_then) = made(2), made(1)
    assert all(now <= before for now, before in zip(larger, usual, strict=True))
    assert (type_now > type_then) == (count <= 28)  # more are close together already
