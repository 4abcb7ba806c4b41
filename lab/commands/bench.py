"""`./dev bench`: how fast it is on this machine; `./dev bench draws`: how good and how fast draws are;
`./dev bench engine`: cards in either depth, the slowest checks, and deal files; `./dev bench crowd`: what
viewers cost a scorer; `./dev bench tasks`: PDFs and searches by a worker; `./dev bench load`: an evening."""

from __future__ import annotations

import dataclasses
import json
from argparse import ArgumentParser
from collections.abc import Iterable
from statistics import median
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError

from lab.benchmarks import afternoons, crowd, site, weight
from lab.benchmarks import draws as bench_draws
from lab.benchmarks import engine as bench_engine
from lab.benchmarks import seasons as bench_seasons
from lab.benchmarks import tasks as bench_tasks
from lab.benchmarks.hall import load
from lab.benchmarks.scratch import BenchCommand, demo_here, own_database
from tournaments.engine.draws.rotation import STEPS

JUDGED = "different true cards checked and scored, in time of one processor (x: times as long as reading the facts)"


class Command(BenchCommand):
    """Measures the engine, the draws, the cards as PDF, the main pages and seasons, on a demo of its own."""

    help = "Measures the engine, the draws, the PDFs, the main pages and seasons on a demo of its own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to measure, how much of it, how to print it."""
        parser.add_argument(
            "what",
            nargs="?",
            choices=["site", "draws", "engine", "crowd", "tasks", "load"],
            default="site",
            help="draws, engine, crowd, tasks, load: nothing but draws, or cards and deal files, or viewers and a "
            "scorer, or PDFs and searches by a worker, or a hall's evening (on DATABASE_URL's server, too)",
        )
        parser.add_argument(
            "--sweep", action="store_true", help="draws: all 438 cases, with and without wishes, minutes"
        )
        parser.add_argument("--alone", action="store_true", help="draws: what the search reaches without patterns, too")
        parser.add_argument("--everything", action="store_true", help="draws: 4 to 200 people, 1 to 12 rounds, minutes")
        parser.add_argument("--steps", type=int, default=STEPS, help="draws: what the search may look at")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")
        parser.add_argument("--small", action="store_true", help="a small demo and few deals: whether it works at all")
        parser.add_argument("--here", action="store_true", help="load the demo into this, empty, database")

    def handle(self, *args: Any, what: str, json: bool, small: bool, here: bool, **options: Any) -> None:
        """Measure. Exits with an error when a page can't be shown, or a draw is worse than was set."""
        if what == "draws":
            self._draws(small, **options)
            return
        if what == "engine":
            self._engine(small)
            return
        if what in ("crowd", "load", "tasks") and here:
            call_command("migrate", verbosity=0, skip_checks=True)
            weight.build()
            self.stdout.write(self._served(what, small))
            return
        if not here:
            with own_database(what == "load") as database:
                self.again_in_scratch(built=True, database=database)
            return
        self.quiet = json
        self.say("Loading a demo to measure with ...")
        demo = demo_here()
        weight.build()
        self.say("Measuring ...")
        engine = bench_engine.depth_speeds(48 if small else 2000)
        draws = site.draw_speeds()
        pdf = site.pdf_speed(4 if small else 54)
        pages = site.page_speeds(demo)
        weights = site.page_weights(demo)
        seasons = bench_seasons.season_speeds(bench_seasons.SMALL if small else bench_seasons.SIZES)
        trials = site.trial_speeds(2 if small else 100)
        looks = crowd.look_speeds(demo.contest)
        person = bench_seasons.person_speed(*(bench_seasons.SMALL[0] if small else (40, 60)))
        found = BenchMeasured(engine, draws, pdf, pages, weights, seasons, trials, looks, person)
        self.stdout.write(_as_json(found) if json else _as_text(found))
        if broken := [page.address for page in pages if page.status != 200]:
            raise CommandError(f"These pages can't be shown: {', '.join(broken)}")

    def _served(self, what: str, small: bool) -> str:
        """The figures of what is measured on a site that is served for it."""
        if what == "load":
            return load.as_text(load.load(viewers=20, rounds=1, within=1.0) if small else load.load())
        if what == "tasks":
            return bench_tasks.as_text(bench_tasks.trial(*((2, 6) if small else (20, bench_tasks.ORDERS))))
        seconds, viewers = (3, 20) if small else (20, crowd.VIEWERS)
        return crowd.as_text(crowd.crowd(seconds, viewers), viewers)

    def _engine(self, small: bool) -> None:
        judged, timed, in_a_file = (30, 30, 100) if small else (5_000, 1_000, 10_000)
        self.say(f"{judged:,} {JUDGED}")
        for speed in bench_engine.depth_speeds(judged):
            self.say(_depth_line(speed))
        self.say("The check alone, true cards and as many with one figure wrong: milliseconds of one processor")
        for rules, depth, times in bench_engine.check_times(timed):
            self.say(
                f"  {rules:32} {depth:8} {len(times):>6} cards  middle {median(times):.2f}  "
                f"99th of 100 {crowd.percentile(times, 99):.1f}  slowest {max(times):.1f}"
            )
        self.say("A deal file through manage.py score (x: times as long as parsing its JSON)")
        for file in bench_engine.file_speeds(in_a_file):
            self.say(
                f"  {file.output:5} {file.deals:>6,} deals  {file.seconds:.1f} s, of these {file.busy:.1f} s of a "
                f"processor (one deal: {file.start:.1f} s)  x {file.ratio:.0f}"
            )

    def _draws(self, small: bool, *, steps: int, sweep: bool, everything: bool, alone: bool, **_options: Any) -> None:
        worse = 0
        self.say("Repeated: partners / opponents / at a table, with the bound and the figures set")
        drawn = self._each(bench_draws.named(2_000 if small else steps))
        if not small:
            self.say("The same for Good Enough Golfers' algorithm (theirs)")
            drawn += self._each(bench_draws.against_peer())
            self.say("Tables of six, finals, draws made again, wishes; three seeds where several are shown")
            for case in afternoons.tried(steps):
                worse += not case.reached
                self.say(_case_line(case))
            self.say("Eight rounds for more and more people")
            for one, megabytes in bench_draws.growth():
                drawn.append(one)
                over = one.seconds > bench_draws.MOST_SECONDS or megabytes > bench_draws.MOST_MEGABYTES
                worse += over
                self.say(f"{_draw_line(one)}  {megabytes} MB{'  OVER' if over else ''}")
        if alone:
            self.say("By a search alone, as it must be around rounds already played (not held against what was set)")
            self._each(bench_draws.searched(steps))
        if sweep:
            self.say("16 to 64 people, 3 to 8 rounds")
            drawn += self._sweep(steps)
        if everything:
            cases = list(bench_draws.everything())
            self.say(
                f"4 to 200 people, 1 to 12 rounds: {len(cases)} draws, {sum(not c.reached for c in cases)} unsound"
            )
            drawn += cases
        worse += sum(not one.reached for one in drawn)
        if worse:
            raise CommandError(f"{worse} draws are worse than was set.")
        self.say("All that was set is reached.")

    def _sweep(self, steps: int) -> list[bench_draws.TimedDraw]:
        """All sizes, each without wishes and with some."""
        _none, *numbers = bench_draws.WISHED
        self.say(f"Behind each what is repeated with {', '.join(map(str, numbers))} wishes (*: by a search)")
        swept = []
        for plain, *wished in bench_draws.sweep(steps):
            swept.append((plain, *wished))
            repeated = ("/".join(map(str, drawn.repeats)) + "*" * (drawn.steps > 0) for drawn in wished)
            self.say(f"{_draw_line(plain)}  with wishes {', '.join(repeated)}")
        for wishes, cases in zip(bench_draws.WISHED, zip(*swept, strict=True), strict=True):
            zeros = tuple(sum(not one.repeats[kind] for one in cases) for kind in range(3))
            set_before = f"; set {bench_draws.ZEROS_SET}" if not wishes else ""
            self.say(f"Without repeats, of {len(cases)} cases with {_wishes(wishes)}: {zeros}{set_before}")
        for wishes, patterns, whole, cost in bench_draws.relabelled(swept):
            self.say(
                f"{_wishes(wishes)}, {patterns} cases with a pattern or stored draw: in {whole} "
                f"({whole / max(patterns, 1):.0%}) giving it to other people alone met all that was wished; "
                f"{cost} table-mates more meet again in all {len(swept)} cases"
            )
        return [drawn for cases in swept for drawn in cases]

    def _each(self, draws: Iterable[bench_draws.TimedDraw]) -> list[bench_draws.TimedDraw]:
        """Show each as it comes."""
        drawn = []
        for one in draws:
            drawn.append(one)
            self.say(_draw_line(one))
        return drawn


