"""The picture of a draw's quality: pairs that meet once, more than once, never."""

from collections import Counter
from dataclasses import asdict
from itertools import combinations
from math import comb

from django.urls import reverse
from hypothesis import given, strategies as st

from tests.tournaments.nights import arrive, drafted, make_night
from tournaments.engine.rounds import SeatedRound
from tournaments.engine.verify import statement
from tournaments.pictures import quality_bars


@given(st.lists(st.permutations(range(8)), min_size=1, max_size=6))
def test_the_parts_are_the_pairs_counted_afresh(orders):
    rounds = [
        SeatedRound(tables=tuple((tuple(o[n : n + 2]), tuple(o[n + 2 : n + 4])) for n in (0, 4)), sit_outs=())
        for o in orders
    ]
    met = {name: Counter() for name in ("partners", "opponents", "table")}
    for one in rounds:
        for sides in one.tables:
            side_of = {person: n for n, side in enumerate(sides) for person in side}
            for a, b in combinations(sorted(side_of), 2):
                met["partners" if side_of[a] == side_of[b] else "opponents"][a, b] += 1
                met["table"][a, b] += 1
    bars = quality_bars(asdict(statement(rounds, range(8))))
    for bar, role in zip(bars["bars"], met.values(), strict=True):
        often = sum(times > 1 for times in role.values())
        assert [part["value"] for part in bar["parts"]] == [len(role) - often, often, comb(8, 2) - len(role)]


def test_the_draw_page_shows_it_and_other_statements_have_none(club, actor, director, rules_for, client_of):
    event = make_night(club, rules_for("st-hilary-v3"))
    arrive(event, actor, 8)
    drafted(event, actor, planned=3)
    page = client_of(director).get(reverse("round_draw", args=["st-hilary", event.slug])).content.decode()
    assert "How often two people meet" in page
    assert 'class="part-1"' in page
    assert quality_bars({}) is None
