"""JSON read strictly, with lines."""

import pytest

from scoring.deal_files.json_text import MOST, PlaceInText, TextFault, UnreadableText, decoded, parsed, places


def faults(text):
    """Line, path and code of what is wrong with a text."""
    with pytest.raises(UnreadableText) as no:
        parsed(text)
    return [(fault.line, fault.path, fault.code) for fault in no.value.faults]


def test_plain_json_is_what_it_says():
    assert parsed(' {"a": [1, -2, 3.5, true, null, "x"], "b": {}} ') == {"a": [1, -2, 3.5, True, None, "x"], "b": {}}
    assert parsed(str(MOST)) == MOST
    assert parsed(f"-{MOST}") == -MOST


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1,\n "a": 2}', [(2, "a", "twice")]),
        ('{"a": NaN}', [(1, "a", "not-a-number")]),
        ("[1,\n -Infinity]", [(2, "1", "not-a-number")]),
        ('{"a":\n 1234567890}', [(2, "a", "too-large")]),
        ('{"a": {"b": [-1234567890]}}', [(1, "a.b.0", "too-large")]),
        ('{"a": 1, "a": 1234567890}', [(1, "a", "twice"), (1, "a", "too-large")]),
        ('{"a": 1, "a": 2', [(1, "", "not-json")]),  # what isn't JSON comes first
        ('{"a" 1}', [(1, "", "not-json")]),
        ("", [(1, "", "not-json")]),
        ("[" * 100_000, [(1, "", "too-deep")]),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text, found):
    assert faults(text) == found


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a" 1}', TextFault(1, 6, "", "not-json", "Expecting ':' delimiter")),
        ("[" * 100_000, TextFault(1, 0, "", "too-deep")),
        ('\n{"a": 1,\n "a": 2}', TextFault(3, 0, "a", "twice")),
        ("[NaN]", TextFault(1, 0, "0", "not-a-number", "NaN")),
        ("[Infinity]", TextFault(1, 0, "0", "not-a-number", "Infinity")),
        ("[-Infinity]", TextFault(1, 0, "0", "not-a-number", "-Infinity")),
        ("[1234567890]", TextFault(1, 0, "0", "too-large", "999999999")),
        (f"[1{'0' * 5000}]", TextFault(1, 0, "0", "too-large", "999999999")),  # more figures than Python would read
    ],
)
def test_a_fault_says_where_it_is_and_what_belongs_there(text, fault):
    with pytest.raises(UnreadableText) as no:
        parsed(text)
    assert no.value.faults == (fault,)


def test_the_faults_say_themselves_in_one_line():
    with pytest.raises(UnreadableText, match="line 2: a twice"):
        parsed('{"a": 1,\n "a": 2}')


def test_text_is_utf_8_with_or_without_a_mark():
    assert decoded("\N{BLACK HEART SUIT}".encode()) == decoded("\N{BLACK HEART SUIT}".encode("utf-8-sig"))
    with pytest.raises(UnreadableText) as no:
        decoded("fine\nso far\n\N{BLACK HEART SUIT} ".encode() + b"\xff")
    assert no.value.faults == (TextFault(3, 3, "", "not-utf-8"),)


def test_every_value_has_its_place():
    text = '{"a": "x",\n "b": [1, {"c": null}], "a": []}'
    assert list(places(text)) == [
        PlaceInText("", 1, False, ""),
        PlaceInText("a", 1, False, ""),
        PlaceInText("b", 2, False, ""),
        PlaceInText("b.0", 2, False, "1"),
        PlaceInText("b.1", 2, False, ""),
        PlaceInText("b.1.c", 2, False, "null"),
        PlaceInText("a", 2, True, ""),
    ]
    assert list(places(' "alone" ')) == [PlaceInText("", 1, False, "")]


def test_a_text_that_would_take_too_much_memory_is_refused_before_a_value_is_made():
    with pytest.raises(UnreadableText) as no:
        parsed("[1, 2, 3]", most_weight=5)
    assert [fault.code for fault in no.value.faults] == ["too-many-values"]
