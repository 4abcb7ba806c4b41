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
from scoring.pasted_names import name_key
from scoring.wording import offer_order
from tournaments.engine.formats import TRAITS
from tournaments.errors import StepRefused
from tournaments.events.stages import default_options, fits, refuse_lowest, replan_stages
from tournaments.events.state import (
    event_locked,
    following_bracket,
    is_drawn,
    is_referenced,
    refuse_finished,
    refuse_next_stages,
    was_ever_drawn,
)
from tournaments.events.words import chosen_tie_breaks, refuse_misfits
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
    """A rule set that an event can be played by: the club's newest version, or a shipped one it hasn't adopted."""

    slug: str
    rule_set: RuleSet
    house_rules: HouseRules | None


def available_games(club: Club, *, current: HouseRules | None = None) -> list[GameChoice]:
    """What the club can play: its own rules by title, then shipped ones by kind of game and title; the newest version
    of each, but of an event's game its `current` one."""
    games = {current.slug: _club_game(current)} if current else {}
    for rules in HouseRules.objects.filter(club=club).order_by("slug", "-version"):
        games.setdefault(rules.slug, _club_game(rules))
    others = [GameChoice(slug, rule_set, None) for slug, rule_set in shipped().items() if slug not in games]
    return sorted(games.values(), key=lambda g: g.rule_set.title) + sorted(
        others, key=lambda g: offer_order(g.rule_set)
    )


def _club_game(rules: HouseRules) -> GameChoice:
    return GameChoice(rules.slug, rules.rule_set, rules)


@dataclass(frozen=True, slots=True)
class EventFacts:
    """What a director enters about an event. Choosing a shipped rule set makes it the club's.

    For a competition, `games` (in a set, at most) and `cut_rule` ("": the usual one for the game) only plan its stages;
    a change of the event ignores them.

    A new event `like` another of its club and format gets that event's stages, fee, handicaps and prizes, and its
    entries with keys in `again`, with their sides and wishes."""

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


WORTH_FIELDS = ("sit_out_rule", "missing_rule", "walkover_points", "result_points")
"""What an event says of rounds without a seat, matches that aren't played, and results."""
VISITOR_FIELDS = ("place", "map_link", "details", "places", "sign_up", "sign_up_names")
"""What an event says to those who may come. A night in a season begins with what the one before said."""
PLAIN_FIELDS = ("name", "starts_at", "season", *VISITOR_FIELDS, *WORTH_FIELDS, "at_bell")
"""What an event keeps of its facts as it is said."""


def event_facts(event: Event) -> EventFacts:
    names = (*PLAIN_FIELDS, "shape", "tie_breaks", "round_minutes", "options")
    return EventFacts(game=_club_game(event.rules), **{name: getattr(event, name) for name in names})


def _write_facts(event: Event, facts: EventFacts, *, rules: HouseRules) -> None:
    """Set an event's fields without saving it. Minutes and options that aren't given stay."""
    for name in PLAIN_FIELDS:
        setattr(event, name, getattr(facts, name))
    event.rules, event.sides, event.per_side = rules, facts.shape.sides, facts.shape.per_side
    event.tie_breaks, event.options = list(facts.tie_breaks), {**event.options, **facts.options}
    if facts.round_minutes is not None:
        event.round_minutes = facts.round_minutes


def create_event(*, club: Club, by: Actor, format: str, facts: EventFacts, once: bool = False) -> Event:
    """Create an event; a competition's stages are planned from its places. With `once`, an event of this name, format,
    game and time is returned if there is one, as the form was sent twice.

    Raises StepRefused: a competition without a number of places, a shape that the rules don't allow, or a season whose
    other events count the other way (lowest or highest total wins)."""
    like = facts.like
    with club.locked_transaction():
        rules = facts.game.house_rules or adopt(club=club, rule_set=facts.game.rule_set, by=by)
        _refuse_unplayable(rules, facts.shape, format=format, places=facts.places)
        same = club.events.filter(name=facts.name, starts_at=facts.starts_at, format=format, rules=rules, called_off="")
        if once and (again := same.order_by("pk").first()):
            return again
        event = Event(club=club, format=format, options=default_options(format))
        event.slug, event.fee = free_slug(club, facts.name), like.fee if like else _usual_fee(facts.season)
        if not event.by_rounds:
            event.round_minutes = 0  # the stages of a competition go by games
        _write_facts(event, facts, rules=rules)
        refuse_mixed_season(event)
        event.save()
        if not event.by_rounds:
            _plan_stages(event, facts)
        copied = _copy_prizes_and_entries(event, like, again=facts.again) if like else {}
        refuse_misfits(event, facts.tie_breaks)
        log(club=club, by=by, verb="event.create", subject=event, new={**_log_data(event), **copied})
        if usual := _usual_handicap(event, like=like):
            event.handicap = usual
            event.save()
            log(club=club, by=by, verb="event.handicap", subject=event, new=usual)
    return event


