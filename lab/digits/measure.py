"""How well cards are read on composed photos, by each collection of digits.

    python -m lab.digits.measure DIGITS.npz FILE --photos 300 [--other] [--kept FOLDER]

Each photo's figures are a line of FILE, added as it goes: started again, it goes on. Composed photos stay in the folder
`--kept`, for the next weights. `--other` writes with
scikit-learn's load_digits, on which nothing is trained, in place of the last 2,000 digits of DIGITS.npz. The table at
the end is over all lines of FILE.
"""

import argparse
import json
import os
import pickle
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import django
import numpy as np

LIMITS = (  # what is asked, by collection: MNIST, the other
    ("boxes right by ink alone", "by_ink", "boxes", (96, 92)),
    ("of them with something written", "by_ink_written", "written", (96, 92)),
    ("figures right after rules and totals", "right", "figures", (98.5, 96)),
    ("wrong and unmarked", "unmarked", "figures", (0.3, 0.3)),
    ("marked", "marked", "figures", (8, 20)),
    ("cards recognised", "found", "cards", (99, 99)),
)
MEMORY = """
import pickle, sys
import numpy as np
from PIL import Image
from tournaments.photos import ink
from tournaments.photos.paper import find_codes, straighten
jpeg, plans = pickle.load(sys.stdin.buffer)
picture = np.asarray(Image.open(jpeg))
for code in find_codes(picture):
    straight = straighten(picture, code, plans=plans)
    if straight:
        places = [(c, r) for c, rows in enumerate(straight.plan.boxes) for r in range(len(rows))]
        ink.read_boxes([straight.box(*place) for place in places])
[most] = [line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')]
print(int(most) // 1024)
"""


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("digits", type=Path)
    asked.add_argument("file", type=Path)
    asked.add_argument("--photos", type=int, default=300)
    asked.add_argument("--other", action="store_true")
    asked.add_argument("--kept", type=Path, help="the folder of composed photos")
    asked.add_argument("--seed", default="held out")
    asked.add_argument("--show", action="store_true", help="print what is wrong and unmarked")
    options = asked.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    django.setup()
    from lab.digits import photos
    from lab.simulation.sequences import own_database

    own_database()
    digits = photos.other_collection() if options.other else photos.mnist(options.digits)
    done = {row["photo"] for row in _rows(options.file)}
    for n in range(options.photos):
        game = photos.GAMES[n % len(photos.GAMES)]
        if n in done:
            continue
        kept = options.kept / f"{n:03}.pickle" if options.kept else None
        if kept and kept.exists():
            photo = pickle.loads(kept.read_bytes())  # noqa: S301  (written below)
        else:
            photo = photos.compose_photo(game, f"{options.seed} {n}", digits=digits)
            if kept:
                kept.write_bytes(pickle.dumps(photo))
        row = {"photo": n, "game": game, "told": photo.told, **count_photo(photo, show=options.show)}
        if n % 20 < 2:
            row["memory"] = measure_memory(photo)
        with options.file.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(n, photo.told, dict(row["counts"]), row["seconds"], flush=True)
    print(table(_rows(options.file), other=options.other))


def count_photo(photo: Any, *, show: bool = False) -> dict[str, Any]:
    from tournaments.photos.paper import find_codes, straighten
    from tournaments.photos.plans import card_plans

    picture, counts, off, seconds = photo.picture, Counter[str](), [], []
    started = time.process_time()
    codes = {code.text: code for code in find_codes(picture)}
    for_codes = (time.process_time() - started) / len(photo.cards)
    for shown in photo.cards:
        filled = shown.filled
        counts["cards"] += 1
        started = time.process_time()
        code = codes.get(filled.sheet.link.address.upper())
        plans = card_plans(filled.rule_set, filled.sheet.shape)
        straight = straighten(picture, code, plans=plans) if code else None
        counts["found"] += bool(straight and straight.plan == shown.plan)
        counts["no code"] += code is None
        if straight and straight.plan == shown.plan:
            boxes = np.array([box for column in shown.plan.boxes for box in column])
            corners = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])
            away = np.linalg.norm(straight.mapping(corners) - shown.place(corners), axis=1) / shown.camera.scale
            off.append([round(float(np.median(away)), 3), round(float(away.max()), 3)])
            counts += _count_card(shown, straight, show=show)
            seconds.append(round(time.process_time() - started + for_codes, 2))
    return {"counts": counts, "off": off, "seconds": seconds}


