"""Make draws: each format has a strategy; short searches run at once, long ones in a worker.

`tournaments.engine` decides which draw is good. What a draw rests on is stored with it and compared each time it is
published. A search task records its progress and its best rounds, which outlive it. If its worker dies, another takes
it up; the numbers of the run and the attempt ensure that only one saves.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _, ngettext
from django_tasks import TaskContext, TaskResultStatus, task

from clubsite.accounts.models import Actor
from clubsite.jobs import heartbeat
from clubsite.jobs.queue import Priority, enqueue, is_active
from clubsite.names import name_sort_key
from scoring.engine.core.ruleset import Shape
from scoring.models import Game
from tournaments.draws import by_format, rotation
from tournaments.draws.drafts import Drawn, Seated, earlier_draws, has_begun, save_draft
from tournaments.draws.rotation import DrawRequest, as_data, wishes_of
from tournaments.engine.draws import rotation as draws_rotation
from tournaments.engine.draws.contest import DoesNotFit, count_meetings_again, count_pairs_again, draw_contest
from tournaments.engine.rounds import DrawWish, SeatedRound, Table as SeatedTable, grouped
from tournaments.engine.verify import wish_outcomes
from tournaments.errors import StepRefused
from tournaments.events.stages import group_shapes, misfit_message, refuse_rule_misfit, stage_sizes
from tournaments.events.state import (
    following_bracket,
    lock_open_event,
    night_stage,
    open_event_locked,
    published_draws,
    stage_draw,
)
from tournaments.models import Cut, Draw, DrawJob, Entry, Event, GroupGame, Stage, Table, seed_or_new

ROUNDS = 4  # planned, where nobody says otherwise


@dataclass(frozen=True, slots=True)
class DrawOptions:
    planned: int = ROUNDS  # rounds in all
    odd: str = "sit-out"  # what becomes of those who don't fit: `engine.rounds.ODD`
    effort: str = "normal"  # of `rotation.EFFORTS`
    steps: int | None = None  # of the search; None: as many as the effort has
    seed: int | None = None  # None: a new one is drawn


AS_USUAL = DrawOptions()


class FormatStrategy(ABC):
    @abstractmethod
    def people(self, stage: Stage) -> list[Entry]:
        """The entries to draw. Raises StepRefused: they aren't known yet."""

    @abstractmethod
    def next_number(self, stage: Stage) -> int:
        """The number of the round to draw."""

    @abstractmethod
    def draw(self, stage: Stage, options: DrawOptions, *, again: bool) -> Drawn | DrawRequest:
        """The seats of the next round, or what to search for. `again`: they must differ from those of the last draw.
        Raises StepRefused: there is no such round; says what to do."""

    @abstractmethod
    def why_stale(self, draw: Draw) -> list[str]:
        """What has changed so that a draw can't be published, in sentences.

        A draw that was played can come back although somebody has left since: nobody's seat in it changes."""

    def late_table(self, draw: Draw, people: Sequence[int]) -> SeatedTable:
        """The sides of a table that is added to a draw's round for these people. Raises StepRefused."""
        raise StepRefused(why_no_late_table(draw.round.stage.event))

    @abstractmethod
    def recompute_report(self, draw: Draw, seated: Seated) -> dict[str, Any]:
        """The statement of a draw with these seats instead of its own."""


class ByRounds(FormatStrategy):
    def people(self, stage: Stage) -> list[Entry]:
        return list(stage.event.entries.filter(state=Entry.State.HERE))

    def next_number(self, stage: Stage) -> int:
        return 1 + published_draws(stage.event).count()

    def basis(self, event: Event, people: Sequence[int]) -> dict[str, Any]:
        """What a draw of the next round rests on besides who is here, for its statement. `people` are entry ids."""
        return {"after": list(published_draws(event).values_list("pk", flat=True))}

    def why_stale(self, draw: Draw) -> list[str]:
        why = [] if has_begun(draw) else _people_changed(draw)
        return [*why, words] if (words := self.results_changed(draw)) else why

    def results_changed(self, draw: Draw) -> str:
        if list(earlier_draws(draw).values_list("pk", flat=True)) != draw.statement.get("after", []):
            return _("The rounds before it have changed since.")
        return ""


