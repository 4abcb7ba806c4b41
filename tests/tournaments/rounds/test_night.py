"""A club night: who is here, rounds, standings, closing."""

from random import Random
from uuid import uuid4

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry, Member
from lab.simulation.deals import true_deal
from scoring.cards.deals import mark_deal
from scoring.models import Game
from tests.pages import page_of
from tests.scoring.conftest import correct
from tests.tournaments.nights import (
    arrive,
    drafted,
    games_of,
    make_members,
    play_deals,
    play_night,
    play_round,
    publish_next,
)
from tournaments.draws import drafts
from tournaments.draws.drafts import as_played
from tournaments.draws.making import why_stale
from tournaments.errors import StepRefused
from tournaments.events import state
from tournaments.models import Draw, Entry, Event
from tournaments.rounds import attendance, publishing
from tournaments.standings import results as standings_results
from tournaments.standings.results import result_of
from tournaments.standings.standings import standings_of


@pytest.mark.daily(4)
@pytest.mark.parametrize("people", [4, 5, 6, 7, 9, 13, 22, 60])
def test_any_number_has_seats_for_all_but_the_remainder(event, actor, people):
    arrive(event, actor, people)
    draw = publish_next(event, actor)
    assert draw.seats.count() == people // 4 * 4
    assert draw.sit_outs.count() == people % 4
    assert [game.sides.count() for game in games_of(draw)] == [2] * (people // 4)


def test_the_plan_of_the_first_round_goes_on_while_nobody_comes_or_goes(event, actor):
    arrive(event, actor, 8)
    first = publishing.publish_draw(draw=drafted(event, actor, planned=3), by=actor)
    play_round(first, actor)
    second = drafted(event, actor, planned=3)
    assert second.seed == first.seed
    assert second.statement["plan"] == first.statement["plan"]
    assert drafted(event, actor, planned=3, seen=1).statement["plan"]["from"] == 1


def test_three_are_too_few_and_the_message_says_so(event, actor):
    arrive(event, actor, 3)
    with pytest.raises(StepRefused, match="at least 4 people; the number here is 3"):
        drafted(event, actor)
    assert not Draw.objects.exists()


def test_marking_somebody_twice_is_one_entry(event, actor):
    (member,) = make_members(event.club, 1)
    assert attendance.arrive(event=event, by=actor, member=member) == attendance.arrive(
        event=event, by=actor, member=member
    )
    assert LogEntry.objects.filter(verb="night.arrive").count() == 1


def test_a_walk_in_may_be_a_guest_or_a_new_member_or_turn_out_to_be_one(event, actor):
    (member,) = make_members(event.club, 1)
    assert attendance.arrive(event=event, by=actor, name="  Guy   Guest ").member is None
    assert attendance.arrive(event=event, by=actor, name="Nell New", join=True).member == Member.objects.get(
        name="Nell New"
    )
    assert attendance.arrive(event=event, by=actor, name="player 01").member == member


@pytest.mark.parametrize(
    ("known", "typed"),
    [
        ("María Rodríguez-Villanueva", "Maria Rodriguez-Villanueva"),
        ("María Rodríguez-Villanueva", "RODRIGUEZ VILLANUEVA, MARIA"),
        ("Pat O'Brien", "O\u2019Brien, Pat"),
        ("Łucja Sørensen", "Lucja Sorensen"),
    ],
)
def test_a_member_is_known_without_accents_and_by_the_family_name_first(event, actor, known, typed):
    member = Member.objects.create(club=event.club, name=known)
    assert attendance.arrive(event=event, by=actor, name=typed).member == member
    with pytest.raises(StepRefused, match=f"{known} is on the list already"):
        attendance.arrive(event=event, by=actor, name=typed)


def test_who_has_another_name_or_one_of_two_alike_is_a_guest(event, actor):
    for name in ("Li Wu", "José Paz", "Josè Paz"):
        Member.objects.create(club=event.club, name=name)
    assert attendance.arrive(event=event, by=actor, name="Wu Li").member is None
    assert attendance.arrive(event=event, by=actor, name="Jose Paz").member is None


def test_the_same_name_twice_is_refused_with_what_to_do(event, actor):
    attendance.arrive(event=event, by=actor, name="Guy Guest")
    with pytest.raises(StepRefused, match="Guy Guest is on the list already"):
        attendance.arrive(event=event, by=actor, name="guy guest")
    assert event.entries.count() == 1


@pytest.mark.parametrize(
    ("guest", "member"), [("\u00e9mile roy", "\u00c9mile Roy"), ("STRAUSS GRO\u00df", "Strau\u00df Gross")]
)
def test_a_member_whose_name_a_guest_has_is_refused_whatever_its_letters(event, actor, guest, member):
    there = attendance.arrive(event=event, by=actor, name=guest)
    joined = Member.objects.create(club=event.club, name=member)
    with pytest.raises(StepRefused, match=f"{there} is on the list already"):
        attendance.arrive(event=event, by=actor, member=joined)
    assert event.entries.count() == 1


def test_a_name_that_cannot_be_read_is_no_name(event, actor):
    for name in ("\u200b", "\x00", "12", " \u202e "):
        with pytest.raises(StepRefused, match="Write the name"):
            attendance.arrive(event=event, by=actor, name=name)
    assert attendance.arrive(event=event, by=actor, name="E\u0301lodie\x07 Roy\u200b").name == "\u00c9lodie Roy"
    family = "\U0001f469\u200d\U0001f467"
    assert attendance.arrive(event=event, by=actor, name=f"Jo\u200dse {family}").name == f"Jose {family}"
    with pytest.raises(StepRefused, match="is on the list already"):
        attendance.arrive(event=event, by=actor, name="\u00e9lodie roy")


def test_looking_at_the_closing_of_a_night_makes_nothing(event, director, client_of):
    page = page_of(client_of(director).get(reverse("night_close", args=["st-hilary", event.slug])))
    assert not event.stages.exists()
    assert "No round has been played yet, so there is no result." in page
    assert "Publish the result and close" not in page


def test_a_night_is_closed_with_the_standings_that_were_seen(event, actor, director, client_of):
    arrive(event, actor, 4)
    draw = publish_next(event, actor)
    (game,) = games_of(draw)
    play_deals(game, actor, deals=2)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="late")
    page, browser = reverse("night_close", args=["st-hilary", event.slug]), client_of(director)
    seen = browser.get(page).context["seen"]
    first = game.deals.order_by("number")[0]
    mark_deal(deal=first, state="void", by=actor, submission=uuid4(), seen=1, reason="misdeal")
    answer = browser.post(page, {"step": "close", "seen": seen}, follow=True)
    assert "Look at the standings again" in answer.content.decode()
    assert not event.published_standings.exists()
    browser.post(page, {"step": "close", "seen": browser.get(page).context["seen"]})
    assert event.published_standings.get().final


