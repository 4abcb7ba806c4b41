"""The pages of backups: who may see them, what they say, and restoring by them."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubsite.accounts.models import Member, Role, User
from clubsite.operations import maintenance, schedule
from clubsite.operations.backup import list_backups, make_backup
from tests.backups.halls import DORA, evenings, play_on
from tests.conftest import make_user
from tests.pages import page_of
from tests.scoring.cards.test_race import alone as seen
from tests.tournaments import nights
from tournaments.events.state import event_locked
from tournaments.models import Draw
from tournaments.rounds.publishing import take_back_draw
from tournaments.table_links import links

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("real_database")]


class Hall:
    """A site with two clubs, a backup, and what was done since; its people, each with a browser."""

    def __init__(self, folder):
        self.here, self.there = evenings()
        self.dora = make_user("dora", self.here, Role.Kind.DIRECTOR)
        self.otto = make_user("otto", self.there, Role.Kind.DIRECTOR)
        self.owner = User.objects.create_superuser("olga", password="nine tables in the hall")
        self.sam = User.objects.get(username="sam.hilary")
        self.name = make_backup(folder).name
        play_on(self.here)

    def address(self, name):
        return reverse(name, args=[self.name])


def browser(user):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


@pytest.fixture
def hall(folder):
    return seen(lambda: Hall(folder))


def test_who_may_open_what(hall):
    site = [reverse("backups"), hall.address("backup"), hall.address("backup_file")]
    club = [reverse("club_backups", args=["hilary"])]

    def statuses(user, addresses):
        client = browser(user)
        return [(status(client.get(url)), status(client.post(url))) for url in addresses]

    def status(answer):
        answer.close()  # one is a file
        return int(answer.status_code)

    assert set(seen(lambda: statuses(None, site + club))) == {(302, 302)}
    for nobody in (hall.otto, hall.sam):
        assert set(seen(lambda user=nobody: statuses(user, site + club))) <= {(404, 404), (404, 405)}
    assert {get for get, _post in seen(lambda: statuses(hall.dora, site))} == {404}
    assert seen(lambda: [browser(who).post(reverse("everything")).status_code for who in (hall.dora, hall.otto)]) == [
        404,
        404,
    ]
    assert [get for get, _post in seen(lambda: statuses(hall.dora, club))] == [200]
    assert [get for get, _post in seen(lambda: statuses(hall.owner, site))] == [200] * 3


def test_a_file_that_is_no_backup_has_no_page(hall, folder):
    (folder / "nine-tables-secret.backup").write_text("not one")
    for name in ("nine-tables-secret.backup", "..", "state.json", "nine-tables-none.backup"):
        address = reverse("backups") + f"{name}/"
        assert seen(lambda url=address: browser(hall.owner).get(url).status_code) == 404
    assert seen(lambda: browser(hall.owner).get(reverse("backups")).status_code) == 200


def test_what_would_be_lost_is_said_from_the_log(hall):
    page = page_of(seen(lambda: browser(hall.owner).get(hall.address("backup"))))
    kinds = dict(re.findall(r"<dt>([^<]+)</dt><dd>(\d+)</dd>", page))
    assert int(kinds["Cards and deals"]) > 0
    assert "adds people who can log in" not in page


def test_a_backup_that_brings_in_log_ins_with_rights_says_so_first(hall):
    """Somebody may have handed the owner a file of another site."""
    from clubsite.accounts.models import LogEntry

    seen(lambda: LogEntry.objects.update(at=timezone.now() - timedelta(days=1)))
    page = page_of(seen(lambda: browser(hall.owner).get(hall.address("backup"))))
    rights = re.findall(r"<li>([^<]+: [^<]+)</li>", page)
    assert "olga: owner of the site" in rights
    assert "otto: director, Harbour" in rights


def test_looking_writes_nothing(hall):
    def look():
        with CaptureQueriesContext(connection) as queries:
            client = browser(hall.owner)
            del queries.captured_queries[:]
            assert client.get(hall.address("backup")).status_code == 200
            assert client.get(reverse("backups")).status_code == 200
        return [q["sql"] for q in queries if q["sql"].split()[0] in ("INSERT", "UPDATE", "DELETE")]

    assert not [sql for sql in seen(look) if "_session" not in sql and "accounts_user" not in sql]


def restored(hall, typed=" Restore ", **changed):
    def by_page():
        client, address = browser(hall.owner), hall.address("backup")
        mark = page_of(client.get(address)).split('name="seen" value="')[1].split('"')[0]
        return page_of(client.post(address, {"seen": mark, "typed": typed} | changed, follow=True))

    return seen(by_page)


def test_the_owner_restores_a_backup_logs_in_again_and_everybody_is_told(hall, folder):
    visitor = seen(lambda: browser(hall.dora))
    page = restored(hall)
    assert "The backup is restored." in page
    assert 'name="password"' in page
    assert not seen(lambda: Member.objects.filter(club=hall.here, name="Player 09").exists())
    assert len(list_backups(folder)) == 2
    for path in ("/hilary/events/", "/harbour/rules/"):
        assert 'id="restored"' in page_of(seen(lambda url=path: browser(None).get(url)))
    assert seen(lambda: visitor.get("/hilary/desk/").status_code) == 302
    assert seen(lambda: Client().login(username="olga", password="nine tables in the hall"))


def test_the_desk_says_which_cards_to_print_again(hall):
    """Those in people's hands are of a draw that is gone; visitors aren't bothered with it."""

    def another_draw():
        (draw,) = Draw.objects.filter(round__stage__event__club=hall.here)
        take_back_draw(draw=draw, by=DORA)
        nights.publish_next(draw.round.stage.event, DORA)

    seen(another_draw)
    cards = "Print these cards again: Night friday, Round 1: 1, 2."
    assert cards in restored(hall)
    assert cards in page_of(seen(lambda: browser(hall.sam).get("/hilary/desk/")))
    assert cards not in page_of(seen(lambda: browser(None).get("/hilary/events/")))


@pytest.mark.parametrize("step", ["renew", "make"])
def test_a_step_that_waited_while_its_draw_was_taken_away_says_so(hall, step, monkeypatch):
    """As when links are made anew while somebody restores a backup of before the draw."""

    def taken_away(event):
        Draw.objects.filter(round__stage__event=event).delete()
        return event_locked(event)

    monkeypatch.setattr(links, "event_locked", taken_away)

    def sent():
        answer = browser(hall.dora).post(reverse("table_links", args=["hilary", "friday"]), {"step": step})
        return answer.status_code, page_of(answer)

    status, page = seen(sent)
    assert (status, "while you were working" in page) == (404, True)


@pytest.mark.parametrize("changed", [{"typed": "hilary"}, {"seen": "-1"}, {"seen": "4711"}])
def test_it_has_to_be_meant_and_by_what_was_shown(hall, folder, changed):
    page = restored(hall, **changed)
    assert "message-danger" in page
    assert seen(lambda: Member.objects.filter(club=hall.here, name="Player 09").exists())
    assert len(list_backups(folder)) == 1


def test_meanwhile_nothing_is_taken_and_what_was_sent_stays_on_the_page(hall, folder):
    """Also not from a second who restores one."""

    def sent():
        return browser(hall.dora).post("/hilary/members/", {"names": "Ann Early"})

    with maintenance.restoring(timezone.now()):
        answer = seen(sent)
        assert (answer.status_code, answer["Retry-After"]) == (503, "30")
        assert "Ann Early" in page_of(answer)
        assert 'id="restored"' in page_of(seen(lambda: browser(None).get("/harbour/rules/")))
        seen(lambda: browser(hall.owner).post(hall.address("backup"), {"typed": "restore", "seen": "0"}))
        with pytest.raises(maintenance.BackupRefused), maintenance.restoring(timezone.now()):
            pass
    assert len(list_backups(folder)) == 1
    assert not cache.get(maintenance.RESTORING)
    assert seen(sent).status_code != 503


def test_a_backup_is_taken_away_as_a_file_of_its_length_and_not_compressed_again(hall, folder):
    def taken():
        answer = browser(hall.owner).get(hall.address("backup_file"), headers={"Accept-Encoding": "gzip"})
        return b"".join(answer.streaming_content), dict(answer.headers)

    taken_away, headers = seen(taken)
    assert taken_away == (folder / hall.name).read_bytes()
    assert "Content-Encoding" not in headers
    assert headers["Content-Length"] == str(len(taken_away))


def test_the_list_tells_backups_of_one_minute_apart_and_asks_the_same_for_many(hall, folder):
    def listed():
        client = browser(hall.owner)
        with CaptureQueriesContext(connection) as captured:
            page = page_of(client.get(reverse("backups")))
        return len(captured), sorted(set(re.findall(r'visually-hidden">(No\. \d)', page)))

    queries, _numbers = seen(listed)
    seen(lambda: (make_backup(folder), make_backup(folder)))
    assert seen(listed) == (queries, ["No. 1", "No. 2", "No. 3"])


def test_making_one_now(hall, folder):
    """From the club's page too; a double tap makes one."""

    def tapped_twice(address):
        client = browser(hall.owner)
        sent = {"submission": page_of(client.get(address)).split('name="submission" value="')[1].split('"')[0]}
        return [page_of(client.post(reverse("backups"), sent, follow=True)) for _tap in range(2)]

    seen(lambda: Role.objects.create(user=hall.owner, club=hall.here, kind=Role.Kind.DIRECTOR))
    for n, address in enumerate([reverse("backups"), reverse("club_backups", args=["hilary"])], start=2):
        for page in seen(lambda url=address: tapped_twice(url)):
            assert "The backup is made." in page
        assert len(list_backups(folder)) == n


