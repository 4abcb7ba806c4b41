"""What to do next, as the desk and the overview show it."""

import pytest

from scoring.cards.deals import end_game
from scoring.models import Deal, Game
from scoring.wording import ENDED_BY
from tests.pages import page_of
from tests.tournaments.contests import contest, deal as play_deal, drawn, enter, play_group, stage_of
from tests.tournaments.nights import make_night, play_deals, queries_of
from tests.tournaments.pages.steps import ago, begun, mark, task, titles
from tournaments.models import Group
from tournaments.pages.at_tables import at_tables
from tournaments.pages.next_steps import next_steps
from tournaments.table_links import links


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


def test_the_overview_says_when_all_tables_have_finished(event, actor, director, client_of):
    games = begun(event, actor, people=8)
    for game in games:
        assert "All tables have finished" not in page_of(client_of(director).get("/st-hilary/desk/"))
        end_game(game=game, by=actor, reason="time")
    assert "All tables have finished: Round 1" in page_of(client_of(director).get("/st-hilary/desk/"))
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
    for game, minutes in zip(games[:6], (3, 4, 5, 30, 3, 3), strict=True):
        play_deals(game, actor)
        ago(game, 1, minutes)
    mark(Deal.objects.get(game=games[0]), actor, "disputed")
    games[5].refresh_from_db()
    play_deals(games[5], actor)
    mark(Deal.objects.get(game=games[5], number=1), actor, "agreed")
    end_game(game=games[4], by=actor, reason="time")
    end_game(game=games[5], by=actor, reason="time")
    now = at_tables(event)
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


def test_before_the_first_deal_every_table_waits_for_it(event, actor):
    begun(event, actor, people=8)
    assert {table.state for table in at_tables(event).tables} == {"waiting"}


def test_the_desk_costs_the_same_with_three_tables_and_with_eight(event, actor, director, client_of):
    client, counts = client_of(director), []
    for slug, people in (("three", 12), ("eight", 32)):
        night = make_night(event.club, event.rules, slug=slug)
        for game in begun(night, actor, people=people):
            play_deals(game, actor, deals=2)
            mark(Deal.objects.get(game=game, number=1), actor, "agreed")
            mark(Deal.objects.get(game=game, number=2), actor, "disputed")
        counts.append((queries_of(client, night.get_desk_url()), queries_of(client, "/st-hilary/desk/")))
    assert counts[0] == counts[1]


def test_a_desk_that_stands_open_is_told_of_what_is_new_and_of_nothing_else(event, actor, director, client_of):
    games = begun(event, actor, people=8)
    client = client_of(director)

    def asked(mark):
        return client.get(event.get_desk_url(), {"v": mark}, headers={"HX-Request": "true"}).status_code

    mark_now = client.get(event.get_desk_url()).context["mark"]
    assert asked(mark_now) == 204
    assert client.get(event.get_desk_url(), {"v": mark_now}).status_code == 200  # the page itself is always shown
    play_deals(games[0], actor)
    assert asked(mark_now) == 200
    mark_now = client.get(event.get_desk_url()).context["mark"]
    mark(Deal.objects.get(), actor, "disputed")
    assert asked(mark_now) == 200


def test_a_competition_has_the_same_list(club, actor, director, client_of):
    event = contest(club, actor)
    enter(event, actor)
    draw = drawn(stage_of(event, 1), actor)
    event.refresh_from_db()
    first = Group.objects.filter(table__draw=draw)[0]
    play_group(first, actor, lambda entry: entry.number)
    deal = Deal.objects.filter(game__group_game__group=first).first()
    assert deal
    mark(deal, actor, "disputed", "nine too many")
    now = at_tables(event)
    assert [one.title for one in next_steps(now)] == ["Table 1A, deal 1, is disputed"]
    assert (now.tables[0].state, now.tables[1].state) == ("disputed", "waiting")
    page = page_of(client_of(director).get(event.get_desk_url()))
    assert "nine too many" in page
    assert page.index("is disputed") < page.index("is being played")


def test_figures_twice_name_the_game_where_a_table_plays_several(club, actor):
    event = contest(club, actor, games=2)
    enter(event, actor)
    game = Game.objects.filter(group_game__group__table__draw=drawn(stage_of(event, 1), actor)).order_by("pk")[0]
    event.refresh_from_db()
    for number in (1, 2):
        play_deal(game, actor, (3, 2, 1), number)
    titles_now = [one.title for one in next_steps(at_tables(event))]
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
    event = contest(club, actor, games=games)
    enter(event, actor)
    first = drawn(stage_of(event, 1), actor).groups.order_by("pk")[0]
    play_group(first, actor, lambda entry: entry.number)
    page = page_of(client_of(director).get(event.get_desk_url()))
    row = page.partition('id="table-1A"')[2].partition("</article>")[0]
    assert row
    assert (str(ENDED_BY["director"]) in row) == said
