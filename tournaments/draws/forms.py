"""Forms of a night's draw: how the next round is drawn, and a wish for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubsite.names import PersonField
from scoring.form_parts import NumberField, YesNoField
from tournaments.draws.formats.base import DrawOptions
from tournaments.draws.wishes import MOST_TABLES, SEATS
from tournaments.draws.words import LEFT_OVER, odd_options, seat_in_words
from tournaments.engine.draws.table_layout import Layout
from tournaments.models import Entry, Event, Wish


class DrawForm(forms.Form):
    """How many rounds are planned (the more the draw knows, the fewer meetings repeat), and how long to search.

    `odd` are the choices for those who don't fit the tables, with what each gives; asked only where there are several.
    """

    planned = NumberField(
        label=_("Rounds in all"),
        min_value=1,
        max_value=20,
        help_text=_(
            "Drawn together, so that few meet twice. One round is published at a time; you can play fewer or more."
        ),
    )
    odd = forms.ChoiceField(
        label=LEFT_OVER,
        required=False,
        widget=forms.RadioSelect,
        help_text=_("The scores of another kind of table count like all others."),
    )
    effort = forms.ChoiceField(
        label=_("How hard to try"),
        required=False,
        choices=[("normal", _("as usual: a few seconds at most")), ("longer", _("harder: up to half a minute"))],
        help_text=_("Most draws can't be bettered after a moment, and the search stops by itself."),
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
        """The options for the draw, from the valid form."""
        data = self.cleaned_data
        return DrawOptions(data["planned"], data.get("odd") or self.usual, data["effort"] or "normal")


class WishForm(forms.Form):
    """A wish for the draws of an event."""

    entry = PersonField(label=_("Who"), queryset=Entry.objects.none(), empty_label=_("choose"))
    kind = forms.ChoiceField(label=_("Wish"), choices=Wish.Kind.choices)
    other = PersonField(
        label=_("With whom"),
        queryset=Entry.objects.none(),
        required=False,
        empty_label=_("nobody"),
        help_text=_("For partners, and for those who keep apart."),
    )
    table = NumberField(
        label=_("Table"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
        help_text=_("For somebody who stays at one table, and for a host. Empty: any one table."),
    )
    seat = forms.TypedChoiceField(label=_("Seat"), required=False, coerce=int, empty_value=None)
    hard = YesNoField(
        label=_("How firmly"),
        choices=[("yes", _("it must be met")), ("no", _("if it can be"))],
        help_text=_("What must be met is met, or no draw is made. For the others, the draw says whether they are met."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = event.entries.exclude(state=Entry.State.RESERVE)
        for name in ("entry", "other"):
            self.fields[name].queryset = people  # type: ignore[attr-defined]  # it has choices
        if not event.traits.searched:  # a pair that mustn't meet
            for name in ("kind", "table", "seat", "hard"):
                del self.fields[name]
            self.fields["other"].label, self.fields["other"].help_text = _("Mustn't meet"), ""
            self.fields["other"].required = True
            self.fields["other"].empty_label = _("choose")  # type: ignore[attr-defined]  # it has choices
            return
        seats = [("", _("any"))] + [(n, seat_in_words(n)) for n in range(1, SEATS + 1)]
        self.fields["seat"].choices = seats  # type: ignore[attr-defined]  # it has choices
