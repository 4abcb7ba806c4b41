"""Message catalogues, compiled for Django when the site starts, without any system tool such as gettext.

Translators write `locale/*/LC_MESSAGES/django.po`. Django reads a binary form, which is made here whenever the files
have changed and kept beside the site's data. English has a catalogue, too, in which each text is its own translation:
without it Django looks for every text in one catalogue after the other, and finds it in none.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from hashlib import sha256
from pathlib import Path

NAME = "LC_MESSAGES/django"
KEPT = 3  # compiled states: processes started before a change still read an older one


def compiled(source: Path, target: Path) -> Path:
    """The folder under `target` with the binary catalogues of all that lie under `source`; made if it isn't there."""
    files = sorted(source.glob(f"*/{NAME}.po"))
    digest = sha256(b"with English")
    for file in files:
        digest.update(str(file.relative_to(source)).encode() + file.read_bytes())
    folder = target / digest.hexdigest()[:16]
    if not folder.is_dir():
        _compile(files, source=source, folder=folder)
        states = sorted(target.iterdir(), key=lambda state: state.stat().st_mtime, reverse=True)
        for state in states[KEPT:]:
            shutil.rmtree(state, ignore_errors=True)
    return folder


def _compile(files: list[Path], *, source: Path, folder: Path) -> None:
    """Make the folder, which appears whole or not at all; whoever else makes it at the same time makes the same."""
    import polib  # imported only here: most starts find the folder and need no parser

    folder.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(dir=folder.parent.parent, prefix="locale-"))
    english = making / f"en/{NAME}.mo"
    try:
        for file in files:
            made = (making / file.relative_to(source)).with_suffix(".mo")
            made.parent.mkdir(parents=True)
            texts = polib.pofile(str(file), encoding="utf-8")
            texts.save_as_mofile(str(made))
            for text in texts:  # each its own translation; its plurals go by the same rule as Spanish ones
                text.msgstr = text.msgid
                if text.msgid_plural:
                    text.msgstr_plural = {0: text.msgid, 1: text.msgid_plural}
            english.parent.mkdir(parents=True, exist_ok=True)
            texts.save_as_mofile(str(english))
        os.rename(making, folder)
    except OSError:
        if not folder.is_dir():  # otherwise another process made it first
            raise
    finally:
        shutil.rmtree(making, ignore_errors=True)
