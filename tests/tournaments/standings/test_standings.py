"""Standings from deals: the numbers that screen, paper, cut and season share."""

from fractions import Fraction
from uuid import uuid4

import pytest
from django.utils import timezone

from scoring.cards.deals import end_game, mark_deal, record_deal
from scoring.engine.contract import Alone, ContractDeal
from scoring.engine.points_only import PointsDeal
from scoring.families.deal_form import EnteredDeal
from scoring.models import Game
from tests.tournaments.nights import arrive, games_of, make_members, make_night, play_deals, play_round, publish_next
from tournaments.draws.drafts import Drawn, save_draft
from tournaments.engine.prizes import Prize, Rule, Seeds, award
from tournaments.errors import StepRefused
from tournaments.events.state import night_stage, published_draws
from tournaments.models import Entry, Event, Round, Stage
from tournaments.prizes.actions import contenders
from tournaments.rounds import attendance
from tournaments.rounds.publishing import publish_draw, take_back_draw
from tournaments.standings.results import movement_of, publish_standings
from tournaments.standings.standings import game_rows, standings_of


def make_event(club, rules, people, **fields):
    event = Event.objects.create(
        club=club,
        name="Afternoon",
        slug="afternoon",
        format=fields.pop("format", Event.Format.ROTATION),
        rules=rules,
        starts_at=timezone.now(),
        **fields,
    )
    Entry.objects.bulk_create(Entry(event=event, number=n, name=f"Player {n}") for n in range(1, people + 1))
    return event


def seat(event, seating, by, *, number=1, games=1, sit_outs=()):
    """Publish a round with just these people here; entries are given by number."""
    stage, _ = Stage.objects.get_or_create(event=event, number=1, defaults={"name": "All", "games": games})
    ids = dict(event.entries.values_list("number", "pk"))
    Round.objects.filter(stage=stage).update(closed=True)
    by_id = [[[[ids[e] for e in side] for side in group] for group in table] for table in seating]
    out = [ids[e] for e in sit_outs]
    after = list(published_draws(event).values_list("pk", flat=True))
    draw = save_draft(stage=stage, drawn=Drawn(number, by_id, 1, {"after": after}, out), by=by)
    here = [*draw.seats.values_list("entry", flat=True), *out]
    event.entries.filter(pk__in=here).update(state=Entry.State.HERE)
    event.entries.exclude(pk__in=here).update(state=Entry.State.WITHDRAWN)
    return publish_draw(draw=draw, by=by)


def deal(game, by, *points):
    return record_deal(
        game=game,
        number=game.deals.count() + 1,
        entered=EnteredDeal(PointsDeal(points=points), sure=True, ruling="as on the card"),
        by=by,
        submission=uuid4(),
    )


def games(draw):
    return list(
        Game.objects.filter(group_game__group__table__draw=draw).order_by(
            "group_game__group__table__number", "group_game__group__number", "group_game__number"
        )
    )


@pytest.fixture
def afternoon(club, rules_for):
    return make_event(club, rules_for("points-only"), 9)


def test_partners_have_the_points_of_their_side_and_the_equal_share_a_place(afternoon, actor):
    draw = seat(afternoon, [[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]], actor)
    for game, points in zip(games(draw), [(10, 3), (4, 9)], strict=True):
        deal(game, actor, *points)
    rows = [(row.number, row.points, row.place, row.shared) for row in standings_of(draw.round.stage).rows]
    pairs = [(1, 10, 1), (2, 10, 1), (7, 9, 3), (8, 9, 3), (5, 4, 5), (6, 4, 5), (3, 3, 7), (4, 3, 7)]
    assert rows == [(*row, True) for row in pairs]


