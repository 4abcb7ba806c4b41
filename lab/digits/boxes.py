"""Pictures of boxes as they come out of straightening a photographed card, with what is written in them.

Every hand has its slant, size, spacing and pen; its figures are those of a collection, bent anew each time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from tournaments.photos.ink import MARGIN, PX

Floats = NDArray[np.float32]
Glyphs = Mapping[str, Sequence[Image.Image]]

Points = Sequence[tuple[float, float]]
# signs that no collection has, and figures as those write them whom MNIST lacks: lines through points of a square
# of 1, how wide that is beside its height, and how often; lines through five points and more are rounded
DRAWN: Mapping[str, Sequence[tuple[float, int, Sequence[Points]]]] = {
    "0": [(0.7, 20, [[(0.6, 0), (0.1, 0.1), (0, 0.6), (0.3, 1), (0.8, 0.95), (1, 0.4), (0.8, 0), (0.4, 0)]])],
    "1": [
        (0.4, 40, [[(0, 0.4), (0.7, 0), (0.7, 1)]]),
        (0.55, 40, [[(0.1, 0.35), (0.5, 0), (0.5, 1)], [(0, 1), (1, 1)]]),
        (0.5, 20, [[(0.5, 0), (0.5, 1)], [(0, 1), (1, 1)]]),
        (0.6, 40, [[(0, 0.55), (0.8, 0), (0.75, 1)]]),
    ],
    "2": [
        (0.7, 30, [[(0, 0.25), (0.2, 0), (0.8, 0), (0.9, 0.35), (0.4, 0.8), (0, 1)], [(0, 1), (1, 0.97)]]),
        (0.7, 20, [[(0, 0.05), (1, 0), (0, 1), (1, 1)]]),
    ],
    "3": [
        (0.65, 30, [[(0.05, 0.15), (0.5, 0), (0.95, 0.2), (0.5, 0.47), (0.4, 0.48), (1, 0.7), (0.6, 1), (0, 0.9)]]),
        (0.65, 20, [[(0.05, 0), (0.95, 0), (0.4, 0.42)], [(0.4, 0.42), (0.9, 0.5), (0.9, 0.9), (0.5, 1), (0, 0.9)]]),
    ],
    "4": [
        (0.75, 40, [[(0.45, 0), (0.05, 0.62), (0.95, 0.62)], [(0.7, 0.3), (0.65, 1)]]),
        (0.7, 40, [[(0.15, 0), (0.1, 0.5), (0.85, 0.5)], [(0.85, 0), (0.8, 1)]]),
        (0.75, 40, [[(0.75, 1), (0.75, 0), (0.05, 0.65), (1, 0.65)]]),
    ],
    "5": [(0.7, 40, [[(0.95, 0), (0.2, 0), (0.12, 0.45)], [(0.12, 0.45), (0.7, 0.35), (1, 0.7), (0.6, 1), (0, 0.95)]])],
    "6": [(0.65, 40, [[(0.8, 0), (0.3, 0.3), (0, 0.8), (0.4, 1), (0.95, 0.9), (0.9, 0.6), (0.5, 0.55), (0.1, 0.8)]])],
    "7": [
        (0.7, 50, [[(0, 0.03), (1, 0), (0.4, 1)], [(0.2, 0.5), (0.9, 0.48)]]),
        (0.6, 50, [[(0, 0.2), (0.05, 0), (1, 0), (0.5, 1)], [(0.2, 0.52), (0.95, 0.5)]]),
        (0.65, 30, [[(0, 0.03), (1, 0), (0.4, 1)]]),
    ],
    "8": [
        (0.65, 40, [[(0.5, 0.47), (0, 0.3), (0.3, 0), (0.8, 0), (0.9, 0.3), (0.5, 0.47), (0, 0.8), (0.3, 1), (0.8, 1),
          (1, 0.75), (0.5, 0.47)]])
    ],
    "9": [
        (0.6, 40, [[(0.9, 0.1), (0.3, 0), (0, 0.3), (0.3, 0.55), (0.8, 0.4), (0.95, 0.1)], [(0.95, 0.1), (0.85, 1)]]),
        (0.6, 40, [[(0.95, 0.1), (0.4, 0), (0, 0.25), (0.3, 0.52), (0.8, 0.4), (0.95, 0.1)],
          [(0.95, 0.1), (1, 0.7), (0.7, 1), (0.4, 1), (0, 0.9)]]),
    ],
    "x": [
        (0.9, 100, [[(0, 0), (1, 1)], [(1, 0), (0, 1)]]),
        (1, 100, [[(0, 0.55), (0.35, 1), (1, 0)]]),
        (0.8, 40, [[(0, 1), (0.5, 0), (1, 1)], [(0.2, 0.65), (0.8, 0.65)]]),  # an A for "alone" is a mark too
    ],
}  # fmt: skip


def draw_signs(random: Generator, signs: str) -> dict[str, list[Image.Image]]:
    """Signs by DRAWN, each a little different, with pens of all widths: 64 pixels high, with white around."""
    found: dict[str, list[Image.Image]] = {sign: [] for sign in signs}
    for sign in signs:
        for wide, count, lines in DRAWN[sign]:
            for _ in range(count):
                size = np.array([wide * random.uniform(0.75, 1.25), 1]) * 64
                image = Image.new("L", (round(size[0]) + 16, 80))
                pen = round(random.uniform(4, 11))
                for line in lines:
                    points = (np.array(line) + random.normal(0, 0.04, (len(line), 2))) * size
                    _draw(image, points + 8, pen=pen)
                found[sign].append(image)
    return found


def _draw(image: Image.Image, points: NDArray[np.float64], *, pen: int) -> None:
    for _ in range(3 if len(points) > 4 else 0):  # corners cut off
        between = np.stack((0.75 * points[:-1] + 0.25 * points[1:], 0.25 * points[:-1] + 0.75 * points[1:]), 1)
        points = np.concatenate((points[:1], between.reshape(-1, 2), points[-1:]))
    draw = ImageDraw.Draw(image)
    draw.line([(float(x), float(y)) for x, y in points], 255, pen, "curve")
    for x, y in points[[0, -1]]:
        draw.ellipse((x - pen / 2, y - pen / 2, x + pen / 2, y + pen / 2), 255)


def cut_glyphs(images: NDArray[np.uint8], labels: NDArray[np.integer]) -> dict[str, list[Image.Image]]:
    """Figures of a collection by what they are, cut out and enlarged to 64 pixels of height, with white around."""
    found: dict[str, list[Image.Image]] = {str(figure): [] for figure in range(10)}
    for image, label in zip(images, labels, strict=True):
        rows, columns = np.nonzero(image.max(1) > 60)[0], np.nonzero(image.max(0) > 60)[0]
        part = image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        size = np.round(64 / part.shape[0] * np.array(part.T.shape)) + 2 * round(64 / part.shape[0])
        image = Image.fromarray(np.pad(part, 1))
        found[str(label)].append(image.resize((int(size[0]), int(size[1])), Image.Resampling.BICUBIC))
    return found


@dataclass
class Hand:
    """One person's writing with one pen; `hard` from 0 (neat) to 1."""

    random: Generator
    glyphs: Glyphs
    hard: float = 0.5
    coarsely: float = 0  # how probably the figures were stored coarsely, as some collections are

    def __post_init__(self) -> None:
        random, hard = self.random, self.hard
        self.height = random.uniform(3.6, 6.8 + hard)  # millimetres
        self.slant = random.normal(0.05, 0.10 + 0.15 * hard)
        self.wide = random.uniform(0.8, 1.2)
        self.gap = random.normal(0.6, 0.5 + 0.4 * hard)  # millimetres between figures; below 0 they overlap
        self.pen = random.uniform(0.25, 0.75)  # millimetres, of lines
        self.bold = random.normal(0, 0.7)  # how much thicker or thinner than the collection's
        self.dark = random.uniform(95, 215) if random.random() < 0.85 else random.uniform(60, 100)
        self.grain = random.uniform(0.1, 0.45) if random.random() < 0.3 else 0  # a pencil's
        self.coarse = int(random.integers(7, 13)) if random.random() < self.coarsely else 0

    def figure(self, sign: str, height: float) -> Floats:
        """A sign's darkness (0 to 1), cut out, so many millimetres high."""
        random = self.random
        if sign == "-":
            size = (random.uniform(1.5, 3.8), random.normal(0, 0.25))
            return self.line([(0, max(0, -size[1])), (size[0], max(0, size[1]))])
        high = max(round(height * PX * random.normal(1, 0.05) * (random.uniform(0.5, 1) if sign == "x" else 1)), 12)
        choice = self.glyphs[sign]
        image = choice[int(random.integers(len(choice)))]
        wide = max(round(high * image.width / 64 * self.wide * random.normal(1, 0.06)), 4)
        high = round(high * image.height / 64)
        if self.coarse:
            few = max(round(self.coarse * image.width / 64), 3)
            image = image.resize((few, self.coarse), Image.Resampling.BOX).resize(image.size, Image.Resampling.BICUBIC)
        return self._pen_of(self._bent(image, (wide, high)))

    def _bent(self, image: Image.Image, size: tuple[int, int]) -> Image.Image:
        """Sheared and distorted: a mesh of 2 x 2 parts whose nine points are moved."""
        (wide, high), random = size, self.random
        shear = self.slant + random.normal(0, 0.05)
        more = round(abs(shear) * high / 2) + 3
        out_wide, out_high = wide + 2 * more, high + 6
        jitter = random.normal(0, 0.03 + 0.025 * self.hard, (3, 3, 2))
        ys, xs = np.linspace(-3, high + 3, 3), np.linspace(-more, wide + more, 3)
        points = np.empty((3, 3, 2))
        points[..., 1] = (ys[:, None] / high + jitter[..., 1]) * image.height
        points[..., 0] = ((xs[None] + shear * (ys[:, None] - high / 2)) / wide + jitter[..., 0]) * image.width
        mesh = []
        for row in range(2):
            for column in range(2):
                left, right = column * out_wide // 2, (column + 1) * out_wide // 2
                top, bottom = row * out_high // 2, (row + 1) * out_high // 2
                corners = points[[row, row + 1, row + 1, row], [column, column, column + 1, column + 1]]
                mesh.append(((left, top, right, bottom), tuple(corners.ravel())))
        return image.transform((out_wide, out_high), Image.Transform.MESH, mesh, Image.Resampling.BILINEAR, fillcolor=0)

    def _pen_of(self, image: Image.Image) -> Floats:
        if self.bold > 1:
            image = image.filter(ImageFilter.MaxFilter(3))
        elif self.bold < -0.8 and not self.coarse and image.height > 40:
            image = image.filter(ImageFilter.MinFilter(3))
        ink = np.asarray(image, np.float32)
        thin = 0.42 - 0.15 * self.bold + self.random.normal(0, 0.03)  # a dry pen's lines have gaps
        edge = np.float32(np.clip(thin, 0.22, 0.66 if self.coarse else 0.6))
        steep = np.float32(self.random.uniform(0.52, 2.2)) / edge
        return _cut(np.clip((ink / max(ink.max(), 1) - edge) * steep + np.float32(0.5), 0, 1))

    def line(self, *lines: Points) -> Floats:
        """Lines through points (millimetres), slightly bent."""
        spread = [np.array(line) for line in lines]
        low = np.min([part.min(0) for part in spread], 0) - 1
        size = np.max([part.max(0) for part in spread], 0) + 1 - low
        image = Image.new("L", (int(size[0] * PX * 2), int(size[1] * PX * 2)))
        for part in spread:
            steps = np.linspace(0, len(part) - 1, 8 * (len(part) - 1) + 1)
            fine = np.stack([np.interp(steps, range(len(part)), part[:, axis]) for axis in (0, 1)], 1)
            bend = np.sin(np.pi * steps)[:, None] * self.random.normal(0, 0.12, 2)
            _draw(image, (fine + bend - low) * PX * 2, pen=max(round(self.pen * PX * 2), 2))
        return _cut(np.asarray(image.reduce(2), np.float32) / np.float32(255))


