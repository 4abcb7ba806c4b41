"""Reading a list of people: bytes of a file, then rows of a table, then the names in each.

One reader for members, entries and sides. A list comes from a spreadsheet, an e-mail, a text file or another program,
with commas, semicolons, tabs or blanks between its columns, with or without a head, in any encoding. What isn't sure
is asked, never guessed silently.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest
from typing import TypeAlias

from django.utils.translation import gettext as _, ngettext, pgettext

from clubsite.invisible_characters import remove_invisible
from clubsite.names import NO_ADDRESS, folded_words, has_email_address, side_name
from scoring.spreadsheets import (
    Sheet,
    UnreadableSpreadsheet,
    decode,
    find_delimiter,
    is_workbook,
    read_rows,
    split_lines,
    unescape_formula,
    workbook_sheets,
)

# --- what columns hold, by their heads: as people and other programs write them ----------------------


FULL, FIRST, LAST = "full", "first", "last"  # of a name; with the number of the person in the row: "full1", "last2"
MIDDLE, SUFFIX, GROUP = "middle", "suffix", "group"
EMAIL, TELEPHONE, NOTE, STATUS, OTHER = "email", "telephone", "note", "status", "other"
CLASSES, INITIALS, NIGHTS, POINTS = "classes", "initials_only", "nights", "points"
CONTACT = (EMAIL, TELEPHONE, NOTE, CLASSES)  # what a member has beside the name
OF_MEMBER = (*CONTACT, INITIALS)
FIGURES = (NIGHTS, POINTS)  # of a season so far
NAMES = (FULL, FIRST, LAST, GROUP)

SURE, WHOSE, UNSURE = 1, 0, 2  # how surely a cell's words make it a head; WHOSE: they also say that it is a player's


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PHRASES = {
    FULL: """name | names | full name | fullname | first and last name | name and surname | surname first name
        | last name first name | nombre completo | nombre y apellidos | nombres y apellidos | apellidos y nombre
        | vor und nachname | vorname nachname | vorname und nachname | name vorname | nachname vorname | nom
        | nom complet | nom et prenom | nom prenom | prenom et nom | nome completo | nome e cognome | cognome e nome
        | nome cognome | cognome nome | naam | volledige naam | navn | namn | nimi | imie i nazwisko | nazwisko i imie
        | jmeno a prijmeni""",
    FIRST: """first name | first names | first | firstname | forename | forenames | given name | given names
        | christian name | nombre | nombres | nombre de pila | primer nombre | vorname | vornamen | rufname | prenom
        | prenoms | nome | voornaam | roepnaam | fornavn | fornamn | etunimi | imie | jmeno""",
    MIDDLE: """middle name | middle names | middle | middle initial | mi | segundo nombre | zweiter vorname
        | deuxieme prenom | tussenvoegsel""",
    LAST: """last name | last names | last | lastname | surname | surnames | family name | familyname | apellido
        | apellidos | primer apellido | nachname | familienname | zuname | nom de famille | cognome | sobrenome
        | achternaam | familienaam | etternavn | efternavn | efternamn | sukunimi | nazwisko | prijmeni""",
    SUFFIX: "suffix | name suffix | sufijo | segundo apellido",
    GROUP: """pair | pairs | partners | side | team | team name | parejas | equipo | bando | paar | paare
        | mannschaft | equipe | coppia | squadra""",
    EMAIL: """email | e mail | mail | email address | e mail address | emailaddress | correo | correo electronico
        | email adresse | e mail adresse | emailadresse | mailadresse | courriel | adresse email | adresse e mail
        | indirizzo email | indirizzo e mail | emailadres | e mailadres | epost""",
    TELEPHONE: """phone | telephone | tel | mobile | cell | phone number | telephone number | mobile number
        | mobile phone | cell phone | telefono | movil | telefon | telefonnummer | handy | handynummer | mobil
        | telefoon | cellulare | telefone""",
    NOTE: """note | notes | remark | remarks | comment | comments | nota | notas | observaciones | bemerkung
        | bemerkungen | anmerkung | notiz | remarque | opmerking""",
    CLASSES: "class | classes | clase | clases | categoria | categorias",
    INITIALS: "initials only | solo iniciales",
    STATUS: """status | order status | payment status | attendee status | ticket status | booking status | estado
        | estado del pedido | statut | stato | zahlungsstatus | bestellstatus""",
    OTHER: """number | no | nr | num | numero | id | club | verein | seat | asiento | sitz | table | mesa | tisch
        | timestamp | marca temporal | zeitstempel | date | fecha | datum | title | anrede | tratamiento | salutation
        | paid | order code | position id | address""",
    NIGHTS: "nights | evenings | nights played | nights attended | noches | jornadas | spieltage | abende",
    POINTS: "pts | points | puntos | punkte | score | total | total points | puntos totales",
}
KINDS = {" ".join(phrase.split()): kind for kind, phrases in _PHRASES.items() for phrase in phrases.split("|")}

PARTNERS = _words("partner partners companero companera pareja companeros spielpartner partnerin partenaire")
PERSONS = PARTNERS | _words(
    """
    player players entry entries entrant member members participant participants attendee attendees guest guests
    jugador jugadora jugadores socio socia socios participante participantes spieler spielerin teilnehmer
    teilnehmerin mitglied mitglieder joueur joueuse membre membres giocatore giocatrice speler deelnemer
    """
)
AROUND = _words("your the of s what is their pair team side del de la el tu su ihr der des dein votre du")
BUYERS = _words("buyer billing booker purchaser payer invoice order emergency comprador facturacion kaufer")
NOT_PEOPLE = BUYERS | _words(
    """
    club event ticket company product user username street file table venue organisation organization school
    item session nickname
    """
)
CALLED_OFF = _words(
    """
    cancelled canceled pending refunded expired unpaid void failed declined rejected withdrawn waitlist
    waitlisted deleted abandoned not no cancelado cancelada anulado anulada pendiente reembolsado reembolsada
    caducado storniert ausstehend offen abgelaufen erstattet annule annulee
    """
)
"""In a status: somebody hasn't paid, or isn't coming."""


def classify_head(head: str) -> tuple[str, int, int]:
    """The kind of a column by its head ("" for unknown words), the number of the person, and how sure that is.

    >>> classify_head("Your name (as on the card)"), classify_head("Partner's name"), classify_head("Forename(s)")
    (('full', 1, 1), ('full', 2, 0), ('first', 1, 1))
    >>> classify_head("Attendee name: Given name"), classify_head("Will you bring a partner?")
    (('first', 1, 0), ('', 2, 2))
    >>> classify_head("Billing First Name")
    ('other', 1, 2)
    """
    text = re.sub(r"\([^)]*\)|[*#]", " ", head)
    words = folded_words(text.rsplit(":", 1)[-1]) or folded_words(text)
    numbers = [int(word) for word in words if word.isdecimal() and len(word) == 1]
    number = max([1, *numbers, 2 * any(word in PARTNERS for word in words)])
    bare = " ".join(word for word in words if word not in PERSONS | AROUND and not word.isdecimal())
    kind = KINDS.get(" ".join(words)) or KINDS.get(bare, "")
    says_whose = any(word in PERSONS for word in folded_words(text))
    if head.strip() == "#" or (kind != STATUS and BUYERS.intersection(folded_words(text))):
        return OTHER, 1, UNSURE
    if numbers and kind not in (FULL, FIRST, LAST):  # "Table 1" isn't a head, "Name 1" is
        kind = ""
    if not kind and not bare and says_whose:
        return FULL, number, UNSURE
    if not kind and len(words) > 2:
        kind = _kind_of_question(f" {' '.join(words)} ", words)
    sure = kind in (FULL, FIRST, LAST, EMAIL, STATUS) and bare not in ("first", "last", "mail", "mi")
    return kind, number, (WHOSE if says_whose else SURE) if sure else UNSURE


def _kind_of_question(phrase: str, words: Sequence[str]) -> str:
    """For heads such as "Your name as you want it on the card"."""
    for kind in (MIDDLE, FIRST, LAST, EMAIL):
        if any(f" {head} " in phrase for head, of in KINDS.items() if of == kind and (" " in head or len(head) > 6)):
            return kind
    return FULL if {"name", "names", "nombre"}.intersection(words) and not NOT_PEOPLE.intersection(words) else ""


def is_head(cells: Sequence[str], below: Sequence[Sequence[str]] = ()) -> bool:
    """Whether one cell of a row is surely a head, or two may be. "guest" beside a name isn't, nor is a cell that comes
    again `below`."""
    heads = []
    for n, cell in enumerate(cells):
        kind, _number, sure = classify_head(cell)
        if kind and (sure < UNSURE or not any(n < len(row) and row[n] == cell for row in below)):
            heads.append(sure < UNSURE or (kind in NAMES and cell[:1].isupper() and bool(below)))
    return len(heads) > 1 or any(heads)


def roles_by_head(head: Sequence[str], rows: Sequence[Sequence[str]], *, beside: Sequence[str] = ()) -> tuple[str, ...]:
    """The role of each column: "full1", "first2", "email" ..., or a figure that is wanted `beside` these; "" for a
    column that isn't read."""
    columns = [classify_head(cell) for cell in head]
    roles = [""] * len(head)

    def ranked_columns(kind: str, number: int = 1) -> list[int]:
        places = [n for n, column in enumerate(columns) if column[:2] == (kind, number)]
        return sorted(places, key=lambda n: (columns[n][2], not any(map(str.isdigit, head[n]))))

    for number in sorted({number for kind, number, _sure in columns if kind in (FULL, FIRST, LAST)}):
        full, first, last = (ranked_columns(kind, number)[:1] for kind in (FULL, FIRST, LAST))
        if full and bool(first) != bool(last) and not _has_spaces([row[full[0]] for row in rows if full[0] < len(row)]):
            first, last, full = first or full, last or full, []  # "Name; Vorname", "Name; Surname"
        if (first and last) or not full:
            first, last = first + ranked_columns(MIDDLE, number), last + ranked_columns(SUFFIX, number)
            full = []
        else:
            first, last = [], []
        for part, places in ((FULL, full), (FIRST, first), (LAST, last)):
            for n in places:
                roles[n] = f"{part}{number}"
    if not any(roles):
        roles = [f"{FULL}1" if n in ranked_columns(GROUP)[:1] else "" for n in range(len(head))]
    for kind in (*OF_MEMBER, *beside):
        for n in ranked_columns(kind)[:1]:
            roles[n] = kind
    return tuple(STATUS if columns[n][0] == STATUS else role for n, role in enumerate(roles))


