"""An event whose rules were changed, or chosen wrongly: what a new version of them does to it, and the way back."""

import re
from html import unescape

import pytest

from clubsite.accounts.models import LogEntry
from scoring.house_rules.actions import RulesChange, publish_rules
from scoring.models import Game
from tests.pages import page_of, sent
from tests.tournaments.nights import arrive, drafted, publish_next
from tournaments.errors import StepRefused
from tournaments.rounds.publishing import publish_draw, take_back_draw

DESK = "/st-hilary/desk/friday/"


def newer(rules, by, target=250):
    """The next version, in which a game goes to another number of points."""
    change = RulesChange(values={"target": target}, title=rules.title, about="As we play.")
    return publish_rules(club=rules.club, base=rules.rule_set, change=change, seen=rules.version, by=by)


def saved(browser, **changed):
    """What the page says after the form of the event was sent."""
    form = sent(browser.get(f"{DESK}change/").content.decode())
    own = {name: value for name, value in form.items() if not name.startswith("stage")}  # its stages have another form
    return page_of(browser.post(f"{DESK}change/", own | changed, follow=True))


def rules_of(event):
    event.refresh_from_db()
    return event.rules


def test_a_change_of_the_place_leaves_the_version_of_the_rules(browser, event, rules, actor):
    newer(rules, actor)
    assert "Saved." in saved(browser, place="Upstairs")
    assert rules_of(event) == rules
    arrive(event, actor, 4)
    publish_next(event, actor)
    assert "Saved." in saved(browser, place="Downstairs")  # it was refused: "the game stays as it is"
    event.refresh_from_db()
    assert (event.place, event.rules) == ("Downstairs", rules)


def test_an_event_that_has_not_begun_is_led_to_the_newest_version(browser, event, rules, actor):
    assert "Play by version" not in page_of(browser.get(DESK))
    last = newer(rules, actor)
    page = page_of(browser.get(DESK))
    assert f"Play by version {last.version}" in page
    (compare,) = re.findall('href="([^"]+)"[^>]*> ?See what changed', page)
    assert page_of(browser.get(unescape(compare))).count("250") == 1
    before, last = last, newer(last, actor, 300)  # somebody publishes another while the desk is looked at
    asked = {"step": "newest-rules", "version": str(before.version)}
    said = page_of(browser.post(f"{DESK}change/", asked, follow=True))
    assert f"The house rules have a newer version: {last.version}" in said
    assert rules_of(event) == rules
    asked["version"] = str(last.version)
    said = page_of(browser.post(f"{DESK}change/", asked, follow=True))
    assert f"This event now uses version {last.version} of the house rules." in said
    assert "Play by version" not in said
    assert rules_of(event) == last
    assert LogEntry.objects.filter(verb="event.change").count() == 1
    browser.post(f"{DESK}change/", asked)  # a second tap
    assert LogEntry.objects.filter(verb="event.change").count() == 1


def test_an_event_in_play_keeps_its_version(browser, event, rules, actor):
    arrive(event, actor, 4)
    publish_next(event, actor)
    last = newer(rules, actor)
    assert "Play by version" not in page_of(browser.get(DESK))
    asked = {"step": "newest-rules", "version": str(last.version)}
    assert "so the game stays as it is" in page_of(browser.post(f"{DESK}change/", asked, follow=True))
    assert rules_of(event) == rules


def test_a_wrong_game_is_changed_once_its_draw_is_taken_back(browser, event, rules, rules_for, actor):
    right = rules_for("double-deck-partnership-pinochle")
    arrive(event, actor, 4)
    wrong = publish_next(event, actor)
    game = f"{right.slug}:2x2"
    assert "Take the draw back to change the game." in saved(browser, game=game)
    take_back_draw(draw=wrong, by=actor)
    assert "Saved." in saved(browser, game=game)
    assert rules_of(event) == right
    with pytest.raises(StepRefused, match="The game of this event was changed since"):
        publish_draw(draw=wrong, by=actor)
    publish_draw(draw=drafted(event, actor, planned=3, seed=8), by=actor)
    assert [game.rules for game in Game.objects.filter(set_aside=False)] == [right]
