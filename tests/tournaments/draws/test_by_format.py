"""Events of every format from the list of names to the result, through the verbs and the desk."""

import re
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from itertools import chain
from uuid import uuid4

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import end_game
from scoring.engine.core.ruleset import Shape
from scoring.models import Game
from tests.pages import page_of
from tests.tournaments.nights import arrive, drafted, games_of, make_members, new_event, once, play_deals, queries_of
from tournaments.documents.sheets import result_sheet
from tournaments.draws.by_format import bye_half_wins, field_of, is_over, played_of
from tournaments.draws.making import why_stale
from tournaments.engine.formats import FORMATS, option_fields
from tournaments.engine.formats.pairings import total_scores
from tournaments.entries import partners
from tournaments.errors import StepRefused
from tournaments.events import state
from tournaments.events.forms import variant_initial
from tournaments.events.words import VARIANTS, describe_options, format_games_won
from tournaments.models import Event, rows_by_person
from tournaments.pages.next_steps import NightProgress, night_step
from tournaments.rounds import attendance, publishing
from tournaments.sides import STANDS, PersonOnList, enter_sides
from tournaments.standings import results as standings_results
from tournaments.standings.standings import how_far, match_of, standings_of

pytestmark = pytest.mark.django_db

FOURS = Shape(2, 2)


def make_event(club, by, format, *, game="euchre", shape=FOURS, people=0, **options):
    """An event with so many people here."""
    event = new_event(club, by, format, game=game, shape=shape, options=options)
    if people:
        arrive(event, by, people)
    return event


def paired(club, by, format, people, **options):
    """An event of sides that stay together, with so many people who are partners in their order."""
    event = make_event(club, by, format, people=people, **options)
    pair_in_order(event, by)
    return event


def team_match(club, by, **options):
    """Two pairs of Elm Street against two of St. Ann."""
    event = make_event(club, by, "team-match", people=8, **options)
    people = list(event.entries.order_by("number"))
    for n, name in enumerate(["Elm Street", "Elm Street", "St. Ann", "St. Ann"]):
        partners.join_side(event=event, entries=people[2 * n : 2 * n + 2], by=by, plays_for=name)
    return event


def play_round(event, by, seed=1):
    """Draw the next round, publish it, decide every table by lot, close the round."""

    def build():
        draw = publishing.publish_draw(draw=drafted(event, by, seed=seed), by=by)
        for game in games_of(draw):
            play_deals(game, by, 2, seed=seed)
        return _closed(draw, by)

    return once(("round", seed), event, by, build)


def _closed(draw, by):
    for game in games_of(draw):
        if game.state == Game.State.OPEN:
            end_game(game=game, by=by, reason="time")
    publishing.close_round(round=draw.round, by=by, end_open=False)
    return draw


def play_but_one(event, by):
    """Draw the next round; the game at table 1 ends without a deal, the first sides of the others win theirs."""
    draw = publishing.publish_draw(draw=drafted(event, by), by=by)
    for game in games_of(draw)[1:]:
        play_deals(game, by, 2)
    return _closed(draw, by)


def pair_in_order(event, by):
    def build():
        people = list(event.entries.order_by("number"))
        for start in range(0, len(people), event.per_side):
            partners.join_side(event=event, entries=people[start : start + event.per_side], by=by)

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
        ("single-table", 4, 3, {"rounds": 3}),
        ("progressive", 13, 3, {"rounds": 3}),
        ("progressive", 12, 3, {"rounds": 3, "moves": "colours"}),
    ],
)
def test_an_event_of_each_format_runs_to_its_result(club, actor, format, people, rounds, options):
    event = make_event(club, actor, format, people=people, **options)
    if event.fixed_sides:
        pair_in_order(event, actor)
    played = 0
    while not is_over(event):
        play_round(event, actor, seed=played + 1)
        played += 1
        event.refresh_from_db()
    assert rounds is None or played == rounds
    result = standings_results.publish_result(event=event, by=actor)
    assert {row["entry"] for row in rows_by_person(result.rows)} == set(event.entries.values_list("pk", flat=True))
    assert result.rows[0]["place"] == 1
    with pytest.raises(StepRefused):
        drafted(event, actor)


