"""The cut: 54 to 18 with a reason for every name, ties at the line shown, withdrawals before and after."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tournaments.cuts.cuts import CUT
from tournaments.engine.ranking import (
    Candidate,
    CutRule,
    CutSection,
    DrawnLots,
    OpenTie,
    PlayOff,
    Result,
    build_chain,
    call_up,
    candidate_section,
    lot,
    make_cut_rule,
    next_in_line,
    propose_cut,
    rank,
    replace_by_ruling,
)

POINTS = build_chain(["points"])
ONE_OF_A_GROUP, TWO_OF_A_TABLE = CutRule("group", 1), CutRule("table", 2)
ANN, BEA, CAL, DOT, EVE, FAY = 1, 2, 3, 4, 5, 6


def six(*points, **options):
    """One table of two groups: Ann, Bea and Cal, and Dot, Eve and Fay, with their points."""
    return [candidate(n, points[n - 1], group=1 + (n > 3), **options) for n in range(1, len(points) + 1)]


def candidate(entry, points, *, table=1, group=1, **options):
    return Candidate(Result(entry=entry, points=points), table, group, **options)


def without(candidates, *entries):
    return [Candidate(c.result, c.table, c.group, withdrawn=True) if c.entry in entries else c for c in candidates]


def said(cut, entry):
    decision = cut.decision(entry)
    return decision.advances, decision.code, dict(decision.args)


def test_fifty_four_become_eighteen():
    field = [candidate(10 * t + s, 1000 - 17 * t - 5 * s, table=t, group=1 + s % 2) for t in range(9) for s in range(6)]
    for rule in (ONE_OF_A_GROUP, TWO_OF_A_TABLE, CutRule("overall", 18)):
        cut = propose_cut(field, rule=rule, chain=POINTS)
        assert (len(cut.finalists), cut.wanted, cut.open_ties, cut.vacancies) == (18, 18, (), 0)
        assert len(cut.reserves) == 36
        assert len(cut.decisions) == 54


def test_the_winner_of_each_group_with_the_gap_below():
    cut = propose_cut(six(300, 280, 250, 90, 100, 40), rule=ONE_OF_A_GROUP, chain=POINTS)
    assert cut.finalists == (ANN, EVE)
    assert said(cut, ANN) == (True, "cut.group-winner", {"table": 1, "group": 1, "on": "points"})
    assert said(cut, BEA) == (False, "cut.below-line", {"by": 20, "on": "points"})
    assert said(cut, FAY) == (False, "cut.below-line", {"by": 60, "on": "points"})
    assert cut.reserves == (BEA, CAL, DOT, FAY)


def test_the_top_two_of_a_table_whatever_their_group():
    cut = propose_cut(six(300, 280, 250, 90, 100, 40), rule=TWO_OF_A_TABLE, chain=POINTS)
    assert cut.finalists == (ANN, BEA)
    assert said(cut, BEA) == (True, "cut.table-top", {"table": 1, "place": 2, "on": "points"})


def test_a_tie_break_that_decided_is_named():
    field = [
        Candidate(Result(entry=ANN, points=100, games_won=Fraction(5, 2))),
        Candidate(Result(entry=BEA, points=100, games_won=Fraction(1))),
    ]
    cut = propose_cut(field, rule=CutRule("overall", 1), chain=build_chain(["points", "games-won"]))
    assert said(cut, ANN) == (True, "cut.overall", {"place": 1, "on": "games-won"})
    assert said(cut, BEA) == (False, "cut.below-line", {"by": "3/2", "on": "games-won"})


def test_wild_cards_fill_up_by_overall_rank():
    """Two group winners and one wild card: Bea's 280 beats every other second."""
    cut = propose_cut(six(300, 280, 250, 90, 100, 40), rule=CutRule("group", 1, total=3), chain=POINTS)
    assert cut.finalists == (ANN, BEA, EVE)
    assert said(cut, BEA) == (True, "cut.wild-card", {"number": 1, "place": 1, "on": "points"})
    assert said(cut, DOT) == (False, "cut.below-line", {"by": 190, "on": "points"})


