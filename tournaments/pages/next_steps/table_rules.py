"""What to do at the tables: disputes, who has gone, silence, figures twice, cards nobody has agreed on, the bell,
who has no seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Entry, Event
from tournaments.pages.next_steps.at_tables import AtTables, TableNow, Yardstick
from tournaments.pages.next_steps.tasks import Action, NextStep, Urgency, link, with_back

NAMED = 6  # tables or disputes of one kind that have a link of their own; the others follow once these are settled


def disputed(now: AtTables) -> Iterator[NextStep]:
    """A deal that a table disputes, in any published round."""
    for dispute in now.disputes[:NAMED]:
        at = date_format(localtime(dispute.at), "TIME_FORMAT")
        if dispute.by_link:
            who = _("Marked by table %(table)s at %(at)s.") % {"table": dispute.table, "at": at}
        else:
            who = _("Marked by %(who)s at %(at)s.") % {"who": dispute.by, "at": at}
        action = Action(_("To the deal"), with_back(dispute.address, now.event), director=False)
        said = _("“%(reason)s”") % {"reason": dispute.reason} if dispute.reason else ""
        yield NextStep(Urgency.NOW, dispute.title, f"{said} {who}".strip(), (action,))


def silent(now: AtTables) -> Iterator[NextStep]:
    """A table that has had no deal for longer than the others."""
    tables = [table for table in now.tables if table.label in now.yardsticks and table.state != "disputed"]
    if not tables:
        return
    title = ngettext("Table %(tables)s is silent", "Tables %(tables)s are silent", len(tables))
    words = [_silence(table, now.yardsticks[table.label]) for table in tables[:NAMED]]
    yield NextStep(Urgency.SOON, title % {"tables": _labels(tables)}, " ".join(words), _cards(now.event, tables))


def _silence(table: TableNow, yardstick: Yardstick) -> str:
    if yardstick.of_others:
        said = _("Table %(table)s: no deal for %(minutes)d minutes, the others for %(usual)d.")
    else:
        said = ngettext(
            "Table %(table)s: no deal for %(minutes)d minutes; the others usually had one every minute.",
            "Table %(table)s: no deal for %(minutes)d minutes; the others usually had one every %(usual)d minutes.",
            yardstick.minutes,
        )
    return said % {"table": table.label, "minutes": table.minutes, "usual": yardstick.minutes}


def alike(now: AtTables) -> Iterator[NextStep]:
    """Deals in a row at a table have the same figures and aren't agreed on: one may have been entered twice."""
    least = now.event.rules.same_in_a_row if now.tables else 0
    for table in now.tables:
        if pair := table.alike(least):
            words = {"table": table.label, "one": pair[0].number, "two": pair[1].number, "game": pair[1].of_game}
            if len(table.view.games) > 1:
                title = _("Table %(table)s: deals %(one)d and %(two)d of game %(game)d have the same figures") % words
            else:
                title = _("Table %(table)s: deals %(one)d and %(two)d have the same figures") % words
            about = _("If one was entered twice, make it void; if both are right, mark the second as agreed.")
            deal = reverse("deal", args=[now.event.club.slug, pair[1].pk])
            action = Action(_("To deal %(two)d") % words, with_back(deal, now.event), director=False)
            yield NextStep(Urgency.SOON, title, about, (action,))


def not_agreed(now: AtTables) -> Iterator[NextStep]:
    """A card that is full, with deals that the sides haven't agreed on."""
    tables = [table for table in now.tables if table.state == "not-agreed"]
    if tables:
        title = ngettext(
            "The card of table %(tables)s isn't agreed", "The cards of tables %(tables)s aren't agreed", len(tables)
        )
        left = [
            ngettext("Table %(table)s: deal %(deals)s.", "Table %(table)s: deals %(deals)s.", len(table.open_deals))
            % {"table": table.label, "deals": table.called(table.open_deals)}
            for table in tables[:NAMED]
        ]
        words = _("Both sides look at the card and say yes.")
        yield NextStep(
            Urgency.SOON, title % {"tables": _labels(tables)}, " ".join([words, *left]), _cards(now.event, tables)
        )


def bell(now: AtTables) -> Iterator[NextStep]:
    """The round's time is over, and tables still play."""
    playing = [table for table in now.tables if table.view.state != "over"]
    if now.clock and now.clock.state == "over" and playing:
        title = ngettext(
            "The bell has rung: table %(tables)s still plays",
            "The bell has rung: tables %(tables)s still play",
            len(playing),
        ) % {"tables": _labels(playing)}
        desk, first = now.event.get_desk_url(), playing[0].label
        actions = (
            Action(_("To the clock"), f"{desk}#clock"),
            Action(_("To table %(table)s") % {"table": first}, f"{desk}#table-{first}", director=False),
        )
        yield NextStep(Urgency.SOON, title, now.event.get_at_bell_display(), actions)


