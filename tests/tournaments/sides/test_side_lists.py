"""A pasted list of pairs: what is read in a row, who they are, and one confirm that enters and joins them once."""

import re
from datetime import datetime
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
import tablib
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from clubsite.accounts.models import LogEntry, Member
from scoring.engine.core.ruleset import Shape
from scoring.pasted_names import read
from scoring.spreadsheets import UnreadableSpreadsheet
from tests.pages import page_of
from tests.tournaments.nights import make_night, publish_next
from tournaments.entries import partners
from tournaments.errors import StepRefused
from tournaments.events.actions import EventFacts, create_event, games_of
from tournaments.models import Entry, Event
from tournaments.rounds import attendance
from tournaments.sides import Listed, enter_sides, look

FOURS = Shape(2, 2)


def event_of(club, by, format="swiss", *, game="euchre", shape=FOURS):
    offered = next(each for each in games_of(club) if each.slug == game)
    starts_at = datetime(2054, 11, 6, 19, 30, tzinfo=ZoneInfo("America/Chicago"))
    facts = EventFacts(name=f"A {format}", game=offered, shape=shape, starts_at=starts_at)
    return create_event(club=club, by=by, format=format, facts=facts)


@pytest.fixture
def event(club, actor):
    return event_of(club, actor)


@pytest.fixture
def send(event, director, client_of):
    client = client_of(director)

    def post(**data):
        return client.post(reverse("side_list", args=[event.club.slug, event.slug]), data, follow=True)

    return post


def enter(send, text, step="enter", **said):
    page = send(names=text, **said)
    sent = {"names": text, "submission": str(page.context["submission"]), "seen": page.context["listing"].seen}
    return send(**sent, **said, step=step)


def sides(event):
    return [tuple(entry.name for entry in side) for side in partners.sides_of(event)[0]]


def put(event, by, *rows):
    listed = [[Listed(name, "guest") for name in row] for row in rows]
    enter_sides(event=event, sides=listed, by=by, submission=uuid4())


# Reading


@pytest.mark.parametrize(
    "row",
    [
        "Anna Lee & Bob Wu",
        "Anna Lee&Bob Wu",
        "Anna Lee / Bob Wu",
        "Anna Lee/Bob Wu",
        "Anna Lee + Bob Wu",
        "Anna Lee and Bob Wu",
        "ANNA LEE AND BOB WU",
        "Anna Lee\tBob Wu",
        "Anna Lee; Bob Wu",
        '"Lee, Anna";"Wu, Bob"',
        "1. Anna Lee & Bob Wu",
        "- Anna Lee & Bob Wu",
        "12\tAnna Lee\tBob Wu\t555 0100\tanna@example.org",
        "Lee, Anna & Wu, Bob",
        "Lee, Anna\tWu, Bob",
    ],
)
def test_a_pair_is_read_as_people_write_it(row):
    (side,) = read(row, size=2).rows
    assert [name.casefold() for name in side.names] == ["anna lee", "bob wu"]
    assert not side.problem


@pytest.mark.parametrize(
    ("row", "names"),
    [
        ("Ana Ruiz y Beto Wu", ["Ana Ruiz", "Beto Wu"]),
        ("Ana Ruiz e Isabel Wu", ["Ana Ruiz", "Isabel Wu"]),
        ("ANA RUIZ Y BETO WU", ["ANA RUIZ", "BETO WU"]),
        ("Ana Y Ruiz & Beto Wu", ["Ana Y Ruiz", "Beto Wu"]),
        ("José Ortega y Gasset & Ana Ruiz", ["José Ortega y Gasset", "Ana Ruiz"]),
    ],
)
def test_in_spanish_its_own_word_stands_between_two(row, names):
    with translation.override("es"):
        assert [list(side.names) for side in read(row, size=2).rows] == [names]
    with translation.override("en"):
        assert len(read("Ana Ruiz y Beto Wu", size=2).rows[0].names) == 1


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("Anna Lee & Bob Wu & Cy Dee", "3 names in this row, and a side has 2."),
        ("Anna Lee & Bob Wu\tMayfair", "3 names in this row"),
        ("Anna Lee, Bob Wu", "A comma doesn't part partners."),
        ("Pat & Kim Walsh", "“Pat” has one word"),
        ("Anna Lee +1", "A name is missing"),
        ("Anna Lee &", "A name is missing"),
        ("Anna Lee & ANNA LEE", "The same name is in this row twice."),
        ("Anna, Berta, Carla & Bob Wu", "There is more than one name in this row, or a remark."),
        ('=HYPERLINK("http://example.org")\tBob Wu', "This is a formula"),
        (f"{'A' * 50} {'B' * 50} & Bob Wu", "101 letters; 80 fit"),
        ("123", "This isn't a name: it has no letters."),
    ],
)
def test_what_can_not_be_read_for_sure_is_asked(row, words):
    assert words in read(f"{row}\n", size=2).rows[0].problem


