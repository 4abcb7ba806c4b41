"""A pasted list of pairs: what is read in a row, who they are, and one confirm that enters and joins them once."""

from uuid import uuid4

import pytest
import tablib
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubsite.accounts.models import LogEntry, Member
from scoring.engine.core.ruleset import Shape
from tests.pages import page_of
from tests.tournaments.nights import make_night, new_event, publish_next, queries_in
from tournaments.entries import partners
from tournaments.errors import StepRefused
from tournaments.models import Entry, Event
from tournaments.rounds import attendance
from tournaments.sides import PersonOnList, enter_sides, preview_list


def event_of(club, by, format="swiss"):
    return new_event(club, by, format, game="euchre", shape=Shape(2, 2))


@pytest.fixture
def event(club, actor):
    return event_of(club, actor)


def list_page(event):
    return reverse("side_list", args=[event.club.slug, event.slug])


@pytest.fixture
def send(event, browser):
    return lambda **data: browser.post(list_page(event), data, follow=True)


def enter(send, text, step="enter", **said):
    page = send(names=text, **said)
    sent = {"names": text, "submission": str(page.context["submission"]), "seen": page.context["listing"].fingerprint}
    return send(**sent, **said, step=step)


def sides(event):
    return [tuple(entry.name for entry in side) for side in partners.sides_and_singles(event)[0]]


def put(event, by, *rows):
    listed = [[PersonOnList(name, "guest") for name in row] for row in rows]
    enter_sides(event=event, sides=listed, by=by, submission=uuid4())


# Who they are, and the verb


def test_members_and_guests_are_entered_and_made_partners_at_once(send, event, club):
    anna = Member.objects.create(club=club, name="Anna Lee")
    page = send(names="anna lee & Bob Wu\nCy Dee and Di Fox\nEd Gee\n")
    assert "2 sides can be entered. 1 person has no partner." in page_of(page)
    assert not event.entries.exists(), "looking enters nobody"
    done = enter(send, "anna lee & Bob Wu\nCy Dee and Di Fox\nEd Gee\n")
    assert "2 sides are made. 5 people are marked as here." in page_of(done)
    assert sides(event) == [("Anna Lee", "Bob Wu"), ("Cy Dee", "Di Fox")]
    assert [entry.name for entry in partners.sides_and_singles(event)[1]] == ["Ed Gee"]
    assert event.entries.get(name="Anna Lee").member == anna
    logged = LogEntry.objects.get(verb="sides.enter")
    assert logged.new["names"] == ["Anna Lee & Bob Wu", "Cy Dee & Di Fox", "Ed Gee"]


def test_who_is_entered_is_only_paired_and_who_had_left_is_here_again(send, event, actor):
    put(event, actor, ("Anna Lee",), ("Bob Wu",), ("Cy Dee",))
    attendance.leave(entry=event.entries.get(name="Bob Wu"), by=actor)
    enter(send, "Bob Wu & Anna Lee\nCy Dee & Di Fox")
    assert sides(event) == [("Anna Lee", "Bob Wu"), ("Cy Dee", "Di Fox")]
    assert {entry.state for entry in event.entries.all()} == {"here"}
    assert [entry.number for entry in event.entries.all()] == [1, 2, 3, 4]


def test_who_has_another_partner_is_asked_about_and_the_typed_list_stays(send, event, actor):
    put(event, actor, ("Anna Lee", "Bob Wu"))
    typed = "Anna Lee & Cy Dee\r\nDi Fox & Ed Gee"
    page = enter(send, typed)
    assert "Anna Lee already plays with Bob Wu: separate them" in page_of(page)
    assert typed in page.content.decode().replace("&amp;", "&")
    assert sides(event) == [("Anna Lee", "Bob Wu")]
    enter(send, typed, "enter-good")
    assert sides(event) == [("Anna Lee", "Bob Wu"), ("Di Fox", "Ed Gee")]
    assert not event.entries.filter(name="Cy Dee").exists()


def test_the_same_list_again_has_nothing_to_enter(send, event, actor):
    put(event, actor, ("Anna Lee", "Bob Wu"), ("Ed Gee",))
    assert "Everybody on this list is already entered." in page_of(send(names="Bob Wu & Anna Lee\nEd Gee"))


