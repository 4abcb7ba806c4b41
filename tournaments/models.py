"""Seasons, events and entries; stages, rounds, draws, tables and their links; cuts, published standings and prizes."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Manager, Max, Q, QuerySet
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy

from clubsite.accounts.audit_log import About
from clubsite.accounts.models import Club, Door, Member, User
from clubsite.names import SEPARATOR, SortKey, TranslatedName, name_sort_key, side_name, translate_name
from scoring.engine.core.ruleset import Shape
from scoring.models import LONGEST_REASON, DealVersion, Game, HouseRules, Points
from tournaments.engine.formats import TRAITS, Traits
from tournaments.engine.result_points import ResultPoints
from tournaments.engine.rounds import SEEDS, grouped


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
    """A club night or a competition."""

    class Format(models.TextChoices):
        ROTATION = "rotation", _("club night, new partners every round")
        CONTEST = "contest", _("competition with a cut and a final")
        ROUND_ROBIN = "round-robin", _("everybody meets everybody, fixed sides")
        GROUPS = "groups", _("groups, then a knock-out, fixed sides")
        SWISS = "swiss", _("Swiss, fixed sides")
        PROGRESSIVE = "progressive", _("progressive, winners move up")
        OPEN_PLAY = "open-play", _("open play, those who wait longest are next")
        OPEN_PAIRS = "open-pairs", _("open play, fixed sides")
        LADDER = "ladder", _("ladder, fixed sides")
        RUNGS = "rungs", _("ladder over weeks, fixed sides")
        KNOCK_OUT = "knock-out", _("knock-out, fixed sides")
        DOUBLE_KNOCK_OUT = "double-ko", _("double knock-out, fixed sides")
        OUT_AFTER = "out-after", _("out after a number of losses, fixed sides")
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

    class SignUps(models.TextChoices):
        NONE = "", _("nobody signs up beforehand")
        OPEN = "open", pgettext_lazy("signing up", "open")
        CLOSED = "closed", pgettext_lazy("signing up", "closed")

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
    map_link = models.URLField(_("map"), max_length=300, blank=True)
    details = models.TextField(_("what people should know"), max_length=600, blank=True)
    places = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)  # a competition always has some
    sign_up = models.CharField(_("signing up"), max_length=6, choices=SignUps.choices, blank=True)
    sign_up_names = models.BooleanField(default=True)  # whether everybody sees who is coming
    sit_out_rule = models.CharField(
        _("a sit-out is worth"), max_length=13, choices=SitOutRule.choices, default=SitOutRule.OWN_AVERAGE
    )
    missing_rule = models.CharField(
        _("a missed round is worth"), max_length=13, choices=SitOutRule.choices, default=SitOutRule.ZERO
    )
    walkover_points = models.IntegerField(  # for who is there; None: the average of that round's winners
        _("points for a walkover"), null=True, blank=True
    )
    result_points = models.JSONField(default=dict)  # tournaments.engine.result_points; empty: points scored count
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
        return About(SEPARATOR.join([self.name, str(what)]), event=self.pk)

    def get_state_display(self) -> str:  # type: ignore[no-redef]  # Django leaves out its own where there is one
        return gettext("called off") if self.called_off else str(self.State(self.state).label)

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
        """Whether it goes round by round with those present, as all formats without a cut do."""
        return not self.traits.has_cut

    @property
    def has_bracket(self) -> bool:
        """Whether one loss puts a side out. A side without an opponent in a round has a bye then, not a sit-out."""
        return self.traits.bracket

    @property
    def has_outs(self) -> bool:
        """Whether one or more losses put a side out, so that it has no match in later rounds."""
        return self.traits.outs

    @property
    def has_wishes(self) -> bool:
        """Whether pages link to the wishes. In a league, whose draws can't respect any, that page says why."""
        return bool(self.traits.wishes) or self.traits.plans_matches

    @property
    def shares_tables(self) -> bool:
        """Whether two groups play at one table, so that a group's name has a letter too."""
        return not self.by_rounds and self.shape.players <= 3

    def group_label(self, table: int, group: int) -> str:
        return f"{table}{group_letter(group)}" if self.shares_tables else str(table)

    @property
    def credits_rounds(self) -> bool:
        """Whether a round without a seat may be worth points. Sides put out by losses get none."""
        return self.by_rounds and not self.traits.outs

    @property
    def fixed_sides(self) -> bool:
        return self.traits.fixed_sides

    @property
    def points_by_result(self) -> ResultPoints | None:
        return ResultPoints.from_data(self.result_points) if self.traits.gives_result_points() else None

    @property
    def lowest_wins(self) -> bool:
        """Whether the lowest total leads its standings: as in its game, but not if results give points."""
        return self.rules.lowest_wins and self.points_by_result is None

    @property
    def sign(self) -> int:
        return -1 if self.lowest_wins else 1

    @property
    def removal_choices(self) -> list[Entry.Removed]:
        """What may become of the matches of a side that leaves for good.

        Only where all matches are known beforehand can they be annulled: elsewhere not everybody meets that side. Where
        losses put sides out, a loser has no matches left."""
        if not self.fixed_sides or self.traits.outs:
            return []
        everything = list(Entry.Removed)
        return everything if self.traits.plans_matches else [how for how in everything if how != Entry.Removed.ANNULLED]

    @property
    def ranks_sides(self) -> bool:
        """Whether a side has one place. With handicaps, which are personal, each person has."""
        return self.traits.sides_stay(self.options) and not self.handicap

    @property
    def single_scores(self) -> bool:
        """Whether all score for themselves, round by round. Only then can handicaps be given."""
        return self.by_rounds and not self.fixed_sides

    @property
    def makes_sides(self) -> bool:
        """Whether the director has to enter partners, or clubs, before the first draw."""
        return self.fixed_sides and (self.per_side > 1 or self.traits.between_clubs)


