"""Handicaps of a club's nights: the numbers they are reckoned by, who has which, and in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from fractions import Fraction

from django.db import transaction
from django.db.models import Q, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member
from clubsite.names import in_order
from scoring.house_rules.actions import newest
from scoring.models import Game, HouseRules
from scoring.templatetags.rule_texts import translated
from tournaments.engine.grouping import grouped
from tournaments.engine.handicap import Handicap, HandicapRule, handicap_of
from tournaments.errors import StepRefused
from tournaments.events.stages import refuse_lowest
from tournaments.events.state import lock_event, refuse_finished
from tournaments.models import ClubHandicap, Draw, Event, Seat
from tournaments.models.draws import GROUP, deals_that_count
from tournaments.templatetags.totals import decimal


def rule_words(rule: HandicapRule) -> str:
    """How handicaps are found."""
    said = _(
        "Handicap: %(percent)d%% of what the average of the newest %(deals)d deals is short of %(scratch)d points, "
        "at most %(most)d a deal; from %(needed)d deals on."
    ) % asdict(rule)
    return f"{said} {_('It is kept secret until the result is published.')}" if rule.secret else said


def handicap_words(handicap: Handicap, rule: HandicapRule) -> str:
    """Why a handicap is what it is."""
    if handicap.code == "handicap.too-few-deals":
        return ngettext(
            "%(n)d deal so far; from %(needed)d on there is a handicap.",
            "%(n)d deals so far; from %(needed)d on there is a handicap.",
            handicap.deals,
        ) % {"n": handicap.deals, "needed": rule.needed}
    average = handicap.average or Fraction(0)
    if handicap.code == "handicap.scratch":
        return _("The average is %(scratch)d or better: no handicap.") % {"scratch": rule.scratch}
    said = _("%(percent)d%% of the %(lacking)s by which the average of %(deals)d deals is short of %(scratch)d.") % {
        "percent": rule.percent,
        "lacking": decimal(rule.scratch - average),
        "deals": handicap.deals,
        "scratch": rule.scratch,
    }
    if handicap.code == "handicap.capped":
        said = f"{said} {_('Held to %(most)d.') % {'most': rule.most}}"
    return said


def best_words(club: Club, game: str) -> str:
    """A sentence that helps to choose a scratch value: the best average; "" while nobody has enough deals."""
    rule = HandicapRule(scratch=0)
    lines = handicap_list(club, game, rule=rule)
    enough = [line for line in lines if line.handicap.average is not None and line.handicap.deals >= rule.needed]
    if not enough:
        return ""
    best = max(enough, key=lambda line: line.handicap.average or Fraction(0))
    return _("The best average of the newest %(deals)d deals is that of %(name)s: %(average)s points a deal.") % {
        "deals": rule.deals,
        "name": best.name,
        "average": decimal(best.handicap.average or Fraction(0)),
    }


@dataclass(frozen=True, slots=True)
class HandicapLine:
    """One member's handicap in a game."""

    member: int
    name: str
    handicap: Handicap


def rule_of(event: Event) -> HandicapRule | None:
    """The numbers from which an event's handicaps are reckoned; None where everybody plays from scratch."""
    return HandicapRule(**event.handicap) if event.handicap else None


def titles_of(club: Club) -> dict[str, str]:
    """The games that the club plays, by title: slug to the title of its newest house rules. One query."""
    newest = dict(HouseRules.objects.filter(club=club).order_by("version").values_list("slug", "title"))
    shown = {slug: translated(title) for slug, title in newest.items()}
    return dict(sorted(shown.items(), key=lambda one: one[1].casefold()))


def chosen_numbers(club: Club) -> dict[str, HandicapRule]:
    """The club's numbers for each game that has any. One query."""
    found = ClubHandicap.objects.filter(club=club).values_list("game", "numbers")
    return {game: HandicapRule(**numbers) for game, numbers in found}


def kept_secret(club: Club, game: str, *, rule: HandicapRule) -> bool:
    """Whether only directors may see a game's list: by the club's numbers, or because of an event whose handicaps
    come with its result and that isn't over. One query at most."""
    events = Event.objects.filter(club=club, rules__slug=game, handicap__secret=True)
    return rule.secret or events.exclude(state=Event.State.FINISHED).exists()


