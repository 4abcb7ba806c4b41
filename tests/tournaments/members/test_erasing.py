"""Erasing a person: the name is nowhere, the results stay, and it has to be meant."""

from datetime import datetime
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from clubsite.accounts.models import Club, LogEntry, Member, MemberMerge
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
from tournaments.rulings.actions import adjust
from tournaments.seasons.table import season_tables

NAMES = ("Łucja Żółć-D'Arcy", "Lucja Zolc", "Player 01")
KEPT = ("lucja@example.org", "555 0101", "brings cake")


def text_of(value):
    return value.isoformat() if isinstance(value, datetime) else str(value)


def everything():
    """All that the database holds, with escaped letters as letters."""
    rows = [text_of(value) for rows in all_rows().values() for row in rows for value in row]
    whole = "\n".join(rows)
    return (whole + whole.encode().decode("unicode_escape", errors="replace")).casefold()


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
    stage = on.event.stages.get()
    adjust(
        stage=stage,
        facts=Adjustment(entry=on, points=-5, reason=f"{NAMES[0]}'s phone rang"),
        by=actor,
        submission=uuid4(),
    )
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
    assert (erased.stands, erased.left, erased.elsewhere) == ("A former member", {}, False)
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
    assert (start.first, start.second) == ("a former member", "bob")
    assert {start.first: start.points_first, start.second: start.points_second} == {"a former member": 0, "bob": 30}


def test_a_second_one_has_a_name_of_their_own_and_a_second_tap_does_nothing(lucja, actor):
    other = Member.objects.get(club=lucja.club, name="Player 02")
    erasing.erase(member=lucja, by=actor, typed=lucja.name)
    once = all_rows()
    erasing.erase(member=lucja, by=actor, typed="whatever")
    assert all_rows() == once
    assert erasing.erase(member=other, by=actor, typed="player 02").stands == "A former member 2"
    assert "player 02" not in everything()


def test_the_name_has_to_be_typed(lucja, actor, director, client_of):
    url, desk = f"/st-hilary/members/{lucja.pk}/erase/", client_of(director)
    before = all_rows()
    page = page_of(desk.get(url))
    assert "Nobody can undo this." in page
    assert "Lucja Zolc" in page
    assert all_rows() == before, "looking changes nothing"
    with pytest.raises(StepRefused):
        erasing.erase(member=lucja, by=actor, typed="Łucja")
    assert "Nothing was erased" in page_of(client_of(director).post(url, {"typed": "yes"}))
    assert Member.objects.get(pk=lucja.pk).name == NAMES[0]
    client_of(director).post(url, {"typed": NAMES[0]})
    assert Member.objects.get(pk=lucja.pk).erased_at is not None
    assert client_of(director).get(url).status_code == 404
    assert client_of(None).get(f"/st-hilary/members/{lucja.pk}/").status_code == 404
    assert "A former member" in page_of(client_of(director).get(f"/st-hilary/members/{lucja.pk}/"))
    assert "A former member" not in page_of(client_of(director).get("/st-hilary/members/?show=all"))


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
        merging.take_back(merge=merge, by=actor)


def test_a_name_of_before_a_change_goes_as_well(club, actor):
    for name in ("Agnes Kowalcyk", "Bea Old"):
        actions.add_member(club=club, by=actor, person=ListedPerson(name), submission=uuid4())
    for before, since in (
        ("Agnes Kowalcyk", "Agnes Kowalczyk"),
        ("Agnes Kowalczyk", "Agnes Nowak"),
        ("Bea Old", "Bea"),
    ):
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
    searched = {place.model.__name__ for place in erasing.places()}
    assert {
        "LogEntry", "Member", "Entry", "Seat", "Side", "DealVersion", "PublishedStandings", "CutLine", "Adjustment",
        "HandicapEntry", "HandicapStart", "Event", "SeasonMember", "Draw", "DrawJob", "KeyedAgain", "Wish",
    } - searched <= {"Wish"}  # fmt: skip
