"""Names from a file or from text: entered once by one confirm, and asked about where they sound like somebody."""

from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.translation import override

from clubsite.accounts.models import LogEntry, Member
from tests.pages import page_of
from tests.tournaments.contests import NAMES, contest, enter
from tests.tournaments.nights import make_night, queries_in
from tournaments.entries.actions import add_entry, change_entry, import_names
from tournaments.entries.known import doubt_field
from tournaments.errors import StepRefused
from tournaments.models import Entry, Event, NameAnswer

# The verb


def test_one_bad_name_enters_nothing(event, actor):
    with pytest.raises(StepRefused, match="already on the list"):
        import_names(event=event, names=["Ann Abel", "Bert Bauer", "ann abel"], by=actor, submission=uuid4())
    assert not event.entries.exists()


def test_55_names_for_54_places_leave_one_reserve(event, actor):
    made = enter(event, actor, [*NAMES, "Xaver Young"])
    assert [e.name for e in made if e.state == Entry.State.RESERVE] == ["Xaver Young"]


def test_a_list_sent_twice_is_entered_once_also_if_the_event_is_called_like_a_stage_or_has_a_new_name(event, actor):
    once = {"names": ["Ann Abel", "Bert Bauer"], "by": actor, "submission": uuid4()}
    Event.objects.filter(pk=event.pk).update(name="Clasificación")  # which the log has in English
    with override("es"):
        made = import_names(event=event, **once)
        assert import_names(event=event, **once) == made
    Event.objects.filter(pk=event.pk).update(name="Spring contest")
    assert import_names(event=event, **once) == made


# The pages


@pytest.fixture
def event(club, actor):
    return contest(club, actor)


@pytest.fixture
def send(club, director, event, client_of):
    client = client_of(director)

    def post(**data):
        return client.post(reverse("entries_import", args=[club.slug, event.slug]), data)

    return post


def test_a_file_is_shown_before_it_is_entered(send, event):
    page = send(file=SimpleUploadedFile("names.csv", ("Name\n" + "\n".join(NAMES)).encode()))
    assert "54 names can be entered" in page.content.decode()
    assert not event.entries.exists()
    for _tap in range(2):
        done = send(names=page.context["text"], step="enter", submission=str(page.context["submission"]))
        assert (done.status_code, event.entries.count()) == (302, 54)


def test_what_was_typed_stays_when_a_name_stands_twice(send, event):
    typed = "Ann Abel\nBert Bauer\nANN ABEL"
    page = send(names=typed, step="enter", submission=str(uuid4())).content.decode()
    assert "Row 3: ANN ABEL" in page
    assert "The same name as in row 1" in page
    assert typed in page
    assert not event.entries.exists()


def test_the_good_rows_can_be_entered_alone(send, event):
    send(names="Ann Abel\nBert Bauer\nANN ABEL", step="enter-good", submission=str(uuid4()))
    assert [e.name for e in event.entries.all()] == ["Ann Abel", "Bert Bauer"]


def test_53_names_say_what_to_do(send):
    page = send(names="\n".join(NAMES[:53])).content.decode()
    assert "1 place is free" in page


def test_55_names_say_who_becomes_a_reserve_with_no_second_full_stop(send):
    page = page_of(send(names="\n".join([*NAMES, "Helen P."])))
    assert "The last one becomes a reserve: Helen P." in page
    assert "P.." not in page


def test_a_wrong_encoding_needs_a_look_at_the_letters(send, event):
    page = send(file=SimpleUploadedFile("names.csv", "Ann Abel\nJosé Álvarez\n".encode("cp1252")))
    text = page.content.decode()
    assert "Row 2 isn&#x27;t in UTF-8" in text
    assert ": José Álvarez" in text
    sent = sent_with(page) | {"guessed": "1"}
    refused = send(**sent)
    assert "Check the letters" in refused.content.decode()
    assert not event.entries.exists()
    assert send(**sent, letters="1").status_code == 302
    assert [e.name for e in event.entries.all()] == ["Ann Abel", "José Álvarez"]


# Names that sound like somebody


def sent_with(page, said=""):
    asked = {doubt.asked: said for doubt in page.context["doubts"] if said}
    return {"names": page.context["text"], "step": "enter", "submission": str(page.context["submission"]), **asked}


def asked_of(page):
    return [(doubt.name, doubt.like.name) for doubt in page.context["doubts"]]


def test_a_name_that_sounds_like_a_member_is_asked_about_and_the_answer_decides(send, event, club):
    member = Member.objects.create(club=club, name="Irene Nowak")
    page = send(names="Irene Novak\nBert Bauer")
    assert asked_of(page) == [("Irene Novak", "Irene Nowak")]
    assert "Irene Novak: the same as Irene Nowak?" in page_of(page)
    unsaid = send(**sent_with(page))
    assert "For each name that sounds like another" in unsaid.content.decode()
    assert not event.entries.exists()
    send(**sent_with(page, "same"))
    assert [(e.name, e.member) for e in event.entries.all()] == [("Irene Nowak", member), ("Bert Bauer", None)]


