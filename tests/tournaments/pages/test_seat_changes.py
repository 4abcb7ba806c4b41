"""The page on which a director changes seats in the middle of a round: what it offers, says, and does."""

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from tests.pages import page_of
from tests.tournaments import contests
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, play_round, publish_next, queries_of
from tests.tournaments.seats import at, out
from tournaments.draws.drafts import seated_in
from tournaments.draws.making import make_draw
from tournaments.entries import partners
from tournaments.entries.actions import add_entry
from tournaments.events.state import stage_of
from tournaments.models import Draw, Entry, Event, Group, Seat
from tournaments.rounds import attendance


@pytest.fixture
def night(club, rules_for):
    return make_night(club, rules_for("st-hilary-v3"))


@pytest.fixture
def draw(night, actor):
    arrive(night, actor, 9)
    return publish_next(night, actor)


@pytest.fixture
def by_dora(client_of, director):
    return client_of(director)


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


def test_both_ways_of_replacing_somebody_are_told_before_anything_is_changed(by_dora, night, draw, actor):
    late, leaving = attendance.arrive(event=night, name="Lena Late", by=actor), at(draw, 1, 0)
    url = page_for(draw, 1)
    page = page_of(by_dora.get(url))
    assert "No deal is recorded here yet." in page
    assert "here, without a seat" in page
    assert f"{out(draw).name} <small>sits out</small>" in page
    logged = LogEntry.objects.count()
    page = send(by_dora, url, what="replace", seat=leaving.pk, newcomer=late.pk)
    assert "Nothing is changed yet." in page
    assert "The seat goes to Lena Late" in page
    assert f"{leaving.name} is marked as gone" in page
    assert f"Lena Late plays for {leaving.name}" in page
    assert "Print the card of table 1 and the list of seats again." in page
    assert (Draw.objects.count(), LogEntry.objects.count()) == (1, logged)
    play_deals(games_of(draw)[0], actor, deals=2)
    page = send(by_dora, url, what="replace", seat=leaving.pk, newcomer=late.pk)
    assert "Lena Late has sat there since the first deal" in page
    assert f"Lena Late, not {leaving.name}, gets the points of the 2 deals recorded at the table." in page
    assert f"What is scored at the seat counts for {leaving.name}, as do the 2 deals recorded so far." in page
    assert "Who moves in the standings" in page
    assert Draw.objects.count() == 1


def test_what_was_looked_at_is_done_once_and_told(by_dora, night, draw, actor):
    late, leaving = attendance.arrive(event=night, name="Lena Late", by=actor), at(draw, 1, 0)
    url = page_for(draw, 1)
    fields = {"step": "do", "what": "replace", "how": "take", "seat": leaving.pk, "newcomer": late.pk, "reason": "ill"}
    for _tap in (1, 2):
        page = send(by_dora, url, **fields)
        assert "Print the card of table 1 and the list of seats again." in page
    assert Draw.objects.count() == 2
    assert LogEntry.objects.get(verb="seats.take").new["reason"] == "ill"
    assert f"Lena Late took the seat of {leaving.name}" in page
    seen = page_of(by_dora.get(url, follow=True))  # an old address leads to the table as it is now
    assert f"Lena Late has the seat of {leaving.name}." in seen
    assert "have changed since" in send(by_dora, url, step="do", what="move", to=9)


def test_deals_recorded_while_somebody_looked_are_asked_about(by_dora, night, draw, actor):
    late, leaving, other = attendance.arrive(event=night, name="Lena", by=actor), at(draw, 1, 0), at(draw, 2, 0)
    play_deals(games_of(draw)[0], actor)
    url = page_for(draw, 1)
    take = {"step": "do", "what": "replace", "how": "take", "seat": leaving.pk, "newcomer": late.pk, "sat": ""}
    assert "Deals are recorded at table 1." in send(by_dora, url, **take)
    swap = {"step": "do", "what": "swap", "one": leaving.pk, "other": other.pk, "sat": ""}
    assert "Deals are recorded at table 1." in send(by_dora, url, **swap)
    assert Draw.objects.count() == 1
    page = send(by_dora, url, what="swap", one=leaving.pk, other=other.pk)
    assert "1 deal is recorded at their tables. It counts for those who sat there." in page
    send(by_dora, url, **swap | {"sat": "yes"})
    assert at(published(), 2, 0) == leaving


