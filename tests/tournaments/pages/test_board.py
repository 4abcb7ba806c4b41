"""The hall board: what it shows in every phase of an event, what its address chooses, and what a look costs."""

import re
from uuid import uuid4

import pytest

from clubsite.accounts.models import Member
from scoring.cards.deals import record_deal
from scoring.families.deal_form import EnteredDeal
from scoring.models import Game, Side
from scoring.wording import OUTCOMES
from tests.pages import page_of
from tests.scoring.conftest import a_deal
from tests.tournaments import contests
from tests.tournaments.nights import (
    arrive,
    drafted,
    games_of,
    make_night,
    play_deals,
    play_night,
    play_round,
    publish_next,
    seated,
)
from tests.tournaments.results import make_season
from tournaments.cuts.cuts import take_back_cut
from tournaments.members.actions import change_member
from tournaments.members.pasting import ListedPerson
from tournaments.models import Event
from tournaments.rounds import attendance
from tournaments.rounds.clock import start_clock

URL = "/st-hilary/events/friday/board/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def hall(client_of):
    return client_of(None)


@pytest.fixture(autouse=True)
def at_once(settings):
    """Looking again sees at once what was done: the pause has tests of its own, with a clock of their own."""
    settings.LIVE_PAUSE = 0


def parts_of(page):
    return re.findall(r'data-part="([a-z]+)"', page)


def names_in(page, part):
    (section,) = re.findall(rf'<section[^>]*data-part="{part}".*?</section>', page)
    return re.findall(r'<span class="board-name[^"]*" ?>([^<]+)</span>', section)


def shown(hall, url=URL, **query):
    response = hall.get(url, query)
    assert response.status_code == 200
    return page_of(response)


def test_before_the_first_draw_it_says_what_when_where_and_who(event, hall, actor):
    arrive(event, actor, 8)
    gone = event.entries.get(name="Player 08")
    attendance.leave(by=actor, entry=gone)
    drafted(event, actor)
    page = shown(hall)
    assert parts_of(page) == ["start", "entered"]
    assert "Night friday" in page
    assert "19:30" in page  # in the club's zone
    assert "Parish hall" in page
    assert "7 are entered" in page
    assert names_in(page, "entered") == [f"Player {n:02}" for n in range(1, 8)]


def test_a_night_from_the_draw_to_its_result(event, hall, actor):
    first = seated(event, actor, 9)
    page = shown(hall)
    assert parts_of(page) == ["tables", "names"]
    assert sorted(names_in(page, "tables")) == [f"Player {n:02}" for n in range(1, 10)]
    assert names_in(page, "names") == [f"Player {n:02}" for n in range(1, 10)]
    assert "sits out" in page
    games = games_of(first)
    play_deals(games[0], actor)
    assert parts_of(shown(hall)) == ["tables", "names", "standings"]  # somebody still looks for a table
    play_deals(games[1], actor)
    page = shown(hall)
    assert parts_of(page) == ["tables", "standings"]
    assert "after 2 deals" in page
    assert "since round" not in page
    play_round(first, actor)
    page = shown(hall)
    assert parts_of(page) == ["next", "standings", "tables"]
    assert "The seats of round 2, or the result, will appear here" in page
    play_round(publish_next(event, actor), actor)
    assert "▲ ▼ since round 1" in shown(hall)


def test_the_clock_of_the_round_is_on_every_page_and_on_one_of_its_own(event, hall, actor):
    draw = seated(event, actor, 8)
    assert "data-clock" not in shown(hall)
    start_clock(round=draw.round, by=actor, minutes=30)
    page = shown(hall)
    assert parts_of(page) == ["tables", "names", "clock"]
    assert page.count("data-clock ") == 2
    assert "data-clock" not in shown(hall, show="tables")
    play_round(draw, actor)
    assert "data-clock" not in shown(hall)


def test_a_result_shows_its_winners_large_and_then_everybody(event, hall, actor):
    play_night(event, actor, 8, rounds=3)
    page = shown(hall)
    assert parts_of(page) == ["winners", "standings", "picture"]
    assert names_in(page, "winners") == names_in(page, "standings")[: len(names_in(page, "winners"))]
    assert len(names_in(page, "standings")) == 8
    assert "Result" in page


