"""The director's decisions beside the cards: adjustments, disqualification, stand-ins, another chain of tie-breaks."""

import json
from dataclasses import replace
from functools import partial
from random import Random
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils.html import escape

from clubsite.accounts.models import LogEntry
from clubsite.previews import fingerprint
from lab.simulation.play import play_round
from scoring.cards.deals import end_game
from scoring.models import Game
from tests.tournaments.contests import NAMES, by_number, contest, drawn, enter, play, played_contest, stage_of
from tests.tournaments.standings.test_standings import deal, games, make_event, seat
from tournaments.cuts.cuts import describe_cut, difference, propose, publish_cut
from tournaments.documents.sheets import cut_sheet, seating_sheet, standings_sheet
from tournaments.draws.changes import fill_with_stand_ins
from tournaments.draws.making import entries_for
from tournaments.draws.words import fairness_note
from tournaments.entries.actions import disqualify, return_entry
from tournaments.errors import StepRefused
from tournaments.events.actions import change_event, event_facts
from tournaments.events.stages import StageFacts, change_stage
from tournaments.events.state import published_cut
from tournaments.models import Adjustment, Entry, Event, Stage
from tournaments.rulings.actions import (
    adjust_points,
    change_tie_breaks,
    change_worth,
    only_stage,
    preview_effects,
    take_back_adjustment,
)
from tournaments.standings.results import drawn_stages, publish_result, publish_standings
from tournaments.standings.standings import Row, standings_of

PINOCHLE = "three-hand-double-pinochle"  # in groups of three and no others


def rows_of(stage):
    return {row.name: row for row in standings_of(stage).rows}


def cut_of(event, by, number=1):
    stage = stage_of(event, number)
    return publish_cut(stage=stage, by=by, fingerprint=propose(stage).fingerprint)


def give(stage, entry, points, by, reason="Late after the break", **more):
    facts = Adjustment(entry=entry, points=points, reason=reason)
    return adjust_points(stage=stage, facts=facts, by=by, **{"submission": uuid4(), **more})


@pytest.fixture
def event(club, actor):
    """Eighteen entries, the first stage played: places go by numbers."""
    made = contest(club, actor, places=18)
    enter(made, actor, NAMES[:18])
    play(drawn(stage_of(made, 1), actor), actor, by_number)
    made.refresh_from_db()
    return made


# Adjustments


def test_a_penalty_counts_with_its_reason_until_it_is_taken_back(event, actor):
    stage, ann = stage_of(event, 1), event.entries.get(number=1)
    before = rows_of(stage)[ann.name]
    made = give(stage, ann, -100, actor)
    now = rows_of(stage)[ann.name]
    assert (now.points, now.adjusted, now.adjustments) == (before.points - 100, -100, ((-100, "Late after the break"),))
    assert now.place == 18
    line = next(row for row in standings_sheet(stage)["rows"] if row["name"] == ann.name)
    assert line["note"] == "penalty \N{MINUS SIGN}100: Late after the break"
    kept = publish_standings(stage=stage, by=actor)
    assert next(row for row in kept.rows if row["name"] == ann.name)["adjustments"] == [[-100, "Late after the break"]]
    assert Row.from_data(json.loads(json.dumps(next(r for r in kept.rows if r["name"] == ann.name)))) == now
    take_back_adjustment(adjustment=made, by=actor, reason="a mistake")
    take_back_adjustment(adjustment=made, by=actor)
    assert rows_of(stage)[ann.name] == before
    verbs = LogEntry.objects.filter(verb__startswith="adjustment").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["adjustment.make", "adjustment.withdraw"]


def test_a_penalty_counts_in_the_cut_and_in_the_tie_break_of_the_best_overall(event, actor):
    stage = stage_of(event, 1)
    first = propose(stage).through[0].entry
    give(stage, first, -1000, actor)
    now = propose(stage)
    assert first.pk not in {one.entry_id for one in now.through}
    assert next(one for one in now.lines if one.entry == first).points == by_number(first) - 1000