def test_a_lone_hand_is_counted_for_both_partners_and_wins_a_prize(club, actor, rules_for):
    event = make_event(club, rules_for("euchre-by-tricks"), 4)
    draw = seat(event, [[[[1, 2], [3, 4]]]], actor)
    (game,) = games(draw)
    for number, tricks in enumerate(((5, 0), (5, 0), (4, 1)), start=1):
        facts = ContractDeal(bidder=0, tricks=tricks, alone=Alone.MAKER)
        record_deal(game=game, number=number, entered=EnteredDeal(facts), by=actor, submission=uuid4())
    rows = [row.to_data() for row in standings_of(draw.round.stage).rows]
    lone = {row["number"]: (row["points"], row.get("lone_hands", 0)) for row in rows}
    assert lone == {1: (9, 2), 2: (9, 2), 3: (0, 0), 4: (0, 0)}
    found = award(contenders(event, rows, classes={}), [Prize("most-lone-hands")], rule=Rule(), seeds=Seeds())
    assert len(found[0].winners) == 2


def test_two_groups_at_a_table_keep_their_own_points(club, actor, rules_for):
    event = make_event(club, rules_for("points-only"), 6, format=Event.Format.CONTEST, sides=3, per_side=1, places=6)
    draw = seat(event, [[[[1], [2], [3]], [[4], [5], [6]]]], actor, games=2)
    a1, a2, b1, b2 = games(draw)
    deal(a1, actor, 1, 2, 3)
    deal(a2, actor, 10, 20, 30)
    deal(b1, actor, 7, 8, 9)
    standings = standings_of(draw.round.stage)
    assert {row.number: (row.group, row.points, row.games_played) for row in standings.rows} == {
        1: ("1A", 11, 2),
        2: ("1A", 22, 2),
        3: ("1A", 33, 2),
        4: ("1B", 7, 1),
        5: ("1B", 8, 1),
        6: ("1B", 9, 1),
    }
    assert standings.groups == ("1A", "1B")
    assert [row.place for row in standings.of_group("1B")] == [1, 2, 3]
    assert b2.deals_played == 0


def test_a_draw_taken_back_does_not_count_and_comes_back_with_its_games(afternoon, actor):
    draw = seat(afternoon, [[[[1, 2], [3, 4]]]], actor)
    deal(games(draw)[0], actor, 10, 3)
    take_back_draw(draw=draw, by=actor)
    assert standings_of(draw.round.stage).rows == ()
    publish_draw(draw=draw, by=actor)
    assert [row.points for row in standings_of(draw.round.stage).rows] == [10, 10, 3, 3]
    assert len(games(draw)) == 1


def test_a_void_deal_does_not_count(afternoon, actor):
    draw = seat(afternoon, [[[[1, 2], [3, 4]]]], actor)
    version = deal(games(draw)[0], actor, 10, 3)
    mark_deal(deal=version.deal, state="void", by=actor, submission=uuid4(), seen=1, reason="misdeal")
    assert {row.points for row in standings_of(draw.round.stage).rows} == {0}


@pytest.mark.parametrize(("rule", "expected"), [("zero", 10), ("own-average", 20), ("round-winners", 18)])
def test_a_sit_out_is_worth_what_the_event_says(afternoon, actor, rule, expected):
    afternoon.sit_out_rule = rule
    afternoon.save()
    first = seat(afternoon, [[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]], actor, sit_outs=(9,))
    second = seat(afternoon, [[[[9, 2], [3, 4]]]], actor, number=2, sit_outs=(1, 5, 6, 7, 8))
    for game, points in zip(games(first), [(7, 5), (6, 9)], strict=True):
        deal(game, actor, *points)
        end_game(game=game, by=actor, reason="time")
    deal(games(second)[0], actor, 10, 3)
    rows = {row.number: row for row in standings_of(first.round.stage).rows}
    assert rows[9].points == expected
    assert (rows[9].sit_outs, rows[9].credit) == (1, expected - 10)


def test_a_shared_game_is_half_a_win_each(afternoon, actor):
    draw = seat(afternoon, [[[[1, 2], [3, 4]]]], actor)
    deal(games(draw)[0], actor, 5, 5)
    end_game(game=games(draw)[0], by=actor, reason="time")
    assert {row.games_won for row in standings_of(draw.round.stage).rows} == {"½"}
    assert {Fraction(row.half_wins, 2) for row in game_rows(draw.round.stage)} == {Fraction(1, 2)}


