"""The members page and its forms: who may, what a double tap does, what others see."""

from clubsite.accounts.models import LogEntry, Member, MemberMerge
from tests.kept import all_rows
from tests.pages import page_of
from tests.tournaments.nights import queries_of
from tournaments.members import actions, merging
from tournaments.members.pasting import ListedPerson
from tournaments.models import Entry, Event

MEMBERS = "/st-hilary/members/"
LIST = "Agnes Kowalcyk\nBob Hale\nCal Young\n"


def members_now(club):
    return list(Member.objects.filter(club=club).values_list("name", flat=True))


def test_a_pasted_list_is_looked_at_and_then_added_once(club, browser):
    Member.objects.create(club=club, name="Agnes Kowalczyk")
    page = browser.post(MEMBERS + "paste/", {"names": LIST})
    assert "Agnes Kowalcyk: the same as Agnes Kowalczyk?" in page_of(page)
    assert members_now(club) == ["Agnes Kowalczyk"], "looking adds nobody"
    submission = str(page.context["submission"])
    sent = {"names": LIST, "step": "add", "submission": submission}
    unsaid = browser.post(MEMBERS + "paste/", sent)
    assert "For each name" in page_of(unsaid)
    for _tap in range(2):
        done = browser.post(MEMBERS + "paste/", sent | {"who-agnes kowalcyk-agnes kowalczyk": "same"}, follow=True)
        assert "2 members are added." in page_of(done)
    assert members_now(club) == ["Agnes Kowalczyk", "Bob Hale", "Cal Young"]


LEES = {"who-anna lee-ann lee": "other", "who-ann lea-ann lee": "same"}


def test_an_answer_is_for_two_names_in_whatever_row_they_stand(club, browser):
    text = "Bob Hale\nBob Hall\nAnn Lee\nAnna Lee\nAnn Lea\n"  # two rows were put before the others since
    answer = browser.post(MEMBERS + "paste/", {"names": text, "step": "add", **LEES})
    assert "For each name" in page_of(answer)
    assert [doubt.answer for doubt in answer.context["doubts"]] == ["", "other", "same"]
    assert members_now(club) == []


def test_two_who_only_sound_alike_are_both_added(club, browser):
    sent = {"names": "Ann Lee\nAnna Lee\nAnn Lea\n", "step": "add", **LEES}
    browser.post(MEMBERS + "paste/", sent)
    assert members_now(club) == ["Ann Lee", "Anna Lee"]


def test_one_more_is_added_and_a_name_is_refused_twice(club, browser):
    new = {"name": "Ann  Abel", "email": "ann@example.org", "telephone": "", "note": ""}
    form = new | {"submission": str(browser.get(MEMBERS).context["submission"])}
    for _tap in range(2):
        assert "Ann Abel is a member now." in page_of(browser.post(MEMBERS, form, follow=True))
    assert "is already a member" in page_of(browser.post(MEMBERS, new | {"name": "ann abel"}))
    assert "Enter a valid email" in page_of(browser.post(MEMBERS, new | {"name": "Bea", "email": "nowhere"}))
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


def test_addresses_are_for_directors_alone(ann, browser, scorekeeper, client_of):
    own = f"{MEMBERS}{ann.pk}/"
    assert "ann@example.org" in page_of(browser.get(f"{own}change/"))
    for user, url in ((scorekeeper, MEMBERS), (scorekeeper, own), (None, own)):
        page = page_of(client_of(user).get(url))
        assert "Player 01" in page
        assert not any(kept in page for kept in ("ann@example.org", "555 0101", "brings cake"))


def test_who_no_longer_plays_is_found_among_all(ann, browser):
    for _tap in range(2):
        browser.post(f"{MEMBERS}{ann.pk}/change/", {"step": "stop"})
    assert LogEntry.objects.filter(verb="member.active").count() == 1
    assert "Player 01" not in page_of(browser.get(MEMBERS))
    assert "no longer plays" in page_of(browser.get(MEMBERS, {"show": "all", "q": "player 01"}))
    browser.post(f"{MEMBERS}{ann.pk}/change/", {"step": "again"})
    assert "Player 01" in page_of(browser.get(MEMBERS))


