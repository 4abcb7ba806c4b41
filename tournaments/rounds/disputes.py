"""Deals of published rounds that a table disputes, or that may have been entered twice: named before anything is
published that counts them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.questions import Given, Question
from scoring.cards.deals import TABLE
from scoring.models import DealVersion
from tournaments.errors import StepRefused
from tournaments.models import Draw, Event, Round, Stage


@dataclass(frozen=True, slots=True)
class Dispute:
    """A disputed deal, and where it is. `round` is None where the round needn't be named."""

    event: Event
    deal: int
    number: int
    table: str  # "3A"; "3" where a table is one group
    game: int  # its number in the set
    games: int  # in the set
    round: int | None
    reason: str
    by: str
    by_link: bool  # whether it was marked at the table itself, by its link
    at: datetime

    @property
    def title(self) -> str:
        """Which deal it is, in words: "Table 3, deal 4, is disputed"."""
        words = {"table": self.table, "game": self.game, "deal": self.number, "round": self.round}
        if self.games > 1:
            return _("Table %(table)s, game %(game)d, deal %(deal)d, is disputed") % words
        if self.round:
            return _("Round %(round)d, table %(table)s, deal %(deal)d, is disputed") % words
        return _("Table %(table)s, deal %(deal)d, is disputed") % words

    @property
    def words(self) -> str:
        """Which deal it is, and what the table says."""
        return f"{self.title}: {self.reason}" if self.reason else f"{self.title}."

    @property
    def address(self) -> str:
        """The deal's page, where it is corrected or agreed."""
        return reverse("deal", args=[self.event.club.slug, self.deal])


@dataclass(frozen=True, slots=True)
class Alike:
    """Two deals of a game in a row with the same figures, the second not agreed on: it may have been entered twice."""

    club: str  # its slug
    game: str  # its title, which has the round and the table
    deals: tuple[int, int]  # their numbers
    second: int  # the key of the second

    @property
    def words(self) -> str:
        """Which deals they are."""
        one, two = self.deals
        return _("%(game)s: deals %(one)d and %(two)d have the same figures.") % {
            "game": self.game,
            "one": one,
            "two": two,
        }

    @property
    def address(self) -> str:
        """The second deal's page, where it is made void or agreed."""
        return reverse("deal", args=[self.club, self.second])


def disputes_in(events: Collection[Event]) -> list[Dispute]:
    """The open disputes in all published rounds of events of one club, in order of rounds, tables and deals. One
    query."""
    return _read(OF_CLUB.ask(key=next(iter(events)).club_id), events) if events else []


def disputes_of_round(round: Round) -> list[Dispute]:
    """The open disputes of a round. One query."""
    return [replace(dispute, round=None) for dispute in _read(OF_ROUND.ask(key=round.pk), [round.stage.event])]


def disputes_of_stage(stage: Stage) -> list[Dispute]:
    """The open disputes of a stage, which its cut and its result count. One query."""
    return _read(OF_STAGE.ask(key=stage.pk), [stage.event])


def alike_in(club: Club, **draws: object) -> list[Alike]:
    """The deals alike in published `draws`, by fields of theirs, in order of rounds, tables and deals. One query."""
    draw = "deal__game__group_game__group__table__draw"
    game = "deal__game__group_game"
    found = (
        DealVersion.objects.filter(current=True, **{f"{draw}__{name}": given for name, given in draws.items()})
        .filter(**{f"{draw}__state": Draw.State.PUBLISHED})
        .exclude(state=DealVersion.State.VOID)
        .order_by(
            f"{draw}__round__number",
            f"{game}__group__table__number",
            f"{game}__group__number",
            f"{game}__number",
            "deal__number",
        )
        .values_list("deal__game", "facts", "deal__number", "deal__game__title", "deal", "state")
    )
    return [
        Alike(club.slug, two[3], (one[2], two[2]), two[4])
        for one, two in pairwise(found)
        if one[:2] == two[:2] and two[5] != DealVersion.State.AGREED
    ]


def refuse_disputed(disputes: Collection[Dispute], *, despite: Collection[int]) -> None:
    """Raises StepRefused unless every disputed deal is in `despite`: those that the director saw and lets count."""
    left = [dispute for dispute in disputes if dispute.deal not in despite]
    if left:
        named = " ".join(dispute.words for dispute in left)
        raise StepRefused(_("%(disputes)s Settle it, or say that this counts all the same.") % {"disputes": named})


def _open(of_draw: str) -> Question[tuple[Any, ...]]:
    """What is read of the disputed deals of published draws that have a key there."""
    group = "deal__game__group_game__group__"
    draw = f"{group}table__draw__"
    stage = f"{draw}round__stage__"
    order = (f"{stage}number", f"{draw}round__number", f"{group}table__number", f"{group}number")
    where = {f"{draw}{of_draw}": Given("key"), f"{draw}state": Draw.State.PUBLISHED}
    return Question(
        lambda: (
            DealVersion.objects.filter(current=True, state=DealVersion.State.DISPUTED, **where)
            .order_by(*order, "deal__game__group_game__number", "deal__number")
            .values_list(
                f"{stage}event",
                f"{stage}games",
                f"{draw}round__number",
                f"{group}table__number",
                f"{group}number",
                "deal__game__group_game__number",
                "deal",
                "deal__number",
                "reason",
                "actor",
                "route",
                "at",
            )
        )
    )


OF_CLUB, OF_STAGE, OF_ROUND = _open("round__stage__event__club"), _open("round__stage"), _open("round")


def _read(found: Iterable[tuple[Any, ...]], events: Collection[Event]) -> list[Dispute]:
    by_pk = {event.pk: event for event in events}
    return [
        Dispute(
            event=by_pk[event],
            deal=deal,
            number=number,
            table=by_pk[event].group_label(table, letter),
            game=game,
            games=games,
            round=round_ if by_pk[event].by_rounds else None,
            reason=reason,
            by=actor,
            by_link=route == TABLE,
            at=at,
        )
        for event, games, round_, table, letter, game, deal, number, reason, actor, route, at in found
        if event in by_pk
    ]
