"""The page on which a director changes seats in the middle of a round: what it offers, says, and does."""

from uuid import uuid4

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.models import Deal, Game
from tests.pages import page_of
from tests.tournaments import contests
from tests.tournaments.contests import NAMES, contest, drawn, enter, play_group
from tests.tournaments.draws.test_by_format import paired
from tests.tournaments.nights import games_of, play_deals, play_round, publish_next
from tests.tournaments.seats import at, out
from tournaments.documents.cards import printed_cards
from tournaments.draws.changes import seat_reserve
from tournaments.draws.drafts import seats_in
from tournaments.draws.making import make_draw
from tournaments.entries.actions import add_entry, withdraw
from tournaments.events.state import night_stage
from tournaments.models import Draw, Entry, Group, Seat
from tournaments.pages.at_tables import event_tables
from tournaments.pages.contest_desk import ContestDesk
from tournaments.pages.next_steps import next_steps
from tournaments.rounds import attendance


def group_at(draw, table):
    return Group.objects.filter(table__draw=draw, table__number=table).order_by("number")[0]


def page_for(draw, table):
    group = group_at(draw, table)
    event = draw.round.stage.event
    return reverse("seat_changes", args=[event.club.slug, event.slug, group.pk])


def published():
    return Draw.objects.get(state=Draw.State.PUBLISHED)


def send(browser, url, **fields):
    return page_of(browser.post(url, {name: str(value) for name, value in fields.items()}, follow=True))


def test_both_ways_of_replacing_somebody_are_told_before_anything_is_changed(browser, event, draw, actor):
    late, leaving = attendance.arrive(event=event, name="Lena Late", by=actor), at(draw, 1, 0)
    url = page_for(draw, 1)
    page = page_of(browser.get(url))
    assert "here, without a seat" in page
    assert f"{out(draw).name} <small>sits out</small>" in page
    logged = LogEntry.objects.count()
    page = send(browser, url, what="replace", seat=leaving.pk, newcomer=late.pk)
    assert "The seat goes to Lena Late" in page
    assert f"Lena Late plays for {leaving.name}" in page
    play_deals(games_of(draw)[0], actor, deals=2)
    page = send(browser, url, what="replace", seat=leaving.pk, newcomer=late.pk)
    assert f"Lena Late, not {leaving.name}, gets the points of the 2 deals recorded at the table." in page
    assert f"Points scored at the seat count for {leaving.name}, and so do the 2 deals recorded so far." in page
    assert "Who moves in the standings" in page
    assert (Draw.objects.count(), LogEntry.objects.count()) == (1, logged + 2)


def test_what_was_looked_at_is_done_once_and_told(browser, event, draw, actor):
    late, leaving = attendance.arrive(event=event, name="Lena Late", by=actor), at(draw, 1, 0)
    url = page_for(draw, 1)
    fields = {"step": "do", "what": "replace", "how": "take", "seat": leaving.pk, "newcomer": late.pk, "reason": "ill"}
    for _tap in (1, 2):
        page = send(browser, url, **fields)
    assert Draw.objects.count() == 2
    assert LogEntry.objects.get(verb="seats.take").new["reason"] == "ill"
    assert f"Lena Late took the seat of {leaving.name}" in page
    seen = page_of(browser.get(url, follow=True))  # an old address leads to the table as it is now
    assert f"Lena Late has the seat of {leaving.name}." in seen
    assert "have changed since" in send(browser, url, step="do", what="move", to=9)


def test_deals_recorded_while_somebody_looked_are_asked_about(browser, event, draw, actor):
    leaving, other = at(draw, 1, 0), at(draw, 2, 0)
    play_deals(games_of(draw)[0], actor)
    url, swap = page_for(draw, 1), {"step": "do", "what": "swap", "one": leaving.pk, "other": other.pk, "sat": ""}
    assert "Deals are recorded at table 1." in send(browser, url, **swap)
    assert Draw.objects.count() == 1
    page = send(browser, url, what="swap", one=leaving.pk, other=other.pk)
    assert "1 deal is recorded at their tables. It counts for the people who sat there." in page
    send(browser, url, **swap | {"sat": "yes"})
    assert at(published(), 2, 0) == leaving