def test_a_tie_at_the_line_is_shown_until_a_play_off_settles_it():
    field = six(300, 300, 250, 90, 100, 40)
    cut = propose_cut(field, rule=ONE_OF_A_GROUP, chain=POINTS)
    assert not cut.complete
    assert cut.open_ties == (OpenTie(CutSection("group", 1, 1), (ANN, BEA), 1),)
    assert cut.finalists == (EVE,)
    assert said(cut, ANN) == said(cut, BEA) == (False, "cut.tie-at-line", {"level": 1, "places": 1})
    assert said(cut, CAL)[1] == "cut.below-line"

    settled = propose_cut(field, rule=ONE_OF_A_GROUP, chain=POINTS, settled=[PlayOff({ANN: 12, BEA: 13})])
    assert settled.complete
    assert said(settled, BEA) == (True, "cut.won-play-off", {"points": 13})
    assert said(settled, ANN) == (False, "cut.lost-play-off", {"points": 12})


def test_a_play_off_that_leaves_two_level_goes_on_to_lots():
    field = [candidate(e, 100) for e in (ANN, BEA, CAL, DOT)]
    rule = CutRule("overall", 2)
    first = PlayOff({ANN: 20, BEA: 15, CAL: 15, DOT: 3})
    cut = propose_cut(field, rule=rule, chain=POINTS, settled=[first])
    assert cut.open_ties == (OpenTie(CutSection("overall"), (BEA, CAL), 1),)
    assert said(cut, ANN)[1] == "cut.won-play-off"
    assert said(cut, DOT)[1] == "cut.lost-play-off"

    again = propose_cut(field, rule=rule, chain=POINTS, settled=[first, DrawnLots((BEA, CAL), seed=5)])
    assert again.complete
    lucky, unlucky = sorted((BEA, CAL), key=lambda e: lot(5, e))
    assert said(again, lucky) == (True, "cut.drawn-by-lot", {"seed": 5})
    assert said(again, unlucky) == (False, "cut.not-drawn", {"seed": 5})


def test_a_play_off_gives_a_wild_card():
    field = six(300, 200, 90, 200, 310, 40)
    cut = propose_cut(field, rule=CutRule("group", 1, total=3), chain=POINTS, settled=[PlayOff({BEA: 1, DOT: 2})])
    assert said(cut, DOT) == (True, "cut.won-play-off", {"points": 2})
    assert said(cut, BEA) == (False, "cut.lost-play-off", {"points": 1})


def test_a_settlement_of_others_settles_nothing():
    field = [candidate(e, 100) for e in (ANN, BEA, CAL)]
    cut = propose_cut(field, rule=CutRule("overall", 1), chain=POINTS, settled=[PlayOff({ANN: 9, BEA: 8})])
    assert cut.open_ties[0].entries == (ANN, BEA, CAL)


def test_wild_cards_wait_for_ties_in_the_groups():
    cut = propose_cut(six(300, 300, 250, 90, 100, 40), rule=CutRule("group", 1, total=3), chain=POINTS)
    assert [said(cut, e)[1] for e in (CAL, DOT, FAY)] == ["cut.waits"] * 3
    assert cut.finalists == (EVE,)
    settled = propose_cut(
        six(300, 300, 250, 90, 100, 40),
        rule=CutRule("group", 1, total=3),
        chain=POINTS,
        settled=[PlayOff({ANN: 2, BEA: 1})],
    )
    assert settled.finalists == (ANN, BEA, EVE)
    assert said(settled, BEA)[1] == "cut.wild-card", "the loser of the play-off has the best points of the rest"


def test_a_withdrawal_before_the_cut_calls_up_the_next_of_the_group():
    cut = propose_cut(without(six(300, 280, 250, 90, 100, 40), ANN), rule=ONE_OF_A_GROUP, chain=POINTS)
    assert said(cut, ANN) == (False, "cut.withdrawn", {})
    assert said(cut, BEA) == (True, "cut.called-up", {"instead_of": ANN, "on": "points"})
    assert said(cut, EVE)[1] == "cut.group-winner"
    assert ANN not in cut.reserves


