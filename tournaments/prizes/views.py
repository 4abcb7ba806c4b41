"""The prizes of an event on the director's desk: the list, who wins, publishing it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor, Club
from clubsite.accounts.roles import actor_of, club_page
from tournaments.errors import StepRefused
from tournaments.models import Event
from tournaments.prizes import actions
from tournaments.prizes.forms import PlanForm
from tournaments.prizes.proposal import lines_in, out_of_date, plan_of, proposal_of, published_prizes
from tournaments.prizes.words import line_words, lots_told
from tournaments.requests import event_of, refusals_told, whole_number


@club_page
def prizes(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Which prizes there are, who wins them by the result, and publishing that."""
    found = event_of(club, event)
    plan = plan_of(found)
    form = PlanForm(found, plan)
    if request.method == "POST" and request.POST.get("step") == "plan":
        form = PlanForm(found, plan, sent=request.POST)
        with refusals_told(request):
            if form.is_valid():
                actions.plan_prizes(event=found, by=actor_of(request), **form.facts())
                messages.success(request, _("The prizes are kept."))
                return redirect("prizes", club.slug, found.slug)
    elif request.method == "POST":
        with refusals_told(request):
            _take_step(request, found, by=actor_of(request))
        return redirect("prizes", club.slug, found.slug)
    now = proposal_of(found, plan)
    standing = published_prizes(found)
    changed = standing and out_of_date(standing, now)
    context: dict[str, Any] = {
        "event": found,
        "plan": plan,
        "form": form,
        "now": now,
        "lines": line_words(now.lines, club.money) if now else [],
        "lots": lots_told(now.lines, plan.lots) if now and plan else [],
        "drawn": bool(plan and plan.lots and "undone" not in plan.lots[-1]),
        "standing": standing,
        "changed": changed,
        "stood": line_words(lines_in(standing), standing.currency) if standing and changed else [],
        "versions": found.published_prizes.order_by("-number"),
    }
    return render(request, "tournaments/prizes/prizes.html", context)


def _take_step(request: HttpRequest, event: Event, *, by: Actor) -> None:
    """One step on the prizes. Raises StepRefused as the verbs do."""
    post = request.POST
    step, reason = post.get("step"), post.get("reason", "")
    if step == "lots":
        actions.draw_prize_lots(event=event, by=by, seen=whole_number(post.get("seen")))
    elif step == "lots-aside":
        actions.set_lots_aside(event=event, by=by, reason=reason, seen=whole_number(post.get("seen")))
    elif step in ("pass", "take-part"):
        actions.let_pass(event=event, by=by, entry=whole_number(post.get("entry")), passes=step == "pass")
    elif step == "publish":
        fingerprint = post.get("fingerprint", "")
        made = actions.publish_prizes(event=event, by=by, fingerprint=fingerprint, reason=reason)
        messages.success(request, _("The prizes are published as version %(n)d.") % {"n": made.number})
    elif step == "take-back":
        actions.take_back_prizes(event=event, by=by, reason=reason)
        messages.success(request, _("The prizes are taken back."))
    else:
        raise StepRefused(_("That step isn't known. Look at the prizes again."))
