"""The page of a table: its own card and no other, deals entered and put right without an account, what sides say."""

import logging
from html import escape, unescape
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.module_loading import import_string

from clubsite.accounts.models import Club, LogEntry
from clubsite.watch.logs import JsonLines, ReadableLines
from scoring.cards.deals import Objection, agree, correct_deal, dispute, end_game, mark_deal, reopen_game
from scoring.families.deal_form import EnteredDeal
from scoring.models import Deal, DealVersion, Game
from tests.pages import news_at
from tests.scoring.conftest import IMPOSSIBLE, a_deal, as_typed, correct
from tests.tournaments import contests, nights
from tests.tournaments.table_links.conftest import game_at, link_of, url_of
from tournaments.models import Event, GroupGame, TableLink
from tournaments.rounds import publishing
from tournaments.table_links.links import make_token


@pytest.fixture
def phone():
    """A phone at table 1, as strict about forged forms as a real server."""
    return Client(enforce_csrf_checks=True)


def entered(phone, draw, number=1, *, facts=None, table=1, headers=None, **more):
    return phone.post(url_of(draw, table, "1/"), as_typed(facts or a_deal(), number, **more), headers=headers)


def test_a_phone_of_another_table_is_told_until_it_writes_here(draw, phone):
    phone.get(url_of(draw, 1))
    for _look in range(2):
        assert phone.get(url_of(draw, 2)).context["other_table"].url() == url_of(draw, 1)
    assert phone.get(url_of(draw, 1)).context["other_table"] is None
    entered(phone, draw, table=2)
    assert phone.get(url_of(draw, 2)).context["other_table"] is None
    assert phone.get(url_of(draw, 1)).context["other_table"].url() == url_of(draw, 2)
    TableLink.objects.filter(group__table__number=2).update(revoked_at=timezone.now())
    assert phone.get(url_of(draw, 1)).context["other_table"] is None


def deal_at(draw, table=1):
    return Deal.objects.get(game=game_at(draw, table))


def said(phone, draw, *, side, say="right", seen=1, **more):
    """What comes of a side's word on the first deal of table 1."""
    sent = {"say": say, "side": side, "seen": seen, "submission": uuid4(), **more}
    return phone.post(url_of(draw, 1, f"deals/{deal_at(draw).pk}/say/"), sent, follow=True).content.decode()


def words(page):
    """A page as it is read: without its elements, in which names keep together."""
    return " ".join(strip_tags(page).split())


def holds(phone, draw, side):
    assert phone.post(url_of(draw, 1, "who/"), {"side": side}).status_code == 302


def test_a_table_sees_its_own_card_and_who_sits_where(phone, draw):
    page = phone.get(url_of(draw)).content.decode()
    game, other = game_at(draw, 1), game_at(draw, 2)
    for name in [name for side in game.sides.all() for name in side.names]:
        assert name in page
    for name in [name for side in other.sides.all() for name in side.names]:
        assert name not in page
    assert "North" in page
    assert "Deal 1" in page
    for no_game in ("2/", "2/reckon/"):
        answer = phone.post(url_of(draw, 1, no_game), as_typed(a_deal()))
        assert answer.status_code == 404
        assert "A link opens the cards of one table in one round." in answer.content.decode()


def test_a_table_enters_a_deal_without_an_account_and_it_says_so(phone, draw, client_of, scorekeeper):
    answer = entered(phone, draw)
    assert answer["Location"] == url_of(draw, 1, "1/")
    assert "Deal 1 is recorded" in phone.get(answer["Location"]).content.decode()
    version = DealVersion.objects.get()
    assert (version.deal.game, version.by, version.actor, version.route) == (game_at(draw), None, "Table 1", "table")
    card = client_of(scorekeeper).get(version.deal.game.get_absolute_url()).content.decode()
    assert "Table 1, at the table" in card
    entry = LogEntry.objects.get(verb="deal.record")
    assert (entry.actor, entry.route, entry.user) == ("Table 1", "table", None)


def test_of_two_phones_of_a_table_the_second_is_told_what_stands(phone, draw):
    entered(phone, draw)
    late = entered(Client(), draw, facts=a_deal(meld=(8, 6)))
    assert late.status_code == 409
    page = late.content.decode()
    assert "Not recorded: Table 1 recorded deal 1 before you" in page
    assert "What you typed is still below." in page
    assert "/st-hilary/deals/" not in page  # the scorekeeper's pages aren't theirs
    assert entered(Client(), draw, number=1, facts=a_deal(meld=(8, 6)), as_number=2).status_code == 302
    assert Deal.objects.count() == 2


