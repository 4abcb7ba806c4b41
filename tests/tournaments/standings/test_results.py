"""Results: published from the names on, and how long they are open to corrections, and what comes after."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from clubsite.accounts.models import Club, LogEntry
from clubsite.live import forget_bodies
from scoring.models import Game
from tests.pages import page_of
from tests.tournaments.contests import by_number, contest, deal, drawn, enter, play, played_contest, stage_of
from tests.tournaments.nights import make_night, play_night
from tournaments.cuts.cuts import propose, publish_cut, take_back_cut
from tournaments.documents.sheets import cut_sheet, result_sheet
from tournaments.errors import StepRefused
from tournaments.models import Cut, Event, PublishedStandings
from tournaments.standings.results import publish_result, result_of, take_back_result, window_of


@pytest.fixture
def night(club, actor, rules_for):
    event = make_night(club, rules_for("st-hilary-v3"))
    play_night(event, actor, people=8)
    event.refresh_from_db()
    return event


def public_page(event, client_of):
    return page_of(client_of(None).get(event.get_absolute_url()))


def passed(event, minutes):
    """Let the time go by since the result was published."""
    back = timedelta(minutes=minutes)
    Event.objects.filter(pk=event.pk).update(result_at=event.result_at - back)
    for version in PublishedStandings.objects.filter(event=event):
        PublishedStandings.objects.filter(pk=version.pk).update(at=version.at - back)
    forget_bodies()  # the page that is kept for everybody is made anew every minute


def test_the_public_page_says_until_when_corrections_are_open_and_then_that_it_is_final(night, client_of):
    passed(night, 29)
    assert "Tell the director about mistakes until" in public_page(night, client_of)
    passed(night, 31)
    page = public_page(night, client_of)
    assert "Tell the director about mistakes" not in page
    assert "Final: mistakes could be reported until" in page
    assert "is a correction after that" not in page


def test_a_later_correction_is_shown_as_one_with_its_time(night, actor, client_of):
    passed(night, 45)
    PublishedStandings.objects.update(rows=[])  # as if a card had been corrected since
    publish_result(event=night, by=actor, reason="a card was misread")
    assert "Version 2 is a correction after that, of" in public_page(night, client_of)


def test_the_standings_with_a_correction_sort_like_the_published_ones(night, director, client_of):
    PublishedStandings.objects.update(rows=[])  # as if a card had been corrected since
    page = f"/{night.club.slug}/desk/{night.slug}/close/"

    def names(sort):
        lines = client_of(director).get(page, {"sort": sort}).context["new_standings"]["lines"]
        return [row.name for row, _notes, _beside in lines]

    assert names("-name") == names("name")[::-1] != names("name")


def test_a_correction_within_the_window_is_an_ordinary_version_and_opens_no_other_window(night, actor, client_of):
    until = window_of(result_of(night), timezone.now()).until
    PublishedStandings.objects.update(rows=[])
    publish_result(event=night, by=actor, reason="a card was misread")
    night.refresh_from_db()
    again = window_of(result_of(night), timezone.now())
    assert (again.until, again.is_open, again.late) == (until, True, False)


def test_a_result_taken_back_and_published_again_has_a_window_of_its_own(night, actor):
    passed(night, 100)
    take_back_result(event=night, by=actor, reason="another round")
    publish_result(event=night, by=actor)
    night.refresh_from_db()
    assert window_of(result_of(night), timezone.now()).is_open


def test_a_result_of_before_there_were_windows_says_nothing(night, client_of):
    Event.objects.update(result_at=None)
    assert "corrections" not in public_page(night, client_of)


def in_zone(published, club):
    """The end of the window as it stands on a sheet, in the club's own time."""
    until = published + timedelta(minutes=club.correction_minutes)
    return date_format(until.astimezone(club.zone), "DATETIME_FORMAT")


def test_a_published_cut_has_a_window_too_on_the_page_and_on_paper(club, actor, client_of):
    event = played_contest(club, actor)
    stage = stage_of(event, 1)
    assert cut_sheet(stage)["window"] == ""  # a proposal
    cut = publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)
    assert "Tell the director about mistakes until" in public_page(event, client_of)
    stands = cut_sheet(stage, cut)["window"]
    assert stands == f"Corrections can be asked for until {in_zone(cut.published_at, club)}."
    Cut.objects.update(published_at=cut.published_at - timedelta(minutes=31))
    forget_bodies()
    page = public_page(event, client_of)
    assert "Tell the director about mistakes" not in page
    assert "Final: mistakes could be reported until" in page
    take_back_cut(cut=cut, by=actor, reason="a card was misread")
    assert cut_sheet(stage, Cut.objects.get())["window"] == ""
    forget_bodies()
    assert "corrections" not in public_page(event, client_of)


def test_the_sheet_of_a_result_says_until_when_corrections_can_be_asked_for(night):
    sheet = result_sheet(night)
    assert sheet
    assert sheet["window"] == f"Corrections can be asked for until {in_zone(night.result_at, night.club)}."
    Event.objects.update(result_at=None)
    night.refresh_from_db()
    assert result_sheet(night)["window"] == ""


def test_the_window_is_as_long_as_the_club_says(night, client_of):
    Club.objects.update(correction_minutes=90)
    passed(night, 45)
    assert "Tell the director about mistakes until" in public_page(night, client_of)


# The result of a competition, from the names on


def test_from_54_names_to_the_result(club, actor):
    event = played_contest(club, actor)
    for number in (1, 2):
        stage = stage_of(event, number)
        publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)
        play(drawn(stage_of(event, number + 1), actor), actor, by_number)
    result = publish_result(event=event, by=actor)
    assert result.final
    assert len(result.rows) == 6
    assert [row["place"] for row in result.rows] == [1, 2, 3, 4, 5, 6]
    assert [row["number"] for row in result.rows] == sorted(row["number"] for row in result.rows)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    assert publish_result(event=event, by=actor) == result
    take_back_result(event=event, by=actor, reason="a card was found")
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    verbs = set(LogEntry.objects.filter(club=club).values_list("verb", flat=True))
    assert {"entries.import", "draw.publish", "cut.publish", "result.publish", "result.withdraw"} <= verbs


def test_the_result_waits_for_open_games_unless_the_director_says_otherwise(club, actor):
    event = contest(club, actor, places=6, games=2)
    enter(event, actor, [f"Player {letter}" for letter in "abcdef"])
    drawn(stage_of(event, 1), actor)
    for game in Game.objects.filter(group_game__number=1):
        deal(game, actor, [3, 2, 1])
    with pytest.raises(StepRefused, match="2 sets of the final aren't finished"):
        publish_result(event=event, by=actor)
    assert publish_result(event=event, by=actor, sure=True).final
    deal(Game.objects.filter(group_game__number=1)[0], actor, [3, 9, 1], number=2)
    with pytest.raises(StepRefused, match="2 sets of the final aren't finished"):
        publish_result(event=event, by=actor)
