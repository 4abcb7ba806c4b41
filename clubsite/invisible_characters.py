"""Invisible characters: removed from what is typed, on any page, and from texts that have to be one line.

A name with a character in it that turns the reading direction, has no width, or is a control character would look like
another name, or spoil its line. The middleware is the one place where they are removed from forms; names in files are
read by `pasted_names.tidy_name`, which follows the same rule. A zero-width joiner stays between two emoji that it
makes one picture of.
"""

import re
import unicodedata
from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpRequest, QueryDict
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

MOST_MARKS = 4  # combining marks on one letter, beside those in the letter's own character; no language has more
HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, invisible format characters, lone surrogates, line ends
LAYOUT = "\n\r\t"
JOINER = "\u200d"
_EMOJI = "[\u2190-\u2bff\U0001f000-\U0001faff]"  # arrows to stars, then pictographs and skin tones
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_DRAWN = "\ufe0f"  # follows a sign that would be shown as a letter otherwise: show it as a picture
_JOINED = re.compile(f"(?:(?<={_EMOJI})|(?<={_EMOJI}{_DRAWN})){JOINER}(?={_EMOJI})")


def split_at_joiners(text: str) -> list[str]:
    """A text split at the joiners that make one picture of two emoji; any other joiner stays within its part.

    >>> [part.isprintable() for part in split_at_joiners("\U0001f469\u200d\U0001f467")]
    [True, True]
    >>> split_at_joiners("Jo\u200dse") == ["Jo\u200dse"]
    True
    """
    return _JOINED.split(text)


def is_one_line(text: str) -> bool:
    """Whether all of it can be printed.

    >>> is_one_line("Ann \u2764\ufe0f\u200d\U0001f525"), is_one_line("Ann\u200d"), is_one_line("Ann\\nBob")
    (True, False, False)
    """
    return all(part.isprintable() for part in split_at_joiners(text))


def to_one_line(text: str) -> str:
    """The text with a space for everything that can't be printed, and none at its ends.

    >>> to_one_line("Anna\u00a0Maria\u200d")
    'Anna Maria'
    >>> to_one_line("\U0001f469\u200d\U0001f467") == "\U0001f469\u200d\U0001f467"
    True
    """
    parts = ("".join(letter if letter.isprintable() else " " for letter in part) for part in split_at_joiners(text))
    return JOINER.join(parts).strip()


def remove_invisible(text: str) -> str:
    """A text, perhaps of several lines, without invisible characters and with at most `MOST_MARKS` marks on a letter.

    >>> remove_invisible("Ann\u202e Abel\u200b"), len(remove_invisible("Zo\u0308" + "\u0301" * 50))
    ('Ann Abel', 6)
    >>> remove_invisible("Ann Abel"), remove_invisible("Ann\u2028Abel\x1fBea")
    ('Ann Abel', 'Ann Abel Bea')
    >>> remove_invisible("\U0001f469\u200d\U0001f467 Ann") == "\U0001f469\u200d\U0001f467 Ann"
    True
    """
    if text.isascii() and not _CONTROL.search(text):
        return text
    return JOINER.join("".join(_visible_letters(part)) for part in split_at_joiners(text))


def _visible_letters(part: str) -> Iterator[str]:
    marks = 0
    for letter in part:
        category = unicodedata.category(letter)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category not in HIDDEN or letter in LAYOUT:
            if marks <= MOST_MARKS:
                yield letter
        elif letter.isspace():
            yield " "


FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
# Parts of the names of fields whose values are compared, never shown.
KEPT_AS_TYPED = ("password", "csrfmiddlewaretoken")


class InvisibleCharacters(MiddlewareMixin):
    """Middleware: cleans the fields of a form and of an address, and says so on the page if a form had any."""

    def process_request(self, request: HttpRequest) -> None:
        if (query := clean_fields(request.GET)) is not None:
            request.GET = query  # type: ignore[assignment]  # it is a cached property
        if request.method == "POST" and request.content_type in FORMS:
            if (form := clean_fields(request.POST)) is not None:
                request.POST = form  # type: ignore[assignment]  # its type doesn't know that it can be set
                messages.warning(request, _("Invisible characters were removed from what you sent."))
            for files in request.FILES.lists():
                for file in files[1]:
                    file.name = remove_invisible(file.name or "") or "file"


def clean_fields(sent: QueryDict) -> QueryDict | None:
    """The same fields without invisible characters; None where nothing has to change."""
    if all(value.isascii() and value.isprintable() for _name, values in sent.lists() for value in values):
        return None
    fields = sent.copy()
    for name, values in sent.lists():
        if not any(part in name for part in KEPT_AS_TYPED):
            fields.setlist(name, [remove_invisible(value) for value in values])
    return None if fields == sent else fields
