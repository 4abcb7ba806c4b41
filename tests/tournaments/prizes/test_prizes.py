"""Prizes on the desk and in public: planned, drawn by lot, published, corrected, taken back."""

import re
from hashlib import sha256

import pytest
from django.urls import reverse

from clubsite.accounts.models import Actor, LogEntry, Member, Role, User
from tests.pages import page_of
from tests.tournaments.contests import by_number, drawn, play, played_contest, stage_of
from tests.tournaments.draws.test_by_format import make_event
from tests.tournaments.nights import queries_of
from tests.tournaments.results import closed_night, make_season
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.documents.hall import certificate_pages
from tournaments.documents.sheets import prize_sheet
from tournaments.engine.prizes import Prize
from tournaments.errors import StepRefused
from tournaments.models import Event, PublishedStandings
from tournaments.money import prize_amounts
from tournaments.prizes import actions
from tournaments.prizes.actions import outdated_prizes, prize_plan, propose_prizes, published_lines, published_prizes
from tournaments.standings.results import publish_result, take_back_result

POINTS = {"Ann": 40, "Bob": 30, "Cal": 30, "Dee": 10}
HIGH, SECOND = Prize("place", 1, 2000), Prize("place", 2, 1000)
LOW, DOOR = Prize("low", what="a lemon"), Prize("door", amount=500)


@pytest.fixture
def event(club, rules_for):
    """A closed night of four, two of them level."""
    night = closed_night(make_season(club), rules_for("st-hilary-v3"), 6, POINTS)
    published = night.published_standings.get()
    for number, row in enumerate(published.rows, start=1):
        entry = night.entries.create(number=number, name=row["name"], member_id=row["member"])
        row["entry"] = entry.pk
    published.save()
    return night


def planned(event, by, *prizes, ties="share", one_each=True):
    return actions.plan_prizes(event=event, by=by, prizes=prizes, ties=ties, one_each=one_each)


def fingerprint(event):
    return propose_prizes(event, prize_plan(event)).fingerprint


def published(event, by, *prizes):
    """The prizes as they are planned, or these, published."""
    if prizes:
        planned(event, by, *prizes)
    return actions.publish_prizes(event=event, by=by, fingerprint=fingerprint(event))


def told(event):
    standing = published_prizes(event)
    assert standing is not None
    return [([one.name for one in line.winners], line.each) for line in published_lines(standing)]


def correct(event, **points):
    """The next version of the result, with other points."""
    last = event.published_standings.latest("number")
    rows = sorted(({**row, "points": points.get(row["name"], row["points"])} for row in last.rows), key=_best_first)
    every = [row["points"] for row in rows]
    for row in rows:
        row |= {"place": 1 + every.index(row["points"]), "shared": every.count(row["points"]) > 1}
    return PublishedStandings.objects.create(
        event=event, stage=last.stage, number=last.number + 1, rows=rows, final=True
    )


def _best_first(row):
    return -int(row["points"])


def test_the_places_of_the_result_win_and_the_level_share_in_one_version(event, actor):
    planned(event, actor, HIGH, SECOND, LOW)
    logged = LogEntry.objects.get(verb="prizes.plan").new["prizes"]
    assert logged == ["High $20.00", "Second $10.00", "Low a lemon"]
    assert published(event, actor) == published(event, actor)
    assert LogEntry.objects.filter(verb="prizes.publish").count() == 1
    assert told(event) == [(["Ann"], 2000), (["Bob", "Cal"], 500), (["Dee"], 0)]


def test_the_public_page_shows_them_once_they_are_published(event, actor, client_of, club):
    address = event.get_absolute_url()
    planned(event, actor, HIGH, LOW)
    assert "Prizes" not in page_of(client_of(None).get(address))
    published(event, actor)
    shown = page_of(client_of(None).get(address))
    assert "<h2>Prizes</h2>" in shown
    assert "$20.00" in shown
    assert "a lemon" in shown
    actions.take_back_prizes(event=event, by=actor, reason="wrong list")
    assert "a lemon" not in page_of(client_of(None).get(address))


