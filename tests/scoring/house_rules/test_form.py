"""The form in which a director changes house rules: typed, refused at its field, looked at, published."""

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.house_rules.actions import latest_version
from scoring.models import HouseRules
from tests.scoring.conftest import HAND_AND_FOOT, PINOCHLE


def address(slug=PINOCHLE, **query):
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    return f"{reverse('rules_change', args=['st-hilary', slug])}?{asked}"


def typed(page, **changes):
    form = page.context["form"]
    return {field.html_name: "" if field.value() is None else field.value() for field in form} | changes


@pytest.mark.daily(7)
@pytest.mark.parametrize("slug", sorted(shipped()))
def test_every_shipped_rule_set_goes_through_the_form_unchanged(desk, club, slug):
    page = desk.get(address(slug))
    assert page.status_code == 200
    sent = typed(page)
    looked = desk.post(address(slug), sent | {"step": "look"})
    assert looked.status_code == 200
    assert looked.context["changes"] == []
    unchanged = desk.post(address(slug), sent | {"step": "publish"})
    assert (unchanged.status_code, HouseRules.objects.count()) == (422, 0)


def test_a_director_changes_looks_and_publishes(desk, club):
    sent = typed(desk.get(address()), s_target="200", s_run="20, 200", title="Parish rules")
    looked = desk.post(address(), sent | {"step": "look"}).content.decode()
    assert not HouseRules.objects.exists()
    assert "<del>150</del>" in looked
    assert "<ins>20 · 200</ins>" in looked
    answer = desk.post(address(), sent | {"step": "publish"}, follow=True)
    assert "Published: Parish rules (house rules, version 4)." in answer.content.decode()
    assert rules_of(HouseRules.objects.get().rule_set).run == (20, 200)


def test_every_form_of_setting_is_read(desk, club):
    page = desk.get(address(HAND_AND_FOOT))
    names = page.context["form"].names
    ace = next(f for f in names["card_values"] if page.context["form"].fields[f].label == "A")
    sent = typed(page, s_target="5 000", s_first_meld="60 90 · 120", s_wild_melds="no", s_out_wild="0", **{ace: "25"})
    sent["s_target"] = "5,000"
    desk.post(address(HAND_AND_FOOT), sent | {"step": "publish"})
    values = HouseRules.objects.get().rule_set.values
    assert (values["target"], values["first_meld"], values["wild_melds"]) == (5000, [60, 90, 120], False)
    assert (values["card_values"]["A"], list(values["card_values"])) == (25, list(_card_values()))


def _card_values():
    return shipped()[HAND_AND_FOOT].values["card_values"]


@pytest.mark.daily(14)
@pytest.mark.parametrize(
    ("slug", "field", "value", "words"),
    [
        (PINOCHLE, "s_target", "0", "0 is too low: write at least 1."),
        (PINOCHLE, "s_hand_size", "-3", "below zero"),
        (PINOCHLE, "s_hand_size", "", "Fill this in"),
        (PINOCHLE, "s_run", "15", "Write 2 figures"),
        (PINOCHLE, "s_run", "15,150", "Write figures with a space"),
        (PINOCHLE, "s_run", "150 15", "15 comes after 150"),
        (PINOCHLE, "s_meld_savers", "everybody", "not one of the available choices"),
        (PINOCHLE, "s_lowest_wins", "yes", "so the lowest total can't win"),
        (PINOCHLE, "title", "", "Give the rules a name."),
        (HAND_AND_FOOT, "s_card_values_3", "", "Write a value for K"),
        (HAND_AND_FOOT, "s_card_values_3", "ten", "whole number in figures"),
        ("five-hundred", "s_others_beside", "40 0", "Write three figures on each line"),
        ("whist-drive", "s_lowest", "14", "Highest points"),
        ("whist-drive", "s_whole", "99", "No deal can be played"),
    ],
)
def test_nonsense_is_refused_at_its_field_and_what_was_typed_is_kept(desk, club, slug, field, value, words):
    sent = typed(desk.get(address(slug)), s_deals="7") | {field: value}
    for step in ("look", "publish"):
        answer = desk.post(address(slug), sent | {"step": step})
        assert answer.status_code == 422
        form = answer.context["form"]
        said = " ".join([*form.errors.get(field, []), *(error for errors in form.errors.values() for error in errors)])
        assert words in said
        assert form["s_deals"].value() == "7"
        assert form[field].value() == value
        assert words in answer.content.decode().replace("&#x27;", "'")
    assert not HouseRules.objects.exists()


