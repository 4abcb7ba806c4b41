"""How well boxes are read whose figures the network hasn't learned from, by collection; nothing is tuned on them.

    python -m lab.digits.figures handwritten_digits.npz [--boxes 1000] [--hard 0.5]

The second collection is scikit-learn's `load_digits`, if that is installed: other writers, stored 8 x 8."""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lab.digits.boxes import Glyphs, drawn, glyphs, made
from tournaments.photos.ink import read_boxes

HELD_OUT = slice(8000, None)


def collections(file: Path) -> Iterator[tuple[str, Glyphs]]:
    marks = drawn(np.random.default_rng(5), "x")
    with np.load(file) as stored:
        yield "MNIST, held out", glyphs(stored["images"][HELD_OUT], stored["labels"][HELD_OUT]) | marks
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        return
    digits = load_digits()
    yield "load_digits", glyphs(np.minimum(digits.images * 16, 255).astype(np.uint8), digits.target) | marks


def show(name: str, figures: Glyphs, *, boxes: int, hard: float) -> None:
    random = np.random.default_rng(7)
    made_up = [made(random, figures, hard=hard) for _ in range(boxes)]
    began = time.process_time()
    inks = read_boxes([box.picture for box in made_up])
    texts = [ink.best() for ink in inks]
    seconds = time.process_time() - began
    right, all_of, sure, sure_wrong = Counter[str](), Counter[str](), 0, 0
    for box, likely in zip(made_up, texts, strict=True):
        digits = sum(sign.isdigit() for sign in box.text)
        kind = "struck" if box.struck else f"{digits} digits" if digits else box.text or "empty"
        text, chance = likely[0]
        all_of[kind] += 1
        right[kind] += text == box.text
        if chance > np.log(0.98):
            sure += 1
            sure_wrong += text != box.text
    struck = sum((ink.struck > 0.5) == box.struck for ink, box in zip(inks, made_up, strict=True))
    among = sum(box.text in dict(likely) for box, likely in zip(made_up, texts, strict=True))
    print(f"{name}: {100 * right.total() / boxes:.1f} % of {boxes} boxes right, {100 * among / boxes:.1f} % among five")
    print(f"  sure of {100 * sure / boxes:.0f} %, of these wrong {100 * sure_wrong / max(sure, 1):.2f} %;", end=" ")
    print(f"crossed out or not: {100 * struck / boxes:.1f} % right; {1000 * seconds / boxes:.1f} ms a box")
    print("  " + ", ".join(f"{kind}: {100 * right[kind] / all_of[kind]:.1f}" for kind in sorted(all_of)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--boxes", type=int, default=1000)
    parser.add_argument("--hard", type=float, default=0.5)
    asked = parser.parse_args()
    for name, figures in collections(asked.file):
        show(name, figures, boxes=asked.boxes, hard=asked.hard)


if __name__ == "__main__":
    main()
