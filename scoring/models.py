"""House rules, games, and deals with their versions."""

from __future__ import annotations

import json
from functools import cached_property, lru_cache
from typing import Any

from django.db import models
from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from clubsite.accounts.audit_log import About
from clubsite.accounts.models import Club, User
from clubsite.names import SEPARATOR, TranslatedName, side_name
from scoring.engine.core import ruleset
from scoring.engine.core.family import Family
from scoring.engine.core.game import Handicaps
from scoring.engine.core.ruleset import RuleSet, Shape
from scoring.engine.families import family_of, rules_of

LONGEST_REASON = 200  # characters of a reason or a ruling


class InOrder(models.JSONField):
    """JSON stored as text, so that objects keep the order of their keys, which PostgreSQL's own JSON forgets.

    Pages show settings in that order, and a card's books follow the order of `special_books`.
    """

    def get_prep_value(self, value: Any) -> Any:
        """The value as JSON text, which the column holds as one JSON string."""
        return None if value is None else json.dumps(value, ensure_ascii=False)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:  # noqa: PLR0917  (Django's)
        """Older values aren't text. Callers mustn't change the value: all readers of a text share one object."""
        return None if value is None else _read(value)

    def deconstruct(self) -> Any:
        """Tell migrations that the field is a plain JSONField, as its column is."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs


@lru_cache(maxsize=256)
def _read(value: str) -> Any:
    data = json.loads(value)
    return json.loads(data) if isinstance(data, str) else data


@lru_cache(maxsize=256)
def _rule_set(text: str) -> RuleSet:
    return ruleset.from_data(json.loads(text))


@lru_cache(maxsize=512)
def _engine_rules(text: str, shape: Shape) -> Any:
    return rules_of(_rule_set(text), shape)


class HouseRules(models.Model):
    """One published version of a club's rules for a game: never changed, and its games keep it for good."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="house_rules")
    slug = models.SlugField()
    version = models.PositiveSmallIntegerField()
    title = models.CharField(_("title"), max_length=120)
    data = InOrder()  # scoring.engine.core.ruleset.RuleSet.to_data()
    published_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["title", "-version"]
        constraints = [models.UniqueConstraint(fields=["club", "slug", "version"], name="one_text_per_rules_version")]

    def __str__(self) -> str:
        return f"{self.title}"

    def get_absolute_url(self) -> str:
        return reverse("house_rules", args=[self.club.slug, self.slug, self.version])

    @classmethod
    def of(cls, club: Club, rule_set: RuleSet) -> HouseRules:
        """A rule set as a version of the club's rules, not saved yet."""
        named = {"slug": rule_set.slug, "version": rule_set.version, "title": rule_set.title}
        return cls(club=club, data=rule_set.to_data(), **named)

    @property
    def in_log(self) -> str:
        return f"{self.slug} v{self.version}"

    @cached_property
    def text(self) -> str:
        return json.dumps(self.data)

    @property
    def rule_set(self) -> RuleSet:
        """Rules of the same text share one object."""
        return _rule_set(self.text)

    @property
    def lowest_wins(self) -> bool:
        return self.rule_set.lowest_wins

    @property
    def sign(self) -> int:
        """-1 where few points are good, else 1: multiplied by it, more points are always better."""
        return -1 if self.lowest_wins else 1

    @property
    def same_in_a_row(self) -> int:
        """How many equal deals in a row make the site ask whether one was entered twice."""
        return self.family.same_in_a_row(rules_of(self.rule_set))

    @property
    def bid_held(self) -> str:
        """The field of a deal's facts that says which side held the bid; "" where nobody bids."""
        return self.family.bid_held if self.rule_set.has_bids else ""

    @property
    def family(self) -> Family:
        return family_of(self.rule_set)