def test_an_adjustment_needs_points_a_reason_and_a_seat(event, actor):
    stage, ann = stage_of(event, 1), event.entries.get(number=1)
    for points, reason, entry in ((0, "why", ann), (-10, "  ", ann), (2_000_000, "why", ann)):
        with pytest.raises(StepRefused):
            give(stage, entry, points, actor, reason)
    late = Entry.objects.create(event=event, number=99, name="Zoe Late")
    with pytest.raises(StepRefused, match="doesn't play in Qualifying"):
        give(stage, late, -10, actor)
    assert not Adjustment.objects.exists()


def test_the_same_form_twice_is_one_adjustment(event, actor):
    stage, ann, same = stage_of(event, 1), event.entries.get(number=1), uuid4()
    for _time in range(2):
        give(stage, ann, -10, actor, submission=same)
    assert Adjustment.objects.count() == 1


def test_what_an_adjustment_would_change_is_shown_and_nothing_is_kept(event, actor):
    stage = stage_of(event, 1)
    cut = cut_of(event, actor)
    first = cut.lines.order_by("order")[0].entry
    (effect,) = preview_effects(only_stage(stage), partial(give, stage, first, -1000, actor))
    moved = next(move for move in effect.moves if move["after"].name == first.name)
    assert (moved["before"].place, moved["after"].place, moved["after"].points) == ("1", "18", by_number(first) - 1000)
    assert effect.has_cut
    assert effect.cut
    assert effect.cut.would_not == (first,)
    assert not Adjustment.objects.exists()
    assert not LogEntry.objects.filter(verb="adjustment.make").exists()
    assert not difference(cut)


def test_an_adjustment_after_the_cut_leaves_it_and_is_shown_beside_it(event, actor):
    cut = cut_of(event, actor)
    lines = list(cut.lines.values_list("entry", "advances", "reason"))
    first = cut.lines.order_by("order")[0].entry
    stage = stage_of(event, 1)
    seen = fingerprint(preview_effects(only_stage(stage), partial(give, stage, first, -1000, actor)))
    with pytest.raises(StepRefused, match="Results have changed"):
        give(stage, first, -1000, actor, seen="other")
    made = give(stage, first, -1000, actor, seen=seen)
    kept = published_cut(stage_of(event, 1))
    assert kept == cut
    assert list(kept.lines.values_list("entry", "advances", "reason")) == lines
    assert difference(cut).would_not == (first,)
    (back,) = preview_effects(only_stage(stage), partial(take_back_adjustment, adjustment=made, by=actor))
    assert back.cut is not None
    assert not back.cut


def test_the_director_sees_the_effect_and_then_lets_it_count(event, browser):
    page = reverse("adjustments", args=[event.club.slug, event.slug])
    ann = event.entries.get(number=1)
    sent = {"stage": stage_of(event, 1).pk, "entry": ann.pk, "points": "-100", "reason": "Phone rang"}
    shown = browser.post(page, {"step": "look", **sent})
    assert "penalty \N{MINUS SIGN}100: Phone rang" in shown.content.decode()
    assert not Adjustment.objects.exists()
    answer = browser.post(
        page, {"step": "adjust", **sent, "seen": shown.context["seen"], "submission": shown.context["submission"]}
    )
    assert answer.status_code == 302
    made = Adjustment.objects.get()
    public = browser.get(event.get_absolute_url()).content.decode()
    assert "penalty \N{MINUS SIGN}100: Phone rang" in public
    assert "Take back" in browser.post(page, {"step": "look-back", "adjustment": made.pk}).content.decode()
    browser.post(page, {"step": "take-back", "adjustment": made.pk})
    assert Adjustment.objects.get().withdrawn_at is not None
    assert "taken back" in browser.get(page).content.decode()


def test_an_adjustment_of_zero_is_asked_for_again(event, browser):
    page = reverse("adjustments", args=[event.club.slug, event.slug])
    sent = {"stage": stage_of(event, 1).pk, "entry": event.entries.get(number=1).pk, "reason": "Phone rang"}
    shown = browser.post(page, {"step": "look", **sent, "points": "0"})
    assert "Write how many points" in shown.content.decode()
    assert "seen" not in shown.context


