"""The table of permissions as a page of the docs."""

import re
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from clubsite.accounts.permissions.gate import all_addresses
from clubsite.accounts.permissions.table import ANYONE, AT_TABLE, LINES, PARTS, Access, LinkState, Who

ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>")  # of an address's pattern: "<slug:club>"
COLUMNS = (Who.TABLE, Who.MEMBER, Who.TREASURER, Who.SCOREKEEPER, Who.DIRECTOR, Who.OWNER)
HEADINGS = ("anyone", "a table's link", "member", "treasurer", "scorekeeper", "director", "site's owner")
HEAD = """# Who may do what

Made from `clubsite/accounts/permissions/table.py` by `./dev lab permissions`; a test holds the two together.

`sees` opens the page (GET), `sends` what changes something (POST). Logged out one is led to the log-in; who is logged
in without the right gets "not found", as everybody of another club does. What anyone sees, all others see too. A role
is one in the club whose page it is; the site's owner needs one like anybody else, but for the pages of the site itself.
"""
LINKS_HEAD = """
## The link of a table

At {names}
the link alone counts, with a log-in or without, and elsewhere it is worth nothing. "Another's" is a game, a deal
or a word of another table, another round or another club.

| the link is | its own table's | another's |
|---|---|---|
"""
ANSWERS = {
    200: ("sees, sends", "not found (404)"),
    410: ("ended, with the reason (410)",) * 2,
    404: ("no such link (404)",) * 2,
}


def as_markdown() -> str:
    where = {name: ARGUMENT.sub(lambda found: found[1].upper(), pattern) for name, pattern in all_addresses()}
    return HEAD + "".join(_part(title, lines, where=where) for title, lines in PARTS.items()) + _links()


def _links() -> str:
    names = ", ".join(f"`{name}`" for name, line in LINES.items() if (line.opens | line.sends) & AT_TABLE)
    rows = [f"| {link} | {' | '.join(ANSWERS[link.status])} |\n" for link in LinkState]
    return LINKS_HEAD.format(names=names) + "".join(rows)


def _part(title: str, lines: dict[str, Access], *, where: dict[str, str]) -> str:
    rows = [f"\n## {title}\n", f"| address | {' | '.join(HEADINGS)} | besides |", f"|{'---|' * (len(HEADINGS) + 2)}"]
    for name, line in lines.items():
        cells = (_cell(line, who) for who in (Who.ANYONE, *COLUMNS))
        rows.append(f"| `{where[name]}` ({name}) | {' | '.join(cells)} | {_besides(line)} |")
    return "\n".join(rows) + "\n"


def _cell(line: Access, who: Who) -> str:
    said = [word for word, allowed in (("sees", line.opens), ("sends", line.sends)) if who in allowed]
    return ", ".join(said) or ("" if line.opens | line.sends <= ANYONE else "–")


def _besides(line: Access) -> str:
    only = [f"`{name}` is a director's to send" for name in line.directors]
    also = [f"{', '.join(sorted(roles))}: the document `{name}`" for name, roles in line.also.items()]
    door = [f"the club's door: {line.behind}"] if line.behind else []
    return "; ".join([*only, *also, *door, *([line.beyond] if line.beyond else [])])


class Command(BaseCommand):
    help = "Write docs/permissions.md from the table of permissions."

    def handle(self, *args: Any, **options: Any) -> None:
        page = settings.BASE_DIR / "docs" / "permissions.md"
        page.write_text(as_markdown())
        self.stdout.write(f"{page.relative_to(settings.BASE_DIR)} is written.")