@dataclasses.dataclass(frozen=True, slots=True)
class BenchMeasured:
    """Everything that one run measured."""

    engine: list[bench_engine.DepthSpeed]
    draws: list[site.DrawSpeed]
    pdf: site.PdfSpeed | str  # why there is none
    pages: list[site.PageSpeed]
    weights: list[weight.PageWeight]
    seasons: list[bench_seasons.SeasonSpeed]
    trials: list[site.TrialSpeed]
    looks: list[crowd.LookSpeed]
    person: bench_seasons.PersonSpeed


def _as_json(found: BenchMeasured) -> str:
    figures = dataclasses.asdict(found)
    if not isinstance(found.pdf, str):
        figures["pdf"]["ratio"] = found.pdf.ratio
    return json.dumps(figures, indent=1)


def _as_text(found: BenchMeasured) -> str:
    lines = ["", f"{found.engine[0].deals:,} {JUDGED}", *map(_depth_line, found.engine)]
    lines += ["", "Draws"]
    lines += [f"  {speed.what:34} {speed.seconds:7.3f} s   {_repeats(speed)}" for speed in found.draws]
    lines += ["", "Score cards as one PDF"]
    pdf = found.pdf
    if isinstance(pdf, str):
        lines.append(f"  not here: {pdf}")
    else:
        lines.append(
            f"  {pdf.cards} cards on {pdf.pages} pages: {pdf.seconds:.2f} s, {pdf.ratio:.1f} times an empty "
            f"document of {pdf.pages} pages ({pdf.empty_seconds:.2f} s); with their tables' QR codes "
            f"{pdf.link_ratio:.2f} times the processor's time"
        )
    lines += ["", "Pages (in this process; milliseconds are the median of the runs, fastest to slowest)"]
    lines.append(
        f"  {'page':14} {'status':>6} {'queries':>8} {'ms':>7} {'from':>7} {'to':>7} {'x log-in':>9} {'bytes':>9}"
    )
    lines += [
        f"  {page.name:14} {page.status:>6} {page.queries:>8} {page.milliseconds:>7.1f} {page.fastest:>7.1f} "
        f"{page.slowest:>7.1f} {page.ratio:>9.1f} {page.size:>9,}"
        for page in found.pages
    ]
    lines += ["", "Bytes over the Wi-Fi (raw: all files as they are; the others compressed, as they are sent)"]
    lines.append(f"  {'page':14} {'files':>6} {'raw':>9} {'first':>9} {'with fonts':>11} {'after':>9}")
    lines += [
        f"  {one.name:14} {one.files:>6} {one.raw:>9,} {one.first:>9,} {one.first_with_fonts:>11,} {one.after:>9,}"
        for one in found.weights
    ]
    lines += ["", "A look at a page that refreshes itself (milliseconds of the processor; x the log-in page)"]
    lines += [
        f"  {one.name:14} nothing new: {one.same_queries} query, {one.same_ms:.1f} ms, x {one.same_ratio:.2f}; made "
        f"for all: {one.made_queries} queries, {one.made_ms:.0f} ms, x {one.made_ratio:.1f}"
        for one in found.looks
    ]
    lines += ["", "A season's table, and its page (milliseconds of the processor)"]
    lines += [
        f"  {one.nights:3} nights x {one.people:3} people: table {one.queries} queries, {one.milliseconds:.0f} ms; "
        f"page {one.page_queries} queries, {one.page_milliseconds:.0f} ms"
        for one in found.seasons
    ]
    one = found.person
    lines += ["", "One person's figures, and their page (milliseconds of the processor)"]
    lines.append(
        f"  {one.nights:3} nights x {one.people:3} people, {one.deals} deals of theirs: {one.queries} queries, "
        f"{one.milliseconds:.0f} ms; page {one.page_milliseconds:.0f} ms"
    )
    lines += ["", "Imagined events, with people of different skill"]
    lines += [
        f"  {one.format:14} {one.people:3} people x {one.rounds:2} rounds: {one.per_second:6.1f} a second; the best "
        f"one wins {one.best_wins:.0%} of {one.events}"
        for one in found.trials
    ]
    return "\n".join(lines) + "\n"


