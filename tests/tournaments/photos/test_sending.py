"""Photos of cards as they are sent: what is taken in, read once by whichever worker, refused in a sentence each, seen
by those at the desk alone, and gone after a while."""

import io
from datetime import timedelta
from html import unescape
from types import SimpleNamespace

import numpy as np
import pypdfium2
import pytest
import segno
from django.conf import settings
from django.core.files.storage import default_storage
from django.utils import timezone
from PIL import Image

from clubsite.accounts.models import Member
from clubsite.jobs.heartbeat import ATTEMPTS
from tests.jobs.workers import work
from tests.scoring.conftest import a_deal
from tests.tournaments.keying.keying import in_words
from tests.tournaments.nights import arrive, make_night, publish_next
from tests.tournaments.photos.photographs import a_reading, address, huge_png, photographed, picture, sent
from tournaments.members.erasing import erase
from tournaments.members.personal_data import export_personal_data
from tournaments.models import CardPhoto, PhotographedCard, PublishedStandings
from tournaments.photos import actions, tasks
from tournaments.photos.tasks import find_game, read_cards
from tournaments.rounds.publishing import take_back_draw
from tournaments.table_links.links import make_token, shown_links

SITE = "http://192.168.1.20:8000/"


def send(client, event, *files, **more):
    return client.post(address(event), {"photos": list(files), **more}, headers={"HX-Request": "true"})


def said(answer):
    assert answer.status_code == 200
    return unescape(in_words(answer.content.decode()))


def stored():
    try:
        return default_storage.listdir("photos")[1]
    except FileNotFoundError:
        return []


def of_code(text):
    """A photo of a sheet with a QR code on it."""
    code = io.BytesIO()
    segno.make(text, error="m").save(code, kind="png", scale=8, border=4)
    sheet = Image.new("L", (1600, 1200), 240)
    sheet.paste(Image.open(code).convert("L"), (300, 200))
    file = io.BytesIO()
    sheet.save(file, "JPEG")
    return file.getvalue()


def pdf(pages):
    document, file = pypdfium2.PdfDocument.new(), io.BytesIO()
    for _page in range(pages):
        document.new_page(200, 200)
    document.save(file)
    return file.getvalue()


# --- What can't be read -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"Deal 1: 25", "card.jpg isn't a picture. Send JPEG, PNG or PDF."),
        (b"\0\0\0\x18ftypheic\0\0", "card.jpg is a HEIC picture."),
        (b"\xff\xd8\xff" + b"\0" * actions.MOST_BYTES, "card.jpg is larger than 10 MB."),
    ],
    ids=["text", "heic", "bytes"],
)
def test_what_is_no_picture_or_too_large_is_refused_at_once(event, content, words, keyer):
    assert words in said(send(keyer, event, sent(content)))
    assert not CardPhoto.objects.exists()
    assert stored() == []


@pytest.mark.daily(3)
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xd8\xff\xe0 not a JPEG", "damaged"),
        (picture()[:500], "damaged"),
        (b"\x89PNG\r\n\x1a\n", "damaged"),
        (b"%PDF-1.7 not a PDF", "damaged"),
        (huge_png(), "pixels"),
        (pdf(61), "pages"),
        (picture((1200, 900)), "no-card"),
    ],
    ids=["jpeg", "cut off", "png", "pdf", "pixels", "pages", "nothing on it"],
)
def test_a_file_that_cannot_be_read_gets_a_sentence(event, content, words, keyer):
    page = said(send(keyer, event, sent(content)))
    assert str(actions.PROBLEMS[words]).split(".")[0] in page
    photo = CardPhoto.objects.get()
    assert str(photo.file) == ""  # what was sent is never kept
    assert len(stored()) == photo.cards.count()


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import sys; sys.stdin.buffer.read(1); sys.exit(9)", "memory"),
        ("import time; time.sleep(60)", "slow"),
        ("print('no pickle')", "memory"),
    ],
)
def test_a_reader_that_dies_or_takes_too_long_ends_with_a_sentence(event, monkeypatch, program, words, keyer):
    monkeypatch.setattr(tasks, "PROGRAM", program)
    monkeypatch.setattr(tasks, "TIMEOUT", 3)
    assert str(actions.PROBLEMS[words]) in said(send(keyer, event, sent(picture())))


def test_a_picture_that_needs_too_much_memory_takes_nothing_along(event, monkeypatch, keyer):
    program = f"from tournaments.photos import reader; reader.MEMORY = 2**20; {tasks.PROGRAM}"
    monkeypatch.setattr(tasks, "PROGRAM", program)
    assert str(actions.PROBLEMS["memory"]) in said(send(keyer, event, sent(picture((4000, 3000)))))


