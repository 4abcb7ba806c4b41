"""A season: its table for everybody, what somebody still needs, and the director's pages on it."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import version_of
from clubsite.accounts.models import Club, Member
from clubsite.accounts.name_privacy import hidden_names
from clubsite.accounts.roles import actor_of, club_page, is_at_desk, is_director, public
from clubsite.live import kept
from clubsite.names import in_order
from tournaments.events.next_night import scale_words, warn_of_scale
from tournaments.models import Season
from tournaments.people import pages_of_people
from tournaments.requests import event_of, refusals_on, refusals_told, whole_number, whole_number_or_none
from tournaments.seasons.actions import (
    LONGEST_TEAM,
    MOST_DIVISIONS,
    Belongs,
    SeasonTerms,
    as_seen,
    assign,
    assign_season,
    belongs_of,
    change_rule,
    change_season,
    create_season,
    effect_of,
    follow,
    moves_of,
    need_of,
    terms_of,
    who_can_ask,
)
from tournaments.seasons.forms import NeedForm, SeasonForm, SeasonRuleForm
from tournaments.seasons.table import SeasonNights, SeasonPart, nights_of, table_of
from tournaments.seasons.tables import every_night, race_of, season_of, season_pad, team_pad
from tournaments.seasons.words import apart_words, need_words, rule_words, separated_words, team_words

PEOPLE_SHOWN = 150  # members on one page: each has two fields


@public
def season(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    """A season's table: divisions, who has no place and why, guests, teams."""
    found = _season(club, season)
    version = version_of(club.slug)  # before what is shown is read
    nights = nights_of([found])[0]
    table = table_of(nights)
    terms = terms_of(found)
    who = whole_number_or_none(request.GET.get("who"))
    asked = next((line for line in table.lines if line.member == who), None)
    every = request.GET.get("nights") == "all"
    named, pages = hidden_names(club).text, pages_of_people(club, inside=is_at_desk(request, club))
    context = {
        "season": found,
        "table": table,
        "rule": rule_words(terms),
        "parts": [
            {
                "part": part,
                "pad": season_pad(request, table, part=part, who=who),
                "race": _race(nights, part, named=named, version=version, who=asked.member if asked else None),
                "every": every_night(table, part) if every else [],
            }
            for part in table.parts
        ],
        "asked": asked,
        "asked_chart": season_of(nights, asked) if asked else None,
        "asked_page": bool(asked and pages.of(asked.member)),
        "every": every,
        "person_pages": pages,
        "brackets": table.leaves_out,
        "separated": separated_words(table),
        "apart": [(line, apart_words(line, table.rule)) for line in table.apart],
        "teams": team_pad(request, table) if table.teams else None,
        "team_rule": team_words(terms),
        "others": list(club.seasons.exclude(pk=found.pk)),
        "scale": scale_words(found) if is_director(request, club) else "",
    }
    return render(request, "tournaments/seasons/season.html", context)


def _race(nights: SeasonNights, part: SeasonPart, *, named: Callable[[str], str], version: str, who: int | None) -> str:
    """The picture of the race, which takes longer to make than all else on the page: kept unless a line is lit."""

    def make() -> str:
        chart = race_of(nights, part, named=named, who=who)
        return render_to_string("tournaments/seasons/_race.html", {"chart": chart, "lines": part.lines})

    key = f"race\n{get_language()}\n{nights.season.pk}\n{part.division}"
    return mark_safe(make() if who else kept(key, version=lambda: version, make=make).text)  # noqa: S308  (a template's)


