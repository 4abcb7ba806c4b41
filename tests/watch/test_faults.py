"""A fault of the site: what the visitor is told, and what is kept for the owner."""

import json
import logging

import pytest
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client, override_settings
from django.urls import include, path

from clubsite.accounts.models import User
from clubsite.accounts.permissions.table import LINES, PUBLIC
from clubsite.watch import faults
from clubsite.watch.logs import ALPHABET, JsonLines, ReadableLines, current_request
from clubsite.watch.models import Fault

pytestmark = pytest.mark.django_db
NAME, CODE = "Ann Miller", "MOLE-42"


def breaks(request, token=""):
    raise ValueError(f"invalid literal for int() with base 10: '{NAME}'")


def away(request):
    raise OperationalError("connection refused")


urlpatterns = [
    path("breaks/", breaks, name="breaks"),
    path("t/<str:token>/breaks/", breaks, name="breaks"),
    path("away/", away, name="away"),
    path("", include("clubsite.urls")),
]


@pytest.fixture(autouse=True)
def site_that_breaks(settings, tmp_path, monkeypatch):
    """The site with pages that have a fault, open to anybody, and a folder of its own."""
    settings.VAR_DIR = tmp_path
    for name in ("breaks", "away"):
        monkeypatch.setitem(LINES, name, PUBLIC)
    with override_settings(ROOT_URLCONF=__name__):
        yield


@pytest.fixture
def lines():
    found = []

    class Collects(logging.Handler):
        def emit(self, record):
            found.append(json.loads(JsonLines().format(record)))

    handler = Collects()
    logging.getLogger().addHandler(handler)
    yield found
    logging.getLogger().removeHandler(handler)


def visitor():
    return Client(raise_request_exception=False)


def owner():
    client = Client()
    client.force_login(User.objects.create_superuser("olga", password="nine tables in the hall"))
    return client


def test_the_number_on_the_page_is_the_headers_and_the_logs(lines):
    answer = visitor().get("/breaks/", headers={"X-Request-ID": "mine"})
    number = answer["X-Request-ID"]
    assert answer.status_code == 500
    assert set(number) <= {*ALPHABET, "-"}
    assert f"<strong>{number}</strong>" in answer.content.decode()
    told = next(line for line in lines if line.get("fault") == "ValueError")
    assert (told["request"], told["route"], told["method"]) == (number, "breaks/", "GET")


def test_every_request_has_another_number_and_none_stays_behind():
    assert len({Client().get("/sw.js")["X-Request-ID"] for _look in range(3)}) == 3
    assert current_request() is None


def test_what_is_written_opens_no_page(lines):
    visitor().get(f"/t/{CODE}/breaks/")
    visitor().get(f"/t/{CODE}/no/such/page/")
    everything = json.dumps([lines, list(Fault.objects.values("trace", "route", "place"))], default=str)
    assert "invalid literal for int() with base 10" in everything
    assert CODE not in everything


def test_a_user_is_written_as_a_number(lines, director):
    client = visitor()
    client.force_login(director)
    with override_settings(LOG_REQUESTS=True):
        client.get("/password/")
    answered = next(line for line in lines if line["logger"] == "clubsite.requests")
    assert (answered["user"], answered["route"], answered["status"]) == (director.pk, "password/", 200)
    assert answered["seconds"] >= 0
    assert "dora" not in json.dumps(answered)


def test_a_readable_line_holds_the_number_and_where_it_happened():
    try:
        breaks(HttpRequest())
    except ValueError as problem:
        record = logging.LogRecord(
            "x", logging.ERROR, "", 1, "It broke", (), (ValueError, problem, problem.__traceback__)
        )
    line = ReadableLines().format(record)
    assert "ERROR It broke" in line
    assert "in breaks" in line


def test_a_fault_is_kept_once_for_its_place_and_counted():
    numbers = [visitor().get(address)["X-Request-ID"] for address in ("/breaks/", "/t/A/breaks/", "/breaks/")]
    (fault,) = Fault.objects.all()
    assert (fault.kind, fault.count, fault.number, fault.route) == ("ValueError", 3, numbers[-1], "breaks/")
    assert fault.place.endswith("in breaks")
    assert fault.last_at > fault.first_at


def test_what_a_worker_logs_is_kept_too():
    try:
        breaks(HttpRequest())
    except ValueError:
        logging.getLogger("clubsite.jobs").exception("Task id=7 failed")
    assert Fault.objects.get().route == "clubsite.jobs"


def test_only_so_many_places_are_kept():
    for number in range(faults.MOST + 3):
        faults.store_fault(type(f"Fault{number}", (Exception,), {})())
    kept = set(Fault.objects.values_list("kind", flat=True))
    assert len(kept) == faults.MOST
    assert "Fault0" not in kept
    assert f"Fault{faults.MOST + 2}" in kept


def test_while_the_database_is_the_fault_only_the_log_has_it(lines):
    number = visitor().get("/away/")["X-Request-ID"]
    assert not Fault.objects.exists()
    assert [line["request"] for line in lines if line.get("fault") == "OperationalError"] == [number]


def unseen():
    return Fault.objects.filter(seen_at=None).count()


def test_the_owner_is_told_on_the_desk_looks_and_has_seen_it(club):
    client = owner()
    from clubsite.accounts.models import Role

    Role.objects.create(user=User.objects.get(username="olga"), club=club, kind=Role.Kind.DIRECTOR)
    assert "that you haven" not in client.get("/st-hilary/desk/").content.decode()
    visitor().get("/breaks/")
    faults.store_fault(KeyError(NAME), where="x")
    assert "2 faults" in client.get("/st-hilary/desk/").content.decode()
    shown = client.get("/site/").content.decode()
    assert "ValueError" in shown
    assert "KeyError" in shown
    until = shown.partition('name="until" value="')[2].partition('"')[0]
    client.post("/site/", {"until": until})
    assert unseen() == 0
    visitor().get("/breaks/")
    assert unseen() == 1  # it has happened again


def test_what_happens_while_the_owner_looks_stays_new():
    client = owner()
    client.get("/site/")
    visitor().get("/breaks/")
    for nonsense in ("0", "", "x", "nan", "1e99"):
        client.post("/site/", {"until": nonsense})
    assert unseen() == 1


def test_a_fault_says_where_it_came_from():
    try:
        try:
            breaks(HttpRequest())
        except ValueError as first:
            raise KeyError(NAME) from first
    except KeyError as problem:
        faults.store_fault(problem)
    trace = Fault.objects.get().trace
    assert trace.index("ValueError") < trace.index("KeyError")
