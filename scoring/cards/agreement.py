"""A side says that a deal is right, or that it isn't and what it should be.

The club chooses which sides have to say so (`Club.agreement`). Each time a side does, it is one transaction with its
log entry.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from scoring.cards.deals import DealError, DealIsVoid, Superseded, lock_game, mark_deal
from scoring.models import LONGEST_REASON, Agreement, Deal, DealVersion, Game
from scoring.templatetags.figures import points as in_figures

MOST_WORDS = 120  # characters of a side's objection; the reason that is stored has its name and figures too


class NotAsked(DealError):
    """The side isn't one that the club asks: it wrote the deal itself, or nobody is asked."""


def still_asked(version: DealVersion, game: Game, *, agreed: Collection[int]) -> tuple[int, ...]:
    """The sides, from 0, that are still to say that a version of a deal of the game is right; none when it is agreed.

    `agreed` are those that have said so; the side that entered it may be known. A disputed deal needs every side,
    whatever the club asks for otherwise.

    >>> game, by_first = Game(club=Club(agreement="one"), sides_count=3), DealVersion(entered_side=0)
    >>> still_asked(by_first, game, agreed=()), still_asked(by_first, game, agreed={2})
    ((1, 2), ())
    >>> still_asked(DealVersion(entered_side=0, state="disputed"), game, agreed={2})
    (0, 1)
    """
    if version.state in (DealVersion.State.AGREED, DealVersion.State.VOID):
        return ()
    rule, wrote, sides = game.club.agreement, version.entered_side, range(game.sides_count)
    if rule == Club.Agreement.BOTH or version.state == DealVersion.State.DISPUTED:
        return tuple(side for side in sides if side not in agreed)
    if rule == Club.Agreement.NONE or any(side != wrote for side in agreed):
        return ()
    return tuple(side for side in sides if side != wrote)


def agree(*, deal: Deal, side: int, by: Actor, submission: UUID, seen: int) -> DealVersion:
    """A side says that version `seen` of a deal is right. When all that are asked have, the deal is marked agreed.

    When the same side says so again (its phone sends twice), nothing changes.

    Raises:
        NotAsked: it isn't this side that is asked.
        Superseded: another version was recorded since the page was opened.
        DealIsVoid: the deal is void.
    """
    with transaction.atomic():
        game = lock_game(deal.game)
        version = deal.versions.get(current=True)
        if Agreement.objects.filter(version__deal=deal, version__number=seen, side=side).exists():
            return version
        if version.number != seen:
            raise Superseded(version)
        if version.state == DealVersion.State.VOID:
            raise DealIsVoid
        agreed = {row.side for row in version.agreements.all()}
        if side not in still_asked(version, game, agreed=agreed):
            raise NotAsked
        Agreement.objects.create(version=version, side=side, actor=by.name, route=by.route)
        log(club=game.club, by=by, verb="deal.agree", subject=deal, new={"side": side, "version": seen})
        if still_asked(version, game, agreed={*agreed, side}):
            return version
        done = mark_deal(deal=deal, state=DealVersion.State.AGREED, by=by, submission=submission, seen=seen)
        Agreement.objects.bulk_create(  # the new version also names those who agreed to the old one
            Agreement(version=done, side=row.side, actor=row.actor, route=row.route) for row in version.agreements.all()
        )
    return done


@dataclass(frozen=True, slots=True)
class Objection:
    """What a side says that a deal should be: in words, or the sides' points."""

    says: str
    points: Sequence[int | None] = ()

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return bool(self.says) or any(value is not None for value in self.points)

    def by(self, names: Sequence[str], side: int) -> str:
        """It as a side says it: a reason that can be stored, of which only names give way where they are too long."""
        said = {n: in_figures(value) for n, value in enumerate(self.points) if value is not None}
        own = [said.pop(side)] if side in said else []  # its name stands before it
        figures = ", ".join([*own, *(f"{names[n]} {value}" for n, value in said.items())])
        whole = self._said(names[side], figures)
        if len(whole) <= LONGEST_REASON:
            return whole
        in_order = figures and " · ".join("–" if value is None else in_figures(value) for value in self.points)
        room = LONGEST_REASON - len(self._said("", in_order))
        return self._said(Truncator(names[side]).chars(room), in_order)

    def _said(self, who: str, figures: str) -> str:
        return _("%(side)s: %(says)s") % {"side": who, "says": " · ".join(filter(None, (figures, self.says)))}


def dispute(*, deal: Deal, side: int, objection: Objection, by: Actor, submission: UUID, seen: int) -> DealVersion:
    """A side says that version `seen` of a deal isn't right, and what it should be.

    The deal is marked disputed, and counts as it stands until it is corrected or agreed.

    Raises:
        Superseded, DealIsVoid, Signed, SentElsewhere: as `mark_deal` does.
    """
    reason = objection.by([str(one) for one in deal.game.sides.all()], side)
    state = DealVersion.State.DISPUTED
    return mark_deal(deal=deal, state=state, by=by, submission=submission, seen=seen, reason=reason)