def test_who_comes_after_a_winner_who_has_withdrawn_has_not_won():
    field = without(six(300, 280, 250, 90, 100, 40), ANN)
    grouped = propose_cut(field, rule=CutRule("group", 2), chain=POINTS)
    assert said(grouped, BEA) == (True, "cut.group-top", {"table": 1, "group": 1, "place": 2, "on": ""})
    assert said(grouped, CAL) == (True, "cut.called-up", {"instead_of": ANN, "on": ""})
    assert said(propose_cut(field, rule=CutRule("overall", 3), chain=POINTS), BEA)[2]["place"] == 2


def test_two_withdrawals_are_made_good_in_order():
    cut = propose_cut(without(six(300, 280, 250, 90, 100, 40), ANN, BEA), rule=TWO_OF_A_TABLE, chain=POINTS)
    assert said(cut, CAL)[2]["instead_of"] == ANN
    assert said(cut, EVE)[2]["instead_of"] == BEA


def test_the_ineligible_are_passed_over_with_the_directors_reason():
    field = six(300, 280, 250, 90, 100, 40)
    field[0] = Candidate(field[0].result, 1, 1, ineligible="not a member")
    cut = propose_cut(field, rule=TWO_OF_A_TABLE, chain=POINTS)
    assert said(cut, ANN) == (False, "cut.ineligible", {"reason": "not a member"})
    assert said(cut, BEA)[1] == "cut.table-top"
    assert said(cut, CAL)[1:] == ("cut.called-up", {"instead_of": ANN, "on": "points"})


def test_a_group_that_has_left_gives_its_place_to_the_best_of_the_rest():
    cut = propose_cut(without(six(300, 280, 250, 90, 100, 40), DOT, EVE, FAY), rule=ONE_OF_A_GROUP, chain=POINTS)
    assert cut.finalists == (ANN, BEA)
    assert said(cut, BEA) == (True, "cut.called-up", {"instead_of": 0, "on": "points"})


def test_a_field_too_small_says_how_many_places_stay_empty():
    cut = propose_cut(without(six(1, 2, 3), ANN, BEA), rule=CutRule("overall", 2), chain=POINTS)
    assert (cut.finalists, cut.vacancies) == ((CAL,), 1)


def test_after_the_cut_the_next_of_the_group_is_offered_then_the_best_of_the_rest():
    cut = propose_cut(six(300, 280, 250, 90, 100, 40), rule=ONE_OF_A_GROUP, chain=POINTS)
    assert next_in_line(cut, EVE).entry == DOT, "of Eve's group, though Bea has more points"
    with pytest.raises(ValueError, match="finalist"):
        next_in_line(cut, DOT)

    after = call_up(cut, EVE, by=DOT)
    assert after.finalists == (ANN, DOT)
    assert said(after, EVE) == (False, "cut.replaced", {"by": DOT})
    assert said(after, DOT) == (True, "cut.called-up", {"instead_of": EVE, "on": ""})
    assert next_in_line(after, DOT).entry == FAY, "whoever was called up leaves the place to the same group"
    assert call_up(after, DOT, by=None).finalists == (ANN,)
    after = call_up(after, DOT, by=FAY)
    assert next_in_line(after, FAY).entry == BEA, "nobody of the group is left"
    after = call_up(call_up(after, FAY, by=BEA), BEA, by=CAL)
    assert next_in_line(after, CAL).entry is None
    with pytest.raises(ValueError, match="place"):
        call_up(cut, EVE, by=ANN)


def test_by_a_ruling_anybody_of_the_field_goes_on_in_a_finalists_place():
    cut = propose_cut(six(300, 280, 250, 90, 100, 40), rule=ONE_OF_A_GROUP, chain=POINTS)
    after = replace_by_ruling(cut, EVE, by=CAL, reason="misread card")
    assert after.finalists == (ANN, CAL)
    assert said(after, EVE) == (False, "cut.ruled-out", {"by": CAL, "reason": "misread card"})
    assert said(after, CAL) == (True, "cut.ruled-in", {"instead_of": EVE, "reason": "misread card"})
    assert after.reserves == (BEA, DOT, FAY)
    assert next_in_line(after, CAL).entry == DOT, "the place is still that of Eve's group"


def test_a_wild_cards_place_goes_to_the_whole_field():
    cut = propose_cut(six(300, 280, 80, 90, 100, 40), rule=CutRule("group", 1, total=3), chain=POINTS)
    assert next_in_line(cut, BEA).entry == DOT


