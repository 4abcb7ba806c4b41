"""Melds that another score keeper's own tests have: github.com/kkrugler/pinochle, PinochleMeldTest.java.

It reads the melds out of a hand; here they are named, as on a card. Nothing differs.
"""

import pytest

from tests.by_name import melded

RUN, ROYAL = {"kind": "run"}, {"kind": "royal-marriage"}
NINE, TWO_NINES = {"kind": "nine-of-trump"}, {"kind": "nine-of-trump", "count": 2}
CLUBS = {"kind": "marriage", "suit": "clubs"}
JACKS, PINOCHLE, ACES = {"kind": "jacks"}, {"kind": "pinochle"}, {"kind": "aces"}

VALUES = [
    ("no meld", (), 0),
    ("a nine of trump", (NINE,), 1),
    ("two nines of trump", (TWO_NINES,), 2),
    ("two nines and a marriage in trump", (TWO_NINES, ROYAL), 6),
    ("the same hand with another trump", (CLUBS,), 2),
    ("a run", (RUN,), 15),
    ("its king and queen with another trump", (CLUBS,), 2),
    ("a double run", (RUN | {"count": 2},), 150),
    ("two marriages of clubs with another trump", (CLUBS | {"count": 2},), 4),
    ("aces around, whatever is trump", (ACES,), 10),
    ("run, marriage, nine, jacks and pinochle", (RUN, ROYAL, NINE, JACKS, PINOCHLE), 28),
    ("the same hand with hearts as trump", ({"kind": "marriage", "suit": "spades", "count": 2}, JACKS, PINOCHLE), 12),
]


@pytest.mark.parametrize(("melds", "points"), [case[1:] for case in VALUES], ids=[case[0] for case in VALUES])
def test_melds_are_worth_what_another_score_keeper_has_in_its_tests(melds, points):
    assert melded("st-hilary-v3", *melds) == points
    for slug in ("partnership-pinochle-times-ten", "partnership-pinochle-ten-and-five"):
        assert melded(slug, *melds) == 10 * points
