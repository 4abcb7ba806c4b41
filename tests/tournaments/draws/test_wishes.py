"""The director's wishes for draws: kept, refused with those that collide, reported, held to whoever comes or goes."""

import pytest
from django.urls import reverse

from clubsite.accounts.models import Actor, LogEntry
from tests.examples import as_proof
from tests.tournaments.nights import arrive, drafted, games_of, make_night, play_deals, publish_next
from tournaments.documents.sheets import movement_sheet
from tournaments.draws import rotation
from tournaments.draws.drafts import engine_round, played_draws
from tournaments.draws.rotation import add_wish, remove_wish, wish_sentence
from tournaments.errors import StepRefused
from tournaments.models import Draw, Entry, Wish
from tournaments.rounds import attendance, publishing
from tournaments.standings import results as standings_results
from tournaments.standings.results import result_of


@pytest.fixture
def event(event, actor):
    arrive(event, actor, 12)
    return event


def who(event, number):
    return event.entries.get(number=number)


def wish(event, by, kind, one, other=None, **more):
    wished = Wish(kind=kind, entry=who(event, one), other=who(event, other) if other else None, **more)
    return add_wish(event=event, wished=wished, by=by)


def rounds_of(draw):
    return [engine_round(draw), *rotation.from_data(draw.ahead)]


def partners(one):
    return {frozenset(side) for table in one.tables for side in table}


def at_table(one):
    """Entry to table and seat, counted side after side."""
    return {
        person: (number, seat)
        for number, table in enumerate(one.tables, 1)
        for seat, person in enumerate((p for side in table for p in side), 1)
    }


def test_every_kind_of_wish_holds_in_all_rounds_planned(event, actor):
    wish(event, actor, "always", 1, 2)
    wish(event, actor, "never", 3, 4)
    wish(event, actor, "apart", 5, 6)
    wish(event, actor, "once", 7, 8)
    wish(event, actor, "stay", 9, table=2, seat=3)
    draw = drafted(event, actor, planned=4, seed=5, steps=30_000)
    pk = {n: who(event, n).pk for n in range(1, 13)}
    rounds = rounds_of(draw)
    assert len(rounds) == 4
    for one in rounds:
        assert {pk[1], pk[2]} in partners(one)
        assert {pk[3], pk[4]} not in partners(one)
        assert at_table(one)[pk[5]][0] != at_table(one)[pk[6]][0]
        assert at_table(one)[pk[9]] == (2, 3)
    assert any({pk[7], pk[8]} in partners(one) for one in rounds)
    assert [outcome.met for outcome in rotation.stored_outcomes(draw.statement)] == [True] * 5


def test_wishes_that_collide_are_refused_with_the_fewest_that_do(event, actor):
    wish(event, actor, "never", 5, 6)
    wish(event, actor, "always", 1, 2)
    with pytest.raises(StepRefused) as refused:
        wish(event, actor, "apart", 2, 1)
    assert str(refused.value.message) == (
        "These wishes can't all be met; take one of them back: "
        "Player 01 and Player 02 are always partners; Player 01 and Player 02 are never at one table."
    )
    assert event.wishes.count() == 2


def test_a_seat_is_named_by_its_quarter_in_a_refusal(event, actor):
    wish(event, actor, "stay", 1, table=1, seat=1)
    with pytest.raises(StepRefused, match="Player 02 stays at table 1, seat North"):
        wish(event, actor, "stay", 2, table=1, seat=1)


def test_wishes_that_collide_once_somebody_comes_are_refused_when_the_draw_is_made(event, actor):
    attendance.leave(entry=who(event, 2), by=actor)
    wish(event, actor, "always", 1, 2)
    wish(event, actor, "always", 1, 3)
    drafted(event, actor, planned=2, seed=1, steps=20_000)
    attendance.return_to_event(entry=who(event, 2), by=actor)
    with pytest.raises(StepRefused, match="take one of them back: Player 01 and Player 02 are always partners; "):
        drafted(event, actor, planned=2, seed=1)
    assert Draw.objects.count() == 1


