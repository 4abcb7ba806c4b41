"""The pages of a club's members: the list, one member, a pasted list, a person's own page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms.models import model_to_dict
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club, Member, MemberMerge
from clubsite.accounts.name_privacy import IN_FULL
from clubsite.accounts.roles import actor_of, club_page, is_at_desk, is_director, own_member, public
from tournaments.entries.forms import columns_of, sent_list
from tournaments.entries.known import OTHER, Doubt, answers, field_for, remember
from tournaments.errors import StepRefused
from tournaments.members import actions
from tournaments.members.actions import may_be_taken_off, take_guest_off, take_member_off
from tournaments.members.forms import MemberForm, MergeForm, PasteForm
from tournaments.members.listing import alike_among, guests_of, lines_of, members_of
from tournaments.members.merging import effect_of, merge, merges_of, take_back
from tournaments.members.pasting import (
    BAD,
    KNOWN,
    NEW,
    Added,
    add_members,
    added_before,
    read_members,
)
from tournaments.members.record import PlayedNight, record_of
from tournaments.pictures import PersonNight, person_chart
from tournaments.requests import refusals_on, refusals_told, submission_in, whole_number, whole_number_or_none

ON_A_PAGE = 60


@club_page
def members(request: HttpRequest, club: Club) -> HttpResponse:
    """The members by name, and the form for one more."""
    directs = is_director(request, club)
    if request.POST.get("step") == "two-people":
        pair = [member_of(club, whole_number(request.POST.get(name))) for name in ("member", "other")]
        doubt = Doubt(pair[0].name, pair[1], field_for(pair[0].name, pair[1].name), OTHER)
        remember(club=club, doubts=[doubt], by=actor_of(request))
        return redirect("members", club.slug)
    form, submission = MemberForm(request.POST or None), submission_in(request.POST.get("submission"))
    if request.method == "POST" and form.is_valid():
        with refusals_on(form, "name"):
            added = actions.add_member(
                club=club,
                by=actor_of(request),
                person=form.person(),
                submission=submission,
                initials_only=form.cleaned_data["initials_only"],
            )
            messages.success(request, _("%(name)s is a member now.") % {"name": added})
            if actions.entries_of_guest(club, added.name):
                words = _("%(name)s has played as a guest. Are these nights theirs?") % {"name": added}
                messages.info(request, format_html('<a href="{}">{}</a>', reverse("guests", args=[club.slug]), words))
            return redirect("members", club.slug)
    search, playing = request.GET.get("q", "").strip()[:80], request.GET.get("show") != "all"
    everybody = members_of(club, playing=False)
    found = members_of(club, search=search, playing=playing) if search or playing else everybody
    page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "submission": submission,
        "page": page,
        "lines": lines_of(list(page)),
        "search": search,
        "playing": playing,
        "playing_count": sum(member.active for member in everybody),
        "all_count": len(everybody),
        "alike": alike_among(everybody, answers(club, {})) if directs and not search and page.number == 1 else [],
    }
    return render(request, "tournaments/members/members.html", context)


@club_page
def change(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    """What is kept of one member, whether they still play, and the ways to taking them off the list,
    merging, exporting and erasing."""
    found = member_of(club, member)
    step = request.POST.get("step", "")
    form = MemberForm(request.POST if step == "change" else None, initial=model_to_dict(found))
    by = actor_of(request)
    if step in ("stop", "again"):
        with refusals_told(request):
            actions.set_active(member=found, by=by, active=step == "again")
            messages.success(request, _("Saved."))
        return redirect("member", club.slug, found.pk)
    if step in ("count", "not-count"):
        with refusals_told(request):
            actions.count_guest_nights(member=found, by=by, count=step == "count")
            messages.success(request, _("Saved."))
        return redirect("member", club.slug, found.pk)
    if step == "off":
        with refusals_told(request):
            take_member_off(member=found, by=by)
            messages.success(request, _("%(name)s is off the list.") % {"name": found})
            return redirect("members", club.slug)
    if step == "change" and form.is_valid():
        with refusals_on(form, "name"):
            actions.change_member(
                member=found, by=by, person=form.person(), initials_only=form.cleaned_data["initials_only"]
            )
            messages.success(request, _("Saved."))
            return redirect("member", club.slug, found.pk)
    guest_nights = actions.guest_nights_of(found)
    context = {
        "member": found,
        "form": form,
        "guest_nights": len(guest_nights),
        "guest_nights_apart": sum(entry.guest_in_season for entry in guest_nights),
        "merge": MergeForm(club=club, kept=found),
        "idle": may_be_taken_off(found),
    }
    return render(request, "tournaments/members/member.html", context)


@club_page
def guests(request: HttpRequest, club: Club) -> HttpResponse:
    """Guests of events, who can become members, and names on which nothing rests, which can be taken off."""
    if request.POST.get("step") == "off":
        with refusals_told(request):
            gone = take_guest_off(club=club, by=actor_of(request), name=request.POST.get("guest", ""))
            messages.success(request, _("%(name)s is off the list.") % {"name": gone})
        return redirect("guests", club.slug)
    if request.method == "POST":
        pk = whole_number_or_none(request.POST.get("member"))
        member = get_object_or_404(Member, club=club, pk=pk, erased_at=None) if pk else None
        guest, answer = request.POST.get("guest", ""), request.POST.get("count")
        if answer is None and (nights := actions.season_nights_of_guest(club, guest)):
            context = {"guest": guest, "member": member, "nights": nights}
            return render(request, "tournaments/members/join.html", context)
        with refusals_told(request):
            joined = actions.join_guest(
                club=club, by=actor_of(request), name=guest, member=member, count=answer != "no"
            )
            messages.success(request, _("%(name)s is a member now.") % {"name": joined})
        return redirect("guests", club.slug)
    page = Paginator(guests_of(club), ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/members/guests.html", {"page": page})


def member_of(club: Club, pk: int) -> Member:
    """A member who is on the club's list. Raises Http404."""
    return get_object_or_404(Member.objects.select_related("club"), club=club, pk=pk, erased_at=None)


