"""An event as a file: out of one club and into another, where everything comes out the same, once."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import JSONField

from clubsite.accounts.models import Club, LogEntry, Member
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import adopt
from scoring.models import DealVersion
from tests.pages import page_of
from tests.tournaments.contests import NAMES, by_number, drawn, play, stage_of
from tests.tournaments.cuts.test_cuts import event, level, published
from tests.tournaments.draws.test_by_format import make_event
from tests.tournaments.nights import arrive, drafted, make_members, make_night, play_night, play_round
from tests.tournaments.results import make_season
from tests.tournaments.standings.test_lowest_wins import lowest_of
from tournaments.cuts.cuts import describe_cut, propose, publish_cut, record_play_off
from tournaments.cuts.reserves import next_in_line, replace_finalist
from tournaments.engine.prizes import Prize
from tournaments.engine.season import Opening, SeasonRule
from tournaments.entries.actions import withdraw
from tournaments.entries.partners import join_rest
from tournaments.errors import StepRefused
from tournaments.event_files import (
    FIELDS_NAMING_ENTRIES,
    ROWS,
    event_ids,
    export_event,
    import_club,
    import_event,
    read_file,
)
from tournaments.members.erasing import erase
from tournaments.models import Adjustment, Cut, Event, PublishedPrizes, PublishedStandings, Seat
from tournaments.opening_points import record_openings
from tournaments.prizes.actions import (
    draw_prize_lots,
    plan_prizes,
    prize_plan,
    prize_rows,
    propose_prizes,
    publish_prizes,
    published_lines,
)
from tournaments.rounds.publishing import publish_draw
from tournaments.rulings.actions import adjust_points
from tournaments.seasons.actions import Assignment, assign_members, change_rule, season_terms
from tournaments.seasons.table import season_tables
from tournaments.standings.results import publish_result

__all__ = ["event", "level"]  # fixtures
IN = "/harbour/desk/new/file/"


@pytest.fixture
def contest(event, level, actor):
    """A competition to its end: a deal corrected, a play-off, a finalist replaced, a penalty, prizes with lots."""
    first = stage_of(event, 1)
    for entry in event.entries.all():
        entry.member = Member.objects.create(club=event.club, name=entry.name, classes="Ladies" * (entry.number % 2))
        entry.save()
    record_play_off(stage=first, by=actor, points={level[0].pk: 20, level[1].pk: 21}, seen=0)
    published(event, actor)
    line = Cut.objects.filter(stage=first).latest("number").lines.filter(advances=True).first()
    reserve = event.entries.get(pk=next_in_line(line).entry)
    withdraw(entry=line.entry, by=actor, reason="ill")
    replace_finalist(entry=line.entry, reserve=reserve, by=actor)
    for number in (2, 3):
        play(drawn(stage_of(event, number), actor), actor, by_number)
        if number == 2:
            stage = stage_of(event, 2)
            publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)
    last = stage_of(event, 3)
    penalty = Adjustment(entry=event.entries.filter(seats__draw__round__stage=last).last(), points=-5, reason="late")
    adjust_points(stage=last, facts=penalty, by=actor, submission=uuid4())
    event.refresh_from_db()
    publish_result(event=event, by=actor)
    event.refresh_from_db()
    prizes = [Prize("place", 1, 50), Prize("door", what="a cake"), Prize("place", 1, 30, group="Ladies")]
    plan_prizes(event=event, by=actor, prizes=prizes, ties="share", one_each=True)
    draw_prize_lots(event=event, by=actor, seen=0)
    publish_prizes(event=event, by=actor, fingerprint=propose_prizes(event, prize_plan(event)).fingerprint)
    event.refresh_from_db()
    return event


def told(event):
    """All that pages say of an event: standings, each cut with its reasons, results, prizes, seats."""
    cuts = Cut.objects.filter(stage__event=event).order_by("pk").prefetch_related("lines__entry")
    results = PublishedStandings.objects.filter(event=event).order_by("pk")
    prizes = PublishedPrizes.objects.filter(event=event).select_related("standings__stage").order_by("pk")
    return {
        "standings": json.loads(export_event(event))["data"]["standings"],
        "cuts": [[(words["name"], words["reason"]) for words in describe_cut(cut)] for cut in cuts],
        "results": [[(row["name"], row["place"], row["points"], row["adjusted"]) for row in r.rows] for r in results],
        "prizes": [
            [
                (line["title"], line["names"], line["gets"], line["notes"])
                for line in prize_rows(published_lines(one), "USD")
            ]
            for one in prizes
        ],
        "seats": list(
            Seat.objects.filter(draw__round__stage__event=event)
            .order_by("pk")
            .values_list("entry__name", "group__table__number", "side", "draw__number", "draw__published_at")
        ),
        "deals": list(
            DealVersion.objects.filter(deal__game__group_game__group__table__draw__round__stage__event=event)
            .order_by("pk")
            .values_list("number", "facts", "reason", "current", "at", "actor")
        ),
    }


def pages_of(browser, event):
    """Public pages and those of the desk, without what differs: addresses, club, keys."""
    desk, public = event.get_desk_url(), event.get_absolute_url()
    pages = [public, f"{public}seats/", f"{desk}result/", f"{desk}prizes/"]  # who did it has no log-in there
    pages += [f"{desk}stages/{number}/cut/" for number in (1, 2)]
    answers = [browser.get(url, follow=True) for url in pages]
    assert {answer.status_code for answer in answers} == {200}
    texts = [page_of(answer) for answer in answers]
    texts = [text.replace(f"/{event.club.slug}/", "/").replace(f"({event.club.name})", "") for text in texts]
    return [re.sub(r"<[^>]*>", " ", text[text.index("<main") : text.index("</main")]) for text in texts]


@pytest.mark.daily(1)
@pytest.mark.parametrize("known", [0, 27])
def test_a_contest_comes_out_the_same_in_another_club_and_only_once(
    contest, other_club, director, stranger, client_of, known
):
    Member.objects.bulk_create(Member(club=other_club, name=name) for name in NAMES[:known])
    Club.objects.filter(pk=other_club.pk).update(time_zone=contest.club.time_zone)  # as pages name times
    there = client_of(stranger)
    raw = client_of(director).get(f"{contest.get_desk_url()}file/").content
    looked = there.post(IN, {"file": SimpleUploadedFile("spring.json", raw)})
    assert (len(looked.context["taken"]["new"]), len(looked.context["taken"]["here"])) == (54 - known, known)
    assert not other_club.events.exists()
    for _tap in range(2):
        there.post(IN, {"step": "take", "kept": looked.context["kept"], "name": "spring.json"}, follow=True)
    (made,) = other_club.events.all()
    for part, words in told(contest).items():
        assert told(made)[part] == words, part
    assert pages_of(there, made) == pages_of(client_of(director), contest)
    assert Member.objects.filter(club=other_club).count() == 54
    assert set(made.entries.filter(stands_in=None).values_list("member__club", flat=True)) == {other_club.pk}
    assert LogEntry.objects.filter(verb="event.import").count() == 1
    again = there.post(IN, {"file": SimpleUploadedFile("spring.json", export_event(made))})
    assert (again.context["taken"]["known"], again.context["taken"]["event"]) == (True, made)
    here = IN.replace("harbour", "st-hilary")
    home = client_of(director).post(here, {"file": SimpleUploadedFile("a.json", export_event(made))})
    assert home.context["taken"]["event"] == contest
    assert set(event_ids(contest.club).values()) == {contest.pk}


@pytest.mark.daily(2)
@pytest.mark.parametrize("format", ["rotation", "progressive", "swiss", "round-robin", "ladder", "knock-out"])
def test_an_event_that_is_on_goes_on_where_it_was(club, other_club, rules_for, actor, format):
    """The next draw of the same seed is the same too, whatever it rests on."""
    event = make_night(club, rules_for("st-hilary-v3"), format=format)
    arrive(event, actor, 16)
    if event.fixed_sides:
        join_rest(event=event, by=actor, seed=3)
    first = publish_draw(draw=drafted(event, actor, seed=5), by=actor)
    play_round(first, actor, deals=2)
    event.refresh_from_db()
    made = import_event(club=other_club, by=actor, content=read_file(export_event(event)))["event"]
    assert told(made) == told(event)
    seats = []
    for each in (event, made):
        draw = publish_draw(draw=drafted(each, actor, seed=9), by=actor)
        seats.append(list(draw.seats.order_by("pk").values_list("entry__name", "group__table__number", "side")))
    assert seats[0] == seats[1]


def test_damaged_foreign_newer_and_changed_files_are_refused(contest, other_club, stranger, client_of):
    raw = export_event(contest)
    whole = json.loads(raw)
    wrong = {
        "cut short": raw[:-100],
        "a bit other": raw.replace(b'"points": 999', b'"points": 998', 1),
        "foreign": b'{"games": []}',
        "no JSON": b"PK\x03\x04 a spreadsheet",
        "newer": json.dumps(whole | {"version": 2}).encode(),
    }
    assert wrong["a bit other"] != raw
    browser = client_of(stranger)
    for content in wrong.values():
        answer = browser.post(IN, {"file": SimpleUploadedFile("x.json", content)})
        assert (answer.status_code, len(answer.context["form"].errors["file"])) == (422, 1)
    assert not other_club.events.exists()


def test_an_event_whose_standings_come_out_otherwise_is_not_taken_in(contest, other_club, actor):
    content = read_file(export_event(contest))
    content["data"]["rows"]["Adjustment"] = []
    with pytest.raises(StepRefused):
        import_event(club=other_club, by=actor, content=content)
    del content["data"]["rows"]["Entry"]
    with pytest.raises(StepRefused):
        import_event(club=other_club, by=actor, content=content)
    assert not other_club.events.exists()
    assert not Member.objects.filter(club=other_club).exists()


def test_whatever_points_at_an_event_goes_along_or_is_known_to_stay():
    stays = {"SignUp", "Subscriber", "Letter", "MoneyLine", "DrawJob", "TableLink", "HandicapEntry", "Event"}
    stays |= {"CardPhoto", "PhotographedCard"}
    inside = {Event, *ROWS}
    pointing = {
        model.__name__
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model in inside and model not in ROWS
    }
    assert pointing <= stays
    others = {  # JSON that names no rows
        "Game": {"absent"},
        "Side": {"names"},
        "DealVersion": {"facts", "written", "written_sets", "overruled"},
        "KeyedAgain": {"facts", "written"},
        "Cut": {"tie_breaks"},
        "PrizePlan": {"prizes", "lots"},
        "PublishedPrizes": {"settled"},
    }
    for model in ROWS:
        in_json = {field.name for field in model._meta.concrete_fields if isinstance(field, JSONField)}
        assert in_json <= others.get(model.__name__, set()) | set(FIELDS_NAMING_ENTRIES.get(model, ())), model


def told_of_season(club):
    return [
        [(line.name, line.place, line.attended, line.total, line.team) for line in (*table.lines, *table.apart)]
        for table in season_tables(club.seasons.order_by("name"))
    ]


@pytest.mark.daily(1)
@pytest.mark.parametrize("known", [0, 3])
def test_a_whole_club_comes_out_the_same_and_only_once(
    club, other_club, rules_for, actor, director, stranger, client_of, known
):
    season = make_season(club)
    for n, slug in enumerate(["first", "second"]):
        night = make_night(club, rules_for("st-hilary-v3"), slug=slug, season=season, day=6 + n)
        play_night(night, actor, people=8, rounds=1, deals=2)
    one, two = make_members(club, 2)
    one.email, two.active = "one@example.org", False
    one.save()
    two.save()
    assign_members(
        season=season, assignments={one.pk: Assignment(team="Reds"), two.pk: Assignment(team="Blues")}, by=actor
    )
    opening = {one.pk: Opening(2, 900)}
    record_openings(season=season, by=actor, openings=opening, source="the paper book", submission=uuid4())
    terms = replace(season_terms(season), rule=SeasonRule("best", best=3))
    change_rule(season=season, terms=terms, by=actor, seen=None)
    for gone in Member.objects.filter(club=club).order_by("-pk")[:1]:  # who played, and belongs to a team
        assign_members(season=season, assignments={gone.pk: Assignment(team="Reds")}, by=actor)
        erase(member=gone, by=actor, typed=gone.name)
    make_members(other_club, known)
    there = client_of(stranger)
    raw = client_of(director).get("/st-hilary/desk/new/club.json").content
    looked = there.post(IN, {"file": SimpleUploadedFile("club.json", raw)})
    taken = looked.context["taken"]
    assert [len(taken[part]) for part in ("events", "seasons", "new", "here")] == [2, 1, 8 - known, known]
    assert not other_club.events.exists()
    for _tap in range(2):
        there.post(IN, {"step": "take", "kept": looked.context["kept"], "name": "club.json"}, follow=True)
    for own, made in zip(club.events.order_by("pk"), other_club.events.order_by("pk"), strict=True):
        assert told(made) == told(own)
    assert told_of_season(other_club) == told_of_season(club)
    assert Member.objects.filter(club=other_club).count() == 8
    if not known:
        facts = ("name", "email", "active", "initials_only", "erased_at")
        own, made = (Member.objects.filter(club=each).values_list(*facts) for each in (club, other_club))
        assert set(made) == set(own)
    broken = json.loads(raw)
    broken["data"]["seasons"][0]["table"] = []
    other_club.seasons.update(name="Another")
    with pytest.raises(StepRefused):
        import_club(club=other_club, by=actor, content=broken)
    assert other_club.seasons.count() == 1


def night_of(season, rules, slug="night", **more):
    return make_night(season.club, rules, slug=slug, season=season, **more)


def test_two_sites_that_begin_from_one_backup_know_their_events_apart(club, actor):
    night = make_event(club, actor, "rotation")
    content = read_file(export_event(night))
    assert UUID(content["id"]) in event_ids(club)
    (made,) = LogEntry.objects.filter(event=night.pk)
    LogEntry.objects.filter(pk=made.pk).update(at=made.at + timedelta(minutes=1))  # another night, of the same key
    assert UUID(content["id"]) not in event_ids(club)


def test_an_event_stays_known_when_another_club_goes(club, other_club, actor):
    LogEntry.objects.all().delete()
    LogEntry.objects.create(club=other_club, verb="members.add", actor="Dora", route="desk", subject="x")
    make_event(club, actor, "rotation")
    before = event_ids(club)
    other_club.delete()
    assert event_ids(club) == before


def test_the_season_that_an_event_counts_in_is_shown_or_missed(club, other_club, rules_for, actor, stranger, client_of):
    season, there = make_season(club), client_of(stranger)
    raw = export_event(night_of(season, rules_for("st-hilary-v3")))

    def looked():
        return there.post(IN, {"file": SimpleUploadedFile("a.json", raw)}).context["taken"]

    assert (looked()["season"], looked()["season_not_here"]) == (None, season.name)
    own = make_season(other_club)
    assert (looked()["season"], looked()["season_not_here"]) == (own, "")


def test_an_event_that_counts_the_other_way_isnt_taken_into_a_season(club, other_club, rules_for, actor):
    content = read_file(export_event(night_of(make_season(club), lowest_of(club, "points-only"))))
    most = adopt(club=other_club, rule_set=shipped()["st-hilary-v3"], by=actor)
    night_of(make_season(other_club), most)
    with pytest.raises(StepRefused):
        import_event(club=other_club, by=actor, content=content)
    assert other_club.events.count() == 1