def test_a_newer_version_is_shown_and_what_was_typed_is_kept(desk, club, publish):
    sent = typed(desk.get(address()), s_target="250", title="Mine") | {"step": "publish"}
    publish(opening_bid=16, dropped_bid=16)
    answer = desk.post(address(), sent)
    assert answer.status_code == 409
    assert "Version 4 was published at" in answer.content.decode()
    assert [row["new"] for row in answer.context["changes"]] == ["250", "15", "15"]
    assert HouseRules.objects.count() == 1
    again = desk.post(address(), typed(answer) | {"step": "publish"})
    assert (again.status_code, latest_version(club, PINOCHLE).title) == (302, "Mine")


def test_sent_twice_is_published_once(desk, club):
    sent = typed(desk.get(address()), s_target="200") | {"step": "publish"}
    assert [desk.post(address(), sent).status_code for _ in range(2)] == [302, 302]
    assert HouseRules.objects.count() == 1


def test_an_older_version_can_be_copied(desk, club, publish):
    publish(target=200)
    publish(target=250)
    assert desk.get(address(**{"from": "4"})).context["form"]["s_target"].value() == 200
    assert desk.get(address(**{"from": "shipped"})).context["form"]["s_target"].value() == 150
    assert desk.get(address(**{"from": "9"})).status_code == 404


def test_going_back_keeps_what_was_typed(desk, club):
    sent = typed(desk.get(address()), s_target="200")
    back = desk.post(address(), sent | {"step": "back"})
    assert (back.status_code, back.context["form"]["s_target"].value()) == (200, "200")


def test_a_pasted_name_is_one_line_that_a_file_can_have(desk):
    page = desk.get(address())
    desk.post(address(), typed(page, title="Our\u00a0 rules\u200b\x07", s_target="200", step="publish"))
    assert HouseRules.objects.get().title == "Our rules"
    family = "\U0001f469\u200d\U0001f467"
    desk.post(address(), typed(desk.get(address()), title=f"Our\u200d rules {family}", s_target="225", step="publish"))
    last = latest_version(HouseRules.objects.get(version=4).club, PINOCHLE)
    assert last.title == f"Our rules {family}"


def test_a_club_lets_more_people_play_and_games_begun_before_keep_theirs(desk, club):
    canasta = address("canasta")
    page = desk.get(canasta)
    assert typed(page)["shapes"] == ["2x2"]
    sent = typed(page, shapes=["2x2", "3x1"])
    looked = desk.post(canasta, sent | {"step": "look"})
    assert [change["anchor"] for change in looked.context["changes"]] == ["players"]
    desk.post(canasta, sent | {"step": "publish"})
    rules = latest_version(club, "canasta")
    assert [(shape.sides, shape.per_side) for shape in rules.rule_set.shapes] == [(2, 2), (3, 1)]
    assert rules_of(rules.rule_set, Shape(3, 1)).shape.players == 3
    entry = LogEntry.objects.get(verb="rules.publish")
    assert (entry.old["shapes"], entry.new["shapes"]) == ("2x2", "2x2, 3x1")
    fewer = desk.post(canasta, typed(desk.get(canasta), shapes=["3x1"]) | {"step": "publish"})
    assert fewer.status_code == 302
    assert [rules.rule_set.shapes for rules in HouseRules.objects.order_by("version")] == [
        (Shape(2, 2), Shape(3, 1)),
        (Shape(3, 1),),
    ]


def test_somebody_must_be_able_to_play(desk, club):
    for shapes in ([], ["9x9"], ["what"]):
        answer = desk.post(address("canasta"), typed(desk.get(address("canasta")), shapes=shapes) | {"step": "publish"})
        assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["shapes"])
    assert not HouseRules.objects.exists()