def test_a_swiss_pairs_by_what_the_standings_show_where_a_game_was_not_played(club, actor):
    event = paired(club, actor, "swiss", 12, rounds=3)
    play_but_one(event, actor)
    score, points = total_scores(field_of(event).teams, played_of(event), bye=bye_half_wins(event))
    rows = standings_of(state.night_stage(event)).rows
    shown = {tuple(person.entry for person in row.persons): (row.games_won, row.points) for row in rows}
    assert {side: (format_games_won(Fraction(score[side], 2)), points[side]) for side in score} == shown
    assert [won for won, _points in shown.values()].count("0") >= 2


def test_a_game_not_played_is_no_table_won_in_a_match(club, actor):
    event = team_match(club, actor, rounds=2)
    play_but_one(event, actor)
    assert sorted(side["tables_won"] for side in match_of(event, standings_of(state.night_stage(event)).rows)) in (
        ["0", "1"],
        ["½", "½"],
    )


@pytest.mark.parametrize("level", ["lots", "extra-deal"])
def test_a_knock_out_goes_on_from_a_game_not_played_as_from_a_level_one(club, actor, level):
    event = paired(club, actor, "knock-out", 8, level=level)
    first = play_but_one(event, actor)
    if level == "lots":
        final, unplayed = (
            set(draw.seats.filter(group__table__number=1).values_list("entry", flat=True))
            for draw in (drafted(event, actor), first)
        )
        assert len(final & unplayed) == 2
    else:
        with pytest.raises(StepRefused, match="ended level, but one side must go on"):
            drafted(event, actor)


def test_a_single_table_needs_just_its_players(club, actor):
    event = make_event(club, actor, "single-table", people=5)
    with pytest.raises(StepRefused, match="4; the number here is 5"):
        drafted(event, actor)


def test_the_desk_offers_no_draw_of_a_single_table_before_its_players_are_here(club, actor):
    event = make_event(club, actor, "single-table", game="hearts", shape=Shape(4, 1))
    assert len(describe_options(event)) == 1  # of no partners where everybody plays alone
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
    event = paired(club, actor, "knock-out", 16, level="lots")
    while not is_over(event):
        final = play_round(event, actor)
    table = final.tables.get(number=1)
    game = Game.objects.get(group_game__group__table=table)
    drawn = lot_order(final, table)
    if game.sides.filter(half_wins=1).count() == 2:
        page = page_of(client.get(reverse("event", args=[club.slug, event.slug])))
        assert f"Round {final.round.number}, table 1 ended level. Lots drawn with the lot number {final.seed}:" in page
    won = max(game.sides.all(), key=lambda side: (side.half_wins, side.total, drawn.index(side.number) == 0))
    finalists = {s.entry_id: s.side for s in table.groups.get().seats.all()}
    rows = standings_of(state.night_stage(event)).rows
    assert {row.credit for row in rows} == {0}  # who is out doesn't sit out
    assert {person.entry for row in rows[:2] for person in row.persons} == set(finalists)
    assert {finalists[person.entry] for person in rows[0].persons} == {won.number}
    assert [row.place for row in rows[:2]] == [1, 2]


def test_a_club_written_in_other_capitals_is_the_club_that_another_side_plays_for(club, actor):
    event = make_event(club, actor, "team-match", people=8, rounds=2)
    people = list(event.entries.order_by("number"))
    first, second = (
        partners.join_side(event=event, entries=people[2 * n : 2 * n + 2], by=actor, plays_for=name)
        for n, name in enumerate(["Lakeside", " lakeside "])
    )
    listed = [PersonOnList(entry.name, STANDS, entry=entry.pk) for entry in people[4:6]]
    enter_sides(event=event, sides=[listed], by=actor, submission=uuid4(), plays_for="LAKESIDE")
    assert set(event.entries.exclude(plays_for="").values_list("plays_for", flat=True)) == {"Lakeside"}
    partners.set_side_club(event=event, number=first, club_name="LakeSide", by=actor)  # written anew, for all of them
    partners.set_side_club(event=event, number=second, club_name="St. Ann", by=actor)
    partners.set_side_club(event=event, number=second, club_name="lakeside", by=actor)
    assert set(event.entries.exclude(plays_for="").values_list("plays_for", flat=True)) == {"LakeSide"}


