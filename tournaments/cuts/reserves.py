"""A published cut when results change: what a later correction would do to it, and who goes on instead."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from clubsite.previews import fingerprint
from scoring.cards.submit import Published
from scoring.models import LONGEST_REASON, Game
from tournaments.cuts import cuts
from tournaments.cuts.cuts import CutField, difference, locked_stage, new_version, rule_of, stored_args, tie_breaks_for
from tournaments.draws import by_format
from tournaments.draws.changes import take_seat
from tournaments.engine import ranking as standings_cut
from tournaments.engine.ranking import rank
from tournaments.entries.actions import finalist_line
from tournaments.errors import StepRefused
from tournaments.events.state import event_locked, published_cut, refuse_finished, stage_draw
from tournaments.models import Cut, CutLine, Draw, Entry, Event, GroupGame, Round
from tournaments.standings.results import published_lines
from tournaments.standings.standings import standings_of


def watch_event(game: Game) -> Sequence[str]:
    """Sentences about what no longer agrees with a game's results: the cut of its stage, or a later round. None for a
    game outside events. A `scoring.cards.submit.Watch`."""
    round_ = _round_of(game)
    if round_ is None:
        return ()
    stage = round_.stage
    if stage.event.by_rounds:
        return [words] if (words := by_format.misplaced_message(stage.event)) else []
    cut = published_cut(stage)
    return cuts.difference(cut).sentences if cut else []


def watch_standings(game: Game) -> Published | None:
    """The standings that people have seen and that rest on a game: a published result, the standings of a stage whose
    cut is published, or those of a night once the game's round is closed. A `scoring.cards.submit.Standings`.

    None while a night's round is played: its standings are provisional and say so; a mistake is corrected at once."""
    round_ = _round_of(game)
    if round_ is None:
        return None
    stage, event = round_.stage, round_.stage.event
    cut = None if event.by_rounds else published_cut(stage)
    if event.state == Event.State.FINISHED and (event.by_rounds or cut is None):
        title = _("The result of %(event)s is published.") % {"event": event}
        words = _("It stays until you publish a new version. With this, these would change places:")
    elif cut:
        title = _("The cut of %(stage)s is published.") % {"stage": stage}
        words = _("In the standings they would move:")
    elif event.by_rounds and round_.closed:
        title = _("Round %(n)d is closed, and its standings have been seen.") % {"n": round_.number}
        words = _("In the standings they would move:")
    else:
        return None
    through = cuts.qualifiers_now(cut) if cut else None
    same = ""
    if cut and through and not cuts.difference(cut):
        same = ngettext("The same %(n)d goes on.", "The same %(n)d go on.", len(through)) % {"n": len(through)}
    return Published(title, words, published_lines(standings_of(stage).rows, through), same)


def _round_of(game: Game) -> Round | None:
    """The round in which a game counts; None for one outside events, or of a draw that was taken back. One query."""
    row = (
        GroupGame.objects.filter(game=game, group__table__draw__state=Draw.State.PUBLISHED)
        .select_related(
            "group__table__draw__round__stage__event__rules", "group__table__draw__round__stage__event__club"
        )
        .first()
    )
    return row.group.table.draw.round if row else None


OURS = ("section", "after_cut")  # keys of a line's `args` that aren't arguments of its sentence


def next_in_line(line: CutLine) -> standings_cut.NextInLine:
    return standings_cut.next_in_line(_stored_outcome(line.cut), line.entry_id)


def settle_next(
    *,
    line: CutLine,
    by: Actor,
    entries: Sequence[int],
    points: Mapping[int, int] | None = None,
    seed: int | None = None,
) -> Cut:
    """Settle who of level reserves is next in line: by play-off points, or by lots with a seed that is kept. Raises
    StepRefused: these aren't the entries that are level."""
    with transaction.atomic():
        stage = locked_stage(line.cut.stage)
        cut = published_cut(stage)
        line = CutLine.objects.select_related("cut__stage__event__club", "cut__stage__event__rules").get(pk=line.pk)
        if cut is None or line.cut_id != cut.pk:
            raise StepRefused(_("The cut has changed since you opened this page. Check it again."))
        if set(next_in_line(line).level) != set(entries):
            raise StepRefused(_("These entries are no longer level for the place. Reload the page."))
        field = CutField(stage)
        data = field.lots(entries, seed) if points is None else field.play_off({e: points[e] for e in entries})
        version = _publish_again(cut, by, settled=[*cut.settled, data])
        log(club=stage.event.club, by=by, verb="cut.settle-next", subject=stage.event.about(version), new=data)
    return version


