"""The address by which other machines reach this one, and the one it had before."""

import json
import socket
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path

KEPT = "hall-address.json"  # in the folder of data
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
ELSEWHERE = ("192.0.2.1", 9)  # a reserved address (RFC 5737), to find out which way leads out; nothing is sent


def hall_address() -> str:
    """This machine's own IPv4 address in the network it is in; empty where it is in none. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(ELSEWHERE)
            address = ip_address(way.getsockname()[0])
        except OSError:
            return ""
    return "" if address.is_loopback or address.is_unspecified else str(address)


def machine_names() -> list[str]:
    name = socket.gethostname().split(".")[0].lower()
    return [name, f"{name}.local"] if name else []


@dataclass(frozen=True, slots=True)
class FormerAddress:
    site: str  # "http://192.168.1.20:8000"
    until: datetime


def note_site(folder: Path, site: str, *, now: datetime) -> None:
    """Store the address that phones use from now on and, if it was another, the one before."""
    file = folder / KEPT
    note = _read_note(file)
    if note.get("site") == site:
        return
    _write_note(file, {**note, "site": site, "before": note.get("site", ""), "until": now.isoformat()})


def note_left_open(folder: Path, address: str) -> None:
    """Store the address of this machine at which later starts let phones in, too; "" for none."""
    file = folder / KEPT
    if (note := _read_note(file)).get("open", "") != address:
        _write_note(file, {**note, "open": address})


def read_left_open(folder: Path) -> str:
    return _read_note(folder / KEPT).get("open", "")


def former_address(folder: Path) -> FormerAddress | None:
    """The address before the present one; None where there was none, or the note can't be read."""
    note = _read_note(Path(folder) / KEPT)
    try:
        return FormerAddress(note["before"], datetime.fromisoformat(note["until"])) if note.get("before") else None
    except (KeyError, ValueError):
        return None


def _read_note(file: Path) -> dict[str, str]:
    try:
        note = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return note if isinstance(note, dict) else {}


def _write_note(file: Path, note: dict[str, str]) -> None:
    part = file.with_suffix(".new")
    part.write_text(json.dumps(note), encoding="utf-8")
    part.replace(file)
