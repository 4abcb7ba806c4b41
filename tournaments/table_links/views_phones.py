"""The page that shows phones in the hall the way to this site."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page
from tournaments.table_links.phones import reach_of
from tournaments.table_links.shown import site_of


@club_page
def phones(request: HttpRequest, club: Club) -> HttpResponse:
    """Address and QR code, large, and what is wrong with them."""
    return render(request, "tournaments/table_links/phones.html", {"reach": reach_of(site_of(request))})
