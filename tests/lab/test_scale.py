"""Clubs by the thousand: the copies are whole, and a plan that reads a growing table from end to end is found."""

from collections import Counter
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from clubsite.accounts.models import Club, LogEntry
from lab.benchmarks.scale import SMALL, STRIDE, multiply, tables_read_whole
from scoring.cards.deals import record_deal, start_game
from scoring.engine.core.ruleset import shipped
from scoring.engine.points_only import PointsDeal
from scoring.families.deal_form import EnteredDeal
from scoring.house_rules.actions import adopt
from scoring.models import DealVersion, Side

GROWS = {"scoring_deal": 2_000_000, "accounts_club": 5_000, "accounts_role": 3}


def read_whole(plan):
    return list(tables_read_whole(plan, lambda table: GROWS[table]))


def test_a_plan_that_reads_a_table_that_grows_is_found_wherever_it_stands():
    deals = {"Node Type": "Seq Scan", "Relation Name": "scoring_deal"}
    club = {"Node Type": "Seq Scan", "Relation Name": "accounts_club"}
    role = {"Node Type": "Seq Scan", "Relation Name": "accounts_role"}
    by_key = {**deals, "Node Type": "Index Scan", "Index Cond": "(game_id = 1)", "Actual Rows": 5_000}
    no_place = {**deals, "Node Type": "Index Only Scan", "Actual Rows": SMALL, "Rows Removed by Filter": 1}
    the_first = {**no_place, "Actual Rows": 10}
    assert read_whole({"Node Type": "Nested Loop", "Plans": [club, {"Node Type": "Sort", "Plans": [deals]}]}) == [
        "scoring_deal"
    ]
    assert read_whole(by_key) == read_whole(the_first) == read_whole(club) == read_whole(role) == []
    assert read_whole(no_place) == ["scoring_deal"]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="the copies are made by PostgreSQL itself")
@pytest.mark.django_db
def test_every_copy_of_a_club_is_whole_and_its_own(club, actor):
    rules = adopt(club=club, rule_set=shipped()["points-only"], by=actor)
    game = start_game(club=club, rules=rules, title="Table 1", sides=[["Ann", "Bea"], ["Cal", "Dot"]])
    for number in (1, 2):
        facts = PointsDeal(points=(30, 12))
        record_deal(game=game, number=number, entered=EnteredDeal(facts, sure=True), by=actor, submission=uuid4())
    entries = LogEntry.objects.count()
    connection.check_constraints()  # now, for those of this transaction; they are taken off
    multiply(2, say=lambda _line: None)
    assert sorted(Club.objects.values_list("slug", flat=True)) == [club.slug, f"{club.slug}-1", f"{club.slug}-2"]
    kept = Counter(DealVersion.objects.values_list("deal__game__club__slug", flat=True))
    assert set(kept.values()) == {2}
    assert len(kept) == 3
    assert LogEntry.objects.filter(club=club.pk + 2 * STRIDE).count() == entries
    assert LogEntry.objects.filter(club=club.pk + 2 * STRIDE, game=game.pk + 2 * STRIDE).count() == 2
    assert {side.total for side in Side.objects.filter(game__club=club.pk + STRIDE)} == {60, 24}
    with pytest.raises(IntegrityError), transaction.atomic():  # constraints are there again
        Club.objects.create(name="Another", slug=club.slug)
