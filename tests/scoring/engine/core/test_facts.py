"""Facts to JSON data and back, with every wrong field named at once."""

import json
from dataclasses import dataclass
from enum import StrEnum

import pytest
from hypothesis import given, strategies as st

from clubsite.invisible_characters import is_one_line
from scoring.engine.core.family import FactsError, from_data, to_data


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


def nested(times):
    data = []
    for _ in range(times):
        data = [data]
    return data


def wrong(data):
    with pytest.raises(FactsError) as raised:
        from_data(Facts, data)
    return {(field.path, field.code) for field in raised.value.wrong}


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
    ("changed", "found"),
    [
        ({"bid": "20"}, ("bid", "wrong-type")),
        ({"bid": True}, ("bid", "wrong-type")),
        ({"bid": 20.0}, ("bid", "wrong-type")),
        ({"bid": None}, ("bid", "wrong-type")),
        ({"bid": float("inf")}, ("bid", "wrong-type")),
        ({"bid": nested(100)}, ("bid", "wrong-type")),
        ({"bid": nested(500)}, ("", "too-deep")),
        ({"bid": nested(100_000)}, ("", "too-deep")),
        ({"bid": nested(500), "melds": [{"rank": "\ud83d"}]}, ("", "too-deep")),
        ({"counts": 14}, ("counts", "wrong-type")),
        ({"counts": [14, "10"]}, ("counts.1", "wrong-type")),
        ({"conceded": 1}, ("conceded", "wrong-type")),
        ({"trump": "clubs"}, ("trump", "not-a-choice")),
        ({"trump": ["hearts"]}, ("trump", "not-a-choice")),
        ({"melds": [{"rank": "A"}, {"wilds": 1}]}, ("melds.1.rank", "missing")),
        ({"melds": ["A"]}, ("melds.0", "wrong-type")),
        ({"best": {"rank": "A", "colour": "red"}}, ("best.colour", "unknown")),
        ({"player": 1}, ("player", "unknown")),
    ],
)
def test_a_wrong_field_is_named(changed, found):
    assert wrong(WHOLE | changed) == {found}


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({"bid": "20"}, "whole-number"),
        ({"conceded": 1}, "yes-or-no"),
        ({"melds": [{"rank": 3}]}, "text"),
        ({"counts": 14}, "list"),
        ({"best": 3}, "object"),
        ({"trump": "clubs"}, "hearts, spades"),
        ({"player": 1}, ""),
    ],
)
def test_what_belongs_there_is_said(changed, wanted):
    with pytest.raises(FactsError) as raised:
        from_data(Facts, WHOLE | changed)
    assert [field.wanted for field in raised.value.wrong] == [wanted]


def test_all_wrong_fields_are_named_at_once():
    assert wrong({"counts": [None], "melds": [{"rank": 1}], "x": 0}) == {
        ("bid", "missing"),
        ("counts.0", "wrong-type"),
        ("melds.0.rank", "wrong-type"),
        ("x", "unknown"),
    }


@pytest.mark.parametrize("data", [None, [], "deal", 3])
def test_a_deal_is_a_table_of_fields(data):
    assert wrong(data) == {("deal", "wrong-type")}


def test_half_a_letter_is_text_of_which_nothing_else_is_said():
    """JSON can name one of the two surrogates that make a letter together: such text is read, and is no plain line."""
    read = from_data(Facts, WHOLE | {"melds": [{"rank": "\ud83d"}, {"rank": "\N{BLACK HEART SUIT}"}]})
    assert [is_one_line(meld.rank) for meld in read.melds] == [False, True]
    assert wrong({"counts": [], "melds": [{"rank": "\ud83d", "wilds": "1"}]}) == {
        ("bid", "missing"),
        ("melds.0.wilds", "wrong-type"),
    }


def test_other_fields_may_stand_beside_where_that_is_said():
    assert from_data(Facts, WHOLE | {"player": 1}, only=False) == Facts(bid=20, counts=(14, 10))
    with pytest.raises(FactsError, match="bid: missing"):
        from_data(Facts, {"player": 1, "counts": []}, only=False)