def test_a_match_adds_up_by_club(club, actor, client):
    event = team_match(club, actor, rounds=2)
    for n in range(2):
        draw = play_round(event, actor, seed=n)
        for table in draw.tables.all():
            sides = {s.side: s.entry.plays_for for s in table.groups.get().seats.all()}
            assert set(sides.values()) == {"Elm Street", "St. Ann"}
    match = match_of(event, standings_of(state.night_stage(event)).rows)
    assert {side["name"] for side in match} == {"Elm Street", "St. Ann"}
    points = Counter()
    for game in Game.objects.filter(club=club):
        seats = {s.side: s.entry.plays_for for s in game.group_game.group.seats.all()}
        for side in game.sides.all():
            points[seats[side.number]] += side.total
    assert {side["name"]: side["points"] for side in match} == points
    address, (first, _second) = reverse("event", args=[club.slug, event.slug]), match
    leads = first["leads"]
    assert [word in page_of(client.get(address)) for word in (">ahead", ">has won")] == [leads, False]
    line = f"<strong>{first['name']}</strong> tables won: {first['tables_won']}, points: {first['points']}"
    assert line in page_of(client.get(reverse("board", args=[club.slug, event.slug])))
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
    event = paired(club, actor, "team-match", 4)
    with pytest.raises(StepRefused, match="between two clubs"):
        drafted(event, actor)


def test_somebody_without_a_partner_is_named_before_a_draw(club, actor):
    event = make_event(club, actor, "swiss", people=5)
    partners.join_rest(event=event, by=actor, seed=1)
    alone = event.entries.get(team=None)
    with pytest.raises(StepRefused, match=alone.name):
        drafted(event, actor)


@pytest.mark.daily(2)
@pytest.mark.parametrize("format", ["round-robin", "swiss", "ladder", "knock-out"])
def test_somebody_whose_partner_has_left_is_named_before_a_draw(club, actor, format):
    event = paired(club, actor, format, 8, **({"level": "lots"} if format == "knock-out" else {}))
    play_round(event, actor)
    gone, stays = event.entries.order_by("number")[:2]
    attendance.leave(entry=gone, by=actor)
    with pytest.raises(StepRefused, match=f"{gone.name} isn't here, so {stays.name}"):
        drafted(event, actor)
    attendance.leave(entry=stays, by=actor)
    draw = drafted(event, actor, seed=3)
    assert why_stale(draw) == ""


@pytest.fixture
def cup_and_one_alone(club, actor):
    """A knock-out of four pairs, not drawn yet, and somebody without a partner who has left."""
    event = make_event(club, actor, "knock-out", people=9, level="lots")
    partners.join_rest(event=event, by=actor, seed=1)
    alone = event.entries.get(team=None)
    attendance.leave(entry=alone, by=actor)
    return event, alone


def test_a_knock_out_takes_nobody_new_once_it_has_begun(cup_and_one_alone, actor):
    event, alone = cup_and_one_alone
    play_round(event, actor)
    with pytest.raises(StepRefused, match="has begun"):
        attendance.arrive(event=event, by=actor, name="Late Lou")
    attendance.return_to_event(entry=alone, by=actor)
    with pytest.raises(StepRefused, match="has begun"):
        partners.join_rest(event=event, by=actor)
    with pytest.raises(StepRefused, match="has begun"):
        partners.join_side(event=event, entries=event.entries.all()[:2], by=actor)


