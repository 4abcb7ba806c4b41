"""Stages, rounds, and their draws: who sits where, and which games they play there."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import User
from scoring.models import Game
from tournaments.models.events import Entry, Event


class Stage(models.Model):
    """A part of an event with its own standings: the afternoon; or qualifying, semi-final, final."""

    class CutRule(models.TextChoices):
        """Who goes on from this stage."""

        NONE = "", _("nobody: its order is the result")
        GROUP = "group", _("the best of each group")
        TABLE = "table", _("the best of each table")
        OVERALL = "overall", _("the best overall")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()  # from 1
    name = models.CharField(_("name"), max_length=40)
    games = models.PositiveSmallIntegerField(_("games in a set"), default=1)  # at most, per group and round
    cut_rule = models.CharField(_("who goes on"), max_length=7, choices=CutRule.choices, blank=True)
    advance = models.PositiveSmallIntegerField(_("finalists"), default=0)  # how many go on altogether
    wild_cards = models.PositiveSmallIntegerField(_("wild cards"), default=0)  # of those, by score from the whole field
    seeded = models.BooleanField(_("seeded"), default=False)  # the best of the stage before spread over the groups

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_stage_of_a_number")]

    def __str__(self) -> str:
        return self.name


class Round(models.Model):
    """One seating of a stage."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()  # from 1
    closed = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="one_round_of_a_number")]

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"


class Draw(models.Model):
    """One version of who sits where in a round. Seats never change; another draw is another version."""

    class State(models.TextChoices):
        """A draft is seen by the director only; a withdrawn draw keeps its games, which don't count."""

        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        WITHDRAWN = "withdrawn", _("taken back")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="draws")
    number = models.PositiveSmallIntegerField()  # version, from 1
    state = models.CharField(max_length=9, choices=State.choices, default=State.DRAFT)
    seed = models.BigIntegerField()
    statement = models.JSONField(default=dict)  # what the verifier counted
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    published_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="one_draw_of_a_number"),
            models.UniqueConstraint(fields=["round"], condition=Q(state="published"), name="one_published_draw"),
        ]

    def __str__(self) -> str:
        return f"{self.round} v{self.number}"


class Table(models.Model):
    """A table of a draw."""

    draw = models.ForeignKey(Draw, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()  # from 1

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["draw", "number"], name="one_table_of_a_number")]

    def __str__(self) -> str:
        return str(self.number)


class Group(models.Model):
    """Those at a table who play one set of games: the whole table, or one of two groups of three."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="groups")
    number = models.PositiveSmallIntegerField()  # from 1: A, B
    ended = models.CharField(max_length=200, blank=True)  # the director's reason for ending the set early

    class Meta:
        ordering = ["table__number", "number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="one_group_of_a_number")]

    def __str__(self) -> str:
        return f"{self.table}{self.letter}"

    @property
    def letter(self) -> str:
        """A for the first group of a table, B for the second."""
        return chr(ord("A") + self.number - 1)


class Seat(models.Model):
    """Where an entry sits, and on which side it scores."""

    draw = models.ForeignKey(Draw, on_delete=models.CASCADE, related_name="seats")
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="seats")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")
    side = models.PositiveSmallIntegerField()  # from 0, as in the group's games
    position = models.PositiveSmallIntegerField()  # within the side, from 0

    class Meta:
        ordering = ["side", "position"]
        constraints = [
            models.UniqueConstraint(fields=["draw", "entry"], name="one_seat_per_entry_and_draw"),
            models.UniqueConstraint(fields=["group", "side", "position"], name="one_entry_per_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.entry} · {self.group}"


class SitOut(models.Model):
    """An entry that has no seat in a draw because the number doesn't divide."""

    draw = models.ForeignKey(Draw, on_delete=models.CASCADE, related_name="sit_outs")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="sit_outs")

    class Meta:
        ordering = ["entry__number"]
        constraints = [models.UniqueConstraint(fields=["draw", "entry"], name="one_sit_out_per_entry_and_draw")]


class GroupGame(models.Model):
    """Which game a group plays as number so-and-so of its set."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()  # from 1
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="group_game")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["group", "number"], name="one_game_of_a_number")]
