"""The pages to change seats of a round, with a preview of each change."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.models import Club
from clubsite.accounts.roles import request_actor
from clubsite.names import side_name
from clubsite.previews import preview
from scoring.cards.submit import PublishedLine
from scoring.models import LONGEST_REASON, Deal
from tournaments.draws import changes
from tournaments.draws.by_format import waiting_line
from tournaments.draws.changes import Change, swap_units
from tournaments.draws.drafts import next_draft, seats_in
from tournaments.draws.making import why_no_late_table
from tournaments.draws.words import compass_name, describe_outcome, meets_again_message
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.models import Draw, Entry, Event, Group, Round
from tournaments.requests import event_page, get_group, show_refusals, whole_number, whole_number_or_none
from tournaments.rounds import seat_changes
from tournaments.rounds.publishing import announce_published
from tournaments.rounds.seat_changes import MOST_TABLES, Newcomer
from tournaments.standings.results import published_lines
from tournaments.standings.standings import standings_of

ROLES = ("partner", "opponent", "table_mate")  # in which a draw's quality report counts meetings


# Somebody's line in the standings before and after; None if they aren't in them.
Move: TypeAlias = "tuple[PublishedLine | None, PublishedLine | None]"
# Each side's names at each table, by its label.
Seating: TypeAlias = dict[str, list[list[str]]]
# What the page shows of one way to make a change, and the function that makes it. Shown are `title`, `button`, `send`
# (the fields that the button sends), `words` (sentences on who gets the points) and `leaving` (the name of somebody
# who can be marked as gone in the same step).
Way: TypeAlias = tuple[dict[str, Any], Callable[[], Draw]]


def preview_way(way: Way, draw: Draw) -> dict[str, Any]:
    """What the page shows of a way to change seats, with its effects, or why it is `refused`. Changes nothing."""
    shown, make = way
    new_draws: list[Draw] = []
    brought: list[dict[str, Any]] = []

    def do() -> None:
        new_draws.append(make())
        brought.append(_repeats_and_broken_wishes(draw, new_draws[0]))

    try:
        before, after = preview(do, lambda: _seating_and_standings(draw.round))
    except StepRefused as refused:
        return {**shown, "refused": str(refused.message)}
    (tables, lines), (new_tables, new_lines), new = before, after, new_draws[0]
    changed = _changed_tables(tables, new_tables)
    return {
        **shown,
        "before": {label: tables[label] for label in changed if label in tables},
        "after": {label: new_tables[label] for label in changed if label in new_tables},
        "moves": _standings_moves(lines, new_lines),
        **brought[0],
        "statement": new.statement,
        "meetings_changed": any(draw.statement.get(role) != new.statement.get(role) for role in ROLES),
        "outdated": [*cards_to_reprint(changed), *_outdated(draw, new)],
    }


def cards_to_reprint(labels: list[str]) -> tuple[str, ...]:
    if not labels:
        return ()
    words = ngettext(
        "Print the card of table %(tables)s and the list of seats again.",
        "Print the cards of tables %(tables)s and the list of seats again.",
        len(labels),
    )
    return (words % {"tables": join_words(labels)},)


def join_words(words: list[str]) -> str:
    """As in "3", "3 and 9", "3, 5 and 9"."""
    return _(" and ").join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _changed_tables(before: Seating, after: Seating) -> list[str]:
    return [label for label in {**before, **after} if before.get(label) != after.get(label)]


def count_deals(group: Group) -> int:
    """Including void ones."""
    return Deal.objects.filter(game__group_game__group=group).count()


def describe_change(change: Change) -> str:
    first, second = change.names
    if change.kind == "table":
        return _("%(names)s play at table %(table)s") % {"names": first, "table": change.tables[0]}
    if change.kind == "move":
        return _("Table %(one)s is table %(other)s") % {"one": change.tables[0], "other": change.tables[1]}
    words = {
        "take": _("%(other)s has the seat of %(one)s"),
        "for": _("%(other)s plays for %(one)s") if first != second else _("%(one)s plays again"),
        "swap": _("%(one)s and %(other)s have swapped places"),
        "cards": _("Tables %(one)s and %(other)s have swapped cards"),
    }
    return words[change.kind] % {"one": first, "other": second}


def _seating_and_standings(round: Round) -> tuple[Seating, dict[int, PublishedLine]]:
    """Who sits where, and the standings by entry, read afresh at each call."""
    draw = round.draws.select_related("round__stage__event").filter(state=Draw.State.PUBLISHED).first()
    lines = {line.key: line for line in published_lines(standings_of(round.stage).rows)}
    return (_seating(draw) if draw else {}), lines


def _seating(draw: Draw) -> Seating:
    event = draw.round.stage.event
    return {group.label_in(event): group.names for group in draw.groups.prefetch_related("seats__entry")}


def _standings_moves(before: Mapping[int, PublishedLine], after: Mapping[int, PublishedLine]) -> list[Move]:
    """Everybody whose points or place would change, those who leave last. People who come or go without points are left
    out."""
    pairs = ((before.get(entry), after.get(entry)) for entry in {**after, **before})
    changed = (pair for pair in pairs if pair[0] != pair[1])
    return [pair for pair in changed if all(pair) or any(line and line.points for line in pair)]


def _repeats_and_broken_wishes(old: Draw, new: Draw) -> dict[str, list[str]]:
    """Meetings repeated `again` and wishes `broken` by a change."""
    again, broken = changes.new_repeats_and_broken_wishes(
        old, before=seats_in(old), now=seats_in(new), statement=new.statement
    )
    people = {person for outcome in broken for person in outcome.wish.people}
    name = dict(Entry.objects.filter(pk__in=people).values_list("pk", "name"))
    return {
        "again": [meets_again_message(names, role, times=times) for names, role, times in again],
        "broken": [
            describe_outcome(outcome, name=lambda pk: name.get(pk, str(pk)), seat=compass_name) for outcome in broken
        ],
    }


def _outdated(draw: Draw, new: Draw) -> Iterator[str]:
    """What was made from the draw and is out of date after the change: a draft, rounds planned ahead."""
    if draw.round.stage.event.by_rounds and (draft := next_draft(draw.round.stage.event)):
        yield _("The draft of %(round)s was based on it: make it again.") % {"round": draft.round.name}
    if draw.ahead and new.by_hand and not draw.by_hand:
        yield _("The rounds planned after it will be drawn again; a printed movement sheet is out of date.")


BUTTONS = 6  # people with a button of their own; the others are in a select field


FreePerson: TypeAlias = tuple[Entry, str]
"""Somebody who could take a seat, and why they are free."""


@event_page
def seats_of_table(request: HttpRequest, club: Club, *, event: Event, group: int) -> HttpResponse:
    """The seats of one table in play; posts preview a change or make it."""
    this_group = get_group(event, group)
    url = reverse("seat_changes", args=[club.slug, event.slug, this_group.pk])
    if request.method == "POST":
        with show_refusals(request):
            if request.POST.get("step") == "do":
                return _make_change(request, this_group)
            context = _preview_context(request, this_group) | {"here": url}
            return render(request, "tournaments/pages/seat_changes/seat_change.html", context)
        return redirect(url)
    if newest := _newest_group(this_group):
        return redirect("seat_changes", club.slug, event.slug, newest.pk)
    with show_refusals(request):
        seat_changes.refuse_change(this_group.table.draw)
        return render(request, "tournaments/pages/seat_changes/seats_of_table.html", _table_context(this_group))
    return redirect("desk_event", club.slug, event.slug)


def _newest_group(group: Group) -> Group | None:
    """The group that took over the games of this one; None if it still has them itself."""
    newest = group
    while following := newest.followers.order_by("-pk").first():
        newest = following
    return newest if newest.pk != group.pk else None


def _table_context(group: Group) -> dict[str, Any]:
    draw = group.table.draw
    event = draw.round.stage.event
    label = group.label_in(event)
    ready = _free_people(draw)
    units = swap_units(draw)
    entries = {seat.entry_id for seat in group.seats.all()}
    tables = sorted(draw.tables.values_list("number", flat=True))
    other_groups = draw.groups.exclude(pk=group.pk)
    last = Change.from_data(draw.change) if draw.follows_id else None
    return {
        "event": event,
        "draw": draw,
        "group": group,
        "label": label,
        "round_name": draw.round.name,
        "deals": count_deals(group),
        "seats": list(group.seats.select_related("entry")),
        "ready": ready[:BUTTONS],
        "others": ready[BUTTONS:],
        "more_table": _another_table_choices(event, ready),
        "ticked": event.traits.refills and (2 if event.fixed_sides else event.shape.players),
        "no_table": why_no_late_table(event) if ready else "",
        "here_units": [unit for unit in units if entries & set(unit.entries)],
        "units": units,
        "tables": [number for number in tables if number != group.table.number],
        "most": MOST_TABLES,
        "other_groups": [(other_group, other_group.label_in(event)) for other_group in other_groups],
        "last": describe_change(last) if last else "",
        "stays": seat_changes.why_final(draw) if last else "",
    }


def _another_table_choices(event: Event, ready: Sequence[FreePerson]) -> list[tuple[str, str, str]]:
    """Who could play at another table: keys, names, and why they are free. Empty if they are too few. Sides stay
    together."""
    if not event.traits.late_tables:
        return []
    if not event.fixed_sides:
        least = 3 if event.traits.searched else event.shape.players
        units = [[person] for person in ready]
    elif event.makes_sides:
        least, by_side = 2, grouped((free[0].team, free) for free in ready if free[0].team is not None)
        units = [together for together in by_side.values() if len(together) == event.per_side]
    else:
        least, units = 2, [[person] for person in ready]
    choices = [
        (",".join(str(entry.pk) for entry, _why in unit), side_name(entry.name for entry, _why in unit), unit[0][1])
        for unit in units
    ]
    return choices if len(choices) >= least else []


def _free_people(draw: Draw) -> list[FreePerson]:
    """Those who came late, then those who sit out, then reserves in order; in open play by how long they waited."""
    line = {pk: n for n, pk in enumerate(waiting_line(draw.round.stage.event, seed=draw.seed))}
    out = set(draw.sit_outs.values_list("entry_id", flat=True))
    free = draw.round.stage.event.entries.filter(stands_in=None).exclude(seats__draw=draw)
    why = (_("here, without a seat"), _("sits out"), _("reserve"))
    ready = [
        (2 if entry.state == Entry.State.RESERVE else int(entry.pk in out), entry)
        for entry in free.exclude(state=Entry.State.WITHDRAWN).order_by("number")
    ]
    ready.sort(key=lambda ranked: (line.get(ranked[1].pk, len(line)), ranked[0]))
    return [(entry, why[kind]) for kind, entry in ready]


def _preview_context(request: HttpRequest, group: Group) -> dict[str, Any]:
    """The effects of the posted change, for each way to make it. Raises StepRefused, Http404."""
    draw = group.table.draw
    event = draw.round.stage.event
    seat_changes.refuse_change(draw)
    offers = [preview_way(way, draw) for way in _ways(request, group, sat=True)]
    offers.sort(key=lambda shown: "refused" in shown)
    return {"event": event, "draw": draw, "group": group, "label": group.label_in(event), "offers": offers}


def _ways(request: HttpRequest, group: Group, *, sat: bool) -> list[Way]:
    """The ways to make the posted change. `sat`: whether people have sat this way since the first deal. Raises
    StepRefused, Http404."""
    draw, post = group.table.draw, request.POST
    sent: dict[str, Any] = {
        "draw": draw,
        "by": request_actor(request),
        "reason": post.get("reason", "")[:LONGEST_REASON],
    }
    what = post.get("what")
    if what == "replace":
        return _replace_ways(request, group, sat=sat, sent=sent)
    if what == "swap":
        one, other = (whole_number(post.get(name)) for name in ("one", "other"))
        return [_swap_way(draw, one=one, other=other, make=partial(seat_changes.swap, sat=sat, **sent))]
    if what == "cards":
        other_group = _chosen_group(request, group)
        make = partial(seat_changes.exchange_cards, group=group, other=other_group, **sent)
        return [(_exchange_text(group, other_group), make)]
    if what == "move":
        to = _table_number(post.get("to"))
        make = partial(seat_changes.move_table, table=group.table.number, to=to, **sent)
        title = _("Table %(one)d is table %(other)d from now on") % {"one": group.table.number, "other": to}
        words = _("The same people carry on with the same cards. No deal changes.")
        button, fields = _("Move the table"), {"to": str(to)}
    elif what == "table":
        keys = _chosen_people(request)
        make = partial(seat_changes.add_table, entries=keys, **sent)
        people = draw.round.stage.event.entries.filter(pk__in=keys).order_by("number")
        number = 1 + max(draw.tables.values_list("number", flat=True), default=0)
        names = join_words([entry.name for entry in people])
        title = _("%(names)s play at table %(table)s") % {"names": names, "table": number}
        words = _("The other tables go on as they are. The round isn't drawn again.")
        button, fields = _("Add table %(n)d") % {"n": number}, {"people": ",".join(str(entry.pk) for entry in people)}
    elif what == "back":
        make = partial(seat_changes.take_change_back, **sent)
        last = describe_change(Change.from_data(draw.change)) if draw.follows_id else ""
        title = _("Take back: %(change)s") % {"change": last}
        words = _("Everybody goes back to their seats before this change. No deal changes.")
        button, fields = _("Take it back"), {}
    else:
        raise Http404
    return [({"title": title, "button": button, "send": {"what": what, **fields}, "words": [words]}, make)]


def _replace_ways(request: HttpRequest, group: Group, *, sat: bool, sent: dict[str, Any]) -> list[Way]:
    """Two ways: the newcomer gets the seat, or plays for the one who has it."""
    absent, newcomer = _seat_and_newcomer(request, group)
    names = {"old": absent.name, "new": newcomer.name}
    send = {"what": "replace", "seat": str(absent.pk)}
    send |= {"newcomer": str(newcomer.entry.pk)} if newcomer.entry else {"guest": newcomer.name}
    deals, gone = count_deals(group), bool(request.POST.get("gone"))
    counted = {**names, "n": deals}
    play = partial(seat_changes.play_for, absent=absent, newcomer=newcomer, gone=gone, **sent)
    playing: dict[str, Any] = {"send": {**send, "how": "for"}}
    if newcomer.name == absent.name:
        again = _("%(old)s plays again") % names
        as_before = _("The seat is still %(old)s's, and so are the points scored meanwhile.") % names
        return [({**playing, "title": again, "button": again, "words": [as_before]}, play)]
    words = _("%(old)s gets the points scored at the seat.")
    counts = _("No deal is recorded there yet. %(new)s gets the points scored at the seat.")
    if deals:
        words = ngettext(
            "Points scored at the seat count for %(old)s, and so does the deal recorded so far.",
            "Points scored at the seat count for %(old)s, and so do the %(n)d deals recorded so far.",
            deals,
        )
        counts = ngettext(
            "%(new)s, not %(old)s, gets the points of the deal recorded at the table.",
            "%(new)s, not %(old)s, gets the points of the %(n)d deals recorded at the table.",
            deals,
        )
    title = _("%(new)s plays for %(old)s") % names
    playing |= {"title": title, "button": title, "words": [words % counted]}
    if group.table.draw.round.stage.event.by_rounds:
        playing["leaving"] = absent.name
    title = _("%(new)s has sat there since the first deal") if deals else _("The seat goes to %(new)s")
    marked = _("%(old)s is marked as gone, and has no seat in the next draw until you mark them as here again.")
    taking: dict[str, Any] = {
        "title": title % names,
        "button": _("Correct it") if deals else _("Give %(new)s the seat") % names,
        "send": {**send, "how": "take", "sat": "yes" if deals else ""},
        "words": [counts % counted, marked % names],
    }
    take = partial(seat_changes.take_over, leaving=absent, newcomer=newcomer, sat=sat, **sent)
    return [(playing, play), (taking, take)] if deals else [(taking, take), (playing, play)]


def _swap_way(draw: Draw, *, one: int, other: int, make: Callable[..., Draw]) -> Way:
    name = {pk: unit.names for unit in swap_units(draw) for pk in unit.entries}
    names = {"a": name.get(one, ""), "b": name.get(other, "")}
    deals = sum(map(count_deals, draw.groups.filter(seats__entry__in=(one, other)).distinct()))
    title, button = _("%(a)s and %(b)s swap places"), _("Swap places")
    words = [_("No deal is recorded at their tables yet.")]
    if deals:
        title, button = _("%(a)s and %(b)s have sat this way since the first deal"), _("Correct it")
        recorded = ngettext(
            "%(n)d deal is recorded at their tables. It counts for the people who sat there.",
            "%(n)d deals are recorded at their tables. They count for the people who sat there.",
            deals,
        )
        only = _(
            "Correct it only if they have sat this way all along. Do they want to change now? Not in the middle of a "
            "game: let them finish this round first."
        )
        words = [recorded % {"n": deals}, only]
    send = {"what": "swap", "one": str(one), "other": str(other), "sat": "yes" if deals else ""}
    way = {"title": title % names, "button": button, "send": send, "words": words}
    return way, partial(make, entry=one, other=other)


def _exchange_text(group: Group, other: Group) -> dict[str, Any]:
    """What the page shows of an exchange of cards: which side gets the points under which other."""
    event = group.table.draw.round.stage.event
    groups = {exchanged.label_in(event): exchanged for exchanged in (group, other)}
    labels = list(groups)
    words = []
    for label, source in zip(labels, reversed(labels), strict=True):
        deals = count_deals(groups[source])
        if not deals:
            words.append(_("Table %(table)s starts again: its new card has no deal.") % {"table": label})
            continue
        gets = ngettext(
            "Table %(table)s gets the deal on the card of table %(other)s:",
            "Table %(table)s gets the %(n)d deals on the card of table %(other)s:",
            deals,
        )
        sides = [
            _("%(names)s get the points under %(others)s") % {"names": side_name(mine), "others": side_name(theirs)}
            for mine, theirs in zip(groups[label].names, groups[source].names, strict=False)
        ]
        words.append(f"{gets % {'table': label, 'other': source, 'n': deals}} {'; '.join(sides)}.")
    words.append(_("Did they sit the other way round? Swap the cards first, then the people."))
    title = _("Tables %(tables)s swap cards") % {"tables": join_words(labels)}
    send = {"what": "cards", "other": str(other.pk)}
    return {"title": title, "button": _("Swap the cards"), "send": send, "words": words}


def _chosen_people(request: HttpRequest) -> list[int]:
    """The people ticked, or sent again by the preview. Raises StepRefused: nobody was."""
    sent = ",".join(request.POST.getlist("person") or [request.POST.get("people", "")]).split(",")
    if people := [pk for text in sent if (pk := whole_number_or_none(text)) is not None]:
        return people
    raise StepRefused(_("Choose who plays at the table."))


def _make_change(request: HttpRequest, group: Group) -> HttpResponse:
    """Make the change that was previewed, and say what to print again. Raises StepRefused, Http404."""
    draw = group.table.draw
    event = draw.round.stage.event
    ways = _ways(request, group, sat=request.POST.get("sat") == "yes")
    taking = request.POST.get("how") == "take"
    new_draw = next(make for way, make in ways if len(ways) == 1 or (way["send"]["how"] == "take") == taking)()
    announce_published(request, new_draw)
    cards = request.POST.get("what") == "cards"
    words = [
        _("The cards are swapped.") if cards else _("The seats are changed."),
        *cards_to_reprint(_changed_tables(_seating(draw), _seating(new_draw))),
    ]
    if not seat_changes.why_final(new_draw):
        words.append(_("You can undo this under “Change seats” at the table."))
    messages.success(request, " ".join(words))
    if event.by_rounds:
        return redirect("round_step", event.club.slug, event.slug, new_draw.round.number)
    return redirect("desk_event", event.club.slug, event.slug)


def _seat_and_newcomer(request: HttpRequest, group: Group) -> tuple[Entry, Newcomer]:
    """Who has the seat, and who comes. Raises Http404; StepRefused: nobody is named."""
    entries = group.table.draw.round.stage.event.entries
    absent = get_object_or_404(entries, pk=whole_number(request.POST.get("seat")))
    if request.POST.get("newcomer"):
        return absent, Newcomer(get_object_or_404(entries, pk=whole_number(request.POST.get("newcomer"))))
    guest = Newcomer(guest=request.POST.get("guest", ""))
    if not guest.name:
        raise StepRefused(_("Write a name."))
    return absent, guest


def _chosen_group(request: HttpRequest, group: Group) -> Group:
    """The other group chosen. Raises StepRefused: none was."""
    groups = group.table.draw.groups.exclude(pk=group.pk)
    chosen = groups.filter(pk=whole_number_or_none(request.POST.get("other")) or 0).first()
    if chosen is None:
        raise StepRefused(_("Choose the other table."))
    return chosen


def _table_number(text: str | None) -> int:
    """A typed table number; 0, which no table has, for anything else."""
    text = (text or "").strip()
    return int(text) if text.isdecimal() and len(text) < 4 else 0
