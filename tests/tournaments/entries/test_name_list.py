"""Names from a file or from text: what is read, what is refused with its row, and one confirm that enters them once."""

from uuid import uuid4

import pytest
import tablib
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from clubsite.accounts.models import Member
from scoring.pasted_names import read, sheets_of
from scoring.spreadsheets import UnreadableSpreadsheet, WrongEncoding
from tests.tournaments.contests import NAMES, contest, enter
from tournaments.entries.actions import add_entry, change_entry, import_names
from tournaments.errors import StepRefused
from tournaments.models import Entry


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann Abel\nBert Bauer\n", ["Ann Abel", "Bert Bauer"]),
        ("Name\r\nAnn Abel\r\n\r\nBert Bauer\r\n", ["Ann Abel", "Bert Bauer"]),
        ("No.;Name;Note\n1;Ann Abel;host\n2;Bert Bauer;", ["Ann Abel", "Bert Bauer"]),
        ("First name,Last name\nAnn,Abel\nBert,Bauer", ["Ann Abel", "Bert Bauer"]),
        ("Surname\tFirst name\nAbel\tAnn\n", ["Ann Abel"]),
        ("Abel, Ann\nBauer, Bert\n", ["Ann Abel", "Bert Bauer"]),
        ('"Abel, Ann Marie"\n"O\'Neill, Tadhg"\n', ["Ann Marie Abel", "Tadhg O'Neill"]),
        ("Name;E-mail\nSmith, John;j@example.org\nPat Doyle;\n", ["John Smith", "Pat Doyle"]),
        ("Pat Doyle\nAnn Abel\nSmith, John\n", ["Pat Doyle", "Ann Abel", "John Smith"]),
        ("Tom Walsh, host\nPat Doyle\nAnn Abel\n", ["Tom Walsh", "Pat Doyle", "Ann Abel"]),
        ("Pat Doyle;1\nDavis, Jr.;2\n", ["Pat Doyle", "Davis, Jr."]),
        ("1. Tom Walsh\n2) Pat Doyle\n- Mary Ann\n10.Bo Ek\n", ["Tom Walsh", "Pat Doyle", "Mary Ann", "Bo Ek"]),
        ("1. Walsh, Tom\n2. Doyle, Pat\n", ["Tom Walsh", "Pat Doyle"]),
        ("1.\tTom Walsh\n2.\tPat Doyle\n", ["Tom Walsh", "Pat Doyle"]),
        ("1\tAnn Abel\n2\tBert Bauer\n", ["Ann Abel", "Bert Bauer"]),
        ("\ufeffName\nZoë Ångström\n", ["Zoë Ångström"]),
        ("  Ann \u00a0 Abel  \n", ["Ann Abel"]),
    ],
)
def test_lists_are_read_as_people_make_them(text, names):
    assert [row.name for row in read(text).rows] == names


def test_titles_above_the_heads_of_columns_are_left_out_and_told():
    listing = read("Club list 2026\n\nSurname\tGiven name\nNúñez\tJosé\nPeña\tInés\n")
    assert [row.name for row in listing.rows] == ["José Núñez", "Inés Peña"]
    assert listing.head == ("Surname", "Given name")
    assert [words for words in listing.warnings if "“Club list 2026”" in words]
    assert not read("Surname\tGiven name\nNúñez\tJosé\n").warnings


def test_people_above_a_word_for_names_are_no_title():
    assert [row.name for row in read("Tom Walsh\nMembers\nPat Doyle\n").rows] == ["Tom Walsh", "Members", "Pat Doyle"]
    assert len(read("Walsh\tTom\nName\tPlayer\n").rows) == 2


