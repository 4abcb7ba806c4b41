"""Events of every format from the list of names to the result, through the verbs and the desk."""

from collections import Counter
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import end_game
from scoring.engine.core.ruleset import Shape
from scoring.models import Game
from tests.pages import page_of
from tests.tournaments.nights import arrive, drafted, games_of, once, play_deals
from tournaments.documents.sheets import result_sheet
from tournaments.draws.by_format import bye_half_wins, field_of, over, played_of
from tournaments.draws.making import why_stale
from tournaments.engine.formats.pairings import scores
from tournaments.entries import partners
from tournaments.errors import StepRefused
from tournaments.events import state
from tournaments.events.actions import EventFacts, create_event, games_of as games_offered
from tournaments.events.words import described, halves
from tournaments.models import rows_of_people
from tournaments.pages.next_steps import NightProgress, night_step
from tournaments.rounds import attendance, publishing
from tournaments.sides import STANDS, Listed, enter_sides
from tournaments.standings import results as standings_results
from tournaments.standings.standings import match_of, reached, standings_of

pytestmark = pytest.mark.django_db

FOURS = Shape(2, 2)
WHEN = datetime(2054, 11, 6, 19, 30, tzinfo=ZoneInfo("America/Chicago"))


def make_event(club, by, format, *, game="euchre", shape=FOURS, **options):
    offered = next(g for g in games_offered(club) if g.slug == game)
    return create_event(
        club=club,
        by=by,
        format=format,
        facts=EventFacts(name=f"A {format}", game=offered, shape=shape, starts_at=WHEN, options=options),
    )


def play_round(event, by, seed=1):
    """Draw the next round, publish it, decide every table by lot, close the round."""

    def build():
        draw = publishing.publish_draw(draw=drafted(event, by, seed=seed), by=by)
        for game in games_of(draw):
            play_deals(game, by, 2, seed=seed)
            game.refresh_from_db()
            if game.state == Game.State.OPEN:
                end_game(game=game, by=by, reason="time")
        publishing.close_round(round=draw.round, by=by, end_open=False)
        return draw

    return once(("round", seed), event, by, build)


def play_but_one(event, by):
    """Draw the next round; the game at table 1 ends without a deal, the first sides of the others win theirs."""
    draw = publishing.publish_draw(draw=drafted(event, by), by=by)
    unplayed, *others = games_of(draw)
    for game in others:
        play_deals(game, by, 2)
    for game in (unplayed, *others):
        game.refresh_from_db()
        if game.state == Game.State.OPEN:
            end_game(game=game, by=by, reason="time")
    publishing.close_round(round=draw.round, by=by, end_open=False)
    return draw


def pair_in_order(event, by):
    def build():
        people = list(event.entries.order_by("number"))
        for start in range(0, len(people), event.per_side):
            partners.join(event=event, entries=people[start : start + event.per_side], by=by)

    once("pairs", event, by, build)


@pytest.mark.daily(3)
@pytest.mark.parametrize(
    ("format", "people", "rounds", "options"),
    [
        ("round-robin", 8, 3, {}),
        ("round-robin", 10, 5, {}),
        ("swiss", 12, 3, {"rounds": 3}),
        ("swiss", 14, 3, {"rounds": 3}),
        ("ladder", 10, 3, {"rounds": 3}),
        ("knock-out", 12, 3, {"level": "lots"}),
        ("groups", 12, 3, {}),
        ("double-ko", 8, None, {"level": "lots"}),
        ("out-after", 10, None, {"losses": 2, "level": "lots"}),
        ("progressive", 13, 3, {"rounds": 3}),
        ("progressive", 12, 3, {"rounds": 3, "moves": "colours"}),
    ],
)
def test_an_event_of_each_format_runs_to_its_result(club, actor, format, people, rounds, options):
    event = make_event(club, actor, format, **options)
    arrive(event, actor, people)
    if event.fixed_sides:
        pair_in_order(event, actor)
    played = 0
    while not over(event):
        play_round(event, actor, seed=played + 1)
        played += 1
        event.refresh_from_db()
    assert rounds is None or played == rounds
    result = standings_results.publish_result(event=event, by=actor)
    assert {row["entry"] for row in rows_of_people(result.rows)} == set(event.entries.values_list("pk", flat=True))
    assert result.rows[0]["place"] == 1
    with pytest.raises(StepRefused):
        drafted(event, actor)


