"""Pinochle for two on pages and paper: its sentences, the form, the columns of a card, the boxes of a printed one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _now, gettext_lazy as _, pgettext_lazy

from scoring.engine.core.ledger import Problem, Score
from scoring.engine.pinochle.melds import Suit
from scoring.engine.pinochle.two_hand.card import Guess, LastDraw, Laying, TwoHandDeal, TwoHandEnding, TwoHandRules
from scoring.engine.pinochle.two_hand.melds import all_totals
from scoring.engine.pinochle.two_hand.scoring import FAMILY
from scoring.families.deal_form import Block, DealForm, side_values
from scoring.families.family_pages import FOLLOWS, RUNNING, BoxContent, Boxes, Cell, Columns, FamilyPages, Words
from scoring.families.pinochle import (
    CARDS_OF_LAYING,
    SET,
    bid_hints,
    build_boxes,
    crossed_cells,
    render_cards,
    take_hints,
)
from scoring.families.pinochle_words import KIND, MELD_VALUES, SUITS
from scoring.form_parts import FigureField, Hints, compress_figures

# --- sentences ---------------------------------------------------------------------------------------


LAYINGS: dict[str, Promise] = {
    "run": _("Run"),
    "double-run": _("Double run"),
    "added-king": _("King added to a run"),
    "added-queen": _("Queen added to a run"),
    "royal-marriage": _("Royal marriage"),
    "marriage-spades": _("Marriage in spades"),
    "marriage-hearts": _("Marriage in hearts"),
    "marriage-diamonds": _("Marriage in diamonds"),
    "marriage-clubs": _("Marriage in clubs"),
    "nine": _("Nine of trump"),
    "aces": _("Aces"),
    "double-aces": _("All eight aces"),
    "kings": _("Kings"),
    "double-kings": _("All eight kings"),
    "queens": _("Queens"),
    "double-queens": _("All eight queens"),
    "jacks": _("Jacks"),
    "double-jacks": _("All eight jacks"),
    "pinochle": _("Pinochle"),
    "double-pinochle": _("Double pinochle"),
}
"""What is laid, by the engine's names."""

LINES: dict[str, Promise] = {
    "meld": _("Meld: {meld}"),
    **{f"laid-{name}": words for name, words in LAYINGS.items()},
    "last-draw-nine": _("A nine as the last card drawn"),
    "last-draw-nine-of-trump": _("The nine of trump as the last card drawn: {nine}, and {meld} for its meld"),
    "last-draw-put-back": _("The nine drawn last was put under the stock by the same player: nothing"),
    "last-draw-jack": _("The jack of clubs as the last card drawn"),
    "take": _("Taken in play: {take}"),
    "take-last": _("Taken in play: {counters} in cards and {last} for the last trick"),
    "made": _("Contract of {bid} made with {total}"),
    "set": _(
        "Contract of {bid} not made: {total} is {short:short}. The total goes back to what it was before the deal"
    ),
    "set-awards": _(
        "Contract of {bid} not made: {total} is {short:short}. The total goes back to what it was before the deal; "
        "the bonus of {awards} goes too"
    ),
    "lost-undeclared": _("A nine of trump wasn't declared: meld {meld} and take {take} are lost"),
    "lost-revoke": _("Revoked: meld {meld} and take {take} are lost"),
    "take-lost-revoke": _("Revoked: the take of {take} is lost"),
    "lost-no-trick": _("No points taken after the last draw: the meld of {meld} is lost"),
    "guess-right": _("Guessed the trump"),
    "guess-wrong": _("The other player guessed another trump"),
    "cards-wrong": _("The other player had the wrong number of cards: {cards} counted in all"),
    "led-early": _("The other player led before drawing, times: {times}"),
    "claimed": _("Claims the game, before the cards are counted"),
    "challenged": _("Claims the game, is challenged, and makes the contract of {bid} with {total}"),
}

