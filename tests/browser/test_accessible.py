"""Every main page can be read by everybody: WCAG A and AA by axe, nothing cut off at any width, in light and dark.

The people of these pages have the longest names that are let in.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from uuid import uuid4

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils.timezone import localdate
from playwright.sync_api import expect

from clubsite.accounts.models import Actor, Club, Member, Role, User
from lab.simulation.play import Pace, Stop, play_event
from scoring.engine.core.ruleset import Shape, shipped
from scoring.house_rules.actions import adopt
from scoring.models import Deal, Game
from tests.browser.hands_on import overflow, said, save, type_deal
from tests.conftest import make_club, make_user
from tests.examples import in_turn
from tests.kept import made_once
from tests.scoring.conftest import IMPOSSIBLE
from tests.tournaments.contests import contest, enter
from tests.tournaments.nights import make_night
from tournaments.engine.handicap import HandicapRule
from tournaments.handicaps import choose_numbers, give_handicaps
from tournaments.models import Cut, Draw, Event, Letter, MoneyLine, Season, SignUp, Subscriber
from tournaments.money import set_dues, take_dues, write_line
from tournaments.seasons.actions import Assignment, assign_members
from tournaments.sign_ups import VISITOR, sign_up

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = (
    "Maximiliana Bartholomea Featherstonehaugh-Cholmondeley of Ashby-de-la-Zouch",
    "Hubert Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft",
    "María de los Ángeles Fernández-Echeverría y Goikoetxea de la Santísima Trinidad",
    "Anastasija Krzysztofówna Szczebrzeszyńska-Przybyszewska",
    "Nguyễn Phước Bảo Ân Hoàng Thị Tường Vi",
    "Ann Li",
    "Dr. Konstantinos Papadimitrakopoulos-Theodorakopoulos jun.",
    "Þorgerður Sigríður Hafliðadóttir Kristjánsson",
    "Bo",
)
WCAG = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "rules": {"landmark-unique": {"enabled": True}},
    "resultTypes": ["violations"],
}
COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
"""What another theme may change."""
TARGETS = {"runOnly": {"type": "rule", "values": ["target-size"]}, "resultTypes": ["violations"]}
"""What the bar of a form may lie over."""
WINDOWS = {320: 640, 390: 844, 1366: 768, 1920: 1080}  # half a phone enlarged, a phone, a laptop, a projector
AXE = Axe()
NEED = "place=1&others=average&member="


@dataclass(frozen=True, slots=True)
class House:
    club: Club
    director: User
    night: Event
    competition: Event


@pytest.fixture
def house(db, settings):
    settings.MAIL_IS_SET = True
    return made_once("house of long names", played_house)


@pytest.fixture
def director(house):
    return house.director


def played_house():
    club = make_club()
    club.rating = True
    club.save()
    director = make_user("dora", club, Role.Kind.DIRECTOR)
    actor = Actor(user=director, name="Dora")
    house = House(club, director, played_night(club, actor), played_competition(club, actor))
    coming = make_night(club, house.night.rules, slug="coming", day=20)
    coming.sign_up, coming.places, coming.fee, coming.details = Event.SignUps.OPEN, 3, 500, "Ask Dora: 555-0142"
    coming.save()
    for name, partner in zip(PEOPLE[:4:2], PEOPLE[1:4:2], strict=True):
        sign_up(event=coming, by=VISITOR, name=name, partner=partner, submission=uuid4())
    dues = set_dues(club=club, year=localdate(timezone=club.zone).year, by=actor, amount=123_456_789)
    take_dues(dues=dues, member=Member.objects.filter(club=club)[0], by=actor, submission=uuid4())
    line = MoneyLine(kind="moved", amount=123_456_789, words="W" * 60, category="C" * 40)
    write_line(club=club, by=actor, line=line, submission=uuid4())
    to = Subscriber.objects.create(club=club, email="maximiliana.von.hohenstein@mail.example.org", language="en")
    problem = "550 5.1.1 <maximiliana.von.hohenstein@mail.example.org>: Recipient address rejected"
    Letter.objects.create(
        subscriber=to, email=to.email, kind="result", event=house.night, state="held", problem=problem
    )
    return house


def played_night(club, actor):
    """The second night of a season of divisions and teams, in its second round, with handicaps; the first is closed."""
    rules, rng = adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=actor), Random(9)
    for name in PEOPLE:
        Member.objects.create(club=club, name=name, classes="Ladies over seventy-five years of age")
    season = Season.objects.create(
        club=club,
        name="Season of the parish hall's hundredth year, with all its club nights",
        starts=datetime(2054, 10, 1, tzinfo=UTC).date(),
        ends=datetime(2055, 3, 31, tzinfo=UTC).date(),
        rule={"kind": "best", "best": 2, "attendance": 1, "tie_breaks": ["nights-won"]},
        moving=1,
    )
    people = Member.objects.filter(club=club).order_by("pk")
    assign_members(
        season=season,
        assignments={m.pk: Assignment(1 + n % 2, m.name[:40]) for n, m in enumerate(people[1:])},
        by=actor,
    )
    first = make_night(club, rules, slug="first", season=season)
    play_event(first, rng, by=actor, pace=Pace(rounds=3, time=6))
    second = make_night(club, rules, slug="second", season=season, day=13)
    choose_numbers(club=club, game=rules.slug, rule=HandicapRule(scratch=40, needed=1), by=actor)
    give_handicaps(event=second, rule=HandicapRule(scratch=40, needed=1), by=actor)
    play_event(second, rng, by=actor, pace=Pace(rounds=3, time=3), stop=Stop(2, deals=2))
    return second


def played_competition(club, actor):
    """A competition of eighteen in the middle of its second stage, one cut published."""
    name = "The Great Autumn Competition for the Challenge Cup of the Archdeaconry"
    event = contest(club, actor, name=name, game="three-hand-double-pinochle", shape=Shape(3), places=18)
    enter(event, actor, [*PEOPLE, *(f"{name} jr"[-80:] for name in PEOPLE)])
    play_event(event, Random(18), by=actor, stop=Stop(2, deals=1))
    return event


@pytest.fixture
def for_anybody(house):
    night, competition = house.night, house.competition
    club = night.club.slug
    season = reverse("season", args=[club, night.season_id])
    return {
        "front page": reverse("home"),
        "log-in": reverse("login"),
        "what is kept": reverse("privacy"),
        "club": reverse("club", args=[club]),
        "events": reverse("events", args=[club]),
        "club rating": reverse("rating", args=[club]),
        "night": night.get_absolute_url(),
        "competition": competition.get_absolute_url(),
        "next night": reverse("event", args=[club, "coming"]),
        "signing up": reverse("coming", args=[club, "coming"]),
        "sign-up": reverse("sign_up", args=[club, "coming", SignUp.objects.latest("pk").submission]),
        "e-mail": reverse("mail", args=[club]),
        "own e-mail": reverse("mail_own", args=[club, Subscriber.objects.get().key]),
        "which event": reverse("which_event"),
        "guide": reverse("help"),
        "chapter": reverse("club_help", args=[club, "cards-on-a-phone"]),
        "seats": reverse("seats", args=[club, competition.slug]),
        "board": reverse("board", args=[club, night.slug]),
        "season": season,
        "season, a line lit, every night": f"{season}?nights=all&who={_longest(night).pk}",
        "result": reverse("event", args=[club, "first"]),
        "how the night went": reverse("evening", args=[club, "first"]),
        "how the competition went": reverse("evening", args=[club, competition.slug]),
        "need": reverse("season_need", args=[club, night.season_id]) + f"?{NEED}{_longest(night).pk}",
        "handicaps": reverse("handicaps", args=[club]),
        "handicap list": reverse("handicap_list", args=[club, night.rules.slug]),
        "rules": reverse("rules", args=[club]),
        "house rules": night.rules.get_absolute_url(),
        "no such page": f"/{club}/nowhere/",
    }


@pytest.fixture
def for_directors(house):
    night, competition = house.night, house.competition
    club = night.club.slug
    games = Game.objects.filter(group_game__group__table__draw__round__stage__event=night).order_by("-pk")
    game, other, finished = games[0], games[1], games[2]
    drawn = Draw.objects.filter(round__stage__event=competition)[0]
    return {
        "desk": reverse("desk", args=[club]),
        "phones": reverse("phones", args=[club]),
        "quick games": reverse("game_new", args=[club]),
        "who is coming": reverse("sign_ups", args=[club, "coming"]),
        "new event": reverse("event_new", args=[club]),
        "an event from a file": reverse("event_in", args=[club]),
        "new competition": reverse("event_new", args=[club]) + "?format=contest",
        "desk of the night": night.get_desk_url(),
        "who is here": reverse("here", args=[club, night.slug]),
        "draw of a round": reverse("round_draw", args=[club, night.slug]),
        "round": reverse("round_step", args=[club, night.slug, 2]),
        "round from paper": reverse("round_keying", args=[club, night.slug, 2]),
        "second keying": reverse("round_second_keying", args=[club, night.slug, 2]),
        "keyed twice": reverse("differences", args=[club, night.slug]),
        "close the night": reverse("night_close", args=[club, night.slug]),
        "season's name and days": reverse("season_change", args=[club, night.season_id]),
        "season's rule": reverse("season_rule", args=[club, night.season_id]),
        "points from before": reverse("season_opening", args=[club, night.season_id]),
        "divisions and teams": reverse("season_people", args=[club, night.season_id]),
        "season that follows": reverse("season_following", args=[club, night.season_id]),
        "numbers of handicaps": reverse("handicap_numbers", args=[club, night.rules.slug]),
        "handicaps of the night": reverse("event_handicap", args=[club, night.slug]),
        "prizes": reverse("prizes", args=[club, night.slug]),
        "money of the night": reverse("event_money", args=[club, night.slug]),
        "fees at the door": reverse("fees", args=[club, night.slug]),
        "money of the club": reverse("club_money", args=[club]),
        "money of a year": reverse("club_money", args=[club]) + f"?year={localdate(timezone=night.club.zone).year}",
        "dues": reverse("dues", args=[club]),
        "money of the season": reverse("season_money", args=[club, night.season_id]),
        "wishes": reverse("wishes", args=[club, night.slug]),
        **{name: reverse(name, args=[club]) for name in ("members", "members_paste", "guests")},
        **{name: reverse(name, args=[club, _longest(night).pk]) for name in ("person", "member", "member_erase")},
        "next night of the season": reverse("event_new", args=[club]) + f"?season={night.season_id}",
        "card": game.get_absolute_url(),
        "another card": other.get_absolute_url(),
        "card of a finished game": finished.get_absolute_url(),
        "deal": reverse("deal", args=[club, Deal.objects.filter(game=game)[0].pk]),
        "end of the game": reverse("game_end", args=[club, game.pk]),
        "desk of the competition": competition.get_desk_url(),
        "entries": reverse("entries", args=[club, competition.slug]),
        "entry": reverse("entry", args=[club, competition.slug, competition.entries.all()[0].pk]),
        "names": reverse("entries_import", args=[club, competition.slug]),
        "draw": reverse("draw_step", args=[club, competition.slug, drawn.pk]),
        "stage from paper": reverse("stage_keying", args=[club, competition.slug, drawn.pk]),
        "cut": reverse("cut_step", args=[club, competition.slug, Cut.objects.get(stage__event=competition).pk]),
        "printing": reverse("print", args=[club, competition.slug]),
        "people": reverse("people", args=[club]),
        "settings": reverse("club_settings", args=[club]),
        "e-mail not sent": reverse("mail_desk", args=[club]),
        "log": reverse("log", args=[club]),
    }


def _longest(night):
    return max(Member.objects.filter(club=night.club), key=lambda member: len(member.name))


def barriers(page, *, options=WCAG):
    """What axe finds against WCAG A and AA, or some rules of it: the rule, and where."""
    page.wait_for_load_state()  # a click may just have asked for another page
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE.axe_script)
    found = page.evaluate("options => axe.run(options)", options)["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


def stands_well(page):
    """Nothing is cut off, and axe finds nothing."""
    assert overflow(page) == 0
    assert barriers(page) == []


def long_lists(page):
    """Lists of more than a dozen links without a heading among them; what is folded under a summary has its own."""
    return page.evaluate(
        """() => [...document.querySelectorAll("ul, ol, nav")].filter(list =>
            !list.querySelector("h2, h3, h4, summary") && list.querySelectorAll("a").length > 12
        ).map(list => list.outerHTML.slice(0, 200))"""
    )


def on_each(page, pages, look):
    """What was found on pages, which are looked at with their names; pages without a finding are left out."""
    seen = {}
    for name, address in pages.items():
        page.goto(address)
        if found := look(page, name):
            seen[name] = found
    return seen


def test_no_page_is_wider_than_a_phone_nor_half_of_the_public_ones_a_barrier(
    signed_in, director, for_anybody, for_directors
):
    """What a change of styles breaks first."""
    phone = signed_in(director, viewport={"width": 390, "height": 844}, may_say=["status of 404 "])
    asked = {name for name in for_anybody if in_turn(name)}
    found = on_each(
        phone, for_anybody | for_directors, lambda page, name: overflow(page) or (name in asked and barriers(page))
    )
    assert found == {}


@pytest.mark.proof
@pytest.mark.long
def test_no_page_has_a_barrier_in_light_or_dark_or_is_wider_than_the_window(
    signed_in, director, for_anybody, for_directors
):
    """Each page is opened once, in dark; it is turned to light for the rules that have nothing to do with colours."""
    laptop = {"width": 1366, "height": 768}
    whole_form = laptop | {"height": 1600}  # its bar covers no field, of which axe would say nothing
    dark = signed_in(director, color_scheme="dark", viewport=laptop, may_say=["status of 404 "])

    def look(page, name):
        found = {}
        for width, height in WINDOWS.items():
            page.set_viewport_size({"width": width, "height": height})
            if pixels := overflow(page):
                found[f"wider than {width}"] = pixels
        page.set_viewport_size(laptop)
        if faint := barriers(page, options=COLOURS):
            found["dark"] = faint
        return found

    def look_at_directors(page, name):
        found = look(page, name)
        page.evaluate("document.documentElement.dataset.theme = 'light'")
        if page.locator(".dock").count() and (covered := barriers(page, options=TARGETS)):
            found["covered"] = covered
        page.set_viewport_size(whole_form)
        if light := barriers(page) + long_lists(page):
            found["light"] = light
        page.set_viewport_size(laptop)
        return found

    assert on_each(dark, for_anybody, look) == {}
    assert on_each(dark, for_directors, look_at_directors) == {}
    dark.goto(for_directors["card"])
    dark.get_by_role("button", name="Dark theme").click()
    expect(dark.locator("html")).to_have_attribute("data-theme", "light")
    assert barriers(dark) == []


@pytest.mark.proof
def test_a_browser_that_has_the_light_theme_only_offers_no_other(new_context):
    page = new_context().new_page()
    page.goto("/")
    theme = page.get_by_role("button", name="Dark theme")
    expect(theme).to_be_visible()
    page.add_init_script("CSS.supports = () => false")
    page.reload()
    expect(theme).to_be_hidden()


@pytest.mark.proof
def test_the_board_fits_the_window_without_a_script(signed_in, for_anybody):
    board = signed_in(None, java_script_enabled=False)
    board.goto(for_anybody["board"])
    for width, height in WINDOWS.items():
        board.set_viewport_size({"width": width, "height": height})
        assert (width, overflow(board)) == (width, 0)


def test_a_refused_card_and_a_message_have_no_barrier(signed_in, director, for_directors):
    page = signed_in(director, viewport={"width": 390, "height": 844})
    page.goto(for_directors["card"])
    type_deal(page, Game.objects.select_related("rules", "club").get(pk=int(page.url.split("/")[-2])), IMPOSSIBLE)
    save(page)
    expect(page.get_by_label("Director's ruling")).to_be_visible()
    assert barriers(page) == []
    page.goto(for_directors["settings"])
    page.get_by_role("button", name="Save").click()
    expect(said(page)).to_be_visible()
    assert barriers(page) == []
