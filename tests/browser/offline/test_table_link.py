"""A table on its own phone, by its link and without an account: the same without network, while the link lives."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from scoring.models import Game
from tests.browser.hands_on import type_deal
from tests.browser.offline.conftest import AWAY, PHONE, is_kept, recorded, tap_save, waiting
from tests.scoring.conftest import IMPOSSIBLE, a_deal
from tests.tournaments import nights
from tournaments.models import Draw, TableLink
from tournaments.table_links.links import make_token, renew_links

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(signed_in, server, club, actor, rules_for):
    event = nights.make_night(club, rules_for("st-hilary-v3"))
    nights.arrive(event, actor, 4)
    nights.publish_next(event, actor)
    page = signed_in(None, may_say=[*AWAY, "status of 410", "Status Error Code 410"], **PHONE)
    page.goto(f"{server.url}/t/{make_token(TableLink.objects.get().nonce)}/")
    is_kept(page)
    page.context.set_offline(True)
    return page


def test_its_deals_are_kept_and_sent(table):
    game = Game.objects.get()
    for number in (1, 2):
        type_deal(table, game, a_deal())
        tap_save(table)
        expect(table.get_by_role("heading", name=f"Deal {number + 1}", exact=True)).to_be_visible()
        expect(table.locator(".deal-now")).to_have_text(f"Deal {number + 1}")
        expect(table.locator(".is-next")).to_have_attribute("name", "bid")
    table.reload()
    expect(waiting(table)).to_have_text(["Deal 1", "Deal 2"])
    assert recorded() == []
    table.context.set_offline(False)
    expect(table.locator(".totals dd")).to_have_text(["50", "32"])
    expect(waiting(table)).to_have_count(0)
    assert recorded() == [(1, 1), (2, 1)]


def test_a_link_that_is_revoked_meanwhile_keeps_the_deal_and_says_why(table):
    type_deal(table, Game.objects.get(), a_deal())
    tap_save(table)
    expect(waiting(table)).to_have_text(["Deal 1"])
    TableLink.objects.update(revoked_at=timezone.now())
    table.context.set_offline(False)
    expect(table.locator(".kept-deal .state")).to_have_text(
        "saved on this phone; the card can't be changed from here now"
    )
    expect(table.locator(".kept-why")).not_to_be_empty()
    table.reload()
    expect(table.locator("[data-kept-elsewhere]")).to_contain_text("Deal 1: saved on this phone")
    assert recorded() == []


@pytest.mark.proof
def test_a_deal_goes_out_when_a_link_that_was_shut_opens_again(table):
    """As when the draw was taken back and published again."""
    type_deal(table, Game.objects.get(), a_deal())
    tap_save(table)
    expect(table.locator("[data-kept-news]")).to_contain_text("No network: deal 1 is saved on this phone")
    TableLink.objects.update(revoked_at=timezone.now())
    table.context.set_offline(False)
    expect(table.locator(".kept-deal .state")).to_have_text(
        "saved on this phone; the card can't be changed from here now"
    )
    expect(table.locator("[data-kept-news]")).to_be_hidden()  # there is a network
    expect(table.locator("[data-kept-totals]")).to_be_hidden()  # it doesn't go out by itself
    TableLink.objects.update(revoked_at=None)
    table.locator("[data-kept-send]").click()
    expect(table.locator(".totals dd")).to_have_text(["25", "16"])
    expect(waiting(table)).to_have_count(0)
    assert recorded() == [(1, 1)]


@pytest.mark.daily(1)
@pytest.mark.parametrize("tried", [True, False], ids=["after it was refused", "before it was tried"])
def test_a_deal_goes_out_by_the_link_that_was_made_anew(table, server, actor, tried):
    game = Game.objects.get()
    for number in (1, 2):
        type_deal(table, game, a_deal())
        tap_save(table)
        expect(table.get_by_role("heading", name=f"Deal {number + 1}", exact=True)).to_be_visible()
    renew_links(draw=Draw.objects.get(), by=actor)
    if tried:
        table.context.set_offline(False)
        expect(table.locator(".kept-deal .state").first).to_have_text(
            "saved on this phone; the card can't be changed from here now"
        )
        table.reload()
        expect(table.locator("[data-kept] > .lede")).to_be_visible()  # how the deals go on
    else:
        table.goto("about:blank")
        table.context.set_offline(False)
    table.goto(f"{server.url}/t/{make_token(TableLink.objects.get(revoked_at=None).nonce)}/")
    expect(table.locator(".totals dd")).to_have_text(["50", "32"])
    expect(waiting(table)).to_have_count(0)
    expect(table.locator("[data-kept-elsewhere] li")).to_have_count(0)
    assert recorded() == [(1, 1), (2, 1)]


@pytest.mark.proof
def test_a_refused_deal_and_those_behind_it_go_over_to_the_new_link_and_are_put_right_there(table, server, actor):
    game = Game.objects.get()
    for number, facts in enumerate((IMPOSSIBLE, a_deal()), start=1):
        type_deal(table, game, facts)
        tap_save(table)
        expect(table.get_by_role("heading", name=f"Deal {number + 1}", exact=True)).to_be_visible()
    table.context.set_offline(False)
    expect(table.locator(".kept-deal .state").first).to_have_text("not recorded: correct it or discard it")
    renew_links(draw=Draw.objects.get(), by=actor)
    table.goto(f"{server.url}/t/{make_token(TableLink.objects.get(revoked_at=None).nonce)}/")
    expect(waiting(table)).to_have_text(["Deal 1", "Deal 2"])
    expect(table.get_by_role("heading", name="Deal 3", exact=True)).to_be_visible()
    assert recorded() == []
    table.get_by_role("button", name="Correct it").first.click()
    type_deal(table, game, a_deal())
    tap_save(table)
    expect(table.locator(".totals dd")).to_have_text(["50", "32"])
    expect(waiting(table)).to_have_count(0)
    assert recorded() == [(1, 1), (2, 1)]


def test_without_network_the_printed_code_opens_the_kept_card_and_other_pages_list_it(table, server):
    address = table.url
    table.goto("about:blank")
    table.goto(f"{server.url}/T/{make_token(TableLink.objects.get().nonce)}/")  # a QR code is in capitals
    assert table.url == address
    expect(table.locator("form.deal-form")).to_be_visible()
    table.goto(f"{server.url}/st-hilary/")
    table.locator("[data-kept-pages] a").click()
    expect(table.locator("form.deal-form")).to_be_visible()
    assert table.url == address


@pytest.mark.proof
def test_a_kept_deal_isnt_taken_over_by_the_card_of_another_game(table, server, club, actor, rules_for):
    type_deal(table, Game.objects.get(), a_deal())
    tap_save(table)
    expect(waiting(table)).to_have_text(["Deal 1"])
    renew_links(draw=Draw.objects.get(), by=actor)
    other = nights.make_night(club, rules_for("st-hilary-v3"), slug="another")
    nights.arrive(other, actor, 4)
    nights.publish_next(other, actor)
    table.context.set_offline(False)
    expect(table.locator(".kept-deal .state")).to_have_text(
        "saved on this phone; the card can't be changed from here now"
    )
    table.goto(f"{server.url}/t/{make_token(TableLink.objects.latest('pk').nonce)}/")
    expect(table.locator("[data-kept-elsewhere]")).to_contain_text("Deal 1: saved on this phone")
    expect(waiting(table)).to_have_count(0)
    assert recorded() == []
