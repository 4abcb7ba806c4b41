"""The steps of the start that are pages of the club: its rules, its members, its first night and the cards of it."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from clubsite.accounts.models import Club, Member
from clubsite.accounts.roles import actor_of, club_page
from clubsite.accounts.starting import put_away
from clubsite.addresses import only_here
from scoring.house_rules.actions import adopt
from scoring.models import HouseRules
from scoring.templatetags.rule_texts import translated
from tournaments.draws.drafts import as_played
from tournaments.draws.words import fairness_words, layout_words
from tournaments.engine.draws.table_layout import layout_of
from tournaments.entries.forms import columns_of, sent_list
from tournaments.events.actions import games_of
from tournaments.events.state import published_draws
from tournaments.members.pasting import BAD, add_members, read_members
from tournaments.models import Draw, Event
from tournaments.pages.steps import done_of_start
from tournaments.requests import event_of, refusals_on, submission_in
from tournaments.rounds.publishing import tell_published
from tournaments.setup.forms import MembersForm, NightForm
from tournaments.setup.games import KINDS, offered
from tournaments.setup.night import NightFacts, begin_night, plan_first_night, plan_words, proposed_start
from tournaments.table_links.links import site_of


@club_page
def rules(request: HttpRequest, club: Club) -> HttpResponse:
    """The third step: the game that the club plays. A press on it makes it the club's."""
    games = games_of(club)
    if request.method == "POST":
        chosen = next((game for game in games if game.slug == request.POST.get("rules")), None)
        if chosen:
            made = chosen.house_rules or adopt(club=club, rule_set=chosen.rule_set, by=actor_of(request))
            messages.success(request, _("You play %(rules)s.") % {"rules": translated(made.title)})
            return redirect("start_members", club.slug)
    asked = request.GET.get("kind", "")
    kind = asked if asked in KINDS else ""
    context = {
        "step": "rules",
        "done": done_of_start(club),
        "kinds": [(one, title) for one, title, _rows in offered(games)],
        "kind": kind,
        "offered": list(offered(games, kind=kind)),
    }
    return render(request, "tournaments/setup/rules.html", context)


@club_page
def members(request: HttpRequest, club: Club) -> HttpResponse:
    """The fourth step: the members, from text or a file; looked at before they are added."""
    form = MembersForm(request.POST, request.FILES) if request.method == "POST" else MembersForm()
    context: dict[str, Any] = {
        "step": "members",
        "done": done_of_start(club),
        "form": form,
        "there": Member.objects.filter(club=club).count(),
    }
    if request.method != "POST" or request.POST.get("step") == "change" or not form.is_valid():
        if request.POST.get("step") == "change":  # back from the look at the list: what was typed is there
            context["form"] = MembersForm(initial={"names": request.POST.get("names", "")})
        return render(request, "tournaments/setup/members/names.html", context, status=422 if form.errors else 200)
    with refusals_on(form, form.field):
        sent = sent_list(request, form)
        pasted = read_members(club, sent.text, said=request.POST, columns=columns_of(request, club))
        if sent.guessed:
            context["form"] = form = MembersForm({"names": sent.text})
            form.add_error("names", _("The letters of this file aren't certain. Look at the names, and correct them."))
        elif not pasted.rows:
            form.add_error("names", _("There is no name in this list. Choose a file, or write names."))
    if form.errors:
        return render(request, "tournaments/setup/members/names.html", context, status=422)
    submission = submission_in(request.POST.get("submission"))
    if request.POST.get("step") == "add":
        with refusals_on(form):
            added = add_members(club=club, people=pasted.people, by=actor_of(request), submission=submission)
            words = ngettext("%(n)d member is added.", "%(n)d members are added.", len(added.made))
            messages.success(request, words % {"n": len(added.made)})
            return redirect("start_night", club.slug)
    context |= {"pasted": pasted, "bad": pasted.of(BAD), "count": len(pasted.people), "submission": submission}
    context |= sent.shown(pasted.listing, contact=True)
    return render(request, "tournaments/setup/members/look.html", context, status=422 if form.errors else 200)


