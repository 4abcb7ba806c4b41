"""The treasurer's book: every amount once, nothing changed in place, and sums that anybody finds again."""

import csv
import importlib
import io
import re
from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.utils.timezone import localdate
from django.utils.translation import override
from hypothesis import given, strategies as st

from clubsite.accounts.models import Club, LogEntry
from clubsite.currency import CURRENCIES, format_money, parse_amount, to_whole_units, usual_currency
from tests.pages import page_of
from tests.tournaments import nights
from tests.tournaments.results import make_season, member
from tournaments import money as actions
from tournaments.engine.prizes import Prize
from tournaments.errors import StepRefused
from tournaments.members.actions import can_remove
from tournaments.members.merging import merge
from tournaments.members.personal_data import export_personal_data
from tournaments.models import Dues, Event, MoneyLine
from tournaments.money import MoneyTotals, add_totals, book_rows, money_totals
from tournaments.prizes.actions import plan_prizes, prize_plan, propose_prizes, publish_prizes, take_back_prizes
from tournaments.prizes.views import AmountField
from tournaments.rounds import attendance

DAY = date(2024, 5, 6)
PLAN = (Prize("place", 1, 2000), Prize("place", 2, 1001), Prize("low", 0, 500))


@pytest.fixture
def event(club, actor, rules_for):
    """A closed night of eight, in a season, with a fee of five dollars."""
    night = nights.make_night(club, rules_for("st-hilary-v3"), season=make_season(club))
    nights.play_night(night, actor, 8)
    night.refresh_from_db()
    return actions.set_fee(event=night, by=actor, fee=500)


def publish(event, by, *prizes):
    plan_prizes(event=event, by=by, prizes=prizes or PLAN, ties="share", one_each=True)
    now = propose_prizes(event, prize_plan(event))
    return publish_prizes(event=event, by=by, fingerprint=now.fingerprint)


def rent(amount=-3000, words="rent"):
    kind = MoneyLine.Kind.COST if amount < 0 else MoneyLine.Kind.INCOME
    return MoneyLine(kind=kind, amount=amount, words=words)


def left(event):
    return sum(line.amount for line in MoneyLine.objects.filter(event=event))


def test_a_fee_is_written_once_however_often_it_is_ticked(event, actor):
    entry, same = event.entries.first(), uuid4()
    first = actions.take_fee(entry=entry, by=actor, submission=same)
    assert actions.take_fee(entry=entry, by=actor, submission=same) == first  # the retry
    assert actions.take_fee(entry=entry, by=actor, submission=uuid4()) == first  # somebody else at the door
    assert (first.amount, left(event)) == (500, 500)


def test_a_fee_given_back_can_be_paid_again(event, actor):
    entry = event.entries.first()
    paid = actions.take_fee(entry=entry, by=actor, submission=uuid4())
    back = actions.reverse_line(line=paid, by=actor, reason="went home")
    assert (back.amount, left(event)) == (-500, 0)
    actions.take_fee(entry=entry, by=actor, submission=uuid4())
    assert left(event) == 500
    assert MoneyLine.objects.count() == 3


def test_no_line_is_ever_changed(event, actor):
    line = actions.write_line(club=event.club, by=actor, line=rent(), submission=uuid4(), of=event)
    line.amount = -1
    with pytest.raises(TypeError, match="never changed"):
        line.save()


def test_a_line_is_reversed_once_and_with_a_reason(event, actor):
    line = actions.write_line(club=event.club, by=actor, line=rent(), submission=uuid4(), of=event)
    with pytest.raises(StepRefused, match="why you are reversing the line"):
        actions.reverse_line(line=line, by=actor, reason=" ")
    back = actions.reverse_line(line=line, by=actor, reason="twice")
    assert actions.reverse_line(line=line, by=actor, reason="twice") == back
    with pytest.raises(StepRefused, match="reverses another"):
        actions.reverse_line(line=back, by=actor, reason="no")
    assert left(event) == 0
    verbs = LogEntry.objects.filter(verb__startswith="money.").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["money.set-fee", "money.cost", "money.reverse"]


