"""Files of deals: scored for whoever sends one, given out and taken in by the director."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from scoring.engine.core.ruleset import RuleSet
from scoring.engine.files.deal_files import Known, Most, read
from scoring.engine.files.json_text import UnreadableText, decoded
from scoring.engine.files.scored_game import ScoredGame, score_game
from scoring.exchange.explained import Explained, fault_words, faults_data, scores_json, summary
from scoring.exchange.files import MOST_ON_A_PAGE, ON_A_PAGE, PAGE_LIMIT, NotRead, read_file
from scoring.exchange.forms import ScoreFileForm, TakeInForm, kept
from scoring.exchange.records import to_json
from scoring.exchange.stored import known_rules, records_of
from scoring.exchange.table import to_csv
from scoring.exchange.taking_in import Bad, BadFile, plan_of, take_in, taken_words
from scoring.templatetags.figures import points

JSON = "application/json"
SCORE_LIMIT = 2 * 1024 * 1024  # bytes of a file that is scored while somebody waits
SHOWN = 300  # bad rows on the page; the rest are counted
NOT_TEXT = {"not-json", "not-utf-8", "too-deep", "too-many-values"}  # codes of what is no JSON at all


@club_page
def score_file(request: HttpRequest, club: Club) -> HttpResponse:
    """What the deals of a file are worth and what is wrong with them. Nothing is recorded.

    JSON sent is answered with JSON, as `manage.py score --json` prints it.
    """
    if request.method == "POST" and request.content_type == JSON:
        return _scored_json(request, club, raw=request.read(SCORE_LIMIT + 1))
    form = ScoreFileForm(*_sent(request))
    if request.method != "POST" or not form.is_valid():
        status = 422 if form.errors else 200
        return render(request, "scoring/exchange/score_file.html", {"form": form}, status=status)
    raw = form.raw()
    if "json" in request.POST:
        return _scored_json(request, club, raw=raw)
    if len(raw) > SCORE_LIMIT:
        form.add_error("file", _too_large())
        return render(request, "scoring/exchange/score_file.html", {"form": form}, status=413)
    try:
        games = _scored(request, club, raw=raw)
    except UnreadableText as no:
        context = {"form": form, "faults": [fault_words(fault) for fault in no.faults[:SHOWN]]}
        return render(request, "scoring/exchange/score_file.html", context, status=_status(no))
    told = [_told(Explained(game, number)) for number, game in enumerate(games, start=1)]
    return render(request, "scoring/exchange/score_file.html", {"form": form, "games": told, "summary": summary(games)})


def _sent(request: HttpRequest) -> tuple[Any, Any]:
    """The data and files with which a form was sent, or None for both."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


def _scored(request: HttpRequest, club: Club, *, raw: bytes) -> list[ScoredGame]:
    known = known_rules(club)
    games = read(decoded(raw), _rules_asked(request, known), known=known, most=Most(weight=ON_A_PAGE.weight))
    return [score_game(game) for game in games]


def _rules_asked(request: HttpRequest, known: Known) -> RuleSet | None:
    """The rules that the address asks for, whatever the file says."""
    slug, version = request.GET.get("rules"), request.GET.get("version", "")
    if not slug:
        return None
    found = [one for one in known.get(slug, ()) if not version or str(one.version) == version]
    if not found:
        raise Http404
    return found[0]


def _scored_json(request: HttpRequest, club: Club, *, raw: bytes) -> HttpResponse:
    if len(raw) > SCORE_LIMIT:
        return JsonResponse({"words": _too_large()}, status=413)
    try:
        games = _scored(request, club, raw=raw)
    except UnreadableText as no:
        return JsonResponse(faults_data(no.faults), status=_status(no))
    return HttpResponse("".join(scores_json(games)), content_type=JSON)


def _status(no: UnreadableText) -> int:
    """400 for what is no JSON, 422 for JSON with wrong fields."""
    return 400 if {fault.code for fault in no.faults} & NOT_TEXT else 422


def _too_large() -> str:
    return _("At most %(most)s bytes can be scored at once. Split the file.") % {"most": points(SCORE_LIMIT)}


def _told(game: Explained) -> dict[str, Any]:
    heading, *lines = game.text()
    return {"heading": heading, "lines": "\n".join(lines)}


@club_page
def files(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's games out to a file and in again: what is in a file is shown first, then taken in, all or nothing."""
    form = TakeInForm(*_sent(request))
    if request.method != "POST" or not form.is_valid():
        return render(request, "scoring/exchange/files.html", {"form": form}, status=422 if form.errors else 200)
    raw, ruling, name = form.raw(PAGE_LIMIT), form.cleaned_data["ruling"].strip(), form.file_name()
    try:
        found = read_file(raw, known_rules(club), most=MOST_ON_A_PAGE)
        if request.POST.get("step") == "take":
            plan = take_in(club=club, records=found, by=actor_of(request), name=name, ruling=ruling)
            messages.success(request, taken_words(plan))
            return redirect("files", club.slug)
        plan = plan_of(club, found, ruling=ruling)
    except NotRead as no:
        return _bad_page(request, form, bad=no.bad)
    except BadFile as no:
        return _bad_page(request, form, bad=no.bad, more=_kept(raw, name))
    context = {"form": form, "plan": plan, "warning": found.warning, **_kept(raw, name)}
    return render(request, "scoring/exchange/files.html", context)


def _kept(raw: bytes, name: str) -> dict[str, str]:
    return {"kept": kept(raw), "name": name}


def _bad_page(request: HttpRequest, form: TakeInForm, *, bad: tuple[Bad, ...], more: Any = None) -> HttpResponse:
    context = {"form": form, "bad": bad[:SHOWN], "bad_count": len(bad), "more": max(0, len(bad) - SHOWN)}
    return render(request, "scoring/exchange/files.html", {**context, **(more or {})}, status=422)


@club_page
@require_safe
def files_out(request: HttpRequest, club: Club, *, form: str) -> HttpResponse:
    """All games of the club as a file: `json` with every version of every deal, `csv` as they stand."""
    records = records_of(club)
    day = timezone.localdate().isoformat()
    headers = {"Content-Disposition": f'attachment; filename="{club.slug}-{day}.{form}"'}
    if form == "json":
        return HttpResponse("".join(to_json(records)), content_type=JSON, headers=headers)
    if form == "csv":
        return HttpResponse(to_csv(records), content_type="text/csv; charset=utf-8", headers=headers)
    raise Http404