def replace_finalist(*, entry: Entry, reserve: Entry, by: Actor) -> Cut:
    """Give the place of a finalist who has withdrawn to the next in line: another version of the cut.

    When the next stage is drawn, the reserve takes the seat too, as long as its games haven't begun.

    Raises StepRefused: the entry still plays or holds no place, or the reserve isn't next in line."""
    with event_locked(entry.event) as event:
        entry = event.entries.get(pk=entry.pk)
        line = finalist_line(entry)
        if line is None:
            done = finalist_line(reserve)
            if done and done.args.get("instead_of") == entry.pk:
                return done.cut
            raise StepRefused(_("%(name)s has no place to give to somebody else.") % {"name": entry})
        if entry.state != Entry.State.WITHDRAWN:
            raise StepRefused(_("%(name)s still plays. Withdraw them first.") % {"name": entry})
        cut = line.cut
        stored = _stored_outcome(cut)
        if standings_cut.next_in_line(stored, entry.pk).entry != reserve.pk:
            raise StepRefused(_("%(name)s is no longer next in line. Reload the page.") % {"name": reserve})
        stage = cut.stage
        following = event.stages.get(number=stage.number + 1)
        version = _publish_again(
            cut, by, settled=cut.settled, now=standings_cut.call_up(stored, entry.pk, by=reserve.pk), left=entry.pk
        )
        if stage_draw(following):
            take_seat(leaving=entry, entering=reserve, stage=following, by=by)
        old, new = {"name": entry.name}, {"name": reserve.name}
        log(club=event.club, by=by, verb="cut.call-up", subject=event.about(version), old=old, new=new)
    return version


def leave_cut(*, cut: Cut, by: Actor, reason: str, seen: str) -> Cut:
    """Rule that a published cut is left as it is although the points have changed: another version, with the reason.

    `seen` is the fingerprint of the difference that the page showed.

    Raises StepRefused: there is no reason, or the cut or the difference isn't what was seen."""
    with transaction.atomic():
        cut, reason = _lock_for_ruling(cut, reason)
        differs = difference(cut)
        if not differs:
            return cut  # left already, or corrected back
        if fingerprint(differs.data) != seen:
            raise StepRefused(_("Results have changed since you opened this page. Check the cut again."))
        version = _publish_again(cut, by, settled=[*cut.settled, {"ruling": reason, "despite": differs.data}])
        event, new = cut.stage.event, {"reason": reason}
        log(club=event.club, by=by, verb="cut.leave", subject=event.about(version), new=new)
    return version


def replace_by_ruling(*, cut: Cut, leaving: Entry, entering: Entry, by: Actor, reason: str) -> Cut:
    """Rule that somebody else goes on in place of a finalist: another version of the cut, with the reason.

    When the next stage is drawn, the seat goes over too, with what is recorded at it.

    Raises StepRefused: there is no reason; the cut has changed; the one doesn't go on or the other does; or what was
    played since rests on who sits there: the next stage's cut, the result, or a handicap."""
    with transaction.atomic():
        seen = cut.pk
        cut, reason = _lock_for_ruling(cut, reason)
        stage, event = cut.stage, cut.stage.event
        lines = {line.entry_id: line for line in cut.lines.all()}
        if (line := lines.get(entering.pk)) and line.advances and line.args.get("instead_of") == leaving.pk:
            return cut
        if cut.pk != seen:
            raise StepRefused(_("The cut has changed since you opened this page. Check it again."))
        refuse_finished(event)
        if not (leaving.pk in lines and lines[leaving.pk].advances):
            raise StepRefused(_("%(name)s has no place to give to somebody else.") % {"name": leaving})
        if entering.pk not in lines or lines[entering.pk].advances or entering.state == Entry.State.WITHDRAWN:
            raise StepRefused(
                _("%(name)s isn't here, so can't have a place. Choose somebody who is here.") % {"name": entering}
            )
        now = standings_cut.replace_by_ruling(_stored_outcome(cut), leaving.pk, by=entering.pk, reason=reason)
        version = _publish_again(cut, by, settled=cut.settled, now=now)
        following = event.stages.get(number=stage.number + 1)
        if stage_draw(following):
            take_seat(leaving=leaving, entering=entering, stage=following, by=by, begun=True)
        old, new = {"name": leaving.name}, {"name": entering.name, "reason": reason}
        log(club=event.club, by=by, verb="cut.rule", subject=event.about(version), old=old, new=new)
    return version


