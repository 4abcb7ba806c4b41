"""Settings that make a game and settings that don't: each problem by its code, the shipped rule sets without any."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from scoring.engine.core.ledger import named
from scoring.engine.core.ruleset import Setting, SettingProblem, Shape, from_data, shipped
from scoring.engine.families import FAMILIES
from scoring.engine.hand_and_foot.card import CARD_VALUES
from scoring.engine.settings import (
    Form,
    SettingDifference,
    change_settings,
    complete_settings,
    differences,
    figures_in,
    implausible_settings,
    normalise,
    setting_data,
    setting_kinds,
    setting_problems,
)
from scoring.house_rules.in_words import PROBLEMS
from tests.examples import examples

BY_SLUG = pytest.mark.parametrize("rule_set", list(shipped().values()), ids=lambda rule_set: rule_set.slug)

PINOCHLE, THREE_HAND, HAND_AND_FOOT = "st-hilary-v3", "three-hand-double-pinochle", "hand-and-foot"
DOUBLE_DECK = "double-deck-partnership-pinochle"
FIVE_HUNDRED, EUCHRE = "five-hundred", "euchre-by-tricks"


def json_values():
    plain = (
        st.none() | st.booleans() | st.integers(-5, 60) | st.floats(allow_nan=False) | st.sampled_from(("", "A", "bid"))
    )
    nested = st.lists(plain, max_size=3) | st.dictionaries(st.sampled_from(("A", "10", "2")), plain, max_size=3)
    return plain | nested | st.lists(nested, max_size=3)


def with_values(slug, **values):
    data = shipped()[slug].to_data()
    for name, value in values.items():
        data["settings"][name] = {"value": value, "label": name, "source": "the club"}
    return from_data(data)


@BY_SLUG
def test_the_shipped_rule_sets_make_games(rule_set):
    assert setting_problems(rule_set) == ()


@BY_SLUG
def test_every_setting_can_be_written(rule_set):
    kinds = setting_kinds(rule_set.family)
    for setting in rule_set.settings:
        kind = kinds[setting.name]
        assert setting_data(normalise(setting.value), kind.form) == setting.value, setting.name
        assert kind.form is not Form.CHOICE or setting.value in kind.choices
        assert kind.form is not Form.TABLE or set(setting.value) <= set(kind.choices)


REACHED = [
    (PINOCHLE, {"target": 0}, ("target", "setting.low", {"figure": 0, "least": 1})),
    (PINOCHLE, {"deals": 1000}, ("deals", "setting.high", {"figure": 1000, "most": 100})),
    (PINOCHLE, {"lose_at": 5}, ("lose_at", "setting.high", {"figure": 5, "most": -1})),
    (PINOCHLE, {"hand_size": ""}, ("hand_size", "setting.missing", {})),
    (PINOCHLE, {"hand_size": True}, ("hand_size", "setting.form", {})),
    (PINOCHLE, {"bid_side_first": 1}, ("bid_side_first", "setting.form", {})),
    (PINOCHLE, {"run": 15}, ("run", "setting.form", {})),
    (PINOCHLE, {"run": ["15"]}, ("run", "setting.form", {})),
    (PINOCHLE, {"ranks": "A 10"}, ("ranks", "setting.form", {})),
    (PINOCHLE, {"counters": {"A": "1"}}, ("counters", "setting.form", {})),
    (PINOCHLE, {"counters": "A"}, ("counters", "setting.form", {})),
    (PINOCHLE, {"meld_savers": 3}, ("meld_savers", "setting.form", {})),
    (PINOCHLE, {"colour": 3}, ("colour", "setting.unknown", {})),
    (PINOCHLE, {"meld_savers": "all"}, ("meld_savers", "setting.choice", {"choices": "other-side, both, nobody"})),
    (PINOCHLE, {"counters": {"A": -1}}, ("counters", "setting.low", {"figure": -1, "least": 0})),
    (PINOCHLE, {"ranks": ["A", "K", "10", "Q", "J", "9"]}, ("ranks", "setting.ranks", {"ranks": "A, 10, K, Q, J, 9"})),
    (THREE_HAND, {"counters": {"9": 1}}, ("counters", "setting.not-in-pack", {"names": "9"})),
    (PINOCHLE, {"run": [15]}, ("run", "setting.how-many", {"count": 2, "written": 1})),
    (PINOCHLE, {"marriage": [4, 2]}, ("marriage", "setting.falling", {"later": 2, "earlier": 4})),
    (PINOCHLE, {"hand_size": 13}, ("hand_size", "setting.pack", {"dealt": 52, "cards": 48})),
    (THREE_HAND, {"widow": 2}, ("hand_size", "setting.pack-left", {"dealt": 77, "cards": 80})),
    (
        PINOCHLE,
        {"dropped_bid": 20},
        ("dropped_bid", "setting.more-than", {"figure": 20, "most": 15, "other": "opening_bid"}),
    ),
    (
        PINOCHLE,
        {"cards_passed": 13},
        ("cards_passed", "setting.more-than", {"figure": 13, "most": 12, "other": "hand_size"}),
    ),
    (DOUBLE_DECK, {"later_steps": [[60, 5], [60, 10]]}, ("later_steps", "setting.steps", {"later": 60, "earlier": 60})),
    (DOUBLE_DECK, {"later_steps": 5}, ("later_steps", "setting.form", {})),
    (EUCHRE, {"maker_points": {"made": 1}}, ("maker_points", "setting.values-of", {"names": "march, euchred"})),
    (EUCHRE, {"opening_bid": 3}, ("", "setting.ways-to-score", {})),
    (EUCHRE, {"maker_points": {}}, ("", "setting.ways-to-score", {})),
    (
        "five-hundred-by-contract",
        {"opening_bid": 11},
        ("opening_bid", "setting.more-than", {"figure": 11, "most": 10, "other": "tricks"}),
    ),
    (FIVE_HUNDRED, {"others_beside": 5}, ("others_beside", "setting.form", {})),
    (FIVE_HUNDRED, {"others_beside": [[40, 0]]}, ("others_beside", "setting.form", {})),
    (FIVE_HUNDRED, {"others_beside": [[40, 0, "4"]]}, ("others_beside", "setting.form", {})),
    (
        FIVE_HUNDRED,
        {"others_beside": [[250, 0, 0], [250, 90, 100], [60, 0, 40]]},
        ("others_beside", "setting.rising", {"later": 60, "earlier": 250}),
    ),
    (
        FIVE_HUNDRED,
        {"others_beside": [[40, 0, 40], [60, 41, 40]]},
        ("others_beside", "setting.span", {"figure": 60, "least": 41, "most": 40}),
    ),
    (HAND_AND_FOOT, {"card_values": {"A": 20}}, ("card_values", "setting.values-of", None)),
    (
        HAND_AND_FOOT,
        {"card_values": {**shipped()[HAND_AND_FOOT].values["card_values"], "1": 5}},
        ("card_values", "setting.not-in-pack", {"names": "1"}),
    ),
    (
        HAND_AND_FOOT,
        {"meld_least": 8},
        ("meld_least", "setting.more-than", {"figure": 8, "most": 7, "other": "pile_size"}),
    ),
    (HAND_AND_FOOT, {"wild_melds": False}, ("out_wild", "setting.out-wild", {})),
    (HAND_AND_FOOT, {"choose_foot": True, "foot": 0}, ("choose_foot", "setting.two-packets", {"packets": 1})),
    (HAND_AND_FOOT, {"hand": 60}, ("hand", "setting.pack", None)),
    ("whist-drive", {"lowest": 14}, ("lowest", "setting.more-than", {"figure": 14, "most": 13, "other": "highest"})),
    ("whist-drive", {"whole": 27}, ("", "rules.no-deal", {})),
]


@pytest.mark.parametrize(("slug", "values", "problem"), REACHED, ids=lambda value: str(value)[:40])
def test_nonsense_has_its_code(slug, values, problem):
    setting, code, args = problem
    found = setting_problems(with_values(slug, **values))
    if args is None:
        assert {(p.setting, p.code) for p in found} == {(setting, code)}
    else:
        assert found == (SettingProblem(setting, code, named(**args)),)


def test_every_code_is_reached():
    reached = {code for _slug, _values, (_setting, code, _args) in REACHED}
    assert PROBLEMS.keys() - reached == {"rules.shape"}  # below


def test_a_game_is_played_by_the_players_that_it_is_for():
    three = replace(shipped()[PINOCHLE], shapes=(Shape(2, 2), Shape(40)))
    assert setting_problems(three) == (SettingProblem("", "rules.shape", named(sides=40, players=1)),)


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_the_lowest_total_wins_only_where_points_alone_are_written_down(slug):
    family, lose_at = shipped()[slug].family, shipped()[slug].values["lose_at"]
    found = implausible_settings(with_values(slug, lowest_wins=True))
    if FAMILIES[family].points_are_good:
        assert found == (SettingProblem("lowest_wins", "setting.lowest-wins"),)
    elif lose_at is not None:
        assert found == (SettingProblem("lose_at", "setting.lost-when-low"),)
    else:
        assert found == ()
    assert implausible_settings(with_values(slug, lowest_wins=False)) == ()
    assert setting_problems(with_values(slug, lowest_wins=True)) == ()  # games by such a version can be counted


def test_a_setting_without_a_default_must_be_there():
    few = replace(shipped()[PINOCHLE], settings=shipped()[PINOCHLE].settings[1:])
    assert setting_problems(few) == (SettingProblem("target", "setting.missing"),)


@examples(150)
@given(value=json_values(), data=st.data())
def test_whatever_stands_in_a_setting_is_judged(value, data):
    slug = data.draw(st.sampled_from((PINOCHLE, HAND_AND_FOOT, DOUBLE_DECK, "whist-drive")))
    setting = data.draw(st.sampled_from(shipped()[slug].settings))
    found = setting_problems(with_values(slug, **{setting.name: value}))
    assert found == () or {p.code for p in found} <= PROBLEMS.keys()


def test_every_shape_of_a_rule_set_needs_its_pack():
    """Two decks are enough for the four of the first shape, not for six or five."""
    assert setting_problems(with_values(HAND_AND_FOOT, decks_in_all=2)) == tuple(
        SettingProblem("hand", "setting.pack", named(dealt=players * 26, cards=108)) for players in (6, 5)
    )


def test_all_that_a_pack_lacks_is_named():
    found = setting_problems(with_values(PINOCHLE, ranks=["A", "10", "K", "Q"], counters={"8": 1, "7": 1}))
    assert found[:2] == (
        SettingProblem("ranks", "setting.ranks", named(ranks="A, 10, K, Q, J, 9")),
        SettingProblem("counters", "setting.not-in-pack", named(names="8, 7")),
    )


@pytest.mark.parametrize(
    ("slug", "values"),
    [
        (PINOCHLE, {"run": [15, 15]}),
        (PINOCHLE, {"cards_passed": shipped()[PINOCHLE].values["hand_size"]}),
        (HAND_AND_FOOT, {"meld_least": shipped()[HAND_AND_FOOT].values["pile_size"]}),
        ("points-only", {"lowest": 5, "highest": 5}),
    ],
)
def test_settings_may_be_as_large_as_each_other(slug, values):
    assert not {p.code for p in setting_problems(with_values(slug, **values))} & {
        "setting.falling",
        "setting.more-than",
    }


def test_every_shape_of_a_rule_set_is_tried():
    """Two sides of at least 5 make 12, three don't."""
    assert setting_problems(with_values("points-only", lowest=5, highest=7, whole=12)) == (
        SettingProblem("", "rules.no-deal"),
    )