def test_a_reason_is_kept_as_far_as_it_fits(event, actor):
    arrive(event, actor, 4)
    draw = publish_next(event, actor)
    (game,) = games_of(draw)
    play_deals(game, actor)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="late " * 100)
    published = standings_results.publish_result(event=event, by=actor, reason="late " * 100)
    game.refresh_from_db()
    assert (len(game.reason), len(published.reason)) == (200, 200)


def test_who_leaves_has_no_seat_in_the_next_round_and_keeps_their_points(event, actor):
    arrive(event, actor, 9)
    play_round(publish_next(event, actor), actor)
    gone = event.entries.get(number=1)
    attendance.leave(entry=gone, by=actor)
    second = publish_next(event, actor)
    assert not second.seats.filter(entry=gone).exists()
    assert second.seats.count() == 8
    assert gone.pk in {row.entry for row in standings_of(state.stage_of(event)).rows}
    play_round(second, actor)
    attendance.come_back(entry=gone, by=actor)
    third = as_played(publish_next(event, actor))
    assert gone.pk in {*third.seated, *third.sit_outs}


def test_a_draft_is_stale_after_a_walk_in_and_cannot_be_published(event, actor):
    arrive(event, actor, 8)
    draft = drafted(event, actor)
    assert why_stale(draft) == ""
    attendance.arrive(event=event, by=actor, name="Late Lou")
    with pytest.raises(StepRefused, match="Late Lou came after this draw was made"):
        publishing.publish_draw(draw=draft, by=actor)
    attendance.leave(entry=Entry.objects.get(name="Late Lou"), by=actor)
    attendance.leave(entry=Entry.objects.get(name="Player 02"), by=actor)
    with pytest.raises(StepRefused, match="Player 02 left"):
        publishing.publish_draw(draw=draft, by=actor)
    assert not Game.objects.exists()


