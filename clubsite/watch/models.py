from django.db import models
from django.utils import timezone


class Fault(models.Model):
    """A place in the program where it failed: how often, when, and for which request last."""

    key = models.CharField(max_length=64, unique=True)  # hash of kind and place
    kind = models.CharField(max_length=80)  # "ValueError"
    place = models.CharField(max_length=200)  # "scoring/cards/deals.py in record_deal"
    said = models.CharField(max_length=300, blank=True)  # of earlier versions
    route = models.CharField(max_length=200, blank=True)  # the address's pattern, or outside of requests the logger
    number = models.CharField(max_length=9, blank=True)  # the id of the last request
    trace = models.TextField()
    count = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True)  # by the owner; empty again when it happens again

    class Meta:
        ordering = ["-last_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.kind} · {self.place}"
