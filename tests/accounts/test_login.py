"""Logging in: wrong passwords are counted by name and address."""

from datetime import timedelta

import pytest
from django.conf import settings as site
from django.db.models import F
from django.test import Client, RequestFactory

from clubsite.accounts import sessions
from clubsite.accounts.models import Club, Member, Role, Throttle, User
from clubsite.accounts.sessions import make_introduction
from clubsite.accounts.starting import free_username
from clubsite.addresses import client_address, client_network
from clubsite.settings import parse_proxies
from tests.accounts.two_factor.test_two_factor import code_now
from tests.conftest import PASSWORD, make_user
from tests.pages import page_of

WAIT = "Too many wrong passwords. Wait 15 minutes, then try again."


def log_in(browser, name, password, address="192.0.2.1"):
    """The page after the try; the front page when it worked."""
    form = {"username": name, "password": password}
    return browser.post("/login/", form, follow=True, REMOTE_ADDR=address).content.decode()


def guess(browser, name):
    """Give as many wrong passwords as one address may at a name."""
    for _try in range(5):
        log_in(browser, name, "wrong")


@pytest.fixture
def browser(director, client_of):
    return client_of(None)


def test_the_right_password_leads_to_the_front_page(browser):
    assert "Log out dora" in log_in(browser, "dora", PASSWORD)


def test_somebodys_whole_name_opens_the_log_in_that_was_made_of_it(browser):
    user = User.objects.create_user(username=free_username("María-José O'Neill"), password="a long sentence")
    assert user.username == "maria.jose.oneill"
    assert "Log out" not in log_in(browser, " María-José  O'Neill ", "a wrong one")
    assert "Log out maria.jose.oneill" in log_in(browser, " María-José  O'Neill ", "a long sentence")


def test_a_log_in_name_may_be_typed_in_other_capitals_where_only_one_account_can_be_meant(browser):
    User.objects.create_user(username="Mary.OHara", password="a long sentence")
    assert "Log out Mary.OHara" in log_in(browser, "mary.ohara", "a long sentence")
    User.objects.create_user(username="mary.ohara", password="another sentence")
    for name, password, works in (
        ("mary.ohara", "another sentence", True),
        ("Mary.OHara", "a long sentence", True),
        ("MARY.OHARA", "a long sentence", False),
    ):
        assert (f"Log out {name}" in log_in(Client(), name, password)) is works


def test_a_wrong_password_says_what_to_look_at(browser):
    page = log_in(browser, "dora", "wrong")
    assert "Capital letters" in page
    assert "Log out" not in page


@pytest.mark.parametrize("name", ["dora", "nobody"])
def test_five_wrong_passwords_stop_even_the_right_one(browser, name):
    for _try in range(5):
        assert WAIT not in log_in(browser, name, "wrong")
    for way in (name, name.upper()):
        assert WAIT in log_in(browser, way, PASSWORD)


def test_another_address_and_another_name_are_counted_apart(browser, scorekeeper):
    guess(browser, "dora")
    assert WAIT in log_in(browser, "dora", PASSWORD)
    assert "Log out sam" in log_in(Client(), "sam", PASSWORD)
    assert "Log out dora" in log_in(Client(), "dora", PASSWORD, address="192.0.2.2")


def test_success_forgets_the_wrong_tries(browser):
    for _round in range(2):
        for _try in range(4):
            log_in(browser, "dora", "wrong")
        assert "Log out dora" in log_in(browser, "dora", PASSWORD)
        browser.post("/logout/")


def guess_everywhere(name="dora"):
    """As many wrong passwords from as many addresses as make a name one that is guessed at."""
    for n in range(site.LOGIN_ATTEMPTS_AT_NAME):
        log_in(Client(), name, "wrong", address=f"10.9.{n}.1")


