"""Every way somebody comes to be on one side of the line, as a director clicks it: level and played off, level and
drawn, ineligible, withdrawn, called up, disqualified, a reserve's seat, a penalty after the cut."""

import pytest
from playwright.sync_api import expect

from tests.browser.hands_on import said, step
from tests.tournaments.contests import NAMES, contest, drawn, enter, play, stage_of
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.models import Seat

pytestmark = pytest.mark.django_db(transaction=True)

CLEAR = (300, 200, 100)
FIRST_TWO_LEVEL = (300, 300, 100)
LAST_TWO_LEVEL = (300, 200, 200)


class Played:
    """Eighteen entries in six groups of three, the first stage played; groups as lists, the best first."""

    def __init__(self, club, by, *points):
        self.event = contest(club, by, places=18, cut_rule="group")
        enter(self.event, by, NAMES[:18])
        draw = drawn(stage_of(self.event, 1), by)
        seats = Seat.objects.filter(draw=draw).select_related("entry")
        ordered = list(seats.order_by("group__table__number", "group__number", "side"))
        self.groups = [[seat.entry for seat in ordered[n : n + 3]] for n in range(0, 18, 3)]
        self.labels = [str(seat.group) for seat in ordered[::3]]
        worth = {
            entry.pk: value - number
            for number, group in enumerate(self.groups)
            for entry, value in zip(group, (points[number : number + 1] or [CLEAR])[0], strict=True)
        }
        play(draw, by, lambda entry: worth[entry.pk])

    def cut(self, by):
        stage = stage_of(self.event, 1)
        publish_cut(stage=stage, by=by, fingerprint=propose(stage).fingerprint)
        return self


def test_level_entries_are_shown_then_played_off_and_drawn(club, actor, director, signed_in):
    played = Played(club, actor, FIRST_TWO_LEVEL, FIRST_TWO_LEVEL)
    page = to_cut(signed_in(director), played.event)
    for number, group in enumerate(played.groups[:2]):
        expect(tie(page, played.labels[number])).to_contain_text("2 are level")
        for entry in group[:2]:
            expect(row(page, entry)).to_contain_text("Level with 1 other for 1 place: a play-off or lots decide")
    expect(page.get_by_role("button", name="Publish the cut")).to_have_count(0)

    winner, loser = played.groups[0][1], played.groups[0][0]
    for entry, points in ((winner, 12), (loser, 7)):
        tie(page, played.labels[0]).get_by_label(entry.name).fill(str(points))
    tie(page, played.labels[0]).get_by_role("button", name="Save these points").click()
    expect(row(page, winner)).to_contain_text("Won the play-off with 12 points")
    expect(row(page, loser)).to_contain_text("Out after the play-off, with 7 points")

    tie(page, played.labels[1]).get_by_role("button", name="Draw lots now").click()
    expect(page.get_by_role("heading", name="Play-offs and lots")).to_be_visible()
    page.get_by_label("Reason for the ruling").fill("the cards had been mixed badly")
    page.get_by_role("button", name="Set the last drawing of lots aside").click()
    expect(page.locator("main")).to_contain_text("Set aside by the director (the cards had been mixed badly)")
    tie(page, played.labels[1]).get_by_role("button", name="Draw lots now").click()
    expect(side(page, "Who goes on")).to_contain_text("Drawn by lot (lot number")
    expect(side(page, "Who does not go on")).to_contain_text("Out by drawing of lots (lot number")
    publish(page, 6)


