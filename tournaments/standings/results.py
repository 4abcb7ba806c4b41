"""Standings published and shown: as they are now or as a version, the result, how places went round by round."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.accounts.name_privacy import hidden_names
from clubsite.charts import Chart, Series, places_chart
from scoring.cards.submit import PublishedLine
from scoring.models import LONGEST_REASON, Game
from tournaments.draws import by_format
from tournaments.draws.drafts import played_draws
from tournaments.errors import StepRefused
from tournaments.events.state import (
    count_open_groups,
    event_locked,
    following_bracket,
    is_drawn,
    lock_event,
    published_draws,
    result_stage,
    stage_draw,
)
from tournaments.models import Draw, Event, Group, PublishedStandings, Stage, has_sides, next_number
from tournaments.rounds.disputes import disputes_of_stage, refuse_disputed
from tournaments.rounds.publishing import unfinished_games_before, where_played
from tournaments.standings.standings import (
    Recorded,
    Row,
    Standings,
    begun,
    by_sides,
    count_standings,
    last_deal_at,
    read_stage,
    rows_as_played,
    rows_fingerprint,
    standings_of,
)
from tournaments.table_links.links import end_links, resume_links


@dataclass(frozen=True, slots=True)
class Window:
    until: datetime
    now: datetime
    late: bool  # whether the version shown is a correction published after that

    @property
    def is_open(self) -> bool:
        return self.now < self.until

    @property
    def until_words(self) -> str:
        """Its end: a time, with the day unless it is today."""
        until = timezone.localtime(self.until)
        today = until.date() == timezone.localtime(self.now).date()
        return date_format(until, "TIME_FORMAT" if today else "SHORT_DATETIME_FORMAT")


@dataclass(frozen=True, slots=True)
class StandingsView:
    stage: Stage
    rows: tuple[Row, ...]
    deals: int
    as_of: datetime | None
    published: PublishedStandings | None = None
    window: Window | None = None  # for corrections, of a result that stands

    @property
    def begun(self) -> bool:
        """Whether anything counts for places yet."""
        return self.published is not None or begun(self.rows, self.deals)


def drawn_stages(event: Event) -> QuerySet[Stage]:
    """By the event's key, so that each call reads the event afresh (`rulings.actions.preview_effects`)."""
    drawn = Stage.objects.filter(event=event.pk, rounds__draws__state=Draw.State.PUBLISHED)
    return drawn.order_by("number").distinct()


def standings_view(event: Event) -> StandingsView | None:
    if published := valid_result(event):
        return view_of_version(published)
    stage = drawn_stages(event).last()
    if stage is None:
        return None
    stage.event = event
    now = standings_of(stage)
    return StandingsView(stage, now.rows, now.deals, last_deal_at(stage))


def result_of(event: Event) -> PublishedStandings | None:
    return (
        event.published_standings.filter(final=True)
        .select_related("stage__event__rules")
        .order_by("-stage__number", "-number")
        .first()
    )


def valid_result(event: Event) -> PublishedStandings | None:
    """The latest version of an event's result while the event is finished; none once it is taken back."""
    return result_of(event) if event.state == Event.State.FINISHED else None


def view_of_version(published: PublishedStandings) -> StandingsView:
    return StandingsView(
        stage=published.stage,
        rows=tuple(Row.from_data(row) for row in published.rows),
        deals=0,
        as_of=published.at,
        published=published,
        window=window_of(published, timezone.now()) if published.final else None,
    )


def published_lines(rows: Iterable[Row], through: Collection[int] | None = None) -> tuple[PublishedLine, ...]:
    """Rows as published lines. `through` are the entries that go on at a cut; None where there is no cut."""
    return tuple(
        PublishedLine(
            row.entry, row.name, row.points, row.place_words, None if through is None else row.entry in through
        )
        for row in rows
    )


def window_of(published: PublishedStandings, now: datetime) -> Window | None:
    """How long the result of an event is open to corrections: for its club's number of minutes after its first
    version. None where the result is taken back, or was published before there were such windows."""
    event = published.event
    if event.result_at is None:
        return None
    until = event.result_at + timedelta(minutes=event.club.correction_minutes)
    return Window(until, now, late=published.at > until)