@pytest.mark.parametrize(
    ("text", "title", "words"),
    [
        ("Tuesday group\n\nAnn Abel\nBert Bauer\n", "Tuesday group", "This may be a title"),
        ("Players\nTuesday group\n\nAnn Abel\nBert Bauer\n", "Tuesday group", "This may be a title"),
        ("Tuesday group:\nAnn Abel\nBert Bauer\n", "Tuesday group:", "This looks like a title"),
        ("Tuesday group\nPlayers\n\nAnn Abel\nBert Bauer\n", "Players", "This looks like a title"),
        ("Ann Abel\nReserves:\nBert Bauer\n", "Reserves:", "This looks like a title"),
        ("Card night 2026\nAnn Abel\nBert Bauer\n", "Card night 2026", "This looks like a title"),
    ],
)
def test_a_title_above_names_is_asked_about(text, title, words):
    (asked,) = read(text).bad
    assert (asked.name, asked.problem.startswith(words)) == (title, True)
    assert {"Ann Abel", "Bert Bauer"} <= {row.name for row in read(text).good}


@pytest.mark.parametrize(
    "text",
    [
        "Ann Abel\n\nBert Bauer\n\nCy Dee\n",
        "Ann Abel\n\nBert Bauer\n",
        "Ann Abel\nBert Bauer\n\nCy Dee\n",
        "Name\n\nAnn Abel\nBert Bauer\n",
        "Abel;Ann\n\nBauer;Bert\nDee;Cy\n",
        "\n\nAnn Abel\nBert Bauer\nCy Dee\n\n",
    ],
)
def test_empty_rows_between_people_make_no_title(text):
    assert not read(text).bad


@pytest.mark.parametrize("office", ["Treasurer", "secretary", "Presidenta", "Capitán"])
@pytest.mark.parametrize("others", ["Pat Doyle\nAnn Abel\n", "Smith, John\nPat Doyle\nAnn Abel\nBo Ek\nCy Dee\n"])
def test_an_office_behind_the_comma_is_no_first_name(office, others):
    listing = read(f"Tom Walsh, {office}\n{others}")
    assert not listing.bad
    assert listing.good[0].name == "Tom Walsh"
    assert {"John Smith", "Pat Doyle"} & {row.name for row in listing.good}


def test_a_formula_is_no_name():
    (row,) = read('=HYPERLINK("http://example.org";"Tom")').rows
    assert "formula" in row.problem


def test_rows_are_numbered_as_in_the_file():
    listing = read("Name\nAnn Abel\n\nBert Bauer\n")
    assert [row.number for row in listing.rows] == [2, 4]
    assert listing.empty == (3,)
    assert listing.head == ("Name",)


def test_a_name_twice_is_told_with_both_rows_whatever_its_capitals():
    listing = read("Ann Abel\nBert Bauer\nANN  abel\n")
    assert [row.number for row in listing.bad] == [3]
    assert "row 1" in listing.bad[0].problem


@pytest.mark.parametrize(
    ("one", "other"), [("José Álvarez", "Jose Alvarez"), ("Mary O'Brien", "Mary O’Brien"), ("Łucja", "LUCJA")]
)
def test_a_name_with_other_accents_or_signs_is_the_same(one, other):
    assert read(f"{one}\n{other}\nPat Doyle\n").bad[0].problem.startswith("The same name as in row 1.")


@pytest.mark.parametrize("odd", ["Frank Miller (late, 7pm)", "Anna, Berta and Carla", "Ann Abel\tBerlin"])
def test_a_comma_in_few_rows_cuts_no_name_off(odd):
    rows = read(f"Pat Doyle\nTom Walsh\nSmith, John\n{odd}\nBo Ek\nCy Dee\n").rows
    assert [row.name for row in rows if not row.problem] == ["Pat Doyle", "Tom Walsh", "John Smith", "Bo Ek", "Cy Dee"]
    assert [row.problem[:43] for row in rows if row.problem] == ["There is more than one name in this row, or"]


@pytest.mark.parametrize(
    ("language", "odd"),
    [
        ("en", "Anna Lee & Bob Wu"),
        ("en", "Anna Lee/Bob Wu"),
        ("en", "Anna Lee + Bob Wu"),
        ("en", "ANNA LEE AND BOB WU"),
        ("es", "Ana Lee y Bob Wu"),
        ("es", "Ana Lee and Bob Wu"),
    ],
)
def test_a_row_with_two_people_is_asked_about_and_no_person_is_made_of_them(language, odd):
    with translation.override(language):
        rows = read(f"Pat Doyle\n{odd}\nBo Ek\n").rows
    assert [bool(row.problem) for row in rows] == [False, True, False]
    if language == "en":
        assert rows[1].problem.startswith("There are two people in this row.")


