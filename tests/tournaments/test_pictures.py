"""Pictures: a person's season with every place and its points in words, and how good a draw is."""

from collections import Counter
from dataclasses import asdict
from itertools import combinations
from math import comb

from django.template.loader import render_to_string
from django.urls import reverse
from hypothesis import given, strategies as st

from scoring.templatetags.figures import points
from tests.tournaments.nights import arrive, drafted
from tournaments.engine.rounds import SeatedRound
from tournaments.engine.verify import make_statement
from tournaments.pictures import MOST, PersonNight, person_chart, quality_bars

NIGHTS = st.lists(
    st.tuples(st.none() | st.tuples(st.integers(1, 30), st.integers(-900, 9000)), st.integers(30, 60)), max_size=40
).map(
    lambda found: [
        PersonNight(f"Night {n}", own and own[0], of, own and own[1]) for n, (own, of) in enumerate(found, 1)
    ]
)


@given(NIGHTS)
def test_the_words_have_the_place_the_players_and_the_points_of_the_newest_nights(nights):
    chart = person_chart(nights)
    newest = nights[-MOST:]
    if sum(night.place is not None for night in newest) < 2:
        assert chart is None
        return
    assert chart.by_post == [
        (night.label, ("" if night.place is None else str(night.place), str(night.of), points(night.points)))
        for night in newest
    ]
    assert chart.lines[0].dots.count("h.01") == sum(night.place is not None for night in newest)


def test_the_partial_shows_nothing_without_a_picture_and_escapes_the_name():
    template = "tournaments/members/_season_picture.html"
    assert render_to_string(template, {"chart": None, "name": "Ann"}).strip() == ""
    chart = person_chart([PersonNight("6 Nov", 1, 8, 40), PersonNight("13 Nov", 3, 9, 20)])
    shown = render_to_string(template, {"chart": chart, "name": "<b>Ann"})
    assert "&lt;b&gt;Ann: the place on each night" in shown
    assert "<b>Ann" not in shown
    assert 'role="img"' in shown


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
    bars = quality_bars(asdict(make_statement(rounds, range(8))))
    for bar, role in zip(bars["bars"], met.values(), strict=True):
        often = sum(times > 1 for times in role.values())
        assert [part["value"] for part in bar["parts"]] == [len(role) - often, often, comb(8, 2) - len(role)]


def test_the_draw_page_shows_it_and_other_statements_have_none(event, actor, browser):
    arrive(event, actor, 8)
    drafted(event, actor, planned=3)
    page = browser.get(reverse("round_draw", args=["st-hilary", event.slug])).content.decode()
    assert "How often two people meet" in page
    assert 'class="part-1"' in page
    assert quality_bars({}) is None
