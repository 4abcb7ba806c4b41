"""Which prizes an event has, and who won them as published."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import User
from scoring.models import LONGEST_REASON
from tournaments.models.events import Event
from tournaments.models.outcomes import PublishedStandings


class PrizePlan(models.Model):
    """The prizes of an event in the order in which they are given, by which rule, and the lots drawn for them."""

    class Ties(models.TextChoices):
        """What becomes of a prize for which several are level."""

        SHARE = "share", _("they share it, with the prizes of the places they take up")
        LOTS = "lots", _("lots are drawn among them")

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="prize_plan")
    prizes = models.JSONField(default=list)  # tournaments.prizes.proposal.PlannedPrize as data
    ties = models.CharField(_("those who are level"), max_length=5, choices=Ties.choices, default=Ties.SHARE)
    one_each = models.BooleanField(_("one prize a person"), default=True)
    passed = models.JSONField(default=list)  # ids of entries that take no prize
    lots = models.JSONField(default=list)  # seeds in the order drawn: {"door", "level", "at"}; set aside: "undone"

    def __str__(self) -> str:
        return f"{self.event}: {len(self.prizes)}"


class PublishedPrizes(models.Model):
    """Prizes as they were published: a version never changes but for its state. Another one takes its place."""

    class State(models.TextChoices):
        """One version of an event stands; earlier ones stay to be read."""

        PUBLISHED = "published", _("published")
        REPLACED = "replaced", _("replaced")
        WITHDRAWN = "withdrawn", _("taken back")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="published_prizes")
    number = models.PositiveSmallIntegerField()  # version, from 1
    state = models.CharField(max_length=9, choices=State.choices, default=State.PUBLISHED)
    standings = models.ForeignKey(PublishedStandings, on_delete=models.RESTRICT, related_name="prizes")
    lines = models.JSONField()  # tournaments.prizes.proposal.WonPrize as data
    currency = models.CharField(max_length=3)
    settled = models.JSONField(default=list)  # the plan's lots as they were
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_prizes_of_a_number"),
            models.UniqueConstraint(fields=["event"], condition=Q(state="published"), name="one_published_prizes"),
        ]

    def __str__(self) -> str:
        return f"{self.event} v{self.number}"
