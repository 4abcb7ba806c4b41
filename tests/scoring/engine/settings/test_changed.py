"""A club's own version of a rule set: what is changed, what is changed back, and the difference between two."""

from dataclasses import replace

from scoring.engine.core.ruleset import shipped
from scoring.engine.settings import SettingDifference, changed, differences

BASE = shipped()["st-hilary-v3"]
SOURCE = "House rules, version 4 of 21 November 2054"


def version(base, original=BASE, **values):
    return changed(base, values, original=original, source=SOURCE)


def test_a_changed_setting_is_the_clubs_ruling_and_the_others_stay():
    ours = version(BASE, target=200, counters={"A": 1, "10": 1})
    assert (ours.version, ours.published, ours.title, ours.about) == (
        BASE.version,
        BASE.published,
        BASE.title,
        BASE.about,
    )
    for name, value in (("target", 200), ("counters", {"A": 1, "10": 1})):
        setting = ours.by_name[name]
        assert (setting.value, setting.source, setting.ruling) == (value, SOURCE, True)
        assert setting.label == BASE.by_name[name].label
    assert {difference.name for difference in differences(BASE, ours)} == {"target", "counters"}
    assert ours.by_name["opening_bid"] == BASE.by_name["opening_bid"]


def test_a_table_is_kept_as_a_file_has_it():
    ours = version(BASE, counters=(("A", 1), ("10", 1)))
    assert ours.by_name["counters"].value == {"A": 1, "10": 1}


def test_a_setting_that_is_not_changed_is_not_a_ruling():
    assert version(BASE, target=150).by_name["target"] == BASE.by_name["target"]


def test_changed_back_it_has_the_source_of_the_original_again():
    ours = version(BASE, target=200)
    assert version(ours, target=150).by_name["target"] == BASE.by_name["target"]
    alone = version(ours, original=None, target=150)
    without = alone.by_name["target"]
    assert (without.value, without.source, without.ruling) == (150, SOURCE, True)
    assert alone.by_name["opening_bid"] == BASE.by_name["opening_bid"]


def test_the_difference_names_old_and_new():
    ours = version(BASE, target=200)
    (found,) = differences(BASE, ours)
    assert (found.name, found.label) == ("target", BASE.by_name["target"].label)
    assert found.old is not None
    assert found.new is not None
    assert (found.old.value, found.new.value) == (150, 200)
    assert differences(ours, ours) == ()


def test_a_setting_that_only_one_version_has_is_a_difference():
    fewer = replace(BASE, settings=tuple(s for s in BASE.settings if s.name != "target"))
    (gone,) = differences(BASE, fewer)
    assert (gone.new, gone.label) == (None, BASE.by_name["target"].label)
    (come,) = differences(fewer, BASE)
    assert (come.old, come.label) == (None, BASE.by_name["target"].label)
    assert SettingDifference("target", None, None).label == "target"
