"""The hall board on its screen: readable from ten metres, turning by itself, saying when nothing comes any more.

And the pages on phones that refresh themselves.
"""

import re
from datetime import datetime, timedelta

import pytest
from django.utils import timezone, translation
from django.utils.formats import date_format
from playwright.sync_api import expect

from clubsite.accounts.models import Actor, Club
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import adopt
from scoring.models import Game, HouseRules
from tests.browser.conftest import NO_NETWORK
from tests.browser.test_accessible import barriers
from tests.conftest import make_club
from tests.examples import as_proof
from tests.kept import made_once
from tests.tournaments import contests
from tests.tournaments.draws.test_knock_outs import cup
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, play_night, play_round, publish_next
from tests.tournaments.rounds.test_going_back import decide
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.events.state import published_draws
from tournaments.models import Group, Round
from tournaments.rounds.clock import start_clock

pytestmark = pytest.mark.django_db(transaction=True)

WALL = {"width": 1920, "height": 1080}
NAMES = tuple(
    f"{first} {last} von und zu Wolkenstein-Rodenegg"[:37] + f" {n:02}"
    for n, (first, last) in enumerate((first, last) for first in contests.FIRST for last in contests.LAST)
)  # 54 names of 40 letters
ENDLESS = "Maria-Theresia von und zu Wolkenstein-Rodenegg-Trostburg Schwarzenberg"  # 70 letters
BY = Actor(user=None, name="Dora")

# What of the text that can be seen is smaller than 28 pixels of 1080, and which names stand on two lines or not wholly
# on the screen.
READ = """() => {
  const small = [], broken = [], names = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, box = text.parentElement, range = document.createRange();
    range.selectNodeContents(text);
    const seen = [...range.getClientRects()].filter((one) => one.width > 2 && one.height > 2);
    if (!text.data.trim() || !seen.length || box.closest(".visually-hidden, .skip, noscript")) continue;
    if (parseFloat(getComputedStyle(box).fontSize) < 28 * innerHeight / 1080) small.push(text.data.trim());
    if (!box.matches(".board-name")) continue;
    const [line] = seen, foot = document.querySelector(".board-foot").getBoundingClientRect().top;
    const inside = line.left >= 0 && line.right <= innerWidth && line.top >= 0 && line.bottom <= foot;
    if (seen.length > 1 || !inside) broken.push(text.data);
    names.push(text.data);
  }
  const part = document.querySelector(".board-part:not([hidden])").dataset.part;
  return { part, small, broken, names };
}"""

# The names on the page that don't stand there wholly, and in how many columns names stand.
CUT = """() => {
  const names = [...document.querySelectorAll(".board-part:not([hidden]) .board-name")];
  const seen = names.filter((one) => one.checkVisibility());
  const cut = seen.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent);
  return [cut, new Set(seen.map((one) => Math.round(one.getBoundingClientRect().left))).size];
}"""


@pytest.fixture(autouse=True)
def at_once(settings):
    settings.LIVE_PAUSE = 0


def competition(name, *, groups=None):
    """54 people with long names, drawn if so many of their groups have played everything."""
    event = contests.contest(Club.objects.get(), BY, name=name)
    contests.enter(event, BY, NAMES)
    if groups is not None:
        draw = contests.drawn(event.stages.get(number=1), BY)
        for group in Group.objects.filter(table__draw=draw)[:groups]:
            contests.play_group(group, BY, contests.by_number)
    return event


def cut():
    event = competition("Cut", groups=18)
    stage = contests.stage_of(event, 1)
    publish_cut(stage=stage, by=BY, fingerprint=propose(stage).fingerprint, sure=True)
    return event


def night(slug):
    """A night between its third round and the fourth, in the fourth, or closed."""
    event = make_night(Club.objects.get(), HouseRules.objects.get(slug="st-hilary-v3"), slug=slug)
    if slug == "closed":
        play_night(event, BY, 22, rounds=3)
        return event
    arrive(event, BY, 22)
    for _round in range(3):
        play_round(publish_next(event, BY), BY, 2)
    if slug == "third":
        play_deals(games_of(publish_next(event, BY))[0], BY, 2)
    return event


PHASES = {
    "entered": lambda: competition("Entered"),
    "seated": lambda: competition("Seated", groups=0),
    "playing": lambda: competition("Playing", groups=10),
    "cut": cut,
    **{slug: lambda slug=slug: night(slug) for slug in ("between", "third", "closed")},
}


class Events(dict):
    """An event of the board in each phase, made when it is asked for."""

    def __missing__(self, phase):
        self[phase] = made_once(f"hall board, {phase}", PHASES[phase])
        return self[phase]