class Game(models.Model):
    """Deals played to a target or a number, by the sides at one table, under one version of the rules."""

    class State(models.TextChoices):
        """Open until the target, the last deal, or the director ends it."""

        OPEN = "open", _("being played")
        OVER = "over", _("over")
        NOT_PLAYED = "not-played", _("not played")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="games")
    rules = models.ForeignKey(HouseRules, on_delete=models.RESTRICT, related_name="games")
    sides_count = models.PositiveSmallIntegerField()
    per_side = models.PositiveSmallIntegerField()
    title = TranslatedName(max_length=160)  # where it is played: "Table 3 · group A · game 2"
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    ended_by = models.CharField(max_length=10, blank=True)  # "director", or as in `Progress.ended_by`
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True)  # of the director who ended it
    deals_played = models.PositiveSmallIntegerField(default=0)  # that count
    set_aside = models.BooleanField(default=False)  # counts nowhere: the seats it is played on were taken back
    submission = models.UUIDField(null=True, editable=False)  # the form that started it; none within an event

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["club", "submission"], name="one_game_per_form_sent")]

    def __str__(self) -> str:
        return self.title

    @classmethod
    def get_or_404(cls, club: Club, pk: int) -> Game:
        """With rules and sides, by two queries."""
        game = get_object_or_404(cls.objects.select_related("rules").prefetch_related("sides"), club=club, pk=pk)
        game.club = game.rules.club = club
        return game

    @property
    def in_log(self) -> About:
        return About(self.title, game=self.pk)

    def get_absolute_url(self) -> str:
        return reverse("card", args=[self.club.slug, self.pk])

    @property
    def shape(self) -> Shape:
        return Shape(self.sides_count, self.per_side)

    @property
    def engine_rules(self) -> Any:
        return _engine_rules(self.rules.text, self.shape)


class Side(models.Model):
    """Players who score together in a game, and their totals, recounted from all deals whenever one changes."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="sides")
    number = models.PositiveSmallIntegerField()  # from 0
    names = models.JSONField()  # list of names, one per seat
    start = models.IntegerField(default=0)  # points before the first deal (handicap)
    total = models.IntegerField(default=0)
    half_wins = models.PositiveSmallIntegerField(default=0)  # 2 for the game won, 1 for a share of it, else 0
    sets = models.PositiveSmallIntegerField(default=0)  # failed bids
    lone_hands = models.PositiveSmallIntegerField(default=0)  # that took every trick
    absent = models.BooleanField(default=False)  # it wasn't there: a walkover, in which no deal counts

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_side_of_a_number")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return side_name(self.names)

    @property
    def won(self) -> str:
        """A sentence; "" where the side didn't win or share the game."""
        return {2: gettext("Won the game"), 1: gettext("Shared the game")}.get(self.half_wins, "")


class HandicapEntry(models.Model):
    """What one game did to the handicap between two players: never changed. A correction writes new entries.

    `first` and `second` are names for comparison, in alphabetical order; see `scoring.handicaps`.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="handicap_entries")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="handicap_entries")
    first = models.CharField(max_length=160)
    second = models.CharField(max_length=160)
    place = models.PositiveIntegerField()  # of the game among the two players' games, from 1; a correction keeps it
    current = models.BooleanField(default=True)
    winner = models.PositiveSmallIntegerField()  # 0 the first, 1 the second
    loser_total = models.IntegerField()
    before_first = models.PositiveIntegerField()
    before_second = models.PositiveIntegerField()
    after_first = models.PositiveIntegerField()
    after_second = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["place", "id"]
        indexes = [models.Index(fields=["club", "first", "second"])]
        constraints = [
            models.UniqueConstraint(fields=["game"], condition=Q(current=True), name="one_current_handicap_entry")
        ]

    def __str__(self) -> str:
        return f"{self.first} / {self.second} {self.place}"

    @property
    def before(self) -> Handicaps:
        return self.before_first, self.before_second

    @property
    def after(self) -> Handicaps:
        return self.after_first, self.after_second


class HandicapStart(models.Model):
    """A handicap that two players brought from paper before their first game here; the last one counts."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="handicap_starts")
    first = models.CharField(max_length=160)  # named as in `HandicapEntry`
    second = models.CharField(max_length=160)
    points_first = models.PositiveIntegerField()
    points_second = models.PositiveIntegerField()
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON)
    actor = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["club", "first", "second"])]

    def __str__(self) -> str:
        return f"{self.first} / {self.second} {self.points_first}:{self.points_second}"

    @property
    def points(self) -> Handicaps:
        return self.points_first, self.points_second


