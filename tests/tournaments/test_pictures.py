"""A person's season as a picture: every place, and the points in the words beside it."""

from django.template.loader import render_to_string
from hypothesis import given, strategies as st

from scoring.templatetags.figures import points
from tournaments.pictures import MOST, PersonNight, person_chart

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
    assert chart is not None
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
