"""A club's rules as a file: out of one club and into another, with worked examples that must come out the same."""

import tomllib

import pytest
import tomli_w
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring.deal_files.rules_files import EXAMPLES, MAX_BYTES, read_rules, rules_text
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import copy_rules
from scoring.models import HouseRules


@pytest.fixture
def address(club):
    return reverse("rules_in", args=[club.slug])


@pytest.fixture
def data(finished):
    """What stands in the file of the rules by which a game was played."""
    return tomllib.loads(rules_text(HouseRules.objects.get()))


def sent(browser, address, data, *, title="Our own pinochle"):
    raw = data if isinstance(data, bytes) else tomli_w.dumps({**data, "title": title}).encode()
    return browser.post(address, {"file": SimpleUploadedFile("ours.toml", raw)})


@pytest.mark.parametrize("slug", shipped())
def test_every_rule_set_is_the_same_after_its_file(slug, rules_for):
    rules = rules_for(slug)
    read, examples = read_rules(rules_text(rules).encode())
    assert (read, examples) == (rules.rule_set, 0)


def test_rules_and_the_last_deals_by_them_come_into_another_club(
    client_of, stranger, other_club, browser, club, finished
):
    rules = HouseRules.objects.get()
    answer = browser.get(reverse("rules_out", args=[club.slug, rules.slug, rules.version]))
    data = tomllib.loads(answer.content.decode())
    assert len(data["examples"]) == EXAMPLES
    assert not any(name in answer.content.decode() for side in rules.games.get().sides.all() for name in side.names)

    there = reverse("rules_in", args=[other_club.slug])
    for _twice in range(2):
        assert sent(client_of(stranger), there, data).status_code == 302
    taken = HouseRules.objects.get(club=other_club)
    assert (taken.title, taken.version, taken.rule_set.values) == ("Our own pinochle", 1, rules.rule_set.values)
    assert LogEntry.objects.filter(club=other_club, verb="rules.take_in").count() == 1


def test_an_example_that_comes_out_otherwise_keeps_the_rules_out(browser, address, data):
    data["examples"][1]["points"][0] += 1
    answer = sent(browser, address, data)
    assert answer.status_code == 422
    assert len(answer.context["reasons"]) == 1
    data["examples"][1]["deal"] = "{}"
    assert sent(browser, address, data).status_code == 422
    data["examples"] = data["examples"] * 50
    assert sent(browser, address, data).status_code == 422
    assert HouseRules.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"family": "bridge"},
        {"shapes": []},
        {"shapes": [{"sides": 9, "per_side": 9}]},
        {"settings": {}},
        {"published": "yesterday"},
        {"slug": "../../etc"},
        {"title": ""},
        {"examples": [{"shape": {"sides": 2, "per_side": 2}, "deal": "{", "points": [1, 2]}]},
        {"examples": [{"shape": {"sides": 2, "per_side": 1}, "deal": "{}", "points": [1, 2]}]},
    ],
)
def test_a_file_that_is_no_rules_is_refused_with_reasons(browser, address, data, change):
    answer = sent(browser, address, {**data, **change}, title=change.get("title", "Our own pinochle"))
    assert answer.status_code == 422
    assert answer.context["reasons"]
    assert HouseRules.objects.count() == 1


@pytest.mark.parametrize(
    "raw", [b"\xff\xfe", b"title = ", b"", b"a = " + b"[" * 5000, b"a = 1\n" * 2, b"x = '" + b"y" * MAX_BYTES + b"'"]
)
def test_what_is_no_toml_is_refused(browser, address, raw):
    assert sent(browser, address, raw).status_code == 422
    assert not HouseRules.objects.exists()


def test_settings_of_the_file_are_held_to_what_a_club_can_publish(browser, address, data):
    data["settings"]["lowest_wins"]["value"] = True
    assert sent(browser, address, data).status_code == 422
    data["settings"]["lowest_wins"]["value"] = False
    data["settings"]["target"]["value"] = -5
    answer = sent(browser, address, data)
    assert answer.status_code == 422
    assert answer.context["reasons"][0].startswith(data["settings"]["target"]["label"])


def test_a_picture_is_refused_without_a_codec_and_the_same_file_again_says_so(browser, address, data):
    (reason,) = sent(browser, address, b"\x89PNG\r\n\x1a\n").context["reasons"]
    assert "codec" not in reason
    answers = [browser.get(sent(browser, address, data).url) for _twice in range(2)]
    first, again = ([str(message) for message in answer.context["messages"]] for answer in answers)
    assert first != again


def test_a_game_of_its_own_has_not_the_description_of_points_only(club, actor):
    made = copy_rules(club=club, base=shipped()["points-only"], title="Parish Rummy", by=actor)
    assert (made.title, made.rule_set.about) == ("Parish Rummy", "")


def test_a_name_that_other_rules_have_is_refused(browser, address, data):
    assert sent(browser, address, data, title=shipped()["euchre"].title).status_code == 422
    assert HouseRules.objects.count() == 1


@pytest.mark.parametrize(
    ("search", "slug", "other"),
    [
        ("CRIB", "cribbage", "euchre"),
        ("", "euchre", None),
        ("escarabájo", "beetle", "euchre"),
        ("beetle", "beetle", "euchre"),
    ],
)
def test_the_games_are_found_by_their_names_in_both_languages(client_of, club, search, slug, other):
    browser = client_of(None)
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = "es"
    page = browser.get(reverse("rules", args=[club.slug]), {"q": search})
    shown = {rule_set.slug for kind in page.context["shipped"].values() for rule_set in kind}
    assert slug in shown
    assert other not in shown
