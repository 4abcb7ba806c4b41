"""Lists of names as people and other programs write them (invented names): who is read from each, by every reader."""

from pathlib import Path

import pytest
from django.utils import translation

from scoring.pasted_names import classify_head, read_names, read_sheets
from scoring.spreadsheets import UnreadableSpreadsheet, WrongEncoding

LISTS = Path(__file__).parent / "lists"


def good(text, size=1):
    return [row.name for row in read_names(text, size=size).good]


def of_file(name):
    return read_sheets((LISTS / name).read_bytes())[0].text


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("01-excel-de-semicolon-bom.csv", ["Jürgen Weiß", "Anna-Lena Groß"]),
        ("07-sep-line.csv", ["Ann Abel", "Bea Brown"]),
        ("10-ticket-shop.csv", ["Ann Abel", "Bea Brown"]),
        ("11-form-answers.csv", ["Ann Abel", "Bob Wu", "bea brown"]),
        ("12-pairs-table.csv", ["Ann Abel", "Bob Wu", "Cara Diaz", "Dan Eng", "Eve Fox"]),
        ("13-crosstable.txt", ["Ann Abel", "Bea Brown"]),
        ("16-all-caps-last-first.csv", ["IAN MCDONALD", "SASKIA VAN DER BERG"]),
        ("18-merged-title-dates.xlsx", ["Ann Abel", "Bea Brown", "Cat O'Hara"]),
        ("20-cover-sheet-first-hidden-row.xlsx", ["Ann Abel", "Bea Brown"]),
    ],
)
def test_the_people_are_read_and_nothing_else(file, names):
    assert good(of_file(file)) == names


@pytest.mark.parametrize(
    ("file", "sides"),
    [
        ("11-form-answers.csv", ["Ann Abel & Bob Wu", "bea brown"]),
        ("12-pairs-table.csv", ["Ann Abel & Bob Wu", "Cara Diaz & Dan Eng", "Eve Fox"]),
    ],
)
def test_pairs_are_read_and_nothing_else(file, sides):
    listing = read_names(of_file(file), size=2)
    assert [row.name for row in listing.rows] == sides
    assert not listing.bad


def test_addresses_and_numbers_go_to_their_fields():
    jurgen, anna = read_names(of_file("01-excel-de-semicolon-bom.csv")).rows
    assert jurgen.contact == {"email": "j@x.test", "telephone": "0151 1"}
    assert anna.contact["email"] == "a@x.test"
    ann, bea = read_names(of_file("10-ticket-shop.csv")).rows
    assert (ann.contact["email"], bea.contact.get("email")) == ("ann@x.test", None)
    (row,) = read_names("Ann Abel <ann@x.test>\n").rows
    assert (row.name, row.contact) == ("Ann Abel", {"email": "ann@x.test"})


@pytest.mark.parametrize(
    "status", ["cancelled", "Canceled", "pending", "REFUNDED", "not paid", "storniert", "pendiente"]
)
def test_who_has_not_paid_or_does_not_come_is_not_entered(status):
    table = of_file("10-ticket-shop.csv") + f"XYZ99,1,{status},c@x.test,,,Card night,,5,0,Cal Carr,Cal,Carr,c@x.test\n"
    listing = read_names(table)
    assert [row.name for row in listing.good] == ["Ann Abel", "Bea Brown"]
    assert [(row.number, row.name, status in row.problem) for row in listing.bad] == [(4, "Cal Carr", True)]


