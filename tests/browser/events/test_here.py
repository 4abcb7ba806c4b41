"""Who is here: names pressed as fast as people come through the door, and a server that is slow or refuses."""

from time import sleep

import pytest
from django.conf import settings
from playwright.sync_api import expect

from tests.browser.hands_on import wait_until
from tests.tournaments import nights
from tournaments.models import Entry

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night(club, rules_for):
    nights.make_members(club, 12)
    return nights.make_night(club, rules_for("st-hilary-v3"))


@pytest.fixture
def page(signed_in, director, night, request):
    found = signed_in(director, viewport={"width": 390, "height": 844}, may_say=getattr(request, "param", ()))
    found.goto(f"/st-hilary/desk/{night.slug}/here/")
    return found


def test_no_press_is_lost_however_slow_the_server_is(page, night):
    def slowly(route):
        sleep(0.2)
        route.continue_()

    page.route("**/here/", slowly)
    names = page.locator(".tick")
    for number in range(8):
        names.nth(number).click()
    expect(page.locator(".tick[aria-pressed=true]")).to_have_count(8)
    expect(page.locator("#count")).to_have_text("8 people here")
    expect(page.locator("#seating")).to_contain_text("2 tables of four")
    expect(page.get_by_role("link", name="Draw the next round")).to_be_visible()
    assert night.entries.filter(state=Entry.State.HERE).count() == 8
    names.nth(3).click()
    expect(page.locator("#count")).to_have_text("7 people here")


@pytest.mark.proof
def test_no_press_is_lost_when_another_name_is_looked_for_meanwhile(page, night):
    held = []
    page.route("**/here/", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    for number in range(3):
        page.locator(".tick").nth(number).click()
    with page.expect_response("**/here/?q=*"):
        page.get_by_label("Find a name").press_sequentially("12")
    for pressed in range(3):
        wait_until(page, lambda: bool(held), f"press {pressed + 1} to be sent")
        held.pop().continue_()
    expect(page.locator(".tick")).to_have_count(1)
    expect(page.locator("#count")).to_have_text("3 people here")
    assert night.entries.filter(state=Entry.State.HERE).count() == 3


def test_no_press_is_lost_when_a_link_is_followed_meanwhile(page, night):
    held = []
    page.route("**/here/", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    for number in range(4):
        page.locator(".tick").nth(number).click()
    expect(page.locator(".tick[aria-busy=true]")).to_have_count(4)
    page.get_by_role("link", name="Back to the desk").click()
    for pressed in range(4):
        wait_until(page, lambda: bool(held), f"press {pressed + 1} to be sent")
        held.pop().continue_()
    page.wait_for_url(f"**/desk/{night.slug}/")
    assert night.entries.filter(state=Entry.State.HERE).count() == 4


def test_leaving_the_page_in_another_way_has_to_be_confirmed_while_a_press_waits(page, night):
    held, asked = [], []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.route("**/here/", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    page.locator(".tick").first.click()
    page.evaluate("location.assign('/')")
    wait_until(page, lambda: bool(asked), "the browser to ask")
    assert asked == ["beforeunload"]
    wait_until(page, lambda: bool(held), "the press to be sent")
    held.pop().continue_()
    expect(page.locator("#count")).to_have_text("1 person here")
    expect(page.locator(".tick[aria-busy=true]")).to_have_count(0)
    page.reload()
    assert asked == ["beforeunload"]


@pytest.mark.parametrize("page", [["status of 403", "Error Code 403"]], indirect=True)
def test_a_press_that_the_server_refuses_says_what_to_do(page, night):
    page.context.clear_cookies(name=settings.CSRF_COOKIE_NAME)
    page.locator(".tick").first.click()
    expect(page.get_by_role("status").filter(has_text="That wasn't saved")).to_be_visible()
    assert not night.entries.exists()
    page.get_by_role("link", name="Reload the page").click()
    page.locator(".tick").first.click()
    expect(page.locator("#count")).to_have_text("1 person here")
