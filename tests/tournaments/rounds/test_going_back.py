"""Going backward is as safe as going forward: what is published again, and what is corrected under it."""

from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.cards.deals import correct_deal, end_game
from scoring.engine.core.ruleset import Shape
from scoring.engine.points_only import PointsDeal
from scoring.families.deal_form import EnteredDeal
from scoring.models import Deal, Game
from tests.kept import made_once
from tests.scoring.conftest import a_deal, as_typed
from tests.tournaments import contests
from tests.tournaments.contests import contest, cut_stage, deal, drawn, enter, play, played_contest, stage_of
from tests.tournaments.draws.test_by_format import make_event
from tests.tournaments.nights import arrive, drafted, games_of, play_deals, play_round, publish_next, seated
from tournaments.cuts.cuts import propose, take_back_cut
from tournaments.draws.changes import fill_with_stand_ins
from tournaments.draws.making import DrawOptions, make_draw, why_stale
from tournaments.entries.actions import add_entry, call_up_reserve, change_entry, return_entry, withdraw
from tournaments.errors import StepRefused
from tournaments.events import state
from tournaments.events.stages import StageFacts, change_stage
from tournaments.models import Draw, Entry, Seat
from tournaments.rounds import attendance, publishing
from tournaments.rounds.publishing import publish_draw, take_back_draw
from tournaments.standings import results as standings_results
from tournaments.standings.standings import standings_of

AGAIN = "Make the draw again"


def correct(one, by, points):
    seen = one.versions.get(current=True).number
    correct_deal(
        deal=one,
        entered=EnteredDeal(PointsDeal(points=points), sure=True),
        by=by,
        submission=uuid4(),
        seen=seen,
        reason="misread",
    )


def let_win(entry, by):
    """Correct the first deal of the entry's group in the first stage so that the entry wins the group."""
    one = Deal.objects.get(
        game__group_game__group__seats__entry=entry, game__group_game__group__table__draw__round__stage__number=1
    )
    seats = Seat.objects.filter(group__games__game__deals=one).order_by("side")
    correct(one, by, tuple(2000 if seat.entry_id == entry.pk else 0 for seat in seats))


# --- A draw is compared with what it rests on whenever it is published --------------------------------------------


def test_an_old_draw_cannot_seat_who_is_not_through_any_more(club, actor, browser):
    event = played_contest(club, actor)
    cut = cut_stage(event, actor)
    old = drawn(stage_of(event, 2), actor)
    take_back_draw(draw=old, by=actor)
    take_back_cut(cut=cut, by=actor)
    through = {line.entry_id for line in cut.lines.all() if line.advances}
    loser = event.entries.exclude(pk__in=through).order_by("number")[0]
    let_win(loser, actor)
    cut = cut_stage(event, actor)
    assert cut.lines.get(entry=loser).advances
    with pytest.raises(StepRefused, match=f"no longer plays.*{loser.name} came after.*{AGAIN}"):
        publish_draw(draw=old, by=actor)
    page = browser.get(reverse("draw_step", args=[club.slug, event.slug, old.pk])).content.decode()
    assert "This draw is out of date" in page
    assert "Publish it again" not in page


def test_an_old_draw_comes_back_while_the_same_people_are_through(club, actor):
    event = played_contest(club, actor)
    cut = cut_stage(event, actor)
    old = drawn(stage_of(event, 2), actor)
    play(old, actor, contests.by_number)
    take_back_draw(draw=old, by=actor)
    take_back_cut(cut=cut, by=actor)
    cut_stage(event, actor)
    publish_draw(draw=old, by=actor)
    assert standings_of(stage_of(event, 2)).deals == 6


def test_an_old_draw_of_the_first_stage_knows_the_reserve_who_was_called_up(club, actor):
    event = contest(club, actor)
    enter(event, actor)
    reserve = add_entry(event=event, name="Zora Neale", by=actor)
    old = drawn(stage_of(event, 1), actor)
    take_back_draw(draw=old, by=actor)
    gone = old.seats.select_related("entry")[0].entry
    withdraw(entry=gone, by=actor)
    call_up_reserve(entry=reserve, by=actor)
    with pytest.raises(StepRefused, match=f"{gone.name} no longer plays. Zora Neale came after.*{AGAIN}"):
        publish_draw(draw=old, by=actor)