# --- Whose card it is -------------------------------------------------------------------------------------------------


def test_a_card_is_found_by_its_code_with_its_game(event, draw, games):
    links = shown_links(draw, SITE)
    for game in games:
        link = links[game.group_game.group_id]
        assert find_game(event, link.for_game(1).address.upper()) == (game, "", "")
        assert find_game(event, link.address) == (game, "", "")  # an older card


def test_the_codes_of_other_cards_and_papers_get_a_sentence_each(event, draw, actor, rules_for, keyer):
    another = make_night(event.club, rules_for("st-hilary-v3"), slug="saturday", day=7)
    arrive(another, actor, 4)
    elsewhere = next(iter(shown_links(publish_next(another, actor), SITE).values())).address
    taken_back = next(iter(shown_links(draw, SITE).values())).address
    take_back_draw(draw=draw, by=actor)
    codes = {
        "foreign": "https://example.org/pay?amount=12",
        "forged": f"{SITE}t/{make_token('another')}/1/",
        "other-event": elsewhere,
        "old-draw": taken_back,
    }
    assert {code: find_game(event, text)[1] for code, text in codes.items()} == {code: code for code in codes}
    for text in codes.values():
        send(keyer, event, sent(of_code(text)))
    page = said(keyer.get(address(event)))
    assert "another event: Night saturday." in page
    for code in codes:
        assert str(actions.PROBLEMS[code]).split("%")[0] in page
    assert not PhotographedCard.objects.exclude(game=None).exists()


def test_the_name_of_another_clubs_event_is_not_told(draw, other_club):
    foreign = SimpleNamespace(pk=0, club_id=other_club.pk)
    assert find_game(foreign, next(iter(shown_links(draw, SITE).values())).address) == (None, "other-event", "")
    row = PhotographedCard(problem="other-event")
    assert actions.describe_problem(row) == "This card belongs to another club's event."


# --- Once, by whichever worker ----------------------------------------------------------------------------------------


def test_the_same_photo_sent_twice_is_one(event, client_of, scorekeeper, director):
    content = of_code("https://example.org/")
    for user in (scorekeeper, scorekeeper, director):
        send(client_of(user), event, sent(content))
    assert CardPhoto.objects.count() == 1
    assert PhotographedCard.objects.count() == 1


def test_a_photo_that_failed_is_read_again_when_it_is_sent_again(event, monkeypatch, keyer):
    client, content = keyer, of_code("https://example.org/")
    with monkeypatch.context() as broken:
        broken.setattr(tasks, "PROGRAM", "raise SystemExit(1)")
        send(client, event, sent(content))
    assert CardPhoto.objects.get().state == CardPhoto.State.FAILED
    send(client, event, sent(content))
    assert CardPhoto.objects.get().state == CardPhoto.State.READ


def test_only_the_latest_attempt_saves(event, apart, monkeypatch, keyer):
    send(keyer, event, sent(of_code("https://example.org/")))
    photo = CardPhoto.objects.get()
    read = tasks.run_reader

    def taken_up(file, plans_of):
        """Another worker takes the task up while this one is at it."""
        pages = list(read(file, plans_of))
        if CardPhoto.objects.get().attempt == 1:
            read_cards.func(SimpleNamespace(attempt=2), photo.pk)
        yield from pages

    monkeypatch.setattr(tasks, "run_reader", taken_up)
    read_cards.func(SimpleNamespace(attempt=1), photo.pk)
    photo.refresh_from_db()
    assert (photo.state, photo.attempt, photo.cards.count(), len(stored())) == (CardPhoto.State.READ, 2, 1, 1)
    read_cards.func(SimpleNamespace(attempt=3), photo.pk)  # it is read already
    assert PhotographedCard.objects.count() == 1


def test_a_worker_reads_what_waits_and_the_page_opens_what_it_read(event, apart, keyer):
    page = send(keyer, event, sent(of_code("https://example.org/"))).content.decode()
    assert "No worker is running" in page
    work()
    assert str(actions.PROBLEMS["foreign"]) in said(keyer.get(address(event)))


def test_a_photo_whose_workers_all_died_says_so_and_is_not_kept(event, apart, keyer):
    from django_tasks_db.models import DBTaskResult

    from clubsite.jobs import heartbeat

    send(keyer, event, sent(picture()))
    result = DBTaskResult.objects.get()
    for n in range(ATTEMPTS):
        result.claim(f"worker {n}")
    assert heartbeat.requeue_tasks() == 0
    assert str(actions.PROBLEMS["fault"]) in said(keyer.get(address(event)))
    assert stored() == []