def test_level_reserves_are_named_not_chosen():
    cut = propose_cut(six(300, 200, 200), rule=ONE_OF_A_GROUP, chain=POINTS)
    assert next_in_line(cut, ANN).level == (BEA, CAL)
    assert next_in_line(cut, ANN, settled=[PlayOff({BEA: 1, CAL: 2})]).entry == CAL


def test_impossible_rules_and_fields_are_refused():
    with pytest.raises(ValueError, match="at least one"):
        CutRule("group", 0)
    with pytest.raises(ValueError, match="in all"):
        propose_cut(six(1, 2, 3, 4, 5, 6), rule=CutRule("group", 2, total=3), chain=POINTS)
    with pytest.raises(ValueError, match="twice"):
        propose_cut([candidate(1, 1), candidate(1, 2)], rule=ONE_OF_A_GROUP, chain=POINTS)


rules = st.sampled_from(
    [
        CutRule("group", 1),
        CutRule("group", 1, total=9),
        CutRule("table", 2),
        CutRule("table", 1, total=5),
        CutRule("overall", 4),
    ]
)
chains = st.sampled_from(
    [
        build_chain(["points"]),
        build_chain(["points", "games-won", "fewest-sets", "shared"]),
        build_chain(["points", "net", "lots"], lots_seed=11),
    ]
)
contestants = st.builds(
    Candidate,
    result=st.builds(
        Result,
        entry=st.integers(1, 60),
        points=st.integers(0, 4),
        games_won=st.integers(0, 2).map(lambda halves: Fraction(halves, 2)),
        sets=st.integers(0, 1),
        net=st.integers(-1, 1),
    ),
    table=st.integers(1, 3),
    group=st.integers(1, 2),
    withdrawn=st.sampled_from([False, False, False, True]),
    ineligible=st.sampled_from(["", "", "", "guest"]),
    disqualified=st.sampled_from(["", "", "", "", "marked cards"]),
)
contests = st.lists(contestants, min_size=1, max_size=20, unique_by=lambda c: c.entry)
settlements = st.lists(
    st.one_of(
        st.builds(PlayOff, st.fixed_dictionaries({e: st.integers(0, 3) for e in range(1, 61)})),
        st.builds(DrawnLots, st.just(tuple(range(1, 61))), st.integers(0, 99)),
    ),
    max_size=2,
)


@given(contests, rules, chains, settlements, st.randoms(use_true_random=False))
def test_no_permutation_changes_a_cut(field, rule, chain, settled, shuffler):
    shuffled = list(field)
    shuffler.shuffle(shuffled)
    assert propose_cut(shuffled, rule=rule, chain=chain, settled=settled) == propose_cut(
        field, rule=rule, chain=chain, settled=settled
    )


@given(contests, rules, chains, settlements)
def test_the_place_that_is_a_reason_is_the_one_among_all_who_played_there(field, rule, chain, settled):
    cut = propose_cut(field, rule=rule, chain=chain, settled=settled)
    for c in field:
        _advances, code, args = said(cut, c.entry)
        mates = [
            other.result for other in field if candidate_section(other, rule.per) == candidate_section(c, rule.per)
        ]
        place = next(p for p in rank(mates, chain) if p.entry == c.entry)
        if code in ("cut.group-top", "cut.table-top", "cut.overall"):
            assert args["place"] == place.place
        elif code == "cut.group-winner":
            assert (place.place, place.shared) == (1, False)


@given(contests, rules, chains, settlements)
@examples(150)
def test_a_withdrawal_below_the_line_takes_nobody_from_above_it(field, rule, chain, settled):
    cut = propose_cut(field, rule=rule, chain=chain, settled=settled)
    for c in field:
        if c.entry not in cut.finalists:
            after = propose_cut(without(field, c.entry), rule=rule, chain=chain, settled=settled)
            assert set(cut.finalists) <= set(after.finalists)


@given(contests, rules, chains, settlements)
@examples(150)
def test_who_was_never_there_takes_nobody_from_above_the_line(field, rule, chain, settled):
    """Somebody below the line is taken out altogether: no finalist falls, as long as the section itself stays."""
    cut = propose_cut(field, rule=rule, chain=chain, settled=settled)
    for c in field:
        mates = [other for other in field if candidate_section(other, rule.per) == candidate_section(c, rule.per)]
        if c.entry not in cut.finalists and len(mates) > 1:
            rest = [other for other in field if other is not c]
            assert set(cut.finalists) <= set(propose_cut(rest, rule=rule, chain=chain, settled=settled).finalists)


