"""Members who want initials on public pages: no public page has the name."""

import pytest
from django.http import HttpResponse

from clubsite import live
from clubsite.accounts.models import Member
from clubsite.accounts.name_privacy import hidden_names, hide_names
from tests.pages import page_of
from tournaments.documents.sheets import list_pages, prize_sheet, season_sheet, seating_sheet, standings_sheet
from tournaments.engine.prizes import Prize
from tournaments.members import actions
from tournaments.members.merging import merge
from tournaments.members.pasting import ListedPerson
from tournaments.models import Draw, Entry
from tournaments.prizes.actions import plan_prizes, prize_plan, propose_prizes, publish_prizes

NAME = "Łucja D'Arcy"


def pages(season):
    club = "/st-hilary/"
    found = ["/", club, club + "events/", f"{club}seasons/{season.pk}/", f"{club}seasons/{season.pk}/need/"]
    for slug in ("n6", "on"):
        found += [f"{club}events/{slug}/{page}" for page in ("", "seats/", "board/")]
    return [*found, club + "handicaps/st-hilary-v3/"]


@pytest.fixture
def hidden(ann, actor):
    actions.change_member(member=ann, by=actor, person=ListedPerson(NAME), initials_only=False)
    return Member.objects.get(pk=ann.pk)


def test_no_public_page_has_the_name(season, hidden, actor, client_of, director):
    def shown(user, name):
        escaped = name.replace("'", "&#x27;")
        return [url for url in pages(season) if escaped in page_of(client_of(user).get(url))]

    with_name = shown(None, NAME)
    assert "/st-hilary/events/on/" in with_name
    assert f"/st-hilary/seasons/{season.pk}/" in with_name
    in_results = shown(None, "Player 01")
    assert in_results, "published before the name was changed"
    actions.change_member(member=hidden, by=actor, person=ListedPerson(NAME), initials_only=True)
    live.forget_bodies()
    for user in (None, director):
        assert shown(user, NAME) == []
        assert shown(user, "Player 01") == [], "nor the name of earlier results"
        assert set(with_name) <= set(shown(user, "Ł. D.")) | set(shown(user, "P. 0."))
    assert "Player 02" in page_of(client_of(None).get("/st-hilary/events/on/seats/")), "others have their names"


@pytest.mark.proof
def test_names_lead_to_the_pages_of_those_who_have_one_for_the_visitor(
    season, hidden, actor, client_of, scorekeeper, stranger
):
    link = f'href="/st-hilary/members/{hidden.pk}/"'

    def leading(user):
        club = "/st-hilary/events/"
        urls = [*(f"{club}{slug}/{page}" for slug in ("n6", "on") for page in ("", "?sort=name")), f"{club}on/seats/"]
        urls.append(f"/st-hilary/seasons/{season.pk}/?nights=all")
        urls += ["/st-hilary/desk/on/"] if user == scorekeeper else []
        return [url for url in urls if link not in page_of(client_of(user).get(url))]

    for user in (None, stranger, scorekeeper):
        assert leading(user) == []
    actions.change_member(member=hidden, by=actor, person=ListedPerson(NAME), initials_only=True)
    live.forget_bodies()
    club = "/st-hilary/events/"
    sorted_too = [f"{club}{slug}/{sort}" for slug in ("n6", "on") for sort in ("", "?sort=name")]
    kept = [*sorted_too, f"{club}on/seats/"]  # the same for everybody
    assert set(leading(None)) == set(leading(stranger)) >= {*kept, f"/st-hilary/seasons/{season.pk}/?nights=all"}
    assert leading(scorekeeper) == kept
    assert 'href="/st-hilary/members/' in page_of(client_of(None).get(f"{club}on/seats/")), "others have theirs"


def test_a_season_leads_to_the_pages_of_people_who_have_one(season, hidden, actor, client_of, scorekeeper):
    def leads(user):
        page = page_of(client_of(user).get(f"/st-hilary/seasons/{season.pk}/", {"who": hidden.pk}))
        return f'href="/st-hilary/members/{hidden.pk}/"' in page

    assert leads(None)
    actions.change_member(member=hidden, by=actor, person=ListedPerson(NAME), initials_only=True)
    assert not leads(None)
    assert leads(scorekeeper)


