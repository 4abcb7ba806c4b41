"""Forms to fill in by hand: what they know already, who gets them, and which events have them."""

import re
from html import unescape

import pytest
from django.urls import reverse

from clubsite.pdf.documents import render_now
from tests.tournaments.contests import contest
from tests.tournaments.documents.sheets import HEADING, pages_of as text_of_pdf
from tests.tournaments.documents.test_printing import address, text_of
from tests.tournaments.nights import games_of, make_members, play_deals, seated
from tournaments.documents.paper_forms import PAPER_FORMS, PaperForm, form_pages


@pytest.fixture
def night(club, event, actor):
    """Eight of nine members are here, a round of two tables is published."""
    make_members(club, 9)
    seated(event, actor, 8)
    return event


def test_every_form_is_for_some_event_and_no_other_has_it(browser, night, club, actor):
    other = contest(club, actor)
    for slug, kind in PAPER_FORMS.items():
        assert kind.fits(night), slug
        form = kind.make(night)
        assert form.screen in unescape(form_pages(form, "A4", heading=HEADING).documents[0])
        if not kind.fits(other):
            assert browser.get(address(other, slug)).status_code == 404, slug


def test_the_sheet_of_who_is_here_knows_the_members_and_who_has_come(night):
    rows = dict(PAPER_FORMS["form-here"].make(night).rows)
    assert rows == {f"Player {n:02}": "×" if n < 9 else "" for n in range(1, 10)}


@pytest.mark.parametrize(("rows", "blank"), [(10, 8), (15, 5), (20, 4), (21, 8)])
def test_no_few_empty_lines_go_to_a_second_sheet(rows, blank):
    form = PaperForm("Fees", columns=(("Name", 0),), rows=(("Ann",),) * rows, blank=8)
    assert len(list(form.lines)) == rows + blank
    if blank < 8:
        assert len(text_of_pdf(render_now(form_pages(form, "Letter", heading=HEADING)))) == 1


def test_the_second_keying_has_the_names_of_the_cards_and_no_figure_of_them(client_of, scorekeeper, night, actor):
    client = client_of(scorekeeper)

    def text():
        pages = text_of(client, night, "second-keying")
        return [re.sub(r"\d+:\d\d", "", page) for page in pages]  # each says when it was made

    before = text()
    play_deals(games_of(night.stages.get().rounds.get().draws.get())[0], actor, 3)
    assert text() == before
    assert "second keying" in before[0].lower()
    assert "Player 01" in before[0]


def test_a_form_names_the_page_on_which_it_is_entered_and_those_of_directors_are_for_directors(
    browser, night, client_of, scorekeeper
):
    for slug, name in (("form-wishes", "wishes"), ("form-here", "here")):
        screen = browser.get(reverse(name, args=[night.club.slug, night.slug])).content.decode()
        assert f"<h1>{PAPER_FORMS[slug].make(night).screen}</h1>" in screen
    client = client_of(scorekeeper)
    page = client.get(address(night)).content.decode()
    for slug, kind in PAPER_FORMS.items():
        assert (f"{slug}.pdf" in page) is not kind.directors_only
        assert client.get(address(night, slug)).status_code == (404 if kind.directors_only else 200), slug
