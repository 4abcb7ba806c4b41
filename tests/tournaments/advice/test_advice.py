"""Which format for so many people, this long: what is promised of each holds, and the page that answers."""

from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from lab.simulation.advice import COUNT_LARGE, cases, make_way, try_case, write_figures
from lab.simulation.formats import USUAL, skills
from tests.tournaments.nights import queries_of
from tournaments.advice import SHIPPED, fitting_way, fitting_ways, nearest_trial, trial_results
from tournaments.models import Event


def test_the_54_are_offered_their_contest_when_there_is_time_for_three_stages():
    assert fitting_way("contest", 54, rounds=2) is None
    offer = fitting_way("contest", 54, rounds=12)
    assert (offer.stages, offer.tables, offer.games) == ((54, 18, 6), 9, (4, 12))
    assert offer.options == {"places": 54, "games": 4}
    assert fitting_way("contest", 53, rounds=12) is None


def test_tables_and_partners_narrow_the_choice():
    formats = {one.format for one in fitting_ways(24, rounds=8)}
    assert {"contest", "rotation", "swiss"} < formats
    assert {one.format for one in fitting_ways(24, rounds=8, fours=5)} == {"contest"}
    assert "contest" not in {one.format for one in fitting_ways(24, rounds=8, sixes=3)}
    fixed, changing = ({one.format for one in fitting_ways(24, rounds=8, fixed=f)} for f in (True, False))
    stay = {"groups", "swiss", "ladder", "rungs", "open-pairs", "knock-out", "team-match"}
    assert fixed == formats - changing == stay
    assert list(fitting_ways(24, rounds=0)) == []


def test_the_nearest_case_is_shown():
    for people, rounds, close in ((54, 6, (54, 6)), (52, 6, (54, 6)), (23, 5, (24, 5)), (200, 20, (150, 12))):
        offer = fitting_way("rotation", people, rounds=rounds)
        assert offer is not None
        found = nearest_trial(offer, people)
        assert (found.people, found.rounds) == close


def ask(browser, club, **question):
    return browser.get(reverse("event_advice", args=[club.slug]), question).content.decode()


def test_the_page_names_what_fits_and_leads_to_the_form_of_a_new_event(club, browser):
    page = ask(browser, club, people=54, minutes=430, per_game=31)
    assert "54 people, time for 12 rounds" in page
    assert "Stages of 54 – 18 – 6 people." in page
    assert "2 people sit out in each round." in page  # the club night's
    assert "Based on 50 simulated events with 54 people and 12 rounds." in page
    links = [line.split('"')[0] for line in page.replace("&amp;", "&").split('href="') if "?format=" in line]
    asked = {parse_qs(urlsplit(link).query)["format"][0]: link for link in links}
    form = browser.get(asked["contest"]).context["form"]
    assert (form["places"].value(), form["games"].value(), form["round_minutes"].value()) == ("54", "4", 0)
    form = browser.get(asked["swiss"]).context["form"]
    assert (form["rounds"].value(), form["round_minutes"].value()) == ("12", "31")


@pytest.mark.parametrize("people", [5, 7, 9, 11, 13])
def test_nobody_is_promised_more_others_than_there_are(client_of, club, director, people):
    question = {"people": people, "minutes": 600, "per_game": 40}
    ways = client_of(director).get(reverse("event_advice", args=[club.slug]), question).context["ways"]
    assert [way["title"] for way in ways if way["met"] > people - 1] == []
    stays = [way for way in ways if way["offer"].over]
    assert [way["title"] for way in stays if way["met"] > people - 3] == [], (
        "one has no partner, and nobody meets their own"
    )


