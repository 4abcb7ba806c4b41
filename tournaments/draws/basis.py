"""What a draw rests on: who plays, the rounds or stages before it, and what came of them.

It is kept with every draw, and compared whenever the draw is published: a draft that waited, and as well a draw that
was taken back and is published again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import Deal
from tournaments.draws import by_format
from tournaments.draws.wishes import as_data, wishes_of
from tournaments.engine.formats import FORMATS
from tournaments.errors import StepRefused
from tournaments.models import Cut, Draw, Entry, Event, GroupGame, Stage, Table


def entries_for(stage: Stage, *, though_gone: bool = False) -> list[Entry]:
    """Who is to be drawn: those here for the first stage, later those who passed the cut before and haven't left, the
    best first; then the stage's stand-ins. With `though_gone` those too who have withdrawn since.

    Raises:
        StepRefused: the cut before isn't published.
    """
    event = stage.event
    before = event.stages.filter(number=stage.number - 1).first()
    playing = [Entry.State.HERE, Entry.State.WITHDRAWN] if though_gone else [Entry.State.HERE]
    stand_ins = list(event.entries.filter(state__in=playing, stands_in=stage))
    if before is None:
        return [*event.entries.filter(state__in=playing, stands_in=None), *stand_ins]
    cut = before.cuts.filter(state=Cut.State.PUBLISHED).first()
    if cut is None:
        raise StepRefused(_("Publish the cut of %(stage)s first: it says who plays on.") % {"stage": before})
    through = event.entries.filter(cut_lines__cut=cut, cut_lines__advances=True)
    if not though_gone:
        through = through.exclude(state=Entry.State.WITHDRAWN)
    return [*through.order_by("cut_lines__order"), *stand_ins]


def met_before(stage: Stage) -> list[list[int]]:
    """Entries at each table of the event's earlier stages."""
    tables: dict[int, list[int]] = {}
    seats = Table.objects.filter(
        draw__round__stage__event=stage.event,
        draw__round__stage__number__lt=stage.number,
        draw__state=Draw.State.PUBLISHED,
    ).values_list("pk", "groups__seats__entry_id")
    for table, entry in seats:
        if entry is not None:
            tables.setdefault(table, []).append(entry)
    return list(tables.values())


def basis_of_stage(stage: Stage, entries: Sequence[Entry]) -> dict[str, Any]:
    """What a draw of a competition's stage rests on beside its entries, as its statement keeps it."""
    seeded = stage.seeded and stage.number > 1
    return {"after": _earlier(stage), "order": [entry.pk for entry in entries] if seeded else []}


def basis_of_round(event: Event, people: Iterable[int]) -> dict[str, Any]:
    """What a draw of a night's next round rests on beside those who are here, as its statement keeps it.

    `people` are those of the draw, by id.
    """
    after = list(_published(event).values_list("pk", flat=True))
    if event.format not in FORMATS:
        return {"after": after}
    return {
        "after": after,
        "rests_on": by_format.fingerprint_of_results(event),
        "sides": by_format.fingerprint_of_sides(event, people),
        "lots": by_format.LOTS_BY_NUMBER,
    }


def has_begun(draw: Draw) -> bool:
    """Whether a deal was recorded in one of the draw's games, void or not."""
    return Deal.objects.filter(game__group_game__group__table__draw=draw).exists()


def refuse_stale(draw: Draw) -> None:
    """Check that a draw can still be published.

    A draw that was played comes back though somebody has left since, and to a night also though somebody has come:
    nobody's seat in it is another than it was. Everything else is compared for every draw.

    Raises:
        StepRefused: what it rests on has changed; says what.
    """
    if why := _why(draw):
        raise StepRefused(" ".join([*why, _("Make the draw again.")]))


def why_stale(draw: Draw) -> str:
    """Why a draw can't be published any more, in words; "" when it can."""
    try:
        return " ".join(_why(draw))
    except StepRefused as refused:
        return str(refused.message)


def _why(draw: Draw) -> list[str]:
    stage = draw.round.stage
    return _of_round(draw, stage.event) if stage.event.by_rounds else _of_stage(draw, stage)


