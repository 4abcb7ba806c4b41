"""Events, stages and entries; seasons; money of a night."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.audit_log import About
from clubsite.accounts.models import Club, Member, User
from clubsite.names import BETWEEN, SortKey, in_order
from scoring.engine.core.ruleset import Shape
from scoring.models import LONGEST_REASON, HouseRules
from tournaments.engine.formats import TRAITS, Traits


class Season(models.Model):
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=80)
    starts = models.DateField(_("first day"))
    ends = models.DateField(_("last day"))
    rule = models.JSONField(default=dict)  # how nights add up: tournaments.seasons.actions
    moving = models.PositiveSmallIntegerField(default=0)  # how many go up and down from each division in the end
    team_best = models.PositiveSmallIntegerField(default=0)  # how many of a team's members count on a night; 0: all
    follows = models.OneToOneField(  # the season whose divisions it was made from
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="following"
    )

    class Meta:
        ordering = ["-starts"]
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="one_season_of_a_name")]

    def __str__(self) -> str:
        return self.name

    def lock(self) -> Season:
        Club.acquire_lock(self.club_id)
        return Season.objects.select_related("club").get(pk=self.pk)

    def get_absolute_url(self) -> str:
        return reverse("season", args=[self.club.slug, self.pk])


class Event(models.Model):
    """A club night, or a competition: people, a format, and the rules of the game."""

    class Format(models.TextChoices):
        ROTATION = "rotation", _("club night, new partners every round")
        CONTEST = "contest", _("competition with a cut and a final")
        ROUND_ROBIN = "round-robin", _("everybody meets everybody, fixed sides")
        SWISS = "swiss", _("Swiss, fixed sides")
        PROGRESSIVE = "progressive", _("progressive, winners move up")
        LADDER = "ladder", _("ladder, fixed sides")
        KNOCK_OUT = "knock-out", _("knock-out, fixed sides")
        SINGLE_TABLE = "single-table", _("a single table")
        TEAM_MATCH = "team-match", _("match between two clubs")

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        RUNNING = "running", _("on now")
        FINISHED = "finished", pgettext_lazy("event", "finished")

    class SitOutRule(models.TextChoices):
        ZERO = "zero", _("nothing")
        OWN_AVERAGE = "own-average", _("the player's own average of the day")
        ROUND_WINNERS = "round-winners", _("the average of that round's winners")

    class AtBell(models.TextChoices):
        FINISH_DEAL = "finish-deal", _("Finish the deal in hand, then stop.")
        ONE_MORE = "one-more", _("Finish the deal in hand and play one more.")
        STOP = "stop", _("Stop at once: a deal that isn't finished doesn't count.")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="events")
    season = models.ForeignKey(
        Season, verbose_name=_("season"), on_delete=models.SET_NULL, null=True, blank=True, related_name="events"
    )
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"))
    format = models.CharField(_("format"), max_length=12, choices=Format.choices)
    options = models.JSONField(default=dict)  # of the format: tournaments.engine.formats
    rules = models.ForeignKey(HouseRules, verbose_name=_("game"), on_delete=models.RESTRICT, related_name="events")
    sides = models.PositiveSmallIntegerField(default=2)  # of one game
    per_side = models.PositiveSmallIntegerField(default=2)
    starts_at = models.DateTimeField(_("starts"))
    place = models.CharField(_("place"), max_length=80, blank=True)
    places = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)  # that a competition has
    sit_out_rule = models.CharField(
        _("a sit-out is worth"), max_length=13, choices=SitOutRule.choices, default=SitOutRule.OWN_AVERAGE
    )
    missing_rule = models.CharField(
        _("a missed round is worth"), max_length=13, choices=SitOutRule.choices, default=SitOutRule.ZERO
    )
    walkover_points = models.IntegerField(  # for who is there; None: the average of that round's winners
        _("points for a walkover"), null=True, blank=True
    )
    tie_breaks = models.JSONField(default=list)  # slugs of tournaments.engine.ranking, in order
    seeding = models.JSONField(default=dict)  # of a knock-out: tournaments.rounds.seeding; empty: its bracket is by lot
    from_stage = models.ForeignKey(  # of a knock-out: whose cut leads into it
        "tournaments.Stage", on_delete=models.SET_NULL, null=True, blank=True, related_name="brackets"
    )
    handicap = models.JSONField(default=dict)  # numbers of tournaments.engine.handicap; empty: everybody from scratch
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.PLANNED)
    round_minutes = models.PositiveSmallIntegerField(_("minutes a round"), default=30)  # of a new round's clock
    at_bell = models.CharField(_("at the bell"), max_length=11, choices=AtBell.choices, default=AtBell.FINISH_DEAL)
    result_at = models.DateTimeField(null=True, blank=True)  # when the first version of it that stands was published
    fee = models.PositiveIntegerField(_("fee"), default=0)  # of one entry, in the currency's smallest unit
    called_off = models.CharField(_("why it is called off"), max_length=LONGEST_REASON, blank=True)  # empty: it isn't
    revision = models.PositiveIntegerField(default=0)  # how often what calendars show was changed: name, time, place
    changed_at = models.DateTimeField(default=timezone.now)  # when that was last changed

    class Meta:
        ordering = ["-starts_at"]
        constraints = [models.UniqueConstraint(fields=["club", "slug"], name="one_event_per_address")]

    def __str__(self) -> str:
        return self.name

    @property
    def in_log(self) -> About:
        return About(self.name, event=self.pk)

    def about(self, what: object) -> About:
        return About(BETWEEN.join([self.name, str(what)]), event=self.pk)

    def get_state_display(self) -> str:  # type: ignore[no-redef]  # Django leaves out its own where there is one
        return gettext("called off") if self.called_off else str(self.State(self.state).label)

    def get_format_display(self) -> str:  # type: ignore[no-redef]  # as above
        return str(self.Format(self.format).label)

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.club.slug, self.slug])

    def get_desk_url(self) -> str:
        return reverse("desk_event", args=[self.club.slug, self.slug])

    @property
    def shape(self) -> Shape:
        return Shape(self.sides, self.per_side)

    @property
    def traits(self) -> type[Traits]:
        return TRAITS[self.format]

    @property
    def by_rounds(self) -> bool:
        """Whether it goes round by round with those who are here, as all but a competition do."""
        return not self.traits.has_cut

    @property
    def has_bracket(self) -> bool:
        """Whether who loses is out: who has no opponent in a round has a bye, and doesn't sit out."""
        return self.traits.bracket

    @property
    def draws_are_searched(self) -> bool:
        return self.traits.searched

    @property
    def has_wishes(self) -> bool:
        """Whether pages lead to the wishes for its draws: where they are held to them; in a league that page says why
        not."""
        return bool(self.traits.wishes) or self.traits.plans_matches

    @property
    def shares_tables(self) -> bool:
        """Whether two groups play at one table, each by itself, so that a group is called by its letter too."""
        return not self.by_rounds and self.shape.players <= 3

    def group_label(self, table: int, group: int) -> str:
        return f"{table}{group_letter(group)}" if self.shares_tables else str(table)

    @property
    def credits_rounds(self) -> bool:
        """Whether a round without a seat may be worth something: in a knock-out, who is out doesn't sit out."""
        return self.by_rounds and not self.traits.bracket

    @property
    def fixed_sides(self) -> bool:
        return self.traits.fixed_sides

    @property
    def removal_choices(self) -> list[Entry.Removed]:
        """What may become of the matches of a side that leaves for good. Where matches aren't all known beforehand, not
        everybody meets it, so what it has played counts; in a knock-out who loses has no matches left."""
        if not self.fixed_sides or self.traits.bracket:
            return []
        everything = list(Entry.Removed)
        return everything if self.traits.plans_matches else [how for how in everything if how != Entry.Removed.ANNULLED]

    @property
    def ranks_sides(self) -> bool:
        """Whether a side has a place of its own, not each of its people. Handicaps are a person's: where they are given
        everybody has one."""
        return self.traits.sides_stay(self.options) and not self.handicap

    @property
    def single_scores(self) -> bool:
        """Whether everybody scores for themselves, round by round: only there can handicaps be given."""
        return self.by_rounds and not self.fixed_sides

    @property
    def makes_sides(self) -> bool:
        """Whether somebody has to say who plays with whom, or for which club, before the first draw."""
        return self.fixed_sides and (self.per_side > 1 or self.traits.between_clubs)


