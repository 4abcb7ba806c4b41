"""An evening to measure: nine tables, a scorer at each of 27 cards, who else is there, and what they send."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.conf import settings
from django.test import Client
from django.urls import reverse

from clubsite.accounts.models import Actor, Role, User
from clubsite.bench.crowd import make_event
from clubsite.bench.hall.urls import BARE
from scoring.engine.core.ruleset import Shape
from scoring.engine.points_only import PointsDeal
from scoring.entered import DealAt, Entered
from scoring.families import PAGES
from scoring.models import DealVersion, Game
from tournaments.draws.formats.base import DrawOptions
from tournaments.draws.making import make_draw
from tournaments.entries.actions import import_names
from tournaments.events.actions import EventFacts, create_event, games_of
from tournaments.models import Draw, Event

SCORERS = 27
TWICE, CONFLICTING = 0.3, 0.1  # shares of the taps
DEALS_OF_A_CARD = 4
TOKEN = "x" * 32
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


@dataclass(frozen=True, slots=True)
class ScorerTap:
    """The posts that one tap leads to: `first`, and `beside` it the same again (bad Wi-Fi) or somebody else's for that
    deal."""

    first: Post
    beside: tuple[Post, ...] = ()


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
        games = list(
            Game.objects.filter(club=self.event.club).order_by("group_game__number", "pk").select_related("rules")
        )
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
        first = self._post(scorer, game, number=number, submission=uuid4())
        chance = self.random.random()
        if chance < TWICE:
            return ScorerTap(first, (first,))
        if chance < TWICE + CONFLICTING:
            other = (scorer + 1) % SCORERS
            return ScorerTap(first, (self._post(other, game, number=number, submission=uuid4()),))
        return ScorerTap(first)

    def _post(self, scorer: int, game: Game, *, number: int, submission: UUID) -> Post:
        facts = PointsDeal(points=tuple(self.random.randrange(1, 60) for _side in range(3)))
        form = PAGES["points-only"].form(at=DealAt(game, ["a", "b", "c"], number), now=Entered(facts))
        given = {bound.html_name: bound.value() for bound in form if bound.value() not in (None, False, "")}
        fields = {**given, "number": number, "submission": submission, "sure": "on"}
        address = reverse("card", args=[self.event.club.slug, game.pk])
        by_script, page = (posted(address, self.heads[scorer] + more, fields=fields) for more in (BY_SCRIPT, ""))
        return Post(scorer, game.pk, number, submission, by_script, page)

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
        said: dict[tuple[int, int], set[UUID]] = {}
        for post in self.acknowledged:
            said.setdefault((post.game, post.number), set()).add(post.submission)
        return len(versions) - len(set(versions)) + sum(len(submissions) > 1 for submissions in said.values())

    def recorded(self) -> int:
        """Deals that the scorers have recorded."""
        return len({(post.game, post.number) for post in self.acknowledged})


def begin() -> Evening:
    """54 people at nine tables, whose round is published; a small event of the same club with a draft; 27 scorers."""
    event, user = make_event()
    by = Actor(user=user, name="bench")
    facts = EventFacts(
        name="Twelve",
        game=next(game for game in games_of(event.club) if game.slug == "points-only"),
        shape=Shape(3),
        starts_at=datetime.now(UTC) - timedelta(hours=1),
        places=12,
    )
    small = create_event(club=event.club, by=by, format=Event.Format.CONTEST, facts=facts)
    import_names(event=small, names=[f"Guest {n:02}" for n in range(12)], by=by, submission=uuid4())
    draft = make_draw(stage=small.stages.get(number=1), by=by, seen=0, options=DrawOptions(seed=1))
    heads = [_head(event, f"bench-scorer-{n}", kind=Role.Kind.SCOREKEEPER) for n in range(SCORERS)]
    director = _head(event, "bench-director", kind=Role.Kind.DIRECTOR)
    return Evening(event, draft, heads, director)


def posted(address: str, head: str, *, fields: dict[str, object]) -> bytes:
    """A form as a browser sends it."""
    body = urlencode(fields).encode()
    return f"POST {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def _head(event: Event, name: str, *, kind: Role.Kind) -> str:
    user = User.objects.create_user(username=name)
    Role.objects.create(user=user, club=event.club, kind=kind)
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(user)
    session = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    return (
        f"Cookie: {session}; {settings.CSRF_COOKIE_NAME}={TOKEN}\r\nX-CSRFToken: {TOKEN}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
    )
