"""An empty install: who may set it up, what is kept of what was typed, and that it happens once."""

import re
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from clubsite.accounts.models import Club, LogEntry, Role, User
from clubsite.accounts.starting import AlreadyStarted, start_club
from tests.kept import all_rows
from tests.pages import page_of
from tests.racing import in_the_middle
from tests.tournaments.setup.conftest import ANN, CLUB, set_up

pytestmark = pytest.mark.django_db


def test_the_front_page_of_an_empty_install_offers_both_ways_and_a_later_step_leads_back_to_the_first(here):
    page = page_of(here.get("/", follow=True))
    assert "Set up my club" in page
    assert "Try the demo" in page
    assert here.get("/start/director/")["Location"] == "/start/club/"


def test_club_and_director_are_there_after_two_steps_and_the_director_is_logged_in(here):
    answer = set_up(here)
    club, user = Club.objects.get(), User.objects.get()
    assert (club.name, club.slug, club.time_zone, club.paper, club.date_place) == (
        "St. Anne", "st-anne", "America/Chicago", "Letter", "us",
    )  # fmt: skip
    assert (user.username, user.get_full_name(), user.is_superuser) == ("ann.abel", "Ann Abel", True)
    assert user.check_password(ANN["password"])
    assert answer["Location"] == "/st-anne/start/rules/"
    assert here.get("/st-anne/desk/").status_code == 200
    assert club.start_left == ["rules", "members", "night"]
    assert {entry.verb for entry in LogEntry.objects.all()} == {"club.start", "role.add"}


def test_the_guess_goes_by_the_browser(here):
    for accepted, wanted in [
        ("en-US,en;q=0.9", ("Letter", "us", "en")),
        ("en-GB", ("A4", "gb", "en")),
        ("es-ES,es;q=0.9", ("A4", "es", "es")),
        ("es-MX", ("Letter", "mx", "es")),
        ("es", ("A4", "es", "es")),
        ("es-419,es;q=0.9", ("Letter", "mx", "es")),
        ("es-AR", ("A4", "mx", "es")),
        ("pl,de;q=0.5", ("A4", "gb", "en")),
        ("pl,en-US;q=0.7,en;q=0.3", ("A4", "gb", "en")),  # as a Polish Firefox asks
        ("", ("A4", "gb", "en")),
        ("x" * 5000, ("A4", "gb", "en")),
    ]:
        form = here.get("/start/club/", headers={"accept-language": accepted}).context["form"]
        assert tuple(form[name].value() for name in ("paper", "date_place", "language")) == wanted, accepted


def test_what_was_typed_stays_on_an_error_and_on_the_way_back(here):
    wrong = here.post("/start/club/", {**CLUB, "name": "", "paper": "A4"})
    assert wrong.status_code == 422
    assert wrong.context["form"]["time_zone"].value() == "America/Chicago"
    here.post("/start/club/", CLUB)
    short = here.post("/start/director/", {"full_name": "Ann Abel", "password": "short"})
    assert short.status_code == 422
    assert 'value="Ann Abel"' in page_of(short)
    assert "too short" in page_of(short)
    assert here.post("/start/director/", {**ANN, "step": "back"})["Location"] == "/start/club/"
    assert here.get("/start/club/").context["form"]["name"].value() == "St. Anne"
    again = here.get("/start/director/")
    assert 'value="Ann Abel"' in page_of(again)
    assert ANN["password"] not in page_of(again)
    assert ANN["password"] not in str(dict(here.session))
    here.post("/start/director/", {"full_name": "Ann Abel", "password": ""})
    assert User.objects.get().check_password(ANN["password"])


def test_what_is_missing_or_wrong_is_looked_at_first(here):
    here.post("/start/club/", CLUB)
    for sent, asked in [
        ({"full_name": "Ann Abel", "password": "short"}, "password"),
        ({"full_name": "", "password": "short"}, "full_name"),
    ]:
        page = here.post("/start/director/", sent).content.decode()
        assert re.findall(r"<input[^>]* name=\"(\w+)\"[^>]* autofocus", page) == [asked]


