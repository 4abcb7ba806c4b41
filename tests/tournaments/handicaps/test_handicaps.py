"""Handicaps of a game: what they rest on, a night that gives them, and who sees them while they are secret."""

from dataclasses import replace
from fractions import Fraction
from uuid import uuid4

import pytest

from clubsite.accounts.models import LogEntry, Member
from scoring.cards.deals import correct_deal, mark_deal
from scoring.families.deal_form import EnteredDeal
from scoring.models import Deal, DealVersion, Game, HouseRules
from tests.kept import made_once
from tests.scoring.conftest import a_deal
from tests.tournaments.documents.sheets import pages_of
from tests.tournaments.nights import (
    arrive,
    games_of,
    make_night,
    play_deals,
    play_night,
    play_round,
    publish_next,
    queries_of,
)
from tournaments.engine.handicap import Handicap, HandicapRule
from tournaments.errors import StepRefused
from tournaments.events import state
from tournaments.handicaps import choose_numbers, club_numbers, give_handicaps, handicap_list
from tournaments.models import Draw, Event
from tournaments.rounds import attendance, publishing
from tournaments.standings import results as standings_results
from tournaments.standings.presentation import net_rows
from tournaments.standings.results import result_of
from tournaments.standings.standings import Row, standings_of

RULE = HandicapRule(scratch=40, percent=50, most=30, deals=6, needed=2)
GAME = "st-hilary-v3"
FORM = {"scratch": 40, "percent": 50, "most": 30, "deals": 6, "needed": 2, "secret": "no"}


@pytest.fixture
def rules(rules_for):
    return rules_for(GAME)


@pytest.fixture
def first(club, rules, actor):
    """A closed night of eight members: two rounds of three deals."""

    def build():
        event = make_night(club, rules, slug="first", day=6)
        play_night(event, actor, 8, rounds=2, deals=3)
        return event

    return made_once("first night", build)


@pytest.fixture
def second(club, rules, actor, first):
    """A night a week later that gives handicaps: eight members and a guest, one round played."""

    def build():
        event = make_night(club, rules, slug="second", day=13)
        give_handicaps(event=event, rule=RULE, by=actor)
        attendance.arrive(event=event, by=actor, name="Guy Guest")
        arrive(event, actor, 7)
        play_round(publish_next(event, actor), actor, deals=2)
        return event

    return made_once("second night", build)


def points_of(event, member):
    """A member's points deal by deal, read card by card: the slow way."""
    own = []
    for draw in Draw.objects.filter(round__stage__event=event).order_by("round__number"):
        for game in games_of(draw):
            seat = game.group_game.group.seats.filter(entry__member=member).first()
            for deal in Deal.objects.filter(game=game).order_by("number") if seat else ():
                version = deal.versions.get(current=True)
                if version.state != version.State.VOID:
                    own.append(version.points.get(side=seat.side).points)
    return own


def listed(club, rule=RULE):
    return {member.name: handicap for member, handicap in handicap_list(club, GAME, rule=rule)}


def rows_of(event):
    return {row.name: row for row in standings_of(state.night_stage(event)).rows}


def test_a_handicap_rests_on_the_newest_deals(club, first, actor, rules):
    play_night(make_night(club, rules, slug="later", day=13), actor, 4, deals=3)
    later = Event.objects.get(slug="later")
    found = listed(club)
    for member in Member.objects.filter(club=club):
        own = (points_of(first, member) + points_of(later, member))[-RULE.deals :]
        assert found[member.name].deals == len(own)
        assert found[member.name].average == Fraction(sum(own), len(own))
    assert {handicap.deals for handicap in found.values()} == {6}


def test_a_void_deal_and_a_round_taken_back_count_no_more(club, rules, actor):
    event = make_night(club, rules)
    arrive(event, actor, 4)
    draw = publish_next(event, actor)
    play_round(draw, actor, deals=3)
    member = Member.objects.get(name="Player 01")
    assert listed(club)["Player 01"].deals == 3
    third = Deal.objects.get(game=games_of(draw)[0], number=3)
    void = DealVersion.State.VOID
    mark_deal(deal=third, state=void, by=actor, submission=uuid4(), seen=1, reason="misdeal")
    own = points_of(event, member)
    assert (len(own), listed(club)["Player 01"].average) == (2, Fraction(sum(own), 2))
    publishing.take_back_draw(draw=draw, by=actor)
    assert listed(club)["Player 01"] == Handicap(0, 0, None, "handicap.too-few-deals")


def test_a_deal_that_came_after_the_end_of_its_game_counts_no_more(club, rules, actor):
    event = make_night(club, rules)
    arrive(event, actor, 4)
    (game,) = games_of(publish_next(event, actor))
    play_deals(game, actor, 3)
    assert listed(club)["Player 01"].deals == 3
    first = Deal.objects.get(game=game, number=1)
    whole = EnteredDeal(a_deal(meld=(140, 6)), sure=True)  # enough for the game
    correct_deal(deal=first, entered=whole, by=actor, submission=uuid4(), seen=1, reason="The double run.")
    game.refresh_from_db()
    assert (game.state, game.deals_played) == (Game.State.OVER, 1)
    assert {handicap.deals for handicap in listed(club).values()} == {1}


