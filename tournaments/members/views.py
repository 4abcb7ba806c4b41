"""The pages of a club's members: the list, one member, a pasted list, a person's own page, all data about them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Exists, Max, OuterRef, QuerySet
from django.forms.models import model_to_dict
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from clubsite.accounts.models import Club, Member, MemberMerge
from clubsite.accounts.name_privacy import IN_FULL
from clubsite.accounts.roles import club_page, is_at_desk, is_director, own_member, public, request_actor
from clubsite.names import PersonField, make_slug, name_matches, name_sort_key
from scoring.pasted_names import name_key
from tournaments.engine.rounds import grouped
from tournaments.entries.forms import ListForm, NameForm, column_roles, read_sent_list
from tournaments.entries.known import OTHER, ByEar, Doubt, doubt_field, known_members, read_answers, store_answers
from tournaments.errors import StepRefused
from tournaments.exports.spreadsheets import Sheet
from tournaments.exports.views import sheet_response
from tournaments.members import actions
from tournaments.members.actions import can_remove, idle_entries, remove_guest, remove_member
from tournaments.members.erasing import ErasureResult, erase, is_left_in_file, preview_erasure
from tournaments.members.merging import current_merges, merge, preview_merge, unmerge
from tournaments.members.pasting import (
    BAD,
    KNOWN,
    LONGEST_CLASSES,
    LONGEST_NOTE,
    LONGEST_TELEPHONE,
    NEW,
    ListedPerson,
    MembersAdded,
    add_members,
    added_before,
    read_members,
)
from tournaments.members.personal_data import export_personal_data
from tournaments.members.record import member_record
from tournaments.models import Draw, Entry, Event, Seat
from tournaments.pictures import PersonNight, person_chart
from tournaments.requests import parse_submission, show_refusals, show_refusals_on, whole_number, whole_number_or_none


class MemberForm(NameForm):
    email = forms.EmailField(
        label=gettext_lazy("E-mail"), required=False, widget=forms.EmailInput(attrs={"autocomplete": "off"})
    )
    telephone = forms.CharField(
        label=gettext_lazy("Telephone"),
        max_length=LONGEST_TELEPHONE,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "tel"}),
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        max_length=LONGEST_NOTE,
        required=False,
        help_text=gettext_lazy("Only directors see e-mail, telephone and note."),
    )
    classes = forms.CharField(
        label=gettext_lazy("Classes"),
        max_length=LONGEST_CLASSES,
        required=False,
        help_text=gettext_lazy("For prizes by class, with commas between: Ladies, Juniors. Only directors see them."),
    )
    initials_only = forms.BooleanField(
        label=gettext_lazy("Initials only on public pages"),
        required=False,
        help_text=gettext_lazy(
            "Public pages, the hall board and the sheets on the wall show “A. K.” instead of the name."
        ),
    )

    def person(self) -> ListedPerson:
        data = self.cleaned_data
        return ListedPerson(data["name"], data["email"], data["telephone"], data["note"], data["classes"])


class MergeForm(forms.Form):
    other = PersonField(
        label=gettext_lazy("The same person is also on the list as"),
        queryset=Member.objects.none(),
        empty_label=gettext_lazy("choose"),
    )

    def __init__(self, *args: Any, club: Club, kept: Member, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["other"].queryset = (  # type: ignore[attr-defined]  # it has choices
            Member.objects.filter(club=club, erased_at=None).exclude(pk=kept.pk)
        )


MOST_ALIKE = 10  # pairs shown at a time


def list_members(club: Club, *, search: str = "", playing: bool = True) -> list[Member]:
    """The members by name, only active ones if `playing`. The search takes parts of words, without accents or capitals.
    One query."""
    listed = Member.objects.filter(club=club, erased_at=None)
    members = (m for m in (listed.filter(active=True) if playing else listed) if name_matches(m.name, search))
    return sorted(members, key=attrgetter("by_name"))


def count_nights(members: Sequence[Member]) -> list[tuple[Member, int, datetime | None]]:
    """Members with the number of finished nights on which they had a seat, and the date of the last. One query."""
    counted = {
        pk: (nights, last)
        for pk, nights, last in _finished_entries(Entry.objects.filter(member__in=members))
        .order_by()
        .values_list("member")
        .annotate(nights=Count("event", distinct=True), last=Max("event__starts_at"))
    }
    return [(member, *counted.get(member.pk, (0, None))) for member in members]


def _finished_entries(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Entries with a seat on a night that is over. A seat alone proves nothing: draws are published days ahead."""
    seats = Seat.objects.filter(entry=OuterRef("pk"), draw__state=Draw.State.PUBLISHED)
    return entries.filter(Exists(seats), event__state=Event.State.FINISHED)


