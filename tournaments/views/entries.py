"""Who takes part in a competition: the list, names from a file, one entry."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, require_role
from scoring.spreadsheets import Unreadable, WrongEncoding
from tournaments import entries as verbs
from tournaments import next_in_line
from tournaments.contest import fit_words
from tournaments.contest_desk import last_reached
from tournaments.entry_list import Listing, read, text_of
from tournaments.entry_tables import entries_table
from tournaments.errors import StepRefused
from tournaments.forms import EntryForm, ImportForm, NameForm
from tournaments.models import Draw, Entry, Event, Seat
from tournaments.requests import competition_of, refusals_on, refusals_told, submission_in, whole_number
from tournaments.reserves import has_begun, seat_of, seat_reserve
from tournaments.state import stage_draw


@require_role("director")
def entries(request: HttpRequest, club: Club, event: str) -> HttpResponse:
    """The list of entries, and the form for one more."""
    found = competition_of(club, event)
    form = NameForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form, "name"):
            added = verbs.add_entry(event=found, by=actor_of(request), name=form.cleaned_data["name"])
            words = _("%(name)s is entered as number %(n)d.")
            if added.state == Entry.State.RESERVE:
                words = _("All places are taken: %(name)s is a reserve, number %(n)d.")
            messages.success(request, words % {"name": added, "n": added.number})
            return redirect("entries", club.slug, found.slug)
    rows = list(found.entries.select_related("member"))
    seats = Seat.objects.filter(draw__round__stage__event=found, draw__state=Draw.State.PUBLISHED)
    where = {
        entry: found.group_label(table, group)
        for entry, table, group in seats.order_by("draw__round__stage__number").values_list(
            "entry_id", "group__table__number", "group__number"
        )
    }
    here = sum(row.state == Entry.State.HERE and row.stands_in_id is None for row in rows)
    filling = [row for row in rows if row.state == Entry.State.HERE and row.stands_in_id is not None]
    context = {
        "event": found,
        "form": form,
        "table": entries_table(request, found, found.entries.select_related("member"), where) if rows else None,
        "here": here,
        "stand_ins": len(filling),
        "reserves": sum(row.state == Entry.State.RESERVE for row in rows),
        "withdrawn": sum(row.state == Entry.State.WITHDRAWN and row.stands_in_id is None for row in rows),
        **numbers(found, here, drawn=bool(where), stand_ins=len(filling)),
    }
    return render(request, "tournaments/entries.html", context)


@require_role("director")
def import_names(request: HttpRequest, club: Club, event: str) -> HttpResponse:
    """Names from a file or from text: read, shown, and entered once the director says so. What was typed stays."""
    found = competition_of(club, event)
    form = ImportForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"event": found, "form": form, "room": verbs.room_in(found)}
    if request.method != "POST" or not form.is_valid():
        return render(request, "tournaments/entries_import.html", context)
    text, guessed = form.cleaned_data["names"], None
    file = form.cleaned_data["file"]
    if file is not None:
        try:
            text = text_of(file.read())
        except WrongEncoding as wrong:
            text, guessed = wrong.guess, wrong
        except Unreadable as no:
            form.add_error("file", str(no))
            return render(request, "tournaments/entries_import.html", context, status=422)
    listing = read(
        text,
        columns="" if file is not None else form.cleaned_data["columns"],
        taken=verbs.taken_names(found),
        room=context["room"],
    )
    submission = submission_in(request.POST.get("submission"))
    if request.POST.get("step") in ("enter", "enter-good"):
        with refusals_told(request):
            if redone := _entered(request, found, listing, submission):
                return redone
    if not listing.rows:
        form.add_error(
            "file" if file is not None else "names", _("There is no name in this list. Choose a file, or write names.")
        )
        return render(request, "tournaments/entries_import.html", context, status=422)
    context |= {
        "listing": listing,
        "text": text,
        "guessed": guessed,
        "guessed_row": next((row for row in listing.rows if guessed and row.number >= guessed.row), None),
        "submission": submission,
        "ask_letters": guessed is not None or "letters" in request.POST or request.POST.get("guessed") == "1",
        "columns": [(way, way == listing.columns, _example(listing, way)) for way in listing.choices],
        "reserves": [row for row in listing.good if row.reserve],
        **numbers(
            found,
            found.entries.filter(state=Entry.State.HERE, stands_in=None).count()
            + sum(not r.reserve for r in listing.good),
        ),
    }
    return render(request, "tournaments/entries_preview.html", context)


@require_role("director")
def entry(request: HttpRequest, club: Club, event: str, entry: int) -> HttpResponse:
    """One entry: its name and member; withdrawing, returning, and who takes the place."""
    found = competition_of(club, event)
    one = get_object_or_404(Entry.objects.select_related("member", "event__club"), event=found, pk=entry)
    one.event = found
    step = request.POST.get("step", "")
    form = EntryForm(request.POST if step == "change" else None, entry=one)
    if request.method == "POST":
        if step != "change":
            with refusals_told(request):
                _entry_step(request, one, step)
            return redirect("entry", club.slug, found.slug, one.pk)
        with refusals_on(form):
            if form.is_valid():
                verbs.change_entry(entry=one, by=actor_of(request), **({"eligible": one.eligible} | form.cleaned_data))
                messages.success(request, _("Saved."))
                return redirect("entries", club.slug, found.slug)
    context = {"event": found, "entry": one, "form": form, "reached": last_reached(one), **_place_of(found, one)}
    return render(request, "tournaments/entry.html", context)


def numbers(event: Event, here: int, drawn: bool = False, stand_ins: int = 0) -> dict[str, Any]:
    """What is to be said of the number of entries: too few for the places, or not to be divided into groups."""
    free = (event.places or 0) - here
    return {
        "free": free if free > 0 and here and not drawn else 0,
        "over": -free if free < 0 and event.places else 0,
        "fit": fit_words(event, here + stand_ins) if here and not drawn else "",
    }


def _entered(request: HttpRequest, event: Event, listing: Listing, submission: UUID) -> HttpResponse | None:
    """Enter the names when everything is in order, else say why not and return None."""
    if request.POST.get("guessed") == "1" and "letters" not in request.POST:
        messages.error(request, _("Look at the letters of the names first, then tick that they are right."))
        return None
    if listing.bad and request.POST.get("step") != "enter-good" and not _was_entered(event, submission):
        messages.error(request, _("Some rows can't be entered. Correct them in the list, or enter the others alone."))
        return None
    names = [row.name for row in (listing.good if not _was_entered(event, submission) else listing.rows)]
    made = verbs.import_names(event=event, names=names, by=actor_of(request), submission=submission)
    reserves = sum(entry.state == Entry.State.RESERVE for entry in made)
    words = ngettext("%(n)d name is entered.", "%(n)d names are entered.", len(made)) % {"n": len(made)}
    if reserves:
        words += " " + ngettext("%(n)d of them is a reserve.", "%(n)d of them are reserves.", reserves) % {
            "n": reserves
        }
    messages.success(request, words)
    return redirect("entries", event.club.slug, event.slug)


def _was_entered(event: Event, submission: UUID) -> bool:
    return verbs.imported(event, submission) is not None


def _entry_step(request: HttpRequest, one: Entry, step: str) -> None:
    by, reason = actor_of(request), request.POST.get("reason", "")
    if step == "withdraw":
        verbs.withdraw(entry=one, by=by, reason=reason)
        messages.success(request, _("%(name)s is withdrawn.") % {"name": one})
    elif step == "disqualify":
        verbs.disqualify(entry=one, by=by, reason=reason)
        messages.success(request, _("%(name)s is disqualified.") % {"name": one})
    elif step == "return":
        back = verbs.return_entry(entry=one, by=by)
        messages.success(request, _("%(name)s: %(state)s.") % {"name": one, "state": back.get_state_display()})
    elif step == "call-up":
        verbs.call_up_reserve(entry=one, by=by)
        messages.success(request, _("%(name)s has a place.") % {"name": one})
    elif step == "reserve":
        verbs.make_reserve(entry=one, by=by)
        messages.success(request, _("%(name)s is a reserve.") % {"name": one})
    elif step in ("seat", "replace"):
        other = _other(request, one.event)
        if step == "seat":
            seat_reserve(leaving=one, entering=other, by=by)
        else:
            next_in_line.replace_finalist(entry=one, reserve=other, by=by)
        messages.success(request, _("%(new)s takes the place of %(old)s.") % {"new": other, "old": one})
    elif step in ("next-lots", "next-play-off"):
        line = verbs.finalist_in(one)
        if line is None:
            raise StepRefused(_("%(name)s holds no place that could be given on.") % {"name": one})
        level = next_in_line.next_for(line).level
        points = points_of(request, level) if step == "next-play-off" else None
        next_in_line.settle_next(line=line, by=by, entries=level, points=points)
    else:
        raise Http404


def points_of(request: HttpRequest, entries: Any) -> dict[int, int]:
    """Play-off points from the fields points-ID. Raises StepRefused when one is missing or no number."""
    points = {}
    for pk in entries:
        text = request.POST.get(f"points-{pk}", "").strip().replace("\N{MINUS SIGN}", "-")
        try:
            points[pk] = int(text)
        except ValueError:
            raise StepRefused(_("Write the play-off points of everybody who is level, as whole numbers.")) from None
        if abs(points[pk]) > 1_000_000:
            raise StepRefused(_("Play-off points are smaller than a million."))
    return points


def _other(request: HttpRequest, event: Event) -> Entry:
    return get_object_or_404(Entry, event=event, pk=whole_number(request.POST.get("other")))


def _place_of(event: Event, one: Entry) -> dict[str, Any]:
    """What may be done about the entry's place now."""
    finished = event.state == Event.State.FINISHED
    line = None if finished else verbs.finalist_in(one)
    offer = next_in_line.next_for(line) if line and one.state == Entry.State.WITHDRAWN else None
    seat = seat_of(one)
    reserve = None
    if (
        not finished
        and one.state == Entry.State.WITHDRAWN
        and offer is None
        and seat is not None
        and seat.draw.round.stage.number == 1
        and not has_begun(seat.group)
    ):
        reserve = verbs.first_reserve(event)
    by_pk = event.entries.in_bulk([*(offer.level if offer else ()), *([offer.entry] if offer and offer.entry else [])])
    following = event.stages.filter(number=line.cut.stage.number + 1).first() if line else None
    begun = bool(seat and has_begun(seat.group) and following and seat.draw.round.stage_id == following.pk)
    return {
        "line": line,
        "next_in_line": by_pk.get(offer.entry) if offer and offer.entry else None,
        "level": [by_pk[pk] for pk in offer.level] if offer else [],
        "nobody_left": bool(offer and not offer.entry and not offer.level),
        "begun": begun,
        "seat_drawn": bool(following and stage_draw(following)),
        "reserve": reserve,
        "room": verbs.room_in(event),
        "seat": seat,
        "finished": finished,
    }


def _example(listing: Listing, way: str) -> str:
    """A name as it would be with these columns."""
    cells = listing.rows[0].cells
    return " ".join(cells[int(n) - 1] for n in way.split("+") if int(n) <= len(cells))
