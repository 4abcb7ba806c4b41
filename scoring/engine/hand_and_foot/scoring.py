"""The score of a deal of Hand and Foot, and the family of its games."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter

from scoring.engine.core.family import Family, GameChecks
from scoring.engine.core.ledger import Line, Problem, Score, Severity, against_rules, impossible, malformed, named
from scoring.engine.hand_and_foot.card import (
    ALL_BLACK_THREES,
    EXTRA,
    FIRST_TURN,
    HELD,
    HELD_RANKS,
    POT,
    RANKS,
    SPECIAL,
    UNFINISHED,
    HandAndFootDeal,
    HandAndFootRules,
    Totals,
    contradictions,
    setting_problems,
)
from scoring.engine.hand_and_foot.cards import (
    UNSCORABLE as COUNTED_UNSCORABLE,
    Limits,
    Piles,
    check_counted,
    is_concealed_hand,
    limits_of,
    side_totals,
    unreadable,
)

UNSCORABLE = frozenset(
    {"hand-and-foot.sides", "hand-and-foot.out-side", "hand-and-foot.negative", "hand-and-foot.special"}
    | {"hand-and-foot.extras", "hand-and-foot.special-hand"}
    | COUNTED_UNSCORABLE
)

COUNTS = ("clean", "dirty", "wild", "red_threes", "black_threes", "red_threes_missed", "perfect", "melded", "left")
FIGURES = attrgetter(*COUNTS)


def score(facts: HandAndFootDeal, rules: HandAndFootRules) -> Score:
    """Points of every side for one deal.

    Melded card points + pile bonuses + going out + red threes tabled - red threes not tabled - card points left.
    Source: documents 001 and 003, pagat.com "Hand and Foot", scoring.
    """
    return Score(
        rules.shape.sides,
        tuple(
            line
            for side, card in enumerate(facts.sides[: rules.shape.sides])
            for line in _side_lines(side, side_totals(card, rules), facts=facts, rules=rules)
        ),
    )


def _side_lines(side: int, card: Totals, *, facts: HandAndFootDeal, rules: HandAndFootRules) -> Iterator[Line]:
    hands = dict(rules.special_hands)
    if facts.special_hand in hands and facts.out == side:
        yield Line(side, hands[facts.special_hand], "hand-and-foot.special-hand", named(hand=facts.special_hand))
        return
    if card.melded:
        against = rules.melds_against and not card.piles
        rule = "melded-against" if against else "melded"
        yield Line(side, -card.melded if against else card.melded, f"hand-and-foot.{rule}", named(points=card.melded))
    for rule, count, each in (
        ("clean-piles", card.clean, rules.clean_pile),
        ("dirty-piles", card.dirty, rules.dirty_pile),
        ("wild-piles", card.wild, rules.wild_pile),
    ):
        if count:
            yield Line(side, count * each, f"hand-and-foot.{rule}", named(count=count, each=each))
    for (book, each), count in zip(rules.special_books, card.special, strict=False):
        if count:
            args = named(count=count, each=each)
            if book in RANKS:
                yield Line(side, count * each, "hand-and-foot.special-piles", (("rank", book), *args))
            else:
                yield Line(side, count * each, "hand-and-foot.special-book", (("field", f"{SPECIAL}{book}"), *args))
    for step, bonus in rules.piles_bonus:
        if card.piles >= step:
            yield Line(side, bonus, "hand-and-foot.piles-bonus", named(count=step, points=bonus))
    if facts.out == side:
        rule, bonus = "out", rules.out_bonus
        if facts.concealed and rules.out_concealed is not None:
            rule, bonus = "out-concealed", rules.out_concealed
        yield Line(side, bonus, f"hand-and-foot.{rule}", named(each=bonus))
    yield from _three_lines(side, card, rules=rules)
    if card.perfect and rules.perfect_bonus:
        args = named(count=card.perfect, each=rules.perfect_bonus)
        yield Line(side, card.perfect * rules.perfect_bonus, "hand-and-foot.perfect", args)
    for (name, each), count in zip(rules.extras, card.extras, strict=False):
        if count:
            args = named(field=f"{EXTRA}{name}", count=count, each=each)
            yield Line(side, count * each, "hand-and-foot.extra", args)
    if card.left:
        yield Line(side, -card.left, "hand-and-foot.left", named(points=card.left))


def _three_lines(side: int, card: Totals, *, rules: HandAndFootRules) -> Iterator[Line]:
    unmelded = rules.red_three_needs_meld and not card.melded
    sign = -1 if unmelded or card.piles < rules.threes_against else int(card.piles >= rules.threes_for)
    if rules.threes_by_count:
        for colour, count in (("red", card.red_threes), ("black", card.black_threes)):
            if count > 0:
                points = sign * rules.threes_by_count[min(count, len(rules.threes_by_count)) - 1]
                yield Line(side, points, f"hand-and-foot.{colour}-threes-together", named(count=count, points=points))
    elif count := card.red_threes:
        each = sign * rules.red_three
        rule = "red-threes"
        if sign < 0:
            rule = "red-threes-unmelded" if unmelded else "red-threes-short"
        yield Line(side, count * each, f"hand-and-foot.{rule}", named(count=count, each=each))
        if rules.red_three_count and count >= rules.red_three_count and (sign > 0 or rules.red_three_bonus_deducted):
            bonus = sign * rules.red_three_count_bonus
            yield Line(side, bonus, "hand-and-foot.red-threes-count", named(count=rules.red_three_count, points=bonus))
    if count := card.red_threes_missed:
        args = named(count=count, each=rules.red_three_missed)
        yield Line(side, count * rules.red_three_missed, "hand-and-foot.red-threes-missed", args)


def check(facts: HandAndFootDeal, rules: HandAndFootRules) -> tuple[Problem, ...]:
    """Everything wrong with a card; empty means that nothing on it contradicts the rules or the pack.

    Cards that can't be read (a rank that doesn't exist) come first. Nothing is checked against these, or against an
    impossible figure; columns beyond the sides of the game are ignored.
    """
    limits = limits_of(rules)
    unread = unreadable(facts, rules) if any(card.counted for card in facts.sides) else ()
    sides_unread = {problem.side for problem in unread}
    cards = tuple(
        side_totals(replace(card, counted=None) if side in sides_unread else card, rules)
        for side, card in enumerate(facts.sides[: rules.shape.sides])
    )
    countable = [_is_countable(card, rules) and side not in sides_unread for side, card in enumerate(cards)]
    return tuple(
        chain(
            unread,
            _card_problems(facts, rules),
            *(
                _side_problems(side, card, facts=facts, rules=rules, limits=limits, countable=countable[side])
                for side, card in enumerate(cards)
            ),
            check_counted(facts, rules, sides_unread=sides_unread) if any(card.counted for card in facts.sides) else (),
            _pack_problems(cards, limits) if all(countable) else (),
        )
    )


def _is_countable(card: Totals, rules: HandAndFootRules) -> bool:
    """Whether no figure is negative, and there are no more special books and extras than the rules have."""
    few = len(card.special) <= len(rules.special_books) and len(card.extras) <= len(rules.extras)
    return few and min(*FIGURES(card), *card.special, *card.extras) >= 0


def _piles(card: Totals) -> Piles:
    return Piles(card.clean, card.dirty, card.wild, card.special)


def _card_problems(facts: HandAndFootDeal, rules: HandAndFootRules) -> Iterator[Problem]:
    sides = rules.shape.sides
    if len(facts.sides) != sides:
        yield malformed("hand-and-foot.sides", "sides", written=len(facts.sides), sides=sides)
    if facts.out is not None and not 0 <= facts.out < sides:
        yield malformed("hand-and-foot.out-side", "out", out=facts.out + 1, sides=sides)
    if facts.concealed and (facts.out is None or rules.out_concealed is None):
        yield against_rules("hand-and-foot.not-played", "concealed", field="concealed")
    if facts.special_hand is not None and (facts.out is None or facts.special_hand not in dict(rules.special_hands)):
        yield malformed("hand-and-foot.special-hand", "special_hand")
    if rules.sequences and any(card.counted for card in facts.sides):  # of a sequence nobody says which cards it has
        yield against_rules("hand-and-foot.not-played", "counted", field="counted")
    if facts.number is not None and (facts.number < 1 or (rules.deals is not None and facts.number > rules.deals)):
        yield against_rules("hand-and-foot.number", "number", number=facts.number, deals=rules.deals or 0)


def _side_problems(
    side: int, card: Totals, *, facts: HandAndFootDeal, rules: HandAndFootRules, limits: Limits, countable: bool
) -> Iterator[Problem]:
    """Problems of one side's figures; only of their shape, unless they are `countable`."""
    yield from _figure_problems(side, card, rules=rules)
    if not countable:
        yield from _negative_problems(side, card, rules=rules)
        return
    yield from _unit_problems(side, card, limits=limits)
    if facts.special_hand_of == side:
        if card.melded or card.piles:
            yield against_rules("hand-and-foot.special-hand-melds", "melded", side=side, melded=card.melded)
        return
    yield from _extra_problems(side, card, facts=facts, rules=rules, limits=limits)
    yield from _meld_problems(side, card, facts=facts, rules=rules, limits=limits)
    yield from _going_out_problems(side, card, facts=facts, rules=rules, limits=limits)
    if facts.out == side and facts.concealed:
        yield from _concealed_problems(side, card, facts=facts, rules=rules, limits=limits)
    yield from _cards_held_problems(side, card, facts=facts, rules=rules, limits=limits)


