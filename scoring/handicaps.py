"""The handicap between two players: each game they play changes it, and their next game starts with it.

Source: 002, section 14. Players are identified by their names in the club, compared without regard to capitals and
spaces: a side holds names, and a guest has nothing else.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.accounts.roles import club_page, is_director, request_actor
from scoring.engine.core.game import NO_HANDICAP, GameEnd, HandicapRules, Handicaps, handicaps_after_each
from scoring.form_parts import FigureField, ReasonForm
from scoring.models import Game, HandicapEntry, HandicapStart, Side
from scoring.templatetags.figures import points


class GamesCount(Exception):
    """The two have finished a game here, so their handicap follows from that."""


class BothAhead(Exception):
    """Only one of two players can have a handicap."""


@dataclass(frozen=True, slots=True)
class HandicapRow:
    """One game in the history, or one that has since been corrected; figures in the order of the players."""

    entry: HandicapEntry
    loser: str
    before: Handicaps
    after: Handicaps
    played_from: Handicaps  # what each had at the start, as the game's card says

    @property
    def other_start(self) -> bool:
        """Whether the game counts, but started from something else than the handicap that is now before it."""
        return self.entry.current and self.played_from != self.before


@dataclass(frozen=True, slots=True)
class HandicapLedger:
    """The handicap between two players, and all entries of their games, also replaced ones, the last first."""

    names: tuple[str, str]
    now: Handicaps
    rows: tuple[HandicapRow, ...]
    brought: HandicapStart | None  # what they had before their first game here, as their paper has it
    points_brought: Handicaps

    @property
    def can_begin(self) -> bool:
        """Whether they can still bring a handicap from paper: no game counts yet."""
        return not any(row.entry.current for row in self.rows)

    @property
    def starts(self) -> tuple[tuple[str, int], ...]:
        """Of the next game: each player and the points."""
        return tuple(zip(self.names, self.now, strict=True))


def handicap_rules(engine_rules: Any) -> HandicapRules | None:
    """None where the rules have no handicap, or the lowest total wins: then points at the start help nobody."""
    gain: int = 0 if engine_rules.lowest_wins else getattr(engine_rules, "handicap", 0)
    return HandicapRules(gain, engine_rules.handicap_below, engine_rules.handicap_larger) if gain else None


class _Pair:
    """The two players of a game. `key` finds their records by their names for comparison, in order; `turned`: the
    first of these is on the second side."""

    def __init__(self, club: Club, names: Sequence[str]) -> None:
        first, second = sorted(map(comparison_key, names))
        self.key: dict[str, Any] = {"club": club, "first": first, "second": second}
        self.turned = comparison_key(names[0]) != first

    def swap_if_turned(self, figures: Handicaps) -> Handicaps:
        """From the order of the names to the order of the sides, or back."""
        return (figures[1], figures[0]) if self.turned else figures

    def entries(self) -> list[HandicapEntry]:
        """Those that count, in the order of the games."""
        entries = HandicapEntry.objects.filter(**self.key, current=True)
        return list(entries.select_related("game__rules", "game__club").order_by("place"))

    def brought(self) -> HandicapStart | None:
        return HandicapStart.objects.filter(**self.key).order_by("-id").first()


def _find_pair(club: Club, engine_rules: Any, *, sides: Sequence[Sequence[str]]) -> _Pair | None:
    """None unless two play, each alone, and the rules have a handicap."""
    if handicap_rules(engine_rules) is None or [len(names) for names in sides] != [1, 1]:
        return None
    names = [name for (name,) in sides]
    return _Pair(club, names) if comparison_key(names[0]) != comparison_key(names[1]) else None


def next_start(club: Club, engine_rules: Any, *, sides: Sequence[Sequence[str]]) -> list[int]:
    """The points with which each side starts a new game."""
    pair = _find_pair(club, engine_rules, sides=sides)
    if pair is None:
        return [0] * len(sides)
    return list(pair.swap_if_turned(_current_handicaps(pair.entries(), pair.brought())))


def handicap_ledger(game: Game, sides: Sequence[Sequence[str]] | None = None) -> HandicapLedger | None:
    """Of the two players of a game, or of those named in `sides`; None where the rules have no handicap."""
    if handicap_rules(game.engine_rules) is None:
        return None
    names = [side.names for side in game.sides.all()] if sides is None else sides
    pair = _find_pair(game.club, game.engine_rules, sides=names)
    if pair is None:
        return None
    shown = (names[0][0], names[1][0])
    loser = shown if pair.turned else shown[::-1]  # by the number of the winner
    entries = HandicapEntry.objects.filter(**pair.key).select_related("game__rules", "game__club")
    rows = tuple(
        HandicapRow(
            entry,
            loser[entry.winner],
            pair.swap_if_turned(entry.before),
            pair.swap_if_turned(entry.after),
            _start_points(entry.game, shown),
        )
        for entry in entries.prefetch_related("game__sides").order_by("-place", "-id")
    )
    start = pair.brought()
    now = _current_handicaps([row.entry for row in reversed(rows) if row.entry.current], start)
    return HandicapLedger(shown, pair.swap_if_turned(now), rows, start, pair.swap_if_turned(_points(start)))


def _start_points(game: Game, names: tuple[str, str]) -> Handicaps:
    """In the order of the names."""
    first, second = game.sides.all()
    same = comparison_key(first.names[0]) == comparison_key(names[0])
    return (first.start, second.start) if same else (second.start, first.start)


def bring_handicap(*, game: Game, points: Handicaps, reason: str, by: Actor) -> HandicapStart:
    """Begin the handicap between a game's players with `points` from paper, in the order of the sides.

    Games that have begun keep their start.

    Raises:
        GamesCount: they have finished a game here.
        BothAhead: both are above zero.
        ValueError: the game has no handicap between two players.
    """
    pair = _find_pair(game.club, game.engine_rules, sides=[side.names for side in game.sides.all()])
    if pair is None:
        raise ValueError("no handicap between two players")
    if min(points) > 0:
        raise BothAhead
    first, second = pair.swap_if_turned(points)
    with game.club.locked_transaction():
        if pair.entries():
            raise GamesCount
        old = pair.brought()
        if old is not None and (old.points, old.reason) == ((first, second), reason):
            return old
        start = HandicapStart.objects.create(
            **pair.key, points_first=first, points_second=second, reason=reason, actor=by.name
        )
        new = {"points": [first, second], "reason": reason}
        subject = f"{start.first} / {start.second}"
        log(club=game.club, by=by, verb="handicap.bring", subject=subject, old=list(_points(old)), new=new)
    return start


def update_handicap(game: Game) -> None:
    """Bring the handicap of a game's players up to date. Call it in the transaction that changes the game.

    A game that ends with a winner is entered last. One whose winner or loser's total changes is entered again in its
    place, and so is every later game whose effect changes with it; replaced entries are kept.
    """
    _rewrite_entries(game, counts=True)


def unlink_handicap(game: Game) -> None:
    """Take a game out of its players' handicap before it gets other names; then call `update_handicap`.

    What they brought from paper stays, and so do the points that later games began with.
    """
    _rewrite_entries(game, counts=False)


def _rewrite_entries(game: Game, *, counts: bool) -> None:
    """From this game on. `counts`: the game counts as it is now, else not at all."""
    if handicap_rules(game.engine_rules) is None:
        return
    sides = list(Side.objects.filter(game=game))  # as they are now: not those that the caller may have read before
    counts = counts and game.state != Game.State.NOT_PLAYED  # a walkover has a winner, too
    won = [side for side in sides if counts and side.half_wins == 2]
    pair = _find_pair(game.club, game.engine_rules, sides=[side.names for side in sides])
    if pair is None or not (won or game.handicap_entries.filter(current=True).exists()):
        return
    game.club.lock()
    entries = {entry.game_id: entry for entry in pair.entries()}
    played = {pk: (entry.place, entry.game, GameEnd(entry.winner, entry.loser_total)) for pk, entry in entries.items()}
    if won:
        winner = won[0].number
        end = GameEnd(1 - winner if pair.turned else winner, sides[1 - winner].total)
        played[game.pk] = (_game_place(game, pair), game, end)
    elif game.pk in entries:
        _retire_entry(entries[game.pk])
        del played[game.pk]
    games = sorted(played.values(), key=itemgetter(0))
    start = _points(pair.brought())
    states = handicaps_after_each(
        ((end, handicap_rules(each.engine_rules) or HandicapRules()) for _at, each, end in games), start
    )
    for (place, each, end), before, after in zip(games, (start, *states), states, strict=False):
        entry = HandicapEntry(
            **pair.key,
            game=each,
            place=place,
            winner=end.winner or 0,
            loser_total=end.loser_total,
            before_first=before[0],
            before_second=before[1],
            after_first=after[0],
            after_second=after[1],
        )
        old = entries.get(each.pk)
        if old is not None and _entry_figures(old) == _entry_figures(entry):
            continue
        if old is not None:
            _retire_entry(old)
        entry.save()


def _entry_figures(entry: HandicapEntry) -> tuple[Any, ...]:
    return entry.winner, entry.loser_total, entry.before, entry.after


def _retire_entry(entry: HandicapEntry) -> None:
    HandicapEntry.objects.filter(pk=entry.pk).update(current=False)


def _game_place(game: Game, pair: _Pair) -> int:
    """The one it had before, or the last."""
    of_two = HandicapEntry.objects.filter(**pair.key)
    if earlier := of_two.filter(game=game).order_by("-id").first():
        return earlier.place
    last = of_two.order_by("-place").first()
    return last.place + 1 if last else 1


def _points(start: HandicapStart | None) -> Handicaps:
    return start.points if start else NO_HANDICAP


def _current_handicaps(entries: Sequence[HandicapEntry], start: HandicapStart | None) -> Handicaps:
    return entries[-1].after if entries else _points(start)


def comparison_key(name: str) -> str:
    """A name as it is stored with a handicap, and compared.

    >>> comparison_key("  Ann  Lee ") == comparison_key("ann lee")
    True
    """
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()


# --- what a change to a game does to it --------------------------------------------------------------


def watch_handicap(game: Game, sides: Sequence[Sequence[str]] | None = None) -> Sequence[str]:
    """A `scoring.cards.submit.Watch`: how the two start their next game, and which later games started from something
    else than the handicap that is now before them. `sides`: as for `handicap_ledger`."""
    ledger = handicap_ledger(game, sides)
    if ledger is None:
        return ()
    (name, start), (other, other_start) = ledger.starts
    words = _("The next game between the two: %(name)s starts with %(start)s, %(other)s with %(other_start)s.") % {
        "name": name,
        "start": points(start),
        "other": other,
        "other_start": points(other_start),
    }
    place = max((row.entry.place for row in ledger.rows if row.entry.game_id == game.pk), default=0)
    later = [row for row in ledger.rows if row.entry.place > place and row.other_start]
    if not place or not later:
        return [words]
    first = later[-1]
    later_words = ngettext(
        "%(n)d later game keeps its start and its result: %(title)s, %(played)s instead of %(handicap)s.",
        "%(n)d later games keep their starts and results; the first is %(title)s, %(played)s instead of %(handicap)s.",
        len(later),
    ) % {
        "n": len(later),
        "title": first.entry.game.title,
        "played": " : ".join(map(points, first.played_from)),
        "handicap": " : ".join(map(points, first.before)),
    }
    return [f"{words} {later_words}"]


# --- its page ----------------------------------------------------------------------------------------


class HandicapForm(ReasonForm):
    def __init__(self, data: Mapping[str, Any] | None = None, *, names: Sequence[str], target: int | None) -> None:
        """`names` are in the order of the game's sides."""
        super().__init__(data)
        self.target = target
        for side, name in enumerate(names):
            self.fields[f"points_{side}"] = FigureField(label=name, required=False)
        self.order_fields(["points_0", "points_1", "reason"])

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for side in range(2):
            if self.target is not None and (cleaned.get(f"points_{side}") or 0) >= self.target:
                words = _("A game is won with %(target)s. Write less than that.") % {"target": points(self.target)}
                self.add_error(f"points_{side}", words)
        return cleaned

    def points(self) -> tuple[int, int]:
        return self.cleaned_data["points_0"] or 0, self.cleaned_data["points_1"] or 0


@club_page
def handicap(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    """A director may begin it with what the two have on paper, before their first game here is over."""
    the_game = Game.get_or_404(club, game)
    ledger = handicap_ledger(the_game)
    directs = is_director(request, club)
    if ledger is None:
        raise Http404
    data = request.POST if request.method == "POST" else None
    form = HandicapForm(data, names=ledger.names, target=the_game.engine_rules.target)
    if request.method == "POST" and form.is_valid():
        try:
            bring_handicap(
                game=the_game, points=form.points(), reason=form.cleaned_data["reason"], by=request_actor(request)
            )
        except BothAhead:
            form.add_error("points_1", _("Only one of the two can have a handicap. Leave the other empty."))
        except GamesCount:
            messages.error(request, _("They have finished a game here, so their handicap is worked out from it."))
        else:
            messages.success(request, _("Noted: their next game starts with it."))
        if not form.errors:
            return redirect("handicap", club.slug, the_game.pk)
    context = {"game": the_game, "ledger": ledger, "form": form if directs and ledger.can_begin else None}
    return render(request, "scoring/handicaps/handicap.html", context, status=422 if form.errors else 200)
