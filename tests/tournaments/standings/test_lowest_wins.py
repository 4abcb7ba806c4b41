"""“The lowest total wins”: whatever puts people in an order names the same ones, in every format and family.

A club may have published such rules for any game before they were refused; their events are counted as they say.
"""

from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest
from django.urls import reverse

from scoring.cards.deals import end_game
from scoring.engine.core.ruleset import Shape, shipped
from scoring.house_rules.actions import RulesChange, SettingsUnsound, publish_rules
from scoring.models import Game, HouseRules
from tests.examples import as_proof
from tests.pages import page_of
from tests.tournaments.contests import drawn, enter, play
from tests.tournaments.draws.test_by_format import pair_in_order
from tests.tournaments.nights import arrive, drafted, games_of, make_night, new_event, play_deals
from tests.tournaments.results import make_season
from tournaments.cuts import cuts
from tournaments.documents.sheets import result_sheet
from tournaments.draws import by_format
from tournaments.draws.by_format import played_of
from tournaments.engine.formats import FORMATS, TRAITS
from tournaments.engine.handicap import HandicapRule
from tournaments.entries import partners
from tournaments.errors import StepRefused
from tournaments.events import stages, state
from tournaments.events.actions import change_event, event_facts
from tournaments.events.words import describe_tie_breaks
from tournaments.handicaps import give_handicaps
from tournaments.models import Event, Stage
from tournaments.rounds import publishing
from tournaments.seasons.actions import assign_season, create_season
from tournaments.seasons.table import season_tables
from tournaments.standings import results as standings_results
from tournaments.standings.presentation import adjustment_words
from tournaments.standings.standings import match_of, standings_of

pytestmark = pytest.mark.django_db

DAY = date(2054, 10, 1)
FAMILIES = {  # one game of each, with its usual shape
    "st-hilary-v3": Shape(2, 2),
    "double-deck-partnership-pinochle": Shape(2, 2),
    "three-hand-double-pinochle": Shape(3, 1),
    "fletcher-two-hand": Shape(2, 1),
    "hand-and-foot": Shape(2, 2),
    "points-only": Shape(2, 2),
}
PLAYED = [
    (format, slug)
    for format in Event.Format.values
    for slug, shape in FAMILIES.items()
    if format != Event.Format.CONTEST and stages.fits(format, shape)
]


def lowest_of(club, slug):
    """A copy of a shipped game with the setting on, as a club could publish it before."""
    data = shipped()[slug].to_data()
    data["slug"], data["title"] = f"low-{slug}", f"Low {slug}"
    data["settings"]["lowest_wins"] = {**data["settings"]["lowest_wins"], "value": True}
    return HouseRules.objects.create(club=club, slug=data["slug"], version=1, title=data["title"], data=data)


def event_of(club, by, format, slug="points-only", **fields):
    return new_event(club, by, format, game=lowest_of(club, slug).slug, shape=FAMILIES[slug], **fields)


def play_round(event, by, points):
    """A round of a game of points in which everybody has their own: a side has those of its people together."""
    draw = publishing.publish_draw(draw=drafted(event, by, planned=3, seed=0), by=by)
    play(draw, by, points)
    publishing.close_round(round=draw.round, by=by, end_open=False)
    return draw


# --- every format and family -----------------------------------------------------------------------------


# Every format with a game of points, every family in the first format that it fits; the other pairs are a proof.
FIRST = {slug: (format, slug) for format, slug in reversed(PLAYED)}
SOME = {(format, slug) for format, slug in PLAYED if slug == "points-only"} | set(FIRST.values())


SOMEBODY_GOES_ON = ("knock-out", "double-ko", "out-after")  # so a match that ends level needs more


