"""What can be wrong with the melds of two-hand pinochle, as totals or one by one in the order of laying."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.engine.core.ledger import Problem, against_rules, impossible, malformed, unlikely
from scoring.engine.pinochle.auction import negatives, sure_problems, unbeaten
from scoring.engine.pinochle.melds import RANKS, SUIT_ORDER, Suit, lacking, points_in_pack
from scoring.engine.pinochle.two_hand.card import SIDES, LastDraw, Laying, TwoHandDeal, TwoHandEnding, TwoHandRules
from scoring.engine.pinochle.two_hand.melds_in_order import (
    MARRIAGES,
    UNCOUNTED,
    Laid,
    Nines,
    cards_needed,
    follow,
    nines_fit,
    trumps_of,
)
from scoring.engine.pinochle.two_hand.possible_totals import can_lay, can_lay_both


def nines_noted(deal: TwoHandDeal, rules: TwoHandRules) -> Nines:
    """What the card says of nines of trump that were drawn last, or held and not declared."""
    drawn = [int(deal.drew(player) == LastDraw.NINE_OF_TRUMP) for player in range(SIDES)]
    put_back = [player for player in range(SIDES) if deal.drew(player) == LastDraw.NINE_PUT_BACK]
    silent = deal.undeclared_nine if deal.undeclared_nine and rules.undeclared_nine else (False, False)
    return Nines((drawn[0], drawn[1]), put_back[0] if put_back else None, (int(silent[0]), int(silent[1])))


# --- one by one ----------------------------------------------------------------------------------------


def melds_laid_problems(deal: TwoHandDeal, rules: TwoHandRules) -> Iterator[Problem]:
    """Melds that can't follow one another, or that one pack, of which each player sees half, can't give."""
    if all(deal.drew(player) == LastDraw.NINE_PUT_BACK for player in range(SIDES)):
        yield impossible("two-hand.put-back-twice", "last_draw")
    if not deal.laid:
        return
    players = [follow(tuple(layings), rules) for layings in deal.laid]
    wrong = [problem for side in range(SIDES) for problem in _order(deal, side, player=players[side])]
    yield from wrong
    laid = sum(laying not in UNCOUNTED for layings in deal.laid for laying in layings)
    if laid > rules.most_layings:
        yield impossible("two-hand.too-many-melds", "laid", laid=laid, most=rules.most_layings)
    yield from _nines(deal, players, rules=rules)
    yield from _trump(deal)
    if not wrong:
        possible = trumps_of(deal.laid, deal.trump)
        needs = [[cards_needed(player, trump, rules=rules) for player in players] for trump in possible]
        cards = list(_cards(players, needs, rules=rules))
        yield from cards or _sure(deal, possible, needs=needs, rules=rules)
    for side, (player, written) in enumerate(zip(players, deal.meld, strict=False)):
        if player.total != written:
            yield malformed("two-hand.meld-differs", "meld", side=side, written=written, counted=player.total)


def _order(deal: TwoHandDeal, side: int, *, player: Laid) -> Iterator[Problem]:
    for place in player.wrong:
        laying = deal.laid[side][place]
        code = "two-hand.laid-too-often"
        if laying in (Laying.ADDED_KING, Laying.ADDED_QUEEN):
            code = "two-hand.added-without-run"
        elif laying is Laying.ROYAL_MARRIAGE:
            code = "two-hand.royal-from-run"
        yield against_rules(code, "laid", side=side, place=place + 1)


def _nines(deal: TwoHandDeal, players: list[Laid], *, rules: TwoHandRules) -> Iterator[Problem]:
    drawn = nines_noted(deal, rules)
    nines = [player.nines for player in players]
    if drawn.put_back is not None and not nines[drawn.put_back]:
        yield against_rules("two-hand.put-back-undeclared", "last_draw", side=drawn.put_back)
    elif not nines_fit(nines, drawn.declared, rules=rules):
        yield impossible("two-hand.too-many-nines", "laid", nines=sum(nines) + sum(drawn.drawn))
    elif not nines_fit(nines, drawn, rules=rules):
        yield from _none_left(drawn)


def _none_left(noted: Nines) -> Iterator[Problem]:
    """Players who can't have held a nine of trump without declaring it."""
    for side in range(SIDES):
        if noted.undeclared[side] and not noted.drawn[side]:
            yield impossible("two-hand.undeclared-none-left", "undeclared_nine", side=side)


