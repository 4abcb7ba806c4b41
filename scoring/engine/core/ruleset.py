"""Rule sets as data: one TOML file per published version, each number with its label and source.

A file holds `slug`, `title`, `family`, `version`, `published`, `about`, one `[[shapes]]` per way to sit
down, and under `[settings.NAME]` the `value`, a plain-words `label`, the `source` (document and section)
and, where it is a judgement, `ruling = true` (a ruling between sources that disagree, or that are silent).
A file with `like` holds only what differs from the rule set of that slug; of a setting, only the parts that differ.
The file of a version that was shipped before holds only what was different then from the version after it.
"""

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, TypeAlias

from scoring.engine.core.ledger import Args, named

Plain: TypeAlias = Any  # int, bool, str, or lists and tables of these

MOST = 1_000_000  # points; no game goes beyond


class RulesError(ValueError):
    """A rule set's data is incomplete or wrong; the message names the setting."""


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """Who plays against whom: `sides` that score separately, `per_side` players each."""

    sides: Annotated[int, "how many sides score separately"]
    per_side: Annotated[int, "how many players each side has"] = 1

    def __str__(self) -> str:
        return f"{self.sides}x{self.per_side}"

    @property
    def players(self) -> int:
        return self.sides * self.per_side


@dataclass(frozen=True, slots=True)
class Setting:
    name: str
    value: Plain
    label: str
    source: str
    ruling: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """The limits of a setting's figures; written in the annotation of its type."""

    least: int = 0
    most: int = MOST


@dataclass(frozen=True, slots=True)
class SettingProblem:
    setting: str  # its name; "" for all of them together
    code: str
    args: Args = ()


def more_than(name: str, figure: int, *, other: str, most: int) -> SettingProblem:
    """A setting's figure is more than that of another setting, which is the most it may be."""
    return SettingProblem(name, "setting.more-than", named(figure=figure, most=most, other=other))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What every family's rules have: the shape of the game and when it ends. A rule set's TOML has the label and the
    source of each setting.

    A setting's type says which values it can have: a Range limits its figures (without one they start at zero), a tuple
    of names lists the choices, or the names in its table.

    `target` is the score that ends a game (None: only `deals` does); `deals` the number of deals
    (None: no limit); `bid_side_first` whether the bid side is counted first; `lowest_wins` for
    games in which few points are good (the target then ends the game, and wins it for nobody);
    `lose_at` the score, below zero, with which a side has lost the game (None: no such score).
    """

    shape: Shape
    target: Annotated[int | None, Range(1)]
    deals: Annotated[int | None, Range(1, 100)]
    bid_side_first: bool = False
    lowest_wins: bool = False
    lose_at: Annotated[int | None, Range(-MOST, -1)] = None

    @property
    def terms(self) -> str:
        """The key of words that replace the usual ones under these rules; "" for none."""
        return ""

    def __hash__(self) -> int:
        """Of few settings, to be quick: rules are looked up for every card, and few differ only in others."""
        return hash((self.target, self.deals, self.shape.sides, self.shape.per_side))


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One version of a rule set, as published. `settings` are in the file's order."""

    slug: str
    title: str
    family: str
    version: int
    published: str  # ISO date
    about: str
    shapes: tuple[Shape, ...]
    settings: tuple[Setting, ...]

    @property
    def by_name(self) -> dict[str, Setting]:
        return {setting.name: setting for setting in self.settings}

    @property
    def values(self) -> dict[str, Plain]:
        """Setting name to value. An empty string means "none" (TOML has no null)."""
        return {s.name: None if s.value == "" else s.value for s in self.settings}

    @property
    def lowest_wins(self) -> bool:
        return bool(self.values.get("lowest_wins"))

    @property
    def has_bids(self) -> bool:
        values = self.values
        return values.get("opening_bid") is not None and values.get("bidding", True) is True

    @property
    def has_lone_hands(self) -> bool:
        """Whether somebody can play alone for every trick.

        >>> [slug for slug, rule_set in shipped().items() if rule_set.has_lone_hands]
        ['bid-euchre', 'euchre-by-tricks']
        """
        named = {*(self.values.get("maker_points") or ()), *(self.values.get("calls") or ())}
        return not named.isdisjoint({"lone-march", "alone", "moon", "double-moon"})

    def to_data(self) -> dict[str, Plain]:
        """Plain JSON data, as stored with a club's house rules; `from_data` gives the same rule set back."""
        data = dataclasses.asdict(self)
        return data | {"shapes": list(data["shapes"]), "settings": {s.pop("name"): s for s in data["settings"]}}


def from_data(data: Mapping[str, Plain]) -> RuleSet:
    """A rule set from the data of a TOML file or a stored version.

    Raises:
        RulesError: something is missing, or a setting has no label or source.
    """
    try:
        return RuleSet(
            slug=data["slug"],
            title=data["title"],
            family=data["family"],
            version=data["version"],
            published=str(data["published"]),
            about=data.get("about", ""),
            shapes=tuple(Shape(**shape) for shape in data["shapes"]),
            settings=tuple(
                Setting(name, s["value"], s["label"], s["source"], s.get("ruling", False))
                for name, s in data["settings"].items()
            ),
        )
    except KeyError as missing:
        raise RulesError(f"{data.get('slug', 'rule set')}: {missing} is missing") from missing


@cache
def shipped() -> dict[str, RuleSet]:
    """The rule sets that come with the program, by slug."""
    texts = (f.read_text(encoding="utf-8") for f in files("scoring.rules").iterdir() if f.name.endswith(".toml"))
    files_by_slug = {data["slug"]: data for data in map(tomllib.loads, texts)}
    return {slug: from_data(_merge_like(files_by_slug[slug], files_by_slug)) for slug in sorted(files_by_slug)}


def _merge_like(data: Mapping[str, Plain], by_slug: Mapping[str, Mapping[str, Plain]]) -> Mapping[str, Plain]:
    """The data of a file, completed from the rule set that it is `like`."""
    if "like" not in data:
        return data
    other = _merge_like(by_slug[data["like"]], by_slug)
    settings = {name: {**other["settings"].get(name, {}), **changed} for name, changed in data["settings"].items()}
    return {**other, **data, "settings": {**other["settings"], **settings}}


@cache
def shipped_versions() -> dict[str, tuple[RuleSet, ...]]:
    """Every version ever shipped with the program, by slug, the newest first."""
    versions: dict[str, tuple[RuleSet, ...]] = {slug: (rule_set,) for slug, rule_set in shipped().items()}
    earlier = [f for f in files("scoring.rules").joinpath("earlier").iterdir() if f.name.endswith(".toml")]
    changes = [tomllib.loads(f.read_text(encoding="utf-8")) for f in earlier]
    for change in sorted((data for data in changes if "slug" in data), key=lambda data: -data["version"]):
        after = versions[change["slug"]][-1].to_data()
        before = {**after, **change, "settings": {**after["settings"], **change.get("settings", {})}}
        versions[change["slug"]] += (from_data(before),)
    return versions


def shipped_in_family(family: str) -> list[RuleSet]:
    return [rule_set for rule_set in shipped().values() if rule_set.family == family]


def shapes_in_family(family: str) -> set[Shape]:
    return {shape for rule_set in shipped_in_family(family) for shape in rule_set.shapes}
