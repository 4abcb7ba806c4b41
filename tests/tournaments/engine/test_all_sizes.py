"""Every number of people from 6 to 200 runs to a result: full groups, groups of another size, or stand-ins."""

from random import Random

import pytest

from scoring.engine.core.ruleset import Shape
from tournaments.engine.draws.contest import DoesNotFit, Sizes, draw_contest, table_sizes
from tournaments.engine.ranking import Candidate, DrawnLots, Result, build_chain, make_cut_rule, propose_cut, rank
from tournaments.events.stages import plan_stages, table_size

POINTS = build_chain(["points"])


def run(people, shape, other_sizes):
    """How many play in each stage, stand-ins not counted; and the stand-ins of the first."""
    random, playing, apart, sizes, filled = Random(people), list(range(1, people + 1)), [], [], 0
    for number, plan in enumerate(plan_stages(people, shape)):
        kind = Sizes(table_size(shape), shape.players, other_sizes)
        stand_ins = []
        try:
            table_sizes(len(playing), kind)
        except DoesNotFit as no:
            stand_ins = list(range(-(no.add or 0), 0))
        filled = filled if number else len(stand_ins)
        sizes.append(len(playing))
        tables = draw_contest([*playing, *stand_ins], seed=people, sizes=kind, apart=apart)
        assert sorted(e for t in tables for e in t.entries) == sorted([*playing, *stand_ins])
        assert {len(g) for t in tables for g in t.groups} <= {shape.players, *other_sizes}
        assert max(len(t.entries) for t in tables) <= table_size(shape)
        assert len(stand_ins) < shape.players
        apart += [t.entries for t in tables]
        candidates = [
            Candidate(Result(entry=e, points=random.randrange(20)), t.number, g, ineligible="stand-in" if e < 0 else "")
            for t in tables
            for g, group in enumerate(t.groups, start=1)
            for e in group
        ]
        if not plan.cut_rule:
            placed = rank([c.result for c in candidates if c.eligible], POINTS)
            assert sorted(p.entry for p in placed) == sorted(playing)
            break
        per = str(plan.cut_rule)
        sections = len({(c.table, c.group if per == "group" else 0) for c in candidates})
        lots = DrawnLots(tuple(c.entry for c in candidates), people)
        rule = make_cut_rule(per, plan.advance, sections=sections)
        cut = propose_cut(candidates, rule=rule, chain=POINTS, settled=[lots])
        assert cut.complete
        assert len(cut.finalists) == plan.advance
        playing = list(cut.finalists)
    return sizes, filled


@pytest.mark.parametrize("sizes_apart", [7, pytest.param(1, marks=pytest.mark.proof)])
@pytest.mark.parametrize(
    ("shape", "other_sizes"),
    [(Shape(3), ()), (Shape(3), (4,)), (Shape(2, 3), (4,)), (Shape(6), (3, 4, 5))],
    ids=["threes alone", "threes and fours", "teams of three or partners", "three to six"],
)
def test_every_number_from_6_to_200_runs_to_a_result(shape, other_sizes, sizes_apart, tried):
    every = range(6, 201, sizes_apart)
    tried(len(every))
    for people in every:
        sizes, stand_ins = run(people, shape, other_sizes)
        assert sizes[0] == people
        assert sizes[-1] == 6
        assert sizes == sorted(sizes, reverse=True)
        if shape == Shape(3) and not other_sizes:
            assert stand_ins == -people % 3


@pytest.mark.parametrize(
    ("people", "sizes"),
    [(36, [36, 12, 6]), (48, [48, 18, 6]), (54, [54, 18, 6]), (72, [72, 24, 12, 6]), (90, [90, 30, 12, 6])],
)
def test_the_usual_numbers_need_nobody_of_the_house(people, sizes):
    assert run(people, Shape(3), ()) == (sizes, 0)
