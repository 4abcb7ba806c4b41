"""E-mail: only to who agreed, each letter once, held back on failure, and ended by one touch."""

import re
import signal
from datetime import timedelta
from socket import socket
from uuid import uuid4

import pytest
from aiosmtpd.controller import Controller
from django.core import mail as post
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from clubsite.accounts.doors import renew_link
from clubsite.accounts.models import Club, Door, LogEntry, Member
from clubsite.accounts.roles import door_cookie
from clubsite.jobs.periodic import clean_up
from tests.jobs.workers import until, work, worker_process
from tests.tournaments.exports.test_calendar import moved
from tests.tournaments.nights import make_members, make_night, play_night
from tournaments import mail
from tournaments.events.actions import call_off
from tournaments.mail import agree, dump_mail, restore_mail, send_letters, subscribe
from tournaments.members.erasing import erase
from tournaments.members.personal_data import export_personal_data
from tournaments.models import Event, Letter, SignUp, Subscriber
from tournaments.sign_ups import VISITOR, cancel_sign_up, sign_up
from tournaments.standings.results import take_back_result

ANN = "ann@example.org"


@pytest.fixture(autouse=True)
def set_up(settings):
    settings.MAIL_IS_SET = True


@pytest.fixture
def night(club, rules_for):
    night = make_night(club, rules_for("st-hilary-v3"), slug="soon")
    Event.objects.filter(pk=night.pk).update(
        starts_at=timezone.now() + timedelta(days=9), sign_up=Event.SignUps.OPEN, places=1
    )
    return Event.objects.get(pk=night.pk)


def subscriber(club, email=ANN, *, agreed=True, **more):
    at = timezone.now() - timedelta(days=400) if agreed else None
    wishes = {"results": True, "reminders": True, "language": "en", "site": "http://testserver"}
    return Subscriber.objects.create(club=club, email=email, agreed_at=at, **wishes | more)


def looked():
    """What workers do, at once."""
    for write_due in mail.DUE:
        write_due(timezone.now())
    send_letters.call()
    letters, post.outbox = post.outbox, []
    return letters


def page(address, client=None):
    return (client or Client()).get(address).content.decode()


def link_in(letter):
    return re.search(r"http://testserver(/st-hilary/mail/\S+)", letter.body)[1]


def tomorrow(event):
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() + timedelta(hours=20))
    SignUp.objects.update(at=timezone.now() - timedelta(days=3))
    Subscriber.objects.update(agreed_at=timezone.now() - timedelta(days=3))


class Server:
    """An SMTP server that refuses addresses with "broken", and does something to the worker at some moments."""

    def __init__(self):
        self.arrived, self.asked, self.at_address, self.at_text = [], 0, {}, {}

    async def handle_RCPT(self, server, session, envelope, address, options):
        self.asked += 1
        self.at_address.pop(self.asked, lambda: None)()
        if "broken" in address:
            return "550 5.1.1 No such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.arrived += envelope.rcpt_tos
        self.at_text.pop(len(self.arrived), lambda: None)()
        return "250 OK"


@pytest.fixture
def server(monkeypatch):
    handler = Server()
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(handler, hostname="127.0.0.1", port=port)
    controller.start()
    monkeypatch.setenv("EMAIL_URL", f"smtp://127.0.0.1:{port}")
    yield handler
    controller.stop()


@pytest.mark.proof
@pytest.mark.django_db(transaction=True)
def test_with_workers_killed_in_the_middle_everybody_who_agreed_gets_the_result_once(
    club, actor, rules_for, apart, server
):
    make_members(club, 60)
    for n, member in enumerate(Member.objects.filter(club=club).order_by("pk")):
        member.email = f"{'broken' if n in (7, 23, 41) else 'member'}{n}@example.org"
        member.save()
        if n < 54:  # six more never asked
            subscriber(club, member.email, agreed=n < 48)
    play_night(make_night(club, rules_for("st-hilary-v3"), slug="past"), actor, 4)

    def killed(moments, n):
        with worker_process() as worker:
            moments[n] = lambda: worker.send_signal(signal.SIGKILL)
            worker.wait()
        assert n not in moments
        assert Letter.objects.filter(state=Letter.State.WAITING).exists()
        Letter.objects.filter(state=Letter.State.WAITING).update(due_at=timezone.now())  # as after the lease

    killed(server.at_address, 15)
    killed(server.at_text, 30)  # the server has it, and the worker never learns that
    with worker_process():
        until(lambda: not Letter.objects.filter(state=Letter.State.WAITING).exists())
    agreed = {to.email for to in Subscriber.objects.filter(agreed_at__isnull=False)}
    assert sorted(server.arrived) == sorted(email for email in agreed if "broken" not in email)
    assert len(server.arrived) == 45
    held = Letter.objects.filter(state=Letter.State.HELD)
    assert sorted(letter.email for letter in held) == [f"broken{n}@example.org" for n in (23, 41, 7)]
    assert {letter.problem for letter in held} == {"550 5.1.1 No such user"}


