"""Tags of the pages of the whole site."""

import sys
from hashlib import sha256
from html import unescape
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from clubsite import pango
from clubsite.accounts.permissions.table import ANYONE, LINES
from clubsite.addresses import site_address
from clubsite.help import CHAPTER_OF
from clubsite.paths import COMMAND
from clubsite.watch.logs import current_request

register = template.Library()


@register.simple_block_tag
def capture(content: str) -> str:
    """Store a block's text: {% capture as page_title %}{% block title %}{% endblock %}{% endcapture %}. It can then be
    in two places of a page, or have something around it that goes when the block is empty."""
    return content


@register.simple_tag
def heads(*words: str, figures: str = "", wide: str = "") -> SafeString:
    """The heads of a table's columns: by number from 1, which hold `figures`, and which only a `wide` screen shows.
    Without words there is no column.

    >>> heads("Name", "Points", "", figures="2")
    '<th scope="col">Name</th><th scope="col" class="points">Points</th>'
    """
    kinds = {"points": figures.split(), "not-phone": wide.split()}
    shown = []
    for number, text in enumerate(words, start=1):
        css = " ".join(name for name, columns in kinds.items() if str(number) in columns)
        shown.append((format_html(' class="{}"', css) if css else "", text))
    return format_html_join("", '<th scope="col"{}>{}</th>', (head for head in shown if head[1]))


@register.simple_block_tag
def score_table(
    content: str, *words: str, label: str = "", caption: str = "", folds: bool = False, css: str = "", **columns: str
) -> SafeString:
    """A table: its `heads`, and in the block its rows. With a `label`, which describes it to those who can't see it, it
    scrolls sideways where it is wider than the screen; or it `folds` there. `css`: further classes."""
    table = format_html(
        '<table class="{}">{}<thead><tr>{}</tr></thead><tbody>{}</tbody></table>',
        " ".join(("score-table", *(("folds",) if folds else ()), *css.split())),
        format_html("<caption>{}</caption>", caption) if caption else "",
        heads(*words, **columns),
        content,
    )
    if not label:
        return table
    frame = '<div class="table-scroll" role="region" aria-label="{}" tabindex="0">{}</div>'
    return format_html(frame, label, table)


@register.simple_block_tag
def sheet(content: str, key: str, *, title: str, css: str = "") -> SafeString:
    """A part of a page that looks like a sheet of paper, with its heading, which addresses reach by the key. `css`:
    further classes."""
    return format_html(
        '<section class="card-sheet{}" aria-labelledby="{}"><h2 id="{}">{}</h2>{}</section>',
        f" {css}" if css else "",
        key,
        key,
        title,
        content,
    )


@register.simple_tag
def hidden(**values: Any) -> SafeString:
    """Hidden fields of a form, by name.

    >>> hidden(step="publish", seen=3)
    '<input type="hidden" name="step" value="publish"><input type="hidden" name="seen" value="3">'
    """
    return format_html_join("", '<input type="hidden" name="{}" value="{}">', values.items())


@register.simple_tag
def command_line(words: str) -> SafeString:
    """What somebody types on the computer of the site, such as "run --hall", with the program's name before it.

    >>> command_line("run --hall")
    '<code>./dev run --hall</code>'
    """
    return format_html("<code>{} {}</code>", COMMAND, words)


@register.inclusion_tag("jobs/_no_pango.html")
def no_pango() -> dict[str, str]:
    """A note where this computer can't make PDFs, and how to change that; else nothing."""
    return {"missing": pango.missing(), "system": sys.platform, "line": pango.install_line()}


@register.simple_tag
def request_number() -> str:
    """The number that finds this request in the logs; "" outside of requests. Pages of faults are made without a
    context."""
    info = current_request()
    return info.request if info else ""


@register.inclusion_tag("_sharing.html", takes_context=True)
def sharing(context: dict[str, Any], path: str, *, title: str, description: str, picture: str) -> dict[str, Any]:
    """The tags by which messengers show a link to this page; `path` and `picture` are addresses without a query. A page
    that is made without a request has `site` in its context."""
    site = context.get("site") or site_address(context["request"])
    description = " ".join((unescape(description) if isinstance(description, SafeString) else description).split())
    newest = sha256(f"{title}\n{description}".encode()).hexdigest()[:8]  # messengers never ask for a picture again
    return {
        "address": site + path,
        "title": title.strip(),
        "description": description,
        "picture": f"{site}{picture}?v={newest}",
        "club": context["club"],
    }


@register.simple_tag(takes_context=True)
def help_address(context: dict[str, Any]) -> str:
    """The address of the chapter about this page, or of the contents for somebody at the desk where there is none.
    Readers of public pages and tables get no help: ""."""
    match = getattr(context.get("request"), "resolver_match", None)
    name = str(match.url_name) if match else ""
    chapter = CHAPTER_OF.get(name, "")
    has_chapter = bool(chapter) and not LINES[name].opens & ANYONE
    if not (has_chapter or context.get("is_scorekeeper")):
        return ""
    club = context.get("club")
    return reverse("club_help" if club else "help", args=list(filter(None, (club and club.slug, chapter))))
