"""The twins of the screens: what they ask, what they know already, and who gets them."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from clubsite.accounts.models import Actor, Club, User
from clubsite.pdf.documents import made_now
from tests.tournaments.contests import contest
from tests.tournaments.documents.sheets import HEADING
from tests.tournaments.documents.sheets import pages_of as text_of_pdf
from tests.tournaments.documents.test_printing import address, text_of
from tests.tournaments.nights import arrive, games_of, make_members, make_night, play_deals, publish_next
from tournaments.documents.forms.of_event import TWINS
from tournaments.documents.forms.sheets import PaperForm, form_pages, questions_of
from tournaments.events.forms import EventForm
from tournaments.models import Event
from tournaments.prizes.forms import RuleForm


@pytest.fixture
def night(club: Club, actor: Actor, rules_for: Any) -> Event:
    """Eight of nine members are here, a round of two tables is published."""
    event = make_night(club, rules_for("st-hilary-v3"))
    make_members(club, 9)
    arrive(event, actor, 8)
    publish_next(event, actor)
    return event


def test_every_twin_is_for_some_event_and_no_other_has_it(
    client_of: Any, director: User, night: Event, club: Club, actor: Actor, rules_for: Any
) -> None:
    client, other = client_of(director), contest(club, actor)
    pairs = make_night(club, rules_for("st-hilary-v3"), slug="pairs", format=Event.Format.SWISS)
    for slug, twin in TWINS.items():
        fitting = [event for event in (night, other, pairs) if twin.fits(event)]
        assert fitting, slug
        for event in fitting:
            sheet = twin.make(event)
            assert sheet.questions or sheet.columns
            assert sheet.screen in unescape(form_pages(sheet, "A4", heading=HEADING).documents[0])
        for event in {night, other, pairs} - set(fitting):
            assert client.get(address(event, slug)).status_code == 404, slug


def test_the_screens_of_directors_have_twins_for_directors(client_of: Any, scorekeeper: User, night: Event) -> None:
    client = client_of(scorekeeper)
    page = client.get(address(night)).content.decode()
    for slug, twin in TWINS.items():
        if twin.director:
            assert client.get(address(night, slug)).status_code == 404, slug
            assert f"{slug}.pdf" not in page
    assert "form-here.pdf" in page


def test_the_sheet_of_who_is_here_knows_the_members_and_who_has_come(night: Event) -> None:
    rows = dict(TWINS["form-here"].make(night).rows)
    assert rows == {f"Player {n:02}": "×" if n < 9 else "" for n in range(1, 10)}


def test_the_facts_of_an_event_are_asked_as_on_its_page_with_what_holds_now(night: Event) -> None:
    questions = {one.label: one for one in questions_of(EventForm(club=night.club, format=night.format, event=night))}
    assert questions["Name"].now == "Night friday"
    assert questions["Place"].now == "Parish hall"
    assert [choice.words for choice in questions["At the bell"].choices if choice.holds] == [
        "Finish the deal in hand, then stop."
    ]


@pytest.mark.parametrize("one_each", [True, False])
def test_of_two_ways_the_one_that_holds_is_crossed(one_each: bool) -> None:
    asked, _ties = questions_of(RuleForm(initial={"one_each": one_each}))
    assert [choice.holds for choice in asked.choices] == [one_each, not one_each]


def test_yes_and_no_are_boxes(night: Event) -> None:
    asked = {one.label: one for one in TWINS["form-club"].make(night).questions}
    boxes = asked["Directors need a second factor"].choices
    assert [(choice.words, choice.holds) for choice in boxes] == [("yes", False), ("no", True)]


@pytest.mark.parametrize(("rows", "blank"), [(10, 8), (15, 5), (20, 4), (21, 8)])
def test_no_few_empty_lines_go_to_a_second_sheet(rows: int, blank: int) -> None:
    form = PaperForm("Fees", columns=(("Name", 0),), rows=(("Ann",),) * rows, blank=8)
    assert len(list(form.lines)) == rows + blank
    if blank < 8:
        assert len(text_of_pdf(made_now(form_pages(form, "Letter", heading=HEADING)))) == 1


def test_the_order_of_the_standings_is_asked_with_a_box_for_each_tie_break(
    client_of: Any, director: User, night: Event
) -> None:
    (page,) = text_of(client_of(director), night, "form-order")
    for words in ("games won", "The order of the standings", "A round without a seat is worth", "Keyed in by"):
        assert words in page


def test_the_second_keying_has_the_names_of_the_cards_and_no_figure_of_them(
    client_of: Any, scorekeeper: User, night: Event, actor: Actor
) -> None:
    client = client_of(scorekeeper)
    before = text_of(client, night, "second-keying")
    play_deals(games_of(night.stages.get().rounds.get().draws.get())[0], actor, 3)
    assert text_of(client, night, "second-keying") == before
    assert "second keying" in before[0].lower()
    assert "Player 01" in before[0]


def test_a_form_names_the_page_on_which_it_is_keyed_in(client_of: Any, director: User, night: Event) -> None:
    for slug, name in (("form-adjustments", "adjustments"), ("form-wishes", "wishes"), ("form-here", "here")):
        screen = client_of(director).get(reverse(name, args=[night.club.slug, night.slug])).content.decode()
        assert f"<h1>{TWINS[slug].make(night).screen}</h1>" in screen
