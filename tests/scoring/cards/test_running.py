"""The picture of a finished game: the running totals deal by deal, with their figures beside it."""

from itertools import accumulate

from scoring.cards.queries import card_of, running_chart
from scoring.templatetags.figures import points


def test_a_finished_card_has_its_running_totals_as_a_picture_and_in_words(finished, desk):
    card = card_of(finished)
    chart = running_chart(card)
    for side, (one, words) in zip(card.sides, chart.rows, strict=True):
        made = accumulate((deal.points[side.number] for deal in card.deals if deal.counts), initial=side.start)
        assert (one.name, words) == (side.name, tuple(map(points, made)))
        assert words[-1] == points(side.total)
    assert [one.lit for one, _words in chart.rows] == [side.half_wins == 2 for side in card.sides]
    page = desk.get(finished.get_absolute_url()).content.decode()
    assert "The running totals, deal by deal" in page
    assert "pictures.css" in page


def test_a_card_that_is_being_played_carries_no_picture(game, record, desk):
    record(game, 1)
    record(game, 2)
    assert running_chart(card_of(game)) is None
    assert "pictures.css" not in desk.get(game.get_absolute_url()).content.decode()
