"""A draft changed by hand, in every kind of event: what it brings is told first, and it is marked for everybody."""

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry
from tests.pages import page_of
from tests.tournaments import contests
from tests.tournaments.nights import arrive, drafted, games_of, make_night, play_round, publish_next
from tournaments.documents.sheets import movement_sheet, seating_sheet
from tournaments.draws import rotation
from tournaments.draws.changes import preview_swap, swap_in_draft, swap_units
from tournaments.draws.drafts import engine_round
from tournaments.draws.making import DrawOptions, make_draw
from tournaments.draws.rotation import add_wish
from tournaments.engine.verify import make_statement
from tournaments.entries import partners
from tournaments.errors import StepRefused
from tournaments.models import Draw, Entry, Event, Wish
from tournaments.rounds import publishing
from tournaments.rounds.publishing import publish_draw


@pytest.fixture
def swiss_round(club, actor, rules_for):
    """Builds a Swiss of so many people in pairs: the event, its first round, played, and the draft of the second."""

    def build(people):
        event = make_night(club, rules_for("st-hilary-v3"), slug="swiss", format=Event.Format.SWISS)
        arrive(event, actor, people)
        partners.join_rest(event=event, by=actor, seed=1)
        first = publish_next(event, actor)
        play_round(first, actor)
        return event, first, drafted(event, actor, seed=2)

    return build


@pytest.fixture
def draft(event, actor):
    """Thirteen people: three tables, one sits out."""
    arrive(event, actor, 13)
    return drafted(event, actor, planned=3, seed=4, steps=20_000)


def seats(one):
    return [*one.seated, *one.sit_outs]


def swapped(one, a, b):
    """Everybody in order of seats, with these two in each other's."""
    return [b if p == a else a if p == b else p for p in seats(one)]


def test_two_change_places_and_everybody_else_stays(draft, actor):
    before = engine_round(draft)
    a, b = before.tables[0][0][0], before.tables[1][1][1]
    made = swap_in_draft(draw=draft, entry=a, other=b, by=actor)
    assert seats(engine_round(made)) == swapped(before, a, b)
    assert engine_round(Draw.objects.get(pk=draft.pk)) == before
    assert (made.number, made.state, made.seed) == (2, Draw.State.DRAFT, draft.seed)


def test_who_sits_out_changes_places_with_somebody_who_plays(draft, actor):
    before = engine_round(draft)
    (out,), a = before.sit_outs, before.tables[2][0][1]
    made = swap_in_draft(draw=draft, entry=out, other=a, by=actor)
    assert engine_round(made).sit_outs == (a,)
    publishing.publish_draw(draw=made, by=actor)
    assert len(games_of(made)) == 3


def test_the_verifier_counts_the_changed_draw(event, draft, actor):
    play_round(publishing.publish_draw(draw=draft, by=actor), actor)
    second = drafted(event, actor, planned=3)
    first, now = engine_round(draft), engine_round(second)
    mates = {p: m for table in first.tables for side in table for p, m in (side, side[::-1])}
    a = next(p for p in now.seated if p in mates and mates[p] in now.seated)
    partner = next(p for table in now.tables for side in table for p in side if a in side and p != a)
    change = preview_swap(draw=second, entry=partner, other=mates[a])
    names = {e.pk: e.name for e in event.entries.all()}
    pair = tuple(sorted((names[a], names[mates[a]])))
    assert (pair, "partner", 2) in change.again
    made = swap_in_draft(draw=second, entry=partner, other=mates[a], by=actor)
    counted = make_statement([first, engine_round(made)], names)
    assert made.statement["partner"]["repeats"] == counted.partner.repeats >= 1
    assert made.statement["opponent"]["repeats"] == counted.opponent.repeats
    assert made.statement["table_mate"]["repeats"] == counted.table_mate.repeats


