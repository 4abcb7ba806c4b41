"""What to do next, as a list, the most urgent first, each with the page where it is done.

A rule reads what was fetched before and asks the database nothing. To add one: a generator of its tasks, with their
urgency, and its place below, which is the order of those that are equally urgent. What needs queries of its own (always
equally many) is a rule of the event: it is asked on the event's desk, not on the overview of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from clubsite.previews import fingerprint
from tournaments.draws.by_format import ended, fewest_people, misplaced, refusal
from tournaments.draws.drafts import next_draft
from tournaments.draws.formats import why_stale
from tournaments.draws.round_views import RoundView
from tournaments.engine.formats import FormatRefused
from tournaments.models import Entry, Event, PublishedStandings
from tournaments.pages import contest_desk, steps
from tournaments.pages.at_tables import AtTables
from tournaments.pages.contest_desk import Desk
from tournaments.pages.steps import Action, NextStep, Urgency, link
from tournaments.rounds.disputes import Dispute
from tournaments.standings.results import standing_result, unchanged_result
from tournaments.standings.standings import standings_of


@dataclass(frozen=True, slots=True)
class NightProgress:
    """How far an event by rounds is. `next` is a code: one function below says it in words."""

    event: Event
    round: RoundView | None  # the latest that is published
    next: str  # start, draft, stale, playing, close-round, next-round, all-played, corrected, finished
    here: int
    least: int  # people that a draw needs
    stale: str  # why the draft can't be published
    ended: FormatRefused | None  # why there is no further round
    misplaced: str  # which published round doesn't follow from the results before it
    last: PublishedStandings | None  # the result
    disputed: bool  # whether a deal of that round is disputed: then the round isn't closed with one tap

    @property
    def number(self) -> int:
        return (self.round.number if self.round else 0) + 1


def night_of(event: Event, current: RoundView | None, *, disputes: Sequence[Dispute] = ()) -> NightProgress:
    """How far an event by rounds is, with the latest published round and the event's disputes as they were read."""
    draft = next_draft(event)
    stale = why_stale(draft) if draft else ""
    last = standing_result(event)
    end = None
    if event.state == Event.State.FINISHED:
        same = last is None or unchanged_result(event, standings_of(last.stage))
        code = "finished" if same else "corrected"
    elif current and not current.draw.round.closed:
        code = "close-round" if current.complete else "playing"
    elif draft:
        code = "stale" if stale else "draft"
    elif current:
        end = ended(event)
        code = "all-played" if end else "next-round"
    else:
        code = "start"
    return NightProgress(
        event=event,
        round=current,
        next=code,
        here=event.entries.filter(state=Entry.State.HERE).count(),
        least=fewest_people(event),
        stale=stale,
        ended=end,
        misplaced=misplaced(event),
        last=last,
        disputed=any(current is not None and dispute.round == current.number for dispute in disputes),
    )


def misplaced_round(night: NightProgress) -> Iterator[NextStep]:
    """A correction has changed who should play in a round that is published."""
    if night.misplaced:
        title = _("A result was changed after the next round was drawn from it")
        number = night.round.number if night.round else 1
        action = Action(_("To round %(n)d") % {"n": number}, link(night.event, "round_step", number), director=False)
        yield NextStep(Urgency.NOW, title, night.misplaced, (action,))


def night_step(night: NightProgress) -> Iterator[NextStep]:
    """The next step of the night."""
    if night.round and night.next in ROUND_STEPS:
        title, words, actions = ROUND_STEPS[night.next](night, night.round)
    else:
        title, words, actions = STEPS[night.next](night)
    yield NextStep(Urgency.NEXT, title, words, actions)


Said = tuple[str, str, tuple[Action, ...]]


def _start(night: NightProgress) -> Said:
    if night.here < night.least:
        more = _("A draw needs %(least)d.") % {"least": night.least}
    elif night.event.makes_sides:
        more = _("When everybody is on the list, say who plays with whom, then draw the first round.")
    else:
        more = _("When everybody is on the list, draw the first round.")
    actions = [_here(night)]
    if night.event.makes_sides:
        actions.append(Action(_("Who plays with whom"), link(night.event, "partners")))
    if night.here >= night.least:
        actions.append(Action(_("Draw round 1"), link(night.event, "round_draw")))
    return _("Mark who is here"), f"{_people(night)} {more}", tuple(actions)


