"""A knock-out's bracket: drawn by lot, and what its matches are called wherever they are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from clubsite.accounts.models import Actor, Club, User
from scoring.engine.core.ruleset import Shape
from scoring.models import Game
from tests.tournaments.draws.test_by_format import make_event
from tests.tournaments.nights import arrive, drafted, publish_next
from tests.tournaments.rounds.test_going_back import decide
from tournaments.documents.from_draws import card_sheets, seating_sheet
from tournaments.draws.brackets import coming_matches
from tournaments.draws.by_hand import exchange
from tournaments.draws.keeping import as_played
from tournaments.models import Draw, Event
from tournaments.rounds import publishing

ClientOf = Callable[[User | None], Client]


def cup(club: Club, by: Actor, people: int, **options: Any) -> Event:
    """A knock-out of people who play each for themselves, with cards of points only."""
    event = make_event(club, by, "knock-out", game="points-only", shape=Shape(2), **options)
    arrive(event, by, people)
    return event


def matches_in(draw: Draw) -> set[frozenset[tuple[int, ...]]]:
    """Who meets whom in a draw."""
    return {frozenset(table) for table in as_played(draw).tables}


@pytest.mark.django_db
def test_a_knock_out_is_drawn_by_lot(club: Club, actor: Actor) -> None:
    event = cup(club, actor, 27)
    drafts = [drafted(event, actor, seed=seed) for seed in (1, 2, 3, 4)]
    assert len({frozenset(matches_in(draft)) for draft in drafts}) == 4
    byes = [frozenset(as_played(draft).sit_outs) for draft in drafts]
    assert {len(one) for one in byes} == {5}
    assert len(set(byes)) == 4
    assert matches_in(drafted(event, actor, seed=2)) == matches_in(drafts[1])


@pytest.mark.django_db
def test_another_draw_is_another_bracket(club: Club, actor: Actor, director: User, client_of: ClientOf) -> None:
    event = cup(club, actor, 16)
    browser, page = client_of(director), reverse("round_draw", args=[club.slug, event.slug])
    for _press in range(4):
        seen = browser.get(page).context["seen"]
        assert browser.post(page, {"step": "make", "planned": "1", "effort": "normal", "seen": seen}).status_code == 302
    drafts = Draw.objects.filter(round__stage__event=event)
    assert len({frozenset(matches_in(draft)) for draft in drafts}) == 4
    assert "drawn by lot" in browser.get(page).content.decode()


@pytest.mark.django_db
def test_the_rounds_follow_the_bracket_that_was_drawn(club: Club, actor: Actor) -> None:
    event = cup(club, actor, 8, consolation=False, third=False)
    draft = drafted(event, actor, seed=3)
    (a, b), (c, d), *_others = as_played(draft).tables
    made = exchange(draw=draft, one=b[0], other=d[0], by=actor)
    assert as_played(made).tables[:2] == ((a, d), (c, b))
    numbers = dict(event.entries.values_list("pk", "number"))
    first = publish_next(event, actor, seed=9)
    decide(first, actor)
    winners = [table[0] for table in as_played(first).tables]
    second = drafted(event, actor, seed=1)
    assert as_played(second).tables == ((winners[0], winners[1]), (winners[2], winners[3]))
    assert dict(event.entries.values_list("pk", "number")) == numbers


@pytest.mark.django_db
def test_matches_are_named_on_every_page_and_sheet(
    club: Club, actor: Actor, director: User, client: Client, client_of: ClientOf
) -> None:
    event = cup(club, actor, 8)
    browser = client_of(director)
    draft = drafted(event, actor, seed=1)
    page = browser.get(reverse("round_draw", args=[club.slug, event.slug])).content.decode()
    assert "Quarter-final 4" in page
    assert "winner of Quarter-final 1" in page
    sheet = seating_sheet(draft)
    assert [table.match for table in sheet.tables] == [f"Quarter-final {n}" for n in (1, 2, 3, 4)]
    assert sheet.coming[0] == ("Semi-final 1", ["winner of Quarter-final 1", "winner of Quarter-final 2"])
    assert "by lot" in sheet.fairness
    decide(publish_next(event, actor), actor)
    second = publish_next(event, actor)
    named = {"Semi-final 1", "Semi-final 2", "Consolation, match 1", "Consolation, match 2"}
    assert {table.match for table in seating_sheet(second).tables} == named
    assert "Semi-final 1" in card_sheets(second)[0].where
    assert "Semi-final 1" in Game.objects.get(group_game__group__table__draw=second, title__contains="Table 1").title
    for address in ("event", "seats", "board", "desk_event"):
        shown = browser.get(reverse(address, args=[club.slug, event.slug])).content.decode()
        assert "Semi-final 2" in shown, address
        if address in ("event", "desk_event"):
            assert "winner of Semi-final 1" in shown, address
            assert "drawn by lot" in shown, address
    decide(second, actor)
    third = publish_next(event, actor)
    assert [table.match for table in seating_sheet(third).tables] == ["Final", "Third place", "Consolation final"]
    assert coming_matches(event) == []
    with translation.override("es"):
        assert [table.match for table in seating_sheet(third).tables] == [
            "Final",
            "Tercer puesto",
            "Final de consolación",
        ]


@pytest.mark.django_db
def test_the_board_says_which_matches_come_next(club: Club, actor: Actor, client: Client) -> None:
    event = cup(club, actor, 6)
    decide(publish_next(event, actor), actor)
    shown = client.get(reverse("board", args=[club.slug, event.slug])).content.decode()
    assert "Semi-final 1" in shown
    assert "winner of Semi-final 1" in shown


@pytest.mark.django_db
def test_a_bracket_from_before_it_was_drawn_by_lot_goes_on_in_its_order(club: Club, actor: Actor) -> None:
    event = cup(club, actor, 8, consolation=False, third=False)
    draft = drafted(event, actor, seed=1)
    old = [(pk,) for pk in event.entries.order_by("number").values_list("pk", flat=True)]
    tables = list(draft.tables.order_by("number"))
    draft.seats.all().delete()
    for number, seeds in enumerate(((0, 7), (3, 4), (1, 6), (2, 5))):
        group = tables[number].groups.get()
        for side, place in enumerate(seeds):
            draft.seats.create(group=group, entry_id=old[place][0], side=side, position=0)
    statement = {name: kept for name, kept in draft.statement.items() if name not in ("order", "seeding", "matches")}
    Draw.objects.filter(pk=draft.pk).update(statement=statement)
    decide(publishing.publish_draw(draw=Draw.objects.get(pk=draft.pk), by=actor), actor)
    assert as_played(drafted(event, actor, seed=5)).tables == ((old[0], old[3]), (old[1], old[2]))