def _has_spaces(cells: Sequence[str]) -> bool:
    return 2 * sum(" " in cell for cell in cells) > sum(map(bool, cells))


# --- lists -------------------------------------------------------------------------------------------


MAX_ROWS = 1000
MAX_SIDES = 500
MAX_LINES = 3 * MAX_ROWS  # empty ones too
MAX_CELLS = 250  # of a row; more are ignored
LONGEST_NAME = 80
FILE_LIMIT = 1024 * 1024
ROWS_TO_HEAD = 8  # filled rows among which the head may be

OFFICES = {"treasurer", "secretary", "president", "vice president", "chair", "chairman", "chairwoman", "chairperson"}
OFFICES |= {"captain", "tesorero", "tesorera", "secretario", "secretaria", "presidente", "presidenta"}
OFFICES |= {"vicepresidente", "vicepresidenta", "capitán", "capitana"}
PARTICLES = {"van", "von", "de", "da", "do", "dos", "du", "del", "della", "der", "den", "di", "la", "le", "st", "ter"}
TOTALS = {"total", "totals", "subtotal", "summe", "gesamt", "insgesamt", "totale", "totaal"}
ANSWERS = {"yes", "no", "y", "n", "x", "true", "false", "sí", "ja", "nein", "oui", "non", "paid"}
TITLES = {"mr", "mrs", "ms", "miss", "mx", "dr", "prof", "herr", "frau", "sr", "sra", "srta", "don", "doña"}