@pytest.mark.parametrize(
    "wrong",
    [
        rent(0),
        rent(-5, " "),
        MoneyLine(kind="cost", amount=5, words="x"),
        MoneyLine(kind="income", amount=-5, words="x"),
        rent(10**10),
    ],
)
def test_an_amount_that_says_nothing_is_refused(event, actor, wrong):
    with pytest.raises(StepRefused):
        actions.write_line(club=event.club, by=actor, line=wrong, submission=uuid4(), of=event)
    assert MoneyLine.objects.count() == 0


def test_prizes_go_out_as_they_are_published_and_only_once(event, actor):
    with pytest.raises(StepRefused, match="Publish the prizes first"):
        actions.pay_prizes(event=event, by=actor)
    published = publish(event, actor)
    # What went out, worked out here from the published lines alone.
    wanted = -sum(line["each"] * len(line["winners"]) + line.get("more", 0) for line in published.lines)
    assert wanted < -3400
    assert len(actions.pay_prizes(event=event, by=actor)) > 0
    assert actions.pay_prizes(event=event, by=actor) == []
    assert left(event) == wanted
    assert not actions.has_unpaid_prizes(event)


def test_other_prizes_replace_the_old_ones_in_the_book(event, actor):
    publish(event, actor)
    actions.pay_prizes(event=event, by=actor)
    second = publish(event, actor, Prize("low", 0, 100))
    assert actions.has_unpaid_prizes(event)
    actions.pay_prizes(event=event, by=actor)
    assert left(event) == -sum(line["each"] * len(line["winners"]) for line in second.lines)
    assert not actions.has_unpaid_prizes(event)
    assert {(line.amount < 0, line.words) for line in MoneyLine.objects.all()} == {
        (True, "prizes, version 1"),
        (False, "not in the prizes of version 2"),
        (True, "prizes, version 2"),
    }


def test_prizes_that_are_out_of_date_are_named_before_money_goes_out(event, director, actor, client_of):
    address = f"/st-hilary/desk/{event.slug}/money/"
    said = "The result or the list of prizes has changed since version 1."
    assert said not in page_of(client_of(director).get(address))
    publish(event, actor)
    assert said not in page_of(client_of(director).get(address))
    plan_prizes(event=event, by=actor, prizes=[Prize("low", 0, 100)], ties="share", one_each=True)
    assert said in page_of(client_of(director).get(address))


def test_a_paid_prize_that_was_reversed_by_hand_is_asked_for_again(event, actor):
    publish(event, actor)
    line = actions.pay_prizes(event=event, by=actor)[0]
    actions.reverse_line(line=line, by=actor, reason="not fetched")
    assert actions.has_unpaid_prizes(event)
    actions.pay_prizes(event=event, by=actor)
    assert not actions.has_unpaid_prizes(event)


def test_the_book_adds_up_over_events_and_seasons(event, actor, club):
    other = nights.make_night(club, event.rules, slug="other", day=20)
    for entry in event.entries.all():
        actions.take_fee(entry=entry, by=actor, submission=uuid4())
    actions.write_line(club=club, by=actor, line=rent(), submission=uuid4(), of=event)
    actions.write_line(club=club, by=actor, line=rent(700, "raffle"), submission=uuid4(), of=other)
    actions.write_line(club=club, by=actor, line=rent(-90, "cards"), submission=uuid4(), of=event.season)
    actions.write_line(club=club, by=actor, line=rent(11, "gift"), submission=uuid4())
    lines = list(MoneyLine.objects.values_list("event", "season", "amount"))
    whole, season = add_totals(book_rows(club)), add_totals(book_rows(club, event.season))
    assert whole.left == sum(amount for _e, _s, amount in lines) == 8 * 500 - 3000 + 700 - 90 + 11
    assert season == MoneyTotals(fees=4000, income=0, prizes=0, costs=-3090)
    assert money_totals(MoneyLine.objects.filter(event=event)).left == left(event) == 1000
    assert [book_event for book_event, _totals in book_rows(club)] == [other, event, None]


