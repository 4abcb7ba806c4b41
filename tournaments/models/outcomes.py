"""Published standings and cuts, their rows; prizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import User
from clubsite.names import BETWEEN, in_order
from scoring.models import LONGEST_REASON
from tournaments.engine.rounds import grouped
from tournaments.models.draws import Stage
from tournaments.models.events import Entry, Event

Data: TypeAlias = Mapping[str, Any]  # tournaments.standings.standings.Row as data
Sides: TypeAlias = Mapping[int, int]  # entry of a person to a number that their side alone has
NO_SIDES: Sides = MappingProxyType({})


def side_name(names: Iterable[str]) -> str:
    return " & ".join(names)


def rows_of_people(rows: Iterable[Data], side_of: Sides = NO_SIDES) -> Iterator[dict[str, Any]]:
    """A row for each person: those of a side have its place and figures, and its entry as `side`.

    With `side_of` so do those of a version that has a row for each of them."""
    rows = list(rows)
    sides = rows_of_sides(rows, side_of) if side_of else ()
    ranked = {
        person["entry"]: {"side": row["entry"], "place": row["place"]} for row in sides for person in people_of(row)
    }
    for row in rows:
        for person in people_of(row):
            yield {**row, "side": row["entry"], **person, **ranked.get(person["entry"], {})}


def rows_of_sides(rows: Iterable[Data], side_of: Sides) -> list[dict[str, Any]]:
    """A row for each side. Partners whom an adjustment of one of them had put apart have the better place."""
    single: list[dict[str, Any]] = [dict(row) for row in rows]
    by_side = grouped((side_of.get(row["entry"], -row["entry"]), row) for row in single)
    if has_sides(single) or len(by_side) == len(single):
        return single
    best = [min(own, key=lambda row: row["place"]) for own in by_side.values()]
    places = sorted(row["place"] for row in best)
    made = []
    for first, own in zip(best, by_side.values(), strict=True):
        people = sorted((person for row in own for person in people_of(row)), key=lambda person: person["number"])
        side = {
            "place": 1 + places.index(first["place"]),
            "shared": places.count(first["place"]) > 1,
            "separated_by": max(row.get("separated_by", "") for row in own),
            "withdrawn": any(row.get("withdrawn") for row in own),
        }
        if len(people) > 1:
            side |= people[0] | {"name": side_name(one["name"] for one in people), "member": None, "people": people}
        made.append(first | side)
    return sorted(made, key=lambda row: (row["place"], in_order(row["name"])))


def has_sides(rows: Iterable[Data]) -> bool:
    return any("people" in row for row in rows)


def people_of(row: Data) -> list[dict[str, Any]]:
    people: list[dict[str, Any]] | None = row.get("people")
    return people or [{name: row.get(name) for name in ("entry", "number", "name", "member")}]


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
        return BETWEEN.join([self.stage.name, gettext("Version %(n)s") % {"n": self.number}])


class CutLine(models.Model):
    """One name on either side of the line, and why."""

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
    points = models.IntegerField(_("points"))  # below zero: a penalty
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


class PrizePlan(models.Model):
    """The prizes of an event in the order in which they are given, by which rule, and the lots drawn for them."""

    class Ties(models.TextChoices):
        SHARE = "share", _("they share it, with the prizes of the places they take up")
        LOTS = "lots", _("lots are drawn among them")

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="prize_plan")
    prizes = models.JSONField(default=list)  # tournaments.engine.prizes.Prize as data
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

    def __str__(self) -> str:
        return f"{self.event} v{self.number}"
