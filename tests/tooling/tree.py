"""The checkout's files, for the tests that read them."""

import os
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {".tools", ".git", "var", "vendor", "node_modules"}


def files(*patterns):
    """This project's own files that match a glob pattern such as "*.html", in order of their paths."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in NOT_OURS and not name.startswith(".venv"))
        for name in sorted(names):
            if any(fnmatch(name, pattern) for pattern in patterns):
                yield Path(folder, name)


def shown(path):
    """A path as a message names it: from the checkout's root."""
    return path.relative_to(ROOT).as_posix()