def test_the_leaders_and_the_season_are_shown_as_pictures(event, hall, actor):
    season = make_season(event.club)
    for day in (1, 2):
        play_night(make_night(event.club, event.rules, slug=f"n{day}", season=season, day=day), actor, 8)
    Event.objects.filter(pk=event.pk).update(season=season)
    play_round(seated(event, actor, 8), actor)
    play_round(publish_next(event, actor), actor)
    assert parts_of(shown(hall)) == ["next", "standings", "tables", "season"]
    play_round(publish_next(event, actor), actor)
    board = shown(hall)
    assert parts_of(board) == ["next", "standings", "picture", "tables", "season"]
    assert "Places after each round" in board
    assert "Winter: places night by night" in board
    again = hall.get(URL, headers={"If-None-Match": hall.get(URL)["ETag"]})
    assert again.status_code == 304
    assert parts_of(shown(hall, show="picture")) == ["picture"]
    member = Member.objects.get(club=event.club, name="Player 01")
    change_member(member=member, by=actor, person=ListedPerson("Player 01"), initials_only=True)
    assert "Player 01" not in shown(hall)


def test_a_competition_with_the_line_of_its_cut(club, hall, actor):
    event = contests.contest(club, actor, cut_rule="overall")
    contests.enter(event, actor)
    url = f"/st-hilary/events/{event.slug}/board/"
    assert parts_of(shown(hall, url)) == ["start", "entered"]
    draw = contests.drawn(event.stages.get(number=1), actor)
    assert parts_of(shown(hall, url)) == ["tables", "names"]
    contests.play(draw, actor, contests.by_number)
    page = shown(hall, url)
    assert parts_of(page) == ["next", "standings", "tables"]
    assert "would go on now" in page
    stage = contests.stage_of(event, 1)
    assert page.count('<span aria-hidden="true">✓</span>') == stage.advance
    rows = re.findall(r'<li class="board-row( board-line)?">', page)
    assert [n for n, line in enumerate(rows, 1) if line] == [stage.advance]
    cut = contests.cut_stage(event, actor)
    page = shown(hall, url)
    assert parts_of(page) == ["through", "next", "standings", "tables"]
    assert names_in(page, "through") == names_in(page, "standings")[: stage.advance]
    take_back_cut(cut=cut, by=actor)
    assert "through" not in parts_of(shown(hall, url))


def test_the_line_tells_nothing_that_only_the_director_knows(club, hall, actor):
    event, draw = contests.drawn_contest(club, actor, cut_rule="overall")
    best = event.entries.get(number=1)
    contests.play(draw, actor, contests.by_number)
    event.entries.filter(pk=best.pk).update(eligible=False, note="hasn't paid")
    page = shown(hall, f"/st-hilary/events/{event.slug}/board/")
    first = page[page.index(best.name) :].split("</li>")[0]
    assert "✓" in first
    assert "paid" not in page


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ([], ["tables", "names", "standings"]),
        (["names"], ["names"]),
        (["standings", "tables"], ["tables", "standings"]),
        (["through"], ["start"]),
        (["nonsense"], ["tables", "names", "standings"]),
    ],
)
def test_the_address_chooses_what_is_shown(event, hall, actor, chosen, expected):
    play_deals(games_of(seated(event, actor, 8))[0], actor)
    page = shown(hall, show=chosen)
    assert parts_of(page) == expected
    (asked,) = re.findall(r'hx-get="([^"]+)"', page)
    part = page_of(hall.get(asked.replace("&amp;", "&").split("&v=")[0].split("?v=")[0], headers=HTMX))
    assert parts_of(part) == expected


def test_the_address_chooses_theme_and_pace(event, hall):
    assert 'data-theme="dark"' in shown(hall)
    assert 'data-turn="12"' in shown(hall)
    page = shown(hall, theme="light", turn="20")
    assert 'data-theme="light"' in page
    assert 'data-turn="20"' in page
    assert re.search(r'value="20"[^>]* selected', page)
    for query in ({"turn": "1"}, {"turn": "9" * 50}, {"theme": "<b>"}, {"turn": "x", "show": "\0"}):
        page = shown(hall, **query)
        assert 'data-turn="12"' in page
        assert 'data-theme="dark"' in page


@pytest.mark.proof
def test_without_javascript_everything_is_there_and_is_loaded_anew(event, hall, actor):
    seated(event, actor, 60)
    page = shown(hall)
    assert re.search(r'<noscript><meta http-equiv="refresh" content="\d+"></noscript>', page)
    assert len(names_in(page, "tables")) == len(names_in(page, "names")) == 60


def test_a_table_says_why_its_game_ended_so(event, hall, actor):
    seated(event, actor, 8)
    game = Game.objects.filter(group_game__group__table__number=1).get()
    for number, start in enumerate((125, 145)):
        Side.objects.filter(game=game, number=number).update(start=start)
    record_deal(game=game, number=1, entered=EnteredDeal(a_deal(), sure=True), by=actor, submission=uuid4())
    words = str(OUTCOMES["bid-side-first"]).format(won="150", best="161")
    assert shown(hall).count(words) == 1
    assert words in page_of(hall.get("/st-hilary/events/friday/"))