def group_letter(number: int) -> str:
    """The letter of a group: A for 1, B for 2; "" for 0, the whole table."""
    return chr(ord("A") + number - 1) if number else ""


class NameAnswer(models.Model):
    """A director's answer whether two names that sound alike are one person, stored so that nobody is asked again."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="name_answers")
    name = models.CharField(max_length=80)  # as it was written
    like = models.CharField(max_length=80)
    same = models.BooleanField()

    def __str__(self) -> str:
        return f"{self.name} · {self.like}"


class Entry(models.Model):
    class State(models.TextChoices):
        """HERE counts for the next draw; a RESERVE waits for a place; the WITHDRAWN may come back."""

        HERE = "here", _("here")
        RESERVE = "reserve", _("reserve")
        WITHDRAWN = "withdrawn", _("withdrawn")

    class Removed(models.TextChoices):
        """What becomes of the matches of a side that has left for good."""

        COUNT = "count", _("Its games so far count. The others have no more matches against it.")
        ANNULLED = "annulled", _("None of its games count, for anybody.")
        WALKOVERS = "walkovers", _("Its games so far count. The others win its remaining matches by walkover.")

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
        return name_sort_key(self.name)

    @property
    def out_of_order(self) -> bool:
        """Whether it comes after all others in the standings: disqualified, a stand-in, or with annulled games."""
        return bool(self.disqualified or self.stands_in_id or self.removed == self.Removed.ANNULLED)


def joint_name(entries: Iterable[Entry]) -> str:
    """The name of these people as a side."""
    return side_name(entry.name for entry in entries)


class SignUp(models.Model):
    """Somebody who says beforehand that they are coming, perhaps with a partner. They become an entry at the door, or
    when the director enters all sign-ups of a competition."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="sign_ups")
    name = models.CharField(_("name"), max_length=80)
    partner = models.CharField(_("partner"), max_length=80, blank=True)
    wants_partner = models.BooleanField(default=False)
    submission = models.UUIDField(unique=True)  # sent with the form, and the secret part of the link to cancel
    at = models.DateTimeField(auto_now_add=True)
    cancelled_at = models.DateTimeField(null=True)
    waited = models.BooleanField(default=False)  # was on the waiting list when they signed up

    waits = 0  # the place on the waiting list, from 1; `tournaments.sign_ups.queue_and_free_places` sets it

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return side_name(self.people)

    @property
    def people(self) -> list[str]:
        return [name for name in (self.name, self.partner) if name]