def test_a_second_tap_enters_once_and_a_corrected_list_is_no_second_tap(send, event):
    page = send(names="Anna Lee & Bob Wu")
    sent = {"step": "enter", "submission": str(page.context["submission"]), "seen": page.context["listing"].fingerprint}
    for _tap in range(2):
        done = send(names="Anna Lee & Bob Wu", **sent)
        assert "1 side is made. 2 people are marked as here." in page_of(done)
    assert LogEntry.objects.filter(verb="sides.enter").count() == 1
    back = send(names="Anna Lee & Bob Wu\nCy Dee & Di Fox", **sent)
    assert "The list has changed since you checked it." in page_of(back)
    again = {
        "submission": str(back.context["submission"]),
        "seen": back.context["listing"].fingerprint,
        "step": "enter",
    }
    send(names="Anna Lee & Bob Wu\nCy Dee & Di Fox", **again)
    assert sides(event) == [("Anna Lee", "Bob Wu"), ("Cy Dee", "Di Fox")]


def test_what_was_not_shown_is_not_entered(send, event, actor):
    page = send(names="Anna Lee & Bob Wu")
    put(event, actor, ("Anna Lee", "Cy Dee"))
    sent = {"submission": str(page.context["submission"]), "seen": page.context["listing"].fingerprint}
    again = send(names="Anna Lee & Bob Wu", step="enter-good", **sent)
    assert "Check it again, then enter it." in page_of(again)
    assert sides(event) == [("Anna Lee", "Cy Dee")]


@pytest.mark.parametrize("written", ["Jose Alvarez", "Álvarez José", "José Alvares"])
@pytest.mark.parametrize("known_as", ["member", "entry"])
def test_an_accent_an_order_or_a_letter_is_asked_about(send, event, actor, written, known_as):
    if known_as == "member":
        Member.objects.create(club=event.club, name="José Álvarez")
    else:
        put(event, actor, ("José Álvarez",))
    text = f"{written} & Bob Wu"
    assert f"{written}: the same as José Álvarez?" in page_of(send(names=text))
    assert "For each name" in page_of(enter(send, text))
    assert not sides(event)
    said = {f"who-{written.casefold()}-josé álvarez": "same"}
    enter(send, text, **said)
    assert [set(side) for side in sides(event)] == [{"José Álvarez", "Bob Wu"}]


def test_who_only_sounds_alike_is_entered_as_somebody_else(send, event, actor):
    put(event, actor, ("Ann Lee", "Cy Dee"))
    enter(send, "Anna Lee & Bob Wu", **{"who-anna lee-ann lee": "other"})
    assert sides(event) == [("Ann Lee", "Cy Dee"), ("Anna Lee", "Bob Wu")]
    taken = enter(send, "Anna Lea & Di Fox", **{"who-anna lea-anna lee": "same"})
    assert "already plays with Bob Wu" in page_of(taken)
    assert "Anna Lea: the same as Anna Lee?" in page_of(taken), "it can be answered otherwise"


def test_a_name_in_two_rows_is_told_with_the_row_whatever_its_accents_and_order(event):
    looked = preview_list(event, "José Álvarez & Bob Wu\nAlvarez Jose & Cy Dee\n", answers={})
    assert [row.number for row in looked.rows_becoming("bad")] == [2]
    assert "Somebody in this row is also in row 1." in looked.rows[1].problem


def test_one_wrong_row_enters_nothing(event, actor):
    put(event, actor, ("Anna Lee", "Bob Wu"))
    for wrong in (
        [],
        [("Cy Dee", "Di Fox"), ("Anna Lee", "Ed Gee")],
        [("Cy Dee", "Di Fox"), ("Cy Dee", "Ed Gee")],
        [("Cy Dee", "Di Fox", "Ed Gee")],
        [("Cy Dee", "Di Fox"), ("Ed Gee", "123")],
    ):
        with pytest.raises(StepRefused):
            put(event, actor, *wrong)
    assert event.entries.count() == 2
    assert LogEntry.objects.filter(verb="sides.enter").count() == 1


def test_a_merged_misspelling_and_its_guest_of_the_same_name_are_one(event, actor, club):
    kept = Member.objects.create(club=club, name="Anna Lee")
    Member.every.create(club=club, name="Anne Leigh", merged_into=kept, active=False)
    put(event, actor, ("Anne Leigh", "Bob Wu"))
    assert sides(event) == [("Anna Lee", "Bob Wu")]
    assert event.entries.get(name="Anna Lee").member == kept


def test_a_match_between_clubs_takes_the_club_of_a_list(club, actor, browser):
    event = event_of(club, actor, "team-match")

    def send(**data):
        return browser.post(list_page(event), data, follow=True)

    enter(send, "Anna Lee & Bob Wu\nCy Dee & Di Fox", plays_for="Mayfair")
    assert {entry.plays_for for entry in event.entries.all()} == {"Mayfair"}
    assert len(sides(event)) == 2


