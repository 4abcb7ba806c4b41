"""What was answered of two names that sound alike is asked once in a club."""

import pytest

from clubsite.accounts.models import LogEntry, Member
from tests.tournaments.nights import make_night
from tournaments.entries.known import field_for
from tournaments.models import Event, NameAnswer

MEMBERS = "/st-hilary/members/"


@pytest.fixture
def desk(director, client_of):
    return client_of(director)


@pytest.fixture
def events(club, rules_for):
    Member.objects.create(club=club, name="Bob Dunn")
    rules = rules_for("st-hilary-v3")
    return [make_night(club, rules, slug=slug, format=Event.Format.CONTEST) for slug in ("first", "second")]


@pytest.mark.parametrize(("answer", "entered"), [("same", "Bob Dunn"), ("other", "Bob Dunne")])
def test_one_name_more_is_asked_about_at_the_first_event_alone(events, desk, answer, entered):
    first, second = (f"/st-hilary/desk/{event.slug}/entries/" for event in events)
    assert desk.post(first, {"name": "Bob Dunne"}).context["form"].errors
    desk.post(first, {"name": "Bob Dunne", field_for("Bob Dunne", "Bob Dunn"): answer})
    assert desk.post(second, {"name": "bob dunne"}).status_code == 302
    names = [event.entries.get().name for event in events]
    assert [name.lower() for name in names] == [entered.lower()] * 2
    assert LogEntry.objects.filter(verb="names.answer").count() == 1


def test_a_list_has_the_answers_and_they_can_be_changed(events, desk, club):
    asked = field_for("Bob Dunne", "Bob Dunn")
    sent = {"names": "Bob Dunne\n", "step": "add"}
    desk.post(MEMBERS + "paste/", sent | {asked: "same"})
    first = f"/st-hilary/desk/{events[0].slug}/entries/import/"
    looked = desk.post(first, {"names": "Bob Dunne\nCal Young\n"})
    assert [(doubt.name, doubt.answer) for doubt in looked.context["doubts"]] == [("Bob Dunne", "same")]
    assert looked.context["unsaid"] == []
    desk.post(first, {"names": "Bob Dunne\nCal Young\n", "step": "enter", asked: "other"})
    assert set(events[0].entries.values_list("name", flat=True)) == {"Bob Dunne", "Cal Young"}
    again = desk.post(f"/st-hilary/desk/{events[1].slug}/entries/import/", {"names": "Bob Dunne"})
    assert [doubt.answer for doubt in again.context["doubts"]] == ["other"], "the last answer counts"


def test_members_who_are_two_people_are_not_asked_about_again(events, desk, club, other_club, scorekeeper, client_of):
    dunn, dunne = Member.objects.get(name="Bob Dunn"), Member.objects.create(club=club, name="Bob Dunne")
    (pair,) = desk.get(MEMBERS).context["alike"]
    sent = {"step": "two-people", "member": dunne.pk, "other": dunn.pk}
    theirs = Member.objects.create(club=other_club, name="Otto")
    assert desk.post(MEMBERS, sent | {"other": theirs.pk}).status_code == 404
    assert client_of(scorekeeper).post(MEMBERS, sent).status_code == 404
    for _tap in range(2):
        desk.post(MEMBERS, sent)
    assert desk.get(MEMBERS).context["alike"] == []
    assert NameAnswer.objects.count() == 1
    assert set(pair) == {dunn, dunne}
