"""Years of the book, its categories, cash and bank, and yearly dues: worked out here again from what was written."""

import csv
import importlib
import io
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from django.apps import apps
from django.utils.timezone import localdate

from clubsite.accounts.models import LogEntry
from tests.pages import page_of
from tests.tournaments import nights
from tests.tournaments.results import member
from tournaments import money as actions
from tournaments.errors import StepRefused
from tournaments.members.actions import may_be_taken_off
from tournaments.members.merging import merge
from tournaments.members.personal_data import export_of
from tournaments.models import Dues, MoneyLine

BOOK = "/st-hilary/desk/money/book/"
DUES = "/st-hilary/desk/money/dues/?year=2024"


@pytest.fixture
def ann(club):
    return member(club, "Ann")


def write(browser, side, amount, on, **also):
    sent = {"step": "line", "side": side, "words": "words", "amount": str(amount), "on": on, "submission": uuid4()}
    assert browser.post(BOOK, sent | also).status_code == 302
    return MoneyLine.objects.latest("pk")


def years(club):
    return {
        row["year"]: [row[name] for name in ("carried", "came", "went", "left", "cash", "bank")]
        for row in actions.years_of(club)
    }


def rows(browser, query="?year=2024"):
    text = browser.get(f"/st-hilary/desk/money/book.csv{query}").content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))[1:]


def test_each_year_carries_over_what_the_one_before_left_in_cash_and_bank(club, browser):
    write(browser, "income", 100, "2022-12-31")
    write(browser, "income", 40, "2023-02-01", way="bank", category="raffle")
    write(browser, "cost", 15, "2023-03-01", category="Raffle")
    write(browser, "to-bank", 50, "2023-04-01")
    write(browser, "to-cash", 20, "2024-01-01")
    write(browser, "cost", 5, "2024-01-02", category="drinks")
    assert years(club) == {
        2022: [0, 10000, 0, 10000, 10000, 0],
        2023: [10000, 4000, -1500, 12500, 3500, 9000],
        2024: [12500, 0, -500, 12000, 5000, 7000],
    }
    assert actions.categories_of(club, 2023) == [{"name": "Raffle", "came": 4000, "went": -1500}]
    page = page_of(browser.get(f"{BOOK}?year=2024"))
    assert "Carried over $125.00, at the end $120.00." in page
    assert "In cash $50.00, in the bank $70.00." in page
    assert browser.get(f"{BOOK}?year=20240").status_code == 404


def test_what_was_moved_goes_back_with_both_lines_and_once(club, browser):
    out = write(browser, "to-bank", 50, "2024-04-01")
    into = MoneyLine.objects.get(amount=5000)
    assert (out.way, out.amount, into.way) == ("cash", -5000, "bank")
    for line in (into, out, out):  # the second of the two has no way back of its own
        browser.post(BOOK, {"step": "reverse", "line": line.pk, "reason": "a slip"})
    assert MoneyLine.objects.count() == 4
    assert years(club) == {2024: [0, 0, 0, 0, 0, 0]}
    assert list(LogEntry.objects.order_by("pk").values_list("verb", flat=True))[-1] == "money.reverse"


def test_a_line_is_reversed_on_its_own_day_or_on_the_one_that_is_written(club, browser):
    for on, day in (("", date(2024, 4, 1)), ("2024-05-02", date(2024, 5, 2))):
        line = write(browser, "cost", 50, "2024-04-01", way="bank", category="rent")
        browser.post(BOOK, {"step": "reverse", "line": line.pk, "reason": "a slip", "on": on})
        back = MoneyLine.objects.get(reverses=line)
        assert (back.on, back.way, back.category) == (day, "bank", "rent")
    line = write(browser, "cost", 50, "2024-04-01")
    for wrong in ("24-05-02", str(localdate(timezone=club.zone) + timedelta(days=1))):
        browser.post(BOOK, {"step": "reverse", "line": line.pk, "reason": "a slip", "on": wrong})
    assert not MoneyLine.objects.filter(reverses=line).exists()


def test_a_day_to_come_is_refused(club, actor):
    tomorrow = localdate(timezone=club.zone) + timedelta(days=1)
    line = MoneyLine(kind="cost", amount=-5, words="x", on=tomorrow)
    with pytest.raises(StepRefused, match="still to come"):
        actions.write_line(club=club, by=actor, line=line, submission=uuid4())


def test_amounts_of_no_event_are_in_the_files_with_their_words(club, browser):
    write(browser, "cost", 50, "2024-04-01", words="new cards", category="cards", way="bank")
    write(browser, "income", 9, "2023-04-01", words="a gift")
    (line,) = rows(browser)
    assert (line[0], line[1:4], line[5:7]) == ("2024-04-01", ["cost", "new cards", "-50.00"], ["cards", "bank"])
    assert [[row[1], row[-1]] for row in rows(browser, "")] == [
        ["other income: a gift", "9.00"], ["cost: new cards", "-50.00"],
    ]  # fmt: skip


