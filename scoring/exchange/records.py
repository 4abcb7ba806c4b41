"""What a file says of a club's games: records, and the JSON text of all their versions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from clubsite.one_line import is_one_line
from scoring.engine.core import ruleset
from scoring.engine.core.facts import KINDS, to_data
from scoring.engine.core.family import Family
from scoring.engine.core.ruleset import RuleSet, Shape
from scoring.engine.families import FAMILIES, family_of
from scoring.engine.files import deal_files
from scoring.engine.files.deal_files import (
    EnoughFaults,
    Known,
    Most,
    Reader,
    as_json,
    game_text,
    lines_of,
    said_of,
    with_lines,
)
from scoring.engine.files.json_text import UnreadableText, parsed
from scoring.models import LONGEST_REASON, DealVersion

FORMAT = "nine-tables/club-deals"
VERSION = 1
MOST_NUMBER = 1000  # of a deal in its game

LONGEST = {"title": 160, "by": 150, "route": 12, **dict.fromkeys(("reason", "ruling", "ended"), LONGEST_REASON)}
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
    absent: Annotated[tuple[int, ...], "a walkover: the sides that weren't there, from 0 on; no deal counts"] = ()


@dataclass(frozen=True, slots=True)
class DealLines:
    """What a file says of a deal beside its versions."""

    number: Annotated[int, "in its game"]


@dataclass(frozen=True, slots=True)
class SettingLines:
    """What a file says of a setting of rules. The rules' family says what its value can be."""

    value: Annotated[Any, "the figure, the choice, the list or the table; an empty text for none"]
    label: Annotated[str, "what it is, in plain words"]
    source: Annotated[str, "the document and section it is from"]
    ruling: Annotated[bool, "whether it is a judgement"] = False


@dataclass(frozen=True, slots=True)
class RulesLines:
    """What a file says of a version of rules beside who can play: see `RuleSet.to_data`."""

    slug: Annotated[str, "the name of the rules in files and addresses"]
    title: Annotated[str, "what they are called"]
    published: Annotated[str, "the day on which this version was published"]
    about: Annotated[str, "what they are for"]
    family: Annotated[str, "the engine that scores them"]
    version: Annotated[int, "the number of this version"]
    settings: Annotated[dict[str, SettingLines], "each by its name"]


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
    points: tuple[int, ...] = ()  # as a table gives them, to be compared with the rules'


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
    """What a file says. `rules` are the versions of rules in it; `lines` finds the lines of paths; `warning`: what to
    look at, "" for nothing."""

    games: tuple[GameRecord, ...]
    rules: tuple[RuleSet, ...] = ()
    lines: Callable[[Iterable[str]], Mapping[str, int]] = field(default=lambda paths: dict.fromkeys(paths, 0))
    warning: str = ""


# --- reading -------------------------------------------------------------------------------------------


def from_json(text: str, known: Known, *, most: Most | None = None) -> Records:
    """The records of a JSON text; `known` are the rules that it can name beside those that stand in it.

    Raises:
        UnreadableText: it isn't such a file; carries all faults with their lines, as many as are told.
        TooManyDeals: there are more than `most`.
    """
    most = most or Most()
    data = parsed(text, most_weight=most.weight)
    if isinstance(data, dict) and data.get("format") == deal_files.FORMAT:
        del data  # to free memory: the reader of deal files parses it again
        return _from_deal_file(text, known, most=most)
    reader = _Records(known, most)
    with suppress(EnoughFaults):
        records = reader.file(data, lambda paths: lines_of(paths, text))
    if reader.faults:
        raise UnreadableText(with_lines(reader.faults, text))
    return records


def _from_deal_file(text: str, known: Known, *, most: Most) -> Records:
    """The records of a deal file: each deal as it stands there, recorded by whoever takes it in."""
    checker, games = RecordReader(known), []
    with suppress(EnoughFaults):
        for place, game in enumerate(deal_files.read(text, known=known, most=most)):
            names = {name: getattr(game, name) for name in ("shape", "title", "sides", "start")}
            said = GameLines(rules=game.rule_set.slug, rules_version=game.rule_set.version, **names)
            path = f"games.{place}"
            checker.head(said, game.rule_set, path=path)
            deals = []
            for number, deal in enumerate(game.deals):
                at = f"{path}.deals.{number}"
                version = VersionLines(written=deal.written, written_sets=deal.written_sets, ruling=deal.ruling)
                checker.texts(version, at)
                deals.append(DealRecord(number + 1, (VersionRecord(version, deal.facts, at),)))
            games.append(GameRecord(said, game.rule_set, tuple(deals), path))
    if checker.faults:
        raise UnreadableText(with_lines(checker.faults, text))
    return Records(tuple(games), (), lambda paths: lines_of(paths, text))


