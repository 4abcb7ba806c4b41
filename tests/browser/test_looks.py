"""Pages as somebody looks at them: words are whole, and nothing lies on anything else."""

from itertools import pairwise

import pytest
from django.urls import reverse

from tests.tournaments.contests import NAMES, contest, drawn, enter, play, played_contest, stage_of
from tests.tournaments.sides.test_side_lists import event_of
from tournaments.entries.partners import join_rest

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, PROJECTOR = {"width": 390, "height": 844}, {"width": 1920, "height": 1080}
LONG = "Bernard O'Shaughnessy"


def broken(page, selector):
    """Words of these elements that stand on two lines. What is joined by a hyphen is two words."""
    return page.evaluate(
        """selector => [...document.querySelectorAll(selector)].flatMap(element => {
            const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), split = [];
            for (let node = walker.nextNode(); node; node = walker.nextNode())
                for (const word of node.data.matchAll(/[^\\s-]+/g)) {
                    const range = document.createRange();
                    range.setStart(node, word.index);
                    range.setEnd(node, word.index + word[0].length);
                    if (new Set([...range.getClientRects()].map(box => box.top)).size > 1) split.push(word[0]);
                }
            return split;
        })""",
        selector,
    )


def lines(page, selector):
    return page.evaluate(
        """selector => [...document.querySelectorAll(selector)].map(element => Math.round(
            element.getBoundingClientRect().height / parseFloat(getComputedStyle(element).lineHeight)))""",
        selector,
    )


def test_the_numbers_below_who_met_whom_stand_apart_on_a_projector(signed_in, club, actor):
    event = played_contest(club, actor)
    page = signed_in(None, viewport=PROJECTOR)
    page.goto(reverse("evening", args=[club.slug, event.slug]))
    edges = page.evaluate(
        """() => [...document.querySelectorAll(".matrix .square > text")]
            .map(text => text.getBoundingClientRect()).filter(box => box.width).map(box => [box.left, box.right])"""
    )
    assert len(edges) > 20
    assert all(left > right for (_left, right), (left, _right) in pairwise(edges))


def test_a_name_beside_four_games_is_whole_on_the_desk(signed_in, director, club, actor):
    event = contest(club, actor, places=18, games=4)
    enter(event, actor, (LONG, *NAMES[:17]))
    play(drawn(stage_of(event, 1), actor), actor, lambda entry: 4000 - entry.number)
    page = signed_in(director, viewport=PROJECTOR)
    page.goto(event.get_desk_url())
    assert LONG in page.inner_text(".tables")
    assert broken(page, ".tables tbody th") == []


def test_the_names_of_a_side_take_one_line_each_on_a_phone(signed_in, director, club, actor):
    event = event_of(club, actor)
    enter(event, actor, (LONG, *NAMES[:3]))
    join_rest(event=event, by=actor)
    page = signed_in(director, viewport=PHONE)
    page.goto(reverse("partners", args=[club.slug, event.slug]))
    assert lines(page, "article h3 > .name") == [1, 1, 1, 1]
