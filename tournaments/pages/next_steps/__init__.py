"""What to do next, as a list: one small function a rule, the most urgent first, each with the page where it is solved.

A rule reads what was fetched before and asks the database nothing. To add one: a generator of its tasks, with their
urgency, and its place below, which is the order of those that are equally urgent. What needs queries of its own (always
equally many) is a rule of the event: it is asked on the event's desk, not on the overview of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from clubsite.accounts.models import Club
from clubsite.previews import fingerprint
from tournaments.models import Event
from tournaments.pages.contest_desk import Desk
from tournaments.pages.next_steps import club_rules, contest_rules, event_rules, night_rules, table_rules
from tournaments.pages.next_steps.at_tables import AtTables
from tournaments.pages.next_steps.night_rules import NightProgress
from tournaments.pages.next_steps.tasks import NextStep

TABLE_RULES = (
    table_rules.disputed,
    table_rules.gone,
    table_rules.left_for_good,
    table_rules.bell,
    table_rules.silent,
    table_rules.alike,
    table_rules.not_agreed,
    table_rules.late_arrival,
)
EVENT_RULES: tuple[Callable[[Event], Iterable[NextStep]], ...] = (
    event_rules.newer_rules,
    event_rules.keyed_differently,
    event_rules.guessed,
    event_rules.open_in_closed_rounds,
    event_rules.cards_to_print,
    event_rules.twice_at_once,
    event_rules.prizes_to_do,
)
OVERVIEW_RULES = (table_rules.all_finished,)
CLUB_RULES: tuple[Callable[[Club], Iterable[NextStep]], ...] = (club_rules.left_of_start, club_rules.of_the_demo)
NIGHT_RULES = (night_rules.misplaced_round, night_rules.night_step)
CONTEST_RULES = (
    contest_rules.unseated,
    contest_rules.barred,
    contest_rules.cut_differs,
    contest_rules.vacant,
    contest_rules.final_apart,
    contest_rules.contest_step,
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
        return [event_rules.called_off(now.event)]
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
