"""Seats changed while a round is being played: another person, two who change places, a table somewhere else.

Each change publishes the draw's next version in place of the published one, in one transaction; the games go over as
they are (`draws.changes`). What counts for whom:

- Before the first deal of a group its seats belong to the people who get them.
- Once a deal is recorded, who plays on for somebody scores for that entry. A seat goes to somebody else, and two
  change places, only to put right who has sat there all along: then the deals recorded there are theirs too.

The last change can be taken back while nothing rests on it.
"""

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from scoring.models import Deal, Game, HandicapEntry
from scoring.pasted_names import name_key, read_name, tidy_name
from tournaments.draws import rotation
from tournaments.draws.changes import Change, preview_swap, recompute_report, replace_published, swap_units
from tournaments.draws.drafts import WITH_EVENT, Chair, GroupKey, Seated, seats_in
from tournaments.draws.making import OWN_WAY, format_strategy, why_no_late_table
from tournaments.entries.actions import add_entry, find_entry, refuse_bad_name
from tournaments.entries.known import listed_names
from tournaments.errors import StepRefused
from tournaments.events.state import event_locked, lock_event, refuse_finished, refuse_later_round, refuse_published_cut
from tournaments.models import Draw, Entry, Event, Group, Seat
from tournaments.rounds.attendance import arrive
from tournaments.rounds.publishing import game_title, start_games
from tournaments.table_links.links import open_links

MOST_TABLES = 99  # the highest number that a table may have


@dataclass(frozen=True, slots=True)
class Newcomer:
    entry: Entry | None = None
    guest: str = ""

    @property
    def name(self) -> str:
        return self.entry.name if self.entry else tidy_name(self.guest)


def take_over(
    *, draw: Draw, leaving: Entry, newcomer: Newcomer, by: Actor, reason: str = "", sat: bool = False
) -> Draw:
    """Give somebody's seat to a newcomer; the one who leaves has gone. A guest gets an entry.

    `sat`: the newcomer has sat there since the first deal; then what is recorded is theirs.

    Raises StepRefused: seats can't be changed now; the seat can only be played for (sides that stay together, a stage
    after a cut); deals are recorded there and nobody says `sat`; or the newcomer has a seat or has gone."""
    newcomer = _as_listed(newcomer, draw)
    with transaction.atomic():
        event, draw, done = _lock_for_change(draw, "take", names=(leaving.name, newcomer.name))
        if done:
            return done
        _refuse_other_owner(draw, leaving=leaving, newcomer=newcomer)
        seat = _seat(draw, leaving)
        entering = _entry_for(event, draw, newcomer=newcomer, by=by)
        _refuse_begun(event, [seat.group], sat=sat)
        before = seats_in(draw)
        now = before.with_chairs(
            lambda chair: Chair(entering.pk) if chair.entry == leaving.pk else chair,
            tuple(entry for entry in before.sit_outs if entry != entering.pk),
        )
        change = Change("take", (leaving.name, entering.name), states=_states(event, leaving, entering))
        _set_state(event, leaving.pk, state=Entry.State.WITHDRAWN)
        _set_state(event, entering.pk, state=Entry.State.HERE)
        marks = {"seat_taken": [*draw.statement.get("seat_taken", []), [leaving.name, entering.name]]}
        statement = recompute_report(draw, now, **marks)
        return _publish_change(
            draw, now, statement=statement, change=_with_groups(change, [seat.group]), by=by, reason=reason
        )


