"""Points from before: what members bring into a season from nights that this site has no cards of, by a list."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member
from clubsite.accounts.roles import club_page, request_actor
from clubsite.names import name_sort_key
from scoring.pasted_names import FIGURES, MAX_ROWS, NIGHTS, POINTS, Columns, Listing, name_key, read_names, tidy_name
from tournaments.engine.season import NO_OPENING, Opening
from tournaments.entries.forms import ListForm, column_roles, read_sent_list
from tournaments.entries.known import ByEar, known_members
from tournaments.errors import StepRefused
from tournaments.models import Season, SeasonOpening
from tournaments.requests import parse_submission, show_refusals, show_refusals_on

MOST_NIGHTS, MOST_POINTS = 500, 10_000_000
LONGEST_SOURCE = 120
FIGURE = re.compile(r"[-−]?(?:\d{1,3}(?:[.,'’ ]\d{3})+|\d{1,9})")


@dataclass(frozen=True, slots=True)
class OpeningRow:
    number: int
    name: str
    member: Member | None
    opening: Opening
    problem: str = ""


def parse_figure(cell: str) -> int | None:
    """The whole number in a cell, as people and spreadsheets write it; None if it has none.

    >>> parse_figure("1,250"), parse_figure("−30"), parse_figure("12.5"), parse_figure("many")
    (1250, -30, None, None)
    """
    if not FIGURE.fullmatch(text := cell.strip()):
        return None
    return int(re.sub(r"[.,'’ ]", "", text).replace("−", "-"))


def read_openings(club: Club, text: str, *, columns: Columns = None) -> tuple[Listing, list[OpeningRow]]:
    """A list of members with their nights and points so far, each row with its problem. One query. Raises
    UnreadableSpreadsheet."""
    members = {name: member for name, member in known_members(club).items() if member.erased_at is None}
    people = ByEar((member.name, member) for member in sorted(members.values(), key=lambda member: member.pk))
    listing = read_names(text, columns=columns, known=members.keys(), beside=FIGURES)
    rows: list[OpeningRow] = []
    seen: dict[Member, int] = {}
    for row in listing.rows:
        member = members.get(name_key(row.name))
        nights, points = (parse_figure(row.contact.get(figure, "")) for figure in (NIGHTS, POINTS))
        if problem := row.problem:
            pass
        elif member is None:
            problem = _("%(name)s isn't a member of the club. Add the name under Members first.") % {"name": row.name}
            if like := people.nearest(row.name):
                words = _("%(name)s isn't a member of the club. If this is %(like)s, write it that way.")
                problem = words % {"name": row.name, "like": like.name}
        elif member in seen:
            problem = _("%(name)s is in row %(row)d too.") % {"name": member.name, "row": seen[member]}
        elif nights is None or not 1 <= nights <= MOST_NIGHTS:
            problem = _("How many nights? Write a whole number from 1 to %(most)d.") % {"most": MOST_NIGHTS}
        elif points is None or abs(points) > MOST_POINTS:
            problem = _("How many points? Write a whole number.")
        opening = NO_OPENING if problem else Opening(nights or 0, points or 0)
        if member:
            seen.setdefault(member, row.number)
        rows.append(OpeningRow(row.number, row.name, member, opening, problem))
    return listing, rows


def record_openings(
    *, season: Season, by: Actor, openings: Mapping[int, Opening], source: str, submission: UUID
) -> list[SeasonOpening]:
    """Record what members bring into a season, all at once, or return what this submission recorded.

    Raises StepRefused: the season has opening points already, the list is empty or too long, or somebody on it isn't a
    member."""
    with transaction.atomic():
        season = season.lock()
        if again := list(season.openings.filter(submission=submission)):
            if all(row.taken_back_at for row in again):
                raise StepRefused(_("These points were taken back. Choose the list again to enter them."))
            return again
        if season_openings(season):
            raise StepRefused(_("This season has points from before already. Take them back first."))
        if not openings or len(openings) > MAX_ROWS:
            raise StepRefused(_("There is nobody in this list. Paste names, or choose a file."))
        names = dict(Member.objects.filter(club=season.club, pk__in=openings).values_list("pk", "name"))
        if len(names) < len(openings):
            raise StepRefused(_("Somebody on this list is no longer a member. Check the list again."))
        rows = SeasonOpening.objects.bulk_create(
            SeasonOpening(
                season=season,
                member_id=member,
                nights=opening.nights,
                points=opening.points,
                source=tidy_name(source)[:LONGEST_SOURCE],
                submission=submission,
                actor=by.name,
            )
            for member, opening in openings.items()
        )
        brought = {names[member]: f"{opening.points} ({opening.nights})" for member, opening in openings.items()}
        log(club=season.club, by=by, verb="season.opening", subject=season, new={"source": source, **brought})
    return rows


def take_back_openings(*, season: Season, by: Actor, submission: UUID) -> None:
    """Take back what this submission recorded, if it isn't taken back already."""
    with transaction.atomic():
        season = season.lock()
        rows = season.openings.filter(submission=submission, taken_back_at=None)
        if number := rows.update(taken_back_at=timezone.now()):
            log(club=season.club, by=by, verb="season.opening-back", subject=season, old={"members": number})


