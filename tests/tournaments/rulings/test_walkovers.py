"""Matches won because a side isn't there, and sides that leave an event for good."""

from collections import Counter
from itertools import combinations

import pytest
from django.urls import reverse
from django.utils.html import escape

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import end_game
from scoring.cards.queries import cards_of
from scoring.models import Game
from tests.pages import page_of
from tests.tournaments.contests import deal
from tests.tournaments.draws.test_by_format import make_event, pair_in_order, play_round
from tests.tournaments.nights import arrive, drafted, games_of, once, play_deals
from tests.tournaments.standings.test_lowest_wins import event_of as low_event
from tournaments.documents.cards import card_pages, printed_cards
from tournaments.draws.by_format import field_of, is_over, played_of
from tournaments.draws.round_views import latest_round
from tournaments.entries import partners
from tournaments.errors import StepRefused
from tournaments.events.words import annulment_reason
from tournaments.models import Entry, Event, TableLink
from tournaments.pages.next_steps import NightProgress
from tournaments.rounds import attendance, publishing
from tournaments.rulings.actions import give_walkover, reinstate_side, remove_side
from tournaments.standings.presentation import notes_of
from tournaments.standings.results import publish_result
from tournaments.standings.standings import match_of, matches_of, results_of, standings_of
from tournaments.table_links.links import readable_token

pytestmark = pytest.mark.django_db