@club_page
def night(request: HttpRequest, club: Club) -> HttpResponse:
    """The fifth step: the first night, proposed; then its cards."""
    people = sorted(Member.objects.filter(club=club, active=True), key=attrgetter("by_name"))
    games = games_of(club)
    own = HouseRules.objects.filter(club=club).order_by("-pk").first()
    sent = _without_proposals(request.POST.copy()) if request.POST else _kept(request, club, people=people)
    asked = sent.get("game") or (own.slug if own else "")
    game = next((one for one in games if one.slug == asked), games[0])
    chosen = set(sent.getlist("people")) if sent else {str(member.pk) for member in people}
    count = sum(str(member.pk) in chosen for member in people)
    way, proposed = (plan_first_night(game.rule_set, count, odd=odd) for odd in (sent.get("odd", ""), ""))
    initial = {"name": _("First night"), "game": game.slug, "starts_at": proposed_start(club)}
    initial |= sent.dict() | {"odd": way.odd, "rounds": sent.get("rounds", way.rounds)}
    initial["people"] = [member.pk for member in people if str(member.pk) in chosen]
    looked_at = request.POST.get("step") == "look"  # at what the game and the people give, before anything is made
    bound = None if looked_at or not request.POST else initial | {"people": sent.getlist("people")}
    if request.POST:
        _keep(request, club, sent=sent, without={str(member.pk) for member in people} - chosen)
    part = looked_at and request.htmx  # type: ignore[attr-defined]  # from its middleware
    stands = f"{game.slug} {count} {way.odd}"  # all that what the game and the people give depends on
    if part and request.POST.get("stands") == stands:
        return HttpResponse(status=204)  # a field that isn't made anew can be typed into meanwhile
    form = NightForm(bound, initial=initial, club=club, games=games, way=way)
    submission = submission_in(request.POST.get("submission"))
    if bound and form.is_valid():
        facts = NightFacts(**form.cleaned_data | {"game": game, "odd": way.odd})
        with refusals_on(form):
            event = begin_night(club=club, by=actor_of(request), facts=facts, submission=submission)
            del request.session[_place_of(club)]
            tell_published(request, first_draw(event))
            return redirect("start_cards", club.slug, event.slug)
    context = {
        "step": "night",
        "done": done_of_start(club),
        "form": form,
        "people": people,
        "game": translated(game.rule_set.title),
        "count": count,
        "way": way,
        "said": plan_words(game.rule_set, count),
        "proposed": proposed,
        "stands": stands,
        "chosen": chosen,
        "submission": submission,
    }
    page = "tournaments/setup/_night_way.html" if part else "tournaments/setup/night.html"
    return render(request, page, context, status=422 if form.errors else 200)


def _keep(request: HttpRequest, club: Club, *, sent: QueryDict, without: set[str]) -> None:
    """Keep what is said of the night for the page as it is opened again: a start only where it isn't the proposed one,
    which is another tomorrow. Members who are added meanwhile are ticked."""
    kept = sent.copy()
    left = ["starts_at"] if kept.get("starts_at") == f"{proposed_start(club):%Y-%m-%dT%H:%M}" else []
    for name in ("csrfmiddlewaretoken", "step", "people", "submission", "long_ago", *left):
        kept.pop(name, None)
    kept.setlist("without", sorted(without))
    request.session[_place_of(club)] = kept.urlencode()


def _kept(request: HttpRequest, club: Club, *, people: Sequence[Member]) -> QueryDict:
    """What was said of the night before; nothing where nothing was."""
    kept = QueryDict(request.session.get(_place_of(club), ""), mutable=True)
    if kept:
        without = kept.pop("without", [])
        kept.setlist("people", [key for key in (str(member.pk) for member in people) if key not in without])
    return kept


def _place_of(club: Club) -> str:
    return f"first-night-{club.pk}"


def _without_proposals(sent: QueryDict) -> QueryDict:
    """What was sent for a night, without what was proposed and left as it was: that follows the game and the people."""
    for name in NightForm.FOLLOWING:
        if sent.get(name) == sent.get(f"proposed-{name}"):
            sent.pop(name, None)
    return sent


@club_page
def cards(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The end of the way: the cards of the first night, to be printed."""
    found = event_of(club, event)
    draw = first_draw(found)
    context = {
        "event": found,
        "game": translated(found.rules.title),
        "people": draw.seats.filter(entry__stands_in=None).count(),
        "gives": layout_words(layout_of(as_played(draw)))
        if found.by_rounds
        else fairness_words(draw.round.stage, draw.statement),
        "tables": draw.tables.count(),
        "sit_outs": [one.entry.name for one in draw.sit_outs.select_related("entry")],
        **{
            document: f"{reverse('document', args=[club.slug, found.slug, document])}?draw={draw.pk}"
            for document in ("round", "cards", "seating")
        },
        "contest": not found.by_rounds,
        "site": site_of(request),
        "only_here": only_here(site_of(request)),
    }
    return render(request, "tournaments/setup/cards.html", context)


def first_draw(event: Event) -> Draw:
    """The published draw of the first round. Raises Http404 where there is none."""
    draw = published_draws(event).first()
    if draw is None:
        raise Http404
    return draw


@require_POST
@club_page
def away(request: HttpRequest, club: Club) -> HttpResponse:
    """Put the rest of the start away: the desk tells of it no longer."""
    put_away(club=club, by=actor_of(request))
    messages.success(request, _("Put away. Every step can still be done on its own page."))
    return redirect("desk", club.slug)
