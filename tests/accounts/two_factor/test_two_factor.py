"""The second factor: set up, asked for on new devices, excused on remembered ones, lost, wanted by a club."""

import hashlib
import re
from time import time

import pytest
from django.core import signing
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.crypto import salted_hmac
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.models import Club, LogEntry, User
from tests.conftest import PASSWORD
from tests.pages import page_of

FACTOR, ASKED, OWNERS = "/password/factor/", "/login/factor/?next=%2Fst-hilary%2Flog%2F", "/start/people/"
LOG_IN = {"username": "dora", "password": PASSWORD, "next": "/st-hilary/log/"}


def code_now(name="dora"):
    """What the app on somebody's phone shows; a code that was used already doesn't count a second time."""
    TOTPDevice.objects.filter(user__username=name).update(last_t=-1)
    return f"{totp(TOTPDevice.objects.get(user__username=name).bin_key):06}"


def set_up(browser):
    browser.post(FACTOR, {"step": "begin"})
    page = page_of(browser.post(FACTOR, {"step": "confirm", "code": code_now()}))
    return re.findall(r'slip-code">([\w-]+)<', page)


def is_in(browser):
    return browser.get("/st-hilary/log/").status_code == 200


def test_a_new_device_is_asked_and_a_remembered_one_is_not(browser):
    set_up(browser)
    phone = Client()
    assert phone.post("/login/", LOG_IN)["Location"] == ASKED
    assert not is_in(phone)
    assert phone.post(ASKED, {"code": "000000"}).status_code == 422
    assert phone.post(ASKED, {"code": code_now(), "remember": "on"})["Location"] == "/st-hilary/log/"
    assert is_in(phone)
    phone.post("/logout/")
    assert phone.post("/login/", LOG_IN)["Location"] == "/st-hilary/log/"
    browser.post("/logout/")
    assert browser.post("/login/", LOG_IN)["Location"] == "/st-hilary/log/"  # it was set up on this one
    guest = Client()  # which isn't to be remembered
    guest.post("/login/", LOG_IN)
    guest.post(ASKED, {"code": code_now()})
    guest.post("/logout/")
    assert guest.post("/login/", LOG_IN)["Location"] == ASKED


def test_a_factor_of_an_earlier_version_opens_by_phone_and_paper_and_excuses_its_devices(director):
    """The rows and the cookie as 528f4fed wrote them."""
    key = "c1f0a9b37e5d42688fa0de3719b6c504ab12f3de"
    TOTPDevice.objects.create(user=director, name="phone", key=key, confirmed=True)
    paper = StaticDevice.objects.create(user=director, name="paper")
    StaticToken.objects.create(device=paper, token="12d5f2a44fc4f099")
    for code in (code_now(), "n2vh-393w"):
        phone = Client()
        assert phone.post("/login/", LOG_IN)["Location"] == ASKED
        assert phone.post(ASKED, {"code": code})["Location"] == "/st-hilary/log/"
        assert is_in(phone)
    name = hashlib.sha256(b"dora").hexdigest()[:16]
    mark = salted_hmac("clubsite.accounts.factor", key, algorithm="sha256").hexdigest()[:16]
    remembered = Client()
    remembered.cookies["device"] = signing.dumps(
        {"key": "k3y", "knows": [[name, mark]]}, salt="clubsite.accounts.device"
    )
    assert remembered.post("/login/", LOG_IN)["Location"] == "/st-hilary/log/"


def test_a_code_of_the_paper_works_once_and_is_kept_as_a_hash(browser):
    codes = set_up(browser)
    assert len(codes) == 8
    assert codes[0].replace("-", "") not in str(list(StaticToken.objects.values_list()))
    for answer in (302, 422):
        phone = Client()
        phone.post("/login/", LOG_IN)
        assert phone.post(ASKED, {"code": codes[0].upper()}).status_code == answer


def test_a_code_of_the_phone_works_once(browser):
    set_up(browser)
    phone, thief, code = Client(), Client(REMOTE_ADDR="192.0.2.66"), code_now()
    for one, answer in ((phone, 302), (thief, 422)):
        one.post("/login/", LOG_IN)
        assert one.post(ASKED, {"code": code}).status_code == answer


def test_wrong_codes_are_counted(browser):
    set_up(browser)
    thief = Client(REMOTE_ADDR="192.0.2.66")
    thief.post("/login/", LOG_IN)
    for _try in range(5):
        thief.post(ASKED, {"code": "000000"})
    assert "Too many wrong codes." in page_of(thief.post(ASKED, {"code": code_now()}))


