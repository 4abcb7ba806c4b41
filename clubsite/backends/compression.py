"""Pages are sent compressed; what is compressed already (PDFs, spreadsheets) isn't compressed again.

Static files are compressed when they are built (`clubsite/operations/apps.py`).
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXT = ("text/", "application/json", "application/javascript", "image/svg+xml")


class CompressText(GZipMiddleware):
    """Django's compression for text only. It adds random bytes, so that a page's length gives no secrets away."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress a text answer for a browser that accepts it."""
        if not response.get("Content-Type", "").startswith(TEXT):
            return response
        return super().process_response(request, response)
