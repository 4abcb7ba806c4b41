"""The sheets of documents on one page that a browser prints: what a computer without Pango has in place of a PDF.

The templates are those of the PDFs, which hold styles of their own; here these become one style sheet. The text of a
document can hold no tag and no quotation mark (Django writes `&lt;` and `&quot;`), so that what these patterns find was
written by a template.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any
from urllib.parse import quote

from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe

from clubsite.pdf.render import PNG

LANGUAGE = re.compile(r'<html lang="([^"]*)"')
BODY = re.compile(r'<body(?: class="([^"]*)")?>(.*)</body>', re.DOTALL)
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
PAGE = re.compile(r"@page \{((?:[^{}]|\{[^{}]*\})*)\}")
SIZE = re.compile(r"size: ([\d.]+)mm ([\d.]+)mm")
RULE = re.compile(r"([^{}]+)(\{[^{}]*\})")
OWN = re.compile(r' style="([^"]*)"')  # of an element
DRAWN = re.compile(r'<img([^>]*) src="drawing:([^"]+)" alt="">')
RUNNING = re.compile(r'<p class="running(?:-version)?">(.*?)</p>', re.DOTALL)


def printable(documents: Iterable[str], drawings: Mapping[str, str]) -> dict[str, Any]:
    """The `style` of the page, its `sheets`, each with its classes and language, and their `sizes` in millimetres.

    Documents with the same styles and the same foot are of one kind, which is a class and a named page.
    """
    kinds: dict[tuple[str, str], str] = {}
    inline: dict[str, int] = {}
    sheets = []
    for document in documents:
        feet = [" ".join(unescape(strip_tags(foot)).split()) for foot in RUNNING.findall(document)]
        kind = kinds.setdefault(("".join(STYLE.findall(document)), "\n".join(feet)), f"kind-{len(kinds)}")
        language, body = LANGUAGE.search(document), BODY.search(RUNNING.sub("", STYLE.sub("", document)))
        assert language and body  # noqa: S101, PT018  (every template of a document has them)
        html = OWN.sub(lambda style: f' data-style="{inline.setdefault(style[1], len(inline))}"', body[2])
        html = DRAWN.sub(lambda image: _embed_drawing(drawings[image[2]], image[1]), html)
        sheets.append({"classes": f"{kind} {body[1] or ''}", "language": language[1], "html": _safe(html)})
    rules = [rule for (style, foot), kind in kinds.items() for rule in _rules(style, foot, kind=kind)]
    rules += [f"[data-style='{n}']:not(#_) {{ {style} }}" for style, n in inline.items()]  # as strong as inline styles
    sizes = [(float(width), float(height)) for style, _foot in kinds for width, height in SIZE.findall(style)]
    return {"style": _safe("\n".join(rules)), "sheets": sheets, "sizes": sizes}


def _safe(text: str) -> SafeString:
    return mark_safe(text)  # noqa: S308  (a template's output)


def _rules(style: str, foot: str, *, kind: str) -> Iterator[str]:
    """The styles of one kind of document for its sheets alone. What `string()` prints in a PDF is written out here: no
    browser knows it."""
    page, size = PAGE.search(style), SIZE.search(style)
    assert page and size  # noqa: S101, PT018
    left = f"@bottom-left {{ content: {_css_string(foot)} }}" if foot else ""
    yield f"@page {kind} {{ {page[1]} {left} }}"
    edge = "padding: 0" if "margin: 0" in page[1] else ""
    yield f"@media screen {{ .{kind} {{ width: {size[1]}mm; min-height: {size[2]}mm; {edge} }} }}"
    yield f".{kind} {{ page: {kind} }} :where(.{kind}) {{ font-size: 11pt }}"
    for selectors, block in RULE.findall(PAGE.sub("", style)):
        inside = (f":where(.{kind}) {selector.strip()}" for selector in selectors.split(","))
        yield (f"html, :where(.{kind})" if selectors.strip() == "html" else ", ".join(inside)) + block


def _css_string(text: str) -> str:
    """Text as a string of CSS.

    >>> print(_css_string('Five "<Hundred>"'))
    "Five \\22 \\3c Hundred\\3e \\22 "
    """
    return '"' + "".join(c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in text) + '"'


def _embed_drawing(drawing: str, attributes: str) -> str:
    """A drawing in the page. One with words is an element of it, since a picture can't use the page's typeface."""
    if "<text" in drawing:
        return drawing.replace("<svg", f'<svg{attributes} aria-hidden="true"', 1)
    address = drawing if drawing.startswith(PNG) else f"data:image/svg+xml,{quote(drawing)}"
    return f'<img{attributes} src="{address}" alt="">'
