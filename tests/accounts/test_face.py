"""A club's face: what is taken as its crest, and its colour in shades that can be read."""

import re
from dataclasses import replace
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from hypothesis import given, strategies as st
from PIL import Image

from clubsite.accounts.face import (
    DARK,
    LIGHT,
    MIN_CONTRAST,
    ON_DARK,
    ON_LIGHT,
    SIDE,
    colour_shades,
    contrast,
    crest_drawing,
    read_crest,
)
from clubsite.accounts.models import Club, Crest, LogEntry
from clubsite.pdf.documents import render_now
from tests.tournaments.nights import make_night, play_night
from tests.tournaments.photos.photographs import huge_png
from tournaments.documents.hall import certificate_pages, place_card_pages, tent_pages, travel_cards, travel_pages
from tournaments.documents.paper_forms import PaperForm, form_pages
from tournaments.documents.record import record_pages
from tournaments.documents.sheets import event_heading, list_pages, standings_sheet

SECRET = b"taken at 51.5 north"


def picture(kind="PNG", *, size=(400, 300), frames=1, **more):
    drawn, file = Image.new("RGBA" if kind != "JPEG" else "RGB", size, "#7a1530"), BytesIO()
    others = [Image.new("RGBA", size, (n, n, n, 255)) for n in range(1, frames)]
    drawn.save(file, kind, **({"save_all": True, "append_images": others} if others else {}), **more)
    return file.getvalue()


def upload(data, name="crest.png"):
    return SimpleUploadedFile(name, data)


@pytest.fixture
def send(client_of, director, club):
    """Sends the club's settings as they are, with something changed; returns the answer."""
    browser, address = client_of(director), reverse("club_settings", args=[club.slug])

    def send(**changed):
        form = browser.get(address).context["form"]
        kept = {field.name: field.value() for field in form if str(field.value()) not in ("None", "False", "")}
        return browser.post(address, {**kept, **changed})

    return send


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_crest_is_drawn_anew_and_shown(send, club, client_of, kind):
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    assert send(crest_file=upload(picture(kind, exif=exif))).status_code == 302
    club.refresh_from_db()
    kept = bytes(Crest.objects.get(club=club).image)
    assert SECRET not in kept
    with Image.open(BytesIO(kept)) as shown:
        assert (shown.format, max(shown.size)) == ("PNG", SIDE)
    address = reverse("crest", args=[club.slug, club.crest])
    assert address in client_of(None).get(club.get_absolute_url()).content.decode()
    answer = client_of(None).get(address)
    assert (answer["Content-Type"], answer.content) == ("image/png", kept)
    assert "immutable" in answer["Cache-Control"]


def test_a_phone_s_picture_is_upright_though_a_second_one_is_in_its_file():
    exif, first, file = Image.Exif(), Image.new("RGB", (400, 300)), BytesIO()
    exif[0x0112] = 6  # a quarter turn
    first.save(file, "MPO", save_all=True, append_images=[Image.new("RGB", (40, 30))], exif=exif)
    with Image.open(BytesIO(read_crest(upload(file.getvalue())))) as shown:
        assert shown.size == (192, 256)


@pytest.mark.daily(4)
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no picture",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        picture("GIF"),
        picture("WEBP", frames=3),
        picture(frames=3),
        picture()[:200],
        huge_png(),
        b"\x89PNG" + bytes(2_000_001),
    ],
    ids=["empty", "text", "svg", "gif", "film", "moving png", "torn", "pixels", "bytes"],
)
def test_what_is_no_crest_is_refused_and_the_old_one_stays(send, club, data):
    send(crest_file=upload(picture()))
    before = Crest.objects.get(club=club).image
    answer = send(crest_file=upload(data), name="Another name")
    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"crest_file"}
    assert answer.context["form"]["name"].value() == "Another name"
    assert Crest.objects.get(club=club).image == before


def test_a_crest_can_be_replaced_and_removed(send, club, client_of):
    send(crest_file=upload(picture()))
    first = Club.objects.get(pk=club.pk).crest
    send(crest_file=upload(picture(size=(100, 100))))
    second = Club.objects.get(pk=club.pk).crest
    assert client_of(None).get(reverse("crest", args=[club.slug, first])).status_code == 404
    send(plays="Wednesdays at 2")
    assert Club.objects.get(pk=club.pk).crest == second
    send(no_crest="on")
    assert Club.objects.get(pk=club.pk).crest == ""
    assert not Crest.objects.exists()
    assert LogEntry.objects.filter(verb="club.change").first().old["crest"] == second


def test_a_colour_is_used_only_where_it_is_chosen(send, club, client_of):
    def page():
        return client_of(None).get(club.get_absolute_url()).content.decode()

    send(colour="#7a1530")
    assert "/colours/" not in page()
    send(colour="#7a1530", own_colour="on")
    address = reverse("colour_styles", args=["7a1530"])
    assert address in page()
    assert "#7a1530" in client_of(None).get(address).content.decode()
    assert send(colour="red;}", own_colour="on").status_code == 422


@given(st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}"))
def test_every_colour_has_shades_that_can_be_read(colour):
    light, light_deep, dark, dark_deep = colour_shades(colour)
    for shade in (light, light_deep):
        assert min(contrast(shade, LIGHT), contrast(shade, ON_LIGHT)) >= MIN_CONTRAST - 0.1
    for shade in (dark, dark_deep):
        assert min(contrast(shade, DARK), contrast(shade, ON_DARK)) >= MIN_CONTRAST - 0.1


def test_the_crest_is_on_paper(send, club, actor, rules_for):
    send(crest_file=upload(picture()), colour="#7a1530", own_colour="on")
    club.refresh_from_db()
    night = make_night(club, rules_for("st-hilary-v3"))
    play_night(night, actor, 8)
    night.refresh_from_db()
    form = PaperForm(screen="", columns=(("", 0),), blank=1)
    for pages in (
        list_pages(standings_sheet(night.stages.get()), "A4"),
        certificate_pages(night, "A4"),
        record_pages(night, "A4"),
        form_pages(form, "A4", heading=event_heading(night)),
        place_card_pages([("Ann", "Table 1")], "A4", heading=event_heading(night)),
        tent_pages(night.stages.get().rounds.first().draws.first(), "A4"),
        travel_pages(travel_cards(night), "A4"),
    ):
        assert pages.drawings["crest"] == crest_drawing(club.pk)
        assert "drawing:crest" in pages.documents[0]
        plain = replace(pages, documents=(re.sub(r'<img class="[a-z-]*crest".*?>', "", pages.documents[0]),))
        assert len(render_now(pages)) > len(render_now(plain))