def _cut(ink: Floats) -> Floats:
    rows, columns = np.nonzero(ink.max(1) > 0.1)[0], np.nonzero(ink.max(0) > 0.1)[0]
    if not len(rows):
        return ink
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


@dataclass
class Sheet:
    """A picture in the making: darkness from 0 to 1."""

    dark: Floats

    def add(self, ink: Floats, *, left: float, top: float) -> None:
        """Ink over what is there; what is beyond the edge is cut off."""
        x, y = round(left), round(top)
        high, wide = self.dark.shape
        part = ink[max(-y, 0) : max(high - y, 0), max(-x, 0) : max(wide - x, 0)]
        if part.size:
            here = self.dark[max(y, 0) : max(y, 0) + part.shape[0], max(x, 0) : max(x, 0) + part.shape[1]]
            here += part * (1 - here)


@dataclass
class Box:
    picture: NDArray[np.uint8]
    text: str
    struck: bool
    signs: list[tuple[str, float, float]]  # from where to where across, in pixels


def random_text(random: Generator) -> str:
    kind = random.random()
    if kind < 0.12:
        return ""
    if kind < 0.18:
        return "x" if kind < 0.15 else "-"
    length = int(random.choice(5, p=(0.24, 0.26, 0.27, 0.15, 0.08))) + 1
    number = "".join(str(figure) for figure in random.integers(0, 10, length))
    if length > 1 and random.random() < 0.3:
        number = number[:-1] + "0"
    if length > 2 and random.random() < 0.12:
        number = number[:-2] + "00"
    return "-" * (random.random() < 0.12) + number


