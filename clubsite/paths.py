"""Where the program's own files are, and where an installed one keeps its data.

In a checkout templates, static files and translations lie beside the packages, and data goes into `var/`. A wheel
brings the same folders inside this package, under `shipped/`, and data goes where the system keeps a user's data.
"""

import os
import sys
from pathlib import Path

_CODE = Path(__file__).resolve().parent
INSTALLED = (_CODE / "shipped").is_dir()  # only a wheel has it
BASE_DIR = _CODE / "shipped" if INSTALLED else _CODE.parent
COMMAND = "nine-tables" if INSTALLED else "./dev"  # what is typed before run, manage and so on


def default_data_folder() -> Path:
    """Where data goes when VAR_DIR doesn't say: beside a checkout, or in the user's folder for programs' data."""
    if not INSTALLED:
        return BASE_DIR / "var"
    return user_data_folder() / "nine-tables"


def user_data_folder() -> Path:
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    folder = os.environ.get("XDG_DATA_HOME", "")
    return Path(folder) if Path(folder).is_absolute() else home / ".local" / "share"
