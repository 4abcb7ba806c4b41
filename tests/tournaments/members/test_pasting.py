"""Members from a list: what is read, who is known, who sounds like somebody, and adding them once."""

import io
import zipfile
from uuid import uuid4

import pytest
import tablib

from clubsite.accounts.models import LogEntry, Member
from scoring.pasted_names import read_sheets
from scoring.spreadsheets import MAX_UNPACKED, UnreadableSpreadsheet
from tests.hostile.bombs import ods
from tests.tournaments.nights import queries_in
from tournaments.entries.known import ByEar
from tournaments.errors import StepRefused
from tournaments.members.pasting import ListedPerson, add_members, read_members

HEADED = [
    ["Surname", "First name", "E-mail", "Phone", "Notes"],
    ["Kowalczyk", "Agnes", "agnes@example.org", "555 0101", "left-handed"],
    ["Nguyễn", "Thị Ánh", "", "555 0102", None],
]


def said(pasted):
    return [(row.person.name, row.state, row.doubt.like.name if row.doubt else "") for row in pasted.rows]


def people_of(pasted):
    return [row.person for row in pasted.rows]


def test_columns_that_are_not_kept_are_named(club):
    pasted = read_members(club, "No.,First name,Birthday,Last name,Mobile\n1,Ann,3 May,Abel,600\n", answers={})
    assert [(one.person.name, one.person.telephone) for one in pasted.rows] == [("Ann Abel", "600")]
    assert pasted.warnings == (
        "Columns not read: “No.”, “Birthday”. Only a name, an e-mail address, a telephone number, a note, classes and "
        "“initials only” are read.",
    )
    for whole in ("First name,Last name,Email,Phone,Notes\nAnn,Abel,a@example.org,600,late\n", "Ann Abel\nBob Hale\n"):
        assert read_members(club, whole, answers={}).warnings == ()


def test_names_one_a_line_are_new_known_or_sound_like_somebody(club):
    agnes = Member.objects.create(club=club, name="Agnes Kowalczyk")
    bob = Member.objects.create(club=club, name="Bob Hale")
    pasted = read_members(club, "Agnes Kowalcyk\nbob  hale\nCal Young\nCall Young\n1234\n", answers={})
    assert said(pasted) == [
        ("Agnes Kowalcyk", "alike", "Agnes Kowalczyk"),
        ("bob hale", "known", ""),
        ("Cal Young", "new", ""),
        ("Call Young", "alike", "Cal Young"),
        ("1234", "bad", ""),
    ]
    assert [row.person.same_as for row in pasted.rows[:2]] == [agnes.pk, bob.pk]
    assert [doubt.like_row for doubt in pasted.doubts] == [None, 3], "a member, then a row of the list"
    assert "no letter" in pasted.rows[4].problem


@pytest.mark.parametrize(
    ("name", "other", "alike"),
    [
        ("Agnes Kowalcyk", "Agnes Kowalczyk", True),
        ("Kowalczyk, Agnes", "Agnes Kowalczyk", True),
        ("Agnés Kowalczyk", "Agnes Kowalczyk", True),
        ("Lukasz Zolc", "Łukasz Żółć", True),
        ("Nguyen Thi Anh", "Nguyễn Thị Ánh", True),
        ("Sean O Brien", "Seán Ó Brien", True),
        ("A. Kowalczyk", "Agnes Kowalczyk", True),
        ("Jonh Smith", "John Smith", True),
        ("Mary Smith", "Gary Smith", False),
        ("Ann", "Ana", False),
        ("Ann Lee", "Bob Lee", False),
        ("Agnes Kowalczyk", "Agnes Kovacs", False),
        ("Agnes", "Agnes Kowalczyk", False),
        ("Ann Lee 1", "Ann Lee 2", False),
    ],
)
def test_which_names_sound_alike(name, other, alike):
    assert (ByEar([(other, other)]).nearest(name) == other) is alike


def test_columns_with_a_head_give_addresses_numbers_and_notes(club):
    text = "\n".join(";".join(cell or "" for cell in row) for row in HEADED)
    assert people_of(read_members(club, text, answers={})) == [
        ListedPerson("Agnes Kowalczyk", "agnes@example.org", "555 0101", "left-handed"),
        ListedPerson("Thị Ánh Nguyễn", "", "555 0102", ""),
    ]
    spanish = "Nombre,Apellidos,Correo,Teléfono\nInés,Peña,ines@example.org,600 1\n"
    assert people_of(read_members(club, spanish, answers={})) == [
        ListedPerson("Inés Peña", "ines@example.org", "600 1")
    ]
    assert (
        people_of(read_members(club, "Ann Abel\tann@example.org\nBob Hale\t\n", answers={}))[0].email
        == "ann@example.org"
    )


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_a_spreadsheet_is_read_as_the_same_text_would_be(club, kind):
    data = tablib.Dataset(*HEADED[1:], headers=HEADED[0]).export(kind)
    assert people_of(read_members(club, read_sheets(data)[0].text, answers={}))[0] == ListedPerson(
        "Agnes Kowalczyk", "agnes@example.org", "555 0101", "left-handed"
    )