@pytest.mark.parametrize(
    ("language", "name"),
    [("es", "José Ortega y Gasset"), ("en", "Anna y Bob Wu"), ("en", "Andy Sand"), ("es", "Y. Lee")],
)
def test_a_word_that_is_part_of_a_name_parts_nobody(language, name):
    with translation.override(language):
        assert [row.problem for row in read(f"Pat Doyle\n{name}\nBo Ek\n").rows] == ["", "", ""]


def test_a_name_entered_already_is_told_with_its_number():
    listing = read("Ann Abel\nBert Bauer\n", taken={"ann abel": 12})
    assert "as number 12" in listing.bad[0].problem


def test_a_name_too_long_is_told_with_its_length():
    listing = read("A" * 81)
    assert "81 letters; 80 fit" in listing.bad[0].problem


def test_a_quote_that_is_never_closed_is_a_row_to_look_at():
    listing = read("Ann, Abel\n" + 'Bert, "' + "x\n" * 200_000)
    assert [row.name for row in listing.good] == ["Abel Ann"]
    assert "Shorten it." in listing.bad[0].problem


def test_the_columns_of_a_name_can_be_chosen():
    assert [row.name for row in read("Ann,Abel", columns=lambda _head: ("first1", "last1")).rows] == ["Ann Abel"]
    assert read("Ann,Abel").roles == ("last1", "first1")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_with_or_without_its_mark(encoding):
    assert "Dvořák" in sheets_of("Ann Dvořák\n".encode(encoding))[0].text


def test_another_encoding_is_told_with_its_row_and_read_as_windows_1252():
    with pytest.raises(WrongEncoding, match=r"Row 2 .* 0xE9") as wrong:
        sheets_of("Ann Abel\nJosé Álvarez\n".encode("cp1252"))
    assert wrong.value.guess == "Ann Abel\nJosé Álvarez\n"


@pytest.mark.parametrize("data", [b"PK\x03\x04 spreadsheet", b"\x00\x01\x02", b"%PDF-1.7", b"a" * 1_048_577])
def test_what_is_no_text_is_refused_with_what_to_do(data):
    with pytest.raises(UnreadableSpreadsheet, match="CSV"):
        sheets_of(data)


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_a_spreadsheet_is_chosen_as_it_is(event, director, client_of, kind):
    data = tablib.Dataset(["Abel", "Ann", "555"], headers=["Surname", "First name", "Tel"]).export(kind)
    page = client_of(director).post(
        reverse("entries_import", args=[event.club.slug, event.slug]),
        {"file": SimpleUploadedFile(f"names.{kind}", data)},
    )
    assert [row.name for row in page.context["listing"].good] == ["Ann Abel"]


def test_letters_damaged_before_are_pointed_out():
    damaged = "José Álvarez".encode().decode("cp1252", errors="replace")
    assert read(f"Ann Abel\n{damaged}\n").warnings or read(f"Ann Abel\n{damaged}\n").bad
    assert not read("Ângela Çelik\nJosé Álvarez\nŁukasz Žižka\n").warnings


# The verb


def test_the_same_confirm_twice_enters_once(club, actor):
    event = contest(club, actor)
    same = uuid4()
    first = import_names(event=event, names=NAMES, by=actor, submission=same)
    assert import_names(event=event, names=NAMES, by=actor, submission=same) == first
    assert event.entries.count() == 54


def test_one_bad_name_enters_nothing(club, actor):
    event = contest(club, actor)
    with pytest.raises(StepRefused, match="on the list already"):
        import_names(event=event, names=["Ann Abel", "Bert Bauer", "ann abel"], by=actor, submission=uuid4())
    assert not event.entries.exists()


def test_55_names_for_54_places_leave_one_reserve(club, actor):
    made = enter(contest(club, actor), actor, [*NAMES, "Xaver Young"])
    assert [e.name for e in made if e.state == Entry.State.RESERVE] == ["Xaver Young"]


