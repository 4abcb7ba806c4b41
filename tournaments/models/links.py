"""Links with which a table scores for itself."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournaments.models.draws import Group
from tournaments.models.events import Event


class TableLink(models.Model):
    """The way of one group at one table to its cards of one round, without an account.

    The link and its short code are computed from `nonce` and the installation's secret key; the hashes kept here only
    recognise them. A link is never changed into another: it is revoked, and one with the next number is made.
    """

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
