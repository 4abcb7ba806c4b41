"""The pages of backups: the site's, for its owner, and a club's, for its directors."""

from __future__ import annotations

import shutil
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from clubsite.backups import going
from clubsite.backups.asking import back_up, wrong
from clubsite.backups.files import Backup, BackupRefused, backups_in, look_into, readable_in
from clubsite.backups.keeping import second_place
from clubsite.backups.losses import losses_of
from clubsite.backups.notice import GoingOn, put_away
from clubsite.backups.shown import Shown, shown
from clubsite.jobs import heartbeat
from clubsite.jobs.queue import Priority, enqueue
from clubsite.watch.views import of_the_site


@of_the_site
def backups(request: HttpRequest) -> HttpResponse:
    """All backups, how much they take, and making one now."""
    if request.method == "POST":
        return _make(request)
    rows = _list()
    context = {
        "rows": rows,
        "total": sum(one.backup.size for one in rows),
        "free": _free(),
        "second": second_place(),
        "wrong": wrong(),
        "no_worker": heartbeat.is_missing(),
        "zone": timezone.get_current_timezone_name(),
        **_setting(),
    }
    return render(request, "backups/site.html", context)


@of_the_site
def backup(request: HttpRequest, name: str, *, number: int | None = None) -> HttpResponse:
    """What going back with the whole site, or the club of this number, would lose; and going back. The club may be gone
    since."""
    return _going_back(request, _backup(name), club=number, back=reverse("backups"))


@of_the_site
@require_safe
def backup_file(request: HttpRequest, name: str) -> FileResponse:
    """A backup as a file, to be kept elsewhere."""
    found = _backup(name)
    return FileResponse(found.path.open("rb"), as_attachment=True, filename=found.name, content_type="application/zip")


@club_page
def club_backups(request: HttpRequest, club: Club) -> HttpResponse:
    """The last backup that a club is in, and those that it can go back to."""
    rows = [one for one in _list() if any(its.pk == club.pk for its in one.backup.clubs)]
    context = {
        "rows": rows,
        "last": rows[0] if rows else None,
        "second": second_place(),
        "wrong": wrong(),
        "owner": request.user.is_authenticated and request.user.is_superuser,
        **_setting(),
    }
    return render(request, "backups/club.html", context)


@club_page
def club_backup(request: HttpRequest, club: Club, *, name: str) -> HttpResponse:
    """What going back would lose of a club; and going back."""
    return _going_back(request, _backup(name), club=club.pk, back=reverse("club_backups", args=[club.slug]))


@require_POST
def gone_back_seen(request: HttpRequest) -> HttpResponse:
    """Put the notice away that something was put back: htmx takes it off the page, else the page is sent again."""
    to = request.POST.get("next", "")
    safe = to.startswith("/") and url_has_allowed_host_and_scheme(to, allowed_hosts=None)
    response = HttpResponse() if "HX-Request" in request.headers else redirect(to if safe else "home")
    put_away(request, response)
    return response


def _setting() -> dict[str, Any]:
    return {"folder": settings.BACKUPS, "every": settings.BACKUPS_EVERY, "days": settings.BACKUPS_KEPT}


def _list() -> list[Shown]:
    return shown(list(readable_in(settings.BACKUPS)))


def _backup(name: str) -> Backup:
    """A backup by the name of its file. Raises Http404."""
    if (path := settings.BACKUPS / name) not in backups_in(settings.BACKUPS):
        raise Http404
    try:
        return look_into(path)
    except BackupRefused:
        raise Http404 from None


def _free() -> int | None:
    """Free bytes on the disk with the backups; None where that can't be told."""
    try:
        return shutil.disk_usage(settings.BACKUPS).free
    except OSError:
        return None


def _make(request: HttpRequest) -> HttpResponse:
    enqueue(back_up, "", priority=Priority.ORDERED)
    if settings.TASKS_APART:
        messages.success(request, _("A backup is being made. It is in the list in a moment."))
    elif wrong():
        messages.error(request, wrong())
    else:
        messages.success(request, _("The backup is made."))
    return redirect("backups")


def _going_back(request: HttpRequest, found: Backup, *, club: int | None, back: str) -> HttpResponse:
    """Show what would be lost; by POST, with the word typed, go back; with "task" in the address, show how far that
    is. Raises Http404 for a club that isn't in the backup."""
    if club is not None and not any(one.pk == club for one in found.clubs):
        raise Http404
    named = next((one.name for one in found.clubs if one.pk == club), "")
    context = {
        "backup": found,
        "named": named,
        "word": named or _("go back"),
        "back": back,
        "others": [one for one in found.clubs if club is None],
    }
    if request.method == "POST":
        return _go_back(request, found, club=club, word=str(context["word"]), back=back)
    if asked := request.GET.get("task", ""):
        far = going.how_far(asked, found, club=club)
        if far is None:
            raise Http404
        return render(request, "backups/being_put_back.html", {**context, "going": far})
    try:
        losses = losses_of(found, club)
    except BackupRefused as refused:
        messages.error(request, str(refused))
        return redirect(back)
    row = next((one for one in _list() if one.backup.name == found.name), shown([found])[0])
    return render(request, "backups/going_back.html", {**context, "losses": losses, "row": row})


def _go_back(request: HttpRequest, found: Backup, *, club: int | None, word: str, back: str) -> HttpResponse:
    """Go back, and show how that went or the page that waits for it; or say why not."""
    if _plain(request.POST.get("typed", "")) != _plain(word):
        messages.error(request, _("Type “%(word)s” to go back: nothing was changed.") % {"word": word})
        return redirect(request.path)
    try:
        asked = going.ask(found, club=club, mark=request.POST.get("fingerprint", ""), by=actor_of(request))
    except GoingOn:
        messages.error(request, _("Somebody is going back to a backup already. Wait a minute, then look again."))
        return redirect(request.path)
    if isinstance(asked, str):
        return redirect(f"{request.path}?{urlencode({'task': asked})}")
    messages.add_message(request, messages.SUCCESS if asked.well else messages.ERROR, asked.words)
    return redirect(back if asked.well else request.path)


def _plain(typed: str) -> str:
    return " ".join(typed.split()).casefold()
