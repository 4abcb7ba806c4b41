"""Forms of a season: its days, how it adds up, and who asks what they need."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.form_parts import NumberField, YesNoField
from tournaments.engine.season import TIE_BREAKS, SeasonRule
from tournaments.events.forms import in_our_days
from tournaments.seasons.actions import SeasonTerms, WhoMayAsk
from tournaments.seasons.words import TIE_BREAKS as WORDS

MOST_NIGHTS = 100
MOST_POINTS = 1000
MOST_PLACES = 60
TIES = 3


def _number(label: Any, help_text: Any = "", *, most: int = MOST_NIGHTS) -> forms.IntegerField:
    return NumberField(label=label, min_value=0, max_value=most, required=False, help_text=help_text)


class SeasonRuleForm(forms.Form):
    """How a season adds up."""

    kind = forms.ChoiceField(
        label=_("What counts"),
        choices=[
            ("sum", _("all nights, added up")),
            ("best", _("each member's best nights, added up")),
            ("average", _("the average of the nights attended")),
        ],
        widget=forms.RadioSelect,
    )
    best = _number(_("How many best nights"), _("Only with “best nights”. For example 8 of 12."))
    attendance = _number(
        _("Nights needed for a place"), _("Whoever came less often is listed apart. 0: one night is enough.")
    )
    place_points = forms.CharField(
        label=_("Points for places"),
        required=False,
        max_length=400,
        help_text=_(
            "For example 10, 8, 6, 5, 4, 3, 2, 1: the first of a night gets 10, the second 8. "
            "Empty: the points made at the tables count."
        ),
    )
    handicap = YesNoField(
        label=_("Points of a night"),
        choices=[("no", _("from scratch")), ("yes", _("with handicap, on nights that give one"))],
        required=False,
        widget=forms.RadioSelect,
    )
    attendance_points = _number(_("Points for coming"), _("So many more for each night attended."), most=MOST_POINTS)
    moving = _number(_("Up and down"), _("How many change each division in the end. 0: none."), most=20)
    team_best = _number(
        _("Members who count for a team"), _("The best so many of a team on each night. 0: all who came."), most=20
    )

    def __init__(self, *args: Any, terms: SeasonTerms, **kwargs: Any) -> None:
        rule = terms.rule
        kwargs["initial"] = {
            **asdict(rule),
            "best": rule.best or None,
            "place_points": ", ".join(str(p) for p in rule.place_points),
            "handicap": terms.handicap,
            "moving": terms.moving,
            "team_best": terms.team_best,
            **{f"tie_{n}": slug for n, slug in enumerate(rule.tie_breaks, start=1)},
        }
        super().__init__(*args, **kwargs)
        links = [("", _("nothing more"))] + [(slug, WORDS[slug]) for slug in TIE_BREAKS]
        for n in range(1, TIES + 1):
            label = _("Equal totals are separated by") if n == 1 else _("then, when level, by")
            self.fields[f"tie_{n}"] = forms.ChoiceField(label=label, choices=links, required=False)

    def ties(self) -> list[forms.BoundField]:
        """The fields of the tie-breaks."""
        return [self[f"tie_{n}"] for n in range(1, TIES + 1)]

    def clean_place_points(self) -> tuple[int, ...]:
        """The list as numbers. Raises ValidationError for anything else, and for a number above the one before."""
        parts = self.cleaned_data["place_points"].replace(",", " ").replace(";", " ").split()
        if not all(part.isascii() and part.isdecimal() and len(part) <= 4 for part in parts):
            raise ValidationError(_("Write whole numbers with commas between them, for example 10, 8, 6."))
        points = tuple(int(part) for part in parts)
        if len(points) > MOST_PLACES or any(value > MOST_POINTS for value in points):
            raise ValidationError(
                _("At most %(n)d places, of at most %(points)d points.") % {"n": MOST_PLACES, "points": MOST_POINTS}
            )
        if list(points) != sorted(points, reverse=True):
            raise ValidationError(_("A better place can't give fewer points: begin with the first place."))
        return points

    def clean(self) -> dict[str, Any]:
        """ "Best nights" need their number; no tie-break stands twice."""
        cleaned = super().clean() or {}
        if cleaned.get("kind") == "best" and not cleaned.get("best") and "best" not in self.errors:
            self.add_error("best", _("Say how many nights count, for example 8."))
        chain = [cleaned[f"tie_{n}"] for n in range(1, TIES + 1) if cleaned.get(f"tie_{n}")]
        if len(set(chain)) < len(chain):
            raise ValidationError(_("Each way to separate equal totals can stand only once."))
        cleaned["tie_breaks"] = tuple(chain)
        return cleaned

    def terms(self) -> SeasonTerms:
        """The valid form, as the verb `change_rule` takes it."""
        data = self.cleaned_data
        return SeasonTerms(
            SeasonRule(
                kind=data["kind"],
                best=data["best"] if data["kind"] == "best" else 0,
                attendance=data["attendance"] or 0,
                place_points=data["place_points"],
                attendance_points=data["attendance_points"] or 0,
                tie_breaks=data["tie_breaks"],
            ),
            moving=data["moving"] or 0,
            team_best=data["team_best"] or 0,
            handicap=data["handicap"] is True,
        )


class NeedForm(forms.Form):
    """Who wants to know what the last night must bring."""

    member = forms.TypedChoiceField(label=_("Who"), coerce=int)
    place = NumberField(label=_("Wants at least place"), min_value=1, max_value=500, initial=1)
    others = forms.ChoiceField(
        label=_("The others"),
        choices=[("average", _("play as well as on average")), ("away", _("stay away"))],
        widget=forms.RadioSelect,
        initial="average",
    )

    def __init__(self, *args: Any, asked: WhoMayAsk, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["member"].choices = asked.members  # type: ignore[attr-defined]  # it has choices


class SeasonForm(forms.Form):
    """A season's name and days."""

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("For example: Winter 2026/27."))
    starts = forms.DateField(
        label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}), validators=[in_our_days]
    )
    ends = forms.DateField(
        label=_("Last day"), widget=forms.DateInput(attrs={"type": "date"}), validators=[in_our_days]
    )
