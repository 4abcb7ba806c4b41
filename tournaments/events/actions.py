"""Verbs on events: create one, change it, call it off, remove it; and what the rule sets offer to choose from."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, LogEntry
from clubsite.accounts.starting import first_free
from clubsite.names import make_slug
from clubsite.previews import fingerprint
from scoring.engine.core.ruleset import RuleSet, Shape, shipped
from scoring.house_rules.actions import adopt, latest_version
from scoring.models import Deal, Game, HouseRules
from scoring.pasted_names import key
from scoring.wording import offer_order
from tournaments.engine.formats import TRAITS
from tournaments.errors import StepRefused
from tournaments.events.stages import defaults_of, fits, refuse_lowest, replan
from tournaments.events.state import (
    bracket_of,
    event_locked,
    is_drawn,
    is_pointed_at,
    refuse_finished,
    refuse_next_stages,
    seating_exists,
)
from tournaments.events.words import chosen, refuse_misfits
from tournaments.models import (
    Draw,
    DrawJob,
    Entry,
    Event,
    Letter,
    PrizePlan,
    Round,
    Season,
    Seat,
    SitOut,
    Stage,
    TableLink,
    Wish,
)

RESERVED = {"new"}  # addresses of the desk that an event can't have
PLACES = range(2, 501)  # that a competition may have


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A rule set that the club may play by: its own newest version, or a shipped one that it hasn't adopted."""

    slug: str
    rule_set: RuleSet
    house_rules: HouseRules | None


def games_of(club: Club, *, current: HouseRules | None = None) -> list[GameChoice]:
    """What the club can play: its own rules first, by title, then the others by kind of game and title. Of each the
    newest version, but of an event's game its `current` one, until somebody chooses another."""
    games = {current.slug: _own(current)} if current else {}
    for rules in HouseRules.objects.filter(club=club).order_by("slug", "-version"):
        games.setdefault(rules.slug, _own(rules))
    others = [GameChoice(slug, rule_set, None) for slug, rule_set in shipped().items() if slug not in games]
    return sorted(games.values(), key=lambda g: g.rule_set.title) + sorted(
        others, key=lambda g: offer_order(g.rule_set)
    )


def _own(rules: HouseRules) -> GameChoice:
    return GameChoice(rules.slug, rules.rule_set, rules)


@dataclass(frozen=True, slots=True)
class EventFacts:
    """What a director enters about an event. A shipped rule set becomes the club's by being chosen.

    Of a competition `games` are those of a set at most, and `cut_rule` is who goes on ("": the usual rule for the
    game); both only plan its stages, and a change leaves them alone.

    One that is made `like` another of its club and format gets its stages, fee, handicaps, prizes, and those of its
    entries whose keys are in `again`, with their sides and wishes."""

    name: str
    game: GameChoice
    shape: Shape
    starts_at: datetime
    place: str = ""
    map_link: str = ""
    details: str = ""
    places: int | None = None
    season: Season | None = None
    sit_out_rule: str = Event.SitOutRule.OWN_AVERAGE
    missing_rule: str = Event.SitOutRule.ZERO
    walkover_points: int | None = None
    result_points: Mapping[str, Any] = field(default_factory=dict)  # of `ResultPoints`; none: points scored count
    tie_breaks: tuple[str, ...] = ()
    games: int = 4
    cut_rule: str = ""
    round_minutes: int | None = None  # 0: rounds without a clock; None: as is usual for the format
    at_bell: str = Event.AtBell.FINISH_DEAL
    options: Mapping[str, Any] = field(default_factory=dict)
    sign_up: str = Event.SignUps.NONE
    sign_up_names: bool = True
    like: Event | None = None
    again: tuple[int, ...] = ()


WORTH = ("sit_out_rule", "missing_rule", "walkover_points", "result_points")
"""What an event says of rounds without a seat, matches that aren't played, and results."""
FOR_VISITORS = ("place", "map_link", "details", "places", "sign_up", "sign_up_names")
"""What an event says to those who may come. A night in a season begins with what the one before said."""
AS_SAID = ("name", "starts_at", "season", *FOR_VISITORS, *WORTH, "at_bell")
"""What an event keeps of its facts as it is said."""


