"""A document as the answer to a request: the PDF, or a page that says why there is none."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify

from clubsite.paper.pdf import Pages, PdfFailed, PdfUnavailable, pdf_of


def pdf_answer(request: HttpRequest, pages: Pages, *, name: str, back: str) -> HttpResponse:
    """The PDF of these pages under a name; 503 with the reason, and the way `back`, when this machine makes none."""
    try:
        file = pdf_of(pages)
    except PdfUnavailable as missing:
        return render(request, "documents_off.html", {"back": back, "missing": missing}, status=503)
    except PdfFailed as failed:
        return render(request, "documents_off.html", {"back": back, "failed": failed}, status=503)
    headers = {"Content-Disposition": f'inline; filename="{slugify(name)}.pdf"'}
    return HttpResponse(file.read_bytes(), content_type="application/pdf", headers=headers)