def play_for(*, draw: Draw, absent: Entry, newcomer: Newcomer, by: Actor, reason: str = "", gone: bool = False) -> Draw:
    """Let somebody play for an entry: what they score is the entry's. With the entry itself as newcomer it plays again.

    `gone`: the entry has gone home, so that it has no seat in the next round.

    Raises StepRefused: seats can't be changed now; or the newcomer has a seat, or plays for somebody already."""
    newcomer = _as_listed(newcomer, draw)
    with transaction.atomic():
        event, draw, done = _lock_for_change(draw, "for", names=(absent.name, newcomer.name))
        if done:
            return done
        seat = _seat(draw, absent)
        itself = newcomer.name == absent.name
        if itself and not seat.player:
            raise StepRefused(_("%(name)s is already playing.") % {"name": absent})
        if not itself:
            refuse_bad_name(newcomer.name, missing=_("Write a name."))
            _refuse_busy(draw, newcomer.name)
        change = Change("for", (absent.name, newcomer.name), states=_states(event, absent))
        chair = Chair(absent.pk, "" if itself else newcomer.name)
        now = seats_in(draw).with_chairs(lambda c: chair if c.entry == absent.pk else c)
        if gone:
            _set_state(event, absent.pk, state=Entry.State.WITHDRAWN)
        return _publish_change(
            draw, now, statement=draw.statement, change=_with_groups(change, [seat.group]), by=by, reason=reason
        )


def swap(*, draw: Draw, entry: int, other: int, by: Actor, reason: str = "", sat: bool = False) -> Draw:
    """Let two change places, named as in `changes.preview_swap`: people, or sides that stay together; one may sit out.

    `sat`: they have sat this way since the first deal; then what is recorded is theirs.

    Raises StepRefused: seats can't be changed now, these two can't change places, or deals are recorded at one of their
    tables and nobody says `sat`."""
    with transaction.atomic():
        names = {pk: unit.names for unit in swap_units(draw) for pk in unit.entries}
        event, draw, done = _lock_for_change(draw, "swap", names=(names.get(entry, ""), names.get(other, "")))
        if done:
            return done
        if event.traits.bracket:
            raise StepRefused(
                _(
                    "The bracket of a knock-out decides who meets. You can move a table, or let somebody play for a "
                    "player; for anything else, take the draw back."
                )
            )
        preview = preview_swap(draw=draw, entry=entry, other=other)
        people = [pk for unit in preview.units for pk in unit.entries]
        seats = Seat.objects.filter(draw=draw, entry__in=people).select_related("group__table")
        groups = list({seat.group_id: seat.group for seat in seats}.values())
        _refuse_begun(event, groups, sat=sat)
        a, b = preview.units
        change = _with_groups(Change("swap", (a.names, b.names)), groups)
        return _publish_change(draw, preview.seated, statement=preview.statement, change=change, by=by, reason=reason)


def move_table(*, draw: Draw, table: int, to: int, by: Actor, reason: str = "") -> Draw:
    """A table plays at the place of another number; who plays there, if anybody, comes to its own. Raises StepRefused:
    seats can't be changed now, no such table, or the format goes by the order of its tables."""
    with transaction.atomic():
        event, draw, done = _lock_for_change(draw, "move", tables=(table, to))
        if done:
            return done
        before = seats_in(draw)
        if table not in before.tables:
            raise StepRefused(_("There is no table %(n)d in this round.") % {"n": table})
        if to == table or not 1 <= to <= MOST_TABLES:
            raise StepRefused(_("Choose another number for the table, from 1 to %(most)d.") % {"most": MOST_TABLES})
        _refuse_order(event, before, table=table, to=to)
        moved = {table: to, to: table}
        now = before.with_numbers(moved)
        marks: dict[str, Any] = {"moved": [*draw.statement.get("moved", []), [table, to]]}
        if event.traits.searched:
            marks["wishes"] = rotation.wishes_at_tables(draw, now.numbered)
        change = Change("move", tables=(table, to))
        return _publish_change(draw, now, statement=draw.statement | marks, change=change, by=by, reason=reason)