def test_rows_keep_the_numbers_of_the_file():
    assert [row.number for row in read_names(of_file("07-sep-line.csv")).rows] == [3, 4]
    assert [row.number for row in read_names(of_file("18-merged-title-dates.xlsx")).rows] == [5, 6, 7, 8]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("First Name,Middle Name,Last Name,Suffix\nAnn,B.,Abel,Jr.\nCy,,Dee,\n", ["Ann B. Abel Jr.", "Cy Dee"]),
        ("Voornaam;Tussenvoegsel;Achternaam\nJan;van der;Berg\n", ["Jan van der Berg"]),
        ("Name;Vorname\nWeiß;Jürgen\nGroß;Anna\n", ["Jürgen Weiß", "Anna Groß"]),
        ("Name;Surname\nAnn;Abel\nBea;Brown\n", ["Ann Abel", "Bea Brown"]),
        ("Nom;Prénom\nAbel;Anne\nBrun;Béa\n", ["Anne Abel", "Béa Brun"]),
        ("Nome;Cognome\nAnna;Abeli\n", ["Anna Abeli"]),
        ("Nombre;Primer apellido;Segundo apellido\nAna;Ruiz;Gil\n", ["Ana Ruiz Gil"]),
        ("Billing First Name,Billing Last Name,Attendee name\nPat,Payer,Ann Abel\n", ["Ann Abel"]),
        ("Email,Player\nann@x.test,Ann Abel\n", ["Ann Abel"]),
        ('"Smith, John, Jr."\n"Abel, Ann"\n', ["John Smith Jr.", "Ann Abel"]),
        ("1 Ann Abel\n2 Bea Brown\n", ["Ann Abel", "Bea Brown"]),
        ("Ann Abel <ann@x.test>, Bea Brown <bea@x.test>", ["Ann Abel", "Bea Brown"]),
        ("Mr;Ann;Abel\nMrs;Bea;Brown\nMr.;Cy;Dee\n", ["Ann Abel", "Bea Brown", "Cy Dee"]),
        ("11/6/2054 6:02 PM,Ann Abel,555\n11/6/2054 6:05 PM,Bea Brown,556\n", ["Ann Abel", "Bea Brown"]),
        (
            "ABC12;Card night;Ann Abel\nABC13;Card night;Bea Brown\nABC14;Card night;Cy Dee\n",
            ["Ann Abel", "Bea Brown", "Cy Dee"],
        ),
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
    assert good(text) == names


@pytest.mark.parametrize(
    "text", ["1 3 Abel 3.0 2+ 1+\n2 1 Brown 2.0 4+ 3-\n", "1 3 Abel, Ann 3.0 2+ 1+\n2 1 Brown, Bea 2.0 4+ 3-\n"]
)
def test_a_crosstable_without_columns_is_refused(text):
    assert not good(text)
    assert not good(text, size=2)


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("Cara Diaz - Dan Eng\nEve Fox with Gus Hill\n", ["Cara Diaz & Dan Eng", "Eve Fox & Gus Hill"]),
        ("Cara Diaz – Dan Eng\n", ["Cara Diaz & Dan Eng"]),
        ("Nombre;Pareja\nAna Ruiz;Luis Gil\nEva Paz;\n", ["Ana Ruiz & Luis Gil", "Eva Paz"]),
        ("Pareja;Jugador 1;Jugador 2\n1;Ana Ruiz;Luis Gil\n", ["Ana Ruiz & Luis Gil"]),
        (
            "11/6/2054 6:02 PM,Ann Abel,Bob Wu\n11/6/2054 6:05 PM,Eve Fox,Gus Hill\n",
            ["Ann Abel & Bob Wu", "Eve Fox & Gus Hill"],
        ),
        ("1;Ann Abel;Bob Wu;East\n2;Cara Diaz;Dan Eng;West\n", ["Ann Abel & Bob Wu", "Cara Diaz & Dan Eng"]),
        ("1,Ann Abel,Bob Wu,East\n2,Cara Diaz,Dan Eng,West\n", ["Ann Abel & Bob Wu", "Cara Diaz & Dan Eng"]),
        ("Ann Abel & Bob Wu\tEast\nCara Diaz & Dan Eng\tWest\n", ["Ann Abel & Bob Wu", "Cara Diaz & Dan Eng"]),
        ("Table 1;Ann Abel;Bob Wu\nTable 2;Cara Diaz;Dan Eng\n", ["Ann Abel & Bob Wu", "Cara Diaz & Dan Eng"]),
        (
            "First name 1;Last name 1;First name 2;Last name 2\nAnn;Abel;Bob;Wu\nEve;Fox;;\n",
            ["Ann Abel & Bob Wu", "Eve Fox"],
        ),
    ],
)
def test_pairs_as_people_write_them(text, sides):
    listing = read_names(text, size=2)
    assert [row.name for row in listing.good] == sides
    assert not listing.bad