def test_a_swiss_pairs_by_what_the_standings_show_where_a_game_was_not_played(club, actor):
    event = make_event(club, actor, "swiss", rounds=3)
    arrive(event, actor, 12)
    pair_in_order(event, actor)
    play_but_one(event, actor)
    score, points = scores(field_of(event).teams, played_of(event), bye=bye_half_wins(event))
    rows = standings_of(state.stage_of(event)).rows
    shown = {tuple(person.entry for person in row.persons): (row.games_won, row.points) for row in rows}
    assert {side: (halves(Fraction(score[side], 2)), points[side]) for side in score} == shown
    assert [won for won, _points in shown.values()].count("0") >= 2


def test_a_game_not_played_is_no_table_won_in_a_match(club, actor):
    event = make_event(club, actor, "team-match", rounds=2)
    arrive(event, actor, 8)
    people = list(event.entries.order_by("number"))
    for n, name in enumerate(["Elm Street", "Elm Street", "St. Ann", "St. Ann"]):
        partners.join(event=event, entries=people[2 * n : 2 * n + 2], by=actor, plays_for=name)
    play_but_one(event, actor)
    assert sorted(side["tables_won"] for side in match_of(event, standings_of(state.stage_of(event)).rows)) in (
        ["0", "1"],
        ["½", "½"],
    )


@pytest.mark.parametrize("level", ["lots", "extra-deal"])
def test_a_knock_out_goes_on_from_a_game_not_played_as_from_a_level_one(club, actor, level):
    event = make_event(club, actor, "knock-out", level=level)
    arrive(event, actor, 8)
    pair_in_order(event, actor)
    first = play_but_one(event, actor)
    if level == "lots":
        final, unplayed = (
            set(draw.seats.filter(group__table__number=1).values_list("entry", flat=True))
            for draw in (drafted(event, actor), first)
        )
        assert len(final & unplayed) == 2
    else:
        with pytest.raises(StepRefused, match="ended level, and one side must go on"):
            drafted(event, actor)


def test_a_single_table_changes_partners_until_all_have_partnered(club, actor):
    event = make_event(club, actor, "single-table", rounds=3)
    arrive(event, actor, 4)
    met = Counter()
    for n in range(3):
        draw = play_round(event, actor, seed=n)
        for side in (0, 1):
            met[frozenset(draw.seats.filter(side=side).values_list("entry", flat=True))] += 1
    assert len(met) == 6
    assert over(event)


def test_a_single_table_needs_just_its_players(club, actor):
    event = make_event(club, actor, "single-table")
    arrive(event, actor, 5)
    with pytest.raises(StepRefused, match="4; the number here is 5"):
        drafted(event, actor)


def test_the_desk_offers_no_draw_of_a_single_table_before_its_players_are_here(club, actor):
    event = make_event(club, actor, "single-table", game="hearts", shape=Shape(4, 1))
    assert len(described(event)) == 1  # of no partners where everybody plays alone
    draw = reverse("round_draw", args=[club.slug, event.slug])
    for people, offered in ((2, False), (4, True)):
        arrive(event, actor, people)
        actions = night_step(NightProgress(event, None)).actions
        assert (draw in [action.address for action in actions]) is offered


def lot_order(draw, table):
    numbers = {}
    for seat in table.groups.get().seats.all():
        numbers[seat.side] = min(numbers.get(seat.side, 10**6), seat.entry.number)
    return sorted(numbers, key=lambda side: sha256(f"{draw.seed}:{numbers[side]}".encode()).hexdigest()[:12])


