"""Cards keyed twice: that a round is to be, and what the second person read."""

from __future__ import annotations

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
    written = models.JSONField(default=list)  # running totals as in `DealVersion`
    state = models.CharField(max_length=9, choices=State.choices)
    submission = models.UUIDField(unique=True)  # of the line: the same one twice is one reading
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    actor = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)
    settled_by = models.CharField(max_length=150, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.version} {self.state}"
