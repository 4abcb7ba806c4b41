"""Where somebody comes by logging in, and their way to their own log-in."""

import pytest
from django.test import Client

from clubsite.accounts.models import Club, Member, Role, User
from tests.accounts.two_factor.test_two_factor import code_now
from tests.conftest import PASSWORD, make_user
from tests.pages import page_of

KINDS = ("member", "treasurer", "scorekeeper", "director")


@pytest.fixture
def first_page(club, other_club):
    """The address at which each role begins; for all of these there is somebody of that name."""
    member = Member.objects.create(club=club, name="Vera")
    for kind in KINDS:
        user = make_user(kind, club, kind)
        Role.objects.filter(user=user, kind="member").update(member=member)
    return {
        "member": f"/st-hilary/members/{member.pk}/",
        "treasurer": "/st-hilary/desk/money/book/",
        "scorekeeper": "/st-hilary/desk/",
        "director": "/st-hilary/desk/",
    }


@pytest.mark.parametrize("kind", KINDS)
def test_each_comes_to_the_page_that_they_need(first_page, kind):
    browser = Client()
    answer = browser.post("/login/", {"username": kind, "password": PASSWORD})
    assert answer["Location"] == first_page[kind]
    page = page_of(browser.get("/st-hilary/people/" if kind == "director" else first_page[kind]))
    assert 'href="/password/"' in page
    own = page_of(browser.get("/password/"))
    assert f"You log in as {kind}." in own
    for address in ("/password/factor/", "/password/sessions/"):
        assert f'href="{address}"' in own
        assert browser.get(address).status_code == 200
    assert browser.get("/login/")["Location"] == first_page[kind], "who is logged in already"


def test_who_asked_for_a_page_comes_to_that(first_page):
    sent = {"username": "treasurer", "password": PASSWORD, "next": "/st-hilary/"}
    assert Client().post("/login/", sent)["Location"] == "/st-hilary/"
    sent["next"] = "https://elsewhere.example.org/"
    assert Client().post("/login/", sent)["Location"] == first_page["treasurer"]


def test_who_is_in_several_clubs_chooses_among_theirs(first_page, other_club, client_of):
    user = User.objects.get(username="member")
    Role.objects.create(user=user, club=other_club, kind=Role.Kind.TREASURER)
    Club.objects.create(name="A third", slug="third")
    assert Client().post("/login/", {"username": "member", "password": PASSWORD})["Location"] == "/"
    page = page_of(client_of(user).get("/"))
    for address in (first_page["member"], "/harbour/desk/money/book/"):
        assert f'<a href="{address}">' in page
    assert 'href="/third/desk' not in page
    for visitor in (None, User.objects.create_user(username="nobody", password=PASSWORD)):
        assert "Your clubs" not in page_of(client_of(visitor).get("/"))


def test_after_the_second_factor_too(first_page, client_of):
    user = User.objects.get(username="treasurer")
    browser = client_of(user)
    browser.post("/password/factor/", {"step": "begin"})
    browser.post("/password/factor/", {"step": "confirm", "code": code_now("treasurer")})
    phone = Client()
    asked = phone.post("/login/", {"username": "treasurer", "password": PASSWORD})["Location"]
    assert phone.post(asked, {"code": code_now("treasurer")})["Location"] == first_page["treasurer"]
