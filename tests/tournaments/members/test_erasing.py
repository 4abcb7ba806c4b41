"""Erasing a person: the name is nowhere, the results stay, and it has to be meant."""

import json
import unicodedata
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection

from clubsite.accounts.models import Club, LogEntry, Member, MemberMerge
from clubsite.accounts.name_privacy import hidden_names
from clubsite.names import NameReplacer, fold_case
from clubsite.operations.backup import make_backup, unpack
from scoring.cards.deals import start_game
from scoring.handicaps import bring_handicap
from scoring.models import HandicapStart, Side
from tests.kept import all_rows
from tests.log_entries import log
from tests.pages import page_of
from tournaments.errors import StepRefused
from tournaments.members import actions, erasing, merging
from tournaments.members.pasting import ListedPerson, add_members
from tournaments.models import Adjustment, Entry, PublishedStandings, Seat
from tournaments.rulings.actions import adjust_points
from tournaments.seasons.table import season_tables

NAMES = ("Łucja Żółć-D'Arcy", "Lucja Zolc", "Player 01")
KEPT = ("lucja@example.org", "555 0101", "brings cake")


def text_of(value):
    return value.isoformat() if isinstance(value, datetime) else str(value)


def stored():
    """All that the database holds, as it stands there and with escaped letters as letters."""
    rows = [text_of(value) for rows in all_rows().values() for row in rows for value in row]
    whole = "\n".join(rows)
    return whole + whole.encode().decode("unicode_escape", errors="replace")


def everything():
    return stored().casefold()


@pytest.fixture
def lucja(ann, season, actor, rules_for):
    club = season.club
    add_members(club=club, people=[ListedPerson(NAMES[1], KEPT[0], KEPT[1], KEPT[2])], by=actor, submission=uuid4())
    twin = Member.objects.get(club=club, name=NAMES[1])
    Entry.objects.filter(event__slug="n13", member=ann).update(member=twin, name=NAMES[1])
    merging.merge(kept=ann, merged=twin, by=actor)
    actions.change_member(member=ann, by=actor, person=ListedPerson(NAMES[0], *KEPT), initials_only=False)
    on = Entry.objects.get(event__slug="on", member=ann)
    other = Seat.objects.exclude(entry=on).filter(entry__event=on.event)[0]
    Seat.objects.filter(pk=other.pk).update(player=NAMES[0].upper())
    penalty = Adjustment(entry=on, points=-5, reason=f"{NAMES[0]}'s phone rang")
    adjust_points(stage=on.event.stages.get(), facts=penalty, by=actor, submission=uuid4())
    log(club=club, by=actor, verb="club.change", subject=NAMES[0], old={NAMES[0]: [NAMES[1]]}, new=f"with {NAMES[2]}.")
    Club.objects.filter(pk=club.pk).update(announcement=f"Ask {NAMES[0]} before Friday", plays=f"At {NAMES[2]}'s")
    fletcher = rules_for("fletcher-two-hand")
    game = start_game(club=club, rules=fletcher, title="Corner", sides=[[NAMES[0]], ["Bob"]])
    bring_handicap(game=game, points=(0, 30), reason="old book", by=actor)
    return Member.objects.get(pk=ann.pk)


def test_the_name_is_nowhere_and_the_results_stay(lucja, season, actor):
    before = [(table.place, table.total) for table in season_tables([season])[0].lines]
    rows = PublishedStandings.objects.count()
    assert all(name.casefold() in everything() for name in NAMES)
    erased = erasing.erase(member=lucja, by=actor, typed=" łucja  żółć-d'arcy ")
    assert (erased.replacement, erased.left, erased.elsewhere) == ("A former member", {}, False)
    left = everything()
    assert [what for what in (*NAMES, *KEPT) if what.casefold() in left] == []
    assert [(table.place, table.total) for table in season_tables([season])[0].lines] == before
    assert "A former member" in {line.name for line in season_tables([season])[0].lines}
    assert PublishedStandings.objects.count() == rows
    assert "player 02" in left, "others have their names"
    assert LogEntry.objects.filter(verb="member.erase").count() == 1
    assert Adjustment.objects.get().reason == "A former member's phone rang"