def test_a_new_version_of_the_rules_is_the_same_game_and_another_game_is_not(club, first, rules_for, actor):
    before = listed(club)
    next_version = HouseRules.objects.get(pk=first.rules_id)
    next_version.pk, next_version.version = None, 2
    next_version.save()
    play_night(make_night(club, rules_for("double-deck-partnership-pinochle"), slug="dd", day=8), actor, 8, deals=2)
    assert listed(club) == before
    play_night(make_night(club, next_version, slug="v2", day=9), actor, 4, deals=2)
    assert listed(club) != before


def test_only_earlier_nights_count_for_a_nights_handicaps(second, first):
    rows = rows_of(second)
    for member in Member.objects.filter(name__in=rows):
        given = rows[member.name].handicap
        own = points_of(first, member)[-RULE.deals :]
        assert (given.deals, given.average) == (len(own), Fraction(sum(own), len(own)))
    assert rows["Guy Guest"].handicap == Handicap(0, 0, None, "handicap.too-few-deals")


def test_points_from_scratch_stay_and_the_total_is_told_line_by_line(second):
    rows = standings_of(state.night_stage(second)).rows
    give = {row.name: row.handicap.points for row in rows if row.handicap}
    assert any(give.values())
    for net in net_rows(rows):
        assert net.total == net.row.points + 2 * give[net.row.name]
    totals = [net.total for net in net_rows(rows)]
    assert totals == sorted(totals, reverse=True)
    assert len(totals) == len(rows) == 8
    plain = [replace(row, handicap=None, deals=0) for row in rows]
    second.handicap = {}
    second.save()
    assert list(standings_of(state.night_stage(second)).rows) == plain


def test_the_result_keeps_its_handicaps(second, actor):
    now = standings_of(state.night_stage(second)).rows
    result = standings_results.publish_result(event=second, by=actor)
    assert tuple(Row.from_data(row) for row in result.rows) == now
    assert standings_results.publish_result(event=second, by=actor) == result, "nothing was corrected"


def test_a_night_from_scratch_publishes_nothing_of_handicaps(first):
    result = result_of(first)
    assert not {"handicap", "deals"} & {name for row in result.rows for name in row}


def test_the_pages_say_where_each_handicap_comes_from(second, client_of):
    page = client_of(None).get("/st-hilary/events/second/").content.decode()
    assert "50% of the gap between the average of the newest 6 deals and 40 points" in page
    assert "a deal for 2 deals. 50% of the" in page
    assert "0 deals so far; from 2 on there is a handicap." in page  # the guest


def test_secret_handicaps_come_with_the_result(second, club, actor, scorekeeper, director, client_of):
    give_handicaps(event=second, rule=replace(RULE, secret=True), by=actor)
    choose_numbers(club=club, game=GAME, rule=RULE, by=actor)
    readers = [client_of(None), client_of(scorekeeper)]
    pages = ["/st-hilary/events/second/", "/st-hilary/handicaps/st-hilary-v3/"]
    for browser in readers:
        for url in pages:
            assert "a deal for 2 deals" not in browser.get(url).content.decode()
            assert "by which the average of" not in browser.get(url).content.decode()
        assert "Shown with the result" in browser.get(pages[0]).content.decode()
        assert "This list is secret for now" in browser.get(pages[1]).content.decode()
    assert "by which the average of 6 deals" in client_of(director).get(pages[1]).content.decode()
    standings_results.publish_result(event=second, by=actor)
    for browser in readers:
        assert "a deal for 2 deals" in browser.get(pages[0]).content.decode()
        assert "by which the average of 6 deals" in browser.get(pages[1]).content.decode()


def test_a_club_that_keeps_its_list_secret_shows_it_to_directors_alone(
    first, club, actor, scorekeeper, director, client_of
):
    choose_numbers(club=club, game=GAME, rule=replace(RULE, secret=True), by=actor)
    for user, seen in ((None, False), (scorekeeper, False), (director, True)):
        page = client_of(user).get("/st-hilary/handicaps/st-hilary-v3/").content.decode()
        assert ("Player 01" in page) is seen


def test_numbers_are_chosen_by_a_form_and_logged_once(first, club, director, client_of):
    browser, url = client_of(director), "/st-hilary/desk/handicaps/st-hilary-v3/"
    assert "choose numbers" in browser.get("/st-hilary/handicaps/").content.decode()
    assert client_of(None).get("/st-hilary/handicaps/st-hilary-v3/").status_code == 404
    wrong = browser.post(url, {**FORM, "needed": 7}).content.decode()
    assert "Write a smaller number" in wrong
    for _twice in range(2):
        assert browser.post(url, FORM).status_code == 302
    assert club_numbers(club) == {GAME: RULE}
    assert LogEntry.objects.filter(verb="handicap.numbers").count() == 1
    assert "50% of the gap between the average" in client_of(None).get("/st-hilary/handicaps/").content.decode()