def test_an_old_draw_of_a_stage_does_not_outlast_another_draw_of_the_stage_before(club, actor):
    event = played_contest(club, actor)
    cut = cut_stage(event, actor)
    semi = drawn(stage_of(event, 2), actor)
    take_back_draw(draw=semi, by=actor)
    take_back_cut(cut=cut, by=actor)
    take_back_draw(draw=Draw.objects.get(round__stage=stage_of(event, 1), state="published"), by=actor)
    anew = publish_draw(
        draw=make_draw(stage=stage_of(event, 1), by=actor, seen=1, options=DrawOptions(seed=8)), by=actor
    )
    through = {line.entry_id for line in cut.lines.all() if line.advances}
    play(anew, actor, lambda entry: 3000 - entry.number if entry.pk in through else 1)
    change_stage(
        stage=stage_of(event, 1), by=actor, facts=StageFacts(name="First", games=1, cut_rule="overall", advance=18)
    )
    cut_stage(event, actor)
    with pytest.raises(StepRefused, match="An earlier stage has been drawn again"):
        publish_draw(draw=semi, by=actor)


def test_an_old_round_of_a_night_does_not_outlast_another_round_before_it(event, actor):
    first = seated(event, actor, 8)
    play_round(first, actor)
    second = publish_next(event, actor)
    publishing.take_back_draw(draw=second, by=actor)
    publishing.take_back_draw(draw=first, by=actor)
    attendance.arrive(event=event, by=actor, name="Late Lou")
    anew = publish_next(event, actor, seed=8)
    play_round(anew, actor)
    with pytest.raises(StepRefused, match=r"Late Lou came after.*The rounds before it have changed"):
        publishing.publish_draw(draw=second, by=actor)
    publishing.take_back_draw(draw=anew, by=actor)
    publishing.publish_draw(draw=first, by=actor)  # it was played: who came later has missed it
    assert standings_of(state.night_stage(event)).deals == 2


@pytest.fixture
def knock_out(club, actor):
    """A knock-out of eight, each for themselves, with points-only cards; its first round played, the lower seed out."""

    def build():
        one_bracket = {"consolation": False, "third": False}
        event = make_event(club, actor, "knock-out", people=8, game="points-only", shape=Shape(2), **one_bracket)
        decide(publish_next(event, actor), actor)
        return event

    return made_once("knock-out after its first round", build)


def decide(draw, by):
    """Every table of a round is won by its first side, and the round is closed."""
    for game in games_of(draw):
        deal(game, by, [10, 5])
        end_game(game=game, by=by, reason="time")
    publishing.close_round(round=draw.round, by=by, end_open=False)


def test_a_round_of_a_knock_out_comes_back_until_a_result_before_it_is_corrected(knock_out, actor):
    second = publish_next(knock_out, actor)
    publishing.take_back_draw(draw=second, by=actor)
    assert why_stale(second) == ""
    publishing.publish_draw(draw=second, by=actor)
    publishing.take_back_draw(draw=second, by=actor)
    correct(Deal.objects.order_by("pk")[0], actor, (5, 10))
    with pytest.raises(StepRefused, match=f"corrected since.*{AGAIN}"):
        publishing.publish_draw(draw=second, by=actor)


def correction_of(points):
    """The form of a deal's page, with these points of its sides typed in."""
    typed = {"number": "1", "submission": str(uuid4()), "seen": "1", "reason": "misread"}
    return typed | {f"points_{side}": own for side, own in enumerate(points)}


# --- A correction under a published round -------------------------------------------------------------------------


def test_a_correction_that_changes_who_plays_on_shows_it_and_asks(knock_out, club, actor, browser):
    second = publish_next(knock_out, actor)
    one = Deal.objects.order_by("pk")[0]
    loser, winner = (str(side) for side in one.game.sides.order_by("total"))
    url = reverse("deal", args=[club.slug, one.pk])
    typed = correction_of(points=("5", "10"))
    asked = browser.post(url, typed)
    said = asked.content.decode()
    assert asked.status_code == 422
    assert f"{winner}: at a table, but out by those results." in said
    assert f"{loser}: should be playing by those results." in said
    assert one.versions.count() == 1
    browser.post(url, typed | {"sure": "on"})
    assert one.versions.count() == 2
    desk = browser.get(knock_out.get_desk_url()).content.decode()
    assert f"{winner}: at a table, but out by those results." in desk
    decide(second, actor)
    with pytest.raises(StepRefused, match="Round 2 no longer follows from the results"):
        drafted(knock_out, actor)
    with pytest.raises(StepRefused, match="Round 2 no longer follows from the results"):
        standings_results.publish_result(event=knock_out, by=actor)
    publishing.take_back_draw(draw=second, by=actor)
    assert "doesn't follow" not in browser.get(knock_out.get_desk_url()).content.decode()
    again = publish_next(knock_out, actor)
    assert loser in {seat.entry.name for seat in again.seats.select_related("entry")}


