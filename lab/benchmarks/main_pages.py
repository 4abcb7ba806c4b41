"""The main pages of the demo: what is measured, and what pictures are taken of."""

from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse

from scoring.models import Game
from tournaments.demo import Demo
from tournaments.draws.drafts import published_numbers
from tournaments.models import Cut, Event, Season

QUESTION = "?people=24&minutes=210&per_game=30"  # the page that proposes a format


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its name in figures and file names, its address, and whether it is the director's."""

    name: str
    address: str
    director: bool = False


def main_pages(demo: Demo) -> list[Page]:
    parish, county = demo.parish.slug, demo.county.slug
    night, contest = [parish, demo.night.slug], [county, demo.contest.slug]
    season = Season.objects.get(club=demo.parish)
    proposed = demo.contest.stages.filter(number=2).exclude(cut_rule="")  # none where that is the final
    cut = Cut.objects.get(stage__event=demo.contest, state=Cut.State.PUBLISHED)
    return [
        Page("home", reverse("home")),
        Page("club", reverse("club", args=[parish])),
        Page("event", reverse("event", args=contest)),
        Page("seats", reverse("seats", args=contest)),
        Page("board", reverse("board", args=night)),
        Page("season", reverse("season", args=[parish, season.pk])),
        Page("rules", reverse("rules", args=[parish])),
        Page("desk", reverse("desk", args=[parish]), director=True),
        Page("which-format", reverse("event_advice", args=[parish]) + QUESTION, director=True),
        Page("desk-night", reverse("desk_event", args=night), director=True),
        Page("desk-contest", reverse("desk_event", args=contest), director=True),
        Page("entries", reverse("entries", args=contest), director=True),
        Page("card", reverse("card", args=[parish, _longest_card(demo).pk]), director=True),
        Page("cut", reverse("cut_step", args=[*contest, cut.pk]), director=True),
        *(Page("cut-proposed", reverse("cut", args=[*contest, stage.number]), director=True) for stage in proposed),
        Page("print", reverse("print", args=contest), director=True),
    ]


def guide_pages(demo: Demo) -> list[Page]:
    parish = demo.parish.slug
    night, contest = [parish, demo.night.slug], [demo.county.slug, demo.contest.slug]
    season = Season.objects.get(club=demo.parish)
    over = Event.objects.filter(season=season, state=Event.State.FINISHED).order_by("-starts_at")[0]
    cut = Cut.objects.get(stage__event=demo.contest, state=Cut.State.PUBLISHED)
    return [
        Page("members", reverse("members", args=[parish]), director=True),
        Page("draw", reverse("round_draw", args=night), director=True),
        Page("print", reverse("print", args=night), director=True),
        Page("desk", reverse("desk_event", args=night), director=True),
        Page("card", reverse("card", args=[parish, _longest_card(demo).pk]), director=True),
        Page("grid", reverse("round_keying", args=[*night, max(published_numbers(demo.night))]), director=True),
        Page("board", reverse("board", args=night), director=True),
        Page("result", reverse("event", args=[parish, over.slug]), director=True),
        Page("season", reverse("season", args=[parish, season.pk]), director=True),
        Page("cut", reverse("cut_step", args=[*contest, cut.pk]), director=True),
    ]


def _longest_card(demo: Demo) -> Game:
    """A game of the night that is being played, with deals on its card; the longest of them."""
    games = Game.objects.filter(group_game__group__table__draw__round__stage__event=demo.night)
    playing = games.filter(Q(state=Game.State.OPEN), deals_played__gt=0).order_by("-deals_played", "pk").first()
    return playing or games.order_by("-deals_played", "pk")[0]