@pytest.mark.parametrize("step", ["confirm", "paper", "off"])
def test_wrong_codes_are_counted_on_the_page_of_the_factor_too(browser, step):
    if step == "confirm":
        browser.post(FACTOR, {"step": "begin"})
    else:
        set_up(browser)
    for _try in range(5):
        assert browser.post(FACTOR, {"step": step, "code": "000000"}).status_code == 422
    assert "Too many wrong codes." in page_of(browser.post(FACTOR, {"step": step, "code": code_now()}))
    assert TOTPDevice.objects.get().confirmed == (step != "confirm")


def test_the_code_page_is_nothing_without_the_password(browser):
    set_up(browser)
    assert Client().get("/login/factor/")["Location"] == "/login/"
    assert Client().post("/login/factor/", {"code": code_now()})["Location"] == "/login/"
    waited = Client()
    waited.post("/login/", LOG_IN)
    session = waited.session
    session["factor_pending"] = {**session["factor_pending"], "at": time() - 3600}
    session.save()
    assert waited.post(ASKED, {"code": code_now()})["Location"] == "/login/"


def test_it_leads_to_no_other_site(browser):
    set_up(browser)
    phone = Client()
    phone.post("/login/", LOG_IN)
    elsewhere = phone.post("/login/factor/?next=https://example.org/", {"code": code_now()})
    assert elsewhere["Location"] == "/st-hilary/desk/"


def test_a_wrong_first_code_sets_nothing_up_and_a_second_tap_keeps_the_key(browser):
    first = page_of(browser.post(FACTOR, {"step": "begin"}))
    key = re.findall(r'slip-code">([\w ]+)<', first)
    assert re.findall(r'slip-code">([\w ]+)<', page_of(browser.post(FACTOR, {"step": "begin"}))) == key
    assert browser.post(FACTOR, {"step": "confirm", "code": "000000"}).status_code == 422
    assert Client().post("/login/", LOG_IN)["Location"] == "/st-hilary/log/"


def test_taking_it_off_asks_for_the_code_and_is_logged(browser):
    set_up(browser)
    assert browser.post(FACTOR, {"step": "off", "code": "000000"}).status_code == 422
    browser.post(FACTOR, {"step": "off", "code": code_now()})
    assert not TOTPDevice.objects.exists()
    verbs = LogEntry.objects.filter(verb__startswith="factor.").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["factor.set-up", "factor.take-off"]


def test_a_lost_one_is_reset_by_the_owner_alone(browser, director, client_of):
    set_up(browser)
    owner = client_of(User.objects.create_user(username="olga", password=PASSWORD, is_superuser=True))
    assert browser.post(OWNERS, {"user": director.pk}).status_code == 404
    assert "dora" in page_of(owner.get(OWNERS))
    owner.post(OWNERS, {"user": director.pk})
    assert Client().post("/login/", LOG_IN)["Location"] == "/st-hilary/log/"
    assert LogEntry.objects.get(verb="factor.reset").actor == "olga"


def test_a_lost_one_is_reset_by_a_command(browser):
    set_up(browser)
    call_command("second_factor", "dora")
    assert not TOTPDevice.objects.exists()
    with pytest.raises(CommandError):
        call_command("second_factor", "dora")


def test_the_owners_pages_ask_again(club, client_of):
    owner = client_of(User.objects.create_user(username="olga", is_superuser=True))
    owner.post(FACTOR, {"step": "begin"})
    owner.post(FACTOR, {"step": "confirm", "code": code_now("olga")})
    assert owner.get(OWNERS).status_code == 200
    session = owner.session
    session["factor_given_at"] = time() - 24 * 3600
    session.save()
    asked = owner.get(OWNERS)["Location"]
    assert asked == "/login/factor/?next=%2Fstart%2Fpeople%2F"
    assert owner.post(asked, {"code": code_now("olga")})["Location"] == OWNERS
    assert owner.get(OWNERS).status_code == 200


def test_a_club_that_wants_it_lets_a_night_go_on(browser, club, client_of):
    Club.objects.filter(pk=club.pk).update(second_factor=True)
    assert browser.get("/st-hilary/settings/")["Location"] == FACTOR
    assert browser.post("/st-hilary/people/invite/", {"name": "Ann", "kind": "director"})["Location"] == FACTOR
    assert browser.get("/st-hilary/desk/").status_code == 200
    assert browser.get("/st-hilary/games/new/").status_code == 200
    assert "St. Hilary asks its directors to use it." in page_of(browser.get(FACTOR))
    set_up(browser)
    assert browser.get("/st-hilary/settings/").status_code == 200
