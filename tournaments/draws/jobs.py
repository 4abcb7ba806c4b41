"""The search for a draw that takes longer than a moment: a process of its own, watched from the draw page.

What is found at once (patterns, stored draws, the next round of a plan that goes on, searches that soon reach their
bound) needs none: see `making`. The process writes down how far it is and its best rounds so far, which outlive it. One
that has fallen silent can be started again; the number of the run sees to it that only one saves a draft.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from threading import Thread
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor
from tournaments.draws import rotation
from tournaments.draws.keeping import keep
from tournaments.engine.draws import rotation as draws_rotation
from tournaments.engine.rounds import Round as Seats
from tournaments.errors import StepRefused
from tournaments.events.stages import stage_of
from tournaments.events.state import lock_open_event
from tournaments.models import Draw, DrawJob, Event

AT_ONCE = 20_000  # steps that nobody waits for: a third of a second for 200 people
BEAT = 0.5  # seconds between two signs of life
SILENT = timedelta(seconds=20)  # without one, a process is taken for dead


@dataclass(frozen=True, slots=True)
class JobView:
    """How far the search for an event's next draw is."""

    job: DrawJob
    steps: int
    of: int
    alive: bool  # a process is at it
    best: dict[str, Any] | None  # what the verifier says of the best rounds so far: `rotation.counted`


def start_again(*, event: Event) -> DrawJob | None:
    """Start a search again whose process has fallen silent, from the same beginning. None when there is none."""
    with transaction.atomic():
        event = lock_open_event(event)
        job = _job_of(event)
        if job is None or job.state != DrawJob.State.RUNNING or _alive(job):
            return job
        job.run, job.steps, job.beat_at = job.run + 1, 0, timezone.now()
        job.save()
    launch(job)
    return job


def take_best(*, event: Event, by: Actor) -> Draw | None:
    """Save the best rounds so far as the draft, and end the search. None when there is no search on.

    Raises:
        StepRefused: the night is over, or the rounds before have changed since.
    """
    with transaction.atomic():
        event = lock_open_event(event)
        job = _job_of(event)
        if job is None or job.state != DrawJob.State.RUNNING or not job.best:
            return None
        _end(job, DrawJob.State.DONE)
        asked = rotation.Asked.from_data(job.asked)
        how = {"method": "search", "steps": job.steps, "cut_short": True}
        return _keep(event, asked, rotation.from_data(job.best), how, by)


def stop(*, event: Event) -> None:
    """End the search without a draft, or put the notice of a failed one away."""
    with transaction.atomic():
        job = _job_of(lock_open_event(event))
        if job is not None:
            _end(job, DrawJob.State.DONE)


def view_of(event: Event) -> JobView | None:
    """The search that is on for an event, or that has failed; None when there is nothing to say."""
    job = DrawJob.objects.filter(event=event).exclude(state=DrawJob.State.DONE).first()
    if job is None:
        return None
    asked = rotation.Asked.from_data(job.asked)
    best = rotation.from_data(job.best)
    said = rotation.counted(asked.played, best, asked.wishes) if best else None
    return JobView(job, min(job.steps, asked.steps), asked.steps, _alive(job), said)


def launch(job: DrawJob) -> None:
    """Start the process of a search; without a process of its own, search here and now."""
    if not settings.DRAWS_APART:
        search(job.pk, job.run)
        return
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "make_draw", str(job.pk), str(job.run), "--nice=5"]
    try:
        process = subprocess.Popen(  # noqa: S603  (our own command; it outlives this worker)
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as refused:
        words = _("This machine started no process for the search (%(why)s). Try again.") % {"why": refused.strerror}
        _mine(job.pk, job.run).update(state=DrawJob.State.FAILED, problem=words)
        return
    Thread(target=process.wait, daemon=True).start()  # so that it leaves no zombie behind


def search(pk: int, run: int) -> Draw | None:
    """What the process does: search, tell how far it is, save the draft once. None when it was given up meanwhile."""
    job = _mine(pk, run).select_related("made_by", "event").first()
    if job is None:
        return None
    asked = rotation.Asked.from_data(job.asked)
    by = Actor(user=job.made_by, name=job.actor, route=job.route)
    try:
        plan = rotation.search(asked, _beating(pk, run))
        with transaction.atomic():
            event = lock_open_event(job.event)
            if not _mine(pk, run).update(state=DrawJob.State.DONE, beat_at=timezone.now()):
                return None
            return _keep(event, asked, plan.rounds, rotation.how(plan), by)
    except StepRefused as refused:
        _mine(pk, run).update(state=DrawJob.State.FAILED, problem=str(refused.message), beat_at=timezone.now())
        return None


def at_once(asked: rotation.Asked) -> tuple[draws_rotation.Plan | None, bool]:
    """What is found at once, and whether a longer search is needless; None where even whether wishes can hold takes
    longer to find out."""
    try:
        plan = rotation.search(replace(asked, steps=min(asked.steps, AT_ONCE)), soon=True)
    except draws_rotation.Undecided:
        return None, False
    ended = plan.steps < AT_ONCE - asked.rounds * len(asked.people)  # before its steps ran out
    return plan, ended or asked.steps <= AT_ONCE


def running(event: Event) -> DrawJob | None:
    """The search that is on for an event, with a process at it."""
    job = _job_of(event)
    return job if job and _alive(job) else None


def _keep(event: Event, asked: rotation.Asked, rounds: Sequence[Seats], how: Mapping[str, Any], by: Actor) -> Draw:
    stage = stage_of(event)
    return keep(stage=stage, drawn=rotation.found(stage=stage, asked=asked, rounds=rounds, how=how), by=by)


def _beating(pk: int, run: int) -> draws_rotation.Watch:
    """Writes down how far a search is, twice a second; stops one that was given up."""
    last = monotonic()

    def watch(progress: draws_rotation.Progress, best: Callable[[], tuple[Seats, ...]]) -> bool:
        nonlocal last
        if monotonic() < last + BEAT:
            return True
        last = monotonic()
        told: dict[str, Any] = {"steps": progress.steps, "beat_at": timezone.now()}
        if rounds := best():
            told["best"] = rotation.to_data(rounds)
        return bool(_mine(pk, run).update(**told))

    return watch


def set_up(event: Event, asked: rotation.Asked, best: tuple[Seats, ...], by: Actor) -> DrawJob:
    """The event's search, with a run of its own, and what was found at once as the best so far."""
    job = _job_of(event) or DrawJob(event=event, run=0)
    job.run += 1
    job.state, job.steps, job.problem = DrawJob.State.RUNNING, 0, ""
    job.asked, job.best = asked.to_data(), rotation.to_data(best)
    job.beat_at = timezone.now()
    job.made_by, job.actor, job.route = by.user, by.name, by.route
    job.save()
    return job


def _end(job: DrawJob, state: DrawJob.State) -> None:
    job.state = state
    job.save(update_fields=["state"])


def _job_of(event: Event) -> DrawJob | None:
    """The event's search as it is now, held until the transaction ends."""
    return DrawJob.objects.select_for_update().filter(event=event).first()


def _mine(pk: int, run: int) -> Any:
    """The search, while it is still this run's."""
    return DrawJob.objects.filter(pk=pk, run=run, state=DrawJob.State.RUNNING)


def _alive(job: DrawJob) -> bool:
    return job.state == DrawJob.State.RUNNING and timezone.now() - job.beat_at < SILENT
