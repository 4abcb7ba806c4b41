"""`./dev release`: builds sdist and wheel, and tries the wheel as somebody would who installs it.

A clean environment with the locked packages, `nine-tables run` in an empty home, its first page and its style sheet,
the demo made by its button, a PDF made by the worker, the end. Prints a line for each step: seconds, what was found.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import zipfile
from argparse import ArgumentParser
from http.cookiejar import CookieJar
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener

from tests.tooling.tree import ROOT

GUIDES = ("docs/directors-guide.md", "docs/guia-del-director.md", "docs/pictures")
BROUGHT = ("templates", "static", "locale", "docs/deploy", *GUIDES)  # what the wheel has within `clubsite/shipped`
PACKAGES = ("clubsite", "scoring", "tournaments")
PATIENCE = 120  # seconds until a page answers, or a PDF is made, on a machine that does other things too


Found = TypeVar("Found")


class Failed(Exception):
    """What was built doesn't do what it should: the message says what."""


def main():
    parser = ArgumentParser(prog="./dev release", description="Builds wheel and sdist, and tries the wheel.")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the two files here")
    keep = parser.parse_args().keep
    with TemporaryDirectory(prefix="nine-tables-release-") as scratch:
        folder = Path(scratch)
        print("step", "seconds", "found", sep="\t", flush=True)
        wheel, sdist = step("build the sdist, and the wheel from it", lambda: built(folder / "dist"), told=sizes)
        step("what the checkout has is in the wheel", lambda: f"{whole(wheel)} files")
        command = step("install it by the lock file, in a clean environment", lambda: installed(wheel, folder / "venv"))
        home = folder / "a home"  # with a space, as people have
        home.mkdir()
        with Site(command, home) as site:
            step("nine-tables run, until its first page is there", site.wait)
            step("the style sheet of that page", site.style_sheet)
            step("the guide, with a picture", site.guide)
            step("the demo, by its button", lambda: site.press("/start/", "/start/demo/"))
            step("a PDF, made by the worker", site.pdf)
        step("told to stop: web and worker are gone", site.gone)
        step("data is in the user's own folder", lambda: data_in(home))
        if uv := shutil.which("uv", path=f"{ROOT / '.tools' / 'bin'}{os.pathsep}{os.environ['PATH']}"):
            step("uv tool run nine-tables manage check", lambda: by_uv(uv, wheel, folder))
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            for file in (wheel, sdist):
                shutil.copy2(file, keep)


def step(name, do, *, told=str):
    began = monotonic()
    try:
        found = do()
    except (Failed, OSError) as failed:
        sys.exit(f"{name}: {failed}")
    print(name, f"{monotonic() - began:.1f}", told(found), sep="\t", flush=True)
    return found


def built(folder):
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


def sizes(files):
    return ", ".join(f"{file.name} {file.stat().st_size / 1e6:.2f} MB" for file in files)


def whole(wheel):
    """How many files of the checkout the wheel has. Raises Failed where one is missing."""
    inside = set(zipfile.ZipFile(wheel).namelist())
    tracked = run("git", "-C", str(ROOT), "ls-files", *PACKAGES, *BROUGHT).splitlines()
    missing = [name for name in tracked if in_wheel(name) not in inside]
    if missing:
        raise Failed(f"the wheel lacks {', '.join(missing[:10])}")
    if workshop := [name for name in inside if name.startswith(("lab/", "tests/"))]:
        raise Failed(f"the wheel has what no club runs: {', '.join(sorted(workshop)[:10])}")
    return len(tracked)


def in_wheel(name):
    return name if name.startswith(PACKAGES) else f"clubsite/shipped/{name}"


def installed(wheel, venv):
    """The command, installed in an environment of its own with exactly the locked packages."""
    base = Path(sys.base_prefix) / "bin" / "python3"
    run(str(base), "-m", "venv", "--without-pip", str(venv))
    pip = [str(base), "-m", "pip", "--python", str(venv / "bin" / "python"), "install", "-qq", "--no-input"]
    run(*pip, "--disable-pip-version-check", "--require-hashes", "-r", str(ROOT / "requirements.lock"))
    run(*pip, "--disable-pip-version-check", "--no-deps", str(wheel))
    return venv / "bin" / "nine-tables"