def test_publishing_twice_opens_the_games_once(event, actor):
    arrive(event, actor, 8)
    draft = drafted(event, actor)
    publishing.publish_draw(draw=draft, by=actor)
    publishing.publish_draw(draw=draft, by=actor)
    assert Game.objects.count() == 2
    assert LogEntry.objects.filter(verb="draw.publish").count() == 1


def test_the_next_round_waits_until_the_round_before_is_closed(event, actor):
    arrive(event, actor, 8)
    publish_next(event, actor)
    draft = drafted(event, actor)
    with pytest.raises(StepRefused, match="Round 1 is still open"):
        publishing.publish_draw(draw=draft, by=actor)


def test_a_round_taken_back_counts_nothing_until_the_same_draw_is_published_again(event, actor):
    arrive(event, actor, 8)
    draw = publish_next(event, actor)
    play_round(draw, actor, deals=2)
    before = standings_of(state.stage_of(event)).rows
    assert publishing.deals_of(draw) == 4
    publishing.take_back_draw(draw=draw, by=actor)
    assert standings_of(state.stage_of(event)).deals == 0
    publishing.publish_draw(draw=draw, by=actor)
    assert standings_of(state.stage_of(event)).rows == before
    assert not Draw.objects.get(pk=draw.pk).round.closed


def test_a_round_cannot_be_taken_back_under_a_later_one(event, actor):
    arrive(event, actor, 8)
    first = publish_next(event, actor)
    play_round(first, actor)
    publish_next(event, actor)
    with pytest.raises(StepRefused, match="later round is published"):
        publishing.take_back_draw(draw=first, by=actor)
    with pytest.raises(StepRefused, match="later round is published"):
        publishing.reopen_round(round=first.round, by=actor)


def test_closing_a_round_ends_open_games_only_with_a_reason(event, actor):
    arrive(event, actor, 8)
    draw = publish_next(event, actor)
    play_deals(games_of(draw)[0], actor)
    with pytest.raises(StepRefused, match="Say why"):
        publishing.close_round(round=draw.round, by=actor, end_open=True, reason=" ")
    assert {game.state for game in games_of(draw)} == {"open"}
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="Time is up")
    assert [game.state for game in games_of(draw)] == ["over", "not-played"]
    assert {game.reason for game in games_of(draw)} == {"Time is up"}


def test_a_game_left_open_can_be_finished_later_but_holds_up_the_result(event, actor):
    arrive(event, actor, 8)
    draw = publish_next(event, actor)
    play_deals(games_of(draw)[0], actor)
    publishing.close_round(round=draw.round, by=actor, end_open=False)
    with pytest.raises(StepRefused, match=r"Still being played: .*Table 1.*Table 2"):
        standings_results.publish_result(event=event, by=actor)
    play_deals(games_of(draw)[1], actor)
    publishing.reopen_round(round=draw.round, by=actor)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="Time")
    assert standings_results.publish_result(event=event, by=actor).final


def test_closing_publishes_one_version_however_often_it_is_pressed(event, actor):
    play_night(event, actor, 8)
    again = standings_results.publish_result(event=event, by=actor)
    event.refresh_from_db()
    assert (again.number, event.published_standings.count(), event.state) == (1, 1, "finished")
    with pytest.raises(StepRefused, match="This night is closed"):
        attendance.arrive(event=event, by=actor, name="Late Lou")
    with pytest.raises(StepRefused, match="This night is closed"):
        drafted(event, actor)


def test_a_correction_after_closing_is_published_as_the_next_version(event, actor):
    play_night(event, actor, 8)
    deal = games_of(drafts.played_draws(event)[0])[0].deals.get()
    old = result_of(event)
    other = next(
        facts
        for seed in range(50)
        for facts in [true_deal(deal.game.rules.family, Random(seed), deal.game.engine_rules, deals_before=0)]
        if deal.game.rules.family.score(facts, deal.game.engine_rules).totals
        != tuple(deal.versions.get().points.values_list("points", flat=True))
    )
    correct(deal, other, by=actor)
    new = standings_results.publish_result(event=event, by=actor, reason="Card of table 1 misread")
    old.refresh_from_db()
    assert (old.number, new.number) == (1, 2)
    assert old.rows != new.rows


def test_the_closing_can_be_taken_back(event, actor):
    play_night(event, actor, 8)
    standings_results.take_back_result(event=event, by=actor, reason="one more round")
    standings_results.take_back_result(event=event, by=actor)
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    assert event.published_standings.count() == 1
    assert LogEntry.objects.filter(verb="result.withdraw").count() == 1
