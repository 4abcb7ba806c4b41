"""Invitations and lost passwords: by a slip, by mail; once, for a while, taken back; and nobody learns who there is."""

import re
from datetime import timedelta

from django.core import mail
from django.test import Client
from django.utils import timezone

from clubsite.accounts.invitations import WRONG_CODES, invitation_code
from clubsite.accounts.models import Invitation, LogEntry, Member, Role, User
from tests.conftest import PASSWORD
from tests.pages import page_of

INVITE = "/st-hilary/people/invite/"
NEW = "tea at the ninth table"
JOIN = {"step": "new", "username": "ann.abel", "password": NEW}


def invited(browser, **more):
    """The address and the code of an invitation's slip."""
    answer = browser.post(INVITE, {"name": "Ann Abel", "kind": "scorekeeper", **more})
    code = re.search(r'slip-code">([\w-]+)<', page_of(browser.get(answer["Location"])))
    return answer["Location"], code[1]


def test_a_slip_asks_nobody_to_scan_an_address_that_no_phone_reaches(browser, settings):
    settings.ALLOWED_HOSTS = ["*"]
    address, _code = invited(browser)
    for host, reached in (("127.0.0.1:8000", False), ("192.168.1.20:8000", True)):
        page = page_of(browser.get(address, headers={"host": host}))
        assert ("Scan the code with your phone" in page, 'class="qr"' in page) == (reached, reached)
        assert ("No phone reaches this address" in page) != reached


def test_who_types_the_code_of_a_slip_chooses_a_log_in_and_is_in(browser):
    _slip, code = invited(browser)
    ann = Client()
    at = ann.post("/login/invitation/", {"code": code.upper().replace("-", " ")}).headers["Location"]
    assert 'value="ann.abel"' in page_of(ann.get(at))
    assert ann.post(at, JOIN)["Location"] == "/st-hilary/desk/"
    assert ann.get("/st-hilary/desk/").status_code == 200
    assert Role.objects.get(user__username="ann.abel").kind == "scorekeeper"
    verbs = list(LogEntry.objects.filter(verb__startswith="invitation.").order_by("pk").values_list("verb", "actor"))
    assert verbs == [("invitation.make", "Dora"), ("invitation.accept", "Ann Abel")]


def test_a_code_works_once_and_is_kept_as_a_hash(browser):
    slip, code = invited(browser)
    assert code.replace("-", "") not in str(list(Invitation.objects.values_list()))
    assert Client().post(f"/login/invitation/{code}/", JOIN).status_code == 302
    again = Client().post(f"/login/invitation/{code}/", {**JOIN, "username": "eve"})
    assert (again.status_code, User.objects.filter(username="eve").exists()) == (410, False)
    assert "This code has been used" in page_of(browser.get(slip))


def test_one_that_ran_out_or_was_taken_back_opens_nothing_and_says_the_same_as_one_that_never_was(browser):
    slip, code = invited(browser)
    browser.post(slip)
    taken_back = Client().get(f"/login/invitation/{code}/")
    Invitation.objects.update(revoked_at=None, expires_at=timezone.now() - timedelta(seconds=1))
    run_out = Client().get(f"/login/invitation/{code}/")
    never = Client().get("/login/invitation/aaaa-bbbb-cccc/")
    assert {answer.status_code for answer in (taken_back, run_out, never)} == {410}
    shown = {re.sub(r"[\s\S]*<main|</main[\s\S]*", "", page_of(answer)) for answer in (taken_back, run_out, never)}
    assert len(shown) == 1
    assert LogEntry.objects.filter(verb="invitation.revoke").count() == 1


def test_codes_are_not_guessed(browser):
    _slip, code = invited(browser)
    thief = Client(REMOTE_ADDR="192.0.2.66")
    answers = [thief.get(f"/login/invitation/aaaa-bbbb-cc{n:02}/").status_code for n in range(WRONG_CODES + 2)]
    assert answers == [410] * WRONG_CODES + [429] * 2
    assert Client(REMOTE_ADDR="192.0.2.7").get(f"/login/invitation/{code}/").status_code == 200


def test_a_double_tap_invites_once(browser):
    assert invited(browser) == invited(browser)
    assert Invitation.objects.count() == 1