def test_a_guest_plays_for_somebody_who_has_gone_home(by_dora, draw):
    absent, url = at(draw, 2, 1), page_for(draw, 2)
    page = send(by_dora, url, what="replace", seat=absent.pk, guest=" Ruth  Reed ")
    assert f"{absent.name} has gone home: no seat in the next draw" in page
    fields = {"what": "replace", "how": "for", "seat": absent.pk, "guest": "Ruth Reed", "gone": "yes"}
    page = send(by_dora, url, step="do", **fields)
    assert f"Ruth Reed for {absent.name}" in page
    absent.refresh_from_db()
    assert absent.state == Entry.State.WITHDRAWN
    page = page_of(by_dora.get(url, follow=True))
    assert f"{absent.name} plays again" in page
    assert "plays again" in send(by_dora, page_for(published(), 2), what="replace", seat=absent.pk, newcomer=absent.pk)
    assert "Write the name of the person who comes." in send(
        by_dora, page_for(published(), 2), what="replace", seat=absent.pk
    )


def test_a_change_is_taken_back_from_the_page(by_dora, draw, actor):
    way_back = "You can undo this under “Change seats” at the table."
    assert way_back in send(by_dora, page_for(draw, 1), step="do", what="move", to=9)
    url = page_for(published(), 9)
    assert "Table 1 is table 9." in page_of(by_dora.get(url))
    assert "Take back: Table 1 is table 9" in send(by_dora, url, what="back")
    for _tap in (1, 2):
        assert way_back not in send(by_dora, url, step="do", what="back")
        assert sorted(seated_in(published()).tables) == [1, 2]
    assert Draw.objects.count() == 3


def test_two_tables_get_each_others_cards_once_it_was_looked_at(by_dora, draw, actor):
    game, other = games_of(draw)
    url, mine, theirs = page_for(draw, 2), group_at(draw, 2), group_at(draw, 1)
    assert "Choose the other table." in send(by_dora, url, what="cards", other="")
    assert "No deal is recorded on either card" in send(by_dora, url, what="cards", other=theirs.pk)
    play_deals(game, actor, deals=2)
    looked = send(by_dora, url, what="cards", other=theirs.pk)
    sides = [" &amp; ".join(names) for names in mine.names + theirs.names]
    assert f"Table 2 gets the 2 deals on the card of table 1: {sides[0]} get the points under {sides[2]};" in looked
    assert "Table 1 starts again" in looked
    assert Draw.objects.count() == 1
    done = send(by_dora, url, step="do", what="cards", other=theirs.pk, reason="wrong card")
    assert "The cards are exchanged." in done
    assert games_of(published()) == [other, game]
    assert "Tables 1 and 2 have exchanged their cards" in send(by_dora, page_for(published(), 1), what="back")
    send(by_dora, page_for(published(), 1), step="do", what="back")
    assert games_of(published()) == [game, other]


def test_what_was_drawn_ahead_is_named(by_dora, night, draw, actor):
    make_draw(stage=stage_of(night), by=actor)
    page = send(by_dora, page_for(draw, 1), what="swap", one=at(draw, 1, 0).pk, other=at(draw, 2, 0).pk)
    assert "The draft of Round 2 was made from it: make it again." in page
    assert "The rounds planned after it will be drawn again" in page
    page = send(by_dora, page_for(draw, 1), what="move", to=9)
    assert "Print the cards of tables 1 and 9 and the list of seats again." in page
    assert "will be drawn again" not in page


