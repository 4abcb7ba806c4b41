"""Cards of games: recording, correcting and confirming deals; ending games; the reasons on paper; the card
counted under other rules."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubsite.accounts.languages import use_language
from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page, is_director, request_actor
from clubsite.offline import is_from_script
from clubsite.pdf.documents import PAPERS, PRINTED_BY, Heading, Pages, choose_paper, pdf_response
from scoring.cards.deals import (
    DealError,
    DealIsVoid,
    ReasonMissing,
    SentElsewhere,
    Superseded,
    end_game,
    mark_deal,
    reopen_game,
)
from scoring.cards.queries import (
    Card,
    card_of,
    card_sheets,
    deal_versions,
    games_version,
    has_version,
    news_address,
    other_rules,
    running_chart,
    what_if,
    wrong_after_void,
)
from scoring.cards.submit import (
    ANNULLED,
    REFUSALS,
    Consequences,
    add_change_link,
    correction_form,
    deal_form,
    live_check,
    post_correction,
    post_deal,
    preview_consequences,
    recorded_message,
    refusal_response,
    sent_form,
)
from scoring.families.deal_form import DealForm
from scoring.form_parts import ReasonForm
from scoring.models import LONGEST_REASON, Deal, DealVersion, Game
from scoring.templatetags.rule_texts import translated

MARK_REFUSALS: dict[type[DealError], Promise] = {
    **REFUSALS,
    DealIsVoid: gettext_lazy("This deal is void. To bring it back, save its figures here with the reason."),
    SentElsewhere: gettext_lazy("That was for another card. Check this one, then press again."),
}


class MarkForm(forms.Form):
    """Only void needs the reason, and only its page shows the box."""

    seen = forms.IntegerField(min_value=1)
    submission = forms.UUIDField()
    reason = forms.CharField(
        label=gettext_lazy("Reason for voiding it"),
        max_length=LONGEST_REASON,
        required=False,
        help_text=gettext_lazy("To bring the deal back, save its figures again with a reason."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "required": True}),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, states: Sequence[DealVersion.State] = tuple(DealVersion.State)
    ) -> None:
        super().__init__(data, auto_id="void_%s")
        self.fields["state"] = forms.ChoiceField(choices=[(state.value, state.label) for state in states])


def _return_address(request: HttpRequest) -> str:
    """The page of this site that led to the card, or ""."""
    back = request.GET.get("back", "")
    return back if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None) else ""


def _return_query(request: HttpRequest) -> str:
    """The query of a card's addresses that keeps `_return_address`."""
    back = _return_address(request)
    return f"?{urlencode({'back': back})}" if back else ""


