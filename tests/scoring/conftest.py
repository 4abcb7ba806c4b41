"""Games to record in, and the forms that people send."""

from itertools import islice
from uuid import uuid4

import pytest

from scoring.cards.deals import correct_deal, record_deal, start_game
from scoring.engine.core.ruleset import shipped
from scoring.engine.pinochle.partnership import PartnershipDeal
from scoring.families.deal_form import EnteredDeal
from scoring.house_rules.actions import RulesChange, latest_version, publish_rules

NAMES = ("Ann", "Bob", "Cal", "Dee", "Eve", "Flo", "Gus")
PINOCHLE_SIDES = [["Ann", "Bob"], ["Cal", "Dee"]]
PINOCHLE, HAND_AND_FOOT = "st-hilary-v3", "hand-and-foot"


def a_deal(bid_side=0, bid=20, meld=(10, 6), take=(15, 10)):
    """Facts of a pinochle deal that real cards can produce: 25 and 16 points as it stands."""
    return PartnershipDeal(bid_side=bid_side, bid=bid, meld=meld, take=take, last_trick=0)


def as_typed(deal, number=1, **more):
    typed = {"submission": str(uuid4()), "number": number, "bid_side": deal.bid_side, "bid": deal.bid}
    typed |= {f"meld_{side}": points for side, points in enumerate(deal.meld)}
    typed |= {f"take_{side}": points for side, points in enumerate(deal.take)}
    return typed | {"last_trick": "" if deal.last_trick is None else deal.last_trick} | more


IMPOSSIBLE = a_deal(take=(16, 10))  # 26 taken of 25
UNLIKELY = a_deal(bid=61, meld=(60, 6))
WINNING = a_deal(bid=100, meld=(154, 0), take=(25, 0))


def correct(deal, facts, *, by, seen=1, reason="misread", sure=True):
    entered = EnteredDeal(facts, sure=sure)
    return correct_deal(deal=deal, entered=entered, by=by, submission=uuid4(), seen=seen, reason=reason)


@pytest.fixture
def game(club, rules_for):
    """A game of St. Hilary pinochle between Ann & Bob and Cal & Dee, nothing played yet."""
    return start_game(club=club, rules=rules_for("st-hilary-v3"), title="Table 3", sides=PINOCHLE_SIDES)


@pytest.fixture
def game_of(rules_for):
    """A game of a rule set, nothing played yet: Ann & Bob against Cal & Dee, and so on."""

    def make(slug, shape=None, **more):
        rules = rules_for(slug)
        shape = shape or rules.rule_set.shapes[0]
        names = iter(NAMES)
        sides = [list(islice(names, shape.per_side)) for _side in range(shape.sides)]
        return start_game(club=rules.club, rules=rules, **{"title": "Table 3", "sides": sides} | more)

    return make


@pytest.fixture
def record(actor):
    def make(game, number=1, facts=None, **more):
        more.setdefault("submission", uuid4())
        said = {name: more.pop(name) for name in ("written", "written_sets", "ruling") if name in more}
        entered = EnteredDeal(facts if facts is not None else a_deal(), sure=True, **said)
        return record_deal(game=game, number=number, entered=entered, by=actor, **more)

    return make


@pytest.fixture
def finished(game, record):
    """The game, won by Ann & Bob over their target in six deals."""
    for number in range(1, 7):
        record(game, number)
    game.refresh_from_db()
    return game


@pytest.fixture
def publish(club, actor):
    """Publish the club's next version of a rule set with settings changed."""

    def make(slug=PINOCHLE, *, seen=None, title="Our rules", **values):
        last = latest_version(club, slug)
        return publish_rules(
            club=club,
            base=last.rule_set if last else shipped()[slug],
            seen=seen if seen is not None else last.version if last else 0,
            by=actor,
            change=RulesChange(values=values, title=title, about="As we play."),
        )

    return make


@pytest.fixture
def desk(client_of, director):
    return client_of(director)
