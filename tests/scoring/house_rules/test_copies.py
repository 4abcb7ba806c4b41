"""Two ways to play one game: a copy of house rules under a name of its own."""

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import start_game
from scoring.house_rules.actions import copy_rules, newest
from scoring.house_rules.in_words import offers_of
from scoring.models import HouseRules
from tests.scoring.conftest import HAND_AND_FOOT, PINOCHLE, PINOCHLE_SIDES


def test_a_copy_has_its_own_name_and_versions(publish, desk, club, actor, client_of):
    ours = publish(HAND_AND_FOOT, title="Hand and Foot", out_bonus=200)
    url = f"{reverse('rules_copy', args=[club.slug, HAND_AND_FOOT])}?from={ours.version}"
    assert url in desk.get(ours.get_absolute_url()).content.decode()
    assert url not in client_of(None).get(ours.get_absolute_url()).content.decode()
    for _tap in range(2):
        answer = desk.post(url, {"title": " Wednesday  Hand and Foot "})
        assert answer["Location"] == reverse("house_rules", args=[club.slug, "wednesday-hand-and-foot", 1])
    copy = HouseRules.objects.get(slug="wednesday-hand-and-foot")
    assert (copy.title, copy.version, copy.rule_set.values["out_bonus"]) == ("Wednesday Hand and Foot", 1, 200)
    entry = LogEntry.objects.get(verb="rules.copy")
    assert (entry.subject, entry.old) == ("wednesday-hand-and-foot v1", f"{HAND_AND_FOOT} v{ours.version}")

    second = publish(copy.slug, title=copy.title, wild_pile=1000)
    assert (second.version, second.rule_set.values["wild_pile"]) == (2, 1000)
    assert newest(club, HAND_AND_FOOT) == ours
    offered = {(offer.rule_set.title, offer.rule_set.values["wild_pile"]) for offer in offers_of(club) if offer.version}
    assert offered == {("Hand and Foot", 1500), ("Wednesday Hand and Foot", 1000)}
    for page in ("rules_compare", "rules_change"):
        assert desk.get(reverse(page, args=[club.slug, copy.slug])).status_code == 200
    game = start_game(club=club, rules=second, title="Window", sides=PINOCHLE_SIDES)
    assert desk.get(reverse("other_rules", args=[club.slug, game.pk])).status_code == 200


@pytest.mark.parametrize("title", ["", "Our rules", "CANASTA", "x" * 121])
def test_a_copy_needs_a_name_that_is_free(publish, desk, title):
    ours = publish(target=200)
    answer = desk.post(reverse("rules_copy", args=["st-hilary", PINOCHLE]), {"title": title}, follow=True)
    said = answer.content.decode()
    assert "Give the copy a name" in said or "Choose another name" in said
    assert list(HouseRules.objects.all()) == [ours]


def test_names_that_make_the_same_address_get_numbers(publish, club, actor):
    ours = publish(target=200)
    made = [copy_rules(club=club, base=ours.rule_set, title=title, by=actor) for title in ("Ça", "Ca!", "Суббота", "…")]
    assert [rules.slug for rules in made] == ["ca", "ca-2", "rules", "rules-2"]
