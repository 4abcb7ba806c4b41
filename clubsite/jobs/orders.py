"""Answers a request for a file that a task makes: with the file, or with a page that waits for it.

Opening a page writes nothing, so a file that isn't made yet is ordered by a POST, which the page sends by itself with
JavaScript. The page then asks how far it is, and opens the file at the address that was asked for; without script the
order has a page of its own, which does the same.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_tasks.base import Task

from clubsite.accounts.models import Club, Role
from clubsite.accounts.roles import public, role_in
from clubsite.addresses import client_network
from clubsite.jobs import files, heartbeat
from clubsite.jobs.models import MadeFile, Order
from clubsite.jobs.queue import Priority, count_tasks_before
from clubsite.names import make_slug

TYPES = {
    "pdf": "application/pdf",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
}
SHOWN = {"pdf"}  # suffixes that browsers show as a page; the others are downloads


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file that somebody wants. `key` is a hash of all that it depends on; `task` makes it from `payload()`, as
    `files.order_file` says, `at_once` here and now on a host without workers; it may raise `files.NotMade`."""

    key: str
    suffix: str  # one of `TYPES`
    title: str  # what it is called
    back: str  # the page to go back to
    task: Task[Any, Any]
    payload: Callable[[], str]
    at_once: Callable[[], bytes]


def file_response(request: HttpRequest, wanted: WantedFile) -> HttpResponse:
    """The file, or a page that orders it and waits for it; 503 with the reason where none can be made.

    The view must have checked that this visitor may have it, and set `request.club`. It takes GET and POST: a POST
    orders. On a host without workers it is made here and now, and not kept.
    """
    if (response := made_file_response(request, wanted.key, title=wanted.title)) is not None:
        return response
    if not settings.TASKS_APART:
        try:
            return content_response(wanted.at_once(), wanted.suffix, title=wanted.title)
        except files.NotMade as why:
            unavailable = isinstance(why, files.Unavailable)
            return _not_made_response(request, str(why), unavailable=unavailable, title=wanted.title, back=wanted.back)
    if request.method != "POST":
        return render(request, "jobs/to_order.html", {"wanted": wanted}, status=202)
    club: Club = request.club  # type: ignore[attr-defined]  # from the view's decorator
    visitor = visitor_key(request)
    if refused := _refusal(visitor, wanted.key, stranger=not request.user.is_authenticated):
        context = {"refused": refused, "back": wanted.back, "title": wanted.title}
        if _is_htmx(request):
            return render(request, "jobs/_not_made.html", context)
        return render(request, "jobs/not_made.html", context, status=429)
    priority = Priority.ORDERED if request.user.is_authenticated else Priority.VISITED
    file = files.order_file(
        key=wanted.key, suffix=wanted.suffix, payload=wanted.payload(), task=wanted.task, priority=priority
    )
    user = request.user if request.user.is_authenticated else None
    defaults = {"user": user, "title": wanted.title[:200], "back": wanted.back[:500]}
    of_visitor: dict[str, Any] = {"file": file, "club": club, "visitor": visitor, "role": role_in(request, club) or ""}
    order, _new = Order.objects.get_or_create(**of_visitor, defaults=defaults)
    if _is_htmx(request):
        return render(request, "jobs/_waiting.html", {"waiting": order_progress(order)})
    return redirect(order)


def made_file_response(request: HttpRequest, key: str, *, title: str) -> HttpResponse | None:
    file = MadeFile.objects.filter(key=key, state=MadeFile.State.MADE).first()
    if file is None or (content := file.content()) is None:
        return None
    return _ready_response(request, file, content=content, title=title, address=request.get_full_path())


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@public
def order(request: HttpRequest, club: Club, *, order: UUID) -> HttpResponse:
    """An ordered file, or how far it is; a POST cancels the order: the file isn't made unless somebody else waits.

    It opens for the user who ordered it, while they have the same role in the club as then, or are its director. An
    order of a public document opens for anybody with its address, as the document does.
    """
    ordered = get_object_or_404(Order.objects.select_related("file", "club", "user"), pk=order, club=club)
    if ordered.user_id is not None:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        role = role_in(request, club)
        if ordered.user_id != request.user.pk or role not in (ordered.role, Role.Kind.DIRECTOR):
            raise Http404
    if request.method == "POST":  # the one button of its page
        ordered.delete()
        files.cancel_file(ordered.file)
        messages.success(request, _("%(title)s was cancelled. You can order it again.") % {"title": ordered.title})
        return redirect(ordered.back)
    if ordered.file.state in files.OPEN:
        part = "jobs/_waiting.html" if _is_htmx(request) else "jobs/waiting.html"
        return render(request, part, {"waiting": order_progress(ordered)})
    file, title, back = ordered.file, ordered.title, ordered.back
    if (content := file.content()) is not None:
        return _ready_response(request, file, content=content, title=title, address=ordered.get_absolute_url())
    if file.state == MadeFile.State.FAILED:
        return _not_made_response(request, file.problem, unavailable=file.unavailable, title=title, back=back)
    gone = _("The file has been deleted. Print it again.")
    return _not_made_response(request, gone, title=title, back=back, status=410)


