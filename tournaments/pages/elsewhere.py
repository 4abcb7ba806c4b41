"""A club outside its own pages: pictures of links to it, parts for other sites, its feed, its icon on a phone."""

from collections.abc import Iterator
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import conditional_page, require_safe

from clubsite.accounts.face import DEFAULT_COLOUR, colour_shades
from clubsite.accounts.models import Club
from clubsite.accounts.name_privacy import hidden_names
from clubsite.accounts.roles import club_page, public
from clubsite.addresses import is_loopback, site_address
from clubsite.link_picture import Rows, link_picture
from clubsite.names import NameReplacer
from tournaments.models import Season
from tournaments.pages.public import front_pages
from tournaments.pages.sharing import event_card
from tournaments.requests import get_event
from tournaments.seasons.table import season_tables
from tournaments.templatetags.event_tags import place, total

PARTS = {
    "next": ("nights", gettext_lazy("What is next")),
    "result": ("results", gettext_lazy("The last result")),
    "season": ("results", gettext_lazy("The season")),
}
"""Parts of the front page for other sites: the door that each is behind, and its title."""

FRAME_POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *"
IN_FEED = 10  # results, and nights to come


@require_safe
@conditional_page
@public
def club_picture(request: HttpRequest, club: Club) -> HttpResponse:
    """The picture of a link to the club: its next night, else its last result."""
    card = next(_front_cards(front_pages([club])[0]), None)
    if card is None:
        return _render_picture(club, title=club.name, words=[club.plays] if club.plays else [])
    return _render_event_picture(club, card)


def _front_cards(front: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The club's nights to come, the next first, then its last results."""
    yield from map(event_card, front["coming"])
    yield from (event_card(view.published.event, view) for view in front["results"])


@require_safe
@conditional_page
@public
def event_picture(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    return _render_event_picture(club, event_card(get_event(club, event)))


def _render_event_picture(club: Club, card: dict[str, Any]) -> HttpResponse:
    return _render_picture(club, title=card["title"], words=card["words"], rows=card["first"])


@require_safe
@conditional_page
@public
def season_picture(request: HttpRequest, club: Club, *, season: int) -> HttpResponse:
    (table,) = season_tables([get_object_or_404(Season, club=club, pk=season)])
    rows = [(place(line), line.name, total(line.total)) for line in table.parts[0].lines[:3]] if table.parts else []
    return _render_picture(club, title=table.season.name, words=[], rows=rows)


def _render_picture(club: Club, *, title: str, words: list[str], rows: Rows = ()) -> HttpResponse:
    shown = hidden_names(club).data({"title": title, "words": words, "rows": [list(row) for row in rows]})
    return HttpResponse(link_picture(club, **shown), content_type="image/png")


@require_safe
@xframe_options_exempt
@public
def embed(request: HttpRequest, club: Club, *, part: str) -> HttpResponse:
    """A part of the front page for a frame of another site: the "next" nights, the last "result", the "season"."""
    if part not in PARTS:
        raise Http404
    front = front_pages([club])[0]
    tables: list[tuple[int | None, Rows]] = []
    context = {"part": part, "front": front, "tables": tables, "closed": not club.shows(PARTS[part][0])}
    if part == "result" and front["results"]:
        view = front["results"][0]
        card = event_card(view.published.event, view)
        context |= {"title": card["title"], "address": card["event"].get_absolute_url()}
        tables.append((None, card["rows"]))
    if part == "season" and (table := front["season"]):
        address = reverse("season", args=[club.slug, table.season.pk])
        context |= {"title": table.season.name, "address": address}
        for division in table.parts:
            rows = [(place(row), row.name, total(row.total)) for row in division.lines]
            tables.append((division.division, rows))
    response = render(request, "tournaments/pages/embed.html", context)
    response["Content-Security-Policy"], response["X-Robots-Tag"] = FRAME_POLICY, "noindex"
    return response


@club_page
def on_your_site(request: HttpRequest, club: Club) -> HttpResponse:
    """The HTML to paste into another site's page to show a part of the club's there."""
    site = site_address(request)
    parts = [(words, site + reverse("embed", args=[club.slug, part])) for part, (_door, words) in PARTS.items()]
    context = {"parts": parts, "site": site, "only_here": is_loopback(site)}
    return render(request, "tournaments/pages/on_your_site.html", context)


class ClubFeed(Feed):
    """The club's results and coming nights, the most recently changed first."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, club: Club) -> Club:
        return club

    def title(self, club: Club) -> str:
        return club.name

    author_name = title

    def subtitle(self, club: Club) -> str:
        return club.plays

    def link(self, club: Club) -> str:
        return club.get_absolute_url()

    def feed_url(self, club: Club) -> str:
        return reverse("feed", args=[club.slug])

    def items(self, club: Club) -> list[dict[str, Any]]:
        front, names = front_pages([club], most=IN_FEED)[0], hidden_names(club)
        items = [_feed_item(card, names) for card in _front_cards(front)]
        return sorted(items, key=lambda item: item["changed"], reverse=True)

    def item_title(self, item: dict[str, Any]) -> str:
        return str(item["title"])

    def item_description(self, item: dict[str, Any]) -> str:
        return escape(item["words"])

    def item_link(self, item: dict[str, Any]) -> str:
        return str(item["address"])

    def item_updateddate(self, item: dict[str, Any]) -> Any:
        return item["changed"]


def _feed_item(card: dict[str, Any], names: NameReplacer) -> dict[str, Any]:
    event, view = card["event"], card["view"]
    title = f"{_('Result')}: {card['title']}" if view else card["title"]
    return {
        "title": names.text(title),
        "words": names.text(card["description"]),
        "address": event.get_absolute_url() + ("#result" if view else ""),
        "changed": view.as_of if view else event.changed_at,
    }


@require_safe
@conditional_page
@public
def feed(request: HttpRequest, club: Club) -> HttpResponse:
    return ClubFeed()(request, club)


@require_safe
@public
def manifest(request: HttpRequest, club: Club) -> HttpResponse:
    """The web app manifest, with which a phone can install the club's pages."""
    icons = [{"src": static(f"icon-{n}.png"), "sizes": f"{n}x{n}", "type": "image/png"} for n in (192, 512)]
    colour = colour_shades(club.colour or DEFAULT_COLOUR)[0]
    data = {"name": club.name, "short_name": club.name[:20], "start_url": club.get_absolute_url(), "icons": icons}
    data |= {"scope": "/", "display": "minimal-ui", "theme_color": colour, "background_color": "#f6f0e2"}
    return JsonResponse(data, content_type="application/manifest+json")
