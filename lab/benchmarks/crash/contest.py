"""What the site has while things fail: a contest scored at its tables, cards at the desk, and a contest to be cut."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import count, zip_longest
from uuid import uuid4

from django.urls import reverse

from clubsite.accounts.models import Actor, Club, Role
from lab.benchmarks.served import contest_facts, logged_in_client, make_draft, make_user
from scoring.cards.deals import end_game, record_deal, start_game
from scoring.engine.core.ruleset import shipped
from scoring.engine.points_only import PointsDeal
from scoring.families.deal_form import EnteredDeal
from scoring.house_rules.actions import RulesChange, publish_rules
from tournaments.cuts.cuts import propose
from tournaments.models import Draw, Event, Group, Stage, TableLink
from tournaments.rounds.publishing import publish_draw
from tournaments.table_links.links import readable_token

DEALS = 60  # deals of one game
TITLE = "Long evening"
PEOPLE = 54


@dataclass(frozen=True, slots=True)
class CardToFill:
    """A game that somebody scores, and where its form is sent."""

    game: int
    address: str


@dataclass(frozen=True, slots=True)
class CrashContest:
    """Where people write, and as whom. Every second one of `cards` is scored by its table's link."""

    club: str
    cards: tuple[CardToFill, ...]
    director: str  # the value of a director's session cookie
    cut_event: str
    cut_stage: int
    fingerprint: str
    printed: str  # the address of a document that is printed
    blank: str  # that of blank cards, as many as it is asked for

    @classmethod
    def read(cls, text: str) -> CrashContest:
        data = json.loads(text)
        return cls(**{**data, "cards": tuple(CardToFill(**card) for card in data["cards"])})


def make_contest(cards: int, people: int = PEOPLE) -> CrashContest:
    """A club with two contests of so many people, and so many cards at the desk, in this, empty, database."""
    club = Club.objects.create(name="Bench of faults", slug="bench-of-faults")
    user = make_user(club, "director", kind=Role.Kind.DIRECTOR)
    by = Actor(user=user, name="bench")
    change = RulesChange(values={"deals": DEALS}, title=TITLE, about="As we play.")
    rules = publish_rules(club=club, base=shipped()["points-only"], seen=0, by=by, change=change)
    scored, cut = (_make_event(club, by, name=name, people=people) for name in ("Scored", "Cut"))
    number = count(1)
    for group in Group.objects.filter(table__draw__round__stage__event=cut):
        for row in group.games.select_related("game"):
            points = PointsDeal(points=tuple(next(number) for _side in range(3)))
            record_deal(game=row.game, number=1, entered=EnteredDeal(points, sure=True), by=by, submission=uuid4())
            end_game(game=row.game, by=by, reason="time")
    links = TableLink.objects.filter(event=scored, revoked_at=None).select_related("group")
    at_tables = [
        CardToFill(row.game_id, reverse("table_game", args=[readable_token(link), row.number]))
        for link in links
        for row in link.group.games.all()
    ]
    desk = [
        start_game(club=club, rules=rules, title=f"Card {n}", sides=[["Ann"], ["Bob"], ["Cal"]]) for n in range(cards)
    ]
    at_desk = [CardToFill(game.pk, game.get_absolute_url()) for game in desk]
    stage = Stage.objects.select_related("event__club", "event__rules").get(event=cut, number=1)
    draw = Draw.objects.get(round__stage__event=scored, state=Draw.State.PUBLISHED)
    return CrashContest(
        club=club.slug,
        cards=tuple(card for both in zip_longest(at_tables, at_desk) for card in both if card),
        director=logged_in_client(user).cookies["sessionid"].value,
        cut_event=cut.slug,
        cut_stage=stage.number,
        fingerprint=propose(stage).fingerprint,
        printed=reverse("document", args=[club.slug, scored.slug, "cards"]) + f"?draw={draw.pk}",
        blank=reverse("document", args=[club.slug, scored.slug, "blank"]),
    )


def _make_event(club: Club, by: Actor, *, name: str, people: int) -> Event:
    facts = replace(contest_facts(club, name, title=TITLE), games=1)
    draw = make_draft(facts, [f"{name} {n:02}" for n in range(people)], club=club, by=by)
    publish_draw(draw=draw, by=by)
    return draw.round.stage.event
