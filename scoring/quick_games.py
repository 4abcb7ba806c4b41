"""Games outside events: starting one, and correcting the names on its card."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any
from uuid import UUID, uuid4, uuid5

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member
from clubsite.accounts.roles import club_page, public, request_actor
from clubsite.addresses import is_loopback, site_address
from clubsite.codes import qr_svg
from clubsite.names import NO_ADDRESS, has_email_address, side_name
from clubsite.previews import fingerprint, preview
from scoring.cards.deals import Signed, lock_game, refuse_signed, start_game
from scoring.cards.queries import add_version, card_of, card_sheets, games_version, has_version, running_chart
from scoring.cards.submit import REFUSALS
from scoring.engine.core.ruleset import Shape
from scoring.engine.families import rules_of
from scoring.handicaps import handicap_rules, next_start, unlink_handicap, update_handicap, watch_handicap
from scoring.house_rules.actions import adopt
from scoring.house_rules.in_words import GameOffer, game_offers
from scoring.models import Game, Side

OFFERED_AGAIN = 3  # games that one touch starts again


class NamesChanged(Exception):
    """Somebody else changed the names since the form was opened; has the names as they are now."""

    def __init__(self, names: list[list[str]]) -> None:
        super().__init__(names)
        self.names = names


def latest_games(club: Club) -> list[Game]:
    """The club's last 20 games outside events, open ones first. Two queries."""
    games = Game.objects.filter(club=club, submission__isnull=False).select_related("club", "rules")
    last = games.prefetch_related("sides").order_by("-pk")[:20]
    return sorted(last, key=lambda game: game.state != Game.State.OPEN)


def player_names(game: Game) -> list[list[str]]:
    return [list(side.names) for side in Side.objects.filter(game=game)]


def rename_players(*, game: Game, by: Actor, sides: Sequence[Sequence[str]], seen: str) -> Game:
    """Correct who played; sides keep their points, and the log the old names.

    The game leaves the handicap of those who didn't play it, and comes last in that of those who did. `seen` is the
    fingerprint of the names that the form was opened with.

    Raises:
        Signed: all deals are agreed, and `by` isn't a director.
        NamesChanged: the names aren't those seen.
        ValueError: the game is one of an event, or the names aren't as many as its seats.
    """
    with transaction.atomic():
        game = lock_game(game)
        old, new = player_names(game), [list(names) for names in sides]
        if game.submission is None or [len(names) for names in old] != [len(names) for names in new]:
            raise ValueError("no names for this game")
        if new == old:
            return game
        if seen != fingerprint(old):
            raise NamesChanged(old)
        refuse_signed(game, by)
        unlink_handicap(game)
        for number, names in enumerate(new):
            Side.objects.filter(game=game, number=number).update(names=names)
        update_handicap(game)
        log(club=game.club, by=by, verb="game.names", subject=game, old={"names": old}, new={"names": new})
    return game


def preview_handicaps(game: Game, rename: Callable[[], object], *, sides: Sequence[Sequence[str]]) -> list[str]:
    """Sentences on what `rename` to the names of `sides` does to handicaps: how those who are on the card, and those
    who will be, start their next game. Raises what `rename` raises."""
    old, new = player_names(game), [list(names) for names in sides]
    pairs = [new] if sorted(chain(*old)) == sorted(chain(*new)) else [old, new]
    before, after = preview(rename, lambda: [watch_handicap(game, pair) for pair in pairs])
    return [words for earlier, later in zip(before, after, strict=True) for words in later if words not in earlier]


class NamesForm(forms.Form):
    """One name for each seat of a shape."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, shape: Shape, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.shape = shape
        for side in range(shape.sides):
            for seat in range(shape.per_side):
                self.fields[f"name_{side}_{seat}"] = forms.CharField(
                    label=_("Player %(n)d") % {"n": seat + 1} if shape.per_side > 1 else _("Name"),
                    max_length=80,
                    error_messages={"required": _("Write a name.")},
                    widget=forms.TextInput(attrs={"autocomplete": "off", "list": "members"}),
                )

    @staticmethod
    def initial_names(sides: Sequence[Sequence[str]]) -> dict[str, str]:
        return {f"name_{s}_{n}": name for s, names in enumerate(sides) for n, name in enumerate(names)}

    def sides(self) -> list[list[str]]:
        return [
            [self.cleaned_data[f"name_{side}_{seat}"] for seat in range(self.shape.per_side)]
            for side in range(self.shape.sides)
        ]

    def blocks(self) -> list[tuple[str, list[forms.BoundField]]]:
        alone = self.shape.per_side == 1
        return [
            (
                (_("Player %(n)d") if alone else _("Side %(n)d")) % {"n": side + 1},
                [self[f"name_{side}_{seat}"] for seat in range(self.shape.per_side)],
            )
            for side in range(self.shape.sides)
        ]

    def clean(self) -> dict[str, Any]:
        """Refuses an e-mail address, and one name on two seats."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        seen: set[str] = set()
        for name in (name for name in self.fields if name.startswith("name_")):
            who = (cleaned.get(name) or "").casefold()
            if who and who in seen:
                self.add_error(name, _("This name is here twice. Add an initial to one of them."))
            if has_email_address(who):
                self.add_error(name, NO_ADDRESS)
            seen.add(who)
        return cleaned