class Subscriber(models.Model):
    """An address that wants e-mail: about a club's results or nights, or about one sign-up. Until its owner has agreed
    by the link in the first letter, it gets no other."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="subscribers")
    email = models.EmailField()  # without capitals
    key = models.UUIDField(unique=True, default=uuid4)  # the secret part of the link in each letter
    sign_up = models.OneToOneField(SignUp, on_delete=models.CASCADE, null=True, related_name="subscriber")
    results = models.BooleanField(default=False)
    reminders = models.BooleanField(default=False)
    language = models.CharField(max_length=5, choices=settings.LANGUAGES)
    site = models.CharField(max_length=200)  # where they asked for it: the beginning of the links in letters
    came_as = models.PositiveSmallIntegerField(choices=Door.choices, default=Door.ANYONE)  # who asked for it
    asked_at = models.DateTimeField(default=timezone.now)
    agreed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "email"], condition=Q(sign_up=None), name="one_subscriber_of_an_address"
            )
        ]


class Letter(models.Model):
    """An e-mail to a subscriber: one for each address and occasion, sent by a worker."""

    class Kind(models.TextChoices):
        """In the order in which they are sent."""

        AGREE = "agree"  # asks whether they agree
        PLACE = "place"  # moved up from the waiting list
        REMINDER = "reminder"
        RESULT = "result"

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        HELD = "held"  # it couldn't be sent: no more is tried until a director asks for it

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)  # of the message, too, however often sent
    subscriber = models.ForeignKey(Subscriber, on_delete=models.CASCADE, related_name="letters")
    email = models.EmailField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="+")
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField(default=timezone.now)  # when to try, or to try again
    tries = models.PositiveSmallIntegerField(default=0)
    problem = models.CharField(max_length=300, blank=True)  # what the mail server said
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["subscriber", "kind", "event"], name="one_letter_to_a_subscriber"),
            models.UniqueConstraint(
                fields=["email", "kind", "event"],
                condition=Q(kind__in=["reminder", "result"]),
                name="one_letter_to_an_address",
            ),
        ]
        indexes = [models.Index(fields=["state", "due_at"])]


class SeasonMember(models.Model):
    """A member's division and team in a season. Where there are divisions, a member without a row is a drop-in."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="members")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="seasons")
    division = models.PositiveSmallIntegerField(_("division"), null=True, blank=True)  # from 1, the top one
    team = models.CharField(_("team"), max_length=40, blank=True)

    class Meta:
        ordering = ["division", "member__name"]
        constraints = [models.UniqueConstraint(fields=["season", "member"], name="one_row_per_member_of_a_season")]


class SeasonOpening(models.Model):
    """What a member brings into a season: earlier nights and the points from them. The row stays when it is taken
    back."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="openings")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="openings")
    nights = models.PositiveSmallIntegerField()
    points = models.IntegerField()
    source = models.CharField(max_length=120, blank=True)  # the file that said so
    submission = models.UUIDField()  # of all that were taken together: the same id twice is one
    at = models.DateTimeField(auto_now_add=True)
    actor = models.CharField(max_length=150)
    taken_back_at = models.DateTimeField(null=True)

    whose = 0  # the member, or the one whom they were merged into: `seasons.table.season_nights` sets it

    class Meta:
        ordering = ["pk"]  # two of a member who was merged count together


class ClubHandicap(models.Model):
    """The club's numbers for handicaps in one of its games: what a new event starts from."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="handicap_numbers")
    game = models.SlugField()  # of its house rules, whatever their version
    numbers = models.JSONField()  # tournaments.engine.handicap.HandicapRule

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "game"], name="one_handicap_rule_per_game")]