@given(contests, rules, chains, settlements)
@examples(150)
def test_every_tie_at_a_line_is_broken_by_a_recorded_rule_or_shown(field, rule, chain, settled):
    cut = propose_cut(field, rule=rule, chain=chain, settled=settled)
    eligible = [c for c in field if c.eligible]
    for section in {d.section for d in cut.decisions if d.section}:
        through = {d.entry for d in cut.decisions if d.section == section}
        of = (
            eligible if section.per == "overall" else [c for c in eligible if candidate_section(c, rule.per) == section]
        )
        here = [c for c in of if c.entry in through or c.entry not in cut.finalists]
        place = {p.entry: p.place for p in rank([c.result for c in here], chain)}
        for above in through:
            for below in place.keys() - through:
                assert place[above] <= place[below]
                if place[above] == place[below]:  # the chain leaves them level, whether or not `below` is with others
                    assert any(held.order(above) < held.order(below) for held in settled)
    shown = {entry for tie in cut.open_ties for entry in tie.entries}
    assert shown == {d.entry for d in cut.decisions if d.code == "cut.tie-at-line"}


def test_a_play_off_that_leaves_two_level_shows_them_beside_its_winner():
    found = [candidate(entry, 0) for entry in (ANN, BEA, CAL)]
    cut = propose_cut(found, rule=CutRule("table", 2), chain=POINTS, settled=[PlayOff({ANN: 2, BEA: 0, CAL: 0})])
    assert said(cut, ANN)[1] == "cut.won-play-off"
    assert [(tie.entries, tie.places) for tie in cut.open_ties] == [((BEA, CAL), 1)]


@given(contests, rules, chains, settlements)
def test_the_number_that_goes_on_is_the_number_wanted_or_it_is_said_why(field, rule, chain, settled):
    cut = propose_cut(field, rule=rule, chain=chain, settled=settled)
    eligible = [c for c in field if c.eligible]
    assert len(cut.finalists) <= cut.wanted
    assert {d.code for d in cut.decisions} <= CUT.keys()
    assert set(cut.reserves) == {c.entry for c in eligible} - set(cut.finalists)
    if cut.complete:
        assert len(cut.finalists) == min(cut.wanted, len(eligible))
        assert cut.vacancies == cut.wanted - len(cut.finalists)
        assert not {"cut.tie-at-line", "cut.waits"} & {d.code for d in cut.decisions}
    for tie in cut.open_ties:
        assert 0 < tie.places < len(tie.entries)
        assert all(cut.decision(e).code == "cut.tie-at-line" for e in tie.entries)


@given(contests, rules, chains, st.integers(0, 99))
def test_lots_settle_every_tie_whoever_is_in_it(field, rule, chain, seed):
    everybody = tuple(c.entry for c in field)
    assert propose_cut(field, rule=rule, chain=chain, settled=[DrawnLots(everybody, seed)]).complete


@given(contests, rules, chains, st.data())
def test_every_finalist_can_be_replaced_until_nobody_is_left(field, rule, chain, data):
    cut = propose_cut(field, rule=rule, chain=chain, settled=[DrawnLots(tuple(c.entry for c in field), 1)])
    while cut.finalists:
        leaving = data.draw(st.sampled_from(cut.finalists))
        offer = next_in_line(cut, leaving)
        assert not offer.level
        assert (offer.entry is None) == (not cut.reserves)
        before = len(cut.finalists)
        cut = call_up(cut, leaving, by=offer.entry)
        assert len(cut.finalists) == before - (offer.entry is None)
        assert leaving not in (*cut.finalists, *cut.reserves)


def test_a_cut_over_all_has_no_sections():
    assert make_cut_rule("overall", 18, sections=9) == CutRule("overall", 18)


def test_of_a_stranger_nothing_is_decided():
    cut = propose_cut(six(1, 2, 3, 4, 5, 6), rule=CutRule("overall", 2), chain=POINTS)
    with pytest.raises(KeyError):
        cut.decision(99)