def test_a_soft_wish_that_cannot_be_met_is_reported_on_page_and_paper(event, actor, browser):
    wish(event, actor, "always", 1, 2)
    wish(event, actor, "never", 2, 1, hard=False)
    wish(event, actor, "never", 3, 4, hard=False)
    draw = drafted(event, actor, planned=2, seed=1, steps=20_000)
    page = browser.get(reverse("round_draw", args=["st-hilary", event.slug])).content.decode()
    lines = movement_sheet(Draw.objects.select_related("round__stage__event__club").get(pk=draw.pk))["statement"]
    for sentence in (
        "Player 01 and Player 02 are always partners: met.",
        "Player 01 and Player 02 are never partners: not met.",
        "Player 03 and Player 04 are never partners: met.",
    ):
        assert sentence in page
        assert sentence in lines


def test_wishes_are_held_to_after_arrivals_drop_outs_and_returns(event, actor):
    wish(event, actor, "never", 1, 2)
    wish(event, actor, "apart", 3, 4)
    wish(event, actor, "host", 5, table=1)
    pk = {n: who(event, n).pk for n in range(1, 13)}

    def play(draw):
        publishing.publish_draw(draw=draw, by=actor)
        for game in games_of(draw):
            play_deals(game, actor)
        publishing.close_round(round=draw.round, by=actor, end_open=True, reason="time")

    play(drafted(event, actor, planned=4, steps=20_000))
    attendance.leave(entry=who(event, 1), by=actor)
    arrive(event, actor, 14)  # two more
    attendance.leave(entry=who(event, 1), by=actor)
    play(drafted(event, actor, planned=4, steps=20_000))
    attendance.return_to_event(entry=who(event, 1), by=actor)
    drafted(event, actor, planned=4, steps=20_000)
    drafts = [engine_round(draw) for draw in played_draws(event)]
    assert len(drafts) == 2
    last = rounds_of(Draw.objects.latest("pk"))
    assert len(last) == 2
    for one in (*drafts, *last):
        assert {pk[1], pk[2]} not in partners(one)
        seats = at_table(one)
        assert pk[3] not in seats or pk[4] not in seats or seats[pk[3]][0] != seats[pk[4]][0]
        assert seats[pk[5]][0] == 1


def test_a_new_wish_makes_the_rounds_planned_be_drawn_again(event, actor):
    first = publish_next(event, actor)
    for game in games_of(first):
        play_deals(game, actor)
    publishing.close_round(round=first.round, by=actor, end_open=True, reason="time")
    (ahead, *_rest) = rotation.from_data(first.ahead)
    (one, other) = ahead.tables[0][0]
    entries = [Entry.objects.get(pk=pk) for pk in (one, other)]
    add_wish(event=event, by=actor, wished=Wish(kind="never", entry=entries[0], other=entries[1]))
    second = drafted(event, actor, planned=3, steps=20_000)
    assert second.statement["plan"]["from"] == 1
    assert {one, other} not in partners(engine_round(second))


def test_a_wish_made_twice_is_one_and_is_logged(event, actor):
    made = wish(event, actor, "never", 1, 2)
    assert wish(event, actor, "never", 2, 1) == made
    remove_wish(wish=made, by=actor)
    remove_wish(wish=made, by=actor)
    logged = LogEntry.objects.filter(verb__startswith="wish.").order_by("pk").values_list("verb", "subject")
    words = "Night friday · Player 01 and Player 02 are never partners"
    assert list(logged) == [("wish.add", words), ("wish.remove", words)]


@pytest.mark.parametrize(
    ("kind", "other", "more"),
    [
        ("never", None, {}),
        ("never", 1, {}),
        ("host", None, {}),
        ("stay", None, {"seat": 2}),
        ("love", 2, {}),
        ("stay", None, {"table": 40}),
    ],
)
def test_an_unclear_wish_is_refused(event, actor, kind, other, more):
    with pytest.raises(StepRefused):
        wish(event, actor, kind, 1, other, **more)
    assert not event.wishes.exists()


