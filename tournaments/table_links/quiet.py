"""What a server writes about requests never holds a table's link, nor the code of an invitation or a new password."""

from __future__ import annotations

import logging
import re

_LINK = re.compile(r"(/t/|/login/invitation/|/password/new/)[^\s\"'?]*[^/\s\"'?]", re.IGNORECASE)


def _without_secret(found: re.Match[str]) -> str:
    """The address with dots in place of its secret part. Of a table's page, what follows the secret part is kept."""
    rest = found[0][len(found[1]) :].partition("/")[2] if found[1].lower() == "/t/" else ""
    return f"{found[1].lower()}.../{rest}" if rest else f"{found[1].lower()}..."


class NoLinks(logging.Filter):
    """Writes the address of a table's page without its secret part."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, changed where it has to be."""
        message = record.getMessage()
        hidden = _LINK.sub(_without_secret, message)
        if hidden != message:
            record.msg, record.args = hidden, None
        return True
