"""The pages and forms of a season, and its rule in words."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from itertools import pairwise
from operator import attrgetter
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, gettext as _now, gettext_lazy as _, ngettext

from clubsite.accounts.audit_log import club_version
from clubsite.accounts.models import Club, Member
from clubsite.accounts.name_privacy import hidden_names
from clubsite.accounts.roles import club_page, is_at_desk, is_director, public, request_actor
from clubsite.live import cached_body
from clubsite.names import name_sort_key
from scoring.form_parts import NumberField, YesNoField
from scoring.templatetags.figures import points as figure
from tournaments.engine.season import SeasonRule
from tournaments.events.forms import DayField
from tournaments.events.views import scale_warning, warn_of_scale
from tournaments.models import Event, Season
from tournaments.people import pages_of_people
from tournaments.requests import event_page, show_refusals, show_refusals_on, whole_number, whole_number_or_none
from tournaments.seasons.actions import (
    LONGEST_TEAM,
    MOST_DIVISIONS,
    Assignment,
    Need,
    SeasonTerms,
    assign_members,
    assign_season,
    change_rule,
    change_season,
    create_following_season,
    create_season,
    find_need,
    members_who_can_ask,
    preview_rule,
    propose_moves,
    season_assignments,
    season_fingerprint,
    season_terms,
)
from tournaments.seasons.figures import season_figures
from tournaments.seasons.table import (
    NO_DIVISION,
    SeasonLine,
    SeasonNights,
    SeasonPart,
    SeasonTable,
    build_table,
    describe_opening,
    describe_openings,
    member_chart,
    nights_in_words,
    race_chart,
    season_nights,
    table_view,
    team_table_view,
)

TIE_BREAKS: dict[str, Promise] = {
    "nights-won": _("nights won"),
    "best-night": _("best night"),
    "most-nights": _("most nights attended"),
    "last-night": _("last night attended"),
    "points": _("points of all nights"),
}
"""Every tie-break of `tournaments.engine.season`."""


def describe_rule(terms: SeasonTerms) -> list[str]:
    rule = terms.rule
    sentences = [_describe_kind(rule)]
    if terms.handicap:
        sentences.append(_now("Points and places of a night include handicaps, if the night gives any."))
    if rule.place_points:
        words = _now("A night gives points for the place among the members who came: %(points)s; nothing after that.")
        sentences.append(words % {"points": ", ".join(figure(p) for p in rule.place_points)})
    if rule.attendance_points:
        words = ngettext(
            "Each night attended gives %(n)d point more.",
            "Each night attended gives %(n)d points more.",
            rule.attendance_points,
        )
        sentences.append(words % {"n": rule.attendance_points})
    if rule.lowest:
        sentences.append(_now("The lowest total is ahead."))
    if rule.attendance > 1:
        sentences.append(_now("A place needs at least %(n)d nights.") % {"n": rule.attendance})
    sentences.append(_describe_ties(rule))
    if terms.moving:
        words = ngettext(
            "At the end the first of each division goes up and the last goes down.",
            "At the end the first %(n)d of each division go up and the last %(n)d go down.",
            terms.moving,
        )
        sentences.append(words % {"n": terms.moving})
    return sentences


def describe_team_rule(terms: SeasonTerms) -> str:
    if not terms.team_best:
        return _now("A team has the points of all its members on each night.")
    return ngettext(
        "A team has the points of its best member on each night.",
        "A team has the points of its best %(n)d members on each night.",
        terms.team_best,
    ) % {"n": terms.team_best}


def why_apart(line: SeasonLine, rule: SeasonRule) -> str:
    if line.code == NO_DIVISION:
        return _now("Plays without a division.")
    return ngettext(
        "Below attendance: %(n)d night of the %(needed)d needed.",
        "Below attendance: %(n)d nights of the %(needed)d needed.",
        line.attended,
    ) % {"n": line.attended, "needed": rule.attendance}


def describe_tie_breaks(table: SeasonTable) -> list[str]:
    words = _now("%(name)s is ahead of %(next)s by %(tie_break)s.")
    return [
        words % {"name": line.name, "next": after.name, "tie_break": TIE_BREAKS[line.separated_by]}
        for part in table.parts
        for line, after in pairwise(part.lines)
        if line.separated_by
    ]


def describe_need(need: Need) -> list[str]:
    beyond = False  # whether it would be the best night of the season
    words = {
        "safe": _now("%(name)s has place %(place)d or better even without coming."),
        "attendance": _now(
            "%(name)s can't have a place: with one more night it would be %(n)d, and %(needed)d are needed."
        ),
        "never": _now("No result of one night takes %(name)s to place %(place)d."),
        "come": _now("%(name)s only has to come: any result gives place %(place)d or better."),
    }.get(need.code, "")
    if need.code == "points" and need.lowest_wins:
        words = _now("%(name)s needs %(points)s points at most for place %(place)d.")
        beyond = need.points < need.record
    elif need.code == "points":
        words = _now("%(name)s has place %(place)d or better with %(points)s points or more.")
        if need.points > 0:
            words = _now("%(name)s needs at least %(points)s points for place %(place)d.")
        beyond = need.points > need.record
    sentences = [words]
    if beyond:
        sentences.append(_now("Nobody has done so well this season: the best night so far is %(record)s."))
    if need.handicap and need.code in ("never", "points"):
        sentences.append(_now("The points of the night include handicaps, if it gives any."))
    args = {"name": need.name, "place": need.place, "points": figure(need.points), "record": figure(need.record)}
    args |= {"n": need.nights + 1, "needed": need.attendance}
    return [sentence % args for sentence in sentences]


def _describe_kind(rule: SeasonRule) -> str:
    if rule.kind == "best":
        return ngettext(
            "Places are decided by the best night; the others don't count.",
            "Places are decided by the total of the best %(n)d nights. The others are in brackets.",
            rule.best,
        ) % {"n": rule.best}
    if rule.kind == "average":
        return _now("Places are decided by the average of the nights attended.")
    return _now("Places are decided by the total: the points of all nights attended, added up.")


def _describe_ties(rule: SeasonRule) -> str:
    if not rule.tie_breaks:
        return _now("Equal totals share a place.")
    chain = _now(", then by ").join(str(TIE_BREAKS[slug]) for slug in rule.tie_breaks)
    return _now("Equal totals are separated by %(chain)s; if still equal, the place is shared.") % {"chain": chain}


MOST_NIGHTS = 100
MOST_POINTS = 1000
MOST_PLACES = 60
MOST_TIES = 3


def _number_field(label: Any, help_text: Any = "", *, most: int = MOST_NIGHTS) -> forms.IntegerField:
    return NumberField(label=label, min_value=0, max_value=most, required=False, help_text=help_text)


class SeasonRuleForm(forms.Form):
    kind = forms.ChoiceField(
        label=_("What counts"),
        choices=[
            ("sum", _("all nights, added up")),
            ("best", _("each member's best nights, added up")),
            ("average", _("the average of the nights attended")),
        ],
        widget=forms.RadioSelect,
    )
    best = _number_field(_("How many best nights"), _("Only with “best nights”. For example 8 of 12."))
    attendance = _number_field(
        _("Nights needed for a place"),
        _("People who came less often are listed apart. 0: one night is enough."),
    )
    place_points = forms.CharField(
        label=_("Points for places"),
        required=False,
        max_length=400,
        help_text=_(
            "For example 10, 8, 6, 5, 4, 3, 2, 1: the first of a night gets 10, the second 8. Leave empty to count "
            "the points made at the tables."
        ),
    )
    handicap = YesNoField(
        label=_("Points of a night"),
        choices=[("no", _("from scratch")), ("yes", _("with handicap, on nights that give one"))],
        required=False,
        widget=forms.RadioSelect,
    )
    attendance_points = _number_field(
        _("Points for coming"), _("Points added for each night attended."), most=MOST_POINTS
    )
    moving = _number_field(_("Up and down"), _("How many go up and down at the end. 0: nobody."), most=20)
    team_best = _number_field(
        _("Members who count for a team"),
        _("How many of a team's best scores count on each night. 0: everybody's."),
        most=20,
    )

    def __init__(self, *args: Any, terms: SeasonTerms, **kwargs: Any) -> None:
        rule = terms.rule
        kwargs["initial"] = {
            **asdict(rule),
            "best": rule.best or None,
            "place_points": ", ".join(str(p) for p in rule.place_points),
            "handicap": terms.handicap,
            "moving": terms.moving,
            "team_best": terms.team_best,
            **{f"tie_{n}": slug for n, slug in enumerate(rule.tie_breaks, start=1)},
        }
        super().__init__(*args, **kwargs)
        links = [("", _("nothing more")), *TIE_BREAKS.items()]
        for n in range(1, MOST_TIES + 1):
            label = _("Equal totals are separated by") if n == 1 else _("then, when level, by")
            self.fields[f"tie_{n}"] = forms.ChoiceField(label=label, choices=links, required=False)

    def ties(self) -> list[forms.BoundField]:
        return [self[f"tie_{n}"] for n in range(1, MOST_TIES + 1)]

    def clean_place_points(self) -> tuple[int, ...]:
        """Raises ValidationError: not whole numbers, too many or too large, or not in falling order."""
        parts = self.cleaned_data["place_points"].replace(",", " ").replace(";", " ").split()
        if not all(part.isascii() and part.isdecimal() and len(part) <= 4 for part in parts):
            raise ValidationError(_("Write whole numbers with commas between them, for example 10, 8, 6."))
        points = tuple(int(part) for part in parts)
        if len(points) > MOST_PLACES or any(value > MOST_POINTS for value in points):
            raise ValidationError(
                _("At most %(n)d places, of at most %(points)d points.") % {"n": MOST_PLACES, "points": MOST_POINTS}
            )
        if list(points) != sorted(points, reverse=True):
            raise ValidationError(_("A better place can't give fewer points. Start with the first place."))
        return points

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("kind") == "best" and not cleaned.get("best") and "best" not in self.errors:
            self.add_error("best", _("Say how many nights count, for example 8."))
        chain = [cleaned[f"tie_{n}"] for n in range(1, MOST_TIES + 1) if cleaned.get(f"tie_{n}")]
        if len(set(chain)) < len(chain):
            raise ValidationError(_("Use each way to separate equal totals only once."))
        cleaned["tie_breaks"] = tuple(chain)
        return cleaned

    def terms(self) -> SeasonTerms:
        data = self.cleaned_data
        return SeasonTerms(
            SeasonRule(
                kind=data["kind"],
                best=data["best"] if data["kind"] == "best" else 0,
                attendance=data["attendance"] or 0,
                place_points=data["place_points"],
                attendance_points=data["attendance_points"] or 0,
                tie_breaks=data["tie_breaks"],
            ),
            moving=data["moving"] or 0,
            team_best=data["team_best"] or 0,
            handicap=data["handicap"] is True,
        )


class NeedForm(forms.Form):
    member = forms.TypedChoiceField(label=_("Who"), coerce=int)
    place = NumberField(label=_("Wants at least place"), min_value=1, max_value=500, initial=1)
    others = forms.ChoiceField(
        label=_("The others"),
        choices=[("average", _("play as well as on average")), ("away", _("stay away"))],
        widget=forms.RadioSelect,
        initial="average",
    )

    def __init__(self, *args: Any, askers: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["member"].choices = askers["members"]  # type: ignore[attr-defined]  # it has choices


class SeasonForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("For example: Winter 2026/27."))
    starts = DayField(label=_("First day"))
    ends = DayField(label=_("Last day"))


PEOPLE_SHOWN = 150  # members on one page: each has two fields


@public
def season(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    this_season = _season(club, season)
    version = club_version(club.slug)  # before what is shown is read
    nights = season_nights([this_season])[0]
    table = build_table(nights)
    terms = season_terms(this_season)
    who = whole_number_or_none(request.GET.get("who"))
    chosen = next((line for line in table.lines if line.member == who), None)
    all_nights = request.GET.get("nights") == "all"
    named, pages = hidden_names(club).text, pages_of_people(club, inside=is_at_desk(request, club))
    context = {
        "season": this_season,
        "table": table,
        "rule": describe_rule(terms),
        "parts": [
            {
                "part": part,
                "table": table_view(request, table, part=part, who=who),
                "race": _race_html(nights, part, named=named, version=version, who=chosen.member if chosen else None),
                "nights": nights_in_words(table, part) if all_nights else [],
            }
            for part in table.parts
        ],
        "chosen": chosen,
        "chosen_chart": member_chart(nights, chosen) if chosen else None,
        "chosen_has_page": bool(chosen and pages.address(chosen.member)),
        "all_nights": all_nights,
        "person_pages": pages,
        "has_uncounted_nights": table.has_uncounted_nights,
        "openings": describe_openings(table),
        "opening": describe_opening(chosen) if chosen and chosen.opening.nights else "",
        "figures": _figures_html(table, version=version),
        "tie_breaks": describe_tie_breaks(table),
        "apart": [(line, why_apart(line, table.rule)) for line in table.apart],
        "teams": team_table_view(request, table) if table.teams else None,
        "team_rule": describe_team_rule(terms),
        "others": list(club.seasons.exclude(pk=this_season.pk)),
        "scale": scale_warning(this_season) if is_director(request, club) else "",
    }
    return render(request, "tournaments/seasons/season.html", context)


def _race_html(
    nights: SeasonNights, part: SeasonPart, *, named: Callable[[str], str], version: str, who: int | None
) -> str:
    """Cached unless a line is highlighted: making it takes longer than the rest of the page."""

    def make() -> str:
        chart = race_chart(nights, part, named=named, who=who)
        return render_to_string("tournaments/seasons/_race.html", {"chart": chart, "lines": part.lines})

    key = f"race\n{get_language()}\n{nights.season.pk}\n{part.division}"
    return mark_safe(make() if who else cached_body(key, version=lambda: version, make=make).text)  # noqa: S308  (a template's)


def _figures_html(table: SeasonTable, *, version: str) -> str:
    """Cached, since the figures are read from all deals of the season."""

    def make() -> str:
        return render_to_string("tournaments/seasons/_figures.html", {"figures": season_figures(table)})

    key = f"figures\n{get_language()}\n{table.season.pk}"
    return mark_safe(cached_body(key, version=lambda: version, make=make).text)  # noqa: S308  (a template's)


@public
def need(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    this_season = _season(club, season)
    askers = members_who_can_ask(this_season)
    form = NeedForm(request.GET if "member" in request.GET else None, askers=askers)
    answer: list[str] = []
    if form.is_bound and form.is_valid() and (answered := find_need(this_season, **form.cleaned_data)):
        answer = describe_need(answered)
    rule = describe_rule(season_terms(this_season))
    context = {"season": this_season, "form": form, "answer": answer, "askers": askers, "rule": rule}
    return render(request, "tournaments/seasons/season_need.html", context)


@club_page
def rule(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    this_season = _season(club, season)
    form = SeasonRuleForm(request.POST or None, terms=season_terms(this_season))
    effect = None
    if request.method == "POST" and form.is_valid():
        terms = form.terms()
        seen = request.POST.get("seen", "") if request.POST.get("step") == "change" else ""
        effect = preview_rule(this_season, terms, by=request_actor(request))
        if terms == season_terms(this_season) or not effect.nights or seen:
            with show_refusals(request):
                change_rule(season=this_season, terms=terms, by=request_actor(request), seen=seen)
                messages.success(request, _now("Saved. The season now uses this rule."))
                return redirect("season", club.slug, this_season.pk)
    context = {
        "season": this_season,
        "form": form,
        "effect": effect,
        "now": _describe_terms(season_terms(this_season)),
        "new": _describe_terms(form.terms()) if effect else [],
    }
    return render(request, "tournaments/seasons/season_rule.html", context)


@club_page
def people(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    this_season = _season(club, season)
    assignments = season_assignments(this_season)
    members = Member.objects.filter(Q(active=True) | Q(pk__in=assignments), club=club)
    by_name = sorted(members, key=attrgetter("by_name"))
    page = Paginator(by_name, PEOPLE_SHOWN).get_page(request.GET.get("page"))
    if request.method == "POST":
        with show_refusals(request):
            changed = assign_members(
                season=this_season, assignments=_posted_assignments(request, page), by=request_actor(request)
            )
            words = ngettext("%(n)d member has changed.", "%(n)d members have changed.", changed) % {"n": changed}
            messages.success(request, words)
            return redirect(f"{request.path}?page={page.number}" if page.number > 1 else request.path)
    context = {
        "season": this_season,
        "page": page,
        "rows": [(member, assignments.get(member.pk, Assignment())) for member in page],
        "divisions": range(1, MOST_DIVISIONS + 1),
        "longest": LONGEST_TEAM,
        "teams": sorted({b.team for b in assignments.values() if b.team}, key=name_sort_key),
    }
    return render(request, "tournaments/seasons/season_people.html", context)


@club_page
def following(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    this_season = _season(club, season)
    follower = Season.objects.filter(follows=this_season).first()
    form = SeasonForm(request.POST or None)
    moves = propose_moves(this_season)
    sent = request.method == "POST"
    chosen = {move["member"]: _posted_division(request, move["member"]) if sent else move["after"] for move in moves}
    if sent and form.is_valid():
        with show_refusals_on(form):
            new_season = create_following_season(
                season=this_season, by=request_actor(request), divisions=chosen, **form.cleaned_data
            )
            messages.success(request, _now("The season is set up. Its nights count once they are closed."))
            return redirect("season", club.slug, new_season.pk)
    context = {
        "season": this_season,
        "follower": follower,
        "form": form,
        "moves": [(move, chosen[move["member"]]) for move in moves],
        "divisions": range(1, MOST_DIVISIONS + 1),
        "rule": describe_rule(season_terms(this_season)),
    }
    return render(request, "tournaments/seasons/season_following.html", context)


def _describe_terms(terms: SeasonTerms) -> list[str]:
    return [*describe_rule(terms), *([describe_team_rule(terms)] if terms.team_best else [])]


def _season(club: Club, pk: int) -> Season:
    return get_object_or_404(Season.objects.select_related("club", "follows"), club=club, pk=pk)


def _posted_assignments(request: HttpRequest, page: Any) -> dict[int, Assignment]:
    """The division and team of each member on the page that the form was sent from."""
    return {
        member.pk: Assignment(_posted_division(request, member.pk), request.POST.get(f"team-{member.pk}", ""))
        for member in page
        if f"team-{member.pk}" in request.POST
    }


def _posted_division(request: HttpRequest, member: int) -> int | None:
    """Raises Http404: no page offers this division."""
    text = request.POST.get(f"division-{member}", "")
    if not text:
        return None
    if text not in {str(n) for n in range(1, MOST_DIVISIONS + 1)}:
        raise Http404
    return int(text)


@club_page
def season_new(request: HttpRequest, club: Club) -> HttpResponse:
    form = SeasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with show_refusals_on(form):
            season = create_season(club=club, by=request_actor(request), **form.cleaned_data)
            messages.success(request, _now("The season is set up. Its nights count once they are closed."))
            return redirect("season", club.slug, season.pk)
    context = {"form": form, "seasons": Season.objects.filter(club=club)}
    return render(request, "tournaments/seasons/season_new.html", context)


@club_page
def season_change(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    this_season = _season(club, season)
    now = {"name": this_season.name, "starts": this_season.starts, "ends": this_season.ends}
    form = SeasonForm(request.POST or None, initial=now)
    if request.method == "POST" and form.is_valid():
        with show_refusals_on(form):
            seen = request.POST.get("seen", "")
            change_season(season=this_season, by=request_actor(request), seen=seen, **form.cleaned_data)
            messages.success(request, _now("Saved."))
            return redirect("season", club.slug, this_season.pk)
    context = {
        "form": form,
        "title": _("Name and days of the season"),
        "lede": _("The dates are shown above the table. Choose on each night's desk whether it counts."),
        "save": _("Save"),
        "leave": this_season.get_absolute_url(),
        "up": this_season.name,
        "seen": season_fingerprint(this_season),
    }
    return render(request, "form_page.html", context)


@event_page
def night_season(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    if request.method == "POST":
        chosen = request.POST.get("season", "")
        season = get_object_or_404(Season, club=club, pk=whole_number(chosen)) if chosen else None
        with show_refusals(request):
            assign_season(event=event, season=season, by=request_actor(request))
            messages.success(request, _now("Saved."))
            warn_of_scale(request, season)
    return redirect("desk_event", club.slug, event.slug)