def test_known_names_are_not_taken_apart_and_need_no_surname():
    known = {"salt & pepper", "pat", "josé ortega y gasset"}
    with translation.override("es"):
        rows = read("Salt & Pepper\tBob Wu\nPat & Kim Walsh\nJosé Ortega y Gasset\n", size=2, known=known).rows
    assert [row.names for row in rows] == [("Salt & Pepper", "Bob Wu"), ("Pat", "Kim Walsh"), ("José Ortega y Gasset",)]
    assert not any(row.problem for row in rows)


def test_a_head_is_told_and_its_other_columns_left_out():
    listing = read("No.\tPlayer 1\tPlayer 2\tClub\n\n1\tAnna Lee\tBob Wu\tMayfair\n", size=2)
    assert listing.head == ("No.", "Player 1", "Player 2", "Club")
    assert [(row.number, row.names, row.problem) for row in listing.rows] == [(3, ("Anna Lee", "Bob Wu"), "")]


def test_teams_of_three_stand_three_in_a_row():
    rows = read("Al Abt & Bo Ek & Cy Dee\nAl Abt & Bo Ek\nDi Fox\n", size=3).rows
    assert [bool(row.problem) for row in rows] == [False, True, False]


def test_a_list_that_is_too_long_is_refused():
    with pytest.raises(UnreadableSpreadsheet, match="500 rows are the most"):
        read("\n".join(f"A{n} & B{n}" for n in range(501)), size=2)
    assert read("x" * 500_000 + " & " * 100_000, size=2).rows[0].problem


# Who they are, and the verb


def test_members_and_guests_are_entered_and_made_partners_at_once(send, event, club):
    anna = Member.objects.create(club=club, name="Anna Lee")
    page = send(names="anna lee & Bob Wu\nCy Dee and Di Fox\nEd Gee\n")
    assert "2 sides can be entered. 1 person has no partner." in words_of(page)
    assert not event.entries.exists(), "looking enters nobody"
    done = enter(send, "anna lee & Bob Wu\nCy Dee and Di Fox\nEd Gee\n")
    assert "2 sides are made. 5 people are marked as here." in words_of(done)
    assert sides(event) == [("Anna Lee", "Bob Wu"), ("Cy Dee", "Di Fox")]
    assert [entry.name for entry in partners.sides_of(event)[1]] == ["Ed Gee"]
    assert event.entries.get(name="Anna Lee").member == anna
    logged = LogEntry.objects.get(verb="sides.enter")
    assert logged.new["names"] == ["Anna Lee & Bob Wu", "Cy Dee & Di Fox", "Ed Gee"]


def words_of(page):
    return " ".join(page_of(page).split())


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
    assert "Anna Lee plays with Bob Wu already. Take that side apart" in words_of(page)
    assert typed in page.content.decode().replace("&amp;", "&")
    assert sides(event) == [("Anna Lee", "Bob Wu")]
    enter(send, typed, "enter-good")
    assert sides(event) == [("Anna Lee", "Bob Wu"), ("Di Fox", "Ed Gee")]
    assert not event.entries.filter(name="Cy Dee").exists()


def test_the_same_list_again_has_nothing_to_enter(send, event, actor):
    put(event, actor, ("Anna Lee", "Bob Wu"), ("Ed Gee",))
    assert "All of this list is entered already." in words_of(send(names="Bob Wu & Anna Lee\nEd Gee"))