def test_nothing_but_one_letter_goes_to_an_address_until_its_owner_agrees(club, actor, rules_for):
    answer = Client().post(reverse("mail", args=[club.slug]), {"email": "Ann@Example.org", "results": "on"})
    assert answer.status_code == 200
    (letter,) = post.outbox
    assert (letter.to, letter.extra_headers["List-Unsubscribe-Post"]) == ([ANN], "List-Unsubscribe=One-Click")
    link = link_in(letter)
    post.outbox.clear()
    assert "checked" in page(link)  # a scanner opens it, too
    play_night(make_night(club, rules_for("st-hilary-v3"), slug="first"), actor, 4)
    assert looked() == []
    Client().post(link, {"agree": "1", "results": "on"})
    assert looked() == [], "a result from before is no news"
    night = make_night(club, rules_for("st-hilary-v3"), slug="second")
    Member.objects.filter(club=club, name="Player 01").update(initials_only=True)
    play_night(night, actor, 4)
    (letter,) = looked()
    assert night.name in letter.subject
    assert f"http://testserver{night.get_absolute_url()}" in letter.body
    assert re.search(r"^1\. .+: \d+$", letter.body, re.MULTILINE)
    assert "Player 01" not in letter.body
    assert looked() == []


def test_an_answer_tells_nobody_which_addresses_are_known_and_changes_nothing_of_theirs(club):
    subscriber(club, reminders=False)
    ask = reverse("mail", args=[club.slug])
    answers = {
        re.sub(r"csrf\S+.{90}|\w{64}", "", Client().post(ask, {"email": email, "reminders": "on"}).content.decode())
        for email in (ANN, "zoe@example.org")
    }
    assert len(answers) == 1
    assert not Subscriber.objects.get(email=ANN).reminders
    assert [letter.to for letter in post.outbox] == [[ANN], ["zoe@example.org"]]


def test_who_asked_before_a_door_was_closed_gets_nothing_from_behind_it(club, actor, rules_for, night):
    subscriber(club)
    subscriber(club, "member@example.org", came_as=Door.LINK)
    Club.objects.filter(pk=club.pk).update(results_for=Door.LINK, nights_for=Door.LOG_IN)
    tomorrow(night)
    play_night(make_night(club, rules_for("st-hilary-v3"), slug="past"), actor, 4)
    assert [letter.to for letter in looked()] == [["member@example.org"]]
    ask = reverse("mail", args=[club.slug])
    assert Client().get(ask).status_code == 403
    browser = Client()
    browser.cookies[door_cookie(club.slug)] = club.member_key
    assert 'name="results"' in page(ask, browser)
    assert 'name="reminders"' not in page(ask, browser)
    browser.post(ask, {"email": ANN, "results": "on"})
    assert Subscriber.objects.get(email=ANN).came_as == Door.LINK


