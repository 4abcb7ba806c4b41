"""Games outside events: one is started, and the names on its card are put right."""

import html
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubsite.accounts.models import Actor, Club, LogEntry
from clubsite.previews import fingerprint
from scoring.cards.deals import Signed, mark_deal
from scoring.engine.pinochle.two_hand.card import TwoHandDeal
from scoring.families import PAGES
from scoring.handicaps import next_start
from scoring.models import Game, HandicapEntry, HouseRules
from scoring.quick_games import NamesChanged, player_names, rename_players
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


def test_the_same_people_play_again_with_their_names_filled_in(client_of, scorekeeper, stranger):
    client = client_of(scorekeeper)
    for n in range(5):
        client.post(new_game("st-hilary-v3:2x2"), NAMES | {"title": f"Game {n}", "token": str(uuid4())})
    page = client.get(new_game())
    assert [game.title for game, _key in page.context["again"]] == ["Game 4", "Game 3", "Game 2"]
    assert len(page.context["games"]) == 2
    game, key = page.context["again"][0]
    form = client.get(f"{new_game(key)}&again={game.pk}").context["form"]
    assert {name: form[name].value() for name in NAMES} == NAMES
    for other in ("three-hand-double:3x1", "hand-and-foot:2x2"):  # other seats, or another game
        form = client.get(f"{new_game(other)}&again={game.pk}").context.get("form")
        assert form is None or not any(form[name].value() for name in form.fields if name.startswith("name_"))
    elsewhere = new_game(key).replace("/st-hilary/", "/harbour/")
    assert not client_of(stranger).get(f"{elsewhere}&again={game.pk}").context["form"]["name_0_0"].value()


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


