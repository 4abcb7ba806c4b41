"""Every page that takes a list shows no address as a name, offers its columns and sheets, and remembers a choice."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubsite.accounts.models import Member, Role, User
from tests.tournaments.contests import contest
from tests.tournaments.sides.test_side_lists import event_of
from tournaments.models import Entry

LISTS = Path(__file__).parent / "lists"
PAGES = ("members_paste", "start_members", "entries_import", "side_list")
SHOP = "10-ticket-shop.csv"
FIRST_NAME_ALONE = {"attendee_name:_given_name": "first1", "attendee_name:_family_name": "", "variation": "last1"}


def a_file(name):
    return SimpleUploadedFile(name, (LISTS / name).read_bytes())


@pytest.fixture(params=PAGES)
def post(request, club, actor, director, client_of):
    args = [club.slug]
    if request.param == "entries_import":
        args.append(contest(club, actor).slug)
    elif request.param == "side_list":
        args.append(event_of(club, actor).slug)
    client = client_of(director)
    return lambda **data: client.post(reverse(request.param, args=args), data, follow=True)


def people(page):
    listing = page.context.get("pasted") or page.context["listing"]
    names = []
    for row in listing.rows:
        names += [one.name for one in getattr(row, "people", [getattr(row, "person", row)])]
    return names


def columns(page, **changed):
    shown = page.context["columns"]
    sent = [changed.get(head.casefold().replace(" ", "_"), role) for head, _example, role in shown]
    return {"column": sent, "columns_of": page.context["columns_of"], "columns_as": page.context["columns_as"]}


def entered():
    return {*Entry.objects.values_list("name", flat=True), *Member.objects.values_list("name", flat=True)}


def test_what_is_no_list_is_refused_and_what_was_typed_stays(post):
    for data in (b"%PDF-1.7", b"", b"PK\x03\x04 no table", b"\xd0\xcf\x11\xe0 an old workbook"):
        page = post(file=SimpleUploadedFile("names", data), names="Ann Abel & Bob Wu")
        assert page.status_code == 422
        assert page.context["form"].errors
        assert "Ann Abel &amp; Bob Wu" in page.content.decode()
    for names in ("", " \n \n"):
        page = post(names=names)
        assert (page.status_code, list(page.context["form"].errors)) == (422, ["names"])


def test_answers_of_a_form_are_people_and_no_address_is_published(post):
    page = post(file=a_file("11-form-answers.csv"))
    assert people(page) == ["Ann Abel", "Bob Wu", "bea brown"]
    listing = page.context.get("pasted") or page.context["listing"]
    sent = {"names": page.context["text"], "submission": str(page.context["submission"]), **columns(page)}
    for step in ("add", "enter"):
        post(**sent, step=step, seen=getattr(listing, "fingerprint", ""))
    assert entered() == {"Ann Abel", "Bob Wu", "bea brown"}


def test_each_column_can_be_chosen_and_is_remembered_for_the_next_list_with_that_head(post):
    page = post(file=a_file(SHOP))
    assert people(page) == ["Ann Abel", "Bea Brown"]
    assert len(page.context["columns"]) == 14
    sent = {"names": page.context["text"], "step": "check", **columns(page, **FIRST_NAME_ALONE)}
    page = post(**sent)
    assert people(page) == ["Ann", "Bea"]
    assert [role for _h, _e, role in page.context["columns"] if role[-1:] == "1"] == ["last1", "first1"]
    assert people(post(file=a_file(SHOP))) == ["Ann", "Bea"]
    assert people(post(names="Name;Club\nAnn Abel;East\nBea Brown;West")) == ["Ann Abel", "Bea Brown"]


def test_chosen_columns_are_remembered_for_everybody_of_the_club(post, club, other_club, client_of):
    page = post(file=a_file(SHOP))
    post(names=page.context["text"], step="check", **columns(page, **FIRST_NAME_ALONE))
    for somewhere, names in ((club, ["Ann", "Bea"]), (other_club, ["Ann Abel", "Bea Brown"])):
        another = User.objects.create_user(f"director-of-{somewhere.slug}")
        Role.objects.create(user=another, club=somewhere, kind=Role.Kind.DIRECTOR)
        address = reverse("members_paste", args=[somewhere.slug])
        assert people(client_of(another).post(address, {"file": a_file(SHOP)}, follow=True)) == names


def test_each_of_many_columns_can_be_chosen(post):
    page = post(names="".join(f"{row};" * 119 + f"{name}\n" for row, name in (("A", "Q120"), ("1", "Ann Abel"))))
    assert len(page.context["columns"]) == 120
    sent = {"names": page.context["text"], "columns_of": page.context["columns_of"], "step": "check"}
    assert people(post(**sent, column=[""] * 119 + ["full1"]))[-1] == "Ann Abel"


def test_who_is_left_out_is_named_above_a_long_list(post):
    names = "\n".join([*(f"Ann {a}{b}" for a in "BCDFGH" for b in "aeiou"), "ann@x.test"])
    shown = post(names=names).content.decode()
    assert shown.index("problem-against-rules") < shown.index('class="name">Ann Ba')


def test_what_no_page_offers_is_not_taken_for_a_column(post):
    page = post(file=a_file(SHOP))
    sent = columns(page) | {"column": ["name1", "full0", "__class__"] * 9}
    assert people(post(names=page.context["text"], step="check", **sent)) == ["Ann Abel", "Bea Brown"]


def test_columns_of_another_list_are_not_those_of_this_one(post):
    page = post(file=a_file(SHOP))
    assert people(post(names="Name\nAnn Abel\n", step="check", **columns(page))) == ["Ann Abel"]


def test_the_sheet_with_the_names_is_read_and_the_others_are_offered(post):
    page = post(file=a_file("20-cover-sheet-first-hidden-row.xlsx"))
    assert people(page) == ["Ann Abel", "Bea Brown"]
    assert [sheet.title for sheet in page.context["sheets"]] == ["Sheet", "Cover"]
    assert page.context["hidden_rows"] == 1
    assert "Gone Member" not in page.content.decode()
    sent = {"names": page.context["text"], "sheets": page.context["sheets_json"], "column": ["", "full1"]}
    cover = post(**sent, sheet="1", step="sheet", columns_of=page.context["columns_of"])
    assert people(cover) == ["How to use this workbook"]
    back = post(names=cover.context["text"], sheets=cover.context["sheets_json"], sheet="0", step="sheet")
    assert people(back) == ["Ann Abel", "Bea Brown"]


@pytest.mark.daily(8)
@pytest.mark.parametrize("sheets", ["", "null", "{}", "[1]", '[["a", "b"]]', "no json"])
def test_sheets_that_no_page_has_sent_are_left_alone(post, sheets):
    page = post(names="Ann Abel\n", sheets=sheets, sheet="3", step="sheet")
    assert page.status_code in (200, 422)
    if page.status_code == 200:
        assert people(page) == ["Ann Abel"]
