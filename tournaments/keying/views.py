"""The grid's pages: a night's round, a competition's stage, keyed once or a second time. Each line is sent alone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial, wraps
from itertools import chain
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
from clubsite.accounts.roles import View, club_page, request_actor
from scoring.cards.deals import deal_problems
from scoring.cards.queries import DealRow, card_of, cards_of
from scoring.cards.submit import preview_consequences
from scoring.models import DealVersion, Game
from tournaments.draws.changes import changed_seats_message, successor
from tournaments.draws.drafts import WITH_EVENT
from tournaments.errors import StepRefused
from tournaments.keying.grid import (
    NUMBER,
    SETS,
    WITH_RULES,
    Grid,
    KeyedLine,
    KeyingBlock,
    LineMaker,
    draw_games,
    form_messages,
    keying_block,
    keying_grid,
    next_open_game,
    problem_messages,
    save_line,
    sent_number,
    unrecorded_line,
)
from tournaments.keying.second import (
    NotTheSame,
    current_versions,
    deals_entered_by,
    decisive_reading,
    describe_outcome,
    find_difference,
    is_wanted,
    key_again,
    open_differences,
    second_readings,
    settle_difference,
    want_second_keying,
)
from tournaments.models import Draw, Event, GroupGame
from tournaments.requests import event_page, get_event, show_refusals, whole_number
from tournaments.rounds.publishing import show_taken_back


def second_grid(draw: Draw, *, by: Actor, totals: bool = True, saved: KeyedLine | None = None) -> Grid:
    """The recorded deals of a draw: lines to key them again, closed for deals that were, or that `by` keyed first."""
    event = draw.round.stage.event
    rows = draw_games(draw)
    cards = cards_of([row.game for row in rows])
    states = _states_by_deal([deal for card in cards for deal in card.deals], by)
    blocks = []
    for row, card in zip(rows, cards, strict=True):
        maker = LineMaker(card, totals=totals)
        pattern = maker.open_line(maker.make_form(), NUMBER)
        lines = []
        for deal in filter(attrgetter("counts"), card.deals):
            if saved and (saved.game, saved.number) == (card.game.pk, deal.number):
                lines.append(saved)
            elif state := states.get(deal.pk):
                lines.append(maker.closed_line(pattern.layout, deal.number, state=state, mark=_describe_state(state)))
            else:
                lines.append(KeyedLine(card, pattern.layout, deal.number, "open", blank=True))
        if lines:
            blocks.append(KeyingBlock(card, row, row.group.label_in(event), tuple(lines), pattern))
    return Grid(event, draw, tuple(blocks), totals)


def save_line_again(game: Game, data: Any, *, by: Actor, totals: bool = True) -> KeyedLine:
    """Store the deal of a line keyed again, or return the line as typed with the reasons why not."""
    card = card_of(game)
    maker = LineMaker(card, totals=totals)
    deal = card.deal(sent_number(data, card))
    if deal is None or not deal.counts:
        words = _("This deal isn't recorded yet. Key it a first time before you key it again.")
        return maker.open_line(maker.make_form(data), card.next_number, state="refused", messages=[{"words": words}])
    form = maker.make_form(_complete_line(maker, deal, data=data), deal.number)
    layout = maker.open_line(form, deal.number).layout
    version = DealVersion.objects.select_related("deal").get(deal=deal.pk, current=True)
    if not form.is_valid():
        return unrecorded_line(maker, form, *form_messages(form), state="refused")
    problems = deal_problems(game, deal.number, facts=form.facts())
    if stopping := [p for p in problems if p.severity.stops and p.code not in version.overruled]:
        return unrecorded_line(maker, form, *problem_messages(form, stopping, layout=layout), state="refused")
    entered = form.entered_deal()
    sets = (entered.written_sets or ()) if SETS in layout.last else None  # an empty box: no side is marked
    try:
        reading = key_again(
            version=version,
            entered=replace(entered, written_sets=sets),
            by=by,
            submission=form.cleaned_data["submission"],
        )
    except NotTheSame:
        words = _("The first keying has other figures. Read the paper again; Enter again if it says this.")
        return unrecorded_line(maker, form, {"words": words}, state="asking")
    except StepRefused as refused:
        return unrecorded_line(maker, form, {"words": str(refused.message)}, state="refused")
    return maker.closed_line(layout, deal.number, state=reading.state, mark=_describe_state(reading.state))


def _states_by_deal(deals: Sequence[DealRow], by: Actor) -> dict[int, str]:
    """Why deals needn't or can't be keyed again, by the deal's key: a `KeyedAgain` state, or "own". Three queries."""
    keys = [deal.pk for deal in deals]
    now, readings = current_versions(keys), second_readings(keys)
    own_deals = deals_entered_by(by.user, keys) if by.user else set()
    states = dict.fromkeys(own_deals, "own")
    return states | {pk: reading.state for pk in keys if (reading := decisive_reading(now[pk], readings[pk]))}