def started(club, by, format, people, **options):
    """An event of pairs, who play in turn for one and the other club where two meet."""
    event = make_event(club, by, format, **options)
    arrive(event, by, people)
    entries = list(event.entries.order_by("number"))
    for pair in range(people // 2):
        plays_for = ("Elm", "Oak")[pair % 2] if format == "team-match" else ""
        partners.join_side(event=event, entries=entries[2 * pair : 2 * pair + 2], by=by, plays_for=plays_for)
    return event


def published(event, by):
    return once("published", event, by, lambda: publishing.publish_draw(draw=drafted(event, by, seed=1), by=by))


@pytest.fixture
def event(club, actor):
    """Four pairs who all meet."""
    return started(club, actor, "round-robin", 8)


@pytest.fixture
def draw(event, actor):
    return published(event, actor)


def finish(draw, by, but=()):
    """Deals at every table but these, and the round closed; their games are left as they are."""
    for number, game in enumerate(games_of(draw), start=1):
        if number not in but:
            play_deals(game, by, 2)
            game.refresh_from_db()
            if game.state == Game.State.OPEN:
                end_game(game=game, by=by, reason="time")
    publishing.close_round(round=draw.round, by=by, end_open=False)


def group_at(draw, table):
    return draw.groups.get(table__number=table)


def side_at(draw, table, side):
    seats = draw.seats.filter(group__table__number=table, side=side).select_related("entry")
    return [seat.entry for seat in seats]


def as_it_is(game):
    return Game.objects.filter(pk=game.pk).values()[0], list(game.sides.values())


def shown(event):
    stage = event.stages.get()
    stage.event = Event.objects.select_related("rules", "club").get(pk=event.pk)
    return list(standings_of(stage).rows)


def row_of(event, entry):
    return next(row for row in shown(event) if entry.name in row.name)


@pytest.mark.daily(3)
@pytest.mark.parametrize("format", ["round-robin", "swiss", "knock-out", "ladder", "team-match"])
def test_who_is_there_wins_the_match(club, actor, format):
    event = started(club, actor, format, 12, **({"level": "lots"} if format == "knock-out" else {}))
    draw = published(event, actor)
    here, away = side_at(draw, 1, 0), side_at(draw, 1, 1)
    give_walkover(group=group_at(draw, 1), absent={1}, by=actor)
    finish(draw, actor, but=(1,))
    row, other = row_of(event, here[0]), row_of(event, away[0])
    totals = [(game.sides.filter(half_wins__gt=0)).values_list("total", flat=True) for game in games_of(draw)[1:]]
    winners = [total for own in totals for total in own]
    expected = (2 * sum(winners) + len(winners)) // (2 * len(winners))
    assert (row.games_won, row.walkovers, row.walkover_credit, row.points) == ("1", 1, expected, expected)
    assert (other.games_won, other.forfeits, other.points) == ("0", 1, 0)
    assert (row.games_played, other.games_played) == (1, 1)
    table = next(t for t in played_of(event)[0].tables if here[0].pk in t.sides[0])
    assert (table.half_wins, table.points, table.walkover) == ((2, 0), (expected, 0), True)
    if format == "knock-out":
        second = drafted(event, actor, seed=1)
        there = {seat.entry_id for seat in second.seats.all()} | {out.entry_id for out in second.sit_outs.all()}
        assert here[0].pk in there
        assert away[0].pk not in {seat.entry_id for seat in second.seats.filter(group__table__number=1)}


@pytest.mark.parametrize(("worth", "points"), [(0, 0), (7, 7)])
def test_a_walkover_is_worth_what_the_event_says(club, actor, worth, points):
    event = started(club, actor, "swiss", 8)
    Event.objects.filter(pk=event.pk).update(walkover_points=worth)
    draw = published(event, actor)
    give_walkover(group=group_at(draw, 1), absent={1}, by=actor)
    finish(draw, actor, but=(1,))
    event.refresh_from_db()
    assert row_of(event, side_at(draw, 1, 0)[0]).points == points
    assert played_of(event)[0].tables[0].points == (points, 0)


@pytest.mark.parametrize(("worth", "won", "lost"), [(None, 15, 81), (0, 0, 81), (90, 90, 90)])
def test_where_the_lowest_wins_who_is_absent_gets_the_average_of_the_losers(club, actor, worth, won, lost):
    event = low_event(club, actor, "round-robin", walkover_points=worth)
    arrive(event, actor, 12)
    pair_in_order(event, actor)
    draw = published(event, actor)
    give_walkover(group=group_at(draw, 1), absent={1}, by=actor)
    for game, totals in zip(games_of(draw)[1:], [(10, 80), (81, 19)], strict=True):
        deal(game, actor, totals)
        end_game(game=game, by=actor, reason="time")
    here, away = (row_of(event, side_at(draw, 1, side)[0]) for side in (0, 1))
    assert (here.points, away.points, away.games_won) == (won, lost, "0")
    assert f"{lost}" in notes_of(away, event)[-1]
    assert played_of(event)[0].tables[0].points == (-won, -lost)
    give_walkover(group=group_at(draw, 1), absent={0, 1}, by=actor)
    assert {row_of(event, side_at(draw, 1, side)[0]).points for side in (0, 1)} == {lost}


def test_where_the_lowest_wins_who_leaves_for_good_has_no_better_points_for_it(club, actor):
    event = low_event(club, actor, "round-robin")
    arrive(event, actor, 8)
    pair_in_order(event, actor)
    remaining = event.entries.get(number=1)
    remove = event.entries.get(number=8)
    for number in range(3):
        draw = published(event, actor)
        for game in games_of(draw):
            deal(game, actor, (10, 70))
            end_game(game=game, by=actor, reason="time")
        publishing.close_round(round=draw.round, by=actor, end_open=False)
        if number == 0:
            remove_side(event=event, entry=remove, how="walkovers", by=actor)
    assert is_over(event)
    away = row_of(event, remove)
    assert (away.forfeits, away.points) == (2, 140 + (70 if away.games_won == "0" else 10))
    assert row_of(event, remaining).points < away.points


def test_a_walkover_is_taken_back_and_all_is_as_before(event, draw, club, actor):
    game = games_of(draw)[0]
    play_deals(game, actor, 1)
    end_game(game=game, by=actor, reason="time")
    finish(draw, actor, but=(1,))
    before = shown(event)
    was = as_it_is(game)
    group = group_at(draw, 1)
    for _twice in range(2):
        give_walkover(group=group, absent={0}, by=actor, reason="they went home")
    assert row_of(event, side_at(draw, 1, 1)[0]).walkovers == 1
    assert Counter(LogEntry.objects.filter(club=club).values_list("verb", flat=True))["walkover.give"] == 1
    for _twice in range(2):
        give_walkover(group=group, absent=(), by=actor)
    assert as_it_is(game) == was
    assert shown(event) == before


def test_points_differences_and_best_games_are_those_of_the_cards(club, actor):
    event = started(club, actor, "swiss", 8, rounds=2)
    Event.objects.filter(pk=event.pk).update(walkover_points=5000, tie_breaks=["games-won", "net", "best-game"])
    draw = published(event, actor)
    give_walkover(group=group_at(draw, 1), absent={1}, by=actor)
    finish(draw, actor, but=(1,))
    event.refresh_from_db()
    winners = [row for row in shown(event) if row.games_won == "1"]
    assert [bool(row.walkovers) for row in winners] == sorted(bool(row.walkovers) for row in winners)
    assert winners[-1].walkovers  # no difference of points, so behind those who have one
    result = results_of(matches_of(event.stages.get(), list(event.entries.order_by("number")))[0], [winners[-1].entry])
    assert (result[winners[-1].entry].net, result[winners[-1].entry].game_points) == (0, ())


def test_a_knock_out_goes_on_from_two_who_were_not_there(club, actor):
    event = started(club, actor, "knock-out", 8, level="extra-deal", third=True)
    draw = published(event, actor)
    give_walkover(group=group_at(draw, 1), absent={0, 1}, by=actor)
    finish(draw, actor, but=(1,))
    neither = {e.pk for side in (0, 1) for e in side_at(draw, 1, side)}
    assert is_over(event)  # the other semi-final has both the winner and the third
    first, *_others = shown(event)
    assert first.entry not in neither
    assert {row.place for row in shown(event) if row.entry in neither}.isdisjoint({1, 2})


def test_who_has_left_loses_the_match_that_was_published(club, actor):
    event = started(club, actor, "knock-out", 8, level="extra-deal")
    draw = published(event, actor)
    for entry in side_at(draw, 1, 1):
        attendance.leave(entry=entry, by=actor)
    for game in games_of(draw)[1:]:
        play_deals(game, actor, 2)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="they have gone home")
    assert row_of(event, side_at(draw, 1, 0)[0]).walkovers == 1
    assert drafted(event, actor).seats.filter(entry=side_at(draw, 1, 0)[0]).exists()


