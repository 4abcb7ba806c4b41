"""Every document of a published version shows that version's figures, whatever is corrected afterwards."""

import re
from uuid import uuid4

from clubsite.accounts.languages import use_language
from clubsite.pdf.documents import Pages
from scoring.cards.deals import correct_deal
from scoring.engine.points_only import PointsDeal
from scoring.families.deal_form import EnteredDeal
from scoring.models import Deal
from tests.tournaments.contests import cut_stage, play_further_stages, played_contest
from tests.tournaments.nights import arrive, play_night
from tests.tournaments.standings.test_lowest_wins import event_of, play_round
from tournaments.cuts import cuts
from tournaments.documents.hall import certificate_pages
from tournaments.documents.record import event_record
from tournaments.documents.sheets import cut_sheet, list_pages, prize_sheet, result_sheet, standings_sheet
from tournaments.engine.prizes import Prize
from tournaments.entries import partners
from tournaments.models import Cut, Event, PublishedStandings, Stage
from tournaments.prizes.actions import draw_prize_lots, plan_prizes, prize_plan, propose_prizes, publish_prizes
from tournaments.rounds.publishing import take_back_draw
from tournaments.standings.results import publish_result, standings_view
from tournaments.standings.standings import match_of


def with_prizes(event, by):
    prizes = (Prize("place", 1, 2000), Prize("low", what="a lemon"), Prize("door", amount=500))
    plan_prizes(event=event, by=by, prizes=prizes, ties="share", one_each=True)
    draw_prize_lots(event=event, by=by, seen=0)
    proposal = propose_prizes(event, prize_plan(event))
    publish_prizes(event=event, by=by, fingerprint=proposal.fingerprint)


def documents_of(event):
    """Every document of a version of an event: what is on it, but when it was made."""
    with use_language(event.club):
        made = made_of(event)
    return {
        key: [re.sub(r'<i class="made">.*?</i>', "", html) for html in one.documents] if isinstance(one, Pages) else one
        for key, one in made.items()
    }


def made_of(event):
    made = {}
    for stage in Stage.objects.filter(event=event).select_related("event__rules", "event__club"):
        for cut in Cut.objects.filter(stage=stage).select_related("stage__event__club", "stage__event__rules"):
            made[f"cut {stage.number}.{cut.number}"] = list_pages(cut_sheet(stage, cut), "A4")
        for published in PublishedStandings.objects.filter(stage=stage):
            sheet = standings_sheet(stage, published)
            made[f"standings {stage.number}.{published.number}"] = list_pages(sheet, "A4")
    if sheet := result_sheet(event):
        made["result"] = [sheet[key] for key in ("rows", "parts", "net", "match", "winners")]
        made["certificates"] = certificate_pages(event, "A4")
    if sheet := prize_sheet(event):
        made["prizes"] = list_pages(sheet, "A4")
    record = {section["key"]: section["blocks"] for section in event_record(event)["sections"]}
    return made | {key: record[key] for key in ("cuts", "standings", "prizes")}


def correct(deal, by):
    """Give the last side of a points-only deal more than anybody has."""
    points = [*deal.versions.get(current=True).facts["points"]]
    points[-1] = 7777
    entered = EnteredDeal(PointsDeal(points=tuple(points)), sure=True)
    correct_deal(deal=deal, entered=entered, by=by, submission=uuid4(), seen=1, reason="misread")


def deals_of(event):
    return list(Deal.objects.filter(game__group_game__group__table__draw__round__stage__event=event))


def test_a_competition(club, actor):
    event = played_contest(club, actor)
    play_further_stages(event, actor)
    publish_result(event=event, by=actor)
    event.refresh_from_db()
    with_prizes(event, actor)
    before = documents_of(event)
    assert {"cut 1.1", "cut 2.1", "standings 3.1", "result", "certificates", "prizes"} <= before.keys()
    for deal in deals_of(event):
        correct(deal, actor)
    assert documents_of(event) == before


def test_a_cut_taken_back_with_its_draw(club, actor):
    event = played_contest(club, actor)
    cut = cut_stage(event, actor)
    stage = cut.stage
    figures = [cut_sheet(stage, cut)[key] for key in ("on", "out")]
    assert figures[0][0]["points"] == "999"
    cut = cuts.take_back_cut(cut=cut, by=actor)
    take_back_draw(draw=stage.rounds.get().draws.get(), by=actor)
    assert [cut_sheet(stage, cut)[key] for key in ("on", "out")] == figures


def test_a_match_between_clubs(club, actor):
    event = event_of(club, actor, Event.Format.TEAM_MATCH, options={"rounds": 2})
    arrive(event, actor, 8)
    people = list(event.entries.order_by("number"))
    for n, name in enumerate(["Elm Street", "Elm Street", "St. Ann", "St. Ann"]):
        partners.join_side(event=event, entries=people[2 * n : 2 * n + 2], by=actor, plays_for=name)
    for _round in range(2):
        play_round(event, actor, lambda entry: entry.number)
    publish_result(event=event, by=actor)
    event.refresh_from_db()
    before, view = documents_of(event), standings_view(event)
    state = match_of(event, view.rows)
    for deal in deals_of(event):
        correct(deal, actor)
    assert documents_of(event) == before
    view = standings_view(event)
    assert match_of(event, view.rows) == state


def test_a_picture_and_a_best_game_that_no_longer_agree_are_left_out(club, actor):
    event = event_of(club, actor, Event.Format.ROTATION)
    play_night(event, actor, 8, rounds=3)
    event.refresh_from_db()
    before = result_sheet(event)
    assert before["chart"]
    assert before["best_game"]
    for deal in deals_of(event):
        correct(deal, actor)
    after = result_sheet(event)
    assert (after["rows"], after["winners"]) == (before["rows"], before["winners"])
    assert (after["chart"], after["best_game"]) == (None, "")