def test_another_events_adjustment_is_not_found(event, actor, browser, club):
    made = give(stage_of(event, 1), event.entries.get(number=1), -10, actor)
    other = contest(club, actor, name="Other", places=18)
    page = reverse("adjustments", args=[club.slug, other.slug])
    assert browser.post(page, {"step": "take-back", "adjustment": made.pk}).status_code == 404
    assert Adjustment.objects.get().withdrawn_at is None


# Disqualified


def test_the_disqualified_stay_in_the_list_marked_and_can_not_go_on(event, actor):
    stage, first = stage_of(event, 1), propose(stage_of(event, 1)).through[0].entry
    with pytest.raises(StepRefused, match="Write the reason"):
        disqualify(entry=first, by=actor, reason=" ")
    disqualify(entry=first, by=actor, reason="Looked at the widow")
    row = rows_of(stage)[first.name]
    assert (row.points, row.disqualified, row.withdrawn) == (by_number(first), "Looked at the widow", True)
    assert standings_of(stage).rows[-1] == row
    assert next(row for row in standings_sheet(stage)["rows"] if row["name"] == first.name)["note"] == (
        "disqualified: Looked at the widow"
    )
    words = {w["name"]: w for w in describe_cut(cut_of(event, actor))}
    assert words[first.name]["reason"] == "Disqualified: Looked at the widow"
    assert not words[first.name]["advances"]
    assert sum(w["advances"] for w in words.values()) == 6
    assert first.name in [row["name"] for row in cut_sheet(stage)["out"]]


def test_a_disqualification_is_lifted_by_the_return(event, actor):
    first = propose(stage_of(event, 1)).through[0].entry
    before = [(one.entry_id, one.advances) for one in propose(stage_of(event, 1)).lines]
    disqualify(entry=first, by=actor, reason="Marked cards")
    return_entry(entry=first, by=actor)
    assert [(one.entry_id, one.advances) for one in propose(stage_of(event, 1)).lines] == before
    assert LogEntry.objects.get(verb="entry.return").old["disqualified"] == "Marked cards"


# Stand-ins, short groups


def test_stand_ins_make_the_groups_full_and_stand_outside_the_order(club, actor, browser):
    event = contest(club, actor, game=PINOCHLE, places=18)
    enter(event, actor, NAMES[:16])
    stage = stage_of(event, 1)
    page = reverse("stage_draw", args=[club.slug, event.slug, 1])
    assert "2 stand-ins make the groups full" in browser.get(page).content.decode()
    assert browser.post(page, {"step": "stand-ins"}).status_code == 302
    fill_with_stand_ins(stage=stage, by=actor)
    assert sorted(e.name for e in entries_for(stage) if e.stands_in_id) == ["Stand-in 1", "Stand-in 2"]
    draw = drawn(stage, actor)
    play_round(draw, Random(3), by=actor)
    rows = standings_of(stage).rows
    assert {row.name for row in rows[-2:]} == {"Stand-in 1", "Stand-in 2"}
    assert [row.place for row in rows[:16]] == [row.place for row in rows if not row.stand_in]
    now = propose(stage)
    assert len(now.through) == 6
    assert all(one.entry.stands_in_id is None for one in now.through)
    words = fairness_note(stage, draw.statement)
    assert words.startswith("2 stand-ins fill the groups")
    assert seating_sheet(draw)["fairness"] == words
    assert escape(words) in browser.get(event.get_desk_url()).content.decode()


def test_stand_ins_leave_when_others_come(club, actor):
    event = contest(club, actor, game=PINOCHLE, places=18)
    enter(event, actor, NAMES[:16])
    stage = stage_of(event, 1)
    fill_with_stand_ins(stage=stage, by=actor)
    enter(event, actor, NAMES[16:17])
    assert len(fill_with_stand_ins(stage=stage, by=actor)) == 1
    enter(event, actor, NAMES[17:18])
    assert fill_with_stand_ins(stage=stage, by=actor) == []
    assert len(entries_for(stage)) == 18


