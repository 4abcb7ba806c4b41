"""Wishes: hard ones hold or the draw is refused with those that collide; of the others it is said what they came to."""

from collections import Counter
from itertools import combinations

import pytest

from lab.simulation.draws import DrawFindings, needless, try_event
from tests.tournaments.engine.draws.every_seating import can_hold, tight
from tournaments.engine.draws.rotation import Afternoon, DrawRefused, Undecided, draw_rotation
from tournaments.engine.rounds import DrawWish
from tournaments.engine.verify import find_faults, make_statement, wish_outcomes

ANN, BOB, CAT, DAN, EVE, FAY = range(1, 7)


def drawn(people, rounds, wishes, *, steps=20_000, seed=1, soon=False, **options):
    here = range(1, people + 1)
    plan = draw_rotation(Afternoon(here, rounds, wishes=wishes, **options), seed=seed, steps=steps, soon=soon)
    assert find_faults(plan.rounds, here, or_sides=[(3, 3), (1, 1, 1)], everyone=True) == ()
    return plan.rounds


def met(rounds, wishes):
    return [outcome.met for outcome in wish_outcomes(rounds, wishes)]


def repeats(rounds, couples=()):
    said = make_statement(rounds, (), couples=couples)
    return said.partner.repeats, said.opponent.repeats, said.table_mate.repeats


WISHES = (
    DrawWish("always", (ANN, BOB)),
    DrawWish("once", (CAT, DAN)),
    DrawWish("never", (ANN, EVE)),
    DrawWish("apart", (CAT, FAY)),
    DrawWish("stay", (EVE,), table=2),
    DrawWish("host", (7,), table=3),
    DrawWish("stay", (8,), table=1, seat=3),
    DrawWish("stay", (9,)),
)


@pytest.mark.parametrize("people", [16, 17, 18, 19, 23, 40])
@pytest.mark.parametrize("odd", ["sit-out", "six", "three"])
def test_every_kind_of_wish_holds_together(people, odd):
    assert all(met(drawn(people, 5, WISHES, odd=odd), WISHES))