PROBLEMS: dict[str, Promise] = {
    "bidder": _("Press who holds the contract."),
    "bid-needed": _("Write the bid: without it nobody can tell whether the contract is made."),
    "last-trick-player": _("Press who won the last trick."),
    "not-in-rules": _("The house rules of this game don't have this. Leave it empty."),
    "meld-impossible": _("Nobody can meld {meld} from the {cards:cards} of a deal. Count the melds again."),
    "melds-together": _(
        "One pack, shared between the two players, can't give both these melds. Count them again, and check who "
        "melded what."
    ),
    "meld-differs": _(
        "The card says {written}, the melds written one by one make {counted}. Count both again, or leave the total "
        "empty."
    ),
    "added-without-run": _(
        "Meld {place} adds a king or queen to a run, but there is no run before it, or no card left to add. "
        "Check the order."
    ),
    "royal-from-run": _(
        "Meld {place} is a royal marriage, but its cards are in a run or a royal marriage already. A run gives no "
        "marriage of its own: check the order."
    ),
    "laid-too-often": _(
        "Meld {place} can't be laid again: its cards, or those of the double, are already on the table. Check the "
        "order."
    ),
    "marriage-of-trump": _("Meld {place} is a marriage in trump: write it as a royal marriage."),
    "no-trump": _("There are marriages in all four suits, but one of them is trump: a royal marriage."),
    "cards-seen": _("These melds need {needed:cards}, but a player only gets {cards} in a deal. Count them again."),
    "laid-pack": _("Both players' melds need {lacking}; the pack has {there}. Check who laid what."),
    "laid-pack-any": _("One pack can't give both players' melds, whichever suit is trump. Check who laid what."),
    "too-many-melds": _("Melds written down: {laid}. With one after each trick both players together can lay {most}."),
    "too-many-nines": _("Nines of trump counted: {nines}, more than the pack has. Count them again."),
    "undeclared-none-left": _(
        "All nines of trump were declared or drawn last, so nobody kept one back. Check who declared them, and who "
        "didn't."
    ),
    "put-back-undeclared": _("The nine that was put under the stock had been declared: write its point with the meld."),
    "put-back-twice": _("Only one player can draw the nine that was put under the stock. Check who drew it."),
    "take-over": _(
        "The two have taken {total} together; all cards and the last trick are worth {most}. Count the tricks again."
    ),
    "take-little": _("Together at least {last} is taken in the trick play, not {total}. Count again."),
    "no-trick-player": _("One of the two players must be the one who took nothing in the trick play."),
    "no-trick-last": _("The winner of the last trick has its point, so took something. Check which is right."),
    "no-trick-take": _("A player who took nothing after the last draw has at most {most}, not {take}. Check both."),
    "still-wrong": _("Cards still wrong a trick later: {still}, but none are written as wrong before. Fill in both."),
    "cards-wrong-high": _("Cards too few or too many: {cards} in one deal is rare. Is it right?"),
    "led-early-too-often": _("Leads before drawing: {times}; there are only {most:draws} in a deal."),
    "claimant": _("Press the player who claimed the game."),
    "claimant-without-claim": _("A claim of the game is noted, but the deal was played out. Check."),
    "claim-without-count": _(
        "A player who claims the game must have won a trick with points. Tick that, or write what was taken."
    ),
    "challenge-not-bidder": _("Only a player who holds the contract can be challenged. Check who claimed."),
    "claim-short": _(
        "With this deal the claimant has {total}: the game is claimed with {target}. Check the figures and the totals "
        "before, write what was taken if that was counted, or write the deal as played out."
    ),
}

