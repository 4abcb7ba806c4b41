"""Pinochle for two: how a deal is checked, its score, and the family of its games."""

from collections.abc import Iterator, Sequence
from functools import partial

from scoring.engine.core.family import Family, GameChecks
from scoring.engine.core.ledger import Line, Problem, Score, against_rules, impossible, malformed, named, unlikely
from scoring.engine.pinochle.auction import (
    bid_problems,
    column_problems,
    negative_problems,
    sure_take_problems,
    sure_trump_points,
    take_problems,
    whole_take_problems,
)
from scoring.engine.pinochle.melds import (
    RANKS,
    SUIT_ORDER,
    SUITS,
    Suit,
    cards_argument,
    points_in_pack,
    setting_problems,
    take_line,
)
from scoring.engine.pinochle.two_hand.card import (
    SIDES,
    Guess,
    LastDraw,
    Laying,
    TwoHandDeal,
    TwoHandEnding,
    TwoHandRules,
)
from scoring.engine.pinochle.two_hand.melds import (
    MARRIAGES,
    UNCOUNTED,
    Laid,
    Nines,
    can_lay,
    can_lay_both,
    cards_needed,
    follow,
    nines_fit,
    possible_trumps,
)


def noted_nines(deal: TwoHandDeal, rules: TwoHandRules) -> Nines:
    drawn = [int(deal.drew(player) == LastDraw.NINE_OF_TRUMP) for player in range(SIDES)]
    put_back = [player for player in range(SIDES) if deal.drew(player) == LastDraw.NINE_PUT_BACK]
    silent = deal.undeclared_nine if deal.undeclared_nine and rules.undeclared_nine else (False, False)
    return Nines((drawn[0], drawn[1]), put_back[0] if put_back else None, (int(silent[0]), int(silent[1])))


# --- one by one ----------------------------------------------------------------------------------------


def _laid_problems(deal: TwoHandDeal, rules: TwoHandRules) -> Iterator[Problem]:
    """Melds that can't follow one another, or that one pack can't give; each player sees half of it."""
    if all(deal.drew(player) == LastDraw.NINE_PUT_BACK for player in range(SIDES)):
        yield impossible("two-hand.put-back-twice", "last_draw")
    if not deal.laid:
        return
    players = [follow(tuple(layings), rules) for layings in deal.laid]
    wrong = [problem for side in range(SIDES) for problem in _order_problems(deal, side, player=players[side])]
    yield from wrong
    laid = sum(laying not in UNCOUNTED for layings in deal.laid for laying in layings)
    if laid > rules.most_layings:
        yield impossible("two-hand.too-many-melds", "laid", laid=laid, most=rules.most_layings)
    yield from _nine_problems(deal, players, rules=rules)
    yield from _trump_problems(deal)
    if not wrong:
        possible = possible_trumps(deal.laid, deal.trump)
        needs = [[cards_needed(player, trump, rules=rules) for player in players] for trump in possible]
        cards = list(_card_problems(players, needs, rules=rules))
        yield from cards or _sure_take_problems(deal, possible, needs=needs, rules=rules)
    for side, (player, written) in enumerate(zip(players, deal.meld, strict=False)):
        if player.total != written:
            yield malformed("two-hand.meld-differs", "meld", side=side, written=written, counted=player.total)


def _order_problems(deal: TwoHandDeal, side: int, *, player: Laid) -> Iterator[Problem]:
    for place in player.wrong:
        laying = deal.laid[side][place]
        code = "two-hand.laid-too-often"
        if laying in (Laying.ADDED_KING, Laying.ADDED_QUEEN):
            code = "two-hand.added-without-run"
        elif laying is Laying.ROYAL_MARRIAGE:
            code = "two-hand.royal-from-run"
        yield against_rules(code, "laid", side=side, place=place + 1)