def test_publishing_twice_without_a_change_is_one_version(afternoon, actor):
    draw = seat(afternoon, [[[[1, 2], [3, 4]]]], actor)
    stage = draw.round.stage
    with pytest.raises(StepRefused):
        publish_standings(stage=stage, by=actor)
    deal(games(draw)[0], actor, 10, 3)
    assert publish_standings(stage=stage, by=actor) == publish_standings(stage=stage, by=actor)
    deal(games(draw)[0], actor, 1, 3)
    assert publish_standings(stage=stage, by=actor).number == 2
    assert stage.published_standings.get(number=1).rows[0]["points"] == 10


def test_standings_cost_the_same_queries_for_few_and_many(afternoon, actor, django_assert_num_queries):
    draw = seat(afternoon, [[[[1, 2], [3, 4]]]], actor)
    deal(games(draw)[0], actor, 10, 3)
    stage = Stage.objects.select_related("event__rules").get(pk=draw.round.stage_id)
    with django_assert_num_queries(5):
        standings_of(stage)
    more = seat(afternoon, [[[[1, 3], [5, 6]]], [[[2, 4], [7, 8]]]], actor, number=2, sit_outs=(9,))
    for game in games(more):
        deal(game, actor, 3, 4)
        deal(game, actor, 5, 6)
    stage = Stage.objects.select_related("event__rules").get(pk=draw.round.stage_id)
    with django_assert_num_queries(5):
        assert len(standings_of(stage).rows) == 9


@pytest.mark.parametrize(("slug", "bids"), [("st-hilary-v3", True), ("whist-drive", False)])
def test_words_of_bids_stand_only_in_games_that_have_bids(club, actor, rules_for, director, client_of, slug, bids):
    event, browser = make_night(club, rules_for(slug)), client_of(director)
    arrive(event, actor, 8)
    play_round(publish_next(event, actor), actor)
    pages = [event.get_absolute_url(), f"{event.get_absolute_url()}?sort=name", f"{event.get_desk_url()}close/"]
    for page in (*pages, f"{event.get_desk_url()}tie-breaks/"):
        words = browser.get(page).content.decode()
        assert ("failed bids" in words.lower()) is bids, page


# How places move from round to round


def places(stage):
    return {row.entry: row.place for row in standings_of(stage).rows}


def test_places_before_a_round_are_those_that_stood_then(event, actor):
    arrive(event, actor, 9)
    stood = []
    for _round in range(3):
        play_round(publish_next(event, actor), actor, 2)
        stood.append(standings_of(night_stage(event)))
    for number, then in enumerate(stood[:-1], start=2):
        assert standings_of(night_stage(event), before=number).rows == then.rows


def test_movement_is_against_the_places_after_the_round_before(event, actor):
    arrive(event, actor, 8)
    stage = night_stage(event)
    first = publish_next(event, actor)
    assert movement_of(stage, standings_of(stage).rows) is None
    play_round(first, actor, 2)
    assert movement_of(stage, standings_of(stage).rows) is None
    before = places(stage)
    second = publish_next(event, actor)
    assert movement_of(stage, standings_of(stage).rows) is None  # no deal in it yet
    play_deals(games_of(second)[0], actor, 3)
    moved = movement_of(stage, standings_of(stage).rows)
    assert moved[0] == 1
    now = places(stage)
    assert moved[1] == {entry: before[entry] - now[entry] for entry in now}
    assert any(moved[1].values())


def test_after_a_round_and_before_the_next_it_stays(event, actor):
    arrive(event, actor, 8)
    stage = night_stage(event)
    for _round in range(2):
        play_round(publish_next(event, actor), actor, 2)
    shown = movement_of(stage, standings_of(stage).rows)
    publish_next(event, actor)
    assert movement_of(stage, standings_of(stage).rows) == shown


def test_who_came_later_is_new(event, actor):
    arrive(event, actor, 8)
    play_round(publish_next(event, actor), actor)
    for member in make_members(event.club, 12)[8:]:
        attendance.arrive(event=event, by=actor, member=member)
    play_round(publish_next(event, actor), actor)
    stage = night_stage(event)
    rows = standings_of(stage).rows
    moved = movement_of(stage, rows)
    assert {row.name for row in rows if moved[1].get(row.entry) is None} == {f"Player {n:02}" for n in range(9, 13)}
