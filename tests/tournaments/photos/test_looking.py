"""Cards that were read from photos: the grid filled in, what is marked, what is compared, and how it is saved."""

import json
from uuid import uuid4

import pytest

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import record_deal
from scoring.families.deal_form import EnteredDeal
from scoring.models import DealVersion
from tests.scoring.conftest import IMPOSSIBLE, a_deal
from tests.tournaments.keying.keying import AS_A_PART, a_line, in_words
from tests.tournaments.nights import arrive, games_of, make_night, publish_next, queries_of
from tests.tournaments.photos.photographs import a_reading, address, photographed
from tournaments.photos.actions import describe_problem


def page_of(client, event, status=200):
    response = client.get(address(event, "photo_cards"))
    assert response.status_code == status
    return response.content.decode()


def save(client, event, line):
    return client.post(address(event, "photo_cards"), line, headers=AS_A_PART)


def test_what_was_read_stands_in_the_grid_beside_its_picture_and_is_not_recorded(event, game, keyer):
    photographed(game, a_reading(a_deal(), totals=(25, 16)))
    page = page_of(keyer, event)
    assert f'name="meld_0" value="{a_deal().meld[0]}"' in page
    assert 'name="bid_side" value="1"' in page  # the key of the first side
    assert page.count('x="100" y="200" width="80"') == 8
    assert "Check these first" not in page
    assert not DealVersion.objects.exists()


def test_a_saved_line_is_a_deal_from_a_photo_and_the_log_says_so(event, game, browser):
    photographed(game, a_reading(a_deal()))
    answer = save(browser, event, a_line(game))
    assert (answer.status_code, answer.json()["state"]) == (200, "recorded")
    assert DealVersion.objects.get().route == "photo"
    assert LogEntry.objects.first().route == "photo"
    assert "(from a photo)" in browser.get(f"/{event.club.slug}/log/").content.decode()
    assert "Everything that was read is recorded" in page_of(browser, event)


def test_cards_without_a_figure_are_said_to_be_blank_and_not_offered_to_look_at(event, game, other, actor, keyer):
    record_deal(game=game, number=1, entered=EnteredDeal(a_deal()), by=actor, submission=uuid4())
    blank = [photographed(game), photographed(other)]
    photos = keyer.get(address(event))
    assert photos.context["cards"] == 0
    assert [card for row in photos.context["photos"] for card, _words in row["troubles"]] == blank[::-1]
    page = keyer.get(address(event, "photo_cards"))
    assert page.context["blank"] == [describe_problem(card) for card in blank]
    assert "Everything that was read is recorded" not in page.content.decode()
    photographed(other, a_reading(a_deal()))
    assert keyer.get(address(event)).context["cards"] == 1


def test_a_doubtful_figure_is_marked_with_a_sign_and_words_and_listed_first(event, game, other, keyer):
    photographed(game, a_reading(a_deal()))
    photographed(other, a_reading(a_deal(), doubts=("take_1",)))
    page = page_of(keyer, event)
    box = f"deal-{other.pk}-1-take_1"
    assert f'aria-describedby="{box}-mark"' in page
    assert "Hard to read: look at the picture." in page
    assert page.index(f'href="#{box}"') < page.index(f'id="game-{game.pk}"')  # its card comes first
    assert page.count("Check these first") == 1


def test_a_figure_that_the_rules_decided_says_so(event, game, keyer):
    reading = a_reading(a_deal())
    reading["fields"]["bid"][1] = "rules"
    photographed(game, reading)
    page = page_of(keyer, event)
    assert "marked-rules" in page
    assert "the writing looks different" in page


def test_a_running_total_that_is_off_is_said_before_the_line_is_saved(event, game, keyer):
    second = a_reading(a_deal(), 2, totals=(50, 40))
    photographed(game, a_reading(a_deal(), totals=(25, 16)), second)
    assert "8 too high: it should be 32" in in_words(page_of(keyer, event))


def test_a_problem_of_a_reading_is_said_with_it(event, game, keyer):
    reading = a_reading(IMPOSSIBLE)
    found = game.rules.family.check(IMPOSSIBLE, game.engine_rules)
    reading["problems"] = json.loads(json.dumps([[p.code, p.severity, p.field, p.args, p.side] for p in found]))
    photographed(game, reading)
    assert "problem-impossible" in page_of(keyer, event)
    refused = save(keyer, event, a_line(game, IMPOSSIBLE))
    assert refused.status_code == 422
    assert 'class="seen"' in refused.json()["line"]  # the pictures stay beside what is to be corrected
    assert not DealVersion.objects.exists()


@pytest.mark.parametrize(("take", "state"), [((15, 10), "recorded"), ((10, 15), "late")])
def test_a_deal_that_somebody_recorded_is_compared(event, game, actor, take, state, keyer):
    recorded = a_deal(take=(15, 10))
    record_deal(game=game, number=1, entered=EnteredDeal(recorded, sure=True), by=actor, submission=uuid4())
    photographed(game, a_reading(a_deal(take=take)), a_reading(a_deal(), 2))
    page = page_of(keyer, event)
    assert ("recorded this deal with other figures than the photo has" in page) == (state == "late")
    assert f'id="deal-{game.pk}-1" class="line" data-state="{state}"' in page
    assert f'id="deal-{game.pk}-2" class="line" data-state="open"' in page


def test_of_two_photos_of_a_table_the_later_shows_where_it_differs(event, game, keyer):
    photographed(game, a_reading(a_deal(take=(15, 10))))
    photographed(game, a_reading(a_deal(take=(16, 9))))
    page = page_of(keyer, event)
    assert page.count("The other photo of this card has “16”.</span>") == 1
    assert page.count("The other photo of this card has “9”.</span>") == 1
    assert page.count("marked-doubt") == 2
    assert page.count(f'id="deal-{game.pk}-1"') == 1


def test_a_line_between_those_that_were_read_can_be_keyed(event, game, keyer):
    photographed(game, a_reading(a_deal()), a_reading(a_deal(), 3))
    page = page_of(keyer, event)
    places = [page.index(f'id="deal-{game.pk}-{number}"') for number in (1, 2, 3)]
    assert places == sorted(places)


def test_a_figure_that_could_not_be_read_is_left_empty(event, game, keyer):
    photographed(game, a_reading(a_deal(), meld_1="", doubts=("meld_1",)))
    page = page_of(keyer, event)
    assert "read: –" in in_words(page)
    assert 'name="meld_1" value' not in page


def test_the_page_costs_as_many_queries_for_one_card_as_for_two(event, game, other, keyer):
    client, counts = keyer, []
    for one in (game, other):
        photographed(one, *(a_reading(a_deal(), n) for n in range(1, 5)))
        for name in ("photo_cards", "photos"):
            client.get(address(event, name))
            counts.append(queries_of(client, address(event, name)))
    assert counts[:2] == counts[2:]


def test_without_script_a_saved_line_leads_back_to_the_page(event, game, keyer):
    photographed(game, a_reading(a_deal()))
    answer = keyer.post(address(event, "photo_cards"), a_line(game))
    assert answer.status_code == 302
    page = keyer.post(address(event, "photo_cards"), a_line(game, IMPOSSIBLE, number=2))
    assert page.status_code == 422


def test_a_game_of_another_event_is_not_saved_here(event, actor, rules_for, keyer):
    another = make_night(event.club, rules_for("st-hilary-v3"), slug="saturday", day=7)
    arrive(another, actor, 4)
    (theirs,) = games_of(publish_next(another, actor))
    assert save(keyer, event, a_line(theirs)).status_code == 404