def test_empty_cells_that_are_stored_once_keep_the_columns_after_them_in_place(club):
    def row(*cells):
        stored = "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in cells)
        return f"<table:table-row>{stored}</table:table-row>".replace(
            "<table:table-cell><text:p>2 empty</text:p>", "<table:table-cell table:number-columns-repeated='2'>"
        )

    data = ods(row("Name", "E-mail", "Telephone", "Note") + row("Ann Abel", "2 empty", "left-handed"))
    assert people_of(read_members(club, read_sheets(data)[0].text, answers={})) == [
        ListedPerson("Ann Abel", "", "", "left-handed")
    ]


def test_what_cannot_be_read_is_refused_with_a_sentence():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("xl/workbook.xml", b" " * (MAX_UNPACKED + 1))
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as made:
        made.writestr("photo.jpg", b"no table")
    broken = tablib.Dataset(["Ann"]).export("xlsx")[:-200]
    for data, words in [
        (packed.getvalue(), "too large"),
        (other.getvalue(), "can't be read"),
        (broken, "can't be read"),
        (b"PK\x03\x04" + b"x" * 2_000_000, "too large"),
        (b"\xd0\xcf\x11\xe0 an old one", "Save as"),
        (b"%PDF-1.7", "plain text"),
        (b"\x00\x01\x02", "CSV"),
        (b"a" * 1_048_577, "CSV"),
    ]:
        with pytest.raises(UnreadableSpreadsheet, match=words):
            read_sheets(data)


def test_all_are_added_at_once_and_a_double_tap_adds_nobody_twice(club, actor):
    agnes = Member.objects.create(club=club, name="Agnes Kowalczyk", telephone="1")
    people = [
        ListedPerson("Agnes Kowalcyk", "agnes@example.org", "2", same_as=agnes.pk),
        ListedPerson(" Bob   Hale ", note="plays left"),
    ]
    submission = uuid4()
    first = add_members(club=club, people=people, by=actor, submission=submission)
    again = add_members(club=club, people=people, by=actor, submission=submission)
    assert ([m.name for m in first.made], first.filled) == (["Bob Hale"], 1)
    assert ([m.pk for m in again.made], again.filled) == ([first.made[0].pk], 1)
    agnes.refresh_from_db()
    assert (agnes.name, agnes.email, agnes.telephone) == ("Agnes Kowalczyk", "agnes@example.org", "1")
    assert LogEntry.objects.filter(verb="members.add").count() == 1
    assert "agnes@example.org" not in str(LogEntry.objects.get(verb="members.add").new)


def test_a_list_with_one_wrong_row_adds_nobody(club, other_club, actor):
    theirs = Member.objects.create(club=other_club, name="Otto")
    for wrong in (
        [],
        [ListedPerson("Ann"), ListedPerson("ann")],
        [ListedPerson("Ann"), ListedPerson("123")],
        [ListedPerson("Ann", email="nowhere")],
        [ListedPerson("Ann"), ListedPerson("Ot", same_as=theirs.pk)],
        [ListedPerson(f"Ann {n}") for n in range(1001)],
    ):
        with pytest.raises(StepRefused):
            add_members(club=club, people=wrong, by=actor, submission=uuid4())
    assert not Member.objects.filter(club=club).exists()
    assert not LogEntry.objects.filter(verb="members.add").exists()


def test_reading_asks_the_database_the_same_whatever_the_length(club):
    counts = []
    for rows in (3, 300):
        Member.objects.bulk_create(Member(club=club, name=f"Known {rows} {n}") for n in range(rows))
        names = "\n".join(f"Player Number{n}" for n in range(rows))
        counts.append(queries_in(lambda names=names: read_members(club, names, answers={})))
    assert counts == [1, 1]


def test_what_a_list_says_of_somebody_known_by_ear_is_offered_too(club):
    club.members.create(name="Agnes Kowalczyk", telephone="600")
    text = "Name,Telephone,Initials only\nAgnes Kowalczik,700,yes\n"
    (row,) = read_members(club, text, answers={}).rows
    assert row.state == "alike"
    assert {new for _field, _old, new in row.changes} == {"700", "yes"}
    (row,) = read_members(club, text, answers={row.doubt.asked: "other"}).rows
    assert row.changes == ()
