"""The page that shows where somebody is logged in."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from clubsite.accounts.entrance.addresses import site_of
from clubsite.accounts.entrance.devices import INTRODUCED_FOR, INTRODUCTION, introduction_of
from clubsite.accounts.entrance.sessions import end_sessions, places_of
from clubsite.accounts.invitations.codes import qr_of
from clubsite.accounts.log import log_own
from clubsite.accounts.roles import user_of


@never_cache
@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """Show where the user is logged in, end one place or all others, and show a QR code for a new device."""
    user, here = user_of(request), request.session.session_key
    if request.method == "POST":
        ended = end_sessions(user, but=here, mark=request.POST.get("place", ""))
        if ended:
            log_own(user=user, verb="session.end", new={"ended": ended})
        words = ngettext("Logged out at %(n)d place.", "Logged out at %(n)d places.", ended)
        messages.success(request, words % {"n": ended} if ended else _("Nobody is logged in there any more."))
        return redirect("sessions")
    role = user.roles.select_related("club").first()
    query = urlencode({INTRODUCTION: introduction_of(user.get_username())})
    context = {
        "places": places_of(user, here=here),
        "introduction_qr": qr_of(f"{site_of(request)}{reverse('login')}?{query}"),
        "introduced_minutes": INTRODUCED_FOR // 60,
    }
    with timezone.override(role.club.zone if role else None):
        return render(request, "accounts/sessions.html", context)
