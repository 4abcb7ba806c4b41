"""The page of an event's prizes on the director's desk: the plan as a form, who wins, publishing."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _now, gettext_lazy as _

from clubsite.accounts.models import Actor, Club, Member
from clubsite.accounts.roles import request_actor
from clubsite.currency import parse_amount, possible_amounts, to_whole_units
from scoring.form_parts import NumberField, YesNoField
from tournaments.engine.formats.tables import CARDS
from tournaments.engine.prizes import Prize
from tournaments.errors import StepRefused
from tournaments.events.words import ALIKE
from tournaments.models import Event, PrizePlan
from tournaments.prizes import actions
from tournaments.prizes.actions import (
    KINDS,
    LONG_KINDS,
    MOST_PRIZES,
    is_out_of_date,
    lot_sentences,
    planned_prizes,
    prize_key,
    prize_plan,
    prize_rows,
    propose_prizes,
    published_lines,
    published_prizes,
    split_classes,
)
from tournaments.requests import event_page, show_refusals, whole_number

USUAL = ("place:1", "place:2", "low", "door")  # the first plan for games that aren't in GAME_PRIZES
GAME_PRIZES = {
    "whist-drive": ("place:1", "place:2", "low"),
    "euchre-by-tricks": ("place:1", "place:2", "most-lone-hands", "low"),
    "cribbage": ("place:1", "place:2", "place:3"),
    "mus": ("place:1", "place:2", "place:3", "door"),
}
"""The prizes that clubs give for a game. Sources: indianlink.com.au, "GOA whist drive is a success" (places and the
lowest, for ladies and gentlemen); euchrechallenge.net, "Prizes" (places, most lone hands); cardclubs.ca, "12 week
tournament" (cribbage: one in four, so three of twelve); abc.es, mus at Colmenar Viejo (three places, and one by lot
among all)."""
EMPTY_ROWS = 2
LONGEST = 60


class AmountField(forms.CharField):
    """A typed amount of money, as a whole number of the smallest unit; 0 if left empty."""

    def __init__(self, *, currency: str, **kwargs: Any) -> None:
        self.currency = currency
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(required=False, max_length=16, widget=widget, **kwargs)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return 0
        if either := possible_amounts(text, self.currency):
            words = _("This can be read in two ways. Write %(cents)s or %(thousands)s.")
            raise ValidationError(words, params={"cents": either[0], "thousands": either[1]})
        amount = parse_amount(text, self.currency)
        if amount is None:
            raise ValidationError(_("Write an amount of money, for example 12.50."))
        return amount

    def prepare_value(self, value: Any) -> Any:
        return (str(to_whole_units(value, self.currency)) if value else "") if isinstance(value, int) else value


class PrizeRow(forms.Form):
    def __init__(self, *args: Any, event: Event, classes: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        played = {"sets": event.rules.rule_set.has_bids, "hands": event.rules.rule_set.has_lone_hands}
        kinds = [
            (key, LONG_KINDS.get(key, words))
            for key, words in KINDS.items()
            if played.get(key.rpartition("-")[2], True)
        ]
        self.fields["order"] = NumberField(label=_("Order"), min_value=1, max_value=99, required=False)
        self.fields["kind"] = forms.ChoiceField(label=_("Prize"), choices=[("", _("none")), *kinds], required=False)
        self.fields["amount"] = AmountField(label=_("Money"), currency=event.club.money)
        self.fields["what"] = forms.CharField(label=_("Or something else"), max_length=LONGEST, required=False)
        if classes:
            groups = [("", _("everybody")), *((name, name) for name in classes)]
            self.fields["group"] = forms.ChoiceField(label=_("For"), choices=groups, required=False)

    def prize(self) -> Prize | None:
        data = self.cleaned_data
        if not data.get("kind"):
            return None
        kind, _colon, place = data["kind"].partition(":")
        what = " ".join(data["what"].split())
        return Prize(kind, int(place or 0), data["amount"], what, data.get("group", ""))


class RuleForm(forms.Form):
    one_each = YesNoField(
        label=_("How many prizes a person can win"),
        choices=[
            ("yes", _("one: a winner passes a later prize on to the next")),
            ("no", _("any number")),
        ],
        widget=forms.RadioSelect,
    )
    ties = forms.ChoiceField(label=_("If several are level"), choices=PrizePlan.Ties.choices, widget=forms.RadioSelect)


def usual_prizes(event: Event, classes: Sequence[str]) -> list[dict[str, str]]:
    """The prizes that clubs give for the event's game, each for both classes if two kinds of card are played."""
    slug, rule_set = event.rules.slug, event.rules.rule_set
    kinds = GAME_PRIZES.get(ALIKE.get(slug, slug), USUAL)
    groups = classes if len(classes) == 2 and event.options.get("moves") in CARDS else ("",)
    counted = [kind for kind in kinds if kind != "most-lone-hands" or rule_set.has_lone_hands]
    return [{"kind": kind, "group": group} for kind in counted for group in groups]


