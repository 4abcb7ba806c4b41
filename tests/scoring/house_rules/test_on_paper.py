"""House rules as PDF: in words with their sources, and on one sheet for the table."""

import re
from io import BytesIO

import pytest
from django.urls import reverse
from pypdf import PdfReader

from clubsite.pdf.documents import PAPERS, Pages
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.views import card_pages, rules_pages
from scoring.models import HouseRules
from tests.examples import WHOLE, in_turn
from tests.scoring.conftest import PINOCHLE
from tests.tournaments.documents.sheets import pdf_of


@pytest.fixture
def var_dir(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.mark.daily(1)
@WHOLE
@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_table_card_of_every_rule_set_is_one_page(rules_for, var_dir, paper, whole):
    turn = sorted(PAPERS).index(paper)
    slugs = [slug for slug in shipped() if whole or in_turn(slug, turn)]
    cards = [card_pages(rules_for(slug), paper).documents for slug in slugs]
    pages = PdfReader(pdf_of(Pages(tuple(html for (html,) in cards)))).pages
    assert len(pages) == len(slugs)
    assert {round(float(page.mediabox.height) * 25.4 / 72) for page in pages} == {round(PAPERS[paper].height)}


def test_the_rules_are_printed_in_words_with_their_sources(publish, var_dir):
    rules = publish(target=275, meld_savers="both")
    text = " ".join(page.extract_text() for page in PdfReader(pdf_of(rules_pages(rules, "A4"))).pages)
    for words in ("House rules, version 4", "Our rules", "275", "both sides", "Ruling: House rules, version 4 of"):
        assert words in re.sub(r"\s+", " ", text)


def test_the_documents_are_for_everybody(client_of, publish, var_dir):
    rules = publish(target=200)
    for document, status in (("card", 200), ("rules", 200), ("poster", 404)):
        answer = client_of(None).get(reverse("rules_print", args=["st-hilary", PINOCHLE, rules.version, document]))
        assert answer.status_code == status
        if status == 200:
            assert answer["Content-Type"] == "application/pdf"


def test_rules_as_shipped_are_printed_for_a_club_that_has_not_adopted_them(client_of, club, var_dir):
    page = client_of(None).get(reverse("shipped_rules", args=[club.slug, "canasta"])).content.decode()
    for document, title in (("card", "Table card · rules as shipped, version 1"), ("rules", "Rules as shipped")):
        url = reverse("shipped_rules_print", args=[club.slug, "canasta", document])
        assert url in page
        answer = client_of(None).get(url)
        pdf = PdfReader(BytesIO(b"".join(answer)))
        assert title in re.sub(r"\s+", " ", pdf.pages[0].extract_text())
    assert not HouseRules.objects.filter(slug="canasta").exists()
    for slug, document in (("canasta", "poster"), ("nothing", "card")):
        assert client_of(None).get(reverse("shipped_rules_print", args=[club.slug, slug, document])).status_code == 404
