"""The pages of a night take as many queries for many people and tables as for few."""

from uuid import uuid4

from django.urls import reverse

from scoring.models import Deal
from tests.tournaments.nights import (
    drafted,
    games_of,
    make_night,
    play_deals,
    play_round,
    publish_next,
    queries_of,
    seated,
)
from tests.tournaments.pages.steps import mark
from tournaments.draws.drafts import engine_round
from tournaments.draws.rotation import add_wish
from tournaments.models import Adjustment, Wish
from tournaments.money import set_fee, take_fee
from tournaments.rounds import publishing
from tournaments.rulings.actions import adjust_points

OF_CLUB = ("club", "events", "calendar", "club_money")
PAGES = (
    *("event", "seats", "board", "evening", "desk_event", "here", "round_draw", "night_close", "wishes", "print"),
    *("table_links", "adjustments", "event_money", "fees"),
)


def pages_of(night, by, people):
    """Pages of a night by name: first while its second round is played, with disputes; then with that round closed,
    open games, wishes, fees, penalties, and the third round drafted."""
    play_round(seated(night, by, people), by)
    draw = publish_next(night, by)
    for game in games_of(draw):
        play_deals(game, by, deals=2)
        for deal, state in zip(Deal.objects.filter(game=game).order_by("number"), ("agreed", "disputed"), strict=True):
            mark(deal, by, state)
    at = [night.club.slug, night.slug]
    yield {
        "seat_changes": reverse("seat_changes", args=[*at, draw.groups[0].pk]),
        "playing": night.get_desk_url(),
        "keying": reverse("round_keying", args=[*at, 2]),
        "overview": reverse("desk", args=at[:1]),
    }
    disputed = set(Deal.objects.filter(versions__current=True, versions__state="disputed").values_list("pk", flat=True))
    publishing.close_round(round=draw.round, by=by, end_open=False, despite=disputed)
    for number in range(1, people // 4, 2):
        one, other = night.entries.filter(number__in=(number, number + 1))
        add_wish(event=night, by=by, wished=Wish(kind="apart", entry=one, other=other))
    set_fee(event=night, by=by, fee=500)
    for entry in night.entries.select_related("event__club")[: people // 2]:
        take_fee(entry=entry, by=by, submission=uuid4())
        late = Adjustment(entry=entry, points=-10, reason="late")
        adjust_points(stage=draw.round.stage, facts=late, by=by, submission=uuid4())
    draft = drafted(night, by, planned=2, steps=20_000)
    one, other = (table[0][0] for table in engine_round(draft).tables[:2])
    by_hand = reverse("draw_by_hand", args=[*at, draft.pk])
    yield {
        **{name: reverse(name, args=at[:1]) for name in OF_CLUB},
        **{name: reverse(name, args=at) for name in PAGES},
        "deals_file": reverse("deals_file", args=[*at, "csv"]),
        "round_step": reverse("round_step", args=[*at, 2]),
        "by_hand": f"{by_hand}?one={one}&other={other}",
    }


def test_a_night_of_many_asks_as_much_as_one_of_few(club, rules, actor, browser):
    few, many = (
        {
            name: queries_of(browser, address)
            for pages in pages_of(make_night(club, rules, slug=slug), actor, people)
            for name, address in pages.items()
        }
        for slug, people in (("few", 9), ("many", 34))
    )
    assert {name: (few[name], queries) for name, queries in many.items() if queries > few[name]} == {}
