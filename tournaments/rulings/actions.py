"""Rulings of the director: points given or taken, walkovers, sides that leave, other rules for the standings."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, LogEntry
from clubsite.previews import fingerprint, preview
from scoring.cards.deals import end_game, record_walkover, reopen_game
from scoring.cards.submit import Published, moves_between
from scoring.models import LONGEST_REASON, Deal, Game
from tournaments.cuts import cuts
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.actions import WORTH_FIELDS
from tournaments.events.state import event_locked, open_event_locked, published_cut, refuse_finished
from tournaments.events.words import chosen_tie_breaks, refuse_misfits, tie_break_chain
from tournaments.models import Adjustment, Draw, Entry, Event, Group, GroupGame, Stage, joint_name
from tournaments.standings.results import drawn_stages, published_lines
from tournaments.standings.standings import sides_in, standings_of
from tournaments.table_links.links import end_links, resume_links

# A stage, its standings, and how its results differ from its published cut (None without one)
StageResults: TypeAlias = tuple[Stage, Published, cuts.CutDifference | None]


@dataclass(frozen=True, slots=True)
class StageEffect:
    stage: Stage
    moves: Sequence[Mapping[str, Any]]  # whose place or points change, in the order of the new standings
    has_cut: bool  # whether a cut is published; it stays as it is
    cut: cuts.CutDifference | None = None  # how the new results differ from that cut

    @property
    def title(self) -> str:
        """The stage's name; the event's if it has no stages of its own."""
        return self.stage.event.name if self.stage.event.by_rounds else self.stage.name


def only_stage(stage: Stage) -> QuerySet[Stage]:
    return Stage.objects.filter(pk=stage.pk)


def preview_effects(stages: QuerySet[Stage], deed: Callable[[], object]) -> tuple[StageEffect, ...]:
    """What a verb would do to the results of stages. Nothing is saved. Raises StepRefused: the verb does."""
    return _compare(*preview(deed, lambda: read_results(stages)))


def read_results(stages: QuerySet[Stage]) -> tuple[StageResults, ...]:
    """The results of stages, read afresh at each call."""
    results = []
    for stage in stages.select_related("event__club", "event__rules"):
        cut = published_cut(stage)
        standings = Published(stage.name, "", published_lines(standings_of(stage).rows))
        results.append((stage, standings, cuts.difference(cut) if cut else None))
    return tuple(results)


def confirmed_effects(
    stages: QuerySet[Stage], before: Sequence[StageResults], *, seen: str | None
) -> tuple[StageEffect, ...]:
    """What a verb has changed since `before`, within its transaction.

    `seen`: the fingerprint of the effects that the page showed; None in a preview. Raises StepRefused: the effects
    aren't those seen."""
    effects = _compare(before, read_results(stages))
    if seen is not None and fingerprint(effects) != seen:
        raise StepRefused(_("Results have changed since you opened this page. Check again what changes."))
    return effects


def moves_by_stage(effects: Sequence[StageEffect]) -> Mapping[str, list[list[str]]]:
    return {
        effect.stage.name: [[m["after"].name, m["before"].place, m["after"].place] for m in effect.moves]
        for effect in effects
        if effect.moves
    }


def _compare(before: Sequence[StageResults], after: Sequence[StageResults]) -> tuple[StageEffect, ...]:
    return tuple(
        StageEffect(stage, moves_between(old, new)["moves"], cut is not None, cut)
        for (_stage, old, _cut), (stage, new, cut) in zip(before, after, strict=True)
    )


MOST_POINTS = 1_000_000


