"""Verbs of a competition: plan its stages, draw one, end a set, seat a reserve, publish the result.

Which draw is a good one is decided in `tournaments.engine.contest`; here it becomes seats and games.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor
from scoring.deals import ReasonMissing, end_game, reopen_game
from scoring.engine.ruleset import Shape
from scoring.models import Game
from tournaments.basis import basis_of_stage, entries_for, met_before, refuse_stale
from tournaments.draws import publish_draw, save_draw, withdraw_draw
from tournaments.engine.contest import DoesNotFit, contest_draw, meetings_again, table_sizes
from tournaments.engine.rounds import SEEDS
from tournaments.errors import StepRefused
from tournaments.models import Draw, Event, Group, PublishedStandings, Round, Stage
from tournaments.stage_plans import plan_stages, table_size
from tournaments.standings import Standings, publish_standings, standings_of
from tournaments.state import lock_event, refuse_cut, refuse_finished, seating_exists, stage_draw
from tournaments.tie_breaks import chosen, refuse_misfits

GAMES_IN_A_SET = 4  # at most: US 2006/0267282 A1, "first maximum four game set"


def replan(event: Event, *, games: int = GAMES_IN_A_SET, cut_rule: str = "") -> list[Stage]:
    """Plan the event's stages anew from its places. Call it inside the transaction of the event's change.

    Raises:
        StepRefused: a draw of the event is published.
    """
    if seating_exists(event):
        raise StepRefused(_("A draw of this event is published. Take it back before you plan the stages anew."))
    event.stages.all().delete()
    made = Stage.objects.bulk_create(
        Stage(event=event, number=n, name=plan.name, games=games, cut_rule=plan.cut_rule, advance=plan.advance)
        for n, plan in enumerate(plan_stages(event.places or 0, event.shape, cut_rule), start=1)
    )
    return list(made)


def change_stage(
    *,
    stage: Stage,
    by: Actor,
    name: str,
    games: int,
    cut_rule: str,
    advance: int,
    wild_cards: int = 0,
    seeded: bool = False,
) -> Stage:
    """Change how one stage is played: the games of a set until its draw is published, the cut until that is.

    Raises:
        StepRefused: it is too late for that change, or the figures make no cut.
    """
    with transaction.atomic():
        event = lock_event(stage.event)
        stage = event.stages.get(pk=stage.pk)
        old = _told(stage)
        last = not event.stages.filter(number__gt=stage.number).exists()
        if games != stage.games and stage_draw(stage):
            raise StepRefused(_("The draw of %(stage)s is published, so its number of games stays.") % {"stage": stage})
        if last:
            cut_rule, advance, wild_cards = Stage.CutRule.NONE, 0, 0
        elif not cut_rule or advance < 1:
            raise StepRefused(_("Say who goes on from %(stage)s, and how many.") % {"stage": stage})
        elif wild_cards and (cut_rule == Stage.CutRule.OVERALL or wild_cards >= advance):
            raise StepRefused(
                _("%(stage)s: wild cards are a part of those who go on, beside the best of each group or table.")
                % {"stage": stage}
            )
        elif advance > (incoming := _incoming(stage)) and (advance != stage.advance or not stage_draw(stage)):
            raise StepRefused(
                _("%(stage)s: %(incoming)d come in, so %(advance)d can't go on. Choose %(incoming)d or fewer.")
                % {"stage": name, "incoming": incoming, "advance": advance}
            )
        else:
            refuse_rule_misfit(name, cut_rule, advance - wild_cards, _sections(stage, cut_rule))
        if (cut_rule, advance, wild_cards) != (stage.cut_rule, stage.advance, stage.wild_cards):
            refuse_cut(stage)
        stage.name, stage.games, stage.cut_rule, stage.advance = name, games, cut_rule, advance
        stage.wild_cards, stage.seeded = wild_cards, seeded and stage.number > 1
        if _told(stage) != old:
            stage.save()
            refuse_misfits(event, chosen(event.tie_breaks))
            log(club=event.club, by=by, verb="stage.change", subject=f"{event}: {stage}", old=old, new=_told(stage))
    return stage


def refuse_rule_misfit(stage: str, cut_rule: str, places: int, sections: int) -> None:
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
        planned = table_sizes(_incoming(stage), **_table_rules(stage.event))
    except DoesNotFit:
        return 0
    return sum(map(len, planned)) if cut_rule == Stage.CutRule.GROUP else len(planned)


def _incoming(stage: Stage) -> int:
    """How many come into a stage: who has a seat in its published draw, but for stand-ins; before, as planned."""
    if draw := stage_draw(stage):
        return draw.seats.filter(entry__stands_in=None).count()
    before = stage.event.stages.filter(number=stage.number - 1).first()
    return before.advance if before else stage.event.places or 0


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
        seed = secrets.randbelow(SEEDS) if seed is None else seed
        apart = met_before(stage)
        sizes = _sizes(event)
        try:
            tables = contest_draw(
                entries,
                seed=seed,
                apart=apart,
                ranked=entries if stage.seeded and stage.number > 1 else (),
                **_table_rules(event),
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


def publish_stage_draw(*, draw: Draw, by: Actor) -> Draw:
    """Publish a draw of a stage: its seats can be seen, its games are open.

    Raises:
        StepRefused: what it rests on has changed (`basis.refuse_stale`), or it can't be published
            (`draws.publish_draw`).
    """
    with transaction.atomic():
        stage = draw.round.stage
        event = lock_event(stage.event)
        draw = Draw.objects.select_related("round__stage__event__club").get(pk=draw.pk)
        if draw.state == Draw.State.PUBLISHED:
            return draw
        refuse_finished(event)
        if (
            draw.state == Draw.State.WITHDRAWN
            and not Group.objects.filter(table__draw=draw).exclude(games=None).exists()
        ):
            raise StepRefused(
                _("The games of this draw went over to a later version. Publish that one, or make the draw again.")
            )
        refuse_stale(draw)
        return publish_draw(draw=draw, by=by)


def take_back_draw(*, draw: Draw, by: Actor, reason: str = "") -> Draw:
    """Take the published draw of a stage back: its deals are kept and don't count.

    Raises:
        StepRefused: the cut of the stage, or the result, is published.
    """
    with transaction.atomic():
        event = lock_event(draw.round.stage.event)
        refuse_finished(event)
        return withdraw_draw(draw=draw, by=by, reason=reason)


def end_set(*, group: Group, by: Actor, reason: str) -> Group:
    """End a group's set early: the open game as it stands, games without a deal as not played.

    Raises:
        StepRefused: no reason, the draw isn't published, or the stage's cut is.
    """
    reason = reason.strip()
    if not reason:
        raise StepRefused(_("Write the reason why the set ends early: it is kept with the result."))
    with transaction.atomic():
        group = _locked_group(group)
        if group.ended:
            return group
        _refuse_settled(group)
        for row in group.games.select_related("game"):
            end_game(game=row.game, by=by, reason=reason)
        group.ended = reason[:200]
        group.save()
        log(club=_event(group).club, by=by, verb="set.end", subject=_subject(group), new={"reason": reason})
    return group


def reopen_set(*, group: Group, by: Actor, reason: str) -> Group:
    """Take back that a set was ended: its games go on where they stood.

    Raises:
        StepRefused: no reason, or the stage's cut is published.
    """
    with transaction.atomic():
        group = _locked_group(group)
        if not group.ended:
            return group
        _refuse_settled(group)
        for row in group.games.select_related("game"):
            try:
                reopen_game(game=row.game, by=by, reason=reason)
            except ReasonMissing:
                raise StepRefused(_("Write the reason why the set goes on.")) from None
        old, group.ended = group.ended, ""
        group.save()
        log(club=_event(group).club, by=by, verb="set.reopen", subject=_subject(group), old=old, new={"reason": reason})
    return group


def publish_result(*, event: Event, by: Actor, sure: bool = False, seen: str | None = None) -> PublishedStandings:
    """Publish the final's standings as the event's result; the event is finished.

    `seen` is the fingerprint of the standings that the page showed.

    Raises:
        StepRefused: the final isn't drawn, has no deal, or has open games (`sure` publishes all the same); or the
            standings have changed since they were `seen`.
    """
    with transaction.atomic():
        event = lock_event(event)
        final = event.stages.order_by("-number").first()
        if final is None or stage_draw(final) is None:
            raise StepRefused(_("The final isn't drawn yet."))
        open_ = open_groups(final)
        if event.state == Event.State.FINISHED and (same := unchanged_result(event, standings_of(final))):
            return same
        if open_ and not sure:
            raise StepRefused(
                ngettext(
                    "%(n)d set of the final isn't finished. End it, or say that the result stands.",
                    "%(n)d sets of the final aren't finished. End them, or say that the result stands.",
                    open_,
                )
                % {"n": open_}
            )
        made = publish_standings(stage=final, by=by, final=True, seen=seen)
        if event.state != Event.State.FINISHED:
            event.state = Event.State.FINISHED
            event.save()
            log(club=event.club, by=by, verb="result.publish", subject=event, new={"version": made.number})
    return made


def unchanged_result(event: Event, now: Standings) -> PublishedStandings | None:
    """The latest published result, if the final's standings are still the same; else None."""
    last = event.published_standings.filter(final=True).order_by("-number").first()
    return last if last and last.rows == [row.to_data() for row in now.rows] else None