def test_a_void_deal_that_changes_who_plays_on_is_asked_about(knock_out, club, actor, browser):
    publish_next(knock_out, actor)
    one = Deal.objects.order_by("pk")[0]
    url = reverse("deal_mark", args=[club.slug, one.pk])
    typed = {"state": "void", "seen": "1", "submission": str(uuid4()), "reason": "dealt badly"}
    asked = browser.post(url, typed)
    assert asked.status_code == 422
    assert "Not done yet" in asked.content.decode()
    assert 'value="dealt badly"' in asked.content.decode()
    assert one.versions.count() == 1
    browser.post(url, typed | {"sure": "1"})
    assert one.versions.get(current=True).state == "void"


def test_a_game_opened_again_under_the_next_round_is_named_on_the_desk(knock_out, club, actor, browser):
    publish_next(knock_out, actor)
    game = Game.objects.order_by("pk")[0]
    url, typed = reverse("game_end", args=[club.slug, game.pk]), {"reason": "they play on"}
    asked = browser.post(url, typed)
    assert asked.status_code == 422
    assert "Table 1 of round 1 has no result" in asked.content.decode()
    game.refresh_from_db()
    assert game.state == Game.State.OVER
    browser.post(url, typed | {"sure": "1"})
    game.refresh_from_db()
    assert game.state == Game.State.OPEN
    assert "Table 1 of round 1 has no result" in browser.get(knock_out.get_desk_url()).content.decode()
    end_game(game=game, by=actor, reason="it stood")
    assert "has no result" not in browser.get(knock_out.get_desk_url()).content.decode()


def test_a_correction_that_changes_who_goes_on_shows_it_and_asks(club, actor, browser):
    event = played_contest(club, actor)
    cut = cut_stage(event, actor)
    out = cut.lines.filter(advances=False).order_by("-order")[0].entry
    one = Deal.objects.get(game__group_game__group__seats__entry=out)
    seats = list(Seat.objects.filter(group__games__game__deals=one).order_by("side"))
    url = reverse("deal", args=[club.slug, one.pk])
    typed = correction_of(points=["900" if seat.entry_id == out.pk else "1" for seat in seats])
    asked = browser.post(url, typed)
    assert asked.status_code == 422
    assert f"{out.name} would go on" in asked.content.decode()
    assert one.versions.count() == 1


# --- Who has a seat -----------------------------------------------------------------------------------------------


def test_who_comes_after_the_draw_is_a_reserve(club, actor):
    event = contest(club, actor, places=60)
    people = enter(event, actor)
    withdraw(entry=people[0], by=actor)
    withdraw(entry=people[1], by=actor)
    withdraw(entry=people[2], by=actor)
    drawn(stage_of(event, 1), actor)
    late = add_entry(event=event, name="Zora Neale", by=actor)
    assert late.state == Entry.State.RESERVE
    assert return_entry(entry=people[0], by=actor).state == Entry.State.RESERVE
    with pytest.raises(StepRefused, match="has no seat"):
        call_up_reserve(entry=late, by=actor)


def test_a_finalist_who_is_barred_after_the_cut_is_named_on_the_desk(club, actor, browser):
    event = played_contest(club, actor)
    cut = cut_stage(event, actor)
    barred = cut.lines.filter(advances=True)[3].entry
    said = f"{barred.name} is in the published cut, but may no longer play"
    assert said not in browser.get(event.get_desk_url()).content.decode()
    change_entry(entry=barred, by=actor, name=barred.name, member=None, eligible=False, note="plays for another club")
    for _before_and_after in range(2):
        page = browser.get(event.get_desk_url()).content.decode()
        assert said in page
        assert "plays for another club" in page
        if not Draw.objects.filter(round__stage__number=2).exists():
            drawn(stage_of(event, 2), actor)
    withdraw(entry=barred, by=actor)
    assert said not in browser.get(event.get_desk_url()).content.decode()


def test_a_finalist_who_comes_back_after_the_draw_is_named_on_the_desk(club, actor, browser):
    event = contest(club, actor, places=21)
    enter(event, actor, contests.NAMES[:21])
    play(drawn(stage_of(event, 1), actor), actor, contests.by_number)
    gone = cut_stage(event, actor).lines.filter(advances=True)[0].entry
    withdraw(entry=gone, by=actor)
    second = stage_of(event, 2)
    fill_with_stand_ins(stage=second, by=actor)
    draw = drawn(second, actor)
    return_entry(entry=gone, by=actor)
    said = f"{gone.name} plays on but has no seat in the draw"
    assert said in browser.get(event.get_desk_url()).content.decode()
    play(draw, actor, contests.by_number)
    if second.cut_rule:
        cut_stage(event, actor, 2)
        assert said in browser.get(event.get_desk_url()).content.decode()
    withdraw(entry=gone, by=actor)
    assert said not in browser.get(event.get_desk_url()).content.decode()


# --- A rule that fits its groups ----------------------------------------------------------------------------------


