"""What is too large, too long or of an odd kind isn't let in, and is told why; every answer has the safe headers."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory
from django.urls import reverse

from clubsite.accounts.models import Member
from clubsite.request_limits import HEADERS


@pytest.fixture
def visitor(director, client_of):
    made = client_of(director)
    made.raise_request_exception = False
    return made


def told(answer):
    return answer.status_code, answer.content.decode()


def test_a_form_that_is_too_large_is_told_so_and_nothing_is_saved(visitor, club):
    paste = reverse("members_paste", args=[club.slug])
    for sent in ({"text": "Ann Abel\n" * 300_000}, {"file": SimpleUploadedFile("a.csv", b"Ann Abel\n" * 1_300_000)}):
        status, page = told(visitor.post(paste, sent))
        assert status == 413
        assert "Nothing was saved" in page
        assert "split the file" in page
    assert not Member.objects.exists()


def test_more_fields_than_any_page_has(visitor, club):
    status, page = told(visitor.post(f"/{club.slug}/desk/", {f"f{n}": "1" for n in range(5000)}))
    assert (status, "more fields or files" in page) == (413, True)
    files = {f"f{n}": SimpleUploadedFile("a", b"a") for n in range(9)}
    assert visitor.post(f"/{club.slug}/games/score/", files).status_code == 413


@pytest.mark.parametrize(
    ("request_", "status", "words"),
    [
        ({"method": "TRACE", "path": "/"}, 405, "open pages and send forms"),
        ({"method": "DELETE", "path": "/login/"}, 405, "open pages and send forms"),
        ({"method": "FOO", "path": "/nowhere/"}, 405, "open pages and send forms"),
        ({"method": "GET", "path": "/start/demo/"}, 405, "only receives forms"),
        ({"method": "POST", "path": "/health/"}, 405, "open pages and send forms"),
        ({"method": "GET", "path": "/" + "a" * 5000}, 414, "front page"),
        ({"method": "GET", "path": "/", "QUERY_STRING": "q=" + "a" * 20_000}, 414, "front page"),
        ({"method": "GET", "path": "/", "HTTP_COOKIE": "a=" + "b" * 100_000}, 431, "cookies"),
        ({"method": "GET", "path": "/login/", "HTTP_COOKIE": 'sessionid="\\000aaaaaaaaaaaa"'}, 431, "cookies"),
        ({"method": "POST", "path": "/login/", "CONTENT_LENGTH": str(10**9)}, 413, "send less"),
        ({"method": "POST", "path": "/login/", "CONTENT_LENGTH": "9" * 5000}, 413, "send less"),
        ({"method": "GET", "path": "/", "HTTP_HOST": "evil.example"}, 400, "ALLOWED_HOSTS"),
        ({"method": "GET", "path": "/", "HTTP_HOST": "a\nb: c"}, 400, "ALLOWED_HOSTS"),
        ({"method": "GET", "path": "/", "HTTP_HOST": ""}, 400, "ALLOWED_HOSTS"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_odd_requests_get_a_page_that_says_why(visitor, club, request_, status, words):
    answer = visitor.generic(**request_)  # all are texts
    assert answer.status_code == status
    assert words in answer.content.decode()
    assert answer["Cache-Control"] == "no-store, private"
    assert set(HEADERS) <= set(answer.headers)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/privacy/", "/nowhere/"])
def test_what_answers_head_has_no_body(path):
    """The server sends whatever it gets, and what comes next on that connection is then the wrong answer."""
    heads = []
    answer = WSGIHandler()(RequestFactory().head(path).environ, lambda _status, head: heads.append(dict(head)))
    assert b"".join(answer) == b""
    assert int(heads[0]["Content-Length"]) > 0


def test_a_header_cannot_be_put_into_an_answer(visitor, club, settings):
    injected = "/%0d%0aSet-Cookie:%20a=b"
    for answer in (
        visitor.get(f"/login/?next={injected}"),
        visitor.post("/language/", {"language": "es", "next": "/\r\nX-Evil: 1"}),
        visitor.get(f"/{club.slug}%0d%0aX-Evil:1/"),
    ):
        assert "X-Evil" not in answer.headers
        assert "a" not in answer.cookies
        assert answer.status_code < 500


def test_a_forged_session_is_nobody(club, client_of):
    for key in ("x", "a" * 32, "0" * 5000, "../../etc/passwd", "'; --", ("\u202e" * 9).encode().decode("latin-1")):
        visitor = client_of(None)
        visitor.cookies["sessionid"] = key
        assert visitor.get(reverse("members", args=[club.slug])).status_code == 302


def test_hidden_signs_are_left_out_of_what_is_typed_and_that_is_said(visitor, club):
    add = {"step": "one", "name": "Ann\u202e Abel\u200b\x00", "email": "", "telephone": "", "note": "at\x07home"}
    answer = visitor.post(reverse("members", args=[club.slug]), add, follow=True)
    assert "Invisible characters were removed" in answer.content.decode()
    assert Member.objects.get().name == "Ann Abel"
    plain = visitor.post(
        reverse("members", args=[club.slug]), {**add, "name": "José \U0001f469\u200d\U0001f467", "note": ""}
    )
    assert "can&#x27;t be seen" not in visitor.get(reverse("members", args=[club.slug])).content.decode()
    assert Member.objects.filter(name="José \U0001f469\u200d\U0001f467").exists(), plain.content.decode()


def test_a_nul_in_an_address_finds_nothing(visitor, club):
    assert visitor.get(f"/{club.slug}/members/", {"q": "\x00"}).status_code == 200
    assert visitor.get(f"/{club.slug}%00/").status_code == 404