def test_one_that_could_not_be_made_is_not_said_to_be(hall, folder, monkeypatch):
    def full(*_given, **_more):
        raise maintenance.BackupRefused("full")

    monkeypatch.setattr(schedule, "make_backup", full)
    assert "message-danger" in page_of(seen(lambda: browser(hall.owner).post(reverse("backups"), follow=True)))
    assert len(list_backups(folder)) == 1


def test_only_the_owner_is_offered_one_on_the_clubs_page(hall):
    def offers(user):
        page = page_of(browser(user).get(reverse("club_backups", args=["hilary"])))
        return [reverse("backups") in page, hall.address("backup_file") in page]

    seen(lambda: Role.objects.create(user=hall.owner, club=hall.here, kind=Role.Kind.DIRECTOR))
    assert seen(lambda: offers(hall.owner)) == [True, True]
    assert seen(lambda: offers(hall.dora)) == [False, False]


def test_the_desk_tells_a_director_when_the_stick_is_missing(hall, folder, stick, settings):
    stick.rmdir()
    seen(lambda: browser(hall.owner).post(reverse("backups")))
    assert 'id="backups-wrong"' in page_of(seen(lambda: browser(hall.dora).get("/hilary/desk/")))
    assert 'id="backups-wrong"' not in page_of(seen(lambda: browser(hall.sam).get("/hilary/desk/")))
    settings.BACKUPS_ALSO_TO = ""
    assert 'id="backups-wrong"' not in page_of(seen(lambda: browser(hall.dora).get("/hilary/desk/")))