def publish_standings(
    *, stage: Stage, by: Actor, final: bool = False, reason: str = "", seen: str | None = None
) -> PublishedStandings:
    """Publish a stage's standings as they are now: the next version, unless nothing has changed since the last.

    With `final` they are the event's result. `seen` is the fingerprint of the standings that the page showed.

    Raises StepRefused: there is nothing to publish, or the standings have changed since they were `seen`."""
    with transaction.atomic():
        lock_event(stage.event)
        now = standings_of(stage)
        if not now.begun:
            raise StepRefused(_("No deal is recorded yet, so there are no standings to publish."))
        if seen is not None and seen != rows_fingerprint(now.rows):
            raise StepRefused(
                _("A card was recorded or corrected while you looked. Check the standings again, then publish them.")
            )
        last = stage.published_standings.order_by("-number").first()
        if last and last.final == final and _same(last, now):
            return last
        number = next_number(stage.published_standings)
        version = PublishedStandings.objects.create(
            event=stage.event,
            stage=stage,
            number=number,
            by=by.user,
            rows=[row.to_data() for row in now.rows],
            final=final,
            reason=reason[:LONGEST_REASON],
        )
        log(
            club=stage.event.club,
            by=by,
            verb="standings.publish",
            subject=stage.event.about(stage),
            new={"version": number, "final": final, "reason": reason},
        )
    return version


def publish_result(
    *,
    event: Event,
    by: Actor,
    sure: bool = False,
    reason: str = "",
    seen: str | None = None,
    despite: Collection[int] = (),
) -> PublishedStandings:
    """Publish the standings of an event's last stage as its result, which its season counts; the event is finished.

    On an event that is finished already this publishes the next version when a correction has changed the standings,
    and changes nothing otherwise. `seen` is the fingerprint of the standings that the page showed, `despite` are the
    disputed deals that it is published in spite of.

    Raises StepRefused: nothing was played, something is still open (with `sure` a competition's result stands all the
    same), another deal is disputed, or the standings have changed since they were `seen`."""
    with event_locked(event) as event:
        refuse_unplayed = _refuse_open_rounds if event.by_rounds else _refuse_open_sets
        stage = result_stage(event)
        if stage and event.state == Event.State.FINISHED and (same := unchanged_result(event, standings_of(stage))):
            return same
        refuse_unplayed(event, stage, sure=sure)
        assert stage  # noqa: S101 - without one nothing was played
        stage.event = event
        refuse_disputed(disputes_of_stage(stage), despite=despite)
        version = publish_standings(stage=stage, by=by, final=True, reason=reason, seen=seen)
        if event.state != Event.State.FINISHED:
            event.state, event.result_at = Event.State.FINISHED, timezone.now()
            event.save()
            end_links(Group.objects.filter(table__draw__round__stage__event=event), event.club)
        new = {"version": version.number, "reason": reason, "despite": sorted(despite)}
        log(club=event.club, by=by, verb="result.publish", subject=event, new=new)
    return version


def take_back_result(*, event: Event, by: Actor, reason: str = "") -> Event:
    """Take the result back: the event goes on, and its season counts it no more. What was published stays to be read as
    a version. Raises StepRefused: no reason, which a competition asks for, or the knock-out of its groups has begun."""
    if not event.by_rounds and not reason.strip():
        raise StepRefused(_("Write why you take this back."))
    with event_locked(event) as event:
        if event.state == Event.State.FINISHED:
            if event.traits.in_groups and (bracket := following_bracket(event)) and is_drawn(bracket):
                raise StepRefused(_("%(bracket)s has begun. Take its draw back first.") % {"bracket": bracket})
            event.state, event.result_at = Event.State.RUNNING, None
            event.save()
            open_still = Group.objects.filter(table__draw__round__stage=result_stage(event), ended="")
            resume_links(open_still.filter(table__draw__round__closed=False))
            log(club=event.club, by=by, verb="result.withdraw", subject=event, new={"reason": reason})
    return event


def unchanged_result(event: Event, now: Standings) -> PublishedStandings | None:
    last = result_of(event)
    return last if last and (_same(last, now) or _same_by_sides(last, now)) else None


def _same(published: PublishedStandings, now: Standings) -> bool:
    return rows_as_played(Row.from_data(row) for row in published.rows) == rows_as_played(now.rows)


def _same_by_sides(published: PublishedStandings, now: Standings) -> bool:
    """Whether a version with a row for each person, as an older program published it, says the same of each side: it
    isn't out of date because sides are ranked now."""
    if has_sides(published.rows) or not any(row.people for row in now.rows):
        return False
    before = by_sides([Row.from_data(row) for row in published.rows], now.side_of)
    return _rows_by_entry(before) == _rows_by_entry(now.rows)


def _rows_by_entry(rows: Iterable[Row]) -> dict[int, Row]:
    """The lines by entry, without what put each ahead of the next: among people it stood with one of a side."""
    return {row.entry: replace(row, separated_by="") for row in rows_as_played(rows)}