def test_a_level_match_says_that_a_walkover_can_be_given(club, actor):
    event = started(club, actor, "knock-out", 8, level="extra-deal")
    draw = published(event, actor)
    game = games_of(draw)[0]
    end_game(game=game, by=actor, reason="nobody came")
    finish(draw, actor, but=(1,))
    with pytest.raises(StepRefused, match="Walkover"):
        drafted(event, actor)
    give_walkover(group=group_at(draw, 1), absent={1}, by=actor)
    assert drafted(event, actor).seats.filter(entry=side_at(draw, 1, 0)[0]).exists()


def test_a_match_of_two_clubs_counts_the_table(club, actor):
    event = started(club, actor, "team-match", 8, rounds=2)
    draw = published(event, actor)
    for table in (1, 2):
        give_walkover(group=group_at(draw, table), absent={1}, by=actor)
    finish(draw, actor, but=(1, 2))
    assert {side["name"]: side["tables_won"] for side in match_of(event, shown(event))} == {"Elm": "2", "Oak": "0"}


def test_only_sides_that_stay_together_win_by_walkover(club, actor):
    event = make_event(club, actor, "progressive")
    arrive(event, actor, 8)
    draw = published(event, actor)
    with pytest.raises(StepRefused, match="stay together"):
        give_walkover(group=group_at(draw, 1), absent={1}, by=actor)


@pytest.mark.daily(1)
@pytest.mark.parametrize("legs", [1, 2])
def test_sides_that_have_left_lose_the_matches_between_them_too(club, actor, legs):
    event = started(club, actor, "round-robin", 12, legs=legs)
    play_round(event, actor)
    leaving = [table.sides[0] for table in played_of(event)[0].tables]
    for side in leaving:
        remove_side(event=event, entry=event.entries.get(pk=side[0]), how="walkovers", by=actor)
    gone = [row for row in shown(event) if row.entry in {side[0] for side in leaving}]
    assert [(row.games_played, row.forfeits) for row in gone] == [(1 + 2 * legs, 2 * legs)] * 3
    while not is_over(event):
        play_round(event, actor)
    assert {row.games_played for row in shown(event)} == {5 * legs}
    one, other, _third = leaving
    results = results_of(matches_of(event.stages.get(), list(event.entries.all()))[0], one)
    (encounter,) = (e for e in results[one[0]].encounters if e.other == other[0])
    assert (encounter.games, encounter.won, encounter.net) == (legs, 0, 0)
    reinstate_side(event=event, entry=event.entries.get(pk=one[0]), by=actor)
    assert not is_over(event)
    assert {row.games_played for row in shown(event) if row.entry == other[0]} == {5 * legs - legs}