def why_no_late_table(event: Event) -> str:
    """Why latecomers can't have another table in the round that is on, in words; "" where they can."""
    traits = event.traits
    if traits.late_tables:
        return ""
    if traits.has_cut:
        return _("In a competition, people who come after the draw are reserves and can take somebody's place.")
    if traits.bracket:
        return _("The bracket of a knock-out has no place for another table.")
    if traits.one_table:
        return _("This event has one table. Latecomers can play for somebody.")
    return _("In this format the matches are planned, so you can't add a table. Latecomers get one in the next draw.")


def people_of(draw: Draw) -> set[int]:
    return {s.entry_id for s in draw.seats.all()} | {s.entry_id for s in draw.sit_outs.all()}


def came_late_message(names: Sequence[str]) -> str:
    words = ngettext("%(names)s came after this draw was made.", "%(names)s came after this draw was made.", len(names))
    return words % {"names": ", ".join(sorted(names, key=name_sort_key))}


def _people_changed(draw: Draw) -> list[str]:
    placed = people_of(draw)
    entries = list(draw.round.stage.event.entries.all())
    came = [e.name for e in entries if e.state == Entry.State.HERE and e.pk not in placed]
    left = [e.name for e in entries if e.state != Entry.State.HERE and e.pk in placed]
    why = []
    if came:
        why.append(came_late_message(came))
    if left:
        words = ngettext(
            "%(names)s left after this draw was made.", "%(names)s left after this draw was made.", len(left)
        )
        why.append(words % {"names": ", ".join(sorted(left, key=name_sort_key))})
    return why


class Rotation(ByRounds):
    def draw(self, stage: Stage, options: DrawOptions, *, again: bool) -> Drawn | rotation.DrawRequest:
        """The next round of the last draw's plan while it holds, unless another is wanted; else what to search."""
        if stage.event.shape != rotation.FOURS:
            raise StepRefused(
                _("A club night is drawn for tables of four, two against two. Choose another game for it.")
            )
        steps = rotation.EFFORTS[options.effort] if options.steps is None else options.steps
        fresh = again or options.seed is not None
        if not fresh and (drawn := rotation.next_by_plan(stage, planned=options.planned, odd=options.odd)):
            return drawn
        return rotation.request_for(
            stage.event, planned=options.planned, seed=options.seed, steps=steps, odd=options.odd
        )

    def why_stale(self, draw: Draw) -> list[str]:
        why, statement = super().why_stale(draw), draw.statement
        if (
            "plan" in statement
            and not has_begun(draw)
            and statement["plan"]["wishes"] != as_data(wishes_of(draw.round.stage.event))
        ):
            why.append(_("The wishes have changed since it was made."))
        return why

    def late_table(self, draw: Draw, people: Sequence[int]) -> SeatedTable:
        return rotation.late_table(draw, people)

    def recompute_report(self, draw: Draw, seated: Seated) -> dict[str, Any]:
        """Leaves out the rounds planned after it: they are drawn again."""
        return rotation.report_with_seats(draw, seated)