class Dues(models.Model):
    """What a member pays the club for a year."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="dues")
    year = models.PositiveSmallIntegerField()
    amount = models.PositiveIntegerField(default=0)  # in the currency's smallest unit

    class Meta:
        ordering = ["year"]
        constraints = [models.UniqueConstraint(fields=["club", "year"], name="one_dues_of_a_year")]

    def __str__(self) -> str:
        return str(self.year)


class MoneyLine(models.Model):
    """An amount that came in (above zero) or went out (below). A mistake is corrected by a line that reverses it."""

    class Kind(models.TextChoices):
        FEE = "fee", _("fee")
        DUES = "dues", _("yearly dues")
        PRIZE = "prize", _("prize")
        INCOME = "income", _("other income")
        COST = "cost", _("cost")
        MOVED = "moved", _("between cash and bank")  # two lines, which add up to nothing

    class Way(models.TextChoices):
        CASH = "cash", pgettext_lazy("money", "cash")
        BANK = "bank", pgettext_lazy("money", "bank")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="money_lines")
    season = models.ForeignKey(Season, on_delete=models.SET_NULL, null=True, blank=True, related_name="money_lines")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="money_lines")
    entry = models.ForeignKey(Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="money_lines")
    dues = models.ForeignKey(Dues, on_delete=models.RESTRICT, null=True, blank=True, related_name="money_lines")
    member = models.ForeignKey(  # whose dues
        Member, on_delete=models.RESTRICT, null=True, blank=True, related_name="money_lines"
    )
    kind = models.CharField(_("what for"), max_length=6, choices=Kind.choices)
    amount = models.BigIntegerField()  # in the currency's smallest unit; above zero: in
    on = models.DateField(_("date"))  # of the money; `at` is when it was written down
    way = models.CharField(_("cash or bank"), max_length=4, choices=Way.choices, default=Way.CASH)
    category = models.CharField(_("category"), max_length=40, blank=True)  # in the club's own words
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

    @property
    def what(self) -> str:
        """What kind of amount: "fee", "prize, reversed", "yearly dues 2027"."""
        kind = f"{self.get_kind_display()} {self.dues or ''}".strip()
        return gettext("%(what)s, reversed") % {"what": kind} if self.reverses_id else kind

    @property
    def about(self) -> str:
        return " · ".join(str(part) for part in (self.entry, self.member, self.words) if part)

    @property
    def is_reversed(self) -> bool:
        return hasattr(self, "reversed_by")

    @property
    def can_reverse(self) -> bool:
        """Whether it is neither reversed nor a reversal. The incoming line of a move is reversed with the outgoing
        one."""
        second = self.kind == self.Kind.MOVED and self.amount > 0
        return not (self.reverses_id or self.is_reversed or second)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the line. Raises TypeError if it is saved already."""
        if self.pk is not None:
            raise TypeError("a line of the book is never changed")
        super().save(*args, **kwargs)


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
    """The facts of a round's clock, from which any page computes the time left (`tournaments.rounds.clock`). The time
    run so far is `ran`, plus the time since `started_at` while the clock runs."""

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="clock")
    minutes = models.PositiveSmallIntegerField()  # altogether, with what was added
    started_at = models.DateTimeField(null=True)  # when the stretch that runs, or ran last, began; null: not started
    paused_at = models.DateTimeField(null=True)  # null: it isn't paused
    ran = models.PositiveIntegerField(default=0)  # seconds, before the stretch that runs


class Draw(models.Model):
    """One version of who sits where in a round. Its seats never change: another draw is another version, and so are
    seats changed during a round, in a version that follows the published one and takes over its games."""

    class State(models.TextChoices):
        """Only directors see a draft. A withdrawn draw keeps its games, which don't count."""

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
        return SEPARATOR.join([self.round.name, gettext("Draw %(n)d") % {"n": self.number}])

    @property
    def by_hand(self) -> bool:
        """Whether somebody changed seats after the draw was made: swapped people, gave away a seat, or added a
        table."""
        return any(self.statement.get(mark) for mark in ("by_hand", "seat_taken", "late_tables"))

    def match_name(self, table: int) -> str:
        return translate_name(self.statement.get("matches", {}).get(str(table), ""))

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
    """The people at a table who play one set of games: the whole table, or one of two groups of three."""

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

    @property
    def name(self) -> str:
        """Who sits there, as on cards and lists: "Ruth for Ann" if somebody plays for the entry."""
        if not self.player:
            return self.entry.name
        return gettext("%(player)s for %(entry)s") % {"player": self.player, "entry": self.entry.name}


