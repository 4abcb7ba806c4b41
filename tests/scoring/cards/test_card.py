"""The card of a game: what it shows, and recording deals on it."""

import re
from random import Random
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from lab.simulation.deals import true_deal
from scoring import wording
from scoring.cards.deals import Superseded, mark_deal, start_game
from scoring.cards.queries import card_of
from scoring.cards.submit import deal_form
from scoring.engine.core.ruleset import shipped
from scoring.families import PAGES
from scoring.models import Deal, DealVersion, Game
from tests.pages import page_of
from tests.scoring.conftest import IMPOSSIBLE, PINOCHLE_SIDES, UNLIKELY, a_deal, as_typed


def send(client_of, user, game, typed, **more):
    return client_of(user).post(game.get_absolute_url(), typed, **more)


def test_a_deal_is_recorded_and_the_card_shows_it(client_of, scorekeeper, game):
    answer = send(client_of, scorekeeper, game, as_typed(a_deal()), follow=True)
    assert answer.redirect_chain == [(game.get_absolute_url(), 302)]
    assert "Deal 1 is recorded: Ann &amp; Bob 25, Cal &amp; Dee 16." in page_of(answer)
    change = reverse("deal", args=[game.club.slug, Deal.objects.get().pk])
    assert f'<a href="{change}">Change</a>' in page_of(answer)
    assert [side.total for side in game.sides.all()] == [25, 16]
    assert DealVersion.objects.get().actor == "Sam"
    assert answer.context["card"].deals[0].running == (25, 16)


@pytest.mark.parametrize("times", [2, 3])
def test_the_same_submission_again_is_one_deal(client_of, scorekeeper, game, times):
    typed = as_typed(a_deal())
    answers = [send(client_of, scorekeeper, game, typed) for _ in range(times)]
    assert {(answer.status_code, answer.url) for answer in answers} == {(302, game.get_absolute_url())}
    assert DealVersion.objects.count() == 1


def test_figures_put_right_on_a_page_gone_back_to_are_not_lost(client_of, scorekeeper, game):
    typed = as_typed(a_deal())
    send(client_of, scorekeeper, game, typed)
    answer = send(client_of, scorekeeper, game, typed | {"bid": 22, "meld_0": 12})
    page = page_of(answer)
    assert answer.status_code == 409
    assert "Sam recorded deal 1 before you" in page
    assert answer.context["form"]["meld_0"].value() == "12"
    again = answer.context["form"]["submission"].value()
    assert again != typed["submission"]
    send(client_of, scorekeeper, game, typed | {"bid": 22, "meld_0": 12, "as_number": 2, "submission": again})
    assert [side.total for side in game.sides.all()] == [52, 32]


def test_a_submission_of_another_card_is_asked_about(client_of, scorekeeper, game, record):
    other = start_game(club=game.club, rules=game.rules, title="Table 4", sides=PINOCHLE_SIDES)
    typed = as_typed(a_deal())
    send(client_of, scorekeeper, game, typed)
    answer = send(client_of, scorekeeper, other, typed)
    assert answer.status_code == 409
    assert "This form was for another card." in page_of(answer)
    again = answer.context["form"]["submission"].value()
    assert send(client_of, scorekeeper, other, typed | {"submission": again}).status_code == 302


def test_the_deal_after_a_void_one_takes_its_place_in_hand_and_foot(client_of, scorekeeper, game_of, record, actor):
    game = game_of("hand-and-foot")
    family = game.rules.family
    deals = [true_deal(family, Random(n), game.engine_rules, deals_before=n) for n in range(4)]
    for number, facts in enumerate(deals, start=1):
        last = record(game, number, facts)
    mark_deal(deal=last.deal, state="void", by=actor, submission=uuid4(), seen=1, reason="Misdealt.")
    typed = deal_form(card_of(game)).field_values(deals[3]) | {"submission": str(uuid4()), "number": 5, "sure": "on"}
    assert send(client_of, scorekeeper, game, typed).status_code == 302
    game.refresh_from_db()
    assert (game.state, game.ended_by, game.deals_played) == (Game.State.OVER, "deals", 4)


