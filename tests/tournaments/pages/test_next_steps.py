"""What to do next: each rule where it stands and where it doesn't, one tap from where it is solved."""

from datetime import timedelta
from random import Random
from uuid import uuid4

import pytest
from django.utils.translation import override

from clubsite.accounts.models import Actor, Club
from lab.simulation.deals import true_deal
from scoring.cards.deals import end_game, record_deal
from scoring.engine.points_only import PointsDeal
from scoring.families.deal_form import EnteredDeal
from scoring.models import Deal, Game
from scoring.wording import ENDED_BY
from tests.pages import page_of
from tests.tournaments.contests import deal as play_deal, drawn_contest, play_group
from tests.tournaments.draws.test_by_format import paired
from tests.tournaments.nights import arrive, make_night, play_deals, play_night, play_round, publish_next, queries_of
from tests.tournaments.pages.steps import ago, begun, mark, minutes_ago, played_ago, task, tasks, titles
from tournaments.draws.round_views import latest_round
from tournaments.entries.actions import withdraw
from tournaments.events.actions import call_off
from tournaments.models import Draw, Event, Group, RoundClock
from tournaments.pages.at_tables import event_tables
from tournaments.pages.next_steps import NightProgress, Urgency, next_steps, night_step
from tournaments.rounds import attendance, clock as clocks
from tournaments.rounds.seat_changes import Newcomer, play_for
from tournaments.table_links import links

# Disputes


def test_a_dispute_comes_first_with_what_the_table_says_and_leads_to_its_deal(event, actor):
    games = begun(event, actor)
    play_deals(games[2], actor, deals=4)
    deal = Deal.objects.get(game=games[2], number=4)
    mark(deal, actor, "disputed", "we counted 24")
    first = tasks(event)[0]
    assert first.urgency == Urgency.NOW
    assert first.title == "Round 1, table 3, deal 4, is disputed"
    assert "we counted 24" in first.words
    assert first.actions[0].address.startswith(f"/st-hilary/deals/{deal.pk}/")
    mark(deal, actor, "agreed")
    assert "disputed" not in titles(event)


def test_a_dispute_marked_by_a_tables_link_names_the_table_in_the_readers_language(event, actor):
    games = begun(event, actor, people=4)
    play_deals(games[0], actor)
    mark(Deal.objects.get(), Actor(user=None, name="Table 1", route="table"), "disputed")
    assert "Marked by table 1 at " in tasks(event)[0].words
    with override("es"):
        assert "Marcado por la mesa 1 a las " in tasks(event)[0].words


def test_a_dispute_of_a_closed_round_stays_on_the_desk(event, actor):
    games = begun(event, actor, people=4)
    play_deals(games[0], actor)
    mark(Deal.objects.get(), actor, "disputed")
    end_game(game=games[0], by=actor, reason="time")
    Draw.objects.get().round.__class__.objects.update(closed=True)
    assert "Round 1, table 1, deal 1, is disputed" in titles(event)


def test_a_round_with_a_dispute_is_not_closed_by_one_tap(event, actor):
    (game,) = begun(event, actor, people=4)
    play_deals(game, actor)
    end_game(game=game, by=actor, reason="time")
    assert task(event, "Close round 1").actions[0].post == {"step": "close", "games": "open"}
    mark(Deal.objects.get(), actor, "disputed")
    (action,) = task(event, "Close round 1").actions
    assert (action.post, action.address) == (None, "/st-hilary/desk/friday/rounds/1/#close")


# Silence


@pytest.mark.parametrize(
    ("minutes", "silent"), [((3, 4, 5, 16), [4]), ((45, 45, 45, 45), [])], ids=["one of four", "all alike"]
)
def test_a_table_is_silent_when_the_others_had_deals_since(event, actor, minutes, silent):
    games = begun(event, actor)
    played_ago(games, actor, minutes)
    assert [n for n, table in enumerate(event_tables(event).tables, start=1) if table.state == "silent"] == silent
    for number in silent:
        found = task(event, f"Table {number} is silent")
        assert "no deal for 16\xa0minutes, the others for 4" in found.words
        assert found.actions[0].address.startswith(f"/st-hilary/games/{games[number - 1].pk}/")
        end_game(game=games[number - 1], by=actor, reason="time")
    assert "silent" not in titles(event)