def _describe_state(state: str) -> str:
    return _("you keyed it the first time: somebody else keys it now") if state == "own" else describe_outcome(state)


def _complete_line(maker: LineMaker, deal: DealRow, *, data: Any) -> dict[str, Any]:
    """What was keyed, completed from the recorded deal for fields without a box, such as who dealt."""
    form = maker.make_form()
    line = form.paper_line()
    boxes = {*line.first, *chain(*line.sides), *line.last}
    values = form.field_values(deal.facts)
    names = [f.name for block in (*form.blocks(), *form.rare_blocks()) for f in block.fields if f.name not in boxes]
    rest = {name: values[name] for name in names if values.get(name) not in (None, "", False)}
    sent = {name: data[name] for name in data if name not in names}
    return sent | {name: "on" if value is True else str(getattr(value, "value", value)) for name, value in rest.items()}


def explain_taken_back(view: View) -> View:
    """Decorates a grid's view: if its draw was taken back, redirects to the desk with a message."""

    @wraps(view)
    def wrapped(request: HttpRequest, club: Club, *, event: str, **which: int) -> HttpResponse:
        try:
            return view(request, club, event=event, **which)
        except Http404:
            if request.method != "GET":
                raise
            this_event, meant = _event_and_query(club, event, **which)
            return show_taken_back(request, this_event, which=meant)

    return wrapped


@club_page
@explain_taken_back
def first_keying(request: HttpRequest, club: Club, *, event: str, **which: int) -> HttpResponse:
    """The grid of a night's `round`, by its number, or of a competition's `draw`."""
    draw = published_draw(club, event, **which)
    totals, changed = request.GET.get("totals") != "no", _describe_changes(draw, **which)
    if request.method != "POST":
        return _redirect_to_current(request, draw, changed=changed) or _first_page(
            request, keying_grid(draw, totals=totals)
        )
    row = _game_row(draw, request.POST.get("game"))
    line = _with_message(changed, save_line(row.game, request.POST, by=request_actor(request), totals=totals))
    return answer_line(request, row, line=line) or _first_page(
        request, keying_grid(draw, totals=totals, saved=line), status=line.status
    )


@club_page
@explain_taken_back
def second_keying(request: HttpRequest, club: Club, *, event: str, **which: int) -> HttpResponse:
    """As `first_keying`; a step starts or ends the second keying."""
    draw = published_draw(club, event, **which)
    by, totals, changed = request_actor(request), request.GET.get("totals") != "no", _describe_changes(draw, **which)
    wanted = is_wanted(draw.round)
    if request.method != "POST":
        grid = second_grid(draw, by=by, totals=totals) if wanted else Grid(draw.round.stage.event, draw, ())
        return _redirect_to_current(request, draw, changed=changed) or _second_page(request, grid, wanted=wanted)
    if "step" in request.POST:
        want_second_keying(round=draw.round, by=by, wanted=request.POST["step"] == "ask")
        return redirect(request.get_full_path())
    row = _game_row(draw, request.POST.get("game"))
    if not wanted:
        raise Http404
    line = _with_message(changed, save_line_again(row.game, request.POST, by=by, totals=totals))
    return answer_line(request, row, line=line, again=True) or _second_page(
        request, second_grid(draw, by=by, totals=totals, saved=line), wanted=wanted, status=line.status
    )


