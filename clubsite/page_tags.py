"""Tags of the pages of the whole site."""

from __future__ import annotations

from django import template

register = template.Library()


@register.simple_block_tag
def capture(content: str) -> str:
    """What is inside, for a variable: {% capture as page_title %}{% block title %}{% endblock %}{% endcapture %}. So a
    block's text can be in two places of a page, or have something around it that goes where the block is empty."""
    return content
