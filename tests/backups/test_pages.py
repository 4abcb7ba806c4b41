"""The pages of backups: who may see them, what they say, and going back by them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubsite.accounts.models import Actor, Club, Member, Role, User
from clubsite.backups import going
from clubsite.backups.files import Backup, backups_in, newest
from clubsite.backups.making import make_backup
from clubsite.backups.notice import begun, end
from clubsite.backups.shown import shown
from clubsite.jobs import heartbeat
from scoring.models import Deal
from tests.backups.test_drill import DORA, evenings, play_on
from tests.conftest import make_user
from tests.jobs.workers import work
from tests.pages import page_of
from tests.scoring.cards.test_race import alone
from tests.tournaments import nights
from tournaments.events.state import lock_event
from tournaments.members.kept.erasing import erase
from tournaments.models import Draw, Event
from tournaments.rounds.publishing import take_back_draw
from tournaments.table_links import links

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("real_database")]


class Hall:
    """A site with two clubs, a backup, and what was done since; its people, each with a browser."""

    def __init__(self, folder: Path) -> None:
        self.here, self.there = evenings()
        self.dora = make_user("dora", self.here, Role.Kind.DIRECTOR)
        self.otto = make_user("otto", self.there, Role.Kind.DIRECTOR)
        self.owner = User.objects.create_superuser("olga", password="nine tables in the hall")
        self.sam = User.objects.get(username="sam.hilary")
        self.name = make_backup(folder).name
        play_on(self.here)

    def address(self, name: str, *more: Any) -> str:
        return reverse(name, args=[*more, self.name])


def browser(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def seen(work: Callable[[], Any]) -> Any:
    """On the database of the test, with a connection of its own."""
    return alone(work)


@pytest.fixture
def hall(folder: Path) -> Hall:
    def made() -> Hall:
        return Hall(folder)

    return alone(made)


def test_who_may_open_what(hall: Hall) -> None:
    site = [reverse("backups"), hall.address("backup"), hall.address("backup_file")]
    site.append(reverse("backup_of_club", args=[hall.name, hall.here.pk]))
    club = [reverse("club_backups", args=["hilary"]), hall.address("club_backup", "hilary")]

    def statuses(user: User | None, addresses: list[str]) -> list[tuple[int, int]]:
        client = browser(user)
        return [(status(client.get(url)), status(client.post(url))) for url in addresses]

    def status(answer: Any) -> int:
        answer.close()  # one is a file
        return int(answer.status_code)

    assert set(seen(lambda: statuses(None, site + club))) == {(302, 302)}
    for nobody in (hall.otto, hall.sam):
        assert set(seen(lambda user=nobody: statuses(user, site + club))) == {(404, 404)}
    assert set(seen(lambda: statuses(hall.dora, site))) == {(404, 404)}
    assert [get for get, _post in seen(lambda: statuses(hall.dora, club))] == [200, 200]
    assert [get for get, _post in seen(lambda: statuses(hall.owner, site))] == [200] * 4


def test_a_file_that_is_no_backup_has_no_page(hall: Hall, folder: Path) -> None:
    (folder / "nine-tables-secret.backup").write_text("not one")
    for name in ("nine-tables-secret.backup", "..", "state.json", "nine-tables-none.backup"):
        address = reverse("backups") + f"{name}/"
        assert seen(lambda url=address: browser(hall.owner).get(url).status_code) == 404
    assert seen(lambda: browser(hall.owner).get(reverse("backups")).status_code) == 200


def test_what_would_be_lost_is_said_by_name_and_number(hall: Hall) -> None:
    page = page_of(seen(lambda: browser(hall.dora).get(hall.address("club_backup", "hilary"))))
    deals = seen(lambda: Deal.objects.filter(game__club=hall.here).count())
    assert "Player 09" in page
    assert "Night saturday" in page
    assert "Night friday: " in page
    assert deals
    whole = page_of(seen(lambda: browser(hall.owner).get(hall.address("backup"))))
    assert "Player 09" in whole
    assert "Harbour</h3>" not in whole, "nothing was done there"


def test_the_page_names_what_people_asked_for_and_that_it_stays(hall: Hall) -> None:
    def ask() -> None:
        members = Member.objects.filter(club=hall.here)
        members.filter(name__in=["Player 01", "Player 09"]).update(initials_only=True)
        member = members.get(name="Player 03")
        erase(member=member, by=DORA, typed=member.name)

    seen(ask)
    for user, address in ((hall.dora, hall.address("club_backup", "hilary")), (hall.owner, hall.address("backup"))):
        page = page_of(seen(lambda user=user, address=address: browser(user).get(address)))
        assert "Player 01: initials only" in page
        assert "1 person who was erased" in page
        assert "Player 03" not in page
        assert "Player 09 (initials only)" in page, "a member who goes: ask them when they are added again"


def test_a_backup_that_brings_in_log_ins_with_rights_says_so_first(hall: Hall) -> None:
    """Somebody may have handed the owner a file of their own."""

    def gone() -> None:
        User.objects.filter(username="olga").update(username="olga.now", date_joined=datetime(2040, 1, 1, tzinfo=UTC))
        Club.objects.filter(pk=hall.there.pk).delete()

    assert "log-ins with rights" not in page_of(seen(lambda: browser(hall.owner).get(hall.address("backup"))))
    seen(gone)
    page = page_of(seen(lambda: browser(hall.owner).get(hall.address("backup"))))
    assert "log-ins with rights" in page
    assert "olga: owner of the site" in page
    assert "otto: director, Harbour" in page
    assert "dora" not in page.split("log-ins with rights")[1].split("</div>")[0]
    one = page_of(seen(lambda: browser(hall.owner).get(reverse("backup_of_club", args=[hall.name, hall.there.pk]))))
    assert "otto: director, Harbour" in one
    assert "owner of the site" not in one


def test_looking_writes_nothing(hall: Hall) -> None:
    def look() -> list[str]:
        with CaptureQueriesContext(connection) as queries:
            browser_of = browser(hall.owner)
            del queries.captured_queries[:]
            assert browser_of.get(hall.address("backup")).status_code == 200
            assert browser_of.get(reverse("backups")).status_code == 200
        return [q["sql"] for q in queries if q["sql"].split()[0] in ("INSERT", "UPDATE", "DELETE")]

    assert not [sql for sql in seen(look) if "_session" not in sql and "accounts_user" not in sql]


def going_back(hall: Hall, user: User, address: str, typed: str, **changed: str) -> str:
    client = browser(user)
    page = page_of(client.get(address))
    mark = page.split('name="fingerprint" value="')[1].split('"')[0]
    return page_of(client.post(address, {"fingerprint": mark, "typed": typed} | changed, follow=True))


def test_a_director_brings_the_club_back_and_everybody_is_told(hall: Hall, folder: Path) -> None:
    address = hall.address("club_backup", "hilary")
    said = seen(lambda: going_back(hall, hall.dora, address, " hilary "))
    assert "Done. What was there before is a backup too" in said
    assert "isn’t there any more" in said or "aren’t there any more" in said
    assert not seen(lambda: Member.objects.filter(club=hall.here, name="Player 09").exists())
    assert len(backups_in(folder)) == 2
    for path in ("/hilary/events/", "/hilary/rules/"):
        assert "Everything here was put back" in page_of(seen(lambda url=path: browser(None).get(url)))
    assert "was put back" not in page_of(seen(lambda: browser(None).get("/harbour/rules/"))), "another club's business"


def test_the_desk_says_which_cards_to_print_again(hall: Hall) -> None:
    """Those in people's hands are of a draw that is gone; visitors aren't bothered with it."""

    def another_draw() -> None:
        (draw,) = Draw.objects.filter(round__stage__event__club=hall.here)
        take_back_draw(draw=draw, by=DORA)
        nights.publish_next(draw.round.stage.event, DORA)

    seen(another_draw)
    cards = "Print these cards again: Night friday, Round 1: 1, 2."
    assert cards in seen(lambda: going_back(hall, hall.dora, hall.address("club_backup", "hilary"), "hilary"))
    assert cards in page_of(seen(lambda: browser(hall.sam).get("/hilary/desk/")))
    assert cards not in page_of(seen(lambda: browser(None).get("/hilary/events/")))


@pytest.mark.parametrize("step", ["renew", "make"])
def test_a_step_that_waited_while_its_draw_was_taken_away_says_so(
    hall: Hall, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when links are made anew while somebody goes back to a backup of before the draw."""

    def taken_away(event: Event) -> Event:
        Draw.objects.filter(round__stage__event=event).delete()
        return lock_event(event)

    monkeypatch.setattr(links, "lock_event", taken_away)

    def sent() -> tuple[int, str]:
        answer = browser(hall.dora).post(reverse("table_links", args=["hilary", "friday"]), {"step": step})
        return answer.status_code, page_of(answer)

    status, page = seen(sent)
    assert (status, "while you were at it" in page) == (404, True)


