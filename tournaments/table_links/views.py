"""The pages of a table's phones, and the desk's pages of links and phones."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db.models import Prefetch, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import validate_host
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubsite.accounts import login_attempts
from clubsite.accounts.login_attempts import TooManyTries
from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page, public, request_actor
from clubsite.accounts.starting import is_from_this_machine, is_owner
from clubsite.addresses import client_network, is_loopback
from clubsite.names import side_name
from clubsite.offline import is_from_script
from clubsite.serving import hall
from clubsite.serving.addresses import former_address, hall_address
from clubsite.serving.web import CannotServe
from scoring.cards.deals import (
    MAX_OBJECTION,
    TABLE,
    DealError,
    DealIsVoid,
    NotAsked,
    Objection,
    SentElsewhere,
    Signed,
    Superseded,
    agree,
    agree_card,
    dispute,
)
from scoring.cards.queries import (
    Card,
    DealRow,
    add_version,
    card_of,
    card_sheets,
    games_version,
    has_version,
    result_message,
    sheet_row,
)
from scoring.cards.submit import (
    REFUSALS,
    Consequences,
    add_change_link,
    correction_form,
    deal_form,
    live_check,
    post_correction,
    post_deal,
    recorded_message,
    refusal_response,
    sent_form,
)
from scoring.families.deal_form import DealForm
from scoring.form_parts import FigureField
from scoring.models import Deal, DealVersion, Game
from tournaments.events.state import published_draws
from tournaments.events.words import annulment_reason, named_seats
from tournaments.models import Draw, Event, Seat, TableLink
from tournaments.requests import event_page, get_event, whole_number_or_none
from tournaments.table_links import links
from tournaments.table_links.at_table import SIDE, AtTable, at_table
from tournaments.table_links.links import (
    find_link,
    find_link_by_code,
    hash_token,
    is_guessed,
    link_state,
    normalize_code,
    phone_site,
    qr_svg,
    readable_token,
    shown_link,
    why_refused,
    wrong_codes,
)


class TableCodeForm(forms.Form):
    code = forms.CharField(
        max_length=40,
        label=gettext_lazy("The code on your card"),
        help_text=gettext_lazy("A word and a number, such as MOLE-42."),
        error_messages={"required": gettext_lazy("Type the code on your card.")},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false", "class": "code"}
        ),
    )


class AgreeForm(forms.Form):
    side = forms.IntegerField(min_value=0, max_value=9)
    seen = forms.IntegerField(min_value=1, max_value=10_000)
    submission = forms.UUIDField()


class AgreeCardForm(forms.Form):
    side = forms.IntegerField(min_value=0, max_value=9)
    submission = forms.UUIDField()
    seen = forms.RegexField(r"^(\d{1,18}:\d{1,6} ?)+$", max_length=10_000)  # the keys of deals, with their versions

    def clean_seen(self) -> dict[int, int]:
        pairs = (pair.split(":") for pair in self.cleaned_data["seen"].split())
        return {int(deal): int(version) for deal, version in pairs}


class DisputeForm(AgreeForm):
    """A side says what a deal should be: in words, or each side's points."""

    says = forms.CharField(
        required=False,
        max_length=MAX_OBJECTION,
        label=gettext_lazy("What should it be?"),
        help_text=gettext_lazy("For example: our figures and theirs are the wrong way round."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, names: Sequence[str]) -> None:
        super().__init__(data)
        self.names = tuple(names)
        for side, name in enumerate(self.names):
            self.fields[f"points_{side}"] = FigureField(signed=True, required=False, label=name)

    def figures(self) -> list[forms.BoundField]:
        return [self[f"points_{side}"] for side in range(len(self.names))]

    def objection(self) -> Objection:
        """None for points that weren't typed. The form must be valid."""
        return Objection(
            self.cleaned_data["says"], [self.cleaned_data[f"points_{side}"] for side in range(len(self.names))]
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and not self.objection():
            raise forms.ValidationError(_("Say what it should be: the points of a side, or in words."))
        return cleaned


GROUP = "group_game__group"
DRAW = f"{GROUP}__table__draw"
ALSO_NEWS = (GROUP, f"{DRAW}__state", f"{DRAW}__round__closed", f"{GROUP}__links__revoked_at")


@never_cache
@require_safe
def news(request: HttpRequest, token: str) -> HttpResponse:
    """204 while nothing is new on the card; else the status of the table's page, without the page."""
    if has_version(request, _news_version(token)):
        return HttpResponse(status=204)
    return _empty_answer(request, token)


@at_table
def _empty_answer(request: HttpRequest, at: AtTable) -> HttpResponse:
    return HttpResponse()


def news_address(at: AtTable) -> str:
    """Where a page asks for news. Call it before the card is read, so that what changes meanwhile counts as new."""
    return add_version(at.url("table_news"), _news_version(at.token))


def _news_version(token: str) -> str:
    """The version of all games that the link opens; "" if no link has this token. One query."""
    return games_version(Game.objects.filter(**{f"{GROUP}__links__token_hash": hash_token(token)}), *ALSO_NEWS)


def phone_reach(site: str) -> dict[str, Any]:
    """Whether and how phones reach the site at this address, without sending anything. No query.

    `here`: this machine's address in its network; "" without a network, or if the site isn't served to a hall from this
    machine. `before`: its address until lately, which may be on printed cards."""
    parts = urlsplit(site)
    host, plain = parts.hostname or "", parts.scheme != "https"
    lately = former_address(settings.VAR_DIR) if settings.HALL else None
    own_address = hall_address() if settings.HALL or is_loopback(site) else ""
    keeps_away = {
        "only_here": is_loopback(site),  # only this machine reaches the address
        # the server listens to its own machine only, whatever the address
        "deaf": settings.SERVED_DIRECTLY and not is_loopback(site) and is_loopback(f"http://{settings.LISTENS_AT}/"),
        "refused": not validate_host(host, settings.ALLOWED_HOSTS),  # the site refuses this address
        # this machine's address has changed since the site was started for the hall
        "moved": bool(settings.HALL and own_address and host.replace(".", "").isdecimal() and host != own_address),
    }
    return {
        **keeps_away,
        "is_well": not any(keeps_away.values()),
        "is_plain": plain,  # HTTP: a phone can't open a stored card without network
        "typed": f"{'' if plain else 'https://'}{parts.netloc}{parts.path.rstrip('/')}",
        "qr": qr_svg(site),
        "here": own_address,
        "before": lately if lately and lately.site != site.rstrip("/") else None,
    }


LAST_TABLE = "table"  # cookie: the token of the table that this phone scored for last
NOBODY = {"is_director": False, "is_scorekeeper": False}  # at a table, a log-in gives no roles


@at_table
def table(request: HttpRequest, at: AtTable, *, game: int | None = None) -> HttpResponse:
    """The card that a table plays now, or that of another `game` of its set."""
    number = game or at.current
    if request.method != "POST":
        news_at = news_address(at)
        card, other = card_of(_game_numbered(at, number)), _other_table(request, at)
        answer = _table_page(
            request, at, card=card, number=number, form=deal_form(card), news_at=news_at, other_table=other
        )
        return answer if other else _remember_table(answer, request, at=at)
    posted = post_deal(_game_numbered(at, number), request.POST, by=at.actor, within=at.entering)
    if posted.version is None and is_from_script(request):
        return refusal_response(posted)
    if posted.version is None:
        context = {"news_at": news_address(at), "form": posted.form, "status": posted.status, **posted.context}
        return _table_page(request, at, card=posted.card_now(), number=number, **context)
    change = at.url("table_deal", posted.version.deal_id)
    messages.success(request, add_change_link(recorded_message(posted.version, posted.form.sides), change))
    return _remember_table(redirect(at.url("table_game", number)), request, at=at)


def _other_table(request: HttpRequest, at: AtTable) -> AtTable | None:
    """The other table of this round that the phone scored for last: it may have the wrong card open."""
    token = request.COOKIES.get(LAST_TABLE, at.token)
    link = find_link(token) if token != at.token else None
    if link is None or link.group.table.draw_id != at.group.table.draw_id or why_refused(link_state(link)):
        return None
    return AtTable(link, token, None)


def _remember_table(answer: HttpResponse, request: HttpRequest, *, at: AtTable) -> HttpResponse:
    path = reverse("which_event")  # all tables' pages are below it
    answer.set_cookie(LAST_TABLE, at.token, path=path, httponly=True, samesite="Lax", secure=request.is_secure())
    return answer


def _game_numbered(at: AtTable, number: int) -> Game:
    if number not in at.games:
        raise Http404
    return at.games[number]


def _table_page(
    request: HttpRequest, at: AtTable, *, card: Card, number: int, form: DealForm, status: int = 200, **context: Any
) -> HttpResponse:
    prefetch_related_objects([at.group], Prefetch("seats", Seat.objects.select_related("entry")))
    games = [{"number": n, "game": game, "url": at.url("table_game", n)} for n, game in at.games.items()]
    context |= {
        **NOBODY,
        "at_table": at,
        "card": card,
        "number": number,
        "games": games if len(games) > 1 else [],
        "seats": named_seats(at.group.names),
        "annulled": annulment_reason(at.group.seats.all()),
        "sides": _side_rows(at, card.names),
        "form": form,
        "sheets": card_sheets(card),
        "closed": at.why_closed,
        "asks": (asks := _deals_to_agree(at, card)),
        "whole": _whole_card(at, card, asks=asks),
        "result": result_message(card),
        "deals": [(deal, at.url("table_deal", deal.pk), at.url("table_say", deal.pk)) for deal in card.deals],
        "post_to": at.url("table_game", number),
        "check_at": at.url("table_live_check", number),
        "whole_at": at.url("table_right", number),
        "who_to": at.url("table_who"),
    }
    return render(request, "tournaments/table_links/table.html", context, status=status)


def _side_rows(at: AtTable, names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{"number": n, "name": name, "mine": n == at.side} for n, name in enumerate(names)]


def _deals_to_agree(at: AtTable, card: Card) -> list[dict[str, Any]]:
    """The deals that a side must still agree on, the newest first: those entered at the table, and disputed ones.

    If the table scores on its own phone, also deals that the desk corrected, and after the game those that the desk
    entered, since the desk then waits for agreement on the whole card."""
    begun = DealVersion.objects.filter(deal__game=card.game, route=TABLE).exists()

    def waits(deal: DealRow) -> bool:
        put_right = begun and (deal.version > 1 or card.state != "playing")
        return bool(deal.asked) and (deal.at_table or deal.state == "disputed" or put_right)

    return [_deal_to_agree(at, card, deal=deal) for deal in reversed(card.deals) if waits(deal)]


def _whole_card(at: AtTable, card: Card, *, asks: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The question to the sides of a finished game whether the whole card is right. None while a deal is disputed."""
    deals = [ask["deal"] for ask in asks]
    if card.state == "playing" or not deals or any(deal.state == "disputed" for deal in deals):
        return None
    sides = [side for side in _side_rows(at, card.names) if any(side["number"] in deal.asked for deal in deals)]
    return {
        "sides": sorted(sides, key=lambda side: not side["mine"]),
        "seen": " ".join(f"{deal.pk}:{deal.version}" for deal in deals),
        "submission": uuid4(),
    }


def _deal_to_agree(at: AtTable, card: Card, *, deal: DealRow) -> dict[str, Any]:
    url = at.url("table_say", deal.pk)
    sides = [{"name": card.names[n], "mine": n == at.side, "url": f"{url}?side={n}"} for n in deal.asked]
    return {
        "deal": deal,
        "points": list(zip(card.names, deal.points, strict=True)),
        "asked": sorted(sides, key=lambda side: not side["mine"]),
        "url": url,
        "change": at.url("table_deal", deal.pk) if deal.may_correct and not card.signed and not at.why_closed else "",
    }


@at_table
@require_POST
def check_as_typed(request: HttpRequest, at: AtTable, *, game: int) -> HttpResponse:
    """What the typed deal would score: a part of a page, for htmx. Nothing is recorded."""
    form = sent_form(_game_numbered(at, game), request.POST)
    context = {**NOBODY, "form": form, "live_check": live_check(form)}
    return render(request, "scoring/cards/form/_live_check.html", context)


@at_table
@require_POST
def choose_side(request: HttpRequest, at: AtTable) -> HttpResponse:
    side = request.POST.get("side", "")
    answer = redirect(at.url())
    if side.isdecimal() and len(side) == 1 and int(side) < _game_numbered(at, at.current).sides_count:
        answer.set_cookie(
            SIDE, at.signed_side(int(side)), path=at.url(), httponly=True, samesite="Lax", secure=request.is_secure()
        )
    return answer


@at_table
@require_POST
def agree_to_card(request: HttpRequest, at: AtTable, *, game: int) -> HttpResponse:
    this_game, form = _game_numbered(at, game), AgreeCardForm(request.POST)
    if not form.is_valid() or form.cleaned_data["side"] >= this_game.sides_count:  # no page of ours sends that
        return redirect(at.url("table_game", game))
    try:
        with at.entering():
            agree_card(game=this_game, by=at.actor, **form.cleaned_data)
    except Superseded as late:
        words = _("Deal %(number)d was changed in the meantime. Check the card again.")
        messages.error(request, words % {"number": late.version.deal.number})
    else:
        side = card_of(this_game).names[form.cleaned_data["side"]]
        messages.success(request, _("%(side)s: the whole card is right.") % {"side": side})
    return redirect(at.url("table_game", game))


@at_table
def deal(request: HttpRequest, at: AtTable, *, deal: int) -> HttpResponse:
    this_deal, number, card, now = _deal_on_card(at, deal)
    context: dict[str, Any] = {**NOBODY, "at_table": at, "card": card, "deal": now, "number": number}
    context |= {"post_to": at.url("table_deal", this_deal.pk), "check_at": at.url("table_live_check", number)}
    context["closed"] = at.why_closed
    if request.method != "POST":
        form = correction_form(card, now)
        form.fields["reason"].initial = _("Corrected at the table")
        return render(request, "tournaments/table_links/deal.html", {**context, "form": form})
    sent = request.POST.copy()
    sent["reason"] = sent.get("reason", "").strip() or _("Corrected at the table")
    # What a correction changes beyond its game is shown to directors only.
    posted = post_correction(
        card, this_deal, data=sent, by=at.actor, watch=lambda *_: Consequences(), within=at.correcting
    )
    if posted.version is None:
        context |= {"card": posted.card_now(), "form": posted.form, **posted.context}
        return render(request, "tournaments/table_links/deal.html", context, status=posted.status)
    messages.success(request, recorded_message(posted.version, card.names))
    return redirect(at.url("table_game", number))


def _deal_on_card(at: AtTable, pk: int) -> tuple[Deal, int, Card, DealRow]:
    """A deal of this table, the number of its game, its card, and its row there. Raises Http404."""
    deal = Deal.objects.filter(pk=pk, game__in=at.games.values()).select_related("game__club", "game__rules").first()
    if deal is None:
        raise Http404
    number = next(n for n, game in at.games.items() if game.pk == deal.game_id)
    card = card_of(deal.game)
    now = card.deal(deal.number)
    if now is None:
        raise Http404
    return deal, number, card, now


@at_table
def judge_deal(request: HttpRequest, at: AtTable, *, deal: int) -> HttpResponse:
    """A side looks at a deal, and agrees or says what it should be."""
    this_deal, number, card, now = _deal_on_card(at, deal)
    if request.method != "POST":
        return _judge_page(request, at, card=card, now=now, form=DisputeForm(names=card.names))
    wrong = request.POST.get("say") == "wrong"
    form = DisputeForm(request.POST, names=card.names) if wrong else AgreeForm(request.POST)
    if not form.is_valid() or form.cleaned_data["side"] >= len(card.names):
        shown = form if isinstance(form, DisputeForm) else DisputeForm(names=card.names)
        return _judge_page(request, at, card=card, now=now, form=shown, status=422)
    side = form.cleaned_data["side"]
    if problem := _record_judgement(form, this_deal, at=at, side=side):
        if not isinstance(form, DisputeForm):
            messages.error(request, problem)
            return redirect(f"{at.url('table_say', this_deal.pk)}?side={side}")
        messages.error(request, f"{problem} {_('What you typed is still below.')}")
        *_same, card, now = _deal_on_card(at, deal)
        return _judge_page(request, at, card=card, now=now, form=form, status=409)
    level, words = messages.SUCCESS, _("%(side)s: deal %(number)d is right.")
    if wrong:
        level = messages.WARNING
        words = _("%(side)s: deal %(number)d isn't right. It is marked as disputed, and the director sees it.")
    messages.add_message(request, level, words % {"side": card.names[side], "number": now.number})
    return redirect(at.url("table_game", number))


def _record_judgement(form: AgreeForm, deal: Deal, *, at: AtTable, side: int) -> str:
    """Record that a side agrees or disputes. Returns the reason why it wasn't recorded, or ""."""
    submission, seen = form.cleaned_data["submission"], form.cleaned_data["seen"]
    says = partial(dispute, objection=form.objection()) if isinstance(form, DisputeForm) else agree
    refusals: dict[type[DealError], str] = {
        NotAsked: _("This side isn't asked about this deal."),
        Superseded: _("This deal was changed in the meantime. Check it again."),
        Signed: str(REFUSALS[Signed]),
        DealIsVoid: _("The director has voided this deal: it doesn't count."),
        SentElsewhere: _("This form was already sent. Check the deal again."),
    }
    try:
        with at.entering():
            says(deal=deal, side=side, by=at.actor, submission=submission, seen=seen)
    except tuple(refusals) as refused:
        return refusals[type(refused)]
    return ""


def _judge_page(
    request: HttpRequest, at: AtTable, *, card: Card, now: DealRow, form: DisputeForm, status: int = 200
) -> HttpResponse:
    chosen = request.POST.get("side") or request.GET.get("side", "")
    sides = _side_rows(at, card.names)
    side = next((row for row in sides if str(row["number"]) == chosen), None)
    context = {
        **NOBODY,
        "at_table": at,
        "card": card,
        "deal": now,
        "figures": _figure_rows(card, now),
        "sides": sides,
        "side": side,
        "asked": side is not None and side["number"] in now.asked,
        "agreed": side is not None and side["number"] in now.agreed,
        "form": form,
        "typed": form.objection().by(card.names, side["number"]) if side and form.is_bound and form.is_valid() else "",
        "submission": uuid4(),
    }
    return render(request, "tournaments/table_links/say.html", context, status=status)


def _figure_rows(card: Card, deal: DealRow) -> list[dict[str, Any]]:
    """A deal's figures as on the card, a cell for each side; without zeros on cards with many figures."""
    rows = [sheet_row(head, cells) for head, cells in zip(card.items, zip(*deal.cells, strict=True), strict=False)]
    return [
        *(row for row in rows if any(value or (value == 0 and not card.per_deal) for value in row["cells"])),
        sheet_row(_("Points"), deal.points, kind="total"),
        sheet_row(_("Running"), deal.running or deal.points, kind="total"),
    ]


@public
def code(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    this_event = get_event(club, event)
    form = TableCodeForm(request.POST or None)
    status, token = 200, ""
    if request.method == "POST":
        status, token = _try_code(request, this_event, form=form) if form.is_valid() else (422, "")
    if token:
        return redirect("table", token)
    return render(request, "tournaments/table_links/code.html", {"event": this_event, "form": form}, status=status)


def _try_code(request: HttpRequest, event: Event, *, form: TableCodeForm) -> tuple[int, str]:
    """The status of the answer, and the token of the table; "" if the form has an error instead."""
    typed, address = form.cleaned_data["code"], client_network(request)
    if not normalize_code(typed):
        form.add_error("code", _("A code is a word of four letters and a number, such as MOLE-42."))
        return 422, ""
    try:
        login_attempts.spend(links.code_try(event, address))
    except TooManyTries:
        form.add_error(
            "code",
            _("Too many wrong codes. Scan the QR code on your card, ask the director, or wait a quarter of an hour."),
        )
        return 429, ""
    link = find_link_by_code(event, typed)
    if link is None or not readable_token(link):
        links.count_wrong_code(event)
        form.add_error("code", _("No table of this event has this code. Check your card again."))
        return 422, ""
    login_attempts.give_back(links.code_try(event, address))
    if why := why_refused(state := link_state(link)):
        form.add_error("code", why)
        return state.status, ""
    return 302, readable_token(link)


@require_safe
def which_event(request: HttpRequest) -> HttpResponse:
    """The short address printed beside a code: redirects to the event that is on now, or asks which."""
    on_now = Event.objects.filter(
        state=Event.State.RUNNING, stages__rounds__draws__state=Draw.State.PUBLISHED
    ).select_related("club")
    events = list(on_now.order_by("club__name", "-starts_at").distinct())
    if len(events) == 1:
        return redirect("table_code", events[0].club.slug, events[0].slug)
    return render(request, "tournaments/table_links/which_event.html", {"events": events})


@event_page
def desk(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    draw = published_draws(event).select_related("round__stage").last()
    if request.method == "POST":
        if draw is not None:
            _take_step(request, draw)
        return redirect("table_links", club.slug, event.slug)
    site = phone_site(request)
    rows = list(_table_rows(event, draw, site=site)) if draw else []
    context = {
        "event": event,
        "draw": draw,
        "rows": rows,
        "newest": links.newest_link(draw) if draw else 0,
        "missing": sum(row["state"] == "none" for row in rows),
        "site": site,
        "only_here": is_loopback(site),
        "wrong_codes": wrong_codes(event),
        "is_guessed": is_guessed(event),
    }
    return render(request, "tournaments/table_links/desk.html", context)


@club_page
def phones(request: HttpRequest, club: Club) -> HttpResponse:
    """How phones reach the site; a POST lets them in or shuts them out."""
    may_change = not settings.HTTPS and is_from_this_machine(request) and is_owner(request)
    if request.method == "POST":
        if not may_change:
            messages.error(request, _("Only a director at the site's own computer can do that."))
        elif "out" in request.POST:
            hall.shut_phones_out()
        else:
            try:
                hall.let_phones_in(stays=True)
            except CannotServe as problem:
                messages.error(request, _("That didn't work: %(problem)s") % {"problem": problem})
        return redirect("phones", club.slug)
    context = {"may_change": may_change, "is_open": settings.HALL, "system": sys.platform}
    context["reach"] = phone_reach(phone_site(request))
    return render(request, "tournaments/table_links/phones.html", context)


def _table_rows(event: Event, draw: Draw, *, site: str) -> Iterator[dict[str, Any]]:
    """The tables of a draw: names, link, and its state: "live", "expired", "none". Three queries."""
    groups = links.seated_groups(draw).prefetch_related(
        Prefetch("seats", Seat.objects.select_related("entry")),
        Prefetch("links", TableLink.objects.filter(revoked_at=None), to_attr="live_links"),
    )
    for group in groups:
        link: TableLink | None = next(iter(group.live_links), None)
        over = link is not None and link.expires_at is not None and link.expires_at <= timezone.now()
        shown = shown_link(link, site) if link and not over else None
        yield {
            "group": group,
            "label": group.label_in(event),
            "names": [side_name(side) for side in group.names],
            "link": shown,
            "state": "live" if shown else "expired" if over else "none",
        }


def _take_step(request: HttpRequest, draw: Draw) -> None:
    step, by, group = request.POST.get("step"), request_actor(request), whole_number_or_none(request.POST.get("group"))
    if step == "make":
        number = links.make_links(draw=draw, by=by)
        words = ngettext("%(n)d link is made.", "%(n)d links are made.", number) % {"n": number}
    elif step == "renew":
        number = links.renew_links(draw=draw, by=by, group=group, seen=whole_number_or_none(request.POST.get("seen")))
        if not number:
            messages.warning(request, _("Table links: somebody made links since you opened this page. Here they are."))
            return
        words = ngettext(
            "%(n)d link is replaced. The old one no longer works: print its card again, or show the new code.",
            "%(n)d links are replaced. The old ones no longer work: print the cards again, or show the new codes.",
            number,
        ) % {"n": number}
    elif step == "revoke":
        ended = links.revoke_links(draw=draw, by=by, group=group)
        words = ngettext(
            "%(n)d link is ended. “Make a link” gives the table a new one.",
            "%(n)d links are ended. “Make a link” gives a table a new one.",
            ended,
        ) % {"n": ended}
    else:
        raise Http404
    messages.success(request, _("Table links: %(what)s") % {"what": words})
