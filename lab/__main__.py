"""`python -m lab COMMAND`: run one of the workshop's commands, as `./dev` does."""

import os
import sys
from importlib import import_module
from pkgutil import iter_modules

import django
from django.core.management import BaseCommand

from lab import commands


def main() -> None:
    names = [module.name for module in iter_modules(commands.__path__)]
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in names:
        sys.exit(f"python -m lab COMMAND, one of: {', '.join(names)}")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    django.setup()
    command: BaseCommand = import_module(f"lab.commands.{name}").Command()
    command.run_from_argv(["lab", *sys.argv[1:]])


if __name__ == "__main__":
    main()
