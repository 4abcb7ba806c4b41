"""A start without a terminal: the browser, a second start, the page that stops the site, faults without a window."""

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from django.conf import settings
from django.test import Client

from clubsite.serving.desktop import PROOF, has_display, proof
from tests.served import free_port, running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a browser is stood in for by a shell script")


@pytest.fixture
def desktop(tmp_path):
    """The environment of a person's screen; its browser writes into a file what it opens."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >>{tmp_path}/opened\n')
    browser.chmod(0o755)
    return {"DISPLAY": ":7", "SSH_CONNECTION": "", "BROWSER": str(browser), "VAR_DIR": str(tmp_path / "var")}


def opened(tmp_path, times):
    file = tmp_path / "opened"
    for _try in range(2400):  # a first start on a busy machine
        if file.exists() and len(lines := file.read_text().split()) >= times:
            return lines
        time.sleep(0.05)
    raise AssertionError("the browser wasn't opened so often")


def start(port, desktop, *options):
    """A start that ends by itself."""
    command = [sys.executable, "-m", "clubsite.command", "run", "--port", str(port), *options]
    return subprocess.run(
        command, cwd=settings.BASE_DIR, env={**os.environ, **desktop}, capture_output=True, text=True, timeout=120
    )


def read(file):
    with suppress(OSError):  # the process has just ended
        return file.read_bytes()
    return b""


@pytest.mark.long
def test_the_icon_starts_it_once_and_the_page_stops_it(desktop, tmp_path):
    port = free_port()
    page = f"http://127.0.0.1:{port}/site/running/"
    command = ["-m", "clubsite.command", "run", "--no-window", "--port", str(port)]
    with running(command, port=port, environment=desktop) as process:
        assert opened(tmp_path, 1) == [page]
        again = start(port, desktop)
        assert again.returncode == 0
        assert opened(tmp_path, 2)[1] == f"http://127.0.0.1:{port}/"
        other = start(port, {**desktop, "VAR_DIR": str(tmp_path / "other")})  # the port's site has other data
        assert (other.returncode, str(port) in other.stderr) == (1, True)
        browser = build_opener(HTTPCookieProcessor())
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', browser.open(page).read().decode())[1]
        answer = browser.open(Request(page, urlencode({"csrfmiddlewaretoken": token}).encode()))
        assert "You can close this window" in answer.read().decode()
        said, _nothing = process.communicate(timeout=20)
        assert (process.returncode, said) == (0, b"")
    assert str(port) in (tmp_path / "var" / "nine-tables.log").read_text()
    data = f"VAR_DIR={desktop['VAR_DIR']}".encode()
    assert not [file for file in Path("/proc").glob("[0-9]*/environ") if data in read(file)], "no worker is left"
    assert len(opened(tmp_path, 2)) == 2


def test_without_a_window_a_fault_is_a_page(desktop, tmp_path):
    (tmp_path / "var").write_text("no folder")
    ended = start(free_port(), desktop, "--no-window")
    assert ended.returncode == 1
    page = opened(tmp_path, 1)[0]
    assert page.startswith("file://")
    with build_opener().open(page) as shown:
        assert str(tmp_path / "var") in shown.read().decode()


def test_a_browser_is_opened_only_where_somebody_sees_it(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    assert not has_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_display()
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.2 50000 10.0.0.1 22")
    assert not has_display()


@pytest.fixture
def page(settings, monkeypatch):
    settings.SERVED_DIRECTLY = True
    stopped = []
    monkeypatch.setattr("clubsite.operations.views.stop_soon", lambda: stopped.append(True))
    here = {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost:8000"}

    def answers(browser, **more):
        """What somebody gets, whether the button is there, what pressing it gets, and whether the site stops."""
        shown = browser.get("/site/running/", **{**here, **more})
        pressed = browser.post("/site/running/", **{**here, **more})
        stops, stopped[:] = bool(stopped), []
        return shown.status_code, b'method="post" class' in shown.content, pressed.status_code, stops

    return answers


ALLOWED, NOT_ALLOWED, UNKNOWN = (200, True, 200, True), (200, False, 404, False), (404, False, 404, False)


def test_who_looks_after_the_site_stops_it_from_its_own_computer(page, client_of, director, scorekeeper):
    assert page(client_of(director)) == ALLOWED
    assert page(client_of(scorekeeper)) == page(Client()) == NOT_ALLOWED
    director.is_superuser = True
    director.save()
    assert page(client_of(director)) == ALLOWED
    assert page(client_of(director), REMOTE_ADDR="192.168.1.30", HTTP_HOST="localhost") == UNKNOWN
    assert page(client_of(director), HTTP_X_FORWARDED_FOR="127.0.0.1") == UNKNOWN


def test_a_site_that_nobody_has_set_up_is_stopped_by_who_sits_at_it(page, db):
    assert page(Client()) == ALLOWED
    assert page(Client(enforce_csrf_checks=True))[2:] == (403, False)


def test_behind_a_proxy_or_served_by_services_there_is_no_such_page(page, client_of, director, settings):
    settings.SERVED_DIRECTLY = False
    assert page(client_of(director)) == UNKNOWN


def test_the_page_proves_whose_data_it_shows(db, settings, client):
    settings.SERVED_DIRECTLY = True
    assert client.get("/site/running/", HTTP_HOST="localhost").headers[PROOF] == proof()
    assert client.get("/site/running/", HTTP_HOST="localhost").headers["Cache-Control"].count("no-store") == 1
