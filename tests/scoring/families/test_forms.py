"""The entry forms: what people type becomes the facts, and the facts fill the form again."""

import re
from random import Random
from uuid import uuid4

import pytest
from django import forms
from django.core.exceptions import ValidationError
from pytest_django.asserts import assertHTMLEqual

from lab.simulation.deals import PLAYS_BOTH, true_deal
from scoring.engine.core.ledger import Problem, Severity
from scoring.engine.core.ruleset import shipped
from scoring.engine.pinochle.partnership import Ending
from scoring.engine.pinochle.two_hand.melds import can_lay
from scoring.families import PAGES
from scoring.families.deal_form import EnteredDeal
from scoring.form_parts import FigureField, Hints, compress_figures
from tests.examples import cases
from tests.scoring.conftest import a_deal, as_typed

OFFERS = [(slug, shape) for slug, rule_set in shipped().items() for shape in rule_set.shapes]


def form_for(game, data=None, **more):
    return PAGES[game.rules.family.slug].form(data, game=game, number=1, **more)


@pytest.mark.daily(11)
@pytest.mark.parametrize("deals", cases(5, proof=100))
@pytest.mark.parametrize(("slug", "shape"), OFFERS, ids=str)
def test_true_deals_go_through_the_form_unchanged(game_of, slug, shape, deals, tried):
    tried(deals)
    game, rng = game_of(slug, shape), Random(4)
    for _ in range(deals):
        facts = true_deal(game.rules.family, rng, game.engine_rules, deals_before=0, before=[0] * shape.sides)
        shown = form_for(game, now=EnteredDeal(facts))
        typed = {
            name: "on" if value is True else value
            for name in shown.fields
            if (value := shown[name].value()) is not None and value is not False
        }
        typed["submission"] = str(uuid4())
        form = form_for(game, typed)
        assert form.is_valid(), form.errors
        assert form.facts() == facts


def test_every_field_stands_in_a_block(game_of):
    for slug, shape in OFFERS:
        form = form_for(game_of(slug, shape))
        placed = [
            f.name
            for block in (*form.blocks(), *form.counting_blocks(), *form.rare_blocks(), *form.written_blocks())
            for f in block.fields
        ]
        shared = {"submission", "number", "as_number", "sure", "ruling"}
        assert sorted(placed) == sorted(form.fields.keys() - shared), slug


@pytest.mark.parametrize("value", [None, "", "0", 1250, '"><b>&'])
@pytest.mark.parametrize("signed", [False, True])
def test_a_figure_is_written_as_django_writes_it(value, signed):
    widget = FigureField(signed=signed, hints=Hints(can="0-9", steps=True)).widget
    djangos = (forms.NumberInput if signed else forms.TextInput)(attrs=widget.attrs)
    attrs = {"id": "id_bid", "aria-label": "Bid <b>", "disabled": True, "required": False}
    assertHTMLEqual(widget.render("bid", value, attrs), djangos.render("bid", value, attrs))


@pytest.mark.parametrize(
    ("typed", "number"), [("25", 25), (" 1,250 ", 1250), ("1 250", 1250), ("\u221215", -15), ("", None)]
)
def test_figures_as_people_type_them(typed, number):
    assert FigureField(required=False, signed=True).clean(typed) == number


@pytest.mark.parametrize("typed", ["1,25", "12.5", "twenty", "-1", "9999999999"])
def test_what_is_no_figure(typed):
    with pytest.raises(ValidationError):
        FigureField().clean(typed)


@pytest.mark.parametrize(("signed", "words"), [(False, "below zero"), (True, "too low for any card")])
def test_a_figure_that_is_too_low_says_so(signed, words):
    with pytest.raises(ValidationError, match=words):
        FigureField(signed=signed).clean("-9999999999")


def test_after_a_renege_the_take_may_stay_empty(game):
    typed = as_typed(a_deal(), take_0="", take_1="", ending="renege-bid-side")
    form = form_for(game, typed)
    assert form.is_valid()
    facts = form.facts()
    assert (facts.ending, facts.take, facts.last_trick) == (Ending.RENEGE_BID_SIDE, (), None)
    assert form.is_rare_used()
    assert not form_for(game, as_typed(a_deal(), take_0="")).is_valid()