def test_who_meets_again_is_told(by_dora, night, draw, actor):
    play_round(draw, actor)
    second = publish_next(night, actor)
    sides = [[c.entry for c in side] for groups in seated_in(draw).tables.values() for g in groups for side in g]
    here = {c.entry: n for n in (1, 2) for g in seated_in(second).tables[n] for side in g for c in side}
    a, mate = next(side for side in sides if set(side) <= set(here))
    side = next(s for n in (1, 2) for g in seated_in(second).tables[n] for s in g if a in [c.entry for c in s])
    partner = next(c.entry for c in side if c.entry != a)
    page = send(by_dora, page_for(second, here[partner]), what="swap", one=partner, other=mate)
    assert "Met before" in page
    assert "partners" in page
    assert "Meetings repeated, this round included" in page


def test_where_it_is_not_allowed_the_page_says_why(by_dora, club, actor, rules_for):
    event = make_night(club, rules_for("st-hilary-v3"), slug="swiss", format=Event.Format.SWISS)
    arrive(event, actor, 8)
    partners.join_rest(event=event, by=actor, seed=1)
    draw = publish_next(event, actor)
    page = send(by_dora, page_for(draw, 1), what="replace", seat=at(draw, 1, 0).pk, guest="Ruth Reed")
    assert "In this event the same people score together all along" in page
    assert "Ruth Reed plays for Player" in page
    assert "without a gap" in send(by_dora, page_for(draw, 1), what="move", to=9)
    for nonsense in ("", "x", "-1", "9999999"):
        assert "Choose another number" in send(by_dora, page_for(draw, 1), what="move", to=nonsense)
    play_round(draw, actor)
    assert "Round 1 is closed. Open it again first." in page_of(by_dora.get(page_for(draw, 1), follow=True))
    assert "Round 1 is closed. Open it again first." in send(by_dora, page_for(draw, 1), what="move", to=2)


def test_the_desk_and_the_round_lead_there_while_seats_can_change(client_of, by_dora, scorekeeper, night, draw, actor):
    link = page_for(draw, 1)
    desk, round_ = (
        reverse(name, args=["st-hilary", night.slug, *rest]) for name, rest in (("desk_event", []), ("round_step", [1]))
    )
    for url in (desk, round_):
        assert link in page_of(by_dora.get(url))
        assert link not in page_of(client_of(scorekeeper).get(url))
    for url in (reverse(name, args=["st-hilary", night.slug]) for name in ("event", "seats")):
        assert link not in page_of(client_of(None).get(url))
    play_round(draw, actor)
    for url in (desk, round_):
        assert link not in page_of(by_dora.get(url))


@pytest.mark.proof
def test_a_competition_leads_there_from_its_desk_and_its_draw(by_dora, club, actor):
    event = contests.contest(club, actor)
    contests.enter(event, actor)
    for n in range(8):
        add_entry(event=event, name=f"Reserve {n}", by=actor)
    draw = contests.drawn(contests.stage_of(event, 1), actor)
    link = page_for(draw, 1)
    for name, rest in (("desk_event", []), ("draw_step", [draw.pk])):
        assert link in page_of(by_dora.get(reverse(name, args=["st-hilary", event.slug, *rest])))
    page = page_of(by_dora.get(link))
    assert "Reserve 5 <small>reserve</small>" in page
    assert "Reserve 6 <small>" not in page  # the others are offered where a name is typed
    assert '<option value="Reserve 7">' in page
    leaving = at(draw, 1, 0)
    send(by_dora, link, step="do", what="replace", how="take", seat=leaving.pk, guest="reserve 7")
    assert Seat.objects.get(draw=published(), group__table__number=1, group__number=1, side=0).entry.name == "Reserve 7"


def test_the_page_takes_as_many_queries_for_many_as_for_few(by_dora, night, draw, actor):
    few = queries_of(by_dora, page_for(draw, 1))
    for n in range(12):
        attendance.arrive(event=night, name=f"Late {n}", by=actor)
    assert queries_of(by_dora, page_for(draw, 1)) == few