def test_a_rule_that_does_not_fit_the_groups_is_refused_when_it_is_set(club, actor):
    event = contest(club, actor)

    def set_rule(**fields):
        change_stage(stage=stage_of(event, 1), by=actor, facts=StageFacts(name="First", games=1, **fields))

    with pytest.raises(StepRefused, match="Each of 18 groups or tables would send somebody on, but only 4 go on"):
        set_rule(cut_rule="group", advance=4)
    with pytest.raises(StepRefused, match="only 8 go on"):
        set_rule(cut_rule="table", advance=18, wild_cards=10)
    set_rule(cut_rule="table", advance=9)
    set_rule(cut_rule="overall", advance=4)


def test_a_rule_that_does_not_fit_those_who_came_is_refused_before_they_sit(club, actor):
    event = contest(club, actor, places=27)
    change_stage(
        stage=stage_of(event, 1), by=actor, facts=StageFacts(name="First", games=1, cut_rule="group", advance=9)
    )
    event.places = 54  # ten more tables were found, and the plan was left as it was
    event.save()
    enter(event, actor)
    with pytest.raises(StepRefused, match="Each of 18 groups or tables would send somebody on, but only 9 go on"):
        make_draw(stage=stage_of(event, 1), by=actor, seen=0, options=DrawOptions(seed=1))


# --- Pages and cards of a draw that is taken back -------------------------------------------------------------------


COUNTS_NOT = "This card doesn't count now"


@pytest.fixture
def friday(event, actor):
    """A night of eight."""
    arrive(event, actor, 8)
    return event


def test_a_card_of_a_draw_taken_back_says_that_it_counts_nowhere(friday, actor, client_of, scorekeeper):
    draw = publish_next(friday, actor)
    game, browser = games_of(draw)[0], client_of(scorekeeper)
    assert COUNTS_NOT not in browser.get(game.get_absolute_url()).content.decode()
    publishing.take_back_draw(draw=draw, by=actor)
    page = browser.post(game.get_absolute_url(), as_typed(a_deal()), follow=True).content.decode()
    assert COUNTS_NOT in page
    assert "Deal 1 is recorded" in page
    assert Deal.objects.filter(game=game).count() == 1
    publishing.publish_draw(draw=draw, by=actor)
    assert COUNTS_NOT not in browser.get(game.get_absolute_url()).content.decode()
    assert standings_of(state.night_stage(friday)).deals == 1


@pytest.mark.parametrize("deals", [0, 1])
def test_a_round_comes_back_without_somebody_who_has_gone_home_only_where_it_was_played(friday, actor, deals):
    draw = publish_next(friday, actor)
    play_deals(games_of(draw)[0], actor, deals=deals)
    attendance.leave(entry=draw.seats.first().entry, by=actor)
    publishing.take_back_draw(draw=draw, by=actor)
    if deals:
        publishing.publish_draw(draw=draw, by=actor)
        assert standings_of(state.night_stage(friday)).deals == 1
    else:
        with pytest.raises(StepRefused, match="left after this draw was made"):
            publishing.publish_draw(draw=draw, by=actor)


def test_a_stage_that_was_played_comes_back_though_somebody_has_withdrawn(club, actor):
    event = contests.played_contest(club, actor)
    draw = Draw.objects.get(round__stage__event=event)
    withdraw(entry=draw.seats.first().entry, by=actor)
    take_back_draw(draw=draw, by=actor)
    assert standings_of(contests.stage_of(event, 1)).deals == 0
    with pytest.raises(StepRefused, match="isn't drawn"):
        propose(stage_of(event, 1))
    publish_draw(draw=draw, by=actor)
    assert standings_of(contests.stage_of(event, 1)).deals == 18


@pytest.mark.daily(2)
@pytest.mark.parametrize("page", ["", "keying/", "keying/second/"])
def test_a_page_of_a_round_taken_back_leads_to_the_desk(friday, actor, client_of, director, scorekeeper, page):
    """As the browser's Back opens it, or a scorekeeper who had it open: it was "no such page, or mistyped"."""
    address = f"/st-hilary/desk/friday/rounds/1/{page}"
    assert client_of(director).get(address).status_code == 404  # there was none yet
    draw = publish_next(friday, actor)
    publishing.take_back_draw(draw=draw, by=actor)
    for user in (director, scorekeeper):
        answer = client_of(user).get(address, follow=True)
        assert answer.redirect_chain == [("/st-hilary/desk/friday/", 302)]
        assert "The draw of Round 1 was taken back." in answer.content.decode()
    if page:
        assert client_of(scorekeeper).post(address, {"game": games_of(draw)[0].pk}).status_code == 404
    else:
        told = client_of(director).post(address, {"step": "close", "games": "open"}, follow=True)
        assert "The draw of Round 1 was taken back." in told.content.decode()
    publishing.publish_draw(draw=draw, by=actor)
    if page != "keying/second/":
        assert client_of(scorekeeper).get(address).status_code == 200