SETTINGS = {
    " ".join(MELD_VALUES): "meld",
    "run": "laid-run laid-double-run",
    "added_to_run": "laid-added-king laid-added-queen added-without-run",
    "royal_marriage": "laid-royal-marriage royal-from-run",
    "marriage": "laid-marriage-spades laid-marriage-hearts laid-marriage-diamonds laid-marriage-clubs",
    "royal_marriage marriage": "marriage-of-trump no-trump",
    "nine_of_trump": "laid-nine",
    "aces_around": "laid-aces laid-double-aces",
    "kings_around": "laid-kings laid-double-kings",
    "queens_around": "laid-queens laid-double-queens",
    "jacks_around": "laid-jacks laid-double-jacks",
    "pinochle": "laid-pinochle laid-double-pinochle",
    "last_draw_nine": "last-draw-nine last-draw-put-back put-back-undeclared put-back-twice",
    "last_draw_nine nine_of_trump": "last-draw-nine-of-trump",
    "last_draw_jack": "last-draw-jack",
    "last_draw_nine last_draw_jack": "not-in-rules:last_draw",
    "counters": "take",
    "counters last_trick": "take-last take-over",
    "last_trick": "take-little",
    "bidding": "made set set-awards not-in-rules:bidder not-in-rules:bid",
    "guess": "guess-right guess-wrong not-in-rules:guess",
    "undeclared_nine": "lost-undeclared not-in-rules:undeclared_nine",
    "undeclared_nine copies": "undeclared-none-left",
    "revoke_loses": "lost-revoke take-lost-revoke not-in-rules:revoked",
    "no_trick_points_loses_meld": "lost-no-trick no-trick-last no-trick-take",
    "wrong_cards": "cards-wrong cards-wrong-high not-in-rules:cards_wrong",
    "early_lead": "led-early led-early-too-often not-in-rules:led_early",
    "claims": "claimed challenged claim-without-count challenge-not-bidder not-in-rules:ending",
    "claims target": "claim-short",
    "hand_size": "cards-seen",
    "hand_size copies": "meld-impossible",
    "copies": "melds-together laid-pack laid-pack-any",
    "copies turned_up_nine": "too-many-nines",
    "grown_double copies": "laid-too-often",
    "meld_after_last_draw": "too-many-melds",
}

WORDS = Words(prefix="two-hand", lines=LINES, problems=PROBLEMS, settings=SETTINGS)


# --- the form ----------------------------------------------------------------------------------------


PLACES = 12  # melds that can be written one by one

DRAWS = {
    LastDraw.OTHER: _("Another card"),
    LastDraw.NINE: _("A nine"),
    LastDraw.NINE_OF_TRUMP: _("Nine of trump"),
    LastDraw.NINE_PUT_BACK: _("Nine of trump, put there by the same player"),
    LastDraw.JACK_OF_CLUBS: _("Jack of clubs"),
}
ENDINGS = [
    (TwoHandEnding.PLAYED, _("Played out and counted")),
    (TwoHandEnding.CLAIM, _("A player claimed the game")),
    (TwoHandEnding.CHALLENGE, _("The bidder claimed the game and was challenged")),
]
PENALTIES = {
    "undeclared_nine": _("Didn't declare a nine of trump"),
    "revoked": _("Revoked: didn't follow, head or trump"),
    "cards_wrong": _("Cards too few or too many"),
    "cards_still_wrong": _("Of these still wrong after the next trick"),
    "led_early": _("Times led before drawing"),
}
MARKS = ("undeclared_nine", "revoked")  # penalties that a player has at most once; there can be several of the others


