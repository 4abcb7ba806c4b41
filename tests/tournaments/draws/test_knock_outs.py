"""A knock-out's bracket: drawn by lot, and what its matches are called wherever they are shown."""

import pytest
from django.db.models import Value
from django.db.models.functions import Concat
from django.urls import reverse
from django.utils import translation

from clubsite.accounts.models import Member
from scoring.cards.deals import end_game
from scoring.engine.core.ruleset import Shape
from scoring.models import Game
from tests.tournaments import contests
from tests.tournaments.contests import deal
from tests.tournaments.draws.test_by_format import make_event
from tests.tournaments.nights import drafted, games_of, publish_next
from tests.tournaments.results import closed_night, make_season
from tests.tournaments.rounds.test_going_back import decide
from tests.tournaments.rulings.test_walkovers import finish, group_at
from tests.tournaments.table_links.conftest import url_of
from tournaments.documents.cards import printed_cards
from tournaments.documents.sheets import seating_sheet
from tournaments.draws.bracket import board_pages, bracket_of
from tournaments.draws.by_format import matches_without_table, played_of
from tournaments.draws.changes import swap_in_draft
from tournaments.draws.drafts import engine_round
from tournaments.draws.making import why_stale
from tournaments.entries import partners
from tournaments.errors import StepRefused
from tournaments.members.merging import merge
from tournaments.models import Draw
from tournaments.rounds import attendance, publishing
from tournaments.rounds.seeding import seed_by_numbers, seed_from, sources_for
from tournaments.rulings.actions import give_walkover

pytestmark = pytest.mark.django_db


def cup(club, by, people, **options):
    """A knock-out of people who play each for themselves, with cards of points only."""
    return make_event(club, by, "knock-out", people=people, game="points-only", shape=Shape(2), **options)


def matches_in(draw):
    return {frozenset(table) for table in engine_round(draw).tables}


def test_a_knock_out_is_drawn_by_lot(club, actor):
    event = cup(club, actor, 27)
    drafts = [drafted(event, actor, seed=seed) for seed in (1, 2, 3, 4)]
    assert len({frozenset(matches_in(draft)) for draft in drafts}) == 4
    byes = [frozenset(engine_round(draft).sit_outs) for draft in drafts]
    assert {len(one) for one in byes} == {5}
    assert len(set(byes)) == 4
    assert matches_in(drafted(event, actor, seed=2)) == matches_in(drafts[1])


@pytest.mark.proof
def test_another_draw_is_another_bracket(club, actor, browser):
    event = cup(club, actor, 16)
    page = reverse("round_draw", args=[club.slug, event.slug])
    for _press in range(4):
        seen = browser.get(page).context["seen"]
        assert browser.post(page, {"step": "make", "planned": "1", "effort": "normal", "seen": seen}).status_code == 302
    drafts = Draw.objects.filter(round__stage__event=event)
    assert len({frozenset(matches_in(draft)) for draft in drafts}) == 4
    assert "drawn by lot" in browser.get(page).content.decode()


def test_the_rounds_follow_the_bracket_that_was_drawn(club, actor):
    event = cup(club, actor, 8, consolation=False, third=False)
    draft = drafted(event, actor, seed=3)
    (a, b), (c, d), *_others = engine_round(draft).tables
    made = swap_in_draft(draw=draft, entry=b[0], other=d[0], by=actor)
    assert engine_round(made).tables[:2] == ((a, d), (c, b))
    numbers = dict(event.entries.values_list("pk", "number"))
    first = publish_next(event, actor, seed=9)
    decide(first, actor)
    winners = [table[0] for table in engine_round(first).tables]
    second = drafted(event, actor, seed=1)
    assert engine_round(second).tables == ((winners[0], winners[1]), (winners[2], winners[3]))
    assert dict(event.entries.values_list("pk", "number")) == numbers