class ByResults(ByRounds):
    def draw(self, stage: Stage, options: DrawOptions, *, again: bool) -> Drawn:
        event, number = stage.event, self.next_number(stage)
        seed = seed_or_new(options.seed)
        seats = by_format.next_seats(event, seed)
        return Drawn(
            round=number,
            seating=[[table] for table in seats.tables],
            sit_outs=seats.sit_outs,
            walkovers={entry: away[0] for winner, away in seats.walkovers for entry in winner},
            seed=seed,
            statement={
                **self.basis(event, [*seats.seated, *seats.sit_outs]),
                **by_format.rematch_report(event, seats),
                **_meetings_report(event, seats),
                **by_format.format_report(event, seats.tables, seed=seed),
                "wishes": rotation.outcomes_as_data(wish_outcomes([seats], self.wishes(event, number))),
            },
        )

    def wishes(self, event: Event, number: int) -> list[DrawWish]:
        """The pairs that mustn't meet in a round. A knock-out keeps them apart in its first round only."""
        return wishes_of(event) if event.traits.wishes and not (event.traits.bracket and number > 1) else []

    def basis(self, event: Event, people: Sequence[int]) -> dict[str, Any]:
        return super().basis(event, people) | {
            "rests_on": by_format.fingerprint_of_results(event),
            "totals": by_format.fingerprint_of_totals(event),
            "sides": by_format.fingerprint_of_sides(event, people),
            "lots": by_format.LOTS_BY_NUMBER,
        }

    def why_stale(self, draw: Draw) -> list[str]:
        why, sides = super().why_stale(draw), draw.statement.get("sides")
        if not why and sides and sides != by_format.fingerprint_of_sides(draw.round.stage.event, people_of(draw)):
            return [_("Who plays with whom, or for which club, has changed since.")]
        if not why and not has_begun(draw) and (changed := by_format.seeding_changed(draw)):
            return [changed]
        wishes = [outcome.wish for outcome in rotation.stored_outcomes(draw.statement)]
        if not why and not has_begun(draw) and wishes != self.wishes(draw.round.stage.event, draw.round.number):
            return [_("The wishes have changed since it was made.")]
        return why

    def results_changed(self, draw: Draw) -> str:
        if words := super().results_changed(draw):
            return words
        event, rests_on = draw.round.stage.event, draw.statement.get("rests_on")
        if rests_on and rests_on != by_format.fingerprint_of_results(event):
            return _("A result it depends on has been corrected since.")
        if (totals := draw.statement.get("totals")) and totals != by_format.fingerprint_of_totals(event):
            return _("The standings it depends on have changed since, for example by a penalty.")
        return ""

    def late_table(self, draw: Draw, people: Sequence[int]) -> SeatedTable:
        event = draw.round.stage.event
        if not event.traits.late_tables:
            return super().late_table(draw, people)
        field, played = by_format.field_of(event), by_format.played_of(event)
        if table := by_format.format_of(event).late_table(field, played, people=people):
            return table
        if event.fixed_sides:
            raise StepRefused(_("Choose two whole sides that may meet."))
        raise StepRefused(_("Choose four people; with two colours, two of each."))

    def recompute_report(self, draw: Draw, seated: Seated) -> dict[str, Any]:
        """The statement with the rematches that these seats bring, and the wishes that they break."""
        event, now = draw.round.stage.event, [*seated.seats.seated, *seated.seats.sit_outs]
        sides = {} if people_of(draw) == set(now) else {"sides": by_format.fingerprint_of_sides(event, now)}
        before, wishes = draw.round.number - 1, [outcome.wish for outcome in rotation.stored_outcomes(draw.statement)]
        return {
            **draw.statement,
            **sides,
            **by_format.rematch_report(event, seated.seats, before=before),
            **_meetings_report(event, seated.seats, before=before),
            "wishes": rotation.outcomes_as_data(wish_outcomes([seated.seats], wishes)),
        }


def _meetings_report(event: Event, seats: SeatedRound, *, before: int | None = None) -> dict[str, Any]:
    """What a draw's statement says of partners, opponents and table-mates who meet again, beside the fewest possible;
    nothing in formats that don't count them. `before` is how many rounds were played before it (None: all)."""
    if not event.traits.counts_meetings:
        return {}
    played = [
        SeatedRound(tuple(table.sides for table in round_.tables), round_.sit_outs)
        for round_ in by_format.played_of(event)[:before]
    ]
    return rotation.meeting_report(played, [seats], wishes=())