def test_a_broken_wish_is_told_before_and_stated_after(event, actor):
    arrive(event, actor, 12)
    entries = {e.number: e for e in event.entries.all()}
    add_wish(event=event, by=actor, wished=Wish(kind="always", entry=entries[1], other=entries[2]))
    draft = drafted(event, actor, planned=2, seed=1, steps=20_000)
    other = next(p for p in engine_round(draft).seated if p not in (entries[1].pk, entries[2].pk))
    assert [outcome.wish.kind for outcome in preview_swap(draw=draft, entry=entries[1].pk, other=other).broken] == [
        "always"
    ]
    made = swap_in_draft(draw=draft, entry=entries[1].pk, other=other, by=actor)
    assert [outcome.met for outcome in rotation.stored_outcomes(made.statement)] == [False]


def test_a_change_is_logged_and_marked_for_everybody(event, draft, actor, browser, client_of):
    one = engine_round(draft)
    a, b = (Entry.objects.get(pk=pk) for pk in (one.tables[0][0][0], one.tables[1][0][0]))
    made = swap_in_draft(draw=draft, entry=a.pk, other=b.pk, by=actor)
    entry = LogEntry.objects.get(verb="draw.by-hand")
    assert (entry.actor, entry.old, entry.new) == (
        "Dora",
        {"version": 1, a.name: 1, b.name: 2},
        {"version": 2, a.name: 2, b.name: 1},
    )
    marked = f"{a.name} ⇄ {b.name}"
    assert marked in page_of(browser.get(reverse("round_draw", args=["st-hilary", event.slug])))
    publishing.publish_draw(draw=made, by=actor)
    for name in ("event", "seats"):
        page = page_of(client_of(None).get(reverse(name, args=["st-hilary", event.slug])))
        assert "Changed by hand" in page
        assert marked in page
    assert "Changed by hand" in page_of(client_of(None).get(reverse("board", args=["st-hilary", event.slug])))
    loaded = Draw.objects.select_related("round__stage__event__club").get(pk=made.pk)
    assert seating_sheet(loaded)["heading"].note == "Draw, version 2, changed by hand"
    assert movement_sheet(loaded)["by_hand"] == [marked]
    assert movement_sheet(loaded)["heading"].note == "Draw, version 2, changed by hand"


def test_the_rounds_that_follow_are_drawn_around_what_was_changed(event, draft, actor):
    one = engine_round(draft)
    made = swap_in_draft(draw=draft, entry=one.tables[0][0][0], other=one.tables[1][0][0], by=actor)
    play_round(publishing.publish_draw(draw=made, by=actor), actor)
    second = drafted(event, actor, planned=3)
    assert second.statement["plan"]["from"] == 1
    assert second.statement["partner"]["repeats"] == 0


def test_only_the_newest_draft_can_be_changed(event, draft, actor):
    one = engine_round(draft)
    a, b = one.tables[0][0][0], one.tables[1][0][0]
    made = swap_in_draft(draw=draft, entry=a, other=b, by=actor)
    with pytest.raises(StepRefused, match="newer version"):
        swap_in_draft(draw=draft, entry=a, other=b, by=actor)
    publishing.publish_draw(draw=made, by=actor)
    with pytest.raises(StepRefused, match="Only a draft"):
        swap_in_draft(draw=made, entry=a, other=b, by=actor)
    publishing.take_back_draw(draw=made, by=actor)
    with pytest.raises(StepRefused, match="Only a draft"):
        swap_in_draft(draw=made, entry=a, other=b, by=actor)
    assert Draw.objects.count() == 2


def test_two_who_cannot_change_places_are_refused(event, actor):
    arrive(event, actor, 6)
    draft = drafted(event, actor, seed=1)
    a = engine_round(draft).seated[0]
    out = engine_round(draft).sit_outs
    for one, other in ((a, a), (a, 10**9), out):
        with pytest.raises(StepRefused):
            swap_in_draft(draw=draft, entry=one, other=other, by=actor)
    assert Draw.objects.count() == 1


def test_sides_that_stay_together_change_places_together(swiss_round, actor):
    event, _first, second = swiss_round(10)
    units = swap_units(second)
    assert [len(unit.entries) for unit in units] == [2] * 5
    out = next(unit for unit in units if unit.table is None)
    playing = next(unit for unit in units if unit.table == 1)
    made = swap_in_draft(draw=second, entry=playing.entries[1], other=out.key, by=actor)
    assert set(engine_round(made).sit_outs) == set(playing.entries)
    assert set(out.entries) in [set(side) for side in engine_round(made).tables[0]]
    publishing.publish_draw(draw=made, by=actor)
    play_round(made, actor)
    assert drafted(event, actor, seed=3).seats.count() == 8


