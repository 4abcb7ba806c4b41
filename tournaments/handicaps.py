"""Handicaps: a club's numbers for each of its games, every member's handicap and why, and nights that give them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from fractions import Fraction
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _now, gettext_lazy as _, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member
from clubsite.accounts.roles import club_page, is_director, public, request_actor
from clubsite.names import name_sort_key
from scoring.form_parts import NumberField, YesNoField
from scoring.house_rules.actions import latest_version
from scoring.models import Game, HouseRules
from scoring.templatetags.rule_texts import translated
from tournaments.engine.handicap import Handicap, HandicapRule, compute_handicap, propose_rule
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.stages import refuse_lowest
from tournaments.events.state import event_locked, refuse_finished
from tournaments.models import GROUP, ClubHandicap, Draw, Event, Seat, deals_that_count
from tournaments.requests import night_page, show_refusals, show_refusals_on
from tournaments.templatetags.event_tags import decimal


def describe_rule(rule: HandicapRule) -> str:
    sentence = _now(
        "Handicap: %(percent)d%% of the gap between the average of the newest %(deals)d deals and %(scratch)d points, "
        "at most %(most)d a deal, after %(needed)d deals."
    ) % asdict(rule)
    return f"{sentence} {_now('It is secret until the result is published.')}" if rule.secret else sentence


def describe_handicap(handicap: Handicap, rule: HandicapRule) -> str:
    if handicap.code == "handicap.too-few-deals":
        return ngettext(
            "%(n)d deal so far; from %(needed)d on there is a handicap.",
            "%(n)d deals so far; from %(needed)d on there is a handicap.",
            handicap.deals,
        ) % {"n": handicap.deals, "needed": rule.needed}
    average = handicap.average or Fraction(0)
    if handicap.code == "handicap.scratch":
        return _now("The average is %(scratch)d or better: no handicap.") % {"scratch": rule.scratch}
    sentence = _now(
        "%(percent)d%% of the %(lacking)s by which the average of %(deals)d deals is short of %(scratch)d."
    ) % {
        "percent": rule.percent,
        "lacking": decimal(rule.scratch - average),
        "deals": handicap.deals,
        "scratch": rule.scratch,
    }
    if handicap.code == "handicap.capped":
        sentence = f"{sentence} {_now('Limited to %(most)d.') % {'most': rule.most}}"
    return sentence


def propose_numbers(club: Club, game: str, *, rule: HandicapRule) -> dict[str, Any] | None:
    """Numbers proposed from the averages (`rule`), and what everybody would get (`lines`). Percentage, deals that count
    and deals needed are those of `rule`. None while fewer than two members have enough deals. Three queries."""
    points = newest_points(club, game, deals=rule.deals)
    playing = Member.objects.filter(club=club, active=True, pk__in=points)
    proposed = propose_rule((compute_handicap(points[member.pk], rule) for member in playing), rule)
    if proposed is None:
        return None
    everybody = [(member, compute_handicap(points[member.pk], proposed)) for member in playing]
    lines = [line for line in everybody if line[1].deals >= rule.needed]
    return {"rule": proposed, "lines": sorted(lines, key=lambda line: (line[1].points, line[0].by_name))}


def event_rule(event: Event) -> HandicapRule | None:
    return HandicapRule(**event.handicap) if event.handicap else None


def game_titles(club: Club) -> dict[str, str]:
    titles = dict(HouseRules.objects.filter(club=club).order_by("version").values_list("slug", "title"))
    shown = {slug: translated(title) for slug, title in titles.items()}
    return dict(sorted(shown.items(), key=lambda item: item[1].casefold()))


def club_numbers(club: Club) -> dict[str, HandicapRule]:
    chosen = ClubHandicap.objects.filter(club=club).values_list("game", "numbers")
    return {game: HandicapRule(**numbers) for game, numbers in chosen}


def is_secret(club: Club, game: str, *, rule: HandicapRule) -> bool:
    """Whether only directors may see a game's list: the club's numbers say so, or an event is still open whose
    handicaps are published with its result. One query at most."""
    events = Event.objects.filter(club=club, rules__slug=game, handicap__secret=True)
    return rule.secret or events.exclude(state=Event.State.FINISHED).exists()


def handicap_list(club: Club, game: str, *, rule: HandicapRule) -> list[tuple[Member, Handicap]]:
    points = newest_points(club, game, deals=rule.deals)
    members = Member.objects.filter(Q(active=True) | Q(pk__in=points), club=club)
    lines = [(member, compute_handicap(points.get(member.pk, ()), rule)) for member in members]
    return sorted(lines, key=lambda line: name_sort_key(line[0].name))


def event_handicaps(event: Event, members: Mapping[int, int | None]) -> dict[int, Handicap]:
    """Entry to its handicap, from the member's deals in earlier events; {} if the event gives none. `members` maps
    entry to member, None for a guest, who has no deals. Two queries at most."""
    rule = event_rule(event)
    if rule is None:
        return {}
    known_members = [member for member in members.values() if member is not None]
    points = newest_points(
        event.club, event.rules.slug, deals=rule.deals, before=event.starts_at, members=known_members
    )
    return {entry: compute_handicap(points.get(member or 0, ()), rule) for entry, member in members.items()}


def newest_points(
    club: Club, game: str, *, deals: int, before: datetime | None = None, members: Sequence[int] | None = None
) -> dict[int, list[int]]:
    """Member to the points of their newest counted deals, oldest first. Two queries.

    The first counts deals night by night, so that the second reads only the nights with the newest deals."""
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
    newest_nights: set[tuple[int, int]] = set()
    for member, event, played in nights:
        if played and counted[member] < deals:
            counted[member] += played
            newest_nights.add((member, event))
    scored = deals_that_count(
        f"{GROUP}seats__entry__member",
        f"{GROUP}seats__entry__event",
        "points",
        of={
            "version__deal__game__club": club,
            "version__deal__game__rules__slug": game,
            f"{GROUP}seats__entry__member__isnull": False,
            f"{GROUP}seats__entry__event__in": {event for _member, event in newest_nights},
        },
    )
    by_member = grouped((member, points) for member, event, points in scored if (member, event) in newest_nights)
    return {member: points[-deals:] for member, points in by_member.items()}


def choose_numbers(*, club: Club, game: str, rule: HandicapRule, by: Actor) -> ClubHandicap:
    """Set the club's numbers for a game. Events that already give handicaps keep theirs. Raises StepRefused: the club
    doesn't have that game, or its lowest total wins."""
    with club.locked_transaction():
        rules = latest_version(club, game)
        if rules is None:
            raise StepRefused(_now("The club doesn't have that game."))
        refuse_lowest(rules)
        handicap = ClubHandicap.objects.filter(club=club, game=game).first() or ClubHandicap(club=club, game=game)
        old, new = handicap.numbers, asdict(rule)
        if old != new:
            handicap.numbers = new
            handicap.save()
            log(club=club, by=by, verb="handicap.numbers", subject=rules.title, old=old, new=new)
    return handicap


