"""Which format for that many people and that long: the ways that fit, with figures of imagined events."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page
from tournaments.advice.figures import EDGE, Tried, nearest
from tournaments.advice.forms import AdviceForm
from tournaments.advice.offers import BETWEEN, FEWEST_IN_CONTEST, OF_CONTEST, FittingWay, minutes_of, offers
from tournaments.engine.formats import TRAITS
from tournaments.events.format_words import ABOUT
from tournaments.models import Event


@dataclass(frozen=True, slots=True)
class FittingFormat:
    """One format that fits, ready to show."""

    offer: FittingWay
    title: str
    about: Promise
    hours: int
    minutes: int
    link: str  # the query of the new event's form
    people: int
    tried: Tried  # with these people, or with the nearest number of people and rounds that was tried

    @property
    def wins(self) -> int:
        """In how many of 100 events the best player or side wins."""
        return round(100 * self.tried.wins)

    @property
    def met(self) -> int:
        """How many different people one person meets, never more than there are. A partner who stays isn't counted."""
        stays = TRAITS[self.offer.format].fixed_sides
        return min(round(self.tried.met), self.people - self.offer.over - 1 - stays)

    @property
    def of_others(self) -> str:
        """That the figures are those of another number of people; "" where they aren't."""
        return "" if self.tried.people == self.people else _("Tried with %(n)d people.") % {"n": self.tried.people}

    @property
    def figures(self) -> list[tuple[str, int]]:
        """What came of trying it, each figure with its heading."""
        return [
            (_("Others met"), self.met),
            (_("Meetings with somebody again"), round(self.tried.again)),
            (_("The best one wins, of 100"), self.wins),
            (_("… is in the first three"), round(100 * self.tried.in_top)),
        ]


@club_page
def advice(request: HttpRequest, club: Club) -> HttpResponse:
    """The question, and the answer below it when it was asked."""
    form = AdviceForm(request.GET if "people" in request.GET else None)
    context = {"form": form, "between": BETWEEN, "edge": EDGE}
    if form.is_bound and form.is_valid():
        wanted, per_game = form.wanted(), form.cleaned_data["per_game"]
        ways = [way for offer in offers(wanted) if (way := _way(offer, wanted.people, per_game=per_game))]
        context |= {
            "wanted": wanted,
            "per_game": per_game,
            "ways": ways,
            "most_met": max(ways, key=lambda way: way.met, default=None),
            "most_wins": max(ways, key=lambda way: way.wins, default=None),
        }
        over = wanted.people % OF_CONTEST.players
        if over and wanted.people > FEWEST_IN_CONTEST and not wanted.fixed:
            context |= {"fewer": wanted.people - over, "more": wanted.people - over + OF_CONTEST.players}
    return render(request, "tournaments/advice/event_advice.html", context)


def _way(offer: FittingWay, people: int, *, per_game: int) -> FittingFormat | None:
    tried = nearest(offer, people)
    if tried is None:
        return None
    hours, minutes = divmod(minutes_of(offer.rounds, per_game), 60)
    clock = {} if TRAITS[offer.format].has_cut else {"round_minutes": per_game}  # stages go by games
    link = urlencode({"format": offer.format, **offer.options, **clock})
    title = str(Event.Format(offer.format).label)
    return FittingFormat(offer, title, ABOUT[offer.format], hours, minutes, link, people, tried)
