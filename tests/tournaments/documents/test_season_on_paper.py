"""A season on paper."""

from tests.tournaments.results import closed_night, make_season
from tournaments.documents.sheets import season_sheet


def test_a_shared_place_is_written_as_on_the_screen(club, rules_for):
    season = make_season(club)
    closed_night(season, rules_for("st-hilary-v3"), 6, {"Ann": 40, "Bob": 40, "Cal": 10})
    lines = season_sheet(season)["tables"][0]["lines"]
    assert [line[:2] for line in lines] == [["1=", "Ann"], ["1=", "Bob"], ["3", "Cal"]]
