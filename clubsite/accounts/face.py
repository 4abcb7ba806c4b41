"""A club's face: its crest, and its colour in shades that can be read on every ground."""

import re
from base64 import b64encode
from colorsys import hls_to_rgb, rgb_to_hls
from hashlib import sha256
from io import BytesIO
from typing import Any, TypeAlias

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe
from PIL import Image, ImageOps, UnidentifiedImageError

from clubsite.accounts.models import Club, Crest

FILE_FORMATS = ("PNG", "JPEG", "WEBP")
MOST_BYTES, MOST_PIXELS = 2_000_000, 25_000_000
SIDE = 256  # pixels of the longer side of a crest as it is stored: two centimetres of print
COLOURS = 64  # of its palette, so that a phone loads it in a moment

Shade: TypeAlias = tuple[float, float, float]
LIGHT, DARK = "#ece4d2", "#2a302b"  # the grounds that leave the least contrast in each theme (static/tokens.css)
ON_LIGHT, ON_DARK = "#fffdf7", "#10231a"  # words on the club's colour
DEFAULT_COLOUR = "#1f5f43"  # the light theme's green
MIN_CONTRAST = 4.6  # times as light: what WCAG asks of words is 4.5


def read_crest(file: Any) -> bytes:
    """Redraw an uploaded picture as a small PNG, which keeps nothing else of the file.

    Raises ValidationError for a file that is too large, damaged, animated, or no picture that we read."""
    if file.size > MOST_BYTES:
        raise ValidationError(_("The picture is larger than 2 MB. Make it smaller and choose it again."))
    try:
        with Image.open(file, formats=FILE_FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise ValidationError(_("The picture has too many pixels. Make it smaller and choose it again."))
            if picture.format != "MPO" and getattr(picture, "n_frames", 1) > 1:  # MPO: a phone's JPEG, a preview in it
                raise ValidationError(_("Moving pictures can't be used. Choose a still one."))
            drawn = ImageOps.exif_transpose(picture).convert("RGBA")
    except UnidentifiedImageError:
        raise ValidationError(_("This isn't a PNG, JPEG or WebP picture. Choose another file.")) from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise ValidationError(_("The picture is damaged. Save it again, or choose another file.")) from None
    drawn.thumbnail((SIDE, SIDE))
    png = BytesIO()
    drawn.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(png, "PNG", optimize=True)
    return png.getvalue()


def store_crest(club: Club, png: bytes | None) -> None:
    """Store a club's crest, or remove it (None). Call it inside the transaction that has the club's lock; the caller
    saves the club."""
    if png is None:
        Crest.objects.filter(club=club).delete()
    else:
        Crest.objects.update_or_create(club=club, defaults={"image": png})
    club.crest = sha256(png).hexdigest()[:16] if png else ""


def crest_drawing(club: int) -> str:
    """A club's crest as a data URL. Raises Crest.DoesNotExist."""
    return f"data:image/png;base64,{b64encode(Crest.objects.get(club=club).image).decode()}"


def colour_shades(colour: str) -> tuple[str, str, str, str]:
    """Shades of a colour (#rrggbb) for the light theme and paper, the same pressed, and for the dark theme: as near to
    it as still lets words in them, and words on them, be read.

    >>> colour_shades("#1f5f43"), colour_shades("#ffff00")[0]
    (('#1f5f43', '#174833', '#32ab7c', '#3fc792'), '#646400')
    """
    light, dark = _make_readable(colour, on=LIGHT, step=-0.01), _make_readable(colour, on=DARK, step=0.01)
    return light, _shift_lightness(light, -0.06), dark, _shift_lightness(dark, 0.08)


def _make_readable(colour: str, *, on: str, step: float) -> str:
    while contrast(colour, on) < MIN_CONTRAST:
        colour = _shift_lightness(colour, step)
    return colour


def _shift_lightness(colour: str, step: float) -> str:
    """Lighter for a step above 0, else darker."""
    hue, lightness, saturation = rgb_to_hls(*_rgb(colour))
    moved = hls_to_rgb(hue, min(1, max(0, lightness + step)), saturation)
    return "#" + "".join(f"{round(255 * part):02x}" for part in moved)


def contrast(colour: str, other: str) -> float:
    """How many times as light one colour is as another (WCAG 2.2, contrast ratio): 1 to 21."""
    lighter, darker = sorted((_luminance(colour), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _rgb(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _rgb(colour: str) -> Shade:
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return red, green, blue


STYLES = """@media screen {
  :root {
    --felt: %(light)s;
    --felt-deep: %(light_deep)s;
  }
  @supports (color: light-dark(#000, #fff)) {
    :root {
      --felt: light-dark(%(light)s, %(dark)s);
      --felt-deep: light-dark(%(light_deep)s, %(dark_deep)s);
    }
  }
}
"""


@require_safe
def colour_styles(request: HttpRequest, colour: str) -> HttpResponse:
    if not re.fullmatch("[0-9a-f]{6}", colour):
        raise Http404
    names = ("light", "light_deep", "dark", "dark_deep")
    styles = STYLES % dict(zip(names, colour_shades(f"#{colour}"), strict=True))
    return _cache_forever(HttpResponse(styles, content_type="text/css; charset=utf-8"))


@require_safe
def crest(request: HttpRequest, club: str, *, version: str) -> HttpResponse:
    stored = get_object_or_404(Crest.objects.select_related("club"), club__slug=club)
    if stored.club.crest != version:
        raise Http404
    return _cache_forever(HttpResponse(bytes(stored.image), content_type="image/png"))


def _cache_forever(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, public=True, max_age=365 * 24 * 3600, immutable=True)
    return response
