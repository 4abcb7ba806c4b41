"""Spades, oh hell and other games of bids and tricks on pages and paper."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _now, gettext_lazy as _, ngettext, ngettext_lazy as _n

from scoring.engine.core.ledger import Problem, Score
from scoring.engine.trick_bids import FAMILY, TrickBidsDeal, TrickBidsRules
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
    Words,
    row_per_deal,
)
from scoring.form_parts import FigureField, Hints, compress_figures

LINES: dict[str, Promise] = {
    "made": _("Bid of {bid} made with {tricks:tricks}"),
    "failed": _("Bid of {bid} failed with {tricks:tricks}"),
    "bags": _("Bags, tricks over the bid: {bags}"),
    "bag-penalty": _("Bags so far: {bags}; with {limit} comes the penalty"),
    "nil-made": _("Nil made"),
    "nil-failed": _("Nil failed with {tricks:tricks}"),
    "blind-made": _("Blind nil made"),
    "blind-failed": _("Blind nil failed with {tricks:tricks}"),
}

PROBLEMS: dict[str, Promise] = {
    "players": _("This column of the card has {written:figures}; this game has {players:players}."),
    "sides": _("The card has figures for {written:sides}; this game has {sides}."),
    "cards": _("No deal of this game has {cards:cards} each; the most is {most}. Check the number of cards."),
    "whole": _("The tricks add up to {written}; with {cards:cards} each there are {cards}. Count every side's again."),
    "tricks": _("{tricks:tricks} can't be taken with {cards:cards} each. Count them again."),
    "bid": _("{player} can't bid {bid} with {cards:cards} each. Check the bid."),
    "bid-together": _("The two bids come to {bid}, more than the {cards:tricks} of a deal. Is it right?"),
    "hook": _("The bids may not add up to {bids}, the number of cards. Check them, and who bid last."),
    "no-blind": _("The house rules of this game don't have blind nil. Take the mark from {player}."),
    "blind": _("{player} is marked as bidding nil blind, and bid {bid}. Check which it is."),
    "not-nil": _("{player} didn't bid nil. Leave the tricks after nil empty; they count with the side's tricks."),
    "nil-tricks": _("The side took {tricks:tricks} in all, so {took} can't be those of a nil. Count them again."),
    "nil-missing": _("{player} bid nil: write how many tricks that player took, 0 if none."),
    "nil-alone": _(
        "The card has {tricks:tricks} for a player without a partner, and {took} after nil. Leave the second empty."
    ),
    "nil-both": _("Both bid nil: the side's {tricks:tricks} must be theirs, and the card says {took}. Count again."),
}

SETTINGS = {
    "bid_points square_points made_points": "made",
    "failed failed_points failed_base": "failed",
    "bag_points": "bags",
    "bag_limit bag_penalty": "bag-penalty",
    "nil": "nil-made nil-failed",
    "blind_nil": "blind-made blind-failed no-blind",
    "hand_sizes schedule": "cards whole tricks bid bid-together",
    "hook": "hook",
}

CHOICES: dict[str, Promise] = {
    "level": _("always the most"),
    "down": _("down to one"),
    "up": _("up from one"),
    "down-up": _("down to one and up again"),
    "up-down": _("up from one and down again"),
    "tricks": _("points for each trick taken"),
    "off": _("by the tricks too many or too few"),
    "off-squared": _("by the square of the tricks too many or too few"),
    "bags": _("bags"),
}

WORDS = Words(
    prefix="trick-bids",
    lines=LINES,
    problems=PROBLEMS,
    settings=SETTINGS,
    choices=CHOICES,
    nouns={"tricks": _n("%(n)s trick", "%(n)s tricks", "number")},
)


# --- the form ----------------------------------------------------------------------------------------


USUAL_BID = 9  # a larger bid of one player is rare
KEYS = 7  # values of a bid, from 0, with a key of their own where two are asked together


class TrickBidsForm(DealForm):
    """A field of a player is called `NAMESEAT_SIDE`: `bids1_0` is the bid of the first side's second player."""

    def add_fields(self) -> None:
        rules, cards = self.rules, self._cards_each()
        can = compress_figures(range(cards + 1))
        bids = Hints(can=can, usual=USUAL_BID, keys=min(KEYS, cards + 1))
        for seat, side, player in self._seats():
            label = _now("Bid: %(player)s") % {"player": player} if rules.shape.per_side > 1 else _now("Bid")
            self.fields[f"bids{seat}_{side}"] = FigureField(label=label, hints=bids)
            if rules.shape.per_side == 2 and seat == 0:
                self.fields[f"bids{seat}_{side}"].widget.attrs["data-with"] = f"bids1_{side}"
        self.add_figures("tricks", _now("Tricks"), hints=Hints(can=can, whole=cards), required=True)
        for seat, side, player in self._seats():
            if rules.blind_nil is not None:
                self.fields[f"blind{seat}_{side}"] = forms.BooleanField(label=player, required=False)
        if has_after_nil(rules):
            self.add_figures("nil_tricks", _now("After nil"), hints=Hints(can=can, rare=True))
            for side in range(len(self.sides)):
                attrs = self.fields[f"nil_tricks_{side}"].widget.attrs
                del attrs["placeholder"]  # an empty box isn't 0 after a nil
                if rules.nil is not None:
                    attrs["data-after-nil"] = f"bids0_{side} bids1_{side}"
        if rules.schedule != "level":
            self.fields["cards"] = FigureField(label=_now("Cards of each, if not %(n)d") % {"n": cards}, required=False)

    def _seats(self) -> Iterator[tuple[int, int, str]]:
        """Seat, side and name of each player, in order of sides."""
        for number, player in enumerate(self.players):
            side, seat = divmod(number, self.rules.shape.per_side)
            yield seat, side, player

    def _cards_each(self) -> int:
        """In the form's deal; without a number, in the first."""
        if self.rules.schedule == "level":
            return int(self.rules.most_cards)
        number = int(self["number"].value() or 1)
        return int(self.rules.cards_at(max(1, number - sum(void < number for void in self.void_numbers))))

    def blocks(self) -> Iterator[Block]:
        for side, name in enumerate(self.sides):
            names = (*(f"bids{seat}_{side}" for seat in range(self.rules.shape.per_side)), f"tricks_{side}")
            fields = (*names, f"nil_tricks_{side}")
            yield Block("figures", name, tuple(self[field] for field in fields if field in self.fields))

    def rare_blocks(self) -> Iterator[Block]:
        if self.rules.blind_nil is not None:
            blind = tuple(self[f"blind{seat}_{side}"] for seat, side, _player in self._seats())
            yield Block("figures", _now("Bid nil blind"), blind)
        if "cards" in self.fields:
            yield Block("plain", "", (self["cards"],))

    def clean(self) -> dict[str, Any]:
        """An empty box isn't 0 where a partner bid nil."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for side in range(len(self.sides)):
            nils = self._nil_seats(side)
            if len(nils) > 1 and cleaned.get(f"nil_tricks_{side}") is None:
                words = _now("Both bid nil: write the tricks of %(player)s, 0 for none.")
                player = self.players[self.rules.players_of(side)[nils[0]]]
                self.add_error(f"nil_tricks_{side}", words % {"player": player})
            elif nils:
                self.require(f"nil_tricks_{side}")
        return cleaned

    def _nil_seats(self, side: int) -> list[int]:
        """The seats of a side whose player bid nil and has a partner."""
        seats = range(self.rules.shape.per_side if self.rules.shape.per_side > 1 else 0)
        bids = {seat: self.cleaned_data.get(f"bids{seat}_{side}") for seat in seats}
        blind = [self.cleaned_data.get(f"blind{seat}_{side}", False) for seat in seats]
        nil_points = (self.rules.nil, self.rules.blind_nil)
        return [seat for seat, bid in bids.items() if bid == 0 and nil_points[blind[seat]] is not None]

    def facts(self) -> TrickBidsDeal:
        seats = list(self._seats())
        blind = tuple(bool(self.cleaned_data.get(f"blind{seat}_{side}")) for seat, side, _player in seats)
        return TrickBidsDeal(
            bids=tuple(self.cleaned_data[f"bids{seat}_{side}"] for seat, side, _player in seats),
            tricks=self.per_side("tricks"),
            blind=blind if any(blind) else (),
            nil_tricks=self._nil_tricks(),
            cards=self.cleaned_data.get("cards"),
        )

    def _nil_tricks(self) -> tuple[int, ...]:
        """As written; where both partners bid nil, the second has the side's other tricks."""
        written = [self.cleaned_data.get(f"nil_tricks_{side}") for side in range(len(self.sides))]
        column: list[int] = []
        for side, tricks in enumerate(written):
            side_column, nils = [0] * self.rules.shape.per_side, self._nil_seats(side)
            side_column[nils[0] if nils else 0] = tricks or 0
            if len(nils) > 1:
                side_column[nils[-1]] = self.cleaned_data[f"tricks_{side}"] - (tricks or 0)
            column += side_column
        return tuple(column) if any(column) or any(tricks is not None for tricks in written) else ()

    def field_values(self, facts: TrickBidsDeal) -> dict[str, Any]:
        values = side_values(tricks=facts.tricks)
        for name in ("bids", "blind"):
            column = zip(self._seats(), getattr(facts, name), strict=False)
            values |= {f"{name}{seat}_{side}": value for (seat, side, _player), value in column}
        for side in range(len(self.sides) if facts.nil_tricks else 0):
            took = [facts.nil_tricks[player] for player in self.rules.players_of(side) if facts.bids[player] == 0]
            values |= {f"nil_tricks_{side}": tricks for tricks in took[:1]}
        return values | ({} if facts.cards is None else {"cards": facts.cards})

    def problem_fields(self, problem: Problem) -> list[str]:
        """A player's problem is at the player's field, one of a side at those of its players."""
        seats = list(self._seats())
        if isinstance(number := dict(problem.args).get("player"), int) and 1 <= number <= len(seats):
            seats = seats[number - 1 : number]
        fields = [f"{problem.field}{seat}_{side}" for seat, side, _player in seats if problem.side in (None, side)]
        return [field for field in fields if field in self.fields] or super().problem_fields(problem)


