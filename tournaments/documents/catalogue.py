"""What the print centre offers of an event, grouped by when a hall needs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.documents.from_draws import title_of_draw
from tournaments.documents.paper_forms import PAPER_FORMS
from tournaments.models import Cut, Draw, Event, PublishedStandings, Stage
from tournaments.models.outcomes import has_sides
from tournaments.prizes.actions import prizes_view
from tournaments.standings.results import drawn_stages, standing_result


@dataclass(frozen=True, slots=True)
class Offer:
    """One document: its name in the address, what it is called, what the address asks. `first`: the one that is most
    likely wanted; `pictured`: whether its first sheet is worth a small picture, for which the pages have to be made."""

    document: str
    words: str
    query: tuple[tuple[str, object], ...] = ()
    first: bool = False
    pictured: bool = True

    def addresses(self, here: str, end: str) -> tuple[str, str]:
        """The addresses of the PDF and of its picture, "" where it has none; they end with the query `end`."""
        query = f"{urlencode(self.query)}&{end}" if self.query else end
        path = f"{here}{self.document}"
        return f"{path}.pdf?{query}", f"{path}.png?{query}" if self.pictured else ""


@dataclass(frozen=True, slots=True)
class OfferedGroup:
    """Documents under one heading, which tells the state of their `draw`."""

    key: str
    title: str
    offers: tuple[Offer, ...]
    draw: Draw | None = None


def catalogue(event: Event, draws: Iterable[Draw], *, director: bool) -> list[tuple[str, str, list[OfferedGroup]]]:
    """Everything of an event that a director or a scorekeeper can print: key, title and groups of each time at which it
    is needed. Five queries at most.

    `draws` are those that they may see, without those taken back, the newest round first.
    """
    one_each: dict[int, Draw] = {}  # for each round its published draw, or else its newest draft
    for draw in draws:
        if draw.state == Draw.State.PUBLISHED or draw.round_id not in one_each:
            one_each[draw.round_id] = draw
    shown = list(one_each.values())
    times = [
        ("before", _("Before you play"), list(_before(event, director=director))),
        ("round", _("This round"), list(_this_round(event, shown[:1], director=director))),
        ("results", _("Results"), list(_results(event, director=director))),
        ("archive", _("For the archive"), list(_archive(event, shown, director=director))),
    ]
    return [(key, title, groups) for key, title, groups in times if groups]


def _before(event: Event, *, director: bool) -> Iterator[OfferedGroup]:
    cards = (
        Offer("place-cards", _("Place cards, with crop marks")),
        Offer("blank", _("Blank cards without names")),
    )
    yield OfferedGroup("blanks", _("Names and blank cards"), cards)
    forms = [
        Offer(slug, str(form.title))
        for slug, form in PAPER_FORMS.items()
        if (director or not form.directors_only) and form.fits(event)
    ]
    yield OfferedGroup("forms", _("Forms to fill in by hand"), tuple(forms))


def _this_round(event: Event, draws: Sequence[Draw], *, director: bool) -> Iterator[OfferedGroup]:
    for draw in draws:
        query = (("draw", draw.pk),)
        offers = [
            Offer("round", _("Print this round: seats, who sits out, cards"), query, first=True),
            Offer("seating", _("Who sits where"), query),
            Offer("cards", _("Score cards, to be filled in"), query),
            Offer("tents", _("Tents for tables, with their codes"), query),
            Offer("place-cards", _("Place cards, with seats"), query),
        ]
        if director and event.traits.searched:
            offers.append(Offer("movement", _("Movement sheet: all rounds planned, and what they repeat"), query))
        if draw.state == Draw.State.PUBLISHED:
            offers.append(Offer("travelling", _("Cards to travel with, one for everybody")))
            offers.append(Offer("second-keying", _("Cards for a second keying"), query))
        yield OfferedGroup(f"draw-{draw.pk}", title_of_draw(draw), tuple(offers), draw)


def _results(event: Event, *, director: bool) -> Iterator[OfferedGroup]:
    """The result, and the stages with a published draw, the last first. Three queries, and two for a result."""
    if result := standing_result(event):
        offers = [
            Offer("result", _("Result, to be signed"), first=True),
            Offer("certificates", _("Certificates for the first three places")),
        ]
        if has_sides(result.rows):
            offers.append(Offer("certificates", _("Certificates for each player of these sides"), (("each", 1),)))
        if prizes_view(event, result):
            offers.append(Offer("prizes", _("Prizes, as published")))
        yield OfferedGroup("result", _("The result"), tuple(offers))
    stages = list(drawn_stages(event))
    if not stages:
        return
    published = PublishedStandings.objects.filter(stage__event=event).order_by("-number")
    versions = list(published.values_list("stage_id", "number", "at"))
    cuts = set(Cut.objects.filter(stage__event=event, state=Cut.State.PUBLISHED).values_list("stage_id", flat=True))
    for stage in stages:
        title = _("Results of %(stage)s") % {"stage": stage.name}
        own = [(number, at) for stage_id, number, at in versions if stage_id == stage.pk]
        offers_of_stage = tuple(_of_stage(stage, own, is_cut=stage.pk in cuts, director=director))
        yield OfferedGroup(f"stage-{stage.number}", title, offers_of_stage)
    yield OfferedGroup("met", _("Who met whom"), (Offer("met", _("Who met whom, as a picture and in words")),))


def _of_stage(
    stage: Stage, versions: Iterable[tuple[int, datetime]], *, is_cut: bool, director: bool
) -> Iterator[Offer]:
    query = (("stage", stage.number),)
    yield Offer("standings", _("Standings now, provisional"), query)
    for number, at in versions:
        when = date_format(localtime(at), "DATETIME_FORMAT")
        words = _("Standings, version %(n)d of %(at)s") % {"n": number, "at": when}
        yield Offer("standings", words, (*query, ("version", number)))
    if stage.cut_rule and (is_cut or director):
        yield Offer("cut", _("The cut") if is_cut else _("The cut as it would be now"), query)


def _archive(event: Event, draws: Sequence[Draw], *, director: bool) -> Iterator[OfferedGroup]:
    if director:
        words = _("The full record: entries, draws, deals, rulings, cuts, standings, log")
        yield OfferedGroup("record", _("The whole event"), (Offer("record", words, pictured=False),))
    for draw in draws:
        query = (("draw", draw.pk),)
        offers = []
        if draw is not draws[0]:  # the newest round is under "This round"
            offers += [Offer("round", _("The whole round"), query), Offer("seating", _("Who sits where"), query)]
        if draw.state == Draw.State.PUBLISHED:
            offers.append(Offer("cards", _("Score cards as recorded"), (*query, ("filled", 1))))
        if offers:
            yield OfferedGroup(f"archive-draw-{draw.pk}", title_of_draw(draw), tuple(offers), draw)