def _draft(night: NightProgress) -> Said:
    title = _("Look at the draw of round %(n)d, then publish it") % {"n": night.number}
    return title, _("Nobody sees it until then."), (Action(_("Look at the draw"), link(night.event, "round_draw")),)


def _stale(night: NightProgress) -> Said:
    title = _("Make the draw of round %(n)d again") % {"n": night.number}
    return title, night.stale, (Action(_("To the draw"), link(night.event, "round_draw")),)


def _playing(night: NightProgress, current: RoundView) -> Said:
    words = {"n": current.number, "done": current.finished, "total": len(current.groups)}
    said = ngettext(
        "%(done)d of %(total)d table has finished.", "%(done)d of %(total)d tables have finished.", words["total"]
    )
    early = link(night.event, "round_step", current.number, anchor="close")
    return (
        _("Round %(n)d is being played") % words,
        f"{said % words} {_('Enter the cards as they come in.')}",
        (
            Action(_("To the cards"), f"{night.event.get_desk_url()}#tables", director=False),
            Action(_("Close the round early"), early),
        ),
    )


def _close_round(night: NightProgress, current: RoundView) -> Said:
    title = _("Close round %(n)d") % {"n": current.number}
    words = _("All tables have finished. You can open it again until the next round is published.")
    if night.disputed:
        return title, words, (Action(title, link(night.event, "round_step", current.number, anchor="close")),)
    address = link(night.event, "round_step", current.number)
    return title, words, (Action(title, address, post={"step": "close", "games": "open"}),)


def _all_played(night: NightProgress) -> Said:
    close = Action(_("Close the event"), link(night.event, "night_close"))
    if night.ended and night.ended.code != "format.over":
        return _("No further round is possible"), refusal(night.ended), (close, _here(night))
    words = _("Look at the standings, then close the event: they become its result.")
    return _("All rounds are played"), words, (close,)


def _next_round(night: NightProgress) -> Said:
    draw = Action(_("Draw round %(n)d") % {"n": night.number}, link(night.event, "round_draw"))
    close = Action(_("Close the night"), link(night.event, "night_close"))
    if night.event.traits.searched and night.round and not night.round.draw.ahead:
        title = _("Close the night, or draw round %(n)d") % {"n": night.number}
        return title, _("All planned rounds are played."), (close, draw, _here(night))
    title = _("Draw round %(n)d, or close the night") % {"n": night.number}
    words = f"{_people(night)} {_('Mark first who has come or gone.')}"
    return title, words, (draw, _here(night), close)


def _corrected(night: NightProgress) -> Said:
    words = _(
        "A card was corrected since version %(n)d was published. Until you publish the next version, the pages and "
        "the season show version %(n)d."
    ) % {"n": night.last.number if night.last else 1}
    return (
        _("Publish the corrected result"),
        words,
        (Action(_("See what changes"), link(night.event, "night_close")),),
    )


def _finished(night: NightProgress) -> Said:
    season = night.event.season
    words = _("Its result counts in %(season)s.") % {"season": season} if season else _("It belongs to no season.")
    actions = [Action(_("Print the result"), link(night.event, "print", anchor="results"), director=False)]
    if season:
        actions.append(Action(_("Season table"), season.get_absolute_url(), director=False))
    actions.append(Action(_("Take the closing back"), link(night.event, "night_close")))
    return _("The night is closed"), words, tuple(actions)


STEPS: dict[str, Callable[[NightProgress], Said]] = {
    "start": _start,
    "draft": _draft,
    "stale": _stale,
    "all-played": _all_played,
    "next-round": _next_round,
    "corrected": _corrected,
    "finished": _finished,
}
ROUND_STEPS: dict[str, Callable[[NightProgress, RoundView], Said]] = {
    "playing": _playing,
    "close-round": _close_round,
}
"""The steps of a round that is open, with that round."""


def _people(night: NightProgress) -> str:
    words = ngettext("%(n)d person is marked as here.", "%(n)d people are marked as here.", night.here)
    return words % {"n": night.here}


def _here(night: NightProgress) -> Action:
    return Action(_("Who is here"), link(night.event, "here"), director=False)


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
NIGHT_RULES = (misplaced_round, night_step)
CONTEST_RULES = (
    contest_desk.unseated,
    contest_desk.barred,
    contest_desk.cut_differs,
    contest_desk.vacant,
    contest_desk.final_apart,
    contest_desk.contest_step,
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
    whether all have finished."""
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
