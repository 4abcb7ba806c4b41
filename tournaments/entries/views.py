"""The pages of a competition's entries, and of who plays with whom."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any
from uuid import UUID

import django_tables2 as tables
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clubsite.accounts.models import Club
from clubsite.accounts.roles import request_actor
from clubsite.names import name_sort_key
from scoring.pasted_names import Listing, read_names
from tournaments.entries import actions as entries_actions
from tournaments.entries.forms import ImportForm, NameForm, column_roles, read_sent_list
from tournaments.entries.known import (
    SAME,
    Doubt,
    find_doubts,
    find_name_doubts,
    names_to_enter,
    read_answers,
    store_answers,
)
from tournaments.entries.partners import join_rest, join_side, part_side, set_side_club, sides_and_singles
from tournaments.errors import StepRefused
from tournaments.events.stages import misfit_message
from tournaments.models import Draw, Entry, Event, Seat, joint_name
from tournaments.requests import (
    competition_page,
    event_page,
    parse_submission,
    show_refusals,
    show_refusals_on,
    whole_number,
)
from tournaments.tables import FIGURES, NameColumn, ScoreTable

MARKS = {Entry.State.HERE: "agreed", Entry.State.RESERVE: "waiting", Entry.State.WITHDRAWN: "void"}


class EntriesTable(ScoreTable):
    number = tables.Column(verbose_name=gettext_lazy("No."), attrs=FIGURES)
    name = NameColumn(verbose_name=gettext_lazy("Name"))
    state = tables.Column(verbose_name=gettext_lazy("State"))
    seat = tables.Column(
        verbose_name=gettext_lazy("Table"),
        accessor="pk",
        orderable=False,
        default="",
        attrs={"td": {"data-label": gettext_lazy("Table")}},
    )
    member = tables.Column(
        verbose_name=gettext_lazy("Member"),
        accessor="member__name",
        order_by=("member__by_name",),
        default="",
        attrs={"td": {"data-label": gettext_lazy("Member")}},
    )
    note = tables.Column(verbose_name=gettext_lazy("Note"), default="")
    change = tables.Column(verbose_name=gettext_lazy("Change"), accessor="pk", orderable=False)

    class Meta(ScoreTable.Meta):
        attrs = {"class": "score-table folds"}
        sequence = ("number", "name", "state", "seat", "member", "note", "change")

    def __init__(self, *args: Any, event: Event, seats: dict[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        self.seats = seats

    def render_name(self, value: str) -> SafeString:
        return format_html('<span class="name">{}</span>', value)

    def render_state(self, value: str, record: Entry) -> SafeString:
        return format_html('<span class="state state-{}">{}</span>', MARKS[Entry.State(record.state)], value)

    def render_seat(self, record: Entry) -> str:
        return self.seats.get(record.pk, "")

    def render_note(self, value: str, record: Entry) -> str:
        return value if record.eligible else _("may not go on: %(why)s") % {"why": value}

    def render_change(self, record: Entry) -> SafeString:
        url = reverse("entry", args=[self.event.club.slug, self.event.slug, record.pk])
        return format_html(
            '<a class="btn btn-outline-primary btn-sm" href="{}" aria-label="{}">{}</a>',
            url,
            _("Change %(name)s") % {"name": record.name},
            _("Change"),
        )


def entries_table(
    request: HttpRequest, event: Event, *, entries: Sequence[Entry], seats: dict[int, str]
) -> EntriesTable:
    filled = {"seat": seats, "member": any(e.member_id for e in entries), "note": any(e.note for e in entries)}
    empty = [name for name, something in filled.items() if not something]
    table = EntriesTable(entries, event=event, seats=seats, exclude=empty)
    tables.RequestConfig(request, paginate=False).configure(table)
    return table


@competition_page
def entries(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    form = NameForm(request.POST or None)
    answered = read_answers(club, request.POST)
    doubts = find_name_doubts(event, form.cleaned_data["name"], answers=answered) if form.is_valid() else []
    if any(not doubt.answer for doubt in doubts):
        form.add_error("name", _("This name sounds like somebody's. Say whether it is the same person."))
    if request.method == "POST" and form.is_valid():
        with show_refusals_on(form, "name"):
            name = next((doubt.like.name for doubt in doubts if doubt.answer == SAME), form.cleaned_data["name"])
            added = entries_actions.add_entry(event=event, by=request_actor(request), name=name)
            store_answers(club=club, doubts=doubts, by=request_actor(request))
            words = _("%(name)s is entered as number %(n)d.")
            if added.state == Entry.State.RESERVE:
                words = _("All places are taken: %(name)s is a reserve, number %(n)d.")
            messages.success(request, words % {"name": added, "n": added.number})
            return redirect("entries", club.slug, event.slug)
    rows = list(event.entries.select_related("member"))
    seats = Seat.objects.filter(draw__round__stage__event=event, draw__state=Draw.State.PUBLISHED)
    where = {
        entry: event.group_label(table, group)
        for entry, table, group in seats.order_by("draw__round__stage__number").values_list(
            "entry_id", "group__table__number", "group__number"
        )
    }
    entries_here = sum(row.state == Entry.State.HERE and row.stands_in_id is None for row in rows)
    filling = [row for row in rows if row.state == Entry.State.HERE and row.stands_in_id is not None]
    context = {
        "event": event,
        "form": form,
        "doubts": doubts,
        "table": entries_table(request, event, entries=rows, seats=where) if rows else None,
        "here": entries_here,
        "stand_ins": len(filling),
        "reserves": sum(row.state == Entry.State.RESERVE for row in rows),
        "withdrawn": sum(row.state == Entry.State.WITHDRAWN and row.stands_in_id is None for row in rows),
        **places_context(event, entries_here, drawn=bool(where), stand_ins=len(filling)),
    }
    return render(request, "tournaments/entries/entries.html", context)


@competition_page
def import_names(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """Names from a file or text: previewed, then entered."""
    form = ImportForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {
        "event": event,
        "form": form,
        "leave": reverse("entries", args=[club.slug, event.slug]),
        "up": _("Entries of %(event)s") % {"event": event.name},
        "sheet": True,
        "room": entries_actions.free_places(event),
    }
    if request.method != "POST" or not form.is_valid():
        return render(request, "tournaments/entries/entries_import.html", context)
    with show_refusals_on(form, form.source_field):
        sent = read_sent_list(request, form)
        listing = read_names(sent.text, columns=column_roles(request, club), taken=entries_actions.taken_names(event))
    if form.errors:
        return render(request, "tournaments/entries/entries_import.html", context, status=422)
    submission = parse_submission(request.POST.get("submission"))
    doubts = find_doubts(event, listing.good, answers=read_answers(club, request.POST))
    if request.POST.get("step") in ("enter", "enter-good"):
        with show_refusals(request):
            return _enter_names(request, event, listing=listing, doubts=doubts, submission=submission)
    if not listing.rows:
        form.add_error(form.source_field, _("There are no names in this list. Choose a file, or write names."))
        return render(request, "tournaments/entries/entries_import.html", context, status=422)
    entered = list(names_to_enter(listing.good, doubts).values())
    reserves = [] if context["room"] is None else entered[context["room"] :]
    context |= {
        "listing": listing,
        "bad": listing.bad,
        "doubts": doubts,
        "unsaid": [doubt.name for doubt in doubts if not doubt.answer],
        "entered": entered,
        "submission": submission,
        "ask_letters": sent.guessed is not None or "letters" in request.POST or request.POST.get("guessed") == "1",
        "reserves": reserves,
        **sent.context(listing),
        **places_context(
            event,
            event.entries.filter(state=Entry.State.HERE, stands_in=None).count() + len(entered) - len(reserves),
        ),
    }
    return render(request, "tournaments/entries/entries_preview.html", context)


def places_context(event: Event, entries_here: int, *, drawn: bool = False, stand_ins: int = 0) -> dict[str, Any]:
    """How many places are free, how many entries too many, and what to do if they don't fit groups."""
    free = (event.places or 0) - entries_here
    return {
        "free": free if free > 0 and entries_here and not drawn else 0,
        "over": -free if free < 0 and event.places else 0,
        "fit": misfit_message(event, entries_here + stand_ins) if entries_here and not drawn else "",
    }


