"""What a random director does to a competition."""

from collections.abc import Callable
from functools import partial

from clubsite.previews import fingerprint
from lab.simulation.director import WHY, Nothing, RandomDirector
from lab.simulation.seat_steps import seat_steps
from tournaments.cuts import cuts, reserves
from tournaments.draws import changes
from tournaments.draws.changes import fill_with_stand_ins
from tournaments.entries import actions as entries
from tournaments.events import stages
from tournaments.events.stages import StageFacts
from tournaments.events.state import count_open_groups, published_cut, stage_draw
from tournaments.models import Cut, Entry, Stage
from tournaments.rounds import publishing
from tournaments.rulings.actions import change_tie_breaks, preview_effects
from tournaments.standings import results as standings_results
from tournaments.standings.results import drawn_stages


class ContestDirector(RandomDirector):
    def own_steps(self) -> dict[str, Callable[[], object]]:
        return {
            "go on": self.go_on,
            "go back": self.go_back,
            "publish a cut": self.publish_cut,
            "take a cut back": lambda: cuts.take_back_cut(
                cut=self.one_in(Cut.objects.filter(stage__event=self.event, state=Cut.State.PUBLISHED)), by=self.by
            ),
            "set lots or a play-off aside": self.undo_settlement,
            "withdraw": lambda: entries.withdraw(entry=self.some_entry(), by=self.by),
            "return": lambda: entries.return_entry(entry=self.some_entry(state=Entry.State.WITHDRAWN), by=self.by),
            "disqualify": lambda: entries.disqualify(entry=self.some_entry(), **self.said),
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
            **seat_steps(self),
        }

    def go_on(self) -> None:
        """What a director does next who goes straight on: draw, publish, play, cut, publish, to the result."""
        for stage in self.event.stages.select_related("event__club", "event__rules").order_by("number"):
            if published_cut(stage):
                continue
            if stage_draw(stage) is None:
                if self.choose(2):
                    fill_with_stand_ins(stage=stage, by=self.by)
                draw = self.draw(stage)
                publishing.publish_draw(draw=draw, by=self.by)
            elif count_open_groups(stage):
                self._play_all(stage)
            elif stage.cut_rule:
                self.publish_cut(stage)
            else:
                self.publish_result()
            return
        raise Nothing

    def go_back(self) -> None:
        standings_results.take_back_result(event=self.event, **self.said)
        for _time in range(1 + self.choose(3)):
            for stage in self.event.stages.select_related("event__club", "event__rules").order_by("-number"):
                cut, draw = published_cut(stage), stage_draw(stage)
                if cut:
                    cuts.take_back_cut(cut=cut, by=self.by)
                elif draw:
                    publishing.take_back_draw(draw=draw, by=self.by)
                else:
                    continue
                break

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

    def undo_settlement(self) -> None:
        stage = self.some_stage()
        cuts.undo_settlement(stage=stage, seen=cuts.propose(stage).version, **self.said)

    def bar(self) -> None:
        entry = self.some_entry()
        entries.change_entry(
            entry=entry, by=self.by, name=entry.name, member=None, eligible=not entry.eligible, note=WHY
        )

    def seat_reserve(self) -> None:
        leaving = self.some_entry(state=Entry.State.WITHDRAWN)
        entering = self.some_entry(state__in=(Entry.State.RESERVE, Entry.State.HERE))
        changes.seat_reserve(leaving=leaving, entering=entering, by=self.by)

    def replace_finalist(self) -> None:
        leaving = self.some_entry(state=Entry.State.WITHDRAWN)
        line = entries.finalist_line(leaving)
        if line is None:
            raise Nothing
        offer = reserves.next_in_line(line)
        if offer.level:
            reserves.settle_next(line=line, by=self.by, entries=offer.level, seed=self.choose(1000))
        elif offer.entry:
            reserve = self.event.entries.get(pk=offer.entry)
            reserves.replace_finalist(entry=leaving, reserve=reserve, by=self.by)

    def change_stage(self) -> None:
        stage = self.some_stage()
        stages.change_stage(
            stage=stage,
            by=self.by,
            facts=StageFacts(
                name=stage.name,
                games=1 + self.choose(5) // 4,
                cut_rule=self.one_of(("group", "table", "overall")),
                advance=self.one_of((4, 6, 8, stage.advance or 1)),
                seeded=bool(self.choose(2)),
            ),
        )

    def change_tie_breaks(self) -> None:
        chain = self.one_of((("points",), ("points", "games-won"), ("games-won", "points"), ("points", "best-game")))
        change = partial(change_tie_breaks, event=self.event, by=self.by, tie_breaks=chain)
        change(seen=fingerprint(preview_effects(drawn_stages(self.event), change)))
