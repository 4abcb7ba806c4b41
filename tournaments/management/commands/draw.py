"""`manage.py draw`: who plays with whom and against whom, for any number of people. Needs no database."""

import json as json_text
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _, ngettext
from pydantic import TypeAdapter, ValidationError

from tournaments.draws.words import METHODS, refusal_message, statement_sentences, warnings
from tournaments.engine.draws.rotation import STEPS, Afternoon, DrawRefused, Plan, draw_rotation
from tournaments.engine.rounds import ODD, DrawWish
from tournaments.engine.verify import Statement, WishOutcome, make_statement, wish_outcomes

WISHES = TypeAdapter(list[DrawWish])
CONSTRAINTS = {"never": "avoid_partner", "apart": "avoid_table", "once": "want_partner", "always": "always_partner"}


class Command(BaseCommand):
    """Draws rounds for people numbered from 1, and states what the draw repeats."""

    help = (
        "Draws rounds for people numbered from 1, where possible without the same partner, opponent or person at the "
        "table twice. Needs no database."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, required=True, metavar="N")
        parser.add_argument("--rounds", type=int, required=True, metavar="R")
        parser.add_argument("--table", type=int, default=4, help="people at a table (default 4)")
        parser.add_argument("--sides", type=int, default=2, help="people to a side, or to a group (default 2)")
        parser.add_argument("--odd", choices=sorted(ODD), default="sit-out", help="what happens with people left over")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--steps", type=int, default=STEPS, help=f"how many steps the search may take (default {STEPS})"
        )
        parser.add_argument(
            "--wishes",
            metavar="FILE",
            help='JSON: [{"kind": "apart", "people": [3, 4]}, {"kind": "stay", "people": [7], "table": 1}, ...]; kinds '
            'are always, never, once, apart, stay, host; "hard": false for a wish that may fail',
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Draw. Exits with an error when no draw can be made of this."""
        players = range(1, options["players"] + 1)
        wishes = _wishes(options["wishes"])
        if strangers := sorted({p for wish in wishes for p in wish.people} - set(players)):
            raise CommandError(_("There is no player %(n)s.") % {"n": strangers[0]})
        try:
            table, side, odd = (options[name] for name in ("table", "sides", "odd"))
            afternoon = Afternoon(players, options["rounds"], table=table, side=side, odd=odd, wishes=wishes)
            plan = draw_rotation(afternoon, seed=options["seed"], steps=options["steps"])
        except DrawRefused as refused:
            raise CommandError(refusal_message(refused, wishes)) from refused
        couples = [wish.people for wish in wishes if wish.kind == "always"]
        report = make_statement(plan.rounds, players, couples=couples)
        judged = wish_outcomes(plan.rounds, wishes)
        self.stderr.write("".join(line + "\n" for line in warnings(wishes)), ending="")
        if options["json"]:
            self.stdout.write(
                json_text.dumps(_data(plan, players, wishes=wishes, report=report, judged=judged), indent=1)
            )
        else:
            self.stdout.write("\n".join(_text(plan, report, judged=judged)))


def _wishes(file: str | None) -> list[DrawWish]:
    """The wishes of a file. Raises CommandError when it can't be read or isn't of the form."""
    if file is None:
        return []
    try:
        return WISHES.validate_json(Path(file).read_bytes(), strict=True, extra="forbid")
    except OSError as no:
        raise CommandError(f"{file}: {no}") from no
    except ValidationError as no:
        first = no.errors()[0]
        if first["type"] == "json_invalid":
            raise CommandError(f"{file}: {first['msg']}") from no
        number = int(first["loc"][0]) + 1 if first["loc"] else 1
        raise CommandError(_("%(file)s: wish %(n)s isn't in the right form.") % {"file": file, "n": number}) from no


def _data(
    plan: Plan, players: Sequence[int], *, wishes: Sequence[DrawWish], report: Statement, judged: Sequence[WishOutcome]
) -> dict[str, Any]:
    constraints: dict[str, Any] = {}
    for wish in wishes:
        if wish.kind in CONSTRAINTS:
            constraints.setdefault(CONSTRAINTS[wish.kind], []).append(wish.people)
        elif wish.table is not None:
            constraints.setdefault("fixed_table", {})[str(wish.people[0])] = wish.table
    return {
        "players": list(players),
        "rounds": [
            {
                "tables": [{"table": number, "sides": table} for number, table in enumerate(planned.tables, start=1)],
                "byes": planned.sit_outs,
            }
            for planned in plan.rounds
        ],
        "constraints": constraints,
        "seed": plan.seed,
        "method": plan.method,
        "steps": plan.steps,
        "statement": asdict(report),
        "wishes": [asdict(outcome) for outcome in judged],
    }


def _text(plan: Plan, report: Statement, *, judged: Sequence[WishOutcome]) -> list[str]:
    lines = []
    for number, planned in enumerate(plan.rounds, start=1):
        lines.append(_("Round %(n)d") % {"n": number})
        for table, sides in enumerate(planned.tables, start=1):
            against = _("  against  ").join(" ".join(f"{person:3}" for person in side) for side in sides)
            lines.append(f"  {_('Table %(n)d') % {'n': table}:10}{against}")
        if out := planned.sit_outs:
            lines.append(f"  {ngettext('Sits out', 'Sit out', len(out))}: {', '.join(map(str, out))}")
    lines += ["", str(METHODS[plan.method]) + " " + _("Seed %(seed)d.") % {"seed": plan.seed}]
    return lines + statement_sentences(report, judged)
