"""A text of one line, as files and paper have it: everything in it can be printed.

A zero-width joiner can't be printed by itself. Between two emoji it makes one picture of both, and stays.
"""

from __future__ import annotations

import re

JOINER = "\u200d"
_EMOJI = "[\u2190-\u2bff\U0001f000-\U0001faff]"  # arrows to stars, then pictures with their tones of skin
_DRAWN = "\ufe0f"  # after a sign that would be a letter otherwise: show it as a picture
_JOINED = re.compile(f"(?:(?<={_EMOJI})|(?<={_EMOJI}{_DRAWN})){JOINER}(?={_EMOJI})")


def between_joiners(text: str) -> list[str]:
    """The parts of a text that joiners of emoji hold together; other joiners are within a part.

    >>> [part.isprintable() for part in between_joiners("\U0001f469\u200d\U0001f467")]
    [True, True]
    >>> between_joiners("Jo\u200dse") == ["Jo\u200dse"]
    True
    """
    return _JOINED.split(text)


def is_one_line(text: str) -> bool:
    """Whether all of it can be printed.

    >>> is_one_line("Ann \u2764\ufe0f\u200d\U0001f525"), is_one_line("Ann\u200d"), is_one_line("Ann\\nBob")
    (True, False, False)
    """
    return all(part.isprintable() for part in between_joiners(text))


def one_line(text: str) -> str:
    """The text with a space for everything that can't be printed, and none at its ends.

    >>> one_line("Anna\u00a0Maria\u200d")
    'Anna Maria'
    >>> one_line("\U0001f469\u200d\U0001f467") == "\U0001f469\u200d\U0001f467"
    True
    """
    parts = ("".join(letter if letter.isprintable() else " " for letter in part) for part in between_joiners(text))
    return JOINER.join(parts).strip()
