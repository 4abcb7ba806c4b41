"""Building blocks of the tests of the grid: a night's round with tables, a line as it is sent."""

import re
from uuid import uuid4

from django.urls import reverse

from tests.scoring.conftest import a_deal
from tests.tournaments.nights import arrive, games_of, make_night, publish_next

AS_A_PART = {"HX-Request": "true"}


def a_round(rules, by, *, tables=2):
    """A night with a published first round of so many tables of four."""
    night = make_night(rules.club, rules)
    arrive(night, by, 4 * tables)
    draw = publish_next(night, by)
    return night, draw, games_of(draw)


def address(event, name="round_keying", round=1):
    return reverse(name, args=[event.club.slug, event.slug, round])


def a_line(game, deal=None, number=1, **more):
    """A line of the grid for a deal of St. Hilary as it is sent: sides by their keys, 1 and 2."""
    deal = deal or a_deal()
    typed = {"game": game.pk, "number": number, "submission": str(uuid4())}
    typed |= {"bid_side": deal.bid_side + 1, "bid": deal.bid}
    typed |= {f"meld_{side}": points for side, points in enumerate(deal.meld)}
    typed |= {f"take_{side}": points for side, points in enumerate(deal.take)}
    return typed | more


def a_hand_and_foot_line(game, number=1):
    """A line of Hand and Foot as it is sent; the red threes that weren't tabled are left empty."""
    typed = {"game": game.pk, "number": number, "submission": str(uuid4()), "out": "1"}
    for side, (clean, dirty, melded, left) in enumerate([(2, 2, 1500, 50), (1, 2, 1000, 200)]):
        figures = {"clean": clean, "dirty": dirty, "wild": 1 - side, "red_threes": 1, "melded": melded, "left": left}
        typed |= {f"{name}_{side}": figure for name, figure in figures.items()}
    return typed


def send(client, event, line, **options):
    return client.post(address(event), line, headers=AS_A_PART, **options)


def in_words(html):
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())