def test_the_person_has_a_page_for_the_club_alone(hidden, actor, client_of, scorekeeper, stranger):
    url = f"/st-hilary/members/{hidden.pk}/"
    assert client_of(None).get(url).status_code == 200
    actions.change_member(member=hidden, by=actor, person=ListedPerson(NAME), initials_only=True)
    assert client_of(None).get(url).status_code == 404
    assert client_of(stranger).get(url).status_code == 404
    assert "Łucja D&#x27;Arcy" in page_of(client_of(scorekeeper).get(url))
    other = Member.objects.get(club=hidden.club, name="Player 02")
    page = page_of(client_of(None).get(f"/st-hilary/members/{other.pk}/"))
    assert "Ł. D." in page, "among those who were met"
    assert "Arcy" not in page
    assert "Arcy" in page_of(client_of(scorekeeper).get(f"/st-hilary/members/{other.pk}/"))


def test_a_name_within_another_persons_stays(club):
    Member.objects.create(club=club, name="Hilary", initials_only=True)
    Member.objects.create(club=club, name="Hilary Jones")
    names = hidden_names(club)
    assert names.html("<p>St. Hilary: Hilary Jones, Hilary</p>") == "<p>St. Hilary: Hilary Jones, H.</p>"


def test_what_was_merged_into_somebody_is_hidden_as_well(club, actor):
    kept = Member.objects.create(club=club, name="Agnes Kowalczyk", initials_only=True)
    merge(kept=kept, merged=Member.objects.create(club=club, name="Agnes Kowalcyk"), by=actor)
    assert hidden_names(club).text("Agnes Kowalcyk & Bob") == "A. K. & Bob"


def test_cards_have_the_name(hidden, actor, client_of, scorekeeper):
    actions.change_member(member=hidden, by=actor, person=ListedPerson(NAME), initials_only=True)
    game = Entry.objects.get(event__slug="on", member=hidden).seats.first().group.games.first().game
    card = client_of(scorekeeper).get(f"/st-hilary/games/{game.pk}/")
    assert "Player 01" in page_of(card), "as it was written there"


def test_sheets_on_the_wall_have_initials(season, hidden, actor):
    actions.change_member(member=hidden, by=actor, person=ListedPerson(NAME), initials_only=True)
    event = season.events.get(slug="on")
    seating = seating_sheet(Draw.objects.get(round__stage__event=event))
    for sheet in (seating, standings_sheet(event.stages.get()), season_sheet(season)):
        (page,) = list_pages(sheet, "A4").documents
        assert "Ł. D." in page
        assert "Arcy" not in page
        assert "Player 02" in page


def test_the_sheet_of_prizes_has_initials(season, hidden, actor):
    event = season.events.get(slug="n6")
    plan_prizes(event=event, by=actor, prizes=[Prize("place", 1, 100)], ties="share", one_each=True)
    now = propose_prizes(event, prize_plan(event))
    publish_prizes(event=event, by=actor, fingerprint=now.fingerprint)
    (winner,) = now.lines[0].winners
    member = Member.objects.get(pk=winner.member)
    assert winner.name in list_pages(prize_sheet(event), "A4").documents[0]
    actions.change_member(member=member, by=actor, person=ListedPerson(member.name), initials_only=True)
    assert winner.name not in list_pages(prize_sheet(event), "A4").documents[0]


@pytest.mark.parametrize(
    ("kind", "sent", "got"),
    [
        ("text/html; charset=utf-8", '<a href="/Ann Abel/">Ann Abel</a>', '<a href="/Ann Abel/">A. A.</a>'),
        ("text/csv", "1;Ann Abel;20", "1;A. A.;20"),
        (
            "application/json",
            '{"rows": [{"name": "Ann Abel", "points": 20}]}',
            '{"rows": [{"name": "A. A.", "points": 20}]}',
        ),
        ("application/pdf", "Ann Abel", "Ann Abel"),
    ],
)
def test_pages_tables_and_data_are_told_apart(kind, sent, got, club):
    Member.objects.create(club=club, name="Ann Abel", initials_only=True)
    assert hide_names(HttpResponse(sent, content_type=kind), [club]).content.decode() == got
