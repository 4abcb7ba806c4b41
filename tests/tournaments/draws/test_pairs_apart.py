"""Pairs that mustn't meet, where draws follow from the results: kept apart, refused, or said to be impossible."""

import pytest
from django.urls import reverse
from django.utils.html import escape

from tests.tournaments.draws.test_by_format import make_event, pair_in_order, paired, play_round
from tests.tournaments.nights import drafted
from tournaments.draws import changes
from tournaments.draws.drafts import engine_round, played_draws
from tournaments.draws.making import why_stale
from tournaments.draws.rotation import add_wish, remove_wish, stored_outcomes
from tournaments.engine.formats.knock_out import seed_bracket
from tournaments.errors import StepRefused
from tournaments.models import Draw, Wish
from tournaments.rounds import publishing, seeding

pytestmark = pytest.mark.django_db


def keep_apart(event, actor, one, other):
    """Wish that two people don't meet."""
    entries = [event.entries.get(pk=pk) for pk in (one, other)]
    return add_wish(event=event, wished=Wish(kind="apart", entry=entries[0], other=entries[1]), by=actor)


def meet(seats, one, other):
    """Whether two people are at one table."""
    return any({one, other} <= {person for side in table for person in side} for table in seats.tables)


def first_match(draw):
    """One person of each side of table 1."""
    one, other = engine_round(draw).tables[0]
    return one[0], other[1]


def test_a_swiss_never_pairs_two_who_must_not_meet(club, actor):
    event = paired(club, actor, "swiss", 16, rounds=5)
    draft = drafted(event, actor, seed=1)
    pair = first_match(draft)
    keep_apart(event, actor, *pair)
    assert why_stale(draft)
    with pytest.raises(StepRefused):
        publishing.publish_draw(draw=draft, by=actor)
    for n in range(5):
        play_round(event, actor, seed=1 + n)
    assert [meet(engine_round(draw), *pair) for draw in played_draws(event)] == [False] * 5


def test_a_change_by_hand_says_which_pair_it_brings_together(club, actor, browser):
    event = paired(club, actor, "swiss", 16, rounds=5)
    pair = first_match(drafted(event, actor, seed=1))
    keep_apart(event, actor, *pair)
    draft = drafted(event, actor, seed=1)
    assert [outcome.met for outcome in stored_outcomes(draft.statement)] == [True]
    against = next(
        side
        for table in engine_round(draft).tables
        for side in table
        if pair[0] not in side and any(pair[0] in other for other in table)
    )
    change = changes.preview_swap(draw=draft, entry=min(against), other=pair[1])
    assert [outcome.wish.people for outcome in change.broken] == [tuple(sorted(pair))]
    changed = changes.swap_in_draft(draw=draft, entry=min(against), other=pair[1], by=actor)
    assert [outcome.met for outcome in stored_outcomes(changed.statement)] == [False]


@pytest.mark.parametrize("people", [16, 12])
def test_a_knock_out_keeps_two_apart_in_its_first_round(club, actor, people):
    event = paired(club, actor, "knock-out", people, level="lots")
    pair = first_match(drafted(event, actor, seed=1))
    wish = keep_apart(event, actor, *pair)
    for seed in range(1, 12):
        assert not meet(engine_round(drafted(event, actor, seed=seed)), *pair)
    remove_wish(wish=wish, by=actor)
    assert meet(engine_round(drafted(event, actor, seed=1)), *pair)
    play_round(event, actor)
    with pytest.raises(StepRefused):
        keep_apart(event, actor, *pair)


def test_seeds_that_bring_together_who_must_not_meet_are_named(club, actor):
    event = paired(club, actor, "knock-out", 8)
    first, *_others, last = event.entries.order_by("number")
    keep_apart(event, actor, first.pk, last.pk)
    seeding.seed_by_numbers(
        event=event, numbers={entry.pk: entry.number for entry in event.entries.all()}, points=False, by=actor
    )
    event.refresh_from_db()
    with pytest.raises(StepRefused):
        drafted(event, actor)
    event.wishes.all().delete()
    assert meet(engine_round(drafted(event, actor)), first.pk, last.pk)


@pytest.mark.parametrize("format", ["swiss", "knock-out"])
def test_a_wish_that_leaves_no_round_is_refused_at_once(club, actor, format):
    event = paired(club, actor, format, 4)
    people = list(event.entries.order_by("number"))
    with pytest.raises(StepRefused):
        keep_apart(event, actor, people[0].pk, people[3].pk)
    with pytest.raises(StepRefused):  # partners are at one table always
        keep_apart(event, actor, people[0].pk, people[1].pk)
    assert not event.wishes.exists()
    drafted(event, actor)


