"""The links of a round's tables on the desk: seen by scorekeepers, ended and made anew by directors. And the page that
shows phones in the hall the way to this site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from clubsite.addresses import only_here
from tournaments.events.state import published_draws
from tournaments.models import Draw, Event, Group, Seat, TableLink
from tournaments.requests import event_of, whole_number_or_none
from tournaments.table_links import links
from tournaments.table_links.guesses import is_guessed, wrong_codes
from tournaments.table_links.phones import reach_of
from tournaments.table_links.shown import ShownLink, shown_link, site_of


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table on the desk's list: who plays there, its link, and what has become of it."""

    group: Group
    label: str
    names: tuple[str, ...]  # one text for each side
    link: ShownLink | None  # the link that opens it now
    state: str  # "live", "expired" or "none"


@club_page
def desk(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The links of the round that was published last."""
    found = event_of(club, event)
    draw = published_draws(found).select_related("round__stage").last()
    if request.method == "POST":
        if draw is not None:
            _take_step(request, draw)
        return redirect("table_links", club.slug, found.slug)
    site = site_of(request)
    rows = _rows(found, draw, site=site) if draw else []
    context = {
        "event": found,
        "draw": draw,
        "rows": rows,
        "newest": links.newest_link(draw) if draw else 0,
        "missing": sum(row.state == "none" for row in rows),
        "site": site,
        "only_here": only_here(site),
        "wrong_codes": wrong_codes(found),
        "is_guessed": is_guessed(found),
    }
    return render(request, "tournaments/table_links/desk.html", context)


@club_page
def phones(request: HttpRequest, club: Club) -> HttpResponse:
    """Address and QR code, large, and what is wrong with them."""
    return render(request, "tournaments/table_links/phones.html", {"reach": reach_of(site_of(request))})


def _rows(event: Event, draw: Draw, *, site: str) -> list[TableRow]:
    """The tables of a draw. Three queries."""
    groups = links.seated_groups(draw).prefetch_related(
        Prefetch("seats", Seat.objects.select_related("entry")),
        Prefetch("links", TableLink.objects.filter(revoked_at=None), to_attr="live_links"),
    )
    return [_row(event, group, site=site) for group in groups]


def _row(event: Event, group: Any, *, site: str) -> TableRow:
    link = next(iter(group.live_links), None)
    over = link is not None and link.expires_at is not None and link.expires_at <= timezone.now()
    shown = shown_link(link, site) if link and not over else None
    return TableRow(
        group=group,
        label=group.label_in(event),
        names=tuple(" & ".join(side) for side in group.names),
        link=shown,
        state="live" if shown else "expired" if over else "none",
    )


def _take_step(request: HttpRequest, draw: Draw) -> None:
    """Make, end or renew links as the form asks, and say what was done."""
    step, by, group = request.POST.get("step"), actor_of(request), whole_number_or_none(request.POST.get("group"))
    if step == "make":
        made = links.make_links(draw=draw, by=by)
        words = ngettext("%(n)d link is made.", "%(n)d links are made.", made) % {"n": made}
    elif step == "renew":
        made = links.renew_links(draw=draw, by=by, group=group, seen=whole_number_or_none(request.POST.get("seen")))
        if not made:
            messages.warning(request, _("Table links: somebody made links since this page was opened. Here they are."))
            return
        words = ngettext(
            "%(n)d link is made anew. The old one opens nothing now: print its card again, or show the new code.",
            "%(n)d links are made anew. The old ones open nothing now: print the cards again, or show the new codes.",
            made,
        ) % {"n": made}
    elif step == "revoke":
        ended = links.revoke_links(draw=draw, by=by, group=group)
        words = ngettext(
            "%(n)d link is ended. What it opened stays shut; “Make a link” gives the table another one.",
            "%(n)d links are ended. What they opened stays shut; “Make a link” gives a table another one.",
            ended,
        ) % {"n": ended}
    else:
        raise Http404
    messages.success(request, _("Table links: %(what)s") % {"what": words})
