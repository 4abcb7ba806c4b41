"""The grid of a round: lines as they are keyed from paper, whatever comes of each, for every game there is."""

from random import Random
from uuid import uuid4

import pytest
from django.urls import reverse

from lab.digits.made_up import blank_card
from lab.simulation.deals import true_deal
from scoring import wording
from scoring.cards.deals import end_game, record_deal, start_game
from scoring.cards.queries import card_of
from scoring.engine.core.ruleset import shipped
from scoring.engine.points_only import PointsDeal
from scoring.families import PAGES
from scoring.families.deal_form import EnteredDeal
from scoring.families.pinochle import HEADS
from scoring.models import DealVersion, Game
from tests.scoring.conftest import IMPOSSIBLE, UNLIKELY, WINNING, a_deal
from tests.tournaments import contests
from tests.tournaments.keying.keying import a_hand_and_foot_line, a_line, a_round, address, in_words, send
from tournaments.keying.grid import SETS, LineMaker, lay_out_line, save_line
from tournaments.models import Draw, GroupGame

OFFERS = [(slug, shape) for slug, rule_set in shipped().items() for shape in rule_set.shapes]


def test_a_line_is_recorded_from_paper_with_its_points_and_totals(event, game, scorekeeper, keyer):
    answer = send(keyer, event, a_line(game, written_0=25, written_1=16))
    assert answer.status_code == 200
    told = answer.json()
    assert (told["state"], told["over"]) == ("recorded", False)
    assert "+25 · +16" in in_words(told["line"])
    assert "25" in in_words(told["totals"])
    version = DealVersion.objects.get(deal__game=game)
    assert (version.route, version.by, version.written) == ("paper", scorekeeper, [25, 16])
    assert version.facts["bid_side"] == 0


@pytest.mark.parametrize(
    ("typed", "state", "parts"),
    [
        ({"written_0": 52, "written_1": 16}, "recorded", ["What the scorer wrote", "25, written 52"]),
        ({"number": 2}, "refused", ["Deal 1 isn't recorded yet"]),
        (
            {"bid_side": "7", "bid": "", "meld_0": "x", "written_1": "y"},
            "refused",
            ["Who holds the bid?: Type a key: 1: ", "Bid: Fill this in", "Meld, ", "Running total as written, "],
        ),
    ],
)
def test_what_is_off_missing_or_unreadable_is_said_beside_the_line(event, game, typed, state, parts, keyer):
    told = send(keyer, event, a_line(game) | typed).json()
    words = in_words(told["line"]).replace("&#x27;", "'")
    assert told["state"] == state
    assert [part for part in parts if part not in words] == []
    assert f'value="{typed.get("bid_side", 1)}"' in told["line"] or state == "recorded"


def test_the_figures_of_a_recorded_line_are_written_as_everywhere(club, actor, rules_for, keyer):
    event, _draw, (game, _other) = a_round(rules_for("points-only"), actor)
    entered = EnteredDeal(PointsDeal(points=(1780, 1200)), sure=True)
    record_deal(game=game, number=1, entered=entered, by=actor, submission=uuid4())
    page = keyer.get(address(event)).content.decode()
    assert ">1780<" not in page
    assert ">1,780</td>" in page
    assert ">1,200</td>" in page


@pytest.mark.parametrize(("typed", "kept"), [("", None), ("0", []), ("1", [0]), ("2 1", [1, 0])])
def test_the_marks_for_sides_that_are_set_are_keyed_too(event, game, typed, kept, keyer):
    told = send(keyer, event, a_line(game, written_sets=typed)).json()
    assert DealVersion.objects.get().written_sets == kept
    assert ("What the scorer wrote" in in_words(told["line"])) == (typed not in ("", "0"))  # nobody was set
    page = keyer.get(address(event)).content.decode()
    shown = f'class="box " data-label="Failed 1 2, 0 Nobody" >{"".join(typed.split())}</td>'
    assert "1 2, 0 Nobody" in in_words(page)
    assert shown in " ".join(page.split())


def test_a_mark_for_no_side_is_asked_about(event, game, keyer):
    for typed in ("3", "10", "x"):
        told = send(keyer, event, a_line(game, written_sets=typed)).json()
        assert told["state"] == "refused"
        assert f'value="{typed}"' in told["line"]
    assert not DealVersion.objects.exists()
    without = keyer.get(address(event) + "?totals=no").content.decode()
    assert "written_sets" not in without


def test_a_refused_line_keeps_what_was_typed_and_says_why_in_the_cards_words(event, game, keyer):
    line, keyer = a_line(game, IMPOSSIBLE), keyer
    answer = send(keyer, event, line)
    assert answer.status_code == 422
    html = answer.json()["line"]
    assert 'name="take_0" value="16"' in html
    assert 'aria-invalid="true"' in html
    on_card = keyer.post(reverse("card", args=[event.club.slug, game.pk]), line | {"bid_side": 0}).content.decode()
    sentence = "All that was taken comes to 26"
    assert sentence in in_words(on_card)
    assert sentence in in_words(html)
    assert not DealVersion.objects.exists()