def group_letter(number: int) -> str:
    """The letter of a table's group by its number: A for 1, B for 2; "" for 0, the whole table."""
    return chr(ord("A") + number - 1) if number else ""


class NameAnswer(models.Model):
    """What was answered of two names that sound alike: whether they are one person. It is asked once in a club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="name_answers")
    name = models.CharField(max_length=80)  # as it was written
    like = models.CharField(max_length=80)
    same = models.BooleanField()

    def __str__(self) -> str:
        return f"{self.name} · {self.like}"


class Entry(models.Model):
    class State(models.TextChoices):
        """Here counts for the next draw; a reserve waits for a place; withdrawn has gone, and may return."""

        HERE = "here", _("here")
        RESERVE = "reserve", _("reserve")
        WITHDRAWN = "withdrawn", _("withdrawn")

    class Removed(models.TextChoices):
        """What becomes of the matches of a side that has left for good."""

        COUNT = "count", _("What it has played counts. The others have no match against it any more.")
        ANNULLED = "annulled", _("None of its games counts, for anybody.")
        WALKOVERS = "walkovers", _("What it has played counts. The others win the matches it still had, by walkover.")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=80)
    member = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, blank=True, related_name="entries")
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.HERE)
    eligible = models.BooleanField(_("may go on"), default=True)
    note = models.CharField(_("note"), max_length=120, blank=True)
    guest_in_season = models.BooleanField(default=False)  # played as a guest, and its member joined without that night
    team = models.PositiveSmallIntegerField(_("side"), null=True, blank=True)  # the same number: they score together
    plays_for = models.CharField(_("plays for"), max_length=40, blank=True)  # the club, in a match between two
    disqualified = models.CharField(_("disqualified"), max_length=LONGEST_REASON, blank=True)  # why; withdrawn as well
    removed = models.CharField(max_length=9, choices=Removed.choices, blank=True)  # its side has left for good
    stands_in = models.ForeignKey(  # plays in this stage alone, so that its groups are full, and outside the order
        "tournaments.Stage", on_delete=models.CASCADE, null=True, blank=True, related_name="stand_ins"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint("event", Lower("name"), name="one_entry_of_a_name"),
            models.UniqueConstraint(fields=["event", "number"], name="one_entry_of_a_number"),
            models.UniqueConstraint(fields=["event", "member"], name="one_entry_per_member"),
            models.CheckConstraint(
                condition=Q(disqualified="") | Q(state="withdrawn"), name="the_disqualified_are_out"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def by_name(self) -> SortKey:
        return in_order(self.name)

    @property
    def out_of_order(self) -> bool:
        """Whether it comes after all others in the standings: disqualified, a stand-in, or none of its games counts."""
        return bool(self.disqualified or self.stands_in_id or self.removed == self.Removed.ANNULLED)


class SeasonMember(models.Model):
    """A member's division and team in a season. Who has no row plays as a drop-in where there are divisions."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="members")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="seasons")
    division = models.PositiveSmallIntegerField(_("division"), null=True, blank=True)  # from 1, the top one
    team = models.CharField(_("team"), max_length=40, blank=True)

    class Meta:
        ordering = ["division", "member__name"]
        constraints = [models.UniqueConstraint(fields=["season", "member"], name="one_row_per_member_of_a_season")]

    def __str__(self) -> str:
        return f"{self.member} · {self.season}"


