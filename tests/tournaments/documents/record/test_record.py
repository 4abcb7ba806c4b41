"""The record of an event: all that is kept of it, in order, for directors."""

from importlib import import_module
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubsite.accounts.models import LogEntry
from scoring.cards.queries import cards_of, deal_versions, versions_by_deal
from scoring.engine.points_only import PointsDeal
from scoring.models import Deal, Game
from tests.scoring.conftest import correct
from tests.tournaments.contests import (
    NAMES,
    by_number,
    contest,
    cut_stage,
    deal,
    drawn,
    enter,
    play,
    played_contest,
    stage_of,
)
from tests.tournaments.documents.test_printing import address, text_of
from tests.tournaments.nights import arrive, drafted, games_of, make_night, play_deals, seated
from tournaments.documents.record import event_record, log_entries
from tournaments.events.actions import EventFacts, available_games as contest_games, call_off, change_event
from tournaments.models import Adjustment, Entry, Event
from tournaments.rounds.publishing import publish_draw, take_back_draw
from tournaments.rulings.actions import adjust_points
from tournaments.standings.results import publish_standings


@pytest.fixture
def night(event, actor):
    """A draw taken back and made again, with a deal at one table."""
    take_back_draw(draw=seated(event, actor, 10), by=actor, reason="The wrong people")
    draw = publish_draw(draw=drafted(event, actor, planned=3, seed=8), by=actor)
    play_deals(games_of(draw)[0], actor)
    return event


def sections(event):
    found = {}
    for section in event_record(event)["sections"]:
        found[section["key"]] = [
            block["words"]
            if block["kind"] == "head"
            else " ".join((block["strong"], *block["lines"]))
            if block["kind"] == "lines"
            else "\n".join(" ".join(line) for line in block["lines"])
            for block in section["blocks"]
        ]
    return found


def test_a_contests_record_has_everybody_every_deal_the_cut_and_its_reasons(club, actor):
    event = played_contest(club, actor)
    publish_standings(stage=cut_stage(event, actor).stage, by=actor)
    found = sections(event)
    for key in ("entries", "draws", "deals", "cuts", "standings"):
        text = " ".join(found[key])
        assert [name for name in NAMES if name not in text] == [], key
    assert sum(block.startswith("Deal 1. entered, by") for block in found["deals"]) == 18
    assert " ".join(found["cuts"]).count("Won group") == 18
    assert "Version 1 of" in " ".join(found["standings"])


def test_an_event_that_is_called_off_is_not_recorded_as_planned(club, actor, rules_for):
    planned = make_night(club, rules_for("st-hilary-v3"))
    assert "State: planned" in sections(planned)["event"]
    off = call_off(event=planned, by=actor, reason="Two feet of snow.")
    assert "State: called off" in sections(off)["event"]


def test_every_version_of_a_draw_and_of_a_deal_is_there_with_its_reason(club, actor, rules_for):
    event = make_night(club, rules_for("points-only"))
    take_back_draw(draw=seated(event, actor, 8), by=actor, reason="The wrong people")
    game = games_of(publish_draw(draw=drafted(event, actor, planned=3, seed=8), by=actor))[0]
    deal(game, actor, [120, 80])
    entry = Entry.objects.filter(event=event)[0]
    kept = Deal.objects.get(game=game)
    correct(kept, PointsDeal(points=(130, 70)), by=actor, reason="Misread")
    adjust_points(
        stage=event.stages.get(), facts=Adjustment(entry=entry, points=-10, reason="Late"), by=actor, submission=uuid4()
    )
    found = sections(event)
    heads = [block for block in found["draws"] if block.startswith("Round 1 ·")]
    assert heads == ["Round 1 · Draw, version 1 · taken back", "Round 1 · Draw, version 2 · published"]
    versions = [block for block in found["deals"] if block.startswith("Deal 1")]
    assert len(versions) == 2
    assert "+120" in versions[0]
    assert "Reason: Misread" in versions[1]
    assert "+130, total 130" in versions[1]
    assert "Late" in found["rulings"][0]
    assert any("The wrong people" in block for block in found["log"])


def test_the_log_is_the_events_own_in_the_order_it_was_done(night, club, actor, rules_for):
    other = make_night(club, rules_for("st-hilary-v3"), slug="friday-2")  # whose name begins with the first one's
    arrive(other, actor, 8)
    games = [game.title for game in Game.objects.filter(club=club)]
    own = [
        entry.pk
        for entry in LogEntry.objects.order_by("pk")
        if entry.subject == night.name or entry.subject.startswith((f"{night.name} · ", *games))
    ]
    assert [entry.pk for entry in log_entries(night)] == own
    assert len(sections(night)["log"]) == len(own) > 10


