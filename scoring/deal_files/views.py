"""Files of deals: scored for anybody who sends one, exported and imported by the director."""

import base64
import binascii
import zlib
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_safe

from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page, request_actor
from scoring.deal_files.export import to_csv, to_json
from scoring.deal_files.formats import TooManyDeals, read_games
from scoring.deal_files.importer import (
    ON_A_PAGE,
    BadFile,
    FileProblem,
    UnreadableFile,
    import_games,
    import_message,
    known_rules,
    plan_import,
    read_file,
)
from scoring.deal_files.json_text import UnreadableText, decode_utf8
from scoring.deal_files.scored import GameReport, score_game, summary_message
from scoring.models import LONGEST_REASON
from scoring.templatetags.figures import points

PACKED_LIMIT = 1_500_000  # characters; a form may send little more
SCORE_BYTES = 2 * 1024 * 1024  # of a file that is scored while somebody waits
MAX_SHOWN = 300  # problems on the page; the rest are counted


class ScoreFileForm(forms.Form):
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
        super().clean()
        file, text = self.cleaned_data.get("file"), self.cleaned_data.get("text") or ""
        if not file and not text.strip():
            self.add_error("file", _("Choose a file, or paste its text."))
        elif (file.size if file else len(text.encode())) > SCORE_BYTES:
            words = _("At most %(most)s bytes can be scored at once. Split the file.")
            self.add_error("file", words % {"most": points(SCORE_BYTES)})

    def raw(self) -> bytes:
        file = self.cleaned_data["file"]
        return bytes(file.read()) if file else str(self.cleaned_data["text"]).encode()


@club_page
def score_file(request: HttpRequest, club: Club) -> HttpResponse:
    form = ScoreFileForm(*_form_data(request))
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        try:
            games = read_games(decode_utf8(form.raw()), known=known_rules(club), limits=ON_A_PAGE)
        except UnreadableText as error:
            context["faults"] = [fault.words for fault in error.faults[:MAX_SHOWN]]
        except TooManyDeals:
            form.add_error("file", _("This file has too many deals. Split it."))
        else:
            scored = [score_game(game) for game in games]
            texts = (list(GameReport(game, number).text()) for number, game in enumerate(scored, start=1))
            context["games"] = [{"heading": heading, "lines": "\n".join(lines)} for heading, *lines in texts]
            context["summary"] = summary_message(scored)
    status = 422 if form.errors or "faults" in context else 200
    return render(request, "scoring/deal_files/score_file.html", context, status=status)


def _form_data(request: HttpRequest) -> tuple[Any, Any]:
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


class ImportForm(forms.Form):
    file = forms.FileField(
        label=_("A file of games"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        help_text=_("JSON exported from this page, or a deal file. You see what is in it before anything is imported."),
    )
    kept = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)
    ruling = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        label=_("Director's ruling"),
        help_text=_("If you accept deals that the rules refuse, say why. The reason is saved with each of them."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean(self) -> None:
        super().clean()
        if not self.cleaned_data.get("file") and not self.cleaned_data.get("kept"):
            self.add_error("file", _("Choose a file."))

    def raw(self) -> bytes:
        """Of a valid form, at most one byte more than a page takes; none if they can't be read."""
        if file := self.cleaned_data["file"]:
            return bytes(file.read(ON_A_PAGE.size + 1))
        try:
            packed = base64.b64decode(self.cleaned_data["kept"], validate=True)
            return zlib.decompressobj().decompress(packed, ON_A_PAGE.size + 1)
        except (binascii.Error, ValueError, zlib.error):
            return b""

    def file_name(self) -> str:
        file = self.cleaned_data["file"]
        return str(file.name if file else self.cleaned_data["name"] or gettext("a file"))[:100]


def kept(raw: bytes) -> str:
    """A file as text, to keep it on the page that shows its content; "" when it is too large."""
    text = base64.b64encode(zlib.compress(raw, 9)).decode()
    return text if len(text) <= PACKED_LIMIT else ""


@club_page
def files(request: HttpRequest, club: Club) -> HttpResponse:
    """Exports games, and imports them after a preview of the file."""
    form = ImportForm(*_form_data(request))
    if not form.is_valid():
        return render(request, "scoring/deal_files/files.html", {"form": form}, status=422 if form.errors else 200)
    raw, ruling, name = form.raw(), form.cleaned_data["ruling"].strip(), form.file_name()
    waiting = {"kept": kept(raw), "name": name}
    try:
        file = read_file(raw, known_rules(club), limits=ON_A_PAGE)
        if request.POST.get("step") == "take":
            plan = import_games(club=club, file=file, by=request_actor(request), name=name, ruling=ruling)
            messages.success(request, import_message(plan))
            return redirect("files", club.slug)
        plan = plan_import(club, file, ruling=ruling)
    except UnreadableFile as error:
        return _bad_page(request, form, bad=error.bad)
    except BadFile as error:
        return _bad_page(request, form, bad=error.bad, waiting=waiting)
    return render(request, "scoring/deal_files/files.html", {"form": form, "plan": plan, **waiting})


def _bad_page(
    request: HttpRequest, form: ImportForm, *, bad: tuple[FileProblem, ...], waiting: Any = None
) -> HttpResponse:
    context = {"form": form, "bad": bad[:MAX_SHOWN], "bad_count": len(bad), "more": max(0, len(bad) - MAX_SHOWN)}
    return render(request, "scoring/deal_files/files.html", {**context, **(waiting or {})}, status=422)


@club_page
@require_safe
def files_out(request: HttpRequest, club: Club, *, form: str) -> HttpResponse:
    """All games of the club as a file: `json` with every version of every deal, `csv` as they are now."""
    day = timezone.localdate().isoformat()
    headers = {"Content-Disposition": f'attachment; filename="{club.slug}-{day}.{form}"'}
    if form == "json":
        return HttpResponse("".join(to_json(club)), content_type="application/json", headers=headers)
    if form == "csv":
        return HttpResponse(to_csv(club), content_type="text/csv; charset=utf-8", headers=headers)
    raise Http404
