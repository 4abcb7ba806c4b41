"""Decodes and reads a photo, scan or PDF of cards: a program of its own, so that a malicious file can't use up the
worker's memory or time.

It gets the file on standard input, and answers with a `Page` for each of its pages. With the text of a code it asks
which plans that card may have. `tasks.run_reader` is the other end. It imports nothing of Django."""

import io
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from tournaments.photos.ink import MARGIN, PX, Ink
from tournaments.photos.paper import CardPlan
from tournaments.photos.reading import Place, read_photo

MEMORY = 1024**3  # bytes of address space, libraries included; it uses 400 million at most
MOST_PIXELS = 60_000_000  # of a picture; a phone's have 12 to 50 million
MOST_PAGES = 60
SIDE = 4096  # pixels of the longer side; larger pictures are shrunk
DOTS = 300  # per inch, of a PDF's page
PREVIEW = 1000  # pixels of the longer side, for a picture that can't be read
NICE = 10

Rectangle = tuple[int, int, int, int]
"""Left, top, width and height in pixels of the card's picture."""


class Unreadable(Exception):
    """The text is a key of `actions.PROBLEMS`."""


@dataclass(frozen=True, slots=True)
class ReadCard:
    code: str
    picture: bytes  # JPEG, straightened
    size: tuple[int, int]
    boxes: dict[Place, Rectangle]
    inks: dict[Place, Ink]


@dataclass(frozen=True, slots=True)
class Page:
    number: int  # from 1
    of: int
    cards: tuple[ReadCard, ...] = ()
    fault: str = ""  # why a card is missing
    preview: bytes = b""  # JPEG, if a card is missing or there is none
    preview_size: tuple[int, int] = (0, 0)


def decode_pictures(file: bytes) -> Iterator[tuple[int, int, Image.Image]]:
    """For each page its number, how many there are, and the picture in gray, the right way up. Sizes are checked before
    anything is decoded. Raises Unreadable."""
    if file.startswith(b"%PDF"):
        yield from _decode_pdf(file)
        return
    try:
        with Image.open(io.BytesIO(file), formats=("JPEG", "PNG")) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise Unreadable("pixels")
            picture.draft("L", (SIDE, SIDE))
            picture.thumbnail((SIDE, SIDE), reducing_gap=2.0)
            yield 1, 1, ImageOps.exif_transpose(picture).convert("L")
    except Image.DecompressionBombError:
        raise Unreadable("pixels") from None
    except (OSError, SyntaxError, ValueError, EOFError):
        raise Unreadable("damaged") from None


def _decode_pdf(file: bytes) -> Iterator[tuple[int, int, Image.Image]]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(file)
        if len(document) > MOST_PAGES:
            raise Unreadable("pages")
        for number in range(len(document)):
            page = document[number]
            scale = min(DOTS / 72, SIDE / max(page.get_size()))
            yield number + 1, len(document), page.render(scale=scale, grayscale=True).to_pil().convert("L")
            page.close()
    except (pypdfium2.PdfiumError, ValueError, ZeroDivisionError):
        raise Unreadable("damaged") from None


def _jpeg(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=80)
    return file.getvalue()


class Reader:
    """This end of the pipe: pickles in both directions, since both ends are our own program."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self.source, self.target = source, target

    def send(self, message: Any) -> None:
        pickle.dump(message, self.target)
        self.target.flush()

    def ask_plans(self, code: str) -> Sequence[CardPlan]:
        self.send(code)
        plans: Sequence[CardPlan] = pickle.load(self.source)  # noqa: S301  (our own program's)
        return plans

    def read(self) -> None:
        """Read the file, send each page, an `Unreadable` if it can't be read to the end, and None."""
        try:
            file = pickle.load(self.source)  # noqa: S301  (the worker's)
            for number, of, picture in decode_pictures(file):
                self.send(self._read_page(number, of, picture=picture))
        except Unreadable as why:
            self.send(why)
        except MemoryError:
            self.send(Unreadable("memory"))
        self.send(None)

    def _read_page(self, number: int, of: int, *, picture: Image.Image) -> Page:
        gray: NDArray[np.uint8] = np.asarray(picture)
        seen = read_photo(gray, self.ask_plans)
        cards = tuple(
            ReadCard(
                card.code,
                _jpeg(Image.fromarray(card.straight.card)),
                card.straight.card.shape[1::-1],
                {place: _pixel_rectangle(card.straight.plan.boxes[place[0]][place[1]]) for place in card.inks},
                card.inks,
            )
            for card in seen.cards
        )
        if cards and not seen.fault:
            return Page(number, of, cards)
        picture.thumbnail((PREVIEW, PREVIEW))
        return Page(number, of, cards, seen.fault, _jpeg(picture), picture.size)


def _pixel_rectangle(box: tuple[float, float, float, float]) -> Rectangle:
    """A box with its margin in the picture of its card, which has the same margin."""
    left, top, width, height = box
    wide, high = width + 2 * MARGIN, height + 2 * MARGIN
    return round(left * PX), round(top * PX), round(wide * PX), round(high * PX)


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(max(0, NICE - os.nice(0)))
    with suppress(ImportError, ValueError, OSError):  # Windows has none, and some systems refuse it
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    reader = Reader(sys.stdin.buffer, sys.stdout.buffer)
    with redirect_stdout(sys.stderr), suppress(BrokenPipeError):
        reader.read()