def make_box(hand: Hand, text: str) -> Box:
    random, hard = hand.random, hand.hard
    high = random.uniform(7.5, 14) if random.random() < 0.5 else random.uniform(7.5, 9.5)
    narrow = max(7.5, 3.3 * len(text))
    wide = random.uniform(narrow, 35 if random.random() < 0.5 else max(12, 5.5 * len(text)))
    sheet = Sheet(np.zeros((round((high + 2 * MARGIN) * PX), round((wide + 2 * MARGIN) * PX)), np.float32))
    _rule(sheet, random)
    grain = 1 - hand.grain * random.random(sheet.dark.shape, np.float32)
    ink = Sheet(np.zeros_like(sheet.dark))
    signs = _write(ink, hand, text, (wide, high))
    struck = any(sign.isdigit() for sign in text) and random.random() < 0.11
    if struck:
        _strike(ink, hand, signs)
    if random.random() < 0.3 * (0.4 + hard):
        _neighbours(ink, hand)
    if random.random() < 0.25 * (0.4 + hard):
        _dirt(ink, hand)
    sheet.add(ink.dark * grain * np.float32(hand.dark / 255), left=0, top=0)
    spans = [(sign, left, right) for sign, left, right, _, _ in signs]
    return Box(photograph(sheet.dark, random, hard), text, struck, spans)


