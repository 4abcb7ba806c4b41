"""Finds the codes on a photo, and straightens a card by its code and its ruled lines.

Imports nothing of Django, since photos are read in a process of their own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import segno
import zxingcpp
from numpy.typing import NDArray

from tournaments.photos.ink import MARGIN, PX

DARK = 60  # of 255: a photo with hardly anything brighter is too dark
BLURRED = 0.32  # of the contrast: a blurred photo changes by less within four pixels
SHARPENED = 4.0  # how much of the difference from the surroundings is added

Gray = NDArray[np.uint8]
Floats = NDArray[np.floating[Any]]
Line = tuple[float, float, float, float]
"""A ruled line in millimetres: its x or y, its start and end along it, its weight."""
Box = tuple[float, float, float, float]
"""Left, top, width and height; millimetres."""


@dataclass(frozen=True, slots=True)
class CardPlan:
    """Where everything is on a printed card, in millimetres from its top left corner."""

    width: float
    height: float
    code: tuple[float, float, float]  # left, top and size of the QR code
    across: tuple[Line, ...]  # lines from left to right, by y
    down: tuple[Line, ...]  # lines from top to bottom, by x
    boxes: tuple[tuple[Box, ...], ...]  # by column over all sides, then row


# --- Codes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code on a photo: what it says, and its corners in pixels, clockwise from its own top left one."""

    text: str
    corners: tuple[tuple[float, float], ...]