def test_a_table_without_a_deal_is_silent_by_the_first_deal_of_the_round(event, actor):
    games = begun(event, actor)
    Draw.objects.update(published_at=minutes_ago(3000))  # the day before
    assert "silent" not in titles(event)
    for game, minutes in zip(games[:3], (2, 3, 4), strict=True):
        play_deals(game, actor, deals=2)
        ago(game, 1, 30)
        ago(game, 2, minutes)
    assert "no deal for 30\xa0minutes" in task(event, "Table 4 is silent").words


def test_the_last_table_is_held_against_the_pace_of_the_round(event, actor):
    games = begun(event, actor, people=8)
    play_deals(games[0], actor, deals=3)
    for number, minutes in ((1, 40), (2, 33), (3, 26)):
        ago(games[0], number, minutes)
    end_game(game=games[0], by=actor, reason="time")
    play_deals(games[1], actor)
    ago(games[1], 1, 16)
    assert "silent" not in titles(event)
    ago(games[1], 1, 18)
    words = task(event, "Table 2 is silent").words
    assert words.count("minutes") == 2
    assert "18\xa0minutes" in words
    assert "7\xa0minutes" in words


def test_deals_that_were_keyed_in_one_go_tell_no_pace(event, actor):
    (game,) = begun(event, actor, people=4)
    play_deals(game, actor, deals=3)
    for number in (1, 2, 3):
        ago(game, number, 26)
    assert "silent" not in titles(event)
    ago(game, 1, 31)
    assert "silent" in titles(event)


def test_a_correction_is_no_sign_of_play(event, actor):
    games = begun(event, actor)
    played_ago(games, actor, (3, 4, 5, 30))
    mark(Deal.objects.get(game=games[3]), actor, "agreed")
    assert "Table 4 is silent" in titles(event)


# Figures twice


def test_the_same_figures_twice_running_are_asked_about_until_agreed_or_void(event, actor):
    game = begun(event, actor)[0]
    facts = true_deal(game.rules.family, Random(3), game.engine_rules, deals_before=0)
    for number in (1, 2):
        record_deal(game=game, number=number, entered=EnteredDeal(facts, sure=True), by=actor, submission=uuid4())
    second = Deal.objects.get(number=2)
    found = task(event, "deals 1 and 2 have the same figures")
    assert found.urgency == Urgency.SOON
    assert found.actions[0].address.startswith(f"/st-hilary/deals/{second.pk}/")
    mark(second, actor, "agreed")
    assert "same figures" not in titles(event)
    mark(second, actor, "void", "entered twice")
    assert "same figures" not in titles(event)


@pytest.mark.daily(1)
@pytest.mark.parametrize(("slug", "least"), [("whist-drive", 4), ("points-only", 2), ("euchre", 6)])
def test_a_game_of_few_figures_is_asked_about_later(club, actor, rules_for, slug, least):
    """In whist the same tricks twice running are usual: it fired four times a night."""
    event = make_night(club, rules_for(slug))
    game = begun(event, actor)[0]
    points = {"whist-drive": (8, 5), "points-only": (8, 5), "euchre": (1, 0)}[slug]
    for number in range(1, least + 1):
        assert "same figures" not in titles(event)
        entered = EnteredDeal(PointsDeal(points=points), sure=True)
        record_deal(game=game, number=number, entered=entered, by=actor, submission=uuid4())
    assert "same figures" in titles(event)


def test_other_figures_between_them_are_nothing_to_ask_about(event, actor):
    game = begun(event, actor)[0]
    same, other = (true_deal(game.rules.family, Random(n), game.engine_rules, deals_before=0) for n in (3, 4))
    assert same != other
    for number, facts in ((1, same), (2, other), (3, same)):
        record_deal(game=game, number=number, entered=EnteredDeal(facts, sure=True), by=actor, submission=uuid4())
    assert "same figures" not in titles(event)


# Cards that aren't agreed


def test_a_full_card_that_is_not_agreed_is_named_with_its_deals(event, actor):
    games = begun(event, actor)
    play_deals(games[0], actor, deals=3)
    mark(Deal.objects.get(game=games[0], number=2), actor, "agreed")
    assert "agreed" not in titles(event)  # it still plays
    end_game(game=games[0], by=actor, reason="time")
    assert "Table 1: deals 1, 3." in task(event, "The card of table 1 isn't agreed").words
    Club.objects.update(agreement=Club.Agreement.NONE)
    assert "isn't agreed" not in titles(Event.objects.get())
    Club.objects.update(agreement=Club.Agreement.BOTH)
    for number in (1, 3):
        mark(Deal.objects.get(game=games[0], number=number), actor, "agreed")
    assert "isn't agreed" not in titles(event)