class PlanForm:
    def __init__(self, event: Event, plan: PrizePlan | None, *, sent: Any = None) -> None:
        prizes = planned_prizes(plan)
        in_use = Member.objects.filter(club=event.club_id, classes__gt="").values_list("classes", flat=True).distinct()
        classes = split_classes(",".join([*(prize.group for prize in prizes), *in_use.order_by("classes")]))
        planned = [prize.to_data() | {"kind": prize_key(prize)} for prize in prizes] or usual_prizes(event, classes)
        shown = min(MOST_PRIZES, len(planned) + EMPTY_ROWS)
        if sent:
            shown = next((n for n in range(MOST_PRIZES) if f"prize-{n}-kind" not in sent), MOST_PRIZES)
        self.rows = [
            PrizeRow(
                sent,
                event=event,
                classes=classes,
                prefix=f"prize-{n}",
                initial={"order": n + 1, **(planned[n] if n < len(planned) else {})},
            )
            for n in range(shown)
        ]
        rule = {"one_each": plan is None or plan.one_each, "ties": plan.ties if plan else "share"}
        self.rule = RuleForm(sent, initial=rule)

    def is_valid(self) -> bool:
        return all([self.rule.is_valid(), *(row.is_valid() for row in self.rows)])

    def facts(self) -> dict[str, Any]:
        """The arguments for `plan_prizes`: the prizes by their order, those without one last."""
        rows = [(row.cleaned_data.get("order") or 100, row.prize()) for row in self.rows]
        prizes = [prize for _order, prize in sorted(rows, key=lambda row: row[0]) if prize]
        return {"prizes": prizes, **self.rule.cleaned_data}


@event_page
def prizes(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    plan = prize_plan(event)
    form = PlanForm(event, plan)
    if request.method == "POST" and request.POST.get("step") == "plan":
        form = PlanForm(event, plan, sent=request.POST)
        with show_refusals(request):
            if form.is_valid():
                actions.plan_prizes(event=event, by=request_actor(request), **form.facts())
                messages.success(request, _now("Prizes saved."))
                return redirect("prizes", club.slug, event.slug)
    elif request.method == "POST":
        with show_refusals(request):
            _take_step(request, event, by=request_actor(request))
        return redirect("prizes", club.slug, event.slug)
    proposal = propose_prizes(event, plan)
    published = published_prizes(event)
    outdated = published and is_out_of_date(published, proposal)
    context: dict[str, Any] = {
        "event": event,
        "plan": plan,
        "form": form,
        "proposal": proposal,
        "lines": prize_rows(proposal.lines, club.money) if proposal else [],
        "lots": lot_sentences(proposal.lines, plan.lots) if proposal and plan else [],
        "lots_drawn": bool(plan and plan.lots and "undone" not in plan.lots[-1]),
        "published": published,
        "outdated": outdated,
        "published_lines": prize_rows(published_lines(published), published.currency) if published and outdated else [],
        "versions": event.published_prizes.order_by("-number"),
    }
    return render(request, "tournaments/prizes/prizes.html", context)


def _take_step(request: HttpRequest, event: Event, *, by: Actor) -> None:
    post = request.POST
    step, reason = post.get("step"), post.get("reason", "")
    if step == "lots":
        actions.draw_prize_lots(event=event, by=by, seen=whole_number(post.get("seen")))
    elif step == "lots-aside":
        actions.set_lots_aside(event=event, by=by, reason=reason, seen=whole_number(post.get("seen")))
    elif step in ("pass", "take-part"):
        actions.set_passing(event=event, by=by, entry=whole_number(post.get("entry")), passes=step == "pass")
    elif step == "publish":
        fingerprint = post.get("fingerprint", "")
        version = actions.publish_prizes(event=event, by=by, fingerprint=fingerprint, reason=reason)
        words = _now("The prizes are published.")
        if version.number > 1:
            words = _now("The prizes are published as version %(n)d.") % {"n": version.number}
        messages.success(request, words)
    elif step == "take-back":
        actions.take_back_prizes(event=event, by=by, reason=reason)
        messages.success(request, _now("The prizes are taken back."))
    else:
        raise StepRefused(_now("That step isn't possible here. Reload the page."))
