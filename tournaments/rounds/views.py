"""The pages of rounds: who is here, the clock, the draw and its seeds, publishing and taking back."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubsite.accounts.models import Club, Member
from clubsite.accounts.roles import is_director, public, request_actor
from clubsite.names import name_matches, name_sort_key
from scoring.form_parts import NumberField
from scoring.models import LONGEST_REASON
from scoring.pasted_names import name_key
from tournaments.draws import by_format, making, rotation
from tournaments.draws.by_format import fewest_people, is_over, matches_without_table, seeding_words
from tournaments.draws.changes import changed_seats_message, successor
from tournaments.draws.drafts import WITH_EVENT, next_drafts, published_numbers
from tournaments.draws.making import ROUNDS, DrawOptions, why_stale
from tournaments.draws.round_views import round_view, round_views
from tournaments.draws.words import (
    LEFT_OVER,
    compass_name,
    describe_outcome,
    draw_summary,
    fairness_note,
    method_sentence,
    odd_options,
    outlook_sentence,
    rematch_sentences,
)
from tournaments.engine.rounds import Layout
from tournaments.entries.known import SAME, Doubt, find_name_doubts, read_answers, store_answers
from tournaments.errors import StepRefused
from tournaments.events.state import is_drawn, night_stage, published_cut, published_draws
from tournaments.events.words import describe_format, describe_options
from tournaments.models import Draw, Entry, Event, Round, joint_name
from tournaments.pictures import quality_bars
from tournaments.requests import (
    ask_for_reason_on,
    competition_page,
    event_page,
    get_event,
    get_group,
    night_page,
    show_refusals,
    ticked_keys,
    whole_number,
)
from tournaments.rounds import attendance, clock as clocks, publishing, seeding
from tournaments.rounds.disputes import disputes_of_round, doubts_in
from tournaments.rounds.publishing import number_of_deals, show_taken_back, take_step
from tournaments.rounds.seat_changes import can_change_seats
from tournaments.sign_ups import expected_names


class DrawForm(forms.Form):
    """How many rounds are planned (the more the draw knows, the fewer meetings repeat), and how long to search.

    `odd` are the choices for those who don't fit the tables, with what each gives; asked only where there are several.
    """

    planned = NumberField(
        label=gettext_lazy("Rounds in all"),
        min_value=1,
        max_value=20,
        help_text=gettext_lazy(
            "Drawn together, so that few meet twice. One round is published at a time; you can play fewer or more."
        ),
    )
    odd = forms.ChoiceField(
        label=LEFT_OVER,
        required=False,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Points at another kind of table count like all others."),
    )
    effort = forms.ChoiceField(
        label=gettext_lazy("How hard to try"),
        required=False,
        choices=[
            ("normal", gettext_lazy("as usual: a few seconds at most")),
            ("longer", gettext_lazy("harder: up to half a minute")),
        ],
        help_text=gettext_lazy("Most draws can't be improved after a moment, and the search stops by itself."),
    )

    def __init__(self, *args: Any, odd: Mapping[str, Layout], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.usual = next(iter(odd), "sit-out")
        if self.initial.get("odd") not in odd:
            self.initial["odd"] = self.usual
        self.fields["odd"].choices = odd_options(odd)  # type: ignore[attr-defined]  # it has choices
        if len(odd) < 2:
            del self.fields["odd"]

    def options(self) -> DrawOptions:
        data = self.cleaned_data
        return DrawOptions(data["planned"], data.get("odd") or self.usual, data["effort"] or "normal")


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("It is printed on the cards of these games."),
    )


class EndForm(forms.Form):
    games = forms.ChoiceField(
        label=gettext_lazy("Games still open"),
        choices=[
            ("open", gettext_lazy("Leave them open: they are finished later, before the night is closed")),
            (
                "end",
                gettext_lazy("End them as they are: the better total wins; a game without a deal counts as not played"),
            ),
        ],
        widget=forms.RadioSelect,
        initial="open",
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        required=False,
        help_text=gettext_lazy("Needed to end games. It is shown on their cards."),
    )


@require_safe
@never_cache
@public
def clock(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The clock of the round that is being played: a part of a page, for htmx; else the way to the event's page. Its
    `Date` is the server's time."""
    night = get_event(club, event)
    if request.method == "HEAD":  # static/clock.js wants only the header with the time
        return HttpResponse()
    if not request.htmx:  # type: ignore[attr-defined]  # from django_htmx's middleware
        return redirect(night)
    context = {"event": night, "clock": clocks.clock_of(night)}
    return render(request, "tournaments/rounds/_clock_live.html", context)


