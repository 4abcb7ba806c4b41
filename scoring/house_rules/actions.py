"""Verbs on versions of a club's house rules."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.accounts.starting import first_free
from clubsite.names import make_slug
from scoring.engine.core.ruleset import RuleSet, SettingProblem, Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.settings import change_settings, differences, implausible_settings, setting_problems
from scoring.models import HouseRules
from scoring.templatetags.rule_texts import own_source

OWN_GAME = "points-only"  # its description tells how to use it, so copies go without
MAX_SLUG = 40  # letters; a number may follow


class RulesNotPublished(Exception):
    """Nothing was published."""


class SettingsUnsound(RulesNotPublished):
    """No game can be played with the settings."""

    def __init__(self, problems: tuple[SettingProblem, ...]) -> None:
        super().__init__(", ".join(f"{p.setting}: {p.code}" for p in problems))
        self.problems = problems


class NothingChanged(RulesNotPublished):
    """The rules that were sent are already in force."""


class RulesNameTaken(RulesNotPublished):
    """There are other rules of that name."""


class NewerVersion(RulesNotPublished):
    """A version was published since the form was opened."""

    def __init__(self, rules: HouseRules) -> None:
        super().__init__(f"{rules.slug} v{rules.version}")
        self.rules = rules


def latest_version(club: Club, slug: str) -> HouseRules | None:
    return HouseRules.objects.filter(club=club, slug=slug).select_related("club").order_by("-version").first()


def rules_in_force(club: Club, slug: str) -> RuleSet:
    """The club's latest version, else the shipped rule set. Raises KeyError for neither."""
    last = latest_version(club, slug)
    return last.rule_set if last else shipped()[slug]


def next_version(club: Club, slug: str) -> int:
    """After the club's latest version and the shipped one."""
    last = latest_version(club, slug)
    original = shipped().get(slug)
    return max(last.version if last else 0, original.version if original else 0) + 1


def adopt(*, club: Club, rule_set: RuleSet, by: Actor) -> HouseRules:
    """The club's latest version of a shipped rule set; if it has none, publish the rule set unchanged.

    Raises:
        RulesError: the rule set is incomplete.
    """
    for shape in rule_set.shapes:
        rules_of(rule_set, shape)
    with club.locked_transaction():
        adopted = latest_version(club, rule_set.slug)
        if adopted:
            return adopted
        return save_rules(club=club, rule_set=rule_set, by=by)


def save_rules(*, club: Club, rule_set: RuleSet, by: Actor, verb: str = "rules.publish", **logged: Any) -> HouseRules:
    """Save and log a version. Call it in the transaction of the change."""
    rules = HouseRules.of(club, rule_set)
    rules.save()
    log(club=club, by=by, verb=verb, subject=rules.in_log, **logged)
    return rules


@dataclass(frozen=True, slots=True)
class RulesChange:
    """How the next version of rules differs."""

    values: Mapping[str, Any]  # by the setting's name
    title: str
    about: str
    shapes: tuple[Shape, ...] = ()  # (): as before


def publish_rules(*, club: Club, base: RuleSet, change: RulesChange, seen: int, by: Actor) -> HouseRules:
    """Publish the next version of the club's rules: `base` with a change.

    `seen` is the club's last version when the form was opened, 0 for none. The same rules sent twice are one version.

    Raises:
        SettingsUnsound: the settings make no game.
        NothingChanged: these are the rules in force, word for word.
        NewerVersion: another version was published since the form was opened.
    """
    with club.locked_transaction():
        draft = draft_version(club=club, base=base, change=change)  # numbered as the version that comes next
        if problems := (*setting_problems(draft), *implausible_settings(draft)):
            raise SettingsUnsound(problems)
        last = latest_version(club, base.slug)
        before = rules_in_force(club, base.slug)
        if last and last.version != seen:
            if are_alike(before, draft):
                return last
            if seen or not _is_as_shipped(last):
                raise NewerVersion(last)
        if are_alike(before, draft):
            raise NothingChanged
        changes = differences(before, draft)
        old = {d.name: d.old.value if d.old else None for d in changes}
        new = {d.name: d.new.value if d.new else None for d in changes}
        if set(before.shapes) != set(draft.shapes):
            old["shapes"], new["shapes"] = (", ".join(map(str, rules.shapes)) for rules in (before, draft))
        return save_rules(club=club, rule_set=draft, by=by, old=old, new=new)


def copy_rules(*, club: Club, base: RuleSet, title: str, by: Actor, file: str = "") -> HouseRules:
    """Publish rules unchanged under another name, as version 1 of rules of their own: the club's, which plays one game
    in two ways, or those of a `file` (its name). The same sent twice are one.

    Raises:
        RulesNameTaken: the club, or the program, has other rules of that name.
    """
    title = " ".join(title.split())
    if base.about == shipped()[OWN_GAME].about:
        base = replace(base, about="")
    with club.locked_transaction():
        by_slug = {rules.slug: rules for rules in HouseRules.objects.filter(club=club).order_by("version")}
        for rules in by_slug.values():
            if rules.title.casefold() == title.casefold():
                if (file or rules.slug != base.slug) and are_alike(rules.rule_set, replace(base, title=rules.title)):
                    return rules
                raise RulesNameTaken(title)
        if title.casefold() in {rule_set.title.casefold() for rule_set in shipped().values()}:
            raise RulesNameTaken(title)
        plain = make_slug(title)[:MAX_SLUG].strip("-") or "rules"
        slug = first_free(plain, by_slug.keys() | shipped().keys())
        today = timezone.localdate(timezone=club.zone).isoformat()
        copied = replace(base, slug=slug, title=title, version=1, published=today)
        verb, old = ("rules.take_in", file) if file else ("rules.copy", f"{base.slug} v{base.version}")
        return save_rules(club=club, rule_set=copied, by=by, verb=verb, old=old)


def _is_as_shipped(rules: HouseRules) -> bool:
    """For example adopted by a game started in the meantime."""
    original = shipped().get(rules.slug)
    return original is not None and are_alike(original, rules.rule_set)


def draft_version(*, club: Club, base: RuleSet, change: RulesChange) -> RuleSet:
    """The next version, as of today. A changed setting is the club's ruling of that date."""
    version = next_version(club, base.slug)
    today = timezone.localdate(timezone=club.zone)
    draft = change_settings(base, change.values, original=shipped().get(base.slug), source=own_source(version, today))
    return replace(
        draft,
        version=version,
        published=today.isoformat(),
        title=change.title,
        about=change.about,
        shapes=change.shapes or base.shapes,
    )


def are_alike(rule_set: RuleSet, other: RuleSet) -> bool:
    """Whether title, description, who can play, and every value are the same."""
    alike = (rule_set.title, rule_set.about, set(rule_set.shapes)) == (other.title, other.about, set(other.shapes))
    return alike and not differences(rule_set, other)
