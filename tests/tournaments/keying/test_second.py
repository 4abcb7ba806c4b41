"""The second keying: by somebody else, blind, compared figure by figure; a difference goes to the director."""

import re
from uuid import UUID

import pytest
from django.urls import reverse

from clubsite.accounts.models import Actor, LogEntry, Role
from scoring.cards.deals import correct_deal, mark_deal, record_deal
from scoring.engine.pinochle.partnership import Ending, PartnershipDeal
from scoring.families.deal_form import EnteredDeal
from scoring.models import DealVersion
from tests.conftest import make_user
from tests.scoring.conftest import IMPOSSIBLE, a_deal, correct
from tests.tournaments.keying.keying import AS_A_PART, a_line, a_round, address, in_words, send
from tests.tournaments.nights import make_night, play_round, queries_of
from tournaments.keying.second import is_wanted, open_differences, want_second_keying
from tournaments.models import Event, KeyedAgain, Round, SecondKeying, Stage
from tournaments.rounds import publishing

SECOND = "round_second_keying"


@pytest.fixture
def other(club):
    return make_user("sue", club, Role.Kind.SCOREKEEPER)


@pytest.fixture
def event(night, keyer, browser):
    """A round of which one deal is keyed, and a second keying is asked for."""
    event, _draw, games = night
    assert send(keyer, event, a_line(games[0])).status_code == 200
    assert browser.post(address(event, SECOND), {"step": "ask"}).status_code == 302
    return event


def again(client, event, line):
    return client.post(address(event, SECOND), line, headers=AS_A_PART)


def test_the_second_person_doesnt_see_the_first_figures(event, game, client_of, other):
    page = client_of(other).get(address(event, SECOND)).content.decode()
    assert f'id="deal-{game.pk}-1"' in page
    assert "1 deal left for you to key" in in_words(page)
    line = page[page.index(f'id="deal-{game.pk}-1"') :]
    for figure in ('value="20"', 'value="15"', "+25", ">16<", "tfoot"):
        assert figure not in line


def test_each_line_is_a_submission_of_its_own(event, game, client_of, other, keyer):
    send(keyer, event, a_line(game, number=2))
    page = client_of(other).get(address(event, SECOND)).content.decode()
    numbers = re.findall(r'name="number" value="(.*?)"', page)
    submissions = re.findall(r'name="submission" value="(.*?)"', page)
    assert numbers == ["1", "2"]
    assert len(set(submissions)) == 2
    assert "csrfmiddlewaretoken" in page


def test_the_same_figures_are_marked_so(event, game, client_of, other):
    told = again(client_of(other), event, a_line(game)).json()
    assert told["state"] == "same"
    assert "keyed twice, the same" in in_words(told["line"])
    assert KeyedAgain.objects.get().by == other
    assert DealVersion.objects.count() == 1
    assert "keyed twice, the same" in in_words(client_of(other).get(address(event)).content.decode())
    assert "0 deals left for you to key" in in_words(client_of(other).get(address(event, SECOND)).content.decode())


def test_other_figures_are_asked_about_then_go_to_the_director_with_both(event, game, client_of, other, director):
    line = a_line(game, a_deal(take=(14, 11)))
    told = again(client_of(other), event, line).json()
    assert told["state"] == "asking"
    assert "The first keying has other figures" in in_words(told["line"])
    assert not KeyedAgain.objects.exists()
    told = again(client_of(other), event, line | {"sure": "on"}).json()
    assert told["state"] == "different"
    (one,) = open_differences(event)
    assert {(row["head"], row["first"], row["second"]) for row in one.rows if row["differs"]} >= {
        ("Take", 15, 14),
        ("Take", 10, 11),
    }
    page = in_words(client_of(director).get(differences(event)).content.decode())
    assert "First: Sam" in page
    assert "Second: Sue" in page
    assert DealVersion.objects.get().facts["take"] == [15, 10]


def test_a_double_enter_is_one_reading(event, game, client_of, other):
    line = a_line(game, a_deal(take=(14, 11)), sure="on")
    assert [again(client_of(other), event, line).status_code for _time in range(2)] == [200, 200]
    assert KeyedAgain.objects.count() == 1
    third = again(client_of(other), event, a_line(game)).json()
    assert third["state"] == "refused"
    assert "Sue has already keyed this deal again" in in_words(third["line"])


def test_nobody_keys_their_own_deal_again(event, game, keyer):
    page = in_words(keyer.get(address(event, SECOND)).content.decode())
    assert "you keyed it the first time" in page
    told = again(keyer, event, a_line(game)).json()
    assert told["state"] == "refused"
    assert "You keyed this deal the first time" in in_words(told["line"])
    assert not KeyedAgain.objects.exists()