def _refuse_open_sets(event: Event, stage: Stage | None, *, sure: bool) -> None:
    if stage is None or stage_draw(stage) is None:
        raise StepRefused(_("The final isn't drawn yet."))
    if not sure and (rows := unfinished_games_before(stage)):
        raise StepRefused(
            _("Still open: %(games)s. Finish the cards, end the games, or confirm the result as it is.")
            % {"games": "; ".join(where_played(row) for row in rows)}
        )
    if not sure and (open_ := count_open_groups(stage)):
        raise StepRefused(
            ngettext(
                "%(n)d set of the final isn't finished. End it, or confirm the result as it is.",
                "%(n)d sets of the final aren't finished. End them, or confirm the result as it is.",
                open_,
            )
            % {"n": open_}
        )


def _refuse_open_rounds(event: Event, stage: Stage | None, *, sure: bool) -> None:
    published = played_draws(event)
    if not published:
        raise StepRefused(_("No round has been played yet, so there is no result."))
    open_rounds = [draw.round.number for draw in published if not draw.round.closed]
    if open_rounds:
        raise StepRefused(_("Round %(n)d is still open. Close it first.") % {"n": open_rounds[0]})
    left = Game.objects.filter(group_game__group__table__draw__in=published, state=Game.State.OPEN)
    if titles := [str(game) for game in left.order_by("pk")]:
        raise StepRefused(
            _("Still being played: %(games)s. Finish the cards, or end the games with a reason.")
            % {"games": ", ".join(titles)}
        )
    if wrong := by_format.misplaced_message(event):
        raise StepRefused(wrong)


MOST_LINES = 5  # lines in the picture, of the leaders
FEWEST_ROUNDS = 3  # with fewer rounds there is nothing to see


def standings_by_round(stage: Stage, recorded: Recorded | None = None) -> list[tuple[int, Standings]]:
    """The numbers of the rounds of a stage that have a deal, each with the standings after it, as they count now.

    `recorded` is what was read of the stage before, if anything was. As many queries for ten rounds as for two, but for
    a knock-out, where each round is asked how far everybody came."""
    recorded = recorded or read_stage(stage)
    dealt = sorted({row.round for row in recorded.rows if row.deals})
    return [(number, count_standings(recorded, before=number + 1, handicaps=False)) for number in dealt]


def chart_of(stage: Stage, rows: Sequence[Row], *, club: Club, recorded: Recorded | None = None) -> Chart | None:
    """The picture of a stage's places after each round as everybody may see it, with its leaders by these rows; None
    where a correction has changed what a published version says: how it came about isn't known then."""
    recorded = recorded or read_stage(stage)
    rows = by_sides(rows, recorded.side_of)
    if not matches_deals(recorded, rows):
        return None
    return rounds_chart(standings_by_round(stage, recorded), rows, named=hidden_names(club).text)


def matches_deals(recorded: Recorded, rows: Iterable[Row]) -> bool:
    """Whether the deals as they are now give the figures of these rows, which may be those of a published version."""
    return _figures(count_standings(recorded, handicaps=False).rows) == _figures(rows)


def _figures(rows: Iterable[Row]) -> set[tuple[object, ...]]:
    return {(row.entry, row.place, row.points, row.games_won, row.games_played, row.sets) for row in rows}


def rounds_chart(
    by_round: list[tuple[int, Standings]], final: Sequence[Row], *, named: Callable[[str], str] = str
) -> Chart | None:
    """The picture of the places after each round, of those who lead in the `final` order; None before the third round.

    `named` gives each name as it is drawn, with initials where wanted: `clubsite.accounts.name_privacy`, which works on
    the page that is sent, wouldn't find a name that is cut short. Those after all others (disqualified, or a stand-in)
    aren't drawn."""
    if len(by_round) < FEWEST_ROUNDS:
        return None
    placed = [row for row in final if not (row.disqualified or row.stand_in)]
    drawn = placed[:MOST_LINES]
    places = [{row.entry: row.place for row in now.rows} for _number, now in by_round]
    places[-1] |= {row.entry: row.place for row in drawn}
    chart = places_chart(
        [Series(named(row.name), tuple(after.get(row.entry) for after in places)) for row in drawn],
        [str(number) for number, _now in by_round],
        keys=[row.place_words for row in drawn],
        heads=[_("Round %(n)d") % {"n": number} for number, _now in by_round],
    )
    return replace(chart, left_out=len(placed) - len(drawn))


def movement_of(stage: Stage, rows: Iterable[Row]) -> tuple[int, dict[int, int | None]] | None:
    """The number of the round before the last one that has a deal, and for each entry of the rows the places gained
    since (negative: lost; None: it wasn't in the order then). None while there is no such round."""
    dealt = published_draws(stage.event).filter(round__stage=stage, tables__groups__games__game__deals_played__gt=0)
    last = dealt.aggregate(last=Max("round__number"))["last"]
    if last is None or last == 1:
        return None
    before = {row.entry: row.place for row in standings_of(stage, before=last).rows}
    moved = {row.entry: before[row.entry] - row.place if row.entry in before else None for row in rows}
    return last - 1, moved
