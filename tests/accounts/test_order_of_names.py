"""Names stand in one order wherever people look for themselves: accents and capitals don't matter, ñ follows n."""

import pytest

from clubsite.accounts.models import Member
from clubsite.names import name_sort_key
from tests.pages import page_of
from tests.tournaments.nights import drafted, make_night
from tournaments.documents import paper_forms, sheets
from tournaments.draws.round_views import round_view, seats_of
from tournaments.draws.views import WishForm
from tournaments.entries.views import entries_table
from tournaments.money import event_payers, set_fee
from tournaments.rounds import attendance, publishing

NAMES = ["Ángel Ñáñez", "de la Cruz", "Élise", "María", "Mary", "Nuria", "Ñáñez José", "van Dam"]


@pytest.fixture
def night(club, actor, rules_for):
    """Eight people, entered in another order."""
    event = make_night(club, rules_for("st-hilary-v3"))
    for name in sorted(NAMES):
        attendance.arrive(event=event, by=actor, member=Member.objects.create(club=club, name=name))
    return set_fee(event=event, by=actor, fee=500)


@pytest.fixture
def draw(night, actor):
    made = drafted(night, actor)
    publishing.publish_draw(draw=made, by=actor)
    return made


def in_page(page):
    """The names in the order in which they first stand in the page's main part."""
    main = page.partition("<main")[2]
    return sorted(NAMES, key=main.index)


def test_a_name_in_two_forms_of_unicode_stands_at_one_place():
    assert name_sort_key("Ñáñez")[0] == name_sort_key("Ñáñez")[0]
    assert name_sort_key("Nunez") < name_sort_key("Nunn") < name_sort_key("Nuñez")


def test_pages_list_names_in_order(night, draw, browser):
    for address in ("/st-hilary/members/", "/st-hilary/desk/friday/here/", "/st-hilary/desk/friday/fees/"):
        answer = browser.get(address)
        assert answer.status_code == 200, address
        assert in_page(page_of(answer)) == NAMES, address


def test_sheets_and_seats_list_names_in_order(night, draw):
    assert [name for name, _table, _seat in sheets.seating_sheet(draw)["places"]] == NAMES
    assert [line.name for line in seats_of(round_view(draw))] == NAMES
    assert [entry.name for entry, _line in event_payers(night)] == NAMES
    for form in (paper_forms.fees_form(night), paper_forms.attendance_form(night)):
        assert [row[0] for row in form.rows] == NAMES


def test_people_are_offered_in_order(night):
    offered = WishForm(event=night).fields["entry"]
    assert [name for _pk, name in offered.choices] == ["choose", *NAMES]


def test_a_table_sorted_by_name_is_in_order(night, rf):
    rows = list(night.entries.select_related("member"))
    for asked, wanted in (("name", NAMES), ("-name", NAMES[::-1]), ("member", NAMES)):
        table = entries_table(rf.get("/", {"sort": asked}), night, entries=rows, seats={})
        assert [row.record.name for row in table.rows] == wanted, asked
