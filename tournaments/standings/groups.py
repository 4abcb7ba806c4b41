"""From groups into the knock-out of those who go on, by their published result."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor
from scoring.wording import list_of
from tournaments.draws.by_format import format_of
from tournaments.engine.formats.pairings import Groups, seeds_of_groups
from tournaments.engine.rounds import grouped
from tournaments.entries.partners import join
from tournaments.errors import StepRefused
from tournaments.events.state import bracket_of, event_locked, stage_of
from tournaments.models import Entry, Event
from tournaments.rounds.attendance import arrive
from tournaments.rounds.seeding import make_bracket, seed_event
from tournaments.standings.standings import Row


def lead_groups_on(*, event: Event, by: Actor) -> Event:
    """The knock-out of those who go on from groups, by their published result: it is made, unless there is one, and
    those of one group meet as late as can be. Raises StepRefused: the result isn't published, a group has too few
    sides, or level sides share the last place that goes on."""
    with event_locked(event) as groups:
        if bracket := bracket_of(groups):
            return bracket
        form, result = format_of(groups), groups.published_standings.filter(final=True).order_by("-number").first()
        if groups.state != Event.State.FINISHED or result is None or not isinstance(form, Groups):
            raise StepRefused(_("Close the event first: its result says who goes on."))
        rows = [row for row in map(Row.from_data, result.rows) if row.in_group and not row.withdrawn]
        through = _through(rows, form)
        side = {row.entry: row.persons for own in through for row in own}
        order = seeds_of_groups([[(row.entry,) for row in own] for own in through])
        bracket = make_bracket(stage_of(groups), by=by, shape=groups.shape)
        numbers: dict[str, int] = {}
        for seed, (first,) in enumerate(order, start=1):
            people = Entry.objects.filter(pk__in=[person.entry for person in side[first]])
            entries = [arrive(event=bracket, by=by, member=one.member, name=one.name) for one in people]
            if bracket.makes_sides:
                join(event=bracket, entries=entries, by=by)
            numbers |= {str(entry.pk): seed for entry in entries}
        seed_event(bracket, {"by": "groups", "name": groups.name, "numbers": numbers}, by=by)
    return bracket


def _through(rows: Sequence[Row], form: Groups) -> list[list[Row]]:
    """Who goes on of each group, best first. Raises StepRefused: too few, or level ones at the line."""
    through = []
    for letter, own in sorted(grouped((row.in_group[0], row) for row in rows).items()):
        line = {"group": letter, "n": form.advance}
        if len(own) < form.advance:
            raise StepRefused(_("Group %(group)s has fewer than %(n)d sides to go on.") % line)
        last, following = own[form.advance - 1], own[form.advance :]
        if following and following[0].place == last.place:
            level = [row.name for row in own if row.place == last.place]
            raise StepRefused(
                _(
                    "%(names)s are level in group %(group)s, and not all of them go on. Open the event again and let "
                    "one more game or lots decide: give who wins a point, under “Penalties and adjustments”."
                )
                % {**line, "names": list_of(level)}
            )
        through.append(own[: form.advance])
    return through