@club_page
def merge_with(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    """Choose the other spelling, look at what would move, and merge."""
    kept = member_of(club, member)
    form = MergeForm(request.POST or None, club=club, kept=kept, initial={"other": request.GET.get("other")})
    context = {"member": kept, "form": form}
    if request.method == "POST" and form.is_valid():
        other, by = form.cleaned_data["other"], actor_of(request)
        with refusals_told(request):
            if request.POST.get("step") == "merge":
                merge(kept=kept, merged=other, by=by, seen=request.POST.get("seen", ""))
                words = _("%(other)s is merged into %(kept)s, who is kept. Under Members, “Merged names” undoes it.")
                words %= {"other": other, "kept": kept}
                messages.success(request, words)
                return redirect("person", club.slug, kept.pk)
        with refusals_told(request):
            context |= {"other": other, "effect": effect_of(kept=kept, merged=other, by=by)}
    return render(request, "tournaments/members/merge.html", context)


@club_page
def merges(request: HttpRequest, club: Club) -> HttpResponse:
    """The merges that stand, each with its way back."""
    if request.method == "POST":
        found = get_object_or_404(MemberMerge, club=club, pk=whole_number(request.POST.get("merge")))
        with refusals_told(request):
            back = take_back(merge=found, by=actor_of(request))
            messages.success(request, _("%(name)s is on the list again.") % {"name": back})
        return redirect("merges", club.slug)
    return render(request, "tournaments/members/merges.html", {"merges": merges_of(club)})


@club_page
def paste(request: HttpRequest, club: Club) -> HttpResponse:
    """A list of members as text or file; nothing is added before it was looked at."""
    form = PasteForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "tournaments/members/pasting/paste.html", {"form": form})
    with refusals_on(form, form.field):
        sent = sent_list(request, form)
        pasted = read_members(club, sent.text, said=answers(club, request.POST), columns=columns_of(request, club))
        if not pasted.rows:
            form.add_error(form.field, _("There is nobody in this list. Paste names, or choose a file."))
    if form.errors:
        return render(request, "tournaments/members/pasting/paste.html", {"form": form}, status=422)
    submission = submission_in(request.POST.get("submission"))
    if request.POST.get("step") == "add":
        with refusals_told(request):
            done = added_before(club, submission)
            if done is None and not all(doubt.said for doubt in pasted.doubts):
                raise StepRefused(_("Say of each name that sounds like another whether it is the same person."))
            done = done or add_members(club=club, people=pasted.people, by=actor_of(request), submission=submission)
            remember(club=club, doubts=pasted.doubts, by=actor_of(request))
            messages.success(request, _added_words(done))
            return redirect("members", club.slug)
    context = {
        "listing": pasted,
        "new": pasted.of(NEW),
        "known": pasted.of(KNOWN),
        "bad": pasted.of(BAD),
        "doubts": pasted.doubts,
        "contacts": any(row.person.email or row.person.telephone or row.person.note for row in pasted.rows),
        "submission": submission,
        **sent.shown(pasted.listing, contact=True),
    }
    return render(request, "tournaments/members/pasting/look.html", context)


