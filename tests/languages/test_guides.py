"""The directors' guides: bold words stand on the screen, in the guide's language; links and pictures lead somewhere.

Bold in a guide is for words of the screen alone. What the screen fills in is a figure ("Draw round 1") or "…".
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest

from lab.commands.messages import BRACE, PERCENT, catalogue_file, read_catalogue
from tests.languages.found import messages_found
from tests.tooling.tree import ROOT

DOCS = ROOT / "docs"
GUIDES = {"en": DOCS / "directors-guide.md", "es": DOCS / "guia-del-director.md"}
LONGEST = 5_250  # words: what one reads in an evening
HEAVIEST = 40_000  # bytes of a picture

BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")
PLACEHOLDER = re.compile(f"{PERCENT.pattern}|{BRACE.pattern}")


class Text(NamedTuple):
    english: str
    said: tuple[str, ...]


def texts(language):
    """What stands on pages; rule sets have their own names for things, which no button bears."""
    found = {
        key: message for key, message in messages_found().items() if any(not f.endswith(".toml") for f in message.files)
    }
    if language == "en":
        return [Text(one.text, tuple(filter(None, (one.text, one.plural)))) for one in found.values()]
    held = {(entry.msgctxt or "", entry.msgid): entry for entry in read_catalogue(catalogue_file(language))}
    return [Text(key[1], (held[key].msgstr, *held[key].msgstr_plural.values())) for key in found if key in held]


class Screen:
    def __init__(self, given):
        self.exact = {}
        self.filled = []
        for text in given:
            for said in filter(None, text.said):
                if PLACEHOLDER.search(said.replace("%%", "")):
                    parts = re.split(r"(?:%\(\w+\)[sd]|{[^}]*})", said)
                    self.filled.append((re.compile(r"(?:\d+|…)".join(map(re.escape, parts))), text.english))
                else:
                    self.exact.setdefault(said, set()).add(text.english)

    def english_of(self, words):
        """The texts, in English, that read so on the screen; none if nothing does. A label begins with a capital."""
        small = words[:1].lower() + words[1:]
        found = self.exact.get(words) or self.exact.get(small) or set()
        if not found and re.search(r"\d|…", words):
            found = {english for pattern, english in self.filled if pattern.fullmatch(words)}
        return found


@cache
def screen(language):
    """The words of the screen in a language: not read where another process asks these tests."""
    return Screen(texts(language))


def bold(source):
    return [" ".join(found.split()) for found in BOLD.findall(source)]


def sections(source):
    """Each heading with its level and what stands below it."""
    heads = list(HEADING.finditer(source))
    ends = [head.start() for head in heads[1:]] + [len(source)]
    return [(len(head[1]), head[2], source[head.end() : end]) for head, end in zip(heads, ends, strict=True)]


def anchor(heading):
    bare = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return bare.replace(" ", "-")


def broken(file):
    """The links and pictures of a document that lead nowhere."""
    source = file.read_text(encoding="utf-8")
    found = []
    for target in [*LINK.findall(source), *(picture for _words, picture in PICTURE.findall(source))]:
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        name, _, section = unquote(target).partition("#")
        there = (file.parent / name).resolve() if name else file
        if not there.is_file() or (
            section and section not in {anchor(head) for _, head in HEADING.findall(there.read_text("utf-8"))}
        ):
            found.append(target)
    return found


# --- The guides -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", GUIDES)
def test_every_word_in_bold_stands_on_the_screen(language):
    named = bold(GUIDES[language].read_text(encoding="utf-8"))
    assert len(named) > 100
    assert [words for words in named if not screen(language).english_of(words)] == []


def test_both_guides_have_the_same_sections_and_name_the_same_in_each():
    english, spanish = (sections(guide.read_text(encoding="utf-8")) for guide in GUIDES.values())
    assert [level for level, _, _ in english] == [level for level, _, _ in spanish]
    for (_, head, ours), (_, _, theirs) in zip(english, spanish, strict=True):
        here = {words: screen("en").english_of(words) for words in bold(ours)}
        there = {words: screen("es").english_of(words) for words in bold(theirs)}
        assert only(here, there) == [], head
        assert only(there, here) == [], head


def only(some, others):
    return [words for words, texts in some.items() if not any(texts & other for other in others.values())]


def test_both_guides_show_the_same_pictures_each_in_its_language():
    shown = {language: PICTURE.findall(guide.read_text(encoding="utf-8")) for language, guide in GUIDES.items()}
    names = {language: [Path(file).name for _, file in pictures] for language, pictures in shown.items()}
    assert names["en"] == names["es"] != []
    for language, pictures in shown.items():
        assert {Path(file).parent.as_posix() for _, file in pictures} == {f"pictures/{language}"}
        assert [file for words, file in pictures if len(words) < 10] == []
        assert {file.name for file in (DOCS / "pictures" / language).iterdir()} == set(names[language])


def test_pictures_are_small():
    assert [file.name for file in (DOCS / "pictures").rglob("*.png") if file.stat().st_size > HEAVIEST] == []


@pytest.mark.parametrize("language", GUIDES)
def test_a_guide_is_read_in_an_evening(language):
    assert len(GUIDES[language].read_text(encoding="utf-8").split()) <= LONGEST


@pytest.mark.parametrize("file", [*GUIDES.values(), ROOT / "README.md"], ids=lambda file: file.name)
def test_every_link_and_picture_leads_somewhere(file):
    assert broken(file) == []
