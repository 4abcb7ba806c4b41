"""Codes that people read and type: twelve letters and digits that don't look alike, "k7mp-x2qd-9hwa"."""

import secrets
from collections.abc import Sequence

import segno
from django.utils.crypto import salted_hmac

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
PARTS, LETTERS = 3, 4  # 59 bits: too many to be guessed with the wrong tries that are allowed
SALT = "clubsite.accounts.invitations."


def new_nonce() -> str:
    return secrets.token_hex(16)


def code_from_nonce(nonce: str) -> str:
    digest = int.from_bytes(salted_hmac(f"{SALT}code", nonce, algorithm="sha256").digest(), "big")
    letters = []
    for _n in range(PARTS * LETTERS):
        digest, place = divmod(digest, len(ALPHABET))
        letters.append(ALPHABET[place])
    return hyphenate(letters)


def random_code(parts: int = PARTS) -> str:
    return hyphenate([secrets.choice(ALPHABET) for _n in range(parts * LETTERS)])


def hyphenate(letters: Sequence[str]) -> str:
    return "-".join("".join(letters[at : at + LETTERS]) for at in range(0, len(letters), LETTERS))


def normalize_code(code: str) -> str:
    return "".join(ch for ch in code.lower() if ch.isascii() and ch.isalnum())


def hash_code(code: str) -> str:
    return salted_hmac(f"{SALT}kept", normalize_code(code), algorithm="sha256").hexdigest()


def qr_svg(address: str) -> str:
    picture: str = segno.make(address, micro=False, error="m").svg_inline(
        svgclass="qr", lineclass=None, omitsize=True, border=2
    )
    return picture