def _rule(sheet: Sheet, random: Generator) -> None:
    level = random.uniform(0.4, 0.93)
    off = random.normal(0, 0.08, 2) * PX
    for axis in (0, 1):
        for at in (MARGIN * PX, sheet.dark.shape[axis] - MARGIN * PX):
            if random.random() < 0.06:
                continue
            thick = (0.4 if random.random() < 0.25 else 0.15) * PX
            shift = off[axis] + random.normal(0, 0.06) * PX
            along = np.arange(sheet.dark.shape[1 - axis])
            middle = at + shift + random.normal(0, 0.006) * (along - len(along) / 2)
            across = np.arange(sheet.dark.shape[axis]) + 0.5
            line = np.clip(thick / 2 + 0.5 - np.abs(across[:, None] - middle[None]), 0, min(1, thick)) * level
            line = line.astype(np.float32) if axis == 0 else line.T.astype(np.float32)
            np.maximum(sheet.dark, line, out=sheet.dark)


Sign = tuple[str, float, float, float, float]  # with left, right, top and bottom in pixels


def _write(ink: Sheet, hand: Hand, text: str, size: tuple[float, float]) -> list[Sign]:
    random, (wide, high) = hand.random, size
    room = wide + (0.5 if random.random() < 0.15 else -0.4)
    height = min(hand.height * random.normal(1, 0.06), high * random.uniform(0.8, 1.05))
    height = min(height, max((room / max(len(text), 1) - max(hand.gap, -0.3)) / (0.66 * hand.wide), 3.2))
    for _ in range(3):
        figures = [hand.figure(sign, height) for sign in text]
        least = [0.1 if before == "-" else -0.7 for before in " " + text[:-1]]
        gaps = [max(hand.gap + random.normal(0, 0.25), gap) * PX for gap in least][: len(text)]
        need = sum(figure.shape[1] for figure in figures) + sum(gaps[1:])
        if need <= room * PX or height < 3.1:
            break
        height = max(height * max(room * PX / need, 0.6) * 0.97, 3)
    if need > room * PX:
        gaps = [gap - (need - room * PX) / len(text) for gap in gaps]
        need = room * PX
    left = (MARGIN + random.uniform(-0.2, max(wide - need / PX, 0) + 0.2)) * PX
    if random.random() < 0.4:
        left = (MARGIN + wide / 2 + random.normal(0, 0.5)) * PX - need / 2
    left = max(min(left, (MARGIN + wide + 0.4) * PX - need), 0.4 * PX)
    tall = height * PX
    top = (MARGIN + (high - height) * random.uniform(0.1, 0.9) + random.normal(0, 0.15 + 0.25 * hand.hard)) * PX
    climb = random.normal(0, 0.04)
    signs: list[Sign] = []
    for sign, figure, gap in zip(text, figures, gaps, strict=True):
        left += gap if signs else 0
        low = top + tall - figure.shape[0] + random.normal(0, 0.03) * tall - climb * left
        if sign == "-":
            low -= tall * random.uniform(0.3, 0.6)
        elif sign == "x":
            low -= (tall - figure.shape[0]) / 2
        low = min(max(low, 2), ink.dark.shape[0] - figure.shape[0] - 2)
        if random.random() < 0.04 * hand.hard and sign.isdigit():  # first another figure, then this over it
            other = hand.figure(str(random.integers(10)), height)
            ink.add(other * random.uniform(0.45, 0.8), left=left + random.normal(0, 3), top=low + random.normal(0, 3))
            if random.random() < 0.6:
                figure = np.asarray(Image.fromarray(figure).filter(ImageFilter.MaxFilter(3)))
        ink.add(figure, left=left, top=low)
        signs.append((sign, left, left + figure.shape[1], low, low + figure.shape[0]))
        left += figure.shape[1]
    return signs


