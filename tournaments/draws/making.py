"""Make a draw: of any format, at once or by a search that a worker does. Pages, demo and trials all come this way.

Which draw is a good one is decided in `tournaments.engine`, what is drawn in `tournaments.draws.formats`. What is found
at once (patterns, stored draws, the next round of a plan that goes on, searches that soon reach their bound) needs no
task. The task writes down how far it is and its best rounds so far, which outlive it. One whose worker died is taken up
again by another; the numbers of the run and the attempt see to it that only one saves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django_tasks import TaskContext, TaskResultStatus, task

from clubsite.accounts.models import Actor
from clubsite.jobs import heartbeat
from clubsite.jobs.queue import Priority, enqueue, is_on
from tournaments.draws import rotation
from tournaments.draws.drafts import Drawn, save_draft
from tournaments.draws.formats import AS_USUAL, DrawOptions, format_strategy
from tournaments.engine.draws import rotation as draws_rotation
from tournaments.engine.rounds import SeatedRound
from tournaments.errors import StepRefused
from tournaments.events.stages import stage_of
from tournaments.events.state import lock_open_event
from tournaments.models import Draw, DrawJob, Event, Stage


def make_draw(*, stage: Stage, by: Actor, options: DrawOptions = AS_USUAL, seen: int | None = None) -> Draw:
    """Draw a stage's next round and keep it as a draft, its next version; a search is waited for.

    `seen` is the number of the newest version that the page showed (0 for none); when there is a newer one, it is
    returned and no other made, so that a double tap makes one draw. With new partners every round, all rounds still
    planned are drawn together, and the next one is that of the last plan, unless one was seen or a seed is given.

    Raises StepRefused: the event is over, the draw is published, too few or too many are to be drawn, or wishes
    collide."""
    made = _made(stage, by, options=options, seen=seen, apart=False)
    assert isinstance(made, Draw)  # noqa: S101 - only a search apart makes none
    return made


def start_draw(*, stage: Stage, by: Actor, options: DrawOptions = AS_USUAL, seen: int | None = None) -> Draw | DrawJob:
    """Draw like `make_draw`, but leave a search that takes longer than a moment to a task.

    A search that is on already is returned: a double tap starts one.

    Raises StepRefused: as `make_draw`."""
    return _made(stage, by, options=options, seen=seen, apart=True)


def _made(stage: Stage, by: Actor, *, options: DrawOptions, seen: int | None, apart: bool) -> Draw | DrawJob:
    with transaction.atomic():
        stage = _open(stage)
        if there := _there(stage, seen, apart=apart):
            return there
        asked = format_strategy(stage.event).draw(stage, options, again=bool(seen))
        if isinstance(asked, Drawn):
            return save_draft(stage=stage, drawn=asked, by=by)
    plan, whole = at_once(asked)  # outside: nobody else's write waits for it
    if not apart and not whole:
        plan = rotation.search(asked)
    with transaction.atomic():
        stage = _open(stage)
        if there := _there(stage, seen, apart=apart):
            return there
        if plan and (whole or not apart):
            drawn = rotation.found(stage=stage, asked=asked, rounds=plan.rounds, how=rotation.how(plan))
            return save_draft(stage=stage, drawn=drawn, by=by)
        job = set_up(stage.event, asked, best=plan.rounds if plan else (), by=by)
    if not settings.TASKS_APART:  # there are no workers: search in this process
        enqueue(search, job.pk, job.run, translation.get_language(), priority=Priority.SEARCH)
    return job


def _open(stage: Stage) -> Stage:
    return lock_open_event(stage.event).stages.get(pk=stage.pk)


def _there(stage: Stage, seen: int | None, *, apart: bool) -> Draw | DrawJob | None:
    """A draw newer than `seen`, the newest that somebody saw; else, with `apart`, the search that is on; else None."""
    number = format_strategy(stage.event).next_number(stage)
    newest = Draw.objects.filter(round__stage=stage, round__number=number).order_by("-number").first()
    if newest is not None and seen is not None and newest.number > seen:
        return newest
    return running(stage.event) if apart else None


AT_ONCE = 20_000  # steps that are searched without a task: a third of a second for 200 people
TELL = 0.5  # seconds between two reports of how far it is


def take_best(*, event: Event, by: Actor) -> Draw | None:
    """Save the best rounds so far as the draft, and end the search. None when there is no search on. Raises
    StepRefused: the night is over, or the rounds before have changed since."""
    with transaction.atomic():
        event = lock_open_event(event)
        job = _job_of(event)
        if job is None or job.state != DrawJob.State.RUNNING or not job.best:
            return None
        _end(job)
        asked = rotation.Asked.from_data(job.asked)
        how = {"method": "search", "steps": job.steps, "cut_short": True}
        return _keep(event, asked, rounds=rotation.from_data(job.best), how=how, by=by)


def stop(*, event: Event) -> None:
    """End the search without a draft, or put the notice of a failed one away."""
    with transaction.atomic():
        job = _job_of(lock_open_event(event))
        if job is not None:
            _end(job)


def view_of(event: Event) -> dict[str, Any] | None:
    job = DrawJob.objects.filter(event=event).exclude(state=DrawJob.State.DONE).first()
    if job is None:
        return None
    asked = rotation.Asked.from_data(job.asked)
    best = rotation.from_data(job.best)
    on = job.state == DrawJob.State.RUNNING
    lost = on and not is_on(job.task)  # its task is gone, because the process that worked on it was ended
    alive = on and not lost and not heartbeat.is_missing()  # its task waits or is being done, and there is a worker
    return {
        "job": job,
        "on": on,
        "steps": min(job.steps, asked.steps),
        "of": asked.steps,
        "alive": alive,
        "lost": lost,
        "waits": alive and not job.attempt,  # other tasks come first
        "best": rotation.counted(asked.played, best, wishes=asked.wishes) if best else None,
    }


@task(takes_context=True)
def search(  # noqa: PLR0917  (a task: its arguments wait by place)
    context: TaskContext, pk: int, run: int, language: str
) -> int | None:
    """Search, tell how far it is, save the draft once, and return its key. None when it was given up meanwhile."""
    job = _mine(pk, run).filter(attempt__lt=context.attempt).select_related("made_by", "event").first()
    if job is None or not _mine(pk, run, attempt=job.attempt).update(attempt=context.attempt):
        return None
    with translation.override(language):
        draw = _search(job, context.attempt)
    return draw.pk if draw else None


def note_failure(sender: object, *, task_result: Any, **rest: object) -> None:
    """Say that no draw was made, when the task itself failed: by a fault, or because its worker died too often."""
    if task_result.status == TaskResultStatus.FAILED and task_result.task.func is search.func:
        pk, run, language = task_result.args
        with translation.override(language):
            words = _("The search broke off with a fault of the program. Try again, or choose fewer rounds.")
        _mine(pk, run).update(state=DrawJob.State.FAILED, problem=words)


def _search(job: DrawJob, attempt: int) -> Draw | None:
    asked = rotation.Asked.from_data(job.asked)
    by = Actor(user=job.made_by, name=job.actor, route=job.route)
    try:
        plan = rotation.search(asked, _telling(job.pk, job.run, attempt=attempt))
        with transaction.atomic():
            event = lock_open_event(job.event)
            if not _mine(job.pk, job.run, attempt=attempt).update(state=DrawJob.State.DONE):
                return None
            return _keep(event, asked, rounds=plan.rounds, how=rotation.how(plan), by=by)
    except StepRefused as refused:
        _mine(job.pk, job.run, attempt=attempt).update(state=DrawJob.State.FAILED, problem=str(refused.message))
        return None


def at_once(asked: rotation.Asked) -> tuple[draws_rotation.Plan | None, bool]:
    """What is found at once, and whether a longer search is needless; None where even whether wishes can hold takes
    longer to find out."""
    try:
        plan = rotation.search(replace(asked, steps=min(asked.steps, AT_ONCE)), soon=True)
    except draws_rotation.Undecided:
        return None, False
    ended = plan.steps < AT_ONCE - asked.rounds * len(asked.people)  # whether it ended before its steps ran out
    return plan, ended or asked.steps <= AT_ONCE


def running(event: Event) -> DrawJob | None:
    job = _job_of(event)
    return job if job and job.state == DrawJob.State.RUNNING else None


def _keep(
    event: Event, asked: rotation.Asked, *, rounds: Sequence[SeatedRound], how: Mapping[str, Any], by: Actor
) -> Draw:
    stage = stage_of(event)
    return save_draft(stage=stage, drawn=rotation.found(stage=stage, asked=asked, rounds=rounds, how=how), by=by)


def _telling(pk: int, run: int, *, attempt: int) -> draws_rotation.Watch:
    """A watch that writes down how far a search is, every TELL seconds, and stops it once it was given up or another
    worker has taken it up."""
    last = monotonic()

    def watch(progress: draws_rotation.SearchProgress, best: Callable[[], tuple[SeatedRound, ...]]) -> bool:
        nonlocal last
        if monotonic() < last + TELL:
            return True
        last = monotonic()
        facts: dict[str, Any] = {"steps": progress.steps}
        if rounds := best():
            facts["best"] = rotation.to_data(rounds)
        return bool(_mine(pk, run, attempt=attempt).update(**facts))

    return watch


def set_up(event: Event, asked: rotation.Asked, *, best: tuple[SeatedRound, ...], by: Actor) -> DrawJob:
    """Begin another run of the event's search, with what was found at once as the best so far. Its task waits for a
    worker once the transaction is committed."""
    job = _job_of(event) or DrawJob(event=event, run=0)
    job.run, job.attempt = job.run + 1, 0
    job.state, job.steps, job.problem = DrawJob.State.RUNNING, 0, ""
    job.asked, job.best = asdict(asked), rotation.to_data(best)
    job.made_by, job.actor, job.route = by.user, by.name, by.route
    job.save()
    if settings.TASKS_APART:
        job.task = enqueue(search, job.pk, job.run, translation.get_language(), priority=Priority.SEARCH)
        job.save(update_fields=["task"])
    return job


def _end(job: DrawJob) -> None:
    job.state = DrawJob.State.DONE
    job.save(update_fields=["state"])


def _job_of(event: Event) -> DrawJob | None:
    """The event's search as it is now, locked until the transaction ends, since its worker writes to it without locking
    the club."""
    return DrawJob.objects.select_for_update().filter(event=event).first()


def _mine(pk: int, run: int, *, attempt: int | None = None) -> Any:
    """A query for the search, empty once another run, or another attempt where one is named, has taken its place."""
    mine = DrawJob.objects.filter(pk=pk, run=run, state=DrawJob.State.RUNNING)
    return mine if attempt is None else mine.filter(attempt=attempt)
