"""Boxes of a photographed card are read; `lab.digits.boxes` made their pictures, of digits kept from the training."""

from itertools import product
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tournaments.photos.ink import BLANK, PX, SIGNS, STRUCK, Ink, read_boxes

WRITTEN = ("120", "7", "-35", "1480", "260", "94", "x", "")  # from top to bottom


@pytest.fixture(scope="module")
def boxes() -> list[Ink]:
    with Image.open(Path(__file__).with_name("boxes.png")) as sheet:
        return read_boxes(np.split(np.asarray(sheet), len(WRITTEN) + 1))


def test_what_is_written_in_boxes_is_read(boxes: list[Ink]) -> None:
    assert tuple(ink.best()[0][0] for ink in boxes[:-1]) == WRITTEN


def test_a_box_with_a_line_through_its_figures_is_crossed_out_and_still_read(boxes: list[Ink]) -> None:
    assert [ink.struck > 0.5 for ink in boxes] == [False] * len(WRITTEN) + [True]
    assert boxes[-1].best()[0][0] == "50"


def test_paper_with_nothing_on_it_is_blank_in_boxes_of_all_sizes() -> None:
    random = np.random.default_rng(1)
    pictures = [
        random.normal(250, 2, (round(high * PX), round(wide * PX))).clip(0, 255).astype(np.uint8)
        for high, wide in product((9.1, 15.6), (9.1, 36.6))
    ]
    assert all(ink.blank > 0.9 for ink in read_boxes(pictures))


def test_no_pictures_are_read_as_nothing() -> None:
    assert read_boxes([]) == []


def columns_of(*likely: dict[str, float]) -> np.ndarray:
    """What the network says when these signs ("" none) are likely in a box's columns."""
    columns = np.full((len(likely), STRUCK + 1), -30, np.float32)
    for column, chances in zip(columns, likely, strict=True):
        for sign, chance in chances.items():
            column[SIGNS.index(sign) if sign else BLANK] = log(chance)
    return columns


def test_the_probabilities_of_all_texts_add_up_to_one() -> None:
    ink = Ink(columns_of({"1": 0.6, "7": 0.3, "": 0.1}, {"": 0.7, "1": 0.3}, {"1": 0.2, "7": 0.4, "": 0.4}))
    texts = ["".join(signs) for length in range(4) for signs in product("17", repeat=length)]
    assert sum(exp(ink.log_probability(text)) for text in texts) == pytest.approx(1)
    assert ink.log_probability("1") == pytest.approx(
        # alone in a column, in two beside each other, in all
        log(0.6 * 0.7 * 0.4 + 0.1 * 0.3 * 0.4 + 0.1 * 0.7 * 0.2 + 0.6 * 0.3 * 0.4 + 0.1 * 0.3 * 0.2 + 0.6 * 0.3 * 0.2)
    )
    assert exp(ink.log_probability("11")) == pytest.approx(0.6 * 0.7 * 0.2)


def test_the_likeliest_texts_come_first_with_their_probabilities_and_an_empty_box_among_them() -> None:
    ink = Ink(columns_of({"4": 0.9, "9": 0.1}, {"": 1}, {"0": 0.8, "6": 0.2}))
    best = ink.best(4)
    assert [text for text, _ in best] == ["40", "46", "90", ""]
    assert [text for text, _ in ink.best(1)] == ["40"]
    assert all(chance == ink.log_probability(text) for text, chance in best)
    assert best[0][1] == pytest.approx(log(0.72))
    assert ink.blank == pytest.approx(0, abs=1e-9)


def test_what_no_box_can_hold_has_no_probability() -> None:
    assert Ink(columns_of({"": 1})).log_probability("1a") == -np.inf