@pytest.mark.daily(3)
@pytest.mark.parametrize(("format", "slug"), [pair if pair in SOME else as_proof(pair) for pair in PLAYED])
def test_winner_places_pairing_and_match_name_the_same_people(club, actor, format, slug):
    shape = FAMILIES[slug]
    event = event_of(club, actor, format, slug, options={"level": "lots"} if format in SOMEBODY_GOES_ON else {})
    single = format == Event.Format.SINGLE_TABLE
    arrive(event, actor, shape.players if single else 8 * shape.per_side if event.fixed_sides else 16)
    if event.fixed_sides:
        pair_in_order(event, actor)
    if format == Event.Format.TEAM_MATCH:
        for entry in event.entries.all():
            entry.plays_for = "Elm Street" if entry.number <= 4 * shape.per_side else "St. Ann"
            entry.save()
    rounds = 1 if single else 2
    for n in range(rounds):
        draw = publishing.publish_draw(draw=drafted(event, actor, planned=3, seed=n), by=actor)
        for game in games_of(draw):
            play_deals(game, actor, 2, seed=n)
            end_game(game=game, by=actor, reason="time")
        publishing.close_round(round=draw.round, by=actor, end_open=False)
        _winners_have_the_least(event, draw)
    rows = standings_of(state.night_stage(event)).rows
    chain = TRAITS[format].chain
    if chain[0] == "points":
        assert [row.points for row in rows] == sorted(row.points for row in rows)
    else:
        level = [(a, b) for a, b in pairwise(rows) if a.games_won == b.games_won and "reached" not in chain]
        level = [(a, b) for a, b in level if a.in_group[:1] == b.in_group[:1]]  # groups stand one after the other
        beat = _beat(event) if chain[1] == "head-to-head" else set()
        assert all(a.points <= b.points or (a.entry, b.entry) in beat for a, b in level)
    if format == Event.Format.TEAM_MATCH:
        match = match_of(event, rows)
        assert {side["name"]: side["points"] for side in match} == {
            club: sum(row.points for row in rows if event.entries.get(pk=row.entry).plays_for == club)
            for club in ("Elm Street", "St. Ann")
        }
        if match[0]["tables_won"] == match[1]["tables_won"]:
            assert match[0]["points"] <= match[1]["points"]
    if format in FORMATS and not by_format.is_over(event):
        _the_next_round_goes_by_that(event, draw, rows)


def _beat(event):
    """Who won a game against whom: two who are level in games won and have met stand in that order before points."""
    return {
        (winner, loser)
        for round in played_of(event)
        for table in round.tables
        for winner in table.order()[0]
        for other in table.order()[1:]
        for loser in other
    }


def _winners_have_the_least(event, draw):
    """The game's winner, and who is first at its table for the next round."""
    played = played_of(event)[draw.round.number - 1]
    for game, table in zip(games_of(draw), played.tables, strict=True):
        sides = list(game.sides.all())
        least = min(side.total for side in sides)
        assert {s.number for s in sides if s.half_wins} == {s.number for s in sides if s.total == least}
        first = table.sides.index(table.order()[0])
        assert sides[first].total == least


def _the_next_round_goes_by_that(event, last, rows):
    """Table 1 of the next round, where results say who sits there."""
    drawn = by_format.next_seats(event, 1)
    at_one = set(drawn.tables[0][0] + drawn.tables[0][1])
    if event.format in (Event.Format.LADDER, Event.Format.PROGRESSIVE):
        first, second, *_others = map(_winners, games_of(last))
        assert at_one == first | second  # the head table keeps its winners, and those of the next come up
    if event.format == Event.Format.SWISS:
        assert {row.entry for row in rows if row.place == 1} & at_one
        assert set(drawn.tables[0][0]) >= {rows[0].entry}


def _winners(game):
    side = min(game.sides.all(), key=lambda s: s.total)
    return set(game.group_game.group.seats.filter(side=side.number).values_list("entry", flat=True))


@pytest.mark.daily(2)
@pytest.mark.parametrize("slug", FAMILIES)
def test_the_cut_takes_who_has_the_least_in_each_group(club, actor, slug):
    shape = FAMILIES[slug]
    event = event_of(club, actor, Event.Format.CONTEST, slug, places=4 * shape.players, games=1)
    enter(event, actor, [f"Player {chr(65 + n)}" for n in range(4 * shape.players)])
    stage = event.stages.order_by("number").first()
    draw = drawn(stage, actor)
    for game in Game.objects.filter(group_game__group__table__draw=draw):
        play_deals(game, actor, 2)
        end_game(game=game, by=actor, reason="time")
    rows = standings_of(stage).rows
    assert [row.points for row in rows] == sorted(row.points for row in rows)
    field = cuts.CutField(stage)
    on = [line for line in cuts.propose(stage).lines if line.advances]
    through, place = {line.entry_id for line in on}, {row.entry: row.place for row in rows}
    assert on
    for line in on:
        everywhere = stage.cut_rule == Stage.CutRule.OVERALL
        section = [pk for pk, label in field.labels.items() if everywhere or label == field.labels[line.entry_id]]
        for out in set(section) - through:
            assert place[line.entry_id] <= place[out]
            assert line.points <= field.results[out].points


