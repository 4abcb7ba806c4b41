"""The form for a list of pairs or teams."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from tournaments.entries.forms import ListForm
from tournaments.entries.partners import LONGEST_CLUB
from tournaments.models import Event


class SideListForm(ListForm):
    """A list of sides; in a match between two clubs, also for which of them all of these play."""

    plays_for = forms.CharField(
        label=_lazy("Plays for"),
        max_length=LONGEST_CLUB,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_lazy("The club of all who stand in this list. It can be left out and said later."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        self.fields["names"].help_text = row_words(event)
        if not event.traits.between_clubs:
            del self.fields["plays_for"]

    def to_correct(self, text: str) -> SideListForm:
        """The form as it stands beside what was read: with the list's text, also where that came from a file."""
        form = SideListForm({**dict(self.data.items()), "names": text}, event=self.event)
        for name in ("file", "sheets", "sheet"):
            del form.fields[name]
        return form


def row_words(event: Event) -> str:
    """What stands in a row of the list."""
    if event.per_side == 1:
        return _("One name in each row")
    if event.per_side == 2:
        return _(
            "A pair in each row: “Anna Lee & Bob Wu”. Instead of “&”, also “/”, “+”, “and”, or the two columns of a "
            "spreadsheet. Whoever has no partner yet stands alone in a row."
        )
    return _(
        "A team of %(n)d in each row, with “&”, “/” or “+” between the names, or in %(n)d columns of a spreadsheet. "
        "Whoever has no team yet stands alone in a row."
    ) % {"n": event.per_side}
