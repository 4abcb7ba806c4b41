"""Sides that stay together are ranked as one: a row a side, places without gaps, the same wherever a place is told."""

import json
import re
from datetime import date
from html import escape
from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.engine.core.ruleset import Shape
from tests.kept import made_once
from tests.tournaments.contests import play
from tests.tournaments.draws.test_by_format import pair_in_order
from tests.tournaments.nights import arrive, drafted, make_night, new_event
from tournaments.documents.hall import certificate_pages
from tournaments.engine.prizes import Prize
from tournaments.engine.season import SeasonRule
from tournaments.events import state
from tournaments.members.erasing import erase
from tournaments.members.personal_data import export_personal_data
from tournaments.members.record import member_record
from tournaments.models import Adjustment, Event, Season, rows_by_person
from tournaments.prizes import actions as prizes
from tournaments.prizes.actions import outdated_prizes, prize_plan, propose_prizes, published_lines
from tournaments.rounds import publishing
from tournaments.rulings.actions import adjust_points
from tournaments.seasons.actions import SeasonTerms, change_rule, create_season
from tournaments.seasons.table import season_tables
from tournaments.standings.presentation import won_by
from tournaments.standings.results import (
    publish_result,
    result_of,
    standings_view,
    take_back_result,
    unchanged_result,
    view_of_version,
)
from tournaments.standings.standings import standings_of

pytestmark = pytest.mark.django_db

PAIRS = [f"Player {n:02} & Player {n + 1:02}" for n in (1, 3, 5, 7)]
STRENGTH = {1: 100, 2: 70, 3: 50, 4: 30}  # points of each pair in every deal
DAY = date(2054, 10, 1)