def test_the_page_takes_fees_amounts_and_prizes(event, director, actor, client_of):
    browser, address = client_of(director), f"/st-hilary/desk/{event.slug}/money/"
    publish(event, actor)
    assert "aren't in the book yet" in page_of(browser.get(address)).replace("&#x27;", "'")
    same = str(uuid4())
    for _tap in range(2):
        browser.post(address, {"step": "prizes"})
        browser.post(address, {"step": "line", "side": "cost", "words": "rent", "amount": "30", "submission": same})
    assert MoneyLine.objects.filter(kind="cost").count() == 1
    shown = page_of(browser.get(address))
    assert "\N{MINUS SIGN}$30.00" in shown
    browser.post(address, {"step": "fee", "fee": "7,50"})
    event.refresh_from_db()
    assert event.fee == 750
    line = MoneyLine.objects.get(kind="cost")
    browser.post(address, {"step": "reverse", "line": line.pk, "reason": "a slip"})
    assert MoneyLine.objects.get(reverses=line).amount == 3000
    wrong = browser.post(address, {"step": "line", "side": "cost", "words": "rent", "amount": "much"})
    assert "Write an amount of money" in page_of(wrong)


def test_a_scorekeeper_ticks_who_pays(event, scorekeeper, client_of):
    browser, address = client_of(scorekeeper), f"/st-hilary/desk/{event.slug}/fees/"
    entry = event.entries.first()
    browser.post(address, {"entry": entry.pk})
    browser.post(address, {"entry": entry.pk})
    assert [line.entry for line in MoneyLine.objects.all()] == [entry]
    assert "1 of 8 people have paid: $5.00." in page_of(browser.get(address))


def test_nobody_is_ticked_where_nothing_is_to_be_paid(event, director, scorekeeper, client_of):
    Event.objects.filter(pk=event.pk).update(fee=0)
    address = f"/st-hilary/desk/{event.slug}/fees/"
    asked, told = (page_of(client_of(user).get(address)) for user in (director, scorekeeper))
    assert f'<a href="/st-hilary/desk/{event.slug}/money/">Set the fee</a>' in asked
    assert "A director or treasurer can set it." in told
    for page in (asked, told):
        assert "not paid" not in page


def test_who_ticked_by_mistake_takes_it_back_at_the_door(event, scorekeeper, director, client_of):
    browser, address = client_of(scorekeeper), f"/st-hilary/desk/{event.slug}/fees/"
    entry, other = event.entries.all()[:2]
    assert "Take back" not in page_of(browser.get(address))
    browser.post(address, {"entry": entry.pk})
    page = page_of(browser.get(address))
    assert f'Take back<span class="visually-hidden">: {entry.name}<' in page
    line = MoneyLine.objects.get()
    back = {"entry": entry.pk, "line": line.pk}
    refused = page_of(client_of(director).post(address, back, follow=True))
    assert "Somebody else took this fee." in refused
    assert browser.post(address, {"entry": other.pk, "line": line.pk}).status_code == 404
    assert MoneyLine.objects.count() == 1
    for _press in range(2):
        browser.post(address, back)
    assert [one.amount for one in MoneyLine.objects.order_by("pk")] == [500, -500]
    assert "0 of 8 people have paid: $0.00." in page_of(browser.get(address))
    browser.post(address, {"entry": entry.pk})
    assert left(event) == 500


def test_a_name_pressed_by_mistake_at_the_door_owes_no_fee(club, actor, rules_for, director, client_of):
    night = nights.make_night(club, rules_for("st-hilary-v3"))
    nights.arrive(night, actor, 8)
    actions.set_fee(event=night, by=actor, fee=500)
    wrong, paid = (attendance.arrive(event=night, by=actor, name=name) for name in ("Wrong Press", "Paid And Left"))
    actions.take_fee(entry=paid, by=actor, submission=uuid4())
    attendance.leave(entry=wrong, by=actor)
    attendance.leave(entry=paid, by=actor)
    nights.publish_next(night, actor)
    attendance.leave(entry=night.entries.get(number=1), by=actor)  # who has played owes it all the same
    page = page_of(client_of(director).get("/st-hilary/desk/friday/fees/"))
    assert "1 of 9 people have paid: $5.00." in page
    assert "Wrong Press" not in page
    assert "1 of 9 people have paid." in page_of(client_of(director).get("/st-hilary/desk/friday/money/"))