def _not_made_response(
    request: HttpRequest, why: str, *, unavailable: bool = False, title: str, back: str, status: int = 503
) -> HttpResponse:
    reason = "missing" if unavailable else "full" if why == files.FULL else "failed"
    context = {"title": title, "back": back, reason: why}
    if _is_htmx(request):
        return _swap_order(request, "jobs/_not_made.html", context=context)
    return render(request, "jobs/not_made.html", context, status=status)


def order_progress(order: Order) -> dict[str, Any]:
    """At most three queries."""
    file = order.file
    return {
        "order": order,
        "address": order.get_absolute_url(),  # tells how far it is
        "making": file.state == MadeFile.State.MAKING,
        "done": file.done,
        "of": file.of,  # 0: not known
        "before": count_tasks_before(file.task) if file.state == MadeFile.State.WAITING else 0,
        "no_worker": heartbeat.is_worker_missing(),
    }


def visitor_key(request: HttpRequest) -> str:
    """The key for counting a visitor's orders: a hash of the user or, where nobody is logged in, of the address."""
    who = f"user:{request.user.pk}" if request.user.is_authenticated else f"address:{client_network(request)}"
    return hashlib.sha256(f"{settings.SECRET_KEY}\0{who}".encode()).hexdigest()


def _refusal(visitor: str, key: str, *, stranger: bool) -> str:
    """Why a visitor can't order another file now; "" if they can. Orders of the same file don't count.

    Strangers may come from any number of addresses, so there is a limit for all of them together, too.
    """
    other_orders = Order.objects.filter(file__state__in=files.OPEN).exclude(file__key=key)
    if other_orders.filter(visitor=visitor).count() >= settings.ORDERS_WAITING:
        words = _("%(n)d of your documents are still being made. Wait until one is ready, then try again.")
        return words % {"n": settings.ORDERS_WAITING}
    waiting = other_orders.filter(user=None) if stranger else other_orders
    most = settings.ORDERS_OF_VISITORS if stranger else settings.ORDERS_OF_ALL
    if waiting.values("file").distinct().count() < most:
        return ""
    return _("Too many documents are being made right now. Wait a few minutes, then try again.")


def _is_htmx(request: HttpRequest) -> bool:
    return bool(request.htmx)  # type: ignore[attr-defined]  # from django_htmx's middleware


def _ready_response(request: HttpRequest, file: MadeFile, *, content: bytes, title: str, address: str) -> HttpResponse:
    """The file; for a page that waits by htmx, a link to it.

    static/site.js follows a link to a file that browsers show. It stays where a browser downloads such files, as most
    phones do.
    """
    if _is_htmx(request):
        return _swap_order(request, "jobs/_ready.html", context={"address": address, "shown": file.suffix in SHOWN})
    return content_response(content, file.suffix, title=title)


def _swap_order(request: HttpRequest, template: str, *, context: dict[str, Any]) -> HttpResponse:
    response = render(request, template, context)
    for header in ("HX-Retarget", "HX-Reselect"):
        response[header] = "#order"
    return response


def content_response(content: bytes, suffix: str, *, title: str) -> HttpResponse:
    shown = "inline" if suffix in SHOWN else "attachment"
    name = make_slug(title) or "file"
    headers = {"Content-Disposition": f'{shown}; filename="{name}.{suffix}"'}
    return HttpResponse(content, content_type=TYPES[suffix], headers=headers)
