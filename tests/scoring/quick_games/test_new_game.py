"""A quick game outside events."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.models import Game, HouseRules
from tests.examples import cases
from tests.pages import page_of

NAMES = {"name_0_0": "Ann", "name_0_1": "Bob", "name_1_0": "Cal", "name_1_1": "Dee"}


def new_game(game=""):
    url = reverse("game_new", args=["st-hilary"])
    return f"{url}?game={game}" if game else url


def test_a_game_of_a_shipped_rule_set_adopts_it(client_of, scorekeeper):
    client = client_of(scorekeeper)
    offered = client.get(new_game()).content.decode()
    assert 'value="st-hilary-v3:2x2"' in offered
    assert "2 sides of 2 players" in offered
    shown = client.get(new_game("st-hilary-v3:2x2"))
    typed = NAMES | {"title": "By the window", "token": str(shown.context["form"]["token"].value())}
    answers = [client.post(new_game("st-hilary-v3:2x2"), typed) for _ in range(2)]  # a double tap
    game = Game.objects.get()
    assert {answer.url for answer in answers} == {game.get_absolute_url()}
    assert [side.names for side in game.sides.all()] == [["Ann", "Bob"], ["Cal", "Dee"]]
    assert HouseRules.objects.get().slug == "st-hilary-v3"


def test_two_taps_at_once_are_one_game(client_of, scorekeeper):
    """Neither of two requests that are under way knows what the other's session keeps: as from two browsers."""
    typed = NAMES | {"title": "By the window", "token": str(uuid4())}
    answers = [client_of(scorekeeper).post(new_game("st-hilary-v3:2x2"), typed) for _ in range(2)]
    assert {answer.url for answer in answers} == {Game.objects.get().get_absolute_url()}


def test_the_same_form_of_another_club_is_another_game(client_of, scorekeeper, stranger):
    typed = NAMES | {"title": "By the window", "token": str(uuid4())}
    client_of(scorekeeper).post(new_game("st-hilary-v3:2x2"), typed)
    client_of(stranger).post(new_game("st-hilary-v3:2x2").replace("/st-hilary/", "/harbour/"), typed)
    assert Game.objects.count() == 2


def test_a_name_put_right_on_the_page_gone_back_to_is_not_lost(client_of, scorekeeper):
    client, typed = client_of(scorekeeper), NAMES | {"title": "By the window", "token": str(uuid4())}
    first = client.post(new_game("st-hilary-v3:2x2"), typed)
    right = typed | {"name_0_0": "Anne"}
    answers = [client.post(new_game("st-hilary-v3:2x2"), right) for _ in range(2)]
    assert answers[0].url == answers[1].url != first.url
    page = client.get(answers[0].url).content.decode()
    assert "Anne &amp; Bob" in page
    assert Game.objects.count() == 2


@pytest.mark.parametrize("every", cases(5, proof=1))
def test_every_offer_has_its_card(client_of, director, every):
    client = client_of(director)
    offers = client.get(new_game()).context["offers"]
    assert {offer.rule_set.family for offer in offers} == {
        "partnership-pinochle",
        "three-hand-pinochle",
        "two-hand-pinochle",
        "hand-and-foot",
        "points-only",
    }
    for offer in offers[::every]:
        shape = offer.shape
        names = {f"name_{s}_{p}": f"Player {s}{p}" for s in range(shape.sides) for p in range(shape.per_side)}
        typed = names | {"title": offer.key, "token": str(uuid4())}
        answer = client.post(new_game(offer.key), typed, follow=True)
        assert answer.status_code == 200
        assert len(answer.context["card"].sides) == shape.sides


def test_games_are_offered_by_kind_with_the_clubs_own_first(client_of, scorekeeper, rules_for):
    rules_for("euchre")
    page = client_of(scorekeeper).get(new_game())
    kinds = list(dict.fromkeys(offer.kind for offer in page.context["offers"]))
    assert kinds == ["The club's own rules", "Pinochle", "Hand and Foot", "Whist, euchre and other games by points"]
    assert [offer.rule_set.slug for offer in page.context["offers"] if offer.kind == kinds[0]] == ["euchre"]
    content = page.content.decode()
    assert content.count("<details") == len(kinds)
    assert content.count('<details class="lines kind" open>') == 1
    assert [content.count(f'value="{offer.key}"') for offer in page.context["offers"]] == [1] * len(
        page.context["offers"]
    )


def test_a_name_twice_is_pointed_out(client_of, scorekeeper):
    typed = NAMES | {"name_1_1": "ann", "title": "x", "token": str(uuid4())}
    answer = client_of(scorekeeper).post(new_game("st-hilary-v3:2x2"), typed)
    assert answer.status_code == 422
    assert "This name is here twice." in answer.content.decode()
    assert not Game.objects.exists()


def test_the_way_back_to_a_quick_game_stands_on_the_desk(
    client_of, scorekeeper, stranger, game, django_assert_num_queries
):
    client = client_of(scorekeeper)
    assert f'href="{new_game()}"' in client.get(reverse("desk", args=["st-hilary"])).content.decode()
    client_of(stranger).post(
        new_game("st-hilary-v3:2x2").replace("/st-hilary/", "/harbour/"),
        NAMES | {"title": "Not ours", "token": str(uuid4())},
    )

    def started(title):
        client.post(new_game("st-hilary-v3:2x2"), NAMES | {"title": title, "token": str(uuid4())})
        return Game.objects.get(title=title)

    first = started("By the window")
    with CaptureQueriesContext(connection) as asked:
        client.get(new_game())
    queries = len(asked)
    second = started("In the bar")
    Game.objects.filter(pk=second.pk).update(state=Game.State.OVER)
    third = started("On the stairs")
    with django_assert_num_queries(queries):
        page = client.get(new_game())
    assert page.context["games"] == [third, first, second]  # what is open first; no other's
    assert f'<a href="{third.get_absolute_url()}">On the stairs</a>: Ann &amp; Bob · Cal &amp; Dee' in page_of(page)
