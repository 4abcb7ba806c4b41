"""Winners: the first three places and what put them there, the best game, and nobody first before the first deal."""

from random import Random

import pytest
from django.utils.translation import override

from lab.simulation.deals import true_deal
from scoring.models import Deal, Game
from tests.pages import page_of
from tests.scoring.conftest import correct
from tests.tournaments.nights import arrive, make_night, play_deals, play_night, publish_next
from tournaments.documents.sheets import list_pages, result_sheet
from tournaments.models import Event
from tournaments.standings.presentation import high_game, leaders, notes_of, podium_of, standings_shown, won_by
from tournaments.standings.results import rounds_chart, standings_by_round, standings_view
from tournaments.standings.standings import GameRow, Row, game_rows, standings_of


def row(entry, place, points, *, shared=False, by="", **more):
    return Row(
        entry,
        number=entry,
        name=f"Player {entry}",
        place=place,
        shared=shared,
        points=points,
        games_won="1",
        games_played=2,
        sets=0,
        separated_by=by,
        **more,
    )


def played(event, by, people):
    """A night of three rounds, closed."""
    play_night(event, by, people, rounds=3)
    event.refresh_from_db()
    return event


def test_each_winner_is_told_with_what_put_them_there():
    rows = [row(1, 1, 90, by="points"), row(2, 2, 60, by="games-won"), row(3, 3, 60, by="points"), row(4, 4, 59)]
    assert [(one["row"].place_words, one["words"]) for one in podium_of(rows)] == [
        ("1", "Ahead of Player 2 by 30 points."),
        ("2", "Ahead of Player 3 by this: games won."),
        ("3", "Ahead of Player 4 by 1 point."),
    ]


def test_the_standings_name_what_decides_where_no_column_shows_it(club, rules_for):
    rows = [
        row(1, 1, 60, shared=True),
        row(2, 1, 60, shared=True, by="best-game"),
        row(3, 3, 60, by="points"),
        row(4, 4, 50),
    ]
    event = make_night(club, rules_for("st-hilary-v3"))
    for sort in ("", "name", "-points"):
        notes = {line.entry: notes for line, notes, _beside in standings_shown(event, rows, sort=sort)["lines"]}
        assert [len(notes[entry]) for entry in (1, 2, 3, 4)] == [0, 1, 0, 0]
        assert "Player 3" in notes[2][0]


def test_those_who_share_a_place_are_all_winners():
    rows = [row(1, 1, 60, shared=True), row(2, 1, 60, shared=True, by="points"), row(3, 3, 50)]
    assert [one["row"].place_words for one in podium_of(rows)] == ["1=", "1=", "3"]
    assert {one["words"] for one in podium_of(rows)[:2]} == {
        "Equal in everything that decides places: the place is shared."
    }


def test_nobody_wins_alone_or_where_all_are_level_or_too_many_are():
    assert podium_of([row(1, 1, 60)]) == []
    assert podium_of([row(n, 1, 0, shared=True) for n in range(1, 4)]) == []
    assert leaders([row(n, 1, 0, shared=True) for n in range(1, 8)]) == ()


def test_who_is_out_of_the_order_is_no_winner():
    rows = [row(1, 1, 60, by="points"), row(2, 2, 50), row(3, 3, 99, disqualified="left the table")]
    assert [one["row"].entry for one in podium_of(rows)] == [1, 2]


def test_the_best_game_is_that_of_a_side_in_a_finished_game():
    def game(entry, number, side, points, state=Game.State.OVER):
        return GameRow(entry, number, 1, 1, side, points, 0, 0, 4, state)

    rows = [row(n, n, 0) for n in range(1, 5)]
    played = [game(1, 1, 0, 80), game(2, 1, 0, 80), game(3, 1, 1, 20), game(4, 2, 0, 500, Game.State.OPEN)]
    best = high_game(played, rows)
    assert (best["points"], best["names"]) == (80, ["Player 1", "Player 2"])
    lowest = high_game(played, rows, lowest_wins=True)
    assert lowest["names"] == ["Player 3"]
    assert high_game([], rows) is None


def test_after_each_round_places_are_those_of_the_standings_then(event, actor):
    play_night(event, actor, 9, rounds=3)
    stage = event.stages.get()
    by_round = standings_by_round(stage)
    assert [number for number, _now in by_round] == [1, 2, 3]
    for number, now in by_round:
        assert now.rows == standings_of(stage, before=number + 1).rows
    final = standings_of(stage).rows
    chart = rounds_chart(by_round, final)
    for (one, words), line in zip(chart.rows, final, strict=False):
        assert one.name == line.name
        assert words == tuple(
            next((str(r.place) for r in now.rows if r.entry == line.entry), "") for _n, now in by_round
        )


def test_a_picture_of_the_first_alone_says_of_how_many(club, actor, rules_for, client_of):
    event = played(make_night(club, rules_for("st-hilary-v3")), actor, 16)
    assert "Places after each round: the first 5 of 16" in page_of(client_of(None).get(event.get_absolute_url()))
    sheet = result_sheet(event)
    assert sheet is not None
    (page,) = list_pages(sheet, "A4").documents
    assert "Places after each round: the first 5 of 16" in " ".join(page.split())


def test_the_result_shows_winners_and_paper_writes_places_as_the_screen(club, actor, rules_for, client_of):
    event = played(make_night(club, rules_for("st-hilary-v3")), actor, 8)
    view = standings_view(event)
    page = client_of(None).get(event.get_absolute_url()).content.decode()
    assert '<ol class="podium"' in page
    assert "Best game: " in page
    assert "Places after each round" in page
    sheet = result_sheet(event)
    assert [line["place"] for line in sheet["rows"]] == [line.place_words for line in view.rows]
    best = max(one.points for one in game_rows(view.stage))
    assert f"Best game: {best}," in page

    deal = Deal.objects.select_related("game__rules").order_by("pk")[0]
    now = deal.game.rules.family.read(deal.versions.get().facts)
    other = next(
        facts
        for seed in range(99)
        if (facts := true_deal(deal.game.rules.family, Random(seed), deal.game.engine_rules, deals_before=0)) != now
    )
    correct(deal, other, by=actor)
    assert "Best game: " not in client_of(None).get(event.get_absolute_url()).content.decode()
    assert won_by(standings_view(event))["high"] is None
    sheet = result_sheet(event)
    assert sheet["best_game"] == ""


def test_nobody_is_first_before_the_first_deal(event, actor, client_of):
    arrive(event, actor, 4)
    draw = publish_next(event, actor)
    for address in (event.get_absolute_url(), event.get_absolute_url() + "?sort=name"):
        page = client_of(None).get(address).content.decode()
        assert "Player 01" in page
        assert "1=" not in page
    play_deals(Game.objects.get(group_game__group__table__draw=draw), actor)
    assert "1=" in client_of(None).get(event.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("format", "english", "spanish"),
    [(Event.Format.ROTATION, "left early", "se fue antes"), (Event.Format.CONTEST, "withdrawn", "se ha retirado")],
)
def test_who_goes_home_from_a_club_night_has_not_withdrawn(rules_for, format, english, spanish):
    event = Event(format=format, rules=rules_for("st-hilary-v3"))
    gone = row(1, 1, 10, withdrawn=True)
    with override("en"):
        assert notes_of(gone, event) == [english]
    with override("es"):
        assert notes_of(gone, event) == [spanish]
