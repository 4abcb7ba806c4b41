"""Screenshots of the main pages, by Debian's Chromium through Playwright, which comes with the development packages."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.management import CommandError
from django.db import connections
from django.test import override_settings
from django.test.testcases import LiveServerThread
from django.urls import reverse
from PIL import Image

from lab.benchmarks.main_pages import Page, guide_pages
from lab.benchmarks.served import run_worker
from tournaments.demo import Demo

HEIGHTS = {390: 844, 1366: 768, 1920: 1080}  # a phone, a laptop, a projector
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ON_A_WALL = ("board",)  # shown as one screen, in light and dark; other pages are pictured down to their end
README_PAGES = (("desk-contest", 1366, 900), ("card", 360, 700))
FRAME = 10  # pixels around the phone
README_BYTES = 200_000  # at most
LONGEST = 2600  # height in pixels down to which a page is pictured
GUIDE_LANGUAGES = ("en", "es")
GUIDE_SIZES = {"start": (900, 560), "card": (390, 1000), "board": (1366, 768)}  # of these; other pictures:
GUIDE_SIZE = (1100, 720)
GUIDE_SITE = "http://192.168.1.20:8000"  # phones reach it, so the print centre warns of nothing
GUIDE_BYTES = 40_000  # of a picture, at most
COLOURS = (64, 32, 16, 8)  # colours of the palette: the first number that makes the picture small enough


def take_shots(
    demo: Demo, pages: Sequence[Page], *, folder: Path, widths: Sequence[int], say: Callable[[str], None]
) -> list[Path]:
    """Write NAME-WIDTH.png for every page and width, the board also as board-dark-WIDTH.png, and readme.png.

    Raises:
        CommandError: Playwright or Chromium is missing, or a page can't be shown.
    """
    taken: list[Path] = []
    with run_worker(), _browser() as (browser, address):
        folder.mkdir(parents=True, exist_ok=True)
        for width in widths:
            size = {"width": width, "height": HEIGHTS.get(width, 900)}
            for director in (False, True):
                with _tab(browser, address, demo=demo if director else None, viewport=size) as tab:
                    for page in pages:
                        if page.director is director:
                            taken += _take_page(tab, address, page=page, folder=folder, width=width)
            say(f"{width} px wide: {len(pages)} pages")
        taken.append(_make_readme_picture(browser, address, demo=demo, pages=pages, folder=folder))
    return taken


def take_guide(load: Callable[[], Demo], *, folder: Path) -> list[Path]:
    """Write LANGUAGE/NAME.png for all that the directors' guides show: an empty site first, then what `load` makes.

    Raises:
        CommandError: Playwright or Chromium is missing, a page can't be shown, or a picture is too large.
    """
    taken = _take_language_shots([Page("start", reverse("start"))], demo=None, folder=folder)
    demo = load()
    with run_worker():  # without a worker the desk says that nothing is printed
        return taken + _take_language_shots(guide_pages(demo), demo=demo, folder=folder)


def _take_language_shots(pages: Sequence[Page], *, demo: Demo | None, folder: Path) -> list[Path]:
    taken: list[Path] = []
    with _browser() as (browser, address), override_settings(SITE_URL=GUIDE_SITE, SERVED_DIRECTLY=True):
        for language in GUIDE_LANGUAGES:
            (folder / language).mkdir(parents=True, exist_ok=True)
            with _tab(browser, address, demo=demo) as tab:
                cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": address}
                tab.context.add_cookies([cookie])
                for page in pages:
                    width, height = GUIDE_SIZES.get(page.name, GUIDE_SIZE)
                    tab.set_viewport_size({"width": width, "height": height})
                    _open_page(tab, address, page=page)
                    if page.name in ON_A_WALL:
                        tab.evaluate("() => document.documentElement.setAttribute('data-theme', 'dark')")
                    taken.append(_shrink(_save_shot(tab, folder / language / f"{page.name}.png", whole=False)))
    return taken


def _shrink(file: Path, *, most: int = GUIDE_BYTES) -> Path:
    """A picture with a palette, small enough to be kept with the source. Raises CommandError when none is."""
    picture = Image.open(file).convert("RGB")
    for colours in COLOURS:
        picture.quantize(colours, dither=Image.Dither.NONE).save(file, optimize=True)
        if file.stat().st_size <= most:
            return file
    raise CommandError(f"{file} has {file.stat().st_size:,} bytes; {most:,} are the most.")


def find_chromium() -> str:
    """The browser's path: CHROMIUM, or what is installed. Raises CommandError when there is none."""
    for name in (os.environ.get("CHROMIUM", ""), "chromium-headless-shell", "chromium", "chromium-browser"):
        if name and (found := shutil.which(name)):
            return found
    raise CommandError(
        "Chromium is missing: apt-get install --no-install-recommends chromium, or name one in CHROMIUM."
    )