def test_what_no_cards_make_is_refused_and_nobody_rules_on_it_here(phone, draw, client_of, director):
    for browser in (phone, client_of(director)):  # also a director is only a table here
        answer = entered(browser, draw, facts=IMPOSSIBLE, ruling="because")
        assert answer.status_code == 422
        page = answer.content.decode()
        assert "ask a director to decide" in page
        assert 'name="ruling"' not in page
    assert not Deal.objects.exists()


def test_points_and_problems_are_shown_while_typing(phone, draw):
    address = url_of(draw, 1, "1/reckon/")
    assert address in phone.get(url_of(draw)).content.decode()
    for facts, words in ((a_deal(), "+25"), (IMPOSSIBLE, "Impossible")):
        assert words in phone.post(address, as_typed(facts)).content.decode()
    assert not Deal.objects.exists()


def test_nothing_of_the_page_is_kept_on_the_way_or_told_to_other_sites(phone, draw):
    for url in (url_of(draw), f"/t/{'A' * 26}/"):
        answer = phone.get(url)
        assert answer["Referrer-Policy"] == "same-origin"
        assert {"no-store", "private"} <= set(answer["Cache-Control"].replace(",", "").split())


def test_the_server_writes_no_link_into_its_own_log(draw):
    record = logging.LogRecord("django.request", logging.WARNING, "", 1, "Gone: %s", (url_of(draw, 1, "1/"),), None)
    for style in (JsonLines(), ReadableLines()):
        assert "Gone: /t/.../1/" in style.format(record)
    (way,) = settings.LOGGING["formatters"].values()
    assert import_string(way["()"]) in (JsonLines, ReadableLines)
    assert settings.LOGGING["handlers"]["console"]["formatter"] in settings.LOGGING["formatters"]


def test_the_capitals_of_a_qr_code_lead_to_the_table(phone, draw):
    url = url_of(draw)
    assert phone.get(url.replace("/t/", "/T/"))["Location"] == url
    assert phone.get(url.replace("/t/", "/T/") + "1/")["Location"] == f"{url}1/"  # a card's code says its game too
    assert phone.get(url.lower()).status_code == 200


def test_a_set_of_several_games_is_played_one_after_another(club, actor, phone):
    event = contests.contest(club, actor, games=2)
    contests.enter(event, actor)
    draw = contests.drawn(contests.stage_of(event, 1), actor)
    link = TableLink.objects.filter(group__table__draw=draw).order_by("group__table__number", "group__number")[0]
    url = f"/t/{make_token(link.nonce)}/"
    first, second = (row.game for row in GroupGame.objects.filter(group=link.group).select_related("game"))
    assert "Game 1" in phone.get(url).content.decode()
    points = {"points_0": 10, "points_1": 20, "points_2": 30, "submission": uuid4(), "number": 1}
    assert phone.post(f"{url}1/", points).status_code == 302
    contests.end_game(game=first, by=actor, reason="time")
    assert f'action="{url}2/"' in phone.get(url).content.decode()
    assert "Over:" in phone.get(f"{url}1/").content.decode()
    assert phone.post(f"{url}2/", {**points, "submission": uuid4()}).status_code == 302
    assert [game.deals.count() for game in (first, second)] == [1, 1]


def sides_of(draw):
    """The sides of table 1 as they stand in a page."""
    return [escape(str(side)) for side in game_at(draw).sides.all()]


def test_the_other_side_agrees_on_the_same_phone(phone, draw):
    holds(phone, draw, 0)
    page = phone.get(entered(phone, draw)["Location"]).content.decode()
    us, them = sides_of(draw)
    assert f"Hand the phone to {them}" in words(page)
    assert f"Hand the phone to {us}" not in words(page)
    shown = phone.get(url_of(draw, 1, f"deals/{deal_at(draw).pk}/say/?side=1")).content.decode()
    assert f"You are {them}" in shown
    assert "Points 2516" in words(shown)
    assert f"{them}: deal 1 is right." in said(phone, draw, side=1)
    assert deal_at(draw).versions.get(current=True).state == "agreed"
    assert "Hand the phone" not in phone.get(url_of(draw)).content.decode()


def test_a_deal_that_the_director_has_put_right_is_asked_about_again(phone, draw, actor):
    """Else the desk would wait for a word that the table isn't asked for."""
    holds(phone, draw, 0)
    entered(phone, draw)
    first = Deal.objects.get(game=game_at(draw), number=1)
    correct(first, a_deal(meld=(10, 8)), by=actor, reason="both say 8")
    page = words(phone.get(url_of(draw)).content.decode())
    assert "Is deal 1 right?" in page
    assert f"Hand the phone to {sides_of(draw)[1]}" in page


