"""The catalogues: every text of the program is in them, translated, with its placeholders, its tags and its end."""

import os
import re
from collections import Counter
from pathlib import Path

import polib
import pytest
from django.utils import translation
from django.utils.translation import gettext

from lab.catalogues import compile_catalogues
from lab.commands.messages import (
    BRACE,
    PACKAGES,
    PERCENT,
    catalogue_file,
    entry_key,
    fill_catalogue,
    is_translated,
    messages,
    python_messages,
    read_catalogue,
    rules_messages,
    template_messages,
    translated_languages,
    update_catalogue,
)
from tests.languages.found import messages_found

LANGUAGES = translated_languages()
TAG = re.compile(r"</?[a-z][^>]*>")
HREF = re.compile(r"\s+(?:lang|title|aria-label)=\"[^\"]*\"")  # what an attribute says is translated, too
ENDS = (".", ":", "?", "!", "…", ",", ";")
NAME_LAST = re.compile(r"%\((?:names?|sides?|kept|old|new|others?|partner|who|entry)\)s\.(?!\w)")
SHORT = ("N.º", "Comb.")  # heads of columns
LETTERS = re.compile(r"[^\W\d_]{2,}")
SAME = set(
    Path(__file__).with_name("same_in_spanish.txt").read_text(encoding="utf-8").splitlines()
)  # names, and words that both languages have


def entries(language):
    return list(read_catalogue(catalogue_file(language)))


def pairs(entry):
    """Each translation of an entry with the text it translates: plural forms with the plural."""
    if entry.msgid_plural:
        return [(entry.msgid_plural if form else entry.msgid, said) for form, said in entry.msgstr_plural.items()]
    return [(entry.msgid, entry.msgstr)]


def wrong(language, what):
    """By file: the texts and translations for which `what` says so."""
    found = {}
    for entry in entries(language):
        for text, said in pairs(entry):
            if said and what(text, said):
                found.setdefault(entry.occurrences[0][0], []).append((text, said))
    return found


