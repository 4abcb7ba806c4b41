"""Make a draw: of any format, at once or by a search. The pages, the demo and the simulator all come this way.

Which draw is a good one is decided in `tournaments.engine`, what is drawn in `tournaments.draws.formats`.
"""

from __future__ import annotations

from django.db import transaction

from clubsite.accounts.models import Actor
from tournaments.draws import jobs, rotation
from tournaments.draws.formats import way_of
from tournaments.draws.formats.base import AS_USUAL, DrawOptions
from tournaments.draws.keeping import Drawn, keep
from tournaments.events.state import lock_open_event
from tournaments.models import Draw, DrawJob, Stage


def make_draw(*, stage: Stage, by: Actor, options: DrawOptions = AS_USUAL, seen: int | None = None) -> Draw:
    """Draw a stage's next round and keep it as a draft, its next version; a search is waited for.

    `seen` is the number of the newest version that the page showed (0 for none); when there is a newer one, it is
    returned and no other made, so that a double tap makes one draw. With new partners every round, all rounds still
    planned are drawn together, and the next one is that of the last plan, unless one was seen or a seed is given.

    Raises:
        StepRefused: the event is over, the draw is published, too few or too many are to be drawn, or wishes collide.
    """
    made = _made(stage, by, options=options, seen=seen, apart=False)
    assert isinstance(made, Draw)  # noqa: S101 - only a search apart makes none
    return made


def begin(*, stage: Stage, by: Actor, options: DrawOptions = AS_USUAL, seen: int | None = None) -> Draw | DrawJob:
    """Draw like `make_draw`, but leave a search that takes longer than a moment to a task.

    A search that is on already is returned: a double tap starts one.

    Raises:
        StepRefused: as `make_draw`.
    """
    return _made(stage, by, options=options, seen=seen, apart=True)


def _made(stage: Stage, by: Actor, *, options: DrawOptions, seen: int | None, apart: bool) -> Draw | DrawJob:
    with transaction.atomic():
        stage = _open(stage)
        if there := _there(stage, seen, apart=apart):
            return there
        asked = way_of(stage.event).draw(stage, options, again=bool(seen))
        if isinstance(asked, Drawn):
            return keep(stage=stage, drawn=asked, by=by)
    plan, whole = jobs.at_once(asked)  # outside: nobody else's write waits for it
    if not apart and not whole:
        plan = rotation.search(asked)
    with transaction.atomic():
        stage = _open(stage)
        if there := _there(stage, seen, apart=apart):
            return there
        if plan and (whole or not apart):
            drawn = rotation.found(stage=stage, asked=asked, rounds=plan.rounds, how=rotation.how(plan))
            return keep(stage=stage, drawn=drawn, by=by)
        job = jobs.set_up(stage.event, asked, best=plan.rounds if plan else (), by=by)
    jobs.launch(job)
    return job


def _open(stage: Stage) -> Stage:
    """The stage as it is now, its event held until the transaction ends."""
    return lock_open_event(stage.event).stages.get(pk=stage.pk)


def _there(stage: Stage, seen: int | None, *, apart: bool) -> Draw | DrawJob | None:
    """A draw newer than `seen`, the newest that somebody saw; else, with `apart`, the search that is on; else None."""
    number = way_of(stage.event).next_number(stage)
    newest = Draw.objects.filter(round__stage=stage, round__number=number).order_by("-number").first()
    if newest is not None and seen is not None and newest.number > seen:
        return newest
    return jobs.running(stage.event) if apart else None
