"""What the entry forms of pinochle share: melds counted by name, trump, the dealer and the bids.

All of it may stay empty: a card has the totals. Melds that are counted make the total where none is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.engine.core.ledger import Problem
from scoring.engine.pinochle.cards import PinochleRules, meld_table, points_in_pack
from scoring.engine.pinochle.checks import all_bids, all_takes
from scoring.engine.pinochle.meld_points import MeldKind, Suit
from scoring.engine.pinochle.named_melds import Meld, PlayerMelds, points_of_sides
from scoring.engine.pinochle.possible_totals import all_totals
from scoring.families.deal_form import Block, DealForm
from scoring.families.pinochle.pictures import PictureBlock, pictured
from scoring.families.pinochle.words import PROBLEMS, SUITS
from scoring.form_parts import FigureField, Hints, in_rows, shared

FIGURES: dict[MeldKind | Suit, Promise] = {
    MeldKind.RUN: gettext_lazy("Runs"),
    Suit.SPADES: gettext_lazy("Marriages, spades"),
    Suit.HEARTS: gettext_lazy("Marriages, hearts"),
    Suit.DIAMONDS: gettext_lazy("Marriages, diamonds"),
    Suit.CLUBS: gettext_lazy("Marriages, clubs"),
    MeldKind.NINE_OF_TRUMP: gettext_lazy("Nines of trump"),
    MeldKind.ACES: gettext_lazy("Aces around"),
    MeldKind.KINGS: gettext_lazy("Kings around"),
    MeldKind.QUEENS: gettext_lazy("Queens around"),
    MeldKind.JACKS: gettext_lazy("Jacks around"),
    MeldKind.PINOCHLE: gettext_lazy("Pinochles"),
}
"""What a player's melds are counted by, in the order of the form: the marriages by suit, in trump or not."""

# No bid is too high by the rules; the number pad knows bids up to so many times the one that the form asks about.
MOST_ASKED = 10
PASSES = frozenset({"0", "p", "pass", "-", "\N{EN DASH}"})


@lru_cache(maxsize=64)
def bid_hints(rules: PinochleRules) -> Hints:
    """What can be bid, up to `MOST_ASKED` times the bid above which the form asks once more."""
    bids = all_bids(MOST_ASKED * rules.ask_bid_above, rules)
    return Hints(can=in_rows(bids), usual=rules.ask_bid_above)


@lru_cache(maxsize=64)
def meld_hints(rules: PinochleRules, *, partners: bool) -> Hints:
    """What one player, or two partners together, can meld. None is "usual": after 15 the pad waits, as for 150."""
    return Hints(can=in_rows(all_totals(meld_table(rules), partners=partners)))


@lru_cache(maxsize=64)
def take_hints(rules: PinochleRules) -> Hints:
    """What a side can take, and what all sides take together when a deal is played out."""
    return Hints(can=in_rows(all_takes(rules)), whole=points_in_pack(rules))


def counted_by(rules: PinochleRules) -> list[MeldKind | Suit]:
    """What each player's melds are counted by; without nines of trump where the pack has no nines."""
    return [what for what in FIGURES if what is not MeldKind.NINE_OF_TRUMP or "9" in rules.ranks]


@lru_cache(maxsize=64)
def meld_fields(rules: PinochleRules, players: int) -> Mapping[str, forms.Field]:
    """How many of each meld each player laid down."""
    hints = Hints(can=in_rows(range(rules.copies + 1)), steps=True)
    return shared(
        {
            f"counted_{player}_{what.value}": FigureField(label=FIGURES[what], required=False, hints=hints)
            for player in range(players)
            for what in counted_by(rules)
        }
    )


class Bids(forms.CharField):
    """The calls of an auction in a row: "15, pass, 17, 0".

    >>> Bids(required=False).clean("15, pass 17 p")
    (15, 0, 17, 0)
    """

    default_error_messages = {
        "unreadable": gettext_lazy("Write bids and passes one after the other, such as: 15, pass, 16, pass, pass.")
    }

    def clean(self, value: Any) -> tuple[int, ...]:
        """The calls, a pass as 0. Raises ValidationError for anything that isn't a bid or a pass."""
        calls = re.split(r"[\s,;]+", super().clean(value).strip().lower())
        if calls == [""]:
            return ()
        if wrong := [call for call in calls if call not in PASSES and not re.fullmatch(r"[0-9]{1,5}", call)]:
            raise ValidationError(self.error_messages["unreadable"], code="unreadable", params={"call": wrong[0]})
        return tuple(0 if call in PASSES else int(call) for call in calls)


