"""The result: of a competition, and of a night when it is closed."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.roles import request_actor
from clubsite.operations.schedule import back_up_before
from scoring.cards.submit import Moves, Published, moves_between
from tournaments.events.state import count_open_groups, published_draws, result_stage, stage_draw
from tournaments.events.words import describe_order
from tournaments.models import Draw, Event, GroupGame, PublishedStandings
from tournaments.people import pages_of_people
from tournaments.requests import competition_page, night_page, show_refusals, ticked_keys
from tournaments.rounds import publishing
from tournaments.rounds.disputes import disputes_of_stage, doubts_in
from tournaments.standings import results as standings_results
from tournaments.standings.groups import make_groups_bracket
from tournaments.standings.presentation import net_view, standings_shown, won_by
from tournaments.standings.results import StandingsView, published_lines, result_of, standings_view, view_of_version
from tournaments.standings.standings import Row, Standings, by_sides, last_deal_at, rows_fingerprint, standings_of


@competition_page
def result(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    final = result_stage(event)
    if final is None:
        raise Http404
    final.event = event
    if request.method == "POST":
        with show_refusals(request):
            return _take_step(request, event)
        return redirect("result", club.slug, event.slug)
    if stage_draw(final) is None:
        messages.error(request, _("The final isn't drawn yet."))
        return redirect("desk_event", club.slug, event.slug)
    now = standings_of(final)
    last = result_of(event)
    finished = event.state == Event.State.FINISHED
    corrected = finished and standings_results.unchanged_result(event, now) is None
    view = StandingsView(final, now.rows, now.deals, last_deal_at(final))
    if finished and last and not corrected:
        view = view_of_version(last)
    context = {
        "event": event,
        "final": final,
        "standings": standings_shown(event, view.rows, sort=request.GET.get("sort", "")),
        "person_pages": pages_of_people(club, inside=True),
        "shared": any(row.shared for row in now.rows),
        "open_sets": count_open_groups(final),
        **_open_cards(event, publishing.unfinished_games_before(final)),
        "disputes": disputes_of_stage(final),
        "last": last,
        "finished": finished,
        "corrected": corrected,
        "moved": _movements(last, now) if last and corrected else None,
        "view": view,
        "seen": rows_fingerprint(now.rows),
        "chain": describe_order(event),
        **won_by(view),
    }
    return render(request, "tournaments/standings/result.html", context)


@night_page
def close(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    if request.method == "POST":
        with show_refusals(request):
            return _take_step(request, event)
        return redirect("night_close", club.slug, event.slug)
    last = result_of(event)
    finished = event.state == Event.State.FINISHED
    view = standings_view(event)
    current = standings_of(last.stage) if finished and last else None
    corrected = current is not None and standings_results.unchanged_result(event, current) is None
    now = current.rows if current else ()
    sort = request.GET.get("sort", "")
    context = {
        "event": event,
        "in_groups": event.traits.in_groups,
        "finished": finished,
        "last": last,
        "corrected": corrected,
        "moved": _movements(last, current) if last and current and corrected else None,
        "disputes": disputes_of_stage(view.stage) if view else [],
        "doubts": doubts_in(club, round__stage=view.stage) if view and not finished else [],
        **_still_open(event),
        **({} if finished else _rounds_left_out(event)),
        "new_standings": standings_shown(event, now, sort=sort) if corrected else None,
        "seen": rows_fingerprint(now if corrected else view.rows if view else ()),
        "view": view,
        "net": net_view(event, view.rows) if view else None,
        "standings": standings_shown(event, view.rows, sort=sort) if view else None,
        "person_pages": pages_of_people(club, inside=True),
        **won_by(view),
    }
    return render(request, "tournaments/standings/night_close.html", context)


def _rounds_left_out(event: Event) -> dict[str, object]:
    """How many rounds were planned and played, and the rounds that were taken back with deals."""
    published = published_draws(event).order_by("-round__number")
    latest = published.first()
    planned = event.options.get("rounds") or (latest.statement.get("plan", {}).get("planned") if latest else None)
    back = Draw.objects.filter(round__stage__event=event, state=Draw.State.WITHDRAWN).select_related("round")
    back = back.exclude(round__in=published.values("round")).order_by("round__number")
    return {
        "planned": planned or 0,
        "played": published.count(),
        "taken_back": [(draw.round.name, deals) for draw in back if (deals := publishing.number_of_deals(draw))],
    }


def _still_open(event: Event) -> dict[str, object]:
    open_draws = published_draws(event).filter(round__closed=False)
    return {
        "open_round": open_draws.values_list("round__number", flat=True).first(),
        **_open_cards(event, publishing.unfinished_games(event)),
    }


def _open_cards(event: Event, rows: Sequence[GroupGame]) -> dict[str, object]:
    return {
        "open_cards": [(publishing.where_played(row), row.game) for row in rows],
        "open_words": publishing.open_games_heading(event, len(rows)),
    }


def _movements(last: PublishedStandings, now: Standings) -> Moves:
    title = _("The next version against version %(n)d") % {"n": last.number}
    before = Published(title, "", published_lines(by_sides([Row.from_data(row) for row in last.rows], now.side_of)))
    return moves_between(before, Published(title, "", published_lines(now.rows)))


def _take_step(request: HttpRequest, event: Event) -> HttpResponse:
    post, by = request.POST, request_actor(request)
    if post.get("step") in ("take-back", "reopen"):
        standings_results.take_back_result(event=event, by=by, reason=post.get("reason", ""))
        night = _("The night is reopened. The season doesn't count it until it is closed.")
        messages.success(request, night if event.by_rounds else _("The result is taken back."))
    elif post.get("step") == "bracket":
        return redirect(make_groups_bracket(event=event, by=by).get_desk_url())
    else:
        back_up_before("closing")
        version = standings_results.publish_result(
            event=event,
            by=by,
            sure="sure" in post,
            reason=post.get("reason", ""),
            seen=post.get("seen", ""),
            despite=ticked_keys(request, "despite"),
        )
        message = (
            _("The result is published as version %(n)d.") if version.number > 1 else _("The result is published.")
        )
        messages.success(request, message % {"n": version.number})
    return redirect("desk_event", event.club.slug, event.slug)
