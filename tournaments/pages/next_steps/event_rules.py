"""What to do for an event as a whole: one that is called off, newer house rules than those it was planned by, a
difference between two keyings, codes of its tables that are guessed at, games that a closed round or an earlier stage
has left open, prizes that are to be published, aren't right any more or aren't seen."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import HouseRules
from tournaments.draws.changes import changed_groups
from tournaments.events.state import is_drawn
from tournaments.keying.second import open_differences
from tournaments.models import Entry, Event
from tournaments.pages.next_steps.tasks import Action, NextStep, Urgency, link, with_back
from tournaments.prizes.proposal import out_of_date, plan_of, proposal_of, published_prizes
from tournaments.rounds.closing import left_open, open_words, place_of
from tournaments.table_links.links import is_guessed

SAME_HOUR = timedelta(minutes=59)
CARDS = 4  # at most so many cards have a button of their own in one task


def called_off(event: Event) -> NextStep:
    """The event doesn't take place: nothing else is to be done. No query."""
    action = Action(_("It takes place after all"), link(event, "event_call_off"))
    return NextStep(Urgency.KNOW, _("This event is called off"), event.called_off, (action,))


def newer_rules(event: Event) -> Iterator[NextStep]:
    """The house rules have a newer version, and the event hasn't begun. One query, two where there is one."""
    if event.state == Event.State.FINISHED:
        return
    newer = HouseRules.objects.filter(club=event.club_id, slug=event.rules.slug, version__gt=event.rules.version)
    last = newer.order_by("-version").values_list("version", flat=True).first()
    if last is None or is_drawn(event):
        return
    versions = {"own": event.rules.version, "last": last}
    compare = reverse("rules_compare", args=[event.club.slug, event.rules.slug])
    asked = {"step": "newest-rules", "version": str(last)}
    play = Action(_("Play by version %(last)d") % versions, link(event, "event_change"), post=asked)
    yield NextStep(
        Urgency.SOON,
        _("The house rules have a newer version: %(last)d") % versions,
        _("This event was planned by version %(own)d, and is played by it unless you say otherwise.") % versions,
        (play, Action(_("See what changed"), f"{compare}?old={event.rules.version}&new={last}", director=False)),
    )


def keyed_differently(event: Event) -> Iterator[NextStep]:
    """Two people keyed different figures from the same card. Four queries, or one where there are none."""
    if found := open_differences(event):
        title = ngettext(
            "%(n)d deal was keyed twice with other figures",
            "%(n)d deals were keyed twice with other figures",
            len(found),
        ) % {"n": len(found)}
        tables = ", ".join(dict.fromkeys(one.table for one in found))
        words = ngettext("Look at the card of table %(tables)s.", "Look at the cards of tables %(tables)s.", len(found))
        yield NextStep(
            Urgency.SOON,
            title,
            words % {"tables": tables},
            (Action(_("Compare the figures"), link(event, "differences")),),
        )


def guessed(event: Event) -> Iterator[NextStep]:
    """Somebody keeps typing codes that no table has. One query."""
    if is_guessed(event):
        yield NextStep(
            Urgency.SOON,
            _("Somebody is guessing at the codes of tables"),
            _("Links that are in use go on working. Make new ones where you suspect that one is known."),
            (Action(_("To the table links"), link(event, "table_links")),),
        )


def open_in_closed_rounds(event: Event) -> Iterator[NextStep]:
    """Games that were left open when their round was closed or their stage cut, or that a correction has opened again.
    One query."""
    games = left_open(event)
    if not games:
        return
    words = _("Before the result is published, finish the cards or end the games with a reason.")
    if event.state == Event.State.FINISHED:
        waits = _("Opened again after the result was published.")
        words = f"{waits} {_('Finish the card, or end the game with a reason.')}"
    cards = (
        Action(place_of(row), with_back(row.game.get_absolute_url(), event), director=False) for row in games[:CARDS]
    )
    actions = (Action(_("End all open games as they stand"), link(event, "open_games")), *cards)
    yield NextStep(Urgency.SOON, open_words(event, len(games)), words, actions)


def cards_to_print(event: Event) -> Iterator[NextStep]:
    """Somebody else sits at a table than when its round was published, and nothing is recorded on its card yet. Three
    queries, or one where no seats were changed."""
    groups = changed_groups(event) if event.state == Event.State.RUNNING else []
    if not groups:
        return
    title = ngettext(
        "Print the card of table %(tables)s again", "Print the cards of tables %(tables)s again", len(groups)
    ) % {"tables": ", ".join(group.label_in(event) for group in groups)}
    words = _("Seats have changed since the draw was published. The old card has other names on it.")
    actions = tuple(
        Action(
            _("Card of table %(table)s") % {"table": group.label_in(event)},
            f"{link(event, 'document', 'cards')}?draw={group.table.draw_id}&group={group.pk}",
            director=False,
        )
        for group in groups[:CARDS]
    )
    yield NextStep(Urgency.SOON, title, words, actions)


def twice_at_once(event: Event) -> Iterator[NextStep]:
    """A member takes part in another event of the club at the same hour. One query."""
    if event.state == Event.State.FINISHED:
        return
    playing = Entry.objects.exclude(state=Entry.State.WITHDRAWN).exclude(member=None)
    others = playing.filter(
        event__club=event.club_id,
        event__called_off="",
        event__starts_at__range=(event.starts_at - SAME_HOUR, event.starts_at + SAME_HOUR),
        member__in=playing.filter(event=event).values("member"),
    )
    others = others.exclude(event=event.pk).exclude(event__state=Event.State.FINISHED)
    if entries := list(others.select_related("event").order_by("event__starts_at", "number")):
        title = ngettext(
            "%(n)d person is in another event at the same hour",
            "%(n)d people are in another event at the same hour",
            len(entries),
        ) % {"n": len(entries)}
        words = "; ".join(_and_when(entry) for entry in entries[:CARDS])
        events = list({entry.event_id: entry.event for entry in entries}.values())
        for other in events:
            other.club = event.club
        actions = tuple(Action(str(other), other.get_desk_url(), director=False) for other in events[:CARDS])
        yield NextStep(Urgency.KNOW, title, words, actions)


def _and_when(entry: Entry) -> str:
    """Who is entered in which event, and when that starts."""
    return f"{entry}: {entry.event}, {date_format(localtime(entry.event.starts_at), 'SHORT_DATETIME_FORMAT')}"


def prizes_to_do(event: Event) -> Iterator[NextStep]:
    """Prizes that are planned and not published, or published and not right any more. One query where there are none,
    else five at most."""
    plan = plan_of(event)
    if plan is None or not plan.prizes:
        return
    published = published_prizes(event)
    if published is None:
        if event.state == Event.State.FINISHED:
            words = _("The result is published. Look who wins, then publish the prizes.")
            yield NextStep(
                Urgency.SOON, _("Publish the prizes"), words, (Action(_("See who wins"), link(event, "prizes")),)
            )
        return
    now = proposal_of(event, plan)
    action = Action(_("Look at the prizes"), link(event, "prizes"))
    if now is None:
        words = _("The result that they go by is taken back. Publish it again first.")
        yield NextStep(Urgency.KNOW, _("Nobody sees the prizes now"), words, (action,))
    elif out_of_date(published, now):
        title = _("The prizes as published aren't right any more")
        words = _(
            "The result or the list of prizes has changed since version %(n)d. Publish the next, or take it back."
        )
        yield NextStep(Urgency.NOW, title, words % {"n": published.number}, (action,))
