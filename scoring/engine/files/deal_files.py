"""Deal files: games and their deals as JSON, by the types of the facts (`docs/deal-files.md`).

The types of this module and the facts' types define the format: the reader, the writer and the JSON Schema
(`scoring.engine.files.schema`) follow them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, TypeAlias, TypeVar

from clubsite.one_line import is_one_line
from scoring.engine.core.facts import KINDS, FactsError, from_data, to_data
from scoring.engine.core.family import Family
from scoring.engine.core.ruleset import RuleSet, Shape, shipped_versions
from scoring.engine.families import family_of, rules_of
from scoring.engine.files.json_text import MOST_FAULTS, MOST_WEIGHT, TextFault, UnreadableText, parsed, places

FORMAT = "nine-tables/deals"
VERSION = 1

T = TypeVar("T")

Known: TypeAlias = Mapping[str, Sequence[RuleSet]]
"""Slug to the versions of these rules that a file can name; the first is meant where it names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHead:
    """What a file says of a game beside its deals."""

    rules: Annotated[str, "the slug of a rule set: ./dev manage rules list, and within a club its own house rules"]
    shape: Annotated[Shape, "who plays against whom; one of the rule set's"]
    rules_version: Annotated[int | None, "the version of the rules; the newest when left out"] = None
    title: Annotated[str, "where it was played"] = ""
    sides: Annotated[tuple[tuple[str, ...], ...], "for each side the names of its players, in order of seats"] = ()
    start: Annotated[tuple[int, ...], "each side's points before the first deal (handicap); nothing means 0"] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDeal:
    """One deal of a file. `facts` are of the family that scores the game's rules."""

    facts: Annotated[Any, "what stands on the card, by the family that scores the rules"]
    written: Annotated[
        tuple[int | None, ...], "each side's running total as the scorer wrote it; null where nothing was written"
    ] = ()
    written_sets: Annotated[
        tuple[int, ...] | None, "the sides that the scorer marked as set; left out or null: the card doesn't say"
    ] = None
    ruling: Annotated[str, "the director's reason for accepting the deal in spite of its problems"] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileGame:
    """One game of a file, with its rule set found."""

    rule_set: RuleSet
    shape: Shape
    rules_version: int | None = None  # the one that the file asks for; `rule_set` has the one found
    title: str = ""
    sides: tuple[tuple[str, ...], ...] = ()
    start: tuple[int, ...] = ()
    deals: tuple[FileDeal, ...] = ()

    @property
    def family(self) -> Family:
        """The engine that scores it."""
        return family_of(self.rule_set)

    @property
    def rules(self) -> Any:
        """The family's rules for its shape."""
        return rules_of(self.rule_set, self.shape)


# --- reading -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Most:
    """How much a file can hold: deals, and the weight of its JSON (`json_text.WEIGHT`)."""

    deals: int = 1_000_000
    weight: int = MOST_WEIGHT


class TooManyDeals(Exception):
    """A file has more deals than `Most` allows; the rest of it wasn't read."""


class EnoughFaults(Exception):
    """So many faults were found that the rest of the file isn't looked at."""


def read(
    text: str, rule_set: RuleSet | None = None, *, known: Known | None = None, most: Most | None = None
) -> tuple[FileGame, ...]:
    """The games of a deal file; all by `rule_set`, when one is given, whatever rules the file names.

    `known` are the rules that the file can name; the shipped ones, when nothing is given.

    Raises:
        UnreadableText: it isn't JSON, or fields are missing, unknown or wrong; carries all faults with their lines, up
            to `MOST_FAULTS`.
        TooManyDeals: there are more than `most`.
    """
    most = most or Most()
    data = parsed(text, most_weight=most.weight)
    reader = _DealReader(known if known is not None else shipped_versions(), rule_set, most=most)
    with suppress(EnoughFaults):
        games = reader.file(data)
    if reader.faults:
        raise UnreadableText(with_lines(reader.faults, text))
    return games


