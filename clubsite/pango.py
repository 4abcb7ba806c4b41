"""Pango, which WeasyPrint needs to make PDFs and no Python package brings: whether it is there, how to get it.

python -m clubsite.pango   # says what to do where it is missing, with status 1
"""

import os
import shutil
import subprocess
import sys
from functools import cache

# What the renderer needs of our environment; the rest (keys, the database) isn't its business.
PASSED_ON = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TEMP",
    "SYSTEMROOT",
    "LD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "WEASYPRINT_DLL_DIRECTORIES",  # Windows: folders of Pango, where it isn't in MSYS2's usual one
)
# Homebrew's folders on Apple's and on Intel's processors, and macOS's own: not every Python looks into all of them.
DYLIBS = "/opt/homebrew/lib:/usr/local/lib:/usr/lib"
DEBIAN = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
INSTALL = {  # by system, or on Linux by the program that installs packages
    "win32": "pacman -S mingw-w64-ucrt-x86_64-pango",  # in MSYS2
    "darwin": "brew install pango",
    "apt-get": f"sudo apt-get install --no-install-recommends {DEBIAN}",
    "dnf": "sudo dnf install pango",
    "pacman": "sudo pacman -S pango",
}


def environment() -> dict[str, str]:
    passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return ({"DYLD_FALLBACK_LIBRARY_PATH": DYLIBS} if sys.platform == "darwin" else {}) | passed


@cache
def missing() -> str:
    """Why this computer makes no PDFs, in the words of the system's loader; "" where it makes them. WeasyPrint itself
    looks, in a process of its own: it knows the names of the libraries on every system, and is large."""
    tried = subprocess.run(
        [sys.executable, "-c", "import weasyprint"],
        capture_output=True,
        env=environment(),
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return (tried.stderr.strip() or "WeasyPrint").splitlines()[-1] if tried.returncode else ""


def install_line() -> str:
    """What somebody types on this computer to get Pango; Debian's line where nothing better is known."""
    lines = (line for name, line in INSTALL.items() if sys.platform == name or shutil.which(name))
    return next(lines, INSTALL["apt-get"])


def warn() -> None:
    if missing():
        where = " in MSYS2's UCRT64 window (msys2.org)" if sys.platform == "win32" else ""
        sys.stderr.write(
            f"No PDFs without Pango: papers open as pages to print from the browser. To get it{where}: "
            f"{install_line()}\n"
        )


if __name__ == "__main__":
    warn()
    sys.exit(bool(missing()))