def _nine_problems(deal: TwoHandDeal, players: list[Laid], *, rules: TwoHandRules) -> Iterator[Problem]:
    drawn = noted_nines(deal, rules)
    nines = [player.nines for player in players]
    if drawn.put_back is not None and not nines[drawn.put_back]:
        yield against_rules("two-hand.put-back-undeclared", "last_draw", side=drawn.put_back)
    elif not nines_fit(nines, drawn.declared, rules=rules):
        yield impossible("two-hand.too-many-nines", "laid", nines=sum(nines) + sum(drawn.drawn))
    elif not nines_fit(nines, drawn, rules=rules):
        yield from _undeclared_nine_problems(drawn)


def _undeclared_nine_problems(noted: Nines) -> Iterator[Problem]:
    for side in range(SIDES):
        if noted.undeclared[side] and not noted.drawn[side]:
            yield impossible("two-hand.undeclared-none-left", "undeclared_nine", side=side)


def _trump_problems(deal: TwoHandDeal) -> Iterator[Problem]:
    if not possible_trumps(deal.laid, deal.trump):
        yield impossible("two-hand.no-trump", "laid")
    for side, layings in enumerate(deal.laid):
        for place, laying in enumerate(layings, start=1):
            if deal.trump is not None and MARRIAGES.get(laying) is deal.trump:
                yield against_rules("two-hand.marriage-of-trump", "laid", side=side, place=place)


def _card_problems(
    players: list[Laid], needs: list[list[tuple[int, ...]]], *, rules: TwoHandRules
) -> Iterator[Problem]:
    """Problems with the cards that the melds need under every suit that can be trump."""
    problems_by_trump = [list(_pack_problems(players, needed, rules=rules)) for needed in needs]
    if not problems_by_trump or not all(problems_by_trump):
        return
    if len(problems_by_trump) == 1:
        yield from problems_by_trump[0]
    elif all(any(problem.code == "two-hand.cards-seen" for problem in problems) for problems in problems_by_trump):
        yield from (problem for problem in problems_by_trump[0] if problem.code == "two-hand.cards-seen")
    else:
        yield impossible("two-hand.laid-pack-any", "laid")


def _sure_take_problems(
    deal: TwoHandDeal, possible: list[Suit], *, needs: list[list[tuple[int, ...]]], rules: TwoHandRules
) -> Iterator[Problem]:
    """Takes lower than what the laid trumps are sure to win: each card that is laid is played later."""
    if (
        deal.ending != TwoHandEnding.PLAYED
        or not rules.meld_play_tricks_count
        or sum(deal.take) != points_in_pack(rules)
    ):
        return
    least = []
    for trump, cards in zip(possible, needs, strict=True):
        base = len(RANKS) * SUIT_ORDER.index(trump)
        least.append([sure_trump_points(needed[base : base + len(RANKS)], rules) for needed in cards])
    yield from sure_take_problems(deal.take, least)


def _pack_problems(players: list[Laid], needs: list[tuple[int, ...]], *, rules: TwoHandRules) -> Iterator[Problem]:
    for side, (player, needed) in enumerate(zip(players, needs, strict=True)):
        nines = min(player.nines, rules.copies)
        seen, cards = sum(needed) + nines, rules.cards_seen + bool(nines)
        if seen > cards:
            yield impossible("two-hand.cards-seen", "laid", side=side, needed=seen, cards=cards)
    together = dict(enumerate(map(sum, zip(*needs, strict=True))))
    if short := {card: many for card, many in together.items() if many > rules.copies}:
        yield impossible("two-hand.laid-pack", "laid", lacking=cards_argument(short), there=rules.copies)


# --- as totals -----------------------------------------------------------------------------------------


def _meld_problems(deal: TwoHandDeal, rules: TwoHandRules) -> Iterator[Problem]:
    """Totals that the pack can't give, or that are unlikely. Melds one by one have been checked against it."""
    melds = deal.meld or tuple(follow(tuple(layings), rules).total for layings in deal.laid)
    yield from negative_problems(melds, "meld")
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
    both, nines = (melds[0], melds[1]), noted_nines(deal, rules)
    if not can_lay_both(both, rules, trump=deal.trump, nines=nines.declared):
        yield impossible("two-hand.melds-together", "meld")
    elif any(nines.undeclared) and not can_lay_both(both, rules, trump=deal.trump, nines=nines):
        yield from _undeclared_nine_problems(nines)