def test_both_steps_can_be_passed_over_and_the_desk_tells_of_them(here):
    here.post("/start/club/", {"step": "skip", "time_zone": "Europe/Dublin"})
    shown = page_of(here.post("/start/director/", {"step": "skip"}))
    password = re.search(r"<dt>Password</dt> <dd>(\S+)</dd>", shown)
    club = Club.objects.get()
    assert (club.name, club.time_zone) == ("Our card club", "Europe/Dublin")
    assert Client().login(username="director", password=password[1])
    desk = page_of(here.get(f"/{club.slug}/desk/"))
    for words in ("Name the club", "Choose a password of your own", "Choose the game", "Add members"):
        assert words in desk
    form = here.get(f"/{club.slug}/settings/").context["form"]
    kept = {name: value for name, value in form.initial.items() if value is not None}
    here.post(f"/{club.slug}/settings/", {**kept, "name": "St. Anne"})
    new = "four red tables"
    here.post("/password/", {"old_password": password[1], "new_password1": new, "new_password2": new})
    desk = page_of(here.get(f"/{club.slug}/desk/"))
    assert "Name the club" not in desk
    assert "Choose a password of your own" not in desk
    here.post(f"/{club.slug}/start/away/")
    assert "fully set up" not in page_of(here.get(f"/{club.slug}/desk/"))
    assert Club.objects.get().start_left == []


CLOSED = ("/start/", "/start/club/", "/start/director/")


@pytest.mark.parametrize("path", [*CLOSED, "/start/demo/"])
def test_another_machine_without_the_code_gets_nowhere(elsewhere, path):
    client = elsewhere()
    assert "with the code printed there" in page_of(client.get("/start/"))
    answer = client.post(path, {**CLUB, **ANN})
    assert answer.status_code in (302, 422)
    assert not Club.objects.exists()
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "told",
    [
        {"REMOTE_ADDR": "192.168.1.30", "HTTP_X_FORWARDED_FOR": "127.0.0.1"},  # says that it is from here
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "203.0.113.9"},  # passed on by a proxy on this machine
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_VIA": "1.1 hall"},
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "cards.example.org"},
        {"REMOTE_ADDR": ""},
    ],
)
def test_a_header_proves_nothing_and_a_proxy_disproves(db, settings, told):
    settings.ALLOWED_HOSTS = ["*"]
    client = Client(**{"HTTP_HOST": "localhost", **told})
    assert "Set up my club" not in page_of(client.get("/start/"))
    set_up(client)
    assert not Club.objects.exists()


@pytest.mark.parametrize(("setting", "value"), [("BEHIND_PROXY", True), ("SERVED_DIRECTLY", False)])
def test_where_a_proxy_is_or_may_be_in_front_loopback_is_no_proof(here, settings, setting, value):
    """A bare `proxy_pass` says nothing of what it passes on."""
    setattr(settings, setting, value)
    assert 'name="code"' in page_of(here.get("/start/"))
    set_up(here)
    assert not Club.objects.exists()


@pytest.mark.parametrize("address", ["::1", "::ffff:127.0.0.1", "127.0.0.1"])
def test_every_form_of_loopback_is_this_machine(db, address):
    client = Client(headers={"host": "127.0.0.1:8000"}, REMOTE_ADDR=address)
    assert "Set up my club" in page_of(client.get("/start/"))


def test_once_somebody_is_there_the_start_is_closed(here, elsewhere):
    set_up(here)
    nobody = Client(headers={"host": "localhost"}, REMOTE_ADDR="127.0.0.1")
    for path in CLOSED:
        for client in (nobody, elsewhere()):
            assert client.get(path)["Location"] == f"/login/?next={path}"
            assert client.post(path, {**CLUB, **ANN})["Location"] == f"/login/?next={path}"
    assert nobody.post("/start/demo/").status_code == 302
    assert Club.objects.count() == 1
    Club.objects.all().delete()  # a user alone closes it as well
    assert nobody.get("/start/")["Location"] == "/login/?next=/start/"
    assert "Set up my club" not in page_of(nobody.get("/"))


