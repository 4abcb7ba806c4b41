"""Catalogues of messages, made ready for Django when the site starts: no tool of the system is needed for it.

`locale/*/LC_MESSAGES/django.po` is what translators write. Django reads the same in binary form, which is made here
once for each state of the files and kept beside the site's data.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from hashlib import sha256
from pathlib import Path

NAME = "LC_MESSAGES/django"
KEPT = 3  # states: processes that were started before a change still read theirs


def compiled(source: Path, target: Path) -> Path:
    """The folder under `target` with the binary catalogues of all that lie under `source`; made if it isn't there."""
    files = sorted(source.glob(f"*/{NAME}.po"))
    digest = sha256(b"".join(str(file.relative_to(source)).encode() + file.read_bytes() for file in files))
    folder = target / digest.hexdigest()[:16]
    if not folder.is_dir():
        _compile(files, source=source, folder=folder)
        states = sorted(target.iterdir(), key=lambda state: state.stat().st_mtime, reverse=True)
        for state in states[KEPT:]:
            shutil.rmtree(state, ignore_errors=True)
    return folder


def _compile(files: list[Path], *, source: Path, folder: Path) -> None:
    """Make the folder, which appears whole or not at all; whoever else makes it at the same time makes the same."""
    import polib  # only here: a start that finds the folder needs no parser

    folder.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(dir=folder.parent.parent, prefix="locale-"))
    try:
        for file in files:
            made = (making / file.relative_to(source)).with_suffix(".mo")
            made.parent.mkdir(parents=True)
            polib.pofile(str(file), encoding="utf-8").save_as_mofile(str(made))
        os.rename(making, folder)
    except OSError:
        if not folder.is_dir():  # else another process was first
            raise
    finally:
        shutil.rmtree(making, ignore_errors=True)
