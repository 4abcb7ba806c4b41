"""What a card says by its inks, the rules and the totals: with made-up inks, which no picture is needed for."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from lab.digits.made_up import MadeUpInk, blank_card, card_inks, true_fields, write_game
from scoring.engine.core.ruleset import shipped
from tournaments.photos.likeliest import likeliest_lines

PINOCHLE = "st-hilary-v3"
MISREAD = ("hand-and-foot", PINOCHLE, "points-only", "euchre-by-tricks", "five-hundred-by-contract", "spades")
MISREAD += ("cribbage-by-deal",)


def written(text, quality=0):
    return MadeUpInk(tuple((sign, quality) for sign in text))


def rows(*lines):
    """Inks of a card with a row for each deal, of the texts of its boxes."""
    return {(column, row): written(text) for row, texts in enumerate(lines) for column, text in enumerate(texts)}


def texts(reading):
    return {name: field.text for name, field in reading.fields.items()}


def sure(reading):
    return {name for name, field in reading.fields.items() if not field.doubtful}


@pytest.mark.django_db  # a form may ask for the deals that are void
@pytest.mark.daily(4)
@pytest.mark.parametrize("slug", shipped())
def test_a_card_written_clearly_is_read_as_it_is_written(slug):
    card, rng = blank_card(slug), Random(7)
    lines = write_game(card, rng, deals=3)
    readings = likeliest_lines(card, card_inks(card, lines, rng, bad=0.0))
    assert [reading.number for reading in readings] == list(range(1, len(lines) + 1))
    for reading, line in zip(readings, lines, strict=True):
        truth = true_fields(card, line)
        assert {name: reading.fields[name].text for name in sure(reading) & truth.keys()}.items() <= truth.items()
        assert reading.problems == () or sure(reading) == set()


@pytest.mark.proof
@pytest.mark.parametrize("bad", [0.1, 0.2])
@pytest.mark.parametrize("slug", MISREAD)
def test_the_rules_and_totals_put_right_what_the_ink_misreads(slug, bad, monkeypatch):
    monkeypatch.setattr("tournaments.photos.likeliest.LONGEST", 60.0)  # the machine may be busy
    card, counts = blank_card(slug), Counter()
    for number in range(20):
        rng = Random(f"1 {slug} {number}")
        lines = write_game(card, rng, slips=0.01)
        inks = card_inks(card, lines, rng, bad=bad)
        readings = {reading.number: reading for reading in likeliest_lines(card, inks)}
        for deal, line in enumerate(lines, start=1):
            fields = readings[deal].fields if deal in readings else {}
            for name, text in true_fields(card, line).items():
                count_field(counts, fields.get(name), text=text, inks=inks)
    assert counts["after"] >= counts["by ink"]
    assert counts["after"] >= 0.97 * counts["boxes"]
    assert counts["wrong and unmarked"] <= 0.006 * counts["boxes"]
    few = 0.1 if slug == "spades" else 0.05  # several bids there make the same points
    assert counts["marked"] <= (few + bad) * counts["boxes"]


def count_field(counts, field, *, text, inks):
    right, marked = field is not None and field.text == text, field is None or field.doubtful
    counts["boxes"] += 1
    counts["after"] += right
    counts["marked"] += marked
    counts["wrong and unmarked"] += not right and not marked
    if field is not None:
        by_ink = not right and field.not_by_ink and field.box and inks[field.box].best()[0][0] == text
        counts["by ink"] += bool(by_ink or (right and not field.not_by_ink))


def test_an_empty_card_has_no_lines_and_a_half_filled_one_those_that_are_written():
    card = blank_card(PINOCHLE)
    assert likeliest_lines(card, {}) == []
    blank = [""] * 12
    inks = rows(["20", "8", "24", "16", "", "24", "", "6", "", "9", "", "15"], *[blank] * 15)
    assert [reading.number for reading in likeliest_lines(card, inks)] == [1]


def test_a_figure_that_could_be_two_is_the_one_that_the_totals_bear_out():
    card = blank_card(PINOCHLE)
    inks = rows(["20", "8", "24", "16", "", "24", "", "6", "", "9", "", "15"])
    inks[7, 0] = written("0", 2)  # a 6 that looks like a 0
    (reading,) = likeliest_lines(card, inks)
    assert texts(reading)["meld_1"] == "6"
    assert reading.fields["meld_1"].not_by_ink
    assert not reading.fields["meld_1"].doubtful
    assert texts(reading)["bid_side"] == "0"
    assert reading.fields["meld_0"].box == (1, 0)


def test_a_slip_in_a_running_total_leaves_the_figures_of_its_deal_and_of_those_after_it():
    card = blank_card(PINOCHLE)
    first = ["20", "8", "24", "16", "", "24", "", "6", "", "9", "", "25"]  # 15, and a slip
    second = ["", "4", "", "10", "", "38", "21", "8", "23", "15", "", "48"]
    one, two = likeliest_lines(card, rows(first, second))
    assert [texts(one)[name] for name in ("meld_1", "take_1", "written_1")] == ["6", "9", "25"]
    assert [texts(two)[name] for name in ("bid_side", "bid", "meld_1", "take_1")] == ["1", "21", "8", "15"]
    assert {"meld_1", "take_1", "written_1"} <= sure(two)
    assert one.problems == two.problems == ()


def test_a_deal_that_no_pack_has_is_read_but_each_of_its_figures_is_doubtful():
    card = blank_card(PINOCHLE)
    (reading,) = likeliest_lines(card, rows(["20", "8", "24", "16", "", "24", "", "6", "", "16", "", "22"]))
    assert [problem.code for problem in reading.problems] == ["pinochle.take-total"]
    assert sure(reading) == set()


def test_crossed_out_figures_are_those_of_the_deal():
    card = blank_card(PINOCHLE)
    inks = rows(["25", "3", "13", "10", "x", "-25", "", "6", "", "15", "", "21"])
    crossed = {place: replace(inks[place], struck=0.95) for place in ((1, 0), (2, 0), (3, 0))}
    (reading,) = likeliest_lines(card, inks | crossed)
    assert texts(reading) | {"written_0": "-25"} == texts(reading)
    assert [texts(reading)[name] for name in ("bid", "meld_0", "take_0")] == ["25", "3", "10"]
    assert {"meld_0", "take_0"} <= sure(reading)


def test_a_box_without_ink_is_empty_and_a_cross_for_a_figure_doubtful():
    card = blank_card(PINOCHLE)
    (reading,) = likeliest_lines(card, rows(["25", "3", "", "x", "", "", "", "6", "", "x", "", ""]))
    assert not {"take_0", "take_1", "written_0"} & sure(reading)


def test_the_cross_in_the_box_of_who_went_out_is_the_answer():
    card, rng = blank_card("hand-and-foot"), Random(3)
    lines = write_game(card, rng)
    for reading, line in zip(likeliest_lines(card, card_inks(card, lines, rng, bad=0.0)), lines, strict=True):
        assert texts(reading)["out"] == str(-1 if line.facts.out is None else line.facts.out)