def test_an_impossible_deal_is_refused_with_its_reason_and_what_was_typed(client_of, scorekeeper, game):
    answer = send(client_of, scorekeeper, game, as_typed(IMPOSSIBLE, written_0="31"))
    page = page_of(answer)
    assert answer.status_code == 422
    assert not Deal.objects.exists()
    assert "All that was taken comes to 26; the cards and the last trick are worth 25." in page
    assert answer.context["form"]["take_0"].value() == "16"
    assert answer.context["form"]["written_0"].value() == "31"
    assert 'id="id_take_0_error"' in page
    assert page.count('aria-describedby="id_take_0_error"') == 2  # the take of both sides is wrong together
    assert 'name="ruling"' not in page


def test_a_ruling_of_the_director_lets_it_stand(client_of, director, game):
    asked = send(client_of, director, game, as_typed(IMPOSSIBLE))
    assert 'name="ruling"' in page_of(asked)
    send(client_of, director, game, as_typed(IMPOSSIBLE, ruling="One trick was counted by both."))
    version = DealVersion.objects.get()
    assert version.ruling == "One trick was counted by both."
    assert version.overruled == ["pinochle.take-total"]
    page = page_of(client_of(director).get(game.get_absolute_url()))
    assert "One trick was counted by both." in page
    assert "Set aside: All that was taken comes to 26" in page


@pytest.mark.parametrize(("more", "status"), [({"check": "1"}, 200), ({"bid": ""}, 422)], ids=["check", "left empty"])
def test_a_ruling_that_is_typed_is_not_lost(client_of, director, game, more, status):
    answer = send(client_of, director, game, as_typed(IMPOSSIBLE, ruling="One trick twice.") | more)
    assert answer.status_code == status
    assert 'value="One trick twice."' in page_of(answer)


def test_a_scorekeeper_has_no_ruling(client_of, scorekeeper, game):
    answer = send(client_of, scorekeeper, game, as_typed(IMPOSSIBLE, ruling="I say so."))
    assert answer.status_code == 422
    assert not Deal.objects.exists()


def test_an_unlikely_deal_is_asked_about_once(client_of, scorekeeper, game):
    asked = send(client_of, scorekeeper, game, as_typed(UNLIKELY))
    assert asked.status_code == 422
    assert "Yes, the card says so" in page_of(asked)
    assert not Deal.objects.exists()
    send(client_of, scorekeeper, game, as_typed(UNLIKELY, sure="on"))
    assert Deal.objects.count() == 1


def test_empty_and_unreadable_fields_are_marked(client_of, scorekeeper, game):
    typed = as_typed(a_deal(), bid="twenty")
    del typed["bid_side"]
    typed["meld_1"] = ""
    answer = send(client_of, scorekeeper, game, typed)
    assert answer.status_code == 422
    wrong = {name: error[0].code for name, error in answer.context["form"].errors.as_data().items()}
    assert wrong == {"bid_side": "required", "bid": "invalid", "meld_1": "required"}
    assert answer.context["form"]["bid"].value() == "twenty"


def test_a_deal_for_a_finished_game_says_what_stands(client_of, scorekeeper, finished):
    answer = send(client_of, scorekeeper, finished, as_typed(a_deal(bid=21), number=7))
    page = page_of(answer)
    assert answer.status_code == 409
    assert "this game is over" in page
    assert "deal 6, was recorded by Dora" in page
    assert answer.context["form"]["bid"].value() == "21"
    assert finished.deals.count() == 6


def test_a_deal_for_a_finished_game_says_why_it_ended_so(client_of, scorekeeper, game, record):
    for number, start in enumerate((125, 145)):
        game.sides.filter(number=number).update(start=start)
    record(game, 1)
    why = str(wording.OUTCOMES["bid-side-first"]).format(won="150", best="161")
    refused = send(client_of, scorekeeper, game, as_typed(a_deal(), number=2)).content.decode()
    alert = refused[refused.index('role="alert"') :]
    assert why in alert[: alert.index("</div>")]


