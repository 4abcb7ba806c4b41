"""Two members who are one person: what goes over, what stays as published, and the way back row for row."""

from uuid import uuid4

import pytest

from clubsite.accounts.models import LogEntry, Member, MemberMerge
from tests.kept import all_rows
from tests.tournaments.nights import arrive, make_members, make_night, play_night, publish_next
from tests.tournaments.results import closed_night, make_season
from tournaments.errors import StepRefused
from tournaments.members import actions, merging
from tournaments.members.erasing import erase
from tournaments.members.pasting import ListedPerson, read_members
from tournaments.models import Entry, PublishedStandings, SeasonMember
from tournaments.rounds import attendance
from tournaments.seasons.table import season_tables

RULES = "st-hilary-v3"


@pytest.fixture
def season(club, rules_for):
    """Two nights: Agnes came to both, once under a misspelt name."""
    season = make_season(club)
    closed_night(season, rules_for(RULES), 6, {"Agnes Kowalczyk": 40, "Bob": 50})
    closed_night(season, rules_for(RULES), 13, {"Agnes Kowalcyk": 60, "Bob": 30})
    return season


def named(club, name):
    return Member.every.get(club=club, name=name)


def totals(season):
    (table,) = season_tables([season])
    return {line.name: int(line.total) for line in table.lines}


def merged(club, actor):
    return merging.merge(kept=named(club, "Agnes Kowalczyk"), merged=named(club, "Agnes Kowalcyk"), by=actor)


def without_traces():
    """All rows but those of the log and of merges themselves."""
    return {model._meta.label: rows for model, rows in all_rows().items() if model not in (LogEntry, MemberMerge)}


def test_a_season_counts_both_names_as_one_and_nothing_published_changes(season, club, actor):
    published = list(PublishedStandings.objects.values_list("pk", "rows"))
    assert totals(season) == {"Bob": 80, "Agnes Kowalcyk": 60, "Agnes Kowalczyk": 40}
    merged(club, actor)
    assert totals(season) == {"Agnes Kowalczyk": 100, "Bob": 80}
    assert list(PublishedStandings.objects.values_list("pk", "rows")) == published
    assert [m.name for m in Member.objects.filter(club=club)] == ["Agnes Kowalczyk", "Bob"]


def test_the_misspelt_name_is_known_from_then_on(season, club, actor):
    merged(club, actor)
    (row,) = read_members(club, "agnes kowalcyk", answers={}).rows
    assert (row.state, row.person.same_as) == ("known", named(club, "Agnes Kowalczyk").pk)
    with pytest.raises(StepRefused, match="merged into Agnes Kowalczyk"):
        actions.add_member(club=club, by=actor, person=ListedPerson("Agnes Kowalcyk"), submission=uuid4())


def test_whoever_a_page_named_before_a_merge_is_entered_as_who_they_are_now(season, club, actor, rules_for):
    seen, bob = named(club, "Agnes Kowalcyk"), named(club, "Bob")
    merged(club, actor)
    night = make_night(club, rules_for(RULES), slug="later")
    assert attendance.arrive(event=night, member=seen, by=actor).member == named(club, "Agnes Kowalczyk")
    assert attendance.arrive(event=night, member=seen, by=actor).number == 1  # and once
    erase(member=bob, by=actor, typed="Bob")
    with pytest.raises(StepRefused, match="is no longer on the list"):
        attendance.arrive(event=night, member=bob, by=actor)


def test_taking_it_back_restores_every_row(club, actor, rules_for, season):
    agnes, double = named(club, "Agnes Kowalczyk"), named(club, "Agnes Kowalcyk")
    Member.objects.filter(pk=double.pk).update(email="a@example.org", note="sits near the door", initials_only=True)
    Member.objects.filter(pk=agnes.pk).update(active=False)
    other = make_season(club, "Spring")
    SeasonMember.objects.create(season=season, member=agnes, division=1)
    SeasonMember.objects.create(season=season, member=double, division=2, team="Reds")
    SeasonMember.objects.create(season=other, member=double, division=2)
    night = make_night(club, rules_for(RULES), slug="real", season=season, day=20)
    play_night(night, actor, 8)
    Entry.objects.filter(event=night, name="Player 03").update(member=double)
    before = without_traces()
    merge = merged(club, actor)
    assert Entry.objects.filter(member=agnes).count() == 1
    agnes.refresh_from_db()
    assert (agnes.email, agnes.note, agnes.active, agnes.initials_only) == (
        "a@example.org", "sits near the door", True, True,
    )  # fmt: skip
    assert SeasonMember.objects.get(season=season, member=agnes).division == 1, "the kept one's own counts"
    assert without_traces() != before
    merging.unmerge(merge=merge, by=actor)
    assert without_traces() == before
    merging.unmerge(merge=merge, by=actor)
    assert without_traces() == before, "the second tap"
    assert [e.verb for e in LogEntry.objects.filter(verb__startswith="member.").order_by("pk")] == [
        "member.merge",
        "member.unmerge",
    ]


