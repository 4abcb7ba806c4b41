"""The pages of a club night: who sees them, what they say, what is sent from them."""

import re

import pytest
from django.urls import reverse

from clubsite.accounts.models import Member
from scoring.cards.deals import reopen_game
from tests.tournaments.nights import (
    arrive,
    drafted,
    games_of,
    make_members,
    make_night,
    play_deals,
    play_round,
    publish_next,
    queries_of,
)
from tournaments.models import Draw
from tournaments.rounds import attendance, publishing


def pages(event):
    base = f"/st-hilary/desk/{event.slug}/"
    return [base + "here/", base + "rounds/draw/", base + "rounds/1/", base + "close/"]


def begun(event, by, people):
    arrive(event, by, people)
    return publish_next(event, by)


@pytest.mark.proof
def test_the_whole_night_by_clicking(event, actor, director, client_of):
    browser, (here, draw, round_one, close) = client_of(director), pages(event)
    for member in make_members(event.club, 8):
        assert browser.post(here, {"member": member.pk}, follow=True).status_code == 200
    page = browser.post(here, {"name": "Walter Walk-in"}, follow=True)
    assert "9 people here" in page.content.decode()
    page = browser.post(draw, {"step": "make", "planned": "3"}, follow=True).content.decode()
    assert "Nobody has the same partner twice." in page
    draft = Draw.objects.get()
    browser.post(draw, {"step": "publish", "draw": draft.pk})
    desk = browser.get(event.get_desk_url()).content.decode()
    assert "Round 1 is being played" in desk
    assert "Sitting out this round:" in desk
    for game in games_of(draft):
        assert f"/st-hilary/games/{game.pk}/?back=%2Fst-hilary%2Fdesk%2Ffriday%2F" in desk
        play_deals(game, actor)
    browser.post(round_one, {"step": "close", "games": "end", "reason": "time"})
    assert "Draw round 2, or close the night" in browser.get(event.get_desk_url()).content.decode()
    seen = browser.get(close).context["seen"]
    page = browser.post(close, {"step": "close", "seen": seen}, follow=True).content.decode()
    assert "The result is published." in page
    assert "Result of" in page


def test_what_keeps_the_night_open_is_named_where_it_is_closed(event, actor, director, client_of):
    browser, close = client_of(director), pages(event)[3]
    draw = begun(event, actor, 8)
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


def test_a_round_opened_again_names_the_games_that_stay_ended(event, actor, director, client_of):
    browser, round_one = client_of(director), pages(event)[2]
    draw = begun(event, actor, 8)
    game = games_of(draw)[1]
    play_deals(game, actor)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="Time")
    page = browser.post(round_one, {"step": "reopen"}, follow=True).content.decode()
    assert "Round 1 is open again. 2 games were ended early, and stay so until you go on with them." in page
    assert f'/games/{game.pk}/?back=%2Fst-hilary%2Fdesk%2Ffriday%2Frounds%2F1%2F">{game}</a></li>' in page
    for ended in games_of(draw):
        reopen_game(game=ended, by=actor, reason="We play on")
    publishing.close_round(round=draw.round, by=actor, end_open=False)
    page = browser.post(round_one, {"step": "reopen"}, follow=True).content.decode()
    assert re.search(r"Round 1 is open again\.\s*<", page)
    assert "ended early" not in page


def test_a_draw_taken_back_without_deals_speaks_of_none(event, actor, director, client_of):
    begun(event, actor, 8)
    page = client_of(director).post(pages(event)[2], {"step": "take-back"}, follow=True).content.decode()
    assert "Round 1 is taken back." in page
    assert "0 deals" not in page


def test_a_night_that_is_closed_early_says_what_is_left_out(event, actor, director, client_of):
    close = pages(event)[3]
    draw = begun(event, actor, 4)
    play_round(draw, actor)
    draw = publish_next(event, actor)
    play_deals(games_of(draw)[0], actor)
    publishing.take_back_draw(draw=draw, by=actor)
    context = client_of(director).get(close).context
    assert (context["played"], context["planned"], context["taken_back"]) == (1, 3, [("Round 2", 1)])