def similar_pairs(members: Iterable[Member], answered: Mapping[str, str]) -> list[tuple[Member, Member]]:
    """Pairs of names that sound alike, the older member first, unless `answered` (`known.read_answers`) says that they
    are two people. No query."""
    before = ByEar[Member]()
    pairs = []
    for member in sorted(members, key=attrgetter("pk")):
        near = before.nearest(member.name)
        if near and answered.get(doubt_field(member.name, near.name)) != OTHER:
            pairs.append((near, member))
        before.add(member.name, member)
    return pairs[:MOST_ALIKE]


def list_guests(club: Club) -> list[dict[str, Any]]:
    """Guests on the lists of events, those who came most first: with the `member` who has this name or one like it, and
    whether nothing rests on the guest's entries (`idle`). Four queries."""
    removable = idle_entries(club)
    entries = Entry.objects.filter(event__club=club, member=None, stands_in=None).order_by("event__starts_at", "pk")
    over = Exists(_finished_entries(Entry.objects.filter(pk=OuterRef("pk"))))
    rows = entries.annotate(came=over).values_list("pk", "name", "event__starts_at", "came")
    of_name = grouped((name_key(name), (pk, name, at, came)) for pk, name, at, came in rows)
    members = known_members(club)
    standing = {member for member in members.values() if member.erased_at is None}
    people = ByEar((member.name, member) for member in sorted(standing, key=attrgetter("pk")))
    guests = []
    for same, guest_rows in of_name.items():
        name, days = guest_rows[-1][1], [at for _pk, _name, at, came in guest_rows if came]
        member = members.get(same) or people.nearest(name)
        guests.append(
            {
                "name": name,
                "nights": len(days),
                "last": days[-1] if days else None,
                "member": member,
                "same": same in members,
                "idle": all(pk in removable for pk, *_rest in guest_rows),
            }
        )
    return sorted(guests, key=lambda guest: (-guest["nights"], name_sort_key(guest["name"])))


ON_A_PAGE = 60


@club_page
def members(request: HttpRequest, club: Club) -> HttpResponse:
    if request.POST.get("step") == "two-people":
        pair = [get_member(club, whole_number(request.POST.get(name))) for name in ("member", "other")]
        doubt = Doubt(pair[0].name, pair[1], doubt_field(pair[0].name, pair[1].name), OTHER)
        store_answers(club=club, doubts=[doubt], by=request_actor(request))
        return redirect("members", club.slug)
    form, submission = MemberForm(request.POST or None), parse_submission(request.POST.get("submission"))
    if request.method == "POST" and form.is_valid():
        with show_refusals_on(form, "name"):
            added = actions.add_member(
                club=club,
                by=request_actor(request),
                person=form.person(),
                submission=submission,
                initials_only=form.cleaned_data["initials_only"],
            )
            messages.success(request, _("%(name)s is a member now.") % {"name": added})
            if actions.guest_entries(club, added.name):
                words = _("%(name)s has played as a guest. Are these nights theirs?") % {"name": added}
                messages.info(request, format_html('<a href="{}">{}</a>', reverse("guests", args=[club.slug]), words))
            return redirect("members", club.slug)
    search, playing = request.GET.get("q", "").strip()[:80], request.GET.get("show") != "all"
    everybody = list_members(club, playing=False)
    matches = list_members(club, search=search, playing=playing) if search or playing else everybody
    page = Paginator(matches, ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "submission": submission,
        "page": page,
        "lines": count_nights(list(page)),
        "search": search,
        "files": (("xlsx", "Excel"), ("ods", "OpenDocument"), ("csv", "CSV")),
        "playing": playing,
        "playing_count": sum(member.active for member in everybody),
        "all_count": len(everybody),
        "alike": [],
    }
    if is_director(request, club) and not search and page.number == 1:
        context["alike"] = similar_pairs(everybody, read_answers(club, {}))
    return render(request, "tournaments/members/members.html", context)