def _added_words(done: Added) -> str:
    words = ngettext("%(n)d member is added.", "%(n)d members are added.", len(done.made)) % {"n": len(done.made)}
    if done.filled:
        words += " " + ngettext(
            "What the list says of %(n)d member already here is filled in.",
            "What the list says of %(n)d members already here is filled in.",
            done.filled,
        ) % {"n": done.filled}
    return words


FIRST = 10  # lines of a list that come at once; the rest comes on a tap


@public
def person(request: HttpRequest, club: Club, *, member: int) -> HttpResponse:
    """Nights, points a deal, bids, who was met and the best deals of one member."""
    found = get_object_or_404(Member.every.select_related("merged_into"), club=club, pk=member)
    inside, own = is_at_desk(request, club), own_member(request, club) == found.pk
    if found.merged_into is not None:
        return redirect("person", club.slug, found.merged_into.pk)
    if not (inside or own) and (found.initials_only or found.erased_at):
        raise Http404
    found.club = club
    record = record_of(found)
    events = {night.entry.event_id: night.entry.event for night in record.nights}
    context = {
        "member": found,
        "inside": inside,
        "own": own,
        "may_change": is_director(request, club) and not found.erased_at,
        "record": record,
        "several": len(record.averages) > 1,
        "bids": any(one.rules.family.bid_held for one in record.averages),
        "nights": _open(request, "nights", lines=record.nights),
        "partners": _open(request, "partners", lines=record.partners),
        "opponents": _open(request, "opponents", lines=record.opponents),
        "best": [(one, [(deal, events.get(deal.event)) for deal in one.best]) for one in record.averages],
        "chart": person_chart([_as_drawn(night) for night in reversed(record.nights)]),
    }
    response = render(request, "tournaments/members/person/person.html", context)
    setattr(response, IN_FULL, inside)
    return response


def _as_drawn(night: PlayedNight) -> PersonNight:
    """A night as the picture has it: by its date."""
    day = date_format(localtime(night.entry.event.starts_at), "MONTH_DAY_FORMAT")
    return PersonNight(day, night.place, night.of, night.points)


def _open(request: HttpRequest, name: str, *, lines: Sequence[Any]) -> dict[str, Any]:
    """The first lines of a list, or all where the visitor asks for them (`?show=`), and how many more there are."""
    shown = lines if request.GET.get("show") == name else lines[:FIRST]
    return {"name": name, "lines": shown, "more": len(lines) - len(shown), "all": len(lines)}