# A letter of two bytes that was read as two letters of Windows-1252
GARBLED = re.compile(
    "[\u00c3\u00c2\u00c4\u00c5\u00d0\u00e2][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
)

SEPARATOR = re.compile(r'"?sep=(.)"?', re.IGNORECASE)  # the first line of a file, for Excel
MARK = re.compile(r"^( *\"?)(?:\d{1,4}[.)] *|[-–—*•·◦▪●‣] +)(?=[^\W\d_])", re.MULTILINE)  # "1. Ann", "- Ann"
NUMBERED = re.compile(r"\s*(?:\d{1,4} +){1,4}(?=[^\W\d_]\D*$)")  # "1 Ann"
BLANKS = re.compile(r"(?<=\S) {2,}(?=\S)")
JUNIOR = r"(?:jr|sr|ii|iii|iv)\b"
NO_AND = r"(?!.*(?:&|\b(?:and|y|und)\b))"
FAMILY_NAME_FIRST = re.compile(
    rf"{NO_AND}([^\t;,@\d]+),(?!\s*{JUNIOR})([^\t;,@\d]+)(,\s*{JUNIOR}\.?)?", re.IGNORECASE
)  # "Abel, Ann"
SEVERAL = re.compile(rf";|,(?!\s*{JUNIOR})", re.IGNORECASE)  # "Anna, Berta", "Ann (late, 7pm)"
BETWEEN_PEOPLE = re.compile(r" ?(?:[&＆+]|(?<!\d)/(?!\d)) ?| and ", re.IGNORECASE)  # "Anna Lee & Bob Wu", no date
RECIPIENTS = re.compile(r"(<[^<>\s,;]{1,80}@[^<>\s,;]{1,200}>)\s*[,;]")  # "Ann <ann@x.test>, Bea <bea@x.test>"
ADDRESS = re.compile(r"[<(\[]?[^\s<>()\[\],;]{1,80}[@\uff20][^\s<>()\[\],;]{1,200}[>)\]]?")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
NUMBER = re.compile(r"^\d|\d[.,:+-]|\d\S* ")  # not at the end of a name: "1 3 Abel", "Abel 3.0 2+"

