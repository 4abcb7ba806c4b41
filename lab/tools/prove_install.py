"""`./dev prove install`: wheel and checkout, installed on bare Debians as people would, and the faults they meet.

Prints a line for each step, with seconds since the first command was typed.
"""

import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from http.cookiejar import CookieJar
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, sleep
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener

from lab.tools.bare import (
    CLONED,
    HOME,
    PATIENCE,
    SUITES,
    BareRoot,
    Failed,
    ServedSite,
    bare_root,
    copy_downloads,
    free_port,
)
from lab.tools.release import build_release, make_throwaway_key

PANGO = ("libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0")
MOST = {"wheel": 25, "checkout": 60, "again": 3}  # seconds to a first page
WHEEL_MB = 4
CARD = "/harbour/rules/hand-and-foot/print/card/"  # of the demo


class Report:
    """A table, a line a step; what is too late or isn't as promised is told at the end."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        print("where", "step", "seconds", "seen", sep="\t", flush=True)

    def begin(self, where: str) -> None:
        self.where, self.began = where, monotonic()

    def step(self, name: str, do: Callable[[], object], *, most: float | None = None) -> None:
        try:
            seen = do()
        except (Failed, OSError) as failed:
            seen = f"FAILED: {failed}"
        seconds = monotonic() - self.began
        if most and seconds > most:
            seen = f"FAILED: more than {most} seconds; {seen}"
        if str(seen).startswith("FAILED"):
            self.faults.append(f"{self.where}: {name}")
        print(self.where, name, f"{seconds:.1f}", seen or "", sep="\t", flush=True)


class Visitor:
    def __init__(self, site: ServedSite) -> None:
        self.address = site.address
        self.site = site
        self.browser = build_opener(HTTPCookieProcessor(CookieJar()))

    def get(self, path: str, form: dict[str, str] | None = None) -> tuple[str, bytes]:
        data = urlencode(form).encode() if form is not None else None
        request = Request(urljoin(self.address, path), data=data, headers={"Referer": self.address})  # noqa: S310
        with self.browser.open(request, timeout=PATIENCE) as answer:
            return answer.url, answer.read()

    def press(self, page: str, button: str) -> tuple[str, bytes]:
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(page)[1].decode())
        return self.get(button, {"csrfmiddlewaretoken": token[1]} if token else {})

    def style_sheet(self) -> str:
        sheet = re.search(r'href="([^"]*/base\.[0-9a-f]+\.css)"', self.get("/start/")[1].decode())
        if not sheet:
            raise Failed("the first page names no built style sheet")
        return f"{len(self.get(sheet[1])[1]):,} bytes"

    def guide(self) -> str:
        picture = re.search(r'<img src="([^"]+)"', self.get("/help/first-night/")[1].decode())
        if not picture:
            raise Failed("the guide's first chapter shows no picture")
        return f"a picture of {len(self.get(picture[1])[1]):,} bytes"

    def demo(self) -> str:
        return self.press("/start/", "/start/demo/")[0].removeprefix(self.address)

    def spanish(self) -> str:
        request = Request(urljoin(self.address, "/start/"), headers={"Accept-Language": "es"})  # noqa: S310
        with build_opener().open(request, timeout=PATIENCE) as answer:
            if 'lang="es' not in (page := answer.read().decode()):
                raise Failed("it is in English")
        return re.sub(r"\s+", " ", page.partition("<h1")[2].partition(">")[2].partition("<")[0]).strip()

    def pdf(self) -> str:
        address, got = self.press(CARD, CARD)
        until = monotonic() + PATIENCE
        while not got.startswith(b"%PDF") and monotonic() < until:
            sleep(0.2)
            address, got = self.get(address)
        if not got.startswith(b"%PDF"):
            raise Failed(f"no PDF came from {address}: {self.site.printed[-2000:]}")
        return f"{len(got):,} bytes"


def look_around(report: Report, site: ServedSite, *, most: int) -> None:
    visitor = Visitor(site)
    report.step("first page", site.wait, most=most)
    report.step("its style sheet, built", visitor.style_sheet)
    report.step("the guide, with a picture", visitor.guide)
    report.step("in Spanish", visitor.spanish)
    report.step("the demo, by its button", visitor.demo)
    report.step("first PDF, by the worker", visitor.pdf)
    report.step("Ctrl+C: web and worker end", site.stop)


def install_wheel(report: Report, debian: str, files: Path) -> None:
    """As an ordinary user, who may not become root; somebody has installed pipx and Pango before."""
    with bare_root(debian) as root:
        root.install("pipx", *PANGO)
        wheel = copy_downloads(root, files)
        port = free_port()
        run = f"{HOME}/.local/bin/nine-tables run"
        report.begin(f"Debian {debian}, wheel by pipx")
        report.step("pipx install", lambda: root.run(f"pipx install ./{wheel}").strip().splitlines()[0])
        with root.serve(run, PORT=port) as site:
            look_around(report, site, most=MOST["wheel"])
        report.step("data is in the user's own folder", lambda: find_database(root.home))
        report.begin(f"Debian {debian}, wheel, again")
        with root.serve(run, PORT=port) as site:
            report.step("first page", site.wait, most=MOST["again"])
        with HTTPServer(("127.0.0.1", int(port)), BaseHTTPRequestHandler) as other:
            Thread(target=other.serve_forever, daemon=True).start()
            report.step("a taken port is told", lambda: refusal(root, run, "port", PORT=port))
            other.shutdown()


def install_checkout(report: Report, debian: str, tests: str | None) -> None:
    """As root, who has nothing but apt-get."""
    with bare_root(debian) as root:
        report.begin(f"Debian {debian}, checkout by root")
        report.step("apt-get install git python3", lambda: root.install("git", "python3"))
        report.step("git clone", lambda: root.run(f"git clone -q {CLONED} nine-tables", user="root"))
        port = free_port()
        with root.serve("cd nine-tables && ./dev run", user="root", PORT=port) as site:
            look_around(report, site, most=MOST["checkout"])
        report.begin(f"Debian {debian}, checkout, again")
        with root.serve("cd nine-tables && ./dev run", user="root", PORT=port) as site:
            report.step("first page", site.wait, most=MOST["again"])
        if tests is not None:
            version = root.run("python3 -c 'import sys; print(\"%d.%d\" % sys.version_info[:2])'").strip()
            suite = f"cd nine-tables && ./dev test --python {version} {tests}"
            report.begin(f"Debian {debian}, checkout")
            report.step(suite, lambda: root.run(suite, user="root").strip().splitlines()[-1])


def try_faults(report: Report, debian: str) -> None:
    """As an ordinary user without sudo: each lack is one sentence, and what to do."""
    with bare_root(debian) as root:
        root.install("git")
        root.run(f"git clone -q {CLONED} nine-tables")
        report.begin(f"Debian {debian}, no sudo")
        run = "cd nine-tables && ./dev run"
        report.step("no Python", lambda: refusal(root, run, "python3"))
        root.install("python3")
        report.step("no pip", lambda: refusal(root, run, "apt-get install --no-install-recommends python3-pip"))
        root.install("python3-pip")
        with root.serve(run, PORT=free_port()) as site:
            report.step("pip but no Pango: it runs", site.wait)
            report.step("and says what to do", lambda: require_words(site.printed, "apt-get install"))


def refusal(root: BareRoot, script: str, words: str, **variables: str) -> str:
    """The one sentence with which a command ends. Raises Failed where it doesn't, or lacks the words."""
    return require_words(root.run(f"{script} && echo IT RAN", ok=False, **variables), words)