@club_page
def card(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    the_game = Game.get_or_404(club, game)
    if request.method != "POST":
        news_at = news_address(the_game)
        shown = card_of(the_game)
        return _card_page(request, shown, form=deal_form(shown), news_at=news_at)
    posted = post_deal(the_game, request.POST, by=request_actor(request))
    if posted.version is None and is_from_script(request):
        return refusal_response(posted)
    if posted.version is None:
        context = {"news_at": news_address(the_game), "form": posted.form, "status": posted.status, **posted.context}
        return _card_page(request, posted.card_now(), **context)
    tell = messages.warning if posted.version.deal.game.set_aside else messages.success
    change = reverse("deal", args=[club.slug, posted.version.deal_id]) + _return_query(request)
    tell(request, add_change_link(recorded_message(posted.version, posted.form.sides), change))
    return redirect(the_game.get_absolute_url() + _return_query(request))


def _card_page(request: HttpRequest, card: Card, *, form: DealForm, status: int = 200, **context: Any) -> HttpResponse:
    context |= _game_context(request, card, form=form)
    marks = [(deal, uuid4()) for deal in card.deals]
    context |= {"sheets": card_sheets(card), "marks": marks, "running": running_chart(card)}
    return render(request, "scoring/cards/card.html", context, status=status)


def _game_context(request: HttpRequest, card: Card, *, form: forms.Form) -> dict[str, Any]:
    """For every page with a form of a game; `check_at` is where figures are sent while they are typed."""
    query = _return_query(request)
    return {
        "card": card,
        "form": form,
        "annulled": " ".join(filter(None, (words(card.game) for words in ANNULLED))),
        "back": _return_address(request),
        "query": query,
        "post_to": request.path + query,
        "check_at": reverse("live_check", args=[card.game.club.slug, card.game.pk]),
    }


@require_POST
@club_page
def check_as_typed(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    form = sent_form(Game.get_or_404(club, game), request.POST)
    return render(request, "scoring/cards/form/_live_check.html", {"form": form, "live_check": live_check(form)})


@require_safe
@club_page
def news(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    """204 while nothing is new on the card; else an empty page."""
    now = games_version(Game.objects.filter(club=club, pk=game))
    if not now:
        raise Http404
    return HttpResponse(status=204 if has_version(request, now) else 200)


def _get_deal(club: Club, pk: int) -> Deal:
    return get_object_or_404(Deal.objects.select_related("game__club", "game__rules"), game__club=club, pk=pk)


@club_page
def deal(request: HttpRequest, club: Club, *, deal: int) -> HttpResponse:
    the_deal = _get_deal(club, deal)
    shown = card_of(the_deal.game)
    now = shown.deal(the_deal.number)
    if now is None:
        raise Http404
    if request.method != "POST":
        return _deal_page(request, the_deal, card=shown, form=correction_form(shown, now))
    posted = post_correction(shown, the_deal, data=request.POST, by=request_actor(request))
    if posted.version is None:
        return _deal_page(
            request, the_deal, card=posted.card_now(), form=posted.form, status=posted.status, **posted.context
        )
    messages.success(request, recorded_message(posted.version, shown.names))
    return redirect(the_deal.game.get_absolute_url() + _return_query(request))


def _deal_page(
    request: HttpRequest, deal: Deal, *, card: Card, form: DealForm, status: int = 200, **context: Any
) -> HttpResponse:
    context |= _game_context(request, card, form=form)
    context |= {"deal": card.deal(deal.number), "versions": deal_versions(deal)[::-1], "submission": uuid4()}
    if is_director(request, card.game.club):
        context.setdefault("void", MarkForm())
        context["wrong_after_void"] = wrong_after_void(card.game, deal.number)
    return render(request, "scoring/cards/deal.html", context, status=status)


@require_POST
@club_page
def mark(request: HttpRequest, club: Club, *, deal: int) -> HttpResponse:
    the_deal = _get_deal(club, deal)
    states = [DealVersion.State.AGREED, DealVersion.State.DISPUTED]
    if is_director(request, club):
        states.append(DealVersion.State.VOID)
    form = MarkForm(request.POST, states=states)
    if not form.is_valid():
        return HttpResponse(status=400)
    step = partial(mark_deal, deal=the_deal, by=request_actor(request), **form.cleaned_data)
    ask_first = form.cleaned_data["state"] == DealVersion.State.VOID and "sure" not in request.POST
    if ask_first and (beyond := preview_consequences(the_deal.game, step)):
        return _void_page(request, the_deal, void=form, beyond=beyond)
    try:
        version = step()
    except ReasonMissing:
        form.add_error("reason", _("Say why the deal is void."))
        return _void_page(request, the_deal, void=form)
    except Superseded as late:
        words = _("%(who)s changed deal %(number)d at %(when)s. Check it again.") % {
            "who": late.version.actor,
            "number": the_deal.number,
            "when": date_format(timezone.localtime(late.version.at), "TIME_FORMAT"),
        }
    except DealError as error:
        words = str(MARK_REFUSALS[type(error)])
    else:
        named = {"number": the_deal.number, "state": DealVersion.State(version.state).label}
        messages.success(request, _("Deal %(number)d is marked: %(state)s.") % named)
        return redirect(the_deal.game.get_absolute_url() + _return_query(request))
    messages.error(request, words)
    return redirect(reverse("deal", args=[club.slug, the_deal.pk]) + _return_query(request))


def _void_page(request: HttpRequest, deal: Deal, *, void: MarkForm, beyond: Consequences | None = None) -> HttpResponse:
    """Asks for the reason, or to confirm what follows for the event."""
    shown = card_of(deal.game)
    now = shown.deal(deal.number)
    form = correction_form(shown, now) if now else deal_form(shown)
    return _deal_page(request, deal, card=shown, form=form, status=422, void=void, beyond_void=beyond)


@club_page
def end(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    the_game = Game.get_or_404(club, game)
    shown = card_of(the_game)
    if shown.state != "playing" and the_game.ended_by != "director":
        return redirect(the_game.get_absolute_url() + _return_query(request))
    form = ReasonForm(request.POST or None)
    verb = end_game if shown.state == "playing" else reopen_game
    beyond = Consequences()
    if request.method == "POST" and form.is_valid() and "sure" not in request.POST:
        step = partial(verb, game=the_game, by=request_actor(request), reason=form.cleaned_data["reason"])
        beyond = preview_consequences(the_game, step)
    if request.method == "POST" and form.is_valid() and not beyond:
        verb(game=the_game, by=request_actor(request), reason=form.cleaned_data["reason"])
        ended = shown.state == "playing"
        messages.success(request, _("The game has ended.") if ended else _("The game goes on."))
        return redirect(the_game.get_absolute_url() + _return_query(request))
    context = {**_game_context(request, shown, form=form), "beyond": beyond}
    return render(request, "scoring/cards/end.html", context, status=422 if form.errors or beyond else 200)


@club_page
@require_http_methods(PRINTED_BY)
def card_reasons(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    """As PDF, on the club's paper or on `?paper=`."""
    the_game = Game.get_or_404(club, game)
    with use_language(club):
        pages = reasons_pages(card_of(the_game), choose_paper(request.GET.get("paper", ""), club.paper))
    name = _("%(title)s, the reasons for its points") % {"title": the_game}
    return pdf_response(request, pages, name=name, back=the_game.get_absolute_url())


@club_page
def under_other_rules(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    the_game = Game.get_or_404(club, game)
    card, offered = card_of(the_game), other_rules(the_game)
    key = request.GET.get("rules", "")
    chosen = next((other for other in offered if other.key == key), None)
    if key and chosen is None:
        raise Http404
    context = {"card": card, "offered": offered, "chosen": what_if(card, chosen) if chosen else None}
    return render(request, "scoring/cards/effect/what_if.html", context)


# --- the reasons on paper ----------------------------------------------------------------------------


def reasons_pages(card: Card, paper: str) -> Pages:
    last = max((deal.at for deal in card.deals), default=None)
    rules = {"title": translated(card.game.rules.title), "version": card.game.rules.version}
    heading = Heading(
        club=card.game.club.name,
        event=card.game.title,
        when=date_format(timezone.localtime(last)) if last else "",
        title=_("Why these points"),
        note=_("Under %(title)s: house rules, version %(version)d.") % rules,
    )
    nothing = (None,) * len(card.sides)
    deals = [(deal, zip(card.names, deal.points, deal.running or nothing, strict=True)) for deal in card.deals]
    context = {"sheet": {"heading": heading}, "card": card, "deals": deals, "size": PAPERS[paper].size}
    return Pages((render_to_string("documents/reasons.html", context),))
