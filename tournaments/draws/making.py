"""Make a draw: of a stage of a competition, of the next round of a night.

Which draw is a good one is decided in `tournaments.engine.draws` and `tournaments.engine.formats`.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor
from scoring.engine.core.ruleset import Shape
from tournaments.draws import by_format, rotation
from tournaments.draws.basis import basis_of_round, basis_of_stage, entries_for, met_before
from tournaments.draws.keeping import next_drafts, played_draws, save_draw
from tournaments.engine.draws.contest import DoesNotFit, contest_draw, meetings_again
from tournaments.engine.draws.rotation import STEPS
from tournaments.engine.formats import FORMATS
from tournaments.errors import StepRefused
from tournaments.events.group_sizes import fit_words, group_shapes, table_rules
from tournaments.events.stages import refuse_rule_misfit, stage_of
from tournaments.events.state import (
    lock_event,
    lock_open_event,
    stage_draw,
)
from tournaments.models import Draw, Event, Round, Stage
from tournaments.seeds import seed_or_new

FOURS = Shape(2, 2)  # the tables that a rotation is drawn for
ROUNDS = 4  # planned, where nobody says otherwise


def draw_stage(*, stage: Stage, by: Actor, seen: int, seed: int | None = None) -> Draw:
    """Make a draw of a stage, as a draft: its next version. Table-mates of earlier stages are kept apart; a seeded
    stage has the best of the stage before spread over its groups.

    `seen` is the number of the newest version that the page showed (0 for none); when there is a newer one, it is
    returned and no other made, so that a double tap makes one draw. Without a `seed` one is drawn and kept.

    Raises:
        StepRefused: a draw is published, or the number of entries doesn't fit the tables; says what would.
    """
    with transaction.atomic():
        event = lock_event(stage.event)
        stage = event.stages.get(pk=stage.pk)
        round_, _made = Round.objects.get_or_create(stage=stage, number=1)
        newest = round_.draws.order_by("-number").first()
        if newest and newest.number > seen:
            return newest
        if stage_draw(stage):
            raise StepRefused(
                _("The draw of %(stage)s is published. Take it back before you make another.") % {"stage": stage}
            )
        people = entries_for(stage)
        entries = [entry.pk for entry in people]
        seed = seed_or_new(seed)
        apart = met_before(stage)
        sizes = group_shapes(event)
        try:
            tables = contest_draw(
                entries,
                seed=seed,
                apart=apart,
                ranked=entries if stage.seeded and stage.number > 1 else (),
                **table_rules(event),
            )
        except DoesNotFit as no:
            raise StepRefused(fit_words(event, len(entries)) or str(no)) from no
        groups = sum(len(table.groups) for table in tables)
        sections = groups if stage.cut_rule == Stage.CutRule.GROUP else len(tables)
        refuse_rule_misfit(stage.name, stage.cut_rule, stage.advance - stage.wild_cards, sections)
        seating = [[_sides(group, sizes[len(group)]) for group in table.groups] for table in tables]
        statement = {
            "entries": len(entries),
            "tables": len(tables),
            "groups": groups,
            "met_again": meetings_again(tables, apart),
            "had_met": bool(apart),
            "usual": event.shape.players,
            "short": [len(group) for t in tables for group in t.groups if len(group) != event.shape.players],
            "stand_ins": sum(entry.stands_in_id is not None for entry in people),
            "seeded": stage.seeded,
            **basis_of_stage(stage, people),
        }
        return save_draw(round=round_, seating=seating, by=by, seed=seed, statement=statement)


def make_draw(
    *,
    event: Event,
    by: Actor,
    planned: int = ROUNDS,
    again: bool = False,
    seed: int | None = None,
    steps: int = STEPS,
    odd: str = "sit-out",
    seen: int | None = None,
) -> Draw:
    """Draw the next round around those already played, and keep it as a draft with what the verifier counted.

    With new partners every round, all rounds still planned are drawn together; while nobody comes or goes, the next
    one is that of the last plan. `again` draws them anew, as a `seed` does. In other formats the draw follows from the
    results of the rounds before. `seen` is the number of the newest draft that the page showed (0 for none): when
    there is a newer one, it is returned and no other made.

    Raises:
        StepRefused: the night is over, too few or too many are here, wishes collide, or the game isn't two against two.
    """
    with transaction.atomic():
        event = lock_open_event(event)
        if newer := newer_than(event, seen):
            return newer
        if event.format in FORMATS:
            return _draw_by_results(event, by, seed)
        refuse_unless_fours(event)
        fresh = again or seed is not None
        if not fresh and (draw := rotation.going_on(event, planned=planned, odd=odd, by=by)):
            return draw
        asked = rotation.asked_of(event, planned=planned, seed=seed, steps=steps, odd=odd)
        plan = rotation.search(asked)
        return rotation.keep(event=event, asked=asked, rounds=plan.rounds, how=rotation.how(plan), by=by)


def newer_than(event: Event, seen: int | None) -> Draw | None:
    """The newest draft of the next round, when somebody who saw draft `seen` as the newest doesn't know it."""
    newest = next_drafts(event).first()
    return newest if newest is not None and seen is not None and newest.number > seen else None


def refuse_unless_fours(event: Event) -> None:
    """Raises StepRefused for a game that isn't played two against two."""
    if event.shape != FOURS:
        raise StepRefused(_("A club night is drawn for tables of four, two against two. Choose another game for it."))


def _sides(group: Sequence[int], shape: Shape) -> list[list[int]]:
    """Entries of a group on their sides: partners sit opposite, so sides take turns round the table."""
    return [list(group[side :: shape.sides]) for side in range(shape.sides)]


def _draw_by_results(event: Event, by: Actor, seed: int | None) -> Draw:
    """The next round by the event's format, from the results of the rounds before."""
    before = played_draws(event)
    seed = seed_or_new(seed)
    drawn = by_format.next_seats(event, seed)
    round_, _made = Round.objects.get_or_create(stage=stage_of(event), number=len(before) + 1)
    return save_draw(
        round=round_,
        seating=[[table] for table in drawn.tables],
        sit_outs=drawn.sit_outs,
        by=by,
        seed=seed,
        statement=basis_of_round(event, [*drawn.seated, *drawn.sit_outs]) | by_format.rematches_in(event, drawn),
    )
