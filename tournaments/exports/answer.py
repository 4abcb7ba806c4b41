"""A table as the answer to a request: the file, or for a large one a page that orders it and waits for it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django_tasks import TaskContext, task

from clubsite.jobs.files import making
from clubsite.jobs.orders import WantedFile, answer, sent
from tournaments.exports.sheets import KINDS, Cell, Sheet, file_of, plain

ASKED_BY = ("GET", "HEAD", "POST")  # how a file is asked for: a POST orders it
AT_ONCE = 6_000  # cells: Excel's form takes 0.15 s for them, the OpenDocument one 0.3 s


@task(takes_context=True)
def make_sheet(context: TaskContext, key: str, run: int) -> None:  # noqa: PLR0917  (a task: its arguments wait by place)
    """Make an ordered file for spreadsheets."""
    with making(key, run=run, attempt=context.attempt) as job:
        if job is not None:
            job.save(file_of(*_read(job.payload)))


def sheet_answer(request: HttpRequest, sheet: Sheet, *, kind: str, back: str) -> HttpResponse:
    """A table as a download, or the page that waits for it, which leads `back`; 404 for a kind that there isn't."""
    if kind not in KINDS:
        raise Http404
    if kind == "csv" or len(sheet.heads) * len(sheet.rows) <= AT_ONCE:
        return sent(file_of(sheet, kind), kind, title=sheet.title)
    payload = json.dumps({"kind": kind, **asdict(plain(sheet))}, default=_told)
    wanted = WantedFile(
        key=hashlib.sha256(payload.encode()).hexdigest(),
        suffix=kind,
        title=sheet.title,
        back=back,
        task=make_sheet,
        payload=lambda: payload,
    )
    return answer(request, wanted)


def _told(cell: date | datetime | Decimal) -> dict[str, str]:
    """A cell that JSON doesn't know, as `_cell` reads it."""
    if isinstance(cell, Decimal):
        return {"money": f"{cell:f}"}
    return {"at" if isinstance(cell, datetime) else "on": cell.isoformat()}


def _read(payload: str) -> tuple[Sheet, str]:
    said = json.loads(payload)
    rows = tuple(tuple(_cell(cell) for cell in row) for row in said["rows"])
    return Sheet(said["title"], tuple(said["heads"]), rows), said["kind"]


def _cell(said: Any) -> Cell:
    if isinstance(said, dict) and "money" in said:
        return Decimal(said["money"])
    if isinstance(said, dict):
        return datetime.fromisoformat(said["at"]) if "at" in said else date.fromisoformat(said["on"])
    cell: Cell = said
    return cell
