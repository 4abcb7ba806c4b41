"""The two formats of deals as JSON (docs/deal-files.md), each one model: games to score or import, and everything that
a club recorded. Reading, writing and the JSON Schemas all come from the models.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, cast, get_args
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    FailFast,
    Field,
    Json,
    PlainValidator,
    SerializerFunctionWrapHandler,
    SkipValidation,
    Strict,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from clubsite.invisible_characters import is_one_line
from clubsite.names import has_email_address
from scoring.deal_files.json_text import (
    FAULTS,
    MAX_FAULTS,
    MAX_WEIGHT,
    TextFault,
    UnreadableText,
    add_lines,
    parse_json,
)
from scoring.engine.core import ruleset
from scoring.engine.core.family import Family, from_data
from scoring.engine.core.ruleset import RuleSet, Shape, shipped_versions
from scoring.engine.families import FAMILIES, family_of, rules_of
from scoring.models import LONGEST_REASON, DealVersion

MAX_DEAL_NUMBER = 1000  # of a deal in its game

T = TypeVar("T")

Known: TypeAlias = Mapping[str, Sequence[RuleSet]]
"""Slug to the versions of these rules that a file can name; the first is meant where it names none."""


@dataclass(frozen=True, slots=True)
class FileLimits:
    deals: int = 1_000_000
    weight: int = MAX_WEIGHT  # of its JSON, see `json_text.WEIGHT`
    size: int = 8 * 1024 * 1024  # bytes


class TooManyDeals(Exception):
    """A file has more deals than `FileLimits` allows; the rest of it wasn't read."""


@dataclass(slots=True)
class _Reading:
    """What the models need while a file is read."""

    known: Known
    rule_set: RuleSet | None = None  # for all games, whatever rules the file names
    game_rules: RuleSet | None = None  # of the game that is being read; None: not known
    sides: int = 0  # of that game; 0: not known

    def find_rules(self, slug: Any, version: Any) -> RuleSet | None:
        versions = self.known.get(slug, ()) if isinstance(slug, str) else ()
        fitting = (rules for rules in versions if type(version) is not int or rules.version == version)
        return self.rule_set or next(fitting, None)


# --- the parts of the formats --------------------------------------------------------------------------


def _fault(code: str, detail: str = "") -> PydanticCustomError:
    return PydanticCustomError(code, "{detail}", {"detail": detail})


def _faults(faults: Iterable[tuple[Sequence[int | str], str, str]]) -> ValidationError:
    errors = [InitErrorDetails(type=_fault(code, detail), loc=tuple(path), input=None) for path, code, detail in faults]
    return ValidationError.from_exception_data("file", errors)


def _check_line(text: str) -> str:
    if not is_one_line(text):
        raise _fault("not-a-name")
    return text


def _check_name(text: str, info: ValidationInfo) -> str:
    if not text.strip():
        raise _fault("not-a-name")
    if info.context and has_email_address(text):  # an older version took it: then it can still be exported
        raise _fault("an-address")
    return _check_line(text)


def _check_not_empty(items: tuple[T, ...]) -> tuple[T, ...]:
    if not items:
        raise _fault("missing")
    return items


def _check_id(text: str) -> str:
    with suppress(ValueError):
        if not text or str(UUID(text)) == text.lower():
            return text
    raise _fault("not-an-id")


def _check_time(text: str) -> str:
    with suppress(ValueError):
        if not text or datetime.fromisoformat(text).tzinfo is not None:
            return text
    raise _fault("not-a-time")


def _parse_facts(value: Any, info: ValidationInfo) -> Any:
    """Facts of the game's family; unparsed where the game's rules aren't known."""
    if info.context is None:  # the program's own
        return value
    if not isinstance(value, dict):
        raise _fault("wrong-type", "object")
    if info.context.game_rules is None:
        return value
    return from_data(family_of(info.context.game_rules).facts, value)


class _FirstFault(FailFast):
    """Reports only the first fault of a list. Hashable, so that a list can be optional."""

    __hash__ = object.__hash__