def test_a_device_that_logged_in_before_has_tries_of_its_own(browser):
    log_in(browser, "dora", PASSWORD)
    browser.post("/logout/")
    guess(Client(), "dora")  # somebody else in the hall, at the same address
    assert WAIT in log_in(Client(), "dora", PASSWORD)
    assert "Log out dora" in log_in(browser, "dora", PASSWORD)
    browser.post("/logout/")
    guess(browser, "dora")
    assert WAIT in log_in(browser, "dora", PASSWORD)


def test_a_device_knows_only_the_names_that_were_used_on_it(browser, scorekeeper):
    log_in(browser, "dora", PASSWORD)
    browser.post("/logout/")
    guess(Client(), "sam")
    assert WAIT in log_in(browser, "sam", PASSWORD)


@pytest.mark.parametrize("cookie", ["", "x", "eyJrZXkiOiJhIn0:1:x", "9" * 5000])
def test_a_cookie_that_this_site_did_not_sign_is_no_device(browser, cookie):
    for _try in range(5):
        browser.cookies["device"] = cookie
        log_in(browser, "dora", "wrong")
    browser.cookies["device"] = cookie
    assert WAIT in log_in(browser, "dora", PASSWORD)


def test_one_address_at_many_names_is_stopped_and_no_other_address_is(browser):
    for n in range(site.LOGIN_ATTEMPTS_FROM_ADDRESS):
        assert WAIT not in log_in(Client(), f"name{n}", "Password2026")
    assert WAIT in log_in(browser, "dora", PASSWORD)
    assert "Log out dora" in log_in(Client(), "dora", PASSWORD, address="192.0.2.2")


def test_an_own_log_in_does_not_win_an_address_more_tries_at_others(browser, scorekeeper):
    for n in range(site.LOGIN_ATTEMPTS_FROM_ADDRESS):
        log_in(Client(), f"name{n}", "wrong")
        if n % 5 == 0:
            log_in(Client(), "sam", PASSWORD)
    assert WAIT in log_in(Client(), "one.more", "wrong")


def test_a_name_guessed_from_everywhere_is_slow_but_open(browser):
    guess_everywhere()
    assert "Log out dora" in log_in(browser, "dora", PASSWORD)  # at the first try, from an address that guessed nothing
    stranger = Client()
    assert "Capital letters" in log_in(stranger, "dora", "wrong", address="10.8.0.1")
    assert "Wait 20 seconds, then try again." in log_in(stranger, "dora", PASSWORD, address="10.8.0.1")


def test_five_from_anywhere_behind_the_proxy_stop_nobody_at_another_address(browser, settings):
    settings.BEHIND_PROXY = 1

    def behind(address, password):
        form = {"username": "dora", "password": password}
        headers = {"X-Forwarded-For": f"1.2.3.4, {address}"}
        return browser.post("/login/", form, follow=True, headers=headers).content.decode()

    for _try in range(6):
        behind("198.51.100.66", "wrong")
    assert WAIT in behind("198.51.100.66", PASSWORD)
    assert "Log out dora" in behind("203.0.113.9", PASSWORD)


def test_a_clock_set_back_keeps_nobody_out_longer(browser):
    guess(browser, "dora")
    Throttle.objects.update(since=F("since") + timedelta(hours=1), last=F("last") + timedelta(hours=1))
    assert WAIT in log_in(browser, "dora", PASSWORD)


def test_no_name_stands_in_the_counts(browser):
    log_in(browser, "dora", "wrong")
    assert "dora" not in str(list(Throttle.objects.values_list()))


def test_the_password_can_be_changed_by_the_rules_only(director, client_of):
    browser = client_of(director)
    form = {"old_password": PASSWORD, "new_password1": "short", "new_password2": "short"}
    assert "at least 10 characters" in browser.post("/password/", form).content.decode()
    new = "a longer walk to the hall"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert "Your password is changed." in browser.post("/password/", form, follow=True).content.decode()
    assert "Log out dora" in log_in(Client(), "dora", new)


