"""What the columns of a list of people hold, by their heads: as people and other programs write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clubsite.names import folded

FULL, FIRST, LAST = "full", "first", "last"  # of a name; with the number of the person in the row: "full1", "last2"
MIDDLE, SUFFIX, GROUP = "middle", "suffix", "group"
EMAIL, TELEPHONE, NOTE, STATUS, OTHER = "email", "telephone", "note", "status", "other"
CONTACT = (EMAIL, TELEPHONE, NOTE)  # what a member has beside the name
NAMES = (FULL, FIRST, LAST, GROUP)

SURE, WHOSE, UNSURE = 1, 0, 2  # how far a cell's words say that it is a head; WHOSE: it says that they are a player's


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
    STATUS: """status | order status | payment status | attendee status | ticket status | booking status | estado
        | estado del pedido | statut | stato | zahlungsstatus | bestellstatus""",
    OTHER: """number | no | nr | num | numero | id | club | verein | seat | asiento | sitz | table | mesa | tisch
        | timestamp | marca temporal | zeitstempel | date | fecha | datum | title | anrede | tratamiento | salutation
        | paid | pts | points | puntos | punkte | score | total | order code | position id | address""",
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
"""Words of a status by which somebody hasn't paid, or isn't coming."""


def column_of(head: str) -> tuple[str, int, int]:
    """What stands under a head ("" where its words aren't known), of which person of the row, and how sure that is.

    >>> column_of("Your name (as on the card)"), column_of("Partner's name"), column_of("Forename(s)")
    (('full', 1, 1), ('full', 2, 0), ('first', 1, 1))
    >>> column_of("Attendee name: Given name"), column_of("Will you bring a partner?"), column_of("Billing First Name")
    (('first', 1, 0), ('', 2, 2), ('other', 1, 2))
    """
    text = re.sub(r"\([^)]*\)|[*#]", " ", head)
    words = folded(text.rsplit(":", 1)[-1]) or folded(text)
    numbers = [int(word) for word in words if word.isdecimal() and len(word) == 1]
    number = max([1, *numbers, 2 * any(word in PARTNERS for word in words)])
    bare = " ".join(word for word in words if word not in PERSONS | AROUND and not word.isdecimal())
    kind = KINDS.get(" ".join(words)) or KINDS.get(bare, "")
    says_whose = any(word in PERSONS for word in folded(text))
    if head.strip() == "#" or (kind != STATUS and BUYERS.intersection(folded(text))):
        return OTHER, 1, UNSURE
    if numbers and kind not in (FULL, FIRST, LAST):  # "Table 1" isn't a head, "Name 1" is
        kind = ""
    if not kind and not bare and says_whose:
        return FULL, number, UNSURE
    if not kind and len(words) > 2:
        kind = _kind_in(f" {' '.join(words)} ", words)
    sure = kind in (FULL, FIRST, LAST, EMAIL, STATUS) and bare not in ("first", "last", "mail", "mi")
    return kind, number, (WHOSE if says_whose else SURE) if sure else UNSURE


def _kind_in(phrase: str, words: Sequence[str]) -> str:
    """What a question of a form asks for: "Your name as you want it on the card"."""
    for kind in (MIDDLE, FIRST, LAST, EMAIL):
        if any(
            f" {known} " in phrase for known, of in KINDS.items() if of == kind and (" " in known or len(known) > 6)
        ):
            return kind
    return FULL if {"name", "names", "nombre"}.intersection(words) and not NOT_PEOPLE.intersection(words) else ""


def is_head(cells: Sequence[str], below: Sequence[Sequence[str]] = ()) -> bool:
    """Whether a row is the head of those `below`: one of its cells is surely a head, or two may be. "guest" beside a
    name is none, nor is what stands below it again."""
    known = []
    for n, cell in enumerate(cells):
        kind, _number, sure = column_of(cell)
        if kind and (sure < UNSURE or not any(n < len(row) and row[n] == cell for row in below)):
            known.append(sure < UNSURE or (kind in NAMES and cell[:1].isupper() and bool(below)))
    return len(known) > 1 or any(known)


def roles_by_head(head: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """What each column is read as: "full1", "first2", "email" ...; "" for those that aren't read."""
    columns = [column_of(cell) for cell in head]
    roles = [""] * len(head)

    def nearest(kind: str, number: int = 1) -> list[int]:
        places = [n for n, column in enumerate(columns) if column[:2] == (kind, number)]
        return sorted(places, key=lambda n: (columns[n][2], not any(map(str.isdigit, head[n]))))

    for number in sorted({number for kind, number, _sure in columns if kind in (FULL, FIRST, LAST)}):
        full, first, last = (nearest(kind, number)[:1] for kind in (FULL, FIRST, LAST))
        if full and bool(first) != bool(last) and not _spaced([row[full[0]] for row in rows if full[0] < len(row)]):
            first, last, full = first or full, last or full, []  # "Name; Vorname", "Name; Surname"
        if (first and last) or not full:
            first, last = first + nearest(MIDDLE, number), last + nearest(SUFFIX, number)
            full = []
        else:
            first, last = [], []
        for part, places in ((FULL, full), (FIRST, first), (LAST, last)):
            for n in places:
                roles[n] = f"{part}{number}"
    if not any(roles):
        roles = [f"{FULL}1" if n in nearest(GROUP)[:1] else "" for n in range(len(head))]
    for kind in CONTACT:
        for n in nearest(kind)[:1]:
            roles[n] = kind
    return tuple(STATUS if columns[n][0] == STATUS else role for n, role in enumerate(roles))


def _spaced(cells: Sequence[str]) -> bool:
    """Whether most of a column's cells have more than one word."""
    return 2 * sum(" " in cell for cell in cells) > sum(map(bool, cells))
