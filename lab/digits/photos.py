"""Composed photos of filled-in cards: real, legal games, printed by the product itself, written with digits of people
on whom nothing was trained, and photographed on a table: from the side, bent, in shadow, out of focus, held by a thumb.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from clubsite.accounts.models import Actor, Club
from clubsite.pdf.documents import render_now
from lab.digits.made_up import WrittenLine, write_game, written_boxes
from lab.simulation.people import PARISH
from scoring.cards.queries import Card, cards_of
from scoring.engine.core.ruleset import RuleSet, Shape, shipped
from tournaments.documents.card_grid import CardLayout, Imposition
from tournaments.documents.cards import PrintedCard, card_pages, lay_out_cards, printed_cards
from tournaments.draws.making import DrawOptions, make_draw
from tournaments.events.actions import EventFacts, GameChoice, create_event
from tournaments.events.state import night_stage
from tournaments.models import Event
from tournaments.photos.paper import CardPlan
from tournaments.photos.plans import card_plan
from tournaments.rounds.attendance import arrive
from tournaments.rounds.publishing import publish_draw

GAMES = ("hand-and-foot", "st-hilary-v3", "points-only", "euchre-by-tricks", "spades", "cribbage-by-deal")
NIGHTS = 3  # of each game, with three tables
SITE = "http://192.168.1.20:8000/"
SLIPS = 0.01  # of the running totals are wrong by a slip of the scorer
PX = 13  # pixels per millimetre of a printed sheet
BY = Actor(user=None, name="A scorer", route="simulated")

Points = NDArray[np.floating[Any]]  # n x 2


# --- Games and their printed cards -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Filled:
    """The card of a game that is played: as printed, without deals, and what its scorer writes."""

    sheet: PrintedCard
    card: Card
    rule_set: RuleSet
    lines: list[WrittenLine]

    def written(self) -> Iterator[tuple[tuple[int, int], str, bool]]:
        """Column and row of each box with something in it, the text, and whether it is crossed out."""
        return ((place, text, struck) for place, text, struck in written_boxes(self.card, self.lines) if text)


@cache
def play_night(slug: str, night: int) -> list[Filled]:
    """The cards of three tables' games, whose draw is published in this process's own database."""
    rng, rule_set = Random(f"{slug} {night}"), shipped()[slug]
    when = datetime(2026, 11, 6 + night, 19, tzinfo=ZoneInfo("UTC"))
    facts = EventFacts(f"Evening {night} of {slug}", GameChoice(slug, rule_set, None), Shape(2, 2), when)
    event = create_event(club=Club.objects.get(), by=BY, format=Event.Format.ROTATION, facts=facts)
    for name in rng.sample(PARISH, 12):
        arrive(event=event, by=BY, name=name)
    options = DrawOptions(planned=3, seed=night)
    draw = publish_draw(draw=make_draw(stage=night_stage(event), by=BY, options=options), by=BY)
    games = [row.game for group in draw.groups for row in group.games.all()]
    cards = {card.game.pk: card for card in cards_of(games)}
    lines = [write_game(cards[game.pk], rng, slips=SLIPS, deals=rng.randint(4, 14)) for game in games]
    sheets = zip(printed_cards(draw, site=SITE), games, lines, strict=True)
    return [Filled(sheet, cards[game.pk], rule_set, own) for sheet, game, own in sheets]


@cache
def print_cards(slug: str, night: int, *, paper: str, on: int) -> tuple[list[Image.Image], Imposition, CardPlan]:
    """The sheets of a night's cards as pictures, as they come out of the printer."""
    filled = play_night(slug, night)
    sheets, rule_set = [one.sheet for one in filled], filled[0].rule_set
    layout: CardLayout = lay_out_cards(sheets, rule_set, paper=paper, per_sheet=on)
    on = layout.imposition.per_sheet  # not made smaller
    with pypdfium2.PdfDocument(render_now(card_pages(sheets, rule_set, paper=paper, per_sheet=on))) as pdf:
        pictures = [page.render(scale=PX * 25.4 / 72, grayscale=True).to_pil() for page in pdf]
    return pictures, layout.imposition, card_plan(layout)


# --- Handwriting ------------------------------------------------------------------------------------------------------


def mnist(path: Path) -> dict[str, list[NDArray[np.uint8]]]:
    """Digits of the shared file that no training sees: the last two thousand."""
    with np.load(path) as data:
        images, labels = data["images"][8000:], data["labels"][8000:]
    return {str(n): list(images[labels == n]) for n in range(10)}


