"""The seeds of a knock-out: who has the byes and meets last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from scoring.form_parts import NumberField
from tournaments.events.state import is_drawn
from tournaments.models import Entry, Event
from tournaments.requests import event_of, refusals_told
from tournaments.rounds import seeding

MOST = 1_000_000


class SeedsForm(forms.Form):
    """A number for each side, and what the numbers are."""

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
        by, kept = event.seeding.get("by"), event.seeding.get("numbers", {})
        self.fields["kind"].initial = "points" if by == "points" else "hand"
        for side in sides:
            number = kept.get(str(side[0].pk)) if by in ("hand", "points") else None
            self.fields[f"seed_{side[0].pk}"] = NumberField(
                label=" & ".join(entry.name for entry in side),
                required=False,
                min_value=-MOST,
                max_value=MOST,
                initial=abs(number) if number is not None and by == "hand" else None if number is None else -number,
            )

    def clean(self) -> dict[str, Any]:
        """Refuse seeds below 1."""
        cleaned = super().clean() or {}
        if cleaned.get("kind") == "hand":
            for name, number in list(cleaned.items()):
                if name.startswith("seed_") and number is not None and number < 1:
                    self.add_error(name, _("Seeds begin with 1."))
        return cleaned

    def side_fields(self) -> list[forms.BoundField]:
        """The fields of the sides, in their order."""
        return [self[f"seed_{side[0].pk}"] for side in self.sides]

    def numbers(self) -> dict[int, int]:
        """What the valid form says, for each person of a side."""
        return {
            entry.pk: number
            for side in self.sides
            for entry in side
            if (number := self.cleaned_data[f"seed_{side[0].pk}"]) is not None
        }


@club_page
def seeds(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Seeds by hand or by points, from a table, a result or a cut of the club, or none: then the bracket is by lot."""
    found = event_of(club, event)
    if not found.has_bracket:
        raise Http404
    step, by = request.POST.get("step"), actor_of(request)
    form = SeedsForm(
        request.POST if step == "numbers" else None, event=found, sides=seeding.sides_here(found), label_suffix=""
    )
    if request.method == "POST" and (step != "numbers" or form.is_valid()):
        with refusals_told(request):
            if step == "numbers":
                points = form.cleaned_data["kind"] == "points"
                seeding.seed_by_numbers(event=found, numbers=form.numbers(), points=points, by=by)
                messages.success(request, _("Saved."))
            elif step == "source":
                enter = bool(request.POST.get("enter"))
                count = seeding.seed_from(event=found, source=request.POST.get("source", ""), by=by, enter=enter)
                words = ngettext("%(n)d person is seeded.", "%(n)d people are seeded.", count)
                messages.success(request, words % {"n": count})
            elif step == "lot":
                seeding.seed_by_numbers(event=found, numbers={}, points=False, by=by)
                messages.success(request, _("The bracket is drawn by lot."))
            else:
                raise Http404
        return redirect("seeds", club.slug, found.slug)
    context = {
        "event": found,
        "form": form,
        "sentences": seeding.seeded_by(found),
        "sources": seeding.sources_for(found),
        "begun": is_drawn(found) or found.state == Event.State.FINISHED,
    }
    return render(request, "tournaments/rounds/seeds.html", context, status=422 if form.errors else 200)
