"""What random directors are held against after each step, and how they are asked to stop."""

import os
import signal

import pytest

from lab.simulation.sequences import make_director, stop_on_interrupt
from lab.simulation.truths import Truths
from tests.lab.simulation.test_simulate import simulate
from tournaments.models import Event, Seat


@pytest.fixture
def started(club, actor):
    director = make_director(club, lambda _below: 0, format=Event.Format.CONTEST)
    director.steps["go on"]()
    return director.event


def test_what_is_changed_between_two_looks_is_found(started):
    truths = Truths(started)
    assert truths.broken() == []
    assert truths.broken() == []
    one, other = Seat.objects.filter(draw__round__stage__event=started)[:2]
    Seat.objects.filter(pk=one.pk).update(player="Ruth")
    assert any("have changed" in found for found in truths.broken())
    assert any("names" in found for found in truths.broken()), "and again, as long as it isn't mended"
    assert other.player == ""


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_whoever_is_asked_to_stop_is_told_and_goes_on_until_then(which):
    before = signal.getsignal(which)
    with stop_on_interrupt() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), which)
        assert stop.wait(5)
    assert signal.getsignal(which) == before


@pytest.mark.django_db
def test_the_command_says_how_many_of_which_seeds_and_what_broke():
    said = simulate("directors", "--count", "2", "--steps", "3", "--seed", "7", "--processes", "1")
    assert "2 sequences, seeds 7 to 8, 6 steps: 0 broken" in said
