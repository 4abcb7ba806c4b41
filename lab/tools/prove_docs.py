"""`./dev prove docs`: runs the commands of README and docs as they are written, in order, on bare Debians.

CONTRIBUTING.md says how a block of commands is marked. Prints a line for each command.
"""

import re
import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

from lab.tools.bare import CLONED, HOME, ROOT, SUITES, BareRoot, Failed, bare_root, bring, free_port
from lab.tools.release import release, throwaway_key

PAGES = ("README.md", "CONTRIBUTING.md", "docs/your-laptop.md", "docs/hosting.md")
BLOCK = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
READ = {"powershell": "read: Windows", "zsh": "read: macOS"}
HERE_DOCUMENT = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?")
SERVES = re.compile(r"(?:nine-tables|\./dev)\s+(?:run|web)\b(?!.*--help)")
STATE = f"{HOME}/.shell"  # the working folder and the variables, from one command to the next


class Command(NamedTuple):
    line: int
    text: str
    how: str  # "sh", "sh fresh" for the first of a block, or "read: why"


def commands(page: str) -> list[Command]:
    """The commands of a page, as typed: with the lines that a backslash or a here-document adds."""
    found = []
    for block in BLOCK.finditer(page):
        language, _space, how = block[2].strip().partition(" ")
        how = READ.get(language, how or "sh")
        if language not in {"sh", *READ}:
            continue
        first = page.count("\n", 0, block.start(3)) + 1
        lines = [line.removeprefix(block[1]) for line in block[3].splitlines()]
        while lines:
            start, text = first, lines.pop(0)
            first += 1
            end = HERE_DOCUMENT.search(text)
            while lines and (text.endswith("\\") or (end and text.splitlines()[-1] != end[1])):
                text += "\n" + lines.pop(0)
                first += 1
            if text.strip() and not text.startswith("#"):
                found.append(Command(start, text, how))
                how = "sh" if how == "fresh" else how
    return found


def run_page(name: str, debian: str, files: Path) -> list[str]:
    """Run a page's commands; those that failed."""
    page = (ROOT / name).read_text(encoding="utf-8")
    failed = []
    with ExitStack() as open_root:
        root: BareRoot | None = None
        for command in commands(page):
            began = monotonic()
            if command.how.startswith("read"):
                result = command.how
            else:
                if root is None or command.how == "fresh":
                    open_root.close()
                    root = open_root.enter_context(bare_root(debian, sudo=True))
                    bring(root, files)
                try:
                    result = typed(root, command.text.replace("ADDRESS", CLONED)) or "ok"
                except Failed as wrong:
                    result = f"FAILED {wrong}"
                    failed.append(f"{name}:{command.line} on Debian {debian}")
            seconds = f"{monotonic() - began:.1f}"
            print(f"{name}:{command.line}", debian, seconds, command.text, result, sep="\t", flush=True)
    return failed


def typed(root: BareRoot, command: str) -> str:
    """Type a command, and where it serves look at its first page and press Ctrl+C; what there is to tell of it."""
    kept = f"touch {STATE}; . {STATE}"
    if not SERVES.search(command):
        root.run(f"{kept}\n{command}\nstatus=$?; {{ export -p; echo \"cd '$(pwd)'\"; }} >{STATE}; exit $status")
        return ""
    named = re.search(r"(?:PORT=|--port[ =])(\d+)", command)
    port = named[1] if named else free_port(8000)
    with root.serve(f"{kept}; {'' if named else f'export PORT={port}; '}{command}", PORT=port) as site:
        site.wait()
    return "its first page came, and it ended"


def main() -> None:
    parser = ArgumentParser(prog="./dev prove docs", description="Runs the docs' commands on bare Debians. Needs root.")
    parser.add_argument("pages", nargs="*", default=[page for page in PAGES if (ROOT / page).exists()])
    parser.add_argument("--debian", choices=SUITES, action="append", help="on this one only")
    options = parser.parse_args()
    failed = []
    with TemporaryDirectory() as scratch:
        files = Path(scratch, "files")
        release(files, key=throwaway_key(Path(scratch)))
        print("where", "Debian", "seconds", "command", "result", sep="\t")
        for page in options.pages:
            for debian in options.debian or SUITES:
                failed += run_page(page, debian, files)
    sys.exit(f"Failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