def test_a_knock_out_keeps_its_order_with_somebody_there_who_has_no_partner(cup_and_one_alone, actor):
    event, alone = cup_and_one_alone
    while not is_over(event):
        play_round(event, actor)
    before = how_far(event, before=100)
    assert len(before[0]) == 8
    attendance.return_to_event(entry=alone, by=actor)
    assert how_far(event, before=100) == before


def test_who_is_out_of_a_knock_out_does_not_sit_out(club, actor, client):
    event = paired(club, actor, "knock-out", 12, level="lots")
    for _round in range(3):
        last = play_round(event, actor)
    assert last.sit_outs.exists()
    assert {row.sit_outs for row in standings_of(event.stages.get()).rows} == {0}
    for page in ("event", "seats", "board"):
        shown = page_of(client.get(reverse(page, args=[club.slug, event.slug]))).lower()
        assert "no match this round" in shown
        assert "sitting out" not in shown
        assert "sits out" not in shown


def test_the_desk_of_a_knock_out_shows_while_a_closed_round_has_an_open_game(club, actor, browser):
    event = paired(club, actor, "knock-out", 8)
    draw = publishing.publish_draw(draw=drafted(event, actor, seed=1), by=actor)
    publishing.close_round(round=draw.round, by=actor, end_open=False)
    assert browser.get(event.get_desk_url()).status_code == 200


def test_a_corrected_result_makes_the_next_draw_stale(club, actor):
    event = paired(club, actor, "swiss", 8, rounds=3)
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
    event = paired(club, actor, "ladder", 8)
    draw = publishing.publish_draw(draw=drafted(event, actor, seed=1), by=actor)
    publishing.close_round(round=draw.round, by=actor, end_open=False)
    with pytest.raises(StepRefused, match="Table 1 of round 1"):
        drafted(event, actor)


def test_sides_are_made_once_and_stay_once_they_have_played(club, actor):
    event = make_event(club, actor, "round-robin", people=6)
    ann, bea, cal, *_others = event.entries.order_by("number")
    number = partners.join_side(event=event, entries=[ann, bea], by=actor)
    with pytest.raises(StepRefused, match=bea.name):
        partners.join_side(event=event, entries=[bea, cal], by=actor)
    with pytest.raises(StepRefused, match="2 players"):
        partners.join_side(event=event, entries=[cal], by=actor)
    partners.part_side(event=event, number=number, by=actor)
    partners.part_side(event=event, number=number, by=actor)  # the second tap does nothing
    assert not event.entries.exclude(team=None).exists()
    pair_in_order(event, actor)
    played = play_round(event, actor).seats.first().entry.team
    with pytest.raises(StepRefused, match="stay together"):
        partners.part_side(event=event, number=played, by=actor)
    assert LogEntry.objects.filter(club=club, verb="side.part").count() == 1


def test_two_handed_games_need_no_partners(club, actor, browser):
    event = make_event(club, actor, "round-robin", people=3, game="cribbage", shape=Shape(2, 1))
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
        event = paired(club, actor, "swiss", 6, rounds=1, bye=bye)
        draw = play_round(event, actor)
        rested = {s.entry_id for s in draw.sit_outs.all()}
        rows = [row for row in standings_of(state.night_stage(event)).rows if row.entry in rested]
        assert {row.games_won for row in rows} == {won}


# As a director sees them: planned, paired and played by clicking


