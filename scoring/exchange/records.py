"""What a file says of a club's games: records, and the JSON text of all their versions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from scoring.engine.core import ruleset
from scoring.engine.core.facts import KINDS, to_data
from scoring.engine.core.one_line import is_one_line
from scoring.engine.core.ruleset import RulesError, RuleSet, Shape
from scoring.engine.families import FAMILIES, Family, family_of
from scoring.engine.files import deal_files
from scoring.engine.files.deal_files import GameHead, Known, Reader, lines_of, with_lines
from scoring.engine.files.json_text import Unreadable, parsed
from scoring.models import DealVersion

FORMAT = "nine-tables/club-deals"
VERSION = 1
MOST_NUMBER = 1000  # of a deal in its game

LONGEST = {"title": 160, "by": 150, "route": 12, "reason": 200, "ruling": 200, "ended": 200}
"""How many characters the texts of a record can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLines:
    """What a file says of a game beside its deals."""

    rules: Annotated[str, "the slug of its rules"]
    rules_version: Annotated[int | None, "their version; the newest when left out"] = None
    shape: Annotated[Shape, "who plays against whom; one of the rules'"]
    title: Annotated[str, "where it was played"] = ""
    sides: Annotated[tuple[tuple[str, ...], ...], "for each side the names of its players, in order of seats"] = ()
    start: Annotated[tuple[int, ...], "each side's points before the first deal (handicap); nothing means 0"] = ()
    ended: Annotated[str, "the director's reason for ending it; nothing: it ended by itself or goes on"] = ""
    set_aside: Annotated[bool, "whether it counts nowhere: the seats it was played on were taken back"] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionLines:
    """What a file says of a version of a deal beside its facts."""

    id: Annotated[str, "of the submission that recorded it; nothing: made from the game and the deal"] = ""
    state: Annotated[DealVersion.State, "whether it is as entered, agreed by the sides, disputed or void"] = (
        DealVersion.State.ENTERED
    )
    by: Annotated[str, "who recorded it"] = ""
    route: Annotated[str, "how it was recorded"] = ""
    at: Annotated[str, "when: a date and time with its offset, ISO 8601"] = ""
    written: Annotated[
        tuple[int | None, ...], "each side's running total as the scorer wrote it; null where nothing was written"
    ] = ()
    written_sets: Annotated[
        tuple[int, ...] | None, "the sides that the scorer marked as set; left out or null: the card doesn't say"
    ] = None
    reason: Annotated[str, "of a correction or a void"] = ""
    ruling: Annotated[str, "the director's reason for accepting the deal in spite of its problems"] = ""
    overruled: Annotated[tuple[str, ...], "the codes of the problems that the ruling set aside"] = ()


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """One version of a deal. `path` is where it stands in the file."""

    said: VersionLines
    facts: Any
    path: str = ""
    points: tuple[int, ...] = ()  # as a table gives them, to be held against the rules'


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal with its versions, the first first."""

    number: int
    versions: tuple[VersionRecord, ...]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game. `path` is where it stands in the file."""

    said: GameLines
    rule_set: RuleSet
    deals: tuple[DealRecord, ...]
    path: str = ""

    @property
    def family(self) -> Family:
        """The engine that scores it."""
        return family_of(self.rule_set)


@dataclass(frozen=True, slots=True)
class Records:
    """What a file says. `rules` are the versions that stand in it; `line_of` finds the line of a path."""

    games: tuple[GameRecord, ...]
    rules: tuple[RuleSet, ...] = ()
    lines: Callable[[Iterable[str]], Mapping[str, int]] = field(default=lambda paths: dict.fromkeys(paths, 0))


# --- reading -------------------------------------------------------------------------------------------


def from_json(text: str, known: Known) -> Records:
    """The records of a JSON text; `known` are the rules that it can name beside those that stand in it.

    Raises:
        Unreadable: it isn't such a file; carries all faults with their lines.
    """
    data = parsed(text)
    if isinstance(data, dict) and data.get("format") == deal_files.FORMAT:
        return _from_deal_file(text, known)
    reader = _Records(known)
    records = reader.file(data, lambda paths: lines_of(paths, text))
    if reader.faults:
        raise Unreadable(with_lines(reader.faults, text))
    return records