def test_the_winner_of_a_knock_out_is_first_and_the_other_finalist_second(club, actor, client):
    event = make_event(club, actor, "knock-out", level="lots")
    arrive(event, actor, 16)
    pair_in_order(event, actor)
    final = None
    while not over(event):
        final = play_round(event, actor)
    table = final.tables.get(number=1)
    game = Game.objects.get(group_game__group__table=table)
    drawn = lot_order(final, table)
    if game.sides.filter(half_wins=1).count() == 2:
        page = page_of(client.get(reverse("event", args=[club.slug, event.slug])))
        assert f"Round {final.round.number}, table 1 ended level. Lots drawn with the lot number {final.seed}:" in page
    won = max(game.sides.all(), key=lambda side: (side.half_wins, side.total, drawn.index(side.number) == 0))
    finalists = {s.entry_id: s.side for s in table.groups.get().seats.all()}
    rows = standings_of(state.stage_of(event)).rows
    assert {row.credit for row in rows} == {0}  # who is out doesn't sit out
    assert {person.entry for row in rows[:2] for person in row.persons} == set(finalists)
    assert {finalists[person.entry] for person in rows[0].persons} == {won.number}
    assert [row.place for row in rows[:2]] == [1, 2]


def test_a_club_written_in_other_capitals_is_the_club_that_another_side_plays_for(club, actor):
    event = make_event(club, actor, "team-match", rounds=2)
    arrive(event, actor, 8)
    people = list(event.entries.order_by("number"))
    first, second = (
        partners.join(event=event, entries=people[2 * n : 2 * n + 2], by=actor, plays_for=name)
        for n, name in enumerate(["Lakeside", " lakeside "])
    )
    listed = [Listed(entry.name, STANDS, entry=entry.pk) for entry in people[4:6]]
    enter_sides(event=event, sides=[listed], by=actor, submission=uuid4(), plays_for="LAKESIDE")
    assert set(event.entries.exclude(plays_for="").values_list("plays_for", flat=True)) == {"Lakeside"}
    partners.play_for(event=event, number=first, club_name="LakeSide", by=actor)  # written anew, for all of them
    partners.play_for(event=event, number=second, club_name="St. Ann", by=actor)
    partners.play_for(event=event, number=second, club_name="lakeside", by=actor)
    assert set(event.entries.exclude(plays_for="").values_list("plays_for", flat=True)) == {"LakeSide"}


def test_a_match_adds_up_by_club(club, actor, client):
    event = make_event(club, actor, "team-match", rounds=2)
    arrive(event, actor, 8)
    people = list(event.entries.order_by("number"))
    for n, name in enumerate(["Elm Street", "Elm Street", "St. Ann", "St. Ann"]):
        partners.join(event=event, entries=people[2 * n : 2 * n + 2], by=actor, plays_for=name)
    for n in range(2):
        draw = play_round(event, actor, seed=n)
        for table in draw.tables.all():
            sides = {s.side: s.entry.plays_for for s in table.groups.get().seats.all()}
            assert set(sides.values()) == {"Elm Street", "St. Ann"}
    match = match_of(event, standings_of(state.stage_of(event)).rows)
    assert {side["name"] for side in match} == {"Elm Street", "St. Ann"}
    points = Counter()
    for game in Game.objects.filter(club=club):
        seats = {s.side: s.entry.plays_for for s in game.group_game.group.seats.all()}
        for side in game.sides.all():
            points[seats[side.number]] += side.total
    assert {side["name"]: side["points"] for side in match} == points
    address, board = reverse("event", args=[club.slug, event.slug]), reverse("board", args=[club.slug, event.slug])
    leads = match[0]["leads"]
    assert [word in page_of(client.get(address)) for word in (">ahead", ">has won")] == [leads, False]
    board = page_of(client.get(board))
    first = match[0]
    line = f"<strong>{first['name']}</strong> tables won: {first['tables_won']}, points: {first['points']}"
    assert line in board
    standings_results.publish_result(event=event, by=actor)
    event.refresh_from_db()
    shown = page_of(client.get(address))
    assert [word in shown for word in (">ahead", ">has won")] == [False, leads]
    assert "podium" not in shown
    sheet = result_sheet(event)
    assert sheet["winners"] == []
    assert [(row["name"], row["figures"]) for row in sheet["match"]["rows"]] == [
        (side["name"], (side["tables_won"], str(side["points"]))) for side in match
    ]