def add_table(*, draw: Draw, entries: Collection[int], by: Actor, reason: str = "") -> Draw:
    """People who are here without a seat, or sit out, play at another table, with the next number. The other tables go
    on as they are. Where partners change, those are chosen who have played together least. Raises StepRefused: seats
    can't be changed now, the format has no such tables, somebody has a seat or has gone, or the rules have no table
    of that size."""
    with event_locked(draw.round.stage.event) as event:
        people = list(event.entries.filter(pk__in=entries).order_by("number"))
        names = ", ".join(entry.name for entry in people)
        before = seats_in(draw)
        number = 1 + max(before.tables, default=0)
        event, draw, done = _lock_for_change(draw, "table", names=(names, ""), tables=(number,))
        if done:
            return done
        if why := why_no_late_table(event):
            raise StepRefused(why)
        if number > MOST_TABLES:
            raise StepRefused(_("The highest number of a table is %(n)d.") % {"n": MOST_TABLES})
        for entry in people:
            _refuse_busy(draw, entry.name)
            if entry.state != Entry.State.HERE or entry.stands_in_id is not None:
                raise StepRefused(_("%(name)s has left. Mark them as here first.") % {"name": entry})
        sides = format_strategy(event).late_table(draw, [entry.pk for entry in people])
        now = Seated(
            {**before.tables, number: [[[Chair(pk) for pk in side] for side in sides]]},
            tuple(pk for pk in before.sit_outs if pk not in entries),
        )
        marks = {"late_tables": [*draw.statement.get("late_tables", []), number]}
        change = Change("table", (names, ""), tables=(number,), groups=((number, 1),))
        version = _publish_change(
            draw, now, statement=recompute_report(draw, now, **marks), change=change, by=by, reason=reason
        )
        start_games(version)
        open_links(version)
    return version


def exchange_cards(*, draw: Draw, group: Group, other: Group, by: Actor, reason: str = "") -> Draw:
    """Two groups have written on each other's cards: each gets the other's, with all that is recorded on them.

    The sides keep their order; where they sat the other way round, people change places afterwards (`swap`).

    Raises StepRefused: seats can't be changed now; the groups aren't of one kind; nothing is recorded on either's
    cards, or a set or a handicap rests on what is."""
    with transaction.atomic():
        groups = sorted((group, other), key=lambda g: (g.table.number, g.number))
        first, second = (group.label_in(draw.round.stage.event) for group in groups)
        event, draw, done = _lock_for_change(draw, "cards", names=(first, second))
        if done:
            return done
        if group == other or {g.table.draw_id for g in groups} != {draw.pk}:
            raise StepRefused(_("Choose another table."))
        if len({tuple(map(len, g.people)) for g in groups}) > 1:
            words = _(
                "Tables %(one)s and %(two)s have different numbers of players, so neither can use the other's card."
            )
            raise StepRefused(words % {"one": first, "two": second})
        if ended := [g for g in Group.objects.filter(pk__in=[g.pk for g in groups]).select_related("table") if g.ended]:
            label = ended[0].label_in(event)
            raise StepRefused(_("The set of table %(table)s was ended early. Continue it first.") % {"table": label})
        change = _with_groups(Change("cards", (first, second)), groups)
        if not change.deals:
            raise StepRefused(_("No deal is recorded on either card, so there is nothing to correct."))
        _refuse_begun(event, groups, sat=True)
        return _publish_change(draw, seats_in(draw), statement=draw.statement, change=change, by=by, reason=reason)


def take_change_back(*, draw: Draw, by: Actor, reason: str = "") -> Draw:
    """Take the last change back: the seats, and what the draw says of itself, are those before it, as a new version.
    Raises StepRefused: seats can't be changed now, this draw is no change, or deals were recorded since by those who
    would lose their seats."""
    with transaction.atomic():
        event, draw, done = _lock_for_change(draw, "back")
        if done:
            return done
        if why := why_final(draw):
            raise StepRefused(why)
        before, change = draw.follows, Change.from_data(draw.change)
        assert before  # noqa: S101 - else it stays
        after = replace_published(draw=draw, seated=seats_in(before), statement=before.statement, by=by, undone=change)
        after.follows, after.change = before.follows, before.change | {"undone": draw.pk}
        after.save(update_fields=["follows", "change"])
        _write_titles(after)
        for entry, state in change.states.items():
            _set_state(event, int(entry), state=state)
        old, new = {"version": draw.number, **asdict(change)}, {"version": after.number, "reason": reason}
        log(club=event.club, by=by, verb="seats.change-back", subject=event.about(after), old=old, new=new)
    return after