def test_a_photo_removed_while_it_is_read_leaves_nothing(event, apart, monkeypatch, keyer):
    send(keyer, event, sent(of_code("https://example.org/")))
    photo = CardPhoto.objects.get()
    read = tasks.run_reader

    def removed(file, plans_of):
        pages = list(read(file, plans_of))
        keyer.post(address(event), {"remove": photo.pk})
        yield from pages

    monkeypatch.setattr(tasks, "run_reader", removed)
    read_cards.func(SimpleNamespace(attempt=1), photo.pk)
    assert not PhotographedCard.objects.exists()


# --- Who sees it, and for how long ------------------------------------------------------------------------------------


def test_a_picture_is_kept_by_no_proxy_and_found_by_its_own_event_alone(event, game, rules, keyer):
    card = photographed(game, a_reading(a_deal()))
    image = address(event) + f"{card.pk}.jpg"
    answer = keyer.get(image)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
    assert "private" in answer["Cache-Control"]
    another = make_night(event.club, rules, slug="saturday", day=7)
    assert keyer.get(address(another) + f"{card.pk}.jpg").status_code == 404


def test_a_picture_holds_nothing_of_what_the_camera_wrote(event, keyer):
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "Camera of Ann"
    file = io.BytesIO()
    Image.fromarray(np.full((300, 800), 255, np.uint8)).save(file, "JPEG", exif=exif)
    send(keyer, event, sent(file.getvalue()))
    card = PhotographedCard.objects.get()
    with card.picture.open() as kept:
        content = kept.read()
    assert b"Camera of Ann" not in content
    assert not Image.open(io.BytesIO(content)).getexif()
    assert card.width < card.height  # turned as EXIF said


def test_photos_go_some_days_after_the_result(event, draw, game, django_capture_on_commit_callbacks):
    photographed(game, a_reading(a_deal()))
    now = timezone.now() + timedelta(days=settings.PHOTOS_KEPT_FOR, hours=1)
    actions.delete_old_photos(now)
    assert CardPhoto.objects.exists()  # no result yet
    stage = draw.round.stage
    PublishedStandings.objects.create(event=event, stage=stage, number=1, rows=[], final=True)
    actions.delete_old_photos(now - timedelta(days=1))
    assert CardPhoto.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        actions.delete_old_photos(now)
    assert not CardPhoto.objects.exists()
    assert stored() == []


def test_a_file_that_no_row_names_is_deleted_after_an_hour(game):
    card = photographed(game, a_reading(a_deal()))
    stray = default_storage.save("photos/stray.jpg", sent(picture()))
    actions.delete_old_photos()
    assert default_storage.exists(stray)
    actions.delete_old_photos(timezone.now() + timedelta(hours=2))
    assert not default_storage.exists(stray)
    assert default_storage.exists(str(card.picture))


def test_removing_a_photo_deletes_its_pictures(event, game, django_capture_on_commit_callbacks, keyer):
    card = photographed(game, a_reading(a_deal()))
    with django_capture_on_commit_callbacks(execute=True):
        keyer.post(address(event), {"remove": card.photo_id})
    assert not CardPhoto.objects.exists()
    assert stored() == []


def test_photos_of_a_persons_events_are_listed_in_their_data_and_erased_with_them(
    event, game, club, actor, rules_for, django_capture_on_commit_callbacks
):
    photographed(game, a_reading(a_deal()))
    another = make_night(club, rules_for("st-hilary-v3"), slug="saturday", day=7)
    CardPhoto.objects.create(event=another, sha256="0" * 64, state=CardPhoto.State.READ)
    member = Member.objects.create(club=club, name="Zoë Unlikely")
    event.entries.filter(pk=event.entries.first().pk).update(member=member)
    assert [(row["event"], row["cards"]) for row in export_personal_data(member, by=actor)["photos"]] == [(event.pk, 1)]
    with django_capture_on_commit_callbacks(execute=True):
        erase(member=member, by=actor, typed="Zoë Unlikely")
    assert [photo.event for photo in CardPhoto.objects.all()] == [another]
    assert stored() == []


def test_without_its_packages_the_page_says_how_to_get_them(event, monkeypatch, keyer):
    monkeypatch.setattr(tasks, "find_spec", lambda name: None)
    assert "py3-none-any.whl[photo]'</code>" in keyer.get(address(event)).content.decode()
    send(keyer, event, sent(picture()))
    assert not CardPhoto.objects.exists()
