"""Rounds without a seat and missed rounds: what they are worth, and who moves when that is changed after the start."""

from functools import partial

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from clubsite.previews import fingerprint
from scoring.cards.deals import end_game
from tests.tournaments.standings.test_standings import deal, games, make_event, seat
from tournaments.errors import StepRefused
from tournaments.events.actions import EventFacts, change_event, games_of
from tournaments.models import Event
from tournaments.rulings.actions import change_worth, effects_of
from tournaments.standings.results import drawn_stages
from tournaments.standings.standings import standings_of


@pytest.fixture
def night_with_gaps(club, actor, rules_for):
    """Two rounds: Player 1 sits the second out, Player 9 comes late and misses the first."""
    event = make_event(club, rules_for("points-only"), 9)
    first = seat(event, [[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]], actor)
    second = seat(event, [[[[9, 2], [3, 4]]]], actor, number=2, sit_outs=(1, 5, 6, 7, 8))
    for game, points in zip(games(first), [(8, 5), (6, 10)], strict=True):
        deal(game, actor, *points)
    deal(games(second)[0], actor, 11, 3)
    return event


def test_another_rule_for_missed_rounds_after_the_start_is_seen_then_confirmed_and_logged(night_with_gaps, browser):
    event = night_with_gaps
    before = (event.sit_out_rule, event.missing_rule)
    page = reverse("sit_out_rules", args=[event.club.slug, event.slug])
    sent = {"sit_out_rule": before[0], "missing_rule": "own-average"}
    shown = browser.post(page, {"step": "look", **sent})
    moves = shown.context["effects"][0].moves
    nine = event.entries.get(number=9)
    assert [
        (m["after"].name, m["before"].points, m["after"].points)
        for m in moves
        if m["before"].points != m["after"].points
    ] == [(nine.name, 11, 22)]
    assert f"{len(moves)} lines of the standings change" in shown.content.decode()
    for seen, then in (("something else", before), (shown.context["seen"], (before[0], "own-average"))):
        browser.post(page, {"step": "change", **sent, "seen": seen})
        event.refresh_from_db()
        assert (event.sit_out_rule, event.missing_rule) == then
    noted = LogEntry.objects.get(verb="sit-out-rules.change")
    assert noted.old["missing_rule"] == before[1]
    assert noted.new["missing_rule"] == "own-average"
    assert noted.new["moved"] == {
        event.stages.get().name: [[m["after"].name, m["before"].place, m["after"].place] for m in moves]
    }
    assert "That is already the rule" in browser.post(page, {"step": "look", **sent}).content.decode()


def test_another_rule_for_sit_outs_moves_those_who_sat_out(night_with_gaps, actor):
    event = night_with_gaps
    facts = {"by": actor, "sit_out_rule": "zero", "missing_rule": event.missing_rule}
    effects = effects_of(drawn_stages(event), partial(change_worth, event=event, **facts))
    assert {move["after"].name for move in effects[0].moves if move["before"].points != move["after"].points} == {
        entry.name for entry in event.entries.filter(number__in=(1, 5, 6, 7, 8))
    }
    assert not LogEntry.objects.filter(verb="sit-out-rules.change").exists()
    with pytest.raises(StepRefused, match="Results have changed"):
        change_worth(event=event, seen="x", **facts)
    changed = change_worth(event=event, seen=fingerprint(effects), **facts)
    assert changed.sit_out_rule == "zero"
    assert change_worth(event=event, seen="x", **facts).sit_out_rule == "zero"
    assert LogEntry.objects.filter(verb="sit-out-rules.change").count() == 1


def test_a_finished_night_and_formats_without_sit_outs_keep_their_rule(night_with_gaps, actor):
    facts = {"by": actor, "sit_out_rule": "zero", "missing_rule": "zero", "seen": ""}
    Event.objects.update(state=Event.State.FINISHED)
    with pytest.raises(StepRefused, match="Open the night again first"):
        change_worth(event=night_with_gaps, **facts)
    for format in (Event.Format.KNOCK_OUT, Event.Format.CONTEST):
        Event.objects.update(state=Event.State.RUNNING, format=format)
        with pytest.raises(StepRefused, match="worth nothing in this format"):
            change_worth(event=night_with_gaps, **facts)


def test_the_event_form_leaves_the_rule_alone_once_it_has_begun(night_with_gaps, actor, browser):
    event = night_with_gaps
    url = reverse("event_change", args=[event.club.slug, event.slug])
    form = browser.get(url).context["form"]
    assert not {"sit_out_rule", "missing_rule"} & form.fields.keys()
    assert reverse("sit_out_rules", args=[event.club.slug, event.slug]) in browser.get(url).content.decode()
    rule = event.sit_out_rule
    shown = {field.name: field.value() for field in form if field.value() is not None}
    sent = {**shown, "name": "Renamed", "starts_at": "2055-04-03T18:00", "sit_out_rule": "zero"}
    assert browser.post(url, sent).status_code == 302
    event.refresh_from_db()
    assert (event.name, event.sit_out_rule) == ("Renamed", rule)
    with pytest.raises(StepRefused, match="on the page that shows who moves"):
        change_event(
            event=event,
            by=actor,
            facts=EventFacts(
                name="N",
                game=next(g for g in games_of(event.club) if g.slug == event.rules.slug),
                shape=event.shape,
                starts_at=event.starts_at,
                place="",
                places=None,
                season=None,
                sit_out_rule="zero",
                tie_breaks=tuple(event.tie_breaks),
            ),
        )


def test_a_missed_round_is_worth_what_the_event_says(club, actor, rules_for):
    event = make_event(club, rules_for("points-only"), 9, missing_rule=Event.SitOutRule.OWN_AVERAGE)
    first = seat(event, [[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]], actor)
    second = seat(event, [[[[9, 2], [3, 4]]]], actor, number=2, sit_outs=(1, 5, 6, 7, 8))
    for game, points in zip(games(first), [(8, 5), (6, 10)], strict=True):
        deal(game, actor, *points)
    deal(games(second)[0], actor, 11, 3)

    def nine():
        event.refresh_from_db()
        stage = first.round.stage
        stage.event = event
        return next(row for row in standings_of(stage).rows if row.number == 9)

    expected = {"own-average": 22, "zero": 11, "round-winners": 11 + 9}
    for rule, points in expected.items():
        Event.objects.filter(pk=event.pk).update(missing_rule=rule)
        if rule == "round-winners":
            for game in games(first):
                end_game(game=game, by=actor, reason="time")
        row = nine()
        assert (rule, row.points, row.missed, row.missed_credit) == (rule, points, 1, points - 11)
