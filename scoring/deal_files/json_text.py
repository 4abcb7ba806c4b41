"""Strict reading of JSON text, and sentences that say why and in which line a file can't be read.

The standard library reads it; only when something is wrong is the text walked again to find the lines.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

MAX_FIGURE = 999_999_999  # no figure on a card is beyond this
MAX_WEIGHT = 8_000_000  # the limit for a command, which runs on its caller's own machine
WEIGHT = {"{": 4, "[": 4, ":": 2, ",": 1}  # relative memory of an object, a list, a field, a value
MAX_FIELDS = 1000  # of one object

MAX_FAULTS = 500  # that are reported for one text

FAULTS: dict[str, Promise] = {
    "not-utf-8": _("this is not UTF-8 text."),
    "not-json": _("this is not JSON ({detail})."),
    "too-deep": _("lists and objects are nested too deeply for a deal file."),
    "too-many-values": _("there is more in this file than can be read at once. Split it by seasons or events."),
    "twice": _("this field is in the same object twice."),
    "not-a-number": _("{detail} is not a figure."),
    "too-large": _("no figure can be above {detail}."),
    "missing": _("this field is missing."),
    "unknown": _("this field doesn't exist."),
    "wrong-type": _("{detail} belongs here."),
    "not-a-choice": _("this must be one of: {detail}."),
    "wrong-number": _("there must be {detail} of these."),
    "two-handicaps": _("only one of the two can begin with a handicap: write 0 for the other."),
    "not-a-name": _("this must be a line of plain text, and a name can't be empty."),
    "an-address": _("this is an e-mail address: write the person's name."),
    "too-long": _("at most {detail} characters fit here."),
    "not-an-id": _("this must be an identity as the program writes it, or left out."),
    "not-a-time": _("this must be a date and time with its offset, such as 2026-11-21T14:30:00+00:00."),
    "and-more": _("there may be more: correct this, then check the file again."),
}
"""Why a file can't be read, by code; the sentence goes on after the line and the field."""

KIND_WORDS: dict[str, Promise] = {
    "whole-number": _("a whole number"),
    "yes-or-no": _("true or false"),
    "text": _("a text in quotation marks"),
    "list": _("a list in square brackets"),
    "object": _("an object in braces"),
}

_DECODER = json.JSONDecoder()
# A string, a bracket, or a number or word. Possessive, since ways back into a long string would take memory.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]|[^\s,:\[\]{}"]+')


@dataclass(frozen=True, slots=True, order=True)
class TextFault:
    """A reason why a text can't be read.

    `detail` goes into the sentence of `FAULTS`: for wrong-type one of `KIND_WORDS`, for not-a-choice the choices, for
    most others a number.
    """

    line: int  # from 1
    column: int  # from 1; 0 where only the line is known
    path: str  # of the field ("games.0.deals.3.facts.bid"), "" for none
    code: str
    detail: str = ""

    @property
    def reason(self) -> str:
        """The sentence without the line and the field."""
        detail = KIND_WORDS.get(self.detail, self.detail) if self.code == "wrong-type" else self.detail
        return str(FAULTS[self.code]).format(detail=detail)

    @property
    def words(self) -> str:
        """The sentence: "Line 9, game 1, deal 2, facts.bid: this field is missing."."""
        return f"{describe_place(self.path, self.line, column=self.column)}: {self.reason}"


class UnreadableText(ValueError):
    """The text can't be read; has every fault, in the order of the text."""

    def __init__(self, faults: tuple[TextFault, ...]) -> None:
        super().__init__("; ".join(f"line {f.line}: {f.path} {f.code}" for f in faults))
        self.faults = faults


def describe_place(path: str, line: int = 0, *, column: int = 0) -> str:
    """Where to look in a file: "Line 9, game 1, deal 2, facts.bid"; 0 for a line or column that isn't known.

    Has no character that controls a terminal.
    """
    shown = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in path)
    match = re.match(r"games\.(\d+)(?:\.deals\.(\d+))?(?:\.|$)", shown)
    game, deal = match.groups() if match else (None, None)  # counted from 0
    place = [
        gettext("Line %(line)d") % {"line": line} if line else "",
        gettext("column %(column)d") % {"column": column} if column else "",
        gettext("game %(game)d") % {"game": int(game) + 1} if game else "",
        gettext("deal %(deal)d") % {"deal": int(deal) + 1} if deal else "",
        shown[match.end() :] if match else shown,
    ]
    return ", ".join(filter(None, place))


# --- reading -------------------------------------------------------------------------------------------


class _NotStrict(ValueError):
    """The standard library accepts the text as JSON, this module doesn't."""


class _TooMuch(ValueError):
    """An object has more than `MAX_FIELDS`."""


