"""Where a request comes from: decided here and nowhere else.

Anybody can send a header `X-Forwarded-For`. It is read only where the host says in `BEHIND_PROXY` how many of its own
proxies are in front, and then only what these wrote themselves: each adds, at the end, who connected to it.
"""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

FORWARDED = "HTTP_X_FORWARDED_FOR"
NETWORK_BITS = 64  # bits of an IPv6 address that name the network; a machine chooses the others itself


def client_address(request: HttpRequest) -> str:
    """The address that a request comes from; "" where the server gives none.

    With two proxies the visitor's address is the second to last in the header. Where the header has fewer addresses
    than there are proxies, the request went round some of them, and the first address is the visitor's.
    """
    direct = str(parse_ip(request.META.get("REMOTE_ADDR", "")) or "")
    proxies = int(settings.BEHIND_PROXY)
    named = [part.strip() for part in str(request.META.get(FORWARDED, "")).split(",") if part.strip()]
    if not proxies or not named:
        return direct
    ip = parse_ip(named[-proxies:][0])
    return str(ip) if ip else direct


def client_network(request: HttpRequest) -> str:
    """What tries are counted by: the address or, for IPv6, its network, because there one machine has very many
    addresses.

    >>> from django.test import RequestFactory
    >>> client_network(RequestFactory().get("/", REMOTE_ADDR="2001:db8:1:2:3:4:5:6"))
    '2001:db8:1:2::/64'
    """
    address = client_address(request)
    ip = parse_ip(address)
    return str(ip_network((ip, NETWORK_BITS), strict=False)) if isinstance(ip, IPv6Address) else address


def site_address(request: HttpRequest) -> str:
    """The site's address for other devices, without a slash at its end: `SITE_URL`, or the address this request
    used."""
    return str(settings.SITE_URL or request.build_absolute_uri("/")).rstrip("/")


def is_loopback(site: str) -> bool:
    """Whether an address is that of the machine itself, which no phone reaches.

    >>> is_loopback("http://127.0.0.1:8000/"), is_loopback("http://localhost/"), is_loopback("https://cards.example.org/")
    (True, True, False)
    """
    host = urlsplit(site).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def parse_ip(text: str) -> IPv4Address | IPv6Address | None:
    """The IP address in a text, which may have a port behind it; None where there is none. An IPv4 address that is
    mapped to IPv6 becomes IPv4 again.

    >>> [str(parse_ip(text)) for text in ("10.0.0.7:4711", "[2001:db8::1]:80", "::ffff:10.0.0.7", "fe80::1%eth0", "me")]
    ['10.0.0.7', '2001:db8::1', '10.0.0.7', 'fe80::1', 'None']
    """
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        ip = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return ip.ipv4_mapped or ip if isinstance(ip, IPv6Address) else ip
