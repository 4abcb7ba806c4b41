"""Five hundred, euchre, bid euchre and whist with honours on pages and paper."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _now, gettext_lazy as _, ngettext_lazy as _n, pgettext_lazy

from scoring.engine.contract import FAMILY, HONOURS, Alone, Call, ContractDeal, ContractRules, Trump, contract_code
from scoring.engine.core.ledger import Problem, Score
from scoring.families.deal_form import Block, DealForm, PaperLine, side_values
from scoring.families.family_pages import (
    FOLLOWS,
    RUNNING,
    BoxContent,
    Boxes,
    Cell,
    Column,
    Columns,
    FamilyPages,
    OwnWords,
    Words,
    cells_with_points,
    row_per_deal,
)
from scoring.form_parts import Hints

TRUMPS: dict[Trump, str | Promise] = {  # as text, whatever pictures a phone has of them
    Trump.SPADES: "\u2660\ufe0e",
    Trump.CLUBS: "\u2663\ufe0e",
    Trump.DIAMONDS: "\u2666\ufe0e",
    Trump.HEARTS: "\u2665\ufe0e",
    Trump.NO_TRUMP: pgettext_lazy("no trump, beside the suits", "NT"),
}
LETTERS: dict[Trump, Promise] = {  # typed where there are only keys
    Trump.SPADES: pgettext_lazy("letter of spades", "S"),
    Trump.CLUBS: pgettext_lazy("letter of clubs", "C"),
    Trump.DIAMONDS: pgettext_lazy("letter of diamonds", "D"),
    Trump.HEARTS: pgettext_lazy("letter of hearts", "H"),
    Trump.NO_TRUMP: pgettext_lazy("letters of no trump", "N"),
}
CALLS: dict[Call, Promise] = {
    Call.MISERE: _("Misère"),
    Call.OPEN_MISERE: _("Open misère"),
    Call.ALONE: _("Alone"),
    Call.MOON: _("Moon"),
    Call.DOUBLE_MOON: _("Double moon"),
}


def format_contract(contract: str, _own: OwnWords | None = None) -> str:
    """A contract as players write it.

    >>> format_contract("8"), format_contract("open-misere"), format_contract("-1")
    ('8', 'Open misère', '-1')
    """
    if contract in CALLS:
        return str(CALLS[Call(contract)])
    bid, _dash, trump = contract.partition("-")
    return f"{bid}\N{THIN SPACE}{TRUMPS[Trump(trump)]}" if bid and trump else contract


LINES: dict[str, Promise] = {
    "made": _("{contract} made, with {won:tricks}"),
    "made-tricks": _("{contract} made: {won:tricks}"),
    "slam": _("{contract} made with all the tricks"),
    "call-made": _("{contract} made"),
    "set": _("{contract} failed, with {won:tricks}"),
    "others-tricks": _("{tricks:tricks} for the side without the bid"),
    "makers-made": _("The makers took {won:tricks}"),
    "makers-march": _("The makers took all the tricks"),
    "makers-lone-march": _("A lone hand with all the tricks"),
    "euchred": _("The makers were euchred, with {won:tricks}"),
    "lone-euchred": _("A lone hand was euchred, with {won:tricks}"),
    "defended-alone": _("The makers were euchred by a lone hand, with {won:tricks}"),
    "odd-tricks": _("{over:tricks} over {book}"),
    "honours-held": _("{held:honours}"),
}

PROBLEMS: dict[str, Promise] = {
    "columns": _("There must be {needed:figures}, one for each side; there are {given}. Fill in all of them."),
    "bidder": _("Press the side that holds the bid, or made trump."),
    "bid": _("Press what was bid."),
    "trump": _("Press the bid together with its trump."),
    "partner": _("The partner must be another player. Press who was called, or nobody."),
    "not-here": _("This game doesn't record this, or not with this bid. Leave it empty."),
    "bid-low": _("A bid of {bid} is too low: bidding opens at {lowest}. Read the bid on the card again."),
    "bid-high": _("A bid of {bid} is more than the {most:tricks} of a deal. Read the bid on the card again."),
    "no-alone": _("Under these rules nobody plays alone. Choose “Nobody”."),
    "no-defending-alone": _("Under these rules no defender plays alone. Press who did, or nobody."),
    "negative": _("{tricks} isn't possible: nothing here is below zero. Write the figure without a minus."),
    "tricks": _("A deal has {needed:tricks}; the card has {won}. Count every side's tricks again."),
    "honours": _("The card has {held:honours}; there are {most} in all. Count them again."),
    "honours-late": _("A side with {score} counts no honours: from {most} on they don't count. Leave them out."),
}

SETTINGS = {
    "trump_values further_trick opening_bid": "made set",
    "tricks_score": "made-tricks",
    "slam": "slam",
    "calls": "call-made",
    "others_trick misere_tricks": "others-tricks",
    "maker_points": "makers-made makers-march makers-lone-march euchred lone-euchred defended-alone no-alone "
    "no-defending-alone",
    "odd_trick": "odd-tricks",
    "honours": "honours-held honours",
    "no_honours_from": "honours-late",
    "opening_bid": "bid-low",
    "tricks": "bid-high tricks",
}

NOUNS = {
    "tricks": _n("%(n)s trick", "%(n)s tricks", "number"),
    "honours": _n("%(n)s honour", "%(n)s honours", "number"),
}

CHOICES: dict[str, Promise] = {
    "spades": _("spades"),
    "clubs": _("clubs"),
    "diamonds": _("diamonds"),
    "hearts": _("hearts"),
    "no-trump": _("no trump"),
    **{call.value: words for call, words in CALLS.items()},
    "made": _("made"),
    "march": _("march"),
    "lone-march": _("lone march"),
    "euchred": _("euchred"),
    "lone-euchred": _("lone hand euchred"),
    "defended-alone": _("euchred by a lone defender"),
}

WORDS = Words(
    prefix="contract",
    lines=LINES,
    problems=PROBLEMS,
    settings=SETTINGS,
    names={"contract": format_contract},
    choices=CHOICES,
    own={"whist": {"bid-side-first": _("Tricks are counted before honours, so {won} beats {best}.")}},
    nouns=NOUNS,
)


# --- the form ----------------------------------------------------------------------------------------


NOBODY = "nobody"
PLAYED_ALONE: dict[Alone, Promise] = {
    Alone.MAKER: _("The maker"),
    Alone.DEFENDER: _("A defender"),
    Alone.BOTH: _("Both"),
}


def possible_contracts(rules: ContractRules) -> list[str]:
    """Row by row of the schedule."""
    trumps = [name for name, _worth in rules.trump_values]
    bids = [str(bid) for bid in range(rules.opening_bid or 1, rules.tricks + 1)]
    plain = [f"{bid}-{trump}" for bid in bids for trump in trumps] if trumps else bids
    return plain + [name for name, _worth in rules.calls]


def contract_keys(contract: str) -> str:
    """What is typed for a contract on a keyboard: "8H", "M"."""
    if contract in CALLS:
        return "".join(word[0] for word in format_contract(contract).upper().split())
    bid, _dash, trump = contract.partition("-")
    return f"{bid}{LETTERS[Trump(trump)]}" if trump else bid


class ContractForm(DealForm):
    figure_heads = {"tricks": _("Tricks")}

    def add_fields(self) -> None:
        rules = self.rules
        if rules.bids:
            self.add_choice("bidder", _now("Who holds the bid?"))
            contracts = possible_contracts(rules)
            choices = [(contract, format_contract(contract)) for contract in contracts]
            self.add_choice("contract", _now("Contract"), choices=choices, kind=str)
            self.typed_keys = {"contract": {contract_keys(c): c for c in contracts}}
        elif rules.maker_points:
            self.add_choice("bidder", _now("Who made trump?"))
        if rules.partners_called:
            self.add_choice("partner", _now("Who was called as partner?"), none=_now("Nobody"))
        if alone := self._alone_choices():
            self.fields["alone"] = forms.ChoiceField(
                label=_now("Who played alone?"),
                choices=[(NOBODY, _("Nobody")), *alone],
                initial=NOBODY,
                required=False,
                widget=forms.RadioSelect(attrs={"class": "btn-check"}),
            )
        hints = Hints(can=f"0-{rules.tricks}", whole=rules.tricks)
        self.add_figures("tricks", _now("Tricks") if rules.honours else "", hints=hints, required=True)
        if rules.honours:
            self.add_figures("honours", _now("Honours"), hints=Hints(can=f"0-{HONOURS}", rare=True))

    def _alone_choices(self) -> list[tuple[Alone, Promise]]:
        points = dict(self.rules.maker_points)
        may = {True: "lone-march" in points, False: True}, {True: "defended-alone" in points, False: True}
        return [(who, words) for who, words in PLAYED_ALONE.items() if may[0][who.made] and may[1][who.defended]]

    def blocks(self) -> Iterator[Block]:
        for name in ("bidder", "contract", "partner", "alone"):
            if name in self.fields:
                yield Block("choice", "", (self[name],))
        if self.rules.honours:
            for side, name in enumerate(self.sides):
                yield Block("figures", name, (self[f"tricks_{side}"], self[f"honours_{side}"]))
        else:
            yield Block("figures", _now("Tricks"), self.side_fields("tricks"))

    def paper_line(self) -> PaperLine:
        """With a box for who played alone, or was called; empty for nobody."""
        line = super().paper_line()
        return PaperLine((*line.first, *({"alone", "partner"} & self.fields.keys())), line.sides, line.last)

    def facts(self) -> ContractDeal:
        cleaned = self.cleaned_data
        contract = cleaned.get("contract") or ""
        bid, _dash, trump = contract.partition("-")
        alone = cleaned.get("alone") or NOBODY
        return ContractDeal(
            tricks=self.per_side("tricks"),
            bidder=cleaned.get("bidder"),
            bid=int(bid) if bid.isdecimal() else None,
            trump=Trump(trump) if bid.isdecimal() and trump else None,
            call=Call(contract) if contract in CALLS else None,
            alone=None if alone == NOBODY else Alone(alone),
            partner=cleaned.get("partner"),
            honours=self.column("honours"),
        )

    def field_values(self, facts: ContractDeal) -> dict[str, Any]:
        shown: dict[str, Any] = {"bidder": facts.bidder, "contract": contract_code(facts)}
        if self._alone_choices():
            shown["alone"] = facts.alone or NOBODY
        shown["partner"] = "" if facts.partner is None else facts.partner
        return shown | side_values(honours=facts.honours, tricks=facts.tricks)

    def problem_fields(self, problem: Problem) -> list[str]:
        contract = problem.field in {"bid", "trump", "call"} and "contract" in self.fields
        return ["contract"] if contract else super().problem_fields(problem)


# --- the card ----------------------------------------------------------------------------------------


MADE_TRUMP = pgettext_lazy("in the box of who made trump", "made")
BY_ALONE = pgettext_lazy("in the box of who made trump", "alone")
CALLED = pgettext_lazy("in the box of the bid", "called")


def _heads(rules: ContractRules) -> tuple[Promise, ...]:
    if rules.bids:
        return _("Bid"), _("Tricks")
    if rules.maker_points:
        return _("Trump"), _("Tricks")
    return (_("Tricks"), _("Honours")) if rules.honours else (_("Tricks"),)


def _columns(rules: ContractRules) -> Columns:
    def cells(deal: ContractDeal, score: Score, *, side: int) -> tuple[Cell, ...]:
        tricks = deal.tricks[side]
        if rules.bids and side == deal.bidder:
            return format_contract(contract_code(deal)), tricks
        if rules.bids:
            return CALLED if side == deal.partner else None, tricks
        if rules.maker_points:
            alone = deal.alone is not None and (deal.alone.made if side == deal.bidder else deal.alone.defended)
            return (BY_ALONE if alone else MADE_TRUMP if side == deal.bidder else None), tricks
        held = deal.honours[side] if deal.honours else 0
        return (tricks, held or None) if rules.honours else (tricks,)

    return Columns(_heads(rules), cells, on_paper=cells_with_points)


def _boxes(rules: ContractRules) -> Boxes:
    heads = [*map(str, _heads(rules)), _now("Points"), _now("Running")]
    columns = tuple(Column(head, width) for head, width in zip(heads, (11.0, 10.0, 11.0, 13.0), strict=False))
    if rules.odd_trick:
        rules = replace(rules, bid_side_first=False)  # said in the note, in the words of whist
    return row_per_deal(columns, rules, _note(rules))


def _in_boxes(rules: ContractRules) -> tuple[BoxContent, ...]:
    first: list[BoxContent] = []
    if rules.bids:
        first.append(BoxContent("contract", ("bidder",), ("partner",) * rules.partners_called))
    elif rules.maker_points:
        first.append(BoxContent("", ("bidder",), ("alone",)))
    honours = [BoxContent("honours")] * bool(rules.honours and not first)
    return (*first, BoxContent("tricks"), *honours, FOLLOWS, RUNNING)


def _note(rules: ContractRules) -> str:
    if rules.bids and rules.trump_values:
        return _now("Bid: tricks and a letter, as in 8H; N for no trump.")
    if rules.maker_points:
        return _now("Trump: a cross for the makers, A for a lone hand.")
    return _now("Tricks are counted before honours.") if rules.honours else ""


PAGES = FamilyPages(
    family=FAMILY,
    kind=_("Five hundred, euchre and whist by tricks"),
    words=WORDS,
    form=ContractForm,
    columns=_columns,
    boxes=_boxes,
    box_contents=_in_boxes,
)