def _negative_problems(side: int, card: Totals, *, rules: HandAndFootRules) -> Iterator[Problem]:
    written = [*zip(COUNTS, FIGURES(card), strict=True)]
    written += zip((f"{SPECIAL}{name}" for name, _ in rules.special_books), card.special, strict=False)
    written += zip((f"{EXTRA}{name}" for name, _ in rules.extras), card.extras, strict=False)
    for name, figure in written:
        if figure < 0:
            yield impossible("hand-and-foot.negative", name, side=side, field=name, written=figure)


def _figure_problems(side: int, card: Totals, *, rules: HandAndFootRules) -> Iterator[Problem]:
    """Figures for which these rules have no place, and a figure of players that is more than the side has."""
    written, books = len(card.special), len(rules.special_books)
    if written > books:
        yield malformed("hand-and-foot.special", "special", side=side, written=written, books=books)
    if (written := len(card.extras)) > (extras := len(rules.extras)):
        yield malformed("hand-and-foot.extras", "extras", side=side, written=written, known=extras)
    for name in ("red_threes", "black_threes", "red_threes_missed"):
        if getattr(card, name) and name not in rules.figures:
            yield against_rules("hand-and-foot.not-played", name, side=side, field=name)
    if card.perfect and not rules.perfect_bonus:
        yield against_rules("hand-and-foot.not-played", "perfect", side=side, field="perfect")
    elif card.perfect > (players := rules.shape.per_side):
        yield impossible("hand-and-foot.perfect-players", "perfect", side=side, written=card.perfect, players=players)