def test_wishes_by_clicking(event, director, client_of):
    page, browser = reverse("wishes", args=["st-hilary", event.slug]), client_of(director)
    sent = {"step": "add", "kind": "never", "entry": who(event, 1).pk, "other": who(event, 2).pk, "hard": "yes"}
    shown = browser.post(page, sent, follow=True).content.decode()
    assert "Player 01 and Player 02 are never partners." in shown
    sent = {"step": "add", "kind": "stay", "entry": who(event, 3).pk, "table": "1", "seat": "2", "hard": "no"}
    shown = browser.post(page, sent, follow=True).content.decode()
    assert "Player 03 stays at table 1, seat South" in shown
    sent = {"step": "add", "kind": "always", "entry": who(event, 1).pk, "other": who(event, 2).pk, "hard": "yes"}
    assert "These wishes can&#x27;t all be met" in browser.post(page, sent).content.decode()
    assert event.wishes.count() == 2
    attendance.leave(entry=who(event, 2), by=Actor(user=director, name="Dora"))
    assert "waits until both are here" in browser.get(page).content.decode()
    first = event.wishes.get(kind="never")
    browser.post(page, {"step": "remove", "wish": first.pk})
    assert [wish_sentence(one) for one in event.wishes.all()] == ["Player 03 stays at table 1, seat South"]


def test_two_who_keep_the_same_table_are_pointed_out(event, actor, browser):
    wish(event, actor, "stay", 1, table=1)
    wish(event, actor, "host", 2, table=1)
    page = browser.get(reverse("wishes", args=["st-hilary", event.slug])).content.decode()
    assert "Player 01, Player 02 stay at table 1: they meet in every round." in page


def test_people_and_wishes_of_another_event_are_not_found(event, club, actor, director, client_of):
    made = wish(event, actor, "never", 1, 2)
    other = make_night(club, event.rules, slug="other")
    page, browser = reverse("wishes", args=["st-hilary", other.slug]), client_of(director)
    assert browser.post(page, {"step": "remove", "wish": made.pk}).status_code == 404
    sent = {"step": "add", "kind": "never", "entry": who(event, 1).pk, "other": who(event, 2).pk, "hard": "yes"}
    assert browser.post(page, sent).status_code == 200
    assert not other.wishes.exists()
    assert event.wishes.count() == 1


@pytest.mark.daily(2)
@pytest.mark.parametrize(
    ("game", "people", "odd", "sizes"),
    [
        ("hand-and-foot", 18, "six", [4, 4, 4, 6]),
        ("hand-and-foot", 13, "five", [4, 4, 5]),
        ("hand-and-foot", 11, "three", [3, 4, 4]),
        ("points-only", 18, "sit-out", [4, 4, 4, 4]),
    ],
)
def test_those_who_do_not_fit_sit_out_or_make_up_an_odd_table(club, actor, rules_for, game, people, odd, sizes):
    event = make_night(club, rules_for(game))
    arrive(event, actor, people)
    draw = drafted(event, actor, planned=3, seed=2, steps=20_000, odd=odd)
    assert sorted(sum(map(len, table)) for table in engine_round(draw).tables) == sizes
    assert draw.sit_outs.count() == people - sum(sizes)
    publishing.publish_draw(draw=draw, by=actor)
    for table_game in games_of(draw):
        play_deals(table_game, actor)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="time")
    standings_results.publish_result(event=event, by=actor)
    assert len(result_of(event).rows) == people


def test_a_game_is_not_offered_a_table_that_its_rules_do_not_know(event, actor, browser):
    assert list(rotation.odd_layouts(event.rules.rule_set, 18)) == ["sit-out"]
    with pytest.raises(StepRefused, match="a table of that size"):
        drafted(event, actor, odd="six")
    page = browser.get(reverse("round_draw", args=["st-hilary", event.slug])).content.decode()
    assert "fit at tables of four" not in page


@pytest.mark.daily(1)
@pytest.mark.parametrize(("odd", "people"), [("three", 11), ("five", 13), as_proof(["six", 18])])
def test_an_odd_table_has_its_cards_and_its_place_on_the_sheets(club, actor, browser, rules_for, odd, people):
    event = make_night(club, rules_for("hand-and-foot"))
    arrive(event, actor, people)
    draw = drafted(event, actor, planned=2, seed=2, steps=20_000, odd=odd)
    publishing.publish_draw(draw=draw, by=actor)
    for document in ("cards", "seating", "movement"):
        answer = browser.get(reverse("document", args=["st-hilary", event.slug, document]))
        assert (document, answer.status_code, answer["Content-Type"]) == (document, 200, "application/pdf")
    for page in ("event", "seats", "board", "desk_event", "round_draw"):
        assert browser.get(reverse(page, args=["st-hilary", event.slug])).status_code == 200