def test_a_wish_that_leaves_no_round_later_is_named_in_place_of_rematches(club, actor):
    event = paired(club, actor, "swiss", 8, rounds=3)
    play_round(event, actor, seed=1)
    play_round(event, actor, seed=2)
    sides = {entry.team: entry.pk for entry in event.entries.all()}
    met = {
        frozenset(p for side in table for p in side)
        for draw in played_draws(event)
        for table in engine_round(draw).tables
    }
    first, *others = sides.values()
    (left,) = [pk for pk in others if not any({first, pk} <= people for people in met)]
    with pytest.raises(StepRefused) as refused:
        keep_apart(event, actor, first, left)
    assert "rematch" not in str(refused.value.message)
    drafted(event, actor)


@pytest.mark.parametrize("format", ["ladder", "progressive", "round-robin"])
def test_other_formats_keep_nobody_apart(club, actor, format):
    event = make_event(club, actor, format, people=8)
    if event.fixed_sides:
        pair_in_order(event, actor)
    people = list(event.entries.order_by("number"))
    with pytest.raises(StepRefused):
        keep_apart(event, actor, people[0].pk, people[4].pk)


@pytest.mark.parametrize("kind", ["always", "never", "once"])
def test_a_swiss_takes_no_other_wish(club, actor, kind):
    event = paired(club, actor, "swiss", 16)
    one, *_others, other = event.entries.order_by("number")
    with pytest.raises(StepRefused):
        add_wish(event=event, wished=Wish(kind=kind, entry=one, other=other), by=actor)
    with pytest.raises(StepRefused):
        add_wish(event=event, wished=Wish(kind="apart", entry=one, other=other, hard=False), by=actor)


def test_a_knock_out_puts_two_who_must_not_meet_in_different_halves(club, actor):
    event = paired(club, actor, "knock-out", 32)
    people = list(event.entries.order_by("number"))
    pairs = [(people[n], people[n + 2]) for n in (0, 4, 8)]
    for one, other in pairs:
        keep_apart(event, actor, one.pk, other.pk)
    for seed in range(1, 9):
        order = seed_bracket([(entry,) for entry in drafted(event, actor, seed=seed).statement["order"]])
        half = {entry: place // (len(order) // 2) for place, side in enumerate(order) for entry in side}
        side = {entry.team: entry.pk for entry in reversed(people)}
        assert all(half[side[one.team]] != half[side[other.team]] for one, other in pairs)


@pytest.mark.parametrize(("seeds", "same_half"), [((1, 4), True), ((1, 2), False)])
def test_the_page_of_the_draw_names_two_whom_seeds_put_into_one_half(club, actor, browser, seeds, same_half):
    event = paired(club, actor, "knock-out", 16)
    people = list(event.entries.order_by("number"))
    one, other = (people[2 * seed - 2] for seed in seeds)
    keep_apart(event, actor, one.pk, other.pk)
    seeding.seed_by_numbers(event=event, numbers={entry.pk: entry.team for entry in people}, points=False, by=actor)
    event.refresh_from_db()
    drafted(event, actor)
    page = browser.get(reverse("round_draw", args=[club.slug, event.slug]))
    named = [sentence for sentence in page.context["again"] if one.name in sentence and other.name in sentence]
    assert len(named) == 1 + same_half  # the wish itself is met: they don't meet in the first round
    assert all(str(escape(sentence)) in page.content.decode() for sentence in named)


@pytest.mark.daily(4)
@pytest.mark.parametrize(
    ("format", "led_to"),
    [
        ("swiss", True),
        ("knock-out", True),
        ("round-robin", True),
        *((format, False) for format in ("ladder", "progressive", "team-match", "single-table")),
    ],
)
def test_the_page_of_wishes_is_led_to_where_it_works_and_elsewhere_says_why_not(club, actor, browser, format, led_to):
    event = make_event(club, actor, format, people=8)
    address = reverse("wishes", args=[club.slug, event.slug])
    answer = browser.get(address)
    for page in (reverse("round_draw", args=[club.slug, event.slug]), event.get_desk_url()):
        assert (address in browser.get(page).content.decode()) is led_to
    takes_wishes = format in ("swiss", "knock-out")
    assert ("entry" in answer.content.decode()) is takes_wishes
    assert bool(answer.context["why_none"]) is not takes_wishes


def test_a_pair_is_kept_apart_and_let_go_by_clicking(club, actor, browser):
    event = paired(club, actor, "swiss", 16)
    page = reverse("wishes", args=[club.slug, event.slug])
    one, *_others, other = event.entries.order_by("number")
    assert set(browser.get(page).context["form"].fields) == {"entry", "other"}
    browser.post(page, {"step": "add", "entry": one.pk, "other": other.pk})
    (wish,) = event.wishes.all()
    assert (wish.kind, wish.entry, wish.other, wish.hard) == ("apart", one, other, True)
    browser.post(page, {"step": "remove", "wish": wish.pk})
    assert not event.wishes.exists()
    assert not Draw.objects.exists()
