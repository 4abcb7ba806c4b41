"""The site's settings with a clock that is put forward or back while it runs, by the seconds in the file named by
CLOCK."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

from django.utils import timezone

from clubsite.settings import *  # noqa: F403  (settings)

CLOCK = Path(os.environ["CLOCK"])
_true_time = time.time


def _shift() -> float:
    with suppress(OSError, ValueError):
        return float(CLOCK.read_text())
    return 0.0


class _Shifted(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # Django asks for the moment only
        return datetime.now(tz) + timedelta(seconds=_shift())


timezone.datetime = _Shifted  # type: ignore[attr-defined]  # the module has it, its types say not
time.time = lambda: _true_time() + _shift()