def returning_entries(event: Event) -> QuerySet[Entry]:
    """The entries of an event that may play again in one like it: not those who left before any draw."""
    seats = Seat.objects.filter(entry=OuterRef("pk"), draw__state=Draw.State.PUBLISHED)
    people = event.entries.filter(stands_in=None, member__erased_at=None).select_related("member")
    return people.exclude(~Exists(seats), state=Entry.State.WITHDRAWN)


def _plan_stages(event: Event, facts: EventFacts) -> None:
    """Copy the stages of the event it is like, if that is as large; else plan them from its places."""
    if (like := facts.like) is None or (like.places, like.shape) != (event.places, event.shape):
        first = like.stages.first() if like else None
        replan_stages(event, games=first.games if first else facts.games, cut_rule=facts.cut_rule)
        return
    for stage in like.stages.all():
        stage.pk, stage.event = None, event
        stage.save(force_insert=True)


def _copy_prizes_and_entries(event: Event, like: Event, *, again: Collection[int]) -> Mapping[str, Any]:
    """Copy the prizes of another event and those of its entries in `again`. Returns what to log.

    People enter with their present names. On a night without fixed sides they only go on the list, and are marked as
    here at the door. Sides and wishes are copied if everybody in them plays again."""
    if plan := PrizePlan.objects.filter(event=like).first():
        PrizePlan.objects.create(event=event, prizes=plan.prizes, ties=plan.ties, one_each=plan.one_each)
    people = {entry.pk: entry for entry in returning_entries(like).filter(pk__in=again)}
    sizes = Counter(like.entries.values_list("team", flat=True))
    sizes.subtract(entry.team for entry in people.values())
    room = 0 if event.single_scores else len(people) if event.places is None else event.places
    copies, taken = {}, set[str]()
    for pk, entry in people.items():
        name = entry.member.name if entry.member else entry.name
        if name_key(name) in taken:
            continue
        taken.add(name_key(name))
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
    """Change an event. Its address and format never change. While a draw is published, its game and shape don't; once
    one was, neither do a competition's shape, the tie-breaks, nor the worth of results, walkovers and rounds without a
    seat (which `tournaments.rulings` changes then).

    Until then, a competition with another number of places or shape gets its stages planned anew. Raises StepRefused:
    one of these would change; the result is published; the event gives handicaps, and the lowest total wins in its new
    game; or the season's other events count the other way."""
    with event_locked(event) as event:
        old, planned_for, counted = _log_data(event), (event.places, event.shape), (event.season, event.lowest_wins)
        refuse_finished(event)
        rules = facts.game.house_rules or adopt(club=event.club, rule_set=facts.game.rule_set, by=by)
        if rules != event.rules or facts.shape != event.shape:
            _refuse_begun(event, facts.shape)
        if chosen_tie_breaks(facts.tie_breaks) != chosen_tie_breaks(event.tie_breaks) and was_ever_drawn(event):
            raise StepRefused(
                _("The event has begun. Change its tie-breaks on their own page, which shows the effect first.")
            )
        worth_changes = any(getattr(event, name) != getattr(facts, name) for name in WORTH_FIELDS)
        if worth_changes and was_ever_drawn(event):
            raise StepRefused(
                _("The event has begun. Change these points on their own page, which shows the effect first.")
            )
        _refuse_unplayable(rules, facts.shape, format=event.format, places=facts.places)
        if event.handicap:
            refuse_lowest(rules)
        if (event.name, event.starts_at, event.place) != (facts.name, facts.starts_at, facts.place):
            event.revision, event.changed_at = event.revision + 1, timezone.now()  # for calendars
        if localdate(facts.starts_at, event.club.zone) != localdate(event.starts_at, event.club.zone):
            Letter.objects.filter(event=event, kind=Letter.Kind.REMINDER).delete()  # of another day
        _write_facts(event, facts, rules=rules)
        if (event.season, event.lowest_wins) != counted:
            refuse_mixed_season(event)
        event.save()
        if not event.by_rounds and planned_for != (event.places, event.shape) and not was_ever_drawn(event):
            first = event.stages.first()
            replan_stages(event, games=first.games if first else 4)
        if event.tie_breaks != old["tie_breaks"] or event.shape != planned_for[1] or event.result_points:
            refuse_misfits(event, event.tie_breaks)
        log(club=event.club, by=by, verb="event.change", subject=event, old=old, new=_log_data(event))
    return event