Columns: TypeAlias = Callable[[tuple[str, ...]], Sequence[str]] | None


@dataclass(frozen=True, slots=True)
class ListRow:
    number: int  # in the file, from 1
    names: tuple[str, ...]
    problem: str = ""
    contact: Mapping[str, str] = field(default_factory=dict)  # and figures, by `OF_MEMBER` and `FIGURES`

    @property
    def name(self) -> str:
        return side_name(self.names)


@dataclass(frozen=True, slots=True)
class Listing:
    rows: tuple[ListRow, ...]  # with people
    head: tuple[str, ...]  # cells of the head; () when the first row has people
    empty: tuple[int, ...]  # numbers of empty rows
    roles: tuple[str, ...]  # of each column, see `roles_by_head`
    example: tuple[str, ...]  # the cells of the first row
    warnings: tuple[str, ...] = ()

    @property
    def good(self) -> tuple[ListRow, ...]:
        return tuple(row for row in self.rows if not row.problem)

    @property
    def bad(self) -> tuple[ListRow, ...]:
        return tuple(row for row in self.rows if row.problem)

    @property
    def unread(self) -> tuple[str, ...]:
        return tuple(cell for cell, role in zip(self.head, self.roles, strict=False) if cell and not role)


def read_sheets(data: bytes) -> list[Sheet]:
    """The sheets of a file, first the one that has the names; a text file is one sheet.

    Raises:
        WrongEncoding: it is neither UTF-8 nor UTF-16 with a mark; has its text read as Windows-1252.
        UnreadableSpreadsheet: it is no list, too large, or can't be read; the message says what to do.
    """
    if len(data) > FILE_LIMIT:
        raise UnreadableSpreadsheet(_("This file is too large for a list of names. Save only the names, as CSV."))
    if not is_workbook(data):
        return [Sheet("", decode(data))]
    sheets = workbook_sheets(data)
    return sorted(sheets, key=lambda sheet: _list_size(sheet.text), reverse=True) if len(sheets) > 1 else sheets


def _list_size(text: str) -> tuple[bool, int]:
    """Whether a text has a head, and how many rows: the larger, the likelier it is the list."""
    try:
        listing = read_names(text)
    except UnreadableSpreadsheet:
        return False, 0
    return bool(listing.head), len(listing.rows)


def read_names(
    text: str,
    *,
    size: int = 1,
    columns: Columns = None,
    taken: Mapping[str, int] | None = None,
    known: Collection[str] = (),
    beside: Sequence[str] = (),
) -> Listing:
    """The people of a list: one in each row; with a `size` above 1, a side of that many, or somebody without a partner
    yet.

    `columns` gives the roles of columns for a head, or nothing where they are to be found out. `taken`: the number of
    the entry by name. In lists of sides, `known` names are never split, and need no surname. Both have names as
    `name_key` gives them. `beside`: `FIGURES` to read too.

    Raises:
        UnreadableSpreadsheet: it is too long, or a quotation mark is never closed.
    """
    raw = text.lstrip("\ufeff")
    if len(raw) > FILE_LIMIT:
        raise UnreadableSpreadsheet(_("This is too long for a list of names. Write only the names."))
    table, sign = _split_table(raw, size=size)
    filled = [(number, cells) for number, cells in table if any(cells)]
    last = filled[-1][0] if filled else 0  # empty lines at the end of a file aren't worth a word
    empty = tuple(number for number, cells in table if number < last and not any(cells))
    above, head = _find_head([cells for _n, cells in filled])
    filled = filled[len(above) + bool(head) :]
    if size > 1 and len(filled) > MAX_SIDES:
        raise UnreadableSpreadsheet(
            _("This list is too long: at most %(n)d rows fit. Enter it in parts.") % {"n": MAX_SIDES}
        )
    cells_below = [cells for _n, cells in filled[:MAX_ROWS]]
    chosen = columns(head) if columns else ()
    roles = tuple(chosen) if any(map(_is_name_role, chosen)) else roles_by_head(head, cells_below, beside=beside)
    family_first = sign == "," and not any(map(_is_name_role, roles))  # "Abel, Ann" is the usual order with a comma
    if not any(map(_is_name_role, roles)):
        named = _roles_by_content(cells_below, head, size=size, family_first=family_first, known=known)
        roles = tuple(name or role for name, role in zip_longest(named, roles, fillvalue=""))
    rows = _list_rows(filled[:MAX_ROWS], roles, size=size, known={*(taken or ()), *known}, family_first=family_first)
    if size == 1:
        rows = _judge_names(rows, taken or {}, apart=_title_row(filled, empty), known=known)
    else:
        rows = [replace(row, problem=row.problem or _side_problem(row.names, size=size, known=known)) for row in rows]
    warnings = list(_warnings(rows))
    for n, cells in enumerate(zip_longest(*cells_below, fillvalue="") if not head and size == 1 else ()):
        texts = list(filter(None, cells))
        first_names = sign == "," and 2 * sum(_may_be_a_name(cell) and cell[0].isupper() for cell in texts) > len(texts)
        if not roles[n] and (first_names or _has_full_names(texts)):
            warnings.append(_("There may be names in column %(n)d, too: choose what is in each column.") % {"n": n + 1})
    if above:
        titles = " ".join(f"“{cell}”" for cells in above for cell in cells if cell)
        warnings.append(_("Left out, because it is above the column headings: %(titles)s") % {"titles": titles})
    if len(filled) > MAX_ROWS:
        warnings.append(_("Only the first %(n)d rows are read.") % {"n": MAX_ROWS})
    return Listing(tuple(rows), head, empty, roles, cells_below[0] if cells_below else (), tuple(warnings))