def test_a_finished_card_has_no_form(client_of, scorekeeper, finished):
    page = page_of(client_of(scorekeeper).get(finished.get_absolute_url()))
    assert "Over: Ann &amp; Bob won" in page
    assert 'name="bid"' not in page


def test_a_deal_that_somebody_else_recorded_meanwhile(client_of, scorekeeper, game, record):
    record(game)
    answer = send(client_of, scorekeeper, game, as_typed(a_deal(bid=22)))
    page = page_of(answer)
    assert answer.status_code == 409
    assert "Dora recorded deal 1 before you" in page
    assert "Ann &amp; Bob 25" in page
    assert answer.context["form"]["bid"].value() == "22"
    assert 'name="as_number" value="2"' in page
    send(client_of, scorekeeper, game, as_typed(a_deal(bid=22), as_number=2))
    assert [deal.number for deal in game.deals.all()] == [1, 2]


def test_the_same_figures_from_two_people_need_nothing_more(client_of, scorekeeper, game, record):
    record(game)
    page = page_of(send(client_of, scorekeeper, game, as_typed(a_deal())))
    assert "Your figures are the same" in page
    assert 'name="as_number"' not in page


def test_no_deal_is_left_out(client_of, scorekeeper, game):
    assert send(client_of, scorekeeper, game, as_typed(a_deal(), number=3)).status_code == 422
    assert not Deal.objects.exists()


def test_check_without_javascript_records_nothing(client_of, scorekeeper, game):
    answer = send(client_of, scorekeeper, game, as_typed(a_deal(), check="1"))
    assert answer.status_code == 200
    assert [(row["points"], row["after"]) for row in answer.context["live_check"]["totals"]] == [(25, 25), (16, 16)]
    assert "total 0</span> → <strong>25</strong>" in page_of(answer)
    assert answer.context["form"]["bid"].value() == "20"
    assert not Deal.objects.exists()


def test_a_wrong_running_total_is_pointed_out(client_of, scorekeeper, game):
    send(client_of, scorekeeper, game, as_typed(a_deal(), written_0="33", written_1="16"))
    page = page_of(client_of(scorekeeper).get(game.get_absolute_url()))
    assert "Ann &amp; Bob: Written 33 after deal 1, 8 too high: it should be 25." in page


def test_a_wrong_set_mark_is_pointed_out_and_none_is_when_nobody_looked(client_of, scorekeeper, game):
    send(client_of, scorekeeper, game, as_typed(a_deal()))
    send(client_of, scorekeeper, game, as_typed(a_deal(), number=2, written_sets=["nobody"]))
    send(client_of, scorekeeper, game, as_typed(a_deal(), number=3, written_sets=["0", "1"]))
    send(client_of, scorekeeper, game, as_typed(a_deal(bid=60, meld=(10, 6)), number=4, written_sets=["nobody"]))
    versions = DealVersion.objects.order_by("deal__number")
    assert [version.written_sets for version in versions] == [None, [], [0, 1], []]
    answer = client_of(scorekeeper).get(game.get_absolute_url())
    assert [deal.slips for deal in answer.context["card"].deals] == [
        (),
        (),
        (
            "Ann & Bob: Deal 3 is marked as a failed bid, but this side's bid didn't fail.",
            "Cal & Dee: Deal 3 is marked as a failed bid, but this side's bid didn't fail.",
        ),
        ("Ann & Bob: This side's bid failed in deal 4, but the card doesn't mark it.",),
    ]
    assert "bid failed in deal" in page_of(answer)


def test_a_set_mark_is_kept_by_a_correction_and_by_agreeing(client_of, scorekeeper, game, record, actor):
    version = record(game, written_sets=[1])
    page = client_of(scorekeeper).get(reverse("deal", args=[game.club.slug, version.deal.pk]))
    assert page.context["form"]["written_sets"].value() == ["1"]
    assert page.context["form"].is_rare_used()
    agreed = mark_deal(deal=version.deal, state="agreed", by=actor, submission=uuid4(), seen=1)
    assert agreed.written_sets == [1]
    assert record(game, 2, written_sets=[]).written_sets == []