class PinochleForm(DealForm):
    """One deal of a pinochle in which all bid, and whose melds may be counted by name."""

    bidder: str  # the facts' field for who holds the bid

    def add_card_fields(self) -> None:
        """Who holds the bid, the bid, each side's meld and take, and who won the last trick."""
        self.pick(self.bidder, _("Who holds the bid?"))
        self.fields["bid"] = FigureField(label=_("Bid"), hints=bid_hints(self.rules))
        melds = meld_hints(self.rules, partners=self.game.per_side > 1)
        self.figure("meld", _("Meld"), required=False, hints=melds)
        self.figure("take", _("Take"), required=False, hints=take_hints(self.rules))
        self.pick("last_trick", _("Who won the last trick?"), none=_("Not noted"))

    def blocks(self) -> Iterator[Block]:
        """As the card reads: the bid, then each side's figures, then the last trick."""
        yield Block("choice", "", (self[self.bidder],))
        yield Block("plain", "", (self["bid"],))
        for side, name in enumerate(self.sides):
            yield Block("figures", name, (self[f"meld_{side}"], self[f"take_{side}"]))
        yield Block("choice", "", (self["last_trick"],))

    def add_counting_fields(self) -> None:
        """Trump, and each player's melds by name."""
        suits = [(suit.value, capfirst(str(SUITS[suit]))) for suit in Suit]
        self.pick("trump", _("Trump"), choices=suits, none=_("Not noted"), kind=Suit)
        self.fields |= meld_fields(self.rules, len(self.players))

    def add_auction_fields(self) -> None:
        """Who dealt, and the bids."""
        seats = [(seat, self.players[self._place_of_seat(seat)]) for seat in range(len(self.players))]
        self.pick("dealer", _("Who dealt?"), choices=seats, none=_("Not noted"))
        self.fields["bids"] = Bids(
            label=_("All bids, from the dealer's left"),
            required=False,
            max_length=400,
            help_text=_("Bids and passes one after the other, such as: 15, pass, 16, pass, pass."),
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )

    def _place_of_seat(self, seat: int) -> int:
        """The place among `players` of who sits there: partners sit opposite."""
        return seat % len(self.sides) * self.game.per_side + seat // len(self.sides)

    def counting(self) -> Iterator[Block]:
        """Trump, then each player's melds."""
        yield Block("choice", "", (self["trump"],))
        for player, name in enumerate(self.players):
            rows = tuple(pictured(self[f"counted_{player}_{what.value}"], what) for what in counted_by(self.rules))
            yield PictureBlock("pictures", name, tuple(row.field for row in rows), rows)

    def auction(self) -> Iterator[Block]:
        """The dealer and the bids."""
        yield Block("choice", "", (self["dealer"],))
        yield Block("plain", "", (self["bids"],))

    def require_melds(self) -> None:
        """Ask for every side's meld but what is counted; for use in `clean`. Of a side that has none counted while
        another has, 0 says that it melded nothing: it could have been forgotten.
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
            for side, (meld, made) in enumerate(zip(written, self._made(), strict=True)):
                if counted[side] and meld not in (None, made):
                    words = str(PROBLEMS["pinochle.counted-differs"]).format(written=meld, counted=made)
                    self.add_error(f"meld_{side}", forms.ValidationError(words, code="differs"))

    def _written_melds(self) -> list[int | None]:
        return [self.cleaned_data.get(f"meld_{side}") for side in range(len(self.sides))]

    def _melds(self) -> tuple[PlayerMelds, ...]:
        """Every player's melds, as they are counted."""
        return tuple(PlayerMelds(tuple(self._melds_of(player))) for player in range(len(self.players)))

    def _sides_counted(self) -> list[bool]:
        """For each side, whether melds of its players are counted."""
        return having_melds(self._melds(), len(self.sides))

    def _is_counted(self) -> bool:
        """Whether melds are counted: one is, or trump is named and no total says that there were any."""
        trump_alone = self.cleaned_data.get("trump") is not None and not any(self._written_melds())
        return trump_alone or any(self._sides_counted())

    def _some_only_written(self) -> bool:
        """Whether the melds of one side are counted and another's only written. Facts have the melds of all players or
        of none: then what is counted makes that side's total, as if its scorer had written it.
        """
        counted = self._sides_counted()
        return any(counted) and any(meld and not has for meld, has in zip(self._written_melds(), counted, strict=True))

    def _made(self) -> tuple[int, ...]:
        """What the counted melds of each side make."""
        return points_of_sides(self._melds(), self.rules)

    def card_facts(self, *, played: bool) -> dict[str, Any]:
        """The facts that stand on every such card; without a take where the deal wasn't `played`."""
        cleaned, totals = self.cleaned_data, self.per_side("meld")
        counted = self._melds() if self._is_counted() else ()
        if self._some_only_written():
            totals = tuple(made if meld is None else meld for meld, made in zip(totals, self._made(), strict=True))
            counted = ()
        return {
            **{name: cleaned[name] for name in (self.bidder, "bid", "trump", "dealer", "bids")},
            "meld": () if None in totals else totals,
            "take": self.per_side("take") if played else (),
            "last_trick": cleaned["last_trick"] if played else None,
            "counted": counted,
        }

    def _melds_of(self, player: int) -> Iterator[Meld]:
        trump = self.cleaned_data.get("trump")
        laid = []
        for what in counted_by(self.rules):
            if count := self.cleaned_data.get(f"counted_{player}_{what.value}"):
                if isinstance(what, MeldKind):
                    laid.append(Meld(what, None, count))
                elif what is trump:
                    laid.append(Meld(MeldKind.ROYAL_MARRIAGE, None, count))
                else:
                    laid.append(Meld(MeldKind.MARRIAGE, what, count))
        yield from sorted(laid, key=lambda meld: list(MeldKind).index(meld.kind))

    def fields_of(self, problem: Problem) -> list[str]:
        """For melds counted by name, the fields that are filled in: of the player that the problem names, or of all."""
        if problem.field != "counted":
            return super().fields_of(problem)
        player = dict(problem.args).get("player")
        start = "counted_" if player is None else f"counted_{int(player) - 1}_"
        names = [name for name in self.fields if name.startswith(start)]
        return [name for name in names if self[name].value() not in (None, "", 0)] or names[:1]

    def name_of(self, name: str) -> str:
        """A field's label; of a meld with the player's name."""
        if name.startswith("counted_"):
            return f"{self.fields[name].label}, {self.players[int(name.split('_')[1])]}"
        return super().name_of(name)