def _enter_names(
    request: HttpRequest, event: Event, *, listing: Listing, doubts: Sequence[Doubt], submission: UUID
) -> HttpResponse:
    """Raises StepRefused if the list can't be entered as it is."""
    if request.POST.get("guessed") == "1" and "letters" not in request.POST:
        raise StepRefused(_("Check the letters of the names first, then tick that they are right."))
    again = entries_actions.imported_before(event, submission) is not None
    if listing.bad and request.POST.get("step") != "enter-good" and not again:
        raise StepRefused(_("Some rows can't be entered. Correct them in the list, or enter only the others."))
    if not again and not all(doubt.answer for doubt in doubts):
        raise StepRefused(_("For each name that sounds like another, say whether it is the same person."))
    names = list(names_to_enter(listing.good, doubts))
    entered = entries_actions.import_names(event=event, names=names, by=request_actor(request), submission=submission)
    store_answers(club=event.club, doubts=doubts, by=request_actor(request))
    reserves = sum(entry.state == Entry.State.RESERVE for entry in entered)
    words = ngettext("%(n)d name is entered.", "%(n)d names are entered.", len(entered)) % {"n": len(entered)}
    if reserves:
        words += " " + ngettext("%(n)d of them is a reserve.", "%(n)d of them are reserves.", reserves) % {
            "n": reserves
        }
    messages.success(request, words)
    return redirect("entries", event.club.slug, event.slug)


@event_page
def partners(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """The sides of an event before it begins: join people, by name or by lot, part a side, set its club."""
    if not event.makes_sides:
        raise Http404
    if request.method == "POST":
        with show_refusals(request):
            _do_partners_step(request, event)
        return redirect("partners", club.slug, event.slug)
    sides, alone = sides_and_singles(event)
    context = {
        "event": event,
        "sides": sides,
        "alone": alone,
        "seats": range(event.per_side),
        "match": event.traits.between_clubs,
        "clubs": sorted({e.plays_for for side in sides for e in side if e.plays_for}, key=name_sort_key),
        "closed": event.state == Event.State.FINISHED,
    }
    return render(request, "tournaments/entries/partners.html", context)


def _do_partners_step(request: HttpRequest, event: Event) -> None:
    post, by = request.POST, request_actor(request)
    if post.get("step") == "join":
        chosen = [whole_number(value) for value in post.getlist("entry") if value]
        people = list(Entry.objects.filter(event=event, pk__in=chosen))
        join_side(event=event, entries=people, by=by, plays_for=" ".join(post.get("plays_for", "").split())[:40])
        names = joint_name(sorted(people, key=attrgetter("number")))
        messages.success(request, _("%(names)s play together.") % {"names": names})
    elif post.get("step") == "rest":
        number = join_rest(event=event, by=by)
        words = ngettext("%(n)d side was made by lot.", "%(n)d sides were made by lot.", number)
        messages.success(request, words % {"n": number})
    elif post.get("step") == "part":
        part_side(event=event, number=whole_number(post.get("side", "")), by=by)
    elif post.get("step") == "club":
        set_side_club(
            event=event, number=whole_number(post.get("side", "")), club_name=post.get("plays_for", ""), by=by
        )
        messages.success(request, _("Saved."))
    else:
        raise Http404
