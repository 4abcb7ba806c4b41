"""Forms of members: a list of them, one of them, and whom to merge with whom."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import Club, Member
from clubsite.names import PersonField
from tournaments.entries.forms import ListForm, NameForm
from tournaments.members.pasting import LONGEST_NOTE, LONGEST_TELEPHONE, ListedPerson


class PasteForm(ListForm):
    """A list of members."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["names"].help_text = _(
            "One person in each row. With columns for e-mail, telephone or a note, the first row says what is in them."
        )


class MemberForm(NameForm):
    """What is kept of a member."""

    email = forms.EmailField(label=_("E-mail"), required=False, widget=forms.EmailInput(attrs={"autocomplete": "off"}))
    telephone = forms.CharField(
        label=_("Telephone"),
        max_length=LONGEST_TELEPHONE,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "tel"}),
    )
    note = forms.CharField(
        label=_("Note"),
        max_length=LONGEST_NOTE,
        required=False,
        help_text=_("E-mail, telephone and note are shown to directors alone."),
    )
    initials_only = forms.BooleanField(
        label=_("Initials only on public pages"),
        required=False,
        help_text=_("Public pages, the hall board and the sheets on the wall show “A. K.” in place of the name."),
    )

    def person(self) -> ListedPerson:
        """Who the form describes."""
        given = self.cleaned_data
        return ListedPerson(given["name"], given["email"], given["telephone"], given["note"])


class MergeForm(forms.Form):
    """The other one of two who are the same person."""

    other = PersonField(
        label=_("The same person is also on the list as"), queryset=Member.objects.none(), empty_label=_("choose")
    )

    def __init__(self, *args: Any, club: Club, kept: Member, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["other"].queryset = (  # type: ignore[attr-defined]  # it has choices
            Member.objects.filter(club=club, erased_at=None).exclude(pk=kept.pk)
        )