def test_matches_are_named_on_every_page_and_sheet(club, actor, browser, client):
    event = cup(club, actor, 8)
    draft = drafted(event, actor, seed=1)
    page = browser.get(reverse("round_draw", args=[club.slug, event.slug])).content.decode()
    assert "Quarter-final 4" in page
    assert "winner of Quarter-final 1" in page
    sheet = seating_sheet(draft)
    assert [table["match"] for table in sheet["tables"]] == [f"Quarter-final {n}" for n in (1, 2, 3, 4)]
    assert sheet["coming"][0] == ("Semi-final 1", ["winner of Quarter-final 1", "winner of Quarter-final 2"])
    assert "by lot" in sheet["fairness"]
    decide(publish_next(event, actor), actor)
    assert "winner of Semi-final 1" in client.get(reverse("board", args=[club.slug, event.slug])).content.decode()
    second = publish_next(event, actor)
    named = {"Semi-final 1", "Semi-final 2", "Consolation, match 1", "Consolation, match 2"}
    assert {table["match"] for table in seating_sheet(second)["tables"]} == named
    assert "Semi-final 1" in printed_cards(second)[0].where
    assert "Semi-final 1" in Game.objects.get(group_game__group__table__draw=second, title__contains="Table 1").title
    for address in ("event", "seats", "board", "desk_event"):
        shown = browser.get(reverse(address, args=[club.slug, event.slug])).content.decode()
        assert "Semi-final 2" in shown, address
        if address in ("event", "desk_event"):
            assert "winner of Semi-final 1" in shown, address
            assert "drawn by lot" in shown, address
    data = client.get(reverse("event_data", args=[club.slug, event.slug])).json()["matches"]
    assert [(one["name"], one["round"], one["table"]) for one in data][3:5] == [
        ("Quarter-final 4", 1, 4),
        ("Semi-final 1", 2, 1),
    ]
    assert data[-3] == {
        "name": "Final", "round": None, "table": None, "sides": ["winner of Semi-final 1", "winner of Semi-final 2"]
    }  # fmt: skip
    assert "Semi-final 1" in client.get(url_of(second)).content.decode()
    decide(second, actor)
    file = browser.get(reverse("deals_file", args=[club.slug, event.slug, "csv"])).content.decode()
    assert ",Semi-final 1," in file
    third = publish_next(event, actor)
    assert [table["match"] for table in seating_sheet(third)["tables"]] == ["Final", "Third place", "Consolation final"]
    assert matches_without_table(event) == []
    with translation.override("es"):
        assert seating_sheet(third)["tables"][1]["match"] == "Tercer puesto"


def test_a_bracket_from_before_it_was_drawn_by_lot_goes_on_in_its_order(club, actor):
    event = cup(club, actor, 8, consolation=False, third=False)
    draft = drafted(event, actor, seed=1)
    old = [(pk,) for pk in event.entries.order_by("number").values_list("pk", flat=True)]
    tables = list(draft.tables.order_by("number"))
    draft.seats.all().delete()
    for number, seeds in enumerate(((0, 7), (3, 4), (1, 6), (2, 5))):
        group = tables[number].groups.get()
        for side, place in enumerate(seeds):
            draft.seats.create(group=group, entry_id=old[place][0], side=side, position=0)
    statement = {name: kept for name, kept in draft.statement.items() if name not in ("order", "seeding", "matches")}
    Draw.objects.filter(pk=draft.pk).update(statement=statement)
    decide(publishing.publish_draw(draw=Draw.objects.get(pk=draft.pk), by=actor), actor)
    assert engine_round(drafted(event, actor, seed=5)).tables == ((old[0], old[3]), (old[1], old[2]))


def numbers_of(event, sides):
    number = dict(event.entries.values_list("pk", "number"))
    return [number[side[0]] for side in sides]


def test_the_seeds_given_by_hand_have_the_byes(club, actor, browser):
    event = cup(club, actor, 6)
    entry = {e.number: e.pk for e in event.entries.all()}
    before = drafted(event, actor, seed=1)
    page = reverse("seeds", args=[club.slug, event.slug])
    assert browser.post(page, {"step": "numbers", "kind": "hand", f"seed_{entry[5]}": "0"}).status_code == 422
    answer = browser.post(
        page, {"step": "numbers", "kind": "hand", f"seed_{entry[5]}": "1", f"seed_{entry[6]}": "2"}, follow=True
    )
    assert "seeded by hand" in answer.content.decode()
    assert why_stale(Draw.objects.get(pk=before.pk))
    for seed in (1, 2, 3):
        draft = drafted(event, actor, seed=seed)
        assert set(engine_round(draft).sit_outs) == {entry[5], entry[6]}
    assert "seeded by hand" in seating_sheet(draft)["fairness"]
    draw = publishing.publish_draw(draw=draft, by=actor)
    assert "seeded by hand" in browser.get(reverse("event", args=[club.slug, event.slug])).content.decode()
    with pytest.raises(StepRefused, match="has begun"):
        seed_by_numbers(event=event, numbers={}, points=False, by=actor)
    decide(draw, actor)
    assert {numbers_of(event, [table[0]])[0] for table in engine_round(drafted(event, actor)).tables[:2]} == {5, 6}


