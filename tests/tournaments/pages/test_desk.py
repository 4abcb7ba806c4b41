"""The desk by clicking: an event planned, the one next action at every step, the steps published and taken back."""

from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.cards.deals import correct_deal
from scoring.engine.core.ruleset import Shape
from scoring.engine.points_only import PointsDeal
from scoring.families.deal_form import EnteredDeal
from scoring.models import Deal, Game, HouseRules
from tests.tournaments.contests import NAMES, by_number, contest, cut_stage, drawn, drawn_contest, enter, play, stage_of
from tests.tournaments.nights import queries_of
from tournaments.entries.actions import make_reserve, withdraw
from tournaments.models import Cut, Draw, Event, Group, PublishedStandings
from tournaments.standings.standings import standings_of

FORM = {
    "name": "Spring contest",
    "game": "three-hand-double-pinochle:3x1",
    "starts_at": "2055-04-03T13:00",
    "place": "Parish hall",
    "places": "54",
    "games": "4",
    "cut_rule": "",
    "tie_1": "points",
    "tie_2": "games-won",
    "tie_3": "fewest-sets",
    "tie_4": "",
}


def next_step(client, event):
    return str(client.get(event.get_desk_url()).context["desk"].next)


def url(name, event, *args):
    return reverse(name, args=[event.club.slug, event.slug, *args])


# An event


def test_a_competition_is_planned_from_its_form(club, browser):
    answer = browser.post(reverse("event_new", args=[club.slug]) + "?format=contest", FORM)
    event = Event.objects.get()
    assert answer.headers["Location"] == event.get_desk_url()
    assert event.starts_at.isoformat() == "2055-04-03T18:00:00+00:00"  # one o'clock in Chicago
    assert event.rules.club == club
    assert event.shape == Shape(3)
    assert event.tie_breaks == ["points", "games-won", "fewest-sets", "play-off", "lots"]
    assert [(s.games, s.advance) for s in event.stages.all()] == [(4, 18), (4, 6), (4, 0)]


def test_a_club_night_is_planned_from_its_form(club, browser):
    form = FORM | {"game": "st-hilary-v3:2x2", "sit_out_rule": "own-average", "places": ""}
    browser.post(reverse("event_new", args=[club.slug]) + "?format=rotation", form)
    event = Event.objects.get()
    assert (event.format, event.places, event.stages.count()) == ("rotation", None, 0)
    assert browser.get(event.get_desk_url()).status_code == 200


def test_two_events_of_one_name_have_their_own_addresses(club, actor):
    assert [contest(club, actor, name="New").slug for _n in range(2)] == ["new-2", "new-3"]


@pytest.mark.parametrize(
    ("shape", "labels"), [(Shape(4, 1), ("1", "2")), (Shape(2, 1), ("1A", "1B", "2A", "2B"))], ids=["one", "two"]
)
def test_groups_have_letters_where_a_table_has_several(club, actor, browser, shape, labels):
    event, draw = drawn_contest(club, actor, shape=shape, names=NAMES[:8])
    assert standings_of(stage_of(event, 1)).groups == labels
    titles = Game.objects.filter(group_game__group__table__draw=draw).values_list("title", flat=True)
    assert {"Group" in title for title in titles} == {len(labels) > 2}
    page = browser.get(reverse("entries", args=[club.slug, event.slug])).content.decode()
    assert all(f">{label}<" in page for label in labels)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"name": ""}, "This field is required"),
        ({"game": "whist:2x2"}, "Select a valid choice"),
        ({"starts_at": "tomorrow"}, "Enter a valid date/time"),
        ({"starts_at": "0026-04-03T13:00"}, "Write the year with four figures"),
        ({"starts_at": "9999-12-31T23:59"}, "Write the year with four figures"),
        ({"places": "1"}, "greater than or equal to 2"),
        ({"tie_3": "points"}, "only once"),
    ],
)
def test_a_wrong_form_keeps_what_was_typed(club, browser, sent, said):
    page = browser.post(reverse("event_new", args=[club.slug]) + "?format=contest", FORM | sent).content.decode()
    assert said in page
    assert 'value="Parish hall"' in page
    assert not Event.objects.exists()
    assert not HouseRules.objects.exists()


