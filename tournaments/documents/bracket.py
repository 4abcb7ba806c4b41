"""The bracket of a knock-out on paper: up to 32 sides and the match for the third place on one landscape sheet."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from clubsite.charts import shorten_name, text_width
from clubsite.pdf.documents import PAPERS, Paper
from scoring.templatetags.figures import points
from tournaments.documents.sheets import event_heading
from tournaments.draws.bracket import bracket_of
from tournaments.models import Event

BESIDE, ABOVE = 24.0, 58.0  # millimetres of a landscape sheet: margins at its sides; head, titles and foot
STEP = 6.0  # millimetres between two rounds, for the lines
SLOT = 24.0  # millimetres of height that a match has at most
LINES = 3.4  # lines of type in a match's height: its name, two sides, the white around them
LARGEST = 5.0  # millimetres of type
POINTS = 4.0  # ems that the seed and the points take
SMALLEST = 0.72  # of the type, for a long name


def bracket_sheet(event: Event, paper: str) -> dict[str, Any] | None:
    """None before the first draw is published, and for other formats."""
    parts = bracket_of(event)
    if not parts:
        return None
    beside = [part for part in parts if part["third"] or part["final"]]
    below = [r["matches"][0] | {"name": r["title"] or part["title"]} for part in beside for r in part["rounds"]]
    return {
        "template": "documents/hall/bracket.html",
        "landscape": True,
        "heading": event_heading(event, _("Bracket")),
        "brackets": [
            _lay_out_part(part | ({} if n else {"title": ""}), PAPERS[paper], below=[] if n else below)
            for n, part in enumerate(part for part in parts if part not in beside)
        ],
    }


def _lay_out_part(part: dict[str, Any], paper: Paper, *, below: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A part with the places of its matches and the lines between them, in millimetres from its top left corner.

    `below`: matches of no round, placed under the last one."""
    rounds = part["rounds"]
    slot = min(SLOT, (paper.width - ABOVE) / len(rounds[0]["matches"]))
    wide = (paper.height - BESIDE) / len(rounds) - STEP
    em = min(slot / LINES, LARGEST)
    box = em * (LINES - 0.3)
    room = wide / em - POINTS
    matches, lines = [], []

    def put(match: dict[str, Any], left: float, *, middle: float) -> None:
        sides = [
            side
            | {
                "name": (name := side["name"] if side.get("coming") else shorten_name(side["name"], room / SMALLEST)),
                "size": round(min(1, room / text_width(name, weight=700)), 2),
                "points": "" if side.get("points") is None else points(side["points"]),
            }
            for side in match["sides"]
        ]
        matches.append(match | {"left": round(left, 2), "top": round(middle - box / 2, 2), "sides": sides})

    for number, column in enumerate(rounds):
        left, height = number * (wide + STEP), slot * len(rounds[0]["matches"]) / len(column["matches"])
        for n, match in enumerate(column["matches"]):
            middle = height * (n + 0.5)
            if match:
                put(match, left, middle=middle)
                if column is not rounds[-1]:
                    bend, after = left + wide + STEP / 2, middle if column["across"] else height * (n // 2 * 2 + 1)
                    lines.append(f"M{left + wide:.2f} {middle:.2f}H{bend:.2f}V{after:.2f}H{left + wide + STEP:.2f}")
    tall = slot * len(rounds[0]["matches"])
    if below:
        tall = max(tall, tall / 2 + (1.5 + len(below)) * slot)
    for n, match in enumerate(reversed(below)):
        put(match, (len(rounds) - 1) * (wide + STEP), middle=tall - (n + 0.5) * slot)
    return {
        "title": part["title"],
        "titles": [(column["title"], round(n * (wide + STEP), 2)) for n, column in enumerate(rounds)],
        "matches": matches,
        "lines": "".join(lines),
        "width": round(paper.height - BESIDE, 1),
        "tall": round(tall, 2),
        "wide": round(wide, 2),
        "em": round(em, 2),
    }
