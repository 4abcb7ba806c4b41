"""Where the site is served, and a start that fails with a sentence."""

import errno
import os
import socket
import subprocess
import sys

import pytest
from django.conf import settings

from clubsite.serving.web import CannotServe, Place, listen_at, read_place
from tests.served import free_port, running


def test_without_any_word_it_is_this_machine_alone():
    assert read_place({}) == Place("127.0.0.1", 8000)
    assert read_place({"HOST": ""}).url == "http://127.0.0.1:8000/"


def test_host_and_port_are_chosen():
    place = read_place({"HOST": "::1", "PORT": "8080", "WEB_THREADS": "6"})
    assert place == Place("::1", 8080, threads=6)
    assert place.url == "http://[::1]:8080/"
    with listen_at(Place("localhost", free_port())) as listening:
        assert listening.getsockname()[0] in ("127.0.0.1", "::1")


@pytest.mark.parametrize(("host", "opened"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]")])  # noqa: S104  (told)
def test_who_serves_to_every_network_is_told_an_address_that_a_browser_opens(host, opened):
    assert read_place({"HOST": host}).url == f"http://{opened}:8000/"


@pytest.mark.parametrize("given", [{"PORT": "web"}, {"PORT": "0"}, {"PORT": "65536"}, {"WEB_THREADS": "-1"}])
def test_what_is_no_number_is_refused(given):
    with pytest.raises(CannotServe, match="must be a number from 1 to"):
        read_place(given)


@pytest.mark.parametrize("host", ["203.0.113.77", "no-such-host.invalid"])
def test_an_address_that_this_machine_has_not_got_is_refused(host):
    with pytest.raises(CannotServe) as refused:
        listen_at(Place(host, free_port()))
    assert f"HOST={host}" in str(refused.value)


def test_a_port_that_only_the_system_may_use_is_refused(monkeypatch):
    def forbidden(*_args, **_more):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(socket.socket, "bind", forbidden)
    with pytest.raises(CannotServe) as refused:
        listen_at(Place("127.0.0.1", 80))
    assert "PORT=8000" in str(refused.value)
    assert os.strerror(errno.EACCES) not in str(refused.value)


def test_a_second_site_does_not_share_the_port_of_the_first():
    port = free_port()
    with running(["-m", "tests.serving.echo", str(port)], port=port):
        second = subprocess.run(
            [sys.executable, "-m", "clubsite.serving"],
            cwd=settings.BASE_DIR,
            env={"PORT": str(port)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert second.returncode == 1
    assert f"port {port}" in second.stderr
    assert "PORT=8000" in second.stderr
    assert os.strerror(errno.EADDRINUSE) not in second.stderr
    assert "Traceback" not in second.stderr
