"""From groups into the knock-out of those who go on, by their published result."""

from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor
from scoring.wording import join_names
from tournaments.draws.by_format import format_of
from tournaments.engine.formats.pairings import Groups, seed_group_qualifiers
from tournaments.engine.rounds import grouped
from tournaments.entries.partners import join_side, part_side
from tournaments.errors import StepRefused
from tournaments.events.state import event_locked, following_bracket, is_drawn, night_stage
from tournaments.models import Entry, Event, PublishedStandings
from tournaments.rounds.attendance import arrive, leave, return_to_event
from tournaments.rounds.seeding import make_bracket, seed_event
from tournaments.standings.results import valid_result
from tournaments.standings.standings import Row


def make_groups_bracket(*, event: Event, by: Actor) -> Event:
    """The knock-out of those who go on from groups, by their published result: those of one group meet as late as can
    be. It is made; or if others go on than when it was made, it gets these.

    Raises StepRefused: the result isn't published, a group has too few sides, level sides share the last place that
    goes on, or others go on and the knock-out has begun."""
    with event_locked(event) as groups:
        bracket, result = following_bracket(groups), valid_result(groups)
        if result is None:
            raise StepRefused(_("Close the groups first: their result decides who goes on."))
        if bracket and not bracket_is_outdated(groups, bracket):
            return bracket
        if bracket and is_drawn(bracket):
            raise StepRefused(_("%(bracket)s has begun. Take its draw back first.") % {"bracket": bracket})
        through = _group_qualifiers(result)
        side = {row.entry: row.persons for group in through for row in group}
        order = seed_group_qualifiers([[(row.entry,) for row in group] for group in through])
        bracket = bracket or make_bracket(night_stage(groups), by=by, shape=groups.shape)
        before = {entry.member_id or entry.name: entry for entry in bracket.entries.all()}
        for entry in before.values():
            leave(entry=entry, by=by)
            if entry.team is not None:
                part_side(event=bracket, number=entry.team, by=by)
        numbers: dict[str, int] = {}
        for seed, (first,) in enumerate(order, start=1):
            entries = [
                return_to_event(entry=before[entry.member_id or entry.name], by=by)
                if (entry.member_id or entry.name) in before
                else arrive(event=bracket, by=by, member=entry.member, name=entry.name)
                for entry in Entry.objects.filter(pk__in=[person.entry for person in side[first]])
            ]
            if bracket.makes_sides:
                join_side(event=bracket, entries=entries, by=by)
            numbers |= {str(entry.pk): seed for entry in entries}
        seeding = {"by": "groups", "name": groups.name, "numbers": numbers, "result": result.number}
        seed_event(bracket, seeding, by=by)
    return bracket


def bracket_is_outdated(groups: Event, bracket: Event) -> bool:
    """Whether others go on by the result of groups as it is now than by the version that their knock-out was made of,
    or in another order."""
    made_of, result = bracket.seeding.get("result"), valid_result(groups)
    if result is None or made_of in (None, result.number):
        return False
    old = groups.published_standings.get(stage=result.stage, number=made_of)
    try:
        old_order, new_order = ([[row.entry for row in group] for group in _group_qualifiers(v)] for v in (old, result))
    except StepRefused:
        return True
    return old_order != new_order


def _group_qualifiers(result: PublishedStandings) -> list[list[Row]]:
    """Who goes on of each group, best first. Raises StepRefused: too few, or level ones at the line."""
    form, through = format_of(result.event), list[list[Row]]()
    assert isinstance(form, Groups)  # noqa: S101 - only these have such a knock-out
    rows = [row for row in map(Row.from_data, result.rows) if row.in_group and not row.withdrawn]
    for letter, group in sorted(grouped((row.in_group[0], row) for row in rows).items()):
        line = {"group": letter, "n": form.advance}
        if len(group) < form.advance:
            raise StepRefused(_("Group %(group)s has fewer than %(n)d sides to go on.") % line)
        last, following = group[form.advance - 1], group[form.advance :]
        if following and following[0].place == last.place:
            level = [row.name for row in group if row.place == last.place]
            raise StepRefused(
                _(
                    "%(names)s are level in group %(group)s, but not all of them can go on. Reopen the event, and "
                    "decide by one more game or by lot: give the winner a point, under “Penalties and adjustments”."
                )
                % {**line, "names": join_names(level)}
            )
        through.append(group[: form.advance])
    return through
