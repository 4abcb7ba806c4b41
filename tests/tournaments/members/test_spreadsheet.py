"""The members as a spreadsheet, out and in again: what is new, what changes, and what stays as it is."""

import re
from html import unescape

import pytest
import tablib
from django.core.files.uploadedfile import SimpleUploadedFile

from clubsite.accounts.models import LogEntry, Member

OUT, IN = "/st-hilary/members/list.{}", "/st-hilary/members/paste/"


@pytest.fixture
def people(club):
    agnes = Member.objects.create(club=club, name="Agnes Kowalczyk", email="agnes@example.org", telephone="+34 600 1")
    Member.objects.create(club=club, name="'t Hooft, Anna", note="=1+1", initials_only=True)
    Member.objects.create(club=club, name="Gone Away", active=False)
    return agnes


def text_in(page):
    return unescape(re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", page, re.S)[1])


def looked_at(browser, content, name="members.csv"):
    answer = browser.post(IN, {"file": SimpleUploadedFile(name, content)})
    return answer, answer.content.decode()


def added(browser, page, **changed):
    form = {
        "step": "add",
        "names": text_in(page),
        "submission": re.search(r'name="submission" value="([^"]+)"', page)[1],
        "column": re.findall(r'value="([a-z_0-9]*)" selected', page),
        "columns_of": re.search(r'name="columns_of" value="([^"]+)"', page)[1],
        "columns_as": re.search(r'name="columns_as" value="([^"]+)"', page)[1],
        "change": re.findall(r'name="change" value="([^"]+)" checked', page),
    }
    return browser.post(IN, form | changed, follow=True)


@pytest.mark.parametrize("kind", ["csv", "xlsx", "ods"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_what_goes_out_comes_in_unchanged(people, other_club, stranger, client_of, kind, language, browser):
    """And into another club as new members, with all that was known of them."""
    browser.cookies["django_language"] = language
    data = browser.get(OUT.format(kind)).content
    answer, _page = looked_at(browser, data, f"members.{kind}")
    context = answer.context
    assert [len(context[name]) for name in ("new", "known", "bad", "changing")] == [0, 2, 0, 0]
    there = client_of(stranger)
    page = there.post("/harbour/members/paste/", {"file": SimpleUploadedFile(f"m.{kind}", data)}).content.decode()
    text = text_in(page)
    there.post("/harbour/members/paste/", {"step": "add", "names": text})
    known = ("name", "email", "telephone", "note", "initials_only")
    Member.objects.filter(name="'t Hooft, Anna").update(name="Anna 't Hooft")  # as a new member is read
    here = Member.objects.filter(club=people.club, active=True).values_list(*known)
    assert set(Member.objects.filter(club=other_club).values_list(*known)) == set(here)


def test_a_changed_telephone_is_shown_first_and_recorded_when_it_is_ticked(browser, people):
    table = tablib.Dataset().load(browser.get(OUT.format("csv")).content.decode("utf-8-sig"), "csv")
    changed = "\n".join(",".join(f'"{cell}"' for cell in row) for row in (table.headers, *table))
    changed = changed.replace("'+34 600 1", "+34 700 2") + "\nNew Person,,555\n"
    answer, page = looked_at(browser, changed.encode())
    assert [row.changes for row, _ticked in answer.context["changing"]] == [(("telephone", "+34 600 1", "+34 700 2"),)]
    people.refresh_from_db()
    assert (people.telephone, Member.objects.filter(name="New Person").exists()) == ("+34 600 1", False)
    added(browser, page, change=[])
    people.refresh_from_db()
    assert (people.telephone, Member.objects.filter(name="New Person").exists()) == ("+34 600 1", True)
    _answer, page = looked_at(browser, changed.encode())
    for _tap in range(2):
        added(browser, page)
    people.refresh_from_db()
    assert people.telephone == "+34 700 2"
    entry = LogEntry.objects.filter(verb="members.add").latest("pk")
    assert (entry.new["replaced"], "700" in str(entry.new)) == (["Agnes Kowalczyk"], False)
    assert LogEntry.objects.filter(verb="members.add").count() == 2


def test_what_was_changed_meanwhile_is_not_overwritten(browser, people):
    _answer, page = looked_at(browser, b"Name,Telephone\nAgnes Kowalczyk,700\n")
    Member.objects.filter(pk=people.pk).update(telephone="800")
    added(browser, page)
    people.refresh_from_db()
    assert people.telephone == "800"


def test_initials_are_asked_for_by_a_list_and_never_taken_back(browser, people):
    _answer, page = looked_at(browser, b'Name,Initials only\nAgnes Kowalczyk,yes\n"\'t Hooft, Anna",no\n')
    added(browser, page)
    assert Member.objects.filter(initials_only=True).count() == 2


def test_classes_go_out_and_come_in_tidied(browser, people):
    _answer, page = looked_at(browser, b'Name,Classes\nAgnes Kowalczyk,"Ladies,  Juniors,ladies"\n')
    added(browser, page)
    people.refresh_from_db()
    assert people.classes == "Ladies, Juniors"
    assert b"Ladies, Juniors" in browser.get(OUT.format("csv")).content


def test_who_no_longer_plays_is_in_the_list_of_all(people, browser, scorekeeper, client_of):
    assert b"Gone Away" in browser.get(OUT.format("csv") + "?show=all").content
    assert browser.get(OUT.format("pdf")).status_code == 404
    assert "list.csv" not in client_of(scorekeeper).get("/st-hilary/members/").content.decode()
