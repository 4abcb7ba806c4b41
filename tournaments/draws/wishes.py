"""The director's wishes for the draws of an event: who shall be partners or not, keep apart, or stay at a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from tournaments.draws import by_format
from tournaments.draws.words import refusal_words, seat_in_words, wish_words
from tournaments.engine.draws import rotation
from tournaments.engine.rounds import PLACE_WISHES, DrawWish
from tournaments.errors import StepRefused
from tournaments.events.state import is_drawn, lock_open_event
from tournaments.models import Entry, Event, Wish

MOST_TABLES = rotation.MOST // 4
SEATS = 4  # at a table of the usual kind: North, South, East, West
LEAST = 4  # with fewer people there is no draw to try wishes on


def wishes_of(event: Event) -> list[DrawWish]:
    """The wishes of an event as the engine reads them, in the order they were made. One query."""
    return [_asked(wish) for wish in event.wishes.order_by("pk")]


def as_data(wishes: Iterable[DrawWish]) -> list[dict[str, Any]]:
    """Wishes as JSON keeps them."""
    return [asdict(wish) | {"people": list(wish.people)} for wish in wishes]


def names_of(entries: Iterable[int]) -> Callable[[int], str]:
    """Entry to name, for sentences. One query."""
    names = dict(Entry.objects.filter(pk__in=entries).values_list("pk", "name"))
    return lambda pk: names.get(pk, str(pk))


@dataclass(frozen=True, slots=True)
class Wished:
    """A wish about two people, or about one person and a place. `hard`: it must be met."""

    kind: str
    entry: Entry
    other: Entry | None = None
    table: int | None = None
    seat: int | None = None
    hard: bool = True


def add_wish(*, event: Event, wished: Wished, by: Actor) -> Wish:
    """Wish something of the draws to come. The same wish twice is one.

    Raises:
        StepRefused: the event is over or its draws take no wishes; the wish isn't clear; or it can't hold together
            with others that must, named in words.
    """
    with transaction.atomic():
        event = lock_open_event(event)
        kind, entry, other = wished.kind, wished.entry, wished.other
        table, seat, hard = wished.table, wished.seat, wished.hard
        place = kind in PLACE_WISHES
        _refuse_kind(event, wished)
        if place:
            other = None
            if table is None and (seat is not None or kind == "host"):
                raise StepRefused(_("Say at which table."))
        else:
            table = seat = None
            if other is None or other == entry:
                raise StepRefused(_("Choose two people."))
            if event.fixed_sides and entry.team is not None and entry.team == other.team:
                raise StepRefused(_("%(a)s and %(b)s are partners.") % {"a": entry.name, "b": other.name})
            entry, other = sorted((entry, other), key=lambda e: e.number)
        same = event.wishes.filter(kind=kind, entry=entry, other=other, table=table, seat=seat, hard=hard).first()
        if same:
            return same
        made = Wish.objects.create(event=event, kind=kind, entry=entry, other=other, table=table, seat=seat, hard=hard)
        _refuse_collision(event)
        log(club=event.club, by=by, verb="wish.add", subject=event.about(told(made)), new={"hard": hard})
    return made


def remove_wish(*, wish: Wish, by: Actor) -> None:
    """Take a wish back. Nothing happens when it is gone already.

    Raises:
        StepRefused: the event is over.
    """
    with transaction.atomic():
        event = lock_open_event(wish.event)
        found = event.wishes.select_related("entry", "other").filter(pk=wish.pk).first()
        if found:
            log(club=event.club, by=by, verb="wish.remove", subject=event.about(told(found)), old={"hard": found.hard})
            found.delete()


def told(wish: Wish) -> str:
    """A wish in words: "Ann and Bob are always partners"."""
    names = {entry.pk: entry.name for entry in (wish.entry, wish.other) if entry}
    return wish_words(_asked(wish), name=names.__getitem__, seat=seat_in_words)


def _asked(wish: Wish) -> DrawWish:
    people = (wish.entry_id,) if wish.other_id is None else (wish.entry_id, wish.other_id)
    return DrawWish(wish.kind, people, wish.hard, wish.table, wish.seat)


def _refuse_collision(event: Event) -> None:
    """Try the wishes on the next round with those who are here; raises StepRefused where they collide.

    Wishes to be partners once aren't tried, since they may need more rounds. Where it takes long to find out whether
    wishes collide, it is left to the draw.
    """
    if not event.traits.searched:
        by_format.refuse_apart(event)
        return
    people = list(event.entries.filter(state=Entry.State.HERE).order_by("number").values_list("pk", flat=True))
    wishes = [wish for wish in wishes_of(event) if wish.kind != "once"]
    if not LEAST <= len(people) <= rotation.MOST:
        return
    try:
        rotation.rotation(rotation.Afternoon(people, 1, wishes=wishes), seed=1, steps=1, soon=True)
    except rotation.Undecided:
        return
    except rotation.DrawRefused as refused:
        raise StepRefused(refusal_words(refused, wishes, name=names_of(people), seat=seat_in_words)) from None


def why_no_wishes(event: Event) -> str:
    """Why nothing can be wished of the draws of an event; "" where it can."""
    if event.traits.plans_matches:
        return _("Every side meets every other in this format, so no two can be kept apart. In a Swiss they can.")
    if event.traits.one_table:
        return _("Everybody plays at one table, so nobody can be kept apart.")
    if event.traits.between_clubs:
        return _("Every side meets those of the other club in turn, so no two can be kept apart.")
    if not event.traits.wishes:
        return _(
            "In this format the results decide who plays where, so you can't keep two people apart. In a Swiss you can."
        )
    if event.traits.bracket and is_drawn(event):
        return _("The bracket is drawn: who meets in it follows from the results.")
    return ""


def _refuse_kind(event: Event, wished: Wished) -> None:
    """Raises StepRefused where the draws of an event can't be held to such a wish."""
    if why := why_no_wishes(event):
        raise StepRefused(why)
    if wished.kind not in Wish.Kind.values:
        raise StepRefused(_("Choose what is wished."))
    if wished.kind not in event.traits.wishes or not (wished.hard or event.traits.searched):
        raise StepRefused(_("In this format you can only name two people who mustn't meet."))
