"""Make the data of the demo anew."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command

from lab.benchmarks.scratch import BenchCommand
from lab.simulation.demo import make_demo


class Command(BenchCommand):
    help = "Plays the demo in a database of its own, and writes the data that the site loads."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--here", action="store_true", help="play it in this, empty, database")

    def handle(self, *args: Any, here: bool, **options: Any) -> None:
        if not here:
            self.run_in_scratch()
            return
        call_command("migrate", verbosity=0, skip_checks=True)
        make_demo(self.say)
