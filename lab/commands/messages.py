"""Finds every text of the program that people read in its source, and keeps the catalogues complete.

This needs no gettext, so the tests that say what isn't translated run anywhere. Texts are in Python and templates,
where Django's own `makemessages` looks for them, and in rule sets (title, description, labels, sources), which are
translated when they are shown.
"""

import ast
import re
import tomllib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation.template import templatize

PACKAGES = ("clubsite", "scoring", "tournaments")
ARGUMENTS = {"gettext": ("id",), "ngettext": ("id", "plural")}
ARGUMENTS |= {f"p{name}".replace("pn", "np"): ("context", *args) for name, args in ARGUMENTS.items()}
ARGUMENTS |= {f"{name}_lazy": args for name, args in ARGUMENTS.items()} | {"gettext_noop": ("id",)}
TRANSLATION = "django.utils.translation"
CALL = re.compile(r"\b(?:n?p?gettext|_)\(")
PERCENT = re.compile(r"%(?:\(\w+\))?[#0+ -]*\d*(?:\.\d+)?[diouxXeEfFgGcrs]")
BRACE = re.compile(r"\{\w*(?::[^{}]*)?\}")

Key = tuple[str, str]  # context ("" for none) and text


@dataclass(slots=True)
class Message:
    """A text of the program: its plural ("" for none), and the files in which it stands."""

    context: str
    text: str
    plural: str = ""
    files: set[str] = field(default_factory=set)

    @property
    def key(self) -> Key:
        """What catalogues know it by: context and text."""
        return self.context, self.text

    @property
    def flags(self) -> list[str]:
        percent = ["python-format"] if PERCENT.search(self.text) and "%%" not in self.text else []
        return percent or (["python-brace-format"] if BRACE.search(self.text) else [])


def messages(root: Path | None = None) -> dict[Key, Message]:
    """All texts under `root` (this project's folder), by context and text.

    Raises ValueError for a text that stands alone in one place and has a plural in another: Python 3.11.2, which is
    that of Debian 12, finds the translation of the second only.
    """
    root = root or Path(settings.BASE_DIR)
    found: dict[Key, Message] = {}
    for file, message in _find_messages(root):
        known = found.setdefault(message.key, message)
        known.files.add(file.relative_to(root).as_posix())
        if known.plural != message.plural:
            files = ", ".join(sorted(known.files))
            raise ValueError(f"{message.text!r} isn't always with the same plural: give one a context ({files})")
    return found


def _find_messages(root: Path) -> Iterator[tuple[Path, Message]]:
    read = {f"{package}/**/*.py": python_messages for package in PACKAGES}
    read |= {
        "templates/**/*.html": template_messages,
        "templates/**/*.txt": template_messages,
        "scoring/rules/**/*.toml": rules_messages,
    }
    for files, texts in read.items():
        for file in sorted(root.glob(files)):
            if "migrations" not in file.parts:
                yield from ((file, message) for message in texts(file.read_text(encoding="utf-8")))