def test_lines_of_another_event_or_club_cant_be_reversed_here(event, actor, other_club, browser):
    foreign = MoneyLine.objects.create(club=other_club, kind="income", amount=5, submission=uuid4(), on=DAY)
    for address in (f"/st-hilary/desk/{event.slug}/money/", "/st-hilary/desk/money/book/"):
        answer = browser.post(address, {"step": "reverse", "line": foreign.pk, "reason": "mine"})
        assert answer.status_code == 404
    assert MoneyLine.objects.count() == 1


def test_a_submission_of_another_club_is_another_line(other_club, club, actor):
    same = UUID(int=7)
    actions.write_line(club=club, by=actor, line=rent(), submission=same)
    assert actions.write_line(club=club, by=actor, line=rent(), submission=same).club == club


def test_the_files_hold_figures(event, actor, browser):
    actions.write_line(club=event.club, by=actor, line=rent(), submission=uuid4(), of=event)
    for address, cell in (
        (f"/st-hilary/desk/{event.slug}/money/lines.csv", 3),
        ("/st-hilary/desk/money/book.csv", 6),
        (f"/st-hilary/desk/seasons/{event.season_id}/money.csv", 6),
    ):
        text = browser.get(address).content.decode().removeprefix("\ufeff")
        assert [float(row[cell]) for row in list(csv.reader(io.StringIO(text)))[1:]] == [-30.0]


def test_equal_fees_are_one_line_that_unfolds_to_its_own(event, director, actor, client_of):
    kept, gone = list(event.entries.all()[:3]), event.entries.all()[3]
    fees = [actions.take_fee(entry=entry, by=actor, submission=uuid4()) for entry in kept]
    unticked = actions.take_fee(entry=gone, by=actor, submission=uuid4())
    back = actions.untick_fee(line=unticked, by=actor)
    cost = actions.write_line(club=event.club, by=actor, line=rent(), submission=uuid4(), of=event)
    answer = client_of(director).get(f"/st-hilary/desk/{event.slug}/money/")
    folded = re.search(r"<summary>[^<]*3 × \$5\.00</summary>(.*?)</table>", page_of(answer), re.DOTALL)
    assert folded
    assert {int(pk) for pk in re.findall(r'name="line" value="(\d+)"', folded[1])} == {fee.pk for fee in fees}
    assert answer.context["lines"] == [cost, back, unticked]


def test_prizes_taken_back_can_be_taken_out_of_the_book(event, actor):
    publish(event, actor)
    actions.pay_prizes(event=event, by=actor)
    take_back_prizes(event=event, by=actor, reason="a slip")
    assert actions.has_unpaid_prizes(event)
    actions.pay_prizes(event=event, by=actor)
    assert left(event) == 0


@given(st.integers(0, 10**8), st.sampled_from([code for code, _name in CURRENCIES]))
def test_an_amount_is_read_as_it_is_written(amount, currency):
    assert parse_amount(format_money(amount, currency), currency) == amount
    assert parse_amount(str(to_whole_units(amount, currency)), currency) == amount


@pytest.mark.parametrize(
    ("language", "slip", "words", "kept"),
    [
        ("en-us", "2.505", "Write 2.50 or 2,505.", {"2,505": 250500, "2.50": 250, "1.250.000": 125000000}),
        ("en-us", "$1,250.505", "Write 1,250.50 or 1,250,505.", {"1,250.50": 125050, "1,250,505": 125050500}),
        ("es-es", "2,505", "Escriba 2,50 o 2.505.", {"2.505": 250500, "2,50": 250, "2.50": 250}),
        ("es-419", "2.505", "Escriba 2.50 o 2,505.", {"2,505": 250500}),
    ],
)
def test_three_digits_behind_the_sign_before_cents_are_asked_about(language, slip, words, kept):
    field = AmountField(currency="USD")
    with override(language):
        with pytest.raises(ValidationError, match=re.escape(words)):
            field.clean(slip)
        assert {text: field.clean(text) for text in kept} == kept
        assert AmountField(currency="JPY").clean("2.505") == AmountField(currency="JPY").clean("2,505") == 2505


