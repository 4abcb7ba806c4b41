"""Which language and which place's dates a page is in: the visitor's own, the club's, the browser's."""

import re
from datetime import UTC, datetime

import pytest
from django import forms
from django.template import Context, Template
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format, get_format, number_format

from clubsite import live
from clubsite.accounts.languages import use_language
from clubsite.accounts.models import Club
from scoring.form_parts import FigureField
from tests.conftest import DOORS
from tests.pages import page_of
from tests.tournaments import nights

AFTERNOON = datetime(2026, 11, 22, 14, 0, tzinfo=UTC)


def language_of(answer):
    found = re.search(r'<html lang="([\w-]+)"', page_of(answer))
    return found[1]


def choose(browser, language, **headers):
    """Press the switch at the foot; gives the address that follows."""
    return str(browser.post(reverse("language"), {"language": language}, headers=headers)["Location"])


@pytest.fixture
def spanish_club(club):
    club.language, club.date_place = "es", "us"
    club.save()
    return club


@pytest.fixture
def night(club, actor, rules_for):
    found = nights.make_night(club, rules_for("st-hilary-v3"))
    nights.arrive(found, actor, 8)
    nights.publish_next(found, actor)
    return found


@pytest.mark.parametrize(
    ("place", "english", "spanish", "figure"),
    [
        ("gb", "22 November 2026, 14:00", "22 de noviembre de 2026, 14:00", "1,250"),
        ("us", "Nov 22, 2026, 2:00\xa0PM", "22 de noviembre de 2026, 2:00\xa0p.m.", "1,250"),
        ("es", "22 November 2026, 14:00", "22 de noviembre de 2026, 14:00", "1.250"),
        ("mx", "22 November 2026, 2:00\xa0PM", "22 de noviembre de 2026, 2:00\xa0p.m.", "1,250"),
    ],
)
def test_dates_and_figures_are_in_the_style_of_the_place(place, english, spanish, figure):
    club = Club(date_place=place)
    for language, date in (("en", english), ("es", spanish)):
        with use_language(club, language):
            assert date_format(AFTERNOON, "DATETIME_FORMAT") == date
            assert number_format(1250, force_grouping=True) == figure
            twelve = "g" in get_format("TIME_FORMAT")
            assert twelve == (translation.get_language() in ("en-us", "en-mx", "es-us", "es-419")), (
                "base.html tells scripts by these two"
            )


def test_every_place_is_shown_in_its_own_style():
    for place in Club.DatePlace:
        with use_language(Club(date_place=place)):
            date = date_format(AFTERNOON, "DATETIME_FORMAT").replace("\xa0", " ")
            assert str(place.label).startswith(f"{date}; {number_format(1250, force_grouping=True)} ")


def test_a_club_is_in_its_language_whatever_the_browser_asks_for(spanish_club, client_of):
    address = spanish_club.get_absolute_url()
    assert language_of(client_of(None).get(address, headers={"Accept-Language": "en-GB"})) == "es-us"
    for nowhere in (f"{address}no-such-page/", reverse("event", args=[spanish_club.slug, "no-such-event"])):
        missing = client_of(None).get(nowhere, headers={"Accept-Language": "en-GB"})
        assert (missing.status_code, language_of(missing)) == (404, "es-us")


def test_a_visitors_own_choice_wins_and_lasts_and_can_be_taken_back(spanish_club, client_of):
    browser, address = client_of(None), spanish_club.get_absolute_url()
    assert choose(browser, "en", Referer=f"http://testserver{address}").endswith(address)
    kept = browser.cookies["django_language"]
    assert (kept.value, kept["max-age"], kept["httponly"]) == ("en", 365 * 24 * 3600, True)
    assert language_of(browser.get(address)) == "en-us"
    assert language_of(client_of(None).get(address)) == "es-us"
    choose(browser, "es")
    assert language_of(browser.get(address)) == "es-us"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("es-MX,es;q=0.9", "es-419"), ("es", "es-es"), ("en-US,en", "en-us"), ("pl,en;q=0.5", "en-gb"), ("", "en-gb")],
)
def test_the_front_page_of_several_clubs_is_as_the_browser_asks(
    spanish_club, other_club, client_of, accepted, language
):
    assert language_of(client_of(None).get("/", headers={"Accept-Language": accepted})) == language


