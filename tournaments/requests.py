"""What the pages of an event read from a request, and how they show that a step was refused."""

from collections.abc import Iterator
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


def get_event(club: Club, slug: str, *, by_rounds: bool | None = None) -> Event:
    """An event of the club; with `by_rounds` only one that goes round by round, or only a competition. Raises
    Http404."""
    event = get_object_or_404(
        Event.objects.select_related("rules", "season", "from_stage__event"), club=club, slug=slug
    )
    if by_rounds not in (None, event.by_rounds):
        raise Http404
    event.club = club
    return event


def door_of_event(club: Club, slug: str) -> str:
    return "nights" if club.events.filter(slug=slug, state=Event.State.PLANNED).exists() else "results"


def get_stage(event: Event, number: int) -> Stage:
    stage = get_object_or_404(Stage, event=event, number=number)
    stage.event = event
    return stage


def get_group(event: Event, pk: int) -> Group:
    stage = "table__draw__round__stage"
    groups = Group.objects.select_related(f"{stage}__event__club", f"{stage}__event__rules", "table__draw__follows")
    return get_object_or_404(groups, pk=pk, **{f"{stage}__event": event})


def event_page(view: View, *, by_rounds: bool | None = None) -> View:
    """`club_page` for a page of an event: gives the view the event of `get_event` instead of its slug."""

    @wraps(view)
    def wrapped(request: HttpRequest, club: Club, *, event: str, **kwargs: Any) -> HttpResponse:
        return view(request, club, event=get_event(club, event, by_rounds=by_rounds), **kwargs)

    return club_page(wrapped)


night_page = partial(event_page, by_rounds=True)
competition_page = partial(event_page, by_rounds=False)


def whole_number(text: str | None) -> int:
    """A key or number from a form or an address. Raises Http404 for text that isn't written as our pages write it, so
    that no second address (01) means the same."""
    if text is None or not text.isdecimal() or len(text) > 18 or text != str(int(text)):
        raise Http404
    return int(text)


def whole_number_or_none(text: str | None) -> int | None:
    """As `whole_number`, but None for an empty text."""
    return whole_number(text) if text else None


def ticked_keys(request: HttpRequest, name: str) -> set[int]:
    """The keys of the ticked boxes of this name. Raises Http404 for anything else."""
    return {whole_number(text) for text in request.POST.getlist(name)}


def is_unchanged(request: HttpRequest, mark: str) -> bool:
    """Whether part of a page asks for news (`?v=`) and has this mark already, so that the answer is 204."""
    return "HX-Request" in request.headers and request.GET.get("v") == mark


def parse_submission(text: str | None) -> UUID:
    try:
        return UUID(text or "")
    except ValueError:
        return uuid4()


@contextmanager
def show_refusals(request: HttpRequest) -> Iterator[None]:
    """Show a StepRefused raised inside the block as a message. The code after the block redirects to a page that shows
    it."""
    try:
        yield
    except StepRefused as refused:
        messages.error(request, str(refused.message))


@contextmanager
def show_refusals_on(form: Form, field: str | None = None) -> Iterator[None]:
    """Show a StepRefused or an unreadable list as an error of the form, which keeps what was typed."""
    try:
        yield
    except (StepRefused, UnreadableSpreadsheet) as refused:
        form.add_error(field, str(refused))


@contextmanager
def ask_for_reason_on(form: Form) -> Iterator[None]:
    """Show a ReasonWanted as an error of the form's field for the reason."""
    try:
        yield
    except ReasonWanted as refused:
        form.add_error("reason", str(refused.message))