@pytest.mark.parametrize("every", cases(20, proof=1))
def test_every_offer_has_its_card(client_of, director, every):
    client = client_of(director)
    offers = client.get(new_game()).context["offers"]
    assert {offer.rule_set.family for offer in offers} == {
        "partnership-pinochle",
        "three-hand-pinochle",
        "two-hand-pinochle",
        "hand-and-foot",
        "contract",
        "trick-bids",
        "hearts",
        "cribbage",
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
    games = dict.fromkeys(str(pages.kind) for pages in PAGES.values())
    assert kinds == ["The club's own rules", *games]
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
    assert [game for game, _key in page.context["again"]] == [third, first, second]  # what is open first; no other's
    assert f'<a href="{third.get_absolute_url()}"><strong>Ann &amp; Bob · Cal &amp; Dee</strong></a>' in page_of(page)


ANN_WINS = TwoHandDeal(bidder=0, bid=20, meld=(90, 4), take=(20, 5))


@pytest.fixture
def played(game_of, record):
    """A game of Anne, who was written Ann, and Bob, won by her."""
    game = game_of("fletcher-two-hand", title="Corner", start=(50, 50), submission=uuid4())
    record(game, 1, ANN_WINS)
    game.refresh_from_db()
    return game


def address(game):
    return reverse("game_names", args=[game.club.slug, game.pk])


def rename(game, by, *sides):
    """Put names right that were just looked at."""
    rename_players(game=game, by=by, sides=sides, seen=fingerprint(player_names(game)))


def test_a_scorekeeper_puts_a_name_right(played, scorekeeper, client_of):
    browser = client_of(scorekeeper)
    assert address(played) in page_of(browser.get(played.get_absolute_url()))
    page = browser.get(address(played))
    assert 'value="Ann"' in page_of(page)
    before = list(played.sides.values_list("total", "half_wins"))
    sent = {"name_0_0": "Anne", "name_1_0": "Bob", "fingerprint": page.context["fingerprint"]}
    sent["sure"] = browser.post(address(played), sent).context["sure"]
    for _tap in range(2):
        assert browser.post(address(played), sent).status_code == 302
    assert player_names(played) == [["Anne"], ["Bob"]]
    assert list(played.sides.values_list("total", "half_wins")) == before
    entry = LogEntry.objects.get(verb="game.names")
    assert (entry.old, entry.new) == ({"names": [["Ann"], ["Bob"]]}, {"names": [["Anne"], ["Bob"]]})
    assert entry.game == played.pk


def test_two_at_once_are_told_of_each_other(played, director, client_of, actor):
    browser = client_of(director)
    seen = browser.get(address(played)).context["fingerprint"]
    rename(played, actor, ["Anna"], ["Bob"])
    sent = {"name_0_0": "Anne", "name_1_0": "Bob", "fingerprint": seen}
    answer = browser.post(address(played), sent)
    assert answer.status_code == 422
    assert "Anna · Bob" in page_of(answer)
    sent["fingerprint"] = answer.context["fingerprint"]
    sent["sure"] = browser.post(address(played), sent).context["sure"]
    assert browser.post(address(played), sent).status_code == 302
    with pytest.raises(NamesChanged):
        rename_players(game=played, by=actor, sides=[["Cal"], ["Bob"]], seen="")


def test_the_handicap_goes_with_the_names(played, club, actor):
    def start(one, other):
        return next_start(club, played.engine_rules, sides=[[one], [other]])

    with_ann = start("Ann", "Bob")
    assert with_ann != [0, 0]
    rename(played, actor, ["Cal"], ["Bob"])
    assert start("Ann", "Bob") == [0, 0]
    assert start("Cal", "Bob") == with_ann
    rename(played, actor, ["Bob"], ["Cal"])
    assert start("Bob", "Cal") == with_ann, "who won is who sat there"
    assert HandicapEntry.objects.filter(current=True).count() == 1


def test_what_it_does_to_the_handicaps_is_shown_and_asked(played, game_of, record, scorekeeper, client_of):
    record(game_of("fletcher-two-hand", title="Window", start=(50, 4), submission=uuid4()), 1, ANN_WINS)
    browser = client_of(scorekeeper)
    sent = {"name_0_0": "Cal", "name_1_0": "Bob"}
    sent["fingerprint"] = browser.get(address(played)).context["fingerprint"]
    asked = browser.post(address(played), sent)
    assert asked.status_code == 422
    assert player_names(played) == [["Ann"], ["Bob"]]
    of_ann, of_cal = asked.context["moves"]
    assert "Ann" in of_ann
    assert "Window" in of_ann  # it was played from a start that the pair hadn't
    assert "Cal" in of_cal
    assert of_cal in html.unescape(page_of(asked))
    other = browser.post(address(played), sent | {"name_0_0": "Dee", "sure": asked.context["sure"]})
    assert other.status_code == 422, "who confirms says yes to what was shown"
    assert browser.post(address(played), sent | {"sure": asked.context["sure"]}).status_code == 302
    assert player_names(played) == [["Cal"], ["Bob"]]


def test_a_name_written_otherwise_and_a_game_that_is_played_ask_nothing(played, game_of, scorekeeper, client_of):
    open_game = game_of("fletcher-two-hand", submission=uuid4())
    browser = client_of(scorekeeper)
    for game, name in ((played, "ANN"), (open_game, "Cal")):
        sent = {"name_0_0": name, "name_1_0": "Bob"}
        sent["fingerprint"] = browser.get(address(game)).context["fingerprint"]
        assert browser.post(address(game), sent).status_code == 302
        assert player_names(game) == [[name], ["Bob"]]


def test_a_signed_card_is_the_directors(played, club, actor, director):
    club.agreement = Club.Agreement.ONE
    club.save()
    deal = played.deals.get()
    mark_deal(deal=deal, state="agreed", by=actor, submission=uuid4(), seen=1)
    played.refresh_from_db()
    with pytest.raises(Signed):
        rename(played, actor, ["Anne"], ["Bob"])
    rename(played, Actor(user=director, name="Ruth", director=True), ["Anne"], ["Bob"])
    assert player_names(played) == [["Anne"], ["Bob"]]


def test_the_names_of_an_event_are_those_of_its_entries(game, desk):
    assert desk.get(address(game)).status_code == 404
    assert address(game) not in page_of(desk.get(game.get_absolute_url()))


def test_a_name_twice_or_missing_is_pointed_out(played, desk):
    for other in ("ann", ""):
        assert desk.post(address(played), {"name_0_0": "Ann", "name_1_0": other}).status_code == 422
    assert player_names(played) == [["Ann"], ["Bob"]]


def followed(game):
    return reverse("game_follow", args=[game.club.slug, game.submission])


def test_who_has_the_address_follows_a_game_without_logging_in(played, client_of, scorekeeper, stranger, actor):
    assert followed(played) in page_of(client_of(scorekeeper).get(played.get_absolute_url()))
    phone = client_of(None)
    page = phone.get(followed(played))
    totals = [f'data-total="{total}"' for total in played.sides.values_list("total", flat=True)]
    assert all(total in page_of(page) for total in ["Ann", "Bob", *totals])
    assert played.get_absolute_url() not in page_of(page)
    assert page["X-Robots-Tag"] == "noindex"
    again = html.unescape(page.context["news"])
    assert phone.get(again).status_code == 204
    mark_deal(deal=played.deals.get(), seen=1, state="disputed", by=actor, submission=uuid4())
    assert phone.get(again).status_code == 200
    for other in (
        followed(played).replace("st-hilary", "harbour"),
        reverse("game_follow", args=["st-hilary", uuid4()]),
    ):
        assert client_of(stranger).get(other).status_code == 404


def test_a_game_that_is_followed_has_initials_and_always_as_many_queries(club, game_of, record, client_of):
    game = game_of("st-hilary-v3", sides=[["Ann", "Cal"], ["Bob", "Dee"]], submission=uuid4())

    def asked():
        with CaptureQueriesContext(connection) as queries:
            page = page_of(client_of(None).get(followed(game)))
        return page, len(queries)

    few = []
    for number in (1, 2):
        record(game, number)
        few.append(asked()[1])
    assert len(set(few)) == 1
    club.members.create(name="Ann", initials_only=True)
    page, _queries = asked()
    assert ["Ann &amp; Cal" in page, "Cal" in page] == [False, True]
