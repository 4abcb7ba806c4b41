"""An event made like another: all that was planned of it, and those of its people who play again."""

import re
from datetime import UTC, datetime

import pytest

from clubsite.accounts.models import Actor, LogEntry
from scoring.engine.core.ruleset import Shape
from tests.pages import page_of, sent
from tests.tournaments.contests import NAMES, contest, drawn, enter
from tests.tournaments.nights import arrive, make_members, make_night
from tournaments.draws.rotation import add_wish
from tournaments.engine.handicap import HandicapRule
from tournaments.engine.prizes import Prize
from tournaments.entries.partners import join_side
from tournaments.events.actions import remove_event
from tournaments.events.stages import StageFacts, change_stage
from tournaments.events.views import copy_initial
from tournaments.handicaps import give_handicaps
from tournaments.models import Draw, Entry, Event, Wish
from tournaments.money import event_payers, set_fee
from tournaments.prizes.actions import plan_prizes, planned_prizes, prize_plan


def as_it_stands(browser, address):
    page = browser.get(address).content.decode()
    people = re.findall(r'name="again" value="(\d+)"[^>]* checked', page)
    return sent(page) | {"again": people, "details": re.search(r"<textarea[^>]*>\s*([^<]*)", page)[1]}


def copied(browser, event, **changed):
    """The event that the form of a copy makes as it stands, but for what is `changed`."""
    address = f"/{event.club.slug}/desk/new/?like={event.slug}"
    assert address in page_of(browser.get(event.get_desk_url()))
    answer = browser.post(address, as_it_stands(browser, address) | changed, follow=True)
    made = Event.objects.latest("pk")
    assert made != event, page_of(answer)
    return made


def test_a_competition_is_copied_with_its_stages_prizes_and_people(club, director, actor, client_of):
    pairs = {"game": "st-hilary-v3", "shape": Shape(2, 2)}
    event = contest(club, actor, places=24, tie_breaks=("fewest-sets", "play-off"), **pairs)
    first = event.stages.first()
    facts = StageFacts(name="First half", games=3, cut_rule="overall", advance=12)
    change_stage(stage=first, by=actor, facts=facts)
    enter(event, actor, NAMES[:25])
    set_fee(event=event, by=actor, fee=700)
    prizes = (Prize("place", 1, 5000), Prize("door", what="a cake"))
    plan_prizes(event=event, by=actor, prizes=prizes, ties="lots", one_each=False)
    drawn(first, actor)
    gone = event.entries.get(number=2)
    again = [str(entry.pk) for entry in event.entries.all() if entry != gone]

    made = copied(client_of(director), event, name="Autumn contest", again=again)
    assert [(s.name, s.games, s.cut_rule, s.advance) for s in made.stages.all()] == [
        (s.name, s.games, s.cut_rule, s.advance) for s in event.stages.all()
    ]
    assert (made.name, made.places, made.shape, made.fee) == ("Autumn contest", 24, Shape(2, 2), 700)
    plan = prize_plan(made)
    assert (planned_prizes(plan), plan.ties, plan.one_each) == (prizes, "lots", False)
    assert [(e.number, e.name, e.state) for e in made.entries.all()] == [
        (n, name, "here") for n, name in enumerate([NAMES[0], *NAMES[2:25]], start=1)
    ]
    assert (made.state, Draw.objects.filter(round__stage__event=made).exists()) == ("planned", False)
    assert LogEntry.objects.get(verb="event.create", event=made.pk).new["like"] == "Spring contest"
    remove_event(event=made, by=Actor(director, "Dora", "desk"))  # made by mistake


def test_another_number_of_places_plans_the_stages_again(club, director, actor, client_of):
    made = copied(client_of(director), contest(club, actor, games=3), places="36", name="Smaller")
    assert [(s.games, s.advance) for s in made.stages.all()] == [(3, 12), (3, 6), (3, 0)]


@pytest.fixture
def night(club, rules_for, actor):
    night = make_night(club, rules_for("st-hilary-v3"))
    arrive(night, actor, 5)
    return night


def test_people_of_a_night_are_expected_at_the_next_and_their_wishes_wait(night, actor, browser):
    one, two, three, four, five = night.entries.all()
    add_wish(event=night, wished=Wish(kind="never", entry=one, other=two), by=actor)
    add_wish(event=night, wished=Wish(kind="never", entry=one, other=five), by=actor)
    give_handicaps(event=night, rule=HandicapRule(scratch=100), by=actor)
    Event.objects.filter(pk=night.pk).update(sit_out_rule="zero", sign_up="closed", details="Bring cake.")
    made = copied(browser, night, again=[str(e.pk) for e in (one, two, three, four)])
    assert [(e.name, e.member, e.state) for e in made.entries.all()] == [
        (e.name, e.member, "reserve") for e in (one, two, three, four)
    ]
    (wish,) = made.wishes.all()
    assert (wish.kind, wish.entry.name, wish.other.name) == ("never", one.name, two.name)
    assert (made.sit_out_rule, made.sign_up, made.details) == ("zero", "open", "Bring cake.")
    night.refresh_from_db()
    assert made.handicap == night.handicap != {}
    here = f"{made.get_desk_url()}here/"
    page = page_of(browser.get(here))
    assert (page.count("expected"), page.index("Player 04") < page.index("Player 05")) == (4, True)
    assert event_payers(made) == []
    browser.post(here, {"member": one.member_id})
    assert made.entries.get(name=one.name).state == "here"


def test_a_pair_stays_together_where_both_play_again(club, rules_for, director, actor, client_of):
    night = make_night(club, rules_for("st-hilary-v3"), format="swiss")
    arrive(night, actor, 4)
    one, two, three, four = night.entries.all()
    for pair in ([one, two], [three, four]):
        join_side(event=night, entries=pair, by=actor)
    made = copied(client_of(director), night, again=[str(e.pk) for e in (one, two, three)])
    assert [(e.name, e.team, e.state) for e in made.entries.all()] == [
        (one.name, 1, "here"),
        (two.name, 1, "here"),
        (three.name, None, "here"),
    ]


def test_names_are_as_they_are_now_and_the_erased_are_not_offered(night, director, client_of):
    one, two, *_rest = make_members(night.club, 5)
    one.name, two.erased_at = "Anna Newname", datetime(2054, 12, 1, tzinfo=UTC)
    one.save()
    two.save()
    made = copied(client_of(director), night)
    names = list(made.entries.values_list("name", flat=True))
    assert (names[0], len(names), two.name in names) == ("Anna Newname", 4, False)


def test_a_copy_sent_twice_is_one_event(night, director, client_of):
    browser, address = client_of(director), f"/st-hilary/desk/new/?like={night.slug}"
    form = as_it_stands(browser, address)
    for _tap in range(2):
        assert browser.post(address, form).status_code == 302
    assert (Event.objects.count(), Entry.objects.count()) == (2, 10)


def test_a_copy_of_an_old_event_is_on_the_next_such_day(night):
    night.name = "Friday, November 6"
    proposed = copy_initial(night, now=datetime(2055, 2, 1, tzinfo=UTC))
    assert (proposed["name"], proposed["starts_at"]) == ("Friday, February 5", datetime(2055, 2, 5, 19, 30))


def test_other_clubs_and_scorekeepers_copy_nothing(night, stranger, scorekeeper, client_of):
    assert client_of(stranger).get(f"/harbour/desk/new/?like={night.slug}").status_code == 404
    assert "?like=" not in page_of(client_of(scorekeeper).get(night.get_desk_url()))
