"""`./dev lab simulate`: true deals by the thousand, or a round, a night, a competition played through the verbs."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubsite.accounts.models import Actor
from lab.simulation import advice
from lab.simulation.contests import ContestFindings, try_contest
from lab.simulation.deals import Tally, TrialBlock, blocks_of, try_block
from lab.simulation.draws import DrawFindings, try_event
from lab.simulation.formats import Figures, tried
from lab.simulation.play import ROUTE, Stop, play_event, play_round
from lab.simulation.sequences import FORMATS, MATCHES, TriedSequences, asked_to_stop, own_database, try_sequence
from lab.simulation.skill_and_luck import Luck
from lab.simulation.slips import find_slips
from scoring.engine.core.ruleset import shipped
from scoring.models import DealVersion
from tournaments.advice.figures import EDGE, SHIPPED
from tournaments.advice.offers import MOST_PEOPLE, MOST_ROUNDS, AdviceRequest, minutes_of, offers
from tournaments.errors import StepRefused
from tournaments.events.state import published_draws
from tournaments.models import Event

FIGURES = ["format", "rounds", "time", "sit-outs", "games", "least", "met", "again", "wins", "top-3", "refused", "s"]


class Command(BaseCommand):
    """Play true deals: by themselves, without the database, or into an event."""

    help = (
        "Plays true deals: `simulate deals` checks and scores them, `simulate round` and `simulate event` record them. "
        "`simulate slips` writes one figure of each down wrong and says which check finds it. "
        "`simulate draws` draws invented afternoons and has them verified, `simulate contests` plays contests of 54 in "
        "which much goes wrong, `simulate formats` compares formats, `simulate directors` lets random "
        "directors do anything to events in a database of their own. Only a round and an event need the database."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One subcommand each for deals, a round and an event."""
        commands = parser.add_subparsers(dest="what", required=True)

        def command(name: str, play: Callable[..., None], *, text: str) -> ArgumentParser:
            made: ArgumentParser = commands.add_parser(name, help=text)
            made.set_defaults(play=play)
            return made

        deals = command("deals", self._deals, text="play true deals with every rule set; none may be refused")
        slips = command("slips", self._slips, text="make one slip on each of many true cards; see which checks find it")
        for one in (deals, slips):
            one.add_argument("--rules", nargs="+", metavar="SLUG", choices=sorted(shipped()), default=sorted(shipped()))
        deals.add_argument(
            "--count", type=_at_least_one, default=20_000, help="deals per rule set, over all its shapes"
        )
        slips.add_argument("--count", type=_at_least_one, default=2_000, help="cards per rule set and depth")
        draws = command("draws", self._draws, text="draw invented afternoons; no hard wish may be broken")
        draws.add_argument(
            "--count", type=_at_least_one, default=1000, help="events of 4 to 120 people who come and go"
        )
        contests = command("contests", self._contests, text="play contests of 54 to their end; standings must agree")
        contests.add_argument("--count", type=_at_least_one, default=10_000)
        directors = command(
            "directors", self._directors, text="random directors do anything at any time; nothing may break"
        )
        directors.add_argument("--count", type=_at_least_one, default=1_000, help="sequences, each an event of its own")
        directors.add_argument("--steps", type=_at_least_one, default=50, help="of each sequence")
        directors.add_argument(
            "--matches", action="store_true", help="only formats in which sides stay together, and nights of couples"
        )
        formats = command("formats", self._formats, text="compare the formats that fit, with people of different skill")
        formats.add_argument("--players", type=int, required=True, metavar="N", help=f"4 to {MOST_PEOPLE}")
        formats.add_argument("--rounds", type=int, default=8, metavar="R", help=f"at most; 1 to {MOST_ROUNDS}")
        formats.add_argument("--minutes", type=_at_least_one, default=30, metavar="M", help="that one game takes")
        formats.add_argument("--format", nargs="+", metavar="SLUG", choices=Event.Format.values)
        formats.add_argument("--count", type=_at_least_one, default=500, help="imagined events of each format")
        formats.add_argument(
            "--edge",
            type=int,
            default=EDGE,
            help="per cent of games that somebody one standard deviation above another wins against them, 51 to 99",
        )
        figures = command(
            "figures", self._figures, text="try formats for the page that advises, and keep what is found"
        )
        figures.add_argument("--count", type=_at_least_one, default=advice.COUNT)
        for one in (deals, contests, directors, figures):
            one.add_argument("--processes", type=_at_least_one, default=os.cpu_count() or 1)
        for one in (deals, slips, draws, contests, formats):
            one.add_argument("--seed", type=int, default=1)
        directors.add_argument("--seed", type=int, default=1, help="of the first sequence; the others follow it")
        a_round = command("round", self._recorded, text="play the latest published round")
        an_event = command("event", self._recorded, text="play a whole event to its result")
        for one in (a_round, an_event):
            one.add_argument("--club", required=True, metavar="SLUG")
            one.add_argument("--event", required=True, metavar="SLUG")
            one.add_argument("--seed", type=int, default=1)
            one.add_argument(
                "--deals", type=_at_least_one, help="stop in the middle, after so many deals at every table"
            )
        an_event.add_argument(
            "--stop-after", type=_at_least_one, metavar="N", help="stop after round N (stage N of a competition)"
        )

    def handle(self, *args: Any, play: Callable[..., None], **options: Any) -> None:
        """Play. Exits with an error when a deal is refused or a step can't be taken."""
        play(**options)

    def _recorded(self, what: str, **options: Any) -> None:
        events = Event.objects.select_related("club", "rules")
        event = events.filter(club__slug=options["club"], slug=options["event"]).first()
        if event is None:
            raise CommandError(f"There is no event {options['event']} in a club {options['club']}.")
        try:
            self._event(event, what, options=options)
        except StepRefused as no:
            raise CommandError(str(no)) from no

    def _deals(self, *, rules: list[str], count: int, seed: int, processes: int, **_others: Any) -> None:
        refused = 0
        with ProcessPoolExecutor(processes) as pool:
            for slug in rules:
                started = perf_counter()
                blocks = [TrialBlock(slug, seed, number, size) for number, size in enumerate(blocks_of(count))]
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

    def _slips(self, *, rules: list[str], count: int, seed: int, **_others: Any) -> None:
        for slug in rules:
            for depth, found in find_slips(slug, count=count, seed=seed).items():
                alone = ", ".join(f"{code} {many}" for code, many in found.alone.most_common())
                self.stdout.write(
                    f"{slug:34} {depth:8} {found.slips:6} slips, {found.refused:6} found; by one check alone: {alone}"
                )

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

    def _contests(self, *, count: int, seed: int, processes: int, **_others: Any) -> None:
        started = perf_counter()
        with ProcessPoolExecutor(processes) as pool:
            done = pool.map(partial(try_contest, seed), range(count), chunksize=50)
            told = sum(done, start=ContestFindings())
        self.stdout.write(
            f"{told.contests} contests of 54, {told.games} games: all ended; {told.compared} standings counted afresh, "
            f"{told.differ} differ from those kept up game by game; {told.broken} cuts broken. {told.ties} ties at a "
            f"line settled, {told.play_offs} by a play-off; {told.withdrawn} withdrew, {told.barred} were barred, "
            f"{told.called_up} reserves called up, {told.corrected} cards corrected, {told.met_again} pairs at a table "
            f"again  [{perf_counter() - started:.1f} s]"
        )
        if not told.clean:
            raise CommandError(f"Something is wrong in contests {', '.join(map(str, told.worst))}.")

    def _directors(self, *, count: int, steps: int, seed: int, processes: int, matches: bool, **_others: Any) -> None:
        started, tried = perf_counter(), TriedSequences()
        one_sequence = partial(try_sequence, steps=steps, formats=MATCHES if matches else FORMATS)
        with ProcessPoolExecutor(processes, initializer=own_database) as pool, asked_to_stop() as stop:
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

    def _formats(self, **options: Any) -> None:
        people, luck = options["players"], Luck(edge=options["edge"])
        if not 4 <= people <= MOST_PEOPLE or not 1 <= options["rounds"] <= MOST_ROUNDS or not 51 <= luck.edge <= 99:
            raise CommandError(
                f"4 to {MOST_PEOPLE} players, 1 to {MOST_ROUNDS} rounds and an edge of 51 to 99, please."
            )
        self.stdout.write(
            f"{people} people, {options['rounds']} rounds at most; {options['count']} events of each format, edge "
            f"{luck.edge}%\n"
        )
        rows = [FIGURES]
        for offer in offers(AdviceRequest(people, options["rounds"])):
            if options["format"] and offer.format not in options["format"]:
                continue
            started = perf_counter()
            way = advice.way_of(offer, people, seed=options["seed"])
            found = tried(way, people, count=options["count"], seed=options["seed"], luck=luck)
            time = minutes_of(found.longest, options["minutes"])
            rows.append([offer.format, *_row(found, time), f"{perf_counter() - started:.1f}"])
        self._table(rows)

    def _figures(self, *, count: int, processes: int, **_others: Any) -> None:
        started, found = perf_counter(), []
        wanted = list(advice.cases())
        with ProcessPoolExecutor(processes) as pool:
            for number, one in enumerate(pool.map(partial(advice.try_case, count=count), wanted), start=1):
                found.append(one)
                if number % 50 == 0:
                    self.stdout.write(f"{number} of {len(wanted)} cases  [{perf_counter() - started:.0f} s]")
                    self.stdout.flush()
        advice.write(found)
        self.stdout.write(f"{len(found)} cases are in {SHIPPED.name}  [{perf_counter() - started:.0f} s]")

    def _table(self, rows: Sequence[Sequence[str]]) -> None:
        """The first column to the left, figures to the right."""
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for first, *others in rows:
            cells = (one.rjust(width) for one, width in zip(others, widths[1:], strict=True))
            self.stdout.write(f"{first:{widths[0]}}  {'  '.join(cells)}")

    def _event(self, event: Event, what: str, *, options: dict[str, Any]) -> None:
        rng, by = Random(options["seed"]), Actor(user=None, name=ROUTE, route=ROUTE)
        before = DealVersion.objects.filter(deal__game__club=event.club).count()
        if what == "round":
            draw = published_draws(event).last()
            if draw is None:
                raise CommandError(f"{event} has no published draw.")
            play_round(draw, rng, by=by, deals=options["deals"])
        else:
            part = options["stop_after"]
            if part is None and options["deals"] is not None:
                raise CommandError("Say with --stop-after in which round or stage to stop after so many deals.")
            play_event(event, rng, by=by, stop=None if part is None else Stop(part, options["deals"]))
        event.refresh_from_db()
        recorded = DealVersion.objects.filter(deal__game__club=event.club).count() - before
        self.stdout.write(f"{event}: {recorded} deals recorded; the event is {event.get_state_display()}.")


def _at_least_one(text: str) -> int:
    """A number from an argument. 0 is refused: nothing would be tried, and so nothing found wrong."""
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError(f"{text} is no number from 1")
    return int(text)


def _row(found: Figures, minutes: int) -> list[str]:
    """Figures of a format, as they are printed."""
    shares = (found.best_wins, found.best_in_top)
    return [
        str(found.longest),
        f"{minutes // 60}:{minutes % 60:02}",
        *(
            f"{float(each):.1f}"
            for each in (found.sit_outs_each, found.games_each, found.fewest_games, found.met_each, found.again_each)
        ),
        *(f"{float(100 * share):.0f}%" for share in shares),
        str(found.refused),
    ]