class TwoHandPinochleForm(DealForm):
    has_set_marks = True
    counting_summary = _("Write down the melds one by one")
    counting_help = _(
        "In the order they were laid. Leave the meld above empty and it is added up for you. A nine of trump drawn "
        "last goes above, not here."
    )

    def add_fields(self) -> None:
        rules = self.rules
        if rules.bidding:
            self.add_choice("bidder", _now("Who holds the contract?"))
            self.fields["bid"] = FigureField(label=_now("Bid"), hints=bid_hints(rules))
        self.add_figures("meld", _now("Meld"), hints=Hints(can=compress_figures(all_totals(rules))))
        takes = take_hints(rules) if rules.meld_play_tricks_count else replace(take_hints(rules), whole=None)
        self.add_figures("take", _now("Take"), hints=takes)
        if rules.last_draw_nine or rules.last_draw_jack:
            for side in range(len(self.sides)):
                self._select(f"last_draw_{side}", _now("Last card drawn"), choices=self._draws())
        if rules.bidding and rules.guess:
            guesses = [(Guess.NONE, _now("No guess")), (Guess.RIGHT, _now("Right")), (Guess.WRONG, _now("Wrong"))]
            self._select("guess", _now("The other player's guess of the trump"), choices=guesses)
        self.add_choice("last_trick", _now("Who won the last trick?"), none=_now("Not noted"))
        suits = [(suit, capfirst(str(SUITS[suit]))) for suit in Suit]
        self._select("trump", _now("Trump"), choices=[("", _now("Not noted")), *suits])
        layings = [("", "–"), *((laying, LAYINGS[laying]) for laying in self._layings())]
        for side in range(len(self.sides)):
            for place in range(1, self._places() + 1):
                self._select(f"laid{place}_{side}", _now("Meld %(n)d") % {"n": place}, choices=layings)
        self._add_penalties()
        if rules.claims:
            self._select("ending", _now("How the deal ended"), choices=ENDINGS)
            self.add_choice("claimant", _now("Who claimed the game?"), none=_now("Not noted"))
            self.fields["trick_won"] = forms.BooleanField(
                label=_now("The claimant had won a trick with points"),
                help_text=_now("Then you can leave the take empty: after a claim nobody counts the cards."),
                required=False,
            )

    def _add_penalties(self) -> None:
        rules = self.rules
        if rules.no_trick_points_loses_meld:
            words = _now("Who took no points after the last draw?")
            help_text = _now("Only needed for a player who has taken points before it.")
            self.add_choice("no_trick_points", words, none=_now("Nobody"), help_text=help_text)
        played = {
            "undeclared_nine": rules.undeclared_nine,
            "revoked": rules.revoke_loses != "nothing",
            **dict.fromkeys(("cards_wrong", "cards_still_wrong"), rules.wrong_cards),
            "led_early": rules.early_lead,
        }
        for name in PENALTIES:
            kind = forms.BooleanField if name in MARKS else FigureField
            for side, player in enumerate(self.sides if played[name] else ()):
                self.fields[f"{name}_{side}"] = kind(label=player, required=False)

    def _select(self, name: str, label: str, *, choices: Sequence[tuple[Any, Any]]) -> None:
        widget = forms.Select(attrs={"data-parts": "1"} if name == "ending" else {})
        self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=False, widget=widget)

    def _draws(self) -> list[tuple[Any, Any]]:
        draws = [draw for draw in LastDraw if draw != LastDraw.JACK_OF_CLUBS or self.rules.last_draw_jack]
        return [(draw, DRAWS[draw]) for draw in draws if self.rules.last_draw_nine or "nine" not in draw]

    def _layings(self) -> list[Laying]:
        added = (Laying.ADDED_KING, Laying.ADDED_QUEEN)
        return [laying for laying in Laying if self.rules.added_to_run or laying not in added]

    def _places(self) -> int:
        """At least `PLACES`, and as many as the recorded card has."""
        recorded = (name.removeprefix("laid").split("_")[0] for name in self.initial if name.startswith("laid"))
        return max([PLACES, *map(int, recorded)])

    def blocks(self) -> Iterator[Block]:
        if "bidder" in self.fields:
            yield Block("choice", "", (self["bidder"],))
            yield Block("plain", "", (self["bid"],))
        for side, player in enumerate(self.sides):
            names = (f"meld_{side}", f"take_{side}", f"last_draw_{side}")
            yield Block("figures", player, tuple(self[name] for name in names if name in self.fields))
        if "guess" in self.fields:
            yield Block("plain", "", (self["guess"],))

    def rare_blocks(self) -> Iterator[Block]:
        if "ending" in self.fields:
            yield Block("plain", "", (self["ending"],))
            yield Block("choice", "", (self["claimant"],))
            yield Block("plain", "", (self["trick_won"],))
        for name, title in PENALTIES.items():
            if f"{name}_0" in self.fields:
                yield Block("figures", str(title), self.side_fields(name))
        if "no_trick_points" in self.fields:
            yield Block("choice", "", (self["no_trick_points"],))
        yield Block("choice", "", (self["last_trick"],))

    def counting_blocks(self) -> Iterator[Block]:
        yield Block("plain", "", (self["trump"],))
        layings = [(laying.value, LAYINGS[laying], render_cards(CARDS_OF_LAYING[laying])) for laying in self._layings()]
        for side, player in enumerate(self.sides):
            fields = tuple(self[f"laid{place}_{side}"] for place in range(1, self._places() + 1))
            yield Block("laid", player, fields, layings)

    def clean(self) -> dict[str, Any]:
        """The meld is needed unless the melds are written one by one; the take unless somebody claims the game; for a
        claim the claimant, and after a challenge what this player took."""
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
        return tuple(tuple(Laying(laying) for name in of if (laying := self.cleaned_data.get(name))) for of in names)

    def facts(self) -> TwoHandDeal:
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

    def problem_fields(self, problem: Problem) -> list[str]:
        """A problem of melds one by one is at the meld that it names, or at the first."""
        if problem.field == "laid":
            return [f"laid{dict(problem.args).get('place', 1)}_{problem.side or 0}"]
        return super().problem_fields(problem)

    def field_values(self, facts: TwoHandDeal) -> dict[str, Any]:
        whole = ("bidder", "bid", "trump", "last_trick", "no_trick_points", "ending", "claimant", "trick_won")
        shown = {name: value for name in whole if (value := getattr(facts, name)) is not None}
        if facts.guess != Guess.NONE:
            shown["guess"] = facts.guess
        shown |= side_values(**{name: getattr(facts, name) for name in ("meld", "take", "last_draw", *PENALTIES)})
        for side, layings in enumerate(facts.laid):
            shown |= {f"laid{place}_{side}": laying for place, laying in enumerate(layings, start=1)}
        return shown


