"""`./dev lab simulate`: true deals by the thousand, invented afternoons, formats tried, and random directors."""

import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from lab.simulation import advice
from lab.simulation.deals import Tally, TrialBlock, block_sizes, try_block
from lab.simulation.draws import DrawFindings, try_event
from lab.simulation.sequences import FORMATS, MATCHES, TriedSequences, own_database, stop_on_interrupt, try_sequence
from scoring.engine.core.ruleset import shipped
from tournaments.advice import SHIPPED


class Command(BaseCommand):
    help = "Plays true deals, draws invented afternoons, tries formats, lets random directors do anything to events."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)

        def command(name: str, play: Callable[..., None], *, count: int, text: str) -> ArgumentParser:
            made: ArgumentParser = commands.add_parser(name, help=text)
            made.set_defaults(play=play)
            made.add_argument("--count", type=_at_least_one, default=count)
            made.add_argument("--seed", type=int, default=1)
            made.add_argument("--processes", type=_at_least_one, default=os.cpu_count() or 1)
            return made

        deals = command("deals", self._deals, count=20_000, text="true deals of each rule set; none may be refused")
        deals.add_argument("--rules", nargs="+", metavar="SLUG", choices=sorted(shipped()), default=sorted(shipped()))
        command("draws", self._draws, count=1000, text="invented afternoons of 4 to 120 people; no hard wish is broken")
        directors = command("directors", self._directors, count=1_000, text="random directors; nothing may break")
        directors.add_argument("--steps", type=_at_least_one, default=50, help="of each sequence")
        directors.add_argument("--formats", nargs="+", choices=sorted(set(FORMATS)), default=FORMATS, help="only these")
        matches = "only formats in which sides stay together, and nights of couples"
        directors.add_argument("--matches", dest="formats", action="store_const", const=MATCHES, help=matches)
        text = "try formats for the page that advises, and keep what is found"
        command("figures", self._figures, count=advice.COUNT, text=text)

    def handle(self, *args: Any, play: Callable[..., None], **options: Any) -> None:
        play(**options)

    def _deals(self, *, rules: list[str], count: int, seed: int, processes: int, **_others: Any) -> None:
        refused = 0
        with ProcessPoolExecutor(processes) as pool:
            for slug in rules:
                started = perf_counter()
                blocks = [TrialBlock(slug, seed, number, size) for number, size in enumerate(block_sizes(count))]
                done = pool.map(try_block, blocks)
                tally = sum(done, start=Tally())
                refused += tally.refused
                self.stdout.write(
                    f"{slug:30} {tally.played:6} true deals played, {tally.refused} refused"
                    f"{' (' + ', '.join(tally.codes) + ')' if tally.codes else ''}, "
                    f"{tally.asked_again} asked again  [{perf_counter() - started:.1f} s]"
                )
        if refused:
            raise CommandError("A true deal was refused.")

    def _draws(self, *, count: int, seed: int, **_others: Any) -> None:
        started = perf_counter()
        told = sum((try_event(seed, number) for number in range(count)), start=DrawFindings())
        self.stdout.write(
            f"{told.events} events, {told.draws} draws: {told.faults} faults, {told.broken} hard wishes broken, "
            f"{told.soft_met} of {told.soft} other wishes met, {told.uneven} events with uneven sit-outs, "
            f"{told.differ} draws that differ when made again; {told.refused} events refused for wishes that collide, "
            f"{told.needless} wishes named there without need  [{perf_counter() - started:.1f} s]"
        )
        if not told.clean:
            raise CommandError(f"Something is wrong in events {', '.join(map(str, told.worst))}.")

    def _directors(
        self, *, count: int, steps: int, seed: int, processes: int, formats: Sequence[str], **_others: Any
    ) -> None:
        started, tried = perf_counter(), TriedSequences()
        one_sequence = partial(try_sequence, steps=steps, formats=formats)
        with ProcessPoolExecutor(processes, initializer=own_database) as pool, stop_on_interrupt() as stop:
            for one in pool.map(one_sequence, range(seed, seed + count)):
                tried += one
                if one.broken or tried.sequences % 20 == 0:
                    so_far = f"{tried.sequences} of {count} sequences, {tried.told}  [{perf_counter() - started:.0f} s]"
                    self.stdout.write("\n".join([*one.broken, so_far]))
                    self.stdout.flush()
                if stop.is_set():
                    break  # what has begun is finished and not counted, what hasn't is left out
        rows = [["step", "done", "refused"]]
        for name in sorted({name for _format, name, _outcome in tried.steps}):
            became = (sum(n for (_f, s, o), n in tried.steps.items() if (s, o) == (name, how)) for how in rows[0][1:])
            rows.append([name, *map(str, became)])
        self._table(rows)
        self.stdout.write(
            f"{tried.sequences} sequences, seeds {seed} to {seed + tried.sequences - 1}, {tried.told}  "
            f"[{perf_counter() - started:.1f} s]"
        )
        if left := count - tried.sequences:
            self.stdout.write(f"Stopped. The rest: --seed {seed + tried.sequences} --count {left}")
        if tried.broken:
            raise CommandError("Something wasn't true after a step: see above.")

    def _figures(self, *, count: int, processes: int, **_others: Any) -> None:
        started, found = perf_counter(), []
        wanted = list(advice.cases())
        with ProcessPoolExecutor(processes) as pool:
            for number, one in enumerate(pool.map(partial(advice.try_case, count=count), wanted), start=1):
                found.append(one)
                if number % 50 == 0:
                    self.stdout.write(f"{number} of {len(wanted)} cases  [{perf_counter() - started:.0f} s]")
                    self.stdout.flush()
        advice.write_figures(found)
        self.stdout.write(f"{len(found)} cases are in {SHIPPED.name}  [{perf_counter() - started:.0f} s]")

    def _table(self, rows: Sequence[Sequence[str]]) -> None:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for first, *others in rows:
            cells = (one.rjust(width) for one, width in zip(others, widths[1:], strict=True))
            self.stdout.write(f"{first:{widths[0]}}  {'  '.join(cells)}")


def _at_least_one(text: str) -> int:
    """A number from an argument. 0 is refused: nothing would be tried, and so nothing found wrong."""
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError(f"{text} is no number from 1")
    return int(text)
