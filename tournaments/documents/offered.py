"""What the print centre offers of an event, grouped by what a hall needs when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubsite.questions import Given, Question
from tournaments.documents.forms.of_event import TWINS
from tournaments.documents.from_draws import title_of_draw
from tournaments.models import Cut, Draw, Event, PublishedStandings, Stage
from tournaments.prizes.words import prizes_view
from tournaments.standings.queries import DRAWN_STAGES, standing_result


@dataclass(frozen=True, slots=True)
class Offer:
    """One document: its name in the address, what it is called, what the address asks. `first`: the one that is most
    likely wanted; `pictured`: whether its first sheet is worth a small picture, for which the pages have to be made."""

    document: str
    words: str
    asked: tuple[tuple[str, object], ...] = ()
    first: bool = False
    pictured: bool = True

    @property
    def query(self) -> str:
        """What the address asks, to be followed by the paper: "draw=7&"."""
        return f"{urlencode(self.asked)}&" if self.asked else ""


@dataclass(frozen=True, slots=True)
class OfferedGroup:
    """Documents under one heading, which tells the state of their `draw`."""

    key: str
    title: str
    offers: tuple[Offer, ...]
    draw: Draw | None = None

    def rows(self, here: str, asked: str) -> list[tuple[Offer, str, str]]:
        """Each document with the addresses of its PDF and of its picture, "" where it has none; `asked` is what they
        all end with. They are put together here since Django takes long to make some thirty."""
        return [
            (one, f"{at}.pdf{end}", f"{at}.png{end}" if one.pictured else "")
            for one in self.offers
            for at, end in [(f"{here}{one.document}", f"?{one.query}{asked}")]
        ]


@dataclass(frozen=True, slots=True)
class OfferedTogether:
    """All documents that are needed at one time of an event, such as during a round."""

    key: str
    title: str
    parts: tuple[OfferedGroup, ...]


def offered(event: Event, draws: Iterable[Draw], *, director: bool) -> list[OfferedTogether]:
    """Everything of an event that can be printed by a director or a scorekeeper. Five queries at most.

    `draws` are those that they may see, without those taken back, the newest round first.
    """
    one_each = _one_each(draws)
    groups = [
        OfferedTogether("before", _("Before you play"), tuple(_before(event, director=director))),
        OfferedTogether("round", _("This round"), tuple(_this_round(event, one_each[:1], director=director))),
        OfferedTogether("results", _("Results"), tuple(_results(event, director=director))),
        OfferedTogether("archive", _("For the archive"), tuple(_archive(event, one_each, director=director))),
    ]
    return [group for group in groups if group.parts]


def _one_each(draws: Iterable[Draw]) -> list[Draw]:
    """For each round its published draw, or else its newest draft."""
    found: dict[int, Draw] = {}
    for draw in draws:
        if draw.state == Draw.State.PUBLISHED or draw.round_id not in found:
            found[draw.round_id] = draw
    return list(found.values())


def _before(event: Event, *, director: bool) -> Iterator[OfferedGroup]:
    yield OfferedGroup(
        "blanks",
        _("Names and blank cards"),
        (
            Offer("place-cards", _("Names for places, with crop marks")),
            Offer("blank", _("Blank cards without names")),
        ),
    )
    yield from _forms(event, "before", title=_("Forms to fill in by hand"), director=director)
    yield from _forms(event, "draw", title=_("Forms for the draw"), director=director)
    yield from _forms(event, "club", title=_("Forms of the club"), director=director)


FORMS = {  # the paper twins needed at one time
    "before": ("form-event", "form-names", "form-here", "form-partners", "form-fees"),
    "draw": ("form-wishes", "form-draws", "form-handicaps"),
    "club": ("form-members", "form-game", "form-new-event", "form-season", "form-club"),
    "round": ("form-points", "form-seats", "form-tables"),
    "results": ("form-adjustments", "form-order", "form-ties", "form-prizes", "form-money"),
}


def _forms(event: Event, when: str, *, title: str, director: bool) -> Iterator[OfferedGroup]:
    """Of these paper twins, those that the event has and that a director, or else a scorekeeper, may print."""
    twins = [(slug, TWINS[slug]) for slug in FORMS[when]]
    fitting = [(slug, twin) for slug, twin in twins if (director or not twin.director) and twin.fits(event)]
    if fitting:
        yield OfferedGroup(f"forms-{when}", title, tuple(Offer(slug, str(twin.title)) for slug, twin in fitting))


def _this_round(event: Event, draws: Sequence[Draw], *, director: bool) -> Iterator[OfferedGroup]:
    for draw in draws:
        asked = (("draw", draw.pk),)
        offers = [
            Offer("round", _("Print this round: seats, who sits out, cards"), asked, first=True),
            Offer("seating", _("Who sits where"), asked),
            Offer("cards", _("Score cards, to be filled in"), asked),
            Offer("tents", _("Tents for tables, with their codes"), asked),
            Offer("place-cards", _("Names for places, with seats"), asked),
        ]
        if director and event.traits.searched:
            offers.append(Offer("movement", _("Movement sheet: all rounds planned, and what they repeat"), asked))
        if draw.state == Draw.State.PUBLISHED:
            offers.append(Offer("travelling", _("Cards to travel with, one for everybody")))
            offers.append(Offer("second-keying", _("Cards for a second keying"), asked))
        yield OfferedGroup(f"draw-{draw.pk}", title_of_draw(draw), tuple(offers), draw)
    if draws:
        yield from _forms(event, "round", title=_("Forms to fill in by hand"), director=director)


VERSIONS = Question(
    lambda: (
        PublishedStandings.objects.filter(stage__event=Given("event"))
        .order_by("-number")
        .values_list("stage_id", "number", "at")
    )
)
CUTS = Question(
    lambda: Cut.objects.filter(stage__event=Given("event"), state=Cut.State.PUBLISHED).values_list("stage_id")
)


def _results(event: Event, *, director: bool) -> Iterator[OfferedGroup]:
    """The result, and the stages with a published draw, the last first. Three queries, and two for a result."""
    result = standing_result(event)
    if result:
        offers = [
            Offer("result", _("Result, to be signed"), first=True),
            Offer("certificates", _("Certificates for the first three places")),
        ]
        if prizes_view(event, result):
            offers.append(Offer("prizes", _("Prizes, as published")))
        yield OfferedGroup("result", _("The result"), tuple(offers))
    if stages := DRAWN_STAGES.ask(event=event.pk):
        versions, cuts = VERSIONS.ask(event=event.pk), {stage for (stage,) in CUTS.ask(event=event.pk)}
        for stage in stages:
            title = _("Results of %(stage)s") % {"stage": stage.name}
            own = [(number, at) for of, number, at in versions if of == stage.pk]
            each = tuple(_of_stage(stage, own, is_cut=stage.pk in cuts, director=director))
            yield OfferedGroup(f"stage-{stage.number}", title, each)
        yield OfferedGroup("met", _("Who met whom"), (Offer("met", _("Who met whom, as a picture and in words")),))
        yield from _forms(event, "results", title=_("Forms to fill in by hand"), director=director)


def _of_stage(
    stage: Stage, versions: Iterable[tuple[int, datetime]], *, is_cut: bool, director: bool
) -> Iterator[Offer]:
    asked = (("stage", stage.number),)
    yield Offer("standings", _("Standings now, provisional"), asked)
    for number, at in versions:
        words = _("Standings, version %(n)d of %(at)s") % {
            "n": number,
            "at": date_format(localtime(at), "DATETIME_FORMAT"),
        }
        yield Offer("standings", words, (*asked, ("version", number)))
    if stage.cut_rule and (is_cut or director):
        yield Offer("cut", _("The cut") if is_cut else _("The cut as it would be now"), asked)


def _archive(event: Event, draws: Sequence[Draw], *, director: bool) -> Iterator[OfferedGroup]:
    if director:
        words = _("The full record: entries, draws, deals, rulings, cuts, standings, log")
        yield OfferedGroup("record", _("The whole event"), (Offer("record", words, pictured=False),))
    for draw in draws:
        asked = (("draw", draw.pk),)
        offers = []
        if draw is not draws[0]:  # the newest round stands under "This round"
            offers += [Offer("round", _("The whole round"), asked), Offer("seating", _("Who sits where"), asked)]
        if draw.state == Draw.State.PUBLISHED:
            offers.append(Offer("cards", _("Score cards as recorded"), (*asked, ("filled", 1))))
        if offers:
            yield OfferedGroup(f"archive-draw-{draw.pk}", title_of_draw(draw), tuple(offers), draw)
