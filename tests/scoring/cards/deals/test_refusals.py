"""A refusal leaves everything as it was, whatever the reason."""

from functools import partial
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import transaction

from clubsite.accounts.models import Actor, Club, LogEntry
from scoring.cards import deals
from scoring.cards.deals import (
    DealError,
    Objection,
    agree,
    correct_deal,
    dispute,
    end_game,
    mark_deal,
    record_deal,
    start_game,
)
from scoring.families.deal_form import EnteredDeal
from scoring.models import Game
from tests.scoring.conftest import IMPOSSIBLE, PINOCHLE_SIDES, UNLIKELY, a_deal

ANN, CAL = (Actor(user=None, name="Table 3", route="table", side=side) for side in (0, 1))
DORA = Actor(user=None, name="Dora", route="director", director=True)
OTHER_FIGURES = a_deal(meld=(9, 6))


def recorded(game, number=1, facts=None, **more):
    """A deal, written by Ann's side."""
    entered = EnteredDeal(facts or a_deal(), sure=True)
    return record_deal(game=game, number=number, entered=entered, **{"by": ANN, "submission": uuid4(), **more}).deal


def corrected(deal, *, facts=OTHER_FIGURES, sure=True, **more):
    said = {"by": ANN, "submission": uuid4(), "seen": 1, "reason": "misread", **more}
    return partial(correct_deal, deal=deal, entered=EnteredDeal(facts, sure=sure), **said)


def disputed(deal, **more):
    said = {"by": CAL, "side": 1, "submission": uuid4(), "seen": 1, **more}
    return partial(dispute, deal=deal, objection=Objection("no"), **said)


def agreed(deal, **more):
    return partial(agree, deal=deal, **{"by": CAL, "side": 1, "submission": uuid4(), "seen": 1, **more})


def over(game):
    recorded(game)
    end_game(game=game, by=DORA, reason="time")
    return Game.objects.get(pk=game.pk)


def signed(game):
    deal = recorded(game)
    agreed(deal)()
    end_game(game=game, by=DORA, reason="time")
    return deal


def void(game):
    deal = recorded(game)
    mark_deal(deal=deal, state="void", by=DORA, submission=uuid4(), seen=1, reason="misdealt")
    return deal


def used_elsewhere(game):
    """A submission that has recorded a deal on another card."""
    other = start_game(club=game.club, rules=game.rules, title="Table 4", sides=PINOCHLE_SIDES)
    submission = uuid4()
    recorded(other, submission=submission)
    return {"submission": submission}


def sent_again_with_other_figures(game):
    submission = uuid4()
    recorded(game, submission=submission)
    return partial(recorded, game, facts=OTHER_FIGURES, submission=submission)


def recording(game, facts, number=1):
    return partial(record_deal, game=game, number=number, entered=EnteredDeal(facts), by=ANN, submission=uuid4())


def late(game):
    """A deal of which a second version is recorded meanwhile."""
    corrected(deal := recorded(game))()
    return deal


def then(first, refusal):
    """What is refused after something was recorded."""
    return refusal


# What the verbs refuse, each after the error's name, in a game that it makes ready.
REFUSED = {
    "Refused: recording": lambda game: recording(game, IMPOSSIBLE),
    "NotConfirmed: recording": lambda game: recording(game, UNLIKELY),
    "GameOver: recording": lambda game: recording(over(game), a_deal(), number=2),
    "DealsMissing: recording": lambda game: recording(game, a_deal(), number=2),
    "Superseded: recording": lambda game: then(recorded(game), recording(game, OTHER_FIGURES)),
    "Superseded: recording, sent again with other figures": sent_again_with_other_figures,
    "SentElsewhere: recording": lambda game: then(recorded(game), partial(recorded, game, **used_elsewhere(game))),
    "ReasonMissing: correcting": lambda game: corrected(recorded(game), reason=" "),
    "Refused: correcting": lambda game: corrected(recorded(game), facts=IMPOSSIBLE),
    "NotConfirmed: correcting": lambda game: corrected(recorded(game), facts=UNLIKELY, sure=False),
    "Superseded: correcting": lambda game: corrected(late(game)),
    "SentElsewhere: correcting": lambda game: corrected(recorded(game), **used_elsewhere(game)),
    "Signed: correcting": lambda game: corrected(signed(game), seen=2),
    "TableMayNotCorrect: correcting": lambda game: then(
        deal := recorded(game), then(recorded(game, 2), corrected(deal))
    ),
    "Superseded: disputing": lambda game: disputed(late(game)),
    "SentElsewhere: disputing": lambda game: disputed(recorded(game), **used_elsewhere(game)),
    "DealIsVoid: disputing": lambda game: disputed(void(game), seen=2),
    "Signed: disputing": lambda game: disputed(signed(game), seen=2),
    "ReasonMissing: making void": lambda game: partial(
        mark_deal, deal=recorded(game), state="void", by=DORA, submission=uuid4(), seen=1
    ),
    "NotAsked: agreeing": lambda game: agreed(recorded(game), by=ANN, side=0),
    "Superseded: agreeing": lambda game: agreed(late(game)),
    "DealIsVoid: agreeing": lambda game: agreed(void(game), seen=2),
}


@pytest.fixture
def asks(game):
    Club.objects.update(agreement=Club.Agreement.ONE)
    return Game.objects.select_related("club", "rules").get(pk=game.pk)


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_changes_nothing(asks, case):
    assert changed_by(REFUSED[case](asks), error=case.partition(":")[0]) == []


def test_every_reason_for_a_refusal_is_tried():
    assert {case.partition(":")[0] for case in REFUSED} == {kind.__name__ for kind in kinds_of(DealError)}


@pytest.mark.parametrize(
    "made",
    [
        lambda game: agreed(recorded(game), **used_elsewhere(game)),  # found out when the deal is to be marked
        lambda game: partial(recorded, game, **used_elsewhere(game)),  # by the database, so nobody can ask before
    ],
)
def test_what_was_written_before_a_later_refusal_is_taken_back(asks, made):
    assert changed_by(made(asks), error="SentElsewhere") == []


@pytest.mark.parametrize(
    "made", [lambda game: recording(game, IMPOSSIBLE), lambda game: corrected(recorded(game), facts=IMPOSSIBLE)]
)
def test_a_refusal_takes_back_what_the_verb_wrote_and_leaves_what_its_caller_did(asks, monkeypatch, made):
    refused, judge = made(asks), deals._judge_card

    def writes_first(game, *args, **kwargs):
        game.sides.update(total=game.pk + 1000)
        return judge(game, *args, **kwargs)

    monkeypatch.setattr(deals, "_judge_card", writes_first)
    with transaction.atomic():
        Game.objects.update(title="By the window")
        assert changed_by(refused, error="Refused") == []
    assert Game.objects.get().title == "By the window"


def changed_by(refused, *, error):
    """The tables that aren't as they were after a refusal of this name."""
    before = tables()
    with pytest.raises(DealError) as why:
        refused()
    assert type(why.value).__name__ == error
    return [name for name, rows in tables().items() if rows != before[name]]


def tables():
    kinds = [*apps.get_app_config("scoring").get_models(), LogEntry]
    return {kind._meta.db_table: list(kind.objects.order_by("pk").values_list()) for kind in kinds}


def kinds_of(error):
    for kind in error.__subclasses__():
        yield kind
        yield from kinds_of(kind)