def test_a_night_starts_from_the_clubs_numbers_and_keeps_its_own(club, second, director, actor, client_of):
    browser, url = client_of(director), "/st-hilary/desk/second/handicap/"
    browser.post(url, {"step": "scratch"})
    choose_numbers(club=club, game=GAME, rule=RULE, by=actor)
    assert 'value="40"' in browser.get(url).content.decode()
    browser.post(url, {**FORM, "step": "give", "scratch": 55})
    second.refresh_from_db()
    assert second.handicap["scratch"] == 55
    choose_numbers(club=club, game=GAME, rule=replace(RULE, scratch=60), by=actor)
    second.refresh_from_db()
    assert second.handicap["scratch"] == 55


def test_handicaps_are_refused_where_they_make_no_sense(club, first, actor, rules, rules_for):
    with pytest.raises(StepRefused, match="Reopen it first"):
        give_handicaps(event=first, rule=RULE, by=actor)
    pairs = make_night(club, rules, slug="swiss", day=20, format=Event.Format.SWISS)
    with pytest.raises(StepRefused, match="everybody scores for themselves"):
        give_handicaps(event=pairs, rule=RULE, by=actor)
    with pytest.raises(StepRefused, match="have that game"):
        choose_numbers(club=club, game="bridge", rule=RULE, by=actor)
    low = rules_for("points-only")
    low.data["settings"]["lowest_wins"]["value"] = True
    low.save()
    with pytest.raises(StepRefused, match="lowest total wins"):
        choose_numbers(club=club, game="points-only", rule=RULE, by=actor)


@pytest.mark.proof
def test_queries_do_not_grow_with_members_and_deals(club, second, actor, rules, browser):
    choose_numbers(club=club, game=GAME, rule=RULE, by=actor)
    paths = ("handicaps/st-hilary-v3/", "handicaps/", "desk/handicaps/st-hilary-v3/", "desk/second/handicap/")
    urls = [f"/st-hilary/{path}" for path in (*paths, "events/second/")]
    few = [queries_of(browser, url) for url in urls]
    play_night(make_night(club, rules, slug="big", day=8), actor, 20, rounds=2, deals=2)
    arrive(second, actor, 20)
    play_round(publish_next(second, actor), actor, deals=2)
    assert [queries_of(browser, url) for url in urls] == few


def test_the_printed_result_has_the_order_with_handicap(second, actor, scorekeeper, client_of):
    give_handicaps(event=second, rule=replace(RULE, secret=True), by=actor)
    print_of = "/st-hilary/desk/second/print/{}.pdf".format
    browser = client_of(scorekeeper)
    assert "With handicap" not in "".join(pages_of(browser.get(print_of("standings")).content))
    standings_results.publish_result(event=second, by=actor)
    page = "".join(pages_of(browser.get(print_of("result")).content))
    assert "With handicap" in page
    assert "a deal for 2 deals" in " ".join(page.split())


def test_numbers_are_proposed_from_the_averages_and_the_director_takes_or_changes_them(first, club, actor, browser):
    address = f"/st-hilary/desk/handicaps/{GAME}/"
    form = browser.get(address).context["form"]
    assert "scratch" not in form.initial  # six deals of each so far, and eight are needed
    choose_numbers(club=club, game=GAME, rule=RULE, by=actor)
    Member.objects.filter(name="Player 08").update(active=False)
    own = {name: handicap.average for name, handicap in listed(club).items() if name != "Player 08"}
    page = browser.get(address)
    assert page.context["form"].initial["scratch"] == RULE.scratch
    proposal = page.context["proposal"]
    assert {member.name: handicap.average for member, handicap in proposal["lines"]} == own
    rule = proposal["rule"]
    assert rule.scratch - 1 < max(own.values()) <= rule.scratch
    codes = {handicap.code for _member, handicap in proposal["lines"]}
    assert codes <= {"handicap.given", "handicap.scratch"}  # nobody is capped
    assert min(handicap.points for _member, handicap in proposal["lines"]) == 0
    assert rule.most == max(handicap.points for _member, handicap in proposal["lines"])
    taken = browser.get(f"{address}?proposed").context["form"].initial
    assert (taken["scratch"], taken["most"], taken["percent"]) == (rule.scratch, rule.most, RULE.percent)
    assert club_numbers(club) == {GAME: RULE}  # nothing changes before it is saved
    browser.post(f"{address}?proposed", FORM | {"scratch": rule.scratch + 1, "most": rule.most})
    assert club_numbers(club)[GAME] == replace(RULE, scratch=rule.scratch + 1, most=rule.most)