def give_handicaps(*, event: Event, rule: HandicapRule | None, by: Actor) -> Event:
    """Set an event's handicap numbers; None for no handicaps. Raises StepRefused: the result is published, the format
    isn't for single players, or the lowest total wins."""
    with event_locked(event) as event:
        new = asdict(rule) if rule else {}
        if event.handicap == new:
            return event
        refuse_finished(event)
        if rule is not None:
            if not event.single_scores:
                raise StepRefused(_now("Handicaps are for club nights on which everybody scores for themselves."))
            refuse_lowest(event.rules)
        old, event.handicap = event.handicap, new
        event.save()
        log(club=event.club, by=by, verb="event.handicap", subject=event, old=old or None, new=new or None)
    return event


MOST_POINTS = 10_000  # a deal
MOST_DEALS = 500
DEFAULT_RULE = HandicapRule(scratch=0)  # where the club has chosen nothing yet; it must choose the scratch value itself


def _number(label: Any, least: int, *, most: int, help_text: Any = "") -> forms.IntegerField:
    return NumberField(label=label, min_value=least, max_value=most, help_text=help_text)


class ClubHandicapForm(forms.Form):
    scratch = _number(
        _("Scratch value"),
        1,
        most=MOST_POINTS,
        help_text=_("Points a deal. People with this average or a better one get nothing."),
    )
    percent = _number(
        _("Percent of the difference"),
        0,
        most=100,
        help_text=_("Of the gap between an average and the scratch value."),
    )
    most = _number(_("Points a deal at most"), 0, most=MOST_POINTS)
    deals = _number(_("Deals that count"), 1, most=MOST_DEALS, help_text=_("Counted from the newest back."))
    needed = _number(_("Deals needed"), 1, most=MOST_DEALS, help_text=_("With fewer there is no handicap yet."))
    secret = YesNoField(
        label=_("Secret until the result is published"),
        choices=[("no", _("no")), ("yes", _("yes"))],
        help_text=_("Then only directors see the list, and a night's handicaps come with its result."),
    )

    def __init__(self, *args: Any, rule: HandicapRule | None, **kwargs: Any) -> None:
        kwargs["initial"] = asdict(rule or DEFAULT_RULE)
        if rule is None:
            del kwargs["initial"]["scratch"]
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if (cleaned.get("needed") or 0) > (cleaned.get("deals") or MOST_DEALS):
            self.add_error(
                "needed", _("That is more than the deals that count. Write a smaller number, or let more deals count.")
            )
        return cleaned

    def rule(self) -> HandicapRule:
        return HandicapRule(**self.cleaned_data)


