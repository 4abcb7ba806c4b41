"""What reaches the application of a request, and what doesn't: over real connections to a real server."""

import json
import time

import pytest
from django.conf import settings

from clubsite.accounts import starting
from tests.served import ask, free_port, opened, rest_of, running
from tests.serving.echo import PIECES


@pytest.fixture(scope="module")
def port():
    """Where the small application is served, by two threads."""
    port = free_port()
    with running(["-m", "tests.serving.echo", str(port)], port=port):
        yield port


def request(path="/", *headers, method="GET", close=True):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers, *(["Connection: close"] if close else [])]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def told(answer):
    head, _gap, body = answer.partition(b"\r\n\r\n")
    assert b" 200 " in head.splitlines()[0]
    return json.loads(body)


def test_a_header_with_an_underscore_does_not_pass_for_the_one_that_a_proxy_sets(port):
    got = told(ask(port, request("/", "X-Two: 203.0.113.9", "X_Two: 127.0.0.1")))
    assert got["HTTP_X_TWO"] == "203.0.113.9"
    assert "HTTP_X_FORWARDED_PROTO" not in told(ask(port, request("/", "X_Forwarded_Proto: https")))


def test_what_a_proxy_says_reaches_the_application_and_changes_nothing_else(port):
    """An empty install sees by these headers that a request over loopback was passed on."""
    got = told(ask(port, request("/", "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https", "Forwarded: for=me")))
    passed_on = set(filter(starting.PASSED_ON.match, got))
    assert passed_on == {"HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_FORWARDED"}
    assert (got["REMOTE_ADDR"], got["wsgi.url_scheme"]) == ("127.0.0.1", "http")


def test_a_body_as_large_as_pages_take_arrives_whole(port):
    size = settings.REQUEST_LIMIT
    got = told(ask(port, request("/", f"Content-Length: {size}", method="POST") + b"\x01" * size))
    assert (got["body"], got["sum"]) == (size, size)


def test_a_body_that_stops_coming_is_given_up(port):
    assert ask(port, request("/stalled", "Content-Length: 10", method="POST") + b"abc") == b""
    assert "/stalled" not in told(ask(port, request()))["seen"]


@pytest.mark.parametrize("sent", [b"", b"POST / HTTP/1.1\r\nHo", request(close=False)])
def test_a_connection_that_says_no_more_is_ended(port, sent):
    """Nothing, half the headers, or a whole request and then nothing."""
    assert ask(port, sent)[:12] in (b"", b"HTTP/1.1 200")


def test_phones_that_do_not_take_their_long_answers_hold_no_thread(port):
    """Three of them, and two threads. What they then take is all of it."""
    slow = [opened(port, request("/long")) for _phone in range(3)]
    time.sleep(0.3)
    assert told(ask(port, request()))["seen"].count("/long") == 3
    assert len(rest_of(slow[0])) > PIECES * 1024**2
    for connection in slow:
        connection.close()


def test_what_is_being_answered_is_answered_when_the_server_is_stopped():
    port = free_port()
    with running(["-m", "tests.serving.echo", str(port)], port=port) as server:
        with opened(port, request("/slow", "Content-Length: 3", method="POST") + b"abc") as connection:
            time.sleep(0.3)
            server.terminate()
            assert told(rest_of(connection))["body"] == 3
        assert server.wait(20) == 0
        with pytest.raises(ConnectionRefusedError):
            opened(port, b"")