def test_changing_the_places_plans_the_stages_anew_until_a_draw_is_published(club, actor, browser):
    event = contest(club, actor, game="three-hand-double-pinochle")
    change = FORM | {"places": "36", "name": "Summer contest"}
    assert browser.post(url("event_change", event), change).status_code == 302
    assert [s.advance for s in event.stages.all()] == [12, 6, 0]
    enter(event, actor, NAMES[:36])
    drawn(stage_of(event, 1), actor)
    page = browser.post(url("event_change", event), change | {"game": "points-only:3x1"}).content.decode()
    assert "the game stays as it is" in page


def test_the_stages_are_changed_on_their_form(club, actor, browser):
    event = contest(club, actor)
    fields = ("name", "games", "cut_rule", "advance", "wild_cards", "seeded")
    stages = [
        ("Part 1", "2", "overall", "16", "0", ""),
        ("Part 2", "2", "table", "6", "2", "yes"),
        ("Part 3", "2", "", "", "0", "yes"),
    ]
    sent = {
        f"stage-{number}-{field}": value
        for number, stage in enumerate(stages, start=1)
        for field, value in zip(fields, stage, strict=True)
    }
    assert browser.post(url("event_change", event), {"stages": "1", **sent}).status_code == 302
    assert list(event.stages.values_list(*fields)) == [
        ("Part 1", 2, "overall", 16, 0, False),
        ("Part 2", 2, "table", 6, 2, True),
        ("Part 3", 2, "", 0, 0, True),
    ]


# The steps


def test_the_desk_leads_from_the_names_to_the_result(club, actor, browser):
    event = contest(club, actor, places=18)
    assert next_step(browser, event) == "names"
    enter(event, actor, NAMES[:18])
    for number, last in ((1, False), (2, True)):
        assert next_step(browser, event) == "draw"
        step = browser.post(url("stage_draw", event, number), {"seen": "0"}).headers["Location"]
        assert next_step(browser, event) == "draft"
        assert "Lot number" in browser.get(step).content.decode()
        assert browser.post(step, {"step": "publish"}).headers["Location"] == event.get_desk_url()
        assert next_step(browser, event) == "playing"
        draw = Draw.objects.get(round__stage__number=number, state="published")
        play(draw, actor, by_number)
        assert next_step(browser, event) == ("result" if last else "cut")
        if not last:
            page = browser.get(url("cut", event, number))
            fingerprint = page.context["now"].fingerprint
            assert page.content.decode().count("Won group") == 6
            browser.post(url("cut", event, number), {"step": "publish", "fingerprint": fingerprint})
    seen = browser.get(url("result", event)).context["seen"]
    browser.post(url("result", event), {"step": "publish", "seen": seen})
    assert next_step(browser, event) == "finished"
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    browser.post(url("result", event), {"step": "take-back", "reason": "a card was found"})
    assert next_step(browser, event) == "result"


def test_a_deal_corrected_after_the_result_is_said_and_published_only_as_seen(club, actor, browser):
    event, draw = drawn_contest(club, actor, names=NAMES[:6])
    play(draw, actor, by_number)
    page = browser.get(url("result", event))
    correct(actor, (5, 6, 7))
    browser.post(url("result", event), {"step": "publish", "seen": page.context["seen"]})
    assert next_step(browser, event) == "result"
    seen = browser.get(url("result", event)).context["seen"]
    browser.post(url("result", event), {"step": "publish", "seen": seen})
    assert next_step(browser, event) == "finished"
    correct(actor, (8, 6, 7))
    assert next_step(browser, event) == "corrected"
    assert PublishedStandings.objects.count() == 1
    page = browser.get(url("result", event))
    assert "Publish the next version" in page.content.decode()
    assert "You can take it back, with a reason." in page.content.decode()
    seen = page.context["seen"]
    browser.post(url("result", event), {"step": "publish", "seen": seen})
    assert next_step(browser, event) == "finished"
    assert PublishedStandings.objects.filter(final=True).count() == 2


def correct(by, points):
    first = Deal.objects.order_by("pk")[0]
    correct_deal(
        deal=first,
        entered=EnteredDeal(PointsDeal(points=points), sure=True),
        by=by,
        submission=uuid4(),
        seen=first.versions.get(current=True).number,
        reason="misread",
    )


def test_a_draw_is_stale_when_somebody_has_gone(club, actor, browser):
    event = contest(club, actor, places=18)
    entries = enter(event, actor, NAMES[:18])
    browser.post(url("stage_draw", event, 1), {"seen": "0"})
    for entry in entries[:3]:
        withdraw(entry=entry, by=actor)
    assert next_step(browser, event) == "stale"
    make_reserve(entry=entries[3], by=actor)
    browser.post(url("stage_draw", event, 1), {"seen": "1"})
    assert next_step(browser, event) == "draft"


