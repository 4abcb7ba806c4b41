"""The members page and its forms: who may, what a double tap does, what others see."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubsite.accounts.models import LogEntry, Member, MemberMerge
from tests.kept import all_rows
from tests.pages import page_of
from tournaments.members import actions, merging
from tournaments.members.pasting import ListedPerson
from tournaments.models import Entry, Event

MEMBERS = "/st-hilary/members/"
LIST = "Agnes Kowalcyk\nBob Hale\nCal Young\n"


@pytest.fixture
def desk(director, client_of):
    return client_of(director)


def members_now(club):
    return list(Member.objects.filter(club=club).values_list("name", flat=True))


def test_a_pasted_list_is_looked_at_and_then_added_once(club, desk):
    Member.objects.create(club=club, name="Agnes Kowalczyk")
    page = desk.post(MEMBERS + "paste/", {"names": LIST})
    assert "Agnes Kowalcyk: the same as Agnes Kowalczyk?" in page_of(page)
    assert members_now(club) == ["Agnes Kowalczyk"], "looking adds nobody"
    submission = str(page.context["submission"])
    sent = {"names": LIST, "step": "add", "submission": submission}
    unsaid = desk.post(MEMBERS + "paste/", sent)
    assert "For each name" in page_of(unsaid)
    for _tap in range(2):
        done = desk.post(MEMBERS + "paste/", sent | {"who-agnes kowalcyk-agnes kowalczyk": "same"}, follow=True)
        assert "2 members are added." in page_of(done)
    assert members_now(club) == ["Agnes Kowalczyk", "Bob Hale", "Cal Young"]


LEES = {"who-anna lee-ann lee": "other", "who-ann lea-ann lee": "same"}


def test_an_answer_is_for_two_names_in_whatever_row_they_stand(club, desk):
    text = "Bob Hale\nBob Hall\nAnn Lee\nAnna Lee\nAnn Lea\n"  # two rows were put before the others since
    answer = desk.post(MEMBERS + "paste/", {"names": text, "step": "add", **LEES})
    assert "For each name" in page_of(answer)
    assert [doubt.answer for doubt in answer.context["doubts"]] == ["", "other", "same"]
    assert members_now(club) == []


def test_two_who_only_sound_alike_are_both_added(club, desk):
    sent = {"names": "Ann Lee\nAnna Lee\nAnn Lea\n", "step": "add", **LEES}
    desk.post(MEMBERS + "paste/", sent)
    assert members_now(club) == ["Ann Lee", "Anna Lee"]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"names": " \n"}, "There is nobody in this list"),
        ({"file": SimpleUploadedFile("a.xlsx", b"PK\x03\x04 no")}, "can&#x27;t be read"),
        ({"file": SimpleUploadedFile("a.csv", "Jos\xe9\n".encode("cp1252"))}, "in UTF-8"),
    ],
)
def test_what_cannot_be_read_is_said_and_adds_nobody(sent, words, club, desk):
    assert words in page_of(desk.post(MEMBERS + "paste/", sent))
    assert members_now(club) == []


def test_one_more_is_added_and_a_name_is_refused_twice(club, desk):
    new = {"name": "Ann  Abel", "email": "ann@example.org", "telephone": "", "note": ""}
    form = new | {"submission": str(desk.get(MEMBERS).context["submission"])}
    for _tap in range(2):
        assert "Ann Abel is a member now." in page_of(desk.post(MEMBERS, form, follow=True))
    assert "is a member already" in page_of(desk.post(MEMBERS, new | {"name": "ann abel"}))
    assert "Enter a valid email" in page_of(desk.post(MEMBERS, new | {"name": "Bea", "email": "nowhere"}))
    assert members_now(club) == ["Ann Abel"]


def test_a_new_name_stands_on_lists_that_are_open_and_not_in_results(ann, actor):
    actions.change_member(member=ann, by=actor, person=ListedPerson("Ann Abel"), initials_only=False)
    names = dict(Entry.objects.filter(member=ann).values_list("event__slug", "name"))
    assert names == {"n6": "Player 01", "n13": "Player 01", "on": "Ann Abel"}
    entry = LogEntry.objects.get(verb="member.change")
    assert (entry.old, entry.new) == (
        {"name": "Player 01"},
        {"name": "Ann Abel", "contact": ["email", "telephone", "note"]},
    )


def test_addresses_are_for_directors_alone(ann, desk, scorekeeper, stranger, client_of):
    address = f"{MEMBERS}{ann.pk}/change/"
    assert "ann@example.org" in page_of(desk.get(address))
    for user, status in ((scorekeeper, 404), (stranger, 404), (None, 302)):
        for url in (address, f"{MEMBERS}{ann.pk}/erase/", f"{MEMBERS}{ann.pk}/merge/", MEMBERS + "paste/"):
            assert client_of(user).post(url, {"step": "stop", "typed": ann.name}).status_code == status
        assert client_of(user).post(f"{MEMBERS}{ann.pk}/export/").status_code == status
    for url in (MEMBERS, f"{MEMBERS}{ann.pk}/"):
        page = page_of(client_of(scorekeeper).get(url))
        assert "Player 01" in page
        assert not any(kept in page for kept in ("ann@example.org", "555 0101", "brings cake"))
    ann.refresh_from_db()
    assert ann.active
    assert client_of(scorekeeper).post(MEMBERS, {"name": "Zoe"}).status_code == 404


def test_who_no_longer_plays_is_found_among_all(ann, desk):
    for _tap in range(2):
        desk.post(f"{MEMBERS}{ann.pk}/change/", {"step": "stop"})
    assert LogEntry.objects.filter(verb="member.active").count() == 1
    assert "Player 01" not in page_of(desk.get(MEMBERS))
    assert "no longer plays" in page_of(desk.get(MEMBERS, {"show": "all", "q": "player 01"}))
    desk.post(f"{MEMBERS}{ann.pk}/change/", {"step": "again"})
    assert "Player 01" in page_of(desk.get(MEMBERS))


def test_a_name_is_found_without_its_accents(club, desk):
    Member.objects.create(club=club, name="Łucja Żółć")
    Member.objects.create(club=club, name="Bob Hale")
    page = page_of(desk.get(MEMBERS, {"q": "zolc LU"}))
    assert "Łucja Żółć" in page
    assert "Bob Hale" not in page


def test_a_night_counts_for_its_people_when_it_is_over(on_now, desk):
    """The secretary counts who came: a night that is drawn, or being played, isn't one yet."""

    def came(address, name):
        """What stands beside a name: how many nights, and the day of the last."""
        row = next(row for row in page_of(desk.get(address)).split("<tr>") if name in row)
        return [cell.split(">", 1)[1].split("<")[0].strip().split(" ")[0] for cell in row.split("<td")[1:3]]

    assert came(MEMBERS, "Player 01") == ["2", "13"]
    assert came(MEMBERS + "guests/", "Gus Guest") == ["0", ""]
    Event.objects.filter(pk=on_now.pk).update(state=Event.State.FINISHED)
    assert came(MEMBERS, "Player 01") == ["3", "20"]
    assert came(MEMBERS + "guests/", "Gus Guest") == ["1", "20"]


