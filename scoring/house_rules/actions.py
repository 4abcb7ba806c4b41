"""Verbs on a club's house rules, and their versions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.accounts.starting import first_free
from clubsite.names import slug_of
from scoring.engine.core.ruleset import RuleSet, SettingProblem, Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.settings import change_settings, differences, implausible_settings, setting_problems
from scoring.models import HouseRules
from scoring.templatetags.rule_texts import own_source

OWN_GAME = "points-only"  # its description is for who chooses it: no game made of it has that
SLUG_MOST = 40  # letters of a name in an address; a number may follow


class RulesNotPublished(Exception):
    """Nothing was published."""


class Unsound(RulesNotPublished):
    """No game can be played with the settings; carries all problems."""

    def __init__(self, problems: tuple[SettingProblem, ...]) -> None:
        super().__init__(", ".join(f"{p.setting}: {p.code}" for p in problems))
        self.problems = problems


class NothingChanged(RulesNotPublished):
    """The rules that were sent are already in force."""


class RulesNameTaken(RulesNotPublished):
    """There are other rules of that name."""


class NewerVersion(RulesNotPublished):
    """A version was published since the form was opened; carries it."""

    def __init__(self, rules: HouseRules) -> None:
        super().__init__(f"{rules.slug} v{rules.version}")
        self.rules = rules


def newest(club: Club, slug: str) -> HouseRules | None:
    """The club's last version of these rules, or None."""
    return HouseRules.objects.filter(club=club, slug=slug).select_related("club").order_by("-version").first()


def in_force(club: Club, slug: str) -> RuleSet:
    """The rules as the club plays them: its last version, else the shipped rule set. Raises KeyError for neither."""
    last = newest(club, slug)
    return last.rule_set if last else shipped()[slug]


def next_version(club: Club, slug: str) -> int:
    """The number that the next version gets: after the club's own and after the shipped one."""
    last = newest(club, slug)
    original = shipped().get(slug)
    return max(last.version if last else 0, original.version if original else 0) + 1


def adopt(*, club: Club, rule_set: RuleSet, by: Actor) -> HouseRules:
    """The club's version of a shipped rule set: published unchanged, or the one that the club has already.

    Raises:
        RulesError: the rule set is incomplete.
    """
    for shape in rule_set.shapes:
        rules_of(rule_set, shape)
    with transaction.atomic():
        club.lock()
        adopted = newest(club, rule_set.slug)
        if adopted:
            return adopted
        return save_rules(club=club, rule_set=rule_set, by=by)


def save_rules(*, club: Club, rule_set: RuleSet, by: Actor, verb: str = "rules.publish", **logged: Any) -> HouseRules:
    """Save a version of the club's rules, and log it with what is `logged` besides; call it in the transaction of the
    change."""
    rules = HouseRules.of(club, rule_set)
    rules.save()
    log(club=club, by=by, verb=verb, subject=rules.in_log, **logged)
    return rules


@dataclass(frozen=True, slots=True)
class RulesChange:
    """How the next version of rules differs: values by setting name, its title and its description, and who can play;
    no `shapes`: as before."""

    values: Mapping[str, Any]
    title: str
    about: str
    shapes: tuple[Shape, ...] = ()


def publish_rules(*, club: Club, base: RuleSet, change: RulesChange, seen: int, by: Actor) -> HouseRules:
    """Publish the next version of the club's rules: `base` with a change.

    `seen` is the club's last version when the form was opened, 0 for none. The same rules sent twice are one version.

    Raises:
        Unsound: the settings make no game.
        NothingChanged: these are the rules in force, word for word.
        NewerVersion: another version was published since the form was opened.
    """
    with transaction.atomic():
        club.lock()
        draft = draft_of(club=club, base=base, change=change)  # numbered as the version that comes next
        if problems := (*setting_problems(draft), *implausible_settings(draft)):
            raise Unsound(problems)
        last = newest(club, base.slug)
        before = in_force(club, base.slug)
        if last and last.version != seen:
            if same(before, draft):
                return last
            if seen or not _adopted(last):
                raise NewerVersion(last)
        if same(before, draft):
            raise NothingChanged
        changes = differences(before, draft)
        old = {d.name: d.old.value if d.old else None for d in changes}
        new = {d.name: d.new.value if d.new else None for d in changes}
        if set(before.shapes) != set(draft.shapes):
            old["shapes"], new["shapes"] = (", ".join(map(str, rules.shapes)) for rules in (before, draft))
        return save_rules(club=club, rule_set=draft, by=by, old=old, new=new)


def copy_rules(*, club: Club, base: RuleSet, title: str, by: Actor, file: str = "") -> HouseRules:
    """Publish rules unchanged under another name, beside the others, as version 1: the club's, which plays one game in
    two ways, or those of a `file` (its name). The same sent twice are one.

    Raises:
        RulesNameTaken: the club, or the program, has other rules of that name.
    """
    title = " ".join(title.split())
    if base.about == shipped()[OWN_GAME].about:
        base = replace(base, about="")
    with transaction.atomic():
        club.lock()
        by_slug = {rules.slug: rules for rules in HouseRules.objects.filter(club=club).order_by("version")}
        for rules in by_slug.values():
            if rules.title.casefold() == title.casefold():
                if (file or rules.slug != base.slug) and same(rules.rule_set, replace(base, title=rules.title)):
                    return rules
                raise RulesNameTaken(title)
        if title.casefold() in {rule_set.title.casefold() for rule_set in shipped().values()}:
            raise RulesNameTaken(title)
        plain = slug_of(title)[:SLUG_MOST].strip("-") or "rules"
        slug = first_free(plain, by_slug.keys() | shipped().keys())
        today = timezone.localdate(timezone=club.zone).isoformat()
        copied = replace(base, slug=slug, title=title, version=1, published=today)
        verb, old = ("rules.take_in", file) if file else ("rules.copy", f"{base.slug} v{base.version}")
        return save_rules(club=club, rule_set=copied, by=by, verb=verb, old=old)


def _adopted(rules: HouseRules) -> bool:
    """Whether a version is the unchanged shipped rule set, for example adopted by a game started in the meantime."""
    original = shipped().get(rules.slug)
    return original is not None and same(original, rules.rule_set)


def draft_of(*, club: Club, base: RuleSet, change: RulesChange) -> RuleSet:
    """The next version as it would be published today. A changed setting is the club's ruling of that date."""
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


def same(rule_set: RuleSet, other: RuleSet) -> bool:
    """Whether two versions say the same: title, description, who can play, and every value."""
    alike = (rule_set.title, rule_set.about, set(rule_set.shapes)) == (other.title, other.about, set(other.shapes))
    return alike and not differences(rule_set, other)