@pytest.fixture
def events(db):
    adopt(club=make_club(), rule_set=shipped()["st-hilary-v3"], by=BY)
    return Events()


def board(event, **query):
    asked = "&".join(f"{name}={value}" for name, value in {"turn": 60, **query}.items())
    return f"/st-hilary/events/{event.slug}/board/?{asked}"


def pages(page):
    """Each page of the board that is open, turned by the arrow key."""
    count = page.locator("[data-board-count]")
    expect(count).to_have_text(re.compile(r"Page \d+ of \d+"))
    page.evaluate("document.fonts.ready")
    total = int(count.inner_text().split()[-1])
    for number in range(1, total + 1):
        expect(count).to_have_text(f"Page {number} of {total}")
        yield page.evaluate(READ)
        page.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"Page 1 of {total}")


@pytest.mark.daily(2)
@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ("entered", ["start", "entered"]),
        ("seated", ["tables", "names"]),
        ("playing", ["tables", "names", "standings"]),
        ("cut", ["through", "next", "standings", "tables"]),
        ("between", ["next", "standings", "picture", "tables"]),
        ("third", ["tables", "names", "standings", "picture"]),
        ("closed", ["winners", "standings", "picture"]),
    ],
)
def test_everything_is_large_and_every_name_on_one_line(signed_in, events, phase, expected):
    wall = signed_in(None, viewport=WALL)
    wall.goto(board(events[phase]))
    seen = {}
    for shown in pages(wall):
        assert shown["small"] == []
        assert shown["broken"] == []
        seen.setdefault(shown["part"], []).extend(shown["names"])
    assert list(seen) == expected
    everybody = sorted(events[phase].entries.values_list("name", flat=True))
    for part in {"entered", "tables", "names", "standings"} & set(seen):
        assert sorted(seen[part]) == everybody


# The names of a bracket's matches that don't stand on the screen wholly.
CUT_IN_BRACKET = """() => {
  const foot = document.querySelector(".board-foot").getBoundingClientRect().top;
  const seen = [...document.querySelectorAll(".bracket .name")].filter((one) => one.checkVisibility());
  return seen.filter((one) => {
    const box = one.getBoundingClientRect();
    return one.scrollWidth > one.clientWidth + 1 || box.right > innerWidth || box.bottom > foot;
  }).map((one) => one.textContent);
}"""


@pytest.mark.proof
@pytest.mark.parametrize(("people", "theme"), [(8, "light"), (27, "light"), (27, "dark")])
def test_nothing_of_a_bracket_is_small_or_cut_on_any_screen(signed_in, club, people, theme):
    event = cup(club, BY, people, consolation=False)
    for entry, name in zip(event.entries.order_by("number"), NAMES, strict=False):
        type(entry).objects.filter(pk=entry.pk).update(name=name)
    decide(publish_next(event, BY), BY)
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        wall = signed_in(None, viewport={"width": width, "height": height})
        wall.goto(board(event, theme=theme))
        brackets = 0
        for page in pages(wall):
            assert page["small"] == []
            brackets += page["part"].startswith("bracket")
            assert wall.evaluate(CUT_IN_BRACKET) == []
        assert brackets


@pytest.mark.proof
def test_one_very_long_name_alone_is_cut_and_the_others_keep_their_columns(signed_in, events):
    events["playing"].entries.filter(number=1).update(name=ENDLESS)
    wall = signed_in(None, viewport=WALL)
    wall.goto(board(events["playing"]))
    cut = {}
    for shown in pages(wall):
        names, left = wall.evaluate(CUT)
        cut.setdefault(shown["part"], []).extend(names)
        assert left > 1 or shown["part"] == "standings"  # whose figures leave room for one column of the others, too
        assert set(shown["broken"]) <= {ENDLESS}
    assert cut == {"tables": [ENDLESS], "names": [ENDLESS], "standings": [ENDLESS]}


@pytest.mark.daily(1)
@pytest.mark.parametrize(
    ("theme", "phases"),
    [
        ("dark", ("entered", "third")),
        ("light", ("cut", "closed")),
        as_proof(["dark", ("cut", "closed")]),
        as_proof(["light", ("entered", "third")]),
    ],
)
def test_no_page_of_it_has_a_barrier(signed_in, events, theme, phases):
    wall = signed_in(None, viewport=WALL)
    for phase in phases:
        wall.goto(board(events[phase], theme=theme))
        expect(wall.locator("html")).to_have_attribute("data-theme", theme)
        for _page in pages(wall):
            assert barriers(wall) == []