def adjust_points(
    *, stage: Stage, facts: Adjustment, by: Actor, submission: UUID, seen: str | None = None
) -> Adjustment:
    """Give a person or side points in a stage, or take some away; or return what this submission recorded before.

    `facts` says to whom (anybody of a side), how many and why. `seen`: the fingerprint of the effects on this stage
    that the page showed; None if it showed none. A published cut stays as it is.

    Raises StepRefused: no points, no reason, the entry doesn't play in this stage, the effects aren't those seen, or
    the result is published."""
    points, reason = facts.points, facts.reason.strip()
    if not reason:
        raise StepRefused(_("Write the reason: it is shown and printed with the standings."))
    if not points or abs(points) > MOST_POINTS:
        raise StepRefused(_("Write how many points, with a minus sign for a penalty."))
    with open_event_locked(stage.event) as event:
        if done := Adjustment.objects.filter(submission=submission, stage__event=event).first():
            return done
        stage = event.stages.get(pk=stage.pk)
        side = next(side for side in sides_in(stage) if facts.entry in side)
        entry, name = side[0], joint_name(side)
        published = Draw.objects.filter(round__stage=stage, state=Draw.State.PUBLISHED)
        if not published.filter(seats__entry=entry).exists() and not published.filter(sit_outs__entry=entry).exists():
            raise StepRefused(
                _("%(name)s doesn't play in %(stage)s, so there is nothing to adjust.") % {"name": name, "stage": stage}
            )
        before = read_results(only_stage(stage)) if seen is not None else ()
        adjustment = Adjustment.objects.create(
            stage=stage, entry=entry, points=points, reason=reason[:LONGEST_REASON], by=by.user, submission=submission
        )
        if seen is not None:
            confirmed_effects(only_stage(stage), before, seen=seen)
        new = {"stage": stage.name, "points": points, "reason": adjustment.reason}
        log(club=event.club, by=by, verb="adjustment.make", subject=event.about(name), new=new)
    return adjustment


def take_back_adjustment(*, adjustment: Adjustment, by: Actor, reason: str = "") -> Adjustment:
    """The adjustment stays listed but no longer counts. Raises StepRefused: the result is published."""
    with open_event_locked(adjustment.stage.event) as event:
        adjustment = Adjustment.objects.select_related("entry", "stage").get(pk=adjustment.pk)
        if adjustment.withdrawn_at:
            return adjustment
        adjustment.withdrawn_at = timezone.now()
        adjustment.save()
        old = {"stage": adjustment.stage.name, "points": adjustment.points, "reason": adjustment.reason}
        new = {"reason": reason.strip()}
        name = ranked_names(adjustment.stage)[adjustment.entry_id]
        log(club=event.club, by=by, verb="adjustment.withdraw", subject=event.about(name), old=old, new=new)
    return adjustment


def named_adjustments(event: Event) -> list[tuple[Adjustment, str]]:
    """All adjustments of an event, the latest first, each with the name of the person or side. Four queries at most."""
    adjustments = list(Adjustment.objects.filter(stage__event=event).select_related("stage", "by").order_by("-pk"))
    names = ranked_names(adjustments[0].stage) if adjustments else {}
    return [(adjustment, names[adjustment.entry_id]) for adjustment in adjustments]


def ranked_names(stage: Stage) -> dict[int, str]:
    return {person.pk: joint_name(side) for side in sides_in(stage) for person in side}


def change_tie_breaks(*, event: Event, by: Actor, tie_breaks: Sequence[str], seen: str | None = None) -> Event:
    """Change the tie-breaks of an event that has begun. Published cuts and results keep those they were made with.

    `seen`: the fingerprint of the effects on drawn stages that the page showed; None in a preview.

    Raises StepRefused: there is no tie-break, one doesn't fit or comes twice, the effects aren't those seen, or the
    result is published."""
    with event_locked(event) as event:
        old, new = tie_break_chain(event), (*chosen_tie_breaks(tie_breaks), "play-off", "lots")
        refuse_finished(event)
        if not chosen_tie_breaks(new) or len(set(new)) < len(new):
            raise StepRefused(_("Use each tie-break once, and at least one."))
        refuse_misfits(event, new)
        if chosen_tie_breaks(new) != chosen_tie_breaks(old):
            facts = {"tie_breaks": list(new)}
            _save_ruling(event, by, verb="tie-breaks.change", old={"tie_breaks": list(old)}, new=facts, seen=seen)
    return event


