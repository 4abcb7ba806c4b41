"""The cut: a reason for every name, ties that are shown and settled, publishing, taking back, the next in line."""

import inspect
import re
from datetime import timedelta
from hashlib import sha256

import pytest
from django.db.models import F

from scoring.cards.deals import reopen_game
from scoring.engine.points_only import PointsDeal
from scoring.models import Deal, DealVersion, Game
from tests.scoring.conftest import correct
from tests.tournaments.contests import contest, drawn, enter, play_group, played_contest, stage_of
from tournaments.cuts.cuts import (
    CUT,
    describe_cut,
    describe_settlements,
    difference,
    draw_lots,
    propose,
    publish_cut,
    record_play_off,
    take_back_cut,
    undo_settlement,
)
from tournaments.cuts.reserves import next_in_line, replace_finalist
from tournaments.draws.changes import seat_reserve
from tournaments.engine import ranking as cut_engine
from tournaments.entries.actions import add_entry, finalist_line, withdraw
from tournaments.errors import StepRefused
from tournaments.events.state import published_cut
from tournaments.models import Cut, Draw, Group, Seat
from tournaments.rounds.publishing import publish_draw, take_back_draw


def published(event, by, number=1):
    stage = stage_of(event, number)
    return publish_cut(stage=stage, by=by, fingerprint=propose(stage).fingerprint)


def group_of(event, position=0):
    """The three entries of one group of the first stage, best first by number."""
    draw = stage_of(event, 1).rounds.get().draws.get()
    seats = (
        Seat.objects.filter(draw=draw).select_related("entry").order_by("group__table__number", "group__number", "side")
    )
    first = list(seats)[3 * position : 3 * position + 3]
    return sorted((seat.entry for seat in first), key=lambda e: e.number)


@pytest.fixture
def event(club, actor):
    """A competition whose first stage is played: places go by numbers."""
    return played_contest(club, actor)


@pytest.fixture
def stage(event):
    return stage_of(event, 1)


@pytest.fixture
def level(event, actor):
    """The first group of the first stage, whose two best are level in everything."""
    group = group_of(event)
    deal = Deal.objects.get(game__group_game__group__seats__entry=group[0])
    sides = {s.entry_id: s.side for s in Seat.objects.filter(group__games__game__deals=deal)}
    points = [0, 0, 0]
    for entry, own in zip(group, (500, 500, 100), strict=True):
        points[sides[entry.pk]] = own
    correct(deal, PointsDeal(points=tuple(points)), by=actor)
    return group


def test_every_code_has_its_sentence():
    assert CUT.keys() == set(re.findall(r'"(cut\.[a-z-]+)"', inspect.getsource(cut_engine)))


def test_every_name_has_its_reason(event, actor):
    cut = published(event, actor)
    words = describe_cut(Cut.objects.prefetch_related("lines__entry").get(pk=cut.pk))
    standings = cut.stage.published_standings.get()
    assert (standings.number, standings.final, len(standings.rows), len(words)) == (1, False, 54, 54)
    assert sum(w["advances"] for w in words) == 18
    assert [w["last_in"] for w in words].index(True) == 17
    assert words[0]["reason"].startswith("Won group ")
    assert words[0]["reason"].endswith(", ahead by points")
    assert words[-1]["reason"].startswith("Below the line, by ")
    assert words[-1]["reason"].endswith(" in points")
    assert all(w["reason"] and "%(" not in w["reason"] for w in words)


def test_a_tie_at_the_line_is_shown_and_stops_the_cut(stage, level, actor):
    now = propose(stage)
    assert [set(tie.entries) for tie in now.cut.open_ties] == [{level[0].pk, level[1].pk}]
    with pytest.raises(StepRefused, match="level at the line"):
        publish_cut(stage=stage, by=actor, fingerprint=now.fingerprint)
    assert not Cut.objects.exists()


def test_a_play_off_settles_it_and_is_kept(event, stage, level, actor):
    points = {level[0].pk: 12, level[1].pk: 31}
    made = record_play_off(stage=stage, by=actor, points=points, seen=0)
    assert record_play_off(stage=stage, by=actor, points=points, seen=0) == made
    cut = published(event, actor)
    lines = {line.entry_id: line for line in cut.lines.all()}
    assert lines[level[1].pk].advances
    assert lines[level[1].pk].reason == "cut.won-play-off"
    assert lines[level[0].pk].reason == "cut.lost-play-off"
    assert [data["play_off"] for data in cut.settled] == [{str(level[0].pk): 12, str(level[1].pk): 31}]


