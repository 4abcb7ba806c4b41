"""The entry forms: what people type becomes the facts, and the facts fill the form again."""

from random import Random
from uuid import uuid4

import pytest
from django import forms
from django.core.exceptions import ValidationError
from pytest_django.asserts import assertHTMLEqual

from lab.simulation.deals import true_deal
from scoring.cards.deals import start_game
from scoring.engine.core.ledger import Problem, Severity
from scoring.engine.core.ruleset import shipped
from scoring.engine.pinochle.partnership import Ending
from scoring.families import PAGES
from scoring.families.deal_form import DealAt, Entered
from scoring.form_parts import FigureField, Hints
from tests.examples import cases
from tests.scoring.conftest import a_deal, as_typed

OFFERS = [(slug, shape) for slug, rule_set in shipped().items() for shape in rule_set.shapes]


def form_for(game, data=None, **more):
    names = [str(side) for side in game.sides.all()]
    return PAGES[game.rules.family.slug].form(data, at=DealAt(game, names, 1), **more)


@pytest.mark.daily(22)
@pytest.mark.parametrize("deals", cases(5, proof=100))
@pytest.mark.parametrize(("slug", "shape"), OFFERS, ids=str)
def test_true_deals_go_through_the_form_unchanged(club, rules_for, slug, shape, deals, tried):
    tried(deals)
    sides = [[f"P{side}{seat}" for seat in range(shape.per_side)] for side in range(shape.sides)]
    game = start_game(club=club, rules=rules_for(slug), title="x", sides=sides)
    rng = Random(4)
    for _ in range(deals):
        facts = true_deal(game.rules.family, rng, game.engine_rules, deals_before=0, before=[0] * shape.sides)
        shown = form_for(game, now=Entered(facts))
        typed = {
            name: "on" if value is True else value
            for name in shown.fields
            if (value := shown[name].value()) is not None and value is not False
        }
        typed["submission"] = str(uuid4())
        form = form_for(game, typed)
        assert form.is_valid(), form.errors
        assert form.facts() == facts


def test_every_field_stands_in_a_block(club, rules_for):
    for slug, shape in OFFERS:
        sides = [[f"P{side}{seat}" for seat in range(shape.per_side)] for side in range(shape.sides)]
        form = form_for(start_game(club=club, rules=rules_for(slug), title="x", sides=sides))
        placed = [
            f.name
            for block in (*form.blocks(), *form.counting(), *form.rare(), *form.written_blocks())
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


@pytest.mark.parametrize(("signed", "words"), [(False, "below zero"), (True, "less than any card holds")])
def test_a_figure_that_is_too_low_says_so(signed, words):
    with pytest.raises(ValidationError, match=words):
        FigureField(signed=signed).clean("-9999999999")


def test_after_a_renege_the_take_may_stay_empty(game):
    typed = as_typed(a_deal(), take_0="", take_1="", ending="renege-bid-side")
    form = form_for(game, typed)
    assert form.is_valid()
    facts = form.facts()
    assert (facts.ending, facts.take, facts.last_trick) == (Ending.RENEGE_BID_SIDE, (), None)
    assert form.rare_has_something()
    assert not form_for(game, as_typed(a_deal(), take_0="")).is_valid()


def test_nobody_is_chosen_before_somebody_chooses(club, rules_for):
    game = start_game(club=club, rules=rules_for("hand-and-foot"), title="x", sides=[["A", "B"], ["C", "D"]])
    form = form_for(game)
    assert "checked" not in str(form["out"])


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
    assert form_for(game).fields_of(problem) == names


def test_totals_that_the_scorer_wrote(game):
    some = form_for(game, as_typed(a_deal(), written_1="-4"))
    assert some.is_valid()
    assert some.written() == [None, -4]
    none = form_for(game, as_typed(a_deal()))
    assert none.is_valid()
    assert none.written() == []