def league(club, by, format=Event.Format.ROUND_ROBIN, **fields):
    """Four pairs, each with its points of STRENGTH in every game, all rounds closed; in a match the first two
    pairs against the others."""
    event = new_event(club, by, format, game="points-only", shape=Shape(2, 2), **fields)
    arrive(event, by, 4 if format == Event.Format.SINGLE_TABLE else 8)
    if event.fixed_sides:
        pair_in_order(event, by)
    if format == Event.Format.TEAM_MATCH:
        for entry in event.entries.all():
            entry.plays_for = "Elm" if entry.number <= 4 else "Oak"
            entry.save()
    for seed in range(2 if format == Event.Format.KNOCK_OUT else fields.get("options", {}).get("rounds", 3)):
        draw = publishing.publish_draw(draw=drafted(event, by, planned=3, seed=seed), by=by)
        play(draw, by, lambda entry: STRENGTH[(entry.number + 1) // 2] // 2)
        publishing.close_round(round=draw.round, by=by, end_open=False)
    event.refresh_from_db()
    return event


def as_before(event):
    """The result as an older version of the program published it: a row for each person, places shared by partners."""
    published = result_of(event)
    rows = [{k: v for k, v in row.items() if k not in ("people", "side")} for row in rows_by_person(published.rows)]
    published.rows = [row | {"place": 2 * row["place"] - 1, "shared": True} for row in rows]
    for row in published.rows[::2]:
        row["separated_by"] = ""
    published.save()
    return published


@pytest.mark.daily(2)
@pytest.mark.parametrize(
    ("format", "options"),
    [
        (Event.Format.ROUND_ROBIN, {}),
        (Event.Format.SWISS, {"rounds": 2}),
        (Event.Format.LADDER, {"rounds": 2}),
        (Event.Format.TEAM_MATCH, {"rounds": 2}),
        (Event.Format.KNOCK_OUT, {}),
    ],
)
def test_every_side_has_one_row_and_a_place_of_its_own(club, actor, format, options):
    event = league(club, actor, format, options=options)
    rows = standings_of(state.night_stage(event)).rows
    assert sorted(row.name for row in rows) == PAIRS
    assert [row.place for row in rows] == [1, 2, 3, 4] or any(row.shared for row in rows[2:])
    assert rows[0].name == PAIRS[0]
    assert [person.name for person in rows[0].persons] == ["Player 01", "Player 02"]


@pytest.mark.parametrize(
    ("options", "places"),
    [
        ({"partners": "stay"}, [(1, PAIRS[0]), (2, PAIRS[1])]),
        (
            {"partners": "change", "rounds": 1},
            [(1, "Player 01"), (1, "Player 02"), (3, "Player 03"), (3, "Player 04")],
        ),
    ],
)
def test_partners_who_stay_at_a_single_table_are_ranked_as_one(club, actor, options, places):
    event = league(club, actor, Event.Format.SINGLE_TABLE, options=options)
    assert [(row.place, row.name) for row in standings_of(state.night_stage(event)).rows] == places


@pytest.fixture
def event(club, actor):
    """A league with its result, in a season that gives points for places."""

    def build():
        terms = SeasonTerms(SeasonRule(place_points=(10, 8, 6, 4)))
        season = create_season(club=club, by=actor, name="Winter", starts=DAY, ends=DAY)
        change_rule(season=season, by=actor, terms=terms, seen=None)
        event = league(club, actor)
        event.season = season
        event.save()
        publish_result(event=event, by=actor)
        event.refresh_from_db()
        return event

    return made_once("league with its result", build)


def test_pages_board_and_desk_have_a_line_for_each_side(event, director, client_of):
    slug = event.slug
    anybody, desk = client_of(None), client_of(director)
    for browser, address in (
        (anybody, f"/st-hilary/events/{slug}/"),
        (anybody, f"/st-hilary/events/{slug}/?sort=name"),
        (anybody, f"/st-hilary/events/{slug}/board/"),
        (desk, f"/st-hilary/desk/{slug}/"),
        (desk, f"/st-hilary/desk/{slug}/close/"),
    ):
        context = browser.get(address).context
        view = context["places"]["view"] if "places" in context else context["view"]
        assert [(row.place, row.shared, row.name) for row in view.rows] == [
            (place, False, name) for place, name in enumerate(PAIRS, start=1)
        ]
    page = anybody.get(f"/st-hilary/events/{slug}/")
    assert page.content.decode().count("</tr>") >= 5
    for one in event.entries.all():
        assert f"/members/{one.member_id}/" in page.content.decode(), "each partner's name leads to their page"


def test_the_podium_gives_no_reason_between_partners(event):
    view = standings_view(event)
    shown = won_by(view)
    assert [one["row"].name for one in shown["podium"]] == PAIRS[:3]
    assert PAIRS[1] in shown["podium"][0]["words"]
    assert not any(one["row"].shared for one in shown["podium"])
    assert (shown["high"]["points"], shown["high"]["names"]) == (100, [PAIRS[0]])
    assert shown["chart"].left_out == 0
    assert len(shown["chart"].rows) == 4


def test_each_of_a_pair_can_have_a_certificate_of_their_own(event, actor, director, client_of):
    publish_result(event=event, by=actor)
    page = client_of(director).get(reverse("print", args=[event.club.slug, event.slug])).content.decode()
    assert "certificates.pdf?each=1" in page
    pages = certificate_pages(event, "A4", places=1, each=True)
    html = "".join(pages.documents)
    assert html.count("<article") == 2
    assert html.count("with Player 02") == html.count("with Player 01") == 1


def test_certificates_and_prizes_name_the_same_places(event, actor):
    pages = certificate_pages(event, "A4")
    html = "".join(pages.documents)
    places = ("First place", "Second place", "Third place")
    assert re.findall(r'certificate-(?:name"[^>]*|place")>([^<]*)<', html) == [
        words for certified in zip(map(escape, PAIRS), places, strict=False) for words in certified
    ]
    assert "Shared" not in html
    plan = [Prize("place", 1, 2000), Prize("place", 2, 1000), Prize("place", 3, 500)]
    prizes.plan_prizes(event=event, by=actor, prizes=plan, ties="share", one_each=True)
    proposal = propose_prizes(event, prize_plan(event))
    won = [([one.name for one in line.winners], line.each) for line in proposal.lines]
    assert won == [([*name.split(" & ")], each) for name, each in zip(PAIRS, (1000, 500, 250), strict=False)]


def test_exports_have_a_row_for_each_side_and_say_who_it_is(event, client_of):
    data = client_of(None).get(f"/st-hilary/data/events/{event.slug}/result.json").json()
    assert [(row["place"], row["shared"], row["name"]) for row in data["rows"]] == [
        (place, False, name) for place, name in enumerate(PAIRS, start=1)
    ]
    assert data["rows"][1]["people"] == [{"number": 3, "name": "Player 03"}, {"number": 4, "name": "Player 04"}]
    assert data["rows"][1]["number"] == 3
    sheet = client_of(None).get(f"/st-hilary/events/{event.slug}/result.csv").content.decode()
    assert [line.split(",")[2] for line in sheet.splitlines()[1:]] == PAIRS


def test_each_person_of_a_side_has_its_place_in_the_season_on_their_page_and_in_their_file(event, actor):
    (table,) = season_tables([event.season])
    totals = {line.name: (line.place, int(line.total)) for line in table.lines}
    assert totals["Player 01"] == totals["Player 02"] == (1, 10)
    assert totals["Player 03"] == totals["Player 04"] == (3, 8)
    assert totals["Player 07"] == (7, 4)
    member = event.entries.get(number=4).member
    (night,) = member_record(member).nights
    assert (night.place, night.shared, night.of) == (2, False, 4)
    (result,) = export_personal_data(member, by=actor)["results"]
    assert (result["name"], result["place"], result["of"]) == ("Player 04", 2, 4)


def test_initials_and_erasing_reach_into_the_name_of_a_side(event, actor, client_of):
    member = event.entries.get(number=4).member
    member.initials_only = True
    member.save()
    page = client_of(None).get(f"/st-hilary/events/{event.slug}/").content.decode()
    assert "Player 04" not in page
    assert "P. 0." in page
    stands = erase(member=member, by=actor, typed="Player 04").replacement
    published = result_of(event)
    assert "Player 04" not in json.dumps(published.rows)
    assert published.rows[1]["name"] == f"Player 03 & {stands}"
    assert [one["name"] for one in published.rows[1]["people"]] == ["Player 03", stands]


def test_erasing_somebody_who_shares_a_name_leaves_the_partner(event, actor):
    """Another member was entered by the same name, so only the rows that are the person's own are changed."""
    member = event.entries.get(number=4).member
    partner = event.entries.get(number=3)
    published = result_of(event)
    other = make_night(event.club, event.rules)
    other.entries.create(number=1, name="Player 04", member=event.club.members.create(name="Bob"))
    stands = erase(member=member, by=actor, typed="Player 04").replacement
    published.refresh_from_db()
    assert published.rows[1]["name"] == f"{partner.name} & {stands}"


def test_a_penalty_of_either_partner_is_the_sides(club, actor):
    event = league(club, actor, tie_breaks=("points", "games-won"))
    stage = state.night_stage(event)
    before = {row.name: row.points for row in standings_of(stage).rows}
    entries = list(event.entries.order_by("number"))

    def penalise(entry):
        adjust_points(
            stage=stage, facts=Adjustment(entry=entry, points=-260, reason="late"), by=actor, submission=uuid4()
        )

    penalise(entries[1])
    rows = standings_of(stage).rows
    assert [row.name for row in rows] == [*PAIRS[1:], PAIRS[0]]
    assert (rows[-1].points, rows[-1].adjusted) == (before[PAIRS[0]] - 260, -260)
    penalise(entries[0])
    assert standings_of(stage).rows[-1].adjusted == -520, "two rulings are two"


# --- published by an older version -----------------------------------------------------------------------


def test_a_version_with_a_row_for_each_person_is_shown_as_it_was_published(event, director, client_of):
    as_before(event)
    page = client_of(None).get(f"/st-hilary/events/{event.slug}/")
    assert [row.place_words for row in page.context["view"].rows] == ["1=", "1=", "3=", "3=", "5=", "5=", "7=", "7="]
    assert page.context["high"]["points"] == 100
    assert len(page.context["chart"].rows) == 4
    assert page.context["podium"][0]["row"].name == "Player 01"
    desk = client_of(director).get(f"/st-hilary/desk/{event.slug}/close/")
    assert desk.context["corrected"] is False, "nothing was corrected"
    assert len(client_of(None).get(f"/st-hilary/data/events/{event.slug}/result.json").json()["rows"]) == 8


def test_prizes_and_season_by_such_a_version_count_sides(event, actor):
    as_before(event)
    prizes.plan_prizes(event=event, by=actor, prizes=[Prize("place", 2, 1000)], ties="share", one_each=True)
    proposal = propose_prizes(event, prize_plan(event))
    published = prizes.publish_prizes(event=event, by=actor, fingerprint=proposal.fingerprint)
    assert [one.name for one in published_lines(published)[0].winners] == ["Player 03", "Player 04"]
    assert outdated_prizes(event) is None
    (table,) = season_tables([Season.objects.get(pk=event.season.pk)])
    assert {line.name: int(line.total) for line in table.lines}["Player 04"] == 8


def test_the_next_version_ranks_sides(event, actor):
    as_before(event)
    assert unchanged_result(event, standings_of(state.night_stage(event))) is not None
    take_back_result(event=event, by=actor)
    made = publish_result(event=event, by=actor)
    assert made.number == 2
    assert [row.place_words for row in view_of_version(made).rows] == ["1", "2", "3", "4"]