class Contest(FormatStrategy):
    def people(self, stage: Stage, *, though_gone: bool = False) -> list[Entry]:
        """Those here for the first stage, later those who passed the cut before and haven't left, the best first; then
        the stage's stand-ins. With `though_gone` also those who have withdrawn since. Raises StepRefused: the cut
        before isn't published."""
        event = stage.event
        before = next((earlier for earlier in event.stages.all() if earlier.number == stage.number - 1), None)
        playing = [Entry.State.HERE, Entry.State.WITHDRAWN] if though_gone else [Entry.State.HERE]
        stand_ins = list(event.entries.filter(state__in=playing, stands_in=stage))
        if before is None:
            return [*event.entries.filter(state__in=playing, stands_in=None), *stand_ins]
        cut = before.cuts.filter(state=Cut.State.PUBLISHED).first()
        if cut is None:
            raise StepRefused(_("Publish the cut of %(stage)s first: it decides who plays on.") % {"stage": before})
        if bracket := following_bracket(event):
            raise StepRefused(
                _("The people who go on are in %(bracket)s instead. Call that off before you draw this stage.")
                % {"bracket": bracket}
            )
        through = event.entries.filter(cut_lines__cut=cut, cut_lines__advances=True)
        if not though_gone:
            through = through.exclude(state=Entry.State.WITHDRAWN)
        return [*through.order_by("cut_lines__order"), *stand_ins]

    def next_number(self, stage: Stage) -> int:
        return 1

    def draw(self, stage: Stage, options: DrawOptions, *, again: bool) -> Drawn:
        """Table-mates of earlier stages are kept apart; a seeded stage has the best of the stage before spread over its
        groups. Raises StepRefused: a draw is published, or the number of entries doesn't fit the tables; says what
        would."""
        if stage_draw(stage):
            raise StepRefused(
                _("The draw of %(stage)s is published. Take it back before you make another.") % {"stage": stage}
            )
        event, people = stage.event, self.people(stage)
        entries = [entry.pk for entry in people]
        seeded = stage.seeded and stage.number > 1
        seed = seed_or_new(options.seed)
        apart, sizes = met_before(stage), group_shapes(event.rules.rule_set, event.shape)
        try:
            tables = draw_contest(
                entries,
                seed=seed,
                sizes=stage_sizes(stage, len(entries)),
                apart=apart,
                ranked=entries if seeded else (),
            )
        except DoesNotFit as no:
            raise StepRefused(misfit_message(event, len(entries)) or str(no)) from no
        groups = [group for table in tables for group in table.groups]
        sections = groups if stage.cut_rule == Stage.CutRule.GROUP else tables
        refuse_rule_misfit(stage.name, stage.cut_rule, places=stage.advance - stage.wild_cards, sections=len(sections))
        return Drawn(
            round=1,
            seating=[[_sides(group, sizes[len(group)]) for group in table.groups] for table in tables],
            seed=seed,
            statement={
                "entries": len(entries),
                "tables": len(tables),
                "groups": len(groups),
                "met_again": count_meetings_again(tables, apart),
                "had_met": bool(apart),
                "usual": event.shape.players,
                "short": [len(group) for group in groups if len(group) != event.shape.players],
                "stand_ins": sum(entry.stands_in_id is not None for entry in people),
                "seeded": stage.seeded,
                "together": stage.together,
                "after": _earlier_draws(stage),
                "order": entries if seeded else [],
            },
        )

    def why_stale(self, draw: Draw) -> list[str]:
        stage, statement, begun = draw.round.stage, draw.statement, has_begun(draw)
        expected = {entry.pk: entry.name for entry in self.people(stage)}
        may_sit = [entry.pk for entry in self.people(stage, though_gone=True)] if begun else list(expected)
        drawn = dict(draw.seats.values_list("entry_id", "entry__name"))
        new = [name for pk, name in expected.items() if pk not in drawn]
        gone = sorted((name for pk, name in drawn.items() if pk not in may_sit), key=name_sort_key)
        why = []
        if gone:
            words = ngettext("%(names)s no longer plays.", "%(names)s no longer play.", len(gone))
            why.append(words % {"names": ", ".join(gone)})
        if new:
            why.append(came_late_message(new))
        ranked = statement.get("order", [])
        if statement.get("after", now := _earlier_draws(stage)) != now:
            why.append(_("An earlier stage has been drawn again since."))
        elif [pk for pk in ranked if pk in may_sit] != [pk for pk in may_sit if pk in ranked] and ranked:
            why.append(_("This draw is seeded by the stage before, whose order has changed since."))
        elif not begun and stage.number > 1 and bool(statement.get("seeded")) != stage.seeded:
            why.append(_("Seeding was switched on or off for this stage since."))
        elif not begun and bool(statement.get("together")) != stage.together:
            why.append(_("Playing at one table was switched on or off since."))
        planned = GroupGame.objects.filter(group__table__draw=draw).order_by("-number")
        games = planned.values_list("number", flat=True).first()
        if games not in (None, stage.games):
            words = ngettext(
                "Its groups play %(games)d game, and the plan of %(stage)s says %(planned)d.",
                "Its groups play %(games)d games, and the plan of %(stage)s says %(planned)d.",
                games,
            )
            why.append(words % {"games": games, "stage": stage, "planned": stage.games})
        return why

    def recompute_report(self, draw: Draw, seated: Seated) -> dict[str, Any]:
        """The statement with how many pairs share a table again, and how many stand-ins play."""
        table_of = {e: n for n, table in enumerate(seated.seating) for group in table for side in group for e in side}
        again = count_pairs_again(table_of, met_before(draw.round.stage))
        stand_ins = draw.round.stage.stand_ins.filter(pk__in=table_of).count()
        return {**draw.statement, "met_again": again, "stand_ins": stand_ins}