def _strike(ink: Sheet, hand: Hand, signs: Sequence[Sign]) -> None:
    random = hand.random
    left, right = min(sign[1] for sign in signs) / PX, max(sign[2] for sign in signs) / PX
    top, bottom = min(sign[3] for sign in signs) / PX, max(sign[4] for sign in signs) / PX
    tall = max(bottom - top, 2.5)
    middle = (top + bottom) / 2
    left, right = left - random.uniform(-0.2, 1.5), right + random.uniform(-0.2, 1.5)
    kind = random.random()
    if kind < 0.88:
        lines = []
        climb = tall * (random.normal(0, 0.25) if kind < 0.55 else random.choice((-1, 1)) * random.uniform(0.4, 0.55))
        for _ in range(1 + (random.random() < 0.3)):
            y = middle + random.normal(0, 0.12) * tall
            lines.append([(left, y + climb), ((left + right) / 2, y + random.normal(0, 0.2)), (right, y - climb)])
    else:
        many = int(random.integers(3, 3 + max(2, round((right - left) / 1.5))))
        xs = np.linspace(left, right, many)
        reach = tall * random.uniform(0.2, 0.5)
        lines = [[(float(x), middle + (reach if at % 2 else -reach)) for at, x in enumerate(xs)]]
    drawn = hand.line(*lines)
    y = np.min([point[1] for line in lines for point in line])
    ink.add(drawn, left=(left - hand.pen / 2) * PX, top=(y - hand.pen / 2) * PX)


