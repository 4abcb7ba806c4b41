"""One person in two events at the same hour is pointed out on the desks of both."""

from datetime import timedelta

from tests.tournaments.nights import arrive, make_night, queries_of
from tests.tournaments.pages.steps import tasks
from tournaments.entries.actions import withdraw
from tournaments.events.actions import call_off
from tournaments.models import Event


def at_once(event, other):
    return [step for step in tasks(event) if other.get_desk_url() in [action.address for action in step.actions]]


def test_a_member_in_two_events_at_the_same_hour_is_pointed_out(club, actor, director, client_of, rules_for):
    browser = client_of(director)
    friday = make_night(club, rules_for("st-hilary-v3"))
    other = make_night(club, rules_for("st-hilary-v3"), slug="other")
    arrive(friday, actor, 4)
    assert not at_once(friday, other)
    arrive(other, actor, 2)
    for event, against in ((friday, other), (other, friday)):
        (step,) = at_once(event, against)
        assert "2 people" in step.title
        assert "Player 01" in step.words
    before = queries_of(browser, friday.get_desk_url())
    arrive(other, actor, 4)
    assert queries_of(browser, friday.get_desk_url()) == before
    third = make_night(club, rules_for("st-hilary-v3"), slug="third")
    arrive(third, actor, 2)
    assert "4 people" in at_once(friday, other)[0].title  # two of them in both
    third.delete()
    for entry in other.entries.all()[1:]:
        withdraw(entry=entry, by=actor)
    assert "1 person" in at_once(friday, other)[0].title
    Event.objects.filter(pk=other.pk).update(starts_at=other.starts_at + timedelta(hours=1))
    assert not at_once(friday, other)
    Event.objects.filter(pk=other.pk).update(starts_at=other.starts_at)
    call_off(event=other, by=actor, reason="Snow")
    assert not at_once(friday, other)