def _count_card(shown: Any, straight: Any, *, show: bool) -> Counter[str]:
    """The boxes of the lines that are written, and the figures that the card's form gets from them."""
    from lab.digits.made_up import true_fields, written_boxes
    from tournaments.photos import ink
    from tournaments.photos.likeliest import likeliest_lines

    filled, counts = shown.filled, Counter[str]()
    places = [(column, row) for column, rows in enumerate(shown.plan.boxes) for row in range(len(rows))]
    inks = dict(zip(places, ink.read_boxes([straight.box(*place) for place in places]), strict=True))
    for place, text, struck in written_boxes(filled.card, filled.lines):
        best = inks[place].best()[0][0]
        counts["boxes"] += 1
        counts["by_ink"] += best == text
        counts["written"] += bool(text)
        counts["by_ink_written"] += bool(text) and best == text
        counts["struck_right"] += struck and inks[place].struck > 0.5
        counts["struck"] += struck
        if show and best != text:
            print(f"  {place} {text!r}{' struck' * struck} read as {best!r}")
    readings = {reading.number: reading for reading in likeliest_lines(filled.card, inks)}
    counts["lines_too_many"] += len(readings.keys() - set(range(1, len(filled.lines) + 1)))
    for deal, line in enumerate(filled.lines, start=1):
        fields = readings[deal].fields if deal in readings else {}
        for name, text in true_fields(filled.card, line).items():
            field = fields.get(name)
            # a total of 0 may be left out, or written as a dash
            same = {text} if text or not name.startswith("written_") else {"", "0"}
            right, marked = field is not None and field.text in same, field is None or field.doubtful
            counts["figures"] += 1
            counts["right"] += right
            counts["marked"] += marked
            counts["unmarked"] += not right and not marked
            if show and not right:
                likely = inks[field.box].best(3) if field and field.box else ""
                print(f"  deal {deal} {name}: {text!r} {'MARKED' * marked} {field} {likely}")
    return counts


def measure_memory(photo: Any) -> int:
    """Megabytes at most of a process that reads a photo."""
    import io

    from tournaments.photos.plans import card_plans

    filled = photo.cards[0].filled
    given = pickle.dumps((io.BytesIO(photo.jpeg), card_plans(filled.rule_set, filled.sheet.shape)))
    return int(subprocess.run([sys.executable, "-c", MEMORY], input=given, capture_output=True, check=True).stdout)


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def table(rows: list[dict[str, Any]], *, other: bool) -> str:
    whole, games = Counter[str](), dict[str, Counter[str]]()
    for row in rows:
        whole.update(row["counts"])
        games.setdefault(row["game"], Counter()).update(row["counts"])
    seconds = [each for row in rows for each in row["seconds"]]
    off = [each for row in rows for each in row["off"]]
    told = [f"{len(rows)} photos, {whole['cards']} cards, {whole['boxes']} boxes, {whole['figures']} figures"]
    for words, part, of, limits in LIMITS:
        share = 100 * whole[part] / max(whole[of], 1)
        each = ", ".join(f"{game} {100 * one[part] / max(one[of], 1):.1f}" for game, one in games.items())
        told.append(f"{words}: {share:.2f} % (asked {limits[other]}); {each}")
    told.append(f"crossed out, seen as such: {whole['struck_right']} of {whole['struck']}; no code {whole['no code']}")
    told.append(f"lines too many: {whole['lines_too_many']}")
    if len(seconds) > 1:
        told.append(f"seconds a card: median {median(seconds):.2f}, p95 {quantiles(seconds, n=20)[-1]:.2f}")
        told.append(f"boxes off: median {median(a for a, _b in off):.3f} mm, worst {max(b for _a, b in off):.3f} mm")
    told.append(f"memory: {max((row.get('memory', 0) for row in rows), default=0)} MB at most")
    return "\n".join(told)


if __name__ == "__main__":
    main()