def test_one_touch_ends_it_and_opening_the_link_does_not(club, actor, rules_for, night):
    link = reverse("mail_own", args=[club.slug, subscriber(club).key])
    subscriber(club, "bob@example.org")
    page(link)
    assert Subscriber.objects.count() == 2
    for status in (200, 410):
        answer = Client(enforce_csrf_checks=True).post(link, {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == status
    assert [to.email for to in Subscriber.objects.all()] == ["bob@example.org"]
    assert ANN not in page(link)
    tomorrow(night)
    assert [letter.to for letter in looked()] == [["bob@example.org"]]


def test_who_signs_up_with_an_address_hears_that_they_moved_up_and_is_reminded(club, night, client_of):
    first = sign_up(event=night, by=VISITOR, name="Zoe", submission=uuid4())
    with translation.override("es"):
        browser = Client()
        browser.post("/language/", {"language": "es"})
        browser.post(
            reverse("coming", args=[club.slug, night.slug]), {"name": "Ann", "email": ANN, "submission": uuid4()}
        )
    (letter,) = post.outbox
    link = link_in(letter)
    post.outbox.clear()
    cancel_sign_up(sign_up=first, by=VISITOR)
    assert looked() == []
    Client().post(link, {"agree": "1"})
    (letter,) = looked()
    own = reverse("sign_up", args=[club.slug, night.slug, SignUp.objects.get(name="Ann").submission])
    assert f"http://testserver{own}" in letter.body
    assert "tiene" in letter.subject
    assert looked() == []
    tomorrow(night)
    assert [letter.to for letter in looked()] == [[ANN]]
    assert looked() == []
    cancel_sign_up(sign_up=SignUp.objects.get(name="Ann"), by=VISITOR)
    assert not Subscriber.objects.exists()


def test_one_reminder_for_both_wishes_and_none_of_what_is_called_off_or_waits(club, night, actor):
    mine, _waits = (sign_up(event=night, by=VISITOR, name=name, submission=uuid4()) for name in ("Ann", "Bob"))
    subscriber(club)
    for place in SignUp.objects.all():
        subscriber(club, ANN if place == mine else "bob@example.org", sign_up=place, results=False, reminders=False)
    tomorrow(night)
    assert [letter.to for letter in looked()] == [[ANN]]
    other = make_night(club, night.rules, slug="other")
    tomorrow(other)
    for write_due in mail.DUE:
        write_due(timezone.now())
    call_off(event=other, by=actor, reason="Snow")
    assert looked() == []


def test_what_cannot_be_sent_is_tried_again_held_back_and_shown(club, night, director, client_of, settings):
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = (
        "django.core.mail.backends.smtp.EmailBackend",
        "127.0.0.1",
        1,
    )
    subscriber(club)
    tomorrow(night)
    for tries in range(1, 6):
        looked()
        letter = Letter.objects.get()
        assert letter.tries == tries
        looked()
        assert Letter.objects.get().tries == tries, "not before its pause is over"
        Letter.objects.update(due_at=timezone.now())
    assert letter.state == Letter.State.HELD
    desk, browser = reverse("mail_desk", args=[club.slug]), client_of(director)
    assert "refused" in page(desk, browser)
    assert desk in page(reverse("desk", args=[club.slug]), browser)
    assert browser.post(desk, {"step": "test", "email": ANN}).status_code == 422
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    browser.post(desk, {"step": "again"})
    browser.post(desk, {"step": "test", "email": "dora@example.org"})
    assert [letter.to for letter in post.outbox] == [[ANN], ["dora@example.org"]]
    browser.post(desk, {"step": "delete", "email": ANN})
    assert not Subscriber.objects.exists()
    assert LogEntry.objects.filter(verb="mail.delete").count() == 1
    assert ANN not in str(LogEntry.objects.values_list())


def test_a_name_of_several_lines_adds_no_header(club, night):
    Club.objects.filter(pk=club.pk).update(name="St. Hilary\r\nBcc: x@example.org")
    Event.objects.filter(pk=night.pk).update(name="Cards\nBcc: y@example.org")
    subscriber(club)
    tomorrow(night)
    (letter,) = looked()
    assert letter.recipients() == [ANN]
    assert letter.message()["Bcc"] is None


def test_addresses_go_when_nobody_agrees_and_with_the_person(club, night, actor):
    subscriber(club, agreed=False)
    Subscriber.objects.update(asked_at=timezone.now() - timedelta(days=4))
    clean_up.call()
    assert not Subscriber.objects.exists()
    make_members(club, 2)
    ann = Member.objects.filter(club=club).first()
    Member.objects.filter(pk=ann.pk).update(email="Ann@Example.org")
    ann.refresh_from_db()
    subscriber(club)
    subscriber(club, "zoe@example.org")
    place = sign_up(event=night, by=VISITOR, name=ann.name, submission=uuid4())
    subscriber(club, "at-work@example.org", sign_up=place)
    assert [row["email"] for row in export_personal_data(ann, by=actor)["mail"]] == [ANN, "at-work@example.org"]
    erase(member=ann, by=actor, typed=ann.name)
    assert [to.email for to in Subscriber.objects.all()] == ["zoe@example.org"]


def test_a_restored_backup_brings_back_no_address_and_no_letter(club, night, actor, rules_for):
    gone, _bob = subscriber(club), subscriber(club, "bob@example.org")
    past = make_night(club, rules_for("st-hilary-v3"), slug="past")
    play_night(past, actor, 4)
    assert len(looked()) == 2
    kept = Subscriber.objects.filter(pk=gone.pk).delete() and dump_mail()
    Subscriber.objects.all().delete()
    subscriber(club)
    restore_mail(kept, {}, by=actor)
    assert looked() == []
    assert [to.email for to in Subscriber.objects.all()] == ["bob@example.org"]
    take_back_result(event=past, by=actor)
    past.delete()
    restore_mail(kept, {}, by=actor)
    assert not Letter.objects.exists()


def test_without_mail_nothing_is_offered(club, night, browser, settings):
    coming, front = reverse("coming", args=[club.slug, night.slug]), reverse("club", args=[club.slug])
    asking, desk = (reverse(name, args=[club.slug]) for name in ("mail", "mail_desk"))
    assert 'name="email"' in page(coming)
    assert "e-mail address for results" in page(reverse("privacy"))
    assert asking in page(front)
    settings.MAIL_IS_SET = False
    assert 'name="email"' not in page(coming)
    assert "e-mail address for results" not in page(reverse("privacy"))
    assert asking not in page(front)
    assert Client().get(asking).status_code == browser.get(desk).status_code == 404
    subscriber(club)
    tomorrow(night)
    mail.enqueue_due_letters()
    assert not Letter.objects.exists()


def test_so_many_letters_are_asked_for(club, monkeypatch):
    monkeypatch.setattr(mail, "DOUBLE_TAP", timedelta(0))
    ask = reverse("mail", args=[club.slug])
    for n in range(5):
        answer = Client().post(ask, {"email": ANN, "results": "on"})
        assert answer.status_code == (200 if n < 3 else 422)
    assert len(post.outbox) == 3


def test_workers_are_asked_for_what_is_due(club, night, apart):
    subscriber(club)
    tomorrow(night)
    work()
    assert len(post.outbox) == 1
    subscribe(club=club, email="zoe@example.org", site="http://testserver", results=True)
    work()
    assert [letter.to for letter in post.outbox] == [[ANN], ["zoe@example.org"]]


def test_a_new_link_of_the_club_ends_the_letters_of_those_who_asked_by_the_old_one(club, actor, night):
    by_link, member = (subscriber(club, f"{n}@example.org", came_as=door) for n, door in enumerate(Door.values[1:]))
    renew_link(club=club, by=actor, seen=club.member_key)
    assert [Subscriber.objects.get(pk=row.pk).came_as for row in (by_link, member)] == [Door.ANYONE, Door.LOG_IN]


def test_a_server_that_is_away_is_asked_once_in_a_turn(club, night, settings):
    for n in range(5):
        subscribe(club=club, email=f"{n}@example.org", site="http://testserver", results=True)
    with socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = closed.getsockname()
        Letter.objects.update(state=Letter.State.WAITING, due_at=timezone.now(), tries=0, problem="")
        send_letters.call()
    assert sorted(Letter.objects.values_list("tries", flat=True)) == [0, 0, 0, 0, 1]


def test_an_address_that_is_put_right_gets_the_letter_and_two_taps_one(club, night, client_of):
    browser, address = client_of(None), reverse("coming", args=[club.slug, night.slug])
    typed = {"name": "Ann", "submission": str(uuid4())}
    for email in ("anm@example.org", ANN, ANN):
        assert browser.post(address, typed | {"email": email}).status_code == 302
    assert Subscriber.objects.get().email == ANN
    assert Letter.objects.get().email == ANN
    long = f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.org"
    assert browser.post(address, typed | {"email": long}).status_code == 422


def test_who_changes_what_they_get_still_gets_what_was_due(club):
    ann = subscriber(club)
    before = ann.agreed_at
    agree(subscriber=ann, results=True, reminders=False)
    assert Subscriber.objects.get().agreed_at == before


def test_another_day_has_a_reminder_of_its_own(club, night, actor):
    subscriber(club)
    tomorrow(night)
    assert len(looked()) == 1
    night.refresh_from_db()
    moved(night, actor, starts_at=night.starts_at + timedelta(days=3))
    tomorrow(night)
    assert len(looked()) == 1


def test_an_address_doesnt_come_to_somebody_elses_sign_up(club, night, actor):
    bob = sign_up(event=night, by=VISITOR, name="Bob", submission=uuid4())
    subscriber(club, "bob@example.org", sign_up=bob)
    kept = dump_mail()
    SignUp.objects.filter(pk=bob.pk).update(name="Ann", submission=uuid4())
    restore_mail(kept, {}, by=actor)
    assert not Subscriber.objects.exists()


def test_who_waits_since_the_places_became_fewer_hears_when_they_move_up(club, night):
    Event.objects.filter(pk=night.pk).update(places=2)
    ann, bob = (sign_up(event=night, by=VISITOR, name=name, submission=uuid4()) for name in ("Ann", "Bob"))
    subscriber(club, "bob@example.org", sign_up=bob)
    assert not looked()
    Event.objects.filter(pk=night.pk).update(places=1)
    assert not looked()
    cancel_sign_up(sign_up=ann, by=VISITOR)
    assert [letter.to for letter in looked()] == [["bob@example.org"]]