def test_a_table_that_scores_on_its_own_phone_is_to_agree_others_are_not(event, actor):
    games = begun(event, actor)
    play_deals(games[0], Actor(user=None, name="Table 1", route="table"))
    play_deals(games[1], actor)
    for game in games[:2]:
        end_game(game=game, by=actor, reason="time")
    assert "Table 1: deal 1." in task(event, "The card of table 1 isn't agreed").words
    assert [table.state for table in event_tables(event).tables[:2]] == ["not-agreed", "over"]


# The bell


def test_the_bell_names_the_tables_that_still_play(event, actor):
    games = begun(event, actor, people=8)
    round_ = Draw.objects.get().round
    clocks.start_clock(round=round_, by=actor, minutes=20)
    assert "bell" not in titles(event)
    RoundClock.objects.update(started_at=minutes_ago(21))
    end_game(game=games[0], by=actor, reason="time")
    found = task(event, "The bell has rung: table 2 still plays")
    assert found.words == "Finish the deal in hand, then stop."
    assert [one.address for one in found.actions] == [
        "/st-hilary/desk/friday/#clock", "/st-hilary/desk/friday/#table-2",
    ]  # fmt: skip
    end_game(game=games[1], by=actor, reason="time")
    assert "bell" not in titles(event)


# Late arrivals


def seats_of(task):
    address = next(one.address for one in task.actions if "/groups/" in one.address)
    return Group.objects.get(pk=int(address.split("/groups/")[1].split("/")[0]))


def test_a_late_arrival_without_a_seat_can_be_drawn_in_while_no_deal_is_recorded(event, actor, browser):
    games = begun(event, actor, people=13)
    assert "no seat" not in titles(event)  # one sits out, and was drawn to
    arrive(event, actor, 14)
    found = task(event, "Player 14 has no seat in round 1")
    assert found.urgency == Urgency.SOON
    assert found.actions[0].address == "/st-hilary/desk/friday/rounds/1/#take-back"
    assert seats_of(found) == games[0].group_game.group
    play_deals(games[0], actor)
    found = task(event, "Player 14 has no seat in round 1")
    assert (found.urgency, found.actions[0].address) == (Urgency.KNOW, "/st-hilary/desk/friday/here/")
    assert seats_of(found) == games[1].group_game.group  # no deal is recorded there
    page = browser.get(found.actions[1].address).content.decode()
    assert "Player 14 <small>here, without a seat</small>" in page


def test_a_late_pair_first_says_who_plays_with_whom(club, actor):
    event = paired(club, actor, "round-robin", 8)
    publish_next(event, actor)
    event.refresh_from_db()
    arrive(event, actor, 10)
    late = task(event, "have no seat in round 1")
    assert [action.address.rpartition("/desk/")[2] for action in late.actions[:2]] == [
        f"{event.slug}/partners/",
        f"{event.slug}/rounds/1/#take-back",
    ]


def test_who_has_left_a_table_that_plays_is_named_until_somebody_plays_instead(event, actor):
    games = begun(event, actor, people=9)
    group = games[1].group_game.group
    seat = group.seats.select_related("entry").first()
    attendance.leave(entry=seat.entry, by=actor)
    found = task(event, f"{seat.entry.name} has left table 2: who plays instead?")
    assert (found.urgency, found.actions[0].address) == (
        Urgency.NOW,
        f"/st-hilary/desk/friday/groups/{group.pk}/seats/#replace",
    )
    play_for(draw=group.table.draw, absent=seat.entry, newcomer=Newcomer(guest="Guy Guest"), by=actor, gone=True)
    assert "has left" not in titles(event)


def test_who_has_left_a_table_that_has_finished_is_missed_by_nobody(event, actor):
    games = begun(event, actor, people=8)
    for entry in event.entries.all():
        attendance.leave(entry=entry, by=actor)
    assert titles(event).count("have left table") == 2
    end_game(game=games[0], by=actor, reason="time")
    assert titles(event).count("have left table") == 1


def test_after_the_last_planned_round_the_night_is_closed_first(event, actor):
    arrive(event, actor, 8)
    for number in (1, 2, 3):
        play_round(publish_next(event, actor), actor)
        event.refresh_from_db()
        found = night_step(NightProgress(event, latest_round(event)))
        assert (found.title, found.actions[0].words) == (
            ("Close the night, or draw round 4", "Close the night")
            if number == 3
            else (f"Draw round {number + 1}, or close the night", f"Draw round {number + 1}")
        )