def test_lots_are_drawn_with_a_seed_that_anybody_can_check(event, stage, level, actor):
    both = [level[0].pk, level[1].pk]
    draw_lots(stage=stage, by=actor, entries=both, seen=0, seed=123)
    drawn_first = propose(stage).cut.finalists
    lowest = min(level[:2], key=lambda entry: sha256(f"123:{entry.number}".encode()).hexdigest())
    assert set(both) & set(drawn_first) == {lowest.pk}
    cut = published(event, actor)
    assert cut.settled[0]["seed"] == 123
    assert any("number 123" in w["reason"] for w in describe_cut(cut) if w["advances"])
    said = " ".join(settled_in(cut))
    for entry in level[:2]:
        digits = sha256(f"123:{entry.number}".encode()).hexdigest()[:12]
        assert f"{entry.name} (“123:{entry.number}”: {digits})" in said
    assert "SHA-256" in said


def settled_in(cut):
    return describe_settlements(cut.settled, {line.entry_id: line.entry.name for line in cut.lines.all()})


def test_lots_are_drawn_again_only_by_a_ruling_that_stays_to_be_read(event, stage, level, actor):
    both = [level[0].pk, level[1].pk]
    draw_lots(stage=stage, by=actor, entries=both, seen=0, seed=123)
    with pytest.raises(StepRefused, match="write the reason"):
        undo_settlement(stage=stage, by=actor, seen=1)
    undo_settlement(stage=stage, by=actor, seen=1, reason="the names were mixed up")
    assert not propose(stage).cut.complete
    draw_lots(stage=stage, by=actor, entries=both, seen=2, seed=124)
    cut = published(event, actor)
    said = settled_in(cut)
    assert len(said) == 3  # the last tells how to check them
    assert said[0].startswith("Set aside by the director (the names were mixed up): Lots drawn with the lot number 123")
    assert said[1].startswith("Lots drawn with the lot number 124")


def test_a_play_off_and_lots_outlast_a_draw_taken_back_and_published_again(stage, level, actor):
    record_play_off(stage=stage, by=actor, points={level[0].pk: 20, level[1].pk: 20}, seen=0)
    draw_lots(stage=stage, by=actor, entries=[level[0].pk, level[1].pk], seen=1, seed=9)
    before = propose(stage).cut.finalists
    draw = Draw.objects.get(round__stage=stage)
    publish_draw(draw=take_back_draw(draw=draw, by=actor), by=actor)
    assert propose(stage).cut.complete
    assert propose(stage).cut.finalists == before


def test_play_offs_and_lots_count_whichever_way_the_clock_goes(stage, level, actor):
    both = [level[0].pk, level[1].pk]
    record_play_off(stage=stage, by=actor, points=dict.fromkeys(both, 20), seen=0)
    draw_lots(stage=stage, by=actor, entries=both, seen=1, seed=123)
    first = propose(stage).cut
    assert first.complete
    for hours in (-2, 4):  # the deals are then younger than the lots, or older
        DealVersion.objects.update(at=F("at") + timedelta(hours=hours))
        Cut.objects.filter(number=1).update(made_at=F("made_at") + timedelta(hours=hours))
        assert propose(stage).cut.finalists == first.finalists
        assert propose(stage).version == 2


def test_lots_outlast_a_reserve_who_takes_a_seat_elsewhere(club, actor):
    event = contest(club, actor)
    enter(event, actor)
    reserve = add_entry(event=event, name="Zora Neale", by=actor)
    draw = drawn(stage_of(event, 1), actor)
    table, *others = Group.objects.filter(table__draw=draw).order_by("table__number", "number")
    for group in others[1:]:
        play_group(group, actor, lambda entry: 100 - entry.number)
    play_group(table, actor, lambda entry: 50)
    stage = stage_of(event, 1)
    level = [seat.entry_id for seat in table.seats.all()]
    draw_lots(stage=stage, by=actor, entries=level, seen=0, seed=5)
    gone = others[0].seats.first().entry
    withdraw(entry=gone, by=actor)
    seat_reserve(leaving=gone, entering=reserve, by=actor)
    assert not [tie for tie in propose(stage).cut.open_ties if set(tie.entries) & set(level)]


