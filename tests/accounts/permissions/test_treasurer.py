"""The treasurer writes money and prizes, and has nothing else of the desk; a member has their own page."""

import re

import pytest

from clubsite.accounts.models import LogEntry, Member, Role
from tests.conftest import make_user
from tests.pages import page_of
from tests.tournaments import nights
from tournaments.models import MoneyLine

EVENT = "/st-hilary/desk/friday/"
PAGES = (
    f"{EVENT}money/",
    f"{EVENT}prizes/",
    f"{EVENT}fees/",
    "/st-hilary/desk/money/book/",
    "/st-hilary/events/friday/",
)


@pytest.fixture
def browser(club, client_of):
    return client_of(make_user("tess", club, Role.Kind.TREASURER))


@pytest.fixture
def night(club, actor, rules_for):
    event = nights.make_night(club, rules_for("st-hilary-v3"))
    nights.arrive(event, actor, 4)
    return event


def test_the_fee_an_amount_and_prizes_are_written_by_the_treasurer(browser, night):
    browser.post(f"{EVENT}money/", {"step": "fee", "fee": "5"})
    line = {"step": "line", "side": "cost", "amount": "12.50", "words": "Coffee"}
    browser.post(f"{EVENT}money/", line)
    browser.post(f"{EVENT}fees/", {"entry": night.entries.all()[0].pk})
    assert sorted(MoneyLine.objects.values_list("amount", flat=True)) == [-1250, 500]
    assert {entry.actor for entry in LogEntry.objects.filter(verb__startswith="money.")} == {"Tess"}
    assert browser.post(f"{EVENT}prizes/", {"step": "plan"}).status_code == 200
    assert browser.get(f"{EVENT}money/lines.csv").status_code == 200


def test_pages_of_money_lead_nowhere_that_is_closed(browser, night):
    browser.post(f"{EVENT}money/", {"step": "fee", "fee": "5"})
    for page in PAGES:
        shown = page_of(browser.get(page))
        main = shown[shown.index("<main") : shown.index("</main>")]
        for address in {*re.findall(r'<a [^>]*href="(/[^"#]*)', main)}:
            assert (page, address, browser.get(address).status_code) == (page, address, 200)
    front = page_of(browser.get("/st-hilary/"))
    assert ("/st-hilary/desk/money/book/" in front, 'href="/st-hilary/desk/"' in front) == (True, False)


def test_a_member_sees_their_own_page_and_no_other_that_is_closed(club, night, client_of):
    own, other = Member.objects.filter(club=club)[:2]
    Member.objects.filter(club=club).update(initials_only=True, email="somebody@example.org", telephone="555 0100")
    user = make_user("mary", club, Role.Kind.MEMBER)
    Role.objects.filter(user=user).update(member=own)
    browser = client_of(user)
    assert f"/st-hilary/members/{own.pk}/" in page_of(browser.get("/st-hilary/"))
    page = page_of(browser.get(f"/st-hilary/members/{own.pk}/"))
    assert "somebody@example.org" in page
    assert "555 0100" in page
    assert browser.get(f"/st-hilary/members/{other.pk}/").status_code == 404