def require_words(printed: str, words: str) -> str:
    text = " ".join(printed.split())
    if words not in text or "Traceback" in text or "IT RAN" in text:
        raise Failed(text[-1000:])
    return text


def find_database(home: Path) -> str:
    database = home / ".local/share/nine-tables/nine-tables.sqlite3"
    if not database.is_file():
        raise Failed(f"there is no {database}")
    return str(database.relative_to(home))


def main() -> None:
    parser = ArgumentParser(prog="./dev prove install", description="Installs on bare Debians. Needs root.")
    parser.add_argument("debians", nargs="*", metavar="12|13", help="on these only")
    parser.add_argument("--tests", nargs="?", const="", metavar="ARGS", help="./dev test there too, by Debian's Python")
    options = parser.parse_args()
    with TemporaryDirectory() as scratch:
        files = Path(scratch, "files")
        wheel = build_release(files, key=make_throwaway_key(Path(scratch)))
        report = Report()
        report.begin("here")
        report.step("the wheel", lambda: f"{wheel.stat().st_size / 1e6:.2f} MB")
        if wheel.stat().st_size > WHEEL_MB * 1e6:
            report.faults.append(f"the wheel has more than {WHEEL_MB} MB")
        for debian in options.debians or SUITES:
            install_wheel(report, debian, files)
            install_checkout(report, debian, options.tests)
            try_faults(report, debian)
    sys.exit(f"Not as promised: {'; '.join(report.faults)}" if report.faults else 0)


if __name__ == "__main__":
    main()
