"""`./dev bench`: pages and PDFs on a demo of its own; `draws`: how good and how fast draws are; `load`: an evening."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError

from lab.benchmarks import draws, load, pages
from lab.benchmarks.scratch import BenchCommand, load_demo, own_database
from tournaments.demo import Demo
from tournaments.engine.draws.rotation import STEPS


class Command(BenchCommand):
    help = "Measures the main pages and the cards as PDF on a demo of its own; or the draws, or an evening."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="?", choices=["pages", "draws", "load"], default="pages")
        parser.add_argument("--steps", type=int, default=STEPS, help="draws: what the search may look at")
        parser.add_argument("--small", action="store_true", help="few deals, cards and people: whether it works at all")
        parser.add_argument("--here", action="store_true", help="pages, load: in this, empty, database")

    def handle(self, *args: Any, what: str, small: bool, here: bool, steps: int, **options: Any) -> None:
        if what == "draws":
            self._draws(2_000 if small else steps)
        elif not here:
            with own_database(what == "load") as database:
                self.run_in_scratch(built=True, database=database)
        elif what == "load":
            call_command("migrate", verbosity=0, skip_checks=True)
            pages.build_static_files()
            self.say(load.as_text(load.run_evening(viewers=20, rounds=1, within=1.0) if small else load.run_evening()))
        else:
            self.say("Loading a demo to measure with ...")
            demo = load_demo()
            pages.build_static_files()
            for line in _pages(demo, cards=4 if small else 54):
                self.say(line)

    def _draws(self, steps: int) -> None:
        self.say(f"16 to 64 people, 3 to 8 rounds, with {', '.join(map(str, draws.WISHED))} wishes")
        self.say(f"Repeated {' / '.join(draws.KINDS)}")
        swept = []
        for cases in draws.sweep(steps):
            swept.append(cases)
            self.say("\n".join(map(str, cases)))
        for wishes, cases in zip(draws.WISHED, zip(*swept, strict=True), strict=True):
            zeros = tuple(sum(not case.repeats[kind] for case in cases) for kind in range(len(draws.KINDS)))
            aim = f"; set {draws.ZEROS_SET}" if not wishes else ""
            self.say(f"Without repeats, of {len(cases)} cases with {wishes} wishes: {zeros}{aim}")
        if wrong := sum(not case.sound for cases in swept for case in cases):
            raise CommandError(f"{wrong} draws aren't sound.")


def _pages(demo: Demo, *, cards: int) -> Iterator[str]:
    took, empty, sheets = pages.time_cards(cards)
    yield f"{cards} score cards as one PDF of {sheets} pages: {took:.2f} s, x {took / empty:.1f} of as many empty pages"
    speeds = pages.measure_pages(demo)
    yield "Pages (in this process; milliseconds are the median of the runs, fastest to slowest)"
    yield f"  {'page':14} {'status':>6} {'queries':>8} {'ms':>7} {'from':>7} {'to':>7} {'x log-in':>9} {'bytes':>9}"
    for page in speeds:
        yield (
            f"  {page.name:14} {page.status:>6} {page.queries:>8} {page.milliseconds:>7.1f} {page.fastest:>7.1f} "
            f"{page.slowest:>7.1f} {page.ratio:>9.1f} {page.size:>9,}"
        )
    if broken := [page.address for page in speeds if page.status != 200]:
        raise CommandError(f"These pages can't be shown: {', '.join(broken)}")
