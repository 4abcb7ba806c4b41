#!/usr/bin/env python3
"""Django's command line for Nine Tables."""

import os
import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command named on the command line. What it prints is UTF-8, as its files are, in any locale."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