def other_collection() -> dict[str, list[NDArray[np.uint8]]]:
    """scikit-learn's load_digits, on which nothing is trained: from 8 x 8, of which each pixel is ink by its share, to
    32 x 32 with edges as steep as those of MNIST, for else every pen would be a broad one."""
    data = import_module("sklearn.datasets").load_digits()
    digits: dict[str, list[NDArray[np.uint8]]] = {str(n): [] for n in range(10)}
    for image, label in zip(data.images, data.target, strict=True):
        large = Image.fromarray(image.astype(np.float32) / 16).resize((32, 32), Image.Resampling.BICUBIC)
        digits[str(label)].append((np.clip((np.asarray(large) - 0.5) * 2.5 + 0.5, 0, 1) * 255).astype(np.uint8))
    return digits


@dataclass(frozen=True)
class Hand:
    """How one scorer writes: millimetres, slant as shear, darkness of the ink, how close the figures are."""

    digits: dict[str, list[NDArray[np.uint8]]]
    rng: Random
    height: float
    slant: float
    pen: float  # how much of a stroke's blurred edge is ink: 0.3 a broad pen, 0.6 a fine one
    ink: int
    gap: float
    askew: float

    @classmethod
    def any(cls, digits: dict[str, list[NDArray[np.uint8]]], rng: Random) -> "Hand":
        return cls(
            digits,
            rng,
            height=rng.uniform(3.8, 5.8),
            slant=rng.gauss(0.05, 0.13),
            pen=rng.uniform(0.3, 0.6),
            ink=rng.choice((25, 45, 70, 95, 110)),
            gap=rng.uniform(-0.15, 0.7),
            askew=rng.uniform(0, 0.35),
        )

    def write(self, paper: Image.Image, text: str, *, box: tuple[float, float, float, float], crossed: bool) -> None:
        """Write into a box of a sheet (left, top, width, height in mm), over its edges where the text needs it."""
        left, top, width, height = box
        rng, size = self.rng, min(self.height, height * 0.82) * self.rng.uniform(0.9, 1.08)
        glyphs = [self._glyph(letter, size) for letter in text]
        gaps = [(self.gap + rng.uniform(-0.2, 0.2)) * PX for _glyph in glyphs[1:]]
        wide = sum(glyph.width for glyph in glyphs) + sum(gaps)
        squeeze = min(1.0, (width + 0.6) * PX / wide)
        x = left * PX + max((width * PX - wide * squeeze) * rng.uniform(0.25, 0.75), -0.3 * PX)
        middle = (top + height / 2) * PX + rng.uniform(-0.06, 0.06) * height * PX
        start = x
        for glyph, gap in zip(glyphs, [*gaps, 0], strict=True):
            fitted = glyph.resize((max(round(glyph.width * squeeze), 2), glyph.height), Image.Resampling.BILINEAR)
            y = middle - glyph.height / 2 + rng.gauss(0, self.askew) * PX
            self._ink(paper, fitted, at=(round(x), round(y)))
            x += (glyph.width + gap) * squeeze
        if crossed:
            line = Image.new("L", (round(x - start + 2 * PX), round(size * PX)), 0)
            slope = rng.uniform(-0.25, 0.25) * line.height
            ends = (PX * 0.4, line.height / 2 + slope, line.width - PX * 0.4, line.height / 2 - slope)
            ImageDraw.Draw(line).line(ends, fill=255, width=round(0.4 * PX))
            self._ink(paper, line, at=(round(start - PX), round(middle - line.height / 2)))

    def _ink(self, paper: Image.Image, mask: Image.Image, *, at: tuple[int, int]) -> None:
        paper.paste(self.ink, (*at, at[0] + mask.width, at[1] + mask.height), mask)

    def _glyph(self, letter: str, size: float) -> Image.Image:
        """One sign as a mask, its ink `size` millimetres high."""
        tall = max(round(size * PX * self.rng.uniform(0.92, 1.08)), 4)
        if letter in "-x":
            return self._stroked(letter, tall)
        raw = np.asarray(self.rng.choice(self.digits[letter]))
        rows, columns = np.flatnonzero(raw.max(1) > 60), np.flatnonzero(raw.max(0) > 60)
        cut = np.pad(raw[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], 2)
        scale = tall / (cut.shape[0] - 4)
        big = Image.fromarray(cut).resize(
            (round(cut.shape[1] * scale), round(cut.shape[0] * scale)), Image.Resampling.BICUBIC
        )
        soft = np.asarray(big.filter(ImageFilter.GaussianBlur(scale * 0.45)), np.float32) / 255
        mask = Image.fromarray((np.clip((soft - self.pen) * 6 + 0.5, 0, 1) * 255).astype(np.uint8))
        lean = self.slant + self.rng.gauss(0, 0.04)
        return _trim(
            mask.transform(
                (mask.width + mask.height // 2, mask.height),
                Image.Transform.AFFINE,
                (1, lean, -mask.height / 4 - lean * mask.height / 2, 0, 1, 0),
                Image.Resampling.BILINEAR,
            )
        )

    def _stroked(self, letter: str, tall: int) -> Image.Image:
        rng, wide = self.rng, tall if letter != "-" else round(tall * self.rng.uniform(0.4, 0.7))
        mask = Image.new("L", (wide + 8, tall + 8), 0)
        pen, draw = max(round((0.75 - self.pen) * PX), 3), ImageDraw.Draw(mask)

        def line(*points: tuple[float, float]) -> None:
            moved = [
                (4 + x * wide + rng.gauss(0, 0.04) * wide, 4 + y * tall + rng.gauss(0, 0.04) * tall) for x, y in points
            ]
            draw.line(moved, fill=255, width=pen, joint="curve")

        if letter == "-":
            line((0, 0.5), (1, 0.5))
        elif rng.random() < 0.6:  # a cross
            line((0.1, 0.1), (0.9, 0.9))
            line((0.9, 0.1), (0.1, 0.9))
        else:  # a tick
            line((0.1, 0.55), (0.35, 0.95), (0.95, 0.05))
        return (
            mask.filter(ImageFilter.GaussianBlur(0.6))
            if letter == "-"
            else _trim(mask.filter(ImageFilter.GaussianBlur(0.6)))
        )


def _trim(mask: Image.Image) -> Image.Image:
    box = mask.getbbox()
    return mask.crop((box[0], 0, box[2], mask.height)) if box else mask


# --- The photo --------------------------------------------------------------------------------------------------------


class Camera:
    """Where a point of a bent sheet (millimetres) comes to lie on the photo (pixels)."""

    def __init__(self, sheet: tuple[float, float], rng: Random, *, tilt: float) -> None:
        width, height = sheet
        self.middle = np.array([width / 2, height / 2])
        self.size = rng.choice(((3264, 2448), (3648, 2736), (4000, 3000)))
        if height > width:
            self.size = self.size[::-1]
        self.bend = [rng.gauss(0, 1.0), rng.gauss(0, 0.7), rng.gauss(0, 0.7), rng.gauss(0, 0.5)]  # mm at the edges
        spin, lean, towards = np.radians(rng.gauss(0, 4)), np.radians(tilt), rng.uniform(0, 2 * np.pi)
        axis = np.array([np.cos(towards), np.sin(towards), 0.0])
        k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        turn = np.eye(3) + np.sin(lean) * k + (1 - np.cos(lean)) * k @ k
        flat = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
        self.turn = turn @ flat
        self.away = rng.uniform(1.2, 1.7) * max(width, height)
        self.scale, self.shift = 1.0, np.zeros(2)
        corners = self(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
        low, high = corners.min(0), corners.max(0)
        self.scale = float(min(np.array(self.size) / (high - low)) * rng.uniform(0.88, 0.98))
        room = np.array(self.size) - (high - low) * self.scale
        self.shift = room * [rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7)] - low * self.scale

    def __call__(self, points: Points) -> Points:
        flat = points - self.middle
        u, v = (flat / self.middle).T
        a, b, c, d = self.bend
        high = a * u * u + b * v * v + c * u * v + d * u**3
        seen = np.column_stack([flat, high]) @ self.turn.T
        on_photo: Points = seen[:, :2] / (self.away + seen[:, 2:]) * self.away * self.scale + self.shift
        return on_photo

    def back(self, points: Points) -> Points:
        """From the photo to the sheet: by steps that halve what is left to a hundredth of a millimetre."""
        found = np.repeat(self.middle[None], len(points), 0)
        for _step in range(12):
            there = self(found)
            dx, dy = (self(found + np.array([[1.0, 0]])) - there), (self(found + np.array([[0, 1.0]])) - there)
            away, area = points - there, dx[:, 0] * dy[:, 1] - dx[:, 1] * dy[:, 0]
            found = found + np.column_stack(
                [
                    (away[:, 0] * dy[:, 1] - away[:, 1] * dy[:, 0]) / area,
                    (dx[:, 0] * away[:, 1] - dx[:, 1] * away[:, 0]) / area,
                ]
            )
        return found


@dataclass(frozen=True)
class Shown:
    filled: Filled
    plan: CardPlan
    camera: Camera
    spot: tuple[float, float]  # on the sheet

    def place(self, points: Points) -> Points:
        """From millimetres on the card to pixels of the photo, whole numbers in their middle."""
        return self.camera(points + np.array(self.spot)) - 0.5


@dataclass(frozen=True)
class Photo:
    jpeg: bytes
    cards: list[Shown]
    told: str  # how it was made

    @property
    def picture(self) -> NDArray[np.uint8]:
        return np.asarray(Image.open(io.BytesIO(self.jpeg)))


BLOCK = 64  # pixels of the photo that are taken from the sheet as one quadrangle


def photograph(sheet: Image.Image, camera: Camera, rng: Random) -> Image.Image:
    """What the camera sees: a sheet on a table, in its light."""
    width, height = camera.size
    columns, rows = -(-width // BLOCK), -(-height // BLOCK)
    grid = np.array([[x * BLOCK, y * BLOCK] for y in range(rows + 1) for x in range(columns + 1)], float)
    source = (camera.back(grid) * PX).reshape(rows + 1, columns + 1, 2)
    mesh = []
    for y in range(rows):
        for x in range(columns):
            around = [source[y, x], source[y + 1, x], source[y + 1, x + 1], source[y, x + 1]]
            mesh.append(
                ((x * BLOCK, y * BLOCK, (x + 1) * BLOCK, (y + 1) * BLOCK), [n for point in around for n in point])
            )
    whole = (columns * BLOCK, rows * BLOCK)
    framed = ImageOps.expand(
        sheet.point([max(n, 4) for n in range(256)]), 2, fill=4
    )  # nothing is as black as beside it
    mesh = [(target, [n + 2 for n in quad]) for target, quad in mesh]
    seen = framed.transform(whole, Image.Transform.MESH, mesh, Image.Resampling.BILINEAR, fillcolor=0)
    inside = seen.point([0] * 3 + [255] * 253)
    table = _table(whole, rng)
    table.paste(seen, (0, 0), inside)
    return table.crop((0, 0, width, height))


def _table(size: tuple[int, int], rng: Random) -> Image.Image:
    noise = np.random.default_rng(rng.randrange(2**32))
    base, grain = rng.choice((45, 70, 100, 130, 165)), rng.choice(((4, 90), (70, 5), (8, 8)))
    small = noise.normal(base, 14, (max(size[1] // grain[1], 2), max(size[0] // grain[0], 2)))
    return Image.fromarray(np.clip(small, 15, 215).astype(np.uint8)).resize(size, Image.Resampling.BICUBIC)


def light_photo(photo: Image.Image, rng: Random) -> Image.Image:
    width, height = photo.size
    small = (width // 16, height // 16)
    x, y = np.meshgrid(np.linspace(-1, 1, small[0]), np.linspace(-1, 1, small[1]))
    light = 1 + rng.uniform(-0.16, 0.16) * x + rng.uniform(-0.16, 0.16) * y - rng.uniform(0, 0.12) * (x * x + y * y)
    if rng.random() < 0.6:
        shade = Image.new("L", small, 0)
        middle = [rng.uniform(-0.1, 1.1) * small[0], rng.uniform(0.3, 1.2) * small[1]]
        reach = [rng.uniform(0.2, 0.6) * small[0], rng.uniform(0.3, 0.8) * small[1]]
        ends = [middle[0] - reach[0], middle[1] - reach[1], middle[0] + reach[0], middle[1] + reach[1]]
        ImageDraw.Draw(shade).ellipse(ends, fill=255)
        soft = shade.filter(ImageFilter.GaussianBlur(rng.uniform(1, 14)))
        light = light * (1 - np.asarray(soft, np.float32) / 255 * rng.uniform(0.12, 0.4))
    bright = np.clip(rng.uniform(0.7, 0.9) * light, 0, 1) * 255
    large = Image.fromarray(bright.astype(np.uint8)).resize(photo.size, Image.Resampling.BICUBIC)
    return ImageChops.multiply(photo, large)


@cache
def _grain() -> NDArray[np.float32]:
    return np.random.default_rng(7).normal(0, 1, (1500, 1500)).astype(np.float32)


def _add_noise(photo: Image.Image, rng: Random) -> Image.Image:
    across, down = rng.randrange(1500), rng.randrange(1500)
    tile = np.rint(np.roll(_grain(), (down, across), (0, 1)) * rng.uniform(1, 5)).astype(np.int16)
    made = np.array(photo)
    for y in range(0, photo.height, 1500):
        for x in range(0, photo.width, 1500):
            part = made[y : y + 1500, x : x + 1500]
            part[:] = np.clip(part + tile[: part.shape[0], : part.shape[1]], 0, 255)
    return Image.fromarray(made)


def hold_with_thumb(photo: Image.Image, camera: Camera, rng: Random, sheet: tuple[float, float]) -> None:
    """A thumb that holds the sheet at its left or lower edge, as far as there is nothing to write in."""
    width, height = sheet
    if rng.random() < 0.5:
        at = camera(np.array([[rng.uniform(0.15, 0.85) * width, height + 6.0]]))[0]
    else:
        at = camera(np.array([[-8.0, rng.uniform(0.2, 0.9) * height]]))[0]
    mm = camera.scale
    across, along = 10 * mm, 13 * mm
    thumb = Image.new("L", (round(2.4 * across), round(2.4 * along)), 0)
    ImageDraw.Draw(thumb).ellipse((0.2 * across, 0.2 * along, 2.2 * across, 2.2 * along), fill=255)
    left, top = round(at[0] - 1.2 * across), round(at[1] - 1.2 * along)
    end = (left + thumb.width, top + thumb.height)
    photo.paste(rng.randint(120, 190), (left, top, *end), thumb.filter(ImageFilter.GaussianBlur(3)))


def compose_photo(slug: str, seed: str, *, digits: dict[str, list[NDArray[np.uint8]]]) -> Photo:
    """One photo of a game's cards; the same seed, the same photo."""
    rng = Random(f"{slug} {seed}")
    paper, on, number = rng.choice(("A4", "Letter")), rng.choice((1, 2)), rng.randrange(NIGHTS)
    pictures, imposition, plan = print_cards(slug, number, paper=paper, on=on)
    per, which = imposition.per_sheet, rng.randrange(len(pictures))
    sheet, spots = pictures[which].copy(), imposition.positions
    cards = play_night(slug, number)[which * per : (which + 1) * per]
    for filled, (left, top) in zip(cards, spots, strict=False):
        hand = Hand.any(digits, rng)
        for (column, row), text, crossed in filled.written():
            x, y, width, height = plan.boxes[column][row]
            hand.write(sheet, text, box=(left + x, top + y, width, height), crossed=crossed)
    size, cut = imposition.sheet, ""
    if per == 2 and (len(cards) == 1 or rng.random() < 0.5):  # cut apart
        keep, cut = rng.randrange(len(cards)), "cut apart"
        wide, tall = (size[0] / 2, size[1]) if imposition.landscape else (size[0], size[1] / 2)
        corner = (keep * wide, 0.0) if imposition.landscape else (0.0, keep * tall)
        left, top = corner
        sheet = sheet.crop((round(left * PX), round(top * PX), round((left + wide) * PX), round((top + tall) * PX)))
        cards, size = [cards[keep]], (wide, tall)
        spots = ((spots[keep][0] - corner[0], spots[keep][1] - corner[1]),)
    tilt = rng.uniform(0, 25)
    camera = Camera(size, rng, tilt=tilt)
    photo = photograph(sheet, camera, rng)
    if rng.random() < 0.5:
        hold_with_thumb(photo, camera, rng, size)
    blur, quality = rng.uniform(0.4, 1.5), rng.randint(68, 93)
    file = io.BytesIO()
    _add_noise(light_photo(photo.filter(ImageFilter.GaussianBlur(blur)), rng), rng).save(file, "JPEG", quality=quality)
    shown = [Shown(one, plan, camera, spot) for one, spot in zip(cards, spots, strict=False)]
    told = f"{slug} {paper} {per} on a sheet {cut}, {len(shown)} cards, tilt {tilt:.0f}, blur {blur:.1f}"
    return Photo(file.getvalue(), shown, told)
