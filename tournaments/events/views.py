"""Pages on which events are made, changed, called off and removed."""

import re
from datetime import date, datetime, time, timedelta
from itertools import chain
from typing import Any

import django_tables2 as tables
from django.contrib import messages
from django.db import transaction
from django.db.models import Min, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dates import MONTHS, MONTHS_3, MONTHS_AP
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy, override
from django_tables2.utils import Accessor as A

from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page, request_actor
from clubsite.previews import fingerprint
from scoring.models import LONGEST_REASON, HouseRules
from scoring.templatetags.rule_texts import translated
from scoring.wording import join_names
from tournaments.engine.formats import TRAITS
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.actions import (
    call_off,
    change_event,
    create_event,
    entry_names,
    refuse_recorded,
    reinstate,
    remove_event,
    update_rules,
)
from tournaments.events.forms import EventForm, StageForm, event_initial, preset_values, variant_initial
from tournaments.events.stages import StageFacts, change_stage
from tournaments.events.state import published_cut, published_draws
from tournaments.events.words import ABOUT, VARIANTS, game_variants
from tournaments.models import Event, Season
from tournaments.requests import (
    event_page,
    get_event,
    show_refusals,
    show_refusals_on,
    whole_number,
    whole_number_or_none,
)
from tournaments.tables import ScoreTable

WEEK = timedelta(days=7)
USUAL_TIME = time(19, 0)
COPIES = 5  # events that are offered to be copied
FAR = 2  # one target is this many times the other: a night by the lower can't be level with one by the higher
_NUMBERED = re.compile(r"^(.*?)(\d{1,4})$")


def last_night(season: Season) -> Event | None:
    """The latest event of a season that goes round by round. One query."""
    nights = [event for event in season.events.select_related("rules").order_by("-starts_at", "-pk") if event.by_rounds]
    return nights[0] if nights else None


def next_night_initial(season: Season, last: Event | None) -> dict[str, Any]:
    """Initial values of the form for a season's next night: a week later at the same local time, also when the clocks
    have changed in between."""
    if last is None:
        starts = datetime.combine(season.starts, USUAL_TIME)
        return {"season": season, "name": _("%(season)s, night 1") % {"season": season}, "starts_at": starts}
    return copy_initial(last) | {"season": season}


