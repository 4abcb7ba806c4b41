"""The club's house rules, for everybody."""

import re

import pytest
from django.urls import reverse

from scoring.engine.core.ruleset import shipped, shipped_versions
from scoring.engine.families import FAMILIES
from scoring.engine.settings import Form, kinds_of
from scoring.house_rules.actions import adopt
from scoring.house_rules.in_words import value_in_words
from scoring.wording import CHOICES, OTHER, section_of


def test_the_list_is_public_and_only_the_clubs_own(client_of, rules_for, other_club):
    rules = rules_for("st-hilary-v3")
    page = client_of(None).get(reverse("rules", args=["st-hilary"])).content.decode()
    assert rules.get_absolute_url() in page
    elsewhere = client_of(None).get(reverse("rules", args=["harbour"])).content.decode()
    assert "chosen a game yet" in elsewhere
    assert reverse("house_rules", args=["harbour", rules.slug, rules.version]) not in elsewhere


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_every_setting_is_printed_with_its_source(client_of, rules_for, slug):
    rules = rules_for(slug)
    answer = client_of(None).get(rules.get_absolute_url())
    rows = answer.context["words"]["settings"]
    assert [row["label"] for row in rows] == [setting.label for setting in rules.rule_set.settings]
    assert all(row["value"] and row["source"] for row in rows)
    assert answer.content.decode().count("Ruling:") == sum(setting.ruling for setting in rules.rule_set.settings)


def test_an_earlier_version_says_how_it_is_played_by_again(client_of, director, scorekeeper, publish):
    publish(target=200)
    publish(target=250)
    page, words = "/st-hilary/rules/st-hilary-v3/4/", "Play by version 4 again"
    found = re.search(rf'href="([^"]+)">\s*{words}', client_of(director).get(page).content.decode())
    assert "you publish them as version 6" in " ".join(client_of(director).get(found[1]).content.decode().split())
    assert words not in client_of(scorekeeper).get(page).content.decode()
    assert words not in client_of(director).get("/st-hilary/rules/st-hilary-v3/5/").content.decode()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "yes"),
        ("", "none"),
        (4550, "4,550"),
        (-100, "−100"),
        ([15, 150], "15 · 150"),
        ({"A": 1, "10": 1, "Q": 0}, "A, 10: 1 · Q: 0"),
        ([["joker", 50], ["2", 20]], "joker: 50 · 2: 20"),
        ([[0, 50], [1500, 90]], "from 0: 50 · from 1,500: 90"),
        (["A", "10"], "A · 10"),
        ("other-side", "the other side"),
        ("half-the-bid", "half the bid"),
    ],
)
def test_values_in_words(value, words):
    assert value_in_words(value) == words


def test_every_choice_of_a_setting_has_its_words():
    kinds = [kind for family in FAMILIES for kind in kinds_of(family).values() if kind.form is Form.CHOICE]
    assert {choice for kind in kinds for choice in kind.choices} == CHOICES.keys()


def test_every_setting_stands_under_a_heading_of_its_own_kind():
    names = {setting.name for rule_set in shipped().values() for setting in rule_set.settings}
    assert {name for name in names if section_of(name) == OTHER} == set()


def test_a_club_that_plays_a_version_as_it_was_shipped_hears_of_the_next_and_can_take_it_over(
    client_of, director, club, actor, publish
):
    now, before = shipped_versions()["hand-and-foot-003"]
    rules = adopt(club=club, rule_set=before, by=actor)
    page = client_of(None).get(rules.get_absolute_url())
    assert page.context["newer"] == now
    assert "from=shipped" not in page.content.decode()
    assert "from=shipped" in client_of(director).get(rules.get_absolute_url()).content.decode()
    compared = client_of(None).get(
        reverse("rules_compare", args=[club.slug, rules.slug]), {"old": "1", "new": "shipped"}
    )
    assert {change["anchor"] for change in compared.context["changes"]} == {"players", "setting-red_three_missed"}
    change = f"{reverse('rules_change', args=[club.slug, rules.slug])}?from=shipped"
    form = client_of(director).get(change).context["form"]
    sent = {field.html_name: "" if field.value() is None else field.value() for field in form}
    taken = client_of(director).post(change, sent | {"step": "publish"}, follow=True)
    assert (taken.context["rules"].version, "newer" in taken.context) == (3, False)
    assert taken.context["rules"].rule_set.values == now.values


def test_rules_that_a_club_changed_are_its_own(client_of, publish):
    assert "newer" not in client_of(None).get(publish(target=200).get_absolute_url()).context
