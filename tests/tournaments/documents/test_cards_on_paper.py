"""Score cards: every one whole on one sheet, large enough to write on, names never cut."""

import math
from uuid import uuid4

import pytest

from clubsite.pdf.documents import PAPERS
from scoring.cards.deals import record_deal, start_game
from scoring.cards.queries import card_of
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.hearts import HeartsDeal
from scoring.engine.trick_bids import TrickBidsDeal
from scoring.families import PAGES
from scoring.families.deal_form import EnteredDeal
from scoring.templatetags.figures import points
from tests.tournaments.documents.sheets import NAMES, card, has, pages_of, pdf_of, sizes_of
from tests.tournaments.nights import play_deals
from tournaments.documents.card_grid import fit_layout
from tournaments.documents.cards import card_pages, filled_boxes, name_size, rules_grid, width_in_ems

KINDS = [(slug, shape) for slug, rule_set in shipped().items() for shape in rule_set.shapes]
IN_ROWS = [
    (slug, shape)
    for slug, shape in KINDS
    if not PAGES[shipped()[slug].family].columns(rules_of(shipped()[slug], shape)).per_deal
]
SIZES = {"A4": (210, 297), "Letter": (216, 279)}
PAIR = Shape(2, 2)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("slug", "shape"), KINDS)
def test_every_box_is_high_enough_to_write_in_and_on_the_card(slug, shape, paper):
    layout = fit_layout(rules_grid(shipped()[slug], shape), PAPERS[paper])
    assert layout.row >= 7.5
    assert layout.grid.least_width <= layout.width
    assert layout.edges[-1] <= layout.width
    assert layout.bottom + layout.grid.foot < layout.height
    widths = [right - left for left, right in zip(layout.edges, layout.edges[1:], strict=False)]
    assert min(widths) >= 7.5


