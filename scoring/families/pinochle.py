"""Pinochle with an auction on pages and paper, for partners and for three: melds as pictures, the forms, the columns
of a card and the boxes of a printed one. Its sentences are in `pinochle_words`, which the game for two shares."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _now, gettext_lazy as _, pgettext_lazy

from scoring.engine.core.family import Family
from scoring.engine.core.ledger import Problem, Score
from scoring.engine.pinochle.auction import all_bids, all_takes
from scoring.engine.pinochle.melds import (
    OF_TRUMP,
    RANKS,
    SUIT_ORDER,
    Meld,
    MeldKind,
    PinochleRules,
    PlayerMelds,
    Suit,
    all_totals,
    cards_of,
    meld_table,
    points_in_pack,
    side_points,
)
from scoring.engine.pinochle.partnership import FAMILY as PARTNERSHIP, Ending, PartnershipDeal
from scoring.engine.pinochle.three_hand import FAMILY as THREE_HAND, ThreeHandDeal
from scoring.engine.pinochle.two_hand.card import Laying
from scoring.engine.pinochle.two_hand.melds import DOUBLES, MARRIAGES
from scoring.families.deal_form import Block, DealForm, side_values
from scoring.families.family_pages import (
    FOLLOWS,
    RUNNING,
    BoxContent,
    Boxes,
    Cell,
    Column,
    Columns,
    FamilyPages,
    row_per_deal,
)
from scoring.families.pinochle_words import KIND, MULTIPLES, PROBLEMS, SUITS, WORDS
from scoring.form_parts import FigureField, Hints, compress_figures

# --- melds as pictures of cards ----------------------------------------------------------------------


TRUMP = "trump"  # the suit of a card that is of trump, whichever that is
SYMBOLS = {Suit.SPADES: "spade", Suit.HEARTS: "heart", Suit.DIAMONDS: "diamond", Suit.CLUBS: "club"}
"""Ids in static/suits.svg."""

Cards: TypeAlias = tuple[tuple[str, str], ...]
"""Ranks and symbols, left to right."""


def _meld_cards(kind: MeldKind, suit: Suit = Suit.SPADES) -> Cards:
    """Cards of trump have no suit."""
    return tuple(
        (RANKS[card % 6], TRUMP if kind in OF_TRUMP else SYMBOLS[SUIT_ORDER[card // 6]])
        for card in cards_of(kind, suit)
    )


CARDS_OF_FIGURE: dict[str, Cards] = {
    **{kind: _meld_cards(kind) for kind in MeldKind if kind is not MeldKind.MARRIAGE},
    **{suit: _meld_cards(MeldKind.MARRIAGE, suit) for suit in Suit},
}

_SINGLE: dict[str, Cards] = {
    **CARDS_OF_FIGURE,
    Laying.ADDED_KING: (("K", TRUMP),),
    Laying.ADDED_QUEEN: (("Q", TRUMP),),
    **{laying: CARDS_OF_FIGURE[suit] for laying, suit in MARRIAGES.items()},
    Laying.NINE: CARDS_OF_FIGURE[MeldKind.NINE_OF_TRUMP],
}
CARDS_OF_LAYING = {laying: _SINGLE[DOUBLES.get(laying, laying)] for laying in Laying}
"""Of two-hand pinochle; a double's cards once, as its name says that it is a double."""


@lru_cache(maxsize=128)  # the same few on every card of a hall
def render_cards(cards: Cards) -> str:
    return render_to_string("scoring/cards/form/_cards.html", {"cards": cards})


# --- what the forms share ----------------------------------------------------------------------------


FIGURES: dict[MeldKind | Suit, Promise] = {
    MeldKind.RUN: _("Runs"),
    Suit.SPADES: _("Marriages, spades"),
    Suit.HEARTS: _("Marriages, hearts"),
    Suit.DIAMONDS: _("Marriages, diamonds"),
    Suit.CLUBS: _("Marriages, clubs"),
    MeldKind.NINE_OF_TRUMP: _("Nines of trump"),
    MeldKind.ACES: _("Aces around"),
    MeldKind.KINGS: _("Kings around"),
    MeldKind.QUEENS: _("Queens around"),
    MeldKind.JACKS: _("Jacks around"),
    MeldKind.PINOCHLE: _("Pinochles"),
}
"""What a player's melds are counted by, in the order of the form; marriages by suit, in trump or not."""