def test_five_wrong_old_passwords_stop_even_the_right_one(director, client_of):
    browser, new = client_of(director), "a longer walk to the hall"
    form = {"new_password1": new, "new_password2": new}
    for _try in range(5):
        page = browser.post("/password/", {**form, "old_password": "wrong"}).content.decode()
        assert "Your old password was entered incorrectly" in page
    assert WAIT in browser.post("/password/", {**form, "old_password": PASSWORD}).content.decode()
    elsewhere = browser.post("/password/", {**form, "old_password": PASSWORD}, REMOTE_ADDR="192.0.2.2")
    assert elsewhere.status_code == 302


def shown_by(browser):
    page = browser.get("/password/sessions/")
    assert "<svg" in page.content.decode()
    return make_introduction("dora")


def introduced(shown, name="dora", password=PASSWORD):
    """The page after a try of a new phone in the hall, whose network also holds whoever guesses."""
    form = {"username": name, "password": password}
    return Client().post(f"/login/?introduction={shown}", form, follow=True, REMOTE_ADDR="192.0.2.1").content.decode()


def test_a_new_phone_comes_in_where_somebody_guesses_by_what_another_device_shows(browser, director, client_of):
    for _try in range(6):
        log_in(browser, "dora", "wrong")
    assert WAIT in log_in(Client(), "dora", PASSWORD)
    assert "Log out dora" in introduced(shown_by(client_of(director)))


def test_what_another_device_shows_opens_nothing_and_is_good_for_five_tries_at_its_own_name(
    browser, scorekeeper, monkeypatch
):
    shown = make_introduction("dora")
    assert Client().get(f"/login/?introduction={shown}").status_code == 200
    assert Client().get(f"/password/sessions/?introduction={shown}").status_code == 302
    for name in ("sam", "dora"):
        for _try in range(5):
            log_in(browser, name, "wrong")
    assert WAIT in introduced(shown, name="sam")
    assert WAIT in introduced(shown[:-2])
    for _try in range(5):
        assert WAIT not in introduced(shown, password="wrong")
    assert WAIT in introduced(shown), "all who have it share its tries"
    late = make_introduction("dora")
    monkeypatch.setattr(sessions, "INTRODUCED_FOR", -1)
    assert WAIT in introduced(late)


# From where a request comes: nothing that it says itself is believed, unless the host says that a proxy wrote it


PROXY, VISITOR, FORGED = "10.0.0.1", "203.0.113.9", "198.51.100.66"


@pytest.mark.parametrize(
    ("proxies", "said", "found"),
    [
        (0, VISITOR, PROXY),
        (0, f"{FORGED}, {VISITOR}", PROXY),
        (1, VISITOR, VISITOR),
        (1, f"{FORGED}, {VISITOR}", VISITOR),
        (True, f"{FORGED},{VISITOR}:4711", VISITOR),
        (2, f"{FORGED}, {VISITOR}, 10.0.0.2", VISITOR),
        (2, f"{VISITOR}", VISITOR),  # came past one of them
        (1, "", PROXY),
        (1, "nonsense", PROXY),
        (1, "2001:db8:1:2::7", "2001:db8:1:2::7"),
    ],
)
def test_the_address_is_what_ones_own_proxies_say(settings, proxies, said, found):
    settings.BEHIND_PROXY = proxies
    assert client_address(RequestFactory().get("/", REMOTE_ADDR=PROXY, HTTP_X_FORWARDED_FOR=said)) == found


def test_one_machine_has_one_network_however_many_addresses_it_takes():
    many = {client_network(RequestFactory().get("/", REMOTE_ADDR=f"2001:db8:1:2::{n:x}")) for n in range(50)}
    assert len(many) == 1


@pytest.mark.parametrize(("said", "proxies"), [("on", 1), ("off", 0), ("2", 2), ("0", 0), ("True", 1)])
def test_the_host_says_how_many_proxies_there_are(said, proxies):
    assert parse_proxies(said) == proxies


# Where somebody comes by logging in, and their way to their own log-in


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