@require_POST
@event_page
def round_clock(request: HttpRequest, club: Club, *, event: Event, round: int) -> HttpResponse:
    this_round = get_object_or_404(Round.objects.select_related("stage__event__club"), pk=round, stage__event=event)
    step, by = request.POST.get("step"), request_actor(request)
    steps = {"pause": clocks.pause_clock, "go-on": clocks.resume_clock, "set-back": clocks.reset_clock}
    with show_refusals(request):
        if step == "start":
            clock = clocks.start_clock(round=this_round, by=by, minutes=_minutes(request, "minutes"))
        elif step == "add":
            minutes, seen = _minutes(request, "minutes"), _minutes(request, "seen")
            clock = clocks.add_minutes(round=this_round, by=by, minutes=minutes, seen=seen)
        elif step in steps:
            clock = steps[step](round=this_round, by=by)
        else:
            return HttpResponse(status=400)
        # The clock as it is now, after this step or that of somebody who was quicker
        if now := clocks.clock_at(clock.round, timezone.now()):
            messages.success(request, clocks.clock_words(now))
    return redirect(f"{event.get_desk_url()}#clock")


def _minutes(request: HttpRequest, name: str) -> int:
    """Minutes as typed. Raises StepRefused for what is no number of minutes."""
    text = request.POST.get(name, "").strip().replace("\N{MINUS SIGN}", "-")
    if not text.removeprefix("-").isdecimal() or len(text) > 5:
        raise StepRefused(_("Write the minutes as a whole number."))
    return int(text)


