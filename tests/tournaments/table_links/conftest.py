"""A night with its first round published, and the links of its tables."""

import pytest

from scoring.models import Game
from tests.tournaments import nights
from tournaments.models import Group, TableLink
from tournaments.table_links.links import make_code, make_token


@pytest.fixture
def draw(night, actor):
    """Its first round, published: two tables."""
    return nights.publish_next(night, actor)


def link_of(draw, table=1):
    return TableLink.objects.get(group__table__draw=draw, group__table__number=table, revoked_at=None)


def url_of(draw, table=1, more=""):
    return f"/t/{make_token(link_of(draw, table).nonce)}/{more}"


def typed_code(draw, table=1):
    return make_code(link_of(draw, table).nonce)


def game_at(draw, table=1):
    group = Group.objects.get(table__draw=draw, table__number=table)
    return Game.objects.select_related("club", "rules").get(group_game__group=group)