def decode_utf8(raw: bytes) -> str:
    """With or without a byte order mark. Raises UnreadableText for anything but UTF-8."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line, last = before.count(b"\n") + 1, before.rpartition(b"\n")[2]
        raise UnreadableText((TextFault(line, len(last.decode("utf-8", "replace")) + 1, "", "not-utf-8"),)) from None


def parse_json(text: str, *, most_weight: int = MAX_WEIGHT) -> Any:
    """The value of a JSON text.

    `most_weight` limits the memory that its values take. It is estimated beforehand from all brackets, colons and
    commas, also those within strings.

    Raises:
        UnreadableText: it isn't JSON, or too much of it, or has a field twice in an object, NaN or a figure with more
            digits than `MAX_FIGURE`.

    >>> parse_json('{"bid": 20}')
    {'bid': 20}
    >>> try:
    ...     parse_json('{"bid": 20,\\n "bid": 1e99, "take": 12345678901}')
    ... except UnreadableText as error:
    ...     [(fault.line, fault.path, fault.code) for fault in error.faults]
    [(2, 'bid', 'twice'), (2, 'take', 'too-large')]
    """
    too_much = UnreadableText((TextFault(1, 0, "", "too-many-values"),))
    if sum(text.count(sign) * weight for sign, weight in WEIGHT.items()) > most_weight:
        raise too_much
    try:
        try:
            return json.loads(
                text, object_pairs_hook=_build_object, parse_int=_parse_figure, parse_constant=_refuse_constant
            )
        except _NotStrict:
            json.loads(text, parse_int=len)  # text that isn't JSON at all is reported as that
    except json.JSONDecodeError as error:
        raise UnreadableText((TextFault(error.lineno, error.colno, "", "not-json", error.msg),)) from None
    except RecursionError:
        raise UnreadableText((TextFault(1, 0, "", "too-deep"),)) from None
    except _TooMuch:
        raise too_much from None
    raise UnreadableText(tuple(islice(_strict_faults(text), MAX_FAULTS)))


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise _NotStrict
    if len(values) > MAX_FIELDS:
        raise _TooMuch
    return values


def _parse_figure(digits: str) -> int:
    if _is_too_large(digits):
        raise _NotStrict
    return int(digits)


def _is_too_large(digits: str) -> bool:
    return len(digits.lstrip("-")) > len(str(MAX_FIGURE))


def _refuse_constant(_name: str) -> Any:
    raise _NotStrict


def _strict_faults(text: str) -> Iterator[TextFault]:
    for place in walk_values(text):
        if place.again:
            yield TextFault(place.line, 0, place.path, "twice")
        if place.text in ("NaN", "Infinity", "-Infinity"):
            yield TextFault(place.line, 0, place.path, "not-a-number", place.text)
        elif re.fullmatch(r"-?\d+", place.text) and _is_too_large(place.text):
            yield TextFault(place.line, 0, place.path, "too-large", str(MAX_FIGURE))


# --- lines ---------------------------------------------------------------------------------------------


def add_lines(faults: Iterable[TextFault], text: str) -> tuple[TextFault, ...]:
    """The faults with their lines (see `find_lines`), in the order of the text."""
    faults = list(faults)
    lines = find_lines((fault.path for fault in faults), text)
    return tuple(sorted((replace(f, line=lines[f.path]) for f in faults), key=lambda fault: fault.line))


def find_lines(paths: Iterable[str], text: str) -> dict[str, int]:
    """The line of the value at each path; of a missing one, the line where its object begins."""
    targets = set(paths)
    needed = targets | {path[:at] for path in targets for at, character in enumerate(path) if character == "."} | {""}
    lines = {place.path: place.line for place in walk_values(text) if place.path in needed}

    def line_of(path: str) -> int:
        while path not in lines:
            path = path.rpartition(".")[0]
        return lines[path]

    return {path: line_of(path) for path in targets}


class ValuePlace(NamedTuple):
    path: str
    line: int
    again: bool  # its object has an earlier field of the same name
    text: str  # of a number, or a word such as null


def walk_values(text: str) -> Iterator[ValuePlace]:
    """The place of each value of a JSON text, in order; the whole text has the path "".

    >>> [(place.path, place.line) for place in walk_values('{"deals":\\n [20, {"bid": 21}]}')]
    [('', 1), ('deals', 2), ('deals.0', 2), ('deals.1', 2), ('deals.1.bid', 2)]
    """
    around: list[tuple[str, Iterator[int] | None, set[str]]] = []  # prefix, places of a list or None, fields so far
    line, counted, name = 1, 0, None
    for token in _TOKEN.finditer(text):
        at = token.start()
        sign = text[at]
        prefix, numbers, seen = around[-1] if around else ("", None, set())
        if sign in "]}":
            around.pop()
            continue
        if around and numbers is None and name is None:
            name, _end = _DECODER.raw_decode(token[0])
            continue
        line, counted = line + text.count("\n", counted, at), at
        key = (name or "") if numbers is None else str(next(numbers))
        path = f"{prefix}{key}"
        yield ValuePlace(path, line, key in seen, "" if sign in '"[{' else token[0])
        if numbers is None:
            seen.add(key)
        name = None
        if sign in "[{":
            around.append((f"{path}." if path else "", count() if sign == "[" else None, set()))