def _lock_for_ruling(cut: Cut, reason: str) -> tuple[Cut, str]:
    """The published cut as it is now, its event held until the transaction ends; and the reason, tidied. Raises
    StepRefused without a reason, or where the cut is no longer published."""
    stage = locked_stage(cut.stage)
    now = published_cut(stage)
    if now is None or (now.pk != cut.pk and now.number < cut.number):
        raise StepRefused(_("The cut has changed since you opened this page. Check it again."))
    reason = reason.strip()[:LONGEST_REASON]
    if not reason:
        raise StepRefused(_("Write the reason for the ruling: it is printed with the cut."))
    return now, reason


def _publish_again(
    cut: Cut, by: Actor, *, settled: list[dict[str, Any]], now: standings_cut.CutOutcome | None = None, left: int = 0
) -> Cut:
    """Publish a cut again as its next version: the same lines, but for those of which `now` decides differently.

    `left` is the finalist who has gone: the reserve who replaces them is marked as called up after the cut."""
    lines = list(cut.lines.all())
    after = {line.entry_id for line in lines if line.args.get("after_cut")}
    decisions = {} if now is None else {d.entry: d for d in now.decisions}
    Cut.objects.filter(pk=cut.pk).update(state=Cut.State.WITHDRAWN)
    version = new_version(cut.stage, by, settled=settled, state=Cut.State.PUBLISHED, tie_breaks=cut.tie_breaks)
    for line in lines:
        decision = decisions.get(line.entry_id)
        line.pk, line.cut, line._state.adding = None, version, True
        if decision and decision.code != line.reason:
            args = stored_args(decision)
            if args.get("instead_of") == left or line.entry_id in after:
                args["after_cut"] = True
            line.advances, line.reason, line.args = decision.advances, decision.code, args
    lines.sort(key=lambda line: (not line.advances, line.order))
    for order, line in enumerate(lines, start=1):
        line.order = order
    CutLine.objects.bulk_create(lines)
    return version


def _stored_outcome(cut: Cut) -> standings_cut.CutOutcome:
    """A kept version as the engine's cut, with results and withdrawals as they are now."""
    field = CutField(cut.stage)
    field.chain = tie_breaks_for(cut.stage.event, cut)
    draw = stage_draw(cut.stage)
    if draw is None:
        raise StepRefused(_("The draw of %(stage)s isn't published.") % {"stage": cut.stage})
    lines = {line.entry_id: line for line in cut.lines.all() if line.entry_id in field.entries}
    decisions = (
        standings_cut.Decision(
            entry,
            line.advances,
            line.reason,
            tuple((key, value) for key, value in line.args.items() if key not in OURS),
            standings_cut.CutSection(*line.args["section"]) if line.args.get("section") else None,
        )
        for entry, line in sorted(lines.items())
    )
    waiting = [c.result for c in field.candidates if c.eligible and not lines[c.entry].advances]
    return standings_cut.CutOutcome(
        decisions=tuple(decisions),
        open_ties=(),
        reserves=tuple(p.entry for p in rank(waiting, field.chain)),
        wanted=cut.stage.advance,
        candidates=tuple(field.candidates),
        rule=rule_of(cut.stage, draw),
        chain=tuple(field.chain),
        settled=field.settlements(cut.settled),
    )
