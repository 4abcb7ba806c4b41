"""The addresses by which other machines reach this one."""

from __future__ import annotations

import socket
from ipaddress import ip_address

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
ELSEWHERE = ("192.0.2.1", 9)  # an address of no network (RFC 5737): it is asked which way leads there; nothing is sent


def hall_address() -> str:
    """This machine's own IPv4 address in the network it is in; empty where it is in none. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(ELSEWHERE)
            found = str(way.getsockname()[0])
        except OSError:
            return ""
    address = ip_address(found)
    return "" if address.is_loopback or address.is_unspecified else found


def names_here() -> list[str]:
    """This machine's names: its own, and the one that mDNS gives it in a hall's network."""
    name = socket.gethostname().split(".")[0].lower()
    return [name, f"{name}.local"] if name else []
