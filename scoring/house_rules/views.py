"""House rules: read, compared, printed, changed and published.

On paper there are the rules in words with their sources, and a table card with the essentials on one sheet. Rules that
the club hasn't saved are a shipped rule set, and are labelled as that.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import Any, TypeAlias

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubsite.accounts.languages import use_language
from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page, public, request_actor
from clubsite.pdf.documents import PAPERS, PRINTED_BY, Heading, Pages, Paper, choose_paper, pdf_response
from scoring.engine.core.ruleset import RuleSet, Setting, shipped, shipped_versions
from scoring.house_rules.actions import (
    NewerVersion,
    NothingChanged,
    RulesChange,
    RulesNameTaken,
    are_alike,
    copy_rules,
    draft_version,
    latest_version,
    next_version,
    publish_rules,
    rules_in_force,
)
from scoring.house_rules.forms import CopyForm, HouseRulesForm
from scoring.house_rules.in_words import (
    SHIPPED,
    NamedRules,
    describe_changes,
    describe_rules,
    describe_value,
    family_rules,
    matches_search,
    settings_by_section,
)
from scoring.models import HouseRules
from scoring.templatetags.rule_texts import title_with_version, translated
from scoring.wording import SECTIONS, offer_heading, offer_order

# --- on paper ----------------------------------------------------------------------------------------


NOT_ON_CARD = ("asks",)  # questions for the scorer aren't rules of play

# The table card in millimetres and points, as print.css has it.
MARGINS = (24.0, 26.0)  # of a sheet, both sides together; top and bottom
HEAD = 26.0  # the heading of the card
GAP = 9.0  # between its two columns
LETTER, BOLD = 0.47, 0.56  # the usual width of a letter and of a bold one, in the size of the type
LINE = 1.22  # the height of a line, in the size of the type
ROW = 1.4  # white and hairline of a row
HEADING = 5.0  # white around a heading
SPARE = 0.95  # the share of the height that is used, as neither lines nor columns break exactly where calculated
POINT = 25.4 / 72
LARGEST, SMALLEST = 22.0, 6.0
BESIDE = 16  # letters of a value beside its label; a longer one is below


Row: TypeAlias = tuple[str, str, bool]
"""A line of the table card: its label, its value ("" where the label says it all), whether that has its own line."""


def rules_pages(rules: HouseRules, paper: str) -> Pages:
    heading = _heading(rules, _("House rules, version %(n)d"), shipped=_("Rules as shipped, version %(n)d"))
    sheet = {"heading": heading, "words": describe_rules(rules.rule_set)}
    return _render_pages("documents/rules.html", sheet, paper=paper)


def card_pages(rules: HouseRules, paper: str) -> Pages:
    """One sheet, in the largest type that fits."""
    sections = list(card_sections(rules.rule_set))
    title, shipped = (_("Table card · house rules, version %(n)d"), _("Table card · rules as shipped, version %(n)d"))
    size = type_size(sections, PAPERS[paper])
    sheet = {"heading": _heading(rules, title, shipped=shipped), "sections": sections, "size": size}
    return _render_pages("documents/rules_card.html", sheet, paper=paper)


DOCUMENTS: dict[str, Callable[[HouseRules, str], Pages]] = {"rules": rules_pages, "card": card_pages}
"""By the name in the address."""


def card_sections(rule_set: RuleSet) -> Iterator[tuple[str, list[Row]]]:
    """Only settings that the rules use, without questions for the scorer."""
    for key, settings in settings_by_section(rule_set):
        rows = [_card_row(s) for s in settings if s.value not in ("", 0, False, [], {}, None)]
        if rows and key not in NOT_ON_CARD:
            yield str(SECTIONS[key]), rows


def _card_row(setting: Setting) -> Row:
    value = "" if setting.value is True else describe_value(setting.value)
    return short_label(setting), value, len(value) > BESIDE


def short_label(setting: Setting) -> str:
    """A label without its remarks, and without the choices that weren't taken.

    >>> short_label(Setting("opening_bid", 15, "Lowest opening bid (neighbouring clubs: 16)", "004"))
    'Lowest opening bid'
    """
    label = re.sub(r"\s*\([^()]*\)", "", translated(setting.label))
    if isinstance(setting.value, str) and setting.value:  # a choice; "" is none
        label = label.partition(":")[0]
    return label.partition(";")[0].strip()


def type_size(sections: Sequence[tuple[str, Sequence[Row]]], paper: Paper) -> float:
    """The largest type in points in which two columns with these sections fit on the sheet."""
    room = 2 * (paper.height - MARGINS[1] - HEAD) * SPARE
    size = LARGEST
    while size > SMALLEST and _column_height(sections, size, width=(paper.width - MARGINS[0] - GAP) / 2) > room:
        size -= 0.5
    return size


def _column_height(sections: Sequence[tuple[str, Sequence[Row]]], size: float, *, width: float) -> float:
    """Millimetres that sections take up in a column."""
    letter = size * POINT
    lines, white = 0, 0.0
    for heading, rows in sections:
        lines += ceil(len(heading) * BOLD * 1.3 * letter / width)
        white += HEADING + len(rows) * ROW
        for label, value, below in rows:
            long = len(value) * BOLD * letter
            lines += ceil(len(label) * LETTER * letter / (width - (0 if below else long + letter)) + 0.1)
            lines += ceil(long / width + 0.1) if below else 0
    return lines * letter * LINE + white


def _heading(rules: HouseRules, club_title: str, *, shipped: str) -> Heading:
    """`club_title` is the title for rules of the club, `shipped` for those as shipped."""
    words = describe_rules(rules.rule_set)
    title = club_title if rules.pk else shipped
    return Heading(
        club=rules.club.name,
        event=words["title"],
        when=date_format(words["published"]),
        title=title % {"n": words["version"]},
        note=words["about"],
    )


def _render_pages(template: str, sheet: dict[str, Any], *, paper: str) -> Pages:
    return Pages((render_to_string(template, {"sheet": sheet, "size": PAPERS[paper].size}),))


# --- pages -------------------------------------------------------------------------------------------


@require_safe
@public
def rules_list(request: HttpRequest, club: Club) -> HttpResponse:
    by_slug: dict[str, list[HouseRules]] = {}
    for rules in HouseRules.objects.filter(club=club).order_by("title", "-version"):
        rules.club = club
        by_slug.setdefault(rules.slug, []).append(rules)
    published = [sorted(versions, key=lambda r: -r.version) for versions in by_slug.values()]
    search = request.GET.get("q", "").strip()[:80]
    kinds: dict[str, list[RuleSet]] = {}
    for rule_set in sorted(shipped().values(), key=offer_order):
        if matches_search(rule_set, search):
            kinds.setdefault(offer_heading(rule_set), []).append(rule_set)
    context = {"published": published, "shipped": kinds, "search": search}
    return render(request, "scoring/house_rules/list.html", context)


@require_safe
@public
def rules(request: HttpRequest, club: Club, *, slug: str, version: int) -> HttpResponse:
    rules = _get_published(club, slug, version=version)
    last = latest_version(club, slug)
    context = {"rules": rules, "slug": slug, "words": describe_rules(rules.rule_set), "last": last, "copy": CopyForm()}
    if rules == last and any(are_alike(rules.rule_set, before) for before in shipped_versions().get(slug, ())[1:]):
        context["newer"] = shipped()[slug]
    return render(request, "scoring/house_rules/rules.html", context)


@require_safe
@public
def shipped_rules(request: HttpRequest, club: Club, *, slug: str) -> HttpResponse:
    words = describe_rules(_get_shipped(slug))
    context = {"slug": slug, "words": words, "last": latest_version(club, slug), "copy": CopyForm()}
    return render(request, "scoring/house_rules/rules.html", context)


@require_safe
@public
def compare(request: HttpRequest, club: Club, *, slug: str) -> HttpResponse:
    """Any two versions of the family; at first the last two of these rules."""
    versions = _get_versions(club, slug)
    others = family_rules(club, rules_in_force(club, slug).family)
    offered = versions | {other.key: other for other in others if other.key.partition(":")[0] != slug}
    last = list(versions)[-2:]
    old, new = request.GET.get("old", last[0]), request.GET.get("new", last[-1])
    if old not in offered or new not in offered:
        raise Http404
    context = {
        "title": translated(offered[new].rule_set.title),
        "offered": list(offered.values()),
        "old": offered[old],
        "new": offered[new],
        "new_url": _address(club, slug, key=new),
        "changes": describe_changes(offered[old].rule_set, offered[new].rule_set),
    }
    return render(request, "scoring/house_rules/compare.html", context)


@require_http_methods(PRINTED_BY)
@public
def print_rules(request: HttpRequest, club: Club, *, slug: str, version: int, document: str) -> HttpResponse:
    """As PDF, on the club's paper or on `?paper=`."""
    rules = _get_published(club, slug, version=version)
    return _print(request, rules, document=document, back=rules.get_absolute_url())