def find_codes(picture: Gray) -> list[Code]:
    """The QR codes on a photo; if there are none, its parts are searched again, enlarged and sharpened."""
    codes = _read_codes(picture)
    if not codes:
        height, width = picture.shape
        for top in (0, height // 3, height // 2):
            for left in (0, width // 3, width // 2):
                part = picture[top : top + height // 2, left : left + width // 2]
                codes += _read_codes(_sharpen(part).repeat(2, 0).repeat(2, 1), at=(left, top), times=2)
    return list({code.text: code for code in codes}.values())


def _sharpen(picture: Gray) -> Gray:
    around = picture.astype(np.float32)
    for axis in (0, 1):  # blurred
        around = np.mean([np.roll(around, shift, axis) for shift in (-3, -1, 0, 1, 3)], axis=0)
    return np.clip(picture + SHARPENED * (picture - around), 0, 255).astype(np.uint8)


def _read_codes(picture: Gray, *, at: tuple[int, int] = (0, 0), times: int = 1) -> list[Code]:
    kinds = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    codes = [(qr.text, qr.position) for qr in zxingcpp.read_barcodes(np.ascontiguousarray(picture), formats=kinds)]
    around = [(text, (c.top_left, c.top_right, c.bottom_right, c.bottom_left)) for text, c in codes]
    return [Code(text, tuple((at[0] + c.x / times, at[1] + c.y / times) for c in corners)) for text, corners in around]


def find_fault(picture: Gray) -> str:
    """What is wrong with a photo: "dark", "blurred", or "" for neither."""
    small = picture[: picture.shape[0] // 4 * 4, : picture.shape[1] // 4 * 4]
    small = small[::2, ::2] // 4 + small[1::2, ::2] // 4 + small[::2, 1::2] // 4 + small[1::2, 1::2] // 4
    darkest, brightest = np.percentile(small[::4, ::4], (1, 99))
    if brightest < DARK:
        return "dark"
    steepest = np.percentile(np.abs(small[:, 2:].astype(np.int16) - small[:, :-2]), 99.7)
    return "blurred" if steepest < BLURRED * (brightest - darkest) else ""


# --- From a card to its photo ----------------------------------------------------------------------------------------

UNIT = 100.0  # millimetres: the unit of lengths on a card, measured from the middle of its code
TILT = 0.15  # usual tilt: how much nearer a point is after one UNIT
BEND = np.array([0.8] * 6 + [0.35] * 8) / UNIT  # usual bend of a sheet: quadratic terms, cubic ones
USUAL = np.diag(np.concatenate([np.zeros(6), [1 / TILT**2] * 2, 1 / BEND**2]))


@dataclass(slots=True)
class Mapping:
    """Maps millimetres on a card to pixels of its photo: a bend of the sheet, then the perspective."""

    middle: Floats  # of the code, in millimetres
    numbers: Floats  # 8 of the perspective, 14 of the bend

    def __call__(self, points: Floats) -> Floats:
        return self.slopes(points)[0]

    def slopes(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        """Points on the photo, and their derivatives by the points (n x 2 x 2) and by the numbers (n x 2 x 22)."""
        view, bend = self.numbers[:8], self.numbers[8:].reshape(7, 2)
        x, y = flat = ((points - self.middle) / UNIT).T
        powers = np.stack([x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], -1)
        bent = np.column_stack([flat.T + powers @ bend, np.ones(len(points))])
        depth = (bent @ [*view[6:], 1])[:, None, None]
        on_photo = bent @ view[:6].reshape(2, 3).T / depth[:, 0]
        by_place = (view[:6].reshape(2, 3)[:, :2] - on_photo[:, :, None] * view[6:]) / depth
        by_view = np.zeros((len(points), 2, 8))
        by_view[:, 0, :3] = by_view[:, 1, 3:6] = bent
        by_view[:, :, 6:] = -on_photo[:, :, None] * bent[:, None, :2]
        by_bend = (by_place[:, :, None] * powers[:, None, :, None]).reshape(-1, 2, 14)
        return on_photo, by_place / UNIT, np.concatenate([by_view / depth, by_bend], 2)


@dataclass(slots=True)
class Known:
    """An estimate of a mapping's numbers, and its precision matrix."""

    numbers: Floats
    precision: Floats  # 22 x 22


# --- Lines and edges, and where they are on the photo ----------------------------------------------------------------

NEAR, FAR = 1.4, 4.0  # millimetres: pieces are looked for once their estimated error is less than NEAR, then FAR
REACH = 3.0  # millimetres: ... and no farther than this from where they should be
LOOK = 1.4  # millimetres on both sides of a line that are compared
SEEN = 0.55  # least correlation of a piece with the photo


@dataclass(frozen=True, slots=True)
class Pieces:
    """Short pieces of lines and edges at known places of a card."""

    places: Floats  # n x 2, millimetres
    down: NDArray[np.bool_]  # whether a piece's line goes from top to bottom
    looks: Floats  # n x offsets: expected darkness across each, minus the mean, as vectors of length 1
    across: Floats  # offsets across the piece that are compared ...
    along: Floats  # ... at each of these places along it
    trust: float  # millimetres: standard error of one piece

    def select(self, which: NDArray[Any]) -> "Pieces":
        return replace(self, places=self.places[which], down=self.down[which], looks=self.looks[which])

    def locate(self, mapping: Mapping) -> tuple[Floats, Floats, Floats, Floats]:
        """For each piece its place on the photo, a millimetre along and across it there; and the derivatives of the
        millimetres across it by the mapping's numbers and by x and y on the photo (n x 24)."""
        at, by_place, by_numbers = mapping.slopes(self.places)
        down = self.down[:, None]
        along, across = (np.where(down, by_place[:, :, one], by_place[:, :, 1 - one]) for one in (1, 0))
        normal = np.stack([-along[:, 1], along[:, 0]], -1)
        normal /= (normal * across).sum(1, keepdims=True)
        return at, along, across, np.column_stack([(by_numbers * normal[:, :, None]).sum(1), normal])


def _make_pieces(pieces: list[tuple[float, float, bool, Floats]], **fields: Any) -> Pieces:
    """`pieces`: place across and along, whether it goes down, the look across it."""
    places = np.array([(at, along) if down else (along, at) for at, along, down, _look in pieces])
    even = np.array([look - look.mean() for *_place, look in pieces])
    even /= np.linalg.norm(even, axis=1, keepdims=True)
    return Pieces(places, np.array([down for _at, _along, down, _look in pieces]), even, **fields)


def _steps(far: float, step: float) -> Floats:
    return (np.arange(-round(far / step), round(far / step) + 1) * step).astype(np.float32)


@cache
def line_pieces(plan: CardPlan, spacing: float) -> Pieces:
    pieces, offsets = [], _steps(LOOK, 0.1)
    for lines, down in ((plan.across, False), (plan.down, True)):
        for at, start, end, _weight in lines:
            count = max(round((end - start) / spacing), 1)
            for along in start + (np.arange(count) + 0.5) * (end - start) / count:
                beside = [(other - at, w) for other, begin, stop, w in lines if begin <= along <= stop]
                look = np.sum([w * np.exp(-(((offsets - other) / 0.22) ** 2) / 2) for other, w in beside], axis=0)
                pieces.append((at, along, down, look))
    return _make_pieces(pieces, across=_steps(LOOK + REACH, 0.1), along=_steps(2, 1), trust=0.12)


@cache
def code_pieces(text: str, size: float) -> Pieces:
    """The edges between dark and light in a QR code of `size` millimetres, from its middle."""
    dark = np.pad(np.array(segno.make(text, micro=False, error="m").matrix, float), 4)
    pieces, offsets, module, middles = [], _steps(1.0, 0.05), size / (len(dark) - 8), np.arange(len(dark))
    for cells, down in ((dark, True), (dark.T, False)):
        for row, column in np.argwhere(np.diff(cells, axis=1) != 0):
            look = np.interp(column + 0.5 + offsets / module, middles, cells[row])
            pieces.append(((column - 3) * module - size / 2, (row - 3.5) * module - size / 2, down, look))
    return _make_pieces(pieces, across=_steps(1.4, 0.05), along=_steps(0.12, 0.12), trust=0.3)


@dataclass(slots=True)
class Sight:
    """The pieces found, their places on the photo, and their share of those looked for."""

    pieces: Pieces
    targets: Floats
    share: float


def _find_pieces(picture: Gray, mapping: Mapping, *, pieces: Pieces, reach: Any) -> Sight:
    """Look for pieces, each within its `reach` of where it should be."""
    at, along, across, _normal = (part.astype(np.float32)[:, None, None] for part in pieces.locate(mapping))
    spots = at + along * pieces.along[:, None, None] + across * pieces.across[:, None]
    seen, size = -_sample(picture, spots).mean(1), pieces.looks.shape[1]
    windows = np.lib.stride_tricks.sliding_window_view(seen, size, axis=1)
    strength = np.sqrt(size) * windows.std(2)
    alike = np.einsum("nsc,nc->ns", windows, pieces.looks, optimize=True) / (strength + 3.0)
    shifts = pieces.across[size // 2 : -(size // 2)]
    alike = np.where(np.abs(shifts) > np.reshape(reach, (-1, 1)) + 1e-6, -1, alike)
    best, rows = np.clip(alike.argmax(1), 1, len(shifts) - 2), np.arange(len(alike))
    before, peak, after = alike[rows, best - 1], alike[rows, best], alike[rows, best + 1]
    finer = np.clip((before - after) / (2 * np.minimum(before - 2 * peak + after, -1e-9)), -0.5, 0.5)
    off = shifts[best] + np.where((before > -1) & (after > -1), finer, 0) * (shifts[1] - shifts[0])
    good = peak > SEEN
    return Sight(pieces.select(good), (at[:, 0, 0] + across[:, 0, 0] * off[:, None])[good], float(np.mean(good)))


def _refine(mapping: Mapping, sight: Sight, *, known: Known) -> tuple[Mapping, Known]:
    """The mapping after taking the pieces found into account, and the estimate for it."""
    for _step in range(3):
        at, _along, _across, lines = sight.pieces.locate(mapping)
        off, lines = ((sight.targets - at) * lines[:, 22:]).sum(1), lines[:, :22]
        weights = 1 / (sight.pieces.trust * (1 + (off / (2 * sight.pieces.trust)) ** 2)) ** 2
        precision = known.precision + (lines * weights[:, None]).T @ lines
        pull = known.precision @ (known.numbers - mapping.numbers) + lines.T @ (weights * off)
        mapping = Mapping(mapping.middle, mapping.numbers + np.linalg.solve(precision, pull))
    return mapping, Known(mapping.numbers, precision)


# --- Straightening ---------------------------------------------------------------------------------------------------

MISSED, SURE = 0.6, 0.93  # share of a plan's pieces found: with less the plan is wrong, with more no other is tried
COARSE, FINE = 9.0, 5.0  # millimetres of a piece of a line, while plans are tried, and in the end


@dataclass(slots=True)
class StraightCard:
    plan: CardPlan
    mapping: Mapping
    cut: bool  # whether a box is partly outside of the photo
    card: Gray  # PX per millimetre, the paper about 255 everywhere; with MARGIN around the card

    def box(self, column: int, row: int) -> Gray:
        left, top, width, height = self.plan.boxes[column][row]
        x, y = round(left * PX), round(top * PX)
        more = round(2 * MARGIN * PX)
        return self.card[y : y + round(height * PX) + more, x : x + round(width * PX) + more]


def straighten(picture: Gray, code: Code, *, plans: Sequence[CardPlan]) -> StraightCard | None:
    """The card with this code, by the plan that fits best; None if none does."""
    picture = np.ascontiguousarray(picture)
    known = _map_code(picture, code, size=plans[0].code[2]) if plans else None
    if known is None:
        return None
    fits = list[tuple[float, CardPlan, Mapping]]()
    for plan in plans:
        fits.append(_fit_plan(picture, plan, known=known))
        if fits[-1][0] > SURE:
            break
    share, plan, mapping = max(fits, key=lambda fit: fit[0])
    if share < MISSED:
        return None
    for reach in (1.0, 0.3):
        sight = _find_pieces(picture, mapping, pieces=line_pieces(plan, FINE), reach=reach)
        mapping, _then = _refine(mapping, sight, known=known)
    boxes = np.array([box for column in plan.boxes for box in column])
    cut = not _is_inside(mapping(np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])), picture.shape).all()
    return StraightCard(plan, mapping, cut, _even_out(_unwarp(picture, mapping, plan=plan)))


def _map_code(picture: Gray, code: Code, *, size: float) -> Known | None:
    """The perspective by the code's corners, then by all its edges, as if its middle were the card's."""
    half, rows = size / 2 / UNIT, []
    square = [(-half, -half), (half, -half), (half, half), (-half, half)]
    for (x, y), (px, py) in zip(square, code.corners, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -px * x, -px * y], [0, 0, 0, x, y, 1, -py * x, -py * y]]
    view = np.linalg.solve(np.array(rows), np.array(code.corners).reshape(8))
    mapping, pieces = Mapping(np.zeros(2), np.concatenate([view, np.zeros(14)])), code_pieces(code.text, size)
    for reach in (0.4, 0.3, 0.15):
        sight = _find_pieces(picture, mapping, pieces=pieces, reach=reach)
        if sight.share < 0.5:
            return None
        mapping, known = _refine(mapping, sight, known=Known(np.zeros(22), USUAL))
    return known


def _fit_plan(picture: Gray, plan: CardPlan, *, known: Known) -> tuple[float, CardPlan, Mapping]:
    """Look for a plan's lines from the code outwards: each piece once its error is less than NEAR, then FAR. Returns
    the share of pieces found, 0 if it can't be this plan."""
    pieces, reached, limit, now = line_pieces(plan, COARSE), 0, NEAR, known
    mapping = Mapping(np.array(plan.code[:2]) + plan.code[2] / 2, known.numbers)
    for _turn in range(14):
        at, _along, _across, lines = pieces.locate(mapping)
        lines = lines[:, :22]
        spread = 3 * np.sqrt(np.maximum(((lines @ np.linalg.inv(now.precision)) * lines).sum(1), 0))
        near = np.flatnonzero((spread < limit) & _is_inside(at, picture.shape))
        sight = _find_pieces(picture, mapping, pieces=pieces.select(near), reach=np.clip(2 * spread[near], 1, REACH))
        if not len(near) or (len(near) > 60 and sight.share < 0.5):
            return 0.0, plan, mapping
        mapping, now = _refine(mapping, sight, known=known)
        if len(near) <= reached * 1.01:
            if limit == FAR:
                break
            limit = FAR
        reached = len(near)
    return len(sight.targets) / len(pieces.places), plan, mapping


def _is_inside(points: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    x, y = points.T
    within: NDArray[np.bool_] = (x > 1) & (y > 1) & (x < shape[1] - 2) & (y < shape[0] - 2)
    return within


def _sample(picture: Gray, spots: Floats) -> NDArray[np.float32]:
    """The picture's brightness between its pixels; outside of it that of its edge."""
    height, width = picture.shape
    x, y = np.clip(spots[..., 0], 0, width - 1.01), np.clip(spots[..., 1], 0, height - 1.01)
    column, row = np.floor(x), np.floor(y)
    x, y = (x - column).astype(np.float32), (y - row).astype(np.float32)
    start, flat = row.astype(np.int32) * width + column.astype(np.int32), picture.reshape(-1)
    above = flat[start] * (1 - x) + flat[start + 1] * x
    below = flat[start + width] * (1 - x) + flat[start + width + 1] * x
    brightness: NDArray[np.float32] = above * (1 - y) + below * y
    return brightness


KNOT = 16  # pixels of a straightened card between places that are mapped exactly
PATCH = 32  # pixels of a patch of paper whose brightness is taken


def _unwarp(picture: Gray, mapping: Mapping, *, plan: CardPlan) -> NDArray[np.float32]:
    """The card as in `StraightCard.card`, with the photo's brightness."""
    height, width = (round((size + 2 * MARGIN) * PX) for size in (plan.height, plan.width))
    rows, columns = np.arange(0, height + KNOT, KNOT), np.arange(0, width + KNOT, KNOT)
    knots = mapping(np.stack(np.meshgrid(columns, rows), -1).reshape(-1, 2) / PX + (0.5 / PX - MARGIN))
    coarse = knots.reshape(len(rows), len(columns), 2).astype(np.float32)
    wide = np.stack([coarse[:, :, n] @ _interpolation(width, len(columns), knot=KNOT).T for n in (0, 1)], -1)
    part = np.arange(KNOT, dtype=np.float32)[:, None, None] / KNOT
    strips = [_sample(picture, above + part * (below - above)) for above, below in pairwise(wide)]
    return np.concatenate(strips)[:height]


def _interpolation(size: int, knots: int, *, knot: int, first: float = 0) -> Floats:
    """size x knots: the weight of each knot for each pixel, linear between two knots."""
    places = (np.arange(size) - first) / knot
    return np.stack([np.interp(places, np.arange(knots), unit) for unit in np.eye(knots)], -1).astype(np.float32)


def _even_out(card: NDArray[np.float32]) -> Gray:
    """Make the paper about 255 everywhere by dividing by the brightness around."""
    height, width = card.shape
    rows, columns = height // PATCH, width // PATCH
    patches = card[: rows * PATCH, : columns * PATCH].reshape(rows, PATCH, columns, PATCH).swapaxes(1, 2)
    light = np.percentile(patches[:, :, ::2, ::2].reshape(rows, columns, -1), 85, axis=2)
    around = np.pad(light, 1, mode="edge")
    light = np.median([around[y : y + rows, x : x + columns] for y in range(3) for x in range(3)], axis=0)
    down, across = (
        _interpolation(n, k, knot=PATCH, first=(PATCH - 1) / 2) for n, k in ((height, rows), (width, columns))
    )
    return np.clip(card * (250 / np.maximum(down @ light @ across.T, 20)), 0, 255).astype(np.uint8)
