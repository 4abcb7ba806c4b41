"""Who takes part: added, renamed, withdrawn, back again, called up; and the pages for it."""

import pytest
from django.urls import reverse

from clubsite.accounts.models import LogEntry, Member
from scoring.models import Game, Side
from tests.pages import page_of
from tests.tournaments.contests import NAMES, contest, drawn, enter, stage_of
from tests.tournaments.nights import queries_of
from tournaments.entries.actions import add_entry, call_up_reserve, change_entry, make_reserve, return_entry, withdraw
from tournaments.errors import StepRefused
from tournaments.models import Entry, Seat


@pytest.fixture
def event(club, actor):
    return contest(club, actor, places=6)


def changed(entry, by, **said):
    told = {"name": entry.name, "member": entry.member, "eligible": entry.eligible, "note": entry.note}
    return change_entry(entry=entry, by=by, **(told | said))


def test_a_name_on_the_list_is_refused_with_its_number(event, actor):
    add_entry(event=event, name="Ann Abel", by=actor)
    with pytest.raises(StepRefused, match="ann ABEL is already on the list, as number 1"):
        add_entry(event=event, name="ann  ABEL", by=actor)


def test_the_seventh_of_six_is_a_reserve_until_a_place_is_free(event, actor):
    entries = enter(event, actor, NAMES[:6])
    reserve = add_entry(event=event, name="Rita Reserve", by=actor)
    assert reserve.state == Entry.State.RESERVE
    with pytest.raises(StepRefused, match="All 6 places are taken"):
        call_up_reserve(entry=reserve, by=actor)
    withdraw(entry=entries[0], by=actor, reason="ill")
    assert call_up_reserve(entry=reserve, by=actor).state == Entry.State.HERE
    assert return_entry(entry=entries[0], by=actor).state == Entry.State.RESERVE


def test_a_second_tap_on_withdraw_writes_no_second_log_entry(event, actor):
    entry = enter(event, actor, NAMES[:6])[0]
    withdraw(entry=entry, by=actor)
    withdraw(entry=entry, by=actor)
    assert LogEntry.objects.filter(verb="entry.withdraw").count() == 1


def test_a_new_name_stands_on_the_cards_that_are_open(event, actor):
    entries = enter(event, actor, NAMES[:6])
    drawn(stage_of(event, 1), actor)
    over = Game.objects.filter(group_game__group__seats__entry=entries[1]).first()
    Game.objects.filter(pk=over.pk).update(state=Game.State.OVER)
    changed(entries[0], actor, name="Annabel Abel")
    changed(entries[1], actor, name="Bertram Abel")
    names = [name for side in Side.objects.all() for name in side.names]
    assert "Bert Abel" in names
    assert "Bertram Abel" not in names
    shared = Seat.objects.get(entry=entries[0]).group_id == Seat.objects.get(entry=entries[1]).group_id
    assert ("Annabel Abel" in names) is not shared


def test_who_may_not_go_on_needs_a_reason(event, actor):
    entry = enter(event, actor, NAMES[:6])[0]
    with pytest.raises(StepRefused, match="why Ann Abel may not go on"):
        changed(entry, actor, eligible=False)


def test_a_member_has_one_entry(event, actor, club):
    entries = enter(event, actor, NAMES[:6])
    member = Member.objects.create(club=club, name="Somebody")
    changed(entries[0], actor, member=member)
    with pytest.raises(StepRefused, match="has another entry"):
        changed(entries[1], actor, member=member)


def test_a_name_without_its_accents_or_with_another_apostrophe_is_the_members(event, actor, club):
    """An old list has María Ruiz as “Maria Ruiz”: it stood there as a stranger, beside a member of that name."""
    maria, peg = (Member.objects.create(club=club, name=name) for name in ("María Ruiz", "Peg O’Malley"))
    entries = enter(event, actor, ("Maria Ruiz", "O'Malley, Peg"))
    assert [(e.name, e.member) for e in entries] == [("Maria Ruiz", maria), ("O'Malley, Peg", peg)]


def test_who_is_one_of_several_members_by_the_sound_alone_is_nobodys(event, actor, club):
    jose, _other = (Member.objects.create(club=club, name=name) for name in ("José Núñez", "Jose Núñez"))
    assert add_entry(event=event, name="Jose Nunez", by=actor).member is None
    assert add_entry(event=event, name="josé NÚÑEZ", by=actor).member == jose


def test_two_names_of_a_list_are_never_one_member(event, actor, club):
    maria = Member.objects.create(club=club, name="María Ruiz")
    assert [e.member for e in enter(event, actor, ("Maria Ruiz", "María Ruiz"))] == [None, maria]


def test_who_has_a_seat_is_withdrawn_not_made_a_reserve(event, actor):
    entry = enter(event, actor, NAMES[:6])[0]
    drawn(stage_of(event, 1), actor)
    with pytest.raises(StepRefused, match="has a seat in a published draw"):
        make_reserve(entry=entry, by=actor)


# The pages


def page(event, name="entries", *args):
    return reverse(name, args=[event.club.slug, event.slug, *args])


def test_the_list_costs_the_same_for_few_and_many(event, actor, browser):
    counts = set()
    for names in (NAMES[:1], NAMES[1:3], NAMES[3:6]):
        enter(event, actor, names)
        counts.add(queries_of(browser, page(event)))
    assert len(counts) == 1, counts


def test_one_more_name_from_the_page(event, browser):
    assert browser.post(page(event), {"name": "Ann Abel"}).status_code == 302
    shown = browser.post(page(event), {"name": "Ann Abel"}).content.decode()
    assert "is already on the list" in shown
    assert 'value="Ann Abel"' in shown


def test_one_more_name_that_sounds_like_somebody_is_asked_about(event, actor, browser):
    Member.objects.create(club=event.club, name="Irene Nowak")
    add_entry(event=event, by=actor, name="Ana Ruiz")

    def send(name, **said):
        return page_of(browser.post(page(event), {"name": name, **said}, follow=True))

    assert "Irene Novak: the same as Irene Nowak?" in send("Irene Novak")
    assert event.entries.count() == 1
    assert "Irene Nowak is entered" in send("Irene Novak", **{"who-irene novak-irene nowak": "same"})
    assert "Ana Ruis: the same as Ana Ruiz?" in send("Ana Ruis")
    assert "Ana Ruiz is already on the list, as number 1" in send("Ana Ruis", **{"who-ana ruis-ana ruiz": "same"})
    assert "Ana Ruis is entered" in send("Ana Ruis", **{"who-ana ruis-ana ruiz": "other"})
    assert "ana ruiz is already on the list, as number 1" in send("ana ruiz"), "no question about one's own name"
    assert [entry.name for entry in event.entries.all()] == ["Ana Ruiz", "Irene Nowak", "Ana Ruis"]
    assert event.entries.get(name="Irene Nowak").member


def test_an_entry_of_another_event_is_not_found(event, club, actor, browser):
    (entry,) = enter(contest(club, actor, name="Autumn contest"), actor, NAMES[:1])
    assert browser.get(page(event, "entry", entry.pk)).status_code == 404
