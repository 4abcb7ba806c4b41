"""Pages for photos of cards: sending them, their progress, checking and saving what was read."""

from typing import Any

from django.contrib import messages
from django.core.files.storage import default_storage
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control

from clubsite import __version__
from clubsite.accounts.models import Club
from clubsite.accounts.roles import request_actor
from clubsite.jobs import heartbeat
from tournaments.errors import StepRefused
from tournaments.keying.grid import WITH_RULES, KeyedLine, save_line
from tournaments.keying.views import answer_line
from tournaments.models import Draw, Event, PhotographedCard
from tournaments.photos.actions import add_photo, describe_problem, remove_photo
from tournaments.photos.filled import add_picture, photo_blocks
from tournaments.photos.tasks import OPEN, is_missing
from tournaments.requests import event_page, whole_number

WITH_TABLE = PhotographedCard.objects.select_related("photo__event", "game__group_game__group__table")


@event_page
def photos(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """Send photos, and see their progress. A script sends them one by one and gets the current list."""
    refused, by_script = [], request.htmx  # type: ignore[attr-defined]  # from its middleware
    if request.method == "POST":
        if "remove" in request.POST:
            remove_photo(event=event, photo=whole_number(request.POST["remove"]))
        for file in request.FILES.getlist("photos") if not is_missing() else ():
            try:
                add_photo(event=event, file=file, by=request_actor(request))
            except StepRefused as why:
                refused.append(str(why.message))
        if not by_script:
            for words in refused:
                messages.error(request, words)
            return redirect("photos", club.slug, event.slug)
    context = _progress(event) | {"event": event, "refused": refused, "missing": is_missing(), "version": __version__}
    return render(request, f"tournaments/photos/{'_photos' if by_script else 'photos'}.html", context)


def _progress(event: Event) -> dict[str, Any]:
    """Four queries at most."""
    cards = WITH_TABLE.order_by("page", "game__group_game__group__table__number", "pk")
    event_photos = list(event.photos.prefetch_related(Prefetch("cards", cards)).order_by("-pk"))
    rows: list[dict[str, Any]] = []
    for photo in event_photos:
        read = list(photo.cards.all())
        tables = [card.game.group_game.group.label_in(event) for card in read if card.game and card.lines]
        either: list[Any] = [photo, *read]
        troubles = [(row, words) for row in either if (words := describe_problem(row))]
        rows.append({"photo": photo, "tables": tables, "troubles": troubles, "open": photo.state in OPEN})
    waiting = [row for row in rows if row["open"]]
    return {
        "photos": sorted(rows, key=lambda row: not row["troubles"]),
        "waiting": waiting,
        "done": len(rows) - len(waiting),
        "cards": sum(len(row["tables"]) for row in rows),
        "troubles": any(row["troubles"] for row in rows),
        "no_worker": bool(waiting) and heartbeat.is_worker_missing(),
    }


@event_page
def cards(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """The keying grid of the cards that were read; a line of it is sent as in the grid of a round."""
    line: KeyedLine | None = None
    if request.method == "POST":
        at = {"group__table__draw__round__stage__event": event, "group__table__draw__state": Draw.State.PUBLISHED}
        row = get_object_or_404(WITH_RULES, game=whole_number(request.POST.get("game")), **at)
        row.group.table.draw.round.stage.event = event
        line = save_line(row.game, request.POST, by=request_actor(request), route="photo")
        line = add_picture(line) if line.is_open else line
        if answered := answer_line(request, row, line=line):
            return answered
    blocks = photo_blocks(event, saved=line)
    grid = {"blocks": blocks, "tables": len(blocks), "done": 0, "totals": True}
    blank = WITH_TABLE.filter(photo__event=event, game__isnull=False, lines=[]).order_by("pk")
    context = {"event": event, "grid": grid, "here": request.get_full_path(), "from_photos": True}
    context["blank"] = list(dict.fromkeys(map(describe_problem, blank)))
    return render(request, "tournaments/photos/cards.html", context, status=line.status if line else 200)


@event_page
def picture(request: HttpRequest, club: Club, *, event: Event, card: int) -> HttpResponse:
    """The straightened card, or a small picture of what couldn't be read. It never changes."""
    photographed = get_object_or_404(PhotographedCard, pk=card, photo__event=event)
    try:
        with default_storage.open(str(photographed.picture)) as file:
            response = HttpResponse(file.read(), content_type="image/jpeg")
    except (OSError, ValueError):
        raise Http404 from None
    patch_cache_control(response, private=True, max_age=3600)
    return response
