"""Verbs on prizes: plan them, draw their lots, let somebody pass, publish who won, take that back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from scoring.models import LONGEST_REASON
from tournaments.errors import StepRefused
from tournaments.events.state import lock_event
from tournaments.models import Event, PrizePlan, PublishedPrizes
from tournaments.models.draws import next_number
from tournaments.prizes.proposal import PlannedPrize, out_of_date, plan_of, prizes_in, proposal_of, published_prizes
from tournaments.prizes.words import prize_words
from tournaments.seeds import seed_or_new

MOST_PRIZES = 20


def plan_prizes(*, event: Event, by: Actor, prizes: Sequence[PlannedPrize], ties: str, one_each: bool) -> PrizePlan:
    """Say which prizes there are, in the order in which they are given, and by which rule.

    What is published stands as it is: the desk says where it isn't what the plan gives any more.

    Raises:
        StepRefused: more prizes than a list holds, or a place has two prizes.
    """
    if len(prizes) > MOST_PRIZES:
        raise StepRefused(_("A list holds %(n)d prizes at most.") % {"n": MOST_PRIZES})
    places = [prize.place for prize in prizes if prize.kind == "place"]
    if len(set(places)) < len(places):
        raise StepRefused(_("The same place stands in the list twice. Give each place one prize."))
    with transaction.atomic():
        event = lock_event(event)
        plan, _made = PrizePlan.objects.get_or_create(event=event)
        old, before = _logged(plan, event.club.money), (plan.prizes, plan.ties, plan.one_each)
        plan.prizes, plan.ties, plan.one_each = [asdict(prize) for prize in prizes], ties, one_each
        if (plan.prizes, plan.ties, plan.one_each) != before:
            plan.save()
            if any(prize.amount for prize in prizes):
                event.club.keep_currency()
            new = _logged(plan, event.club.money)
            log(club=event.club, by=by, verb="prizes.plan", subject=event, old=old, new=new)
    return plan


def draw_prize_lots(*, event: Event, by: Actor, seen: int) -> PrizePlan:
    """Draw the lots for door prizes and for those who are level, with seeds that are kept.

    `seen` is how many drawings the page showed: a double tap draws once.

    Raises:
        StepRefused: no lots are needed, or the result isn't published.
    """
    with transaction.atomic():
        event, plan = _planned(event)
        if len(plan.lots) > seen:
            return plan
        now = proposal_of(event, plan)
        if now is None or not now.lots_needed:
            raise StepRefused(_("No lots are needed. Look at the prizes again."))
        drawn = {"door": seed_or_new(None), "level": seed_or_new(None), "at": timezone.now().isoformat()}
        plan.lots = [*plan.lots, drawn]
        plan.save()
        log(club=event.club, by=by, verb="prizes.lots", subject=event, new=drawn)
    return plan


def set_lots_aside(*, event: Event, by: Actor, reason: str, seen: int) -> PrizePlan:
    """Set the lots that were drawn aside: they stay to be read, with the reason, and new ones can be drawn.

    Raises:
        StepRefused: there is no reason, or there are no lots.
    """
    if not reason.strip():
        raise StepRefused(_("Lots have been drawn. To set them aside is a ruling: write its reason, it is printed."))
    with transaction.atomic():
        event, plan = _planned(event)
        if not plan.lots or len(plan.lots) != seen or "undone" in plan.lots[-1]:
            raise StepRefused(_("There are no such lots any more. Look at the prizes again."))
        old = plan.lots[-1]
        plan.lots = [*plan.lots[:-1], {**old, "undone": reason.strip()[:LONGEST_REASON]}]
        plan.save()
        log(club=event.club, by=by, verb="prizes.lots-aside", subject=event, old=old, new={"reason": reason.strip()})
    return plan


def let_pass(*, event: Event, by: Actor, entry: int, passes: bool) -> PrizePlan:
    """Note that somebody takes no prize, as they have gone or don't want one; or, without `passes`, may win again.

    Raises:
        StepRefused: nobody of that entry plays in the event.
    """
    with transaction.atomic():
        event, plan = _planned(event)
        found = event.entries.filter(pk=entry).first()
        if found is None:
            raise StepRefused(_("Nobody of that number plays in this event. Look at the prizes again."))
        if (entry in plan.passed) != passes:
            plan.passed = sorted({*plan.passed, entry}) if passes else [pk for pk in plan.passed if pk != entry]
            plan.save()
            log(club=event.club, by=by, verb="prizes.pass", subject=event.about(found), new={"passes": passes})
    return plan


def publish_prizes(*, event: Event, by: Actor, fingerprint: str, reason: str = "") -> PublishedPrizes:
    """Publish who won what as it was seen: the next version, in place of the one that stands.

    Publishing what stands already changes nothing.

    Raises:
        StepRefused: the result isn't published, lots aren't drawn, or anything has changed since the page was opened.
    """
    with transaction.atomic():
        event, plan = _planned(event)
        now = proposal_of(event, plan)
        if now is None:
            raise StepRefused(_("Publish the result first: the prizes go by it."))
        if now.lots_needed:
            raise StepRefused(_("Draw the lots first."))
        if now.fingerprint != fingerprint:
            raise StepRefused(
                _("The result or the prizes have changed since this page was opened. Look at them again.")
            )
        standing = published_prizes(event)
        if standing and not out_of_date(standing, now):
            return standing
        if standing:
            standing.state = PublishedPrizes.State.REPLACED
            standing.save()
        made = PublishedPrizes.objects.create(
            event=event,
            number=next_number(event.published_prizes),
            standings=now.standings,
            lines=now.data,
            currency=event.club.money,
            settled=plan.lots,
            reason=reason.strip()[:LONGEST_REASON],
            by=by.user,
        )
        new: dict[str, Any] = {"version": made.number, "result": now.standings.number, "reason": made.reason}
        log(club=event.club, by=by, verb="prizes.publish", subject=event, new=new)
    return made


def take_back_prizes(*, event: Event, by: Actor, reason: str) -> None:
    """Take the published prizes back. The version stays to be read.

    Raises:
        StepRefused: there is no reason.
    """
    if not reason.strip():
        raise StepRefused(_("Write the reason why the prizes are taken back."))
    with transaction.atomic():
        event = lock_event(event)
        standing = published_prizes(event)
        if standing is None:
            return
        standing.state = PublishedPrizes.State.WITHDRAWN
        standing.save()
        new = {"version": standing.number, "reason": reason.strip()}
        log(club=event.club, by=by, verb="prizes.withdraw", subject=event, new=new)


def _logged(plan: PrizePlan, currency: str) -> dict[str, Any]:
    """A plan as the log keeps it: in words."""
    return {
        "prizes": [prize_words(prize, currency) for prize in prizes_in(plan)],
        "those who are level": str(plan.get_ties_display()),
        "one prize a person": plan.one_each,
    }


def _planned(event: Event) -> tuple[Event, PrizePlan]:
    """The event, locked until the transaction ends, and its plan of prizes. Raises StepRefused where there is none."""
    event = lock_event(event)
    plan = plan_of(event)
    if plan is None:
        raise StepRefused(_("No prize is planned yet. Say first which prizes there are."))
    return event, plan
