"""Going backward is as safe as going forward: what is published again, and what is corrected under it."""

from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.cards.deals import correct_deal, end_game
from scoring.engine.core.ruleset import Shape
from scoring.engine.points_only import PointsDeal
from scoring.families.deal_form import Entered
from scoring.models import Deal, Game
from tests.kept import made_once
from tests.tournaments import contests
from tests.tournaments.contests import contest, deal, drawn, enter, play, played_contest, stage_of
from tests.tournaments.nights import arrive, drafted, games_of, make_night, play_round, publish_next
from tournaments.cuts.cuts import propose, publish_cut, take_back_cut
from tournaments.draws.changes import fill_with_stand_ins
from tournaments.draws.making import DrawOptions, make_draw, why_stale
from tournaments.entries.actions import add_entry, call_up_reserve, change_entry, return_entry, withdraw
from tournaments.errors import StepRefused
from tournaments.events import state
from tournaments.events.actions import EventFacts, create_event, games_of as games_offered
from tournaments.events.stages import StageFacts, change_stage
from tournaments.models import Draw, Entry, Seat
from tournaments.rounds import attendance, publishing
from tournaments.rounds.publishing import publish_draw, take_back_draw
from tournaments.standings import results as standings_results
from tournaments.standings.standings import standings_of

AGAIN = "Make the draw again"


def published(event, by, number):
    stage = stage_of(event, number)
    return publish_cut(stage=stage, by=by, fingerprint=propose(stage).fingerprint)


