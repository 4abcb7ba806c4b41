"""Published pages as JSON: held against the schema, and never anything that isn't published."""

import json

import jsonschema
import pytest

from tests.tooling.tree import ROOT
from tests.tournaments import nights
from tests.tournaments.results import closed_night, make_season
from tournaments.engine.prizes import Prize
from tournaments.exports.published import schema
from tournaments.models import PublishedStandings
from tournaments.prizes import actions
from tournaments.prizes.actions import prize_plan, propose_prizes
from tournaments.standings import results as standings_results

DATA = "/st-hilary/data/"
KEPT = ROOT / "docs" / "published-pages.schema.json"


@pytest.fixture
def night(club, rules):
    return closed_night(make_season(club), rules, 6, {"Ann": 40, "Bob": 30, "Cal": 30}, {"Guy Guest": -5})


def read(browser, address):
    answer = browser.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    data = answer.json()
    jsonschema.validate(data, schema(), format_checker=jsonschema.FormatChecker())
    return data


def test_the_schema_in_the_docs_is_that_of_the_program(client_of):
    assert json.loads(KEPT.read_text()) == schema(), "write it again: ./dev lab published_schema"
    assert client_of(None).get("/data/format-1.json").json() == schema()
    jsonschema.Draft202012Validator.check_schema(schema())


def test_the_schema_refuses_what_isnt_by_it(night, client_of):
    data = read(client_of(None), f"{DATA}events/{night.slug}/result.json")
    for wrong in ({"format": 2}, {"kind": "other"}, {"rows": [{"name": "Ann"}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(data | wrong, schema())


def test_a_club_lists_its_events_and_seasons_and_each_leads_on(night, client):
    club = read(client, DATA)
    assert (club["format"], club["kind"], club["club"]) == (1, "club", "St. Hilary")
    event = read(client, club["events"][0]["data"])
    assert event["starts_at"] == "2054-11-06T19:30:00-06:00"
    result = read(client, event["result"])
    standings = read(client, event["standings"])
    assert standings["rows"] == result["rows"]
    assert [(r["place"], r["shared"], r["name"], r["points"]) for r in result["rows"]] == [
        (1, False, "Ann", 40), (2, True, "Bob", 30), (2, True, "Cal", 30), (4, False, "Guy Guest", -5),
    ]  # fmt: skip
    season = read(client, club["seasons"][0]["data"])
    assert [(r["place"], r["name"], r["total"], r["nights"]) for r in season["rows"]] == [
        (1, "Ann", 40, [40]), (2, "Bob", 30, [30]), (2, "Cal", 30, [30]),
    ]  # fmt: skip


def test_a_result_thats_taken_back_is_gone(night, actor, client_of):
    browser, address = client_of(None), f"{DATA}events/{night.slug}/result.json"
    read(browser, address)
    standings_results.take_back_result(event=night, by=actor)
    assert browser.get(address).status_code == 404
    assert read(browser, f"{DATA}events/{night.slug}.json")["result"] is None


def test_the_result_is_the_published_version_and_no_draft(club, rules, actor, client_of):
    event = nights.make_night(club, rules)
    nights.play_night(event, actor, 4)
    browser, address = client_of(None), f"{DATA}events/friday/result.json"
    before = read(browser, address)
    # A card is corrected, and the director hasn't published the next version yet.
    event.refresh_from_db()
    stage = event.stages.get()
    first = PublishedStandings.objects.get(stage=stage)
    rows = [{**row, "points": row["points"] + 100} for row in first.rows]
    PublishedStandings.objects.create(event=event, stage=stage, number=2, rows=rows, final=False)  # not the result
    assert read(browser, address) == before
    assert "+100" not in browser.get(f"{DATA}events/friday/standings.json").content.decode()


def test_a_draft_of_seats_shows_nobody(club, rules, actor, client):
    event = nights.make_night(club, rules)
    nights.arrive(event, actor, 8)
    nights.drafted(event, actor)
    for address in (f"{DATA}events/friday.json", f"{DATA}events/friday/standings.json", DATA):
        read(client, address)
        assert "Player" not in client.get(address).content.decode()


def test_provisional_standings_say_so(club, rules, actor, client_of):
    event = nights.make_night(club, rules)
    nights.arrive(event, actor, 4)
    draw = nights.publish_next(event, actor)
    nights.play_deals(nights.games_of(draw)[0], actor)
    data = read(client_of(None), f"{DATA}events/friday/standings.json")
    assert (data["provisional"], data["version"], len(data["rows"])) == (True, None, 4)


def test_prizes_stand_with_the_result_once_they_are_published(club, rules, actor, client_of):
    event = nights.make_night(club, rules)
    nights.play_night(event, actor, 4)
    event.refresh_from_db()
    actions.plan_prizes(event=event, by=actor, prizes=[Prize("low", 0, 500)], ties="share", one_each=True)
    browser, address = client_of(None), f"{DATA}events/friday/result.json"
    assert read(browser, address)["prizes"] is None
    now = propose_prizes(event, prize_plan(event))
    actions.publish_prizes(event=event, by=actor, fingerprint=now.fingerprint)
    prizes = read(browser, address)["prizes"]
    assert prizes["result_version"] == 1
    last = read(browser, address)["rows"][-1]["place"]
    assert set(prizes["lines"][0]["winners"]) == {
        row["name"] for row in read(browser, address)["rows"] if row["place"] == last
    }


def test_any_site_may_read_it_and_only_read(night, client):
    for address in (DATA, f"{DATA}events/{night.slug}.json", "/data/format-1.json"):
        assert client.get(address)["Access-Control-Allow-Origin"] == "*"
        assert client.post(address).status_code == 405
    assert "Access-Control-Allow-Origin" not in client.get(night.get_absolute_url())


def test_who_has_it_is_told_so_and_a_director_gets_the_same(night, actor, director, client_of):
    address = f"{DATA}events/{night.slug}/result.json"
    first, own = client_of(None).get(address), client_of(director).get(address)
    assert (first.content, first["ETag"]) == (own.content, own["ETag"])
    assert client_of(None).get(address, headers={"if-none-match": first["ETag"]}).status_code == 304
    standings_results.take_back_result(event=night, by=actor)
    assert client_of(None).get(address, headers={"if-none-match": first["ETag"]}).status_code == 404


def test_an_answer_that_is_still_the_same_takes_one_query(night, client, django_assert_num_queries):
    address = f"{DATA}seasons/{night.season_id}.json"
    tag = client.get(address)["ETag"]
    with django_assert_num_queries(1):
        assert client.get(address, headers={"if-none-match": tag}).status_code == 304