class SitOutQuerySet(models.QuerySet["SitOut"]):
    def idle(self) -> SitOutQuerySet:
        """Without people who play for somebody else meanwhile, whom the list shows at that table."""
        playing = Seat.objects.filter(draw=models.OuterRef("draw"), player=models.OuterRef("entry__name"))
        return self.exclude(models.Exists(playing))


class SitOut(models.Model):
    """An entry without a seat in a draw: people are left over, or its opponents have left and it wins by walkover."""

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
    """What an event's draws should respect. It waits while somebody it names isn't here."""

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
    asked = models.JSONField()  # a `rotation.DrawRequest`: what to search
    steps = models.PositiveIntegerField(default=0)  # done
    best = models.JSONField(default=list)  # the best rounds so far: `rotation.to_data`
    problem = models.TextField(blank=True)  # why it failed: many wishes may collide
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    actor = models.CharField(max_length=150)
    route = models.CharField(max_length=12)


GROUP = "version__deal__game__group_game__group__"
OLDEST_FIRST = (
    *(f"{GROUP}seats__entry__event__starts_at", f"{GROUP}seats__entry__event"),
    *(f"{GROUP}table__draw__round__stage__number", f"{GROUP}table__draw__round__number"),
)


def deals_that_count(
    *columns: str, of: Mapping[str, Any], order: Sequence[str] = OLDEST_FIRST
) -> Iterator[tuple[Any, ...]]:
    """Columns of the points of counted deals, with a row for each seat of the side; `of` filters them. One query.

    Left out are games of unpublished draws, games not played, void deals, and deals after the end of their game.
    PostgreSQL looks for the best order of eight joins at a time, so `of` comes first, by what is near; and `order`
    joins no table that isn't needed."""
    counting = {
        "version__current": True,
        f"{GROUP}table__draw__state": Draw.State.PUBLISHED,
        f"{GROUP}seats__side": F("side"),
    }
    rows = (
        Points.objects.filter(**of, **counting)
        .exclude(version__state=DealVersion.State.VOID)
        .exclude(version__deal__game__state=Game.State.NOT_PLAYED)
        .order_by(
            *order,
            "version__deal__game__group_game__number",
            "version__deal__game",
            "version__deal__number",
            "side",
            f"{GROUP}seats__position",
        )
        .values_list(f"{GROUP}seats__entry", "version__deal__game", "version__deal__game__deals_played", *columns)
    )
    counted: dict[tuple[int, int], int] = defaultdict(int)
    for entry, game, played, *row in rows:
        counted[entry, game] += 1
        if counted[entry, game] <= played:
            yield tuple(row)


class TableLink(models.Model):
    """A link by which a group at a table reaches its cards of one round without an account.

    The link and its short code are computed from `nonce` and the installation's secret key; the hashes stored here only
    recognise them. A link never changes: it is revoked, and one with the next number is made."""

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


class CardPhoto(models.Model):
    """A photo, scan or PDF of score cards sent for an event; the same file is stored once. A task reads it. If its
    worker dies and another takes over, that is a new `attempt`, and only the last one may write here."""

    class State(models.TextChoices):
        WAITING = "waiting"
        READING = "reading"
        READ = "read"
        FAILED = "failed"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="photos")
    sha256 = models.CharField(max_length=64)
    file = models.FileField(blank=True)  # as it was sent: only until it is read
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    attempt = models.PositiveIntegerField(default=0)  # 0: no worker has begun
    task = models.CharField(max_length=64, blank=True)
    done = models.PositiveSmallIntegerField(default=0)  # pages
    of = models.PositiveSmallIntegerField(default=0)  # 0: not known yet
    problem = models.CharField(max_length=12, blank=True)  # why nothing of it could be read: photos.actions.PROBLEMS
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    actor = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["event", "sha256"], name="one_photo_of_a_file")]


def photos_with_member(member: Member, names: Iterable[str]) -> QuerySet[CardPhoto]:
    """Photos of cards of events in which a person played, also under these names for somebody else."""
    seats = Seat.objects.filter(player__in=list(names), draw__round__stage__event__club=member.club)
    of_member = Q(member=member) | Q(member__merged_into=member)
    entries = Entry.objects.filter(of_member).values("event")
    return CardPhoto.objects.filter(Q(event__in=entries) | Q(event__in=seats.values("draw__round__stage__event")))


