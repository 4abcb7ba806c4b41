"""Reading a page as people do."""

from __future__ import annotations

from typing import Any


def page_of(answer: Any) -> str:
    """The page of an answer with single spaces: where a template breaks its lines makes no difference."""
    return " ".join(answer.content.decode().split())