def test_a_handicap_is_still_found_by_the_other(lucja, actor):
    erasing.erase(member=lucja, by=actor, typed=lucja.name)
    start = HandicapStart.objects.get()
    assert {start.first: start.points_first, start.second: start.points_second} == {"a former member": 0, "bob": 30}


def test_a_second_one_has_a_name_of_their_own_and_a_second_tap_does_nothing(lucja, actor):
    other = Member.objects.get(club=lucja.club, name="Player 02")
    erasing.erase(member=lucja, by=actor, typed=lucja.name)
    once = all_rows()
    erasing.erase(member=lucja, by=actor, typed="whatever")
    assert all_rows() == once
    assert erasing.erase(member=other, by=actor, typed="player 02").replacement == "A former member 2"
    assert "player 02" not in everything()


def test_the_name_has_to_be_typed(lucja, actor, browser, client_of):
    url, before = f"/st-hilary/members/{lucja.pk}/erase/", all_rows()
    page = page_of(browser.get(url))
    assert "You can't undo this." in page
    assert "Lucja Zolc" in page
    assert all_rows() == before, "looking changes nothing"
    with pytest.raises(StepRefused):
        erasing.erase(member=lucja, by=actor, typed="Łucja")
    assert "Nothing was erased" in page_of(browser.post(url, {"typed": "yes"}))
    assert Member.objects.get(pk=lucja.pk).name == NAMES[0]
    browser.post(url, {"typed": NAMES[0]})
    assert Member.objects.get(pk=lucja.pk).erased_at is not None
    assert browser.get(url).status_code == 404
    assert client_of(None).get(f"/st-hilary/members/{lucja.pk}/").status_code == 404
    assert "A former member" in page_of(browser.get(f"/st-hilary/members/{lucja.pk}/"))
    assert "A former member" not in page_of(browser.get("/st-hilary/members/?show=all"))


def test_names_that_hold_the_name_stay_and_so_do_other_clubs(club, other_club, actor, rules_for):
    hilary = Member.objects.create(club=club, name="Hilary")
    for where, name in ((club, "Hilary Jones"), (other_club, "Hilary")):
        Member.objects.create(club=where, name=name)
    rules_for("st-hilary-v3")
    erasing.erase(member=hilary, by=actor, typed="Hilary")
    club.refresh_from_db()
    assert club.name == "St. Hilary"
    assert set(Member.objects.values_list("club__slug", "name")) == {
        ("st-hilary", "A former member"),
        ("st-hilary", "Hilary Jones"),
        ("harbour", "Hilary"),
    }


def test_somebody_else_who_has_the_name_keeps_it(ann, season, actor):
    actions.change_member(member=ann, by=actor, person=ListedPerson("Ann Abel of Leeds"), initials_only=False)
    other = actions.add_member(club=season.club, by=actor, person=ListedPerson("Player 01"), submission=uuid4())
    erasing.erase(member=Member.objects.get(pk=ann.pk), by=actor, typed="Ann Abel of Leeds")
    other.refresh_from_db()
    assert other.name == "Player 01"
    assert set(Entry.objects.filter(member=ann).values_list("name", flat=True)) == {"A former member"}
    results = PublishedStandings.objects.filter(event__slug="n13").values_list("rows", flat=True)
    assert {row["name"] for rows in results for row in rows if row["member"] == ann.pk} == {"A former member"}
    assert [side for side in Side.objects.all() if "Player 01" in side.names] == []


def test_a_merge_of_somebody_who_was_erased_meanwhile_cannot_be_taken_back(lucja, actor):
    merge = MemberMerge.objects.get()
    erasing.erase(member=lucja, by=actor, typed=lucja.name)
    with pytest.raises(StepRefused):
        merging.unmerge(merge=merge, by=actor)


