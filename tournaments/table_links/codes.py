"""What a table's link says, and how it is known again.

A link's token and its short code are computed from its nonce with the installation's secret key, each time they are
printed or shown; the database holds hashes of them. So a copy of the database opens no table, and a card printed again
shows the same code. With another secret key all links end.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from django.utils.crypto import salted_hmac

TOKEN_BYTES = 16
FIRST, LAST = 10, 99  # the number after the word
_CODE = re.compile(r"([A-Z]{4})([0-9]{2})")
_SALT = "tournaments.table_links."


@cache
def words() -> tuple[str, ...]:
    """The words of codes: short, friendly, and spelt as they sound."""
    return tuple(Path(__file__).with_name("words.txt").read_text(encoding="utf-8").upper().split())


def token_of(nonce: str) -> str:
    """The secret part of a link's address: 128 bits as 26 capital letters and digits, which make a small QR code."""
    return base64.b32encode(_digest("token", nonce)[:TOKEN_BYTES]).decode().rstrip("=")


def code_of(nonce: str) -> str:
    """The short code of a link, to be typed: "MOLE-42"."""
    number = int.from_bytes(_digest("code", nonce), "big")
    number, place = divmod(number, len(words()))
    return f"{words()[place]}-{FIRST + number % (LAST - FIRST + 1)}"


def token_hash(token: str) -> str:
    """What the database keeps of a token."""
    return hashlib.sha256(token.upper().encode()).hexdigest()


def code_hash(event: int, code: str) -> str:
    """What the database keeps of an event's code: of no use without the secret key, for there are few codes."""
    return salted_hmac(f"{_SALT}kept", f"{event} {code}", algorithm="sha256").hexdigest()


def as_code(typed: str) -> str:
    """The code that somebody means; "" where it is none.

    >>> as_code("mole 42"), as_code(" Mole42"), as_code("moles")
    ('MOLE-42', 'MOLE-42', '')
    """
    found = _CODE.fullmatch(re.sub(r"[\W_]", "", typed).upper())
    return f"{found[1]}-{found[2]}" if found else ""


def _digest(what: str, nonce: str) -> bytes:
    return salted_hmac(f"{_SALT}{what}", nonce, algorithm="sha256").digest()