class PhotographedCard(models.Model):
    """A card found in a photo, straightened, with what was read on it; or a page with a `problem` and a small picture
    of it. Nothing is recorded until somebody has checked it."""

    photo = models.ForeignKey(CardPhoto, on_delete=models.CASCADE, related_name="cards")
    page = models.PositiveSmallIntegerField()  # from 1
    problem = models.CharField(max_length=12, blank=True)  # a key of photos.actions.PROBLEMS
    about = models.CharField(max_length=80, blank=True)  # what that names: an event
    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, related_name="photographed")
    picture = models.FileField(blank=True)
    width = models.PositiveSmallIntegerField()  # of the picture, in pixels
    height = models.PositiveSmallIntegerField()
    lines = models.JSONField(default=list)  # as `photos.tasks` writes them

    class Meta:
        ordering = ["pk"]


class SecondKeying(models.Model):
    """Whether a director wants a round's cards keyed again by a second person."""

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="second_keying")
    wanted = models.BooleanField(default=True)


class KeyedAgain(models.Model):
    """A deal as a second person keyed it from the paper, and the version it was compared with. Its figures never
    change; a director settles a difference."""

    class State(models.TextChoices):
        """A DIFFERENT one waits for a director; the others are done."""

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

    @staticmethod
    def as_written(totals: Sequence[int | None], sets: Sequence[int] | None) -> Any:
        """The value of `written`. Without marks of sets it is a list, as in older versions of the site."""
        return list(totals) if sets is None else {"totals": list(totals), "sets": sorted(sets)}

    @property
    def totals(self) -> list[int | None]:
        totals: list[int | None] = self.written["totals"] if isinstance(self.written, dict) else self.written
        return totals

    @property
    def sets(self) -> list[int] | None:
        """The sides marked as set; None if the line had no boxes for them."""
        return self.written["sets"] if isinstance(self.written, dict) else None


def seed_or_new(seed: int | None) -> int:
    """The given seed, or a random one that nobody can predict."""
    return secrets.randbelow(SEEDS) if seed is None else seed


Data: TypeAlias = Mapping[str, Any]  # tournaments.standings.standings.Row as data
Sides: TypeAlias = Mapping[int, int]  # entry of a person to a number that their side alone has
NO_SIDES: Sides = MappingProxyType({})


def rows_by_person(rows: Iterable[Data], side_of: Sides = NO_SIDES) -> Iterator[dict[str, Any]]:
    """A row for each person; those of a side have its place and figures, and its entry as `side`.

    `side_of` does the same for versions that have a row for each partner."""
    rows = list(rows)
    sides = rows_by_side(rows, side_of) if side_of else ()
    ranked = {
        person["entry"]: {"side": row["entry"], "place": row["place"]} for row in sides for person in row_people(row)
    }
    for row in rows:
        for person in row_people(row):
            yield {**row, "side": row["entry"], **person, **ranked.get(person["entry"], {})}


def rows_by_side(rows: Iterable[Data], side_of: Sides) -> list[dict[str, Any]]:
    """A row for each side. Partners put apart by an adjustment of one of them share the better place."""
    single: list[dict[str, Any]] = [dict(row) for row in rows]
    by_side = grouped((side_of.get(row["entry"], -row["entry"]), row) for row in single)
    if has_sides(single) or len(by_side) == len(single):
        return single
    best = [min(of_side, key=lambda row: row["place"]) for of_side in by_side.values()]
    places = sorted(row["place"] for row in best)
    side_rows = []
    for first, of_side in zip(best, by_side.values(), strict=True):
        people = sorted((person for row in of_side for person in row_people(row)), key=lambda person: person["number"])
        side = {
            "place": 1 + places.index(first["place"]),
            "shared": places.count(first["place"]) > 1,
            "separated_by": max(row.get("separated_by", "") for row in of_side),
            "withdrawn": any(row.get("withdrawn") for row in of_side),
        }
        if len(people) > 1:
            name = side_name(person["name"] for person in people)
            side |= people[0] | {"name": name, "member": None, "people": people}
        side_rows.append(first | side)
    return sorted(side_rows, key=lambda row: (row["place"], name_sort_key(row["name"])))