def facts_of(event: Event) -> EventFacts:
    """An event's facts as they are now."""
    names = (*AS_SAID, "shape", "tie_breaks", "round_minutes", "options")
    return EventFacts(game=_own(event.rules), **{name: getattr(event, name) for name in names})


def _put_down(event: Event, facts: EventFacts, *, rules: HouseRules) -> None:
    """Write facts into an event without saving it. Minutes and options that aren't given stay."""
    for name in AS_SAID:
        setattr(event, name, getattr(facts, name))
    event.rules, event.sides, event.per_side = rules, facts.shape.sides, facts.shape.per_side
    event.tie_breaks, event.options = list(facts.tie_breaks), {**event.options, **facts.options}
    if facts.round_minutes is not None:
        event.round_minutes = facts.round_minutes


def create_event(*, club: Club, by: Actor, format: str, facts: EventFacts, once: bool = False) -> Event:
    """Create an event. A competition gets its stages planned from its places. With `once` the event of this name,
    format and game at that time is returned where there is one: the form was sent again.

    Raises StepRefused: a competition without a number of places, a shape that the rules don't know, or a season whose
    other events count the other way."""
    like = facts.like
    with club.locked_transaction():
        rules = facts.game.house_rules or adopt(club=club, rule_set=facts.game.rule_set, by=by)
        _refuse_odd(rules, facts.shape, format=format, places=facts.places)
        same = club.events.filter(name=facts.name, starts_at=facts.starts_at, format=format, rules=rules, called_off="")
        if once and (again := same.order_by("pk").first()):
            return again
        event = Event(club=club, format=format, options=defaults_of(format))
        event.slug, event.fee = free_slug(club, facts.name), like.fee if like else _usual_fee(facts.season)
        if not event.by_rounds:
            event.round_minutes = 0  # the stages of a competition go by games
        _put_down(event, facts, rules=rules)
        refuse_other_way(event)
        event.save()
        if not event.by_rounds:
            _plan_stages(event, facts)
        copied = _copy_plan(event, like, again=facts.again) if like else {}
        refuse_misfits(event, facts.tie_breaks)
        log(club=club, by=by, verb="event.create", subject=event, new={**_logged(event), **copied})
        if usual := _usual_handicap(event, like=like):
            event.handicap = usual
            event.save()
            log(club=club, by=by, verb="event.handicap", subject=event, new=usual)
    return event


def playing_again(event: Event) -> QuerySet[Entry]:
    """The entries of an event who may play in another like it; not who had gone before any draw."""
    seats = Seat.objects.filter(entry=OuterRef("pk"), draw__state=Draw.State.PUBLISHED)
    people = event.entries.filter(stands_in=None, member__erased_at=None).select_related("member")
    return people.exclude(~Exists(seats), state=Entry.State.WITHDRAWN)


def _plan_stages(event: Event, facts: EventFacts) -> None:
    """The stages of a competition: as those of the event it is like, if it is as large; else from its places."""
    if (like := facts.like) is None or (like.places, like.shape) != (event.places, event.shape):
        first = like.stages.first() if like else None
        replan(event, games=first.games if first else facts.games, cut_rule=facts.cut_rule)
        return
    for stage in like.stages.all():
        stage.pk, stage.event = None, event
        stage.save(force_insert=True)


