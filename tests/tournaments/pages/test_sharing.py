"""What links to a club's pages show in other places: their head, the picture, the feed, a text to pass on."""

import re
from datetime import timedelta
from html import unescape
from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.utils import timezone
from PIL import Image

from clubsite.accounts.models import Door, Member
from tests.pages import page_of
from tests.tournaments.nights import make_night, queries_of
from tests.tournaments.results import closed_night, make_season
from tournaments.events.actions import call_off
from tournaments.models import Event

ATOM = {"a": "http://www.w3.org/2005/Atom"}
AGNES, INITIALS = "Agnes D'Arcy", "A. D."
PAGES = ("/", "/st-hilary/", "/st-hilary/events/night/", "/st-hilary/events/next/", "/st-hilary/seasons/{}/")


@pytest.fixture
def season(club, rules_for):
    rules, season = rules_for("st-hilary-v3"), make_season(club)
    event = closed_night(season, rules, 2, {AGNES: 1250, "Bob <B>": 90, "Cal": 90, "Dee": -3})
    Event.objects.filter(pk=event.pk).update(slug="night")
    soon = timezone.now() + timedelta(days=3)
    Event.objects.filter(pk=make_night(club, rules, slug="next").pk).update(starts_at=soon)
    return season


@pytest.fixture
def hides(season):
    member = Member.objects.get(name=AGNES)
    member.initials_only = True
    member.save()


def head_of(browser, address):
    answer = browser.get(address)
    assert answer.status_code == 200
    tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', answer.content.decode())
    canonical = re.findall(r'<link rel="canonical" href="([^"]*)">', answer.content.decode())
    return {**{name: unescape(words) for name, words in tags}, "canonical": canonical}


def addresses(season):
    return [page.format(season.pk) for page in PAGES]


def test_a_link_shows_what_its_page_is_about(season, client_of, settings):
    settings.SITE_URL = "https://cards.example.org/"
    front, club, night, coming, table = (head_of(client_of(None), address) for address in addresses(season))
    assert front == club
    assert club["canonical"] == ["https://cards.example.org/st-hilary/"]
    assert club["og:title"] == "St. Hilary"
    assert "Night next" in club["description"]
    assert "1. Agnes D'Arcy: 1,250; 2= Bob <B>: 90; 2= Cal: 90" in night["og:description"]
    assert night["og:url"] == "https://cards.example.org/st-hilary/events/night/"
    assert coming["og:title"] == "Night next"
    assert "Parish hall" in coming["description"]
    assert table["description"] == "After 1 night: 1. Agnes D'Arcy: 1,250; 2= Bob <B>: 90; 2= Cal: 90"
    (sorted_too,) = head_of(client_of(None), "/st-hilary/events/night/?sort=name")["canonical"]
    assert sorted_too == night["og:url"]


def test_the_picture_of_a_link_has_another_address_when_it_shows_something_else(season, actor, client_of):
    anyone = client_of(None)
    before = [head_of(anyone, address)["og:image"] for address in addresses(season)]
    for address in before:
        answer = anyone.get(address)
        assert answer["Content-Type"] == "image/png"
        assert Image.open(BytesIO(answer.content)).size == (1200, 630)
        assert len(answer.content) < 60_000
        assert anyone.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    event = Event.objects.get(slug="next")
    call_off(event=event, reason="Snow", by=actor)
    assert head_of(anyone, event.get_absolute_url())["og:image"] != before[3]


def test_a_club_without_events_has_a_picture_too(club, client):
    assert client.get("/st-hilary/picture.png").status_code == 200
    assert head_of(client, "/st-hilary/")["og:title"] == "St. Hilary"


def test_who_wants_initials_has_them_wherever_the_result_goes(hides, season, director, client_of, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "tournaments.pages.elsewhere.link_picture", lambda club, **shown: drawn.append(str(shown)) or b"png"
    )
    for user in (None, director):
        for address in (*addresses(season), "/st-hilary/feed.xml"):
            text = unescape(unescape(client_of(user).get(address).content.decode()))
            assert AGNES not in text, address
    for picture in ("picture.png", "events/night/picture.png", f"seasons/{season.pk}/picture.png"):
        client_of(director).get(f"/st-hilary/{picture}")
    assert AGNES not in "".join(drawn)
    assert "".join(drawn).count(INITIALS) == 2
    assert INITIALS in unescape(unescape(client_of(None).get("/st-hilary/feed.xml").content.decode()))


