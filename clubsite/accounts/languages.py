"""The language of a page or a sheet of paper, and the country whose style its dates, times and figures follow.

The active language always names a place, too: "es-us". Its words are those of `locale/es`, its dates and figures those
of `clubsite/formats/es_US`. On a club's pages the language is the visitor's own choice, kept in a cookie, or else the
club's; the place is the club's. Elsewhere the browser's headers decide both. Paper is in the club's language, not
in that of the person who prints it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation.trans_real import parse_accept_lang_header

from clubsite.accounts.models import Club

LIKE_MEXICO = ("419", "ar", "cl", "co", "cr", "do", "gt", "hn", "ni", "pa", "sv", "ve")
OTHER_REGIONS = {**dict.fromkeys(("ca", "ph", "pr"), "us"), **dict.fromkeys(LIKE_MEXICO, "mx")}
LOCALES = {"es-mx": "es-419"}  # not es-mx itself: Django has words and capitals of its own for that
WITHOUT_REGION = {"en": Club.DatePlace.BRITAIN, "es": Club.DatePlace.SPAIN}


def chosen_language(request: HttpRequest) -> str:
    """The language chosen at the foot of a page; "" for none."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return chosen if chosen in dict(settings.LANGUAGES) else ""


def club_locale(club: Club, language: str = "") -> str:
    """Django's code for the club's language and place, or for the visitor's `language` and the club's place."""
    return _locale(language or club.language, club.date_place)


def _locale(language: str, place: str) -> str:
    return LOCALES.get(f"{language}-{place}", f"{language}-{place}")


def activate_language(request: HttpRequest, club: Club) -> None:
    translation.activate(club_locale(club, chosen_language(request)))


@contextmanager
def use_language(club: Club, language: str = "") -> Iterator[None]:
    """Use the club's language, formats and time zone, or a visitor's `language`, in the block: for paper, and for what
    is made without a request."""
    with timezone.override(club.zone), translation.override(club_locale(club, language)):
        yield


def preferred_region(accepted: str) -> str:
    """The region of the language that a browser's Accept-Language names first; "" where it names none.

    A region of another language says nothing: browsers ask for "en-US" behind whatever their users speak.

    >>> preferred_region("es-419,es;q=0.9"), preferred_region("en,en-IE;q=0.8"), preferred_region("pl,en-US;q=0.7")
    ('419', 'ie', '')
    """
    tags = [tag.split("-") for tag, _weight in parse_accept_lang_header(accepted.lower())]
    regions = (part for parts in tags if parts[0] == tags[0][0] for part in parts[1:])
    return next((part for part in regions if len(part) == 2 or part.isdecimal()), "")


def preferred_place(accepted: str) -> str:
    """The place whose dates a browser's Accept-Language asks for.

    >>> preferred_place("en-US,en;q=0.9"), preferred_place("es"), preferred_place("pl,en-US;q=0.5"), preferred_place("")
    ('us', 'es', 'gb', 'gb')
    """
    region = preferred_region(accepted)
    region = OTHER_REGIONS.get(region, region)
    if region in Club.DatePlace.values:
        return region
    languages = (tag.partition("-")[0] for tag, _weight in parse_accept_lang_header(accepted.lower()))
    place = next((WITHOUT_REGION[language] for language in languages if language in WITHOUT_REGION), None)
    return str(place or Club.DatePlace.BRITAIN)


class Languages(MiddlewareMixin):
    """Sets the language until a page is known to be a club's: the visitor's choice or the browser's, in the browser's
    style."""

    def process_request(self, request: HttpRequest) -> None:
        place = preferred_place(request.headers.get("Accept-Language", ""))
        translation.activate(_locale(translation.get_language_from_request(request), place))
        request.LANGUAGE_CODE = translation.get_language()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Sets no Content-Language: a cached page may be in another language than the one that is active now."""
        patch_vary_headers(response, ("Accept-Language",))
        return response