def test_sides_that_have_met_are_pointed_out_and_stated(swiss_round, actor):
    _event, first, second = swiss_round(8)
    (a, b), (c, d) = engine_round(second).tables
    met = {frozenset(table) for table in engine_round(first).tables}
    other = c if frozenset((a, c)) in met or frozenset((b, d)) in met else d
    change = preview_swap(draw=second, entry=b[0], other=other[0])
    assert {role for _names, role, _times in change.again} == {"opponent"}
    assert len(change.again) == 8  # two matches again, four pairs of opponents each
    made = swap_in_draft(draw=second, entry=b[0], other=other[0], by=actor)
    assert (second.statement["meet_again"], [times for *_, times in made.statement["meet_again"]]) == ([], [2, 2])


@pytest.mark.parametrize(("game", "per_side", "people"), [("st-hilary-v3", 2, 12), ("fletcher-two-hand", 1, 6)])
def test_a_knock_out_goes_on_from_the_bracket_as_it_was_changed(club, actor, rules_for, game, per_side, people):
    event = make_night(club, rules_for(game), slug="ko", format=Event.Format.KNOCK_OUT)
    Event.objects.filter(pk=event.pk).update(per_side=per_side)
    event.refresh_from_db()
    arrive(event, actor, people)
    if per_side > 1:
        partners.join_rest(event=event, by=actor, seed=1)
    draft = drafted(event, actor, seed=2)
    now = engine_round(draft)
    (a, b), (c, d) = now.tables  # six sides: two matches, two byes
    made = swap_in_draft(draw=draft, entry=a[0], other=now.sit_outs[0], by=actor)
    bye = next(unit.entries for unit in swap_units(draft) if now.sit_outs[0] in unit.entries)
    assert engine_round(made).tables == ((bye, b), (c, d))
    play_round(publishing.publish_draw(draw=made, by=actor), actor)
    second = drafted(event, actor, seed=2)
    met = {frozenset(table) for table in engine_round(made).tables}
    assert not met & {frozenset(table) for table in engine_round(second).tables}
    on = {side for table in engine_round(second).tables for side in table}
    assert a in on  # who has the bye now goes on
    first = engine_round(second).tables[0]
    with pytest.raises(StepRefused, match="From round 2"):
        swap_in_draft(draw=second, entry=first[0][0], other=engine_round(second).tables[1][0][0], by=actor)


def test_a_match_keeps_its_clubs_apart(club, actor, rules_for):
    match = make_night(club, rules_for("st-hilary-v3"), slug="match", format=Event.Format.TEAM_MATCH)
    arrive(match, actor, 8)
    partners.join_rest(event=match, by=actor, seed=1)
    for number, name in enumerate(("Acorns", "Acorns", "Oaks", "Oaks"), start=1):
        partners.set_side_club(event=match, number=number, club_name=name, by=actor)
    draft = drafted(match, actor, seed=2)
    (home, away), (other_home, _other_away) = engine_round(draft).tables
    with pytest.raises(StepRefused, match="different clubs"):
        swap_in_draft(draw=draft, entry=home[0], other=away[0], by=actor)
    made = swap_in_draft(draw=draft, entry=home[0], other=other_home[0], by=actor)
    assert engine_round(made).tables[0] == (other_home, away)