def _extra_problems(
    side: int, card: Totals, *, facts: HandAndFootDeal, rules: HandAndFootRules, limits: Limits
) -> Iterator[Problem]:
    """Extras that are too many, that a side going out can't have, or that only a side going out can have."""
    out = facts.out == side
    for (name, _points), written in zip(rules.extras, card.extras, strict=False):
        field = f"{EXTRA}{name}"
        most = limits.most_of(field) - (len(HELD_RANKS) if out and name == HELD else 0)
        if written > most:
            yield impossible("hand-and-foot.extra-many", field, side=side, field=field, most=most, written=written)
        elif written and out and name.startswith((UNFINISHED, POT)):
            yield against_rules("hand-and-foot.extra-out", field, side=side, field=field)
        elif written and not out and name in (ALL_BLACK_THREES, FIRST_TURN):
            yield against_rules("hand-and-foot.extra-not-out", field, side=side, field=field)


def _unit_problems(side: int, card: Totals, *, limits: Limits) -> Iterator[Problem]:
    for name, written in (("melded", card.melded), ("left", card.left)):
        if limits.unit and written % limits.unit:
            yield impossible(f"hand-and-foot.{name}-unit", name, side=side, unit=limits.unit, written=written)


def _meld_problems(
    side: int, card: Totals, *, facts: HandAndFootDeal, rules: HandAndFootRules, limits: Limits
) -> Iterator[Problem]:
    if card.wild and not rules.wild_melds:
        yield against_rules("hand-and-foot.no-wild-piles", "wild", side=side, wild=card.wild)
    first = rules.least_first_meld(facts.number, facts.sides[side].score_before)
    if facts.out == side and facts.concealed and not _partner_has_melded(side, card, facts=facts, rules=rules):
        first = 0
    if 0 < (melded := card.melded) < first:
        number = facts.number or 0
        yield against_rules("hand-and-foot.first-meld", "melded", side=side, number=number, least=first, melded=melded)
    if card.wild and not rules.wild_melds:
        return
    piles = _piles(card)
    if not limits.piles_fit(piles):
        yield impossible("hand-and-foot.piles", "clean", side=side, **limits.kinds(piles))
    elif melded < (least := limits.least_melded(piles) + limits.least_of_extras(card.extras)):
        kinds = limits.kinds(piles)
        yield impossible("hand-and-foot.melded-low", "melded", side=side, **kinds, least=least, melded=melded)