Every = Annotated[tuple[T, ...], Strict(False)]  # JSON has lists only
Items = Annotated[tuple[T, ...], Strict(False), _FirstFault()]
Some = Annotated[Items[T], AfterValidator(_check_not_empty), Field(json_schema_extra={"minItems": 1})]
Line = Annotated[str, AfterValidator(_check_line)]
Reason = Annotated[Line, Field(max_length=LONGEST_REASON)]
Name = Annotated[str, AfterValidator(_check_name)]


class _Part(BaseModel):
    """A part of a file. Fields that are empty by default aren't written."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @model_serializer(mode="wrap")
    def _write_filled(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        return {
            name: value for name, value in handler(self).items() if value or getattr(self, name) != fields[name].default
        }


class FileDeal(_Part):
    """One deal of a file."""

    facts: Annotated[Any, PlainValidator(_parse_facts, json_schema_input_type=dict[str, Any])] = Field(
        description="what is on the card, by the family that scores the rules"
    )
    written: Items[int | None] = Field(
        default=(), description="each side's running total as the scorer wrote it; null where nothing was written"
    )
    written_sets: Items[int] | None = Field(
        default=None, description="the sides that the scorer marked as set; left out or null: the card doesn't say"
    )
    ruling: Reason = Field(
        default="", description="the director's reason for accepting the deal in spite of its problems"
    )

    @field_validator("written")
    @classmethod
    def _check_count(cls, written: tuple[int | None, ...], info: ValidationInfo) -> tuple[int | None, ...]:
        if written and info.context and info.context.sides and len(written) != info.context.sides:
            raise _fault("wrong-number", str(info.context.sides))
        return written

    @field_validator("written_sets")
    @classmethod
    def _check_sides(cls, sides: tuple[int, ...] | None, info: ValidationInfo) -> tuple[int, ...] | None:
        choices = range(info.context.sides) if info.context and info.context.sides else sides or ()
        wrong = [place for place, side in enumerate(sides or ()) if side not in choices]
        if wrong:
            raise _faults(((place,), "not-a-choice", ", ".join(map(str, choices))) for place in wrong[:MAX_FAULTS])
        return sides


class Version(FileDeal):
    """One version of a deal that a club recorded."""

    id: Annotated[str, AfterValidator(_check_id)] = Field(
        default="", description="of the submission that recorded it; nothing: made from the game and the deal"
    )
    state: DealVersion.State = Field(
        default=DealVersion.State.ENTERED, description="whether it is as entered, agreed by the sides, disputed or void"
    )
    by: Line = Field(default="", max_length=150, description="who recorded it")
    route: Line = Field(default="", max_length=12, description="how it was recorded")
    at: Annotated[str, AfterValidator(_check_time)] = Field(
        default="", description="when: a date and time with its offset, ISO 8601"
    )
    reason: Reason = Field(default="", description="of a correction or a void")
    overruled: Items[str] = Field(default=(), description="the codes of the problems that the ruling set aside")


class ClubDeal(_Part):
    """One deal with everything that was recorded of it."""

    number: int = Field(ge=1, le=MAX_DEAL_NUMBER, description="in its game")
    versions: Some[Version] = Field(description="everything that was recorded of it, the first first")


class _Game(_Part):
    """What both formats say about a game. `rule_set` isn't in the file: it is looked up by `rules`."""

    rules: str = Field(
        description="the slug of a rule set: ./dev manage rules list, and within a club its own house rules"
    )
    shape: Shape = Field(description="who plays against whom; one of the rule set's")
    rules_version: int | None = Field(default=None, description="the version of the rules; the newest when left out")
    title: Line = Field(default="", max_length=160, description="where it was played")
    sides: Items[Items[Name]] = Field(
        default=(), description="for each side the names of its players, in order of seats"
    )
    start: Items[int] = Field(
        default=(), description="each side's points before the first deal (handicap); nothing means 0"
    )
    rule_set: SkipJsonSchema[SkipValidation[RuleSet]] = Field(default=cast(RuleSet, None), exclude=True, repr=False)

    @property
    def family(self) -> Family:
        return family_of(self.rule_set)

    @property
    def engine_rules(self) -> Any:
        return rules_of(self.rule_set, self.shape)

    @model_validator(mode="before")
    @classmethod
    def _find_rules(cls, data: Any, info: ValidationInfo) -> Any:
        if not isinstance(data, dict) or info.context is None:
            return data
        rule_set = info.context.find_rules(data.get("rules"), data.get("rules_version"))
        info.context.game_rules, info.context.sides = rule_set, 0
        if "rule_set" in data:
            raise _faults([(["rule_set"], "unknown", "")])
        return {**data, "rule_set": rule_set}

    @field_validator("rules")
    @classmethod
    def _check_known(cls, slug: str, info: ValidationInfo) -> str:
        if info.context and not info.context.rule_set and slug not in info.context.known:
            raise _fault("not-a-choice", ", ".join(info.context.known))
        return slug

    @field_validator("rules_version")
    @classmethod
    def _check_version(cls, number: int | None, info: ValidationInfo) -> int | None:
        slug = info.data.get("rules")
        if info.context and slug and number is not None and info.context.find_rules(slug, number) is None:
            raise _fault("not-a-choice", ", ".join(str(rules.version) for rules in info.context.known[slug]))
        return number

    @field_validator("shape")
    @classmethod
    def _check_shape(cls, shape: Shape, info: ValidationInfo) -> Shape:
        if info.context and info.context.game_rules:
            shapes = info.context.game_rules.shapes
            if shape not in shapes:
                raise _fault("not-a-choice", ", ".join(f"{choice.sides} x {choice.per_side}" for choice in shapes))
            info.context.sides = shape.sides
        return shape

    @field_validator("sides")
    @classmethod
    def _check_names(cls, sides: tuple[tuple[str, ...], ...], info: ValidationInfo) -> tuple[tuple[str, ...], ...]:
        if info.context and info.context.sides and sides:
            shape = info.data["shape"]
            wrong: list[tuple[tuple[int, ...], int]] = [((), shape.sides)] if len(sides) != shape.sides else []
            wrong += [((place,), shape.per_side) for place, names in enumerate(sides) if len(names) != shape.per_side]
            if wrong:
                raise _faults((path, "wrong-number", str(count)) for path, count in wrong)
        return sides

    @field_validator("start")
    @classmethod
    def _check_count(cls, start: tuple[int, ...], info: ValidationInfo) -> tuple[int, ...]:
        if info.context and info.context.sides and start:
            if len(start) != info.context.sides:
                raise _fault("wrong-number", str(info.context.sides))
            if info.context.game_rules.values.get("handicap") and sum(points > 0 for points in start) > 1:
                raise _fault("two-handicaps")
        return start