def gone(now: AtTables) -> Iterator[NextStep]:
    """Somebody has left a table that still plays, and nobody has the seat or plays for them. A competition's desk names
    its vacant seats itself."""
    for table in now.tables if now.event.by_rounds else ():
        if any(seat.entry.removed for seat in table.view.group.seats.all()):
            continue
        seats = table.view.group.seats.all() if table.view.state != "over" else ()
        left = [seat.entry.name for seat in seats if seat.entry.state == Entry.State.WITHDRAWN and not seat.player]
        if left:
            words = {"names": ", ".join(left), "table": table.label}
            title = ngettext(
                "%(names)s has left table %(table)s: who plays instead?",
                "%(names)s have left table %(table)s: who plays instead?",
                len(left),
            )
            address = link(now.event, "seat_changes", table.view.group.pk, anchor="replace")
            actions = [Action(_("Change the seats of table %(table)s") % words, address)]
            if now.event.fixed_sides:
                walkover = link(now.event, "walkover", table.view.group.pk)
                actions.append(Action(_("Walkover at table %(table)s") % words, walkover))
            yield NextStep(Urgency.NOW, title % words, "", tuple(actions))


def left_for_good(now: AtTables) -> Iterator[NextStep]:
    """A match in play whose side has left the event for good. One that hadn't begun was decided as they left."""
    for table in now.tables:
        left = [seat.entry for seat in table.view.group.seats.all() if seat.entry.removed]
        if not left or table.view.state == "over" or table.game is None:
            continue
        words = {"names": " & ".join(entry.name for entry in left), "table": table.label}
        end = reverse("game_end", args=[now.event.club.slug, table.game])
        actions = [Action(_("End the game of table %(table)s") % words, with_back(end, now.event))]
        if table.view.annulled:
            about = _("None of their games counts. End this one.")
        else:
            about = _("End the game as it is, or give the others a walkover.")
            walkover = link(now.event, "walkover", table.view.group.pk)
            actions.append(Action(_("Walkover at table %(table)s") % words, walkover))
        title = _("Table %(table)s is still open, and %(names)s have left for good") % words
        yield NextStep(Urgency.NOW, title, about, tuple(actions))


def late_arrival(now: AtTables) -> Iterator[NextStep]:
    """Somebody came after the round was drawn: they can still be drawn in while no deal is recorded, and take
    somebody's place at a table for as long as the round is played."""
    if not now.late or not now.round:
        return
    event, round_ = now.event, now.round
    words = {"names": ", ".join(now.late), "n": round_.number}
    title = (
        ngettext("%(names)s has no seat in round %(n)d", "%(names)s have no seat in round %(n)d", len(now.late)) % words
    )
    here = Action(_("Who is here"), link(event, "here"), director=False)
    seats = _seats(now)
    least = 3 if event.traits.searched else event.shape.players
    if event.traits.late_tables and len(now.late) + len(round_.sit_outs) >= least:
        seats = (_another_table(now), *seats)
    if now.deals:
        yield NextStep(Urgency.KNOW, title, _("They have one in the next draw."), (here, *seats))
    else:
        about = _("No deal is recorded yet: you can take the round back and draw it again with them.")
        back = Action(_("Take round %(n)d back") % words, link(event, "round_step", round_.number, anchor="take-back"))
        yield NextStep(Urgency.SOON, title, about, (back, *seats, here))


def all_finished(now: AtTables) -> Iterator[NextStep]:
    """All tables of the round have finished: on the overview, where the next step of the event isn't known."""
    if now.round and now.round.complete:
        event = now.event
        title = _("All tables have finished: %(round)s") % {"round": now.round.draw.round.name}
        actions = (Action(_("Go to its desk"), event.get_desk_url(), director=False),)
        yield NextStep(Urgency.NEXT, title, "", actions)


def _labels(tables: Sequence[TableNow]) -> str:
    return ", ".join(table.label for table in tables)


def _another_table(now: AtTables) -> Action:
    """A link to the form for a table more."""
    address = link(now.event, "seat_changes", now.tables[0].view.group.pk, anchor="more-table")
    return Action(_("Add a table for them"), address)


def _seats(now: AtTables) -> tuple[Action, ...]:
    """A link to the seats of the table with the fewest deals, where taking somebody's place disturbs least."""
    playing = [table for table in now.tables if table.view.state != "over"]
    if not playing:
        return ()
    table = min(playing, key=lambda one: len(one.deals))
    address = link(now.event, "seat_changes", table.view.group.pk, anchor="replace")
    return (Action(_("Somebody's place at table %(table)s") % {"table": table.label}, address),)


def _cards(event: Event, tables: Iterable[TableNow]) -> tuple[Action, ...]:
    """The card of each table, one tap away."""
    return tuple(
        Action(
            _("Card of table %(table)s") % {"table": table.label},
            with_back(reverse("card", args=[event.club.slug, table.game]), event),
            director=False,
        )
        for table in list(tables)[:NAMED]
        if table.game
    )
