"""What to do next, as a list, the most urgent first, each with the page where it is done.

A rule reads what was fetched before and asks the database nothing. To add one: a generator of its tasks, with their
urgency, and its place below, which is the order of those that are equally urgent. What needs queries of its own (always
equally many) is a rule of the event: it is asked on the event's desk, not on the overview of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from clubsite.accounts.models import Club
from clubsite.previews import fingerprint
from tournaments.models import Event
from tournaments.pages import contest_steps, night_steps, steps
from tournaments.pages.at_tables import AtTables
from tournaments.pages.contest_desk import Desk
from tournaments.pages.night_steps import NightProgress
from tournaments.pages.steps import NextStep

TABLE_RULES = (
    steps.disputed,
    steps.gone,
    steps.left_for_good,
    steps.bell,
    steps.silent,
    steps.alike,
    steps.not_agreed,
    steps.late_arrival,
)
EVENT_RULES: tuple[Callable[[Event], Iterable[NextStep]], ...] = (
    steps.newer_rules,
    steps.keyed_differently,
    steps.guessed,
    steps.open_in_closed_rounds,
    steps.cards_to_print,
    steps.twice_at_once,
    steps.prizes_to_do,
)
OVERVIEW_RULES = (steps.all_finished,)
CLUB_RULES: tuple[Callable[[Club], Iterable[NextStep]], ...] = (steps.left_of_start, steps.of_the_demo)
NIGHT_RULES = (night_steps.misplaced_round, night_steps.night_step)
CONTEST_RULES = (
    contest_steps.unseated,
    contest_steps.barred,
    contest_steps.cut_differs,
    contest_steps.vacant,
    contest_steps.final_apart,
    contest_steps.contest_step,
)


def mark_of(tasks: Sequence[NextStep], now: AtTables) -> str:
    """A fingerprint of the list and of the tables' states: the same while nothing of them has changed."""
    return fingerprint((tasks, [(table.label, table.state, len(table.deals), table.view.rows) for table in now.tables]))


def steps_of_club(club: Club) -> list[NextStep]:
    """What the club as a whole waits for, for its directors: it stands on the overview, above what events wait for."""
    return [task for rule in CLUB_RULES for task in rule(club)]


def next_steps(now: AtTables, *, night: NightProgress | None = None, contest: Desk | None = None) -> list[NextStep]:
    """All that is to be done in an event, the most urgent first. No query but those of the event's own rules.

    On the overview of all events neither `night` nor `contest` is known: what goes on at the tables remains, and
    whether all have finished.
    """
    if now.event.called_off:
        return [steps.called_off(now.event)]
    found = [task for rule in TABLE_RULES for task in rule(now)]
    if night or contest:
        found += [task for rule in EVENT_RULES for task in rule(now.event)]
    else:
        found += [task for rule in OVERVIEW_RULES for task in rule(now)]
    if night:
        found += [task for rule in NIGHT_RULES for task in rule(night)]
    if contest:
        found += [task for rule in CONTEST_RULES for task in rule(contest)]
    return sorted(found, key=lambda task: task.urgency)