def why_final(draw: Draw) -> str:
    if draw.follows_id is None:
        return _("There are no more changes to these seats to take back.")
    change = Change.from_data(draw.change)
    if change.kind in ("take", "swap", "cards", "table") and change.deals != _deals_in(draw, change.groups):
        return _(
            "Deals have been recorded there since, by the people who sit there now. Change the seats again instead."
        )
    return ""


def can_change_seats(draw: Draw) -> bool:
    try:
        refuse_change(draw)
    except StepRefused:
        return False
    return True


def refuse_change(draw: Draw) -> None:
    event, round_ = draw.round.stage.event, draw.round
    refuse_finished(event)
    if draw.state != Draw.State.PUBLISHED and round_.draws.filter(state=Draw.State.PUBLISHED).exists():
        raise StepRefused(_("The seats have changed since you opened this page. Check them again."))
    if draw.state != Draw.State.PUBLISHED:
        raise StepRefused(_("This draw isn't published. Publish it first; a draft is changed by hand."))
    refuse_published_cut(round_.stage)
    refuse_later_round(round_)
    if round_.closed:
        raise StepRefused(_("Round %(n)d is closed. Reopen it first.") % {"n": round_.number})


def _lock_for_change(
    draw: Draw, kind: str, *, names: tuple[str, str] = ("", ""), tables: tuple[int, ...] = ()
) -> tuple[Event, Draw, Draw | None]:
    """The event and the draw as they are now, locked until the transaction ends; and the version that this very change
    has made already, where it is sent twice. Raises StepRefused when seats can't be changed."""
    event = lock_event(draw.round.stage.event)
    draw = WITH_EVENT.select_related("follows").get(pk=draw.pk)
    if draw.state == Draw.State.WITHDRAWN:
        newest = draw.round.draws.filter(state=Draw.State.PUBLISHED).first()
        if newest and kind == "back" and newest.change.get("undone") == draw.pk:
            return event, draw, newest
        if newest and newest.follows_id == draw.pk:
            last_change = Change.from_data(newest.change)
            if (last_change.kind, last_change.tables) == (kind, tables) and set(last_change.names) == set(names):
                return event, draw, newest
    refuse_change(draw)
    return event, draw, None


def _publish_change(
    draw: Draw, now: Seated, *, statement: dict[str, Any], change: Change, by: Actor, reason: str
) -> Draw:
    version = replace_published(draw=draw, seated=now, statement=statement, by=by, change=change)
    if change.moved or change.handed:
        _write_titles(version)
    event = draw.round.stage.event
    old, new = {"version": draw.number}, {"version": version.number, **asdict(change), "reason": reason}
    log(club=event.club, by=by, verb=f"seats.{change.kind}", subject=event.about(version), old=old, new=new)
    return version


def _with_groups(change: Change, groups: list[Group]) -> Change:
    """The change, completed with the groups it concerns and the number of deals recorded there."""
    keys = tuple(sorted((group.table.number, group.number) for group in groups))
    deals = Deal.objects.filter(game__group_game__group__in=groups).count()
    return replace(change, groups=keys, deals=deals)


def _deals_in(draw: Draw, groups: tuple[GroupKey, ...]) -> int:
    at = [group.pk for group in draw.groups if (group.table.number, group.number) in groups]
    return Deal.objects.filter(game__group_game__group__in=at).count()


def _seat(draw: Draw, entry: Entry) -> Seat:
    seat = Seat.objects.filter(draw=draw, entry=entry).select_related("group__table", "entry").first()
    if seat is None:
        raise StepRefused(_("%(name)s has no seat in this round.") % {"name": entry})
    return seat


def _refuse_other_owner(draw: Draw, *, leaving: Entry, newcomer: Newcomer) -> None:
    """Raises StepRefused where the seat can't become anybody else's: somebody can only play for the entry."""
    stage = draw.round.stage
    names = {"old": leaving, "new": newcomer.name, "stage": stage}
    if stage.event.fixed_sides:
        words = _(
            "In this event partners stay together, so %(old)s keeps the seat. Let %(new)s play for %(old)s: the "
            "points count for the side."
        )
        raise StepRefused(words % names)
    if stage.event.traits.has_cut and stage.number > 1:
        words = _(
            "The cut decides who plays in %(stage)s. Let %(new)s play for %(old)s; or withdraw %(old)s under "
            "Entries, which offers the next in line."
        )
        raise StepRefused(words % names)


