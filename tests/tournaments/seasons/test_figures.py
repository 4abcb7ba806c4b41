"""What people tell of a season, counted here again card by card."""

import re
from collections import Counter

import pytest

from clubsite.accounts.models import Member
from scoring.models import Deal, Game
from tests.kept import made_once
from tests.pages import page_of
from tests.tournaments import nights
from tests.tournaments.results import make_season
from tournaments.documents.sheets import season_sheet
from tournaments.models import Event
from tournaments.seasons.figures import season_figures
from tournaments.seasons.table import season_tables


@pytest.fixture
def season(club, actor, rules_for):
    """Two closed nights, of eight and of nine, and one that isn't closed."""

    def build():
        season = make_season(club)
        for day, people in ((6, 8), (13, 9), (20, 12)):
            night = nights.make_night(club, rules_for("st-hilary-v3"), slug=f"night-{day}", season=season, day=day)
            nights.play_night(night, actor, people, rounds=2, deals=3)
        Event.objects.filter(slug="night-20").update(state=Event.State.RUNNING)
        return season

    return made_once("season of figures", build)


def counted(season):
    """Points by deal and by game, and failed bids by name, read card by card."""
    deals, games, failed = {}, Counter(), Counter()
    closed = Event.objects.filter(season=season, state=Event.State.FINISHED)
    for deal in Deal.objects.filter(game__group_game__group__table__draw__round__stage__event__in=closed):
        for line in deal.versions.get(current=True).points.all():
            seats = deal.game.group_game.group.seats.filter(side=line.side).order_by("position")
            names = tuple(seat.entry.name for seat in seats)
            deals[deal.pk, names] = line.points
            games[deal.game_id, names] += line.points
            failed.update(names if line.was_set else ())
    return deals, games, failed


def figures(season):
    return {line[0]: line[1:] for line in season_figures(season_tables([season])[0])}


def test_best_deal_best_game_and_most_failed_bids_are_those_of_the_cards(season):
    deals, games, failed = counted(season)
    told = figures(season)
    for what, every in (("Best deal", deals), ("Best game", games)):
        best = [names for (_key, names), points in every.items() if points == max(every.values())]
        assert (what in told) is (len(best) <= 3)
        if what in told:
            who, points, night = told[what]
            assert sorted(who.split(", ")) == sorted(" & ".join(names) for names in best)
            assert points == str(max(every.values()))
            assert night.startswith("Night night-")
    most = sorted(name for name, count in failed.items() if count == max(failed.values()))
    if len(most) <= 3:
        assert told["Most failed bids"] == (", ".join(most), str(max(failed.values())), "")
    assert told


def test_attendance_is_of_the_closed_nights_and_what_many_share_or_no_game_has_is_not_told(season):
    told = figures(season)
    assert told["People a night"][1] == "8.5"
    assert told["People a night"][2].startswith("most, 9: Night night-13 · ")
    assert told["Came every night"][:2] == (", ".join(f"Player {n:02}" for n in range(1, 9)), "8")
    names = [name for name, *_rest in season_figures(season_tables([season])[0])]
    assert not [name for name in names if name.startswith("Most deals worth")]
    Game.objects.update(deals_played=0)
    assert set(figures(season)) <= {"Came every night"}


def test_lone_hands_are_told_where_one_side_has_the_points(club, actor, rules_for):
    season = make_season(club)
    night = nights.make_night(club, rules_for("euchre"), slug="euchre", season=season)
    nights.play_night(night, actor, 4, deals=8)
    deals, _games, _failed = counted(season)
    alone = Counter(name for (_pk, names), points in deals.items() if points == 4 for name in names)
    told = figures(season)
    most = sorted(name for name, count in alone.items() if count == max(alone.values()))
    assert 0 < len(most) <= 3
    assert told["Most deals worth 4"][:2] == (", ".join(most), str(max(alone.values())))


def test_they_are_on_the_seasons_page_and_on_its_sheet_with_initials(season, client):
    page = page_of(client.get(f"/st-hilary/seasons/{season.pk}/"))
    assert "Figures of the season" in page
    table = season_sheet(season)["tables"][-1]
    assert [line[0] for line in table["lines"]] == [line[0] for line in season_figures(season_tables([season])[0])]
    name = figures(season)["Came every night"][0].split(", ")[0]
    Member.objects.filter(name=name).update(initials_only=True)
    hidden = page_of(client.get(f"/st-hilary/seasons/{season.pk}/"))
    told = re.search(r"Figures of the season</h2>(.*?)</table>", hidden, re.DOTALL)
    assert told
    assert name not in told[1]