def data_in(home):
    """Where the database is, below the home. Raises Failed where it is elsewhere."""
    database = home / ".local" / "share" / "nine-tables" / "nine-tables.sqlite3"
    if not database.is_file():
        raise Failed(f"there is no {database}")
    return str(database.relative_to(home))


def by_uv(uv, wheel, folder):
    locked = ("--with-requirements", str(ROOT / "requirements.lock"))
    tool = (uv, "tool", "run", "-q", "--system-certs", *locked, "--from", str(wheel))
    own = {"UV_CACHE_DIR": str(folder / "uv"), "UV_TOOL_DIR": str(folder / "uv-tools")}
    environment = {**os.environ, "HOME": str(folder), **own}
    called = run(*tool, "nine-tables", "manage", "check", environment=environment, cwd=folder)
    return called.strip()


class Site:
    """The installed site, run in an empty home, and a browser that looks at it."""

    def __init__(self, command, home):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"http://127.0.0.1:{free.getsockname()[1]}"
        self.command, self.home = command, home
        self.said = (home / "said.txt").open("w+")
        self.browser = build_opener(HTTPCookieProcessor(CookieJar()))

    def __enter__(self):
        port = self.address.rpartition(":")[2]
        self.process = subprocess.Popen(
            [self.command, "run", "--no-browser", "--port", port],
            cwd=self.home, env=outside(self.home), stdout=self.said, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        return self

    def __exit__(self, *what):
        self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def get(self, path, form=None):
        data = urlencode(form).encode() if form is not None else None
        request = Request(urljoin(self.address, path), data=data, headers={"Referer": self.address})  # noqa: S310
        with self.browser.open(request, timeout=PATIENCE) as answer:
            return answer.url, answer.read()

    def wait(self):
        """Wait until the first page is there. Raises Failed where it doesn't come."""
        until = monotonic() + PATIENCE
        while monotonic() < until and self.process.poll() is None:
            try:
                return self.get("/")[0].removeprefix(self.address)
            except HTTPError as refused:
                raise Failed(f"{refused.code} at {refused.url}: {self.log()}") from refused
            except URLError:
                sleep(0.1)
        raise Failed(f"it doesn't answer: {self.log()}")

    def style_sheet(self):
        """The size of the style sheet of the first page. Raises Failed where the page names none built."""
        page = self.get("/start/")[1].decode()
        sheet = re.search(r'href="([^"]*/base\.[0-9a-f]+\.css)"', page)
        if not sheet:
            raise Failed("the first page names no built style sheet")
        return f"{len(self.get(sheet[1])[1]):,} bytes"

    def guide(self):
        """The size of a picture of the guide's first chapter. Raises Failed where it shows none."""
        picture = re.search(r'<img src="([^"]+)"', self.get("/help/first-night/")[1].decode())
        if not picture:
            raise Failed("the guide's first chapter shows no picture")
        return f"{len(self.get(picture[1])[1]):,} bytes"

    def press(self, page, button):
        return self.get(button, self._token(self.get(page)[1]))[0].removeprefix(self.address)

    def pdf(self):
        """The size of a PDF that is ordered and waited for. Raises Failed where none comes."""
        path = "/harbour/rules/hand-and-foot/print/card/"
        address, got = self.get(path, self._token(self.get(path)[1]))
        until = monotonic() + PATIENCE
        while not got.startswith(b"%PDF") and monotonic() < until:
            sleep(0.2)
            address, got = self.get(address)
        if not got.startswith(b"%PDF"):
            raise Failed(f"no PDF came from {address}: {self.log()}")
        return f"{len(got):,} bytes"

    def gone(self):
        """Say how it ended. Raises Failed where a process of it is left."""
        until = monotonic() + 15
        while (left := run("ps", "-o", "pid=,args=", "-g", str(self.process.pid), ok=(0, 1))) and monotonic() < until:
            sleep(0.2)
        if left.strip():
            raise Failed(f"left behind: {left}")
        return f"exit status {self.process.returncode}"

    def log(self):
        self.said.flush()
        return (self.home / "said.txt").read_text()[-2000:]

    @staticmethod
    def _token(page):
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.decode())
        return {"csrfmiddlewaretoken": found[1]} if found else {}


def outside(home):
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8"}


def run(*call, environment=None, cwd=None, ok=(0,)):
    """What a program prints. Raises Failed with what it said where it fails."""
    done = subprocess.run(call, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in ok:
        raise Failed(f"{' '.join(call[:6])} ...: {(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    main()
