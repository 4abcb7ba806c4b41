"""The directors' guide in the site: a chapter a page, in both languages, within a club or not; and its search."""

import re
from html import unescape
from importlib import import_module
from urllib.parse import urljoin, urlsplit

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles import finders

import clubsite.help
from clubsite.accounts.models import Club
from clubsite.accounts.permissions.table import LINES
from clubsite.help import CHAPTER_OF, CHAPTERS, MARKDOWN, guide

TITLES = {"en": "Directors&#x27; guide", "es": "Guía del director"}


@pytest.fixture
def ask(client):
    def get(address, language="en", **query):
        return client.get(address, query, headers={"Accept-Language": language})

    return get


def main_of(answer):
    return re.search(r"<main.*</main>", answer.content.decode(), re.S)[0]


def results_of(answer):
    """The slugs of the chapters that a search found, and the words that it marked."""
    shown = main_of(answer)
    return re.findall(r'<h2><a href="([^"]+)/"', shown), set(re.findall("<mark>(.+?)</mark>", shown))


@pytest.mark.daily(2)
@pytest.mark.django_db
@pytest.mark.parametrize("language", TITLES)
@pytest.mark.parametrize("start", ["/help/", "/st-hilary/help/"])
def test_everything_that_a_page_of_the_guide_leads_to_is_there(ask, club, start, language):
    club.language = language
    club.save()
    seen, left, pictures = set(), {start}, set()
    while left:
        page = left.pop()
        seen.add(page)
        answer = ask(page, language)
        assert answer.status_code == 200
        shown = main_of(answer)
        assert f'lang="{language}' in answer.content.decode()
        pictures |= set(re.findall('<img src="([^"]+)"', shown))
        for target in re.findall(r'<a [^>]*?href="([^"]+)"', shown):
            assert not urlsplit(target).netloc
            left |= {urljoin(page, target)} - seen
    assert seen == {f"{start}{slug}/" if slug else start for slug in CHAPTERS}
    assert len(pictures) == 11
    for address in pictures:
        assert f"/{language}/" in address
        assert finders.find(address.removeprefix(settings.STATIC_URL))


@pytest.mark.parametrize("language", TITLES)
def test_each_heading_is_a_chapter_and_the_first_is_the_first_night_without_a_command(language):
    chapters = guide(language)
    assert list(chapters) == list(CHAPTERS)
    assert all(chapter["title"] and chapter["texts"] for chapter in chapters.values())
    assert list(chapters)[1] == "first-night"
    assert "<code" not in chapters["first-night"]["html"]
    assert [c["part"] for c in chapters.values()].count("") == 8


@pytest.mark.parametrize("language", TITLES)
def test_a_link_to_another_document_is_plain_text(language):
    pages = "".join(chapter["html"] for chapter in guide(language).values())
    assert ".md" not in pages
    assert set(re.findall('href="([^"]+)"', pages)) == {
        f"../{slug}/" for slug in ("cards-on-a-phone", "cards-on-paper", "next-round", "competition")
    }


def test_a_command_is_typed_as_on_this_computer(monkeypatch):
    monkeypatch.setattr(clubsite.help, "COMMAND", "nine-tables")
    trouble = guide.__wrapped__("en")["when-something-goes-wrong"]
    assert "<code>nine-tables run</code>" in trouble["html"]
    assert "./dev" not in trouble["html"]


def test_html_in_a_guide_is_text():
    assert MARKDOWN.render("a <b>b</b>\n\n<script>c</script>") == (
        "<p>a &lt;b&gt;b&lt;/b&gt;</p>\n<p>&lt;script&gt;c&lt;/script&gt;</p>\n"
    )


@pytest.mark.parametrize(
    ("language", "typed", "first", "marked"),
    [
        ("en", "WALKOVER", "next-round", {"Walkover", "walkover", "walkovers"}),
        ("en", "how do I repeat a draw?", "draw", {"draw", "how", "do"}),  # with most of these words
        ("en", "prizes", "prizes", {"Prizes", "prizes"}),  # the one with the word in its title before all others
        ("es", "clasificacion", "print-centre", {"clasificación"}),
    ],
)
def test_a_search_finds_chapters_and_shows_their_paragraphs(ask, language, typed, first, marked):
    answer = ask("/help/", language, q=typed)
    slugs, words = results_of(answer)
    assert slugs[0] == first
    assert words >= marked


@pytest.mark.parametrize("typed", ["xyzzy", "<b>", "?", "\u202e", "9" * 3000])
def test_a_search_for_nothing_there_is_answered(ask, typed):
    answer = ask("/help/", q=typed)
    assert answer.status_code in (200, 400)  # 400: what can't be typed
    assert results_of(answer) == ([], set())
    assert "<b>" not in unescape(main_of(answer)).split("</form>")[1]


@pytest.mark.django_db
def test_a_chapter_that_there_is_not_is_not_found(ask, club):
    for address in ("/help/the-end/", "/st-hilary/help/the-end/", "/nobody/help/"):
        assert ask(address).status_code == 404


@pytest.mark.django_db
def test_within_a_club_the_guide_is_in_its_language_unless_the_reader_chose_another(ask, client, club):
    Club.objects.update(language="es")
    assert TITLES["es"] in main_of(ask("/st-hilary/help/", "en"))
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    assert TITLES["en"] in main_of(ask("/st-hilary/help/", "es"))


def test_chapters_are_named_for_addresses_that_there_are():
    assert set(CHAPTER_OF) <= set(LINES)


@pytest.mark.django_db
def test_readers_of_public_pages_are_not_sent_to_the_directors_guide(ask, client_of, club, scorekeeper):
    assert "help-link" not in ask("/st-hilary/").content.decode()
    assert 'class="help-link" href="/st-hilary/help/"' in client_of(scorekeeper).get("/st-hilary/").content.decode()
    assert 'href="/st-hilary/help/rules/"' in client_of(scorekeeper).get("/st-hilary/rules/").content.decode()


@pytest.mark.django_db
def test_a_club_whose_address_was_help_gets_another(other_club, club):
    Club.objects.filter(pk=other_club.pk).update(slug="help")
    Club.objects.filter(pk=club.pk).update(slug="help-club")
    import_module("clubsite.accounts.migrations.0022_help_is_the_guide").give_another_address(apps, None)
    assert set(Club.objects.values_list("slug", flat=True)) == {"help-club", "help-club-2"}
