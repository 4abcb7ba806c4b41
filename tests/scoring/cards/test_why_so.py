"""Why a game ended as it did: on its card's page and on paper, where the totals don't show it."""

from uuid import uuid4

from django.utils import translation

from scoring import wording
from scoring.cards.deals import mark_deal, start_game
from scoring.cards.queries import card_of
from scoring.cards.views import reasons_pages
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard
from scoring.models import Game
from tests.scoring.conftest import PINOCHLE_SIDES, a_deal


def in_words(code, **figures):
    return str(wording.WHY_SO[code]).format(**figures)


def test_a_card_says_that_the_bid_side_was_counted_first(client_of, scorekeeper, club, rules_for, record):
    rules = rules_for("st-hilary-v3")
    game = start_game(club=club, rules=rules, title="Table 3", sides=PINOCHLE_SIDES, start=(125, 145))
    record(game, 1, a_deal())  # 25 and 16 points
    said = in_words("bid-side-first", won="150", best="161")
    assert card_of(Game.get_or_404(club, game.pk)).why == said
    assert said in reasons_pages(card_of(Game.get_or_404(club, game.pk)), "A4").documents[0]
    assert said in client_of(scorekeeper).get(game.get_absolute_url()).content.decode()
    with translation.override("es"):
        assert card_of(Game.get_or_404(club, game.pk)).why not in {"", said}


def test_a_level_score_at_the_target_asks_for_another_deal(client_of, scorekeeper, club, rules_for, record):
    game = start_game(club=club, rules=rules_for("canasta"), title="Table 3", sides=PINOCHLE_SIDES, start=(4310, 4310))
    same = SideCard(clean=1, dirty=0, wild=0, melded=400, left=50)
    record(game, 1, HandAndFootDeal(sides=(same, same), number=1))
    game.refresh_from_db()
    assert game.state == Game.State.OPEN
    said = in_words("level", best="5,160")
    assert said in client_of(scorekeeper).get(game.get_absolute_url()).content.decode()


def test_a_plain_end_says_nothing_more(finished, record):
    assert card_of(finished).why == ""


def test_the_entry_screen_says_what_the_first_meld_needs(client_of, scorekeeper, club, rules_for, record, actor):
    game = start_game(club=club, rules=rules_for("hand-and-foot"), title="Table 1", sides=PINOCHLE_SIDES)
    same = SideCard(clean=1, dirty=0, wild=0, melded=400, left=50)
    assert "50" in card_of(Game.get_or_404(club, game.pk)).before_deal
    first = record(game, 1, HandAndFootDeal(sides=(same, same), number=1))
    needs = card_of(Game.get_or_404(club, game.pk)).before_deal
    assert "90" in needs
    assert needs in client_of(scorekeeper).get(game.get_absolute_url()).content.decode()
    mark_deal(deal=first.deal, state="void", by=actor, submission=uuid4(), seen=1, reason="Misdealt.")
    assert "50" in card_of(Game.get_or_404(club, game.pk)).before_deal  # the next deal takes the place of the void one


def test_where_the_first_meld_goes_by_the_score_each_side_has_its_own(club, rules_for, game):
    canasta = start_game(
        club=club, rules=rules_for("canasta"), title="Table 1", sides=PINOCHLE_SIDES, start=(1495, 1500)
    )
    needs = card_of(Game.get_or_404(club, canasta.pk)).before_deal
    assert "Ann & Bob 50, Cal & Dee 90" in needs
    assert card_of(game).before_deal == ""
