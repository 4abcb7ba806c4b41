"""An order's own page."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubsite.accounts.models import Club, Role
from clubsite.accounts.roles import public, role_in
from clubsite.tasks import orders
from clubsite.tasks.models import Order


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@public
def order(request: HttpRequest, club: Club, *, order: UUID) -> HttpResponse:
    """An ordered file, or how far it is; a POST takes the order back.

    For whoever ordered it, while they have the same role in the club as then, or are its director. An order of a public
    document is open to whoever has its address, as the document is.
    """
    found = get_object_or_404(Order.objects.select_related("file", "club", "user"), pk=order, club=club)
    if found.user_id is not None:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        held = role_in(request, club)
        if found.user_id != request.user.pk or held not in (found.role, Role.Kind.DIRECTOR):
            raise Http404
    if request.method == "POST":  # the one button of its page
        orders.take_back(found)
        messages.success(request, _("%(title)s isn't made. It can be ordered again.") % {"title": found.title})
        return redirect(found.back)
    return orders.order_answer(request, found)
