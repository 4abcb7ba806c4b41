"""Cuts and standings as published, and the director's adjustments that count in them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import User
from clubsite.names import BETWEEN
from scoring.models import LONGEST_REASON
from tournaments.models.draws import Stage
from tournaments.models.events import Entry, Event


class Cut(models.Model):
    """Who goes on from a stage, with the reason for each: a proposal, then a version that stands."""

    class State(models.TextChoices):
        """One cut of a stage is published; earlier ones stay to be read."""

        DRAFT = "draft", _("proposal")
        PUBLISHED = "published", _("published")
        WITHDRAWN = "withdrawn", _("taken back")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="cuts")
    number = models.PositiveSmallIntegerField()  # version, from 1
    state = models.CharField(max_length=9, choices=State.choices, default=State.DRAFT)
    settled = models.JSONField(default=list)  # as data, in the order held: engine.standings.cut_line.Settlement
    tie_breaks = models.JSONField(default=list)  # the event's when it was made: a later change leaves it alone
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    published_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="one_cut_of_a_number"),
            models.UniqueConstraint(fields=["stage"], condition=Q(state="published"), name="one_published_cut"),
        ]

    def __str__(self) -> str:
        return BETWEEN.join([self.stage.name, gettext("Version %(n)s") % {"n": self.number}])


class CutLine(models.Model):
    """One name on either side of the line, and why."""

    cut = models.ForeignKey(Cut, on_delete=models.CASCADE, related_name="lines")
    entry = models.ForeignKey(Entry, on_delete=models.RESTRICT, related_name="cut_lines")
    order = models.PositiveSmallIntegerField()  # overall, from 1
    place = models.PositiveSmallIntegerField()  # within what was compared: group, table or all
    advances = models.BooleanField()
    reason = models.CharField(max_length=40)  # code of tournaments.engine.standings.cut
    args = models.JSONField(default=dict)
    # The figures it was decided by; null and empty in drafts of older versions of the site, which kept none.
    where = models.CharField(max_length=8, blank=True)  # its table and group: "3A"
    points = models.IntegerField(null=True)
    games_won = models.CharField(max_length=8, blank=True)  # "3" or "2½"

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["cut", "entry"], name="one_cut_line_per_entry")]


class PublishedStandings(models.Model):
    """Standings as they were published: never changed; a correction afterwards is the next version."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="published_standings")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="published_standings")
    number = models.PositiveSmallIntegerField()  # version, from 1
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    rows = models.JSONField()  # tournaments.standings.standings.Row as data, best first
    final = models.BooleanField(default=False)  # the event's result
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="one_standings_of_a_number")]


class Adjustment(models.Model):
    """Points that the director gives or takes away in a stage, with the reason. Taken back, it stays to be read."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="adjustments")
    entry = models.ForeignKey(Entry, on_delete=models.RESTRICT, related_name="adjustments")
    points = models.IntegerField(_("points"))  # below nought: a penalty
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    submission = models.UUIDField(unique=True)  # sent with the form: the same id twice is one adjustment
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=~Q(points=0), name="an_adjustment_changes_points")]

    def __str__(self) -> str:
        return f"{self.entry}: {self.points:+d}"