def test_somebody_else_is_entered_as_written(send, event, club):
    Member.objects.create(club=club, name="Irene Nowak")
    send(**sent_with(send(names="Irene Novak\nBert Bauer"), "other"))
    assert [(e.name, e.member) for e in event.entries.all()] == [("Irene Novak", None), ("Bert Bauer", None)]


def test_who_is_entered_already_or_stands_in_another_row_is_not_entered_again(send, event, actor, club):
    dora = Member.objects.create(club=club, name="Dora Diaz")
    entry = add_entry(event=event, name="Dora D.", by=actor)
    change_entry(entry=entry, by=actor, name="Dora D.", member=dora, eligible=True, note="")
    Member.objects.create(club=club, name="Irene Nowak")
    page = send(names="Dora Diez\nIrene Novak\nIrene Nowak\nGus Green\nGus Greene")
    assert asked_of(page) == [("Dora Diez", "Dora D."), ("Irene Novak", "Irene Nowak"), ("Gus Greene", "Gus Green")]
    words = page_of(page)
    assert "Irene Novak: the same as Irene Nowak in row 3?" in words
    send(**sent_with(page, "same"))
    assert [e.name for e in event.entries.all()] == ["Dora D.", "Irene Nowak", "Gus Green"]


def test_who_is_left_out_takes_no_place_from_a_reserve(send, event, actor):
    enter(event, actor, NAMES[:53])
    page = send(names=f"{NAMES[0]}e\nXaver Young")
    assert [row.name for row in page.context["reserves"]] == ["Xaver Young"]
    again = send(**sent_with(page, "same") | {"step": "check"})
    assert again.context["reserves"] == []
    assert "1 name can be entered." in page_of(again)


def test_an_answer_holds_for_the_pair_that_was_asked(send, event, club):
    Member.objects.create(club=club, name="Irene Nowak")
    answered = sent_with(send(names="Irene Novak\nBert Bauer"), "same")
    Member.objects.create(club=club, name="Novak Irene")
    assert "For each name that sounds like another" in send(**answered).content.decode()


def test_a_list_costs_the_same_queries_for_few_and_many(send, club):
    Member.objects.bulk_create(Member(club=club, name=f"{name}s") for name in NAMES)
    few, many = (queries_in(lambda names=names: send(names="\n".join(names))) for names in (NAMES[:2], NAMES))
    assert few == many


# What was answered of two names that sound alike is asked once in a club


MEMBERS = "/st-hilary/members/"


@pytest.fixture
def events(club, rules_for):
    Member.objects.create(club=club, name="Bob Dunn")
    rules = rules_for("st-hilary-v3")
    return [make_night(club, rules, slug=slug, format=Event.Format.CONTEST) for slug in ("first", "second")]


@pytest.mark.parametrize(("answer", "entered"), [("same", "Bob Dunn"), ("other", "Bob Dunne")])
def test_one_name_more_is_asked_about_at_the_first_event_alone(events, browser, answer, entered):
    first, second = (f"/st-hilary/desk/{event.slug}/entries/" for event in events)
    assert browser.post(first, {"name": "Bob Dunne"}).context["form"].errors
    browser.post(first, {"name": "Bob Dunne", doubt_field("Bob Dunne", "Bob Dunn"): answer})
    assert browser.post(second, {"name": "bob dunne"}).status_code == 302
    names = [event.entries.get().name for event in events]
    assert [name.lower() for name in names] == [entered.lower()] * 2
    assert LogEntry.objects.filter(verb="names.answer").count() == 1


def test_a_list_has_the_answers_and_they_can_be_changed(events, browser, club):
    asked = doubt_field("Bob Dunne", "Bob Dunn")
    sent = {"names": "Bob Dunne\n", "step": "add"}
    browser.post(MEMBERS + "paste/", sent | {asked: "same"})
    first = f"/st-hilary/desk/{events[0].slug}/entries/import/"
    looked = browser.post(first, {"names": "Bob Dunne\nCal Young\n"})
    assert [(doubt.name, doubt.answer) for doubt in looked.context["doubts"]] == [("Bob Dunne", "same")]
    assert looked.context["unsaid"] == []
    browser.post(first, {"names": "Bob Dunne\nCal Young\n", "step": "enter", asked: "other"})
    assert set(events[0].entries.values_list("name", flat=True)) == {"Bob Dunne", "Cal Young"}
    again = browser.post(f"/st-hilary/desk/{events[1].slug}/entries/import/", {"names": "Bob Dunne"})
    assert [doubt.answer for doubt in again.context["doubts"]] == ["other"], "the last answer counts"


def test_members_who_are_two_people_are_not_asked_about_again(events, browser, club, other_club):
    dunn, dunne = Member.objects.get(name="Bob Dunn"), Member.objects.create(club=club, name="Bob Dunne")
    (pair,) = browser.get(MEMBERS).context["alike"]
    sent = {"step": "two-people", "member": dunne.pk, "other": dunn.pk}
    theirs = Member.objects.create(club=other_club, name="Otto")
    assert browser.post(MEMBERS, sent | {"other": theirs.pk}).status_code == 404

    for _tap in range(2):
        browser.post(MEMBERS, sent)
    assert browser.get(MEMBERS).context["alike"] == []
    assert NameAnswer.objects.count() == 1
    assert set(pair) == {dunn, dunne}