def test_a_text_alone_and_with_a_plural_are_two_texts(tmp_path):
    """Python 3.11.2, which is Debian's, finds "Nine of trump" in English where "2 nines of trump" is the same entry."""
    for package in PACKAGES:
        (tmp_path / package).mkdir()
    (tmp_path / "scoring" / "rules").mkdir()
    (tmp_path / "templates").mkdir()
    imported = "from django.utils.translation import gettext, ngettext, npgettext\n"
    alone, counted = tmp_path / "scoring" / "laid.py", tmp_path / "scoring" / "words.py"
    alone.write_text(imported + "gettext('Nine of trump')\n", encoding="utf-8")
    counted.write_text(imported + "ngettext('Nine of trump', '%(n)s nines of trump', 2)\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"'Nine of trump' .* context \(scoring/laid\.py, scoring/words\.py\)"):
        messages(tmp_path)
    counted.write_text(imported + "npgettext('melds', 'Nine of trump', '%(n)s nines of trump', 2)\n", encoding="utf-8")
    assert set(messages(tmp_path)) == {("", "Nine of trump"), ("melds", "Nine of trump")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_missing_by_file(language):
    done = {entry_key(entry) for entry in entries(language) if is_translated(entry)}
    missing = Counter(min(message.files) for key, message in messages_found().items() if key not in done)
    assert missing == {}, "./dev messages --missing FILE.po writes them into a file"


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_unused_twice_or_fuzzy(language):
    held = entries(language)
    keys = [entry_key(entry) for entry in held]
    assert sorted(set(keys) - set(messages_found())) == []
    assert [key for key, times in Counter(keys).items() if times > 1] == []
    assert [entry_key(entry) for entry in held if entry.fuzzy or entry.obsolete] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_is_as_the_command_writes_it(language):
    catalogue = read_catalogue(catalogue_file(language))
    update_catalogue(catalogue, messages_found())
    assert str(catalogue) == catalogue_file(language).read_text(encoding="utf-8").rstrip("\n") + "\n", "./dev messages"


def placeholders(text):
    return Counter(PERCENT.findall(text.replace("%%", ""))) + Counter(BRACE.findall(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_placeholder_is_lost_or_added(language):
    """A singular may say "one" for its number, in either language."""
    problems = {}
    for entry in entries(language):
        known = set(placeholders(entry.msgid)) | set(placeholders(entry.msgid_plural or ""))
        for form, (text, said) in enumerate(pairs(entry)):
            if not said:
                continue
            there, wanted = set(placeholders(said)), set(placeholders(text))
            lost = wanted - there
            if there - known or (lost and not (entry.msgid_plural and form == 0 and len(lost) == 1)):
                problems[text] = said
    assert problems == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_tags_spaces_and_ends_are_the_same(language):
    def tags(text):
        return Counter(HREF.sub("", tag) for tag in TAG.findall(text))

    def end(text):
        bare = TAG.sub("", text).rstrip("”»\"') ")
        return bare[-1:] if bare.endswith(ENDS) else ""

    def spaces(text):
        return text[:1].isspace(), text[-1:].isspace()

    assert wrong(language, lambda text, said: tags(text) != tags(said)) == {}
    assert wrong(language, lambda text, said: spaces(text) != spaces(said)) == {}
    assert wrong(language, lambda text, said: said not in SHORT and end(text) != end(said)) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_full_stop_follows_a_name_which_may_end_with_one(language):
    """ "Ahead of Helen P.." stood on the result. The log takes the second one away itself."""
    assert wrong(language, lambda *texts: any(map(NAME_LAST.search, texts))) == {}


def test_spanish_is_another_text_than_english():
    def same(text, said):
        return text == said and bool(LETTERS.search(PERCENT.sub("", BRACE.sub("", text)))) and text not in SAME

    assert wrong("es", same) == {}


@pytest.mark.parametrize(
    "pattern",
    [
        r"\b(a|con|de|del|en|por) %\(round\)s",  # which begins with a capital and has no article ("Ronda 1")
        r"\bde %\(stage\)s",  # which somebody typed, perhaps with an article: "El corte de El final"
    ],
)
def test_the_names_of_rounds_and_stages_follow_no_preposition_in_spanish(pattern):
    assert wrong("es", lambda _text, said: re.search(pattern, said)) == {}


def test_what_is_the_same_in_both_is_so():
    held = {text for entry in entries("es") for text, said in pairs(entry) if text == said}
    assert SAME - held == set()


# --- How texts are found ----------------------------------------------------------------------------------------------


def test_texts_of_a_module_are_found_by_whatever_name_it_has_for_gettext():
    source = """
from django.utils.translation import gettext as _now, gettext_lazy as _, ngettext, pgettext
from elsewhere import gettext
ONE = _("one "
        "text")
TWO = [_now("two"), ngettext("%(n)d deal", "%(n)d deals", 3), pgettext("cards", "hand")]
NOT = [gettext("no"), _(ONE), print("neither")]
"""
    found = [(m.context, m.text, m.plural) for m in python_messages(source)]
    assert sorted(found) == [
        ("", "%(n)d deal", "%(n)d deals"),
        ("", "one text", ""),
        ("", "two", ""),
        ("cards", "hand", ""),
    ]


def test_texts_of_a_template_are_found_as_it_is_read():
    source = """{% load i18n %}
<p title="{% translate 'A title' %}">{% translate "It's (here)" context "place" %} {{ _("constant") }}</p>
{% blocktranslate trimmed count n=deals|length with name=x %}
    {{ n }} deal of
    {{ name }}
  {% plural %}
    {{ n }} deals
  {% endblocktranslate %}{% comment %}{% translate "not this" %}{% endcomment %}
{% if a %}{% blocktranslate %}100 % of {{ it }}{% endblocktranslate %}{% endif %}
"""
    found = [(m.context, m.text, m.plural) for m in template_messages(source)]
    assert found == [
        ("", "A title", ""),
        ("place", "It's (here)", ""),
        ("", "constant", ""),
        ("", "%(n)s deal of %(name)s", "%(n)s deals"),
        ("", "100 %% of %(it)s", ""),
    ]


def test_texts_of_a_rule_set_are_found():
    source = 'title = "T"\nabout = ""\n[settings.target]\nvalue = 1\nlabel = "L"\nsource = "S"\n'
    assert [message.text for message in rules_messages(source)] == ["T", "L", "S"]


# --- Catalogues -------------------------------------------------------------------------------------------------------


@pytest.fixture
def source(tmp_path):
    file = tmp_path / "locale" / "es" / "LC_MESSAGES" / "django.po"
    file.parent.mkdir(parents=True)
    file.write_text(
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "deal"\nmsgstr "reparto"\n'
    )
    return tmp_path / "locale"


def test_a_catalogue_is_compiled_when_it_has_changed(source):
    file = source / "es" / "LC_MESSAGES" / "django.po"
    made = file.with_suffix(".mo")
    compile_catalogues(source)
    assert polib.mofile(str(made)).find("deal").msgstr == "reparto"
    before = made.stat().st_mtime_ns
    compile_catalogues(source)
    assert made.stat().st_mtime_ns == before
    file.write_text(file.read_text().replace("reparto", "mano"))
    os.utime(file, ns=(before + 10**9, before + 10**9))
    compile_catalogues(source)
    assert polib.mofile(str(made)).find("deal").msgstr == "mano"


def test_translations_are_taken_over_and_kept(source):
    catalogue = polib.POFile()
    catalogue.metadata = {"Plural-Forms": "nplurals=2; plural=(n != 1);"}
    given = [polib.POEntry(msgid="Saved.", msgstr="Guardado."), polib.POEntry(msgid="no such text", msgstr="nada")]
    given += [polib.POEntry(msgid="It is in the book.", msgstr="")]
    update_catalogue(catalogue, {key: messages_found()[key] for key in (("", "Saved."), ("", "It is in the book."))})
    assert fill_catalogue(catalogue, given) == 1
    update_catalogue(catalogue, {("", "Saved."): messages_found()["", "Saved."]})
    assert [(entry.msgid, entry.msgstr) for entry in catalogue] == [("Saved.", "Guardado.")]


@pytest.mark.parametrize(
    "source",
    [
        '000; pagat.com "Canasta", Classic Canasta; bicyclecards.com "Canasta": 15 below nought, 50 to 1,495, 90 to '
        "2,995, then 120",
        'pagat.com "Canasta", Classic Canasta; bicyclecards.com "Canasta": 15 below nought, 50 to 1,495, 90 to 2,995, '
        "then 120",
        "002, section 14b; nothing passes over when the winner's falls to nought",
    ],
)
def test_sources_in_the_words_that_clubs_rules_copied_before_stay_translated(source):
    with translation.override("es"):
        assert "cero" in gettext(source)