def test_a_figure_of_another_number_of_people_says_so_where_it_stands(client_of, club, director):
    page = " ".join(ask(client_of(director), club, people=7, minutes=180, per_game=40).split())
    assert "6 others each). Tried with 8 people." in page
    assert 'Others met<br><span class="help">Tried with 8 people.</span>' in page
    assert "Tried with" not in ask(client_of(director), club, people=8, minutes=180, per_game=40)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ({"people": 53}, "it needs 51 or 54 people"),
        ({"people": 25, "partners": "stay"}, "One person has no partner."),
        ({"people": 24, "minutes": 20, "per_game": 30}, "A game takes longer than you have."),
        ({"people": 24, "fours": 0, "sixes": 0}, "Nothing fits."),
        ({"people": 3}, "greater than or equal to 4"),
        ({"people": 24, "minutes": ""}, "This field is required."),
    ],
)
def test_the_page_says_what_to_do(client_of, club, director, question, words):
    page = ask(client_of(director), club, **{"minutes": 180, "per_game": 30, **question})
    assert words in page


def test_the_page_asks_first_and_stands_beside_the_new_event(client_of, club, director):
    page = ask(client_of(director), club)
    assert "Show what fits" in page
    assert "imagined" not in page
    address = reverse("event_advice", args=[club.slug])
    assert address in client_of(director).get(reverse("event_new", args=[club.slug])).content.decode()


def test_a_link_fills_in_nothing_but_options(client_of, club, director):
    address = reverse("event_new", args=[club.slug])
    query = {"format": "swiss", "rounds": "7", "name": "Spam", "bye": "half"}
    form = client_of(director).get(address, query).context["form"]
    assert (form["rounds"].value(), form["name"].value(), form["bye"].value()) == ("7", None, "win")


def test_an_answer_asks_the_database_for_nothing_more(club, browser):
    address = reverse("event_advice", args=[club.slug])
    browser.get(address)
    questions = ({}, {"people": 8, "minutes": 90, "per_game": 30}, {"people": 72, "minutes": 600, "per_game": 30})
    assert len({queries_of(browser, address, question) for question in questions}) == 1


# The figures that the page shows are those of trying each format, and what it promises holds when played


OUT_IN_TURN = {  # fewer play in later rounds
    Event.Format.KNOCK_OUT,
    Event.Format.DOUBLE_KNOCK_OUT,
    Event.Format.OUT_AFTER,
    Event.Format.CONTEST,
    Event.Format.GROUPS,
}
SEARCHED = 20  # people in a Swiss, at most, so that nobody waits


@pytest.mark.parametrize("people", [4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 17, 18, 22, 24, 27, 33, 54])
@pytest.mark.parametrize("rounds", [1, 4, 9])
def test_what_is_promised_of_a_format_holds_when_it_is_played(people, rounds):
    for offer in fitting_ways(people, rounds=rounds):
        if offer.format == Event.Format.SWISS and people > SEARCHED:
            continue
        event = make_way(offer, people, seed=1).play(skills(range(1, people + 1), Random(2)), USUAL, rng=Random(3))
        games = [sum(person in one.seated for one in event.rounds) for person in range(1, people + 1 - offer.over)]
        what = f"{offer.format} of {people}, {rounds} rounds"
        assert not event.refused, what
        assert len(event.rounds) <= offer.rounds <= rounds, what
        assert offer.games[0] <= min(games) <= max(games) <= offer.games[1], what
        if offer.format not in OUT_IN_TURN:
            assert {len(one.sit_outs) for one in event.rounds} == {offer.sit_outs}, what
            assert max(len(one.tables) for one in event.rounds) == offer.tables, what


def test_figures_are_shipped_for_every_case_that_is_tried():
    assert [(tried.kind, tried.people, tried.rounds) for tried in trial_results()] == sorted(cases()), (
        "make them anew: ./dev lab simulate figures"
    )
    assert min(tried.events for tried in trial_results()) >= COUNT_LARGE


@pytest.mark.parametrize("case", [("single-table", 4, 3), ("round-robin", 8, 3), ("contest", 9, 2), ("rotation", 8, 3)])
def test_the_figures_shipped_are_those_that_trying_gives(case, tmp_path):
    assert try_case(case) in trial_results()
    write_figures(trial_results(), file := tmp_path / "figures.json")
    assert file.read_text() == SHIPPED.read_text()
