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


def chosen_by(request: HttpRequest) -> str:
    """The language that this visitor chose with the switch at the foot of a page; "" for none."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return chosen if chosen in dict(settings.LANGUAGES) else ""


def locale_of(club: Club, language: str = "") -> str:
    """The club's language and place as Django's language, or a visitor's own language with the club's place."""
    return _locale(language or club.language, club.date_place)


def _locale(language: str, place: str) -> str:
    return LOCALES.get(f"{language}-{place}", f"{language}-{place}")


def speak(request: HttpRequest, club: Club) -> None:
    """Answer the rest of this request in the language of the club's pages, also where the answer is an error page."""
    translation.activate(locale_of(club, chosen_by(request)))


@contextmanager
def as_in(club: Club, language: str = "") -> Iterator[None]:
    """Words, dates and times as the club has them: for paper, and for what is made without a request.

    `language` is a visitor's own, in place of the club's.
    """
    with timezone.override(club.zone), translation.override(locale_of(club, language)):
        yield


def region_asked_for(accepted: str) -> str:
    """The region of the language that a browser's Accept-Language names first; "" where it names none.

    A region of another language says nothing: browsers ask for "en-US" behind whatever their users speak.

    >>> region_asked_for("es-419,es;q=0.9"), region_asked_for("en,en-IE;q=0.8"), region_asked_for("pl,en-US;q=0.7")
    ('419', 'ie', '')
    """
    tags = [tag.split("-") for tag, _weight in parse_accept_lang_header(accepted.lower())]
    regions = (part for parts in tags if parts[0] == tags[0][0] for part in parts[1:])
    return next((part for part in regions if len(part) == 2 or part.isdecimal()), "")


def place_asked_for(accepted: str) -> str:
    """The place whose dates a browser's Accept-Language asks for.

    >>> place_asked_for("en-US,en;q=0.9"), place_asked_for("es"), place_asked_for("pl,en-US;q=0.5"), place_asked_for("")
    ('us', 'es', 'gb', 'gb')
    """
    region = region_asked_for(accepted)
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
        place = place_asked_for(request.headers.get("Accept-Language", ""))
        translation.activate(_locale(translation.get_language_from_request(request), place))
        request.LANGUAGE_CODE = translation.get_language()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Say in `Vary` what the answer depends on. There is no Content-Language: a page that was kept may be in
        another language than the one that is active now."""
        patch_vary_headers(response, ("Accept-Language",))
        return response
