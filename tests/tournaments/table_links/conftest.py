"""A night with its first round published, and the links of its tables."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clubsite.accounts.models import Actor, Club
from scoring.models import Game, HouseRules
from tests.tournaments import nights
from tournaments.models import Draw, Event, Group, TableLink
from tournaments.table_links.links import code_of, token_of


@pytest.fixture
def night(club: Club, actor: Actor, rules_for: Callable[[str], HouseRules]) -> Event:
    """A night of eight people."""
    event = nights.make_night(club, rules_for("st-hilary-v3"))
    nights.arrive(event, actor, 8)
    return event


@pytest.fixture
def draw(night: Event, actor: Actor) -> Draw:
    """Its first round, published: two tables."""
    return nights.publish_next(night, actor)


def link_of(draw: Draw, table: int = 1) -> TableLink:
    return TableLink.objects.get(group__table__draw=draw, group__table__number=table, revoked_at=None)


def url_of(draw: Draw, table: int = 1, more: str = "") -> str:
    return f"/t/{token_of(link_of(draw, table).nonce)}/{more}"


def typed_code(draw: Draw, table: int = 1) -> str:
    return code_of(link_of(draw, table).nonce)


def game_at(draw: Draw, table: int = 1) -> Game:
    group = Group.objects.get(table__draw=draw, table__number=table)
    return Game.objects.select_related("club", "rules").get(group_game__group=group)
