"""Reading a page as people do."""

import re
from html import unescape


def page_of(answer):
    """The page of an answer with single spaces: where a template breaks its lines makes no difference."""
    return " ".join(answer.content.decode().split())


def news_at(answer):
    """The address by which a page asks whether others have changed its card."""
    found = re.search('data-news-at="([^"]+)"', answer.content.decode())
    return unescape(found[1])


def sent(page):
    form = page[page.index("<main") :]
    fields = dict(re.findall(r'<input[^>]*? name="([^"]+)" value="([^"]*)"', form))
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', form, re.S):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[name] = chosen[1] if chosen else ""
    return fields