def correct(one, by, points):
    seen = one.versions.get(current=True).number
    correct_deal(
        deal=one,
        entered=Entered(PointsDeal(points=points), sure=True),
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


def test_an_old_draw_cannot_seat_who_is_not_through_any_more(club, actor, director, client_of):
    event = played_contest(club, actor)
    cut = published(event, actor, 1)
    old = drawn(stage_of(event, 2), actor)
    take_back_draw(draw=old, by=actor)
    take_back_cut(cut=cut, by=actor)
    through = {line.entry_id for line in cut.lines.all() if line.advances}
    loser = event.entries.exclude(pk__in=through).order_by("number")[0]
    let_win(loser, actor)
    cut = published(event, actor, 1)
    assert cut.lines.get(entry=loser).advances
    with pytest.raises(StepRefused, match=f"no longer plays.*{loser.name} came after.*{AGAIN}"):
        publish_draw(draw=old, by=actor)
    page = client_of(director).get(reverse("draw_step", args=[club.slug, event.slug, old.pk])).content.decode()
    assert "This draw is out of date" in page
    assert "Publish it again" not in page


def test_an_old_draw_comes_back_while_the_same_people_are_through(club, actor):
    event = played_contest(club, actor)
    cut = published(event, actor, 1)
    old = drawn(stage_of(event, 2), actor)
    play(old, actor, contests.by_number)
    take_back_draw(draw=old, by=actor)
    take_back_cut(cut=cut, by=actor)
    published(event, actor, 1)
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
    cut = published(event, actor, 1)
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
    published(event, actor, 1)
    with pytest.raises(StepRefused, match="An earlier stage has been drawn again"):
        publish_draw(draw=semi, by=actor)


def test_an_old_round_of_a_night_does_not_outlast_another_round_before_it(club, actor, rules_for):
    event = make_night(club, rules_for("st-hilary-v3"))
    arrive(event, actor, 8)
    first = publish_next(event, actor)
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
    assert standings_of(state.stage_of(event)).deals == 2


@pytest.fixture
def knock_out(club, actor):
    """A knock-out of eight, each for themselves, with points-only cards; its first round played, the lower seed out."""

    def build():
        offered = next(game for game in games_offered(club) if game.slug == "points-only")
        options = {"consolation": False, "third": False}
        facts = EventFacts(name="Cup", game=offered, shape=Shape(2), starts_at=contests.WHEN, options=options)
        event = create_event(club=club, by=actor, format="knock-out", facts=facts)
        arrive(event, actor, 8)
        decide(next_round(event, actor), actor)
        return event

    return made_once("knock-out after its first round", build)


def next_round(event, by):
    return publishing.publish_draw(draw=drafted(event, by, seed=3), by=by)


def decide(draw, by):
    """Every table of a round is won by its first side, and the round is closed."""
    for game in games_of(draw):
        deal(game, by, [10, 5])
        end_game(game=game, by=by, reason="time")
    publishing.close_round(round=draw.round, by=by, end_open=False)


def test_an_old_round_of_a_knock_out_does_not_outlast_a_corrected_result(knock_out, actor):
    second = next_round(knock_out, actor)
    publishing.take_back_draw(draw=second, by=actor)
    correct(Deal.objects.order_by("pk")[0], actor, (5, 10))
    with pytest.raises(StepRefused, match=f"corrected since.*{AGAIN}"):
        publishing.publish_draw(draw=second, by=actor)


def test_a_taken_back_round_of_a_knock_out_comes_back_while_nothing_has_changed(knock_out, actor):
    second = next_round(knock_out, actor)
    publishing.take_back_draw(draw=second, by=actor)
    assert why_stale(second) == ""
    publishing.publish_draw(draw=second, by=actor)


def correction_of(points):
    """The form of a deal's page, with these points of its sides typed in."""
    typed = {"number": "1", "submission": str(uuid4()), "seen": "1", "reason": "misread"}
    return typed | {f"points_{side}": own for side, own in enumerate(points)}


# --- A correction under a published round -------------------------------------------------------------------------


def test_a_correction_that_changes_who_plays_on_shows_it_and_asks(knock_out, club, actor, director, client_of):
    second = next_round(knock_out, actor)
    one = Deal.objects.order_by("pk")[0]
    loser, winner = (str(side) for side in one.game.sides.order_by("total"))
    browser = client_of(director)
    url = reverse("deal", args=[club.slug, one.pk])
    typed = correction_of(points=("5", "10"))
    asked = browser.post(url, typed)
    said = asked.content.decode()
    assert asked.status_code == 422
    assert f"{winner}: at a table in it and out by those results." in said
    assert f"{loser}: to play in it by those results." in said
    assert one.versions.count() == 1
    browser.post(url, typed | {"sure": "on"})
    assert one.versions.count() == 2
    desk = browser.get(knock_out.get_desk_url()).content.decode()
    assert f"{winner}: at a table in it and out by those results." in desk
    decide(second, actor)
    with pytest.raises(StepRefused, match="Round 2 no longer follows from the results"):
        drafted(knock_out, actor)
    with pytest.raises(StepRefused, match="Round 2 no longer follows from the results"):
        standings_results.publish_result(event=knock_out, by=actor)
    publishing.take_back_draw(draw=second, by=actor)
    assert "doesn't follow" not in browser.get(knock_out.get_desk_url()).content.decode()
    again = next_round(knock_out, actor)
    assert loser in {seat.entry.name for seat in again.seats.select_related("entry")}


def test_a_void_deal_that_changes_who_plays_on_is_asked_about(knock_out, club, actor, director, client_of):
    next_round(knock_out, actor)
    one = Deal.objects.order_by("pk")[0]
    browser, url = client_of(director), reverse("deal_mark", args=[club.slug, one.pk])
    typed = {"state": "void", "seen": "1", "submission": str(uuid4()), "reason": "dealt badly"}
    asked = browser.post(url, typed)
    assert asked.status_code == 422
    assert "Not void yet" in asked.content.decode()
    assert 'value="dealt badly"' in asked.content.decode()
    assert one.versions.count() == 1
    browser.post(url, typed | {"sure": "1"})
    assert one.versions.get(current=True).state == "void"


def test_a_game_opened_again_under_the_next_round_is_named_on_the_desk(knock_out, club, actor, director, client_of):
    next_round(knock_out, actor)
    browser = client_of(director)
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


def test_a_correction_that_changes_who_goes_on_shows_it_and_asks(club, actor, director, client_of):
    event = played_contest(club, actor)
    cut = published(event, actor, 1)
    out = cut.lines.filter(advances=False).order_by("-order")[0].entry
    one = Deal.objects.get(game__group_game__group__seats__entry=out)
    seats = list(Seat.objects.filter(group__games__game__deals=one).order_by("side"))
    browser, url = client_of(director), reverse("deal", args=[club.slug, one.pk])
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
    with pytest.raises(StepRefused, match="has no seat to take"):
        call_up_reserve(entry=late, by=actor)


def test_a_finalist_who_is_barred_after_the_cut_is_named_on_the_desk(club, actor, director, client_of):
    event = played_contest(club, actor)
    cut = published(event, actor, 1)
    barred = cut.lines.filter(advances=True)[3].entry
    browser = client_of(director)
    said = f"{barred.name} goes on by the published cut, but may no longer play"
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


def test_a_finalist_who_comes_back_after_the_draw_is_named_on_the_desk(club, actor, director, client_of):
    event = contest(club, actor, places=21)
    enter(event, actor, contests.NAMES[:21])
    play(drawn(stage_of(event, 1), actor), actor, contests.by_number)
    gone = published(event, actor, 1).lines.filter(advances=True)[0].entry
    withdraw(entry=gone, by=actor)
    second = stage_of(event, 2)
    fill_with_stand_ins(stage=second, by=actor)
    draw = drawn(second, actor)
    return_entry(entry=gone, by=actor)
    browser, said = client_of(director), f"{gone.name} plays on, and has no seat in the draw"
    assert said in browser.get(event.get_desk_url()).content.decode()
    play(draw, actor, contests.by_number)
    if second.cut_rule:
        published(event, actor, 2)
        assert said in browser.get(event.get_desk_url()).content.decode()
    withdraw(entry=gone, by=actor)
    assert said not in browser.get(event.get_desk_url()).content.decode()


# --- A rule that fits its groups ----------------------------------------------------------------------------------


def test_a_rule_that_does_not_fit_the_groups_is_refused_when_it_is_set(club, actor):
    event = contest(club, actor)

    def set_rule(**fields):
        change_stage(stage=stage_of(event, 1), by=actor, facts=StageFacts(name="First", games=1, **fields))

    with pytest.raises(StepRefused, match="18 groups or tables would each send somebody on, and only 4 go on"):
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
    with pytest.raises(StepRefused, match="18 groups or tables would each send somebody on, and only 9 go on"):
        make_draw(stage=stage_of(event, 1), by=actor, seen=0, options=DrawOptions(seed=1))