def test_what_is_unlikely_asks_for_a_second_enter(event, game, keyer):
    line, keyer = a_line(game, UNLIKELY), keyer
    told = send(keyer, event, line).json()
    assert told["state"] == "asking"
    assert "Enter again if it says so" in in_words(told["line"])
    assert send(keyer, event, line | {"sure": "on"}).json()["state"] == "recorded"


def test_two_people_at_one_line_see_both_figures_and_nothing_is_overwritten(event, game, client_of, director, keyer):
    send(client_of(director), event, a_line(game))
    answer = send(keyer, event, a_line(game, a_deal(take=(14, 11))))
    assert answer.status_code == 409
    told = answer.json()
    words = in_words(told["line"])
    assert told["state"] == "late"
    assert "Dora recorded this deal before you" in words
    assert "14 differs" in words
    assert "15" in words
    assert DealVersion.objects.get().by == director
    same = send(keyer, event, a_line(game)).json()
    assert "with the same figures" in in_words(same["line"])
    assert same["state"] == "recorded"


@pytest.mark.parametrize(("typed", "state"), [({"take_0": "14"}, "late"), ({"take_0": "1x"}, "late"), ({}, "recorded")])
def test_a_line_typed_by_half_is_told_that_its_deal_is_recorded_before_what_it_lacks(
    event, game, client_of, director, typed, state, keyer
):
    send(client_of(director), event, a_line(game))
    told = send(keyer, event, a_line(game, bid_side="", take_1="", meld_1=" 06") | typed).json()
    words = in_words(told["line"])
    assert told["state"] == state
    assert "Dora recorded this deal before you" in words
    assert "Fill this in" not in words
    assert words.count("differs") == len(typed), "what isn't filled in differs from nothing"
    for text in typed.values():
        assert f"{text} differs" in words


def test_the_same_figures_are_the_same_whatever_else_the_first_noted(event, game, actor, keyer):
    entered = EnteredDeal(a_deal())  # who won the last trick, too
    record_deal(game=game, number=1, entered=entered, by=actor, submission=uuid4())
    told = send(keyer, event, a_line(game)).json()
    assert told["state"] == "recorded"
    assert "with the same figures" in in_words(told["line"])


@pytest.mark.parametrize("missed", ["", "0"])
def test_a_box_left_empty_is_the_zero_that_it_is_recorded_as(
    club, actor, rules_for, client_of, director, missed, keyer
):
    event, _draw, (game, _other) = a_round(rules_for("hand-and-foot"), actor)
    typed = a_hand_and_foot_line(game)
    first = send(client_of(director), event, typed).json()
    assert first["state"] == "recorded", in_words(first["line"])
    again = typed | {"submission": str(uuid4()), "red_threes_missed_0": missed, "melded_0": "1,500"}
    told = send(keyer, event, again).json()
    assert "with the same figures" in in_words(told["line"])
    assert told["state"] == "recorded"
    told = send(keyer, event, again | {"submission": str(uuid4()), "clean_0": "3"}).json()
    assert in_words(told["line"]).count("differs") == 1


def test_a_game_that_is_over_says_so_and_keeps_what_was_typed(event, game, keyer):
    told = send(keyer, event, a_line(game, WINNING, sure="on")).json()
    assert told["over"]
    answer = send(keyer, event, a_line(game, number=2))
    assert (answer.status_code, answer.json()["state"]) == (409, "over")
    assert 'name="bid" value="20"' in answer.json()["line"]


def test_the_grid_says_why_a_game_ended_so(event, game, keyer):
    for number, start in enumerate((125, 145)):
        game.sides.filter(number=number).update(start=start)
    why = str(wording.OUTCOMES["bid-side-first"]).format(won="150", best="161")
    told = send(keyer, event, a_line(game)).json()
    assert told["over"]
    assert why in in_words(told["totals"])
    assert why in in_words(keyer.get(address(event)).content.decode())
    assert why in in_words(send(keyer, event, a_line(game, number=2)).json()["line"])


def test_after_a_game_comes_the_next_of_its_set(club, actor, keyer):
    event = contests.contest(club, actor, game="points-only", games=2, places=9)
    contests.enter(event, actor, contests.NAMES[:9])
    draw = contests.drawn(contests.stage_of(event, 1), actor)
    first = GroupGame.objects.filter(group__table__draw=draw).order_by("group__table__number", "number")[0]
    url = reverse("stage_keying", args=[club.slug, event.slug, draw.pk])
    page = keyer.get(url).content.decode()
    assert "Game 1" in page
    assert "Game 2" not in page
    contests.deal(first.game, actor, [1, 2, 3])
    end_game(game=first.game, by=actor, reason="time")
    again = keyer.get(url).content.decode()
    assert "Game 2" in again
    line = {"game": first.group.games.get(number=2).game_id, "number": 1, "submission": "6" * 32}
    answer = keyer.post(url, line | {f"points_{side}": 10 * side for side in range(3)}, headers={"HX-Request": "true"})
    assert answer.json()["state"] == "recorded"