def test_an_event_keeps_its_log_under_every_name_and_has_none_of_an_earlier_one_called_the_same(club, actor):
    earlier = contest(club, actor)
    earlier_log, last_of_it = LogEntry.objects.count(), LogEntry.objects.latest("pk").pk
    later = contest(club, actor)
    assert later.name == earlier.name
    enter(later, actor)
    before = LogEntry.objects.count()
    game = next(one for one in contest_games(club) if one.slug == "points-only")
    facts = EventFacts("Called otherwise", game, later.shape, later.starts_at, places=54)
    change_event(event=later, by=actor, facts=facts)
    later.refresh_from_db()
    assert log_entries(later).count() == before - earlier_log + 1
    assert not log_entries(earlier).filter(verb__in=("event.create", "event.change"), pk__gt=last_of_it).exists()


def test_what_is_done_to_an_event_is_never_told_of_another_that_has_its_name(club, actor):
    earlier, later = contest(club, actor), contest(club, actor)
    last = LogEntry.objects.latest("pk").pk
    enter(later, actor, NAMES[:9])
    play(drawn(stage_of(later, 1), actor), actor, by_number)
    done = set(LogEntry.objects.filter(pk__gt=last).values_list("pk", flat=True))
    assert set(LogEntry.objects.filter(pk__gt=last).values_list("verb", flat=True)) >= {"entries.import", "deal.record"}
    assert not done & set(log_entries(earlier).values_list("pk", flat=True))
    assert done <= set(log_entries(later).values_list("pk", flat=True))


def test_entries_from_before_the_keys_are_told_by_a_name_that_one_event_alone_had(club, actor):
    first, second = contest(club, actor), contest(club, actor)
    enter(second, actor, NAMES[:9])
    game = next(one for one in contest_games(club) if one.slug == "points-only")
    facts = EventFacts("Cup", game, second.shape, second.starts_at, places=54)
    change_event(event=second, by=actor, facts=facts)
    alone = contest(club, actor, name="Cup: the rest")
    enter(alone, actor, NAMES[:9])
    of_the_second = list(log_entries(second))
    LogEntry.objects.update(event=None, game=None)
    import_module("clubsite.accounts.migrations.0015_log_of_event").tell_events(apps, None)
    told = {entry.subject: entry.event for entry in LogEntry.objects.all()}
    assert told["Cup"] == second.pk
    assert told[first.name] is None, "two had that name"
    assert told["Cup: the rest"] is None, "or is it the rest of the Cup?"
    assert set(log_entries(second)) >= set(of_the_second), "what has no key is found by its name, as it was"


def test_all_versions_at_once_are_those_of_each_deal(night):
    games = Game.objects.filter(club=night.club).select_related("rules", "club").order_by("pk")
    cards = cards_of(list(games))
    kept = Deal.objects.select_related("game__rules", "game__club")
    assert versions_by_deal(cards) == {one.pk: deal_versions(one) for one in kept}


def test_it_takes_as_many_queries_with_more_deals_and_tables(night, club, actor, rules_for):
    larger = make_night(club, rules_for("st-hilary-v3"), slug="larger")
    take_back_draw(draw=seated(larger, actor, 18), by=actor, reason="The wrong people")
    draw = publish_draw(draw=drafted(larger, actor, planned=3, seed=8), by=actor)
    for game in games_of(draw):
        play_deals(game, actor, 2)
    counts = []
    for slug in (night.slug, larger.slug):
        event = Event.objects.select_related("club", "rules", "season").get(slug=slug)
        with CaptureQueriesContext(connection) as taken:
            event_record(event)
        counts.append(len(taken))
    assert counts[0] == counts[1]


def test_it_is_one_file_with_contents_and_page_numbers_for_directors(client_of, browser, scorekeeper, night):
    pages = text_of(browser, night, "record")
    assert "Contents" in pages[0]
    for title in ("Entries", "Draws", "Deals", "Rulings", "Cuts", "Standings and result", "Log"):
        assert title in pages[0]
    assert all(f"Page {n} of {len(pages)}" in page for n, page in enumerate(pages, 1))
    assert client_of(scorekeeper).get(address(night, "record")).status_code == 404
    assert "record.pdf" in browser.get(address(night)).content.decode()
    assert "record.pdf" not in client_of(scorekeeper).get(address(night)).content.decode()