def _playwright() -> Any:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise CommandError("Playwright is missing. It comes with the development packages: ./dev shots") from None
    return sync_playwright


@contextmanager
def _browser() -> Iterator[tuple[Any, str]]:
    start, file = _playwright(), find_chromium()
    with _serve() as address, start() as playwright:
        browser = playwright.chromium.launch(executable_path=file, args=list(ARGUMENTS))
        yield browser, address
        browser.close()


@contextmanager
def _serve() -> Iterator[str]:
    connections.close_all()
    server = LiveServerThread("127.0.0.1", StaticFilesHandler)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    if server.error:
        raise server.error
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.terminate()


@contextmanager
def _tab(browser: Any, address: str, *, demo: Demo | None, **more: Any) -> Iterator[Any]:
    context = browser.new_context(reduced_motion="reduce", **more)
    tab = context.new_page()
    if demo:
        tab.goto(address + reverse("login"))
        tab.fill("[name=username]", demo.director.username)
        tab.fill("[name=password]", demo.director.password)
        tab.press("[name=password]", "Enter")
        tab.wait_for_url(lambda url: "/login/" not in url)
    yield tab
    context.close()


def _take_page(tab: Any, address: str, *, page: Page, folder: Path, width: int) -> list[Path]:
    _open_page(tab, address, page=page)
    if page.name not in ON_A_WALL:
        return [_save_shot(tab, folder / f"{page.name}-{width}.png", whole=True)]
    taken = []
    for theme in ("light", "dark"):
        tab.evaluate("theme => document.documentElement.setAttribute('data-theme', theme)", theme)
        suffix = "-dark" if theme == "dark" else ""
        taken.append(_save_shot(tab, folder / f"{page.name}{suffix}-{width}.png", whole=False))
    return taken


def _open_page(tab: Any, address: str, *, page: Page) -> None:
    response = tab.goto(address + page.address, wait_until="load")
    if response is None or response.status != 200:
        raise CommandError(f"{page.address} can't be shown: {response and response.status}")
    tab.evaluate("() => document.fonts.ready.then(() => true)")


def _save_shot(tab: Any, file: Path, *, whole: bool) -> Path:
    size = tab.viewport_size
    height = tab.evaluate("() => document.documentElement.scrollHeight") if whole else size["height"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": max(size["height"], min(height, LONGEST))}
    tab.screenshot(path=file, full_page=whole, clip=clip)
    return file


def _make_readme_picture(browser: Any, address: str, *, demo: Demo, pages: Sequence[Page], folder: Path) -> Path:
    """The picture of the README: the desk, and a score card on a phone before it; small enough for the source."""
    shots = {}
    for name, width, height in README_PAGES:
        with _tab(browser, address, demo=demo, viewport={"width": width, "height": height}) as tab:
            _open_page(tab, address, page=next(page for page in pages if page.name == name))
            shots[name] = _save_shot(tab, folder / f"readme-{name}.png", whole=False)
    (desk, phone), whole = shots.values(), folder / "readme.png"
    with Image.open(desk) as picture, Image.open(phone) as card:
        frame = Image.new("RGB", (card.width + 2 * FRAME, card.height + 2 * FRAME), "#222222")
        frame.paste(card, (FRAME, FRAME))
        picture.paste(frame, (picture.width - frame.width - 3 * FRAME, picture.height - frame.height - 3 * FRAME))
        picture.save(whole)
    for part in (desk, phone):
        part.unlink()
    return _shrink(whole, most=README_BYTES)
