"""What the number pad is told of a figure: no figure of a true deal is among those that it dims."""

import re
from random import Random

import pytest

from lab.simulation.deals import PLAYS_BOTH, true_deal
from scoring.cards.deals import start_game
from scoring.engine.core.ruleset import shipped
from scoring.engine.pinochle.two_hand.melds import can_lay
from scoring.families import PAGES
from scoring.families.deal_form import DealAt
from scoring.form_parts import in_rows

pytestmark = pytest.mark.django_db

DEALS = 12
NAMES = ("Ann", "Bob", "Cal", "Dee", "Eve", "Flo")


def out_of_rows(told):
    """The figures that `in_rows` told, read as static/hand.js reads them."""
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
    assert out_of_rows(in_rows(figures)) == set(figures)


def form_of(rules_for, slug):
    rules = rules_for(slug)
    shape = rules.rule_set.shapes[0]
    sides = [list(NAMES[side * shape.per_side :][: shape.per_side]) for side in range(shape.sides)]
    game = start_game(club=rules.club, rules=rules, title="Table 1", sides=sides)
    return PAGES[rules.family.slug].form(at=DealAt(game, [" & ".join(s) for s in sides], 1))


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_no_figure_of_a_true_deal_is_dimmed(slug, rules_for):
    form = form_of(rules_for, slug)
    family, dimmed = form.game.rules.family, {}
    told = {name: out_of_rows(can) for name, f in form.fields.items() if (can := f.widget.attrs.get("data-can"))}
    for seed in range(DEALS):
        deals = (true_deal(family, Random(seed), form.rules, deals_before=seed % 3),)
        if play_both := PLAYS_BOTH.get(family.slug):
            deals = play_both(Random(seed), form.rules, deals_before=seed % 3)
        shown = {}
        for facts in deals:
            shown |= {name: figure for name, figure in form.initial_of(facts).items() if figure is not None}
        dimmed |= {name: figure for name, figure in shown.items() if name in told and figure not in told[name]}
    assert dimmed == {}


def test_a_take_of_st_hilary_shares_twenty_five(rules_for):
    form = form_of(rules_for, "st-hilary-v3")
    assert form.fields["take_0"].widget.attrs["data-whole"] == "25"
    assert out_of_rows(form.fields["take_1"].widget.attrs["data-can"]) == set(range(26))
    bids = out_of_rows(form.fields["bid"].widget.attrs["data-can"])
    assert min(bids) == 15
    assert form.fields["bid"].widget.attrs["data-usual"] == "60"


def test_takes_that_share_no_known_whole_are_told_none(publish):
    """Where the cards taken before the last draw don't count, nobody knows what the takes come to."""
    form = form_of(lambda slug: publish(slug, meld_play_tricks_count=False), "fletcher-two-hand")
    assert "data-whole" not in form.fields["take_0"].widget.attrs
    assert "data-can" in form.fields["take_0"].widget.attrs


@pytest.mark.parametrize("slug", ["fletcher-two-hand", "two-hand-pinochle-classic"])
def test_melds_for_two_are_told_as_the_check_takes_them(slug, rules_for):
    """From zero to beyond the highest: what the check lets one player lay, and nothing else."""
    form = form_of(rules_for, slug)
    told = out_of_rows(form.fields["meld_0"].widget.attrs["data-can"])
    assert told == {points for points in range(2 * max(told)) if can_lay(points, form.rules)}
    assert max(told) < 5000
    if form.rules.bidding:
        assert min(out_of_rows(form.fields["bid"].widget.attrs["data-can"])) == form.rules.opening_bid