@pytest.mark.parametrize(
    ("zone", "currency"),
    [("America/Chicago", "USD"), ("Europe/London", "GBP"), ("Europe/Dublin", "EUR"), ("America/Mexico_City", "MXN"),
     ("America/Toronto", "CAD"), ("Australia/Perth", "AUD"), ("Europe/Warsaw", "PLN"), ("UTC", "EUR")],
)  # fmt: skip
def test_the_currency_is_that_of_the_place_unless_the_club_says_another(zone, currency):
    assert usual_currency(zone) == currency
    assert Club(time_zone=zone).money == currency
    assert Club(time_zone=zone, currency="CHF").money == "CHF"


def test_what_is_kept_of_a_person_has_their_fees_and_prizes(event, actor):
    publish(event, actor)
    actions.pay_prizes(event=event, by=actor)
    paid = MoneyLine.objects.filter(kind="prize").select_related("entry__member").latest("pk")
    actions.take_fee(entry=paid.entry, by=actor, submission=uuid4())
    kept = export_personal_data(paid.entry.member, by=actor)
    assert [(line["for"], line["amount"]) for line in kept["money"]] == [("prize", paid.amount), ("fee", 500)]
    assert sum(one["each"] for one in kept["prizes"]) == -paid.amount
    assert {one["currency"] for one in kept["prizes"]} == {"USD"}


def test_the_currency_stays_once_an_amount_is_written_in_it(event, actor, director, client_of):
    def change(**facts):
        page = client_of(director).get("/st-hilary/settings/")
        sent = {f.name: "" if f.value() is None else f.value() for f in page.context["form"]} | {"currency": ""} | facts
        return client_of(director).post("/st-hilary/settings/", sent, follow=True).content.decode()

    Club.objects.update(currency="", currency_stands=False)  # as before the event had a fee
    change(currency="CAD")
    event.club.refresh_from_db()
    assert event.club.money == "CAD"
    actions.set_fee(event=event, by=actor, fee=700)
    assert "it stays Canadian dollar" in change(currency="JPY")
    assert "it stays Canadian dollar" in change(currency="")
    change(currency="CAD", time_zone="Europe/Dublin")
    event.club.refresh_from_db()
    assert (event.club.money, event.club.time_zone) == ("CAD", "Europe/Dublin")


def test_a_currency_that_nobody_chose_is_kept_with_the_first_amount(event, actor):
    line = rent(-900, "Coffee")
    actions.write_line(club=event.club, by=actor, line=line, submission=uuid4())
    Club.objects.update(time_zone="Europe/Dublin")
    assert Club.objects.get(pk=event.club_id).money == "USD"


# Years of the book, its categories, cash and bank, and yearly dues: worked out here again from what was written


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
        for row in actions.year_balances(club)
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
    assert actions.category_totals(club, 2023) == [{"name": "Raffle", "came": 4000, "went": -1500}]
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
    write(browser, "to-bank", 9, "2024-04-02")  # what was moved is no row of the whole book
    assert [[row[1], row[-1]] for row in rows(browser, "")] == [
        ["other income: a gift", "9.00"], ["cost: new cards", "-50.00"],
    ]  # fmt: skip


def test_dues_of_a_year_are_taken_once_and_taken_back(club, ann, browser):
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
    assert not can_remove(ann)
    for _tap in range(2):
        browser.post(DUES, {"entry": ann.pk, "line": line.pk})
    assert [one.amount for one in MoneyLine.objects.order_by("pk")] == [2000, -2000]


def test_dues_are_dated_the_day_that_is_chosen_and_none_is_written_for_a_day_to_come(club, ann, browser):
    browser.post(DUES, {"step": "dues", "fee": "20"})
    for day in ("2054-01-01", "0024-03-01", "soon", ""):
        browser.post(f"{DUES}&on={day}", {"entry": ann.pk})
        assert not MoneyLine.objects.exists()
    answer = browser.post(f"{DUES}&on=2024-03-01&by=bank", {"entry": ann.pk})
    assert str(MoneyLine.objects.get().on) == "2024-03-01"
    assert 'name="on" value="2024-03-01"' in page_of(browser.get(answer["Location"]))


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
    assert [(line["for"], line["amount"]) for line in export_personal_data(ann, by=actor)["money"]] == [("dues", 2000)]


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
