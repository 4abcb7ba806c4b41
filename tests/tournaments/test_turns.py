"""Two at once in one club: the second comes before or after, never in the middle; on both databases.

Each race stands twice, as it must come out, and with the turns taken away: then it must come out wrong.
"""

from functools import partial
from uuid import uuid4

import pytest
from django.test import Client

from clubsite.accounts.models import Actor, LogEntry
from scoring.cards.deals import Superseded, correct_deal, record_deal
from scoring.engine.core.ruleset import shipped
from scoring.engine.points_only import PointsDeal
from scoring.families.deal_form import EnteredDeal
from scoring.house_rules.actions import RulesChange, RulesNotPublished, adopt, publish_rules
from scoring.models import Deal, DealVersion, Game
from tests.conftest import make_club
from tests.racing import in_the_middle, no_turns
from tests.scoring.conftest import a_deal, as_typed
from tests.tournaments import contests, nights
from tests.tournaments.seats import at
from tests.tournaments.sides.test_side_lists import event_of
from tests.tournaments.table_links.conftest import game_at, url_of
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.draws.changes import seat_reserve
from tournaments.entries.actions import add_entry, change_entry, withdraw
from tournaments.entries.partners import sides_and_singles
from tournaments.errors import StepRefused
from tournaments.members.merging import merge
from tournaments.models import CutLine, Draw, PublishedStandings, Seat, Stage
from tournaments.rounds import attendance
from tournaments.rounds.attendance import leave
from tournaments.rounds.publishing import publish_draw
from tournaments.rounds.seat_changes import Newcomer, take_over
from tournaments.sides import GUEST, PersonOnList, SidesEntered, enter_sides
from tournaments.table_links.links import newest_link, renew_links, revoke_links

pytestmark = pytest.mark.django_db(transaction=True)

BY = Actor(user=None, name="Dora", director=True)
SOMEBODY_ELSE = Actor(user=None, name="Sam", director=True)


def small_contest():
    """Six people at two tables of three, of whom three go on; nothing is played yet."""
    club = make_club()
    adopt(club=club, rule_set=shipped()["points-only"], by=BY)
    event = contests.contest(club, BY, places=6)
    contests.enter(event, BY, contests.NAMES[:6])
    event.stages.update(cut_rule=Stage.CutRule.OVERALL, advance=3)
    event.stages.create(number=2, name="Final")
    return event


def night():
    """Eight people at two tables, their first round published."""
    club = make_club()
    event = nights.make_night(club, adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=BY))
    return event, nights.seated(event, BY, 8)


def in_order(both, first, second):
    """Whether the log has the deed that didn't see the other before it. It didn't, or it wouldn't have been done."""
    verbs = list(LogEntry.objects.order_by("pk").values_list("verb", flat=True))
    return not isinstance(both.first, Exception) and verbs.index(first) < len(verbs) - 1 - verbs[::-1].index(second)


def last_corrected(event):
    """Who was last of the first table has won: somebody puts the card right."""
    deal = Deal.objects.order_by("pk").select_related("game").first()
    return lambda: correct_deal(
        deal=deal,
        entered=EnteredDeal(PointsDeal(points=(5, 6, 3000)), sure=True),
        by=SOMEBODY_ELSE,
        submission=uuid4(),
        seen=1,
        reason="misread",
    )


def cut_and_correction(monkeypatch):
    """A cut is published while a card is corrected: the cut and the standings published with it say the same."""
    event = small_contest()
    contests.play(contests.drawn(contests.stage_of(event, 1), BY), BY, contests.by_number)
    stage = contests.stage_of(event, 1)
    seen = propose(stage).fingerprint
    both = in_the_middle(
        monkeypatch,
        "tournaments.cuts.cuts.disputes_of_stage",
        first=lambda: publish_cut(stage=stage, by=BY, fingerprint=seen),
        second=last_corrected(event),
    )
    if isinstance(both.first, Exception):
        return False
    cut = list(CutLine.objects.filter(cut=both.first).order_by("order").values_list("entry_id", flat=True))
    standings = [row["entry"] for row in PublishedStandings.objects.get().rows]
    return cut == standings


