"""Bodies made once for everybody: how often, and how old they may be."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.http import Http404
from django.test import RequestFactory

from clubsite import live
from clubsite.live import TAG_PLACEHOLDER, body_response, cached_body


class Page:
    """A page with its version, which counts how often it is made and asked about, and a clock that is set by hand."""

    def __init__(self):
        self.version = "1"
        self.now = 1000.0
        self.made = 0
        self.asked = 0

    def _version(self):
        self.asked += 1
        return self.version

    def _make(self):
        self.made += 1
        return f"version {self.version}, news at ?v={TAG_PLACEHOLDER}"

    def open(self):
        return cached_body("page", version=self._version, make=self._make)

    def again(self):
        return cached_body("page", version=self._version, make=self._make, polling=True)


@pytest.fixture
def news(monkeypatch):
    page = Page()
    monkeypatch.setattr(live, "time", lambda: page.now)
    return page


def told(body):
    return body.text.split(",")[0]


def test_a_body_is_made_once_while_its_version_stands(news):
    assert {news.open().text for _n in range(50)} == {news.open().text}
    assert news.made == 1


def test_who_opens_a_page_sees_what_was_done_just_before(news):
    news.open()
    news.version = "2"
    assert told(news.open()) == "version 2"


def test_who_looks_again_sees_it_after_the_pause_and_never_later(news):
    news.open()
    news.version = "2"
    news.now += 3.9
    assert told(news.again()) == "version 1"
    news.now += 0.2
    assert told(news.again()) == "version 2"


def test_looking_again_asks_at_most_once_in_the_pause_and_makes_as_seldom(news):
    for step in range(300):  # a minute with something new in every look
        news.version = str(step)
        news.now += 0.2
        news.again()
    assert news.asked <= 16
    assert news.made <= 16


def test_what_depends_on_the_time_is_made_anew_after_a_while(news):
    tag = news.open().tag
    news.now += live.MAX_AGE - 1
    news.open()
    assert news.made == 1
    news.now += 2
    assert news.open().tag == tag
    assert news.made == 2


def test_what_can_not_be_made_is_not_kept(news):
    def gone():
        raise Http404

    news.open()
    for _try in range(2):
        with pytest.raises(Http404):
            cached_body("page", version=lambda: "2", make=gone)
    news.version = "3"
    assert told(news.open()) == "version 3"


def at_once(count, ask):
    start = Barrier(count)

    def one(_n):
        start.wait()
        return ask()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


@pytest.mark.parametrize("again", [False, True])
def test_many_who_ask_at_once_get_what_one_of_them_made(again):
    news = Page()
    bodies = at_once(20, news.again if again else news.open)
    assert news.made == 1
    assert len({body.tag for body in bodies}) == 1


def test_a_clock_that_is_put_back_keeps_nothing_old(news):
    news.open()
    news.version, news.now = "2", news.now - 3600
    assert told(news.again()) == "version 2"


def test_a_browser_that_has_the_page_is_told_so(news):
    ask = RequestFactory()
    body = news.open()
    first = body_response(ask.get("/"), body)
    assert first.content.decode() == body.text
    assert first.content.decode().endswith(f"?v={body.tag}")
    again = body_response(ask.get("/", headers={"If-None-Match": first["ETag"]}), body)
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    htmx = body_response(ask.get("/", {"v": body.tag}, headers={"HX-Request": "true"}), body)
    assert (htmx.status_code, htmx.content) == (204, b"")
    news.version = "2"
    for request in (
        ask.get("/", headers={"If-None-Match": first["ETag"]}),
        ask.get("/", {"v": body.tag}, headers={"HX-Request": "true"}),
    ):
        assert body_response(request, news.open()).status_code == 200
