"""The treasurer's book of a club: fees, prizes and whatever else comes in or goes out. Lines are only ever added."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import Club, User
from tournaments.models.events import Entry, Event, Season


class MoneyLine(models.Model):
    """One amount that came in or, below nought, went out. A slip is put right by a line that reverses it."""

    class Kind(models.TextChoices):
        """What it was for."""

        FEE = "fee", _("fee")
        PRIZE = "prize", _("prize")
        INCOME = "income", _("other income")
        COST = "cost", _("cost")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="money_lines")
    season = models.ForeignKey(Season, on_delete=models.SET_NULL, null=True, blank=True, related_name="money_lines")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="money_lines")
    entry = models.ForeignKey(Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="money_lines")
    kind = models.CharField(_("what for"), max_length=6, choices=Kind.choices)
    amount = models.BigIntegerField()  # in the currency's smallest unit; above nought: in
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

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert. Raises TypeError on a line that is already written."""
        if self.pk is not None:
            raise TypeError("a line of the book is never changed")
        super().save(*args, **kwargs)