UNSCORABLE = frozenset(
    {
        "pinochle.columns",
        "two-hand.bidder",
        "two-hand.bid-needed",
        "two-hand.last-trick-player",
        "two-hand.no-trick-player",
        "two-hand.claimant",
    }
)

MANY_CARDS_WRONG = 6  # from this many on the form asks once more
SET = ("two-hand.set", "two-hand.set-awards")
LAST_DRAW = "two-hand.last-draw"  # the codes of the lines for the last draw begin with this
OPTIONAL = ("last_draw", "undeclared_nine", "revoked", "cards_wrong", "cards_still_wrong", "led_early")


# --- checking ------------------------------------------------------------------------------------------


def check(deal: TwoHandDeal, rules: TwoHandRules) -> tuple[Problem, ...]:
    """Everything wrong with a card; empty means that real cards could have produced it.

    Melds written one by one are checked against the order of laying and, both players' together, against the pack;
    totals, against all that a player who sees half of the pack can lay; and both, against the pack's nines of trump.
    """
    shape = tuple(_shape_problems(deal, rules))
    problems = [*shape]
    if rules.bidding and deal.bid is not None:
        problems += bid_problems(deal.bid, rules)
    if not shape:
        problems += _unused_fact_problems(deal, rules)
        problems += _laid_problems(deal, rules)
        problems += _meld_problems(deal, rules)
        problems += _take_problems(deal, rules) if deal.take else ()
        problems += _penalty_problems(deal, rules)
        problems += _ending_problems(deal)
    return tuple(problems)


def _shape_problems(deal: TwoHandDeal, rules: TwoHandRules) -> Iterator[Problem]:
    if rules.bidding:
        if deal.bidder not in (0, 1):
            yield malformed("two-hand.bidder", "bidder")
        if deal.bid is None:
            yield malformed("two-hand.bid-needed", "bid")
    if deal.last_trick not in (None, 0, 1):
        yield malformed("two-hand.last-trick-player", "last_trick")
    if deal.no_trick_points not in (None, 0, 1):
        yield malformed("two-hand.no-trick-player", "no_trick_points")
    if not deal.laid or deal.meld:
        yield from column_problems(deal.meld, SIDES, field="meld")
    if deal.laid:
        yield from column_problems([len(layings) for layings in deal.laid], SIDES, field="laid")
    if deal.take or deal.ending != TwoHandEnding.CLAIM:
        yield from column_problems(deal.take, SIDES, field="take")
    for name in OPTIONAL:
        if getattr(deal, name):
            yield from column_problems(getattr(deal, name), SIDES, field=name)
    if deal.ending != TwoHandEnding.PLAYED and deal.claimant not in (0, 1):
        yield malformed("two-hand.claimant", "claimant")


def _unused_fact_problems(deal: TwoHandDeal, rules: TwoHandRules) -> Iterator[Problem]:
    drawn = {draw for draw in deal.last_draw if draw != LastDraw.OTHER}
    noted = {
        "bidder": not rules.bidding and deal.bidder is not None,
        "bid": not rules.bidding and deal.bid is not None,
        "guess": not rules.guess and deal.guess != Guess.NONE,
        "last_draw": (not rules.last_draw_nine and drawn - {LastDraw.JACK_OF_CLUBS})
        or (not rules.last_draw_jack and LastDraw.JACK_OF_CLUBS in drawn),
        "undeclared_nine": not rules.undeclared_nine and any(deal.undeclared_nine),
        "revoked": rules.revoke_loses == "nothing" and any(deal.revoked),
        "cards_wrong": not rules.wrong_cards and any(deal.cards_wrong),
        "led_early": not rules.early_lead and any(deal.led_early),
        "ending": not rules.claims and deal.ending != TwoHandEnding.PLAYED,
    }
    for field, wrong in noted.items():
        if wrong:
            yield against_rules("two-hand.not-in-rules", field)