def test_it_turns_by_itself_and_pauses_on_a_key(signed_in, events):
    wall = signed_in(None, viewport=WALL)
    wall.clock.install(time=0)
    wall.clock.pause_at(1_000)  # no second goes by but those that the test lets go
    wall.goto(board(events["third"], turn=20))
    count = wall.locator("[data-board-count]")
    expect(count).to_have_text("Page 1 of 4")
    wall.clock.run_for(15_000)
    expect(count).to_have_text("Page 1 of 4")
    wall.clock.run_for(6_000)
    expect(count).to_have_text("Page 2 of 4")
    wall.clock.run_for(21_000)
    expect(count).to_have_text("Page 3 of 4")
    wall.clock.run_for(42_000)
    expect(count).to_have_text("Page 1 of 4")
    wall.keyboard.press(" ")
    expect(wall.get_by_text("Paused")).to_be_visible()
    wall.clock.run_for(90_000)
    expect(count).to_have_text("Page 1 of 4")
    wall.keyboard.press("ArrowLeft")
    expect(count).to_have_text("Page 4 of 4")
    wall.get_by_role("button", name="Pause").click()
    expect(wall.get_by_text("Paused")).to_be_hidden()
    wall.clock.run_for(21_000)
    expect(count).to_have_text("Page 1 of 4")


def look_again(page):
    """What the page does by itself every five seconds."""
    page.evaluate("htmx.trigger('#live', 'news')")


def test_points_come_in_on_the_page_that_is_shown(signed_in, events):
    wall = signed_in(None, viewport=WALL)
    wall.goto(board(events["third"]))
    wall.keyboard.press("ArrowLeft")
    wall.keyboard.press("ArrowLeft")
    expect(wall.locator("[data-board-count]")).to_have_text("Page 3 of 4")
    note = wall.locator(".board-part:not([hidden]) .board-note")
    before = note.inner_text()
    game = Game.objects.filter(group_game__group__table__draw__round__stage__event=events["third"]).order_by("-pk")[0]
    play_deals(game, BY, 1)
    look_again(wall)
    expect(note).not_to_have_text(before)
    expect(wall.locator("[data-board-count]")).to_have_text("Page 3 of 4")


@pytest.mark.proof
def test_the_words_of_the_clock_fit_the_screen_whenever_they_change(signed_in, events):
    fits = """() => {
        const part = document.querySelector(".board-part:not([hidden])"), words = part.querySelector(".board-large");
        return words.getBoundingClientRect().bottom <= part.getBoundingClientRect().bottom + 1;
    }"""
    wall, playing = signed_in(None, viewport=WALL), Round.objects.get(stage__event=events["third"], number=4)
    wall.clock.install()
    wall.goto(board(events["third"], show="clock"))
    start_clock(round=playing, by=BY, minutes=6)
    look_again(wall)
    sign, bell = (wall.locator(f".board-whole-clock [data-clock-when={state}]") for state in ("sign", "running"))
    expect(bell).to_be_visible()
    assert wall.evaluate(fits)
    wall.clock.run_for(120_000)
    expect(sign).to_be_visible()
    assert wall.evaluate(fits)
    play_deals(games_of(published_draws(events["third"]).get(round=playing))[-1], BY, 1)
    look_again(wall)  # what comes has the words of two minutes ago: the server's clock is behind this page's
    expect(sign).to_be_visible()
    assert wall.evaluate(fits)


@pytest.mark.daily(1)
@pytest.mark.parametrize("path", ["board/?turn=60", "", "seats/"])
def test_a_lost_connection_is_said_with_the_time_and_comes_back(signed_in, events, path):
    page = signed_in(None, viewport=WALL, may_say=NO_NETWORK)
    page.goto(f"{events['third'].get_absolute_url()}{path}")
    lost = page.get_by_text("No connection since")
    expect(lost).to_be_hidden()
    page.context.set_offline(True)
    look_again(page)
    now = timezone.now().astimezone(events["third"].club.zone)  # the wall's own clock may show another place's time
    times = [f"{now - timedelta(minutes=ago):%H:%M}" for ago in range(3)]
    expect(lost).to_have_text(re.compile(f"No connection since ({'|'.join(times)})"))
    expect(page.get_by_text("What you typed is still here")).to_be_hidden()
    if path.startswith("board/"):
        assert page.evaluate(READ)["small"] == []
        page.keyboard.press("ArrowRight")
        expect(page.locator("[data-board-count]")).to_have_text("Page 2 of 4")  # it goes on turning
    page.context.set_offline(False)
    look_again(page)
    expect(lost).to_be_hidden()