@night_page
def here(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    doubts: list[Doubt] = []
    if request.method == "POST":
        with show_refusals(request):
            doubts = _mark_here(request, club, event=event)
        if not request.htmx and not doubts:  # type: ignore[attr-defined]  # from its middleware
            return redirect("here", club.slug, event.slug)
    query = " ".join(request.GET.get("q", "").split())
    entries = list(event.entries.select_related("member"))
    by_member = {entry.member_id: entry for entry in entries if entry.member_id}
    members = Member.objects.filter(club=club)
    coming = {name_key(name): name for name in expected_names(event)}
    # On the list of a copied night
    coming |= {name_key(e.name): e.name for e in entries if e.state == Entry.State.RESERVE}
    people = [
        {"name": m.name, "member": m, "entry": by_member.get(m.pk), "expected": coming.pop(name_key(m.name), "")}
        for m in members
        if m.active or m.pk in by_member or name_key(m.name) in coming
    ]
    people += [
        {"name": e.name, "member": None, "entry": e, "expected": coming.pop(name_key(e.name), "")}
        for e in entries
        if not e.member_id
    ]
    people += [{"name": name, "member": None, "entry": None, "expected": name} for name in coming.values()]
    if request.method == "POST" and not doubts:  # for the name that was pressed: the others stay as they are
        people = [person for person in people if _is_pressed(person, request.POST)]
    context: dict[str, Any] = {
        "event": event,
        "people": sorted(
            (p for p in people if name_matches(str(p["name"]), query)),
            key=lambda p: (not p["expected"], name_sort_key(str(p["name"]))),
        ),
        "here": sum(entry.state == Entry.State.HERE for entry in entries),
        "q": query,
        "least": fewest_people(event),
        "may_draw": not is_over(event),
        "by_results": not event.traits.searched,
        "closed": event.state == Event.State.FINISHED,
        "doubts": doubts,
    }
    context["tables"], context["over"] = divmod(context["here"], 4)
    template = "tournaments/rounds/night_people.html" if request.htmx else "tournaments/rounds/here.html"  # type: ignore[attr-defined]  # from its middleware
    return render(request, template, context)


@night_page
def round_step(request: HttpRequest, club: Club, *, event: Event, round: int) -> HttpResponse:
    this_round = get_object_or_404(Round, stage__event=event, stage__number=1, number=round)
    form = EndForm(request.POST if request.POST.get("step") == "close" else None)
    if request.method == "POST":
        draws = this_round.draws.select_related("round__stage__event__club")
        draw = draws.filter(state=Draw.State.PUBLISHED).first() or draws.last()
        if draw is None:
            raise Http404
        with show_refusals(request), ask_for_reason_on(form):
            return take_step(request, draw, offered=("close", "reopen", "take-back"))
        this_round.refresh_from_db()
    shown = round_views(this_round.draws.filter(state=Draw.State.PUBLISHED))
    if not shown:
        return show_taken_back(request, event, which=Q(round=this_round))
    context = {
        "event": event,
        "round": shown[0],
        "one": this_round,
        "form": form,
        "disputes": [] if this_round.closed else disputes_of_round(this_round),
        "doubts": [] if this_round.closed else doubts_in(club, round=this_round),
        "ended": publishing.games_ended_early(shown[0].draw)
        if is_director(request, club) and not this_round.closed
        else (),
        "deals": publishing.number_of_deals(shown[0].draw),
        "open": len(shown[0].groups) - shown[0].finished,
        "latest": this_round.number == len(published_numbers(event)),
        "closed": event.state == Event.State.FINISHED,
        "seats_open": is_director(request, club) and can_change_seats(shown[0].draw),
    }
    return render(request, "tournaments/rounds/round.html", context, status=409 if request.method == "POST" else 200)


def _is_pressed(person: Mapping[str, Any], sent: Mapping[str, str]) -> bool:
    member, entry = ("" if person[who] is None else str(person[who].pk) for who in ("member", "entry"))
    pressed = (("member", member), ("back", entry), ("left", entry), ("name", str(person["name"])))
    return any(sent.get(name) == value for name, value in pressed if value)


def _mark_here(request: HttpRequest, club: Club, *, event: Event) -> list[Doubt]:
    """Mark whose name was pressed or typed. Gives what has to be answered first about a name that sounds like another,
    and then nobody is marked."""
    by = request_actor(request)
    post = request.POST
    if member := post.get("member"):
        attendance.arrive(event=event, by=by, member=get_object_or_404(Member, club=club, pk=whole_number(member)))
    elif entry := post.get("back"):
        attendance.return_to_event(entry=get_object_or_404(Entry, event=event, pk=whole_number(entry)), by=by)
    elif entry := post.get("left"):
        attendance.leave(entry=get_object_or_404(Entry, event=event, pk=whole_number(entry)), by=by)
    else:
        name = post.get("name", "")
        doubts = [] if request.htmx else find_name_doubts(event, name, answers=read_answers(club, post))  # type: ignore[attr-defined]  # as above
        if any(not doubt.answer for doubt in doubts):
            return doubts
        like = next((doubt.like for doubt in doubts if doubt.answer == SAME), None)
        if isinstance(like, Entry):
            added = attendance.return_to_event(entry=like, by=by)
        elif isinstance(like, Member):
            added = attendance.arrive(event=event, by=by, member=like)
        else:
            added = attendance.arrive(event=event, by=by, name=name, join=bool(post.get("join")))
        store_answers(club=club, doubts=doubts, by=by)
        messages.success(request, _("%(name)s is here.") % {"name": added.name})
    return []


@night_page
def draw(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    drafts = next_drafts(event)
    latest = drafts.first()
    present = event.entries.filter(state=Entry.State.HERE).count()
    offered = rotation.odd_layouts(event.rules.rule_set, present) if event.traits.searched else {}
    last = latest or published_draws(event).last()
    search = making.search_view(event)
    plan = last.statement.get("plan", {}) if last else {}
    before = search["job"].asked if search else plan  # what was chosen last
    initial = {"planned": before.get("planned") or ROUNDS, "odd": before.get("odd"), "effort": "normal"}
    form = DrawForm(request.POST if request.POST.get("step") == "make" else None, initial=initial, odd=offered)
    if request.method == "POST":
        with show_refusals(request):
            if request.POST.get("step") == "publish":
                # the draw that was looked at: a second tap finds it published and does nothing
                chosen = get_object_or_404(Draw, round__stage__event=event, pk=whole_number(request.POST.get("draw")))
                return take_step(request, chosen, offered=("publish",))
            if form.is_valid():
                seen = whole_number(request.POST["seen"]) if request.POST.get("seen") else None
                making.start_draw(
                    stage=night_stage(event), by=request_actor(request), options=form.options(), seen=seen
                )
                return redirect("round_draw", club.slug, event.slug)
        if not form.is_bound or form.is_valid():  # a step was refused
            return redirect("round_draw", club.slug, event.slug)
    end = None if latest else by_format.next_round_refusal(event)
    wished = _wish_sentences(latest)
    tables = offered.get(str(before.get("odd"))) or next(iter(offered.values()), None)
    context = {
        "event": event,
        "form": form,
        "round": round_view(latest) if latest else None,
        "number": len(published_numbers(event)) + 1,
        "deals": number_of_deals(latest) if latest else 0,
        "ended": by_format.refusal_message(end) if end else "",
        "in_groups": event.traits.in_groups,
        "stale": why_stale(latest) if latest else "",
        "by_results": not event.traits.searched,
        "tells_meetings": event.traits.searched or event.traits.counts_meetings,
        "rotation": event.traits.searched,
        "about": describe_format(event),
        "described": describe_options(event),
        "taken_back": [
            {"draw": version, "stale": why_stale(version)}
            for version in drafts.filter(state=Draw.State.WITHDRAWN)
            if latest is None or version.pk != latest.pk
        ],
        "here": present,
        "tables": len(tables.shapes) if tables else 0,
        "over": tables.sit_outs if tables else present,
        "seen": latest.number if latest else 0,
        "search": search,
        "wished": wished,
        "method": method_sentence(latest.statement) if latest else "",
        "wishes": event.wishes.count(),
        "again": [
            *seeding_words(latest.statement),
            *by_format.same_half_warnings(event, latest),
            *rematch_sentences(latest.statement),
            *([] if event.traits.searched else wished),
        ]
        if latest
        else [],
        "coming": matches_without_table(event, latest) if latest else [],
        "quality": quality_bars(latest.statement) if latest else None,
        "outlook": outlook_sentence(latest.statement) if latest else "",
        "closed": event.state == Event.State.FINISHED,
    }
    return render(request, "tournaments/rounds/night_draw.html", context)


def _wish_sentences(draw: Draw | None) -> list[str]:
    outcomes = rotation.stored_outcomes(draw.statement) if draw else []
    name = rotation.names_of({person for outcome in outcomes for person in outcome.wish.people})
    return [describe_outcome(outcome, name=name, seat=compass_name) for outcome in outcomes]


MOST = 1_000_000


class SeedsForm(forms.Form):
    kind = forms.ChoiceField(
        label=gettext_lazy("The numbers are"),
        choices=[
            ("hand", gettext_lazy("seeds: 1 is the best")),
            ("points", gettext_lazy("points: the most is the best")),
        ],
    )

    def __init__(self, *args: Any, event: Event, sides: Sequence[Sequence[Entry]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sides = sides
        by, numbers = event.seeding.get("by"), event.seeding.get("numbers", {})
        self.fields["kind"].initial = "points" if by == "points" else "hand"
        for side in sides:
            number = numbers.get(str(side[0].pk)) if by in ("hand", "points") else None
            self.fields[f"seed_{side[0].pk}"] = NumberField(
                label=joint_name(side),
                required=False,
                min_value=-MOST,
                max_value=MOST,
                initial=abs(number) if number is not None and by == "hand" else None if number is None else -number,
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("kind") == "hand":
            for name, number in list(cleaned.items()):
                if name.startswith("seed_") and number is not None and number < 1:
                    self.add_error(name, _("Seeds begin with 1."))
        return cleaned

    def side_fields(self) -> list[forms.BoundField]:
        return [self[f"seed_{side[0].pk}"] for side in self.sides]

    def numbers(self) -> dict[int, int]:
        return {
            entry.pk: number
            for side in self.sides
            for entry in side
            if (number := self.cleaned_data[f"seed_{side[0].pk}"]) is not None
        }


@event_page
def seeds(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    if not event.has_bracket:
        raise Http404
    step, by = request.POST.get("step"), request_actor(request)
    form = SeedsForm(
        request.POST if step == "numbers" else None, event=event, sides=seeding.sides_here(event), label_suffix=""
    )
    if request.method == "POST" and (step != "numbers" or form.is_valid()):
        with show_refusals(request):
            if step == "numbers":
                points = form.cleaned_data["kind"] == "points"
                seeding.seed_by_numbers(event=event, numbers=form.numbers(), points=points, by=by)
                messages.success(request, _("Saved."))
            elif step == "source":
                enter = bool(request.POST.get("enter"))
                count = seeding.seed_from(event=event, source=request.POST.get("source", ""), by=by, enter=enter)
                words = ngettext("%(n)d person is seeded.", "%(n)d people are seeded.", count)
                messages.success(request, words % {"n": count})
            elif step == "lot":
                seeding.seed_by_numbers(event=event, numbers={}, points=False, by=by)
                messages.success(request, _("The bracket is drawn by lot."))
            else:
                raise Http404
        return redirect("seeds", club.slug, event.slug)
    context = {
        "event": event,
        "form": form,
        "sentences": seeding_words({"seeding": event.seeding or by_format.BY_LOT}),
        "sources": seeding.sources_for(event),
        "begun": is_drawn(event) or event.state == Event.State.FINISHED,
    }
    return render(request, "tournaments/rounds/seeds.html", context, status=422 if form.errors else 200)


@competition_page
def draw_step(request: HttpRequest, club: Club, *, event: Event, draw: int) -> HttpResponse:
    version = get_object_or_404(WITH_EVENT, pk=draw, round__stage__event=event)
    stage = version.round.stage
    if request.method == "POST":
        with show_refusals(request):
            return take_step(request, version, offered=("publish", "take-back"))
        return redirect("draw_step", club.slug, event.slug, version.pk)
    versions = list(Draw.objects.filter(round=version.round).order_by("number"))
    published = next((d for d in versions if d.state == Draw.State.PUBLISHED), None)
    context = {
        "event": event,
        "stage": stage,
        "draw": version,
        "round": round_view(version),
        "words": draw_summary(version.statement),
        "fairness": fairness_note(stage, version.statement),
        "versions": versions,
        "published": published,
        "seen": versions[-1].number,
        "deals": publishing.number_of_deals(version),
        "cut": published_cut(stage),
        "stale": "" if published else why_stale(version),
        "seats_open": can_change_seats(version),
        "sure": request.GET.get("step") == "take-back",
    }
    return render(request, "tournaments/rounds/draw_step.html", context)


@competition_page
def end_set(request: HttpRequest, club: Club, *, event: Event, group: int) -> HttpResponse:
    this_group = get_group(event, group)
    if newer := successor(this_group.table.draw):
        messages.info(request, changed_seats_message(this_group.table.draw, newer))
        now = get_object_or_404(newer.groups, table__number=this_group.table.number, number=this_group.number)
        return redirect("end_set", club.slug, event.slug, now.pk)
    if request.method == "POST":
        reason = request.POST.get("reason", "")
        with show_refusals(request):
            if request.POST.get("step") == "reopen":
                publishing.reopen_set(group=this_group, by=request_actor(request), reason=reason)
                messages.success(request, _("The set of table %(table)s goes on.") % {"table": this_group})
            else:
                publishing.end_set(group=this_group, by=request_actor(request), reason=reason)
                messages.success(request, _("The set of table %(table)s is ended.") % {"table": this_group})
            return redirect("desk_event", club.slug, event.slug)
        return redirect("end_set", club.slug, event.slug, this_group.pk)
    view = next(v for v in round_view(this_group.table.draw).groups if v.group.pk == this_group.pk)
    return render(request, "tournaments/rounds/end_set.html", {"event": event, "group": this_group, "view": view})


@event_page
def open_games(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    form = ReasonForm(request.POST or None)
    if form.is_valid():
        seen = ticked_keys(request, "game")
        ended = publishing.end_unfinished_games(event=event, by=request_actor(request), seen=seen, **form.cleaned_data)
        words = ngettext("%(n)d game is ended as it was.", "%(n)d games are ended as they were.", len(ended))
        messages.success(request, words % {"n": len(ended)})
        return redirect("desk_event", club.slug, event.slug)
    rows = publishing.unfinished_games(event)
    prefetch_related_objects([row.game for row in rows], "sides")
    context = {
        "event": event,
        "form": form,
        "heading": publishing.open_games_heading(event, len(rows)),
        "games": [(publishing.where_played(row), row.game) for row in rows],
    }
    return render(request, "tournaments/rounds/open_games.html", context, status=422 if form.errors else 200)
