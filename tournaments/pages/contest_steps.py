"""What a competition waits for: its next step, and whose place in it is in question."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.events.stages import apart_words
from tournaments.events.state import bracket_of
from tournaments.models import Entry
from tournaments.pages.contest_desk import Desk
from tournaments.pages.steps import Action, NextStep, Urgency, link

Said = tuple[str, str, tuple[Action, ...]]


def cut_differs(desk: Desk) -> Iterator[NextStep]:
    """Points have changed since a cut was published, and somebody would be on the other side of its line."""
    for part, found in desk.differences:
        if part.cut:
            title = _("Points have changed since the cut of %(stage)s was published") % {"stage": part.stage}
            action = Action(_("Look at the cut"), link(desk.event, "cut_step", part.cut.pk))
            yield NextStep(Urgency.NOW, title, " ".join(found.sentences), (action,))


def unseated(desk: Desk) -> Iterator[NextStep]:
    """Who goes on into a stage that is drawn, and has no seat in it."""
    for part, entry in desk.unseated:
        title = _("%(name)s plays on, and has no seat in the draw: %(stage)s") % {"name": entry, "stage": part.stage}
        words = _("Take the draw back and make it again, or withdraw them.")
        actions = (Action(_("To the draw"), link(desk.event, "stage_draw", part.stage.number)), _to_entry(desk, entry))
        yield NextStep(Urgency.NOW, title, words, actions)


def barred(desk: Desk) -> Iterator[NextStep]:
    """Who goes on by the newest published cut, and may not any more."""
    for entry in desk.barred:
        title = _("%(name)s goes on by the published cut, and may not any more") % {"name": entry}
        why = _("Why: “%(note)s”.") % {"note": entry.note}
        words = _("Withdraw them, and the next in line is offered the place; or let them go on.")
        yield NextStep(Urgency.NOW, title, f"{why} {words}", (_to_entry(desk, entry),))


def vacant(desk: Desk) -> Iterator[NextStep]:
    """Who has gone and whose place can still be given on."""
    for entry in desk.vacant:
        gone = _("%(name)s is disqualified") if entry.disqualified else _("%(name)s has withdrawn")
        action = Action(_("See who is next in line for the place"), link(desk.event, "entry", entry.pk))
        words = _("The director can give the place to the next in line.")
        yield NextStep(Urgency.SOON, gone % {"name": entry}, words, (action,))


def final_apart(desk: Desk) -> Iterator[NextStep]:
    """The stage before the final is being played, and the final would be in groups that don't meet."""
    if len(desk.stages) > 1 and desk.playing == desk.stages[-2] and not desk.playing.cut:
        before, final = desk.playing.stage, desk.stages[-1].stage
        if words := apart_words(final, before.advance):
            action = Action(_("Change the stages"), link(desk.event, "event_change", anchor="stages"))
            yield NextStep(Urgency.KNOW, _("How the final is played"), words, (action,))


def contest_step(desk: Desk) -> Iterator[NextStep]:
    """The next step of the competition."""
    title, words, actions = STEPS[desk.next](desk)
    yield NextStep(Urgency.NEXT, title, words, actions)


def _names(desk: Desk) -> Said:
    places = desk.event.places or 0
    words = ngettext(
        "The competition has %(n)d place. Choose a file with the names, paste them, or write them one by one.",
        "The competition has %(n)d places. Choose a file with the names, paste them, or write them one by one.",
        places,
    )
    actions = (
        Action(_("Enter a list of names"), link(desk.event, "entries_import")),
        Action(_("One by one"), link(desk.event, "entries")),
    )
    return _("Enter the names"), words % {"n": places}, actions


def _fit(desk: Desk) -> Said:
    actions = (Action(_("To the entries"), link(desk.event, "entries")),)
    return _("%(stage)s can't be drawn yet") % _stage(desk), desk.words, actions


