"""Orders of PDFs: who gets what when they print, and who may see an order."""

import errno
from contextlib import nullcontext
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import translation
from django_tasks_db.models import DBTaskResult

from clubsite.accounts.models import Role
from clubsite.jobs import files, heartbeat
from clubsite.jobs.files import FULL, NotMade
from clubsite.jobs.models import MadeFile, Order
from clubsite.jobs.queue import enqueue
from clubsite.pdf import documents
from clubsite.pdf.documents import Pages, make_pdf
from tests.jobs.workers import work
from tests.pages import page_of
from tests.tournaments.nights import arrive, drafted, make_night, publish_next
from tournaments.documents.prerender import make_ahead
from tournaments.models import Draw, Group, Seat

HTMX = {"HX-Request": "true"}


@pytest.fixture
def night(club, actor, rules_for, apart):
    """Eight people at two tables."""
    event = make_night(club, rules_for("st-hilary-v3"))
    arrive(event, actor, 8)
    publish_next(event, actor)
    return event


def printed(event, document="cards"):
    return reverse("document", args=[event.club.slug, event.slug, document])


def ordered(browser, address):
    answer = browser.post(address)
    assert answer.status_code == 302, answer.content
    return str(answer["Location"])


def test_a_document_is_ordered_waited_for_and_opened(night, scorekeeper, client_of, django_assert_max_num_queries):
    browser, address = client_of(scorekeeper), printed(night)
    page = browser.get(address)
    assert page.status_code == 202
    assert f'hx-post="{address}"' in page.content.decode()
    assert not Order.objects.exists()
    order = ordered(browser, address)
    assert ordered(browser, address) == order  # a second press
    with django_assert_max_num_queries(10):
        waiting = browser.get(order)
    assert '<meta http-equiv="refresh" content="2">' in waiting.content.decode()
    assert waiting.status_code == 200
    heartbeat.beat("somebody")
    assert "It is next." in browser.get(order, headers=HTMX).content.decode()
    work()
    told = browser.get(order, headers=HTMX).content.decode()
    assert f'href="{order}" data-open-now' in told
    assert "hx-get" not in told, "it would ask, and open the file, every second where a browser downloads it"
    for opened in (browser.get(order), browser.get(address), browser.post(address)):
        assert (opened.status_code, opened["Content-Type"]) == (200, "application/pdf")
        assert opened["Content-Disposition"] == 'inline; filename="night-friday-cards.pdf"'
        assert opened.content.startswith(b"%PDF")


def test_with_script_the_page_waits_where_it_is(night, scorekeeper, client_of):
    browser = client_of(scorekeeper)
    part = browser.post(printed(night), headers=HTMX)
    assert "<html" not in part.content.decode()
    assert f'hx-get="{Order.objects.get().get_absolute_url()}"' in part.content.decode()


def test_two_who_print_the_same_have_an_order_each_and_one_task(night, scorekeeper, director, client_of):
    orders = {ordered(client_of(user), printed(night)) for user in (scorekeeper, director)}
    assert (len(orders), MadeFile.objects.count()) == (2, 1)
    assert DBTaskResult.objects.filter(task_path=make_pdf.module_path).count() == 1


def test_how_many_go_first_and_how_much_is_done_stands_on_the_page(night, scorekeeper, client_of):
    browser = client_of(scorekeeper)
    first, second = (ordered(browser, printed(night, name)) for name in ("cards", "seating"))
    heartbeat.beat("somebody")
    assert "1 task goes first" in browser.get(second).content.decode()
    MadeFile.objects.filter(orders__pk=first.split("/")[-2]).update(state=MadeFile.State.MAKING, done=3, of=9)
    assert "3 of 9 parts are done" in browser.get(first).content.decode()


def test_without_a_worker_the_page_and_the_desk_of_directors_say_so(night, scorekeeper, director, client_of):
    words = "No worker is running"
    order = ordered(client_of(scorekeeper), printed(night))
    assert words in client_of(scorekeeper).get(order).content.decode()
    for address in (night.get_desk_url(), "/st-hilary/desk/"):
        assert words in client_of(director).get(address).content.decode()
        assert words not in client_of(scorekeeper).get(address).content.decode()
    heartbeat.beat("somebody")
    assert words not in client_of(scorekeeper).get(order).content.decode()
    assert words not in client_of(director).get(night.get_desk_url()).content.decode()


def test_only_who_ordered_sees_an_order_while_they_are_what_they_were(
    night, director, scorekeeper, stranger, other_club, client_of
):
    order = ordered(client_of(director), printed(night))
    for done in (False, True):
        assert client_of(None).get(order).status_code == 302
        for user in (scorekeeper, stranger):
            assert client_of(user).get(order).status_code == 404
        assert client_of(director).get(order.replace("/st-hilary/", "/harbour/")).status_code == 404
        assert client_of(director).get(order).status_code == 200
        assert client_of(director).put(order).status_code == 405
        if not done:
            work()
    Role.objects.filter(user=director).update(kind=Role.Kind.SCOREKEEPER)
    assert client_of(director).get(order).status_code == 404
    Role.objects.filter(user=director).delete()
    assert client_of(director).get(order).status_code == 404