def test_door_lots_are_drawn_once_and_anybody_can_check_them(event, actor, client_of):
    planned(event, actor, DOOR, HIGH)
    with pytest.raises(StepRefused, match="Draw the lots first"):
        published(event, actor)
    plan = actions.draw_prize_lots(event=event, by=actor, seen=0)
    assert actions.draw_prize_lots(event=event, by=actor, seen=0).lots == plan.lots  # the second tap
    with pytest.raises(StepRefused, match="No lots are needed"):
        actions.draw_prize_lots(event=event, by=actor, seen=1)
    published(event, actor)
    seed = plan.lots[0]["door"]
    lots = {e.name: sha256(f"{seed}:{e.number}".encode()).hexdigest()[:12] for e in event.entries.all()}
    lucky = min(lots, key=lambda name: lots[name])
    assert told(event)[0] == ([lucky], 500)
    assert told(event)[1] == (["Bob", "Cal"] if lucky == "Ann" else ["Ann"], 1000 if lucky == "Ann" else 2000)
    shown = page_of(client_of(None).get(event.get_absolute_url()))
    assert all(digits in shown for digits in lots.values())
    assert "each is the beginning of the SHA-256" in shown


def test_lots_are_set_aside_only_with_a_reason_that_is_shown(event, actor, client_of):
    planned(event, actor, DOOR)
    actions.draw_prize_lots(event=event, by=actor, seen=0)
    with pytest.raises(StepRefused, match="write the reason"):
        actions.set_lots_aside(event=event, by=actor, reason=" ", seen=1)
    actions.set_lots_aside(event=event, by=actor, reason="drawn before all had come", seen=1)
    with pytest.raises(StepRefused, match="no longer exist"):
        actions.set_lots_aside(event=event, by=actor, reason="again", seen=1)
    actions.draw_prize_lots(event=event, by=actor, seen=1)
    published(event, actor)
    assert "drawn before all had come" in page_of(client_of(None).get(event.get_absolute_url()))


def test_who_takes_no_prize_passes_it_on(event, actor, other_club):
    planned(event, actor, HIGH)
    ann = event.entries.get(name="Ann")
    actions.set_passing(event=event, by=actor, entry=ann.pk, passes=True)
    published(event, actor)
    assert told(event) == [(["Bob", "Cal"], 1000)]
    actions.set_passing(event=event, by=actor, entry=ann.pk, passes=False)
    published(event, actor)
    assert told(event) == [(["Ann"], 2000)]
    with pytest.raises(StepRefused, match="Nobody with that number"):
        actions.set_passing(event=event, by=actor, entry=ann.pk + 999, passes=True)


def test_a_correction_makes_them_out_of_date_and_the_next_version_replaces_them(event, actor, director, client_of):
    first = published(event, actor, HIGH)
    seen = fingerprint(event)
    desk = client_of(director).get(event.get_desk_url()).content.decode()
    assert "The published prizes" not in desk
    correct(event, Dee=99)
    desk = client_of(director).get(event.get_desk_url()).content.decode()
    assert "The published prizes" in desk
    assert "which has been corrected since" in page_of(client_of(None).get(event.get_absolute_url()))
    with pytest.raises(StepRefused, match="have changed since you opened this page"):
        actions.publish_prizes(event=event, by=actor, fingerprint=seen)
    second = published(event, actor)
    first.refresh_from_db()
    assert (first.state, second.number, told(event)) == ("replaced", 2, [(["Dee"], 2000)])
    assert [one.name for one in published_lines(first)[0].winners] == ["Ann"]  # what was published stays to be read
    assert "The published prizes" not in client_of(director).get(event.get_desk_url()).content.decode()