def change_worth(*, event: Event, by: Actor, seen: str | None = None, **rules: Any) -> Event:
    """Change what rounds without a seat, missed rounds, walkovers and results are worth in an event that has begun, by
    the names in `WORTH_FIELDS`; what isn't given stays. `seen` as above. Raises StepRefused: the format has no such
    rules, the effects aren't those seen, or the result is published."""
    with event_locked(event) as event:
        old = {name: getattr(event, name) for name in WORTH_FIELDS}
        new = old | rules
        if not event.credits_rounds and rules.keys() & {"sit_out_rule", "missing_rule"}:
            raise StepRefused(_("Rounds without a seat are worth nothing in this format."))
        refuse_finished(event)
        event.result_points = new["result_points"]
        refuse_misfits(event, tie_break_chain(event))
        if new != old:
            _save_ruling(event, by, verb="sit-out-rules.change", old=old, new=new, seen=seen)
    return event


def _save_ruling(
    event: Event, by: Actor, *, verb: str, old: Mapping[str, object], new: Mapping[str, object], seen: str | None
) -> None:
    """Save the `new` values of the event, and log them with the changes of places."""
    stages = drawn_stages(event)
    before = read_results(stages)
    for name, value in new.items():
        setattr(event, name, value)
    event.save()
    effects = confirmed_effects(stages, before, seen=seen)
    moved = moves_by_stage(effects)
    log(club=event.club, by=by, verb=verb, subject=event, old=old, new={**new, "moved": moved})


def give_walkover(
    *, group: Group, absent: Collection[int], by: Actor, reason: str = "", seen: str | None = None
) -> Group:
    """Decide a match of a published round in which these sides, by number from 0, were absent: the other side wins, or
    nobody. With none absent, take a walkover back: recorded deals count again.

    `seen`: the fingerprint of the effects on the standings that the page showed; None in a preview.

    Raises StepRefused: the event has no fixed sides, its result is published, the draw isn't published any more, or the
    effects aren't those seen."""
    with open_event_locked(group.table.draw.round.stage.event) as event:
        group = Group.objects.select_related("table__draw__round__stage").get(pk=group.pk)
        stage = group.table.draw.round.stage
        if not event.fixed_sides:
            raise StepRefused(_("A match can only be won by walkover where partners stay together."))
        if group.table.draw.state != Draw.State.PUBLISHED:
            raise StepRefused(_("The draw with this table is no longer published."))
        old = absent_sides(group)
        if set(absent) == set(old):
            return group
        before = read_results(only_stage(stage))
        for row in group.games.select_related("game"):
            record_walkover(game=row.game, absent=absent, by=by, reason=reason)
        groups = Group.objects.filter(pk=group.pk)
        if absent:
            end_links(groups, event.club)
        elif not group.table.draw.round.closed:
            resume_links(groups)
        moved = moves_by_stage(confirmed_effects(only_stage(stage), before, seen=seen))
        log(
            club=event.club,
            by=by,
            verb="walkover.give" if absent else "walkover.withdraw",
            subject=event.about(f"{group.table.draw.round} · {group.label_in(event)}"),
            old={"absent": [group.names[side] for side in old]},
            new={"absent": [group.names[side] for side in sorted(absent)], "reason": reason, "moved": moved},
        )
    return group


def absent_sides(group: Group) -> list[int]:
    first = GroupGame.objects.filter(group=group).order_by("number").values("game")[:1]
    return list(Game.objects.filter(pk__in=first, sides__absent=True).values_list("sides__number", flat=True))