# --- what was seen --------------------------------------------------------------------------------------


def test_a_match_level_on_tables_puts_the_side_with_fewer_points_first(club, actor):
    event = event_of(club, actor, Event.Format.TEAM_MATCH, options={"rounds": 1})
    arrive(event, actor, 8)
    people = list(event.entries.order_by("number"))
    for n, name in enumerate(["Elm Street", "Elm Street", "St. Ann", "St. Ann"]):
        partners.join_side(event=event, entries=people[2 * n : 2 * n + 2], by=actor, plays_for=name)
    own = {1: 1, 2: 1, 3: 40, 4: 40, 5: 3, 6: 3, 7: 10, 8: 10}  # each wins a table: 82 to 26 points
    play_round(event, actor, lambda entry: own[entry.number])
    assert [
        (side["name"], side["tables_won"], side["points"], side["leads"])
        for side in match_of(event, standings_of(state.night_stage(event)).rows)
    ] == [("St. Ann", "1", 26, True), ("Elm Street", "1", 82, False)]
    standings_results.publish_result(event=event, by=actor)
    event.refresh_from_db()
    assert [row["name"] for row in result_sheet(event)["match"]["rows"]] == ["St. Ann", "Elm Street"]


def test_the_fewest_points_break_a_tie_in_a_swiss(club, actor):
    event = event_of(club, actor, Event.Format.SWISS, options={"rounds": 3, "first_by_lot": False})
    arrive(event, actor, 16)
    pair_in_order(event, actor)
    play_round(event, actor, lambda entry: 3 * entry.number)
    drawn = by_format.next_seats(event, 1)
    rows = standings_of(state.night_stage(event)).rows
    order = [row.entry for row in rows if row.games_won == "1"]
    leaders = [table[0][0] for table in drawn.tables[:2]]
    assert leaders == [order[0], order[1]]  # the upper half of the winners, best first
    assert [row.points for row in rows[:8]] == sorted(row.points for row in rows[:8])


def test_a_progressive_goes_on_with_who_has_fewer(club, actor):
    event = event_of(club, actor, Event.Format.PROGRESSIVE)
    arrive(event, actor, 8)
    first = play_round(event, actor, lambda entry: entry.number)
    drawn = by_format.next_seats(event, 1)
    assert {person for side in drawn.tables[0] for person in side} == set().union(*map(_winners, games_of(first)))


def test_a_season_counts_the_lowest_totals_first(club, actor):
    event = event_of(club, actor, Event.Format.ROTATION)
    event.season = make_season(club)
    event.save()
    arrive(event, actor, 8)
    play_round(event, actor, lambda entry: entry.number)
    result = standings_results.publish_result(event=event, by=actor)
    (table,) = season_tables([event.season])
    assert [line.total for line in table.lines] == sorted(row["points"] for row in result.rows)
    assert table.lines[0].name == result.rows[0]["name"]


@pytest.fixture
def seasons(club, actor, rules_for):
    """A season with a night in which the most points win, and one with a night in which the fewest do."""
    most, fewest = make_season(club), create_season(club=club, by=actor, name="Low", starts=DAY, ends=DAY)
    make_night(club, rules_for("st-hilary-v3"), slug="most", season=most)
    make_night(club, lowest_of(club, "points-only"), slug="fewest", season=fewest)
    return most, fewest


def changed(event, by, **facts):
    return change_event(event=event, by=by, facts=replace(event_facts(event), **facts))


@pytest.mark.parametrize("slug", ["st-hilary-v3", "low-points-only"])
def test_an_event_is_put_only_into_a_season_that_counts_as_it_does(club, actor, seasons, slug):
    right, wrong = seasons if slug == "st-hilary-v3" else reversed(seasons)
    event = make_night(club, HouseRules.objects.get(club=club, slug=slug), slug="this")
    said = "can't be added up. Choose another season or none, or make a season for these games."
    for put in (
        lambda season: new_event(club, actor, "rotation", game=slug, shape=Shape(2, 2), season=season),
        lambda season: changed(event, actor, season=season),
        lambda season: assign_season(event=event, season=season, by=actor),
    ):
        with pytest.raises(StepRefused, match=said):
            put(wrong)
        assert put(right).season == right
        assert assign_season(event=event, season=None, by=actor).season is None
    assert wrong.events.count() == 1


