"""The icons of `nine-tables shortcut` on each system: what they start, and that they go away again.

Linux's were read by desktop-file-validate and started by `gio launch`; nobody has clicked on the others yet.
"""

import base64
import plistlib
import re
import shlex
import sys

import pytest
from PIL import Image

from clubsite.serving import shortcut
from clubsite.serving.shortcut import START_IN, command, remove_icons, write_icons

PYTHON = "/opt/nine $tables/bin/python"


@pytest.fixture
def system(monkeypatch, tmp_path):
    """Another system's way, with a home of its own."""

    def is_now(name):
        monkeypatch.setattr(sys, "platform", name)
        monkeypatch.setattr(sys, "executable", PYTHON)
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setattr("shutil.which", lambda tool: None)
        for folder in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            monkeypatch.delenv(folder, raising=False)
        return tmp_path

    return is_now


def entry(path):
    lines = path.read_text().splitlines()
    assert lines[0] == "[Desktop Entry]"
    return dict(line.split("=", 1) for line in lines[1:])


def test_linux_gets_an_icon_on_the_desktop_in_the_menu_and_at_log_in(system, tmp_path):
    home = system("linux")
    written = write_icons(["--port", "8020", "--data", "/a 100 % folder"], autostart=True, folder=home / "data")
    desktop, menu, autostart = written
    assert (desktop.parent.name, menu.parent.name, autostart.parent.name) == ("Desktop", "applications", "autostart")
    assert desktop.stat().st_mode & 0o111
    keys = entry(desktop)
    quoted = re.findall(r'"((?:[^"\\]|\\.)*)"', keys["Exec"].replace("\\\\", "\\").replace("%%", "%"))
    assert [re.sub(r"\\(.)", r"\1", part) for part in quoted] == command(
        ["--port", "8020", "--data", "/a 100 % folder"]
    )
    assert entry(autostart)["Exec"] == f'{keys["Exec"]} "--no-browser"'
    with Image.open(keys["Icon"]) as picture:
        assert picture.format == "PNG"
    write_icons([], autostart=False, folder=home / "data")
    assert not autostart.exists()
    assert remove_icons() == [desktop, menu]
    assert remove_icons() == []


def test_a_mac_gets_an_app_that_ends_at_once_and_an_agent(system):
    home = system("darwin")
    app, agent = write_icons(["--data", "/Users/Jo/it's"], autostart=True, folder=home / "data")
    about = plistlib.loads((app / "Contents" / "Info.plist").read_bytes())
    script = app / "Contents" / "MacOS" / about["CFBundleExecutable"]
    assert script.stat().st_mode & 0o111
    first, folder, line = script.read_text().splitlines()
    assert (first, shlex.split(folder)) == ("#!/bin/sh", ["cd", str(START_IN)])
    started = shlex.split(line)
    assert (started[0], started[-1]) == ("nohup", "&")
    assert started[1:-4] == command(["--data", "/Users/Jo/it's"])
    with Image.open(app / "Contents" / "Resources" / about["CFBundleIconFile"]) as picture:
        assert picture.format == "ICNS"
    read = plistlib.loads(agent.read_bytes())
    assert read["ProgramArguments"] == [*command(["--data", "/Users/Jo/it's"]), "--no-browser"]
    assert (read["RunAtLoad"], agent.parent) == (True, home / "Library" / "LaunchAgents")
    write_icons([], autostart=False, folder=home / "data")  # over the one that is there
    assert remove_icons() == [app]


def test_windows_gets_links_that_its_own_powershell_writes(system, monkeypatch, tmp_path):
    scripts = []
    monkeypatch.setattr("subprocess.run", lambda line, **_how: scripts.append(line))
    monkeypatch.setattr(shortcut, "_windows_folder", lambda key: tmp_path / key)
    home = system("win32")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python.exe"))
    (tmp_path / "pythonw.exe").touch()
    desktop, startup = write_icons(["--data", r"C:\Jo's club"], autostart=True, folder=home / "data")
    assert (desktop.parent.name, startup.parent.name, desktop.suffix) == ("Desktop", "Startup", ".lnk")
    program, *_options, encoded = scripts[0]
    text = base64.b64decode(encoded).decode("utf-16-le")
    assert program == "powershell"
    assert f"CreateShortcut('{desktop}')" in text
    assert f"TargetPath = '{tmp_path / 'pythonw.exe'}'" in text
    assert "Arguments = '-m clubsite.command run --no-window --data \"C:\\Jo''s club\"'" in text
    with Image.open(home / "data" / "nine-tables.ico") as picture:
        assert picture.format == "ICO"
    desktop.touch()
    assert remove_icons() == [desktop]
