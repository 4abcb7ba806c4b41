"""Verbs on sides that stay together for a whole event: who plays with whom, and for which club."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random

from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from scoring.pasted_names import name_key
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.state import is_drawn, open_event_locked
from tournaments.models import Draw, Entry, Event, joint_name, next_number, seed_or_new

LONGEST_CLUB = 40


def sides_and_singles(event: Event) -> tuple[list[list[Entry]], list[Entry]]:
    """The sides of an event in order, and those here without one. One query."""
    entries = list(event.entries.exclude(state=Entry.State.RESERVE).order_by("number"))
    teams = grouped((entry.team, entry) for entry in entries if entry.team is not None)
    alone = [entry for entry in entries if entry.team is None and entry.state == Entry.State.HERE]
    return [teams[number] for number in sorted(teams)], alone


def refuse_removed(entries: Iterable[Entry]) -> None:
    """Raises StepRefused if one of these has left the event for good, which has to be taken back first."""
    if names := [entry.name for entry in entries if entry.removed]:
        words = _(
            "%(names)s: out of this event for good. To bring the side back, open the event's desk and choose "
            "“A side leaves for good”."
        )
        raise StepRefused(words % {"names": ", ".join(names)})


def join_side(*, event: Event, entries: Sequence[Entry], by: Actor, plays_for: str = "") -> int:
    """Make a side of people without one. Returns its number. Raises StepRefused: they are too many or too few, one has
    a side already, or the event takes no more sides."""
    with _open_event(event) as event:
        refuse_latecomers(event)
        people = list(Entry.objects.filter(event=event, pk__in=[e.pk for e in entries]).order_by("number"))
        if len(people) != event.per_side or len({e.pk for e in entries}) != len(entries):
            raise StepRefused(_("A side has %(n)d players. Choose %(n)d.") % {"n": event.per_side})
        if taken := [e.name for e in people if e.team is not None]:
            raise StepRefused(_("%(names)s: already has a partner.") % {"names": ", ".join(taken)})
        return _make_side(event, people, by=by, plays_for=known_spelling(event, plays_for))


def join_rest(*, event: Event, by: Actor, seed: int | None = None) -> int:
    """Make sides by lot of all who are here without one. Returns the number made. Raises StepRefused: there are too
    few, or the event takes no more sides."""
    with _open_event(event) as event:
        refuse_latecomers(event)
        _sides, alone = sides_and_singles(event)
        if len(alone) < event.per_side:
            raise StepRefused(_("Nobody is left without a partner."))
        seed = seed_or_new(seed)
        Random(seed).shuffle(alone)
        starts = range(0, len(alone) - event.per_side + 1, event.per_side)
        for start in starts:
            _make_side(event, alone[start : start + event.per_side], by=by, seed=seed)
    return len(starts)


def part_side(*, event: Event, number: int, by: Actor) -> None:
    """Take a side apart, if there is one of that number. Raises StepRefused: it has played."""
    with _open_event(event) as event:
        people = list(event.entries.filter(team=number))
        if not people:
            return
        if Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED, seats__entry__in=people).exists():
            raise StepRefused(_("%(names)s have played together and stay together.") % {"names": joint_name(people)})
        event.entries.filter(team=number).update(team=None, plays_for="")
        log(club=event.club, by=by, verb="side.part", subject=event.about(joint_name(people)), old={"side": number})


def set_side_club(*, event: Event, number: int, club_name: str, by: Actor) -> None:
    """Set the club that a side plays for, in a match between two. Another spelling of the same club is changed for all
    its sides. Raises StepRefused: the side has played or doesn't exist, or the name is too long."""
    club_name = " ".join(club_name.split())
    if len(club_name) > LONGEST_CLUB:
        raise StepRefused(_("The name is too long: it can have at most %(n)d letters.") % {"n": LONGEST_CLUB})
    with _open_event(event) as event:
        people = list(event.entries.filter(team=number))
        if not people:
            raise StepRefused(_("That side no longer exists. Check the list of sides."))
        old = people[0].plays_for
        respelled = bool(old) and name_key(club_name) == name_key(old)
        club_name = club_name if respelled else known_spelling(event, club_name)
        if old == club_name:
            return
        if Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED, seats__entry__in=people).exists():
            raise StepRefused(_("%(names)s have played already.") % {"names": joint_name(people)})
        event.entries.filter(**({"plays_for": old} if respelled else {"team": number})).update(plays_for=club_name)
        log(club=event.club, by=by, verb="side.club", subject=event.about(joint_name(people)), old=old, new=club_name)


def known_spelling(event: Event, club_name: str) -> str:
    """The club's name as another side spells it, if only capitals differ; else unchanged. One query."""
    spellings = {
        name_key(name): name for name in event.entries.exclude(plays_for="").values_list("plays_for", flat=True)
    }
    return spellings.get(name_key(club_name), club_name)


@contextmanager
def _open_event(event: Event) -> Iterator[Event]:
    with open_event_locked(event) as event:
        if not event.fixed_sides:
            raise StepRefused(_("In this event partners change with every round."))
        yield event


def refuse_latecomers(event: Event) -> None:
    """Raises StepRefused if a knock-out has begun, as its bracket has no place for another side."""
    if event.traits.bracket and is_drawn(event):
        raise StepRefused(
            _(
                "The knock-out has begun and has no room for another side, so people without a side can't be marked "
                "as here."
            )
        )


def _make_side(event: Event, people: Sequence[Entry], *, by: Actor, plays_for: str = "", **drawn: int) -> int:
    """Make these people a side, perhaps `drawn` by this seed. Returns its number."""
    number = next_number(event.entries, "team")
    Entry.objects.filter(pk__in=[e.pk for e in people]).update(team=number, plays_for=plays_for)
    new = {"side": number, **drawn}
    log(club=event.club, by=by, verb="side.join", subject=event.about(joint_name(people)), new=new)
    return number
