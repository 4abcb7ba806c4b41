"""The club's link, by which members come in without a log-in."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Door, new_member_key
from clubsite.accounts.roles import club_page, door_cookie, public, request_actor
from clubsite.addresses import is_loopback, site_address
from clubsite.codes import qr_svg

LINK_ENDED: list[Callable[[Club], None]] = []
"""Called when a club's link ends, to close whatever else it opened. `tournaments.apps` adds to it."""

COOKIE_AGE = 400 * 24 * 3600  # seconds; browsers keep none longer


def shared_address(club: str, path: str) -> str:
    """The address to share of a page of results: it goes through the club's link where results need that."""
    the_club = Club.objects.filter(slug=club, results_for=Door.LINK).first()
    return f"{reverse('member_link', args=[club, the_club.member_key])}?next={path}" if the_club else path


@never_cache
@public
def member_link(request: HttpRequest, club: Club, *, key: str) -> HttpResponse:
    """The club's link: from now on this browser sees what members see."""
    to = request.GET.get("next", "")
    if not (to.startswith("/") and url_has_allowed_host_and_scheme(to, allowed_hosts=None)):
        to = club.get_absolute_url()
    if not constant_time_compare(key, club.member_key):
        return render(request, "accounts/closed.html", {"ended": True}, status=410)
    response = redirect(to)
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(door_cookie(club.slug), key, max_age=COOKIE_AGE, httponly=True, samesite="Lax", secure=secure)
    return response


def renew_link(*, club: Club, by: Actor, seen: str) -> None:
    """End the club's link and make another. Does nothing where the page showed another key (`seen`), as after the first
    of two taps."""
    with club.locked_transaction() as club:
        if seen == club.member_key:
            club.member_key = new_member_key()
            club.save(update_fields=["member_key"])
            for ended in LINK_ENDED:
                ended(club)
            log(club=club, by=by, verb="club.link", subject=club)


@club_page
def club_link(request: HttpRequest, club: Club) -> HttpResponse:
    if request.method == "POST":
        renew_link(club=club, by=request_actor(request), seen=request.POST.get("seen", ""))
        return redirect(request.path)
    site = site_address(request)
    address = f"{site}{reverse('member_link', args=[club.slug, club.member_key])}"
    context = {"address": address, "qr": qr_svg(address), "site": site, "only_here": is_loopback(site)}
    return render(request, "accounts/club_link.html", context)