def test_dues_of_a_year_are_taken_once_and_taken_back(club, ann, browser, scorekeeper, client_of):
    member(club, "Bob")
    browser.post(DUES, {"entry": ann.pk})
    browser.post(DUES, {"step": "dues", "fee": "20"})
    for _tap in range(2):
        answer = browser.post(f"{DUES}&by=bank", {"entry": ann.pk})
    assert answer["Location"] == f"{DUES}&by=bank#entry-{ann.pk}"
    line = MoneyLine.objects.get()
    assert (line.amount, line.way, line.member, line.what, line.about) == (
        2000, "bank", ann, "yearly dues 2024", "Ann",
    )  # fmt: skip
    assert "1 of 2 people have paid: $20.00." in page_of(browser.get(DUES))
    assert "0 of 2 people have paid" not in page_of(browser.get(DUES.replace("2024", "2025")))
    assert not may_be_taken_off(ann)
    for _tap in range(2):
        browser.post(DUES, {"entry": ann.pk, "line": line.pk})
    assert [one.amount for one in MoneyLine.objects.order_by("pk")] == [2000, -2000]
    assert client_of(scorekeeper).get(DUES).status_code == 404
    assert client_of(scorekeeper).post(DUES, {"entry": ann.pk}).status_code == 404


def test_dues_are_dated_the_day_that_is_chosen_and_none_is_written_for_a_day_to_come(club, ann, browser):
    browser.post(DUES, {"step": "dues", "fee": "20"})
    for day in ("2054-01-01", "0024-03-01", "soon", ""):
        browser.post(f"{DUES}&on={day}", {"entry": ann.pk})
        assert not MoneyLine.objects.exists()
    answer = browser.post(f"{DUES}&on=2024-03-01&by=bank", {"entry": ann.pk})
    assert str(MoneyLine.objects.get().on) == "2024-03-01"
    assert 'name="on" value="2024-03-01"' in page_of(browser.get(answer["Location"]))


def test_what_was_moved_is_no_row_of_the_book(club, browser):
    write(browser, "to-bank", 9, "2024-04-01")
    assert MoneyLine.objects.count() == 2
    assert rows(browser, "") == []


def test_dues_paid_stay_as_written_when_they_change_and_are_proposed_for_the_next_year(club, ann, actor, browser):
    dues = actions.set_dues(club=club, year=2024, by=actor, amount=2000)
    actions.take_dues(dues=dues, member=ann, by=actor, submission=uuid4())
    actions.set_dues(club=club, year=2024, by=actor, amount=2500)
    assert MoneyLine.objects.get().amount == 2000
    assert 'value="25.00"' in page_of(browser.get(DUES.replace("2024", "2025")))
    assert Dues.objects.count() == 1
    ann.active = False
    ann.save()
    assert "1 of 1 person has paid: $20.00." in page_of(browser.get(DUES))  # who has paid stays on the list
    assert [(line["for"], line["amount"]) for line in export_of(ann, by=actor)["money"]] == [("dues", 2000)]


def test_a_fee_can_be_paid_into_the_bank(club, actor, rules_for, scorekeeper, client_of):
    night = nights.make_night(club, rules_for("st-hilary-v3"))
    nights.arrive(night, actor, 4)
    actions.set_fee(event=night, by=actor, fee=500)
    client_of(scorekeeper).post(f"/st-hilary/desk/{night.slug}/fees/?by=bank", {"entry": night.entries.first().pk})
    assert MoneyLine.objects.get().way == "bank"


def test_lines_of_before_have_the_day_on_which_they_were_written(club, other_club):
    club.time_zone = "America/Chicago"
    club.save()
    line = MoneyLine.objects.create(club=club, kind="cost", amount=-5, submission=uuid4(), on=date(2000, 1, 1))
    MoneyLine.objects.filter(pk=line.pk).update(at=datetime(2024, 1, 1, 3, tzinfo=UTC))
    importlib.import_module("tournaments.migrations.0027_treasurers_book").date_lines(apps, None)
    assert MoneyLine.objects.get().on == date(2023, 12, 31)


def test_more_years_and_payers_cost_no_more_queries(club, actor, ann, browser):
    def write_some(year):
        dues = actions.set_dues(club=club, year=year, by=actor, amount=2000)
        actions.take_dues(dues=dues, member=member(club, f"Zoe {year}"), by=actor, submission=uuid4())
        write(browser, "cost", 5, f"{year}-01-02", category=f"category {year}")

    pages = (BOOK, f"{BOOK}?year=2024", DUES)
    write_some(2024)
    once = [nights.queries_of(browser, page) for page in pages]
    for year in (2022, 2023):
        write_some(year)
    assert [nights.queries_of(browser, page) for page in pages] == once


def test_dues_that_two_names_of_one_person_paid_are_both_shown_and_each_taken_back(club, ann, actor, browser):
    anna, dues = member(club, "Anna"), actions.set_dues(club=club, year=2024, by=actor, amount=2000)
    for name in (ann, anna):
        actions.take_dues(dues=dues, member=name, by=actor, submission=uuid4())
    merge(kept=ann, merged=anna, by=actor)
    assert "have paid: $40.00." in page_of(browser.get(DUES))
    for line in MoneyLine.objects.order_by("pk"):
        browser.post(DUES, {"entry": ann.pk, "line": line.pk})
    assert sum(MoneyLine.objects.values_list("amount", flat=True)) == 0


def test_who_was_merged_meanwhile_pays_once(club, ann, actor):
    anna, dues = member(club, "Anna"), actions.set_dues(club=club, year=2024, by=actor, amount=2000)
    merge(kept=ann, merged=anna, by=actor)
    lines = {actions.take_dues(dues=dues, member=name, by=actor, submission=uuid4()) for name in (anna, ann)}
    assert [line.member for line in lines] == [ann]
