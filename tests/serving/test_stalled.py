"""Bad Wi-Fi: two hundred phones fall silent in the middle of a request, and everybody else is answered."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from clubsite.serving.bridge import LARGEST
from tests.served import ask, free_port, opened, running

STALLED = 200
LOOK = b"GET /sw.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
HALF_THE_HEADERS = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-"
HALF_THE_BODY = (
    b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Cookie: csrftoken=" + b"x" * 32 + b"\r\nContent-Length: 100\r\n\r\ncsrfmiddlewaretoken="
)

# granian's own way to a WSGI application, whose threads read bodies, as those of gunicorn do.
IN_THREADS = """
import sys
from granian.constants import Interfaces
from granian.server import Server
Server("clubsite.wsgi:application", port=int(sys.argv[1]), interface=Interfaces.WSGI, blocking_threads=4).serve()
"""


def all_stalled(stack: ExitStack, port: int, request: bytes) -> None:
    """Many connections that say a part of a request, and no more."""
    for _phone in range(STALLED):
        stack.enter_context(opened(port, request))


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The site, served by one process."""
    port = free_port()
    environment = {"PORT": str(port), "WEB_PROCESSES": "1", "WEB_THREADS": "2"}
    with running(["-m", "clubsite.serving.web"], port=port, environment=environment):
        yield port


@pytest.mark.parametrize("request_so_far", [HALF_THE_HEADERS, HALF_THE_BODY])
def test_everybody_else_is_answered(port: int, request_so_far: bytes) -> None:
    with ExitStack() as stack:
        all_stalled(stack, port, request_so_far)
        for _look in range(3):
            assert ask(port, LOOK).startswith(b"HTTP/1.1 200 ")


def test_threads_that_read_bodies_themselves_would_answer_nobody() -> None:
    """The twin: what the test above is for."""
    port = free_port()
    with running(["-c", IN_THREADS, str(port)], port=port), ExitStack() as stack:
        assert ask(port, LOOK).startswith(b"HTTP/1.1 200 ")
        all_stalled(stack, port, HALF_THE_BODY)
        waiting = stack.enter_context(opened(port, LOOK))
        waiting.settimeout(1)
        with pytest.raises(socket.timeout):
            waiting.recv(1)


def test_a_file_beyond_the_limit_is_refused_in_the_visitors_words(port: int) -> None:
    head = f"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {LARGEST + 1}\r\n\r\n"
    refused = ask(port, head.encode())
    assert refused.startswith(b"HTTP/1.1 413 ")
    assert b"too large: at most 32 MB" in refused