def _from_deal_file(text: str, known: Known) -> Records:
    """The records of a deal file: each deal as it stands there, recorded by whoever takes it in."""
    games = []
    for place, game in enumerate(deal_files.read(text, known=known)):
        names = {name: getattr(game, name) for name in ("shape", "title", "sides", "start")}
        said = GameLines(rules=game.rule_set.slug, rules_version=game.rule_set.version, **names)
        path = f"games.{place}"
        deals = tuple(
            DealRecord(
                number,
                (
                    VersionRecord(
                        VersionLines(written=deal.written, written_sets=deal.written_sets, ruling=deal.ruling),
                        deal.facts,
                        f"{path}.deals.{number - 1}",
                    ),
                ),
            )
            for number, deal in enumerate(game.deals, start=1)
        )
        games.append(GameRecord(said, game.rule_set, deals, path))
    checker = RecordReader(known)
    for record in games:
        checker.head(record.said, record.rule_set, record.path)
        for deal in record.deals:
            checker.texts(deal.versions[0].said, deal.versions[0].path)
    if checker.faults:
        raise Unreadable(with_lines(checker.faults, text))
    return Records(tuple(games), (), lambda paths: lines_of(paths, text))


class RecordReader(Reader):
    """Checks what any record must be, whether it comes as JSON or as a table."""

    def texts(self, said: GameLines | VersionLines, path: str) -> None:
        """Whether all texts are lines of plain text, and fit."""
        for name, most in LONGEST.items():
            text = getattr(said, name, "")
            if not is_one_line(text):
                self.fault(f"{path}.{name}", "not-a-name")
            elif len(text) > most:
                self.fault(f"{path}.{name}", "too-long", str(most))

    def head(self, said: GameLines, rule_set: RuleSet, path: str) -> None:
        """Whether the game's shape, names and points go with its rules."""
        names = {name: getattr(said, name) for name in (f.name for f in fields(GameHead))}
        self.agree(GameHead(**names), rule_set, path)
        self.texts(said, path)
        if not said.sides:
            self.fault(f"{path}.sides", "missing")

    def version_lines(self, said: VersionLines, sides: int, path: str) -> None:
        """Whether the identity, the time and the totals of a version can be."""
        self.texts(said, path)
        if said.id and not is_id(said.id):
            self.fault(f"{path}.id", "not-an-id")
        if said.at and not is_time(said.at):
            self.fault(f"{path}.at", "not-a-time")
        if said.written and len(said.written) != sides:
            self.fault(f"{path}.written", "wrong-number", str(sides))
        self.marks(said.written_sets, sides, path)


