"""A rule set with settings changed, and the difference between two versions of one."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from scoring.engine.core.ruleset import Plain, RuleSet, Setting
from scoring.engine.settings.kinds import as_data, completed, kinds_of, normal


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A setting whose value differs between two versions. None: that version has no such setting."""

    name: str
    old: Setting | None
    new: Setting | None

    @property
    def label(self) -> str:
        """What the setting means, as the newer version says it."""
        setting = self.new or self.old
        return setting.label if setting else self.name


def differences(old: RuleSet, new: RuleSet) -> tuple[SettingDifference, ...]:
    """The settings whose values differ, in the order of the newer version. Labels and sources aren't compared.

    A setting that came to the family after a version was published has there the value by which it was played.
    """
    before, after = completed(old).by_name, completed(new).by_name
    pairs = [(name, before.get(name), after.get(name)) for name in {**after, **before}]
    return tuple(SettingDifference(name, was, now) for name, was, now in pairs if _value(was) != _value(now))


def _value(setting: Setting | None) -> Plain:
    return normal(setting.value) if setting is not None else None


def changed(base: RuleSet, values: Mapping[str, Plain], *, original: RuleSet | None, source: str) -> RuleSet:
    """`base` with these values. All else stays: settings not named, version, date, title and description.

    A changed setting is the club's ruling, with `source` as its source. One that is changed back to what the
    `original` has gets the original's source again.
    """
    base = completed(base)
    kinds = kinds_of(base.family)
    known = original.by_name if original is not None else {}
    settings = []
    for setting in base.settings:
        value = values.get(setting.name, setting.value)
        if normal(value) == normal(setting.value):
            settings.append(setting)
        elif setting.name in known and normal(known[setting.name].value) == normal(value):
            settings.append(known[setting.name])
        else:
            data = as_data(value, kinds[setting.name].form)
            settings.append(Setting(setting.name, data, setting.label, source, ruling=True))
    return dataclasses.replace(base, settings=tuple(settings))