def _take_problems(deal: TwoHandDeal, rules: TwoHandRules) -> Iterator[Problem]:
    yield from take_problems(deal.take, deal.last_trick, rules=rules)
    played_out = _is_played_out(deal, rules)
    total, most = sum(deal.take), points_in_pack(rules)
    if played_out and rules.meld_play_tricks_count:
        yield from whole_take_problems(deal.take, rules)
    elif total > most:
        yield impossible("two-hand.take-over", "take", total=total, most=most)
    elif played_out and total < rules.last_trick:
        yield impossible("two-hand.take-little", "take", total=total, last=rules.last_trick)
    if (player := deal.no_trick_points) is None:
        return
    if deal.last_trick == player and rules.last_trick:
        yield impossible("two-hand.no-trick-last", "no_trick_points", side=player)
    before = _most_before_last_draw(rules)
    if deal.take[player] > before:
        yield impossible("two-hand.no-trick-take", "take", side=player, take=deal.take[player], most=before)


def _most_before_last_draw(rules: TwoHandRules) -> int:
    """The most points that the tricks before the last draw can have; 0 where they don't count."""
    if not rules.meld_play_tricks_count:
        return 0
    worth = dict(rules.counters)
    each = sorted((worth.get(rank, 0) for rank in rules.ranks), reverse=True)
    cards = [points for points in each for _card in range(len(SUITS) * rules.copies)]
    return sum(cards[: SIDES * rules.tricks_before_last_draw])


def _penalty_problems(deal: TwoHandDeal, rules: TwoHandRules) -> Iterator[Problem]:
    for name in ("cards_wrong", "cards_still_wrong", "led_early"):
        yield from negative_problems(getattr(deal, name), name)
    for player in range(SIDES):
        wrong, still = (_figure_for(column, player) for column in (deal.cards_wrong, deal.cards_still_wrong))
        if still > 0 and wrong <= 0:
            yield malformed("two-hand.still-wrong", "cards_still_wrong", side=player, still=still, wrong=wrong)
        if wrong + still >= MANY_CARDS_WRONG:
            yield unlikely("two-hand.cards-wrong-high", "cards_wrong", side=player, cards=wrong + still)
    if sum(deal.led_early) > (most := rules.tricks_before_last_draw):
        yield impossible("two-hand.led-early-too-often", "led_early", times=sum(deal.led_early), most=most)


def _ending_problems(deal: TwoHandDeal) -> Iterator[Problem]:
    if deal.ending == TwoHandEnding.PLAYED:
        if deal.claimant is not None or deal.trick_won:
            yield malformed("two-hand.claimant-without-claim", "claimant")
        return
    if deal.claimant is not None and not deal.trick_won and deal.took(deal.claimant) <= 0:
        yield against_rules("two-hand.claim-without-count", "trick_won", side=deal.claimant)
    if deal.ending == TwoHandEnding.CHALLENGE and deal.claimant != deal.bidder:
        yield against_rules("two-hand.challenge-not-bidder", "claimant")


def _is_played_out(deal: TwoHandDeal, rules: TwoHandRules) -> bool:
    """Whether the last trick was played: always without a claim, and after a challenge that failed."""
    if deal.ending == TwoHandEnding.CHALLENGE and deal.bid is not None and deal.claimant == deal.bidder:
        return _towards_contract(_own_lines(deal, deal.bidder or 0, rules=rules), rules) < deal.bid
    return deal.ending == TwoHandEnding.PLAYED


def _figure_for(column: Sequence[int], player: int) -> int:
    return column[player] if column else 0


# --- scoring -------------------------------------------------------------------------------------------


