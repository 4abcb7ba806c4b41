import pytest

from tests.tournaments.keying.conftest import draw, event, game, games, night

__all__ = ["draw", "event", "game", "games", "night"]  # fixtures


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    """Files of one test aren't those of another."""
    settings.MEDIA_ROOT = tmp_path / "documents"


@pytest.fixture
def other(games):
    """The game of the second table."""
    return games[1]