def _draw(desk: Desk) -> Said:
    actions = [_to_draw(desk, _("To the draw"))]
    words = _("The cut is published. Those who go on get new tables, away from those they have met.")
    if _number(desk) == 1:
        many = ngettext("%(n)d name is on the list.", "%(n)d names are on the list.", desk.here) % {"n": desk.here}
        words = f"{many} {_('You see the draw before anybody else does.')}"
        actions.append(Action(_("Look at the entries"), link(desk.event, "entries")))
    return _("Draw the tables: %(stage)s") % _stage(desk), words, tuple(actions)


def _stale(desk: Desk) -> Said:
    return _("Make the draw again: %(stage)s") % _stage(desk), desk.words, (_to_draw(desk, _("To the draw")),)


def _draft(desk: Desk) -> Said:
    title = _("Look at the draw, then publish it: %(stage)s") % _stage(desk)
    return title, _("Nobody sees it until then."), (_to_draw(desk, _("Look at the draw")),)


def _playing(desk: Desk) -> Said:
    words = {"over": len(desk.in_state("over")), "all": len(desk.groups)}
    said = ngettext("%(over)d of %(all)d set is finished.", "%(over)d of %(all)d sets are finished.", words["all"])
    first = desk.by_state[0][0] if desk.groups else ""  # the groups that come first on the page
    actions = (
        Action(_("To the cards"), f"{desk.event.get_desk_url()}#{first}", director=False),
        Action(_("Print cards and seats"), link(desk.event, "print"), director=False),
    )
    return (
        _("%(stage)s is being played") % _stage(desk),
        f"{said % words} {_('Enter the cards as they come in.')}",
        actions,
    )


def _cut(desk: Desk) -> Said:
    title = _("All sets are finished. See who goes on: %(stage)s") % _stage(desk)
    actions = (Action(_("To the cut"), link(desk.event, "cut", _number(desk))),)
    return title, _("You see the reason for every name before the cut is published."), actions


def _bracket(desk: Desk) -> Said:
    bracket = bracket_of(desk.event)
    words = _("The result of this competition is the order of %(stage)s; the knock-out has its own.") % _stage(desk)
    actions = (
        Action(_("To the knock-out"), bracket.get_desk_url() if bracket else desk.event.get_desk_url(), director=False),
        Action(_("Look at the result"), link(desk.event, "result")),
    )
    return _("Those who go on play %(bracket)s") % {"bracket": bracket}, words, actions


def _result(desk: Desk) -> Said:
    actions = (Action(_("Look at the result"), link(desk.event, "result")),)
    return _("The final is played. Publish the result"), _("The order of the final is the result."), actions


def _corrected(desk: Desk) -> Said:
    words = _("The published result stands until you publish the next version.")
    actions = (Action(_("See what changes"), link(desk.event, "result")),)
    return _("A deal has changed since the result was published"), words, actions


def _finished(desk: Desk) -> Said:
    actions = (
        Action(_("Print the result"), link(desk.event, "print", anchor="results"), director=False),
        Action(_("Look at the result"), link(desk.event, "result")),
    )
    return _("The competition is over"), _("Its result is published."), actions


STEPS: dict[str, Callable[[Desk], Said]] = {
    "names": _names,
    "fit": _fit,
    "draw": _draw,
    "stale": _stale,
    "draft": _draft,
    "playing": _playing,
    "cut": _cut,
    "bracket": _bracket,
    "result": _result,
    "corrected": _corrected,
    "finished": _finished,
}


def _stage(desk: Desk) -> dict[str, object]:
    return {"stage": desk.at.stage if desk.at else ""}


def _number(desk: Desk) -> int:
    return desk.at.stage.number if desk.at else 1


def _to_draw(desk: Desk, words: str) -> Action:
    return Action(words, link(desk.event, "stage_draw", _number(desk)))


def _to_entry(desk: Desk, entry: Entry) -> Action:
    return Action(_("To the entry"), link(desk.event, "entry", entry.pk))