def test_cards_without_a_value_and_values_without_a_card_are_named():
    found = setting_problems(with_values(HAND_AND_FOOT, card_values={"joker": 50, "1": 1, "0": 2}))
    assert [problem.args for problem in found if problem.setting == "card_values"] == [
        named(names=", ".join(CARD_VALUES[1:])),
        named(names="0, 1"),
    ]


def test_all_settings_that_are_wrong_are_named_at_once():
    found = setting_problems(with_values(PINOCHLE, target=0, hand_size=-1, meld_savers="all"))
    assert {p.setting for p in found} == {"target", "hand_size", "meld_savers"}


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_figures_below_zero_are_allowed_only_where_rules_have_them(family):
    negative = {name for name, kind in setting_kinds(family).items() if kind.range.least < 0} - {"lose_at"}
    values = [s for r in shipped().values() if r.family == family for s in r.settings]
    assert negative == {s.name for s in values if s.name != "lose_at" and any(f < 0 for f in figures_in(s.value))}


def test_a_setting_later_than_a_version_has_the_value_by_which_it_was_played():
    data = shipped()["five-hundred"].to_data()
    del data["settings"]["lose_at"]
    old = from_data(data)
    whole = complete_settings(old)
    shipped_one = shipped()["five-hundred"].by_name["lose_at"]
    assert whole.by_name["lose_at"] == replace(shipped_one, value="", source=old.title)
    assert complete_settings(whole) is whole
    assert [d.name for d in differences(old, shipped()["five-hundred"])] == ["lose_at"]