def test_a_name_is_found_without_its_accents(club, browser):
    Member.objects.create(club=club, name="Łucja Żółć")
    Member.objects.create(club=club, name="Bob Hale")
    page = page_of(browser.get(MEMBERS, {"q": "zolc LU"}))
    assert "Łucja Żółć" in page
    assert "Bob Hale" not in page


def test_a_night_counts_for_its_people_when_it_is_over(on_now, browser):
    """The secretary counts who came: a night that is drawn, or being played, isn't one yet."""

    def came(address, name):
        """What stands beside a name: how many nights, and the day of the last."""
        row = next(row for row in page_of(browser.get(address)).split("<tr>") if name in row)
        return [cell.split(">", 1)[1].split("<")[0].strip().split(" ")[0] for cell in row.split("<td")[1:3]]

    assert came(MEMBERS, "Player 01") == ["2", "13"]
    assert came(MEMBERS + "guests/", "Gus Guest") == ["0", ""]
    Event.objects.filter(pk=on_now.pk).update(state=Event.State.FINISHED)
    assert came(MEMBERS, "Player 01") == ["3", "20"]
    assert came(MEMBERS + "guests/", "Gus Guest") == ["1", "20"]


def test_a_guest_becomes_a_member_with_the_nights_before(on_now, browser, club):
    assert "Make Gus Guest a member" in page_of(browser.get(MEMBERS + "guests/"))
    for _tap in range(2):
        browser.post(MEMBERS + "guests/", {"guest": "gus guest"})
    gus = Member.objects.get(club=club, name="Gus Guest")
    assert list(gus.entries.all()) == [Entry.objects.get(event=on_now, name="Gus Guest")]
    assert LogEntry.objects.filter(verb="member.join").count() == 1
    assert "Everybody who has played is a member." in page_of(browser.get(MEMBERS + "guests/"))


def test_merging_shows_first_what_would_move_and_can_be_taken_back(season, ann, browser, club, other_club):
    theirs = Member.objects.create(club=other_club, name="Otto")
    browser.post(f"{MEMBERS}{ann.pk}/merge/", {"other": theirs.pk, "step": "merge"})
    assert not MemberMerge.objects.exists()
    twin = Member.objects.create(club=club, name="Player 0l")
    Entry.objects.filter(event__slug="n13", member=ann).update(member=twin)
    before = all_rows()
    page = page_of(browser.post(f"{MEMBERS}{ann.pk}/merge/", {"other": twin.pk}))
    assert "1 event moves to Player 01" in page
    assert all_rows() == before, "looking changes nothing"
    seen = page.split('name="seen" value="')[1].split('"')[0]
    for _tap in range(2):
        browser.post(f"{MEMBERS}{ann.pk}/merge/", {"other": twin.pk, "step": "merge", "seen": seen})
    assert MemberMerge.objects.get().undone_at is None
    assert browser.get(f"{MEMBERS}{twin.pk}/")["Location"] == f"{MEMBERS}{ann.pk}/"
    assert browser.get(f"{MEMBERS}{twin.pk}/change/").status_code == 404
    page = page_of(browser.get(MEMBERS + "merges/"))
    assert 'Take it back <span class="visually-hidden">Player 0l</span>' in page
    browser.post(MEMBERS + "merges/", {"merge": MemberMerge.objects.get().pk})
    assert Entry.objects.get(event__slug="n13", member=twin)


def test_names_that_sound_alike_are_shown_to_directors(club, browser, scorekeeper, client_of):
    for name in ("Agnes Kowalczyk", "Agnes Kowalcyk"):
        Member.objects.create(club=club, name=name)
    assert "Agnes Kowalcyk: the same as Agnes Kowalczyk?" in page_of(browser.get(MEMBERS))
    assert "the same as" not in page_of(client_of(scorekeeper).get(MEMBERS))


def test_lists_take_as_many_queries_for_600_as_for_few(club, season, ann, browser, actor):
    urls = [MEMBERS, MEMBERS + "?q=play&show=all", MEMBERS + "guests/", MEMBERS + "merges/", f"{MEMBERS}{ann.pk}/"]

    def counted():
        return [queries_of(browser, url) for url in urls]

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
