"""The stages of an event: planned from its places, and changed until their draws are published."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from tournaments.engine.draws.contest import DoesNotFit, table_sizes
from tournaments.errors import StepRefused
from tournaments.events.chains import chosen, refuse_misfits
from tournaments.events.group_sizes import shape_together, sizes_of
from tournaments.events.stage_plans import plan_stages
from tournaments.events.state import lock_event, refuse_cut, seating_exists, stage_draw
from tournaments.models import Event, Group, Stage

GAMES_IN_A_SET = 4  # at most: US 2006/0267282 A1, "first maximum four game set"


def stage_of(event: Event) -> Stage:
    """The one stage of an event that goes round by round; made when it has none yet."""
    stage, _made = Stage.objects.get_or_create(event=event, number=1, defaults={"name": _("Club night"), "games": 1})
    return stage


def replan(event: Event, *, games: int = GAMES_IN_A_SET, cut_rule: str = "") -> list[Stage]:
    """Plan the event's stages again from its places. Call it inside the transaction that changes the event.

    Raises:
        StepRefused: a draw of the event is published.
    """
    if seating_exists(event):
        raise StepRefused(_("A draw of this event is published. Take it back before you plan the stages anew."))
    event.stages.all().delete()
    made = Stage.objects.bulk_create(
        Stage(event=event, number=n, name=plan.name, games=games, cut_rule=plan.cut_rule, advance=plan.advance)
        for n, plan in enumerate(plan_stages(event.places or 0, event.shape, cut_rule=cut_rule), start=1)
    )
    return list(made)


@dataclass(frozen=True, slots=True)
class StageFacts:
    """How a stage is played, and who goes on from it. `wild_cards` are a part of those who go on."""

    name: str
    games: int  # of a set, at most
    cut_rule: str = ""  # the last stage has none
    advance: int = 0
    wild_cards: int = 0
    seeded: bool = False
    together: bool = False  # the last stage is played by all in one group


def change_stage(*, stage: Stage, by: Actor, facts: StageFacts) -> Stage:
    """Change how one stage is played: the games of a set until its draw is published, the cut until that is.

    Raises:
        StepRefused: it is too late for that change, or the figures make no cut.
    """
    with transaction.atomic():
        event = lock_event(stage.event)
        stage = event.stages.get(pk=stage.pk)
        old = _logged(stage)
        name, cut_rule, advance, wild_cards = facts.name, facts.cut_rule, facts.advance, facts.wild_cards
        last = not event.stages.filter(number__gt=stage.number).exists()
        if facts.games != stage.games and stage_draw(stage):
            raise StepRefused(_("The draw of %(stage)s is published, so its number of games stays.") % {"stage": stage})
        if facts.together != stage.together and stage_draw(stage):
            raise StepRefused(_("The draw of %(stage)s is published, so its groups stay.") % {"stage": stage})
        entries = incoming_of(stage)
        if facts.together and not (last and (entries <= event.shape.players or shape_together(event, entries))):
            raise StepRefused(
                _("The game isn't played by so many at one table. Choose two groups, or fewer finalists.")
            )
        if last:
            cut_rule, advance, wild_cards = Stage.CutRule.NONE, 0, 0
        elif not cut_rule or advance < 1:
            raise StepRefused(_("Say who goes on from %(stage)s, and how many.") % {"stage": stage})
        elif wild_cards and (cut_rule == Stage.CutRule.OVERALL or wild_cards >= advance):
            raise StepRefused(
                _("%(stage)s: wild cards are a part of those who go on, beside the best of each group or table.")
                % {"stage": stage}
            )
        elif advance > (incoming := incoming_of(stage)) and (advance != stage.advance or not stage_draw(stage)):
            raise StepRefused(
                _("%(stage)s: %(incoming)d come in, so %(advance)d can't go on. Choose %(incoming)d or fewer.")
                % {"stage": name, "incoming": incoming, "advance": advance}
            )
        else:
            refuse_rule_misfit(name, cut_rule, places=advance - wild_cards, sections=_sections(stage, cut_rule))
        if (cut_rule, advance, wild_cards) != (stage.cut_rule, stage.advance, stage.wild_cards):
            refuse_cut(stage)
        stage.name, stage.games, stage.cut_rule, stage.advance = name, facts.games, cut_rule, advance
        stage.wild_cards, stage.seeded = wild_cards, facts.seeded and stage.number > 1
        stage.together = facts.together
        if _logged(stage) != old:
            stage.save()
            refuse_misfits(event, chosen(event.tie_breaks))
            log(club=event.club, by=by, verb="stage.change", subject=event.about(stage), old=old, new=_logged(stage))
    return stage


def refuse_rule_misfit(stage: str, cut_rule: str, *, places: int, sections: int) -> None:
    """Check that every group or table of a stage can send somebody on, wild cards left aside.

    Raises:
        StepRefused: there are more groups or tables than places.
    """
    if cut_rule in (Stage.CutRule.GROUP, Stage.CutRule.TABLE) and places < sections:
        raise StepRefused(
            _(
                "%(sections)d groups or tables would each send somebody on, and only %(advance)d go on. "
                "Change the plan of %(stage)s: more go on, fewer wild cards, or the best overall."
            )
            % {"sections": sections, "advance": places, "stage": stage}
        )


def _sections(stage: Stage, cut_rule: str) -> int:
    """How many groups or tables a stage has: as drawn, or as planned; 0 where the number doesn't fit any."""
    if draw := stage_draw(stage):
        tables = Group.objects.filter(table__draw=draw).values_list("table", flat=True)
        return len(tables) if cut_rule == Stage.CutRule.GROUP else len(set(tables))
    try:
        planned = table_sizes(incoming_of(stage), sizes_of(stage.event))
    except DoesNotFit:
        return 0
    return sum(map(len, planned)) if cut_rule == Stage.CutRule.GROUP else len(planned)


def incoming_of(stage: Stage) -> int:
    """How many entries come into a stage: those with a seat in its published draw, without stand-ins; while there is no
    such draw, as many as planned."""
    if draw := stage_draw(stage):
        return draw.seats.filter(entry__stands_in=None).count()
    before = stage.event.stages.filter(number=stage.number - 1).first()
    return before.advance if before else stage.event.places or 0


def _logged(stage: Stage) -> dict[str, Any]:
    return {fact.name: getattr(stage, fact.name) for fact in fields(StageFacts)}