def test_the_front_page_of_one_club_is_the_clubs(spanish_club, client_of):
    assert language_of(client_of(None).get("/", headers={"Accept-Language": "en"})) == "es-us"


@pytest.mark.parametrize("language", ["", "xx", "en-us", "'; drop", "e" * 5000])
def test_a_language_that_there_is_not_changes_nothing(club, language, client):
    client.cookies["django_language"] = language[:50]
    choose(client, language)
    assert language_of(client.get(club.get_absolute_url())) == "en-gb"


def test_the_switch_leads_to_no_other_site(club, client_of):
    sent = {"language": "es", "next": "https://elsewhere.example/"}
    assert client_of(None).post(reverse("language"), sent)["Location"] == "/"


def test_every_page_offers_the_other_language_in_its_own_words(night, client_of):
    """Also one that is kept for everybody (an event's)."""
    of_night = [reverse(name, args=[night.club.slug, night.slug]) for name in ("event", "seats")]
    for address in ("/", night.club.get_absolute_url(), *of_night):
        browser = client_of(None)
        assert 'name="language" value="es" lang="es"> Español </button>' in page_of(browser.get(address)), address
        choose(browser, "es")
        assert 'name="language" value="en" lang="en"> English </button>' in page_of(browser.get(address)), address


def test_how_long_a_board_shows_a_page_is_said_in_the_visitors_language(night, client_of):
    browser, address = client_of(None), reverse("board", args=[night.club.slug, night.slug])
    assert "12 seconds" in page_of(browser.get(address))
    choose(browser, "es")
    assert "12 segundos" in page_of(browser.get(address))


def test_a_page_kept_for_everybody_is_kept_in_each_language(night, client_of):
    live.forget_bodies()
    english, spanish = client_of(None), client_of(None)
    choose(spanish, "es")
    for name in ("event", "seats", "board"):
        address = reverse(name, args=[night.club.slug, night.slug])
        for _again in range(2):
            for browser, language in ((english, "en-gb"), (spanish, "es-gb")):
                answer = browser.get(address)
                assert (name, language_of(answer)) == (name, language)
                assert "Cookie" in answer["Vary"]
        parts = [page_of(one.get(address, headers={"HX-Request": "true"})) for one in (english, spanish, english)]
        assert parts[0] == parts[2]


def test_kept_pages_change_with_the_clubs_language_and_dates(night, director, client_of):
    live.forget_bodies()
    browser, club = client_of(None), night.club
    address = reverse("event", args=[club.slug, night.slug])
    assert language_of(browser.get(address)) == "en-gb"
    sent = {name: getattr(club, name) for name in ("name", "time_zone", "paper", "correction_minutes", "agreement")}
    changed = {"language": "es", "date_place": "us", "link_hours": 2} | DOORS
    client_of(director).post(reverse("club_settings", args=[club.slug]), sent | changed)
    assert language_of(browser.get(address)) == "es-us"


def test_the_page_without_network_is_in_every_language(client_of):
    shown = page_of(client_of(None).get(reverse("no_network"), headers={"Accept-Language": "es"}))
    assert '<section lang="en">' in shown
    assert "No network, or the server is away" in shown.partition('<section lang="en">')[2]


@pytest.mark.parametrize("place", Club.DatePlace.values)
@pytest.mark.parametrize("language", ["en", "es"])
def test_ids_in_pages_are_plain_and_figures_are_grouped(language, place):
    page = Template('{% load figures %}<input name="points-{{ pk }}" value="{{ pk }}"> {{ pk|points }}')
    with use_language(Club(date_place=place), language):
        shown = page.render(Context({"pk": 1234}))
    assert shown == f'<input name="points-1234" value="1234"> {"1.234" if place == "es" else "1,234"}'


@pytest.mark.parametrize("typed", ["1250", "1,250", "1.250", " 1 250 "])
def test_a_figure_may_be_typed_in_any_places_style(typed):
    for place in Club.DatePlace.values:
        with use_language(Club(date_place=place), "es"):
            assert FigureField().clean(typed) == 1250


def test_controls_for_dates_are_given_iso():
    for place in Club.DatePlace.values:
        with use_language(Club(date_place=place), "es"):
            assert 'value="2026-11-22"' in forms.DateInput().render("day", AFTERNOON.date())
            assert forms.DateField().clean("2026-11-22") == AFTERNOON.date()
