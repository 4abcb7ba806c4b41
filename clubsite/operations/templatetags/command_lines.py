"""What somebody types on the computer of the site, as it is typed there."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubsite.paths import COMMAND

register = template.Library()


@register.simple_tag
def command_line(words: str) -> SafeString:
    """A command of the site, such as "run --hall", with the program's name before it.

    >>> command_line("run --hall")
    '<code class="command">./dev run --hall</code>'
    """
    return format_html('<code class="command">{} {}</code>', COMMAND, words)
