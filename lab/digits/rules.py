"""How many boxes of cards are read right with made-up inks: by ink alone, and with the rules and the totals.

Run as `python -m lab.digits.rules st-hilary-v3 hand-and-foot`, or with no names for all.
"""

import os
import sys
import time
from collections import Counter
from random import Random

import django

GAMES = (
    "hand-and-foot",
    "st-hilary-v3",
    "points-only",
    "euchre-by-tricks",
    "five-hundred-by-contract",
    "spades",
    "cribbage-by-deal",
)
SIX = "boxes", "by ink", "after", "marked", "wrong and unmarked", "not by ink"


def measure(slug: str, *, cards: int, bad: float, slips: float, seed: int = 0, show: bool = False) -> Counter[str]:
    from lab.digits import made_up
    from tournaments.photos.likeliest import likeliest_lines

    card, counts = made_up.card_of_rules(slug), Counter[str]()
    for number in range(cards):
        rng = Random(f"{seed} {slug} {number}")
        lines = made_up.write_game(card, rng, slips=slips)
        inks = made_up.inks_of(card, lines, rng, bad=bad)
        for ink in inks.values():
            ink.best(6)
        began = time.process_time()
        readings = {reading.number: reading for reading in likeliest_lines(card, inks)}
        counts["milliseconds"] += round(1000 * (time.process_time() - began))
        counts["cards"] += 1
        for deal, line in enumerate(lines, start=1):
            fields = readings[deal].fields if deal in readings else {}
            for name, text in made_up.truth_of(card, line).items():
                field = fields.get(name)
                right, marked = field is not None and field.text == text, field is None or field.doubtful
                counts["boxes"] += 1
                counts["after"] += right
                counts["marked"] += marked
                counts["wrong and unmarked"] += not right and not marked
                if field is not None:
                    counts["by ink"] += right and not field.not_by_ink
                    if not right and field.not_by_ink and field.box and inks[field.box].best()[0][0] == text:
                        counts["by ink"] += 1
                    counts["not by ink"] += field.not_by_ink
                    if show and (not right and not marked):
                        print(number, deal, name, field, "not", text, inks[field.box].best(3) if field.box else "")
    return counts


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    django.setup()
    from scoring.engine.core.ruleset import shipped

    cards, bad = int(os.environ.get("CARDS", "10")), float(os.environ.get("BAD", "0.1"))
    for slug in sys.argv[1:] or [name for name in GAMES if name in shipped()]:
        counts = measure(slug, cards=cards, bad=bad, slips=0.01, show="SHOW" in os.environ)
        shares = "  ".join(f"{name} {100 * counts[name] / counts['boxes']:.2f} %" for name in SIX[1:])
        print(
            f"{slug}: {counts['boxes']} boxes, {counts['milliseconds'] / counts['cards']:.0f} ms a card  {shares}",
            flush=True,
        )


if __name__ == "__main__":
    main()
