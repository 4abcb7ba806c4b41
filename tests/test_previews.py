"""Previews of a change, and what a page has shown known again."""

import pytest

from clubsite.accounts.models import Club
from clubsite.previews import fingerprint, preview


def names():
    return list(Club.objects.order_by("pk").values_list("name", flat=True))


def rename(club):
    Club.objects.filter(pk=club.pk).update(name="Renamed")


def test_a_preview_sees_the_change_and_keeps_nothing(club):
    before, after = preview(lambda: rename(club), names)
    assert before == names() == [club.name]
    assert after == ["Renamed"]


def test_a_deed_that_is_refused_half_way_keeps_nothing(club):
    def refused():
        rename(club)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        preview(refused, names)
    assert names() == [club.name]


def test_a_preview_within_another_ends_with_itself(club):
    def inner():
        assert preview(lambda: rename(club), names) == ([club.name], ["Renamed"])

    assert preview(inner, names) == ([club.name], [club.name])


def test_the_digits_kept_in_the_statements_of_draws_stay_the_same():
    """As versions before this module wrote them; a draft that waits would look stale otherwise."""
    results = [[(((1, 2), (3, 4)), (30, 20), (2, 0))], [(((1, 3), (2, 4)), None, None)]]
    assert fingerprint(results) == "0ea8b01d4e621e14"
