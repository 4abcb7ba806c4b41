"""A stage of a competition: groups drawn by lot among those who passed the cut before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.names import in_order
from scoring.engine.core.ruleset import Shape
from tournaments.draws.formats.base import DrawOptions, EventFormat, came_after
from tournaments.draws.keeping import Drawn, Seated, has_begun
from tournaments.engine.draws.contest import DoesNotFit, contest_draw, meetings_again, pairs_again
from tournaments.engine.grouping import grouped
from tournaments.errors import StepRefused
from tournaments.events.group_sizes import fit_words, group_shapes, stage_sizes
from tournaments.events.stages import refuse_rule_misfit
from tournaments.events.state import bracket_of, published_draws, stage_draw
from tournaments.models import Cut, Draw, Entry, GroupGame, Stage, Table
from tournaments.seeds import seed_or_new


class Contest(EventFormat):
    """Each stage has one round, drawn by lot."""

    def people(self, stage: Stage, *, though_gone: bool = False) -> list[Entry]:
        """Those here for the first stage, later those who passed the cut before and haven't left, the best first; then
        the stage's stand-ins. With `though_gone` those too who have withdrawn since.

        Raises:
            StepRefused: the cut before isn't published.
        """
        event = stage.event
        before = next((one for one in event.stages.all() if one.number == stage.number - 1), None)
        playing = [Entry.State.HERE, Entry.State.WITHDRAWN] if though_gone else [Entry.State.HERE]
        stand_ins = list(event.entries.filter(state__in=playing, stands_in=stage))
        if before is None:
            return [*event.entries.filter(state__in=playing, stands_in=None), *stand_ins]
        cut = before.cuts.filter(state=Cut.State.PUBLISHED).first()
        if cut is None:
            raise StepRefused(_("Publish the cut of %(stage)s first: it says who plays on.") % {"stage": before})
        if bracket := bracket_of(event):
            raise StepRefused(
                _("Those who go on play %(bracket)s instead. Call it off first, and this stage can be drawn.")
                % {"bracket": bracket}
            )
        through = event.entries.filter(cut_lines__cut=cut, cut_lines__advances=True)
        if not though_gone:
            through = through.exclude(state=Entry.State.WITHDRAWN)
        return [*through.order_by("cut_lines__order"), *stand_ins]

    def next_number(self, stage: Stage) -> int:
        """Always 1, as a stage has one round."""
        return 1

    def draw(self, stage: Stage, options: DrawOptions, *, again: bool) -> Drawn:
        """Table-mates of earlier stages are kept apart; a seeded stage has the best of the stage before spread over
        its groups.

        Raises:
            StepRefused: a draw is published, or the number of entries doesn't fit the tables; says what would.
        """
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
            tables = contest_draw(
                entries,
                seed=seed,
                sizes=stage_sizes(stage, len(entries)),
                apart=apart,
                ranked=entries if seeded else (),
            )
        except DoesNotFit as no:
            raise StepRefused(fit_words(event, len(entries)) or str(no)) from no
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
                "met_again": meetings_again(tables, apart),
                "had_met": bool(apart),
                "usual": event.shape.players,
                "short": [len(group) for group in groups if len(group) != event.shape.players],
                "stand_ins": sum(entry.stands_in_id is not None for entry in people),
                "seeded": stage.seeded,
                "together": stage.together,
                "after": _earlier(stage),
                "order": entries if seeded else [],
            },
        )

    def why_stale(self, draw: Draw) -> list[str]:
        """What has changed: who plays, the stages before, or the plan of this stage."""
        stage, said, begun = draw.round.stage, draw.statement, has_begun(draw)
        wanted = {entry.pk: entry.name for entry in self.people(stage)}
        may_sit = [entry.pk for entry in self.people(stage, though_gone=True)] if begun else list(wanted)
        drawn = dict(draw.seats.values_list("entry_id", "entry__name"))
        new = [name for pk, name in wanted.items() if pk not in drawn]
        gone = sorted((name for pk, name in drawn.items() if pk not in may_sit), key=in_order)
        why = []
        if gone:
            words = ngettext("%(names)s no longer plays.", "%(names)s no longer play.", len(gone))
            why.append(words % {"names": ", ".join(gone)})
        if new:
            why.append(came_after(new))
        ranked = said.get("order", [])
        if said.get("after", now := _earlier(stage)) != now:
            why.append(_("An earlier stage was drawn anew since."))
        elif [pk for pk in ranked if pk in may_sit] != [pk for pk in may_sit if pk in ranked] and ranked:
            why.append(_("The order of the stage before, by which this draw is seeded, has changed since."))
        elif not begun and stage.number > 1 and bool(said.get("seeded")) != stage.seeded:
            why.append(_("Whether this stage is seeded has changed since."))
        elif not begun and bool(said.get("together")) != stage.together:
            why.append(_("Whether all play at one table has changed since."))
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

    def restated(self, draw: Draw, seated: Seated) -> dict[str, Any]:
        """The statement with how many pairs share a table again, and how many stand-ins play."""
        table_of = {e: n for n, table in enumerate(seated.seating) for group in table for side in group for e in side}
        again = pairs_again(table_of, met_before(draw.round.stage))
        stand_ins = draw.round.stage.stand_ins.filter(pk__in=table_of).count()
        return {**draw.statement, "met_again": again, "stand_ins": stand_ins}


def met_before(stage: Stage) -> list[list[int]]:
    """Entries at each table of the event's earlier stages."""
    seats = Table.objects.filter(
        draw__round__stage__event=stage.event,
        draw__round__stage__number__lt=stage.number,
        draw__state=Draw.State.PUBLISHED,
    ).values_list("pk", "groups__seats__entry_id")
    return list(grouped((table, entry) for table, entry in seats if entry is not None).values())


def _sides(group: Sequence[int], shape: Shape) -> list[list[int]]:
    """Entries of a group on their sides: partners sit opposite, so sides take turns round the table."""
    return [list(group[side :: shape.sides]) for side in range(shape.sides)]


def _earlier(stage: Stage) -> list[int]:
    """The published draws of the stages before, by id, in order."""
    earlier = published_draws(stage.event).filter(round__stage__number__lt=stage.number)
    return list(earlier.values_list("pk", flat=True))