def _neighbours(ink: Sheet, hand: Hand) -> None:
    """Figures of the boxes around that stick in at an edge."""
    random, (high, wide) = hand.random, ink.dark.shape
    for _ in range(int(random.integers(1, 3))):
        figure = hand.figure(str(random.integers(10)), hand.height)
        inside = (MARGIN + min(abs(random.normal(0, 0.5 * hand.hard)), 1.5) - 0.3) * PX  # of the picture
        side = random.random()
        if side < 0.4:  # from the left or the right
            left = inside - figure.shape[1] if side < 0.2 else wide - inside
            ink.add(figure, left=left, top=random.uniform(0, max(high - figure.shape[0], 1)))
        else:
            top = inside - figure.shape[0] if side < 0.7 else high - inside
            ink.add(figure, left=random.uniform(0, max(wide - figure.shape[1], 1)), top=top)


def _dirt(ink: Sheet, hand: Hand) -> None:
    random, (high, wide) = hand.random, ink.dark.shape
    for _ in range(int(random.integers(1, 3))):
        size = random.uniform(0.15, 0.5) * PX
        ys, xs = np.mgrid[:7, :7]
        dot = np.clip(size / 2 + 0.5 - np.hypot(ys - 3, xs - 3), 0, 1).astype(np.float32) * random.uniform(0.3, 1)
        ink.add(dot, left=random.uniform(0, wide), top=random.uniform(0, high))


def photograph(dark: Floats, random: Generator, hard: float) -> NDArray[np.uint8]:
    paper = 241 if random.random() < 0.15 else random.uniform(248, 255)
    high, wide = dark.shape
    light = 1 + random.normal(0, 0.015 + 0.02 * hard) * np.linspace(-1, 1, wide, dtype=np.float32)[None]
    light = light + random.normal(0, 0.015 + 0.02 * hard) * np.linspace(-1, 1, high, dtype=np.float32)[:, None]
    image = Image.fromarray(np.clip(paper * (1 - dark) * light, 0, 255).astype(np.uint8))
    image = image.filter(ImageFilter.GaussianBlur(random.uniform(0.3, 1 + 1.3 * hard)))
    scale = random.uniform(0.5, 1)
    small = image.resize((max(round(wide * scale), 8), max(round(high * scale), 8)), Image.Resampling.BILINEAR)
    noisy = np.asarray(small, np.float32) + random.normal(0, random.uniform(0, 2 + 5 * hard), small.size[::-1])
    stored = BytesIO()
    Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)).save(stored, "JPEG", quality=int(random.integers(50, 96)))
    return np.asarray(Image.open(stored).resize((wide, high), Image.Resampling.BICUBIC))


def make_random_box(random: Generator, figures: Glyphs, *, hard: float = 0.5, coarsely: float = 0) -> Box:
    return make_box(Hand(random, figures, hard, coarsely), random_text(random))
