"""Backups are of what is committed: each test has a database file of its own, PostgreSQL's tests their own database."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import LazySettings

from tests.scoring.cards.test_race import real_database

__all__ = ["real_database"]  # a fixture


@pytest.fixture
def folder(tmp_path: Path, settings: LazySettings) -> Path:
    settings.BACKUPS = tmp_path / "backups"
    return settings.BACKUPS


@pytest.fixture
def stick(tmp_path: Path, settings: LazySettings) -> Path:
    place = tmp_path / "stick"
    place.mkdir()
    settings.BACKUPS_ALSO_TO = str(place)
    return place
