"""A club night: who is here, rounds, standings, closing."""

import re
from random import Random
from uuid import uuid4

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry, Member
from lab.simulation.deals import true_deal
from scoring.cards.deals import mark_deal, reopen_game
from scoring.models import Game
from tests.scoring.conftest import correct
from tests.tournaments.nights import (
    arrive,
    drafted,
    games_of,
    make_members,
    make_night,
    play_deals,
    play_night,
    play_round,
    publish_next,
    seated,
)
from tournaments.draws import drafts
from tournaments.draws.drafts import engine_round
from tournaments.draws.making import why_stale
from tournaments.errors import StepRefused
from tournaments.events import state
from tournaments.models import Draw, Entry
from tournaments.rounds import attendance, publishing
from tournaments.standings import results as standings_results
from tournaments.standings.results import result_of
from tournaments.standings.standings import standings_of


@pytest.mark.daily(4)
@pytest.mark.parametrize("people", [4, 5, 6, 7, 9, 13, 22, 60])
def test_any_number_has_seats_for_all_but_the_remainder(event, actor, people):
    draw = seated(event, actor, people)
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


def test_marking_somebody_twice_is_one_entry(event, actor):
    (member,) = make_members(event.club, 1)
    assert attendance.arrive(event=event, by=actor, member=member) == attendance.arrive(
        event=event, by=actor, member=member
    )
    assert LogEntry.objects.filter(verb="night.arrive").count() == 1


def test_a_walk_in_may_be_a_guest_or_a_new_member_or_turn_out_to_be_the_only_one_of_that_name(event, actor):
    (member,) = make_members(event.club, 1)
    assert attendance.arrive(event=event, by=actor, name="  Guy   Guest ").member is None
    assert attendance.arrive(event=event, by=actor, name="Nell New", join=True).member == Member.objects.get(
        name="Nell New"
    )
    assert attendance.arrive(event=event, by=actor, name="player 01").member == member
    for name in ("Li Wu", "José Paz", "Josè Paz"):
        Member.objects.create(club=event.club, name=name)
    assert attendance.arrive(event=event, by=actor, name="Wu Li").member is None
    assert attendance.arrive(event=event, by=actor, name="Jose Paz").member is None


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
    with pytest.raises(StepRefused, match=f"{known} is already on the list"):
        attendance.arrive(event=event, by=actor, name=typed)


def test_the_same_name_twice_is_refused_with_what_to_do(event, actor):
    attendance.arrive(event=event, by=actor, name="Guy Guest")
    with pytest.raises(StepRefused, match="Guy Guest is already on the list"):
        attendance.arrive(event=event, by=actor, name="guy guest")
    assert event.entries.count() == 1


@pytest.mark.parametrize(
    ("guest", "member"), [("\u00e9mile roy", "\u00c9mile Roy"), ("STRAUSS GRO\u00df", "Strau\u00df Gross")]
)
def test_a_member_whose_name_a_guest_has_is_refused_whatever_its_letters(event, actor, guest, member):
    there = attendance.arrive(event=event, by=actor, name=guest)
    joined = Member.objects.create(club=event.club, name=member)
    with pytest.raises(StepRefused, match=f"{there} is already on the list"):
        attendance.arrive(event=event, by=actor, member=joined)
    assert event.entries.count() == 1


def test_a_name_that_cannot_be_read_is_no_name(event, actor):
    for name in ("\u200b", "\x00", "12", " \u202e "):
        with pytest.raises(StepRefused, match="Write a name"):
            attendance.arrive(event=event, by=actor, name=name)
    assert attendance.arrive(event=event, by=actor, name="E\u0301lodie\x07 Roy\u200b").name == "\u00c9lodie Roy"
    family = "\U0001f469\u200d\U0001f467"
    assert attendance.arrive(event=event, by=actor, name=f"Jo\u200dse {family}").name == f"Jose {family}"
    with pytest.raises(StepRefused, match="is already on the list"):
        attendance.arrive(event=event, by=actor, name="\u00e9lodie roy")