@pytest.mark.parametrize("people", [8, 10, 11, 14, 19, 26])
def test_a_night_on_which_all_come_as_couples_is_drawn(people):
    """Five couples and two tables: one couple sits out in each round, in turn. Who comes alone finds no partner."""
    couples = [DrawWish("always", (2 * n + 1, 2 * n + 2)) for n in range(people // 2)]
    rounds = drawn(people, 5, couples)
    assert all(met(rounds, couples))
    out = Counter(person for one in rounds for person in one.sit_outs)
    times = [out[person] for couple in couples for person in couple.people]
    assert max(times) - min(times) <= 1


def test_the_wishes_of_a_big_afternoon_cost_nothing():
    """Forty people, six rounds: fourteen couples kept apart, three always together, five once, four with a table."""
    wishes = [
        *(DrawWish("apart", (2 * n, 2 * n - 1)) for n in range(1, 15)),
        *(DrawWish("once", (n, 30 - n)) for n in range(1, 6)),
        *(DrawWish("always", (30 + 2 * n, 31 + 2 * n)) for n in range(3)),
        *(DrawWish("stay", (36 + n,), table=1 + n) for n in range(4)),
    ]
    rounds = drawn(40, 6, wishes, steps=200_000)
    assert all(met(rounds, wishes))
    assert repeats(rounds, [wish.people for wish in wishes if wish.kind == "always"]) == (0, 0, 0)


def test_twelve_couples_partner_once_in_an_afternoon_without_repeats():
    wishes = [DrawWish("once", (2 * n, 2 * n - 1)) for n in range(1, 13)]
    rounds = drawn(24, 6, wishes)
    assert all(met(rounds, wishes))
    assert repeats(rounds) == (0, 0, 0)


def test_the_club_s_north_stays_while_the_others_go_round():
    """Mrs Tully can't walk: forty people, seven rounds, she at table 4, and nobody meets anybody twice for it."""
    wishes = [DrawWish("stay", (ANN,), table=4, seat=1)]
    rounds = drawn(40, 7, wishes)
    assert {one.tables[3][0][0] for one in rounds} == {ANN}
    assert repeats(rounds) == (0, 0, 0)


def test_a_host_plays_in_every_round():
    rounds = drawn(9, 8, [DrawWish("host", (ANN,), table=1)])
    assert not any(ANN in one.sit_outs for one in rounds)


def test_a_couple_sits_out_together():
    rounds = drawn(10, 10, [DrawWish("always", (ANN, BOB))])
    out = [{ANN, BOB} & set(one.sit_outs) for one in rounds]
    assert all(len(both) in (0, 2) for both in out)
    assert any(out)


def colliding(people, rounds, wishes, **options):
    """The numbers of the wishes that are named as colliding."""
    with pytest.raises(DrawRefused) as refused:
        drawn(people, rounds, wishes, **options)
    assert refused.value.code == "draw.wishes-collide"
    return [int(number) for number in str(dict(refused.value.arguments)["wishes"]).split(", ")]


def pairs_of(kind, people):
    return [DrawWish(kind, pair) for pair in combinations(people, 2)]


def staying(person, table, seat=None):
    return DrawWish("stay", (person,), table=table, seat=seat)


FOUR_APART = pairs_of("apart", range(1, 5))
ANYWHERE = [DrawWish("apart", (n, n + 1)) for n in (5, 7, 9, 11)]


@pytest.mark.parametrize(
    ("wishes", "named"),
    [
        ([DrawWish("apart", (ANN, FAY)), DrawWish("always", (ANN, BOB)), DrawWish("always", (BOB, CAT))], [2, 3]),
        ([DrawWish("always", (ANN, BOB)), DrawWish("apart", (CAT, DAN)), DrawWish("never", (BOB, ANN))], [1, 3]),
        ([DrawWish("once", (ANN, BOB)), DrawWish("apart", (ANN, BOB))], [1, 2]),
        ([DrawWish("once", (ANN, n)) for n in range(2, 7)], [1, 2, 3, 4, 5]),
        (FOUR_APART, [1, 2, 3, 4, 5, 6]),
        ([*FOUR_APART, *ANYWHERE], [1, 2, 3, 4, 5, 6]),
        ([staying(n, table=1) for n in range(1, 6)], [1, 2, 3, 4, 5]),
        ([staying(ANN, table=4)], [1]),
        ([DrawWish("apart", (BOB, CAT)), staying(ANN, table=1), staying(ANN, table=2)], [2, 3]),
    ],
    ids=[
        "two partners always",
        "partners always and never",
        "partners who never meet",
        "five partners in four rounds",
        "four apart at three tables",
        "those who fit in anywhere aren't named",
        "five at a table of four",
        "no such table",
        "two tables",
    ],
)
def test_hard_wishes_that_collide_are_named_and_no_others(wishes, named):
    """Twelve people, four rounds at three tables. Without any one of those named the draw can be made."""
    assert colliding(12, 4, wishes) == named
    for number in named:
        rest = [wish for n, wish in enumerate(wishes, 1) if n != number]
        assert all(met(drawn(12, 4, rest, steps=500), rest))


def test_partners_once_with_different_tables_of_their_own_collide():
    wishes = [staying(ANN, table=1), staying(BOB, table=4, seat=1), DrawWish("once", (ANN, BOB))]
    assert colliding(19, 4, wishes, odd="six") == [1, 2, 3]


def test_two_that_collide_are_named_rather_than_many_that_do():
    """Five who are to partner one in four rounds collide, and so do two of the other wishes: fewer to take back."""
    wishes = [*(DrawWish("once", (ANN, n)) for n in range(2, 7)), DrawWish("always", (7, 8)), DrawWish("apart", (8, 7))]
    assert colliding(12, 4, wishes) == [6, 7]


def test_those_that_collide_are_found_among_very_many():
    """A hundred people with sixty pairs kept apart, and one who can't be partnered seven times in six rounds."""
    apart = [DrawWish("apart", (a, a + 35)) for a in range(20, 60)] + [
        DrawWish("apart", (a, a + 7)) for a in range(20, 40)
    ]
    often = [DrawWish("once", (ANN, other)) for other in range(2, 9)]
    wishes = [wish for n, wish in enumerate(apart) for wish in [wish, *([often[n // 8]] if n % 8 == 4 else [])]]
    assert [wishes[number - 1] for number in colliding(100, 6, wishes)] == often
    without = [wish for wish in wishes if wish != often[3]]
    assert all(met(drawn(100, 6, without, steps=500), without))


def test_wishes_decide_who_sits_out_where_they_must():
    """Five people, one table, Ann and Bob always partners, Bob and Dan apart: it is Dan who can never play."""
    wishes = [DrawWish("always", (ANN, BOB)), DrawWish("apart", (BOB, DAN))]
    rounds = drawn(5, 4, wishes)
    assert all(met(rounds, wishes))
    assert [one.sit_outs for one in rounds] == [(DAN,)] * 4


def test_whoever_may_stay_anywhere_stays_at_the_table_of_another_wish():
    wishes = [DrawWish("stay", (ANN,)), DrawWish("stay", (ANN,), table=3)]
    assert met(drawn(12, 4, wishes), wishes) == [True, True]


def test_wishes_that_needn_t_hold_give_way_in_their_order():
    wishes = [
        DrawWish("always", (ANN, BOB), hard=False),
        DrawWish("always", (ANN, CAT)),
        DrawWish("apart", (DAN, EVE), hard=False),
    ]
    assert met(drawn(12, 4, wishes), wishes) == [False, True, True]


def test_a_wish_for_somebody_who_isn_t_here_waits():
    wishes = [DrawWish("always", (ANN, 99)), DrawWish("apart", (ANN, BOB))]
    assert met(drawn(12, 3, wishes), wishes) == [None, True]


def test_being_partners_once_may_have_happened_already():
    wishes = [DrawWish("once", (ANN, BOB))]
    played = drawn(12, 1, [DrawWish("always", (ANN, BOB))])
    later = draw_rotation(Afternoon(range(1, 13), 2, played=played, wishes=wishes), seed=1, steps=5_000).rounds
    assert repeats((*played, *later))[0] == 0, "they aren't made partners again"
    assert [outcome.met for outcome in wish_outcomes([*played, *later], wishes, played=1)] == [True]


def test_an_earlier_plan_is_kept_to_as_far_as_new_wishes_allow():
    """Rounds in which two partner anyway are kept; for a table or a partner of one's own there are others."""
    played, *plan = drawn(16, 4, ())
    (one, partner), (opponent, _) = plan[0].tables[0]
    for wish, kept in (
        (DrawWish("once", (one, partner)), True),
        (DrawWish("stay", (one,), table=3), False),
        (DrawWish("always", (one, opponent)), False),
    ):
        rounds = drawn(16, 3, [wish], played=[played], again=plan)
        assert met(rounds, [wish]) == [True]
        assert (list(rounds) == plan) == kept


@pytest.mark.parametrize("seed", range(6))
def test_hosts_and_a_couple_may_leave_one_choice_of_who_sits_out_whatever_was_planned(seed):
    """Six people, one table, three hosts: the couple sits out, as neither does alone."""
    wishes = [DrawWish("always", (ANN, BOB)), *(DrawWish("host", (n,), table=1) for n in (CAT, DAN, EVE))]
    plan = draw_rotation(Afternoon(range(1, 7), 3), seed=seed, steps=2_000).rounds
    rounds = draw_rotation(Afternoon(range(1, 7), 3, wishes=wishes, again=plan), seed=seed, steps=2_000).rounds
    assert [set(one.sit_outs) for one in rounds] == [{ANN, BOB}] * 3


@pytest.mark.parametrize("most", [1, 9])
def test_rounds_that_break_a_wish_are_never_told_of_even_when_stopped_at_once(most):
    """Five people, one table: two who are kept apart meet in the plan whenever neither sits out."""
    wishes = [DrawWish("apart", (ANN, BOB))]
    plan = draw_rotation(Afternoon(range(1, 6), 5), seed=1).rounds
    told = []

    def watch(progress, best):
        told.append(best())
        return len(told) < most

    rounds = draw_rotation(
        Afternoon(range(1, 6), 5, wishes=wishes, again=plan), seed=1, steps=200_000, watch=watch
    ).rounds
    assert met(rounds, wishes) == [True]
    assert told[0] == ()
    assert all(met(later, wishes) == [True] for later in told[1:])


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
@pytest.mark.parametrize(("people", "table"), [(24, 5), (28, 2)])
def test_any_seat_may_be_kept_where_nobody_meets_anybody_twice(people, table, seat):
    wishes = [
        DrawWish("stay", (ANN,), table=table, seat=seat),
        *(DrawWish("never", (n, n + 1)) for n in range(2, people, 2)),
    ]
    plan = draw_rotation(Afternoon(range(1, people + 1), 6, wishes=wishes), seed=1)
    assert (plan.steps, repeats(plan.rounds)) == (0, (0, 0, 0))
    assert all(met(plan.rounds, wishes))


def test_the_pattern_is_left_for_somebody_with_fewer_partners_to_choose_from_than_rounds():
    wishes = [DrawWish("never", (ANN, n)) for n in range(2, 14)]
    plan = draw_rotation(Afternoon(range(1, 17), 4, wishes=wishes), seed=1, steps=2_000)
    assert plan.method == "search"
    assert all(met(plan.rounds, wishes))


def test_two_kept_apart_leave_the_pattern_in_which_everybody_meets():
    wishes = [DrawWish("apart", (ANN, BOB))]
    plan = draw_rotation(Afternoon(range(1, 17), 5, wishes=wishes), seed=1, steps=2_000)
    assert (plan.method, met(plan.rounds, wishes)) == ("search", [True])


@pytest.mark.parametrize(
    "wish",
    [
        DrawWish("friends", (ANN, BOB)),
        DrawWish("always", (ANN,)),
        DrawWish("apart", (ANN, ANN)),
        DrawWish("stay", (ANN, BOB), table=1),
        DrawWish("host", (ANN,)),
        DrawWish("stay", (ANN,), seat=1),
        DrawWish("stay", (ANN,), table=0),
        DrawWish("never", (ANN, BOB), table=1),
    ],
)
def test_a_wish_that_isn_t_clear_is_refused(wish):
    with pytest.raises(DrawRefused) as refused:
        drawn(12, 2, [DrawWish("apart", (ANN, BOB)), wish])
    assert (refused.value.code, dict(refused.value.arguments)) == ("draw.wish-unclear", {"wish": 2})


def test_invented_afternoons_are_drawn_as_they_should_be():
    """People come, leave and return, with wishes of every kind: thirty of the events that `simulate draws` tries."""
    told = sum((try_event(7, number) for number in range(30)), start=DrawFindings())
    assert told.clean, told
    assert told.draws > 40


def test_a_refusal_that_names_a_wish_too_many_or_none_is_seen():
    wishes = (DrawWish("always", (ANN, BOB)), DrawWish("never", (ANN, BOB)), DrawWish("apart", (CAT, DAN)))
    asked = Afternoon(range(1, 13), 2, wishes=wishes)
    with pytest.raises(DrawRefused) as refused:
        draw_rotation(asked, seed=1)
    assert needless(asked, 1, refused=refused.value) == 0
    assert needless(asked, 1, refused=DrawRefused("draw.wishes-collide", (("wishes", "1, 2, 3"),))) == 1
    assert needless(asked, 1, refused=DrawRefused("draw.too-few")) == 1


SIX_WHO_ALL_PARTNER = pairs_of("once", range(1, 7))


@pytest.mark.daily(10)
@pytest.mark.parametrize("seed", range(30))
def test_six_who_all_partner_each_other_do_so_in_five_rounds(seed):
    """Thirteen people at tables of four: nobody of the six may sit out, and each round partners all of them."""
    rounds = drawn(13, 5, SIX_WHO_ALL_PARTNER, seed=seed, steps=500)
    assert all(met(rounds, SIX_WHO_ALL_PARTNER))
    assert make_statement(rounds, range(1, 14)).sit_outs.spread == 1


@pytest.mark.daily(2)
@pytest.mark.parametrize(("friends", "people", "rounds"), [(8, 9, 7), (8, 15, 7), (10, 17, 9), (12, 14, 11)])
def test_more_who_all_partner_each_other_in_as_few_rounds_as_can_be(friends, people, rounds):
    wishes = pairs_of("once", range(1, friends + 1))
    assert all(met(drawn(people, rounds, wishes, steps=500), wishes))


def test_who_sits_out_is_fair_among_those_who_are_free_to():
    """Nine people, three rounds, four of whom all partner each other: three of the other five sit out, once each."""
    wishes = pairs_of("once", range(1, 5))
    out = [one.sit_outs for one in drawn(9, 3, wishes, steps=500)]
    assert len({person for (person,) in out}) == 3


def test_no_draw_is_refused_that_can_be_made_and_none_made_that_cannot():
    """Against every seating there is, in small events with wishes that hardly hold, or don't. Of those refused, the
    wishes named collide by every seating too, and no fewer do."""
    refused = 0
    for number in range(120):
        people, rounds, wishes = tight(number)
        try:
            plan = draw_rotation(Afternoon(people, rounds, wishes=wishes), seed=number, steps=200)
        except DrawRefused as no:
            named = [wishes[int(n) - 1] for n in str(dict(no.arguments)["wishes"]).split(", ")]
            assert not can_hold(people, rounds, named), number
            for wish in named:
                assert can_hold(people, rounds, [other for other in named if other is not wish]), number
            refused += 1
        else:
            assert all(met(plan.rounds, wishes)), number
    assert 30 < refused < 90


def test_with_little_time_what_is_hard_to_say_is_left_undecided():
    """Ten people apart from ten others at five tables: it can't be, and there are very many ways to try."""
    wishes = [DrawWish("apart", (a, b)) for a in range(1, 11) for b in range(11, 21)]
    with pytest.raises(Undecided):
        drawn(20, 1, wishes, soon=True)
    with pytest.raises(DrawRefused):
        drawn(20, 1, wishes)


def test_with_little_time_what_is_easy_to_say_is_said():
    with pytest.raises(DrawRefused):
        drawn(9, 6, [DrawWish("always", (8, 9)), DrawWish("apart", (8, 9))], soon=True)
    assert all(met(drawn(13, 5, SIX_WHO_ALL_PARTNER, soon=True, steps=500), SIX_WHO_ALL_PARTNER))


def test_what_would_take_too_long_is_refused_with_more_wishes_than_needed():
    """Twenty-six people apart from each other at twenty-five tables, in 325 wishes: nobody tries all of that."""
    assert len(colliding(100, 6, pairs_of("apart", range(1, 27)))) > 100
