"""Stages, rounds, and their draws: who sits where, and which games they play there."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import User
from clubsite.names import BETWEEN, TranslatedName, shown
from scoring.models import LONGEST_REASON, Game
from tournaments.engine.grouping import grouped
from tournaments.models.events import Entry, Event, group_letter


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
    name = TranslatedName(_("name"), max_length=40)
    games = models.PositiveSmallIntegerField(_("games in a set"), default=1)  # at most, per group and round
    cut_rule = models.CharField(_("who goes on"), max_length=7, choices=CutRule.choices, blank=True)
    advance = models.PositiveSmallIntegerField(_("finalists"), default=0)  # how many go on altogether
    # Of those, by score from the whole field.
    wild_cards = models.PositiveSmallIntegerField(pgettext_lazy("cut", "wild cards"), default=0)
    seeded = models.BooleanField(_("seeded"), default=False)  # the best of the stage before spread over the groups
    together = models.BooleanField(_("one table"), default=False)  # a final that all play in one group

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
        return self.name

    @property
    def name(self) -> str:
        """What it is called: "Round 2" of a night; a stage of a competition has one, named like it."""
        return gettext("Round %(n)d") % {"n": self.number} if self.stage.event.by_rounds else self.stage.name


class RoundClock(models.Model):
    """How long a round is played, as facts: any page computes from them what is left (`tournaments.rounds.clock`).

    The time run so far is `ran`, and while the clock runs also the time since `started_at`.
    """

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="clock")
    minutes = models.PositiveSmallIntegerField()  # altogether, with what was added
    started_at = models.DateTimeField(null=True)  # when the stretch that runs, or ran last, began; null: not started
    paused_at = models.DateTimeField(null=True)  # null: it isn't paused
    ran = models.PositiveIntegerField(default=0)  # seconds, before the stretch that runs

    def __str__(self) -> str:
        return f"{self.round}: {self.minutes}"


class Draw(models.Model):
    """One version of who sits where in a round. Seats never change; another draw is another version.

    Seats changed while a round is being played make a version that follows the published one and has its games.
    """

    class State(models.TextChoices):
        """A draft is seen by the director only; a withdrawn draw keeps its games, which don't count."""

        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        WITHDRAWN = "withdrawn", _("taken back")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="draws")
    number = models.PositiveSmallIntegerField()  # version, from 1
    state = models.CharField(max_length=9, choices=State.choices, default=State.DRAFT)
    seed = models.BigIntegerField()
    statement = models.JSONField(default=dict)  # what the verifier counted, and what the draw was asked for
    ahead = models.JSONField(default=list)  # the rounds drawn together with it that come after: `rotation.to_data`
    follows = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="followers")
    # ... the version whose games it took over, where that can be taken back
    change = models.JSONField(default=dict)  # what was changed then: a `changes.Change`
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
        return BETWEEN.join([self.round.name, gettext("Draw %(n)d") % {"n": self.number}])

    @property
    def by_hand(self) -> bool:
        """Whether somebody changed seats after the draw was made: two changed places, a seat changed hands, or a table
        was added."""
        return any(self.statement.get(mark) for mark in ("by_hand", "seat_taken", "late_tables"))

    def match_name(self, table: int) -> str:
        """What the match at a table of this number is called in a knock-out: "Semi-final 1"; "" in other formats."""
        return shown(self.statement.get("matches", {}).get(str(table), ""))

    @property
    def groups(self) -> models.QuerySet[Group]:
        """Its groups with their tables, in order. One query."""
        return Group.objects.filter(table__draw=self).select_related("table")


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
    ended = models.CharField(max_length=LONGEST_REASON, blank=True)  # the director's reason for ending the set early
    follows = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="followers")
    # ... the group of the version before whose games it took over: the same people but for those who changed

    class Meta:
        ordering = ["table__number", "number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="one_group_of_a_number")]

    def __str__(self) -> str:
        return f"{self.table}{self.letter}"

    @property
    def letter(self) -> str:
        """A for the first group of a table, B for the second."""
        return group_letter(self.number)

    def label_in(self, event: Event) -> str:
        """What it is called in its event: "3A"; "3" where the whole table plays together. No query with its table."""
        return event.group_label(self.table.number, self.number)

    @property
    def sides(self) -> list[list[Seat]]:
        """The seats of each side, in order. One query, or none where the seats were fetched before."""
        seats = sorted(self.seats.all(), key=lambda seat: (seat.side, seat.position))
        return list(grouped((seat.side, seat) for seat in seats).values())

    @property
    def names(self) -> list[list[str]]:
        """The names of each side, in order of seats, as they stand on cards."""
        return [[seat.name for seat in side] for side in self.sides]

    @property
    def people(self) -> list[list[int]]:
        """The keys of the entries of each side, in order of seats."""
        return [[seat.entry_id for seat in side] for side in self.sides]


class Seat(models.Model):
    """Where an entry sits, and on which side it scores."""

    draw = models.ForeignKey(Draw, on_delete=models.CASCADE, related_name="seats")
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="seats")
    entry = models.ForeignKey(Entry, on_delete=models.RESTRICT, related_name="seats")
    side = models.PositiveSmallIntegerField()  # from 0, as in the group's games
    position = models.PositiveSmallIntegerField()  # within the side, from 0
    player = models.CharField(max_length=80, blank=True)  # who plays for the entry, by name; points are the entry's

    class Meta:
        ordering = ["side", "position"]
        constraints = [
            models.UniqueConstraint(fields=["draw", "entry"], name="one_seat_per_entry_and_draw"),
            models.UniqueConstraint(fields=["group", "side", "position"], name="one_entry_per_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.entry} · {self.group}"

    @property
    def name(self) -> str:
        """Who sits there, as it stands on cards and lists: "Ruth for Ann" where somebody plays for the entry."""
        if not self.player:
            return self.entry.name
        return gettext("%(player)s for %(entry)s") % {"player": self.player, "entry": self.entry.name}


class SitOutQuerySet(models.QuerySet["SitOut"]):
    """Those without a seat."""

    def idle(self) -> SitOutQuerySet:
        """Without those who play for somebody else meanwhile: whoever looks for them finds them at that table."""
        playing = Seat.objects.filter(draw=models.OuterRef("draw"), player=models.OuterRef("entry__name"))
        return self.exclude(models.Exists(playing))


class SitOut(models.Model):
    """An entry that has no seat in a draw: the number doesn't divide, or those whom it was to meet have left, so that
    it has won that match by walkover."""

    objects = SitOutQuerySet.as_manager()

    draw = models.ForeignKey(Draw, on_delete=models.CASCADE, related_name="sit_outs")
    entry = models.ForeignKey(Entry, on_delete=models.RESTRICT, related_name="sit_outs")
    against = models.ForeignKey(Entry, on_delete=models.RESTRICT, null=True, related_name="+")  # in a walkover: the
    # first of the side that has left

    class Meta:
        ordering = ["entry__number"]
        constraints = [models.UniqueConstraint(fields=["draw", "entry"], name="one_sit_out_per_entry_and_draw")]


class GroupGame(models.Model):
    """One game of a group's set, with its number in the set."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()  # from 1
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="group_game")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["group", "number"], name="one_game_of_a_number")]


class Wish(models.Model):
    """What the draws of an event shall hold to. One that names somebody who isn't here waits until they are."""

    class Kind(models.TextChoices):
        """The kinds of wish of `tournaments.engine.rounds`."""

        ALWAYS = "always", _("are always partners")
        NEVER = "never", _("are never partners")
        ONCE = "once", _("are partners once")
        APART = "apart", _("are never at one table")
        STAY = "stay", _("stays at one table")
        HOST = "host", _("is the host of a table, and never sits out")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="wishes")
    kind = models.CharField(_("wish"), max_length=6, choices=Kind.choices)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="wishes")
    other = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+", null=True, blank=True)
    table = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)  # from 1, side after side
    hard = models.BooleanField(_("must be met"), default=True)  # if not, it is met where it can be

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["stay", "host"], other=None)
                | (Q(table=None, seat=None) & ~Q(kind__in=["stay", "host"]) & ~Q(other=None)),
                name="a_wish_names_whom_it_needs",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.entry_id} {self.other_id or ''}"


class DrawJob(models.Model):
    """The search for the next draw of an event, which is a task. One row per event, used again.

    Each search is another `run`; one taken up again after its worker died is another `attempt` of it. A task whose run
    was given up, or that was taken for dead, finds other numbers here and ends without a draft.
    """

    class State(models.TextChoices):
        """How far the search is."""

        RUNNING = "running", _("searching")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="draw_job")
    state = models.CharField(max_length=7, choices=State.choices)
    run = models.PositiveIntegerField(default=1)
    attempt = models.PositiveIntegerField(default=0)  # 0: no worker has begun
    task = models.CharField(max_length=64, blank=True)  # of this run
    asked = models.JSONField()  # a `rotation.Asked`: what to search
    steps = models.PositiveIntegerField(default=0)  # done
    best = models.JSONField(default=list)  # the best rounds so far: `rotation.to_data`
    problem = models.TextField(blank=True)  # why it failed: many wishes may collide
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    actor = models.CharField(max_length=150)
    route = models.CharField(max_length=12)

    def __str__(self) -> str:
        return f"{self.event_id} {self.state}"
