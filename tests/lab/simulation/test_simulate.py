"""`./dev lab simulate`, and the player of deals behind it."""

from dataclasses import replace
from datetime import datetime
from io import StringIO
from random import Random
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command

from clubsite.accounts.models import Member
from lab.commands.simulate import Command
from lab.simulation.deals import Tally, judge, true_deals
from lab.simulation.play import ROUTE, Pace, Stop, play_deal, play_event
from scoring.cards.deals import start_game
from scoring.engine.core.ledger import Problem, Severity
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import FAMILIES
from scoring.models import DealVersion, Game
from tests.examples import cases
from tournaments.events.actions import EventFacts, GameChoice, create_event
from tournaments.events.state import count_open_groups, published_cut, stage_draw
from tournaments.models import Cut, Event, PublishedStandings


def simulate(*arguments):
    out = StringIO()
    call_command(Command(), *arguments, stdout=out)
    return out.getvalue()


def make_event(club, by, slug, format, shape, places=None):
    return create_event(
        club=club,
        by=by,
        format=format,
        facts=EventFacts(
            name="Harvest",
            game=GameChoice(slug, shipped()[slug], None),
            shape=shape,
            starts_at=datetime(2054, 11, 21, 10, 0, tzinfo=ZoneInfo("America/Chicago")),
            places=places,
            games=2,
        ),
    )


@pytest.fixture
def whist(club, actor):
    """A competition of eighteen in groups of three, two short games each."""
    return make_event(club, actor, "points-only", Event.Format.CONTEST, Shape(3), 18)


@pytest.fixture
def parish_night(club, actor):
    """A club night to which nine members may come."""
    Member.objects.bulk_create(Member(club=club, name=f"Member {n}") for n in range(9))
    return make_event(club, actor, "points-only", Event.Format.ROTATION, Shape(2, 2))


@pytest.mark.daily(7)
@pytest.mark.parametrize("count", cases(20, proof=800))
@pytest.mark.parametrize("slug", sorted(shipped()))
def test_no_true_deal_is_refused(slug, count, tried):
    said = simulate("deals", "--rules", slug, "--count", str(count), "--processes", "1")
    assert f"{count} true deals played, 0 refused" in said
    tried(count)


def test_deals_are_the_same_for_the_same_seed_however_many_processes_play_them():
    rule_set = shipped()["st-hilary-v3"]
    assert true_deals(rule_set, seed="7", count=12) == true_deals(rule_set, seed="7", count=12)
    assert true_deals(rule_set, seed="7", count=12) != true_deals(rule_set, seed="8", count=12)
    words = [simulate("deals", "--rules", "st-hilary-v3", "--count", "600", "--processes", n) for n in ("1", "2")]
    assert words[0].split("[")[0] == words[1].split("[")[0]


def test_a_deal_that_the_check_refuses_is_counted_and_named():
    rule_set = shipped()["points-only"]
    rules, facts = true_deals(rule_set, seed="1", count=1)[0]
    too_many = type(facts)(points=(*facts.points, 0))
    tally = judge(rule_set, [(rules, facts), (rules, too_many)])
    assert tally == Tally(played=2, refused=1, codes=("points-only.sides",))


def test_the_command_fails_when_a_true_deal_is_refused(monkeypatch):
    family = FAMILIES["points-only"]
    fault = Problem("points-only.whole", Severity.IMPOSSIBLE, "points")
    strict = replace(family, check=lambda _facts, _rules: (fault,))
    monkeypatch.setitem(FAMILIES, "points-only", strict)
    with pytest.raises(CommandError):
        simulate("deals", "--rules", "points-only", "--count", "4", "--processes", "1")


@pytest.mark.parametrize(
    ("slug", "sides"),
    [("st-hilary-v3", [["Ann", "Bob"], ["Cal", "Dee"]]), ("three-hand-double-pinochle", [["Ann"], ["Bob"], ["Cal"]])],
)
def test_a_game_is_played_until_it_is_over(club, actor, rules_for, slug, sides):
    game = start_game(club=club, rules=rules_for(slug), title="Table 1", sides=sides)
    over, rng = game, Random(4)
    while over.state == Game.State.OPEN:
        over = play_deal(over, rng, by=actor)
    assert (over.state, over.ended_by) == (Game.State.OVER, "target")
    assert set(DealVersion.objects.values_list("route", flat=True)) == {ROUTE}


def test_a_night_is_played_to_its_result(parish_night, actor):
    result = play_event(parish_night, Random(1), by=actor, pace=Pace(rounds=2))
    assert len(result.rows) == 9
    parish_night.refresh_from_db()
    assert parish_night.state == Event.State.FINISHED


def test_a_competition_is_played_from_invented_names_to_its_result(whist, actor):
    result = play_event(whist, Random(1), by=actor)
    assert result.final
    assert [stage.published_standings.count() for stage in whist.stages.all()] == [1, 1]
    assert Cut.objects.get(state=Cut.State.PUBLISHED).lines.filter(advances=True).count() == 6


def test_ties_at_a_line_are_settled_by_lots(whist, actor):
    whist.tie_breaks = ["games-won"]  # six of three with two games each: some share the best figure
    whist.save()
    play_event(whist, Random(1), by=actor, stop=Stop(1))
    cut = published_cut(whist.stages.get(number=1))
    assert cut.settled


def test_a_competition_stops_between_stages_and_in_the_middle_of_one(whist, actor):
    assert play_event(whist, Random(1), by=actor, stop=Stop(1)) is None
    first, final = whist.stages.all()
    assert published_cut(first)
    assert stage_draw(final) is None
    assert play_event(whist, Random(2), by=actor, stop=Stop(2, 1)) is None
    assert count_open_groups(final) == 2
    assert not PublishedStandings.objects.filter(final=True).exists()
    assert play_event(whist, Random(3), by=actor) is not None