def season_openings(season: Season) -> list[SeasonOpening]:
    rows = season.openings.filter(taken_back_at=None).select_related("member")
    return sorted(rows, key=lambda row: name_sort_key(row.member.name))


class OpeningForm(ListForm):
    field_order = ("file", "names", "source")
    source = forms.CharField(
        label=gettext_lazy("Where these points come from"),
        max_length=LONGEST_SOURCE,
        required=False,
        help_text=gettext_lazy("For example: the paper book, nights 1 to 5. Everybody can read it below the table."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["names"].help_text = gettext_lazy(
            "One row per member, with headings in the first row: Name, Nights, Points."
        )


@club_page
def opening_points(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    """A season's opening points; or a list of them, previewed and then recorded."""
    this_season = get_object_or_404(Season.objects.select_related("club"), club=club, pk=season)
    by, step = request_actor(request), request.POST.get("step")
    submission = parse_submission(request.POST.get("submission"))
    if step == "take-back":
        take_back_openings(season=this_season, by=by, submission=submission)
        messages.success(request, _("The points from before are taken back."))
        return redirect("season", club.slug, this_season.pk)
    form, rows = OpeningForm(request.POST or None, request.FILES or None), list[OpeningRow]()
    if form.is_valid():
        with show_refusals_on(form, form.source_field):
            sent = read_sent_list(request, form)
            listing, rows = read_openings(club, sent.text, columns=column_roles(request, club))
            if not rows:
                form.add_error(form.source_field, _("There is nobody in this list. Paste names, or choose a file."))
    if not rows or not form.is_valid():
        context = {"season": this_season, "form": form, "rows": season_openings(this_season)}
        return render(request, "tournaments/seasons/opening.html", context, status=422 if form.errors else 200)
    good = {row.member.pk: row.opening for row in rows if row.member and not row.problem}
    source = form.cleaned_data["source"] or (form.cleaned_data["file"].name if form.cleaned_data["file"] else "")
    if step == "enter":
        with show_refusals(request):
            unique = uuid5(submission, sent.text)  # another list is no second tap
            taken = record_openings(season=this_season, by=by, openings=good, source=source, submission=unique)
            words = ngettext(
                "%(n)d member has points from before.", "%(n)d members have points from before.", len(taken)
            )
            messages.success(request, words % {"n": len(taken)})
            return redirect("season", club.slug, this_season.pk)
    context = {
        "season": this_season,
        "leave": this_season.get_absolute_url(),
        "listing": {"rows": rows, "warnings": listing.warnings},
        "bad": [row for row in rows if row.problem],
        "good": len(good),
        "source": source,
        "submission": submission,
        **sent.context(listing, figures=True),
    }
    return render(request, "tournaments/seasons/opening_look.html", context)