# --- the card ----------------------------------------------------------------------------------------


HEADS = (_("Bid"), pgettext_lazy("column", "Meld"), _("Bonus"), _("Take"), _("Failed"))
HEADS_WITHOUT_BIDS = (pgettext_lazy("column", "Meld"), _("Take"))
BONUS = ("two-hand.last-draw", "two-hand.guess", "two-hand.cards-wrong", "two-hand.led-early")


def _columns(rules: TwoHandRules) -> Columns:
    def cells(deal: TwoHandDeal, score: Score, *, side: int) -> tuple[Cell, ...]:
        lines = [line for line in score.lines if line.side == side]
        laid = sum(line.points for line in lines if line.rule.startswith("two-hand.laid-"))
        meld = deal.meld[side] if deal.meld else laid
        take = deal.take[side] if deal.take else None  # a claim: nobody counted
        if not rules.bidding:
            return meld, take
        bonus = sum(line.points for line in lines if line.rule.startswith(BONUS))
        bid, failed = deal.bid if side == deal.bidder else None, SET if side in score.sets else None
        return bid, meld, bonus or None, take, failed

    return Columns(HEADS if rules.bidding else HEADS_WITHOUT_BIDS, cells, crossed=crossed_cells)


def _boxes(rules: TwoHandRules) -> Boxes:
    if not rules.bidding:
        return build_boxes(HEADS_WITHOUT_BIDS, rules, widths=(14.0, 13.0, 17.0))
    note = _now("Contract not made: cross the line out; the running total stays as it was.")
    return build_boxes(HEADS, rules, note, widths=(12.0, 14.0, 13.0, 13.0, 9.0, 17.0))


def _in_boxes(rules: TwoHandRules) -> tuple[BoxContent, ...]:
    draw = ("last_draw",) * bool(rules.last_draw_nine or rules.last_draw_jack)
    if not rules.bidding:
        return BoxContent("meld"), BoxContent("take"), replace(RUNNING, shows=draw)
    bonus = BoxContent(shows=(*draw, *("guess",) * bool(rules.guess)))
    return BoxContent("bid", ("bidder",)), BoxContent("meld"), bonus, BoxContent("take"), FOLLOWS, RUNNING


PAGES = FamilyPages(
    family=FAMILY,
    kind=KIND,
    words=WORDS,
    form=TwoHandPinochleForm,
    columns=_columns,
    boxes=_boxes,
    box_contents=_in_boxes,
)