def test_played_as_it_is_played_now_it_has_the_source_of_the_rule_set_of_its_name_or_family():
    """A table, a choice, a list and figures of a version, or of a club's own rules, that had none of them."""
    for slug, names in {
        "hand-and-foot": ("special_books", "first_meld_scores", "naturals_least", "wilds_most", "pile_closed"),
        "st-hilary-v3": ("later_steps", "set_points"),
        "five-hundred": ("bid_side_first",),  # a ruling
    }.items():
        now = shipped()[slug]
        old = replace(now, settings=tuple(setting for setting in now.settings if setting.name not in names))
        assert {setting.name: setting for setting in complete_settings(old).settings} == {
            s.name: s for s in now.settings
        }
        first = min(r.slug for r in shipped().values() if r.family == now.family)
        ours = complete_settings(replace(old, slug="ours"))
        for name in names:
            assert ours.by_name[name].label == shipped()[first].by_name[name].label


def test_figures_are_found_in_every_form_of_value():
    values = [7, [1, 2], {"A": 10, "K": 5}, [[60, 5]], True, None, "", "both", ["A", "K"]]
    assert [figures_in(value) for value in values] == [[7], [1, 2], [10, 5], [60, 5], [], [], [], [], []]


def test_a_setting_with_a_default_may_be_missing_and_steps_may_rise():
    data = with_values(DOUBLE_DECK, later_steps=[[60, 5], [100, 10]]).to_data()
    del data["settings"]["lose_at"]
    assert setting_problems(from_data(data)) == ()