def test_a_hyphenated_name_is_one_person():
    assert good("Mary Smith - Jones\nBea Brown\n") == ["Mary Smith - Jones", "Bea Brown"]
    with translation.override("es"):
        assert good("Eva Gil con Gus Paz\n", size=2) == ["Eva Gil & Gus Paz"]


@pytest.mark.parametrize(
    "head",
    [
        "Timestamp,Email Address,How you are called",
        "Foo,Email Address",
        "Attending,Your name as you want it on the card",
        "Vorname,Foo",
        "Foo,Town,Player",
    ],
)
def test_a_row_with_one_head_is_never_a_person(head):
    listing = read_names(f"{head}\n2,ann@x.test,Ann Abel\n")
    assert listing.head == tuple(head.split(","))
    assert [row.number for row in listing.rows] == [2]


@pytest.mark.parametrize("beside", ["member", "guest", "no", "Table 1", "note"])
def test_a_word_beside_a_name_makes_no_head_of_it(beside):
    assert good(f"Ann Abel;{beside}\nBea Brown;{beside}\n") == ["Ann Abel", "Bea Brown"]


def test_a_name_that_is_known_may_have_numbers():
    assert not good("R2 D2\n")
    for size in (1, 2):
        assert [row.name for row in read_names("R2 D2\n", size=size, known={"r2 d2"}).good] == ["R2 D2"]


@pytest.mark.parametrize(
    "text", ["Ann Abel; Bea Brown; Cy Dee\n", "Ann Abel;Bea Brown\nCy Dee;Di Fox\n", "Ruiz Gil, Ana\nGil Paz, Luis\n"]
)
def test_names_in_columns_that_are_not_read_are_pointed_out(text):
    assert read_names(text).warnings
    assert not read_names(text, size=2).warnings
    assert not read_names("Ann Abel;late\nCy Dee;plays\n").warnings


def test_titles_above_the_head_may_have_two_cells():
    listing = read_names("Parish Card Club\nupdated;2054-03-01\n\nLast name;First name\nAbel;Ann\n")
    assert [row.name for row in listing.rows] == ["Ann Abel"]
    assert [words for words in listing.warnings if "updated" in words]


def test_the_sheet_with_the_names_comes_first_and_hidden_rows_are_counted():
    first, other = read_sheets((LISTS / "20-cover-sheet-first-hidden-row.xlsx").read_bytes())
    assert (first.title, first.hidden, other.title) == ("Sheet", 1, "Cover")


def test_a_total_is_nobody():
    (total,) = read_names(of_file("18-merged-title-dates.xlsx")).bad
    assert total.number == 8


# Two people of one name


@pytest.mark.parametrize("others", ["Siobhan O'Brien\nBea Brown\n", '"O\'Brien, Siobhan"\n"Brown, Bea"\n'])
@pytest.mark.parametrize("town", ["Mill St", "Dublin"])
def test_a_town_behind_the_comma_tells_two_apart(others, town):
    line = f"Siobhan O'Brien, {town}"
    text = f'{others}"{line}"\n' if '"' in others else f"{others}{line}\n"
    assert good(text) == ["Siobhan O'Brien", "Bea Brown", f"Siobhan O'Brien ({town})"]


def test_a_town_tells_a_newcomer_from_who_is_entered():
    listing = read_names("Siobhan O'Brien, Mill St\nBea Brown\nCy Dee\n", taken={"siobhan o'brien": 4})
    assert [row.name for row in listing.good] == ["Siobhan O'Brien (Mill St)", "Bea Brown", "Cy Dee"]
    pairs = read_names("Siobhan O'Brien & Bob Wu\nSiobhan O'Brien, Mill St & Cy Dee\n", size=2)
    assert [row.name for row in pairs.good] == ["Siobhan O'Brien & Bob Wu", "Siobhan O'Brien (Mill St) & Cy Dee"]


def test_two_streets_are_asked_about():
    listing = read_names("Bea Brown\nSiobhan O'Brien, Mill St\nSiobhan O'Brien, High St\nCy Dee\nDi Fox\n")
    assert [row.name for row in listing.good] == ["Bea Brown", "Cy Dee", "Di Fox"]


