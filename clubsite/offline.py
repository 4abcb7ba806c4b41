"""What the server provides for cards kept on a phone: the service worker, a pass, and answers for scripts.

A deal that is sent by script (static/kept.js) carries the header `X-Kept`: "now" while somebody waits for the next
page, "later" from the queue. The answer carries it too, so that the log-in page of a hall's Wi-Fi isn't taken for an
answer of ours. A page that the worker only caches, and nobody looks at, is requested with `X-Keeping`: no message is
shown on it.
"""

import json
import re
from html import unescape
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.html import strip_tags
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_safe

HEADER = "X-Kept"
LINK = re.compile(r"<a .*?</a>", re.DOTALL)
WORKER = ("vendor/idb/idb.umd.js", "send.js", "kept.js", "sw.js")  # what a module imports comes before it
MODULE_ONLY = re.compile(r"^import .*;\n|^export ", re.MULTILINE)
PARAGRAPH = re.compile(r"<(?:p|li)\b.*?</(?:p|li)>", re.DOTALL)


@conditional_page
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker's script, at the site's root because a worker controls no pages above its own address. Not
    every browser takes a module there, so its modules are joined."""
    site = {
        "files": settings.STATIC_URL,
        "offline": reverse("no_network"),
        "pass": reverse("kept_pass"),
        "forgetAt": [reverse("logout")],
        "renewAt": [reverse("login"), reverse("language")],  # drafts wait for who typed them
    }
    modules = "\n".join((settings.BASE_DIR / "static" / name).read_text("utf-8") for name in WORKER)
    script = f'"use strict";\nself.site = {json.dumps(site)};\n' + MODULE_ONLY.sub("", modules)
    return HttpResponse(script, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@never_cache
@require_safe
def kept_pass(request: HttpRequest) -> JsonResponse:
    """Who is logged in ("" for nobody), and a current CSRF token, since that of a cached page may be old."""
    return JsonResponse({"owner": str(request.user.pk or ""), "token": get_token(request)})


@require_safe
def no_network(request: HttpRequest) -> HttpResponse:
    """The page that a phone shows without network in place of one that isn't cached. It is the same for everybody."""
    return render(request, "error_pages/no_network.html")


def is_from_script(request: HttpRequest) -> bool:
    """Whether a script sent the request: it keeps what was typed, and wants JSON, not a page."""
    return HEADER in request.headers


def refusal(state: str, *, why: list[str], status: int, over: bool = False) -> JsonResponse:
    """`state`: "refused", "late" or "same" (static/kept.js)."""
    return JsonResponse({"state": state, "why": why, "over": over}, status=status)


def paragraphs_in(html: str) -> list[str]:
    """The text of each paragraph and list item in a part of a page, without links."""
    texts = (unescape(strip_tags(LINK.sub("", part))) for part in PARAGRAPH.findall(html))
    return [" ".join(text.split()) for text in texts]


def _message_text(message: Message) -> str:
    text = str(message.message)
    return unescape(strip_tags(LINK.sub("", text))).strip() if hasattr(message.message, "__html__") else text


class ScriptAnswers(MiddlewareMixin):
    """Middleware: turns a redirect into JSON for the script that sent a deal, and marks all answers to scripts as
    ours."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """`said` in the JSON are the messages of the next page, which nobody opens for a deal sent from the queue."""
        waited_for = request.headers.get(HEADER)
        if waited_for is None:
            return response
        to = response.get("Location")
        if to is not None and request.method == "POST":
            logged_out = urlsplit(to).path == resolve_url(settings.LOGIN_URL)
            unseen = not logged_out and waited_for != "now"
            texts = [_message_text(message) for message in get_messages(request)] if unseen else []
            answer = JsonResponse({"state": "log-in" if logged_out else "recorded", "to": to, "said": texts})
            answer.cookies = response.cookies
            response = answer
        response[HEADER] = waited_for if waited_for in ("now", "later") else "later"
        return response
