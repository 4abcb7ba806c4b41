"""The pages of backups: the list, making one, downloading one, and restoring one, for the site's owner; what a club's
directors need to know about them. The page that stops the site."""

import shutil
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.core.cache import cache
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubsite.accounts.audit_log import describe_entry
from clubsite.accounts.models import Club, LogEntry
from clubsite.accounts.roles import club_page, request_actor
from clubsite.accounts.starting import is_empty, is_from_this_machine, is_owner
from clubsite.jobs import heartbeat
from clubsite.jobs.queue import Priority, enqueue
from clubsite.operations.backup import (
    Backup,
    copy_with_key,
    is_own_past,
    list_backups,
    make_backup,
    newest_backup,
    read_backup,
    readable_backups,
)
from clubsite.operations.databases import BackupRefused
from clubsite.operations.restore import (
    Restored,
    count_entries_since,
    last_restore_key,
    refuse_foreign,
    restore,
    rights_gained,
)
from clubsite.operations.schedule import back_up, backup_warning, second_place
from clubsite.serving.desktop import PROOF, proof
from clubsite.serving.web import stop_soon
from clubsite.watch.views import site_page

ENTRIES_SHOWN = 12
ASKED_FOR = 60 * 60  # seconds for which a form that was sent makes no second backup


@site_page
def backups(request: HttpRequest) -> HttpResponse:
    """All backups; a POST makes one now, and the same form sent again no other."""
    if request.method == "POST":
        last = newest_backup(settings.BACKUPS)
        if first := cache.add(f"backups:asked:{request.POST.get('submission', '')[:40]}", True, timeout=ASKED_FOR):
            enqueue(back_up, "", priority=Priority.ORDERED)
        if settings.TASKS_APART:
            messages.success(request, _("A backup is being made. It will be in the list in a moment."))
        elif problem := backup_warning():
            messages.error(request, problem)
        elif first and newest_backup(settings.BACKUPS) == last:
            messages.error(request, _("No backup was made. Check that the disk isn't full."))
        else:
            messages.success(request, _("The backup is made."))
        return redirect("backups")
    rows = list(readable_backups(settings.BACKUPS))
    try:
        free = shutil.disk_usage(settings.BACKUPS).free
    except OSError:
        free = None
    context = _backup_context() | {
        "rows": rows,
        "submission": uuid4(),
        "total": sum(row.size for row in rows),
        "free": free,
        "no_worker": heartbeat.is_worker_missing(),
        "zone": timezone.get_current_timezone_name(),
    }
    return render(request, "operations/backups.html", context)


def _backup_context() -> dict[str, Any]:
    numbers = {"every": settings.BACKUPS_EVERY, "days": settings.BACKUPS_KEPT}
    return {"second": second_place(), "wrong": backup_warning(), "folder": settings.BACKUPS, **numbers}


@site_page
def backup(request: HttpRequest, name: str) -> HttpResponse:
    """What restoring a backup would lose; and restoring it."""
    chosen = _find_backup(name)
    word = _("restore")
    if request.method == "POST":
        if " ".join(request.POST.get("typed", "").split()).casefold() != word.casefold():
            messages.error(request, _("Type “%(word)s” to do it: nothing was changed.") % {"word": word})
            return redirect(request.path)
        digits = request.POST.get("seen", "")
        seen = int(digits) if digits.isdecimal() and len(digits) < 19 else -1
        try:
            restored = restore(chosen.path, folder=settings.BACKUPS, by=request_actor(request), seen=seen)
        except BackupRefused as refused:
            messages.error(request, str(refused))
            return redirect(request.path)
        logout(request)  # its session is gone from the database, like everybody's
        messages.success(request, restore_message(restored))
        return redirect("backups")
    try:
        refuse_foreign(chosen)
        rights = rights_gained(chosen, settings.BACKUPS)
    except BackupRefused as refused:
        messages.error(request, str(refused))
        return redirect("backups")
    ours = is_own_past(chosen)
    entries = LogEntry.objects.filter(pk__gt=chosen.log).select_related("club") if ours else LogEntry.objects.none()
    context = {
        "backup": chosen,
        "word": word,
        "own": ours,
        "since": count_entries_since(chosen),
        "latest": [(entry.at, describe_entry(entry)) for entry in entries[:ENTRIES_SHOWN]],
        "rights": rights,
        "seen": last_restore_key(),
    }
    return render(request, "operations/restore.html", context)


def restore_message(restored: Restored) -> str:
    words = [_("The backup is restored. What was there before is a backup too, the newest in the list.")]
    if restored.entries:
        entries = ngettext(
            "The log has %(n)d entry since then.", "The log has %(n)d entries since then.", restored.entries
        )
        words.append(entries % {"n": restored.entries})
    return " ".join([*words, *(note for notes in restored.notes.values() for note in notes)])


@site_page
@require_safe
def backup_file(request: HttpRequest, name: str) -> FileResponse:
    path = _find_backup(name).path
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name, content_type="application/zip")


@site_page
@require_POST
def everything(request: HttpRequest) -> FileResponse | HttpResponse:
    """A file for another computer: a backup of now, with the secret key in it."""
    try:
        file = copy_with_key(make_backup(settings.BACKUPS))
    except BackupRefused as refused:
        messages.error(request, str(refused))
        return redirect("backups")
    name = f"everything-of-nine-tables-{timezone.localtime():%Y%m%d-%H%M}.backup"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/octet-stream")


@club_page
@require_safe
def club_backups(request: HttpRequest, club: Club) -> HttpResponse:
    owner = request.user.is_authenticated and request.user.is_superuser
    context = _backup_context() | {"last": newest_backup(settings.BACKUPS), "owner": owner, "submission": uuid4()}
    return render(request, "operations/club_backups.html", context)


def _find_backup(name: str) -> Backup:
    """Raises Http404."""
    if (path := settings.BACKUPS / name) not in list_backups(settings.BACKUPS):
        raise Http404
    try:
        return read_backup(path)
    except BackupRefused:
        raise Http404 from None


@never_cache
def running(request: HttpRequest) -> HttpResponse:
    """In place of a console, for the person at the site's computer: it is running, and a button that stops it."""
    if not is_from_this_machine(request):
        raise Http404
    may_stop = is_owner(request) or is_empty()
    if request.method == "POST":
        if not may_stop:
            raise Http404
        stop_soon()
        return render(request, "operations/stopped.html")
    answer = render(request, "operations/running.html", {"may_stop": may_stop})
    answer[PROOF] = proof()  # a second start asks whether the site at its port is this one
    return answer