def tidy_name(name: str) -> str:
    """With single spaces, composed letters and no invisible characters, except those that join an emoji."""
    plain = unicodedata.normalize("NFC", name)
    return re.sub(r"\s+", " ", remove_invisible(plain)).strip(" ,;")


def read_name(text: str, *, listed: Container[str]) -> str:
    """One name as somebody typed it: as it is `listed` (by `name_key`), else in the usual order, "Zoe Quinn" for
    "Quinn, Zoe"."""
    name = tidy_name(text)
    return name if name_key(name) in listed else _turn_name(name, mostly=False)


def name_key(name: str) -> str:
    """A name for comparison: tidied, and without capitals."""
    return tidy_name(name).casefold()


def split_people(text: str) -> tuple[str, ...]:
    """The names in a text, as they are: both of "Anna Lee & Bob Wu", also with /, + or "and"; with a dash or "with"
    between two full names; or with these words in the page's language. A comma separates nobody.

    >>> split_people("Lee, Anna / Wu, Bob"), split_people("Andy Sand"), split_people("Cara Diaz - Dan Eng")
    (('Lee, Anna', 'Wu, Bob'), ('Andy Sand',), ('Cara Diaz', 'Dan Eng'))
    """
    text = " ".join(text.split())
    if BETWEEN_PEOPLE.search(text):
        return tuple(BETWEEN_PEOPLE.split(text))
    case = re.IGNORECASE if text.isupper() else 0
    words = "|".join(map(re.escape, pgettext("between two names; two words have a space", "and").split()))
    if len(parts := re.split(f" (?:{words}) ", text, flags=case)) > 1:
        return tuple(parts)
    words = "|".join(["[-–—]", "with", re.escape(pgettext("between two names", "with"))])
    parts = re.split(f" (?:{words}) ", text, flags=case)
    return tuple(parts) if all(" " in part for part in parts) else (text,)


def name_problem(name: str) -> str:
    """A sentence that says why this can't be one person's name; "" where it can."""
    if not name:
        return _("There is no name in this row.")
    if name.startswith("="):
        return _("This is a formula, not a name. Paste only the values of the cells.")
    if "\ufffd" in name:
        return _("A letter of this name was lost. Write it again.")
    if not any(ch.isalpha() for ch in name):
        return _("This isn't a name: it has no letters.")
    if has_email_address(name):
        return str(NO_ADDRESS)
    if name.endswith(":") or YEAR.search(name) or _is_head_word(name):
        return _("This looks like a title, not a name. Write a person's name without a colon or a year.")
    if SEVERAL.search(name):
        return _("There is more than one name in this row, or a remark. Write one name per row, without a comma.")
    if len(name) > LONGEST_NAME:
        return _("This name has %(n)d letters; %(most)d fit. Shorten it.") % {"n": len(name), "most": LONGEST_NAME}
    return ""


def _is_head_word(name: str) -> bool:
    words = folded_words(name)
    return " ".join(words) in KINDS or (bool(words) and PERSONS.issuperset(words))


# The table


