import pytest


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    """Files of one test aren't those of another."""
    settings.MEDIA_ROOT = tmp_path / "documents"