def _copy_plan(event: Event, like: Event, *, again: Collection[int]) -> Mapping[str, Any]:
    """Give a new event the prizes of another and these of its entries. Returns what to log of that.

    People enter with the names that they have now. On a night without fixed sides they are only on the list: they are
    marked as here at the door. Sides stay together, and wishes stay, if everybody in them plays again."""
    if plan := PrizePlan.objects.filter(event=like).first():
        PrizePlan.objects.create(event=event, prizes=plan.prizes, ties=plan.ties, one_each=plan.one_each)
    people = {entry.pk: entry for entry in playing_again(like).filter(pk__in=again)}
    sizes = Counter(like.entries.values_list("team", flat=True))
    sizes.subtract(entry.team for entry in people.values())
    room = 0 if event.single_scores else len(people) if event.places is None else event.places
    copies, taken = {}, set[str]()
    for pk, entry in people.items():
        name = entry.member.name if entry.member else entry.name
        if key(name) in taken:
            continue
        taken.add(key(name))
        whole = event.fixed_sides and event.shape == like.shape and not sizes[entry.team]
        copies[pk] = Entry(
            event=event,
            number=len(taken),
            name=name,
            member=entry.member,
            state=Entry.State.HERE if len(taken) <= room else Entry.State.RESERVE,
            eligible=entry.eligible,
            note=entry.note,
            team=entry.team if whole else None,
            plays_for=entry.plays_for if whole else "",
        )
    Entry.objects.bulk_create(copies.values())
    for wish in like.wishes.all():
        if wish.entry_id in copies and (wish.other_id is None or wish.other_id in copies):
            wish.pk, wish.event, wish.entry = None, event, copies[wish.entry_id]
            wish.other = copies[wish.other_id] if wish.other_id else None
            wish.save(force_insert=True)
    return {"like": like.name, "names": [entry.name for entry in copies.values()]}


def change_event(*, event: Event, by: Actor, facts: EventFacts) -> Event:
    """Change an event. Its address and format stay; the game and its shape while a draw is published; and once one was,
    the tie-breaks, what results, rounds without a seat and walkovers are worth (`tie_breaks` and `sit_out_rules` change
    these then), and the shape of a competition.

    Until then a competition with another number of places or another shape gets its stages planned anew. Raises
    StepRefused: a draw is published and what can't change then would; the result is published; the event gives
    handicaps, and the lowest total wins in its new game; or the other events of the season count the other way."""
    with event_locked(event) as event:
        old, planned_for, counted = _logged(event), (event.places, event.shape), (event.season, event.lowest_wins)
        refuse_finished(event)
        rules = facts.game.house_rules or adopt(club=event.club, rule_set=facts.game.rule_set, by=by)
        if rules != event.rules or facts.shape != event.shape:
            _refuse_begun(event, facts.shape)
        if chosen(facts.tie_breaks) != chosen(event.tie_breaks) and seating_exists(event):
            raise StepRefused(
                _("The event has begun. Change its tie-breaks on their own page, which shows the effect first.")
            )
        worth_changes = any(getattr(event, name) != getattr(facts, name) for name in WORTH)
        if worth_changes and seating_exists(event):
            raise StepRefused(
                _("The event has begun. Change these points on their own page, which shows the effect first.")
            )
        _refuse_odd(rules, facts.shape, format=event.format, places=facts.places)
        if event.handicap:
            refuse_lowest(rules)
        if (event.name, event.starts_at, event.place) != (facts.name, facts.starts_at, facts.place):
            event.revision, event.changed_at = event.revision + 1, timezone.now()  # for calendars
        if localdate(facts.starts_at, event.club.zone) != localdate(event.starts_at, event.club.zone):
            Letter.objects.filter(event=event, kind=Letter.Kind.REMINDER).delete()  # of another day
        _put_down(event, facts, rules=rules)
        if (event.season, event.lowest_wins) != counted:
            refuse_other_way(event)
        event.save()
        if not event.by_rounds and planned_for != (event.places, event.shape) and not seating_exists(event):
            first = event.stages.first()
            replan(event, games=first.games if first else 4)
        if event.tie_breaks != old["tie_breaks"] or event.shape != planned_for[1] or event.result_points:
            refuse_misfits(event, event.tie_breaks)
        log(club=event.club, by=by, verb="event.change", subject=event, old=old, new=_logged(event))
    return event