class NewGameForm(NamesForm):
    token = forms.UUIDField(widget=forms.HiddenInput)
    title = forms.CharField(
        label=gettext_lazy("What to call it"),
        max_length=160,
        help_text=gettext_lazy("For example: Table by the window."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, shape: Shape, handicap: bool = False, **kwargs: Any
    ) -> None:
        """With `handicap`, asks whether to start with it."""
        super().__init__(data, shape=shape, **kwargs)
        if handicap:
            self.fields["handicap"] = forms.BooleanField(
                required=False,
                initial=True,
                label=_("Start with the handicap between the two"),
                help_text=_("Worked out from their earlier games. If they have none, both start with nothing."),
            )


def _offer_key(game: Game) -> str:
    return GameOffer(game.rules.rule_set, game.shape, None).key


@club_page
def new(request: HttpRequest, club: Club) -> HttpResponse:
    offers = game_offers(club)
    offer = next((o for o in offers if o.key == request.GET.get("game")), None)
    if offer is None:
        games = latest_games(club)
        keys = {offer.key for offer in offers}
        again = [(game, key if (key := _offer_key(game)) in keys else "") for game in games[:OFFERED_AGAIN]]
        context = {"offers": offers, "games": games[OFFERED_AGAIN:], "again": again}
        return render(request, "scoring/quick_games/new.html", context)
    initial = {"token": uuid4(), "title": _("Game of %(day)s") % {"day": date_format(timezone.localdate())}}
    pk = request.GET.get("again")
    before = next((game for game in latest_games(club) if str(game.pk) == pk), None) if pk else None
    if before and _offer_key(before) == offer.key:
        initial |= NamesForm.initial_names(player_names(before))
    handicap = handicap_rules(rules_of(offer.rule_set, offer.shape)) is not None
    form = NewGameForm(request.POST or None, shape=offer.shape, handicap=handicap, initial=initial)
    if request.method == "POST" and form.is_valid():
        return _start_from_form(request, club, offer=offer, form=form)
    context = {"offer": offer, "form": form, "members": _members(club)}
    return render(request, "scoring/quick_games/new.html", context, status=422 if form.errors else 200)


def _start_from_form(request: HttpRequest, club: Club, *, offer: GameOffer, form: NewGameForm) -> HttpResponse:
    """Once for each form shown; on a page gone back to, other entries start another game."""
    title, sides = form.cleaned_data["title"], form.sides()
    rules = adopt(club=club, rule_set=offer.rule_set, by=request_actor(request))
    start = []
    if form.cleaned_data.get("handicap"):
        start = next_start(club, rules_of(rules.rule_set, offer.shape), sides=sides)
    sent = uuid5(form.cleaned_data["token"], json.dumps([offer.key, title, sides, bool(start)]))
    return redirect(start_game(club=club, rules=rules, title=title, sides=sides, start=start, submission=sent))


@club_page
def names(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    the_game = Game.get_or_404(club, game)
    if the_game.submission is None:
        raise Http404
    now = player_names(the_game)
    form = NamesForm(request.POST or None, shape=the_game.shape, initial=NamesForm.initial_names(now))
    moves: list[str] = []
    if request.method == "POST" and form.is_valid():
        sides, seen = form.sides(), request.POST.get("fingerprint", "")
        rename = partial(rename_players, game=the_game, by=request_actor(request), sides=sides, seen=seen)
        try:
            moves = preview_handicaps(the_game, rename, sides=sides)
            if not moves or request.POST.get("sure") == fingerprint((sides, moves)):
                rename()
                messages.success(request, _("Saved."))
                return redirect(the_game)
        except Signed:
            form.add_error(None, str(REFUSALS[Signed]))
        except NamesChanged as changed:
            words = _(
                "Somebody else changed the names in the meantime. Check yours, then save again. "
                "The names are now: %(names)s"
            )
            form.add_error(None, words % {"names": " · ".join(side_name(side) for side in changed.names)})
            now = changed.names
    context = {"game": the_game, "form": form, "members": _members(club), "fingerprint": fingerprint(now)}
    if moves:
        context |= {"moves": moves, "sure": fingerprint((sides, moves))}
    return render(request, "scoring/quick_games/names.html", context, status=422 if form.errors or moves else 200)


def _members(club: Club) -> list[Member]:
    return sorted(Member.objects.filter(club=club, active=True), key=attrgetter("by_name"))


@never_cache
@public
def follow(request: HttpRequest, club: Club, *, submission: UUID) -> HttpResponse:
    """A game outside events, for everybody who has its address, which can't be guessed."""
    games = Game.objects.filter(club=club, submission=submission)
    now = games_version(games)
    if has_version(request, now):
        return HttpResponse(status=204)
    card = card_of(Game.get_or_404(club, get_object_or_404(games).pk))
    context = {"card": card, "sheets": card_sheets(card), "running": running_chart(card)}
    site = site_address(request)
    context |= {"news": add_version(request.path, now), "qr": qr_svg(f"{site}{request.path}")}
    context |= {"site": site, "only_here": is_loopback(site)}
    response = render(request, "scoring/quick_games/follow.html", context)
    response["X-Robots-Tag"] = "noindex"
    return response