def test_the_same_submission_with_other_set_marks_is_told_what_stands(game, record):
    same = uuid4()
    record(game, submission=same, written_sets=[0])
    assert record(game, submission=same, written_sets=[0]).number == 1
    with pytest.raises(Superseded):
        record(game, submission=same)


def test_nobody_and_a_side_marked_at_once_cannot_be(client_of, scorekeeper, game):
    answer = send(client_of, scorekeeper, game, as_typed(a_deal(), written_sets=["nobody", "1"]))
    assert answer.status_code == 422
    assert "Press the sides that are marked, or nobody." in page_of(answer)


def test_set_marks_are_asked_for_where_the_card_has_them(game_of):
    forms = {slug: PAGES[rule_set.family].form(game=game_of(slug), number=1) for slug, rule_set in shipped().items()}
    assert {slug for slug, form in forms.items() if "written_sets" in form.fields} == {
        "double-deck-partnership-pinochle",
        "fletcher-two-hand",
        "partnership-pinochle-ten-and-five",
        "partnership-pinochle-times-ten",
        "st-hilary-v3",
        "three-hand-double-pinochle",
    }


def test_the_way_back_is_a_page_of_this_site(client_of, scorekeeper, game):
    client = client_of(scorekeeper)
    url = game.get_absolute_url()
    assert 'href="/st-hilary/desk/may/"' in page_of(client.get(f"{url}?back=/st-hilary/desk/may/"))
    for foreign in ("https://example.org/", "//example.org/", "javascript:alert(1)"):
        page = page_of(client.get(url, {"back": foreign}))
        assert "example" not in page
        assert "alert" not in page.replace('role="alert"', "")
    answer = client.post(f"{url}?back=/st-hilary/desk/may/", as_typed(a_deal()))
    assert answer.url == f"{url}?back=%2Fst-hilary%2Fdesk%2Fmay%2F"


def counting(page):
    found = re.search(r'<details class="lines counting".*?</details>', page, re.DOTALL)
    return found[0]


def test_the_fold_for_counting_is_that_of_its_rules_language_and_players(client_of, scorekeeper, game_of):
    """A process makes its parts once, whoever plays; it must show no other's."""
    pages = {}
    for slug in ("st-hilary-v3", "double-deck-partnership-pinochle", "hand-and-foot"):
        shape = shipped()[slug].shapes[0]
        for name in "AB":
            sides = [[f"{name}{side}{seat}" for seat in range(shape.per_side)] for side in range(shape.sides)]
            game = game_of(slug, sides=sides)
            for language in ("en", "es"):
                pages[game.get_absolute_url(), language] = ""
    client = client_of(scorekeeper)

    def asked(address, language):
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        return counting(page_of(client.get(address)))

    for address, language in pages:
        pages[address, language] = asked(address, language)
    assert len(set(pages.values())) == len(pages)
    for (address, language), page in pages.items():
        assert asked(address, language) == page
        cache.clear()
        assert asked(address, language) == page


def test_what_somebody_counts_stands_in_their_fold_alone(client_of, scorekeeper, game):
    client = client_of(scorekeeper)
    empty = counting(page_of(client.get(game.get_absolute_url())))
    typed = as_typed(a_deal()) | {"counted_0_run": "1", "bid": "0"}
    counted = counting(page_of(client.post(game.get_absolute_url(), typed)))
    assert 'name="counted_0_run" value="1"' in counted
    assert counting(page_of(client.get(game.get_absolute_url()))) == empty
    assert 'value="1"' not in empty


def test_queries_do_not_grow_with_deals(client_of, scorekeeper, game, record, django_assert_num_queries):
    client = client_of(scorekeeper)
    record(game, 1)
    client.get(game.get_absolute_url())
    with CaptureQueriesContext(connection) as one:
        client.get(game.get_absolute_url())
    record(game, 2)
    record(game, 3)
    with django_assert_num_queries(len(one)):
        client.get(game.get_absolute_url())