@require_http_methods(PRINTED_BY)
@public
def print_shipped(request: HttpRequest, club: Club, *, slug: str, document: str) -> HttpResponse:
    rule_set = _get_shipped(slug)
    return _print(
        request, HouseRules.of(club, rule_set), document=document, back=reverse("shipped_rules", args=[club.slug, slug])
    )


def _print(request: HttpRequest, rules: HouseRules, *, document: str, back: str) -> HttpResponse:
    if document not in DOCUMENTS:
        raise Http404
    with use_language(rules.club):
        pages = DOCUMENTS[document](rules, choose_paper(request.GET.get("paper", ""), rules.club.paper))
    return pdf_response(request, pages, name=f"{rules.title} {rules.version} {document}", back=back)


@club_page
def change(request: HttpRequest, club: Club, *, slug: str) -> HttpResponse:
    """Changes a version (`?from=`, else the one in force), with a preview, and publishes it as the next."""
    base = _get_base(club, slug, key=request.GET.get("from", ""))
    last = latest_version(club, slug)
    form = HouseRulesForm(
        request.POST or None, base=base, original=shipped().get(slug), seen=last.version if last else 0
    )
    if request.method != "POST" or request.POST.get("step") == "back":
        return _change_page(request, club, form=form)
    if not form.is_valid():
        return _change_page(request, club, form=form, status=422)
    rules_change = form.change()
    if request.POST.get("step") != "publish":
        return _preview_page(request, club, form=form, change=rules_change)
    try:
        published = publish_rules(
            club=club, base=form.base, seen=form.cleaned_data["seen"], by=request_actor(request), change=rules_change
        )
    except NothingChanged:
        form.add_error(None, _("Nothing is changed yet."))
        return _change_page(request, club, form=form, status=422)
    except NewerVersion as late:
        form.renew(late.rules.version)
        return _preview_page(request, club, form=form, change=rules_change, status=409, late=late.rules)
    messages.success(
        request,
        _("Published: %(rules)s. Games and events already planned or started keep their rules.")
        % {"rules": title_with_version(published.title, published.version)},
    )
    return redirect(published)


