"""Visitors of a site that nobody has set up, from this machine and from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

CLUB = {"name": "St. Anne", "time_zone": "America/Chicago", "language": "en", "date_place": "us", "paper": "Letter"}
ANN = {"full_name": "Ann Abel", "password": "three green chairs"}


@pytest.fixture(autouse=True)
def own_var_dir(settings: Any, tmp_path: Path) -> None:
    """The code lies where no other test or install looks for one."""
    settings.VAR_DIR = tmp_path
    settings.SERVED_DIRECTLY = True


@pytest.fixture
def here(db: Any) -> Client:
    """A browser on the machine itself."""
    return Client(headers={"host": "localhost:8000"}, REMOTE_ADDR="127.0.0.1")


@pytest.fixture
def elsewhere(db: Any) -> Callable[..., Client]:
    """A browser on another machine of the hall's network."""

    def make(address: str = "192.168.1.30", **more: Any) -> Client:
        return Client(REMOTE_ADDR=address, **more)

    return make


def set_up(client: Client, **typed: Any) -> Any:
    """Go through the first two steps; returns the last answer."""
    client.post("/start/club/", {**CLUB, **{k: v for k, v in typed.items() if k in CLUB}})
    return client.post("/start/director/", {**ANN, **{k: v for k, v in typed.items() if k not in CLUB}})
