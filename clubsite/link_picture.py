"""The picture that messengers show with a link to the site: 1200 × 630 pixels, words on a score sheet."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from io import BytesIO
from itertools import groupby

from django.conf import settings
from django.core.cache import caches
from PIL import Image, ImageDraw, ImageFont

from clubsite.accounts.face import DEFAULT_COLOUR, colour_shades
from clubsite.accounts.models import Club, Crest
from clubsite.pdf.typeface import font_letters

SIZE = (1200, 630)
LEFT, RIGHT = 96, 1112  # of what is written
PAPER, SHEET, RULE, INK, SOFT, RED = "#f6f0e2", "#fffdf7", "#d9cfba", "#211c15", "#5d5344", "#b3261e"
FACES = (
    *("atkinson-hyperlegible-next-latin", "atkinson-hyperlegible-next-latin-ext", "noto-sans-latin-ext"),
    *("noto-sans-vietnamese", "noto-sans-greek", "noto-sans-cyrillic", "noto-sans-cyrillic-ext"),
)
CACHED_FOR = 24 * 3600  # seconds

Rows = Sequence[tuple[str, str, str]]


def link_picture(club: Club, *, title: str, words: Sequence[str], rows: Rows = ()) -> bytes:
    """A PNG with the club's name and crest, a title, lines of words, and rows of place, name and points. Drawn once for
    the same words; one query where the club has a crest and the picture isn't drawn yet."""
    key = repr((club.slug, club.name, club.colour, club.crest, title, tuple(words), tuple(rows)))
    name, cache = f"link-picture:{sha256(key.encode()).hexdigest()}", caches["template_fragments"]
    picture: bytes | None = cache.get(name)
    if picture is None:
        picture = _draw(club, title=title, words=words, rows=rows)
        cache.set(name, picture, timeout=CACHED_FOR)
    return picture


def _draw(club: Club, *, title: str, words: Sequence[str], rows: Rows) -> bytes:
    felt, width = colour_shades(club.colour or DEFAULT_COLOUR)[0], RIGHT - LEFT
    picture = Image.new("RGB", SIZE, PAPER)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((40, 40, 1160, 590), fill=SHEET, outline=RULE, width=2)
    pen.rectangle((40, 40, 54, 590), fill=felt)
    _draw_crest(picture, club, felt=felt)
    _draw_text(pen, club.name, at=(LEFT, 114, width - 150), size=36, fill=felt)
    _draw_text(pen, title, at=(LEFT, 214, width), size=64)
    top, size = 278, 34 if rows else 48
    for line in words:
        _draw_text(pen, line, at=(LEFT, top, width), size=size, bold=False, fill=SOFT if rows else INK)
        top += round(1.4 * size)
    height = min(84, (580 - top) // max(1, len(rows)))
    size = min(44, round(0.65 * height))
    for place, name, points in rows:
        pen.line((LEFT, top, RIGHT, top), fill=RULE, width=2)
        middle, last = top + height // 2, _text_width(points, size=size)
        _draw_text(pen, place, at=(LEFT, middle, 90), size=size, fill=felt)
        _draw_text(pen, name, at=(LEFT + 90, middle, width - 120 - last), size=size)
        _draw_text(pen, points, at=(RIGHT - last, middle, last), size=size)
        top += height
    file = BytesIO()
    picture.quantize(64, method=Image.Quantize.FASTOCTREE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_crest(picture: Image.Image, club: Club, *, felt: str) -> None:
    """The club's crest at the upper right, or the site's nine tables."""
    if club.crest and (stored := Crest.objects.filter(club=club).first()):
        with Image.open(BytesIO(stored.image)) as crest:
            crest.thumbnail((120, 120))
            drawn = crest.convert("RGBA")
            picture.paste(drawn, (RIGHT - drawn.width, 70), drawn)
        return
    pen, left, top = ImageDraw.Draw(picture), RIGHT - 96, 70
    for n in (0, 1, 2, 3, 5, 6, 7, 8):
        x, y = left + 33 * (n % 3), top + 33 * (n // 3)
        pen.rounded_rectangle((x, y, x + 29, y + 29), radius=5, fill=felt)
    x, y = left + 48, top + 48
    pen.polygon([(x, y - 20), (x + 20, y), (x, y + 20), (x - 20, y)], fill=RED)


def _draw_text(
    pen: ImageDraw.ImageDraw,
    text: str,
    *,
    at: tuple[float, float, float],
    size: int,
    bold: bool = True,
    fill: str = INK,
) -> None:
    """A line of text from a left end, at a middle height, within a width: smaller where it is too long, and cut off
    where that isn't enough."""
    (x, middle, width), smallest, cut = at, size * 2 // 3, ""
    while text and (length := _text_width(text + cut, size=size, bold=bold)) > width:
        if size > smallest:
            size = max(smallest, min(size - 1, int(size * width / length)))
        else:
            text, cut = text[:-1].rstrip(), "…"
    for font, part in _split_by_font(text + cut, size=size, bold=bold):
        pen.text((x, middle + size * 0.35), part, font=font, fill=fill, anchor="ls")
        x += font.getlength(part)


def _text_width(text: str, *, size: int, bold: bool = True) -> float:
    return sum(font.getlength(part) for font, part in _split_by_font(text, size=size, bold=bold))


def _split_by_font(text: str, *, size: int, bold: bool) -> list[tuple[ImageFont.FreeTypeFont, str]]:
    files = [f"{face}-{700 if bold else 400}-normal.ttf" for face in FACES]

    def file_for(letter: str) -> str:
        return next((file for file in files if letter in font_letters(file)), files[0])

    text = unicodedata.normalize("NFC", text)
    return [(_font(file, size), "".join(letters)) for file, letters in groupby(text, file_for)]


@cache
def _font(file: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(settings.BASE_DIR / "static" / "vendor" / "fonts" / "unpacked" / file, size)
