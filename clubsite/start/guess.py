"""What a browser and this machine tell of where a club is: a first guess that the form shows and people change."""

from __future__ import annotations

import zoneinfo
from pathlib import Path

from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation.trans_real import parse_accept_lang_header

from clubsite.accounts.models import Club
from clubsite.accounts.starting import ClubFacts

# Where paper is US Letter (CLDR's paper sizes; Latin America as a whole where no country is told)
LETTER = {"us", "ca", "mx", "ph", "pr", "cl", "co", "cr", "do", "gt", "ni", "pa", "sv", "ve", "bz", "419"}
DATES = {
    **dict.fromkeys(("us", "ca", "ph", "pr"), Club.DatePlace.UNITED_STATES),
    **dict.fromkeys(("es",), Club.DatePlace.SPAIN),
    **dict.fromkeys(("mx", "cr", "do", "gt", "ni", "pa", "sv", "419", "co", "ve", "cl", "ar"), Club.DatePlace.MEXICO),
}
LOCALTIME = Path("/etc/localtime")  # a link into the machine's time zones


def guess_of(request: HttpRequest) -> ClubFacts:
    """A club without a name: zone of this machine, the rest by the languages that the browser asks for."""
    language = (get_language() or "en").partition("-")[0]
    region = _region(request.headers.get("Accept-Language", ""))
    return ClubFacts(
        name="",
        time_zone=_zone_of_machine(),
        paper=Club.Paper.LETTER if region in LETTER else Club.Paper.A4,
        language=language,
        date_place=DATES.get(region, Club.DatePlace.SPAIN if language == "es" else Club.DatePlace.BRITAIN),
    )


def _region(accepted: str) -> str:
    """The country of the first language that names one: "us" of "en-US,en;q=0.9"."""
    for tag, _weight in parse_accept_lang_header(accepted.lower()):
        for part in tag.split("-")[1:]:
            if len(part) == 2 or part.isdecimal():
                return part
    return ""


def _zone_of_machine() -> str:
    """The time zone in which this machine stands, as far as it says so: a hall's laptop is where its club is."""
    try:
        parts = LOCALTIME.readlink().parts
    except OSError:
        return "UTC"
    name = "/".join(parts[parts.index("zoneinfo") + 1 :]) if "zoneinfo" in parts else ""
    return name if name in zoneinfo.available_timezones() else "UTC"
