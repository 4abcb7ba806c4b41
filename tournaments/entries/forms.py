"""Forms of entries: a list of people, one more name, one entry."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import Any

from django import forms
from django.forms.models import model_to_dict
from django.http import HttpRequest
from django.utils.translation import gettext as _now, gettext_lazy as _

from clubsite.accounts.models import Club, Member
from clubsite.names import PersonField
from clubsite.previews import fingerprint
from scoring.form_parts import YesNoField
from scoring.pasted_names import (
    CLASSES,
    EMAIL,
    FIRST,
    FULL,
    INITIALS,
    LAST,
    LONGEST_NAME,
    NIGHTS,
    NOTE,
    POINTS,
    STATUS,
    TELEPHONE,
    Columns,
    Listing,
    read_sheets,
)
from scoring.spreadsheets import Sheet, WrongEncoding
from tournaments.models import Entry

ROLE = re.compile(
    rf"(?:{FULL}|{FIRST}|{LAST})[1-9]|{EMAIL}|{TELEPHONE}|{NOTE}|{CLASSES}|{INITIALS}|{NIGHTS}|{POINTS}|{STATUS}|"
)
MOST_REMEMBERED = 20  # heads whose columns somebody chose
MOST_LETTERS = 150_000  # of the sheets that a page offers


class ListForm(forms.Form):
    names = forms.CharField(
        label=_("Paste the list here"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(
        label=_("Or a file: a spreadsheet (xlsx, ods) or CSV"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".xlsx,.ods,.csv,.txt,.tsv,text/csv,text/plain"}),
    )
    sheets = forms.CharField(required=False, widget=forms.HiddenInput)
    sheet = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    @property
    def source_field(self) -> str:
        return "file" if self.cleaned_data["file"] else "names"

    def clean_sheets(self) -> list[Sheet]:
        """The sheets that a page has sent back; none if they were tampered with."""
        try:
            sheets = json.loads(self.cleaned_data["sheets"])
            return [Sheet(str(title), str(text), int(hidden)) for title, text, hidden in sheets]
        except (TypeError, ValueError, RecursionError):
            return []


@dataclass(frozen=True, slots=True)
class SentList:
    """A list as sent. `text` is a guess if its encoding was wrong (`guessed`); `sheet` is the index of the sheet that
    is read."""

    text: str
    guessed: WrongEncoding | None = None
    sheets: Sequence[Sheet] = ()
    sheet: int = 0

    def context(
        self, listing: Listing, *, size: int = 1, contact: bool = False, figures: bool = False
    ) -> dict[str, Any]:
        """What a page shows about the list, apart from its people."""
        columns = zip_longest(listing.head, listing.example, listing.roles, fillvalue="")
        return {
            "text": self.text,
            "head": listing.head,
            "guessed": self.guessed,
            "guessed_row": next((r for r in listing.rows if self.guessed and r.number >= self.guessed.row), None),
            "sheets": self.sheets if len(self.sheets) > 1 else (),
            "sheets_json": json.dumps(self.sheets, ensure_ascii=False),
            "sheet": self.sheet,
            "sheet_title": self.sheets[self.sheet].title if len(self.sheets) > 1 else "",
            "hidden_rows": self.sheets[self.sheet].hidden if self.sheets else 0,
            "columns": list(columns) if len(listing.roles) > 1 else [],
            "column_roles": _role_choices(size, contact=contact, figures=figures),
            "columns_of": fingerprint(listing.head),
            "columns_as": ",".join(listing.roles),
        }


def read_sent_list(request: HttpRequest, form: ListForm) -> SentList:
    """The list in a valid form: its file, else the sheet chosen on the page, else its text. Raises
    UnreadableSpreadsheet: the file is no list, too large or unreadable; the message says what to do."""
    data = form.cleaned_data
    if data["file"]:
        try:
            sheets = read_sheets(data["file"].read())
        except WrongEncoding as wrong:
            return SentList(wrong.guess, wrong)
        letters = accumulate(len(sheet.text) for sheet in sheets)
        offered = [sheet for sheet, so_far in zip(sheets, letters, strict=True) if so_far < MOST_LETTERS]
        return SentList(sheets[0].text, sheets=offered or sheets[:1])
    sheets, sheet = data["sheets"], data["sheet"] or 0
    if sheet >= len(sheets):
        return SentList(data["names"])
    text = sheets[sheet].text if request.POST.get("step") == "sheet" else data["names"]
    return SentList(text, sheets=sheets, sheet=sheet)


def column_roles(request: HttpRequest, club: Club) -> Columns:
    """What a list's columns are read as: as sent, or as chosen before for the same head. A choice that differs from
    what was shown is stored with the club."""

    def columns(head: tuple[str, ...]) -> Sequence[str]:
        mark = fingerprint(head)
        sent = [role if ROLE.fullmatch(role) else "" for role in request.POST.getlist("column")]
        other_list = request.FILES or request.POST.get("step") == "sheet" or request.POST.get("columns_of") != mark
        if not sent or other_list:
            roles: Sequence[str] = dict(club.list_columns).get(mark, ())
            return roles
        if head and ",".join(sent) != request.POST.get("columns_as"):
            with club.locked_transaction() as locked:
                other_columns = [column for column in locked.list_columns if column[0] != mark]
                locked.list_columns = [*other_columns, [mark, sent]][-MOST_REMEMBERED:]
                locked.save(update_fields=["list_columns"])
        return sent

    return columns


def _role_choices(size: int, *, contact: bool, figures: bool) -> list[tuple[str, str]]:
    words = [("", _now("not used")), (f"{FULL}1", _now("name")), (f"{FIRST}1", _now("first name"))]
    words.append((f"{LAST}1", _now("surname")))
    for n in range(2, max(size, 2) + 1):
        words += [
            (f"{FULL}{n}", _now("name of person %(n)d") % {"n": n}),
            (f"{FIRST}{n}", _now("first name of person %(n)d") % {"n": n}),
            (f"{LAST}{n}", _now("surname of person %(n)d") % {"n": n}),
        ]
    if contact:
        words += [(EMAIL, _now("e-mail")), (TELEPHONE, _now("telephone")), (NOTE, _now("note"))]
        words.append((CLASSES, _now("classes")))
        words.append((INITIALS, _now("initials only")))
    if figures:
        words += [(NIGHTS, _now("nights")), (POINTS, _now("points"))]
    return [*words, (STATUS, _now("status: paid, cancelled"))]


class ImportForm(ListForm):
    field_order = ("file", "names")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].label = _("A file: a spreadsheet (xlsx, ods) or CSV")
        self.fields["file"].help_text = _("One name per row. A heading row is recognised.")
        self.fields["names"].label = _("Or the names as text, one in each row")


class NameForm(forms.Form):
    name = forms.CharField(
        label=_("Name"), max_length=LONGEST_NAME, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class EntryForm(NameForm):
    member = PersonField(
        label=_("Member of the club"),
        queryset=Member.objects.none(),
        required=False,
        empty_label=_("a guest, no member"),
        help_text=_("Connects this entry with the member's other events."),
    )
    eligible = YesNoField(
        label=_("May go on after a cut"),
        choices=[("yes", _("yes")), ("no", _("no: plays, but can't go on"))],
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
