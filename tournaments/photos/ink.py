"""Reads handwriting in a box of a card: a small network, run in numpy with weights trained by `lab/digits`.

Ruled lines are removed, the writing is scaled to one height, and convolutions give the probability of each sign for
each column of four pixels; CTC adds up all ways in which the columns can spell a text."""

from collections.abc import Iterable, Sequence
from functools import cache
from math import exp, log
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

PX = 8  # pixels per millimetre of a straightened card
MARGIN = 0.8  # millimetres around a box that its picture has too: figures cross the ruling

SIGNS = "0123456789-x"  # x: a cross or a tick
BLANK = len(SIGNS)  # output: no sign ends here
STRUCK = BLANK + 1  # output: a line is drawn through

HEIGHT, MOST_WIDTH, COLUMN = 32, 112, 4  # of what the network sees, in its pixels
BATCH = 4  # boxes in the network at once: more don't fit a processor's cache

Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]
Pixel = TypeVar("Pixel", np.float32, np.uint8)


class BoxImage(NamedTuple):
    ink: Floats  # 2 x HEIGHT x width, from 0 to 1: without and with the ruled lines
    left: float  # of its first pixel, in pixels of the original picture
    step: float  # pixels of the original picture per pixel here, horizontally


def prepare_box(picture: Picture) -> BoxImage:
    """The writing with full contrast and at one height."""
    edge = round(MARGIN * PX)
    dark = 1 - picture.astype(np.float32) / 255
    inside = dark[edge + 4 : -edge - 4, edge + 4 : -edge - 4]
    paper, ink = np.percentile(inside, (30, 99.6))
    dark = np.clip((dark - paper - 0.03) / max(ink - paper - 0.03, 0.14), 0, 1)
    clean = _remove_lines(_remove_lines(dark, edge + 5).T, edge + 5).T
    clean = _remove_strangers(clean, edge)
    mass = np.where(clean > 0.35, clean, 0)
    mass[: edge - 2], mass[-edge + 2 :], mass[:, :edge], mass[:, -edge:] = 0, 0, 0, 0
    if mass.sum() < 6:  # a dot
        top, bottom = 0.0, float(len(dark))
        left, right, width = 0.0, float(dark.shape[1]), HEIGHT
    else:
        top, bottom = _extent(mass.sum(1), 0.015)
        left, right = _extent(mass.sum(0), 0.004)
        middle, half = (top + bottom) / 2, max(0.62 * (bottom - top), 1.9 * PX)
        top, bottom = middle - half, middle + half
        step = 2 * half / HEIGHT
        left, right = left - 4 * step, right + 4 * step
        width = min(8 * -int(-(right - left) // (8 * step)), MOST_WIDTH)
        if width < MOST_WIDTH:
            left, right = (left + right - width * step) / 2, (left + right + width * step) / 2
    down = _resampling_matrix(len(dark), (top, bottom), into=HEIGHT)
    across = _resampling_matrix(dark.shape[1], (left, right), into=width)
    return BoxImage(np.clip(down @ np.stack((clean, dark)) @ across.T, 0, 1), left, (right - left) / width)


def _remove_lines(dark: Floats, band: int) -> Floats:
    """Remove lines of 3 mm or more near the upper and lower edge, but not strokes that cross them."""
    edges = np.concatenate((dark[:band], dark[-band:]))
    light = edges
    for shift in (1, 2, 4, 8, 9):  # the lightest of 25 pixels in a row ...
        light = np.minimum(light[:, :-shift], light[:, shift:])
    line = np.zeros((2 * band, dark.shape[1] + 24), np.float32)
    line[:, 24:-24] = light
    for shift in (1, 2, 4, 8, 9):  # ... and the darkest of what these are
        line = np.maximum(line[:, :-shift], line[:, shift:])
    edges = np.maximum(edges - 1.15 * line, 0)
    clean = np.concatenate((edges[:band], dark[band:-band], edges[band:]))
    crossing = np.zeros_like(dark)
    np.minimum(clean[:-8], clean[8:], out=crossing[4:-4])
    return np.where(clean < dark, np.maximum(clean, np.minimum(crossing, dark)), clean)


def _remove_strangers(clean: Floats, edge: int) -> Floats:
    """Remove specks, and what reaches in from neighbouring boxes. Parts are half a millimetre apart."""
    cell = PX // 2
    high, wide = (-(-size // cell) for size in clean.shape)
    mass = np.zeros((high * cell, wide * cell), np.float32)
    mass[: clean.shape[0], : clean.shape[1]] = np.where(clean > 0.3, clean, 0)
    core = np.zeros_like(mass)
    middle = slice(edge + cell, -edge - cell)
    core[: clean.shape[0], : clean.shape[1]][middle, middle] = mass[: clean.shape[0], : clean.shape[1]][middle, middle]
    cells, inner = (area.reshape(high, cell, wide, cell).sum((1, 3)) for area in (mass, core))
    waiting = {(int(row), int(column)) for row, column in zip(*np.nonzero(cells > 0.8), strict=True)}
    cleaner = clean.copy()
    while waiting:
        part = [waiting.pop()]
        for row, column in part:
            near = {(row + down, column + across) for down in (-1, 0, 1) for across in (-1, 0, 1)} & waiting
            waiting -= near
            part += near
        rows, columns = np.array(part).T
        total = cells[rows, columns].sum()
        speck = total < 9 and max(np.ptp(rows), np.ptp(columns)) < 2
        if speck or inner[rows, columns].sum() < 0.3 * total:
            for row, column in part:
                cleaner[row * cell : (row + 1) * cell, column * cell : (column + 1) * cell] = 0
    return cleaner


def _extent(mass: Floats, share: float) -> tuple[float, float]:
    """Start and end of the mass, without a small `share` at each end."""
    total = np.cumsum(mass) / mass.sum()
    return float(np.searchsorted(total, share)), float(np.searchsorted(total, 1 - share)) + 1


def _resampling_matrix(size: int, part: tuple[float, float], *, into: int) -> Floats:
    """Turns part of a row of pixels `into` this many; zero beyond the row."""
    step = (part[1] - part[0]) / into
    centres = part[0] + (np.arange(into) + 0.5) * step - 0.5
    reach = max(step, 1)
    weights = np.maximum(0, 1 - np.abs(np.arange(size)[None] - centres[:, None]) / reach) / reach
    return weights.astype(np.float32)


class Layer(NamedTuple):
    """A convolution with its batch norm folded in, followed by ReLU except for the last."""

    channels: int
    kernel: tuple[int, int]
    stride: tuple[int, int] = (1, 1)
    keeps: bool = False  # its input is added to the output of ...
    adds: bool = False  # ... the layer with this

    @property
    def padding(self) -> tuple[int, int]:
        high, wide = self.kernel
        return (high // 2 if high % 2 else 0), wide // 2


def _block(channels: int) -> tuple[Layer, Layer]:
    return Layer(channels, (3, 3), keeps=True), Layer(channels, (3, 3), adds=True)


LAYERS = (
    Layer(32, (5, 5), (2, 2)),
    *_block(32),
    Layer(64, (3, 3), (2, 2)),
    *_block(64),
    Layer(80, (3, 3), (2, 1)),
    *_block(80),
    Layer(96, (4, 1)),  # from here on one row
    Layer(96, (1, 3)),
    Layer(STRUCK + 1, (1, 1)),
)


@cache
def _weights() -> list[tuple[Floats, Floats]]:
    """For each layer a matrix (kernel and channels in x channels out) and the bias of each channel."""
    with np.load(Path(__file__).with_name("ink.npz")) as stored:
        return [
            (
                stored[f"weights{at}"].astype(np.float32) * stored[f"scale{at}"].astype(np.float32),
                stored[f"bias{at}"].astype(np.float32),
            )
            for at in range(len(LAYERS))
        ]


def run_network(inks: Floats) -> Floats:
    """The outputs for boxes of one width: boxes x columns x (signs, blank, struck)."""
    now = kept = inks.transpose(0, 2, 3, 1)
    for layer, (weights, bias) in zip(LAYERS, _weights(), strict=True):
        (high, wide), (down, across), (above, beside) = layer.kernel, layer.stride, layer.padding
        kept = now if layer.keeps else kept
        boxes, rows, columns, channels = now.shape
        padded = np.zeros((boxes, rows + 2 * above, columns + 2 * beside, channels), np.float32)
        padded[:, above : above + rows, beside : beside + columns] = now
        rows, columns = (rows + 2 * above - high) // down + 1, (columns + 2 * beside - wide) // across + 1
        patches = np.empty((boxes, rows, columns, high * wide, channels), np.float32)
        for at in range(high * wide):
            y, x = divmod(at, wide)
            patches[:, :, :, at] = padded[:, y : y + rows * down : down, x : x + columns * across : across]
        now = patches.reshape(boxes, rows, columns, -1) @ weights + bias
        if layer.adds:
            now += kept
        if layer is not LAYERS[-1]:
            np.maximum(now, 0, out=now)
    return now[:, 0]


class Ink:
    def __init__(self, columns: Floats) -> None:
        signs = columns[:, :STRUCK].astype(np.float64)
        signs -= signs.max(1, keepdims=True)
        self._chances = np.exp(signs)
        self._chances /= self._chances.sum(1, keepdims=True)
        self.struck = 1 / (1 + exp(-float(columns[:, STRUCK].max())))

    @property
    def blank(self) -> float:
        """Probability that nothing is written."""
        return exp(self.log_probability(""))

    def log_probability(self, text: str) -> float:
        """Natural logarithm; -inf for signs that can't be in a box."""
        if not set(text) <= set(SIGNS):
            return -np.inf
        path = [BLANK]
        for sign in text:
            path += [SIGNS.index(sign), BLANK]
        skips = np.array([at > 1 and path[at] not in (BLANK, path[at - 2]) for at in range(len(path))])
        at = np.zeros(len(path) + 2)  # the first two are never reached
        at[2] = 1
        for chances in self._chances[:, path]:
            at[2:] = (at[2:] + at[1:-1] + at[:-2] * skips) * chances
        total = at[-1] + (at[-2] if text else 0)
        return log(total) if total > 0 else -np.inf

    def best(self, n: int = 5) -> list[tuple[str, float]]:
        """The likeliest texts with the logarithms of their probabilities, best first, "" among them if n > 1."""
        readings = sorted(
            ((text, self.log_probability(text)) for text in self._candidates(2 * n)), key=lambda reading: -reading[1]
        )
        if n == 1 or any(not text for text, _ in readings[:n]):
            return readings[:n]
        return [*readings[: n - 1], ("", self.log_probability(""))]

    def _candidates(self, most: int) -> Iterable[str]:
        """Likely texts, by a beam search over the columns that keeps `most` beginnings."""
        beginnings = {"": (1.0, 0.0)}  # a text's beginning: probability with a blank last, and with its last sign
        for chances in self._chances.tolist():
            extended = {text: ((blank + sign) * chances[BLANK], 0.0) for text, (blank, sign) in beginnings.items()}
            for sign, chance in zip(SIGNS, chances, strict=False):
                if chance < 1e-4:
                    continue
                for text, (after_blank, after_sign) in beginnings.items():
                    weight = after_blank + after_sign
                    if text.endswith(sign):
                        extended[text] = (extended[text][0], extended[text][1] + after_sign * chance)
                        weight = after_blank
                    before = extended.get(text + sign, (0.0, 0.0))
                    extended[text + sign] = (before[0], before[1] + weight * chance)
            likely = sorted(extended, key=lambda text: -sum(extended[text]))[:most]
            least = sum(extended[likely[0]]) * 1e-6
            beginnings = {text: extended[text] for text in likely if sum(extended[text]) >= least}
        return beginnings


def read_boxes(pictures: Sequence[Picture]) -> list[Ink]:
    """Read gray pictures of boxes: PX per millimetre, the paper about 255, MARGIN around the box."""
    boxes = [prepare_box(picture).ink for picture in pictures]
    order = sorted(range(len(boxes)), key=lambda at: boxes[at].shape[2])
    inks: dict[int, Ink] = {}
    for start in range(0, len(order), BATCH):
        some = order[start : start + BATCH]
        judged = run_network(stack_boxes([boxes[at] for at in some]))
        inks |= {at: Ink(columns) for at, columns in zip(some, judged, strict=True)}
    return [inks[at] for at in range(len(boxes))]


def stack_boxes(boxes: Sequence[NDArray[Pixel]]) -> NDArray[Pixel]:
    """Boxes in one array, padded to the widest."""
    width = max(box.shape[2] for box in boxes)
    return np.stack([np.pad(box, ((0, 0), (0, 0), (0, width - box.shape[2]))) for box in boxes])
