"""Names stand in one order wherever people look for themselves: accents and capitals don't matter, ñ follows n."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client, RequestFactory

from clubsite.accounts.models import Actor, Club, Member, User
from clubsite.names import in_order
from scoring.models import HouseRules
from tests.pages import page_of
from tests.tournaments.nights import drafted, make_night
from tournaments.documents import from_draws, paper_forms
from tournaments.draws.round_views import round_view, seats_of
from tournaments.draws.views import WishForm
from tournaments.entries.tables import entries_table
from tournaments.models import Draw, Event
from tournaments.money.actions import payers_of, set_fee
from tournaments.rounds import attendance, publishing

NAMES = ["Ángel Ñáñez", "de la Cruz", "Élise", "María", "Mary", "Nuria", "Ñáñez José", "van Dam"]


@pytest.fixture
def night(club: Club, actor: Actor, rules_for: Callable[[str], HouseRules]) -> Event:
    """Eight people, entered in another order."""
    event = make_night(club, rules_for("st-hilary-v3"))
    for name in sorted(NAMES):
        attendance.arrive(event=event, by=actor, member=Member.objects.create(club=club, name=name))
    return set_fee(event=event, by=actor, fee=500)


@pytest.fixture
def draw(night: Event, actor: Actor) -> Draw:
    made = drafted(night, actor)
    publishing.publish_draw(draw=made, by=actor)
    return made


def in_page(page: str) -> list[str]:
    """The names in the order in which they first stand in the page's main part."""
    main = page.partition("<main")[2]
    return sorted(NAMES, key=main.index)


def test_a_name_in_two_forms_of_unicode_stands_at_one_place() -> None:
    assert in_order("Ñáñez")[0] == in_order("Ñáñez")[0]
    assert in_order("Nunez") < in_order("Nunn") < in_order("Nuñez")


def test_pages_list_names_in_order(
    client_of: Callable[[User | None], Client], director: User, night: Event, draw: Draw
) -> None:
    desk = client_of(director)
    for address in (
        "/st-hilary/members/",
        "/st-hilary/desk/friday/here/",
        "/st-hilary/desk/friday/fees/",
    ):
        answer = desk.get(address)
        assert answer.status_code == 200, address
        assert in_page(page_of(answer)) == NAMES, address


def test_sheets_and_seats_list_names_in_order(night: Event, draw: Draw) -> None:
    assert [place.name for place in from_draws.seating_sheet(draw).places] == NAMES
    assert [line.name for line in seats_of(round_view(draw))] == NAMES
    assert [payer.entry.name for payer in payers_of(night)] == NAMES
    for form in (paper_forms.fees(night), paper_forms.here(night)):
        assert [row[0] for row in form.rows] == NAMES


def test_people_are_offered_in_order(night: Event) -> None:
    offered: Any = WishForm(event=night).fields["entry"]
    assert [name for _pk, name in offered.choices] == ["choose", *NAMES]


def test_a_table_sorted_by_name_is_in_order(night: Event, rf: RequestFactory) -> None:
    rows = night.entries.select_related("member")
    for asked, wanted in (("name", NAMES), ("-name", NAMES[::-1]), ("member", NAMES)):
        table = entries_table(rf.get("/", {"sort": asked}), night, entries=rows, seats={})
        assert [row.record.name for row in table.rows] == wanted, asked