@public
def need(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    """What a member needs on the last night for a place; asked by a form that changes nothing."""
    found = _season(club, season)
    asked = who_can_ask(found)
    form = NeedForm(request.GET if "member" in request.GET else None, asked=asked)
    answer: list[str] = []
    if form.is_bound and form.is_valid() and (told := need_of(found, **form.cleaned_data)):
        answer = need_words(told)
    context = {"season": found, "form": form, "answer": answer, "asked": asked, "rule": rule_words(terms_of(found))}
    return render(request, "tournaments/seasons/season_need.html", context)


@club_page
def rule(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    """How the season adds up; after the first closed night a change is looked at before it is made."""
    found = _season(club, season)
    form = SeasonRuleForm(request.POST or None, terms=terms_of(found))
    effect = None
    if request.method == "POST" and form.is_valid():
        terms = form.terms()
        seen = request.POST.get("seen", "") if request.POST.get("step") == "change" else ""
        effect = effect_of(found, terms, by=actor_of(request))
        if terms == terms_of(found) or not effect.nights or seen:
            with refusals_told(request):
                change_rule(season=found, terms=terms, by=actor_of(request), seen=seen)
                messages.success(request, _("Saved. The season adds up by this rule now."))
                return redirect("season", club.slug, found.pk)
    context = {
        "season": found,
        "form": form,
        "effect": effect,
        "now": _sentences(terms_of(found)),
        "new": _sentences(form.terms()) if effect else [],
    }
    return render(request, "tournaments/seasons/season_rule.html", context)


@club_page
def people(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    """Divisions and teams of a season."""
    found = _season(club, season)
    belongs = belongs_of(found)
    members = Member.objects.filter(Q(active=True) | Q(pk__in=belongs), club=club)
    by_name = sorted(members, key=attrgetter("by_name"))
    page = Paginator(by_name, PEOPLE_SHOWN).get_page(request.GET.get("page"))
    if request.method == "POST":
        with refusals_told(request):
            changed = assign(season=found, belongs=_belongs(request, page), by=actor_of(request))
            words = ngettext("%(n)d member has changed.", "%(n)d members have changed.", changed) % {"n": changed}
            messages.success(request, words)
            return redirect(f"{request.path}?page={page.number}" if page.number > 1 else request.path)
    context = {
        "season": found,
        "page": page,
        "rows": [(member, belongs.get(member.pk, Belongs())) for member in page],
        "divisions": range(1, MOST_DIVISIONS + 1),
        "longest": LONGEST_TEAM,
        "teams": sorted({one.team for one in belongs.values() if one.team}, key=in_order),
    }
    return render(request, "tournaments/seasons/season_people.html", context)


@club_page
def following(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    """The season that follows: its name and days, and who goes up and down."""
    found = _season(club, season)
    follower = Season.objects.filter(follows=found).first()
    form = SeasonForm(request.POST or None)
    moves = moves_of(found)
    sent = request.method == "POST"
    chosen = {move.member: _division(request, move.member) if sent else move.after for move in moves}
    if sent and form.is_valid():
        with refusals_on(form):
            made = follow(season=found, by=actor_of(request), divisions=chosen, **form.cleaned_data)
            messages.success(request, _("The season is there. Its nights count once they are closed."))
            return redirect("season", club.slug, made.pk)
    context = {
        "season": found,
        "follower": follower,
        "form": form,
        "moves": [(move, chosen[move.member]) for move in moves],
        "divisions": range(1, MOST_DIVISIONS + 1),
        "rule": rule_words(terms_of(found)),
    }
    return render(request, "tournaments/seasons/season_following.html", context)


def _sentences(terms: SeasonTerms) -> list[str]:
    """A season's rule in sentences, with the teams' rule where not all of a team's members count."""
    return [*rule_words(terms), *([team_words(terms)] if terms.team_best else [])]


def _season(club: Club, pk: int) -> Season:
    return get_object_or_404(Season.objects.select_related("club", "follows"), club=club, pk=pk)


def _belongs(request: HttpRequest, page: Any) -> dict[int, Belongs]:
    """The division and team that the form gives to each member on the page that it was sent from."""
    return {
        member.pk: Belongs(_division(request, member.pk), request.POST.get(f"team-{member.pk}", ""))
        for member in page
        if f"team-{member.pk}" in request.POST
    }


def _division(request: HttpRequest, member: int) -> int | None:
    """The division chosen for a member. Raises Http404 for what no page offers."""
    text = request.POST.get(f"division-{member}", "")
    if not text:
        return None
    if text not in {str(n) for n in range(1, MOST_DIVISIONS + 1)}:
        raise Http404
    return int(text)


@club_page
def season_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Make a season."""
    form = SeasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            season = create_season(club=club, by=actor_of(request), **form.cleaned_data)
            messages.success(request, _("The season is there. Its nights count once they are closed."))
            return redirect("season", club.slug, season.pk)
    return render(
        request, "tournaments/seasons/season_new.html", {"form": form, "seasons": Season.objects.filter(club=club)}
    )


@club_page
def season_change(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    """Put a season's name and days right."""
    found = _season(club, season)
    now = {"name": found.name, "starts": found.starts, "ends": found.ends}
    form = SeasonForm(request.POST or None, initial=now)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            change_season(season=found, by=actor_of(request), seen=request.POST.get("seen", ""), **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("season", club.slug, found.pk)
    context = {"form": form, "season": found, "seen": as_seen(found)}
    return render(request, "tournaments/seasons/season_change.html", context)


@club_page
def night_season(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Say which season a night counts in."""
    found = event_of(club, event)
    if request.method == "POST":
        chosen = request.POST.get("season", "")
        season = get_object_or_404(Season, club=club, pk=whole_number(chosen)) if chosen else None
        with refusals_told(request):
            assign_season(event=found, season=season, by=actor_of(request))
            messages.success(request, _("Saved."))
            warn_of_scale(request, season)
    return redirect("desk_event", club.slug, found.slug)