class RecordReader(Reader):
    """Checks what any record must be, whether it comes as JSON or as a table."""

    def texts(self, said: GameLines | VersionLines, path: str) -> None:
        """Note a fault for each text that isn't one line of plain text, or is too long."""
        for name, most in LONGEST.items():
            text = getattr(said, name, "")
            if not is_one_line(text):
                self.fault(f"{path}.{name}", "not-a-name")
            elif len(text) > most:
                self.fault(f"{path}.{name}", "too-long", detail=str(most))

    def head(self, said: GameLines, rule_set: RuleSet, *, path: str) -> None:
        """Note a fault where the game's shape, names or points don't fit its rules, or a text can't be."""
        self.agree(said, rule_set, path=path)
        self.texts(said, path)
        if not said.sides:
            self.fault(f"{path}.sides", "missing")

    def version_lines(self, said: VersionLines, sides: int, *, path: str) -> None:
        """Note a fault where the texts, the identity, the time or the totals of a version can't be."""
        self.texts(said, path)
        if said.id and not is_id(said.id):
            self.fault(f"{path}.id", "not-an-id")
        if said.at and not is_time(said.at):
            self.fault(f"{path}.at", "not-a-time")
        self.written(said, sides, path=path)


class _Records(RecordReader):
    format, version = FORMAT, VERSION
    parts = ("rules", "games")

    def file(self, data: Any, lines: Callable[[Iterable[str]], Mapping[str, int]]) -> Records:
        if not self.is_ours(data):
            return Records(())
        rules = [self.rules(item, path) for path, item in self.items(data, "rules", prefix="")]
        own = tuple(rule_set for rule_set in rules if rule_set is not None)
        if not self.faults:
            self.known = with_own(self.known, own)
        games = [self.game(item, path) for path, item in self.items(data, "games", prefix="")]
        return Records(tuple(game for game in games if game is not None), own, lines)

    def rules(self, data: Mapping[str, Any], path: str) -> RuleSet | None:
        """A version of rules in full. Its settings aren't checked here, but in `taking_in`."""
        before = len(self.faults)
        said = self.part(RulesLines, data, path=path, only=False)
        shapes = [self.part(Shape, one, path=at) for at, one in self.items(data, "shapes", prefix=f"{path}.")]
        if not shapes and data.get("shapes") == []:
            self.fault(f"{path}.shapes", "missing")
        if said is not None and said.family not in FAMILIES:
            self.fault(f"{path}.family", "not-a-choice", detail=", ".join(FAMILIES))
        return None if len(self.faults) > before else ruleset.from_data(data)

    def game(self, data: Mapping[str, Any], path: str) -> GameRecord | None:
        said = self.part(GameLines, data, path=path, beside="deals")
        rule_set = self.rules_named(data.get("rules"), data.get("rules_version"), path=path)
        if said is not None and rule_set is not None:
            self.head(said, rule_set, path=path)
        sides = said.shape.sides if said is not None else 0
        family = family_of(rule_set) if rule_set is not None else None
        deals = [
            self.deal(item, at, family=family, sides=sides) for at, item in self.items(data, "deals", prefix=f"{path}.")
        ]
        if self.faults or said is None or rule_set is None:
            return None
        return GameRecord(said, rule_set, tuple(deal for deal in deals if deal is not None), path)

    def deal(self, data: Mapping[str, Any], path: str, *, family: Family | None, sides: int) -> DealRecord | None:
        self.one_more_deal()
        said = self.part(DealLines, data, path=path, beside="versions")
        if said is not None and not 1 <= said.number <= MOST_NUMBER:
            self.fault(f"{path}.number", "wrong-type", detail=KINDS[int])
        versions = [
            self.version_of(item, at, family=family, sides=sides)
            for at, item in self.items(data, "versions", prefix=f"{path}.")
        ]
        if data.get("versions") == []:
            self.fault(f"{path}.versions", "wrong-number", detail="1+")
        if self.faults or said is None:
            return None
        return DealRecord(said.number, tuple(version for version in versions if version is not None))

    def version_of(
        self, data: Mapping[str, Any], path: str, *, family: Family | None, sides: int
    ) -> VersionRecord | None:
        said = self.part(VersionLines, data, path=path, beside="facts")
        if said is not None:
            self.version_lines(said, sides or len(said.written), path=path)
        facts = self.facts(data, family, path=path)
        return None if said is None or facts is None else VersionRecord(said, facts, path)


def with_own(known: Known, own: Sequence[RuleSet]) -> Known:
    """The rules that a file can name when it brings some of its own: those replace known ones of the same number."""
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
    yield f'{{\n "format": {as_json(FORMAT)},\n "version": {VERSION},\n "rules": ['
    yield ",".join(f"\n  {as_json(rule_set.to_data())}" for rule_set in records.rules)
    yield '\n ],\n "games": ['
    for number, game in enumerate(records.games):
        yield f"{',' if number else ''}\n{game_text(game.said, map(_deal_data, game.deals))}"
    yield "\n ]\n}\n"


def _deal_data(deal: DealRecord) -> dict[str, Any]:
    return {
        "number": deal.number,
        "versions": [{**said_of(version.said), "facts": to_data(version.facts)} for version in deal.versions],
    }