def _going_out_problems(
    side: int, card: Totals, *, facts: HandAndFootDeal, rules: HandAndFootRules, limits: Limits
) -> Iterator[Problem]:
    if facts.out != side:
        return
    clean, dirty, wild = rules.needs_to_go_out(facts.number)
    piles = {"clean": card.clean, "dirty": card.dirty, "wild": card.wild}
    if not rules.out_special:  # else those with a bonus of their own are needed beside
        piles = limits.kinds(_piles(card))
    if piles["clean"] < clean or piles["dirty"] < dirty or piles["wild"] < wild:
        needed = {"need_clean": clean, "need_dirty": dirty, "need_wild": wild}
        yield against_rules("hand-and-foot.out-piles", "out", side=side, **needed, **piles)
    if card.piles < rules.out_piles:
        yield against_rules("hand-and-foot.out-piles-any", "out", side=side, need=rules.out_piles, piles=card.piles)
    for (book, _), count in zip(rules.special_books, card.special, strict=True):
        if rules.out_special and not count:
            if book in RANKS:
                yield against_rules("hand-and-foot.out-special", "out", side=side, rank=book)
            else:
                yield against_rules("hand-and-foot.out-book", "out", side=side, field=f"{SPECIAL}{book}")
    alone = rules.shape.per_side == 1
    if card.left and alone:
        yield against_rules("hand-and-foot.out-left", "left", side=side, left=card.left)
    if missed := card.red_threes_missed:
        code = "hand-and-foot.out-red-threes" if alone else "hand-and-foot.out-red-threes-partner"
        severity = Severity.AGAINST_RULES if alone else Severity.UNLIKELY
        yield severity.problem(code, "red_threes_missed", side=side, missed=missed)


def _partner_has_melded(side: int, card: Totals, *, facts: HandAndFootDeal, rules: HandAndFootRules) -> bool:
    """Whether more is on the table than a player who goes out concealed can lay."""
    counted, (_least, most) = facts.sides[side].counted, rules.concealed_cards
    laid = sum(meld.cards for meld in counted.melds) if counted else 0
    return max(laid, rules.pile_size * card.piles) > most


def _concealed_problems(
    side: int, card: Totals, *, facts: HandAndFootDeal, rules: HandAndFootRules, limits: Limits
) -> Iterator[Problem]:
    """One player must have laid a whole hand in one turn, a pile in it, apart from what the partners had melded.
    Source: pagat.com "Canasta", Classic Canasta."""
    (least, most), written = rules.concealed_cards, facts.sides[side]
    first = rules.least_first_meld(facts.number, written.score_before)
    alone = rules.shape.per_side == 1
    if written.counted and written.counted.melds:
        possible = is_concealed_hand(written.counted.melds, rules, partners_least=None if alone else first)
    else:
        before = _partner_has_melded(side, card, facts=facts, rules=rules)
        possible = card.piles > 0 and card.melded >= limits.least_points_of(least) and not (before and alone)
    if not possible:
        yield against_rules("hand-and-foot.concealed", "concealed", side=side, least=least, most=most)


