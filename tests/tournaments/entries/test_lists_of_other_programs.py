"""Lists as other programs write them (invented names): who is read from each, by every reader of lists."""

from pathlib import Path

import pytest
from django.utils import translation

from scoring.pasted_names import column_of, read, sheets_of

LISTS = Path(__file__).parent / "lists"


def good(text, size=1):
    return [row.name for row in read(text, size=size).good]


def of_file(name):
    return sheets_of((LISTS / name).read_bytes())[0].text


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
    listing = read(of_file(file), size=2)
    assert [row.name for row in listing.rows] == sides
    assert not listing.bad


def test_addresses_and_numbers_go_to_their_fields():
    jurgen, anna = read(of_file("01-excel-de-semicolon-bom.csv")).rows
    assert jurgen.contact == {"email": "j@x.test", "telephone": "0151 1"}
    assert anna.contact["email"] == "a@x.test"
    ann, bea = read(of_file("10-ticket-shop.csv")).rows
    assert (ann.contact["email"], bea.contact.get("email")) == ("ann@x.test", None)
    (row,) = read("Ann Abel <ann@x.test>\n").rows
    assert (row.name, row.contact) == ("Ann Abel", {"email": "ann@x.test"})


@pytest.mark.parametrize(
    "status", ["cancelled", "Canceled", "pending", "REFUNDED", "not paid", "storniert", "pendiente"]
)
def test_who_has_not_paid_or_does_not_come_is_not_entered(status):
    table = of_file("10-ticket-shop.csv") + f"XYZ99,1,{status},c@x.test,,,Card night,,5,0,Cal Carr,Cal,Carr,c@x.test\n"
    listing = read(table)
    assert [row.name for row in listing.good] == ["Ann Abel", "Bea Brown"]
    assert [(row.number, row.name, status in row.problem) for row in listing.bad] == [(4, "Cal Carr", True)]


def test_rows_keep_the_numbers_of_the_file():
    assert [row.number for row in read(of_file("07-sep-line.csv")).rows] == [3, 4]
    assert [row.number for row in read(of_file("18-merged-title-dates.xlsx")).rows] == [5, 6, 7, 8]


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
    ],
)
def test_heads_and_columns_of_other_lists(text, names):
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
    listing = read(text, size=2)
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
    listing = read(f"{head}\n2,ann@x.test,Ann Abel\n")
    assert listing.head == tuple(head.split(","))
    assert [row.number for row in listing.rows] == [2]


@pytest.mark.parametrize("beside", ["member", "guest", "no", "Table 1", "note"])
def test_a_word_beside_a_name_makes_no_head_of_it(beside):
    assert good(f"Ann Abel;{beside}\nBea Brown;{beside}\n") == ["Ann Abel", "Bea Brown"]


def test_a_name_that_is_known_may_have_numbers():
    assert not good("R2 D2\n")
    for size in (1, 2):
        assert [row.name for row in read("R2 D2\n", size=size, known={"r2 d2"}).good] == ["R2 D2"]


@pytest.mark.parametrize(
    "text", ["Ann Abel; Bea Brown; Cy Dee\n", "Ann Abel;Bea Brown\nCy Dee;Di Fox\n", "Ruiz Gil, Ana\nGil Paz, Luis\n"]
)
def test_names_in_columns_that_are_not_read_are_pointed_out(text):
    assert read(text).warnings
    assert not read(text, size=2).warnings
    assert not read("Ann Abel;late\nCy Dee;plays\n").warnings


def test_titles_above_the_head_may_have_two_cells():
    listing = read("Parish Card Club\nupdated;2054-03-01\n\nLast name;First name\nAbel;Ann\n")
    assert [row.name for row in listing.rows] == ["Ann Abel"]
    assert [words for words in listing.warnings if "updated" in words]


def test_the_sheet_with_the_names_comes_first_and_hidden_rows_are_counted():
    first, other = sheets_of((LISTS / "20-cover-sheet-first-hidden-row.xlsx").read_bytes())
    assert (first.title, first.hidden, other.title) == ("Sheet", 1, "Cover")


def test_a_total_is_nobody():
    (total,) = read(of_file("18-merged-title-dates.xlsx")).bad
    assert total.number == 8


# Two people of one name


@pytest.mark.parametrize("others", ["Siobhan O'Brien\nBea Brown\n", '"O\'Brien, Siobhan"\n"Brown, Bea"\n'])
@pytest.mark.parametrize("town", ["Mill St", "Dublin"])
def test_a_town_behind_the_comma_tells_two_apart(others, town):
    line = f"Siobhan O'Brien, {town}"
    text = f'{others}"{line}"\n' if '"' in others else f"{others}{line}\n"
    assert good(text) == ["Siobhan O'Brien", "Bea Brown", f"Siobhan O'Brien ({town})"]


def test_a_town_tells_a_newcomer_from_who_is_entered():
    listing = read("Siobhan O'Brien, Mill St\nBea Brown\nCy Dee\n", taken={"siobhan o'brien": 4})
    assert [row.name for row in listing.good] == ["Siobhan O'Brien (Mill St)", "Bea Brown", "Cy Dee"]
    pairs = read("Siobhan O'Brien & Bob Wu\nSiobhan O'Brien, Mill St & Cy Dee\n", size=2)
    assert [row.name for row in pairs.good] == ["Siobhan O'Brien & Bob Wu", "Siobhan O'Brien (Mill St) & Cy Dee"]


def test_two_streets_are_asked_about():
    listing = read("Bea Brown\nSiobhan O'Brien, Mill St\nSiobhan O'Brien, High St\nCy Dee\nDi Fox\n")
    assert [row.name for row in listing.good] == ["Bea Brown", "Cy Dee", "Di Fox"]


def test_a_ticket_is_no_person():
    assert column_of("Ticket name")[0] != "full"
