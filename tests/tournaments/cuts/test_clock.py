"""A clock put back between the lots and the cut: what was drawn and recorded before still counts."""

from datetime import timedelta

import pytest
from django.db.models import F

from scoring.models import DealVersion
from tests.tournaments.contests import stage_of
from tests.tournaments.cuts.test_cuts import level
from tournaments.cuts.cuts import draw_lots, propose, record_play_off
from tournaments.models import Cut

__all__ = ["level"]  # a fixture


@pytest.mark.django_db
def test_play_offs_and_lots_count_whichever_way_the_clock_goes(level, actor):
    event, group = level
    stage = stage_of(event, 1)
    both = [group[0].pk, group[1].pk]
    record_play_off(stage=stage, by=actor, points=dict.fromkeys(both, 20), seen=0)
    draw_lots(stage=stage, by=actor, entries=both, seen=1, seed=123)
    first = propose(stage).cut
    assert first.complete
    for hours in (-2, 4):  # the deals are then younger than the lots, or older
        DealVersion.objects.update(at=F("at") + timedelta(hours=hours))
        Cut.objects.filter(number=1).update(made_at=F("made_at") + timedelta(hours=hours))
        assert propose(stage).cut.finalists == first.finalists
        assert propose(stage).version == 2