def take_back_result(*, event: Event, by: Actor, reason: str) -> Event:
    """Take the result back: the event goes on. What was published stays to be read as a version.

    Raises:
        StepRefused: no reason.
    """
    if not reason.strip():
        raise StepRefused(_("Write the reason why the result is taken back."))
    with transaction.atomic():
        event = lock_event(event)
        if event.state == Event.State.FINISHED:
            event.state = Event.State.RUNNING
            event.save()
            log(club=event.club, by=by, verb="result.withdraw", subject=event, new={"reason": reason})
    return event


def open_groups(stage: Stage) -> int:
    """Groups of the published draw whose set isn't finished."""
    return (
        Group.objects.filter(table__draw__round__stage=stage, table__draw__state=Draw.State.PUBLISHED)
        .filter(games__game__state=Game.State.OPEN)
        .distinct()
        .count()
    )


def _table_rules(event: Event) -> dict[str, Any]:
    """What the engine is told of the event's tables and groups."""
    return {
        "table_size": table_size(event.shape),
        "group_size": event.shape.players,
        "other_sizes": [size for size in _sizes(event) if size != event.shape.players],
    }


def misfit_of(event: Event, entries: int) -> DoesNotFit | None:
    """How so many entries fail to fit the event's groups; None when they fit."""
    try:
        table_sizes(entries, **_table_rules(event))
    except DoesNotFit as no:
        return no
    return None


