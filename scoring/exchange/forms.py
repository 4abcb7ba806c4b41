"""Forms for files of deals: to have them scored, and to take them into the club."""

from __future__ import annotations

import base64
import binascii
import zlib

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models import LONGEST_REASON

KEPT_LIMIT = 1_500_000  # characters of a file that waits on a page; what a form may send is little more


class ScoreFileForm(forms.Form):
    """A deal file, chosen or pasted."""

    file = forms.FileField(
        label=_("A deal file"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )
    text = forms.CharField(
        label=_("Or its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean(self) -> None:
        """Ask for a file or its text."""
        super().clean()
        if not self.cleaned_data.get("file") and not (self.cleaned_data.get("text") or "").strip():
            self.add_error("file", _("Choose a file, or paste its text."))

    def raw(self) -> bytes:
        """The bytes of a valid form's file."""
        file = self.cleaned_data["file"]
        return bytes(file.read()) if file else str(self.cleaned_data["text"]).encode()


class TakeInForm(forms.Form):
    """A file of games to be taken into the club: chosen, or kept on the page that showed what is in it."""

    file = forms.FileField(
        label=_("A file of games"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,.csv,.txt,.tsv,application/json,text/csv"}),
        help_text=_("JSON or CSV as this page gives them out, or a deal file. Nothing is taken in before you saw it."),
    )
    kept = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)
    ruling = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        label=_("Director's ruling"),
        help_text=_("Only where the rules refuse a deal that stands all the same: why. It is kept with each of them."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean(self) -> None:
        """Ask for a file."""
        super().clean()
        if not self.cleaned_data.get("file") and not self.cleaned_data.get("kept"):
            self.add_error("file", _("Choose a file."))

    def raw(self, most: int) -> bytes:
        """The bytes of a valid form's file, at most one more than `most`; none where they can't be had."""
        if file := self.cleaned_data["file"]:
            return bytes(file.read(most + 1))
        try:
            return zlib.decompressobj().decompress(base64.b64decode(self.cleaned_data["kept"], validate=True), most + 1)
        except (binascii.Error, ValueError, zlib.error):
            return b""

    def file_name(self) -> str:
        """What the file of a valid form is called."""
        file = self.cleaned_data["file"]
        return str(file.name if file else self.cleaned_data["name"] or _("a file"))[:100]


def kept(raw: bytes) -> str:
    """A file's bytes as text to keep on the page that shows what is in it; "" when they are too many."""
    text = base64.b64encode(zlib.compress(raw, 9)).decode()
    return text if len(text) <= KEPT_LIMIT else ""