def test_who_marked_a_deal_agreed_has_not_keyed_it(event, game, client_of, other):
    deal = game.deals.get()
    mark_deal(deal=deal, state="agreed", by=Actor(other, "Sue"), submission=UUID("1" * 32), seen=1)
    assert again(client_of(other), event, a_line(game)).json()["state"] == "same"


def test_an_impossible_card_is_refused_as_the_first_time(event, game, client_of, other):
    told = again(client_of(other), event, a_line(game, IMPOSSIBLE, sure="on"))
    assert told.status_code == 422
    assert "All that was taken comes to 26" in in_words(told.json()["line"])
    missing = again(client_of(other), event, a_line(game, number=2)).json()
    assert "This deal isn't recorded" in in_words(missing["line"]).replace("&#x27;", "'")


def test_what_a_line_has_no_box_for_is_taken_from_the_first(event, game, client_of, other, actor):
    thrown = PartnershipDeal(bid_side=0, bid=20, meld=(10, 6), take=(), ending=Ending.RENEGE_BID_SIDE)
    record_deal(game=game, number=2, entered=EnteredDeal(thrown, sure=True), by=actor, submission=UUID("2" * 32))
    told = again(client_of(other), event, a_line(game, number=2, take_0="", take_1="")).json()
    assert told["state"] == "same"


@pytest.mark.parametrize(
    ("first", "second", "state"),
    [("1 2", "21", "same"), ("", "0", "same"), ("1", "2", "different"), ("1", "", "different"), ("", "1", "different")],
)
def test_the_marks_of_sides_that_are_set_are_compared(event, game, client_of, other, first, second, state, keyer):
    send(keyer, event, a_line(game, number=2, written_sets=first))
    line = a_line(game, number=2, written_sets=second)
    if state == "different":
        assert again(client_of(other), event, line).json()["state"] == "asking"
    assert again(client_of(other), event, line | {"sure": "on"}).json()["state"] == state
    assert len(open_differences(event)) == (state == "different")


def test_marks_that_differ_are_settled_as_any_figure(event, game, client_of, other, director, keyer):
    send(keyer, event, a_line(game, number=2, written_sets="2"))
    again(client_of(other), event, a_line(game, number=2, written_sets="1", sure="on"))
    (one,) = open_differences(event)
    marked = [(row["first"], row["second"]) for row in one.rows if row["head"] == "Failed bid, as the scorer marked it"]
    assert marked == [(None, "failed"), ("failed", None)]
    assert not any(row["differs"] for row in one.rows if row["head"] != "Failed bid, as the scorer marked it")
    assert "Failed bid, as the scorer marked it" in in_words(
        client_of(director).get(differences(event)).content.decode()
    )
    settle(client_of(director), event, reading=one.reading.pk, right="second")
    assert DealVersion.objects.get(current=True, deal__number=2).written_sets == [0]
    assert open_differences(event) == []


def test_a_correction_of_the_marks_alone_settles_a_difference_of_marks(event, game, client_of, other, actor):
    again(client_of(other), event, a_line(game, written_sets="1", sure="on"))
    assert len(open_differences(event)) == 1
    entered = EnteredDeal(a_deal(), written_sets=(0,))
    correct_deal(deal=game.deals.get(), entered=entered, by=actor, submission=UUID("3" * 32), seen=1, reason="so")
    assert open_differences(event) == []


def test_marks_that_have_no_box_are_not_compared(event, game, client_of, other, keyer):
    send(keyer, event, a_line(game, number=2, written_sets="1"))
    page = f"{address(event, SECOND)}?totals=no"
    told = client_of(other).post(page, a_line(game, number=2), headers=AS_A_PART).json()
    assert told["state"] == "same"


def test_running_totals_are_compared_where_both_have_one(event, game, client_of, other, keyer):
    send(keyer, event, a_line(game, number=2, written_0=50))
    told = again(client_of(other), event, a_line(game, number=2, written_0=56, written_1=32)).json()
    assert told["state"] == "asking"
    assert again(client_of(other), event, a_line(game, number=2, written_0=50, written_1=32)).json()["state"] == "same"


def differences(event):
    return reverse("differences", args=[event.club.slug, event.slug])


def settle(client, event, **more):
    return client.post(differences(event), more, follow=True)


@pytest.fixture
def reading(event, game, client_of, other):
    """The second keying of the first deal, with other figures."""
    again(client_of(other), event, a_line(game, a_deal(take=(14, 11)), sure="on", written_0=24))
    return KeyedAgain.objects.get()


