"""A published draw followed by another version with other seats, while its round is being played.

The games go over as they are: no deal is copied, lost or counted twice. Whether seats may change is for
`tournaments.rounds.seat_changes` to say, and for those who give a seat on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import TypeAdapter

from clubsite.accounts.models import Actor
from scoring.models import Deal, Game, Side
from tournaments.draws.formats import way_of
from tournaments.draws.keeping import WITH_EVENT, Seated, walkovers_in
from tournaments.engine.grouping import grouped
from tournaments.models import Draw, Event, Group, GroupGame, Seat, SitOut, Table
from tournaments.models.numbering import next_number
from tournaments.table_links.links import move_links

GroupKey = tuple[int, int]  # numbers of the table and of the group at it
# Keys of a statement about changes, taken over by the next version
MARKS = ("by_hand", "seat_taken", "moved", "late_tables")


@dataclass(frozen=True, slots=True)
class Change:
    """The change of seats by which one version follows another, as it is kept so that it can be taken back."""

    kind: str  # "take": a seat is somebody else's; "for": somebody plays for an entry; "swap"; "move"; "cards"; "table"
    names: tuple[str, str] = ("", "")  # who leaves and who comes; the two who change places; the two tables' labels
    tables: tuple[int, ...] = ()  # numbers that are exchanged; that of a table that was added
    groups: tuple[GroupKey, ...] = ()  # where somebody else sits, or which have each other's cards
    deals: int = 0  # deals recorded in those groups before the change
    states: Mapping[str, str] = field(default_factory=dict)  # an entry's id, as text, to its state before the change

    @property
    def moved(self) -> dict[int, int]:
        """The tables that exchange their numbers: each one's old number to its new one."""
        if self.kind == "table":
            return {}
        return dict(zip(self.tables, reversed(self.tables), strict=True))

    @property
    def handed(self) -> dict[GroupKey, GroupKey]:
        """The groups that exchange their cards: each one to the one that gets them."""
        return dict(zip(self.groups, reversed(self.groups), strict=True)) if self.kind == "cards" else {}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Change:
        """Back from JSON."""
        return CHANGE.validate_python(data)


CHANGE = TypeAdapter(Change)  # reads it from JSON


def restated(draw: Draw, seated: Seated, **marks: Any) -> dict[str, Any]:
    """The statement of a draw with these seats in its round, counted again, with the marks of changes that it has and
    the given ones."""
    kept = {name: draw.statement[name] for name in MARKS if name in draw.statement}
    return way_of(draw.round.stage.event).restated(draw, seated) | kept | marks


def follow(
    *,
    draw: Draw,
    seated: Seated,
    statement: Mapping[str, Any],
    by: Actor,
    change: Change | None = None,
    undone: Change | None = None,
) -> Draw:
    """Publish other seats in place of a published draw's, as its next version, which takes over its games.

    Names on cards follow the seats that change. Tables and cards are exchanged as `change` has it, or back again where
    that change is `undone`. A table more has no game yet; one that isn't there any more loses its games, on
    which is no deal. Call it in the transaction of the verb that changes seats, with the event locked.
    """
    how = change or undone or Change("")
    made = Draw.objects.create(
        round=draw.round,
        number=next_number(draw.round.draws),
        seed=draw.seed,
        statement=dict(statement),
        ahead=draw.ahead,
        follows=draw if change else None,
        change=asdict(change) if change else {},
        made_by=by.user,
    )
    tables = {number: Table.objects.create(draw=made, number=number) for number in sorted(seated.tables)}
    before = {(old.table.number, old.number): old for old in draw.groups.prefetch_related("seats__entry")}
    after = {}
    for key, old in before.items():
        number = how.moved.get(old.table.number, old.table.number)
        if number not in tables:
            Game.objects.filter(group_game__group=old).delete()
            continue
        after[key] = new = Group.objects.create(table=tables[number], number=old.number, ended=old.ended, follows=old)
        _seat(new, seated)
        move_links(old, new)
    for number in tables.keys() - {new.table.number for new in after.values()}:
        for group, _sides in enumerate(seated.tables[number], start=1):
            _seat(Group.objects.create(table=tables[number], number=group), seated)
    for key, old in before.items():
        if key not in after:
            continue
        new = after[how.handed.get(key, key)]
        GroupGame.objects.filter(group=old).update(group=new)
        _write_names(old, new)
    against = walkovers_in(draw)
    SitOut.objects.bulk_create(
        SitOut(draw=made, entry_id=entry, against_id=against.get(entry)) for entry in seated.sit_outs
    )
    draw.state = Draw.State.WITHDRAWN
    draw.save(update_fields=["state"])
    made.state, made.published_at = Draw.State.PUBLISHED, timezone.now()
    made.save(update_fields=["state", "published_at"])
    return made


