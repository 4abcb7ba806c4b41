"""Middleware around the whole site: refuses requests that no page could use, gives every answer its safe headers, and
compresses pages."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, StreamingHttpResponse
from django.http.request import UnreadablePostError
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin

from clubsite import error_pages

METHODS = ("GET", "HEAD", "POST")
LONGEST_PATH = 1_000  # characters; the longest of the site has 200
LONGEST_QUERY = 8_000
LONGEST_COOKIES = 16_000  # browsers send cookies of other sites on the same host, too
HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
}
# Files that are compressed already; sent as they are, a browser also learns their length.
COMPRESSED = ("image/png", "application/pdf", "application/zip", "application/vnd.")


class Compression(GZipMiddleware):
    """Django's own, without files that are compressed already."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.headers.get("Content-Type", "").startswith(COMPRESSED):
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed


class RequestLimits(MiddlewareMixin):
    """Middleware: refuses what is too large before it is read, and completes the headers of every answer."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        head = request.META
        if request.method not in METHODS:
            response = error_pages.refusal_page(request, error_pages.WRONG_METHOD, status=405)
            response.headers["Allow"] = ", ".join(METHODS)
            return response
        if len(request.path) > LONGEST_PATH or len(head.get("QUERY_STRING", "")) > LONGEST_QUERY:
            return error_pages.refusal_page(request, error_pages.TOO_LONG, status=414)
        cookies = head.get("HTTP_COOKIE", "")
        if len(cookies) > LONGEST_COOKIES or any("\0" in value for value in request.COOKIES.values()):
            return error_pages.refusal_page(request, error_pages.TOO_MANY_COOKIES, status=431)
        length = head.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or len(length) > 12 or int(length) > settings.REQUEST_LIMIT:
            return error_pages.refusal_page(request, error_pages.TOO_LARGE, status=413)
        return None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Complete the headers; in place of Django's empty answer 405 there is a page that says why."""
        if isinstance(response, HttpResponseNotAllowed):
            allowed = response.headers["Allow"]
            if request.method == "POST":
                response = error_pages.refusal_page(request, error_pages.WRONG_METHOD, status=405)
            else:
                response = error_pages.refusal_page(
                    request, error_pages.ONLY_FORMS, status=405, heading=error_pages.NO_PAGE
                )
            response.headers["Allow"] = allowed
        for name, value in HEADERS.items():
            if name != "X-Frame-Options" or not getattr(response, "xframe_options_exempt", False):  # as Django has it
                response.headers.setdefault(name, value)
        if request.method == "HEAD":  # waitress would send the body, as the beginning of the next answer
            if isinstance(response, StreamingHttpResponse):
                response.streaming_content = ()
            elif isinstance(response, HttpResponse):
                response.content = b""
        if response.status_code >= 400:
            response.headers["Cache-Control"] = "no-store, private"
        elif "Cache-Control" not in response.headers:
            # Public pages too show who is logged in, so no proxy may keep them.
            response.headers["Cache-Control"] = "private, no-cache"
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, UnreadablePostError):
            return error_pages.refusal_page(request, error_pages.DAMAGED, status=400)
        return None
