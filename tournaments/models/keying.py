"""Cards keyed twice: that a round is to be, and what the second person read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import User
from scoring.models import DealVersion
from tournaments.models.draws import Round


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