def go_by_newest_rules(*, event: Event, by: Actor, version: int) -> Event:
    """Let an event that hasn't begun go by the newest version of its house rules, which is to be this `version`. Raises
    StepRefused: there is a newer one still, or a draw or the result of the event is published; or as `change_event` of
    another game."""
    with event_locked(event) as event:
        rules = latest_version(event.club, event.rules.slug)
        if rules is None or rules == event.rules:
            return event
        if rules.version != version:
            raise StepRefused(_("The house rules have a newer version: %(last)d") % {"last": rules.version})
        return change_event(event=event, by=by, facts=replace(facts_of(event), game=_own(rules)))


def _refuse_begun(event: Event, shape: Shape) -> None:
    """Raises StepRefused where an event can't get another game or version any more, nor one of this shape."""
    if is_drawn(event):
        raise StepRefused(
            _("A draw of this event is published, so the game stays as it is. Take the draw back to change the game.")
        )
    if shape != event.shape and not event.by_rounds and seating_exists(event):
        raise StepRefused(_("The stages are drawn for tables of another size. Make a new event for this game."))


def call_off(*, event: Event, by: Actor, reason: str) -> Event:
    """Say that an event doesn't take place, and why. Its names and what was paid stay; calendars show it as cancelled.
    Raises StepRefused: no reason, or a draw or the result of the event is published."""
    reason = reason.strip()
    if not reason:
        raise StepRefused(_("Write in a few words why it is called off: everybody reads it on the event's page."))
    with event_locked(event) as event:
        if event.called_off == reason:
            return event
        if not event.called_off:
            refuse_finished(event)
        if is_drawn(event):
            raise StepRefused(_("A draw of this event is published. Take it back first, then call the event off."))
        _set_called_off(event, reason)
        log(club=event.club, by=by, verb="event.call-off", subject=event, new={"reason": reason})
    return event


def put_on_again(*, event: Event, by: Actor) -> Event:
    """An event that was called off takes place after all. Raises StepRefused: it is the knock-out of a cut, and those
    who go on have another or play the next stage."""
    with event_locked(event) as event:
        if event.called_off:
            if event.from_stage:
                if bracket := bracket_of(event.from_stage.event):
                    raise StepRefused(
                        _("The people who go on are in %(bracket)s instead. Call that off first.")
                        % {"bracket": bracket}
                    )
                refuse_next_stages(event.from_stage)
            old = event.called_off
            _set_called_off(event, "")
            log(club=event.club, by=by, verb="event.put-on", subject=event, old={"reason": old})
    return event


def entered_names(event: Event) -> list[str]:
    return list(event.entries.order_by("number").values_list("name", flat=True))


def remove_event(*, event: Event, by: Actor, seen: str | None = None) -> None:
    """Remove an event that was made by mistake, with its plan and the names that `by` entered; the log keeps both.

    `seen` is the fingerprint of the event's key and the names that a page has shown. Raises StepRefused: as
    `refuse_recorded`, or there are other names than were seen."""
    with event_locked(event) as event:
        refuse_recorded(event, by=by)
        names = entered_names(event)
        if seen is not None and seen != fingerprint((event.pk, names)):
            raise StepRefused(_("The event has changed since you looked. Check again what is removed."))
        log(club=event.club, by=by, verb="event.remove", subject=event, old={**_logged(event), "names": names})
        _games(event).delete()
        event.delete()


def _games(event: Event) -> QuerySet[Game]:
    return Game.objects.filter(group_game__group__table__draw__round__stage__event=event)


