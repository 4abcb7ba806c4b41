"""The second keying: somebody else keys a round's cards again, and the figures are compared.

If they differ, the director decides which are right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _, pgettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, User
from scoring.cards.deals import DealError, correct_deal, lock_game
from scoring.families import PAGES
from scoring.families.deal_form import EnteredDeal
from scoring.families.family_pages import Cell
from scoring.models import LONGEST_REASON, DealVersion, Game, Side
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.state import lock_round
from tournaments.models import Draw, Event, KeyedAgain, Round, SecondKeying


class NotTheSame(Exception):
    """The figures differ from those keyed first, and nobody has confirmed yet that the paper says so."""


@dataclass(frozen=True, slots=True)
class KeyedDifference:
    reading: KeyedAgain
    game: Game
    table: str
    number: int
    rows: list[dict[str, Any]]  # side, head, first, second, differs


def is_wanted(round: Round) -> bool:
    """Whether the round is keyed a second time: as a director decided for it, else for the last round before it with a
    decision."""
    rounds = SecondKeying.objects.filter(round__stage__event=round.stage.event).filter(
        Q(round__stage__number__lt=round.stage.number) | Q(round__stage=round.stage_id, round__number__lte=round.number)
    )
    last = rounds.order_by("round__stage__number", "round__number").last()
    return last is not None and last.wanted


def want_second_keying(*, round: Round, by: Actor, wanted: bool) -> None:
    """Decide whether a round and those after it are keyed a second time. What was keyed stays, as do decisions about
    later rounds."""
    with transaction.atomic():
        event = lock_round(round).stage.event
        if is_wanted(round) == wanted:
            return
        SecondKeying.objects.update_or_create(round=round, defaults={"wanted": wanted})
        verb = "round.second-keying" if wanted else "round.second-keying-off"
        log(club=event.club, by=by, verb=verb, subject=event.about(round))


def key_again(*, version: DealVersion, entered: EnteredDeal, by: Actor, submission: UUID) -> KeyedAgain:
    """Store a deal as a second person keyed it, or return what this submission stored before.

    `version` is what is recorded now; `entered.sure` confirms figures that differ. Raises StepRefused: the same person
    keyed it first, or it has been keyed again already; NotTheSame: the figures differ and aren't confirmed."""
    with transaction.atomic():
        game = lock_game(version.deal.game)
        if earlier := KeyedAgain.objects.filter(submission=submission, version__deal=version.deal).first():
            return earlier
        now = DealVersion.objects.select_related("deal").get(deal=version.deal, current=True)
        if by.user and now.deal_id in deals_entered_by(by.user, [now.deal_id]):
            raise StepRefused(_("You keyed this deal the first time. Somebody else has to key it again."))
        if taken := decisive_reading(now, second_readings([now.deal_id])[now.deal_id]):
            raise StepRefused(_("%(who)s has already keyed this deal again.") % {"who": taken.actor})
        same = all(mine == theirs for _side, _head, mine, theirs in compare_boxes(game, now, second=entered))
        if not same and not entered.sure:
            raise NotTheSame
        reading = KeyedAgain.objects.create(
            version=now,
            facts=game.rules.family.write(entered.facts),
            written=KeyedAgain.as_written(entered.written, entered.written_sets),
            state=KeyedAgain.State.SAME if same else KeyedAgain.State.DIFFERENT,
            submission=submission,
            by=by.user,
            actor=by.name,
        )
        new = {"facts": reading.facts, "written": reading.written}
        log(club=game.club, by=by, verb=f"deal.keyed-{reading.state}", subject=now.deal, new=new)
    return reading


def settle_difference(*, reading: KeyedAgain, second_is_right: bool, by: Actor, reason: str) -> KeyedAgain:
    """Confirm the recorded figures, or correct them to the second ones with a reason. Raises StepRefused: the deal has
    been corrected since, or the rules don't allow the second figures."""
    with transaction.atomic():
        deal = reading.version.deal
        game = lock_game(deal.game)
        reading = KeyedAgain.objects.select_related("version__deal__game").get(pk=reading.pk)
        if reading.state != KeyedAgain.State.DIFFERENT:
            return reading
        now = DealVersion.objects.get(deal=deal, current=True)
        if _is_corrected(reading, now):
            raise StepRefused(_("This deal has been corrected since. Check it again."))
        if second_is_right:
            words = reason.strip() or _("Keyed a second time by %(who)s: the paper says so.") % {"who": reading.actor}
            try:
                correct_deal(
                    deal=deal,
                    entered=EnteredDeal(
                        game.rules.family.read(reading.facts),
                        written=reading.totals or now.written,
                        written_sets=now.written_sets if reading.sets is None else reading.sets,
                        sure=True,
                    ),
                    by=by,
                    submission=reading.submission,
                    seen=now.number,
                    reason=words[:LONGEST_REASON],
                )
            except DealError:
                raise StepRefused(
                    _("The rules don't allow the second figures. Correct the deal by the card itself.")
                ) from None
        reading.state = KeyedAgain.State.SETTLED
        reading.settled_by, reading.settled_at = by.name, timezone.now()
        reading.save(update_fields=["state", "settled_by", "settled_at"])
        right = "second" if second_is_right else "first"
        log(club=game.club, by=by, verb="deal.keying-settled", subject=deal, new={"right": right, "reason": reason})
    return reading


