"""Merging two members: whom, what would move, and the way back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club, MemberMerge
from clubsite.accounts.roles import actor_of, club_page
from tournaments.members.forms import MergeForm
from tournaments.members.merging import effect_of, merge, merges_of, take_back
from tournaments.members.views import member_of
from tournaments.requests import refusals_told, whole_number


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
                words = _("%(other)s is merged into %(kept)s.") % {"other": other, "kept": kept}
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
