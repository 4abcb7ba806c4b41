"""Matches that are decided without cards, and sides that leave an event for good."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, LogEntry
from scoring.cards.deals import end_game, reopen_game, walk_over
from scoring.models import LONGEST_REASON, Deal, Game
from tournaments.errors import StepRefused
from tournaments.events.state import lock_open_event
from tournaments.models import Draw, Entry, Event, Group, GroupGame
from tournaments.rulings.effects import effects_as_seen, moves_in_words, results_of_stages, stage_alone
from tournaments.table_links.links import end_links, resume_links


def give_walkover(
    *, group: Group, absent: Collection[int], by: Actor, reason: str = "", seen: str | None = None
) -> Group:
    """Decide a match of a published round: these sides, by number from 0, weren't there, so the other has won it, or
    nobody has. With none, take that back: what was dealt counts again.

    `seen` is the fingerprint of the effects on the standings that the page showed; None where it is only tried.

    Raises:
        StepRefused: the event has no matches of two sides, its result is published, the round is taken back, or the
            effects aren't those seen.
    """
    with transaction.atomic():
        event = lock_open_event(group.table.draw.round.stage.event)
        group = Group.objects.select_related("table__draw__round__stage").get(pk=group.pk)
        stage = group.table.draw.round.stage
        if not event.fixed_sides:
            raise StepRefused(_("Only where the same people play together all along is a match won by walkover."))
        if group.table.draw.state != Draw.State.PUBLISHED:
            raise StepRefused(_("The draw with this table isn't published any more."))
        old = absent_in(group)
        if set(absent) == set(old):
            return group
        before = results_of_stages(stage_alone(stage))
        for row in group.games.select_related("game"):
            walk_over(game=row.game, absent=absent, by=by, reason=reason)
        own = Group.objects.filter(pk=group.pk)
        if absent:
            end_links(own, event.club)
        elif not group.table.draw.round.closed:
            resume_links(own)
        moved = moves_in_words(effects_as_seen(stage_alone(stage), before, seen=seen))
        log(
            club=event.club,
            by=by,
            verb="walkover.give" if absent else "walkover.withdraw",
            subject=event.about(f"{group.table.draw.round} · {group.label_in(event)}"),
            old={"absent": [group.names[side] for side in old]},
            new={"absent": [group.names[side] for side in sorted(absent)], "reason": reason, "moved": moved},
        )
    return group


def absent_in(group: Group) -> list[int]:
    """The numbers of the sides that weren't there, by which a match is decided; none where it is played."""
    first = GroupGame.objects.filter(group=group).order_by("number").values("game")[:1]
    return list(Game.objects.filter(pk__in=first, sides__absent=True).values_list("sides__number", flat=True))


def remove_side(
    *, event: Event, entry: Entry, how: str, by: Actor, reason: str = "", seen: str | None = None
) -> list[Entry]:
    """Have the side of an entry leave the event for good. `how`, one of `Entry.Removed`, says what becomes of its
    matches. Those of published rounds in which no deal is recorded are decided at once. `seen` as above.

    Raises:
        StepRefused: this can't be chosen in the event's format, nothing is drawn, its result is published, or the
            effects aren't those seen.
    """
    with transaction.atomic():
        event = lock_open_event(event)
        stage = event.stages.first()
        if how not in event.removal_choices or stage is None:
            raise StepRefused(_("Nobody has matches left to play here. Mark who is here instead."))
        before = results_of_stages(stage_alone(stage))
        side = _side_of(event, entry)
        if {person.removed for person in side} == {how}:
            return side
        if any(person.removed for person in side):
            _reinstate(event, side, by=by)
            side = _side_of(event, entry)
        states = {str(person.pk): person.state for person in side}
        for person in side:
            person.state, person.removed = Entry.State.WITHDRAWN, Entry.Removed(how)
        Entry.objects.bulk_update(side, ["state", "removed"])
        games = _undealt(
            side, states=[Game.State.OPEN, Game.State.NOT_PLAYED] if how == "walkovers" else [Game.State.OPEN]
        )
        for row in games:
            if how == Entry.Removed.WALKOVERS:
                walk_over(game=row.game, absent={row.side}, by=by, reason=reason)
            else:
                end_game(game=row.game, by=by, reason=reason.strip() or _("A side has left the event."))
        end_links(Group.objects.filter(games__in=games), event.club)
        moved = moves_in_words(effects_as_seen(stage_alone(stage), before, seen=seen))
        new = {"removed": how, "reason": reason[:LONGEST_REASON], "moved": moved, "decided": [r.game_id for r in games]}
        old = {"states": states}
        log(club=event.club, by=by, verb="side.remove", subject=event.about(_names(side)), old=old, new=new)
    return side