def test_the_result_is_printed_from_its_own_part_of_the_page(event, actor, director, client_of):
    play_night(event, actor, 8)
    event.refresh_from_db()
    (address,) = [one.address for one in task(event, "The night is closed").actions if one.words == "Print the result"]
    page, part = address.split("#")
    assert f'id="{part}"' in client_of(director).get(page).content.decode()
    (back,) = [one for one in task(event, "The night is closed").actions if one.words == "Reopen the night"]
    assert back.director
    assert "Reopen the night" in client_of(director).get(back.address).content.decode()


def test_in_a_knock_out_who_is_out_has_no_seat_and_is_not_late(club, actor, rules_for):
    event = make_night(club, rules_for("two-hand-pinochle-classic"), format=Event.Format.KNOCK_OUT)
    Event.objects.filter(pk=event.pk).update(sides=2, per_side=1)
    event.refresh_from_db()
    begun(event, actor, people=3)
    assert event_tables(event).late == ()


# The list as a whole


def test_the_most_urgent_comes_first_and_the_next_step_is_always_there(event, actor):
    games = begun(event, actor)
    played_ago(games, actor, (3, 4, 5, 30))
    mark(Deal.objects.get(game=games[1]), actor, "disputed")
    arrive(event, actor, 17)
    assert [one.urgency.name for one in tasks(event)] == ["NOW", "SOON", "NEXT", "KNOW"]
    assert "Round 1 is being played" in titles(event)


def test_nothing_of_the_tables_is_said_when_the_round_is_closed(event, actor):
    for game in begun(event, actor):
        play_deals(game, actor)
        ago(game, 1, 3 + 20 * (game.pk % 2))
    Draw.objects.get().round.__class__.objects.update(closed=True)
    now = event_tables(event)
    assert (now.round, now.tables, next_steps(now)) == (None, (), [])


# As the desk and the overview show it


@pytest.mark.parametrize("kind", ["director", "scorekeeper"])
def test_a_dispute_is_one_tap_away_on_the_desk_and_on_the_overview(
    kind, event, actor, director, scorekeeper, client_of
):
    games = begun(event, actor)
    play_deals(games[0], actor)
    deal = Deal.objects.get()
    mark(deal, actor, "disputed", "the meld was 12")
    client = client_of({"director": director, "scorekeeper": scorekeeper}[kind])
    for address in (event.get_desk_url(), "/st-hilary/desk/"):
        page = page_of(client.get(address))
        assert "Round 1, table 1, deal 1, is disputed" in page
        assert f'href="/st-hilary/deals/{deal.pk}/?back=%2Fst-hilary%2Fdesk%2Ffriday%2F"' in page
    solved = client.get(f"/st-hilary/deals/{deal.pk}/?back=%2Fst-hilary%2Fdesk%2Ffriday%2F")
    assert "Both sides agree" in page_of(solved)


def test_the_overview_says_when_all_tables_have_finished(event, actor, browser):
    games = begun(event, actor, people=8)
    for game in games:
        assert "All tables have finished" not in page_of(browser.get("/st-hilary/desk/"))
        end_game(game=game, by=actor, reason="time")
    assert "All tables have finished: Round 1" in page_of(browser.get("/st-hilary/desk/"))
    assert "All tables have finished: Round 1" not in titles(event)  # there it is the step itself


def test_a_scorekeeper_reads_the_list_without_the_steps_of_a_director(event, actor, scorekeeper, client_of):
    (game,) = begun(event, actor, people=4)
    end_game(game=game, by=actor, reason="time")
    page = page_of(client_of(scorekeeper).get(event.get_desk_url()))
    assert "Close round 1" in page
    assert 'name="step" value="close"' not in page
    assert "A director does this." in page


def test_tables_say_their_state_in_words(event, actor, director, client_of):
    games = begun(event, actor, people=28)
    played_ago(games[:6], actor, (3, 4, 5, 30, 3, 3))
    mark(Deal.objects.get(game=games[0]), actor, "disputed")
    games[5].refresh_from_db()
    play_deals(games[5], actor)
    mark(Deal.objects.get(game=games[5], number=1), actor, "agreed")
    end_game(game=games[4], by=actor, reason="time")
    end_game(game=games[5], by=actor, reason="time")
    now = event_tables(event)
    assert [table.state for table in now.tables] == [
        "disputed", "playing", "playing", "silent", "over", "not-agreed", "silent",
    ]  # fmt: skip
    page = page_of(client_of(director).get(event.get_desk_url()))
    for words in (
        "disputed: deal 1", "deal 2 </span> <small> last deal 4 minutes ago", "silent: deal 2",
        "last deal 30 minutes ago", "finished", "full, not agreed yet", "silent, no deal yet",
        "30 minutes after the first of the round",
    ):  # fmt: skip
        assert words in page
    assert 'id="table-4"' in page
    assert "A director does this." not in page