def met_before(stage: Stage) -> list[list[int]]:
    seats = Table.objects.filter(
        draw__round__stage__event=stage.event,
        draw__round__stage__number__lt=stage.number,
        draw__state=Draw.State.PUBLISHED,
    ).values_list("pk", "groups__seats__entry_id")
    return list(grouped((table, entry) for table, entry in seats if entry is not None).values())


def _sides(group: Sequence[int], shape: Shape) -> list[list[int]]:
    return [list(group[side :: shape.sides]) for side in range(shape.sides)]


def _earlier_draws(stage: Stage) -> list[int]:
    earlier = published_draws(stage.event).filter(round__stage__number__lt=stage.number)
    return list(earlier.values_list("pk", flat=True))


OWN_WAY: dict[str, FormatStrategy] = {Event.Format.CONTEST: Contest(), Event.Format.ROTATION: Rotation()}
BY_RESULTS = ByResults()


def format_strategy(event: Event) -> FormatStrategy:
    return OWN_WAY.get(event.format, BY_RESULTS)


def entries_for(stage: Stage) -> list[Entry]:
    return format_strategy(stage.event).people(stage)


def refuse_stale(draw: Draw) -> None:
    """Raises StepRefused, with what has changed, where a draw can't be published any more."""
    if why := _stale_reasons(draw):
        raise StepRefused(" ".join([*why, _("Make the draw again.")]))


def why_stale(draw: Draw) -> str:
    try:
        return " ".join(_stale_reasons(draw))
    except StepRefused as refused:
        return str(refused.message)


def _stale_reasons(draw: Draw) -> list[str]:
    event = draw.round.stage.event
    if Game.objects.filter(group_game__group__table__draw=draw).exclude(rules=event.rules_id).exists():
        return [_("The game of this event was changed since.")]
    return format_strategy(event).why_stale(draw)


def make_draw(*, stage: Stage, by: Actor, options: DrawOptions = AS_USUAL, seen: int | None = None) -> Draw:
    """Draw a stage's next round and keep it as a draft, its next version; a search is waited for.

    `seen` is the number of the newest version that the page showed (0 for none); when there is a newer one, it is
    returned and no other made, so that a double tap makes one draw. With new partners every round, all rounds still
    planned are drawn together, and the next one is that of the last plan, unless one was seen or a seed is given.

    Raises StepRefused: the event is over, the draw is published, too few or too many are to be drawn, or wishes
    collide."""
    draw = draw_or_search(stage, by, options=options, seen=seen, apart=False)
    assert isinstance(draw, Draw)  # noqa: S101 - only a search apart makes none
    return draw


def start_draw(*, stage: Stage, by: Actor, options: DrawOptions = AS_USUAL, seen: int | None = None) -> Draw | DrawJob:
    """Draw like `make_draw`, but leave a long search to a task. A running search is returned: a double tap starts one.

    Raises StepRefused: as `make_draw`."""
    return draw_or_search(stage, by, options=options, seen=seen, apart=True)


