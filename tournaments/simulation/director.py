"""A random director: tries any step of an event at any time, through the verbs that the pages use.

Every choice comes from a function that is handed in, so that a sequence can be replayed, and made shorter by whoever
looks for the shortest that fails. Cards are those of a game in plain points, with few different totals, so that ties
are frequent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias, TypeVar
from uuid import UUID, uuid5

from clubsite.accounts.models import Actor, Club
from scoring.deals import DealError, correct_deal, end_game, mark_deal, record_deal, reopen_game
from scoring.engine.points_only import PointsDeal
from scoring.engine.ruleset import Shape
from scoring.models import Deal, DealVersion, Game
from tournaments import (
    adjustments,
    contest,
    cuts,
    effects,
    entries,
    hand_edits,
    next_in_line,
    night,
    partners,
    reserves,
    wishes,
)
from tournaments.errors import StepRefused
from tournaments.events import create_event, games_of
from tournaments.models import Adjustment, Cut, Draw, Entry, Event, Stage, Wish
from tournaments.stand_ins import fill_with_stand_ins
from tournaments.standings import fingerprint, standings_of
from tournaments.tie_breaks import change_tie_breaks, effect_of_chain

Choose: TypeAlias = Callable[[int], int]  # a number from 0 to below the one given
T = TypeVar("T")

WHY = "the director says so"
POINTS = (10, 20, 30)  # few, so that many are level
SPACE = UUID("8f0e7f4e-6a0b-4a7c-9a77-0a3c2d1f5b10")  # of the ids that clients would have made
STARTS = datetime(2027, 4, 3, 18, 0, tzinfo=UTC)


class Nothing(Exception):
    """There is nothing that the step could be done to."""


class RandomDirector:
    """One event and everything that can be done to it. Each method of `steps` is one attempt at a step."""

    def __init__(self, club: Club, by: Actor, choose: Choose, format: str) -> None:
        self.by, self.choose, self._ids = by, choose, 0
        self.event = self._made(club, format)
        self.steps: dict[str, Callable[[], object]] = (
            self._contest_steps() if format == Event.Format.CONTEST else self._night_steps()
        ) | {
            "play": self.play,
            "correct": self.correct,
            "void": self.void,
            "end a game": self.end,
            "open a game again": self.reopen,
            "adjust": self.adjust,
            "take an adjustment back": self.take_adjustment_back,
            "change by hand": self.change_by_hand,
        }
        self.composed = (
            "go on",
            "go back",
            "publish a cut",
            "publish the newest draw",
        )  # in parts, of which one is refused
        often = {"go on": 8, "play": 2, "correct": 4, "go back": 4, "publish any draw": 4}
        self.frequent = (*self.steps, *(name for name, more in often.items() for _time in range(more)))

    def step(self) -> tuple[str, str]:
        """Attempt one step. Returns its name and what became of it: "done", "refused" or "nothing to do"."""
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

    def _made(self, club: Club, format: str) -> Event:
        shape = {
            Event.Format.CONTEST: self.one_of((Shape(3), Shape(2))),
            Event.Format.ROTATION: Shape(2, 2),
            Event.Format.PROGRESSIVE: Shape(2, 2),
            Event.Format.SINGLE_TABLE: Shape(4),
        }.get(Event.Format(format), Shape(2))
        options: dict[str, Any] = {}
        if format == Event.Format.KNOCK_OUT:
            both = bool(self.choose(2))
            options = {"consolation": both, "third": both, "level": self.one_of(("lots", "extra-deal"))}
        if format in (Event.Format.SWISS, Event.Format.LADDER, Event.Format.PROGRESSIVE):
            options = {"rounds": 3}
        places = {3: self.one_of((9, 12)), 2: 14}.get(shape.players)
        event = create_event(
            club=club,
            by=self.by,
            name=f"Event {self.next_id()}",
            format=format,
            game=next(game for game in games_of(club) if game.slug == "points-only"),
            shape=shape,
            starts_at=STARTS,
            places=places if format == Event.Format.CONTEST else None,
            games=1,
            options=options,
        )
        if format == Event.Format.CONTEST:
            names = [f"Player {number}" for number in range(1, (places or 0) + self.choose(3))]
            entries.import_names(event=event, names=names, by=self.by, submission=self.next_id())
        else:
            for number in range(1, 6 + self.choose(5) if shape.players == 2 else 9 + self.choose(4)):
                night.arrive(event=event, by=self.by, name=f"Player {number}")
        if event.makes_sides:
            self._pair_up(event)
        event.refresh_from_db()
        return event

    def _pair_up(self, event: Event) -> None:
        """Everybody gets a side, in a match between two clubs in turn for either."""
        partners.join_rest(event=event, by=self.by, seed=self.choose(1000))
        if event.format == Event.Format.TEAM_MATCH:
            sides, _alone = partners.sides_of(event)
            for number, side in enumerate(sides):
                club = ("Harbour", "Hill")[number % 2]
                partners.play_for(event=event, number=side[0].team or 0, club_name=club, by=self.by)

    def next_id(self) -> UUID:
        """The id that a form would send: another each time, the same in each replay."""
        self._ids += 1
        return uuid5(SPACE, str(self._ids))

    # --- What the steps are done to --------------------------------------------------------------------------------

    def some_draw(self, *states: str) -> Draw:
        """A draw of the event in one of these states."""
        draws = Draw.objects.filter(round__stage__event=self.event, state__in=states).order_by("pk")
        return self.one_of(list(draws.select_related("round__stage__event__club", "round__stage__event__rules")))

    def some_stage(self) -> Stage:
        """A stage of the event."""
        return self.one_of(list(self.event.stages.select_related("event__club", "event__rules").order_by("number")))

    def some_entry(self, **which: Any) -> Entry:
        """An entry of the event, of those that `which` says."""
        return self.one_of(
            list(self.event.entries.filter(**which).select_related("event", "member").order_by("number"))
        )

    def some_game(self, *states: str) -> Game:
        """A game of a published draw in one of these states."""
        games = Game.objects.filter(
            group_game__group__table__draw__round__stage__event=self.event,
            group_game__group__table__draw__state=Draw.State.PUBLISHED,
            state__in=states,
        )
        return self.one_of(list(games.order_by("pk")))

    def some_deal(self) -> DealVersion:
        """The current version of a deal of the event, also where its draw was taken back."""
        return self.one_of(
            list(
                DealVersion.objects.filter(
                    current=True, deal__game__group_game__group__table__draw__round__stage__event=self.event
                )
                .select_related("deal__game__rules")
                .order_by("pk")
            )
        )

    # --- Steps of every event --------------------------------------------------------------------------------------

    def play(self) -> None:
        """Play the open games of a published draw, all of them or one."""
        if self.choose(4) == 0:
            return self._play_game(self.some_game(Game.State.OPEN))
        draw = self.some_draw(Draw.State.PUBLISHED)
        games = Game.objects.filter(group_game__group__table__draw=draw, state=Game.State.OPEN).order_by("pk")
        if not games:
            raise Nothing
        for game in games:
            self._play_game(game)
        return None

    def _play_game(self, game: Game) -> None:
        number = 1 + Deal.objects.filter(game=game).count()
        points = tuple(self.one_of(POINTS) for _side in range(game.sides_count))
        record_deal(
            game=game,
            number=number,
            facts=PointsDeal(points=points),
            by=self.by,
            submission=self.next_id(),
            sure=True,
        )
        end_game(game=game, by=self.by, reason=WHY)

    def correct(self) -> None:
        """Correct a deal."""
        old = self.some_deal()
        points = tuple(self.one_of(POINTS) for _own in old.facts["points"])
        correct_deal(
            deal=old.deal,
            facts=PointsDeal(points=points),
            by=self.by,
            submission=self.next_id(),
            seen=old.number,
            reason=WHY,
            sure=True,
        )

    def void(self) -> None:
        """Make a deal void."""
        old = self.some_deal()
        mark_deal(
            deal=old.deal,
            state=DealVersion.State.VOID,
            by=self.by,
            submission=self.next_id(),
            seen=old.number,
            reason=WHY,
        )

    def end(self) -> None:
        """End a game as it stands."""
        end_game(game=self.some_game(Game.State.OPEN), by=self.by, reason=WHY)

    def reopen(self) -> None:
        """Go on with a game that was ended."""
        reopen_game(game=self.some_game(Game.State.OVER, Game.State.NOT_PLAYED), by=self.by, reason=WHY)

    def adjust(self) -> None:
        """A penalty or a present."""
        points = self.one_of((-10, 10))
        adjustments.adjust(
            stage=self.some_stage(),
            entry=self.some_entry(),
            points=points,
            reason=WHY,
            by=self.by,
            submission=self.next_id(),
        )

    def take_adjustment_back(self) -> None:
        """Take one back."""
        made = list(Adjustment.objects.filter(stage__event=self.event, withdrawn_at=None).order_by("pk"))
        adjustments.take_back_adjustment(adjustment=self.one_of(made), by=self.by)

    def change_by_hand(self) -> None:
        """Let two change places in a draft."""
        draw = self.some_draw(Draw.State.DRAFT)
        units = hand_edits.units_of(draw)
        one, other = self.one_of(units), self.one_of(units)
        hand_edits.exchange(draw=draw, one=one.key, other=other.key, by=self.by)

    # --- A competition ---------------------------------------------------------------------------------------------

    def _contest_steps(self) -> dict[str, Callable[[], object]]:
        return {
            "go on": self.go_on,
            "go back": self.go_back,
            "draw": self.draw_stage,
            "publish the newest draw": self.publish_newest,
            "publish any draw": self.publish_stage,
            "take a draw back": self.take_back_stage,
            "publish a cut": self.publish_cut,
            "take a cut back": self.take_back_cut,
            "set lots or a play-off aside": self.undo_settlement,
            "publish the result": self.publish_result,
            "take the result back": lambda: contest.take_back_result(event=self.event, by=self.by, reason=WHY),
            "withdraw": lambda: entries.withdraw(entry=self.some_entry(), by=self.by),
            "return": lambda: entries.return_entry(entry=self.some_entry(state=Entry.State.WITHDRAWN), by=self.by),
            "disqualify": lambda: entries.disqualify(entry=self.some_entry(), by=self.by, reason=WHY),
            "bar or let go on": self.bar,
            "enter": lambda: entries.add_entry(event=self.event, name=f"Late {self.next_id()}"[:30], by=self.by),
            "call a reserve up": lambda: entries.call_up_reserve(
                entry=self.some_entry(state=Entry.State.RESERVE), by=self.by
            ),
            "make a reserve": lambda: entries.make_reserve(entry=self.some_entry(), by=self.by),
            "seat a reserve": self.seat_reserve,
            "replace a finalist": self.replace_finalist,
            "stand-ins": lambda: fill_with_stand_ins(stage=self.some_stage(), by=self.by),
            "change a stage": self.change_stage,
            "change the tie-breaks": self.change_tie_breaks,
        }

    def go_on(self) -> None:
        """What a director does next who goes straight on: draw, publish, play, cut, publish, to the result."""
        for stage in self.event.stages.select_related("event__club", "event__rules").order_by("number"):
            if cuts.published_cut(stage):
                continue
            if contest.stage_draw(stage) is None:
                if self.choose(2):
                    fill_with_stand_ins(stage=stage, by=self.by)
                draw = self.draw_stage(stage)
                contest.publish_stage_draw(draw=draw, by=self.by)
            elif contest.open_groups(stage):
                self._play_all(stage)
            elif stage.cut_rule:
                self.publish_cut(stage)
            else:
                self.publish_result()
            return
        raise Nothing

    def go_back(self) -> None:
        """Take back what was published last, and perhaps what was before that."""
        contest.take_back_result(event=self.event, by=self.by, reason=WHY)
        for _time in range(1 + self.choose(3)):
            for stage in self.event.stages.select_related("event__club", "event__rules").order_by("-number"):
                cut, draw = cuts.published_cut(stage), contest.stage_draw(stage)
                if cut:
                    cuts.take_back_cut(cut=cut, by=self.by)
                elif draw:
                    contest.take_back_draw(draw=draw, by=self.by)
                else:
                    continue
                break

    def _play_all(self, stage: Stage) -> None:
        """Play all open games of a stage."""
        games = Game.objects.filter(
            group_game__group__table__draw__round__stage=stage,
            group_game__group__table__draw__state=Draw.State.PUBLISHED,
            state=Game.State.OPEN,
        )
        for game in games.order_by("pk"):
            self._play_game(game)

    def draw_stage(self, stage: Stage | None = None) -> Draw:
        """Make a draw of a stage, with stand-ins where its number asks for them."""
        stage = stage or self.some_stage()
        newest = Draw.objects.filter(round__stage=stage).order_by("-number").values_list("number", flat=True).first()
        return contest.draw_stage(stage=stage, by=self.by, seen=newest or 0, seed=self.choose(1000))

    def publish_newest(self) -> None:
        """Draw a stage and publish that."""
        contest.publish_stage_draw(draw=self.draw_stage(), by=self.by)

    def publish_stage(self) -> None:
        """Publish a draft, or a draw taken back, of any age."""
        draw = self.some_draw(Draw.State.DRAFT, Draw.State.WITHDRAWN)
        contest.publish_stage_draw(draw=draw, by=self.by)

    def take_back_stage(self) -> None:
        """Take a published draw back."""
        contest.take_back_draw(draw=self.some_draw(Draw.State.PUBLISHED), by=self.by)

    def publish_cut(self, stage: Stage | None = None) -> None:
        """Publish a cut; those level at its line play it off or draw lots first."""
        stage = stage or self.some_stage()
        for _attempt in range(40):
            now = cuts.propose(stage)
            if now.cut.complete:
                break
            level = self.one_of(now.cut.open_ties).entries
            if self.choose(2):
                cuts.draw_lots(stage=stage, by=self.by, entries=level, seen=now.version, seed=self.choose(1000))
            else:
                points = {entry: self.choose(9) for entry in level}
                cuts.record_play_off(stage=stage, by=self.by, points=points, seen=now.version)
        if self.choose(4):
            cuts.publish_cut(stage=stage, by=self.by, fingerprint=now.fingerprint, sure=True)

    def take_back_cut(self) -> None:
        """Take a published cut back."""
        published = Cut.objects.filter(stage__event=self.event, state=Cut.State.PUBLISHED).order_by("pk")
        cuts.take_back_cut(cut=self.one_of(list(published)), by=self.by)

    def undo_settlement(self) -> None:
        """Set the last play-off or drawing of lots aside."""
        stage = self.some_stage()
        version = cuts.propose(stage).version
        cuts.undo_settlement(stage=stage, by=self.by, seen=version, reason=WHY)

    def publish_result(self) -> None:
        """Publish the result, whatever is still open."""
        final = self.event.stages.order_by("-number")[0]
        final.event = self.event
        seen = fingerprint(standings_of(final).rows)
        contest.publish_result(event=self.event, by=self.by, sure=True, seen=seen)

    def bar(self) -> None:
        """Somebody may not go on, or may again."""
        entry = self.some_entry()
        entries.change_entry(
            entry=entry, by=self.by, name=entry.name, member=None, eligible=not entry.eligible, note=WHY
        )

    def seat_reserve(self) -> None:
        """A reserve takes the seat of somebody who has gone."""
        leaving = self.some_entry(state=Entry.State.WITHDRAWN)
        entering = self.some_entry(state__in=(Entry.State.RESERVE, Entry.State.HERE))
        reserves.seat_reserve(leaving=leaving, entering=entering, by=self.by)

    def replace_finalist(self) -> None:
        """The next in line takes the place of a finalist who has gone, as the entry's page offers it."""
        leaving = self.some_entry(state=Entry.State.WITHDRAWN)
        line = entries.finalist_in(leaving)
        if line is None:
            raise Nothing
        offer = next_in_line.next_for(line)
        if offer.level:
            next_in_line.settle_next(line=line, by=self.by, entries=offer.level, seed=self.choose(1000))
        elif offer.entry:
            reserve = self.event.entries.get(pk=offer.entry)
            next_in_line.replace_finalist(entry=leaving, reserve=reserve, by=self.by)

    def change_stage(self) -> None:
        """Change who goes on from a stage, or that it is seeded."""
        stage = self.some_stage()
        contest.change_stage(
            stage=stage,
            by=self.by,
            name=stage.name,
            games=1 + self.choose(5) // 4,
            cut_rule=self.one_of(("group", "table", "overall")),
            advance=self.one_of((4, 6, 8, stage.advance or 1)),
            seeded=bool(self.choose(2)),
        )

    def change_tie_breaks(self) -> None:
        """Change the order of the tie-breaks."""
        chain = self.one_of((("points",), ("points", "games-won"), ("games-won", "points"), ("points", "best-game")))
        moved = effect_of_chain(self.event, (*chain, "play-off", "lots"))
        change_tie_breaks(event=self.event, by=self.by, tie_breaks=chain, seen=effects.fingerprint(moved))

    # --- A night ---------------------------------------------------------------------------------------------------

    def _night_steps(self) -> dict[str, Callable[[], object]]:
        steps: dict[str, Callable[[], object]] = {
            "draw": self.draw_round,
            "publish the newest draw": lambda: night.publish_round(draw=self.draw_round(), by=self.by),
            "publish any draw": lambda: night.publish_round(
                draw=self.some_draw(Draw.State.DRAFT, Draw.State.WITHDRAWN), by=self.by
            ),
            "take a round back": lambda: night.take_back_round(draw=self.some_draw(Draw.State.PUBLISHED), by=self.by),
            "close a round": self.close_round,
            "open a round again": lambda: night.reopen_round(
                round=self.some_draw(Draw.State.PUBLISHED).round, by=self.by
            ),
            "go on": self.play_on,
            "go back": self.rounds_back,
            "close the night": lambda: night.close_night(event=self.event, by=self.by),
            "open the night again": lambda: night.reopen_night(event=self.event, by=self.by),
            "arrive": lambda: night.arrive(event=self.event, by=self.by, name=f"Late {self.next_id()}"[:30]),
            "leave": lambda: night.leave(entry=self.some_entry(state=Entry.State.HERE), by=self.by),
            "come back": lambda: night.come_back(entry=self.some_entry(state=Entry.State.WITHDRAWN), by=self.by),
        }
        if self.event.format == Event.Format.ROTATION:
            steps |= {"wish": self.wish, "take a wish back": self.take_wish_back}
        if self.event.makes_sides:
            steps |= {
                "give everybody a side": lambda: self._pair_up(self.event),
                "part a side": self.part,
                "play for the other club": self.play_for,
            }
        return steps

    def draw_round(self) -> Draw:
        """Draw the next round."""
        return night.make_draw(event=self.event, by=self.by, planned=3, seed=self.choose(1000), steps=200)

    def play_on(self) -> None:
        """What a director does who goes straight on: play what is open, close the round, publish the next."""
        for game in Game.objects.filter(
            group_game__group__table__draw__round__stage__event=self.event,
            group_game__group__table__draw__state=Draw.State.PUBLISHED,
            state=Game.State.OPEN,
        ).order_by("pk"):
            self._play_game(game)
        last = (
            Draw.objects.filter(round__stage__event=self.event, state=Draw.State.PUBLISHED)
            .select_related("round__stage__event")
            .order_by("-round__number")
            .first()
        )
        if last:
            night.close_round(round=last.round, by=self.by, end_open=True, reason=WHY)
        night.publish_round(draw=self.draw_round(), by=self.by)

    def rounds_back(self) -> None:
        """Take the last round back, and perhaps those before it."""
        night.reopen_night(event=self.event, by=self.by)
        published = Draw.objects.filter(round__stage__event=self.event, state=Draw.State.PUBLISHED)
        last = published.select_related("round__stage__event").order_by("-round__number")
        for draw in last[: 1 + self.choose(3)]:
            night.take_back_round(draw=draw, by=self.by)

    def close_round(self) -> None:
        """Close a round, its open games ended or left open."""
        draw = self.some_draw(Draw.State.PUBLISHED)
        night.close_round(round=draw.round, by=self.by, end_open=bool(self.choose(3)), reason=WHY)

    def wish(self) -> None:
        """Wish something of the draws to come."""
        kind = self.one_of((Wish.Kind.APART, Wish.Kind.NEVER, Wish.Kind.ALWAYS, Wish.Kind.ONCE))
        one, other = self.some_entry(), self.some_entry()
        wishes.add_wish(event=self.event, by=self.by, kind=kind, entry=one, other=other, hard=bool(self.choose(2)))

    def take_wish_back(self) -> None:
        """Take a wish back."""
        wishes.remove_wish(wish=self.one_of(list(self.event.wishes.order_by("pk"))), by=self.by)

    def part(self) -> None:
        """Take a side apart."""
        partners.part(event=self.event, number=self.some_entry(team__isnull=False).team or 0, by=self.by)

    def play_for(self) -> None:
        """A side plays for the other club."""
        entry = self.some_entry(team__isnull=False)
        other = "Hill" if entry.plays_for == "Harbour" else "Harbour"
        partners.play_for(event=self.event, number=entry.team or 0, club_name=other, by=self.by)
