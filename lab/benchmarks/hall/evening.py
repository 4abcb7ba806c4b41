"""An evening to measure: nine tables, a scorer at each of 27 cards, who else is there, and what they send."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from uuid import UUID, uuid4

from django.urls import reverse

from clubsite.accounts.models import Actor, Role
from lab.benchmarks.crowd import (
    browser_of,
    card_fields,
    cards_of,
    contest_facts,
    drafted,
    make_event,
    posted,
    somebody,
)
from lab.benchmarks.hall.urls import BARE
from scoring.models import DealVersion, Game
from tournaments.engine.grouping import grouped
from tournaments.models import Draw, Event

SCORERS = 27
TWICE, CONFLICTING = 0.3, 0.1  # shares of the taps
DEALS_OF_A_CARD = 4
BY_SCRIPT = "X-Kept: now\r\n"  # the phone's script sends it (static/kept.js)


@dataclass(frozen=True, slots=True)
class Post:
    """A request that records a deal: for which card, with which submission. `page`: the request by which the browser
    then asks for the page that says why it was refused."""

    scorer: int
    game: int
    number: int
    submission: UUID
    request: bytes
    page: bytes


ScorerTap = tuple[Post, ...]
"""The posts that one tap leads to: the first, and beside it the same again (bad Wi-Fi) or somebody else's for that
deal."""


@dataclass(slots=True)
class Evening:
    """Who is there, and what has been sent and acknowledged."""

    event: Event
    further: Draw  # a draft in another event of the club, for the director to publish
    heads: list[str]  # the headers that each scorer's browser sends
    director: str
    random: Random = field(default_factory=lambda: Random(7))
    acknowledged: list[Post] = field(default_factory=list)

    def rounds(self) -> Iterator[list[ScorerTap]]:
        """What the scorers send, round after round, until all cards are full: in a round each sends one deal."""
        games = cards_of(self.event)
        played = {game.pk: game.deals_played for game in games}
        while True:
            free = [game for game in games if played[game.pk] < DEALS_OF_A_CARD][:SCORERS]
            if len(free) < SCORERS:
                return
            sent = []
            for scorer, game in enumerate(free):
                played[game.pk] += 1
                sent.append(self._sent(scorer, game, number=played[game.pk]))
            yield sent

    def _sent(self, scorer: int, game: Game, *, number: int) -> ScorerTap:
        first = self._post(scorer, game, number=number)
        chance = self.random.random()
        if chance < TWICE:
            return first, first
        if chance < TWICE + CONFLICTING:
            return first, self._post((scorer + 1) % SCORERS, game, number=number)
        return (first,)

    def _post(self, scorer: int, game: Game, *, number: int) -> Post:
        fields = card_fields(game, number, points=[self.random.randrange(1, 60) for _side in range(3)])
        address = reverse("card", args=[self.event.club.slug, game.pk])
        by_script, page = (posted(address, self.heads[scorer] + more, fields=fields) for more in (BY_SCRIPT, ""))
        return Post(scorer, game.pk, number, fields["submission"], by_script, page)

    def bare(self, scorer: int) -> bytes:
        """A request to the bare page, by the same person and of about the same length."""
        return posted(BARE, self.heads[scorer] + BY_SCRIPT, fields={"said": "x" * 150, "submission": uuid4()})

    def publish(self) -> bytes:
        """The director's request that publishes the draft."""
        at = [self.further.round.stage.event.club.slug, self.further.round.stage.event.slug]
        return posted(reverse("draw_step", args=[*at, self.further.pk]), self.director, fields={"step": "publish"})

    def print(self, copies: int) -> bytes:
        """The director's request for a file that isn't made yet."""
        address = reverse("document", args=[self.event.club.slug, self.event.slug, "blank"])
        return posted(f"{address}?copies={copies}", self.director, fields={})

    def lost(self) -> int:
        """Acknowledged deals that aren't there as they were sent."""
        there = set(DealVersion.objects.values_list("deal__game", "deal__number", "submission"))
        return sum((post.game, post.number, post.submission) not in there for post in self.acknowledged)

    def doubled(self) -> int:
        """Deals that have a second version, or were acknowledged to two scorers who disagree."""
        versions = DealVersion.objects.exclude(actor="bench").values_list("deal__game", "deal__number")
        said = grouped(((post.game, post.number), post.submission) for post in self.acknowledged)
        return len(versions) - len(set(versions)) + sum(len(set(submissions)) > 1 for submissions in said.values())

    def recorded(self) -> int:
        """Deals that the scorers have recorded."""
        return len({(post.game, post.number) for post in self.acknowledged})


def begin() -> Evening:
    """54 people at nine tables, whose round is published; a small event of the same club with a draft; 27 scorers."""
    event, user = make_event()
    by = Actor(user=user, name="bench")
    names = [f"Guest {n:02}" for n in range(12)]
    draft = drafted(contest_facts(event.club, "Twelve"), names, club=event.club, by=by)
    scorers = [somebody(event.club, f"scorer-{n}", kind=Role.Kind.SCOREKEEPER) for n in range(SCORERS)]
    director = somebody(event.club, "director", kind=Role.Kind.DIRECTOR)
    return Evening(event, draft, list(map(browser_of, scorers)), browser_of(director))
