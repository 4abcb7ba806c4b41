"""The clock of a round. Pages compute it from stored facts and the server's time, so a phone's clock may be wrong."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from tournaments.errors import StepRefused
from tournaments.events.state import lock_open_event, published_draws
from tournaments.models import Draw, Event, Round, RoundClock

MOST_MINUTES = 600  # of a round
SIGN = 5 * 60  # seconds before the bell at which the sign is given


@dataclass(frozen=True, slots=True)
class ClockView:
    round: Round
    event: Event
    state: str  # "ready" (not started), "running", "paused" or "over"
    minutes: int  # altogether
    left: int  # seconds until the bell; 0 when it has rung
    bell: datetime | None  # when it rings or rang; None while it isn't running
    now: datetime

    @property
    def sign(self) -> bool:
        """Whether the sign before the bell is shown."""
        return self.state == "running" and self.left <= SIGN

    @property
    def minutes_left(self) -> int:
        return -(-self.left // 60)

    @property
    def digits(self) -> str:
        return f"{self.left // 60}:{self.left % 60:02}"


def clock_of(event: Event) -> ClockView | None:
    """The clock of the round that is being played; None where none is, or its rounds have no clock. One query."""
    if event.state != Event.State.RUNNING:
        return None
    draw = published_draws(event).reverse().select_related("round__clock", "round__stage").first()
    if draw is None or draw.round.closed:
        return None
    draw.round.stage.event = event
    return clock_at(draw.round, timezone.now())


def clock_at(round: Round, now: datetime) -> ClockView | None:
    """A round's clock at a moment: not started where nobody has; None where the event's rounds have no clock."""
    event = round.stage.event
    clock: RoundClock | None = getattr(round, "clock", None)
    if clock is None:
        if not event.round_minutes:
            return None
        clock = RoundClock(round=round, minutes=event.round_minutes)
    left = max(0, clock.minutes * 60 - _seconds_run(clock, now))
    bell = None
    if clock.started_at is None:
        state = "ready"
    elif clock.paused_at is not None:
        state = "paused"
    else:
        state = "running" if left else "over"
        bell = clock.started_at + timedelta(seconds=clock.minutes * 60 - clock.ran)
    return ClockView(round, event, state, clock.minutes, left, bell, now)


def start_clock(*, round: Round, by: Actor, minutes: int) -> RoundClock:
    """A clock that was started before goes on. Raises StepRefused: the round isn't being played, or the minutes are out
    of range."""
    with transaction.atomic():
        clock = _locked(round)
        if clock.started_at is None:
            clock.minutes, clock.started_at = _refuse_minutes(minutes), timezone.now()
            _set_clock(clock, by, verb="clock.start", new={"minutes": clock.minutes})
    return clock


def pause_clock(*, round: Round, by: Actor) -> RoundClock:
    """A clock that doesn't run stays as it is. Raises StepRefused: the round isn't played, or its bell has rung."""
    with transaction.atomic():
        clock, now = _locked(round), timezone.now()
        if clock.started_at is None or clock.paused_at is not None:
            return clock
        ran = _seconds_run(clock, now)
        if ran >= clock.minutes * 60:
            raise StepRefused(_("The bell has rung. Give the round more minutes to play on."))
        clock.ran, clock.paused_at = ran, now
        _set_clock(clock, by, verb="clock.pause", new={"ran": ran})
    return clock


def resume_clock(*, round: Round, by: Actor) -> RoundClock:
    """A clock that isn't paused stays as it is. Raises StepRefused: the round isn't being played."""
    with transaction.atomic():
        clock = _locked(round)
        if clock.paused_at is not None:
            clock.started_at, clock.paused_at = timezone.now(), None
            _set_clock(clock, by, verb="clock.go-on", new={"ran": clock.ran})
    return clock


def add_minutes(*, round: Round, by: Actor, minutes: int, seen: int) -> RoundClock:
    """Give the round more minutes, or fewer if negative. After the bell they count from now.

    `seen` are the minutes that the page showed. If they have changed since, somebody was quicker (or tapped twice), and
    nothing changes.

    Raises StepRefused: the round isn't being played, or the minutes are out of range."""
    with transaction.atomic():
        clock, now = _locked(round), timezone.now()
        if clock.minutes != seen:
            return clock
        old = clock.minutes
        if clock.started_at and not clock.paused_at and _seconds_run(clock, now) >= old * 60:
            clock.ran, clock.started_at = old * 60, now
        clock.minutes = _refuse_minutes(old + minutes)
        _set_clock(clock, by, verb="clock.minutes", new={"minutes": clock.minutes}, old=old)
    return clock


def reset_clock(*, round: Round, by: Actor) -> RoundClock:
    """Give the round its whole time again, not started. Raises StepRefused: the round isn't being played."""
    with transaction.atomic():
        clock = _locked(round)
        if clock.started_at is not None:
            ran = _seconds_run(clock, timezone.now())
            clock.started_at = clock.paused_at = None
            clock.ran = 0
            _set_clock(clock, by, verb="clock.set-back", new={"minutes": clock.minutes}, old={"ran": ran})
    return clock


def clock_words(view: ClockView) -> str:
    minutes = {"n": view.minutes_left if view.state == "paused" else view.minutes}
    if view.state == "ready":
        sentence = ngettext(
            "The clock isn't started: %(n)d minute.", "The clock isn't started: %(n)d minutes.", minutes["n"]
        )
    elif view.state == "paused":
        sentence = ngettext(
            "The clock is paused with %(n)d minute left.", "The clock is paused with %(n)d minutes left.", minutes["n"]
        )
    else:
        at = date_format(timezone.localtime(view.bell), "TIME_FORMAT")
        words = _("The clock runs: bell at %(at)s.") if view.state == "running" else _("The bell rang at %(at)s.")
        return words % {"at": at}
    return sentence % minutes


def _locked(round: Round) -> RoundClock:
    """The round's clock, new if it has none; locks its event. Raises StepRefused: the round isn't being played."""
    event = lock_open_event(round.stage.event)
    round = Round.objects.select_related("stage").get(pk=round.pk)
    if round.closed or not round.draws.filter(state=Draw.State.PUBLISHED).exists():
        raise StepRefused(_("This round isn't being played, so its clock is stopped."))
    clock, _made = RoundClock.objects.get_or_create(round=round, defaults={"minutes": event.round_minutes})
    clock.round.stage.event = event
    return clock


def _set_clock(clock: RoundClock, by: Actor, *, verb: str, new: Any, old: Any = None) -> None:
    event = clock.round.stage.event
    clock.save()
    log(club=event.club, by=by, verb=verb, subject=event.about(clock.round), old=old, new=new)


def _refuse_minutes(minutes: int) -> int:
    if minutes not in range(1, MOST_MINUTES + 1):
        raise StepRefused(_("A round has 1 to %(most)d minutes.") % {"most": MOST_MINUTES})
    return minutes


def _seconds_run(clock: RoundClock, now: datetime) -> int:
    """Never decreases, even when the server's clock is set back."""
    if clock.started_at is None or clock.paused_at is not None:
        return clock.ran
    return clock.ran + max(0, int((now - clock.started_at).total_seconds()))