def python_messages(source: str) -> Iterator[Message]:
    """The texts that a module has translated, under whatever name it imported Django's function.

    >>> source = "from django.utils.translation import gettext_lazy as _; NAME = _('a ' 'text')"
    >>> [message.text for message in python_messages(source)]
    ['a text']
    """
    tree = ast.parse(source)
    names = {
        alias.asname or alias.name: ARGUMENTS[alias.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == TRANSLATION
        for alias in node.names
        if alias.name in ARGUMENTS
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield from _message(node, names[node.func.id])


def template_messages(source: str) -> Iterator[Message]:
    calls = templatize(source)
    for found in CALL.finditer(calls):
        node = _call_at(calls, found.start())
        name = "gettext" if found[0] == "_(" else found[0][:-1]
        for message in _message(node, ARGUMENTS[name]) if node else ():
            if found[0] != "_(":
                yield message
            else:  # Django doubles the percent signs of tags, not of constants
                yield Message(message.context, message.text.replace("%", "%%"))


def rules_messages(source: str) -> Iterator[Message]:
    rules = tomllib.loads(source)
    texts = [rules.get("title", ""), rules.get("about", ""), *rules.get("texts", ())]
    texts += [setting.get(part, "") for setting in rules.get("settings", {}).values() for part in ("label", "source")]
    return (Message("", text) for text in texts if text)


def _call_at(source: str, start: int) -> ast.Call | None:
    """The call that begins there, up to the first closing bracket that makes it valid Python."""
    end = start
    while (end := source.find(")", end) + 1) > 0:
        try:
            node = ast.parse(source[start:end], mode="eval").body
        except SyntaxError:
            continue
        return node if isinstance(node, ast.Call) else None
    return None


def _message(node: ast.Call, arguments: tuple[str, ...]) -> Iterator[Message]:
    """The text of a call; nothing where the argument isn't a literal."""
    given = dict(zip(arguments, node.args, strict=False))
    text = {name: arg.value for name, arg in given.items() if isinstance(arg, ast.Constant)}
    if isinstance(wanted := text.get("id"), str):
        yield Message(str(text.get("context", "")), wanted, str(text.get("plural", "")))


# --- Catalogues -----------------------------------------------------------------------------------------------------


def catalogue_file(language: str) -> Path:
    return Path(settings.BASE_DIR) / "locale" / language / "LC_MESSAGES" / "django.po"


def translated_languages() -> list[str]:
    """The languages that have a catalogue: all but the one that the program is written in."""
    return [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def read_catalogue(file: Path) -> polib.POFile:
    return polib.pofile(str(file), encoding="utf-8", wrapwidth=0)


def entry_key(entry: polib.POEntry) -> Key:
    return entry.msgctxt or "", entry.msgid


def is_translated(entry: polib.POEntry) -> bool:
    if entry.fuzzy:
        return False
    return all(entry.msgstr_plural.values()) if entry.msgid_plural else bool(entry.msgstr)


def update_catalogue(catalogue: polib.POFile, found: dict[Key, Message]) -> None:
    """Give a catalogue an entry for each text there is, in order, and none for others. What is translated stays."""
    known = {entry_key(entry): entry for entry in catalogue if not entry.obsolete}
    forms = int(re.search(r"nplurals=(\d+)", catalogue.metadata["Plural-Forms"])[1])  # type: ignore[index]  # every catalogue has it
    catalogue.clear()
    for key in sorted(found, key=lambda key: (key[1], key[0])):
        catalogue.append(_entry(found[key], known.get(key), forms=forms))


def _entry(message: Message, known: polib.POEntry | None, *, forms: int) -> polib.POEntry:
    places, context = [(file, "") for file in sorted(message.files)], message.context or None
    entry = polib.POEntry(msgctxt=context, msgid=message.text, occurrences=places, flags=message.flags)
    if message.plural:
        kept = known.msgstr_plural if known and known.msgid_plural == message.plural else {}
        entry.msgid_plural = message.plural
        entry.msgstr_plural = {form: kept.get(form, "") for form in range(forms)}
    elif known and not known.msgid_plural:
        entry.msgstr = known.msgstr
    return entry


def fill_catalogue(catalogue: polib.POFile, entries: Iterable[polib.POEntry]) -> int:
    """Copy the translations of these entries into the catalogue, over those it has. Returns how many were copied."""
    known = {entry_key(entry): entry for entry in catalogue}
    taken = 0
    for entry in entries:
        mine = known.get(entry_key(entry))
        if mine is None or not is_translated(entry) or mine.msgid_plural != entry.msgid_plural:
            continue
        mine.msgstr, mine.msgstr_plural = entry.msgstr, entry.msgstr_plural
        taken += 1
    return taken


class Command(BaseCommand):
    help = "Bring the catalogues of messages up to date; says what isn't translated yet."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--language", choices=translated_languages(), default=translated_languages()[0])
        parser.add_argument("--fill", nargs="+", metavar="FILE.po", default=[], help="take translations from these")
        parser.add_argument("--missing", metavar="FILE.po", help="write what isn't translated into a file of its own")

    def handle(self, *args: Any, **options: Any) -> None:
        file = catalogue_file(options["language"])
        catalogue = read_catalogue(file)
        update_catalogue(catalogue, messages())
        for given in options["fill"]:
            self.stdout.write(f"{given}: {fill_catalogue(catalogue, read_catalogue(Path(given)))} taken")
        catalogue.save(str(file))
        missing = [entry for entry in catalogue if not is_translated(entry)]
        if options["missing"]:
            rest = polib.POFile(wrapwidth=0)
            rest.metadata = catalogue.metadata
            rest.extend(missing)
            rest.save(options["missing"])
        for place, count in sorted(Counter(entry.occurrences[0][0] for entry in missing).items()):
            self.stdout.write(f"{count:5}  {place}")
        self.stdout.write(f"{options['language']}: {len(catalogue)} messages, {len(missing)} not translated.")
