"""The verb that puts right the names on the card of a game outside events."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from clubsite.previews import fingerprint
from scoring.cards.deals import Signed, is_signed, lock_game
from scoring.handicaps.actions import let_go, settle
from scoring.models import Game, Side


class NamesChanged(Exception):
    """Somebody else changed the names since the form was opened; carries those that stand."""

    def __init__(self, names: list[list[str]]) -> None:
        super().__init__(names)
        self.names = names


def names_on(game: Game) -> list[list[str]]:
    """The names as they stand on the card, by side."""
    return [list(side.names) for side in Side.objects.filter(game=game)]


def rename_players(*, game: Game, by: Actor, sides: Sequence[Sequence[str]], seen: str) -> Game:
    """Put right who played; the points stay with their sides, and the log keeps the names before.

    A handicap between two goes with them: the game leaves the course of those who didn't play it, and comes last in
    that of those who did. `seen` is the fingerprint of the names that the form was opened with.

    Raises:
        Signed: all deals are agreed, and it isn't a director.
        NamesChanged: there are other names now than were seen.
        ValueError: the game is one of an event, or the names aren't as many as its seats.
    """
    with transaction.atomic():
        game = lock_game(game)
        old, new = names_on(game), [list(names) for names in sides]
        if game.submission is None or [len(names) for names in old] != [len(names) for names in new]:
            raise ValueError("no names for this game")
        if new == old:
            return game
        if seen != fingerprint(old):
            raise NamesChanged(old)
        if not by.director and is_signed(game):
            raise Signed
        let_go(game)
        for number, names in enumerate(new):
            Side.objects.filter(game=game, number=number).update(names=names)
        settle(game)
        log(club=game.club, by=by, verb="game.names", subject=game, old={"names": old}, new={"names": new})
    return game
