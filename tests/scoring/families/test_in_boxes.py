"""What a printed box says of a deal: the fields of the form that a card can be read into."""

from random import Random

import pytest

from lab.digits.made_up import blank_card, write_game
from scoring.engine.core.ruleset import shipped
from scoring.families import PAGES
from scoring.families.family_pages import WRITTEN
from scoring.templatetags.figures import cell as shown

pytestmark = pytest.mark.django_db  # a form may ask for the deals that are void
OFFERS = [(slug, shape) for slug, rule_set in shipped().items() for shape in rule_set.shapes]


@pytest.mark.parametrize(("slug", "shape"), OFFERS, ids=str)
def test_every_printed_box_says_what_stands_in_it(slug, shape):
    card = blank_card(slug, shape)
    pages, rules = PAGES[card.game.rules.family.slug], card.game.engine_rules
    boxes, box_contents = pages.boxes(rules), pages.box_contents(rules)
    assert len(box_contents) == len(boxes.leads if card.per_deal else boxes.columns)
    assert box_contents[-1].field == WRITTEN
    fields = pages.form(game=card.game, number=1).fields
    for in_box in box_contents:
        assert fields.keys() >= set(in_box.who)
        own = {in_box.field} if in_box.who else {f"{in_box.field}_{side.number}" for side in card.sides}
        assert not in_box.field or fields.keys() >= own
        assert all(name in fields or f"{name}_0" in fields for name in in_box.shows)


@pytest.mark.parametrize(("slug", "shape"), OFFERS, ids=str)
def test_what_is_written_on_a_card_is_what_its_fields_say(slug, shape):
    card = blank_card(slug, shape)
    pages, rules = PAGES[card.game.rules.family.slug], card.game.engine_rules
    form, columns, box_contents = pages.form(game=card.game, number=1), pages.columns(rules), pages.box_contents(rules)
    for line in write_game(card, Random(f"{slug} {shape}")):
        values = form.field_values(line.facts)
        for side, points in enumerate(line.score.totals):
            cells = columns.cells(line.facts, line.score, side=side)
            on_paper = columns.on_paper(line.facts, side=side, cells=cells, points=points)
            written = [*((*cells, points) if card.per_deal else on_paper), None]
            for in_box, cell in zip(box_contents, written, strict=True):
                own = [name for name in in_box.who if values.get(name) == side]
                name = in_box.field if in_box.who else f"{in_box.field}_{side}"
                if in_box.who:
                    assert bool(shown(cell)) >= bool(own)
                    assert bool(shown(cell)) <= bool(own or in_box.shows)
                if isinstance(cell, int) and in_box.field:
                    assert values.get(name, cell) == cell  # melds that are counted have no field of their own