def score(deal: TwoHandDeal, rules: TwoHandRules) -> Score:
    """Points of both players for one deal, the bidder counted first.

    Each player scores meld, last draw and take, less what a penalty costs, plus what the guess and the opponent's
    errors bring. A bidder who doesn't make the contract scores nothing: the total reverts to what it was before the
    deal (002, section 11d). After a claim the contract needn't be made; after a challenge it must (002, section 13).

    Raises:
        ValueError: the card has a problem of `UNSCORABLE`.

    >>> from scoring.engine.families import rules_of
    >>> from scoring.engine.core.ruleset import shipped
    >>> fletcher = rules_of(shipped()["fletcher-two-hand"])
    >>> card = TwoHandDeal(bidder=0, bid=24, meld=(14, 6), take=(12, 13), guess=Guess.RIGHT)
    >>> score(card, fletcher).totals  # 26 make the contract; the other guessed the trump
    (26, 24)
    >>> from dataclasses import replace
    >>> score(replace(card, bid=27), fletcher).totals, score(replace(card, bid=27), fletcher).sets
    ((0, 24), (0,))
    """
    if problem := next(_shape_problems(deal, rules), None):
        raise ValueError(problem.code)
    first = deal.bidder if rules.bidding else None
    order = (0, 1) if first is None else (first, 1 - first)
    all_lines: list[Line] = []
    sets: tuple[int, ...] = ()
    for player in order:
        lines, awards = _own_lines(deal, player, rules=rules), _award_lines(deal, player, rules=rules)
        if player == first and deal.ending != TwoHandEnding.CLAIM:
            head = _contract_line(
                deal, _towards_contract(lines, rules), all_gains=sum(line.points for line in lines + awards)
            )
            if head.rule in SET:
                sets, awards, lines = (player,), [], [line for line in lines if not line.points]
            lines.insert(0, head)
        lines += awards
        if deal.ending == TwoHandEnding.CLAIM and player == deal.claimant:
            lines.insert(0, Line(player, 0, "two-hand.claimed"))
        all_lines += lines
    return Score(SIDES, tuple(all_lines), sets, first, *_claim(deal, sets, rules=rules))


def _claim(deal: TwoHandDeal, sets: tuple[int, ...], *, rules: TwoHandRules) -> tuple[int | None, bool]:
    """Who claims the game with this deal, if it counts, and whether after a challenge."""
    if deal.ending == TwoHandEnding.PLAYED or not rules.claims or deal.claimant in sets:
        return None, False
    return deal.claimant, deal.ending == TwoHandEnding.CHALLENGE


def _towards_contract(lines: Sequence[Line], rules: TwoHandRules) -> int:
    """How many points of the bidder's lines help to make the contract."""
    return sum(line.points for line in lines if rules.last_draw_is_meld or not line.rule.startswith(LAST_DRAW))


def _contract_line(deal: TwoHandDeal, total: int, *, all_gains: int) -> Line:
    bidder, bid = deal.bidder or 0, deal.bid or 0
    if total < bid:
        short = named(bid=bid, total=total, short=bid - total)
        if awards := all_gains - total:
            return Line(bidder, 0, "two-hand.set-awards", short + named(awards=awards))
        return Line(bidder, 0, "two-hand.set", short)
    code = "two-hand.challenged" if deal.ending == TwoHandEnding.CHALLENGE else "two-hand.made"
    return Line(bidder, 0, code, named(bid=bid, total=total))


def _own_lines(deal: TwoHandDeal, player: int, *, rules: TwoHandRules) -> list[Line]:
    """Meld, last draw and take of a player, unless lost."""
    melds, draw = _meld_lines(deal, player, rules=rules), _last_draw_lines(deal, player, rules=rules)
    taken = deal.took(player)
    take = [take_line(player, taken, last=deal.last_trick, rules=rules, game="two-hand")] if deal.take else []
    with_meld = melds + draw if rules.last_draw_is_meld else melds
    safe = [] if rules.last_draw_is_meld else draw
    meld = sum(line.points for line in with_meld)
    if deal.forfeits_all(player, rules):
        undeclared = deal.undeclared_nine and deal.undeclared_nine[player]
        code = "two-hand.lost-undeclared" if undeclared else "two-hand.lost-revoke"
        return [Line(player, 0, code, named(meld=meld, take=taken)), *safe]
    if take and deal.has_revoked(player) and rules.revoke_loses == "take":
        take = [Line(player, 0, "two-hand.take-lost-revoke", named(take=taken))]
    if with_meld and _loses_meld(deal, player, rules=rules):
        return [Line(player, 0, "two-hand.lost-no-trick", named(meld=meld)), *safe, *take]
    return [*melds, *draw, *take]