def test_anybody_orders_the_rules_and_opens_them_by_the_address_of_the_order(night, club, client_of):
    rules = night.rules
    order = ordered(client_of(None), reverse("rules_print", args=[club.slug, rules.slug, rules.version, "card"]))
    work()
    assert client_of(None).get(order)["Content-Type"] == "application/pdf"


def test_who_waits_for_too_many_is_told_to_wait_and_others_are_not(night, director, scorekeeper, client_of, settings):
    settings.ORDERS_WAITING = 2
    browser = client_of(scorekeeper)
    first, _second = (ordered(browser, printed(night, name)) for name in ("cards", "seating"))
    refused = browser.post(printed(night, "blank"))
    assert refused.status_code == 429
    assert "2 of your documents are still being made" in refused.content.decode()
    assert "2 of your documents" in browser.post(printed(night, "blank"), headers=HTMX).content.decode()
    assert ordered(browser, printed(night)) == first  # which they wait for already
    ordered(client_of(director), printed(night, "blank"))
    work()
    browser.post(printed(night, "standings"))
    assert Order.objects.filter(user=scorekeeper).count() == 3


def test_a_file_that_cannot_be_made_says_why_and_can_be_ordered_again(night, scorekeeper, client_of, monkeypatch):
    browser = client_of(scorekeeper)
    order = ordered(browser, printed(night))
    MadeFile.objects.update(state=MadeFile.State.FAILED, problem="Pango is missing", unavailable=True)
    answer = browser.get(order)
    assert (answer.status_code, "Pango is missing" in answer.content.decode()) == (503, True)
    assert "This computer can't make PDFs." in answer.content.decode()
    assert ordered(browser, printed(night)) == order
    work()
    assert browser.get(order)["Content-Type"] == "application/pdf"