def test_short_groups_state_their_rule_of_fairness(club, actor, rules_for):
    event = contest(club, actor, places=51)
    enter(event, actor, NAMES[:51])
    draw = drawn(stage_of(event, 1), actor)
    assert fairness_note(stage_of(event, 1), draw.statement) == (
        "1 table has one group instead of two. All groups play the same number of games. "
        "Who goes on is decided within each group, among those who played the same games. "
        "Places left over go to the best of the others, by their points."
    )
    full = contest(club, actor, places=54, name="Full")
    enter(full, actor, NAMES)
    assert fairness_note(stage_of(full, 1), drawn(stage_of(full, 1), actor).statement) == ""


@pytest.mark.daily(2)
@pytest.mark.parametrize("people", [7, 20, 53])
def test_any_number_runs_to_a_result(club, actor, people):
    names = [f"{name} {n}" for n in range(2) for name in NAMES][:people]
    event = contest(club, actor, places=people)
    enter(event, actor, names)
    for stage in event.stages.all():
        stage = stage_of(event, stage.number)
        fill_with_stand_ins(stage=stage, by=actor)
        play(drawn(stage, actor), actor, by_number)
        if stage.cut_rule:
            cut = cut_of(event, actor, stage.number)
            assert cut.lines.filter(advances=True).count() == stage.advance
    result = publish_result(event=event, by=actor)
    assert result.rows[0]["name"] == names[0]
    assert [row["place"] for row in result.rows if not row["stand_in"]] == list(range(1, 7))


def test_a_seeded_stage_spreads_the_best_and_says_so(club, actor):
    event = played_contest(club, actor)
    facts = StageFacts(name="Semi-final", games=1, cut_rule="group", advance=6, wild_cards=0, seeded=True)
    change_stage(stage=stage_of(event, 2), by=actor, facts=facts)
    cut_of(event, actor)
    best = [e.pk for e in entries_for(stage_of(event, 2))][:6]
    draw = drawn(stage_of(event, 2), actor)
    groups = draw.seats.filter(entry__in=best).values_list("group", flat=True)
    assert len(set(groups)) == 6
    assert draw.statement["seeded"]


# Wild cards


def test_wild_cards_are_chosen_on_the_stage(event, actor):
    facts = StageFacts("Q", games=1, cut_rule="table", advance=6)
    change = partial(change_stage, stage=stage_of(event, 1), by=actor)
    with pytest.raises(StepRefused, match="choose fewer wild cards than go on"):
        change(facts=replace(facts, wild_cards=6))
    with pytest.raises(StepRefused, match="choose fewer wild cards than go on"):
        change(facts=replace(facts, cut_rule="overall", wild_cards=2))
    change(facts=replace(facts, wild_cards=3))
    words = [w["reason"] for w in describe_cut(cut_of(event, actor)) if w["advances"]]
    assert sum(reason.startswith("Place 1 at table") for reason in words) == 3
    assert sum(reason.startswith("Wild card") for reason in words) == 3


# Another chain of tie-breaks


def test_a_chain_that_does_not_fit_the_format_is_refused(club, actor):
    with pytest.raises(StepRefused, match="“How far in the knock-out” only works in a knock-out"):
        contest(club, actor, name="A", tie_breaks=("reached", "points"))
    with pytest.raises(StepRefused, match="can't decide here"):
        contest(club, actor, name="B", cut_rule="overall", tie_breaks=("points", "head-to-head"))
    assert not Event.objects.exists()
    contest(club, actor, name="C", cut_rule="group", tie_breaks=("points", "head-to-head"))
    stage = stage_of(Event.objects.get(), 1)
    with pytest.raises(StepRefused, match="can't decide here"):
        change_stage(stage=stage, by=actor, facts=StageFacts(name="Q", games=1, cut_rule="overall", advance=18))
    assert stage_of(Event.objects.get(), 1).cut_rule == "group"