def _seat(group: Group, seated: Seated) -> None:
    sides = seated.tables[group.table.number][group.number - 1]
    Seat.objects.bulk_create(
        Seat(
            draw=group.table.draw, group=group, entry_id=chair.entry, player=chair.player, side=side, position=position
        )
        for side, chairs in enumerate(sides)
        for position, chair in enumerate(chairs)
    )


def _write_names(old: Group, new: Group) -> None:
    """Write on a group's cards who sits there now, at the seats that have changed. A card that is over keeps the name
    that it has where only the player of an entry has changed."""
    was = {(seat.side, seat.position): seat for seat in old.seats.all()}
    changed = [s for s in new.seats.select_related("entry") if s.name != was[s.side, s.position].name]
    if not changed:
        return
    for side in Side.objects.filter(game__group_game__group=new).select_related("game"):
        names = list(side.names)
        for seat in changed:
            if seat.side == side.number:
                same = seat.entry_id == was[seat.side, seat.position].entry_id
                if not (same and side.game.state != "open"):
                    names[seat.position] = seat.name
        if names != side.names:
            side.names = names
            side.save(update_fields=["names"])


def successor(draw: Draw) -> Draw | None:
    """The published version that has taken over the games of a draw; None where the draw has them, or was a draft."""
    if draw.state != Draw.State.WITHDRAWN or GroupGame.objects.filter(group__table__draw=draw).exists():
        return None
    return WITH_EVENT.filter(round=draw.round_id, state=Draw.State.PUBLISHED).first()


def changed_words(old: Draw, new: Draw) -> str:
    """Whose seats have become somebody else's from one version to a later one, in a sentence."""
    taken = new.statement.get("seat_taken", [])[len(old.statement.get("seat_taken", [])) :]
    if not taken:
        return _("The seats have changed since this page was opened.")
    seats = "; ".join(
        _("%(new)s in place of %(old)s") % {"new": entering, "old": leaving} for leaving, entering in taken
    )
    return _("The seats have changed since this page was opened: %(seats)s") % {"seats": seats}


def changed_groups(event: Event) -> list[Group]:
    """Groups that wait for their first deal and whose names or table aren't those of when the round was published. Four
    queries, or one where no seats were changed."""
    waiting = Group.objects.filter(
        ~Exists(Deal.objects.filter(game__group_game__group=OuterRef("pk"))),
        table__draw__round__stage__event=event,
        table__draw__state=Draw.State.PUBLISHED,
        table__draw__round__closed=False,
        follows__isnull=False,
        games__game__state=Game.State.OPEN,
    )
    now = list(waiting.distinct().select_related("table__draw").prefetch_related("seats__entry"))
    if not now:
        return []
    every = Group.objects.filter(table__draw__round__in={group.table.draw.round_id for group in now})
    versions = {group.pk: group for group in every.select_related("table").prefetch_related("seats__entry")}
    changed = []
    for group in now:
        first = versions[group.pk]
        while first.follows_id in versions:
            first = versions[first.follows_id]
        if (first.names, first.table.number) != (group.names, group.table.number):
            changed.append(group)
    return changed


def name_who_sits_there(game: Game) -> None:
    """Write the names of those who sit there now on a card that was over and goes on again: while it was over, somebody
    may have begun to play for one of them."""
    seats = Seat.objects.filter(group__games__game=game).select_related("entry").order_by("side", "position")
    names = grouped((seat.side, seat.name) for seat in seats)
    for side in game.sides.all():
        if side.number in names and side.names != names[side.number]:
            side.names = names[side.number]
            side.save(update_fields=["names"])
