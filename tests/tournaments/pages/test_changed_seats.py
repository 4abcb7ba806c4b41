"""Pages that were open while a seat became somebody else's say what happened and lead on; the card is printed again."""

from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.models import Deal, Game
from tests.pages import page_of
from tests.tournaments.contests import NAMES, contest, drawn, enter, play_group, stage_of
from tournaments.documents.cards import card_sheets
from tournaments.draws.changes import seat_reserve
from tournaments.entries.actions import add_entry, withdraw
from tournaments.models import Draw, Group
from tournaments.pages.at_tables import at_tables
from tournaments.pages.contest_desk import Desk
from tournaments.pages.next_steps import next_steps

RESERVE = "Zora Neale"


@pytest.fixture
def seats(club, actor):
    """A drawn competition in which the reserve has taken the first seat of the first table since: the event, the draw
    and the group as they were."""
    event = contest(club, actor)
    enter(event, actor, NAMES)
    reserve = add_entry(event=event, name=RESERVE, by=actor)
    draw = drawn(stage_of(event, 1), actor)
    group = draw.groups[0]
    leaving = group.seats.first().entry
    withdraw(entry=leaving, by=actor)
    seat_reserve(leaving=leaving, entering=reserve, by=actor)
    event.refresh_from_db()
    return event, draw, group


def keying(event, draw, name="stage_keying"):
    return reverse(name, args=[event.club.slug, event.slug, draw.pk])


def now_of(draw):
    return Draw.objects.get(round=draw.round_id, state=Draw.State.PUBLISHED)


@pytest.mark.parametrize("name", ["stage_keying", "stage_second_keying"])
def test_a_keying_page_leads_to_the_seats_as_they_are(seats, scorekeeper, client_of, name):
    event, draw, _group = seats
    answer = client_of(scorekeeper).get(keying(event, draw, name), follow=True)
    assert answer.redirect_chain == [(keying(event, now_of(draw), name), 302)]
    assert RESERVE in page_of(answer)
    assert "The draw of Qualifying was taken back" not in page_of(answer)


def test_a_line_keyed_on_the_old_page_is_recorded_and_says_who_came(seats, scorekeeper, client_of):
    event, draw, _group = seats
    game = Game.objects.filter(group_game__group__table__draw=now_of(draw))[0]
    line = {"game": game.pk, "number": 1, "submission": str(uuid4()), "points_0": 5, "points_1": 6, "points_2": 7}
    answer = client_of(scorekeeper).post(keying(event, draw), line, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert RESERVE in answer.json()["line"]
    assert Deal.objects.get().game == game


def test_a_set_is_ended_at_the_table_as_it_is(seats, director, client_of):
    event, _draw, group = seats
    address = reverse("end_set", args=[event.club.slug, event.slug, group.pk])
    answer = client_of(director).get(address, follow=True)
    assert answer.status_code == 200
    assert answer.context["group"] == Group.objects.get(follows=group)
    assert RESERVE in page_of(answer)


def print_again(event):
    steps = next_steps(at_tables(event), Desk(event).tasks())
    return [step for step in steps if any("cards.pdf" in action.address for action in step.actions)]


def test_the_desk_says_whose_card_to_print_again_until_a_deal_is_on_it(seats, actor, scorekeeper, client_of):
    event, draw, group = seats
    (step,) = print_again(event)
    label, now = group.label_in(event), Group.objects.get(follows=group)
    assert label in step.title
    (action,) = step.actions
    assert action.address.endswith(f"cards.pdf?draw={now_of(draw).pk}&group={now.pk}")
    (card,) = card_sheets(now_of(draw), only=now.pk)
    assert RESERVE in [name for _start, players in card.sides for _seat, name in players]
    assert client_of(scorekeeper).get(action.address).status_code == 200
    play_group(now, actor, lambda entry: entry.number)
    assert not print_again(event)