def test_nobody_is_chosen_before_somebody_chooses(game_of):
    assert "checked" not in str(form_for(game_of("hand-and-foot"))["out"])


@pytest.mark.parametrize(
    ("field", "side", "names"),
    [
        ("meld", 1, ["meld_1"]),
        ("take", None, ["take_0", "take_1"]),
        ("bid", None, ["bid"]),
        ("bid", 0, ["bid"]),
        ("elsewhere", None, []),
    ],
)
def test_problems_find_their_fields(game, field, side, names):
    problem = Problem("x", Severity.IMPOSSIBLE, field, (), side)
    assert form_for(game).problem_fields(problem) == names


def test_totals_that_the_scorer_wrote(game):
    some = form_for(game, as_typed(a_deal(), written_1="-4"))
    assert some.is_valid()
    assert some.written_totals() == [None, -4]
    none = form_for(game, as_typed(a_deal()))
    assert none.is_valid()
    assert none.written_totals() == []


pytestmark = pytest.mark.django_db

DEALS = 12


def out_of_rows(told):
    """The figures that `compress_figures` told, read as static/hand.js reads them."""
    found = set()
    for row in told.split():
        match = re.fullmatch(r"(-?\d+)(?:-(-?\d+))?(?:/(\d+))?", row)
        assert match, row
        first, last, step = match[1], match[2] or match[1], match[3] or "1"
        found.update(range(int(first), int(last) + 1, int(step)))
    return found


@pytest.mark.parametrize(
    "figures",
    [[], [7], [3, 9], [1, 2, 4], [0, 10, 20, 25, 26], list(range(14, 60)), [-20, -10, 0, 5], [5, 7, 9, 10, 11, 20]],
)
def test_rows_tell_the_figures_and_no_others(figures):
    assert out_of_rows(compress_figures(figures)) == set(figures)


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_no_figure_of_a_true_deal_is_dimmed(slug, game_of):
    first = form_for(game_of(slug))
    family, dimmed = first.game.rules.family, {}
    forms = [type(first)(game=first.game, number=number) for number in (1, 2, 3)]
    for seed in range(DEALS):
        form = forms[seed % 3]
        told = {name: out_of_rows(can) for name, f in form.fields.items() if (can := f.widget.attrs.get("data-can"))}
        deals = (true_deal(family, Random(seed), form.rules, deals_before=seed % 3),)
        if play_both := PLAYS_BOTH.get(family.slug):
            deals = play_both(Random(seed), form.rules, deals_before=seed % 3)
        shown = {}
        for facts in deals:
            shown |= {name: figure for name, figure in form.field_values(facts).items() if figure is not None}
        dimmed |= {name: figure for name, figure in shown.items() if name in told and figure not in told[name]}
    assert dimmed == {}


def test_a_take_of_st_hilary_shares_twenty_five(game):
    form = form_for(game)
    assert form.fields["take_0"].widget.attrs["data-whole"] == "25"
    assert out_of_rows(form.fields["take_1"].widget.attrs["data-can"]) == set(range(26))
    bids = out_of_rows(form.fields["bid"].widget.attrs["data-can"])
    assert min(bids) == 15
    assert form.fields["bid"].widget.attrs["data-usual"] == "60"


def test_takes_that_share_no_known_whole_are_told_none(game_of, publish):
    """Where the cards taken before the last draw don't count, nobody knows what the takes come to."""
    publish("fletcher-two-hand", meld_play_tricks_count=False)
    form = form_for(game_of("fletcher-two-hand"))
    assert "data-whole" not in form.fields["take_0"].widget.attrs
    assert "data-can" in form.fields["take_0"].widget.attrs


@pytest.mark.parametrize("slug", ["fletcher-two-hand", "two-hand-pinochle-classic"])
def test_melds_for_two_are_told_as_the_check_takes_them(slug, game_of):
    """From zero to beyond the highest: what the check lets one player lay, and nothing else."""
    form = form_for(game_of(slug))
    told = out_of_rows(form.fields["meld_0"].widget.attrs["data-can"])
    assert told == {points for points in range(2 * max(told)) if can_lay(points, form.rules)}
    assert max(told) < 5000
    if form.rules.bidding:
        assert min(out_of_rows(form.fields["bid"].widget.attrs["data-can"])) == form.rules.opening_bid