def test_members_are_found_by_their_names(club, actor):
    member = Member.objects.create(club=club, name="ann abel")
    entry = enter(contest(club, actor), actor, ["Ann Abel", "Bert Bauer"])[0]
    assert entry.member == member


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
    done = send(names=page.context["text"], step="enter", submission=str(page.context["submission"]))
    assert done.status_code == 302
    assert event.entries.count() == 54
    again = send(names=page.context["text"], step="enter", submission=str(page.context["submission"]))
    assert again.status_code == 302
    assert event.entries.count() == 54


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


def test_55_names_say_who_becomes_a_reserve(send):
    page = send(names="\n".join([*NAMES, "Xaver Young"])).content.decode()
    assert "The last one becomes a reserve: Xaver Young" in " ".join(page.split())


def test_a_reserve_whose_name_ends_with_a_full_stop_gets_no_second(send):
    page = " ".join(send(names="\n".join([*NAMES, "Helen P."])).content.decode().split())
    assert "The last one becomes a reserve: Helen P." in page
    assert "P.." not in page


def test_a_wrong_encoding_needs_a_look_at_the_letters(send, event):
    page = send(file=SimpleUploadedFile("names.csv", "Ann Abel\nJosé Álvarez\n".encode("cp1252")))
    text = page.content.decode()
    assert "Row 2 isn&#x27;t in UTF-8" in text
    assert ": José Álvarez" in text
    sent = {
        "names": page.context["text"],
        "step": "enter",
        "guessed": "1",
        "submission": str(page.context["submission"]),
    }
    refused = send(**sent)
    assert "Look at the letters" in refused.content.decode()
    assert not event.entries.exists()
    assert send(**sent, letters="1").status_code == 302
    assert [e.name for e in event.entries.all()] == ["Ann Abel", "José Álvarez"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("names.xlsx", b"PK\x03\x04...", "This spreadsheet can&#x27;t be read"),
        ("names.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...", "This is a spreadsheet"),
    ],
)
def test_a_workbook_that_cannot_be_read_is_refused_and_the_text_stays(send, name, data, message):
    page = send(file=SimpleUploadedFile(name, data), names="Ann Abel")
    assert page.status_code == 422
    assert message in page.content.decode()
    assert "Ann Abel" in page.content.decode()


@pytest.mark.parametrize("sent", [{"names": ""}, {"names": "\n \n"}])
def test_a_list_without_names_says_so(send, sent):
    assert "There are no names in this list" in send(**sent).content.decode()


def test_an_empty_file_says_so(send):
    assert "There are no names in this list" in send(file=SimpleUploadedFile("empty.csv", b"")).content.decode()


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
    assert "Irene Novak: the same as Irene Nowak?" in " ".join(page.content.decode().split())
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
    words = " ".join(page.content.decode().split())
    assert "Irene Novak: the same as Irene Nowak in row 3?" in words
    send(**sent_with(page, "same"))
    assert [e.name for e in event.entries.all()] == ["Dora D.", "Irene Nowak", "Gus Green"]


def test_who_is_left_out_takes_no_place_from_a_reserve(send, event, actor):
    enter(event, actor, NAMES[:53])
    page = send(names=f"{NAMES[0]}e\nXaver Young")
    assert [row.name for row in page.context["reserves"]] == ["Xaver Young"]
    again = send(**sent_with(page, "same") | {"step": "check"})
    assert again.context["reserves"] == []
    assert "1 name can be entered." in " ".join(again.content.decode().split())


def test_an_answer_holds_for_the_pair_that_was_asked(send, event, club):
    Member.objects.create(club=club, name="Irene Nowak")
    answered = sent_with(send(names="Irene Novak\nBert Bauer"), "same")
    Member.objects.create(club=club, name="Novak Irene")
    assert "For each name that sounds like another" in send(**answered).content.decode()


def test_a_list_costs_the_same_queries_for_few_and_many(send, club):
    def queries(names):
        with CaptureQueriesContext(connection) as asked:
            send(names="\n".join(names))
        return len(asked)

    Member.objects.bulk_create(Member(club=club, name=f"{name}s") for name in NAMES)
    assert queries(NAMES[:2]) == queries(NAMES)