def test_a_night_is_closed_with_the_standings_that_were_seen(event, actor, director, client_of):
    draw = seated(event, actor, 4)
    (game,) = games_of(draw)
    play_deals(game, actor, deals=2)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="late")
    page, browser = reverse("night_close", args=["st-hilary", event.slug]), client_of(director)
    seen = browser.get(page).context["seen"]
    first = game.deals.order_by("number")[0]
    mark_deal(deal=first, state="void", by=actor, submission=uuid4(), seen=1, reason="misdeal")
    answer = browser.post(page, {"step": "close", "seen": seen}, follow=True)
    assert "Check the standings again" in answer.content.decode()
    assert not event.published_standings.exists()
    browser.post(page, {"step": "close", "seen": browser.get(page).context["seen"]})
    assert event.published_standings.get().final


def test_a_reason_is_kept_as_far_as_it_fits(event, actor):
    draw = seated(event, actor, 4)
    (game,) = games_of(draw)
    play_deals(game, actor)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="late " * 100)
    published = standings_results.publish_result(event=event, by=actor, reason="late " * 100)
    game.refresh_from_db()
    assert (len(game.reason), len(published.reason)) == (200, 200)


def test_who_leaves_has_no_seat_in_the_next_round_and_keeps_their_points(event, actor):
    play_round(seated(event, actor, 9), actor)
    gone = event.entries.get(number=1)
    attendance.leave(entry=gone, by=actor)
    second = publish_next(event, actor)
    assert not second.seats.filter(entry=gone).exists()
    assert second.seats.count() == 8
    assert gone.pk in {row.entry for row in standings_of(state.night_stage(event)).rows}
    play_round(second, actor)
    attendance.return_to_event(entry=gone, by=actor)
    third = engine_round(publish_next(event, actor))
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


def test_publishing_twice_opens_the_games_once_and_the_next_round_waits_until_it_is_closed(event, actor):
    arrive(event, actor, 8)
    draft = drafted(event, actor)
    publishing.publish_draw(draw=draft, by=actor)
    publishing.publish_draw(draw=draft, by=actor)
    assert Game.objects.count() == 2
    assert LogEntry.objects.filter(verb="draw.publish").count() == 1
    with pytest.raises(StepRefused, match="Round 1 is still open"):
        publishing.publish_draw(draw=drafted(event, actor), by=actor)


def test_a_round_taken_back_counts_nothing_until_the_same_draw_is_published_again(event, actor):
    draw = seated(event, actor, 8)
    play_round(draw, actor, deals=2)
    before = standings_of(state.night_stage(event)).rows
    assert publishing.number_of_deals(draw) == 4
    publishing.take_back_draw(draw=draw, by=actor)
    assert standings_of(state.night_stage(event)).deals == 0
    publishing.publish_draw(draw=draw, by=actor)
    assert standings_of(state.night_stage(event)).rows == before
    assert not Draw.objects.get(pk=draw.pk).round.closed


def test_a_round_cannot_be_taken_back_under_a_later_one(event, actor):
    first = seated(event, actor, 8)
    play_round(first, actor)
    publish_next(event, actor)
    with pytest.raises(StepRefused, match="later round is published"):
        publishing.take_back_draw(draw=first, by=actor)
    with pytest.raises(StepRefused, match="later round is published"):
        publishing.reopen_round(round=first.round, by=actor)


def test_closing_a_round_ends_open_games_only_with_a_reason(event, actor):
    draw = seated(event, actor, 8)
    play_deals(games_of(draw)[0], actor)
    with pytest.raises(StepRefused, match="Say why"):
        publishing.close_round(round=draw.round, by=actor, end_open=True, reason=" ")
    assert {game.state for game in games_of(draw)} == {"open"}
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="Time is up")
    assert [game.state for game in games_of(draw)] == ["over", "not-played"]
    assert {game.reason for game in games_of(draw)} == {"Time is up"}


def test_a_game_left_open_can_be_finished_later_but_holds_up_the_result(event, actor):
    draw = seated(event, actor, 8)
    play_deals(games_of(draw)[0], actor)
    publishing.close_round(round=draw.round, by=actor, end_open=False)
    with pytest.raises(StepRefused, match=r"Still being played: .*Table 1.*Table 2"):
        standings_results.publish_result(event=event, by=actor)
    play_deals(games_of(draw)[1], actor)
    publishing.reopen_round(round=draw.round, by=actor)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="Time")
    assert standings_results.publish_result(event=event, by=actor).final