def test_the_desk_says_nothing_urgent_of_prizes_whose_result_is_taken_back(event, actor, director, client_of):
    published(event, actor, HIGH)
    take_back_result(event=event, by=actor, reason="a card was read wrongly")
    desk = page_of(client_of(director).get(event.get_desk_url()))
    assert "The published prizes" not in desk
    assert '<span class="urgency">Good to know</span> Nobody sees the prizes now' in desk


def test_the_page_says_what_comes_of_the_result_only_before_there_is_one(event, actor, director, client_of):
    browser, address = client_of(director), reverse("prizes", args=[event.club.slug, event.slug])
    told = "When the result is published you see who wins"
    assert told in page_of(browser.get(address))
    planned(event, actor, HIGH)
    assert told not in page_of(browser.get(address))
    published(event, actor)
    assert told not in page_of(browser.get(address))


def test_the_desk_says_that_prizes_wait(event, actor, browser):
    assert "Publish the prizes" not in browser.get(event.get_desk_url()).content.decode()
    planned(event, actor, HIGH)
    assert "Publish the prizes" in browser.get(event.get_desk_url()).content.decode()


def test_without_a_result_nobody_wins(event, actor):
    planned(event, actor, HIGH)
    Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
    event.refresh_from_db()
    with pytest.raises(StepRefused, match="Publish the result first"):
        actions.publish_prizes(event=event, by=actor, fingerprint="")


def test_the_form_keeps_the_list_in_its_order(event, director, client_of):
    browser, address = client_of(director), f"/st-hilary/desk/{event.slug}/prizes/"
    sent = {
        "step": "plan", "one_each": "no", "ties": "lots",
        "prize-0-order": "2", "prize-0-kind": "place:1", "prize-0-amount": "$20", "prize-0-what": "",
        "prize-1-order": "1", "prize-1-kind": "most-sets", "prize-1-amount": "", "prize-1-what": " a  hat ",
        "prize-2-order": "3", "prize-2-kind": "", "prize-2-amount": "", "prize-2-what": "",
    }  # fmt: skip
    assert browser.post(address, sent).status_code == 302
    plan = prize_plan(event)
    assert (plan.ties, plan.one_each) == ("lots", False)
    assert [(one["kind"], one["amount"], one["what"]) for one in plan.prizes] == [
        ("most-sets", 0, "a hat"),
        ("place", 2000, ""),
    ]
    wrong = page_of(browser.post(address, sent | {"prize-0-amount": "plenty"}))
    assert "Write an amount of money" in wrong
    assert 'value="plenty"' in wrong
    twice = browser.post(address, sent | {"prize-1-kind": "place:1"}, follow=True)
    assert "is in the list twice" in page_of(twice)


def test_the_page_goes_all_the_way(event, director, client_of):
    browser, address = client_of(director), f"/st-hilary/desk/{event.slug}/prizes/"
    planned(event, Actor(user=director, name="Dora"), HIGH, DOOR)
    assert "Draw the lots" in page_of(browser.get(address))
    browser.post(address, {"step": "lots", "seen": "0"})
    browser.post(address, {"step": "publish", "fingerprint": fingerprint(event)})
    assert "state-published" in page_of(browser.get(address))
    pdf = browser.get(f"/st-hilary/desk/{event.slug}/print/prizes.pdf")
    assert pdf["Content-Type"] == "application/pdf"
    treasurer = User.objects.create_user("tess")
    Role.objects.create(user=treasurer, club=event.club, kind=Role.Kind.TREASURER)
    printed = client_of(treasurer).get(f"/st-hilary/desk/{event.slug}/print/prizes.pdf")
    assert printed["Content-Type"] == "application/pdf"

    browser.post(address, {"step": "take-back", "reason": "a slip"})
    assert published_prizes(event) is None


def test_more_prizes_cost_no_more_queries(event, actor, director, client_of):
    browser, address = client_of(director), f"/st-hilary/desk/{event.slug}/prizes/"
    planned(event, actor, HIGH)
    one = queries_of(browser, address)
    planned(event, actor, HIGH, SECOND, LOW)
    assert queries_of(browser, address) == one