def _cards_held_problems(
    side: int, card: Totals, *, facts: HandAndFootDeal, rules: HandAndFootRules, limits: Limits
) -> Iterator[Problem]:
    """No turn discards more cards than it takes, so of the cards dealt those that aren't on the table are held."""
    piles = _piles(card)
    if not limits.piles_fit(piles) or card.melded < limits.least_melded(piles):
        return
    on_table = card.red_threes + card.black_threes + limits.most_cards_melded(piles, card.melded)
    taken = 0 if dict(zip((name for name, _ in rules.extras), card.extras, strict=False)).get(POT) else rules.pot
    held = (dealt := rules.dealt + taken) - on_table
    least = limits.least_points_of(held - card.red_threes_missed)
    if card.left < least:
        cards = {"dealt": dealt, "melded_cards": on_table, "held": held}
        yield impossible("hand-and-foot.left-low", "left", side=side, **cards, least=least, left=card.left)
        return
    holders = rules.shape.per_side - (facts.out == side)
    least = limits.least_left(out=facts.out == side, missed=card.red_threes_missed)
    least = max(least, limits.least_held(card.extras))
    if card.left < least:
        yield against_rules("hand-and-foot.left-none", "left", side=side, holders=holders, least=least, left=card.left)


def _pack_problems(cards: tuple[Totals, ...], limits: Limits) -> Iterator[Problem]:
    red_threes = sum(card.red_threes + card.red_threes_missed for card in cards)
    if red_threes > limits.red_threes:
        yield impossible("hand-and-foot.red-threes-pack", "red_threes", most=limits.red_threes, written=red_threes)
    black_threes = sum(card.black_threes for card in cards)
    if black_threes > (most := limits.black_threes):
        yield impossible("hand-and-foot.black-threes-pack", "black_threes", most=most, written=black_threes)
    of_each = [_piles(card) for card in cards]
    together = Piles(
        sum(piles.clean for piles in of_each),
        sum(piles.dirty for piles in of_each),
        sum(piles.wild for piles in of_each),
        tuple(map(sum, zip(*(piles.special for piles in of_each), strict=True))),
    )
    melded, left = sum(card.melded for card in cards), sum(card.left for card in cards)
    kinds = limits.kinds(together)
    if not limits.piles_fit(together):
        if all(map(limits.piles_fit, of_each)):
            yield impossible("hand-and-foot.piles-together", "sides", **kinds)
    elif melded < (least := limits.least_melded(together)) and all(
        card.melded >= limits.least_melded(piles) for card, piles in zip(cards, of_each, strict=True)
    ):
        yield impossible("hand-and-foot.melded-together", "melded", **kinds, least=least, melded=melded)
    if (written := melded + left) > (most := limits.pack_points):
        yield impossible("hand-and-foot.pack-points", "left", most=most, melded=melded, left=left, written=written)


class _GameChecks(GameChecks):
    def needs_scores(self, facts: HandAndFootDeal, rules: HandAndFootRules) -> bool:
        return bool(rules.first_meld_scores)

    def needs_place(self, facts: HandAndFootDeal, rules: HandAndFootRules) -> bool:
        by_place = bool(rules.first_meld) and not rules.first_meld_scores
        return by_place or bool(rules.out_clean_by_deal or rules.out_dirty_by_deal)

    def add_context(
        self, facts: HandAndFootDeal, rules: HandAndFootRules, *, before: Sequence[int] | None, place: int | None
    ) -> HandAndFootDeal:
        """The card with the scores or the place that its first meld depends on. A number later than `place` stays, and
        so does one that no deal can have."""
        if rules.first_meld_scores and before is not None:
            sides = tuple(
                replace(card, score_before=before[side]) if card.score_before is None and side < len(before) else card
                for side, card in enumerate(facts.sides)
            )
            facts = replace(facts, sides=sides)
        if place is None or not self.needs_place(facts, rules) or not _is_deal_number(place, rules):
            return facts
        late = facts.number is not None and (facts.number >= place or not _is_deal_number(facts.number, rules))
        return facts if late else replace(facts, number=place)

    def noted_place(self, facts: HandAndFootDeal, rules: HandAndFootRules) -> int | None:
        return facts.number if self.needs_place(facts, rules) and _is_deal_number(facts.number, rules) else None


def _is_deal_number(number: int | None, rules: HandAndFootRules) -> bool:
    return number is not None and number >= 1 and (rules.deals is None or number <= rules.deals)


FAMILY = Family(
    slug="hand-and-foot",
    rules=HandAndFootRules,
    facts=HandAndFootDeal,
    check=check,
    score=score,
    unscorable=UNSCORABLE,
    setting_problems=setting_problems,
    contradictions=contradictions,
    game_checks=_GameChecks(),
)