def test_closing_publishes_one_version_however_often_it_is_pressed_and_can_be_taken_back(event, actor):
    play_night(event, actor, 8)
    again = standings_results.publish_result(event=event, by=actor)
    event.refresh_from_db()
    assert (again.number, event.published_standings.count(), event.state) == (1, 1, "finished")
    with pytest.raises(StepRefused, match="This night is closed"):
        attendance.arrive(event=event, by=actor, name="Late Lou")
    with pytest.raises(StepRefused, match="This night is closed"):
        drafted(event, actor)
    for _tap in range(2):
        standings_results.take_back_result(event=event, by=actor, reason="one more round")
    event.refresh_from_db()
    assert (event.published_standings.count(), event.state) == (1, "running")
    assert LogEntry.objects.filter(verb="result.withdraw").count() == 1


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


# The pages: who sees them, what they say, what is sent from them


def pages(event):
    base = f"/st-hilary/desk/{event.slug}/"
    return [base + "here/", base + "rounds/draw/", base + "rounds/1/", base + "close/"]


def test_what_keeps_the_night_open_is_named_where_it_is_closed(event, actor, browser):
    close = pages(event)[3]
    draw = seated(event, actor, 8)
    page = browser.get(close).content.decode()
    assert 'href="/st-hilary/desk/friday/rounds/1/#close"' in page
    assert "Publish the result and close" not in page
    publishing.close_round(round=draw.round, by=actor, end_open=False)
    page = browser.get(close).content.decode()
    for table, game in enumerate(games_of(draw), start=1):
        assert f'/games/{game.pk}/?back=%2Fst-hilary%2Fdesk%2Ffriday%2Fclose%2F">Table {table} of round 1</a>' in page
    assert 'href="/st-hilary/desk/friday/open-games/"' in page
    assert "Publish the result and close" not in page
    publishing.reopen_round(round=draw.round, by=actor)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="Time")
    page = browser.get(close).content.decode()
    assert "Publish the result and close" in page
    assert "still open" not in page


def test_a_round_opened_again_names_the_games_that_stay_ended(event, actor, browser):
    round_one = pages(event)[2]
    draw = seated(event, actor, 8)
    game = games_of(draw)[1]
    play_deals(game, actor)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="Time")
    page = browser.post(round_one, {"step": "reopen"}, follow=True).content.decode()
    assert "Round 1 is open again. 2 games were ended early, and stay ended until you continue them." in page
    assert f'/games/{game.pk}/?back=%2Fst-hilary%2Fdesk%2Ffriday%2Frounds%2F1%2F">{game}</a></li>' in page
    for ended in games_of(draw):
        reopen_game(game=ended, by=actor, reason="We play on")
    publishing.close_round(round=draw.round, by=actor, end_open=False)
    page = browser.post(round_one, {"step": "reopen"}, follow=True).content.decode()
    assert re.search(r"Round 1 is open again\.\s*<", page)
    assert "ended early" not in page


def test_a_night_that_is_closed_early_says_what_is_left_out(event, actor, browser):
    close = pages(event)[3]
    draw = seated(event, actor, 4)
    play_round(draw, actor)
    draw = publish_next(event, actor)
    play_deals(games_of(draw)[0], actor)
    publishing.take_back_draw(draw=draw, by=actor)
    context = browser.get(close).context
    assert (context["played"], context["planned"], context["taken_back"]) == (1, 3, [("Round 2", 1)])


def test_a_walk_in_whose_name_sounds_like_a_members_is_asked_about(event, actor, browser):
    here = pages(event)[0]
    anne, liam = (Member.objects.create(club=event.club, name=name) for name in ("Anne Byrne", "Liam Moran"))
    attendance.arrive(event=event, by=actor, member=anne)
    (doubt,) = browser.post(here, {"name": "Ann Byrne"}).context["doubts"]
    assert not doubt.answer
    browser.post(here, {"name": "Ann Byrne", doubt.asked: "same"})
    (doubt,) = browser.post(here, {"name": "Moron, Liam"}).context["doubts"]
    assert doubt.name == "Liam Moron"
    browser.post(here, {"name": "Moron, Liam", doubt.asked: "same"})
    assert [entry.member for entry in event.entries.order_by("number")] == [anne, liam]
    browser.post(here, {"name": "Quinn, Zoe"})
    (doubt,) = browser.post(here, {"name": "Zoe Quin", "join": "1"}).context["doubts"]
    browser.post(here, {"name": "Zoe Quin", doubt.asked: "other"})
    assert [entry.name for entry in event.entries.order_by("number")[2:]] == ["Zoe Quinn", "Zoe Quin"]


