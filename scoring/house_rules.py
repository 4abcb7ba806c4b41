"""Verbs on a club's house rules."""

from __future__ import annotations

from django.db import transaction

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor, Club
from scoring.engine.families import rules_of
from scoring.engine.ruleset import RuleSet
from scoring.models import HouseRules


def adopt(*, club: Club, rule_set: RuleSet, by: Actor) -> HouseRules:
    """The club's version of a shipped rule set: published as it stands, or the one that the club has already.

    Raises:
        RulesError: the rule set is incomplete.
    """
    for shape in rule_set.shapes:
        rules_of(rule_set, shape)
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        known = HouseRules.objects.filter(club=club, slug=rule_set.slug).order_by("-version").first()
        if known:
            return known
        made = HouseRules.objects.create(
            club=club, slug=rule_set.slug, version=rule_set.version, title=rule_set.title, data=rule_set.to_data()
        )
        log(club=club, by=by, verb="rules.publish", subject=f"{made.slug} v{made.version}")
    return made