def test_the_director_says_that_the_first_is_right(event, reading, client_of, director):
    settle(client_of(director), event, reading=reading.pk, right="first")
    assert open_differences(event) == []
    assert DealVersion.objects.count() == 1
    reading.refresh_from_db()
    assert (reading.state, reading.settled_by) == ("settled", "Dora")
    before = LogEntry.objects.count()
    settle(client_of(director), event, reading=reading.pk, right="second")
    assert (DealVersion.objects.count(), LogEntry.objects.count()) == (1, before)


def test_the_second_is_right_by_a_correction_with_its_reason(event, reading, client_of, director):
    for _time in range(2):
        settle(client_of(director), event, reading=reading.pk, right="second")
    version = DealVersion.objects.get(current=True)
    assert (version.number, version.facts["take"], version.by) == (2, [14, 11], director)
    assert "Keyed a second time by Sue" in version.reason
    assert open_differences(event) == []


def test_who_moves_is_shown_before_published_standings_change(event, reading, client_of, director, actor):
    round_ = Round.objects.select_related("stage__event").get()
    publishing.close_round(round=round_, by=actor, end_open=True, reason="time")
    asked = settle(client_of(director), event, reading=reading.pk, right="second")
    assert asked.status_code == 422
    page = in_words(asked.content.decode())
    assert "Not done yet" in page
    assert "25 → would be 24" in page
    assert "16 → would be 17" in page
    assert "Consequences(" not in page
    assert DealVersion.objects.filter(state="entered").count() == 1
    settle(client_of(director), event, reading=reading.pk, right="second", sure="1")
    assert DealVersion.objects.get(current=True).facts["take"] == [14, 11]


def test_a_correction_by_the_card_settles_it_too(event, game, reading, actor):
    correct(game.deals.get(), a_deal(take=(13, 12)), by=actor)
    assert open_differences(event) == []
    reading.refresh_from_db()
    assert reading.state == "different"  # as it was read: nothing recorded is edited


def test_a_reading_of_another_event_is_not_settled_here(event, reading, client_of, director, rules_for, club):
    elsewhere = make_night(club, event.rules, slug="elsewhere")
    settle(client_of(director), elsewhere, reading=reading.pk, right="second")
    assert DealVersion.objects.count() == 1


def test_it_isnt_keyed_again_unless_asked_for(event, game, client_of, other, director):
    client_of(director).post(address(event, SECOND), {"step": "stop"})
    assert again(client_of(other), event, a_line(game)).status_code == 404
    page = client_of(other).get(address(event, SECOND)).content.decode()
    assert "Nobody has asked for a second keying" in in_words(page)


def test_what_is_said_of_a_round_holds_for_those_after_it(event, client_of, director):
    stage = event.stages.get()
    first = stage.rounds.get()
    second, third = (Round.objects.create(stage=stage, number=number) for number in (2, 3))
    assert [is_wanted(round) for round in (first, second, third)] == [True, True, True]
    want_second_keying(round=second, by=Actor(director, "Dora"), wanted=False)
    assert [is_wanted(round) for round in (first, second, third)] == [True, False, False]
    rows = SecondKeying.objects.count()
    want_second_keying(round=third, by=Actor(director, "Dora"), wanted=False)  # as it is
    assert SecondKeying.objects.count() == rows
    elsewhere = Stage.objects.create(event=make_night(event.club, event.rules, slug="elsewhere"), number=1)
    assert not is_wanted(Round.objects.create(stage=elsewhere, number=4))


def test_without_javascript_a_difference_is_asked_about_on_the_page(event, game, client_of, other):
    line = a_line(game, a_deal(take=(14, 11)))
    asked = client_of(other).post(address(event, SECOND), line)
    assert asked.status_code == 422
    assert 'name="take_0" value="14"' in asked.content.decode()
    assert 'name="sure"' in asked.content.decode()
    assert client_of(other).post(address(event, SECOND), line | {"sure": "on"}).status_code == 302


def test_as_many_queries_with_eight_tables_as_with_three(club, actor, rules_for, client_of, other, director):
    rules, counts = rules_for("st-hilary-v3"), []
    for tables in (3, 8):
        event, draw, _games = a_round(rules, actor, tables=tables)
        play_round(draw, actor)
        client_of(director).post(address(event, SECOND), {"step": "ask"})
        keyer = client_of(other)
        counts.append(queries_of(keyer, address(event, SECOND)))
        Event.objects.filter(pk=event.pk).update(slug=f"night-of-{tables}")
    assert counts[0] == counts[1]


def test_the_desk_names_a_difference_until_it_is_settled(event, reading, client_of, director):
    desk = event.get_desk_url()
    page = in_words(client_of(director).get(desk).content.decode())
    assert "1 deal was keyed twice with other figures" in page
    settle(client_of(director), event, reading=reading.pk, right="first")
    assert "keyed twice with other figures" not in in_words(client_of(director).get(desk).content.decode())
