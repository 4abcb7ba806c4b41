"""The handicap between two players: every game they play moves it, and it is the start of their next one.

Source: 002, section 14. Players are identified by their names in the club, compared without regard to capitals and
spaces: a side holds names, and a guest has nothing else.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.accounts.roles import actor_of, club_page, is_director
from scoring.engine.core.game import NO_HANDICAP, GameEnd, HandicapRules, Handicaps, handicaps_after_each
from scoring.form_parts import FigureField, ReasonForm
from scoring.models import Game, HandicapEntry, HandicapStart, Side
from scoring.templatetags.figures import points


class GamesCount(Exception):
    """The two have finished a game here, and their handicap follows from it; nothing was changed."""


class BothAhead(Exception):
    """Only one of two can have a handicap; nothing was changed."""


@dataclass(frozen=True, slots=True)
class HandicapRow:
    """One game in the history, or one that has since been corrected; figures in the order of the players."""

    entry: HandicapEntry
    loser: str
    before: Handicaps
    after: Handicaps
    played_from: Handicaps  # what the two had at the start of the game, as its card says

    @property
    def other_start(self) -> bool:
        """Whether the game counts and was played from a different start than the handicap now before it."""
        return self.entry.current and self.played_from != self.before


@dataclass(frozen=True, slots=True)
class HandicapLedger:
    """The handicap between two players, and all entries of their games, the last first, replaced ones too."""

    names: tuple[str, str]
    now: Handicaps
    rows: tuple[HandicapRow, ...]
    brought: HandicapStart | None  # what they had before their first game here, as their paper has it
    points_brought: Handicaps

    @property
    def may_begin(self) -> bool:
        """Whether they can still bring a handicap from their paper: no game counts yet."""
        return not any(row.entry.current for row in self.rows)

    @property
    def starts(self) -> tuple[tuple[str, int], ...]:
        """Each player's points at the start of the next game."""
        return tuple(zip(self.names, self.now, strict=True))


def rules_for(engine_rules: Any) -> HandicapRules | None:
    """The numbers of the handicap in a game's rules; None where they have no handicap, or the lowest total wins, as
    points to start with help nobody then."""
    gain: int = 0 if engine_rules.lowest_wins else getattr(engine_rules, "handicap", 0)
    return HandicapRules(gain, engine_rules.handicap_below, engine_rules.handicap_larger) if gain else None


class _Two:
    """The players of a game with a handicap between two. `key` finds their records: their names as they are compared,
    in order; `turned`: the first of these is on the second side."""

    def __init__(self, club: Club, names: Sequence[str]) -> None:
        first, second = sorted(map(as_compared, names))
        self.key: dict[str, Any] = {"club": club, "first": first, "second": second}
        self.turned = as_compared(names[0]) != first

    def seated(self, figures: Handicaps) -> Handicaps:
        """Figures of the names in order, by side; or figures by side, of the names in order."""
        return (figures[1], figures[0]) if self.turned else figures

    def entries(self) -> list[HandicapEntry]:
        """The entries that count, in the order of the games."""
        entries = HandicapEntry.objects.filter(**self.key, current=True)
        return list(entries.select_related("game__rules", "game__club").order_by("place"))

    def brought(self) -> HandicapStart | None:
        """What the two brought from their paper."""
        return HandicapStart.objects.filter(**self.key).order_by("-id").first()


def _two(club: Club, engine_rules: Any, *, sides: Sequence[Sequence[str]]) -> _Two | None:
    """The players of a game with these sides; None unless they are two, each alone, and the rules have a handicap."""
    if rules_for(engine_rules) is None or [len(names) for names in sides] != [1, 1]:
        return None
    names = [name for (name,) in sides]
    return _Two(club, names) if as_compared(names[0]) != as_compared(names[1]) else None


def next_start(club: Club, engine_rules: Any, *, sides: Sequence[Sequence[str]]) -> list[int]:
    """The points with which each side starts a new game: the handicap of its player, or nothing."""
    two = _two(club, engine_rules, sides=sides)
    return [0] * len(sides) if two is None else list(two.seated(_now(two.entries(), two.brought())))


