"""Every way somebody comes to be on one side of the line, by the forms of a director's pages: level and played off,
level and drawn, ineligible, withdrawn, called up, disqualified, a reserve's seat."""

import pytest

from tests.hostile.forms_of_pages import forms_of
from tests.tournaments.contests import NAMES, contest, drawn, enter, play, stage_of
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.models import Cut, Draw, Seat

pytestmark = pytest.mark.django_db

CLEAR = (300, 200, 100)
FIRST_TWO_LEVEL = (300, 300, 100)
LAST_TWO_LEVEL = (300, 200, 200)


def send(browser, address, step, **fields):
    """Send the first form of a page with this step, as the page fills it but for these fields."""
    page = browser.get(address, follow=True)
    forms = forms_of(page.request["PATH_INFO"], page.content.decode())
    form = next(form for form in forms if step in form.offered.get("step", ()))
    filled = {name: [value for other, value in form.filled if other == name] for name in form.names}
    return browser.post(form.action, filled | {"step": step} | fields, follow=True)


class Desk:
    """Eighteen entries in six groups of three, the first stage played; groups as lists, the best first."""

    def __init__(self, browser, club, by, *points):
        self.browser, self.event = browser, contest(club, by, places=18, cut_rule="group")
        enter(self.event, by, NAMES[:18])
        draw = drawn(stage_of(self.event, 1), by)
        seats = Seat.objects.filter(draw=draw).select_related("entry")
        ordered = list(seats.order_by("group__table__number", "group__number", "side"))
        self.groups = [[seat.entry for seat in ordered[n : n + 3]] for n in range(0, 18, 3)]
        worth = {
            entry.pk: value - number
            for number, group in enumerate(self.groups)
            for entry, value in zip(group, (points[number : number + 1] or [CLEAR])[0], strict=True)
        }
        play(draw, by, lambda entry: worth[entry.pk])

    def publish(self, by):
        publish_cut(stage=stage_of(self.event, 1), by=by, fingerprint=propose(stage_of(self.event, 1)).fingerprint)

    @property
    def cut(self):
        return f"{self.event.get_desk_url()}stages/1/cut/"

    def entry(self, entry):
        return f"{self.event.get_desk_url()}entries/{entry.pk}/"

    def send(self, address, step, **fields):
        return send(self.browser, address, step, **fields)

    def play_off(self, address, step, points):
        return self.send(address, step, **{f"points-{entry.pk}": str(figure) for entry, figure in points.items()})

    def reasons(self, *entries):
        """Why these entries are on their side of the line: of the published cut, or else as it is proposed."""
        published = Cut.objects.filter(stage__event=self.event, state=Cut.State.PUBLISHED).order_by("number").last()
        lines = published.lines.all() if published else propose(stage_of(self.event, 1)).lines
        reasons = {getattr(line, "entry_id", line.entry): line.reason.removeprefix("cut.") for line in lines}
        return [reasons[entry.pk] for entry in entries]


@pytest.fixture
def desk(club, actor, director, client_of):
    return lambda *points: Desk(client_of(director), club, actor, *points)


def test_level_entries_are_played_off_or_drawn(desk):
    played = desk(FIRST_TWO_LEVEL, FIRST_TWO_LEVEL)
    (loser, winner, _third), (first, second, _other) = played.groups[:2]
    played.play_off(played.cut, "play-off", {winner: 12, loser: 7})
    assert played.reasons(winner, loser) == ["won-play-off", "lost-play-off"]
    played.send(played.cut, "lots")
    assert sorted(played.reasons(first, second)) == ["drawn-by-lot", "not-drawn"]
    played.send(played.cut, "undo", reason="the cards had been mixed badly")
    assert set(played.reasons(first, second)).isdisjoint({"drawn-by-lot", "not-drawn"})
    played.send(played.cut, "lots")
    assert played.send(played.cut, "publish").status_code == 200
    assert Cut.objects.get(state=Cut.State.PUBLISHED).lines.filter(advances=True).count() == 6


def test_play_off_points_typed_so_far_stay_and_the_first_missing_one_is_asked_for(desk):
    played = desk(FIRST_TWO_LEVEL)
    one, other = played.groups[0][:2]
    page = played.play_off(played.cut, "play-off", {one: 12}).content.decode()
    (form,) = [form for form in forms_of(played.cut, page) if "play-off" in form.offered.get("step", ())]
    assert dict(form.filled)[f"points-{one.pk}"] == "12"
    missing = page[page.index(f'name="points-{other.pk}"') :].partition(">")[0]
    assert 'aria-invalid="true"' in missing
    assert "autofocus" in missing


def test_who_may_not_go_on_or_has_withdrawn_is_passed_over(desk):
    played = desk()
    (barred, after_barred, _third), (gone, after_gone, _last) = played.groups[2:4]
    played.send(played.entry(barred), "change", eligible="no", note="belongs to the house")
    played.send(played.entry(gone), "withdraw")
    reasons = played.reasons(barred, after_barred, gone, after_gone)
    assert reasons == ["ineligible", "called-up", "withdrawn", "called-up"]


def test_a_finalist_leaves_and_one_of_two_level_reserves_is_called_up(desk, actor):
    played = desk(LAST_TWO_LEVEL)
    played.publish(actor)
    first, one, other = played.groups[0]
    played.send(played.entry(first), "withdraw")
    played.play_off(played.entry(first), "next-play-off", {one: 3, other: 8})
    played.send(played.entry(first), "replace")
    assert played.reasons(first, other) == ["replaced", "called-up"]


def test_a_disqualified_finalist_is_struck(desk, actor):
    played = desk()
    played.publish(actor)
    first, second, _third = played.groups[0]
    played.send(played.entry(first), "disqualify", reason="Marked cards")
    played.send(played.entry(first), "replace")
    assert played.reasons(first, second) == ["struck", "called-up"]


def test_a_reserve_takes_a_seat_before_the_first_deal(club, actor, director, client_of):
    event = contest(club, actor, places=18)
    leaving, *_others, reserve = enter(event, actor, NAMES[:19])
    draw = drawn(stage_of(event, 1), actor)
    browser, address = client_of(director), f"{event.get_desk_url()}entries/{leaving.pk}/"
    send(browser, address, "withdraw")
    send(browser, address, "seat")
    seated = Seat.objects.filter(draw__round=draw.round, draw__state=Draw.State.PUBLISHED)
    assert [seated.filter(entry=entry).count() for entry in (leaving, reserve)] == [0, 1]
