"""Members from a list: the list, then a look at it, then all at once."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from tournaments.entries.forms import columns_of, sent_list
from tournaments.entries.known import answers, remember
from tournaments.errors import StepRefused
from tournaments.members.forms import PasteForm
from tournaments.members.pasting import (
    BAD,
    KNOWN,
    NEW,
    Added,
    add_members,
    added_before,
    read_members,
)
from tournaments.requests import refusals_on, refusals_told, submission_in


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