def test_a_draw_of_a_stage_is_changed_by_hand(club, actor, browser):
    contest = contests.played_contest(club, actor)
    contests.cut_stage(contest, actor)
    draft = make_draw(stage=contests.stage_of(contest, 2), by=actor, seen=0, options=DrawOptions(seed=3))
    first = Draw.objects.get(round__stage__number=1)
    table_of = dict(first.seats.values_list("entry", "group__table"))
    now = dict(draft.seats.values_list("entry", "group__table__number"))
    a = next(pk for pk in now if any(table_of[pk] == table_of[x] and now[x] != now[pk] for x in now if x != pk))
    mate = next(x for x in now if table_of[a] == table_of[x] and now[x] != now[a])
    other = next(x for x in now if now[x] == now[a] and x != a)
    change = preview_swap(draw=draft, entry=mate, other=other)
    names = dict(Entry.objects.filter(pk__in=now).values_list("pk", "name"))
    assert {names[a], names[mate]} in [set(shared) for shared, role, _times in change.again if role == "table"]
    page = reverse("draw_by_hand", args=["st-hilary", contest.slug, draft.pk])
    assert "shared a table in an earlier stage" in page_of(browser.get(page, {"one": mate, "other": other}))
    answer = browser.post(page, {"one": mate, "other": other}, follow=True)
    made = draft.round.draws.latest("number")
    assert answer.redirect_chain[-1][0] == reverse("draw_by_hand", args=["st-hilary", contest.slug, made.pk])
    assert made.statement["met_again"] == change.statement["met_again"] >= draft.statement["met_again"]
    publish_draw(draw=made, by=actor)
    step = page_of(browser.get(reverse("draw_step", args=["st-hilary", contest.slug, made.pk])))
    assert f"{names[mate]} ⇄ {names[other]}" in step
    assert dict(made.seats.values_list("entry", "group__table__number"))[mate] == now[other]


def test_changing_by_clicking_shows_what_it_brings_first(event, draft, browser):
    one = engine_round(draft)
    a, b = one.tables[0][0][0], one.tables[1][0][0]
    page = reverse("draw_by_hand", args=["st-hilary", event.slug, draft.pk])
    shown = page_of(browser.get(page, {"one": a, "other": b}))
    assert "This causes no rematch" in shown
    assert Draw.objects.count() == 1
    browser.post(page, {"one": a, "other": b})
    assert Draw.objects.count() == 2
    again = browser.post(page, {"one": a, "other": b}, follow=True)  # a second tap changes nothing back
    assert "newer version" in page_of(again)
    assert Draw.objects.count() == 2
    make_night(event.club, event.rules, slug="other")
    assert browser.post(page.replace(event.slug, "other"), {"one": a, "other": b}).status_code == 404


def test_a_version_is_not_published_in_the_place_of_one_that_nobody_looked_at(event, draft, actor, browser):
    page = reverse("round_draw", args=["st-hilary", event.slug])
    looked_at_first = {"step": "publish", "draw": draft.pk, "seen": draft.number}
    seats = engine_round(draft).tables
    made = swap_in_draft(draw=draft, entry=seats[0][0][0], other=seats[1][0][0], by=actor)
    for sent in (looked_at_first, {"step": "publish", "draw": draft.pk}):
        assert "There is a newer version of this draw" in page_of(browser.post(page, sent, follow=True))
        assert not Draw.objects.filter(state=Draw.State.PUBLISHED).exists()
    browser.post(page, {"step": "publish", "draw": made.pk, "seen": made.number})
    assert Draw.objects.get(state=Draw.State.PUBLISHED) == made


def test_an_older_version_of_a_stages_draw_says_that_there_is_a_newer(club, actor, browser):
    contest = contests.contest(club, actor)
    contests.enter(contest, actor)
    draft = make_draw(stage=contests.stage_of(contest, 1), by=actor, seen=0, options=DrawOptions(seed=1))
    step = reverse("draw_step", args=["st-hilary", contest.slug, draft.pk])
    assert "newer version" not in page_of(browser.get(step))
    seats = engine_round(draft).tables
    swap_in_draft(draw=draft, entry=seats[0][0][0], other=seats[1][0][0], by=actor)
    assert "newer version" in page_of(browser.post(step, {"step": "publish", "seen": "1"}, follow=True))
    assert not Draw.objects.filter(state=Draw.State.PUBLISHED).exists()
    assert "If you publish version 1, it replaces the newer one." in page_of(browser.get(step))
    browser.post(step, {"step": "publish", "seen": "2"})
    assert Draw.objects.get(state=Draw.State.PUBLISHED) == draft
