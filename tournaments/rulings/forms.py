"""Forms of rulings: points, tie-breaks, rounds without a seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from clubsite.names import PersonField
from scoring.form_parts import NumberField
from scoring.models import LONGEST_REASON
from tournaments.events.forms import MISSED, WITHOUT_A_SEAT, ChainForm, WalkoverPointsField, tie_fields
from tournaments.models import Entry, Event, Stage
from tournaments.models.outcomes import side_name
from tournaments.rulings.actions import MOST_POINTS
from tournaments.standings.standings import sides_in


class TieBreaksForm(ChainForm):
    """Another chain of tie-breaks for an event that has begun."""

    def __init__(self, *args: Any, format: str, chain: Sequence[str], bids: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= tie_fields(format, chain, bids=bids)


class SitOutRulesForm(forms.Form):
    """Other rules for rounds without a seat, and for walkovers, in an event that has begun."""

    sit_out_rule = forms.ChoiceField(label=WITHOUT_A_SEAT, choices=Event.SitOutRule.choices)
    missing_rule = forms.ChoiceField(label=MISSED, choices=Event.SitOutRule.choices)
    walkover_points = WalkoverPointsField()

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        kwargs["initial"] = {name: getattr(event, name) for name in self.base_fields}
        super().__init__(*args, **kwargs)
        if not event.credits_rounds:
            del self.fields["sit_out_rule"], self.fields["missing_rule"]
        if not event.fixed_sides:
            del self.fields["walkover_points"]


class WalkoverForm(forms.Form):
    """Which side of a match wasn't there."""

    absent = forms.ChoiceField(label=_("Who wasn't there?"), widget=forms.RadioSelect)
    reason = forms.CharField(label=_("Reason (if you like)"), max_length=LONGEST_REASON, required=False)

    def __init__(self, *args: Any, names: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        played = ("", _("Everybody is here: the match counts as its deals have it"))
        sides = [(str(number), name) for number, name in enumerate(names)]
        both = (",".join(number for number, _name in sides), _("Neither side: nobody wins"))
        self.fields["absent"].choices = [*sides, both, played]  # type: ignore[attr-defined]  # it has choices
        self.fields["absent"].required = False

    def clean_absent(self) -> list[int]:
        """The numbers of the sides."""
        return [int(number) for number in self.cleaned_data["absent"].split(",") if number]


class SideLeavesForm(forms.Form):
    """A side that leaves an event for good, and what becomes of its matches."""

    entry = forms.TypedChoiceField(label=_("Which side leaves?"), coerce=int)
    how = forms.ChoiceField(
        label=_("What happens to its matches?"),
        widget=forms.RadioSelect,
        initial=Entry.Removed.WALKOVERS,
    )
    reason = forms.CharField(label=_("Reason (if you like)"), max_length=LONGEST_REASON, required=False)

    def __init__(
        self, *args: Any, sides: Sequence[tuple[int, str]], choices: Sequence[Entry.Removed], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["how"].choices = [(how.value, how.label) for how in choices]  # type: ignore[attr-defined]  # as below
        self.fields["entry"].choices = sides  # type: ignore[attr-defined]  # it has choices


class AdjustmentForm(forms.Form):
    """Points given or taken away by the director."""

    stage = forms.ModelChoiceField(label=_("Stage"), queryset=Stage.objects.none(), empty_label=None)
    entry = PersonField(label=_("Who"), queryset=Entry.objects.none(), empty_label=_("choose a name"))
    points = NumberField(
        label=_("Points"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        help_text=_("With a minus sign for a penalty, for example -100."),
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=LONGEST_REASON, help_text=_("It is shown and printed with the standings.")
    )

    def __init__(self, *args: Any, event: Event, stages: QuerySet[Stage], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if event.rules.lowest_wins:
            self.fields["points"].help_text = _("A penalty adds points, for example 100: the lowest total wins.")
        latest = stages.last()
        self.fields["stage"].queryset = stages  # type: ignore[attr-defined]  # it has choices
        if latest:
            names = {side[0].pk: side_name(entry.name for entry in side) for side in sides_in(latest)}
            who = cast(forms.ModelChoiceField, self.fields["entry"])
            who.queryset = Entry.objects.filter(pk__in=names, stands_in=None)
            who.label_from_instance = lambda obj: names[obj.pk]  # type: ignore[method-assign]
            self.fields["stage"].initial = latest
            if latest.number == 1:
                self.fields["stage"].widget = forms.HiddenInput()

    def clean_points(self) -> int:
        """Refuse zero: it would change nothing."""
        points: int = self.cleaned_data["points"]
        if not points:
            raise ValidationError(_("Write how many points, with a minus sign for a penalty."))
        return points
