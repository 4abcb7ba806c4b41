"""What is disputed is named before a round is closed, a cut or a result published; and only those seen are accepted."""

from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils.html import escape

from clubsite.accounts.models import Club, LogEntry
from scoring.cards.deals import end_game, mark_deal, record_deal, reopen_game
from scoring.families.deal_form import EnteredDeal
from scoring.models import Deal, DealVersion, Game
from tests.pages import page_of
from tests.scoring.conftest import correct
from tests.tournaments.contests import played_contest, stage_of
from tests.tournaments.nights import games_of, play_deals, seated
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.errors import StepRefused
from tournaments.models import Cut, PublishedStandings, Round
from tournaments.rounds import publishing
from tournaments.rounds.disputes import disputes_in
from tournaments.standings.results import publish_result

NAMED = "Table 1, deal 1, is disputed: they bid 26"


def dispute(deal, by, reason="they bid 26"):
    seen = deal.versions.get(current=True).number
    mark_deal(deal=deal, state="disputed", by=by, submission=uuid4(), seen=seen, reason=reason)
    return deal


@pytest.fixture
def night(event, actor):
    for game in games_of(seated(event, actor, 8)):
        play_deals(game, actor)
        end_game(game=game, by=actor, reason="time")
    dispute(Deal.objects.order_by("pk")[0], actor)
    event.refresh_from_db()
    return event


@pytest.fixture
def disputed(night):
    return Deal.objects.order_by("pk")[0]


def closing_pages(event):
    club = event.club.slug
    return [reverse("round_step", args=[club, event.slug, 1]), reverse("night_close", args=[club, event.slug])]


def post(client, name, event, *args, **sent):
    return client.post(reverse(name, args=[event.club.slug, event.slug, *args]), sent, follow=True)


def test_a_round_is_closed_in_spite_of_a_dispute_that_was_seen(night, disputed, actor):
    round_ = Round.objects.select_related("stage__event").get()
    with pytest.raises(StepRefused, match=NAMED):
        publishing.close_round(round=round_, by=actor, end_open=False)
    other = dispute(Deal.objects.order_by("pk")[1], actor, reason="")
    with pytest.raises(StepRefused, match=r"^Table 2, deal 1, is disputed\. Settle it"):
        publishing.close_round(round=round_, by=actor, end_open=False, despite={disputed.pk})
    publishing.close_round(round=round_, by=actor, end_open=False, despite={disputed.pk, other.pk})
    assert Round.objects.get().closed
    assert LogEntry.objects.get(verb="round.close").new["despite"] == [disputed.pk, other.pk]


def test_the_page_of_the_round_asks_for_each_by_name(night, disputed, browser):
    page = page_of(browser.get(reverse("round_step", args=[night.club.slug, night.slug, 1])))
    assert NAMED in page
    assert f'name="despite" value="{disputed.pk}"' in page
    assert "You can reopen it until the next round is published" in page
    assert NAMED in page_of(post(browser, "round_step", night, 1, step="close", games="open"))
    assert not Round.objects.get().closed
    post(browser, "round_step", night, 1, step="close", games="open", despite=str(disputed.pk))
    assert Round.objects.get().closed


def test_a_result_is_published_in_spite_of_a_dispute_that_was_seen(night, disputed, actor, browser):
    publishing.close_round(
        round=Round.objects.select_related("stage__event").get(), by=actor, end_open=False, despite={disputed.pk}
    )
    with pytest.raises(StepRefused, match="Round 1, table 1, deal 1, is disputed: they bid 26"):
        publish_result(event=night, by=actor)
    page = browser.get(reverse("night_close", args=[night.club.slug, night.slug]))
    assert "Round 1, table 1, deal 1, is disputed: they bid 26" in page_of(page)
    assert "Publish anyway" in page_of(page)
    post(browser, "night_close", night, step="close", seen=page.context["seen"], despite=str(disputed.pk))
    assert PublishedStandings.objects.get().final


