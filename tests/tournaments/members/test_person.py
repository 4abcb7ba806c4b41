"""One person's page and export: the same figures, counted apart from each other."""

import json
from collections import Counter
from fractions import Fraction
from uuid import uuid4

import pytest

from clubsite.accounts.models import LogEntry, Member
from scoring.cards.deals import mark_deal
from scoring.models import Deal, Points
from tests.pages import page_of
from tests.tournaments.members.recount import recount
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, play_night, publish_next, queries_in
from tournaments.members.record import member_record


@pytest.fixture
def taken(ann, director, client_of):
    answer = client_of(director).post(f"/st-hilary/members/{ann.pk}/export/")
    assert answer["Content-Disposition"] == 'attachment; filename="player-01.json"'
    return json.loads(answer.content)


def of_record(record):
    (one,) = record.averages
    return {
        "a_deal": one.per_deal,
        "made": one.bids_made,
        "failed": one.bids_failed,
        "places": {n.entry.event_id: (n.place, n.of, n.points) for n in record.nights if n.published},
        "partners": Counter({met["name"]: met["partner"] for met in record.partners}),
        "opponents": Counter({met["name"]: met["opponent"] for met in record.opponents}),
        "best": [deal.points for deal in one.best],
        "nights": len(record.nights),
    }


def test_the_page_has_the_figures_that_the_file_gives(ann, taken):
    figures = of_record(member_record(ann))
    assert recount(taken) == figures
    assert figures["made"] + figures["failed"] > 0
    assert figures["nights"] == 3
    assert len(figures["places"]) == 2
    assert figures["partners"].total() * 2 == figures["opponents"].total() > 0


def test_deals_that_were_voided_count_nowhere(ann, actor, director, client_of):
    before = member_record(ann)
    deal = Deal.objects.get(game=before.deals[-1].game, number=before.deals[-1].number)
    mark_deal(deal=deal, state="void", by=actor, submission=uuid4(), seen=1, reason="misdeal")
    after = member_record(ann)
    assert len(after.deals) == len(before.deals) - 1
    answer = client_of(director).post(f"/st-hilary/members/{ann.pk}/export/")
    assert recount(json.loads(answer.content)) == of_record(after)


def test_the_clubs_average_is_of_all_sides(ann):
    (own,) = member_record(ann).averages
    points = list(Points.objects.filter(version__current=True).values_list("points", flat=True))
    assert own.club == Fraction(sum(points), len(points)), "no deal of these nights came after the end of its game"


def test_the_file_says_everything_that_is_kept_and_nothing_of_others_log(ann, taken, director):
    assert taken["person"]["email"] == "ann@example.org"
    assert taken["person"]["note"] == "brings cake"
    assert set(taken["about"]) == set(taken) - {"format", "version", "made_at", "club", "about"}
    assert {event["name_on_list"] for event in taken["events"]} == {"Player 01"}
    assert "Player 02" not in json.dumps(taken["log"])
    assert LogEntry.objects.filter(verb="member.export").count() == 1


def test_a_visitor_sees_the_record_and_no_way_to_change_anything(ann, season, client_of, director):
    url = f"/st-hilary/members/{ann.pk}/"
    page = page_of(client_of(None).get(url))
    assert "2 nights played." in page, "the night that is on isn't over"
    assert "Points per deal" in page
    assert "no result yet" in page
    assert "/change/" not in page
    assert "/games/" not in page
    assert f"{url}change/" in page_of(client_of(director).get(url))


def test_of_the_first_night_only_its_deals_are_told_until_it_is_over(event, club, actor, client_of):
    arrive(event, actor, 4)
    games = games_of(publish_next(event, actor))
    first = Member.objects.get(club=club, name="Player 01")
    address = f"/st-hilary/members/{first.pk}/"
    page = page_of(client_of(None).get(address))
    assert "Nothing played yet" in page
    assert "no result yet" in page, "what is drawn is there to be seen"
    play_deals(games[0], actor, deals=2)
    page = page_of(client_of(None).get(address))
    assert "2 deals." in page
    assert "Nothing played yet" not in page
    assert "night played" not in page


def test_somebody_who_has_not_played_has_a_page(ann, client_of):
    new = Member.objects.create(club=ann.club, name="Newcomer")
    assert "Nothing played yet" in page_of(client_of(None).get(f"/st-hilary/members/{new.pk}/"))


@pytest.mark.proof
def test_a_person_takes_as_many_queries_after_more_nights(season, ann, actor):
    ann, counts = Member.objects.select_related("club").get(pk=ann.pk), []
    for day in (24, 25, None):
        counts.append(queries_in(lambda: member_record(ann)))
        if day:
            rules = season.events.first().rules
            play_night(make_night(season.club, rules, slug=f"n{day}", season=season, day=day), actor, 12, rounds=2)
    assert counts == [6, 6, 6]


def test_the_game_is_named_in_the_readers_language(ann, client):
    client.cookies["language"] = client.cookies["django_language"] = "es"
    page = page_of(client.get(f"/st-hilary/members/{ann.pk}/"))
    assert "Pinochle por parejas de St. Hilary, versión 3" in page
