"""What is kept of people goes when its time is over, results stay, and the page says so."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from clubsite.accounts.audit_log import describe_entry
from clubsite.accounts.models import LogEntry, Member
from clubsite.jobs.periodic import clean_up
from clubsite.watch import retention
from clubsite.watch.models import Fault
from clubsite.watch.retention import purge_personal_data
from tests.log_entries import log
from tournaments.members.actions import set_active
from tournaments.members.personal_data import export_personal_data

pytestmark = pytest.mark.django_db


def done(club, by, *, days):
    entry = log(club=club, by=by, verb="club.change", subject=club, old={"paper": "A4"}, new={"paper": "Letter"})
    LogEntry.objects.filter(pk=entry.pk).update(at=timezone.now() - timedelta(days=days))
    return entry


def member(club, by, name, *, stopped):
    """A member with contact details, who stopped playing so many days ago."""
    made = Member.objects.create(club=club, name=name, email="a@example.org", telephone="1", note="left-handed")
    if stopped is not None:
        set_active(member=made, by=by, active=False)
        Member.objects.filter(pk=made.pk).update(inactive_since=timezone.now() - timedelta(days=stopped))
    return made


def contact_of(one):
    one.refresh_from_db()
    return one.email, one.telephone, one.note


def test_the_log_says_for_a_while_who_did_it_and_for_ever_what(club, actor, settings):
    settings.LOG_NAMES_KEPT_FOR = 30
    old, young = done(club, actor, days=31), done(club, actor, days=29)
    clean_up.call()
    for entry in (old, young):
        entry.refresh_from_db()
    assert (old.actor, old.user, old.new) == ("", None, {"paper": "Letter"})
    assert describe_entry(old).startswith("Somebody ")
    assert (young.actor, young.user) == ("Dora", actor.user)


def test_contact_details_go_when_somebody_stopped_long_ago(club, actor, settings):
    settings.CONTACTS_KEPT_FOR = 30
    plays, lately, long_ago = (
        member(club, actor, name, stopped=days) for name, days in (("Ann", None), ("Bob", 29), ("Cal", 31))
    )
    assert purge_personal_data() == (0, 1)
    assert all(contact_of(plays))
    assert all(contact_of(lately))
    assert contact_of(long_ago) == ("", "", "")
    assert long_ago.name == "Cal"
    assert "1" in describe_entry(LogEntry.objects.get(verb="member.contacts_let_go"))
    assert purge_personal_data() == (0, 0)


def test_who_plays_again_keeps_them(club, actor, settings):
    settings.CONTACTS_KEPT_FOR = 30
    back = member(club, actor, "Dan", stopped=40)
    back.refresh_from_db()
    set_active(member=back, by=actor, active=True)
    assert purge_personal_data() == (0, 0)
    set_active(member=back, by=actor, active=False)  # the time begins anew
    assert purge_personal_data() == (0, 0)
    assert all(contact_of(back))
    back.refresh_from_db()
    assert export_personal_data(back, by=actor)["person"]["stopped_at"]


def test_nothing_goes_where_it_is_kept_for_ever(club, actor, settings):
    settings.LOG_NAMES_KEPT_FOR = settings.CONTACTS_KEPT_FOR = 0
    done(club, actor, days=9999)
    member(club, actor, "Eve", stopped=9999)
    assert purge_personal_data() == (0, 0)


def test_many_rows_go_in_portions(club, actor, monkeypatch, capsys):
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    for _entry in range(5):
        done(club, actor, days=4000)
    call_command("let_go")
    assert "without a name now: 5." in capsys.readouterr().out


@pytest.mark.parametrize(("language", "words"), [("en", "Privacy"), ("es", "Privacidad")])
def test_anybody_reads_the_terms_as_they_are_set(settings, language, words):
    settings.CONTACTS_KEPT_FOR, settings.LOG_NAMES_KEPT_FOR = 123, 0
    settings.PRIVACY_CONTACT = "privacy@example.org"
    answer = Client().get("/privacy/", headers={"Accept-Language": language})
    shown = answer.content.decode()
    assert (answer.status_code, f'lang="{language}' in shown) == (200, True)
    assert "123" in shown
    assert "privacy@example.org" in shown
    assert words in shown


def test_faults_go_after_three_months():
    for days in (89, 91):
        Fault.objects.create(key=str(days), kind="ValueError", place="x", last_at=timezone.now() - timedelta(days=days))
    clean_up.call()
    assert [fault.key for fault in Fault.objects.all()] == ["89"]


def test_every_page_leads_to_it(club, django_assert_num_queries):
    assert 'href="/privacy/"' in Client().get("/st-hilary/").content.decode()
    with django_assert_num_queries(0):
        Client().get("/privacy/")
