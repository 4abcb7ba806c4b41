"""Pages are sent compressed; what is compressed already (PDFs, spreadsheets) isn't tried again.

Static files are compressed when they are built (`clubsite/ops/apps.py`).
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXT = ("text/", "application/json", "application/javascript", "image/svg+xml")


class CompressText(GZipMiddleware):
    """Django's compression, with its random length against guessing at secrets, for text only."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress an answer of text for a browser that takes it."""
        if not response.get("Content-Type", "").startswith(TEXT):
            return response
        return super().process_response(request, response)
