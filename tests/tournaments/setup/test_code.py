"""The one-time code: where it lies, that it works once, and that wrong ones are counted."""

from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest
from django.conf import settings as site
from django.core.management import call_command
from django.db import connections

from clubsite.accounts.models import Club
from clubsite.jobs.models import Shared
from clubsite.operations.start_code import TRIES_OF_ALL, new_code, use_code
from tests.pages import page_of
from tests.tournaments.setup.conftest import set_up

pytestmark = pytest.mark.django_db


def printed():
    out = StringIO()
    call_command("start_code", stdout=out)
    return out.getvalue()


def test_the_code_lets_another_machine_set_the_site_up_once(elsewhere):
    code = printed().split()[-1]
    assert code not in Shared.objects.get().value
    tablet = elsewhere()
    assert tablet.post("/start/", {"code": code.upper().replace("-", " ")})["Location"] == "/start/"
    assert not Shared.objects.exists()
    assert "Set up my club" in page_of(tablet.get("/start/"))
    other = elsewhere("192.168.1.31")
    assert other.post("/start/", {"code": code}).status_code == 422
    assert "Set up my club" not in page_of(other.get("/start/"))
    set_up(tablet)
    assert Club.objects.get().name == "St. Anne"


def test_a_set_up_site_has_no_code(here):
    new_code()
    set_up(here)
    assert printed() == ""
    assert not Shared.objects.exists()


def test_a_code_that_one_host_printed_is_known_by_the_others(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "one"
    code = new_code()
    settings.VAR_DIR = tmp_path / "other"
    assert use_code(code, address="192.168.1.30")


@pytest.mark.django_db(transaction=True)
def test_of_many_who_give_the_code_at_once_one_has_it():
    def give(n):
        try:
            return use_code(code, address=f"192.168.1.{n}")
        finally:
            connections.close_all()

    code = new_code()
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(give, range(8))) == 1


def test_a_new_code_takes_the_place_of_the_old(elsewhere):
    old, new = new_code(), new_code()
    assert elsewhere().post("/start/", {"code": old}).status_code == 422
    assert elsewhere().post("/start/", {"code": new}).status_code == 302


def test_wrong_codes_are_counted_by_address(elsewhere):
    code, thief, owner = new_code(), elsewhere("192.168.1.66"), elsewhere()
    for _try in range(site.LOGIN_ATTEMPTS):
        assert "it changes each time the site starts" in page_of(thief.post("/start/", {"code": "aaaa-bbbb-cccc"}))
    assert "Too many wrong codes" in page_of(thief.post("/start/", {"code": code}))
    forged = elsewhere("192.168.1.66", HTTP_X_FORWARDED_FOR="10.0.0.1")
    assert "Too many wrong codes" in page_of(forged.post("/start/", {"code": code}))
    assert owner.post("/start/", {"code": code}).status_code == 302


def test_wrong_codes_from_everywhere_are_counted_together(elsewhere):
    code = new_code()
    for n in range(TRIES_OF_ALL):
        elsewhere(f"192.168.2.{n}").post("/start/", {"code": "wrong"})
    assert "Too many wrong codes" in page_of(elsewhere().post("/start/", {"code": code}))


@pytest.mark.parametrize("code", ["", "x" * 5000, "²", "!"])
def test_what_is_no_code_is_refused(elsewhere, code):
    assert elsewhere().post("/start/", {"code": code}).status_code == 422