class ClubHandicap(models.Model):
    """The club's numbers for handicaps in one of its games: what a new event starts from."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="handicap_numbers")
    game = models.SlugField()  # of its house rules, whatever their version
    numbers = models.JSONField()  # tournaments.engine.handicap.HandicapRule

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "game"], name="one_handicap_rule_per_game")]

    def __str__(self) -> str:
        return f"{self.club} · {self.game}"


class MoneyLine(models.Model):
    """One amount that came in or, below zero, went out. A slip is put right by a line that reverses it."""

    class Kind(models.TextChoices):
        FEE = "fee", _("fee")
        PRIZE = "prize", _("prize")
        INCOME = "income", _("other income")
        COST = "cost", _("cost")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="money_lines")
    season = models.ForeignKey(Season, on_delete=models.SET_NULL, null=True, blank=True, related_name="money_lines")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="money_lines")
    entry = models.ForeignKey(Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="money_lines")
    kind = models.CharField(_("what for"), max_length=6, choices=Kind.choices)
    amount = models.BigIntegerField()  # in the currency's smallest unit; above zero: in
    words = models.CharField(_("words"), max_length=120, blank=True)
    reverses = models.OneToOneField("self", on_delete=models.RESTRICT, null=True, related_name="reversed_by")
    submission = models.UUIDField(unique=True)  # sent with the form: the same id twice is one line
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    actor = models.CharField(max_length=150)

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=~Q(amount=0), name="a_money_line_has_an_amount")]
        indexes = [models.Index(fields=["club", "event"])]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.amount}"

    @property
    def what(self) -> str:
        """What kind of amount: "fee", "prize, reversed"."""
        kind = str(self.get_kind_display())
        return gettext("%(what)s, reversed") % {"what": kind} if self.reverses_id else kind

    @property
    def about(self) -> str:
        """Whose it is, or what for."""
        return " · ".join(filter(None, (self.entry.name if self.entry else "", self.words)))

    @property
    def can_reverse(self) -> bool:
        return not self.reverses_id and not hasattr(self, "reversed_by")

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert. Raises TypeError on a line that is already written."""
        if self.pk is not None:
            raise TypeError("a line of the book is never changed")
        super().save(*args, **kwargs)
