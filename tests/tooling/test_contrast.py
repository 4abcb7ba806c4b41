"""The colours of both themes against WCAG 2.2 AA: 4.5 to 1 for text, 3 to 1 for edges of controls."""

import re

import pytest

from tests.tooling.tree import ROOT

TOKENS = (ROOT / "static/tokens.css").read_text()
TEXT = ("ink", "soft-ink", "felt", "felt-deep", "red", "amber")


def theme(name):
    """The named colours of a theme, as #rrggbb."""
    pairs = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", TOKENS)
    return {colour: light if name == "light" else dark for colour, light, dark in pairs}


def luminance(colour):
    """Relative luminance of #rrggbb, as WCAG 2.2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_stands_out_from_its_ground(name):
    colours = theme(name)
    pairs = [(text, ground) for text in TEXT for ground in ("paper", "sheet")]
    pairs += [
        ("on-felt", "felt"),
        ("on-felt", "felt-deep"),
        ("ink", "blush"),
        ("red", "blush"),
        ("ink", "straw"),
        ("amber", "straw"),
    ]
    assert [pair for pair in pairs if contrast(colours[pair[0]], colours[pair[1]]) < 4.5] == []


@pytest.mark.parametrize("name", ["light", "dark"])
def test_edges_of_controls_can_be_seen(name):
    colours = theme(name)
    assert [ground for ground in ("paper", "sheet") if contrast(colours["edge"], colours[ground]) < 3] == []


def test_browsers_without_light_dark_have_the_light_theme():
    assert dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", TOKENS)) == theme("light")