def test_a_guest_becomes_a_member_with_the_nights_before(on_now, desk, club):
    assert "Make Gus Guest a member" in page_of(desk.get(MEMBERS + "guests/"))
    for _tap in range(2):
        desk.post(MEMBERS + "guests/", {"guest": "gus guest"})
    gus = Member.objects.get(club=club, name="Gus Guest")
    assert list(gus.entries.all()) == [Entry.objects.get(event=on_now, name="Gus Guest")]
    assert LogEntry.objects.filter(verb="member.join").count() == 1
    assert "Everybody who has played is a member." in page_of(desk.get(MEMBERS + "guests/"))


def test_merging_shows_first_what_would_move_and_can_be_taken_back(season, ann, desk, club):
    twin = Member.objects.create(club=club, name="Player 0l")
    Entry.objects.filter(event__slug="n13", member=ann).update(member=twin)
    before = all_rows()
    page = page_of(desk.post(f"{MEMBERS}{ann.pk}/merge/", {"other": twin.pk}))
    assert "1 event moves to Player 01" in page
    assert all_rows() == before, "looking changes nothing"
    seen = page.split('name="seen" value="')[1].split('"')[0]
    for _tap in range(2):
        desk.post(f"{MEMBERS}{ann.pk}/merge/", {"other": twin.pk, "step": "merge", "seen": seen})
    assert MemberMerge.objects.get().undone_at is None
    assert desk.get(f"{MEMBERS}{twin.pk}/")["Location"] == f"{MEMBERS}{ann.pk}/"
    assert desk.get(f"{MEMBERS}{twin.pk}/change/").status_code == 404
    page = page_of(desk.get(MEMBERS + "merges/"))
    assert 'Take it back <span class="visually-hidden">Player 0l</span>' in page
    desk.post(MEMBERS + "merges/", {"merge": MemberMerge.objects.get().pk})
    assert Entry.objects.get(event__slug="n13", member=twin)


def test_names_that_sound_alike_are_shown_to_directors(club, desk, scorekeeper, client_of):
    for name in ("Agnes Kowalczyk", "Agnes Kowalcyk"):
        Member.objects.create(club=club, name=name)
    assert "Agnes Kowalcyk: the same as Agnes Kowalczyk?" in page_of(desk.get(MEMBERS))
    assert "the same as" not in page_of(client_of(scorekeeper).get(MEMBERS))


def test_another_clubs_members_are_not_found(other_club, desk, ann):
    theirs = Member.objects.create(club=other_club, name="Otto")
    for path in ("", "change/", "merge/", "erase/"):
        assert desk.get(f"{MEMBERS}{theirs.pk}/{path}").status_code == 404
    assert desk.post(f"{MEMBERS}{theirs.pk}/export/").status_code == 404
    desk.post(f"{MEMBERS}{ann.pk}/merge/", {"other": theirs.pk, "step": "merge"})
    assert not MemberMerge.objects.exists()


def test_lists_take_as_many_queries_for_600_as_for_few(club, season, ann, desk, actor):
    urls = [MEMBERS, MEMBERS + "?q=play&show=all", MEMBERS + "guests/", MEMBERS + "merges/", f"{MEMBERS}{ann.pk}/"]

    def counted():
        counts = []
        for url in urls:
            with CaptureQueriesContext(connection) as asked:
                assert desk.get(url).status_code == 200
            counts.append(len(asked))
        return counts

    few = counted()
    members = Member.objects.bulk_create(Member(club=club, name=f"Member number {n:03}") for n in range(600))
    on = Event.objects.get(slug="on")
    Entry.objects.bulk_create(
        Entry(event=on, number=100 + n, name=member.name, member=member) for n, member in enumerate(members[:300])
    )
    Entry.objects.bulk_create(Entry(event=on, number=500 + n, name=f"Guest {n}") for n in range(100))
    for member in members[300:303]:
        merging.merge(kept=members[400], merged=member, by=actor)
    assert counted() == few