BID_HINT_FACTOR = 10  # the number pad knows bids up to this many times `ask_bid_above`; the rules know no highest bid
PASSES = frozenset({"0", "p", "pass", "-", "\N{EN DASH}"})


@lru_cache(maxsize=64)
def bid_hints(rules: PinochleRules) -> Hints:
    bids = all_bids(BID_HINT_FACTOR * rules.ask_bid_above, rules)
    return Hints(can=compress_figures(bids), usual=rules.ask_bid_above)


@lru_cache(maxsize=64)
def meld_hints(rules: PinochleRules, *, partners: bool) -> Hints:
    """No meld is "usual": after 15 the pad waits, as for 150."""
    return Hints(can=compress_figures(all_totals(meld_table(rules), partners=partners)))


@lru_cache(maxsize=64)
def take_hints(rules: PinochleRules) -> Hints:
    return Hints(can=compress_figures(all_takes(rules)), whole=points_in_pack(rules))


def counting_kinds(rules: PinochleRules) -> list[MeldKind | Suit]:
    """Without nines of trump where the pack has no nines."""
    return [what for what in FIGURES if what is not MeldKind.NINE_OF_TRUMP or "9" in rules.ranks]


class Bids(forms.CharField):
    """The calls of an auction in a row: "15, pass, 17, 0".

    >>> Bids(required=False).clean("15, pass 17 p")
    (15, 0, 17, 0)
    """

    default_error_messages = {
        "unreadable": _("Write bids and passes one after the other, such as: 15, pass, 16, pass, pass.")
    }

    def clean(self, value: Any) -> tuple[int, ...]:
        """A pass is 0."""
        calls = re.split(r"[\s,;]+", super().clean(value).strip().lower())
        if calls == [""]:
            return ()
        if wrong := [call for call in calls if call not in PASSES and not re.fullmatch(r"[0-9]{1,5}", call)]:
            raise ValidationError(self.error_messages["unreadable"], code="unreadable", params={"call": wrong[0]})
        return tuple(0 if call in PASSES else int(call) for call in calls)


