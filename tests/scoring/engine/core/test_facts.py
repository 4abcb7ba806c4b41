"""Facts to JSON data and back, with every wrong field named at once."""

import json
from dataclasses import dataclass
from enum import StrEnum

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from clubsite.invisible_characters import is_one_line
from scoring.engine.core.family import from_data, to_data


class Suit(StrEnum):
    HEARTS = "hearts"
    SPADES = "spades"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meld:
    rank: str
    wilds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    bid: int
    counts: tuple[int, ...]
    conceded: bool = False
    trump: Suit | None = None
    melds: tuple[Meld, ...] = ()
    best: Meld | None = None


WHOLE = {"bid": 20, "counts": [14, 10]}


@given(
    st.builds(
        Facts,
        bid=st.integers(),
        counts=st.lists(st.integers()).map(tuple),
        conceded=st.booleans(),
        trump=st.none() | st.sampled_from(Suit),
        melds=st.lists(st.builds(Meld, rank=st.text(), wilds=st.integers())).map(tuple),
        best=st.none() | st.builds(Meld, rank=st.text()),
    )
)
def test_facts_come_back_from_json_as_they_were(facts):
    assert from_data(Facts, json.loads(json.dumps(to_data(facts)))) == facts


def test_data_are_lists_and_plain_words():
    data = to_data(Facts(bid=20, counts=(14, 10), trump=Suit.HEARTS))
    assert data["counts"] == [14, 10]
    assert type(data["trump"]) is str


def test_what_is_not_written_has_its_default():
    assert from_data(Facts, WHOLE) == Facts(bid=20, counts=(14, 10))


@pytest.mark.parametrize(
    "changed",
    [
        {"bid": "20"},
        {"bid": True},
        {"bid": 20.0},
        {"bid": None},
        {"bid": float("inf")},
        {"counts": 14},
        {"conceded": 1},
        {"trump": "clubs"},
        {"trump": ["hearts"]},
        {"melds": [{"rank": "A"}, {"wilds": 1}]},
        {"melds": ["A"]},
        {"best": {"rank": "A", "colour": "red"}},
        {"player": 1},
    ],
)
def test_a_wrong_field_is_refused(changed):
    with pytest.raises(ValidationError) as raised:
        from_data(Facts, WHOLE | changed)
    assert raised.value.error_count() == 1


def test_half_a_letter_is_text_of_which_nothing_else_is_said():
    """JSON can name one of the two surrogates that make a letter together: such text is read, and is no plain line."""
    read = from_data(Facts, WHOLE | {"melds": [{"rank": "\ud83d"}, {"rank": "\N{BLACK HEART SUIT}"}]})
    assert [is_one_line(meld.rank) for meld in read.melds] == [False, True]
