"""Files for spreadsheets: figures are figures, dates dates, and no name is ever a formula."""

import csv
import io
import zipfile
from datetime import UTC, date, datetime
from fractions import Fraction

import openpyxl
import pytest
import tablib
from django.utils.translation import override
from hypothesis import given, strategies as st
from odf import number, opendocument, style, table

from clubsite.accounts.models import Member
from clubsite.currency import to_whole_units
from scoring.models import DealVersion
from scoring.pasted_names import read_names
from scoring.spreadsheets import FORMULA, unescape_formula
from tests.examples import examples
from tests.tournaments import nights
from tests.tournaments.results import closed_night, make_season
from tournaments.exports.spreadsheets import Sheet, write_sheet
from tournaments.standings import results as standings_results

EVIL = '=HYPERLINK("http://x.example","Ann")'


def cells(data):
    """The cells of an Excel file, formulas as such."""
    (sheet,) = openpyxl.load_workbook(io.BytesIO(data)).worksheets
    return [list(row) for row in sheet.iter_rows()]


def rows(data):
    text = data.decode()
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


@pytest.fixture
def night(club, rules_for):
    return closed_night(make_season(club), rules_for("st-hilary-v3"), 6, {"Ann": 40, "Bob": -3}, {EVIL: 12})


@pytest.fixture
def played(club, actor, rules_for):
    """A night of four, one round."""
    event = nights.make_night(club, rules_for("st-hilary-v3"))
    nights.play_night(event, actor, 4, deals=2)
    return event


@pytest.mark.parametrize("text", [EVIL, "+1", "-x", "@home", "=1"])
def test_no_text_becomes_a_formula(text):
    sheet = Sheet("T", ("Name", EVIL), ((text, 5),))
    (head, row) = cells(write_sheet(sheet, "xlsx"))
    assert [(cell.data_type, cell.value) for cell in (*head, *row)] == [
        ("s", "Name"), ("s", EVIL), ("s", text), ("n", 5),
    ]  # fmt: skip
    content = zipfile.ZipFile(io.BytesIO(write_sheet(sheet, "ods"))).read("content.xml").decode()
    assert "table:formula" not in content
    cell = rows(write_sheet(sheet, "csv"))[1][0]
    assert cell[0] == "'"
    assert unescape_formula(cell) == text


@examples(60)
@given(st.lists(st.text(max_size=12) | st.integers(-9999, 9999), min_size=1, max_size=4))
def test_any_text_can_be_written_and_none_runs(row):
    sheet = Sheet("Any / title: [1]", tuple("abcd"[: len(row)]), (tuple(row),))
    assert {cell.data_type for line in cells(write_sheet(sheet, "xlsx")) for cell in line} <= {"s", "n", "inlineStr"}
    assert b"table:formula" not in zipfile.ZipFile(io.BytesIO(write_sheet(sheet, "ods"))).read("content.xml")
    for line in rows(write_sheet(sheet, "csv"))[1:]:
        assert not [c for c in line if c[:1] in FORMULA and c and not c.removeprefix("-").isdecimal()]


def test_figures_are_figures_and_dates_are_dates():
    moment = datetime(2054, 11, 6, 19, 30, tzinfo=UTC)
    sheet = Sheet("T", ("a", "b", "c", "d", "e"), ((-15, Fraction(5, 2), date(2054, 11, 6), moment, None),))
    (row,) = cells(write_sheet(sheet, "xlsx"))[1:]
    assert [cell.value for cell in row[:2]] == [-15, 2.5]
    assert [cell.is_date for cell in row] == [False, False, True, True, False]
    assert rows(write_sheet(sheet, "csv"))[1] == ["-15", "2.5", "2054-11-06", "2054-11-06 19:30", ""]
    (back,) = tablib.Dataset().load(write_sheet(sheet, "ods"), format="ods")
    assert back[:3] == (-15, 2.5, date(2054, 11, 6))


