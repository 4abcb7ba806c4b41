"""Bad Wi-Fi: two hundred phones fall silent in the middle of a request, and everybody else is answered."""

from contextlib import ExitStack

import pytest

from clubsite.serving.web import LARGEST
from tests.served import ask, free_port, opened, running

STALLED = 200
LOOK = b"GET /sw.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
HALF_THE_HEADERS = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-"
HALF_THE_BODY = (
    b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Cookie: csrftoken=" + b"x" * 32 + b"\r\nContent-Length: 100\r\n\r\ncsrfmiddlewaretoken="
)


def all_stalled(stack, port, request):
    for _phone in range(STALLED):
        stack.enter_context(opened(port, request))


@pytest.fixture(scope="module")
def port():
    port = free_port()
    environment = {"PORT": str(port), "WEB_THREADS": "2"}
    with running(["-m", "clubsite.serving.web"], port=port, environment=environment):
        yield port


@pytest.mark.parametrize("request_so_far", [HALF_THE_HEADERS, HALF_THE_BODY])
def test_everybody_else_is_answered(port, request_so_far):
    with ExitStack() as stack:
        all_stalled(stack, port, request_so_far)
        for _look in range(3):
            assert ask(port, LOOK).startswith(b"HTTP/1.1 200 ")


def test_a_file_beyond_the_limit_is_refused(port):
    head = f"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {LARGEST + 1}\r\n\r\n"
    assert ask(port, head.encode()).startswith(b"HTTP/1.1 413 ")
