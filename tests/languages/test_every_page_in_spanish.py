"""Every page of a club in Spanish: it says so, and nothing on it is left in English."""

import re
from contextlib import suppress
from html import unescape

import pytest
from django.http import Http404
from django.urls import reverse
from django.utils import translation

from clubsite import live
from clubsite.accounts.permissions.table import ANYONE, LINES as ADDRESSES
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.in_words import describe_rules
from scoring.templatetags.rule_texts import TITLES
from scoring.wording import CHOICES, LINES, PROBLEMS
from tests.test_every_page import made_site
from tournaments.documents.views import DOCUMENTS, Options, document_pages
from tournaments.errors import StepRefused

# Words that no Spanish page of ours has, not even in a name: small words of English sentences, and our commonest terms.
ENGLISH = (
    "the", "of", "and", "is", "are", "with", "for", "this", "that", "which", "who", "from", "not", "have", "has",
    "table", "round", "deal", "deals", "game", "games", "points", "draw", "seat", "standings", "save", "print", "been",
)  # fmt: skip
WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")  # a code such as "points-only" is one, and is no sentence
# What is English on purpose: the switch of languages, names of documents and of the tests' events, addresses.
QUOTED = re.compile(
    r'<(section|button)[^>]+lang="en".*?</\1>|<(script|style).*?</\2>|<textarea.*?</textarea>', re.DOTALL
)
NAMES = (
    "Nine Tables", "Planned contest", "Spring contest", "Night friday", "The Meld", "The Count", "The Deal", "The Bid",
    "The Play", "The Pass", "The Lay-Down", "On the Board", "Bid Winners Team", "Opponents Team", "Scoring & Winning",
    "Meld Points Scoring Sheet", "Hand and Foot", "Hand, Knee and Foot", "no Meld", "Port of Spain", "Isle of Man",
)  # fmt: skip


def english_in(text):
    for name in NAMES:
        text = text.replace(name, "·")
    words = WORD.findall(text)
    return [" ".join(words[max(0, n - 2) : n + 3]) for n, word in enumerate(words) if word.lower() in ENGLISH]


def seen_on(page):
    page = QUOTED.sub(" ", page)
    for title in TITLES.values():  # a document goes by its own title
        page = page.replace(title, " ")
    spoken = " ".join(re.findall(r'\b(?:aria-label|title|alt|placeholder|data-[a-z-]+)="([^"]*\s[^"]*)"', page))
    return unescape(re.sub(r"<[^>]+>", " ", page) + " " + spoken)


@pytest.fixture
def spanish(club, actor, rules_for, settings):
    settings.MAIL_IS_SET = True
    club.language, club.date_place = "es", "us"
    club.save()
    live.forget_bodies()
    with translation.override("es-us"):
        return made_site(club, actor, rules_for("st-hilary-v3"))


@pytest.mark.proof
@pytest.mark.long
def test_no_page_has_english_on_it(spanish, director, client_of):
    wrong = {}
    everybodys = [name for name, line in ADDRESSES.items() if line.opens == ANYONE]
    for who, pages in ((director, list(ADDRESSES)), (None, everybodys)):
        browser = client_of(who)
        browser.cookies["django_language"] = "es"
        for name in pages:
            for url in spanish.urls(name):
                answer = browser.get(url)
                if answer.status_code != 200 or not answer.get("Content-Type", "").startswith("text/html"):
                    continue
                page = answer.content.decode()
                place = "es-us" if url.startswith(f"/{spanish.club.slug}/") else "es-"
                assert "<html" not in page or f'<html lang="{place}' in page, url
                if found := english_in(seen_on(page)):
                    wrong[name] = found[:5]
    assert wrong == {}


def test_the_sweep_notices_english(club, client_of):
    page = client_of(None).get(reverse("rules", args=[club.slug])).content.decode()
    assert english_in(seen_on(page))


def test_a_form_says_in_spanish_what_is_wrong(spanish, director, client_of):
    browser, wrong = client_of(director), {}
    for name in ("event_new", "season_new", "club_settings", "people", "game_new"):
        for sent in ({}, dict.fromkeys(("name", "starts_at", "places", "games", "time_zone", "username"), "x")):
            page = browser.post(reverse(name, args=[spanish.club.slug]), sent).content.decode()
            if found := english_in(seen_on(page)):
                wrong[name] = found[:5]
    assert wrong == {}


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_rules_in_words_are_in_spanish(slug):
    with translation.override("es-us"):
        words = describe_rules(shipped()[slug])
    texts = [words["title"], words["about"], *(f"{row['label']}: {row['value']}" for row in words["settings"])]
    texts += [section["heading"] for section in words["sections"]]
    assert {text: found for text in texts if (found := english_in(text))} == {}


def test_every_sentence_of_the_engines_is_in_spanish():
    with translation.override("es"):
        said = {code: str(words) for code, words in (*LINES.items(), *PROBLEMS.items(), *CHOICES.items())}
    assert {code: found for code, text in said.items() if (found := english_in(re.sub(r"\{.*?\}", "", text)))} == {}


def test_paper_is_in_the_clubs_language_whoever_prints_it(spanish, director, rf):
    request = rf.get("/")
    request.user, request.club = director, spanish.club
    request.COOKIES["django_language"] = "en"
    wrong, printed = {}, set()
    for event in (spanish.night, spanish.contest):
        for document in DOCUMENTS:
            with suppress(Http404, StepRefused), translation.override("en-gb"):
                pages = document_pages(Options.from_request(request, event), document)
                printed.add(document)
                if found := english_in(seen_on(" ".join((*pages.documents, *pages.drawings.values())))):
                    wrong[document] = found[:5]
    assert wrong == {}
    assert {"cards", "blank", "seating", "standings", "cut"} <= printed