@pytest.mark.daily(2)
@pytest.mark.parametrize("how", ["count", "annulled", "walkovers"])
def test_a_match_published_and_one_that_is_not_are_treated_alike(event, actor, how):
    Event.objects.filter(pk=event.pk).update(sit_out_rule="round-winners")
    first = published(event, actor)
    leaving, there = side_at(first, 1, 0), side_at(first, 1, 1)
    remove_side(event=event, entry=leaving[0], how=how, by=actor)
    finish(first, actor, but=(1,))
    while not is_over(event):
        play_round(event, actor)
    gone = tuple(entry.pk for entry in leaving)
    rows = [row for row in shown(event) if row.entry not in gone]
    assert len({(row.games_played, row.sit_outs, row.walkovers) for row in rows}) == 1
    assert any(row.entry == there[0].pk for row in rows)
    met = Counter(frozenset(table.sides) for one in played_of(event) for table in one.tables)
    others = [side for side in field_of(event).teams if side != gone]
    assert {met[frozenset(pair)] for pair in combinations(others, 2)} == {1}
    if how == "annulled":
        last = shown(event)[-1]
        assert (last.entry in gone, last.points, last.games_won) == (True, 0, "0")


@pytest.mark.daily(2)
@pytest.mark.parametrize("how", ["count", "annulled", "walkovers"])
def test_a_side_comes_back_and_all_is_as_before(event, actor, how):
    play_round(event, actor)
    draw = published(event, actor)
    leaving = side_at(draw, 1, 0)
    before = (shown(event), played_of(event), list(Game.objects.order_by("pk").values()))
    remove_side(event=event, entry=leaving[1], how=how, by=actor)
    with pytest.raises(StepRefused, match="for good"):
        attendance.return_to_event(entry=leaving[0], by=actor)
    other = {"count": "annulled", "annulled": "walkovers", "walkovers": "count"}[how]
    remove_side(event=event, entry=leaving[0], how=other, by=actor)
    reinstate_side(event=event, entry=leaving[0], by=actor)
    assert (shown(event), played_of(event), list(Game.objects.order_by("pk").values())) == before
    assert set(event.entries.values_list("state", "removed")) == {("here", "")}


@pytest.mark.parametrize(
    ("format", "refused"), [("knock-out", ["count", "annulled", "walkovers"]), ("swiss", ["annulled"])]
)
def test_a_choice_that_makes_no_sense_in_a_format_is_not_offered(club, actor, director, client_of, format, refused):
    event, browser = started(club, actor, format, 8), client_of(director)
    published(event, actor)
    for how in refused:
        with pytest.raises(StepRefused, match="Mark who is here"):
            remove_side(event=event, entry=event.entries.first(), how=how, by=actor)
    page = reverse("side_leaves", args=[club.slug, event.slug])
    answer = browser.get(page)
    offered = [] if answer.status_code == 404 else [how for how, _words in answer.context["form"].fields["how"].choices]
    assert set(offered) == set(Entry.Removed.values) - set(refused)
    assert (page in browser.get(event.get_desk_url()).content.decode()) == bool(offered)


