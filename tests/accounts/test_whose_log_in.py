"""Whose log-in is this: a director sets the password of one that is the club's alone, and of no other, by any verb."""

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client

from clubsite.accounts.invitations import invitation_code
from clubsite.accounts.models import Invitation, Role, User
from tests.conftest import PASSWORD, make_user
from tests.pages import page_of

PEOPLE = "/st-hilary/people/"
NEW = "tea at the ninth table"
WHO = ("owner", "former owner", "in both", "former, now elsewhere", "former", "elsewhere", "nowhere")


def end_role(browser, user):
    browser.post(f"{PEOPLE}{Role.objects.get(user=user, club__slug='st-hilary').pk}/", {"kind": ""})


@pytest.fixture
def user(request, browser, club, other_club):
    """Somebody whose log-in isn't the club's alone."""
    who = request.param
    if who in ("elsewhere", "nowhere"):
        user = make_user("vera", other_club, Role.Kind.SCOREKEEPER)
        if who == "nowhere":
            Role.objects.filter(user=user).delete()
        return user
    user = make_user("vera", club, Role.Kind.DIRECTOR)
    if "owner" in who:
        User.objects.filter(pk=user.pk).update(is_superuser=True)
    if "former" in who:
        end_role(browser, user)
    if who in ("in both", "former, now elsewhere"):
        Role.objects.create(user=user, club=other_club, kind=Role.Kind.DIRECTOR)
    return user


@pytest.mark.daily(3)
@pytest.mark.parametrize("user", WHO, indirect=True)
def test_adding_a_person_leaves_a_log_in_that_there_is_as_it_was(browser, club, user):
    roles = set(Role.objects.values_list("user__username", "club__slug", "kind"))
    for name in ("vera", "Vera", "VERA"):
        form = {"username": name, "full_name": "Eve", "kind": "director", "password": NEW}
        page = page_of(browser.post(PEOPLE, form))
        assert 'id="id_username_error"' in page
        assert ("“Restore the role”" in page.partition("id_username_error")[2]) == (
            Role.objects.filter(user=user, club=club).exists() is False and 'name="again"' in page
        )
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    assert user.first_name != "Eve"
    assert set(Role.objects.values_list("user__username", "club__slug", "kind")) == roles


@pytest.mark.parametrize("user", ["owner", "in both"], indirect=True)
def test_no_code_is_made_for_it(browser, club, user):
    role = Role.objects.get(user=user, club=club)
    page = page_of(browser.post(f"{PEOPLE}{role.pk}/password/", follow=True))
    assert '<li class="message message-danger">' in page
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("since", ["owner", "elsewhere", "former", "former, now elsewhere"])
def test_a_code_made_before_sets_no_password_since(browser, club, other_club, scorekeeper, since):
    role = Role.objects.get(user=scorekeeper, club=club)
    browser.post(f"{PEOPLE}{role.pk}/password/")
    code = invitation_code(Invitation.objects.get())
    assert Client().get(f"/login/invitation/{code}/").status_code == 200
    if since == "owner":
        User.objects.filter(pk=scorekeeper.pk).update(is_superuser=True)
    if "former" in since:
        end_role(browser, scorekeeper)
    if "elsewhere" in since:
        Role.objects.create(user=scorekeeper, club=other_club, kind=Role.Kind.DIRECTOR)
    assert Client().get(f"/login/invitation/{code}/").status_code == 410
    assert Client().post(f"/login/invitation/{code}/", {"password": NEW}).status_code == 410
    scorekeeper.refresh_from_db()
    assert scorekeeper.check_password(PASSWORD)


@pytest.mark.parametrize("user", ["owner", "in both"], indirect=True)
def test_the_owners_code_sets_it(user, scorekeeper, capsys):
    call_command("password_code", user.username)
    code = capsys.readouterr().out.split()[0]
    Client().post(f"/login/invitation/{code}/", {"password": NEW})
    user.refresh_from_db()
    assert user.check_password(NEW)


def test_a_former_member_comes_back_with_their_own_password_and_then_gets_a_code(browser, club, scorekeeper):
    end_role(browser, scorekeeper)
    page = page_of(browser.get(PEOPLE))
    browser.post(PEOPLE, {"again": page.partition('name="again" value="')[2].partition('"')[0]})
    scorekeeper.refresh_from_db()
    assert scorekeeper.check_password(PASSWORD)
    browser.post(f"{PEOPLE}{Role.objects.get(user=scorekeeper, club=club).pk}/password/")
    code = invitation_code(Invitation.objects.get())
    assert Client().post(f"/login/invitation/{code}/", {"password": NEW})["Location"] == "/login/"


@pytest.mark.parametrize("user", ["owner", "in both"], indirect=True)
def test_ending_a_role_ends_the_sessions_of_the_clubs_own_log_ins_alone(browser, user, scorekeeper, client_of):
    theirs, own = client_of(user), client_of(scorekeeper)
    for one in (user, scorekeeper):
        end_role(browser, one)
    assert [client.get("/password/").status_code for client in (theirs, own)] == [200, 302]
    assert theirs.get("/st-hilary/desk/").status_code == 404


def test_no_role_is_given_back_to_a_log_in_whose_password_another_club_has_set(browser, club, other_club, client_of):
    both = make_user("vera", club, Role.Kind.DIRECTOR)
    theirs = Role.objects.create(user=both, club=other_club, kind=Role.Kind.SCOREKEEPER)
    end_role(browser, both)
    assert 'name="again"' in page_of(browser.get(PEOPLE))
    oscar = client_of(make_user("oscar", other_club, Role.Kind.DIRECTOR))
    oscar.post(f"/harbour/people/{theirs.pk}/password/")
    code = invitation_code(Invitation.objects.get())
    assert 'name="again"' in page_of(browser.get(PEOPLE)), "nobody has used it"
    Client().post(f"/login/invitation/{code}/", {"password": NEW})
    assert 'name="again"' not in page_of(browser.get(PEOPLE))


def test_where_a_letter_for_a_lost_password_goes_says_who_takes_the_invitation_up(browser, settings):
    settings.MAIL_IS_SET = True
    browser.post(f"{PEOPLE}invite/", {"name": "Vera", "kind": "scorekeeper", "email": "eve@example.org"})
    at = f"/login/invitation/{invitation_code(Invitation.objects.get())}/"
    vera = Client()
    assert 'value="eve@example.org"' in page_of(vera.get(at))
    vera.post(at, {"step": "new", "username": "vera", "password": NEW, "email": "vera@example.org"})
    assert User.objects.get(username="vera").email == "vera@example.org"
    mail.outbox.clear()
    Client().post("/password/lost/", {"email": "eve@example.org"})
    assert mail.outbox == []


@pytest.mark.parametrize("typed", ["ﬁona", "ｖera", "Weiß"])
def test_a_log_in_name_is_kept_in_the_letters_in_which_it_is_looked_for(browser, typed):
    form = {"username": typed, "full_name": "Fiona", "kind": "scorekeeper", "password": NEW}
    assert "can log in now" in page_of(browser.post(PEOPLE, form, follow=True))
    assert Client().post("/login/", {"username": typed, "password": NEW}).status_code == 302
    assert "already on the list" in page_of(browser.post(PEOPLE, form))