def test_a_match_needs_to_know_who_plays_for_whom(club, actor):
    event = make_event(club, actor, "team-match")
    arrive(event, actor, 4)
    pair_in_order(event, actor)
    with pytest.raises(StepRefused, match="between two clubs"):
        drafted(event, actor)


def test_somebody_without_a_partner_is_named_before_a_draw(club, actor):
    event = make_event(club, actor, "swiss")
    arrive(event, actor, 5)
    partners.join_rest(event=event, by=actor, seed=1)
    alone = event.entries.get(team=None)
    with pytest.raises(StepRefused, match=alone.name):
        drafted(event, actor)


@pytest.mark.parametrize("format", ["round-robin", "swiss", "ladder", "knock-out"])
def test_somebody_whose_partner_has_left_is_named_before_a_draw(club, actor, format):
    event = make_event(club, actor, format, **({"level": "lots"} if format == "knock-out" else {}))
    arrive(event, actor, 8)
    pair_in_order(event, actor)
    play_round(event, actor)
    gone, stays = event.entries.order_by("number")[:2]
    attendance.leave(entry=gone, by=actor)
    with pytest.raises(StepRefused, match=f"{gone.name} isn't here, so there is no seat for {stays.name}"):
        drafted(event, actor)
    attendance.leave(entry=stays, by=actor)
    draw = drafted(event, actor, seed=3)
    assert why_stale(draw) == ""


def test_a_knock_out_takes_nobody_new_once_it_has_begun(club, actor):
    event = make_event(club, actor, "knock-out", level="lots")
    arrive(event, actor, 9)
    partners.join_rest(event=event, by=actor, seed=1)
    alone = event.entries.get(team=None)
    attendance.leave(entry=alone, by=actor)
    play_round(event, actor)
    with pytest.raises(StepRefused, match="has begun"):
        attendance.arrive(event=event, by=actor, name="Late Lou")
    attendance.come_back(entry=alone, by=actor)
    with pytest.raises(StepRefused, match="has begun"):
        partners.join_rest(event=event, by=actor)
    with pytest.raises(StepRefused, match="has begun"):
        partners.join(event=event, entries=event.entries.all()[:2], by=actor)


def test_a_knock_out_keeps_its_order_with_somebody_there_who_has_no_partner(club, actor):
    event = make_event(club, actor, "knock-out", level="lots")
    arrive(event, actor, 9)
    partners.join_rest(event=event, by=actor, seed=1)
    alone = event.entries.get(team=None)
    attendance.leave(entry=alone, by=actor)
    while not over(event):
        play_round(event, actor)
    before = reached(event, before=100)
    assert len(before[0]) == 8
    attendance.come_back(entry=alone, by=actor)
    assert reached(event, before=100) == before


def test_who_is_out_of_a_knock_out_does_not_sit_out(club, actor, client):
    event = make_event(club, actor, "knock-out", level="lots")
    arrive(event, actor, 12)
    pair_in_order(event, actor)
    for _round in range(3):
        last = play_round(event, actor)
    assert last.sit_outs.exists()
    assert {row.sit_outs for row in standings_of(event.stages.get()).rows} == {0}
    for page in ("event", "seats", "board"):
        shown = page_of(client.get(reverse(page, args=[club.slug, event.slug]))).lower()
        assert "no match this round" in shown
        assert "sitting out" not in shown
        assert "sits out" not in shown