def fit_words(event: Event, entries: int) -> str:
    """What to do when so many entries don't fit the event's groups; "" when they do."""
    sizes = _sizes(event)
    if no := misfit_of(event, entries):
        ways = []
        if no.add:
            ways.append(
                ngettext(
                    "add %(n)d name or a stand-in",
                    "add %(n)d names or stand-ins",
                    no.add,
                )
                % {"n": no.add}
            )
        if no.remove:
            ways.append(
                ngettext("make %(n)d entry a reserve", "make %(n)d entries reserves", no.remove) % {"n": no.remove}
            )
        return _("%(entries)s don't fit groups of %(sizes)s: %(ways)s.") % {
            "entries": ngettext("%(n)d entry", "%(n)d entries", entries) % {"n": entries},
            "sizes": _(" or ").join(str(size) for size in sorted(sizes)),
            "ways": _(", or ").join(ways) or _("change the number of entries"),
        }
    return ""


def _sizes(event: Event) -> dict[int, Shape]:
    """Sizes of group that may be drawn, with their shapes: the event's, and those its rules also allow."""
    own = event.shape
    others = [
        shape
        for shape in event.rules.rule_set.shapes
        if 2 < shape.players <= table_size(own)
        and (
            shape.per_side == own.per_side == 1
            or (own.per_side > 1 and shape.sides == own.sides and shape.per_side > 1)
        )
    ]
    return {shape.players: shape for shape in (*others, own)}


def _sides(group: Sequence[int], shape: Shape) -> list[list[int]]:
    """Entries of a group on their sides: partners sit opposite, so sides take turns round the table."""
    return [list(group[side :: shape.sides]) for side in range(shape.sides)]


def _locked_group(group: Group) -> Group:
    """The group as it is now, its event held until the transaction ends."""
    found = Group.objects.select_related("table__draw__round__stage__event__club").get(pk=group.pk)
    lock_event(_event(found))
    found.refresh_from_db(fields=["ended"])
    return found


def _refuse_settled(group: Group) -> None:
    draw = group.table.draw
    if draw.state != Draw.State.PUBLISHED:
        raise StepRefused(_("The draw with this group isn't published."))
    refuse_cut(draw.round.stage)
    refuse_finished(_event(group))


def _event(group: Group) -> Event:
    return group.table.draw.round.stage.event


def _subject(group: Group) -> str:
    return f"{_event(group)}: {group.table.draw.round.stage} · {group}"


def _told(stage: Stage) -> dict[str, Any]:
    return {
        "name": stage.name,
        "games": stage.games,
        "cut_rule": stage.cut_rule,
        "advance": stage.advance,
        "wild_cards": stage.wild_cards,
        "seeded": stage.seeded,
    }
