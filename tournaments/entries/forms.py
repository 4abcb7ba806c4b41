"""Forms of entries: a list of names, one more name, one entry."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms.models import model_to_dict
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import Member
from clubsite.accounts.names.fields import PersonField
from scoring.form_parts import YesNoField
from scoring.spreadsheets import WrongEncoding
from tournaments.entries.name_list import LONGEST_NAME, text_of
from tournaments.models import Entry


class NameFileField(forms.FileField):
    """A file with a list of names, where it isn't pasted. What is in it: `text_in`."""

    widget = forms.FileInput

    def __init__(self, **kwargs: Any) -> None:
        kwargs = {"label": _("Or a file: a spreadsheet (xlsx, ods) or CSV"), **kwargs}
        super().__init__(required=False, allow_empty_file=True, **kwargs)
        self.widget.attrs["accept"] = ".xlsx,.ods,.csv,.txt,.tsv,text/csv,text/plain"


class NamesField(forms.CharField):
    """A list of names as text. What is in it, or in the file beside it: `text_in`."""

    def __init__(self, *, rows: int = 10, **kwargs: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows, "spellcheck": "false"})
        super().__init__(required=False, strip=False, widget=widget, **kwargs)


def text_in(form: forms.Form, *, text: str) -> tuple[str, WrongEncoding | None]:
    """The list in a valid form: the text of its `file` if there is one, else what stands in the field `text`. With what
    is wrong with the file's letters, where the text is only the most likely one.

    Raises:
        UnreadableSpreadsheet: the file is no list, too large, or can't be read; the message says what to do.
    """
    file = form.cleaned_data["file"]
    if file is None:
        return form.cleaned_data[text], None
    try:
        return text_of(file.read()), None
    except WrongEncoding as wrong:
        return wrong.guess, wrong


class ImportForm(forms.Form):
    """A list of names, as a file or as text."""

    file = NameFileField(
        label=_("A file: a spreadsheet (xlsx, ods) or CSV"),
        help_text=_("One row for each name; a head is found by itself."),
    )
    names = NamesField(label=_("Or the names as text, one in each row"), rows=8)
    columns = forms.RegexField(regex=r"^([1-9](\+[1-9])?)?$", required=False, widget=forms.HiddenInput)


class NameForm(forms.Form):
    """A name: of one more entry, or of somebody about whom more is asked."""

    name = forms.CharField(
        label=_("Name"), max_length=LONGEST_NAME, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class EntryForm(NameForm):
    """What is said of one entry."""

    member = PersonField(
        label=_("Member of the club"),
        queryset=Member.objects.none(),
        required=False,
        empty_label=_("a guest, no member"),
        help_text=_("A member's results are found again in later events."),
    )
    eligible = YesNoField(
        label=_("May go on after a cut"),
        choices=[("yes", _("yes")), ("no", _("no, plays without being able to go on"))],
        widget=forms.RadioSelect,
    )
    note = forms.CharField(
        label=_("Note"),
        max_length=120,
        required=False,
        help_text=_("Why somebody may not go on; it is printed with the cut."),
    )

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        kwargs["initial"] = model_to_dict(entry)
        super().__init__(*args, **kwargs)
        taken = Entry.objects.filter(event=entry.event, member__isnull=False).exclude(pk=entry.pk)
        if entry.stands_in_id:  # can't go on, whatever is chosen
            del self.fields["eligible"]
        self.fields["member"].queryset = Member.objects.filter(  # type: ignore[attr-defined]  # it has choices
            club=entry.event.club
        ).exclude(pk__in=taken.values("member"))
