"""`manage.py score`: what the deals of a file are worth and what is wrong with them. Needs no database."""

import json as json_text
import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from scoring.deal_files.formats import read_games
from scoring.deal_files.json_text import UnreadableText, decode_utf8
from scoring.deal_files.scored import GameReport, ScoredGame, faults_data, score_game, scores_json, summary_message
from scoring.engine.core.ruleset import shipped

REFUSED, UNREADABLE = 1, 2  # exit statuses


class Command(BaseCommand):
    help = (
        "Checks and scores the games of a deal file: points, reasons and problems of each deal, totals, who won. "
        "Exit status 1: a deal is refused; 2: the file can't be read. Needs no database."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help='a deal file; "-" is standard input')
        parser.add_argument(
            "--rules", metavar="SLUG", choices=sorted(shipped()), help="score by these rules, whatever the file says"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, file: str, rules: str | None, json: bool, **options: Any) -> None:
        """Score. Exits with 1 when a deal is refused, with 2 when the file can't be read."""
        try:
            raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        except OSError as error:
            self.stderr.write(f"{file}: {error.strerror}")
            raise SystemExit(UNREADABLE) from error
        try:
            games = read_games(decode_utf8(raw), shipped()[rules] if rules else None)
        except UnreadableText as error:
            if json:
                self.stdout.write(json_text.dumps(faults_data(error.faults), ensure_ascii=False, indent=1))
            else:
                name = _("standard input") if file == "-" else file
                self.stderr.write("\n".join(f"{name}: {fault.words}" for fault in error.faults))
            raise SystemExit(UNREADABLE) from error
        scored = [score_game(game) for game in games]
        try:
            self._print(scored, json)
            self.stdout.flush()
        except BrokenPipeError:  # the program that reads the output has ended
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if any(game.refused for game in scored):
            raise SystemExit(REFUSED)

    def _print(self, scored: list[ScoredGame], json: bool) -> None:
        if json:
            for line in scores_json(scored):
                self.stdout.write(line)
            return
        for number, game in enumerate(scored, start=1):
            self.stdout.write("\n".join(GameReport(game, number).text()) + "\n\n")
        self.stdout.write(summary_message(scored))
