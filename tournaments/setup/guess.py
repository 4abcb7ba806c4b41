"""Guesses from the browser and this machine where a club is; the form shows the guess, and people can change it."""

from __future__ import annotations

import zoneinfo
from pathlib import Path

from django.http import HttpRequest
from django.utils.translation import get_language

from clubsite.accounts.languages import place_asked_for, region_asked_for
from clubsite.accounts.models import Club

# Regions where paper is US Letter (CLDR's paper sizes); 419 is Latin America as a whole
LETTER = {"us", "ca", "mx", "ph", "pr", "cl", "co", "cr", "do", "gt", "ni", "pa", "sv", "ve", "bz", "419"}
LOCALTIME = Path("/etc/localtime")  # a symbolic link to the file of the machine's time zone


def guess_of(request: HttpRequest) -> Club:
    """A club without a name: this machine's time zone, the rest by the languages that the browser asks for."""
    language = (get_language() or "en").partition("-")[0]
    accepted = request.headers.get("Accept-Language", "")
    return Club(
        time_zone=_zone_of_machine(),
        paper=Club.Paper.LETTER if region_asked_for(accepted) in LETTER else Club.Paper.A4,
        language=language,
        date_place=place_asked_for(accepted),
    )


def _zone_of_machine() -> str:
    """The time zone in which this machine stands, as far as it says so: a hall's laptop is where its club is."""
    try:
        parts = LOCALTIME.readlink().parts
    except OSError:
        return "UTC"
    name = "/".join(parts[parts.index("zoneinfo") + 1 :]) if "zoneinfo" in parts else ""
    return name if name in zoneinfo.available_timezones() else "UTC"