def test_the_other_side_agrees_on_its_own_phone(phone, draw):
    holds(phone, draw, 0)
    entered(phone, draw)
    theirs = Client()
    holds(theirs, draw, 1)
    assert f"{sides_of(draw)[1]}: look at it" in theirs.get(url_of(draw)).content.decode()
    assert "is right" in said(theirs, draw, side=1)
    assert "This side isn&#x27;t asked about this deal" in said(phone, draw, side=0, seen=2)


def test_which_side_holds_a_phone_is_another_tables_secret_too(phone, draw):
    holds(phone, draw, 1)
    cookie = phone.cookies["side"]
    assert cookie["path"] == url_of(draw)
    elsewhere = Client()
    elsewhere.cookies["side"] = cookie.value
    entered(elsewhere, draw, table=2)
    assert DealVersion.objects.get().entered_side is None
    for nonsense in ("2", "-1", "x", ""):
        phone.post(url_of(draw, 1, "who/"), {"side": nonsense})
    entered(phone, draw)
    assert DealVersion.objects.get(deal__game=game_at(draw)).entered_side == 1


def test_the_figures_that_the_other_side_compares_stand_in_the_open(phone, draw):
    entered(phone, draw, facts=a_deal(meld=(8, 0)))
    us, them = map(str, game_at(draw).sides.all())
    page = words(phone.get(url_of(draw, 1, f"deals/{deal_at(draw).pk}/say/")).content.decode())
    in_the_open = unescape(page.partition("Why these points")[0])
    assert f"{us}{them} Bid 20 Meld 80 Total 23 Take 1510 Points 2310 Running 2310 " in in_the_open


def test_a_deal_that_is_not_right_is_disputed_with_what_they_say(phone, draw, client_of, director):
    holds(phone, draw, 0)
    entered(phone, draw)
    assert "Say what it should be" in said(phone, draw, side=1, say="wrong")
    told = said(phone, draw, side=1, say="wrong", points_1="31", says="we had the run")
    assert "It is marked as disputed, and the director sees it." in told
    assert "Deal 1 is disputed" in told
    assert "we had the run" in phone.get(url_of(draw)).content.decode()
    them = str(game_at(draw).sides.get(number=1))
    version = deal_at(draw).versions.get(current=True)
    assert (version.state, version.reason) == ("disputed", f"{them}: 31 · we had the run")
    desk = client_of(director).get(f"/st-hilary/deals/{version.deal_id}/").content.decode()
    assert f"<p><strong>{them}: 31 · we had the run</strong></p>" in desk.replace("&amp;", "&")


def test_what_a_side_says_stays_when_the_deal_was_changed_meanwhile(phone, draw, actor):
    entered(phone, draw)
    deal = deal_at(draw)
    changed = EnteredDeal(a_deal(meld=(9, 6)), sure=True)
    correct_deal(deal=deal, entered=changed, by=actor, submission=uuid4(), seen=1, reason="both say 9")
    them = {"side": 1, "say": "wrong", "points_1": "31", "says": "we had the run"}
    page = said(phone, draw, **them)
    assert "This deal was changed in the meantime. Check it again. What you typed is still below." in words(page)
    for kept in ('value="31"', 'value="we had the run"', 'name="seen" value="2"'):
        assert kept in page
    assert "It is marked as disputed" in said(phone, draw, **them, seen=2)
    mark_deal(deal=deal, state="void", by=actor, submission=uuid4(), seen=3, reason="misdealt")
    page = words(said(phone, draw, **them, seen=4))
    assert "The director has voided this deal: it doesn't count. What you typed is still below." in unescape(page)
    assert f"You typed {game_at(draw).sides.get(number=1)}: 31 · we had the run" in unescape(page)


def test_a_table_puts_its_own_last_deal_right_until_the_other_side_agrees(phone, draw):
    entered(phone, draw)
    url = url_of(draw, 1, f"deals/{deal_at(draw).pk}/")
    assert "Change deal 1" in phone.get(url_of(draw)).content.decode()
    assert "Corrected at the table" in phone.get(url).content.decode()
    assert phone.post(url, as_typed(a_deal(meld=(9, 6)), seen=1)).status_code == 302
    version = deal_at(draw).versions.get(current=True)
    assert (version.number, version.reason, version.route) == (2, "Corrected at the table", "table")
    said(phone, draw, side=1, seen=2)
    assert "Change deal 1" not in phone.get(url_of(draw)).content.decode()
    assert "until the other side agrees to it" in phone.get(url).content.decode()
    refused = phone.post(url, as_typed(a_deal(meld=(7, 6)), seen=3))
    assert refused.status_code == 409
    assert "Ask the director." in refused.content.decode()
    assert deal_at(draw).versions.count() == 3


