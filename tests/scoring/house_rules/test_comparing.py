"""House rules read by everybody, and one version compared with another."""

from django.urls import reverse

from tests.scoring.conftest import HAND_AND_FOOT, PINOCHLE


def test_versions_are_compared_with_old_and_new(desk, publish):
    publish(target=200)
    publish(meld_savers="both")
    url = reverse("rules_compare", args=["st-hilary", PINOCHLE])
    last_two = desk.get(url)
    assert [(row["old"], row["new"]) for row in last_two.context["changes"]] == [("the other side", "both sides")]
    from_shipped = desk.get(url, {"old": "shipped", "new": "5"})
    assert [row["new"] for row in from_shipped.context["changes"]] == ["200", "both sides"]
    assert "2 rules are different." in from_shipped.content.decode()
    assert "No rule is different." in desk.get(url, {"old": "4", "new": "4"}).content.decode()
    assert desk.get(url, {"old": "4", "new": "6"}).status_code == 404


def test_any_rules_of_the_family_can_be_compared(desk, publish):
    publish(target=200)
    other = publish("double-deck-partnership-pinochle", target=900)
    publish(HAND_AND_FOOT, target=9000)
    url = reverse("rules_compare", args=["st-hilary", PINOCHLE])
    offered = {one.key: one.heading for one in desk.get(url).context["offered"]}
    key = f"{other.slug}:{other.version}"
    assert list(offered) == ["shipped", "4", key, f"{other.slug}:shipped"]
    assert list(offered.values()) == ["These rules", "These rules", "The club's house rules", "As shipped"]
    page = desk.get(url, {"old": "4", "new": key})
    rows = {row["anchor"]: (row["old"], row["new"]) for row in page.context["changes"]}
    assert rows["setting-target"] == ("200", "900")
    assert f'{other.get_absolute_url()}#setting-target"' in page.content.decode()
    assert desk.get(url, {"old": "4", "new": f"{other.slug}:shipped"}).status_code == 200
    assert desk.get(url, {"old": "4", "new": f"{HAND_AND_FOOT}:shipped"}).status_code == 404


def test_rules_that_are_only_shipped_are_compared_too(desk, club):
    for_two, for_three = "canasta-two-hand", "canasta-three-hand"
    url = reverse("rules_compare", args=[club.slug, for_two])
    assert url in desk.get(reverse("shipped_rules", args=[club.slug, for_two])).content.decode()
    page = desk.get(url, {"new": f"{for_three}:shipped"})
    assert "setting-hand" in {row["anchor"] for row in page.context["changes"]}
    assert reverse("shipped_rules", args=[club.slug, for_three]) in page.content.decode()


def test_every_setting_has_a_place_that_can_be_pointed_to(desk, publish):
    rules = publish(target=200)
    page = desk.get(rules.get_absolute_url()).content.decode()
    assert all(page.count(f'id="setting-{setting.name}"') == 1 for setting in rules.rule_set.settings)


def test_the_list_shows_the_newest_version_and_the_earlier_ones(client_of, publish):
    first, second = publish(target=200), publish(target=250)
    page = client_of(None).get(reverse("rules", args=["st-hilary"]))
    assert page.context["published"] == [[second, first]]
    assert "Change these rules" not in page.content.decode()


def test_another_club_has_nothing_of_it(client_of, publish, other_club, stranger):
    rules = publish(target=200)
    browser = client_of(stranger)
    assert browser.get(reverse("house_rules", args=["harbour", PINOCHLE, rules.version])).status_code == 404
    assert browser.get(reverse("rules_print", args=["harbour", PINOCHLE, rules.version, "card"])).status_code == 404
    compared = browser.get(reverse("rules_compare", args=["harbour", PINOCHLE]))
    assert {offered.key.rpartition(":")[2] for offered in compared.context["offered"]} == {"shipped"}