def test_seeds_by_points_take_the_most_first(club, actor):
    event = cup(club, actor, 4)
    entry = {e.number: e.pk for e in event.entries.all()}
    seed_by_numbers(event=event, numbers={entry[1]: 10, entry[2]: 30, entry[3]: 20}, points=True, by=actor)
    draft = drafted(event, actor, seed=1)
    assert [numbers_of(event, table) for table in engine_round(draft).tables] == [[2, 4], [3, 1]]
    with pytest.raises(StepRefused):
        seed_by_numbers(event=make_event(club, actor, "swiss"), numbers={1: 1}, points=False, by=actor)


def test_a_season_and_a_result_seed_a_knock_out(club, actor, rules_for):
    season = make_season(club)
    night = closed_night(season, rules_for("st-hilary-v3"), 6, {"Player 03": 90, "Player 01": 70, "Player 04": 50})
    event = cup(club, actor, 4)
    for source, words in ((f"season:{season.pk}", "Winter"), (f"event:{night.pk}", night.name)):
        assert source in dict(sources_for(event))
        assert seed_from(event=event, source=source, by=actor) == 3
        event.refresh_from_db()
        draft = drafted(event, actor, seed=1)
        assert [numbers_of(event, table) for table in engine_round(draft).tables] == [[3, 2], [1, 4]]
        assert words in seating_sheet(draft)["fairness"]
    with pytest.raises(StepRefused):
        seed_from(event=event, source="season:999", by=actor)
    seed_by_numbers(event=event, numbers={}, points=False, by=actor)
    event.refresh_from_db()
    assert event.seeding == {}


def test_a_result_seeds_somebody_who_was_merged_with_another_member_since(club, actor, rules_for):
    night = closed_night(make_season(club), rules_for("st-hilary-v3"), 6, {"Player 03": 90, "Player 01": 70})
    event = cup(club, actor, 4)
    played = Member.objects.get(club=club, name="Player 03")
    merge(kept=Member.objects.create(club=club, name="Petra Three"), merged=played, by=actor)
    assert seed_from(event=event, source=f"event:{night.pk}", by=actor) == 2


def test_partners_are_seeded_by_their_places_added_up(club, actor, rules_for):
    season = make_season(club)
    closed_night(season, rules_for("st-hilary-v3"), 6, {f"Player 0{n}": 100 - n for n in range(1, 9)})
    event = make_event(club, actor, "knock-out", people=8)
    people = list(event.entries.order_by("number"))
    for one, other in ((0, 7), (1, 2), (3, 5), (4, 6)):  # places 9, 5, 10, 12
        partners.join_side(event=event, entries=[people[one], people[other]], by=actor)
    seed_from(event=event, source=f"season:{season.pk}", by=actor)
    event.refresh_from_db()
    tables = engine_round(drafted(event, actor, seed=1)).tables
    assert [[side[0] for side in table] for table in tables] == [
        [people[1].pk, people[4].pk],
        [people[0].pk, people[3].pk],
    ]


def test_a_cut_leads_into_a_bracket_with_its_order_as_seeds(club, actor, browser):
    contest = contests.played_contest(club, actor)
    cut = contests.cut_stage(contest, actor)
    event = cup(club, actor, 0)
    page = reverse("seeds", args=[club.slug, event.slug])
    assert browser.post(page, {"step": "source", "source": f"cut:{cut.pk}", "enter": "1"}).status_code == 302
    event.refresh_from_db()
    through = list(cut.lines.filter(advances=True).values_list("entry__name", flat=True))
    assert list(event.entries.order_by("number").values_list("name", flat=True)) == through
    draft = drafted(event, actor, seed=1)
    first = [number for number, name in draft.statement["matches"].items() if name.startswith("Round of 32")]
    assert len(through) == 18
    playing = draft.seats.filter(group__table__number__in=first).values_list("entry__name", flat=True)
    assert set(playing) == set(through[14:])  # the other fourteen have byes
    assert contest.name in seating_sheet(draft)["fairness"]