# --- the card ----------------------------------------------------------------------------------------


def _columns(rules: TrickBidsRules) -> Columns:
    bags = rules.bag_limit is not None

    def cells(deal: TrickBidsDeal, score: Score, *, side: int) -> tuple[Cell, ...]:
        bids = [_bid_cell(deal, player, rules=rules) for player in rules.players_of(side)]
        bid: Cell = " + ".join(map(str, bids)) if len(bids) > 1 else bids[0]
        return (bid, deal.tricks[side], *((score.carried[side],) if bags else ()))

    def on_paper(deal: TrickBidsDeal, *, side: int, cells: tuple[Cell, ...], points: int) -> tuple[Cell, ...]:
        players = rules.players_of(side)
        nil = [deal.nil_tricks[player] for player in players if deal.nil_tricks and not deal.bids[player]]
        after = (" + ".join(map(str, nil)),) if has_after_nil(rules) else ()
        return (*(deal.bids[player] for player in players), deal.tricks[side], *after, *cells[2:])

    return Columns((_("Bid"), _("Tricks"), *((_("Bags"),) if bags else ())), cells, on_paper=on_paper)


def has_after_nil(rules: TrickBidsRules) -> bool:
    """Whether a card has a box for the tricks after a partner's nil."""
    return (rules.nil, rules.blind_nil) != (None, None) and rules.shape.per_side > 1


