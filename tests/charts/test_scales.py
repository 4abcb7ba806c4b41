"""Where things stand in a picture: round figures, labels that never overlap, names that are cut decently."""

import itertools
import unicodedata

from hypothesis import given, strategies as st

from clubsite.charts import ELLIPSIS, Scale, clip, labels_that_fit, spread, text_width, ticks

ROUNDING = 1e-6
NAMES = st.text(alphabet="Aaé ĄąłŻż ễữƠ áíóú -'WiM.", max_size=60)


@given(st.integers(-90_000, 90_000), st.integers(0, 90_000), st.integers(3, 9))
def test_ticks_are_round_even_and_take_everything_in(low, more, most):
    found = ticks(low, low + more, most=most)
    steps = {b - a for a, b in itertools.pairwise(found)}
    assert found[0] <= low
    assert found[-1] >= low + more
    assert 2 <= len(found) <= max(2, most)
    (step,) = steps
    assert str(step).rstrip("0") in ("1", "2", "5")
    assert all(value % step == 0 for value in found)


@given(st.integers(-5000, 5000), st.integers(1, 5000), st.lists(st.integers(0, 100), min_size=2, max_size=2))
def test_the_more_the_further_and_nothing_outside(low, more, parts):
    scale = Scale(low, low + more, 14.0, 0.5)
    one, other = (low + more * part / 100 for part in sorted(parts))
    assert 14.0 + ROUNDING >= scale.at(one) >= scale.at(other) >= 0.5 - ROUNDING


def test_figures_that_are_all_the_same_stand_in_the_middle():
    assert Scale(3, 3, 0, 10).at(3) == 5


@given(st.lists(st.floats(0, 40), max_size=30), st.floats(0.1, 3))
def test_labels_keep_their_order_and_never_overlap(wanted, gap):
    places = spread(wanted, gap=gap, low=0, high=40)
    order = sorted(range(len(wanted)), key=lambda n: (wanted[n], n))
    stand = [places[n] for n in order]
    room = min(gap, 40 / max(1, len(wanted) - 1))
    assert all(b - a >= room - ROUNDING for a, b in itertools.pairwise(stand))
    assert all(-ROUNDING <= place <= 40 + ROUNDING for place in places)


@given(st.lists(st.floats(0, 40), min_size=1, max_size=12, unique=True))
def test_labels_that_have_room_stay_where_they_are_wanted(wanted):
    order = sorted(wanted)
    gap = min((b - a for a, b in itertools.pairwise(order)), default=1.0)
    for place, was in zip(spread(wanted, gap=gap, low=0, high=40), wanted, strict=True):
        assert abs(place - was) < ROUNDING


@given(st.lists(st.floats(0.5, 4), max_size=40), st.floats(5, 40))
def test_labels_of_a_row_that_are_written_do_not_touch(widths, room):
    kept = sorted(labels_that_fit(widths, room=room))
    assert not widths or kept[-1] == len(widths) - 1
    each = room / max(1, len(widths) - 1)
    for one, following in itertools.pairwise(kept):
        assert (following - one) * each > (widths[one] + widths[following]) / 2


@given(NAMES, st.floats(1.5, 14))
def test_a_name_is_whole_or_cut_within_its_room(name, room):
    shown = clip(name, room)
    plain = unicodedata.normalize("NFC", " ".join(name.split()))
    assert shown == plain or shown.endswith(ELLIPSIS)
    assert shown == plain or plain.startswith(shown.removesuffix(ELLIPSIS))
    assert text_width(shown) <= room + ROUNDING
    if text_width(plain) <= room:
        assert shown == plain


def test_letters_that_the_typeface_lacks_have_a_width_and_accents_none():
    assert text_width("Nguyễn") >= text_width("Nguyen")
    assert text_width("e\u0301") == text_width("é")
    assert text_width("Ж") > 0