@pytest.mark.parametrize("places", [(1, 1, 3, 3), (1, 4, 2, 2), (4, 1, 2, 2), (1, 2, 3, 3), (1, 3, 2, 4)])
def test_a_pair_has_one_place_and_shares_its_prize(event, actor, places):
    """Also where a penalty of one partner's own has put the two apart: the better place is the pair's."""
    names = list(event.entries.order_by("number"))
    for entry in names:
        entry.team = (entry.number + 1) // 2
        entry.save()
    result = event.published_standings.get()
    for row in result.rows:
        row |= {"place": places[row["number"] - 1], "shared": places.count(places[row["number"] - 1]) > 1}
    result.rows.sort(key=lambda row: row["place"])
    result.save()
    event.format = Event.Format.SWISS
    event.save()
    published(event, actor, HIGH, SECOND)
    pairs = [sorted(entry.name for entry in names if entry.team == team) for team in (1, 2)]
    assert [(sorted(who), each) for who, each in told(event)] == [(pairs[0], 1000), (pairs[1], 500)]


def test_nothing_of_a_shared_prize_is_lost(event, actor, client_of):
    """Three who shared 60.50 got 20.16 each: 60.48."""
    correct(event, Ann=30)
    first = published(event, actor, Prize("place", 1, 6050))
    (line,) = published_lines(first)
    assert [(winner.name, amount) for winner, amount in line.shares] == [("Ann", 2017), ("Bob", 2017), ("Cal", 2016)]
    assert sum(amount for _entry, amount in prize_amounts(first)) == 6050
    page = page_of(client_of(None).get(event.get_absolute_url()))
    assert "20.17" in page
    assert "20.16" in page


def test_prizes_published_before_stay_as_they_were_and_set_off_no_alarm(event, actor):
    correct(event, Ann=30)
    first = published(event, actor, Prize("place", 1, 6050))
    first.lines = [{name: value for name, value in first.lines[0].items() if name != "more"} | {"left": 2}]
    first.save()
    assert outdated_prizes(event) is None
    assert [amount for _entry, amount in prize_amounts(first)] == [2016] * 3


def test_in_a_competition_door_low_and_sets_go_to_all_who_played(club, actor, client_of):
    competition = played_contest(club, actor)
    for number in (1, 2, 3):
        stage = stage_of(competition, number)
        if number > 1:
            play(drawn(stage, actor), actor, by_number)
        if number < 3:
            publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)
    publish_result(event=competition, by=actor)
    competition.refresh_from_db()
    first, second = (PublishedStandings.objects.get(stage=stage_of(competition, number)) for number in (1, 2))
    last_but_one, last = first.rows[-2:]
    last_but_one["sets"] = 3
    first.save()
    second.rows[0]["sets"] = 2  # of a finalist
    second.save()
    planned(competition, actor, HIGH, Prize("place", 6, 100), LOW, Prize("most-sets"), DOOR)
    actions.draw_prize_lots(event=competition, by=actor, seen=0)
    published(competition, actor)
    final = PublishedStandings.objects.get(stage=stage_of(competition, 3)).rows
    won = [names for names, _each in told(competition)]
    assert won[:4] == [[final[0]["name"]], [final[5]["name"]], [last["name"]], [last_but_one["name"]]]
    standing = published_prizes(competition)
    assert standing
    assert len(published_lines(standing)[4].drawn_among) == 54
    page = page_of(client_of(None).get(competition.get_absolute_url()))
    assert last_but_one["name"] in page.partition("<h2>Prizes</h2>")[2]


def in_class(name, classes):
    Member.objects.filter(name=name).update(classes=classes)


