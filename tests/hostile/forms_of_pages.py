"""The forms of a page as a browser has them: where each is sent, its fields, and what could be chosen in them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin


@dataclass
class PageForm:
    """A form of a page: its fields as the page fills them, and all values that its choices and buttons have."""

    action: str
    filled: list[tuple[str, str]] = field(default_factory=list)
    offered: dict[str, list[str]] = field(default_factory=dict)

    @property
    def names(self):
        return sorted(self.offered)


class FormFinder(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.page = page
        self.found = []
        self._form = None
        self._text_of = ""  # the textarea that is being read
        self._select = ""

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and given.get("method", "").lower() == "post":
            self._form = PageForm(urljoin(self.page, given.get("action") or self.page))
            self.found.append(self._form)
            return
        if self._form is None:
            return
        name, value = given.get("name", ""), given.get("value", "on" if given.get("type") == "checkbox" else "")
        if tag == "option" and self._select:
            self._offer(self._select, value, filled="selected" in given)
        elif tag == "select":
            self._select = name
        elif tag == "textarea":
            self._text_of = name
            self._offer(name, "", filled=True)
        elif tag == "button" and name:
            self._offer(name, value, filled=False)
        elif tag == "input" and name and name != "csrfmiddlewaretoken":
            self._offer(name, value, filled=given.get("type") not in ("checkbox", "radio") or "checked" in given)

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._text_of = ""

    def _offer(self, name, value, *, filled):
        assert self._form is not None
        self._form.offered.setdefault(name, []).append(value)
        if filled:
            self._form.filled.append((name, value))


def forms_of(page, text):
    finder = FormFinder(page)
    finder.feed(text)
    return finder.found
