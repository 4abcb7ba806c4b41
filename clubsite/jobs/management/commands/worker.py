"""`manage.py worker`: runs tasks: the search of draws, PDFs, exports, clean-up. `./dev run` starts one."""

import logging
import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from clubsite.jobs.secret_key_check import refuse_other_database
from clubsite.jobs.worker import run


class Command(BaseCommand):
    help = "Runs tasks: searches draws, makes PDFs and other files, cleans up. As many as you like, on any host."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", action="store_true", help="run the waiting tasks, then stop")
        parser.add_argument("--interval", type=float, default=0.5, help="seconds between checks for a task")
        parser.add_argument("--nice", type=int, default=10, help="how much the worker gives way to the site")
        parser.add_argument("--beside", action="store_true", help="stop when standard input ends")

    def handle(self, *args: Any, batch: bool, interval: float, nice: int, beside: bool, **options: Any) -> None:
        refuse_other_database()
        if nice and hasattr(os, "nice") and not batch:
            os.nice(max(0, nice - os.nice(0)))  # with whatever started it: a service may be nice by itself
        if options["verbosity"] < 2:
            for name in ("django_tasks", "django_tasks_db"):
                logging.getLogger(name).setLevel(logging.WARNING)
        run(interval=interval, batch=batch, beside=beside)
