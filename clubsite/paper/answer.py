"""A document as the answer to a request: the PDF, or a page that waits for it, or one that says why there is none."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control

from clubsite.paper.pdf import Pages, key_of, made_now, make_pdf
from clubsite.tasks.files import found, order_file
from clubsite.tasks.orders import WantedFile, answer, answer_kept
from clubsite.tasks.queue import Priority

PRINTED_BY = ("GET", "HEAD", "POST")  # methods of a document's page; a POST orders it
PICTURE_KEPT = 60  # seconds for which a browser doesn't ask again for a picture
# A sheet that isn't made yet, in a grey that is seen on light and dark pages.
NO_PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 320" width="240" height="320">'
    '<rect x="1" y="1" width="238" height="318" fill="#fff" stroke="#767676" stroke-width="2"/>'
    '<path d="M40 60h160M40 100h160M40 140h160M40 180h110" stroke="#949494" stroke-width="8" stroke-linecap="round"/>'
    "</svg>"
)


def pdf_answer(request: HttpRequest, pages: Pages, *, name: str, back: str) -> HttpResponse:
    """The PDF of these pages under a name, or a page that orders it and waits; 503 with the reason, and the way `back`,
    when none can be made. GET opens it, POST orders it."""
    wanted = WantedFile(
        key=key_of(pages),
        suffix="pdf",
        title=name,
        back=back,
        task=make_pdf,
        payload=pages.payload,
        at_once=lambda: made_now(pages),
    )
    return answer(request, wanted)


def kept_answer(request: HttpRequest, key: str | None, *, name: str) -> HttpResponse | None:
    """The PDF of this key (`key_of`) under a name, where it is made; else None."""
    return answer_kept(request, key, suffix="pdf", title=name) if key else None


def order_ahead(pages: Pages) -> None:
    """Have a PDF made that somebody will want soon."""
    order_file(key=key_of(pages), suffix="pdf", payload=pages.payload(), task=make_pdf, priority=Priority.AHEAD)


def picture_answer(request: HttpRequest, key: str | None) -> HttpResponse:
    """The first sheet of the PDF of `key_of` as a small picture; an empty sheet while it isn't made.

    A browser keeps it for a minute, and asks then whether it is still the same.
    """
    picture = found(key, "png") if key else None
    if picture is None:
        response = HttpResponse(NO_PICTURE, content_type="image/svg+xml")
        patch_cache_control(response, private=True, no_cache=True)
        return response
    response = HttpResponse(picture, content_type="image/png")
    patch_cache_control(response, private=True, max_age=PICTURE_KEPT)
    etag = response["ETag"] = f'"{key}"'
    answered = get_conditional_response(request, etag=etag, response=response)
    return answered if isinstance(answered, HttpResponse) else response
