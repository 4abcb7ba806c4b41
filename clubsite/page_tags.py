"""Tags of the pages of the whole site."""

from hashlib import sha256
from html import unescape
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubsite.accounts.permissions.table import ANYONE, LINES
from clubsite.addresses import site_of
from clubsite.help import CHAPTER_OF
from clubsite.paths import COMMAND
from clubsite.watch.logs import current

register = template.Library()


@register.simple_block_tag
def capture(content: str) -> str:
    """What is inside, for a variable: {% capture as page_title %}{% block title %}{% endblock %}{% endcapture %}. So a
    block's text can be in two places of a page, or have something around it that goes where the block is empty."""
    return content


@register.simple_tag
def command_line(words: str) -> SafeString:
    """What somebody types on the computer of the site, such as "run --hall", with the program's name before it.

    >>> command_line("run --hall")
    '<code class="command">./dev run --hall</code>'
    """
    return format_html('<code class="command">{} {}</code>', COMMAND, words)


@register.simple_tag
def request_number() -> str:
    """The number by which this request is found in the logs; "" outside of requests. Pages of faults are made without
    a context."""
    info = current()
    return info.request if info else ""


@register.inclusion_tag("_sharing.html", takes_context=True)
def sharing(context: dict[str, Any], path: str, *, title: str, description: str, picture: str) -> dict[str, Any]:
    """What a link to this page shows elsewhere: give its address without query, and that of its picture. A page that is
    made without a request has `site` in its context."""
    site = context.get("site") or site_of(context["request"])
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
    own = bool(chapter) and not LINES[name].opens & ANYONE
    if not (own or context.get("is_scorekeeper")):
        return ""
    club = context.get("club")
    return reverse(
        "club_help" if club else "help", args=[*([club.slug] if club else []), *([chapter] if chapter else [])]
    )
