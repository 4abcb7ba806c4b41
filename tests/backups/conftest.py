"""Backups are of what is committed: each test has a database file of its own, PostgreSQL's tests their own database."""

import pytest

from tests.scoring.cards.test_race import real_database

__all__ = ["real_database"]  # a fixture


@pytest.fixture
def folder(tmp_path, settings):
    settings.BACKUPS = tmp_path / "backups"
    return settings.BACKUPS


@pytest.fixture
def stick(tmp_path, settings):
    place = tmp_path / "stick"
    place.mkdir()
    settings.BACKUPS_ALSO_TO = str(place)
    return place
