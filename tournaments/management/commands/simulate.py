"""`manage.py simulate`: true deals by the thousand, or a round, a night, a competition played through the verbs."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from random import Random
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubsite.accounts.models import Actor
from scoring.engine.ruleset import shipped
from scoring.engine.trial import Tally, blocks_of, try_block
from scoring.models import DealVersion
from tournaments.engine.draw_trial import Told, try_event
from tournaments.errors import StepRefused
from tournaments.models import Event
from tournaments.simulate import ROUTE, Stop, open_draw, play_event, play_round


class Command(BaseCommand):
    """Play true deals: by themselves, without the database, or into an event."""

    help = (
        "Plays true deals: `simulate deals` checks and scores them, `simulate round` and `simulate event` record them. "
        "`simulate draws` draws invented afternoons and has them verified."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One subcommand each for deals, a round and an event."""
        commands = parser.add_subparsers(dest="what", required=True)
        deals = commands.add_parser("deals", help="play true deals with every rule set; none may be refused")
        deals.add_argument("--rules", nargs="+", metavar="SLUG", choices=sorted(shipped()), default=sorted(shipped()))
        deals.add_argument("--count", type=int, default=20_000, help="deals per rule set, over all its shapes")
        deals.add_argument("--processes", type=int, default=os.cpu_count() or 1)
        deals.add_argument("--seed", type=int, default=1)
        draws = commands.add_parser("draws", help="draw invented afternoons; no hard wish may be broken")
        draws.add_argument("--count", type=int, default=1000, help="events of 4 to 120 people who come and go")
        draws.add_argument("--seed", type=int, default=1)
        for what, text in (("round", "play the latest published round"), ("event", "play a whole event to its result")):
            one = commands.add_parser(what, help=text)
            one.add_argument("--club", required=True, metavar="SLUG")
            one.add_argument("--event", required=True, metavar="SLUG")
            one.add_argument("--seed", type=int, default=1)
            one.add_argument("--deals", type=int, help="stop in the middle, after so many deals at every table")
            if what == "event":
                one.add_argument(
                    "--stop-after", type=int, metavar="N", help="stop after round N (stage N of a competition)"
                )

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        """Play. Exits with an error when a deal is refused or a step can't be taken."""
        if what == "deals":
            self._deals(options["rules"], options["count"], options["seed"], options["processes"])
            return
        if what == "draws":
            self._draws(options["count"], options["seed"])
            return
        event = (
            Event.objects.select_related("club", "rules")
            .filter(club__slug=options["club"], slug=options["event"])
            .first()
        )
        if event is None:
            raise CommandError(f"There is no event {options['event']} in a club {options['club']}.")
        try:
            self._event(event, what, options)
        except StepRefused as no:
            raise CommandError(str(no)) from no

    def _deals(self, slugs: list[str], count: int, seed: int, processes: int) -> None:
        faults = False
        with ProcessPoolExecutor(max(1, processes)) as pool:
            for slug in slugs:
                started = perf_counter()
                blocks = blocks_of(count)
                numbers = range(len(blocks))
                done = pool.map(try_block, [slug] * len(blocks), [seed] * len(blocks), numbers, blocks)
                tally = sum(done, start=Tally())
                faults = faults or not tally.clean
                sums = "total = sum of lines for all" if not tally.wrong_sums else f"wrong sums: {tally.wrong_sums}"
                self.stdout.write(
                    f"{slug:30} {tally.played:6} true deals played, {tally.refused} refused"
                    f"{' (' + ', '.join(tally.codes) + ')' if tally.codes else ''}, "
                    f"{tally.asked_again} asked again, {sums}  [{perf_counter() - started:.1f} s]"
                )
        if faults:
            raise CommandError("A true deal was refused, or its total isn't the sum of its lines.")

    def _draws(self, count: int, seed: int) -> None:
        started = perf_counter()
        told = sum((try_event(seed, number) for number in range(count)), start=Told())
        self.stdout.write(
            f"{told.events} events, {told.draws} draws: {told.faults} faults, {told.broken} hard wishes broken, "
            f"{told.soft_met} of {told.soft} other wishes met, {told.uneven} events with uneven sit-outs, "
            f"{told.differ} draws that differ when made again; {told.refused} events refused for wishes that collide, "
            f"{told.needless} wishes named there without need  [{perf_counter() - started:.1f} s]"
        )
        if not told.clean:
            raise CommandError(f"Something is wrong in events {', '.join(map(str, told.worst))}.")

    def _event(self, event: Event, what: str, options: dict[str, Any]) -> None:
        rng, by = Random(options["seed"]), Actor(user=None, name=ROUTE, route=ROUTE)
        before = DealVersion.objects.filter(deal__game__club=event.club).count()
        if what == "round":
            draw = open_draw(event)
            if draw is None:
                raise CommandError(f"{event} has no published draw.")
            play_round(draw, rng, by, deals=options["deals"])
        else:
            part = options["stop_after"]
            if part is None and options["deals"] is not None:
                raise CommandError("Say with --stop-after in which round or stage to stop after so many deals.")
            play_event(event, rng, by, stop=None if part is None else Stop(part, options["deals"]))
        event.refresh_from_db()
        recorded = DealVersion.objects.filter(deal__game__club=event.club).count() - before
        self.stdout.write(f"{event}: {recorded} deals recorded; the event is {event.get_state_display()}.")