def update_rules(*, event: Event, by: Actor, version: int) -> Event:
    """Have an event that hasn't begun use the newest version of its house rules. Raises StepRefused: that isn't
    `version`, a draw or the result is published, or as `change_event`."""
    with event_locked(event) as event:
        rules = latest_version(event.club, event.rules.slug)
        if rules is None or rules == event.rules:
            return event
        if rules.version != version:
            raise StepRefused(_("The house rules have a newer version: %(last)d") % {"last": rules.version})
        return change_event(event=event, by=by, facts=replace(event_facts(event), game=_club_game(rules)))


def _refuse_begun(event: Event, shape: Shape) -> None:
    """Raises StepRefused if the event can't get another game or version, or this shape, any more."""
    if is_drawn(event):
        raise StepRefused(
            _("A draw of this event is published, so the game stays as it is. Take the draw back to change the game.")
        )
    if shape != event.shape and not event.by_rounds and was_ever_drawn(event):
        raise StepRefused(_("The stages are drawn for tables of another size. Make a new event for this game."))


def call_off(*, event: Event, by: Actor, reason: str) -> Event:
    """Call an event off. Its names and payments stay; calendars show it as cancelled. Raises StepRefused: there is no
    reason, or a draw or the result is published."""
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


def reinstate(*, event: Event, by: Actor) -> Event:
    """Undo calling an event off. Raises StepRefused: it is the knock-out of a cut, and its people play another one or
    the next stage instead."""
    with event_locked(event) as event:
        if event.called_off:
            if event.from_stage:
                if bracket := following_bracket(event.from_stage.event):
                    words = _("The people who go on are in %(bracket)s instead. Call that off first.")
                    raise StepRefused(words % {"bracket": bracket})
                refuse_next_stages(event.from_stage)
            old = event.called_off
            _set_called_off(event, "")
            log(club=event.club, by=by, verb="event.put-on", subject=event, old={"reason": old})
    return event


def entry_names(event: Event) -> list[str]:
    return list(event.entries.order_by("number").values_list("name", flat=True))


def remove_event(*, event: Event, by: Actor, seen: str | None = None) -> None:
    """Remove an event made by mistake, with its plan and the names that `by` entered; the log keeps both.

    `seen` is the fingerprint of the event's key and names that a page has shown. Raises StepRefused: as
    `refuse_recorded`, or the names have changed."""
    with event_locked(event) as event:
        refuse_recorded(event, by=by)
        names = entry_names(event)
        if seen is not None and seen != fingerprint((event.pk, names)):
            raise StepRefused(_("The event has changed since you looked. Check again what is removed."))
        log(club=event.club, by=by, verb="event.remove", subject=event, old={**_log_data(event), "names": names})
        _event_games(event).delete()
        event.delete()


def _event_games(event: Event) -> QuerySet[Game]:
    return Game.objects.filter(group_game__group__table__draw__round__stage__event=event)


def refuse_recorded(event: Event, *, by: Actor) -> None:
    """Raises StepRefused unless the event has only its plan, names that `by` entered and draws without a deal, and
    nobody else did anything but planning."""
    recorded = (
        is_drawn(event)
        or Deal.objects.filter(game__in=_event_games(event)).exists()
        or is_referenced(Event.objects.filter(pk=event.pk), but=(Entry, Stage, Wish, DrawJob, TableLink, PrizePlan))
        or is_referenced(event.stages.all(), but=(Entry, Round))
        or is_referenced(event.entries.all(), but=(Seat, SitOut, Wish))
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


def refuse_mixed_season(event: Event) -> None:
    """Raises StepRefused if the lowest total wins in this event and the highest in all others of its season, or the
    other way round. A season that is already mixed takes both."""
    season, rules = event.season, event.rules
    others = season.events.exclude(pk=event.pk).select_related("rules") if season else Event.objects.none()
    if {other.lowest_wins for other in others} != {not event.lowest_wins}:
        return
    words = _("In %(season)s the fewest points win, in %(rules)s the most: the two can't be added up.")
    if event.lowest_wins:
        words = _("In %(season)s the most points win, in %(rules)s the fewest: the two can't be added up.")
    do = _("Choose another season or none, or make a season for these games.")
    raise StepRefused(f"{words % {'season': season, 'rules': rules}} {do}")


def _refuse_unplayable(rules: HouseRules, shape: Shape, *, format: str, places: int | None) -> None:
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
    last = season.events.order_by("-starts_at", "-pk").first() if season else None
    return last.fee if last else 0


def _usual_handicap(event: Event, *, like: Event | None) -> dict[str, Any]:
    """The handicap numbers of the event it is `like`, or of the season's latest night of the same game; {} if there are
    none."""
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


def _log_data(event: Event) -> Mapping[str, Any]:
    as_they_are = (*VISITOR_FIELDS, *WORTH_FIELDS, "tie_breaks", "round_minutes", "at_bell", "options")
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
