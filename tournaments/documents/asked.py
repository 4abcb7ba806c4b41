"""What a document is asked of: the draw or the stage that an address names, and how many pages go on a sheet."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from clubsite.accounts.roles import is_director
from clubsite.paper.several import SHARE
from tournaments.draws.keeping import WITH_EVENT
from tournaments.models import Draw, Event, Stage
from tournaments.requests import whole_number_or_none


def draws_for(request: HttpRequest, event: Event) -> Any:
    """The event's draws that this user may see: a draft is the director's."""
    draws = WITH_EVENT.filter(round__stage__event=event)
    return draws if is_director(request, event.club) else draws.filter(state=Draw.State.PUBLISHED)


def draw_asked(request: HttpRequest, event: Event) -> Draw:
    """The draw asked for, or the last one published."""
    draws = draws_for(request, event)
    if pk := whole_number_or_none(request.GET.get("draw")):
        found: Draw = get_object_or_404(draws, pk=pk)
        return found
    last: Draw | None = (
        draws.filter(state=Draw.State.PUBLISHED).order_by("-round__stage__number", "-round__number").first()
    )
    if last is None:
        raise Http404
    return last


def stage_asked(request: HttpRequest, event: Event) -> Stage:
    """The stage asked for by its number, or the last that is drawn."""
    stages = event.stages.select_related("event__club", "event__rules")
    if number := whole_number_or_none(request.GET.get("stage")):
        return get_object_or_404(stages, number=number)
    stage = stages.filter(rounds__draws__state=Draw.State.PUBLISHED).order_by("-number").first()
    if stage is None:
        raise Http404
    return stage


def on_asked(request: HttpRequest) -> int:
    """How many are wanted on a sheet: 1, 2 or 4; 0 where nothing, or nothing known, is asked."""
    wanted = whole_number_or_none(request.GET.get("on")) or 0
    return wanted if wanted in SHARE else 0
