"""Workers, the files that tasks make, who ordered them, and what else all hosts of a site share."""

import uuid
from typing import Literal

from django.db import models
from django.urls import reverse

from clubsite.accounts.models import Club, User


class Worker(models.Model):
    name = models.CharField(max_length=64, primary_key=True)  # as in `DBTaskResult.worker_ids`
    host = models.CharField(max_length=255)
    pid = models.PositiveIntegerField()
    started_at = models.DateTimeField(auto_now_add=True)
    beat_at = models.DateTimeField()  # last sign of life

    def __str__(self) -> str:
        return f"{self.host}:{self.pid}"


class MadeFile(models.Model):
    """A file that a task makes, once for everybody who wants it: its key is a hash of all that it depends on.

    Each time it is asked for again (after a failure, or when the file is gone) is another `run`; a run started again
    after its worker died is another `attempt` of it. Only the last attempt of the last run may write here.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        MAKING = "making"
        MADE = "made"
        FAILED = "failed"

    key = models.CharField(max_length=64, unique=True)
    suffix = models.CharField(max_length=8)  # "pdf"
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    payload = models.TextField(blank=True)  # what it is made from, until it is made
    file = models.FileField(blank=True)
    picture = models.FileField(blank=True)  # of its first sheet, as PNG
    run = models.PositiveIntegerField(default=1)
    attempt = models.PositiveIntegerField(default=0)
    task = models.CharField(max_length=64, blank=True)  # this run's task: `DBTaskResult.pk`
    done = models.PositiveIntegerField(default=0)  # parts done, of ...
    of = models.PositiveIntegerField(default=0)  # 0: not known yet
    problem = models.TextField(blank=True)  # why it failed, as the program that makes it said
    unavailable = models.BooleanField(default=False)  # whether it failed because this machine lacks something
    wanted_at = models.DateTimeField()  # last asked for
    made_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.key}.{self.suffix}"

    def content(self, of: Literal["file", "picture"] = "file") -> bytes | None:
        try:
            with getattr(self, of).open("rb") as opened:
                content: bytes = opened.read()
                return content
        except (OSError, ValueError):  # ValueError: there is none
            return None

    def delete_files(self) -> None:
        for stored in (self.file, self.picture):
            if stored:
                stored.storage.delete(str(stored))


class Order(models.Model):
    """Somebody's order of a file, which lets them open it: whether they may was checked when they ordered."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    file = models.ForeignKey(MadeFile, on_delete=models.CASCADE, related_name="orders")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")  # null: a public document
    role = models.CharField(max_length=12, blank=True)  # the user's role in the club when they ordered
    visitor = models.CharField(max_length=64)  # by whom orders are limited: a hash of the user or the address
    title = models.CharField(max_length=200)  # what the file is called
    back = models.CharField(max_length=500)  # the page it was ordered from
    ordered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["ordered_at"]
        constraints = [
            models.UniqueConstraint(fields=["file", "club", "visitor", "role"], name="one_order_of_a_file_and_visitor")
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.file_id})"

    def get_absolute_url(self) -> str:
        return reverse("order", args=[self.club.slug, self.pk])


class Shared(models.Model):
    """A value that all hosts of a site share, by its name: see `secret_key_check`, and `operations.start_code`."""

    name = models.CharField(max_length=40, primary_key=True)
    value = models.CharField(max_length=200)

    def __str__(self) -> str:
        return self.name