def _trump(deal: TwoHandDeal) -> Iterator[Problem]:
    if not trumps_of(deal.laid, deal.trump):
        yield impossible("two-hand.no-trump", "laid")
    for side, layings in enumerate(deal.laid):
        for place, laying in enumerate(layings, start=1):
            if deal.trump is not None and MARRIAGES.get(laying) is deal.trump:
                yield against_rules("two-hand.marriage-of-trump", "laid", side=side, place=place)


def _cards(players: list[Laid], needs: list[list[tuple[int, ...]]], *, rules: TwoHandRules) -> Iterator[Problem]:
    """Problems with the cards that the melds need, if there are any whichever suit is trump."""
    found = [list(_cards_of(players, needed, rules=rules)) for needed in needs]
    if not found or not all(found):
        return
    if len(found) == 1:
        yield from found[0]
    elif all(any(problem.code == "two-hand.cards-seen" for problem in problems) for problems in found):
        yield from (problem for problem in found[0] if problem.code == "two-hand.cards-seen")
    else:
        yield impossible("two-hand.laid-pack-any", "laid")


def _sure(
    deal: TwoHandDeal, possible: list[Suit], *, needs: list[list[tuple[int, ...]]], rules: TwoHandRules
) -> Iterator[Problem]:
    """Takes lower than the trumps that were laid are sure to win: whoever lays a card plays it, sooner or later."""
    if (
        deal.ending != TwoHandEnding.PLAYED
        or not rules.meld_play_tricks_count
        or sum(deal.take) != points_in_pack(rules)
    ):
        return
    least = []
    for trump, cards in zip(possible, needs, strict=True):
        base = len(RANKS) * SUIT_ORDER.index(trump)
        least.append([unbeaten(needed[base : base + len(RANKS)], rules) for needed in cards])
    yield from sure_problems(deal.take, least)


def _cards_of(players: list[Laid], needs: list[tuple[int, ...]], *, rules: TwoHandRules) -> Iterator[Problem]:
    for side, (player, needed) in enumerate(zip(players, needs, strict=True)):
        nines = min(player.nines, rules.copies)
        seen, cards = sum(needed) + nines, rules.cards_seen + bool(nines)
        if seen > cards:
            yield impossible("two-hand.cards-seen", "laid", side=side, needed=seen, cards=cards)
    together = dict(enumerate(map(sum, zip(*needs, strict=True))))
    if short := {card: many for card, many in together.items() if many > rules.copies}:
        yield impossible("two-hand.laid-pack", "laid", lacking=lacking(short), there=rules.copies)


# --- as totals -----------------------------------------------------------------------------------------


def melds_problems(deal: TwoHandDeal, rules: TwoHandRules) -> Iterator[Problem]:
    """Totals that the pack can't give, or that are unlikely. Melds one by one have been checked against it."""
    melds = deal.meld or tuple(follow(tuple(layings), rules).total for layings in deal.laid)
    yield from negatives(melds, "meld")
    possible = [can_lay(meld, rules) for meld in melds]
    for side, meld in enumerate(melds):
        if meld > rules.ask_meld_above and possible[side]:
            yield unlikely("pinochle.meld-high", "meld", side=side, meld=meld)
    if deal.laid:
        return
    for side, meld in enumerate(melds):
        if meld >= 0 and not possible[side]:
            yield impossible("two-hand.meld-impossible", "meld", side=side, meld=meld, cards=rules.cards_seen)
    if not all(possible) or all(deal.drew(player) == LastDraw.NINE_PUT_BACK for player in range(SIDES)):
        return
    both, nines = (melds[0], melds[1]), nines_noted(deal, rules)
    if not can_lay_both(both, rules, trump=deal.trump, nines=nines.declared):
        yield impossible("two-hand.melds-together", "meld")
    elif any(nines.undeclared) and not can_lay_both(both, rules, trump=deal.trump, nines=nines):
        yield from _none_left(nines)
