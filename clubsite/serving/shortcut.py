"""The icon that starts the site: on the desktop, in Linux's menu too, and at log-in if that is wanted."""

import base64
import os
import plistlib
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from PIL import Image

from clubsite.paths import BASE_DIR, INSTALLED, user_data_folder

NAME = "Nine Tables"
AGENT = "org.nine-tables.start"
START_IN = Path.home() if INSTALLED else BASE_DIR  # Python finds the program of a checkout there


def command(options: list[str]) -> list[str]:
    """What an icon runs: this Python, on Windows the one that opens no window."""
    python = Path(sys.executable)
    if sys.platform == "win32" and python.with_name("pythonw.exe").exists():
        python = python.with_name("pythonw.exe")
    return [str(python), "-m", "clubsite.command", "run", "--no-window", *options]


def icon_paths() -> dict[str, Path]:
    home = Path.home()
    if sys.platform == "win32":
        return {name: _windows_folder(key) / f"{NAME}.lnk" for name, key in WINDOWS.items()}
    if sys.platform == "darwin":
        agents = home / "Library" / "LaunchAgents"
        return {"desktop": home / "Desktop" / f"{NAME}.app", "autostart": agents / f"{AGENT}.plist"}
    desktop = home / "Desktop"
    if tool := shutil.which("xdg-user-dir"):  # in the user's own language
        answer = subprocess.run([tool, "DESKTOP"], capture_output=True, text=True)  # noqa: S603  (our own command)
        desktop = Path(answer.stdout.strip() or desktop)
    folders = {
        "desktop": desktop,
        "menu": user_data_folder() / "applications",
        "autostart": Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "autostart",
    }
    return {name: folder / "nine-tables.desktop" for name, folder in folders.items()}


def write_icons(options: list[str], *, autostart: bool, folder: Path) -> list[Path]:
    """Without `autostart` an earlier one is deleted. `folder`: of data. Returns the files written."""
    written = []
    for name, path in icon_paths().items():
        if name == "autostart" and not autostart:
            _remove(path)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        arguments = [*command(options), *(["--no-browser"] if name == "autostart" else [])]
        if sys.platform == "win32":
            _write_link(path, arguments, icon=_write_picture(folder / "nine-tables.ico"))
        elif path.suffix == ".plist":
            agent = {
                "Label": AGENT,
                "ProgramArguments": arguments,
                "RunAtLoad": True,
                "WorkingDirectory": str(START_IN),
            }
            path.write_bytes(plistlib.dumps(agent))
        elif path.suffix == ".app":
            _write_app(path, arguments)
        else:
            _write_entry(path, arguments, icon=_write_picture(folder / "nine-tables.png"))
        written.append(path)
    return written


def remove_icons() -> list[Path]:
    """Returns what was there."""
    return [path for path in icon_paths().values() if _remove(path)]


def _remove(path: Path) -> bool:
    if path.is_dir():
        shutil.rmtree(path)
        return True
    existed = path.exists()
    path.unlink(missing_ok=True)
    return existed


def _write_picture(path: Path) -> Path:
    """Write the picture where icons find it after an upgrade, too; the path's suffix is its format."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with Image.open(BASE_DIR / "static" / "icon-512.png") as picture:
        picture.save(path)
    return path


# --- Linux: https://specifications.freedesktop.org/desktop-entry-spec ---


def _write_entry(path: Path, arguments: list[str], *, icon: Path) -> None:
    lines = {
        "Type": "Application",
        "Name": NAME,
        "Comment": "Keeps the score of card clubs",
        "Exec": " ".join(_quote(part) for part in arguments).replace("\\", "\\\\"),
        "Icon": str(icon),
        "Path": str(START_IN),
        "Terminal": "false",
        "Categories": "Office;",
    }
    entry = "".join(f"{key}={value}\n" for key, value in lines.items())
    path.write_text(f"[Desktop Entry]\n{entry}", encoding="utf-8")
    path.chmod(0o755)
    if tool := shutil.which("gio"):  # GNOME's desktop starts only what is marked as trusted
        trusted = ["set", str(path), "metadata::trusted", "true"]
        subprocess.run([tool, *trusted], capture_output=True)  # noqa: S603  (our own command)


def _quote(part: str) -> str:
    escaped = re.sub(r'(["`$\\])', r"\\\1", part).replace("%", "%%")
    return f'"{escaped}"'


# --- macOS: an app is a folder ---


def _write_app(path: Path, arguments: list[str]) -> None:
    _remove(path)
    script = path / "Contents" / "MacOS" / "nine-tables"
    resources = path / "Contents" / "Resources"
    for folder in (script.parent, resources):
        folder.mkdir(parents=True)
    about = {
        "CFBundleName": NAME,
        "CFBundleIdentifier": AGENT,
        "CFBundleExecutable": script.name,
        "CFBundlePackageType": "APPL",
        "CFBundleIconFile": "icon.icns",
        "LSUIElement": True,  # it isn't in the Dock
    }
    (path / "Contents" / "Info.plist").write_bytes(plistlib.dumps(about))
    # The script ends at once: an app that is still open wouldn't be started by a second click.
    script.write_text(
        f"#!/bin/sh\ncd {shlex.quote(str(START_IN))}\nnohup {shlex.join(arguments)} </dev/null >/dev/null 2>&1 &\n",
        encoding="utf-8",
    )
    script.chmod(0o755)
    _write_picture(resources / "icon.icns")


# --- Windows: its own PowerShell writes the links ---

WINDOWS = {"desktop": "Desktop", "autostart": "Startup"}


def _windows_folder(key: str) -> Path:
    """A folder of this user, wherever it is: a desktop may be in OneDrive."""
    import winreg

    folders = r"Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders"
    with winreg.OpenKey(winreg.HKEY_CURRENT_USER, folders) as opened:  # type: ignore[attr-defined]
        return Path(os.path.expandvars(winreg.QueryValueEx(opened, key)[0]))  # type: ignore[attr-defined]


def _write_link(path: Path, arguments: list[str], *, icon: Path) -> None:
    parts = {
        "TargetPath": arguments[0],
        "Arguments": subprocess.list2cmdline(arguments[1:]),
        "WorkingDirectory": str(START_IN),
        "IconLocation": str(icon),
    }
    script = [f"$link = (New-Object -ComObject WScript.Shell).CreateShortcut({_quote_powershell(str(path))})"]
    script += [f"$link.{name} = {_quote_powershell(value)}" for name, value in parts.items()]
    encoded = base64.b64encode("\n".join([*script, "$link.Save()"]).encode("utf-16-le")).decode()
    line = ["powershell", "-NoProfile", "-EncodedCommand", encoded]
    subprocess.run(line, check=True, capture_output=True)  # noqa: S603  (our own command)


def _quote_powershell(text: str) -> str:
    return "'" + re.sub("(['‘’‚‛])", r"\1\1", text) + "'"
