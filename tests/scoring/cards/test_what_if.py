"""A card counted under other rules: a preview, and nothing is written."""

import re
from uuid import uuid4

from django.urls import reverse

from clubsite.accounts.models import LogEntry
from scoring import wording
from scoring.cards.deals import correct_deal, end_game, start_game
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard
from scoring.families.deal_form import Entered
from scoring.models import DealVersion, Game, HouseRules
from tests.scoring.conftest import HAND_AND_FOOT, PINOCHLE_SIDES, a_deal


def rows_of_everything():
    """What the database holds of games, deals, rules and the log."""
    return [list(model.objects.order_by("pk").values()) for model in (Game, DealVersion, HouseRules, LogEntry)]


def counted(shown, when):
    """The sides' points in every deal, now (0) or then (1)."""
    return [tuple(pair[when] for pair in deal["pairs"]) for deal in shown["deals"]]


def test_a_card_is_counted_under_other_rules_and_nothing_is_written(desk, finished, publish):
    publish(target=100)
    before = rows_of_everything()
    url = reverse("other_rules", args=["st-hilary", finished.pk])
    shown = desk.get(url, {"rules": "st-hilary-v3:4"}).context["chosen"]
    assert counted(shown, 0) == [(25, 16)] * 6
    assert counted(shown, 1) == [(25, 16)] * 4 + [(None, None)] * 2
    assert shown["totals"] == [(150, 100), (96, 64)]
    assert shown["state_then"] == "Over: Ann & Bob won"
    assert rows_of_everything() == before


def test_why_a_game_ends_so_is_said_under_either_rules(desk, game, record, publish):
    publish(bid_side_first=False)
    for number, start in enumerate((125, 145)):
        game.sides.filter(number=number).update(start=start)
    record(game, 1)  # 25 and 16 points
    why = str(wording.WHY_SO["bid-side-first"]).format(won="150", best="161")
    page = desk.get(reverse("other_rules", args=["st-hilary", game.pk]), {"rules": "st-hilary-v3:4"})
    assert page.context["chosen"]["why_then"] == ""
    assert page.content.decode().count(why) == 1
    newer = start_game(
        club=game.club, rules=HouseRules.objects.get(version=4), title="Table 4", sides=PINOCHLE_SIDES, start=(125, 145)
    )
    record(newer, 1)
    page = desk.get(reverse("other_rules", args=["st-hilary", newer.pk]), {"rules": "st-hilary-v3:3"})
    assert page.context["chosen"]["why_then"] == why
    assert page.content.decode().count(why) == 1


def test_a_deal_after_the_end_is_not_counted_on_the_side_on_which_the_game_is_over(desk, finished, publish, actor):
    second = finished.deals.get(number=2)
    more = {"by": actor, "submission": uuid4(), "seen": 1, "reason": "The double run was left out."}
    correct_deal(deal=second, entered=Entered(a_deal(meld=(140, 6)), sure=True), **more)  # over with it, at 180
    publish(target=200)
    page = desk.get(reverse("other_rules", args=["st-hilary", finished.pk]), {"rules": "st-hilary-v3:4"})
    shown = page.context["chosen"]
    nothing = (None, None)
    assert counted(shown, 0) == [(25, 16), (155, 16), nothing, nothing, nothing, nothing]
    assert counted(shown, 1) == [(25, 16), (155, 16), (25, 16), nothing, nothing, nothing]
    cells = re.findall(r'<td class="points">(.*?)</td>', page.content.decode(), re.DOTALL)
    assert [" ".join(re.sub("<.*?>", "", cell).split()) for cell in cells[4:8]] == [
        "not counted → 25",
        "not counted → 16",
        "not counted",
        "not counted",
    ]
    assert shown["totals"] == [(180, 205), (32, 48)]


def test_points_deal_by_deal_under_other_rules(desk, game, record, publish):
    record(game, 1, a_deal(bid=20, meld=(4, 6), take=(9, 16)))
    record(game, 2)
    publish(meld_savers="both", counters_to_save_meld=20)
    url = reverse("other_rules", args=["st-hilary", game.pk])
    shown = desk.get(url, {"rules": "st-hilary-v3:4"}).context["chosen"]
    assert counted(shown, 0) == [(-20, 22), (25, 16)]
    assert counted(shown, 1) == [(-20, 16), (-20, 10)]


def test_cards_that_other_rules_refuse_are_named(desk, game, record, publish):
    record(game, 1)
    publish(opening_bid=25, dropped_bid=25)
    shown = desk.get(reverse("other_rules", args=["st-hilary", game.pk]), {"rules": "st-hilary-v3:4"})
    assert not shown.context["chosen"]["complete"]
    assert "Cards those rules wouldn't allow" in shown.content.decode()


def test_nothing_is_won_on_a_card_that_other_rules_would_refuse(desk, finished, publish, actor):
    publish(opening_bid=25, dropped_bid=25)  # all bids were 20
    url = reverse("other_rules", args=["st-hilary", finished.pk])
    shown = desk.get(url, {"rules": "st-hilary-v3:4"}).context["chosen"]
    assert (shown["totals"], shown["state_then"]) == ([(150, 150), (96, 96)], "Not over yet")
    for deal in finished.deals.all():
        more = {"by": actor, "submission": uuid4(), "seen": 1, "reason": "Asked."}
        correct_deal(deal=deal, entered=Entered(a_deal(), sure=True, ruling="It stands."), **more)
    shown = desk.get(url, {"rules": "st-hilary-v3:4"}).context["chosen"]
    assert shown["state_then"] == "Over: Ann & Bob won"


def test_other_rules_go_by_the_score_that_they_would_have_given(desk, rules_for, record, publish):
    rules = rules_for("canasta")
    game = start_game(club=rules.club, rules=rules, title="Window", sides=PINOCHLE_SIDES)
    record(game, 1, HandAndFootDeal(sides=(SideCard(clean=1, melded=400, left=50), SideCard(melded=0, left=300))))
    record(game, 2, HandAndFootDeal(sides=(SideCard(melded=70, left=300), SideCard(melded=0, left=300))))
    publish("canasta", clean_pile=1200)  # 1,550 before the second deal: it needs 90
    shown = desk.get(reverse("other_rules", args=["st-hilary", game.pk]), {"rules": "canasta:2"}).context["chosen"]
    assert [len(deal["refused"]) for deal in shown["deals"]] == [0, 1]
    assert "needs 90 points" in shown["deals"][1]["refused"][0]


def test_only_rules_of_the_same_game_and_players_are_offered(desk, game, publish):
    publish(target=200)
    publish(HAND_AND_FOOT, target=9000)
    url = reverse("other_rules", args=["st-hilary", game.pk])
    offered = {other.key for other in desk.get(url).context["offered"]}
    assert {"st-hilary-v3:4", "st-hilary-v3:shipped"} <= offered
    assert not any(key.startswith(HAND_AND_FOOT) for key in offered)
    assert desk.get(url, {"rules": "hand-and-foot:2"}).status_code == 404


def test_a_game_ended_by_the_director_is_counted_as_far_as_it_went(desk, game, record, publish, actor):
    record(game, 1)
    end_game(game=game, by=actor, reason="Late")
    publish(target=200)
    shown = desk.get(reverse("other_rules", args=["st-hilary", game.pk]), {"rules": "st-hilary-v3:4"})
    assert shown.context["chosen"]["state_then"] == "Not over yet"
