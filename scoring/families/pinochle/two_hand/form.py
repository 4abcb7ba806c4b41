"""The entry form of two-hand pinochle: contract, meld, take and last draw; melds one by one, penalties, a claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.engine.core.ledger import Problem
from scoring.engine.pinochle.meld_points import Suit
from scoring.engine.pinochle.two_hand.card import Guess, LastDraw, Laying, TwoHandDeal, TwoHandEnding
from scoring.engine.pinochle.two_hand.possible_totals import all_totals
from scoring.families.deal_form import Block, DealForm
from scoring.families.pinochle.form import bid_hints, take_hints
from scoring.families.pinochle.pictures import OF_LAYING, LaidBlock, drawn
from scoring.families.pinochle.two_hand.words import LAYINGS
from scoring.families.pinochle.words import SUITS
from scoring.form_parts import FigureField, Hints, in_rows

PLACES = 12  # melds that can be written one by one

DRAWS = {
    LastDraw.OTHER: gettext_lazy("Another card"),
    LastDraw.NINE: gettext_lazy("A nine"),
    LastDraw.NINE_OF_TRUMP: gettext_lazy("Nine of trump"),
    LastDraw.NINE_PUT_BACK: gettext_lazy("Nine of trump, put there by the same player"),
    LastDraw.JACK_OF_CLUBS: gettext_lazy("Jack of clubs"),
}
ENDINGS = [
    (TwoHandEnding.PLAYED, gettext_lazy("Played out and counted")),
    (TwoHandEnding.CLAIM, gettext_lazy("A player claimed the game")),
    (TwoHandEnding.CHALLENGE, gettext_lazy("The bidder claimed the game and was challenged")),
]
PENALTIES = {
    "undeclared_nine": gettext_lazy("Didn't declare a nine of trump"),
    "revoked": gettext_lazy("Revoked: didn't follow, head or trump"),
    "cards_wrong": gettext_lazy("Cards too few or too many"),
    "cards_still_wrong": gettext_lazy("Of these still wrong after the next trick"),
    "led_early": gettext_lazy("Times led before drawing"),
}
MARKS = ("undeclared_nine", "revoked")  # the penalties that a player has or hasn't; of the others there can be several


class TwoHandPinochleForm(DealForm):
    """One deal of two-hand pinochle. What the rules don't know isn't asked for."""

    counting_summary = gettext_lazy("Write down the melds one by one")
    counting_help = gettext_lazy(
        "In the order in which they were laid. Leave the meld above empty, and it is added up. A nine of trump drawn "
        "last stands above, not here."
    )

    def add_fields(self) -> None:
        """The contract, each player's figures, then what is folded away."""
        rules = self.rules
        if rules.bidding:
            self.pick("bidder", _("Who holds the contract?"))
            self.fields["bid"] = FigureField(label=_("Bid"), hints=bid_hints(rules))
        melds = Hints(can=in_rows(all_totals(rules)))
        self.figure("meld", _("Meld"), required=False, hints=melds)
        takes = take_hints(rules) if rules.meld_play_tricks_count else replace(take_hints(rules), whole=None)
        self.figure("take", _("Take"), required=False, hints=takes)
        for side in range(len(self.sides)):
            if rules.last_draw_nine or rules.last_draw_jack:
                self._select(f"last_draw_{side}", _("Last card drawn"), choices=self._draws())
        if rules.bidding and rules.guess:
            guesses = [(Guess.NONE, _("No guess")), (Guess.RIGHT, _("Right")), (Guess.WRONG, _("Wrong"))]
            self._select("guess", _("The other player's guess of the trump"), choices=guesses)
        self.pick("last_trick", _("Who won the last trick?"), none=_("Not noted"))
        suits = [(suit, capfirst(str(SUITS[suit]))) for suit in Suit]
        self._select("trump", _("Trump"), choices=[("", _("Not noted")), *suits])
        for side in range(len(self.sides)):
            for place in range(1, self._places() + 1):
                layings = [("", "–"), *((laying, LAYINGS[laying]) for laying in self._layings())]
                self._select(f"laid{place}_{side}", _("Meld %(n)d") % {"n": place}, choices=layings)
        self._add_penalties()
        if rules.claims:
            self._select("ending", _("How the deal ended"), choices=ENDINGS)
            self.pick("claimant", _("Who claimed the game?"), none=_("Not noted"))
            self.fields["trick_won"] = forms.BooleanField(
                label=_("The claimant had won a trick with points"),
                help_text=_("Then what was taken may stay empty: after a claim nobody counts the cards."),
                required=False,
            )

    def _add_penalties(self) -> None:
        rules = self.rules
        if rules.no_trick_points_loses_meld:
            words = _("Who took no points after the last draw?")
            help_text = _("Only needed for a player who has taken points before it.")
            self.pick("no_trick_points", words, none=_("Nobody"), help_text=help_text)
        known = {
            "undeclared_nine": rules.undeclared_nine,
            "revoked": rules.revoke_loses != "nothing",
            **dict.fromkeys(("cards_wrong", "cards_still_wrong"), rules.wrong_cards),
            "led_early": rules.early_lead,
        }
        for name in PENALTIES:
            kind = forms.BooleanField if name in MARKS else FigureField
            for side, player in enumerate(self.sides if known[name] else ()):
                self.fields[f"{name}_{side}"] = kind(label=player, required=False)

    def _select(self, name: str, label: str, *, choices: Sequence[tuple[Any, Any]]) -> None:
        widget = forms.Select(attrs={"class": "form-select"} | ({"data-parts": "1"} if name == "ending" else {}))
        self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=False, widget=widget)

    def _draws(self) -> list[tuple[Any, Any]]:
        known = [draw for draw in LastDraw if draw != LastDraw.JACK_OF_CLUBS or self.rules.last_draw_jack]
        return [(draw, DRAWS[draw]) for draw in known if self.rules.last_draw_nine or "nine" not in draw]

    def _layings(self) -> list[Laying]:
        added = (Laying.ADDED_KING, Laying.ADDED_QUEEN)
        return [laying for laying in Laying if self.rules.added_to_run or laying not in added]

    def _places(self) -> int:
        """As many as the recorded card needs, at least `PLACES`."""
        recorded = (name.removeprefix("laid").split("_")[0] for name in self.initial if name.startswith("laid"))
        return max([PLACES, *map(int, recorded)])

    def blocks(self) -> Iterator[Block]:
        """As the card reads: the contract, each player's figures, the guess."""
        if "bidder" in self.fields:
            yield Block("choice", "", (self["bidder"],))
            yield Block("plain", "", (self["bid"],))
        for side, player in enumerate(self.sides):
            names = (f"meld_{side}", f"take_{side}", f"last_draw_{side}")
            yield Block("figures", player, tuple(self[name] for name in names if name in self.fields))
        if "guess" in self.fields:
            yield Block("plain", "", (self["guess"],))

    def rare(self) -> Iterator[Block]:
        """A claim, penalties, the last trick."""
        if "ending" in self.fields:
            yield Block("plain", "", (self["ending"],))
            yield Block("choice", "", (self["claimant"],))
            yield Block("plain", "", (self["trick_won"],))
        for name, title in PENALTIES.items():
            if f"{name}_0" in self.fields:
                yield Block("figures", str(title), tuple(self[f"{name}_{side}"] for side in range(len(self.sides))))
        if "no_trick_points" in self.fields:
            yield Block("choice", "", (self["no_trick_points"],))
        yield Block("choice", "", (self["last_trick"],))

    def counting(self) -> Iterator[Block]:
        """Trump, and the melds in the order in which they were laid."""
        yield Block("plain", "", (self["trump"],))
        layings = tuple((laying.value, LAYINGS[laying], drawn(OF_LAYING[laying])) for laying in self._layings())
        for side, player in enumerate(self.sides):
            fields = tuple(self[f"laid{place}_{side}"] for place in range(1, self._places() + 1))
            yield LaidBlock("laid", player, fields, layings)

    def clean(self) -> dict[str, Any]:
        """The meld is needed unless the melds are written one by one; the take unless somebody claims the game; of a
        claim whose it is, and where it was challenged what this player took."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not any(self._laid()) or any(cleaned.get(f"meld_{side}") is not None for side in range(len(self.sides))):
            self.require_each("meld")
        ending, claimant = cleaned.get("ending"), cleaned.get("claimant")
        if ending in (TwoHandEnding.CLAIM, TwoHandEnding.CHALLENGE):
            self.require("claimant")
            if ending == TwoHandEnding.CHALLENGE and claimant is not None:
                self.require(f"take_{claimant}")
        else:
            self.require_each("take")
        return cleaned

    def _laid(self) -> tuple[tuple[Laying, ...], ...]:
        names = [[f"laid{place}_{side}" for place in range(1, self._places() + 1)] for side in range(len(self.sides))]
        return tuple(tuple(Laying(found) for name in of if (found := self.cleaned_data.get(name))) for of in names)

    def facts(self) -> TwoHandDeal:
        """The deal as it stands on the card."""
        cleaned, laid = self.cleaned_data, self._laid()
        meld, take = self.per_side("meld"), self.per_side("take")
        return TwoHandDeal(
            bidder=cleaned.get("bidder"),
            bid=cleaned.get("bid"),
            trump=Suit(cleaned["trump"]) if cleaned["trump"] else None,
            meld=() if None in meld else meld,
            laid=laid if any(laid) else (),
            take=() if take.count(None) == len(take) else tuple(points or 0 for points in take),
            last_trick=cleaned["last_trick"],
            last_draw=tuple(LastDraw(draw) for draw in self.column("last_draw", LastDraw.OTHER)),
            guess=Guess(cleaned.get("guess") or Guess.NONE),
            no_trick_points=cleaned.get("no_trick_points"),
            **{name: self.column(name, False if name in MARKS else 0) for name in PENALTIES},
            ending=TwoHandEnding(cleaned.get("ending") or TwoHandEnding.PLAYED),
            claimant=cleaned.get("claimant"),
            trick_won=cleaned.get("trick_won", False),
        )

    def fields_of(self, problem: Problem) -> list[str]:
        """Problems of melds one by one stand at the meld that they name, or at the first."""
        if problem.field == "laid":
            return [f"laid{dict(problem.args).get('place', 1)}_{problem.side or 0}"]
        return super().fields_of(problem)

    @staticmethod
    def initial_of(facts: TwoHandDeal) -> dict[str, Any]:
        """What the form shows for a recorded deal."""
        whole = ("bidder", "bid", "trump", "last_trick", "no_trick_points", "ending", "claimant", "trick_won")
        shown = {name: found for name in whole if (found := getattr(facts, name)) is not None}
        if facts.guess != Guess.NONE:
            shown["guess"] = facts.guess
        for name in ("meld", "take", "last_draw", *PENALTIES):
            shown |= {f"{name}_{side}": found for side, found in enumerate(getattr(facts, name))}
        for side, layings in enumerate(facts.laid):
            shown |= {f"laid{place}_{side}": laying for place, laying in enumerate(layings, start=1)}
        return shown