def test_taking_a_draw_back_says_how_many_deals_stop_counting(club, actor, browser):
    event, draw = drawn_contest(club, actor, names=NAMES[:18])
    play(draw, actor, by_number)
    page = browser.get(url("draw_step", event, draw.pk) + "?step=take-back").content.decode()
    assert "6 deals are recorded in its games" in page
    browser.post(url("draw_step", event, draw.pk), {"step": "take-back"})
    assert Draw.objects.get().state == Draw.State.WITHDRAWN
    assert next_step(browser, event) == "draw"


def test_a_set_is_ended_from_its_page_with_a_reason(club, actor, browser):
    event, _draw = drawn_contest(club, actor, names=NAMES[:6], games=3)
    group = Group.objects.all()[0]
    assert "1A" in browser.get(url("end_set", event, group.pk)).content.decode()
    refused = browser.post(url("end_set", event, group.pk), {"reason": " "}, follow=True).content.decode()
    assert "Write why the set ends early" in refused
    done = browser.post(url("end_set", event, group.pk), {"reason": "time is up"}, follow=True).content.decode()
    assert "Ended early: time is up" in done


def test_a_tie_is_settled_on_the_page_of_the_cut(club, actor, browser):
    event, draw = drawn_contest(club, actor, names=NAMES[:18])
    play(draw, actor, lambda entry: 100)
    page = browser.get(url("cut", event, 1))
    ties = page.context["ties"]
    assert len(ties) == 6
    assert "Publish the cut" not in page.content.decode()
    assert "3 are level in group 1A for 1 place" in page.content.decode()
    seen = 0
    for tie in ties[:5]:
        level = [entry.pk for entry in tie["form"].level]
        browser.post(url("cut", event, 1), {"step": "lots", "level": level, "seen": seen})
        seen += 1
    level = [entry.pk for entry in ties[5]["form"].level]
    missing = {"step": "play-off", "level": level, "seen": seen, f"points-{level[0]}": "7", f"points-{level[2]}": "x"}
    form = browser.post(url("cut", event, 1), missing).context["ties"][0]["form"]
    assert [form[f"points-{pk}"].value() for pk in level] == ["7", None, "x"]
    assert [bool(form[f"points-{pk}"].errors) for pk in level] == [False, True, True]
    points = {f"points-{pk}": n for n, pk in enumerate(level)}
    page = browser.post(url("cut", event, 1), {"step": "play-off", "level": level, "seen": seen, **points}, follow=True)
    assert "Publish the cut" in page.content.decode()
    assert level[2] in page.context["now"].cut.finalists
    assert Cut.objects.count() == 6


def test_the_desk_says_when_a_correction_would_change_the_cut(club, actor, browser):
    event, draw = drawn_contest(club, actor, names=NAMES[:18])
    play(draw, actor, by_number)
    cut_stage(event, actor)
    seats = Deal.objects.order_by("pk")[0].game.group_game.group.seats.select_related("entry").order_by("side")
    worst = max(seats, key=lambda seat: seat.entry.number)
    correct(actor, tuple(5000 if seat == worst else 1 for seat in seats))
    page = browser.get(event.get_desk_url()).content.decode()
    assert f"With the points as they are now, {worst.entry.name} would go on." in page


# Who sees it, and what it costs


def test_a_scorekeeper_is_not_asked_to_plan_what_a_director_plans(club, actor, scorekeeper, director, client_of):
    """After the last night the desk's large heading was “Plan an event”, with no button."""
    event = contest(club, actor, places=6)
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    desk = reverse("desk", args=[club.slug])
    pages = [client_of(user).get(desk).content.decode() for user in (scorekeeper, director)]
    assert ["Nothing is planned or on now" in page for page in pages] == [True, True]
    assert ["Plan an event" in page for page in pages] == [False, False]
    assert ["New event" in page for page in pages] == [False, True]


def test_the_desk_costs_the_same_for_few_and_many(club, actor, browser):
    counts = []
    for number, places in ((1, 18), (3, 54)):
        event, draw = drawn_contest(club, actor, name=f"Contest {number}", names=NAMES[:places])
        play(draw, actor, by_number)
        browser.get(event.get_desk_url())
        playing = queries_of(browser, event.get_desk_url())
        cut_stage(event, actor)
        counts.append((playing, queries_of(browser, event.get_desk_url())))
    assert counts[0] == counts[1]