def test_a_list_comes_too_late_for_a_knock_out_that_has_begun(club, actor):
    event = event_of(club, actor, "knock-out")
    put(event, actor, *[(f"Ann A{n}", f"Bob B{n}") for n in range(4)])
    publish_next(event, actor)
    with pytest.raises(StepRefused, match="The knock-out has begun"):
        preview_list(event, "Cy Dee & Di Fox", answers={})
    with pytest.raises(StepRefused, match="The knock-out has begun"):
        put(event, actor, ("Cy Dee", "Di Fox"))


def test_a_list_costs_the_same_queries_for_few_and_many(event, actor):
    def enter_pairs(pairs):
        names = [(f"Ann X{pairs}{n}", f"Bob Y{pairs}{n}") for n in range(pairs)]
        preview_list(event, "\n".join(map(" & ".join, names)), answers={})
        put(event, actor, *names)

    assert queries_in(lambda: enter_pairs(2)) == queries_in(lambda: enter_pairs(30))


# The pages


@pytest.mark.parametrize(
    ("language", "words"), [("en", "A pair in each row: “Anna Lee &amp; Bob Wu”"), ("es", "Una pareja en cada fila")]
)
def test_the_field_says_what_stands_in_a_row(event, browser, language, words):
    browser.cookies["django_language"] = language
    page = page_of(browser.get(list_page(event)))
    assert words in page
    assert "plays_for" not in page


@pytest.mark.parametrize("name", ["partners", "here"])
def test_the_list_is_found_where_partners_are_made(event, browser, name):
    assert list_page(event) in page_of(browser.get(reverse(name, args=[event.club.slug, event.slug])))


def test_where_partners_change_there_is_no_list(club, rules, browser):
    assert browser.get(list_page(make_night(club, rules))).status_code == 404


def test_names_of_a_closed_event_are_refused_and_stay(send, event):
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    page = send(names="Anna Lee & Bob Wu")
    assert page.status_code == 422
    assert "This night is closed." in page_of(page)
    assert "Anna Lee &amp; Bob Wu" in page_of(page)
    assert not Entry.objects.filter(event=event).exists()


def test_one_person_alone_is_named_and_offered_nobody(event, actor, browser):
    address = reverse("partners", args=[event.club.slug, event.slug])
    put(event, actor, ("Anna Lee", "Bob Wu"), ("Cal Poe",))
    alone = browser.get(address).content.decode()
    assert "<li>Cal Poe</li>" in alone
    assert "Put them together" not in alone
    put(event, actor, ("Dee Orr",))
    assert "Put them together" in browser.get(address).content.decode()


# A file


def a_file(data):
    return SimpleUploadedFile("pairs", data)


@pytest.mark.parametrize(
    "data",
    [
        tablib.Dataset(["Ann Lee", "Bob Wu"], ["Cy Orr", "Di Poe"], headers=["Player 1", "Player 2"]).export("xlsx"),
        tablib.Dataset(["Ann Lee & Bob Wu"], ["Cy Orr & Di Poe"], headers=["Pair"]).export("ods"),
        b"Player 1,Player 2\r\nAnn Lee,Bob Wu\r\nCy Orr,Di Poe\r\n",
        b'"Lee, Ann","Wu, Bob"\n"Orr, Cy","Poe, Di"\n',
        b"Lee, Ann & Wu, Bob\nOrr, Cy & Poe, Di\n",
    ],
    ids=["xlsx", "ods", "commas", "quoted", "one column"],
)
def test_a_file_is_read_as_the_pasted_list_would_be(send, event, data):
    page = send(file=a_file(data))
    assert not page.context["bad"]
    kept = page.context["form"]["names"].value()
    sent = {"names": kept, "submission": str(page.context["submission"]), "seen": page.context["listing"].fingerprint}
    send(**sent, step="enter")
    send(**sent, step="enter")
    assert sides(event) == [("Ann Lee", "Bob Wu"), ("Cy Orr", "Di Poe")]


def test_letters_that_are_not_certain_are_pointed_out(send):
    page = send(file=a_file("José Álvarez & Ann Lee\n".encode("cp1252")))
    assert "Some letters in this file may be wrong" in page_of(page)
    assert page.context["form"]["names"].value() == "José Álvarez & Ann Lee\n"
