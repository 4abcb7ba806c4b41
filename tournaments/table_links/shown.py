"""Links as they are shown and printed: the code, the QR code, the address to type."""

from __future__ import annotations

import io
from dataclasses import dataclass
from urllib.parse import urlsplit

import segno
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import cached_property

from clubsite import addresses
from tournaments.models import Draw, TableLink
from tournaments.table_links import codes
from tournaments.table_links.links import token_shown


@dataclass(frozen=True)
class ShownLink:
    """A table's link. `address` opens it, `typed` is the short address where the code is typed."""

    address: str
    code: str  # "MOLE-42"
    typed: str  # "192.168.1.20:8000/t/"

    @cached_property
    def qr(self) -> str:
        """The QR code as SVG with white around it, for a page."""
        return qr_of(self.address)

    @cached_property
    def qr_bare(self) -> str:
        """The QR code as SVG up to its edge, for paper."""
        return _svg(self.address, border=0, light=None)


def qr_of(address: str) -> str:
    """The QR code of an address as SVG with white around it, for a page."""
    return _svg(address, border=4, light="#fff")


def site_of(request: HttpRequest) -> str:
    """The address of the site for phones, with its last slash: `SITE_URL`, or the one of this request."""
    return f"{addresses.site_of(request)}/"


def shown_link(link: TableLink, site: str) -> ShownLink | None:
    """A link to show; None when it was made with another secret key."""
    token = token_shown(link)
    if not token:
        return None
    typed = urlsplit(site).netloc + urlsplit(site).path + "t/"
    return ShownLink(f"{site}t/{token}/", codes.code_of(link.nonce), typed)


def links_of(draw: Draw, site: str) -> dict[int, ShownLink]:
    """The links of a published draw that open their tables now, by the key of the group; none without a site. One
    query."""
    if not site or draw.state != Draw.State.PUBLISHED:
        return {}
    found = TableLink.objects.filter(group__table__draw=draw, revoked_at=None)
    live = (link for link in found if link.expires_at is None or link.expires_at > timezone.now())
    return {link.group_id: shown for link in live if (shown := shown_link(link, site))}


def _svg(address: str, *, border: int, light: str | None) -> str:
    """The QR code of an address: in capitals where only host and link stand in it, which makes it a size smaller."""
    if urlsplit(address).path.startswith("/t/"):
        address = address.upper()
    file = io.BytesIO()
    look = {"svgclass": None, "lineclass": None, "omitsize": True, "xmldecl": False, "nl": False}
    segno.make(address, micro=False, error="m").save(file, kind="svg", border=border, light=light, **look)
    return file.getvalue().decode()