@pytest.mark.daily(4)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("slug", "shape"),
    [
        ("st-hilary-v3", PAIR),
        ("three-hand-double-pinochle", Shape(3, 1)),
        ("hand-and-foot", PAIR),
        ("hand-and-foot", Shape(5, 1)),
        ("points-only", Shape(6, 1)),
    ],
)
def test_no_card_is_split_and_none_is_missing(slug, shape, paper):
    rule_set = shipped()[slug]
    cards = [card(n, shape) for n in range(1, 6)]
    file = pdf_of(card_pages(cards, rule_set, paper=paper))
    pages = pages_of(file)
    per_sheet = fit_layout(rules_grid(rule_set, shape), PAPERS[paper]).imposition.per_sheet
    assert len(pages) == math.ceil(5 / per_sheet)
    for one in cards:
        assert [page.count(one.code) for page in pages if one.code in page] == [1]
    assert sizes_of(file) == {SIZES[paper]}
    assert all(page.count("House rules, version 1") == page.count("Signed") // shape.sides for page in pages)
    shown = NAMES[: min(shape.players, len(NAMES))]
    assert [name for name in shown if not has(pages[0], name)] == []


def test_pinochle_cards_stand_two_on_a_sheet_with_their_columns_and_rows():
    pages = pages_of(pdf_of(card_pages([card(1, PAIR), card(2, PAIR)], shipped()["st-hilary-v3"], paper="A4")))
    assert len(pages) == 1
    for head in ("Bid", "Meld", "Total", "Take", "Failed", "Running"):
        assert pages[0].count(head) >= 4  # two sides on two cards
    assert "16" in pages[0]
    assert "Game to 150. If several reach it, the bid side wins." in pages[0]


@pytest.mark.parametrize(
    ("slug", "shape", "printed", "not_printed"),
    [
        (
            "hand-and-foot",
            PAIR,
            ["first meld 50", "first meld 90", "first meld 120", "first meld 150", "Wild piles × 1,500", "Deal 4"],
            "Wild piles × 150 ",
        ),
        (
            "hand-and-foot-simpson",
            Shape(4, 1),
            ["Clean piles × 300", "Dirty piles × 100", "Red threes on the table × −500", "not tabled × −500"],
            "Wild piles",
        ),
        ("hand-and-foot-003", PAIR, ["Wild piles × 150"], "Wild piles × 1,500"),
        (
            "hand-knee-and-foot",
            PAIR,
            ["Piles of 7s × 5,000", "Piles of 5s × 3,000", "Wild piles × 2,500", "Going out 200"],
            "concealed",
        ),
        (
            "canasta",
            PAIR,
            [
                "First meld, by the side's score: 15; 50 from 0, 90 from 1,500, 120 from 3,000.",
                "Going out 100, concealed 200",
                "Natural canastas × 500",
                "Mixed canastas × 300",
            ],
            "Wild piles",
        ),
    ],
)
def test_a_card_with_melds_prints_what_its_rules_ask_and_give(slug, shape, printed, not_printed):
    (page,) = pages_of(pdf_of(card_pages([card(1, shape)], shipped()[slug], paper="A4")))
    assert [words for words in printed if words not in page] == []
    assert not_printed not in page


CANASTA = ("1", "0", "2", "0", "250", "40", "", "910", "910")


@pytest.mark.parametrize(
    ("slug", "figures", "last"),
    [
        ("st-hilary-v3", (tuple((f"{500 + n}", False) for n in range(22)),) * 12, "521"),
        ("canasta", tuple(tuple((f"{text}{deal % 8}", False) for text in CANASTA) for deal in range(16)), "9107"),
    ],
    ids=["a row a deal", "a column a deal"],
)
def test_a_card_of_more_deals_than_usual_has_room_for_each(slug, figures, last):
    (page,) = pages_of(pdf_of(card_pages([card(1, PAIR, figures)], shipped()[slug], paper="A4")))
    assert last in page


@pytest.mark.parametrize(
    ("slug", "note"),
    [
        ("whist-drive", "Game: 4 deals. All sides together have 13 in each."),
        ("euchre", "Game to 10."),
        ("five-hundred", "Game to 500. Lost at −500."),
        ("beetle", "Game: 12 deals."),
        ("cribbage", "Game: 1 deal."),
    ],
)
def test_the_card_of_points_says_what_ends_the_game(slug, note):
    rule_set = shipped()[slug]
    assert rules_grid(rule_set, rule_set.shapes[0]).note == note


def test_a_draft_says_so():
    rule_set = shipped()["st-hilary-v3"]
    (draft,) = pages_of(pdf_of(card_pages([card(1, PAIR, mark="draft")], rule_set, paper="A4")))
    (published,) = pages_of(pdf_of(card_pages([card(1, PAIR)], rule_set, paper="A4")))
    assert "draft" in draft.lower()
    assert "draft" not in published.lower()


def test_cards_of_two_shapes_go_into_one_file():
    cards = [card(1, PAIR), card(2, Shape(2, 3)), card(3, PAIR)]
    pages = pages_of(pdf_of(card_pages(cards, shipped()["hand-and-foot"], paper="A4")))
    assert sorted(sum(one.code in page for page in pages) for one in cards) == [1, 1, 1]


def test_names_are_set_smaller_rather_than_cut():
    assert name_size("Ann Abel", 40) == 11.0
    assert name_size(NAMES[0], 40) < 11.0
    for name in NAMES:
        assert width_in_ems(name) * name_size(name, 40) * 25.4 / 72 <= 40


@pytest.mark.django_db
@pytest.mark.parametrize(("slug", "shape"), IN_ROWS)
def test_a_recorded_deal_stands_in_the_boxes_of_the_card_its_points_and_total_under_their_heads(
    club, actor, rules_for, slug, shape
):
    sides = [[f"P{side}{seat}" for seat in range(shape.per_side)] for side in range(shape.sides)]
    game = start_game(club=club, rules=rules_for(slug), title="x", sides=sides)
    play_deals(game, actor)
    recorded, grid = card_of(game), rules_grid(shipped()[slug], shape)
    columns, heads = filled_boxes(recorded), [column.head for column in grid.columns]
    assert len(columns) == len(sides) * len(heads)
    (deal,) = recorded.deals
    for side in range(len(sides)):
        boxes = dict(zip(heads, columns[side * len(heads) :], strict=False))
        assert boxes["Running"] == ((points(deal.running[side]), False),)
        if "Points" in heads:
            assert boxes["Points"] == ((points(deal.points[side]), False),)


@pytest.mark.django_db
def test_a_filled_card_of_spades_has_each_bid_nil_and_the_tricks_after_it(club, actor, rules_for):
    game = start_game(club=club, rules=rules_for("spades"), title="x", sides=[["Ann", "Ben"], ["Cora", "Dan"]])
    facts = TrickBidsDeal(bids=(0, 5, 3, 4), tricks=(6, 7), nil_tricks=(1, 0, 0, 0))
    record_deal(game=game, number=1, entered=EnteredDeal(facts, sure=True), by=actor, submission=uuid4())
    first, second = (filled_boxes(card_of(game))[side * 6 : side * 6 + 5] for side in range(2))
    assert [text for ((text, _crossed),) in first] == ["0", "5", "6", "1", "1"]
    assert [text for ((text, _crossed),) in second] == ["3", "4", "7", "", "0"]


@pytest.mark.django_db
def test_a_filled_card_of_hearts_names_the_cards_taken_in_the_one_box_for_them(club, actor, rules_for):
    game = start_game(club=club, rules=rules_for("black-maria"), title="x", sides=[[name] for name in "ABCD"])
    facts = HeartsDeal(hearts=(4, 3, 6, 0), queen=0, king=2, ace=0)
    record_deal(game=game, number=1, entered=EnteredDeal(facts, sure=True), by=actor, submission=uuid4())
    columns = filled_boxes(card_of(game))
    assert [columns[4 * side + 1] for side in range(4)] == [
        (("Q A", False),),
        (("", False),),
        (("K", False),),
        (("", False),),
    ]