def remove_side(
    *, event: Event, entry: Entry, how: str, by: Actor, reason: str = "", seen: str | None = None
) -> list[Entry]:
    """Remove the side of an entry from the event for good. `how`, one of `Entry.Removed`, says what becomes of its
    matches; those of published rounds without a recorded deal are decided at once. `seen` as in `give_walkover`.

    Raises StepRefused: the event's format doesn't offer this, nothing is drawn, the result is published, or the effects
    aren't those seen."""
    with open_event_locked(event) as event:
        stage = event.stages.first()
        if how not in event.removal_choices or stage is None:
            raise StepRefused(_("Nobody has matches left to play here. Mark who is here instead."))
        before = read_results(only_stage(stage))
        side = _find_side(event, entry)
        if {person.removed for person in side} == {how}:
            return side
        if any(person.removed for person in side):
            _reinstate(event, side, by=by)
            side = _find_side(event, entry)
        states = {str(person.pk): person.state for person in side}
        for person in side:
            person.state, person.removed = Entry.State.WITHDRAWN, Entry.Removed(how)
        Entry.objects.bulk_update(side, ["state", "removed"])
        games = _undealt_games(
            side, states=[Game.State.OPEN, Game.State.NOT_PLAYED] if how == "walkovers" else [Game.State.OPEN]
        )
        for row in games:
            if how == Entry.Removed.WALKOVERS:
                record_walkover(game=row.game, absent={row.side}, by=by, reason=reason)
            else:
                end_game(game=row.game, by=by, reason=reason.strip() or _("A side has left the event."))
        end_links(Group.objects.filter(games__in=games), event.club)
        moved = moves_by_stage(confirmed_effects(only_stage(stage), before, seen=seen))
        new = {"removed": how, "reason": reason[:LONGEST_REASON], "moved": moved, "decided": [r.game_id for r in games]}
        old = {"states": states}
        log(club=event.club, by=by, verb="side.remove", subject=event.about(joint_name(side)), old=old, new=new)
    return side


def reinstate_side(*, event: Event, entry: Entry, by: Actor) -> list[Entry]:
    """Undo `remove_side`: the side's games count as before, and its matches are open again. Raises StepRefused: the
    result is published."""
    with open_event_locked(event) as event:
        side = _find_side(event, entry)
        if any(person.removed for person in side):
            _reinstate(event, side, by=by)
    return side


def _reinstate(event: Event, side: Sequence[Entry], *, by: Actor) -> None:
    """Undo what the removal of a side changed, according to the log."""
    removals = LogEntry.objects.filter(club=event.club, verb="side.remove", event=event.pk).order_by("-pk")
    removed = ((entry.old or {}, entry.new or {}) for entry in removals)
    before, after = next((old, new) for old, new in removed if str(side[0].pk) in old["states"])
    states, decided = before["states"], after["decided"]
    old = {"removed": side[0].removed}
    for person in side:
        person.state, person.removed = states.get(str(person.pk), Entry.State.WITHDRAWN), ""
    Entry.objects.bulk_update(side, ["state", "removed"])
    for game in Game.objects.filter(pk__in=decided):
        if old["removed"] == Entry.Removed.WALKOVERS:
            record_walkover(game=game, absent=(), by=by)
        else:
            reopen_game(game=game, by=by, reason=_("The side is back in the event."))
    resume_links(Group.objects.filter(games__game__in=decided, table__draw__round__closed=False))
    log(club=event.club, by=by, verb="side.reinstate", subject=event.about(joint_name(side)), old=old)


def all_sides(event: Event) -> list[list[Entry]]:
    entries = list(event.entries.exclude(state=Entry.State.RESERVE).order_by("number"))
    if not event.makes_sides:
        return [[entry] for entry in entries]
    return list(grouped((entry.team, entry) for entry in entries if entry.team is not None).values())


def _find_side(event: Event, entry: Entry) -> list[Entry]:
    side = next((side for side in all_sides(event) if entry.pk in {person.pk for person in side}), None)
    if side is None:
        raise StepRefused(_("%(name)s has no partner, so there is no side to remove.") % {"name": entry})
    return side


def _undealt_games(side: Sequence[Entry], *, states: Sequence[str]) -> list[Any]:
    """The games in these states of a side's published matches, without a recorded deal or a walkover. Sets on each the
    number of the `side` in it."""
    rows = GroupGame.objects.filter(
        group__seats__entry=side[0], group__table__draw__state=Draw.State.PUBLISHED, game__state__in=states
    ).exclude(Exists(Deal.objects.filter(game=OuterRef("game"))))
    games = list(rows.exclude(game__sides__absent=True).select_related("game__club", "game__rules", "group"))
    for row in games:
        row.side = row.group.seats.get(entry=side[0]).side  # type: ignore[attr-defined]
    return games