@pytest.mark.daily(2)
@pytest.mark.parametrize("format", ["swiss", "ladder", "team-match"])
@pytest.mark.parametrize("how", ["count", "walkovers"])
def test_a_side_that_leaves_for_good_gives_up_the_match_that_is_published(club, actor, format, how):
    event = started(club, actor, format, 12, rounds=2)
    draw = published(event, actor)
    here, away = side_at(draw, 1, 0), side_at(draw, 1, 1)
    remove_side(event=event, entry=away[0], how=how, by=actor)
    finish(draw, actor, but=(1,))
    stays, left = row_of(event, here[0]), row_of(event, away[0])
    assert (stays.walkovers, left.forfeits) == ((1, 1) if how == "walkovers" else (0, 0))
    assert stays.sit_outs == (how == "count")
    second = published(event, actor)
    gone = {entry.pk for entry in away}
    assert gone.isdisjoint(second.seats.values_list("entry", flat=True))
    finish(second, actor)
    assert is_over(event)
    assert (row_of(event, away[0]).missed, row_of(event, away[0]).walkovers) == (0, 0)


def test_nobody_leaves_for_good_before_anything_is_drawn(event, actor):
    with pytest.raises(StepRefused, match="Mark who is here"):
        remove_side(event=event, entry=event.entries.first(), how="count", by=actor)


def test_the_pages_show_what_changes_before_it_is_done(event, draw, club, actor, client_of, browser):
    page = reverse("walkover", args=[club.slug, event.slug, group_at(draw, 1).pk])
    desk = browser.get(event.get_desk_url())
    assert page in desk.content.decode()
    look = browser.post(page, {"step": "look", "absent": "1", "reason": ""})
    assert look.context["effects"]
    assert not Game.objects.filter(sides__absent=True).exists()
    browser.post(page, {"step": "change", "absent": "1", "reason": "", "seen": look.context["seen"]})
    assert Game.objects.get(sides__absent=True) == games_of(draw)[0]
    for name in ("event", "board"):
        assert "walkover" in page_of(client_of(None).get(reverse(name, args=[club.slug, event.slug]))).lower()
    finish(draw, actor, but=(1,))
    leaves = reverse("side_leaves", args=[club.slug, event.slug])
    assert leaves in browser.get(event.get_desk_url()).content.decode()
    sent = {"entry": str(side_at(draw, 1, 1)[0].pk), "how": "walkovers", "reason": ""}
    look = browser.post(leaves, {"step": "look", **sent})
    browser.post(leaves, {"step": "change", **sent, "seen": look.context["seen"]})
    assert event.entries.filter(removed="walkovers").count() == 2
    second = published(event, actor)
    assert second.sit_outs.exclude(against=None).count() == 2
    assert "(walkover)" in page_of(client_of(None).get(reverse("event", args=[club.slug, event.slug])))
    browser.post(leaves, {"step": "take-back", "back": sent["entry"]})
    assert not event.entries.exclude(removed="").exists()


@pytest.mark.proof
def test_the_desk_leads_to_a_walkover_until_the_night_is_closed(
    event, draw, club, actor, director, scorekeeper, client_of
):
    page = reverse("walkover", args=[club.slug, event.slug, group_at(draw, 1).pk])

    def offered(user):
        return f'href="{page}"' in client_of(user).get(event.get_desk_url()).content.decode()

    assert offered(director)
    finish(draw, actor)  # the round is closed: its seats stay, its matches can still be decided
    assert offered(director)
    assert not offered(scorekeeper)
    publish_result(event=event, by=actor)
    assert not offered(director)


@pytest.mark.daily(1)
@pytest.mark.parametrize(("sides", "leaving"), [(3, (3,)), (4, (3, 4)), (3, (2, 3)), (2, (2,))])
def test_rounds_of_walkovers_alone_lead_to_the_result(club, actor, director, client_of, sides, leaving):
    event, browser = started(club, actor, "round-robin", 2 * sides), client_of(director)
    first = published(event, actor)
    if sides > 2:
        finish(first, actor)
    for team in leaving:
        remove_side(event=event, entry=event.entries.get(number=2 * team), how="walkovers", by=actor)
    draw_page = reverse("round_draw", args=[club.slug, event.slug])
    without_tables = 0
    for _step in range(20):
        event = Event.objects.get(pk=event.pk)
        night = NightProgress(event, latest_round(event))
        if night.next == "next-round":
            browser.post(draw_page, {"step": "make", "planned": "8", "effort": "normal"})
        elif night.next == "draft":
            page = browser.get(draw_page)
            draft = page.context["round"]
            assert draft.groups or draft.walkovers
            without_tables += not draft.groups
            browser.post(draw_page, {"step": "publish", "draw": draft.draw.pk, "seen": draft.draw.number})
        elif night.next == "close-round":
            page = reverse("round_step", args=[club.slug, event.slug, night.round.number])
            assert browser.get(page).status_code == 200
            browser.post(page, {"step": "close", "games": "open"})
        elif night.next == "playing":
            for game in games_of(night.round.draw):
                play_deals(game, actor, 2)
                end_game(game=game, by=actor, reason="time")
        elif night.next == "all-played":
            page = reverse("night_close", args=[club.slug, event.slug])
            browser.post(page, {"step": "close", "seen": browser.get(page).context["seen"]})
        else:
            break
        for name in ("event", "board"):
            assert client_of(None).get(reverse(name, args=[club.slug, event.slug])).status_code == 200
    assert night.next == "finished"
    assert bool(without_tables) == (sides > 2)
    stays = row_of(event, event.entries.get(number=1))
    assert (stays.place, stays.games_played) == (1, sides - 1)