class Deal(models.Model):
    """One dealing of the cards: an identity. What is on the card is in its versions."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveSmallIntegerField()  # from 1

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_deal_of_a_number")]

    def __str__(self) -> str:
        return SEPARATOR.join([self.game.title, gettext("Deal %(n)d") % {"n": self.number}])

    @property
    def in_log(self) -> About:
        title = SEPARATOR.join([self.game.__dict__["title"], f"Deal {self.number}"])  # as the log has it, in English
        return About(title, game=self.game_id)


class DealVersion(models.Model):
    """What was on the card, who said so and how: never changed. A correction or a confirmation is a new version."""

    class State(models.TextChoices):
        """What the table has said about it."""

        ENTERED = "entered", _("entered")
        AGREED = "agreed", _("agreed")
        DISPUTED = "disputed", _("disputed")
        VOID = "void", _("void")

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField()  # from 1
    current = models.BooleanField(default=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.ENTERED)
    facts = models.JSONField()
    written = models.JSONField(default=list)  # running totals as the scorer wrote them, null where not
    written_sets = models.JSONField(null=True, default=None)  # sides that the scorer marked as set; null: not looked at
    submission = models.UUIDField(unique=True)  # made by the client: the same id twice is one version
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    actor = TranslatedName(max_length=150)
    route = models.CharField(max_length=12)
    entered_side = models.PositiveSmallIntegerField(null=True)  # the side that wrote it at the table; null: nobody said
    # of a correction, a dispute or a void
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True)
    ruling = models.CharField(_("ruling"), max_length=LONGEST_REASON, blank=True)  # of a director, over problems
    overruled = models.JSONField(default=list)  # codes of the problems that the ruling set aside

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["deal", "number"], name="one_deal_version_of_a_number"),
            models.UniqueConstraint(fields=["deal"], condition=Q(current=True), name="one_current_version"),
        ]
        # The desk asks for the open disputes of an event: few, among the deals of all clubs.
        indexes = [models.Index(fields=["deal"], condition=Q(current=True, state="disputed"), name="disputed_deals")]

    def __str__(self) -> str:
        return f"{self.deal} v{self.number}"

    @cached_property
    def by_side(self) -> tuple[int, ...]:
        """The sides' points; () for a void deal. Costs a query, unless this object has just been recorded."""
        return tuple(self.points.values_list("points", flat=True))


class Agreement(models.Model):
    """A side says that a version of a deal is right. A correction is another version, and is asked about again."""

    version = models.ForeignKey(DealVersion, on_delete=models.CASCADE, related_name="agreements")
    side = models.PositiveSmallIntegerField()
    at = models.DateTimeField(auto_now_add=True)
    actor = TranslatedName(max_length=150)
    route = models.CharField(max_length=12)

    class Meta:
        ordering = ["side"]
        constraints = [models.UniqueConstraint(fields=["version", "side"], name="one_agreement_per_side")]

    def __str__(self) -> str:
        return f"{self.version} · {self.side}"


class Points(models.Model):
    version = models.ForeignKey(DealVersion, on_delete=models.CASCADE, related_name="points")
    side = models.PositiveSmallIntegerField()
    points = models.IntegerField()
    was_set = models.BooleanField(default=False)

    class Meta:
        ordering = ["side"]
        constraints = [models.UniqueConstraint(fields=["version", "side"], name="one_figure_per_side")]
