"""What a random director does to a night: any event that goes round by round."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from clubsite.accounts.models import Club
from lab.simulation.director import WHY, RandomDirector
from lab.simulation.seat_steps import seat_steps
from tournaments.draws import rotation
from tournaments.engine.handicap import HandicapRule
from tournaments.entries import partners
from tournaments.errors import StepRefused
from tournaments.events.actions import create_event, event_facts
from tournaments.events.state import night_stage, published_draws
from tournaments.handicaps import give_handicaps
from tournaments.models import Draw, Entry, Event, Wish
from tournaments.rounds import attendance, publishing
from tournaments.rulings import actions
from tournaments.standings import results as standings_results
from tournaments.standings.groups import make_groups_bracket

MOST_ROUNDS_OF_GROUPS = 15
HANDICAP = HandicapRule(scratch=25, percent=80, most=8, deals=3, needed=2)


class NightDirector(RandomDirector):
    before: Event | None  # the night on which its handicaps rest

    def _made(self, club: Club, format: str) -> Event:
        """A night; every other one that is searched for is of couples."""
        event = super()._made(club, format)
        if event.traits.searched and self.choose(2):
            people = list(event.entries.order_by("number"))
            for one, other in zip(people[::2], people[1::2], strict=False):
                rotation.add_wish(event=event, wished=Wish(kind=Wish.Kind.ALWAYS, entry=one, other=other), by=self.by)
        self.before = None
        if event.single_scores and not event.rules.lowest_wins and self.choose(2):
            self.before = self._week_before(event)
            give_handicaps(event=event, rule=HANDICAP, by=self.by)
        return event

    def _week_before(self, event: Event) -> Event:
        facts = replace(event_facts(event), name="The week before", starts_at=event.starts_at - timedelta(days=7))
        before = create_event(club=event.club, by=self.by, format=event.format, facts=facts)
        for entry in event.entries.order_by("number"):
            attendance.arrive(event=before, by=self.by, member=entry.member, name=entry.name)
        for _round in range(2):
            draw = publishing.publish_draw(draw=self.draw(night_stage(before)), by=self.by)
            self._play_all(night_stage(before))
            publishing.close_round(round=draw.round, by=self.by, end_open=True, reason=WHY)
        return before

    def own_steps(self) -> dict[str, Callable[[], object]]:
        steps: dict[str, Callable[[], object]] = {
            "close a round": self.close_round,
            "open a round again": lambda: publishing.reopen_round(
                round=self.some_draw(Draw.State.PUBLISHED).round, by=self.by
            ),
            "go on": self.play_on,
            "go back": self.rounds_back,
            "arrive": lambda: attendance.arrive(event=self.event, by=self.by, name=f"Late {self.next_id()}"[:30]),
            "leave": lambda: attendance.leave(entry=self.some_entry(state=Entry.State.HERE), by=self.by),
            "come back": lambda: attendance.return_to_event(
                entry=self.some_entry(state=Entry.State.WITHDRAWN), by=self.by
            ),
        }
        steps |= seat_steps(self)
        if self.event.traits.searched:
            steps |= {
                "wish": self.wish,
                "take a wish back": lambda: rotation.remove_wish(wish=self.one_in(self.event.wishes.all()), by=self.by),
            }
        if self.event.makes_sides:
            steps |= {
                "give everybody a side": lambda: self._pair_up(self.event),
                "part a side": lambda: partners.part_side(
                    event=self.event, number=self.some_side().team or 0, by=self.by
                ),
                "play for the other club": self.play_for,
            }
        if self.before:
            steps |= {
                "give handicaps or none": lambda: give_handicaps(
                    event=self.event, rule=self.one_of((HANDICAP, None)), by=self.by
                ),
                "correct the week before": lambda: self.correct(self.before),
            }
        if self.event.traits.in_groups:
            steps["lead on"] = self.lead_on
        if self.event.fixed_sides:
            steps["walkover"] = self.walkover
        if self.event.removal_choices:
            steps |= {
                "take a side out": lambda: actions.remove_side(
                    event=self.event, entry=self.some_entry(), how=self.one_of(self.event.removal_choices), by=self.by
                ),
                "bring a side back": lambda: actions.reinstate_side(
                    event=self.event, entry=self.some_entry(removed__gt=""), by=self.by
                ),
            }
        return steps

    def walkover(self) -> None:
        group = self.one_in(self.some_draw(Draw.State.PUBLISHED).groups)
        absent = self.one_of(((0,), (1,), (0, 1), ()))
        actions.give_walkover(group=group, absent=absent, by=self.by)

    def play_on(self) -> None:
        """What a director does who goes straight on: play what is open, close the round, publish the next."""
        self._play_all(night_stage(self.event))
        last = published_draws(self.event).select_related("round__stage__event").last()
        if last:
            publishing.close_round(round=last.round, by=self.by, end_open=True, reason=WHY)
        self.publish_newest()

    def lead_on(self) -> None:
        """Play groups to their end, publish the result, and make the knock-out of those who go on."""
        for _round in range(MOST_ROUNDS_OF_GROUPS if self.choose(2) else 0):
            try:
                self.play_on()
            except StepRefused:
                break
        self.publish_result()
        make_groups_bracket(event=self.event, by=self.by)

    def rounds_back(self) -> None:
        standings_results.take_back_result(event=self.event, by=self.by)
        last = published_draws(self.event).select_related("round__stage__event").reverse()
        for draw in last[: 1 + self.choose(3)]:
            publishing.take_back_draw(draw=draw, by=self.by)

    def close_round(self) -> None:
        draw = self.some_draw(Draw.State.PUBLISHED)
        publishing.close_round(round=draw.round, by=self.by, end_open=bool(self.choose(3)), reason=WHY)

    def wish(self) -> None:
        kind = self.one_of((Wish.Kind.APART, Wish.Kind.NEVER, Wish.Kind.ALWAYS, Wish.Kind.ONCE))
        one, other = self.some_entry(), self.some_entry()
        wished = Wish(kind=kind, entry=one, other=other, hard=bool(self.choose(2)))
        rotation.add_wish(event=self.event, wished=wished, by=self.by)

    def some_side(self) -> Entry:
        return self.some_entry(team__isnull=False)

    def play_for(self) -> None:
        entry = self.some_side()
        other = "Hill" if entry.plays_for == "Harbour" else "Harbour"
        partners.set_side_club(event=self.event, number=entry.team or 0, club_name=other, by=self.by)
