"""Hand and Foot on pages and paper: a column for each deal and a row for each item, for each side."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.engine.core.ledger import Score
from scoring.engine.hand_and_foot.card import SPECIAL, HandAndFootDeal, HandAndFootRules
from scoring.engine.hand_and_foot.counted_cards import totals_of
from scoring.engine.hand_and_foot.family import FAMILY
from scoring.families.boxes import Boxes, Column
from scoring.families.family_pages import Cell, Columns, FamilyPages
from scoring.families.hand_and_foot.form import HandAndFootForm
from scoring.families.hand_and_foot.words import WORDS, figure_name, own_words
from scoring.templatetags.figures import points

DEALS = 6  # columns of a card where no number of deals ends a game: Canasta took at most 9


def _columns(rules: HandAndFootRules) -> Columns:
    own = own_words(rules)

    def cells(deal: HandAndFootDeal, score: Score, *, side: int) -> tuple[Cell, ...]:
        card = totals_of(deal.sides[side], rules)
        out = _("concealed") if deal.concealed else pgettext_lazy("went out", "out")
        return (*(card.figure(name, rules) for name in rules.figures), out if deal.out == side else None)

    return Columns((*(figure_name(name, own) for name in rules.figures), _("Went out")), cells, per_deal=True)


def _boxes(rules: HandAndFootRules) -> Boxes:
    shape = rules.shape
    deals = rules.deals or DEALS
    least = max(9.0, min(18.0, 210.0 / (shape.sides * deals)))
    narrow, own = least < 15.0, own_words(rules)
    items = [f"{figure_name(name, own)}{_worth(name, rules)}" for name in rules.figures]
    if rules.out_concealed is None:
        items.append(_now("Going out") + f"  {points(rules.out_bonus)}")
    else:
        both = {"out": points(rules.out_bonus), "concealed": points(rules.out_concealed)}
        items.append(_now("Going out  %(out)s, concealed %(concealed)s") % both)
    deal, minimum = (_now("%(n)d"), "%(n)d") if narrow else (_now("Deal %(n)d"), _now("first meld %(n)d"))
    by_score = bool(rules.first_meld_scores)
    return Boxes(
        leads=(*items, _now("Points"), _now("Running")),
        lead_width=47.0,
        columns=tuple(
            Column(deal % {"n": n}, least, "" if by_score else minimum % {"n": rules.least_first_meld(n)})
            for n in range(1, deals + 1)
        ),
        sides=shape.sides,
        per_side=shape.per_side,
        lead_head=_now("Deal, and points for the first meld") if narrow and not by_score else "",
        strong=(len(items), len(items) + 1),
        sign=_now("Signed"),
        note=_first_melds(rules) if by_score else "",
    )


def _worth(name: str, rules: HandAndFootRules) -> str:
    """What each of a figure of a side's column is worth."""
    each = {
        "clean": rules.clean_pile,
        "dirty": rules.dirty_pile,
        "wild": rules.wild_pile,
        "red_threes": rules.red_three,
        "red_threes_missed": rules.red_three_missed,
        "perfect": rules.perfect_bonus,
        **{f"{SPECIAL}{rank}": bonus for rank, bonus in rules.special_books},
    }
    if name in each:
        return f"  × {points(each[name])}"
    return " (−)" if name == "left" else ""


def _first_melds(rules: HandAndFootRules) -> str:
    """What a side's first meld needs, by its score: "First meld: 15; 50 from 0, 90 from 1,500, 120 from 3,000."."""
    least, *more = rules.first_meld
    steps = [
        _now("%(points)s from %(score)s") % {"points": points(figure), "score": points(score)}
        for figure, score in zip(more, rules.first_meld_scores, strict=False)
    ]
    return _now("First meld, by the side's score: %(least)s; %(more)s.") % {
        "least": points(least),
        "more": ", ".join(steps),
    }


def _before_deal(rules: HandAndFootRules, *, place: int, totals: Mapping[str, int]) -> str:
    """What the first meld of the deal needs: of every side, or where it goes by the scores of each."""
    least = {name: rules.least_first_meld(place, total) for name, total in totals.items()}
    if not rules.first_meld:
        return ""
    same = len(set(least.values())) == 1
    needed = [points(figure) if same else f"{name} {points(figure)}" for name, figure in least.items()]
    return _now("First meld: %(points)s.") % {"points": ", ".join(needed[:1] if same else needed)}


PAGES = FamilyPages(
    family=FAMILY,
    kind=_("Hand and Foot"),
    words=WORDS,
    form=HandAndFootForm,
    columns=_columns,
    boxes=_boxes,
    before_deal=_before_deal,
)
