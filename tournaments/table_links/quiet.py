"""What a server writes about requests never holds a table's link."""

from __future__ import annotations

import logging
import re

_LINK = re.compile(r"/t/[^/\s\"'?]+", re.IGNORECASE)


class NoLinks(logging.Filter):
    """Writes the address of a table's page without its secret part."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, changed where it has to be."""
        message = record.getMessage()
        if "/t/" in message.lower():
            record.msg, record.args = _LINK.sub("/t/...", message), None
        return True