def test_where_nobody_is_asked_the_page_asks_nobody_and_a_dispute_is_still_heard(phone, draw):
    Club.objects.update(agreement=Club.Agreement.NONE)
    entered(phone, draw)
    page = phone.get(url_of(draw)).content.decode()
    assert "Hand the phone" not in page
    assert "That isn't right" in page
    assert "disputed" in said(phone, draw, side=1, say="wrong", says="no")


def test_where_both_are_asked_the_writer_says_so_too(phone, draw):
    Club.objects.update(agreement=Club.Agreement.BOTH)
    holds(phone, draw, 0)
    entered(phone, draw)
    us, them = sides_of(draw)
    page = phone.get(url_of(draw)).content.decode()
    assert f"{us}: look at it" in page
    assert f"Hand the phone to {them}" in words(page)
    said(phone, draw, side=0)
    assert f"{us}: look at it" not in phone.get(url_of(draw)).content.decode()
    said(phone, draw, side=1)
    assert deal_at(draw).versions.get(current=True).state == "agreed"


def test_a_signed_card_is_closed_to_its_table(phone, draw, actor):
    entered(phone, draw)
    said(phone, draw, side=1)
    end_game(game=game_at(draw), by=actor, reason="time")
    page = phone.get(url_of(draw)).content.decode()
    assert "Only a director can change this card now." in page
    assert "That isn't right" not in page
    assert "only a director can change it" in said(phone, draw, side=1, say="wrong", says="no", seen=2)


def test_a_table_is_told_that_the_director_ended_its_game(phone, draw, actor):
    end_game(game=game_at(draw), by=actor, reason="the hall closes at five")
    told = words(entered(phone, draw).content.decode())
    assert "Not recorded. The director ended this game: the hall closes at five." in told
    assert "If this deal was played, tell the desk. What you typed is still below." in told
    assert "this game is over" not in told


def test_the_pages_cost_the_same_for_more_deals(phone, draw, actor):
    entered(phone, draw)
    few = nights.queries_of(phone, url_of(draw))
    nights.play_deals(Game.objects.get(pk=game_at(draw).pk), actor, 3)
    assert nights.queries_of(phone, url_of(draw)) <= few


def test_an_event_that_is_on_leads_to_its_code_page(phone, night, draw):
    Event.objects.filter(pk=night.pk).update(starts_at=timezone.now())
    for page in ("/", "/st-hilary/", "/st-hilary/events/friday/"):
        assert "/st-hilary/events/friday/table/" in phone.get(page).content.decode()
    second = nights.make_night(night.club, night.rules, slug="saturday", day=7)
    assert "/table/" not in phone.get(second.get_absolute_url()).content.decode()
    assert phone.get("/st-hilary/events/friday/table/").status_code == 200


def test_the_newest_deal_that_waits_stands_first_and_what_the_desk_entered_waits_for_the_end(phone, draw, actor):
    nights.play_deals(Game.objects.get(pk=game_at(draw).pk), actor)
    assert "Hand the phone" not in phone.get(url_of(draw)).content.decode()
    for number in (2, 3):
        entered(phone, draw, number)
    page = phone.get(url_of(draw)).content.decode()
    assert page.index("Is deal 3 right?") < page.index("Earlier deals waiting") < page.index("Is deal 2 right?")
    assert "Is deal 1 right?" not in page
    end_game(game=game_at(draw), by=actor, reason="the bell")
    assert "Is deal 1 right?" in phone.get(url_of(draw)).content.decode()  # else the card would never be signed


def test_a_table_changes_nothing_in_a_round_that_is_closed(phone, draw, actor, night):
    """It may be in a published result then; a side still says what isn't right, and the desk sees it."""
    entered(phone, draw)
    deal = deal_at(draw)
    change = f"deals/{deal.pk}/"
    form = {**as_typed(a_deal(take=(20, 5)), 1), "seen": 1}
    assert f"/{change}" in phone.get(url_of(draw)).content.decode()
    end_game(game=game_at(draw), by=actor, reason="time")
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="time")
    card = phone.get(url_of(draw)).content.decode()
    assert "Round 1 is closed" in words(card)
    assert f'/{change}"' not in card
    assert "Round 1 is closed" in words(phone.get(url_of(draw, 1, change)).content.decode())
    answer = phone.post(url_of(draw, 1, change), form)
    assert (answer.status_code, DealVersion.objects.count()) == (409, 1)
    assert "Round 1 is closed" in words(answer.content.decode())
    said(phone, draw, side=1, say="wrong", says="we took 20")
    assert DealVersion.objects.get(current=True).state == "disputed"