class FileGame(_Game):
    """One game of a deal file."""

    deals: Every[FileDeal] = Field(description="the deals, in order")


class ClubGame(_Game):
    """One game of a club."""

    sides: Items[Items[Name]] = Field(description="for each side the names of its players, in order of seats")
    ended: Reason = Field(
        default="", description="the director's reason for ending it; nothing: it ended by itself or goes on"
    )
    set_aside: bool = Field(
        default=False, description="whether it counts nowhere: the seats it was played on were taken back"
    )
    absent: Items[int] = Field(
        default=(), description="a walkover: the sides that weren't there, from 0 on; no deal counts"
    )
    deals: Every[ClubDeal] = Field(description="its deals")


class SettingText(_Part):
    """A setting of rules. The rules' family says what its value can be."""

    model_config = ConfigDict(extra="ignore")

    value: Any = Field(description="the figure, the choice, the list or the table; an empty text for none")
    label: str = Field(description="what it is, in plain words")
    source: str = Field(description="the document and section it is from")
    ruling: bool = Field(default=False, description="whether it is a judgement")


class RulesText(_Part):
    """A version of rules in full; there may be other fields beside these (see `RuleSet.to_data`)."""

    model_config = ConfigDict(extra="ignore")

    slug: str = Field(description="the name of the rules in files and addresses")
    title: str = Field(description="what they are called")
    family: str = Field(description="the engine that scores them")
    version: int = Field(description="the number of this version")
    published: str = Field(description="the day on which this version was published")
    about: str = Field(description="what they are for")
    shapes: Some[Shape] = Field(description="who can play against whom")
    settings: dict[str, SettingText] = Field(description="each by its name")

    @field_validator("family")
    @classmethod
    def _check_known(cls, family: str) -> str:
        if family not in FAMILIES:
            raise _fault("not-a-choice", ", ".join(FAMILIES))
        return family

    def rule_set(self) -> RuleSet:
        """The engine's rule set. Its settings are checked when it is imported."""
        return ruleset.from_data(self.model_dump())