@require_POST
@club_page
def copy(request: HttpRequest, club: Club, *, slug: str) -> HttpResponse:
    """Saves a version (`?from=`, else the one in force) as separate rules under another name."""
    base = _get_base(club, slug, key=request.GET.get("from", ""))
    form = CopyForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Give the copy a name, such as “Wednesday Hand and Foot”."))
        return redirect("rules", club.slug)
    try:
        copied = copy_rules(club=club, base=base, title=form.cleaned_data["title"], by=request_actor(request))
    except RulesNameTaken as taken:
        messages.error(request, _("There are rules called %(title)s already. Choose another name.") % {"title": taken})
        return redirect("rules", club.slug)
    messages.success(
        request,
        _("You now have %(title)s as well as %(base)s, with its own versions. Change what you play differently.")
        % {"title": translated(copied.title), "base": translated(base.title)},
    )
    return redirect(copied)


def _change_page(
    request: HttpRequest, club: Club, *, form: HouseRulesForm, status: int = 200, **context: Any
) -> HttpResponse:
    context |= {"form": form, "slug": form.base.slug, "base": form.base, "next": next_version(club, form.base.slug)}
    return render(request, "scoring/house_rules/change.html", context, status=status)


def _preview_page(
    request: HttpRequest,
    club: Club,
    *,
    form: HouseRulesForm,
    change: RulesChange,
    status: int = 200,
    late: HouseRules | None = None,
) -> HttpResponse:
    """Shows changes against the rules in force and against the shipped original."""
    draft = draft_version(club=club, base=form.base, change=change)
    before, original = rules_in_force(club, draft.slug), shipped().get(draft.slug)
    context = {
        "form": form,
        "draft": draft,
        "last": latest_version(club, draft.slug),
        "late": late,
        "before": before,
        "changes": describe_changes(before, draft),
        "words_changed": (before.title, before.about) != (draft.title, draft.about),
        "from_original": describe_changes(original, draft) if original else None,
    }
    return render(request, "scoring/house_rules/look.html", context, status=status)


def _get_published(club: Club, slug: str, *, version: int) -> HouseRules:
    return get_object_or_404(HouseRules.objects.select_related("club"), club=club, slug=slug, version=version)


def _get_shipped(slug: str) -> RuleSet:
    if slug not in shipped():
        raise Http404
    return shipped()[slug]


def _get_base(club: Club, slug: str, *, key: str) -> RuleSet:
    """`key`: "shipped", a version number, or "" for the rules in force."""
    if key:
        versions = _get_versions(club, slug)
        if key not in versions:
            raise Http404
        return versions[key].rule_set
    if slug not in shipped() and latest_version(club, slug) is None:
        raise Http404
    return rules_in_force(club, slug)


def _get_versions(club: Club, slug: str) -> dict[str, NamedRules]:
    versions: dict[str, NamedRules] = {}
    if slug in shipped():
        versions[SHIPPED] = NamedRules(SHIPPED, _("As shipped"), _("These rules"), shipped()[slug])
    for rules in HouseRules.objects.filter(club=club, slug=slug).order_by("version"):
        day = date_format(timezone.localtime(rules.published_at), "SHORT_DATE_FORMAT")
        words = _("Version %(version)d, here since %(day)s") % {"version": rules.version, "day": day}
        versions[str(rules.version)] = NamedRules(str(rules.version), words, _("These rules"), rules.rule_set)
    if not versions:
        raise Http404
    return versions


def _address(club: Club, slug: str, *, key: str) -> str:
    """The page of the rules that a key names; if the key is only a version, those of `slug`."""
    named, _colon, version = key.rpartition(":")
    if version == SHIPPED:
        return reverse("shipped_rules", args=[club.slug, named or slug])
    return reverse("house_rules", args=[club.slug, named or slug, int(version)])