def refuse_recorded(event: Event, *, by: Actor) -> None:
    """Raises StepRefused for an event that is more than a plan, names that `by` entered and draws in which nothing was
    played: anything else is recorded of it, or somebody else did anything to it but planning."""
    recorded = (
        is_drawn(event)
        or Deal.objects.filter(game__in=_games(event)).exists()
        or is_pointed_at(Event.objects.filter(pk=event.pk), but=(Entry, Stage, Wish, DrawJob, TableLink, PrizePlan))
        or is_pointed_at(event.stages.all(), but=(Entry, Round))
        or is_pointed_at(event.entries.all(), but=(Seat, SitOut, Wish))
    )
    if recorded:
        raise StepRefused(_("Something has been recorded for this event, so it can't be removed. Call it off instead."))
    done = LogEntry.objects.filter(club=event.club_id, event=event.pk).exclude(verb__startswith="event.")
    if done.exclude(user=by.user).exists():
        raise StepRefused(_("Other people have worked on this event, so it can't be removed. Call it off instead."))


def _set_called_off(event: Event, reason: str) -> None:
    event.called_off = reason
    event.revision, event.changed_at = event.revision + 1, timezone.now()  # for calendars
    event.save(update_fields=["called_off", "revision", "changed_at"])


def refuse_other_way(event: Event) -> None:
    """Check that an event can count in its season: if in all other events the lowest total wins, or in all the highest,
    it has to be so here. A season that is mixed already stays open to both. Raises StepRefused: the other events count
    the other way."""
    season, rules = event.season, event.rules
    others = season.events.exclude(pk=event.pk).select_related("rules") if season else Event.objects.none()
    if {other.lowest_wins for other in others} != {not event.lowest_wins}:
        return
    words = (
        _("In %(season)s the most points win, in %(rules)s the fewest: the two can't be added up.")
        if event.lowest_wins
        else _("In %(season)s the fewest points win, in %(rules)s the most: the two can't be added up.")
    )
    do = _("Choose another season or none, or make a season for these games.")
    raise StepRefused(f"{words % {'season': season, 'rules': rules}} {do}")


def _refuse_odd(rules: HouseRules, shape: Shape, *, format: str, places: int | None) -> None:
    if shape not in rules.rule_set.shapes:
        raise StepRefused(
            _("%(rules)s isn't played by that number of people. Choose the game again.") % {"rules": rules}
        )
    if not fits(format, shape):
        if TRAITS[format].fours:
            raise StepRefused(_("Changing partners need a game of two sides of two. Choose one."))
        raise StepRefused(_("This format needs a game of two sides. Choose one."))
    if TRAITS[format].has_cut and (places is None or places not in PLACES or places < shape.players):
        raise StepRefused(_("Say how many places the competition has, for example 54."))


def _usual_fee(season: Season | None) -> int:
    """The fee of the season's latest event, which its next event takes over until somebody says otherwise."""
    last = season.events.order_by("-starts_at", "-pk").first() if season else None
    return last.fee if last else 0


def _usual_handicap(event: Event, *, like: Event | None) -> dict[str, Any]:
    """The numbers of the handicaps of the event it is `like`, or on the latest night of its season, in the same game;
    empty where none were given."""
    if not event.single_scores or event.rules.lowest_wins:
        return {}
    if like:
        return like.handicap if like.rules.slug == event.rules.slug else {}
    if event.season is None:
        return {}
    others = event.season.events.exclude(pk=event.pk).filter(rules__slug=event.rules.slug)
    last = others.order_by("-starts_at", "-pk").first()
    return last.handicap if last else {}


def free_slug(club: Club, name: str) -> str:
    plain = make_slug(name)[:44] or "event"
    used = set(Event.objects.filter(club=club, slug__startswith=plain).values_list("slug", flat=True)) | RESERVED
    return first_free(plain, used)


def _logged(event: Event) -> Mapping[str, Any]:
    as_they_are = (*FOR_VISITORS, *WORTH, "tie_breaks", "round_minutes", "at_bell", "options")
    return {
        "name": event.name,
        "address": event.slug,  # it stays, whatever the event is called
        "format": event.format,
        "rules": f"{event.rules.slug} v{event.rules.version}",
        "shape": f"{event.sides}x{event.per_side}",
        "starts_at": event.starts_at.isoformat(),
        "season": event.season.name if event.season else None,
        **{name: getattr(event, name) for name in as_they_are},
    }
