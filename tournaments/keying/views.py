"""The grid's pages: a night's round, a competition's stage, keyed once or a second time. A line is sent by itself, and
answered by itself."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial, wraps
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor, Club
from clubsite.accounts.roles import View, actor_of, club_page
from scoring.cards.deals import problems_of
from scoring.cards.queries import DealRow, card_of, cards_of
from scoring.cards.submit import consequences_of
from scoring.models import DealVersion, Game
from tournaments.draws.changes import changed_words, successor
from tournaments.draws.drafts import WITH_EVENT
from tournaments.errors import StepRefused
from tournaments.keying.grid import (
    NUMBER,
    SETS,
    WITH_RULES,
    Grid,
    KeyedLine,
    KeyingBlock,
    Lines,
    block_of,
    games_of,
    grid_of,
    next_game,
    not_recorded,
    number_sent,
    problem_messages,
    save_line,
    unreadable,
)
from tournaments.keying.second import (
    NotTheSame,
    current_versions,
    difference_of,
    done,
    is_wanted,
    key_again,
    mark_words,
    open_differences,
    readings_of,
    settle,
    want_second_keying,
    written_by,
)
from tournaments.models import Draw, Event, GroupGame
from tournaments.requests import competition_of, event_page, night_of, refusals_told, whole_number
from tournaments.rounds.publishing import show_taken_back


def second_grid(draw: Draw, *, by: Actor, totals: bool = True, saved: KeyedLine | None = None) -> Grid:
    """The deals of a draw that are recorded, each to be keyed again unless that was done, or `by` keyed it first."""
    event = draw.round.stage.event
    rows = games_of(draw)
    cards = cards_of([row.game for row in rows])
    states = _states([deal for card in cards for deal in card.deals], by)
    blocks = []
    for row, card in zip(rows, cards, strict=True):
        maker = Lines(card, totals=totals)
        pattern = maker.open(maker.form(), NUMBER)
        lines = []
        for deal in filter(attrgetter("counts"), card.deals):
            if saved and (saved.game, saved.number) == (card.game.pk, deal.number):
                lines.append(saved)
            elif state := states.get(deal.pk):
                lines.append(maker.closed(pattern.layout, deal.number, state=state, mark=_words(state)))
            else:
                lines.append(KeyedLine(card, pattern.layout, deal.number, "open", blank=True))
        if lines:
            blocks.append(KeyingBlock(card, row, row.group.label_in(event), tuple(lines), pattern))
    return Grid(event, draw, tuple(blocks), totals)


def save_again(game: Game, data: Any, *, by: Actor, totals: bool = True) -> KeyedLine:
    """Store the deal of a line as it was keyed again, or say why not, with what was typed."""
    card = card_of(game)
    maker = Lines(card, totals=totals)
    deal = card.deal(number_sent(data, card))
    if deal is None or not deal.counts:
        words = _("This deal isn't recorded yet. Key it a first time before you key it again.")
        return maker.open(maker.form(data), card.next_number, state="refused", messages=[{"words": words}])
    form = maker.form(_completed(maker, deal, data=data), deal.number)
    layout = maker.open(form, deal.number).layout
    version = DealVersion.objects.select_related("deal").get(deal=deal.pk, current=True)
    if not form.is_valid():
        return not_recorded(maker, form, *unreadable(form), state="refused")
    problems = problems_of(game, deal.number, facts=form.facts())
    if stopping := [p for p in problems if p.severity.stops and p.code not in version.overruled]:
        return not_recorded(maker, form, *problem_messages(form, stopping, names=set(layout.names())), state="refused")
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
        return not_recorded(maker, form, {"words": words}, state="asking")
    except StepRefused as refused:
        return not_recorded(maker, form, {"words": str(refused.message)}, state="refused")
    return maker.closed(layout, deal.number, state=reading.state, mark=_words(reading.state))


def _states(deals: Sequence[DealRow], by: Actor) -> dict[int, str]:
    """Why deals needn't or can't be keyed again, by the deal's key: its reading's state, or "own". Three queries."""
    keys = [deal.pk for deal in deals]
    now, readings = current_versions(keys), readings_of(keys)
    own_deals = written_by(by.user, keys) if by.user else set()
    states = dict.fromkeys(own_deals, "own")
    return states | {pk: reading.state for pk in keys if (reading := done(now[pk], readings[pk]))}


def _words(state: str) -> str:
    return _("you keyed it the first time: somebody else keys it now") if state == "own" else mark_words(state)


def _completed(maker: Lines, deal: DealRow, *, data: Any) -> dict[str, Any]:
    """What was keyed, completed from the recorded deal where the line has no box: how the deal ended, who dealt."""
    form = maker.form()
    boxes = {name for side in form.paper_line().sides for name in side}
    boxes |= {*form.paper_line().first, *form.paper_line().last}
    values = form.values_of(deal.facts)
    names = [f.name for block in (*form.blocks(), *form.rare()) for f in block.fields if f.name not in boxes]
    rest = {name: values[name] for name in names if values.get(name) not in (None, "", False)}
    sent = {name: data[name] for name in data if name not in names}
    return sent | {name: "on" if value is True else str(getattr(value, "value", value)) for name, value in rest.items()}


def leads_from_taken_back(view: View) -> View:
    """Decorates a grid: opened when its draw was taken back, it says so on the desk."""

    @wraps(view)
    def led(request: HttpRequest, club: Club, *, event: str, **which: int) -> HttpResponse:
        try:
            return view(request, club, event=event, **which)
        except Http404:
            if request.method != "GET":
                raise
            this_event, meant = _meant(club, event, **which)
            return show_taken_back(request, this_event, which=meant)

    return led


@club_page
@leads_from_taken_back
def first(request: HttpRequest, club: Club, *, event: str, **which: int) -> HttpResponse:
    """The grid of a night's `round`, by its number, or of a competition's `draw`."""
    draw = published(club, event, **which)
    totals, changed = request.GET.get("totals") != "no", _changed(draw, **which)
    if request.method != "POST":
        return _to_new_seats(request, draw, changed=changed) or _page(request, grid_of(draw, totals=totals))
    row = _row(draw, request.POST.get("game"))
    line = _with(changed, save_line(row.game, request.POST, by=actor_of(request), totals=totals))
    return answer(request, row, line=line) or _page(
        request, grid_of(draw, totals=totals, saved=line), status=line.status
    )


@club_page
@leads_from_taken_back
def second(request: HttpRequest, club: Club, *, event: str, **which: int) -> HttpResponse:
    """The second keying of a night's `round`, by its number, or of a competition's `draw`."""
    draw = published(club, event, **which)
    by, totals, changed = actor_of(request), request.GET.get("totals") != "no", _changed(draw, **which)
    wanted = is_wanted(draw.round)
    if request.method != "POST":
        grid = second_grid(draw, by=by, totals=totals) if wanted else Grid(draw.round.stage.event, draw, ())
        return _to_new_seats(request, draw, changed=changed) or _second_page(request, grid, wanted=wanted)
    if "step" in request.POST:
        want_second_keying(round=draw.round, by=by, wanted=request.POST["step"] == "ask")
        return redirect(request.get_full_path())
    row = _row(draw, request.POST.get("game"))
    if not wanted:
        raise Http404
    line = _with(changed, save_again(row.game, request.POST, by=by, totals=totals))
    return answer(request, row, line=line, again=True) or _second_page(
        request, second_grid(draw, by=by, totals=totals, saved=line), wanted=wanted, status=line.status
    )


@event_page
def differences(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """Deals keyed twice, differently: a director says which figures are right."""
    asking: dict[str, Any] = {}
    if request.method == "POST":
        reading = difference_of(event, whole_number(request.POST.get("reading")))
        if reading is None:
            messages.info(request, _("This difference is settled already."))
            return redirect("differences", club.slug, event.slug)
        right = request.POST.get("right")
        if right not in ("first", "second"):
            return HttpResponse(status=400)
        reason = request.POST.get("reason", "")
        step = partial(settle, reading=reading, second_is_right=right == "second", by=actor_of(request), reason=reason)
        with refusals_told(request):
            if right == "second" and "sure" not in request.POST:
                asking = {"beyond": consequences_of(reading.version.deal.game, step), "reading": reading.pk}
            if not asking.get("beyond"):
                step()
                messages.success(request, _("Deal %(n)d is settled.") % {"n": reading.version.deal.number})
        if not asking.get("beyond"):
            return redirect("differences", club.slug, event.slug)
    context = {"event": event, "differences": open_differences(event), "asking": asking, "here": request.path}
    status = 422 if asking else 200
    return render(request, "tournaments/keying/differences.html", context, status=status)


def _second_page(request: HttpRequest, grid: Grid, *, wanted: bool, status: int = 200) -> HttpResponse:
    states = Counter(line.state for block in grid.blocks for line in block.lines)
    counts = {"same": states["same"] + states["settled"], "different": states["different"], "own": states["own"]}
    context = context_of(request, grid) | {"wanted": wanted, "second": True, "counts": counts}
    context["left"] = sum(line.is_open for block in grid.blocks for line in block.lines)
    return render(request, "tournaments/keying/second.html", context, status=status)


def published(club: Club, event: str, *, round: int | None = None, draw: int | None = None) -> Draw:
    """The published draw of a night's round, by its number, or of a competition, by its key or that of an earlier
    version whose games it has. Raises Http404."""
    this_event, which = _meant(club, event, round=round, draw=draw)
    draws = WITH_EVENT.filter(which, round__stage__event=this_event)
    if current := draws.filter(state=Draw.State.PUBLISHED).first():
        return current
    followed = successor(old) if draw and (old := draws.first()) else None
    if followed is None:
        raise Http404
    return followed


def _changed(now: Draw, *, draw: int | None = None, **_round: int) -> str:
    """What has changed since the version that a page was opened for, in words; "" if nothing has."""
    return changed_words(Draw.objects.get(pk=draw), now) if draw not in (None, now.pk) else ""


def _to_new_seats(request: HttpRequest, draw: Draw, *, changed: str) -> HttpResponse | None:
    """Leads from the page of an earlier version to that of the published one, with what has changed."""
    if not changed:
        return None
    messages.info(request, changed)
    event, page = draw.round.stage.event, request.resolver_match
    assert page  # noqa: S101 - Django has found the view
    return redirect(page.view_name, event.club.slug, event.slug, draw.pk)


def _with(changed: str, line: KeyedLine) -> KeyedLine:
    """What came of a line, with what has changed since its page was opened."""
    return replace(line, messages=({"words": changed}, *line.messages)) if changed else line


def _meant(club: Club, event: str, *, round: int | None = None, draw: int | None = None) -> tuple[Event, Q]:
    if round is None:
        return competition_of(club, event), Q(pk=draw)
    return night_of(club, event), Q(round__stage__number=1, round__number=round)


def _row(draw: Draw, game: str | None) -> GroupGame:
    """The game of the draw that a line is for. Raises Http404."""
    row = get_object_or_404(WITH_RULES, group__table__draw=draw, game=whole_number(game))
    row.group.table.draw = draw  # with its event
    return row


def _page(request: HttpRequest, grid: Grid, *, status: int = 200) -> HttpResponse:
    context = context_of(request, grid) | {"wanted": is_wanted(grid.draw.round)}
    return render(request, "tournaments/keying/grid.html", context, status=status)


def context_of(request: HttpRequest, grid: Grid) -> dict[str, Any]:
    """What the page and its parts have: `here` is the address that lines are sent to and other pages lead back to."""
    event, round_ = grid.event, grid.draw.round
    of = [event.club.slug, event.slug, round_.number if event.by_rounds else grid.draw.pk]
    kind = "round" if event.by_rounds else "stage"
    return {
        "first_url": reverse(f"{kind}_keying", args=of),
        "second_url": reverse(f"{kind}_second_keying", args=of),
        "event": grid.event,
        "draw": grid.draw,
        "grid": grid,
        "name": grid.draw.round.name,
        "here": request.get_full_path(),
    }


def answer(request: HttpRequest, row: GroupGame, *, line: KeyedLine, again: bool = False) -> HttpResponse | None:
    """The answer to a line that was sent; None for its page, with the line as it is now. A script gets what replaces
    the line: the line and, keyed the first time, the game's totals and after its end the set's next game."""
    draw, totals = row.group.table.draw, request.GET.get("totals") != "no"
    if not request.htmx:  # type: ignore[attr-defined]  # from its middleware
        return redirect(f"{request.get_full_path()}#{line.id}") if line.status == 200 else None
    context = context_of(request, Grid(draw.round.stage.event, draw, (), totals))

    def part(template: str, **extra: Any) -> str:
        return render_to_string(f"tournaments/keying/{template}.html", context | extra, request)

    over = not again and line.card.state != "playing"
    answer: dict[str, Any] = {"state": line.state, "over": over, "line": part("_line", line=line)}
    if not again:
        answer["totals"] = part("_totals", card=line.card, width=line.layout.width)
    if over and line.status == 200 and (following := next_game(row)):
        card = cards_of([following.game])[0]
        answer["next"] = part("_block", block=block_of(draw.round.stage.event, following, card=card, totals=totals))
    return JsonResponse(answer, status=line.status)