def test_a_walk_in_whose_name_sounds_like_a_members_is_asked_about(event, actor, director, client_of):
    browser, here = client_of(director), pages(event)[0]
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


def test_a_box_for_a_reason_has_no_address_as_its_help(event, actor, director, client_of):
    begun(event, actor, 4)
    page = client_of(director).get(pages(event)[2]).content.decode()
    assert 'class="help-link"' in page
    assert 'name="reason"' in page
    assert '<p class="help">/' not in page


def test_what_was_chosen_stays_when_closing_a_round_is_refused(event, actor, director, client_of):
    begun(event, actor, 8)
    address = reverse("round_step", args=[event.club.slug, event.slug, 1])
    answer = client_of(director).post(address, {"step": "close", "games": "end", "reason": ""})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Say why the games still open are ended" in page
    assert re.search(r'value="end"[^>]* checked', page)
    assert not re.search(r'value="open"[^>]* checked', page)


def test_here_without_and_with_htmx(event, director, client_of):
    browser, here = client_of(director), pages(event)[0]
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


def test_a_name_twice_has_its_message_on_the_page(event, director, client_of):
    browser, here = client_of(director), pages(event)[0]
    browser.post(here, {"name": "Guy Guest"})
    page = browser.post(here, {"name": "Guy Guest"}, follow=True).content.decode()
    assert "Guy Guest is on the list already" in page
    assert event.entries.count() == 1


def test_taking_a_round_back_says_how_many_deals_stop_counting(event, actor, director, client_of):
    draw = begun(event, actor, 4)
    play_deals(games_of(draw)[0], actor, 2)
    browser, round_one = client_of(director), pages(event)[2]
    assert "2 deals are recorded in its games" in browser.get(round_one).content.decode()
    page = browser.post(round_one, {"step": "take-back"}, follow=True).content.decode()
    assert "2 deals count again" in page
    page = browser.get(pages(event)[1]).content.decode()
    assert "This draw was taken back" in page


def test_ids_of_another_event_are_not_found(event, club, actor, director, client_of):
    other = make_night(club, event.rules, slug="other")
    arrive(other, actor, 4)
    foreign = drafted(other, actor)
    browser = client_of(director)
    assert browser.post(pages(event)[1], {"step": "publish", "draw": foreign.pk}).status_code == 404
    assert browser.post(pages(event)[0], {"left": other.entries.get(number=1).pk}).status_code == 404
    assert browser.post(pages(event)[0], {"member": "x"}).status_code == 404


def test_queries_do_not_grow_with_tables(event, club, actor, director, client_of):
    browser = client_of(director)
    counts = []
    for slug, people in (("few", 8), ("many", 24)):
        one = make_night(club, event.rules, slug=slug)
        draw = begun(one, actor, people)
        for game in games_of(draw):
            play_deals(game, actor)
        publishing.close_round(round=draw.round, by=actor, end_open=False)
        drafted(one, actor)
        counts.append([queries_of(browser, page) for page in (*pages(one), one.get_desk_url())])
    assert counts[0] == counts[1]


def test_the_page_of_a_round_takes_only_the_steps_that_it_offers(event, actor, director, client_of):
    arrive(event, actor, 4)
    draft = drafted(event, actor)
    page = reverse("round_step", args=[event.club.slug, event.slug, draft.round.number])
    answer = client_of(director).post(page, {"step": "publish"})
    draft.refresh_from_db()
    assert (answer.status_code, draft.state) == (400, Draw.State.DRAFT)


@pytest.mark.parametrize("people", [12, 13])
def test_who_is_here_leads_on_to_the_next_draw_with_any_number_of_people(
    club, actor, director, client_of, rules_for, people
):
    event = make_night(club, rules_for("st-hilary-v3"))
    arrive(event, actor, people)
    page = client_of(director).get(reverse("here", args=[club.slug, event.slug])).content.decode()
    assert reverse("round_draw", args=[club.slug, event.slug]) in page
