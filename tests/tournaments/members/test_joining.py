"""A guest who becomes a member: what was published stays right, and one question decides about the season."""

from dataclasses import asdict
from importlib import import_module

import pytest
from django.apps import apps

from clubsite.accounts.models import Actor, Member
from tests.kept import made_once
from tests.tournaments.nights import arrive, make_night, play_round, publish_next
from tests.tournaments.results import make_season
from tournaments.engine.handicap import HandicapRule
from tournaments.engine.prizes import Prize
from tournaments.entries.actions import change_entry
from tournaments.entries.partners import join_side
from tournaments.members.actions import count_guest_nights, join_guest, nights_as_guest
from tournaments.members.merging import merge
from tournaments.models import Entry, Event, PublishedStandings
from tournaments.prizes import actions as prizes
from tournaments.prizes.actions import outdated_prizes, prize_plan, propose_prizes
from tournaments.rounds import attendance
from tournaments.seasons.table import season_tables
from tournaments.standings import results
from tournaments.standings.standings import standings_of

GUESTS = "/st-hilary/members/guests/"


@pytest.fixture
def season(club, actor, rules_for):
    """Three closed nights of seven members and a guest, with handicaps and a prize for the last night's winner."""

    def build():
        season = make_season(club)
        for day in (6, 13, 20):
            event = make_night(club, rules_for("st-hilary-v3"), slug=f"n{day}", season=season, day=day)
            event.handicap = asdict(HandicapRule(scratch=90, needed=2))
            event.save()
            arrive(event, actor, 7)
            attendance.arrive(event=event, by=actor, name="Gus Guest")
            play_round(publish_next(event, actor), actor, deals=2)
            results.publish_result(event=event, by=actor)
        event.refresh_from_db()
        plan = [Prize("place", place=1, amount=500)]
        prizes.plan_prizes(event=event, by=actor, prizes=plan, ties="share", one_each=True)
        proposal = propose_prizes(event, prize_plan(event))
        prizes.publish_prizes(event=event, by=actor, fingerprint=proposal.fingerprint)
        return season

    return made_once("joining", build)


def season_line(season, name):
    (table,) = season_tables([season])
    line = next((line for line in (*table.lines, *table.apart) if line.name == name), None)
    guest = next((guest for guest in table.guests if guest["name"] == name), None)
    return line.attended if line else 0, guest["attended"] if guest else None


def alarms(season):
    """Events of the season whose published result isn't right any more, or whose prizes aren't."""
    found = []
    for event in season.events.order_by("starts_at"):
        now = standings_of(event.stages.get())
        if results.unchanged_result(event, now) is None or outdated_prizes(event):
            found.append(event.slug)
    return found


@pytest.mark.daily(1)
@pytest.mark.parametrize(("answer", "nights"), [("yes", (3, None)), ("no", (0, 3))])
def test_a_guest_joins_with_one_question_and_no_new_version(season, director, client_of, answer, nights):
    desk, versions = client_of(director), PublishedStandings.objects.count()
    asked = desk.post(GUESTS, {"guest": "Gus Guest"})
    assert len(asked.context["nights"]) == 3
    assert not Member.objects.filter(name="Gus Guest").exists(), "nothing is done before the answer"
    for _tap in range(2):
        desk.post(GUESTS, {"guest": "Gus Guest", "count": answer})
    gus = Member.objects.get(name="Gus Guest")
    assert gus.entries.count() == 3
    assert season_line(season, "Gus Guest") == nights
    assert alarms(season) == []
    for event in season.events.all():
        assert results.publish_result(event=event, by=Actor(director, "Dora")).number == 1
        assert not desk.get(f"/st-hilary/desk/{event.slug}/close/").context["corrected"]
    assert PublishedStandings.objects.count() == versions


def test_the_answer_can_be_changed_on_the_members_page(season, actor, director, client_of):
    gus = join_guest(club=season.club, by=actor, name="Gus Guest", count=False)
    address = f"/st-hilary/members/{gus.pk}/change/"
    for step, nights in (("count", (3, None)), ("not-count", (0, 3)), ("count", (3, None))):
        for _tap in range(2):
            client_of(director).post(address, {"step": step})
        assert season_line(season, "Gus Guest") == nights
    assert gus.entries.filter(guest_in_season=True).count() == 0
    count_guest_nights(member=Member.objects.get(name="Player 01"), by=actor, count=False)
    assert season_line(season, "Player 01")[0] == 3, "nobody's own nights become a guest's"


def test_an_older_databases_season_stays_as_it_was(season, actor):
    """Before, the nights of a guest who had joined stayed a guest's in the season."""
    join_guest(club=season.club, by=actor, name="Gus Guest")
    import_module("tournaments.migrations.0019_guest_in_season").keep_as_guests(apps, None)
    assert season_line(season, "Gus Guest") == (0, 3)
    assert season_line(season, "Player 01") == (3, None)


def test_who_is_added_under_a_guests_name_is_led_to_the_question(season, director, client_of):
    page = client_of(director).post("/st-hilary/members/", {"name": "Gus Guest"}, follow=True)
    assert GUESTS in "".join(str(message) for message in page.context["messages"])


def test_a_correction_leaves_the_answer_as_it_was(season, actor):
    join_guest(club=season.club, by=actor, name="Gus Guest", count=False)
    event = season.events.get(slug="n6")
    results.take_back_result(event=event, by=actor)
    results.publish_standings(stage=event.stages.get(), by=actor, final=True, reason="read wrongly")
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    assert season_line(season, "Gus Guest") == (0, 3)


def test_merging_two_members_sets_off_no_alarm(season, actor):
    gus = join_guest(club=season.club, by=actor, name="Gus Guest")
    other = Member.objects.create(club=season.club, name="August Guest")
    merge(kept=other, merged=gus, by=actor)
    assert alarms(season) == []
    assert season_line(season, "August Guest") == (3, None)


def test_an_entry_linked_with_the_wrong_member_is_put_right_without_a_new_version(season, actor):
    entry = Entry.objects.get(event__slug="n6", name="Player 01")
    other = Member.objects.create(club=season.club, name="Player 1 of Mill Street")
    change_entry(entry=entry, by=actor, name=entry.name, member=other, eligible=True, note="")
    assert alarms(season) == []
    assert (season_line(season, other.name), season_line(season, "Player 01")) == ((1, None), (2, None))


def test_of_a_pair_the_guest_alone_is_asked_about(club, actor, rules_for):
    event = make_night(club, rules_for("st-hilary-v3"), season=make_season(club), format=Event.Format.ROUND_ROBIN)
    arrive(event, actor, 3)
    attendance.arrive(event=event, by=actor, name="Gus Guest")
    people = list(event.entries.order_by("number"))
    for pair in (people[:2], people[2:]):
        join_side(event=event, entries=pair, by=actor)
    play_round(publish_next(event, actor), actor, deals=2)
    results.publish_result(event=event, by=actor)
    gus = join_guest(club=club, by=actor, name="Gus Guest", count=False)
    assert alarms(event.season) == []
    assert [len(nights_as_guest(member)) for member in (people[0].member, people[2].member, gus)] == [0, 0, 1]
    assert season_line(event.season, "Gus Guest") == (0, 1)
    count_guest_nights(member=gus, by=actor, count=True)
    assert season_line(event.season, "Gus Guest") == (1, None)