def test_a_ticket_is_no_person():
    assert classify_head("Ticket name")[0] != "full"


# Lists as people write them


def test_titles_above_the_heads_of_columns_are_left_out_and_told():
    listing = read_names("Club list 2026\n\nSurname\tGiven name\nNúñez\tJosé\nPeña\tInés\n")
    assert [row.name for row in listing.rows] == ["José Núñez", "Inés Peña"]
    assert listing.head == ("Surname", "Given name")
    assert [words for words in listing.warnings if "“Club list 2026”" in words]
    assert not read_names("Surname\tGiven name\nNúñez\tJosé\n").warnings


def test_people_above_a_word_for_names_are_no_title():
    assert [row.name for row in read_names("Tom Walsh\nMembers\nPat Doyle\n").rows] == [
        "Tom Walsh",
        "Members",
        "Pat Doyle",
    ]
    assert len(read_names("Walsh\tTom\nName\tPlayer\n").rows) == 2


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
    (asked,) = read_names(text).bad
    assert (asked.name, asked.problem.startswith(words)) == (title, True)
    assert {"Ann Abel", "Bert Bauer"} <= {row.name for row in read_names(text).good}


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
    assert not read_names(text).bad


@pytest.mark.parametrize("office", ["Treasurer", "secretary", "Presidenta", "Capitán"])
@pytest.mark.parametrize("others", ["Pat Doyle\nAnn Abel\n", "Smith, John\nPat Doyle\nAnn Abel\nBo Ek\nCy Dee\n"])
def test_an_office_behind_the_comma_is_no_first_name(office, others):
    listing = read_names(f"Tom Walsh, {office}\n{others}")
    assert not listing.bad
    assert listing.good[0].name == "Tom Walsh"
    assert {"John Smith", "Pat Doyle"} & {row.name for row in listing.good}


@pytest.mark.parametrize(
    ("text", "number", "words"),
    [
        ('=HYPERLINK("http://example.org";"Tom")', 1, "formula"),
        ("Ann Abel\nBert Bauer\nANN  abel\n", 3, "The same name as in row 1."),
        ("José Álvarez\nJose Alvarez\nPat Doyle\n", 2, "The same name as in row 1."),
        ("Mary O'Brien\nMary O’Brien\nPat Doyle\n", 2, "The same name as in row 1."),
        ("Łucja\nLUCJA\nPat Doyle\n", 2, "The same name as in row 1."),
        ("Ann Abel\nTom Walsh\n", 2, "as number 12"),
        ("A" * 81, 1, "81 letters; 80 fit"),
    ],
)
def test_a_row_that_cannot_be_entered_is_told_with_its_number_and_why(text, number, words):
    (row,) = read_names(text, taken={"tom walsh": 12}).bad
    assert (row.number, words in row.problem) == (number, True)


def test_rows_are_numbered_as_in_the_file():
    listing = read_names("Name\nAnn Abel\n\nBert Bauer\n")
    assert [row.number for row in listing.rows] == [2, 4]
    assert listing.empty == (3,)
    assert listing.head == ("Name",)


@pytest.mark.parametrize("odd", ["Frank Miller (late, 7pm)", "Anna, Berta and Carla", "Ann Abel\tBerlin"])
def test_a_comma_in_few_rows_cuts_no_name_off(odd):
    rows = read_names(f"Pat Doyle\nTom Walsh\nSmith, John\n{odd}\nBo Ek\nCy Dee\n").rows
    assert [row.name for row in rows if not row.problem] == ["Pat Doyle", "Tom Walsh", "John Smith", "Bo Ek", "Cy Dee"]
    assert [row.problem[:43] for row in rows if row.problem] == ["There is more than one name in this row, or"]


