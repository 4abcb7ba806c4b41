"""Lines of the log: JSON for programs (`LOG_FORMAT=json`), readable ones else. Neither holds a name or a
secret address.

A fault is shown by its class and by places in the code. Its message is cut where it may hold what somebody typed: after
the first line, in quotes and brackets, and wholly for exception classes of this site.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from datetime import UTC, datetime

from clubsite.paths import BASE_DIR, INSTALLED
from clubsite.watch.numbers import Told, current, user_of

QUOTED = re.compile(r"""(?:(?<!\w)'[^']*'|"[^"]*"|“[^”]*”|\([^()]*\)=\([^()]*\))""")
SECRET = re.compile(r"(/t/|/login/invitation/|/password/new/)[^\s\"'?]*[^/\s\"'?]", re.IGNORECASE)
OURS = ("clubsite", "scoring", "tournaments")
LONGEST = 300  # characters of a fault's message
ROOT = str(BASE_DIR.parent.parent if INSTALLED else BASE_DIR) + "/"


def told_by(problem: BaseException) -> str:
    """A fault's message, without what may be somebody's name."""
    if type(problem).__module__.partition(".")[0] in OURS:
        return ""
    lines = str(problem).strip().splitlines()
    return in_one_line(without_secrets(QUOTED.sub("…", lines[0])))[:LONGEST] if lines else ""


def trace_of(problem: BaseException) -> str:
    """The traces of a fault and of those it came from, the last at the end, without any values."""
    parts, seen = [], set()
    one: BaseException | None = problem
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        frames = traceback.extract_tb(one.__traceback__)
        lines = [f"{short(frame.filename)}:{frame.lineno} in {frame.name}: {frame.line or ''}" for frame in frames]
        parts.append("\n".join([*lines, f"{type(one).__name__}: {told_by(one)}".rstrip(": ")]))
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return "\n\nthen, on the way out:\n".join(reversed(parts))


def short(file: str) -> str:
    """A file's name from the project's root, or from where its package is installed."""
    return file.removeprefix(ROOT).rpartition("site-packages/")[2]


def line_of(record: logging.LogRecord) -> str:
    """The message of a record. Where Django names a request's address, the address's pattern replaces it."""
    line = record.getMessage()
    if hasattr(record, "request"):
        told = _told_of(record)
        line = f"{line.partition(': /')[0]}: {told.route if told and told.route else 'an unknown address'}"
    return in_one_line(without_secrets(line))


def without_secrets(text: str) -> str:
    """The text with dots in place of tables' links, and of the codes of invitations and new passwords, in addresses. Of
    a table's page, what follows the link is kept.

    >>> without_secrets("/t/ABCDEF/2/reckon/, /login/invitation/aaaa-bbbb-cccc/")
    '/t/.../2/reckon/, /login/invitation/.../'
    """
    return SECRET.sub(_dots, text)


def _dots(found: re.Match[str]) -> str:
    page = found[1].lower()
    rest = found[0][len(page) :].partition("/")[2] if page == "/t/" else ""
    return f"{page}.../{rest}" if rest else f"{page}..."


def in_one_line(text: str) -> str:
    """The text in one line, with line ends and invisible characters written as escapes: so no name can begin a log line
    of its own, or reverse one.

    >>> in_one_line("Ann\\r\\n12:00:00 Error")
    'Ann\\\\r\\\\n12:00:00 Error'
    """
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def _told_of(record: logging.LogRecord) -> Told | None:
    """The request that a record is about. Django logs an answer's status when `current` no longer has the request."""
    told: Told | None = getattr(getattr(record, "request", None), "told", None)
    return told or current()


def _request(record: logging.LogRecord) -> dict[str, object]:
    told = _told_of(record)
    if told is None:
        return {}
    request = getattr(record, "request", None)
    user = user_of(request) if request is not None else told.user
    return {"request": told.number, "method": told.method, "route": told.route, "user": user}


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": line_of(record),
            **_request(record),
        }
        for name in ("status", "seconds"):
            if (given := record.__dict__.get(name, record.__dict__.get(f"{name}_code"))) is not None:
                line[name] = round(given, 4) if isinstance(given, float) else given
        if record.exc_info and record.exc_info[1]:
            line["fault"] = type(record.exc_info[1]).__name__
            line["trace"] = trace_of(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)


class ReadableLines(logging.Formatter):
    """A line for people, in the terminal where the site was started."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record, with the trace of a fault below it."""
        at = datetime.fromtimestamp(record.created).astimezone()
        told = _request(record)
        parts = [f"{at:%H:%M:%S}", record.levelname.capitalize(), line_of(record)]
        if told:
            parts.append(f"[{told['request']}]")
        if (seconds := record.__dict__.get("seconds")) is not None:
            parts.append(f"in {seconds:.1f} s")
        line = " ".join(parts)
        if record.exc_info and record.exc_info[1]:
            line = f"{line}\n{trace_of(record.exc_info[1])}"
        return line
