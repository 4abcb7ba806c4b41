"""Rounds, draws, tables and their seats; the games played at them, their links, and deals keyed twice."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from django.db import models
from django.db.models import F, Manager, Max, Q, QuerySet
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import User
from clubsite.names import BETWEEN, TranslatedName, shown
from scoring.models import LONGEST_REASON, DealVersion, Game, Points
from tournaments.engine.rounds import SEEDS, grouped
from tournaments.models.events import Entry, Event, group_letter


def next_number(numbered: Manager[Any] | QuerySet[Any], field: str = "number") -> int:
    return 1 + (numbered.aggregate(highest=Max(field))["highest"] or 0)


class Stage(models.Model):
    class CutRule(models.TextChoices):
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
        return gettext("Round %(n)d") % {"n": self.number} if self.stage.event.by_rounds else self.stage.name


class RoundClock(models.Model):
    """How long a round is played, as facts: any page computes from them what is left (`tournaments.rounds.clock`).

    The time run so far is `ran`, and while the clock runs also the time since `started_at`."""

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="clock")
    minutes = models.PositiveSmallIntegerField()  # altogether, with what was added
    started_at = models.DateTimeField(null=True)  # when the stretch that runs, or ran last, began; null: not started
    paused_at = models.DateTimeField(null=True)  # null: it isn't paused
    ran = models.PositiveIntegerField(default=0)  # seconds, before the stretch that runs

    def __str__(self) -> str:
        return f"{self.round}: {self.minutes}"


class Draw(models.Model):
    """One version of who sits where in a round. Seats never change; another draw is another version.

    Seats changed while a round is being played make a version that follows the published one and has its games."""

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
        return shown(self.statement.get("matches", {}).get(str(table), ""))

    @property
    def groups(self) -> models.QuerySet[Group]:
        return Group.objects.filter(table__draw=self).select_related("table")


class Table(models.Model):
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
        return group_letter(self.number)

    def label_in(self, event: Event) -> str:
        return event.group_label(self.table.number, self.number)

    @property
    def sides(self) -> list[list[Seat]]:
        seats = sorted(self.seats.all(), key=lambda seat: (seat.side, seat.position))
        return list(grouped((seat.side, seat) for seat in seats).values())

    @property
    def names(self) -> list[list[str]]:
        return [[seat.name for seat in side] for side in self.sides]

    @property
    def people(self) -> list[list[int]]:
        return [[seat.entry_id for seat in side] for side in self.sides]


class Seat(models.Model):
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
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()  # from 1
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="group_game")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["group", "number"], name="one_game_of_a_number")]


class Wish(models.Model):
    """What the draws of an event shall hold to. One that names somebody who isn't here waits until they are."""

    class Kind(models.TextChoices):
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
    class State(models.TextChoices):
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


GROUP = "version__deal__game__group_game__group__"


def deals_that_count(*columns: str, **of: Any) -> Iterator[tuple[Any, ...]]:
    """Columns of the points of deals that count, the oldest first, a row for each seat of the side; `of` says whose.

    Only games of published draws count, none that is void or not played, and no deal after the end of its game. One
    query."""
    counting = {
        "version__current": True,
        f"{GROUP}table__draw__state": Draw.State.PUBLISHED,
        f"{GROUP}seats__side": F("side"),
    }
    rows = (
        Points.objects.filter(**counting, **of)
        .exclude(version__state=DealVersion.State.VOID)
        .exclude(version__deal__game__state=Game.State.NOT_PLAYED)
        .order_by(
            f"{GROUP}table__draw__round__stage__event__starts_at",
            f"{GROUP}table__draw__round__stage__event",
            f"{GROUP}table__draw__round__stage__number",
            f"{GROUP}table__draw__round__number",
            "version__deal__game__group_game__number",
            "version__deal__game",
            "version__deal__number",
        )
        .values_list(f"{GROUP}seats__entry", "version__deal__game", "version__deal__game__deals_played", *columns)
    )
    counted: dict[tuple[int, int], int] = defaultdict(int)
    for entry, game, played, *row in rows:
        counted[entry, game] += 1
        if counted[entry, game] <= played:
            yield tuple(row)


class TableLink(models.Model):
    """The way of one group at one table to its cards of one round, without an account.

    The link and its short code are computed from `nonce` and the installation's secret key; the hashes kept here only
    recognise them. A link is never changed into another: it is revoked, and one with the next number is made."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="table_links")
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="links")
    number = models.PositiveSmallIntegerField()  # from 1, in its group
    nonce = models.CharField(max_length=32)
    token_hash = models.CharField(max_length=64, unique=True)
    code_hash = models.CharField(max_length=64)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)  # set when the round is closed
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["group", "number"], name="one_link_of_a_number"),
            models.UniqueConstraint(fields=["group"], condition=Q(revoked_at=None), name="one_link_per_group"),
            models.UniqueConstraint(
                fields=["event", "code_hash"], condition=Q(revoked_at=None), name="one_link_per_code"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.group_id} link {self.number}"


class SecondKeying(models.Model):
    """That a director wants the cards of a round keyed again, by somebody else than the first time."""

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="second_keying")
    wanted = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"{self.round}"


class KeyedAgain(models.Model):
    """A deal as a second person read it from the paper, and the version that it was held against. Figures never change;
    a difference is settled by a director."""

    class State(models.TextChoices):
        """Same and settled are done; a difference waits for a director."""

        SAME = "same", _("keyed twice, the same")
        DIFFERENT = "different", _("keyed twice, different")
        SETTLED = "settled", _("keyed twice, settled")

    version = models.OneToOneField(DealVersion, on_delete=models.CASCADE, related_name="keyed_again")
    facts = models.JSONField()
    written = models.JSONField(default=list)  # what the scorer wrote beside the figures: read `totals` and `sets`
    state = models.CharField(max_length=9, choices=State.choices)
    submission = models.UUIDField(unique=True)  # sent with the line: the same id twice is one reading
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    actor = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)
    settled_by = models.CharField(max_length=150, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.version} {self.state}"

    @staticmethod
    def as_written(totals: Sequence[int | None], sets: Sequence[int] | None) -> Any:
        """The value of `written` for these. Without marks it is a list, as all were before marks were keyed again."""
        return list(totals) if sets is None else {"totals": list(totals), "sets": sorted(sets)}

    @property
    def totals(self) -> list[int | None]:
        """Running totals as in `DealVersion.written`."""
        kept: list[int | None] = self.written["totals"] if isinstance(self.written, dict) else self.written
        return kept

    @property
    def sets(self) -> list[int] | None:
        """The sides marked as set as in `DealVersion.written_sets`; None where the line had no box for them."""
        return self.written["sets"] if isinstance(self.written, dict) else None


def seed_or_new(seed: int | None) -> int:
    """The seed given, or one that nobody could know beforehand."""
    return secrets.randbelow(SEEDS) if seed is None else seed
