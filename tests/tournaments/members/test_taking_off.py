"""A name written by mistake: taken off while nothing rests on it, and never after."""

import pytest

from clubsite.accounts.models import Actor, LogEntry, Member
from tests.pages import page_of
from tournaments.errors import StepRefused
from tournaments.members.actions import remove_guest, remove_member
from tournaments.members.merging import merge
from tournaments.models import Entry, PublishedStandings
from tournaments.rounds import attendance

GUESTS = "/st-hilary/members/guests/"


@pytest.fixture
def gus(on_now, actor):
    """A mistyped walk-in, pressed away again."""
    return attendance.leave(entry=attendance.arrive(event=on_now, by=actor, name="Gus Geust"), by=actor)


def test_a_mistyped_guest_is_taken_off_and_the_log_says_so(browser, gus):
    page = page_of(browser.get(GUESTS))
    assert page.count("Remove from the list") == 1, "not of the guest who played"
    answer = browser.post(GUESTS, {"guest": "gus geust", "step": "off"}, follow=True)
    assert "Gus Geust is off the list." in page_of(answer)
    assert not Entry.objects.filter(pk=gus.pk).exists()
    entry = LogEntry.objects.get(verb="entry.remove")
    assert (entry.subject, entry.event) == (f"{gus.event} · Gus Geust", gus.event_id)


def test_who_is_here_or_has_played_stays_a_guest(on_now, actor, club):
    attendance.arrive(event=on_now, by=actor, name="Bob Here")
    for name in ("Gus Guest", "Bob Here", "Nobody"):
        with pytest.raises(StepRefused):
            remove_guest(club=club, by=actor, name=name)
    assert Entry.objects.filter(name__in=["Gus Guest", "Bob Here"]).count() == 2


def test_a_guest_in_a_result_stays(gus, actor, club):
    result = PublishedStandings.objects.filter(event__slug="n6", final=True).latest("pk")
    row = {**result.rows[0], "entry": gus.pk}
    PublishedStandings.objects.filter(pk=result.pk).update(event=gus.event, rows=[row])
    with pytest.raises(StepRefused, match="can't be removed"):
        remove_guest(club=club, by=actor, name=gus.name)


def test_a_member_added_by_mistake_is_taken_off(on_now, director, client_of, club):
    by, browser = Actor(user=director, name="Ruth"), client_of(director)
    attendance.leave(entry=attendance.arrive(event=on_now, by=by, name="Gus Geust", join=True), by=by)
    member = Member.objects.get(name="Gus Geust")
    address = f"/st-hilary/members/{member.pk}/change/"
    assert "Remove from the list" in page_of(browser.get(address))
    answer = browser.post(address, {"step": "off"}, follow=True)
    assert "Gus Geust is off the list." in page_of(answer)
    assert not Member.every.filter(pk=member.pk).exists()
    assert not Entry.objects.filter(name="Gus Geust").exists()
    assert LogEntry.objects.filter(verb="member.remove", subject="Gus Geust").count() == 1


def test_a_member_of_whom_anything_is_kept_stays(season, ann, actor, director, client_of, club):
    kept, other = (Member.objects.create(club=club, name=name) for name in ("Zoe Kept", "Zoe Other"))
    merge(kept=kept, merged=other, by=actor)
    for member in (ann, kept):
        assert "Remove from the list" not in page_of(client_of(director).get(f"/st-hilary/members/{member.pk}/change/"))
        with pytest.raises(StepRefused, match="can't be removed"):
            remove_member(member=member, by=actor)
        assert Member.objects.filter(pk=member.pk).exists()
