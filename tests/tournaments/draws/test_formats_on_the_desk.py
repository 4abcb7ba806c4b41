"""Events of the formats as a director sees them: planned, paired and played by clicking."""

import re
from itertools import chain

import pytest
from django.urls import reverse

from tests.pages import page_of
from tests.tournaments.draws.test_by_format import make_event, pair_in_order, play_round
from tests.tournaments.nights import arrive, make_members, queries_of
from tournaments.engine.formats import FORMATS, options_of
from tournaments.events.forms import variant_typed
from tournaments.events.words import VARIANTS
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def test_a_director_plans_pairs_and_plays_a_swiss_by_clicking(club, director, client_of):
    browser = client_of(director)
    page = browser.get(reverse("event_new", args=[club.slug]))
    individuals, *sides = (re.findall(r'href="\?format=([\w-]+)"', part) for part in page_of(page).split("<h2")[1:])
    sides = list(chain.from_iterable(sides))
    assert sorted(individuals + sides) == sorted(Event.Format.values)  # one link each
    assert {"rotation", "contest"} <= set(individuals)
    assert {"swiss", "knock-out", "team-match"} <= set(sides)
    form = browser.get(reverse("event_new", args=[club.slug]) + "?format=swiss")
    assert "The first round is by lot" in page_of(form)
    sent = {
        "name": "Autumn Swiss",
        "game": "euchre:2x2",
        "starts_at": "2054-11-06T19:30",
        "place": "",
        "rounds": "2",
        "bye": "half",
        "first_by_lot": "no",
        "sit_out_rule": "zero",
        "season": "",
        "tie_1": "games-won",
        "tie_2": "points",
        "tie_3": "",
        "tie_4": "",
    }
    assert browser.post(reverse("event_new", args=[club.slug]) + "?format=swiss", sent).status_code == 302
    event = Event.objects.get(name="Autumn Swiss")
    chosen = {"rounds": 2, "bye": "half", "first_by_lot": False, "pairing": "halves", "rematches": "refused"}
    assert event.options == chosen
    for member in make_members(club, 8):
        browser.post(reverse("here", args=[club.slug, event.slug]), {"member": member.pk})
    url = reverse("partners", args=[club.slug, event.slug])
    people = list(event.entries.order_by("number"))
    browser.post(url, {"step": "join", "entry": [people[0].pk, people[5].pk]})
    page = browser.post(url, {"step": "rest"}, follow=True)
    assert "3 sides were made by lot" in page_of(page)
    assert set(event.entries.filter(team=1)) == {people[0], people[5]}
    draw_url = reverse("round_draw", args=[club.slug, event.slug])
    page = browser.post(draw_url, {"step": "make", "planned": "1"}, follow=True)
    assert "Publish this draw" in page_of(page)
    desk = browser.get(event.get_desk_url())
    assert "2 rounds are planned" in page_of(desk)
    assert "half a game won" in page_of(browser.get(event.get_absolute_url()))


@pytest.mark.proof
def test_the_desk_asks_as_much_for_three_rounds_as_for_one(club, actor, director, client_of):
    event = make_event(club, actor, "swiss", rounds=4)
    arrive(event, actor, 16)
    pair_in_order(event, actor)
    browser = client_of(director)
    play_round(event, actor)
    browser.get(event.get_desk_url())
    one = queries_of(browser, event.get_desk_url())
    play_round(event, actor)
    play_round(event, actor)
    three = queries_of(browser, event.get_desk_url())
    assert three <= one


def test_no_further_round_is_offered_once_all_are_played(club, actor, director, client_of):
    """Also while somebody waits who has no partner yet."""
    event = make_event(club, actor, "swiss", rounds=1)
    arrive(event, actor, 8)
    pair_in_order(event, actor)
    play_round(event, actor)
    event.entries.create(number=9, name="Late Lou")
    browser = client_of(director)
    draw = reverse("round_draw", args=[club.slug, event.slug])
    page = browser.get(draw)
    assert page.context["ended"]
    assert b'name="step" value="make"' not in page.content
    assert draw not in page_of(browser.get(reverse("here", args=[club.slug, event.slug])))
    assert draw not in page_of(browser.get(event.get_desk_url()))
    assert browser.get(event.get_desk_url()).context["night"].next == "all-played"
    assert client_of(None).get(reverse("board", args=[club.slug, event.slug])).context["following"] is None


def test_a_swiss_without_a_pairing_left_offers_to_close(club, actor, director, client_of):
    event = make_event(club, actor, "swiss", rounds=5)
    arrive(event, actor, 4)
    pair_in_order(event, actor)
    play_round(event, actor)
    night = client_of(director).get(event.get_desk_url()).context["night"]
    assert (night.next, night.ended.code) == ("all-played", "format.no-pairing")
    assert client_of(director).get(reverse("round_draw", args=[club.slug, event.slug])).context["ended"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_clubs_know_by_its_own_name_is_filled_in(client_of, director, club, variant):
    format, (options, typed) = VARIANTS[variant][0], (VARIANTS[variant][1], variant_typed(variant))
    browser, address = client_of(director), reverse("event_new", args=[club.slug])
    assert f"?variant={variant}" in browser.get(address).content.decode()
    form = browser.get(address, {"variant": variant}).context["form"]
    assert {name: form[name].value() for name in typed} == typed
    offered = [value for _kind, games in form.fields["game"].choices if isinstance(games, list) for value, _t in games]
    assert options.get("game", offered[0]) in offered
    of_event = {"game", "round_minutes", "walkover_points", "result_points"}
    assert set(options) - of_event <= {one.name for one in options_of(FORMATS[format])}
