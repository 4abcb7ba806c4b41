"""Rule sets as data: what is shipped, what a stored version gives back, what is refused."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

import scoring
from scoring.engine.core.ruleset import RulesError, Shape, from_data, shipped, shipped_versions
from scoring.engine.families import family_of, rules_of

ALL = list(shipped().values())
BY_SLUG = pytest.mark.parametrize("rule_set", ALL, ids=lambda rule_set: rule_set.slug)


def changed(**settings):
    """The points-only rule set with settings added, or left out where None."""
    data = shipped()["points-only"].to_data()
    for name, value in settings.items():
        if value is None:
            del data["settings"][name]
        else:
            data["settings"][name] = {"value": value, "label": "Changed", "source": "the club"}
    return from_data(data)


def test_every_file_is_shipped_under_its_own_name():
    files = {path.stem for path in (Path(scoring.__file__).parent / "rules").glob("*.toml")}
    assert files == set(shipped())


@BY_SLUG
def test_every_number_has_its_label_and_source(rule_set):
    assert rule_set.title
    assert rule_set.about
    for setting in rule_set.settings:
        assert setting.label.strip(), setting.name
        assert setting.source.strip(), setting.name


@BY_SLUG
def test_every_rule_set_has_rules_for_each_of_its_shapes(rule_set):
    family = family_of(rule_set)
    names = {f.name for f in fields(family.rules)} - {"shape"}
    assert {setting.name for setting in rule_set.settings} == names
    assert len(set(rule_set.shapes)) == len(rule_set.shapes) > 0
    for shape in rule_set.shapes:
        rules = rules_of(rule_set, shape)
        assert isinstance(rules, family.rules)
        assert rules.shape == shape
        hash(rules)


@BY_SLUG
def test_a_stored_version_gives_the_same_rule_set_back(rule_set):
    stored = json.loads(json.dumps(rule_set.to_data()))
    assert from_data(stored) == rule_set
    assert rules_of(from_data(stored)) == rules_of(rule_set)


def test_the_first_shape_is_the_usual_one():
    assert rules_of(shipped()["hand-and-foot"]).shape == Shape(2, 2)
    assert Shape(2, 3).players == 6


def test_nothing_is_written_as_an_empty_string():
    points_only = shipped()["points-only"]
    assert points_only.by_name["highest"].value == ""
    assert rules_of(points_only).highest is None


def test_a_setting_is_found_by_its_name():
    assert shipped()["hand-and-foot"].by_name["clean_pile"].value == 500
    with pytest.raises(KeyError, match="clean"):
        shipped()["hand-and-foot"].by_name["clean"]


def test_lists_and_tables_are_frozen():
    rules = rules_of(shipped()["hand-and-foot"])
    assert rules.first_meld == (50, 90, 120, 150)
    assert dict(rules.card_values)["joker"] == 50


@pytest.mark.parametrize(("settings", "named"), [({"colour": 1}, "colour"), ({"step": None}, "step")])
def test_an_unknown_or_missing_setting_is_named(settings, named):
    with pytest.raises(RulesError, match=f"points-only.*{named}"):
        rules_of(changed(**settings))


def test_a_version_published_before_a_setting_came_keeps_its_meaning():
    rules = rules_of(changed(lose_at=None, one_side=None))
    assert (rules.lose_at, rules.one_side) == (None, ())


def test_a_shape_that_is_not_the_rule_sets_is_refused():
    with pytest.raises(RulesError, match="7 sides of 1"):
        rules_of(shipped()["hand-and-foot"], Shape(7, 1))


def test_an_unknown_family_is_refused():
    with pytest.raises(RulesError, match="bridge"):
        family_of(from_data(shipped()["points-only"].to_data() | {"family": "bridge"}))


@pytest.mark.parametrize("missing", ["slug", "title", "family", "version", "published", "shapes", "settings"])
def test_a_rule_set_without_a_part_is_refused(missing):
    data = shipped()["points-only"].to_data()
    del data[missing]
    name = "rule set" if missing == "slug" else "points-only"
    with pytest.raises(RulesError, match=f"^{name}: '{missing}' is missing$"):
        from_data(data)


def test_a_rule_set_may_say_nothing_about_itself_and_of_a_setting_that_it_is_a_ruling():
    data = shipped()["points-only"].to_data()
    del data["about"], data["settings"]["step"]["ruling"]
    read = from_data(data)
    assert (read.about, read.by_name["step"].ruling) == ("", False)


@pytest.mark.parametrize("missing", ["value", "label", "source"])
def test_a_setting_without_a_part_is_refused(missing):
    data = shipped()["points-only"].to_data()
    del data["settings"]["step"][missing]
    with pytest.raises(RulesError, match=missing):
        from_data(data)


def test_a_rule_set_has_bids_where_somebody_can_bid():
    with_bids = {slug for slug, rule_set in shipped().items() if rule_set.has_bids}
    assert with_bids == {
        "bid-euchre",
        "double-deck-partnership-pinochle",
        "five-hundred-by-contract",
        "fletcher-two-hand",
        "partnership-pinochle-ten-and-five",
        "partnership-pinochle-times-ten",
        "st-hilary-v3",
        "three-hand-double-pinochle",
    }


@pytest.mark.parametrize(
    "slug",
    [
        "hand-and-foot",
        "hand-and-foot-003",
        "hand-and-foot-bicycle",
        "hand-and-foot-choose-your-foot",
        "hand-and-foot-saskatchewan",
    ],
)
def test_hand_and_foot_is_played_by_any_from_two_to_six_alone_and_by_three_sides_of_two(slug):
    now, before = shipped_versions()[slug]
    alone = {Shape(players, 1) for players in range(2, 7)}
    assert set(now.shapes) == alone | {Shape(2, 2), Shape(2, 3), Shape(3, 2)}
    assert set(now.shapes) - set(before.shapes) == {Shape(4, 1), Shape(3, 2)}
    assert rules_of(now, Shape(4, 1)).decks == 5


def test_a_version_that_was_shipped_before_stays_as_it_was():
    now, before = shipped_versions()["hand-and-foot-003"]
    assert (now.version, before.version) == (2, 1)
    assert (now.values["red_three_missed"], before.values["red_three_missed"]) == (0, -100)
    differing = {s.name for s in now.settings if s != before.by_name[s.name]}
    assert differing == {"red_three_missed", "deals", "first_meld"}
    assert all(now.by_name[name].ruling for name in ("deals", "first_meld"))
    assert list(before.by_name) == list(now.by_name)


def test_versions_come_newest_first_and_the_newest_is_shipped():
    for slug, versions in shipped_versions().items():
        numbers = [rule_set.version for rule_set in versions]
        assert versions[0] == shipped()[slug]
        assert numbers == sorted(set(numbers), reverse=True)
        for rule_set in versions:
            assert rules_of(rule_set).shape == rule_set.shapes[0]
