"""The templates and static files: nothing that the Content-Security-Policy forbids, nothing from elsewhere."""

import re
from html.parser import HTMLParser

import pytest
from django.template.loader import get_template

from tests.tooling.tree import ROOT, files, shown

# Templates of PDFs are read by the PDF maker, never by a browser.
TEMPLATES = [path for path in files("*.html") if "documents" not in path.parts]
DATA_SCRIPTS = {"application/json", "application/ld+json"}


def test_every_template_compiles():
    for path in files("*.html"):
        if path.is_relative_to(ROOT / "templates"):
            get_template(str(path.relative_to(ROOT / "templates")))


class InlineFinder(HTMLParser):
    """Collects what a page may not hold: script and style in the page, and attributes that need eval."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        if (tag == "style" and "nonce" not in given) or (
            tag == "script" and "src" not in given and given.get("type") not in DATA_SCRIPTS
        ):
            self.found.append(f"<{tag}>")
        for name, value in given.items():
            if (
                re.match(r"on[a-z]+$|style$|hx-on|data-hx-on", name)
                or value.strip().lower().startswith(("javascript:", "js:"))
                or (name in {"hx-trigger", "data-hx-trigger"} and "[" in value)  # a filter is eval'd
            ):
                self.found.append(f"<{tag} {name}={value!r}>")


def inline(source):
    """The forbidden parts of a template's source."""
    finder = InlineFinder()
    finder.feed(re.sub(r"{%.*?%}|{#.*?#}", "", source, flags=re.DOTALL))
    return finder.found


def test_no_template_holds_script_or_style():
    assert TEMPLATES
    assert {shown(path): found for path in TEMPLATES if (found := inline(path.read_text()))} == {}


def test_nothing_is_loaded_from_another_host():
    loads = re.compile(r"""(?:src|href|action)=["'](?:https?:)?//|url\(["']?(?:https?:)?//|@import""")
    sources = [*TEMPLATES, *files("*.css", "*.js")]
    assert [shown(path) for path in sources if loads.search(path.read_text())] == []


def test_vendored_files_name_no_map_that_is_not_there():
    vendored = [path for path in (ROOT / "static/vendor").rglob("*") if path.suffix in {".css", ".js"}]
    assert vendored
    assert [shown(path) for path in vendored if "sourceMappingURL" in path.read_text()] == []


def test_every_vendored_folder_is_told_of_and_has_its_licence():
    vendor = ROOT / "static/vendor"
    told = (vendor / "README").read_text()
    for folder in (path for path in vendor.iterdir() if path.is_dir()):
        assert f"{folder.name}/" in told
        licences = {path.name for path in folder.iterdir() if path.name.startswith(("LICENSE", "OFL"))}
        assert licences
        assert all(f"{folder.name}/{name}" in told for name in licences)


SHEETS = list(files("*.css"))


SCREEN = [path for path in SHEETS if not path.name.startswith(("print", "fonts"))]
WIDTHS = {"767.98px", "768px", "1099.98px", "1100px", "1366px", "1699.98px", "1700px"}


def bare(path):
    """A style sheet without its comments."""
    return re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)


def test_every_sheet_for_screens_is_in_layers():
    outside = {shown(path): re.findall(r"^[^\s}].*", bare(path), re.MULTILINE) for path in SCREEN}
    assert outside
    assert [
        (name, line)
        for name, lines in outside.items()
        for line in lines
        if not re.fullmatch(r"@layer (reset|base|parts|pages) {|@layer reset, base, parts, pages;", line)
    ] == []


def test_colours_and_sizes_of_type_have_one_home():
    home = re.compile(r"#[0-9a-f]{3,8}\b|font-size: (?![^;]*(?:var\(|\dem|clamp|%|pt|max\()).*")
    assert {shown(p): hits for p in SCREEN if p.name != "tokens.css" and (hits := home.findall(bare(p)))} == {}


def test_pages_change_at_four_widths():
    widths = {width for path in SCREEN for width in re.findall(r"-width: ([\d.a-z]+)\)", bare(path))}
    assert widths <= WIDTHS


SHEETS_OF_TYPE = {".woff2": ["fonts.css"], ".ttf": ["fonts-print.css", "fonts-print-more.css"]}  # screen, paper


@pytest.mark.parametrize("kind", SHEETS_OF_TYPE)
def test_every_typeface_named_is_shipped_and_every_one_shipped_is_named(kind):
    sheets = SHEETS_OF_TYPE[kind]
    named = [url for name in sheets for url in re.findall(r'url\("([^"]+)"\)', (ROOT / "static" / name).read_text())]
    shipped = [path.relative_to(ROOT / "static").as_posix() for path in (ROOT / "static").rglob(f"*{kind}")]
    assert sorted(named) == sorted(shipped) != []


def test_on_paper_no_two_files_share_a_family_and_style():
    """WeasyPrint would print the letters of one with the shapes of the other."""
    faces = re.findall(
        r'font-family: ("[^"]+");\s+font-weight: (\d+);\s+font-style: (\w+)',
        "".join((ROOT / "static" / name).read_text() for name in SHEETS_OF_TYPE[".ttf"]),
    )
    assert len(faces) == len(set(faces)) == len(list((ROOT / "static").rglob("*.ttf")))


IMPORTED = re.compile(r"""^(?:import|\}).*["'](\.[^"']+)["'];$""", re.MULTILINE)


def imported(module: str) -> set[str]:
    """What a module imports, and what that imports."""
    names = {
        str((ROOT / "static" / module).parent.joinpath(name).resolve().relative_to(ROOT / "static"))
        for name in IMPORTED.findall((ROOT / "static" / module).read_text())
    }
    return names.union(*map(imported, names))


def test_a_page_names_all_that_its_modules_import() -> None:
    """The service worker keeps only what a page names; and what is named comes without waiting for its importer."""
    pages = 0
    for template in TEMPLATES:
        text = template.read_text()
        modules = set(re.findall(r"""<script type="module" src="{% static '([^']+)' %}">""", text))
        preloaded = set(re.findall(r"""<link rel="modulepreload" href="{% static '([^']+)' %}">""", text))
        pages += bool(modules)
        assert set().union(*map(imported, modules)) - modules == preloaded, shown(template)
    assert pages >= 2