def test_merges_upon_merges_are_taken_back_newest_first(season, club, actor):
    first = merged(club, actor)
    agnes, third = named(club, "Agnes Kowalczyk"), Member.objects.create(club=club, name="A. Kowalczyk")
    between = without_traces()
    second = merging.merge(kept=third, merged=agnes, by=actor)
    assert totals(season) == {"A. Kowalczyk": 100, "Bob": 80}
    with pytest.raises(StepRefused, match="Take that merge back first"):
        merging.unmerge(merge=first, by=actor)
    merging.unmerge(merge=second, by=actor)
    assert without_traces() == between
    merging.unmerge(merge=first, by=actor)
    assert totals(season) == {"Bob": 80, "Agnes Kowalcyk": 60, "Agnes Kowalczyk": 40}


def test_what_would_move_is_shown_and_nothing_is_kept(season, club, actor):
    SeasonMember.objects.create(season=season, member=named(club, "Agnes Kowalcyk"), division=1)
    before = all_rows()
    effect = merging.preview_merge(kept=named(club, "Agnes Kowalczyk"), merged=named(club, "Agnes Kowalcyk"), by=actor)
    assert [[(at["place"], at["nights"], at["total"]) for at in pair] for pair in effect["seasons"]] == [
        [(None, 1, "40"), (1, 2, "100")]
    ]
    assert all_rows() == before
    closed_night(season, season.events.first().rules, 20, {"Agnes Kowalcyk": 1})
    with pytest.raises(StepRefused, match="Something has changed"):
        merging.merge(
            kept=named(club, "Agnes Kowalczyk"), merged=named(club, "Agnes Kowalcyk"), by=actor, seen=effect["seen"]
        )


def test_two_who_met_are_not_one(club, other_club, actor, rules_for):
    season = make_season(club)
    closed_night(season, rules_for(RULES), 6, {"Ann": 4, "Anne": 5})
    event = make_night(club, rules_for(RULES))
    one, two = make_members(club, 2)
    for n, member in enumerate((one, two), start=1):
        Entry.objects.create(event=event, number=n, name=member.name, member=member)
    theirs = Member.objects.create(club=other_club, name="Otto")
    before = all_rows()
    for kept, gone, words in [
        (one, two, "Both have an entry in Night friday"),
        (named(club, "Ann"), named(club, "Anne"), "Both are in the published result"),
        (one, one, "Choose two members"),
        (one, theirs, "Choose two members"),
    ]:
        with pytest.raises(StepRefused, match=words):
            merging.merge(kept=kept, merged=gone, by=actor)
    assert all_rows() == before


@pytest.mark.parametrize("swapped", [False, True])
def test_a_name_that_was_pressed_by_mistake_hinders_no_merge(club, actor, rules_for, swapped):
    """Somebody typed in at the door as new, who was on the list: it was refused for good."""
    event = make_night(club, rules_for(RULES))
    beverly = Member.objects.create(club=club, name="Beverly Ostrander")
    typed = attendance.arrive(event=event, by=actor, name="Bev Ostrander", join=True)
    bev = named(club, "Bev Ostrander")
    own = attendance.arrive(event=event, by=actor, member=beverly)
    kept, merged = (bev, beverly) if swapped else (beverly, bev)
    with pytest.raises(StepRefused, match="press the wrong name again"):
        merging.merge(kept=kept, merged=merged, by=actor)
    attendance.leave(entry=typed, by=actor)
    before = without_traces()
    assert len(merging.preview_merge(kept=kept, merged=merged, by=actor)["entries"]) == swapped
    merge = merging.merge(kept=kept, merged=merged, by=actor)
    own.refresh_from_db()
    assert own.member == kept
    assert Entry.objects.get(pk=typed.pk).member is None
    merging.unmerge(merge=merge, by=actor)
    assert without_traces() == before


def test_who_has_left_after_playing_was_there(club, actor, rules_for):
    event = make_night(club, rules_for(RULES))
    arrive(event, actor, 8)
    one, two = make_members(club, 2)
    publish_next(event, actor)
    attendance.leave(entry=event.entries.get(member=two), by=actor)
    with pytest.raises(StepRefused, match="Both have an entry in Night friday"):
        merging.merge(kept=one, merged=two, by=actor)


def test_everything_that_points_at_a_member_goes_over():
    names = {str(pointer) for pointer in merging.member_pointers()}
    assert {"tournaments.Entry.member", "tournaments.SeasonMember.member", "accounts.Member.merged_into"} <= names
    pointing = {
        (relation.related_model, relation.field.name)
        for relation in Member._meta.related_objects
        if relation.related_model is not MemberMerge
    }
    assert len(pointing) == len(names)


def test_merging_twice_is_merging_once(season, club, actor):
    assert merged(club, actor) == merged(club, actor)
    assert MemberMerge.objects.count() == 1


def test_a_club_with_merged_members_can_be_deleted(season, club, actor):
    merged(club, actor)
    club.delete()
    assert not Member.every.exists()