def reserve_and_deal(monkeypatch):
    event = small_contest()
    reserve = add_entry(event=event, name="Zita Zander", by=BY)
    draw = contests.drawn(contests.stage_of(event, 1), BY)
    leaving = Seat.objects.filter(draw=draw).select_related("entry__event", "group").order_by("pk")[0]
    withdraw(entry=leaving.entry, by=BY)
    game = Game.objects.get(group_game__group=leaving.group)
    both = in_the_middle(
        monkeypatch,
        "tournaments.draws.changes.table_has_begun",
        first=lambda: seat_reserve(leaving=leaving.entry, entering=reserve, by=BY),
        second=lambda: contests.deal(game, SOMEBODY_ELSE, [10, 20, 30]),
    )
    return in_order(both, "seat.take", "deal.record")


def publishing_and_withdrawing(monkeypatch):
    event = small_contest()
    draw = contests.make_draw(stage=contests.stage_of(event, 1), by=BY, seen=0)
    both = in_the_middle(
        monkeypatch,
        "tournaments.rounds.publishing.refuse_stale",
        first=lambda: publish_draw(draw=draw, by=BY),
        second=lambda: withdraw(entry=event.entries.order_by("pk")[0], by=SOMEBODY_ELSE),
    )
    return in_order(both, "draw.publish", "entry.withdraw")


def two_corrections(monkeypatch):
    """Two correct the same deal: one is told about the other."""
    _event, draw = night()
    game = game_at(draw)
    version = record_deal(game=game, number=1, entered=EnteredDeal(a_deal()), by=BY, submission=uuid4())

    def correct(bid):
        return correct_deal(
            deal=version.deal, entered=EnteredDeal(a_deal(bid=bid)), by=BY, submission=uuid4(), seen=1, reason="misread"
        )

    both = in_the_middle(
        monkeypatch, "scoring.cards.deals._judge_card", first=lambda: correct(21), second=lambda: correct(22)
    )
    return isinstance(both.first, DealVersion) and isinstance(both.second, Superseded)


def merge_and_entering(monkeypatch):
    """Two members are merged while the one who goes is named where the other is: they are one person by then."""
    event = small_contest()
    kept, gone = nights.make_members(event.club, 2)
    add_entry(event=event, name="Player 01", by=BY)
    guest = add_entry(event=event, name="Somebody", by=BY)
    both = in_the_middle(
        monkeypatch,
        "tournaments.members.merging._mistaken_entries",
        first=lambda: merge(kept=kept, merged=gone, by=BY),
        second=lambda: change_entry(
            entry=guest, by=SOMEBODY_ELSE, name="Somebody", member=gone, eligible=True, note=""
        ),
    )
    return not isinstance(both.first, Exception) and isinstance(both.second, StepRefused)


def two_renewals(monkeypatch):
    """Two taps make the links of the tables anew: the cards printed after the first still open the tables."""
    _event, draw = night()
    seen = newest_link(draw)
    both = in_the_middle(
        monkeypatch,
        "tournaments.table_links.links.newest_link",
        first=lambda: renew_links(draw=draw, by=BY, seen=seen),
        second=lambda: renew_links(draw=draw, by=BY, seen=seen),
    )
    return (both.first, both.second) == (2, 0)


def link_ended_while_sending(monkeypatch):
    """A table sends a deal while its link is ended: it is recorded before that, or not at all."""
    _event, draw = night()
    url, game = url_of(draw, 1, "1/"), game_at(draw)
    both = in_the_middle(
        monkeypatch,
        "tournaments.table_links.at_table.current_link_state",
        first=lambda: Client().post(url, as_typed(a_deal(), 1)).status_code,
        second=lambda: revoke_links(draw=draw, by=BY),
    )
    if both.first == 410:
        return not Deal.objects.filter(game=game).exists()
    return both.first == 302 and in_order(both, "deal.record", "links.revoke")