def whole(phone, draw, side, seen=None, submission=None):
    """What comes of a side's word that the whole card of table 1 is right, from the page as it is now."""
    if seen is None:
        seen = phone.get(url_of(draw)).context["whole"]["seen"]
    sent = {"side": side, "submission": submission or uuid4(), "seen": seen}
    return phone.post(url_of(draw, 1, "1/right/"), sent, follow=True)


def states(draw):
    rows = DealVersion.objects.filter(deal__game=game_at(draw), current=True).order_by("deal__number")
    return list(rows.values_list("state", flat=True))


def test_a_side_says_once_that_a_whole_card_is_right_when_its_game_is_over(phone, draw, actor):
    Club.objects.update(agreement=Club.Agreement.BOTH)
    for number in (1, 2):
        entered(phone, draw, number)
    assert phone.get(url_of(draw)).context["whole"] is None
    end_game(game=game_at(draw), by=actor, reason="time")
    assert phone.get(url_of(draw)).context["result"]
    whole(phone, draw, 0)
    assert states(draw) == ["entered", "entered"]
    seen, submission = phone.get(url_of(draw)).context["whole"]["seen"], uuid4()
    for _tap in range(2):
        assert whole(phone, draw, 1, seen=seen, submission=submission).status_code == 200
    assert states(draw) == ["agreed", "agreed"]
    assert phone.get(url_of(draw)).context["card"].signed
    assert LogEntry.objects.filter(verb="deal.agree").count() == 4


def test_a_whole_card_is_not_right_when_a_deal_was_changed_meanwhile_or_is_disputed(phone, draw, actor):
    for number in (1, 2):
        entered(phone, draw, number)
    end_game(game=game_at(draw), by=actor, reason="time")
    seen = phone.get(url_of(draw)).context["whole"]["seen"]
    second = Deal.objects.get(game=game_at(draw), number=2)
    correct(second, a_deal(bid=21), by=actor)
    whole(phone, draw, 1, seen=seen)
    assert states(draw) == ["entered", "entered"]
    mark_deal(deal=second, state="disputed", by=actor, submission=uuid4(), seen=2)
    assert phone.get(url_of(draw)).context["whole"] is None
    whole(phone, draw, 1, seen=f"{second.pk}:3 {second.pk - 1}:1")
    assert states(draw) == ["entered", "disputed"]


def test_what_no_page_sends_of_a_whole_card_records_nothing(phone, draw):
    entered(phone, draw)
    for sent in ({}, {"seen": "1"}, {"seen": "1:1", "side": 7}, {"seen": "no:1"}, {"seen": "[" * 100_000}):
        answer = phone.post(url_of(draw, 1, "1/right/"), {"side": 1, "submission": uuid4(), "seen": ""} | sent)
        assert answer.status_code == 302
    assert states(draw) == ["entered"]


# What a table's page asks every few seconds: whether others have changed its card


def test_a_page_learns_of_each_thing_that_is_done_to_its_card_elsewhere(client, draw, actor):
    game = game_at(draw)

    def deal():
        return game.deals.get(number=1)

    def said_wrong():
        dispute(deal=deal(), side=0, objection=Objection("no"), by=actor, submission=uuid4(), seen=1)

    for do in (
        lambda: nights.play_deals(game, actor),
        said_wrong,
        lambda: agree(deal=deal(), side=0, by=actor, submission=uuid4(), seen=2),  # the other side is still asked
        lambda: end_game(game=game, by=actor, reason="the hall closes"),
        lambda: reopen_game(game=game, by=actor, reason="it does not"),
    ):
        asks = news_at(client.get(url_of(draw)))
        assert client.get(asks).status_code == 204
        do()
        assert client.get(asks).status_code == 200
        assert client.get(asks).content == b""


def test_while_nothing_is_new_it_costs_one_query(client, draw, actor, django_assert_num_queries):
    nights.play_deals(game_at(draw), actor, 2)
    asks = news_at(client.get(url_of(draw)))
    nights.play_deals(game_at(draw, 2), actor)  # another table's is no news here
    with django_assert_num_queries(1):
        assert client.get(asks).status_code == 204


def test_a_link_that_was_ended_says_so(client, draw):
    asks, link = news_at(client.get(url_of(draw))), link_of(draw)
    link.revoked_at = timezone.now()
    link.save()
    assert client.get(asks).status_code == 410