def test_another_chain_after_the_start_is_seen_then_confirmed_and_logged(club, actor, browser):
    event = contest(club, actor, places=18, tie_breaks=("points", "best-game"))
    enter(event, actor, NAMES[:18])
    play(drawn(stage_of(event, 1), actor), actor, by_number)
    event.refresh_from_db()
    page = reverse("tie_breaks", args=[club.slug, event.slug])
    sent = {"tie_1": "games-won", "tie_2": "points", "tie_3": "", "tie_4": ""}
    shown = browser.post(page, {"step": "look", **sent})
    moves = shown.context["effects"][0].moves
    assert moves
    event.refresh_from_db()
    assert event.tie_breaks == ["points", "best-game"]
    browser.post(page, {"step": "change", **sent, "seen": "something else"})
    event.refresh_from_db()
    assert event.tie_breaks == ["points", "best-game"]
    assert browser.post(page, {"step": "change", **sent, "seen": shown.context["seen"]}).status_code == 302
    event.refresh_from_db()
    assert event.tie_breaks == ["games-won", "points", "play-off", "lots"]
    noted = LogEntry.objects.get(verb="tie-breaks.change")
    names = [move["after"].name for move in moves]
    assert [name for name, _before, _after in noted.new["moved"]["Qualifying"]] == names


def test_a_published_cut_keeps_the_chain_it_was_made_with(event, actor):
    cut = cut_of(event, actor)
    change = partial(change_tie_breaks, event=event, by=actor, tie_breaks=("best-game", "points"))
    effects = preview_effects(drawn_stages(event), change)
    assert effects[0].has_cut
    change(seen=fingerprint(effects))
    assert not difference(cut)
    assert published_cut(stage_of(event, 1)) == cut


# What a round without a seat is worth


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
    assert "That is already so" in browser.post(page, {"step": "look", **sent}).content.decode()


def test_another_rule_for_sit_outs_moves_those_who_sat_out(night_with_gaps, actor):
    event = night_with_gaps
    facts = {"by": actor, "sit_out_rule": "zero", "missing_rule": event.missing_rule}
    effects = preview_effects(drawn_stages(event), partial(change_worth, event=event, **facts))
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
    with pytest.raises(StepRefused, match="Reopen it first"):
        change_worth(event=night_with_gaps, **facts)
    for format in (Event.Format.KNOCK_OUT, Event.Format.CONTEST):
        Event.objects.update(state=Event.State.RUNNING, format=format)
        with pytest.raises(StepRefused, match="worth nothing in this format"):
            change_worth(event=night_with_gaps, **facts)


def test_the_event_form_leaves_rules_and_tie_breaks_alone_once_it_has_begun(night_with_gaps, actor, browser):
    event = night_with_gaps
    url = reverse("event_change", args=[event.club.slug, event.slug])
    page = browser.get(url)
    form = page.context["form"]
    assert not {"sit_out_rule", "missing_rule", "tie_1"} & form.fields.keys()
    for name in ("sit_out_rules", "tie_breaks"):
        assert reverse(name, args=[event.club.slug, event.slug]) in page.content.decode()
    rule = event.sit_out_rule
    shown = {field.name: field.value() for field in form if field.value() is not None}
    sent = {**shown, "name": "Renamed", "starts_at": "2055-04-03T18:00", "sit_out_rule": "zero"}
    assert browser.post(url, sent).status_code == 302
    event.refresh_from_db()
    assert (event.name, event.sit_out_rule) == ("Renamed", rule)
    with pytest.raises(StepRefused, match="on their own page"):
        change_event(event=event, by=actor, facts=replace(event_facts(event), sit_out_rule="zero"))


@pytest.mark.parametrize(("rule", "points"), [("own-average", 22), ("zero", 11), ("round-winners", 11 + 9)])
def test_a_missed_round_is_worth_what_the_event_says(night_with_gaps, actor, rule, points):
    Event.objects.update(missing_rule=rule)
    for game in Game.objects.exclude(pk=Game.objects.latest("pk").pk):  # those of the first round
        end_game(game=game, by=actor, reason="time")
    row = next(row for row in standings_of(Stage.objects.get()).rows if row.number == 9)
    assert (row.points, row.missed, row.missed_credit) == (points, 1, points - 11)