@public
def handicaps(request: HttpRequest, club: Club) -> HttpResponse:
    titles, chosen = game_titles(club), club_numbers(club)
    context = {
        "with_numbers": [
            (game, title, describe_rule(chosen[game])) for game, title in titles.items() if game in chosen
        ],
        "without": [(game, title) for game, title in titles.items() if game not in chosen],
    }
    return render(request, "tournaments/handicaps/handicaps.html", context)


@public
def handicap_page(request: HttpRequest, club: Club, *, game: str) -> HttpResponse:
    title, rule = game_titles(club).get(game), club_numbers(club).get(game)
    if title is None or rule is None:
        raise Http404
    secret = is_secret(club, game, rule=rule)
    shown = not secret or is_director(request, club)
    context = {"game": game, "title": title, "rule": describe_rule(rule), "secret": secret, "shown": shown}
    if shown:
        lines = handicap_list(club, game, rule=rule)
        context["lines"] = [(member, handicap, describe_handicap(handicap, rule)) for member, handicap in lines]
    return render(request, "tournaments/handicaps/handicap_list.html", context)


def _initial_numbers(
    request: HttpRequest, chosen: HandicapRule | None, *, proposal: dict[str, Any] | None
) -> HandicapRule | None:
    """The numbers in the form at first: the proposal if it was accepted or no numbers are chosen, else those chosen."""
    return proposal["rule"] if proposal and (chosen is None or "proposed" in request.GET) else chosen


@club_page
def numbers(request: HttpRequest, club: Club, *, game: str) -> HttpResponse:
    title, chosen = game_titles(club).get(game), club_numbers(club).get(game)
    if title is None:
        raise Http404
    proposal = propose_numbers(club, game, rule=chosen or DEFAULT_RULE)
    form = ClubHandicapForm(request.POST or None, rule=_initial_numbers(request, chosen, proposal=proposal))
    if request.method == "POST" and form.is_valid():
        with show_refusals_on(form):
            choose_numbers(club=club, game=game, rule=form.rule(), by=request_actor(request))
            messages.success(request, _now("Saved. Nights that already give handicaps keep their numbers."))
            return redirect("handicap_list", club.slug, game)
    leave = reverse("handicap_list", args=[club.slug, game]) if chosen else reverse("handicaps", args=[club.slug])
    context = {"form": form, "title": title, "proposal": proposal, "leave": leave}
    return render(request, "tournaments/handicaps/handicap_numbers.html", context)


@night_page
def event_handicap(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    if event.fixed_sides:
        raise Http404
    step = request.POST.get("step", "")
    current = event_rule(event)
    start = current or club_numbers(club).get(event.rules.slug)
    finished, proposal = event.state == Event.State.FINISHED, None
    if not finished:
        proposal = propose_numbers(club, event.rules.slug, rule=start or DEFAULT_RULE)
    form = ClubHandicapForm(
        request.POST if step == "give" else None, rule=_initial_numbers(request, start, proposal=proposal)
    )
    if step == "scratch" or (step == "give" and form.is_valid()):
        rule = form.rule() if step == "give" else None
        with show_refusals(request):
            give_handicaps(event=event, rule=rule, by=request_actor(request))
            words = _now("Saved. The standings with handicap are below the others.") if rule else _now("Saved.")
            messages.success(request, words)
            return redirect("desk_event", club.slug, event.slug)
    context = {
        "event": event,
        "form": form,
        "now": describe_rule(current) if current else "",
        "finished": finished,
        "proposal": proposal,
    }
    return render(request, "tournaments/handicaps/event_handicap.html", context)
