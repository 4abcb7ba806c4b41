"""What to do next, as a list, the most urgent first, each with the page where it is done.

A rule reads what was fetched before and asks the database nothing. To add one: a generator of its tasks, with their
urgency, and its place below, which is the order of those that are equally urgent. What needs queries of its own (always
equally many) is a rule of the event: it is asked on the event's desk, not on the overview of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from clubsite.previews import fingerprint
from tournaments.draws.by_format import ended, fewest_people, misplaced, refusal
from tournaments.draws.drafts import next_draft
from tournaments.draws.making import why_stale
from tournaments.draws.round_views import RoundView
from tournaments.engine.formats import FormatRefused
from tournaments.models import Entry, Event
from tournaments.pages import steps
from tournaments.pages.at_tables import AtTables
from tournaments.pages.contest_desk import Desk, contest_alerts, contest_step
from tournaments.pages.steps import Action, NextStep, Urgency, link
from tournaments.rounds.disputes import Dispute
from tournaments.standings.results import standing_result, unchanged_result
from tournaments.standings.standings import standings_of


class NightProgress:
    """How far an event by rounds is, with the latest published round and the event's disputes as they were read.

    `next` is a code: start, draft, stale, playing, close-round, next-round, all-played, corrected, finished."""

    def __init__(self, event: Event, current: RoundView | None, *, disputes: Sequence[Dispute] = ()) -> None:
        self.event, self.round = event, current
        self.number = (current.number if current else 0) + 1
        self.here = event.entries.filter(state=Entry.State.HERE).count()
        self.least = fewest_people(event)  # people that a draw needs
        self.disputed = any(current is not None and dispute.round == current.number for dispute in disputes)
        self.misplaced = misplaced(event)  # which published round doesn't follow from the results before it
        self.result = standing_result(event)
        self.ended: FormatRefused | None = None  # why there is no further round
        draft = next_draft(event)
        self.stale = why_stale(draft) if draft else ""  # why the draft can't be published
        if event.state == Event.State.FINISHED:
            same = self.result is None or unchanged_result(event, standings_of(self.result.stage))
            self.next = "finished" if same else "corrected"
        elif current and not current.draw.round.closed:
            self.next = "close-round" if current.complete else "playing"
        elif draft:
            self.next = "stale" if self.stale else "draft"
        elif current:
            self.ended = ended(event)
            self.next = "all-played" if self.ended else "next-round"
        else:
            self.next = "start"


def misplaced_round(night: NightProgress) -> Iterator[NextStep]:
    """A correction has changed who should play in a round that is published."""
    if night.misplaced:
        title = _("A result was changed after the next round was drawn from it")
        number = night.round.number if night.round else 1
        action = Action(_("To round %(n)d") % {"n": number}, link(night.event, "round_step", number), director=False)
        yield NextStep(Urgency.NOW, title, night.misplaced, (action,))


def night_step(night: NightProgress) -> NextStep:
    """The next step of the night itself."""
    event, current, n, last = night.event, night.round, {"n": night.number}, {"n": night.number - 1}
    draw = link(event, "round_draw")
    here = Action(_("Who is here"), link(event, "here"), director=False)
    people = ngettext("%(n)d person is marked as here.", "%(n)d people are marked as here.", night.here)
    people %= {"n": night.here}
    match night.next:
        case "start":
            title, actions = _("Mark who is here"), [here]
            if event.makes_sides:
                actions.append(Action(_("Who plays with whom"), link(event, "partners")))
            if night.here < night.least:
                more = _("A draw needs %(least)d.") % {"least": night.least}
            else:
                actions.append(Action(_("Draw round 1"), draw))
                more = _("When everybody is on the list, draw the first round.")
                if event.makes_sides:
                    more = _("When everybody is on the list, say who plays with whom, then draw the first round.")
            words = f"{people} {more}"
        case "draft":
            title, words = _("Look at the draw of round %(n)d, then publish it") % n, _("Nobody sees it until then.")
            actions = [Action(_("Look at the draw"), draw)]
        case "stale":
            title, words = _("Make the draw of round %(n)d again") % n, night.stale
            actions = [Action(_("To the draw"), draw)]
        case "playing":
            title, tables = _("Round %(n)d is being played") % last, len(current.groups) if current else 0
            finished = ngettext(
                "%(done)d of %(total)d table has finished.", "%(done)d of %(total)d tables have finished.", tables
            ) % {"done": current.finished if current else 0, "total": tables}
            words = f"{finished} {_('Enter the cards as they come in.')}"
            actions = [
                Action(_("To the cards"), f"{event.get_desk_url()}#tables", director=False),
                Action(_("Close the round early"), link(event, "round_step", last["n"], anchor="close")),
            ]
        case "close-round":
            title = _("Close round %(n)d") % last
            words = _("All tables have finished. You can open it again until the next round is published.")
            page = Action(title, link(event, "round_step", last["n"], anchor="close"))
            at_once = Action(title, link(event, "round_step", last["n"]), post={"step": "close", "games": "open"})
            actions = [page if night.disputed else at_once]
        case "all-played":
            title, actions = _("All rounds are played"), [Action(_("Close the event"), link(event, "night_close"))]
            words = _("Look at the standings, then close the event: they become its result.")
            if night.ended and night.ended.code != "format.over":
                title, words = _("No further round is possible"), refusal(night.ended)
                actions.append(here)
        case "next-round":
            next_draw = Action(_("Draw round %(n)d") % n, draw)
            close = Action(_("Close the night"), link(event, "night_close"))
            if event.traits.searched and current and not current.draw.ahead:
                title, words = _("Close the night, or draw round %(n)d") % n, _("All planned rounds are played.")
                actions = [close, next_draw, here]
            else:
                title = _("Draw round %(n)d, or close the night") % n
                words = f"{people} {_('Mark first who has come or gone.')}"
                actions = [next_draw, here, close]
        case "corrected":
            title, actions = (
                _("Publish the corrected result"),
                [Action(_("See what changes"), link(event, "night_close"))],
            )
            words = _(
                "A card was corrected since version %(n)d was published. Until you publish the next version, the pages "
                "and the season show version %(n)d."
            ) % {"n": night.result.number if night.result else 1}
        case _finished:
            season, title = event.season, _("The night is closed")
            words = _("Its result counts in %(season)s.") if season else _("It belongs to no season.")
            words %= {"season": season}
            actions = [Action(_("Print the result"), link(event, "print", anchor="results"), director=False)]
            if season:
                actions.append(Action(_("Season table"), season.get_absolute_url(), director=False))
            actions.append(Action(_("Open the night again"), link(event, "night_close")))
    return NextStep(Urgency.NEXT, title, words, tuple(actions))


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


def mark_of(tasks: Sequence[NextStep], now: AtTables) -> str:
    """A fingerprint of the list and of the tables' states: the same while nothing of them has changed."""
    return fingerprint((tasks, [(table.label, table.state, len(table.deals), table.view.rows) for table in now.tables]))


def steps_of_club(club: Club) -> list[NextStep]:
    """What the club as a whole waits for, for its directors: on the overview, above what events wait for."""
    return [*steps.left_of_start(club), *steps.of_the_demo(club)]


def next_steps(now: AtTables, *, night: NightProgress | None = None, contest: Desk | None = None) -> list[NextStep]:
    """All that is to be done in an event, the most urgent first. No query but those of the event's own rules.

    On the overview of all events neither `night` nor `contest` is known: what goes on at the tables remains, and
    whether all have finished."""
    if now.event.called_off:
        return [steps.called_off(now.event)]
    tasks = [task for rule in TABLE_RULES for task in rule(now)]
    if night or contest:
        tasks += [task for rule in EVENT_RULES for task in rule(now.event)]
    else:
        tasks += steps.all_finished(now)
    if night:
        tasks += [*misplaced_round(night), night_step(night)]
    if contest:
        tasks += [*contest_alerts(contest), contest_step(contest)]
    return sorted(tasks, key=lambda task: task.urgency)
