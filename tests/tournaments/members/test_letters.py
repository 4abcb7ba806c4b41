"""Names whose letters change in number without capitals (ß, İ, ŉ, ligatures): hidden and erased as all others are."""

import json
import unicodedata

import pytest

from clubsite import live
from clubsite.accounts.models import Member
from clubsite.accounts.name_privacy import hidden_names
from clubsite.names import Names, caseless
from tests.kept import all_rows
from tests.log_entries import log
from tests.pages import page_of
from tournaments.members import actions
from tournaments.members.erasing import erase, plain_parts
from tournaments.members.pasting import ListedPerson
from tournaments.models import Entry, Seat

NAMES = ("Jürgen Weiß", "İpek Şen", "ŉ Boer", "ﬁona Stoﬄer", "Bǎo Ẓaẞ", "Jiří Ǆo", "Weiß", "Σίσυφος")


def spelled(name):
    ways = {name, name.upper(), name.casefold(), unicodedata.normalize("NFD", name)}
    return ways | {json.dumps(way)[1:-1] for way in ways}


def cells():
    return [str(value) for rows in all_rows().values() for row in rows for value in row]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_replaced_however_it_is_written_and_nothing_beside_it(name):
    names = Names({name: "A. B."}, [f"{name} Lee"])
    for way in (name, name.casefold(), name.swapcase().swapcase(), unicodedata.normalize("NFD", name)):
        assert names.text(f"Maß, Straße; {way}: ŉ ß {way}!") == "Maß, Straße; A. B.: ŉ ß A. B.!"
        assert names.text(f"{way} Lee, {way}-Lee, x{way}") == f"{way} Lee, {way}-Lee, x{way}"
        assert names.html(f"<b title='x'>Maß &amp; {way}&#39;s</b>") == "<b title='x'>Maß &amp; A. B.&#x27;s</b>"


def test_a_text_without_a_name_is_the_same_to_the_letter():
    page = "<p title='ß'>&nbsp;Weißer &lt;ŉ&gt; &eacute; ẞ\u0301</p>"
    assert Names({"Weiß": "W."}).html(page) == page


@pytest.mark.daily(3)
@pytest.mark.parametrize("name", NAMES)
def test_erased_it_stands_in_no_row(name, ann, season, actor):
    actions.change_member(member=ann, by=actor, person=ListedPerson(name), initials_only=True)
    on = Entry.objects.get(event__slug="on", member=ann)
    Entry.objects.filter(member=ann).update(name=name)
    other = Seat.objects.exclude(entry=on).filter(entry__event=on.event)[0]
    Seat.objects.filter(pk=other.pk).update(player=name.swapcase())
    log(club=season.club, by=actor, verb="club.change", subject=name, old={name: [name.casefold()]}, new=f"({name})")
    assert name not in hidden_names(season.club).text(f"{name}, {name.casefold()}")
    erased = erase(member=Member.objects.get(pk=ann.pk), by=actor, typed=name.casefold())
    assert erased.left == {}
    whole = caseless("\n".join(cells()) + "\n" + "\n".join(cells()).encode().decode("unicode_escape", errors="replace"))
    assert caseless(name) not in whole
    assert [way for way in spelled(name) for cell in cells() if way in cell] == []


def test_no_public_page_has_it(season, ann, actor, client_of):
    actions.change_member(member=ann, by=actor, person=ListedPerson("Jürgen Weiß"), initials_only=True)
    live.forget()
    for page in ("", "events/on/", "events/on/seats/", "events/on/board/", f"seasons/{season.pk}/"):
        shown = page_of(client_of(None).get(f"/st-hilary/{page}"))
        assert "Weiß" not in shown
    assert "J. W." in page_of(client_of(None).get("/st-hilary/events/on/seats/"))


def test_what_the_database_is_asked_for_holds_no_letter_that_another_spelling_may_lack():
    for sign in map(chr, (n for n in range(128, 0x110000) if not 0xD800 <= n < 0xE000)):
        assert plain_parts(caseless(sign)) == [], sign
