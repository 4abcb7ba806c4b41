"""Lines of the grid that are still to be keyed: all of one game are made of one that is rendered once."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

register = template.Library()

SUBMISSION = re.compile(r'(name="submission" value=")[^"]*')


@register.simple_tag(takes_context=True)
def pattern_of(context: Context, line: Any) -> SafeString:
    """The HTML of a game's line to be keyed, with a word in place of the deal's number."""
    given: Any = context.flatten()
    return render_to_string("tournaments/keying/_line.html", given | {"line": line})


@register.simple_tag
def line_of(pattern: SafeString, word: str, *, number: int) -> SafeString:
    """The HTML of the line for one deal, made from the pattern, with a submission id of its own."""
    numbered = pattern.replace(word, str(number))
    return SafeString(SUBMISSION.sub(rf"\g<1>{uuid4()}", numbered))
