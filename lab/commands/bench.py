"""`./dev bench`: pages and PDFs on a demo of its own; `draws`: how good and how fast draws are; `load`: an evening."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError

from lab.benchmarks import draws, load, pages
from lab.benchmarks.scratch import BenchCommand, demo_here, own_database
from tournaments.demo import Demo
from tournaments.engine.draws.rotation import STEPS


class Command(BenchCommand):
    help = "Measures the main pages and the cards as PDF on a demo of its own; or the draws, or an evening."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="?", choices=["pages", "draws", "load"], default="pages")
        parser.add_argument(
            "--sweep", action="store_true", help="draws: all 438 cases, with and without wishes, minutes"
        )
        parser.add_argument("--steps", type=int, default=STEPS, help="draws: what the search may look at")
        parser.add_argument("--small", action="store_true", help="few deals, cards and people: whether it works at all")
        parser.add_argument("--here", action="store_true", help="pages, load: in this, empty, database")

    def handle(self, *args: Any, what: str, small: bool, here: bool, sweep: bool, steps: int, **options: Any) -> None:
        if what == "draws":
            self._draws(2_000 if small else steps, cases=not small, sweep=sweep)
        elif not here:
            with own_database(what == "load") as database:
                self.again_in_scratch(built=True, database=database)
        elif what == "load":
            call_command("migrate", verbosity=0, skip_checks=True)
            pages.build()
            self.say(load.as_text(load.load(viewers=20, rounds=1, within=1.0) if small else load.load()))
        else:
            self.say("Loading a demo to measure with ...")
            demo = demo_here()
            pages.build()
            for line in _pages(demo, cards=4 if small else 54):
                self.say(line)

    def _draws(self, steps: int, *, cases: bool, sweep: bool) -> None:
        self.say("Repeated: partners / opponents / at a table, with the bound and the figures set")
        worse = self._each(draws.named(steps))
        if cases:
            self.say("Tables of six, finals, draws made again, wishes; three seeds where several are shown")
            for case in draws.tried(steps):
                worse += not case.reached
                got = ", ".join("/".join(map(str, seed)) for seed in case.got)
                aim = "/".join(map(str, case.aim))
                mark = "" if case.reached else "  WORSE"
                self.say(f"  {case.what:72} {got}  set {aim}  {case.seconds:.2f} s{mark}")
        if sweep:
            self.say("16 to 64 people, 3 to 8 rounds")
            worse += self._sweep(steps)
        if worse:
            raise CommandError(f"{worse} draws are worse than was set.")
        self.say("All that was set is reached.")

    def _sweep(self, steps: int) -> int:
        _none, *numbers = draws.WISHED
        self.say(f"Behind each what is repeated with {', '.join(map(str, numbers))} wishes (*: by a search)")
        swept = []
        for plain, *wished in draws.sweep(steps):
            swept.append((plain, *wished))
            repeated = ("/".join(map(str, drawn.repeats)) + "*" * (drawn.steps > 0) for drawn in wished)
            self.say(f"{_draw_line(plain)}  with wishes {', '.join(repeated)}")
        for wishes, cases in zip(draws.WISHED, zip(*swept, strict=True), strict=True):
            zeros = tuple(sum(not drawn.repeats[kind] for drawn in cases) for kind in range(3))
            aim = f"; set {draws.ZEROS_SET}" if not wishes else ""
            self.say(f"Without repeats, of {len(cases)} cases with {wishes} wishes: {zeros}{aim}")
        return sum(not drawn.reached for cases in swept for drawn in cases)

    def _each(self, drawn: Iterable[draws.TimedDraw]) -> int:
        worse = 0
        for draw in drawn:
            worse += not draw.reached
            self.say(_draw_line(draw))
        return worse


def _draw_line(draw: draws.TimedDraw) -> str:
    aim = "" if draw.aim is None else f"  set {'/'.join(map(str, draw.aim))}"
    return (
        f"  {draw.people:3} x {draw.rounds:2} {draw.odd:8} {'/'.join(map(str, draw.repeats)):>10}"
        f"  bound {'/'.join(map(str, draw.least))}{aim}"
        f"  {draw.method}, {draw.steps:,} steps, {draw.seconds:.2f} s{'' if draw.reached else '  WORSE'}"
    )


def _pages(demo: Demo, *, cards: int) -> Iterator[str]:
    took, empty, sheets = pages.cards(cards)
    yield f"{cards} score cards as one PDF of {sheets} pages: {took:.2f} s, x {took / empty:.1f} of as many empty pages"
    speeds = pages.page_speeds(demo)
    yield "Pages (in this process; milliseconds are the median of the runs, fastest to slowest)"
    yield f"  {'page':14} {'status':>6} {'queries':>8} {'ms':>7} {'from':>7} {'to':>7} {'x log-in':>9} {'bytes':>9}"
    for page in speeds:
        yield (
            f"  {page.name:14} {page.status:>6} {page.queries:>8} {page.milliseconds:>7.1f} {page.fastest:>7.1f} "
            f"{page.slowest:>7.1f} {page.ratio:>9.1f} {page.size:>9,}"
        )
    if broken := [page.address for page in speeds if page.status != 200]:
        raise CommandError(f"These pages can't be shown: {', '.join(broken)}")