def entries(browser):
    answer = browser.get("/st-hilary/feed.xml")
    assert answer["Content-Type"].startswith("application/atom+xml")
    found = ElementTree.fromstring(answer.content)  # noqa: S314  (ours)
    parts = ("title", "summary", "id", "updated")
    return [
        {part: entry.findtext(f"a:{part}", namespaces=ATOM) for part in parts}
        for entry in found.findall("a:entry", ATOM)
    ]


def test_the_feed_has_results_and_nights_to_come(season, actor, client_of):
    anyone = client_of(None)
    assert 'type="application/atom+xml"' in page_of(anyone.get("/st-hilary/"))
    by_id = {entry["id"].rpartition("/events/")[2]: entry for entry in entries(anyone)}
    assert by_id.keys() == {"next/", "night/#result"}
    assert "Bob &lt;B&gt;: 90" in by_id["night/#result"]["summary"]
    call_off(event=Event.objects.get(slug="next"), reason="Snow", by=actor)
    newest = entries(anyone)[0]
    assert "Snow" in newest["summary"]
    assert newest["id"].endswith("next/")
    assert newest["updated"] >= by_id["next/"]["updated"]


def test_a_result_is_a_text_to_pass_on(season, client_of):
    shown = client_of(None).get(addresses(season)[2]).content.decode()
    text = re.search(r'<textarea id="share-text"[^>]*>(.*?)</textarea>', shown, re.DOTALL)
    lines = unescape(text[1]).strip().split("\n")
    assert lines[0].endswith("(St. Hilary)")
    assert lines[3:7] == ["1. Agnes D'Arcy: 1,250", "2= Bob <B>: 90", "2= Cal: 90", "4. Dee: −3"]
    assert lines[-1] == "http://testserver/st-hilary/events/night/"
    assert "share-text" not in page_of(client_of(None).get("/st-hilary/events/next/"))


def test_a_phone_finds_an_icon_and_the_club_and_searches_find_nobody(season, client_of):
    anyone = client_of(None)
    shown = page_of(anyone.get("/st-hilary/"))
    assert '<link rel="apple-touch-icon"' in shown
    assert '<link rel="manifest" href="/st-hilary/site.webmanifest">' in shown
    assert anyone.get("/st-hilary/site.webmanifest").json()["start_url"] == "/st-hilary/"
    assert "Disallow: /*/desk/" in anyone.get("/robots.txt").content.decode()
    person = Member.objects.get(name="Cal")
    assert head_of(anyone, f"/st-hilary/members/{person.pk}/")["robots"] == "noindex"
    assert "robots" not in head_of(anyone, "/st-hilary/")


EMBEDS = ("/st-hilary/embed/next/", "/st-hilary/embed/result/", "/st-hilary/embed/season/")
PICTURES = ("/st-hilary/picture.png", "/st-hilary/events/night/picture.png", "/st-hilary/seasons/{}/picture.png")


def test_more_events_and_people_cost_no_query_more(season, rules_for, client):
    rules, shown = rules_for("st-hilary-v3"), ("/st-hilary/feed.xml", *PICTURES, *EMBEDS)
    before = {address: queries_of(client, address.format(season.pk)) for address in shown}
    for day in (9, 16, 23):
        closed_night(season, rules, day, {AGNES: 12, **{f"Player {n:02}": n for n in range(10)}})
        night = make_night(season.club, rules, slug=f"more-{day}")
        Event.objects.filter(pk=night.pk).update(starts_at=timezone.now() + timedelta(days=day))
    assert {address: queries_of(client, address.format(season.pk)) for address in shown} == before


def test_parts_for_another_site_may_be_framed_and_nothing_else(season, hides, client_of):
    shown = [client_of(None).get(address) for address in EMBEDS]
    for answer in shown:
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer
        assert not answer.cookies
    assert ["Night next" in page_of(shown[0]), "1,250" in page_of(shown[1]), season.name in page_of(shown[2])] == [
        True
    ] * 3
    assert all(AGNES not in unescape(page_of(answer)) for answer in shown)
    assert INITIALS in page_of(shown[1])
    for address in (page.format(season.pk) for page in PAGES):
        answer = client_of(None).get(address)
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
        assert answer["X-Frame-Options"] == "DENY"
    assert client_of(None).get("/st-hilary/embed/desk/").status_code == 404


def test_a_closed_door_is_closed_in_a_frame_too(season, club, client_of, browser):
    club.results_for = Door.LINK
    club.save()
    shown = [page_of(client_of(None).get(address)) for address in EMBEDS]
    assert ["Night next" in shown[0], "Agnes" in shown[1], season.name in shown[2]] == [True, False, False]
    snippets = page_of(browser.get("/st-hilary/settings/website/"))
    assert all(f'src="http://testserver{address}"' in unescape(snippets) for address in EMBEDS)
