"""An e-mail address is nobody's name: names are published. It is refused wherever a name is typed or pasted."""

from uuid import uuid4

import pytest
from django.urls import reverse

from clubsite.accounts.models import Member
from scoring.models import Game, Side
from tests.tournaments.contests import contest, enter
from tests.tournaments.nights import arrive, make_night, publish_next
from tests.tournaments.sides.test_side_lists import event_of
from tournaments.entries.actions import add_entry, change_entry, import_names
from tournaments.errors import StepRefused
from tournaments.members.actions import add_member, change_member, join_guest
from tournaments.members.pasting import ListedPerson, add_members
from tournaments.models import Entry, Seat
from tournaments.rounds import attendance, seat_changes
from tournaments.rounds.seat_changes import Newcomer
from tournaments.sides import PersonOnList, enter_sides

ADDRESSES = ("ann@x.test", "Ann <ann@x.test>", "ann@x", "Ann\uff20x.test")


@pytest.fixture
def event(club, actor):
    return contest(club, actor)


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_verb_of_members_and_entries_takes_an_address(event, actor, address):
    club, (bea,) = event.club, enter(event, actor, ["Bea Brown"])
    cal = Member.objects.create(club=club, name="Cal Carr")
    person, submission = ListedPerson(address), uuid4()
    for verb in (
        lambda: add_entry(event=event, name=address, by=actor),
        lambda: import_names(event=event, names=["Di Dunn", address], by=actor, submission=submission),
        lambda: change_entry(entry=bea, by=actor, name=address, member=None, eligible=True, note=""),
        lambda: add_member(club=club, by=actor, person=person, submission=submission),
        lambda: add_members(club=club, people=[person], by=actor, submission=submission),
        lambda: change_member(member=cal, by=actor, person=person, initials_only=False),
    ):
        with pytest.raises(StepRefused, match="e-mail address"):
            verb()
    assert [entry.name for entry in Entry.objects.all()] == ["Bea Brown"]
    assert [member.name for member in Member.objects.all()] == ["Cal Carr"]


def test_no_side_and_nobody_at_the_door_is_called_by_an_address(club, actor, rules):
    night = make_night(club, rules)
    arrive(night, actor, 4)
    draw = publish_next(night, actor)
    seated = draw.seats.first()
    older = Member.objects.create(club=club, name=ADDRESSES[0])  # from a version that took it
    pairs, partner, listed = (
        event_of(club, actor),
        PersonOnList("Ann Abel", "guest"),
        PersonOnList(ADDRESSES[0], "guest"),
    )
    guest = Newcomer(guest=ADDRESSES[0])
    for verb in (
        lambda: attendance.arrive(event=night, by=actor, name=ADDRESSES[0]),
        lambda: attendance.arrive(event=night, by=actor, name=ADDRESSES[0], join=True),
        lambda: attendance.arrive(event=night, by=actor, member=older),
        lambda: seat_changes.play_for(draw=draw, absent=seated.entry, newcomer=guest, by=actor),
        lambda: seat_changes.take_over(draw=draw, leaving=seated.entry, newcomer=guest, by=actor),
        lambda: enter_sides(event=pairs, sides=[[partner, listed]], by=actor, submission=uuid4()),
    ):
        with pytest.raises(StepRefused, match="e-mail address"):
            verb()
    assert not Entry.objects.filter(name__contains="@").exists()
    assert not Seat.objects.filter(player__contains="@").exists()


def test_a_guest_of_an_older_version_gets_a_name_before_they_join(event, actor):
    (guest,) = enter(event, actor, ["Bea Brown"])
    Entry.objects.filter(pk=guest.pk).update(name=ADDRESSES[0])
    with pytest.raises(StepRefused, match="e-mail address"):
        join_guest(club=event.club, by=actor, name=ADDRESSES[0])
    assert not Member.objects.exists()


def test_no_game_outside_events_is_played_by_an_address(club, browser):
    page = browser.get(reverse("game_new", args=[club.slug]))
    offer = page.context["offers"][0]
    new = f"{reverse('game_new', args=[club.slug])}?game={offer.key}"
    form = browser.get(new).context["form"]
    sent = {name: f"Player {n}" for n, name in enumerate(form.fields) if name.startswith("name_")}
    sent |= {"token": str(uuid4()), "title": "Corner"}
    refused = browser.post(new, {**sent, "name_0_0": ADDRESSES[0]})
    assert (refused.status_code, list(refused.context["form"].errors)) == (422, ["name_0_0"])
    assert not Game.objects.exists()
    assert browser.post(new, sent).status_code == 302
    put_right = reverse("game_names", args=[club.slug, Game.objects.get().pk])
    refused = browser.post(put_right, {**sent, "name_0_0": ADDRESSES[1]})
    assert (refused.status_code, list(refused.context["form"].errors)) == (422, ["name_0_0"])
    assert not [name for side in Side.objects.all() for name in side.names if "@" in name]