def test_a_second_tap_enters_once_and_a_corrected_list_is_no_second_tap(send, event):
    page = send(names="Anna Lee & Bob Wu")
    sent = {"step": "enter", "submission": str(page.context["submission"]), "seen": page.context["listing"].seen}
    for _tap in range(2):
        done = send(names="Anna Lee & Bob Wu", **sent)
        assert "1 side is made. 2 people are marked as here." in words_of(done)
    assert LogEntry.objects.filter(verb="sides.enter").count() == 1
    back = send(names="Anna Lee & Bob Wu\nCy Dee & Di Fox", **sent)
    assert "The list isn&#x27;t what was shown before." in words_of(back)
    again = {"submission": str(back.context["submission"]), "seen": back.context["listing"].seen, "step": "enter"}
    send(names="Anna Lee & Bob Wu\nCy Dee & Di Fox", **again)
    assert sides(event) == [("Anna Lee", "Bob Wu"), ("Cy Dee", "Di Fox")]


def test_what_was_not_shown_is_not_entered(send, event, actor):
    page = send(names="Anna Lee & Bob Wu")
    put(event, actor, ("Anna Lee", "Cy Dee"))
    sent = {"submission": str(page.context["submission"]), "seen": page.context["listing"].seen}
    again = send(names="Anna Lee & Bob Wu", step="enter-good", **sent)
    assert "Look at it again, then enter it." in words_of(again)
    assert sides(event) == [("Anna Lee", "Cy Dee")]


@pytest.mark.parametrize("written", ["Jose Alvarez", "Álvarez José", "José Alvares"])
@pytest.mark.parametrize("known_as", ["member", "entry"])
def test_an_accent_an_order_or_a_letter_is_asked_about(send, event, actor, written, known_as):
    if known_as == "member":
        Member.objects.create(club=event.club, name="José Álvarez")
    else:
        put(event, actor, ("José Álvarez",))
    text = f"{written} & Bob Wu"
    assert f"{written}: the same as José Álvarez?" in words_of(send(names=text))
    assert "For each name" in words_of(enter(send, text))
    assert not sides(event)
    said = {f"who-{written.casefold()}-josé álvarez": "same"}
    enter(send, text, **said)
    assert [set(side) for side in sides(event)] == [{"José Álvarez", "Bob Wu"}]


def test_who_only_sounds_alike_is_entered_as_somebody_else(send, event, actor):
    put(event, actor, ("Ann Lee", "Cy Dee"))
    enter(send, "Anna Lee & Bob Wu", **{"who-anna lee-ann lee": "other"})
    assert sides(event) == [("Ann Lee", "Cy Dee"), ("Anna Lee", "Bob Wu")]
    taken = enter(send, "Anna Lea & Di Fox", **{"who-anna lea-anna lee": "same"})
    assert "plays with Bob Wu already" in words_of(taken)
    assert "Anna Lea: the same as Anna Lee?" in words_of(taken), "it can be answered otherwise"


def test_a_name_in_two_rows_is_told_with_the_row_whatever_its_accents_and_order(event):
    looked = look(event, "José Álvarez & Bob Wu\nAlvarez Jose & Cy Dee\n", answers={})
    assert [row.number for row in looked.of("bad")] == [2]
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


def test_a_match_between_clubs_takes_the_club_of_a_list(club, actor, director, client_of):
    event = event_of(club, actor, "team-match")
    client = client_of(director)

    def post(**data):
        return client.post(reverse("side_list", args=[club.slug, event.slug]), data, follow=True)

    enter(post, "Anna Lee & Bob Wu\nCy Dee & Di Fox", plays_for="Mayfair")
    assert {entry.plays_for for entry in event.entries.all()} == {"Mayfair"}
    assert len(sides(event)) == 2


def test_a_list_comes_too_late_for_a_knock_out_that_has_begun(club, actor):
    event = event_of(club, actor, "knock-out")
    put(event, actor, *[(f"Ann A{n}", f"Bob B{n}") for n in range(4)])
    publish_next(event, actor)
    with pytest.raises(StepRefused, match="The knock-out has begun"):
        look(event, "Cy Dee & Di Fox", answers={})
    with pytest.raises(StepRefused, match="The knock-out has begun"):
        put(event, actor, ("Cy Dee", "Di Fox"))