def _split_table(raw: str, *, size: int) -> tuple[list[tuple[int, tuple[str, ...]]], str]:
    """Rows, with the number of the line they begin on, and the sign between cells, "" where each row is one cell."""
    lines, begins, sign = list(islice(split_lines(raw), MAX_LINES)), 1, ""
    if named := SEPARATOR.fullmatch(lines[0].strip(" ,;")):
        lines, begins, sign = lines[1:], 2, named[1]
    text = MARK.sub(r"\1", "\n".join(lines))
    if sum(bool(line.strip()) for line in lines) == 1:
        text = RECIPIENTS.sub(r"\1\n", text)
    lines = text.split("\n")
    filled = [line for line in lines if line.strip()]
    if 2 * sum(bool(NUMBERED.match(line)) for line in filled) > len(filled) > 1:
        lines = [NUMBERED.sub("", line) for line in lines]
    elif "\t" not in text and 2 * sum(len(BLANKS.findall(line.strip())) > 1 for line in filled) > len(filled) > 1:
        lines = [BLANKS.sub("\t", line.strip()) for line in lines]
    filled = [line for line in lines if line.strip()]
    sign = sign or (_cell_separator(filled) if size == 1 else _partner_separator(filled))
    if not sign:
        return [
            (n, (tidy_name(line.strip().strip('"').replace("\t", "; ")),)) for n, line in enumerate(lines, start=begins)
        ], ""
    table = []
    for number, cells in read_rows(lines, sign, skip_spaces=True):
        row = [tidy_name(unescape_formula(cell)) for cell in cells[:MAX_CELLS]]
        while len(row) > 1 and not row[-1]:
            row.pop()
        table.append((number + begins - 1, tuple(row)))
    return table, sign


def _cell_separator(filled: Sequence[str]) -> str:
    """What is between the cells of these lines; "" where each is a name, though some may have a comma in it.

    A table has the sign in its first line, which may be a head, or in half of its lines.
    """
    sign = find_delimiter(filled)
    having = [line for line in filled if sign and sign in line]
    if 2 * len(having) >= len(filled):
        return sign
    if sign == "," and not any(other in line for line in filled for other in '\t;"'):
        turned = all(_turn_name(line.strip(), mostly=True) != line.strip() for line in having)
        return "" if turned and not is_head(filled[0].split(",")) else sign if sign in filled[0] else ""
    return sign if having and sign in filled[0] else ""


def _partner_separator(filled: Sequence[str]) -> str:
    """As `_cell_separator`, for sides. A comma counts where it can't be between a surname and a first name."""
    for sign in "\t;|":
        if any(sign in line.strip() for line in filled):
            return sign
    commas = [line for line in filled if "," in line]
    if commas and "," in filled[0] and is_head(filled[0].split(",")):
        return ","
    if not commas or 2 * sum(len(split_people(line)) > 1 for line in filled) > len(filled):
        return ""
    cells = sum(line.count(",") > 1 or bool(re.search(r'"|\S \S[^,]*,\S[^,]* \S', line)) for line in commas)
    return "," if 2 * cells > len(filled) else ""


def _find_head(rows: Sequence[Sequence[str]]) -> tuple[list[Sequence[str]], tuple[str, ...]]:
    """The rows of titles above the head, and the head; nothing where none of the first rows is one.

    Below a title (a row with one cell or with a figure), a head must have columns of two kinds.
    """
    for above, cells in enumerate(rows[:ROWS_TO_HEAD]):
        kinds = {classify_head(cell)[0] for cell in cells} - {""}
        if is_head(cells, rows[above + 1 :]) and (not above or len(kinds) > 1):
            return list(rows[:above]), tuple(cells)
        if sum(map(bool, cells)) > 1 and not any(ch.isdigit() for cell in cells for ch in cell):
            break
    return [], ()


def _roles_by_content(
    rows: Sequence[Sequence[str]], head: Sequence[str], *, size: int, family_first: bool, known: Collection[str]
) -> tuple[str, ...]:
    """The role of each column, from what is in it. With `family_first`, of two columns the family name is first."""
    width = max(map(len, rows), default=1)
    columns = [[row[n] for row in rows if n < len(row) and row[n]] for n in range(width)]
    texts = [
        n
        for n, cells in enumerate(columns)
        if not (n < len(head) and classify_head(head[n])[0])
        and 2 * sum(map(_may_be_a_name, cells)) > (len(rows) if size == 1 else len(cells))
    ]
    wordy = [n for n in texts if _has_full_names(columns[n])]
    if wordy:
        texts = [n for n in texts if _is_varied(columns[n])]
    roles = [""] * width
    if size > 1:
        together = [
            n
            for n in texts
            if all(name_key(cell) not in known and len(split_people(cell)) == size for cell in columns[n])
        ]
        if len(rows) > 1 and len(texts) > size and len(wordy) == size:
            texts = wordy
        elif len(rows) > 1 and len(together) == 1:
            texts = together
        for number, n in enumerate(texts[:9] or [0], start=1):
            roles[n] = f"{FULL}{number}"
    elif len(texts) > 1 and texts[1] == texts[0] + 1 and not {*texts[:2]}.intersection(wordy):
        first, last = sorted(texts[:2], reverse=family_first)
        roles[first], roles[last] = f"{FIRST}1", f"{LAST}1"
    else:
        roles[texts[0] if texts else 0] = f"{FULL}1"
    return tuple(roles)