def test_lots_count_for_the_figures_they_were_drawn_for_and_for_no_others(stage, level, actor):
    both = [level[0].pk, level[1].pk]
    draw_lots(stage=stage, by=actor, entries=both, seen=0, seed=123)
    first = propose(stage).cut.finalists
    deal = Deal.objects.get(game__group_game__group__seats__entry=level[0])
    old = deal.versions.get(current=True)
    more = PointsDeal(points=tuple(points + 5 for points in old.facts["points"]))
    correct(deal, more, by=actor, seen=2)
    assert [set(tie.entries) for tie in propose(stage).cut.open_ties] == [set(both)]
    assert describe_settlements(propose(stage).settled, {}) == []
    back = PointsDeal(points=tuple(old.facts["points"]))
    correct(deal, back, by=actor, seen=3, reason="it was right")
    assert propose(stage).cut.finalists == first


def test_lots_only_among_those_who_are_level(event, level, actor):
    with pytest.raises(StepRefused, match="no longer level"):
        draw_lots(stage=stage_of(event, 1), by=actor, entries=[level[0].pk, level[2].pk], seen=0)


def test_what_is_published_is_what_was_seen(stage, event, actor):
    seen = propose(stage).fingerprint
    withdraw(entry=group_of(event)[0], by=actor)
    with pytest.raises(StepRefused, match="Results have changed"):
        publish_cut(stage=stage, by=actor, fingerprint=seen)


def test_publishing_twice_is_publishing_once(event, actor):
    first = published(event, actor)
    assert publish_cut(stage=stage_of(event, 1), by=actor, fingerprint="") == first
    assert Cut.objects.count() == 1


def test_unfinished_sets_are_asked_about(stage, actor):
    reopen_game(game=Game.objects.all()[0], by=actor, reason="they play on")
    now = propose(stage)
    with pytest.raises(StepRefused, match="1 set isn't finished"):
        publish_cut(stage=stage, by=actor, fingerprint=now.fingerprint)
    assert publish_cut(stage=stage, by=actor, fingerprint=now.fingerprint, sure=True).state == Cut.State.PUBLISHED


def test_the_cut_is_taken_back_until_the_next_draw_is_published(event, actor):
    cut = published(event, actor)
    draw = drawn(stage_of(event, 2), actor)
    with pytest.raises(StepRefused, match="The draw of Semi-final is published"):
        take_back_cut(cut=cut, by=actor)
    take_back_draw(draw=draw, by=actor)
    take_back_cut(cut=cut, by=actor)
    assert published_cut(stage_of(event, 1)) is None
    again = published(event, actor)
    assert (again.number, again.lines.filter(advances=True).count()) == (2, 18)


def test_after_the_cut_the_next_in_line_takes_the_place(event, actor):
    group = group_of(event)
    published(event, actor)
    with pytest.raises(StepRefused, match="still plays"):
        replace_finalist(entry=group[0], reserve=group[1], by=actor)
    withdraw(entry=group[0], by=actor)
    line = finalist_line(group[0])
    assert line is not None
    assert next_in_line(line).entry == group[1].pk
    cut = replace_finalist(entry=group[0], reserve=group[1], by=actor)
    assert replace_finalist(entry=group[0], reserve=group[1], by=actor) == cut
    words = {w["name"]: w for w in describe_cut(cut)}
    assert cut.number == 2
    assert sum(w["advances"] for w in words.values()) == 18
    assert words[group[0].name]["reason"] == f"Withdrew after the cut; {group[1].name} was called up"
    assert words[group[1].name]["reason"] == f"Called up instead of {group[0].name}"
    assert not difference(cut)
    names = {seat.entry_id for seat in drawn(stage_of(event, 2), actor).seats.all()}
    assert group[1].pk in names
    assert group[0].pk not in names


def test_when_the_next_in_line_goes_too_the_one_after_is_offered(event, actor):
    group = group_of(event)
    published(event, actor)
    for leaving, entering in ((group[0], group[1]), (group[1], group[2])):
        withdraw(entry=leaving, by=actor)
        cut = replace_finalist(entry=leaving, reserve=entering, by=actor)
    assert cut.lines.get(entry=group[2]).advances
    assert not cut.lines.get(entry=group[1]).advances
    assert not difference(cut)


def test_after_the_next_draw_the_seat_goes_over_too(event, actor):
    group = group_of(event)
    published(event, actor)
    draw = drawn(stage_of(event, 2), actor)
    seat = Seat.objects.get(draw=draw, entry=group[0])
    withdraw(entry=group[0], by=actor)
    replace_finalist(entry=group[0], reserve=group[1], by=actor)
    now = Seat.objects.get(draw__state="published", draw__round__stage__number=2, entry=group[1])
    assert (now.group.table.number, now.side) == (seat.group.table.number, seat.side)