def test_on_a_full_disk_the_page_says_what_to_do_and_it_is_made_when_there_is_room(
    night, scorekeeper, client_of, monkeypatch
):
    """Whether the program that draws the pages finds it full, or the folder where files are kept."""

    def full(*_args, **_kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    browser, address = client_of(scorekeeper), printed(night)
    for where in (
        "django.core.files.storage.filesystem.FileSystemStorage._save",
        "clubsite.jobs.files.TemporaryDirectory",
    ):
        order = ordered(browser, address)
        with monkeypatch.context() as on_a_full_disk:
            on_a_full_disk.setattr(where, full)
            work()
        answer = browser.get(order)
        assert answer.status_code == 503
        page = page_of(answer)
        assert "The disk of the computer that makes documents is full" in page
        assert "Errno" not in page
    order = ordered(browser, address)
    work()
    assert browser.get(order)["Content-Type"] == "application/pdf"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
def test_the_program_that_draws_pages_says_that_the_disk_is_full(tmp_path, monkeypatch):
    (tmp_path / "pages.pdf").symlink_to("/dev/full")
    monkeypatch.setattr(documents, "unfinished_folder", lambda: nullcontext(tmp_path))
    with pytest.raises(NotMade, match=FULL):
        documents.render_now(Pages(("<p>one</p>",)))


def test_a_file_that_is_not_kept_any_more_is_said_to_be_gone(night, scorekeeper, client_of):
    browser = client_of(scorekeeper)
    order = ordered(browser, printed(night))
    work()
    MadeFile.objects.get().delete_files()
    assert browser.get(order).status_code == 410
    assert browser.get(printed(night)).status_code == 202


def test_a_published_draw_has_its_papers_made_before_anybody_asks(
    night, actor, director, client_of, django_capture_on_commit_callbacks
):
    other = make_night(night.club, night.rules, slug="other", day=7)
    arrive(other, actor, 8)
    draft, browser = drafted(other, actor, planned=1), client_of(director)
    picture = reverse("document_picture", args=[other.club.slug, other.slug, "cards"])
    with django_capture_on_commit_callbacks(execute=True):
        browser.post(reverse("round_draw", args=[other.club.slug, other.slug]), {"step": "publish", "draw": draft.pk})
    assert browser.get(picture)["Content-Type"] == "image/svg+xml"
    work()
    for document in ("seating", "cards", "movement"):
        opened = browser.get(printed(other, document), {"draw": draft.pk})
        assert (document, opened["Content-Type"]) == (document, "application/pdf")


def test_papers_made_ahead_are_opened_without_laying_their_pages_out_again(
    night, director, scorekeeper, client_of, django_assert_max_num_queries
):
    draw = Draw.objects.get(round__stage__event=night)
    enqueue(make_ahead, draw.pk, director.pk, "http://testserver/")
    with translation.override("en"):  # as in a worker, where nobody's language is active
        work()
    browser = client_of(director)
    browser.get(night.get_desk_url())
    with django_assert_max_num_queries(7):
        opened = browser.get(printed(night, "cards"), {"draw": draw.pk})
    assert opened["Content-Type"] == "application/pdf"
    browser = client_of(scorekeeper)
    browser.get(night.get_desk_url())
    for document in ("round", "cards", "seating"):
        with django_assert_max_num_queries(7):
            opened = browser.get(printed(night, document), {"draw": draw.pk})
        assert (document, opened["Content-Type"]) == (document, "application/pdf")


def test_seats_changed_in_play_have_their_papers_made_again(
    night, director, client_of, django_capture_on_commit_callbacks
):
    group = Group.objects.filter(table__draw__round__stage__event=night).first()
    one, other = (seat.entry_id for seat in (group.seats.first(), Seat.objects.exclude(group=group).first()) if seat)
    browser = client_of(director)
    with django_capture_on_commit_callbacks(execute=True):
        browser.post(
            reverse("seat_changes", args=[night.club.slug, night.slug, group.pk]),
            {"step": "do", "what": "swap", "one": one, "other": other},
        )
    assert Draw.objects.filter(state=Draw.State.PUBLISHED).get().number == 2
    work()
    assert browser.get(printed(night, "cards"))["Content-Type"] == "application/pdf"


def test_the_picture_of_a_first_sheet_is_for_who_may_open_the_document_and_kept_by_browsers(
    night, director, scorekeeper, stranger, client_of
):
    def picture(document):
        return reverse("document_picture", args=[night.club.slug, night.slug, document])

    browser = client_of(scorekeeper)
    before = browser.get(picture("cards"))
    assert before["Content-Type"] == "image/svg+xml"
    assert "no-cache" in before["Cache-Control"]
    ordered(browser, printed(night))
    work()
    shown = browser.get(picture("cards"))
    assert (shown["Content-Type"], shown.content[:4]) == ("image/png", b"\x89PNG")
    assert shown["Cache-Control"] == "private, max-age=60"
    assert browser.get(picture("cards"), headers={"If-None-Match": shown["ETag"]}).status_code == 304
    assert browser.get(picture("cards") + f"?paper={night.club.paper}").content == shown.content
    ordered(client_of(director), printed(night, "movement"))
    work()
    assert client_of(director).get(picture("movement"))["Content-Type"] == "image/png"
    assert browser.get(picture("movement"))["Content-Type"] == "image/svg+xml", "the plan is the director's"
    assert client_of(stranger).get(picture("cards")).status_code == 404
    assert client_of(None).get(picture("cards")).status_code == 302
    assert browser.post(picture("cards")).status_code == 405
    assert browser.get(picture("nothing")).status_code == 404


def test_a_picture_costs_few_queries_while_nothing_is_done(
    night, scorekeeper, client_of, django_assert_max_num_queries
):
    browser = client_of(scorekeeper)
    address = reverse("document_picture", args=[night.club.slug, night.slug, "cards"])
    browser.get(address)
    with django_assert_max_num_queries(7):
        browser.get(address)


def test_where_nothing_is_left_to_workers_the_document_is_the_answer(night, scorekeeper, client_of, settings):
    settings.TASKS_APART = False
    opened = client_of(scorekeeper).get(printed(night))
    assert (opened.status_code, opened["Content-Type"]) == (200, "application/pdf")
    assert not Order.objects.exists()


def test_an_order_taken_back_is_not_made_unless_somebody_else_waits_for_it(night, scorekeeper, director, client_of):
    first, second = (ordered(client_of(user), printed(night)) for user in (scorekeeper, director))
    assert client_of(director).post(first).status_code == 404, "nobody takes another's order back"
    answer = client_of(scorekeeper).post(first)
    assert (answer.status_code, answer["Location"]) == (302, reverse("print", args=[night.club.slug, night.slug]))
    assert client_of(scorekeeper).get(first).status_code == 404
    assert DBTaskResult.objects.filter(task_path=make_pdf.module_path).count() == 1
    client_of(director).post(second)
    assert not DBTaskResult.objects.filter(task_path=make_pdf.module_path).exists()
    work()
    assert client_of(director).get(printed(night)).status_code == 202, "it isn't made"
    again = ordered(client_of(director), printed(night))
    work()
    assert client_of(director).get(again)["Content-Type"] == "application/pdf"


def test_a_file_given_up_while_it_is_made_ends_at_its_next_part(apart, club):
    file = files.order_file(key="k" * 64, suffix="pdf", payload="x", task=make_pdf)
    with files.making_file(file.key, run=file.run, attempt=1) as job:
        assert job is not None
        files.cancel_file(file)
        job.progress(1, 2)
        raise AssertionError("the work should have ended")
    file.refresh_from_db()
    assert (file.state, file.problem) == (MadeFile.State.FAILED, "")
