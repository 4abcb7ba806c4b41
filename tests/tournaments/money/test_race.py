"""Two people at once, each with an own connection: what both do is written once."""

from contextlib import suppress
from uuid import uuid4

import pytest

from tests.scoring.cards.test_race import at_once
from tests.tournaments.results import closed_night, make_season, member
from tournaments import money as actions
from tournaments.engine.prizes import Prize
from tournaments.errors import StepRefused
from tournaments.models import MoneyLine, PublishedPrizes
from tournaments.prizes.actions import (
    draw_prize_lots,
    plan_prizes,
    prize_plan,
    propose_prizes,
    publish_prizes,
    take_back_prizes,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event(club, actor, rules_for):
    """A closed night of two, with a fee and a door prize."""
    night = closed_night(make_season(club), rules_for("st-hilary-v3"), 6, {"Ann": 40, "Bob": 30})
    published = night.published_standings.get()
    for number, row in enumerate(published.rows, start=1):
        row["entry"] = night.entries.create(number=number, name=row["name"], member_id=row["member"]).pk
    published.save()
    plan_prizes(event=night, by=actor, prizes=[Prize("door", 0, 700)], ties="share", one_each=True)
    return actions.set_fee(event=night, by=actor, fee=500)


def both(work):
    return at_once(work, work)


def test_two_at_the_door_take_one_fee(event, actor):
    entry = event.entries.get(name="Ann")
    entry.event = event
    made = both(lambda: actions.take_fee(entry=entry, by=actor, submission=uuid4()))
    assert made[0] == made[1]
    assert MoneyLine.objects.count() == 1


def test_two_directors_draw_once_publish_once_and_pay_once(event, actor):
    lots = both(lambda: draw_prize_lots(event=event, by=actor, seen=0).lots)
    assert lots[0] == lots[1]
    now = propose_prizes(event, prize_plan(event))
    mark = now.fingerprint
    published = both(lambda: publish_prizes(event=event, by=actor, fingerprint=mark))
    assert published[0] == published[1]
    assert PublishedPrizes.objects.count() == 1
    both(lambda: actions.pay_prizes(event=event, by=actor))
    assert [line.amount for line in MoneyLine.objects.all()] == [-700]


def test_prizes_taken_back_and_a_slip_put_right_reverse_a_line_once(event, actor):
    draw_prize_lots(event=event, by=actor, seen=0)
    now = propose_prizes(event, prize_plan(event))
    publish_prizes(event=event, by=actor, fingerprint=now.fingerprint)
    (line,) = actions.pay_prizes(event=event, by=actor)
    take_back_prizes(event=event, by=actor, reason="the wrong list")

    def reverse():
        return actions.reverse_line(line=line, by=actor, reason="a slip")

    def take_back():
        with suppress(StepRefused):  # the slip was put right before, and nothing is left to reverse
            return actions.pay_prizes(event=event, by=actor)

    at_once(reverse, take_back)
    assert [line.amount for line in MoneyLine.objects.all()] == [-700, 700]


def test_a_line_is_reversed_once(event, actor):
    entry = event.entries.get(name="Bob")
    entry.event = event
    line = actions.take_fee(entry=entry, by=actor, submission=uuid4())
    both(lambda: actions.reverse_line(line=line, by=actor, reason="a slip"))
    assert sum(line.amount for line in MoneyLine.objects.all()) == 0
    assert MoneyLine.objects.count() == 2


def test_two_treasurers_take_one_persons_dues_once(club, actor):
    person, dues = member(club, "Ann"), actions.set_dues(club=club, year=2024, by=actor, amount=2000)
    taken = both(lambda: actions.take_dues(dues=dues, member=person, by=actor, submission=uuid4()))
    assert taken[0] == taken[1]
    assert MoneyLine.objects.count() == 1