class Example(_Part):
    """A worked example of rules: a deal, and what it comes to by itself."""

    shape: Shape = Field(description="who plays against whom")
    deal: Json[dict[str, Any]] = Field(description="what is on the card, as JSON text")
    points: Every[int] = Field(description="each side's points of this deal")


class RulesFile(RulesText):
    """One version of rules by itself, with worked examples."""

    examples: Every[Example] = Field(default=(), description="deals, and what they come to")


class DealFile(_Part):
    """Games and their deals (docs/deal-files.md). Figures are written without a decimal point."""

    format: Literal["nine-tables/deals"] = Field(description="what kind of file this is")
    version: Literal[1] = Field(description="of the format")
    games: Every[FileGame] = Field(description="the games")


class ClubDeals(_Part):
    """Everything that was recorded of a club's games and deals (docs/deal-files.md)."""

    format: Literal["nine-tables/club-deals"] = Field(description="what kind of file this is")
    version: Literal[1] = Field(description="of the format")
    rules: Every[RulesText] = Field(description="the house rules by which the games were played, each version in full")
    games: Every[ClubGame] = Field(description="the games with a deal")

    @field_validator("rules")
    @classmethod
    def _add_known(cls, rules: tuple[RulesText, ...], info: ValidationInfo) -> tuple[RulesText, ...]:
        reading: Any = info.context
        reading.known = add_rules(reading.known, [text.rule_set() for text in rules])
        return rules


def add_rules(known: Known, added: Iterable[RuleSet]) -> Known:
    """The known rules and the added ones, which replace known ones of the same number."""
    by_slug: dict[str, list[RuleSet]] = {slug: list(versions) for slug, versions in known.items()}
    for rule_set in added:
        remaining = [other for other in by_slug.get(rule_set.slug, ()) if other.version != rule_set.version]
        by_slug[rule_set.slug] = sorted([rule_set, *remaining], key=lambda rules: -rules.version)
    return by_slug


# --- reading -------------------------------------------------------------------------------------------


def read_games(
    text: str, rule_set: RuleSet | None = None, *, known: Known | None = None, limits: FileLimits | None = None
) -> tuple[FileGame, ...]:
    """The games of a deal file.

    `rule_set`: for all games, whatever rules the file names. `known`: the rules that the file can name; None: the
    shipped ones.

    Raises:
        UnreadableText: it isn't JSON, or fields are missing, unknown or wrong; has up to `MAX_FAULTS` faults with their
            lines.
        TooManyDeals: there are more than `limits` allow.
    """
    reading = _Reading(known or shipped_versions(), rule_set)
    return cast(DealFile, _read_file(text, [DealFile], reading=reading, limits=limits or FileLimits())).games


def read_either(text: str, known: Known, *, limits: FileLimits) -> DealFile | ClubDeals:
    """A file of either format. Raises as `read_games` does."""
    file = _read_file(text, [DealFile, ClubDeals], reading=_Reading(known), limits=limits)
    return cast(DealFile | ClubDeals, file)


