"""Compiles the catalogues of translations for Django (`.mo`) where they have changed, without gettext's own tools."""

import os
from pathlib import Path

import polib

LOCALE = Path(__file__).resolve().parents[1] / "locale"


def compile_catalogues(folder: Path = LOCALE) -> None:
    """Make each `.mo` whose `.po` is newer; a reader meanwhile finds the old one or the new one whole."""
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        binary = source.with_suffix(".mo")
        if not binary.exists() or binary.stat().st_mtime < source.stat().st_mtime:
            part = source.with_suffix(f".{os.getpid()}")
            polib.pofile(str(source), encoding="utf-8").save_as_mofile(str(part))
            part.replace(binary)


if __name__ == "__main__":
    compile_catalogues()
