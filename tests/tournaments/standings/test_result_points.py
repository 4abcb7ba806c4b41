"""Points for results: a win, a draw, a loss, a wide win, in place of the points scored at the tables."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from django.urls import reverse

from lab.simulation.recount import find_miscounts
from scoring.engine.core.ruleset import Shape
from scoring.templatetags.figures import signed
from tests.pages import page_of
from tests.tournaments.contests import deal, play_group
from tests.tournaments.nights import arrive, drafted, games_of, new_event
from tests.tournaments.results import make_season
from tests.tournaments.standings.test_lowest_wins import lowest_of
from tournaments.documents.sheets import standings_columns, standings_row
from tournaments.engine.formats import FORMATS
from tournaments.engine.ranking import Result, build_chain, rank
from tournaments.errors import StepRefused
from tournaments.events.actions import change_event, event_facts
from tournaments.events.views import scale_warning
from tournaments.events.words import BY_RESULT
from tournaments.models import Event, Group
from tournaments.rounds import publishing
from tournaments.rulings.actions import change_worth, give_walkover
from tournaments.seasons.table import season_tables
from tournaments.standings.results import publish_result
from tournaments.standings.standings import Row, standings_of

pytestmark = pytest.mark.django_db

ACC = {"win": 2, "draw": 0, "loss": 0, "wide": [[31, 3]]}
ORDER = ("points", "games-won", "net", "play-off", "lots")


def make_event(club, by, format="round-robin", *, game="cribbage", **facts):
    usual = {"tie_breaks": ORDER, "walkover_points": 2, "sit_out_rule": "zero", "result_points": ACC}
    return new_event(club, by, format, game=game, shape=Shape(2, 1), **(usual | facts))


def play(event, by, pegged):
    """The next round: `pegged` says what two have in their game, the first of them by number before the other."""
    draw = publishing.publish_draw(draw=drafted(event, by), by=by)
    for group in Group.objects.filter(table__draw=draw):
        numbers = sorted(group.seats.values_list("entry__number", flat=True))
        points = dict(zip(numbers, pegged(*numbers), strict=True))
        play_group(group, by, lambda entry, points=points: points[entry.number])
    publishing.close_round(round=draw.round, by=by, end_open=False)
    return draw


def play_all(event, by, people, pegged):
    arrive(event, by, people)
    for _round in range(people - 1 + people % 2):
        play(event, by, pegged)


def by_number(event):
    stage = event.stages.get()
    stage.event = Event.objects.select_related("rules", "club").get(pk=event.pk)
    return {row.number: row for row in standings_of(stage).rows}


def three_skunks(first, other):
    """Of six players the first wins four games by a hole, the second three by a skunk and loses two."""
    if first == 1:
        return (121, 120) if other != 2 else (90, 121)
    if first == 2:
        return (121, 90) if other in (3, 4) else (100, 121)
    return (121, 100)


def test_four_narrow_wins_are_behind_three_skunks(club, actor):
    event = make_event(club, actor)
    play_all(event, actor, 6, three_skunks)
    rows = by_number(event)
    assert (rows[1].points, rows[1].games_won, rows[1].net) == (8, "4", -27)
    assert (rows[2].points, rows[2].games_won, rows[2].net) == (9, "3", 51)
    assert (rows[2].place, rows[1].place) == (1, 2)
    assert not list(find_miscounts(event))


@pytest.mark.parametrize(
    "cards",
    [  # game points, games won, spread; in the order printed
        [(17, 7, 0), (16, 7, 0), (14, 6, 0), (11, 5, 20), (11, 5, 3)],  # plumasnews.com, Graeagle Peggers, August 10
        [(16, 7, 0), (14, 6, 0), (13, 6, 74), (13, 6, 71), (12, 0, 0)],  # the same, December 14, 2019
        [(9, 3, 51), (8, 4, -27)],
        [(8, 4, -60), (8, 3, 90)],
    ],
)
def test_cards_of_grass_roots_clubs_are_ordered_as_they_print_them(cards):
    results = [
        Result(entry=n, points=points, games_won=Fraction(won), net=net) for n, (points, won, net) in enumerate(cards)
    ]
    places = rank(results[::-1], build_chain(BY_RESULT))
    assert [(place.entry, place.shared) for place in places] == [(n, False) for n in range(len(cards))]


def test_a_grass_roots_night_is_set_up_by_its_name_and_played(club, actor, browser):
    address = reverse("event_new", args=[club.slug]) + "?variant=grass-roots"
    form = browser.get(address).context["form"]
    sent = {name: "" if form[name].value() is None else form[name].value() for name in form.fields if name != "again"}
    browser.post(address, sent | {"name": "Tuesday", "starts_at": "2054-11-06T19:30"})
    event = Event.objects.get(name="Tuesday")
    assert (event.format, event.options["rounds"], event.result_points) == ("swiss", 9, ACC)
    assert (event.rules.slug, event.round_minutes, event.walkover_points) == ("cribbage", 20, 2)
    assert event.tie_breaks[:3] == list(BY_RESULT)
    arrive(event, actor, 12)
    for _game in range(9):
        play(event, actor, lambda first, other: (121, 121 - 10 * (other - first)))
    meetings = Counter(
        frozenset(group.seats.values_list("entry__number", flat=True))
        for group in Group.objects.filter(table__draw__round__stage__event=event)
    )
    assert (len(meetings), max(meetings.values())) == (54, 1), "each has met nine others"
    rows = list(by_number(event).values())
    assert sum(row.net for row in rows) == 0
    skunks = sum(max(pair) - min(pair) > 3 for pair in meetings)
    assert sum(row.points for row in rows) == 2 * 54 + skunks
    order = sorted(rows, key=lambda row: row.place)
    keys = [(row.points, int(row.games_won), row.net) for row in order]
    assert keys == sorted(keys, reverse=True)
    assert not list(find_miscounts(event))
    publish_result(event=event, by=actor)
    heads = standings_columns(event, with_table=False)
    assert [standings_row(row, event, with_table=False)["figures"] for row in order] == [
        (str(points), str(won), signed(net)) for points, won, net in keys
    ]
    assert len(heads) == 3


def test_level_game_points_go_by_games_won_then_by_the_spread(club, actor):
    won = {(1, 2): 40, (1, 3): 40, (1, 4): -1, (2, 3): 1, (2, 4): 1, (3, 4): 5}  # 1: two skunks; 2: two wins
    event = make_event(club, actor, result_points={**ACC, "wide": [[31, 2]]})
    play_all(event, actor, 4, lambda *pair: (121, 121 - won[pair]) if won[pair] > 0 else (121 + won[pair], 121))
    assert {n: (row.place, row.points, row.games_won, row.net) for n, row in by_number(event).items()} == {
        1: (1, 4, "2", 79),
        2: (2, 4, "2", -38),
        3: (4, 2, "1", -36),
        4: (3, 2, "1", -5),
    }


@pytest.mark.parametrize(("behind", "points"), [(1, 2), (30, 2), (31, 3), (60, 3), (61, 4), (121, 4)])
def test_how_wide_a_win_is_decides_what_it_gives(club, actor, behind, points):
    event = make_event(club, actor, result_points={**ACC, "wide": [[31, 3], [61, 4]]})
    play_all(event, actor, 2, lambda *_pair: (121, 121 - behind))
    assert [row.points for row in by_number(event).values()] == [points, 0]


def test_a_walkover_gives_what_the_event_says_and_no_spread(club, actor):
    event = make_event(club, actor)
    arrive(event, actor, 4)
    draw = publishing.publish_draw(draw=drafted(event, actor), by=actor)
    group = draw.groups.get(table__number=1)
    here, away = (group.seats.get(side=side).entry.number for side in (0, 1))
    give_walkover(group=group, absent={1}, by=actor)
    rows = by_number(event)
    assert (rows[here].points, rows[here].games_won, rows[here].net) == (2, "1", 0)
    assert (rows[away].points, rows[away].forfeits, rows[away].net) == (0, 1, 0)


def test_a_game_that_goes_on_gives_nothing_yet(club, actor):
    event = make_event(club, actor, game="points-only")
    arrive(event, actor, 2)
    draw = publishing.publish_draw(draw=drafted(event, actor), by=actor)
    (game,) = games_of(draw)
    deal(game, actor, (50, 1))
    assert {(row.points, row.net) for row in by_number(event).values()} == {(0, 49), (0, -49)}


def test_few_points_in_a_game_are_many_for_its_result(club, actor):
    """In a game that the lowest total wins, points for results are good all the same."""
    game = lowest_of(club, "points-only").slug
    event = make_event(club, actor, game=game, result_points={"win": 3, "draw": 1, "loss": 0, "wide": []})
    play_all(event, actor, 3, lambda first, other: (10, 10) if (first, other) == (2, 3) else (5, 20))
    rows = by_number(event)
    assert [(rows[n].points, rows[n].net, rows[n].place) for n in (1, 2, 3)] == [(6, 30, 1), (1, -15, 2), (1, -15, 2)]


@pytest.mark.daily(2)
@pytest.mark.parametrize("format", [slug for slug, kind in FORMATS.items() if kind.gives_result_points()])
def test_every_format_of_matches_takes_them_and_its_pages_show_them(club, actor, browser, format):
    options = {name: 2 for name in ("rounds", "groups") if name in dir(FORMATS[format])}
    event = make_event(club, actor, format, options=options)
    arrive(event, actor, 8)
    if event.traits.between_clubs:
        for entry in event.entries.all():
            entry.plays_for, entry.team = ("Elm", "Oak")[entry.number % 2], entry.number
            entry.save()
    for _round in range(2):
        play(event, actor, lambda *_pair: (121, 80))
    assert sum(row.points for row in by_number(event).values()) == 2 * 4 * 3
    shown = page_of(browser.get(reverse("event", args=[club.slug, event.slug])))
    assert "±0" in shown or "+41" in shown or "+82" in shown


def test_a_swiss_pairs_sides_of_like_game_points(club, actor):
    event = make_event(club, actor, "swiss", options={"rounds": 3, "first_by_lot": False})
    arrive(event, actor, 8)
    play(event, actor, lambda first, _other: (121, 80) if first in (1, 2) else (121, 120))
    draw = publishing.publish_draw(draw=drafted(event, actor), by=actor)
    pairs = {frozenset(group.seats.values_list("entry__number", flat=True)) for group in draw.groups}
    assert frozenset({1, 2}) in pairs  # both have 3 points, the other winners 2


def test_a_season_adds_up_points_for_results_and_its_next_night_begins_with_them(club, actor, browser):
    season = make_season(club)
    event = make_event(club, actor, season=season)
    play_all(event, actor, 6, three_skunks)
    publish_result(event=event, by=actor)
    (table,) = season_tables([season])
    assert [(line.name, int(line.total)) for line in table.lines][:2] == [("Player 02", 9), ("Player 01", 8)]
    page = page_of(browser.get(reverse("event_new", args=[club.slug]) + f"?season={season.pk}"))
    assert 'value="31: 3"' in page
    assert not scale_warning(season)
    make_event(club, actor, name="By holes", season=season, result_points={})
    assert scale_warning(season)


def test_places_go_by_them_first(club, actor):
    with pytest.raises(StepRefused):
        make_event(club, actor, tie_breaks=("games-won", "points"))
    event = make_event(club, actor, tie_breaks=())
    with pytest.raises(StepRefused):
        change_event(event=event, by=actor, facts=replace(event_facts(event), tie_breaks=("net",)))


def test_they_can_change_once_the_effect_was_seen(club, actor, browser):
    event = make_event(club, actor)
    play_all(event, actor, 6, three_skunks)
    address = reverse("sit_out_rules", args=[club.slug, event.slug])
    typed = {"win_points": 1, "draw_points": 0, "loss_points": 0, "wide_wins": "", "walkover_points": 1}
    typed |= {"sit_out_rule": event.sit_out_rule, "missing_rule": event.missing_rule}
    seen = browser.post(address, typed | {"step": "look"}).context["seen"]
    browser.post(address, typed | {"step": "change", "seen": seen})
    rows = by_number(event)
    assert (rows[1].points, rows[1].place, rows[2].points) == (4, 1, 3)
    with pytest.raises(StepRefused):
        change_worth(event=event, by=actor, seen="x", result_points={})


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ({"win_points": "2", "wide_wins": "31: 3, 61: 4"}, {**ACC, "wide": [[31, 3], [61, 4]]}),
        ({"win_points": "3", "draw_points": "1", "loss_points": "-1"}, {"win": 3, "draw": 1, "loss": -1, "wide": []}),
        ({}, {}),
        ({"draw_points": "1"}, None),
        ({"win_points": "2", "wide_wins": "61: 4, 31: 3"}, None),
        ({"win_points": "2", "wide_wins": "31"}, None),
        ({"win_points": "2", "wide_wins": "a: 3"}, None),
    ],
)
def test_the_form_of_an_event_takes_them(club, browser, typed, kept):
    address = reverse("event_new", args=[club.slug]) + "?format=round-robin"
    sent = {"name": "Typed", "game": "cribbage:2x1", "starts_at": "2054-11-06T19:30", "legs": 1, "tie_1": "points"}
    sent |= {"sit_out_rule": "zero"}
    browser.post(address, sent | typed)
    made = Event.objects.filter(name="Typed").first()
    assert (made and made.result_points) == kept


def test_what_was_published_without_them_reads_as_before():
    row = Row(entry=1, number=1, name="Ann", place=1, shared=False, points=3, games_won="1", games_played=1, sets=0)
    assert "net" not in row.to_data()
    assert Row.from_data(row.to_data()) == row


def test_a_ladder_over_weeks_goes_by_its_rungs_alone(club, client_of, director):
    form = client_of(director).get(f"/{club.slug}/desk/new/?format=rungs").context["form"]
    assert not any(name.startswith("win") for name in form.fields)