def test_what_was_chosen_stays_when_closing_a_round_is_refused_and_the_reason_has_no_address_as_its_help(
    event, actor, browser
):
    seated(event, actor, 8)
    address = reverse("round_step", args=[event.club.slug, event.slug, 1])
    answer = browser.post(address, {"step": "close", "games": "end", "reason": ""})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Say why the games are ended" in page
    assert re.search(r'value="end"[^>]* checked', page)
    assert not re.search(r'value="open"[^>]* checked', page)
    assert 'class="help-link"' in page
    assert 'name="reason"' in page
    assert '<p class="help">/' not in page
    page = browser.post(address, {"step": "take-back"}, follow=True).content.decode()
    assert ("Round 1 is taken back." in page, "0 deals" in page) == (True, False)


def test_here_without_and_with_htmx(event, browser):
    here = pages(event)[0]
    (member,) = make_members(event.club, 1)
    whole = browser.get(here, {"q": "player"}).content.decode()
    assert "<html" in whole
    assert f'name="member" value="{member.pk}"' in whole
    part = browser.post(here, {"member": member.pk}, headers={"HX-Request": "true"}).content.decode()
    assert re.findall('id="p-(.*?)"', part) == [f"m{member.pk}"]  # the others' names stay as they are
    assert "<html" not in part
    assert "1 person here" in part
    assert 'aria-pressed="true"' in part
    assert "Nobody called zzz" in browser.get(here, {"q": "zzz"}).content.decode()
    Member.objects.create(club=event.club, name="María Ruiz")
    assert "María Ruiz" in browser.get(here, {"q": "maria"}).content.decode()
    browser.post(here, {"name": "Guy Guest"})
    again = browser.post(here, {"name": "Guy Guest"}, follow=True)
    assert "Guy Guest is already on the list" in again.content.decode()


def test_taking_a_round_back_says_how_many_deals_stop_counting(event, actor, browser):
    draw = seated(event, actor, 4)
    play_deals(games_of(draw)[0], actor, 2)
    round_one = pages(event)[2]
    assert "2 deals are recorded in its games" in browser.get(round_one).content.decode()
    page = browser.post(round_one, {"step": "take-back"}, follow=True).content.decode()
    assert "2 deals count again" in page
    page = browser.get(pages(event)[1]).content.decode()
    assert "This draw was taken back" in page


def test_ids_of_another_event_are_not_found(event, club, actor, browser):
    other = make_night(club, event.rules, slug="other")
    arrive(other, actor, 4)
    foreign = drafted(other, actor)
    assert browser.post(pages(event)[1], {"step": "publish", "draw": foreign.pk}).status_code == 404
    assert browser.post(pages(event)[0], {"left": other.entries.get(number=1).pk}).status_code == 404
    assert browser.post(pages(event)[0], {"member": "x"}).status_code == 404


def test_the_page_of_a_round_takes_only_the_steps_that_it_offers(event, actor, browser):
    arrive(event, actor, 4)
    draft = drafted(event, actor)
    page = reverse("round_step", args=[event.club.slug, event.slug, draft.round.number])
    answer = browser.post(page, {"step": "publish"})
    draft.refresh_from_db()
    assert (answer.status_code, draft.state) == (400, Draw.State.DRAFT)


@pytest.mark.parametrize("people", [12, 13])
def test_who_is_here_leads_on_to_the_next_draw_with_any_number_of_people(event, club, actor, browser, people):
    arrive(event, actor, people)
    page = browser.get(reverse("here", args=[club.slug, event.slug])).content.decode()
    assert reverse("round_draw", args=[club.slug, event.slug]) in page