def copy_initial(event: Event, *, now: datetime | None = None) -> dict[str, Any]:
    """Initial values of the form for an event like this one: a week later, or so many weeks that it isn't before
    `now`."""
    before = event.starts_at.astimezone(event.club.zone).replace(tzinfo=None)
    weeks = max(1, (now - event.starts_at) // WEEK + 1) if now else 1
    name = next_name(event.name, before.date(), later=weeks * WEEK)
    sign_up = event.sign_up and Event.SignUps.OPEN
    return event_initial(event) | {"name": name, "starts_at": before + weeks * WEEK, "sign_up": sign_up}


def next_name(name: str, day: date, *, later: timedelta = WEEK) -> str:
    """The name of the night that is `later` than `day`: a date in it is moved, else a number at its end goes up.

    >>> last = date(2030, 12, 28)
    >>> next_name("Pinochle night 9", last), next_name("Friday", last), next_name("Card party Dec 28", last)
    ('Pinochle night 10', 'Friday', 'Card party Jan 4')
    >>> next_name("Cards, 28 December 2030", last), next_name("Cards 28.12.", last)
    ('Cards, 4 January 2031', 'Cards 4.1.')
    """
    for before, after in zip(_written_dates(day), _written_dates(day + later), strict=True):
        match = re.search(rf"(?<!\w){re.escape(before)}(?!\w)", name)
        if match:
            rest = re.sub(rf"\b{day.year}\b", str((day + later).year), name[match.end() :])
            return f"{name[: match.start()]}{after}{rest}"
    numbered = _NUMBERED.match(name)
    return f"{numbered[1]}{int(numbered[2]) + 1}" if numbered else name


def _written_dates(day: date) -> list[str]:
    """A day in the ways in which people write it into a name, the longest first."""
    n, month = day.day, day.month
    styles = (MONTHS, MONTHS_AP, MONTHS_3)
    local_names = [str(names[month]) for names in styles]
    with override("en"):
        english = [str(names[month]) for names in styles]
    names = [form for name in local_names + english for form in (name.lower(), name.capitalize())]
    written = [way for name in names for way in (f"{name} {n}", f"{n} {name}", f"{n}. {name}", f"{n} de {name}")]
    return [day.isoformat(), *written, f"{month}/{n}", f"{n}/{month}", f"{n}.{month}."]


def mismatched_games(season: Season) -> tuple[str, ...]:
    """The games of a season that adds points up, if they are of different families or their targets are far apart; else
    nothing. Planned nights count. One query."""
    if season.rule.get("place_points"):
        return ()
    played = (
        HouseRules.objects.filter(events__season=season, events__called_off="")
        .annotate(first=Min("events__starts_at"))
        .order_by("first", "pk")
    )
    families = {rules.rule_set.family for rules in played}
    targets = [int(str(value)) for rules in played if (value := rules.rule_set.values["target"]) is not None]
    far = bool(targets) and max(targets) >= FAR * min(targets)
    return tuple(dict.fromkeys(rules.title for rules in played)) if far or len(families) > 1 else ()


def scale_warning(season: Season) -> SafeString:
    """ "" if there is no need. The warning has a link to the season's rule."""
    games = mismatched_games(season)
    words = _("Points of %(games)s count together in %(season)s, so the game with the highest scores decides.")
    ways = {event.points_by_result is None for event in season.events.filter(called_off="")}
    if len(ways) > 1 and not games and not season.rule.get("place_points"):
        words = _("Some nights of %(season)s add up points scored, others points for results.")
    elif not games:
        return SafeString("")
    return format_html(
        '{} <a href="{}#id_place_points">{}</a>',
        words % {"games": join_names(games), "season": season},
        reverse("season_rule", args=[season.club.slug, season.pk]),
        _("Give points for places instead"),
    )


def warn_of_scale(request: HttpRequest, season: Season | None) -> None:
    """Show the scale warning after a night was put in a season."""
    if season and (words := scale_warning(season)):
        messages.warning(request, words)


class EventsTable(ScoreTable):
    starts_at = tables.DateTimeColumn(
        verbose_name=gettext_lazy("Date"), format="SHORT_DATETIME_FORMAT", attrs={"td": {"class": "text-nowrap"}}
    )
    name = tables.Column(verbose_name=gettext_lazy("Event"), linkify=("event", [A("club__slug"), A("slug")]))
    rules = tables.Column(verbose_name=gettext_lazy("Game"), order_by=("rules__title",))
    place = tables.Column(verbose_name=gettext_lazy("Where"), default="")
    season = tables.Column(verbose_name=gettext_lazy("Season"), order_by=("season__name",), default="")
    state = tables.Column(verbose_name=gettext_lazy("State"))

    class Meta(ScoreTable.Meta):
        attrs = {"class": "score-table folds"}
        empty_text = gettext_lazy("No event yet.")

    def render_rules(self, record: Event) -> str:
        return translated(record.rules.title)

    def render_state(self, record: Event) -> SafeString:
        mark = {"running": "playing", "planned": "waiting", "finished": "over"}[record.state]
        return format_html('<span class="state state-{}">{}</span>', mark, record.get_state_display())


def events_table(request: HttpRequest, events: QuerySet[Event]) -> EventsTable:
    table = EventsTable(events.select_related("club", "rules", "season"))
    tables.RequestConfig(request, paginate={"per_page": 25}).configure(table)
    return table


@club_page
def new(request: HttpRequest, club: Club) -> HttpResponse:
    """Plan an event: choose a format, then fill in its form. `?season=` proposes that season's next night, `?like=` a
    copy of an event, `?variant=` one of `VARIANTS`."""
    season, proposed = _requested_season(request, club), {}
    format = request.GET.get("format", "")
    like = get_event(club, request.GET["like"]) if "like" in request.GET else None
    key = request.GET.get("variant", "")
    variant = VARIANTS.get(key)
    slugs = HouseRules.objects.filter(club=club).order_by("slug").values_list("slug", flat=True).distinct()
    if like:
        format, proposed = like.format, copy_initial(like, now=timezone.now())
    if variant:
        format, proposed = variant[0], variant_initial(key)
        if club_game := next((slug for slug in slugs if key in game_variants(slug)), ""):
            proposed["game"] = f"{club_game}:{proposed['game'].partition(':')[2]}"
    if season is not None:
        last = last_night(season)
        format = format or (last.format if last else Event.Format.ROTATION)
        proposed = next_night_initial(season, last if last and last.format == format else None)
    if format not in Event.Format.values:
        offered = [(slug, Event.Format(slug).label, about, _variant_names(slug)) for slug, about in ABOUT.items()]
        by_heading = grouped((_heading_number(choice[0]), choice) for choice in offered)
        titles = (_("For individuals"), _("For pairs and teams"), _("Knock-outs of pairs and teams"))
        context = {
            "groups": [(title, by_heading[n]) for n, title in enumerate(titles)],
            "copies": club.events.filter(called_off="")[:COPIES],
            "nights": [
                (key, *VARIANTS[key][2:]) for key in dict.fromkeys(chain.from_iterable(map(game_variants, slugs)))
            ],
        }
        return render(request, "tournaments/events/event_new.html", context)
    initial = proposed | preset_values(request.GET.dict())
    form = EventForm(request.POST or None, club=club, format=format, like=like, initial=initial)
    if request.method == "POST" and form.is_valid():
        with show_refusals_on(form):
            event = create_event(club=club, by=request_actor(request), format=format, facts=form.facts(), once=True)
            messages.success(request, _("%(event)s is planned.") % {"event": event})
            if event.handicap and not like:
                messages.info(request, _("Handicaps are given as on the last night of its season."))
            warn_of_scale(request, event.season)
            return redirect("desk_event", club.slug, event.slug)
    title, about = variant[2:] if variant else (Event.Format(format).label, ABOUT[format])
    return _render_event_form(request, form, format=format, title=title, about=about, like=like)


def _heading_number(format: str) -> int:
    """Under which heading a format is offered: 0 for individuals, 1 for sides, 2 for sides put out by losses."""
    traits = TRAITS[format]
    return traits.fixed_sides + bool(traits.fixed_sides and traits.outs)


def _variant_names(format: str) -> list[tuple[str, str]]:
    return [(slug, str(name)) for slug, (of, _options, name, _about) in VARIANTS.items() if of == format]


def _requested_season(request: HttpRequest, club: Club) -> Season | None:
    pk = whole_number_or_none(request.GET.get("season"))
    return None if pk is None else get_object_or_404(Season.objects.select_related("club"), club=club, pk=pk)


@event_page
def change(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """Change an event, and a competition's stages. The desk's button for the newest version of the rules posts here
    too."""
    if request.POST.get("step") == "newest-rules":
        with show_refusals(request):
            version = whole_number(request.POST.get("version"))
            rules = update_rules(event=event, by=request_actor(request), version=version).rules
            words = _("This event now uses version %(version)d of the house rules.")
            messages.success(request, words % {"version": rules.version})
        return redirect("desk_event", club.slug, event.slug)
    sent = request.POST if request.method == "POST" else None
    form = EventForm(sent if sent and "stages" not in sent else None, club=club, format=event.format, event=event)
    last = event.stages.order_by("-number").values_list("number", flat=True).first()
    for_stages = sent if sent and "stages" in sent else None
    stages = [StageForm(for_stages, stage=stage, last=stage.number == last) for stage in event.stages.all()]
    with show_refusals(request):
        if form.is_bound and form.is_valid():
            change_event(event=event, by=request_actor(request), facts=form.facts())
            messages.success(request, _("Saved."))
            warn_of_scale(request, event.season)
            return redirect("desk_event", club.slug, event.slug)
        if for_stages and not [stage for stage in stages if not stage.is_valid()]:
            with transaction.atomic():
                for stage in stages:
                    facts = StageFacts(**stage.cleaned_data)
                    change_stage(stage=stage.stage, by=request_actor(request), facts=facts)
            messages.success(request, _("Saved."))
            return redirect("desk_event", club.slug, event.slug)
    return _render_event_form(request, form, format=event.format, event=event, stages=stages)


def _render_event_form(request: HttpRequest, form: EventForm, *, format: str, **extra: object) -> HttpResponse:
    traits = TRAITS[format]
    context = {"form": form, "has_cut": traits.has_cut, "draws_are_searched": traits.searched, "about": ABOUT[format]}
    return render(request, "tournaments/events/event_form.html", context | extra)


@event_page
def call_off_page(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    reason = request.POST.get("reason", "")[:LONGEST_REASON]
    if request.method == "POST":
        with show_refusals(request):
            if request.POST.get("step") == "on":
                reinstate(event=event, by=request_actor(request))
                messages.success(request, _("%(event)s is reinstated.") % {"event": event})
            else:
                call_off(event=event, by=request_actor(request), reason=reason)
                messages.success(request, _("%(event)s is called off.") % {"event": event})
            return redirect("desk_event", club.slug, event.slug)
    context = {"event": event, "reason": reason or event.called_off, "take_back": _steps_before_calling_off(event)}
    return render(request, "tournaments/events/call_off.html", context)


def _steps_before_calling_off(event: Event) -> list[tuple[str, str]]:
    """What has to be taken back before the event can be called off, the last first: words and address."""
    where, steps = {"club": event.club.slug, "event": event.slug}, []
    for draw in published_draws(event).select_related("round__stage__event"):
        if event.by_rounds:
            at = f"{reverse('round_step', kwargs=where | {'round': draw.round.number})}#take-back"
        else:
            at = f"{reverse('draw_step', kwargs=where | {'draw': draw.pk})}?step=take-back"
        steps.append((_("Take the draw back: %(round)s") % {"round": draw.round.name}, at))
        if cut := published_cut(draw.round.stage):
            at = reverse("cut_step", kwargs=where | {"cut": cut.pk})
            steps.append((_("Take the cut back: %(stage)s") % {"stage": draw.round.stage}, at))
    if event.state == Event.State.FINISHED:
        words = _("Reopen the night") if event.by_rounds else _("Take the result back")
        steps.append((words, reverse("night_close" if event.by_rounds else "result", kwargs=where)))
    return steps[::-1]


@event_page
def remove_page(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """Remove an event made by mistake: first a page that shows what goes, or why it stays."""
    by, why = request_actor(request), ""
    if request.method == "POST":
        with show_refusals(request):
            remove_event(event=event, by=by, seen=request.POST.get("fingerprint", ""))
            messages.success(request, _("%(event)s is removed.") % {"event": event})
            return redirect("desk", club.slug)
    try:
        refuse_recorded(event, by=by)
    except StepRefused as refused:
        why = str(refused.message)
    names = entry_names(event)
    context = {"event": event, "names": names, "why": why, "fingerprint": fingerprint((event.pk, names))}
    return render(request, "tournaments/events/remove.html", context)