def reinstate_side(*, event: Event, entry: Entry, by: Actor, seen: str | None = None) -> list[Entry]:
    """Take back that a side has left for good: its games count as they did, and its matches are open again.

    Raises:
        StepRefused: the result is published, or the effects aren't those `seen`.
    """
    with transaction.atomic():
        event = lock_open_event(event)
        side = _side_of(event, entry)
        if not any(person.removed for person in side):
            return side
        stage = event.stages.get()
        before = results_of_stages(stage_alone(stage))
        _reinstate(event, side, by=by)
        effects_as_seen(stage_alone(stage), before, seen=seen)
    return side


def _reinstate(event: Event, side: Sequence[Entry], *, by: Actor) -> None:
    """Put back what the removal of a side has changed, as the log has it."""
    removals = LogEntry.objects.filter(club=event.club, verb="side.remove", event=event.pk).order_by("-pk")
    removed = ((entry.old or {}, entry.new or {}) for entry in removals)
    before, then = next((was, now) for was, now in removed if str(side[0].pk) in was["states"])
    states, decided = before["states"], then["decided"]
    old = {"removed": side[0].removed}
    for person in side:
        person.state, person.removed = states.get(str(person.pk), Entry.State.WITHDRAWN), ""
    Entry.objects.bulk_update(side, ["state", "removed"])
    for game in Game.objects.filter(pk__in=decided):
        if old["removed"] == Entry.Removed.WALKOVERS:
            walk_over(game=game, absent=(), by=by)
        else:
            reopen_game(game=game, by=by, reason=_("The side is back in the event."))
    resume_links(Group.objects.filter(games__game__in=decided, table__draw__round__closed=False))
    log(club=event.club, by=by, verb="side.reinstate", subject=event.about(_names(side)), old=old)


def removed_sides(event: Event) -> list[list[Entry]]:
    """The sides that have left an event for good. One query."""
    return [side for side in all_sides(event) if any(person.removed for person in side)]


def all_sides(event: Event) -> list[list[Entry]]:
    """The sides of an event, each in order of numbers; a person who plays alone is a side. One query."""
    entries = list(event.entries.exclude(state=Entry.State.RESERVE).order_by("number"))
    if not event.makes_sides:
        return [[entry] for entry in entries]
    by_team: dict[Any, list[Entry]] = {}
    for entry in entries:
        if entry.team is not None:
            by_team.setdefault(entry.team, []).append(entry)
    return list(by_team.values())


def _side_of(event: Event, entry: Entry) -> list[Entry]:
    """The side of an entry, as it is now. Raises StepRefused where the entry has none."""
    found = next((side for side in all_sides(event) if entry.pk in {person.pk for person in side}), None)
    if found is None:
        raise StepRefused(_("%(name)s has no partner, so there is no side to take out.") % {"name": entry})
    return found


def _undealt(side: Sequence[Entry], *, states: Sequence[str]) -> list[Any]:
    """The games of a side's published matches in which no deal was recorded and that no walkover has decided, in these
    states; each with the number of the `side` in it."""
    rows = GroupGame.objects.filter(
        group__seats__entry=side[0], group__table__draw__state=Draw.State.PUBLISHED, game__state__in=states
    ).exclude(Exists(Deal.objects.filter(game=OuterRef("game"))))
    rows = rows.exclude(game__sides__absent=True)
    found = list(rows.select_related("game__club", "game__rules", "group"))
    for row in found:
        row.side = row.group.seats.get(entry=side[0]).side  # type: ignore[attr-defined]
    return found


def _names(side: Sequence[Entry]) -> str:
    return " & ".join(person.name for person in side)
