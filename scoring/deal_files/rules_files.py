"""A version of rules as a TOML file, exported from one club and imported by another.

A file also has worked examples: deals, and the points they should give. They are scored before the import.
"""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import tomli_w
from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy as _, ngettext
from django.views.decorators.http import require_safe
from pydantic import ValidationError

from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page, request_actor
from scoring.deal_files.formats import Example, RulesFile, json_line, text_fault
from scoring.deal_files.importer import rules_faults
from scoring.engine.core.ruleset import RuleSet
from scoring.engine.families import family_of, rules_of
from scoring.engine.settings import implausible_settings
from scoring.house_rules.actions import RulesNameTaken, copy_rules
from scoring.house_rules.in_words import labelled_problem
from scoring.models import DealVersion, HouseRules
from scoring.templatetags.figures import points

EXAMPLES = 5  # deals in an exported file
MAX_EXAMPLES = 200  # that are scored while somebody waits
MAX_BYTES = 200_000


class RulesFileRefused(Exception):
    def __init__(self, reasons: list[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


def rules_text(rules: HouseRules) -> str:
    """The TOML of rules. Its examples are the last deals played by them: figures, no names."""
    return tomli_w.dumps({**rules.rule_set.to_data(), "examples": list(_examples(rules))})


def _examples(rules: HouseRules) -> Iterator[dict[str, Any]]:
    played = DealVersion.objects.filter(deal__game__rules=rules, deal__game__set_aside=False, current=True, ruling="")
    stands = played.exclude(state=DealVersion.State.VOID).select_related("deal__game__rules").order_by("-id")
    for version in stands[:EXAMPLES]:
        game = version.deal.game
        totals = rules.family.score(rules.family.read(version.facts), game.engine_rules).totals
        yield {"shape": asdict(game.shape), "deal": json_line(version.facts), "points": list(totals)}


def read_rules(raw: bytes) -> tuple[RuleSet, int]:
    """The rules of a file, and how many examples it has. Raises RulesFileRefused."""
    try:
        data = tomllib.loads(raw.decode("utf-8-sig"))
        file = RulesFile.model_validate_json(json.dumps(data, default=str))
    except ValidationError as error:
        faults = map(text_fault, error.errors(include_url=False, include_input=False))
        raise RulesFileRefused([fault.words for fault in faults]) from error
    except UnicodeDecodeError as error:
        raise RulesFileRefused([gettext("This isn't a file of rules. Choose one that ends in .toml.")]) from error
    except (ValueError, RecursionError) as error:
        raise RulesFileRefused([gettext("This isn't a file of rules: %(why)s.") % {"why": str(error)[:200]}]) from error
    rule_set = file.rule_set()
    reasons = list(rules_faults(rule_set)) or [
        labelled_problem(problem, rule_set) for problem in implausible_settings(rule_set)
    ]
    if reasons := reasons or list(_example_faults(rule_set, file.examples)):
        raise RulesFileRefused(reasons)
    return rule_set, len(file.examples)


def _example_faults(rule_set: RuleSet, examples: tuple[Example, ...]) -> Iterator[str]:
    family = family_of(rule_set)
    if len(examples) > MAX_EXAMPLES:
        yield gettext("A file of rules has at most %(most)s examples.") % {"most": points(MAX_EXAMPLES)}
        return
    for number, example in enumerate(examples, start=1):
        named = {"n": number, "says": " : ".join(map(points, example.points))}
        try:
            facts, rules = family.read(example.deal), rules_of(rule_set, example.shape)
            problems = family.check(facts, rules)
            totals = family.score(facts, rules).totals
        except ValueError:
            yield gettext("Example %(n)d isn't a deal of this game.") % named
            continue
        if any(problem.severity.stops for problem in problems):
            yield gettext("Example %(n)d is a deal that these rules refuse.") % named
        elif totals != example.points:
            sums = " : ".join(map(points, totals))
            yield gettext("Example %(n)d: here it comes to %(here)s; the file says %(says)s.") % {**named, "here": sums}


# --- pages ---


class RulesFileForm(forms.Form):
    file = forms.FileField(
        label=_("A file of rules"),
        widget=forms.FileInput(attrs={"accept": ".toml,application/toml"}),
        help_text=_("One saved from this page in another club, or written by hand."),
        error_messages={"required": _("Choose a file.")},
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > MAX_BYTES:
            raise forms.ValidationError(
                gettext("A file of rules has at most %(most)s bytes.") % {"most": points(MAX_BYTES)}
            )
        return file


@club_page
def rules_in(request: HttpRequest, club: Club) -> HttpResponse:
    form = RulesFileForm(request.POST or None, request.FILES or None)
    reasons: list[str] = []
    if request.method == "POST" and form.is_valid():
        file, before = form.cleaned_data["file"], set(HouseRules.objects.filter(club=club).values_list("pk", flat=True))
        try:
            rule_set, examples = read_rules(file.read())
            name = str(file.name)[:100]
            copy = copy_rules(club=club, base=rule_set, title=rule_set.title, by=request_actor(request), file=name)
        except RulesFileRefused as error:
            reasons = error.reasons[:20]
        except RulesNameTaken as taken:
            words = gettext("There are rules called %(title)s already. Change the title in the file.")
            reasons = [words % {"title": taken}]
        else:
            if copy.pk in before:
                words = gettext("Your club has %(title)s already, as in this file.")
            elif examples:
                words = ngettext(
                    "Your club has %(title)s now. %(n)d example came out the same.",
                    "Your club has %(title)s now. %(n)d examples came out the same.",
                    examples,
                )
            else:
                words = gettext("Your club has %(title)s now.")
            messages.success(request, words % {"title": copy.title, "n": examples})
            return redirect(copy)
    context = {"form": form, "reasons": reasons}
    status = 422 if form.errors or reasons else 200
    return render(request, "scoring/deal_files/rules_in.html", context, status=status)


@club_page
@require_safe
def rules_out(request: HttpRequest, club: Club, *, slug: str, version: int) -> HttpResponse:
    rules = get_object_or_404(HouseRules, club=club, slug=slug, version=version)
    headers = {"Content-Disposition": f'attachment; filename="{slug}-{version}.toml"'}
    return HttpResponse(rules_text(rules), content_type="application/toml; charset=utf-8", headers=headers)