def test_a_double_tap_starts_one_club_and_goes_on(here):
    submission = str(uuid4())
    here.post("/start/club/", CLUB)
    before = here.cookies["sessionid"].value
    here.post("/start/director/", {**ANN, "submission": submission})
    here.cookies["sessionid"] = before  # the second tap was sent before the first one's answer came
    again = here.post("/start/director/", {**ANN, "submission": submission})
    assert again["Location"] == "/st-anne/start/rules/"
    assert here.get("/st-anne/desk/").status_code == 200
    assert Club.objects.count() == 1
    stranger = Client(headers={"host": "localhost"})
    guess = stranger.post("/start/director/", {"password": "another one here", "submission": submission})
    assert guess["Location"] == "/login/"
    assert "_auth_user_id" not in stranger.session


def test_a_double_tap_on_skip_shows_the_password_again(here):
    sent = {"step": "skip", "submission": str(uuid4())}
    here.post("/start/club/", CLUB)
    before = here.cookies["sessionid"].value
    first = page_of(here.post("/start/director/", sent))
    here.cookies["sessionid"] = before  # the second tap was sent before the first one's answer came
    second = page_of(here.post("/start/director/", sent))
    (shown, again) = (re.search(r"<dt>Password</dt> <dd>(\S+)</dd>", page) for page in (first, second))
    assert shown[1] == again[1]
    assert Client().login(username="director", password=again[1])
    assert here.get("/st-anne/desk/").status_code == 200
    user = User.objects.get()
    user.set_password("four red tables")
    user.save()
    stranger = Client(headers={"host": "localhost"})
    assert stranger.post("/start/director/", sent)["Location"] == "/login/", "it was changed since"


def test_neither_a_copy_of_the_database_nor_a_late_tap_shows_a_made_password(here):
    sent = {"step": "skip", "submission": str(uuid4())}
    here.post("/start/club/", CLUB)
    here.post("/start/director/", sent)
    cells = [str(value) for rows in all_rows().values() for row in rows for value in row]
    assert [cell for cell in cells if sent["submission"] in cell or UUID(sent["submission"]).hex in cell] == []
    thief = Client(headers={"host": "localhost"})
    kept = LogEntry.objects.get(verb="club.start").new["submission"]
    for guess in (kept, kept[:32], kept[32:]):
        assert thief.post("/start/director/", {**sent, "submission": guess})["Location"].startswith("/login/")
    for minutes in (11, -11):  # the clock may have been put back
        LogEntry.objects.update(at=timezone.now() - timedelta(minutes=minutes))
        assert thief.post("/start/director/", sent)["Location"].startswith("/login/")
    assert "_auth_user_id" not in thief.session
    LogEntry.objects.update(at=timezone.now() - timedelta(minutes=5))
    assert "<dt>Password</dt>" in page_of(thief.post("/start/director/", sent))


@pytest.mark.django_db(transaction=True)
def test_of_two_first_visits_at_once_one_starts_the_club(monkeypatch):
    def begin(name):
        return start_club(club=Club(name=name), director=User(first_name=name, password="!"), first=True)

    where = "clubsite.accounts.starting.free_slug"
    both = in_the_middle(monkeypatch, where, first=lambda: begin("St. Anne"), second=lambda: begin("St. Bede"))
    assert (type(both.first), type(both.second)) == (Role, AlreadyStarted)
    assert (Club.objects.count(), User.objects.count(), Role.objects.count()) == (1, 1, 1)


def test_looking_writes_nothing(here):
    here.post("/start/club/", CLUB)
    with connection.execute_wrapper(_no_writes):
        for path in CLOSED:
            here.get(path)


def _no_writes(execute, sql, params, many, context):
    assert not re.match(r"\W*(INSERT|UPDATE|DELETE)", sql), sql
    return execute(sql, params, many, context)
