"""What a document is asked of: whose it is to be, the draw or the stage that an address names, and on which paper."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from clubsite.accounts.roles import is_director
from clubsite.pdf.documents import paper_of
from clubsite.pdf.sheets import SHARE
from tournaments.draws.keeping import WITH_EVENT
from tournaments.models import Draw, Event, Stage
from tournaments.requests import whole_number_or_none
from tournaments.table_links.shown import site_of


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a document of an event."""

    request: HttpRequest
    event: Event

    @property
    def director(self) -> bool:
        """Whether a director asks, who gets drafts too."""
        return is_director(self.request, self.event.club)

    @property
    def paper(self) -> str:
        """The club's paper, or another that the address asks for."""
        return paper_of(self.request.GET.get("paper", ""), self.event.club.paper)

    @property
    def on(self) -> int:
        """How many pages are wanted on a sheet: see `on_asked`."""
        return on_asked(self.request)

    @property
    def site(self) -> str:
        """The address of the site for phones."""
        return site_of(self.request)

    @property
    def site_of_cards(self) -> str:
        """The address in the codes on cards; none with four on a sheet, where no phone could read them."""
        return "" if self.on == 4 else self.site

    def number(self, name: str) -> int | None:
        """A number in the address, None where there is none. Raises Http404 for anything else."""
        return whole_number_or_none(self.request.GET.get(name))

    def draw(self) -> Draw:
        """The draw asked for, or the last one published. Raises Http404 for a draft of which no director asks."""
        draws = WITH_EVENT.filter(round__stage__event=self.event)
        if not self.director:
            draws = draws.filter(state=Draw.State.PUBLISHED)
        if pk := self.number("draw"):
            return get_object_or_404(draws, pk=pk)
        published = draws.filter(state=Draw.State.PUBLISHED)
        return get_object_or_404(published.order_by("-round__stage__number", "-round__number")[:1])

    def stage(self) -> Stage:
        """The stage asked for by its number, or the last that is drawn. Raises Http404."""
        stages = self.event.stages.select_related("event__club", "event__rules")
        if number := self.number("stage"):
            return get_object_or_404(stages, number=number)
        return get_object_or_404(stages.filter(rounds__draws__state=Draw.State.PUBLISHED).order_by("-number")[:1])


def on_asked(request: HttpRequest) -> int:
    """How many are wanted on a sheet: 1, 2 or 4; 0 where nothing, or nothing known, is asked."""
    wanted = whole_number_or_none(request.GET.get("on")) or 0
    return wanted if wanted in SHARE else 0