def test_without_javascript_the_lines_are_plain_forms(event, game, keyer):
    answer = keyer.post(address(event), a_line(game))
    assert (answer.status_code, answer["Location"]) == (302, f"{address(event)}#deal-{game.pk}-1")
    refused = keyer.post(address(event), a_line(game, IMPOSSIBLE, number=2))
    assert refused.status_code == 422
    assert 'name="take_0" value="16"' in refused.content.decode()
    assert "All that was taken comes to 26" in in_words(refused.content.decode())
    late = keyer.post(address(event), a_line(game, a_deal(bid=21)))
    assert late.status_code == 409
    assert "21 differs" in in_words(late.content.decode())


def test_the_running_totals_can_be_left_out(event, game, keyer):
    assert "written_0" in keyer.get(address(event)).content.decode()
    assert "written_0" not in keyer.get(f"{address(event)}?totals=no").content.decode()
    answer = keyer.post(f"{address(event)}?totals=no", a_line(game), headers={"HX-Request": "true"})
    assert answer.json()["state"] == "recorded"


def test_only_this_rounds_games_are_keyed(event, game, club, keyer):
    free = start_game(club=club, rules=game.rules, title="Window", sides=[["A", "B"], ["C", "D"]])
    for wrong in (free.pk, "", "x", 10**30):
        assert send(keyer, event, a_line(game) | {"game": wrong}).status_code == 404
    assert not DealVersion.objects.exists()


def test_a_round_taken_back_is_not_keyed(event, game, actor, keyer):
    Draw.objects.update(state=Draw.State.WITHDRAWN)
    assert keyer.get(address(event))["Location"] == event.get_desk_url()
    assert send(keyer, event, a_line(game)).status_code == 404


@pytest.mark.daily(11)
@pytest.mark.parametrize(("slug", "shape"), OFFERS, ids=str)
def test_true_deals_of_every_game_go_through_a_line(club, actor, rules_for, slug, shape):
    sides = [[f"P{side}{seat}" for seat in range(shape.per_side)] for side in range(shape.sides)]
    game = start_game(club=club, rules=rules_for(slug), title="x", sides=sides)
    rng, held = Random(11), 0
    for _try in range(200):
        if held == 2:
            break
        game = Game.objects.select_related("rules", "club").get(pk=game.pk)
        if game.state != Game.State.OPEN:
            break
        facts = true_deal(
            game.rules.family, rng, game.engine_rules, deals_before=game.deals_played, before=[0] * shape.sides
        )
        keyed = keyed_line(game, facts)
        if keyed is None:  # says more than a line of a printed card holds
            continue
        saved = save_line(game, keyed, by=actor)
        while saved.state == "asking":
            saved = save_line(game, keyed | {"sure": "on"}, by=actor)
        assert saved.state == "recorded", saved.messages
        held += 1
    assert game.deals.count() or held


def keyed_line(game, facts):
    """What a scorekeeper keys for these facts; None where they say what a line has no box for."""
    maker = LineMaker(card_of(game))
    form = PAGES[game.rules.family.slug].form(
        game=maker.card.game, number=maker.card.next_number, now=EnteredDeal(facts)
    )
    line = maker.open_line(form, maker.card.next_number)
    names = set(line.layout.names())
    typed = {
        box.field.name: box.field.field.widget.format_value(box.field.value()) or ""
        for _side, _names, boxes in line.rows
        for box in boxes
        if box.field is not None
    }
    more = {name: value for name, value in form.initial.items() if name not in names and value not in (None, "", False)}
    harmless = {"submission", "number", "last_trick", "dealer", "bids", "ending", "bidder_scored", "trump"}
    if any(not name.startswith(("counted_", "written_")) and name not in harmless for name in more):
        return None
    empty = any(value == "" for name, value in typed.items() if name.startswith(("meld_", "take_")))
    if more.get("ending", "played") != "played" or empty:
        return None
    if any(name.startswith("counted_") for name in more) and "meld_0" not in form.initial:
        return None
    return typed | {"game": game.pk, "number": maker.card.next_number, "submission": str(form["submission"].value())}


@pytest.mark.django_db  # a form may ask for the deals that are void
@pytest.mark.parametrize(("slug", "shape"), OFFERS, ids=str)
def test_a_figure_has_the_head_of_its_column_on_paper(slug, shape):
    card = blank_card(slug, shape)
    pages, rules = PAGES[card.game.rules.family.slug], card.game.engine_rules
    form, boxes = pages.form(game=card.game, number=1), pages.boxes(rules)
    columns = lay_out_line(form).columns
    on_paper = boxes.leads if card.per_deal else [column.head for column in boxes.columns]
    assert (SETS in form.fields) == (str(HEADS[-1]) in on_paper)
    figures = {in_box.field: head for in_box, head in zip(pages.box_contents(rules), on_paper, strict=True)}
    heads = {name: column.head for name, column in columns.items() if not column.keys}
    both = [(heads[f"{name}_0"], head) for name, head in figures.items() if f"{name}_0" in heads]
    assert both
    assert [head.split()[0] for head, _paper in both] == [paper.split()[0] for _head, paper in both]