def open_differences(event: Event) -> list[KeyedDifference]:
    """The differences of an event that nobody has settled, in order of tables. Four queries, or one.

    Correcting the deal or making it void also settles one, since somebody has checked the card."""
    draw = "version__deal__game__group_game__group__table__draw"
    different = KeyedAgain.objects.filter(
        **{f"{draw}__round__stage__event": event, f"{draw}__state": Draw.State.PUBLISHED},
        state=KeyedAgain.State.DIFFERENT,
    )
    keys = list(different.values_list("pk", flat=True))
    if not keys:  # nearly always; the query below joins many tables
        return []
    readings = KeyedAgain.objects.filter(pk__in=keys).select_related(
        "version__deal__game__rules", "version__deal__game__club", "version__deal__game__group_game__group__table"
    )
    open_readings = list(readings.prefetch_related("version__deal__game__sides"))
    now = current_versions([reading.version.deal_id for reading in open_readings])
    rows = [
        _difference(event, reading)
        for reading in open_readings
        if (last := now[reading.version.deal_id]).state != DealVersion.State.VOID and not _is_corrected(reading, last)
    ]
    return sorted(rows, key=lambda row: (row.game.group_game.group.table.number, row.game.pk, row.number))


def find_difference(event: Event, pk: int) -> KeyedAgain | None:
    return next((row.reading for row in open_differences(event) if row.reading.pk == pk), None)


def current_versions(deals: Sequence[int]) -> dict[int, DealVersion]:
    return {version.deal_id: version for version in DealVersion.objects.filter(deal__in=deals, current=True)}


def second_readings(deals: Sequence[int]) -> Mapping[int, list[KeyedAgain]]:
    """The second keyings of deals, by the deal's key, the earliest first. One query."""
    readings = KeyedAgain.objects.filter(version__deal__in=deals).select_related("version").order_by("pk")
    return grouped((reading.version.deal_id, reading) for reading in readings)


def decisive_reading(now: DealVersion, readings: Sequence[KeyedAgain]) -> KeyedAgain | None:
    """The second keying after which no other is needed: with the figures recorded `now`, or different ones."""
    return next((r for r in readings if r.state != KeyedAgain.State.SAME or not _is_corrected(r, now)), None)


def describe_outcome(state: str) -> str:
    return {
        KeyedAgain.State.SAME.value: _("keyed twice, the same"),
        KeyedAgain.State.DIFFERENT.value: _("keyed twice, different: the director checks it"),
        KeyedAgain.State.SETTLED.value: _("keyed twice, settled by the director"),
    }[state]


def outcomes_in_words(deals: Sequence[int]) -> dict[int, str]:
    """Outcomes by the deal's key. Two queries."""
    readings = second_readings(deals)
    now = current_versions(list(readings))
    decisive = {pk: decisive_reading(now[pk], deal_readings) for pk, deal_readings in readings.items()}
    return {pk: describe_outcome(reading.state) for pk, reading in decisive.items() if reading}


def deals_entered_by(user: User, deals: Sequence[int]) -> set[int]:
    """The deals whose figures this user entered; agreeing or disputing doesn't count."""
    versions = DealVersion.objects.filter(deal__in=deals, by=user, state=DealVersion.State.ENTERED)
    return set(versions.values_list("deal_id", flat=True))


def compare_boxes(game: Game, first: DealVersion, *, second: EnteredDeal) -> list[tuple[int, str, Cell, Cell]]:
    """The boxes of a card as two people keyed them: the side, the box's head, and both figures.

    A mark of a failed bid counts as a box, filled or empty, so nobody has to say that no side is marked. A running
    total is compared only if both have one; what the second line had no box for isn't compared."""
    items = PAGES[game.rules.family.slug].columns(game.engine_rules).items or (_("Points"),)
    read = game.rules.family.read(first.facts)
    rows: list[tuple[int, str, Cell, Cell]] = []
    for side, cells in enumerate(zip(side_figures(game, read), side_figures(game, second.facts), strict=True)):
        rows += [(side, str(head), mine, theirs) for head, mine, theirs in zip(items, *cells, strict=True)]
        if second.written_sets is not None:
            marks = [
                pgettext("bid", "failed") if side in sets else None
                for sets in (first.written_sets or (), second.written_sets)
            ]
            rows.append((side, _("Failed bid, as the scorer marked it"), marks[0], marks[1]))
        totals = [written[side] if side < len(written) else None for written in (first.written, second.written)]
        if None not in totals:
            rows.append((side, _("Running total as written"), totals[0], totals[1]))
    return rows


def side_figures(game: Game, facts: Any) -> tuple[tuple[Cell, ...], ...]:
    """What is in the boxes of each side; its points if the card has no other boxes."""
    score = game.rules.family.score(facts, game.engine_rules)
    columns = PAGES[game.rules.family.slug].columns(game.engine_rules)
    if not columns.items:
        return tuple((points,) for points in score.totals)
    return tuple(columns.cells(facts, score, side=side) for side in range(game.sides_count))


def _is_corrected(reading: KeyedAgain, now: DealVersion) -> bool:
    """Whether the recorded figures have changed since the deal was keyed again."""
    before = reading.version
    return (now.facts, now.written, now.written_sets) != (before.facts, before.written, before.written_sets)


def _difference(event: Event, reading: KeyedAgain) -> KeyedDifference:
    version = reading.version
    game = version.deal.game
    entered = EnteredDeal(game.rules.family.read(reading.facts), reading.totals, reading.sets)
    sides: list[Side] = list(game.sides.all())
    rows = [
        {"side": str(sides[side]), "head": head, "first": mine, "second": theirs, "differs": mine != theirs}
        for side, head, mine, theirs in compare_boxes(game, version, second=entered)
        if (mine, theirs) != (None, None)
    ]
    return KeyedDifference(reading, game, game.group_game.group.label_in(event), version.deal.number, rows)