def test_a_director_plans_pairs_and_plays_a_swiss_by_clicking(club, browser):
    page = browser.get(reverse("event_new", args=[club.slug]))
    individuals, *sides = (re.findall(r'href="\?format=([\w-]+)"', part) for part in page_of(page).split("<h2")[1:])
    sides = list(chain.from_iterable(sides))
    assert sorted(individuals + sides) == sorted(Event.Format.values)  # one link each
    assert {"rotation", "contest"} <= set(individuals)
    assert {"swiss", "knock-out", "team-match"} <= set(sides)
    form = browser.get(reverse("event_new", args=[club.slug]) + "?format=swiss")
    assert "The first round is by lot" in page_of(form)
    sent = {"name": "Autumn Swiss", "game": "euchre:2x2", "starts_at": "2054-11-06T19:30", "rounds": "2"}
    sent |= {"bye": "half", "first_by_lot": "no", "sit_out_rule": "zero", "tie_1": "games-won", "tie_2": "points"}
    assert browser.post(reverse("event_new", args=[club.slug]) + "?format=swiss", sent).status_code == 302
    event = Event.objects.get(name="Autumn Swiss")
    chosen = {"rounds": 2, "bye": "half", "first_by_lot": False, "pairing": "halves", "rematches": "refused"}
    assert event.options == chosen
    for member in make_members(club, 8):
        browser.post(reverse("here", args=[club.slug, event.slug]), {"member": member.pk})
    url = reverse("partners", args=[club.slug, event.slug])
    people = list(event.entries.order_by("number"))
    browser.post(url, {"step": "join", "entry": [people[0].pk, people[5].pk]})
    page = browser.post(url, {"step": "rest"}, follow=True)
    assert "3 sides were made by lot" in page_of(page)
    assert set(event.entries.filter(team=1)) == {people[0], people[5]}
    draw_url = reverse("round_draw", args=[club.slug, event.slug])
    page = browser.post(draw_url, {"step": "make", "planned": "1"}, follow=True)
    assert "Publish this draw" in page_of(page)
    desk = browser.get(event.get_desk_url())
    assert "2 rounds are planned" in page_of(desk)
    assert "half a game won" in page_of(browser.get(event.get_absolute_url()))


@pytest.mark.proof
def test_the_desk_asks_as_much_for_three_rounds_as_for_one(club, actor, browser):
    event = paired(club, actor, "swiss", 16, rounds=4)
    play_round(event, actor)
    browser.get(event.get_desk_url())
    one = queries_of(browser, event.get_desk_url())
    play_round(event, actor)
    play_round(event, actor)
    three = queries_of(browser, event.get_desk_url())
    assert three <= one


def test_no_further_round_is_offered_once_all_are_played(club, actor, browser, client_of):
    """Also while somebody waits who has no partner yet."""
    event = paired(club, actor, "swiss", 8, rounds=1)
    play_round(event, actor)
    event.entries.create(number=9, name="Late Lou")
    draw = reverse("round_draw", args=[club.slug, event.slug])
    page = browser.get(draw)
    assert page.context["ended"]
    assert b'name="step" value="make"' not in page.content
    assert draw not in page_of(browser.get(reverse("here", args=[club.slug, event.slug])))
    assert draw not in page_of(browser.get(event.get_desk_url()))
    assert browser.get(event.get_desk_url()).context["night"].next == "all-played"
    assert client_of(None).get(reverse("board", args=[club.slug, event.slug])).context["following"] is None


def test_a_swiss_without_a_pairing_left_offers_to_close(club, actor, browser):
    event = paired(club, actor, "swiss", 4, rounds=5)
    play_round(event, actor)
    night = browser.get(event.get_desk_url()).context["night"]
    assert (night.next, night.ended.code) == ("all-played", "format.no-pairing")
    assert browser.get(reverse("round_draw", args=[club.slug, event.slug])).context["ended"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_clubs_know_by_its_own_name_is_filled_in(browser, club, variant):
    format, (options, typed) = VARIANTS[variant][0], (VARIANTS[variant][1], variant_initial(variant))
    address = reverse("event_new", args=[club.slug])
    assert f"?variant={variant}" in browser.get(address).content.decode()
    form = browser.get(address, {"variant": variant}).context["form"]
    assert {name: form[name].value() for name in typed} == typed
    offered = [value for _kind, games in form.fields["game"].choices if isinstance(games, list) for value, _t in games]
    assert options.get("game", offered[0]) in offered
    of_event = {"game", "round_minutes", "walkover_points", "result_points"}
    assert set(options) - of_event <= {one.name for one in option_fields(FORMATS[format])}