def test_a_member_is_invited_to_their_own_page(browser, club):
    ann = Member.objects.create(club=club, name="Ann Abel", initials_only=True)
    assert browser.post(INVITE, {"name": "Ann Abel", "kind": "member"}).status_code == 422, "which member isn't chosen"
    _slip, code = invited(browser, kind="member", member=ann.pk)
    phone = Client()
    phone.post(f"/login/invitation/{code}/", JOIN)
    assert phone.get(f"/st-hilary/members/{ann.pk}/").status_code == 200
    assert phone.get("/st-hilary/desk/").status_code == 404


def test_a_member_of_another_club_is_nobody_here(browser, other_club):
    eve = Member.objects.create(club=other_club, name="Eve")
    page = page_of(browser.post(INVITE, {"name": "Eve", "kind": "member", "member": eve.pk}))
    assert "Select a valid choice" in page
    assert Invitation.objects.count() == 0


def test_who_has_a_log_in_elsewhere_joins_with_it(browser, stranger, client_of):
    _slip, code = invited(browser)
    otto = client_of(stranger)
    otto.post(f"/login/invitation/{code}/", {"step": "mine"})
    assert Role.objects.get(user=stranger, club__slug="st-hilary").kind == "scorekeeper"
    assert Role.objects.get(user=stranger, club__slug="harbour").kind == "director"


def test_a_lost_password_is_set_anew_by_a_code_and_ends_all_sessions(browser, scorekeeper, client_of):
    thief, role = client_of(scorekeeper), Role.objects.get(user=scorekeeper)
    slip = browser.post(f"/st-hilary/people/{role.pk}/password/")["Location"]
    code = invitation_code(Invitation.objects.get())
    assert code in page_of(browser.get(slip))
    assert "at least 10 characters" in page_of(Client().post(f"/login/invitation/{code}/", {"password": "short"}))
    assert Client().post(f"/login/invitation/{code}/", {"password": NEW})["Location"] == "/login/"
    assert Client().login(username="sam", password=NEW)
    assert not Client().login(username="sam", password=PASSWORD)
    assert thief.get("/st-hilary/desk/").status_code == 302
    assert Client().post(f"/login/invitation/{code}/", {"password": "another long password"}).status_code == 410


def test_a_second_code_ends_the_first(browser, scorekeeper):
    role = Role.objects.get(user=scorekeeper)
    for _time in range(2):
        browser.post(f"/st-hilary/people/{role.pk}/password/")
    second, first = Invitation.objects.all()
    assert Client().get(f"/login/invitation/{invitation_code(first)}/").status_code == 410
    assert Client().get(f"/login/invitation/{invitation_code(second)}/").status_code == 200


def test_an_invitation_goes_by_mail_where_the_host_has_mail(browser, settings):
    settings.MAIL_IS_SET = True
    invited(browser, email="ann@example.org")
    (letter,) = mail.outbox
    assert letter.to == ["ann@example.org"]
    assert "St. Hilary" in letter.subject
    at = re.search(r"http://testserver(/login/invitation/\S+)", str(letter.body))
    assert Client().post(at[1], JOIN | {"email": "ann@example.org"}).status_code == 302
    assert User.objects.get(username="ann.abel").email == "ann@example.org"


def test_a_lost_password_by_mail_tells_nobody_who_there_is(director, settings):
    settings.MAIL_IS_SET = True
    User.objects.filter(pk=director.pk).update(email="dora@example.org")
    pages = {page_of(Client().post("/password/lost/", {"email": who})) for who in ("dora@example.org", "x@example.org")}
    assert len({re.sub(r"[\s\S]*<main|</main[\s\S]*", "", page) for page in pages}) == 1
    (letter,) = mail.outbox
    at = re.search(r"http://testserver(/password/new/\S+)", str(letter.body))
    browser = Client()
    form = browser.get(at[1], follow=True).request["PATH_INFO"]
    browser.post(form, {"new_password1": NEW, "new_password2": NEW})
    assert Client().login(username="dora", password=NEW)
    assert "This link has been used" in page_of(Client().get(at[1], follow=True))


def test_without_mail_a_lost_password_leads_to_the_director(director):
    page = page_of(Client().get("/password/lost/"))
    assert "A director of your club can print you a code" in page
    assert Client().post("/password/lost/", {"email": "dora@example.org"}).status_code == 200
    assert mail.outbox == []
