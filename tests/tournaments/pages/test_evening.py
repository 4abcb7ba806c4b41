"""How an evening went: places round by round, and who met whom, for anybody."""

import re
from collections import Counter
from itertools import combinations

from hypothesis import given, strategies as st

from clubsite import live
from clubsite.accounts.models import Member
from tests.tournaments.nights import arrive, drafted, make_members, make_night, play_night
from tests.tournaments.results import make_season
from tournaments.documents.sheets import list_pages, result_sheet
from tournaments.models import Entry, Event, PublishedStandings, Seat
from tournaments.pictures import count_meetings

TABLES = st.lists(st.permutations(range(1, 9)).map(lambda p: [[p[0:2], p[2:4]], [p[4:6], p[6:8]]]), max_size=5)


@given(TABLES)
def test_the_words_say_who_met_whom_and_how_often(rounds):
    names = {n: f"Player {n}" for n in range(1, 10)}
    groups = [table for one in rounds for table in one]
    with_whom = Counter()
    for table in groups:
        for side in table:
            with_whom.update({(side[0], side[1]): 1, (side[1], side[0]): 1})
    met = count_meetings(groups, names)
    assert [one.name for one in met.people] == [names[n] for n in range(1, 9)] if rounds else not met.people
    for one in met.people:
        own = int(one.name.split()[1])
        told = {names[b]: times for (a, b), times in with_whom.items() if a == own}
        assert one.partners == tuple(
            name if told[name] == 1 else f"{name} ({told[name]} times)" for name in sorted(told)
        )
    if met.matrix:
        cells = sum(marks["path"].count("h.1") for marks in met.matrix["marks"])
        pairs = {
            (kind, frozenset(pair))
            for table in groups
            for kind, found in (
                ("partner", [tuple(side) for side in table]),
                ("opponent", [(a, b) for a in table[0] for b in table[1]]),
            )
            for pair in found
        }
        assert cells == 2 * len(pairs)


def test_more_people_than_a_square_can_show_are_told_in_words():
    for people, drawn in ((52, True), (56, False)):
        names = {n: f"Player {n:02}" for n in range(people)}
        met = count_meetings([[[n, n + 1], [n + 2, n + 3]] for n in range(0, people, 4)], names)
        assert (met.matrix is not None, len(met.people)) == (drawn, people)


def test_anybody_sees_how_an_evening_went(event, actor, client_of, scorekeeper):
    play_night(event, actor, 8, rounds=3)
    url = f"/st-hilary/events/{event.slug}/how-it-went/"
    for user in (None, scorekeeper):
        page = client_of(user).get(url).content.decode()
        assert "Places after each round" in page
        assert 'class="matrix" role="img"' in page
    told = dict(re.findall(r"<li>\s*<strong>(Player \d\d)</strong>\s*<br>with ([^<]*)", page))
    for a, b in met_as_partners():
        assert b in told[a]
        assert a in told[b]
    assert client_of(None).get(f"/harbour/events/{event.slug}/how-it-went/").status_code == 404


def met_as_partners():
    sides = {}
    for seat in Seat.objects.select_related("entry"):
        sides.setdefault((seat.group_id, seat.side), []).append(seat.entry.name)
    return {pair for names in sides.values() for pair in combinations(sorted(names), 2)}


def test_a_draft_is_not_told(event, actor, client_of):
    arrive(event, actor, 8)
    drafted(event, actor)
    page = client_of(None).get(f"/st-hilary/events/{event.slug}/how-it-went/").content.decode()
    assert "Player 01" not in page
    assert "Nothing is published yet." in page


def test_a_name_that_is_cut_short_is_hidden_as_well(club, actor, rules_for, client_of):
    long = "Maximiliana Featherstonehaugh-Cholmondeley"
    first = make_members(club, 8)[0]
    season = make_season(club)
    events = [make_night(club, rules_for("st-hilary-v3"), slug=f"n{day}", season=season, day=day) for day in (6, 13)]
    for event in events:
        play_night(event, actor, 8, rounds=2)
    Member.objects.filter(pk=first.pk).update(name=long)
    Entry.objects.filter(member=first).update(name=long)
    for published in PublishedStandings.objects.all():
        published.rows = [row | ({"name": long} if row["member"] == first.pk else {}) for row in published.rows]
        published.save()
    urls = [f"/st-hilary/events/{event.slug}/{page}" for event in events for page in ("", "how-it-went/")] + [
        f"/st-hilary/seasons/{season.pk}/?who={first.pk}"
    ]
    shown = [client_of(None).get(url).content.decode() for url in urls]
    assert all("Maximiliana" in page for page in shown)
    Member.objects.filter(pk=first.pk).update(initials_only=True)
    live.forget_bodies()
    for url in urls:
        page = client_of(None).get(url).content.decode()
        assert "Maxim" not in page, url
        assert "M. F" in page
    sheet = result_sheet(Event.objects.select_related("club", "rules").get(pk=events[0].pk))
    assert "Maxim" not in "".join(list_pages(sheet, "A4").documents)