def draw_or_search(stage: Stage, by: Actor, *, options: DrawOptions, seen: int | None, apart: bool) -> Draw | DrawJob:
    with transaction.atomic():
        stage = _lock_stage(stage)
        if existing := _newer_draw_or_search(stage, seen, apart=apart):
            return existing
        result = format_strategy(stage.event).draw(stage, options, again=bool(seen))
        if isinstance(result, Drawn):
            return save_draft(stage=stage, drawn=result, by=by)
    plan, whole = first_plan(result)  # outside: nobody else's write waits for it
    if not apart and not whole:
        plan = rotation.search(result)
    with transaction.atomic():
        stage = _lock_stage(stage)
        if existing := _newer_draw_or_search(stage, seen, apart=apart):
            return existing
        if plan and (whole or not apart):
            drawn = rotation.next_after_search(
                stage=stage, request=result, rounds=plan.rounds, how=rotation.search_report(plan)
            )
            return save_draft(stage=stage, drawn=drawn, by=by)
        job = start_search(stage.event, result, best=plan.rounds if plan else (), by=by)
    if not settings.TASKS_APART:  # there are no workers: search in this process
        enqueue(search, job.pk, job.run, translation.get_language(), priority=Priority.SEARCH)
    return job


def _lock_stage(stage: Stage) -> Stage:
    return lock_open_event(stage.event).stages.get(pk=stage.pk)


def _newer_draw_or_search(stage: Stage, seen: int | None, *, apart: bool) -> Draw | DrawJob | None:
    """A draw newer than the version `seen`; else, with `apart`, the running search."""
    number = format_strategy(stage.event).next_number(stage)
    newest = Draw.objects.filter(round__stage=stage, round__number=number).order_by("-number").first()
    if newest is not None and seen is not None and newest.number > seen:
        return newest
    return running_search(stage.event) if apart else None


STEPS_AT_ONCE = 20_000  # steps that are searched without a task: a third of a second for 200 people
REPORT_EVERY = 0.5  # seconds between two reports of how far it is


def keep_best(*, event: Event, by: Actor) -> Draw | None:
    """End the search and save its best rounds as the draft; None when no search runs. Raises StepRefused: the night is
    over, or the rounds before have changed since."""
    with open_event_locked(event) as event:
        job = _locked_job(event)
        if job is None or job.state != DrawJob.State.RUNNING or not job.best:
            return None
        _end_search(job)
        request = rotation.DrawRequest.from_data(job.asked)
        how = {"method": "search", "steps": job.steps, "cut_short": True}
        return _save_rounds(event, request, rounds=rotation.from_data(job.best), how=how, by=by)


def stop_search(*, event: Event) -> None:
    """End the search without a draft, or dismiss the notice of a failed one."""
    with transaction.atomic():
        job = _locked_job(lock_open_event(event))
        if job is not None:
            _end_search(job)


def search_view(event: Event) -> dict[str, Any] | None:
    job = DrawJob.objects.filter(event=event).exclude(state=DrawJob.State.DONE).first()
    if job is None:
        return None
    request = rotation.DrawRequest.from_data(job.asked)
    best = rotation.from_data(job.best)
    on = job.state == DrawJob.State.RUNNING
    lost = on and not is_active(job.task)  # its task is gone, because the process that worked on it was ended
    alive = (
        on and not lost and not heartbeat.is_worker_missing()
    )  # its task waits or is being done, and there is a worker
    return {
        "job": job,
        "on": on,
        "steps": min(job.steps, request.steps),
        "of": request.steps,
        "alive": alive,
        "lost": lost,
        "waits": alive and not job.attempt,  # other tasks come first
        "best": rotation.meeting_report(request.played, best, wishes=request.wishes) if best else None,
    }


@task(takes_context=True)
def search(  # noqa: PLR0917  (a task: its arguments wait by place)
    context: TaskContext, pk: int, run: int, language: str
) -> int | None:
    """Search, report progress, save the draft and return its key; None if the search was given up meanwhile."""
    job = _job_rows(pk, run).filter(attempt__lt=context.attempt).select_related("made_by", "event").first()
    if job is None or not _job_rows(pk, run, attempt=job.attempt).update(attempt=context.attempt):
        return None
    with translation.override(language):
        draw = _search(job, context.attempt)
    return draw.pk if draw else None


def note_failure(sender: object, *, task_result: Any, **rest: object) -> None:
    """Mark the search as failed when its task failed: by a fault, or because its worker died too often."""
    if task_result.status == TaskResultStatus.FAILED and task_result.task.func is search.func:
        pk, run, language = task_result.args
        with translation.override(language):
            words = _("The search broke off with a fault of the program. Try again, or choose fewer rounds.")
        _job_rows(pk, run).update(state=DrawJob.State.FAILED, problem=words)