def handicap_list(club: Club, game: str, *, rule: HandicapRule) -> list[HandicapLine]:
    """The handicap of every member who still plays or has a deal of that game, by name. Three queries."""
    points = _newest(club, game, deals=rule.deals)
    members = Member.objects.filter(Q(active=True) | Q(pk__in=points), club=club)
    lines = [HandicapLine(m.pk, m.name, handicap_of(points.get(m.pk, ()), rule)) for m in members]
    return sorted(lines, key=lambda line: in_order(line.name))


def handicaps_of(event: Event, members: Mapping[int, int | None]) -> dict[int, Handicap]:
    """Entry to its handicap in an event, from the member's deals of events that began before it; nothing where the
    event gives none. `members` are entry to member, None for a guest, who has no deals to go by. Two queries at most.
    """
    rule = rule_of(event)
    if rule is None:
        return {}
    known = [member for member in members.values() if member is not None]
    points = _newest(event.club, event.rules.slug, deals=rule.deals, before=event.starts_at, members=known)
    return {entry: handicap_of(points.get(member or 0, ()), rule) for entry, member in members.items()}


def _newest(
    club: Club, game: str, *, deals: int, before: datetime | None = None, members: Sequence[int] | None = None
) -> dict[int, list[int]]:
    """Member to the points of their newest deals that count, oldest first. Two queries.

    The first counts deals night by night, so that the second reads only the nights that hold the newest: the deals
    of years aren't read for the last forty.
    """
    seats = Seat.objects.filter(
        draw__state=Draw.State.PUBLISHED,
        group__games__game__club=club,
        group__games__game__rules__slug=game,
        **({"entry__member__isnull": False} if members is None else {"entry__member__in": members}),
        **({} if before is None else {"draw__round__stage__event__starts_at__lt": before}),
    ).exclude(group__games__game__state=Game.State.NOT_PLAYED)
    nights = (
        seats.values_list("entry__member", "entry__event")
        .annotate(played=Sum("group__games__game__deals_played"))
        .order_by("-entry__event__starts_at", "-entry__event")
    )
    counted: dict[int, int] = defaultdict(int)
    wanted: set[tuple[int, int]] = set()
    for member, event, played in nights:
        if played and counted[member] < deals:
            counted[member] += played
            wanted.add((member, event))
    scored = deals_that_count(
        f"{GROUP}seats__entry__member",
        f"{GROUP}seats__entry__event",
        "points",
        **{
            "version__deal__game__club": club,
            "version__deal__game__rules__slug": game,
            f"{GROUP}seats__entry__member__isnull": False,
            f"{GROUP}seats__entry__event__in": {event for _member, event in wanted},
        },
    )
    own = grouped((member, points) for member, event, points in scored if (member, event) in wanted)
    return {member: points[-deals:] for member, points in own.items()}


def choose_numbers(*, club: Club, game: str, rule: HandicapRule, by: Actor) -> ClubHandicap:
    """Choose the club's numbers for a game. Events that give handicaps already keep theirs.

    Raises:
        StepRefused: the club has no such game, or its lowest total wins.
    """
    with transaction.atomic():
        club.lock()
        rules = newest(club, game)
        if rules is None:
            raise StepRefused(_("The club has no such game."))
        refuse_lowest(rules)
        found = ClubHandicap.objects.filter(club=club, game=game).first() or ClubHandicap(club=club, game=game)
        old, new = found.numbers, asdict(rule)
        if old != new:
            found.numbers = new
            found.save()
            log(club=club, by=by, verb="handicap.numbers", subject=rules.title, old=old, new=new)
    return found


def give_handicaps(*, event: Event, rule: HandicapRule | None, by: Actor) -> Event:
    """Let an event give handicaps by these numbers, or None: everybody plays from scratch.

    Raises:
        StepRefused: the result is published, the format isn't for single players, or the lowest total wins.
    """
    with transaction.atomic():
        event = lock_event(event)
        new = asdict(rule) if rule else {}
        if event.handicap == new:
            return event
        refuse_finished(event)
        if rule is not None:
            if not event.single_scores:
                raise StepRefused(_("Handicaps are for club nights on which everybody scores for themselves."))
            refuse_lowest(event.rules)
        old, event.handicap = event.handicap, new
        event.save()
        log(club=event.club, by=by, verb="event.handicap", subject=event, old=old or None, new=new or None)
    return event
