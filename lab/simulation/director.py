"""A random director: tries any step of an event at any time, through the verbs that the pages use.

Every choice comes from a function that is handed in, so that a sequence can be replayed, and made shorter by the
search for the shortest that fails. Most cards are those of a game in plain points, with few different totals, so that
ties are frequent; in other games true deals are played.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import Field, replace
from datetime import UTC, datetime
from random import Random
from typing import Any, TypeAlias, TypeVar
from uuid import UUID, uuid5

from django.db.models import Max, Model, QuerySet, Sum

from clubsite.accounts.models import Actor, Club
from lab.simulation.deals import true_deal
from scoring.cards.deals import DealError, correct_deal, end_game, mark_deal, record_deal, reopen_game
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.points_only import PointsDeal
from scoring.engine.settings import change_settings
from scoring.families.deal_form import EnteredDeal
from scoring.models import Deal, DealVersion, Game, Points
from tournaments.draws import changes
from tournaments.draws.drafts import WITH_EVENT
from tournaments.draws.making import DrawOptions, make_draw
from tournaments.engine.formats import FORMATS, TRAITS, option_fields
from tournaments.entries import actions as entries, partners
from tournaments.errors import StepRefused
from tournaments.events.actions import EventFacts, GameChoice, create_event
from tournaments.events.state import night_stage, result_stage
from tournaments.models import Adjustment, Draw, Entry, Event, Stage
from tournaments.rounds import attendance, publishing
from tournaments.rulings import actions
from tournaments.standings import results
from tournaments.standings.standings import rows_fingerprint, standings_of

Choose: TypeAlias = Callable[[int], int]  # a number from 0 to below the one given
T = TypeVar("T")
Row = TypeVar("Row", bound=Model)

WHY = "the director says so"
POINTS = (10, 20, 30)  # few, so that many are level
SEEDS = 10_000  # of true deals
SLOW = ("double-deck-partnership-pinochle", "three-hand-double-pinochle")  # whose players think for 50 ms a deal
OTHERS = tuple(slug for slug, one in shipped().items() if one.family != "points-only" and slug not in SLOW)
MOST_ROUNDS = 3
MOST_NUMBER = 3  # of legs, groups, losses, tables
RESULTS: tuple[dict[str, Any], ...] = ({}, {}, {"win": 2, "draw": 1, "loss": 0, "wide": [[11, 3], [31, 4]]})
SPACE = UUID("8f0e7f4e-6a0b-4a7c-9a77-0a3c2d1f5b10")  # from which ids are made that clients would have made
STARTS = datetime(2027, 4, 3, 18, 0, tzinfo=UTC)
DRAW = "group_game__group__table__draw"  # from a game
PUBLISHED = Game.objects.filter(**{f"{DRAW}__state": Draw.State.PUBLISHED}).order_by("pk")


class Nothing(Exception):
    """Raised by a step that finds nothing to be done to, such as no draw to publish."""


class RandomDirector(ABC):
    def __init__(self, club: Club, by: Actor, *, choose: Choose, format: str) -> None:
        self.by, self.choose, self._ids = by, choose, 0
        self.said: dict[str, Any] = {"by": by, "reason": WHY}
        self.event = self._made(club, format)
        self.steps: dict[str, Callable[[], object]] = self.own_steps() | {
            "draw": self.draw,
            "publish the newest draw": self.publish_newest,
            "publish any draw": lambda: publishing.publish_draw(
                draw=self.some_draw(Draw.State.DRAFT, Draw.State.WITHDRAWN), by=self.by
            ),
            "take a draw back": lambda: publishing.take_back_draw(
                draw=self.some_draw(Draw.State.PUBLISHED), by=self.by
            ),
            "publish the result": self.publish_result,
            "take the result back": lambda: results.take_back_result(event=self.event, **self.said),
            "play": self.play,
            "correct": self.correct,
            "void": lambda: mark_deal(state=DealVersion.State.VOID, **self._of(self.some_deal())),
            "end a game": lambda: end_game(game=self.some_game(Game.State.OPEN), **self.said),
            "open a game again": lambda: reopen_game(
                game=self.some_game(Game.State.OVER, Game.State.NOT_PLAYED), **self.said
            ),
            "adjust": self.adjust,
            "take an adjustment back": lambda: actions.take_back_adjustment(
                adjustment=self.one_in(Adjustment.objects.filter(stage__event=self.event, withdrawn_at=None)),
                by=self.by,
            ),
            "change by hand": self.change_by_hand,
        }
        # These take several steps, one of which may be refused.
        self.composed = ("go on", "go back", "publish a cut", "publish the newest draw", "add a table", "lead on")
        often = {"go on": 8, "play": 2, "correct": 4, "go back": 4, "publish any draw": 4}
        often |= {"replace a player": 3, "let somebody play for a player": 2, "take a change of seats back": 2}
        often |= {"walkover": 4, "take a side out": 3, "add a table": 4, "lead on": 4}
        more = (name for name, times in often.items() if name in self.steps for _time in range(times))
        self.frequent = (*self.steps, *more)

    @abstractmethod
    def own_steps(self) -> dict[str, Callable[[], object]]:
        """The steps of this kind of event."""

    def step(self) -> tuple[str, str]:
        """Attempt one step, another where there is nothing to do. Returns its name and whether it was "done" or
        "refused"."""
        while True:
            name = self.one_of(self.frequent)
            try:
                self.steps[name]()
            except Nothing:
                continue
            except (StepRefused, DealError):
                return name, "refused"
            return name, "done"

    def one_of(self, things: Sequence[T]) -> T:
        """One of these, by choice. Raises Nothing when there is none."""
        if not things:
            raise Nothing
        return things[self.choose(len(things))]

    def one_in(self, rows: QuerySet[Row]) -> Row:
        return rows.get(pk=self.one_of(list(rows.order_by("pk").values_list("pk", flat=True))))

    def _made(self, club: Club, format: str) -> Event:
        traits = TRAITS[format]
        shape = Shape(2, 2)
        if not traits.fours:
            shape = self.one_of((Shape(4) if traits.one_table else Shape(2), shape))
        if traits.has_cut:
            shape = self.one_of((Shape(3), Shape(2)))
        offered = option_fields(FORMATS[format]) if format in FORMATS else ()
        options = {one.name: self._chosen(one) for one in offered}
        places = {3: self.one_of((9, 12)), 2: 14}.get(shape.players)
        event = create_event(
            club=club,
            by=self.by,
            format=format,
            facts=EventFacts(
                name=f"Event {self.next_id()}",
                game=self._game(shape),
                shape=shape,
                starts_at=STARTS,
                places=places if traits.has_cut else None,
                games=1,
                options=options,
                **self._without_cards(format),
            ),
        )
        if traits.has_cut:
            names = [f"Player {number}" for number in range(1, (places or 0) + self.choose(3))]
            entries.import_names(event=event, names=names, by=self.by, submission=self.next_id())
        else:
            count = 5 + self.choose(5) if shape.players == 2 else 8 + self.choose(4)
            if traits.one_table:
                count = shape.players
            elif event.makes_sides and self.choose(8):
                count += count % event.per_side  # else somebody has no partner
            for number in range(1, 1 + count):
                join = event.single_scores and bool(self.choose(2))  # members may have a handicap
                attendance.arrive(event=event, by=self.by, name=f"Player {number}", join=join)
        if event.makes_sides:
            self._pair_up(event)
        event.refresh_from_db()
        return event

    def _game(self, shape: Shape) -> GameChoice:
        rules = shipped()["points-only"]
        others = [slug for slug in OTHERS if shape in shipped()[slug].shapes]
        if others and not self.choose(3):
            rules = shipped()[self.one_of(others)]
        elif not self.choose(3):
            rules = replace(
                change_settings(rules, {"lowest_wins": True}, original=rules, source=WHY), slug="lowest-wins"
            )
        return GameChoice(rules.slug, rules, None)

    def _without_cards(self, format: str) -> dict[str, Any]:
        if TRAITS[format].has_cut:
            return {}
        return {
            "sit_out_rule": self.one_of(Event.SitOutRule.values),
            "missing_rule": self.one_of(Event.SitOutRule.values),
            "walkover_points": self.one_of((None, 0, 25)),
            "result_points": self.one_of(RESULTS) if TRAITS[format].gives_result_points() else {},
        }

    def _chosen(self, option: Field[Any]) -> Any:
        """A value of an option; rounds are few, so that an event comes to its end."""
        if choices := option.metadata["choices"]:
            return self.one_of(choices)
        usual: Any = option.default
        if isinstance(usual, bool):
            return bool(self.choose(2))
        return min(usual, MOST_ROUNDS) if option.name == "rounds" else 1 + self.choose(MOST_NUMBER)

    def _pair_up(self, event: Event) -> None:
        """Give everybody a side; in a match between two clubs the sides play for the two in turn."""
        partners.join_rest(event=event, by=self.by, seed=self.choose(1000))
        if event.traits.between_clubs:
            sides, _alone = partners.sides_and_singles(event)
            for number, side in enumerate(sides):
                club = ("Harbour", "Hill")[number % 2]
                partners.set_side_club(event=event, number=side[0].team or 0, club_name=club, by=self.by)

    def next_id(self) -> UUID:
        """The id that a form would send: another each time, the same in each replay."""
        self._ids += 1
        return uuid5(SPACE, str(self._ids))

    # --- What the steps are done to --------------------------------------------------------------------------------

    def some_draw(self, *states: str) -> Draw:
        return self.one_in(WITH_EVENT.filter(round__stage__event=self.event, state__in=states))

    def some_stage(self) -> Stage:
        return self.one_of(list(self.event.stages.select_related("event__club", "event__rules").order_by("number")))

    def some_entry(self, **which: Any) -> Entry:
        return self.one_of(
            list(self.event.entries.filter(**which).select_related("event", "member").order_by("number"))
        )

    def some_game(self, *states: str) -> Game:
        return self.one_in(PUBLISHED.filter(**{f"{DRAW}__round__stage__event": self.event}, state__in=states))

    def some_deal(self, event: Event | None = None) -> DealVersion:
        of = {f"deal__game__{DRAW}__round__stage__event": event or self.event}
        versions = DealVersion.objects.filter(current=True, **of)
        return self.one_in(versions.select_related("deal__game__rules"))

    # --- Steps of every event --------------------------------------------------------------------------------------

    def draw(self, stage: Stage | None = None) -> Draw:
        if stage is None:
            stage = night_stage(self.event) if self.event.by_rounds else self.some_stage()
        options = DrawOptions(planned=3, seed=self.choose(1000), steps=200)
        return make_draw(stage=stage, by=self.by, options=options)

    def publish_newest(self) -> None:
        publishing.publish_draw(draw=self.draw(), by=self.by)

    def publish_result(self) -> None:
        last = result_stage(self.event)
        seen = rows_fingerprint(standings_of(last).rows) if last else None
        results.publish_result(event=self.event, by=self.by, sure=True, seen=seen)

    def _play_all(self, stage: Stage) -> None:
        for game in PUBLISHED.filter(**{f"{DRAW}__round__stage": stage}, state=Game.State.OPEN):
            self._play_game(game)

    def play(self) -> None:
        if self.choose(4) == 0:
            return self._play_game(self.some_game(Game.State.OPEN))
        draw = self.some_draw(Draw.State.PUBLISHED)
        games = PUBLISHED.filter(**{DRAW: draw}, state=Game.State.OPEN)
        if not games:
            raise Nothing
        for game in games:
            self._play_game(game)
        return None

    def _play_game(self, game: Game) -> None:
        for _deal in range(1 if self._plain(game) else 1 + self.choose(2)):
            number = 1 + (Deal.objects.filter(game=game).aggregate(last=Max("number"))["last"] or 0)
            version = record_deal(
                game=game, number=number, entered=self._card(game, number), by=self.by, submission=self.next_id()
            )
            if version.deal.game.state != Game.State.OPEN:
                return
        end_game(game=game, **self.said)

    def _plain(self, game: Game) -> bool:
        return game.rules.family.facts is PointsDeal

    def _card(self, game: Game, number: int) -> EnteredDeal:
        """What a table writes down as its deal of this number."""
        if self._plain(game):
            points = tuple(self.one_of(POINTS) for _side in range(game.sides_count))
            return EnteredDeal(PointsDeal(points=points), sure=True)
        made = Points.objects.filter(version__deal__game=game, version__deal__number__lt=number, version__current=True)
        by_side = dict(made.exclude(version__state="void").values_list("side").annotate(points=Sum("points")))
        rng, before = Random(self.choose(SEEDS)), [by_side.get(side, 0) for side in range(game.sides_count)]
        rules, family = game.engine_rules, game.rules.family
        return EnteredDeal(true_deal(family, rng, rules, deals_before=number - 1, before=before), sure=True)

    def correct(self, event: Event | None = None) -> None:
        old = self.some_deal(event)
        correct_deal(entered=self._card(old.deal.game, old.deal.number), **self._of(old))

    def _of(self, old: DealVersion) -> dict[str, Any]:
        return {"deal": old.deal, "seen": old.number, "submission": self.next_id(), **self.said}

    def adjust(self) -> None:
        points = self.one_of((-10, 10))
        actions.adjust_points(
            stage=self.some_stage(),
            facts=Adjustment(entry=self.some_entry(), points=points, reason=WHY),
            by=self.by,
            submission=self.next_id(),
        )

    def change_by_hand(self) -> None:
        draw = self.some_draw(Draw.State.DRAFT)
        units = changes.swap_units(draw)
        one, other = self.one_of(units), self.one_of(units)
        changes.swap_in_draft(draw=draw, entry=one.key, other=other.key, by=self.by)
