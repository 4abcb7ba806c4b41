"""What a director does with a round, whatever the format: publish its draw, take it back, close it, open it again."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from django.contrib import messages
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.roles import actor_of
from clubsite.backups.asking import before
from tournaments.models import Draw, Event
from tournaments.requests import numbers_in, whole_number_or_none
from tournaments.rounds import closing, publishing

PUBLISHED: list[Callable[[HttpRequest, Draw], None]] = []
"""What others do when a draw, or its next version, was published on a page. A fault in it hinders nobody."""


def tell_published(request: HttpRequest, draw: Draw) -> None:
    """Call everything in `PUBLISHED` with a published draw, once the transaction is committed."""
    for told in PUBLISHED:
        transaction.on_commit(partial(told, request, draw), robust=True)


def take_step(request: HttpRequest, draw: Draw, *, offered: Collection[str]) -> HttpResponse:
    """Take the step that the form asks for, say what was done, and lead to the page where it goes on.

    `offered` are the steps of the page: "publish", "take-back", "close", "reopen". Any other is answered 400.

    Raises:
        StepRefused: as the verbs do.
    """
    step, by, reason = request.POST.get("step"), actor_of(request), request.POST.get("reason", "")
    event, what = draw.round.stage.event, {"round": draw.round.name}
    at = [event.club.slug, event.slug]
    if step not in offered:
        return HttpResponse(status=400)
    if step == "publish":
        before("draw")
        seen = whole_number_or_none(request.POST.get("seen"))
        publishing.publish_draw(draw=draw, by=by, seen=draw.number if seen is None else seen)
        tell_published(request, draw)
        messages.success(
            request, _("The draw of %(round)s is published. Its seats can be seen and its cards are open.") % what
        )
    elif step == "take-back":
        deals = publishing.deals_of(draw)
        publishing.take_back_draw(draw=draw, by=by, reason=reason)
        kept = ngettext(
            "The draw of %(round)s is taken back. %(deals)d deal is kept, and counts again if you publish it again.",
            "The draw of %(round)s is taken back. %(deals)d deals are kept, and count again if you publish it again.",
            deals,
        )
        words = kept if deals else _("The draw of %(round)s is taken back.")
        messages.success(request, words % {**what, "deals": deals})
        if not event.by_rounds:
            return redirect("draw_step", *at, draw.pk)
    elif step == "close":
        ended = request.POST.get("games") == "end"
        despite = numbers_in(request, "despite")
        before("closing")
        closing.close_round(round=draw.round, by=by, end_open=ended, reason=reason, despite=despite)
        words = _("%(round)s is closed. Until the next is published, its page opens it again.")
        messages.success(request, words % what)
    else:
        closing.reopen_round(round=draw.round, by=by)
        left = len(closing.ended_early(draw))
        words = ngettext(
            "%(round)s is open again. %(ended)d game was ended early, and stays so until you go on with it.",
            "%(round)s is open again. %(ended)d games were ended early, and stay so until you go on with them.",
            left,
        )
        messages.success(request, (words if left else _("%(round)s is open again.")) % {**what, "ended": left})
        return redirect("round_step", *at, draw.round.number)
    return redirect("desk_event", *at)


def told_taken_back(request: HttpRequest, event: Event, *, which: Q) -> HttpResponse:
    """What answers at a page of a draw that was taken back, as the browser's Back opens it: it says so, on the desk.

    Raises:
        Http404: there was none.
    """
    drawn = Draw.objects.filter(which, round__stage__event=event, state=Draw.State.WITHDRAWN)
    draw = drawn.select_related("round__stage").last()
    if draw is None:
        raise Http404
    messages.info(request, _("The draw of %(round)s was taken back.") % {"round": draw.round.name})
    return redirect("desk_event", event.club.slug, event.slug)