def _as_listed(newcomer: Newcomer, draw: Draw) -> Newcomer:
    """The newcomer; a guest with the name that is read from what was typed."""
    if newcomer.entry:
        return newcomer
    return Newcomer(guest=read_name(newcomer.guest, listed=listed_names(draw.round.stage.event)))


def _entry_for(event: Event, draw: Draw, *, newcomer: Newcomer, by: Actor) -> Entry:
    """The newcomer's entry, a new one for a guest. Raises StepRefused where they can't take a seat."""
    _refuse_busy(draw, newcomer.name)
    entry = event.entries.get(pk=newcomer.entry.pk) if newcomer.entry else find_entry(event, newcomer.name)
    if entry is None:
        if event.by_rounds:
            return arrive(event=event, name=newcomer.name, by=by)
        return add_entry(event=event, name=newcomer.name, by=by)
    if entry.state == Entry.State.WITHDRAWN:
        raise StepRefused(_("%(name)s has left. Mark them as here first.") % {"name": entry})
    if entry.stands_in_id is not None:
        raise StepRefused(_("%(name)s is a stand-in. Let them play for somebody.") % {"name": entry})
    return entry


def _refuse_busy(draw: Draw, name: str) -> None:
    for seat in draw.seats.select_related("entry", "group__table"):
        group = seat.group
        where = {"name": name, "table": group.label_in(draw.round.stage.event)}
        if name_key(seat.player) == name_key(name):
            raise StepRefused(_("%(name)s plays for somebody at table %(table)s.") % where)
        if name_key(seat.entry.name) == name_key(name):
            raise StepRefused(_("%(name)s already has a seat, at table %(table)s. Swap the two.") % where)


def _refuse_begun(event: Event, groups: list[Group], *, sat: bool) -> None:
    """Raises StepRefused where deals are recorded and nobody says that those who come have sat there all along."""
    begun = [group for group in groups if Deal.objects.filter(game__group_game__group=group).exists()]
    if not begun:
        return
    tables = ", ".join(sorted(group.label_in(event) for group in begun))
    if not sat:
        words = _(
            "Deals are recorded at table %(tables)s. If people sat this way when those were played, say so, and "
            "the deals count for them. If not, let somebody play for a player."
        )
        raise StepRefused(words % {"tables": tables})
    over = Game.objects.filter(group_game__group__in=begun)
    if HandicapEntry.objects.filter(game__in=over, current=True).exists():
        words = _(
            "A game at table %(tables)s is over and has changed the handicap between its players, so its seats "
            "can't change."
        )
        raise StepRefused(words % {"tables": tables})


def _refuse_order(event: Event, seated: Seated, *, table: int, to: int) -> None:
    """Raises StepRefused where the numbers of the tables mean something to the format."""
    order = sorted(seated.tables)
    after = sorted(order, key=lambda number: {table: to, to: table}.get(number, number))
    if event.traits.by_order_of_tables and order != after:
        raise StepRefused(_("The order of the tables decides who plays where next, so tables can't swap numbers."))
    if event.format not in OWN_WAY and to not in seated.tables and not event.traits.one_table:
        raise StepRefused(_("Table numbers have no gaps here: choose one from 1 to %(n)d.") % {"n": len(order)})


def _write_titles(draw: Draw) -> None:
    for group in draw.groups.prefetch_related("games__game"):
        for row in group.games.all():
            title = game_title(group, draw, number=row.number)
            if row.game.title != title:
                Game.objects.filter(pk=row.game_id).update(title=title)


def _states(event: Event, *entries: Entry) -> dict[str, str]:
    rows = event.entries.filter(pk__in=[entry.pk for entry in entries])
    return {str(pk): state for pk, state in rows.values_list("pk", "state")}


def _set_state(event: Event, entry: int, *, state: str) -> None:
    """Note that an entry is here, or has gone; a disqualified one stays as it is."""
    event.entries.filter(pk=entry, disqualified="").update(state=state)
