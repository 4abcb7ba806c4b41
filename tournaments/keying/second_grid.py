"""The grid of a second keying: the same lines without their figures, to be keyed by somebody who hasn't keyed them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor
from scoring.cards.deals import problems_of
from scoring.cards.queries import Card, DealRow, card_of, cards_of
from scoring.models import DealVersion, Game
from tournaments.errors import StepRefused
from tournaments.keying.grid import (
    NUMBER,
    SETS,
    Grid,
    KeyedLine,
    KeyingBlock,
    LineLayout,
    Lines,
    Said,
    Saved,
    games_of,
    kept,
    number_sent,
    told,
    unreadable,
)
from tournaments.keying.second import (
    NotTheSame,
    current_versions,
    done,
    key_again,
    mark_words,
    readings_of,
    written_by,
)
from tournaments.models import Draw, Event, GroupGame


def second_grid(draw: Draw, *, by: Actor, totals: bool = True, saved: Saved | None = None) -> Grid:
    """The deals of a draw that are recorded, each to be keyed again unless that was done, or `by` keyed it first."""
    event = draw.round.stage.event
    rows = games_of(draw)
    cards = cards_of([row.game for row in rows])
    states = _states([deal for card in cards for deal in card.deals], by)
    blocks = [
        _block(event, row, card=card, states=states, totals=totals, saved=saved)
        for row, card in zip(rows, cards, strict=True)
    ]
    return Grid(event, draw, tuple(block for block in blocks if block.lines), totals)


def save_again(game: Game, data: Any, *, by: Actor, totals: bool = True) -> Saved:
    """Keep the deal that a line has as it was keyed again, or say why not, with what was typed kept."""
    card = card_of(game)
    maker = Lines(card, totals=totals)
    deal = card.deal(number_sent(data, card))
    if deal is None or not deal.counts:
        form = maker.form(data)
        words = _("This deal isn't recorded. Only what was keyed a first time can be keyed again.")
        return Saved(maker.open(form, card.next_number, state="refused", said=[Said(words)])[1], card)
    form = maker.form(_completed(maker, deal, data=data), deal.number)
    layout, _line = maker.open(form, deal.number)
    version = DealVersion.objects.select_related("deal").get(deal=deal.pk, current=True)
    if not form.is_valid():
        return kept(maker, form, *unreadable(form), state="refused")
    found = problems_of(game, deal.number, facts=form.facts())
    if stopping := [p for p in found if p.severity.stops and p.code not in version.overruled]:
        return kept(maker, form, *told(form, stopping, names=set(layout.names())), state="refused")
    entered = form.entered()
    sets = (entered.written_sets or ()) if SETS in layout.last else None  # a box left empty: no mark there
    try:
        reading = key_again(
            version=version,
            entered=replace(entered, written_sets=sets),
            by=by,
            submission=form.cleaned_data["submission"],
        )
    except NotTheSame:
        words = _("The first keying has other figures. Read the paper again; Enter again if it says this.")
        return kept(maker, form, Said(words), state="asking")
    except StepRefused as refused:
        return kept(maker, form, Said(str(refused.message)), state="refused")
    return Saved(maker.closed(layout, deal.number, state=reading.state, mark=_words(reading.state)), card)


def _states(deals: Sequence[DealRow], by: Actor) -> dict[int, str]:
    """Why deals aren't to be keyed again, by the deal's key: the state of its reading, or "own". Three queries."""
    keys = [deal.pk for deal in deals]
    now, readings = current_versions(keys), readings_of(keys)
    own = written_by(by.user, keys) if by.user else set()
    states = dict.fromkeys(own, "own")
    for pk in keys:
        if reading := done(now[pk], readings[pk]):
            states[pk] = reading.state
    return states


def _block(
    event: Event, row: GroupGame, *, card: Card, states: Mapping[int, str], totals: bool, saved: Saved | None
) -> KeyingBlock:
    maker = Lines(card, totals=totals)
    layout, pattern = maker.open(maker.form(), NUMBER)
    lines = [_deal_line(maker, layout, deal=deal, state=states.get(deal.pk, "")) for deal in card.deals if deal.counts]
    if saved is not None:
        lines = [saved.line if saved.line.id == line.id else line for line in lines]
    table = row.group.label_in(event)
    return KeyingBlock(card, table, row.number, row.group.table.draw.round.stage.games, layout, tuple(lines), pattern)


def _deal_line(maker: Lines, layout: LineLayout, *, deal: DealRow, state: str) -> KeyedLine:
    if state:
        return maker.closed(layout, deal.number, state=state, mark=_words(state))
    return maker.blank(layout, deal.number)


def _words(state: str) -> str:
    return _("keyed by you the first time: for somebody else") if state == "own" else mark_words(state)


def _completed(maker: Lines, deal: DealRow, *, data: Any) -> dict[str, Any]:
    """What was keyed, completed from the recorded deal where the line has no box: how the deal ended, who dealt."""
    form = maker.form()
    boxes = {name for side in form.paper_line().sides for name in side}
    boxes |= {*form.paper_line().first, *form.paper_line().last}
    values = form.values_of(deal.facts)
    rest = [f.name for block in (*form.blocks(), *form.rare()) for f in block.fields if f.name not in boxes]
    kept = {name: values[name] for name in rest if values.get(name) not in (None, "", False)}
    sent = {name: data[name] for name in data if name not in rest}
    return sent | {name: "on" if value is True else str(getattr(value, "value", value)) for name, value in kept.items()}