def test_differences_name_what_was_and_what_is():
    old, new = shipped()[HAND_AND_FOOT], shipped()["hand-and-foot-003"]
    found, missed = differences(old, new)
    assert (found.name, found.label) == ("wild_pile", "Each wild pile")
    assert (found.old.value, found.new.value) == (1500, 150)
    assert (missed.name, missed.old.value, missed.new.value) == ("red_three_missed", -100, 0)
    assert differences(old, old) == ()


def test_a_setting_that_only_one_version_has_is_a_difference():
    base = shipped()[PINOCHLE]
    few = replace(base, settings=base.settings[1:])
    (gone,), (come,) = differences(base, few), differences(few, base)
    assert (gone.name, gone.new, gone.label) == ("target", None, base.by_name["target"].label)
    assert (come.name, come.old, come.label) == ("target", None, base.by_name["target"].label)
    assert SettingDifference("target", None, None).label == "target"


def test_changes_say_who_ruled_so_and_leave_the_rest():
    base, source = shipped()[PINOCHLE], "House rules, version 4 of 21 November 2054"
    counters = {"A": 1, "10": 1}
    made = change_settings(
        base, {"run": (20, 200), "target": 150, "counters": tuple(counters.items())}, original=base, source=source
    )
    assert made.by_name["run"] == Setting("run", [20, 200], base.by_name["run"].label, source, ruling=True)
    assert made.by_name["counters"].value == counters  # as a file has it
    assert [d.name for d in differences(base, made)] == ["counters", "run"]
    assert (made.title, made.about, made.version, made.published) == (
        *(base.title, base.about),
        *(base.version, base.published),
    )
    back = change_settings(made, {"run": [15, 150]}, original=base, source="House rules")
    assert back.by_name["run"] == base.by_name["run"]
    alone = change_settings(made, {"run": [15, 150]}, original=None, source=source)
    assert alone.by_name["run"] == replace(made.by_name["run"], value=[15, 150])
    assert alone.by_name["opening_bid"] == base.by_name["opening_bid"]


@pytest.mark.parametrize(
    ("slug", "values", "where"),
    [
        ("euchre", {"one_side": [1, 2, 4, -2]}, {"one_side"}),
        ("euchre", {"one_side": [1, 2, 4, -2], "lowest": -2}, set()),
        ("euchre", {"other_sides": [0, 5]}, {"other_sides"}),
        ("euchre", {"one_side": []}, {"other_sides"}),
        ("euchre", {"one_side": [], "step": 0}, set()),  # first the step has to be put right
        ("five-hundred", {"one_side": [45]}, {"one_side", "others_beside"}),
        ("five-hundred", {"out_by_contract": True}, set()),
        ("five-hundred", {"out_by_contract": True, "target": ""}, {"out_by_contract"}),
        ("whist-drive", {"out_by_contract": True}, {"out_by_contract"}),
        ("canasta", {"first_meld_scores": [0, 1500]}, {"first_meld_scores"}),
        ("canasta", {"first_meld_scores": [0, 3000, 1500]}, {"first_meld_scores"}),
        ("canasta", {"out_special": True}, {"out_special"}),
        ("canasta", {"red_three_count": 5}, {"red_three_count"}),
        ("canasta-samba", {"threes_against": 3}, {"threes_against"}),
        ("canasta-samba", {"threes_against": 1}, set()),
        ("st-hilary-v3", {"counters_to_save_meld": 26}, {"counters_to_save_meld"}),
        ("double-deck-partnership-pinochle", {"take_to_score": 51}, {"take_to_score"}),
    ],
)
def test_settings_that_contradict_each_other_are_refused_at_their_place(slug, values, where):
    draft = change_settings(shipped()[slug], values, original=None, source="the club")
    assert {problem.setting for problem in implausible_settings(draft)} == where
    assert not where or not any(p.setting in where for p in setting_problems(draft)), "files by such rules are taken in"