def test_a_list_costs_the_same_queries_for_few_and_many(event, actor):
    counts = []
    for few in (2, 30):
        with CaptureQueriesContext(connection) as asked:
            look(event, "\n".join(f"Ann X{few}{n} & Bob Y{few}{n}" for n in range(few)), answers={})
            put(event, actor, *[(f"Ann X{few}{n}", f"Bob Y{few}{n}") for n in range(few)])
        counts.append(len(asked))
    assert counts[0] == counts[1], counts


# The pages


@pytest.mark.parametrize(
    ("language", "words"), [("en", "A pair in each row: “Anna Lee &amp; Bob Wu”"), ("es", "Una pareja en cada fila")]
)
def test_the_field_says_what_stands_in_a_row(event, director, client_of, language, words):
    client = client_of(director)
    client.cookies["django_language"] = language
    page = words_of(client.get(reverse("side_list", args=[event.club.slug, event.slug])))
    assert words in page
    assert not re.search(r"plays_for", page)


@pytest.mark.parametrize("name", ["partners", "here"])
def test_the_list_is_found_where_partners_are_made(event, director, client_of, name):
    page = page_of(client_of(director).get(reverse(name, args=[event.club.slug, event.slug])))
    assert reverse("side_list", args=[event.club.slug, event.slug]) in page
    assert "Enter a list of pairs" in page


@pytest.mark.parametrize("sent", ["", " \n \n"])
def test_an_empty_list_says_so(send, sent):
    assert "There is nobody in this list." in page_of(send(names=sent))


def test_where_partners_change_there_is_no_list(club, rules_for, director, client_of):
    night = make_night(club, rules_for("st-hilary-v3"))
    assert client_of(director).get(reverse("side_list", args=[club.slug, night.slug])).status_code == 404


def test_names_of_a_closed_event_are_refused_and_stay(send, event):
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    page = send(names="Anna Lee & Bob Wu")
    assert page.status_code == 422
    assert "This night is closed." in page_of(page)
    assert "Anna Lee &amp; Bob Wu" in page_of(page)
    assert not Entry.objects.filter(event=event).exists()


def test_one_person_alone_is_named_and_offered_nobody(event, actor, director, client_of):
    address = reverse("partners", args=[event.club.slug, event.slug])
    put(event, actor, ("Anna Lee", "Bob Wu"), ("Cal Poe",))
    alone = client_of(director).get(address).content.decode()
    assert "<li>Cal Poe</li>" in alone
    assert "Put them together" not in alone
    put(event, actor, ("Dee Orr",))
    assert "Put them together" in client_of(director).get(address).content.decode()


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
        b"Ann Lee;Bob Wu\nCy Orr;Di Poe\n",
        b"Ann Lee and Bob Wu\nCy Orr and Di Poe\n",
    ],
    ids=["xlsx", "ods", "commas", "quoted", "one column", "semicolons", "words"],
)
def test_a_file_is_read_as_the_pasted_list_would_be(send, event, data):
    page = send(file=a_file(data))
    assert not page.context["bad"]
    kept = page.context["form"]["names"].value()
    sent = {"names": kept, "submission": str(page.context["submission"]), "seen": page.context["listing"].seen}
    send(**sent, step="enter")
    send(**sent, step="enter")
    assert sides(event) == [("Ann Lee", "Bob Wu"), ("Cy Orr", "Di Poe")]


def test_letters_that_are_not_certain_are_pointed_out(send):
    page = send(file=a_file("José Álvarez & Ann Lee\n".encode("cp1252")))
    assert "Some letters in this file may be wrong" in page_of(page)
    assert page.context["form"]["names"].value() == "José Álvarez & Ann Lee\n"


def test_a_file_that_is_no_list_is_refused_and_the_typed_list_stays(send):
    for data in (b"%PDF-1.7", b"", b"PK\x03\x04 no table"):
        page = send(file=a_file(data), names="Ann Lee & Bob Wu")
        assert page.status_code == 422
        assert page.context["form"].errors["file"]
        assert "Ann Lee &amp; Bob Wu" in page.content.decode()