class Reader:
    """Reads the data of a file and collects what is wrong with it."""

    format, version = FORMAT, VERSION
    parts: tuple[str, ...] = ("games",)  # the fields of the file beside its format and version

    def __init__(self, known: Known, most: Most | None = None) -> None:
        self.known = known
        self.most = most or Most()
        self.faults: list[TextFault] = []
        self.deals = 0

    def fault(self, path: str, code: str, *, detail: str = "") -> None:
        """Note a fault. Raises EnoughFaults once there are `MOST_FAULTS`."""
        if len(self.faults) == MOST_FAULTS - 1:
            self.faults.append(TextFault(0, 0, path, "and-more"))
            raise EnoughFaults
        self.faults.append(TextFault(0, 0, path, code, detail))

    def one_more_deal(self) -> None:
        """Count a deal before anything is made of it. Raises TooManyDeals."""
        self.deals += 1
        if self.deals > self.most.deals:
            raise TooManyDeals

    def is_ours(self, data: Any) -> bool:
        """Whether the data are a file of this format and version, with what is wrong noted; others are left unread."""
        if not isinstance(data, dict):
            self.fault("", "wrong-type", detail=KINDS[dict])
            return False
        for name, known in (("format", self.format), ("version", self.version)):
            if name not in data:
                self.fault(name, "missing")
            elif type(data[name]) is not type(known) or data[name] != known:
                self.fault(name, "not-a-choice", detail=str(known))
        if self.faults:
            return False
        for name in data:
            if name not in ("format", "version", *self.parts):
                self.fault(name, "unknown")
        return True

    def items(self, data: Mapping[str, Any], name: str, *, prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The objects in the list `name`, which must be there, each with its path."""
        if name not in data:
            self.fault(f"{prefix}{name}", "missing")
        elif not isinstance(data[name], list):
            self.fault(f"{prefix}{name}", "wrong-type", detail=KINDS[tuple])
        else:
            for number, item in enumerate(data[name]):
                if isinstance(item, dict):
                    yield f"{prefix}{name}.{number}", item
                else:
                    self.fault(f"{prefix}{name}.{number}", "wrong-type", detail=KINDS[dict])

    def part(
        self, kind: type[T], data: Mapping[str, Any], *, path: str, beside: str = "", only: bool = True
    ) -> T | None:
        """A part of the file, read as `kind`; None where that fails. The field `beside` is left out, to be read
        separately. See `from_data` for `only`."""
        try:
            return from_data(kind, {name: value for name, value in data.items() if name != beside}, only=only)
        except FactsError as no:
            for wrong in no.wrong:
                self.fault(f"{path}.{wrong.path}" if wrong.path else path, wrong.code, detail=wrong.wanted)
            return None

    def facts(self, data: Mapping[str, Any], family: Family | None, *, path: str) -> Any:
        """The facts of a deal; None where they can't be read, or its family isn't known."""
        if "facts" not in data:
            self.fault(f"{path}.facts", "missing")
        elif not isinstance(data["facts"], dict):
            self.fault(f"{path}.facts", "wrong-type", detail=KINDS[dict])
        elif family is not None:
            return self.part(family.facts, data["facts"], path=f"{path}.facts")
        return None

    def rules_named(self, slug: Any, version: Any, *, path: str) -> RuleSet | None:
        """The rule set that a game names."""
        if not isinstance(slug, str):
            return None
        versions = self.known.get(slug)
        if not versions:
            self.fault(f"{path}.rules", "not-a-choice", detail=", ".join(self.known))
            return None
        if type(version) is not int:
            return versions[0]
        found = next((rule_set for rule_set in versions if rule_set.version == version), None)
        if found is None:
            choices = ", ".join(str(rule_set.version) for rule_set in versions)
            self.fault(f"{path}.rules_version", "not-a-choice", detail=choices)
        return found

    def agree(self, head: Any, rule_set: RuleSet, *, path: str) -> None:
        """Note a fault where a game's shape isn't one of the rules', or its names and points don't fit the shape."""
        if head.shape not in rule_set.shapes:
            choices = ", ".join(f"{shape.sides} x {shape.per_side}" for shape in rule_set.shapes)
            self.fault(f"{path}.shape", "not-a-choice", detail=choices)
            return
        if head.sides and len(head.sides) != head.shape.sides:
            self.fault(f"{path}.sides", "wrong-number", detail=str(head.shape.sides))
        for number, names in enumerate(head.sides):
            if len(names) != head.shape.per_side:
                self.fault(f"{path}.sides.{number}", "wrong-number", detail=str(head.shape.per_side))
            for seat, name in enumerate(names):
                if not name.strip() or not is_one_line(name):
                    self.fault(f"{path}.sides.{number}.{seat}", "not-a-name")
        if not is_one_line(head.title):
            self.fault(f"{path}.title", "not-a-name")
        if head.start and len(head.start) != head.shape.sides:
            self.fault(f"{path}.start", "wrong-number", detail=str(head.shape.sides))
        elif rule_set.values.get("handicap") and sum(points > 0 for points in head.start) > 1:
            self.fault(f"{path}.start", "two-handicaps")

    def written(self, said: Any, sides: int, *, path: str) -> None:
        """Note a fault where a deal has totals but not one for each side, or marks a side that isn't there as set."""
        if said.written and len(said.written) != sides:
            self.fault(f"{path}.written", "wrong-number", detail=str(sides))
        for place, side in enumerate(said.written_sets or ()):
            if not 0 <= side < sides:
                choices = ", ".join(str(one) for one in range(sides))
                self.fault(f"{path}.written_sets.{place}", "not-a-choice", detail=choices)


class _DealReader(Reader):
    """Reads a deal file. All games are scored by `rule_set`, when there is one."""

    def __init__(self, known: Known, rule_set: RuleSet | None, *, most: Most) -> None:
        super().__init__(known, most)
        self.rule_set = rule_set

    def file(self, data: Any) -> tuple[FileGame, ...]:
        if not self.is_ours(data):
            return ()
        read = [self.game(game, path) for path, game in self.items(data, "games", prefix="")]
        return tuple(game for game in read if game is not None)

    def game(self, data: Mapping[str, Any], path: str) -> FileGame | None:
        head = self.part(GameHead, data, path=path, beside="deals")
        rule_set = self.rule_set or self.rules_named(data.get("rules"), data.get("rules_version"), path=path)
        if head is not None and rule_set is not None:
            self.agree(head, rule_set, path=path)
        sides = head.shape.sides if head is not None else None
        family = family_of(rule_set) if rule_set is not None else None
        deals = [
            self.deal(deal, at, family=family, sides=sides) for at, deal in self.items(data, "deals", prefix=f"{path}.")
        ]
        if self.faults or head is None or rule_set is None:
            return None
        said = {f.name: getattr(head, f.name) for f in fields(head) if f.name != "rules"}
        return FileGame(rule_set=rule_set, deals=tuple(deal for deal in deals if deal is not None), **said)

    def deal(self, data: Mapping[str, Any], path: str, *, family: Family | None, sides: int | None) -> FileDeal | None:
        self.one_more_deal()
        said = self.part(FileDeal, {**data, "facts": None}, path=path)
        if said is not None and sides is not None:
            self.written(said, sides, path=path)
        if said is not None and not is_one_line(said.ruling):
            self.fault(f"{path}.ruling", "not-a-name")
        facts = self.facts(data, family, path=path)
        return None if said is None or facts is None else replace(said, facts=facts)


def with_lines(faults: Sequence[TextFault], text: str) -> tuple[TextFault, ...]:
    """The faults in the order of the text, each with its line; a missing value has the line where its object begins."""
    lines = lines_of((fault.path for fault in faults), text)
    return tuple(sorted((replace(f, line=lines[f.path]) for f in faults), key=lambda fault: fault.line))


def lines_of(paths: Iterable[str], text: str) -> dict[str, int]:
    """The line of the value at each path; for a missing one, the line where the object that should have it begins."""
    asked = set(paths)
    wanted = set(asked)
    wanted |= {path[:at] for path in wanted for at, character in enumerate(path) if character == "."} | {""}
    lines = {place.path: place.line for place in places(text) if place.path in wanted}

    def line_of(path: str) -> int:
        while path not in lines:
            path = path.rpartition(".")[0]
        return lines[path]

    return {path: line_of(path) for path in asked}


# --- writing -------------------------------------------------------------------------------------------


def to_text(games: Sequence[FileGame]) -> str:
    """The deal file of some games, each deal on a line of its own; `read` gives the same games back."""
    written = ",".join(f"\n{game_text(_head(game), map(said_of, game.deals))}" for game in games)
    return f'{{\n "format": {as_json(FORMAT)},\n "version": {VERSION},\n "games": [{written}\n ]\n}}\n'


def _head(game: FileGame) -> GameHead:
    names = {f.name: getattr(game, f.name) for f in fields(GameHead) if f.name != "rules"}
    return GameHead(rules=game.rule_set.slug, **names)


def game_text(head: Any, deals: Iterable[Mapping[str, Any]]) -> str:
    """What a file says of a game, with the data of its deals, each on a line of its own."""
    lines = [f'   "{name}": {as_json(value)},' for name, value in said_of(head).items()]
    written = ",".join(f"\n    {as_json(deal)}" for deal in deals)
    return "\n".join(["  {", *lines, f'   "deals": [{written}', "   ]", "  }"])


def said_of(part: Any) -> dict[str, Any]:
    """The data of a part of a file, without the fields that are empty by default."""
    values = [(f, getattr(part, f.name)) for f in fields(part)]
    unsaid = {f.name for f, value in values if not value and value == f.default}
    return {name: value for name, value in to_data(part).items() if name not in unsaid}


def as_json(data: Any) -> str:
    """The JSON text of data on one line; letters beyond ASCII stay as they are."""
    return json.dumps(data, ensure_ascii=False)
