"""Deals of published rounds that a table disputes, that may have been entered twice, or that nobody has agreed on:
named before anything is published that counts them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby, pairwise
from typing import Any, Protocol, TypeVar

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.models import Club
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
        words = {"table": self.table, "game": self.game, "deal": self.number, "round": self.round}
        if self.games > 1:
            return _("Table %(table)s, game %(game)d, deal %(deal)d, is disputed") % words
        if self.round:
            return _("Round %(round)d, table %(table)s, deal %(deal)d, is disputed") % words
        return _("Table %(table)s, deal %(deal)d, is disputed") % words

    @property
    def words(self) -> str:
        return f"{self.title}: {self.reason}" if self.reason else f"{self.title}."

    @property
    def address(self) -> str:
        return reverse("deal", args=[self.event.club.slug, self.deal])


def disputes_in(events: Collection[Event]) -> list[Dispute]:
    """The open disputes in all published rounds of events of one club, in order of rounds, tables and deals. One
    query."""
    return _open_disputes({"round__stage__event__club": next(iter(events)).club_id}, events) if events else []


def disputes_of_round(round: Round) -> list[Dispute]:
    return [replace(dispute, round=None) for dispute in _open_disputes({"round": round}, [round.stage.event])]


def disputes_of_stage(stage: Stage) -> list[Dispute]:
    return _open_disputes({"round__stage": stage}, [stage.event])


def doubts_in(club: Club, **draws: object) -> list[dict[str, str]]:
    """What is to be looked at on the cards of published `draws`, given by fields of theirs, in order of rounds and
    tables: deals in a row with the same figures, the last not agreed on: one may have been entered twice; deals that a
    table is asked to agree on, and hasn't. One query."""
    draw, game = "deal__game__group_game__group__table__draw", "deal__game__group_game"
    versions = DealVersion.objects.filter(deal=OuterRef("deal"))
    current = (
        DealVersion.objects.filter(current=True, **{f"{draw}__{name}": value for name, value in draws.items()})
        .filter(**{f"{draw}__state": Draw.State.PUBLISHED})
        .exclude(state=DealVersion.State.VOID)
        .select_related("deal__game__rules")
        .annotate(entered_first=Subquery(versions.order_by("number").values("route")[:1]))
        .order_by(
            f"{draw}__round__number",
            f"{game}__group__table__number",
            f"{game}__group__number",
            f"{game}__number",
            "deal__number",
        )
    )
    return [
        doubt
        for _game, versions in groupby(current, key=lambda version: version.deal.game_id)
        for doubt in _doubts(club, list(versions))
    ]


def _doubts(club: Club, versions: Sequence[DealVersion]) -> Iterator[dict[str, str]]:
    """`versions`: those that stand on one card, in order of their deals."""
    card = versions[0].deal.game
    for first, second in repeated_deals(versions, least=card.rules.same_in_a_row):
        if second.state != DealVersion.State.AGREED:
            numbers = {"game": card.title, "one": first.deal.number, "two": second.deal.number}
            yield {
                "words": _("%(game)s: deals %(one)d and %(two)d have the same figures.") % numbers,
                "advice": _("If one was entered twice, make it void; if both are right, mark the second as agreed."),
                "address": reverse("deal", args=[club.slug, second.deal_id]),
                "link": _("To the deal"),
            }
    left = [version.deal.number for version in versions if version.state == DealVersion.State.ENTERED]
    if (
        left
        and club.agreement != Club.Agreement.NONE
        and agreement_asked(
            (version.state, version.entered_first)  # type: ignore[attr-defined]  # annotated
            for version in versions
        )
    ):
        words = ngettext(
            "%(game)s: deal %(deals)s isn't agreed.", "%(game)s: deals %(deals)s aren't agreed.", len(left)
        )
        yield {
            "words": words % {"game": card.title, "deals": ", ".join(map(str, left))},
            "advice": _("Both sides need to check the card and agree."),
            "address": reverse("card", args=[club.slug, card.pk]),
            "link": _("To the card"),
        }


class HasFacts(Protocol):
    @property
    def facts(self) -> Any: ...


OfDeal = TypeVar("OfDeal", bound=HasFacts)


def repeated_deals(deals: Iterable[OfDeal], *, least: int) -> Iterator[tuple[OfDeal, OfDeal]]:
    """Neighbours with the same figures, from the `least`-th deal in a row that has them on."""
    in_a_row = 1
    for first, second in pairwise(deals):
        in_a_row = in_a_row + 1 if first.facts == second.facts else 1
        if in_a_row >= least:
            yield first, second


def agreement_asked(deals: Iterable[tuple[str, str]]) -> bool:
    """Whether a table is to agree on its deals where its club asks so: it has begun to, or scores on its own phone.

    `deals`: of each its state and the route by which it was entered first."""
    return any(state == DealVersion.State.AGREED or route == TABLE for state, route in deals)


def refuse_disputed(disputes: Collection[Dispute], *, despite: Collection[int]) -> None:
    left = [dispute for dispute in disputes if dispute.deal not in despite]
    if left:
        named = " ".join(dispute.words for dispute in left)
        raise StepRefused(
            _("%(disputes)s Settle it, or confirm that the deals count as they are.") % {"disputes": named}
        )


def _open_disputes(of_draw: Mapping[str, object], events: Collection[Event]) -> list[Dispute]:
    """The open disputes in published draws, given by fields of theirs, of these events."""
    group = "deal__game__group_game__group__"
    draw = f"{group}table__draw__"
    stage = f"{draw}round__stage__"
    order = (f"{stage}number", f"{draw}round__number", f"{group}table__number", f"{group}number")
    where = {f"{draw}{name}": value for name, value in of_draw.items()} | {f"{draw}state": Draw.State.PUBLISHED}
    disputed = (
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
        for event, games, round_, table, letter, game, deal, number, reason, actor, route, at in disputed
        if event in by_pk
    ]