def test_the_game_of_an_event_among_others_of_its_season_stays_of_their_way(club, actor, seasons):
    most, fewest = seasons
    event = make_night(club, HouseRules.objects.get(club=club, slug="st-hilary-v3"), slug="this", season=most)
    low = event_facts(fewest.events.get()).game
    with pytest.raises(StepRefused, match="In Winter the most points win"):
        changed(event, actor, game=low)
    most.events.exclude(pk=event.pk).delete()
    assert changed(event, actor, game=low).rules.lowest_wins  # it was alone there


def test_a_season_that_is_mixed_already_goes_on(club, actor, seasons):
    most, fewest = seasons
    fewest.events.update(season=most)
    for event in most.events.all():
        assert changed(event, actor, place="Hall").place == "Hall"
        further = make_night(club, event.rules, slug=f"further-{event.slug}")
        assert assign_season(event=further, season=most, by=actor).season == most


def test_the_desk_says_why_a_night_does_not_go_into_a_season(club, director, client_of, seasons):
    _most, fewest = seasons
    night = Event.objects.get(slug="most")
    address = reverse("night_season", args=[club.slug, night.slug])
    page = page_of(client_of(director).post(address, {"season": fewest.pk}, follow=True))
    assert "In Low the fewest points win, in" in page
    assert "Saved." not in page


# --- what is refused, and what is said ---------------------------------------------------------------------


def published_low(club, by, slug):
    change = RulesChange(values={"lowest_wins": True}, title="Low", about="")
    return publish_rules(club=club, base=shipped()[slug], seen=0, by=by, change=change)


@pytest.mark.parametrize("slug", [slug for slug in FAMILIES if slug != "points-only"])
def test_rules_in_which_points_are_good_are_not_published_with_it(club, actor, slug):
    with pytest.raises(SettingsUnsound) as refused:
        published_low(club, actor, slug)
    assert [(p.setting, p.code) for p in refused.value.problems] == [("lowest_wins", "setting.lowest-wins")]


def test_a_game_of_points_is_published_with_it(club, actor):
    assert published_low(club, actor, "points-only").lowest_wins
    assert not HouseRules(data=shipped()["points-only"].to_data()).lowest_wins


def test_an_event_with_handicaps_takes_no_such_game(club, actor, rules_for):
    event = make_night(club, rules_for("points-only"))
    give_handicaps(event=event, rule=HandicapRule(scratch=20), by=actor)
    low = make_night(club, lowest_of(club, "points-only"), slug="low")
    with pytest.raises(StepRefused, match="lowest total wins"):
        changed(event, actor, game=event_facts(low).game)


def test_pages_say_that_few_points_are_good(club, actor, client_of, director):
    assert adjustment_words(10, "Late", lowest_wins=True) == "penalty +10: Late"
    assert adjustment_words(-10, "Late", lowest_wins=True) == "adjustment \N{MINUS SIGN}10: Late"
    assert adjustment_words(10, "Late") == "adjustment +10: Late"
    event = event_of(club, actor, Event.Format.ROTATION)
    assert describe_tie_breaks(["points", "games-won", "best-game"], event=event) == (
        "fewest points, games won, the game with the fewest points"
    )
    arrive(event, actor, 8)
    play_round(event, actor, lambda entry: entry.number)
    page = client_of(director).get(event.get_absolute_url(), {"sort": "points"})
    standings = page.context["standings"]
    shown = [row.points for row, _notes, _beside in standings["lines"]]
    assert shown == sorted(shown)
    assert "-points" in [head["sort"] for head in standings["heads"]]  # the best were first
    warning = "zero is the best score for a round"
    assert warning in page.content.decode()  # a missed round is worth nothing, unless another rule is chosen
    Event.objects.filter(pk=event.pk).update(missing_rule=Event.SitOutRule.OWN_AVERAGE)
    assert warning not in client_of(director).get(event.get_absolute_url()).content.decode()