def _read_file(text: str, kinds: Sequence[type[BaseModel]], *, reading: _Reading, limits: FileLimits) -> BaseModel:
    data = parse_json(text, most_weight=limits.weight)
    formats = {_format_name(kind): kind for kind in kinds}
    named = data.get("format") if isinstance(data, dict) else None
    kind = formats[named] if isinstance(named, str) and named in formats else kinds[-1]
    if faults := tuple(_format_faults(data, kind)):
        raise UnreadableText(add_lines(faults, text))
    if _count_parts(data) > limits.deals:
        raise TooManyDeals
    del data  # to free memory: the models parse the text again
    try:
        return kind.model_validate_json(text, context=reading)
    except ValidationError as error:
        faults = tuple(map(text_fault, error.errors(include_url=False, include_input=False)))
    faults = tuple(fault for fault in faults if fault.path.startswith("rules.")) or faults  # games go by them
    if len(faults) >= MAX_FAULTS:
        faults = (*faults[: MAX_FAULTS - 1], TextFault(0, 0, faults[MAX_FAULTS - 1].path, "and-more"))
    raise UnreadableText(add_lines(faults, text))


def _format_name(kind: type[BaseModel]) -> str:
    return str(get_args(kind.model_fields["format"].annotation)[0])


def _format_faults(data: Any, kind: type[BaseModel]) -> Iterator[TextFault]:
    """Data of another format or version."""
    if not isinstance(data, dict):
        yield TextFault(0, 0, "", "wrong-type", "object")
        return
    for name, ours in (("format", _format_name(kind)), ("version", 1)):
        if name not in data:
            yield TextFault(0, 0, name, "missing")
        elif type(data[name]) is not type(ours) or data[name] != ours:
            yield TextFault(0, 0, name, "not-a-choice", str(ours))


def _count_parts(data: Mapping[str, Any]) -> int:
    """How many deals, games or rules a file has, whichever are most."""
    games, rules = data.get("games"), data.get("rules")
    parts = [part for part in (games, rules) if isinstance(part, list)]
    deals = [game["deals"] for game in parts[0] if isinstance(game, dict) and "deals" in game] if parts else []
    return max([*map(len, parts), sum(len(some) for some in deals if isinstance(some, list))])


_WRONG_TYPE = {"bool": "yes-or-no", "string": "text", "tuple": "list"}
_WRONG_TYPE |= dict.fromkeys(("dict", "dataclass", "model"), "object")  # any other: a whole number belongs there


def text_fault(error: ErrorDetails) -> TextFault:
    """A fault as pydantic names it, in our codes."""
    path, kind, context = ".".join(map(str, error["loc"])), error["type"], error.get("ctx", {})
    if kind in FAULTS:
        return TextFault(0, 0, path, kind, context.get("detail", ""))
    match kind:
        case "extra_forbidden" | "unexpected_keyword_argument":
            return TextFault(0, 0, path, "unknown")
        case "string_too_long":
            return TextFault(0, 0, path, "too-long", str(context["max_length"]))
        case "enum":
            return TextFault(0, 0, path, "not-a-choice", context["expected"].replace("'", "").replace(" or ", ", "))
        case "json_invalid":
            deep = "recursion" in context["error"]
            return TextFault(0, 0, "", "too-deep" if deep else "not-json", "" if deep else context["error"])
    return TextFault(0, 0, path, "wrong-type", _WRONG_TYPE.get(kind.removesuffix("_type"), "whole-number"))


# --- writing -------------------------------------------------------------------------------------------


def club_text(rules: Iterable[RuleSet], games: Iterable[ClubGame]) -> Iterator[str]:
    """The text of a club's export, in parts: a line for each version of rules and each deal."""
    yield f'{{\n "format": {json_line(_format_name(ClubDeals))},\n "version": 1,\n "rules": ['
    yield ",".join(f"\n  {json_line(rule_set.to_data())}" for rule_set in rules)
    yield '\n ],\n "games": ['
    for number, game in enumerate(games):
        yield f"{',' if number else ''}\n{game_text(game)}"
    yield "\n ]\n}\n"


def game_text(game: FileGame | ClubGame) -> str:
    head = game.model_dump(mode="json", exclude={"deals"})
    lines = [f'   "{name}": {json_line(value)},' for name, value in head.items()]
    written = ",".join(f"\n    {json_line(deal.model_dump(mode='json'))}" for deal in game.deals)
    return "\n".join(["  {", *lines, f'   "deals": [{written}', "   ]", "  }"])


def json_line(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