def ledger_of(game: Game, sides: Sequence[Sequence[str]] | None = None) -> HandicapLedger | None:
    """The history of the two players of a game, or of two others named in `sides`; None where its rules have no
    handicap."""
    if rules_for(game.engine_rules) is None:
        return None
    names = [side.names for side in game.sides.all()] if sides is None else sides
    two = _two(game.club, game.engine_rules, sides=names)
    if two is None:
        return None
    shown = (names[0][0], names[1][0])
    loser = shown if two.turned else shown[::-1]  # by the number of the winner
    entries = HandicapEntry.objects.filter(**two.key).select_related("game__rules", "game__club")
    rows = tuple(
        HandicapRow(
            entry,
            loser[entry.winner],
            two.seated(entry.before),
            two.seated(entry.after),
            _played_from(entry.game, shown),
        )
        for entry in entries.prefetch_related("game__sides").order_by("-place", "-id")
    )
    start = two.brought()
    now = _now([row.entry for row in reversed(rows) if row.entry.current], start)
    return HandicapLedger(shown, two.seated(now), rows, start, two.seated(_points(start)))


def _played_from(game: Game, names: tuple[str, str]) -> Handicaps:
    """The points with which a game between the two of these names began, in their order."""
    first, second = game.sides.all()
    same = as_compared(first.names[0]) == as_compared(names[0])
    return (first.start, second.start) if same else (second.start, first.start)


def bring_handicap(*, game: Game, points: Handicaps, reason: str, by: Actor) -> HandicapStart:
    """Begin the handicap between a game's players with what their paper has; `points` in the order of the sides.

    Games that have begun keep their start; the next one starts with it.

    Raises:
        GamesCount: they have finished a game here.
        BothAhead: both are above zero.
        ValueError: the game has no handicap between two players.
    """
    two = _two(game.club, game.engine_rules, sides=[side.names for side in game.sides.all()])
    if two is None:
        raise ValueError("no handicap between two players")
    if min(points) > 0:
        raise BothAhead
    first, second = two.seated(points)
    with transaction.atomic():
        game.club.lock()
        if two.entries():
            raise GamesCount
        old = two.brought()
        if old is not None and (old.points, old.reason) == ((first, second), reason):
            return old
        start = HandicapStart.objects.create(
            **two.key, points_first=first, points_second=second, reason=reason, actor=by.name
        )
        new = {"points": [first, second], "reason": reason}
        subject = f"{start.first} / {start.second}"
        log(club=game.club, by=by, verb="handicap.bring", subject=subject, old=list(_points(old)), new=new)
    return start


def settle(game: Game) -> None:
    """Bring the handicap of a game's players up to date with the game; to be called in the transaction that
    changes the game.

    A game that ends with a winner is entered last. One whose winner or loser's total changes is entered again in its
    place, and so is every later game whose effect that changes; the earlier entries are kept.
    """
    _follow(game, counts=True)


def let_go(game: Game) -> None:
    """Take a game out of its players' handicap before it gets other names; call it as `settle`, which comes next.

    What they brought from their paper stays, and so do the points that a later game began with.
    """
    _follow(game, counts=False)


