"""What the pages of an event read from a request, and how they show that a step was refused."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from clubsite.accounts.models import Club
from clubsite.accounts.roles import View, club_page
from scoring.spreadsheets import UnreadableSpreadsheet
from tournaments.errors import ReasonWanted, StepRefused
from tournaments.models import Event, Group, Stage


def event_of(club: Club, slug: str) -> Event:
    """An event of the club, of any format. Raises Http404."""
    event = get_object_or_404(
        Event.objects.select_related("rules", "season", "from_stage__event"), club=club, slug=slug
    )
    event.club = club
    return event


def door_of_event(club: Club, slug: str) -> str:
    """Behind which of the club's doors an event is: "nights" until it begins."""
    return "nights" if club.events.filter(slug=slug, state=Event.State.PLANNED).exists() else "results"


def competition_of(club: Club, slug: str) -> Event:
    """A competition of the club. Raises Http404."""
    event = event_of(club, slug)
    if event.by_rounds:
        raise Http404
    return event


def stage_at(event: Event, number: int) -> Stage:
    """A stage of the event by its number. Raises Http404."""
    stage = get_object_or_404(Stage, event=event, number=number)
    stage.event = event
    return stage


def group_at(event: Event, pk: int) -> Group:
    """A group of one of the event's draws. Raises Http404."""
    stage = "table__draw__round__stage"
    groups = Group.objects.select_related(f"{stage}__event__club", f"{stage}__event__rules", "table__draw__follows")
    return get_object_or_404(groups, pk=pk, **{f"{stage}__event": event})


def night_of(club: Club, slug: str) -> Event:
    """An event of the club that goes round by round. Raises Http404."""
    event = event_of(club, slug)
    if not event.by_rounds:
        raise Http404
    return event


def event_page(view: View, *, of: Callable[[Club, str], Event] = event_of) -> View:
    """`club_page` for a page of an event: gives the view the event in place of its slug."""

    @wraps(view)
    def wrapped(request: HttpRequest, club: Club, *, event: str, **kwargs: Any) -> HttpResponse:
        return view(request, club, event=of(club, event), **kwargs)

    return club_page(wrapped)


night_page = partial(event_page, of=night_of)
competition_page = partial(event_page, of=competition_of)


def whole_number(text: str | None) -> int:
    """A key or number from a form or an address, written as our pages write it, so that no other address (01) means
    the same. Raises Http404 for anything else."""
    if text is None or not text.isdecimal() or len(text) > 18 or text != str(int(text)):
        raise Http404
    return int(text)


def whole_number_or_none(text: str | None) -> int | None:
    """A key or number; None where there is none. Raises Http404 for anything else."""
    return whole_number(text) if text else None


def numbers_in(request: HttpRequest, name: str) -> set[int]:
    """The keys that boxes of one name were ticked for. Raises Http404 for anything else."""
    return {whole_number(text) for text in request.POST.getlist(name)}


def unchanged(request: HttpRequest, mark: str) -> bool:
    """Whether part of a page asks for news (`?v=`) and has this mark already: then the answer is 204, and it stays."""
    return "HX-Request" in request.headers and request.GET.get("v") == mark


def submission_in(text: str | None) -> UUID:
    try:
        return UUID(text or "")
    except ValueError:
        return uuid4()


@contextmanager
def refusals_told(request: HttpRequest) -> Iterator[None]:
    """A step that is refused inside the block becomes a message; the code after the block leads to the page with it."""
    try:
        yield
    except StepRefused as refused:
        messages.error(request, str(refused.message))


@contextmanager
def refusals_on(form: Form, field: str | None = None) -> Iterator[None]:
    """A step that is refused inside the block, or a list that can't be read, becomes an error of the form, which keeps
    what was typed."""
    try:
        yield
    except (StepRefused, UnreadableSpreadsheet) as refused:
        form.add_error(field, str(refused))


@contextmanager
def reason_asked_on(form: Form) -> Iterator[None]:
    """A step that is refused inside the block for want of a reason becomes an error of the form's box for it."""
    try:
        yield
    except ReasonWanted as refused:
        form.add_error("reason", str(refused.message))