def shape_of(part):
    """How many matches each round of a part of the bracket has, its byes, and its matches won without cards."""
    marks = [match["mark"] for one in part["rounds"] for match in one["matches"] if match]
    return [len(one["matches"]) for one in part["rounds"]], marks.count("bye"), marks.count("walkover")


def test_a_bracket_shows_byes_walkovers_and_who_won(club, actor):
    event = cup(club, actor, 27)
    assert bracket_of(event) == []
    first = publishing.publish_draw(draw=drafted(event, actor, seed=1), by=actor)
    assert [shape_of(part)[0] for part in bracket_of(event)] == [[16, 8, 4, 2, 1], [1], [8, 4, 2, 1]]
    for number in (1, 2):
        give_walkover(group=group_at(first, number), absent={1}, by=actor)
    finish(first, actor, but=(1, 2))
    main, _third, _consolation = bracket_of(event)
    assert shape_of(main) == ([16, 8, 4, 2, 1], 5, 2)
    names = dict(event.entries.values_list("pk", "name"))
    winners = {names[table.order()[0][0]] for table in played_of(event)[0].tables}
    first_round, second_round = (one["matches"] for one in main["rounds"][:2])
    assert {side["name"] for match in first_round for side in match["sides"] if side.get("won")} == winners
    byes = {names[pk] for pk in engine_round(first).sit_outs}
    assert {side["name"] for match in second_round for side in match["sides"]} == winners | byes
    assert len([match for match in first_round if not match["mark"]]) == 9


def test_a_match_that_ended_level_is_still_open_in_the_bracket(club, actor):
    event = cup(club, actor, 4, third=False)
    draw = publish_next(event, actor)
    for game in games_of(draw):
        deal(game, actor, [5, 5])
        end_game(game=game, by=actor, reason="time")
    (main,) = bracket_of(event)
    semi_finals, final = (one["matches"] for one in main["rounds"])
    assert [side["points"] for match in semi_finals for side in match["sides"]] == [5, 5, 5, 5]
    assert not any(side["won"] for match in [*semi_finals, *final] for side in match["sides"])


def test_a_bracket_names_the_seeds_that_were_given(club, actor):
    event = cup(club, actor, 4, third=False)
    entries = list(event.entries.order_by("number"))
    seed_by_numbers(event=event, numbers={entries[3].pk: 1, entries[0].pk: 2}, points=False, by=actor)
    event.refresh_from_db()
    publish_next(event, actor)
    sides = [side for one in bracket_of(event)[0]["rounds"] for match in one["matches"] for side in match["sides"]]
    assert {side["seed"]: side["name"] for side in sides if side["seed"]} == {1: entries[3].name, 2: entries[0].name}


def test_a_hall_board_shows_what_is_left_of_a_bracket_in_readable_pieces(club, actor, client):
    event = cup(club, actor, 16)
    decide(publish_next(event, actor), actor)
    pages = board_pages(bracket_of(event))
    assert [[len(one["matches"]) for one in page["rounds"]] for page in pages] == [[4, 2, 1], [4, 2, 1]]
    page = client.get(reverse("board", args=[club.slug, event.slug]), {"show": "bracket"}).content.decode()
    assert page.count('data-part="bracket-') == 2
    event.entries.update(name=Concat("name", Value(" and somebody with a name as long as this")))
    assert [one["piece"] for one in board_pages(bracket_of(event))] == [1, 2, 1, 2]


def test_a_side_that_leaves_during_its_match_has_lost_it_in_the_bracket(club, actor, client):
    event = cup(club, actor, 4, third=False)
    draw = publish_next(event, actor)
    gone = event.entries.get(pk=engine_round(draw).tables[0][1][0])
    attendance.leave(entry=gone, by=actor)
    match = bracket_of(event)[0]["rounds"][0]["matches"][0]
    assert [side["won"] for side in match["sides"]] == [True, False]
    for address in ("event", "board"):
        assert client.get(reverse(address, args=[club.slug, event.slug])).status_code == 200