def test_who_has_read_that_something_was_put_back_puts_it_away_and_others_are_told_on(hall: Hall, folder: Path) -> None:
    told, path = "Everything here was put back", "/hilary/rules/"

    def notice_of(client: Client) -> dict[str, str]:
        return dict(re.findall(r'name="(mark|next)" value="([^"]+)"', page_of(client.get(path))))

    def put_away() -> None:
        dora, sam, phone = browser(hall.dora), browser(hall.sam), browser(None)
        sent = notice_of(dora)
        assert sent["next"] == path
        assert dora.post(reverse("gone_back_seen"), sent)["Location"] == path
        assert told not in page_of(dora.get(path))
        assert all(told in page_of(one.get(path)) for one in (sam, phone))
        assert phone.post(reverse("gone_back_seen"), sent, headers={"HX-Request": "true"}).content == b""
        assert told not in page_of(phone.get(path))
        for elsewhere in ("https://example.org/", "//example.org/", "/\\example.org"):
            answer = sam.post(reverse("gone_back_seen"), {"mark": "0" * 16 + "; x", "next": elsewhere})
            assert answer["Location"] == "/"
        assert told in page_of(sam.get(path))
        end(newest(folder), hall.here.pk)
        assert told in page_of(dora.get(path)), "somebody went back once more"

    seen(lambda: going_back(hall, hall.dora, hall.address("club_backup", "hilary"), "hilary"))
    seen(put_away)