def _depth_line(speed: bench_engine.DepthSpeed) -> str:
    return f"  {speed.rules:32} {speed.depth:8} {speed.per_second:>8,} a second  x {speed.ratio:.1f}"


def _draw_line(one: bench_draws.TimedDraw) -> str:
    def three(repeats: bench_draws.Repeats | None, what: str) -> str:
        return "" if repeats is None else f"  {what} {'/'.join(map(str, repeats))}"

    return (
        f"  {one.people:3} x {one.rounds:2} {one.odd:8} {'/'.join(map(str, one.repeats)):>10}"
        f"{three(one.least, 'bound')}{three(one.aim, 'set')}"
        f"  {one.method}, {one.steps:,} steps, {one.seconds:.2f} s{'' if one.reached else '  WORSE'}"
        f"{three(one.theirs, 'theirs')}{'' if one.theirs is None else f', {one.their_seconds:.2f} s'}"
    )


def _wishes(number: int) -> str:
    return f"{number} wish{'es' * (number != 1)}"


def _case_line(case: afternoons.TriedCase) -> str:
    got = ", ".join("/".join(map(str, one)) for one in case.got)
    aim = "/".join(map(str, case.aim))
    return f"  {case.what:72} {got}  set {aim}  {case.seconds:.2f} s{'' if case.reached else '  WORSE'}"


def _repeats(speed: site.DrawSpeed) -> str:
    if speed.partners_again is None:
        return f"meetings repeated: {speed.table_mates_again}"
    return (
        f"repeated: partners {speed.partners_again}, opponents {speed.opponents_again}, "
        f"at a table {speed.table_mates_again}"
    )
