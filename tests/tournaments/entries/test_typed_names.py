"""A name that is typed with the family name first is the name of the one who is known in the usual order."""

from uuid import uuid4

import pytest

from clubsite.accounts.models import Member
from tests.tournaments.contests import contest, enter
from tests.tournaments.nights import arrive, make_night, publish_next
from tournaments.entries.actions import add_entry
from tournaments.entries.known import find_name_doubts
from tournaments.errors import StepRefused
from tournaments.members.actions import add_member, change_member
from tournaments.members.pasting import ListedPerson
from tournaments.models import Event
from tournaments.rounds import seat_changes
from tournaments.rounds.attendance import arrive as arrives
from tournaments.rounds.seat_changes import Newcomer
from tournaments.sign_ups import sign_up


def test_nobody_is_on_a_list_twice_because_the_family_name_came_first(club, actor):
    event = contest(club, actor)
    enter(event, actor, ["Zoe Quinn"])
    with pytest.raises(StepRefused):
        add_entry(event=event, name="Quinn, Zoe", by=actor)
    Member.objects.create(club=club, name="Ann Abel")
    with pytest.raises(StepRefused):
        add_member(club=club, by=actor, person=ListedPerson("Abel, Ann"), submission=uuid4())
    assert add_entry(event=event, name=" Abel,  Ann ", by=actor).member.name == "Ann Abel"


def test_nobody_signs_up_twice_because_the_family_name_came_first(club, actor, rules):
    night = make_night(club, rules)
    night.sign_up = Event.SignUps.OPEN
    night.save()
    sign_up(event=night, by=actor, name="Zoe Quinn", submission=uuid4())
    with pytest.raises(StepRefused):
        sign_up(event=night, by=actor, name="Ann Abel", partner="Quinn, Zoe", submission=uuid4())


def test_a_guest_with_the_family_name_first_takes_a_seat_once_also_when_sent_twice(club, actor, rules):
    night = make_night(club, rules)
    arrive(night, actor, 4)
    draw = publish_next(night, actor)
    leaving = draw.seats.first().entry
    made = [
        seat_changes.take_over(draw=draw, leaving=leaving, newcomer=Newcomer(guest="Quinn, Zoe"), by=actor)
        for _twice in range(2)
    ]
    assert made[0] == made[1]
    assert [seat.entry.name for seat in made[0].seats.all()].count("Zoe Quinn") == 1


def test_somebody_who_is_listed_with_the_family_name_first_is_known_again_by_it(club, actor, rules):
    """As versions before wrote it, or as a director has."""
    member = Member.objects.create(club=club, name="Quinn, Zoe")
    with pytest.raises(StepRefused):
        add_member(club=club, by=actor, person=ListedPerson("Quinn, Zoe"), submission=uuid4())
    event = contest(club, actor)
    assert find_name_doubts(event, "Quinn, Zoe", answers={}) == []
    assert add_entry(event=event, name="Quinn, Zoe", by=actor).member == member
    with pytest.raises(StepRefused):
        add_entry(event=event, name="quinn, zoe", by=actor)
    night = make_night(club, rules)
    came = arrives(event=night, name="Quinn, Zoe", by=actor)
    assert (came.name, came.member) == ("Quinn, Zoe", member)
    arrive(night, actor, 3)
    draw = publish_next(night, actor)
    other = draw.seats.exclude(entry=came).first().entry
    with pytest.raises(StepRefused):  # who has a seat takes no other
        seat_changes.play_for(draw=draw, absent=other, newcomer=Newcomer(guest="Quinn, Zoe"), by=actor)


def test_what_a_director_writes_when_changing_a_name_stays_as_it_is(club, actor):
    member = Member.objects.create(club=club, name="Zoe Quinn")
    change_member(member=member, by=actor, person=ListedPerson("Quinn, Zoe"), initials_only=False)
    member.refresh_from_db()
    assert member.name == "Quinn, Zoe"
