"""Whether phones in the hall reach this site, by which address, and what is wrong where they don't."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host

from clubsite.addresses import only_here
from clubsite.serving.addresses import FormerAddress, before, hall_address
from tournaments.table_links.shown import qr_of


@dataclass(frozen=True)
class Reach:
    """The way of a hall's phones to this site.

    `site` is the address for phones, with its last slash. `here`: this machine's own address in its network, empty
    where it is in none, or where the site isn't served to a hall from this machine. `before`: the address that it had
    until lately, by which cards may have been printed.
    """

    site: str
    here: str
    before: FormerAddress | None

    @property
    def only_here(self) -> bool:
        """Whether the address is one that only this machine itself reaches."""
        return only_here(self.site)

    @property
    def deaf(self) -> bool:
        """Whether the server listens to its own machine alone, whatever the address says."""
        return settings.SERVED_DIRECTLY and not self.only_here and only_here(f"http://{settings.LISTENS_AT}/")

    @property
    def refused(self) -> bool:
        """Whether the site would refuse phones that use this address."""
        return not validate_host(urlsplit(self.site).hostname or "", settings.ALLOWED_HOSTS)

    @property
    def moved(self) -> bool:
        """Whether this machine has another address now than when the site was started for the hall."""
        host = urlsplit(self.site).hostname or ""
        return bool(settings.HALL and self.here and host.replace(".", "").isdecimal() and host != self.here)

    @property
    def is_well(self) -> bool:
        """Whether nothing is known that keeps phones away."""
        return not (self.only_here or self.deaf or self.refused or self.moved)

    @property
    def is_plain(self) -> bool:
        """Whether the address is plain HTTP, with which a phone can't open a kept card while it has no network."""
        return urlsplit(self.site).scheme != "https"

    @property
    def typed(self) -> str:
        """The address as somebody types it."""
        parts = urlsplit(self.site)
        return f"{'' if self.is_plain else 'https://'}{parts.netloc}{parts.path.rstrip('/')}"

    @cached_property
    def qr(self) -> str:
        """Its QR code as SVG, with white around it."""
        return qr_of(self.site)


def reach_of(site: str) -> Reach:
    """The way of phones to the site at this address. Sends nothing, and asks the database nothing."""
    lately = before(settings.VAR_DIR) if settings.HALL else None
    here = hall_address() if settings.HALL or only_here(site) else ""
    return Reach(site, here, lately if lately and lately.site != site.rstrip("/") else None)