class _Records(RecordReader):
    format, version = FORMAT, VERSION
    parts = ("rules", "games")

    def file(self, data: Any, lines: Callable[[Iterable[str]], Mapping[str, int]]) -> Records:
        if not self.is_ours(data):
            return Records(())
        rules = [self.rules(item, path) for path, item in self.items(data, "rules", "")]
        own = tuple(rule_set for rule_set in rules if rule_set is not None)
        if not self.faults:
            self.known = with_own(self.known, own)
        games = [self.game(item, path) for path, item in self.items(data, "games", "")]
        return Records(tuple(game for game in games if game is not None), own, lines)

    def rules(self, data: Any, path: str) -> RuleSet | None:
        """A version of rules in full. What its settings can be is another matter: see `taking_in`."""
        kinds = {"slug": str, "title": str, "family": str, "version": int, "published": str, "about": str}
        if not isinstance(data, dict):
            self.fault(path, "wrong-type", KINDS[dict])
            return None
        before = len(self.faults)
        for name, kind in kinds.items():
            if type(data.get(name)) is not kind:
                self.fault(f"{path}.{name}", "wrong-type" if name in data else "missing", KINDS[kind])
        shapes = [self.part(Shape, one, at) for at, one in self._objects(data, "shapes", list, path)]
        for at, one in self._objects(data, "settings", dict, path):
            fits = type(one.get("label")) is type(one.get("source")) is str and type(one.get("ruling", False)) is bool
            if not fits or "value" not in one:
                self.fault(at, "wrong-type", KINDS[dict])
        if not shapes:
            self.fault(f"{path}.shapes", "missing")
        if len(self.faults) > before:
            return None
        if data["family"] not in FAMILIES:
            self.fault(f"{path}.family", "not-a-choice", ", ".join(FAMILIES))
            return None
        try:
            return ruleset.from_data(data)
        except RulesError:
            self.fault(path, "wrong-type", KINDS[dict])
            return None

    def _objects(self, data: Mapping[str, Any], name: str, kind: type, path: str) -> Iterator[tuple[str, Any]]:
        found: Any = data.get(name)
        fits = type(found) is kind
        if not fits:
            self.fault(f"{path}.{name}", "wrong-type", KINDS[tuple if kind is list else dict])
            return
        pairs = list(found.items()) if kind is dict else list(enumerate(found))
        for key, one in pairs:
            if isinstance(one, dict):
                yield f"{path}.{name}.{key}", one
            else:
                self.fault(f"{path}.{name}.{key}", "wrong-type", KINDS[dict])

    def game(self, data: Any, path: str) -> GameRecord | None:
        if not isinstance(data, dict):
            self.fault(path, "wrong-type", KINDS[dict])
            return None
        said = self.part(GameLines, data, path, beside="deals")
        rule_set = self.rules_named(data.get("rules"), data.get("rules_version"), path)
        if said is not None and rule_set is not None:
            self.head(said, rule_set, path)
        sides = said.shape.sides if said is not None else 0
        family = family_of(rule_set) if rule_set is not None else None
        deals = [self.deal(item, at, family, sides) for at, item in self.items(data, "deals", f"{path}.")]
        if self.faults or said is None or rule_set is None:
            return None
        return GameRecord(said, rule_set, tuple(deal for deal in deals if deal is not None), path)

    def deal(self, data: Any, path: str, family: Family | None, sides: int) -> DealRecord | None:
        if not isinstance(data, dict):
            self.fault(path, "wrong-type", KINDS[dict])
            return None
        for name in data.keys() - {"number", "versions"}:
            self.fault(f"{path}.{name}", "unknown")
        number = data.get("number")
        if type(number) is not int or not 1 <= number <= MOST_NUMBER:
            self.fault(f"{path}.number", "wrong-type" if "number" in data else "missing", KINDS[int])
        versions = [self.version_of(item, at, family, sides) for at, item in self.items(data, "versions", f"{path}.")]
        if not versions and "versions" in data:
            self.fault(f"{path}.versions", "wrong-number", "1+")
        if self.faults or number is None:
            return None
        return DealRecord(number, tuple(version for version in versions if version is not None))

    def version_of(self, data: Any, path: str, family: Family | None, sides: int) -> VersionRecord | None:
        if not isinstance(data, dict):
            self.fault(path, "wrong-type", KINDS[dict])
            return None
        said = self.part(VersionLines, data, path, beside="facts")
        if said is not None:
            self.version_lines(said, sides or len(said.written), path)
        facts = None
        if not isinstance(data.get("facts"), dict):
            self.fault(f"{path}.facts", "wrong-type" if "facts" in data else "missing", KINDS[dict])
        elif family is not None:
            facts = self.part(family.facts, data["facts"], f"{path}.facts")
        return None if said is None or facts is None else VersionRecord(said, facts, path)


def with_own(known: Known, own: Sequence[RuleSet]) -> Known:
    """The rules that a file can name when it brings some of its own: those come before others of their number."""
    found: dict[str, list[RuleSet]] = {slug: list(versions) for slug, versions in known.items()}
    for rule_set in own:
        others = [other for other in found.get(rule_set.slug, ()) if other.version != rule_set.version]
        found[rule_set.slug] = sorted([rule_set, *others], key=lambda one: -one.version)
    return found


def is_id(text: str) -> bool:
    """Whether a text is the identity of a submission, as the program writes it."""
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def is_time(text: str) -> bool:
    """Whether a text is a moment: a date and a time with its offset."""
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


# --- writing -------------------------------------------------------------------------------------------


def to_json(records: Records) -> Iterator[str]:
    """The JSON text, in parts: each version of rules and each deal on a line of its own."""
    yield f'{{\n "format": {_json(FORMAT)},\n "version": {VERSION},\n "rules": ['
    yield ",".join(f"\n  {_json(rule_set.to_data())}" for rule_set in records.rules)
    yield '\n ],\n "games": ['
    for number, game in enumerate(records.games):
        yield f"{',' if number else ''}\n{_game_text(game)}"
    yield "\n ]\n}\n"


def _game_text(game: GameRecord) -> str:
    lines = [f'   "{name}": {_json(value)},' for name, value in _said(game.said).items()]
    deals = ",".join(f"\n    {_json(_deal_data(deal))}" for deal in game.deals)
    return "\n".join(["  {", *lines, f'   "deals": [{deals}', "   ]", "  }"])


def _deal_data(deal: DealRecord) -> dict[str, Any]:
    return {
        "number": deal.number,
        "versions": [{**_said(version.said), "facts": to_data(version.facts)} for version in deal.versions],
    }


def _said(said: GameLines | VersionLines) -> dict[str, Any]:
    """The data of a part, without what it says nothing of."""
    values = {f.name: (getattr(said, f.name), f.default) for f in fields(said)}
    unsaid = {name for name, (value, default) in values.items() if value == default and not value}
    return {name: value for name, value in to_data(said).items() if name not in unsaid}


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