def test_the_owner_brings_the_whole_site_back_and_stays_logged_in(hall: Hall) -> None:
    said = seen(lambda: going_back(hall, hall.owner, hall.address("backup"), "Go back"))
    assert "Done." in said
    assert "Log out olga" in said
    assert not seen(lambda: Member.objects.filter(name="Player 09").exists())


@pytest.mark.parametrize(
    ("typed", "changed", "words"),
    [
        ("harbour", {}, "nothing was changed"),
        ("hilary", {"fingerprint": "0123456789abcdef"}, "Something was done since you looked"),
    ],
)
def test_it_has_to_be_meant(hall: Hall, folder: Path, typed: str, changed: dict[str, str], words: str) -> None:
    address = hall.address("club_backup", "hilary")
    assert words in seen(lambda: going_back(hall, hall.dora, address, typed, **changed))
    assert seen(lambda: Member.objects.filter(club=hall.here, name="Player 09").exists())
    assert len(backups_in(folder)) == 1


def test_the_second_tap_does_nothing_more(hall: Hall, folder: Path) -> None:
    def twice() -> str:
        client = browser(hall.dora)
        address = hall.address("club_backup", "hilary")
        mark = page_of(client.get(address)).split('name="fingerprint" value="')[1].split('"')[0]
        sent = {"fingerprint": mark, "typed": "hilary"}
        client.post(address, sent)
        return page_of(client.post(address, sent, follow=True))

    assert "Something was done since you looked" in seen(twice)
    assert len(backups_in(folder)) == 2


def test_of_two_who_go_back_at_once_the_second_is_told(hall: Hall, folder: Path) -> None:
    """And everybody is told meanwhile."""
    found = newest(folder)
    assert found is not None
    with begun(found, None):
        said = seen(lambda: going_back(hall, hall.dora, hall.address("club_backup", "hilary"), "hilary"))
        assert "Somebody is going back to a backup already" in said
        assert "is being put back" in page_of(seen(lambda: browser(None).get("/harbour/rules/")))
    assert len(backups_in(folder)) == 1


def test_no_request_waits_while_a_worker_goes_back(hall: Hall, folder: Path, settings: LazySettings) -> None:
    """The page waits, a second tap and another director are told, and the page says how it ended."""
    settings.TASKS_APART = True
    address = hall.address("club_backup", "hilary")

    def ask() -> tuple[str, str, str]:
        heartbeat.beat("somewhere")
        dora, mark = browser(hall.dora), ""
        mark = page_of(dora.get(address)).split('name="fingerprint" value="')[1].split('"')[0]
        sent = {"fingerprint": mark, "typed": "hilary"}
        waiting = dora.post(address, sent)["Location"]
        return waiting, page_of(dora.get(waiting)), page_of(dora.post(address, sent, follow=True))

    waiting, page, again = seen(ask)
    assert "It is next" in page
    assert "Somebody is going back to a backup already" in again
    assert "is being put back" in page_of(seen(lambda: browser(None).get("/hilary/rules/")))
    assert seen(lambda: Member.objects.filter(club=hall.here, name="Player 09").exists()), "not done in the request"
    seen(work)
    assert not seen(lambda: Member.objects.filter(club=hall.here, name="Player 09").exists())
    assert "Done. What was there before is a backup too" in page_of(seen(lambda: browser(hall.dora).get(waiting)))
    assert "Everything here was put back" in page_of(seen(lambda: browser(None).get("/hilary/rules/")))
    assert len(backups_in(folder)) == 2

    def others() -> list[int]:
        elsewhere = hall.address("backup") + "?" + waiting.partition("?")[2]
        asked = [(hall.otto, waiting), (hall.sam, waiting), (hall.owner, elsewhere), (hall.dora, f"{address}?task=1")]
        return [browser(user).get(url).status_code for user, url in asked]

    assert seen(others) == [404] * 4


