"""The rule that gives a line its points: its settings, their source, and their place on the page of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.engine.core.ruleset import Plain, RuleSet, Setting
from scoring.templatetags.rule_texts import source_named
from scoring.wording.sections import SECTIONS, section_of

UNSET: tuple[Plain, ...] = ("", [], {})
SOURCES_AT_MOST = 2  # shown beside a line; of more, the heading under which they stand


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule of a rule set in the words of its sources."""

    settings: tuple[str, ...] = ()  # names
    setting: str = ""  # the name, if there is only one; "" if several make the rule
    source: str = ""  # document and section
    anchor: str = ""  # id on the page of the rules


def anchor_of(name: str) -> str:
    """The place of a setting on the page of its rules: an id."""
    return f"setting-{name}"


def section_anchor(key: str) -> str:
    """The place of a heading on the page of rules: an id."""
    return f"section-{key}"


def named_rule(names: Sequence[str], rule_set: RuleSet) -> NamedRule:
    """The rule that these settings of a rule set make together; empty ones are left out, unless all are empty."""
    known = rule_set.by_name
    found = [known[name] for name in names if name in known]
    found = [setting for setting in found if setting.value not in UNSET] or found
    if not found:
        return NamedRule()
    together = tuple(setting.name for setting in found)
    return NamedRule(together, together[0] if len(together) == 1 else "", _source(found), _anchor(found))


def _source(settings: Sequence[Setting]) -> str:
    sources = list(dict.fromkeys(setting.source for setting in settings))
    if len(sources) <= SOURCES_AT_MOST:
        return "; ".join(source_named(source) for source in sources)
    heading = SECTIONS[section_of(settings[0].name)]
    return _("%(heading)s: each with its own source") % {"heading": heading}


def _anchor(settings: Sequence[Setting]) -> str:
    sections = {section_of(setting.name) for setting in settings}
    if len(settings) > 1 and len(sections) == 1:
        return section_anchor(sections.pop())
    return anchor_of(settings[0].name)