class PinochleForm(DealForm):
    """A deal of a pinochle in which all bid, and whose melds may be counted by name."""

    has_set_marks = True
    bidder: str  # the facts' field for who holds the bid

    def add_card_fields(self) -> None:
        self.add_choice(self.bidder, _now("Who holds the bid?"))
        self.fields["bid"] = FigureField(label=_now("Bid"), hints=bid_hints(self.rules))
        self.add_figures("meld", _now("Meld"), hints=meld_hints(self.rules, partners=self.game.per_side > 1))
        self.add_figures("take", _now("Take"), hints=take_hints(self.rules))
        self.add_choice("last_trick", _now("Who won the last trick?"), none=_now("Not noted"))

    def blocks(self) -> Iterator[Block]:
        yield Block("choice", "", (self[self.bidder],))
        yield Block("plain", "", (self["bid"],))
        for side, name in enumerate(self.sides):
            yield Block("figures", name, (self[f"meld_{side}"], self[f"take_{side}"]))
        yield Block("choice", "", (self["last_trick"],))

    def add_counting_fields(self) -> None:
        suits = [(suit.value, capfirst(str(SUITS[suit]))) for suit in Suit]
        self.add_choice("trump", _now("Trump"), choices=suits, none=_now("Not noted"), kind=Suit)
        hints = Hints(can=compress_figures(range(self.rules.copies + 1)), steps=True)
        self.fields |= {
            f"counted_{player}_{what.value}": FigureField(label=FIGURES[what], required=False, hints=hints)
            for player in range(len(self.players))
            for what in counting_kinds(self.rules)
        }

    def add_auction_fields(self) -> None:
        sides, per_side = len(self.sides), self.game.per_side  # `players` are side by side; partners sit opposite
        seats = [(seat, self.players[seat % sides * per_side + seat // sides]) for seat in range(len(self.players))]
        self.add_choice("dealer", _now("Who dealt?"), choices=seats, none=_now("Not noted"))
        self.fields["bids"] = Bids(
            label=_now("All bids, from the dealer's left"),
            required=False,
            max_length=400,
            help_text=_now("Write bids and passes one after the other, such as: 15, pass, 16, pass, pass."),
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )

    def counting_blocks(self) -> Iterator[Block]:
        yield Block("choice", "", (self["trump"],))
        for player, name in enumerate(self.players):
            rows: list[dict[str, Any]] = [
                {
                    "field": self[f"counted_{player}_{what.value}"],
                    "drawn": render_cards(CARDS_OF_FIGURE[what]),
                    "suit": what if isinstance(what, Suit) else "",  # of a marriage: a royal one if the suit is trump
                    "many": MULTIPLES.get(what.value, ())[1:],  # what two, three, ... of it are called
                }
                for what in counting_kinds(self.rules)
            ]
            yield Block("pictures", name, tuple(row["field"] for row in rows), rows)

    def auction(self) -> Iterator[Block]:
        yield Block("choice", "", (self["dealer"],))
        yield Block("plain", "", (self["bids"],))

    def require_melds(self) -> None:
        """For use in `clean`: every side's meld is needed unless it is counted. Where another side's melds are counted,
        a side without any must write 0: its melds could have been forgotten.
        """
        if not self._is_counted():
            self.require_each("meld")
            return
        written, counted = self._written_melds(), self._sides_counted()
        if None in written and any(counted):
            for side, has in enumerate(counted):
                if not has:
                    self.require(f"meld_{side}")
        if not self.errors and self._some_only_written():
            for side, (meld, points) in enumerate(zip(written, self._counted_points(), strict=True)):
                if counted[side] and meld not in (None, points):
                    words = str(PROBLEMS["counted-differs"]).format(written=meld, counted=points)
                    self.add_error(f"meld_{side}", forms.ValidationError(words, code="differs"))

    def _written_melds(self) -> list[int | None]:
        return [self.cleaned_data.get(f"meld_{side}") for side in range(len(self.sides))]

    def _melds(self) -> tuple[PlayerMelds, ...]:
        return tuple(PlayerMelds(tuple(self._melds_of(player))) for player in range(len(self.players)))

    def _sides_counted(self) -> list[bool]:
        return sides_have_melds(self._melds(), len(self.sides))

    def _is_counted(self) -> bool:
        """Whether a meld is counted, or trump is named and no total says that there were melds."""
        trump_alone = self.cleaned_data.get("trump") is not None and not any(self._written_melds())
        return trump_alone or any(self._sides_counted())

    def _some_only_written(self) -> bool:
        """Whether one side's melds are counted and another's only written. As facts have the melds of all players or of
        none, a counted side then gets its total, as if its scorer had written it.
        """
        counted = self._sides_counted()
        return any(counted) and any(meld and not has for meld, has in zip(self._written_melds(), counted, strict=True))

    def _counted_points(self) -> tuple[int, ...]:
        return side_points(self._melds(), self.rules)

    def card_facts(self, *, played: bool) -> dict[str, Any]:
        """The facts that every card has; no take where the deal wasn't `played`."""
        cleaned, totals = self.cleaned_data, self.per_side("meld")
        counted = self._melds() if self._is_counted() else ()
        if self._some_only_written():
            melds = zip(totals, self._counted_points(), strict=True)
            totals, counted = tuple(points if meld is None else meld for meld, points in melds), ()
        return {
            **{name: cleaned[name] for name in (self.bidder, "bid", "trump", "dealer", "bids")},
            "meld": () if None in totals else totals,
            "take": self.per_side("take") if played else (),
            "last_trick": cleaned["last_trick"] if played else None,
            "counted": counted,
        }

    def field_values(self, facts: Any) -> dict[str, Any]:
        """0 for a side without melds while another has some."""
        shown: dict[str, Any] = {
            name: "" if (value := getattr(facts, name)) is None else value
            for name in (self.bidder, "bid", "trump", "last_trick", "dealer")
        }
        shown["bids"] = ", ".join(str(bid) if bid else _now("pass") for bid in facts.bids)
        some = sides_have_melds(facts.counted, len(self.sides))
        shown |= {f"meld_{side}": 0 for side, has in enumerate(some) if any(some) and not has}
        for player, melds in enumerate(facts.counted):
            for meld in melds.melds:
                what: MeldKind | Suit | None = meld.kind
                if meld.kind is MeldKind.ROYAL_MARRIAGE:
                    what = facts.trump
                elif meld.kind is MeldKind.MARRIAGE:
                    what = meld.suit
                if what is not None:
                    name = f"counted_{player}_{what.value}"
                    shown[name] = shown.get(name, 0) + meld.count
        return shown | side_values(meld=facts.meld, take=facts.take)

    def _melds_of(self, player: int) -> Iterator[Meld]:
        trump = self.cleaned_data.get("trump")
        laid = []
        for what in counting_kinds(self.rules):
            if count := self.cleaned_data.get(f"counted_{player}_{what.value}"):
                if isinstance(what, MeldKind):
                    laid.append(Meld(what, None, count))
                elif what is trump:
                    laid.append(Meld(MeldKind.ROYAL_MARRIAGE, None, count))
                else:
                    laid.append(Meld(MeldKind.MARRIAGE, what, count))
        yield from sorted(laid, key=lambda meld: list(MeldKind).index(meld.kind))

    def problem_fields(self, problem: Problem) -> list[str]:
        """For counted melds: the filled-in fields of the player that the problem names, or of all."""
        if problem.field != "counted":
            return super().problem_fields(problem)
        player = dict(problem.args).get("player")
        start = "counted_" if player is None else f"counted_{int(player) - 1}_"
        names = [name for name in self.fields if name.startswith(start)]
        return [name for name in names if self[name].value() not in (None, "", 0)] or names[:1]

    def field_label(self, name: str) -> str:
        """A meld's has the player's name."""
        if name.startswith("counted_"):
            return f"{self.fields[name].label}, {self.players[int(name.split('_')[1])]}"
        return super().field_label(name)


def sides_have_melds(players: Sequence[PlayerMelds], sides: int) -> list[bool]:
    each = len(players) // sides
    return [any(player.melds for player in players[side * each : (side + 1) * each]) for side in range(sides)]


# --- the card ----------------------------------------------------------------------------------------


SET = pgettext_lazy("bid", "failed")
LOST = pgettext_lazy("meld", "lost")
NOT_PLAYED = {  # in the box of the take, by the line that says why nothing was taken
    "pinochle.conceded": pgettext_lazy("take", "conceded"),
    "pinochle.renege-set": pgettext_lazy("take", "renege"),
    "pinochle.renege-made": pgettext_lazy("take", "renege"),
    "pinochle.no-marriage": pgettext_lazy("take", "no marriage"),
}
BEFORE_DEAL = {  # also in the box of the set, by the line that says what was dealt before
    "pinochle.redealt": pgettext_lazy("set", "redeal"),
    "pinochle.deal-lost": pgettext_lazy("set", "deal lost"),
}
HEADS = (_("Bid"), pgettext_lazy("column", "Meld"), _("Total"), _("Take"), _("Failed"))


def crossed_cells(score: Score, side: int) -> tuple[int, ...]:
    if side in score.sets:
        return 1, 2, 3
    return (1,) if _meld_lost(score, side) else ()


def _meld_lost(score: Score, side: int) -> bool:
    lost = ("pinochle.meld-lost", "pinochle.renege-lost")
    return any(line.side == side and line.rule.startswith(lost) for line in score.lines)


def build_boxes(heads: Sequence[Promise], rules: Any, *notes: str, widths: Sequence[float]) -> Boxes:
    """`widths`, in millimetres: of the columns under `heads`, and of the running total."""
    columns = (Column(str(head), width) for head, width in zip((*heads, _("Running")), widths, strict=True))
    return row_per_deal(tuple(columns), rules, *notes)


def auction_pages(family: Family, form: type[PinochleForm], *, widths: Sequence[float]) -> FamilyPages:
    """With the columns of the St. Hilary card: bid, meld, total, take, set and running total for each side.

    Source: 004 (St. Hilary House Rules, version 3), last page.
    """

    def cells(deal: Any, score: Score, *, side: int) -> tuple[Cell, ...]:
        rules = [line.rule for line in score.lines]
        take = next((NOT_PLAYED[rule] for rule in rules if rule in NOT_PLAYED), None)
        taken = deal.bid if "pinochle.renege-made" in rules else 0  # what is added to the bid side's meld
        if take is None and deal.take:
            take = taken = deal.take[side]
        side_rules = [line.rule for line in score.lines if line.side == side]
        marks = [SET] if side in score.sets else [LOST] if _meld_lost(score, side) else []
        marks += [words for rule, words in BEFORE_DEAL.items() if rule in side_rules]
        was_set = ", ".join(map(str, marks)) or None
        meld = deal.meld[side] if deal.meld else _meld_by_lines(score, side)
        if side != getattr(deal, family.bid_held):
            return None, meld, None, take, was_set
        return deal.bid, meld, None if meld is None else meld + taken, take, was_set

    columns = Columns(HEADS, cells, crossed=crossed_cells)
    return FamilyPages(
        family=family,
        kind=KIND,
        words=WORDS,
        form=form,
        columns=lambda rules: columns,
        boxes=lambda rules: build_boxes(HEADS, rules, _set_note(rules), widths=widths),
        box_contents=lambda rules: (
            *(BoxContent("bid", (family.bid_held,)), BoxContent("meld"), FOLLOWS),
            *(BoxContent("take"), FOLLOWS, RUNNING),
        ),
    )


def _meld_by_lines(score: Score, side: int) -> int | None:
    """A side's meld by its score lines, for a card without a total; None if they don't say."""
    lines = [line for line in score.lines if line.side == side]
    by_name = [line.points for line in lines if line.rule.startswith("pinochle.counted-")]
    values = [value for line in lines for name, value in line.args if name == "meld" and isinstance(value, int)]
    return sum(by_name) if by_name else next(iter(values), None)


def _set_note(rules: Any) -> str:
    if rules.set_points == "reverted":
        return _now("Failed bid: cross out meld and take; the score stays the same.")
    if rules.set_points == "given":
        return _now("Failed bid: cross out meld and take; the others add the bid to their score.")
    if rules.set_points == "with-meld":
        return _now("Failed bid: cross out meld and take, and subtract the bid and the meld from the score.")
    return _now("Failed bid: cross out meld and take, and subtract the bid from the score.")


# --- for partners ------------------------------------------------------------------------------------


ENDINGS = [
    (Ending.PLAYED, _("Played out, or a lay-down that was right")),
    (Ending.RENEGE_BID_SIDE, _("The bid side reneged")),
    (Ending.RENEGE_OTHER_SIDE, _("The other side reneged")),
    (Ending.LAY_DOWN_BID_SIDE, _("The bid side laid down wrongly")),
    (Ending.LAY_DOWN_OTHER_SIDE, _("The other side laid down wrongly")),
    (Ending.CONCEDED, _("Conceded before the lead, or failed without play")),
    (Ending.NO_MARRIAGE, _("The bidder had no marriage to name trump with")),
]
TIMES = Hints(can="0-9", steps=True)


class PartnershipPinochleForm(PinochleForm):
    bidder = PARTNERSHIP.bid_held

    def add_fields(self) -> None:
        self.add_card_fields()
        rules = self.rules
        unknown = {Ending.CONCEDED: rules.concession is None, Ending.NO_MARRIAGE: not rules.no_marriage_is_set}
        self.fields["ending"] = forms.ChoiceField(
            label=_now("How the deal ended"),
            choices=[(ending, words) for ending, words in ENDINGS if not unknown.get(ending)],
            required=False,
            widget=forms.Select(attrs={"data-parts": "1"}),
        )
        self.add_counting_fields()
        self.add_auction_fields()
        for name in self._redeal_headings():
            self.add_figures(name, hints=TIMES)

    def _redeal_headings(self) -> dict[str, str]:
        """By field: deals before this one that came to nothing."""
        words = {}
        if self.rules.five_nines:
            nines = {"nines": self.rules.five_nines}
            words["redeals"] = _now("Redeals before this deal, for %(nines)d nines and no meld") % nines
        if self.rules.misdeals:
            words["deals_lost"] = _now("Deals lost before this deal, after misdeals")
        return words

    def rare_blocks(self) -> Iterator[Block]:
        yield Block("plain", "", (self["ending"],))
        for name, title in self._redeal_headings().items():
            yield Block("figures", title, self.side_fields(name))
        yield from self.auction()

    def clean(self) -> dict[str, Any]:
        """The meld is needed unless it is counted, the take unless the deal was thrown in."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        ending = Ending(cleaned.get("ending") or Ending.PLAYED)
        if ending is not Ending.NO_MARRIAGE:
            self.require_melds()
        if not ending.thrown_in:
            self.require_each("take")
        return cleaned

    def facts(self) -> PartnershipDeal:
        ending = Ending(self.cleaned_data["ending"] or Ending.PLAYED)
        return PartnershipDeal(
            ending=ending,
            redeals=self.column("redeals"),
            deals_lost=self.column("deals_lost"),
            **self.card_facts(played=not ending.thrown_in),
        )

    def field_values(self, facts: PartnershipDeal) -> dict[str, Any]:
        before = {"redeals": facts.redeals, "deals_lost": facts.deals_lost}
        shown = {f"{name}_{side}": times or None for name, of in before.items() for side, times in enumerate(of)}
        return super().field_values(facts) | shown | {"ending": facts.ending}


PARTNERSHIP_PAGES = auction_pages(PARTNERSHIP, PartnershipPinochleForm, widths=(9.0, 9.5, 10.0, 9.0, 7.5, 13.0))


# --- for three ---------------------------------------------------------------------------------------


class ThreeHandPinochleForm(PinochleForm):
    bidder = THREE_HAND.bid_held

    def add_fields(self) -> None:
        self.add_card_fields()
        self.add_choice(
            "bidder_scored",
            _now("Did the bidder win a trick with points?"),
            choices=[(1, _now("Yes")), (0, _now("No"))],
            none=_now("Not noted"),
            help_text=_now("Only needed if everything the bidder took may come from the discard."),
        )
        self.fields["conceded"] = forms.BooleanField(
            required=False,
            label=_now("The bidder conceded before the lead"),
            widget=forms.CheckboxInput(attrs={"data-parts": "1"}),
        )
        self.add_counting_fields()
        self.add_auction_fields()

    def rare_blocks(self) -> Iterator[Block]:
        yield Block("plain", "", (self["conceded"],))
        yield Block("choice", "", (self["bidder_scored"],))
        yield from self.auction()

    def clean(self) -> dict[str, Any]:
        """The meld is needed unless it is counted, the take unless the bidder conceded."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.require_melds()
        if not cleaned.get("conceded"):
            self.require_each("take")
        return cleaned

    def facts(self) -> ThreeHandDeal:
        conceded = self.cleaned_data["conceded"]
        scored = self.cleaned_data["bidder_scored"]
        return ThreeHandDeal(
            bidder_scored=None if conceded or scored is None else bool(scored),
            conceded=conceded,
            **self.card_facts(played=not conceded),
        )

    def field_values(self, facts: ThreeHandDeal) -> dict[str, Any]:
        scored = "" if facts.bidder_scored is None else int(facts.bidder_scored)
        return super().field_values(facts) | {"bidder_scored": scored, "conceded": facts.conceded}


THREE_HAND_PAGES = auction_pages(THREE_HAND, ThreeHandPinochleForm, widths=(13.0, 14.0, 14.0, 13.0, 9.0, 17.0))
