"""Static files as `./dev run` builds them: named by their content, compressed beforehand, kept by browsers."""

import json
import re

import pytest
from django.conf import settings
from django.test import Client

from clubsite.pdf.documents import MORE_TYPE, SCREEN_STYLE, STYLES
from tests.served import program

YEAR = 365 * 24 * 3600


def files_of(html):
    """The addresses of the static files that a page names, each once, without its fragment."""
    return list(dict.fromkeys(re.findall(rf'\s(?:href|src)="({settings.STATIC_URL}[^"#]*)', html)))


# Asked of a process of its own, because the storage is chosen when the settings are read.
ASK = """
import json
import clubsite.sqlite
import django
django.setup()
from django.core.management import call_command
from django.test import Client
from tests.ops.test_static_build import files_of
call_command("collectstatic", interactive=False, verbosity=0)
client = Client(SERVER_NAME="localhost")
page = client.get("/login/").content.decode()
answers = {}
for address in files_of(page):
    answer = client.get(address, headers={"Accept-Encoding": "br, gzip"})
    answers[address] = [answer.status_code, dict(answer.headers), len(answer.getvalue())]
print(json.dumps([page, answers]))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The log-in page, what the server answers for each of its files, and the folder with what was built."""
    data = tmp_path_factory.mktemp("built")
    done = program(data, "-c", ASK, STATIC_BUILT="on")
    assert done.returncode == 0, done.stderr
    page, answers = json.loads(done.stdout)
    return page, answers, data / "static"


def test_every_file_of_a_page_is_named_by_its_content_and_kept(built):
    _page, answers, _folder = built
    assert len(answers) >= 9
    for address, (status, headers, _size) in answers.items():
        assert status == 200
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", address), address
        kept = headers["Cache-Control"]
        assert "immutable" in kept
        assert int(re.findall(r"max-age=(\d+)", kept)[0]) >= YEAR


def test_text_is_sent_compressed_and_fonts_as_they_are(built):
    _page, answers, _folder = built
    sent = {
        address.rpartition(".")[2]: headers.get("Content-Encoding") for address, (_s, headers, _n) in answers.items()
    }
    assert sent == {"css": "br", "js": "br", "svg": "br", "woff2": None, "png": None}


def test_a_phone_without_brotli_gets_gzip(built):
    _page, answers, folder = built
    for address in answers:
        if not address.endswith((".woff2", ".png")):
            assert (folder / f"{address.removeprefix(settings.STATIC_URL)}.gz").exists()


def test_what_no_page_loads_is_not_built(built):
    names = {path.name for path in built[2].rglob("*")}
    assert not any(re.match(r"htmx-4|README", name) for name in names)


def test_every_style_of_a_paper_is_built_for_browsers_that_print_it(built):
    manifest = json.loads((built[2] / "staticfiles.json").read_text())["paths"]
    assert {*STYLES, MORE_TYPE, SCREEN_STYLE} - set(manifest) == set()


def test_every_file_that_a_template_names_is_built(built):
    manifest = json.loads((built[2] / "staticfiles.json").read_text())["paths"]
    templates = (path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html"))
    named = {name for text in templates for name in re.findall(r"""{% static ['"]([^'"]+)['"]""", text)}
    assert len(named) > 20
    assert named - set(manifest) == set()


def test_modules_import_others_under_the_names_that_pages_preload(built):
    folder = built[2]
    manifest = json.loads((folder / "staticfiles.json").read_text())["paths"]
    imports = re.findall(r'from "([^"]+)";', (folder / manifest["offline.js"]).read_text())
    assert "./" + manifest["kept.js"] in imports
    assert {(folder / name).exists() for name in imports} == {True}


def test_a_font_is_preloaded_under_the_name_that_the_sheet_asks_for(built):
    page, answers, folder = built
    sheet = next(address for address in answers if "/fonts." in address)
    asked = (folder / sheet.removeprefix(settings.STATIC_URL)).read_text()
    preloaded = [address for address in files_of(page) if address.endswith(".woff2")]
    assert len(preloaded) == 2
    assert all(address.removeprefix(settings.STATIC_URL) in asked for address in preloaded)


def test_pages_are_sent_compressed_to_browsers_that_take_it(club):
    answer = Client().get("/st-hilary/", headers={"Accept-Encoding": "gzip, br"})
    assert answer["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer["Vary"]
    assert "Content-Encoding" not in Client().get("/st-hilary/")