def _bid_cell(deal: TrickBidsDeal, player: int, *, rules: TrickBidsRules) -> Cell:
    if deal.bids[player] or (rules.nil is None and not deal.is_blind(player)):
        return deal.bids[player]
    return _now("blind nil") if deal.is_blind(player) else _now("nil")


def _boxes(rules: TrickBidsRules) -> Boxes:
    columns, notes = [Column(_now("Bid"), 7.5)] * rules.shape.per_side, []
    if rules.nil is not None:
        notes.append(_now("Nil: write 0."))
    columns.append(Column(_now("Tricks"), 8.5))
    if has_after_nil(rules):
        columns.append(Column(_now("After nil"), 11.5))
    if rules.bag_limit is not None:
        columns.append(Column(_now("Bags"), 8.0))
        notes.append(_now("%(n)d bags cost %(points)d.") % {"n": rules.bag_limit, "points": rules.bag_penalty})
    if rules.schedule != "level":
        notes.append(_now("Next to each deal: how many cards each player gets."))
    boxes = row_per_deal((*columns, Column(_now("Running"), 12.0)), rules, *notes)
    if rules.schedule == "level":
        return boxes
    leads = tuple(f"{number} · {rules.cards_at(number)}" for number in range(1, len(boxes.leads) + 1))
    return replace(boxes, leads=leads, lead_width=13.0)


def _in_boxes(rules: TrickBidsRules) -> tuple[BoxContent, ...]:
    bids = tuple(BoxContent(f"bids{seat}") for seat in range(rules.shape.per_side))
    after_nil = (BoxContent("nil_tricks", optional=True),) * has_after_nil(rules)
    bags = (FOLLOWS,) * (rules.bag_limit is not None)
    blind = tuple(f"blind{seat}" for seat in range(rules.shape.per_side) if rules.blind_nil is not None)
    return (*bids, BoxContent("tricks"), *after_nil, *bags, replace(RUNNING, shows=blind))


def _before_deal(rules: TrickBidsRules, *, place: int, totals: Mapping[str, int]) -> str:
    words = []
    if rules.schedule != "level":
        cards = rules.cards_at(place)
        words.append(ngettext("Deal %(n)d card each.", "Deal %(n)d cards each.", cards) % {"n": cards})
    if rules.nil is not None and rules.shape.per_side > 1:
        words.append(_now("A bid of 0 is nil; then write the tricks of that player under “After nil”."))
    elif rules.nil is not None:
        words.append(_now("A bid of 0 is nil."))
    return " ".join(words)


PAGES = FamilyPages(
    family=FAMILY,
    kind=_("Spades and Oh Hell"),
    words=WORDS,
    form=TrickBidsForm,
    columns=_columns,
    boxes=_boxes,
    box_contents=_in_boxes,
    before_deal=_before_deal,
)