def taken_over(monkeypatch, tables):
    """Two directors at once give Lena Late the first seat of these tables: what both came to, and whether she has one
    seat and nobody is lost."""
    event, draw = night()
    late = attendance.arrive(event=event, name="Lena Late", by=BY)

    def take(table):
        return take_over(draw=draw, leaving=at(draw, table, 0), newcomer=Newcomer(late), by=BY)

    first, second = (partial(take, table) for table in tables)
    both = in_the_middle(monkeypatch, "tournaments.rounds.seat_changes.seats_in", first=first, second=second)
    seats = Seat.objects.filter(draw__state=Draw.State.PUBLISHED)
    return both, (seats.filter(entry=late).count(), seats.count(), Game.objects.count()) == (1, 8, 2)


def two_seats_for_one(monkeypatch):
    both, right = taken_over(monkeypatch, (1, 2))
    return right and isinstance(both.first, Draw) and isinstance(both.second, StepRefused)


def one_seat_twice(monkeypatch):
    """A double tap: both answers name the same version."""
    both, right = taken_over(monkeypatch, (1, 1))
    return right and both.first == both.second and Draw.objects.count() == 2


def two_versions_of_rules(monkeypatch):
    """Two directors publish the next version of the rules: one is told about the other."""
    club = make_club()
    base = adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=BY).rule_set

    def publish(target):
        change = RulesChange(values={"target": target}, title=base.title, about=base.about)
        return publish_rules(club=club, base=base, change=change, seen=3, by=BY).version

    both = in_the_middle(
        monkeypatch,
        "scoring.house_rules.actions.rules_in_force",
        first=lambda: publish(200),
        second=lambda: publish(250),
    )
    return both.first == 4 and isinstance(both.second, RulesNotPublished)


def two_entries_of_the_log(monkeypatch):
    """An entry is written while another, with a higher number, is: the higher one is never seen without the lower."""
    event, _draw = night()
    people = list(event.entries.order_by("pk"))
    seen = []

    def second():
        leave(entry=people[1], by=SOMEBODY_ELSE)
        seen.append(list(LogEntry.objects.filter(verb="night.leave").values_list("subject", flat=True)))

    both = in_the_middle(
        monkeypatch, "tournaments.rounds.attendance.log", first=lambda: leave(entry=people[0], by=BY), second=second
    )
    return not isinstance(both.first, Exception) and [len(subjects) for subjects in seen] == [2]


def two_lists_of_pairs(monkeypatch):
    """The same list of pairs is entered at two desks: everybody is there once, with one partner."""
    club = make_club()
    event = event_of(club, BY)
    pairs = [[PersonOnList(name, GUEST) for name in pair] for pair in (("Anna Lee", "Bob Wu"), ("Cy Dee", "Di Fox"))]

    def entered(by):
        return enter_sides(event=event, sides=pairs, by=by, submission=uuid4())

    both = in_the_middle(
        monkeypatch, "tournaments.sides.known_people", first=lambda: entered(BY), second=lambda: entered(SOMEBODY_ELSE)
    )
    once = (both.first, both.second) == (SidesEntered(2, 4), SidesEntered(0, 0))
    return once and [len(side) for side in sides_and_singles(event)[0]] == [2, 2] and event.entries.count() == 4


RACES = [
    two_lists_of_pairs,
    two_entries_of_the_log,
    cut_and_correction,
    reserve_and_deal,
    publishing_and_withdrawing,
    two_corrections,
    merge_and_entering,
    two_renewals,
    link_ended_while_sending,
    two_seats_for_one,
    one_seat_twice,
    two_versions_of_rules,
]


@pytest.mark.parametrize("race", RACES, ids=lambda race: race.__name__)
def test_the_second_comes_before_or_after(race, monkeypatch):
    assert race(monkeypatch)


@pytest.mark.daily(2)
@pytest.mark.parametrize("race", RACES, ids=lambda race: race.__name__)
def test_without_turns_it_comes_in_the_middle(race, monkeypatch):
    no_turns(monkeypatch)
    assert not race(monkeypatch)