def test_without_a_worker_it_is_done_all_the_same(hall: Hall, settings: LazySettings) -> None:
    settings.TASKS_APART = True
    said = seen(lambda: going_back(hall, hall.dora, hall.address("club_backup", "hilary"), "hilary"))
    assert "Done. What was there before is a backup too" in said


def test_a_backup_that_is_gone_by_then_is_said_and_another_can_be_asked_for(hall: Hall, folder: Path) -> None:
    """Old ones are cleared away by themselves, and a stick is pulled out."""
    found = newest(folder)
    assert found is not None
    found.path.unlink()
    by = Actor(user=None, name="Dora", director=True)
    ended = seen(lambda: going.ask(found, club=hall.here.pk, mark="", by=by))
    assert isinstance(ended, going.RestoreProgress)
    assert (ended.waits, ended.well, found.name in ended.words) == (False, False, True)
    with begun(found, None):  # raises GoingOn while something is thought to be going on
        pass


def test_a_backup_can_be_taken_away_as_a_file(hall: Hall, folder: Path) -> None:
    def taken() -> bytes:
        answer: Any = browser(hall.owner).get(hall.address("backup_file"))
        return b"".join(answer.streaming_content)

    assert seen(taken) == (folder / hall.name).read_bytes()


def test_backups_of_one_minute_are_told_apart_also_where_one_goes_back(hall: Hall, folder: Path) -> None:
    seen(lambda: (make_backup(folder), make_backup(folder)))
    page = page_of(seen(lambda: browser(hall.dora).get(reverse("club_backups", args=["hilary"]))))
    listed = re.findall(r"<time [^>]*>([^<]+)</time>", page)
    assert len(set(listed)) == len(listed) == 3
    assert len(set(re.findall(r"visually-hidden\">to ([^<]+)<", page))) == 3
    names = [path.name for path in backups_in(folder)]
    for name, when in zip(names, listed, strict=True):
        address = reverse("club_backup", args=["hilary", name])
        asked = page_of(seen(lambda url=address: browser(hall.dora).get(url)))
        assert f"<h1>Go back to {when}</h1>" in asked
        assert "<p>asked for · " in asked


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ([300, 200, 100], ["18:05", "18:03", "18:01"]),
        ([300, 55, 5], ["18:05", "18:00:55", "18:00:05"]),
        ([55, 5, 5], ["18:00:55", "18:00:05, number 2", "18:00:05, number 1"]),
    ],
)
def test_a_time_is_as_exact_as_it_takes(seconds: list[int], expected: list[str]) -> None:
    began = datetime(2054, 11, 6, 18, tzinfo=UTC)
    paths = [Path(f"nine-tables-x-n{number:05}.backup") for number in range(len(seconds), 0, -1)]
    found = [
        Backup(migrations=frozenset(), rows={}, path=path, made_at=began + timedelta(seconds=after))
        for path, after in zip(paths, seconds, strict=True)
    ]
    with timezone.override(UTC):
        assert [line.time for line in shown(found)] == expected
        assert [line.at for line in shown(found)] == [f"6 November 2054, {time}" for time in expected]


def test_making_one_now(hall: Hall, folder: Path) -> None:
    page = page_of(seen(lambda: browser(hall.owner).post(reverse("backups"), follow=True)))
    assert "The backup is made." in page
    assert len(backups_in(folder)) == 2


def test_the_desk_tells_a_director_when_the_stick_is_missing(
    hall: Hall, folder: Path, stick: Path, settings: LazySettings
) -> None:
    stick.rmdir()
    seen(lambda: browser(hall.owner).post(reverse("backups")))
    assert "Something is wrong with the backups" in page_of(seen(lambda: browser(hall.dora).get("/hilary/desk/")))
    assert "with the backups" not in page_of(seen(lambda: browser(hall.sam).get("/hilary/desk/")))
    settings.BACKUPS_ALSO_TO = ""
    assert "with the backups" not in page_of(seen(lambda: browser(hall.dora).get("/hilary/desk/")))


def test_the_list_asks_the_same_of_the_database_however_long_it_is(hall: Hall, folder: Path) -> None:
    def queries() -> int:
        client = browser(hall.owner)
        with CaptureQueriesContext(connection) as found:
            client.get(reverse("backups"))
        return len(found)

    before = seen(queries)
    seen(lambda: (make_backup(folder), make_backup(folder)))
    assert seen(queries) == before


def test_a_club_that_others_can_go_to_has_the_site_pages_address_to_itself(hall: Hall) -> None:
    from django.core.exceptions import ValidationError

    with pytest.raises(ValidationError):
        Club(name="Backups", slug="backups").clean()