def _follow(game: Game, *, counts: bool) -> None:
    """Rewrite the course of a pair's handicap from a game that counts as it is now, or not at all."""
    if rules_for(game.engine_rules) is None:
        return
    sides = list(Side.objects.filter(game=game))  # as they are now: not those that the caller may have read before
    counts = counts and game.state != Game.State.NOT_PLAYED  # a walkover has a winner, too
    won = [side for side in sides if counts and side.half_wins == 2]
    two = _two(game.club, game.engine_rules, sides=[side.names for side in sides])
    if two is None or not (won or game.handicap_entries.filter(current=True).exists()):
        return
    game.club.lock()
    entries = {entry.game_id: entry for entry in two.entries()}
    played = {pk: (entry.place, entry.game, GameEnd(entry.winner, entry.loser_total)) for pk, entry in entries.items()}
    if won:
        winner = won[0].number
        end = GameEnd(1 - winner if two.turned else winner, sides[1 - winner].total)
        played[game.pk] = (_place(game, two), game, end)
    elif game.pk in entries:
        _retire(entries[game.pk])
        del played[game.pk]
    games = sorted(played.values(), key=itemgetter(0))
    start = _points(two.brought())
    states = handicaps_after_each(
        ((end, rules_for(each.engine_rules) or HandicapRules()) for _at, each, end in games), start
    )
    for (place, each, end), before, after in zip(games, (start, *states), states, strict=False):
        entry = HandicapEntry(
            **two.key,
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
        if old is not None and _says(old) == _says(entry):
            continue
        if old is not None:
            _retire(old)
        entry.save()


def _says(entry: HandicapEntry) -> tuple[Any, ...]:
    return entry.winner, entry.loser_total, entry.before, entry.after


def _retire(entry: HandicapEntry) -> None:
    HandicapEntry.objects.filter(pk=entry.pk).update(current=False)


def _place(game: Game, two: _Two) -> int:
    """A game's place in the order of games: the one it had before, or the last."""
    of_two = HandicapEntry.objects.filter(**two.key)
    if earlier := of_two.filter(game=game).order_by("-id").first():
        return earlier.place
    last = of_two.order_by("-place").first()
    return last.place + 1 if last else 1


def _points(start: HandicapStart | None) -> Handicaps:
    return start.points if start else NO_HANDICAP


def _now(entries: Sequence[HandicapEntry], start: HandicapStart | None) -> Handicaps:
    return entries[-1].after if entries else _points(start)


def as_compared(name: str) -> str:
    """A name as it is compared, and stored with a handicap.

    >>> as_compared("  Ann  Lee ") == as_compared("ann lee")
    True
    """
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()


# --- what a change to a game does to it --------------------------------------------------------------


def watch_handicap(game: Game, sides: Sequence[Sequence[str]] | None = None) -> Sequence[str]:
    """One text: how the two start their next game, and which later games were played from another start than the
    handicap that is before them now. A `scoring.cards.submit.Watch`. `sides`: as for `ledger_of`."""
    ledger = ledger_of(game, sides)
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
        "%(n)d later game keeps the start it was played from, and its result: %(title)s, %(played)s in place of "
        "%(handicap)s.",
        "%(n)d later games keep the start they were played from, and their results; the first is %(title)s, "
        "%(played)s in place of %(handicap)s.",
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
        """`names` are the two players' in the order of the game's sides; `target` is what wins a game."""
        super().__init__(data)
        self.target = target
        for side, name in enumerate(names):
            self.fields[f"points_{side}"] = FigureField(label=name, required=False)
        self.order_fields(["points_0", "points_1", "reason"])

    def clean(self) -> dict[str, Any]:
        """Nobody starts a game with what wins it."""
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
    """The handicap between a game's players, the start of their next game, and what every game did to it.

    A director may begin it with what the two have on paper, before their first game here is over.
    """
    the_game = Game.get_or_404(club, game)
    ledger = ledger_of(the_game)
    directs = is_director(request, club)
    if ledger is None:
        raise Http404
    data = request.POST if request.method == "POST" else None
    form = HandicapForm(data, names=ledger.names, target=the_game.engine_rules.target)
    if request.method == "POST" and form.is_valid():
        try:
            bring_handicap(
                game=the_game, points=form.points(), reason=form.cleaned_data["reason"], by=actor_of(request)
            )
        except BothAhead:
            form.add_error("points_1", _("Only one of the two can have a handicap. Leave the other empty."))
        except GamesCount:
            messages.error(request, _("They have finished a game here: their handicap follows from it."))
            return redirect("handicap", club.slug, the_game.pk)
        else:
            messages.success(request, _("Noted: their next game starts with it."))
            return redirect("handicap", club.slug, the_game.pk)
    context = {"game": the_game, "ledger": ledger, "form": form if directs and ledger.may_begin else None}
    return render(request, "scoring/handicaps/handicap.html", context, status=422 if form.errors else 200)