def test_a_desk_that_stands_open_is_told_of_what_is_new_and_of_nothing_else(event, actor, browser):
    games = begun(event, actor, people=8)

    def asked(mark):
        return browser.get(event.get_desk_url(), {"v": mark}, headers={"HX-Request": "true"}).status_code

    mark_now = browser.get(event.get_desk_url()).context["mark"]
    assert asked(mark_now) == 204
    assert browser.get(event.get_desk_url(), {"v": mark_now}).status_code == 200  # the page itself is always shown
    play_deals(games[0], actor)
    assert asked(mark_now) == 200
    mark_now = browser.get(event.get_desk_url()).context["mark"]
    mark(Deal.objects.get(), actor, "disputed")
    assert asked(mark_now) == 200


def test_a_competition_has_the_same_list(club, actor, browser):
    event, draw = drawn_contest(club, actor)
    first = Group.objects.filter(table__draw=draw)[0]
    play_group(first, actor, lambda entry: entry.number)
    deal = Deal.objects.filter(game__group_game__group=first).first()
    mark(deal, actor, "disputed", "nine too many")
    now = event_tables(event)
    assert [one.title for one in next_steps(now)] == ["Table 1A, deal 1, is disputed"]
    assert (now.tables[0].state, now.tables[1].state) == ("disputed", "waiting")
    page = page_of(browser.get(event.get_desk_url()))
    assert "nine too many" in page
    assert page.index("is disputed") < page.index("is being played")


def test_figures_twice_name_the_game_where_a_table_plays_several(club, actor):
    event, draw = drawn_contest(club, actor, games=2)
    game = Game.objects.filter(group_game__group__table__draw=draw).order_by("pk")[0]
    for number in (1, 2):
        play_deal(game, actor, (3, 2, 1), number)
    titles_now = [one.title for one in next_steps(event_tables(event))]
    assert "Table 1A: deals 1 and 2 of game 1 have the same figures" in titles_now


def test_guesses_at_the_codes_of_tables_are_told(event, actor):
    begun(event, actor)
    for _slip in range(links.EVENT_CODES - 1):
        links.count_wrong_code(event)
    assert "guessing" not in titles(event)
    links.count_wrong_code(event)
    (action,) = task(event, "guessing").actions
    assert action.address == f"{event.get_desk_url()}links/"


@pytest.mark.parametrize(("games", "said"), [(1, True), (2, False)])
def test_a_table_says_how_its_game_ended_where_its_points_are_those_of_one_game(
    club, actor, director, client_of, games, said
):
    event, draw = drawn_contest(club, actor, games=games)
    play_group(draw.groups.order_by("pk")[0], actor, lambda entry: entry.number)
    page = page_of(client_of(director).get(event.get_desk_url()))
    row = page.partition('id="table-1A"')[2].partition("</article>")[0]
    assert row
    assert (str(ENDED_BY["director"]) in row) == said


# One person in two events at the same hour


def at_once(event, other):
    return [step for step in tasks(event) if other.get_desk_url() in [action.address for action in step.actions]]


def test_a_member_in_two_events_at_the_same_hour_is_pointed_out(club, actor, browser, rules_for):
    friday = make_night(club, rules_for("st-hilary-v3"))
    other = make_night(club, rules_for("st-hilary-v3"), slug="other")
    arrive(friday, actor, 4)
    assert not at_once(friday, other)
    arrive(other, actor, 2)
    for event, against in ((friday, other), (other, friday)):
        (step,) = at_once(event, against)
        assert "2 people" in step.title
        assert "Player 01" in step.words
    before = queries_of(browser, friday.get_desk_url())
    arrive(other, actor, 4)
    assert queries_of(browser, friday.get_desk_url()) == before
    third = make_night(club, rules_for("st-hilary-v3"), slug="third")
    arrive(third, actor, 2)
    assert "4 people" in at_once(friday, other)[0].title  # two of them in both
    third.delete()
    for entry in other.entries.all()[1:]:
        withdraw(entry=entry, by=actor)
    assert "1 person" in at_once(friday, other)[0].title
    Event.objects.filter(pk=other.pk).update(starts_at=other.starts_at + timedelta(hours=1))
    assert not at_once(friday, other)
    Event.objects.filter(pk=other.pk).update(starts_at=other.starts_at)
    call_off(event=other, by=actor, reason="Snow")
    assert not at_once(friday, other)