def _is_name_role(role: str) -> bool:
    return role.startswith((FULL, FIRST, LAST))


def _may_be_a_name(cell: str) -> bool:
    """No address, date, code or answer."""
    letters, digits = sum(map(str.isalpha, cell)), sum(map(str.isdigit, cell))
    code = digits > 0 and " " not in cell
    return (
        letters > digits
        and not code
        and not has_email_address(cell)
        and cell.casefold().strip(".") not in ANSWERS | TITLES
    )


def _has_full_names(cells: Sequence[str]) -> bool:
    full = sum(_may_be_a_name(cell) and " " in cell and not cell[-1].isdigit() for cell in cells)
    return 2 * full > len(cells) and _is_varied(cells)


def _is_varied(cells: Sequence[str]) -> bool:
    """Unlike a column that repeats a few words, such as clubs or products."""
    return len(cells) < 3 or 2 * len(set(cells)) > len(cells)


# The names


def _list_rows(
    filled: Sequence[tuple[int, Sequence[str]]],
    roles: Sequence[str],
    *,
    size: int,
    known: Collection[str],
    family_first: bool,
) -> list[ListRow]:
    """Each row with its people; where `size` is 1, a row for each person."""
    places = [
        [[n for n, role in enumerate(roles) if role == f"{part}{number}"] for part in (FULL, FIRST, LAST)]
        for number in range(1, 10)
    ]

    def people(cells: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Each name as written, and in the usual order where that is sure."""
        for person in places:
            full, first, last = (" ".join(filter(None, (cells[n] for n in p if n < len(cells)))) for p in person)
            if family_first and first and last:
                yield f"{last}, {first}", f"{first} {last}"
                continue
            text = full or f"{first} {last}".strip()
            text = tidy_name(ADDRESS.sub(" ", text)) or text
            alone = size == 1 or text[:1] == "=" or name_key(text) in known
            parts = [text] if alone else map(tidy_name, split_people(text))
            yield from ((part, part if name_key(part) in known else "") for part in parts if text)

    texts = [list(people(cells)) for _n, cells in filled]
    every = [text for row in texts for text, turned in row if not turned]
    mostly = 2 * sum("," in text for text in every) >= len(every)
    plain = {folded_words(turned or _turn_name(text, mostly=mostly)) for row in texts for text, turned in row}
    plain |= {folded_words(name) for name in known}
    rows = []
    for (number, cells), row in zip(filled, texts, strict=True):
        names = [_add_remark(text, plain) or turned or _turn_name(text, mostly=mostly) for text, turned in row] or [""]
        if size > 1 == len(row) and _has_two_full_names(row[0][0]) and name_key(names[0]) not in known:
            names = [_add_remark(row[0][0], plain) or row[0][0]]
        contact = {role: cells[n] for n, role in enumerate(roles) if role in (*OF_MEMBER, *FIGURES) and n < len(cells)}
        if EMAIL not in roles and (address := ADDRESS.search(" ".join(cells))):
            contact[EMAIL] = address[0].removeprefix("mailto:").strip("<>()[]")
        problem = _skip_reason(cells, roles)
        rows += [ListRow(number, (name,), problem, {} if n else contact) for n, name in enumerate(names)]
        if size > 1:
            rows[-len(names) :] = [ListRow(number, tuple(names), problem, contact)]
    return rows


def _turn_name(text: str, *, mostly: bool) -> str:
    """ "Kowalczyk, Agnes" in the usual order, "Tom Walsh, Treasurer" without the office; anything else as it is, also
    "Agnes Kowalczyk, host". Two words before the comma are a family name where `mostly` all names have a comma."""
    match = FAMILY_NAME_FIRST.fullmatch(text)
    if match is None:
        return text
    last, first, junior = (part.strip(" ,") for part in match.groups(""))
    if first.casefold() in OFFICES:
        return last
    words = last.split()
    street = not mostly and len(words) > 1 and words[0].casefold() not in PARTICLES
    if street or (last[:1].isupper() and first[:1].islower()):
        return text
    return f"{first} {last} {junior}".strip()


def _add_remark(text: str, plain: Collection[tuple[str, ...]]) -> str:
    """ "Siobhan O'Brien (Mill St)" where there is another Siobhan O'Brien; else ""."""
    name, _comma, remark = (part.strip() for part in text.partition(","))
    another = " " in name and folded_words(name) in plain and remark.casefold() not in OFFICES
    return f"{name} ({remark})" if remark and another else ""


def _skip_reason(cells: Sequence[str], roles: Sequence[str]) -> str:
    """Why a row is left out, by its other cells; "" where it isn't."""
    for cell, role in zip(cells, roles, strict=False):
        if role == STATUS and CALLED_OFF.intersection(folded_words(cell)):
            return _("The list says “%(status)s”. If this person comes, enter the name by itself.") % {"status": cell}
        if _is_name_role(role) and cell.casefold() in TOTALS:
            return _("This looks like a total, not a name.")
    return ""


def _judge_names(
    rows: Iterable[ListRow], taken: Mapping[str, int], *, apart: int, known: Collection[str]
) -> list[ListRow]:
    """Rows with problems. Where a name is there twice, whatever its accents, the first row is good, and the problem of
    the second points to it. `apart`: the number of a row that may be a title."""
    seen: dict[tuple[str, ...], int] = {}
    judged = []
    for row in rows:
        problem = row.problem or _reading_problem(row.name, known) or _clash_problem(row.name, seen=seen, taken=taken)
        if not problem and row.number == apart:
            problem = _("This may be a title: the row below it is empty. If it is a person, delete that empty row.")
        if not problem:
            seen[folded_words(row.name)] = row.number
        judged.append(replace(row, problem=problem))
    return judged


def _title_row(filled: Sequence[tuple[int, Sequence[str]]], empty: Sequence[int]) -> int:
    """The number of the first row, where the only empty row is below it; else 0."""
    if len(filled) < 3 or [number for number in empty if number > filled[0][0]] != [filled[0][0] + 1]:
        return 0
    return filled[0][0] if sum(map(bool, filled[0][1])) == 1 else 0


def _reading_problem(name: str, known: Collection[str]) -> str:
    """Why a text isn't a name, also where it has other columns in it."""
    if name_key(name) in known:
        return ""
    if (problem := name_problem(name)) or not NUMBER.search(name):
        return problem
    return _("There is a number in this name. Write only the name.")


def _clash_problem(name: str, *, seen: Mapping[tuple[str, ...], int], taken: Mapping[str, int]) -> str:
    """Why a name can't be entered beside the rows before it and those entered already; "" where it can."""
    if (same := folded_words(name)) in seen:
        words = _("The same name as in row %(row)d. If they are two people, add a letter or a town.")
        return words % {"row": seen[same]}
    if (entered := name_key(name)) in taken:
        return _("Already entered, as number %(number)d.") % {"number": taken[entered]}
    parts = split_people(name)
    # "Ortega y Gasset" is one
    if len(parts) > 1 and (BETWEEN_PEOPLE.search(name) or all(" " in part for part in parts)):
        return _(
            "There are two people in this row. Give each their own row. If it is really one name, enter it by itself."
        )
    return ""


def _side_problem(names: Sequence[str], *, size: int, known: Collection[str]) -> str:
    if len(names) > 1 and not all(any(map(str.isalpha, name)) for name in names):
        return _("A name is missing beside the sign between two names. Write it, or remove the sign.")
    if len(names) == 1 and size > 1 and _has_two_full_names(names[0]):
        return _(
            "A comma doesn't separate partners. Write “&” between two people. For one person, write the first name "
            "first."
        )
    if problem := next(filter(None, (_reading_problem(name, known) for name in names)), ""):
        return problem
    if len(names) not in (1, size):
        return _("%(n)d names in this row, but a side has %(size)d. Write “&” between them and leave out the rest.") % {
            "n": len(names),
            "size": size,
        }
    if len({name_key(name) for name in names}) < len(names):
        return _("The same name is in this row twice.")
    full = next((name for name in reversed(names) if " " in name), "")
    bare = next((name for name in names if " " not in name and name_key(name) not in known), "")
    if not full or not bare:  # else "Pat & Kim Walsh": is Pat a Walsh, too?
        return ""
    return _(
        "“%(name)s” has no surname, but the other name has one. If they share it, write it twice. If not, add "
        "%(name)s under “Who is here” first, then check again."
    ) % {"name": bare}


def _has_two_full_names(text: str) -> bool:
    """As in "Anna Lee, Bob Wu"."""
    halves = text.split(",")
    return len(halves) == 2 and all(" " in half.strip() for half in halves)


def _warnings(rows: Sequence[ListRow]) -> Iterable[str]:
    garbled = [row for row in rows if GARBLED.search(row.name)]
    if garbled:
        yield ngettext(
            "Row %(row)s seems to have letters damaged by an earlier program: “%(name)s”. Check it before you enter "
            "it.",
            "Rows %(row)s seem to have letters damaged by an earlier program, for example “%(name)s”. Check them "
            "before you enter them.",
            len(garbled),
        ) % {"row": ", ".join(str(row.number) for row in garbled[:10]), "name": garbled[0].name}