def test_play_off_points_typed_so_far_stay_and_the_first_missing_one_is_asked_for(club, actor, director, signed_in):
    played = Played(club, actor, FIRST_TWO_LEVEL)
    one, other = played.groups[0][:2]
    page = to_cut(signed_in(director), played.event)
    page.get_by_label(one.name).fill("12")
    page.get_by_role("button", name="Save these points").click()
    expect(page.get_by_label(one.name)).to_have_value("12")
    expect(page.get_by_label(other.name)).to_be_focused()
    expect(page.get_by_label(other.name)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Fill this in; write 0 for nothing.")).to_have_count(1)
    page.get_by_label(other.name).fill("7")
    page.get_by_role("button", name="Save these points").click()
    expect(row(page, other)).to_contain_text("Out after the play-off, with 7 points")


def test_who_may_not_go_on_or_has_withdrawn_is_passed_over(club, actor, director, signed_in):
    played = Played(club, actor)
    barred, gone = played.groups[2], played.groups[3]
    page = to_entry(signed_in(director), played.event, barred[0])
    page.get_by_label("no, plays without being able to go on").check()
    page.get_by_label("Note").fill("belongs to the house")
    page.get_by_role("button", name="Save").click()
    to_entry(page, played.event, gone[0])
    page.get_by_role("button", name=f"Withdraw {gone[0].name}").click()
    expect(said(page)).to_contain_text("is withdrawn")

    to_cut(page, played.event)
    expect(row(page, barred[0])).to_contain_text("May not go on: belongs to the house")
    expect(row(page, barred[1])).to_contain_text(f"Called up in place of {barred[0].name}")
    expect(row(page, gone[0])).to_contain_text("Has withdrawn")
    expect(row(page, gone[1])).to_contain_text(f"Called up in place of {gone[0].name}")
    publish(page, 6)


def test_a_finalist_leaves_and_one_of_two_level_reserves_is_called_up(club, actor, director, signed_in):
    played = Played(club, actor, LAST_TWO_LEVEL).cut(actor)
    first, one, other = played.groups[0]
    page = to_entry(signed_in(director), played.event, first)
    page.get_by_role("button", name=f"Withdraw {first.name}").click()
    expect(page.get_by_role("heading", name="Several are level for the place")).to_be_visible()
    page.get_by_label(one.name).fill("3")
    page.get_by_role("button", name="Save these points").click()
    expect(page.get_by_label(one.name)).to_have_value("3")
    page.get_by_label(other.name).fill("8")
    page.get_by_role("button", name="Save these points").click()
    page.get_by_role("button", name=f"Give {other.name} the place").click()
    expect(said(page)).to_contain_text(f"{other.name} takes the place of {first.name} from now on.")
    to_cut(page, played.event)
    expect(row(page, first)).to_contain_text(f"Was through and has withdrawn; {other.name} was called up")
    expect(row(page, other)).to_contain_text(f"Called up in place of {first.name}")
    expect(side(page, "Who goes on").locator("tbody tr")).to_have_count(6)
    expect(page.locator("main ol")).to_contain_text(f"{one.name} 3")
    expect(page.locator("main ol")).to_contain_text(f"{other.name} 8")


def test_a_disqualified_finalist_is_struck_and_stays_in_the_lists(club, actor, director, signed_in):
    played = Played(club, actor).cut(actor)
    first, second, _third = played.groups[0]
    page = to_entry(signed_in(director), played.event, first)
    page.get_by_label("Reason, printed with the standings and the cut").fill("Marked cards")
    page.get_by_role("button", name=f"Disqualify {first.name}").click()
    expect(said(page)).to_contain_text(f"{first.name} is disqualified.")
    expect(page.get_by_role("heading", name=f"Next in line: {second.name}")).to_be_visible()
    page.get_by_role("button", name=f"Give {second.name} the place").click()
    to_cut(page, played.event)
    expect(row(page, first)).to_contain_text(
        f"Was through and was disqualified (Marked cards); {second.name} was called up"
    )
    page.goto(played.event.get_absolute_url())
    last = page.locator("table.score-table").first.locator("tbody tr").last
    expect(last).to_contain_text(first.name)
    expect(last).to_contain_text("disqualified: Marked cards")


def test_a_reserve_takes_a_seat_before_the_first_deal(club, actor, director, signed_in):
    event = contest(club, actor, places=18)
    entries = enter(event, actor, NAMES[:19])
    draw = drawn(stage_of(event, 1), actor)
    seat = Seat.objects.select_related("group__table").get(draw=draw, entry=entries[4])
    page = to_entry(signed_in(director), event, entries[4])
    page.get_by_role("button", name=f"Withdraw {entries[4].name}").click()
    expect(page.get_by_role("heading", name=f"First reserve: {entries[18].name}")).to_be_visible()
    page.get_by_role("button", name=f"Give {entries[18].name} the seat").click()
    page.goto(event.get_desk_url())
    table = page.locator("article", has=page.get_by_role("heading", name=f"Table {seat.group}", exact=True))
    expect(table).to_contain_text(entries[18].name)
    expect(page.locator("#tables-now")).not_to_contain_text(entries[4].name)


def test_a_penalty_after_the_cut_shows_what_it_changes_and_the_cut_stays_until_it_is_taken_back(
    club, actor, director, signed_in
):
    played = Played(club, actor).cut(actor)
    first, second, _third = played.groups[0]
    page = signed_in(director)
    page.goto(played.event.get_desk_url())
    page.get_by_text("Correct and decide").click()
    page.get_by_role("link", name="Penalties and adjustments").click()
    page.get_by_label("Who").select_option(label=first.name)
    page.get_by_label("Points").fill("-150")
    page.get_by_label("Reason").fill("Left the table twice")
    page.get_by_role("button", name="See the effect").click()
    heading = f"{first.name}, penalty \N{MINUS SIGN}150: Left the table twice"
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.locator("main")).to_contain_text(
        f"By the points as they are now, {second.name} would go on. {first.name} would not."
    )
    page.get_by_role("button", name="Apply it").click()
    expect(said(page)).to_contain_text("Noted")
    page.goto(played.event.get_desk_url())
    expect(page.locator("main")).to_contain_text("Points have changed since the cut of Qualifying was published")
    page.get_by_role("link", name="Look at the cut").click()
    expect(side(page, "Who goes on")).to_contain_text(first.name)
    page.get_by_role("button", name="Take the cut back").click()
    expect(row(page, first)).to_contain_text("Below the line")
    expect(row(page, second)).to_contain_text("Won group")
    publish(page, 6)


def to_cut(page, event):
    page.goto(f"{event.get_desk_url()}stages/1/cut/")
    return page


def to_entry(page, event, entry):
    page.goto(f"{event.get_desk_url()}entries/{entry.pk}/")
    return page


def tie(page, label):
    return page.locator("section", has=page.get_by_role("heading", name=f"in group {label}"))


def side(page, name):
    return page.get_by_role("region", name=name, exact=True)


def row(page, entry):
    return page.locator("table.score-table tbody tr", has=page.get_by_role("rowheader", name=entry.name, exact=True))


def publish(page, through):
    step(page, "Publish the cut")
    expect(said(page)).to_contain_text("The cut of Qualifying is published.")
    expect(side(page, "Who goes on").locator("tbody tr")).to_have_count(through)