def test_a_guest_plays_for_somebody_who_has_gone_home(browser, draw):
    absent, url = at(draw, 2, 1), page_for(draw, 2)
    fields = {"what": "replace", "how": "for", "seat": absent.pk, "guest": " Ruth  Reed ", "gone": "yes"}
    assert f"Ruth Reed for {absent.name}" in send(browser, url, step="do", **fields)
    absent.refresh_from_db()
    assert absent.state == Entry.State.WITHDRAWN
    assert f"{absent.name} plays again" in page_of(browser.get(url, follow=True))
    now = page_for(published(), 2)
    assert "plays again" in send(browser, now, what="replace", seat=absent.pk, newcomer=absent.pk)
    assert "Write a name." in send(browser, now, what="replace", seat=absent.pk)


def test_a_change_is_taken_back_from_the_page(browser, draw, actor):
    way_back = "You can undo this under “Change seats” at the table."
    assert way_back in send(browser, page_for(draw, 1), step="do", what="move", to=9)
    url = page_for(published(), 9)
    assert "Table 1 is table 9." in page_of(browser.get(url))
    assert "Take back: Table 1 is table 9" in send(browser, url, what="back")
    for _tap in (1, 2):
        assert way_back not in send(browser, url, step="do", what="back")
        assert sorted(seats_in(published()).tables) == [1, 2]
    assert Draw.objects.count() == 3


def test_two_tables_get_each_others_cards_once_it_was_looked_at(browser, draw, actor):
    game, other = games_of(draw)
    url, mine, theirs = page_for(draw, 2), group_at(draw, 2), group_at(draw, 1)
    assert "Choose the other table." in send(browser, url, what="cards", other="")
    assert "No deal is recorded on either card" in send(browser, url, what="cards", other=theirs.pk)
    play_deals(game, actor, deals=2)
    looked = send(browser, url, what="cards", other=theirs.pk)
    sides = [" &amp; ".join(names) for names in mine.names + theirs.names]
    assert f"Table 2 gets the 2 deals on the card of table 1: {sides[0]} get the points under {sides[2]};" in looked
    assert "Table 1 starts again" in looked
    assert Draw.objects.count() == 1
    done = send(browser, url, step="do", what="cards", other=theirs.pk, reason="wrong card")
    assert "The cards are swapped." in done
    assert games_of(published()) == [other, game]
    assert "Tables 1 and 2 have swapped cards" in send(browser, page_for(published(), 1), what="back")
    send(browser, page_for(published(), 1), step="do", what="back")
    assert games_of(published()) == [game, other]


def test_what_was_drawn_ahead_is_named(browser, event, draw, actor):
    make_draw(stage=night_stage(event), by=actor)
    page = send(browser, page_for(draw, 1), what="swap", one=at(draw, 1, 0).pk, other=at(draw, 2, 0).pk)
    assert "The draft of Round 2 was based on it: make it again." in page
    assert "The rounds planned after it will be drawn again" in page
    assert "will be drawn again" not in send(browser, page_for(draw, 1), what="move", to=9)


def test_who_meets_again_is_told(browser, event, draw, actor):
    play_round(draw, actor)
    second = publish_next(event, actor)
    sides = [[c.entry for c in side] for groups in seats_in(draw).tables.values() for g in groups for side in g]
    here = {c.entry: n for n in (1, 2) for g in seats_in(second).tables[n] for side in g for c in side}
    a, mate = next(side for side in sides if set(side) <= set(here))
    side = next(s for n in (1, 2) for g in seats_in(second).tables[n] for s in g if a in [c.entry for c in s])
    partner = next(c.entry for c in side if c.entry != a)
    page = send(browser, page_for(second, here[partner]), what="swap", one=partner, other=mate)
    assert "Met before" in page
    assert "Meetings repeated, this round included" in page