@club_page
@require_safe
def members_file(request: HttpRequest, club: Club, *, kind: str) -> HttpResponse:
    """The members as a table that `paste` can read again; with `?show=all` also inactive ones."""
    members = list_members(club, playing=request.GET.get("show") != "all")
    heads = (_("Name"), _("E-mail"), _("Telephone"), _("Note"), _("Classes"), _("Initials only"))
    rows = [(m.name, m.email, m.telephone, m.note, m.classes, _("yes") if m.initials_only else "") for m in members]
    return sheet_response(Sheet(f"{club.name} {_('members')}", heads, rows), kind)


@club_page
def change(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    this_member = get_member(club, member)
    step = request.POST.get("step", "")
    form = MemberForm(request.POST if step == "change" else None, initial=model_to_dict(this_member))
    by = request_actor(request)
    verbs: dict[str, Callable[..., Member]] = {
        "stop": partial(actions.set_active, active=False),
        "again": partial(actions.set_active, active=True),
        "count": partial(actions.count_guest_nights, count=True),
        "not-count": partial(actions.count_guest_nights, count=False),
    }
    if step in verbs:
        with show_refusals(request):
            verbs[step](member=this_member, by=by)
            messages.success(request, _("Saved."))
        return redirect("member", club.slug, this_member.pk)
    if step == "off":
        with show_refusals(request):
            remove_member(member=this_member, by=by)
            messages.success(request, _("%(name)s is off the list.") % {"name": this_member})
            return redirect("members", club.slug)
    if step == "change" and form.is_valid():
        with show_refusals_on(form, "name"):
            actions.change_member(
                member=this_member, by=by, person=form.person(), initials_only=form.cleaned_data["initials_only"]
            )
            messages.success(request, _("Saved."))
            return redirect("member", club.slug, this_member.pk)
    guest_nights = actions.nights_as_guest(this_member)
    context = {
        "member": this_member,
        "form": form,
        "guest_nights": len(guest_nights),
        "guest_nights_apart": sum(entry.guest_in_season for entry in guest_nights),
        "merge": MergeForm(club=club, kept=this_member),
        "idle": can_remove(this_member),
    }
    return render(request, "tournaments/members/member.html", context)


@club_page
def guests(request: HttpRequest, club: Club) -> HttpResponse:
    """Guests of events, who can become members, or be removed while idle."""
    if request.POST.get("step") == "off":
        with show_refusals(request):
            gone = remove_guest(club=club, by=request_actor(request), name=request.POST.get("guest", ""))
            messages.success(request, _("%(name)s is off the list.") % {"name": gone})
        return redirect("guests", club.slug)
    if request.method == "POST":
        pk = whole_number_or_none(request.POST.get("member"))
        member = get_object_or_404(Member, club=club, pk=pk, erased_at=None) if pk else None
        guest, answer = request.POST.get("guest", ""), request.POST.get("count")
        if answer is None and (nights := actions.guest_season_nights(club, guest)):
            context = {"guest": guest, "member": member, "nights": nights}
            return render(request, "tournaments/members/join.html", context)
        with show_refusals(request):
            joined = actions.join_guest(
                club=club, by=request_actor(request), name=guest, member=member, count=answer != "no"
            )
            messages.success(request, _("%(name)s is a member now.") % {"name": joined})
        return redirect("guests", club.slug)
    page = Paginator(list_guests(club), ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/members/guests.html", {"page": page})


def get_member(club: Club, pk: int) -> Member:
    """A member on the club's list. Raises Http404."""
    return get_object_or_404(Member.objects.select_related("club"), club=club, pk=pk, erased_at=None)


@club_page
def merge_with(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    kept = get_member(club, member)
    form = MergeForm(request.POST or None, club=club, kept=kept, initial={"other": request.GET.get("other")})
    context = {"member": kept, "form": form}
    if request.method == "POST" and form.is_valid():
        other, by = form.cleaned_data["other"], request_actor(request)
        with show_refusals(request):
            if request.POST.get("step") == "merge":
                merge(kept=kept, merged=other, by=by, seen=request.POST.get("seen", ""))
                words = _("%(other)s is merged into %(kept)s; to undo this, open “Merged names” under Members.")
                words %= {"other": other, "kept": kept}
                messages.success(request, words)
                return redirect("person", club.slug, kept.pk)
        with show_refusals(request):
            context |= {"other": other, "effect": preview_merge(kept=kept, merged=other, by=by)}
    return render(request, "tournaments/members/merge.html", context)


@club_page
def merges(request: HttpRequest, club: Club) -> HttpResponse:
    if request.method == "POST":
        this_merge = get_object_or_404(MemberMerge, club=club, pk=whole_number(request.POST.get("merge")))
        with show_refusals(request):
            back = unmerge(merge=this_merge, by=request_actor(request))
            messages.success(request, _("%(name)s is on the list again.") % {"name": back})
        return redirect("merges", club.slug)
    return render(request, "tournaments/members/merges.html", {"merges": current_merges(club)})


@club_page
def paste(request: HttpRequest, club: Club) -> HttpResponse:
    """Paste a list of members as text or file: previewed, then added."""
    form = ListForm(request.POST or None, request.FILES or None)
    form.fields["names"].help_text = _(
        "One person in each row. With columns for e-mail, telephone or a note, the first row says what is in them."
    )
    above = {"leave": reverse("members", args=[club.slug]), "up": _("Members")}
    context: dict[str, Any] = {
        "form": form,
        "title": _("Paste a list of members"),
        "lede": _("You can check every name before anybody is added."),
        "save": _("Check the names"),
        "sheet": True,
        **above,
    }
    if request.method != "POST" or not form.is_valid():
        return render(request, "form_page.html", context)
    with show_refusals_on(form, form.source_field):
        sent = read_sent_list(request, form)
        pasted = read_members(
            club, sent.text, answers=read_answers(club, request.POST), columns=column_roles(request, club)
        )
        if not pasted.rows:
            form.add_error(form.source_field, _("There is nobody in this list. Paste names, or choose a file."))
    if form.errors:
        return render(request, "form_page.html", context, status=422)
    submission, ticked = parse_submission(request.POST.get("submission")), request.POST.getlist("change")
    if request.POST.get("step") == "add":
        pasted = pasted.with_replacements(ticked)
        with show_refusals(request):
            done = added_before(club, submission)
            if done is None and not all(doubt.answer for doubt in pasted.doubts):
                raise StepRefused(_("For each name that sounds like another, say whether it is the same person."))
            done = done or add_members(
                club=club, people=pasted.people, by=request_actor(request), submission=submission
            )
            store_answers(club=club, doubts=pasted.doubts, by=request_actor(request))
            messages.success(request, _describe_added(done))
            return redirect("members", club.slug)
    context = {
        "listing": pasted,
        "new": pasted.rows_in_state(NEW),
        "known": pasted.rows_in_state(KNOWN),
        "bad": pasted.rows_in_state(BAD),
        "doubts": pasted.doubts,
        "changing": [
            (row, row.mark in ticked or row.mark not in request.POST.getlist("offered"))
            for row in pasted.rows
            if row.changes
        ],
        "contacts": any(row.person.email or row.person.telephone or row.person.note for row in pasted.rows),
        "submission": submission,
        **above,
        **sent.context(pasted.listing, contact=True),
    }
    return render(request, "tournaments/members/pasting/look.html", context)


def _describe_added(done: MembersAdded) -> str:
    words = ngettext("%(n)d member is added.", "%(n)d members are added.", len(done.made)) % {"n": len(done.made)}
    if done.filled:
        words += " " + ngettext(
            "The details of %(n)d existing member were updated.",
            "The details of %(n)d existing members were updated.",
            done.filled,
        ) % {"n": done.filled}
    return words


FIRST = 10  # lines of a list that are shown at once; the rest on a tap


@public
def person(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    this_member = get_object_or_404(Member.every.select_related("merged_into"), club=club, pk=member)
    inside, is_own = is_at_desk(request, club), own_member(request, club) == this_member.pk
    if this_member.merged_into is not None:
        return redirect("person", club.slug, this_member.merged_into.pk)
    if not (inside or is_own) and (this_member.initials_only or this_member.erased_at):
        raise Http404
    this_member.club = club
    record = member_record(this_member)
    events = {night.entry.event_id: night.entry.event for night in record.nights}
    partners = _first_lines(request, "partners", lines=record.partners)
    partners |= {"title": _("Partners"), "per_deal": _("Points per deal")}
    opponents = _first_lines(request, "opponents", lines=record.opponents) | {"title": _("Opponents")}
    context = {
        "member": this_member,
        "inside": inside,
        "own": is_own,
        "may_change": is_director(request, club) and not this_member.erased_at,
        "record": record,
        "several": len(record.averages) > 1,
        "bids": any(average.rules.bid_held for average in record.averages),
        "nights": _first_lines(request, "nights", lines=record.nights),
        "met": [people for people in (partners, opponents) if people["lines"]],
        "best": [(average, [(deal, events.get(deal.event)) for deal in average.best]) for average in record.averages],
        "chart": person_chart(
            [
                PersonNight(
                    date_format(localtime(night.entry.event.starts_at), "MONTH_DAY_FORMAT"),
                    night.place,
                    night.of,
                    night.points,
                )
                for night in reversed(record.nights)
            ]
        ),
    }
    response = render(request, "tournaments/members/person/person.html", context)
    setattr(response, IN_FULL, inside)
    return response


def _first_lines(request: HttpRequest, name: str, *, lines: Sequence[Any]) -> dict[str, Any]:
    """The first lines of a list, or all if the visitor asks for them (`?show=`), and how many more there are."""
    shown = lines if request.GET.get("show") == name else lines[:FIRST]
    return {"name": name, "lines": shown, "more": len(lines) - len(shown), "all": len(lines)}


@require_POST
@club_page
def export(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    """Download everything stored about a member as JSON. Only POST, because it is logged."""
    this_member = get_member(club, member)
    data = export_personal_data(this_member, by=request_actor(request))
    headers = {"Content-Disposition": f'attachment; filename="{make_slug(this_member.name) or "person"}.json"'}
    return JsonResponse(data, headers=headers, json_dumps_params={"indent": 1, "ensure_ascii": False})


@club_page
def erase_person(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    this_member = get_member(club, member)
    if request.method == "POST":
        with show_refusals(request):
            erased = erase(member=this_member, by=request_actor(request), typed=request.POST.get("typed", ""))
            _report_erasure(request, erased)
            return redirect("members", club.slug)
    context = {"member": this_member, "found": preview_erasure(this_member)}
    return render(request, "tournaments/members/erase.html", context)


def _report_erasure(request: HttpRequest, erased: ErasureResult) -> None:
    in_file = is_left_in_file(erased.texts)
    if erased.left:
        words = _("Erased, but not everywhere: please report this. Results are now under “%(name)s”.")
        where = ", ".join(f"{kind} ({count})" for kind, count in erased.left.items())
        messages.error(request, _("The name is still in: %(where)s.") % {"where": where})
    elif in_file is False:
        words = _(
            "Erased. Results are now under “%(name)s”. A search found the name in none of the club's records, and "
            "nothing of it among deleted data in the database's file."
        )
    else:
        words = _("Erased. Results are now under “%(name)s”. A search found the name in none of the club's records.")
    messages.success(request, words % {"name": erased.replacement})
    if in_file:
        words = _(
            "The database's file still has it among deleted data. Stop the site once and start it again to clear it."
        )
        messages.warning(request, words)
    if erased.elsewhere:
        messages.info(request, _("Another club on this site has this name too. Only that club can erase it there."))