def test_a_name_of_before_a_change_goes_as_well(club, actor):
    for name in ("Agnes Kowalcyk", "Bea Old"):
        actions.add_member(club=club, by=actor, person=ListedPerson(name), submission=uuid4())
    agnes = ("Agnes Kowalcyk", "Agnes Kowalczyk", "Agnes Nowak")
    for before, since in (*pairwise(agnes), ("Bea Old", "Bea")):
        member = Member.objects.get(club=club, name=before)
        actions.change_member(member=member, by=actor, person=ListedPerson(since), initials_only=False)
    erasing.erase(member=Member.objects.get(club=club, name="Agnes Nowak"), by=actor, typed="Agnes Nowak")
    assert [name for name in ("kowalcyk", "kowalczyk", "nowak") if name in everything()] == []
    assert "bea old" in everything()


@pytest.mark.django_db(transaction=True)
def test_sheets_that_were_kept_ready_are_made_anew(club, actor, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    for name in (f"{'ab' * 32}.pdf", f"{'ab' * 32}.png"):  # named by the hash of what is in them
        default_storage.save(name, ContentFile(b"with names"))
    member = Member.objects.create(club=club, name="Ann Abel")
    erasing.erase(member=member, by=actor, typed="Ann Abel")
    assert default_storage.listdir("")[1] == []


def test_every_column_of_text_of_a_club_is_searched():
    searched = {place.model.__name__ for place in erasing.text_columns()}
    assert {
        "LogEntry", "Member", "Entry", "Seat", "Side", "DealVersion", "PublishedStandings", "CutLine", "Adjustment",
        "HandicapEntry", "HandicapStart", "Event", "SeasonMember", "Draw", "DrawJob", "KeyedAgain", "Wish",
    } - searched <= {"Wish"}  # fmt: skip


# Names whose letters change in number without capitals (ß, İ, ŉ, ligatures): hidden and erased as all others are


LETTERS = ("Jürgen Weiß", "İpek Şen", "ŉ Boer", "ﬁona Stoﬄer", "Bǎo Ẓaẞ", "Jiří Ǆo", "Weiß", "Σίσυφος")


def spelled(name):
    ways = {name, name.upper(), name.casefold(), unicodedata.normalize("NFD", name)}
    return ways | {json.dumps(way)[1:-1] for way in ways}


@pytest.mark.parametrize("name", LETTERS)
def test_a_name_is_replaced_however_it_is_written_and_nothing_beside_it(name):
    names = NameReplacer({name: "A. B."}, [f"{name} Lee"])
    for way in (name, name.casefold(), name.swapcase().swapcase(), unicodedata.normalize("NFD", name)):
        assert names.text(f"Maß, Straße; {way}: ŉ ß {way}!") == "Maß, Straße; A. B.: ŉ ß A. B.!"
        assert names.text(f"{way} Lee, {way}-Lee, x{way}") == f"{way} Lee, {way}-Lee, x{way}"
        assert names.html(f"<b title='x'>Maß &amp; {way}&#39;s</b>") == "<b title='x'>Maß &amp; A. B.&#x27;s</b>"


def test_a_text_without_a_name_is_the_same_to_the_letter():
    page = "<p title='ß'>&nbsp;Weißer &lt;ŉ&gt; &eacute; ẞ\u0301</p>"
    assert NameReplacer({"Weiß": "W."}).html(page) == page


@pytest.mark.daily(3)
@pytest.mark.parametrize("name", LETTERS)
def test_erased_it_stands_in_no_row(name, ann, season, actor):
    actions.change_member(member=ann, by=actor, person=ListedPerson(name), initials_only=True)
    on = Entry.objects.get(event__slug="on", member=ann)
    Entry.objects.filter(member=ann).update(name=name)
    other = Seat.objects.exclude(entry=on).filter(entry__event=on.event)[0]
    Seat.objects.filter(pk=other.pk).update(player=name.swapcase())
    log(club=season.club, by=actor, verb="club.change", subject=name, old={name: [name.casefold()]}, new=f"({name})")
    assert name not in hidden_names(season.club).text(f"{name}, {name.casefold()}")
    erased = erasing.erase(member=Member.objects.get(pk=ann.pk), by=actor, typed=name.casefold())
    assert erased.left == {}
    assert fold_case(name) not in fold_case(stored())
    assert [way for way in spelled(name) if way in stored()] == []


def test_what_the_database_is_asked_for_holds_no_letter_that_another_spelling_may_lack():
    for sign in map(chr, (n for n in range(128, 0x110000) if not 0xD800 <= n < 0xE000)):
        assert erasing.plain_parts(fold_case(sign)) == [], sign


# Erasing proves itself: it searches the rows and, of SQLite, the bytes of the file, and says what it found


WEISS = "Jürgen Weiß"
on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the file is SQLite's")


def sent(client, member, name=WEISS):
    return page_of(client.post(f"/st-hilary/members/{member.pk}/erase/", {"typed": name}, follow=True))


def file_bytes():
    path = Path(connection.settings_dict["NAME"])
    return b"".join(part.read_bytes() for part in (path, path.with_name(f"{path.name}-wal")) if part.exists())


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_the_name_leaves_the_file_with_its_free_pages_and_its_log(club, actor, director, client_of):
    person = ListedPerson(WEISS, "weiss@example.org", "555 0199")
    member = actions.add_member(club=club, by=actor, person=person, submission=uuid4())
    for n in range(60):  # so that pages become free
        Member.objects.create(club=club, name=f"{WEISS} the {n}th of a long line of card players")
    Member.objects.exclude(pk=member.pk).delete()
    assert WEISS.encode() in file_bytes()
    page = sent(client_of(director), member)
    assert "nothing of it among deleted data" in page
    for what in (WEISS, "Wei\\u00df", "weiss@example.org", "555 0199"):
        assert what.encode() not in file_bytes()


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_later_backup_has_not_got_the_name(club, director, client_of, tmp_path):
    member = Member.objects.create(club=club, name=WEISS)
    held = []
    for _time in ("before", "after"):
        with unpack(make_backup(tmp_path)) as copy:
            held.append(WEISS.encode() in copy.read_bytes())
        sent(client_of(director), member)
    assert held == [True, False]


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_what_is_deleted_is_overwritten(club):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete")
        assert cursor.fetchone() == (1,)


def test_a_place_that_erasing_forgot_is_named(club, director, client_of, monkeypatch):
    member = Member.objects.create(club=club, name=WEISS)
    LogEntry.objects.create(club=club, actor="Dora", route="desk", verb="member.add", subject=WEISS)
    real = erasing.text_columns
    calls = []

    def columns():
        calls.append(1)
        return [each for each in real() if each.model is not LogEntry or len(calls) > 1]

    monkeypatch.setattr(erasing, "text_columns", columns)
    page = sent(client_of(director), member)
    assert "The name is still in" in page
    assert "Entries of the log" in page


def test_another_club_that_keeps_the_name_is_pointed_out_before_and_after(club, other_club, director, client_of):
    member = Member.objects.create(club=club, name=WEISS)
    words = "Another club on this site has this name too"
    url, browser = f"/st-hilary/members/{member.pk}/erase/", client_of(director)
    Member.objects.create(club=other_club, name="Jürgen Weiß-Lee")
    assert words not in page_of(browser.get(url))
    Member.objects.create(club=other_club, name="JÜRGEN WEISS")
    assert words in page_of(browser.get(url))
    assert words in sent(browser, member)
    assert Member.objects.filter(club=other_club, name="JÜRGEN WEISS").exists()