def test_deals_that_may_stand_twice_are_named_where_a_round_and_the_night_are_closed(night, disputed, actor, browser):
    game, closes = Game.objects.order_by("pk")[1], closing_pages(night)
    reopen_game(game=game, by=actor, reason="one more")
    facts = game.rules.family.read(DealVersion.objects.get(deal__game=game).facts)
    record_deal(game=game, number=2, entered=EnteredDeal(facts, sure=True), by=actor, submission=uuid4())
    end_game(game=game, by=actor, reason="time")
    second, named = Deal.objects.get(game=game, number=2), "Table 2: deals 1 and 2 have the same figures."
    page = page_of(browser.get(closes[0]))
    assert named in page
    assert f"/deals/{second.pk}/?back=" in page
    round_ = Round.objects.select_related("stage__event").get()
    publishing.close_round(round=round_, by=actor, end_open=False, despite={disputed.pk})
    assert named in page_of(browser.get(closes[1]))
    mark_deal(deal=second, state="void", by=actor, submission=uuid4(), seen=1, reason="entered twice")
    assert named not in page_of(browser.get(closes[1]))


def test_deals_that_nobody_has_agreed_on_are_named_where_a_round_and_the_night_are_closed(
    night, disputed, actor, browser
):
    game, closes = Game.objects.order_by("pk")[1], closing_pages(night)
    version = DealVersion.objects.get(deal__game=game)
    named = escape("Table 2: deal 1 isn't agreed.")
    assert named not in page_of(browser.get(closes[0])), "a card from paper is signed on the paper"
    DealVersion.objects.filter(pk=version.pk).update(route="table")
    page = page_of(browser.get(closes[0]))
    assert named in page
    assert f"/games/{game.pk}/?back=" in page
    round_ = Round.objects.select_related("stage__event").get()
    publishing.close_round(round=round_, by=actor, end_open=False, despite={disputed.pk})
    assert named in page_of(browser.get(closes[1]))
    Club.objects.update(agreement=Club.Agreement.NONE)
    assert named not in page_of(browser.get(closes[1])), "this club asks nobody"
    Club.objects.update(agreement=Club.Agreement.BOTH)
    facts = game.rules.family.read(version.facts)
    correct(version.deal, facts, by=actor, reason="looked at again")
    assert named in page_of(browser.get(closes[1])), "the table entered it first, as the desk's list goes by"
    mark_deal(deal=version.deal, state="agreed", by=actor, submission=uuid4(), seen=2)
    assert named not in page_of(browser.get(closes[1]))


def test_a_cut_is_published_in_spite_of_a_dispute_that_was_seen(club, actor, browser):
    event = played_contest(club, actor)
    stage = stage_of(event, 1)
    deal = dispute(Deal.objects.order_by("pk")[0], actor)
    now = propose(stage)
    with pytest.raises(StepRefused, match="is disputed: they bid 26"):
        publish_cut(stage=stage, by=actor, fingerprint=now.fingerprint)
    page = page_of(browser.get(reverse("cut", args=[club.slug, event.slug, 1])))
    assert "is disputed: they bid 26" in page
    assert "You can take it back until the draw of the next stage is published" in page
    post(browser, "cut", event, 1, step="publish", fingerprint=now.fingerprint, despite=str(deal.pk))
    assert Cut.objects.get(state=Cut.State.PUBLISHED)


def test_without_a_dispute_nothing_is_asked(night, disputed, actor):
    seen = disputed.versions.get(current=True).number
    mark_deal(deal=disputed, state="agreed", by=actor, submission=uuid4(), seen=seen)
    publishing.close_round(round=Round.objects.select_related("stage__event").get(), by=actor, end_open=False)
    assert publish_result(event=night, by=actor).final


def test_neither_what_is_sent_by_hand_nor_a_dispute_in_games_that_were_taken_back_counts(night, browser, disputed):
    assert post(browser, "round_step", night, 1, step="close", despite="x").status_code == 404
    Game.objects.get(deals=disputed).group_game.group.table.draw.__class__.objects.update(state="withdrawn")
    assert disputes_in([night]) == []