def _loses_meld(deal: TwoHandDeal, player: int, *, rules: TwoHandRules) -> bool:
    """For taking no points in the trick play. A challenge that is met ends the deal before the last trick; a challenged
    bidder's own lines decide whether it is met."""
    if not rules.no_trick_points_loses_meld or deal.ending == TwoHandEnding.CLAIM:
        return False
    if deal.no_trick_points == player or deal.took(player):
        return deal.no_trick_points == player
    return deal.ending == TwoHandEnding.PLAYED or (player != deal.bidder and _is_played_out(deal, rules))


def _meld_lines(deal: TwoHandDeal, player: int, *, rules: TwoHandRules) -> list[Line]:
    if not deal.laid:
        meld = deal.meld[player]
        return [Line(player, meld, "two-hand.meld", named(meld=meld))] if meld else []
    layings = deal.laid[player]
    points = follow(tuple(layings), rules).points
    laid = zip(layings, points, strict=True)
    return [Line(player, worth, f"two-hand.laid-{laying.value}") for laying, worth in laid]


def _last_draw_lines(deal: TwoHandDeal, player: int, *, rules: TwoHandRules) -> list[Line]:
    """The line for what a player drew as the last card, if any. Source: 002, section 9g and h."""
    draw = deal.drew(player)
    nine, meld = rules.last_draw_nine, rules.nine_of_trump
    if draw == LastDraw.JACK_OF_CLUBS and rules.last_draw_jack:
        return [Line(player, rules.last_draw_jack, "two-hand.last-draw-jack")]
    if not nine or draw in (LastDraw.OTHER, LastDraw.JACK_OF_CLUBS):
        return []
    if draw == LastDraw.NINE:
        return [Line(player, nine, "two-hand.last-draw-nine")]
    if draw == LastDraw.NINE_OF_TRUMP:
        return [Line(player, nine + meld, "two-hand.last-draw-nine-of-trump", named(nine=nine, meld=meld))]
    return [Line(player, 0, "two-hand.last-draw-put-back")]


def _award_lines(deal: TwoHandDeal, player: int, *, rules: TwoHandRules) -> list[Line]:
    """What the guess and the opponent's errors bring. Source: 002, sections 8 and 10."""
    lines = []
    winner = {Guess.RIGHT: 1 - (deal.bidder or 0), Guess.WRONG: deal.bidder}.get(deal.guess)
    if player == winner and rules.guess and rules.bidding:
        lines.append(Line(player, rules.guess, f"two-hand.guess-{deal.guess.value}"))
    wrong = _figure_for(deal.cards_wrong, 1 - player) + _figure_for(deal.cards_still_wrong, 1 - player)
    if wrong and rules.wrong_cards:
        lines.append(Line(player, wrong * rules.wrong_cards, "two-hand.cards-wrong", named(cards=wrong)))
    early = _figure_for(deal.led_early, 1 - player)
    if early and rules.early_lead:
        lines.append(Line(player, early * rules.early_lead, "two-hand.led-early", named(times=early)))
    return lines


class _GameChecks(GameChecks):
    def needs_scores(self, facts: TwoHandDeal, rules: TwoHandRules) -> bool:
        return facts.ending != TwoHandEnding.PLAYED

    def score_problems(self, facts: TwoHandDeal, rules: TwoHandRules, *, before: Sequence[int]) -> Iterator[Problem]:
        if facts.ending == TwoHandEnding.PLAYED or rules.target is None:
            return
        points = score(facts, rules)
        if (side := points.claimant) is None:
            return
        if (total := before[side] + points.totals[side]) < rules.target:
            yield against_rules("two-hand.claim-short", "claimant", side=side, total=total, target=rules.target)


FAMILY = Family(
    slug="two-hand-pinochle",
    rules=TwoHandRules,
    facts=TwoHandDeal,
    check=check,
    score=score,
    unscorable=UNSCORABLE,
    setting_problems=partial(setting_problems, all_dealt=False),
    game_checks=_GameChecks(),
)