def test_a_card_that_is_printed_says_that_the_match_is_a_walkover_or_annulled(event, draw, actor):
    give_walkover(group=group_at(draw, 1), absent={1}, by=actor)
    game = games_of(draw)[1]
    play_deals(game, actor, 2)
    end_game(game=game, by=actor, reason="time")
    first, second = printed_cards(draw)
    assert (first.heading.mark, second.heading.mark) == ("walkover", "")
    assert first.ended == cards_of([games_of(draw)[0]])[0].state_words
    remove_side(event=event, entry=side_at(draw, 2, 0)[0], how="annulled", by=actor)
    for filled in (False, True):
        second = printed_cards(draw, filled=filled)[-1]
        assert (second.heading.mark, bool(second.ended)) == ("annulled", True)
    assert "annulled" in card_pages([second], event.rules.rule_set, paper="A4").documents[0]


def test_pages_say_that_a_match_is_annulled_on_its_card_and_at_its_table(event, draw, club, actor, director, client_of):
    game = games_of(draw)[1]
    play_deals(game, actor, 2)
    end_game(game=game, by=actor, reason="time")
    leaving = side_at(draw, 2, 0)
    link = reverse("table", args=[readable_token(TableLink.objects.get(group=group_at(draw, 2)))])
    board = reverse("board", args=[club.slug, event.slug])
    cards = {game.get_absolute_url(): director, link: None}
    pages = cards | {event.get_desk_url(): director, event.get_absolute_url(): None, board: None}

    def annulled():
        return {page for page, user in pages.items() if "annulled" in page_of(client_of(user).get(page))}

    assert annulled() == set()
    remove_side(event=event, entry=leaving[0], how="annulled", by=actor)
    assert annulled() == set(pages)
    for page, user in cards.items():
        shown = client_of(user).get(page).content.decode()
        assert ">annulled</span>" in shown
        assert escape(annulment_reason(group_at(draw, 2).seats.all())) in shown
    reinstate_side(event=event, entry=leaving[0], by=actor)
    assert annulled() == set()


@pytest.mark.daily(2)
@pytest.mark.parametrize(("how", "walkover"), [("count", True), ("walkovers", True), ("annulled", False)])
def test_a_match_in_play_whose_side_leaves_for_good_is_on_the_desk_until_it_ends(
    event, draw, club, actor, how, walkover, browser
):
    game, group = games_of(draw)[0], group_at(draw, 1)
    play_deals(game, actor, 1)
    remove_side(event=event, entry=side_at(draw, 1, 0)[0], how=how, by=actor)
    step = next(step for step in browser.get(event.get_desk_url()).context["tasks"] if "1" in step.title)
    addresses = [action.address.split("?")[0] for action in step.actions]
    expected = [reverse("game_end", args=[club.slug, game.pk])]
    if walkover:
        expected.append(reverse("walkover", args=[club.slug, event.slug, group.pk]))
    assert addresses == expected
    browser.post(addresses[0], {"reason": "they have left"})
    game.refresh_from_db()
    assert game.state == Game.State.OVER
    left = browser.get(event.get_desk_url()).context["tasks"]
    assert not {addresses[0]} & {action.address.split("?")[0] for step in left for action in step.actions}