def test_the_desk_of_a_knock_out_shows_while_a_closed_round_has_an_open_game(club, actor, director, client_of):
    event = make_event(club, actor, "knock-out")
    arrive(event, actor, 8)
    pair_in_order(event, actor)
    draw = publishing.publish_draw(draw=drafted(event, actor, seed=1), by=actor)
    publishing.close_round(round=draw.round, by=actor, end_open=False)
    assert client_of(director).get(event.get_desk_url()).status_code == 200


def test_a_corrected_result_makes_the_next_draw_stale(club, actor):
    event = make_event(club, actor, "swiss", rounds=3)
    arrive(event, actor, 8)
    pair_in_order(event, actor)
    first = play_round(event, actor)
    second = drafted(event, actor, seed=3)
    assert why_stale(second) == ""
    side = games_of(first)[0].sides.first()
    side.total += 1  # as a correction leaves it
    side.save()
    assert "corrected" in why_stale(second)
    with pytest.raises(StepRefused, match="again"):
        publishing.publish_draw(draw=second, by=actor)


def test_the_next_round_waits_for_every_result(club, actor):
    event = make_event(club, actor, "ladder")
    arrive(event, actor, 8)
    pair_in_order(event, actor)
    draw = publishing.publish_draw(draw=drafted(event, actor, seed=1), by=actor)
    publishing.close_round(round=draw.round, by=actor, end_open=False)
    with pytest.raises(StepRefused, match="Table 1 of round 1"):
        drafted(event, actor)


def test_sides_are_made_once_and_stay_once_they_have_played(club, actor):
    event = make_event(club, actor, "round-robin")
    arrive(event, actor, 6)
    ann, bea, cal, *_others = event.entries.order_by("number")
    number = partners.join(event=event, entries=[ann, bea], by=actor)
    with pytest.raises(StepRefused, match=bea.name):
        partners.join(event=event, entries=[bea, cal], by=actor)
    with pytest.raises(StepRefused, match="2 players"):
        partners.join(event=event, entries=[cal], by=actor)
    partners.part(event=event, number=number, by=actor)
    partners.part(event=event, number=number, by=actor)  # the second tap does nothing
    assert not event.entries.exclude(team=None).exists()
    pair_in_order(event, actor)
    played = play_round(event, actor).seats.first().entry.team
    with pytest.raises(StepRefused, match="stay together"):
        partners.part(event=event, number=played, by=actor)
    assert LogEntry.objects.filter(club=club, verb="side.part").count() == 1


def test_two_handed_games_need_no_partners(club, actor, director, client_of):
    event = make_event(club, actor, "round-robin", game="cribbage", shape=Shape(2, 1))
    arrive(event, actor, 3)
    browser = client_of(director)
    assert browser.get(reverse("partners", args=[club.slug, event.slug])).status_code == 404
    for page in ("desk_event", "here", "round_draw"):
        shown = page_of(browser.get(reverse(page, args=[club.slug, event.slug]))).lower()
        assert "who plays with whom" not in shown
    draw = publishing.publish_draw(draw=drafted(event, actor, seed=1), by=actor)
    assert draw.seats.count() == 2
    assert draw.sit_outs.count() == 1


@pytest.mark.parametrize("format", ["round-robin", "progressive"])
def test_a_format_refuses_a_game_that_it_cannot_seat(club, actor, format):
    with pytest.raises(StepRefused, match="Choose one"):
        make_event(club, actor, format, game="three-hand-double-pinochle", shape=Shape(3, 1))


def test_a_bye_counts_as_the_event_says(club, actor):
    for bye, won in (("win", "1"), ("half", "½"), ("nothing", "0")):
        event = make_event(club, actor, "swiss", rounds=1, bye=bye)
        arrive(event, actor, 6)
        pair_in_order(event, actor)
        draw = play_round(event, actor)
        rested = {s.entry_id for s in draw.sit_outs.all()}
        rows = [row for row in standings_of(state.stage_of(event)).rows if row.entry in rested]
        assert {row.games_won for row in rows} == {won}