def test_where_it_is_not_allowed_the_page_says_why(browser, club, actor):
    event = paired(club, actor, "swiss", 8)
    draw = publish_next(event, actor)
    page = send(browser, page_for(draw, 1), what="replace", seat=at(draw, 1, 0).pk, guest="Ruth Reed")
    assert "In this event partners stay together" in page
    assert "Ruth Reed plays for Player" in page
    for nonsense in ("", "x", "-1", "9999999"):
        assert "Choose another number" in send(browser, page_for(draw, 1), what="move", to=nonsense)
    play_round(draw, actor)
    assert "Round 1 is closed. Reopen it first." in page_of(browser.get(page_for(draw, 1), follow=True))
    assert "Round 1 is closed. Reopen it first." in send(browser, page_for(draw, 1), what="move", to=2)


def test_the_desk_and_the_round_lead_there_while_seats_can_change(client_of, browser, scorekeeper, event, draw, actor):
    link = page_for(draw, 1)
    desk, round_ = (
        reverse(name, args=["st-hilary", event.slug, *rest]) for name, rest in (("desk_event", []), ("round_step", [1]))
    )
    for url in (desk, round_):
        assert link in page_of(browser.get(url))
        assert link not in page_of(client_of(scorekeeper).get(url))
    for url in (reverse(name, args=["st-hilary", event.slug]) for name in ("event", "seats")):
        assert link not in page_of(client_of(None).get(url))
    play_round(draw, actor)
    for url in (desk, round_):
        assert link not in page_of(browser.get(url))


@pytest.mark.proof
def test_a_competition_leads_there_from_its_desk_and_its_draw(browser, club, actor):
    event, draw = contests.drawn_contest(club, actor)
    for n in range(8):
        add_entry(event=event, name=f"Reserve {n}", by=actor)
    link = page_for(draw, 1)
    for name, rest in (("desk_event", []), ("draw_step", [draw.pk])):
        assert link in page_of(browser.get(reverse(name, args=["st-hilary", event.slug, *rest])))
    page = page_of(browser.get(link))
    assert "Reserve 5 <small>reserve</small>" in page
    assert "Reserve 6 <small>" not in page  # the others are offered where a name is typed
    assert '<option value="Reserve 7">' in page
    leaving = at(draw, 1, 0)
    send(browser, link, step="do", what="replace", how="take", seat=leaving.pk, guest="reserve 7")
    assert Seat.objects.get(draw=published(), group__table__number=1, group__number=1, side=0).entry.name == "Reserve 7"


# Pages that were open while a seat became somebody else's, and the card that is printed again


RESERVE = "Zora Neale"


@pytest.fixture
def seats(club, actor):
    """A drawn competition in which the reserve has taken the first seat of the first table since: the event, the draw
    and the group as they were."""
    event = contest(club, actor)
    enter(event, actor, NAMES)
    reserve = add_entry(event=event, name=RESERVE, by=actor)
    draw = drawn(contests.stage_of(event, 1), actor)
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


def test_a_set_is_ended_at_the_table_as_it_is(seats, browser):
    event, _draw, group = seats
    address = reverse("end_set", args=[event.club.slug, event.slug, group.pk])
    answer = browser.get(address, follow=True)
    assert answer.status_code == 200
    assert answer.context["group"] == Group.objects.get(follows=group)
    assert RESERVE in page_of(answer)


def print_again(event):
    steps = next_steps(event_tables(event), ContestDesk(event).tasks())
    return [step for step in steps if any("cards.pdf" in action.address for action in step.actions)]


def test_the_desk_says_whose_card_to_print_again_until_a_deal_is_on_it(seats, actor, scorekeeper, client_of):
    event, draw, group = seats
    (step,) = print_again(event)
    label, now = group.label_in(event), Group.objects.get(follows=group)
    assert label in step.title
    (action,) = step.actions
    assert action.address.endswith(f"cards.pdf?draw={now_of(draw).pk}&group={now.pk}")
    (card,) = printed_cards(now_of(draw), only=now.pk)
    assert RESERVE in [name for _start, players in card.sides for _seat, name in players]
    assert client_of(scorekeeper).get(action.address).status_code == 200
    play_group(now, actor, lambda entry: entry.number)
    assert not print_again(event)