def has_sides(rows: Iterable[Data]) -> bool:
    return any("people" in row for row in rows)


def row_people(row: Data) -> list[dict[str, Any]]:
    people: list[dict[str, Any]] | None = row.get("people")
    return people or [{name: row.get(name) for name in ("entry", "number", "name", "member")}]


class Cut(models.Model):
    """Who goes on from a stage, with the reason for each."""

    class State(models.TextChoices):
        """At most one cut of a stage is published; earlier versions stay to be read."""

        DRAFT = "draft", _("proposal")
        PUBLISHED = "published", _("published")
        WITHDRAWN = "withdrawn", _("taken back")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="cuts")
    number = models.PositiveSmallIntegerField()  # version, from 1
    state = models.CharField(max_length=9, choices=State.choices, default=State.DRAFT)
    settled = models.JSONField(default=list)  # as data, in the order held: engine.ranking.Settlement
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
        return SEPARATOR.join([self.stage.name, gettext("Version %(n)s") % {"n": self.number}])


class CutLine(models.Model):
    """An entry on either side of the line, and why."""

    cut = models.ForeignKey(Cut, on_delete=models.CASCADE, related_name="lines")
    entry = models.ForeignKey(Entry, on_delete=models.RESTRICT, related_name="cut_lines")
    order = models.PositiveSmallIntegerField()  # overall, from 1
    place = models.PositiveSmallIntegerField()  # within what was compared: group, table or all
    advances = models.BooleanField()
    reason = models.CharField(max_length=40)  # code of tournaments.engine.ranking
    args = models.JSONField(default=dict)
    # The figures it was decided by; null and empty in drafts of older versions of the site, which kept none.
    where = models.CharField(max_length=8, blank=True)  # its table and group: "3A"
    points = models.IntegerField(null=True)
    games_won = models.CharField(max_length=8, blank=True)  # "3" or "2½"

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["cut", "entry"], name="one_cut_line_per_entry")]


class PublishedStandings(models.Model):
    """A version of the standings. It never changes; a later correction is the next version."""

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
    """Points that a director gives or takes away in a stage. The row stays when it is taken back."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="adjustments")
    entry = models.ForeignKey(Entry, on_delete=models.RESTRICT, related_name="adjustments")
    points = models.IntegerField(_("points"))  # below zero: a penalty
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    submission = models.UUIDField(unique=True)  # sent with the form: the same id twice is one adjustment
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=~Q(points=0), name="an_adjustment_changes_points")]


class PrizePlan(models.Model):
    """An event's prizes in the order in which they are given, the rules for giving them, and the lots drawn."""

    class Ties(models.TextChoices):
        SHARE = "share", _("they share it, with the prizes of the places they take up")
        LOTS = "lots", _("lots are drawn among them")

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="prize_plan")
    prizes = models.JSONField(default=list)  # tournaments.engine.prizes.Prize as data
    ties = models.CharField(_("those who are level"), max_length=5, choices=Ties.choices, default=Ties.SHARE)
    one_each = models.BooleanField(_("one prize a person"), default=True)
    passed = models.JSONField(default=list)  # ids of entries that take no prize
    classes = models.JSONField(default=dict)  # of entries, when prizes were published, and by which result
    lots = models.JSONField(default=list)  # seeds in the order drawn: {"door", "level", "at"}; set aside: "undone"


class PublishedPrizes(models.Model):
    """A version of the prizes. Only its state changes, when another takes its place or it is taken back."""

    class State(models.TextChoices):
        """At most one version of an event is published; earlier ones stay to be read."""

        PUBLISHED = "published", _("published")
        REPLACED = "replaced", _("replaced")
        WITHDRAWN = "withdrawn", _("taken back")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="published_prizes")
    number = models.PositiveSmallIntegerField()  # version, from 1
    state = models.CharField(max_length=9, choices=State.choices, default=State.PUBLISHED)
    standings = models.ForeignKey(PublishedStandings, on_delete=models.RESTRICT, related_name="prizes")
    lines = models.JSONField()  # tournaments.prizes.actions.WonPrize as data
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