@pytest.mark.daily(1)
@pytest.mark.parametrize(("place", "early", "late"), [("GB", "09:05", "20:05"), ("US", "9:05 AM", "8:05 PM")])
def test_a_script_writes_times_as_the_pages_of_the_place_do(signed_in, events, place, early, late):
    Club.objects.update(date_place=place)
    page = signed_in(None, timezone_id="Asia/Tokyo")
    page.goto(board(events["third"]))
    for hour, words in ((9, early), (20, late)):
        at = datetime(2054, 11, 6, hour, 5, tzinfo=events["third"].club.zone)
        told = page.evaluate("at => timeOf(at)", at.timestamp() * 1000)
        with translation.override({"GB": "en", "US": "en-us"}[place]):
            assert told == words.replace(" ", "\u00a0") == date_format(at, "TIME_FORMAT")


def test_the_choice_is_made_on_the_board_and_kept_in_its_address(signed_in, events):
    wall = signed_in(None, viewport=WALL)
    wall.goto(f"{events['third'].get_absolute_url()}board/")
    wall.mouse.move(500, 500)  # the keys are there while somebody is at the board
    wall.get_by_text("Choose", exact=True).click()
    assert wall.evaluate(READ)["small"] == []
    others = (
        "Who is entered",
        "Seats by table",
        "Round clock",
        "Bracket",
        "Standings and results",
        "Places round by round, as a picture",
        "The season's race, as a picture",
        "Who goes on",
        "What comes next",
    )
    for name in others:
        wall.get_by_label(name).uncheck()
    wall.get_by_label("A page stays").select_option("30 seconds")
    wall.get_by_label("Colours").select_option("light")
    wall.get_by_role("button", name="Show").click()
    expect(wall).to_have_url(re.compile(r"\?show=names&turn=30&theme=light$"))
    expect(wall.locator("html")).to_have_attribute("data-theme", "light")
    assert [shown["part"] for shown in pages(wall)] == ["names"]
    look_again(wall)
    assert [shown["part"] for shown in pages(wall)] == ["names"]


def test_the_page_of_an_event_keeps_what_was_unfolded(signed_in, events):
    phone = signed_in(None, viewport={"width": 390, "height": 844})
    phone.goto(events["third"].get_absolute_url())
    latest, earlier = phone.locator("details.round").nth(0), phone.locator("details.round").nth(2)
    latest.locator("summary").click()
    earlier.locator("summary").click()
    expect(earlier).to_have_attribute("open", "")
    said = phone.get_by_text("Provisional")
    before = said.inner_text()
    game = Game.objects.filter(group_game__group__table__draw__round__stage__event=events["third"]).order_by("-pk")[1]
    play_deals(game, BY, 1)
    look_again(phone)
    expect(said).not_to_have_text(before)
    expect(earlier).to_have_attribute("open", "")
    expect(earlier.locator("summary")).to_be_focused()
    expect(latest).not_to_have_attribute("open", "")


SIZE = "one => parseFloat(getComputedStyle(one).fontSize)"


@pytest.mark.proof
def test_twenty_places_are_large_and_the_winners_stay_until_somebody_turns_the_page(signed_in, events):
    night = events["closed"]
    people = [f"{first} {last}" for first in contests.FIRST for last in contests.LAST]
    for entry, name in zip(night.entries.order_by("number"), people, strict=False):
        type(entry).objects.filter(pk=entry.pk).update(name=name)
    wall = signed_in(None, viewport=WALL)
    wall.clock.install()
    wall.goto(board(night, turn=8))
    count = wall.locator("[data-board-count]")
    expect(count).to_have_text("Page 1 of 3")
    wall.evaluate("document.fonts.ready")
    wall.clock.fast_forward(9_000)
    expect(count).to_have_text("Page 1 of 3")
    expect(wall.locator("[data-part=winners]")).to_be_visible()
    wall.keyboard.press("ArrowRight")
    assert wall.locator("[data-part=standings] .board-row .board-name").first.evaluate(SIZE) >= 46
    wall.clock.fast_forward(9_000)
    expect(count).to_have_text("Page 3 of 3")


@pytest.mark.proof
def test_a_board_turns_again_when_its_result_was_taken_back(signed_in, events):
    wall = signed_in(None, viewport=WALL)
    wall.clock.install()
    wall.goto(board(events["closed"], turn=8))
    count = wall.locator("[data-board-count]")
    expect(count).to_have_text("Page 1 of 3")
    wall.evaluate("""() => {
        document.querySelector("[data-part=winners]").remove();
        document.body.dispatchEvent(new Event("htmx:afterSwap"));
    }""")
    expect(count).to_have_text("Page 1 of 2")
    wall.clock.fast_forward(9_000)
    expect(count).to_have_text("Page 2 of 2")