def _search(job: DrawJob, attempt: int) -> Draw | None:
    request = rotation.DrawRequest.from_data(job.asked)
    by = Actor(user=job.made_by, name=job.actor, route=job.route)
    try:
        plan = rotation.search(request, _progress_watch(job.pk, job.run, attempt=attempt))
        with open_event_locked(job.event) as event:
            if not _job_rows(job.pk, job.run, attempt=attempt).update(state=DrawJob.State.DONE):
                return None
            return _save_rounds(event, request, rounds=plan.rounds, how=rotation.search_report(plan), by=by)
    except StepRefused as refused:
        _job_rows(job.pk, job.run, attempt=attempt).update(state=DrawJob.State.FAILED, problem=str(refused.message))
        return None


def first_plan(request: rotation.DrawRequest) -> tuple[draws_rotation.Plan | None, bool]:
    """A plan by a short search, and whether a longer one is needless. No plan where even finding out whether the wishes
    can hold takes longer."""
    try:
        plan = rotation.search(replace(request, steps=min(request.steps, STEPS_AT_ONCE)), soon=True)
    except draws_rotation.Undecided:
        return None, False
    ended = plan.steps < STEPS_AT_ONCE - request.rounds * len(
        request.people
    )  # whether it ended before its steps ran out
    return plan, ended or request.steps <= STEPS_AT_ONCE


def running_search(event: Event) -> DrawJob | None:
    job = _locked_job(event)
    return job if job and job.state == DrawJob.State.RUNNING else None


def _save_rounds(
    event: Event, request: rotation.DrawRequest, *, rounds: Sequence[SeatedRound], how: Mapping[str, Any], by: Actor
) -> Draw:
    stage = night_stage(event)
    return save_draft(
        stage=stage, drawn=rotation.next_after_search(stage=stage, request=request, rounds=rounds, how=how), by=by
    )


def _progress_watch(pk: int, run: int, *, attempt: int) -> draws_rotation.Watch:
    """A watch that records a search's progress, and stops it once it was given up or another worker took it up."""
    last = monotonic()

    def watch(progress: draws_rotation.SearchProgress, best: Callable[[], tuple[SeatedRound, ...]]) -> bool:
        nonlocal last
        if monotonic() < last + REPORT_EVERY:
            return True
        last = monotonic()
        facts: dict[str, Any] = {"steps": progress.steps}
        if rounds := best():
            facts["best"] = rotation.to_data(rounds)
        return bool(_job_rows(pk, run, attempt=attempt).update(**facts))

    return watch


def start_search(event: Event, request: rotation.DrawRequest, *, best: tuple[SeatedRound, ...], by: Actor) -> DrawJob:
    """Start another run of the event's search, with `best` as the best rounds so far. Its task is queued when the
    transaction is committed."""
    job = _locked_job(event) or DrawJob(event=event, run=0)
    job.run, job.attempt = job.run + 1, 0
    job.state, job.steps, job.problem = DrawJob.State.RUNNING, 0, ""
    job.asked, job.best = asdict(request), rotation.to_data(best)
    job.made_by, job.actor, job.route = by.user, by.name, by.route
    job.save()
    if settings.TASKS_APART:
        job.task = enqueue(search, job.pk, job.run, translation.get_language(), priority=Priority.SEARCH)
        job.save(update_fields=["task"])
    return job


def _end_search(job: DrawJob) -> None:
    job.state = DrawJob.State.DONE
    job.save(update_fields=["state"])


def _locked_job(event: Event) -> DrawJob | None:
    """The event's search, locked by itself: its worker writes to it without locking the club."""
    return DrawJob.objects.select_for_update().filter(event=event).first()


def _job_rows(pk: int, run: int, *, attempt: int | None = None) -> Any:
    """The search, unless another run (or another attempt than the given one) has replaced it."""
    mine = DrawJob.objects.filter(pk=pk, run=run, state=DrawJob.State.RUNNING)
    return mine if attempt is None else mine.filter(attempt=attempt)
