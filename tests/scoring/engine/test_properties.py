"""What every family keeps with every rule set it is shipped with, whatever stands on the card."""

import json

import pytest
from hypothesis import HealthCheck, assume, given, strategies as st

from scoring import wording
from scoring.engine.families import FAMILIES, family_of
from tests.examples import examples
from tests.scoring.engine.facts_of_families import (
    BY_SLUG,
    changed,
    counted_facts,
    figures_of,
    moved_on,
    reordered,
    shapes_in_family,
    true_facts,
    whatever,
    with_mistake,
)

EVERY_RULE_SET = pytest.mark.parametrize("slug", sorted(BY_SLUG))
FEW = examples(10, unchecked=[HealthCheck.too_slow, HealthCheck.data_too_large])


def test_every_family_has_a_rule_set_and_so_is_tried_here():
    assert {rule_set.family for rule_set in BY_SLUG.values()} == set(FAMILIES)


@EVERY_RULE_SET
@FEW
@given(st.data())
def test_no_card_of_the_right_shape_breaks_the_check_or_the_score(slug, data):
    rule_set = BY_SLUG[slug]
    family, rules = family_of(rule_set), data.draw(shapes_in_family(rule_set))
    facts = data.draw(whatever(family) | changed(family, true_facts(rule_set, rules)))
    problems = family.check(facts, rules)
    assert all(wording.problem_message(problem, {}) for problem in problems)
    unscorable = {problem.code for problem in problems} & family.unscorable
    try:
        score = family.score(facts, rules)
    except ValueError:
        assert unscorable
        return
    assert score.sides == rules.shape.sides
    assert score.totals == tuple(
        sum(line.points for line in score.lines if line.side == side) for side in range(score.sides)
    )
    assert all(problem.side is None or 0 <= problem.side < rules.shape.sides for problem in problems)
    assert all(type(line.points) is int for line in score.lines)
    assert all(wording.explain_line(line, {}) for line in score.lines)


@EVERY_RULE_SET
@FEW
@given(st.data())
def test_a_true_card_is_stored_and_read_again_as_it_was(slug, data):
    rule_set = BY_SLUG[slug]
    family, rules = family_of(rule_set), data.draw(shapes_in_family(rule_set))
    for facts in (data.draw(true_facts(rule_set, rules)), data.draw(whatever(family))):
        assert family.read(json.loads(json.dumps(family.write(facts)))) == facts


COUNTED_FAMILIES = ("hand-and-foot", "partnership-pinochle", "three-hand-pinochle")
COUNTED_RULE_SETS = pytest.mark.parametrize(
    "slug", [slug for slug, rule_set in sorted(BY_SLUG.items()) if rule_set.family in COUNTED_FAMILIES]
)
WHO = frozenset({"player", "side", "first", "second", "players"})  # arguments that name people, not figures


def told(problems, turn, sides):
    """What is wrong with a card and with whose figures, everybody having moved on so many sides; in no order."""
    return sorted(
        f"{p.code} {p.severity} {p.field} {None if p.side is None else (p.side + turn) % sides}" for p in problems
    )


def reasons(score, turn=0):
    """The lines of a score, everybody having moved on so many sides; in no order."""
    return sorted(
        f"{(line.side + turn) % score.sides} {line.points} {line.rule} {[a for a in line.args if a[0] not in WHO]}"
        for line in score.lines
    )


@EVERY_RULE_SET
@FEW
@given(st.data())
def test_everybody_moving_on_one_side_moves_score_and_problems_on(slug, data):
    rule_set = BY_SLUG[slug]
    family, rules = family_of(rule_set), data.draw(shapes_in_family(rule_set))
    sides = rules.shape.sides
    true = true_facts(rule_set, rules)
    facts = data.draw(true | changed(family, true))
    problems = family.check(facts, rules)
    assume(not {problem.code for problem in problems} & family.unscorable)
    moved = family.read(moved_on(family, family.write(facts), sides))
    assert told(family.check(moved, rules), 0, sides) == told(problems, 1, sides)
    assert reasons(family.score(moved, rules)) == reasons(family.score(facts, rules), 1)


@COUNTED_RULE_SETS
@FEW
@given(st.data())
def test_the_order_in_which_melds_are_written_does_not_matter(slug, data):
    rule_set = BY_SLUG[slug]
    family, rules = family_of(rule_set), data.draw(shapes_in_family(rule_set))
    counted = counted_facts(rule_set, rules)
    facts = data.draw(counted | changed(family, counted))
    again = family.read(data.draw(reordered(family.write(facts))))
    problems = family.check(facts, rules)
    sides = rules.shape.sides
    assert told(family.check(again, rules), 0, sides) == told(problems, 0, sides)
    if not {problem.code for problem in problems} & family.unscorable:
        assert reasons(family.score(again, rules)) == reasons(family.score(facts, rules))


@EVERY_RULE_SET
@FEW
@given(st.data())
def test_a_mistake_of_another_side_hides_none_of_this_side(slug, data):
    rule_set = BY_SLUG[slug]
    family, rules = family_of(rule_set), data.draw(shapes_in_family(rule_set))
    cards = true_facts(rule_set, rules).map(family.write)
    card = data.draw(cards.filter(lambda card: figures_of(card, 0) and figures_of(card, 1)))
    one = data.draw(with_mistake(card, side=0))
    both = data.draw(with_mistake(one, side=1))
    alone, together = (family.check(family.read(written), rules) for written in (one, both))
    mine = {(p.code, p.field) for p in alone if p.side == 0}
    assert mine <= {(p.code, p.field) for p in together if p.side == 0}