def _of_stage(draw: Draw, stage: Stage) -> list[str]:
    begun = has_begun(draw)
    wanted = {entry.pk: entry.name for entry in entries_for(stage)}
    may_sit = [entry.pk for entry in entries_for(stage, though_gone=True)] if begun else list(wanted)
    drawn = dict(draw.seats.values_list("entry_id", "entry__name"))
    new = sorted(name for pk, name in wanted.items() if pk not in drawn)
    gone = sorted(name for pk, name in drawn.items() if pk not in may_sit)
    why = []
    if gone:
        words = ngettext("%(names)s no longer plays.", "%(names)s no longer play.", len(gone))
        why.append(words % {"names": ", ".join(gone)})
    if new:
        why.append(_("%(names)s came after this draw was made.") % {"names": ", ".join(new)})
    said = draw.statement
    ranked = said.get("order", [])
    if said.get("after", now := _earlier(stage)) != now:
        why.append(_("An earlier stage was drawn anew since."))
    elif [pk for pk in ranked if pk in may_sit] != [pk for pk in may_sit if pk in ranked] and ranked:
        why.append(_("The order of the stage before, by which this draw is seeded, has changed since."))
    elif not begun and stage.number > 1 and bool(said.get("seeded")) != stage.seeded:
        why.append(_("Whether this stage is seeded has changed since."))
    games = (
        GroupGame.objects.filter(group__table__draw=draw).order_by("-number").values_list("number", flat=True).first()
    )
    if games not in (None, stage.games):
        words = ngettext(
            "Its groups play %(games)d game, and the plan of %(stage)s says %(planned)d.",
            "Its groups play %(games)d games, and the plan of %(stage)s says %(planned)d.",
            games,
        )
        why.append(words % {"games": games, "stage": stage, "planned": stage.games})
    return why


def _of_round(draw: Draw, event: Event) -> list[str]:
    said, begun = draw.statement, has_begun(draw)
    why = [] if begun else _people_changed(draw)
    before = list(_published(event).filter(round__number__lt=draw.round.number).values_list("pk", flat=True))
    if before != said.get("after", []):
        why.append(_("The rounds before it have changed since."))
    elif said.get("rests_on") and said["rests_on"] != by_format.fingerprint_of_results(event):
        why.append(_("A result that it rests on was corrected since."))
    if not why and said.get("sides") and said["sides"] != by_format.fingerprint_of_sides(event, _people_of(draw)):
        why.append(_("Who plays with whom, or for which club, has changed since."))
    if not begun and "plan" in said and said["plan"]["wishes"] != as_data(wishes_of(event)):
        why.append(_("The wishes have changed since it was made."))
    return why


def _people_changed(draw: Draw) -> list[str]:
    """Who came and who left since a draw of a night was made, in words."""
    placed = _people_of(draw)
    entries = list(draw.round.stage.event.entries.all())
    came = [e.name for e in entries if e.state == Entry.State.HERE and e.pk not in placed]
    left = [e.name for e in entries if e.state != Entry.State.HERE and e.pk in placed]
    why = []
    if came:
        names = ", ".join(sorted(came, key=str.casefold))
        why.append(_("%(names)s came after this draw was made.") % {"names": names})
    if left:
        names = ", ".join(sorted(left, key=str.casefold))
        why.append(_("%(names)s left after this draw was made.") % {"names": names})
    return why


def _people_of(draw: Draw) -> set[int]:
    return {s.entry_id for s in draw.seats.all()} | {s.entry_id for s in draw.sit_outs.all()}


def _published(event: Event) -> Any:
    """The published draws of a night in order of rounds."""
    return Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED).order_by("round__number")


def _earlier(stage: Stage) -> list[int]:
    """The published draws of the stages before, by id, in order."""
    earlier = Draw.objects.filter(
        round__stage__event=stage.event_id, round__stage__number__lt=stage.number, state=Draw.State.PUBLISHED
    )
    return list(earlier.order_by("round__stage__number").values_list("pk", flat=True))
