"""What reaches the application of a request, and what doesn't: over real connections to a real server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from clubsite.serving.bridge import environ_of
from tests.served import ask, free_port, opened, rest_of, running
from tests.serving.echo import PIECES

SECRET = "postgres://cards:not-for-requests@localhost/cards"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Where the small application is served, by two threads."""
    port = free_port()
    with running(["-m", "tests.serving.echo", str(port)], port=port, environment={"DATABASE_URL": SECRET}):
        yield port


def request(path: str = "/", *headers: str, method: str = "GET", close: bool = True) -> bytes:
    """The head of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers, *(["Connection: close"] if close else [])]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def told(answer: bytes) -> dict[str, Any]:
    """What the application said of a request."""
    head, _gap, body = answer.partition(b"\r\n\r\n")
    assert b" 200 " in head.splitlines()[0]
    found: dict[str, Any] = json.loads(body)
    return found


def test_a_request_reaches_the_application_as_wsgi_has_it(port: int) -> None:
    got = told(ask(port, request("/caf%C3%A9/a%2Fb?q=%C3%A9", "Cookie: a=1", "X-Two: 1", "X-Two: 2")))
    assert got["PATH_INFO"] == "/café/a/b".encode().decode("latin-1")
    assert (got["QUERY_STRING"], got["HTTP_HOST"], got["HTTP_COOKIE"]) == ("q=%C3%A9", "localhost", "a=1")
    assert got["HTTP_X_TWO"] == "1,2"
    assert (got["REMOTE_ADDR"], got["SERVER_PORT"], got["wsgi.url_scheme"]) == ("127.0.0.1", str(port), "http")


def test_a_request_carries_nothing_of_the_servers_own_environment(port: int) -> None:
    assert SECRET not in str(told(ask(port, request())))


def test_a_header_with_an_underscore_does_not_pass_for_the_one_that_a_proxy_sets(port: int) -> None:
    got = told(ask(port, request("/", "X-Forwarded-For: 203.0.113.9", "X_Forwarded_For: 127.0.0.1")))
    assert got["HTTP_X_FORWARDED_FOR"] == "203.0.113.9"
    assert got["REMOTE_ADDR"] == "127.0.0.1"
    assert "HTTP_X_FORWARDED_PROTO" not in told(ask(port, request("/", "X_Forwarded_Proto: https")))


def test_cookies_are_set_each_by_a_header_of_its_own(port: int) -> None:
    head = ask(port, request()).partition(b"\r\n\r\n")[0].lower()
    assert b"set-cookie: a=1\r\nset-cookie: b=2" in head


@pytest.mark.parametrize("size", [0, 1, 70_000, 5_000_000])
def test_a_body_arrives_whole(port: int, size: int) -> None:
    got = told(ask(port, request("/", f"Content-Length: {size}", method="POST") + b"\x01" * size))
    assert (got["body"], got["sum"], got["CONTENT_LENGTH"]) == (size, size, str(size))


def test_a_body_that_breaks_off_is_not_given_to_the_application(port: int) -> None:
    opened(port, request("/half", "Content-Length: 10", method="POST") + b"abc").close()
    time.sleep(0.2)
    assert "/half" not in told(ask(port, request()))["seen"]


def test_a_body_that_stops_coming_is_given_up(port: int) -> None:
    answer = ask(port, request("/stalled", "Content-Length: 10", method="POST") + b"abc")
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert "/stalled" not in told(ask(port, request()))["seen"]


@pytest.mark.parametrize("sent", [b"", b"POST / HTTP/1.1\r\nHo", request(close=False)])
def test_a_connection_that_says_no_more_is_ended(port: int, sent: bytes) -> None:
    """Nothing, half the headers, or a whole request and then nothing."""
    assert ask(port, sent)[:12] in (b"", b"HTTP/1.1 200", b"HTTP/1.1 408")


def test_a_body_of_unknown_length_is_refused(port: int) -> None:
    chunked = request("/", "Transfer-Encoding: chunked", method="POST") + b"3\r\nabc\r\n0\r\n\r\n"
    assert ask(port, chunked).startswith(b"HTTP/1.1 411 ")


def test_what_the_application_raises_is_an_answer_of_500(port: int) -> None:
    assert ask(port, request("/broken")).startswith(b"HTTP/1.1 500 ")


def test_phones_that_do_not_take_their_long_answers_hold_no_thread(port: int) -> None:
    """Three of them, and two threads. What they then take is all of it."""
    slow = [opened(port, request("/long")) for _phone in range(3)]
    time.sleep(0.3)
    assert told(ask(port, request()))["seen"].count("/long") == 3
    assert len(rest_of(slow[0])) > PIECES * 1024**2
    for connection in slow:
        connection.close()


def test_orders_of_files_keep_nobody_waiting_who_records(port: int) -> None:
    """Eight orders of a second each, and two threads: one is left for those who record."""
    order = request("/print/slow", "Content-Length: 0", method="POST")
    orders = [opened(port, order) for _stranger in range(8)]
    time.sleep(0.2)
    got = told(ask(port, request("/", "Content-Length: 1", method="POST") + b"x"))
    assert got["seen"].count("/print/slow") < len(orders)  # the last are still to be begun
    for connection in orders:
        connection.close()


def test_what_is_being_answered_is_answered_when_the_server_is_stopped() -> None:
    port = free_port()
    with running(["-m", "tests.serving.echo", str(port)], port=port) as server:
        with opened(port, request("/slow", "Content-Length: 3", method="POST") + b"abc") as connection:
            time.sleep(0.3)
            server.terminate()
            assert told(rest_of(connection))["body"] == 3
        assert server.wait(20) == 0
        with pytest.raises(ConnectionRefusedError):
            opened(port, b"")


def test_processes_of_a_server_that_was_killed_end_too() -> None:
    """Or they would hold the port, and serve on without anybody who looks after them."""
    port = free_port()
    with running(["-m", "tests.serving.echo", str(port)], port=port) as server:
        server.kill()
        server.wait()
        for _try in range(100):
            try:
                opened(port, b"").close()
            except ConnectionRefusedError:
                return
            time.sleep(0.1)
        raise AssertionError("somebody still serves")


class Scope(NamedTuple):
    """What granian says of a request."""

    client: str
    server: str = "0.0.0.0:8000"
    scheme: str = "http"
    method: str = "GET"
    path: str = "/"
    query_string: str = ""
    http_version: str = "1.1"
    authority: str | None = None
    headers: dict[str, str] = {}


@pytest.mark.parametrize(
    ("client", "address"),
    [
        ("192.168.1.7:5000", "192.168.1.7"),
        ("[::1]:5000", "::1"),
        ("::1:5000", "::1"),
        ("[::ffff:127.0.0.1]:5000", "127.0.0.1"),
        ("", ""),
    ],
)
def test_where_a_request_is_from(client: str, address: str) -> None:
    assert environ_of(Scope(client))["REMOTE_ADDR"] == address