def having_melds(players: Sequence[PlayerMelds], sides: int) -> list[bool]:
    """For each side, whether one of its players has melds."""
    each = len(players) // sides
    return [any(player.melds for player in players[side * each : (side + 1) * each]) for side in range(sides)]


def shown_melds(trump: Suit | None, counted: Sequence[PlayerMelds], *, sides: int) -> dict[str, Any]:
    """Field name to value, for trump and the melds recorded; 0 for a side without melds while another has some."""
    shown: dict[str, Any] = {"trump": "" if trump is None else trump.value}
    some = having_melds(counted, sides)
    shown |= {f"meld_{side}": 0 for side, has in enumerate(some) if any(some) and not has}
    for player, melds in enumerate(counted):
        for meld in melds.melds:
            what: MeldKind | Suit | None = meld.kind
            if meld.kind is MeldKind.ROYAL_MARRIAGE:
                what = trump
            elif meld.kind is MeldKind.MARRIAGE:
                what = meld.suit
            if what is not None:
                name = f"counted_{player}_{what.value}"
                shown[name] = shown.get(name, 0) + meld.count
    return shown


def shown_card(facts: Any, *, sides: int) -> dict[str, Any]:
    """Field name to value, for the facts that stand on every card (`PinochleForm.card_facts`) but who bid."""
    shown = {name: "" if getattr(facts, name) is None else getattr(facts, name) for name in ("last_trick", "dealer")}
    shown |= {"bid": facts.bid, "bids": ", ".join(str(bid) if bid else _("pass") for bid in facts.bids)}
    shown |= shown_melds(facts.trump, facts.counted, sides=sides)
    shown |= {f"meld_{side}": points for side, points in enumerate(facts.meld)}
    return shown | {f"take_{side}": points for side, points in enumerate(facts.take)}