@pytest.mark.parametrize(
    ("language", "name", "two"),
    [
        ("en", "Anna Lee & Bob Wu", True),
        ("en", "Anna Lee/Bob Wu", True),
        ("en", "Anna Lee + Bob Wu", True),
        ("en", "ANNA LEE AND BOB WU", True),
        ("es", "Ana Lee y Bob Wu", True),
        ("es", "Ana Lee and Bob Wu", True),
        ("es", "José Ortega y Gasset", False),
        ("en", "Anna y Bob Wu", False),
        ("en", "Andy Sand", False),
        ("es", "Y. Lee", False),
    ],
)
def test_a_row_with_two_people_is_asked_about_and_no_person_is_made_of_them(language, name, two):
    with translation.override(language):
        rows = read_names(f"Pat Doyle\n{name}\nBo Ek\n").rows
    assert [bool(row.problem) for row in rows] == [False, two, False]


def test_a_quote_that_is_never_closed_is_a_row_to_look_at():
    listing = read_names("Ann, Abel\n" + 'Bert, "' + "x\n" * 200_000)
    assert [row.name for row in listing.good] == ["Abel Ann"]
    assert "Shorten it." in listing.bad[0].problem


def test_the_columns_of_a_name_can_be_chosen():
    assert [row.name for row in read_names("Ann,Abel", columns=lambda _head: ("first1", "last1")).rows] == ["Ann Abel"]
    assert read_names("Ann,Abel").roles == ("last1", "first1")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_with_or_without_its_mark(encoding):
    assert "Dvořák" in read_sheets("Ann Dvořák\n".encode(encoding))[0].text


def test_another_encoding_is_told_with_its_row_and_read_as_windows_1252():
    with pytest.raises(WrongEncoding, match=r"Row 2 .* 0xE9") as wrong:
        read_sheets("Ann Abel\nJosé Álvarez\n".encode("cp1252"))
    assert wrong.value.guess == "Ann Abel\nJosé Álvarez\n"


def test_letters_damaged_before_are_pointed_out():
    damaged = "José Álvarez".encode().decode("cp1252", errors="replace")
    assert read_names(f"Ann Abel\n{damaged}\n").warnings or read_names(f"Ann Abel\n{damaged}\n").bad
    assert not read_names("Ângela Çelik\nJosé Álvarez\nŁukasz Žižka\n").warnings


# Pairs and teams


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
    (side,) = read_names(row, size=2).rows
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
        assert [list(side.names) for side in read_names(row, size=2).rows] == [names]
    with translation.override("en"):
        assert len(read_names("Ana Ruiz y Beto Wu", size=2).rows[0].names) == 1


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("Anna Lee & Bob Wu & Cy Dee", "3 names in this row, but a side has 2."),
        ("Anna Lee & Bob Wu\tMayfair", "3 names in this row"),
        ("Anna Lee, Bob Wu", "A comma doesn't separate partners."),
        ("Pat & Kim Walsh", "“Pat” has no surname"),
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
    assert words in read_names(f"{row}\n", size=2).rows[0].problem


def test_known_names_are_not_taken_apart_and_need_no_surname():
    known = {"salt & pepper", "pat", "josé ortega y gasset"}
    with translation.override("es"):
        rows = read_names("Salt & Pepper\tBob Wu\nPat & Kim Walsh\nJosé Ortega y Gasset\n", size=2, known=known).rows
    assert [row.names for row in rows] == [("Salt & Pepper", "Bob Wu"), ("Pat", "Kim Walsh"), ("José Ortega y Gasset",)]
    assert not any(row.problem for row in rows)


def test_a_head_is_told_and_its_other_columns_left_out():
    listing = read_names("No.\tPlayer 1\tPlayer 2\tClub\n\n1\tAnna Lee\tBob Wu\tMayfair\n", size=2)
    assert listing.head == ("No.", "Player 1", "Player 2", "Club")
    assert [(row.number, row.names, row.problem) for row in listing.rows] == [(3, ("Anna Lee", "Bob Wu"), "")]


def test_teams_of_three_stand_three_in_a_row():
    rows = read_names("Al Abt & Bo Ek & Cy Dee\nAl Abt & Bo Ek\nDi Fox\n", size=3).rows
    assert [bool(row.problem) for row in rows] == [False, True, False]


def test_a_list_that_is_too_long_is_refused():
    with pytest.raises(UnreadableSpreadsheet, match="at most 500 rows"):
        read_names("\n".join(f"A{n} & B{n}" for n in range(501)), size=2)
    assert read_names("x" * 500_000 + " & " * 100_000, size=2).rows[0].problem
