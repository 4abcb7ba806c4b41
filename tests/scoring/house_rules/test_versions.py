"""House rules of a club's own: published once, each version with its number, and never changed."""

import json
import re
from threading import Barrier, Thread

import pytest
from django.db import connection

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import start_game
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.house_rules.actions import NewerVersion, NothingChanged, RulesChange, SettingsUnsound, adopt, publish_rules
from scoring.house_rules.in_words import describe_changes, game_offers
from scoring.models import Game, HouseRules
from tests.scoring.conftest import PINOCHLE, PINOCHLE_SIDES


def test_a_changed_setting_is_the_clubs_ruling_of_that_version(publish):
    rules = publish(target=200)
    setting = rules.rule_set.by_name["target"]
    assert (rules.version, setting.value, setting.ruling) == (4, 200, True)
    assert re.fullmatch(r"House rules, version 4 of \d{4}-\d\d-\d\d", setting.source)
    assert rules.rule_set.by_name["opening_bid"] == shipped()[PINOCHLE].by_name["opening_bid"]


def test_the_next_version_is_a_copy_of_the_last_with_changes(publish):
    publish(target=200)
    second = publish(opening_bid=16)
    assert (second.version, second.rule_set.values["target"], second.rule_set.values["opening_bid"]) == (5, 200, 16)
    assert "version 4" in second.rule_set.by_name["target"].source
    assert "version 5" in second.rule_set.by_name["opening_bid"].source


def test_published_versions_and_their_games_stay_as_they_were(publish, club):
    first = publish(target=200)
    game = start_game(club=club, rules=first, title="Window", sides=PINOCHLE_SIDES)
    before = HouseRules.objects.filter(pk=first.pk).values().get()
    publish(target=100)
    assert HouseRules.objects.filter(pk=first.pk).values().get() == before
    assert Game.objects.get(pk=game.pk).engine_rules.target == 200


def test_a_new_game_is_offered_by_the_newest_version(publish, club):
    publish(target=200)
    publish(target=250)
    own = [offer for offer in game_offers(club) if offer.rule_set.slug == PINOCHLE]
    assert [(offer.version, offer.rule_set.values["target"]) for offer in own] == [(5, 250)]


def test_the_same_publish_twice_is_one_version(publish, club):
    assert publish(target=200, seen=0) == publish(target=200, seen=0)
    assert HouseRules.objects.filter(club=club).count() == 1


def test_rules_adopted_meanwhile_as_shipped_are_no_obstacle(publish, club, actor):
    adopt(club=club, rule_set=shipped()[PINOCHLE], by=actor)
    assert publish(target=200, seen=0).version == 4


def test_what_changes_nothing_is_no_version(publish, club, actor):
    publish(target=200)
    with pytest.raises(NothingChanged):
        publish(target=200)
    assert HouseRules.objects.count() == 1


def test_nonsense_is_not_published(publish):
    with pytest.raises(SettingsUnsound) as refused:
        publish(target=0, run=[15], hand_size=-1)
    assert {(p.setting, p.code) for p in refused.value.problems} == {
        ("target", "setting.low"),
        ("hand_size", "setting.low"),
    }
    assert not HouseRules.objects.exists()


def test_publishing_is_in_the_log_with_old_and_new(publish):
    publish(target=200, meld_savers="both")
    entry = LogEntry.objects.latest("pk")
    assert (entry.verb, entry.subject) == ("rules.publish", "st-hilary-v3 v4")
    assert entry.old == {"target": 150, "meld_savers": "other-side"}
    assert entry.new == {"target": 200, "meld_savers": "both"}


def test_a_version_from_before_a_setting_came_is_copied_as_it_was_played(club, publish):
    data = shipped()["five-hundred"].to_data()
    del data["settings"]["lose_at"]
    HouseRules.objects.create(club=club, slug="five-hundred", version=1, title="Old", data=data)
    made = publish("five-hundred", target=600)
    assert made.rule_set.values["lose_at"] is None
    assert [row["label"] for row in describe_changes(HouseRules.objects.get(version=1).rule_set, made.rule_set)] == [
        shipped()["five-hundred"].by_name["target"].label
    ]


def test_settings_and_their_tables_are_kept_in_order_whatever_the_database(club, actor):
    """A side's books follow the order of `special_books`; a column of JSON alone may forget it."""
    knee = shipped()["hand-knee-and-foot"]
    adopt(club=club, rule_set=knee, by=actor)
    assert HouseRules.objects.get().rule_set == knee
    assert [rank for rank, _ in rules_of(HouseRules.objects.get().rule_set).special_books] == ["7", "5"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM scoring_houserules")
        assert json.loads(json.loads(cursor.fetchone()[0])) == knee.to_data()


def test_rules_kept_as_plain_data_are_read_too(club):
    data = shipped()["hand-knee-and-foot"].to_data()
    made = HouseRules.objects.create(club=club, slug="knee", version=1, title="Knee", data=data)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE scoring_houserules SET data = %s", [json.dumps(data)])
    assert HouseRules.objects.get(pk=made.pk).data == data


@pytest.mark.django_db(transaction=True)
def test_two_who_publish_in_the_same_moment_make_one_version_each_told_apart(club, actor):
    together, came_of = Barrier(2), []

    def send(target):
        try:
            together.wait()
            publish_rules(
                club=club,
                base=shipped()[PINOCHLE],
                seen=0,
                by=actor,
                change=RulesChange(values={"target": target}, title="Ours", about=""),
            )
            came_of.append("published")
        except NewerVersion:
            came_of.append("told")
        finally:
            connection.close()

    threads = [Thread(target=send, args=(target,)) for target in (200, 250)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(came_of) == ["published", "told"]
    assert HouseRules.objects.count() == 1