@pytest.mark.parametrize(
    ("currency", "amounts", "expected", "digits"),
    [("EUR", (1250, -500, 0), [12.5, -5, 0], "0.00"), ("JPY", (1250, -500, 0), [1250, -500, 0], "0")],
)
def test_money_has_all_digits_of_its_currency_and_other_figures_their_own(currency, amounts, expected, digits):
    sheet = Sheet("T", ("a", "b", "c", "d"), ((*(to_whole_units(one, currency) for one in amounts), Fraction(5, 2)),))
    (row,) = cells(write_sheet(sheet, "xlsx"))[1:]
    assert [(cell.value, cell.data_type, cell.number_format) for cell in row] == [
        *((value, "n", digits) for value in expected),
        (2.5, "n", "General"),
    ]
    written = write_sheet(sheet, "ods")
    (back,) = tablib.Dataset().load(written, format="ods")
    assert back == (*expected, 2.5)
    book = opendocument.load(io.BytesIO(written))
    (_head, line) = book.getElementsByType(table.TableRow)
    names = [cell.getAttribute("stylename") for cell in line.childNodes]
    styles = {one.getAttribute("name"): one for one in book.getElementsByType(style.Style)}
    assert names[3] is None
    (shown,) = book.getElementsByType(number.NumberStyle)
    assert {styles[name].getAttribute("datastylename") for name in names[:3]} == {shown.getAttribute("name")}
    assert shown.firstChild.getAttribute("decimalplaces") == str(len(digits.partition(".")[2]))


@pytest.mark.parametrize(
    ("place", "published", "line"),
    [
        ("en-us", False, "Ann,2.5,-15.00,3"),
        ("es-es", False, "Ann;2,5;-15,00;3"),
        ("en-es", False, "Ann;2,5;-15,00;3"),
        ("es-419", False, "Ann,2.5,-15.00,3"),
        ("es-es", True, "Ann,2.5,-15.00,3"),
    ],
)
def test_csv_is_as_spreadsheets_of_the_place_read_it_but_not_for_programs(place, published, line):
    row = ("Ann", Fraction(5, 2), to_whole_units(-1500, "EUR"), 3)
    with override(place):
        data = write_sheet(Sheet("T", ("Name", "Average", "Money", "Nights"), (row,), published), "csv")
        names = [one.name for one in read_names(data.decode()).rows]
    assert data.decode().splitlines()[1] == line
    assert names == ["Ann"], "what we write we read"


def test_the_result_is_as_it_is_published(night, actor, client_of):
    browser, address = client_of(None), f"/st-hilary/events/{night.slug}/result.csv"
    found = rows(browser.get(address).content)
    assert [(row[0], unescape_formula(row[2]), row[3]) for row in found[1:]] == [
        ("1", "Ann", "40"), ("2", EVIL, "12"), ("3", "Bob", "-3"),
    ]  # fmt: skip
    standings_results.take_back_result(event=night, by=actor)
    assert browser.get(address).status_code == 404


@pytest.mark.parametrize("kind", ["csv", "xlsx", "ods"])
def test_the_files_are_everybodys_and_who_wants_initials_has_them_in_each(night, client, kind):
    Member.objects.filter(name="Ann").update(initials_only=True)
    for path in (f"events/{night.slug}/result.{kind}", f"seasons/{night.season_id}/table.{kind}"):
        answer = client.get(f"/st-hilary/{path}")
        assert answer["Content-Disposition"].endswith(f'.{kind}"')
        if kind == "csv":
            names = [row[2] for row in rows(answer.content)]
        else:
            names = [str(row[2]) for row in tablib.Dataset().load(answer.content, format=kind)]
        assert {"A.", "Bob"} <= set(names)
        assert "Ann" not in names
    assert client.get(f"/st-hilary/events/{night.slug}/result.exe").status_code == 404


def test_the_season_has_a_column_for_each_night(night, client_of):
    found = rows(client_of(None).get(f"/st-hilary/seasons/{night.season_id}/table.csv").content)
    assert found[0][-1] == "2054-11-06"
    assert [(row[0], row[2], row[4], row[-1]) for row in found[1:]] == [
        ("1", "Ann", "40", "40"),
        ("2", "Bob", "-3", "-3"),
    ]


def test_all_deals_stand_in_their_file(played, scorekeeper, client_of):
    browser, address = client_of(scorekeeper), f"/st-hilary/desk/{played.slug}/files/deals.csv"
    found = rows(browser.get(address).content)[1:]
    wanted = [
        (str(version.deal.number), str(points.side + 1), str(points.points))
        for version in DealVersion.objects.filter(current=True).order_by("deal__game", "deal__number")
        for points in version.points.order_by("side")
    ]
    assert [(row[4], row[5], row[7]) for row in found] == wanted
    assert len(found) == 4


def test_standings_can_be_had_as_they_are_and_as_published(played, scorekeeper, client_of):
    browser, address = client_of(scorekeeper), f"/st-hilary/desk/{played.slug}/files/stage-1.csv"
    now, then = (rows(browser.get(address + query).content) for query in ("", "?version=1"))
    assert now == then
    assert {len(now)} == {5}
    for query in ("?version=2", "?version=x", "?version=²"):
        assert browser.get(address + query).status_code == 404
