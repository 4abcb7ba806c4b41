"""Draws before they are published: of a stage, the search for a night's, wishes, changes by hand."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django_htmx.http import HttpResponseClientRefresh

from clubsite.accounts.models import Club
from clubsite.accounts.roles import request_actor
from clubsite.names import PersonField
from scoring.form_parts import NumberField, YesNoField
from tournaments.draws import changes, making, rotation
from tournaments.draws.changes import fill_with_stand_ins, stand_ins_for
from tournaments.draws.drafts import WITH_EVENT
from tournaments.draws.making import DrawOptions, entries_for
from tournaments.draws.rotation import MOST_TABLES, SEATS
from tournaments.draws.round_views import round_view
from tournaments.draws.words import compass_name, describe_outcome, meets_again_message, warnings
from tournaments.errors import StepRefused
from tournaments.events import stages
from tournaments.models import Draw, Entry, Event, Wish
from tournaments.requests import competition_page, event_page, get_stage, night_page, show_refusals, whole_number


class WishForm(forms.Form):
    entry = PersonField(label=gettext_lazy("Who"), queryset=Entry.objects.none(), empty_label=gettext_lazy("choose"))
    kind = forms.ChoiceField(label=gettext_lazy("Wish"), choices=Wish.Kind.choices)
    other = PersonField(
        label=gettext_lazy("With whom"),
        queryset=Entry.objects.none(),
        required=False,
        empty_label=gettext_lazy("nobody"),
        help_text=gettext_lazy("For people who play together, or stay apart."),
    )
    table = NumberField(
        label=gettext_lazy("Table"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
        help_text=gettext_lazy("For a host, or somebody who stays at one table. Leave empty for any table."),
    )
    seat = forms.TypedChoiceField(label=gettext_lazy("Seat"), required=False, coerce=int, empty_value=None)
    hard = YesNoField(
        label=gettext_lazy("How firmly"),
        choices=[("yes", gettext_lazy("must be met")), ("no", gettext_lazy("if possible"))],
        help_text=gettext_lazy(
            "If a wish that must be met can't be met, no draw is made. The draw says whether the other wishes were met."
        ),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = event.entries.exclude(state=Entry.State.RESERVE)
        for name in ("entry", "other"):
            self.fields[name].queryset = people  # type: ignore[attr-defined]  # it has choices
        if not event.traits.searched:  # a pair that mustn't meet
            for name in ("kind", "table", "seat", "hard"):
                del self.fields[name]
            self.fields["other"].label, self.fields["other"].help_text = gettext_lazy("Mustn't meet"), ""
            self.fields["other"].required = True
            self.fields["other"].empty_label = gettext_lazy("choose")  # type: ignore[attr-defined]  # it has choices
            return
        seats = [("", gettext_lazy("any"))] + [(n, compass_name(n)) for n in range(1, SEATS + 1)]
        self.fields["seat"].choices = seats  # type: ignore[attr-defined]  # it has choices


@night_page
def search(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """The progress of the search for the next draw; keep its best rounds, or stop it."""
    if request.method == "POST":
        step = request.POST.get("step")
        with show_refusals(request):
            if step == "best":
                making.keep_best(event=event, by=request_actor(request))
            elif step == "stop":
                making.stop_search(event=event)
            else:
                return HttpResponse(status=400)
        return redirect("round_draw", club.slug, event.slug)
    if not request.htmx:  # type: ignore[attr-defined]  # from its middleware
        return redirect("round_draw", club.slug, event.slug)
    now = making.search_view(event)
    if now is None or not now["alive"]:
        return HttpResponseClientRefresh()
    return render(request, "tournaments/draws/_search.html", {"event": event, "search": now})


@night_page
def wish_list(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    form = WishForm(request.POST if request.POST.get("step") == "add" else None, event=event)
    if request.method == "POST":
        with show_refusals(request):
            if request.POST.get("step") == "remove":
                wish = get_object_or_404(Wish, event=event, pk=whole_number(request.POST.get("wish")))
                rotation.remove_wish(wish=wish, by=request_actor(request))
                return redirect("wishes", club.slug, event.slug)
            if form.is_valid():
                wished = Wish(**{"kind": Wish.Kind.APART, **form.cleaned_data})
                wish = rotation.add_wish(event=event, wished=wished, by=request_actor(request))
                messages.success(request, f"{rotation.wish_sentence(wish)}.")
                return redirect("wishes", club.slug, event.slug)
    listed = list(event.wishes.select_related("entry", "other"))
    present = {wish.pk for wish in listed if all(e.state == Entry.State.HERE for e in (wish.entry, wish.other) if e)}
    names = {e.pk: e.name for wish in listed for e in (wish.entry, wish.other) if e}
    context = {
        "event": event,
        "form": form,
        "wishes": [
            {"wish": wish, "words": rotation.wish_sentence(wish), "waits": wish.pk not in present} for wish in listed
        ],
        "warnings": warnings(rotation.wishes_of(event), names.__getitem__),
        "closed": event.state == Event.State.FINISHED,
        "why_none": rotation.why_no_wishes(event),
    }
    return render(request, "tournaments/draws/wishes.html", context)


@event_page
def by_hand(request: HttpRequest, club: Club, *, event: Event, draw: int) -> HttpResponse:
    """Swap two in a draft of any format, after seeing what that changes."""
    draft = get_object_or_404(WITH_EVENT, round__stage__event=event, pk=draw)
    at = [club.slug, event.slug]
    back = reverse("round_draw", args=at) if event.by_rounds else reverse("draw_step", args=[*at, draft.pk])
    chosen = [request.POST.get(name) or request.GET.get(name) or "" for name in ("one", "other")]
    pair = [whole_number(text) for text in chosen if text]
    with show_refusals(request):
        changes.refuse_unless_open(draft)
        if request.method == "POST" and len(pair) == 2:
            version = changes.swap_in_draft(draw=draft, entry=pair[0], other=pair[1], by=request_actor(request))
            messages.success(request, _("Changed. This is now version %(n)d of the draw.") % {"n": version.number})
            return redirect("draw_by_hand", club.slug, event.slug, version.pk)
        return _swap_page(request, draft, chosen=chosen, back=back)
    return redirect(back)


def _swap_page(request: HttpRequest, draft: Draw, *, chosen: Sequence[str], back: str) -> HttpResponse:
    units, pair = changes.swap_units(draft), [whole_number(text) for text in chosen if text]
    names = {entry: unit.names for unit in units for entry in unit.entries}
    context: dict[str, Any] = {
        "event": draft.round.stage.event,
        "draw": draft,
        "back": back,
        "round": round_view(draft),
        "units": units,
        "chosen": [int(text) if text else None for text in chosen],
    }
    with show_refusals(request):
        if len(pair) == 2:
            change = changes.preview_swap(draw=draft, entry=pair[0], other=pair[1])
            context["change"] = change
            context["warnings"] = [meets_again_message(names, role, times=times) for names, role, times in change.again]
            context["broken"] = [
                describe_outcome(outcome, name=lambda pk: names.get(pk, str(pk)), seat=compass_name)
                for outcome in change.broken
            ]
    return render(request, "tournaments/draws/by_hand.html", context)


@competition_page
def draw(request: HttpRequest, club: Club, *, event: Event, stage: int) -> HttpResponse:
    this_stage = get_stage(event, stage)
    if request.method == "POST":
        with show_refusals(request):
            if request.POST.get("step") == "stand-ins":
                playing = fill_with_stand_ins(stage=this_stage, by=request_actor(request))
                words = ngettext("%(n)d stand-in plays.", "%(n)d stand-ins play.", len(playing))
                messages.success(request, words % {"n": len(playing)})
                return redirect("stage_draw", club.slug, event.slug, this_stage.number)
            seen, options = whole_number(request.POST.get("seen")), DrawOptions(seed=_seed(request))
            draft = making.make_draw(stage=this_stage, by=request_actor(request), options=options, seen=seen)
            return redirect("draw_step", club.slug, event.slug, draft.pk)
        return redirect("stage_draw", club.slug, event.slug, this_stage.number)
    draws = list(Draw.objects.filter(round__stage=this_stage).order_by("-number"))
    shown = next((d for d in draws if d.state == Draw.State.PUBLISHED), draws[0] if draws else None)
    if shown:
        return redirect("draw_step", club.slug, event.slug, shown.pk)
    words, people, needed = "", [], None
    try:
        people = entries_for(this_stage)
        words = stages.misfit_message(event, len(people)) if people else _("Nobody is entered yet.")
        needed = stand_ins_for(this_stage)
    except StepRefused as refused:
        words = str(refused.message)
    context = {
        "event": event,
        "stage": this_stage,
        "people": len(people),
        "stand_ins": [entry for entry in people if entry.stands_in_id is not None],
        "needed": needed,
        "words": words,
        "seen": 0,
    }
    return render(request, "tournaments/draws/draw.html", context)


def _seed(request: HttpRequest) -> int | None:
    """The seed as typed, if any. Raises StepRefused: it isn't a number of up to six digits."""
    text = request.POST.get("seed", "").strip()
    if not text:
        return None
    if not text.isdecimal() or len(text) > 6:
        raise StepRefused(_("A lot number has up to six digits."))
    return int(text)
