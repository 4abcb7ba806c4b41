"""What the print centre offers for an event: what you need now, the usual papers, the rest by when you need it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.documents.paper_forms import PAPER_FORMS
from tournaments.documents.sheets import draw_title
from tournaments.models import Cut, Draw, Event, PublishedStandings, Stage, has_sides
from tournaments.prizes.actions import prizes_view
from tournaments.standings.results import drawn_stages, valid_result

Offer = dict[str, Any]
"""One document: its name and query in the address, and its title in `words`."""
Group = dict[str, Any]
"""Documents under one heading, which shows the state of their `draw`, if any."""
USUAL = (
    *("round", "seating", "standings", "cards", "tents", "bracket"),
    *("form-here", "blank", "form-names", "place-cards", "form-fees"),
)
WITH_RESULT = ("result", "certificates", "prizes", "record", "standings", "met")
MOST_NOW, MOST_USUAL = 3, 5  # large buttons, and lines in the list after them


def _offer(document: str, words: str, **query: object) -> Offer:
    return {"document": document, "words": words, "query": query}


def _group(key: str, title: str, *, offers: Iterable[Offer], draw: Draw | None = None) -> Group:
    return {"key": key, "title": title, "offers": list(offers), "draw": draw}


def catalogue(
    event: Event, draws: Iterable[Draw], *, director: bool, address: str, options: Mapping[str, object]
) -> dict[str, Any]:
    """Everything that a director or a scorekeeper can print, each once: what they need `now`, the `usual` papers, and
    the others in `times`, by when they need them: key, title and groups. Five queries at most.

    `draws`: those that they may see, without those taken back, the newest round first. Offers get the addresses of
    their `pdf` and `picture`, below the print centre's `address` and with its `options` in the query.
    """
    one_each: dict[int, Draw] = {}  # for each round its published draw, or else its newest draft
    for draw in draws:
        if draw.state == Draw.State.PUBLISHED or draw.round_id not in one_each:
            one_each[draw.round_id] = draw
    shown = list(one_each.values())
    times = [
        ("round", _("This round"), list(_this_round(event, shown[:1], director=director))),
        ("results", _("Results"), list(_results(event, director=director))),
        ("before", _("Before you play"), list(_before_play(event, director=director))),
        ("archive", _("For the archive"), list(_archive(event, shown, director=director))),
    ]
    first_of: dict[str, Offer] = {}
    for group in (group for _key, _title, groups in times for group in groups):
        for offer in group["offers"]:
            path, query = f"{address}{offer['document']}", urlencode(offer["query"] | options)
            offer |= {"of": group["title"], "draw": group["draw"]}
            offer |= {"pdf": f"{path}.pdf?{query}", "picture": f"{path}.png?{query}"}
            first_of.setdefault(offer["document"], offer)
    round_papers = ("round", "travelling") if event.points_by_result else ()  # cribbage players have a card each
    documents = dict.fromkeys((*(WITH_RESULT if "result" in first_of else round_papers), *USUAL))
    usual = [first_of[document] for document in documents if document in first_of][: MOST_NOW + MOST_USUAL]
    for _key, _title, groups in times:
        for group in groups:
            group["offers"] = [offer for offer in group["offers"] if offer not in usual]
        groups[:] = [group for group in groups if group["offers"]]
    return {"now": usual[:MOST_NOW], "usual": usual[MOST_NOW:], "times": [time for time in times if time[2]]}


def _before_play(event: Event, *, director: bool) -> Iterator[Group]:
    names, blank = _("Place cards, with crop marks"), _("Blank cards without names")
    yield _group("blanks", _("Names and blank cards"), offers=[_offer("place-cards", names), _offer("blank", blank)])
    forms = (
        _offer(slug, str(form.title))
        for slug, form in PAPER_FORMS.items()
        if (director or not form.directors_only) and form.fits(event)
    )
    yield _group("forms", _("Forms to fill in by hand"), offers=forms)


def _this_round(event: Event, draws: Sequence[Draw], *, director: bool) -> Iterator[Group]:
    for draw in draws:
        offers = [
            _offer("round", _("Print this round: seats, who sits out, cards"), draw=draw.pk),
            _offer("seating", _("Who sits where"), draw=draw.pk),
            _offer("cards", _("Score cards to fill in"), draw=draw.pk),
            _offer("tents", _("Table tents, with codes"), draw=draw.pk),
            _offer("place-cards", _("Place cards, with seats"), draw=draw.pk),
        ]
        if director and event.traits.searched:
            words = _("Movement sheet: all rounds planned, and what they repeat")
            offers.append(_offer("movement", words, draw=draw.pk))
        if draw.state == Draw.State.PUBLISHED:
            words = _("Travel cards, one for each person")
            if event.points_by_result:
                words = _("A score card for each player: game points, plus and minus, initials")
            offers.append(_offer("travelling", words))
            offers.append(_offer("second-keying", _("Cards for a second keying"), draw=draw.pk))
        yield _group(f"draw-{draw.pk}", draw_title(draw), offers=offers, draw=draw)


def _results(event: Event, *, director: bool) -> Iterator[Group]:
    """The result, then stages with a published draw, the last first. Three queries, and two for a result."""
    if result := valid_result(event):
        offers = [
            _offer("result", _("Result, to be signed")),
            _offer("certificates", _("Certificates for the first three places")),
        ]
        if has_sides(result.rows):
            offers.append(_offer("certificates", _("Certificates for each player of these sides"), each=1))
        if prizes_view(event, result):
            offers.append(_offer("prizes", _("Prizes, as published")))
        yield _group("result", _("The result"), offers=offers)
    stages = list(drawn_stages(event).reverse())
    if not stages:
        return
    published = PublishedStandings.objects.filter(stage__event=event).order_by("-number")
    versions = list(published.values_list("stage_id", "number", "at"))
    cuts = set(Cut.objects.filter(stage__event=event, state=Cut.State.PUBLISHED).values_list("stage_id", flat=True))
    for stage in stages:
        title = _("Results of %(stage)s") % {"stage": stage.name}
        stage_versions = [(number, at) for stage_id, number, at in versions if stage_id == stage.pk]
        offers_of_stage = _stage_offers(stage, stage_versions, is_cut=stage.pk in cuts, director=director)
        yield _group(f"stage-{stage.number}", title, offers=offers_of_stage)
    if event.has_bracket:
        yield _group("bracket", _("Bracket"), offers=[_offer("bracket", _("Bracket, with what is known so far"))])
    yield _group("met", _("Who met whom"), offers=[_offer("met", _("Who met whom, as a picture and in words"))])


def _stage_offers(
    stage: Stage, versions: Iterable[tuple[int, datetime]], *, is_cut: bool, director: bool
) -> Iterator[Offer]:
    yield _offer("standings", _("Standings now, provisional"), stage=stage.number)
    for number, at in versions:
        when = date_format(localtime(at), "DATETIME_FORMAT")
        words = _("Standings, version %(n)d of %(at)s") % {"n": number, "at": when}
        yield _offer("standings", words, stage=stage.number, version=number)
    if stage.cut_rule and (is_cut or director):
        yield _offer("cut", _("The cut") if is_cut else _("The cut as it would be now"), stage=stage.number)


def _archive(event: Event, draws: Sequence[Draw], *, director: bool) -> Iterator[Group]:
    if director:
        words = _("The full record: entries, draws, deals, rulings, cuts, standings, log")
        yield _group("record", _("The whole event"), offers=[_offer("record", words)])
    for draw in draws:
        offers = []
        if draw is not draws[0]:  # the newest round is under "This round"
            offers.append(_offer("round", _("The whole round"), draw=draw.pk))
            offers.append(_offer("seating", _("Who sits where"), draw=draw.pk))
        if draw.state == Draw.State.PUBLISHED:
            offers.append(_offer("cards", _("Score cards as recorded"), draw=draw.pk, filled=1))
        if offers:
            yield _group(f"archive-draw-{draw.pk}", draw_title(draw), offers=offers, draw=draw)