def test_a_class_has_prizes_of_its_own_on_the_desk_the_list_and_the_certificates(event, actor, director, client_of):
    browser, page = client_of(director), reverse("prizes", args=[event.club.slug, event.slug])
    assert 'name="prize-0-group"' not in page_of(browser.get(page))
    in_class("Bob", "Juniors, Ladies")
    in_class("Dee", "ladies")
    assert page_of(browser.get(page)).count('<option value="Ladies">') == 6  # a row each
    sent = {"step": "plan", "one_each": "yes", "ties": "share", "prize-0-order": 1, "prize-0-kind": "place:1"}
    sent |= {"prize-1-order": 2, "prize-1-kind": "place:1", "prize-1-group": "Ladies", "prize-1-amount": "5"}
    assert browser.post(page, sent).status_code == 302
    published(event, actor)
    assert told(event) == [(["Ann"], 0), (["Bob"], 500)]
    shown = page_of(client_of(None).get(event.get_absolute_url()))
    assert "High · Ladies" in shown
    assert "Juniors" not in shown
    sheet = prize_sheet(event)
    assert [line["title"] for line in sheet["lines"]] == ["High", "High · Ladies"]
    (html,) = certificate_pages(event, "A4", places=1).documents
    assert re.findall(r'certificate-(?:name"[^>]*|place")>([^<]*)<', html) == [
        "Ann", "First place", "Bob", "First place · Ladies",
    ]  # fmt: skip


def test_a_class_that_changes_later_leaves_published_prizes_alone_and_is_read_anew_for_the_next(event, actor):
    of_class = Prize("place", 1, 700, group="Ladies")
    in_class("Bob", "Ladies")
    published(event, actor, of_class)
    in_class("Bob", "")
    in_class("Dee", "Ladies")
    assert outdated_prizes(event) is None
    correct(event, Cal=31)
    assert [line.winners[0].name for line in propose_prizes(event, prize_plan(event)).lines] == ["Dee"]
    correct(event)
    actions.take_back_prizes(event=event, by=actor, reason="Dee is the lady")
    published(event, actor)
    assert told(event) == [(["Dee"], 700)]
    with pytest.raises(StepRefused, match="twice"):
        planned(event, actor, of_class, Prize("place", 1, group="ladies"))
    planned(event, actor, of_class, HIGH)
    assert propose_prizes(event, prize_plan(event)).lines[0].winners[0].name == "Dee"


def test_versions_published_before_there_were_classes_stay_right(event, actor):
    made = published(event, actor, HIGH, SECOND)
    assert all("group" not in prize for line in made.lines for prize in line["prizes"])
    assert outdated_prizes(event) is None


USUAL = [("place:1", ""), ("place:2", ""), ("low", ""), ("door", "")]
EUCHRE = [("place:1", ""), ("place:2", ""), ("most-lone-hands", ""), ("low", "")]
BY_CLASS = [(kind, name) for kind in ("place:1", "place:2", "low") for name in ("Gentlemen", "Ladies")]


@pytest.mark.parametrize(
    ("game", "moves", "proposed"),
    [
        ("st-hilary-v3", "losers-stay", USUAL),
        ("euchre-by-tricks", "losers-stay", EUCHRE),
        ("euchre", "losers-stay", [line for line in EUCHRE if line[0] != "most-lone-hands"]),
        ("whist-drive", "losers-stay", [("place:1", ""), ("place:2", ""), ("low", "")]),
        ("whist-drive", "losers-colours", BY_CLASS),
    ],
)
def test_the_prizes_of_the_game_are_proposed(game, moves, proposed, club, actor, client_of, director):
    for name in ("Ladies", "Gentlemen"):
        Member.objects.create(club=club, name=f"One of the {name}", classes=name)
    night = make_event(club, actor, "progressive", game=game, moves=moves)
    rows = client_of(director).get(reverse("prizes", args=[club.slug, night.slug])).context["form"].rows
    filled = [(row["kind"].value(), row["group"].value() or "") for row in rows if row["kind"].value()]
    assert filled == proposed
    assert all(kind in dict(row.fields["kind"].choices) for row, (kind, _name) in zip(rows, filled, strict=False))