@event_page
def differences(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """Deals keyed twice with different figures: a director decides which are right."""
    asking: dict[str, Any] = {}
    if request.method == "POST":
        reading = find_difference(event, whole_number(request.POST.get("reading")))
        if reading is None:
            messages.info(request, _("This difference is settled already."))
            return redirect("differences", club.slug, event.slug)
        right = request.POST.get("right")
        if right not in ("first", "second"):
            return HttpResponse(status=400)
        reason = request.POST.get("reason", "")
        step = partial(
            settle_difference,
            reading=reading,
            second_is_right=right == "second",
            by=request_actor(request),
            reason=reason,
        )
        with show_refusals(request):
            if right == "second" and "sure" not in request.POST:
                asking = {"beyond": preview_consequences(reading.version.deal.game, step), "reading": reading.pk}
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
    context = grid_context(request, grid) | {"wanted": wanted, "second": True, "counts": counts}
    context["left"] = sum(line.is_open for block in grid.blocks for line in block.lines)
    return render(request, "tournaments/keying/second.html", context, status=status)


def published_draw(club: Club, event: str, *, round: int | None = None, draw: int | None = None) -> Draw:
    """The published draw of a night's round, by its number, or of a competition, by its key or that of an earlier
    version whose games it took over. Raises Http404."""
    this_event, which = _event_and_query(club, event, round=round, draw=draw)
    draws = WITH_EVENT.filter(which, round__stage__event=this_event)
    if current := draws.filter(state=Draw.State.PUBLISHED).first():
        return current
    followed = successor(old) if draw and (old := draws.first()) else None
    if followed is None:
        raise Http404
    return followed


def _describe_changes(now: Draw, *, draw: int | None = None, **_round: int) -> str:
    """The changes of seats since the version `draw` of a page; "" if there are none."""
    return changed_seats_message(Draw.objects.get(pk=draw), now) if draw not in (None, now.pk) else ""


def _redirect_to_current(request: HttpRequest, draw: Draw, *, changed: str) -> HttpResponse | None:
    """From the page of an earlier version to that of the published one, with a message about the changes."""
    if not changed:
        return None
    messages.info(request, changed)
    event, page = draw.round.stage.event, request.resolver_match
    assert page  # noqa: S101 - Django has found the view
    return redirect(page.view_name, event.club.slug, event.slug, draw.pk)


def _with_message(changed: str, line: KeyedLine) -> KeyedLine:
    return replace(line, messages=({"words": changed}, *line.messages)) if changed else line


def _event_and_query(club: Club, event: str, *, round: int | None = None, draw: int | None = None) -> tuple[Event, Q]:
    which = Q(pk=draw) if round is None else Q(round__stage__number=1, round__number=round)
    return get_event(club, event, by_rounds=round is not None), which


def _game_row(draw: Draw, game: str | None) -> GroupGame:
    """Raises Http404: the draw has no such game."""
    row = get_object_or_404(WITH_RULES, group__table__draw=draw, game=whole_number(game))
    row.group.table.draw = draw  # with its event
    return row


def _first_page(request: HttpRequest, grid: Grid, *, status: int = 200) -> HttpResponse:
    context = grid_context(request, grid) | {"wanted": is_wanted(grid.draw.round)}
    return render(request, "tournaments/keying/grid.html", context, status=status)


def grid_context(request: HttpRequest, grid: Grid) -> dict[str, Any]:
    """`here`: the address that lines are sent to and other pages lead back to."""
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


def answer_line(request: HttpRequest, row: GroupGame, *, line: KeyedLine, again: bool = False) -> HttpResponse | None:
    """The answer to a line that was sent; None if the whole page is to be shown with the line.

    A script gets the new line and, in a first keying, the game's totals and after its end the set's next game."""
    draw, totals = row.group.table.draw, request.GET.get("totals") != "no"
    if not request.htmx:  # type: ignore[attr-defined]  # from its middleware
        return redirect(f"{request.get_full_path()}#{line.id}") if line.status == 200 else None
    context = grid_context(request, Grid(draw.round.stage.event, draw, (), totals))

    def part(template: str, **extra: Any) -> str:
        return render_to_string(f"tournaments/keying/{template}.html", context | extra, request)

    over = not again and line.card.state != "playing"
    answer: dict[str, Any] = {"state": line.state, "over": over, "line": part("_line", line=line)}
    if not again:
        answer["totals"] = part("_totals", card=line.card, width=line.layout.width)
    if over and line.status == 200 and (following := next_open_game(row)):
        card = cards_of([following.game])[0]
        answer["next"] = part("_block", block=keying_block(draw.round.stage.event, following, card=card, totals=totals))
    return JsonResponse(answer, status=line.status)
